//! `cargo retrospect ui` and `cargo retrospect report`: the page that shows what was tested.
//!
//! | file | what |
//! | --- | --- |
//! | `follow` | reads the files in a thread of its own, as they grow |
//! | `serve` | the address, the routes, who may ask |
//! | `answers` | what the page asks for |
//! | `steering` | runs a test again with a generator that was tuned by examples |
//! | `source` | files of source, for the view of covered lines |
//! | `bundle` | the page itself, built from `page/` at the root of the repository |
//! | `report` | the page and its data in one file |

mod answers;
mod browser;
mod bundle;
mod follow;
mod report;
mod serve;
mod source;
mod steering;

pub use report::{Report, run as run_report};

use clap::Args;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Show what was tested, in the browser: every property, its distribution, its counterexamples;
/// live while tests run.
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub struct Ui {
    /// Files of observations, and directories with such files (*.jsonl); those of Hypothesis and
    /// QuickCheck too.
    ///
    /// Without any: what `cargo retrospect test` wrote (target/retrospect/observed),
    /// .hypothesis/observed and .quickcheck/observations.
    #[arg(value_name = "FILE OR DIRECTORY")]
    paths: Vec<PathBuf>,
    /// Serve at this port of this machine. Without it: 7357, or the next that is free.
    #[arg(long, value_name = "NUMBER")]
    port: Option<u16>,
    /// Do not open a browser.
    #[arg(long)]
    no_open: bool,
    /// Where sources are: files outside of it are not shown. Without it: the workspace.
    #[arg(long, value_name = "DIRECTORY")]
    root: Option<PathBuf>,
    /// Passed on to `cargo test` when the page runs a test again.
    #[arg(last = true, value_name = "FOR CARGO TEST")]
    cargo: Vec<String>,
}

const AFTER: &str = "\
The page is served to this machine alone. The address that is printed has a key in it: without the key one can look, but not run tests.

Exit codes:
  0  ended by the user
  2  the page could not be served: a path that is not there, a port that is taken";

pub fn run(command: &Ui) -> ExitCode {
    match serve(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::from(2)
        }
    }
}

fn serve(command: &Ui) -> Result<(), String> {
    let root = match &command.root {
        Some(root) => root.clone(),
        None => workspace(),
    };
    let root = root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))?;
    let paths = observed(&command.paths, &root)?;
    let listener = serve::listen(command.port)?;
    let key = serve::new_key();
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let followed = follow::start(paths.clone());
    let url = format!("http://{address}/#key={key}");
    println!("{url}");
    for path in &paths {
        println!("  shows {}", path.display());
    }
    println!("  ends with Ctrl-C");
    let _ = std::io::stdout().flush();
    if !command.no_open && !browser::open(&url) {
        println!("  no browser was found: open the address above");
    }
    serve::serve(listener, followed, serve::Settings { key, root, cargo: command.cargo.clone() })
}

/// What is to be shown: what was named, or the places where tools write.
fn observed(named: &[PathBuf], root: &Path) -> Result<Vec<PathBuf>, String> {
    if !named.is_empty() {
        for path in named {
            if !path.exists() {
                return Err(format!(
                    "{} is not there: name a file of observations (*.jsonl), or a directory with such files",
                    path.display()
                ));
            }
        }
        return Ok(named.to_vec());
    }
    let own = target_directory(root).join("retrospect").join("observed");
    let others = [root.join(".hypothesis").join("observed"), root.join(".quickcheck").join("observations")];
    let mut found = vec![own];
    found.extend(others.into_iter().filter(|path| path.is_dir()));
    Ok(found)
}

fn target_directory(root: &Path) -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(directory) => root.join(directory),
        None => root.join("target"),
    }
}

/// The root of the workspace, or where we are if there is none.
fn workspace() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut locate = Command::new(cargo);
    locate.args(["locate-project", "--workspace", "--message-format", "plain"]).stderr(Stdio::null());
    let manifest = locate.output().ok().filter(|output| output.status.success());
    let manifest =
        manifest.and_then(|output| String::from_utf8(output.stdout).ok()).map(|path| PathBuf::from(path.trim()));
    manifest.and_then(|path| path.parent().map(Path::to_owned)).unwrap_or_else(|| PathBuf::from("."))
}
