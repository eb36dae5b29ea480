//! `cargo xtask build-cost`: what a user's first build of the library costs, in CPU time.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What is built, and the CPU seconds it should stay under.
const BUILDS: [(&[&str], f64); 2] = [
    (&["build", "-p", "retrospect", "--no-default-features", "-j1"], 5.0),
    (&["build", "-p", "retrospect", "-j1"], 14.0),
];

/// Builds each in an empty folder of its own and prints a table. Above the goal is not a failure:
/// time is not a fact that a check can rely on.
pub fn run(root: &Path) -> Result<(), String> {
    cargo(root, &["fetch", "--locked", "--target", &host()?], None)?;
    let mut rows = Vec::new();
    for (at, (arguments, goal)) in BUILDS.into_iter().enumerate() {
        let target = EmptyFolder::new(&at.to_string())?;
        let before = children_user_seconds()?;
        cargo(root, arguments, Some(&target.0))?;
        let cost = children_user_seconds()? - before;
        rows.push((format!("cargo {}", arguments.join(" ")), cost, goal));
    }
    print!("\n{}", table(&rows));
    Ok(())
}

/// The platform that is built for: only its dependencies are needed.
fn host() -> Result<String, String> {
    let rustc = Command::new("rustc").args(["--print", "host-tuple"]).output();
    match rustc {
        Ok(output) if output.status.success() => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        Ok(output) => Err(format!("`rustc --print host-tuple` failed ({})", output.status)),
        Err(error) => Err(format!("rustc did not start: {error}")),
    }
}

fn table(rows: &[(String, f64, f64)]) -> String {
    let heading = "clean build, dev profile";
    let commands = rows.iter().map(|(command, ..)| command.len());
    let width = commands.fold(heading.len(), usize::max);
    let mut out = format!("{heading:<width$}  {:>10}  {:>6}\n", "user CPU", "goal");
    for (command, cost, goal) in rows {
        let note = if cost > goal { "  above the goal" } else { "" };
        out += &format!("{command:<width$}  {cost:>8.2} s  {goal:>4.0} s{note}\n");
    }
    out
}

/// Builds without what would make the figure another machine's or another day's: wrappers, flags,
/// the network.
fn cargo(root: &Path, arguments: &[&str], target: Option<&Path>) -> Result<(), String> {
    let mut command = plain_cargo(root, arguments);
    // A user's build compiles the library as a dependency, which is never done incrementally.
    command.env("CARGO_INCREMENTAL", "0");
    // Nor with less debug information than is usual, as this workspace is.
    command.env("CARGO_PROFILE_DEV_DEBUG", "true");
    if let Some(target) = target {
        command.env("CARGO_TARGET_DIR", target).args(["--locked", "--offline"]);
    }
    finished(&mut command)
}

/// Cargo as a user has it, whatever is set here.
pub(crate) fn plain_cargo(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(arguments).current_dir(folder);
    for variable in ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
        command.env_remove(variable);
    }
    command
}

pub(crate) fn finished(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{command:?}` failed ({status})")),
        Err(error) => Err(format!("cargo did not start: {error}")),
    }
}

/// A new folder, removed when dropped.
pub(crate) struct EmptyFolder(pub(crate) PathBuf);

impl EmptyFolder {
    pub(crate) fn new(name: &str) -> Result<EmptyFolder, String> {
        let path = std::env::temp_dir().join(format!("retrospect-build-cost-{}-{name}", std::process::id()));
        std::fs::create_dir(&path).map_err(|error| format!("{} could not be made: {error}", path.display()))?;
        Ok(EmptyFolder(path))
    }
}

impl Drop for EmptyFolder {
    fn drop(&mut self) {
        // Nothing depends on it, and the system empties its temporary folder anyway.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The user CPU time of all processes that this one has waited for, and of those that they have.
pub(crate) fn children_user_seconds() -> Result<f64, String> {
    let path = "/proc/self/stat";
    let stat = std::fs::read_to_string(path).map_err(|error| format!("build-cost needs Linux ({path}: {error})"))?;
    children_ticks(&stat)
        .map(|ticks| ticks as f64 / TICKS_PER_SECOND)
        .ok_or(format!("{path} has a form not known here: {stat}"))
}

/// The unit of the times in `/proc`: 100 a second on every architecture that Linux shares with
/// Rust's first tier.
const TICKS_PER_SECOND: f64 = 100.0;

/// Field 16 (`cutime`) of `proc_pid_stat(5)`. The second is the program's name, which may hold
/// blanks and brackets.
fn children_ticks(stat: &str) -> Option<u64> {
    let (_, from_third) = stat.rsplit_once(')')?;
    from_third.split_whitespace().nth(13)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_the_children_is_the_sixteenth_field() {
        let stat = "4711 (a b) c) S 4 5 6 7 8 9 10 11 12 13 14 15 1616 17 18";
        assert_eq!(children_ticks(stat), Some(1616));
        assert_eq!(children_ticks("4711 (x) S 4"), None);
    }

    #[test]
    fn the_table_marks_what_is_above_the_goal() {
        let rows = [("cargo build --small".to_owned(), 4.996, 5.0), ("cargo build".to_owned(), 14.31, 14.0)];
        assert_eq!(
            table(&rows),
            "clean build, dev profile    user CPU    goal\n\
             cargo build --small           5.00 s     5 s\n\
             cargo build                  14.31 s    14 s  above the goal\n"
        );
    }
}
