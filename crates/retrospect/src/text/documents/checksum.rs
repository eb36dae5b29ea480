use crate::text::{Text, literal};

/// A document that holds another text, and a checksum of it that is computed: `{"payload":…,"checksum":…}`.
///
/// Forward, the checksum is written for what was written. Backward, a text is read only if its checksum is right. Shrinking therefore makes another payload
/// and another checksum at once, where one that knows nothing of it finds nothing that is still valid.
///
/// ```
/// use retrospect::prelude::*;
/// let documents = text::with_checksum(text::json());
/// assert_eq!(documents.replay(&Choices::default()), r#"{"payload":null,"checksum":63828648}"#);
/// assert!(!documents.accepts(&r#"{"payload":null,"checksum":63828649}"#.to_owned()));
/// let document = r#"{"payload":{"a":[1,23]},"checksum":57225494}"#.to_owned();
/// assert!(documents.accepts(&document));
/// ```
///
/// The checksum is a hash of the payload, times 33 and `xor` each character, beginning with 5381, in 64 bits: the first eight digits of it without its sign.
pub fn with_checksum(payload: impl Into<Text>) -> Text {
    let payload = payload.into();
    literal("{\"payload\":").then(payload.bind(|payload| literal(format!(",\"checksum\":{}}}", checksum(payload)))))
}

fn checksum(text: &str) -> String {
    let hash = text.chars().fold(5381i64, |hash, character| hash.wrapping_mul(33) ^ i64::from(u32::from(character)));
    let digits = hash.unsigned_abs().to_string();
    digits.chars().take(8).collect()
}
