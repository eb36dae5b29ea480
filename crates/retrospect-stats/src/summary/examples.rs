//! The values themselves. They stay in the files, and are read when they are wanted.

use super::filter::Filter;
use super::index::cut;
use super::{Run, Store};
use crate::read::lines::representation;
use crate::read::read_line;
use std::borrow::Cow;
use std::path::PathBuf;

/// So much of a text is shown in a list.
const SHOWN: usize = 1500;
/// So much of a line is shown.
const MOST_OF_A_LINE: usize = 2 << 20;

/// In which order examples are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// The most frequent first.
    #[default]
    Frequent,
    /// As they were run.
    Run,
    /// The shortest first.
    Shortest,
    /// The longest first.
    Longest,
    /// The slowest first.
    Slowest,
}

/// Some of the distinct values of a run.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Examples {
    /// How many distinct values there are.
    pub total: usize,
    /// Those that were asked for.
    pub examples: Vec<Example>,
}

/// A distinct value.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Example {
    /// The first case with it among those that are meant, counted from 0.
    pub case: usize,
    /// How many of those that are meant have it.
    pub count: u64,
    /// How many of all.
    pub all: u64,
    /// What became of the first.
    pub status: &'static str,
    /// How it was come by.
    pub how: String,
    /// Why it failed or was discarded.
    pub reason: String,
    /// What it looks like, cut off if it is long.
    pub text: Result<String, String>,
    /// How many bytes the text has.
    pub length: usize,
    /// How long the first took, in seconds.
    pub seconds: Option<f64>,
}

impl Run {
    /// Distinct values among the cases that meet the filters: `limit` of them, after the first
    /// `offset`.
    pub fn examples(&self, store: &Store, filters: &[Filter], order: Order, offset: usize, limit: usize) -> Examples {
        let selected = self.select(store, filters);
        let n_samples = self.cases.samples.len();
        let (mut counts, mut all) = (vec![0_u32; n_samples], vec![0_u32; n_samples]);
        let mut first = vec![u32::MAX; n_samples];
        for (case, sample) in self.cases.sample.iter().enumerate() {
            let sample = *sample as usize;
            all[sample] += 1;
            if selected.has(case) {
                counts[sample] += 1;
                first[sample] = first[sample].min(case as u32);
            }
        }
        let times = self.times();
        let lengths = &self.cases.samples.text_lengths;
        let length = |sample: u32| lengths[sample as usize].wrapping_add(1);
        let key = |sample: &u32| -> (u64, u32) {
            let at = first[*sample as usize];
            let rank = match order {
                Order::Frequent => u64::from(u32::MAX - counts[*sample as usize]),
                Order::Run => 0,
                Order::Shortest => u64::from(length(*sample)),
                Order::Longest => u64::from(u32::MAX - length(*sample)),
                Order::Slowest => u64::from(u32::MAX - times.get(at as usize).map_or(0, |time| time.to_bits())),
            };
            (rank, at)
        };
        let mut found: Vec<u32> = (0..n_samples as u32).filter(|sample| counts[*sample as usize] > 0).collect();
        let total = found.len();
        let end = offset.saturating_add(limit).min(total);
        if end < total {
            found.select_nth_unstable_by_key(end, key);
            found.truncate(end);
        }
        found.sort_unstable_by_key(key);
        let shown = found.get(offset..).unwrap_or_default();
        let examples = shown.iter().map(|sample| {
            let case = first[*sample as usize] as usize;
            let text = self.text(store, case);
            Example {
                case,
                count: counts[*sample as usize].into(),
                all: all[*sample as usize].into(),
                status: self.cases.status[case].name(),
                how: self.cases.how.text(case).unwrap_or_default().to_owned(),
                reason: self.cases.reasons.text(case).unwrap_or_default().to_owned(),
                length: text.as_ref().map_or(0, String::len),
                text: text.map(|text| cut(&text, SHOWN).into_owned()),
                seconds: times.get(case).map(|time| f64::from(*time)),
            }
        });
        Examples { total, examples: examples.collect() }
    }

    /// The value of a case as text. It is read from its file, which may have changed since.
    pub fn text(&self, store: &Store, case: usize) -> Result<String, String> {
        let sample = *self.cases.sample.get(case).ok_or("there is no such case")?;
        if self.cases.samples.is_unknown(sample) {
            return Err("the line has no text for it".to_owned());
        }
        let line = self.line(store, case)?;
        representation(line.as_bytes())
            .map(Cow::into_owned)
            .ok_or_else(|| "its line is no longer in the file".to_owned())
    }

    /// The line of a case, as it is in the file; very long ones are cut off.
    pub fn line(&self, store: &Store, case: usize) -> Result<String, String> {
        if case >= self.n_cases() {
            return Err("there is no such case".to_owned());
        }
        let place = self.cases.place(case);
        let path = store.path(place.file).display();
        let line = read_line(&store.sources, place).map_err(|error| format!("{path}: {error}"))?;
        let line = String::from_utf8(line).map_err(|_| format!("{path} is no longer what it was"))?;
        if line.len() <= MOST_OF_A_LINE && representation(line.as_bytes()).is_none() {
            return Err(format!("{path} is no longer what it was"));
        }
        Ok(line)
    }

    /// The line of a case for showing it.
    pub fn line_shown(&self, store: &Store, case: usize) -> Result<String, String> {
        Ok(cut(&self.line(store, case)?, MOST_OF_A_LINE).into_owned())
    }

    /// The directory in which the file of its first case is.
    pub fn directory(&self, store: &Store) -> Option<PathBuf> {
        let path = store.path(if self.n_cases() > 0 { self.cases.place(0).file } else { return None });
        path.parent().filter(|directory| directory.is_dir()).map(PathBuf::from)
    }

    /// Values of the cases that meet the filters, each once, that can be handed to a generator:
    /// without those that were discarded, unless all were.
    pub fn texts_for_steering(&self, store: &Store, filters: &[Filter], most: usize) -> Vec<String> {
        let mut selected = self.select(store, filters);
        let valid = self.valid();
        let mut tested = selected.clone();
        tested.and(&valid);
        if tested.count() > 0 {
            selected = tested;
        }
        // Spread over the run, so that they stand for all of them.
        let step = (selected.count() / most.max(1)).max(1);
        let (mut at, mut texts) = (0, Vec::new());
        let mut chosen = Vec::new();
        selected.each(|case| {
            if at % step == 0 && chosen.len() < most {
                chosen.push(case);
            }
            at += 1;
        });
        for case in chosen {
            if let Ok(text) = self.text(store, case) {
                texts.push(text);
            }
        }
        texts
    }
}
