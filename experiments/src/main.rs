//! Every measurement the project reports. `cargo run --release -p experiments -- --help` lists them.

mod core;
mod measure;
mod properties;

use clap::{Parser, Subcommand};

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
}

fn main() -> std::io::Result<()> {
    let Arguments { quick, experiment } = Arguments::parse();
    let effort = if quick { measure::Effort::Quick } else { measure::Effort::Full };
    match experiment {
        Some(Experiment::Core { write }) => core::run(effort, write),
        Some(Experiment::Properties { write }) => properties::run(effort, write),
        None => core::run(effort, false).and_then(|()| properties::run(effort, false)),
    }
}
