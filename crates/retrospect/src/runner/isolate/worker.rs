//! The worker's side: runs cases for its parent until that is gone.

use super::connection::{Connection, Next};
use super::launch;
use super::wire::{self, Answer, Drew, KeptInput, Quick, Request};
use crate::choice::Choices;
use crate::generator::Tuning;
use crate::runner::case::Draw;
use crate::runner::fork;
use crate::runner::observe::Lines;
use crate::runner::panics;
use crate::runner::statistics;
use crate::runner::threads;
use crate::runner::trial::{Body, Door, Ended, InProcess, Turn};
use std::io::{self, Write as _};
use std::process;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// In a long row of cases the parent hears of those that are done at least this often.
pub(super) const INTERVAL: Duration = Duration::from_millis(50);

pub(crate) fn serve(
    body: &mut Body<'_>,
    tuning: Option<Tuning>,
    has_free_arguments: bool,
    max_depth: u32,
    lines: Option<&'static Lines>,
) -> ! {
    leave_with_parent();
    let Some(mut requests) = launch::address().and_then(|address| Connection::to(&address).ok()) else {
        process::exit(0)
    };
    let _ = ANSWERS.set((Mutex::new(requests.try_clone()), fork::Place::here()));
    tell(&Answer::Hello);
    let door = InProcess::telling(body, tell_draw).tuned(tuning).counting(lines);
    let mut door = door.with_free_arguments(has_free_arguments).with_max_depth(max_depth);
    while let Next::Message(request) = requests.next(None) {
        match wire::read(&request) {
            Some(Request::Quick(cases)) => quick(&mut door, &cases),
            Some(Request::Run(mut input, wants)) => {
                let trial = door.run(input.lend(), wants);
                let odometer = if let KeptInput::Next(odometer) = input { Some(odometer) } else { None };
                tell(&Answer::Run(Box::new(trial), odometer));
            }
            None => break,
        }
    }
    process::exit(LOST)
}

/// The exit code of a worker that has lost its connection: its parent is gone, or the body has
/// closed it.
pub(super) const LOST: i32 = 113;

/// Runs cases until one is neither passed nor discarded.
fn quick(door: &mut InProcess<'_, '_>, cases: &[(u64, u32)]) {
    let mut results = Vec::new();
    let mut told = Instant::now();
    {
        let _log = statistics::begin(false);
        panics::quietly(false, || {
            for &(seed, size) in cases {
                if told.elapsed() > INTERVAL {
                    let results = std::mem::take(&mut results);
                    tell(&Answer::Quick { results, is_last: false, was_cut_short: false });
                    told = Instant::now();
                }
                let ended = match door.quick(seed, size) {
                    Turn::Quiet | Turn::Logged => Ended::Passed,
                    Turn::Ended(ended) => *ended,
                };
                let log = door.take_log();
                let goes_on = matches!(ended, Ended::Passed | Ended::Discarded { .. });
                match (ended, log, results.last_mut()) {
                    (Ended::Passed, None, Some(Quick::Passed(count))) => *count += 1,
                    (Ended::Passed, None, _) => results.push(Quick::Passed(1)),
                    (ended, log, _) => results.push(Quick::Ended(ended, log)),
                }
                if !goes_on {
                    break;
                }
            }
        });
    }
    tell(&Answer::Quick { results, is_last: true, was_cut_short: door.was_cut_short() });
}

/// Where the answers go.
static ANSWERS: OnceLock<(Mutex<Option<Connection>>, fork::Place)> = OnceLock::new();

fn tell(answer: &Answer) {
    // What was printed before is read before.
    let _ = io::stdout().flush();
    let Some((answers, place)) = ANSWERS.get() else { return };
    // What a forked child says would be taken for what this process says.
    if place.is_left() {
        return;
    }
    let line = wire::line_of(answer);
    let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
    if answers.as_mut().is_none_or(|answers| answers.send(&line).is_err()) {
        process::exit(LOST);
    }
}

fn tell_draw(draw: Draw<'_>) {
    match draw {
        Draw::Begins { name, is_in_body } => tell(&Answer::Drawing { name: name.to_owned(), is_in_body }),
        Draw::Made { value, choices: all, from, without_choices } => {
            let mut choices = Choices::default();
            choices.append_nodes(all, from..all.len());
            let (value, without_choices) = (value.cloned(), without_choices.map(str::to_owned));
            tell(&Answer::Drew(Drew { value, choices, without_choices }));
        }
    }
}

/// A case that never ends must not outlive the process that would have ended it. Between cases the
/// end of the connection says the same.
#[cfg(unix)]
fn leave_with_parent() {
    use std::os::unix::process::parent_id;
    let parent = parent_id();
    let watch = move || {
        while parent_id() == parent {
            std::thread::sleep(Duration::from_millis(200));
        }
        process::exit(0);
    };
    let _ = threads::spawn("retrospect", Box::new(watch));
}

#[cfg(not(unix))]
fn leave_with_parent() {}
