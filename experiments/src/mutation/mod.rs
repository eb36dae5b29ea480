//! Mutation: whether mutants are valid, how near they are, and what they cost; and what it costs to
//! ask whether a value is one of a generator's.

mod accepting;
mod cost;
pub mod distance;
mod figure;
pub mod measure;
pub mod subjects;

use crate::measure::{Effort, Table, machine};
use figure::{Row, Series};
use measure::{Measured, Mutator, measure};
use std::fmt::Write;
use subjects::{AvlTrees, Documents, RedBlackTrees, SearchTrees, Subject, Terms};

/// How many values of each kind are mutated.
const VALUES: usize = 200;

/// Runs all measurements of mutation, prints their tables and, if asked to, writes them into the
/// repository.
pub fn run(effort: Effort, write: bool) -> std::io::Result<()> {
    let values = effort.of(VALUES).max(5);
    let mut report = format!(
        "# Mutation, measured\n\nPrinted by `cargo run --release -p experiments -- mutation --write`, with {values} values of each kind and 20 mutants of each.\n\
         Machine: {}.\n",
        machine(),
    );
    let all = [
        measured::<SearchTrees>(values),
        measured::<AvlTrees>(values),
        measured::<RedBlackTrees>(values),
        measured::<Terms>(values),
        measured::<Documents>(values),
    ];
    let mut add = |section: String| {
        println!("{section}");
        let _ = write!(report, "\n{}\n", section.trim_end());
    };
    add("![How many mutants are valid, and how many of them are near](../figures/mutation.svg)".to_owned());
    add(validity(&all));
    add(cost::run(effort));
    add(accepting::run(effort));
    if write {
        std::fs::create_dir_all("docs/results")?;
        std::fs::create_dir_all("docs/figures")?;
        std::fs::write("docs/results/mutation.md", report.trim_end().to_owned() + "\n")?;
        std::fs::write("docs/figures/mutation.svg", figure::draw(&rows(&all)))?;
        println!("written to docs/results/mutation.md and docs/figures/mutation.svg");
    }
    Ok(())
}

/// One kind of values with every mutator.
struct Kind {
    name: &'static str,
    measured: Vec<(Mutator, Measured)>,
}

fn measured<S: Subject>(values: usize) -> Kind {
    let measured = Mutator::ALL.into_iter().map(|mutator| (mutator, measure::<S>(mutator, values))).collect();
    Kind { name: S::NAME, measured }
}

fn validity(all: &[Kind]) -> String {
    let mut table = Table::new(&["values", "nodes", "mutator", "valid", "of these new", "median distance", "near"]);
    for kind in all {
        for (mutator, measured) in &kind.measured {
            table.row(vec![
                kind.name.to_owned(),
                format!("{:.0}", measured.mean_size()),
                mutator.name().to_owned(),
                percent(measured.valid_share()),
                percent(measured.new_share()),
                measured.median_distance().to_string(),
                percent(measured.near_share()),
            ]);
        }
    }
    format!(
        "## Validity and distance\n\n\
         Values of at least 10 nodes are mutated. *All edits* is `mutants` as it is; *reroll*, *swap* and *shrink* are the mutations of the early paper, \
         each alone, with the same recovery. *Plain data* applies all edits to the value as its type alone describes it, and rejects what is not valid. \
         Valid is what a check written by hand lets pass; the generator accepts every mutant of the first four. The distance is the tree-edit distance of \
         Zhang and Shasha, in nodes; near is a mutant that differs in no more than a quarter of the nodes, or in three.\n\n{}",
        table.to_markdown()
    )
}

fn rows(all: &[Kind]) -> Vec<Row> {
    let series = |(mutator, measured): &(Mutator, Measured)| Series {
        name: mutator.name(),
        valid: measured.valid_share(),
        near: measured.near_share() * measured.valid_share() * measured.new_share(),
    };
    all.iter().map(|kind| Row { name: kind.name, series: kind.measured.iter().map(series).collect() }).collect()
}

fn percent(share: f64) -> String {
    // What is nearly all is not all.
    let percent = share * 100.0;
    if percent > 99.9 && percent < 100.0 { "99.9 %".to_owned() } else { format!("{percent:.1} %") }
}
