//! Changes to the items of a list.

use super::Planned;
use super::places::{Places, no_overlap};
use crate::choice::{Choices, Entry, Kind, Marker};
use std::ops::Range;

/// One more item, which is drawn.
pub(super) fn insert(places: &mut Places<'_>) -> Planned {
    let list = any_list(places, 0)?;
    let drawn = Entry::marked(Marker::Anew);
    let place = places.rng.at_most(list.count);
    list.put_in(places, place, &[drawn])?;
    places.grow_like(list.size / (list.count as usize).max(1))
}

/// An item once more, next to itself or elsewhere.
pub(super) fn duplicate(places: &mut Places<'_>) -> Planned {
    let list = any_list(places, 1)?;
    let item = places.rng.at_most(list.count - 1);
    let place = match places.rng.at_most(1) {
        0 => item,
        _ => places.rng.at_most(list.count),
    };
    let choices = places.choices;
    let copied = &choices.entries()[list.item(choices, item)];
    list.put_in(places, place, copied)
}

/// Some items less: mostly one.
pub(super) fn delete(places: &mut Places<'_>) -> Planned {
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
    places.replace_items(list.at, list.count - gone, place, &[])
}

/// An item at another place.
pub(super) fn relocate(places: &mut Places<'_>) -> Planned {
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
    let exchange = places.plan.only_one();
    exchange.set(place, &entries[first]);
    exchange.add(&entries[second]);
    places.plan.complete(0, choices)
}

/// A repeat in the tree.
struct List {
    at: usize,
    count: u64,
    /// How many entries its items have.
    size: usize,
}

fn any_list(places: &mut Places<'_>, least: u64) -> Option<List> {
    let is_list = |entry: Entry| entry.kind() == Kind::Repeat && entry.index() >= least;
    let at = match places.choices.entries().first() {
        // Of a list of single entries, it is an item that is a list itself, or else the whole.
        Some(whole) if is_list(*whole) && whole.index() + 1 == places.choices.len() as u64 => {
            let at = places.rng.at_most(whole.index()) as usize;
            if is_list(places.choices.entries()[at]) { at } else { 0 }
        }
        _ => places.find(|_, entry| is_list(entry))?,
    };
    let entry = places.choices.entries()[at];
    let list = List { at, count: entry.index(), size: entry.extent() };
    // A tree that was written by hand may count what is not there.
    (list.is_plain() || list.count as usize == places.choices.children(at).count()).then_some(list)
}

impl List {
    /// Whether every item is one entry. If the count is wrong, what is taken for an item is a node
    /// all the same.
    fn is_plain(&self) -> bool {
        self.size as u64 == self.count
    }

    /// Whether what is taken for items before `end` really are items, so that several of them are
    /// neighbours.
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

    /// Puts one more item before the one at `place`, or after the last.
    fn put_in(&self, places: &mut Places<'_>, place: u64, new: &[Entry]) -> Planned {
        let at =
            if place == self.count { places.choices.end_of(self.at) } else { self.item(places.choices, place).start };
        places.replace_items(self.at, self.count + 1, at..at, new)
    }
}
