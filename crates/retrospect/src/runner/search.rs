//! Looking for a failure: saved cases, examples, boundaries, then chance.

use super::budget::{self, Block, Clock};
use super::case::MAX_SIMPLEST;
use super::edges;
use super::failure::Failure;
use super::finding::Distinct;
use super::observe::Observer;
use super::panics;
use super::regressions::UNDRAWN;
use super::report::{cut, plural};
use super::rerun::AND_SO_ON;
use super::run::Context;
use super::settings::{self, Given, Health, Resolved};
use super::statistics::{self, CaseLog, Coverage, Statistics};
use super::trial::{Door, Ended, Input, Trial, Turn, Wants, generator_problem, repeats_values};
use crate::choice::Choices;
use crate::source::{Filtered, Odometer, PICK_BUDGET, Searched};
use std::time::{Duration, Instant};

/// A share that is undecided gets up to this many times the cases that were wanted.
const MORE_FOR_SHARES: u64 = 20;

/// More are not run one after the other unless a time is given.
const MOST_CASES_IN_ORDER: u64 = 10_000_000;

/// So many random cases are run before it is decided whether there is anything in them to repeat.
const CASES_TO_REPEAT: u64 = 32;

/// Makes of a seed that repeats values one that does not, and that no other case has.
const PLAIN: u64 = 1 << 63 | 1;

/// How often a failure is sought again where it is known that the outcome varies.
pub(crate) const TRIES_IF_NONDETERMINISTIC: u32 = 10;

/// A case that fails.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) how: How,
    pub(crate) failure: Failure,
    /// Unless a value in it cannot be made by its generator.
    pub(crate) choices: Option<Choices>,
    pub(crate) values: Vec<(String, String)>,
    pub(crate) notes: Vec<String>,
    /// Why there are no choices.
    pub(crate) without_choices: Option<String>,
    /// Nothing smaller is to be looked for: this was shrunk before, or is to be run as it is.
    pub(crate) is_final: bool,
    /// Where it stands in the file already.
    pub(crate) saved: Option<String>,
    /// If its choices do not tell how it ends.
    pub(crate) flaky: Option<Flaky>,
    /// The number of cases that were discarded before it was found.
    pub(crate) n_discarded: u64,
}

/// Why the choices of a case do not tell how it ends.
#[derive(Clone, Debug)]
pub(crate) enum Flaky {
    /// It did not fail each time.
    Sometimes {
        n_failed: u32,
        n_runs: u32,
        /// The values are those of a run that did not fail: the first run was not asked for its
        /// values, and no other failed.
        is_drawn_again: bool,
        /// How many runs failed in another way, and the first of these failures.
        elsewhere: Option<(u32, Box<Failure>)>,
    },
    /// It passed before in the same run.
    PassedBefore,
    /// Its choices make other values each time.
    OtherValues,
    /// It could not be run again, for this reason.
    NotRun(String),
}

impl Flaky {
    /// What it did, without the word for it.
    pub(crate) fn summary(&self) -> String {
        match self {
            Flaky::Sometimes { n_failed, n_runs, .. } => format!("failed {n_failed} of {n_runs} runs"),
            Flaky::PassedBefore => "passed before in the same run".to_owned(),
            Flaky::OtherValues => "the same choices make other values each time".to_owned(),
            Flaky::NotRun(problem) => format!("it could not be run again: {problem}"),
        }
    }

    pub(crate) fn is_drawn_again(&self) -> bool {
        matches!(self, Flaky::Sometimes { is_drawn_again: true, .. })
    }
}

/// Runs a failing case again for its values. If it does not fail in the same way, it is run as the
/// first case of a new process, if cases have one.
pub(crate) fn run_for_values<'i>(door: &mut dyn Door, like: &Failure, input: impl Fn() -> Input<'i>) -> Trial {
    let trial = door.run(input(), Wants::Values);
    if trial.has_failed_like(like) || !door.renew() {
        return trial;
    }
    let again = door.run(input(), Wants::Values);
    if again.has_failed_like(like) {
        door.renew_after_failures();
        return again;
    }
    let is_undrawn = again.values.last().is_some_and(|(_, text)| text == UNDRAWN[1]);
    let silent = is_undrawn.then(|| door.run(input(), Wants::Choices)).filter(|silent| silent.has_failed_like(like));
    let Some(silent) = silent else { return trial };
    let mut values = again.values;
    if let Some((_, text)) = values.last_mut() {
        UNDRAWN[2].clone_into(text);
    }
    Trial { values, ..silent }
}

/// Runs a case again that failed and then, in `trial`, did not. Returns the first of its runs that
/// fails like before, or `trial`.
pub(crate) fn run_again(like: &Failure, trial: Trial, mut run: impl FnMut() -> Trial) -> (Trial, Flaky) {
    const MAX_TIME: Duration = Duration::from_secs(1);
    let started = Instant::now();
    let (mut n_failed, mut n_runs, mut is_drawn_again) = (1, 2, true);
    let mut elsewhere: Option<(u32, Box<Failure>)> = None;
    let mut note = |trial: &Trial| {
        if let Ended::Failed(failure) = &trial.ended {
            elsewhere.get_or_insert_with(|| (0, failure.clone())).0 += 1;
        }
    };
    note(&trial);
    let mut shown = trial;
    while n_runs < TRIES_IF_NONDETERMINISTIC && started.elapsed() < MAX_TIME {
        let trial = run();
        n_runs += 1;
        if !trial.has_failed_like(like) {
            note(&trial);
            continue;
        }
        n_failed += 1;
        if std::mem::take(&mut is_drawn_again) {
            shown = trial;
        }
    }
    (shown, Flaky::Sometimes { n_failed, n_runs, is_drawn_again, elsewhere })
}

/// How a failing case was come by.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum How {
    Saved(String),
    /// By this variable.
    GivenValue(&'static str),
    GivenChoices,
    Example(usize),
    /// 1-based index of the case. Discarded cases do not count.
    Boundary(u64),
    Exhaustive(u64),
    Random(u64),
    Climbing(u64),
    /// Met while another failure was shrunk.
    Meanwhile,
}

/// What came of running everything there is.
enum InOrder {
    /// All cases were run, or one that fails was found.
    Ended(Option<Box<Found>>),
    TooMany,
    /// There is no telling what the cases are.
    Unknown,
}

fn too_many() -> String {
    format!(
        "there are too many cases to run them all, more than {MOST_CASES_IN_ORDER}: leave `exhaustive` out, or say how much `time` there is"
    )
}

/// The size of a case in percent of the largest. It grows over the first 20 cases, so that small
/// values come first. Then one case in four is small and the others are large: what needs a few
/// items is found as soon as what needs many.
fn size_in_percent(index: u64) -> u64 {
    match index {
        0..20 => (index * 5).max(1),
        _ if index.is_multiple_of(4) => 1 + index / 4 * 17 % 40,
        _ => 60 + index * 16 % 41,
    }
}

/// The search, and what it counted.
pub(crate) struct Search<'c> {
    context: &'c Context<'c>,
    clock: Clock,
    /// Cases that passed, saved cases among them.
    pub(crate) passed: u64,
    /// Saved cases that passed. They do not count against the budget.
    n_saved_passed: u64,
    /// Cases that failed, if the search goes on after them.
    n_failed: u64,
    /// The failures so far, if all of them are to be reported.
    pub(crate) distinct: Distinct,
    /// Where cases were discarded, and how often.
    pub(crate) discarded: Vec<(String, String, u64)>,
    pub(crate) statistics: Statistics,
    pub(crate) ended: Option<budget::Ended>,
    pub(crate) elapsed: Duration,
    /// What share of a long run went into generating.
    pub(crate) generating: Option<f64>,
    /// Cases that logged nothing.
    untouched: u64,
    /// What was searched for in the cases.
    pub(crate) searched: Vec<Searched>,
    /// The filters of the cases that refused something.
    pub(crate) filtered: Vec<Filtered>,
    cut_short: u64,
    looked_at_size: u64,
    warnings: Vec<String>,
    /// The sizes of the first cases; those after take them in turns.
    sizes: [u32; 128],
    first_seed: u64,
    /// Whether there is anything to repeat in random cases, as far as the first ones show.
    can_repeat: bool,
    /// For each score its best case so far.
    pub(crate) best: Vec<(&'static str, f64, Choices)>,
    /// How many cases were spent on climbing.
    pub(crate) climbed: u64,
    pub(crate) examples_run: usize,
}

impl<'c> Search<'c> {
    pub(crate) fn new(context: &'c Context<'c>) -> Search<'c> {
        Search {
            context,
            clock: Clock::start(context.settings.budget(), context.settings.max_cases),
            passed: 0,
            n_saved_passed: 0,
            n_failed: 0,
            distinct: Distinct::default(),
            discarded: Vec::new(),
            statistics: Statistics::default(),
            ended: None,
            elapsed: Duration::ZERO,
            generating: None,
            untouched: 0,
            searched: Vec::new(),
            filtered: Vec::new(),
            cut_short: 0,
            looked_at_size: 0,
            warnings: Vec::new(),
            sizes: std::array::from_fn(|index| {
                (u64::from(context.settings.size) * size_in_percent(index as u64)).div_ceil(100) as u32
            }),
            first_seed: context.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15),
            can_repeat: true,
            best: Vec::new(),
            climbed: 0,
            examples_run: 0,
        }
    }

    /// A failing case, if one is found. An error is a problem of the property itself.
    pub(crate) fn run(&mut self, door: &mut dyn Door) -> Result<Option<Found>, String> {
        let found = self.phases(door);
        self.elapsed = self.clock.elapsed();
        self.statistics.add_untouched(std::mem::take(&mut self.untouched));
        self.searched = door.searched();
        self.filtered = door.filtered();
        match found {
            Ok(None) => Ok(self.distinct.next()),
            // The failures before it are reported all the same.
            Err(problem) if !self.distinct.is_empty() => {
                self.warnings.push(problem);
                Ok(self.distinct.next())
            }
            found => found,
        }
    }

    fn phases(&mut self, door: &mut dyn Door) -> Result<Option<Found>, String> {
        let settings = self.context.settings;
        if let Some(given) = &settings.given {
            return self.given_case(door, given);
        }
        door.run_saved_cases(true);
        let found = self.saved_cases(door);
        door.run_saved_cases(false);
        if let Some(found) = found? {
            return Ok(Some(found));
        }
        for example in 0..self.context.definition.examples {
            let trial = door.run(Input::Example(example), Wants::Values);
            if let Some(observer) = &self.context.observer {
                observer.example(example + 1, &trial);
            }
            self.examples_run += 1;
            if let Some(found) = self.judge(trial, How::Example(example + 1))? {
                return Ok(Some(found));
            }
        }
        // Saved cases and the time of the examples do not count against the budget.
        self.clock = Clock::start(settings.budget(), settings.max_cases);
        // Too few cases to be spent on anything but chance.
        let is_short = self.wanted().is_some_and(|wanted| wanted < 4) && settings.exhaustive != Some(true);
        if !is_short && let Some(found) = self.boundaries(door)? {
            return Ok(Some(found));
        }
        if self.ended.is_some() {
            return Ok(None);
        }
        if let Some(found) = self.random(door)? {
            return Ok(Some(found));
        }
        self.time_generating(door);
        self.climb(door)
    }

    fn boundaries(&mut self, door: &mut dyn Door) -> Result<Option<Found>, String> {
        let (most, domain) = self.clock.share_for_boundaries();
        let domain = domain.saturating_sub(self.n_tested());
        let wants_all = self.context.settings.exhaustive;
        let mut odometer = Odometer::new();
        let wants = self.wants();
        let first = explained(door, Input::Next(&mut odometer), wants);
        let simplest = first.choices.clone();
        let (was_ready, draws_in_body) = (first.was_ready, first.draws_in_body);
        if let Some(found) = self.judge_next(first)? {
            return Ok(Some(found));
        }
        let limit = match wants_all {
            Some(true) if self.clock.has_time() => None,
            Some(true) => Some(MOST_CASES_IN_ORDER),
            Some(false) => Some(0),
            None => Some(domain),
        };
        let looks_small = limit.is_none_or(|limit| odometer.estimate() <= limit);
        if wants_all == Some(true) || looks_small {
            let by_size = match draws_in_body {
                true => InOrder::Unknown,
                false => self.by_size(door, limit, u64::from(was_ready))?,
            };
            let in_order = match by_size {
                // What takes long to find out is not small.
                InOrder::Unknown if draws_in_body || wants_all == Some(true) => {
                    self.by_odometer(door, limit, Some(odometer))?
                }
                known => known,
            };
            let in_order = match in_order {
                InOrder::Ended(None) if wants_all != Some(true) => self.simplest_again(door, &simplest)?,
                known => known,
            };
            match in_order {
                InOrder::Ended(found) => return Ok(found.map(|found| *found)),
                InOrder::TooMany if wants_all == Some(true) => return Err(too_many()),
                // It only looked small, from its simplest case.
                InOrder::TooMany | InOrder::Unknown => {}
            }
        }
        self.statistics = Statistics::default();
        self.untouched = 0;
        // A loop that the simplest answers do not end has no ends to try.
        let mut skeleton = Some(simplest).filter(|simplest| simplest.len() <= MAX_SIMPLEST);
        let mut left = most.saturating_sub(self.n_tested()) as usize;
        let mut block = Block { cases: 0, took: Duration::MAX };
        for _ in 0..3 {
            let Some(tree) = skeleton else { break };
            for candidate in edges::boundary_cases(&tree, left.min(64)).into_iter().skip(1) {
                left = left.saturating_sub(1);
                let started = Instant::now();
                let trial = explained(door, Input::Choices(&candidate), wants);
                block = Block { cases: block.cases + 1, took: block.took.min(started.elapsed()) };
                if let Some(found) = self.judge(trial, How::Boundary(self.next_case()))? {
                    return Ok(Some(found));
                }
                if self.clock.is_share_of_boundaries_spent(block) {
                    return Ok(None);
                }
            }
            // Once more with an item in every list; the items may have lists of their own.
            let Some(with_items) = edges::with_items(&tree).filter(|_| left > 0) else { break };
            left -= 1;
            let trial = explained(door, Input::Choices(&with_items), wants);
            skeleton = Some(trial.choices.clone());
            if let Some(found) = self.judge(trial, How::Boundary(self.next_case()))? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Runs all cases from small to large, unless there are more than `limit`. The first `done` of
    /// them were run already.
    fn by_size(&mut self, door: &mut dyn Door, limit: Option<u64>, done: u64) -> Result<InOrder, String> {
        if let Some(limit) = limit {
            match door.run(Input::Nth(limit), Wants::Drawing).ended {
                Ended::NoCase { is_over: true } => {}
                Ended::Passed => return Ok(InOrder::TooMany),
                _ => return Ok(InOrder::Unknown),
            }
        }
        let mut count = done;
        loop {
            let trial = explained(door, Input::Nth(count), self.wants());
            match trial.ended {
                Ended::NoCase { is_over: true } => {
                    self.ended = Some(budget::Ended::AllRun(count));
                    return Ok(InOrder::Ended(None));
                }
                // A body that draws only now and then: all that there is is run once more, in
                // another order.
                Ended::NoCase { is_over: false } => {
                    self.statistics = Statistics::default();
                    self.untouched = 0;
                    return self.by_odometer(door, limit.map(|limit| limit.saturating_sub(count)), None);
                }
                _ => count += 1,
            }
            if let Some(found) = self.judge_next(trial)? {
                return Ok(InOrder::Ended(Some(Box::new(found))));
            }
            self.is_in_time(count)?;
        }
    }

    /// Runs all combinations of what is drawn, in the body too, unless there are more than `limit`.
    /// `begun` is where the first was run.
    fn by_odometer(
        &mut self,
        door: &mut dyn Door,
        limit: Option<u64>,
        begun: Option<Odometer>,
    ) -> Result<InOrder, String> {
        let mut count = u64::from(begun.is_some());
        let mut odometer = begun.unwrap_or_default();
        while limit.is_none_or(|limit| odometer.estimate() <= limit) {
            if count > 0 && !odometer.advance() {
                self.ended = Some(budget::Ended::AllRun(count));
                return Ok(InOrder::Ended(None));
            }
            if limit.is_some_and(|limit| count >= limit) {
                break;
            }
            count += 1;
            let trial = explained(door, Input::Next(&mut odometer), self.wants());
            if let Some(found) = self.judge_next(trial)? {
                return Ok(InOrder::Ended(Some(Box::new(found))));
            }
            self.is_in_time(count)?;
        }
        Ok(InOrder::TooMany)
    }

    /// Runs the simplest case again where few cases seem to be all there are: a body may draw more
    /// once a cache is filled, or by the clock.
    fn simplest_again(&mut self, door: &mut dyn Door, simplest: &Choices) -> Result<InOrder, String> {
        const FEW_CASES: u64 = 10;
        const RUNS_AGAIN: u64 = 2;
        let count = match self.ended {
            Some(budget::Ended::AllRun(count)) if count < FEW_CASES => count,
            _ => return Ok(InOrder::Ended(None)),
        };
        let most = self.wanted().unwrap_or(u64::MAX).saturating_sub(count);
        for _ in 0..RUNS_AGAIN.min(most) {
            let trial = explained(door, Input::Next(&mut Odometer::new()), self.wants());
            let is_the_same = trial.choices == *simplest;
            if !is_the_same || matches!(trial.ended, Ended::Failed(_)) {
                self.ended = None;
                let found = self.judge_next(trial)?;
                return Ok(found.map_or(InOrder::TooMany, |found| InOrder::Ended(Some(Box::new(found)))));
            }
        }
        Ok(InOrder::Ended(None))
    }

    /// Whoever wants all cases does not want some of them.
    fn is_in_time(&self, count: u64) -> Result<(), String> {
        if self.context.settings.exhaustive != Some(true) || !self.clock.is_out_of_time() {
            return Ok(());
        }
        Err(format!(
            "not all cases were run: {count} were, when {} were over; give it more time, or a smaller domain",
            super::report::duration(self.clock.elapsed())
        ))
    }

    fn judge_next(&mut self, trial: Trial) -> Result<Option<Found>, String> {
        self.judge(trial, How::Exhaustive(self.next_case()))
    }

    fn random(&mut self, door: &mut dyn Door) -> Result<Option<Found>, String> {
        let mut index = 0;
        let _log = statistics::begin(false);
        let mut block = Block::NONE;
        loop {
            let clock = if self.best.is_empty() { self.clock } else { self.clock.for_chance() };
            let cases = match clock.next_block(self.n_tested(), self.tries(), block) {
                Ok(cases) => cases,
                // A share that is not decided yet gets more cases, up to a limit.
                Err(ended) if self.wants_more() => {
                    self.ended = Some(ended);
                    1_000
                }
                Err(ended) => {
                    self.ended = Some(ended);
                    return Ok(None);
                }
            };
            // At a place that no clock moves, so that the same seed gives the same cases.
            let cases = match CASES_TO_REPEAT.saturating_sub(index) {
                0 => cases,
                left => cases.min(left),
            };
            let started = Instant::now();
            let failed = panics::quietly(false, || self.block(door, &mut index, cases));
            block = Block { cases, took: started.elapsed() };
            if index == CASES_TO_REPEAT {
                self.can_repeat = door.can_repeat();
            }
            if failed.is_none() && self.passed == 0 && door.filtered().iter().any(Filtered::is_hopeless) {
                self.ended = Some(budget::Ended::TriesSpent(self.tries()));
                return Ok(None);
            }
            if let Some((index, ended)) = failed
                && let Some(found) = self.again(door, index, ended, How::Random(self.next_case()))?
            {
                return Ok(Some(found));
            }
        }
    }

    /// Runs cases until one is neither passed nor discarded.
    fn block(&mut self, door: &mut dyn Door, index: &mut u64, cases: u64) -> Option<(u64, Ended)> {
        if let Some(observer) = &self.context.observer {
            return self.observed_block(observer, door, index, cases);
        }
        door.announce(&mut (0..cases).map(|ahead| self.case_seed(*index + ahead)));
        for _ in 0..cases {
            let (seed, size) = self.case_seed(*index);
            *index += 1;
            match door.quick(seed, size) {
                Turn::Quiet => {
                    self.passed += 1;
                    self.untouched += 1;
                }
                Turn::Logged => {
                    self.passed += 1;
                    match door.take_log() {
                        Some(log) => self.keep(door, log, seed, size),
                        None => self.untouched += 1,
                    }
                }
                Turn::Ended(ended) => match *ended {
                    Ended::Discarded { place, text, .. } => {
                        self.note_discard(place, text);
                        drop(door.take_log());
                    }
                    ended => return Some((*index - 1, ended)),
                },
            }
        }
        self.looked_at_size += 1;
        self.cut_short += u64::from(door.was_cut_short());
        None
    }

    /// The same, and each is written down. One that fails is run again anyway, and written down
    /// then.
    fn observed_block(
        &mut self,
        observer: &Observer,
        door: &mut dyn Door,
        index: &mut u64,
        cases: u64,
    ) -> Option<(u64, Ended)> {
        for _ in 0..cases {
            let (seed, size) = self.case_seed(*index);
            *index += 1;
            let trial = door.run(Input::Seed { seed, size }, Wants::Observed);
            self.looked_at_size += 1;
            self.cut_short += u64::from(trial.was_cut_short);
            if let Ended::Passed | Ended::Discarded { .. } = trial.ended {
                observer.case(&trial, &How::Random(self.next_case()), Some(size));
            }
            match trial.ended {
                Ended::Passed => {
                    self.passed += 1;
                    match trial.log {
                        Some(log) => self.keep(door, log, seed, size),
                        None => self.untouched += 1,
                    }
                }
                Ended::Discarded { place, text, .. } => self.note_discard(place, text),
                ended => return Some((*index - 1, ended)),
            }
        }
        None
    }

    /// What is to be known of a case that one would only ask for its choices.
    pub(crate) fn wants(&self) -> Wants {
        if self.context.observer.is_some() { Wants::Observed } else { Wants::Choices }
    }

    /// What a case that passed has logged.
    fn keep(&mut self, door: &mut dyn Door, log: CaseLog, seed: u64, size: u32) {
        for score in &log.scores {
            let Some(reached) = score.best else { continue };
            let known = self.best.iter().position(|(label, ..)| *label == score.label);
            if known.is_some_and(|known| self.best[known].1 >= reached) {
                continue;
            }
            let choices = door.run(Input::Seed { seed, size }, Wants::Choices).choices;
            let best = (score.label, reached, choices);
            match known {
                Some(known) => self.best[known] = best,
                None => self.best.push(best),
            }
        }
        self.statistics.add(log);
    }

    /// Whether a share that was asked for is still undecided after the cases that were wanted.
    fn wants_more(&self) -> bool {
        let most = self.wanted().unwrap_or(settings::Budget::MOST_CASES).saturating_mul(MORE_FOR_SHARES);
        let most = most.min(self.context.settings.max_cases);
        let is_undecided = |cover: &Coverage| cover.verdict() == statistics::Verdict::Undecided;
        self.distinct.is_empty()
            && self.passed > 0
            && self.passed < most
            && self.statistics.covers().iter().any(is_undecided)
    }

    /// A case of the hot loop failed: once more, with its choices and values.
    fn again(&mut self, door: &mut dyn Door, index: u64, ended: Ended, how: How) -> Result<Option<Found>, String> {
        let (seed, size) = self.case_seed(index);
        drop(door.take_log());
        let first = match ended {
            Ended::Failed(failure) => *failure,
            // Once more for the values that led there.
            Ended::Broken(problem) | Ended::NotMade(problem) => {
                return match door.run(Input::Seed { seed, size }, Wants::Values).ended {
                    Ended::Broken(problem) => Err(problem),
                    _ => Err(problem),
                };
            }
            Ended::Passed | Ended::Discarded { .. } | Ended::NoCase { .. } => return Ok(None),
        };
        if self.distinct.is_known(&first) && self.context.observer.is_none() {
            self.n_failed += 1;
            return Ok(None);
        }
        let mut trial = run_for_values(door, &first, || Input::Seed { seed, size });
        if let Ended::Broken(problem) = trial.ended {
            return Err(format!("{problem}\na case that could not be run again had failed: {}", first.headline()));
        }
        let is_same = |trial: &Trial| trial.has_failed_like(&first);
        if self.context.settings.allows(Health::Nondeterminism) {
            let mut tries = 1;
            while !is_same(&trial) && tries < TRIES_IF_NONDETERMINISTIC {
                trial = door.run(Input::Seed { seed, size }, Wants::Values);
                tries += 1;
            }
            if !is_same(&trial) {
                self.passed += 1;
                return Ok(None);
            }
        }
        match is_same(&trial) {
            true => self.judge(trial, how),
            false => {
                let run = || door.run(Input::Seed { seed, size }, Wants::Values);
                let (trial, flaky) = run_again(&first, trial, run);
                let failure = match trial.ended {
                    Ended::Failed(again) if again.is_at_site_of(&first) => again,
                    // The first failure is the cause; later runs may fail on what it left behind.
                    _ => Box::new(first),
                };
                let trial = Trial { ended: Ended::Failed(failure.clone()), ..trial };
                if let Some(observer) = &self.context.observer {
                    observer.case(&trial, &how, Some(size));
                }
                let n_discarded = self.n_discarded();
                Ok(self.end_with(Found { flaky: Some(flaky), n_discarded, ..found(trial, *failure, how) }))
            }
        }
    }

    /// What to make of a trial that was run with its choices.
    pub(crate) fn judge(&mut self, trial: Trial, how: How) -> Result<Option<Found>, String> {
        if let Some(observer) = &self.context.observer {
            observer.case(&trial, &how, None);
        }
        match trial.ended {
            Ended::Passed => {
                self.distinct.note_passed(&trial.choices);
                self.passed += 1;
                self.n_saved_passed += u64::from(matches!(how, How::Saved(_)));
                // Boundary cases, examples and saved cases say nothing about what the generators
                // make of chance.
                match (&how, trial.log) {
                    (How::Exhaustive(_), Some(log)) => self.statistics.add(log),
                    (How::Exhaustive(_), None) => self.untouched += 1,
                    _ => {}
                }
                Ok(None)
            }
            Ended::Discarded { place, text, .. } => {
                // A saved case is no part of the budget, and is told of by itself.
                if !matches!(how, How::Saved(_)) {
                    self.note_discard(place, text);
                }
                Ok(None)
            }
            Ended::NoCase { .. } => Ok(None),
            Ended::Broken(problem) => Err(problem),
            Ended::NotMade(problem) => Err(generator_problem(&problem)),
            Ended::Failed(ref failure) => {
                let failure = (**failure).clone();
                let mut found = found(trial, failure, how);
                found.n_discarded = self.n_discarded();
                found.is_final &= !self.context.settings.shrink;
                match found.how {
                    // There is more to say of a saved case, and one that was asked for is the only
                    // one.
                    How::Saved(_) | How::GivenValue(_) | How::GivenChoices => Ok(Some(found)),
                    _ => Ok(self.end_with(found)),
                }
            }
        }
    }

    /// Returns the failure if the search ends with it. If all failures are to be reported, it is
    /// kept and the search goes on.
    pub(crate) fn end_with(&mut self, found: Found) -> Option<Found> {
        let settings = self.context.settings;
        self.n_failed += u64::from(!matches!(found.how, How::Saved(_)));
        if !settings.all_failures || settings.expect_failure {
            return Some(found);
        }
        self.distinct.note(found);
        None
    }

    fn note_discard(&mut self, place: String, text: String) {
        match self.discarded.iter_mut().find(|(at, what, _)| *at == place && *what == text) {
            Some((.., count)) => *count += 1,
            None => self.discarded.push((place, text, 1)),
        }
    }

    /// Every case has its own seed, and a size that grows over the first cases and varies after
    /// them.
    #[inline]
    fn case_seed(&self, index: u64) -> (u64, u32) {
        let size = self.sizes[(index & 127) as usize];
        let seed = self.first_seed.wrapping_add(index);
        if repeats_values(seed) && !self.may_repeat(index) {
            return (seed ^ PLAIN, size);
        }
        (seed, size)
    }

    /// Such cases take some times as long to draw. Where there are thousands, fewer will do.
    fn may_repeat(&self, index: u64) -> bool {
        index < CASES_TO_REPEAT || self.can_repeat && (index < 1_000 || index % 40 < 5)
    }

    /// In a run that one has to wait for: what share of the time goes into generating. Some cases
    /// are drawn once more for it, without running the body.
    fn time_generating(&mut self, door: &mut dyn Door) {
        const LONG: Duration = Duration::from_secs(1);
        const CASES: u64 = 10;
        let elapsed = self.clock.elapsed();
        // What cases find that build on each other takes longer if they do not.
        if elapsed < LONG || self.tries() < CASES || !door.searched().is_empty() {
            return;
        }
        let started = Instant::now();
        for index in 0..CASES {
            let (seed, size) = self.case_seed(self.tries() / CASES * index);
            if !door.run(Input::Seed { seed, size }, Wants::Drawing).was_ready {
                return;
            }
        }
        let share = started.elapsed().as_secs_f64() / CASES as f64 * self.tries() as f64 / elapsed.as_secs_f64();
        self.generating = Some(share.min(1.0));
    }

    /// Cases that were run to their end and count against the budget.
    pub(crate) fn n_tested(&self) -> u64 {
        self.passed - self.n_saved_passed + self.n_failed
    }

    /// 1-based index of the next case.
    pub(crate) fn next_case(&self) -> u64 {
        self.n_tested() + 1
    }

    pub(crate) fn tries(&self) -> u64 {
        self.n_tested() + self.n_discarded()
    }

    pub(crate) fn n_discarded(&self) -> u64 {
        self.discarded.iter().map(|(.., count)| count).sum()
    }

    pub(crate) fn cases_text(&self) -> String {
        // Saved cases alone are run if nothing else is to be.
        plural(if self.n_tested() > 0 { self.n_tested() } else { self.passed }, "case")
    }

    /// How many cases were asked for, if a number was.
    pub(crate) fn wanted(&self) -> Option<u64> {
        let Resolved { cases, max_cases, .. } = *self.context.settings;
        match cases {
            None if max_cases >= settings::Budget::LEAST_CASES => None,
            cases => Some(cases.unwrap_or(max_cases).min(max_cases)),
        }
    }

    /// What was run instead of a search, if that was asked for.
    pub(crate) fn given(&self) -> Option<String> {
        let is_choices = |text: &&String| text.strip_suffix(AND_SO_ON).unwrap_or(text).parse::<Choices>().is_ok();
        let given = self.context.settings.given.as_ref()?;
        Some(match given {
            Given::Replay(replay) if is_choices(&replay) => {
                format!("the choices {} of RETROSPECT_REPLAY", cut(replay, 100))
            }
            Given::Replay(replay) => format!("the saved case {replay}"),
            _ => format!("the value of {}", given.variable()),
        })
    }

    pub(crate) fn context(&self) -> &'c Context<'c> {
        self.context
    }

    pub(crate) fn clock(&self) -> Clock {
        self.clock
    }

    /// Something that is said when the search has ended.
    pub(crate) fn warn(&mut self, warning: String) {
        self.warnings.push(warning);
    }

    pub(crate) fn noted_warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Of how many cases that were looked at, how many were cut short.
    pub(crate) fn cut_short(&self) -> (u64, u64) {
        (self.cut_short, self.looked_at_size)
    }
}

/// Runs a case for its choices. If a generator stops it, it runs once more for the values that led
/// there.
fn explained(door: &mut dyn Door, input: Input<'_>, wants: Wants) -> Trial {
    let trial = door.run(input, wants);
    match trial.ended {
        // The record of a deep case, or of a body that draws without end, was cut short: a replay
        // would go on past it.
        Ended::Broken(_) if !trial.choices.is_deep() && trial.choices.len() <= PICK_BUDGET as usize => {
            let again = door.run(Input::Choices(&trial.choices), Wants::Values);
            if matches!(again.ended, Ended::Broken(_)) { again } else { trial }
        }
        _ => trial,
    }
}

fn found(trial: Trial, failure: Failure, how: How) -> Found {
    let is_final = matches!(how, How::Saved(_) | How::GivenChoices);
    Found {
        how,
        failure,
        choices: trial.without_choices.is_none().then_some(trial.choices),
        values: trial.values,
        notes: trial.log.map(|log| log.notes).unwrap_or_default(),
        without_choices: trial.without_choices,
        is_final,
        saved: None,
        flaky: None,
        n_discarded: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_grow_and_then_are_large_more_often_than_small() {
        let sizes: Vec<u64> = (0..128).map(size_in_percent).collect();
        assert!(sizes[..20].is_sorted() && sizes[0] == 1 && sizes[19] == 95);
        assert!(sizes.iter().all(|size| (1..=100).contains(size)));
        assert!(sizes[..100].iter().sum::<u64>() > 6_000);
        let small = |size: u64| sizes[20..].iter().filter(|other| **other <= size).count();
        assert!(small(40) == 27 && small(10) >= 6, "{} {}", small(40), small(10));
    }
}
