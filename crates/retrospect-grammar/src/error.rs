//! What is said when a grammar is wrong.

use std::error::Error;
use std::fmt;

use crate::Place;

/// Everything that is wrong with a grammar, as far as it could be read.
///
/// Displayed, it shows each place with a caret, the reason and the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarError {
    /// Never empty.
    faults: Vec<Fault>,
}

/// One thing that is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    message: String,
    way_out: String,
    offset: usize,
    place: Place,
    excerpt: Option<Excerpt>,
}

impl GrammarError {
    /// All that is wrong, in the order of the text. There is at least one.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The line of the first fault, counted from 1.
    pub fn line(&self) -> usize {
        self.faults[0].line()
    }

    /// The column of the first fault, counted from 1, in characters.
    pub fn column(&self) -> usize {
        self.faults[0].column()
    }

    /// An error of one fault.
    pub(crate) fn one(fault: Fault) -> GrammarError {
        GrammarError { faults: vec![fault] }
    }

    /// An error, if there are faults.
    pub(crate) fn of(faults: Vec<Fault>) -> Result<(), GrammarError> {
        if faults.is_empty() { Ok(()) } else { Err(GrammarError { faults }) }
    }
}

impl Fault {
    /// What is wrong, in one line, without the place and the way out.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What the writer of the grammar can do about it.
    pub fn way_out(&self) -> &str {
        &self.way_out
    }

    /// The byte offset in the text.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The line, counted from 1.
    pub fn line(&self) -> usize {
        self.place.line as usize
    }

    /// The column, counted from 1, in characters.
    pub fn column(&self) -> usize {
        self.place.column as usize
    }

    /// A fault at a place in a text, also one of another notation.
    pub fn at(text: &str, offset: usize, message: impl Into<String>, way_out: impl Into<String>) -> Fault {
        Fault::shown(text, offset, message.into(), way_out.into())
    }

    /// Apart from [`at`](Fault::at), so that it is compiled once.
    fn shown(text: &str, offset: usize, message: String, way_out: String) -> Fault {
        let line_start = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[offset..].find('\n').map_or(text.len(), |newline| offset + newline);
        Fault {
            message,
            way_out,
            offset,
            place: place_of(text, offset),
            excerpt: Some(Excerpt::around(&text[line_start..line_end], offset - line_start)),
        }
    }

    /// A fault of a text as a whole.
    pub fn of_all(message: impl Into<String>, way_out: impl Into<String>) -> Fault {
        let place = Place { line: 1, column: 1 };
        Fault { message: message.into(), way_out: way_out.into(), offset: 0, place, excerpt: None }
    }
}

/// Line and column of an offset. A byte order mark has no column.
fn place_of(text: &str, offset: usize) -> Place {
    let line_start = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
    let mut line = 1;
    for byte in text.as_bytes()[..line_start].iter() {
        line += u32::from(*byte == b'\n');
    }
    let before = &text[line_start..offset];
    let before = if line_start == 0 { before.trim_start_matches('\u{feff}') } else { before };
    Place { line, column: 1 + before.chars().count() as u32 }
}

/// The offset of a line and column, the other way round.
pub(crate) fn offset_of(text: &str, place: Place) -> usize {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut now = Place { line: 1, column: 1 };
    for (offset, character) in text[start..].char_indices() {
        if now == place {
            return start + offset;
        }
        now = match character {
            '\n' => Place { line: now.line + 1, column: 1 },
            _ => Place { line: now.line, column: now.column + 1 },
        };
    }
    text.len()
}

impl fmt::Display for GrammarError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        for (index, fault) in self.faults.iter().enumerate() {
            if index == SHOWN {
                return write!(formatter, "\n\nand {} more", self.faults.len() - SHOWN);
            }
            if index > 0 {
                formatter.write_str("\n\n")?;
            }
            fmt::Display::fmt(fault, formatter)?;
        }
        Ok(())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(excerpt) = &self.excerpt {
            writeln!(formatter, "{}:{}: {}", self.line(), self.column(), self.message)?;
            writeln!(formatter, "    {}", excerpt.shown)?;
            writeln!(formatter, "    {:width$}^", "", width = excerpt.caret)?;
        } else {
            writeln!(formatter, "{}", self.message)?;
        }
        formatter.write_str(&self.way_out)
    }
}

impl Error for GrammarError {}

/// The part of a line around a place, made fit to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Excerpt {
    shown: String,
    /// How many columns come before the caret.
    caret: usize,
}

impl Excerpt {
    /// Shows 72 characters, up to 48 of them before `offset`.
    fn around(line: &str, offset: usize) -> Excerpt {
        const WHOLE: usize = 72;
        const BEFORE: usize = 48;
        let mut start = offset;
        let mut before = 0;
        for (at, _) in line[..offset].char_indices().rev().take(BEFORE) {
            start = at;
            before += 1;
        }
        let end = line[offset..].char_indices().nth(WHOLE - before).map_or(line.len(), |(length, _)| offset + length);
        let mut shown = String::new();
        if start > 0 {
            shown.push('…');
        }
        let mut caret = usize::from(start > 0);
        for (at, character) in line[start..end].char_indices() {
            if start + at < offset {
                caret += columns(character);
            }
            shown.push(match character {
                '\t' | '\r' | '\u{feff}' => ' ',
                _ if character.is_control() => char::REPLACEMENT_CHARACTER,
                _ => character,
            });
        }
        if end < line.len() {
            shown.push('…');
        }
        shown.truncate(shown.trim_end().len());
        Excerpt { shown, caret }
    }
}

/// How many columns a terminal gives a character. Only the broad blocks: a rare character shifts a
/// caret by a column.
fn columns(character: char) -> usize {
    match character as u32 {
        0x0300..=0x036f | 0x200b..=0x200f | 0x20d0..=0x20ff | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f => 2,
        0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1f64f | 0x1f680..=0x1f6ff | 0x1f900..=0x1faff => 2,
        0x20000..=0x3fffd => 2,
        _ => 1,
    }
}
