//! What changed between two values, in a few words: `xs[2..11] dropped`, `xs[0]: 8812 → 1001`.
//!
//! Both texts are read as sketches and walked side by side. What cannot be read is shown as it is,
//! shortened.

use crate::sketch::{Document, Items, Sketch, SketchKind};

/// The changes from one case to the next, in at most so many characters.
pub(crate) fn between(before: &[(String, String)], after: &[(String, String)], width: usize) -> String {
    let mut changes = Vec::new();
    let mut gone: Vec<&str> = Vec::new();
    for (name, old) in before {
        match after.iter().find(|(other, _)| other == name) {
            Some((_, new)) => of_value(name, old, new, &mut changes),
            None => gone.push(name),
        }
    }
    if !gone.is_empty() {
        changes.push(format!("{} dropped", gone.join(", ")));
    }
    for (name, new) in after {
        if before.iter().all(|(other, _)| other != name) {
            changes.push(format!("{name} = {}", shortened(new, LONGEST_SIDE)));
        }
    }
    joined(changes, width)
}

/// Leaves out the middle of what is longer than so many characters.
pub(crate) fn shortened(text: &str, longest: usize) -> String {
    let text = text.replace('\n', " ");
    let length = text.chars().count();
    if length <= longest {
        return text;
    }
    let kept = longest.saturating_sub(1);
    let start: String = text.chars().take(kept - kept / 2).collect();
    let end: String = text.chars().skip(length - kept / 2).collect();
    format!("{start}…{end}")
}

/// A value on one side of an arrow is not longer.
const LONGEST_SIDE: usize = 24;
/// The way to a part is not longer.
const LONGEST_PATH: usize = 40;
/// No more changes of one value are told apart.
const MOST_CHANGES: usize = 8;
/// Deeper parts are shown rather than walked into.
const DEEPEST: usize = 200;

fn joined(changes: Vec<String>, width: usize) -> String {
    if changes.is_empty() {
        return "the same values, made more simply".to_owned();
    }
    let count = changes.len();
    let mut out = String::new();
    for (at, change) in changes.into_iter().enumerate() {
        let more = format!(", and {} more", count - at);
        let is_last = at + 1 == count;
        let room = width.saturating_sub(if is_last { 0 } else { more.chars().count() });
        if at == 0 {
            out = shortened(&change, room);
        } else if out.chars().count() + 2 + change.chars().count() > room {
            return out + &more;
        } else {
            out = format!("{out}, {change}");
        }
    }
    out
}

fn of_value(name: &str, old: &str, new: &str, changes: &mut Vec<String>) {
    if old == new {
        return;
    }
    let (Ok(old_document), Ok(new_document)) = (Document::parse(old), Document::parse(new)) else {
        return changes.push(replaced(name, old, new));
    };
    let (old, new) = (old_document.root(), new_document.root());
    // A map or a set may only be printed in another order.
    if old.matches(&new) {
        return;
    }
    let first = changes.len();
    // The pairs that are still to be compared, the next one last.
    let mut pairs = vec![Pair { path: name.to_owned(), depth: 0, old, new }];
    while let Some(pair) = pairs.pop() {
        if changes.len() - first == MOST_CHANGES {
            // So many places at once: a new value rather than a changed one.
            changes.truncate(first);
            return changes.push(replaced(name, old.text(), new.text()));
        }
        if !same(pair.old, pair.new) {
            pair.compare(changes, &mut pairs);
        }
    }
    if changes.len() == first {
        changes.push(replaced(name, old.text(), new.text()));
    }
}

struct Pair<'o, 'n> {
    /// From the argument's name to this part.
    path: String,
    depth: usize,
    old: Sketch<'o>,
    new: Sketch<'n>,
}

impl<'o, 'n> Pair<'o, 'n> {
    /// Says what changed here, or hands on the parts to compare.
    fn compare(&self, changes: &mut Vec<String>, pairs: &mut Vec<Pair<'o, 'n>>) {
        let Pair { path, depth, old, new } = self;
        let mut inside = Vec::new();
        let mut descend = |path: String, old: Sketch<'o>, new: Sketch<'n>| {
            if !same(old, new) {
                inside.push(Pair { path: shortened(&path, LONGEST_PATH), depth: depth + 1, old, new });
            }
        };
        let is_walked = *depth < DEEPEST
            && match (old.kind(), new.kind()) {
                (SketchKind::Tuple { name: one, parts }, SketchKind::Tuple { name: other, parts: others }) => {
                    if one == other && parts == others {
                        for (at, (old, new)) in old.parts().zip(new.parts()).enumerate() {
                            descend(format!("{path}.{at}"), old, new);
                        }
                    }
                    one == other && parts == others
                }
                (
                    SketchKind::Record { name: one, fields, .. },
                    SketchKind::Record { name: other, fields: others, .. },
                ) => {
                    if one == other && fields == others {
                        for (field, new) in named(new.parts()) {
                            let old = named(old.parts()).into_iter().find(|(other, _)| *other == field);
                            if let Some((_, old)) = old {
                                descend(format!("{path}.{field}"), old, new);
                            }
                        }
                    }
                    one == other && fields == others
                }
                (SketchKind::List { .. }, SketchKind::List { .. }) => {
                    lists(path, old.parts().collect(), new.parts().collect(), changes, &mut descend)
                }
                (SketchKind::Map { .. }, SketchKind::Map { .. } | SketchKind::Set { items: 0 }) => {
                    let new = named(new.parts());
                    let mut gone = Vec::new();
                    let mut known = 0;
                    for (key, old) in named(old.parts()) {
                        match new.iter().find(|(other, _)| *other == key) {
                            Some((_, new)) => {
                                known += 1;
                                descend(format!("{path}[{}]", shortened(key, LONGEST_SIDE)), old, *new);
                            }
                            None => gone.push(key),
                        }
                    }
                    known == new.len() && dropped(path, &gone, changes)
                }
                (SketchKind::Set { .. }, SketchKind::Set { .. }) => {
                    let (old, new): (Vec<_>, Vec<_>) = (texts(old.parts()), texts(new.parts()));
                    let gone: Vec<&str> = old.iter().copied().filter(|item| !new.contains(item)).collect();
                    new.iter().all(|item| old.contains(item)) && dropped(path, &gone, changes)
                }
                _ => false,
            };
        if is_walked {
            inside.reverse();
            pairs.extend(inside);
        } else {
            changes.push(replaced(path, old.text(), new.text()));
        }
    }
}

/// Whether both are the same text. It is enough to compare the lengths of most that are not.
fn same(one: Sketch<'_>, other: Sketch<'_>) -> bool {
    one.text() == other.text()
}

fn replaced(path: &str, old: &str, new: &str) -> String {
    format!("{path}: {} → {}", shortened(old, LONGEST_SIDE), shortened(new, LONGEST_SIDE))
}

/// Names or keys with their values.
fn named<'d>(mut parts: Items<'d>) -> Vec<(&'d str, Sketch<'d>)> {
    let mut named = Vec::new();
    while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
        named.push((name.text(), value));
    }
    named
}

fn texts<'d>(parts: Items<'d>) -> Vec<&'d str> {
    parts.map(|part| part.text()).collect()
}

/// Says which are gone, if any. Always true: then the change is said.
fn dropped(path: &str, gone: &[&str], changes: &mut Vec<String>) -> bool {
    if !gone.is_empty() {
        changes.push(format!("{} dropped from {path}", shortened(&gone.join(", "), LONGEST_SIDE)));
    }
    true
}

/// Whether the change is said, or handed on.
fn lists<'o, 'n>(
    path: &str,
    old: Vec<Sketch<'o>>,
    new: Vec<Sketch<'n>>,
    changes: &mut Vec<String>,
    descend: &mut dyn FnMut(String, Sketch<'o>, Sketch<'n>),
) -> bool {
    if new.len() < old.len() {
        let Some(gone) = ranges_left_out(&old, &new) else { return false };
        let places: Vec<String> = gone
            .iter()
            .map(|(start, end)| match (end - start, *end == old.len()) {
                (1, _) => format!("{path}[{start}]"),
                (_, true) if *start > 0 => format!("{path}[{start}..]"),
                _ => format!("{path}[{start}..{end}]"),
            })
            .collect();
        // Many places are no help.
        match (new.is_empty(), places.len()) {
            (true, _) => changes.push(format!("{path}: all {} items dropped", old.len())),
            (_, 1..=3) => changes.push(format!("{} dropped", places.join(", "))),
            _ => changes.push(format!("{path}: {} of {} items dropped", old.len() - new.len(), old.len())),
        }
        return true;
    }
    if new.len() > old.len() {
        return false;
    }
    if is_reordered(&old, &new) {
        changes.push(format!("{path} reordered"));
        return true;
    }
    for (at, (old, new)) in old.into_iter().zip(new).enumerate() {
        descend(format!("{path}[{at}]"), old, new);
    }
    true
}

/// Where items are missing, if nothing else has changed.
fn ranges_left_out(old: &[Sketch<'_>], new: &[Sketch<'_>]) -> Option<Vec<(usize, usize)>> {
    let start = old.iter().zip(new).take_while(|(old, new)| same(**old, **new)).count();
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| same(**old, **new)).count();
    if start + end >= new.len() {
        return Some(vec![(start, start + old.len() - new.len())]);
    }
    let mut gone: Vec<(usize, usize)> = Vec::new();
    let mut next = 0;
    for (at, item) in old.iter().enumerate() {
        if next < new.len() && same(*item, new[next]) {
            next += 1;
            continue;
        }
        match gone.last_mut() {
            Some((_, end)) if *end == at => *end = at + 1,
            _ => gone.push((at, at + 1)),
        }
    }
    (next == new.len()).then_some(gone)
}

/// Lists longer than this are not compared item by item with each other.
const LONGEST_REORDERED: usize = 1_000;

fn is_reordered(old: &[Sketch<'_>], new: &[Sketch<'_>]) -> bool {
    if old.len() > LONGEST_REORDERED {
        return false;
    }
    let mut left: Vec<&str> = old.iter().map(Sketch::text).collect();
    for item in new {
        match left.iter().position(|text| *text == item.text()) {
            Some(at) => left.swap_remove(at),
            None => return false,
        };
    }
    true
}

#[cfg(test)]
mod tests {
    use super::between;

    #[track_caller]
    fn check(old: &str, new: &str, told: &str) {
        let value = |text: &str| vec![("xs".to_owned(), text.to_owned())];
        assert_eq!(between(&value(old), &value(new), 60), told, "{old} → {new}");
    }

    #[test]
    fn what_is_missing_from_a_list_is_named_by_its_place() {
        check("[1, 2, 3, 4, 5]", "[1, 2]", "xs[2..] dropped");
        check("[1, 2, 3, 4, 5]", "[1, 4, 5]", "xs[1..3] dropped");
        check("[1, 2, 3]", "[1, 3]", "xs[1] dropped");
        check("[1, 2, 3, 4, 5, 6]", "[2, 3, 6]", "xs[0], xs[3..5] dropped");
        check("[0, 0, 0, 1]", "[0, 1]", "xs[1..3] dropped");
        check("[0, 1, 0, 0, 2]", "[0, 0, 2]", "xs[1..3] dropped");
        check("[1, 2, 3, 4, 5, 6, 7, 8]", "[2, 4, 6, 8]", "xs: 4 of 8 items dropped");
        check("[1, 2]", "[]", "xs: all 2 items dropped");
        check("[1, 2, 3]", "[6]", "xs: [1, 2, 3] → [6]");
        check("[1]", "[0, 0]", "xs: [1] → [0, 0]");
        check("[3, 1, 2]", "[1, 2, 3]", "xs reordered");
    }

    #[test]
    fn what_is_changed_inside_is_named_by_the_way_there() {
        check("[8812, 1]", "[1001, 1]", "xs[0]: 8812 → 1001");
        check("[9, 9]", "[0, 1]", "xs[0]: 9 → 0, xs[1]: 9 → 1");
        check("Node(Leaf, 5, Node(Leaf, 8, Leaf))", "Node(Leaf, 5, Leaf)", "xs.2: Node(Leaf, 8, Leaf) → Leaf");
        check("Some([(1, \"a\")])", "Some([(1, \"\")])", "xs.0[0].1: \"a\" → \"\"");
        check("P { x: 1, y: [2, 3] }", "P { x: 0, y: [3] }", "xs.x: 1 → 0, xs.y[0] dropped");
        check("Ok(1)", "Err(1)", "xs: Ok(1) → Err(1)");
        check("{1: 2, 3: 4}", "{3: 0}", "1 dropped from xs, xs[3]: 4 → 0");
        check("{1, 2, 3}", "{3}", "1, 2 dropped from xs");
        check("{1: 2}", "{}", "1 dropped from xs");
        check("{1, 2}", "{2, 1}", "the same values, made more simply");
        check("7", "7", "the same values, made more simply");
    }

    #[test]
    fn what_cannot_be_read_or_is_long_is_shortened_in_the_middle() {
        check("no debug text)", "still (none", "xs: no debug text) → still (none");
        let long = format!("\"{}\"", "ab".repeat(500));
        check(&long, "\"\"", "xs: \"abababababa…ababababab\" → \"\"");
        let many = format!("[{}]", ["9"; 20].join(", "));
        let zeros = format!("[{}]", ["0"; 20].join(", "));
        check(&many, &zeros, "xs: [9, 9, 9, 9,…9, 9, 9, 9] → [0, 0, 0, 0,…0, 0, 0, 0]");
        let (old, new) = ("[1111111, 2222222, 3333333, 4444444, 5555555]", "[0, 0, 0, 0, 0]");
        check(old, new, "xs[0]: 1111111 → 0, xs[1]: 2222222 → 0, and 3 more");
    }

    #[test]
    fn a_value_nested_deep_is_not_walked_to_its_end() {
        let nested = |inside: &str| format!("{}{inside}{}", "S(".repeat(50_000), ")".repeat(50_000));
        let value = |text: String| vec![("deep".to_owned(), text)];
        let told = between(&value(nested("1")), &value(nested("0")), 200);
        assert_eq!(
            told,
            "deep.0.0.0.0.0.0.0.0…0.0.0.0.0.0.0.0.0.0: S(S(S(S(S(S(…))))))))))) → S(S(S(S(S(S(…)))))))))))"
        );
    }

    #[test]
    fn values_that_come_and_go_are_named() {
        let values = |names: &[&str]| names.iter().map(|name| (name.to_string(), "1".to_owned())).collect::<Vec<_>>();
        assert_eq!(between(&values(&["a", "b", "c"]), &values(&["a"]), 60), "b, c dropped");
        assert_eq!(between(&values(&["a"]), &values(&["a", "b"]), 60), "b = 1");
    }
}
