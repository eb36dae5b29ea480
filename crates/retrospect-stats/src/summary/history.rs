//! What events tell of a run, and what can be told without them.

use super::Run;
use crate::Status;
use serde_json::{Map, Value};

/// So many steps of shrinking are shown: the first half and the last.
const MOST_STEPS: usize = 60;
/// So many counterexamples are shown, the last ones.
const MOST_COUNTEREXAMPLES: usize = 5;

/// What happened in a run.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct History {
    /// Whether the run is said to have failed.
    pub failed: bool,
    /// Whether the run is over, if that is known.
    pub ended: Option<bool>,
    /// What to tell `cargo test` to run this test alone.
    pub test: Option<String>,
    /// Where the crate is.
    pub crate_directory: Option<String>,
    /// With it the random cases are the same.
    pub seed: Option<u64>,
    /// The file of weights by which cases are drawn.
    pub weights: Option<String>,
    /// How steering went.
    pub steered: Option<Value>,
    /// Cases that fail, the newest first.
    pub counterexamples: Vec<Counterexample>,
    /// How the counterexample became simpler, from what was found: that took no run, and its pass
    /// is how it was come by.
    pub shrinking: Vec<ShrinkStep>,
    /// How shrinking ended, as the event tells it.
    pub shrink_ended: Option<Value>,
    /// Under which name the counterexample is saved.
    pub saved: Option<String>,
    /// What became of each `cover!`.
    pub covers: Vec<Cover>,
    /// How many cases each `assume!` and filter discarded, as counted by the runner.
    pub discards: Vec<Discards>,
    /// Numbers of the examples that were not run, and why.
    pub examples_not_run: Vec<(u64, String)>,
    /// What the runner warned of.
    pub health: Vec<String>,
    /// Why the search ended.
    pub stopped_because: Option<String>,
    /// What the terminal shows.
    pub report: String,
    /// Lines that could not be written.
    pub lines_lost: u64,
}

/// A case that fails.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Counterexample {
    /// Its place in the run, if it has a line.
    pub case: Option<usize>,
    /// Its value, if the events tell.
    pub text: Option<String>,
    /// What went wrong.
    pub reason: String,
    /// How it was come by.
    pub how: String,
}

/// A simpler case that fails too.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct ShrinkStep {
    /// How many runs of the property it took.
    pub run: u64,
    /// What found it.
    pub pass: String,
    /// Its size: choices, or characters where those are not known.
    pub size: u64,
    /// Its value, or the place of the case in the run.
    pub text: Option<String>,
    /// The place of the case in the run, if it has a line.
    pub case: Option<usize>,
}

/// What a `cover!` came to.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Cover {
    /// What it is called.
    pub label: String,
    /// Where it stands.
    pub place: String,
    /// The share that is demanded.
    pub required: f64,
    /// In how many cases it held.
    pub held_in: u64,
    /// How many reached it.
    pub cases: u64,
    /// `met`, `missed` or `undecided`.
    pub verdict: String,
}

/// How many cases a place discarded.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Discards {
    /// `file:line:column`.
    pub place: String,
    /// What stands there.
    pub text: String,
    /// How many.
    pub count: u64,
}

impl Run {
    /// What happened in the run, by its events if there are any.
    pub fn history(&self) -> History {
        let mut history = History::default();
        let mut found = Vec::new();
        for event in &self.events {
            let members = Members(event);
            match members.text("event").as_str() {
                "run_started" => {
                    history.ended.get_or_insert(false);
                    history.test = members.perhaps("test");
                    history.crate_directory = members.perhaps("crate_directory");
                    history.weights = members.perhaps("weights");
                    history.seed = event.get("seed").and_then(Value::as_u64);
                }
                "steered" => history.steered = Some(Value::Object(event.clone())),
                "example" if members.text("status") == "not run" => {
                    history.examples_not_run.push((members.number("number"), members.text("reason")));
                }
                "failure_found" => {
                    let text = Some(members.text("representation"));
                    // Of several failures the last is shown from its beginning.
                    history.shrinking.clear();
                    history.shrink_ended = None;
                    if let Some(size) = event.get("choices").and_then(Value::as_u64) {
                        let (how, text) = (members.text("how"), text.clone());
                        history.shrinking.push(ShrinkStep { run: 0, pass: how, size, text, case: None });
                    }
                    let (reason, how) = (members.text("reason"), members.text("how"));
                    found.push(Counterexample { case: None, text, reason, how });
                }
                "shrink_step" => history.shrinking.push(ShrinkStep {
                    run: members.number("run"),
                    pass: members.text("pass"),
                    size: members.number("choices"),
                    text: Some(members.text("representation")),
                    case: None,
                }),
                "shrink_ended" => history.shrink_ended = Some(Value::Object(event.clone())),
                "saved" => history.saved = members.perhaps("id"),
                "cover" => history.covers.push(Cover {
                    label: members.text("label"),
                    place: members.text("place"),
                    required: event.get("required").and_then(Value::as_f64).unwrap_or(0.0),
                    held_in: members.number("held_in"),
                    cases: members.number("cases"),
                    verdict: members.text("verdict"),
                }),
                "discards" => history.discards.push(Discards {
                    place: members.text("place"),
                    text: members.text("text"),
                    count: members.number("count"),
                }),
                "health" => history.health.push(members.text("text")),
                "run_ended" => {
                    history.ended = Some(true);
                    history.failed = members.text("verdict") != "passed";
                    history.stopped_because = members.perhaps("stopped_because");
                    history.report = members.text("report");
                    history.lines_lost = members.number("lines_lost");
                }
                _ => {}
            }
        }
        // Some steps are told only when shrinking is over.
        history.shrinking.sort_by_key(|step| step.run);
        history.counterexamples = self.failing_cases();
        if history.counterexamples.is_empty() {
            found.reverse();
            found.truncate(MOST_COUNTEREXAMPLES);
            history.counterexamples = found;
        }
        if history.shrinking.len() < 2 && self.n_shrinking > 1 {
            history.shrinking = self.shrinking_by_cases();
        }
        if history.shrinking.len() > MOST_STEPS {
            let last = history.shrinking.split_off(history.shrinking.len() - MOST_STEPS / 2);
            history.shrinking.truncate(MOST_STEPS / 2);
            history.shrinking.extend(last);
        }
        history
    }

    /// The last ones, each value once.
    fn failing_cases(&self) -> Vec<Counterexample> {
        let mut found = Vec::new();
        let mut samples = Vec::new();
        if self.mosaic[Status::Failed as usize] == [0, 0] && self.n_shrinking == 0 {
            return found;
        }
        for case in (0..self.n_cases()).rev() {
            let sample = self.cases.sample[case];
            if self.cases.status[case] != Status::Failed || samples.contains(&sample) {
                continue;
            }
            samples.push(sample);
            let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
            let reason = text(self.cases.reasons.text(case));
            let how = text(self.cases.how.text(case));
            found.push(Counterexample { case: Some(case), text: None, reason, how });
            if found.len() == MOST_COUNTEREXAMPLES {
                break;
            }
        }
        found
    }

    /// Hypothesis has a line for each attempt: those that fail and are shorter than all before.
    fn shrinking_by_cases(&self) -> Vec<ShrinkStep> {
        let mut steps = Vec::new();
        if self.n_shrinking == 0 {
            return steps;
        }
        let mut shortest = u32::MAX;
        for case in 0..self.n_cases() {
            let length = self.cases.samples.text_lengths[self.cases.sample[case] as usize];
            if self.cases.status[case] == Status::Failed && length < shortest {
                shortest = length;
                let pass = self.cases.how.text(case).unwrap_or_default().to_owned();
                steps.push(ShrinkStep {
                    run: case as u64 + 1,
                    pass,
                    size: length.into(),
                    text: None,
                    case: Some(case),
                });
            }
        }
        if steps.len() < 2 { Vec::new() } else { steps }
    }
}

/// The members of an event; what is missing or of another kind is empty.
struct Members<'e>(&'e Map<String, Value>);

impl Members<'_> {
    fn perhaps(&self, name: &str) -> Option<String> {
        self.0.get(name)?.as_str().map(str::to_owned)
    }

    fn text(&self, name: &str) -> String {
        self.perhaps(name).unwrap_or_default()
    }

    fn number(&self, name: &str) -> u64 {
        self.0.get(name).and_then(Value::as_u64).unwrap_or(0)
    }
}
