//! The laws of generators, on every generator there is to try them on: those of the paper's
//! artifact, those of the examples, and more.
//!
//! Each is looked at from four sides: what it generates, it reflects; what it reflects, it
//! reproduces; what it generates satisfies a predicate written by hand; and what satisfies the
//! predicate, it accepts, on values that it did not make itself.

mod artifact;
mod language;
mod ours;
mod small;
mod subject;

use crate::measure::{Effort, Table};
use std::io::{Error, Result};
pub use subject::{Row, Subject, Verdict};

/// Checks every generator, prints the tables and, if asked to, writes them into the repository.
///
/// # Errors
///
/// If a generator breaks a law, after the tables were printed: which one, which law, and on what
/// value.
pub fn run(effort: Effort, write: bool) -> Result<()> {
    let mut report = format!("# The laws, checked\n\n{}\n", ABOUT.trim());
    let mut broken = Vec::new();
    let mut count = 0;
    for (title, about, rows) in families(effort) {
        let mut table = Table::new(&Row::HEAD);
        for row in &rows {
            table.row(row.cells());
            broken.extend(row.broken());
        }
        count += rows.len();
        let section = format!("## {title}\n\n{about}\n\n{}", table.to_markdown());
        println!("{section}");
        report.push('\n');
        report.push_str(&section);
    }
    let sum = match broken.len() {
        0 => format!("{count} generators, and none breaks a law."),
        some => format!("{count} generators, and {some} laws are broken:\n\n{}", broken.join("\n\n")),
    };
    println!("{sum}");
    report.push_str(&format!("\n{sum}\n"));
    if write {
        std::fs::create_dir_all("docs/results")?;
        std::fs::write("docs/results/laws.md", report)?;
        println!("written to docs/results/laws.md");
    }
    match broken.len() {
        0 => Ok(()),
        some => Err(Error::other(format!("{some} laws are broken; see above"))),
    }
}

/// Every family: its title, what there is to say about it, and its generators, checked.
pub fn families(effort: Effort) -> Vec<(&'static str, &'static str, Vec<Row>)> {
    vec![
        (
            "Of the paper",
            "Section 4.3 asks which generators can be reflective at all. It calls System F a limit, since types cannot be inferred there; with the types of parameters written in the term, as here and in the artifact, they need only be checked.",
            artifact::of_section_4_3(effort),
        ),
        ("Of its artifact", "The other generators that come with the paper.", artifact::others(effort)),
        (
            "The language of the artifact's parser",
            "Names, modules, functions, statements, expressions.",
            language::rows(effort),
        ),
        ("Ours", "The examples, and one of each kind that a user may write.", ours::rows(effort)),
    ]
}

const ABOUT: &str = "
Printed by `cargo run --release -p experiments -- laws --write`; the exit code is not 0 if a law is broken.

- *sound*: what it generates, it reflects. So many values of growing size were drawn, and as many made from damaged choices. With them the other laws of
  `laws::check` hold: determinism, strict parsing, reading back what `Debug` prints, and an end of the simplest choices.
- *projection*: what it reflects, it reproduces. Those values, and every candidate that it accepts.
- *valid*: what it generates satisfies a predicate written by hand, and no candidate is accepted that does not.
- *complete*: so many of so many candidates satisfy the predicate, and all of them are accepted. Candidates come from elsewhere: enumerated by hand, made by insertion into
  another's tree, or drawn from the type alone.
- *artifact*: what its `test/Spec.hs` checks, or says. Where a statement was found by reading its source, it says so; nothing of it was run here.

A dash stands where there is nothing to ask: a generator without an inverse does not reflect, and where everything of a type is valid, nothing is invalid.
";
