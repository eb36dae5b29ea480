//! Shrinking: where it ends, and how many runs of the property that takes.

pub mod etna;
mod figure;
pub mod measure;
pub mod oracle;
pub mod package;
#[cfg(feature = "peers")]
mod peers;
pub mod problems;
mod progress;
pub mod published;
pub mod variants;

use crate::measure::{Effort, Table, machine};
use figure::{Bar, Row};
use measure::Measured;
use problems::{Family, MeasuredBy, Problem, families};
use progress::Progress;
use std::fmt::Write;
use std::path::Path;

/// What to measure.
#[derive(Clone, Debug)]
pub struct Wanted<'a> {
    /// How many starts each problem gets; ETNA's tasks and the peers get a tenth.
    pub seeds: u64,
    /// Whether to write the tables and the figure into the repository.
    pub write: bool,
    /// One more `package.json` to shrink.
    pub document: Option<&'a Path>,
}

/// Runs all measurements of the shrinker, prints their tables and, if asked to, writes them into
/// the repository.
pub fn run(effort: Effort, wanted: &Wanted<'_>) -> std::io::Result<()> {
    // A document that cannot be read or does not fail is better known before anything that takes
    // long.
    let documents = package::run(wanted.document)?;
    let seeds = if effort == Effort::Quick { wanted.seeds.min(1) } else { wanted.seeds };
    let mut report = format!(
        "# Shrinking, measured\n\nPrinted by `cargo run --release -p experiments --features peers -- shrinking --write`, with {seeds} seeds.\n\
         Machine: {}. Nothing here is a time: runs of the property are counted, those after the first that failed.\n",
        machine(),
    );
    let mut add = |section: String| {
        println!("{section}");
        let _ = write!(report, "\n{}\n", section.trim_end());
    };
    let measured: Vec<(Family, Vec<Measured>)> =
        families().into_iter().map(|family| measure_all(family, seeds)).collect();
    add(summary(&measured));
    for (family, measured) in &measured {
        add(family_section(family, measured));
    }
    add(misses(&measured));
    add(published::run(trials(seeds)));
    add(oracle::run(effort));
    add(etna::run(effort, trials(seeds)));
    add(documents);
    #[cfg(feature = "peers")]
    add(peers::run(trials(seeds)));
    if wanted.write {
        std::fs::create_dir_all("docs/results")?;
        std::fs::create_dir_all("docs/figures")?;
        std::fs::write("docs/results/shrinking.md", report.trim_end().to_owned() + "\n")?;
        std::fs::write("docs/figures/shrinking.svg", figure::draw(&rows(&measured)))?;
        println!("written to docs/results/shrinking.md and docs/figures/shrinking.svg");
    }
    Ok(())
}

/// How often a task is tried: what takes longer, and is told apart by fewer trials.
fn trials(seeds: u64) -> u64 {
    (seeds / 10).max(seeds.min(10))
}

fn measure_all(family: Family, seeds: u64) -> (Family, Vec<Measured>) {
    let mut progress = Progress::new();
    let measure = |problem: &Problem| problem.measure(seeds, &mut |seed| progress.say(problem.name, seed, seeds));
    let measured = family.problems.iter().map(measure).collect();
    (family, measured)
}

fn summary(measured: &[(Family, Vec<Measured>)]) -> String {
    let all = || measured.iter().flat_map(|(family, measured)| family.problems.iter().zip(measured));
    let at_the_normal_form = |(problem, measured): &(&Problem, &Measured)| measured.share(&problem.normal_form) == 1.0;
    let complete = all().filter(at_the_normal_form).count();
    let compared: Vec<_> = all().filter(|(problem, _)| problem.hypothesis.is_some()).collect();
    let fewer = compared.iter().filter(|(problem, measured)| {
        problem.hypothesis.is_some_and(|stored| measured.mean_runs() < stored.mean_calls)
    });
    format!(
        "![Runs and shares, ours and those of Hypothesis](../figures/shrinking.svg)\n\n\
         {complete} of {} problems end at one normal form from every start. Of the {} for which there are figures of Hypothesis, {} take fewer runs.\n",
        all().count(),
        compared.len(),
        fewer.count(),
    )
}

fn family_section(family: &Family, measured: &[Measured]) -> String {
    let mut section = format!("## {}\n\n{}\n\n", family.name, family.about);
    let has_sizes = measured.iter().any(|measured| !measured.sizes.is_empty());
    let has_other_forms = family.problems.iter().any(|problem| problem.least_elsewhere.is_some());
    let has_figures = family.problems.iter().any(|problem| problem.hypothesis.is_some());
    let has_calls = measured.iter().any(|measured| !measured.calls.is_empty());
    let mut head = vec!["problem", "starts", "normal form", "reached", "results", "mean runs", "most"];
    head.extend(has_calls.then_some("mean calls"));
    head.extend(has_sizes.then_some("mean size"));
    head.extend(has_other_forms.then_some("least elsewhere"));
    head.extend(has_figures.then_some("Hypothesis: reached, results, mean calls"));
    let mut table = Table::new(&head);
    let mut is_published = false;
    for (problem, measured) in family.problems.iter().zip(measured) {
        let mut row = vec![
            problem.name.to_owned(),
            measured.starts.to_string(),
            format!("`{}`", shortened(&problem.normal_form)),
            percent(measured.share(&problem.normal_form)),
            measured.results.len().to_string(),
            format!("{:.1}", measured.mean_runs()),
            measured.most_runs().to_string(),
        ];
        if has_calls {
            row.push(format!("{:.1}", measured.mean_calls()));
        }
        if has_sizes {
            row.push(format!("{:.2}", measured.mean_size()));
        }
        if has_other_forms {
            row.push(problem.least_elsewhere.map_or(String::new(), |form| format!("`{form}`")));
        }
        if has_figures {
            row.push(problem.hypothesis.map_or(String::new(), |stored| {
                let is_theirs = stored.measured == MeasuredBy::Publication;
                is_published |= is_theirs;
                let mark = if is_theirs { " ¹" } else { "" };
                format!("{} %, {}, {:.0}{mark}", stored.percent, stored.distinct, stored.mean_calls)
            }));
        }
        table.row(row);
    }
    section.push_str(&table.to_markdown());
    if has_figures {
        section.push_str(
            "\nHypothesis 6.170.15, measured on the same problems from 50 to 100 seeds, calls after the first failure; its starts are its own.",
        );
    }
    if is_published {
        section.push_str(
            " ¹ Hypothesis 6.168.3 as published with the problem, 100 seeds, the first failing call included.",
        );
    }
    section.push('\n');
    section
}

/// Where it did not end at the normal form.
fn misses(measured: &[(Family, Vec<Measured>)]) -> String {
    let mut section = String::from("## Where it ends elsewhere\n\n");
    let all = measured.iter().flat_map(|(family, measured)| family.problems.iter().zip(measured));
    let mut table = Table::new(&["problem", "normal form", "results, and how often"]);
    let mut count = 0;
    for (problem, measured) in all.filter(|(problem, measured)| measured.share(&problem.normal_form) < 1.0) {
        let mut results: Vec<_> = measured.results.iter().collect();
        results.sort_by_key(|(_, often)| std::cmp::Reverse(**often));
        let shown: Vec<String> =
            results.iter().take(6).map(|(result, often)| format!("{often} × `{}`", shortened(result))).collect();
        let more = if results.len() > 6 { format!(", and {} more", results.len() - 6) } else { String::new() };
        table.row(vec![
            problem.name.to_owned(),
            format!("`{}`", shortened(&problem.normal_form)),
            shown.join(", ") + &more,
        ]);
        count += 1;
    }
    section.push_str(&if count == 0 { "Nowhere.\n".to_owned() } else { table.to_markdown() });
    section
}

fn rows(measured: &[(Family, Vec<Measured>)]) -> Vec<Row> {
    let all = measured.iter().flat_map(|(family, measured)| family.problems.iter().zip(measured));
    let row = |(problem, measured): (&Problem, &Measured)| {
        let stored = problem.hypothesis?;
        Some(Row {
            name: problem.name.to_owned(),
            ours: Bar { runs: measured.mean_runs(), share: measured.share(&problem.normal_form) },
            theirs: Bar { runs: stored.mean_calls, share: stored.percent / 100.0 },
        })
    };
    all.filter_map(row).collect()
}

fn percent(share: f64) -> String {
    let percent = share * 100.0;
    // What is not all of them must not be rounded to it.
    if percent > 99.9 && percent < 100.0 {
        "99.9 %".to_owned()
    } else {
        format!("{percent:.1} %").replace(".0 %", " %")
    }
}

/// A text that fits into a table.
fn shortened(text: &str) -> String {
    const MOST: usize = 90;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST - 1).chain(['…']).collect()
}
