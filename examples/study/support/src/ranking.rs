//! Whether what is seen of a run without faults tells which generator finds more of them.

use crate::{Quality, Task};
use retrospect::prelude::*;
use retrospect::runner::settings::{Health, Settings};
use retrospect_stats::read::Follower;
use retrospect_stats::summary::{Store, View};
use std::process::Command;
use std::time::Duration;

const CASES: u64 = 400;
const SEEDS: u64 = 10;

/// Compares the order of the generators by figures of their runs with that by the faults they find, which must be the good, the flawed, the poor.
///
/// # Panics
///
/// If it is another.
pub fn check(task: &Task, program: &str) {
    let mut told = format!("{}:\n", task.name);
    let mut ranked = Vec::new();
    for quality in Quality::ALL {
        let found = found(task, quality);
        let view = seen(task, quality, program);
        let variety = variety(&view);
        told += &format!(
            "  {:<7} found {found:>3} of {}   variety {variety:.2}   {} of {} tested, {} distinct   {} warnings\n",
            quality.name(),
            task.faults.len() as u64 * SEEDS,
            view.counts.passed,
            view.counts.generated,
            view.counts.distinct,
            view.warnings.len(),
        );
        ranked.push((found, variety, view.warnings.len()));
    }
    println!("{told}");
    let [good, flawed, poor] = [ranked[0], ranked[1], ranked[2]];
    assert!(good.0 > flawed.0 && flawed.0 > poor.0, "by what is found:\n{told}");
    assert!(good.1 > flawed.1 && flawed.1 > poor.1, "by what is seen:\n{told}");
    assert!(good.2 == 0 && poor.2 > 0, "by what is warned of:\n{told}");
}

/// In how many of several runs with each fault it is found.
fn found(task: &Task, quality: Quality) -> u64 {
    let mut found = 0;
    for fault in 0..task.faults.len() {
        for seed in 1..=SEEDS {
            found += u64::from((task.run)(quality, Some(fault), quick(seed)).is_some());
        }
    }
    for seed in 1..=SEEDS {
        let report = (task.run)(quality, None, quick(seed));
        assert!(report.is_none(), "{} without a fault:\n{}", task.name, report.unwrap_or_default());
    }
    found
}

/// Nobody looks at the smallest case here.
fn quick(seed: u64) -> Check {
    let settings = Settings::new().cases(CASES).seed(seed).save(false).shrink_time(Duration::from_millis(1));
    Check::new().with(settings.allow(Health::Discards))
}

/// What a person sees of a run of the code as it should be.
fn seen(task: &Task, quality: Quality, program: &str) -> View {
    let folder = tempfile::tempdir().expect("a place for files");
    let mut command = Command::new(program);
    command.arg(quality.name()).env("RETROSPECT_OBSERVE", folder.path()).env("RETROSPECT_SEED", "1");
    let output = command.env("RETROSPECT_CASES", CASES.to_string()).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let mut store = Store::default();
    Follower::new([folder.path().to_owned()]).read_into(&mut store);
    let run = store.latest(&format!("{}::{}", task.name, quality.name())).expect("it ran");
    run.view(&store, &[], "", 100)
}

/// How much a case tells on average, in bits: the mean over the features that the test names, each by the share of its bars, of what is generated at all and
/// was not there before.
fn variety(view: &View) -> f64 {
    let own: Vec<_> = view.features.iter().filter(|chart| !chart.name.starts_with("auto:")).collect();
    let mut bits = 0.0;
    for chart in &own {
        let all: u64 = chart.bins.iter().map(|bin| bin.all).sum();
        for bin in chart.bins.iter().filter(|bin| bin.all > 0) {
            let share = bin.all as f64 / all as f64;
            bits -= share * share.log2();
        }
    }
    bits / own.len().max(1) as f64 * view.counts.distinct as f64 / view.counts.generated.max(1) as f64
}
