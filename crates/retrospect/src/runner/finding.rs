//! From a failing case to the report of the smallest: saved first, shrunk, run a last time.

use super::failure::{Failure, Identity};
use super::hang::{self, Hung, Standby};
use super::observe::Evolution;
use super::regressions::{self, SavedCase};
use super::report::{duration, plural, tell};
use super::run::Context;
use super::saved::same_values;
use super::search::{Flaky, Found, How, TRIES_IF_NONDETERMINISTIC, run_again, run_for_values};
use super::settings::Health;
use super::shrink_log::ShrinkLog;
use super::trial::{Door, Ended, Input, Trial, Wants};
use crate::choice::{Choices, Kind, Nodes, Splice};
use crate::generator::near::near;
use crate::shrink::{self, End, Replayed, Shrinker, Shrunk, Step, Tried};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// All there is to say about a failure.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) found: Found,
    pub(crate) shrinking: Shrinking,
    /// Positions of the values that do not matter, with the number of other values that were tried
    /// in their place; all of them failed.
    pub(crate) irrelevant: Vec<(usize, usize)>,
    /// Failures that are not this one and that no report has shown yet.
    pub(crate) others: Vec<Failure>,
    pub(crate) saving: Saving,
    /// Whether the text of the values is enough to make the case again.
    pub(crate) is_readable: bool,
    /// The values as they were first found, before they were shrunk.
    pub(crate) first: Vec<(String, String)>,
    /// For those who want to see how it shrank.
    pub(crate) log: Option<ShrinkLog>,
}

#[derive(Debug)]
pub(crate) enum Shrinking {
    /// It was saved after shrinking, or is to be taken as it is.
    NotWanted,
    /// A value in it cannot be made by its generator, for this reason.
    NotPossible(String),
    Done {
        before: usize,
        after: usize,
        successes: usize,
        /// But for those that found nothing when no pass knew more.
        runs: u64,
        runs_in_vain: u64,
        took: Duration,
        end: ShrinkEnd,
    },
}

#[derive(Debug, PartialEq)]
pub(crate) enum ShrinkEnd {
    /// Nothing that is simpler fails: [`End::Minimal`] has the rules.
    Minimal,
    /// No pass knows anything simpler, but not everything simpler was tried.
    Stalled,
    OutOfTime(Duration),
    OutOfRuns(u64),
    /// A run did not return.
    Hung(Hung),
}

impl ShrinkEnd {
    /// For programs.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            ShrinkEnd::Minimal => "minimal",
            ShrinkEnd::Stalled => "stalled",
            ShrinkEnd::OutOfTime(_) => "time over",
            ShrinkEnd::OutOfRuns(_) => "runs spent",
            ShrinkEnd::Hung(_) => "hung",
        }
    }
}

#[derive(Debug)]
pub(crate) enum Saving {
    NotWanted,
    /// Under this id.
    Saved(String),
    Failed(String),
}

impl Saving {
    fn id(&self) -> Option<String> {
        if let Saving::Saved(id) = self { Some(id.clone()) } else { None }
    }
}

/// Saves the case, shrinks it, and runs the smallest once more for its report. Other failures that
/// it meets on the way are added to `distinct`. `reports` are those of failures before it.
pub(crate) fn pursue(
    context: &Context<'_>,
    door: &mut dyn Door,
    found: Found,
    distinct: &mut Distinct,
    reports: &str,
) -> Finding {
    door.stand_by(Some(Standby::new(context, &found, reports)));
    let finding = pursued(context, door, found, distinct);
    door.stand_by(None);
    finding
}

fn pursued(context: &Context<'_>, door: &mut dyn Door, mut found: Found, distinct: &mut Distinct) -> Finding {
    let times = runs_of_each(context);
    // A value is saved: a case that was run for its choices alone is run for its values too.
    if let Some(choices) = found.choices.clone().filter(|_| found.values.is_empty()) {
        settle(door, &choices, &mut found, times);
    }
    let mut identity = Identity::new(&found.failure, &found.values);
    if let Some(observer) = &context.observer {
        observer.failure_found(&found);
    }
    // What neither its text nor its choices can make again need not be saved: an example that its
    // generator cannot make.
    let is_lost = found.choices.is_none() && !is_readable(door, &found);
    // Before anything else: what is killed now loses nothing.
    let mut saving = match is_lost {
        true => Saving::NotWanted,
        false => save(context, &found, found.is_final, found.saved.clone()),
    };
    door.update_standby(&mut |standby| standby.settle(&found, saving.id()));
    let mut shrinking = Shrinking::NotWanted;
    let mut irrelevant = Vec::new();
    let mut first = Vec::new();
    let mut log = None;
    if let Some(reason) = &found.without_choices {
        shrinking = Shrinking::NotPossible(reason.clone());
    } else if let Some(choices) = found.choices.clone().filter(|_| !found.is_final && found.flaky.is_none()) {
        let started = Instant::now();
        first = found.values.clone();
        let shrunk = {
            let mut candidates = Candidates::new(context, door, &mut identity, &found, distinct, &mut saving);
            let shrunk = shrink(context, &mut candidates, &choices);
            if let Some(evolution) = candidates.evolution {
                evolution.end(candidates.door, &shrunk);
            }
            shrunk
        };
        shrinking = Shrinking::Done {
            before: choices.choice_count(),
            after: shrunk.choices.choice_count(),
            successes: shrunk.steps.len(),
            runs: shrunk.runs - shrunk.in_vain,
            runs_in_vain: shrunk.in_vain,
            took: started.elapsed(),
            end: match shrunk.end {
                End::Stopped => ShrinkEnd::OutOfTime(context.settings.shrink_time),
                End::RunsSpent => ShrinkEnd::OutOfRuns(context.settings.shrink_runs),
                End::Stalled { .. } => ShrinkEnd::Stalled,
                End::Minimal { .. } => ShrinkEnd::Minimal,
            },
        };
        if context.settings.verbose > 1 {
            log = Some(ShrinkLog::of(door, &choices, &shrunk));
        }
        let unshrunk = found.clone();
        door.renew();
        settle(door, &shrunk.choices, &mut found, times);
        if found.flaky.is_none()
            && times == 1
            && let Some(flaky) = distrust(door, &found, distinct)
        {
            found = Found { flaky: Some(flaky), ..unshrunk };
        }
        door.update_standby(&mut |standby| standby.settle(&found, saving.id()));
        if found.flaky.is_none() {
            irrelevant = explain(context, door, &shrunk.choices, &found);
            let is_done = matches!(shrinking, Shrinking::Done { end: ShrinkEnd::Minimal | ShrinkEnd::Stalled, .. });
            saving = save(context, &found, is_done, saving.id());
        }
    }
    let is_readable = is_readable(door, &found);
    let others = distinct.waiting.iter().map(|found| found.failure.clone()).collect();
    let finding = Finding { found, shrinking, irrelevant, others, saving, is_readable, first, log };
    if let Some(observer) = &context.observer {
        observer.pursued(context, door, &finding);
    }
    finding
}

fn shrink(context: &Context<'_>, candidates: &mut Candidates<'_>, choices: &Choices) -> Shrunk {
    let started = Instant::now();
    // Where the body draws nothing, a candidate can be replayed without it: most of those that are
    // no simpler then cost no run.
    let drawn = candidates.door.run(Input::Choices(choices), Wants::Drawing);
    candidates.is_replayed = drawn.was_ready && drawn.choices == *choices;
    let mut go_on = || started.elapsed() < context.settings.shrink_time;
    let max_runs = context.settings.shrink_runs;
    let mut shrunk = Shrinker::new().runs(max_runs).shrink_by(choices, candidates, &mut go_on);
    // Candidates that were refused for their words may be accepted now.
    while std::mem::take(&mut candidates.has_forgotten_words) {
        let runs_left = max_runs.saturating_sub(shrunk.runs);
        (candidates.searched, candidates.search) = (candidates.all_searches(), None);
        let again = Shrinker::new().runs(runs_left).shrink_by(&shrunk.choices, candidates, &mut go_on);
        shrunk = followed_by(shrunk, again);
    }
    shrunk
}

/// Both as one.
fn followed_by(first: Shrunk, second: Shrunk) -> Shrunk {
    // Where the second found more, what the first looked for in vain was not the end.
    let in_vain = second.in_vain + if second.steps.is_empty() { first.in_vain } else { 0 };
    let mut all = Shrunk { choices: second.choices, end: second.end, in_vain, ..first };
    all.searched += second.searched;
    all.steps.extend(second.steps.into_iter().map(|step| Step { run: step.run + first.runs, ..step }));
    all.runs += second.runs;
    all.cached += second.cached;
    all.replays += second.replays;
    for (pass, runs) in second.spent {
        match all.spent.iter_mut().find(|(known, _)| *known == pass) {
            Some((_, spent)) => *spent += runs,
            None => all.spent.push((pass, runs)),
        }
    }
    all
}

/// The distinct failures of a run: those of the search, and those met while another was shrunk.
#[derive(Debug, Default)]
pub(crate) struct Distinct {
    /// Those that have no report yet, in the order in which they were found.
    waiting: Vec<Found>,
    known: Vec<Failure>,
    /// Fingerprints of cases that passed, of those whose choices are known.
    passed: HashSet<u64>,
    /// Failures with too many messages at one place: the words are values, and the place is one
    /// failure.
    wordy: Vec<Failure>,
}

/// More cases that passed are not remembered: the simplest come first.
const MAX_PASSED: usize = 1 << 16;

/// More messages than this at one place are one failure.
const MAX_MESSAGES: usize = 6;

impl Distinct {
    pub(crate) fn note_passed(&mut self, choices: &Choices) {
        if self.passed.len() < MAX_PASSED {
            self.passed.insert(shrink::fingerprint(choices));
        }
    }

    /// Keeps a failure that is new. Returns whether its place has so many messages that their words
    /// are values.
    pub(crate) fn note(&mut self, found: Found) -> bool {
        let failure = &found.failure;
        if self.wordy.iter().any(|wordy| wordy.is_at_site_of(failure)) {
            return true;
        }
        if self.is_known(failure) {
            return false;
        }
        let n_messages = self.known.iter().filter(|known| known.is_at_site_of(failure)).count();
        if n_messages < MAX_MESSAGES {
            self.known.push(failure.clone());
            self.waiting.push(found);
            return false;
        }
        let mut is_first = true;
        self.waiting.retain(|other| !other.failure.is_at_site_of(failure) || std::mem::take(&mut is_first));
        self.wordy.push(found.failure);
        true
    }

    /// Whether a failure like this one was noted already.
    pub(crate) fn is_known(&self, failure: &Failure) -> bool {
        self.wordy.iter().any(|wordy| wordy.is_at_site_of(failure))
            || self.known.iter().any(|known| known.is_same(failure))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Takes out the first failure that has no report yet.
    pub(crate) fn next(&mut self) -> Option<Found> {
        (!self.waiting.is_empty()).then(|| self.waiting.remove(0))
    }
}

/// Limits of the late searches, which may find nothing. They run for `SPARE_TIME` or as long as all
/// other passes took, whichever is longer, and try at most `MAX_SPARE` candidates: nearly all that
/// find something find it by then. Up to `SMALL_DOMAIN` simpler values are all tried on any
/// machine, unless that takes a tenth of the time for shrinking, or a minute.
const SPARE_TIME: Duration = Duration::from_millis(100);
const MAX_SPARE: u64 = 20_000;
const SMALL_DOMAIN: u64 = 1 << 10;
const PART_FOR_SMALL: u32 = 10;
const MAX_TIME_FOR_SMALL: Duration = Duration::from_secs(60);

/// The property, as shrinking sees it.
struct Candidates<'c> {
    context: &'c Context<'c>,
    door: &'c mut dyn Door,
    identity: &'c mut Identity,
    /// The words of the message turned out to vary with the values.
    has_forgotten_words: bool,
    distinct: &'c mut Distinct,
    times: u32,
    is_replayed: bool,
    /// What the last run drew, where nothing else tells.
    recorded: Option<Choices>,
    /// The best so far, as it would be saved.
    best: Found,
    saving: &'c mut Saving,
    saved_at: Instant,
    progress: Progress,
    n_replays: u64,
    /// Since no pass knows more, and all such searches before.
    search: Option<LateSearch>,
    searched: Searches,
    /// Who looks on.
    evolution: Option<Evolution<'c>>,
}

/// When no pass knew more: the time and the replays until then.
#[derive(Clone, Copy)]
struct LateSearch {
    began: Duration,
    replays: u64,
}

/// What late searches took.
#[derive(Clone, Copy, Default)]
struct Searches {
    time: Duration,
    replays: u64,
}

/// Whether so few values are simpler than these choices that all of them can be tried.
fn is_small(choices: &Choices) -> bool {
    let entries = || choices.entries().iter();
    let numbers = || entries().filter(|entry| entry.kind() == Kind::Number);
    let n_items = entries().filter(|entry| entry.kind() == Kind::Repeat).map(|entry| entry.index());
    let n_raised = numbers().filter(|entry| entry.index() > 0).count() as u64;
    let n_simpler = match n_items.fold(n_raised, u64::saturating_add) {
        // Of a number that is alone, those below it, in its place or another.
        0..=2 => {
            let largest = numbers().map(|entry| entry.index()).max().unwrap_or(0);
            numbers().map(|entry| entry.bound().min(largest)).fold(0, u64::saturating_add)
        }
        _ => numbers().map(|entry| entry.bound().saturating_add(1)).fold(1, u64::saturating_mul),
    };
    let picks = entries().filter(|entry| entry.kind() == Kind::Pick);
    picks.fold(n_simpler, |all, pick| all.saturating_mul(pick.arms() as u64)) <= SMALL_DOMAIN
}

/// A number of replays, to divide a time by.
fn clamped(replays: u64) -> u32 {
    u32::try_from(replays).unwrap_or(u32::MAX).max(1)
}

/// Says of shrinking that takes long how far it is.
struct Progress {
    started: Instant,
    n_runs: u64,
    /// Choices of the smallest case so far.
    n_left: usize,
    /// When to say it next. It doubles, so that few lines are written however long it takes.
    next: Duration,
}

impl Progress {
    fn new(found: &Found) -> Progress {
        let n_left = found.choices.as_ref().map_or(0, Choices::choice_count);
        Progress { started: Instant::now(), n_runs: 0, n_left, next: Duration::from_secs(2) }
    }

    /// A candidate is run.
    fn run(&mut self, context: &Context<'_>) {
        self.n_runs += 1;
        if self.started.elapsed() < self.next {
            return;
        }
        self.next *= 2;
        let text = format!(
            "still shrinking a failure: {}, {} left; stops after {} at most",
            plural(self.n_runs, "run"),
            plural(self.n_left as u64, "choice"),
            duration(context.settings.shrink_time)
        );
        tell(context.definition.test_name(), &text);
    }
}

/// Shrinking that takes longer saves what it has reached this often: who loses patience loses no
/// more.
const SAVED_EVERY: Duration = Duration::from_secs(5);

impl<'c> Candidates<'c> {
    fn new(
        context: &'c Context<'c>,
        door: &'c mut dyn Door,
        identity: &'c mut Identity,
        found: &Found,
        distinct: &'c mut Distinct,
        saving: &'c mut Saving,
    ) -> Candidates<'c> {
        let times = runs_of_each(context);
        let best = found.clone();
        Candidates {
            context,
            door,
            identity,
            has_forgotten_words: false,
            distinct,
            times,
            is_replayed: false,
            recorded: None,
            best,
            saving,
            saved_at: Instant::now(),
            progress: Progress::new(found),
            n_replays: 0,
            search: None,
            searched: Searches::default(),
            evolution: context.observer.as_ref().map(Evolution::begin),
        }
    }

    /// What late searches took so far, with the present one.
    fn all_searches(&self) -> Searches {
        let Searches { time, replays } = self.searched;
        let Some(search) = self.search else { return self.searched };
        Searches {
            time: time + (self.progress.started.elapsed() - search.began),
            replays: replays + (self.n_replays - search.replays),
        }
    }

    fn failed(&mut self, choices: &Choices) {
        let is_better = |best: &Choices| shrink::compare(choices, best) == std::cmp::Ordering::Less;
        if self.saved_at.elapsed() < SAVED_EVERY || !self.best.choices.as_ref().is_some_and(is_better) {
            return;
        }
        if last_run(self.door, choices, &mut self.best, self.times).is_ok() {
            let saving = save(self.context, &self.best, false, self.saving.id());
            // What was saved before stays in its place if this fails.
            if matches!(saving, Saving::Saved(_)) {
                *self.saving = saving;
            }
        }
        self.saved_at = Instant::now();
    }
}

impl shrink::Trial for Candidates<'_> {
    fn replay(&mut self, candidate: &Choices) -> Replayed {
        self.n_replays += 1;
        if !self.is_replayed {
            return Replayed::Unknown;
        }
        let trial = self.door.run(Input::Choices(candidate), Wants::Drawing);
        if trial.was_ready {
            return Replayed::Made(trial.choices);
        }
        self.recorded = matches!(trial.ended, Ended::Discarded { .. }).then_some(trial.choices);
        Replayed::Nothing
    }

    fn spare(&mut self, choices: &Choices, _: u64) -> u64 {
        let so_far = self.progress.started.elapsed();
        self.search.get_or_insert(LateSearch { began: so_far, replays: self.n_replays });
        let settings = &self.context.settings;
        // Who set a limit for shrinking alone wants to go that far.
        if settings.shrink && (settings.shrink_time < Duration::MAX || settings.shrink_runs < u64::MAX) {
            return u64::MAX;
        }
        let Searches { time, replays } = self.all_searches();
        // At first only what came before says what each costs; there, more of them failed, which
        // takes longer.
        let of_each = if replays == 0 { so_far / clamped(self.n_replays) / 10 } else { time / clamped(replays) };
        let of_each = of_each.max(Duration::from_nanos(1));
        let within = |limit: Duration| limit.saturating_sub(time).as_nanos() / of_each.as_nanos();
        // The clock was read again for the searches, so they may have taken more than all so far.
        let spare = within(so_far.saturating_sub(time).max(SPARE_TIME)).min(MAX_SPARE.into());
        let limit = (settings.shrink_time / PART_FOR_SMALL).min(MAX_TIME_FOR_SMALL);
        let of_small = if is_small(choices) { within(limit).min(2 * u128::from(SMALL_DOMAIN)) } else { 0 };
        u64::try_from(spare.max(of_small)).unwrap_or(u64::MAX)
    }

    fn improved(&mut self, step: &Step) {
        self.searched = self.all_searches();
        self.search = None;
        self.progress.n_left = step.choices.choice_count();
        self.door.update_standby(&mut |standby| standby.improve(step));
        if let Some(evolution) = &mut self.evolution {
            evolution.step(self.door, step);
        }
    }

    fn run(&mut self, candidate: &Choices) -> Tried {
        if let Some(evolution) = &mut self.evolution {
            evolution.write_if_late();
        }
        self.progress.run(self.context);
        let trial = failing_run(self.door, &self.best.failure, candidate, Wants::Choices, self.times);
        // What a generator refused might have been followed by more.
        let is_whole = match &trial.ended {
            Ended::Passed | Ended::Failed(_) => true,
            Ended::Discarded { text, .. } => text.starts_with("assume!"),
            Ended::NotMade(_) | Ended::NoCase { .. } | Ended::Broken(_) => false,
        };
        self.recorded = (is_whole && !trial.was_cut_short && !self.is_replayed).then(|| trial.choices.clone());
        let Ended::Failed(failure) = trial.ended else { return Tried::Passes };
        if !self.identity.is(&failure) {
            let is_at_site = self.identity.is_at_site_of(&failure);
            if !self.distinct.note(Found::other(*failure, trial.choices.clone())) || !is_at_site {
                return Tried::Passes;
            }
            self.identity.forget_words();
            self.has_forgotten_words = true;
            let best = &self.best.failure;
            self.distinct.waiting.retain(|other| !other.failure.is_at_site_of(best));
        }
        self.failed(&trial.choices);
        Tried::Fails(trial.choices)
    }

    fn recorded(&mut self) -> Option<Choices> {
        self.recorded.take()
    }

    fn simplest_way(&mut self, choices: &Choices) -> Option<Choices> {
        self.remade(choices, None)
    }

    fn near(&mut self, choices: &Choices) -> Vec<Choices> {
        if !self.is_replayed {
            return Vec::new();
        }
        let values = self.door.run(Input::Choices(choices), Wants::Arguments).values;
        let mut all = Vec::new();
        for (position, (_, text)) in values.iter().enumerate() {
            all.extend(near(text, choices, &mut |text| self.remade(choices, Some((position, text)))));
        }
        all
    }
}

impl Candidates<'_> {
    /// The choices of the same values in their simplest ways, or with one of them read from a text.
    /// No body is run.
    fn remade(&mut self, choices: &Choices, edit: Option<(usize, &str)>) -> Option<Choices> {
        if !self.is_replayed {
            return None;
        }
        let trial = self.door.run(Input::Remade { choices, edit }, Wants::Drawing);
        trial.was_ready.then_some(trial.choices)
    }
}

/// How often a case is run before it is said that it does not fail.
fn runs_of_each(context: &Context<'_>) -> u32 {
    if context.settings.allows(Health::Nondeterminism) { TRIES_IF_NONDETERMINISTIC } else { 1 }
}

/// Runs a case until it fails at the site of this failure, so many times at most.
fn failing_run(door: &mut dyn Door, like: &Failure, choices: &Choices, wants: Wants, times: u32) -> Trial {
    let mut trial = door.run(Input::Choices(choices), wants);
    for _ in 1..times {
        if trial.has_failed_like(like) {
            break;
        }
        trial = door.run(Input::Choices(choices), wants);
    }
    trial
}

/// The smallest case, once more, for its values, its notes and its message: only this run speaks.
/// Returns the trial if it does not fail.
fn last_run(door: &mut dyn Door, choices: &Choices, found: &mut Found, times: u32) -> Result<(), Box<Trial>> {
    let mut trial = run_for_values(door, &found.failure, || Input::Choices(choices));
    if times > 1 && !trial.has_failed_like(&found.failure) {
        trial = failing_run(door, &found.failure, choices, Wants::Values, times - 1);
    }
    if !trial.has_failed_like(&found.failure) {
        return Err(Box::new(trial));
    }
    found.take(trial);
    Ok(())
}

/// The last run. A case that does not fail in it is run some more times, to say how often it fails.
fn settle(door: &mut dyn Door, choices: &Choices, found: &mut Found, times: u32) {
    let Err(trial) = last_run(door, choices, found, times) else { return };
    if let Ended::Broken(problem) = trial.ended {
        found.flaky = Some(Flaky::NotRun(problem));
        return;
    }
    let (trial, flaky) = run_again(&found.failure, *trial, || door.run(Input::Choices(choices), Wants::Values));
    if !flaky.is_drawn_again() || found.values.is_empty() {
        found.take(trial);
    }
    found.flaky = Some(flaky);
}

/// Why a case is not deterministic, although it failed each time that it was shrunk or run again.
fn distrust(door: &mut dyn Door, found: &Found, distinct: &Distinct) -> Option<Flaky> {
    let choices = found.choices.as_ref()?;
    if distinct.passed.contains(&shrink::fingerprint(choices)) {
        return Some(Flaky::PassedBefore);
    }
    let again = door.run(Input::Choices(choices), Wants::Arguments).values;
    let n_values = again.len().min(found.values.len());
    let is_text = |(_, text): &(String, String)| !regressions::UNDRAWN.contains(&text.as_str());
    (found.values.iter().all(is_text) && !same_values(&found.values[..n_values], &again[..n_values]))
        .then_some(Flaky::OtherValues)
}

/// How many random values are tried in place of a value.
const REROLLS: u64 = 100;

/// How many values of other arguments are tried in place of a value.
const MAX_COPIED: usize = 20;

/// Finds the values that do not matter: every other value that was tried in their place fails the
/// same way. Returns their positions with the number of values tried: random ones, and those of the
/// other arguments, since many failures depend on equal values.
///
/// Only the simplest values are asked about: shrinking has made everything simplest that does not
/// matter.
fn explain(context: &Context<'_>, door: &mut dyn Door, choices: &Choices, found: &Found) -> Vec<(usize, usize)> {
    if found.values.len() < 2 {
        return Vec::new();
    }
    let started = Instant::now();
    let is_over = || started.elapsed() >= context.settings.shrink_time;
    let places: Vec<_> = choices.roots().map(|at| at..choices.end_of(at)).take(found.values.len()).collect();
    let mut n_others = |position: usize| {
        let mut others = HashSet::new();
        let mut differs = |trial: &mut Trial| match trial.values.get_mut(position) {
            Some((_, text)) if *text != found.values[position].1 => others.insert(std::mem::take(text)),
            _ => false,
        };
        for place in places.iter().filter(|place| **place != places[position]).take(MAX_COPIED) {
            if is_over() {
                return 0;
            }
            let by = choices.entries()[place.clone()].to_vec();
            let copied = choices.spliced(&[Splice { place: places[position].clone(), by }]);
            let mut trial = door.run(Input::Choices(&copied), Wants::Observed);
            let was_tried = matches!(trial.ended, Ended::Passed | Ended::Failed(_));
            if was_tried && differs(&mut trial) && !trial.has_failed_like(&found.failure) {
                return 0;
            }
        }
        for seed in 0..REROLLS {
            if is_over() {
                return 0;
            }
            let mut trial = door.run(Input::Reroll { choices, position, seed }, Wants::Observed);
            if !trial.has_failed_like(&found.failure) {
                return 0;
            }
            differs(&mut trial);
        }
        others.len()
    };
    let is_simplest = choices.nodes().each_alone().map(Nodes::is_simplest).take(found.values.len());
    let simplest = is_simplest.enumerate().filter(|(_, is_simplest)| *is_simplest);
    simplest.map(|(position, _)| (position, n_others(position))).filter(|(_, n_others)| *n_others > 0).collect()
}

/// Saves a case that must not be shrunk in the same process again.
pub(crate) fn save_unfinished(context: &Context<'_>, found: &Found, replaces: Option<String>) -> Saving {
    save_with(context, found, false, replaces, Some(hang::NOTE))
}

fn save(context: &Context<'_>, found: &Found, is_minimal: bool, replaces: Option<String>) -> Saving {
    save_with(context, found, is_minimal, replaces, None)
}

fn save_with(
    context: &Context<'_>,
    found: &Found,
    is_minimal: bool,
    replaces: Option<String>,
    note: Option<&str>,
) -> Saving {
    if let (How::Saved(id), true) = (&found.how, found.is_final) {
        return Saving::Saved(id.clone());
    }
    if !context.settings.save || (found.how == How::GivenChoices && found.is_final) {
        return Saving::NotWanted;
    }
    let mut notes = vec![found.failure.headline()];
    if let Some(flaky) = &found.flaky {
        notes.push(format!("not deterministic: {}", flaky.summary()));
    }
    notes.extend(note.map(str::to_owned));
    let choices = found.choices.as_ref().map(ToString::to_string);
    let case = SavedCase { id: String::new(), values: found.values.clone(), choices, notes, is_minimal };
    match regressions::save(context.file, &context.definition.saved_as(), &case, replaces.as_deref()) {
        Ok(id) => Saving::Saved(id),
        Err(problem) => Saving::Failed(context.problem_shown(&problem)),
    }
}

/// Whether the text of the values is enough to make the case again.
fn is_readable(door: &mut dyn Door, found: &Found) -> bool {
    let trial = door.run(Input::Values(&found.values), Wants::Values);
    let is_made = match trial.ended {
        Ended::NotMade(_) | Ended::Broken(_) => false,
        // Another value may have the same text.
        Ended::Passed => found.flaky.is_some(),
        _ => true,
    };
    is_made && same_values(&found.values, &trial.values) && !found.values.is_empty()
}

impl Found {
    /// Takes over how a run of it ended, and its values.
    pub(crate) fn take(&mut self, trial: Trial) {
        if let Ended::Failed(failure) = trial.ended
            && failure.is_at_site_of(&self.failure)
        {
            self.failure = *failure;
        }
        self.choices = Some(trial.choices);
        self.values = trial.values;
        self.notes = trial.log.map(|log| log.notes).unwrap_or_default();
    }

    /// A failure met on the way to another.
    pub(crate) fn other(failure: Failure, choices: Choices) -> Found {
        Found {
            how: How::Meanwhile,
            failure,
            choices: Some(choices),
            values: Vec::new(),
            notes: Vec::new(),
            without_choices: None,
            is_final: false,
            saved: None,
            flaky: None,
            n_discarded: 0,
        }
    }
}
