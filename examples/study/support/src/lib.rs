//! A study of what can be seen of a generator before a fault is found.
//!
//! People were shown three test suites for the same code, and asked which of them is best; how many injected faults each finds was the measure (Goldstein, *Property-Based Testing for the People*, section 5.7).
//! Each crate beside this one is one of the tasks: code with faults that can be turned on, a property, and three generators for it.
//!
//! ```sh
//! cargo run -p study-topological-sort -- good            # the code as it should be
//! cargo run -p study-topological-sort -- flawed --fault 2
//! ```

#[cfg(feature = "ranking")]
pub mod ranking;

use retrospect::prelude::*;
use std::process::ExitCode;

/// One property with three generators, and code with faults.
#[derive(Debug)]
pub struct Task {
    /// What it is called.
    pub name: &'static str,
    /// What is wrong with the code when a fault is turned on.
    pub faults: &'static [&'static str],
    /// Runs the property; the report, if it fails.
    pub run: fn(Quality, Option<usize>, Check) -> Option<String>,
}

/// How good a generator is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// Valid by construction, of every size and shape.
    Good,
    /// Valid, but something never comes.
    Flawed,
    /// Most of what it makes is of no use.
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

/// The program of a task: `good`, `flawed` or `poor`, and perhaps `--fault` and its number.
pub fn main(task: &Task) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quality =
        Quality::ALL.into_iter().find(|quality| arguments.first().is_some_and(|first| first == quality.name()));
    let fault = match arguments.get(1).map(String::as_str) {
        Some("--fault") => {
            arguments.get(2).and_then(|number| number.parse().ok()).filter(|number| *number < task.faults.len())
        }
        _ => None,
    };
    let (Some(quality), true) = (quality, arguments.len() == if fault.is_some() { 3 } else { 1 }) else {
        eprintln!("good, flawed or poor; and perhaps --fault with one of these numbers:");
        for (number, fault) in task.faults.iter().enumerate() {
            eprintln!("  {number}  {fault}");
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
