//! Building, listing and running tests, by cargo.

use clap::Args;
use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// What is passed on to cargo.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Passed on to cargo")]
pub struct Selection {
    /// Look in this package only; may be given several times.
    #[arg(short, long, value_name = "SPEC")]
    package: Vec<String>,
    /// Look in all packages of the workspace.
    #[arg(long)]
    workspace: bool,
    /// Look in the unit tests of the library.
    #[arg(long)]
    lib: bool,
    /// Look in the unit tests of this binary.
    #[arg(long, value_name = "NAME")]
    bin: Vec<String>,
    /// Look in this integration test.
    #[arg(long, value_name = "NAME")]
    test: Vec<String>,
    /// Features to turn on.
    #[arg(short = 'F', long, value_name = "FEATURES")]
    features: Vec<String>,
    /// Turn on all features.
    #[arg(long)]
    all_features: bool,
    /// Leave the default features off.
    #[arg(long)]
    no_default_features: bool,
    /// Build with optimizations.
    #[arg(short, long)]
    release: bool,
    /// Build with this profile.
    #[arg(long, value_name = "NAME", conflicts_with = "release")]
    profile: Option<String>,
    /// The Cargo.toml of the package or workspace.
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// Where cargo keeps what it builds.
    #[arg(long, value_name = "DIRECTORY")]
    target_dir: Option<PathBuf>,
    /// Do not use the network.
    #[arg(long)]
    offline: bool,
    /// Do not change Cargo.lock.
    #[arg(long)]
    locked: bool,
}

impl Selection {
    /// Whether it says which targets to look in.
    pub fn names_targets(&self) -> bool {
        self.lib || !self.bin.is_empty() || !self.test.is_empty()
    }

    /// The same, in these targets of this package.
    pub fn within(&self, package: &str, targets: &[(String, Kind)]) -> Selection {
        let mut selection = Selection { package: vec![package.to_owned()], workspace: false, ..self.clone() };
        if !self.names_targets() {
            for (name, kind) in targets {
                match kind {
                    Kind::Lib => selection.lib = true,
                    Kind::Bin => selection.bin.push(name.clone()),
                    Kind::Test => selection.test.push(name.clone()),
                    Kind::Other => {}
                }
            }
        }
        selection
    }

    fn of_workspace(&self, command: &mut Command) {
        if let Some(path) = &self.manifest_path {
            command.arg("--manifest-path").arg(path);
        }
        for (is_on, flag) in [(self.offline, "--offline"), (self.locked, "--locked")] {
            if is_on {
                command.arg(flag);
            }
        }
    }

    fn of_build(&self, command: &mut Command) {
        self.of_workspace(command);
        if let Some(directory) = &self.target_dir {
            command.arg("--target-dir").arg(directory);
        }
        let options = self.options();
        if !options.is_empty() {
            // For the commands that a test prints.
            command.env("RETROSPECT_CARGO_OPTIONS", options.join(" "));
        }
        command.args(options);
    }

    /// What decides which tests there are in a target.
    fn options(&self) -> Vec<String> {
        let mut options = Vec::new();
        if let Some(profile) = &self.profile {
            options.extend(["--profile".to_owned(), profile.clone()]);
        }
        for features in &self.features {
            let features = features.split_whitespace().collect::<Vec<_>>().join(",");
            options.extend(["--features".to_owned(), features]);
        }
        for (is_on, flag) in [
            (self.all_features, "--all-features"),
            (self.no_default_features, "--no-default-features"),
            (self.release, "--release"),
        ] {
            if is_on {
                options.push(flag.to_owned());
            }
        }
        options
    }

    fn of_targets(&self, command: &mut Command) {
        for package in &self.package {
            command.args(["--package", package]);
        }
        if self.workspace {
            command.arg("--workspace");
        }
        if self.lib {
            command.arg("--lib");
        }
        for name in &self.bin {
            command.args(["--bin", name]);
        }
        for name in &self.test {
            command.args(["--test", name]);
        }
        if !self.names_targets() {
            // All but the tests in documentation.
            command.arg("--tests");
        }
    }
}

/// A package of the workspace.
#[derive(Debug)]
pub struct Package {
    pub id: String,
    pub directory: PathBuf,
    pub targets: Vec<(String, Kind)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Lib,
    Bin,
    Test,
    Other,
}

impl Kind {
    fn of(target: &Value) -> Kind {
        let kinds: Vec<&str> = texts(&target["kind"]);
        match kinds.first() {
            Some(&"bin") => Kind::Bin,
            Some(&"test") => Kind::Test,
            Some(&("bench" | "example" | "custom-build")) | None => Kind::Other,
            // `lib`, `rlib`, `cdylib`, `proc-macro` and so on: there is one of them at most.
            Some(_) => Kind::Lib,
        }
    }
}

/// The packages of the workspace.
pub fn packages(selection: &Selection) -> Result<Vec<Package>, String> {
    let metadata = metadata(selection)?;
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(packages
        .iter()
        .map(|package| Package {
            id: text(&package["id"]),
            directory: Path::new(&text(&package["manifest_path"])).parent().map(Path::to_owned).unwrap_or_default(),
            targets: (package["targets"].as_array().into_iter().flatten())
                .map(|target| (text(&target["name"]), Kind::of(target)))
                .collect(),
        })
        .collect())
}

fn metadata(selection: &Selection) -> Result<Value, String> {
    let mut command = cargo();
    command.args(["metadata", "--no-deps", "--format-version", "1", "--quiet"]);
    selection.of_workspace(&mut command);
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| not_started(&error))?;
    if !output.status.success() {
        return Err("cargo does not find the package: its message is above".to_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("`cargo metadata` cannot be read: {error}"))
}

/// A test in a binary that cargo has built.
#[derive(Clone, Debug)]
pub struct Test {
    pub package: String,
    pub directory: PathBuf,
    pub target: String,
    pub kind: Kind,
    /// As the harness calls it: its path without the crate.
    pub name: String,
}

impl Test {
    /// With the crate, as a property is saved.
    pub fn path(&self) -> String {
        format!("{}::{}", self.target.replace('-', "_"), self.name)
    }
}

/// Where cargo keeps what it builds.
pub fn target_directory(selection: &Selection) -> Result<PathBuf, String> {
    if let Some(directory) = &selection.target_dir {
        return std::path::absolute(directory).map_err(|error| format!("{}: {error}", directory.display()));
    }
    Ok(PathBuf::from(text(&metadata(selection)?["target_directory"])))
}

/// The root of the workspace.
pub fn workspace_root(selection: &Selection) -> Result<PathBuf, String> {
    Ok(PathBuf::from(text(&metadata(selection)?["workspace_root"])))
}

/// Builds the tests that are selected, with these variables: the binaries. Cargo's own words go to
/// the standard error.
pub fn build(selection: &Selection, variables: &[(&'static str, OsString)]) -> Result<Vec<PathBuf>, String> {
    let messages = built(selection, variables)?;
    let mut binaries = Vec::new();
    for message in &messages {
        binaries
            .extend(message["executable"].as_str().filter(|_| message["profile"]["test"] == true).map(PathBuf::from));
    }
    Ok(binaries)
}

/// What cargo tells of the tests that it built.
fn built(selection: &Selection, variables: &[(&'static str, OsString)]) -> Result<Vec<Value>, String> {
    let mut command = cargo();
    command.args(["test", "--no-run", "--message-format=json-render-diagnostics"]);
    selection.of_build(&mut command);
    selection.of_targets(&mut command);
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| not_started(&error))?;
    if !output.status.success() {
        return Err("the tests cannot be built: what cargo says is above".to_owned());
    }
    Ok(output.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

/// What runs all tests that are selected, with these arguments for their harness. What says what to
/// run is not in its environment.
pub fn of_all(selection: &Selection, harness: &[OsString]) -> Command {
    let mut command = cargo();
    command.args(["test", "--quiet", "--no-fail-fast"]);
    selection.of_build(&mut command);
    selection.of_targets(&mut command);
    command.arg("--").args(harness);
    for ours in OURS {
        command.env_remove(ours);
    }
    command
}

/// Builds the tests that are selected and lists them. Cargo's own words go to the standard error.
pub fn list(selection: &Selection) -> Result<Vec<Test>, String> {
    let mut tests = Vec::new();
    for message in built(selection, &[])? {
        let (Some(executable), true) = (message["executable"].as_str(), message["profile"]["test"] == true) else {
            continue;
        };
        let target = &message["target"];
        let found = Test {
            package: text(&message["package_id"]),
            directory: Path::new(&text(&message["manifest_path"])).parent().map(Path::to_owned).unwrap_or_default(),
            target: text(&target["name"]),
            kind: Kind::of(target),
            name: String::new(),
        };
        for name in names_in(selection, &found, executable.as_ref()) {
            tests.push(Test { name, ..found.clone() });
        }
    }
    // Cargo tells of what it built in any order.
    tests.sort_by_key(Test::path);
    Ok(tests)
}

/// The names of the tests in a binary; none if it is no test harness that lists them.
fn names_in(selection: &Selection, test: &Test, executable: &OsStr) -> Vec<String> {
    const LIST: [&str; 3] = ["--list", "--format", "terse"];
    let mut command = Command::new(executable);
    command.args(LIST).current_dir(&test.directory).env("CARGO_MANIFEST_DIR", &test.directory);
    let listed = command.stdin(Stdio::null()).output().ok().filter(|output| output.status.success());
    // Some start only with what cargo puts into the environment, as the tests of a procedural macro
    // do.
    let listed = listed.or_else(|| of_one(selection, test, &LIST).stdin(Stdio::null()).output().ok());
    let text = listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

/// What a run of one test left behind.
pub struct Ran {
    /// What cargo and the test printed, in case that there is nothing better to show.
    pub printed: String,
    pub is_success: bool,
}

/// Runs one test. What it says on the standard error, such as that a case takes long, is passed on
/// at once.
pub fn run(selection: &Selection, test: &Test, variables: &[(&str, OsString)]) -> Result<Ran, String> {
    let mut command = of_one(selection, test, &["--exact", &test.name, "--include-ignored"]);
    for (name, _) in std::env::vars_os() {
        if OURS.iter().any(|ours| name == *ours) {
            command.env_remove(name);
        }
    }
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| not_started(&error))?;
    let errors = child.stderr.take().map(|stderr| thread::spawn(|| pass_on(BufReader::new(stderr))));
    let output = child.wait_with_output().map_err(|error| not_started(&error))?;
    let passed_on = errors.and_then(|errors| errors.join().ok()).unwrap_or_default();
    let printed = format!("{}{passed_on}", String::from_utf8_lossy(&output.stdout));
    Ok(Ran { printed, is_success: output.status.success() })
}

/// Variables that say what to run: here, only the command line does.
const OURS: [&str; 8] = [
    "RETROSPECT_PROPERTY",
    "RETROSPECT_REPLAY_FILE",
    "RETROSPECT_REPLAY",
    "RETROSPECT_VALUE",
    "RETROSPECT_VALUE_FILE",
    "RETROSPECT_TEXT_FILE",
    "RETROSPECT_SHRINK",
    "RETROSPECT_RESULT_FILE",
];

/// Passes on what is written, without cargo's last words on a test that failed: those it returns.
fn pass_on(lines: impl BufRead) -> String {
    let mut kept = String::new();
    for line in lines.split(b'\n').map_while(Result::ok) {
        let text = String::from_utf8_lossy(&line);
        if !kept.is_empty() || text.starts_with("error: test failed, to rerun pass") {
            kept += &text;
            kept.push('\n');
        } else {
            // Who reads it may have gone away.
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }
    kept
}

fn of_one(selection: &Selection, test: &Test, arguments: &[&str]) -> Command {
    let mut command = cargo();
    command.args(["test", "--quiet"]);
    selection.of_build(&mut command);
    command.args(["--package", &test.package]);
    match test.kind {
        Kind::Lib => command.arg("--lib"),
        Kind::Bin => command.args(["--bin", &test.target]),
        Kind::Test => command.args(["--test", &test.target]),
        Kind::Other => command.arg("--tests"),
    };
    command.arg("--").args(arguments);
    command
}

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn not_started(error: &std::io::Error) -> String {
    format!("cargo cannot be started: {error}")
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}
