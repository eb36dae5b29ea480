//! Changes that make the text of a value smaller: what shrinking tries on values.
//!
//! A change replaces one part of the text. Whether what comes out is a value at all is for a
//! generator to say, so nothing here knows a type: a part may stand for another if both look alike.
//!
//! | change | picture |
//! | --- | --- |
//! | a part becomes one of its own parts | `Node(Node(Leaf, 1, Leaf), 5, Leaf)` → `Node(Leaf, 1, Leaf)` |
//! | a part and one inside it change places | `Node(Node(Leaf, 1, Leaf), 5, Leaf)` → `Node(Leaf, 1, Node(Leaf, 5, Leaf))` |
//! | the same, with the integers in it, or one elsewhere, lower | `Lam(Lam(Var(1)))` → `Lam(Var(0))` |
//! | two texts change places everywhere | `(A, [A, B])` → `(B, [B, A])` |
//! | items, entries or characters are left out | `[3, 1, 4]` → `[1, 4]` |
//! | a number goes toward 0, alone or with those beside it | `(12, 7)` → `(8, 7)`, `(12, 7)` → `(8, 3)` |
//! | a part becomes one beside it | `[Some(3), None]` → `[None, None]` |
//! | an item goes to another place | `[2, 0, 1]` → `[0, 2, 1]` |
//! | a string is changed as the text that it holds | `"[1, 2]"` → `"[1]"` |
//! | the same in all places that look the same | `(Some(3), Some(3))` → `(Some(0), Some(0))` |

use super::arena::NodeKind;
use super::{Document, Sketch};
use std::ops::Range;

/// A text with one change.
#[derive(Clone, Debug)]
pub(crate) struct Edited {
    pub(crate) text: String,
    pub(crate) change: Change,
    /// The places that were replaced, and by what, in order.
    places: Vec<(Range<usize>, String)>,
}

impl Edited {
    /// The text with the changes at these places, which do not overlap.
    fn new(text: &str, places: Vec<(Range<usize>, String)>, change: Change) -> Edited {
        let mut edited = text.to_owned();
        for (place, by) in places.iter().rev() {
            edited.replace_range(place.clone(), by);
        }
        Edited { text: edited, change, places }
    }
}

/// The text with the changes of both, unless they overlap.
pub(crate) fn both(text: &str, left: &Edited, right: &Edited) -> Option<String> {
    let mut places = [&left.places[..], &right.places[..]].concat();
    places.sort_by_key(|(place, _)| place.start);
    let overlap = places.windows(2).any(|pair| pair[0].0.end > pair[1].0.start);
    (!overlap).then(|| Edited::new(text, places, Change::Other).text)
}

/// Texts in which two parts that look alike have changed places, at most `most` of them. They are
/// of use together with another change.
pub(crate) fn swaps(text: &str, most: usize) -> Vec<Edited> {
    let Ok(document) = Document::parse(text) else { return Vec::new() };
    let mut editor = Editor::new(&document, most);
    editor.swap();
    editor.in_turn()
}

/// What was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Neighbours were left out of a list, a set, a map or a string.
    LeftOut,
    /// Integers were lowered by this much.
    Lowered(u128),
    /// A number, a character or a character of a string became another one.
    Replaced,
    /// Anything else.
    Other,
}

/// Texts with one change each, at most `most` of them: those that change much come first, each kind
/// in its turn. No text if it cannot be read.
pub(crate) fn edits(text: &str, most: usize) -> Vec<Edited> {
    let Ok(document) = Document::parse(text) else { return Vec::new() };
    let mut editor = Editor::new(&document, most);
    editor.hoist();
    editor.leave_out();
    editor.lower();
    editor.turn();
    editor.change_strings();
    editor.lower_together();
    editor.copy_sibling();
    editor.move_items();
    editor.exchange();
    editor.turn_and_lower();
    editor.in_turn()
}

/// How many parts inside are tried in the place of one, and how many beside it.
const MOST_INSIDE: usize = 12;
const MOST_BESIDE: usize = 2;
/// How many texts are exchanged with each other.
const MOST_TEXTS: usize = 16;

/// A part of the text.
struct Part<'d> {
    sketch: Sketch<'d>,
    /// Its parts by their number, without the names of fields.
    parts: Vec<usize>,
    /// The number after the last part inside.
    end: usize,
    /// How many parts it stands in.
    depth: usize,
}

struct Editor<'d> {
    document: &'d Document,
    most: usize,
    /// All parts, each before those inside it.
    parts: Vec<Part<'d>>,
    /// The changes of each kind.
    kinds: Vec<Vec<Edited>>,
    /// How many changes were thought of for the present kind, those that change nothing included.
    thought_of: usize,
}

impl<'d> Editor<'d> {
    fn new(document: &'d Document, most: usize) -> Editor<'d> {
        let mut editor = Editor { document, most, parts: Vec::new(), kinds: Vec::new(), thought_of: 0 };
        // Parts that are still to be numbered, the next one last, each with the number of the part
        // it belongs to; `None` where a part ends.
        let mut pending: Vec<(Option<Sketch<'d>>, usize)> = vec![(Some(document.root()), usize::MAX)];
        while let Some((sketch, outer)) = pending.pop() {
            let number = editor.parts.len();
            let Some(sketch) = sketch else {
                editor.parts[outer].end = number;
                continue;
            };
            let mut depth = 0;
            if let Some(outer) = editor.parts.get_mut(outer) {
                outer.parts.push(number);
                depth = outer.depth + 1;
            }
            editor.parts.push(Part { sketch, parts: Vec::new(), end: number + 1, depth });
            pending.push((None, number));
            let inside = inside(sketch);
            pending.extend(inside.into_iter().rev().map(|part| (Some(part), number)));
        }
        editor
    }

    /// A part becomes one inside it, the outermost first: as it is, or with its integers one less,
    /// since they may count what stands around them.
    fn hoist(&mut self) {
        self.begin_kind();
        self.begin_kind();
        let kind = self.kinds.len() - 2;
        for outer in 0..self.parts.len() {
            let look = Look::of(self.parts[outer].sketch);
            let mut inside: Vec<usize> = (outer + 1..self.parts[outer].end)
                .filter(|inner| Look::of(self.parts[*inner].sketch) == look)
                .collect();
            inside.sort_by_key(|inner| self.parts[*inner].depth);
            for inner in inside.into_iter().take(MOST_INSIDE) {
                if self.is_full() {
                    return;
                }
                let text = self.parts[inner].sketch.text().to_owned();
                let lowered = self.lowered_inside(inner);
                if lowered != text {
                    self.replace_in(kind + 1, outer, lowered, Change::Other);
                }
                self.replace_in(kind, outer, text, Change::Other);
            }
        }
    }

    /// The text of a part in which all integers are one nearer to 0.
    fn lowered_inside(&self, part: usize) -> String {
        let start = self.parts[part].sketch.span().start;
        let mut text = self.parts[part].sketch.text().to_owned();
        for inner in (part..self.parts[part].end).rev() {
            let sketch = self.parts[inner].sketch;
            if let Some(number) = integer(sketch) {
                text.replace_range(
                    sketch.span().start - start..sketch.span().end - start,
                    &lowered(number, 1).to_string(),
                );
            }
        }
        text
    }

    /// A part becomes one inside it, in which the part itself stands with what was there.
    fn turn(&mut self) {
        self.begin_kind();
        for outer in 0..self.parts.len() {
            let look = Look::of(self.parts[outer].sketch);
            for inner in self.parts[outer].parts.clone() {
                for place in self.parts[inner].parts.clone() {
                    let [inner_sketch, sketch] = [inner, place].map(|part| self.parts[part].sketch);
                    if self.is_full() || Look::of(inner_sketch) != look || Look::of(sketch) != look {
                        continue;
                    }
                    let outer_text = self.with(outer, inner_sketch.span(), sketch.text());
                    let text = self.with(inner, sketch.span(), &outer_text);
                    self.replace(outer, text, Change::Other);
                }
            }
        }
    }

    /// A part and one inside it change places, and an integer outside goes to 0, or one toward it:
    /// it may mean one of the two.
    fn turn_and_lower(&mut self) {
        let before = self.kinds.len();
        self.turn();
        let turned = self.kinds.split_off(before).concat();
        self.begin_kind();
        for edited in &turned {
            if self.is_full() {
                return;
            }
            for part in &self.parts {
                let Some(number) = integer(part.sketch).filter(|number| *number != 0) else { continue };
                for amount in
                    [number.unsigned_abs(), 1].into_iter().take(if number.unsigned_abs() == 1 { 1 } else { 2 })
                {
                    let span = part.sketch.span();
                    let is_apart =
                        |(place, _): &(Range<usize>, String)| place.end <= span.start || span.end <= place.start;
                    if edited.places.iter().all(is_apart) && self.kinds[before].len() < self.most {
                        let mut places = edited.places.clone();
                        places.push((span.clone(), lowered(number, amount).to_string()));
                        places.sort_by_key(|(place, _)| place.start);
                        self.kinds[before].push(Edited::new(&self.document.text, places, Change::Other));
                    }
                }
            }
        }
    }

    /// Two texts that look alike change places wherever they stand: what is of one kind is of the
    /// other.
    fn exchange(&mut self) {
        self.begin_kind();
        let mut texts: Vec<usize> = Vec::new();
        for part in 0..self.parts.len() {
            let is_new = |other: &usize| self.parts[*other].sketch.text() != self.parts[part].sketch.text();
            if texts.len() < MOST_TEXTS && Look::of(self.parts[part].sketch) == Look::Named && texts.iter().all(is_new)
            {
                texts.push(part);
            }
        }
        for (place, left) in texts.iter().enumerate() {
            for right in &texts[place + 1..] {
                let [left, right] = [*left, *right].map(|part| self.parts[part].sketch.text());
                let mut places = Vec::new();
                let mut part = 0;
                while part < self.parts.len() {
                    let text = self.parts[part].sketch.text();
                    if text == left || text == right {
                        let by = if text == left { right } else { left };
                        places.push((self.parts[part].sketch.span(), by.to_owned()));
                        part = self.parts[part].end;
                    } else {
                        part += 1;
                    }
                }
                // With two places it is a swap, or a part that becomes one inside it.
                if places.len() > 2 && !self.is_full() {
                    let edited = Edited::new(&self.document.text, places, Change::Other);
                    self.kinds.last_mut().expect("it was pushed").push(edited);
                }
            }
        }
    }

    /// Two parts that look alike, and do not hold each other, change places.
    fn swap(&mut self) {
        self.begin_kind();
        for left in 0..self.parts.len() {
            for right in self.parts[left].end..self.parts.len() {
                let [first, second] = [left, right].map(|part| self.parts[part].sketch);
                let are_alike = Look::of(first) == Look::of(second) && Look::of(first) != Look::Number;
                if self.is_full() {
                    return;
                }
                self.thought_of += usize::from(are_alike);
                if !are_alike || first.text() == second.text() {
                    continue;
                }
                let places = vec![(first.span(), second.text().to_owned()), (second.span(), first.text().to_owned())];
                let edited = Edited::new(&self.document.text, places, Change::Other);
                self.kinds.last_mut().expect("it was pushed").push(edited);
            }
        }
    }

    /// Neighbours are left out of lists, sets and maps: all, half of them, a quarter and so on.
    fn leave_out(&mut self) {
        self.begin_kind();
        for list in 0..self.parts.len() {
            let items = self.items(list);
            for run in runs(items.len()) {
                if self.is_full() {
                    return;
                }
                let cut = match (items.get(run.end), run.start.checked_sub(1)) {
                    (Some(next), _) => items[run.start].start..next.start,
                    (None, Some(before)) => items[before].end..items[run.end - 1].end,
                    (None, None) => items[run.start].start..items[run.end - 1].end,
                };
                let text = self.with(list, cut, "");
                self.replace(list, text, Change::LeftOut);
            }
        }
    }

    /// Each integer goes toward 0, by half at first; other numbers and characters become simple
    /// ones.
    fn lower(&mut self) {
        self.begin_kind();
        for part in 0..self.parts.len() {
            let sketch = self.parts[part].sketch;
            if let Some(number) = integer(sketch) {
                if number < 0 {
                    self.replace(part, number.unsigned_abs().to_string(), Change::Replaced);
                }
                for amount in amounts(number.unsigned_abs()) {
                    self.replace(part, lowered(number, amount).to_string(), Change::Lowered(amount));
                }
            } else if Look::of(sketch) == Look::Number {
                let number = sketch.parsed::<f64>().filter(|number| number.is_finite());
                for simpler in [0.0, 1.0, number.map_or(0.0, f64::trunc), number.map_or(0.0, |number| number / 2.0)] {
                    self.replace(part, format!("{simpler:?}"), Change::Replaced);
                }
            } else if let Some(simple) = sketch.character().and_then(simple_character) {
                self.replace(part, format!("{simple:?}"), Change::Replaced);
            }
        }
    }

    /// The integers that stand side by side go toward 0 by the same amount.
    fn lower_together(&mut self) {
        self.begin_kind();
        for part in 0..self.parts.len() {
            let numbers: Vec<(Range<usize>, i128)> = self.parts[part]
                .parts
                .iter()
                .filter_map(|inner| Some((self.parts[*inner].sketch.span(), integer(self.parts[*inner].sketch)?)))
                .collect();
            let Some(least) = numbers.iter().map(|(_, number)| number.unsigned_abs()).min() else { continue };
            for amount in amounts(least).take_while(|_| numbers.len() > 1) {
                let start = self.parts[part].sketch.span().start;
                let mut text = self.parts[part].sketch.text().to_owned();
                for (span, number) in numbers.iter().rev() {
                    text.replace_range(span.start - start..span.end - start, &lowered(*number, amount).to_string());
                }
                self.replace(part, text, Change::Lowered(amount));
            }
        }
    }

    /// Characters of strings are left out, or become simple ones; a string that holds a text is
    /// changed as that text.
    fn change_strings(&mut self) {
        self.begin_kind();
        self.begin_kind();
        for part in 0..self.parts.len() {
            let Some(string) = self.parts[part].sketch.string() else { continue };
            let characters: Vec<char> = string.chars().collect();
            for run in runs(characters.len()) {
                if self.is_full() {
                    break;
                }
                let rest: String = characters[..run.start].iter().chain(&characters[run.end..]).collect();
                self.replace(part, format!("{rest:?}"), Change::LeftOut);
            }
            for (place, character) in characters.iter().enumerate() {
                let Some(simple) = simple_character(*character).filter(|_| !self.is_full()) else { continue };
                let mut changed = characters.clone();
                changed[place] = simple;
                self.replace(part, format!("{:?}", String::from_iter(changed)), Change::Replaced);
            }
            let is_text = string.contains(['[', '{', '(']) && self.parts[part].sketch.text().len() > 2;
            for inner in if is_text { edits_inside(&string, self.most) } else { Vec::new() } {
                self.replace_in(1, part, format!("{:?}", inner.text), Change::Other);
            }
        }
    }

    /// A part becomes one of those beside it that is shorter.
    fn copy_sibling(&mut self) {
        self.begin_kind();
        for outer in 0..self.parts.len() {
            let mut shortest = self.parts[outer].parts.clone();
            shortest.sort_by_key(|part| self.parts[*part].sketch.text().len());
            for part in self.parts[outer].parts.clone() {
                let sketch = self.parts[part].sketch;
                let mut left = MOST_BESIDE;
                for other in &shortest {
                    let by = self.parts[*other].sketch;
                    if by.text().len() >= sketch.text().len() || left == 0 || self.is_full() {
                        break;
                    }
                    if Look::of(by) == Look::of(sketch) && Look::of(by) != Look::Number {
                        self.replace(part, by.text().to_owned(), Change::Other);
                        left -= 1;
                    }
                }
            }
        }
    }

    /// An item of a list goes to an earlier place.
    fn move_items(&mut self) {
        self.begin_kind();
        for list in 0..self.parts.len() {
            if self.parts[list].sketch.items().is_none() {
                continue;
            }
            let items: Vec<&'d str> =
                self.parts[list].parts.iter().map(|item| self.parts[*item].sketch.text()).collect();
            for from in 1..items.len() {
                for to in 0..from {
                    if self.is_full() {
                        return;
                    }
                    let mut moved = items.clone();
                    moved[to..=from].rotate_right(1);
                    self.replace(list, format!("[{}]", moved.join(", ")), Change::Other);
                }
            }
        }
    }

    /// One of each kind after the other.
    fn in_turn(self) -> Vec<Edited> {
        let mut kinds: Vec<_> = self.kinds.into_iter().map(Vec::into_iter).collect();
        let mut edits = Vec::new();
        loop {
            let before = edits.len();
            for kind in &mut kinds {
                edits.extend(kind.next());
            }
            if edits.len() == before || edits.len() >= self.most {
                edits.truncate(self.most);
                return edits;
            }
        }
    }

    /// Where the items of a list or a set and the entries of a map stand.
    fn items(&self, list: usize) -> Vec<Range<usize>> {
        let sketch = self.parts[list].sketch;
        let spans: Vec<Range<usize>> =
            self.parts[list].parts.iter().map(|part| self.parts[*part].sketch.span()).collect();
        match sketch.node().kind() {
            NodeKind::List | NodeKind::Set => spans,
            NodeKind::Map => spans.chunks(2).map(|entry| entry[0].start..entry[entry.len() - 1].end).collect(),
            _ => Vec::new(),
        }
    }

    /// The text of a part with other text at a place of the document.
    fn with(&self, part: usize, place: Range<usize>, by: &str) -> String {
        let span = self.parts[part].sketch.span();
        [&self.document.text[span.start..place.start], by, &self.document.text[place.end..span.end]].concat()
    }

    fn begin_kind(&mut self) {
        self.kinds.push(Vec::new());
        self.thought_of = 0;
    }

    /// Whether there are enough changes of the present kind, or enough were thought of: a list of
    /// equal items can be put in any order and stays what it is.
    fn is_full(&self) -> bool {
        self.thought_of > 2 * self.most || self.kinds.last().is_some_and(|kind| kind.len() >= self.most)
    }

    fn replace(&mut self, part: usize, by: String, change: Change) {
        self.replace_in(self.kinds.len() - 1, part, by, change);
    }

    /// Notes the text in which a part is replaced, and the one in which all that look like it are.
    fn replace_in(&mut self, kind: usize, part: usize, by: String, change: Change) {
        let text = self.parts[part].sketch.text();
        self.thought_of += 1;
        if self.kinds[kind].len() >= self.most || text == by {
            return;
        }
        let here = self.parts[part].sketch.span();
        let same: Vec<Range<usize>> =
            self.parts.iter().filter(|other| other.sketch.text() == text).map(|other| other.sketch.span()).collect();
        if same.len() > 1 && same[0] == here {
            let places = same.into_iter().map(|span| (span, by.clone())).collect();
            self.kinds[kind].push(Edited::new(&self.document.text, places, change));
        }
        self.kinds[kind].push(Edited::new(&self.document.text, vec![(here, by)], change));
    }
}

/// Changes of the text in a string. A string in it is not looked into again.
fn edits_inside(text: &str, most: usize) -> Vec<Edited> {
    let Ok(document) = Document::parse(text) else { return Vec::new() };
    let mut editor = Editor::new(&document, most);
    editor.hoist();
    editor.leave_out();
    editor.lower();
    editor.in_turn()
}

/// What a part looks like: parts of one look may be of one type.
#[derive(PartialEq)]
enum Look {
    Number,
    /// A variant, a struct, a truth value.
    Named,
    Text,
    Char,
    Tuple(u32),
    List,
    Braces,
    Other,
}

impl Look {
    fn of(sketch: Sketch<'_>) -> Look {
        match sketch.node().kind() {
            NodeKind::Word if sketch.text().starts_with(|first: char| first.is_ascii_digit() || first == '-') => {
                Look::Number
            }
            NodeKind::Word | NodeKind::NamedTuple | NodeKind::Record | NodeKind::OpenRecord => Look::Named,
            NodeKind::Text => Look::Text,
            NodeKind::Char => Look::Char,
            NodeKind::Tuple => Look::Tuple(sketch.node().count()),
            NodeKind::List => Look::List,
            NodeKind::Set | NodeKind::Map => Look::Braces,
            NodeKind::Hole | NodeKind::Wrapper | NodeKind::Table => Look::Other,
            NodeKind::Range | NodeKind::InclusiveRange | NodeKind::ExhaustedRange => Look::Other,
        }
    }
}

/// The parts of a part; the names of fields are none.
fn inside<'d>(sketch: Sketch<'d>) -> Vec<Sketch<'d>> {
    let parts = sketch.document.arena.parts_of(sketch.index).map(|index| Sketch { document: sketch.document, index });
    match sketch.node().kind() {
        NodeKind::Record | NodeKind::OpenRecord => parts.skip(1).step_by(2).collect(),
        _ => match sketch.range() {
            Some(range) => range.start.into_iter().chain(range.end).collect(),
            None => parts.collect(),
        },
    }
}

/// Runs of places below `count`: all, both halves, four quarters and so on, down to single ones.
fn runs(count: usize) -> impl Iterator<Item = Range<usize>> {
    let mut length = count;
    let mut start = 0;
    std::iter::from_fn(move || {
        if start >= count {
            (length, start) = (length / 2, 0);
        }
        if length == 0 || count == 0 {
            return None;
        }
        let run = start..(start + length).min(count);
        start = run.end;
        Some(run)
    })
}

/// By how much a number is lowered: by all, and by the powers of two below, the largest first.
/// Whatever it is to become is at most half as far away afterwards.
fn amounts(number: u128) -> impl Iterator<Item = u128> {
    let powers = (0..number.checked_ilog2().map_or(0, |log| log + 1)).rev().map(|power| 1 << power);
    (number > 0).then_some(number).into_iter().chain(powers.filter(move |power| *power != number))
}

fn lowered(number: i128, amount: u128) -> i128 {
    let left = number.unsigned_abs().saturating_sub(amount) as i128;
    if number < 0 { -left } else { left }
}

fn integer(sketch: Sketch<'_>) -> Option<i128> {
    sketch.word()?.parse().ok()
}

fn simple_character(character: char) -> Option<char> {
    let simple = match character {
        '0'..='9' => '0',
        'A'..='Z' => 'A',
        _ => 'a',
    };
    (simple != character).then_some(simple)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        edits(text, 1000).into_iter().map(|edited| edited.text).collect()
    }

    #[track_caller]
    fn assert_offers(text: &str, wanted: &[&str]) {
        let offered = texts(text);
        for wanted in wanted {
            assert!(offered.iter().any(|text| text == wanted), "{wanted} is not among {offered:#?}");
        }
    }

    #[test]
    fn each_kind_of_change_is_offered() {
        assert_offers(
            "Node(Node(Leaf, 1, Leaf), 5, Leaf)",
            &["Node(Leaf, 1, Leaf)", "Leaf", "Node(Leaf, 5, Leaf)", "Node(Leaf, 1, Node(Leaf, 5, Leaf))"],
        );
        assert_offers("[3, 1, 4]", &["[]", "[1, 4]", "[3, 4]", "[3, 1]", "[1, 3, 4]", "[4, 3, 1]"]);
        assert_offers("{1: 'x', 2: 'y'}", &["{2: 'y'}", "{1: 'x'}", "{}", "{1: 'a', 2: 'y'}"]);
        assert_offers("(12, -7)", &["(0, -7)", "(4, -7)", "(11, -7)", "(12, 7)", "(12, 0)", "(11, -6)", "(8, -3)"]);
        assert_offers("Point { x: 3, y: 2.5 }", &["Point { x: 2, y: 2.5 }", "Point { x: 3, y: 2.0 }"]);
        assert_offers("[Some([1]), None]", &["[None, None]", "[Some([]), None]", "[None, Some([1])]"]);
        assert_offers(r#""abc""#, &[r#""""#, r#""bc""#, r#""ac""#, r#""aac""#]);
        assert_offers("1..5", &["0..5", "1..4"]);
        assert_offers("Lam(Lam(Var(1)))", &["Lam(Var(1))", "Lam(Var(0))"]);
        assert_offers("(A, [A, B(1)])", &["(B(1), [B(1), A])"]);
        assert_offers("(Node(Node(Leaf, 1, Leaf), 5, Leaf), 3)", &["(Node(Leaf, 1, Node(Leaf, 5, Leaf)), 2)"]);
    }

    #[test]
    fn two_changes_are_made_at_once_unless_they_overlap() {
        let text = "(A(B), C, 1)";
        let swapped = swaps(text, 100);
        let texts: Vec<&str> = swapped.iter().map(|edited| edited.text.as_str()).collect();
        assert_eq!(texts, ["(C, A(B), 1)", "(A(C), B, 1)"]);
        let edits = edits(text, 100);
        let find = |wanted: &str| edits.iter().find(|edited| edited.text == wanted).unwrap();
        let (hoisted, lowered) = (find("(B, C, 1)"), find("(A(B), C, 0)"));
        assert_eq!(both(text, hoisted, lowered).unwrap(), "(B, C, 0)");
        assert_eq!(both(text, lowered, &swapped[1]).unwrap(), "(A(C), B, 0)");
        assert_eq!(both(text, hoisted, &swapped[1]), None);
    }

    #[test]
    fn a_string_that_holds_a_text_is_changed_as_that() {
        assert_offers(r#""{\"a\": [1, 22]}""#, &[r#""{\"a\": [22]}""#, r#""{\"a\": [1, 6]}""#, r#""{}""#]);
    }

    #[test]
    fn what_looks_the_same_is_changed_in_all_places() {
        assert_offers(
            "(Some([7]), Some([7]))",
            &["(Some([]), Some([]))", "(Some([0]), Some([0]))", "(Some([7]), Some([]))"],
        );
    }

    #[test]
    fn there_are_no_more_than_wanted_and_nothing_stays_as_it_is() {
        let text = format!("{:?}", (0..300).collect::<Vec<_>>());
        let offered = edits(&text, 50);
        assert_eq!(offered.len(), 50);
        assert!(offered.iter().all(|edited| edited.text != text));
        // Of each kind some.
        assert!(offered.iter().any(|edited| edited.change == Change::LeftOut));
        assert!(offered.iter().any(|edited| matches!(edited.change, Change::Lowered(_))));
        assert!(edits("[1, 2", 50).is_empty() && edits("Leaf", 50).is_empty());
    }

    #[test]
    fn every_change_can_be_read() {
        for text in [
            "[(1, \"a\\n\"), (2, \"\")]",
            "{\"k\": [Some('x')], \"l\": []}",
            "A { b: B(1.5, -3), c: [C, C] }",
            "(0..=4, \"[x, {y}]\")",
        ] {
            for text in texts(text) {
                assert!(Document::parse(&text).is_ok(), "{text}");
            }
        }
    }
}
