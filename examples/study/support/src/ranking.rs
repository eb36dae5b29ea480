//! Whether what is seen of a run without a fault tells which generator finds more faults.

use crate::{Fault, Quality, Task};
use retrospect_stats::read::Follower;
use retrospect_stats::summary::{Store, View, WarningKind};
use std::process::{Child, Command, Stdio};

/// The number of cases that a run has at least by default.
const CASES: u64 = 100;
/// The number of runs with each fault.
const SEEDS: u64 = 5;
/// The number of cases of the run that is looked at.
const CASES_SEEN: u64 = 500;

/// Measures a task, and compares the text with the one of its section in `docs/results/study.md`.
///
/// # Panics
///
/// If they differ, if a generator fails without a fault, or if a run cannot be read.
pub fn check(task: &Task, program: &str) {
    const PAGE: &str = include_str!("../../../../docs/results/study.md");
    let measured = measure(task, program);
    println!("{measured}");
    let is_there = PAGE.replace("\r\n", "\n").contains(&measured);
    assert!(is_there, "docs/results/study.md has other figures for {}. They are:\n\n{measured}", task.name);
}

/// The tables of a task: the generators, and the faults.
fn measure(task: &Task, program: &str) -> String {
    let mut faults = Vec::new();
    for (kind, names) in [("shown", task.shown), ("held out", task.held_out)] {
        for (number, name) in names.iter().enumerate() {
            let fault = if kind == "shown" { Fault::Shown(number) } else { Fault::HeldOut(number) };
            let found = Quality::ALL.map(|quality| runs_that_fail(program, quality, fault));
            faults.push((kind, *name, found));
        }
    }
    let mut text = "| generator | shown, found | held out, found | variety | tested | distinct | warnings |\n\
                    | --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    let mut seen = Vec::new();
    let mut found = [Vec::new(), Vec::new()];
    for (at, quality) in Quality::ALL.into_iter().enumerate() {
        assert_eq!(
            runs_that_fail(program, quality, Fault::None),
            0,
            "{} {} without a fault",
            task.name,
            quality.name()
        );
        let view = view(task, quality, program);
        let is_announced = view.warnings.iter().any(|warning| warning.kind == WarningKind::Discards);
        assert!(is_announced || view.counts.discarded * 2 <= view.counts.generated, "{:?}", view.warnings);
        let mut cells = Vec::new();
        for (kind, found) in ["shown", "held out"].into_iter().zip(&mut found) {
            let of_kind: Vec<u64> = faults.iter().filter(|fault| fault.0 == kind).map(|fault| fault.2[at]).collect();
            found.push(of_kind.iter().sum::<u64>() as f64);
            cells.push(format!("{} of {}", of_kind.iter().sum::<u64>(), of_kind.len() as u64 * SEEDS));
        }
        let variety = variety(&bars(&view), view.counts.distinct, view.counts.generated);
        seen.push(variety);
        text += &format!(
            "| {} | {} | {variety:.2} | {} of {} | {} | {} |\n",
            quality.name(),
            cells.join(" | "),
            view.counts.passed,
            view.counts.generated,
            view.counts.distinct,
            warnings(&view),
        );
    }
    let [shown, held_out] = found.map(|found| match rank_correlation(&seen, &found) {
        Some(correlation) => format!("{correlation:.2}"),
        None => "not defined".to_owned(),
    });
    text += &format!("\nRank correlation of variety with faults found: {shown} shown, {held_out} held out.\n\n");
    text += "| fault | | good | flawed | poor |\n| --- | --- | --- | --- | --- |\n";
    for (kind, name, [good, flawed, poor]) in faults {
        text += &format!("| {kind} | {name} | {good} | {flawed} | {poor} |\n");
    }
    text
}

/// The number of runs that fail. They run at the same time.
fn runs_that_fail(program: &str, quality: Quality, fault: Fault) -> u64 {
    let start = |seed| {
        let mut command = command(program, quality, seed, CASES);
        match fault {
            Fault::None => {}
            Fault::Shown(number) => drop(command.args(["--shown", &number.to_string()])),
            Fault::HeldOut(number) => drop(command.args(["--held-out", &number.to_string()])),
        }
        command.env("RETROSPECT_ALLOW", "discards").stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    };
    let fails = |child: Child| {
        let output = child.wait_with_output().expect("the program ends");
        match output.status.code() {
            Some(0) => 0,
            Some(1) => 1,
            _ => panic!("{output:?}"),
        }
    };
    let children: Vec<Child> = (1..=SEEDS).map(start).collect();
    children.into_iter().map(fails).sum()
}

/// A run of a program that spends no time on a smaller case, on what varies in it, or on a
/// backtrace.
fn command(program: &str, quality: Quality, seed: u64, cases: u64) -> Command {
    let mut command = Command::new(program);
    command.arg(quality.name()).env("RETROSPECT_SEED", seed.to_string()).env("RETROSPECT_CASES", cases.to_string());
    command.env("RETROSPECT_SHRINK_TIME", "0ms").env("RUST_BACKTRACE", "0");
    command
}

/// What a person sees of a run without a fault.
fn view(task: &Task, quality: Quality, program: &str) -> View {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = command(program, quality, 1, CASES_SEEN);
    // How long a case takes differs from run to run.
    command.env("RETROSPECT_OBSERVE", folder.path()).env("RETROSPECT_ALLOW", "slow");
    let output = command.output().expect("the program starts");
    // A run that discards nearly everything is a failure of its own.
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() || report.contains("too little was tested"), "{output:?}");
    let mut store = Store::default();
    Follower::new([folder.path().to_owned()]).read_into(&mut store);
    let run = store.latest(&format!("{}::{}", task.name, quality.name())).expect("the run was written");
    run.view(&store, &[], "", 100)
}

fn warnings(view: &View) -> String {
    let kinds: Vec<String> = view.warnings.iter().map(|warning| format!("{:?}", warning.kind).to_lowercase()).collect();
    match kinds.len() {
        0 => "0".to_owned(),
        number => format!("{number}: {}", kinds.join(", ")),
    }
}

/// The heights of the bars of each feature that the test names. Discarded cases have none.
fn bars(view: &View) -> Vec<Vec<u64>> {
    let charts = view.features.iter().filter(|chart| !chart.name.starts_with("auto:"));
    charts.map(|chart| chart.bins.iter().map(|bin| bin.all).collect()).collect()
}

/// The information in the features of a case, in bits: the mean entropy of the charts, times the
/// share of the generated cases that were tested and new.
fn variety(charts: &[Vec<u64>], distinct: u64, generated: u64) -> f64 {
    let entropy = |bars: &Vec<u64>| {
        let all: u64 = bars.iter().sum();
        let share = |bar: &u64| *bar as f64 / all as f64;
        bars.iter().filter(|bar| **bar > 0).map(share).map(|share| -share * share.log2()).sum::<f64>()
    };
    charts.iter().map(entropy).sum::<f64>() / charts.len().max(1) as f64 * distinct as f64 / generated.max(1) as f64
}

/// Spearman's ρ. Equal values share their mean rank; there is no correlation if all are equal.
fn rank_correlation(first: &[f64], second: &[f64]) -> Option<f64> {
    let ranks = |values: &[f64]| -> Vec<f64> {
        let rank = |value: &f64| {
            let below = values.iter().filter(|other| *other < value).count();
            let equal = values.iter().filter(|other| *other == value).count();
            below as f64 + (equal - 1) as f64 / 2.0
        };
        values.iter().map(rank).collect()
    };
    let centred = |values: &[f64]| -> Vec<f64> {
        let ranks = ranks(values);
        let mean = ranks.iter().sum::<f64>() / ranks.len() as f64;
        ranks.iter().map(|rank| rank - mean).collect()
    };
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let (first, second) = (centred(first), centred(second));
    let size = (product(&first, &first) * product(&second, &second)).sqrt();
    (size > 0.0).then(|| product(&first, &second) / size)
}

#[cfg(test)]
mod tests {
    use super::{rank_correlation, variety};

    /// The footnote in section 5.7: by 0, 1, 2 and 3 wrong comparisons.
    #[test]
    fn wrong_comparisons_are_rank_correlations() {
        let cases = [([3.0, 2.0, 1.0], 1.0), ([2.0, 3.0, 1.0], 0.5), ([1.0, 3.0, 2.0], -0.5), ([1.0, 2.0, 3.0], -1.0)];
        for (guessed, expected) in cases {
            let correlation = rank_correlation(&guessed, &[90.0, 20.0, 10.0]).expect("no ties");
            assert!((correlation - expected).abs() < 1e-9, "{guessed:?}: {correlation}");
        }
    }

    #[test]
    fn ties_share_a_rank() {
        let correlation = rank_correlation(&[3.0, 2.0, 1.0], &[50.0, 50.0, 10.0]).expect("not all are equal");
        assert!((correlation - 0.75_f64.sqrt()).abs() < 1e-9, "{correlation}");
        let correlation = rank_correlation(&[4.0, 3.0, 2.0, 1.0], &[9.0, 5.0, 5.0, 1.0]).expect("not all are equal");
        assert!((correlation - 0.9_f64.sqrt()).abs() < 1e-9, "{correlation}");
        assert_eq!(rank_correlation(&[3.0, 2.0, 1.0], &[5.0, 5.0, 5.0]), None);
    }

    #[test]
    fn variety_is_the_mean_entropy_of_the_cases_that_are_new() {
        assert_eq!(variety(&[vec![5, 5, 5, 5]], 20, 20), 2.0);
        assert_eq!(variety(&[vec![5, 0, 5], vec![10]], 10, 10), 0.5);
        assert_eq!(variety(&[vec![5, 5]], 10, 40), 0.25);
        assert_eq!(variety(&[], 0, 0), 0.0);
    }
}
