//! `cargo xtask test`: every check and every test there is, one after the other, up to the first
//! that fails.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{page, tidy};

/// The features that the workspace is checked and tested with: all of the library, and none of
/// `experiments`, whose peers take minutes to build. Every step that can has the same, so that the
/// library is compiled once for all of them.
const FEATURES: &str = "retrospect/arbitrary,retrospect/bytes,retrospect/chrono,retrospect/http,retrospect/jiff,\
    retrospect/proptest,retrospect/quickcheck,retrospect/regex,retrospect/rust_decimal,retrospect/serde,\
    retrospect/serde_json,retrospect/url,retrospect/uuid";

/// Set for every step, unless the user has set the variable. A clean build is faster and half as
/// large if it leaves nothing behind for the next one.
pub(crate) const INCREMENTAL: (&str, &str) = ("CARGO_INCREMENTAL", "0");

/// One step of the suite.
#[derive(Debug)]
struct Step {
    name: &'static str,
    /// Set for the command, and part of what is printed to run it again.
    environment: Option<(&'static str, &'static str)>,
    /// As one would type it.
    command: String,
    kind: Kind,
}

/// How a step is run.
#[derive(Debug, PartialEq)]
enum Kind {
    /// As a command.
    Command,
    /// As a command, after a part of the tool chain has been seen to.
    CommandWith { component: &'static str },
    /// In this process.
    Tidy,
    /// In this process, which installs what it needs. The tests have built the subcommand.
    Page,
}

/// What became of a step.
#[derive(Debug, PartialEq)]
enum Outcome {
    Passed,
    /// With what there is to say about it, such as the exit code.
    Failed(String),
}

/// Runs every step in the repository at `root`.
pub fn run(root: &Path) -> Result<(), String> {
    let steps = steps();
    let results = run_with(&steps, |number, step| {
        println!("\n[{number}/{}] {}: {}", steps.len(), step.name, step.line());
        let started = Instant::now();
        let outcome = execute(root, step);
        let took = started.elapsed();
        println!("[{number}/{}] {}: {}", steps.len(), step.name, said(&outcome, took));
        (outcome, took)
    });
    print!("\n{}", summary(&steps, &results));
    verdict(&steps, &results)
}

fn steps() -> Vec<Step> {
    let step = |name, command: &str| Step { name, environment: None, command: command.into(), kind: Kind::Command };
    let with = |component, step| Step { kind: Kind::CommandWith { component }, ..step };
    vec![
        with("rustfmt", step("format", "cargo fmt --all --check")),
        with(
            "clippy",
            step("clippy", &format!("cargo clippy --workspace --all-targets --features {FEATURES} -- -D warnings")),
        ),
        Step { kind: Kind::Tidy, ..step("tidy", "cargo xtask tidy") },
        step("tests", &format!("cargo test --workspace --no-fail-fast --features {FEATURES}")),
        step("tests without macros", "cargo test -p retrospect --no-default-features --lib"),
        Step { kind: Kind::Page, ..step("page", "cargo xtask page") },
        Step {
            environment: Some(("RUSTDOCFLAGS", "-D warnings")),
            ..step("documentation", &format!("cargo doc --workspace --no-deps --features {FEATURES}"))
        },
        step("demo", tidy::DEMO),
    ]
}

impl Step {
    /// What to type to run it again.
    fn line(&self) -> String {
        match self.environment {
            Some((name, value)) => format!("{name}=\"{value}\" {}", self.command),
            None => self.command.clone(),
        }
    }
}

/// Runs the steps up to the first that fails.
fn run_with(steps: &[Step], mut execute: impl FnMut(usize, &Step) -> (Outcome, Duration)) -> Vec<(Outcome, Duration)> {
    let mut results = Vec::new();
    for (number, step) in (1..).zip(steps) {
        let result = execute(number, step);
        let failed = matches!(result.0, Outcome::Failed(_));
        results.push(result);
        if failed {
            break;
        }
    }
    results
}

fn execute(root: &Path, step: &Step) -> Outcome {
    let result = match step.kind {
        Kind::Tidy => tidy::run(root, &[]),
        Kind::Page => page::check(root, &incremental()),
        Kind::Command => command(root, step),
        Kind::CommandWith { component } => {
            ensure(component, || is_installed(root, &step.command), || install(root, component))
                .and_then(|()| command(root, step))
        }
    };
    result.map_or_else(Outcome::Failed, |()| Outcome::Passed)
}

/// What to set to compile without leaving anything for the next build.
fn incremental() -> Vec<(&'static str, &'static str)> {
    if std::env::var_os(INCREMENTAL.0).is_some() { Vec::new() } else { vec![INCREMENTAL] }
}

fn command(root: &Path, step: &Step) -> Result<(), String> {
    let mut words = step.command.split(' ');
    let program = words.next().unwrap_or_default();
    let mut command = Command::new(program);
    command.args(words).envs(incremental()).envs(step.environment).current_dir(root);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.code().map_or("ended by a signal".into(), |code| format!("exit code {code}"))),
        Err(error) => Err(format!("{program} did not start: {error}")),
    }
}

/// Sees to it that a part of the tool chain is there, and says what it did.
fn ensure(
    component: &str,
    is_installed: impl Fn() -> bool,
    install: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    if is_installed() {
        return Ok(());
    }
    println!("{component} is missing: rustup component add {component}");
    let failure = match install() {
        Ok(()) if is_installed() => return Ok(()),
        Ok(()) => "it says it did, but the command still does not work".to_owned(),
        Err(failure) => failure,
    };
    Err(format!("{component} is missing, and `rustup component add {component}` could not install it ({failure})"))
}

/// Whether `cargo <subcommand> --version` works.
fn is_installed(root: &Path, command: &str) -> bool {
    let subcommand = command.split(' ').nth(1).unwrap_or_default();
    let mut version = Command::new("cargo");
    version.args([subcommand, "--version"]).current_dir(root).stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

fn install(root: &Path, component: &str) -> Result<(), String> {
    match Command::new("rustup").args(["component", "add", component]).current_dir(root).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(format!("rustup did not start: {error}")),
    }
}

fn said(outcome: &Outcome, took: Duration) -> String {
    match outcome {
        Outcome::Passed => format!("ok in {}", seconds(took)),
        Outcome::Failed(how) => format!("FAILED after {}: {how}", seconds(took)),
    }
}

/// One line per step, those that were not reached included.
fn summary(steps: &[Step], results: &[(Outcome, Duration)]) -> String {
    let mut out = String::from("summary\n");
    for (at, step) in steps.iter().enumerate() {
        let (word, took, note) = match results.get(at) {
            Some((Outcome::Passed, took)) => ("ok", seconds(*took), ""),
            Some((Outcome::Failed(how), took)) => ("FAILED", seconds(*took), how.as_str()),
            None => ("not run", String::new(), ""),
        };
        let line = format!("  {word:<8}{took:>9}  {:<22}{note}", step.name);
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// The last line: all is well, or what failed and how to run it again.
fn verdict(steps: &[Step], results: &[(Outcome, Duration)]) -> Result<(), String> {
    let total = seconds(results.iter().map(|(_, took)| *took).sum());
    for (step, (outcome, _)) in steps.iter().zip(results) {
        if let Outcome::Failed(_) = outcome {
            return Err(format!("FAILED: {}. To run it again: {}", step.name, step.line()));
        }
    }
    println!("all {} steps passed, in {total}", results.len());
    Ok(())
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn three() -> Vec<Step> {
        let step = |name, command: &str| Step { name, environment: None, command: command.into(), kind: Kind::Command };
        vec![
            step("one", "cargo one"),
            Step { environment: Some(("FLAGS", "-D x")), ..step("two", "cargo two") },
            step("three", "cargo three"),
        ]
    }

    #[test]
    fn the_first_failure_ends_the_run_and_the_last_line_says_how_to_repeat_it() {
        let steps = three();
        let results = run_with(&steps, |number, _| {
            let outcome = if number == 2 { Outcome::Failed("exit code 101".into()) } else { Outcome::Passed };
            (outcome, Duration::from_millis(1250))
        });
        assert_eq!(results.len(), 2);
        assert_eq!(
            summary(&steps, &results),
            "summary\n\
             \x20 ok          1.2 s  one\n\
             \x20 FAILED      1.2 s  two                   exit code 101\n\
             \x20 not run            three\n"
        );
        assert_eq!(verdict(&steps, &results), Err("FAILED: two. To run it again: FLAGS=\"-D x\" cargo two".to_owned()));
    }

    #[cfg(unix)]
    #[test]
    fn a_command_that_fails_or_does_not_start_is_a_failure() {
        let here = crate::root();
        let run = |command: &str| {
            execute(&here, &Step { name: "x", environment: None, command: command.into(), kind: Kind::Command })
        };
        assert_eq!(run("true"), Outcome::Passed);
        assert_eq!(run("false"), Outcome::Failed("exit code 1".into()));
        let Outcome::Failed(how) = run("no-such-program-at-all x") else { panic!("it ran") };
        assert!(how.starts_with("no-such-program-at-all did not start: "), "{how}");
    }

    #[test]
    fn a_missing_component_is_installed_or_the_step_fails() {
        let refuse = || -> Result<(), String> { panic!("installed without need") };
        assert_eq!(ensure("clippy", || true, refuse), Ok(()));

        let installed = Cell::new(false);
        let install = || {
            installed.set(true);
            Ok(())
        };
        assert_eq!(ensure("clippy", || installed.get(), install), Ok(()));

        for install in [Ok(()), Err("exit status: 1".to_owned())] {
            let message = ensure("clippy", || false, || install).unwrap_err();
            assert!(message.starts_with("clippy is missing, and `rustup component add clippy` could not"), "{message}");
        }
    }

    #[test]
    fn every_feature_of_the_library_is_tested() {
        let manifest = std::fs::read_to_string(crate::root().join("crates/retrospect/Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let features = manifest["features"].as_table().unwrap();
        let by_default: Vec<&str> = features["default"].as_array().unwrap().iter().filter_map(|f| f.as_str()).collect();
        let mut optional: Vec<String> = features.keys().map(|feature| format!("retrospect/{feature}")).collect();
        optional.retain(|feature| !feature.ends_with("/default") && !by_default.iter().any(|f| feature.ends_with(f)));
        optional.sort();
        assert_eq!(FEATURES.split(',').collect::<Vec<_>>(), optional);
    }

    #[test]
    fn the_suite_ends_with_the_demo_of_the_readme() {
        let steps = steps();
        assert_eq!(steps.last().unwrap().line(), "cargo run --release -- demo");
    }
}
