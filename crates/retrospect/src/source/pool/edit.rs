//! Edits of a value's choices: each proposes what may lead to another valid value.

use super::percent;
use super::slots::{Place, Slot, Slots};
use crate::choice::{Entry, Kind};
use crate::source::Rng;

/// A change of the node at `at` of the parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edit {
    pub(super) at: u32,
    pub(super) change: Change,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// This index, or this arm.
    Set(u64),
    /// Any index or arm but the present one.
    Other,
    /// All of the node is drawn.
    Fresh,
    /// Another node takes its place.
    Copy(Place),
    /// The node becomes a part of a new one.
    Wrap,
    /// One item more in a list, before that entry: a copy, or drawn.
    Insert { before: u32, copy: Option<Place> },
    /// One item less.
    Delete { item: u32 },
}

/// The kinds of edits. Each is tried as often as it was fruitful.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operator {
    Reroll,
    Step,
    Between,
    Shift,
    Regenerate,
    Hoist,
    Wrap,
    Splice,
    Swap,
    Insert,
    Delete,
    Carry,
}

use Operator::{Between, Carry, Delete, Hoist, Insert, Regenerate, Reroll, Shift, Splice, Step, Swap, Wrap};

pub(super) const OPERATORS: [Operator; 12] =
    [Reroll, Step, Between, Shift, Regenerate, Hoist, Wrap, Splice, Swap, Insert, Delete, Carry];

/// How often, in percent, one more edit is made at once: of a parent that is fruitful, and of one
/// that has failed so often.
const MORE: u64 = 15;
const MOST_MORE: u64 = 60;
const MOST_FAILS: u32 = 128;

/// How many numbers are shifted together.
const MOST_SHIFTED: usize = 64;

/// How often a node of the right kind is looked for.
const PROBES: usize = 8;

/// Up to this bound a step is one; above, it may be of any magnitude.
const SMALL_BOUND: u64 = 64;

/// Proposes edits of a parent: one by the operator, and some more by chance. `false` if the
/// operator finds nothing to change.
pub(super) fn propose(operator: Operator, slots: &Slots, parent: usize, rng: &mut Rng, edits: &mut Vec<Edit>) -> bool {
    edits.clear();
    let mut proposal = Proposal { slots, parent: parent as u32, slot: slots.get(parent as u32), rng, edits };
    if proposal.slot.len() == 0 || !proposal.apply(operator) {
        return false;
    }
    let more = MORE + u64::from(proposal.slot.fails.min(MOST_FAILS)) * (MOST_MORE - MORE) / u64::from(MOST_FAILS);
    while percent(proposal.rng, more) {
        // Simple ones and such as change the shape, in equal shares.
        let more = [Reroll, Step, Between, Regenerate, Wrap, Splice][proposal.rng.at_most(5) as usize];
        proposal.apply(more);
    }
    true
}

struct Proposal<'p> {
    slots: &'p Slots,
    parent: u32,
    slot: &'p Slot,
    rng: &'p mut Rng,
    edits: &'p mut Vec<Edit>,
}

impl Proposal<'_> {
    fn apply(&mut self, operator: Operator) -> bool {
        match operator {
            Reroll => self.choice().is_some_and(|at| self.change(at, Change::Other)),
            Step => self.step(),
            Between => self.between(),
            Shift => self.shift(),
            Regenerate => self.span().is_some_and(|at| self.change(at, Change::Fresh)),
            Hoist => self.hoist(),
            Wrap => self.span().is_some_and(|at| self.change(at, Change::Wrap)),
            Splice => self.splice(),
            Swap => self.swap(),
            Insert => self.insert(),
            Delete => self.delete(),
            Carry => self.carry(),
        }
    }

    fn change(&mut self, at: usize, change: Change) -> bool {
        self.edits.push(Edit { at: at as u32, change });
        true
    }

    fn probe(&mut self, is_wanted: impl Fn(&Slot, usize) -> bool) -> Option<usize> {
        for _ in 0..PROBES {
            let at = self.rng.at_most(self.slot.len() as u64 - 1) as usize;
            if is_wanted(self.slot, at) {
                return Some(at);
            }
        }
        None
    }

    /// A number or pick that could be another.
    fn choice(&mut self) -> Option<usize> {
        self.probe(|slot, at| {
            let entry = slot.entries[at];
            match entry.kind() {
                Kind::Number => entry.bound() > 0,
                Kind::Pick => entry.arms() > 1,
                _ => false,
            }
        })
    }

    /// What a generator made.
    fn span(&mut self) -> Option<usize> {
        self.probe(|slot, at| matches!(slot.entries[at].kind(), Kind::Call | Kind::Pick | Kind::Part))
    }

    fn step(&mut self) -> bool {
        let Some(at) = self.choice() else { return false };
        let entry = self.slot.entries[at];
        let dice = self.rng.next();
        let (index, bound) = match entry.kind() {
            Kind::Pick => (entry.arm() as u64, entry.arms() as u64 - 1),
            _ => (entry.index(), entry.bound()),
        };
        let length = if bound > SMALL_BOUND { self.magnitude(bound) } else { 1 };
        let index = match dice & 1 {
            0 if index < bound => index.saturating_add(length).min(bound),
            _ if index > 0 => index.saturating_sub(length),
            _ => index.saturating_add(length).min(bound),
        };
        self.change(at, Change::Set(index))
    }

    /// A length of which every number of bits is as likely.
    fn magnitude(&mut self, bound: u64) -> u64 {
        let bits = self.rng.at_most(u64::from(bound.ilog2()));
        (1 << bits) + self.rng.at_most((1 << bits) - 1)
    }

    /// A number becomes one between those that the same place of the generator made before it and
    /// behind it.
    fn between(&mut self) -> bool {
        let Some(at) = self.choice().filter(|at| self.slot.entries[*at].kind() == Kind::Number) else { return false };
        let (entries, labels) = (&self.slot.entries, &self.slot.labels);
        let is_same = |other: &usize| labels[*other] == labels[at];
        let before = (0..at).rev().find(is_same).map_or(0, |other| entries[other].index());
        let behind = (at + 1..entries.len()).find(is_same).map_or(entries[at].bound(), |other| entries[other].index());
        let (low, high) = (before.min(behind), before.max(behind));
        let index = low + self.rng.at_most(high - low);
        self.change(at, Change::Set(index))
    }

    /// The numbers that one place of the generator made, from one of them to the end of a part
    /// around it or of everything, become as much more or less.
    fn shift(&mut self) -> bool {
        let Some(first) = self.choice().filter(|at| self.slot.entries[*at].kind() == Kind::Number) else {
            return false;
        };
        let around = self.rng.at_most(first as u64) as usize;
        let end = self.end_of(around);
        let end = if end > first { end } else { self.slot.len() };
        let is_up = self.rng.next() & 1 == 0;
        let bound = self.slot.entries[first].bound();
        let length = if bound > SMALL_BOUND && self.rng.next() & 1 == 0 { self.magnitude(bound) } else { 1 };
        for at in first..end {
            let entry = self.slot.entries[at];
            if self.slot.labels[at] != self.slot.labels[first] || self.edits.len() == MOST_SHIFTED {
                continue;
            }
            let Some(index) = moved(entry, is_up, length) else {
                self.edits.clear();
                return false;
            };
            self.change(at, Change::Set(index));
        }
        true
    }

    /// Another node with the label of the one at `at`, within `from..to`, from a random place on.
    fn same(&mut self, at: usize, from: usize, to: usize) -> Option<usize> {
        if from >= to {
            return None;
        }
        let start = from + self.rng.at_most((to - from - 1) as u64) as usize;
        let label = self.slot.labels[at];
        let is_same = |other: &usize| self.slot.labels[*other] == label && *other != at;
        (start..to).find(is_same).or_else(|| (from..start).find(is_same))
    }

    fn own(&self, at: usize) -> Change {
        Change::Copy(Place { slot: self.parent, at: at as u32 })
    }

    fn end_of(&self, at: usize) -> usize {
        self.slot.end_of(at as u32) as usize
    }

    /// A part of the same generator takes the place of what it is a part of.
    fn hoist(&mut self) -> bool {
        let Some(at) = self.span().filter(|at| self.slot.labels[*at] != 0) else { return false };
        let end = self.end_of(at);
        match self.same(at, at + 1, end) {
            Some(inner) => self.change(at, self.own(inner)),
            None => false,
        }
    }

    /// What the same generator made in another value takes the place of a part.
    fn splice(&mut self) -> bool {
        let Some(at) = self.span().filter(|at| self.slot.labels[*at] != 0) else { return false };
        match self.slots.find(self.slot.labels[at], self.rng) {
            Some(other) => self.change(at, Change::Copy(other)),
            None => false,
        }
    }

    /// Two parts of the same generator change places.
    fn swap(&mut self) -> bool {
        let Some(one) = self.probe(|slot, at| slot.labels[at] != 0) else { return false };
        let Some(other) = self.same(one, 0, self.slot.len()) else { return false };
        let (one, other) = (one.min(other), one.max(other));
        if other < self.end_of(one) {
            return false;
        }
        self.change(one, self.own(other)) && self.change(other, self.own(one))
    }

    /// A list, with the entry of one of its items, or the end of the list.
    fn item(&mut self, may_be_end: bool) -> Option<(usize, usize)> {
        let list = self.probe(|slot, at| slot.entries[at].kind() == Kind::Repeat)?;
        let count = self.slot.entries[list].index();
        if count == 0 {
            return may_be_end.then_some((list, list + 1));
        }
        let mut at = list + 1;
        for _ in 0..self.rng.at_most(if may_be_end { count } else { count - 1 }) {
            at = self.end_of(at);
        }
        Some((list, at))
    }

    fn insert(&mut self) -> bool {
        let Some((list, before)) = self.item(true) else { return false };
        let is_drawn = self.rng.next() & 1 == 0;
        let copy = match self.item(false) {
            Some((_, item)) if !is_drawn => Some(Place { slot: self.parent, at: item as u32 }),
            _ => None,
        };
        self.change(list, Change::Insert { before: before as u32, copy })
    }

    fn delete(&mut self) -> bool {
        match self.item(false) {
            Some((list, item)) => self.change(list, Change::Delete { item: item as u32 }),
            None => false,
        }
    }

    /// A part changes, and numbers of the nodes around it become one more or less with it: what
    /// they count, a height or how much is in them, has changed as well.
    fn carry(&mut self) -> bool {
        let Some(at) = self.span() else { return false };
        let Some(number) = self.number_around(at) else { return false };
        let change = match self.rng.at_most(2) {
            0 => Change::Other,
            1 => Change::Fresh,
            _ => match self.slots.find(self.slot.labels[at], self.rng) {
                Some(other) => Change::Copy(other),
                None => Change::Other,
            },
        };
        let is_up = self.rng.next() & 1 == 0;
        // A height changes as far as another is the higher one, a count all the way.
        let from = if self.rng.next() & 1 == 0 { 0 } else { self.rng.at_most(at as u64) as usize };
        self.change(at, change);
        let label = self.slot.labels[number];
        let mut node = 0;
        while node < at {
            let entry = self.slot.entries[node];
            if node >= from && entry.kind() == Kind::Number && self.slot.labels[node] == label {
                let Some(index) = moved(entry, is_up, 1).filter(|_| self.edits.len() < MOST_SHIFTED) else {
                    self.edits.clear();
                    return false;
                };
                self.change(node, Change::Set(index));
            }
            node = self.next_around(node, at);
        }
        true
    }

    /// A number that stands before a node in one of those around it.
    fn number_around(&mut self, at: usize) -> Option<usize> {
        let (mut found, mut count, mut node) = (None, 0, 0);
        while node < at {
            if self.slot.entries[node].kind() == Kind::Number {
                count += 1;
                if self.rng.at_most(count - 1) == 0 {
                    found = Some(node);
                }
            }
            node = self.next_around(node, at);
        }
        found
    }

    /// Behind this node the next that is around the one at `at`, or beside one that is.
    fn next_around(&self, node: usize, at: usize) -> usize {
        let end = self.end_of(node);
        if end > at { node + 1 } else { end }
    }
}

/// The index of a number that becomes so much more or less, if there is such a number.
fn moved(entry: Entry, is_up: bool, length: u64) -> Option<u64> {
    let index = match is_up {
        true => entry.index().checked_add(length),
        false => entry.index().checked_sub(length),
    };
    index.filter(|index| *index <= entry.bound())
}
