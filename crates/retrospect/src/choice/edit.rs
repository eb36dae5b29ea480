//! Changed copies of a choice tree, for shrinking and mutation. Each costs one pass over the flat vector, however many places change.

use super::tree::{Choices, Entry, Kind};
use std::ops::Range;

/// Some whole neighbouring nodes of a tree, and what takes their place: whole nodes of the same tree, or none.
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

/// What stands in a tree in the place of a node that is to be made anew; see [`Recovery`](crate::source::Recovery). It never leaves the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    /// It is drawn.
    Anew,
    /// It is the simplest.
    Simplest,
}

impl Entry {
    /// A node in whose place something else is made.
    pub(crate) fn marked(marker: Marker) -> Entry {
        Entry::bracket(Kind::Part, 1 + marker as u32).holding(0)
    }

    /// What is to be made in the place of this node, if it is a marker. Brackets of parts have no name otherwise.
    #[inline]
    pub(crate) fn marker(self) -> Option<Marker> {
        match (self.kind(), self.name_id()) {
            (Kind::Part, 1) => Some(Marker::Anew),
            (Kind::Part, 2) => Some(Marker::Simplest),
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

impl Choices {
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

    pub(crate) fn set_number(&mut self, at: usize, index: u64) {
        let entry = &mut self.entries_mut()[at];
        if entry.kind() == Kind::Number {
            entry.set_index(index);
        }
    }

    pub(crate) fn set_count(&mut self, at: usize, count: u64) {
        let entry = &mut self.entries_mut()[at];
        if entry.kind() == Kind::Repeat {
            entry.set_index(count);
        }
    }

    /// The same choices with another arm at one pick. Its body stays, as far as the other arm has use for it, or is left to be the simplest.
    pub(crate) fn with_arm(&self, at: usize, arm: usize, keeps_body: bool) -> Choices {
        let mut changed = self.clone();
        changed.entries_mut()[at].set_arm(arm);
        if keeps_body {
            return changed;
        }
        let body = at + 1..changed.end_of(at);
        changed.spliced(&[Splice::delete(body)])
    }

    /// The same choices with some nodes replaced. The splices stand in order and do not overlap; those without a place change nothing.
    pub(crate) fn spliced(&self, splices: &[Splice]) -> Choices {
        let old = self.entries();
        let grown: usize = splices.iter().map(|splice| splice.by.len()).sum();
        let mut entries: Vec<Entry> = Vec::with_capacity(old.len() + grown);
        // The brackets around the present place that hold a change: where each stands in the copy, and where it ends in the original.
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

    /// Puts whole nodes in the place of one or more others, and corrects the brackets around them, but for the counts of repeats.
    pub(crate) fn replace(&mut self, place: Range<usize>, by: &[Entry]) {
        if by.len() == place.len() {
            return self.overwrite(place.start, by);
        }
        self.widen_around(&place, by.len() as i64 - place.len() as i64);
        self.splice(place, by);
    }

    /// Puts whole nodes before or after others, which are whole as well, and corrects the brackets around these, but for the counts of repeats.
    pub(crate) fn insert(&mut self, at: usize, neighbours: &Range<usize>, new: &[Entry]) {
        self.widen_around(neighbours, new.len() as i64);
        self.splice(at..at, new);
    }

    /// Puts whole nodes in the place of others of the same size.
    pub(crate) fn overwrite(&mut self, at: usize, by: &[Entry]) {
        self.entries_mut()[at..at + by.len()].copy_from_slice(by);
    }

    /// Says of the brackets around whole nodes that they hold so many entries more.
    fn widen_around(&mut self, nodes: &Range<usize>, by: i64) {
        for (at, entry) in self.entries_mut()[..nodes.start].iter_mut().enumerate() {
            if entry.kind() != Kind::Number && at + 1 + entry.extent() >= nodes.end {
                entry.set_extent((entry.extent() as i64 + by) as u32);
            }
        }
    }

    /// The same choices with whole trees in the place of some nodes, which stand in order and do not overlap.
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
    fn nodes_are_put_in_and_replaced_in_place() {
        let edited = |edit: &dyn Fn(&mut Choices)| {
            let mut edited = choices("([1 2 [3 4] 5] 6 [7])");
            edit(&mut edited);
            // Strict about how much each bracket holds.
            assert!(edited.roots().eq([0]) && edited.end_of(0) == edited.len(), "{edited}");
            edited.to_string()
        };
        let numbers = [Entry::number(8, 9), Entry::number(9, 9)];
        assert_eq!(edited(&|tree| tree.replace(2..3, &numbers[..1])), "([8 2 [3 4] 5] 6 [7])");
        assert_eq!(edited(&|tree| tree.replace(4..7, &numbers)), "([1 2 8 9 5] 6 [7])");
        assert_eq!(edited(&|tree| tree.replace(5..6, &numbers)), "([1 2 [8 9 4] 5] 6 [7])");
        assert_eq!(edited(&|tree| tree.replace(10..11, &[])), "([1 2 [3 4] 5] 6 [])");
        assert_eq!(edited(&|tree| tree.insert(5, &(5..6), &numbers)), "([1 2 [8 9 3 4] 5] 6 [7])");
        assert_eq!(edited(&|tree| tree.insert(7, &(6..7), &numbers)), "([1 2 [3 4 8 9] 5] 6 [7])");
        assert_eq!(edited(&|tree| tree.insert(11, &(10..11), &numbers)), "([1 2 [3 4] 5] 6 [7 8 9])");
        assert_eq!(edited(&|tree| tree.overwrite(5, &numbers)), "([1 2 [8 9] 5] 6 [7])");
    }

    #[test]
    fn an_arm_keeps_its_body_or_loses_it() {
        let before = choices("(1:node(4 0:leaf) 3)");
        assert_eq!(before.with_arm(1, 0, true).nodes().len(), 1);
        assert_eq!(before.with_arm(1, 0, true).to_string(), "(0:(4 0:leaf) 3)");
        assert_eq!(before.with_arm(1, 0, false).to_string(), "(0: 3)");
    }
}
