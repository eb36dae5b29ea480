//! The door into a child process of the same program, which may abort, overflow its stack, exit or
//! never come back.
//!
//! A case that ends its process takes what it has drawn along. So the worker tells each draw as it
//! is made, and the parent keeps it: the choices and values of such a case are those it was told
//! of. Only if the process ends *within* a draw are its choices not known; then they are those that
//! were to be replayed, or, if there are none, the case is reported without being shrunk.
//!
//! The hot loop sends its cases in rows, and is told of none that passed in silence. If a row ends
//! its process, the cases that were not heard of are run again one by one.

mod child;
mod connection;
mod death;
mod launch;
mod wire;
mod worker;

pub(crate) use child::Child;
pub(crate) use death::signal_name;
pub(crate) use launch::{Launch, Role, is_inside_a_case, is_own_program, is_worker, role};
pub(crate) use wire::KeptInput;
pub(crate) use worker::serve;

use super::failure::Failure;
use super::hang::{Deadline, Standby};
use super::regressions;
use super::run::Context;
use super::statistics::CaseLog;
use super::trial::{Door, Ended, Input, Trial, Turn, Wants};
use crate::choice::Choices;
use crate::source::Odometer;
use child::Heard;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use wire::{Answer, Drew, Quick, Request};

/// How long a process may take to reach the property. A test may have something to do before.
const LONGEST_START: Duration = Duration::from_secs(20);

/// A property whose cases run in a child process.
pub(crate) struct Isolated {
    launch: Launch,
    timeout: Duration,
    /// How long a run may take while a failure is pursued.
    deadline: Deadline,
    is_pursuing: bool,
    renews_after_failures: bool,
    /// None after it ended.
    child: Option<Child>,
    /// Cases that were announced, and are not answered yet.
    upcoming: Vec<(u64, u32)>,
    /// How the cases ended that are run already.
    answers: VecDeque<Quick>,
    log: Option<CaseLog>,
    was_cut_short: bool,
    /// What the last failing case printed, of which the values were wanted.
    printed: String,
}

impl Isolated {
    pub(crate) fn start(context: &Context<'_>) -> Result<Isolated, String> {
        if launch::is_inside_a_case() {
            return Err(
                "`isolate` does not work for a property that is run inside a case of another: isolate the outer one"
                    .to_owned(),
            );
        }
        let mut launch = Launch::of(context.definition);
        let child = Child::start(&mut launch, LONGEST_START)?;
        Ok(Isolated {
            launch,
            timeout: context.settings.timeout,
            deadline: Deadline::default(),
            is_pursuing: false,
            renews_after_failures: false,
            child: Some(child),
            upcoming: Vec::new(),
            answers: VecDeque::new(),
            log: None,
            was_cut_short: false,
            printed: String::new(),
        })
    }
}

impl Door for Isolated {
    fn announce(&mut self, cases: &mut dyn Iterator<Item = (u64, u32)>) {
        self.answers.clear();
        self.upcoming.clear();
        for case in cases {
            self.upcoming.push(case);
        }
    }

    fn quick(&mut self, seed: u64, size: u32) -> Turn {
        if self.answers.is_empty() {
            let announced = std::mem::take(&mut self.upcoming);
            let row = if announced.first() == Some(&(seed, size)) { &announced[..] } else { &[(seed, size)] };
            if let Err(problem) = self.run_row(row) {
                return Turn::ended(Ended::Broken(problem));
            }
        }
        match self.answers.pop_front() {
            Some(Quick::Passed(count)) => {
                if count > 1 {
                    self.answers.push_front(Quick::Passed(count - 1));
                }
                Turn::Quiet
            }
            Some(Quick::Ended(ended, log)) => {
                self.log = log;
                Turn::ended(ended)
            }
            None => Turn::ended(Ended::Broken("the worker has run no case".to_owned())),
        }
    }

    fn run(&mut self, mut input: Input<'_>, wants: Wants) -> Trial {
        let mut journal = Journal::default();
        let started = Instant::now();
        let (end, odometer) = match self.run_one(&input, wants, &mut journal) {
            Ok(RunEnd::Answered(trial, odometer)) => (Ok(*trial), odometer),
            Ok(RunEnd::Died(failure)) => (Err(failure), None),
            Err(problem) => return journal.into_trial(Ended::Broken(problem), &input),
        };
        if let (Input::Next(turned), Some(odometer)) = (&mut input, odometer) {
            **turned = odometer;
        }
        let printed = std::mem::take(&mut journal.printed);
        let trial = end.unwrap_or_else(|failure| journal.into_trial(Ended::Failed(Box::new(failure)), &input));
        // A run that was ended at its deadline says nothing of how long failing runs take.
        if matches!(&trial.ended, Ended::Failed(failure) if !self.is_pursuing || failure.kind != death::TIMEOUT) {
            self.deadline.note(started.elapsed());
        }
        if wants == Wants::Values {
            self.printed = if matches!(trial.ended, Ended::Failed(_)) { printed } else { String::new() };
        }
        trial
    }

    fn renew(&mut self) -> bool {
        self.child = None;
        true
    }

    fn renew_after_failures(&mut self) {
        self.renews_after_failures = true;
    }

    fn stand_by(&mut self, standby: Option<Standby>) {
        self.is_pursuing = standby.is_some();
    }

    fn take_log(&mut self) -> Option<CaseLog> {
        self.log.take()
    }

    fn was_cut_short(&mut self) -> bool {
        self.was_cut_short
    }
}

enum RunEnd {
    Answered(Box<Trial>, Option<Odometer>),
    /// The process ended, or the time was over.
    Died(Failure),
}

impl Isolated {
    /// Takes the worker out; whoever finds it alive at the end puts it back.
    fn take_child(&mut self) -> Result<Child, String> {
        match self.child.take() {
            Some(child) => Ok(child),
            None => Child::start(&mut self.launch, LONGEST_START),
        }
    }

    /// An error is a problem of the isolation, not of the case.
    fn run_one(&mut self, input: &Input<'_>, wants: Wants, journal: &mut Journal) -> Result<RunEnd, String> {
        let mut child = self.take_child()?;
        // A process that is gone is found to be so when it does not answer.
        let _ = child.send(&Request::Run(KeptInput::of(input), wants));
        // A case that was run before hardly hangs, but its values and its backtrace may take long.
        let is_known = wants == Wants::Values && !matches!(input, Input::Reroll { .. });
        let longest = if self.is_pursuing && !is_known { self.deadline.get(self.timeout) } else { self.timeout };
        let end = journal.listen(&mut child, longest)?;
        journal.printed = child.printed();
        if let RunEnd::Answered(trial, _) = &end {
            let is_over = self.renews_after_failures && matches!(trial.ended, Ended::Failed(_));
            self.child = (!is_over).then_some(child);
        }
        Ok(end)
    }

    /// Runs cases up to the first that is neither passed nor discarded; `answers` has at least one
    /// more afterwards.
    fn run_row(&mut self, row: &[(u64, u32)]) -> Result<(), String> {
        let mut row = row;
        let Some(failure) = self.run_row_at_once(&mut row)? else { return Ok(()) };
        if row.len() <= 1 {
            self.answers.push_back(Quick::Ended(Ended::Failed(Box::new(failure)), None));
            return Ok(());
        }
        for case in row.chunks(1) {
            if let Some(failure) = self.run_row_at_once(&mut { case })? {
                self.answers.push_back(Quick::Ended(Ended::Failed(Box::new(failure)), None));
                return Ok(());
            }
            if matches!(self.answers.back(), Some(Quick::Ended(Ended::Failed(_), _))) {
                return Ok(());
            }
        }
        let failure = death::of_row(failure, row.len());
        self.answers.pop_back();
        self.answers.push_back(Quick::Ended(Ended::Failed(Box::new(failure)), None));
        Ok(())
    }

    /// Runs cases; those that were not heard of are left in `row`, if the process ended.
    fn run_row_at_once(&mut self, row: &mut &[(u64, u32)]) -> Result<Option<Failure>, String> {
        let mut child = self.take_child()?;
        let _ = child.send(&Request::Quick(row.to_vec()));
        loop {
            // Each case has its time, and what was heard last may have been said that much before
            // it began.
            match child.hear(self.timeout.saturating_add(worker::INTERVAL)) {
                Heard::Answer(Answer::Quick { results, is_last, was_cut_short }) => {
                    for result in results {
                        let count = if let Quick::Passed(count) = result { count as usize } else { 1 };
                        *row = row.get(count..).unwrap_or_default();
                        self.answers.push_back(result);
                    }
                    if is_last {
                        self.was_cut_short = was_cut_short;
                        self.child = Some(child);
                        return Ok(None);
                    }
                }
                other => return failure_of(&mut child, other, self.timeout).map(Some),
            }
        }
    }
}

impl Drop for Isolated {
    fn drop(&mut self) {
        // Where the test harness shows it with the report.
        print!("{}", self.printed);
    }
}

/// The failure of a case that was not answered.
fn failure_of(child: &mut Child, heard: Heard, timeout: Duration) -> Result<Failure, String> {
    match heard {
        Heard::Ended(status) if status.code() == Some(worker::LOST) => Err(
            "`isolate` has lost its process: a case has closed the connection to it, with all other descriptors perhaps\n\
             close only those that the body has opened; or do without `isolate`"
                .to_owned(),
        ),
        Heard::Ended(status) => Ok(death::of_process(status, &child.printed(), &child.last_lines(5, 2))),
        Heard::Nothing => Ok(death::of_time(timeout, &child.last_lines(5, 2))),
        Heard::Answer(_) | Heard::Garbled => {
            Err("the worker's answer cannot be read: the case has written to a descriptor that is not its own"
                .to_owned())
        }
    }
}

/// What is known of a case that has not ended yet.
#[derive(Default)]
pub(crate) struct Journal {
    /// What is being drawn just now.
    drawing: Option<String>,
    draws_in_body: bool,
    choices: Choices,
    values: Vec<(String, String)>,
    without_choices: Option<String>,
    printed: String,
}

impl Journal {
    /// Asks a worker for the values of a case that does not end. Returns also whether these may be
    /// all of them. The body runs too, since it may draw.
    pub(crate) fn of_case(child: &mut Child, input: &Input<'_>, longest: Duration) -> (Trial, bool) {
        let mut journal = Journal::default();
        let _ = child.send(&Request::Run(KeptInput::of(input), Wants::Values));
        if let Ok(RunEnd::Answered(trial, _)) = journal.listen(child, longest) {
            return (*trial, true);
        }
        let (is_drawing, draws_in_body) = (journal.drawing.is_some(), journal.draws_in_body);
        let mut trial = journal.into_trial(Ended::Passed, input);
        if let Some((_, text)) = trial.values.last_mut().filter(|_| is_drawing) {
            "<this was still being drawn>".clone_into(text);
            // It is among those that may be missing.
            trial.without_choices.take_if(|_| draws_in_body && matches!(input, Input::Next(_)));
        }
        (trial, !draws_in_body)
    }

    /// Until the run has ended, one way or the other.
    fn listen(&mut self, child: &mut Child, longest: Duration) -> Result<RunEnd, String> {
        let started = Instant::now();
        loop {
            match child.hear(longest.saturating_sub(started.elapsed())) {
                Heard::Answer(Answer::Drawing { name, is_in_body }) => {
                    self.drawing = Some(name);
                    self.draws_in_body |= is_in_body;
                }
                Heard::Answer(Answer::Drew(drew)) => self.note(drew),
                Heard::Answer(Answer::Run(trial, odometer)) => return Ok(RunEnd::Answered(trial, odometer)),
                other => return failure_of(child, other, longest).map(RunEnd::Died),
            }
        }
    }

    fn note(&mut self, drew: Drew) {
        self.drawing = None;
        self.values.extend(drew.value);
        self.without_choices = drew.without_choices;
        self.choices.append(drew.choices);
    }

    /// The case as far as it is known.
    fn into_trial(self, ended: Ended, input: &Input<'_>) -> Trial {
        let Journal { drawing, mut choices, mut values, mut without_choices, .. } = self;
        if let Some(name) = drawing {
            match input {
                Input::Choices(replayed) | Input::Exactly(replayed) => choices = (*replayed).clone(),
                _ => {
                    let reason = format!("the process ended while `{name}` was drawn, so its choices are not known");
                    without_choices.get_or_insert(reason);
                }
            }
            values.push((name, regressions::UNDRAWN[1].to_owned()));
        }
        Trial { choices, values, without_choices, ..Trial::without(ended) }
    }
}
