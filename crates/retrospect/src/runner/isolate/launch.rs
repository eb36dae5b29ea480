//! How a process of the same program is brought to the same property.
//!
//! The test harness is asked for the one test, and the test calls the property, as it did here. A
//! variable tells the child which property is meant; any other that it comes by on the way is
//! passed over. One test may run several properties under one name (`check` twice in a function),
//! so they are counted.

use crate::runner::property::Definition;
use crate::runner::{panics, statistics};
use std::cell::RefCell;
use std::ffi::OsString;
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, thread};

/// `<path>#<which of that path> <process id of the parent>`: variables are inherited, and a program
/// that a property starts is no worker.
const VARIABLE: &str = "RETROSPECT_WORKER";

/// Where the parent waits for the worker.
const ADDRESS: &str = "RETROSPECT_WORKER_ADDRESS";

/// What this process is to a property.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Role {
    /// The property is run.
    Runner,
    /// Cases of the property are run for another process.
    Worker,
    /// Another property is meant, which comes later in the same test.
    PassedOver,
}

/// Called once for each run of a property.
pub(crate) fn role(definition: &Definition<'_>) -> Role {
    // A property inside a case of another belongs to that case.
    if is_inside_a_case() || SERVES.load(Ordering::Relaxed) {
        return Role::Runner;
    }
    COUNTS.with_borrow_mut(|counts| match counts.iter_mut().find(|(path, _)| path == definition.path) {
        Some((_, count)) => *count += 1,
        None => counts.push((definition.path.to_owned(), 1)),
    });
    match env::var(VARIABLE) {
        Ok(text) if text == format!("{} {}", wanted(definition), parent_process()) => {
            SERVES.store(true, Ordering::Relaxed);
            Role::Worker
        }
        Ok(text) if text.ends_with(&format!(" {}", parent_process())) => Role::PassedOver,
        _ => Role::Runner,
    }
}

/// Where the parent of this worker waits.
pub(super) fn address() -> Option<String> {
    env::var(ADDRESS).ok()
}

/// Whether this process runs cases for another: then there is nothing left to isolate.
pub(crate) fn is_worker() -> bool {
    SERVES.load(Ordering::Relaxed)
}

/// Whether a property that begins now is part of a case of another.
pub(crate) fn is_inside_a_case() -> bool {
    statistics::is_logging() || panics::is_watching()
}

/// The path of this program, if there is no file any more.
pub(super) fn deleted_program() -> Option<String> {
    let program = env::current_exe().ok().filter(|program| !program.exists())?;
    Some(program.display().to_string().trim_end_matches(" (deleted)").to_owned())
}

/// All that is needed to start a worker, also from another thread.
#[derive(Clone)]
pub(crate) struct Launch {
    /// In the order in which they are tried. Empty until the first worker is started, which most
    /// properties never do.
    ways: Vec<Vec<OsString>>,
    /// The name of the thread that runs the property, if it has one.
    thread: Option<String>,
    is_on_main_thread: bool,
    test: String,
    wanted: String,
}

impl Launch {
    /// For the property that is about to run on this thread.
    pub(crate) fn of(definition: &Definition<'_>) -> Launch {
        let thread = thread::current();
        let is_on_main_thread = thread.name() == Some("main");
        let thread = thread.name().filter(|_| !is_on_main_thread).map(str::to_owned);
        let test = definition.test_name().to_owned();
        Launch { ways: Vec::new(), thread, is_on_main_thread, test, wanted: wanted(definition) }
    }

    fn find_ways(&self) -> Vec<Vec<OsString>> {
        let mut ways = Vec::new();
        let mut add = |way: Vec<OsString>| {
            if !ways.contains(&way) {
                ways.push(way);
            }
        };
        // The harness calls a test's thread by the test's name, and uses the main thread only if it
        // is to use one.
        if let Some(name) = &self.thread {
            add(harness(name));
        }
        if !self.is_on_main_thread || harness_uses_main_thread() {
            add(harness(&self.test));
        }
        if self.is_on_main_thread && !is_told_how_many_threads() {
            let mut arguments = Vec::new();
            for argument in env::args_os().skip(1) {
                arguments.push(argument);
            }
            add(arguments);
        }
        ways
    }

    pub(super) fn n_ways(&mut self) -> usize {
        if self.ways.is_empty() {
            self.ways = self.find_ways();
        }
        self.ways.len()
    }

    /// Leaves one way: the one that leads there.
    pub(super) fn keep_only(&mut self, way: usize) {
        self.ways = vec![self.ways.swap_remove(way)];
    }

    pub(super) fn command(&self, way: usize, address: &str) -> std::io::Result<Command> {
        let mut command = Command::new(env::current_exe()?);
        command
            .args(&self.ways[way])
            .env(VARIABLE, format!("{} {}", self.wanted, std::process::id()))
            .env(ADDRESS, address);
        Ok(command)
    }

    /// As one would type it.
    pub(super) fn text(&self, way: usize) -> String {
        let program = env::current_exe().unwrap_or_default();
        let mut text = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for word in &self.ways[way] {
            if !text.is_empty() {
                text.push(' ');
            }
            text += &word.to_string_lossy();
        }
        text
    }
}

static SERVES: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// How many properties of each path this thread has begun.
    static COUNTS: RefCell<Vec<(String, u32)>> = const { RefCell::new(Vec::new()) };
}

/// The property, and which one of its path it is.
fn wanted(definition: &Definition<'_>) -> String {
    let path = definition.path;
    let count =
        COUNTS.with_borrow(|counts| counts.iter().find(|(known, _)| known == path).map_or(1, |(_, count)| *count));
    format!("{path}#{count}")
}

fn harness(name: &str) -> Vec<OsString> {
    let mut arguments = Vec::new();
    for argument in [name, "--exact", "--include-ignored", "--nocapture", "--test-threads=1"] {
        arguments.push(OsString::from(argument));
    }
    arguments
}

/// Whether the property is called by a program of the user's own, and not by a test harness.
pub(crate) fn is_own_program() -> bool {
    thread::current().name() == Some("main") && !harness_uses_main_thread()
}

/// Asked for each property, and answered once: to count the cores takes longer than to run a case.
fn harness_uses_main_thread() -> bool {
    static USES: LazyLock<bool> = LazyLock::new(|| {
        is_told_how_many_threads()
            || env::var_os("RUST_TEST_THREADS").is_some()
            || thread::available_parallelism().is_ok_and(|threads| threads.get() == 1)
    });
    *USES
}

fn is_told_how_many_threads() -> bool {
    env::args_os().any(|argument| argument.to_string_lossy().starts_with("--test-threads"))
}

#[cfg(unix)]
fn parent_process() -> u32 {
    std::os::unix::process::parent_id()
}

/// Where the parent cannot be asked for, what the variable says is believed.
#[cfg(not(unix))]
fn parent_process() -> u32 {
    let said = env::var(VARIABLE).ok();
    said.and_then(|text| text.rsplit(' ').next().and_then(|id| id.parse().ok())).unwrap_or(0)
}
