//! Whether one sketch matches another.
//!
//! Two texts are walked side by side with the pairs of parts still to be compared on an explicit
//! stack. The order of the items of sets and maps does not matter, because a `HashMap` prints in
//! any order. Items without holes find their partners by a hash of their structure; only items with
//! holes inside have to be tried against each other (see [`Search`]), and then an item that fits
//! several others must not take the only one that fits its neighbour.

use std::cmp::Ordering;

use super::arena::{Arena, NodeKind, Parts};
use super::names::{canonical_word, plain_name};
use super::{Document, Sketch, decode};

/// Whether `pattern` is the same as `subject` but for its holes.
pub(super) fn matches(pattern: Sketch<'_>, subject: Sketch<'_>) -> bool {
    if !pattern.has_holes() && pattern.text() == subject.text() {
        return true;
    }
    Comparison {
        pattern: Side::new(pattern),
        subject: Side::new(subject),
        pending: vec![(pattern.index, subject.index)],
        searches: Vec::new(),
    }
    .run()
}

/// One of the two texts, with the hashes of its parts once something asks for them.
struct Side<'d> {
    root: Sketch<'d>,
    hashes: Option<Hashes>,
}

impl<'d> Side<'d> {
    fn new(root: Sketch<'d>) -> Side<'d> {
        Side { root, hashes: None }
    }

    fn arena(&self) -> &'d Arena {
        &self.root.document.arena
    }

    fn sketch(&self, index: u32) -> Sketch<'d> {
        Sketch { document: self.root.document, index }
    }

    fn kind(&self, index: u32) -> NodeKind {
        self.arena().node(index).kind()
    }

    /// The items of a set or the entries of a map, each with its hash.
    fn elements(&mut self, index: u32, is_map: bool) -> Vec<Element> {
        let arena = self.arena();
        let hashes = self.hashes.get_or_insert_with(|| Hashes::below(self.root));
        let mut parts = arena.parts_of(index);
        let mut elements = Vec::with_capacity(parts.len());
        while let Some(key) = parts.next() {
            let value = if is_map { parts.next() } else { None };
            let hash = hashes.of(key).wrapping_add(value.map_or(0, |value| hashes.of(value).rotate_left(1)));
            elements.push(Element { hash, key, value });
        }
        elements
    }

    fn has_holes(&self, element: &Element) -> bool {
        self.any_part(element, |part| part.has_holes())
    }

    fn is_hole(&self, element: &Element) -> bool {
        !self.any_part(element, |part| !part.is_hole())
    }

    fn any_part(&self, element: &Element, test: impl Fn(Sketch<'_>) -> bool) -> bool {
        test(self.sketch(element.key)) || element.value.is_some_and(|value| test(self.sketch(value)))
    }
}

/// An item of a set, or an entry of a map.
#[derive(Clone, Copy)]
struct Element {
    hash: u64,
    key: u32,
    value: Option<u32>,
}

struct Comparison<'p, 's> {
    pattern: Side<'p>,
    subject: Side<'s>,
    /// Pairs of a part of the pattern and a part of the subject that must match. Those above the
    /// base of the innermost search decide the question that this search has asked.
    pending: Vec<(u32, u32)>,
    searches: Vec<Search>,
}

impl Comparison<'_, '_> {
    fn run(mut self) -> bool {
        loop {
            let mut answer = true;
            if self.pending.len() > self.base()
                && let Some((pattern, subject)) = self.pending.pop()
            {
                if self.same_head(pattern, subject) {
                    continue;
                }
                answer = false;
            }
            // All pairs of the innermost question have been seen, or one of them does not match.
            loop {
                let base = self.base();
                self.pending.truncate(base);
                let Some(search) = self.searches.last_mut() else {
                    return answer;
                };
                match search.go_on(answer) {
                    Step::Ask(pattern, subject) => {
                        self.push_elements(pattern, subject);
                        break;
                    }
                    Step::Found => {
                        self.searches.pop();
                        break;
                    }
                    Step::Impossible => {
                        self.searches.pop();
                        answer = false;
                    }
                }
            }
        }
    }

    fn base(&self) -> usize {
        self.searches.last().map_or(0, |search| search.base)
    }

    fn push_elements(&mut self, pattern: Element, subject: Element) {
        self.pending.push((pattern.key, subject.key));
        if let (Some(pattern), Some(subject)) = (pattern.value, subject.value) {
            self.pending.push((pattern, subject));
        }
    }

    /// Compares two parts without what is inside them, and puts that on the stack.
    fn same_head(&mut self, pattern: u32, subject: u32) -> bool {
        let kind = self.pattern.kind(pattern);
        let subject_kind = self.subject.kind(subject);
        let (wanted, found) = (self.pattern.sketch(pattern), self.subject.sketch(subject));
        if kind == NodeKind::Hole {
            return true;
        }
        if let Some(name) = unit_name(wanted) {
            return unit_name(found)
                .is_some_and(|found| found == name || canonical_word(found) == canonical_word(name));
        }
        match kind {
            NodeKind::Text => {
                subject_kind == kind && decode::string_bytes(wanted.text()) == decode::string_bytes(found.text())
            }
            NodeKind::Char => subject_kind == kind && wanted.character() == found.character(),
            NodeKind::Tuple | NodeKind::List => subject_kind == kind && self.same_parts(pattern, subject),
            NodeKind::NamedTuple => {
                subject_kind == kind && wanted.name() == found.name() && self.same_parts(pattern, subject)
            }
            NodeKind::Record | NodeKind::OpenRecord => {
                let is_record =
                    matches!(subject_kind, NodeKind::Record | NodeKind::OpenRecord) || unit_name(found).is_some();
                is_record && wanted.name() == found.name() && self.same_fields(pattern, subject)
            }
            NodeKind::Set => subject_kind == kind && self.same_elements(pattern, subject, false),
            NodeKind::Map | NodeKind::Table => subject_kind == kind && self.same_elements(pattern, subject, true),
            NodeKind::Range | NodeKind::InclusiveRange | NodeKind::ExhaustedRange => {
                subject_kind == kind && self.same_ends(pattern, subject)
            }
            NodeKind::Hole | NodeKind::Word | NodeKind::Wrapper => {
                unreachable!("answered above, or resolved before")
            }
        }
    }

    fn same_parts(&mut self, pattern: u32, subject: u32) -> bool {
        let wanted = self.pattern.arena().parts_of(pattern);
        let found = self.subject.arena().parts_of(subject);
        let is_rest = |part: &u32| self.pattern.sketch(*part).is_rest();
        if self.pattern.arena().node(pattern).has_holes() && wanted.clone().any(|part| is_rest(&part)) {
            let wanted: Vec<u32> = wanted.collect();
            let stretches: Vec<&[u32]> = wanted.split(is_rest).collect();
            return self.same_stretches(&stretches, &found.collect::<Vec<u32>>());
        }
        let same_length = wanted.len() == found.len();
        if same_length {
            self.pending.extend(wanted.zip(found));
        }
        same_length
    }

    /// Compares the items of a list with those around each `..` of the pattern: the first and the
    /// last stretch stand at the ends, and each of the others in the first place where it fits.
    fn same_stretches(&mut self, stretches: &[&[u32]], found: &[u32]) -> bool {
        let ([first, middle @ .., last], length) = (stretches, stretches.concat().len()) else { return false };
        if length > found.len() {
            return false;
        }
        let (start, end) = (first.len(), found.len() - last.len());
        self.pending.extend(first.iter().copied().zip(found[..start].iter().copied()));
        self.pending.extend(last.iter().copied().zip(found[end..].iter().copied()));
        let mut left = &found[start..end];
        for stretch in middle.iter().filter(|stretch| !stretch.is_empty()) {
            let fits = |window: &[u32]| {
                stretch
                    .iter()
                    .zip(window)
                    .all(|(part, item)| matches(self.pattern.sketch(*part), self.subject.sketch(*item)))
            };
            let Some(place) = left.windows(stretch.len()).position(fits) else { return false };
            left = &left[place + stretch.len()..];
        }
        true
    }

    fn same_ends(&mut self, pattern: u32, subject: u32) -> bool {
        let ends = |arena: &Arena, index: u32| {
            let start = arena.node(index).range_start().map(|position| arena.unwrapped(position));
            [start, arena.range_end(index)]
        };
        let (wanted, found) = (ends(self.pattern.arena(), pattern), ends(self.subject.arena(), subject));
        for end in 0..2 {
            match (wanted[end], found[end]) {
                (Some(wanted), Some(found)) => self.pending.push((wanted, found)),
                (None, None) => {}
                _ => return false,
            }
        }
        true
    }

    fn same_fields(&mut self, pattern: u32, subject: u32) -> bool {
        let wanted = fields(&self.pattern, pattern);
        let found = fields(&self.subject, subject);
        let is_open = self.pattern.kind(pattern) == NodeKind::OpenRecord;
        if wanted.len() > found.len() || (wanted.len() < found.len() && !is_open) {
            return false;
        }
        let mut found = found.into_iter();
        for (name, value) in wanted {
            // Both are sorted by name, so what is skipped here is a field that the pattern leaves
            // out.
            match found.find(|(found_name, _)| *found_name >= name) {
                Some((found_name, found_value)) if found_name == name => self.pending.push((value, found_value)),
                _ => return false,
            }
        }
        true
    }

    fn same_elements(&mut self, pattern: u32, subject: u32, is_map: bool) -> bool {
        let (n_wanted, n_found) =
            (self.pattern.arena().node(pattern).count(), self.subject.arena().node(subject).count());
        let n_rests = match self.pattern.arena().node(pattern).has_holes() {
            true => self.pattern.arena().parts_of(pattern).filter(|part| self.pattern.sketch(*part).is_rest()).count(),
            false => 0,
        };
        if n_rests == 0 && n_wanted != n_found {
            return false;
        }
        // In a map it is there as a key and as a value.
        if n_wanted as usize - n_rests / (1 + usize::from(is_map)) > n_found as usize {
            return false;
        }
        if n_rests == 0 && n_wanted == 1 {
            return self.same_parts(pattern, subject);
        }
        let mut found = self.subject.elements(subject, is_map);
        let by_hash = |one: &Element, other: &Element| one.hash.cmp(&other.hash);
        let by_key = |one: &Element, other: &Element| one.key.cmp(&other.key);
        sort(&mut found, &by_hash);
        let mut is_taken = vec![false; found.len()];

        // Elements without holes first: each has its class of equal partners, and it does not
        // matter which one it takes.
        let mut wanted = self.pattern.elements(pattern, is_map);
        sort(&mut wanted, &by_hash);
        let mut next = 0;
        for element in &wanted {
            if self.pattern.has_holes(element) {
                continue;
            }
            while next < found.len() && found[next].hash < element.hash {
                next += 1;
            }
            match found.get(next) {
                Some(candidate) if candidate.hash == element.hash => {
                    self.push_elements(*element, *candidate);
                    is_taken[next] = true;
                    next += 1;
                }
                _ => return false,
            }
        }

        // Whole holes take what is left over in the end. The rest has to be tried, best in the
        // order of the text.
        wanted.retain(|element| self.pattern.has_holes(element) && !self.pattern.is_hole(element));
        sort(&mut wanted, &by_key);
        for place in (0..found.len()).rev().filter(|place| is_taken[*place]) {
            found.swap_remove(place);
        }
        sort(&mut found, &by_key);
        if wanted.is_empty() {
            return true;
        }
        if let ([wanted], [found]) = (&wanted[..], &found[..]) {
            self.push_elements(*wanted, *found);
            return true;
        }
        let mut search = Search::new(self.pending.len(), wanted, found);
        match search.next_step() {
            Step::Ask(pattern, subject) => {
                self.searches.push(search);
                self.push_elements(pattern, subject);
                true
            }
            Step::Found => true,
            Step::Impossible => false,
        }
    }
}

/// `Name`, `Name()` and `Name {}` are the same: this is the name, of those only.
fn unit_name(sketch: Sketch<'_>) -> Option<&str> {
    match sketch.node().kind() {
        NodeKind::Word => Some(sketch.text()),
        NodeKind::NamedTuple | NodeKind::Record if sketch.node().count() == 0 => Some(sketch.path()),
        _ => None,
    }
}

/// The fields of a record, sorted by name. The sort is stable, so that a field that is there twice
/// keeps its order.
fn fields<'d>(side: &Side<'d>, record: u32) -> Vec<(&'d str, u32)> {
    let mut parts = side.arena().parts_of(record);
    let mut fields = Vec::with_capacity(parts.len() / 2);
    while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
        fields.push(Element { hash: 0, key, value: Some(value) });
    }
    let name = |field: &Element| plain_name(side.sketch(field.key).text());
    sort(&mut fields, &|one, other| name(one).cmp(name(other)));
    let mut named = Vec::with_capacity(fields.len());
    for field in fields {
        named.extend(field.value.map(|value| (name(&field), value)));
    }
    named
}

/// Sorts by any order, each of which would otherwise have the whole of sorting compiled for itself.
fn sort(elements: &mut [Element], order: &dyn Fn(&Element, &Element) -> Ordering) {
    elements.sort_by(order);
}

/// A search for an assignment of elements with holes to elements of the other side, each to another
/// one.
///
/// This is the classic search for augmenting paths, turned inside out: it cannot compare two
/// elements itself, since that would recurse, and so asks for it and goes on when it is told the
/// answer. Answers are kept, so no pair is compared twice.
struct Search {
    /// The height of the stack of pending pairs below this search.
    base: usize,
    wanted: Vec<Element>,
    found: Vec<Element>,
    /// By wanted element and candidate, as far as they were asked for.
    answers: Vec<Vec<Option<bool>>>,
    /// Which wanted element has taken a found one, and the other way round.
    taken_by: Vec<Option<usize>>,
    place_of: Vec<Option<usize>>,
    /// The wanted element that is being placed.
    placing: usize,
    /// The wanted elements that are on the way: the one being placed, and those that might move for
    /// it.
    moving: Vec<usize>,
    /// How far the search has come: which of `moving`, and which found element for it.
    mover: usize,
    candidate: usize,
    /// From which wanted element a found one was reached, and which ones were.
    reached_from: Vec<Option<usize>>,
    reached: Vec<usize>,
}

enum Step {
    Ask(Element, Element),
    Found,
    Impossible,
}

impl Search {
    fn new(base: usize, wanted: Vec<Element>, found: Vec<Element>) -> Search {
        let (n_wanted, n_found) = (wanted.len(), found.len());
        Search {
            base,
            wanted,
            found,
            answers: vec![Vec::new(); n_wanted],
            taken_by: vec![None; n_found],
            place_of: vec![None; n_wanted],
            placing: 0,
            moving: vec![0],
            mover: 0,
            candidate: 0,
            reached_from: vec![None; n_found],
            reached: Vec::new(),
        }
    }

    /// Takes the answer to the last question.
    fn go_on(&mut self, answer: bool) -> Step {
        let answers = &mut self.answers[self.moving[self.mover]];
        if answers.len() <= self.candidate {
            answers.resize(self.candidate + 1, None);
        }
        answers[self.candidate] = Some(answer);
        self.next_step()
    }

    /// The pair to compare next. Elements at the same place are tried first, since texts are mostly
    /// in the same order.
    fn question(&self) -> (usize, usize) {
        let wanted = self.moving[self.mover];
        (wanted, (wanted + self.candidate) % self.found.len())
    }

    fn next_step(&mut self) -> Step {
        while self.placing < self.wanted.len() {
            if self.mover == self.moving.len() {
                return Step::Impossible;
            }
            if self.candidate == self.found.len() {
                self.mover += 1;
                self.candidate = 0;
                continue;
            }
            let (wanted, found) = self.question();
            if self.reached_from[found].is_none() {
                match self.answers[wanted].get(self.candidate) {
                    None | Some(None) => return Step::Ask(self.wanted[wanted], self.found[found]),
                    Some(Some(false)) => {}
                    Some(Some(true)) => {
                        self.reached_from[found] = Some(wanted);
                        self.reached.push(found);
                        match self.taken_by[found] {
                            Some(owner) => self.moving.push(owner),
                            None => {
                                self.place(found);
                                continue;
                            }
                        }
                    }
                }
            }
            self.candidate += 1;
        }
        Step::Found
    }

    /// Gives the free element to the one it was reached from, that one's former place to whom it
    /// was reached from, and so on.
    fn place(&mut self, free: usize) {
        let mut free = free;
        while let Some(wanted) = self.reached_from[free] {
            self.taken_by[free] = Some(wanted);
            match self.place_of[wanted].replace(free) {
                Some(former) => free = former,
                None => break,
            }
        }
        self.placing += 1;
        self.moving.clear();
        self.moving.push(self.placing);
        self.mover = 0;
        self.candidate = 0;
        while let Some(found) = self.reached.pop() {
            self.reached_from[found] = None;
        }
    }
}

/// A number that stands for the value that a text shows: two that differ have the same one once in
/// 2^64. White space, paths and the order of sets and maps make no difference. What cannot be read
/// is taken as it stands. It is the same on every platform.
pub(super) fn fingerprint(text: &str) -> u64 {
    let is_word = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    if is_word && !text.contains("..") {
        return hash_of(NodeKind::Word, canonical_word(text).as_bytes());
    }
    match Document::parse(text) {
        Ok(document) => Hashes::below(document.root()).of(document.root),
        Err(_) => hash_of(NodeKind::Wrapper, text.as_bytes()),
    }
}

/// For each part below a root a hash that is equal if the parts match each other.
struct Hashes {
    first: u32,
    hashes: Vec<u64>,
}

impl Hashes {
    fn below(root: Sketch<'_>) -> Hashes {
        let arena = &root.document.arena;
        let first = arena.first_position(root.index);
        let end = arena.node(root.index).next();
        let mut all = Hashes { first, hashes: vec![0; (end - first) as usize] };
        // Parts stand behind what they are part of, so backwards they come first.
        for index in (first..end).rev() {
            let hash = all.hash(Sketch { document: root.document, index });
            all.hashes[(index - first) as usize] = hash;
            // Except for the start of a range, which stands before it.
            let node = arena.node(index);
            if node.starts_range() && node.next() < end {
                let start = all.of(arena.unwrapped(index));
                let range = &mut all.hashes[(node.next() - first) as usize];
                *range = mixed(*range, start);
            }
        }
        all
    }

    fn of(&self, index: u32) -> u64 {
        self.hashes[(index - self.first) as usize]
    }

    fn hash(&self, sketch: Sketch<'_>) -> u64 {
        let arena = &sketch.document.arena;
        let parts = arena.parts_of(sketch.index);
        if let Some(name) = unit_name(sketch) {
            return hash_of(NodeKind::Word, canonical_word(name).as_bytes());
        }
        let kind = sketch.node().kind();
        match kind {
            NodeKind::Hole | NodeKind::Wrapper => hash_of(kind, &[]),
            NodeKind::Text => hash_of(kind, &decode::string_bytes(sketch.text())),
            NodeKind::Char => mixed(hash_of(kind, &[]), sketch.character().map_or(u64::MAX, u64::from)),
            NodeKind::Word => unreachable!("a word is a unit name"),
            NodeKind::Tuple | NodeKind::List => self.in_order(hash_of(kind, &[]), parts),
            NodeKind::NamedTuple => self.in_order(hash_of(kind, sketch.name().as_bytes()), parts),
            NodeKind::Record | NodeKind::OpenRecord => {
                let head = hash_of(NodeKind::Record, sketch.name().as_bytes());
                self.in_any_order(head, parts, true)
            }
            NodeKind::Set => self.in_any_order(hash_of(kind, &[]), parts, false),
            NodeKind::Map | NodeKind::Table => self.in_any_order(hash_of(kind, &[]), parts, true),
            NodeKind::Range | NodeKind::InclusiveRange | NodeKind::ExhaustedRange => {
                let end = arena.range_end(sketch.index).map_or(0, |end| self.of(end));
                mixed(hash_of(kind, &[]), end)
            }
        }
    }

    fn in_order(&self, head: u64, parts: Parts<'_>) -> u64 {
        parts.fold(head, |hash, part| mixed(hash, self.of(part)))
    }

    fn in_any_order(&self, head: u64, mut parts: Parts<'_>, in_pairs: bool) -> u64 {
        let mut sum = 0u64;
        while let Some(key) = parts.next() {
            let mut hash = mixed(0, self.of(key));
            if in_pairs && let Some(value) = parts.next() {
                hash = mixed(hash, self.of(value));
            }
            sum = sum.wrapping_add(hash);
        }
        mixed(head, sum)
    }
}

fn hash_of(kind: NodeKind, content: &[u8]) -> u64 {
    let mut hash = mixed(0x517c_c1b7_2722_0a95, kind as u64);
    for eight in content.chunks(8) {
        let mut word = [0; 8];
        word[..eight.len()].copy_from_slice(eight);
        hash = mixed(hash, u64::from_le_bytes(word));
    }
    hash = mixed(hash, content.len() as u64);
    hash ^ (hash >> 29)
}

/// The order of the two matters: `mixed(a, b)` is not `mixed(b, a)`.
fn mixed(hash: u64, part: u64) -> u64 {
    (hash.rotate_left(23) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
