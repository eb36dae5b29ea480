//! What the variables say.

use super::key::{IN_ENVIRONMENT_ONLY, PREFIX};
use super::problems::{Place, variable};
use super::resolve::{Layer, Origin};
use super::{Color, EMPTY, Key, Problems, read};
use std::ffi::OsString;
use std::path::PathBuf;

/// The settings among the variables, and what only a variable can say.
#[derive(Default)]
pub(super) struct Environment {
    pub(super) layer: Layer,
    pub(super) given: Option<Given>,
    pub(super) property: Option<String>,
    pub(super) shrink: bool,
    pub(super) profile: Option<String>,
    pub(super) observing: Observing,
}

/// What is to be written down about the cases, and by which examples they are to be steered.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Observing {
    /// The folder: `RETROSPECT_OBSERVE`.
    pub(crate) directory: Option<PathBuf>,
    /// Also where Tyche looks: `RETROSPECT_TYCHE`.
    pub(crate) tyche: bool,
    /// The file with the examples: `RETROSPECT_STEER`.
    pub(crate) steer: Option<PathBuf>,
    /// Which counters stand for which lines: `RETROSPECT_COVERAGE_MAP`.
    pub(crate) coverage_map: Option<PathBuf>,
}

/// What to run instead of looking for a case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Given {
    /// A saved case, or choices: `RETROSPECT_REPLAY`.
    Replay(String),
    /// A file with choices: `RETROSPECT_REPLAY_FILE`.
    ReplayFile(PathBuf),
    /// `RETROSPECT_VALUE`.
    Value(String),
    /// A file with the same: `RETROSPECT_VALUE_FILE`.
    ValueFile(PathBuf),
    /// A file that is the only argument itself: `RETROSPECT_TEXT_FILE`.
    TextFile(PathBuf),
}

impl Given {
    /// The variable that gives it.
    pub(crate) fn variable(&self) -> &'static str {
        match self {
            Given::Replay(_) => "RETROSPECT_REPLAY",
            Given::ReplayFile(_) => "RETROSPECT_REPLAY_FILE",
            Given::Value(_) => "RETROSPECT_VALUE",
            Given::ValueFile(_) => "RETROSPECT_VALUE_FILE",
            Given::TextFile(_) => "RETROSPECT_TEXT_FILE",
        }
    }
}

pub(super) fn read_all(variables: Vec<(OsString, OsString)>, problems: &mut Problems) -> Environment {
    let mut environment = Environment::default();
    for (variable, text) in variables {
        if variable == "NO_COLOR" {
            // An empty one does not count, by the rule on no-color.org; an explicit
            // RETROSPECT_COLOR is stronger.
            if !text.is_empty() && environment.layer.settings.color.is_none() {
                environment.layer.settings.color = Some(Color::Never);
                environment.layer.origins.push((Key::Color, Origin::Variable("NO_COLOR".to_owned())));
            }
            continue;
        }
        // A name that is not UTF-8 is not ours, but if it begins like ours it was meant to be.
        let variable = variable.to_string_lossy();
        if let Some(name) = variable.strip_prefix(PREFIX) {
            environment.read_variable(name, text, problems);
        }
    }
    environment
}

impl Environment {
    fn read_variable(&mut self, name: &str, text: OsString, problems: &mut Problems) {
        let lower = name.to_lowercase();
        let key = Key::named(&lower).filter(|&key| key != Key::ExpectFailure);
        let is_known = key.is_some() || IN_ENVIRONMENT_ONLY.contains(&lower.as_str());
        if !is_known || variable(&lower) != format!("{PREFIX}{name}") {
            return problems.add(|| Place::Environment.unknown(name));
        }
        let name = lower;
        let refuse = |text: &str, reason: &str| match key {
            Some(key) => Place::Environment.refusal(key, text, reason),
            None => format!("{}={text} {reason}", variable(&name)),
        };
        let text = match text.into_string() {
            Ok(text) => text,
            Err(text) => return problems.add(|| refuse(&text.to_string_lossy(), "is not UTF-8")),
        };
        let Some(key) = key else {
            if text.trim().is_empty() && name != "worker" {
                return problems.add(|| refuse("", EMPTY));
            }
            let given = match name.as_str() {
                "replay" => Given::Replay(text),
                "replay_file" => Given::ReplayFile(text.into()),
                "value" => Given::Value(text),
                "value_file" => Given::ValueFile(text.into()),
                "text_file" => Given::TextFile(text.into()),
                "property" => return self.property = Some(text),
                "profile" => return self.profile = Some(text),
                "shrink" | "tyche" => {
                    let flag = if name == "shrink" { &mut self.shrink } else { &mut self.observing.tyche };
                    return match read::flag(&text) {
                        Ok(set) => *flag = set,
                        Err(reason) => problems.add(|| refuse(&text, &reason)),
                    };
                }
                "observe" => return self.observing.directory = Some(text.into()),
                "steer" => return self.observing.steer = Some(text.into()),
                "coverage_map" => return self.observing.coverage_map = Some(text.into()),
                _ => return,
            };
            match &self.given {
                None => self.given = Some(given),
                Some(other) => problems.add(|| {
                    let (one, other) = (other.variable(), given.variable());
                    format!("{one} and {other} both say what to run: set one of them")
                }),
            }
            return;
        };
        match self.layer.settings.read(key, &text) {
            Ok(()) => {
                // NO_COLOR may have come first.
                self.layer.origins.retain(|(other, _)| *other != key);
                self.layer.origins.push((key, Origin::Variable(variable(&name))));
            }
            Err(reason) => problems.add(|| refuse(&text, &reason)),
        }
    }
}
