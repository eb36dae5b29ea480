//! What the variables say.

use super::key::{IN_ENVIRONMENT_ONLY, PREFIX};
use super::problems::{Place, variable};
use super::resolve::{Layer, Origin};
use super::{Color, EMPTY, Key, Problems};
use std::ffi::OsString;

/// The settings among the variables, and what only a variable can say.
#[derive(Default)]
pub(super) struct Environment {
    pub(super) layer: Layer,
    pub(super) replay: Option<String>,
    pub(super) value: Option<String>,
    pub(super) profile: Option<String>,
}

pub(super) fn read(variables: Vec<(OsString, OsString)>, problems: &mut Problems) -> Environment {
    let mut environment = Environment::default();
    for (variable, text) in variables {
        if variable == "NO_COLOR" {
            // An empty one does not count, by the rule on no-color.org; an explicit RETROSPECT_COLOR is stronger.
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
                problems.add(|| refuse("", EMPTY));
            }
            match name.as_str() {
                "replay" => self.replay = Some(text),
                "value" => self.value = Some(text),
                "profile" => self.profile = Some(text),
                _ => {}
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
