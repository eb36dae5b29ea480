//! A sketch laid over a value that looks like it.

use super::{Sketch, SketchKind};
use std::ops::Range;

/// The text of `sketch` with the parts of `model` in its holes: what stands in the same place
/// there. A list of another length lends items from all over it, in their order. Holes for which
/// there is nothing stay.
///
/// `Node(_, 5, [_, 7])` over `Node(Leaf, 1, [2, 3, 4])` is `Node(Leaf, 5, [2, 7])`.
pub(crate) fn overlaid(sketch: &Sketch<'_>, model: &Sketch<'_>) -> String {
    let mut holes: Vec<(Range<usize>, &str)> = Vec::new();
    let mut pairs = vec![(*sketch, *model)];
    while let Some((part, model)) = pairs.pop() {
        if part.is_hole() {
            holes.push((part.span(), model.text()));
        } else if part.has_holes() && looks_alike(part.kind(), model.kind()) {
            let models: Vec<Sketch<'_>> = model.parts().collect();
            let count = part.parts().len();
            let lent = |place: usize| match count {
                1 => models.get(models.len() / 2),
                _ => models.get(place * models.len().saturating_sub(1) / (count - 1)),
            };
            pairs.extend(part.parts().enumerate().filter_map(|(place, part)| Some((part, *lent(place)?))));
        }
    }
    holes.sort_by_key(|(place, _)| place.start);
    let (text, first) = (sketch.text(), sketch.span().start);
    let (mut overlaid, mut done) = (String::with_capacity(text.len()), 0);
    for (place, by) in holes {
        // What `..` leaves out has no name that could be written there.
        if &text[place.start - first..place.end - first] == "_" {
            overlaid.push_str(&text[done..place.start - first]);
            overlaid.push_str(by);
            done = place.end - first;
        }
    }
    overlaid + &text[done..]
}

/// Whether parts of one may stand in the other.
fn looks_alike(one: SketchKind<'_>, other: SketchKind<'_>) -> bool {
    match (one, other) {
        (SketchKind::List { .. }, SketchKind::List { .. }) => true,
        (SketchKind::Record { name, fields, .. }, SketchKind::Record { name: other, fields: others, .. }) => {
            name == other && fields == others
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use crate::sketch::Document;

    #[test]
    fn holes_become_what_stands_in_their_place() {
        let overlaid = |sketch: &str, model: &str| {
            let (sketch, model) = (Document::parse(sketch).unwrap(), Document::parse(model).unwrap());
            super::overlaid(&sketch.root(), &model.root())
        };
        assert_eq!(overlaid("_", "[1]"), "[1]");
        assert_eq!(overlaid("(5, _)", "(1, Some(2))"), "(5, Some(2))");
        assert_eq!(overlaid("Node(_, 5, [_, 7])", "Node(Leaf, 1, [2, 3, 4])"), "Node(Leaf, 5, [2, 7])");
        assert_eq!(overlaid("[_, 50, _]", "[1, 2, 3, 4, 5]"), "[1, 50, 5]");
        assert_eq!(overlaid("[_]", "[1, 2, 3]"), "[2]");
        assert_eq!(overlaid("[_, 1, _, _]", "[7]"), "[7, 1, 7, 7]");
        assert_eq!(overlaid("P { x: _, y: Q { z: _ } }", "P { x: 1, y: Q { z: 2 } }"), "P { x: 1, y: Q { z: 2 } }");
        assert_eq!(overlaid("{1: _, _: 4}", "{2: 3, 5: 6}"), "{1: 3, 5: 4}");
        // Another shape has nothing to lend.
        assert_eq!(overlaid("Some([_, 1])", "None"), "Some([_, 1])");
        assert_eq!(overlaid("[_, 1]", "[]"), "[_, 1]");
        assert_eq!(overlaid("P { x: _, .. }", "P { x: 1, y: 2 }"), "P { x: _, .. }");
    }
}
