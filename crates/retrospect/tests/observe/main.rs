//! What is written down about a run: the lines, the events, and how cases are steered by them.
//!
//! The properties are those of a throw-away crate, which is built once. The tests run them in
//! processes of their own, with the variables set.

mod lines;
#[allow(dead_code)]
#[path = "../under_cargo/project.rs"]
mod project;
mod schema;
mod steering;
mod writing;

use project::Project;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own for each test, which is gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("retrospect-observe-{name}-{process}-{count}"));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The lines of all files in a folder of it, each read as JSON; nothing is skipped.
    fn lines(&self, folder: &str) -> Vec<Value> {
        let mut lines = Vec::new();
        for file in files(&self.path(folder)) {
            let text = std::fs::read_to_string(file).unwrap();
            assert!(text.is_empty() || text.ends_with('\n'));
            for line in text.lines() {
                lines.push(serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")));
            }
        }
        lines
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .collect();
    files.sort();
    files
}

/// What the properties are in.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
    let project = Project::new("observed-properties")
        .file("src/lib.rs", "")
        .file("tests/observe.rs", include_str!("fixtures/properties.rs"));
    let output = project.command(&["--test", "observe", "--no-run", "--message-format=json"], &[]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let messages =
        output.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let programs: Vec<PathBuf> = messages.filter_map(|message| Some(message["executable"].as_str()?.into())).collect();
    programs[0].clone()
});

/// It with nothing in its environment that changes what it does.
fn command() -> Command {
    let mut command = Command::new(&*PROGRAM);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("RETROSPECT_")) {
        command.env_remove(name);
    }
    command.env("RETROSPECT_SAVE", "false").env("RETROSPECT_SEED", "7").env("RUST_BACKTRACE", "0");
    command
}

/// Runs properties.
fn run(properties: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = command();
    command.arg("--exact").args(properties);
    command.envs(variables.iter().copied()).output().unwrap()
}

/// Runs one property with its lines written to a folder: what it printed, the lines, the events.
fn observed(property: &str, variables: &[(&str, &str)]) -> (Output, Vec<Value>, Vec<Value>) {
    let folder = Folder::new(property);
    let directory = folder.path("seen");
    let output = run(&[property], &[&[("RETROSPECT_OBSERVE", directory.to_str().unwrap())], variables].concat());
    (output, folder.lines("seen"), folder.lines("seen/events"))
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_else(|| panic!("no text `{name}` in {value}"))
}

fn of_kind<'v>(events: &'v [Value], kind: &str) -> Vec<&'v Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}
