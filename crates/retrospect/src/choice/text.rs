//! The text form of a choice tree, for files and command lines.
//!
//! ```text
//! nodes  = { node } separated by white space
//! node   = index                          a number
//!        | arm ":" [label] [ "(" nodes ")" ]   a pick and what was chosen inside
//!        | "[" nodes "]"                  a repeat and its items
//!        | "(" nodes ")"                  a generator's bracket
//!        | "{" nodes "}"                  a part that opened no bracket itself
//! label  = a word, or a string in double quotes with \" \\ \n \r \t \u{…}
//! ```
//!
//! Labels stand beside the arm's number so that a reader sees what was chosen and so that a replay
//! can find the arm again after arms were added or reordered. Names of generators and bounds are
//! left out: replay does not need them.

use super::tree::{Choices, Entry, Frame, Kind};
use std::fmt::{self, Write};
use std::str::FromStr;

impl fmt::Display for Choices {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_entries(self, 0, self.len(), &|entry| self.label_of(entry), formatter)
    }
}

impl FromStr for Choices {
    type Err = ChoicesError;

    fn from_str(text: &str) -> Result<Choices, ChoicesError> {
        Reader { text, at: 0, choices: Choices::default(), open: Vec::new() }.read()
    }
}

/// Why a text is not the text form of a choice tree: what is wrong, and where.
///
/// ```
/// use retrospect::choice::Choices;
/// let error = "(1 [2 x])".parse::<Choices>().unwrap_err();
/// assert_eq!(error.position(), 6);
/// assert_eq!(
///     error.to_string(),
///     "not a choice tree: expected a number, an arm such as `1:node`, or a bracket\n  (1 [2 x])\n        ^ column 7"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoicesError {
    message: String,
    position: usize,
    excerpt: String,
    caret: usize,
    column: usize,
}

impl ChoicesError {
    /// The byte at which reading stopped; of a bracket that is never closed, where it was opened.
    ///
    /// ```
    /// use retrospect::choice::Choices;
    /// assert_eq!("3 x".parse::<Choices>().unwrap_err().position(), 2);
    /// assert_eq!("3 [4 (5".parse::<Choices>().unwrap_err().position(), 5);
    /// ```
    pub fn position(&self) -> usize {
        self.position
    }

    fn new(text: &str, position: usize, message: String) -> ChoicesError {
        let position = position.min(text.len());
        let column = text[..position].chars().count() + 1;
        // The excerpt: 60 characters before the place and 20 after it.
        let caret = (column - 1).min(60);
        let mut excerpt = String::new();
        for character in text.chars().skip(column - 1 - caret).take(caret + 20) {
            excerpt.push(if character.is_control() { ' ' } else { character });
        }
        ChoicesError { message, position, caret, column, excerpt }
    }
}

impl fmt::Display for ChoicesError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ChoicesError { message, excerpt, caret, column, .. } = self;
        write!(formatter, "not a choice tree: {message}\n  {excerpt}\n  {:caret$}^ column {column}", "")
    }
}

impl std::error::Error for ChoicesError {}

pub(super) fn write_entries<'c>(
    choices: &Choices,
    from: usize,
    to: usize,
    label_of: &dyn Fn(Entry) -> Option<&'c str>,
    out: &mut impl Write,
) -> fmt::Result {
    let mut closers: Vec<(usize, char)> = Vec::new();
    let mut separate = false;
    for (at, &entry) in choices.entries().iter().enumerate().take(to).skip(from) {
        while let Some((_, closer)) = closers.pop_if(|(end, _)| *end == at) {
            out.write_char(closer)?;
            separate = true;
        }
        if separate {
            out.write_char(' ')?;
        }
        let end = at + 1 + entry.extent();
        let mut open = |out: &mut dyn Write, brackets: (char, char)| {
            closers.push((end, brackets.1));
            out.write_char(brackets.0)
        };
        separate = match entry.kind() {
            Kind::Number => {
                write!(out, "{}", entry.index())?;
                true
            }
            Kind::Pick => {
                write!(out, "{}:", entry.arm())?;
                if let Some(label) = label_of(entry) {
                    write_label(label, out)?;
                }
                if entry.extent() > 0 {
                    open(out, ('(', ')'))?;
                }
                entry.extent() == 0
            }
            kind => {
                let brackets = match kind {
                    Kind::Repeat => ('[', ']'),
                    Kind::Part => ('{', '}'),
                    _ => ('(', ')'),
                };
                open(out, brackets)?;
                false
            }
        };
    }
    while let Some((_, closer)) = closers.pop() {
        out.write_char(closer)?;
    }
    Ok(())
}

pub(super) fn write_label(label: &str, out: &mut impl Write) -> fmt::Result {
    if !label.is_empty() && label.chars().all(is_plain) {
        return out.write_str(label);
    }
    out.write_char('"')?;
    for character in label.chars() {
        match character {
            '"' | '\\' => write!(out, "\\{character}")?,
            character if character.is_control() => write!(out, "{}", character.escape_default())?,
            character => out.write_char(character)?,
        }
    }
    out.write_char('"')
}

fn is_bracket(character: char) -> bool {
    matches!(character, '(' | ')' | '[' | ']' | '{' | '}')
}

fn is_plain(character: char) -> bool {
    !character.is_whitespace()
        && !character.is_control()
        && !is_bracket(character)
        && !matches!(character, '"' | ':' | '\\')
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    choices: Choices,
    open: Vec<OpenBracket>,
}

struct OpenBracket {
    frame: Frame,
    closer: u8,
    /// Where the bracket was opened, for the error message.
    position: usize,
    items: usize,
}

impl Reader<'_> {
    fn read(mut self) -> Result<Choices, ChoicesError> {
        loop {
            self.skip_white_space();
            let Some(&byte) = self.text.as_bytes().get(self.at) else { break };
            match byte {
                b')' | b']' | b'}' => self.close(byte)?,
                b'(' => self.open(Entry::bracket(Kind::Call, 0), b')'),
                b'{' => self.open(Entry::bracket(Kind::Part, 0), b'}'),
                b'[' => self.open(Entry::repeat(0), b']'),
                b'0'..=b'9' => self.number_or_pick()?,
                _ => return Err(self.error("expected a number, an arm such as `1:node`, or a bracket")),
            }
        }
        match self.open.last() {
            Some(bracket) => Err(ChoicesError::new(
                self.text,
                bracket.position,
                format!("this bracket is never closed; `{}` is missing at the end", char::from(bracket.closer)),
            )),
            None => Ok(self.choices),
        }
    }

    fn number_or_pick(&mut self) -> Result<(), ChoicesError> {
        let (start, bytes) = (self.at, self.text.as_bytes());
        let mut end = start;
        while let Some(b'0'..=b'9') = bytes.get(end) {
            end += 1;
        }
        let number = &self.text[start..end];
        let too_large = |limit: &str| format!("{number} is too large: at most {limit}");
        if bytes.get(end) != Some(&b':') {
            let index = number.parse().map_err(|_| self.error(too_large("18446744073709551615")))?;
            self.at = end;
            self.expect_end_of_word()?;
            self.count_item();
            self.choices.push_number(index, u64::MAX);
            return Ok(());
        }
        let arm: u32 = number.parse().map_err(|_| self.error(too_large("4294967295 as an arm")))?;
        self.at = end + 1;
        let label = self.label()?;
        let entry = match label {
            Some(label) => Entry::pick_with_local_label(self.choices.add_label(&label), arm as usize),
            None => Entry::pick(0, arm as usize, 0),
        };
        if self.text.as_bytes().get(self.at) == Some(&b'(') {
            self.open(entry, b')');
        } else {
            self.expect_end_of_word()?;
            self.count_item();
            let frame = self.choices.open(entry);
            self.choices.close(frame);
        }
        Ok(())
    }

    fn label(&mut self) -> Result<Option<String>, ChoicesError> {
        let rest = &self.text[self.at..];
        if !rest.starts_with('"') {
            let end = rest.find(|character| !is_plain(character)).unwrap_or(rest.len());
            self.at += end;
            return Ok((end > 0).then(|| rest[..end].to_owned()));
        }
        let mut label = String::new();
        let mut characters = rest[1..].chars();
        while let Some(character) = characters.next() {
            let after = self.text.len() - characters.as_str().len();
            match character {
                '"' => {
                    self.at = after;
                    return Ok(Some(label));
                }
                '\\' => {
                    let escaped = match characters.next() {
                        Some('n') => Some('\n'),
                        Some('r') => Some('\r'),
                        Some('t') => Some('\t'),
                        Some(same @ ('"' | '\\' | '\'')) => Some(same),
                        Some('u') => {
                            let mut digits = String::new();
                            for character in characters.by_ref() {
                                match character {
                                    '{' if digits.is_empty() => {}
                                    '}' => break,
                                    digit => digits.push(digit),
                                }
                            }
                            u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32)
                        }
                        _ => None,
                    };
                    let Some(escaped) = escaped else {
                        self.at = after - 1;
                        return Err(self.error("unknown escape in a label"));
                    };
                    label.push(escaped);
                }
                character => label.push(character),
            }
        }
        Err(self.error("this label never ends: its closing `\"` is missing"))
    }

    fn open(&mut self, entry: Entry, closer: u8) {
        self.count_item();
        let frame = self.choices.open(entry);
        self.open.push(OpenBracket { frame, closer, position: self.at, items: 0 });
        self.at += 1;
    }

    fn close(&mut self, closer: u8) -> Result<(), ChoicesError> {
        match self.open.pop() {
            Some(bracket) if bracket.closer == closer => {
                self.choices.set_repeat_count(bracket.frame, bracket.items);
                self.choices.close(bracket.frame);
                self.at += 1;
                Ok(())
            }
            Some(bracket) => {
                let expected = char::from(bracket.closer);
                let opened = self.text[..bracket.position].chars().count() + 1;
                Err(self.error(format!("expected `{expected}` to close the bracket of column {opened}")))
            }
            None => Err(self.error(format!("`{}` closes nothing", char::from(closer)))),
        }
    }

    fn count_item(&mut self) {
        if let Some(bracket) = self.open.last_mut() {
            bracket.items += 1;
        }
    }

    fn expect_end_of_word(&self) -> Result<(), ChoicesError> {
        match self.text.as_bytes().get(self.at) {
            // Without a look at any other white space.
            None | Some(b' ' | b'(' | b')' | b'[' | b']' | b'{' | b'}') => Ok(()),
            _ if self.text[self.at..].starts_with(char::is_whitespace) => Ok(()),
            _ => Err(self.error("expected white space or a bracket after this")),
        }
    }

    fn skip_white_space(&mut self) {
        // Nearly always a blank or nothing, which needs no look at any other white space.
        while let Some(b' ') = self.text.as_bytes().get(self.at) {
            self.at += 1;
        }
        if self.text.as_bytes().get(self.at).is_some_and(|byte| !byte.is_ascii_graphic()) {
            let rest = &self.text[self.at..];
            self.at += rest.len() - rest.trim_start().len();
        }
    }

    fn error(&self, message: impl Into<String>) -> ChoicesError {
        ChoicesError::new(self.text, self.at, message.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trips(text: &str) {
        assert_eq!(text.parse::<Choices>().unwrap().to_string(), text);
    }

    #[test]
    fn every_form_round_trips() {
        for text in [
            "",
            "0",
            "18446744073709551615",
            "[]",
            "[1 2 3]",
            "()",
            "((() ()) 1)",
            "{1 2}",
            "0:",
            "1:node",
            "1:node(50 0:leaf)",
        ] {
            round_trips(text);
        }
        round_trips("3:λ(0:+ 1:\"two words\" 2:\"a\\\"b\\\\c\\n\")");
        round_trips("0:\"\"");
    }

    #[test]
    fn wrong_text_is_an_error_that_points_at_the_place() {
        let position = |text: &str| text.parse::<Choices>().unwrap_err().position();
        assert_eq!(position("(1 2"), 0);
        assert_eq!(position("(1 2]"), 4);
        assert_eq!(position("1)"), 1);
        assert_eq!(position("18446744073709551616"), 0);
        assert_eq!(position("4294967296:x"), 0);
        assert_eq!(position("1x"), 1);
        assert_eq!(position("1:\"x"), 2);
        assert_eq!(position("1:\"\\q\""), 3);
        assert_eq!(position("-1"), 0);
        assert_eq!(position("1:a:b"), 3);
    }

    #[test]
    fn a_million_levels_need_no_stack() {
        let text = "(".repeat(1_000_000) + &")".repeat(1_000_000);
        round_trips(&text);
        assert!("(".repeat(1_000_000).parse::<Choices>().is_err());
    }
}
