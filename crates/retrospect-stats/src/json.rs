use std::borrow::Cow;
use std::fmt;

/// A value of JSON that is to be written.
///
/// ```
/// use retrospect_stats::Json;
/// let list = Json::List(vec![Json::from(1_u64), Json::from("a\"b"), Json::Number(0.5), Json::Null]);
/// assert_eq!(list.to_string(), r#"[1,"a\"b",0.5,null]"#);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Json<'j> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number without a fraction that is not negative.
    Whole(u64),
    /// Any number. Those that JSON cannot write are written as text: `"NaN"`, `"inf"`, `"-inf"`.
    Number(f64),
    /// A number as it is written in JSON, in any number of digits.
    Digits(Cow<'j, str>),
    /// Text.
    Text(Cow<'j, str>),
    /// An array.
    List(Vec<Json<'j>>),
    /// An object, in this order.
    Object(Members<'j>),
}

/// The members of an object, in order.
pub(crate) type Members<'j> = Vec<(Cow<'j, str>, Json<'j>)>;

impl Json<'_> {
    /// Writes the value behind what there is.
    ///
    /// ```
    /// use retrospect_stats::Json;
    /// let mut text = b"[".to_vec();
    /// Json::Number(f64::NAN).write(&mut text);
    /// assert_eq!(text, b"[\"NaN\"");
    /// ```
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Json::Null => out.extend_from_slice(b"null"),
            Json::Bool(true) => out.extend_from_slice(b"true"),
            Json::Bool(false) => out.extend_from_slice(b"false"),
            Json::Whole(number) => whole(out, *number),
            Json::Number(number) => self::number(out, *number),
            Json::Digits(digits) => out.extend_from_slice(digits.as_bytes()),
            Json::Text(text) => self::text(out, text),
            Json::List(items) => {
                out.push(b'[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(b',');
                    }
                    item.write(out);
                }
                out.push(b']');
            }
            Json::Object(members) => object(out, members),
        }
    }
}

impl fmt::Display for Json<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Vec::new();
        self.write(&mut out);
        formatter.write_str(&String::from_utf8_lossy(&out))
    }
}

impl<'j> From<&'j str> for Json<'j> {
    fn from(text: &'j str) -> Json<'j> {
        Json::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Json<'_> {
    fn from(text: String) -> Self {
        Json::Text(Cow::Owned(text))
    }
}

impl From<u64> for Json<'_> {
    fn from(number: u64) -> Self {
        Json::Whole(number)
    }
}

impl From<f64> for Json<'_> {
    fn from(number: f64) -> Self {
        Json::Number(number)
    }
}

impl From<bool> for Json<'_> {
    fn from(value: bool) -> Self {
        Json::Bool(value)
    }
}

/// An absent value is `null`.
impl<'j, T: Into<Json<'j>>> From<Option<T>> for Json<'j> {
    fn from(value: Option<T>) -> Json<'j> {
        value.map_or(Json::Null, Into::into)
    }
}

pub(crate) fn object(out: &mut Vec<u8>, members: &[(Cow<'_, str>, Json<'_>)]) {
    out.push(b'{');
    for (at, (name, value)) in members.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        text(out, name);
        out.push(b':');
        value.write(out);
    }
    out.push(b'}');
}

/// Text between quotes. What needs no escape is copied in whole runs.
pub(crate) fn text(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let mut rest = text.as_bytes();
    while let Some(at) = first_escaped(rest) {
        out.extend_from_slice(&rest[..at]);
        escape(out, rest[at]);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

/// The first byte that cannot stand in a string of JSON. It is looked for in eight bytes at a time,
/// since nearly all texts have none.
fn first_escaped(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let has_zero = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let (eights, _) = bytes.as_chunks::<8>();
    let mut at = 0;
    for eight in eights {
        let word = u64::from_le_bytes(*eight);
        let below_space = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
        let quotes = has_zero(word ^ (ONES * 0x22)) | has_zero(word ^ (ONES * 0x5c));
        if below_space | quotes != 0 {
            break;
        }
        at += 8;
    }
    let place = bytes[at..].iter().position(|byte| *byte < b' ' || *byte == b'"' || *byte == b'\\')?;
    Some(at + place)
}

#[cold]
fn escape(out: &mut Vec<u8>, byte: u8) {
    match byte {
        b'"' => out.extend_from_slice(b"\\\""),
        b'\\' => out.extend_from_slice(b"\\\\"),
        b'\n' => out.extend_from_slice(b"\\n"),
        b'\t' => out.extend_from_slice(b"\\t"),
        b'\r' => out.extend_from_slice(b"\\r"),
        control => {
            out.extend_from_slice(b"\\u00");
            for digit in [control >> 4, control & 15] {
                out.push(b"0123456789abcdef"[usize::from(digit)]);
            }
        }
    }
}

/// The standard formatter takes several times as long, and every line has a handful.
pub(crate) fn whole(out: &mut Vec<u8>, number: u64) {
    // Most are counts.
    if number < 10 {
        return out.push(b'0' + number as u8);
    }
    let mut digits = [0; 20];
    let at = write_digits(&mut digits, number);
    out.extend_from_slice(&digits[at..]);
}

/// From `00` to `99`.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut at = 0;
    while at < 100 {
        pairs[at] = [b'0' + (at / 10) as u8, b'0' + (at % 10) as u8];
        at += 1;
    }
    pairs
};

/// Writes a number to the end, and says where it begins.
fn write_digits(digits: &mut [u8; 20], mut number: u64) -> usize {
    let mut at = digits.len();
    while number >= 10 && at >= 2 {
        at -= 2;
        [digits[at], digits[at + 1]] = PAIRS[(number % 100) as usize];
        number /= 100;
    }
    if (number > 0 || at == digits.len()) && at > 0 {
        at -= 1;
        digits[at] = b'0' + number as u8;
    }
    at
}

pub(crate) fn number(out: &mut Vec<u8>, number: f64) {
    /// Every whole number up to here is one of its own.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() <= EXACT {
        if number < 0.0 {
            out.push(b'-');
        }
        return whole(out, number.abs() as u64);
    }
    if !number.is_finite() {
        return text(out, &number.to_string());
    }
    // Three hundred zeros are no help, and some readers trip over them.
    let is_plain = (1e-5..EXACT).contains(&number.abs());
    let written = if is_plain { number.to_string() } else { format!("{number:e}") };
    out.extend_from_slice(written.as_bytes());
}

/// Seconds with nine digits behind the point, without the zeros at the end.
pub(crate) fn seconds(out: &mut Vec<u8>, time: std::time::Duration) {
    whole(out, time.as_secs());
    let nanos = time.subsec_nanos();
    if nanos == 0 {
        return;
    }
    let mut digits = *b".000000000";
    let mut rest = nanos;
    for at in [8, 6, 4, 2] {
        [digits[at], digits[at + 1]] = PAIRS[(rest % 100) as usize];
        rest /= 100;
    }
    digits[1] = b'0' + rest as u8;
    let mut end = digits.len();
    while digits[end - 1] == b'0' {
        end -= 1;
    }
    out.extend_from_slice(&digits[..end]);
}

#[cfg(test)]
mod tests {
    use super::{Json, seconds};
    use std::time::Duration;

    #[test]
    fn text_is_read_back_by_another_reader() {
        let all: String = (0..=0x2100).filter_map(char::from_u32).collect();
        for text in ["", "a\"b\\c\n\r\t\u{0}\u{1f}\u{7f}", &all, "\u{2028}\u{10ffff}"] {
            let out = Json::from(text).to_string();
            assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
            assert!(!out.bytes().any(|byte| byte < b' '), "{out:?}");
        }
    }

    #[test]
    fn numbers_are_read_back_by_another_reader() {
        for value in [0.0, -0.0, 1.0, -7.0, 0.1, 1e300, -2.5e-310, f64::MAX, 9e15, 1e16, 1.0 / 3.0] {
            let out = Json::Number(value).to_string();
            assert_eq!(serde_json::from_str::<f64>(&out).unwrap(), value, "{out}");
        }
        let near_powers = (0..20).flat_map(|power| [10_u64.pow(power) - 1, 10_u64.pow(power), 10_u64.pow(power) + 1]);
        for value in near_powers.chain([0, 42, 305, u64::MAX]) {
            assert_eq!(Json::Whole(value).to_string(), value.to_string());
        }
        for (value, written) in [(f64::NAN, "\"NaN\""), (f64::INFINITY, "\"inf\""), (f64::NEG_INFINITY, "\"-inf\"")] {
            assert_eq!(Json::Number(value).to_string(), written);
        }
    }

    #[test]
    fn times_are_exact() {
        let times = [
            (0, 0, "0"),
            (0, 1, "0.000000001"),
            (12, 345_000_000, "12.345"),
            (3, 1_000, "3.000001"),
            (0, 100_000_000, "0.1"),
            (0, 987_654_321, "0.987654321"),
            (70, 120_000_000, "70.12"),
        ];
        for (whole_seconds, nanos, written) in times {
            let mut out = Vec::new();
            seconds(&mut out, Duration::new(whole_seconds, nanos));
            assert_eq!(out, written.as_bytes());
        }
        assert_eq!(Json::from("\u{1b}[0m").to_string(), "\"\\u001b[0m\"");
    }

    #[test]
    fn escapes_are_found_at_every_place() {
        for length in 0..40 {
            for at in 0..length {
                for byte in 0..128_u8 {
                    let mut text = vec![b'a'; length];
                    text[at] = byte;
                    let text = String::from_utf8(text).unwrap();
                    let out = Json::from(text.as_str()).to_string();
                    assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
                }
            }
        }
    }
}
