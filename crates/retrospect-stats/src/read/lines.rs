//! From lines to the cases of runs.

use super::scan::{Malformed, Next, Scanner, Text};
use crate::Status;
use crate::summary::cases::{Case, Cases, Place};
use crate::summary::column::Value;
use crate::summary::index::{cut, hash};
use std::borrow::Cow;

/// Of so many bad lines it is told where they are; the rest are counted.
const KEPT_BAD_LINES: usize = 100;

/// In seconds: no case takes ten years.
const LONGEST: f64 = 3e8;

/// What a piece of a file holds.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub runs: Vec<Part>,
    pub bad: Vec<BadLine>,
    pub n_bad: u64,
    pub n_lines: u64,
}

/// What a piece of a file holds of one run.
#[derive(Debug)]
pub(crate) struct Part {
    pub property: Box<str>,
    pub run_start: f64,
    pub cases: Cases,
    pub messages: Vec<Message>,
    pub events: Vec<serde_json::Map<String, serde_json::Value>>,
}

/// A line that could not be read.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct BadLine {
    /// The file, by its number in the order of reading.
    pub file: u16,
    /// At which byte of the file the line begins.
    pub offset: u64,
    /// What is wrong with it, and where.
    pub problem: String,
    /// How it begins.
    pub text: String,
}

/// What a tool has to say about a run.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Message {
    /// `info`, `alert` or `error`.
    pub kind: String,
    /// Its heading.
    pub title: String,
    /// Its text, or an object of JSON.
    pub content: String,
}

impl Batch {
    /// Adds a line. What cannot be read is noted, and that is all.
    pub fn line(&mut self, line: &[u8], file: u16, offset: u64) {
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        self.n_lines += 1;
        let place = Place { file, offset, length: line.len() as u32 };
        if let Err(problem) = self.read(line, place) {
            self.bad(line, place, problem);
        }
    }

    fn bad(&mut self, line: &[u8], place: Place, problem: String) {
        self.n_bad += 1;
        if self.bad.len() < KEPT_BAD_LINES {
            let start = &line[..line.len().min(300)];
            let text = cut(&String::from_utf8_lossy(start), 200).into_owned();
            self.bad.push(BadLine { file: place.file, offset: place.offset, problem, text });
        }
    }

    /// A line that is so long that it is not read at all.
    pub fn too_long(&mut self, start: &[u8], file: u16, offset: u64, limit: usize) {
        self.n_lines += 1;
        let problem = format!("the line is longer than {} MB", limit >> 20);
        self.bad(start, Place { file, offset, length: 0 }, problem);
    }

    fn read(&mut self, line: &[u8], place: Place) -> Result<(), String> {
        let line = std::str::from_utf8(line)
            .map_err(|error| format!("it is not UTF-8 (at byte {} of the line)", error.valid_up_to() + 1))?;
        let fields =
            Fields::of(line).map_err(|wrong| format!("{} (at byte {} of the line)", wrong.what, wrong.at + 1))?;
        let missing = |name| format!("the field `{name}` is missing, or not what it should be");
        let property = fields.property.ok_or_else(|| missing("property"))?.decoded();
        let run_start = fields.run_start.filter(|start| start.is_finite()).unwrap_or(0.0);
        if fields.event.is_some() {
            let event: serde_json::Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            if let serde_json::Value::Object(event) = event {
                self.part(&property, run_start).events.push(event);
            }
            return Ok(());
        }
        let kind = fields.kind.ok_or_else(|| missing("type"))?.decoded();
        match &*kind {
            // The second is what the paper calls it.
            "test_case" | "example" => {}
            "info" | "alert" | "error" => {
                let text = |text: Option<Text<'_>>| text.map(|text| text.decoded().into_owned());
                let content = text(fields.content).or(text(fields.message));
                let message = Message {
                    title: text(fields.title).unwrap_or_else(|| kind.to_string()),
                    content: content.or(fields.content_raw.map(str::to_owned)).unwrap_or_default(),
                    kind: kind.into_owned(),
                };
                self.part(&property, run_start).messages.push(message);
                return Ok(());
            }
            other => return Err(format!("the type `{}` is not known", cut(other, 40))),
        }
        let status = match fields.status.ok_or_else(|| missing("status"))?.raw {
            "passed" => Status::Passed,
            "failed" => Status::Failed,
            "gave_up" | "discarded" | "invalid" => Status::GaveUp,
            other => return Err(format!("the status `{}` is not known", cut(other, 40))),
        };
        self.part(&property, run_start).case(status, &fields, place);
        Ok(())
    }

    fn part(&mut self, property: &str, run_start: f64) -> &mut Part {
        // Lines of a run stand together.
        let is_it = |part: &Part| *part.property == *property && part.run_start == run_start;
        let at = match self.runs.last() {
            Some(last) if is_it(last) => Some(self.runs.len() - 1),
            _ => self.runs.iter().position(is_it),
        };
        let at = at.unwrap_or_else(|| {
            self.runs.push(Part {
                property: property.into(),
                run_start,
                cases: Cases::default(),
                messages: Vec::new(),
                events: Vec::new(),
            });
            self.runs.len() - 1
        });
        &mut self.runs[at]
    }
}

/// The members of a line that matter here, found but not yet looked into.
#[derive(Debug, Default)]
struct Fields<'l> {
    line: &'l str,
    kind: Option<Text<'l>>,
    event: Option<Text<'l>>,
    property: Option<Text<'l>>,
    run_start: Option<f64>,
    status: Option<Text<'l>>,
    reason: Option<Text<'l>>,
    representation: Option<Text<'l>>,
    how: Option<Text<'l>>,
    title: Option<Text<'l>>,
    content: Option<Text<'l>>,
    content_raw: Option<&'l str>,
    message: Option<Text<'l>>,
    features: Option<&'l str>,
    timing: Option<&'l str>,
    coverage: Option<&'l str>,
}

impl<'l> Fields<'l> {
    fn of(line: &'l str) -> Result<Fields<'l>, Malformed> {
        let mut fields = Fields { line, ..Fields::default() };
        let mut scanner = Scanner::new(line);
        scanner.object(|scanner, name| {
            let text = match name.raw {
                "type" | "line_type" => &mut fields.kind,
                "event" => &mut fields.event,
                "property" => &mut fields.property,
                "status" => &mut fields.status,
                "status_reason" => &mut fields.reason,
                "representation" => &mut fields.representation,
                "how_generated" => &mut fields.how,
                "title" => &mut fields.title,
                "message" => &mut fields.message,
                "content" if scanner.next()? == Next::Text => &mut fields.content,
                "run_start" => {
                    if scanner.next()? == Next::Number {
                        fields.run_start = Some(scanner.number()?);
                        return Ok(());
                    }
                    return scanner.skip();
                }
                other => {
                    let raw = scanner.raw()?;
                    match other {
                        "features" => fields.features = Some(raw),
                        "timing" => fields.timing = Some(raw),
                        "coverage" => fields.coverage = Some(raw),
                        "content" => fields.content_raw = Some(raw),
                        _ => {}
                    }
                    return Ok(());
                }
            };
            if scanner.next()? == Next::Text {
                *text = Some(scanner.text()?);
                return Ok(());
            }
            scanner.skip()
        })?;
        scanner.end()?;
        Ok(fields)
    }
}

impl Part {
    /// What is inside of features and the like was stepped over once, so it is well-formed; what is
    /// not of the expected shape is left out.
    fn case(&mut self, status: Status, fields: &Fields<'_>, place: Place) {
        let cases = &mut self.cases;
        fn decoded<'l>(text: &Option<Text<'l>>) -> Cow<'l, str> {
            text.as_ref().map_or(Cow::Borrowed(""), |text| text.decoded())
        }
        let representation = fields.representation.filter(|text| !text.raw.is_empty());
        cases.push(&Case {
            status,
            place,
            reason: &decoded(&fields.reason),
            how: &decoded(&fields.how),
            hash: representation.map(|text| hash(text.raw.as_bytes())),
            text_length: representation.map_or(u32::MAX, |text| text.raw.len() as u32),
            text_at: representation
                .map_or(0, |text| (text.raw.as_ptr() as usize - fields.line.as_ptr() as usize) as u32),
        });
        if let Some(features) = fields.features {
            let mut hint = 0;
            let _ = members(features, |scanner, name| {
                match feature(scanner)? {
                    Feature::None => {}
                    Feature::One(value) => cases.feature(hint, &name, value),
                    Feature::Pair(x, y) => {
                        let (x_name, y_name) = (format!("{name}: {}", x.0), format!("{name}: {}", y.0));
                        cases.feature(hint, &x_name, Value::Number(x.1));
                        hint += 1;
                        cases.feature(hint, &y_name, Value::Number(y.1));
                        cases.pair(&x_name, &y_name);
                    }
                }
                hint += 1;
                Ok(())
            });
        }
        if let Some(timing) = fields.timing {
            let mut hint = 0;
            let _ = members(timing, |scanner, name| {
                if scanner.next()? == Next::Number {
                    let seconds = scanner.number()?;
                    // A clock that was set makes times negative, or many years long.
                    cases.time(hint, &name, if seconds.is_finite() { seconds.clamp(0.0, LONGEST) } else { 0.0 });
                    hint += 1;
                    return Ok(());
                }
                scanner.skip()
            });
        }
        if let Some(coverage) = fields.coverage {
            let case = cases.len() - 1;
            let mut files = Vec::new();
            let _ = members(coverage, |scanner, file| {
                if scanner.next()? != Next::List {
                    return scanner.skip();
                }
                let at = files.len();
                files.push((file, Vec::new()));
                scanner.list(|scanner| {
                    if scanner.next()? == Next::Number {
                        let line = scanner.number()?;
                        if (1.0..4e9).contains(&line) {
                            files[at].1.push(line as u32);
                        }
                        return Ok(());
                    }
                    scanner.skip()
                })
            });
            let lines: Vec<(&str, u32)> =
                files.iter().flat_map(|(file, lines)| lines.iter().map(|line| (&**file, *line))).collect();
            if !files.is_empty() {
                cases.coverage.push(case, &lines);
            }
        }
    }
}

/// Calls with each member of what should be an object.
fn members<'l>(
    raw: &'l str,
    mut member: impl FnMut(&mut Scanner<'l>, Cow<'l, str>) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    let mut scanner = Scanner::new(raw);
    if scanner.next()? != Next::Object {
        return Ok(());
    }
    scanner.object(|scanner, name| member(scanner, name.decoded()))
}

/// What a feature is in a case.
enum Feature<'l> {
    None,
    One(Value<'l>),
    Pair(Named, Named),
}

type Named = (Box<str>, f64);

fn feature<'l>(scanner: &mut Scanner<'l>) -> Result<Feature<'l>, Malformed> {
    let value = match scanner.next()? {
        Next::Number => Value::Number(scanner.number()?),
        Next::Text => match scanner.text()?.decoded() {
            text if text == "NaN" => Value::Number(f64::NAN),
            text if text == "inf" => Value::Number(f64::INFINITY),
            text if text == "-inf" => Value::Number(f64::NEG_INFINITY),
            text => Value::Text(text),
        },
        Next::True => {
            scanner.word("true")?;
            Value::Text("true".into())
        }
        Next::False => {
            scanner.word("false")?;
            Value::Text("false".into())
        }
        Next::Null => {
            scanner.word("null")?;
            return Ok(Feature::None);
        }
        Next::Object => Value::Text(scanner.raw()?.into()),
        Next::List => {
            let raw = scanner.raw()?;
            match pair(raw) {
                Some((x, y)) => return Ok(Feature::Pair(x, y)),
                None => Value::Text(raw.into()),
            }
        }
    };
    Ok(Feature::One(value))
}

/// Reads `[["x", 1], ["y", 2]]`, which is how two numbers that belong together are written.
fn pair(raw: &str) -> Option<(Named, Named)> {
    let mut found = Vec::new();
    let mut scanner = Scanner::new(raw);
    let read = scanner.list(|scanner| {
        if found.len() == 2 || scanner.next()? != Next::List {
            found.clear();
            return scanner.skip();
        }
        let (mut name, mut number) = (None, None);
        scanner.list(|scanner| {
            match scanner.next()? {
                Next::Text if name.is_none() => name = Some(scanner.text()?.decoded().into()),
                Next::Number if number.is_none() => number = Some(scanner.number()?),
                _ => scanner.skip()?,
            }
            Ok(())
        })?;
        if let (Some(name), Some(number)) = (name, number) {
            found.push((name, number));
        }
        Ok(())
    });
    read.ok()?;
    let second = found.pop()?;
    let first = found.pop()?;
    Some((first, second))
}

/// The value of a case, from its line. What comes behind it is not looked at.
pub(crate) fn representation(line: &[u8]) -> Option<Cow<'_, str>> {
    let mut found = None;
    let mut scanner = Scanner::new(std::str::from_utf8(line).ok()?);
    let _ = scanner.object(|scanner, name| {
        if name.raw == "representation" && scanner.next()? == Next::Text {
            found = Some(scanner.text()?.decoded());
            // Enough.
            return Err(Malformed { at: 0, what: "" });
        }
        scanner.skip()
    });
    found
}
