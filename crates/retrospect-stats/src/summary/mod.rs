//! What a run means: counts, charts, warnings, for the terminal and the page.
//!
//! | file | what |
//! | --- | --- |
//! | `cases`, `column`, `index` | what is kept: a column for each thing that is known about the cases of a run; texts stay in the files |
//! | `filter` | which cases are meant |
//! | `bins` | values of a feature, put into few groups |
//! | `view` | everything that is shown of a run, for the cases that are meant |
//! | `timing`, `coverage`, `pairs` | parts of that |
//! | `examples`, `search` | the values themselves, from the files |
//! | `compare` | two runs side by side |
//! | `columns` | a run for those who filter it without a server |
//! | `history` | what our own events tell: shrinking, examples, covers |
//! | `warnings` | what is not well, and what to do about it |
//!
//! Lines go into a [`Store`], which has [`Property`]s with their [`Run`]s. Everything that is shown
//! of a run is a [`View`]; most of the types here are parts of it:
//!
//! ```
//! use retrospect_stats::summary::*;
//!
//! // Two runs of a property: frames of two kinds, of which the long ones of one kind fail.
//! let mut store = Store::default();
//! for start in [1, 2] {
//!     for n in 0..60 * start {
//!         let (kind, length) = (["data", "ping"][n % 2], n % 5);
//!         let status = if start == 2 && n % 2 == 0 && length == 4 { "failed" } else { "passed" };
//!         let reason = if status == "failed" { "too long at src/codec.rs:9:5" } else { "" };
//!         let lines = if status == "failed" { "[3, 9]" } else { "[3]" };
//!         store.read_text(&format!(
//!             r#"{{"type": "test_case", "property": "codec::tests::frames", "run_start": {start}, "status": "{status}", "status_reason": "{reason}",
//!                  "representation": "{kind} of {length} bytes", "how_generated": "random", "features": {{"kind": "{kind}", "length": {length}}},
//!                  "coverage": {{"src/codec.rs": {lines}}}, "timing": {{"generate:frame": 0.001, "execute:test": 0.003}}}}"#
//!         ).replace("\n", " "));
//!     }
//! }
//! let property = store.property("codec::tests::frames").unwrap();
//! let run = property.runs().last().unwrap();
//!
//! // What a `View` has: counts, and the run in pieces, each with what was reached until then.
//! let view = run.view(&store, &[], "", 20);
//! assert_eq!(view.verdict, Verdict::Failed);
//! let Counts { generated, passed, failed, distinct, .. } = view.counts;
//! assert_eq!((generated, passed, failed, distinct), (120, 108, 12, 10));
//! let Moment { tested, distinct, .. } = *view.moments.last().unwrap();
//! assert_eq!((tested, distinct), (120, 10));
//!
//! // A `Chart` of each feature, with a `Bin` for each bar; and a `Reason` for each text that failing and discarded cases have.
//! let chart = view.features.iter().find(|chart| chart.name == "kind").unwrap();
//! assert_eq!(chart.kind, ChartKind::Categories);
//! let Bin { label, all, .. } = &chart.bins[0];
//! assert_eq!((label.as_str(), *all), ("data", 60));
//! let Reason { text, place, all, .. } = &view.reasons[0];
//! assert_eq!((text.as_str(), place.as_deref(), *all), ("too long at src/codec.rs:9:5", Some("src/codec.rs:9"), 12));
//!
//! // `Timing`: bars by how long cases took (`SlowBin`), and the parts of a case (`Phase`).
//! let Timing { phases, bins, .. } = view.timing.unwrap();
//! assert_eq!((phases[0].name.as_str(), bins.len(), bins[0].all), ("execute:test", 1, 120));
//!
//! // `Warning`s say what to do; here most values come again and again.
//! assert_eq!(view.warnings[0].kind, WarningKind::Duplicates);
//!
//! // The `History` tells of the last `Counterexample`s, and of what events say: a `ShrinkStep` for each simpler case, `Cover`, `Discards`.
//! let Counterexample { case, reason, .. } = &view.history.counterexamples[0];
//! assert_eq!((*case, reason.as_str()), (Some(114), "too long at src/codec.rs:9:5"));
//!
//! // Two features against each other are a `Grid`; pairs of values that never met are `NeverSeen` in the `Combinations`.
//! let grid = run.grid(&store, &[], "kind", "length").unwrap();
//! assert_eq!(grid.cells[4][0], [12, 12]);
//! assert_eq!((view.combinations.seen, view.combinations.never.len()), (10, 0));
//!
//! // Lines of source: a `CoveredFile` each, `LineHits` of one, and a `Cluster` of the cases that reach about the same.
//! assert_eq!((view.files[0].file.as_str(), view.files[0].lines), ("src/codec.rs", 2));
//! let LineHits { line, failed, suspicion, .. } = run.lines_of(&run.select(&store, &[]), "src/codec.rs")[1];
//! assert_eq!((line, failed, suspicion), (9, 12, Some(1.0)));
//! assert!(view.clusters.iter().any(|cluster| cluster.failed == 12));
//!
//! // The values themselves: each `Example` once, in an `Order`.
//! let Examples { total, examples } = run.examples(&store, &[], Order::Frequent, 0, 3);
//! assert_eq!((total, examples.len(), examples[0].count), (10, 3, 12));
//!
//! // A `Comparison` of two runs has a `ComparedFeature` for each, in the same groups.
//! let comparison = property.runs()[0].compare(run, &store);
//! let ComparedFeature { name, bins, .. } = &comparison.features[0];
//! assert_eq!((name.as_str(), bins[0].1), ("kind", [30, 60]));
//!
//! // A `Filter` says which cases are meant; those that meet all of them are a `Selection`.
//! let long = Filter::Range { name: "length".into(), ranges: vec![[3.0, 5.0]], special: vec![] };
//! assert_eq!(run.select(&store, &[long]).count(), 48);
//! ```

mod bins;
pub(crate) mod cases;
pub(crate) mod column;
mod columns;
mod compare;
mod coverage;
mod examples;
mod filter;
mod history;
pub(crate) mod index;
mod pairs;
mod search;
mod timing;
mod view;
mod warnings;

pub use bins::{Bin, Chart, ChartKind};
pub use columns::Columns;
pub use compare::{ComparedFeature, Comparison};
pub use coverage::{Cluster, CoveredFile, LineHits};
pub use examples::{Example, Examples, Order};
pub use filter::{Filter, Selection};
pub use history::{Counterexample, Cover, Discards, History, ShrinkStep};
pub use pairs::{Combinations, Grid, NeverSeen};
pub use timing::{Phase, SlowBin, Timing};
pub use view::{Counts, Moment, Reason, View};
pub use warnings::{Warning, WarningKind, grouped};

use crate::Status;
use crate::read::lines::Batch;
use crate::read::{BadLine, Message, Progress, SourceState, Sources};
use cases::Cases;
use std::path::Path;
use std::sync::{Arc, Mutex};
use view::Prepared;

/// Of so many bad lines it is told where they are.
const KEPT_BAD_LINES: usize = 100;

/// All that was read. Each [`Run`] is a run of a property; the newest of a property is what one
/// wants to see first.
///
/// ```
/// use retrospect_stats::summary::{Store, Verdict};
/// let mut store = Store::default();
/// store.read_text(
///     r#"{"type": "test_case", "property": "p", "run_start": 1, "status": "passed", "representation": "[]"}
///        {"type": "test_case", "property": "p", "run_start": 1, "status": "failed", "representation": "[1]"}"#,
/// );
/// let run = store.latest("p").unwrap();
/// assert_eq!((run.n_cases(), run.verdict()), (2, Verdict::Failed));
/// ```
#[derive(Debug, Default)]
pub struct Store {
    properties: Vec<Property>,
    bad: Vec<BadLine>,
    n_bad: u64,
    n_lines: u64,
    version: u64,
    pub(crate) sources: Sources,
    pub(crate) progress: Progress,
    pub(crate) states: Vec<(u16, SourceState)>,
}

/// A property and its runs, the oldest first.
#[derive(Debug)]
pub struct Property {
    name: Box<str>,
    runs: Vec<Run>,
}

/// One run of a property.
#[derive(Debug)]
pub struct Run {
    start: f64,
    pub(crate) cases: Cases,
    messages: Vec<Message>,
    events: Vec<serde_json::Map<String, serde_json::Value>>,
    /// By status and whether the value was there before; without what shrinking tried.
    mosaic: [[u64; 2]; 3],
    n_shrinking: u64,
    /// What was worked out for charts, until more cases come.
    prepared: Mutex<Arc<Prepared>>,
}

/// What is to be said of a run in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A case failed.
    Failed,
    /// No case failed, but that means less than one may think.
    Warning,
    /// No case failed.
    Passed,
}

impl Store {
    /// Reads lines that are not in a file. Their texts cannot be shown later.
    pub fn read_text(&mut self, lines: &str) {
        let mut batch = Batch::default();
        for line in lines.lines() {
            batch.line(line.as_bytes(), u16::MAX, 0);
        }
        self.take(batch);
    }

    pub(crate) fn take(&mut self, batch: Batch) {
        self.version += 1;
        self.n_lines += batch.n_lines;
        self.n_bad += batch.n_bad;
        let room = KEPT_BAD_LINES - self.bad.len();
        self.bad.extend(batch.bad.into_iter().take(room));
        for part in batch.runs {
            let at = match self.properties.iter().position(|property| property.name == part.property) {
                Some(at) => at,
                None => {
                    self.properties.push(Property { name: part.property.clone(), runs: Vec::new() });
                    self.properties.len() - 1
                }
            };
            let runs = &mut self.properties[at].runs;
            let at = match runs.iter().rposition(|run| run.start == part.run_start) {
                Some(at) => at,
                None => {
                    let at = runs.iter().rposition(|run| run.start < part.run_start).map_or(0, |at| at + 1);
                    runs.insert(at, Run::new(part.run_start));
                    at
                }
            };
            let run = &mut runs[at];
            run.messages.extend(part.messages);
            run.events.extend(part.events);
            run.append(part.cases);
        }
    }

    /// Gives back memory that was reserved for more cases.
    pub fn shrink_to_fit(&mut self) {
        for property in &mut self.properties {
            property.runs.iter_mut().for_each(|run| run.cases.shrink_to_fit());
        }
    }

    /// The properties, in the order in which they were met.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The property of that name.
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| *property.name == *name)
    }

    /// The newest run of a property.
    pub fn latest(&self, name: &str) -> Option<&Run> {
        self.property(name)?.runs.last()
    }

    /// Goes up when something was read.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// How many lines there were, those that could not be read among them.
    pub fn n_lines(&self) -> u64 {
        self.n_lines
    }

    /// How many lines could not be read.
    pub fn n_bad_lines(&self) -> u64 {
        self.n_bad
    }

    /// The first of the lines that could not be read.
    pub fn bad_lines(&self) -> &[BadLine] {
        &self.bad
    }

    /// How far reading has come.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The file of that number.
    pub fn path(&self, file: u16) -> &Path {
        self.sources.path(file)
    }

    /// The files that are no longer what they were.
    pub fn lost_files(&self) -> Vec<(&Path, SourceState)> {
        let lost = self.states.iter().filter(|(_, state)| *state != SourceState::Followed);
        lost.map(|(number, state)| (self.path(*number), *state)).collect()
    }

    /// How many bytes it must keep at least: the columns, and what was worked out to answer filters
    /// quickly.
    pub fn bytes(&self) -> usize {
        let runs = self.properties.iter().flat_map(|property| &property.runs);
        runs.map(|run| run.cases.bytes() + run.prepared().bytes()).sum()
    }
}

impl Property {
    /// Its path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its runs, the oldest first.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The run that began then.
    pub fn run(&self, start: f64) -> Option<&Run> {
        self.runs.iter().find(|run| run.start == start)
    }
}

impl Run {
    fn new(start: f64) -> Run {
        Run {
            start,
            cases: Cases::default(),
            messages: Vec::new(),
            events: Vec::new(),
            mosaic: [[0; 2]; 3],
            n_shrinking: 0,
            prepared: Mutex::default(),
        }
    }

    /// When it began, in seconds since 1970.
    pub fn start(&self) -> f64 {
        self.start
    }

    /// How many cases there are, those of shrinking among them.
    pub fn n_cases(&self) -> usize {
        self.cases.len()
    }

    /// What tools had to say about it.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// What is to be said of it in a word.
    pub fn verdict(&self) -> Verdict {
        let history = self.history();
        if self.mosaic[Status::Failed as usize] != [0, 0] || history.failed || self.has_failed_while_shrinking() {
            Verdict::Failed
        } else if self.warnings().is_empty() {
            Verdict::Passed
        } else {
            Verdict::Warning
        }
    }

    /// Cases by status (passed, failed, discarded) and by whether the value is new or was there
    /// before. What was tried while shrinking is not counted: it says nothing about the generator.
    pub fn mosaic(&self) -> [[u64; 2]; 3] {
        self.mosaic
    }

    /// How many cases were tried to make a counterexample simpler.
    pub fn n_shrinking(&self) -> u64 {
        self.n_shrinking
    }

    fn has_failed_while_shrinking(&self) -> bool {
        self.n_shrinking > 0 && self.cases.status.contains(&Status::Failed)
    }

    fn append(&mut self, part: Cases) {
        let offset = self.cases.len();
        self.cases.append(part);
        let shrinking = self.cases.shrinking();
        for case in offset..self.cases.len() {
            if shrinking.is(case) {
                self.n_shrinking += 1;
            } else {
                let again = usize::from(self.cases.is_duplicate(case));
                self.mosaic[self.cases.status[case] as usize][again] += 1;
            }
        }
    }
}
