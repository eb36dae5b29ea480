mod errors;
mod found;
mod fuzz;
mod invariants;
mod limits;
mod oracle;

use super::{Document, Items, Sketch, SketchKind};

/// The parts of a sketch that a user can get at: parts and items, keys and values, the ends of a
/// range.
fn parts_of(sketch: Sketch<'_>) -> Vec<Sketch<'_>> {
    let [start, end] = ends_of(sketch);
    let fields = fields_of(sketch).into_iter().map(|(_, value)| value);
    let is_tuple = matches!(sketch.kind(), SketchKind::Tuple { .. });
    let tuple_parts = is_tuple.then(|| Items::of(sketch));
    let items = tuple_parts.into_iter().chain(sketch.items()).chain(sketch.set_items()).flatten();
    let entries = sketch.map_entries().into_iter().flatten().flat_map(|(key, value)| [key, value]);
    let table = sketch.table().into_iter().flat_map(|(entries, default)| {
        entries.flat_map(|(input, output)| [input, output]).chain([default]).collect::<Vec<_>>()
    });
    start.into_iter().chain(end).chain(fields).chain(items).chain(entries).chain(table).collect()
}

/// The fields of a record in the order of the text, each with its name.
fn fields_of(sketch: Sketch<'_>) -> Vec<(&str, Sketch<'_>)> {
    let SketchKind::Record { .. } = sketch.kind() else { return Vec::new() };
    let mut parts = Items::of(sketch);
    let mut fields = Vec::new();
    while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
        fields.push((key.text(), value));
    }
    fields
}

/// The ends of a range, even of one whose iteration is over.
fn ends_of(sketch: Sketch<'_>) -> [Option<Sketch<'_>>; 2] {
    let arena = &sketch.document.arena;
    if !sketch.node().is_range() {
        return [None, None];
    }
    let start = sketch.node().range_start().map(|position| arena.unwrapped(position));
    [start, arena.range_end(sketch.index)].map(|end| end.map(|index| Sketch { document: sketch.document, index }))
}

#[track_caller]
fn read(text: &str) -> Document {
    Document::parse(text).unwrap_or_else(|error| panic!("{text}\ndoes not read: {error}"))
}
