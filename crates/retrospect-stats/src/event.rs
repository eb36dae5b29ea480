use crate::json::{self, Json};
use std::borrow::Cow;

/// A line of the second file: what happened in a run that is not a case.
///
/// ```
/// use retrospect_stats::{Event, Happened};
/// let happened = Happened::Discards { place: "src/a.rs:7:5".into(), text: "assume!(a != b)".into(), count: 12 };
/// let event = Event { property: "a::b".into(), run_start: 10.5, happened };
/// assert_eq!(
///     event.to_line(),
///     "{\"event\":\"discards\",\"property\":\"a::b\",\"run_start\":10.5,\
///      \"place\":\"src/a.rs:7:5\",\"text\":\"assume!(a != b)\",\"count\":12}\n"
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Event<'e> {
    /// The path of the property, with its crate.
    pub property: Cow<'e, str>,
    /// As in the lines of the cases.
    pub run_start: f64,
    /// What happened.
    pub happened: Happened<'e>,
}

/// What happened in a run. The name of a variant in lower case, with `_`, is the `event` of its
/// line; its fields are members of their names.
///
/// Times are in seconds, places are `file:line:column`, a representation is as in the lines of the
/// cases.
#[derive(Clone, Debug, PartialEq)]
pub enum Happened<'e> {
    /// The first of each run.
    RunStarted {
        /// Of the library.
        version: Cow<'e, str>,
        /// What to tell `cargo test` to run this test alone.
        test: Cow<'e, str>,
        /// Where the crate of the property is; file names of its places begin there or at the root
        /// of the workspace.
        crate_directory: Cow<'e, str>,
        /// Of the process that runs it.
        process: u64,
        /// With it the random cases are the same.
        seed: u64,
        /// How many cases were asked for, if a number was.
        cases: Option<u64>,
        /// Whether lines have their coverage.
        coverage: bool,
        /// The file of weights that cases are drawn by.
        weights: Option<Cow<'e, str>>,
        /// Whether the weights were learned from examples just now.
        steered: bool,
    },
    /// An `#[example]` was run, or it was not: then `status` is `"not run"`.
    Example {
        /// From 1.
        number: u64,
        /// `passed`, `failed`, `gave_up` or `not run`.
        status: Cow<'e, str>,
        /// Why it was discarded, failed, or not run.
        reason: Cow<'e, str>,
    },
    /// A counterexample of an earlier run was run again.
    SavedCase {
        /// Its name in the file.
        id: Cow<'e, str>,
        /// `passed`, `failed`, `gave_up` or `not made`.
        status: Cow<'e, str>,
        /// Why.
        reason: Cow<'e, str>,
    },
    /// A case failed, and is going to be shrunk.
    FailureFound {
        /// How it was come by, as in `how_generated`.
        how: Cow<'e, str>,
        /// The how manieth case it was, if it was one of the search.
        case: Option<u64>,
        /// What went wrong.
        reason: Cow<'e, str>,
        /// Where.
        place: Option<Cow<'e, str>>,
        /// The input.
        representation: Cow<'e, str>,
        /// How many choices it has, if they are known.
        choices: Option<u64>,
    },
    /// Shrinking found a simpler case that fails the same way.
    ShrinkStep {
        /// From 1.
        step: u64,
        /// How many runs of the property it took so far.
        run: u64,
        /// Which pass found it.
        pass: Cow<'e, str>,
        /// How many choices are left.
        choices: u64,
        /// The simpler input.
        representation: Cow<'e, str>,
    },
    /// Shrinking is over.
    ShrinkEnded {
        /// `minimal`, `stalled`, `time over`, `runs spent`, `flaky`, `not wanted` or `not
        /// possible`.
        end: Cow<'e, str>,
        /// How many steps there were; of very many the steps in the middle have no lines.
        steps: u64,
        /// How many runs of the property.
        runs: u64,
        /// How many choices the case had at first, and has now.
        choices_before: u64,
        /// And has now.
        choices: u64,
        /// How long it took.
        seconds: f64,
        /// The input that is reported.
        representation: Cow<'e, str>,
        /// What it fails with.
        reason: Cow<'e, str>,
        /// Names of the arguments that do not matter: others in their place fail too.
        irrelevant: Vec<Cow<'e, str>>,
        /// What `note!` said in this case.
        notes: Vec<Cow<'e, str>>,
    },
    /// A counterexample was written down, to be run first from now on.
    Saved {
        /// Its name, for `cargo retrospect replay`.
        id: Cow<'e, str>,
        /// The file it is in.
        file: Cow<'e, str>,
    },
    /// At the end: what a `cover!` came to.
    Cover {
        /// What it is called.
        label: Cow<'e, str>,
        /// Where it stands.
        place: Cow<'e, str>,
        /// The share that is demanded.
        required: f64,
        /// In how many cases it held.
        held_in: u64,
        /// How many reached it.
        cases: u64,
        /// `met`, `missed` or `undecided`.
        verdict: Cow<'e, str>,
    },
    /// At the end: how many cases one `assume!` or filter discarded.
    Discards {
        /// Where it stands.
        place: Cow<'e, str>,
        /// What stands there: `assume!(a != b)`, or `a filter`.
        text: Cow<'e, str>,
        /// How many.
        count: u64,
    },
    /// At the end: something that the runner warns of.
    Health {
        /// What it says in the terminal; its second line is the way out.
        text: Cow<'e, str>,
    },
    /// Before the first case: what became of the examples by which the generators were to be
    /// steered.
    Steered {
        /// How many examples of each kind were used.
        more: u64,
        /// See `more`.
        fewer: u64,
        /// Those that were not: their texts, and why.
        refused: Vec<(Cow<'e, str>, Cow<'e, str>)>,
        /// The file that the weights were written to, if they were.
        weights: Option<Cow<'e, str>>,
        /// Why nothing was steered, or nothing written.
        problem: Option<Cow<'e, str>>,
    },
    /// The last of each run, unless its process was killed.
    RunEnded {
        /// `passed`, `failed`, or `broken` if something is wrong with the property rather than with
        /// what it tests.
        verdict: Cow<'e, str>,
        /// How many cases of the search passed.
        passed: u64,
        /// How many were discarded.
        discarded: u64,
        /// From the first event to this one.
        seconds: f64,
        /// Why the search ended: `100 cases were run`.
        stopped_because: Cow<'e, str>,
        /// The text that the terminal shows of a failure; empty if it passed.
        report: Cow<'e, str>,
        /// Lines that could not be written, because the disk is full or the file gone.
        lines_lost: u64,
    },
}

impl Event<'_> {
    /// The line, with its line break.
    ///
    /// ```
    /// use retrospect_stats::{Event, Happened};
    /// let happened = Happened::Saved { id: "3f9c".into(), file: "regressions/a.txt".into() };
    /// let line = Event { property: "a::b".into(), run_start: 1.0, happened }.to_line();
    /// assert!(line.ends_with("\"id\":\"3f9c\",\"file\":\"regressions/a.txt\"}\n"));
    /// ```
    pub fn to_line(&self) -> String {
        let mut line = b"{\"event\":".to_vec();
        let (name, members) = self.happened.members();
        json::text(&mut line, name);
        line.extend_from_slice(b",\"property\":");
        json::text(&mut line, &self.property);
        line.extend_from_slice(b",\"run_start\":");
        json::number(&mut line, self.run_start);
        for (name, value) in members {
            line.push(b',');
            json::text(&mut line, name);
            line.push(b':');
            value.write(&mut line);
        }
        line.extend_from_slice(b"}\n");
        String::from_utf8_lossy(&line).into_owned()
    }
}

impl Happened<'_> {
    fn members(&self) -> (&'static str, Vec<(&'static str, Json<'_>)>) {
        match self {
            Happened::RunStarted {
                version,
                test,
                crate_directory,
                process,
                seed,
                cases,
                coverage,
                weights,
                steered,
            } => (
                "run_started",
                vec![
                    ("version", text(version)),
                    ("test", text(test)),
                    ("crate_directory", text(crate_directory)),
                    ("process", Json::from(*process)),
                    ("seed", Json::from(*seed)),
                    ("cases", Json::from(*cases)),
                    ("coverage", Json::from(*coverage)),
                    ("weights", perhaps(weights)),
                    ("steered", Json::from(*steered)),
                ],
            ),
            Happened::Example { number, status, reason } => {
                ("example", vec![("number", Json::from(*number)), ("status", text(status)), ("reason", text(reason))])
            }
            Happened::SavedCase { id, status, reason } => {
                ("saved_case", vec![("id", text(id)), ("status", text(status)), ("reason", text(reason))])
            }
            Happened::FailureFound { how, case, reason, place, representation, choices } => (
                "failure_found",
                vec![
                    ("how", text(how)),
                    ("case", Json::from(*case)),
                    ("reason", text(reason)),
                    ("place", perhaps(place)),
                    ("representation", text(representation)),
                    ("choices", Json::from(*choices)),
                ],
            ),
            Happened::ShrinkStep { step, run, pass, choices, representation } => (
                "shrink_step",
                vec![
                    ("step", Json::from(*step)),
                    ("run", Json::from(*run)),
                    ("pass", text(pass)),
                    ("choices", Json::from(*choices)),
                    ("representation", text(representation)),
                ],
            ),
            Happened::ShrinkEnded {
                end,
                steps,
                runs,
                choices_before,
                choices,
                seconds,
                representation,
                reason,
                irrelevant,
                notes,
            } => (
                "shrink_ended",
                vec![
                    ("end", text(end)),
                    ("steps", Json::from(*steps)),
                    ("runs", Json::from(*runs)),
                    ("choices_before", Json::from(*choices_before)),
                    ("choices", Json::from(*choices)),
                    ("seconds", Json::from(*seconds)),
                    ("representation", text(representation)),
                    ("reason", text(reason)),
                    ("irrelevant", texts(irrelevant)),
                    ("notes", texts(notes)),
                ],
            ),
            Happened::Saved { id, file } => ("saved", vec![("id", text(id)), ("file", text(file))]),
            Happened::Cover { label, place, required, held_in, cases, verdict } => (
                "cover",
                vec![
                    ("label", text(label)),
                    ("place", text(place)),
                    ("required", Json::from(*required)),
                    ("held_in", Json::from(*held_in)),
                    ("cases", Json::from(*cases)),
                    ("verdict", text(verdict)),
                ],
            ),
            Happened::Discards { place, text: what, count } => {
                ("discards", vec![("place", text(place)), ("text", text(what)), ("count", Json::from(*count))])
            }
            Happened::Health { text: said } => ("health", vec![("text", text(said))]),
            Happened::Steered { more, fewer, refused, weights, problem } => (
                "steered",
                vec![
                    ("more", Json::from(*more)),
                    ("fewer", Json::from(*fewer)),
                    ("refused", pairs(refused)),
                    ("weights", perhaps(weights)),
                    ("problem", perhaps(problem)),
                ],
            ),
            Happened::RunEnded { verdict, passed, discarded, seconds, stopped_because, report, lines_lost } => (
                "run_ended",
                vec![
                    ("verdict", text(verdict)),
                    ("passed", Json::from(*passed)),
                    ("discarded", Json::from(*discarded)),
                    ("seconds", Json::from(*seconds)),
                    ("stopped_because", text(stopped_because)),
                    ("report", text(report)),
                    ("lines_lost", Json::from(*lines_lost)),
                ],
            ),
        }
    }
}

fn text(text: &str) -> Json<'_> {
    Json::from(text)
}

fn perhaps<'j>(text: &'j Option<Cow<'_, str>>) -> Json<'j> {
    text.as_ref().map_or(Json::Null, |text| Json::from(&**text))
}

fn texts<'j>(texts: &'j [Cow<'_, str>]) -> Json<'j> {
    let mut list = Vec::new();
    for one in texts {
        list.push(text(one));
    }
    Json::List(list)
}

fn pairs<'j>(pairs: &'j [(Cow<'_, str>, Cow<'_, str>)]) -> Json<'j> {
    let mut list = Vec::new();
    for (example, reason) in pairs {
        list.push(Json::Object(vec![("example".into(), text(example)), ("reason".into(), text(reason))]));
    }
    Json::List(list)
}
