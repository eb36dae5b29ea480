//! What one case of a property that does nothing costs.

use super::{CASES, ITEMS, Tool, on_list, on_number, random};
use crate::measure::{Effort, Table};
use retrospect::prelude::*;
use retrospect::source::{Rng, Source};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// About how long one tool runs before it is the next one's turn.
pub(super) const TURN: Duration = Duration::from_millis(20);
/// How many runs of one case follow each other.
const AGAIN: usize = 20;
const ALONE: &str = "retrospect, generation alone";
const LONG: &str = "retrospect, 0 to 99 items";

pub(super) fn run(tools: &[Tool], effort: Effort) -> String {
    let goals = if cfg!(debug_assertions) {
        "The figures that are hoped for are those of optimised code; these are what a developer waits for."
    } else {
        "Goals: at most 20 ns on one `i64`; on a `Vec<i64>` the fastest of all."
    };
    let how = format!(
        "The property counts its cases and items, which takes about a nanosecond, and does nothing else. A figure is the time of a run by the cases it ran, \
         the least of {} turns of about {} ms, which the tools take one after another. A run of one case shows what a run costs however little it runs: after the other tools have had their turns, so that nothing of it is in the caches, and right after {AGAIN} others like it, as in a program with many tests. The record for crashes is on: it takes 0.2 µs of a run, measured \
         without it, and one store in each case. Lists \
         differ in length from tool to tool, so the cost of an item stands beside; ours are also told to be as long as those of quickcheck and proptest.",
        effort.rounds(),
        TURN.as_millis(),
    );
    format!("## Cost of a case\n\n{goals} {how}\n\n{}\n{}", numbers(tools, effort), lists(tools, effort))
}

fn numbers(tools: &[Tool], effort: Effort) -> String {
    let mut runners: Vec<Runner> = tools.iter().map(|tool| Runner::new(tool.name, tool.numbers)).collect();
    runners.push(Runner::new(ALONE, |cases| generate(&any::<i64>(), cases, on_number)));
    race(&mut runners, effort);
    let mut table = Table::new(&["one i64", "ns per case", "a run of one case, µs", "after others like it, µs"]);
    for runner in &runners {
        let microseconds = |nanoseconds: f64| format!("{:.1}", nanoseconds / 1000.0);
        let (cold, warm) = (microseconds(runner.cold), microseconds(runner.warm));
        table.row(vec![runner.name.to_owned(), format!("{:.1}", runner.best), cold, warm]);
    }
    table.to_markdown()
}

fn lists(tools: &[Tool], effort: Effort) -> String {
    let mut runners: Vec<Runner> = tools.iter().map(|tool| Runner::new(tool.name, tool.lists)).collect();
    let long = |cases| random(cases).run(vec_of(any::<i64>(), 0..=99), |list| on_list(&list));
    runners.insert(1, Runner::new(LONG, long));
    runners.push(Runner::new(ALONE, |cases| generate(&vec_of(any::<i64>(), ..), cases, |list| on_list(&list))));
    race(&mut runners, effort);
    let mut table = Table::new(&["vec of i64", "ns per case", "mean length", "ns per item"]);
    for Runner { name, best, mean_length, .. } in &runners {
        let item = best / mean_length;
        table.row(vec![(*name).to_owned(), format!("{best:.0}"), format!("{mean_length:.1}"), format!("{item:.1}")]);
    }
    table.to_markdown()
}

/// What takes turns.
struct Runner {
    name: &'static str,
    run: fn(u64),
    /// The cases that take about one turn.
    cases: u64,
    /// Nanoseconds for one case.
    best: f64,
    mean_length: f64,
    /// Nanoseconds for a run of one case, after the other runners' turns.
    cold: f64,
    /// The same, right after others like it.
    warm: f64,
}

impl Runner {
    fn new(name: &'static str, run: fn(u64)) -> Runner {
        Runner { name, run, cases: 1, best: f64::MAX, mean_length: 0.0, cold: f64::MAX, warm: f64::MAX }
    }

    /// One run: how long it took, how many cases it was, and how many items they had.
    fn turn(&self, cases: u64) -> (f64, u64, u64) {
        CASES.store(0, Ordering::Relaxed);
        ITEMS.store(0, Ordering::Relaxed);
        let begin = Instant::now();
        (self.run)(cases);
        let time = begin.elapsed().as_nanos() as f64;
        let counted = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        (time, counted(&CASES), counted(&ITEMS))
    }
}

fn race(runners: &mut [Runner], effort: Effort) {
    for runner in runners.iter_mut() {
        let (time, cases, _) = runner.turn(1000);
        runner.cases = (TURN.as_nanos() as f64 / (time / cases as f64)) as u64;
    }
    for _ in 0..effort.rounds() {
        for runner in runners.iter_mut() {
            runner.cold = runner.cold.min(runner.turn(1).0);
            for _ in 0..AGAIN {
                runner.warm = runner.warm.min(runner.turn(1).0);
            }
            let (time, cases, items) = runner.turn(runner.cases);
            runner.best = runner.best.min(time / cases as f64);
            runner.mean_length = items as f64 / cases as f64;
        }
    }
}

/// The values of our properties without the runner.
fn generate<G: Generator>(generator: &G, cases: u64, property: impl Fn(G::Value)) {
    let (mut seeds, mut source) = (Rng::new(7), Source::random(0));
    for _ in 0..cases {
        source.restart(seeds.next());
        property(generator.generate(&mut source).expect("these generators always make a value"));
    }
}
