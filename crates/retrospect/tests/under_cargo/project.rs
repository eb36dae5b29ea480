//! A crate that is written, run under `cargo test` and looked at.
//!
//! All of them share one target directory, so that the library is compiled once. Most tests share
//! one crate too: see [`everyday`]. The tests of `cargo-retrospect` use this file too.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Given to every run that says nothing else, so that what it prints is the same each time.
const SEED: &str = "0x7f3a";

/// A crate of its own, outside of every workspace.
pub struct Project {
    pub directory: PathBuf,
    tool: &'static [&'static str],
}

impl Project {
    /// A crate with this name. What an earlier run left in it stays, so that what is the same is
    /// not compiled again.
    pub fn new(name: &str) -> Project {
        let manifest = format!(
            "[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[workspace]\n\n{}\n{PROFILE}",
            retrospect_in("dev-dependencies")
        );
        let project = Project { directory: room().join(name), tool: &["test"] }.file("Cargo.toml", &manifest);
        // Without the network, only the versions that are known here can be used.
        let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
        if !is_newer(&project.path("Cargo.lock"), &known) {
            project.write("Cargo.lock", fs::read(known).expect("the lock file"));
        }
        project
    }

    /// The same with this file in it.
    pub fn file(self, path: &str, content: &str) -> Project {
        self.write(path, content);
        self
    }

    /// The same, run by `cargo nextest run`.
    pub fn with_nextest(&self) -> Project {
        Project { directory: self.directory.clone(), tool: &["nextest", "run"] }
    }

    /// The same without this file or directory.
    pub fn without(self, path: &str) -> Project {
        self.remove(path);
        self
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.directory.join(path)
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        if fs::read(&path).ok().as_deref() != Some(content.as_ref()) {
            fs::create_dir_all(path.parent().expect("it is inside of the crate")).expect("a directory");
            fs::write(path, content).expect("the file is written");
        }
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| format!("({path}: {error})"))
    }

    pub fn remove(&self, path: &str) {
        let path = self.path(path);
        let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        let _ = removed; // There may have been nothing.
    }

    /// Runs `cargo test` with these arguments and this environment.
    pub fn test(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
        self.output_of(self.command(arguments, environment).output().expect("cargo starts"))
    }

    /// Runs a command as a user pastes it, in this shell.
    pub fn paste(&self, shell: &str, command: &str, directory: &str) -> Output {
        let command = command.replace("<repository>", &repository().display().to_string());
        let mut pasted = self.prepared(shell, &[("CARGO_NET_OFFLINE", "true")]);
        pasted.env_remove("RETROSPECT_SEED").current_dir(self.path(directory)).args(["-c", &command]);
        self.output_of(pasted.output().expect("a shell"))
    }

    pub fn output_of(&self, output: std::process::Output) -> Output {
        let text = |bytes: Vec<u8>| self.without_what_varies(&String::from_utf8(bytes).expect("UTF-8"));
        Output { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    pub fn command(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = self.prepared(cargo, environment);
        command.args(self.tool).arg("--offline").args(arguments);
        command
    }

    /// A command with nothing in its environment that could change what it prints.
    pub fn prepared(&self, program: impl AsRef<std::ffi::OsStr>, environment: &[(&str, &str)]) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            let is_ours = ["RETROSPECT_", "CARGO_", "NEXTEST", "INSTA_", "RUST_"].iter().any(|p| name.starts_with(p));
            let is_about_building = name == "CARGO_HOME" || name == "CARGO_INCREMENTAL";
            if (is_ours && !is_about_building) || name == "NO_COLOR" || name == "COLUMNS" {
                command.env_remove(&*name);
            }
        }
        command.current_dir(&self.directory);
        command.env("CARGO_TARGET_DIR", room().join("target")).env("CARGO_TERM_COLOR", "never");
        // Warnings would be told again in each run.
        command.env("RUSTFLAGS", "--cap-lints=allow");
        command.env("RETROSPECT_SEED", SEED).envs(environment.iter().copied());
        command
    }

    /// What cargo says about compiling is left out, and what is another thing in each run is named
    /// instead.
    fn without_what_varies(&self, text: &str) -> String {
        let place = self.directory.display().to_string();
        let text = text.replace(&place, "<crate>").replace(&repository().display().to_string(), "<repository>");
        let is_kept =
            |line: &&str| is_always_said(line) && !CARGO_SAYS.iter().any(|word| line.trim_start().starts_with(word));
        let lines: Vec<String> = text.lines().filter(is_kept).map(without_what_varies).collect();
        lines.join("\n")
    }
}

fn repository() -> PathBuf {
    fs::canonicalize(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).expect("the repository")
}

/// The lines of a manifest that make the library a dependency.
pub fn retrospect_in(section: &str) -> String {
    // Seen from the library and from the crate of the subcommand alike.
    let library = fs::canonicalize(concat!(env!("CARGO_MANIFEST_DIR"), "/../retrospect")).expect("the library");
    format!("[{section}]\nretrospect = {{ path = {library:?} }}\n")
}

/// Debug information takes time to write, and nobody reads it.
pub const PROFILE: &str = "[profile.dev]\ndebug = 0\n";

const CARGO_SAYS: [&str; 8] =
    ["Compiling ", "Finished ", "Running ", "Doc-tests ", "Blocking ", "Locking ", "Adding ", "Removing "];

fn is_newer(one: &Path, other: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
    changed(one) > changed(other)
}

/// Where all crates are, and what is compiled for them.
fn room() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("under_cargo")
}

pub fn without_what_varies(line: &str) -> String {
    without_times(&without_thread(&without_others(&without_searches(&as_if_all_was_tried(line)))))
}

/// How many runs looked in vain for something simpler: as many as there was time for.
fn without_searches(line: &str) -> String {
    match (line.find("then "), line.find(" found nothing simpler, ")) {
        (Some(from), Some(to)) if from < to => {
            format!("{}{}", &line[..from], &line[to + " found nothing simpler, ".len()..])
        }
        _ => line.to_owned(),
    }
}

/// Whether there was time to try everything simpler depends on the machine. A case is called
/// minimal here in any case, and how to go on is left out. Tests of the runner have the words.
fn as_if_all_was_tried(line: &str) -> String {
    const CUT_SHORT: &str = "nothing simpler, but not all tried: ";
    let line = match line.split_once(CUT_SHORT) {
        Some((before, _)) => format!("{before}everything simpler tried, nothing fails"),
        None => line.to_owned(),
    };
    line.replace("smallest case found (not everything simpler was tried; ", "minimal case (")
        .replace("smallest found after ", "minimal after ")
        .replace("every pass tried once more, nothing simpler", "everything simpler tried, nothing fails")
        .replace("\"end\":\"stalled\"", "\"end\":\"minimal\"")
}

/// See [`as_if_all_was_tried`].
pub fn is_always_said(line: &str) -> bool {
    !(line.starts_with("  go on shrinking:  ") && line.contains("RETROSPECT_SHRINK_TIME=1m"))
}

/// How many other tests there are.
fn without_others(line: &str) -> String {
    match (line.starts_with("test result:"), line.find("measured; "), line.find(" filtered out")) {
        (true, Some(from), Some(to)) => format!("{}measured; <n>{}", &line[..from], &line[to..]),
        _ => line.to_owned(),
    }
}

/// `thread 'name' (123) panicked` has the number of a thread.
fn without_thread(line: &str) -> String {
    match (line.strip_prefix("thread '"), line.find("' ("), line.find(") panicked at")) {
        (Some(_), Some(from), Some(to)) if from < to => format!("{}{}", &line[..from + 1], &line[to + 1..]),
        _ => line.to_owned(),
    }
}

/// `0.02s`, `0.18 s`, `3.1 ms` and `900 µs` are `<time>`.
fn without_times(line: &str) -> String {
    let is_number = |word: &str| word.parse::<f64>().is_ok() && !word.starts_with(['+', '-']);
    let ends = |character: char| !character.is_alphanumeric();
    let mut out = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(|character: char| character.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let length = from.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(from.len());
        let (number, after) = from.split_at(length);
        let unit = [" s", " ms", " µs", "s"]
            .into_iter()
            .find(|unit| after.strip_prefix(unit).is_some_and(|rest| rest.is_empty() || rest.starts_with(ends)));
        let is_time =
            is_number(number) && (number.contains('.') || matches!(unit, Some(" ms" | " µs"))) && unit.is_some();
        let is_word = before.ends_with(|character: char| character.is_alphanumeric() || character == '_');
        out += before;
        match unit {
            Some(unit) if is_time && !is_word => {
                out += "<time>";
                rest = &after[unit.len()..];
            }
            _ => {
                out += number;
                rest = after;
            }
        }
    }
    out + rest
}

/// What a run left behind.
pub struct Output {
    pub stdout: String,
    pub stderr: String,
    pub code: i32,
}

impl Output {
    /// What the test itself said: what its harness shows under its name.
    pub fn of_test(&self) -> &str {
        let (_, said) = self.stdout.split_once(" stdout ----\n").unwrap_or_default();
        said.split_once("\n\nfailures:\n").map_or(said, |(said, _)| said)
    }

    /// The command that the report prints.
    #[track_caller]
    pub fn command(&self) -> &str {
        let (_, command) = self.stdout.split_once("  replay:  ").expect("a command");
        command.lines().next().expect("a line")
    }

    /// How many tests were run.
    pub fn n_tests(&self) -> u32 {
        self.stdout.matches(" ... FAILED\n").count() as u32 + self.stdout.matches(" ... ok\n").count() as u32
    }

    pub fn both(&self) -> String {
        format!("{}\n{}", self.stdout, self.stderr)
    }

    #[track_caller]
    pub fn passed(self) -> Output {
        assert_eq!(self.code, 0, "{self}");
        self
    }

    #[track_caller]
    pub fn failed(self) -> Output {
        assert_ne!(self.code, 0, "{self}");
        self
    }
}

impl fmt::Display for Output {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Output { stdout, stderr, code } = self;
        write!(formatter, "exit code {code}\n== stdout\n{}\n== stderr\n{}", stdout.trim(), stderr.trim())
    }
}

/// One property of the crate that most tests share, with nothing saved for it yet.
///
/// Tests run at the same time, also in several processes: each has its own properties, and so its
/// own files.
pub fn everyday(name: &'static str) -> Property {
    static PROJECT: LazyLock<Project> = LazyLock::new(|| {
        let project = Project::new("everyday").file("src/lib.rs", include_str!("fixtures/lib.rs"));
        let project = FIXTURES.iter().fold(project, |project, (path, source)| project.file(path, source));
        let built = project.test(&["--lib", "--no-run"], &[]);
        assert_eq!(built.code, 0, "{built}");
        project
    });
    let property = Property { project: &PROJECT, name };
    PROJECT.remove(&property.file());
    property
}

const FIXTURES: [(&str, &str); 16] = [
    ("src/broken.rs", include_str!("fixtures/broken.rs")),
    ("src/commands.rs", include_str!("fixtures/commands.rs")),
    ("src/crowd.rs", include_str!("fixtures/crowd.rs")),
    ("src/dying.rs", include_str!("fixtures/dying.rs")),
    ("src/edges.rs", include_str!("fixtures/edges.rs")),
    ("src/failing.rs", include_str!("fixtures/failing.rs")),
    ("src/functions.rs", include_str!("fixtures/functions.rs")),
    ("src/health.rs", include_str!("fixtures/health.rs")),
    ("src/isolated.rs", include_str!("fixtures/isolated.rs")),
    ("src/neighbours.rs", include_str!("fixtures/neighbours.rs")),
    ("src/plain.rs", include_str!("fixtures/plain.rs")),
    ("src/replay.rs", include_str!("fixtures/replay.rs")),
    ("src/saved.rs", include_str!("fixtures/saved.rs")),
    ("src/saying.rs", include_str!("fixtures/saying.rs")),
    ("src/searching.rs", include_str!("fixtures/searching.rs")),
    ("src/shrinking.rs", include_str!("fixtures/shrinking.rs")),
];

pub struct Property {
    pub project: &'static Project,
    name: &'static str,
}

impl Property {
    /// Runs it alone.
    pub fn run(&self, environment: &[(&str, &str)]) -> Output {
        self.project.test(&["--lib", "--", "--exact", self.name], environment)
    }

    /// The path of the file with its counterexamples.
    pub fn file(&self) -> String {
        format!("regressions/everyday.{}.txt", self.name.replace("::", "."))
    }

    /// What is saved for it.
    pub fn saved(&self) -> String {
        self.project.read(&self.file())
    }

    pub fn save(&self, content: impl AsRef<[u8]>) {
        self.project.write(&self.file(), content);
    }

    pub fn is_saved(&self) -> bool {
        self.project.path(&self.file()).exists()
    }
}
