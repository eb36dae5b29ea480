//! `cargo retrospect replay`.

use crate::answer::{self, Verdict};
use crate::cargo::{Selection, Test};
use crate::given::Told;
use crate::properties::{self, Meant};
use clap::Args;
use std::process::ExitCode;

/// Run a saved case once more, or all saved cases of a property, and nothing else.
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub struct Replay {
    /// The id of a saved case; or a property, by its path or a part of it that no other test has.
    #[arg(value_name = "CASE OR PROPERTY")]
    wanted: String,
    /// Of this property, only this saved case.
    #[arg(long, value_name = "ID")]
    case: Option<String>,
    /// Print an object of JSON for each case instead of the reports.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    selection: Selection,
}

const AFTER: &str = "\
Exit codes:
  0  every case passes
  1  a case fails
  2  nothing could be run: no such case, one that cannot be made any more, a crate that does not compile

Without this tool:
  RETROSPECT_REPLAY=c335d cargo test round_trip";

pub fn run(command: &Replay) -> ExitCode {
    match replay(command) {
        Ok(code) => code,
        Err(problem) => {
            answer::refuse(&problem, command.json);
            ExitCode::from(2)
        }
    }
}

fn replay(command: &Replay) -> Result<ExitCode, String> {
    let folder = tempfile::Builder::new().prefix("cargo-retrospect-").tempdir();
    let folder = folder.map_err(|error| format!("there is no place for temporary files: {error}"))?;
    let (test, cases) = meant(command)?;
    let mut worst = 0;
    for told in cases {
        // A case is shown as it is saved.
        let settings = [("RETROSPECT_VERBOSE", "0".into())];
        match answer::ask(&command.selection, &test, &told, &settings, !command.json, folder.path()) {
            Err(problem) => {
                answer::refuse(&problem, command.json);
                worst = 2;
            }
            Ok(answer) => {
                let fails = answer.verdict() == Verdict::Fails;
                worst = worst.max(u8::from(fails));
                answer::print(&match (command.json, fails) {
                    (true, _) => answer.json(),
                    (false, true) => answer.report(),
                    (false, false) => format!("PASS  {}    saved case {} passes\n", test.name, told.value.display()),
                });
            }
        }
    }
    Ok(ExitCode::from(worst))
}

fn meant(command: &Replay) -> Result<(Test, Vec<Told>), String> {
    let Replay { wanted, case, selection, .. } = command;
    if let Some(id) = case {
        let (test, told) = properties::told(selection, wanted, Told::case(id), Some(id))?;
        return Ok((test, vec![told]));
    }
    match properties::case_or_property(selection, wanted)? {
        Meant::Case(saved) => {
            let told = saved.tell();
            Ok((saved.test, vec![told]))
        }
        Meant::Property(test, cases) if cases.is_empty() => Err(format!("nothing is saved for `{}`", test.path())),
        Meant::Property(test, cases) => Ok((test, cases)),
    }
}
