//! Changes to the items of a list.

use super::Edited;
use super::places::Places;
use crate::choice::{Choices, Entry, Kind, Marker};
use std::ops::Range;

/// One more item, which is drawn.
pub(super) fn insert(places: &mut Places<'_>) -> Option<Edited> {
    let list = any_list(places, 0)?;
    let drawn = [Entry::marked(Marker::Anew)];
    let edited = match list.count {
        0 => {
            let one = places.choices.entries()[list.at].with_index(1).holding(1);
            places.with(list.at..list.at + 1, &[one, drawn[0]])
        }
        count => {
            let place = places.rng.at_most(count) as usize;
            list.with_put_in(places, place, &drawn)
        }
    };
    let usual = list.size / (list.count as usize).max(1);
    Some(Edited::of(edited).growing_like(usual, places.rng))
}

/// An item once more, next to itself or elsewhere.
pub(super) fn duplicate(places: &mut Places<'_>) -> Option<Edited> {
    let list = any_list(places, 1)?;
    let item = places.rng.at_most(list.count - 1) as usize;
    let place = match places.rng.at_most(1) {
        0 => item,
        _ => places.rng.at_most(list.count) as usize,
    };
    let choices = places.choices;
    let copied = &choices.entries()[list.item(choices, item)];
    Some(Edited::of(list.with_put_in(places, place, copied)))
}

/// Some items less: mostly one.
pub(super) fn delete(places: &mut Places<'_>) -> Option<Edited> {
    let list = any_list(places, 1)?;
    let first = places.rng.at_most(list.count - 1);
    let most = match places.rng.at_most(3) {
        0 => (list.count - first).min(1 + list.count / 4),
        _ => 1,
    };
    let gone = 1 + places.rng.at_most(most - 1);
    let place =
        list.item(places.choices, first as usize).start..list.item(places.choices, (first + gone - 1) as usize).end;
    let mut edited = places.with(place, &[]);
    edited.set_count(list.at, list.count - gone);
    Some(Edited::of(edited))
}

/// An item at another place.
pub(super) fn relocate(places: &mut Places<'_>) -> Option<Edited> {
    let list = any_list(places, 2)?;
    let from = places.rng.at_most(list.count - 1);
    let to = (from + 1 + places.rng.at_most(list.count - 2)) % list.count;
    let (choices, entries) = (places.choices, places.choices.entries());
    let (from, to) = (list.item(choices, from as usize), list.item(choices, to as usize));
    // What lies between the two changes places with the item.
    let (place, by) = match from.start < to.start {
        true => (from.start..to.end, [&entries[from.end..to.end], &entries[from]].concat()),
        false => (to.start..from.end, [&entries[from.clone()], &entries[to.start..from.start]].concat()),
    };
    Some(Edited::of(places.with(place, &by)))
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
    let (count, size) = (entry.index(), entry.extent());
    // A tree that was written by hand may count what is not there.
    (count as usize == places.choices.children(at).count()).then_some(List { at, count, size })
}

impl List {
    /// The entries of an item.
    fn item(&self, choices: &Choices, item: usize) -> Range<usize> {
        // Where every item is one entry, there is no need to count.
        let start = match self.size as u64 == self.count {
            true => Some(self.at + 1 + item),
            false => choices.children(self.at).nth(item),
        };
        let start = start.unwrap_or(self.at + 1);
        start..choices.end_of(start)
    }

    /// The choices with one more item before the one at `place`, or after the last. There is an item already.
    fn with_put_in(&self, places: &mut Places<'_>, place: usize, new: &[Entry]) -> Choices {
        let choices = places.choices;
        let entries = choices.entries();
        let mut edited = if place as u64 == self.count {
            let last = self.item(choices, place - 1);
            places.with(last.clone(), &[&entries[last], new].concat())
        } else {
            let next = self.item(choices, place);
            places.with(next.clone(), &[new, &entries[next]].concat())
        };
        edited.set_count(self.at, self.count + 1);
        edited
    }
}
