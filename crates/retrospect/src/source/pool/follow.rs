//! Answers from a known tree with some edits, and at random where the edits leave it.

use super::edit::{Change, Edit};
use super::labels::Labels;
use super::percent;
use super::slots::{Place, Slots};
use crate::choice::{Kind, Site};
use crate::source::{Bracket, Chooser, NumberRequest, PickRequest, RepeatRequest, Rng};

/// How often, in percent, a part that is made anew is a copy of one that the same generator made in another value.
const COPIED: u64 = 70;

/// After so many picks the simplest arms are taken, so that what is drawn ends.
pub(super) const MOST_PICKS: u32 = 1 << 14;

/// Who answers one run: a parent of the pool with edits, or one index for everything.
///
/// The tree is followed bracket by bracket. Where the generator asks for something else than the tree has, the rest of that bracket is drawn anew; the bracket
/// around it goes on behind it. Nothing is copied: an edit is looked up when its node is reached.
pub(super) struct Follow<'p> {
    slots: &'p Slots,
    labels: &'p Labels,
    rng: &'p mut Rng,
    levels: &'p mut Vec<Level>,
    edits: &'p [Edit],
    parent: u32,
    picks_left: u32,
    /// Every index is this one, or the largest there is.
    constant: Option<u64>,
    /// Whether new parts may be copies.
    copies: bool,
}

/// The bracket being read: nodes of a slot, or nothing more than chance.
#[derive(Clone, Copy)]
pub(super) struct Level {
    slot: u32,
    next: u32,
    end: u32,
    /// The pick that *is* this bracket, until it was asked for.
    pick: u32,
    /// A node of the parent that is to become a part of this one.
    wrapped: u32,
    /// What is to change among the items of this repeat, and at which node.
    item: Option<(u32, Change)>,
    is_fresh: bool,
}

const NONE: u32 = u32::MAX;

impl Level {
    const FRESH: Level = Level { slot: NONE, next: 0, end: 0, pick: NONE, wrapped: NONE, item: None, is_fresh: true };

    fn over(slot: u32, next: u32, end: u32) -> Level {
        Level { slot, next, end, is_fresh: false, ..Level::FRESH }
    }
}

/// What a request finds.
enum Found {
    /// A node of the tree, with the change that is to be made to it.
    Node(Place, Option<Change>),
    /// Nothing: it is drawn.
    Nothing,
}

impl<'p> Follow<'p> {
    /// Follows a value of the pool.
    pub(super) fn edited(
        slots: &'p Slots,
        labels: &'p Labels,
        rng: &'p mut Rng,
        levels: &'p mut Vec<Level>,
        parent: usize,
        edits: &'p [Edit],
    ) -> Follow<'p> {
        let parent = parent as u32;
        let root = Level::over(parent, 0, slots.get(parent).len() as u32);
        Follow { copies: true, parent, edits, ..Follow::starting(slots, labels, rng, levels, root) }
    }

    /// The same index everywhere.
    pub(super) fn constant(
        slots: &'p Slots,
        labels: &'p Labels,
        rng: &'p mut Rng,
        levels: &'p mut Vec<Level>,
        index: u64,
    ) -> Follow<'p> {
        Follow { constant: Some(index), ..Follow::starting(slots, labels, rng, levels, Level::FRESH) }
    }

    fn starting(
        slots: &'p Slots,
        labels: &'p Labels,
        rng: &'p mut Rng,
        levels: &'p mut Vec<Level>,
        root: Level,
    ) -> Follow<'p> {
        levels.clear();
        levels.push(root);
        Follow {
            slots,
            labels,
            rng,
            levels,
            edits: &[],
            parent: NONE,
            picks_left: MOST_PICKS,
            constant: None,
            copies: false,
        }
    }

    fn level(&mut self) -> &mut Level {
        self.levels.last_mut().expect("brackets are closed as often as they are opened")
    }

    fn change_at(&self, place: Place) -> Option<Change> {
        if place.slot != self.parent {
            return None;
        }
        self.edits.iter().find(|edit| edit.at == place.at).map(|edit| edit.change)
    }

    /// Takes the next node whole.
    fn take(&mut self) -> Found {
        let level = *self.level();
        if level.is_fresh {
            return Found::Nothing;
        }
        let mut next = level.next;
        if let Some((at, change)) = level.item
            && at == next
        {
            self.level().item = None;
            match change {
                Change::Delete { .. } => next = self.slots.get(level.slot).end_of(next),
                Change::Insert { copy: Some(place), .. } => return Found::Node(place, None),
                _ => return Found::Nothing,
            }
        }
        if next >= level.end {
            self.level().is_fresh = true;
            return Found::Nothing;
        }
        self.level().next = self.slots.get(level.slot).end_of(next);
        let place = Place { slot: level.slot, at: next };
        match self.change_at(place) {
            Some(Change::Copy(from)) => Found::Node(from, None),
            Some(Change::Fresh) => Found::Nothing,
            change => Found::Node(place, change),
        }
    }

    /// The node is none that the generator has asked for: what follows in this bracket is drawn.
    fn misfit(&mut self) {
        self.level().is_fresh = true;
    }

    /// The bracket that a node is.
    fn inside(&self, place: Place) -> Level {
        let slot = self.slots.get(place.slot);
        let level = Level::over(place.slot, place.at + 1, slot.end_of(place.at));
        match slot.entries[place.at as usize].kind() {
            Kind::Pick => Level { pick: place.at, ..level },
            _ => level,
        }
    }

    /// A bracket of which nothing is known: the part that was kept for it, a copy, or drawn.
    fn new_call(&mut self, label: u32) -> Level {
        let wrapped = self.level().wrapped;
        if wrapped != NONE {
            let is_same = self.slots.get(self.parent).labels[wrapped as usize] == label;
            if is_same && self.rng.next() & 1 == 0 {
                self.level().wrapped = NONE;
                return self.inside(Place { slot: self.parent, at: wrapped });
            }
        }
        if self.copies
            && percent(self.rng, COPIED)
            && let Some(place) = self.slots.find(label, self.rng)
        {
            return self.inside(place);
        }
        Level::FRESH
    }

    fn random_pick(&mut self, request: &PickRequest<'_>) -> usize {
        if let Some(constant) = self.constant {
            let wanted = (constant as usize).min(request.weights.len().saturating_sub(1));
            if self.picks_left > 0 && request.is_possible(wanted) {
                self.picks_left -= 1;
                return wanted;
            }
            return request.possible_arms().next().unwrap_or(0);
        }
        if self.picks_left == 0 {
            return request.possible_arms().next().unwrap_or(0);
        }
        self.picks_left -= 1;
        request.random(self.rng)
    }

    fn random_number(&mut self, request: &NumberRequest) -> u64 {
        match self.constant {
            Some(constant) => constant.min(request.max),
            None => request.random(self.rng),
        }
    }

    fn random_count(&mut self, request: &RepeatRequest) -> usize {
        match self.constant {
            Some(_) if self.picks_left == 0 => request.min,
            Some(constant) => {
                self.picks_left -= 1;
                (constant.min(MOST_CONSTANT_ITEMS) as usize).clamp(request.min, request.likely_max.max(request.min))
            }
            None => request.random(self.rng),
        }
    }
}

/// Lists of lists of this many items are still small.
const MOST_CONSTANT_ITEMS: u64 = 8;

/// How often something else than what there was is drawn, before the same is good enough.
const TRIES_FOR_OTHER: usize = 4;

impl Chooser for Follow<'_> {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        let Found::Node(place, change) = self.take() else { return Ok(self.random_number(request)) };
        let entry = self.slots.get(place.slot).entries[place.at as usize];
        if entry.kind() != Kind::Number {
            self.misfit();
            return Ok(self.random_number(request));
        }
        Ok(match change {
            Some(Change::Set(index)) => index.min(request.max),
            Some(Change::Other) => {
                let mut drawn = request.random(self.rng);
                for _ in 1..TRIES_FOR_OTHER {
                    if drawn != entry.index() {
                        break;
                    }
                    drawn = request.random(self.rng);
                }
                drawn
            }
            _ if entry.index() > request.max => request.random(self.rng),
            _ => entry.index(),
        })
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        let level = *self.level();
        if level.is_fresh {
            return Ok(self.random_pick(request));
        }
        let at = match level.pick {
            NONE => {
                let is_pick = level.next < level.end
                    && level.item.is_none()
                    && self.slots.get(level.slot).entries[level.next as usize].kind() == Kind::Pick;
                if !is_pick {
                    self.misfit();
                    return Ok(self.random_pick(request));
                }
                // Not taken whole: its body runs to the end of this bracket.
                self.level().next += 1;
                level.next
            }
            at => {
                self.level().pick = NONE;
                at
            }
        };
        let place = Place { slot: level.slot, at };
        let entry = self.slots.get(place.slot).entries[at as usize];
        let is_same = entry.name_id() == request.site.id() && request.is_possible(entry.arm());
        Ok(match self.change_at(place) {
            Some(Change::Set(arm)) if request.is_possible(arm as usize) => arm as usize,
            Some(Change::Other | Change::Fresh) => {
                let mut drawn = self.random_pick(request);
                for _ in 1..TRIES_FOR_OTHER {
                    if drawn != entry.arm() {
                        break;
                    }
                    drawn = self.random_pick(request);
                }
                drawn
            }
            Some(Change::Copy(from)) if from.slot != NONE => {
                let other = self.slots.get(from.slot).entries[from.at as usize];
                let fits = other.kind() == Kind::Pick
                    && other.name_id() == request.site.id()
                    && request.is_possible(other.arm());
                if fits { other.arm() } else { self.random_pick(request) }
            }
            _ if is_same => entry.arm(),
            _ => {
                self.misfit();
                self.random_pick(request)
            }
        })
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        let Found::Node(place, change) = self.take() else {
            self.levels.push(Level::FRESH);
            return Ok(self.random_count(request));
        };
        let entry = self.slots.get(place.slot).entries[place.at as usize];
        if entry.kind() != Kind::Repeat {
            self.misfit();
            self.levels.push(Level::FRESH);
            return Ok(self.random_count(request));
        }
        let mut level = self.inside(place);
        let mut count = usize::try_from(entry.index()).unwrap_or(usize::MAX);
        match change {
            Some(change @ Change::Insert { before, .. }) if count < request.max => {
                count += 1;
                level.item = Some((before, change));
            }
            Some(change @ Change::Delete { item }) if count > request.min => {
                count -= 1;
                level.item = Some((item, change));
            }
            _ => {}
        }
        self.levels.push(level);
        Ok(count.clamp(request.min, request.max))
    }

    fn open(&mut self, bracket: Bracket) -> Result<(), String> {
        let level = match bracket {
            Bracket::Call(site) => self.open_call(site),
            Bracket::Again => Level::FRESH,
            Bracket::Part => match self.take() {
                Found::Nothing => Level::FRESH,
                Found::Node(place, change) => {
                    let slot = self.slots.get(place.slot);
                    match slot.entries[place.at as usize].kind() {
                        Kind::Part if matches!(change, Some(Change::Wrap)) => Level::FRESH,
                        Kind::Part => self.inside(place),
                        // The part is one node that opens its own bracket or needs none.
                        _ => Level::over(place.slot, place.at, slot.end_of(place.at)),
                    }
                }
            },
        };
        self.levels.push(level);
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        self.levels.pop();
        Ok(())
    }

    /// What is drawn may be drawn once more; the tree would only repeat itself.
    fn may_retry(&self) -> bool {
        self.constant.is_none() && self.levels.last().is_some_and(|level| level.is_fresh)
    }
}

impl Follow<'_> {
    fn open_call(&mut self, site: &'static Site) -> Level {
        let label = self.labels.of(site);
        let was_fresh = self.level().is_fresh;
        match self.take() {
            Found::Nothing if was_fresh || self.level().is_fresh => self.new_call(label),
            // Made anew from the top; the parts inside may still be copies.
            Found::Nothing => Level::FRESH,
            Found::Node(place, change) => {
                let slot = self.slots.get(place.slot);
                if slot.labels[place.at as usize] != label {
                    self.misfit();
                    return self.new_call(label);
                }
                match change {
                    Some(Change::Wrap) => Level { wrapped: place.at, ..Level::FRESH },
                    _ => self.inside(place),
                }
            }
        }
    }
}
