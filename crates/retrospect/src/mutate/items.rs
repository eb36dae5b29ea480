//! Changes to the items of a list.

use super::Change;
use super::places::{Places, no_overlap};
use crate::choice::{Choices, Entry, Kind, Marker};
use std::ops::Range;

/// One more item, which is drawn.
pub(super) fn insert(places: &mut Places<'_>) -> Option<Change> {
    let list = any_list(places, 0)?;
    let drawn = Entry::marked(Marker::Anew);
    let change = match list.count {
        0 => {
            let one = places.choices.entries()[list.at].with_index(1).holding(1);
            places.replace(list.at..list.at + 1, &[one, drawn])
        }
        count => {
            let place = places.rng.at_most(count);
            list.put_in(places, place, &[drawn])
        }
    };
    let usual = list.size / (list.count as usize).max(1);
    Some(change.growing_like(usual, places.rng))
}

/// An item once more, next to itself or elsewhere.
pub(super) fn duplicate(places: &mut Places<'_>) -> Option<Change> {
    let list = any_list(places, 1)?;
    let item = places.rng.at_most(list.count - 1);
    let place = match places.rng.at_most(1) {
        0 => item,
        _ => places.rng.at_most(list.count),
    };
    let choices = places.choices;
    let copied = &choices.entries()[list.item(choices, item)];
    Some(list.put_in(places, place, copied))
}

/// Some items less: mostly one.
pub(super) fn delete(places: &mut Places<'_>) -> Option<Change> {
    let list = any_list(places, 1)?;
    let first = places.rng.at_most(list.count - 1);
    let most = match places.rng.at_most(3) {
        0 => (list.count - first).min(1 + list.count / 4),
        _ => 1,
    };
    let gone = 1 + places.rng.at_most(most - 1);
    let choices = places.choices;
    let place = list.item(choices, first).start..list.item(choices, first + gone - 1).end;
    if gone > 1 && !list.has_items_before(choices, place.end) {
        return None;
    }
    let edited = places.copy();
    edited.replace(place, &[]);
    edited.set_count(list.at, list.count - gone);
    Some(Change::at(list.at))
}

/// An item at another place.
pub(super) fn relocate(places: &mut Places<'_>) -> Option<Change> {
    let list = any_list(places, 2)?;
    let from = places.rng.at_most(list.count - 1);
    let to = (from + 1 + places.rng.at_most(list.count - 2)) % list.count;
    let (choices, entries) = (places.choices, places.choices.entries());
    let (from, to) = (list.item(choices, from), list.item(choices, to));
    if !no_overlap(&from, &to) {
        return None;
    }
    // What lies between the two changes places with the item.
    let (place, first, second) = match from.start < to.start {
        true => (from.start..to.end, from.end..to.end, from),
        false => (to.start..from.end, from.clone(), to.start..from.start),
    };
    let change = Change::at(place.start);
    let edited = places.copy();
    edited.overwrite(place.start + first.len(), &entries[second]);
    edited.overwrite(place.start, &entries[first]);
    Some(change)
}

/// A repeat in the tree.
struct List {
    at: usize,
    count: u64,
    /// How many entries its items have.
    size: usize,
}

fn any_list(places: &mut Places<'_>, least: u64) -> Option<List> {
    let at = places.find(|_, entry| entry.kind() == Kind::Repeat && entry.index() >= least)?;
    let entry = places.choices.entries()[at];
    let list = List { at, count: entry.index(), size: entry.extent() };
    // A tree that was written by hand may count what is not there.
    (list.is_plain() || list.count as usize == places.choices.children(at).count()).then_some(list)
}

impl List {
    /// Whether every item is one entry. If the count is wrong, what is taken for an item is a node all the same.
    fn is_plain(&self) -> bool {
        self.size as u64 == self.count
    }

    /// Whether what is taken for items before `end` really are items, so that several of them are neighbours.
    fn has_items_before(&self, choices: &Choices, end: usize) -> bool {
        !self.is_plain() || choices.entries()[self.at + 1..end].iter().all(|entry| entry.extent() == 0)
    }

    /// The entries of an item.
    fn item(&self, choices: &Choices, item: u64) -> Range<usize> {
        let start = match self.is_plain() {
            true => Some(self.at + 1 + item as usize),
            false => choices.children(self.at).nth(item as usize),
        };
        let start = start.unwrap_or(self.at + 1);
        start..choices.end_of(start)
    }

    /// Puts one more item before the one at `place`, or after the last. There is an item already.
    fn put_in(&self, places: &mut Places<'_>, place: u64, new: &[Entry]) -> Change {
        let is_last = place == self.count;
        let next = self.item(places.choices, place - u64::from(is_last));
        let edited = places.copy();
        edited.insert(if is_last { next.end } else { next.start }, &next, new);
        edited.set_count(self.at, self.count + 1);
        Change::at(self.at)
    }
}
