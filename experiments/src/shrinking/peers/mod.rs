//! The other crates on the same problems, in the same program. Each makes its own starting values
//! in its own way.

mod crabcheck;
mod imperative;
mod proptest;
mod quickcheck;

use super::percent;
use super::problems::families;
use super::progress::Progress;
use crate::measure::Table;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Mutex;

/// The problems they are given, by their names in the table of all.
const PROBLEMS: [&str; 17] = [
    "reverse",
    "nested lists",
    "large union",
    "length list",
    "difference 1",
    "difference 2",
    "difference 3",
    "bound5",
    "bound5, any lengths",
    "coupling",
    "deletion",
    "distinct",
    "calculator",
    "binary heap, key from the least",
    "replacement",
    "2x + y + z = 20",
    "search tree, key 50",
];

/// How many cases each may run to find a failure.
const CASES: u32 = 20_000;

/// Runs a problem once from a seed; every call of the property is told to [`watch`]. False if the
/// problem is not written for this tool.
type Run = fn(problem: &str, seed: u64) -> bool;

const TOOLS: [(&str, Run); 5] = [
    ("proptest", proptest::run),
    ("quickcheck", quickcheck::run),
    ("chaos_theory", imperative::run_chaos_theory),
    ("crabcheck", crabcheck::run),
    ("hegeltest", imperative::run_hegeltest),
];

/// What was seen of one run.
struct Seen {
    /// The last value that failed: tools end by trying, or replaying, what they report.
    failing: Option<String>,
    /// Calls after the first that failed.
    calls: u64,
}

static SEEN: Mutex<Seen> = Mutex::new(Seen { failing: None, calls: 0 });

/// Notes a call of the property, and returns whether it fails.
fn watch(fails: bool, show: impl FnOnce() -> String) -> bool {
    let mut seen = SEEN.lock().expect("nothing panics with it");
    seen.calls += u64::from(seen.failing.is_some());
    if fails {
        seen.failing = Some(show());
    }
    fails
}

/// The section of the report.
pub(super) fn run(trials: u64) -> String {
    let mut table = Table::new(&["problem", "normal form", "tool", "starts", "reached", "results", "mean calls"]);
    let families = families();
    let problem_of =
        |name: &str| families.iter().flat_map(|family| &family.problems).find(|problem| problem.name == name);
    let mut progress = Progress::new();
    // They print, or let the panics of failing cases be printed.
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    for (place, name) in PROBLEMS.into_iter().enumerate() {
        let problem = problem_of(name).expect("every problem is in the table");
        let mut row = |tool: &str, starts: String, figures: [String; 3]| {
            let form = format!("`{}`", problem.normal_form);
            table.row([name.to_owned(), form, tool.to_owned(), starts].into_iter().chain(figures).collect());
        };
        let ours = problem.measure(trials, &mut |_| progress.say("peers", place as u64, PROBLEMS.len() as u64));
        let figures = figures(&ours.results, &problem.normal_form, ours.mean_runs());
        row("retrospect", ours.starts.to_string(), figures);
        if let Some(stored) = problem.hypothesis {
            let figures =
                [format!("{} %", stored.percent), stored.distinct.to_string(), format!("{:.1}", stored.mean_calls)];
            row("Hypothesis (stored)", String::new(), figures);
        }
        for (tool, run) in TOOLS {
            match measure(run, name, trials, &mut progress) {
                Outcome::NotWritten => {}
                Outcome::NotFound => row(tool, "0".to_owned(), ["not found".to_owned(), String::new(), String::new()]),
                Outcome::Measured { starts, results, mean_calls } => {
                    row(tool, starts.to_string(), self::figures(&results, &problem.normal_form, mean_calls));
                }
            }
        }
    }
    set_hook(hook);
    format!(
        "## Peers\n\nThe same problems with the other crates, {trials} runs each of up to {CASES} cases; *not found* if none of the first three fails. Calls of the property are counted after the \
         first that failed, discarded ones and final replays included, since a user waits for them. Normal forms are ours; a tool with another order has its own, so look at \
         the number of results too.\n\n{}\n{}",
        table.to_markdown(),
        "- proptest and hegeltest make trees by drawing a key and then what fits to its left and right.\n\
         - quickcheck: numbers from a range and the three types of trees have an `Arbitrary` of the usual kind, written by hand, with shrinking to parts; what is not \
         valid is discarded.\n\
         - chaos_theory stops reducing after the time it is set to by default.\n\
         - crabcheck has shrinkers for its own generators, not for functions that generate: the trees are left out.\n"
    )
}

fn figures(results: &BTreeMap<String, usize>, normal_form: &str, mean_calls: f64) -> [String; 3] {
    let starts: usize = results.values().sum();
    let share = results.get(normal_form).copied().unwrap_or(0) as f64 / starts.max(1) as f64;
    [percent(share), results.len().to_string(), format!("{mean_calls:.1}")]
}

enum Outcome {
    NotWritten,
    NotFound,
    Measured { starts: usize, results: BTreeMap<String, usize>, mean_calls: f64 },
}

fn measure(run: Run, problem: &str, trials: u64, progress: &mut Progress) -> Outcome {
    let (mut starts, mut results, mut calls) = (0, BTreeMap::new(), 0);
    for seed in 0..trials {
        progress.say(problem, seed, trials);
        *SEEN.lock().expect("nothing panics with it") = Seen { failing: None, calls: 0 };
        // A failure is a panic with some of them; what was seen says more.
        let is_written = catch_unwind(AssertUnwindSafe(|| run(problem, seed))).unwrap_or(true);
        if !is_written {
            return Outcome::NotWritten;
        }
        let seen = SEEN.lock().expect("nothing panics with it");
        if let Some(result) = &seen.failing {
            starts += 1;
            calls += seen.calls;
            *results.entry(result.clone()).or_default() += 1;
        } else if seed == 2 && starts == 0 {
            return Outcome::NotFound;
        }
    }
    match starts {
        0 => Outcome::NotFound,
        _ => Outcome::Measured { starts, results, mean_calls: calls as f64 / starts as f64 },
    }
}

/// The same, shown by `Debug`.
fn watch_debug(fails: bool, value: &impl std::fmt::Debug) -> bool {
    watch(fails, || format!("{value:?}"))
}
