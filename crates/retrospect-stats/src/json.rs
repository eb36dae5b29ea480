use std::borrow::Cow;

/// A value of JSON that is to be written.
///
/// ```
/// use retrospect_stats::Json;
/// let mut text = String::new();
/// Json::List(vec![Json::from(1_u64), Json::from("a\"b"), Json::Number(0.5), Json::Null]).write(&mut text);
/// assert_eq!(text, r#"[1,"a\"b",0.5,null]"#);
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
    /// let mut text = "[".to_owned();
    /// Json::Number(f64::NAN).write(&mut text);
    /// assert_eq!(text, "[\"NaN\"");
    /// ```
    pub fn write(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(true) => out.push_str("true"),
            Json::Bool(false) => out.push_str("false"),
            Json::Whole(number) => whole(out, *number),
            Json::Number(number) => self::number(out, *number),
            Json::Text(text) => self::text(out, text),
            Json::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Json::Object(members) => object(out, members),
        }
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

pub(crate) fn object(out: &mut String, members: &[(Cow<'_, str>, Json<'_>)]) {
    out.push('{');
    for (at, (name, value)) in members.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        text(out, name);
        out.push(':');
        value.write(out);
    }
    out.push('}');
}

/// Text between quotes. What needs no escape is copied in whole runs.
pub(crate) fn text(out: &mut String, text: &str) {
    out.push('"');
    let mut copied = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' && byte != 0x7f {
            continue;
        }
        out.push_str(&text[copied..at]);
        copied = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'\r' => out.push_str("\\r"),
            control => {
                out.push_str("\\u00");
                for digit in [control >> 4, control & 15] {
                    out.push(char::from(b"0123456789abcdef"[usize::from(digit)]));
                }
            }
        }
    }
    out.push_str(&text[copied..]);
    out.push('"');
}

/// The standard formatter takes several times as long, and every line has a handful.
pub(crate) fn whole(out: &mut String, mut number: u64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    for digit in &digits[at..] {
        out.push(char::from(*digit));
    }
}

pub(crate) fn number(out: &mut String, number: f64) {
    /// Every whole number up to here is one of its own.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() <= EXACT {
        if number < 0.0 {
            out.push('-');
        }
        return whole(out, number.abs() as u64);
    }
    if !number.is_finite() {
        return text(out, &number.to_string());
    }
    // Three hundred zeros are no help, and some readers trip over them.
    let is_plain = (1e-5..EXACT).contains(&number.abs());
    out.push_str(&if is_plain { number.to_string() } else { format!("{number:e}") });
}

/// Seconds with nine digits behind the point, without the zeros at the end.
pub(crate) fn seconds(out: &mut String, time: std::time::Duration) {
    whole(out, time.as_secs());
    let mut rest = time.subsec_nanos();
    if rest == 0 {
        return;
    }
    out.push('.');
    let mut digit = 100_000_000;
    while rest > 0 {
        out.push(char::from(b'0' + (rest / digit) as u8));
        rest %= digit;
        digit /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::{Json, number, seconds, text, whole};
    use std::time::Duration;

    #[test]
    fn text_is_read_back_by_another_reader() {
        let all: String = (0..=0x2100).filter_map(char::from_u32).collect();
        for text in ["", "a\"b\\c\n\r\t\u{0}\u{1f}\u{7f}", &all, "\u{2028}\u{10ffff}"] {
            let mut out = String::new();
            super::text(&mut out, text);
            assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
            assert!(!out.chars().any(char::is_control) || text == all, "{out:?}");
        }
    }

    #[test]
    fn numbers_are_read_back_by_another_reader() {
        for value in [0.0, -0.0, 1.0, -7.0, 0.1, 1e300, -2.5e-310, f64::MAX, 9e15, 1e16, 1.0 / 3.0] {
            let mut out = String::new();
            number(&mut out, value);
            assert_eq!(serde_json::from_str::<f64>(&out).unwrap(), value, "{out}");
        }
        for value in [0, 9, 10, u64::MAX] {
            let mut out = String::new();
            whole(&mut out, value);
            assert_eq!(out, value.to_string());
        }
        for (value, written) in [(f64::NAN, "\"NaN\""), (f64::INFINITY, "\"inf\""), (f64::NEG_INFINITY, "\"-inf\"")] {
            let mut out = String::new();
            Json::Number(value).write(&mut out);
            assert_eq!(out, written);
        }
    }

    #[test]
    fn times_are_exact() {
        let times = [(0, 0, "0"), (0, 1, "0.000000001"), (12, 345_000_000, "12.345"), (3, 1_000, "3.000001")];
        for (whole_seconds, nanos, written) in times {
            let mut out = String::new();
            seconds(&mut out, Duration::new(whole_seconds, nanos));
            assert_eq!(out, written);
        }
        let mut out = String::new();
        text(&mut out, "\u{1b}[0m");
        assert_eq!(out, "\"\\u001b[0m\"");
    }
}
