//! Mutation: a choice tree with one change, from which a value near the first one is made.
//!
//! This room only edits trees, "with abandon": it knows neither values nor what fits where.
//! [`Replay`](crate::source::Replay) makes a value of whatever comes out, and
//! [`Mutate`](crate::generator::Mutate) is what one calls.
//!
//! ```
//! use retrospect::mutate::Edit;
//! use retrospect::prelude::*;
//! let lists = vec_of(0..100, ..);
//! let shorter = lists.mutants(&vec![1, 2, 3], 7).unwrap().only(&[Edit::Delete]);
//! assert!(shorter.take(10).all(|list| list.len() < 3));
//! ```

mod items;
mod places;

use crate::choice::{Choices, Entry, Exchange, Kind, Marker, differ};
use crate::source::Rng;
use places::{Places, is_alike, no_overlap};

/// A kind of change to a choice tree.
///
/// ```
/// use retrospect::mutate::Edit;
/// use retrospect::prelude::*;
/// let mutants = (0..1000).mutants(&500, 7).unwrap().only(&[Edit::Shrink]);
/// assert!(mutants.take(20).all(|number| number < 500));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edit {
    /// A part is drawn anew.
    Reroll,
    /// Two parts of the same generator exchange their places.
    Swap,
    /// A part becomes the simplest, or is replaced by one of the same generator inside it; a number
    /// or an arm is lowered.
    Shrink,
    /// A number becomes a little smaller or larger.
    Number,
    /// A pick takes another arm, which gets what was chosen in the first as far as it fits.
    Arm,
    /// A list gets one more item, which is drawn.
    Insert,
    /// An item of a list is there twice.
    Duplicate,
    /// One or more neighbouring items of a list are left out.
    Delete,
    /// An item of a list goes to another place.
    Move,
    /// A part is replaced by one of the same generator from another value. Only where there is
    /// another value.
    Splice,
}

impl Edit {
    /// All of them.
    ///
    /// ```
    /// use retrospect::mutate::Edit;
    /// assert_eq!(Edit::ALL.len(), 10);
    /// assert!(Edit::ALL.contains(&Edit::Swap));
    /// ```
    pub const ALL: [Edit; 10] = [
        Edit::Reroll,
        Edit::Swap,
        Edit::Shrink,
        Edit::Number,
        Edit::Arm,
        Edit::Insert,
        Edit::Duplicate,
        Edit::Delete,
        Edit::Move,
        Edit::Splice,
    ];

    /// How often it is tried, beside the others.
    const fn weight(self) -> usize {
        match self {
            Edit::Reroll | Edit::Number | Edit::Splice => 3,
            Edit::Swap | Edit::Shrink | Edit::Arm => 2,
            Edit::Insert | Edit::Duplicate | Edit::Delete | Edit::Move => 1,
        }
    }
}

/// Some kinds of changes, each as often as it is tried. One is found without a search, which a
/// processor could not foresee.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edits {
    slots: [Edit; SLOTS],
    count: usize,
    /// How many of them need no other value. They come first.
    alone: usize,
}

/// The sum of all weights.
const SLOTS: usize = 19;

impl Edits {
    pub(crate) const ALL: Edits = Edits::only(&Edit::ALL);

    pub(crate) const fn only(kinds: &[Edit]) -> Edits {
        let mut edits = Edits { slots: [Edit::Reroll; SLOTS], count: 0, alone: 0 };
        let mut place = 0;
        while place < Edit::ALL.len() {
            let (edit, mut at) = (Edit::ALL[place], 0);
            while at < kinds.len() && kinds[at] as u8 != edit as u8 {
                at += 1;
            }
            let mut times = if at < kinds.len() { edit.weight() } else { 0 };
            while times > 0 {
                edits.slots[edits.count] = edit;
                edits.count += 1;
                times -= 1;
            }
            if edit as u8 != Edit::Splice as u8 {
                edits.alone = edits.count;
            }
            place += 1;
        }
        edits
    }

    fn without(&self, edit: Edit) -> Edits {
        self.kept(|kind| kind != edit)
    }

    fn kept(&self, is_kept: impl Fn(Edit) -> bool) -> Edits {
        let mut edits = Edits { count: 0, alone: 0, ..*self };
        for place in 0..self.count {
            if is_kept(self.slots[place]) {
                edits.slots[edits.count] = self.slots[place];
                edits.count += 1;
                edits.alone += usize::from(place < self.alone);
            }
        }
        edits
    }

    /// Those for which there is something in the tree.
    pub(crate) fn possible_in(&self, choices: &Choices) -> Edits {
        let has = |is_wanted: fn(Entry) -> bool| choices.entries().iter().any(|entry| is_wanted(*entry));
        let (has_numbers, has_arms) = (has(is_movable), has(has_other_arms));
        let has_lists = has(|entry| entry.kind() == Kind::Repeat);
        self.kept(|kind| match kind {
            Edit::Number => has_numbers,
            Edit::Arm => has_arms,
            Edit::Insert | Edit::Duplicate | Edit::Delete | Edit::Move => has_lists,
            Edit::Reroll | Edit::Swap | Edit::Shrink | Edit::Splice => true,
        })
    }

    fn any(&self, is_alone: bool, rng: &mut Rng) -> Option<Edit> {
        let last = (if is_alone { self.alone } else { self.count }).checked_sub(1)?;
        Some(self.slots[rng.at_most(last as u64) as usize])
    }
}

/// A change to a tree that is planned: one or two exchanges of nodes, and what whoever makes a
/// value of it should know.
#[derive(Default)]
pub(crate) struct Plan {
    exchanges: [Exchange; 2],
    count: usize,
    /// By how much a number was moved.
    pub(crate) moved: i64,
    /// How many picks and items may be drawn for what is missing: about as many as were there
    /// before.
    pub(crate) growth: u32,
}

/// Something was planned, or cannot be.
type Planned = Option<()>;

impl Plan {
    /// Makes the change until the result is dropped.
    pub(crate) fn made_in<'p>(&'p mut self, choices: &'p mut Choices) -> Changed<'p> {
        for exchange in &mut self.exchanges[..self.count] {
            choices.exchange(exchange);
        }
        Changed { plan: self, choices }
    }

    /// Begins with an exchange that is the only one.
    fn only_one(&mut self) -> &mut Exchange {
        self.count = 1;
        &mut self.exchanges[0]
    }

    /// The exchanges are known. Nothing is planned if the one at `first`, whose place comes first,
    /// changes nothing.
    fn complete(&mut self, first: usize, choices: &Choices) -> Planned {
        if self.exchanges[first].changes(choices) { self.is_complete() } else { None }
    }

    fn is_complete(&mut self) -> Planned {
        (self.moved, self.growth) = (0, GROWTH);
        Some(())
    }
}

/// A tree with a change, which is then again what it was: also if a generator panics meanwhile.
pub(crate) struct Changed<'p> {
    pub(crate) plan: &'p mut Plan,
    pub(crate) choices: &'p mut Choices,
}

impl Drop for Changed<'_> {
    fn drop(&mut self) {
        for exchange in self.plan.exchanges[..self.plan.count].iter_mut().rev() {
            self.choices.exchange(exchange);
        }
    }
}

/// Plans one change of one of these kinds to the tree; `other`, which has the same labels, is where
/// a splice comes from. `None` if none of the kinds can be applied here.
pub(crate) fn edit(
    choices: &Choices,
    other: Option<&Choices>,
    kinds: &Edits,
    rng: &mut Rng,
    plan: &mut Plan,
) -> Option<Edit> {
    let mut places = Places { choices, rng, plan };
    let kind = kinds.any(other.is_none(), places.rng)?;
    match apply(kind, &mut places, other) {
        Some(()) => Some(kind),
        None => edit_otherwise(kinds.without(kind), &mut places, other),
    }
}

#[cold]
fn edit_otherwise(mut kinds: Edits, places: &mut Places<'_>, other: Option<&Choices>) -> Option<Edit> {
    loop {
        let kind = kinds.any(other.is_none(), places.rng)?;
        if apply(kind, places, other).is_some() {
            return Some(kind);
        }
        kinds = kinds.without(kind);
    }
}

fn apply(edit: Edit, places: &mut Places<'_>, other: Option<&Choices>) -> Planned {
    match edit {
        Edit::Reroll => reroll(places),
        Edit::Swap => swap(places),
        Edit::Shrink => shrink(places),
        Edit::Number => number(places),
        Edit::Arm => arm(places),
        Edit::Insert => items::insert(places),
        Edit::Duplicate => items::duplicate(places),
        Edit::Delete => items::delete(places),
        Edit::Move => items::relocate(places),
        Edit::Splice => splice(places, other?),
    }
}

/// How many picks and items are drawn where an edit left a gap by accident.
const GROWTH: u32 = 3;

fn reroll(places: &mut Places<'_>) -> Planned {
    let at = places.small()?;
    let (entry, node) = (places.choices.entries()[at], places.node(at));
    if entry.kind() == Kind::Number {
        return places.replace_one(at, Entry::marked(Marker::Redrawn).with_index(entry.index()));
    }
    let size = node.len();
    places.replace(node, &[Entry::marked(Marker::Anew)])?;
    places.grow_like(size)
}

fn swap(places: &mut Places<'_>) -> Planned {
    let choices = places.choices;
    let entries = choices.entries();
    let at = places.small()?;
    let mine = places.node(at);
    let other = places.find(|place, entry| {
        let theirs = place..choices.end_of(place);
        is_alike(entries[at], entry) && no_overlap(&mine, &theirs) && differ(&entries[mine.clone()], &entries[theirs])
    })?;
    let theirs = places.node(other);
    let (first, second) = if mine.start < theirs.start { (mine, theirs) } else { (theirs, mine) };
    // The later one first, so that places stay true.
    let [later, earlier] = &mut places.plan.exchanges;
    later.set(second.clone(), &entries[first.clone()]);
    earlier.set(first, &entries[second]);
    places.plan.count = 2;
    places.plan.complete(1, choices)
}

fn shrink(places: &mut Places<'_>) -> Planned {
    let choices = places.choices;
    let entries = choices.entries();
    let at = match places.small()? {
        at if is_raised(entries[at]) => at,
        _ => places.find(|_, entry| is_raised(entry))?,
    };
    let (entry, node) = (entries[at], places.node(at));
    match (entry.kind(), places.rng.at_most(2)) {
        (Kind::Number, _) => {
            let index = entry.index();
            let lower = match places.rng.at_most(2) {
                0 => 0,
                1 => index / 2,
                _ => index - 1,
            };
            renumbered(places, at, lower)
        }
        (Kind::Pick, 0) if entry.arm() > 0 => {
            let arm = places.rng.at_most(entry.arm() as u64 - 1) as usize;
            places.replace(at..at + 1, &[entry.with_arm(arm)])
        }
        (_, 1) => places.replace(node, &[Entry::marked(Marker::Simplest)]),
        _ => {
            let inner = places.find_in(at + 1..node.end, |_, inner| is_alike(entry, inner));
            match inner {
                Some(inner) => places.replace(node, &entries[places.node(inner)]),
                None => places.replace(node, &[Entry::marked(Marker::Simplest)]),
            }
        }
    }
}

/// Whether there is something simpler than this node.
fn is_raised(entry: Entry) -> bool {
    match entry.kind() {
        Kind::Number | Kind::Repeat => entry.index() > 0,
        Kind::Pick => entry.arm() > 0 || entry.extent() > 0,
        Kind::Call | Kind::Part => entry.extent() > 0,
    }
}

fn is_movable(entry: Entry) -> bool {
    entry.kind() == Kind::Number && entry.bound() > 0
}

fn has_other_arms(entry: Entry) -> bool {
    entry.kind() == Kind::Pick && entry.arms() != 1
}

fn number(places: &mut Places<'_>) -> Planned {
    let at = places.find(|_, entry| is_movable(entry))?;
    let entry = places.choices.entries()[at];
    let (index, bound) = (entry.index(), entry.bound());
    let bits = u64::BITS - bound.leading_zeros();
    // Mostly a small step; where the range is wide, small steps alone would lead nowhere.
    let dice = places.rng.next();
    let step = match dice & 3 {
        0 if bits > 4 => 1 << (((dice >> 32) * u64::from(bits)) >> 32),
        _ => 1 + (dice >> 2 & 3),
    };
    let (up, down) = (index.saturating_add(step).min(bound), index.saturating_sub(step));
    let other = match dice >> 4 & 1 {
        0 if up != index => up,
        1 if down == index => up,
        _ => down,
    };
    renumbered(places, at, other)
}

fn renumbered(places: &mut Places<'_>, at: usize, index: u64) -> Planned {
    let entry = places.choices.entries()[at];
    if entry.index() == index {
        return None;
    }
    places.replace_one(at, entry.with_index(index))?;
    places.plan.moved = index.wrapping_sub(entry.index()) as i64;
    Some(())
}

fn arm(places: &mut Places<'_>) -> Planned {
    let at = places.find(|_, entry| has_other_arms(entry))?;
    let entry = places.choices.entries()[at];
    // Trees that were read from text do not say how many arms there are.
    let arms = if entry.arms() == 0 { entry.arm() + 2 } else { entry.arms() };
    let other = (entry.arm() + 1 + places.rng.at_most(arms as u64 - 2) as usize) % arms;
    places.replace(at..at + 1, &[entry.with_arm(other)])
}

fn splice(places: &mut Places<'_>, other: &Choices) -> Planned {
    let choices = places.choices;
    for _ in 0..SPLICE_TRIES {
        let at = places.small()?;
        let (entry, node) = (choices.entries()[at], places.node(at));
        let mut theirs = Places { choices: other, rng: places.rng, plan: places.plan };
        let found = theirs.find(|place, donor| {
            is_alike(entry, donor)
                && differ(&choices.entries()[node.clone()], &other.entries()[place..other.end_of(place)])
        });
        if let Some(found) = found {
            return places.replace(node, &other.entries()[found..other.end_of(found)]);
        }
    }
    None
}

/// How many places are looked at for one to which something in the other value fits.
const SPLICE_TRIES: usize = 8;

#[cfg(test)]
mod tests;
