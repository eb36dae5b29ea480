//! Mutation: a choice tree with one change, from which a value near the first one is made.
//!
//! This room only edits trees, "with abandon": it knows neither values nor what fits where. [`Recovery`](crate::source::Recovery) makes a value of whatever
//! comes out, and [`Mutate`](crate::generator::Mutate) is what one calls.
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

use crate::choice::{Choices, Entry, Kind, Marker};
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
    /// A part becomes the simplest, or is replaced by one of the same generator inside it; a number or an arm is lowered.
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
    /// A part is replaced by one of the same generator from another value. Only where there is another value.
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

/// Some kinds of changes, each as often as it is tried. One is found without a search, which a processor could not foresee.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edits {
    slots: [Edit; SLOTS],
    count: usize,
}

/// The sum of all weights.
const SLOTS: usize = 19;

impl Edits {
    pub(crate) const ALL: Edits = Edits::only(&Edit::ALL);

    pub(crate) const fn only(kinds: &[Edit]) -> Edits {
        let mut edits = Edits { slots: [Edit::Reroll; SLOTS], count: 0 };
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
            place += 1;
        }
        edits
    }

    fn without(mut self, edit: Edit) -> Edits {
        let mut count = 0;
        for place in 0..self.count {
            if self.slots[place] != edit {
                self.slots[count] = self.slots[place];
                count += 1;
            }
        }
        Edits { count, ..self }
    }

    /// Those for which there need not be another value. The others are the last.
    fn alone(mut self) -> Edits {
        while self.count > 0 && self.slots[self.count - 1] == Edit::Splice {
            self.count -= 1;
        }
        self
    }

    fn any(&self, rng: &mut Rng) -> Option<Edit> {
        let last = self.count.checked_sub(1)?;
        Some(self.slots[rng.at_most(last as u64) as usize])
    }
}

/// What was changed in a tree, as far as whoever makes a value of it should know.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) edit: Edit,
    /// Where it begins: the entries before are what they were, but for how much brackets hold.
    pub(crate) at: usize,
    /// By how much a number was moved.
    pub(crate) moved: i64,
    /// How many picks and items may be drawn for what is missing: about as many as were there before.
    pub(crate) growth: u32,
}

/// Makes one change of one of these kinds to the tree, and `edited` the tree with it; `other` is where a splice comes from. `None` if none of the kinds
/// can be applied here.
pub(crate) fn edit(
    choices: &Choices,
    other: Option<&Choices>,
    mut kinds: Edits,
    rng: &mut Rng,
    edited: &mut Choices,
) -> Option<Change> {
    if other.is_none() {
        kinds = kinds.alone();
    }
    let mut places = Places { choices, rng, edited };
    loop {
        let kind = kinds.any(places.rng)?;
        if let Some(change) = apply(kind, &mut places, other) {
            return Some(change);
        }
        kinds = kinds.without(kind);
    }
}

fn apply(edit: Edit, places: &mut Places<'_>, other: Option<&Choices>) -> Option<Change> {
    let change = match edit {
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
    };
    change.map(|change| Change { edit, ..change })
}

impl Change {
    fn at(at: usize) -> Change {
        Change { edit: Edit::Reroll, at, moved: 0, growth: GROWTH }
    }

    /// The same, where what is missing may become about as large as these many nodes.
    fn growing_like(self, nodes: usize, rng: &mut Rng) -> Change {
        Change { growth: rng.at_most(nodes as u64 * 3 / 2 + 4).min(u64::from(u32::MAX)) as u32, ..self }
    }
}

/// How many picks and items are drawn where an edit left a gap by accident.
const GROWTH: u32 = 3;

fn reroll(places: &mut Places<'_>) -> Option<Change> {
    let at = places.small()?;
    let node = places.node(at);
    let size = node.len();
    let change = places.replace(node, &[Entry::marked(Marker::Anew)]);
    Some(change.growing_like(size, places.rng))
}

fn swap(places: &mut Places<'_>) -> Option<Change> {
    let choices = places.choices;
    let entries = choices.entries();
    let at = places.small()?;
    let mine = places.node(at);
    let other = places.find(|place, entry| {
        let theirs = place..choices.end_of(place);
        is_alike(entries[at], entry) && no_overlap(&mine, &theirs) && differs(&entries[mine.clone()], &entries[theirs])
    })?;
    let theirs = places.node(other);
    let (first, second) = if mine.start < theirs.start { (mine, theirs) } else { (theirs, mine) };
    let change = Change::at(first.start);
    let edited = places.copy();
    // The later one first, so that places stay true.
    edited.replace(second.clone(), &entries[first.clone()]);
    edited.replace(first, &entries[second]);
    Some(change)
}

fn differs(one: &[Entry], other: &[Entry]) -> bool {
    let same = |one: &Entry, other: &Entry| {
        one.kind() == other.kind()
            && match one.kind() {
                Kind::Number | Kind::Repeat => one.index() == other.index(),
                Kind::Pick => one.arm() == other.arm() && one.site_id() == other.site_id(),
                Kind::Call | Kind::Part => true,
            }
    };
    one.len() != other.len() || !one.iter().zip(other).all(|(one, other)| same(one, other))
}

fn shrink(places: &mut Places<'_>) -> Option<Change> {
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
            Some(renumbered(places, at, lower))
        }
        (Kind::Pick, 0) if entry.arm() > 0 => {
            let arm = places.rng.at_most(entry.arm() as u64 - 1) as usize;
            Some(places.replace(at..at + 1, &[entry.with_arm(arm)]))
        }
        (_, 1) => Some(places.replace(node, &[Entry::marked(Marker::Simplest)])),
        _ => {
            let inner = places.find_in(at + 1..node.end, |_, inner| is_alike(entry, inner));
            Some(match inner {
                Some(inner) => places.replace(node, &entries[places.node(inner)]),
                None => places.replace(node, &[Entry::marked(Marker::Simplest)]),
            })
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

fn number(places: &mut Places<'_>) -> Option<Change> {
    let at = places.find(|_, entry| entry.kind() == Kind::Number && entry.bound() > 0)?;
    let entry = places.choices.entries()[at];
    let (index, bound) = (entry.index(), entry.bound());
    let bits = u64::BITS - bound.leading_zeros();
    // Mostly a small step; where the range is wide, small steps alone would lead nowhere.
    let step = match places.rng.at_most(3) {
        0 if bits > 4 => 1 << places.rng.at_most(u64::from(bits) - 1),
        _ => 1 + places.rng.at_most(3),
    };
    let (up, down) = (index.saturating_add(step).min(bound), index.saturating_sub(step));
    let other = match places.rng.at_most(1) {
        0 if up != index => up,
        1 if down == index => up,
        _ => down,
    };
    (other != index).then(|| renumbered(places, at, other))
}

fn renumbered(places: &mut Places<'_>, at: usize, index: u64) -> Change {
    let before = places.choices.entries()[at].index();
    places.copy().set_number(at, index);
    Change { moved: index.wrapping_sub(before) as i64, ..Change::at(at) }
}

fn arm(places: &mut Places<'_>) -> Option<Change> {
    let at = places.find(|_, entry| entry.kind() == Kind::Pick && entry.arms() != 1)?;
    let entry = places.choices.entries()[at];
    // Trees that were read from text do not say how many arms there are.
    let arms = if entry.arms() == 0 { entry.arm() + 2 } else { entry.arms() };
    let other = (entry.arm() + 1 + places.rng.at_most(arms as u64 - 2) as usize) % arms;
    Some(places.replace(at..at + 1, &[entry.with_arm(other)]))
}

fn splice(places: &mut Places<'_>, other: &Choices) -> Option<Change> {
    let choices = places.choices;
    for _ in 0..SPLICE_TRIES {
        let at = places.small()?;
        let (entry, node) = (choices.entries()[at], places.node(at));
        let mut theirs = Places { choices: other, rng: places.rng, edited: places.edited };
        let found = theirs.find(|place, donor| {
            is_alike(entry, donor)
                && differs(&choices.entries()[node.clone()], &other.entries()[place..other.end_of(place)])
        });
        if let Some(found) = found {
            let edited = places.copy();
            let by = edited.adopted(other, found..other.end_of(found));
            edited.replace(node, &by);
            return Some(Change::at(at));
        }
    }
    None
}

/// How many places are looked at for one to which something in the other value fits.
const SPLICE_TRIES: usize = 8;

#[cfg(test)]
mod tests;
