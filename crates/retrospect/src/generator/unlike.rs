//! What is said where a text shows none of the structs and variants that are read there.

use crate::mismatch::{Segment, Unlike};
use crate::sketch::{Sketch, SketchKind};
use crate::source::{Source, Stop};

/// The name of a struct or variant, those of its fields if they have any, and their number.
pub type Parts<'p> = (&'p str, &'p [&'p str], usize);

/// Says that a sketch is not this struct or variant, and which of its parts are wrong if it has the
/// name.
pub fn not_this(source: &mut Source<'_>, path: &[Segment], sketch: &Sketch<'_>, expected: Parts<'_>) -> Stop {
    source.at_path(path, |source| match sketch.wrong_parts(expected.0, expected.1, expected.2) {
        // This says more than that it is none of the others: the deepest reason is reported.
        Some(reason) => source.at_path(&[Segment::Whole], |source| source.not_made(sketch.text(), || reason)),
        None => source.not_like(sketch.text(), || unlike(sketch, &[expected])),
    })
}

/// Says that a sketch shows nothing like the type that is read.
#[cold]
pub fn looks_otherwise(sketch: &Sketch<'_>, variants: &[Parts<'_>], source: &mut Source<'_>) -> Stop {
    let mut reasons = variants.iter().filter_map(|(name, fields, n_parts)| sketch.wrong_parts(name, fields, *n_parts));
    match reasons.next() {
        Some(reason) => source.not_made(sketch.text(), || reason),
        None => source.not_like(sketch.text(), || unlike(sketch, variants)),
    }
}

fn unlike(sketch: &Sketch<'_>, expected: &[Parts<'_>]) -> Unlike {
    let name = match sketch.kind() {
        SketchKind::Word(name) | SketchKind::Tuple { name, .. } | SketchKind::Record { name, .. } => name,
        _ => "",
    };
    Unlike {
        name: name.to_owned(),
        shown: sketch.kind().describe().to_string(),
        expected: expected.iter().map(|parts| (parts.0.to_owned(), look(*parts))).collect(),
    }
}

/// How a struct or variant is written.
fn look((name, fields, n_parts): Parts<'_>) -> String {
    const MAX_FIELDS: usize = 6;
    match (fields.len(), n_parts) {
        (0, 0) => format!("`{name}`"),
        (0, _) => format!("`{name}(..)`"),
        (..=MAX_FIELDS, _) => format!("`{name} {{ {} }}`", fields.join(", ")),
        _ => format!("`{name} {{ {}, .. }}`", fields[..MAX_FIELDS].join(", ")),
    }
}
