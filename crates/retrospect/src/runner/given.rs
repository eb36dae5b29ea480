//! Running what is given instead of looking for a case: a value from anywhere, a document, a saved
//! case, choices.

use super::reading::{MAX_VALUE_BYTES, read_file};
use super::regressions;
use super::report::cut;
use super::rerun::AND_SO_ON;
use super::search::{Found, How, Search};
use super::settings::Given;
use super::trial::{Door, Ended, Input, Trial, Wants};
use crate::choice::Choices;
use std::path::Path;

impl Search<'_> {
    pub(crate) fn given_case(&mut self, door: &mut dyn Door, given: &Given) -> Result<Option<Found>, String> {
        let variable = given.variable();
        let directory = self.context().directory;
        // Who shrinks by hand has named the property.
        let hint = if self.context().settings.shrink { "" } else { MEANT_FOR_ANOTHER };
        let (trial, how) = match given {
            Given::Replay(text) => return self.given_replay(door, text, variable),
            Given::ReplayFile(file) => {
                let shown = format!("{variable}={}", file.display());
                let text = text_of(read(&directory.join(file), &shown)?, &shown)?;
                return self.given_replay(door, text.trim(), variable);
            }
            Given::Value(text) => (from_text(door, text, variable, hint)?, How::GivenValue(variable)),
            Given::ValueFile(file) => {
                let shown = format!("{variable}={}", file.display());
                let text = text_of(read(&directory.join(file), &shown)?, &shown)?;
                (from_text(door, &text, &shown, hint)?, How::GivenValue(variable))
            }
            Given::TextFile(file) => {
                let shown = format!("{variable}={}", file.display());
                let content = read(&directory.join(file), &shown)?;
                (document(door, &content, &shown, hint)?, How::GivenValue(variable))
            }
        };
        is_used(&trial, variable)?;
        self.judge(trial, how)
    }

    fn given_replay(&mut self, door: &mut dyn Door, text: &str, variable: &str) -> Result<Option<Found>, String> {
        let loaded = regressions::load(self.context().file).map(|loaded| loaded.cases);
        let loaded = loaded.map_err(|problem| {
            let problem = self.context().problem_shown(&problem);
            format!("{variable}={} cannot be looked up: {problem}", cut(text, 100))
        })?;
        if let Some(saved) = loaded.iter().find(|saved| saved.id.eq_ignore_ascii_case(text)) {
            let trial = self.saved_trial(door, saved).map_err(|reason| {
                let way_out = self.way_out_of_saved();
                format!("RETROSPECT_REPLAY={text}: the saved case cannot be made any more: {reason}\n{way_out}")
            })?;
            is_used(&trial, "RETROSPECT_REPLAY")?;
            let mut found = self.judge(trial, How::Saved(saved.id.clone()))?;
            if let Some(found) = &mut found {
                found.saved = Some(saved.id.clone());
            }
            return Ok(found);
        }
        let cut_short = text.strip_suffix(AND_SO_ON);
        let choices: Choices = cut_short.unwrap_or(text).parse().map_err(|error| {
            let ids: Vec<&str> = loaded.iter().map(|saved| saved.id.as_str()).collect();
            let ids = if ids.is_empty() { "there are none".to_owned() } else { ids.join(", ") };
            format!(
                "{variable}={} is neither a saved case of this property ({ids}) nor choices in their text form: {error}",
                cut(text, 100)
            )
        })?;
        let input = if cut_short.is_some() { Input::Choices(&choices) } else { Input::Exactly(&choices) };
        let trial = door.run(input, Wants::Values);
        if let Ended::NotMade(reason) = &trial.ended {
            return Err(format!("{variable} cannot be used: {reason}"));
        }
        is_used(&trial, variable)?;
        self.judge(trial, How::GivenChoices)
    }
}

const MEANT_FOR_ANOTHER: &str = "\nif it is meant for another property, run only that one: cargo test <its name>";

fn from_text(door: &mut dyn Door, text: &str, shown: &str, hint: &str) -> Result<Trial, String> {
    let values = regressions::parse_values(text).map_err(|error| format!("{shown} cannot be read:\n{error}"))?;
    let values: Vec<(String, String)> =
        values.into_iter().map(|(name, text)| (name.unwrap_or_default(), text)).collect();
    run(door, &values).map_err(|reason| format!("{shown} cannot be used: {reason}{hint}"))
}

const WITHOUT_LINE_BREAK: &str = "a string without its last line break";

/// The content of a file as the only argument: as a string or as bytes if that is what the argument
/// is, otherwise as its type is written.
fn document(door: &mut dyn Door, bytes: &[u8], shown: &str, hint: &str) -> Result<Trial, String> {
    let mut reasons = String::new();
    let mut note = |kind: &str, reason: String| reasons += &format!("\nas {kind}: {reason}");
    let as_bytes = format!("{bytes:?}");
    let mut contents = Vec::new();
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            contents.push(("a string", format!("{text:?}")));
            // Editors end a file with a line break, whatever is in it.
            if let Some(line) = text.strip_suffix('\n') {
                contents.push((WITHOUT_LINE_BREAK, format!("{line:?}")));
            }
            contents.push(("bytes", as_bytes));
            contents.push(("a value", text.trim().to_owned()));
        }
        Err(_) => {
            note("a string", format!("it {}", not_utf8(bytes)));
            contents.push(("bytes", as_bytes));
        }
    }
    let as_byte_string = format!("b\"{}\"", bytes.escape_ascii());
    for (kind, content) in contents {
        let values = [(String::new(), content)];
        // A type that can hold a string, such as a JSON value, is not meant by one.
        let arguments = door.run(Input::Values(&values), Wants::Arguments);
        let text = arguments.values.first().map(|(_, text)| text);
        match arguments.ended {
            // It says the same as with the line break.
            Ended::NotMade(_) if kind == WITHOUT_LINE_BREAK => {}
            Ended::NotMade(reason) => note(kind, reason),
            _ if kind == "a value" || text.is_none_or(|text| *text == values[0].1 || *text == as_byte_string) => {
                return run(door, &values).map_err(|reason| format!("{shown} cannot be used: {reason}{hint}"));
            }
            _ => {}
        }
    }
    Err(format!("{shown} cannot be used:{reasons}{hint}"))
}

fn run(door: &mut dyn Door, values: &[(String, String)]) -> Result<Trial, String> {
    let mut trial = door.run(Input::Values(values), Wants::Values);
    match &mut trial.ended {
        Ended::NotMade(reason) => Err(std::mem::take(reason)),
        _ => Ok(trial),
    }
}

fn read(file: &Path, shown: &str) -> Result<Vec<u8>, String> {
    read_file(file, MAX_VALUE_BYTES).map_err(|reason| format!("{} cannot be read: {reason}", cut(shown, 500)))
}

fn text_of(bytes: Vec<u8>, shown: &str) -> Result<String, String> {
    let text = String::from_utf8(bytes).map_err(|error| format!("{shown} {}", not_utf8(error.as_bytes())))?;
    // Some editors begin a file with a mark that is not part of the text.
    Ok(text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned))
}

/// Where the first byte is that begins no character.
pub(crate) fn not_utf8(bytes: &[u8]) -> String {
    let at = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    let Some(byte) = bytes.get(at) else { return "is UTF-8".to_owned() };
    let line = 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count();
    let column = 1 + at - bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    format!("is not UTF-8: byte {at} (line {line}, byte {column} of it) is 0x{byte:02x}, where no character begins")
}

/// A case that was asked for must not be passed over in silence.
fn is_used(trial: &Trial, variable: &str) -> Result<(), String> {
    match &trial.ended {
        Ended::Discarded { place, text, why } => {
            let why = why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
            Err(format!("{variable} was not tested: {text} at {place} discarded it{why}"))
        }
        _ => Ok(()),
    }
}
