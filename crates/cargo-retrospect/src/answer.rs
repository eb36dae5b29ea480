//! What became of a property, as the library tells it, and what is printed of it.

use crate::cargo::{self, Selection, Test, text};
use crate::given::Told;
use serde_json::{Map, Value};
use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;

/// The property ran, and this is what is known.
#[derive(Debug)]
pub struct Answer {
    facts: Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    Fails,
    Passes,
}

impl Answer {
    pub fn verdict(&self) -> Verdict {
        if self.facts.get("verdict").is_some_and(|verdict| verdict == "fails") {
            Verdict::Fails
        } else {
            Verdict::Passes
        }
    }

    pub fn get(&self, name: &str) -> String {
        self.facts.get(name).map(text).unwrap_or_default()
    }

    /// For people.
    pub fn report(&self) -> String {
        self.get("report")
    }

    /// For programs: one object in a line.
    pub fn json(&self) -> String {
        let mut facts = self.facts.clone();
        facts.remove("report");
        Value::Object(facts).to_string() + "\n"
    }
}

/// Runs a test on what it is told, and finds out how it went.
pub fn ask(
    selection: &Selection,
    test: &Test,
    told: &Told,
    settings: &[(&'static str, OsString)],
    is_for_people: bool,
    folder: &Path,
) -> Result<Answer, String> {
    let file = folder.join("result");
    let _ = std::fs::remove_file(&file); // There may have been none.
    let mut variables = vec![(told.variable, told.value.clone()), ("RETROSPECT_RESULT_FILE", file.clone().into())];
    variables.extend(told.property.iter().map(|property| ("RETROSPECT_PROPERTY", property.into())));
    variables.extend(settings.iter().cloned());
    variables.extend(looks(is_for_people));
    let ran = cargo::run(selection, test, &variables)?;
    let lines = std::fs::read_to_string(&file).unwrap_or_default();
    let answers: Vec<Map<String, Value>> = lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    // One test may check several properties; the one that fails is the last that runs.
    let Some(facts) = answers.into_iter().next_back() else {
        return Err(match ran.is_success {
            true => format!("the test `{}` runs no property", test.path()),
            false => format!("`{}` ended without a word from its property:\n{}", test.path(), ran.printed.trim_end()),
        });
    };
    if facts.get("verdict").is_some_and(|verdict| verdict == "not run") {
        return Err(in_our_words(&facts.get("message").map(text).unwrap_or_default(), told));
    }
    Ok(Answer { facts })
}

/// A refusal, with the value called what the command line calls it. Reports are not changed: the
/// variables in them are parts of commands.
fn in_our_words(message: &str, told: &Told) -> String {
    match &told.called {
        Some((by_the_test, called)) => message.replace(by_the_test, called),
        None => {
            let id = told.value.to_string_lossy();
            message.replacen(&format!("RETROSPECT_REPLAY={id}"), &format!("case {id}"), 1)
        }
    }
}

/// The report is printed here, where the test does not see the terminal.
pub fn looks(is_for_people: bool) -> Vec<(&'static str, OsString)> {
    let mut looks = Vec::new();
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_painted = is_for_people && is_painted();
    if !is_set("NO_COLOR") && !is_set("RETROSPECT_COLOR") {
        looks.push(("RETROSPECT_COLOR", if is_painted { "always" } else { "never" }.into()));
    }
    if let (Some((terminal_size::Width(width), _)), false) = (terminal_size::terminal_size(), is_set("COLUMNS")) {
        looks.push(("COLUMNS", width.to_string().into()));
    }
    looks
}

/// Whether what is printed has colours.
pub fn is_painted() -> bool {
    let is_set = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    match std::env::var("RETROSPECT_COLOR").as_deref() {
        Ok("always") => true,
        Ok("never") => false,
        _ => !is_set && std::io::stdout().is_terminal(),
    }
}

/// How many characters fit into a line.
pub fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let seen = || terminal_size::terminal_size().map(|(terminal_size::Width(width), _)| usize::from(width));
    said.or_else(seen).unwrap_or(110)
}

/// Prints on the standard output. A reader that goes away early, as `head` does, is no failure.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        eprintln!("cannot write: {error}");
    }
}

/// Says why nothing could be run: the last line of what people read, or an object for a program.
pub fn refuse(problem: &str, is_json: bool) {
    if is_json {
        let mut facts = Map::new();
        facts.insert("verdict".to_owned(), "not run".into());
        facts.insert("problem".to_owned(), problem.into());
        print(&(Value::Object(facts).to_string() + "\n"));
    } else {
        eprintln!("error: {}", problem.trim_end());
    }
}
