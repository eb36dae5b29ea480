//! Runs a test again with a generator that was tuned by examples. The library does the tuning; here
//! its file is written, cargo started, and told how it went.

use super::follow::Followed;
use super::serve::Settings;
use retrospect_stats::Steer;
use retrospect_stats::summary::History;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// So much of what cargo says is shown.
const OUTPUT: usize = 8000;

/// What was wished for, property by property.
#[derive(Clone, Debug)]
pub struct Steering {
    followed: Followed,
    properties: Arc<Mutex<BTreeMap<String, Steered>>>,
}

/// More or fewer of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    More,
    Fewer,
}

/// A wish of the page.
#[derive(Debug)]
pub struct Wish {
    pub property: String,
    /// The run that it looks at.
    pub run: f64,
    pub direction: Direction,
    pub texts: Vec<String>,
}

/// How it stands with a property.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Steered {
    /// How many examples of each kind there are.
    more: Vec<String>,
    fewer: Vec<String>,
    /// `running`, `done` or `failed`; nothing before the first wish.
    state: Option<&'static str>,
    /// What cargo says, or why it was not started.
    output: String,
    /// The run before the last wish.
    before: Option<f64>,
    /// The file of weights that the last run wrote.
    weights: Option<PathBuf>,
    /// Where they were copied to, seen from the crate.
    kept: Option<String>,
    crate_directory: Option<PathBuf>,
    command: String,
}

impl Steering {
    pub fn new(followed: Followed) -> Steering {
        Steering { followed, properties: Arc::default() }
    }

    pub fn state(&self, property: &str) -> Steered {
        self.lock().get(property).cloned().unwrap_or_default()
    }

    pub fn forget(&self, property: &str) {
        let mut properties = self.lock();
        if properties.get(property).is_some_and(|steered| steered.state != Some("running")) {
            properties.remove(property);
        }
    }

    /// Adds to what was wished for, and runs the test.
    pub fn wish(
        &self,
        wish: Wish,
        history: History,
        directory: Option<PathBuf>,
        settings: &Settings,
    ) -> Result<Steered, String> {
        let (Some(test), Some(crate_directory)) = (history.test, history.crate_directory) else {
            return Err("this run does not say which test it is: only tests of retrospect can be steered".to_owned());
        };
        let directory = directory.ok_or("the file of this run is gone, so it is not known where the next one goes")?;
        if wish.texts.is_empty() {
            return Err("none of these cases can be read any more".to_owned());
        }
        let crate_directory = settings.root.join(crate_directory);
        // The file says where to run cargo, and may have come from anywhere.
        let crate_directory = crate_directory.canonicalize().unwrap_or(crate_directory);
        if !crate_directory.starts_with(&settings.root) || !crate_directory.join("Cargo.toml").is_file() {
            return Err(format!(
                "{} is not a crate in {}: name the directory of the sources with --root",
                crate_directory.display(),
                settings.root.display()
            ));
        }
        let mut properties = self.lock();
        let steered = properties.entry(wish.property.clone()).or_default();
        if steered.state == Some("running") {
            return Err("the test is still running: wait for it".to_owned());
        }
        let (pile, other) = match wish.direction {
            Direction::More => (&mut steered.more, &mut steered.fewer),
            Direction::Fewer => (&mut steered.fewer, &mut steered.more),
        };
        // The last word counts.
        other.retain(|text| !wish.texts.contains(text));
        for text in wish.texts {
            if !pile.contains(&text) {
                pile.push(text);
            }
        }
        let weights = directory.join("weights").join(format!("{}.toml", file_name(&wish.property)));
        let steer = Steer {
            property: wish.property.clone(),
            more: steered.more.clone(),
            fewer: steered.fewer.clone(),
            weights: Some(absolute(&weights)),
        };
        let file = directory.join("weights").join(format!("{}.steer.toml", file_name(&wish.property)));
        // Whether there are new ones tells whether the test ran.
        let _ = fs::remove_file(&weights);
        let written = fs::create_dir_all(directory.join("weights")).and_then(|()| fs::write(&file, steer.to_text()));
        written.map_err(|error| format!("{}: {error}", file.display()))?;
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.arg("test").args(&settings.cargo);
        if !settings.cargo.iter().any(|word| ["--lib", "--bin", "--test", "--tests"].contains(&word.as_str())) {
            command.arg("--tests");
        }
        command.args(["--", "--exact", &test]).current_dir(&crate_directory).stdin(Stdio::null());
        command.env("RETROSPECT_STEER", absolute(&file)).env("RETROSPECT_OBSERVE", absolute(&directory));
        steered.command = format!(
            "RETROSPECT_STEER={} RETROSPECT_OBSERVE={} cargo test -- --exact {test}",
            file.display(),
            directory.display()
        );
        (steered.state, steered.output) = (Some("running"), String::new());
        (steered.before, steered.kept) = (Some(wish.run), None);
        (steered.weights, steered.crate_directory) = (Some(weights), Some(crate_directory));
        let answer = steered.clone();
        drop(properties);
        let (this, property) = (self.clone(), wish.property);
        thread::spawn(move || this.run(&property, command));
        Ok(answer)
    }

    fn run(&self, property: &str, mut command: Command) {
        let output = command.output();
        {
            let mut properties = self.lock();
            let steered = properties.entry(property.to_owned()).or_default();
            match output {
                Err(error) => {
                    (steered.state, steered.output) = (Some("failed"), format!("cargo did not start: {error}"))
                }
                Ok(output) => {
                    let said = [output.stdout, output.stderr].concat();
                    let text = String::from_utf8_lossy(&said);
                    let start = text.len().saturating_sub(OUTPUT);
                    steered.output = text.chars().skip(text[..floor(&text, start)].chars().count()).collect();
                    // A property that fails has been steered all the same: its weights tell.
                    let is_done = steered.weights.as_ref().is_some_and(|weights| weights.is_file());
                    steered.state = Some(if is_done { "done" } else { "failed" });
                }
            }
        }
        self.followed.tell();
    }

    /// Copies the weights into the crate.
    pub fn keep(&self, property: &str) -> Result<Steered, String> {
        let mut properties = self.lock();
        let steered = properties.get_mut(property).ok_or("there are no weights to keep")?;
        let (Some(weights), Some(crate_directory)) = (&steered.weights, &steered.crate_directory) else {
            return Err("there are no weights to keep".to_owned());
        };
        let name = property.split_once("::").map_or(property, |(_, rest)| rest);
        let kept = format!("weights/{}.toml", file_name(name));
        let target = crate_directory.join(&kept);
        let copied = fs::create_dir_all(crate_directory.join("weights")).and_then(|()| fs::copy(weights, &target));
        copied.map_err(|error| format!("{}: {error}", target.display()))?;
        steered.kept = Some(kept);
        Ok(steered.clone())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Steered>> {
        self.properties.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A border between characters at or before the byte.
fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Nothing that leads elsewhere: the name comes from a file.
fn file_name(property: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '_' || c == '-' { c } else { '.' };
    let name: String = property.replace("::", ".").chars().map(plain).take(120).collect();
    name.trim_matches('.').to_owned()
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn a_property_is_a_file_name_whatever_it_is_called() {
        assert_eq!(file_name("ledger::tests::round_trip"), "ledger.tests.round_trip");
        assert_eq!(file_name("../../etc/passwd"), "etc.passwd");
        assert_eq!(file_name(&"x".repeat(500)).len(), 120);
    }
}
