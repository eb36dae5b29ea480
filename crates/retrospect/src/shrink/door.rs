//! The one door through which every candidate goes.

use super::frozen::are_left_alone;
use super::order::is_simpler;
use super::tree::{Tree, not_before};
use super::{Replayed, SMALL, Step, Trial, Tried};
use crate::choice::{Choices, Kind};
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;
use std::rc::Rc;

/// What passes hand their candidates to: it remembers what was tried, asks the order before it asks
/// the property, counts the runs, and keeps the best tree and how it came about. Nothing else runs
/// the property.
pub(super) struct Door<'t> {
    trial: &'t mut dyn Trial,
    go_on: &'t mut dyn FnMut() -> bool,
    most_runs: u64,
    best: Rc<Tree>,
    seen: HashMap<u64, Verdict>,
    /// What runs recorded that passed, where nothing but a run tells what is drawn.
    recorded: HashSet<u64>,
    /// How many draws it was when the last candidate was run, if it passed.
    last_recorded: Option<usize>,
    /// The last few candidates that passed.
    passed: VecDeque<Choices>,
    pass: &'static str,
    cut: Vec<&'static str>,
    /// The version of the best in which no number can be lowered alone.
    numbers_settled: Option<usize>,
    /// Whether numbers of the best are bounds, as far as that was asked.
    pub(super) bounds: HashMap<usize, bool>,
    /// The version of the best than which nothing is simpler and fails.
    least: Option<usize>,
    /// The nodes that the present pass has had replayed, or compared, without a run.
    effort: usize,
    /// The same of all passes since the best last changed, and until then.
    effort_in_vain: usize,
    effort_before: usize,
    /// How many runs in a row the present pass took without a success, and how many it may take.
    idle_runs: u64,
    max_idle_runs: u64,
    /// Numbers, by their places, that were lowered together, and those that could not be 0 alone,
    /// since the tree last changed its size.
    moved_together: Vec<Vec<usize>>,
    pub(super) needed: HashSet<usize>,
    /// While passes look for what may not be there: the replays that they share, and when to ask
    /// again how many there are.
    search: Option<Range<u64>>,
    next_ask: u64,
    /// The present pass ends at this replay.
    pass_end: u64,
    rejected: u64,
    /// What each of these passes took since the best last changed.
    spent_in_vain: Vec<(&'static str, u64)>,
    pub(super) searched: u64,
    pub(super) replays: u64,
    pub(super) steps: Vec<Step>,
    pub(super) runs: u64,
    pub(super) cached: u64,
    /// How many runs each pass took, in the order in which they first ran.
    pub(super) spent: Vec<(&'static str, u64)>,
}

/// Why nothing more may be tried. Passes hand it on with `?`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Over {
    RunsSpent,
    Stopped,
    /// The present pass has looked at more than it is worth. Others may go on.
    Enough,
}

/// What is known of a tree. The best only gets better, so what was not simpler once never is.
#[derive(Clone, Copy)]
enum Verdict {
    Passed,
    Fails,
    NotSimpler,
}

/// What was recorded of a candidate.
pub(super) struct Made {
    pub(super) choices: Choices,
    /// Whether the generator refused it: then the record ends where it did, and lists in it have
    /// only the items that were begun.
    pub(super) is_refused: bool,
}

/// How many nodes a pass may look at without a run: so many always, and so many trees of the size
/// of the best. A tree costs so much more than its nodes.
const MOST_EFFORT: usize = 200_000;
const MOST_TREES: usize = 64;
const EFFORT_OF_ANY: usize = 16;
/// How many nodes all passes together may look at without a run before each of them may look at
/// only a few large trees.
const MAX_EFFORT_IN_VAIN: usize = 2 * MOST_EFFORT;
const FEW_TREES: usize = 4;
const SMALL_TREE: usize = 64;
/// How many runs in a row a pass may take without a success: see [`Door::limit_idle_runs`].
const MAX_IDLE_RUNS: u64 = 150;
const IDLE_PART: u64 = 8;
/// How many candidates that are rejected at once cost as much as a replay.
const REJECTED_FOR_A_REPLAY: u64 = 32;
/// After how many replays a trial is asked again how many it has to spare.
const ASKED_EVERY: u64 = 16;
/// How many candidates that passed are remembered as trees.
const REMEMBERED: usize = 24;
/// How many of them are told.
const TOLD: usize = 4;

impl<'t> Door<'t> {
    pub(super) fn new(
        start: &Choices,
        trial: &'t mut dyn Trial,
        go_on: &'t mut dyn FnMut() -> bool,
        most_runs: u64,
    ) -> Door<'t> {
        // The start may come from a text, which knows no bounds and no numbers of arms; a replay
        // notes them.
        let start = match trial.replay(start) {
            Replayed::Made(made) if made == *start => made,
            _ => start.clone(),
        };
        let seen = HashMap::from([(key_of(&start), Verdict::NotSimpler)]);
        Door {
            trial,
            go_on,
            most_runs,
            best: Rc::new(Tree::new(start)),
            seen,
            recorded: HashSet::new(),
            last_recorded: None,
            passed: VecDeque::new(),
            pass: "",
            cut: Vec::new(),
            numbers_settled: None,
            bounds: HashMap::new(),
            least: None,
            effort: 0,
            effort_in_vain: 0,
            effort_before: 0,
            idle_runs: 0,
            max_idle_runs: u64::MAX,
            moved_together: Vec::new(),
            needed: HashSet::new(),
            search: None,
            next_ask: 0,
            pass_end: u64::MAX,
            rejected: 0,
            spent_in_vain: Vec::new(),
            searched: 0,
            replays: 0,
            steps: Vec::new(),
            runs: 0,
            cached: 0,
            spent: Vec::new(),
        }
    }

    /// The best tree, and the first of the places that is not before `next`, which then lies after
    /// it: so a pass goes through places in order while the tree changes under it.
    pub(super) fn next_place(&self, next: &mut usize, places: fn(&Tree) -> &[usize]) -> Option<(Rc<Tree>, usize)> {
        let tree = self.best();
        let at = not_before(places(&tree), *next).next()?;
        *next = at + 1;
        Some((tree, at))
    }

    /// The simplest tree that failed so far.
    pub(super) fn best(&self) -> Rc<Tree> {
        Rc::clone(&self.best)
    }

    /// How often the best has changed: passes ask it whether anything happened.
    pub(super) fn version(&self) -> usize {
        self.steps.len()
    }

    pub(super) fn begin(&mut self, pass: &'static str) {
        self.pass = pass;
        self.effort = 0;
        self.idle_runs = 0;
        self.max_idle_runs = u64::MAX;
        self.cut.retain(|other| *other != pass);
    }

    /// The present pass may take only some runs in a row without a success, and a part of all runs
    /// so far: others may gain more by then.
    pub(super) fn limit_idle_runs(&mut self) {
        self.max_idle_runs = MAX_IDLE_RUNS + self.runs / IDLE_PART;
    }

    /// The present pass has ended, which began with this run. What a search took after its last
    /// success was in vain.
    pub(super) fn end(&mut self, began: u64) {
        if self.is_searching() {
            self.searched += self.runs - self.steps.last().map_or(began, |step| step.run.max(began));
        }
    }

    /// Notes that the present pass left something out because the tree is too large for it.
    pub(super) fn cut_short(&mut self) {
        if !self.cut.contains(&self.pass) {
            self.cut.push(self.pass);
        }
    }

    /// The passes that left something out when they last ran.
    pub(super) fn cut(&self) -> Vec<&'static str> {
        self.cut.clone()
    }

    /// Whether the candidate fails and is simpler than the best; then it is the best.
    pub(super) fn consider(&mut self, candidate: Choices) -> Result<bool, Over> {
        self.last_recorded = None;
        let key = key_of(&candidate);
        if self.is_known(key, &candidate) {
            return self.without_run(&candidate);
        }
        self.next_replay()?;
        let mut made_key = key;
        match self.trial.replay(&candidate) {
            Replayed::Made(made) => {
                if !is_simpler(&made, &self.best.choices) || !are_left_alone(&self.best, &made) {
                    self.seen.insert(key, Verdict::NotSimpler);
                    return self.without_run(&candidate);
                }
                made_key = key_of(&made);
                if made_key != key && self.is_known(made_key, &made) {
                    self.seen.insert(key, Verdict::NotSimpler);
                    return self.without_run(&candidate);
                }
            }
            Replayed::Nothing => {
                self.seen.insert(key, Verdict::NotSimpler);
                return self.without_run(&candidate);
            }
            Replayed::Unknown => {}
        }
        self.run_and_keep(&candidate, [key, made_key])
    }

    /// The same of a candidate that was just made, and not tried before: it is not replayed again.
    pub(super) fn consider_made(&mut self, made: &Choices) -> Result<bool, Over> {
        self.last_recorded = None;
        self.run_and_keep(made, [key_of(made); 2])
    }

    fn run_and_keep(&mut self, candidate: &Choices, keys: [u64; 2]) -> Result<bool, Over> {
        match self.run(candidate)? {
            Tried::Fails(made) if is_simpler(&made, &self.best.choices) && are_left_alone(&self.best, &made) => {
                self.seen.extend(keys.into_iter().chain([key_of(&made)]).map(|key| (key, Verdict::NotSimpler)));
                let step = Step { pass: self.pass, run: self.runs, choices: made.clone() };
                self.trial.improved(&step);
                self.steps.push(step);
                self.effort = 0;
                self.effort_before += std::mem::take(&mut self.effort_in_vain);
                self.idle_runs = 0;
                for (pass, runs) in std::mem::take(&mut self.spent_in_vain) {
                    add_runs(&mut self.spent, pass, runs);
                }
                if made.len() != self.best.choices.len() {
                    self.moved_together.clear();
                    self.needed.clear();
                }
                self.bounds.clear();
                self.best = Rc::new(Tree::new(made));
                Ok(true)
            }
            Tried::Fails(_) => {
                self.seen.extend(keys.map(|key| (key, Verdict::NotSimpler)));
                Ok(false)
            }
            Tried::Passes => {
                self.seen.extend(keys.map(|key| (key, Verdict::Passed)));
                if let Some(recorded) = self.trial.recorded() {
                    self.last_recorded = Some(recorded.roots().count());
                    self.seen.insert(key_of(&recorded), Verdict::Passed);
                    self.recorded.insert(fingerprint(&recorded));
                }
                self.remember(candidate);
                Ok(false)
            }
        }
    }

    /// How many draws the run of the last candidate recorded, if it was run and passed.
    pub(super) fn last_recorded(&self) -> Option<usize> {
        self.last_recorded
    }

    /// Whether nothing but a run tells what is drawn, and runs tell it.
    pub(super) fn draws_in_body(&self) -> bool {
        !self.recorded.is_empty()
    }

    /// Whether a run has recorded exactly the candidate, and passed.
    pub(super) fn fits(&self, candidate: &Choices) -> bool {
        self.recorded.contains(&fingerprint(candidate))
    }

    /// Whether the candidate fails, simpler or not. The best stays what it is.
    pub(super) fn fails(&mut self, candidate: &Choices) -> Result<bool, Over> {
        let key = key_of(candidate);
        match self.seen.get(&key) {
            Some(Verdict::Passed) => return Ok(false),
            Some(Verdict::Fails) => return Ok(true),
            Some(Verdict::NotSimpler) | None => {}
        }
        // A trial may keep the value it replayed last, so the candidate is replayed before it is
        // run, here too.
        self.next_replay()?;
        let is_made = self.trial.replay(candidate) != Replayed::Nothing;
        let fails = is_made && matches!(self.run(candidate)?, Tried::Fails(_));
        self.seen.insert(key, if fails { Verdict::Fails } else { Verdict::Passed });
        Ok(fails)
    }

    /// What a replay of the candidate records, if that can be told without a run.
    pub(super) fn replay(&mut self, candidate: &Choices) -> Result<Option<Choices>, Over> {
        self.next_replay()?;
        self.without_run(candidate)?;
        Ok(match self.trial.replay(candidate) {
            Replayed::Made(made) => Some(made),
            Replayed::Nothing | Replayed::Unknown => None,
        })
    }

    /// What a replay of the candidate records or, where only a run tells, a run. However often it
    /// is asked, it is no effort.
    pub(super) fn made(&mut self, candidate: &Choices) -> Result<Option<Made>, Over> {
        self.next_replay()?;
        match self.trial.replay(candidate) {
            Replayed::Made(choices) => {
                self.charge(&choices);
                return Ok(Some(Made { choices, is_refused: false }));
            }
            Replayed::Nothing => return Ok(self.trial.recorded().map(|choices| Made { choices, is_refused: true })),
            Replayed::Unknown => {}
        }
        let choices = match self.run(candidate)? {
            Tried::Fails(made) => Some(made),
            Tried::Passes => {
                let recorded = self.trial.recorded();
                self.seen.extend(recorded.iter().map(|recorded| (key_of(recorded), Verdict::Passed)));
                recorded
            }
        };
        Ok(choices.map(|choices| Made { choices, is_refused: false }))
    }

    /// Notes that nothing that is simpler than the best fails.
    pub(super) fn tried_everything(&mut self) {
        self.least = Some(self.version());
    }

    /// Whether nothing that is simpler than the best fails.
    pub(super) fn is_least(&self) -> bool {
        self.least == Some(self.version())
    }

    /// Notes that no number can be lowered alone.
    pub(super) fn settle_numbers(&mut self) {
        self.numbers_settled = Some(self.version());
    }

    /// Whether no number can be lowered alone.
    pub(super) fn are_numbers_settled(&self) -> bool {
        self.numbers_settled == Some(self.version())
    }

    /// Notes that numbers were lowered together.
    pub(super) fn note_moved_together(&mut self, places: &[usize]) {
        if !self.moved_together.iter().any(|group| group == places) {
            self.moved_together.push(places.to_vec());
        }
    }

    /// The simplest choices of the value that the best makes, as far as the trial can tell.
    pub(super) fn simplest_way(&mut self) -> Option<Choices> {
        let best = self.best();
        self.trial.simplest_way(&best.choices)
    }

    /// Choices of values near the one that the best makes, as far as the trial can tell.
    pub(super) fn near(&mut self) -> Vec<Choices> {
        let best = self.best();
        self.trial.near(&best.choices)
    }

    /// The numbers that were lowered together since the tree last changed its shape, if these two
    /// are among them.
    pub(super) fn moved_together(&self, first: usize, second: usize) -> Option<Vec<usize>> {
        self.moved_together.iter().find(|group| group.contains(&first) && group.contains(&second)).cloned()
    }

    /// The candidate needed no run. A pass may look at a few thousand nodes in this way, and at
    /// some dozens of trees however large they are: so what is done between two runs grows with the
    /// tree, not with its square.
    fn without_run(&mut self, candidate: &Choices) -> Result<bool, Over> {
        self.looked_at(candidate.len() + EFFORT_OF_ANY)
    }

    /// The present pass has looked at so much, and needed no run for it.
    pub(super) fn looked_at(&mut self, effort: usize) -> Result<bool, Over> {
        self.effort += effort;
        self.effort_in_vain += effort;
        // Where passes together have looked in vain for as long as it took to come here, each of
        // them looks at only a few trees that are large.
        let size = self.best.choices.len();
        let max_effort = match self.effort_in_vain > MAX_EFFORT_IN_VAIN.max(self.effort_before) {
            true => MOST_EFFORT * SMALL_TREE / (SMALL_TREE + size) + FEW_TREES * size,
            false => MOST_EFFORT + MOST_TREES * size,
        };
        if self.effort > max_effort { Err(Over::Enough) } else { Ok(false) }
    }

    /// A candidate was rejected before it was made. Some dozens of them cost as much as a replay.
    pub(super) fn rejected(&mut self) -> Result<bool, Over> {
        self.rejected += 1;
        if self.search.is_some() && self.rejected.is_multiple_of(REJECTED_FOR_A_REPLAY) {
            self.pass_end = self.pass_end.saturating_sub(1);
            if self.replays >= self.pass_end {
                return Err(Over::Enough);
            }
        }
        self.looked_at(1)
    }

    /// From now on passes look for what may not be there, and share as many replays as there are
    /// to spare. They take at most half of the runs that are left, so they never end shrinking.
    pub(super) fn begin_search(&mut self) {
        let spare = self.trial.spare(&self.best.choices, self.replays);
        let runs_left = self.most_runs - self.runs;
        self.search = Some(self.replays..self.replays.saturating_add(spare.min(runs_left / 2)));
        self.next_ask = self.replays + ASKED_EVERY;
    }

    /// How many replays the next of these passes may take: the last one all that are left, each
    /// other one three quarters of them, without those that are kept for the last one.
    pub(super) fn allot(&mut self, is_last: bool) {
        let Some(Range { start, end }) = self.search else { return };
        let left = (end - (end - start) / 4).saturating_sub(self.replays);
        self.pass_end = if is_last { end } else { self.replays + left - left / 4 };
    }

    /// How many replays the present pass may still take.
    pub(super) fn replays_left(&self) -> u64 {
        self.pass_end.saturating_sub(self.replays)
    }

    /// The present pass cannot come to its end, so it takes only a part of what is left.
    pub(super) fn take_part(&mut self) {
        self.pass_end = self.replays + self.replays_left() / 4;
    }

    /// A tree that is much larger than the best takes as many of the replays of a search as it is
    /// larger.
    fn charge(&mut self, made: &Choices) {
        if let Some(search) = &mut self.search {
            let extra = made.len() as u64 / (SMALL + self.best.choices.len() as u64);
            search.end = search.end.saturating_sub(extra).max(search.start);
            self.pass_end = self.pass_end.saturating_sub(extra);
        }
    }

    pub(super) fn end_search(&mut self) {
        self.search = None;
        self.pass_end = u64::MAX;
    }

    /// How many runs found nothing after the last success, when no pass knew more.
    pub(super) fn runs_in_vain(&self) -> u64 {
        self.spent_in_vain.iter().map(|(_, runs)| runs).sum()
    }

    /// Whether it is known that the candidate passes.
    pub(super) fn has_passed(&self, candidate: &Choices) -> bool {
        matches!(self.seen.get(&key_of(candidate)), Some(Verdict::Passed))
    }

    pub(super) fn was_tried(&self, candidate: &Choices) -> bool {
        self.seen.contains_key(&key_of(candidate))
    }

    /// The candidates that passed and are nearest to the best.
    pub(super) fn nearest_passed(&self) -> Vec<Choices> {
        let best = self.best.measure;
        let mut nearest: Vec<(u64, u128, &Choices)> = Vec::new();
        for choices in &self.passed {
            let measure = super::order::Measure::of(choices.entries());
            let key = (best.weight.abs_diff(measure.weight), best.magnitude.abs_diff(measure.magnitude), choices);
            if !nearest.iter().any(|other| other.2 == choices) {
                nearest.push(key);
            }
        }
        nearest.sort_by_key(|(weight, magnitude, _)| (*weight, *magnitude));
        nearest.into_iter().take(TOLD).map(|(_, _, choices)| choices.clone()).collect()
    }

    /// One more candidate is replayed, if it may be.
    fn next_replay(&mut self) -> Result<(), Over> {
        if let Some(search) = &mut self.search
            && self.replays >= self.next_ask
        {
            // Other candidates may cost more than those before.
            let spare = self.trial.spare(&self.best.choices, self.replays);
            search.end = search.end.min(self.replays.saturating_add(spare));
            self.pass_end = self.pass_end.min(search.end);
            self.next_ask = self.replays + ASKED_EVERY;
        }
        if self.replays >= self.pass_end {
            return Err(Over::Enough);
        }
        if !(self.go_on)() {
            return Err(Over::Stopped);
        }
        self.replays += 1;
        Ok(())
    }

    fn run(&mut self, candidate: &Choices) -> Result<Tried, Over> {
        if self.runs >= self.most_runs {
            return Err(Over::RunsSpent);
        }
        if self.idle_runs >= self.max_idle_runs {
            return Err(Over::Enough);
        }
        self.idle_runs += 1;
        self.runs += 1;
        // How many runs a search takes that finds nothing may depend on the time, so they are told
        // apart.
        add_runs(if self.is_searching() { &mut self.spent_in_vain } else { &mut self.spent }, self.pass, 1);
        Ok(self.trial.run(candidate))
    }

    fn is_known(&mut self, key: u64, candidate: &Choices) -> bool {
        let mut known = self.seen.get(&key).copied();
        // What a run drew before it passed, it draws again.
        if known.is_none() && !self.recorded.is_empty() && self.has_recorded_prefix(candidate) {
            known = Some(Verdict::Passed);
        }
        match known {
            Some(Verdict::Passed) => {
                self.cached += u64::from(!self.is_searching());
                self.remember(candidate);
            }
            Some(Verdict::Fails | Verdict::NotSimpler) => self.cached += u64::from(!self.is_searching()),
            None => {}
        }
        known.is_some()
    }

    /// Whether a run that passed has drawn what the candidate begins with, and no more.
    fn has_recorded_prefix(&self, candidate: &Choices) -> bool {
        let mut hash = Fingerprint::new();
        let mut from = 0;
        candidate.roots().any(|at| {
            hash.add(candidate, from..candidate.end_of(at));
            from = candidate.end_of(at);
            self.recorded.contains(&hash.0)
        })
    }

    /// Whether the present pass goes as far as there is time, so that nothing is told of what it
    /// tries.
    fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    fn remember(&mut self, candidate: &Choices) {
        // Neighbours are for people to read, who do not read so much.
        if candidate.len() > 10_000 || self.is_searching() {
            return;
        }
        if self.passed.len() == REMEMBERED {
            self.passed.pop_front();
        }
        self.passed.push_back(candidate.clone());
    }
}

fn add_runs(spent: &mut Vec<(&'static str, u64)>, pass: &'static str, runs: u64) {
    match spent.iter_mut().find(|(other, _)| *other == pass) {
        Some((_, all)) => *all += runs,
        None => spent.push((pass, runs)),
    }
}

/// A number that stands for what a replay makes of a tree: where choices end, the simplest ones
/// follow, so zeros at the end make no difference.
fn key_of(choices: &Choices) -> u64 {
    let entries = choices.entries();
    let is_simplest = |place: &usize| entries[*place].kind() == Kind::Number && entries[*place].index() == 0;
    let roots: Vec<usize> = choices.roots().collect();
    let zeros = roots.iter().rev().take_while(|place| is_simplest(place)).count();
    let mut hash = Fingerprint::new();
    hash.add(choices, 0..roots.get(roots.len() - zeros).copied().unwrap_or(choices.len()));
    hash.0
}

/// A number that stands for a tree: two trees that differ have the same one once in 2^64.
pub(crate) fn fingerprint(choices: &Choices) -> u64 {
    let mut hash = Fingerprint::new();
    hash.add(choices, 0..choices.len());
    hash.0
}

struct Fingerprint(u64);

impl Fingerprint {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

    fn new() -> Fingerprint {
        Fingerprint(Fingerprint::ODD)
    }

    fn add(&mut self, choices: &Choices, places: Range<usize>) {
        let mut mix = |word: u64| {
            self.0 = (self.0 ^ word).wrapping_mul(Fingerprint::ODD);
            self.0 ^= self.0 >> 29;
        };
        for entry in &choices.entries()[places] {
            let (chosen, name) = match entry.kind() {
                Kind::Number | Kind::Repeat => (entry.index(), 0),
                Kind::Pick => (entry.arm() as u64, choices.name_hash(*entry)),
                Kind::Call | Kind::Part => (0, 0),
            };
            mix(chosen);
            mix(((entry.kind() as u64) << 61) ^ (u64::from(name) << 32) ^ entry.extent() as u64);
        }
    }
}
