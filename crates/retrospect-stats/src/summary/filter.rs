//! Which cases are meant.

use super::cases::Cases;
use super::column::{Column, Values};
use super::{Run, Store};
use crate::Status;

/// A condition on cases. Those of one chart are alternatives inside of one filter; several filters
/// must all hold.
///
/// ```
/// use retrospect_stats::summary::Filter;
/// let filter: Filter = serde_json::from_str(r#"{"on": "feature", "name": "kind", "values": ["ping", null]}"#).unwrap();
/// assert_eq!(filter, Filter::Feature { name: "kind".into(), values: vec![Some("ping".into()), None] });
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "on", rename_all = "snake_case")]
pub enum Filter {
    /// What became of them: `passed`, `failed`, `gave_up`.
    Status {
        /// One of these.
        values: Vec<String>,
    },
    /// Whether their value is new or was there before.
    Seen {
        /// Those that were there before, or those that were not.
        before: bool,
    },
    /// What a feature is, in words; `None` is for cases that do not have it.
    Feature {
        /// Of the feature.
        name: String,
        /// One of these.
        values: Vec<Option<String>>,
    },
    /// What a feature is, as a number.
    Range {
        /// Of the feature.
        name: String,
        /// In one of these: the first is in it, the second is not.
        #[serde(default)]
        ranges: Vec<[f64; 2]>,
        /// Or one of `NaN`, `inf`, `-inf`, and `absent`.
        #[serde(default)]
        special: Vec<String>,
    },
    /// Why they failed or were discarded.
    Reason {
        /// One of these.
        values: Vec<String>,
    },
    /// How they were come by.
    How {
        /// One of these.
        values: Vec<String>,
    },
    /// How long they took in all, in seconds.
    Time {
        /// In one of these: the first is in it, the second is not.
        ranges: Vec<[f64; 2]>,
    },
    /// When they were run: from this case to the one before that, counted from 0.
    Cases {
        /// The first.
        from: usize,
        /// The first behind.
        to: usize,
    },
    /// Which line of source they reached.
    Line {
        /// As it is called in the lines.
        file: String,
        /// From 1.
        line: u32,
    },
    /// Which lines they reached, about.
    Cluster {
        /// Of the cluster, from a [`Cluster`](super::Cluster).
        id: String,
    },
    /// What their value looks like.
    Text {
        /// Somewhere in it, in capitals or not.
        contains: String,
    },
}

/// Some of the cases of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    words: Vec<u64>,
    len: usize,
}

impl Selection {
    pub(crate) fn none(len: usize) -> Selection {
        Selection { words: vec![0; len.div_ceil(64)], len }
    }

    pub(crate) fn all(len: usize) -> Selection {
        let mut all = Selection { words: vec![u64::MAX; len.div_ceil(64)], len };
        if !len.is_multiple_of(64)
            && let Some(last) = all.words.last_mut()
        {
            *last = (1 << (len % 64)) - 1;
        }
        all
    }

    /// Whether the case is among them.
    pub fn has(&self, case: usize) -> bool {
        self.words[case / 64] >> (case % 64) & 1 == 1
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// How many they are.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// How many of them are in this piece of the run.
    pub(crate) fn count_within(&self, from: usize, to: usize) -> usize {
        let mut count = 0;
        let mut at = from;
        while at < to {
            let end = (at / 64 * 64 + 64).min(to);
            let mut word = self.words[at / 64] >> (at % 64);
            if end - at < 64 {
                word &= (1 << (end - at)) - 1;
            }
            count += word.count_ones() as usize;
            at = end;
        }
        count
    }

    pub(crate) fn add(&mut self, case: usize) {
        self.words[case / 64] |= 1 << (case % 64);
    }

    pub(crate) fn and(&mut self, other: &Selection) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// Calls with each of them.
    pub(crate) fn each(&self, mut call: impl FnMut(usize)) {
        for (at, word) in self.words.iter().enumerate() {
            let mut word = *word;
            while word != 0 {
                call(at * 64 + word.trailing_zeros() as usize);
                word &= word - 1;
            }
        }
    }

    fn where_true(len: usize, mut is_in: impl FnMut(usize) -> bool) -> Selection {
        let mut selection = Selection::none(len);
        for case in 0..len {
            if is_in(case) {
                selection.add(case);
            }
        }
        selection
    }
}

impl Run {
    /// The cases that meet all filters. Texts are looked up in the files of the store.
    ///
    /// ```
    /// # use retrospect_stats::summary::{Filter, Store};
    /// let mut store = Store::default();
    /// store.read_text(
    ///     r#"{"type": "test_case", "property": "p", "run_start": 1, "status": "passed", "features": {"len": 0}}
    ///        {"type": "test_case", "property": "p", "run_start": 1, "status": "passed", "features": {"len": 7}}"#,
    /// );
    /// let run = store.latest("p").unwrap();
    /// let long = Filter::Range { name: "len".into(), ranges: vec![[5.0, 10.0]], special: vec![] };
    /// assert_eq!(run.select(&store, &[long]).count(), 1);
    /// ```
    pub fn select(&self, store: &Store, filters: &[Filter]) -> Selection {
        let searches = filters.iter().any(|filter| matches!(filter, Filter::Text { .. }));
        match searches {
            true => self.prepared().searches.find(filters, |within| self.select_within(store, filters, within)),
            false => self.select_within(store, filters, None),
        }
    }

    fn select_within(&self, store: &Store, filters: &[Filter], within: Option<&Selection>) -> Selection {
        let mut selected = within.cloned().unwrap_or_else(|| Selection::all(self.n_cases()));
        // Texts last: the fewer are left, the fewer are read.
        let is_text = |filter: &&Filter| matches!(filter, Filter::Text { .. });
        for filter in filters.iter().filter(|filter| !is_text(filter)).chain(filters.iter().filter(is_text)) {
            let met = self.meets(store, filter, &selected);
            selected.and(&met);
        }
        selected
    }

    fn meets(&self, store: &Store, filter: &Filter, so_far: &Selection) -> Selection {
        let cases = &self.cases;
        let len = cases.len();
        match filter {
            Filter::Status { values } => {
                let wanted = |status: Status| values.iter().any(|value| value == status.name());
                Selection::where_true(len, |case| wanted(cases.status[case]))
            }
            Filter::Seen { before } => Selection::where_true(len, |case| cases.is_duplicate(case) == *before),
            Filter::Feature { name, values } => match feature(cases, name) {
                Some(column) => in_words(column, len, values),
                None if values.contains(&None) => Selection::all(len),
                None => Selection::none(len),
            },
            Filter::Range { name, ranges, special } => match feature(cases, name) {
                Some(column) => in_ranges(column, len, ranges, special),
                None if special.iter().any(|word| word == "absent") => Selection::all(len),
                None => Selection::none(len),
            },
            Filter::Reason { values } => in_words(&cases.reasons, len, &some(values)),
            Filter::How { values } => in_words(&cases.how, len, &some(values)),
            Filter::Time { ranges } => {
                let totals = self.times();
                Selection::where_true(len, |case| {
                    totals.get(case).is_some_and(|time| is_within(f64::from(*time), ranges))
                })
            }
            Filter::Cases { from, to } => Selection::where_true(len, |case| (*from..*to).contains(&case)),
            Filter::Line { file, line } => {
                let coverage = &cases.coverage;
                let Some(line) = coverage.find_line(file, *line) else { return Selection::none(len) };
                let reach: Vec<bool> = coverage.sets.iter().map(|set| set.binary_search(&line).is_ok()).collect();
                Selection::where_true(len, |case| coverage.of(case).is_some_and(|set| reach[set as usize]))
            }
            Filter::Cluster { id } => {
                let is_in = self.sets_of_cluster(id);
                Selection::where_true(len, |case| cases.coverage.of(case).is_some_and(|set| is_in[set as usize]))
            }
            Filter::Text { contains } => self.containing(store, contains, so_far),
        }
    }
}

pub(crate) fn feature<'c>(cases: &'c Cases, name: &str) -> Option<&'c Column> {
    cases.features.iter().find(|column| *column.name == *name)
}

fn some(values: &[String]) -> Vec<Option<String>> {
    values.iter().cloned().map(Some).collect()
}

fn in_words(column: &Column, len: usize, values: &[Option<String>]) -> Selection {
    let mut selection = Selection::none(len);
    if values.contains(&None) {
        selection = absent(column, len);
    }
    match &column.values {
        Values::Texts { numbers, dictionary } => {
            let mut wanted = vec![false; dictionary.len()];
            for number in values.iter().flatten().filter_map(|text| dictionary.find(text)) {
                wanted[number as usize] = true;
            }
            column.each(|case, at| {
                if wanted[numbers[at] as usize] {
                    selection.add(case);
                }
            });
        }
        Values::Numbers(numbers) => {
            let values: Vec<f64> = values.iter().flatten().filter_map(|text| text.parse().ok()).collect();
            column.each(|case, at| {
                if values.contains(&numbers[at]) {
                    selection.add(case);
                }
            });
        }
    }
    selection
}

fn in_ranges(column: &Column, len: usize, ranges: &[[f64; 2]], special: &[String]) -> Selection {
    let has = |word: &str| special.iter().any(|one| one == word);
    let mut selection = if has("absent") { absent(column, len) } else { Selection::none(len) };
    let (nan, inf, minus_inf) = (has("NaN"), has("inf"), has("-inf"));
    if let Values::Numbers(numbers) = &column.values {
        column.each(|case, at| {
            let number = numbers[at];
            let is_in = if number.is_finite() {
                is_within(number, ranges)
            } else if number.is_nan() {
                nan
            } else if number > 0.0 {
                inf
            } else {
                minus_inf
            };
            if is_in {
                selection.add(case);
            }
        });
    }
    selection
}

fn is_within(number: f64, ranges: &[[f64; 2]]) -> bool {
    ranges.iter().any(|[from, to]| *from <= number && number < *to)
}

fn absent(column: &Column, len: usize) -> Selection {
    let mut present = Selection::none(len);
    column.each(|case, _| present.add(case));
    Selection::where_true(len, |case| !present.has(case))
}

#[cfg(test)]
mod tests {
    use super::Selection;

    #[test]
    fn counting_within_is_counting_one_by_one() {
        let selection = Selection::where_true(300, |case| case % 7 < 3 || case > 250);
        for (from, to) in [(0, 300), (0, 0), (5, 64), (63, 65), (64, 128), (100, 299), (299, 300), (10, 11)] {
            let expected = (from..to).filter(|case| selection.has(*case)).count();
            assert_eq!(selection.count_within(from, to), expected, "{from} to {to}");
        }
        assert_eq!(Selection::all(130).count(), 130);
    }
}
