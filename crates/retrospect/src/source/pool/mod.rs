//! A pool of valid values that breeds others: how `satisfying` finds values for which a condition holds.
//!
//! Each run edits the choices of a value that is known to be valid, replays them, and asks the condition about what comes out. Only what is valid *and new* is
//! kept: a walk that accepts any valid neighbour drifts back to the small values that are valid anyway. Each kind of value (its length, and how it begins) has niches of its
//! own in the pool: what is kept goes into an empty one or takes the place of a barren member; otherwise it takes that of its parent if they are of one kind, and is only given out
//! if they are not. So what is easily found, shorter lists for example, does not drive out what is not. Values that take the same arms are a family; one that has fewer members than
//! others takes places from them, and has children as often as they have. So no family floods the pool because all its children are valid, sums of numbers among
//! the programs of a typed language for example.
//!
//! A pool sees choices and answers, never a value or a generator. It reads no clock, and all chance comes from its seed.

mod edit;
mod follow;
mod labels;
mod seen;
mod slots;

pub(crate) use seen::hash_of;

use super::{Drawn, Rng, Source, Why};
use crate::choice::{Choices, Kind};
use edit::{Edit, OPERATORS};
use follow::{Follow, Level, MOST_PICKS};
use labels::{Around, Labels};
use seen::Seen;
use slots::{FAMILIES, Likeness, Slots};

/// Something that makes a value of the answers of a source, and knows whether the value made last is valid.
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
    /// How often the condition was asked: not again about choices that it is known to accept or refuse.
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
/// Nodes of the largest value that is kept, and of all that are: 16 MB, and a third more for their labels.
const MOST_IN_ONE: usize = 1 << 14;
const MOST_NODES: usize = 1 << 20;
/// Niches for one kind of values. Where there are few kinds, as with lists of one length, a pool that is still small gets one more for so many new values.
const NICHES: u64 = 4;
const FEW_SLOTS: usize = 32;
const NEW_FOR_A_NICHE: u64 = 16;
const MOST_NICHES: u64 = 64;
/// In percent: how often a value is drawn as if there were no pool.
const DRAWN: u64 = 1;
/// How often an operator that has not been fruitful is tried.
const LEAST_WEIGHT: f64 = 0.03;
/// Tries after which what is known of an operator counts half.
const TALLY: f64 = 500.0;
/// A niche is given to another when its member had so many more failures than the other's parent; and with more than this a value is no parent only because its family has had few
/// children.
const STALE: u32 = 8;
/// A family takes a place from one that has so many times more.
const TOO_MANY: u32 = 2;
/// Once in so many times it is asked again about choices whose answer is known.
const ASKED_AGAIN: u64 = 16;
/// Runs without anything new after which a draw is content with a value of the pool: at first, and the limits it moves between.
const PATIENCE: u32 = 256;
const LEAST_PATIENCE: u32 = 64;
const MOST_PATIENCE: u32 = 2048;
/// Runs that begin a pool whose first value is one that has the same index everywhere: it alone would be the same for every seed.
const WARM_UP: u32 = 512;
/// Where the pool is still small, a line makes so many new values, divided by how many lines there are, before one is given out: what is drawn in a row is not to be alike.
const WALK: u64 = 64;
/// A pool that has found nothing in all the runs there are gets this many more each time.
const RUNS_AFTERWARDS: u32 = 1000;

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
    /// The condition does not always say the same about the same choices: it is random, or depends on other values.
    is_volatile: bool,
    /// The choices of the run before.
    made: Choices,
    /// A value is being made, or the condition asked about it.
    is_busy: bool,
    /// A value was drawn as if there were no pool, since the last draw began.
    has_drawn: bool,
    /// Why the run before made nothing.
    stopped: Option<Box<Why>>,
    edits: Vec<Edit>,
    levels: Vec<Level>,
    made_labels: Vec<u32>,
    open: Vec<Around>,
}

const NO_SLOT: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Tally {
    tries: f64,
    new: f64,
}

/// What answers a run.
#[derive(Clone, Copy, PartialEq)]
enum How {
    Drawn,
    Constant(u64),
    Edited { parent: usize, operator: usize },
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
            made: Choices::default(),
            is_busy: false,
            has_drawn: false,
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

    /// Whether a run has begun and not ended, because the generator or the condition panicked.
    pub(crate) fn was_interrupted(&self) -> bool {
        self.is_busy
    }

    /// What follows depends on this seed and on what the pool holds.
    pub(crate) fn reseed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.is_busy = false;
        self.has_drawn = false;
    }

    /// Leaves a valid value in the candidate: a new one if there is one to be had, otherwise one that was met before. `false` if none was found.
    pub(crate) fn draw(
        &mut self,
        source: &mut Source<'_>,
        candidate: &mut dyn Candidate,
        most_runs: u32,
    ) -> Drawn<bool> {
        let was_empty = self.slots.len() == 0;
        let has_given_up = was_empty && self.counts.runs >= u64::from(most_runs);
        let most_runs = if has_given_up { RUNS_AFTERWARDS.min(most_runs) } else { most_runs };
        let mut is_warming = false;
        let mut is_content = false;
        let mut idle = 0;
        for run in 0..most_runs {
            // Who draws by weights wants to be asked; and counts places by it.
            let how = if run == 0 && source.is_like_chance() { How::Drawn } else { self.plan() };
            match self.run(source, candidate, how)? {
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
                idle += 1;
                if idle >= if is_warming { WARM_UP } else { self.patience } {
                    self.patience = (self.patience / 2).max(LEAST_PATIENCE);
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

    /// Leaves a valid value in the candidate whose choices were not met before. `false` if there was none in so many runs.
    pub(crate) fn search(
        &mut self,
        source: &mut Source<'_>,
        candidate: &mut dyn Candidate,
        most_runs: u32,
    ) -> Drawn<bool> {
        for _ in 0..most_runs {
            let how = self.plan();
            if let Run::New { .. } = self.run(source, candidate, how)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What is known of a search that found nothing.
    pub(crate) fn failure(&mut self, source: &mut Source<'_>, candidate: &mut dyn Candidate) -> (SearchCounts, String) {
        let counts = self.counts;
        let text = match self.make(source, candidate, How::Constant(0)) {
            Ok(true) => format!("the simplest that it refuses is {}", shortened(candidate.text())),
            _ => match self.stopped.take() {
                Some(why) => format!("the simplest cannot be made: {why}"),
                None => "the simplest cannot be made".to_owned(),
            },
        };
        (counts, text)
    }

    /// A value of the pool as it is.
    fn again(&mut self, source: &mut Source<'_>, candidate: &mut dyn Candidate) -> Drawn<bool> {
        for _ in 0..8 {
            let parent = self.slots.any(&mut self.rng);
            self.edits.clear();
            if self.make(source, candidate, How::Edited { parent, operator: 0 })? && self.ask(candidate) {
                self.counts.valid += 1;
                self.slots.get_mut(parent).steps = 0;
                return Ok(true);
            }
            self.is_volatile = true;
        }
        Ok(false)
    }

    fn run(&mut self, source: &mut Source<'_>, candidate: &mut dyn Candidate, how: How) -> Drawn<Run> {
        if !self.make(source, candidate, how)? {
            self.note(how, false);
            return Ok(Run::Refused);
        }
        let hash = hash_of(self.made.entries());
        let known = match self.valid.contains(hash) {
            true => Some(true),
            false => self.refused.contains(hash).then_some(false),
        };
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

    fn ask(&mut self, candidate: &mut dyn Candidate) -> bool {
        self.counts.asked += 1;
        self.is_busy = true;
        let is_valid = candidate.is_valid();
        self.is_busy = false;
        is_valid
    }

    /// Decides what answers the next run.
    fn plan(&mut self) -> How {
        if self.slots.len() == 0 {
            // The simplest value is often valid, and so is one of equal numbers, where hardly any other is.
            return match self.counts.runs {
                runs if runs % 4 != 3 => How::Drawn,
                3 => How::Constant(0),
                _ => How::Constant(self.rng.at_most(7)),
            };
        }
        if percent(&mut self.rng, DRAWN) {
            return How::Drawn;
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
        let weight = |tally: &Tally| (tally.new / tally.tries).max(LEAST_WEIGHT);
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
    fn make(&mut self, source: &mut Source<'_>, candidate: &mut dyn Candidate, how: How) -> Drawn<bool> {
        self.counts.runs += 1;
        self.is_busy = true;
        let Pool { slots, labels, rng, levels, edits, made, .. } = self;
        made.clear();
        let result = match how {
            How::Drawn => {
                let is_again = std::mem::replace(&mut self.has_drawn, true);
                source.drawn_apart((rng.next(), MOST_PICKS), is_again, made, candidate)
            }
            How::Constant(index) => {
                source.asked_apart(&mut Follow::constant(slots, labels, rng, levels, index), made, candidate)
            }
            How::Edited { parent, .. } => {
                source.asked_apart(&mut Follow::edited(slots, labels, rng, levels, parent, edits), made, candidate)
            }
        };
        self.is_busy = false;
        match result {
            Ok(()) => Ok(true),
            Err(Some(why)) if matches!(*why, Why::Invalid(_)) => Err(source.stop(*why)),
            Err(why) => {
                self.stopped = why;
                Ok(false)
            }
        }
    }

    fn note(&mut self, how: How, is_new: bool) {
        let How::Edited { parent, operator } = how else { return };
        let fails = &mut self.slots.get_mut(parent).fails;
        *fails = if is_new { *fails / 2 } else { fails.saturating_add(1) };
        let tally = &mut self.tallies[operator];
        tally.tries += 1.0;
        tally.new += f64::from(u8::from(is_new));
        if tally.tries >= TALLY {
            *tally = Tally { tries: tally.tries / 2.0, new: tally.new / 2.0 };
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
