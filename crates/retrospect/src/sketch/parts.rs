//! Walking over the parts of lists, sets, maps and ranges.

use std::iter::FusedIterator;

use super::arena::Parts;
use super::{Document, Sketch};

/// The items of a list or a set, in the order of the text.
///
/// ```
/// let document = retrospect::sketch::Document::parse("[1, _, 3]").unwrap();
/// let items = document.root().items().unwrap();
/// assert_eq!(items.len(), 3);
/// assert_eq!(items.map(|item| item.text()).collect::<Vec<_>>(), ["1", "_", "3"]);
/// ```
#[derive(Clone, Debug)]
pub struct Items<'d> {
    document: &'d Document,
    parts: Parts<'d>,
}

impl<'d> Items<'d> {
    pub(super) fn of(sketch: Sketch<'d>) -> Items<'d> {
        Items { document: sketch.document, parts: sketch.document.arena.parts_of(sketch.index) }
    }
}

impl<'d> Iterator for Items<'d> {
    type Item = Sketch<'d>;

    fn next(&mut self) -> Option<Sketch<'d>> {
        let index = self.parts.next()?;
        Some(Sketch { document: self.document, index })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.parts.size_hint()
    }
}

impl ExactSizeIterator for Items<'_> {}
impl FusedIterator for Items<'_> {}

/// The entries of a map or a function, in the order of the text: keys with their values.
///
/// ```
/// let document = retrospect::sketch::Document::parse(r#"{"a": 1, "b": _}"#).unwrap();
/// let entries = document.root().map_entries().unwrap();
/// assert_eq!(entries.len(), 2);
/// let texts: Vec<_> = entries.map(|(key, value)| (key.text(), value.text())).collect();
/// assert_eq!(texts, [(r#""a""#, "1"), (r#""b""#, "_")]);
/// ```
#[derive(Clone, Debug)]
pub struct Entries<'d> {
    /// Keys and values in turn.
    items: Items<'d>,
}

impl<'d> Entries<'d> {
    pub(super) fn of(sketch: Sketch<'d>) -> Entries<'d> {
        Entries { items: Items::of(sketch) }
    }

    /// All but the last entry, which is the default of a table.
    pub(super) fn before_last(sketch: Sketch<'d>) -> Entries<'d> {
        let arena = &sketch.document.arena;
        let entries = arena.node(sketch.index).count().saturating_sub(1);
        Entries { items: Items { document: sketch.document, parts: arena.parts_from(sketch.index + 1, 2 * entries) } }
    }
}

impl<'d> Iterator for Entries<'d> {
    type Item = (Sketch<'d>, Sketch<'d>);

    fn next(&mut self) -> Option<(Sketch<'d>, Sketch<'d>)> {
        Some((self.items.next()?, self.items.next()?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.items.len() / 2, Some(self.items.len() / 2))
    }
}

impl ExactSizeIterator for Entries<'_> {}
impl FusedIterator for Entries<'_> {}

/// The two ends of a range.
///
/// ```
/// use retrospect::sketch::Document;
///
/// let document = Document::parse("'a'..=_").unwrap();
/// let range = document.root().range().unwrap();
/// assert_eq!(range.start.unwrap().character(), Some('a'));
/// assert!(range.end.unwrap().is_hole());
/// assert!(range.inclusive);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RangeParts<'d> {
    /// What comes before the dots.
    pub start: Option<Sketch<'d>>,
    /// What comes after them.
    pub end: Option<Sketch<'d>>,
    /// Whether the dots are `..=`.
    pub inclusive: bool,
}
