//! Everything that is shown of a run.

use super::bins::{Bins, Chart};
use super::column::{Column, Values};
use super::coverage::{Cluster, Clusters, CoveredFile};
use super::filter::{Filter, Selection};
use super::history::History;
use super::index::cut;
use super::pairs::Combinations;
use super::search::Searches;
use super::timing::Timing;
use super::warnings::Warning;
use super::{Run, Store, Verdict};
use crate::Status;
use crate::read::Message;
use std::sync::{Arc, OnceLock, PoisonError};

/// The feature that says how large a value is: of how many choices it is made.
pub(crate) const CHOICES: &str = "auto:choices";
/// Into so many pieces a run is cut.
const MOMENTS: usize = 120;
/// So much of a counterexample is shown at once; the whole line can be asked for.
const LONGEST_TEXT: usize = 20_000;
/// So many reasons and ways are shown.
const MOST_ROWS: usize = 60;

/// A run as the page shows it: all cases, and those that are meant.
#[derive(Clone, Debug, serde::Serialize)]
pub struct View {
    /// When the run began.
    pub run_start: f64,
    /// In a word.
    pub verdict: Verdict,
    /// All cases.
    pub counts: Counts,
    /// Those that are meant.
    pub selected: Counts,
    /// What is not well; of the whole run.
    pub warnings: Vec<Warning>,
    /// What the events tell; of the whole run.
    pub history: History,
    /// What tools had to say.
    pub messages: Vec<Message>,
    /// Features, those that the test names before those that the runner adds.
    pub features: Vec<Chart>,
    /// How many features there are; not all of thousands are shown.
    pub n_features: usize,
    /// The names of features that are few-valued or numbers, for pairs.
    pub names: Vec<String>,
    /// Features that belong together, two by two.
    pub pairs: Vec<(String, String)>,
    /// Why cases failed or were discarded.
    pub reasons: Vec<Reason>,
    /// How cases were come by.
    pub how: Vec<Reason>,
    /// The run in pieces, in order.
    pub moments: Vec<Moment>,
    /// Where the time went.
    pub timing: Option<Timing>,
    /// Which files were reached.
    pub files: Vec<CoveredFile>,
    /// Cases that reached about the same lines.
    pub clusters: Vec<Cluster>,
    /// Values of two features that were or were not seen together; of the whole run.
    pub combinations: Combinations,
}

/// Cases by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Counts {
    /// Without what shrinking tried.
    pub generated: u64,
    /// Held.
    pub passed: u64,
    /// Did not.
    pub failed: u64,
    /// Did not meet an assumption.
    pub discarded: u64,
    /// Different values that were tested.
    pub distinct: u64,
    /// Values that were tested though they had been before.
    pub duplicates: u64,
    /// Tried while shrinking.
    pub shrinking: u64,
    /// In all.
    pub seconds: f64,
    /// By status (passed, failed, discarded) and by new and seen before.
    pub mosaic: [[u64; 2]; 3],
}

/// A text and how many cases have it.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Reason {
    /// As it is written in the lines.
    pub text: String,
    /// `file:line`, if it names one.
    pub place: Option<String>,
    /// Of the first case that has it.
    pub status: &'static str,
    /// How many.
    pub all: u64,
    /// How many of those that are meant.
    pub selected: u64,
}

/// A piece of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Moment {
    /// Its first case, counted from 0.
    pub from: usize,
    /// The first case behind it.
    pub to: usize,
    /// Different values that were tested until its end.
    pub distinct: u64,
    /// Cases that were tested until its end.
    pub tested: u64,
    /// Lines of source that were reached until its end.
    pub lines: u64,
    /// Cases of it that were discarded.
    pub discarded: u64,
    /// Cases of it that are meant.
    pub selected: u64,
    /// The mean size of its values: choices, or characters where those are not known.
    pub size: f64,
}

/// What is worked out once for all filters.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    /// Of how many cases and events.
    of: (usize, usize),
    features: Vec<OnceLock<(Bins, Vec<u16>)>>,
    /// With no filter.
    charts: Vec<OnceLock<Chart>>,
    moments: OnceLock<Vec<Moment>>,
    pub timing: OnceLock<Option<(Timing, Vec<u8>)>>,
    seconds: OnceLock<f64>,
    pub times: OnceLock<Vec<f32>>,
    pub clusters: OnceLock<Clusters>,
    pub combinations: OnceLock<Combinations>,
    pub valid: OnceLock<Selection>,
    pub warnings: OnceLock<Vec<Warning>>,
    pub searches: Searches,
}

impl Run {
    /// Everything that is shown, with those cases selected that meet the filters. Of many features
    /// those come first whose names contain `wanted`, and no more than `most` are shown.
    ///
    /// ```
    /// # use retrospect_stats::summary::{Filter, Store};
    /// let mut store = Store::default();
    /// let case = |status, len| {
    ///     format!(r#"{{"type": "test_case", "property": "p", "run_start": 1, "status": "{status}", "features": {{"len": {len}}}}}"#)
    /// };
    /// store.read_text(&[case("passed", 1), case("passed", 2), case("failed", 2)].join("\n"));
    /// let run = store.latest("p").unwrap();
    /// let failed = Filter::Status { values: vec!["failed".to_owned()] };
    /// let view = run.view(&store, &[failed], "", 10);
    /// assert_eq!((view.counts.generated, view.selected.generated), (3, 1));
    /// let bars: Vec<_> = view.features[0].bins.iter().map(|bin| (&*bin.label, bin.all, bin.selected)).collect();
    /// assert_eq!(bars, [("1", 1, 0), ("2", 2, 1)]);
    /// ```
    pub fn view(&self, store: &Store, filters: &[Filter], wanted: &str, most: usize) -> View {
        let prepared = self.prepared();
        let selected = self.select(store, filters);
        let (scope, tested) = (self.scope(filters), self.valid());
        let order = self.features_in_order(wanted);
        let shown = order.iter().take(most);
        let features = shown.map(|at| {
            let column = &self.cases.features[*at];
            let (bins, places) = prepared.bins(*at, column, &tested);
            let chart = || bins.chart(column, places, &scope, &selected);
            if filters.is_empty() { prepared.charts[*at].get_or_init(chart).clone() } else { chart() }
        });
        View {
            run_start: self.start,
            verdict: self.verdict(),
            counts: self.counts(None),
            selected: if filters.is_empty() { self.counts(None) } else { self.counts(Some(&selected)) },
            warnings: self.warnings(),
            history: self.history_with_texts(store),
            messages: self.messages.clone(),
            features: features.collect(),
            n_features: self.cases.features.len(),
            names: order.iter().take(200).map(|at| self.cases.features[*at].name.to_string()).collect(),
            pairs: self.cases.pairs.iter().map(|(x, y)| (x.to_string(), y.to_string())).collect(),
            reasons: self.texts(&self.cases.reasons, &selected),
            how: self.texts(&self.cases.how, &selected),
            moments: self.moments(&selected),
            timing: self.timing(&selected, filters.is_empty()),
            files: self.covered_files(&selected),
            clusters: self.clusters(&selected),
            combinations: prepared.combinations.get_or_init(|| self.combinations()).clone(),
        }
    }

    /// The history, with the texts that events do not tell but files do.
    fn history_with_texts(&self, store: &Store) -> History {
        let mut history = self.history();
        let read = |text: &mut Option<String>, case: Option<usize>| {
            if let (None, Some(case)) = (&text, case) {
                let found = self.text(store, case);
                *text = Some(found.unwrap_or_else(|problem| format!("({problem})")));
            }
            if let Some(text) = text {
                *text = cut(text, LONGEST_TEXT).into_owned();
            }
        };
        history.counterexamples.iter_mut().for_each(|found| read(&mut found.text, found.case));
        history.shrinking.iter_mut().for_each(|step| read(&mut step.text, step.case));
        history
    }

    pub(crate) fn prepared(&self) -> Arc<Prepared> {
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let of = (self.n_cases(), self.events.len());
        if prepared.of != of || prepared.features.len() != self.cases.features.len() {
            let (mut features, mut charts) = (Vec::new(), Vec::new());
            features.resize_with(self.cases.features.len(), OnceLock::new);
            charts.resize_with(self.cases.features.len(), OnceLock::new);
            *prepared = Arc::new(Prepared { of, features, charts, ..Prepared::default() });
        }
        prepared.clone()
    }

    /// The cases that charts are about: those that were tested, unless one asks for others.
    pub(crate) fn scope(&self, filters: &[Filter]) -> Selection {
        let wants_discarded = filters.iter().any(|filter| match filter {
            Filter::Status { values } => values.iter().any(|value| value == Status::GaveUp.name()),
            Filter::Reason { .. } | Filter::How { .. } => true,
            _ => false,
        });
        if wants_discarded { Selection::all(self.n_cases()) } else { self.valid() }
    }

    /// Those that passed or failed, without those of shrinking.
    pub(crate) fn valid(&self) -> Selection {
        let prepared = self.prepared();
        let valid = prepared.valid.get_or_init(|| {
            let shrinking = self.cases.shrinking();
            let mut valid = Selection::none(self.n_cases());
            for (case, status) in self.cases.status.iter().enumerate() {
                if *status != Status::GaveUp && !shrinking.is(case) {
                    valid.add(case);
                }
            }
            valid
        });
        valid.clone()
    }

    /// What the test names comes first, what the runner counts last.
    fn features_in_order(&self, wanted: &str) -> Vec<usize> {
        let wanted = wanted.to_lowercase();
        let features = &self.cases.features;
        let rank = |column: &Column| {
            let is_wanted = wanted.is_empty() || column.name.to_lowercase().contains(&wanted);
            let is_noise = column.name.starts_with("Retried draw from");
            (!is_wanted, is_noise, column.name.starts_with("auto:"), &*column.name == CHOICES)
        };
        let mut order: Vec<usize> = (0..features.len()).collect();
        order.sort_by_key(|at| rank(&features[*at]));
        if !wanted.is_empty() {
            order.retain(|at| !rank(&features[*at]).0);
        }
        order
    }

    fn counts(&self, selected: Option<&Selection>) -> Counts {
        let mut counts = Counts { shrinking: self.n_shrinking, mosaic: self.mosaic, ..Counts::default() };
        if let Some(selected) = selected {
            counts.mosaic = [[0; 2]; 3];
            counts.shrinking = 0;
            let shrinking = self.cases.shrinking();
            selected.each(|case| {
                if shrinking.is(case) {
                    counts.shrinking += 1;
                } else {
                    let again = usize::from(self.cases.is_duplicate(case));
                    counts.mosaic[self.cases.status[case] as usize][again] += 1;
                }
            });
        }
        let [passed, failed, discarded] = counts.mosaic;
        counts.passed = passed.iter().sum();
        counts.failed = failed.iter().sum();
        counts.discarded = discarded.iter().sum();
        counts.generated = counts.passed + counts.failed + counts.discarded;
        counts.distinct = passed[0] + failed[0];
        counts.duplicates = passed[1] + failed[1];
        let times = self.times();
        counts.seconds = match selected {
            None => *self.prepared().seconds.get_or_init(|| times.iter().map(|time| f64::from(*time)).sum()),
            Some(selected) => {
                let mut sum = 0.0;
                selected.each(|case| sum += times.get(case).map_or(0.0, |time| f64::from(*time)));
                sum
            }
        };
        counts
    }

    fn texts(&self, column: &Column, selected: &Selection) -> Vec<Reason> {
        let Values::Texts { numbers, dictionary } = &column.values else { return Vec::new() };
        let mut counts = vec![[0_u64; 2]; dictionary.len()];
        let mut first = vec![Status::Passed; dictionary.len()];
        column.each(|case, at| {
            let count = &mut counts[numbers[at] as usize];
            if count[0] == 0 {
                first[numbers[at] as usize] = self.cases.status[case];
            }
            count[0] += 1;
            count[1] += u64::from(selected.has(case));
        });
        let mut rows: Vec<usize> = (0..counts.len()).filter(|number| counts[*number][0] > 0).collect();
        rows.sort_by_key(|number| std::cmp::Reverse(counts[*number][0]));
        rows.truncate(MOST_ROWS);
        let row = |number: usize| {
            let text = dictionary.text(number as u32).to_owned();
            let [all, selected] = counts[number];
            Reason { place: place(&text), status: first[number].name(), text, all, selected }
        };
        rows.into_iter().map(row).collect()
    }

    fn moments(&self, selected: &Selection) -> Vec<Moment> {
        let mut moments = self.prepared().moments.get_or_init(|| self.find_moments()).clone();
        moments.iter_mut().for_each(|moment| moment.selected = selected.count_within(moment.from, moment.to) as u64);
        moments
    }

    fn find_moments(&self) -> Vec<Moment> {
        let n_cases = self.n_cases();
        let n_moments = n_cases.min(MOMENTS);
        let coverage = &self.cases.coverage;
        let mut was_set = vec![false; coverage.sets.len()];
        let mut was_line = vec![false; coverage.lines.len()];
        let shrinking = self.cases.shrinking();
        let choices = self.cases.features.iter().find(|column| &*column.name == CHOICES);
        let (mut distinct, mut tested, mut lines) = (0, 0, 0);
        let mut moments = Vec::with_capacity(n_moments);
        for at in 0..n_moments {
            let (from, to) = (at * n_cases / n_moments, (at + 1) * n_cases / n_moments);
            let mut moment = Moment { from, to, ..Moment::default() };
            let (mut size, mut n_sized) = (0.0, 0);
            for case in from..to {
                if let Some(set) = coverage.of(case)
                    && !std::mem::replace(&mut was_set[set as usize], true)
                {
                    for line in &coverage.sets[set as usize] {
                        lines += u64::from(!std::mem::replace(&mut was_line[*line as usize], true));
                    }
                }
                if shrinking.is(case) {
                    continue;
                }
                let sample = self.cases.sample[case];
                let own_size = match choices {
                    Some(choices) => choices.number(case),
                    None if self.cases.samples.is_unknown(sample) => None,
                    None => Some(f64::from(self.cases.samples.text_lengths[sample as usize])),
                };
                if let Some(own_size) = own_size {
                    size += own_size;
                    n_sized += 1;
                }
                if self.cases.status[case] == Status::GaveUp {
                    moment.discarded += 1;
                } else {
                    tested += 1;
                    distinct += u64::from(!self.cases.is_duplicate(case));
                }
            }
            (moment.distinct, moment.tested, moment.lines) = (distinct, tested, lines);
            moment.size = if n_sized == 0 { 0.0 } else { size / f64::from(n_sized) };
            moments.push(moment);
        }
        moments
    }
}

impl Prepared {
    pub fn bytes(&self) -> usize {
        let places: usize = self.features.iter().filter_map(OnceLock::get).map(|(_, places)| places.len() * 2).sum();
        places + self.times.get().map_or(0, |times| times.len() * 4) + self.of.0 + self.of.0 / 8 + self.searches.bytes()
    }

    /// The groups of a feature, which fit the cases that were tested, and in which each value is.
    pub fn bins(&self, at: usize, column: &Column, tested: &Selection) -> &(Bins, Vec<u16>) {
        self.features[at].get_or_init(|| {
            let bins = Bins::fitting(column, tested);
            let places = bins.places(column);
            (bins, places)
        })
    }
}

/// The `file:line` in a text, as in `assume!(a != b) at src/x.rs:14:9: equal` and `failed to
/// satisfy assume() in f (line 9)`.
pub(crate) fn place(text: &str) -> Option<String> {
    for (at, _) in text.match_indices(':') {
        let digits = text[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let file = text[..at].rsplit([' ', '(', '"', '\'']).next().unwrap_or_default();
        if digits > 0 && file.contains('.') && !file.ends_with('.') {
            return Some(format!("{file}:{}", &text[at + 1..at + 1 + digits]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn places_in_texts() {
        assert_eq!(place("assume!(a != b) at src/x.rs:14:9: equal").as_deref(), Some("src/x.rs:14"));
        assert_eq!(place("a filter at crates/a/src/lib.rs:3:1").as_deref(), Some("crates/a/src/lib.rs:3"));
        assert_eq!(place("ratio 3.5:2 at 4: x.y"), Some("3.5:2".into()));
        assert_eq!(place("nothing: here"), None);
    }
}
