//! Cases that earlier runs have saved: they run first.

use super::hang;
use super::regressions::{self, SavedCase};
use super::report::{self, cut};
use super::search::{Found, How, Search};
use super::trial::{Door, Ended, Input, Trial, Wants};
use crate::choice::Choices;
use crate::sketch::Document;

impl Search<'_> {
    pub(crate) fn saved_cases(&mut self, door: &mut dyn Door) -> Result<Option<Found>, String> {
        let loaded = match regressions::load(self.context().file) {
            Ok(loaded) => loaded,
            Err(problem) => {
                self.warn(self.context().problem_shown(&problem));
                return Ok(None);
            }
        };
        if loaded.cases.is_empty() && loaded.broken.is_empty() {
            return Ok(None);
        }
        // Only now, since it looks for the root of the workspace.
        let file = self.context().file_shown();
        for broken in &loaded.broken {
            self.warn(format!("{file}: {broken}"));
        }
        for saved in &loaded.cases {
            match self.saved_trial(door, saved) {
                Err(reason) => {
                    if let Some(observer) = &self.context().observer {
                        observer.saved_case_not_made(&saved.id, &reason);
                    }
                    let way_out = self.way_out_of_saved();
                    self.warn(format!(
                        "saved case {} was not run, because it cannot be made any more: {reason}\n{way_out}",
                        saved.id
                    ));
                }
                Ok(trial) => {
                    if let Some(observer) = &self.context().observer {
                        observer.saved_case(&saved.id, &trial);
                    }
                    if let Ended::Discarded { place, text, .. } = &trial.ended {
                        let id = &saved.id;
                        self.warn(format!("saved case {id} was not tested: {text} at {place} discarded it"));
                    }
                    let is_outdated = saved.was_slow() && matches!(trial.ended, Ended::Passed);
                    if is_outdated && self.context().settings.save {
                        // It is tried again in the next run if the file cannot be written.
                        let _ = regressions::remove(self.context().file, &saved.id);
                    }
                    if let Some(mut found) = self.judge(trial, How::Saved(saved.id.clone()))? {
                        let settings = self.context().settings;
                        let hangs = saved.notes.iter().any(|note| note == hang::NOTE) && !settings.isolate;
                        found.is_final = (saved.is_minimal || hangs) && !settings.shrink;
                        if hangs && !settings.shrink {
                            let variables = format!("{} RETROSPECT_REPLAY={}", report::ISOLATED, saved.id);
                            let command = self.context().rerun.with(&variables);
                            found.without_choices = Some(format!("a smaller case hung; to go on:  {command}"));
                        }
                        found.saved = Some(saved.id.clone());
                        if let Some(found) = self.end_with(found) {
                            return Ok(Some(found));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// A saved case is a value: it is read. Where that cannot be done, its choices may make it, if
    /// they still make exactly it. Where a generator failed there is no value, and its choices are
    /// the case.
    pub(crate) fn saved_trial(&mut self, door: &mut dyn Door, saved: &SavedCase) -> Result<Trial, String> {
        if !saved.values.is_empty()
            && !saved.has_values()
            && let Some(Ok(choices)) = saved.choices.as_ref().map(|choices| choices.parse::<Choices>())
        {
            return Ok(door.run(Input::Choices(&choices), Wants::Values));
        }
        let reason = match saved.values.is_empty() {
            true => "it has no values".to_owned(),
            false => {
                let trial = door.run(Input::Values(&saved.values), Wants::Values);
                match trial.ended {
                    Ended::NotMade(reason) => reason,
                    Ended::Passed => return Ok(failing_by_choices(door, saved).unwrap_or(trial)),
                    _ => return Ok(trial),
                }
            }
        };
        let Some(choices) = saved.choices.as_ref().and_then(|choices| choices.parse::<Choices>().ok()) else {
            return Err(reason);
        };
        // Before the body runs it must be clear that it runs on what was saved, and on nothing
        // else.
        let arguments = door.run(Input::Exactly(&choices), Wants::Arguments);
        let is_made = match &arguments.ended {
            Ended::NotMade(_) => false,
            _ if saved.values.is_empty() => true,
            Ended::Passed => has_begun_with(&arguments.values, &saved.values),
            _ => false,
        };
        if !is_made {
            return Err(format!("{reason}\n{}", made_instead(&arguments, &saved.values)));
        }
        let trial = door.run(Input::Exactly(&choices), Wants::Values);
        match saved.values.is_empty() || same_values(&trial.values, &saved.values) {
            true => Ok(trial),
            false => Err(format!("{reason}\n{}", made_instead(&trial, &saved.values))),
        }
    }

    /// What can be done about a saved case that cannot be made any more.
    pub(crate) fn way_out_of_saved(&self) -> String {
        format!("it is kept in {}: edit it there, or delete it", self.context().file_shown())
    }
}

/// The saved case by its choices, if they make the same text and it fails: a `Debug` that leaves
/// something out prints other values alike, and the text may be read as one of these.
fn failing_by_choices(door: &mut dyn Door, saved: &SavedCase) -> Option<Trial> {
    let choices = saved.choices.as_ref()?.parse::<Choices>().ok()?;
    let trial = door.run(Input::Exactly(&choices), Wants::Values);
    let fails = matches!(trial.ended, Ended::Failed(_)) && same_values(&trial.values, &saved.values);
    fails.then_some(trial)
}

/// Says what the choices of a saved case make now, which is not the case.
fn made_instead(trial: &Trial, saved: &[(String, String)]) -> String {
    let is_begun = has_begun_with(&trial.values, saved);
    match &trial.ended {
        Ended::NotMade(problem) => format!("its choices do not fit either: {problem}"),
        Ended::Discarded { place, text, .. } if is_begun => {
            format!("{text} at {place} refuses what its choices make now")
        }
        Ended::Broken(problem) if is_begun => format!("its choices cannot be used: {problem}"),
        _ if trial.values.is_empty() => "its choices make nothing now".to_owned(),
        _ => format!("its choices make something else now: {}", texts(&trial.values)),
    }
}

/// Whether these are the first of the saved values.
fn has_begun_with(values: &[(String, String)], saved: &[(String, String)]) -> bool {
    saved.get(..values.len()).is_some_and(|saved| same_values(saved, values))
}

/// Whether the values are the same, whatever the order in which a `HashMap` prints its entries.
pub(crate) fn same_values(one: &[(String, String)], other: &[(String, String)]) -> bool {
    let is_same_text = |one: &str, other: &str| {
        one == other
            || matches!((Document::parse(one), Document::parse(other)),
                (Ok(one), Ok(other)) if one.root().matches(&other.root()))
    };
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| one.0 == other.0 && is_same_text(&one.1, &other.1))
}

fn texts(values: &[(String, String)]) -> String {
    let texts: Vec<String> = values.iter().map(|(name, text)| format!("`{name} = {}`", cut(text, 120))).collect();
    texts.join(", ")
}
