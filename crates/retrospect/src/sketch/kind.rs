//! What a part is, in words.

use std::fmt;

/// What a part of a text is, with what a message needs to name it.
///
/// ```
/// use retrospect::sketch::{Document, SketchKind};
///
/// let document = Document::parse("Some([1, _])").unwrap();
/// assert_eq!(document.root().kind(), SketchKind::Tuple { name: "Some", parts: 1 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SketchKind<'d> {
    /// `_`, or what `..` leaves out at the end of a record.
    Hole,
    /// A bare word: `Leaf`, `-12`, `1.5s`.
    Word(&'d str),
    /// A string: `"abc"`.
    Text,
    /// A character: `'x'`.
    Char,
    /// `()`.
    Unit,
    /// `(a, b)` with an empty name, or `Name(a, b)`.
    Tuple {
        /// The last segment of the name.
        name: &'d str,
        /// How many parts it has.
        parts: usize,
    },
    /// `Name { field: value }`.
    Record {
        /// The last segment of the name.
        name: &'d str,
        /// How many fields are shown.
        fields: usize,
        /// Whether `..` ends it.
        open: bool,
    },
    /// `[a, b]`.
    List {
        /// How many items it has.
        items: usize,
    },
    /// `{a, b}`, or `{}`, which may be a map as well.
    Set {
        /// How many items it has.
        items: usize,
    },
    /// `{a: b}`.
    Map {
        /// How many entries it has.
        entries: usize,
    },
    /// `{a => b, _ => c}`: a function.
    Table {
        /// How many entries it has besides the default.
        entries: usize,
    },
    /// `a..b` and its relatives.
    Range,
}

impl SketchKind<'_> {
    /// Names the part for a message: "a list of 3 items", "the word `Leaf`".
    ///
    /// ```
    /// use retrospect::sketch::Document;
    ///
    /// let describe = |text| Document::parse(text).unwrap().root().kind().describe();
    /// assert_eq!(describe("[1, 2, 3]"), "a list of 3 items");
    /// assert_eq!(describe("Tree::Leaf"), "the word `Tree::Leaf`");
    /// assert_eq!(describe("-12"), "the number `-12`");
    /// assert_eq!(describe("Node(_)"), "`Node` with 1 part");
    /// assert_eq!(describe("Point { x: 1, .. }"), "`Point` with 1 field and `..`");
    /// ```
    pub fn describe(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for SketchKind<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SketchKind::Hole => formatter.write_str("a hole"),
            SketchKind::Word(word) if is_number(word) => write!(formatter, "the number `{}`", Shortened(word)),
            SketchKind::Word(word) => write!(formatter, "the word `{}`", Shortened(word)),
            SketchKind::Text => formatter.write_str("a string"),
            SketchKind::Char => formatter.write_str("a character"),
            SketchKind::Unit => formatter.write_str("`()`"),
            SketchKind::Tuple { name: "", parts } => {
                write!(formatter, "a tuple of {}", counted(parts, "part", "parts"))
            }
            SketchKind::Tuple { name, parts } => {
                write!(formatter, "`{}` with {}", Shortened(name), counted(parts, "part", "parts"))
            }
            SketchKind::Record { name, fields, open } => {
                write!(formatter, "`{}` with {}", Shortened(name), counted(fields, "field", "fields"))?;
                formatter.write_str(if open { " and `..`" } else { "" })
            }
            SketchKind::List { items } => {
                write!(formatter, "a list of {}", counted(items, "item", "items"))
            }
            SketchKind::Set { items: 0 } => formatter.write_str("an empty set or map"),
            SketchKind::Set { items } => {
                write!(formatter, "a set of {}", counted(items, "item", "items"))
            }
            SketchKind::Map { entries } => write!(formatter, "a map of {}", counted(entries, "entry", "entries")),
            SketchKind::Table { entries } => {
                write!(formatter, "a function of {}", counted(entries, "entry", "entries"))
            }
            SketchKind::Range => formatter.write_str("a range"),
        }
    }
}

/// Whether it is a number as people write one, such as `-12` or `0.5`.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, rest].iter().all(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A word of a pasted text can have any length; a message cannot.
struct Shortened<'w>(&'w str);

impl fmt::Display for Shortened<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 60;
        match self.0.char_indices().nth(LONGEST) {
            Some((cut, _)) => write!(formatter, "{}…", &self.0[..cut]),
            None => formatter.write_str(self.0),
        }
    }
}
