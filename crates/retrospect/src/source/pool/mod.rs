//! The search behind `satisfying`: a pool of valid values, and the ways to find more.
//!
//! While the pool is empty, values are drawn, numbers of drawn values are arranged ([`pattern`]),
//! and the same index is tried everywhere; the size grows. Then edits compete with rejection and
//! patterns: each has a tally of the new values that it found for its cost, and the best gets most
//! of the steps.
//!
//! An edit changes the choices of a value in the pool, replays them, and asks the condition. Only a
//! value that is valid *and new* is kept: a walk that accepts any valid neighbour drifts back to
//! small values. Each kind of value (its length, and how it begins) has niches of its own. A kept
//! value takes an empty niche or the place of a barren member; otherwise it takes the place of its
//! parent if they are of one kind, and is only given out if they are not. So what is easily found,
//! shorter lists for example, does not drive out the rest. Values that take the same arms are a
//! family; one with fewer members takes places from larger ones, and has children as often. So no
//! family floods the pool because all its children are valid.
//!
//! A pool sees choices and answers, never a value or a generator. It reads no clock, and all chance
//! comes from its seed.

mod edit;
mod follow;
mod labels;
mod pattern;
mod seen;
mod slots;
mod steps;

pub(crate) use seen::hash_of;
pub(crate) use steps::{Draw, Found, Limit};

use super::{DEFAULT_SIZE, Drawn, Replay, Rng, Source, Why, grown};
use crate::choice::{Choices, Kind};
use edit::{Edit, OPERATORS};
use follow::{Follow, Level};
use labels::{Around, Labels};
use seen::Seen;
use slots::{FAMILIES, Likeness, Slots};
use steps::{Step, Steps, Tally, max_picks};

/// Something that makes a value of the answers of a source, and knows whether the value made last
/// is valid.
pub(crate) trait Candidate {
    fn make(&mut self, source: &mut Source<'_>) -> Drawn<()>;
    fn is_valid(&mut self) -> bool;
    /// The value made last, as text.
    fn text(&self) -> String;
}

/// What a search for valid values has cost, and what it gave.
///
/// ```
/// use retrospect::prelude::*;
/// let sorted = vec_of(0..10, ..=8).satisfying(|list| list.is_sorted());
/// let mut search = sorted.search(7);
/// search.by_ref().take(1000).for_each(drop);
/// let counts = search.counts();
/// assert_eq!(counts.new, 1000);
/// assert!(counts.new <= counts.valid && counts.valid <= counts.runs && counts.asked <= counts.runs);
/// assert!(counts.valid_share() > 0.2); // Of values that are drawn, one in eleven is sorted.
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCounts {
    /// How many values were made.
    pub runs: u64,
    /// How often the condition was asked: not again about choices that it is known to accept or
    /// refuse.
    pub asked: u64,
    /// How many of the values were valid.
    pub valid: u64,
    /// How many of them had choices that were not met before.
    pub new: u64,
}

impl SearchCounts {
    /// The share of the values made that were valid, from 0 to 1; 0 if none was made.
    ///
    /// ```
    /// use retrospect::generator::SearchCounts;
    /// assert_eq!(SearchCounts { runs: 40, asked: 40, valid: 10, new: 9 }.valid_share(), 0.25);
    /// assert_eq!(SearchCounts::default().valid_share(), 0.0);
    /// ```
    pub fn valid_share(&self) -> f64 {
        if self.runs == 0 { 0.0 } else { self.valid as f64 / self.runs as f64 }
    }
}

/// Values in the pool, and niches for them.
const MOST_SLOTS: usize = 1024;
/// Hashes of valid and of refused choices that are remembered: 8 MB and 128 KB.
const MOST_VALID: usize = 1 << 20;
const MOST_REFUSED: usize = 1 << 14;
/// Nodes of the largest value that is kept, and of all that are: 16 MB, and a third more for their
/// labels.
const MOST_IN_ONE: usize = 1 << 14;
const MOST_NODES: usize = 1 << 20;
/// Niches for one kind of values. Where there are few kinds, as with lists of one length, a pool
/// that is still small gets one more for so many new values.
const NICHES: u64 = 4;
const FEW_SLOTS: usize = 32;
const NEW_FOR_A_NICHE: u64 = 16;
const MOST_NICHES: u64 = 64;
/// In percent: how often a value is drawn as if there were no pool.
const DRAWN: u64 = 1;
/// Rejection draws this many values in a row and records none of them. While nothing is found, a
/// batch doubles so many times.
const BATCH: u32 = 32;
const MAX_BATCH_GROWTH: u32 = 3;
/// How many edits a value costs that is drawn by rejection, and one that is arranged.
const DRAW_COST: f64 = 0.125;
const PATTERN_COST: f64 = 2.0;
/// Of this many steps one is an edit where something else finds more.
const EDITS_BESIDE: u64 = 16;
/// Of this many batches of rejection one counts as a step without anything new.
const BATCHES_PER_IDLE: u64 = 4;
/// Cost after which the yield of rejection, patterns and edits counts half.
const YIELD_TALLY: f64 = 8192.0;
/// The yield of edits that were never tried.
const FIRST_YIELD: Tally = Tally { tries: 1.0, new: 0.1 };
/// Steps without a valid value after which the size grows.
const STEPS_PER_SIZE: u32 = 256;
/// The largest size that is tried, as a multiple of the largest that users ask for.
const MAX_GROWTH: u32 = 4;
/// The second half of this many steps is made at a size that is so many times smaller.
const STEPS_AT_SIZES: u32 = 64;
const SMALL: u32 = 8;
/// Steps at the largest sizes come in cycles of this many times [`STEPS_PER_SIZE`].
const GROWTH_CYCLE: u32 = 6;
/// If this many drawn or edited values in a row were all met before, hardly any other exists.
const MAX_REPEATS: u32 = 1024;
/// If more than this share of the last drawn values was met before, it pays to know them again.
const MAX_KNOWN: f64 = 0.25;
const KNOWN_TALLY: f64 = 64.0;
/// If a condition inside the candidates refuses everything so often, and none was ever made, the
/// search ends.
const MAX_UNMADE: u32 = 10;
/// A tuned source is asked so often before anything else is tried.
const FIRST_TUNED: u32 = 16;
/// Of its first new values a pool finds many by rejection and patterns, even if edits find more for
/// the same cost: these are not alike.
const FIRST_NEW: u64 = 64;
const FIRST_COST: f64 = 8.0;
/// A value of equal indices has so many nodes at most.
const MAX_CONSTANT_NODES: usize = 1 << 12;
/// An edited value has so many times the nodes of drawn ones at most, and a few more.
const MAX_TIMES_DRAWN: usize = 4;
const MIN_NODES: usize = 64;
/// How often an operator that has not been fruitful is tried.
const LEAST_WEIGHT: f64 = 0.03;
/// Tries after which what is known of an operator counts half.
const TALLY: f64 = 500.0;
/// A niche is given to another when its member had so many more failures than the other's parent;
/// and with more than this a value is no parent only because its family has had few children.
const STALE: u32 = 8;
/// A family takes a place from one that has so many times more.
const TOO_MANY: u32 = 2;
/// Once in so many times it is asked again about choices whose answer is known.
const ASKED_AGAIN: u64 = 16;
/// Runs without anything new after which a draw is content with a value of the pool: at first, and
/// the limits it moves between.
const PATIENCE: u32 = 256;
const LEAST_PATIENCE: u32 = 64;
const MOST_PATIENCE: u32 = 2048;
/// Runs that begin a pool whose first value is one that has the same index everywhere: it alone
/// would be the same for every seed.
const WARM_UP: u32 = 512;
/// Where the pool is still small, a line makes so many new values, divided by how many lines there
/// are, before one is given out: what is drawn in a row is not to be alike.
const WALK: u64 = 64;

pub(crate) struct Pool {
    rng: Rng,
    slots: Slots,
    /// The slot of each niche, or [`NO_SLOT`].
    niches: Vec<u32>,
    valid: Seen,
    refused: Seen,
    labels: Labels,
    tallies: [Tally; OPERATORS.len()],
    /// How many new values there were of each family.
    children: [u64; FAMILIES],
    counts: SearchCounts,
    patience: u32,
    /// The condition does not always say the same about the same choices: it is random, or depends
    /// on other values.
    is_volatile: bool,
    /// What rejection, patterns and edits found for their cost.
    draws: Tally,
    patterns: Tally,
    edited: Tally,
    /// How many drawn values were met before, and how many in a row.
    known: Tally,
    repeats: u32,
    /// The last drawn value, whose numbers are arranged.
    base: Choices,
    /// How many values were drawn and recorded, and their nodes.
    n_drawn: usize,
    drawn_nodes: usize,
    work: u64,
    /// The smallest and the largest size that was tried.
    sizes: (u32, u32),
    /// Whether a search of the pool gave up and had found nothing.
    pub(super) has_given_up: bool,
    /// The choices of the run before.
    made: Choices,
    /// The value that rejection draws at present, as it records nothing.
    unrecorded: Option<Draw>,
    /// A value is being made, or the condition asked about it.
    is_busy: bool,
    /// A value was drawn as if there were no pool, since the last draw began.
    has_drawn: bool,
    /// How often a condition inside refused everything, before the first candidate was made.
    unmade: u32,
    /// Why the run before made nothing.
    stopped: Option<Box<Why>>,
    edits: Vec<Edit>,
    levels: Vec<Level>,
    made_labels: Vec<u32>,
    open: Vec<Around>,
}

const NO_SLOT: u32 = u32::MAX;

/// What answers a run.
#[derive(Clone, Copy, PartialEq)]
enum How {
    Drawn,
    /// Drawn, many of them, without a record.
    Rejection,
    /// The last drawn value, with its numbers arranged.
    Pattern,
    Constant(u64),
    Edited {
        parent: usize,
        operator: usize,
    },
}

/// How a run ended.
enum Run {
    /// Valid, and not met before.
    New {
        is_constant: bool,
    },
    /// Valid and met before; whether the condition has said so now.
    Known {
        was_asked: bool,
    },
    Refused,
}

impl Pool {
    pub(crate) fn new(seed: u64) -> Pool {
        Pool {
            rng: Rng::new(seed),
            slots: Slots::new(),
            niches: Vec::new(),
            valid: Seen::new(MOST_VALID),
            refused: Seen::new(MOST_REFUSED),
            labels: Labels::default(),
            tallies: [Tally { tries: 1.0, new: 0.5 }; OPERATORS.len()],
            children: [0; FAMILIES],
            counts: SearchCounts::default(),
            patience: PATIENCE,
            is_volatile: false,
            draws: Tally { tries: 1.0, new: 0.0 },
            patterns: Tally { tries: 1.0, new: 0.0 },
            edited: FIRST_YIELD,
            known: Tally { tries: 2.0, new: 0.0 },
            repeats: 0,
            base: Choices::default(),
            n_drawn: 0,
            drawn_nodes: 0,
            work: 0,
            sizes: (u32::MAX, 0),
            has_given_up: false,
            made: Choices::default(),
            unrecorded: None,
            is_busy: false,
            has_drawn: false,
            unmade: 0,
            stopped: None,
            edits: Vec::new(),
            levels: Vec::new(),
            made_labels: Vec::new(),
            open: Vec::new(),
        }
    }

    pub(crate) fn counts(&self) -> SearchCounts {
        self.counts
    }

    /// The choices of the value that the last draw or search ended with.
    pub(crate) fn made(&self) -> &Choices {
        &self.made
    }

    /// The value that the last draw ended with, for whoever makes it again.
    pub(crate) fn found(&self) -> Found {
        match self.unrecorded {
            Some(draw) => Found::Draw(draw),
            None => Found::Choices(self.made.clone()),
        }
    }

    /// Whether a run has begun and not ended, because the generator or the condition panicked.
    pub(crate) fn was_interrupted(&self) -> bool {
        self.is_busy
    }

    /// The smallest and the largest size that was tried.
    pub(crate) fn sizes(&self) -> (u32, u32) {
        self.sizes
    }

    /// What follows depends on this seed and on what the pool holds.
    pub(crate) fn reseed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.is_busy = false;
        self.has_drawn = false;
        self.unrecorded = None;
    }

    /// Leaves a valid value in the candidate: a new one if there is one to be had, otherwise one
    /// that was met before. `false` if none was found.
    pub(crate) fn draw(
        &mut self,
        source: &mut Source<'_>,
        candidate: &mut dyn Candidate,
        limit: &Limit,
    ) -> Drawn<bool> {
        let was_empty = self.slots.len() == 0;
        let mut is_warming = false;
        let mut is_content = false;
        let mut idle = 0;
        let mut steps = Steps::new(self, limit);
        while let Some(step) = steps.next(self) {
            // A tuned source wants to be asked first: it counts places by that.
            let how = if step == 0 && source.is_like_chance() { How::Drawn } else { self.plan(step, source) };
            match self.run(source, candidate, how, step, steps.runs_left(self))? {
                Run::New { is_constant: true } if was_empty => is_warming = true,
                Run::New { .. } if !is_warming && self.is_far(how) => {
                    self.patience = (self.patience * 2).min(MOST_PATIENCE);
                    return Ok(true);
                }
                Run::Known { was_asked: true } if self.is_volatile => return Ok(true),
                // Not all that is valid is in the pool.
                Run::Known { was_asked } if is_content && (was_asked || self.ask(candidate)) => return Ok(true),
                _ => {}
            }
            if self.slots.len() > 0 {
                idle += u32::from(how != How::Rejection || self.rng.at_most(BATCHES_PER_IDLE - 1) == 0);
                if idle >= if is_warming { WARM_UP } else { self.patience } {
                    // If hardly any other value exists, a draw gives one of the pool soon.
                    let least = if self.repeats < MAX_REPEATS { LEAST_PATIENCE } else { 1 };
                    self.patience = (self.patience / 2).max(least);
                    is_content = !is_warming && !is_content && self.rng.next() & 1 == 0;
                    if !is_content && self.again(source, candidate)? {
                        return Ok(true);
                    }
                    idle = 0;
                }
            }
        }
        Ok(false)
    }

    /// Whether a new value is far enough from what its line has given out before.
    fn is_far(&mut self, how: How) -> bool {
        let How::Edited { parent, .. } = how else { return true };
        let lines = self.slots.len() as u64;
        let line = self.slots.get_mut(parent);
        let is_far = u64::from(line.steps) * lines >= WALK;
        if is_far {
            line.steps = 0;
        }
        is_far
    }

    /// Leaves a valid value in the candidate whose choices were not met before. `false` if there
    /// was none in so many runs.
    pub(crate) fn search(
        &mut self,
        source: &mut Source<'_>,
        candidate: &mut dyn Candidate,
        max_runs: u32,
    ) -> Drawn<bool> {
        let mut steps = Steps::new(self, &Limit { max_runs: u64::from(max_runs), max_work: u64::MAX / 2, time: None });
        while let Some(step) = steps.next(self) {
            let how = self.plan(step, source);
            if let Run::New { .. } = self.run(source, candidate, how, step, steps.runs_left(self))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What is known of a search that found nothing.
    pub(crate) fn failure(&mut self, source: &mut Source<'_>, candidate: &mut dyn Candidate) -> (SearchCounts, String) {
        let counts = self.counts;
        let text = match self.make(source, candidate, How::Constant(0), source.size()) {
            Ok(true) => format!("the simplest that it refuses is {}", shortened(candidate.text())),
            _ => match self.stopped.take() {
                Some(why) => format!("the simplest cannot be made: {why}"),
                None => "the simplest cannot be made".to_owned(),
            },
        };
        (counts, text)
    }

    /// Forgets all but its counts. A search gives up by time, so what it did until then must not
    /// decide which values are found later.
    pub(crate) fn give_up(&mut self) {
        let is_volatile = self.counts.valid > 0;
        *self = Pool { counts: self.counts, has_given_up: !is_volatile, is_volatile, ..Pool::new(0) };
    }

    /// A value of the pool as it is.
    fn again(&mut self, source: &mut Source<'_>, candidate: &mut dyn Candidate) -> Drawn<bool> {
        for _ in 0..8 {
            let parent = self.slots.any(&mut self.rng);
            self.edits.clear();
            let how = How::Edited { parent, operator: 0 };
            if self.make(source, candidate, how, source.size())? && self.ask(candidate) {
                self.counts.valid += 1;
                self.slots.get_mut(parent).steps = 0;
                return Ok(true);
            }
            self.is_volatile = true;
        }
        Ok(false)
    }

    fn run(
        &mut self,
        source: &mut Source<'_>,
        candidate: &mut dyn Candidate,
        how: How,
        step: u32,
        runs_left: u64,
    ) -> Drawn<Run> {
        let size = self.size_for(step, source.size());
        self.sizes = (self.sizes.0.min(size), self.sizes.1.max(size));
        let is_made = match how {
            How::Rejection => self.reject(source, candidate, Step { index: step, size }, runs_left)?,
            _ => self.make(source, candidate, how, size)?,
        };
        if !is_made {
            self.note(how, false);
            return Ok(Run::Refused);
        }
        let hash = hash_of(self.made.entries());
        let known = match self.valid.contains(hash) {
            true => Some(true),
            false => self.refused.contains(hash).then_some(false),
        };
        if matches!(how, How::Drawn | How::Rejection | How::Edited { .. }) {
            self.repeats = if known.is_some() { self.repeats.saturating_add(1) } else { 0 };
        }
        if matches!(how, How::Drawn | How::Rejection) {
            self.known.add(1.0, known.is_some(), KNOWN_TALLY);
        }
        if how == How::Drawn {
            self.n_drawn += 1;
            self.drawn_nodes += self.made.len();
            self.base.copy_from(&self.made);
        }
        let asks = known.is_none() || self.is_volatile || self.rng.next().is_multiple_of(ASKED_AGAIN);
        let is_valid = match known {
            Some(known) if !asks => known,
            _ => self.ask(candidate),
        };
        self.is_volatile |= known.is_some_and(|known| known != is_valid);
        self.counts.valid += u64::from(is_valid);
        let is_new = is_valid && known != Some(true);
        self.note(how, is_new);
        if is_new {
            self.counts.new += 1;
            self.valid.add(hash, &mut self.rng);
            self.keep(how);
            return Ok(Run::New { is_constant: matches!(how, How::Constant(_)) });
        }
        if is_valid {
            return Ok(Run::Known { was_asked: asks });
        }
        if known.is_none() {
            self.refused.add(hash, &mut self.rng);
        }
        Ok(Run::Refused)
    }

    /// Draws values and records none, until one is valid: that one is drawn again and recorded.
    ///
    /// The condition is asked about it once more, since a search inside of it may have gone on.
    fn reject(
        &mut self,
        source: &mut Source<'_>,
        candidate: &mut dyn Candidate,
        Step { index, size }: Step,
        runs_left: u64,
    ) -> Drawn<bool> {
        let batch = u64::from(BATCH << (index / STEPS_PER_SIZE).min(MAX_BATCH_GROWTH)).min(runs_left);
        let runs_before = self.counts.runs;
        let found = source.drawn_unrecorded(size, |inner| {
            for _ in 0..batch {
                let draw = Draw { seed: self.rng.next(), size };
                inner.begin_draw(draw);
                self.counts.runs += 1;
                self.unrecorded = Some(draw);
                self.is_busy = true;
                let is_made = candidate.make(inner).is_ok();
                self.is_busy = false;
                match is_made {
                    true if self.ask(candidate) => return Ok(Some(draw)),
                    false if inner.why().is_some_and(|why| self.is_hopeless(why)) => return Err(inner.take_why()),
                    _ => {}
                }
            }
            Ok(None)
        });
        self.unrecorded = None;
        self.work += (self.counts.runs - runs_before) * (4 + self.base.len() as u64);
        self.draws.add((self.counts.runs - runs_before) as f64 * DRAW_COST, false, YIELD_TALLY);
        let draw = match found {
            Ok(Some(draw)) => draw,
            Ok(None) => return Ok(false),
            Err(why) => return self.stop(source, why),
        };
        self.is_busy = true;
        self.made.clear();
        let result = source.drawn_apart(draw, false, &mut self.made, candidate);
        self.is_busy = false;
        Ok(result.is_ok())
    }

    /// The nodes of a value that is edited: not many more than drawn values have.
    fn max_nodes(&self, parent: usize) -> usize {
        let mean = self.drawn_nodes / self.n_drawn.max(1);
        (MAX_TIMES_DRAWN * mean + MIN_NODES).max(self.slots.len_of(parent))
    }

    /// The size of a step. It grows while nothing is found: first up to the largest that users ask
    /// for, then now and then beyond. Of what is found only with luck, small values are tried as
    /// well.
    fn size_for(&self, step: u32, size: u32) -> u32 {
        if self.slots.len() > 0 && !self.is_volatile {
            return size;
        }
        let full = size.max(DEFAULT_SIZE);
        let mut grows = size;
        let mut left = step / STEPS_PER_SIZE;
        while left > 0 && grows < full {
            grows = grown(grows);
            left -= 1;
        }
        let grows = match left % GROWTH_CYCLE {
            _ if grows < full => grows,
            3 => full.saturating_mul(2),
            5 => full.saturating_mul(MAX_GROWTH),
            _ => full,
        };
        if step % STEPS_AT_SIZES < STEPS_AT_SIZES / 2 { grows } else { (grows / SMALL).max(size.min(SMALL)) }
    }

    /// Whether all sizes were tried, and gave nothing but values that were met before.
    fn is_exhausted(&self, step: u32) -> bool {
        self.slots.len() == 0
            && self.repeats >= MAX_REPEATS
            && step / STEPS_PER_SIZE > DEFAULT_SIZE.ilog2() + GROWTH_CYCLE
    }

    fn ask(&mut self, candidate: &mut dyn Candidate) -> bool {
        self.counts.asked += 1;
        self.is_busy = true;
        let is_valid = candidate.is_valid();
        self.is_busy = false;
        is_valid
    }

    /// Decides what answers the next run.
    fn plan(&mut self, step: u32, source: &Source<'_>) -> How {
        let is_small = self.known.share() > MAX_KNOWN;
        let rejection = if source.is_like_chance() || is_small { How::Drawn } else { How::Rejection };
        if self.slots.len() == 0 {
            return match step % 8 {
                _ if source.is_like_chance() && step < FIRST_TUNED => How::Drawn,
                0 | 4 => How::Drawn,
                // The simplest value is often valid, and so is one of equal numbers.
                3 => How::Constant(if step == 3 { 0 } else { self.rng.at_most(7) }),
                7 => rejection,
                _ => How::Pattern,
            };
        }
        let [draws, patterns, edited] = [self.draws, self.patterns, self.edited].map(|tally| tally.share());
        let edited = if self.counts.new < FIRST_NEW { edited / FIRST_COST } else { edited };
        let is_beside = draws.max(patterns) > edited && self.rng.at_most(EDITS_BESIDE - 1) > 0;
        if is_beside && patterns > draws {
            return if step.is_multiple_of(4) { How::Drawn } else { How::Pattern };
        }
        if is_beside && !is_small {
            return rejection;
        }
        if percent(&mut self.rng, DRAWN) {
            return if self.rng.next() & 1 == 0 { How::Drawn } else { How::Pattern };
        }
        let parent = self.parent();
        for _ in 0..OPERATORS.len() {
            let operator = self.operator();
            if edit::propose(OPERATORS[operator], &self.slots, parent, &mut self.rng, &mut self.edits) {
                return How::Edited { parent, operator };
            }
        }
        How::Drawn
    }

    /// Of two values the one whose family has had fewer children, or the more fruitful one.
    fn parent(&mut self) -> usize {
        let (one, other) = (self.slots.any(&mut self.rng), self.slots.any(&mut self.rng));
        let (first, second) = (self.slots.get(one as u32), self.slots.get(other as u32));
        let children = |like: Likeness| self.children[usize::from(like.family)];
        let is_barren = first.fails.max(second.fails) > STALE;
        let is_second = match is_barren || first.like.family == second.like.family {
            true => second.fails < first.fails,
            false => children(second.like) < children(first.like),
        };
        if is_second { other } else { one }
    }

    fn operator(&mut self) -> usize {
        let weight = |tally: &Tally| tally.share().max(LEAST_WEIGHT);
        let mut total = 0.0;
        for tally in &self.tallies {
            total += weight(tally);
        }
        let mut left = (self.rng.next() >> 11) as f64 / (1u64 << 53) as f64 * total;
        for (operator, tally) in self.tallies.iter().enumerate() {
            left -= weight(tally);
            if left < 0.0 {
                return operator;
            }
        }
        0
    }

    /// Makes a value. `false` if the generator stopped; an error if it is wrong in itself.
    fn make(&mut self, source: &mut Source<'_>, candidate: &mut dyn Candidate, how: How, size: u32) -> Drawn<bool> {
        self.counts.runs += 1;
        self.is_busy = true;
        let max_nodes = match how {
            How::Edited { parent, .. } => self.max_nodes(parent),
            _ => MAX_CONSTANT_NODES,
        };
        let Pool { slots, labels, rng, levels, edits, made, .. } = self;
        made.clear();
        let result = match how {
            How::Drawn | How::Rejection => {
                let is_again = std::mem::replace(&mut self.has_drawn, true);
                source.drawn_apart(Draw { seed: rng.next(), size }, is_again, made, candidate)
            }
            How::Pattern => {
                labels.write(self.base.entries(), &mut self.made_labels, &mut self.open);
                let mut arranged = self.base.clone();
                pattern::arrange(&mut arranged, &self.made_labels, rng);
                source.asked_apart(&mut Replay::lenient(&arranged), size, made, candidate)
            }
            How::Constant(index) => {
                let mut follow =
                    Follow::constant(slots, labels, rng, levels, index).limited(max_picks(size), max_nodes);
                source.asked_apart(&mut follow, size, made, candidate)
            }
            How::Edited { parent, .. } => {
                let mut follow =
                    Follow::edited(slots, labels, rng, levels, parent, edits).limited(max_picks(size), max_nodes);
                source.asked_apart(&mut follow, size, made, candidate)
            }
        };
        self.is_busy = false;
        self.work += 4 + self.made.len() as u64;
        match result {
            Ok(()) => Ok(true),
            Err(why) => self.stop(source, why),
        }
    }

    /// Whether the generator may be wrong in itself: a condition inside of it refuses everything.
    fn is_hopeless(&self, why: &Why) -> bool {
        match why {
            Why::FilteredOut { refused: 2.., .. } | Why::NoneFound { runs: 2.., .. } => self.counts.asked == 0,
            _ => false,
        }
    }

    /// What follows when a generator stopped: an error if it is wrong in itself.
    fn stop(&mut self, source: &mut Source<'_>, why: Option<Box<Why>>) -> Drawn<bool> {
        if let Some(why) = why.as_deref() {
            let is_wrong = matches!(why, Why::Invalid(_) | Why::NeverEnds { .. } | Why::NoPick { .. });
            self.unmade += u32::from(self.is_hopeless(why));
            if is_wrong || self.unmade >= MAX_UNMADE {
                return Err(source.stop(why.clone()));
            }
        }
        self.stopped = why;
        Ok(false)
    }

    fn note(&mut self, how: How, is_new: bool) {
        match how {
            How::Edited { parent, operator } => {
                let fails = &mut self.slots.get_mut(parent).fails;
                *fails = if is_new { *fails / 2 } else { fails.saturating_add(1) };
                self.tallies[operator].add(1.0, is_new, TALLY);
                self.edited.add(1.0, is_new, YIELD_TALLY);
            }
            How::Drawn => self.draws.add(DRAW_COST, is_new, YIELD_TALLY),
            // Its tries are counted already.
            How::Rejection => self.draws.add(0.0, is_new, YIELD_TALLY),
            How::Pattern => self.patterns.add(PATTERN_COST, is_new, YIELD_TALLY),
            How::Constant(_) => {}
        }
    }

    /// Finds a slot for what was made.
    fn keep(&mut self, how: How) {
        if self.made.len() > MOST_IN_ONE {
            return;
        }
        self.labels.write(self.made.entries(), &mut self.made_labels, &mut self.open);
        let like = self.likeness();
        self.children[usize::from(like.family)] += 1;
        if let How::Edited { parent, .. } = how {
            let line = self.slots.get_mut(parent);
            line.steps = line.steps.saturating_add(1);
        }
        let niche = self.niche_for(like);
        let Some(slot) = self.slot_for(like, niche, how) else { return };
        if self.slots.entries() + self.made.len() > MOST_NODES + self.slots.len_of(slot) {
            return;
        }
        if slot == self.slots.len() {
            self.niches[niche] = slot as u32;
        }
        self.slots.put(slot, like, &self.made, &self.made_labels);
        if !matches!(how, How::Edited { parent, .. } if parent == slot) {
            self.slots.get_mut(slot).steps = 0;
        }
    }

    fn niche_for(&mut self, like: Likeness) -> usize {
        if self.niches.is_empty() {
            self.niches = vec![NO_SLOT; MOST_SLOTS];
        }
        let more = if self.slots.len() < FEW_SLOTS { (self.counts.new / NEW_FOR_A_NICHE).min(MOST_NICHES) } else { 0 };
        niche_of(like.kind, self.rng.at_most(NICHES + more - 1))
    }

    /// The slot that a value may take: a new one, or whose member is to go.
    fn slot_for(&mut self, like: Likeness, niche: usize, how: How) -> Option<usize> {
        let parent = match how {
            How::Edited { parent, .. } => Some(parent),
            _ => None,
        };
        let member = self.niches[niche];
        if member == NO_SLOT && self.slots.len() < MOST_SLOTS {
            return Some(self.slots.len());
        }
        let parent_fails = parent.map_or(0, |parent| self.slots.get(parent as u32).fails);
        if member != NO_SLOT && self.slots.get(member).fails > parent_fails + STALE {
            return Some(member as usize);
        }
        // Of its own kind a value takes the place of its parent; others stay where they are.
        if let Some(parent) = parent.filter(|parent| self.slots.get(*parent as u32).like.kind == like.kind) {
            return Some(parent);
        }
        let any = self.slots.any(&mut self.rng);
        let has_too_many = self.slots.kin(self.slots.get(any as u32).like) > TOO_MANY * self.slots.kin(like);
        has_too_many.then_some(any)
    }

    fn likeness(&self) -> Likeness {
        let (mut hash, mut choices, mut arms) = (0, 0, 0_u64);
        for (entry, label) in self.made.entries().iter().zip(&self.made_labels) {
            match entry.kind() {
                Kind::Call | Kind::Part => continue,
                Kind::Pick => arms |= 1 << one_of_64(u64::from(*label) ^ (entry.arm() as u64) << 32),
                Kind::Number | Kind::Repeat => {}
            }
            if choices < 12 {
                hash = mixed(hash ^ u64::from(*label));
            }
            choices += 1;
        }
        Likeness { kind: mixed(hash ^ choices), family: one_of_64(arms) }
    }
}

fn mixed(number: u64) -> u64 {
    number.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

/// A number below 64 for any other.
fn one_of_64(number: u64) -> u8 {
    (mixed(mixed(number)).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 58) as u8
}

/// One of the niches of a kind.
fn niche_of(kind: u64, which: u64) -> usize {
    (mixed(kind ^ which << 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 40) as usize % MOST_SLOTS
}

/// True so many times in a hundred.
fn percent(rng: &mut Rng, share: u64) -> bool {
    rng.at_most(99) < share
}

/// The longest text of a value in a message.
const LONGEST: usize = 200;

fn shortened(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
