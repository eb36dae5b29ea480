//! What happens in a run that is no case.

use super::steer::Steered;
use super::{Observer, number_of, representation, word_for};
use crate::runner::finding::{Finding, Saving, Shrinking};
use crate::runner::report;
use crate::runner::run::{Context, Verdict};
use crate::runner::search::{Found, Search};
use crate::runner::statistics;
use crate::runner::trial::{Door, Ended, Input, Trial, Wants};
use retrospect_stats::Happened;
use std::borrow::Cow;

impl Observer {
    pub(crate) fn run_started(&self, context: &Context<'_>, steered: Option<Steered>) {
        let weights = context.settings.weights.as_ref().map(|file| Cow::Owned(file.display().to_string()));
        self.happened(Happened::RunStarted {
            version: env!("CARGO_PKG_VERSION").into(),
            test: context.definition.filter().into(),
            crate_directory: context.directory.display().to_string().into(),
            process: u64::from(std::process::id()),
            seed: context.seed,
            cases: context.settings.cases,
            coverage: self.counts_lines(),
            weights,
            steered: steered.as_ref().is_some_and(|steered| steered.tuning.is_some()),
        });
        if let Some(steered) = steered {
            self.happened(steered.into_event());
        }
        // Who follows the run sees that it has begun, however long the first case takes.
        self.notebook.write();
    }

    pub(crate) fn example(&self, number: usize, trial: &Trial) {
        let (status, reason) = status_of(trial);
        self.happened(Happened::Example { number: number as u64, status: status.into(), reason: reason.into() });
    }

    pub(crate) fn saved_case(&self, id: &str, trial: &Trial) {
        let (status, reason) = status_of(trial);
        self.happened(Happened::SavedCase { id: id.into(), status: status.into(), reason: reason.into() });
    }

    pub(crate) fn saved_case_not_made(&self, id: &str, reason: &str) {
        self.happened(Happened::SavedCase { id: id.into(), status: "not made".into(), reason: reason.into() });
    }

    pub(crate) fn failure_found(&self, found: &Found) {
        self.happened(Happened::FailureFound {
            how: word_for(&found.how).into(),
            case: number_of(&found.how),
            reason: found.failure.headline().into(),
            place: found.failure.place.as_deref().map(Cow::Borrowed),
            representation: representation(&found.values),
            choices: found.choices.as_ref().map(|choices| choices.choice_count() as u64),
        });
        // Shrinking may take its time.
        self.notebook.write();
    }

    /// A failure is all that it will be: its last case is the last line, too.
    pub(crate) fn pursued(&self, context: &Context<'_>, door: &mut dyn Door, finding: &Finding) {
        let found = &finding.found;
        let is_shrunk = matches!(finding.shrinking, Shrinking::Done { .. }) && found.flaky.is_none();
        if let Some(choices) = found.choices.as_ref().filter(|_| is_shrunk) {
            self.minimal(&door.run(Input::Choices(choices), Wants::Values));
        }
        let (end, steps, runs, choices_before, choices, seconds) = match &finding.shrinking {
            Shrinking::NotWanted if found.flaky.is_some() => ("flaky", 0, 0, 0, 0, 0.0),
            Shrinking::NotWanted => ("not wanted", 0, 0, 0, 0, 0.0),
            Shrinking::NotPossible(_) => ("not possible", 0, 0, 0, 0, 0.0),
            Shrinking::Done { before, after, successes, runs, took, end, .. } => {
                let end = if found.flaky.is_some() { "flaky" } else { end.word() };
                (end, *successes as u64, *runs, *before as u64, *after as u64, took.as_secs_f64())
            }
        };
        let mut irrelevant: Vec<Cow<'_, str>> = Vec::new();
        for (position, _) in &finding.irrelevant {
            if let Some((name, _)) = found.values.get(*position) {
                irrelevant.push(name.as_str().into());
            }
        }
        self.happened(Happened::ShrinkEnded {
            end: end.into(),
            steps,
            runs,
            choices_before,
            choices,
            seconds,
            representation: representation(&found.values),
            reason: found.failure.headline().into(),
            irrelevant,
            notes: found.notes.iter().map(|note| Cow::Borrowed(note.as_str())).collect(),
        });
        if let Saving::Saved(id) = &finding.saving {
            self.happened(Happened::Saved { id: id.as_str().into(), file: context.file_shown().into() });
        }
    }

    pub(crate) fn run_ended(&self, search: &Search<'_>, warnings: &[String], verdict: &Verdict) {
        let context = search.context();
        if context.settings.given.is_none() {
            for number in search.examples_run + 1..=context.definition.examples {
                let reason = "the run ended before it came to it";
                self.happened(Happened::Example {
                    number: number as u64,
                    status: "not run".into(),
                    reason: reason.into(),
                });
            }
        }
        for cover in search.statistics.covers() {
            let verdict = match cover.verdict() {
                statistics::Verdict::Met => "met",
                statistics::Verdict::Missed => "missed",
                statistics::Verdict::Undecided => "undecided",
            };
            self.happened(Happened::Cover {
                label: cover.label().into(),
                place: cover.place().to_string().into(),
                required: cover.required(),
                held_in: cover.held_in(),
                cases: cover.cases(),
                verdict: verdict.into(),
            });
        }
        for (place, text, count) in &search.discarded {
            self.happened(Happened::Discards {
                place: place.as_str().into(),
                text: text.as_str().into(),
                count: *count,
            });
        }
        for warning in warnings {
            self.happened(Happened::Health { text: warning.as_str().into() });
        }
        // Before the last event, so that what is lost can be told in it.
        self.notebook.write();
        let (verdict, report) = match verdict {
            Verdict::Passed => ("passed", ""),
            Verdict::Failed { report, is_broken: false, .. } => ("failed", report.as_str()),
            Verdict::Failed { report, .. } => ("broken", report.as_str()),
        };
        let stopped_because = match (&search.ended, verdict) {
            (_, "failed") => "a case failed".to_owned(),
            (Some(ended), _) => report::stopped_because(ended),
            (None, _) => String::new(),
        };
        let lines_lost = self.notebook.lock().writer.lines_lost();
        self.happened(Happened::RunEnded {
            verdict: verdict.into(),
            passed: search.passed,
            discarded: search.n_discarded(),
            seconds: self.started.elapsed().as_secs_f64(),
            stopped_because: stopped_because.into(),
            report: report.into(),
            lines_lost,
        });
        self.notebook.write();
    }
}

/// The word for how a case ended, and why.
fn status_of(trial: &Trial) -> (&'static str, String) {
    match &trial.ended {
        Ended::Passed => ("passed", String::new()),
        Ended::Discarded { place, text, .. } => ("gave_up", format!("{text} at {place}")),
        Ended::Failed(failure) => ("failed", failure.headline()),
        Ended::NotMade(reason) | Ended::Broken(reason) => ("not made", reason.clone()),
        Ended::NoCase { .. } => ("not made", String::new()),
    }
}
