use retrospect::text::{Text, literal};

/// A document that holds another text, and a checksum of it that is computed:
/// `{"payload":…,"checksum":…}`.
///
/// Forward, the checksum is written for what was written. Backward, a text is read only if its
/// checksum is right. Shrinking therefore makes another payload and another checksum at once.
///
/// The checksum is a hash of the payload, times 33 and `xor` each character, beginning with 5381,
/// in 64 bits: the first eight digits of it without its sign.
pub fn with_checksum(payload: impl Into<Text>) -> Text {
    let payload = payload.into();
    literal("{\"payload\":").then(payload.bind(|payload| literal(format!(",\"checksum\":{}}}", checksum(payload)))))
}

fn checksum(text: &str) -> String {
    let hash = text.chars().fold(5381i64, |hash, character| hash.wrapping_mul(33) ^ i64::from(u32::from(character)));
    let digits = hash.unsigned_abs().to_string();
    digits.chars().take(8).collect()
}

#[cfg(test)]
mod tests {
    use super::with_checksum;
    use retrospect::laws::Laws;
    use retrospect::prelude::*;

    #[test]
    fn the_laws() {
        Laws::default().cases(100).check(&with_checksum(text::json()));
    }

    /// The checksum, by another hand: in 128 bits.
    fn checksum(text: &str) -> String {
        let mut hash = 5381i128;
        for character in text.chars() {
            hash = ((hash * 33) & i128::from(u64::MAX)) ^ (character as i128);
        }
        if hash > i128::from(i64::MAX) {
            hash -= 1 << 64;
        }
        hash.abs().to_string()[..8.min(hash.abs().to_string().len())].to_owned()
    }

    #[test]
    fn checksums_are_right_and_follow_the_payload() {
        let documents = with_checksum(text::json());
        let wrap = |payload: &str| format!("{{\"payload\":{payload},\"checksum\":{}}}", checksum(payload));
        for text in documents.samples(1).take(300) {
            let payload = &text["{\"payload\":".len()..text.rfind(",\"checksum\":").unwrap()];
            assert_eq!(text, wrap(payload));
        }
        let document = wrap(r#"{"name":"Ada","tags":["x",[1,22,333]]}"#);
        assert!(documents.accepts(&document) && !documents.accepts(&document.replace("Ada", "Bda")));
        let smallest = documents.shrink(document, |text| text.contains("333]")).unwrap();
        assert_eq!(smallest.value, wrap("[333]"));
        // A payload of which another could be the beginning.
        assert!(documents.accepts(&wrap("12")) && documents.accepts(&wrap("{\"checksum\":1}")));
    }
}
