//! A cursor over a choice tree: the place of a replay.

use super::tree::{Choices, Entry, Kind};
use std::fmt;

/// A place in a choice tree: the open brackets, the innermost last, each with a tag of the replay.
pub(crate) struct Cursor<'c, T> {
    entries: &'c [Entry],
    levels: Vec<Level<T>>,
}

/// An open bracket.
#[derive(Clone, Copy, Debug)]
struct Level<T> {
    next: u32,
    end: u32,
    /// The pick that *is* this bracket, until it is asked for; [`NONE`] if there is none.
    pick: u32,
    /// Whether it is the bracket of a part that was opened as a part.
    is_part: bool,
    tag: T,
}

impl<T> fmt::Debug for Cursor<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.levels.last().map(|level| level.next);
        formatter.debug_struct("Cursor").field("depth", &self.levels.len()).field("at", &at).finish_non_exhaustive()
    }
}

const NONE: u32 = u32::MAX;

/// Room for the brackets of an ordinary value, so that they need not be moved.
const USUAL_LEVELS: usize = 32;

impl<'c, T: Copy> Cursor<'c, T> {
    pub(crate) fn new(choices: &'c Choices, tag: T) -> Cursor<'c, T> {
        let entries = choices.entries();
        let mut levels = Vec::with_capacity(USUAL_LEVELS);
        levels.push(Level { next: 0, end: entries.len() as u32, pick: NONE, is_part: false, tag });
        Cursor { entries, levels }
    }

    #[inline(always)]
    pub(crate) fn entry(&self, at: u32) -> Entry {
        self.entries[at as usize]
    }

    /// The tag of the innermost bracket.
    pub(crate) fn tag(&self) -> T {
        self.levels[self.levels.len() - 1].tag
    }

    #[inline(always)]
    fn level(&mut self) -> &mut Level<T> {
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    /// Takes the next node whole, or none if the bracket has no more.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Option<u32> {
        let entries = self.entries;
        let level = self.level();
        let at = level.next;
        if at >= level.end {
            return None;
        }
        level.next = at + 1 + entries[at as usize].extent() as u32;
        Some(at)
    }

    /// The same for a part that was not opened as one: if the node is the bracket of a part, the
    /// first node in it.
    #[inline(always)]
    pub(crate) fn take_inside(&mut self) -> Option<u32> {
        let at = self.take()?;
        let part = self.entry(at);
        if part.kind() != Kind::Part || self.level().is_part || part.marker().is_some() {
            return Some(at);
        }
        if part.extent() == 0 { None } else { Some(at + 1) }
    }

    /// Takes the next node for a pick. What stands inside a pick belongs to the rest of the
    /// bracket, so it is not taken with it.
    #[inline(always)]
    pub(crate) fn take_pick(&mut self) -> Option<u32> {
        let entries = self.entries;
        let level = self.level();
        if level.pick != NONE {
            return Some(std::mem::replace(&mut level.pick, NONE));
        }
        let next = level.next;
        if next < level.end && entries[next as usize].kind() == Kind::Pick {
            level.next += 1;
            return Some(next);
        }
        self.take_inside()
    }

    /// The pick that is the innermost bracket, if it was not asked for yet.
    pub(crate) fn take_own_pick(&mut self) -> Option<u32> {
        let pick = std::mem::replace(&mut self.level().pick, NONE);
        (pick != NONE).then_some(pick)
    }

    /// Takes the numbers that come next in the innermost bracket, as long as `fits` says so, at
    /// most `count` of them.
    #[inline(always)]
    pub(crate) fn take_numbers(&mut self, count: usize, mut fits: impl FnMut(Entry) -> bool) {
        let entries = self.entries;
        let level = self.level();
        let upcoming = &entries[level.next as usize..level.end.max(level.next) as usize];
        let taken =
            upcoming.iter().take(count).take_while(|entry| entry.kind() == Kind::Number && fits(**entry)).count();
        level.next += taken as u32;
    }

    /// Opens the bracket of a node that was taken.
    #[inline(always)]
    pub(crate) fn enter(&mut self, at: u32, tag: T) {
        let entry = self.entry(at);
        let pick = if entry.kind() == Kind::Pick { at } else { NONE };
        let (end, is_part) = (at + 1 + entry.extent() as u32, entry.kind() == Kind::Part);
        self.levels.push(Level { next: at + 1, end, pick, is_part, tag });
    }

    /// Opens a part that is the one node that was taken.
    pub(crate) fn enter_around(&mut self, at: u32, tag: T) {
        let end = at + 1 + self.entry(at).extent() as u32;
        self.levels.push(Level { next: at, end, pick: NONE, is_part: false, tag });
    }

    /// Opens a bracket that the tree does not have.
    pub(crate) fn enter_nothing(&mut self, tag: T) {
        self.levels.push(Level { next: 0, end: 0, pick: NONE, is_part: false, tag });
    }

    /// Closes the innermost bracket. Returns the first node in it that nothing asked for.
    #[inline(always)]
    pub(crate) fn leave(&mut self) -> Option<u32> {
        // One close too many is no reason to panic: this runs while a panic unwinds.
        if self.levels.len() == 1 {
            return None;
        }
        let level = self.levels.pop()?;
        match level.pick {
            NONE => (level.next < level.end).then_some(level.next),
            pick => Some(pick),
        }
    }

    /// Whether the innermost `count` brackets are not in the tree.
    pub(crate) fn is_lost(&self, count: usize) -> bool {
        self.levels.len() > count && self.levels[self.levels.len() - count..].iter().all(|level| level.end == 0)
    }

    /// The number of nodes at the top that were not taken.
    pub(crate) fn left_over(&self) -> usize {
        let (mut at, mut count) = (self.levels[0].next as usize, 0);
        while at < self.entries.len() {
            at += 1 + self.entries[at].extent();
            count += 1;
        }
        count
    }
}
