//! Writing down what was tested: a line for each case, and what else happens in a run
//! (`RETROSPECT_OBSERVE`).
//!
//! The search hands every case to the [`Observer`], which knows no more than the trial and how it
//! was come by. Under isolation it is the parent that writes, so that the lines before a case that
//! ends its process are there. `retrospect-stats` says what the lines look like.

mod coverage;
mod evolution;
mod features;
mod steer;
mod told;

pub(crate) use coverage::Lines;
pub(crate) use evolution::Evolution;
pub(crate) use steer::steer;

use super::case::Times;
use super::report;
use super::run::Context;
use super::search::How;
use super::trial::{Ended, Trial};
use features::{Names, add_automatic, add_logged};
use retrospect_stats::{Happened, Json, Line, Status, Writer};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Writes down one run of one property.
pub(crate) struct Observer {
    notebook: SharedNotebook,
    started: Instant,
}

/// Shared with the watchdog, which writes what has gathered when a case does not come back.
#[derive(Clone)]
pub(crate) struct SharedNotebook(Arc<Mutex<Notebook>>);

struct Notebook {
    writer: Writer,
    /// What is made of the names of arguments, once for each.
    names: Vec<Names>,
    /// What the lines that a case ran are called.
    lines: Option<&'static Lines>,
    /// How long the cases took that are not written yet.
    since_written: Duration,
    /// The test, for warnings.
    test: String,
}

/// Who follows a running test does not wait longer for its lines.
const WRITTEN_EVERY: Duration = Duration::from_millis(200);

/// The text of a value is cut off here: a line is to be looked at.
const LONGEST_TEXT: usize = 1 << 16;

impl Observer {
    /// Nothing if nobody asks for it, or it cannot be done: then that is said, and the property
    /// runs as ever.
    pub(crate) fn begin(context: &Context<'_>, lines: Option<&'static Lines>) -> Option<Observer> {
        let observing = &context.settings.observing;
        // A property inside a case of another is a part of what that one tests.
        if observing.directory.is_none() && !observing.tyche || super::panics::is_watching() {
            return None;
        }
        let warn = |variable: &str, problem: &dyn std::fmt::Display| {
            let text = format!("{variable}: nothing is written down, because this cannot be written: {problem}");
            report::warn(context.definition.test_name(), &text);
        };
        let property = context.definition.saved_as();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        // Milliseconds are enough, and shorter in every line.
        let run_start = (now * 1e3).floor() / 1e3;
        let mut writer = match &observing.directory {
            None => Writer::nowhere(&property, run_start),
            Some(directory) => {
                let directory = context.directory.join(directory);
                match Writer::create(&directory, &property, run_start, std::process::id()) {
                    Ok(writer) => writer,
                    Err(problem) => {
                        warn("RETROSPECT_OBSERVE", &problem);
                        return None;
                    }
                }
            }
        };
        if observing.tyche {
            let directory = context.user_crate.root().join(Path::new(".quickcheck/observations"));
            if let Err(problem) = writer.copy_to(&directory) {
                warn("RETROSPECT_TYCHE", &problem);
            }
        }
        let notebook = Notebook {
            writer,
            names: Vec::new(),
            lines,
            since_written: Duration::ZERO,
            test: context.definition.test_name().to_owned(),
        };
        Some(Observer { notebook: SharedNotebook(Arc::new(Mutex::new(notebook))), started: Instant::now() })
    }

    fn counts_lines(&self) -> bool {
        self.notebook.lock().lines.is_some()
    }

    pub(crate) fn notebook(&self) -> SharedNotebook {
        self.notebook.clone()
    }

    /// A case was run.
    pub(crate) fn case(&self, trial: &Trial, how: &How, size: Option<u32>) {
        self.notebook.lock().case(trial, word_for(how), number_of(how), size);
    }

    /// The case that shrinking ended with.
    pub(crate) fn minimal(&self, trial: &Trial) {
        self.notebook.lock().case(trial, "minimal", None, None);
    }

    fn happened(&self, happened: Happened<'_>) {
        self.notebook.lock().writer.happened(happened);
    }
}

impl SharedNotebook {
    fn lock(&self) -> MutexGuard<'_, Notebook> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what has gathered. What goes wrong is said once.
    pub(crate) fn write(&self) {
        self.lock().write();
    }
}

impl Notebook {
    fn write(&mut self) {
        self.since_written = Duration::ZERO;
        if let Err(problem) = self.writer.flush() {
            report::warn(
                &self.test,
                &format!("not all cases are written down, because this cannot be written: {problem}"),
            );
        }
    }

    fn case(&mut self, trial: &Trial, how: &'static str, number: Option<u64>, size: Option<u32>) {
        let (status, reason) = match &trial.ended {
            Ended::Passed => (Status::Passed, String::new()),
            Ended::Discarded { place, text, why } => {
                let why = why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
                (Status::GaveUp, format!("{text} at {place}{why}"))
            }
            Ended::Failed(failure) => (Status::Failed, failure.headline()),
            // Something is wrong with the property, or all cases are over: there was none.
            Ended::NotMade(_) | Ended::Broken(_) | Ended::NoCase { .. } => return,
        };
        // What is drawn in a body may be drawn in a loop: only arguments have features of their
        // own.
        let Times { arguments: times, draws, body } = &trial.times;
        let arguments = &trial.values[..times.len().min(trial.values.len())];
        for (name, _) in arguments {
            if !self.names.iter().any(|known| known.is_of(name)) {
                self.names.push(Names::of(name));
            }
        }
        let choices = trial.choices.choice_count() as u64;
        let (mut line, end) = self.writer.line(status, &reason, &representation(&trial.values));
        let mut is_cut = false;
        for (name, text) in &trial.values {
            is_cut |= text.len() > LONGEST_TEXT;
            match self.names.iter().find(|known| known.is_of(name)) {
                // Then the representation is that of the value.
                Some(names) if trial.values.len() == 1 => line.ready_representation(names.argument()),
                Some(names) => line.ready_member(names.argument(), &Json::Text(shortened(text))),
                None => line.member(name, &Json::Text(shortened(text))),
            }
        }
        line.features(how);
        if let Some(log) = &trial.log {
            add_logged(&mut line, log);
        }
        add_automatic(&mut line, &self.names, arguments, choices);
        match (&trial.covered, self.lines) {
            (Some(covered), Some(lines)) => line.timing(Some(&lines.by_file(covered))),
            _ => line.timing(None),
        }
        for (time, (name, _)) in times.iter().zip(arguments) {
            if let Some(names) = self.names.iter().find(|known| known.is_of(name)) {
                line.ready_time(names.timing(), *time);
            }
        }
        if !draws.is_zero() {
            line.time("generate:draws", *draws);
        }
        line.ready_time(b"\"execute:test\":", *body);
        line.metadata();
        if let Some(number) = number {
            line.ready_whole(b"\"case\":", number);
        }
        line.ready_whole(b"\"choices\":", choices);
        if let Some(size) = size {
            line.ready_whole(b"\"size\":", u64::from(size));
        }
        if is_cut {
            line.member("cut", &Json::Bool(true));
        }
        if status != Status::Passed {
            tell_more(&mut line, trial);
        }
        line.end(end);
        for time in times {
            self.since_written += *time;
        }
        self.since_written += *draws + *body;
        if self.since_written >= WRITTEN_EVERY || status == Status::Failed {
            self.write();
        }
    }
}

/// What else is known of a case that did not pass.
#[cold]
fn tell_more(line: &mut Line<'_>, trial: &Trial) {
    match &trial.ended {
        Ended::Discarded { place, .. } => line.member("place", &Json::from(place.as_str())),
        Ended::Failed(failure) => {
            line.member("message", &Json::from(failure.message.as_str()));
            if let Some(place) = &failure.place {
                line.member("place", &Json::from(place.as_str()));
            }
            if let Some(backtrace) = &failure.backtrace {
                line.member("backtrace", &Json::from(&*backtrace.text()));
            }
        }
        _ => {}
    }
    let mut notes = Vec::new();
    for note in trial.log.iter().flat_map(|log| &log.notes) {
        notes.push(Json::from(note.as_str()));
    }
    if !notes.is_empty() {
        line.member("notes", &Json::List(notes));
    }
}

/// The values in one text, as `RETROSPECT_VALUE` reads them.
fn representation(values: &[(String, String)]) -> Cow<'_, str> {
    if let [(_, text)] = values {
        return shortened(text);
    }
    let mut all = String::new();
    for (name, text) in values {
        let between = if all.is_empty() { "" } else { "; " };
        let _ = write!(all, "{between}{name} = {}", shortened(text));
    }
    Cow::Owned(all)
}

fn shortened(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST_TEXT {
        return Cow::Borrowed(text);
    }
    let mut end = LONGEST_TEXT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Cow::Owned(format!("{}…", &text[..end]))
}

/// The word for it in a line.
fn word_for(how: &How) -> &'static str {
    match how {
        How::Saved(_) => "saved case",
        How::GivenValue(_) | How::GivenChoices => "given",
        How::Example(_) => "example",
        How::Boundary(_) => "boundary",
        How::Exhaustive(_) => "exhaustive",
        How::Random(_) => "random",
        How::Climbing(_) => "climbing",
        How::Meanwhile => "met while shrinking",
    }
}

/// 1-based index of the case in the search, without discarded cases.
fn number_of(how: &How) -> Option<u64> {
    match how {
        How::Boundary(number) | How::Exhaustive(number) | How::Random(number) | How::Climbing(number) => Some(*number),
        _ => None,
    }
}
