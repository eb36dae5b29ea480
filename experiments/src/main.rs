//! Every measurement the project reports. `cargo run --release -p experiments -- --help` lists
//! them.

use clap::{Parser, Subcommand};
use experiments::{core, enumeration, laws, measure, mutation, properties, shrinking, table2, text, torture, tuning};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

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
    /// Generation, recording, reflection, overlap and memory of the core. With `--features peers`,
    /// the peers too.
    Core {
        /// Also write the tables to docs/results/core.md.
        #[arg(long)]
        write: bool,
    },
    /// All values of a generator from small to large, beside an enumerator written by hand.
    Enumeration {
        /// Also write the tables to docs/results/enumeration.md.
        #[arg(long)]
        write: bool,
    },
    /// Whether every generator obeys every law: those of the paper's artifact, the examples, and
    /// more. Fails if one does not.
    Laws {
        /// Also write the tables to docs/results/laws.md.
        #[arg(long)]
        write: bool,
    },
    /// Cost of a case, and the output and time of a failure. With `--features peers`, the peers
    /// too.
    Properties {
        /// Also write the tables to docs/results/properties.md.
        #[arg(long)]
        write: bool,
    },
    /// Whether mutants are valid, how near they are, and what they cost.
    Mutation {
        /// Also write the tables to docs/results/mutation.md and the figure to
        /// docs/figures/mutation.svg.
        #[arg(long)]
        write: bool,
    },
    /// Where shrinking ends and how many runs it takes, on every problem there is. With `--features
    /// peers`, the peers too.
    Shrinking {
        /// How many starts each problem gets; the tasks of ETNA and the peers get a tenth.
        #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
        seeds: u64,
        /// Also write the tables to docs/results/shrinking.md and the figure to
        /// docs/figures/shrinking.svg.
        #[arg(long)]
        write: bool,
        /// One more `package.json` to shrink, which has "express" at "^4.15.3". That of the paper
        /// is looked for in ../shared/data/package-json.
        #[arg(long, value_name = "FILE")]
        document: Option<PathBuf>,
        /// Instead, variants of the problems whose constants are drawn; with `--write`, into
        /// docs/results/shrinking-variants.md.
        #[arg(long, conflicts_with = "document")]
        variants: bool,
        /// The seed that these variants are drawn from.
        #[arg(long, default_value_t = shrinking::variants::SEED)]
        variant_seed: u64,
        /// Print the variants for `experiments/src/shrinking/variants.py`.
        #[arg(long, conflicts_with = "variants")]
        python: bool,
    },
    /// Tuning by example: figure 7 of the paper, and what tuned drawing costs.
    Tuning {
        /// A folder of JSON documents to tune to, instead of the project's own and those of the
        /// paper, which are looked for in ../shared/data/ifh-json.
        #[arg(long, value_name = "FOLDER")]
        documents: Option<PathBuf>,
        /// Also write the tables to docs/results/tuning.md and the figure to
        /// docs/figures/tuning.svg.
        #[arg(long)]
        write: bool,
    },
    /// Different valid values that rejection, Choice Gradient Sampling and `satisfying` find: table
    /// 2 and the figures 5 and 6 of Parsing Randomness.
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
        /// The seed of the first trial; the others follow.
        #[arg(long, default_value_t = 1)]
        first_seed: u64,
        /// Only these problems, such as `BST,AVL`.
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        problems: Vec<String>,
        /// Also write the tables to docs/results/table2.md and the figures to docs/figures.
        #[arg(long, conflicts_with_all = ["first_seed", "problems"])]
        write: bool,
    },
    /// Reading a JSON text backward, beside a parser made for it.
    Text {
        /// Also write the table to docs/results/text.md.
        #[arg(long)]
        write: bool,
    },
    /// Compositions of everything that users compose, and properties over them. Fails if one breaks
    /// a promise of the library.
    Torture {
        /// How long to go on, such as `90s`, `10m` or `2h`; without it, 300 compositions.
        #[arg(long, value_parser = torture::duration)]
        time: Option<Duration>,
        /// How many compositions to try.
        #[arg(long)]
        count: Option<u64>,
        /// The seed of the first composition; the others follow.
        #[arg(long, default_value_t = 1, value_parser = torture::seed)]
        seed: u64,
        /// How many processes work at the same time.
        #[arg(long, default_value_t = 2)]
        jobs: usize,
        /// Pass over compositions whose text contains one of these words, such as
        /// `Satisfying,Hangs`.
        #[arg(long, value_name = "WORDS", value_delimiter = ',')]
        skip: Vec<String>,
        /// Instead of compositions, check on so many small domains that what is called minimal is.
        #[arg(long, value_name = "COUNT")]
        small_domains: Option<u64>,
        /// Show the composition of the seed instead of running it.
        #[arg(long)]
        show: bool,
        /// Called by the experiment itself: check the compositions of these seeds in this process.
        #[arg(long, hide = true, num_args = 2, value_names = ["FIRST", "END"])]
        worker: Vec<u64>,
    },
    /// Called by `text`: what memory one text takes, measured in a process of its own.
    #[command(hide = true)]
    TextMemory { size: usize },
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err(format!("{text} is no number of seconds from 0 to a day")),
    }
}

fn main() -> ExitCode {
    // A composition is run by its name, as a test is: by replay lines, and by properties that run
    // in child processes.
    if let Some(name) = std::env::args().nth(1).filter(|name| name.starts_with(torture::TEST_PREFIX)) {
        return torture::run_test(&name);
    }
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(Arguments { quick, experiment }: Arguments) -> std::io::Result<()> {
    let effort = if quick { measure::Effort::Quick } else { measure::Effort::Full };
    match experiment {
        Some(Experiment::Core { write }) => core::run(effort, write),
        Some(Experiment::Enumeration { write }) => enumeration::run(effort, write),
        Some(Experiment::Laws { write }) => laws::run(effort, write),
        Some(Experiment::Properties { write }) => properties::run(effort, write),
        Some(Experiment::Mutation { write }) => mutation::run(effort, write),
        Some(Experiment::Shrinking { python: true, variant_seed, .. }) => {
            shrinking::variants::print_python(variant_seed);
            Ok(())
        }
        Some(Experiment::Shrinking { variants: true, variant_seed, write, .. }) => {
            shrinking::variants::run(effort, variant_seed, write)
        }
        Some(Experiment::Shrinking { seeds, write, document, .. }) => {
            shrinking::run(effort, &shrinking::Wanted { seeds, write, document: document.as_deref() })
        }
        Some(Experiment::Tuning { documents, write }) => {
            tuning::run(effort, &tuning::Wanted { documents: documents.as_deref(), write })
        }
        Some(Experiment::Table2 { seconds, trials, runs, paper, first_seed, problems, write }) => {
            let (seconds, trials) = if paper { (60.0, 10) } else { (seconds, trials) };
            table2::run(effort, &table2::Wanted { seconds, trials, runs, first_seed, problems, write })
        }
        Some(Experiment::Text { write }) => text::run(effort, write),
        Some(Experiment::Torture { worker, .. }) if !worker.is_empty() => {
            torture::work(worker[0]..worker[1]);
            Ok(())
        }
        Some(Experiment::Torture { seed, small_domains: Some(count), .. }) => torture::run_small_domains(seed, count),
        Some(Experiment::Torture { seed, show: true, .. }) => {
            println!("{:?}", torture::composition_of(seed));
            Ok(())
        }
        Some(Experiment::Torture { time, count, seed, jobs, skip, .. }) => {
            let count = count.unwrap_or(if time.is_some() { u64::MAX } else { 300 });
            torture::run(&torture::Plan { seed, count, time, jobs, skip, shrinks: true })
        }
        Some(Experiment::TextMemory { size }) => {
            text::print_memory(size);
            Ok(())
        }
        None => {
            core::run(effort, false)?;
            enumeration::run(effort, false)?;
            laws::run(effort, false)?;
            properties::run(effort, false)?;
            mutation::run(effort, false)?;
            shrinking::run(effort, &shrinking::Wanted { seeds: 1000, write: false, document: None })?;
            tuning::run(effort, &tuning::Wanted { documents: None, write: false })?;
            let (first_seed, problems) = (1, Vec::new());
            let wanted = table2::Wanted { seconds: 5.0, trials: 10, runs: 250_000, first_seed, problems, write: false };
            table2::run(effort, &wanted)?;
            text::run(effort, false)
        }
    }
}
