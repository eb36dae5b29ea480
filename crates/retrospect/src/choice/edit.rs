//! Changed copies of a choice tree, for shrinking and mutation. Each costs one pass over the flat
//! vector, however many places change.

use super::tree::{Choices, Entry, Kind};
use std::ops::Range;

/// Some whole neighbouring nodes of a tree, and what takes their place: whole nodes of the same
/// tree, or none.
#[derive(Clone)]
pub(crate) struct Splice {
    pub(crate) place: Range<usize>,
    pub(crate) by: Vec<Entry>,
}

impl Splice {
    /// Takes nodes away.
    pub(crate) fn delete(place: Range<usize>) -> Splice {
        Splice { place, by: Vec::new() }
    }
}

/// Whole nodes that are put in the place of others, which are kept for that: exchanged once more, a
/// tree is what it was.
#[derive(Default)]
pub(crate) struct Exchange {
    place: Range<usize>,
    nodes: Vec<Entry>,
    /// If they are items of a list, where that stands and how many it has with them.
    list: Option<(usize, u64)>,
}

impl Exchange {
    /// Becomes the exchange of one or more nodes for others. The counts of lists around them stay.
    #[inline]
    pub(crate) fn set(&mut self, place: Range<usize>, nodes: &[Entry]) {
        self.place = place;
        self.list = None;
        self.nodes.clear();
        match nodes {
            // Mostly it is one.
            [node] => self.nodes.push(*node),
            nodes => self.nodes.extend_from_slice(nodes),
        }
    }

    /// Adds more nodes behind those that take the place.
    pub(crate) fn add(&mut self, nodes: &[Entry]) {
        self.nodes.extend_from_slice(nodes);
    }

    /// Becomes the exchange of some items, or none, of the list at `list`, which has `count` of
    /// them then.
    pub(crate) fn set_items(&mut self, list: usize, count: u64, place: Range<usize>, items: &[Entry]) {
        self.set(place, items);
        self.list = Some((list, count));
    }

    /// Whether the nodes before and after differ.
    pub(crate) fn changes(&self, choices: &Choices) -> bool {
        differ(&choices.entries()[self.place.clone()], &self.nodes)
    }
}

/// Whether nodes differ in a choice or in how much a bracket holds.
pub(crate) fn differ(one: &[Entry], other: &[Entry]) -> bool {
    let is_same = |(one, other): (&Entry, &Entry)| {
        one.kind() == other.kind()
            && one.extent() == other.extent()
            && match one.kind() {
                Kind::Number | Kind::Repeat => one.index() == other.index(),
                Kind::Pick => one.arm() == other.arm() && one.site_id() == other.site_id(),
                Kind::Call | Kind::Part => one.marker() == other.marker(),
            }
    };
    one.len() != other.len() || !one.iter().zip(other).all(is_same)
}

/// What stands in a tree in the place of a node that is to be made anew; see
/// [`Replay`](crate::source::Replay). It never leaves the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    /// It is drawn.
    Anew,
    /// It is the simplest.
    Simplest,
    /// It is drawn, and was a number: that with the index of the marker.
    Redrawn,
}

impl Entry {
    /// A node in whose place something else is made.
    pub(crate) fn marked(marker: Marker) -> Entry {
        Entry::bracket(Kind::Part, 1 + marker as u32).holding(0)
    }

    /// What is to be made in the place of this node, if it is a marker. Brackets of parts have no
    /// name otherwise.
    #[inline]
    pub(crate) fn marker(self) -> Option<Marker> {
        match (self.kind(), self.name_id()) {
            (Kind::Part, 1) => Some(Marker::Anew),
            (Kind::Part, 2) => Some(Marker::Simplest),
            (Kind::Part, 3) => Some(Marker::Redrawn),
            _ => None,
        }
    }

    /// A node that fits nowhere: a lenient replay answers it with the simplest.
    pub(crate) fn simplest() -> Entry {
        Entry::bracket(Kind::Call, 0).holding(0)
    }

    /// The same number with another index, or the same repeat with another count.
    pub(crate) fn with_index(mut self, index: u64) -> Entry {
        self.set_index(index);
        self
    }

    /// The same pick with another arm.
    pub(crate) fn with_arm(mut self, arm: usize) -> Entry {
        self.set_arm(arm);
        self
    }

    /// The same bracket around as many entries.
    pub(crate) fn holding(mut self, extent: usize) -> Entry {
        self.set_extent(extent as u32);
        self
    }
}

/// More brackets inside one another are deep.
const DEEP: usize = 500;

impl Choices {
    /// Whether so many brackets stand inside one another that ordinary recursive code on what they
    /// make may need more stack than a test thread has.
    pub(crate) fn is_deep(&self) -> bool {
        if self.len() <= DEEP {
            return false;
        }
        let mut ends = Vec::new();
        self.entries().iter().enumerate().any(|(at, entry)| {
            while ends.pop_if(|end| *end <= at).is_some() {}
            if entry.extent() > 0 {
                ends.push(at + 1 + entry.extent());
            }
            ends.len() > DEEP
        })
    }

    /// One past the last entry of the node at `at`.
    #[inline]
    pub(crate) fn end_of(&self, at: usize) -> usize {
        at + 1 + self.entries()[at].extent()
    }

    /// The same choices with other numbers.
    pub(crate) fn with_numbers(&self, numbers: impl IntoIterator<Item = (usize, u64)>) -> Choices {
        let mut changed = self.clone();
        for (at, index) in numbers {
            changed.set_number(at, index);
        }
        changed
    }

    /// Changes a number. A place that holds none is left alone: another tree may be shorter, or
    /// have another shape.
    pub(crate) fn set_number(&mut self, at: usize, index: u64) {
        if let Some(entry) = self.entries_mut().get_mut(at).filter(|entry| entry.kind() == Kind::Number) {
            entry.set_index(index);
        }
    }

    /// The same choices with another arm at one pick. Its body stays, as far as the other arm has
    /// use for it, or is left to be the simplest.
    pub(crate) fn with_arm(&self, at: usize, arm: usize, keeps_body: bool) -> Choices {
        let mut changed = self.clone();
        changed.entries_mut()[at].set_arm(arm);
        if keeps_body {
            return changed;
        }
        let body = at + 1..changed.end_of(at);
        changed.spliced(&[Splice::delete(body)])
    }

    /// The same choices with some nodes replaced. The splices stand in order and do not overlap;
    /// those without a place change nothing.
    pub(crate) fn spliced(&self, splices: &[Splice]) -> Choices {
        let old = self.entries();
        let grown: usize = splices.iter().map(|splice| splice.by.len()).sum();
        let mut entries: Vec<Entry> = Vec::with_capacity(old.len() + grown);
        // The brackets around the present place that hold a change: where each stands in the copy,
        // and where it ends in the original.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let close = |entries: &mut [Entry], open: &mut Vec<(usize, usize)>, at: usize| {
            while let Some((place, _)) = open.pop_if(|(_, end)| *end <= at) {
                close_bracket(entries, place);
            }
        };
        let mut at = 0;
        for splice in splices.iter().filter(|splice| !splice.place.is_empty()) {
            while at < splice.place.start {
                close(&mut entries, &mut open, at);
                let end = self.end_of(at);
                if end < splice.place.end {
                    entries.extend_from_slice(&old[at..end]);
                    at = end;
                } else {
                    open.push((entries.len(), end));
                    entries.push(old[at]);
                    at += 1;
                }
            }
            close(&mut entries, &mut open, at);
            entries.extend_from_slice(&splice.by);
            at = splice.place.end;
        }
        while at < old.len() {
            close(&mut entries, &mut open, at);
            let end = open.last().map_or(old.len(), |(_, end)| *end);
            entries.extend_from_slice(&old[at..end]);
            at = end;
        }
        close(&mut entries, &mut open, usize::MAX);
        self.sharing(entries)
    }

    /// Puts whole nodes in the place of others, and corrects the brackets around them.
    #[inline]
    pub(crate) fn exchange(&mut self, exchange: &mut Exchange) {
        match (&mut exchange.nodes[..], self.entries_mut().get_mut(exchange.place.clone())) {
            ([node], Some([place])) => std::mem::swap(node, place),
            _ => self.exchange_many(exchange),
        }
    }

    #[inline(never)]
    fn exchange_many(&mut self, exchange: &mut Exchange) {
        let Exchange { place, nodes, list } = exchange;
        if nodes.len() == place.len() {
            return self.entries_mut()[place.clone()].swap_with_slice(nodes);
        }
        let (count, more) = (nodes.len(), nodes.len() as i64 - place.len() as i64);
        match list {
            Some((list, items)) => {
                self.widen_around(&(*list..self.end_of(*list)), more);
                let entry = &mut self.entries_mut()[*list];
                let items_before = std::mem::replace(items, entry.index());
                *entry = entry.with_index(items_before).holding((entry.extent() as i64 + more) as usize);
            }
            None => self.widen_around(place, more),
        }
        match (&nodes[..], place.len()) {
            ([node], 0) => {
                self.insert(place.start, *node);
                nodes.clear();
            }
            ([], 1) => nodes.push(self.remove_one(place.start)),
            _ => {
                nodes.extend_from_slice(&self.entries()[place.clone()]);
                self.splice(place.clone(), &nodes[..count]);
                nodes.drain(..count);
            }
        }
        place.end = place.start + count;
    }

    /// Says of the brackets around whole nodes that they hold so many entries more.
    fn widen_around(&mut self, nodes: &Range<usize>, by: i64) {
        let mut at = 0;
        while at < nodes.start {
            let end = self.end_of(at);
            if end < nodes.end {
                at = end;
                continue;
            }
            let entry = &mut self.entries_mut()[at];
            if entry.kind() != Kind::Number {
                *entry = entry.holding((entry.extent() as i64 + by) as usize);
            }
            at += 1;
        }
    }

    /// The same choices with whole trees in the place of some nodes, which stand in order and do
    /// not overlap.
    pub(crate) fn grafted(&self, grafts: &[(Range<usize>, Choices)]) -> Choices {
        let mut changed = self.clone();
        let mut splices = Vec::with_capacity(grafts.len());
        for (place, graft) in grafts {
            let by = changed.adopted(graft, 0..graft.len());
            splices.push(Splice { place: place.clone(), by });
        }
        changed.spliced(&splices)
    }

    /// Where each child of the node at `at` stands.
    pub(crate) fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        self.neighbours(at + 1, self.end_of(at))
    }

    /// Where each node at the top stands.
    pub(crate) fn roots(&self) -> impl Iterator<Item = usize> + '_ {
        self.neighbours(0, self.len())
    }

    fn neighbours(&self, first: usize, end: usize) -> impl Iterator<Item = usize> + '_ {
        let mut next = first;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.end_of(child);
                child
            })
        })
    }
}

/// Notes how much the bracket at `place`, the last one still open, holds.
fn close_bracket(entries: &mut [Entry], place: usize) {
    let extent = entries.len() - place - 1;
    entries[place].set_extent(extent as u32);
    if entries[place].kind() == Kind::Repeat {
        let mut count = 0;
        let mut at = place + 1;
        while at < entries.len() {
            at += 1 + entries[at].extent();
            count += 1;
        }
        entries[place].set_index(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(text: &str) -> Choices {
        text.parse().unwrap()
    }

    #[test]
    fn nodes_are_taken_away_wherever_they_stand() {
        let before = choices("([1 2 [3 4] 5] 6 [7])");
        let spliced = |splices: &[Splice]| before.spliced(splices).to_string();
        assert_eq!(spliced(&[]), before.to_string());
        assert_eq!(spliced(&[Splice::delete(2..4)]), "([[3 4] 5] 6 [7])");
        assert_eq!(spliced(&[Splice::delete(4..7)]), "([1 2 5] 6 [7])");
        assert_eq!(spliced(&[Splice::delete(5..6), Splice::delete(10..11)]), "([1 2 [4] 5] 6 [])");
        assert_eq!(spliced(&[Splice::delete(5..7), Splice::delete(8..9)]), "([1 2 [] 5] [7])");
        assert_eq!(spliced(&[Splice::delete(0..11)]), "");
        assert_eq!(spliced(&[Splice::delete(3..3)]), before.to_string());
    }

    #[test]
    fn nodes_take_the_place_of_others() {
        let before = choices("([1 2 [3 4] 5] 6 [7])");
        let inner = before.entries()[4..7].to_vec();
        assert_eq!(before.spliced(&[Splice { place: 1..8, by: inner }]).to_string(), "([3 4] 6 [7])");
        let number = before.entries()[5..6].to_vec();
        assert_eq!(
            before.spliced(&[Splice { place: 10..11, by: [number.clone(), number].concat() }]).to_string(),
            "([1 2 [3 4] 5] 6 [3 3])"
        );
    }

    #[test]
    fn nodes_are_exchanged_in_place_and_back() {
        let before = choices("([1 2 [3 4] 5] 6 [7])");
        let exchanged = |exchange: &mut Exchange| {
            let mut tree = before.clone();
            tree.exchange(exchange);
            // Strict about how much each bracket holds.
            assert!(tree.roots().eq([0]) && tree.end_of(0) == tree.len(), "{tree}");
            let text = tree.to_string();
            tree.exchange(exchange);
            assert!(tree == before && tree.end_of(0) == tree.len(), "{tree}");
            text
        };
        let numbers = [Entry::number(8, 9), Entry::number(9, 9)];
        let replaced = |place: Range<usize>, nodes: &[Entry]| {
            let mut exchange = Exchange::default();
            exchange.set(place, nodes);
            exchanged(&mut exchange)
        };
        assert_eq!(replaced(2..3, &numbers[..1]), "([8 2 [3 4] 5] 6 [7])");
        assert_eq!(replaced(4..7, &numbers), "([1 2 8 9 5] 6 [7])");
        assert_eq!(replaced(5..6, &numbers), "([1 2 [8 9 4] 5] 6 [7])");
        assert_eq!(replaced(10..11, &[]), "([1 2 [3 4] 5] 6 [])");
        assert_eq!(replaced(0..11, &numbers[..1]), "8");
        assert_eq!(replaced(5..7, &numbers), "([1 2 [8 9] 5] 6 [7])");
        let items = |list, count, place: Range<usize>, nodes: &[Entry]| {
            let mut exchange = Exchange::default();
            exchange.set_items(list, count, place, nodes);
            exchanged(&mut exchange)
        };
        assert_eq!(items(4, 4, 5..5, &numbers), "([1 2 [8 9 3 4] 5] 6 [7])");
        assert_eq!(items(4, 4, 7..7, &numbers), "([1 2 [3 4 8 9] 5] 6 [7])");
        assert_eq!(items(4, 1, 6..7, &[]), "([1 2 [3] 5] 6 [7])");
        assert_eq!(items(9, 3, 11..11, &numbers), "([1 2 [3 4] 5] 6 [7 8 9])");
    }

    #[test]
    fn nodes_differ_in_a_choice_or_in_how_much_there_is() {
        let of = |one: &str, other: &str| differ(choices(one).entries(), choices(other).entries());
        assert!(!of("(1 [2])", "(1 [2])"));
        assert!(of("(1 2)", "(1 3)"));
        assert!(of("(1 1:node)", "(1 0:leaf)"));
        assert!(of("[2]", "[]"));
        assert!(of("((1) 2)", "((1 3) 2)"));
        assert!(of("1", "1 2"));
    }

    #[test]
    fn an_arm_keeps_its_body_or_loses_it() {
        let before = choices("(1:node(4 0:leaf) 3)");
        assert_eq!(before.with_arm(1, 0, true).nodes().len(), 1);
        assert_eq!(before.with_arm(1, 0, true).to_string(), "(0:(4 0:leaf) 3)");
        assert_eq!(before.with_arm(1, 0, false).to_string(), "(0: 3)");
    }
}
