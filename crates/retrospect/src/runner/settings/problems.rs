//! What is said when settings cannot be used: all of it at once, each with its value, place, reason
//! and way out.

use super::Key;
use super::key::{IN_ENVIRONMENT_ONLY, INTERNAL, PREFIX};
use retrospect_grammar::nearest;
use std::fmt;

/// Everything that is wrong with the settings of one property.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Problems {
    texts: Vec<String>,
    n_left_out: usize,
}

impl Problems {
    /// More than this nobody reads.
    const SHOWN: usize = 20;

    /// The text is made only if it is shown: to find a line takes time, and a file can have very
    /// many wrong ones.
    pub(super) fn add(&mut self, text: impl FnOnce() -> String) {
        if self.texts.len() < Problems::SHOWN {
            self.texts.push(text());
        } else {
            self.n_left_out += 1;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.texts.join("\n"))?;
        match self.n_left_out {
            0 => Ok(()),
            left_out => write!(formatter, "\nand {left_out} more"),
        }
    }
}

impl std::error::Error for Problems {}

/// Where a setting is written.
#[derive(Clone, Copy)]
pub(super) enum Place<'t> {
    Code,
    Environment,
    /// The file's name, its text, and where in the text.
    File(&'t str, &'t str, usize),
}

impl Place<'_> {
    /// A value that cannot be used.
    pub(super) fn refusal(self, key: Key, text: &str, reason: &str) -> String {
        // In code and in files what is empty are two quotes.
        let is_quoted = text.is_empty() && !matches!(self, Place::Environment);
        let value = if is_quoted { "\"\"".to_owned() } else { shortened(text) };
        let setting = match self {
            Place::Code => format!("the property's own setting {} = {value}", key.name()),
            Place::Environment => format!("{}={value}", variable(key.name())),
            Place::File(..) => format!("{} = {value}", key.name()),
        };
        self.locate(format!("{setting} {reason} (default: {})", key.default()))
    }

    /// A name that is no setting, or not here. That of a variable comes without its prefix.
    pub(super) fn unknown(self, name: &str) -> String {
        let in_environment = matches!(self, Place::Environment);
        let shown = shortened(&if in_environment { format!("{PREFIX}{name}") } else { name.to_owned() });
        if name.eq_ignore_ascii_case(Key::ExpectFailure.name()) && !matches!(self, Place::Code) {
            return self.locate(format!("{shown} cannot be set here: it belongs to the property's own settings"));
        }
        if !in_environment && IN_ENVIRONMENT_ONLY.contains(&name) {
            return self.locate(format!("{shown} is for one run only: set the variable {}", variable(name)));
        }
        let mut names: Vec<&str> = Key::all().map(Key::name).collect();
        if in_environment {
            names.extend(IN_ENVIRONMENT_ONLY);
        }
        // What is refused here, or no business of a person's, is no good advice.
        let is_possible = |name: &str| name != Key::ExpectFailure.name() || matches!(self, Place::Code);
        names.retain(|&name| !INTERNAL.contains(&name) && is_possible(name));
        let written = |name: &str| if in_environment { variable(name) } else { name.to_owned() };
        self.locate(match nearest(name, names.iter().copied()) {
            Some(near) => format!("{shown} is not a setting: did you mean {}?", written(near)),
            None => {
                let names: Vec<String> = names.iter().map(|name| written(name)).collect();
                format!("{shown} is not a setting; there are {}", names.join(", "))
            }
        })
    }

    /// Another place of the same file.
    pub(super) fn moved_to(self, at: usize) -> Self {
        match self {
            Place::File(path, text, _) => Place::File(path, text, at),
            elsewhere => elsewhere,
        }
    }

    /// In a file, a message gets its line and a caret.
    pub(super) fn locate(self, message: String) -> String {
        let Place::File(file, text, at) = self else {
            return message;
        };
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
        let line_number = 1 + text[..line_start].matches('\n').count();
        let before = text[line_start..at].chars().count();
        // Of a very long line, what is around the place.
        let left_out = before.saturating_sub(60);
        let mut line = String::new();
        for character in text[line_start..line_end].trim_end().chars().skip(left_out).take(100) {
            line.push(if character.is_control() { ' ' } else { character });
        }
        let width = before - left_out;
        format!("{file}:{line_number}:{}: {message}\n    {line}\n    {:width$}^", before + 1, "")
    }
}

pub(super) fn variable(name: &str) -> String {
    format!("{PREFIX}{}", name.to_uppercase())
}

/// A text of somebody else's, fit to stand in a line of ours.
pub(super) fn shortened(text: &str) -> String {
    const LENGTH: usize = 60;
    let mut shown = String::new();
    for character in text.chars().take(LENGTH) {
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    if text.chars().nth(LENGTH).is_some() {
        shown.push('…');
    }
    shown
}

/// The end of a sentence that guesses: `; did you mean slow?`, or nothing.
pub(super) fn did_you_mean(name: &str, names: &[&str]) -> String {
    nearest(name, names.iter().copied()).map_or_else(String::new, |near| format!("; did you mean {near}?"))
}
