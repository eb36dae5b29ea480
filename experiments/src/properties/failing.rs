//! What a failing property prints, and how long its report takes.

use super::{FIRST_FAILURE, Tool, scratch, total};
use crate::measure::{Effort, Table};
use retrospect::prelude::*;
use retrospect::runner::Settings;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::Path;
use std::process::{Command, Output};

/// How the sum is written in every test.
const TOTAL: &str = "list.iter().map(|item| i128::from(*item)).sum::<i128>()";

pub(super) fn run(tools: &[Tool], effort: Effort) -> io::Result<String> {
    Ok(format!(
        "## A failing property\n\n`sum(list) <= 1000` over `Vec<i64>`, summed without overflow.\n\n{}\n{}",
        printed(tools, effort)?,
        report_time(tools, effort)
    ))
}

/// Runs the test of each tool as its user would, in a crate of its own.
fn printed(tools: &[Tool], effort: Effort) -> io::Result<String> {
    let times = match effort {
        Effort::Quick => 1,
        Effort::Full => 9,
    };
    let workspace = scratch("properties");
    write_crates(&workspace, tools)?;
    let mut table = Table::new(&["printed by `cargo test`", "lines", "least and most", "\"panicked at\""]);
    for tool in tools {
        let mut runs = Vec::new();
        // The first run builds.
        cargo_test(&workspace, tool, &["--no-run"])?;
        for _ in 0..times {
            forget(&workspace.join(tool.name))?;
            runs.push(section(&cargo_test(&workspace, tool, &[])?));
        }
        runs.sort_by_key(|text| text.lines().count());
        let middle = &runs[times / 2];
        table.row(vec![
            tool.name.to_owned(),
            middle.lines().count().to_string(),
            format!("{} to {}", runs[0].lines().count(), runs[times - 1].lines().count()),
            middle.matches("panicked at").count().to_string(),
        ]);
    }
    let goals = "Goals: at most 25 lines, with one \"panicked at\".";
    let how = format!(
        "The lines of the test's own section, from `---- total stdout ----` to the blank lines before the list of failures, in the run in the middle of {times}, \
         with `RUST_BACKTRACE=0`; what an earlier run saved is removed before each."
    );
    Ok(format!("{goals} {how}\n\n{}", table.to_markdown()))
}

/// One workspace with a crate for each tool, and the versions that this program was built with.
fn write_crates(workspace: &Path, tools: &[Tool]) -> io::Result<()> {
    let members: Vec<String> = tools.iter().map(|tool| format!("{:?}", tool.name)).collect();
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = [{}]\n", members.join(", "));
    fs::create_dir_all(workspace)?;
    fs::write(workspace.join("Cargo.toml"), manifest)?;
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock"), workspace.join("Cargo.lock"))?;
    for tool in tools {
        let package = workspace.join(tool.name);
        fs::create_dir_all(package.join("src"))?;
        let manifest = format!(
            "[package]\nname = \"{}-fails\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{}\n",
            tool.name, tool.dependency
        );
        fs::write(package.join("Cargo.toml"), manifest)?;
        fs::write(package.join("src/lib.rs"), tool.test.replace("TOTAL", TOTAL))?;
    }
    Ok(())
}

/// Removes what a run left in the crate.
fn forget(package: &Path) -> io::Result<()> {
    for entry in fs::read_dir(package)? {
        let entry = entry?;
        if entry.file_name() != "src" && entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

fn cargo_test(workspace: &Path, tool: &Tool, more: &[&str]) -> io::Result<Output> {
    let package = format!("{}-fails", tool.name);
    Command::new("cargo")
        .args(["test", "--quiet", "--offline", "--lib", "--package", &package])
        .args(more)
        .current_dir(workspace)
        .env("RUST_BACKTRACE", "0")
        .env_remove("CARGO_TARGET_DIR")
        .output()
}

/// What the test printed, without what the harness and cargo say around it.
fn section(output: &Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let section = out
        .split_once("---- total stdout ----\n")
        .and_then(|(_, rest)| rest.rsplit_once("\nfailures:\n"))
        .unwrap_or_else(|| panic!("there must be a failing test:\n{out}\n{err}"));
    section.0.trim_end().to_owned()
}

/// How long it takes from the first failing case to the report.
fn report_time(tools: &[Tool], effort: Effort) -> String {
    let runs = effort.of(200).max(5);
    let saved = scratch("properties-saved");
    let mut table =
        Table::new(&["ms from the first failing case to the report", "in the middle", "nine of ten within", "slowest"]);
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    for tool in tools {
        table.row(row(tool.name, (0..runs).map(|_| time(tool.fail)).collect()));
        if tool.name == "retrospect" {
            let saving = |_| {
                // As in a crate where nothing was saved yet.
                let _ = fs::remove_dir_all(&saved);
                time(|| {
                    let check = Check::new().with(Settings::new().regressions(&saved)).named("experiments::total");
                    assert!(check.failure(vec_of(any::<i64>(), ..), |list| total(&list)).is_some());
                })
            };
            table.row(row("retrospect, saving", (0..runs).map(saving).collect()));
        }
    }
    set_hook(hook);
    let goal = "Goal: at most 5 ms.";
    let how = format!(
        "In one process, optimised, from the first call that fails until the runner returns or panics, over {runs} runs from different seeds. The panic hook is \
         empty, so that the peers do not pay for the panics they print; nothing is saved unless the name says so."
    );
    format!("{goal} {how}\n\n{}", table.to_markdown())
}

/// Milliseconds from the first failure to the report.
fn time(fail: impl FnOnce()) -> f64 {
    let _ = catch_unwind(AssertUnwindSafe(fail));
    let first = FIRST_FAILURE.lock().expect("nothing panics with it").take();
    first.expect("every tool finds this failure").elapsed().as_secs_f64() * 1000.0
}

fn row(name: &str, mut times: Vec<f64>) -> Vec<String> {
    times.sort_by(f64::total_cmp);
    let at = |share: usize| format!("{:.2}", times[(times.len() - 1) * share / 10]);
    vec![name.to_owned(), at(5), at(9), at(10)]
}
