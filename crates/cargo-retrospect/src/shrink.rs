//! `cargo retrospect shrink`.

use crate::answer::{self, Answer, Verdict};
use crate::cargo::{Selection, Test};
use crate::given::{Given, Told};
use crate::properties::{self, Meant};
use clap::Args;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Shrink any value on which a property fails, from a log, a file or a saved case.
///
/// The property is run on the value; if it fails, the value is made as small as can be, and
/// the smallest is saved with the other counterexamples of the property. This ends when nothing
/// simpler has been found for a while; with --time or --runs it goes on that far. What is
/// reached is saved every few seconds, so it can be stopped at any time.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = AFTER)]
pub struct Shrink {
    /// The property, by its path or a part of it that no other test has, or the id of a saved case.
    #[arg(value_name = "PROPERTY OR CASE")]
    wanted: String,
    /// Stop after this long: 500ms, 30s, 5m, 1h.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    time: Option<String>,
    /// Stop after this many runs of the property.
    #[arg(long, value_name = "NUMBER")]
    runs: Option<u64>,
    /// Show each step, what the runs were spent on, and what passes next to the smallest value.
    #[arg(short, long, visible_alias = "log")]
    verbose: bool,
    /// Print one object of JSON instead of the report.
    #[arg(long)]
    json: bool,
    /// Save nothing.
    #[arg(long)]
    no_save: bool,
    #[command(flatten)]
    given: Given,
    #[command(flatten)]
    selection: Selection,
}

const EXAMPLES: &str = "\
Examples:
  cargo retrospect shrink round_trip --value-file crash.txt
  cargo retrospect shrink inserts --value 'tree = Node(Leaf, 4, Leaf); key = 4' -v
  cargo retrospect shrink parses --text-file doc.json --time 10m
  cargo retrospect shrink c335d";

const AFTER: &str = "\
Examples:
  cargo retrospect shrink round_trip --value-file crash.txt
  cargo retrospect shrink inserts --value 'tree = Node(Leaf, 4, Leaf); key = 4' -v
  cargo retrospect shrink parses --text-file doc.json --time 10m
  cargo retrospect shrink c335d

Exit codes:
  0  the property fails on the value; what it shrank to is reported, and saved unless it was not to be
  1  the property does not fail on the value
  2  nothing could be run (no such property, a value that cannot be read or made, a crate that does not compile),
     the failure did not come again, or the result could not be saved

Without this tool:
  RETROSPECT_SHRINK=1 RETROSPECT_VALUE_FILE=crash.txt cargo test round_trip";

pub fn run(command: &Shrink) -> ExitCode {
    match shrink(command) {
        Ok(code) => code,
        Err(problem) => {
            answer::refuse(&problem, command.json);
            ExitCode::from(2)
        }
    }
}

fn shrink(command: &Shrink) -> Result<ExitCode, String> {
    let folder = tempfile::Builder::new().prefix("cargo-retrospect-").tempdir();
    let folder = folder.map_err(|error| format!("there is no place for temporary files: {error}"))?;
    let (test, told) = meant(command, folder.path())?;
    let mut settings: Vec<(&'static str, OsString)> = vec![("RETROSPECT_SHRINK", "1".into())];
    if let Some(time) = &command.time {
        settings.push(("RETROSPECT_SHRINK_TIME", time.into()));
    }
    if let Some(runs) = command.runs {
        settings.push(("RETROSPECT_SHRINK_RUNS", runs.to_string().into()));
    }
    if command.verbose {
        settings.push(("RETROSPECT_VERBOSE", "2".into()));
    }
    if command.no_save {
        settings.push(("RETROSPECT_SAVE", "false".into()));
    }
    let answer = answer::ask(&command.selection, &test, &told, &settings, !command.json, folder.path())?;
    answer::print(&if command.json { answer.json() } else { told_to_people(&answer, &test) });
    Ok(code(&answer))
}

fn meant(command: &Shrink, folder: &Path) -> Result<(Test, Told), String> {
    let Shrink { wanted, given, selection, .. } = command;
    if let Some(told) = given.tell(folder)? {
        return properties::told(selection, wanted, told, given.case.as_deref());
    }
    match properties::case_or_property(selection, wanted)? {
        Meant::Case(saved) => {
            let told = saved.tell();
            Ok((saved.test, told))
        }
        Meant::Property(test, mut cases) => match cases.len() {
            1 => Ok((test, cases.remove(0))),
            0 => Err(format!(
                "what is `{}` to be shrunk on? Nothing is saved for it; give it a --value, a --value-file or a --text-file",
                test.path()
            )),
            _ => {
                let ids: Vec<_> = cases.iter().map(|case| case.value.display().to_string()).collect();
                Err(format!("`{}` has several saved cases: --case {}", test.path(), ids.join(", or --case ")))
            }
        },
    }
}

fn told_to_people(answer: &Answer, test: &Test) -> String {
    match answer.verdict() {
        Verdict::Fails => answer.report(),
        Verdict::Passes => format!("PASS  {}    it does not fail on the given value\n", test.name),
    }
}

fn code(answer: &Answer) -> ExitCode {
    let is_done = !matches!(answer.get("end").as_str(), "flaky" | "not possible") && answer.get("not_saved").is_empty();
    match answer.verdict() {
        Verdict::Passes => ExitCode::from(1),
        Verdict::Fails if is_done => ExitCode::SUCCESS,
        Verdict::Fails => ExitCode::from(2),
    }
}

/// A duration as the library reads it, so that a mistake is told before anything is built.
fn duration(text: &str) -> Result<String, String> {
    let number = text.trim().trim_end_matches(|char: char| char.is_ascii_alphabetic()).trim_end();
    let unit = text.trim()[number.len()..].trim();
    if number.parse::<f64>().is_ok_and(|number| number >= 0.0) && matches!(unit, "ms" | "s" | "m" | "h") {
        return Ok(text.to_owned());
    }
    Err("a duration is a number with a unit: 500ms, 30s, 5m or 1h".to_owned())
}
