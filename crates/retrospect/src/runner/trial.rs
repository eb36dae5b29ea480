//! The one door through which a property is run.
//!
//! Everything the runner does (search, replay, shrinking, explaining) asks a [`Door`] for a trial
//! of an input. One door leads into this process, one into a child process
//! ([`isolate`](super::isolate)); nothing else knows the difference.

use super::case::{Case, Draw, Interruption, Notebook, Remaking, Times};
use super::failure::Failure;
use super::fork;
use super::hang::Standby;
use super::in_order::InOrder;
use super::observe::Lines;
use super::outcome::Outcome;
use super::panics::{self, Thrown};
use super::regressions;
use super::report;
use super::search_time::SEARCH_TIME;
use super::statistics::{self, CaseLog, Discarded};
use super::watchdog::Watch;
use crate::choice::Choices;
use crate::generator::Tuning;
use crate::generator::functions::{self, Asked, Watch as FunctionWatch};
use crate::generator::room::is_long;
use crate::source::{
    Filtered, KnownAnswers, Odometer, Repeating, Replay, Rng, Searched, Source, Weights, WeightsError, Why,
};
use crate::stack::with_deep_stack;

/// The body of a property, as the macro and the plain functions hand it over.
pub(crate) type Body<'b> = dyn FnMut(&mut Case<'_>) -> Outcome + 'b;

/// Where the choices of a case come from.
pub(crate) enum Input<'i> {
    /// Drawn. The seed says also whether it [repeats values](repeats_values).
    Seed {
        seed: u64,
        size: u32,
    },
    /// Replayed leniently.
    Choices(&'i Choices),
    /// Replayed to the letter: an input that does not fit is [`Ended::NotMade`].
    Exactly(&'i Choices),
    /// Read from text: name and `Debug` text of each value.
    Values(&'i [(String, String)]),
    Example(usize),
    /// The next combination of everything that is drawn, in the body too.
    Next(&'i mut Odometer),
    /// The case that has so many before it, from small to large: [`Ended::NoCase`] if there is
    /// none, or no telling which it is.
    Nth(u64),
    /// One draw is random, the others are replayed.
    Reroll {
        choices: &'i Choices,
        position: usize,
        seed: u64,
    },
    /// Replayed leniently; then each value is made in its simplest way or, if a text is given for
    /// one of the draws, that one reads it and the others stay as they are.
    Remade {
        choices: &'i Choices,
        edit: Option<(usize, &'i str)>,
    },
}

impl Input<'_> {
    /// How many choices it gives, if those after them are neither given nor drawn.
    fn n_given(&self) -> Option<usize> {
        match self {
            Input::Choices(choices) | Input::Exactly(choices) => Some(choices.len()),
            Input::Reroll { choices, .. } | Input::Remade { choices, .. } => Some(choices.len()),
            Input::Values(_) | Input::Next(_) => Some(0),
            Input::Seed { .. } | Input::Example(_) | Input::Nth(_) => None,
        }
    }

    /// Whether its values may be deeper than those that are drawn.
    fn is_deep(&self) -> bool {
        match self {
            Input::Choices(choices) | Input::Exactly(choices) => choices.is_deep(),
            Input::Reroll { choices, .. } | Input::Remade { choices, .. } => choices.is_deep(),
            Input::Values(values) => values.iter().any(|(_, text)| is_long(text)),
            Input::Example(_) => true,
            Input::Seed { .. } | Input::Next(_) | Input::Nth(_) => false,
        }
    }
}

/// What the caller wants to know besides how the case ended. Values include notes and, if the
/// environment asks for one, the backtrace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wants {
    Choices,
    Values,
    /// Values without notes, and how long everything took: what is written down of every case.
    Observed,
    /// The arguments alone; the body is not run.
    Arguments,
    /// That the arguments are drawn, and nothing else.
    Drawing,
}

/// How a condition of `satisfying` is called where it discards a case.
pub(crate) const CONDITION: &str = "a condition";

/// How a case ended.
#[derive(Debug)]
pub(crate) enum Ended {
    Passed,
    /// By `assume!`, or by a filter that refused too often: where, and what it says there.
    Discarded {
        place: String,
        text: String,
        why: Option<String>,
    },
    Failed(Box<Failure>),
    /// The input does not fit the generators.
    NotMade(String),
    /// There are not that many cases; or, unless `is_over`, it is not known which one it is.
    NoCase {
        is_over: bool,
    },
    /// A generator cannot generate at all: an empty range, a value nested too deep. Or the body is
    /// mistaken, or the worker gone.
    Broken(String),
}

/// How a case of the hot loop ended: nearly always well and without a word, so that is told in a
/// register.
#[derive(Debug)]
pub(crate) enum Turn {
    /// It passed and logged nothing.
    Quiet,
    /// It passed, and what it logged is to be [taken](Door::take_log).
    Logged,
    /// It did not pass.
    Ended(Box<Ended>),
}

impl Turn {
    #[cold]
    pub(crate) fn ended(ended: Ended) -> Turn {
        match ended {
            Ended::Passed => Turn::Logged,
            ended => Turn::Ended(Box::new(ended)),
        }
    }
}

/// A run of the property, with what was wanted.
pub(crate) struct Trial {
    pub(crate) ended: Ended,
    pub(crate) choices: Choices,
    pub(crate) values: Vec<(String, String)>,
    /// What the case logged, its notes among it.
    pub(crate) log: Option<CaseLog>,
    /// Why this case has no choices, and cannot be shrunk.
    pub(crate) without_choices: Option<String>,
    /// Whether all arguments were drawn before the body began, as far as the property says where
    /// that is.
    pub(crate) was_ready: bool,
    /// Whether the body has drawn something itself, if that was looked at.
    pub(crate) draws_in_body: bool,
    /// Whether it was cut short because it had become huge.
    pub(crate) was_cut_short: bool,
    /// Only if values were wanted.
    pub(crate) times: Times,
    /// The lines that were run, if that is counted.
    pub(crate) covered: Option<Vec<u32>>,
}

/// Runs a property.
pub(crate) trait Door {
    /// The cases that `quick` will be asked for next, in this order, unless one of them ends it
    /// all. Who can run several at once may do so.
    fn announce(&mut self, _cases: &mut dyn Iterator<Item = (u64, u32)>) {}

    /// A case of the hot loop: only how it ended, and what it logged.
    fn quick(&mut self, seed: u64, size: u32) -> Turn;

    fn run(&mut self, input: Input<'_>, wants: Wants) -> Trial;

    /// Makes the next case the first one of a new process, if cases have one. Returns whether they
    /// have.
    fn renew(&mut self) -> bool {
        false
    }

    /// Does the same from now on after each case that fails: a failure may leave something behind
    /// that changes later cases, such as a poisoned lock.
    fn renew_after_failures(&mut self) {}

    /// Saved cases are run from now on, or no more.
    fn run_saved_cases(&mut self, _runs_saved_cases: bool) {}

    /// A failure is pursued from now on, or no more. Runs have a deadline meanwhile.
    fn stand_by(&mut self, standby: Option<Standby>);

    /// Changes what would be reported if a run did not return.
    fn update_standby(&mut self, _update: &mut dyn FnMut(&mut Standby)) {}

    /// What the last case logged, if anything.
    fn take_log(&mut self) -> Option<CaseLog>;

    /// Whether the last quick case was cut short because it had become huge.
    fn was_cut_short(&mut self) -> bool;

    /// Whether there was something to repeat in the quick cases that
    /// [repeat values](repeats_values).
    fn can_repeat(&mut self) -> bool {
        true
    }

    /// The searches of the quick cases, if they build on each other.
    fn searched(&mut self) -> Vec<Searched> {
        Vec::new()
    }

    /// The filters of the quick cases that refused something.
    fn filtered(&mut self) -> Vec<Filtered> {
        Vec::new()
    }

    /// What of the weights no case knew.
    fn problem_of_weights(&mut self) -> Option<String> {
        None
    }
}

/// The door into this process.
pub(crate) struct InProcess<'b, 'c> {
    body: &'b mut Body<'c>,
    case: Case<'static>,
    /// The seed and size of the last quick case.
    last: (u64, u32),
    watch: Option<Watch>,
    on_draw: Option<fn(Draw<'_>)>,
    /// What the functions of the last case that failed were asked: those of a candidate for
    /// shrinking follow them.
    asked: Asked,
    tuning: Option<Tuning>,
    /// What is learned of given values, while that is done.
    learned: Option<Weights>,
    /// Where [`Input::Nth`] has come to.
    in_order: Option<InOrder>,
    has_free_arguments: bool,
    /// How many choices the input of the last run gave.
    n_given: Option<usize>,
    /// Where the cases run.
    place: fork::Place,
    /// Where the lines are counted that a case runs.
    lines: Option<&'static Lines>,
    /// The memory of the last case, for the next one.
    spare: Option<Box<Notebook>>,
    /// Who answered in the last quick case that repeats values.
    repeating: Option<Box<Repeating>>,
}

impl<'b, 'c> InProcess<'b, 'c> {
    /// Nothing is told to anybody.
    pub(crate) fn new(body: &'b mut Body<'c>) -> InProcess<'b, 'c> {
        InProcess {
            body,
            case: Case::new(Source::random(0), None),
            last: (0, 0),
            watch: None,
            on_draw: None,
            asked: Asked::new(),
            tuning: None,
            learned: None,
            lines: None,
            spare: None,
            repeating: None,
            in_order: None,
            has_free_arguments: false,
            n_given: None,
            place: fork::Place::here(),
        }
    }

    /// The same door for a property none of whose arguments hangs on another, if so it is.
    pub(crate) fn with_free_arguments(mut self, has_free_arguments: bool) -> InProcess<'b, 'c> {
        self.has_free_arguments = has_free_arguments;
        self
    }

    /// The same door, where cases are drawn by these weights.
    pub(crate) fn tuned(mut self, tuning: Option<Tuning>) -> InProcess<'b, 'c> {
        self.case = self.case.tuned(tuning.clone());
        self.tuning = tuning;
        self
    }

    /// The same door, where values that are drawn are at most so deep.
    pub(crate) fn with_max_depth(mut self, max_depth: u32) -> InProcess<'b, 'c> {
        self.case.source().set_max_depth(max_depth);
        self
    }

    /// The same door, where it is counted which lines each case runs.
    pub(crate) fn counting(mut self, lines: Option<&'static Lines>) -> InProcess<'b, 'c> {
        self.lines = lines;
        self
    }

    /// Whether the weights are of this property, which is tried out without running its body. What
    /// it does not know may be drawn in the body.
    pub(crate) fn check_weights(&mut self) -> Result<(), WeightsError> {
        let Some(tuning) = self.tuning.clone() else { return Ok(()) };
        let checked = tuning.check_by(|seed, size| {
            self.unwatched(Input::Seed { seed, size }, Wants::Drawing);
            true
        });
        match checked {
            Err(WeightsError::AnotherGenerator { .. }) => Ok(()),
            Err(problem) if problem.may_be_rare() => Ok(()),
            checked => checked,
        }
    }

    /// Counts the choices that make these values; or says why they cannot be made. The body is run
    /// only if it draws some of them, and may be run here.
    pub(crate) fn learn(
        &mut self,
        values: &[(String, String)],
        weights: &mut Weights,
        may_run_body: bool,
    ) -> Result<(), String> {
        let mut wants = Wants::Drawing;
        let mut trial = self.unwatched(Input::Values(values), wants);
        if matches!(trial.ended, Ended::NotMade(_)) && may_run_body {
            wants = Wants::Choices;
            trial = self.unwatched(Input::Values(values), wants);
        }
        if let Ended::NotMade(reason) | Ended::Broken(reason) = trial.ended {
            return Err(reason);
        }
        if let Some(reason) = trial.without_choices {
            return Err(reason);
        }
        self.learned = Some(std::mem::take(weights));
        self.unwatched(Input::Values(values), wants);
        *weights = self.learned.take().unwrap_or_default();
        Ok(())
    }

    /// A case that does not come back is told of.
    pub(crate) fn watched(body: &'b mut Body<'c>, watch: Watch) -> InProcess<'b, 'c> {
        let case = Case::new(Source::random(0).remembering().searching_for(&SEARCH_TIME), None);
        InProcess { case, watch: Some(watch), ..InProcess::new(body) }
    }

    /// Each draw is told of, except in the hot loop. Every case begins without a memory of those
    /// before, since another process may have to make it again.
    pub(crate) fn telling(body: &'b mut Body<'c>, on_draw: fn(Draw<'_>)) -> InProcess<'b, 'c> {
        let case = Case::new(Source::random(0).searching_for(&SEARCH_TIME), None);
        InProcess { case, on_draw: Some(on_draw), ..InProcess::new(body) }
    }
}

impl Door for InProcess<'_, '_> {
    fn problem_of_weights(&mut self) -> Option<String> {
        let tuning = self.tuning.as_ref()?;
        tuning.problem().err().map(|problem| problem.to_string())
    }

    #[inline]
    fn quick(&mut self, seed: u64, size: u32) -> Turn {
        if let Some(watch) = &mut self.watch {
            watch.note(seed, size, self.case.source().leans_on_others());
        }
        self.last = (seed, size);
        self.case.restart(seed, size);
        if self.repeats(seed) {
            return self.quick_repeating(seed, size);
        }
        let thrown = panics::catch(|| (self.body)(&mut self.case));
        self.stay(&thrown);
        turn(thrown)
    }

    fn run(&mut self, input: Input<'_>, wants: Wants) -> Trial {
        if let Some(watch) = &mut self.watch {
            watch.begin(&input, wants);
        }
        let trial = self.unwatched(input, wants);
        if let Some(watch) = &mut self.watch {
            watch.end(matches!(trial.ended, Ended::Failed(_)));
        }
        trial
    }

    fn run_saved_cases(&mut self, runs_saved_cases: bool) {
        if let Some(watch) = &mut self.watch {
            watch.run_saved_cases(runs_saved_cases);
        }
    }

    fn stand_by(&mut self, standby: Option<Standby>) {
        if let Some(watch) = &self.watch {
            watch.stand_by(standby);
        }
    }

    fn update_standby(&mut self, update: &mut dyn FnMut(&mut Standby)) {
        if let Some(watch) = &self.watch {
            watch.update_standby(update);
        }
    }

    fn take_log(&mut self) -> Option<CaseLog> {
        statistics::is_touched().then(statistics::take)
    }

    fn was_cut_short(&mut self) -> bool {
        self.case.source().is_huge()
    }

    fn can_repeat(&mut self) -> bool {
        self.repeating.as_ref().is_some_and(|repeating| repeating.has_alike())
    }

    fn searched(&mut self) -> Vec<Searched> {
        self.case.source().searched()
    }

    fn filtered(&mut self) -> Vec<Filtered> {
        self.case.source().filtered()
    }
}

impl InProcess<'_, '_> {
    /// Goes on only in the process that runs the property.
    #[inline]
    fn stay(&self, thrown: &Result<Outcome, Thrown>) {
        if self.place.is_left() {
            fork::leave(if let Err(Thrown::Panic(failure)) = thrown { Some(failure) } else { None });
        }
    }

    /// Values that are given may be deeper than those that are drawn: then all of the case has more
    /// stack.
    fn unwatched(&mut self, input: Input<'_>, wants: Wants) -> Trial {
        match input.is_deep() {
            true => with_deep_stack(|| self.run_here(input, wants)),
            false => self.run_here(input, wants),
        }
    }

    fn run_here(&mut self, input: Input<'_>, wants: Wants) -> Trial {
        let mut notebook = self.spare.take().unwrap_or_default();
        notebook.wants_values = matches!(wants, Wants::Values | Wants::Observed | Wants::Arguments);
        notebook.is_observed = wants == Wants::Observed;
        notebook.ends_when_ready = matches!(wants, Wants::Arguments | Wants::Drawing);
        notebook.on_draw = self.on_draw;
        let is_needed = wants != Wants::Choices || self.on_draw.is_some();
        self.n_given = input.n_given();
        match input {
            Input::Seed { seed, size } => {
                let notebook = is_needed.then_some(notebook);
                // What the case found in its searches depends on the cases before it.
                let found = if self.last == (seed, size) { self.case.source().noted() } else { Vec::new() };
                let mut repeating = self.repeats(seed).then(|| self.take_repeating());
                let source = match &mut repeating {
                    Some(repeating) => Source::repeating(repeating, seed, true),
                    None => Source::recording(seed),
                };
                let max_depth = self.case.source().max_depth();
                let source = source.with_size(size).with_max_depth(max_depth);
                let trial = self.with(source.searching_for(&SEARCH_TIME).given(found), notebook, wants);
                // `can_repeat` asks it, also in a run that is observed.
                self.repeating = repeating.or(self.repeating.take());
                trial
            }
            Input::Choices(choices) => {
                let notebook = is_needed.then_some(notebook);
                let asked = (wants == Wants::Choices).then(|| self.asked.clone());
                let mut replay = Replay::lenient(choices);
                self.following(asked.as_ref(), Source::asking(&mut replay), notebook, wants)
            }
            Input::Exactly(choices) => {
                let mut replay = Replay::strict(choices);
                // The choices of draws in the body are left over where the body is not run.
                let runs_body = !notebook.ends_when_ready;
                let mut trial = self.with(Source::asking(&mut replay), Some(notebook), wants);
                if !matches!(trial.ended, Ended::NotMade(_)) {
                    match replay.finish() {
                        Ok(left_over) if runs_body && left_over > 0 => {
                            trial.ended = Ended::NotMade(format!("{left_over} choices are left over"));
                        }
                        Ok(_) => {}
                        Err(surplus) => trial.ended = Ended::NotMade(surplus),
                    }
                }
                trial
            }
            Input::Values(values) => {
                notebook.given = values.to_vec();
                notebook.wants_values = true;
                notebook.learned = self.learned.take();
                let trial = self.with(Source::recording(0), Some(notebook), wants);
                unused_name(values, trial)
            }
            Input::Example(example) => {
                notebook.example = Some(example);
                self.with(Source::recording(0), Some(notebook), wants)
            }
            Input::Next(odometer) => self.with(Source::asking(odometer).limited(), Some(notebook), wants),
            Input::Nth(place) => self.nth(place, notebook, wants),
            Input::Reroll { choices, position, seed } => {
                notebook.rerolled = Some((position, Rng::new(seed)));
                self.with(Source::asking(&mut Replay::lenient(choices)), Some(notebook), wants)
            }
            Input::Remade { choices, edit } => {
                notebook.remaking = Some(match edit {
                    Some((position, text)) => Remaking::Reads { position, text: text.to_owned() },
                    None => Remaking::All,
                });
                self.with(Source::asking(&mut Replay::lenient(choices)), Some(notebook), wants)
            }
        }
    }

    /// Whether the case of a seed repeats values. What is drawn by weights does not.
    #[inline(always)]
    fn repeats(&self, seed: u64) -> bool {
        repeats_values(seed) && self.tuning.is_none()
    }

    fn take_repeating(&mut self) -> Box<Repeating> {
        self.repeating.take().unwrap_or_else(|| Box::new(Repeating::new()))
    }

    #[inline(never)]
    fn quick_repeating(&mut self, seed: u64, size: u32) -> Turn {
        let mut repeating = self.take_repeating();
        let max_depth = self.case.source().max_depth();
        let source = Source::repeating(&mut repeating, seed, false).with_size(size).with_max_depth(max_depth);
        let mut case = Case::new(source.searching_for(&SEARCH_TIME), None);
        self.case.source().exchange_searches(case.source());
        let thrown = panics::catch(|| (self.body)(&mut case));
        self.stay(&thrown);
        let turn = turn(thrown);
        self.case.source().exchange_searches(case.source());
        drop(case);
        self.repeating = Some(repeating);
        turn
    }

    fn nth(&mut self, place: u64, mut notebook: Box<Notebook>, wants: Wants) -> Trial {
        let mut in_order = self.in_order.take().filter(|in_order| in_order.is_before(place)).unwrap_or_default();
        if wants == Wants::Drawing {
            in_order = InOrder::asking_little(place);
        }
        match in_order.answers(place, self.body, self.has_free_arguments) {
            Ok(Some(answers)) => {
                self.in_order = Some(in_order);
                notebook.knows_arguments_only = true;
                self.with(Source::knowing(&mut KnownAnswers::new(&answers), true), Some(notebook), wants)
            }
            Ok(None) => Trial::without(Ended::NoCase { is_over: true }),
            Err(_) => Trial::without(Ended::NoCase { is_over: false }),
        }
    }

    fn with(&mut self, source: Source<'_>, notebook: Option<Box<Notebook>>, wants: Wants) -> Trial {
        self.following(None, source, notebook, wants)
    }

    fn following(
        &mut self,
        before: Option<&Asked>,
        source: Source<'_>,
        notebook: Option<Box<Notebook>>,
        wants: Wants,
    ) -> Trial {
        let mut case = Case::new(source, notebook).tuned(self.tuning.clone()).given(self.n_given);
        let is_observed = matches!(wants, Wants::Values | Wants::Observed);
        let lines = self.lines.filter(|_| is_observed);
        if let Some(lines) = lines {
            lines.reset();
        }
        if is_observed {
            case.start_stopwatch();
        }
        let log = statistics::begin(wants == Wants::Values);
        let watch = FunctionWatch::begin(before);
        let thrown = panics::quietly(wants == Wants::Values, || panics::catch(|| (self.body)(&mut case)));
        self.stay(&thrown);
        let times = case.stop_stopwatch();
        let covered = lines.map(Lines::covered);
        let was_cut_short = case.source().is_huge();
        let functions = watch.end();
        let mut ended = ended(thrown);
        let noted = self.take_log();
        drop(log);
        let (mut choices, mut notebook) = case.into_parts();
        if matches!(ended, Ended::Failed(_)) && !functions.is_empty() {
            self.asked = functions::asked(&functions);
            let settled = functions::settled(choices.clone(), &functions);
            // What a drawn function does is known only now: the values are those of a run with what
            // it was asked.
            if functions::has_drawn(&functions) && wants == Wants::Values && settled != choices {
                let again = self.unwatched(Input::Choices(&settled), wants);
                if matches!(again.ended, Ended::Failed(_)) {
                    return again;
                }
            }
            choices = settled;
        }
        let log = noted;
        let mut values = std::mem::take(&mut notebook.values);
        if let (Ended::Broken(problem), Some(name)) = (&mut ended, &notebook.drawing) {
            *problem += &format!("\nit was to be `{name}`");
            for (name, text) in &values {
                *problem += &format!("\n    let {name} = {text};");
            }
        }
        if let (Ended::Failed(_), Some(name)) = (&ended, &notebook.drawing) {
            values.push((name.clone(), regressions::UNDRAWN[0].to_owned()));
        }
        self.learned = notebook.learned.take();
        let (without_choices, was_ready) = (notebook.without_choices.take(), notebook.was_ready);
        let draws_in_body = notebook.draws_in_body;
        notebook.clear();
        self.spare = Some(notebook);
        Trial { ended, choices, values, log, without_choices, was_ready, draws_in_body, was_cut_short, times, covered }
    }
}

impl Trial {
    /// Whether it failed at the same place, in the same kind.
    pub(crate) fn has_failed_like(&self, like: &Failure) -> bool {
        matches!(&self.ended, Ended::Failed(failure) if failure.is_at_site_of(like))
    }

    /// Nothing was run.
    pub(super) fn without(ended: Ended) -> Trial {
        Trial {
            ended,
            choices: Choices::default(),
            values: Vec::new(),
            log: None,
            without_choices: None,
            was_ready: false,
            draws_in_body: false,
            was_cut_short: false,
            times: Times::default(),
            covered: None,
        }
    }
}

/// Whether the case of a seed repeats values: one in five does. See [`Repeating`]. Sizes come in
/// turns of four, so both small and large cases do.
#[inline(always)]
pub(crate) fn repeats_values(seed: u64) -> bool {
    seed.is_multiple_of(5)
}

#[inline(always)]
fn turn(thrown: Result<Outcome, Thrown>) -> Turn {
    match thrown {
        Ok(outcome) if outcome.is_passed() => match statistics::is_touched() {
            true => Turn::Logged,
            false => Turn::Quiet,
        },
        other => Turn::ended(ended(other)),
    }
}

#[cold]
#[inline(never)]
fn ended(result: Result<Outcome, Thrown>) -> Ended {
    match result {
        Ok(outcome) => match outcome.into_complaint() {
            None => Ended::Passed,
            Some(complaint) => Ended::Failed(Box::new(Failure::returned(&complaint))),
        },
        Err(Thrown::Panic(failure)) => Ended::Failed(Box::new(failure)),
        Err(Thrown::Interruption(payload)) => match payload.downcast::<Interruption>() {
            Ok(interruption) => match *interruption {
                Interruption::NotInOrder => Ended::NoCase { is_over: false },
                Interruption::NotRead { name, text, problem } => {
                    Ended::NotMade(format!("`{name} = {}` cannot be read: {problem}", report::cut(&text, 120)))
                }
                Interruption::NotGiven { name, given } if given.concat().is_empty() => Ended::NotMade(format!(
                    "no value is given for `{name}`: a single value without a name is for a property of one argument"
                )),
                Interruption::NotGiven { name, given } => {
                    let given = given.join("`, `");
                    Ended::NotMade(format!("no value is given for `{name}`, but for `{given}`"))
                }
                // A replay does not search, and what was satisfied before may be again; but a
                // condition that never was is a mistake.
                Interruption::Stopped(
                    Why::NoneFound { place, runs: 1, .. } | Why::NoneFound { place, valid: 1.., .. },
                ) => Ended::Discarded { place: place.to_string(), text: CONDITION.to_owned(), why: None },
                Interruption::Stopped(Why::FilteredOut { place, refused }) => Ended::Discarded {
                    place: place.to_string(),
                    text: "a filter".to_owned(),
                    why: Some(format!("it refused {refused} values in a row")),
                },
                Interruption::Stopped(why @ Why::Misfit(_)) => Ended::NotMade(why.to_string()),
                Interruption::Stopped(why) => Ended::Broken(generator_problem(&why.to_string())),
                Interruption::Misused(problem) => Ended::Broken(problem),
            },
            Err(payload) => match payload.downcast::<Discarded>() {
                Ok(discarded) => {
                    let Discarded { place, text, why } = *discarded;
                    Ended::Discarded { place: place.to_string(), text: text.to_owned(), why }
                }
                Err(_) => Ended::Broken("a case was interrupted by something unknown".to_owned()),
            },
        },
    }
}

pub(crate) fn generator_problem(problem: &str) -> String {
    format!("a generator cannot make a value: {problem}")
}

/// A name among the given values that nothing asked for is a mistake, and must not be passed over.
fn unused_name(given: &[(String, String)], trial: Trial) -> Trial {
    // A body that failed may not have come to all of its draws.
    if !matches!(trial.ended, Ended::Passed | Ended::Discarded { .. }) {
        return trial;
    }
    let drawn = |name: &String| name.is_empty() || trial.values.iter().any(|(drawn, _)| drawn == name);
    let Some((unknown, _)) = given.iter().find(|(name, _)| !drawn(name)) else { return trial };
    let mut names = String::new();
    for (name, _) in &trial.values {
        let before = if names.is_empty() { "" } else { ", " };
        names += &format!("{before}`{name}`");
    }
    let names = if names.is_empty() { "nothing" } else { &names };
    let ended = Ended::NotMade(format!("a value is given for `{unknown}`, but the property draws {names}"));
    Trial { ended, ..trial }
}
