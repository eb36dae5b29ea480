//! The values that the pool keeps, as choices.

use crate::choice::{Choices, Entry};
use crate::source::Rng;

/// Where a node stands: in which slot, and at which entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) slot: u32,
    pub(super) at: u32,
}

/// A value of the pool.
#[derive(Default)]
pub(super) struct Slot {
    pub(super) entries: Vec<Entry>,
    /// For each entry a number that stands for the place in the generator that made it.
    pub(super) labels: Vec<u32>,
    /// How often in a row nothing new came of it, halved when something does.
    pub(super) fails: u32,
    pub(super) like: Likeness,
    /// How many new values its line has made since one was given out.
    pub(super) steps: u32,
}

/// What a value is like.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Likeness {
    /// Values of one length that begin alike are of one kind.
    pub(super) kind: u64,
    /// Values that take the same arms, however often, are of one family.
    pub(super) family: u8,
}

/// Families of more values than that share a number.
pub(super) const FAMILIES: usize = 64;

impl Slot {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(super) fn end_of(&self, at: u32) -> u32 {
        at + 1 + self.entries[at as usize].extent() as u32
    }
}

/// All of them. Slots are filled in order and then only overwritten.
pub(super) struct Slots {
    slots: Vec<Slot>,
    /// Nodes in all slots together.
    entries: usize,
    /// How many slots each family has.
    of_family: [u32; FAMILIES],
}

/// How many slots are looked into for a part.
const LOOKS: usize = 3;

impl Slots {
    pub(super) fn new() -> Slots {
        Slots { slots: Vec::new(), entries: 0, of_family: [0; FAMILIES] }
    }

    #[inline]
    pub(super) fn get(&self, slot: u32) -> &Slot {
        &self.slots[slot as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn entries(&self) -> usize {
        self.entries
    }

    /// Nodes in a slot, or 0 if it is a new one.
    pub(super) fn len_of(&self, slot: usize) -> usize {
        self.slots.get(slot).map_or(0, Slot::len)
    }

    pub(super) fn get_mut(&mut self, slot: usize) -> &mut Slot {
        &mut self.slots[slot]
    }

    /// How many slots the family of a value has.
    pub(super) fn kin(&self, like: Likeness) -> u32 {
        self.of_family[usize::from(like.family)]
    }

    pub(super) fn any(&self, rng: &mut Rng) -> usize {
        rng.at_most(self.slots.len() as u64 - 1) as usize
    }

    /// Puts a value into a slot, or into a new one behind the last.
    pub(super) fn put(&mut self, slot: usize, like: Likeness, made: &Choices, labels: &[u32]) {
        match self.slots.get(slot) {
            Some(before) => self.of_family[usize::from(before.like.family)] -= 1,
            None => self.slots.push(Slot::default()),
        }
        self.of_family[usize::from(like.family)] += 1;
        let kept = &mut self.slots[slot];
        self.entries = self.entries + made.len() - kept.entries.len();
        kept.entries.clear();
        kept.entries.extend_from_slice(made.entries());
        kept.labels.clear();
        kept.labels.extend_from_slice(labels);
        kept.fails = 0;
        kept.like = like;
    }

    /// A node with this label, in one of the slots.
    pub(super) fn find(&self, label: u32, rng: &mut Rng) -> Option<Place> {
        if self.slots.is_empty() || label == 0 {
            return None;
        }
        for _ in 0..LOOKS {
            let slot = self.any(rng);
            let labels = &self.slots[slot].labels;
            if labels.is_empty() {
                continue;
            }
            let start = rng.at_most(labels.len() as u64 - 1) as usize;
            let (before, behind) = labels.split_at(start);
            let found = match behind.iter().position(|other| *other == label) {
                Some(place) => Some(start + place),
                None => before.iter().position(|other| *other == label),
            };
            if let Some(at) = found {
                return Some(Place { slot: slot as u32, at: at as u32 });
            }
        }
        None
    }
}
