//! Properties: what running one costs, and what its failure looks like.

mod cost;
mod failing;
#[cfg(feature = "peers")]
mod peers;

use crate::measure::{Effort, machine};
use retrospect::prelude::*;
use retrospect::runner::Settings;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Runs the experiments with properties, prints their tables and, if asked to, writes them into the
/// repository. Not optimised, as tests are run at every edit, it is the cost of a case alone, on a
/// page of its own.
pub fn run(effort: Effort, write: bool) -> std::io::Result<()> {
    let tools = tools();
    let (title, file, profile) = if cfg!(debug_assertions) {
        ("Properties as `cargo test` runs them, not optimised", "docs/results/properties-unoptimised.md", "")
    } else {
        ("Properties, measured", "docs/results/properties.md", " --release")
    };
    let mut report = format!(
        "# {title}\n\nPrinted by `cargo run{profile} -p experiments --features peers -- properties --write`.\nMachine: {}.\n",
        machine(),
    );
    let mut sections = vec![cost::run(&tools, effort)];
    if !cfg!(debug_assertions) || effort == Effort::Quick {
        sections.extend([failing::run(&tools, effort)?, differences(&tools)]);
    }
    for section in sections {
        println!("{section}");
        report.push('\n');
        report.push_str(&section);
    }
    if write {
        std::fs::create_dir_all("docs/results")?;
        std::fs::write(file, report.trim_end().to_owned() + "\n")?;
        println!("written to {file}");
    }
    Ok(())
}

/// A tool that runs properties, used as its documentation says.
struct Tool {
    name: &'static str,
    /// Runs `on_number` that many times, or about so.
    numbers: fn(u64),
    /// Runs `on_list` that many times, or about so, on lists of up to about 100 items.
    lists: fn(u64),
    /// Runs `total` until the report of its failure is there; a panic is one.
    fail: fn(),
    /// The line of a manifest that brings it.
    dependency: &'static str,
    /// How its user writes the test; `TOTAL` stands for the sum of the list.
    test: &'static str,
    /// What is not the same as with the others.
    difference: &'static str,
}

fn tools() -> Vec<Tool> {
    let ours = Tool {
        name: "retrospect",
        numbers: |cases| random(cases).run(any::<i64>(), on_number),
        lists: |cases| random(cases).run(vec_of(any::<i64>(), ..), |list| on_list(&list)),
        fail: || assert!(Check::new().save(false).failure(vec_of(any::<i64>(), ..), |list| total(&list)).is_some()),
        dependency: "retrospect = { path = \"../../../../crates/retrospect\" }",
        test: "#[retrospect::property]\nfn total(list: Vec<i64>) {\n    assert!(TOTAL <= 1000);\n}\n",
        difference: "runs boundary values first, so that this failure is found at one, close to the smallest; lists grow from case to case, again and again",
    };
    #[cfg_attr(not(feature = "peers"), expect(unused_mut, reason = "there is only ours"))]
    let mut tools = vec![ours];
    #[cfg(feature = "peers")]
    tools.extend(peers::tools());
    tools
}

/// Our runner with that many cases, which saves nothing.
fn random(cases: u64) -> Check {
    Check::new().with(Settings::new().cases(cases).exhaustive(false).save(false))
}

fn differences(tools: &[Tool]) -> String {
    let lines: Vec<String> = tools.iter().map(|tool| format!("- {}: {}.", tool.name, tool.difference)).collect();
    format!("## What differs\n\nEach tool makes its own usual values in its own usual way.\n\n{}\n", lines.join("\n"))
}

static CASES: AtomicU64 = AtomicU64::new(0);
static ITEMS: AtomicU64 = AtomicU64::new(0);
static FIRST_FAILURE: Mutex<Option<Instant>> = Mutex::new(None);

/// Not one atomic step, which would cost as much as some tools do: nobody else counts.
#[inline]
fn count(counter: &AtomicU64, more: u64) {
    counter.store(counter.load(Ordering::Relaxed) + more, Ordering::Relaxed);
}

/// The property that does nothing, but for being counted.
#[inline]
fn on_number(number: i64) {
    black_box(number);
    count(&CASES, 1);
}

/// The same on a list.
#[inline]
fn on_list(list: &[i64]) {
    black_box(list);
    count(&CASES, 1);
    count(&ITEMS, list.len() as u64);
}

/// The property that fails; the sum cannot overflow, which would be another failure.
fn total(list: &[i64]) {
    let total: i128 = list.iter().map(|item| i128::from(*item)).sum();
    if total > 1000 {
        FIRST_FAILURE.lock().expect("nothing panics with it").get_or_insert_with(Instant::now);
    }
    assert!(total <= 1000);
}

/// A folder for what is thrown away.
fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tmp").join(name)
}
