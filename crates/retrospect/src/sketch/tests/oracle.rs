//! Matching, held against the plainest way to do it: recursion, and every order of the items of a
//! set.

use super::super::arena::NodeKind;
use super::super::{Sketch, SketchKind};
use super::invariants::{Random, printed};
use super::{ends_of, fields_of, parts_of, read};

#[test]
fn matching_agrees_with_trying_every_order() {
    let mut random = Random(4);
    let mut n_matches = 0;
    for _ in 0..20_000 {
        let subject = any_text(&mut random, 3);
        let pattern = if random.below(3) == 0 { any_text(&mut random, 3) } else { vary(&subject, &mut random) };
        let pattern = printed(read(&pattern).root(), &mut random);
        let (pattern_read, subject_read) = (read(&pattern), read(&subject));
        let expected = matches_slowly(pattern_read.root(), subject_read.root());
        let found = pattern_read.root().matches(&subject_read.root());
        assert_eq!(found, expected, "{pattern} against {subject}");
        n_matches += usize::from(expected);
    }
    assert!((4_000..16_000).contains(&n_matches), "{n_matches} of 20000 match: one answer is hardly tested");
}

fn matches_slowly(pattern: Sketch<'_>, subject: Sketch<'_>) -> bool {
    if pattern.is_hole() {
        return true;
    }
    let (wanted, found) = (parts_of(pattern), parts_of(subject));
    let all_match = |wanted: &[Sketch<'_>], found: &[Sketch<'_>]| {
        wanted.len() == found.len() && wanted.iter().zip(found).all(|(wanted, found)| matches_slowly(*wanted, *found))
    };
    match (pattern.kind(), subject.kind()) {
        (SketchKind::Word(wanted), SketchKind::Word(found)) => wanted == found,
        (SketchKind::Unit, SketchKind::Unit) => true,
        (SketchKind::Tuple { name, .. }, SketchKind::Tuple { name: found_name, .. }) => {
            name == found_name && all_match(&wanted, &found)
        }
        (SketchKind::List { .. }, SketchKind::List { .. }) => all_match(&wanted, &found),
        (SketchKind::Range, SketchKind::Range) => {
            let has_ends = |sketch| ends_of(sketch).map(|end| end.is_some());
            let kind = |sketch: Sketch<'_>| sketch.node().kind() == NodeKind::Range;
            kind(pattern) == kind(subject) && has_ends(pattern) == has_ends(subject) && all_match(&wanted, &found)
        }
        (SketchKind::Record { open, .. }, SketchKind::Record { .. }) => {
            let found = fields_of(subject);
            let wanted = fields_of(pattern);
            (open || wanted.len() == found.len())
                && wanted.iter().all(|(name, value)| {
                    found.iter().any(|(found_name, found)| found_name == name && matches_slowly(*value, *found))
                })
        }
        (SketchKind::Set { .. }, SketchKind::Set { .. }) => in_some_order(&wanted, &mut found.clone(), 1),
        (SketchKind::Map { .. }, SketchKind::Map { .. }) => in_some_order(&wanted, &mut found.clone(), 2),
        (SketchKind::Table { .. }, SketchKind::Table { .. }) => match (wanted.split_last(), found.split_last()) {
            (Some((wanted_default, wanted)), Some((found_default, found))) => {
                matches_slowly(*wanted_default, *found_default) && in_some_order(wanted, &mut found.to_vec(), 2)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether the found elements, each of one or two parts, can be put in an order in which they match
/// the wanted ones.
fn in_some_order(wanted: &[Sketch<'_>], found: &mut Vec<Sketch<'_>>, size: usize) -> bool {
    if wanted.is_empty() || found.is_empty() {
        return wanted.is_empty() && found.is_empty();
    }
    (0..found.len()).step_by(size).any(|at| {
        let taken: Vec<_> = found.drain(at..at + size).collect();
        let fits = taken.iter().zip(wanted).all(|(found, wanted)| matches_slowly(*wanted, *found))
            && in_some_order(&wanted[size..], found, size);
        found.splice(at..at, taken);
        fits
    })
}

/// A small text over few words, so that two of them often match.
fn any_text(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return random.pick(&["a", "a", "b", "_"]).to_owned();
    }
    let mut parts =
        |most: usize| -> Vec<String> { (0..random.below(most + 1)).map(|_| any_text(random, depth - 1)).collect() };
    let (few, many) = (parts(2), parts(4));
    let pairs = |parts: &[String]| parts.chunks_exact(2).map(|pair| pair.join(": ")).collect::<Vec<_>>().join(", ");
    let names = ["x", "y", "z", "w"];
    let fields: Vec<_> = many.iter().zip(names).map(|(value, name)| format!("{name}: {value}")).collect();
    let default = few.first().map_or("a", String::as_str);
    let is_whole = |pair: &&[String]| !pair[0].contains('_');
    let table: String =
        many.chunks_exact(2).filter(is_whole).map(|pair| format!("{} => {}, ", pair[0], pair[1])).collect();
    match random.below(11) {
        0 => format!("N({})", if few.is_empty() { "a".to_owned() } else { few.join(", ") }),
        1 => format!("[{}]", few.join(", ")),
        2 | 3 => format!("{{{}}}", many.join(", ")),
        4 | 5 => format!("{{{}}}", pairs(&many)),
        6 if fields.is_empty() => "R { .. }".to_owned(),
        6 => format!("R {{ {}{} }}", fields.join(", "), random.pick(&["", ", .."])),
        7 => format!(
            "{}{}",
            few.first().map_or(String::new(), |start| format!("({start})")),
            random.pick(&["..", "..(a)"])
        ),
        8 | 9 => format!("{{{table}_ => {default}}}"),
        _ => any_text(random, depth - 1),
    }
}

/// The text with some of its parts replaced by holes or by others.
fn vary(text: &str, random: &mut Random) -> String {
    let mut varied = text.to_owned();
    for _ in 0..random.below(4) {
        let document = read(&varied);
        let mut part = document.root();
        while let parts = parts_of(part)
            && !parts.is_empty()
            && random.below(5) > 0
        {
            part = random.pick(&parts);
        }
        let by = if random.below(3) > 0 { "_".to_owned() } else { any_text(random, 1) };
        // In brackets, in case it stands beside the dots of a range.
        let before = varied.clone();
        varied.replace_range(part.span(), &format!("({by})"));
        // The input of a function has no holes.
        if super::Document::parse(&varied).is_err() {
            varied = before;
        }
    }
    varied
}
