//! The core: what generating, recording and reflecting cost.

mod deep;
mod generation;
mod hand;
pub(crate) mod overlap;
#[cfg(feature = "peers")]
mod peers;
mod reflection;
pub(crate) mod workloads;

use crate::measure::{Effort, machine};

/// Runs the experiments of the core, prints their tables and, if asked to, writes them into the
/// repository.
pub fn run(effort: Effort, write: bool) -> std::io::Result<()> {
    let mut report = format!(
        "# The core, measured\n\nPrinted by `cargo run --release -p experiments --features peers -- core --write`.\n\
         Machine: {}. Figures are the least of {} rounds in which the contenders take turns; read the ratios, not the nanoseconds.\n",
        machine(),
        effort.rounds(),
    );
    for section in [generation::run(effort), reflection::run(effort), deep::run(effort), overlap::run(effort)] {
        println!("{section}");
        report.push('\n');
        report.push_str(&section);
    }
    if write {
        std::fs::create_dir_all("docs/results")?;
        std::fs::write("docs/results/core.md", report.trim_end().to_owned() + "\n")?;
        println!("written to docs/results/core.md");
    }
    Ok(())
}
