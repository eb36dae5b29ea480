//! Where in a tree something is changed.

use super::{Plan, Planned};
use crate::choice::{Choices, Entry, Kind, STEPS};
use crate::source::Rng;
use std::ops::Range;

/// A tree, and chance to find a place in it.
pub(super) struct Places<'p> {
    pub(super) choices: &'p Choices,
    pub(super) rng: &'p mut Rng,
    /// What becomes the change.
    pub(super) plan: &'p mut Plan,
}

/// How often another place is looked for, if one holds more than a quarter of the tree. Now and
/// then a large part is changed.
const RETHROWS: usize = 5;

impl Places<'_> {
    /// Plans to put another choice in the place of one.
    pub(super) fn replace_one(&mut self, at: usize, by: Entry) -> Planned {
        self.plan.only_one().set(at..at + 1, &[by]);
        self.plan.is_complete()
    }

    /// Plans to put other nodes in the place of some. `None` if they are the same.
    pub(super) fn replace(&mut self, place: Range<usize>, by: &[Entry]) -> Planned {
        self.plan.only_one().set(place, by);
        self.plan.complete(0, self.choices)
    }

    /// The same for some items of the list at `list`, which has `count` of them then.
    pub(super) fn replace_items(&mut self, list: usize, count: u64, place: Range<usize>, by: &[Entry]) -> Planned {
        self.plan.only_one().set_items(list, count, place, by);
        self.plan.is_complete()
    }

    /// What is missing may become about as large as these many nodes.
    pub(super) fn grow_like(&mut self, nodes: usize) -> Planned {
        self.plan.growth = self.rng.at_most(nodes as u64 * 3 / 2 + 4).min(u64::from(u32::MAX)) as u32;
        Some(())
    }

    /// The entries of the node at `at`.
    pub(super) fn node(&self, at: usize) -> Range<usize> {
        at..self.choices.end_of(at)
    }

    /// Any node, mostly a small one.
    pub(super) fn small(&mut self) -> Option<usize> {
        let count = self.choices.len();
        let mut at = self.any(0..count)?;
        for _ in 0..RETHROWS {
            if self.choices.entries()[at].extent() <= count / 4 {
                break;
            }
            at = self.any(0..count)?;
        }
        (!self.is_step(at)).then_some(at)
    }

    /// A node of which `is_wanted` says yes.
    pub(super) fn find(&mut self, is_wanted: impl FnMut(usize, Entry) -> bool) -> Option<usize> {
        self.find_in(0..self.choices.len(), is_wanted)
    }

    /// The same among these entries: the first from a random one on, and round to the beginning.
    pub(super) fn find_in(
        &mut self,
        among: Range<usize>,
        mut is_wanted: impl FnMut(usize, Entry) -> bool,
    ) -> Option<usize> {
        let middle = self.any(among.clone())?;
        let entries = self.choices.entries();
        for part in [middle..among.end, among.start..middle] {
            let first = part.start;
            for (place, entry) in entries[part].iter().enumerate() {
                let at = first + place;
                if is_wanted(at, *entry) && !self.is_step(at) {
                    return Some(at);
                }
            }
        }
        None
    }

    fn any(&mut self, among: Range<usize>) -> Option<usize> {
        if among.is_empty() {
            return None;
        }
        Some(among.start + self.rng.at_most(among.len() as u64 - 1) as usize)
    }

    /// Whether this is a step of a shrinker that was written by hand: such steps say how a value
    /// was made smaller, and are no part of it.
    fn is_step(&self, at: usize) -> bool {
        let (entries, steps) = (self.choices.entries(), STEPS.known_id());
        if steps == 0 {
            return false;
        }
        let is_steps = |entry: Entry| entry.kind() == Kind::Call && entry.name_id() == steps;
        // Steps are numbers that stand right behind their bracket.
        let bracket = entries[..=at].iter().rposition(|entry| entry.kind() != Kind::Number);
        bracket.is_some_and(|bracket| is_steps(entries[bracket]) && at < self.choices.end_of(bracket))
    }
}

/// Whether one node may stand for the other: what the same generator made, as far as is known, or
/// numbers of the same range.
pub(super) fn is_alike(one: Entry, other: Entry) -> bool {
    one.kind() == other.kind()
        && match one.kind() {
            Kind::Pick | Kind::Call => one.site_id() == other.site_id(),
            Kind::Number => one.bound() == other.bound(),
            Kind::Repeat | Kind::Part => true,
        }
}

pub(super) fn no_overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.end <= other.start || other.end <= one.start
}
