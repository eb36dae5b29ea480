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
pub use warnings::{Warning, WarningKind};

use crate::Status;
use crate::read::lines::Batch;
use crate::read::{BadLine, Message, Progress, SourceState, Sources};
use cases::Cases;
use std::path::Path;
use std::sync::{Arc, Mutex};
use view::Prepared;

/// Of so many bad lines it is told where they are.
const KEPT_BAD_LINES: usize = 100;

/// All that was read. Each [`Run`] is a run of a property; the newest of a property is what one wants to see first.
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

    /// How many bytes it must keep at least: the columns, and what was worked out to answer filters quickly.
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

    /// Cases by status (passed, failed, discarded) and by whether the value is new or was there before. What was tried while shrinking is not
    /// counted: it says nothing about the generator.
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
