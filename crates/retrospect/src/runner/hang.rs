//! A run that does not return while a failure is pursued: the failure is reported, and the process
//! ends.
//!
//! Shrinking, explaining and the last run try cases that nobody has run before, and one of them may
//! never return. Its thread cannot be stopped. So the runner leaves a [`Standby`] with the watchdog
//! before it pursues a failure: everything that a report needs. When a run exceeds its [`Deadline`]
//! and the time after it, the watchdog reports the smallest failure so far, saves it with a mark
//! that keeps the next run from shrinking it in this way again, and ends the process.

use super::finding::{self, Finding, ShrinkEnd, Shrinking};
use super::property::Definition;
use super::report;
use super::rerun::Rerun;
use super::result_file;
use super::run::{Context, Verdict};
use super::search::Found;
use super::settings::Resolved;
use super::trial::Trial;
use super::user_crate::UserCrate;
use crate::choice::Choices;
use crate::shrink::Step;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long a run may take while a failure is pursued, by the time that failing runs took.
#[derive(Clone, Copy, Default)]
pub(crate) struct Deadline {
    slowest: Duration,
}

impl Deadline {
    /// A run that failed took this long.
    pub(crate) fn note(&mut self, took: Duration) {
        self.slowest = self.slowest.max(took);
    }

    /// At least a second, and twenty times as long as the slowest failing run; `timeout` at most.
    pub(crate) fn get(self, timeout: Duration) -> Duration {
        (self.slowest * 20).max(Duration::from_secs(1)).min(timeout)
    }
}

/// A failure that is being pursued, as it would be reported now. It borrows nothing, since another
/// thread reports it.
pub(crate) struct Standby {
    path: String,
    crate_directory: String,
    examples: usize,
    number: usize,
    settings: Resolved,
    file: PathBuf,
    seed: u64,
    rerun: Rerun,
    /// Reports of other failures of the same run.
    reports: String,
    found: Found,
    /// Where it is saved.
    saved: Option<String>,
    smallest: Option<Choices>,
    n_shrinks: usize,
    started: Instant,
    pub(super) deadline: Deadline,
}

impl Standby {
    pub(crate) fn new(context: &Context<'_>, found: &Found, reports: &str) -> Standby {
        let Definition { path, crate_directory, examples, number, .. } = *context.definition;
        Standby {
            path: path.to_owned(),
            crate_directory: crate_directory.to_owned(),
            examples,
            number,
            settings: context.settings.clone(),
            file: context.file.to_owned(),
            seed: context.seed,
            rerun: context.rerun.clone(),
            reports: reports.to_owned(),
            found: found.clone(),
            saved: found.saved.clone(),
            smallest: found.choices.clone(),
            n_shrinks: 0,
            started: Instant::now(),
            deadline: Deadline::default(),
        }
    }

    /// A smaller case that fails was found.
    pub(crate) fn improve(&mut self, step: &Step) {
        self.smallest = Some(step.choices.clone());
        self.n_shrinks += 1;
    }

    /// The case is known with its values, and saved.
    pub(crate) fn settle(&mut self, found: &Found, saved: Option<String>) {
        self.found = found.clone();
        self.saved = saved;
    }

    pub(crate) fn smallest(&self) -> Option<&Choices> {
        self.smallest.as_ref()
    }

    /// How long a run may take before it is said to hang. A run may take as long as shrinking may
    /// take as a whole. A case that was run before hardly hangs, but its values and notes may take
    /// long on a busy machine.
    pub(crate) fn max_run(&self, is_known: bool) -> Duration {
        const GRACE: Duration = Duration::from_secs(2);
        const MAX_KNOWN: Duration = Duration::from_secs(60);
        // Failing runs may take longer than `timeout`, which ends none of them here.
        let deadline = self.deadline.get(self.settings.timeout).max(self.deadline.slowest * 2);
        let max_run = self.settings.shrink_time.min(self.settings.timeout).max(deadline + GRACE);
        if is_known { max_run.max(MAX_KNOWN) } else { max_run }
    }

    /// Saves the failure, and returns its report. `smallest` is another run of the smallest case,
    /// if one was possible; `hung` is the run that does not return.
    pub(crate) fn report(mut self, smallest: Option<Trial>, hung: Hung, runs: u64) -> String {
        let first = self.found.values.clone();
        let before = self.found.choices.as_ref().map_or(0, Choices::choice_count);
        if let Some(trial) = smallest.filter(|trial| trial.has_failed_like(&self.found.failure)) {
            self.found.take(trial);
        }
        let found = self.found;
        let definition = Definition {
            path: &self.path,
            crate_directory: &self.crate_directory,
            examples: self.examples,
            number: self.number,
            has_free_arguments: true,
        };
        let user_crate = UserCrate::of(&definition);
        let context = Context {
            definition: &definition,
            settings: &self.settings,
            user_crate: &user_crate,
            directory: &user_crate.directory,
            file: &self.file,
            seed: self.seed,
            rerun: &self.rerun,
            observer: None,
        };
        let shrinking = Shrinking::Done {
            before,
            after: found.choices.as_ref().map_or(0, Choices::choice_count),
            successes: self.n_shrinks,
            runs,
            runs_in_vain: 0,
            took: self.started.elapsed(),
            end: ShrinkEnd::Hung(hung),
        };
        let saving = finding::save_unfinished(&context, &found, self.saved);
        let finding = Finding {
            found,
            shrinking,
            irrelevant: Vec::new(),
            others: Vec::new(),
            saving,
            is_readable: false,
            first,
            log: None,
        };
        let report = self.reports + &report::failed(&context, &finding);
        let facts = result_file::is_wanted().then(|| result_file::facts(&context, &finding));
        let message = finding.found.failure.message;
        result_file::tell(&definition, &Verdict::Failed { report: report.clone(), message, facts, is_broken: false });
        report
    }
}

/// A run that does not return.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hung {
    pub(crate) since: Duration,
    /// As far as they could be drawn again, or why not.
    pub(crate) values: Result<Vec<(String, String)>, String>,
}

/// The note of a saved case that must not be shrunk in the same process.
pub(crate) const NOTE: &str = "a smaller case hung: shrink it with RETROSPECT_ISOLATE=true";
