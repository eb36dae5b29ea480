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
        let mut line = Vec::new();
        self.write(&mut line);
        String::from_utf8_lossy(&line).into_owned()
    }

    /// Writes the line, with its line break, behind what there is.
    ///
    /// ```
    /// use retrospect_stats::Observation;
    /// let mut lines = Vec::new();
    /// Observation::new("a::b", 0.0).write(&mut lines);
    /// Observation::new("a::b", 0.0).write(&mut lines);
    /// assert_eq!(lines.split(|byte| *byte == b'\n').count(), 3);
    /// ```
    pub fn write(&self, out: &mut Vec<u8>) {
        let mut line = Line::begin(out, self.status, &self.status_reason, &self.representation);
        for (name, value) in &self.arguments {
            line.member(name, value);
        }
        line.features(&self.how_generated);
        for (name, value) in &self.features {
            line.member(name, value);
        }
        line.timing(self.coverage.as_deref());
        for (part, time) in &self.timing {
            line.time(part, *time);
        }
        line.metadata();
        for (name, value) in &self.metadata {
            line.member(name, value);
        }
        line.end(&end_of_lines(&self.property, self.run_start));
    }
}

/// What all lines of a run end with.
pub(crate) fn end_of_lines(property: &str, run_start: f64) -> Vec<u8> {
    let mut end = b",\"property\":".to_vec();
    json::text(&mut end, property);
    end.extend_from_slice(b",\"run_start\":");
    json::number(&mut end, run_start);
    end.extend_from_slice(b"}\n");
    end
}

/// A line that is being written: nothing is gathered before, since the runner writes one for every
/// case.
///
/// Its parts come in order: arguments, [`features`](Line::features), [`timing`](Line::timing),
/// [`metadata`](Line::metadata), [`end`](Line::end).
#[derive(Debug)]
pub struct Line<'l> {
    out: &'l mut Vec<u8>,
    /// Whether the object that is open has no member yet.
    is_first: bool,
    /// Where the representation is, with its quotes.
    representation: std::ops::Range<usize>,
}

impl<'l> Line<'l> {
    /// Begins a line; its arguments are next.
    ///
    /// ```
    /// use retrospect_stats::{Json, Line, Status};
    /// let mut text = Vec::new();
    /// let mut line = Line::begin(&mut text, Status::Passed, "", "7");
    /// line.member("n", &Json::from("7"));
    /// line.features("random");
    /// line.timing(None);
    /// line.metadata();
    /// line.end(b",\"property\":\"a::b\",\"run_start\":1.5}\n");
    /// assert!(String::from_utf8(text).unwrap().contains(r#""arguments":{"n":"7"},"how_generated":"random","features":{},"coverage":null"#));
    /// ```
    pub fn begin(out: &'l mut Vec<u8>, status: Status, reason: &str, representation: &str) -> Line<'l> {
        if status == Status::Passed && reason.is_empty() {
            // As it is nearly always.
            out.extend_from_slice(
                b"{\"type\":\"test_case\",\"status\":\"passed\",\"status_reason\":\"\",\"representation\":",
            );
        } else {
            out.extend_from_slice(b"{\"type\":\"test_case\",\"status\":\"");
            out.extend_from_slice(status.name().as_bytes());
            out.extend_from_slice(b"\",\"status_reason\":");
            json::text(out, reason);
            out.extend_from_slice(b",\"representation\":");
        }
        let start = out.len();
        json::text(out, representation);
        let representation = start..out.len();
        out.extend_from_slice(b",\"arguments\":{");
        Line { out, is_first: true, representation }
    }

    /// The arguments are all there: how they were come by; features are next.
    pub fn features(&mut self, how_generated: &str) {
        if how_generated == "random" {
            // As it is nearly always.
            self.out.extend_from_slice(b"},\"how_generated\":\"random\",\"features\":{");
        } else {
            self.out.extend_from_slice(b"},\"how_generated\":");
            json::text(self.out, how_generated);
            self.out.extend_from_slice(b",\"features\":{");
        }
        self.is_first = true;
    }

    /// The features are all there: the lines that were run, by file; times are next.
    pub fn timing(&mut self, coverage: Option<&[(Cow<'_, str>, Vec<u32>)]>) {
        self.out.extend_from_slice(b"},\"coverage\":");
        match coverage {
            None => self.out.extend_from_slice(b"null"),
            Some(files) => write_coverage(self.out, files),
        }
        self.out.extend_from_slice(b",\"timing\":{");
        self.is_first = true;
    }

    /// The times are all there; metadata are next.
    pub fn metadata(&mut self) {
        self.out.extend_from_slice(b"},\"metadata\":{");
        self.is_first = true;
    }

    /// Adds a member to what is open.
    pub fn member(&mut self, name: &str, value: &Json<'_>) {
        self.name(name);
        value.write(self.out);
    }

    /// Adds a member whose name was made [ready](ready_name) before.
    pub fn ready_member(&mut self, name: &[u8], value: &Json<'_>) {
        self.ready_name(name);
        value.write(self.out);
    }

    /// Adds a number without a fraction to what is open, under a name that was made
    /// [ready](ready_name) before.
    pub fn ready_whole(&mut self, name: &[u8], number: u64) {
        self.ready_name(name);
        json::whole(self.out, number);
    }

    /// Adds what the representation is to what is open, under a name that was made
    /// [ready](ready_name) before: a property of one argument has its text twice.
    ///
    /// ```
    /// use retrospect_stats::{Line, Status, ready_name};
    /// let mut text = Vec::new();
    /// let mut line = Line::begin(&mut text, Status::Passed, "", "\"a\"");
    /// line.ready_representation(&ready_name("s"));
    /// assert!(String::from_utf8(text).unwrap().ends_with(r#""representation":"\"a\"","arguments":{"s":"\"a\"""#));
    /// ```
    pub fn ready_representation(&mut self, name: &[u8]) {
        self.ready_name(name);
        self.out.extend_from_within(self.representation.clone());
    }

    /// Adds a time.
    pub fn time(&mut self, part: &str, time: Duration) {
        self.name(part);
        json::seconds(self.out, time);
    }

    /// Adds a time whose name was made [ready](ready_name) before.
    pub fn ready_time(&mut self, part: &[u8], time: Duration) {
        self.ready_name(part);
        json::seconds(self.out, time);
    }

    /// Everything is there but for the property and the start of its run, which are the same in
    /// every line.
    pub fn end(self, end: &[u8]) {
        self.out.push(b'}');
        self.out.extend_from_slice(end);
    }

    fn ready_name(&mut self, name: &[u8]) {
        if !std::mem::take(&mut self.is_first) {
            self.out.push(b',');
        }
        self.out.extend_from_slice(name);
    }

    fn name(&mut self, name: &str) {
        if !std::mem::take(&mut self.is_first) {
            self.out.push(b',');
        }
        json::text(self.out, name);
        self.out.push(b':');
    }
}

/// A name as it stands in a line, for names that stand in very many.
///
/// ```
/// assert_eq!(retrospect_stats::ready_name("a\"b"), br#""a\"b":"#);
/// ```
pub fn ready_name(name: &str) -> Vec<u8> {
    let mut ready = Vec::new();
    json::text(&mut ready, name);
    ready.push(b':');
    ready
}

fn write_coverage(out: &mut Vec<u8>, files: &[(Cow<'_, str>, Vec<u32>)]) {
    out.push(b'{');
    for (at, (file, lines)) in files.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        json::text(out, file);
        out.extend_from_slice(b":[");
        for (at, line) in lines.iter().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            json::whole(out, u64::from(*line));
        }
        out.push(b']');
    }
    out.push(b'}');
}
