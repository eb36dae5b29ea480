//! Every measurement the project reports. `cargo run --release -p experiments -- --help` lists them.

use clap::{Parser, Subcommand};
use experiments::{core, measure, properties, shrinking, table2};
use std::path::PathBuf;

/// Ours beside the hand-written limit, the peers and the papers.
#[derive(Parser)]
#[command(name = "experiments", version)]
struct Arguments {
    /// Run everything in a few seconds: checks that it works, not what it costs.
    #[arg(long, global = true)]
    quick: bool,
    #[command(subcommand)]
    experiment: Option<Experiment>,
}

#[derive(Subcommand)]
enum Experiment {
    /// Generation, recording, reflection, overlap and memory of the core. With `--features peers`, the peers too.
    Core {
        /// Also write the tables to docs/results/core.md.
        #[arg(long)]
        write: bool,
    },
    /// Cost of a case, and the output and time of a failure. With `--features peers`, the peers too.
    Properties {
        /// Also write the tables to docs/results/properties.md.
        #[arg(long)]
        write: bool,
    },
    /// Where shrinking ends and how many runs it takes, on every problem there is. With `--features peers`, the peers too.
    Shrinking {
        /// How many starts each problem gets; the tasks of ETNA and the peers get a tenth.
        #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
        seeds: u64,
        /// Also write the tables to docs/results/shrinking.md and the figure to docs/figures/shrinking.svg.
        #[arg(long)]
        write: bool,
        /// One more `package.json` to shrink, which has "express" at "^4.15.3".
        #[arg(long, value_name = "FILE")]
        document: Option<PathBuf>,
    },
    /// Different valid values that rejection, Choice Gradient Sampling and `satisfying` find: table 2 and the figures 5 and 6 of Parsing Randomness.
    Table2 {
        /// How long a trial takes, in seconds; 0 counts values only.
        #[arg(long, default_value_t = 5.0, value_parser = seconds)]
        seconds: f64,
        /// How many trials there are.
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
        trials: u64,
        /// How many values each may make where these are counted.
        #[arg(long, default_value_t = 250_000, value_parser = clap::value_parser!(u64).range(1..))]
        runs: u64,
        /// As in the paper: 60 seconds for a trial, and 10 trials.
        #[arg(long, conflicts_with_all = ["seconds", "trials"])]
        paper: bool,
        /// Also write the tables to docs/results/table2.md and the figures to docs/figures.
        #[arg(long)]
        write: bool,
    },
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err(format!("{text} is no number of seconds from 0 to a day")),
    }
}

fn main() -> std::io::Result<()> {
    let Arguments { quick, experiment } = Arguments::parse();
    let effort = if quick { measure::Effort::Quick } else { measure::Effort::Full };
    match experiment {
        Some(Experiment::Core { write }) => core::run(effort, write),
        Some(Experiment::Properties { write }) => properties::run(effort, write),
        Some(Experiment::Shrinking { seeds, write, document }) => {
            shrinking::run(effort, &shrinking::Wanted { seeds, write, document: document.as_deref() })
        }
        Some(Experiment::Table2 { seconds, trials, runs, paper, write }) => {
            let (seconds, trials) = if paper { (60.0, 10) } else { (seconds, trials) };
            table2::run(effort, &table2::Wanted { seconds, trials, runs, write })
        }
        None => {
            core::run(effort, false)?;
            properties::run(effort, false)?;
            shrinking::run(effort, &shrinking::Wanted { seeds: 1000, write: false, document: None })?;
            table2::run(effort, &table2::Wanted { seconds: 5.0, trials: 10, runs: 250_000, write: false })
        }
    }
}
