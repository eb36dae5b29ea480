//! `cargo retrospect`: what can be done with properties and generators from the command line.
//!
//! | file | what |
//! | --- | --- |
//! | `demo` | one property with three generators; the tour |
//! | `test` | the tests with statistics on, and what they mean |
//! | `coverage` | which lines a case runs |
//! | `shrink`, `replay` | the commands that run a property |
//! | `properties` | which property is meant |
//! | `saved` | where saved cases are |
//! | `given` | the value that a property is to run on |
//! | `cargo` | building, listing and running tests, by cargo |
//! | `ui` | the page that shows what was tested, and the report |
//! | `answer` | what became of a property, as the library tells it, and what is printed of it |

mod answer;
mod cargo;
mod coverage;
mod demo;
mod given;
mod properties;
mod replay;
mod saved;
mod shrink;
mod test;
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
    Demo(demo::Demo),
    Test(test::Test),
    Shrink(shrink::Shrink),
    Replay(replay::Replay),
    Ui(ui::Ui),
    Report(ui::Report),
}

fn main() -> ExitCode {
    // Cargo calls a subcommand with its own name as the first argument.
    let mut arguments: Vec<_> = std::env::args_os().collect();
    if let Some(code) = coverage::as_compiler(&arguments) {
        return code;
    }
    if arguments.get(1).is_some_and(|first| first == "retrospect") {
        arguments.remove(1);
    }
    match Arguments::parse_from(arguments).command {
        Command::Demo(command) => demo::run(&command),
        Command::Test(command) => test::run(&command),
        Command::Shrink(command) => shrink::run(&command),
        Command::Replay(command) => replay::run(&command),
        Command::Ui(command) => ui::run(&command),
        Command::Report(command) => ui::run_report(&command),
    }
}
