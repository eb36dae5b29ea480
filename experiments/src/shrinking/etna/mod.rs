//! ETNA: programs with planted faults. A task is a mutant and a property that it breaks; the least
//! input that shows it is found by trying all.

pub mod bst;
pub mod stlc;

use super::measure::{first_failure, shrink};
use super::percent;
use super::progress::Progress;
use crate::measure::{Effort, Table};
use retrospect::prelude::*;
use retrospect::shrink::compare;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A mutant and a property.
pub struct Task {
    pub name: String,
    measure: Measure,
}

type Measure = Box<dyn Fn(Approach, u64, &mut dyn FnMut(u64)) -> TaskMeasured>;

/// What inputs are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    /// A generator that makes valid inputs only.
    ByConstruction,
    /// A generator of the type; what is not valid is discarded by the property.
    ByType,
}

/// What became of the trials of a task.
#[derive(Debug, Default)]
pub struct TaskMeasured {
    /// In how many trials the fault was found.
    pub trials: usize,
    /// How many ended at an input with as few constructors as possible.
    pub fewest: usize,
    /// How many ended at the least of these.
    pub at_the_minimum: usize,
    pub runs: u64,
    pub minimum: String,
    /// Where the others ended, how often, and whether our order calls that simpler than the
    /// minimum.
    pub misses: BTreeMap<String, (usize, bool)>,
}

impl Task {
    /// Shrinks from that many failures.
    pub fn measure(&self, approach: Approach, trials: u64, on_start: &mut dyn FnMut(u64)) -> TaskMeasured {
        (self.measure)(approach, trials, on_start)
    }
}

impl std::fmt::Debug for Task {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Task").field("name", &self.name).finish()
    }
}

/// The section of the report.
pub(super) fn run(effort: Effort, trials: u64) -> String {
    let mut section = String::from(
        "## ETNA\n\n\
         Each task is a mutant and a property it breaks. The minimum is found by trying all inputs in the order of their number of constructors; of those with the \
         fewest, it is the first in our order. *By construction*: the generator makes valid inputs only. *By type*: it makes any, and the property discards \
         those that are not valid. Goal: 90 % at the minimum. Published (`alpaylan/shrinking-evaluation`, Haskell), by construction: QuickCheck 38 % of the trials \
         for the trees and 23 % for the terms, Hedgehog 20 % and 0 %, falsify 10 % and 4 %.\n\n",
    );
    let mut table = Table::new(&[
        "workload",
        "tasks",
        "trials",
        "fewest constructors",
        "at the minimum",
        "tasks always there",
        "mean runs",
    ]);
    let mut misses = Table::new(&["task", "inputs", "at the minimum", "minimum", "instead", "simpler in our order"]);
    let mut not_found = Vec::new();
    // To see that it works, a few tasks are enough.
    let step = if effort == Effort::Quick { 9 } else { 1 };
    for (workload, tasks) in [("search trees", bst::tasks()), ("lambda terms", stlc::tasks())] {
        let tasks: Vec<Task> = tasks.into_iter().step_by(step).collect();
        for (approach, how) in [(Approach::ByConstruction, "by construction"), (Approach::ByType, "by type")] {
            let mut cells = vec![format!("{workload}, {how}")];
            cells.extend(row(how, &tasks, approach, trials, &mut misses, &mut not_found));
            table.row(cells);
        }
    }
    section.push_str(&table.to_markdown());
    if !not_found.is_empty() {
        let _ = write!(section, "\nNot found in every trial, within 200,000 draws: {}.\n", not_found.join(", "));
    }
    let _ = write!(
        section,
        "\nTasks that are not always at the minimum, with the most frequent other result:\n\n{}",
        misses.to_markdown()
    );
    section
}

/// What the tasks come to, and where they ended elsewhere.
fn row(
    how: &str,
    tasks: &[Task],
    approach: Approach,
    trials: u64,
    misses: &mut Table,
    not_found: &mut Vec<String>,
) -> Vec<String> {
    let mut progress = Progress::new();
    let (mut found, mut fewest, mut at_the_minimum, mut always, mut runs) = (0, 0, 0, 0, 0);
    for (place, task) in tasks.iter().enumerate() {
        let mut say = |_| progress.say(&task.name, place as u64, tasks.len() as u64);
        let measured = task.measure(approach, trials, &mut say);
        found += measured.trials;
        fewest += measured.fewest;
        at_the_minimum += measured.at_the_minimum;
        always += usize::from(measured.at_the_minimum == measured.trials);
        runs += measured.runs;
        if (measured.trials as u64) < trials {
            not_found.push(format!("{} {how} ({} of {trials})", task.name, measured.trials));
        }
        let most_frequent = measured.misses.iter().max_by_key(|(_, (often, _))| *often);
        if let Some((result, (often, is_simpler))) = most_frequent {
            misses.row(vec![
                task.name.clone(),
                how.to_owned(),
                format!("{} of {}", measured.at_the_minimum, measured.trials),
                format!("`{}`", measured.minimum),
                format!("{often} × `{result}`"),
                if *is_simpler { "yes" } else { "no" }.to_owned(),
            ]);
        }
    }
    vec![
        tasks.len().to_string(),
        found.to_string(),
        percent(fewest as f64 / found.max(1) as f64),
        percent(at_the_minimum as f64 / found.max(1) as f64),
        always.to_string(),
        format!("{:.1}", runs as f64 / found.max(1) as f64),
    ]
}

/// Measures a task. `least` are all the inputs of the least size that fail; the minimum is the one
/// of them that our order puts first.
fn measure_task<G: Generator>(
    generator: &G,
    fails: impl Fn(&G::Value) -> bool,
    size: fn(&G::Value) -> usize,
    least: &[G::Value],
    trials: u64,
    on_start: &mut dyn FnMut(u64),
) -> TaskMeasured {
    let choices_of = |value| generator.choices_of(value).unwrap_or_else(|error| panic!("{error}"));
    let minimum = least.iter().map(choices_of).min_by(compare).expect("every task can be failed");
    let fewest = size(&least[0]);
    let mut measured = TaskMeasured { minimum: format!("{:?}", generator.replay(&minimum)), ..TaskMeasured::default() };
    for seed in 0..trials {
        on_start(seed);
        let Some(start) = first_failure(generator, &fails, seed) else {
            continue;
        };
        let shrunk = shrink(generator, &start, &fails);
        let value = generator.replay(&shrunk.choices);
        measured.trials += 1;
        measured.runs += shrunk.runs - shrunk.searched;
        assert!(size(&value) >= fewest, "{value:?} is smaller than the minimum {}", measured.minimum);
        measured.fewest += usize::from(size(&value) == fewest);
        match compare(&shrunk.choices, &minimum) {
            Ordering::Equal => measured.at_the_minimum += 1,
            order => {
                let simpler = order == Ordering::Less;
                assert!(!simpler || size(&value) > fewest, "{value:?} comes before the minimum {}", measured.minimum);
                measured.misses.entry(format!("{value:?}")).or_insert((0, simpler)).0 += 1;
            }
        }
    }
    measured
}
