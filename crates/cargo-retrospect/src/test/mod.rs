//! `cargo retrospect test`: the tests with statistics on, and what they mean.

mod others;
mod progress;
mod session;
mod summary;

use crate::answer;
use crate::cargo::{self, Selection};
use crate::coverage;
use clap::Args;
use others::Others;
use progress::Progress;
use retrospect_stats::read::Follower;
use retrospect_stats::summary::{Store, Verdict};
use serde_json::{Value, json};
use session::Session;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::PathBuf;
use std::process::{Child, ExitCode, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};
pub use summary::{Look, of_run};

/// Run the tests, and say of each property what was tested: how large and how varied its values
/// were, what was discarded and why, where the time went, and what to do about it.
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub struct Test {
    /// Only tests whose names contain one of these.
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// Print an object of JSON for each property instead of text, and one for all of them at the
    /// end.
    #[arg(long)]
    json: bool,
    /// Fail if there is anything to warn of.
    #[arg(long)]
    deny_warnings: bool,
    /// How many cases to run of each property that does not say so itself.
    #[arg(long, value_name = "NUMBER")]
    cases: Option<u64>,
    /// Write the cases to this folder instead of a new one in the target directory.
    #[arg(long, value_name = "FOLDER")]
    observe: Option<PathBuf>,
    /// Count for each case which lines of the workspace it runs: for the page. Tests then run one
    /// after the other, from a build of their own. On Linux alone.
    #[arg(long)]
    coverage: bool,
    /// Also write the cases where Tyche's extension for editors looks: `.quickcheck/observations`.
    #[arg(long)]
    tyche: bool,
    #[command(flatten)]
    selection: Selection,
    /// Passed on to the test harness.
    #[arg(last = true, value_name = "HARNESS OPTIONS")]
    harness: Vec<OsString>,
}

const AFTER: &str = "\
Exit codes:
  0  every test passes
  1  a test fails; or, with --deny-warnings, there is something to warn of
  2  nothing could be run: a crate that does not compile, no property that matches

Without this tool:
  RETROSPECT_OBSERVE=folder cargo test";

pub fn run(command: &Test) -> ExitCode {
    match test(command) {
        Ok(code) => code,
        Err(problem) => {
            answer::refuse(&problem, command.json);
            ExitCode::from(2)
        }
    }
}

fn test(command: &Test) -> Result<ExitCode, String> {
    let session = Session::begin(&command.selection, command.observe.as_deref())?;
    let ended = run_in(&session, command);
    if ended.is_err() {
        session.forget();
    }
    ended
}

fn run_in(session: &Session, command: &Test) -> Result<ExitCode, String> {
    let counting = if command.coverage { coverage::variables()? } else { Vec::new() };
    let binaries = cargo::build(&command.selection, &counting)?;
    if command.coverage {
        let root = cargo::workspace_root(&command.selection)?;
        for binary in binaries {
            coverage::write_map(&binary, &root, &session.maps())?;
        }
    }
    let ran = conduct(command, session, &counting)?;
    let outcome = Outcome::of(&ran);
    if outcome.n_properties == 0 {
        ran.others.print_all();
        return Err(nothing_ran(command, ran.is_success));
    }
    match command.json {
        true => print_json(&ran, &outcome, session),
        false => print_text(&ran, &outcome, session),
    }
    let is_denied = command.deny_warnings && outcome.n_warnings > 0;
    Ok(ExitCode::from(u8::from(!ran.is_success || outcome.n_failed > 0 || is_denied)))
}

/// What the tests left behind.
struct Ran {
    store: Store,
    others: Others,
    is_success: bool,
    took: Duration,
}

/// In numbers.
struct Outcome {
    n_properties: usize,
    n_failed: usize,
    n_warned: usize,
    n_warnings: usize,
    n_cases: u64,
}

impl Outcome {
    fn of(ran: &Ran) -> Outcome {
        let mut outcome = Outcome { n_properties: 0, n_failed: 0, n_warned: 0, n_warnings: 0, n_cases: 0 };
        for run in ran.store.properties().iter().filter_map(|property| property.runs().last()) {
            outcome.n_properties += 1;
            outcome.n_failed += usize::from(run.verdict() == Verdict::Failed || run.history().ended == Some(false));
            outcome.n_warned += usize::from(run.verdict() == Verdict::Warning);
            outcome.n_warnings += run.warnings().len();
            outcome.n_cases += run.n_cases() as u64;
        }
        outcome
    }
}

/// Runs the tests, and reads what they write while they run.
fn conduct(command: &Test, session: &Session, counting: &[(&str, OsString)]) -> Result<Ran, String> {
    let started = Instant::now();
    let mut child = spawn(command, session, counting)?;
    let (tell, told) = mpsc::channel();
    let stdout = child.stdout.take().map(gather);
    let stderr = child.stderr.take().map(|stderr| {
        thread::spawn(move || {
            for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
                let _ = tell.send(String::from_utf8_lossy(&line).into_owned());
            }
        })
    });
    let mut follower = Follower::new([session.directory.clone()]);
    let mut store = Store::default();
    let mut others = Others::default();
    let mut progress = Progress::new(started);
    loop {
        match told.recv_timeout(Duration::from_millis(200)) {
            Ok(line) => others.error_line(line, &mut progress),
            Err(RecvTimeoutError::Timeout) => {
                follower.read_into(&mut store);
                progress.show(&store);
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = child.wait().map_err(|error| format!("cargo cannot be waited for: {error}"))?;
    progress.end();
    let printed = stdout.and_then(|reader| reader.join().ok()).unwrap_or_default();
    stderr.map(thread::JoinHandle::join);
    follower.read_into(&mut store);
    others.printed = String::from_utf8_lossy(&printed).into_owned();
    Ok(Ran { store, others, is_success: status.success(), took: started.elapsed() })
}

fn spawn(command: &Test, session: &Session, counting: &[(&str, OsString)]) -> Result<Child, String> {
    let mut harness: Vec<OsString> = command.filters.iter().map(OsString::from).collect();
    harness.extend(command.harness.iter().cloned());
    let is_told = harness.iter().any(|option| option.to_string_lossy().starts_with("--test-threads"));
    if command.coverage && !is_told {
        // Counters are those of the whole process.
        harness.push("--test-threads=1".into());
    }
    let mut run = cargo::of_all(&command.selection, &harness);
    run.envs(counting.iter().map(|(name, value)| (name, value)));
    if command.coverage {
        run.env("RETROSPECT_COVERAGE_MAP", session.maps());
    }
    run.env("RETROSPECT_OBSERVE", &session.directory);
    if command.tyche {
        run.env("RETROSPECT_TYCHE", "true");
    }
    if let Some(cases) = command.cases {
        run.env("RETROSPECT_CASES", cases.to_string());
    }
    for (name, value) in answer::looks(!command.json) {
        run.env(name, value);
    }
    run.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    run.spawn().map_err(|error| format!("cargo cannot be started: {error}"))
}

fn gather(mut from: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut all = Vec::new();
        let _ = from.read_to_end(&mut all);
        all
    })
}

fn nothing_ran(command: &Test, is_success: bool) -> String {
    if !is_success {
        return "no property was run, and a test fails: what was printed is above".to_owned();
    }
    let filters = match command.filters.as_slice() {
        [] => String::new(),
        filters => format!(" whose name contains {}", filters.join(" or ")),
    };
    format!(
        "no property was run: there is no test of one{filters}; -p names another package, --workspace means all of them"
    )
}

fn print_text(ran: &Ran, outcome: &Outcome, session: &Session) {
    let look = Look { is_painted: answer::is_painted(), width: answer::width() };
    // What needs eyes comes last.
    let rank = |verdict| match verdict {
        Verdict::Passed => 0,
        Verdict::Warning => 1,
        Verdict::Failed => 2,
    };
    let mut runs: Vec<(&str, &retrospect_stats::summary::Run)> = Vec::new();
    for property in ran.store.properties() {
        runs.extend(property.runs().last().map(|run| (property.name(), run)));
    }
    runs.sort_by_key(|(name, run)| (rank(run.verdict()), name.to_string()));
    for (name, run) in runs {
        answer::print(&(summary::of_run(&ran.store, name, run, &look) + "\n"));
    }
    let is_told = ran.others.print_untold(&ran.store);
    if !ran.is_success && outcome.n_failed == 0 && !is_told {
        ran.others.print_all();
    }
    answer::print(&summary::of_all(ran, outcome, session, &look));
}

fn print_json(ran: &Ran, outcome: &Outcome, session: &Session) {
    for property in ran.store.properties() {
        let Some(run) = property.runs().last() else { continue };
        let mut view = serde_json::to_value(run.view(&ran.store, &[], "", usize::MAX)).unwrap_or_default();
        if let Value::Object(members) = &mut view {
            // What only a page can show.
            for name in ["moments", "clusters", "selected", "messages", "names", "pairs"] {
                members.remove(name);
            }
            members.insert("property".to_owned(), property.name().into());
        }
        answer::print(&(view.to_string() + "\n"));
    }
    let all = json!({
        "properties": outcome.n_properties,
        "failed": outcome.n_failed,
        "with_warnings": outcome.n_warned,
        "warnings": outcome.n_warnings,
        "cases": outcome.n_cases,
        "seconds": ran.took.as_secs_f64(),
        "tests_passed": ran.is_success,
        "observed": session.directory.display().to_string(),
    });
    answer::print(&(all.to_string() + "\n"));
}

/// Whether the standard error is looked at by a person.
fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}
