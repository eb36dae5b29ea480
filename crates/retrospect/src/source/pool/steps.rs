//! The steps of a search: how many there are, and the values that they find.

use super::Pool;
use crate::choice::Choices;
use crate::source::{SearchTime, Why};

/// How many new values came of so many tries. The latest count most.
#[derive(Clone, Copy)]
pub(super) struct Tally {
    pub(super) tries: f64,
    pub(super) new: f64,
}

impl Tally {
    pub(super) fn add(&mut self, tries: f64, is_new: bool, most: f64) {
        self.tries += tries;
        self.new += f64::from(u8::from(is_new));
        if self.tries >= most {
            *self = Tally { tries: self.tries / 2.0, new: self.new / 2.0 };
        }
    }

    pub(super) fn share(&self) -> f64 {
        self.new / self.tries
    }
}

/// A value that is drawn apart: it depends on this alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draw {
    pub(crate) seed: u64,
    pub(crate) size: u32,
}

impl Draw {
    /// How many picks are drawn. Then the simplest arms are taken, so that the value ends.
    pub(crate) fn max_picks(&self) -> u32 {
        max_picks(self.size)
    }
}

/// The picks of a candidate grow with its size.
pub(super) fn max_picks(size: u32) -> u32 {
    size.saturating_add(1).saturating_mul(64).min(MOST_PICKS)
}

/// The picks of a candidate at most.
const MOST_PICKS: u32 = 1 << 14;

/// A value that a search found.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    Choices(Choices),
    Draw(Draw),
    /// None, for this reason.
    None(Box<Why>),
}

/// One step of a search.
pub(super) struct Step {
    pub(super) index: u32,
    pub(super) size: u32,
}

/// The steps of a search, up to its limit.
pub(super) struct Steps {
    next: u32,
    max_runs: u64,
    max_work: u64,
    time: Option<&'static SearchTime>,
}

/// A search that makes progress asks for the time once in so many steps.
const STEPS_PER_LOOK: u32 = 16;

impl Steps {
    pub(super) fn new(pool: &Pool, limit: &Limit) -> Steps {
        Steps {
            next: 0,
            max_runs: pool.counts.runs + limit.max_runs,
            max_work: pool.work + limit.max_work,
            time: limit.time,
        }
    }

    pub(super) fn runs_left(&self, pool: &Pool) -> u64 {
        self.max_runs - pool.counts.runs
    }

    pub(super) fn next(&mut self, pool: &Pool) -> Option<u32> {
        let step = self.next;
        self.next += 1;
        let looks = pool.slots.len() == 0 || step % STEPS_PER_LOOK == STEPS_PER_LOOK - 1;
        let is_over = pool.counts.runs >= self.max_runs
            || pool.work >= self.max_work
            || pool.is_exhausted(step)
            || looks && self.time.is_some_and(|time| (time.is_over)());
        (!is_over).then_some(step)
    }
}

/// When a search gives up.
pub(crate) struct Limit {
    /// After this many runs.
    pub(crate) max_runs: u64,
    /// After this much work: a run counts as 4 and the nodes of its value.
    pub(crate) max_work: u64,
    /// When the owner of the source says so.
    pub(crate) time: Option<&'static SearchTime>,
}
