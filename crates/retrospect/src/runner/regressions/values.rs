//! The values of a property in one text, as a user passes them in `RETROSPECT_VALUE`.

use std::fmt;

/// Splits `tree = Node(Leaf, 4, Leaf); key = 4` into names and texts, in order. A line break
/// separates as `;` does, and a `let` before a name is skipped, so that what a report prints can be
/// pasted. The name of a single value may be left out.
///
/// Nothing separates inside brackets, strings and characters. The values themselves are not read
/// here.
pub fn parse_values(text: &str) -> Result<Vec<(Option<String>, String)>, ValuesError> {
    let items = split(text)?;
    let mut values: Vec<(Option<String>, String)> = Vec::with_capacity(items.len());
    for item in &items {
        let name = match item.equals {
            None if items.len() > 1 => {
                let start = item.end - text[item.start..item.end].trim_start().len();
                return Err(ValuesError::new(
                    text,
                    start,
                    "which argument is this? Only a single value may go without a name",
                ));
            }
            None => None,
            Some(equals) => Some(name_of(text, item.start, equals)?),
        };
        if name.is_some() && values.iter().any(|(other, _)| *other == name) {
            let message = "this argument has a value already";
            let start = item.end - text[item.start..item.end].trim_start().len();
            return Err(ValuesError::new(text, start, message));
        }
        let value = text[item.equals.map_or(item.start, |equals| equals + 1)..item.end].trim();
        if let Some(equals) = item.equals.filter(|_| value.is_empty()) {
            return Err(ValuesError::new(text, equals, "expected a value after `=`"));
        }
        values.push((name, value.to_owned()));
    }
    if values.is_empty() {
        return Err(ValuesError::new(text, text.len(), "there is no value"));
    }
    Ok(values)
}

/// Why a text is not a list of values: what is wrong, and where.
#[derive(Debug, PartialEq)]
pub struct ValuesError {
    message: &'static str,
    /// The line in question, or the part of it around the place.
    excerpt: String,
    /// How many characters of the excerpt are before the place.
    caret: usize,
}

impl ValuesError {
    fn new(text: &str, position: usize, message: &'static str) -> ValuesError {
        let line_start = text[..position].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[position..].find('\n').map_or(text.len(), |at| position + at);
        let before = text[line_start..position].chars().count();
        let caret = before.min(60);
        let mut excerpt = String::new();
        for character in text[line_start..line_end].chars().skip(before - caret).take(caret + 40) {
            excerpt.push(if character.is_control() { ' ' } else { character });
        }
        ValuesError { message, excerpt: excerpt.trim_end().to_owned(), caret }
    }
}

impl fmt::Display for ValuesError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ValuesError { message, excerpt, caret } = self;
        write!(formatter, "{message}\n    {excerpt}\n    {:caret$}^\n", "")?;
        formatter.write_str(
            "write `name = value` for each argument, with `;` between them, and values as `{:?}` prints them",
        )
    }
}

impl std::error::Error for ValuesError {}

/// A name, if there is an `=`, and a value.
struct Item {
    start: usize,
    equals: Option<usize>,
    end: usize,
}

/// The parts of the text that are not blank.
fn split(text: &str) -> Result<Vec<Item>, ValuesError> {
    let bytes = text.as_bytes();
    let mut items = Vec::new();
    let mut item = Item { start: 0, equals: None, end: 0 };
    // The brackets around this place, and what closes them.
    let mut open: Vec<(usize, u8)> = Vec::new();
    let mut at = 0;
    while at <= bytes.len() {
        let byte = bytes.get(at).copied();
        let mut next = at + 1;
        match byte {
            Some(b'"') => {
                let end = string_end(bytes, at);
                next = end.ok_or_else(|| ValuesError::new(text, at, "this string is never closed"))?;
            }
            Some(b'\'') => next = character_end(text, at).unwrap_or(next),
            Some(b'(') => open.push((at, b')')),
            Some(b'[') => open.push((at, b']')),
            Some(b'{') => open.push((at, b'}')),
            Some(closer @ (b')' | b']' | b'}')) => match open.pop() {
                None => return Err(ValuesError::new(text, at, "this bracket closes nothing")),
                Some((_, expected)) if closer != expected => {
                    return Err(ValuesError::new(text, at, "this bracket does not close the one that is open"));
                }
                Some(_) => {}
            },
            Some(b'=') if open.is_empty() && item.equals.is_none() && is_assignment(bytes, at) => {
                item.equals = Some(at)
            }
            None | Some(b';' | b'\n') if open.is_empty() => {
                let is_blank = |from: usize| text[from..at].trim().is_empty();
                // The value may begin on the next line.
                let is_waiting = byte == Some(b'\n') && item.equals.is_some_and(|equals| is_blank(equals + 1));
                if !is_waiting {
                    item.end = at;
                    if !is_blank(item.start) {
                        items.push(item);
                    }
                    item = Item { start: next, equals: None, end: next };
                }
            }
            None => return Err(ValuesError::new(text, open[open.len() - 1].0, "this bracket is never closed")),
            Some(_) => {}
        }
        at = next;
    }
    Ok(items)
}

fn name_of(text: &str, start: usize, equals: usize) -> Result<String, ValuesError> {
    let written = text[start..equals].trim();
    let name = written.strip_prefix("let ").map_or(written, str::trim_start);
    if name.is_empty() {
        return Err(ValuesError::new(text, equals, "expected the name of an argument before `=`"));
    }
    Ok(name.to_owned())
}

/// Tells `=` from `==`, `=>`, `..=`, `<=`, `>=` and `!=`.
fn is_assignment(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
    let after = bytes.get(at + 1).copied().unwrap_or(b' ');
    !matches!(before, b'=' | b'.' | b'<' | b'>' | b'!') && !matches!(after, b'=' | b'>')
}

/// Where the string that begins here is over.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Where the character that begins here is over. An apostrophe may also be one: `it's`, `Cow<'a>`.
fn character_end(text: &str, start: usize) -> Option<usize> {
    let inside = &text[start + 1..];
    let character = inside.chars().next()?;
    // The longest is `'\u{10ffff}'`; the character after a backslash may itself be an apostrophe.
    let length = match character {
        '\\' => (2..11).find(|&at| inside.as_bytes().get(at) == Some(&b'\''))?,
        _ => character.len_utf8(),
    };
    inside.as_bytes().get(length).filter(|&&byte| byte == b'\'').map(|_| start + 1 + length + 1)
}
