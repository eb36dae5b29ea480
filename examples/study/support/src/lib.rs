//! A study of what can be seen of a generator before a fault is found.
//!
//! People were shown three test suites for the same code, and asked which of them is best; how many
//! injected faults each finds was the measure (Goldstein, *Property-Based Testing for the People*,
//! section 5.7). Each crate beside this one is one of the tasks: code with faults that can be
//! turned on, a property, and three generators for it. `docs/results/study.md` has the figures.
//!
//! ```sh
//! cargo run -p study-topological-sort -- good            # the code without a fault
//! cargo run -p study-topological-sort -- flawed --shown 2
//! cargo run -p study-topological-sort -- poor --held-out 0
//! ```

#[cfg(feature = "ranking")]
pub mod ranking;

use retrospect::prelude::*;
use std::process::ExitCode;

/// One property with three generators, and code with faults.
#[derive(Debug)]
pub struct Task {
    /// The name of the crate after `study_`.
    pub name: &'static str,
    /// The faults that are older than the generators and the features of the task.
    pub shown: &'static [&'static str],
    /// The faults that were written when generators and features were fixed, by the rule in
    /// `docs/results/study.md`.
    pub held_out: &'static [&'static str],
    /// Runs the property, and returns the report if it fails.
    pub run: fn(Quality, Fault, Check) -> Option<String>,
}

/// The fault that is turned on, by its index in a list of the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The code is correct.
    None,
    /// One of `Task::shown`.
    Shown(usize),
    /// One of `Task::held_out`.
    HeldOut(usize),
}

/// How good a generator is meant to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// Valid by construction, of every size and shape.
    Good,
    /// Written by hand, with a plausible oversight.
    Flawed,
    /// What a developer writes first: the plain generators of the types, and the precondition as
    /// `assume!`.
    Poor,
}

impl Quality {
    /// The best first.
    pub const ALL: [Quality; 3] = [Quality::Good, Quality::Flawed, Quality::Poor];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Quality::Good => "good",
            Quality::Flawed => "flawed",
            Quality::Poor => "poor",
        }
    }
}

/// The program of a task. Its arguments are `good`, `flawed` or `poor`, and perhaps a fault.
pub fn main(task: &Task) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let Some((quality, fault)) = read(task, &arguments) else {
        eprintln!("usage: good|flawed|poor [--shown N | --held-out N]");
        for (option, faults) in [("--shown", task.shown), ("--held-out", task.held_out)] {
            for (number, fault) in faults.iter().enumerate() {
                eprintln!("  {option} {number}  {fault}");
            }
        }
        return ExitCode::from(2);
    };
    let check = Check::new().named(&format!("{}::{}", task.name, quality.name())).save(false);
    match (task.run)(quality, fault, check) {
        None => ExitCode::SUCCESS,
        Some(report) => {
            print!("{report}");
            ExitCode::FAILURE
        }
    }
}

fn read(task: &Task, arguments: &[&str]) -> Option<(Quality, Fault)> {
    let (first, rest) = arguments.split_first()?;
    let quality = Quality::ALL.into_iter().find(|quality| quality.name() == *first)?;
    let below = |number: &str, faults: &[&str]| number.parse().ok().filter(|number| *number < faults.len());
    let fault = match rest {
        [] => Fault::None,
        ["--shown", number] => Fault::Shown(below(number, task.shown)?),
        ["--held-out", number] => Fault::HeldOut(below(number, task.held_out)?),
        _ => return None,
    };
    Some((quality, fault))
}
