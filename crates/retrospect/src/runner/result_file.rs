//! What became of a property, for a program to read: `cargo retrospect` names a file in
//! `RETROSPECT_RESULT_FILE`, and finds a line of JSON there for each property that ran. This is
//! between the two of them and may change with every release; both are of one version.

use super::finding::{Finding, Saving, Shrinking};
use super::property::Definition;
use super::report;
use super::run::{Context, Verdict};
use retrospect_stats::Json;
use std::borrow::Cow;
use std::fs::OpenOptions;
use std::io::Write as _;

const VARIABLE: &str = "RETROSPECT_RESULT_FILE";

/// The members that describe a failure.
pub(crate) type Facts = Vec<(Cow<'static, str>, Json<'static>)>;

/// Writes down the verdict, if somebody asks for it.
pub(crate) fn tell(definition: &Definition<'_>, verdict: &Verdict) {
    let Some(path) = std::env::var_os(VARIABLE) else { return };
    let mut members = vec![text("property", definition.path), text("test", &definition.filter())];
    match verdict {
        Verdict::Passed => members.push(text("verdict", "passes")),
        Verdict::Failed { report, message, facts, .. } => {
            members.push(text("verdict", if facts.is_some() { "fails" } else { "not run" }));
            members.extend([text("message", message), text("report", report)]);
            members.extend(facts.iter().flatten().cloned());
        }
    }
    let line = Json::Object(members).to_string() + "\n";
    let written =
        OpenOptions::new().append(true).create(true).open(path).and_then(|mut file| file.write_all(line.as_bytes()));
    if let Err(error) = written {
        report::warn(definition.test_name(), &format!("{VARIABLE} cannot be written: {error}"));
    }
}

/// Whether somebody asks: facts need not be put together for nobody.
pub(crate) fn is_wanted() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

pub(crate) fn facts(context: &Context<'_>, finding: &Finding) -> Facts {
    let mut facts: Facts = finding.found.failure.place.iter().map(|place| text("place", place)).collect();
    facts.push(values("values", &finding.found.values));
    let end = match &finding.shrinking {
        _ if finding.found.flaky.is_some() => "flaky",
        Shrinking::NotWanted => "not wanted",
        Shrinking::NotPossible(_) => "not possible",
        Shrinking::Done { end, .. } => end.word(),
    };
    facts.push(text("end", end));
    let count = |name: &'static str, count: usize| (name.into(), Json::Whole(count as u64));
    if let Shrinking::Done { before, after, successes, runs, took, .. } = &finding.shrinking {
        facts.push(values("values_before", &finding.first));
        facts.extend([count("choices_before", *before), count("choices", *after), count("shrinks", *successes)]);
        facts.extend([("runs".into(), Json::Whole(*runs)), ("seconds".into(), Json::Number(took.as_secs_f64()))]);
    }
    match &finding.saving {
        Saving::Saved(id) => facts.extend([text("saved", id), text("file", &context.file.display().to_string())]),
        Saving::Failed(problem) => facts.push(text("not_saved", problem)),
        Saving::NotWanted => {}
    }
    facts.push(count("other_failures", finding.others.len()));
    facts
}

fn text(name: &'static str, text: &str) -> (Cow<'static, str>, Json<'static>) {
    (name.into(), text.to_owned().into())
}

/// In an array, since an object has no order.
fn values(name: &'static str, values: &[(String, String)]) -> (Cow<'static, str>, Json<'static>) {
    let each = values.iter().map(|(name, value)| Json::Object(vec![text("name", name), text("value", value)]));
    (name.into(), Json::List(each.collect()))
}
