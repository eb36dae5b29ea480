use crate::json::{self, Json, Members};
use std::borrow::Cow;
use std::time::Duration;

/// One case of a property: a line of OpenPBTStats, with all of its twelve fields.
///
/// What is borrowed is written without being copied; the runner makes one of these for every case.
///
/// ```
/// use retrospect_stats::{Observation, Status};
/// use std::time::Duration;
/// let mut line = Observation::new("queue::tests::keeps_order", 10.25);
/// line.status = Status::GaveUp;
/// line.status_reason = "assume!(xs.len() > 1) at src/queue.rs:14:9".into();
/// line.representation = "[]".into();
/// line.timing.push(("generate:xs".into(), Duration::from_micros(3)));
/// assert_eq!(
///     line.to_line(),
///     "{\"type\":\"test_case\",\"status\":\"gave_up\",\"status_reason\":\"assume!(xs.len() > 1) at src/queue.rs:14:9\",\
///      \"representation\":\"[]\",\"arguments\":{},\"how_generated\":\"\",\"features\":{},\"coverage\":null,\
///      \"timing\":{\"generate:xs\":0.000003},\"metadata\":{},\"property\":\"queue::tests::keeps_order\",\"run_start\":10.25}\n"
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Observation<'o> {
    /// What became of the case.
    pub status: Status,
    /// Why it failed or was discarded, with the place; empty if it passed.
    pub status_reason: Cow<'o, str>,
    /// The input as text, as it can be read back: see `FORMAT.md`.
    pub representation: Cow<'o, str>,
    /// The arguments by name.
    pub arguments: Members<'o>,
    /// In which way the input was come by. Tyche wants text, not `null`.
    pub how_generated: Cow<'o, str>,
    /// What was noticed about the case: numbers and text by name.
    pub features: Members<'o>,
    /// The lines that were run, by file, each list rising; none if nobody looked.
    pub coverage: Option<Vec<(Cow<'o, str>, Vec<u32>)>>,
    /// The time that parts of the case took, which do not overlap.
    pub timing: Vec<(Cow<'o, str>, Duration)>,
    /// Whatever else is known.
    pub metadata: Members<'o>,
    /// The path of the property, with its crate.
    pub property: Cow<'o, str>,
    /// When the run of the property began, in seconds since 1970; the same in all lines of a run.
    pub run_start: f64,
}

/// What became of a case.
///
/// ```
/// use retrospect_stats::Status;
/// assert_eq!(Status::GaveUp.name(), "gave_up");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The property held.
    Passed,
    /// It did not.
    Failed,
    /// The case was discarded before that could be told.
    GaveUp,
}

impl Status {
    /// The word for it in a line.
    ///
    /// ```
    /// use retrospect_stats::Status;
    /// assert_eq!([Status::Passed, Status::Failed].map(Status::name), ["passed", "failed"]);
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Status::Passed => "passed",
            Status::Failed => "failed",
            Status::GaveUp => "gave_up",
        }
    }
}

impl<'o> Observation<'o> {
    /// A case that passed, of which nothing is known yet.
    ///
    /// ```
    /// use retrospect_stats::{Observation, Status};
    /// assert_eq!(Observation::new("a::b", 0.0).status, Status::Passed);
    /// ```
    pub fn new(property: &'o str, run_start: f64) -> Observation<'o> {
        Observation {
            status: Status::Passed,
            status_reason: Cow::Borrowed(""),
            representation: Cow::Borrowed(""),
            arguments: Vec::new(),
            how_generated: Cow::Borrowed(""),
            features: Vec::new(),
            coverage: None,
            timing: Vec::new(),
            metadata: Vec::new(),
            property: Cow::Borrowed(property),
            run_start,
        }
    }

    /// The line, with its line break.
    ///
    /// ```
    /// use retrospect_stats::Observation;
    /// let line = Observation::new("a::b", 0.0).to_line();
    /// assert!(line.starts_with(r#"{"type":"test_case","#) && line.ends_with("}\n"));
    /// ```
    pub fn to_line(&self) -> String {
        let mut line = String::new();
        self.write(&mut line);
        line
    }

    /// Writes the line, with its line break, behind what there is.
    ///
    /// ```
    /// use retrospect_stats::Observation;
    /// let mut lines = String::new();
    /// Observation::new("a::b", 0.0).write(&mut lines);
    /// Observation::new("a::b", 0.0).write(&mut lines);
    /// assert_eq!(lines.lines().count(), 2);
    /// ```
    pub fn write(&self, out: &mut String) {
        out.push_str("{\"type\":\"test_case\",\"status\":\"");
        out.push_str(self.status.name());
        out.push_str("\",\"status_reason\":");
        json::text(out, &self.status_reason);
        out.push_str(",\"representation\":");
        json::text(out, &self.representation);
        out.push_str(",\"arguments\":");
        json::object(out, &self.arguments);
        out.push_str(",\"how_generated\":");
        json::text(out, &self.how_generated);
        out.push_str(",\"features\":");
        json::object(out, &self.features);
        out.push_str(",\"coverage\":");
        self.write_coverage(out);
        out.push_str(",\"timing\":{");
        for (at, (part, time)) in self.timing.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            json::text(out, part);
            out.push(':');
            json::seconds(out, *time);
        }
        out.push_str("},\"metadata\":");
        json::object(out, &self.metadata);
        out.push_str(",\"property\":");
        json::text(out, &self.property);
        out.push_str(",\"run_start\":");
        json::number(out, self.run_start);
        out.push_str("}\n");
    }

    fn write_coverage(&self, out: &mut String) {
        let Some(files) = &self.coverage else { return out.push_str("null") };
        out.push('{');
        for (at, (file, lines)) in files.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            json::text(out, file);
            out.push_str(":[");
            for (at, line) in lines.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                json::whole(out, u64::from(*line));
            }
            out.push(']');
        }
        out.push('}');
    }
}

/// A text as an argument, for the many places that have one.
impl<'o> Observation<'o> {
    /// Adds an argument with its text.
    ///
    /// ```
    /// use retrospect_stats::{Json, Observation};
    /// let mut line = Observation::new("a::b", 0.0);
    /// line.argument("n", "7");
    /// assert_eq!(line.arguments, [("n".into(), Json::from("7"))]);
    /// ```
    pub fn argument(&mut self, name: &'o str, text: &'o str) {
        self.arguments.push((Cow::Borrowed(name), Json::from(text)));
    }
}
