//! The one door through which every candidate goes.

use super::frozen::are_left_alone;
use super::order::is_simpler;
use super::schedule::EVERYTHING;
use super::tree::{Tree, not_before};
use super::{Replayed, Step, Trial, Tried};
use crate::choice::{Choices, Kind};
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;
use std::rc::Rc;

/// What passes hand their candidates to: it remembers what was tried, asks the order before it asks the property, counts the runs, and keeps the best
/// tree and how it came about. Nothing else runs the property.
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
    /// The version of the best than which nothing is simpler and fails.
    least: Option<usize>,
    /// The nodes that the present pass has had replayed, or compared, without a run.
    effort: usize,
    /// Numbers, by their places, that were lowered together.
    moved_together: Vec<Vec<usize>>,
    /// All searches together end before this run, and the present one before that.
    spare_end: Option<u64>,
    search_end: u64,
    /// What the present pass had spent before it began, if it is a search.
    spent_before: Option<(&'static str, u64)>,
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
    /// Whether the generator refused it: then the record ends where it did, and lists in it have only
    /// the items that were begun.
    pub(super) is_refused: bool,
}

/// How many nodes a pass may look at without a run: so many always, and so many trees of the size of the best. A tree costs so much more than its nodes.
const MOST_EFFORT: usize = 200_000;
const MOST_TREES: usize = 64;
const EFFORT_OF_ANY: usize = 16;
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
        // The start may come from a text, which knows no bounds and no numbers of arms; a replay notes them.
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
            least: None,
            effort: 0,
            moved_together: Vec::new(),
            spare_end: None,
            search_end: u64::MAX,
            spent_before: None,
            searched: 0,
            replays: 0,
            steps: Vec::new(),
            runs: 0,
            cached: 0,
            spent: Vec::new(),
        }
    }

    /// The best tree, and the first of the places that is not before `next`, which then lies after it: so a pass goes through places in order while the tree
    /// changes under it.
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
        self.cut.retain(|other| *other != pass);
        self.search_end =
            self.spare_end.map_or(u64::MAX, |end| self.runs + end.saturating_sub(self.runs).div_ceil(4) * 3);
        self.spent_before = self.spent.iter().find(|(other, _)| *other == pass).copied();
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
        if !(self.go_on)() {
            return Err(Over::Stopped);
        }
        let mut made_key = key;
        self.replays += 1;
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
        match self.run(&candidate)? {
            Tried::Fails(made) if is_simpler(&made, &self.best.choices) && are_left_alone(&self.best, &made) => {
                self.seen.extend([key, made_key, key_of(&made)].map(|key| (key, Verdict::NotSimpler)));
                let step = Step { pass: self.pass, run: self.runs, choices: made.clone() };
                self.trial.improved(&step);
                self.steps.push(step);
                self.effort = 0;
                if made.len() != self.best.choices.len() {
                    self.moved_together.clear();
                }
                self.best = Rc::new(Tree::new(made));
                Ok(true)
            }
            Tried::Fails(_) => {
                self.seen.extend([key, made_key].map(|key| (key, Verdict::NotSimpler)));
                Ok(false)
            }
            Tried::Passes => {
                self.seen.extend([key, made_key].map(|key| (key, Verdict::Passed)));
                if let Some(recorded) = self.trial.recorded() {
                    self.last_recorded = Some(recorded.roots().count());
                    self.seen.insert(key_of(&recorded), Verdict::Passed);
                    self.recorded.insert(fingerprint(&recorded));
                }
                self.remember(&candidate);
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
        if !(self.go_on)() {
            return Err(Over::Stopped);
        }
        // A trial may keep the value it replayed last, so the candidate is replayed before it is run, here too.
        self.replays += 1;
        let is_made = self.trial.replay(candidate) != Replayed::Nothing;
        let fails = is_made && matches!(self.run(candidate)?, Tried::Fails(_));
        self.seen.insert(key, if fails { Verdict::Fails } else { Verdict::Passed });
        Ok(fails)
    }

    /// What a replay of the candidate records, if that can be told without a run.
    pub(super) fn replay(&mut self, candidate: &Choices) -> Result<Option<Choices>, Over> {
        if !(self.go_on)() {
            return Err(Over::Stopped);
        }
        self.replays += 1;
        self.without_run(candidate)?;
        Ok(match self.trial.replay(candidate) {
            Replayed::Made(made) => Some(made),
            Replayed::Nothing | Replayed::Unknown => None,
        })
    }

    /// What a replay of the candidate records or, where only a run tells, a run. However often it is
    /// asked, it is no effort.
    pub(super) fn made(&mut self, candidate: &Choices) -> Result<Option<Made>, Over> {
        if !(self.go_on)() {
            return Err(Over::Stopped);
        }
        self.replays += 1;
        match self.trial.replay(candidate) {
            Replayed::Made(choices) => return Ok(Some(Made { choices, is_refused: false })),
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

    /// Whether there is time to try everything that is simpler.
    pub(super) fn may_try_everything(&mut self) -> bool {
        self.trial.may_try_everything()
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

    /// The candidate needed no run. A pass may look at a few thousand nodes in this way, and at some dozens of trees however large they are: so what is
    /// done between two runs grows with the tree, not with its square.
    fn without_run(&mut self, candidate: &Choices) -> Result<bool, Over> {
        self.looked_at(candidate.len() + EFFORT_OF_ANY)
    }

    /// The present pass has looked at so much, and needed no run for it.
    pub(super) fn looked_at(&mut self, effort: usize) -> Result<bool, Over> {
        self.effort += effort;
        if self.effort > MOST_EFFORT + MOST_TREES * self.best.choices.len() { Err(Over::Enough) } else { Ok(false) }
    }

    /// From now on passes search for what may not be there, and have so many runs together as
    /// there are to spare: each may take three quarters of what is left.
    pub(super) fn begin_search(&mut self) {
        let spare = self.trial.spare_runs(&self.best.choices, self.runs);
        self.spare_end = Some(self.runs.saturating_add(spare));
    }

    pub(super) fn end_search(&mut self) {
        self.spare_end = None;
    }

    /// A pass has ended that began with this run, and with this version of the best. How far a
    /// search comes that finds nothing may depend on the time, so its runs are told apart.
    pub(super) fn end(&mut self, began: u64, version: usize) {
        if self.spare_end.is_some() && self.version() == version {
            self.searched += self.runs - began;
            self.spent.retain(|(pass, _)| *pass != self.pass);
            self.spent.extend(self.spent_before.take());
        }
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

    fn run(&mut self, candidate: &Choices) -> Result<Tried, Over> {
        if self.runs >= self.most_runs {
            // How many runs a search takes depends on the time, so it is not what stops shrinking.
            return Err(if self.is_searching() { Over::Enough } else { Over::RunsSpent });
        }
        if self.runs >= self.search_end {
            return Err(Over::Enough);
        }
        self.runs += 1;
        match self.spent.iter_mut().find(|(pass, _)| *pass == self.pass) {
            Some((_, runs)) => *runs += 1,
            None => self.spent.push((self.pass, 1)),
        }
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
        self.spare_end.is_some() || self.pass == EVERYTHING
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
fn fingerprint(choices: &Choices) -> u64 {
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
