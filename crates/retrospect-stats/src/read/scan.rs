//! One line of JSON, read without copying it.
//!
//! Lines come from other programs, and from writers that are still writing, so nothing here
//! recurses on what it reads and every error has a place. Beyond JSON, `NaN`, `Infinity` and
//! `-Infinity` are numbers: Python writes them.

use memchr::memchr2;
use std::borrow::Cow;

/// A place in a line.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'l> {
    line: &'l str,
    bytes: &'l [u8],
    at: usize,
}

/// What is wrong with a line, and at which byte.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Malformed {
    pub at: usize,
    pub what: &'static str,
}

type Result<T> = std::result::Result<T, Malformed>;

/// Text between quotes, as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Text<'l> {
    /// Without the quotes, with the escapes.
    pub raw: &'l str,
    has_escapes: bool,
}

/// The kind of the value that comes next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Next {
    Text,
    Number,
    True,
    False,
    Null,
    Object,
    List,
}

impl<'l> Scanner<'l> {
    pub fn new(line: &'l str) -> Scanner<'l> {
        Scanner { line, bytes: line.as_bytes(), at: 0 }
    }

    /// The text from `start` up to here.
    pub fn since(&self, start: usize) -> &'l str {
        self.line.get(start..self.at).unwrap_or_default()
    }

    pub fn next(&mut self) -> Result<Next> {
        self.blank();
        match self.bytes.get(self.at) {
            Some(b'"') => Ok(Next::Text),
            Some(b'{') => Ok(Next::Object),
            Some(b'[') => Ok(Next::List),
            Some(b't') => Ok(Next::True),
            Some(b'f') => Ok(Next::False),
            Some(b'n') => Ok(Next::Null),
            Some(b'-' | b'0'..=b'9' | b'N' | b'I') => Ok(Next::Number),
            Some(_) => Err(self.wrong("a value was expected")),
            None => Err(self.wrong("the line ends where a value was expected")),
        }
    }

    /// Calls `member` with each name of an object; it must read or skip the value.
    pub fn object(&mut self, mut member: impl FnMut(&mut Self, Text<'l>) -> Result<()>) -> Result<()> {
        self.expect(b'{', "an object was expected")?;
        self.blank();
        if self.takes(b'}') {
            return Ok(());
        }
        loop {
            self.blank();
            let name = self.text()?;
            self.blank();
            self.expect(b':', "a colon was expected")?;
            member(self, name)?;
            self.blank();
            if self.takes(b'}') {
                return Ok(());
            }
            self.expect(b',', "a comma or the end of the object was expected")?;
        }
    }

    /// Calls `item` for each item of a list; it must read or skip it.
    pub fn list(&mut self, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.blank();
        self.expect(b'[', "a list was expected")?;
        self.blank();
        if self.takes(b']') {
            return Ok(());
        }
        loop {
            item(self)?;
            self.blank();
            if self.takes(b']') {
                return Ok(());
            }
            self.expect(b',', "a comma or the end of the list was expected")?;
        }
    }

    pub fn text(&mut self) -> Result<Text<'l>> {
        self.blank();
        self.expect(b'"', "text was expected")?;
        let start = self.at;
        let mut has_escapes = false;
        loop {
            let Some(found) = quote_or_escape(&self.bytes[self.at..]) else {
                self.at = self.bytes.len();
                return Err(self.wrong("the line ends inside of text"));
            };
            self.at += found;
            if self.bytes[self.at] == b'"' {
                let raw = self.since(start);
                self.at += 1;
                return Ok(Text { raw, has_escapes });
            }
            has_escapes = true;
            self.escape()?;
        }
    }

    /// Steps over one escape.
    fn escape(&mut self) -> Result<()> {
        let n_digits = match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 0,
            Some(b'u') => 4,
            Some(_) => return Err(self.wrong("no such escape")),
            None => return Err(self.wrong("the line ends inside of text")),
        };
        let end = self.at + 2 + n_digits;
        match self.bytes.get(self.at + 2..end) {
            Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => self.at = end,
            Some(_) => return Err(self.wrong("no such escape")),
            None => return Err(self.wrong("the line ends inside of text")),
        }
        Ok(())
    }

    pub fn number(&mut self) -> Result<f64> {
        self.blank();
        let start = self.at;
        let n_digits = self.digits(start);
        if n_digits > 0 && n_digits < 16 && !self.goes_on() {
            // Most numbers are short and whole.
            let digits = self.bytes[start..self.at].iter();
            return Ok(digits.fold(0, |number, digit| number * 10 + u64::from(digit - b'0')) as f64);
        }
        self.at = start;
        let negative = self.takes(b'-');
        for (word, value) in [("NaN", f64::NAN), ("Infinity", f64::INFINITY)] {
            if self.bytes[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(if negative { -value } else { value });
            }
        }
        while self.goes_on() {
            self.at += 1;
        }
        let text = self.since(start);
        let wrong = Malformed { at: start, what: "this is not a number" };
        // Rust reads more than JSON allows, such as `1.` and `.5`; that does no harm.
        if text.trim_start_matches('-').is_empty() { Err(wrong) } else { text.parse().map_err(|_| wrong) }
    }

    /// Steps over digits, and counts them.
    fn digits(&mut self, from: usize) -> usize {
        self.at = from;
        while let Some(b'0'..=b'9') = self.bytes.get(self.at) {
            self.at += 1;
        }
        self.at - from
    }

    /// Whether a character of a number comes next.
    fn goes_on(&self) -> bool {
        matches!(self.bytes.get(self.at), Some(b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))
    }

    /// Steps over a number. Those that are written as usual need not be worked out.
    fn skip_number(&mut self) -> Result<()> {
        let start = self.at;
        let from = start + usize::from(self.bytes.get(start) == Some(&b'-'));
        let mut is_usual = self.digits(from) > 0;
        if is_usual && self.takes(b'.') {
            let from = self.at;
            is_usual = self.digits(from) > 0;
        }
        if is_usual && !self.goes_on() {
            return Ok(());
        }
        self.at = start;
        self.number().map(drop)
    }

    /// Steps over a value of any depth.
    pub fn skip(&mut self) -> Result<()> {
        // What is open: true for an object. Most values are flat, and then nothing is allocated.
        let mut open: Vec<bool> = Vec::new();
        loop {
            match self.next()? {
                Next::Text => {
                    self.text()?;
                }
                Next::Number => self.skip_number()?,
                Next::True => self.word("true")?,
                Next::False => self.word("false")?,
                Next::Null => self.word("null")?,
                Next::List => {
                    self.at += 1;
                    self.blank();
                    if !self.takes(b']') {
                        open.push(false);
                        continue;
                    }
                }
                Next::Object => {
                    self.at += 1;
                    self.blank();
                    if !self.takes(b'}') {
                        open.push(true);
                        self.name()?;
                        continue;
                    }
                }
            }
            // A value is over: so may be what it stands in.
            loop {
                let Some(&is_object) = open.last() else { return Ok(()) };
                self.blank();
                if self.takes(if is_object { b'}' } else { b']' }) {
                    open.pop();
                    continue;
                }
                self.expect(b',', "a comma or a closing bracket was expected")?;
                if is_object {
                    self.name()?;
                }
                break;
            }
        }
    }

    /// The text of the next value as it is written.
    pub fn raw(&mut self) -> Result<&'l str> {
        self.blank();
        let start = self.at;
        self.skip()?;
        Ok(self.since(start))
    }

    /// Fails if anything but blanks follows.
    pub fn end(&mut self) -> Result<()> {
        self.blank();
        if self.at == self.bytes.len() { Ok(()) } else { Err(self.wrong("the line goes on behind the object")) }
    }

    pub fn word(&mut self, word: &'static str) -> Result<()> {
        self.blank();
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(self.wrong("a value was expected"));
        }
        self.at += word.len();
        Ok(())
    }

    fn name(&mut self) -> Result<()> {
        self.text()?;
        self.blank();
        self.expect(b':', "a colon was expected")
    }

    fn blank(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_there = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, byte: u8, what: &'static str) -> Result<()> {
        self.blank();
        if self.takes(byte) { Ok(()) } else { Err(self.wrong(what)) }
    }

    fn wrong(&self, what: &'static str) -> Malformed {
        Malformed { at: self.at, what }
    }
}

/// Names and most texts are short: looking byte by byte finds their end before a search for long
/// ones has begun.
fn quote_or_escape(bytes: &[u8]) -> Option<usize> {
    let near = bytes.len().min(24);
    for (at, byte) in bytes[..near].iter().enumerate() {
        if matches!(byte, b'"' | b'\\') {
            return Some(at);
        }
    }
    memchr2(b'"', b'\\', &bytes[near..]).map(|at| at + near)
}

impl<'l> Text<'l> {
    /// What it says. A half of a pair that stands alone becomes a replacement character.
    pub fn decoded(&self) -> Cow<'l, str> {
        if !self.has_escapes {
            return Cow::Borrowed(self.raw);
        }
        let mut out = String::with_capacity(self.raw.len());
        let mut rest = self.raw;
        while let Some(at) = rest.find('\\') {
            out.push_str(&rest[..at]);
            let (decoded, length) = decode_escape(&rest[at..]);
            out.push(decoded);
            rest = &rest[at + length..];
        }
        out.push_str(rest);
        Cow::Owned(out)
    }
}

/// The character of an escape that was looked at before, and its length.
fn decode_escape(escape: &str) -> (char, usize) {
    match escape.as_bytes()[1] {
        b'n' => ('\n', 2),
        b't' => ('\t', 2),
        b'r' => ('\r', 2),
        b'b' => ('\u{8}', 2),
        b'f' => ('\u{c}', 2),
        b'u' => {
            let unit = |text: &str| u32::from_str_radix(text.get(2..6)?, 16).ok();
            let first = unit(escape).unwrap_or(0xfffd);
            let second = escape.get(6..).filter(|rest| rest.starts_with("\\u")).and_then(unit);
            match second {
                Some(second) if (0xd800..0xdc00).contains(&first) && (0xdc00..0xe000).contains(&second) => {
                    let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                    (char::from_u32(code).unwrap_or('\u{fffd}'), 12)
                }
                _ => (char::from_u32(first).unwrap_or('\u{fffd}'), 6),
            }
        }
        other => (char::from(other), 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped(text: &str) -> Result<()> {
        let mut scanner = Scanner::new(text);
        scanner.skip()?;
        scanner.end()
    }

    #[test]
    fn what_json_is_and_python_writes_is_skipped() {
        for text in [
            "{}",
            "[]",
            " [1, 2.5e-3 , -0, \"a\\\"b\\u00e9\\\\\", null,true,false] ",
            r#"{"a": {"b": [{}, [], {"c": "}"}]}, "d": NaN, "e": -Infinity}"#,
        ] {
            assert_eq!(skipped(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn what_it_is_not_is_refused_with_its_place() {
        for (text, at, what) in [
            ("", 0, "the line ends where a value was expected"),
            ("[1,", 3, "the line ends where a value was expected"),
            ("[1 2]", 3, "a comma or a closing bracket was expected"),
            ("{\"a\" 1}", 5, "a colon was expected"),
            ("{a: 1}", 1, "text was expected"),
            ("\"a", 2, "the line ends inside of text"),
            ("\"a\\q\"", 2, "no such escape"),
            ("\"\\u12\"", 1, "the line ends inside of text"),
            ("\"\\u12zz\"", 1, "no such escape"),
            ("[1]]", 3, "the line goes on behind the object"),
            ("[1}", 2, "a comma or a closing bracket was expected"),
            ("-", 0, "this is not a number"),
            ("1e", 0, "this is not a number"),
            ("nul", 0, "a value was expected"),
            ("?", 0, "a value was expected"),
        ] {
            assert_eq!(skipped(text), Err(Malformed { at, what }), "{text}");
        }
    }

    #[test]
    fn depth_is_no_matter() {
        let deep = "[".repeat(100_000);
        assert_eq!(skipped(&deep).unwrap_err().at, 100_000);
        assert_eq!(skipped(&format!("{deep}{}", "]".repeat(100_000))), Ok(()));
        assert_eq!(skipped(&format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000))), Ok(()));
    }

    #[test]
    fn every_prefix_of_a_line_is_refused() {
        let line = r#"{"a": [1, "b\n", {"c": NaN}], "d": null}"#;
        for end in 0..line.len() {
            assert!(skipped(&line[..end]).is_err(), "{}", &line[..end]);
        }
        assert_eq!(skipped(line), Ok(()));
    }

    #[test]
    fn escapes_are_decoded() {
        let decoded = |text: &str| Scanner::new(text).text().unwrap().decoded().into_owned();
        assert_eq!(decoded(r#""plain""#), "plain");
        assert_eq!(decoded(r#""\"\\\/\n\t\r\b\f""#), "\"\\/\n\t\r\u{8}\u{c}");
        assert_eq!(decoded(r#""\u00e9 \ud83d\ude00""#), "é 😀");
        // Halves of a pair that stand alone.
        assert_eq!(decoded(r#""\ud83d x \ude00\u0041""#), "\u{fffd} x \u{fffd}A");
    }

    #[test]
    fn numbers() {
        let number = |text: &str| Scanner::new(text).number().unwrap();
        assert_eq!(number("-12.5e1"), -125.0);
        assert!(number("NaN").is_nan());
        assert_eq!(number("-Infinity"), f64::NEG_INFINITY);
        assert_eq!(number("1e999"), f64::INFINITY);
    }
}
