//! What holds for every text, whoever wrote it.

use std::collections::HashSet;

use super::super::arena::NodeKind;
use super::super::names::plain_name;
use super::super::{Document, Sketch, SketchKind, SyntaxError};
use super::{ends_of, fields_of, parts_of, read};

/// A small source of random numbers: the library's own would make these tests depend on what they
/// are below.
pub(super) struct Random(pub(super) u64);

impl Random {
    /// A number below `bound`; 0 if the bound is 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % bound.max(1) as u64) as usize
    }

    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// Checks a text, whether it can be read or not. Gives the document if it can.
pub(super) fn check(text: &str, random: &mut Random) -> Option<Document> {
    match Document::parse(text) {
        Ok(document) => {
            check_document(text, &document, random);
            Some(document)
        }
        Err(error) => {
            check_error(text, &error);
            None
        }
    }
}

fn check_error(text: &str, error: &SyntaxError) {
    assert!(text.is_char_boundary(error.offset()));
    let before = &text[..error.offset()];
    assert_eq!(error.line(), 1 + before.matches('\n').count());
    assert_eq!(error.column(), 1 + before.chars().rev().take_while(|&character| character != '\n').count());
    let shown = error.to_string();
    let lines: Vec<_> = shown.lines().collect();
    assert!(lines.len() == 2 || lines.len() == 4, "{shown}");
    if let [_, line, caret, _] = lines[..] {
        assert!(caret.trim_start() == "^" && caret.len() <= 4 + 1 + 72 + 1, "{shown}");
        assert!(line.starts_with("    ") && !line.contains(|character: char| character.is_control()), "{shown}");
    }
}

fn check_document(text: &str, document: &Document, random: &mut Random) {
    let root = document.root();
    assert!(root.matches(&root), "does not match itself");
    let mut open = vec![root];
    while let Some(sketch) = open.pop() {
        assert_eq!(&text[sketch.span()], sketch.text());
        check_readers(sketch);
        check_parts(sketch);
        check_text_of_part(sketch);
        open.extend(parts_of(sketch));
    }
    check_change_of_a_part(text, document, random);
    check_brackets_around(text, root);
    check_printed_differently(root, random);
}

/// A part can be read in one way only, and its iterators are exact.
fn check_readers(sketch: Sketch<'_>) {
    let kind = sketch.kind();
    assert!(!kind.describe().is_empty());
    assert_eq!(sketch.is_hole(), kind == SketchKind::Hole);
    assert_eq!(sketch.word().is_some(), matches!(kind, SketchKind::Word(_)));
    assert_eq!(sketch.bytes().is_some(), kind == SketchKind::Text);
    assert_eq!(sketch.character().is_some(), kind == SketchKind::Char);
    let n_items = match kind {
        SketchKind::List { items } => Some(items),
        _ => None,
    };
    let n_set_items = match kind {
        SketchKind::Set { items } => Some(items),
        _ => None,
    };
    let n_entries = match kind {
        SketchKind::Map { entries } => Some(entries),
        SketchKind::Set { items: 0 } => Some(0),
        _ => None,
    };
    check_exact(sketch.items(), n_items);
    check_exact(sketch.set_items(), n_set_items);
    check_exact(sketch.map_entries(), n_entries);
    let n_table_entries = match kind {
        SketchKind::Table { entries } => Some(entries),
        _ => None,
    };
    check_exact(sketch.table().map(|(entries, _)| entries), n_table_entries);
}

fn check_exact<I: ExactSizeIterator>(iterator: Option<I>, expected: Option<usize>) {
    assert_eq!(iterator.as_ref().map(|items| items.len()), expected);
    let Some(mut items) = iterator else { return };
    for left in (0..items.len()).rev() {
        assert!(items.next().is_some());
        assert_eq!(items.len(), left);
    }
    assert!(items.next().is_none() && items.next().is_none());
}

/// Parts stand inside, one after the other, and a hole in one of them is a hole inside.
fn check_parts(sketch: Sketch<'_>) {
    let parts = parts_of(sketch);
    let mut at = sketch.span().start;
    for part in &parts {
        assert!(at <= part.span().start && !part.span().is_empty(), "{part:?} overlaps");
        at = part.span().end;
    }
    assert!(at <= sketch.span().end);
    let has_holes = sketch.is_hole() || open_parts_of(sketch).iter().any(|part| part.has_holes());
    let mut names: Vec<_> = fields_of(sketch).into_iter().map(|(name, _)| name).collect();
    names.sort();
    let is_lock = ["Mutex", "RwLock"].contains(&sketch.name()) && names == ["data", "poisoned"];
    let hides_something = sketch.node().kind() == NodeKind::OpenRecord && !is_lock;
    assert_eq!(sketch.has_holes(), has_holes || hides_something);
}

/// The parts that may be holes: all but the inputs of a function.
fn open_parts_of(sketch: Sketch<'_>) -> Vec<Sketch<'_>> {
    match sketch.table() {
        Some((entries, default)) => entries.map(|(_, output)| output).chain([default]).collect(),
        None => parts_of(sketch),
    }
}

/// The text of a part, read alone, is that part.
fn check_text_of_part(sketch: Sketch<'_>) {
    let alone = read(sketch.text());
    assert_eq!(alone.root().text(), sketch.text());
    assert_eq!(alone.root().kind(), sketch.kind());
    assert_eq!(alone.root().has_holes(), sketch.has_holes());
    assert!(alone.root().matches(&sketch) && sketch.matches(&alone.root()), "{sketch:?} does not match its own text");
}

/// With a hole in place of one of its parts a text matches the whole; with something else there, it
/// does not.
fn check_change_of_a_part(text: &str, document: &Document, random: &mut Random) {
    let root = document.root();
    let mut part = root;
    while let parts = open_parts_of(part)
        && !parts.is_empty()
        && random.below(4) > 0
    {
        part = random.pick(&parts);
    }
    let (before, after) = (&text[..part.span().start], &text[part.span().end..]);
    let is_free = |next: char| next.is_whitespace() || matches!(next, ',' | ')' | ']' | '}');
    // `_.to_string()` and `_:1` are not a hole and something after it, and `a:_` is a word.
    if !after.chars().next().is_none_or(is_free) || before.ends_with(':') {
        return;
    }
    let sketched = format!("{before}_{after}");
    let pattern = read(&sketched);
    assert!(pattern.root().has_holes());
    assert!(pattern.root().matches(&root), "{sketched} does not match");
    if !root.has_holes() {
        let changed = format!("{before}Something_Else{after}");
        let other = read(&changed);
        assert!(!other.root().matches(&root), "{changed} matches");
        assert!(!root.matches(&other.root()), "matches {changed}");
    }
}

/// `(x)` is `x`, `(x,)` is not.
fn check_brackets_around(text: &str, root: Sketch<'_>) {
    assert!(read(&format!("({text})")).root().matches(&root));
    let tuple = read(&format!("({text},)"));
    let [inside] = tuple.root().tuple("").expect("a tuple of one part");
    assert!(inside.matches(&root));
    assert!(root.has_holes() || !root.matches(&tuple.root()));
}

/// White space, trailing commas and the order of fields, items of sets and entries do not matter.
fn check_printed_differently(root: Sketch<'_>, random: &mut Random) {
    let printed = printed(root, random);
    let other = read(&printed);
    assert_eq!(other.root().has_holes(), root.has_holes(), "{printed}");
    assert!(other.root().matches(&root), "{printed} does not match");
    assert!(root.matches(&other.root()), "does not match {printed}");
}

/// Prints a sketch with other white space and in another order. Recursive: the texts of these tests
/// are short.
fn print(sketch: Sketch<'_>, random: &mut Random, out: &mut String) {
    let kind = sketch.node().kind();
    let is_record = matches!(kind, NodeKind::Record | NodeKind::OpenRecord);
    let [opening, closing] = match kind {
        NodeKind::Tuple | NodeKind::NamedTuple => ["(", ")"],
        NodeKind::List => ["[", "]"],
        NodeKind::Set | NodeKind::Map | NodeKind::Table | NodeKind::Record | NodeKind::OpenRecord => ["{", "}"],
        _ if sketch.node().is_range() => return print_range(sketch, random, out),
        _ => return out.push_str(sketch.text()),
    };
    if is_record || kind == NodeKind::NamedTuple {
        out.push_str(sketch.path());
    }
    let mut groups: Vec<_> = match kind {
        NodeKind::Map => {
            parts_of(sketch).chunks(2).map(|entry| [entry[0], entry[1]].map(|part| printed(part, random))).collect()
        }
        NodeKind::Table => {
            let (entries, _) = sketch.table().unwrap();
            entries.map(|(input, output)| [input, output].map(|part| printed(part, random))).collect()
        }
        _ if is_record => {
            fields_of(sketch).into_iter().map(|(name, value)| [name.to_owned(), printed(value, random)]).collect()
        }
        _ => parts_of(sketch).into_iter().map(|part| [String::new(), printed(part, random)]).collect(),
    };
    // No type has a field twice. If a text has, the order of the two is kept when it is compared.
    let mut names = HashSet::new();
    let has_twice = is_record && !groups.iter().all(|[name, _]| names.insert(plain_name(name).to_owned()));
    if !has_twice && opening == "{" {
        random.shuffle(&mut groups);
    }
    // The default stays last.
    if let Some((_, default)) = sketch.table() {
        groups.push(["_".to_owned(), printed(default, random)]);
    }
    let arrow = if kind == NodeKind::Table { " =>" } else { ": " };
    out.push_str(opening);
    for (i, [key, value]) in groups.iter().enumerate() {
        out.push_str(if i > 0 { "," } else { "" });
        out.push_str(random.pick(SPACES));
        out.push_str(key);
        out.push_str(if key.is_empty() { "" } else { arrow });
        out.push_str(random.pick(SPACES));
        out.push_str(value);
        out.push_str(random.pick(SPACES));
    }
    // `(x)` would be `x`, but `Name(x,)` is `Name(x)`.
    let needs_comma = kind == NodeKind::Tuple && groups.len() == 1;
    if kind == NodeKind::OpenRecord {
        out.push_str(if groups.is_empty() { ".." } else { ", .." });
    } else if needs_comma || (!groups.is_empty() && random.below(3) == 0) {
        out.push(',');
    }
    out.push_str(closing);
}

const SPACES: &[&str] = &["", "", " ", "\n\t"];

/// A sketch with other white space and in another order.
pub(super) fn printed(sketch: Sketch<'_>, random: &mut Random) -> String {
    let mut out = String::new();
    print(sketch, random, &mut out);
    out
}

fn print_range(sketch: Sketch<'_>, random: &mut Random, out: &mut String) {
    let mut print_end = |end: Option<Sketch<'_>>, out: &mut String| {
        let Some(end) = end else { return };
        // `3.` and `..`, as `..` and `=`, need something between them.
        let is_ambiguous = end.text().ends_with('.') || end.text().starts_with(['.', '=']);
        let in_brackets = is_ambiguous || end.node().is_range() || random.below(4) == 0;
        out.push_str(if in_brackets { "(" } else { "" });
        print(end, random, out);
        out.push_str(if in_brackets { ")" } else { "" });
    };
    let [start, end] = ends_of(sketch);
    print_end(start, out);
    out.push_str(if sketch.node().kind() == NodeKind::Range { ".." } else { "..=" });
    print_end(end, out);
    out.push_str(if sketch.node().kind() == NodeKind::ExhaustedRange { " (exhausted)" } else { "" });
}
