//! `cargo retrospect demo`: one property with three generators, and what is seen of it.

mod tour;
mod trees;

use crate::answer;
use crate::test::{Look, of_run};
use clap::Args;
use retrospect_stats::read::Follower;
use retrospect_stats::summary::Store;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// See the difference that a generator makes: one property of code with a fault, tested with a
/// poor, a flawed and a good generator.
#[derive(Args, Debug)]
pub struct Demo {
    /// Where the random values begin.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// A tour instead: one generator, read in three directions.
    #[arg(long)]
    tour: bool,
    /// Write the cases to this folder, to look at them in the page.
    #[arg(long, value_name = "FOLDER")]
    observe: Option<PathBuf>,
    /// Run one of the three, in a process of its own.
    #[arg(long, hide = true, value_name = "GENERATOR")]
    run: Option<String>,
}

pub fn run(command: &Demo) -> ExitCode {
    if let Some(name) = &command.run {
        trees::run(name, command.seed);
        return ExitCode::SUCCESS;
    }
    if command.tour {
        return tour::run(command.seed, &mut std::io::stdout().lock());
    }
    match show(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            answer::refuse(&problem, false);
            ExitCode::from(2)
        }
    }
}

const ABOUT: &str = "\
One property: what is left after a key is removed from a search tree are all the other keys. `remove` has a fault.
Three generators of trees: does a test that passes mean anything?
";

const NEXT: &str = "\
`poor` tests the same few trees again and again, `flawed` throws most of its trees away and keeps the small ones, and both pass.
`good` makes nothing but search trees, of any shape, and finds the fault.
";

fn show(command: &Demo) -> Result<(), String> {
    let folder = tempfile::Builder::new().prefix("cargo-retrospect-demo-").tempdir();
    let folder = folder.map_err(|error| format!("there is no place for temporary files: {error}"))?;
    let directory = command.observe.clone().unwrap_or_else(|| folder.path().join("observed"));
    let directory = std::path::absolute(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    answer::print(&format!("{ABOUT}\n"));
    let look = Look { is_painted: answer::is_painted(), width: answer::width() };
    for name in trees::NAMES {
        run_one(name, command.seed, &directory)?;
        let mut store = Store::default();
        Follower::new([directory.clone()]).read_into(&mut store);
        let property = format!("demo::{name}_generator");
        let run = store.latest(&property).ok_or_else(|| format!("{} has no lines of it", directory.display()))?;
        let text = of_run(&store, &property, run, &look);
        // There is no test of that name to run it again.
        let lines = text.lines().filter(|line| !line.starts_with("  replay:"));
        answer::print(&lines.map(|line| format!("{line}\n")).chain(["\n".to_owned()]).collect::<String>());
    }
    let page = match &command.observe {
        Some(folder) => format!("page:  cargo retrospect ui {}\n", folder.display()),
        None => "page:  cargo retrospect demo --observe seen && cargo retrospect ui seen\n".to_owned(),
    };
    answer::print(&format!("{NEXT}\ntour:  cargo retrospect demo --tour\n{page}"));
    Ok(())
}

/// In a process of its own, where the variables can be set; what it prints is told by what it
/// writes.
fn run_one(name: &str, seed: u64, directory: &Path) -> Result<(), String> {
    let program = std::env::current_exe().map_err(|error| format!("this program does not find itself: {error}"))?;
    let mut command = Command::new(program);
    command.args(["demo", "--run", name, "--seed", &seed.to_string()]);
    for (variable, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("RETROSPECT_")) {
        command.env_remove(variable);
    }
    command.env("RETROSPECT_OBSERVE", directory).env("RUST_BACKTRACE", "0").envs(answer::looks(true));
    // It has no settings of its own, wherever it is started.
    command.env("CARGO_MANIFEST_DIR", std::env::temp_dir());
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| format!("it cannot be started again: {error}"))?;
    if !directory.is_dir() {
        return Err(String::from_utf8_lossy(&output.stderr).trim_end().to_owned());
    }
    Ok(())
}
