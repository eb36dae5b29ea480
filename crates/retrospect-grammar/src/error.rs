//! What is said when a grammar is wrong.

use std::error::Error;
use std::fmt;

use crate::Place;
use crate::excerpt::Excerpt;

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
        Fault { message, way_out, offset, place: place_of(text, offset), excerpt: Some(Excerpt::of(text, offset)) }
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
            writeln!(formatter, "{}:{}: {}\n{excerpt}", self.line(), self.column(), self.message)?;
        } else {
            writeln!(formatter, "{}", self.message)?;
        }
        formatter.write_str(&self.way_out)
    }
}

impl Error for GrammarError {}
