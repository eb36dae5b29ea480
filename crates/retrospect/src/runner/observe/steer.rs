//! Steering: more cases like some, fewer like others (`RETROSPECT_STEER`).
//!
//! The examples are texts, as the lines have them. The generators of the property read them, and
//! the choices that make them are counted: by these weights its cases are drawn. A body is run on
//! an example only to see what it draws itself, and not where it is to be isolated.

use crate::generator::Tuning;
use crate::runner::property::Definition;
use crate::runner::reading::{MAX_SETTINGS_BYTES, read_file};
use crate::runner::regressions::parse_values;
use crate::runner::settings::Resolved;
use crate::runner::trial::{Body, InProcess};
use crate::source::Weights;
use crate::toml::read_entries;
use retrospect_stats::Happened;
use std::path::{Path, PathBuf};

/// What became of the examples.
pub(crate) struct Steered {
    /// Nothing if no example could be used.
    pub(crate) tuning: Option<Tuning>,
    more: u64,
    fewer: u64,
    refused: Vec<(String, String)>,
    weights: Option<PathBuf>,
    problem: Option<String>,
}

/// The file that the variable names.
#[derive(Default)]
struct Wish {
    property: String,
    more: Vec<String>,
    fewer: Vec<String>,
    weights: Option<PathBuf>,
}

/// Learns from the examples, if they are for this property. An error is in the file.
pub(crate) fn steer(
    definition: &Definition<'_>,
    settings: &Resolved,
    directory: &Path,
    body: &mut Body<'_>,
) -> Result<Option<Steered>, String> {
    let Some(file) = &settings.observing.steer else { return Ok(None) };
    let file = directory.join(file);
    let wish = read(&file).map_err(|problem| format!("RETROSPECT_STEER={}: {problem}", file.display()))?;
    if wish.property != definition.saved_as() {
        return Ok(None);
    }
    let mut steered = Steered { tuning: None, more: 0, fewer: 0, refused: Vec::new(), weights: None, problem: None };
    let (mut more, mut fewer) = (Weights::default(), Weights::default());
    let mut door = InProcess::new(body);
    for text in &wish.more {
        steered.more += steered.learn(&mut door, text, &mut more, !settings.isolate);
    }
    for text in &wish.fewer {
        steered.fewer += steered.learn(&mut door, text, &mut fewer, !settings.isolate);
    }
    more.settle();
    fewer.settle();
    if steered.more + steered.fewer == 0 {
        steered.problem = Some("none of the examples can be used, so cases are drawn as ever".to_owned());
        return Ok(Some(steered));
    }
    let weights = match (steered.more, steered.fewer) {
        (0, _) => fewer.inverted(),
        (_, 0) => more,
        _ => more.without(&fewer),
    };
    if let Some(file) = wish.weights {
        let file = directory.join(file);
        match weights.save(&file) {
            Ok(()) => steered.weights = Some(file),
            Err(problem) => steered.problem = Some(problem.to_string()),
        }
    }
    steered.tuning = Some(Tuning::new(weights));
    Ok(Some(steered))
}

impl Steered {
    /// How many examples this was: one, or none if it cannot be used.
    fn learn(&mut self, door: &mut InProcess<'_, '_>, text: &str, weights: &mut Weights, may_run_body: bool) -> u64 {
        let learned = parse_values(text).map_err(|problem| problem.to_string()).and_then(|values| {
            let mut named = Vec::new();
            for (name, text) in values {
                named.push((name.unwrap_or_default(), text));
            }
            door.learn(&named, weights, may_run_body)
        });
        match learned {
            Ok(()) => 1,
            Err(reason) => {
                self.refused.push((text.to_owned(), reason));
                0
            }
        }
    }

    pub(super) fn into_event(self) -> Happened<'static> {
        let mut refused = Vec::new();
        for (text, reason) in self.refused {
            refused.push((text.into(), reason.into()));
        }
        Happened::Steered {
            more: self.more,
            fewer: self.fewer,
            refused,
            weights: self.weights.map(|file| file.display().to_string().into()),
            problem: self.problem.map(Into::into),
        }
    }
}

fn read(file: &Path) -> Result<Wish, String> {
    let text = read_file(file, MAX_SETTINGS_BYTES)?;
    let text = String::from_utf8(text).map_err(|error| error.to_string())?;
    let mut wish = Wish::default();
    for (name, mut values, is_list) in read_entries(&text)? {
        match (name.as_str(), is_list) {
            ("more", true) => wish.more = values,
            ("fewer", true) => wish.fewer = values,
            ("property", false) => wish.property = values.pop().unwrap_or_default(),
            ("weights", false) => wish.weights = values.pop().map(PathBuf::from),
            ("more" | "fewer", false) => return Err(format!("`{name}` must be a list of texts")),
            ("property" | "weights", true) => return Err(format!("`{name}` must be one text")),
            _ => return Err(format!("`{name}` is none of property, more, fewer, weights")),
        }
    }
    match wish.property.is_empty() {
        true => Err("it does not say which `property` is meant".to_owned()),
        false => Ok(wish),
    }
}
