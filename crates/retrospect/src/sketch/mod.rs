//! Reading `Debug` text: values with holes.
//!
//! A *sketch* is the text that `{:?}` or `{:#?}` prints for a value, with `_` for any part that may
//! be anything: `Node(Node(_, 1, _), 5, _)`. This module turns such text into a [`Document`] and
//! gives out cursors to its parts, each a [`Sketch`]. It knows nothing of generators: they ask a
//! sketch for what they expect (`tuple`, `record`, `items`, …) and get it, or `None`.
//!
//! ```
//! use retrospect::sketch::Document;
//!
//! let document = Document::parse("Node(Leaf, 5, _)").unwrap();
//! let [left, key, right] = document.root().tuple("Node").unwrap();
//! assert_eq!(left.word(), Some("Leaf"));
//! assert_eq!(key.parsed::<i64>(), Some(5));
//! assert!(right.is_hole());
//! ```
//!
//! # What is read
//!
//! - What derived `Debug` prints, in one line or in many, and what the types of the standard
//!   library print.
//! - Pasted Rust where it costs little: paths (`Tree::Leaf`), `Box::new(x)`, `Rc::new(x)`,
//!   `Arc::new(x)`, `(x)` and `&x` are `x`; `vec![…]`, `Vec::new()`, `String::from("…")`,
//!   `"…".to_string()`, `1_000u64`, `0xff`, raw strings.
//! - Functions as `{a => 1, b => 2, _ => 0}`, where `_ =>` comes last and says what all other
//!   inputs give.
//! - A name before a list or a map with strings as keys, as in `Array [1, 2]` and `Object {"a":
//!   1}`, which makes no difference.
//! - Durations and times of several words or with a time zone: `1h 30m ago`,
//!   `1970-01-01T00:00:00+00:00[UTC]`.
//! - White space and a comma before a closing bracket never matter.
//! - Where a text is filled ([`fill`](crate::Generator::fill)), `..` as an item of a list stands
//!   for any number of items, none included: `[1, .., 5]`. Where it is read as it is, `..` is a
//!   range there too.
//! - A colon separates a key from its value if it ends the word before it: `{a: 1}` is a map,
//!   `{a:1}` is a set of one word, as `::1` and `127.0.0.1:80` are words.
//!
//! # Limits
//!
//! Text longer than 64 MiB and more than a million nested brackets are refused with a
//! [`SyntaxError`]. Reading, comparing and dropping never recurse, so no text overflows the stack.
//! A part takes 16 bytes on top of the text.

mod arena;
mod compare;
mod decode;
pub(crate) mod edit;
mod error;
mod fields;
mod kind;
mod lexis;
mod names;
pub(crate) mod overlay;
mod parts;
mod read_error;
mod reader;
mod same;
#[cfg(test)]
mod tests;

use crate::source::{EFFORT_OF_EACH, has_effort_for};
use std::fmt::{self, Debug, Write};
use std::ops::Range;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

use self::arena::{Arena, Node, NodeKind};
pub use self::error::SyntaxError;
pub use self::kind::SketchKind;
pub use self::parts::{Entries, Items, RangeParts};
pub use self::read_error::ReadError;
pub(crate) use self::same::is_same;

/// Text that was read: the owner of what a [`Sketch`] points to.
///
/// ```
/// use retrospect::sketch::Document;
///
/// let document = Document::parse("Some(\n    _,\n)").unwrap();
/// assert!(document.root().has_holes());
/// ```
#[derive(Clone)]
pub struct Document {
    text: String,
    arena: Arena,
    root: u32,
    /// Tells documents apart: an address would not, since one that is dropped makes room for the
    /// next.
    number: u64,
    takes_rests: bool,
}

impl Document {
    /// Reads one value.
    ///
    /// ```
    /// use retrospect::sketch::Document;
    ///
    /// assert!(Document::parse("[1, 2]").is_ok());
    /// assert!(Document::parse("[1, 2").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Document, SyntaxError> {
        Document::read(text, false)
    }

    /// Reads one value to be filled: `..` in a list stands for any number of items. In a text that
    /// is read as it is, it is a range.
    pub(crate) fn to_fill(text: &str) -> Result<Document, SyntaxError> {
        Document::read(text, true)
    }

    fn read(text: &str, takes_rests: bool) -> Result<Document, SyntaxError> {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let (arena, position) = reader::read(text, takes_rests).map_err(|fault| SyntaxError::new(text, fault))?;
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        Ok(Document { text: text.to_owned(), root: arena.resolve(position), arena, number, takes_rests })
    }

    /// The whole value.
    ///
    /// ```
    /// let document = retrospect::sketch::Document::parse(" 5 ").unwrap();
    /// assert_eq!(document.root().text(), "5");
    /// ```
    pub fn root(&self) -> Sketch<'_> {
        Sketch { document: self, index: self.root }
    }
}

impl Debug for Document {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Document").field(&self.text).finish()
    }
}

/// A part of a [`Document`]: a cursor, cheap to copy.
///
/// ```
/// use retrospect::sketch::{Document, Sketch};
///
/// fn sum(list: &Sketch) -> Option<i64> {
///     list.items()?.map(|item| item.parsed::<i64>()).sum()
/// }
///
/// assert_eq!(sum(&Document::parse("[1, 2, 39]").unwrap().root()), Some(42));
/// ```
#[derive(Clone, Copy)]
pub struct Sketch<'d> {
    document: &'d Document,
    index: u32,
}

/// So many parts of a text that may have `..` among them. Of several, the last one stands for all
/// parts that are missing.
pub(crate) fn spread<'d, const N: usize>(parts: impl Iterator<Item = Sketch<'d>>) -> Option<[Sketch<'d>; N]> {
    let mut parts: Vec<Sketch<'d>> = parts.collect();
    while parts.len() != N
        && let Some(place) = parts.iter().position(Sketch::is_rest)
    {
        let rest = parts.remove(place);
        if parts.len() < N && !parts.iter().any(Sketch::is_rest) {
            let missing = N - parts.len();
            parts.splice(place..place, std::iter::repeat_n(rest, missing));
        }
    }
    parts.try_into().ok()
}

impl<'d> Sketch<'d> {
    /// Whether this part is `_`.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// assert!(Document::parse("_").unwrap().root().is_hole());
    /// assert!(!Document::parse("_x").unwrap().root().is_hole());
    /// ```
    pub fn is_hole(&self) -> bool {
        self.node().kind() == NodeKind::Hole
    }

    /// Whether this part is the `..` of a list, a tuple, a set or a map that is filled: any number
    /// of items. Such a part is a hole.
    pub(crate) fn is_rest(&self) -> bool {
        self.is_hole() && self.text() == ".."
    }

    /// Whether there is a hole anywhere inside this part. Takes no time.
    ///
    /// The `..` at the end of a record stands for fields that are not shown, and so counts as a
    /// hole; except in `Mutex { data: 5, poisoned: false, .. }` and the like of `RwLock`, which
    /// show all there is.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// assert!(Document::parse("[1, (2, _)]").unwrap().root().has_holes());
    /// assert!(!Document::parse("[1, (2, 3)]").unwrap().root().has_holes());
    /// ```
    pub fn has_holes(&self) -> bool {
        self.node().has_holes()
    }

    /// The text of this part, as it was written.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// let document = Document::parse("Some( [1,2] )").unwrap();
    /// let [list] = document.root().tuple("Some").unwrap();
    /// assert_eq!(list.text(), "[1,2]");
    /// ```
    pub fn text(&self) -> &'d str {
        &self.document.text[self.span()]
    }

    /// Where this part is in the text of the document, in bytes.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// let document = Document::parse("Some( [1,2] )").unwrap();
    /// let [list] = document.root().tuple("Some").unwrap();
    /// assert_eq!(list.span(), 6..11);
    /// ```
    pub fn span(&self) -> Range<usize> {
        self.node().start()..self.node().end()
    }

    /// What this part is; its `describe()` names it in messages.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// let document = Document::parse("{1, 2, 3}").unwrap();
    /// assert_eq!(document.root().kind().describe(), "a set of 3 items");
    /// ```
    pub fn kind(&self) -> SketchKind<'d> {
        let node = self.node();
        match node.kind() {
            NodeKind::Hole => SketchKind::Hole,
            NodeKind::Word | NodeKind::Wrapper => SketchKind::Word(self.text()),
            NodeKind::Text => SketchKind::Text,
            NodeKind::Char => SketchKind::Char,
            NodeKind::Tuple if node.count() == 0 => SketchKind::Unit,
            NodeKind::Tuple => SketchKind::Tuple { name: "", parts: node.count() as usize },
            NodeKind::NamedTuple => SketchKind::Tuple { name: self.name(), parts: node.count() as usize },
            NodeKind::Record | NodeKind::OpenRecord => SketchKind::Record {
                name: self.name(),
                fields: node.count() as usize,
                open: node.kind() == NodeKind::OpenRecord,
            },
            NodeKind::List => SketchKind::List { items: node.count() as usize },
            NodeKind::Set => SketchKind::Set { items: node.count() as usize },
            NodeKind::Map => SketchKind::Map { entries: node.count() as usize },
            NodeKind::Table => SketchKind::Table { entries: node.count() as usize - 1 },
            NodeKind::Range | NodeKind::InclusiveRange | NodeKind::ExhaustedRange => SketchKind::Range,
        }
    }

    /// A bare word as it was written: a unit variant, a number, an address, a duration.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// for word in ["Leaf", "-12", "1.5e-7", "NaN", "127.0.0.1:80", "[::1]:8080", "::1", "2µs", "PhantomData<(u8, u8)>"] {
    ///     assert_eq!(Document::parse(word).unwrap().root().word(), Some(word));
    /// }
    /// ```
    pub fn word(&self) -> Option<&'d str> {
        (self.node().kind() == NodeKind::Word).then(|| self.text())
    }

    /// A bare word, parsed. Numbers may be written as in Rust: `1_000u64`, `0xff`.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// assert_eq!(Document::parse("-7").unwrap().root().parsed::<i8>(), Some(-7));
    /// assert_eq!(Document::parse("1_000u64").unwrap().root().parsed::<u64>(), Some(1000));
    /// assert_eq!(Document::parse("256").unwrap().root().parsed::<u8>(), None);
    /// ```
    pub fn parsed<T: FromStr>(&self) -> Option<T> {
        let word = self.word()?;
        word.parse().ok().or_else(|| names::plain_number(word)?.parse().ok())
    }

    /// A string, its escapes resolved. `None` if `\xff` escapes make it no UTF-8.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// let text = format!("{:?}", "a \"quoted\"\u{301}\n👍");
    /// assert_eq!(Document::parse(&text).unwrap().root().string().unwrap(), "a \"quoted\"\u{301}\n👍");
    /// ```
    pub fn string(&self) -> Option<String> {
        String::from_utf8(self.bytes()?).ok()
    }

    /// The bytes of a string, in which `\xff` is one byte: what `CString`, `OsString` and byte
    /// string literals print.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// let document = Document::parse(r#""\xff\x00a""#).unwrap();
    /// assert_eq!(document.root().bytes().unwrap(), [0xff, 0, b'a']);
    /// ```
    pub fn bytes(&self) -> Option<Vec<u8>> {
        (self.node().kind() == NodeKind::Text).then(|| decode::string_bytes(self.text()).into_owned())
    }

    /// A character, its escape resolved.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// assert_eq!(Document::parse(r"'\u{301}'").unwrap().root().character(), Some('\u{301}'));
    /// ```
    pub fn character(&self) -> Option<char> {
        if self.node().kind() == NodeKind::Char { decode::character(self.text()) } else { None }
    }

    /// The parts of `Name(a, b)`, or of a tuple `(a, b)` if the name is empty.
    ///
    /// With no parts this is a unit variant or struct: `Name`, `Name()` or `Name {}`. Of a path in
    /// the text only the last segment counts.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// let document = Document::parse("(Tree::Leaf, Some(_))").unwrap();
    /// let [leaf, some] = document.root().tuple("").unwrap();
    /// assert!(leaf.tuple::<0>("Leaf").is_some());
    /// assert!(some.tuple::<2>("Some").is_none());
    /// assert!(some.tuple::<1>("Some").is_some());
    /// ```
    pub fn tuple<const N: usize>(&self, name: &str) -> Option<[Sketch<'d>; N]> {
        let is_wanted = match self.node().kind() {
            NodeKind::Tuple => name.is_empty(),
            NodeKind::NamedTuple => self.name() == name,
            _ => N == 0 && self.is_unit(name),
        };
        let parts = self.document.arena.parts_of(self.index);
        if !is_wanted {
            return None;
        }
        if parts.len() != N {
            return spread(self.parts());
        }
        let mut found = [*self; N];
        for (slot, index) in found.iter_mut().zip(parts) {
            slot.index = index;
        }
        Some(found)
    }

    /// The values of the fields of `Name { f: a, g: b }`, in the order in which they are asked for.
    ///
    /// `None` if a field is missing, or there is another one. If the record ends in `..`, the
    /// missing ones are holes.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// let document = Document::parse("Point { y: 2, x: 1 }").unwrap();
    /// let [x, y] = document.root().record("Point", &["x", "y"]).unwrap();
    /// assert_eq!((x.word(), y.word()), (Some("1"), Some("2")));
    /// assert!(document.root().record("Point", &["x"]).is_none());
    ///
    /// let document = Document::parse("Point { y: 2, .. }").unwrap();
    /// let [x, _] = document.root().record("Point", &["x", "y"]).unwrap();
    /// assert!(x.is_hole());
    /// ```
    pub fn record<const N: usize>(&self, name: &str, fields: &[&str; N]) -> Option<[Sketch<'d>; N]> {
        let node = self.node();
        let missing = match node.kind() {
            NodeKind::Record => None,
            NodeKind::OpenRecord => Some(node.next() - 1),
            _ => return if N == 0 { self.tuple(name) } else { None },
        };
        if self.name() != name {
            return None;
        }
        let mut values = [None; N];
        let mut parts = Items::of(*self);
        let mut turn = 0;
        while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
            let key = names::plain_name(key.text());
            // Debug prints the fields in the order of the type, so the one whose turn it is nearly
            // always fits.
            let field =
                if fields.get(turn) == Some(&key) { turn } else { fields.iter().position(|field| *field == key)? };
            if values[field].replace(value).is_some() {
                return None;
            }
            turn = field + 1;
        }
        let hole = missing.map(|index| Sketch { document: self.document, index });
        let mut found = [*self; N];
        for (slot, value) in found.iter_mut().zip(values) {
            *slot = value.or(hole)?;
        }
        Some(found)
    }

    /// The items of a list `[a, b, c]`.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// let document = Document::parse("vec![1, 2, 3]").unwrap();
    /// assert_eq!(document.root().items().unwrap().len(), 3);
    /// ```
    pub fn items(&self) -> Option<Items<'d>> {
        (self.node().kind() == NodeKind::List).then(|| Items::of(*self))
    }

    /// The items of a set `{a, b}`; none of `{}`.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// assert_eq!(Document::parse("{1, 2}").unwrap().root().set_items().unwrap().len(), 2);
    /// assert!(Document::parse("{1: 2}").unwrap().root().set_items().is_none());
    /// ```
    pub fn set_items(&self) -> Option<Items<'d>> {
        (self.node().kind() == NodeKind::Set).then(|| Items::of(*self))
    }

    /// The entries of a map `{k: v, …}`; none of `{}`.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// let document = Document::parse("{1: 'a', 2: _}").unwrap();
    /// let (key, value) = document.root().map_entries().unwrap().next().unwrap();
    /// assert_eq!((key.text(), value.text()), ("1", "'a'"));
    /// ```
    pub fn map_entries(&self) -> Option<Entries<'d>> {
        let is_map = match self.node().kind() {
            NodeKind::Map => true,
            NodeKind::Set => self.node().count() == 0,
            _ => false,
        };
        is_map.then(|| Entries::of(*self))
    }

    /// The entries of a function `{a => 1, b => 2, _ => 0}`, and what all other inputs give.
    ///
    /// An input is a whole value; only outputs have holes.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// let document = Document::parse("{3 => true, 4 => _, _ => false}").unwrap();
    /// let (entries, default) = document.root().table().unwrap();
    /// let texts: Vec<_> = entries.map(|(input, output)| (input.text(), output.text())).collect();
    /// assert_eq!(texts, [("3", "true"), ("4", "_")]);
    /// assert_eq!(default.text(), "false");
    /// ```
    pub fn table(&self) -> Option<(Entries<'d>, Sketch<'d>)> {
        if self.node().kind() != NodeKind::Table {
            return None;
        }
        let (_, default) = Entries::of(*self).last()?;
        Some((Entries::before_last(*self), default))
    }

    /// The ends of `a..b`, `a..=b`, `a..`, `..b`, `..=b` or `..`.
    ///
    /// `None` for `1..=1 (exhausted)`, which the standard library prints for a range whose
    /// iteration is over.
    ///
    /// ```
    /// # use retrospect::sketch::Document;
    /// let document = Document::parse("-1.5..").unwrap();
    /// let range = document.root().range().unwrap();
    /// assert_eq!(range.start.unwrap().parsed::<f64>(), Some(-1.5));
    /// assert!(range.end.is_none() && !range.inclusive);
    /// ```
    pub fn range(&self) -> Option<RangeParts<'d>> {
        let arena = &self.document.arena;
        let node = self.node();
        let inclusive = match node.kind() {
            NodeKind::Range => false,
            NodeKind::InclusiveRange => true,
            _ => return None,
        };
        let part = |index| Sketch { document: self.document, index };
        Some(RangeParts {
            start: node.range_start().map(|position| part(arena.unwrapped(position))),
            end: arena.range_end(self.index).map(part),
            inclusive,
        })
    }

    /// Whether the other text is the same value, or could be if the holes of this one were filled.
    ///
    /// White space, trailing commas, paths, the order of fields and the order of the items of sets
    /// and maps do not matter. A hole of the other text is matched only by a hole. Takes time in
    /// proportion to the texts, unless holes inside the items of a set or map leave open which item
    /// belongs to which: those are tried against each other.
    ///
    /// ```
    /// use retrospect::sketch::Document;
    ///
    /// let pattern = Document::parse("Point { y: _, x: 1 }").unwrap();
    /// assert!(pattern.root().matches(&Document::parse("Point { x: 1, y: 2 }").unwrap().root()));
    /// assert!(!pattern.root().matches(&Document::parse("Point { x: 3, y: 2 }").unwrap().root()));
    /// ```
    pub fn matches(&self, other: &Sketch<'_>) -> bool {
        compare::matches(*self, *other)
    }

    /// Whether this is what `{:?}` prints for the value, apart from holes. False if that is no text
    /// that can be read.
    ///
    /// ```
    /// use retrospect::sketch::Document;
    ///
    /// let sketch = Document::parse("[Some(_), None]").unwrap();
    /// assert!(sketch.root().matches_debug(&[Some(5), None]));
    /// assert!(!sketch.root().matches_debug(&[None, Some(5)]));
    /// ```
    pub fn matches_debug(&self, value: &dyn Debug) -> bool {
        self.is_hole() || printed(value).is_some_and(|printed| self.matches_printed(&printed))
    }

    /// The same for a value that is printed already.
    pub(crate) fn matches_printed(&self, printed: &str) -> bool {
        has_effort_for(EFFORT_OF_EACH + printed.len() as u32)
            && Document::parse(printed).is_ok_and(|document| self.matches(&document.root()))
    }

    /// Reads another text as this one was read: to be filled, or as it is.
    pub(crate) fn reads(&self, text: &str) -> Result<Document, SyntaxError> {
        Document::read(text, self.document.takes_rests)
    }

    /// The only part of `Name(part)` or `Name { field: part }`.
    pub(crate) fn only_part(&self) -> Option<Sketch<'d>> {
        let mut parts = self.parts();
        match (self.node().kind(), parts.next(), parts.next(), parts.next()) {
            (NodeKind::NamedTuple, Some(part), None, None) => Some(part),
            (NodeKind::Record, Some(_), Some(part), None) => Some(part),
            _ => None,
        }
    }

    /// The parts of a tuple, list or set; of a record or map, names or keys and values in turn.
    pub(crate) fn parts(&self) -> Items<'d> {
        Items::of(*self)
    }

    /// Tells this part from every other part of every document.
    pub(crate) fn place(&self) -> (u64, u32) {
        (self.document.number, self.index)
    }

    fn node(&self) -> &'d Node {
        self.document.arena.node(self.index)
    }

    /// The last segment of the name of a tuple or a record; of a word, the word.
    pub(crate) fn name(&self) -> &'d str {
        names::plain_name(self.path())
    }

    /// What stands before the bracket of a tuple or a record, or all of a word.
    fn path(&self) -> &'d str {
        let text = self.text();
        lexis::word_end(text.as_bytes(), 0).map_or(text, |end| &text[..end])
    }

    /// Whether this is `Name`, `Name()` or `Name {}`.
    fn is_unit(&self, name: &str) -> bool {
        match self.node().kind() {
            NodeKind::Word => self.text() == name || self.name() == name,
            NodeKind::NamedTuple | NodeKind::Record => self.node().count() == 0 && self.name() == name,
            _ => false,
        }
    }
}

impl Debug for Sketch<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Sketch").field(&self.text()).finish()
    }
}

/// A number that stands for the value that a text shows; see [`compare::fingerprint`].
pub(crate) fn fingerprint(text: &str) -> u64 {
    compare::fingerprint(text)
}

/// Stops a value from printing more than could be read.
/// The `Debug` text of a value, unless it is too long to be read.
pub(crate) fn printed(value: &dyn Debug) -> Option<String> {
    let mut printed = Limited(String::new());
    write!(printed, "{value:?}").is_ok().then_some(printed.0)
}

struct Limited(String);

impl Write for Limited {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        if self.0.len() + piece.len() > reader::LONGEST_TEXT {
            return Err(fmt::Error);
        }
        self.0.push_str(piece);
        Ok(())
    }
}
