//! What became of a property, for a program to read: `cargo retrospect` names a file in
//! `RETROSPECT_RESULT_FILE`, and finds a line of JSON there for each property that ran. This is
//! between the two of them and may change with every release; both are of one version.

use super::finding::{Finding, Saving, ShrinkEnd, Shrinking};
use super::property::Definition;
use super::run::{Context, Verdict};
use std::fs::OpenOptions;
use std::io::Write as _;

const VARIABLE: &str = "RETROSPECT_RESULT_FILE";

/// Writes down the verdict, if somebody asks for it.
pub(crate) fn tell(definition: &Definition<'_>, verdict: &Verdict) {
    let Some(path) = std::env::var_os(VARIABLE) else { return };
    let mut line = Object::new();
    line.text("property", definition.path).text("test", &definition.filter());
    match verdict {
        Verdict::Passed => {
            line.text("verdict", "passes");
        }
        Verdict::Failed { report, message, facts, .. } => {
            line.text("verdict", if facts.is_some() { "fails" } else { "not run" });
            line.text("message", message).text("report", report);
            if let Some(facts) = facts {
                line.raw(facts);
            }
        }
    }
    let text = line.close() + "\n";
    let written =
        OpenOptions::new().append(true).create(true).open(path).and_then(|mut file| file.write_all(text.as_bytes()));
    if let Err(error) = written {
        super::report::warn(definition.test_name(), &format!("{VARIABLE} cannot be written: {error}"));
    }
}

/// Whether somebody asks: facts need not be put together for nobody.
pub(crate) fn is_wanted() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// The members that describe a failure.
pub(crate) fn facts(context: &Context<'_>, finding: &Finding) -> String {
    let mut facts = Object::members();
    if let Some(place) = &finding.found.failure.place {
        facts.text("place", place);
    }
    facts.values("values", &finding.found.values);
    let end = match &finding.shrinking {
        _ if finding.found.flaky.is_some() => "flaky",
        Shrinking::NotWanted => "not wanted",
        Shrinking::NotPossible(_) => "not possible",
        Shrinking::Done { end, .. } => match end {
            ShrinkEnd::Minimal => "minimal",
            ShrinkEnd::Stalled => "stalled",
            ShrinkEnd::OutOfTime(_) => "time over",
            ShrinkEnd::OutOfRuns(_) => "runs spent",
            ShrinkEnd::Hung(_) => "hung",
        },
    };
    facts.text("end", end);
    if let Shrinking::Done { before, after, successes, runs, took, .. } = &finding.shrinking {
        facts.values("values_before", &finding.first);
        facts.number("choices_before", *before as f64).number("choices", *after as f64);
        facts.number("shrinks", *successes as f64).number("runs", *runs as f64).number("seconds", took.as_secs_f64());
    }
    match &finding.saving {
        Saving::Saved(id) => {
            facts.text("saved", id).text("file", &context.file.display().to_string());
        }
        Saving::Failed(problem) => {
            facts.text("not_saved", problem);
        }
        Saving::NotWanted => {}
    }
    facts.number("other_failures", finding.others.len() as f64);
    facts.out
}

/// An object of JSON that is being written.
struct Object {
    out: String,
}

impl Object {
    fn new() -> Object {
        Object { out: "{".to_owned() }
    }

    /// Without the braces.
    fn members() -> Object {
        Object { out: String::new() }
    }

    fn name(&mut self, name: &str) {
        if !self.out.is_empty() && !self.out.ends_with('{') {
            self.out.push(',');
        }
        self.out += &format!("\"{name}\":");
    }

    fn text(&mut self, name: &str, text: &str) -> &mut Object {
        self.name(name);
        quote(&mut self.out, text);
        self
    }

    fn number(&mut self, name: &str, number: f64) -> &mut Object {
        self.name(name);
        self.out += &number.to_string();
        self
    }

    /// In an array, since an object has no order.
    fn values(&mut self, name: &str, values: &[(String, String)]) -> &mut Object {
        self.name(name);
        self.out.push('[');
        for (at, (name, text)) in values.iter().enumerate() {
            self.out += if at > 0 { ",{\"name\":" } else { "{\"name\":" };
            quote(&mut self.out, name);
            self.out += ",\"value\":";
            quote(&mut self.out, text);
            self.out.push('}');
        }
        self.out.push(']');
        self
    }

    fn raw(&mut self, members: &str) {
        if !members.is_empty() {
            self.out.push(',');
            self.out += members;
        }
    }

    fn close(self) -> String {
        self.out + "}"
    }
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => *out += "\\\"",
            '\\' => *out += "\\\\",
            '\n' => *out += "\\n",
            control if control < ' ' => *out += &format!("\\u{:04x}", control as u32),
            other => out.push(other),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::Object;

    #[test]
    fn text_of_any_kind_is_quoted() {
        let mut object = Object::new();
        object.text("text", "a\"b\\c\n\u{1}\u{7f}ä\u{2028}").number("seconds", 0.25).number("runs", 1e6);
        object.values("values", &[("x".to_owned(), "\"".to_owned()), ("y".to_owned(), "2".to_owned())]);
        assert_eq!(
            object.close(),
            "{\"text\":\"a\\\"b\\\\c\\n\\u0001\u{7f}ä\u{2028}\",\"seconds\":0.25,\"runs\":1000000,\
             \"values\":[{\"name\":\"x\",\"value\":\"\\\"\"},{\"name\":\"y\",\"value\":\"2\"}]}"
        );
    }
}
