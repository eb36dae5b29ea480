//! The command line of the repository's own commands.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use xtask::{build_cost, edit_cost, lines, page, root, suite, tidy};

/// The repository's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run every check and every test, and stop at the first that fails.
    Test,
    /// Check the rules of the repository that the compiler does not know.
    Tidy {
        /// The rules to check. Defaults to all.
        rules: Vec<String>,
        /// List the rules, with the reason of each, and check nothing.
        #[arg(long)]
        list: bool,
    },
    /// Check the page of `cargo retrospect ui`: its types, its bundle, and what it does in a
    /// browser.
    Page,
    /// Measure the CPU time of a clean build of the library. For reading, not a test.
    BuildCost,
    /// Measure the CPU time that tests written with the library take to compile, beside proptest
    /// and quickcheck. For reading, not a test.
    EditCost,
    /// Count the code lines of the library by folder, and what should not grow unnoticed. For
    /// reading, not a test.
    Lines,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Test => suite::run(&root()),
        Command::Tidy { list: true, .. } => {
            print!("{}", tidy::list());
            Ok(())
        }
        Command::Tidy { rules, list: false } => tidy::run(&root(), &rules),
        Command::Page => page::run(&root()),
        Command::BuildCost => build_cost::run(&root()),
        Command::EditCost => edit_cost::run(&root()),
        Command::Lines => lines::run(&root()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // On stdout, like all that was said before it: the reason is the last line wherever
            // both streams end up.
            println!("{message}");
            ExitCode::FAILURE
        }
    }
}
