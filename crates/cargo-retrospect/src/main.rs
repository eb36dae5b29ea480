//! `cargo retrospect`: what can be done with properties and generators from the command line.
//!
//! | file | what |
//! | --- | --- |
//! | `demo` | the tour |
//! | `shrink`, `replay` | the commands that run a property |
//! | `properties` | which property is meant |
//! | `saved` | where saved cases are |
//! | `given` | the value that a property is to run on |
//! | `cargo` | building, listing and running tests, by cargo |
//! | `ui` | the page that shows what was tested, and the report |
//! | `answer` | what became of a property, as the library tells it, and what is printed of it |

mod answer;
mod cargo;
mod demo;
mod given;
mod properties;
mod replay;
mod saved;
mod shrink;
mod ui;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Property-based testing in which every generator can be read backwards.
#[derive(Parser)]
#[command(name = "cargo retrospect", bin_name = "cargo retrospect", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// A tour in the terminal: one generator, read in three directions.
    Demo {
        /// Where the random values begin.
        #[arg(long, default_value_t = 7)]
        seed: u64,
    },
    Shrink(shrink::Shrink),
    Replay(replay::Replay),
    Ui(ui::Ui),
    Report(ui::Report),
}

fn main() -> ExitCode {
    // Cargo calls a subcommand with its own name as the first argument.
    let mut arguments: Vec<_> = std::env::args_os().collect();
    if arguments.get(1).is_some_and(|first| first == "retrospect") {
        arguments.remove(1);
    }
    match Arguments::parse_from(arguments).command {
        Command::Demo { seed } => demo::run(seed, &mut std::io::stdout().lock()),
        Command::Shrink(command) => shrink::run(&command),
        Command::Replay(command) => replay::run(&command),
        Command::Ui(command) => ui::run(&command),
        Command::Report(command) => ui::run_report(&command),
    }
}
