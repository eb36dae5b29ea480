//! What is said when text cannot be read.

use retrospect_grammar::Excerpt;
use std::error::Error;
use std::fmt;

/// Why text could not be read, where, and what to do about it.
///
/// Displayed, it shows the line with a caret under the place:
///
/// ```
/// use retrospect::sketch::Document;
///
/// let error = Document::parse("Point { x: 1 y: 2 }").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "1:14: expected `,` or `}` after this part\n\
///     \x20   Point { x: 1 y: 2 }\n\
///     \x20                ^\n\
///     put a `,` between two parts, or write `_` for what cannot be read",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    problem: Problem,
    offset: usize,
    line: usize,
    column: usize,
    excerpt: Option<Excerpt>,
}

impl SyntaxError {
    /// What is wrong, in one line, without the place and the way out.
    ///
    /// ```
    /// let error = retrospect::sketch::Document::parse("[1, 2").unwrap_err();
    /// assert_eq!(error.message(), "this bracket is never closed");
    /// ```
    pub fn message(&self) -> String {
        self.problem.message()
    }

    /// What the writer of the text can do about it.
    ///
    /// ```
    /// let error = retrospect::sketch::Document::parse("[1, 2").unwrap_err();
    /// assert_eq!(error.way_out(), "the text may have been cut off: add the missing part and the closing bracket");
    /// ```
    pub fn way_out(&self) -> &'static str {
        self.problem.way_out()
    }

    /// The byte offset in the text.
    ///
    /// ```
    /// let error = retrospect::sketch::Document::parse("(1, 2]").unwrap_err();
    /// assert_eq!(error.offset(), 5);
    /// ```
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The line, counted from 1.
    ///
    /// ```
    /// let error = retrospect::sketch::Document::parse("[\n  1,\n  2;\n]").unwrap_err();
    /// assert_eq!((error.line(), error.column()), (3, 4));
    /// ```
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column, counted from 1, in characters.
    ///
    /// ```
    /// let error = retrospect::sketch::Document::parse("('é' 'è')").unwrap_err();
    /// assert_eq!(error.column(), 6);
    /// ```
    pub fn column(&self) -> usize {
        self.column
    }

    pub(super) fn new(text: &str, fault: Fault) -> SyntaxError {
        let offset = fault.at.min(text.len());
        let line_start = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
        let shows_line = !matches!(fault.problem, Problem::Nothing { .. } | Problem::TooLong { .. });
        SyntaxError {
            problem: fault.problem,
            offset,
            line: 1 + text[..line_start].bytes().filter(|&byte| byte == b'\n').count(),
            column: 1 + text[line_start..offset].chars().count(),
            excerpt: shows_line.then(|| Excerpt::of(text, offset)),
        }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(excerpt) = &self.excerpt {
            writeln!(formatter, "{}:{}: {}\n{excerpt}", self.line, self.column, self.message())?;
        } else {
            writeln!(formatter, "{}", self.message())?;
        }
        write!(formatter, "{}", self.way_out())
    }
}

impl Error for SyntaxError {}

/// A problem at a place, before the place is described to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) problem: Problem,
    pub(super) at: usize,
}

impl Fault {
    pub(super) fn new(problem: Problem, at: usize) -> Fault {
        Fault { problem, at }
    }
}

/// Everything that can be wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    Nothing { is_empty: bool },
    TooLong { length: usize, limit: usize },
    TooDeep { limit: usize },
    MoreText,
    NeverClosed,
    ClosesNothing,
    ExpectedSeparator { closing: char },
    ExpectedPart,
    ExpectedPartOrClosing { closing: char },
    ExpectedFieldName,
    ExpectedFieldColon,
    ExpectedKeyColon,
    UnexpectedEntry,
    ExpectedArrow,
    UnexpectedArrow,
    NoDefault,
    DefaultNotLast,
    HoleInInput,
    RestNotLast,
    HoleWithParts,
    RangeWithoutEnd,
    RangeOfRange,
    UnexpectedCharacter(char),
    EndlessString,
    EndlessCharacter,
    EmptyCharacter,
    EndlessGenerics,
    UnknownEscape(char),
    ByteEscape,
    UnicodeEscape,
}

impl Problem {
    fn message(&self) -> String {
        let fixed = match self {
            Problem::Nothing { is_empty: true } => "nothing to read: the text is empty",
            Problem::Nothing { is_empty: false } => "nothing to read: the text is only white space",
            Problem::TooLong { length, limit } => {
                return format!(
                    "the text is {length} bytes long; at most {limit} ({} MiB) are read",
                    limit / (1024 * 1024)
                );
            }
            Problem::TooDeep { limit } => return format!("nested deeper than {limit} brackets"),
            Problem::MoreText => "more text after the end of the value",
            Problem::NeverClosed => "this bracket is never closed",
            Problem::ClosesNothing => "this bracket closes nothing",
            Problem::ExpectedSeparator { closing } => {
                return format!("expected `,` or `{closing}` after this part");
            }
            Problem::ExpectedPart => "expected a part here",
            Problem::ExpectedPartOrClosing { closing } => {
                return format!("expected a part or `{closing}` here");
            }
            Problem::ExpectedFieldName => "expected the name of a field",
            Problem::ExpectedFieldColon => "expected `: ` after the name of a field",
            Problem::ExpectedKeyColon => "expected `: ` after this key: the entries before have one",
            Problem::UnexpectedEntry => "unexpected `:`: the items before are no entries",
            Problem::ExpectedArrow => "expected `=>` after this input: the entries before have one",
            Problem::UnexpectedArrow => "unexpected `=>`: the items before are no entries",
            Problem::NoDefault => "nothing says what all other inputs give",
            Problem::DefaultNotLast => "`_ => …` must be the last entry of a function",
            Problem::HoleInInput => "an input cannot have holes",
            Problem::RestNotLast => "`..` must be the last thing in a record",
            Problem::HoleWithParts => "a hole has no parts",
            Problem::RangeWithoutEnd => "expected a part after `..=`",
            Problem::RangeOfRange => "a range has only two ends",
            Problem::UnexpectedCharacter(character) => {
                return format!("unexpected character {character:?}");
            }
            Problem::EndlessString => "this string never ends",
            Problem::EndlessCharacter => "expected `'` after one character",
            Problem::EmptyCharacter => "no character between these quotes",
            Problem::EndlessGenerics => "this `<` is never closed",
            Problem::UnknownEscape(character) if character.is_control() => {
                return format!("unknown escape: `\\` and then {character:?}");
            }
            Problem::UnknownEscape(character) => return format!("unknown escape `\\{character}`"),
            Problem::ByteEscape => "expected two hexadecimal digits after `\\x`",
            Problem::UnicodeEscape => "expected a character's number, as in `\\u{301}`",
        };
        fixed.to_owned()
    }

    fn way_out(&self) -> &'static str {
        match self {
            Problem::Nothing { .. } => "write a value as `{:?}` prints it, with `_` for any part that may be anything",
            Problem::TooLong { .. } => "read a smaller part of it, or put `_` in place of large parts",
            Problem::TooDeep { .. } => "put `_` in place of the innermost parts",
            Problem::MoreText => "read one value at a time, or put brackets around several: `(a, b)`",
            Problem::NeverClosed => "the text may have been cut off: add the missing part and the closing bracket",
            Problem::ClosesNothing => "remove it, or add the opening bracket that it belongs to",
            Problem::ExpectedSeparator { .. } => "put a `,` between two parts, or write `_` for what cannot be read",
            Problem::ExpectedPart | Problem::ExpectedPartOrClosing { .. } => "write a value, or `_` for any value",
            Problem::ExpectedFieldName => "write fields as `name: value`, and `_` for any value",
            Problem::ExpectedFieldColon => "write fields as `name: value`, with a space after the colon",
            Problem::ExpectedKeyColon => "write entries as `key: value`, with a space after the colon",
            Problem::UnexpectedEntry => "write a set as `{a, b}` and a map as `{a: 1, b: 2}`",
            Problem::ExpectedArrow => "write the entries of a function as `input => output`",
            Problem::UnexpectedArrow => "write a set as `{a, b}` and a function as `{a => 1, _ => 0}`",
            Problem::NoDefault => "add the default at the end, as in `{a => 1, _ => 0}`; `_ => _` leaves it open",
            Problem::DefaultNotLast => "move it to the end, or remove what follows",
            Problem::HoleInInput => "write a whole input, or `_` alone and last for all other inputs",
            Problem::RestNotLast => "close the record after it; the fields that are not shown are holes",
            Problem::HoleWithParts => {
                "`_` stands for a whole part: write `_` alone, or the name of what has these parts"
            }
            Problem::RangeWithoutEnd => "write `..` for a range without an end, or `_` for any end",
            Problem::RangeOfRange => "put brackets around an end that is a range itself: `(a..b)..c`",
            Problem::UnexpectedCharacter(_) => {
                "it can only stand inside a string or a character: write `_` for what cannot be read"
            }
            Problem::EndlessString => {
                "the text may have been cut off: close it with `\"`, and write `\\\"` for a quote inside"
            }
            Problem::EndlessCharacter => "write one character as `'a'`, and a string as `\"ab\"`",
            Problem::EmptyCharacter => "write a quote as `'\\''`, and an empty string as `\"\"`",
            Problem::EndlessGenerics => "the text may have been cut off: close it with `>`",
            Problem::UnknownEscape(_) => {
                "write `\\\\` for a backslash; the escapes are \\n \\r \\t \\\\ \\\" \\' \\0 \\x7f \\u{301}"
            }
            Problem::ByteEscape => "write a byte as `\\x7f`, and a backslash as `\\\\`",
            Problem::UnicodeEscape => {
                "write one to six hexadecimal digits in braces; d800 to dfff and above 10ffff are no characters"
            }
        }
    }
}
