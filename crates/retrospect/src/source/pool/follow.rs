//! Answers from a known tree with some edits, and at random where the edits leave it.

use super::edit::{Change, Edit};
use super::labels::Labels;
use super::percent;
use super::slots::{Place, Slots};
use crate::choice::{Entry, Kind, Site};
use crate::source::{Bracket, Chooser, NumberRequest, PickRequest, RepeatRequest, Rng};

/// How often, in percent, a part that is made anew is a copy of one that the same generator made in
/// another value.
const COPIED: u64 = 40;

/// Who answers one run: a parent of the pool with edits, or one index for everything.
///
/// The tree is followed node by node. What the generator asks for where the tree has something else
/// is drawn anew, and what follows goes on behind it; where a pick is another, all that is left of
/// its bracket is. Nothing is copied: an edit is looked up when its node is reached.
pub(super) struct Follow<'p> {
    slots: &'p Slots,
    labels: &'p Labels,
    rng: &'p mut Rng,
    level: Level,
    /// The brackets around it.
    outer: &'p mut Vec<Level>,
    /// The nodes of the slot that the bracket is in.
    entries: &'p [Entry],
    edits: &'p [Edit],
    parent: u32,
    picks_left: u32,
    nodes_left: usize,
    /// Every index is this one, or the largest there is.
    constant: Option<u64>,
    /// Whether new parts may be copies.
    copies: bool,
}

/// The bracket being read: nodes of a slot, or nothing more than chance.
#[derive(Clone, Copy)]
pub(super) struct Level {
    /// None if there is nothing more than chance.
    slot: u32,
    next: u32,
    end: u32,
    /// The pick that *is* this bracket, until it was asked for.
    pick: u32,
    /// A node of the parent that is to become a part of this one.
    wrapped: u32,
    /// The edit of the items of this repeat, until it was made.
    edit: u32,
}

const NONE: u32 = u32::MAX;

impl Level {
    const FRESH: Level = Level { slot: NONE, next: 0, end: 0, pick: NONE, wrapped: NONE, edit: NONE };

    #[inline]
    fn over(slot: u32, next: u32, end: u32) -> Level {
        Level { slot, next, end, ..Level::FRESH }
    }

    #[inline]
    fn is_fresh(&self) -> bool {
        self.slot == NONE
    }
}

/// A node of the tree that a request finds, with the edit that is to be made to it.
struct Found {
    place: Place,
    entry: Entry,
    edit: u32,
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
        let entries = &slots.get(parent).entries[..];
        let level = Level::over(parent, 0, entries.len() as u32);
        Follow { copies: true, parent, edits, level, entries, ..Follow::starting(slots, labels, rng, levels) }
    }

    /// The same index everywhere.
    pub(super) fn constant(
        slots: &'p Slots,
        labels: &'p Labels,
        rng: &'p mut Rng,
        levels: &'p mut Vec<Level>,
        index: u64,
    ) -> Follow<'p> {
        Follow { constant: Some(index), ..Follow::starting(slots, labels, rng, levels) }
    }

    /// After so many picks the simplest arms are taken, and after so many nodes there is an error.
    pub(super) fn limited(mut self, max_picks: u32, max_nodes: usize) -> Follow<'p> {
        self.picks_left = max_picks;
        self.nodes_left = max_nodes;
        self
    }

    /// A part may be a copy that holds copies, so a value that is edited may become larger than any
    /// that is drawn.
    #[inline]
    fn count_node(&mut self) -> Result<(), String> {
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or_else(String::new)?;
        Ok(())
    }

    fn starting(slots: &'p Slots, labels: &'p Labels, rng: &'p mut Rng, outer: &'p mut Vec<Level>) -> Follow<'p> {
        outer.clear();
        Follow {
            slots,
            labels,
            rng,
            level: Level::FRESH,
            outer,
            entries: &[],
            edits: &[],
            parent: NONE,
            picks_left: u32::MAX,
            nodes_left: usize::MAX,
            constant: None,
            copies: false,
        }
    }

    #[inline]
    fn push(&mut self, level: Level) {
        self.outer.push(self.level);
        self.enter(level);
    }

    #[inline]
    fn enter(&mut self, level: Level) {
        if level.slot != self.level.slot && level.slot != NONE {
            self.entries = &self.slots.get(level.slot).entries;
        }
        self.level = level;
    }

    fn change(&self, edit: u32) -> Option<Change> {
        self.edits.get(edit as usize).map(|edit| edit.change)
    }

    /// The edit of a node in the present slot.
    #[inline]
    fn edit_of(&self, at: u32) -> u32 {
        if self.level.slot == self.parent {
            for (place, edit) in self.edits.iter().enumerate() {
                if edit.at == at {
                    return place as u32;
                }
            }
        }
        NONE
    }

    fn copied(&self, place: Place) -> Found {
        Found { place, entry: self.slots.get(place.slot).entries[place.at as usize], edit: NONE }
    }

    /// Takes the next node whole; nothing if it is to be drawn.
    #[inline]
    fn take(&mut self) -> Option<Found> {
        if self.level.is_fresh() {
            return None;
        }
        let mut at = self.level.next;
        if self.level.edit != NONE {
            match self.edited_item(at) {
                Item::AsItIs => {}
                Item::Copy(place) => return Some(self.copied(place)),
                Item::Drawn => return None,
                Item::LeftOut => at = self.level.next,
            }
        }
        if at >= self.level.end {
            self.misfit();
            return None;
        }
        let entry = self.entries[at as usize];
        self.level.next = at + 1 + entry.extent() as u32;
        let place = Place { slot: self.level.slot, at };
        let edit = self.edit_of(at);
        if edit != NONE {
            match self.edits[edit as usize].change {
                Change::Copy(from) => return Some(self.copied(from)),
                Change::Fresh => return None,
                _ => {}
            }
        }
        Some(Found { place, entry, edit })
    }

    /// What becomes of the next item of a list that is one longer or shorter.
    #[cold]
    fn edited_item(&mut self, at: u32) -> Item {
        let (place, item) = match self.change(self.level.edit) {
            Some(Change::Insert { before, copy: Some(copy) }) => (before, Item::Copy(copy)),
            Some(Change::Insert { before, .. }) => (before, Item::Drawn),
            Some(Change::Delete { item }) => (item, Item::LeftOut),
            _ => return Item::AsItIs,
        };
        if place != at {
            return Item::AsItIs;
        }
        self.level.edit = NONE;
        if let Item::LeftOut = item {
            self.level.next = at + 1 + self.entries[at as usize].extent() as u32;
        }
        item
    }

    /// There is no such node, or a pick is another: what follows in this bracket is drawn.
    fn misfit(&mut self) {
        self.level.slot = NONE;
    }

    /// The bracket that a node is.
    #[inline]
    fn inside(&self, Place { slot, at }: Place, entry: Entry) -> Level {
        let pick = if entry.kind() == Kind::Pick { at } else { NONE };
        Level { pick, ..Level::over(slot, at + 1, at + 1 + entry.extent() as u32) }
    }

    fn inside_copy(&self, place: Place) -> Level {
        self.inside(place, self.copied(place).entry)
    }

    /// A bracket of which nothing is known: the part that was kept for it, a copy, or drawn.
    fn new_call(&mut self, label: u32) -> Level {
        let wrapped = self.level.wrapped;
        if wrapped != NONE {
            let is_same = self.slots.get(self.parent).labels[wrapped as usize] == label;
            if is_same && self.rng.next() & 1 == 0 {
                self.level.wrapped = NONE;
                return self.inside_copy(Place { slot: self.parent, at: wrapped });
            }
        }
        if self.copies
            && percent(self.rng, COPIED)
            && let Some(place) = self.slots.find(label, self.rng)
        {
            return self.inside_copy(place);
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

/// What becomes of the next item of a list.
enum Item {
    AsItIs,
    Copy(Place),
    Drawn,
    LeftOut,
}

/// Lists of lists of this many items are still small.
const MOST_CONSTANT_ITEMS: u64 = 8;

/// How often something else than what there was is drawn, before the same is good enough.
const TRIES_FOR_OTHER: usize = 4;

impl Chooser for Follow<'_> {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        self.count_node()?;
        let Some(Found { entry, edit, .. }) = self.take().filter(|found| found.entry.kind() == Kind::Number) else {
            return Ok(self.random_number(request));
        };
        let index = entry.index();
        if edit == NONE {
            return Ok(if index <= request.max { index } else { request.random(self.rng) });
        }
        Ok(match self.change(edit) {
            Some(Change::Set(index)) => index.min(request.max),
            Some(Change::Other) => {
                let mut drawn = request.random(self.rng);
                for _ in 1..TRIES_FOR_OTHER {
                    if drawn != index {
                        break;
                    }
                    drawn = request.random(self.rng);
                }
                drawn
            }
            _ if index > request.max => request.random(self.rng),
            _ => index,
        })
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        self.count_node()?;
        if self.level.is_fresh() {
            return Ok(self.random_pick(request));
        }
        let at = match self.level.pick {
            NONE => {
                let Level { next, end, edit, .. } = self.level;
                if next >= end || edit != NONE || self.entries[next as usize].kind() != Kind::Pick {
                    self.misfit();
                    return Ok(self.random_pick(request));
                }
                // Not taken whole: its body runs to the end of this bracket.
                self.level.next += 1;
                next
            }
            at => {
                self.level.pick = NONE;
                at
            }
        };
        let entry = self.entries[at as usize];
        let edit = self.edit_of(at);
        let is_same = entry.name_id() == request.site.id() && request.is_possible(entry.arm());
        if edit == NONE && is_same {
            return Ok(entry.arm());
        }
        Ok(match self.change(edit) {
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
            Some(Change::Copy(from)) => {
                let other = self.copied(from).entry;
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
        self.count_node()?;
        let found = self.take().filter(|found| found.entry.kind() == Kind::Repeat);
        let Some(Found { place, entry, edit }) = found else {
            self.push(Level::FRESH);
            return Ok(self.random_count(request));
        };
        let mut level = self.inside(place, entry);
        let mut count = usize::try_from(entry.index()).unwrap_or(usize::MAX);
        match self.change(edit) {
            Some(Change::Insert { .. }) if count < request.likely_max => {
                count += 1;
                level.edit = edit;
            }
            Some(Change::Delete { .. }) if count > request.min => {
                count -= 1;
                level.edit = edit;
            }
            _ => {}
        }
        self.push(level);
        Ok(count.clamp(request.min, request.max))
    }

    fn open(&mut self, bracket: Bracket) -> Result<(), String> {
        let level = match bracket {
            Bracket::Call(site) => self.open_call(site),
            Bracket::Again => Level::FRESH,
            Bracket::Part => match self.take() {
                None => Level::FRESH,
                Some(Found { place, entry, edit }) => match entry.kind() {
                    Kind::Part if matches!(self.change(edit), Some(Change::Wrap)) => Level::FRESH,
                    Kind::Part => self.inside(place, entry),
                    // The part is one node that opens its own bracket or needs none.
                    _ => Level::over(place.slot, place.at, place.at + 1 + entry.extent() as u32),
                },
            },
        };
        self.push(level);
        Ok(())
    }

    fn close(&mut self) {
        // Closed too often is nothing to panic about: this runs while a panic of the generator
        // unwinds.
        if let Some(level) = self.outer.pop() {
            self.enter(level);
        }
    }

    /// What is drawn may be drawn once more; the tree would only repeat itself.
    fn may_retry(&self) -> bool {
        self.constant.is_none() && self.level.is_fresh()
    }
}

impl Follow<'_> {
    #[inline]
    fn open_call(&mut self, site: &'static Site) -> Level {
        let Some(Found { place, entry, edit }) = self.take() else { return self.new_call(self.labels.of(site)) };
        let is_call = matches!(entry.kind(), Kind::Call | Kind::Pick);
        if !(is_call && entry.name_id() == site.id()) {
            let label = self.labels.of(site);
            if self.slots.get(place.slot).labels[place.at as usize] != label {
                return self.new_call(label);
            }
        }
        match self.change(edit) {
            Some(Change::Wrap) => Level { wrapped: place.at, ..Level::FRESH },
            _ => self.inside(place, entry),
        }
    }
}
