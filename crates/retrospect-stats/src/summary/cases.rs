//! The cases of a run, one column for each thing that is known about them.

use super::column::{Column, Value, Values};
use super::index::{Dictionary, Index};
use crate::Status;

/// Where the line of a case is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub file: u16,
    pub offset: u64,
    pub length: u32,
}

/// No set of covered lines.
const NO_SET: u32 = u32::MAX;

/// What the reader finds out about a case, but for its features and times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case<'c> {
    pub status: Status,
    pub place: Place,
    pub reason: &'c str,
    pub how: &'c str,
    /// Of the representation; nothing if there is none.
    pub hash: Option<u64>,
    /// Of the representation.
    pub text_length: u32,
    /// Where the representation is in the line.
    pub text_at: u32,
}

/// Cases in the order in which they were run.
#[derive(Clone, Debug)]
pub(crate) struct Cases {
    pub status: Vec<Status>,
    /// File and offset: 16 and 48 bits.
    places: Vec<u64>,
    lengths: Vec<u32>,
    /// Which of the distinct values it is.
    pub sample: Vec<u32>,
    pub reasons: Column,
    pub how: Column,
    pub features: Vec<Column>,
    pub timing: Vec<Column>,
    /// Features whose values belong together, two by two.
    pub pairs: Vec<(Box<str>, Box<str>)>,
    pub samples: Samples,
    pub coverage: Coverage,
}

/// The distinct values of a run. Where nothing is known about a value, it is one of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    index: Index,
    /// The case in which each was first.
    pub first: Vec<u32>,
    pub text_lengths: Vec<u32>,
    /// Where the text is in the line of the first case.
    text_at: Vec<u32>,
    n_unknown: u64,
}

/// Which lines of source the cases reached.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coverage {
    /// For each case the number of a set; shorter than the cases if the last ones have none.
    of_case: Vec<u32>,
    index: Index,
    pub sets: Vec<Box<[u32]>>,
    pub files: Dictionary,
    line_index: Index,
    /// File and line.
    pub lines: Vec<(u32, u32)>,
}

impl Default for Cases {
    fn default() -> Cases {
        Cases {
            status: Vec::new(),
            places: Vec::new(),
            lengths: Vec::new(),
            sample: Vec::new(),
            reasons: Column::of_texts("reason"),
            how: Column::of_texts("how"),
            features: Vec::new(),
            timing: Vec::new(),
            pairs: Vec::new(),
            samples: Samples::default(),
            coverage: Coverage::default(),
        }
    }
}

impl Cases {
    pub fn len(&self) -> usize {
        self.status.len()
    }

    /// Adds a case, without features and times: those are pushed to its columns by `feature` and
    /// `time`.
    pub fn push(&mut self, case: &Case<'_>) {
        let at = self.len();
        self.status.push(case.status);
        self.places.push(u64::from(case.place.file) << 48 | case.place.offset);
        self.lengths.push(case.place.length);
        self.sample.push(self.samples.number(case.hash, at as u32, case.text_length, case.text_at));
        for (column, text) in [(&mut self.reasons, case.reason), (&mut self.how, case.how)] {
            if !text.is_empty() {
                column.push(at, Value::Text(text.into()));
            }
        }
    }

    /// A feature of the last case.
    pub fn feature(&mut self, hint: usize, name: &str, value: Value<'_>) {
        let case = self.len() - 1;
        column(&mut self.features, hint, name).push(case, value);
    }

    pub fn pair(&mut self, x: &str, y: &str) {
        if !self.pairs.iter().any(|(a, b)| **a == *x && **b == *y) {
            self.pairs.push((x.into(), y.into()));
        }
    }

    /// The seconds of a phase of the last case.
    pub fn time(&mut self, hint: usize, name: &str, seconds: f64) {
        let case = self.len() - 1;
        column(&mut self.timing, hint, name).push(case, Value::Number(seconds));
    }

    pub fn place(&self, case: usize) -> Place {
        let packed = self.places[case];
        Place { file: (packed >> 48) as u16, offset: packed & ((1 << 48) - 1), length: self.lengths[case] }
    }

    /// Whether the same value was there before.
    pub fn is_duplicate(&self, case: usize) -> bool {
        self.samples.first[self.sample[case] as usize] as usize != case
    }

    pub fn append(&mut self, other: Cases) {
        let offset = self.len();
        self.status.extend_from_slice(&other.status);
        self.places.extend_from_slice(&other.places);
        self.lengths.extend_from_slice(&other.lengths);
        let map = self.samples.take_over(&other.samples, offset as u32);
        self.sample.extend(other.sample.iter().map(|sample| map[*sample as usize]));
        self.reasons.append(other.reasons, offset);
        self.how.append(other.how, offset);
        for (columns, others) in [(&mut self.features, other.features), (&mut self.timing, other.timing)] {
            for (hint, part) in others.into_iter().enumerate() {
                let name = part.name.clone();
                column(columns, hint, &name).append(part, offset);
            }
        }
        other.pairs.iter().for_each(|(x, y)| self.pair(x, y));
        self.coverage.append(other.coverage, offset);
    }

    /// What it needs at least.
    pub fn bytes(&self) -> usize {
        let columns = self.features.iter().chain(&self.timing).chain([&self.reasons, &self.how]);
        self.len() * (1 + 8 + 4 + 4)
            + columns.map(Column::bytes).sum::<usize>()
            + self.samples.index.bytes()
            + self.samples.first.len() * 12
            + self.coverage.bytes()
    }

    /// Gives back what was reserved for more.
    pub fn shrink_to_fit(&mut self) {
        self.status.shrink_to_fit();
        self.places.shrink_to_fit();
        self.lengths.shrink_to_fit();
        self.sample.shrink_to_fit();
        self.samples.first.shrink_to_fit();
        self.samples.text_lengths.shrink_to_fit();
        self.samples.text_at.shrink_to_fit();
        self.samples.index.shrink_to_fit();
        self.coverage.of_case.shrink_to_fit();
        for column in self.features.iter_mut().chain(&mut self.timing).chain([&mut self.reasons, &mut self.how]) {
            column.shrink_to_fit();
        }
    }
}

/// The column of that name. Lines name the same things in the same order, so the hint is mostly
/// right.
fn column<'c>(columns: &'c mut Vec<Column>, hint: usize, name: &str) -> &'c mut Column {
    let at = match columns.get(hint) {
        Some(column) if *column.name == *name => Some(hint),
        _ => columns.iter().position(|column| *column.name == *name),
    };
    let at = at.unwrap_or_else(|| {
        columns.push(Column::new(name));
        columns.len() - 1
    });
    &mut columns[at]
}

impl Samples {
    pub fn len(&self) -> usize {
        self.first.len()
    }

    fn number(&mut self, hash: Option<u64>, case: u32, text_length: u32, text_at: u32) -> u32 {
        // An unknown value gets a hash that no text has, as good as certainly.
        let hash = hash.unwrap_or_else(|| {
            self.n_unknown += 1;
            super::index::hash(format!("\u{0}unknown {case} {}", self.n_unknown).as_bytes())
        });
        let (number, is_new) = self.index.number(hash);
        if is_new {
            self.first.push(case);
            self.text_lengths.push(text_length);
            self.text_at.push(text_at);
        }
        number
    }

    fn take_over(&mut self, other: &Samples, offset: u32) -> Vec<u32> {
        let mut map = Vec::with_capacity(other.len());
        for sample in 0..other.len() {
            let hash = other.index.hash(sample as u32);
            // What is unknown in both is not the same.
            let hash = if other.text_lengths[sample] == u32::MAX { None } else { Some(hash) };
            let (length, at) = (other.text_lengths[sample], other.text_at[sample]);
            map.push(self.number(hash, other.first[sample] + offset, length, at));
        }
        map
    }

    /// The text of a value as it is written in the line of its first case, if that is still the
    /// line.
    pub fn text_within<'l>(&self, sample: u32, line: &'l [u8]) -> Option<&'l [u8]> {
        let at = self.text_at[sample as usize] as usize;
        let text = line.get(at..at + self.text_lengths[sample as usize] as usize)?;
        let is_quoted = at > 0 && line[at - 1] == b'"' && line.get(at + text.len()) == Some(&b'"');
        is_quoted.then_some(text)
    }

    /// Whether nothing is known about the value.
    pub fn is_unknown(&self, sample: u32) -> bool {
        self.text_lengths[sample as usize] == u32::MAX
    }
}

impl Coverage {
    /// The lines that a case reached, as pairs of file and line.
    pub fn push(&mut self, case: usize, lines: &[(&str, u32)]) {
        let mut set: Vec<u32> = lines.iter().map(|(file, line)| self.line(file, *line)).collect();
        set.sort_unstable();
        set.dedup();
        let set = self.set(set.into());
        self.of_case.resize(case, NO_SET);
        self.of_case.push(set);
    }

    /// The lines that a case reached.
    pub fn of(&self, case: usize) -> Option<u32> {
        self.of_case.get(case).copied().filter(|set| *set != NO_SET)
    }

    pub fn find_line(&self, file: &str, line: u32) -> Option<u32> {
        let file = self.files.find(file)?;
        self.line_index.find(line_hash(file, line))
    }

    fn line(&mut self, file: &str, line: u32) -> u32 {
        let file = self.files.number(file);
        let (number, is_new) = self.line_index.number(line_hash(file, line));
        if is_new {
            self.lines.push((file, line));
        }
        number
    }

    fn set(&mut self, set: Box<[u32]>) -> u32 {
        let mut bytes = Vec::with_capacity(set.len() * 4);
        set.iter().for_each(|line| bytes.extend_from_slice(&line.to_le_bytes()));
        let (number, is_new) = self.index.number(super::index::hash(&bytes));
        if is_new {
            self.sets.push(set);
        }
        number
    }

    fn append(&mut self, other: Coverage, offset: usize) {
        if other.of_case.is_empty() {
            return;
        }
        let mut lines = Vec::with_capacity(other.lines.len());
        for (file, line) in &other.lines {
            lines.push(self.line(other.files.text(*file), *line));
        }
        let mut sets = Vec::with_capacity(other.sets.len());
        for set in &other.sets {
            let mut set: Box<[u32]> = set.iter().map(|line| lines[*line as usize]).collect();
            set.sort_unstable();
            sets.push(self.set(set));
        }
        self.of_case.resize(offset, NO_SET);
        self.of_case.extend(other.of_case.iter().map(|set| if *set == NO_SET { NO_SET } else { sets[*set as usize] }));
    }

    fn bytes(&self) -> usize {
        self.of_case.len() * 4
            + self.index.bytes()
            + self.sets.iter().map(|set| set.len() * 4 + 16).sum::<usize>()
            + self.line_index.bytes()
            + self.lines.len() * 8
    }
}

fn line_hash(file: u32, line: u32) -> u64 {
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&file.to_le_bytes());
    bytes[4..].copy_from_slice(&line.to_le_bytes());
    super::index::hash(&bytes)
}

/// Which cases are attempts to make a counterexample simpler.
pub(crate) struct Shrinking<'c> {
    how: &'c Column,
    /// By the number of the text; empty if none is.
    by_text: Vec<bool>,
}

impl Cases {
    /// Tools say so in words: `generated during shrink phase`, `minimal failing test case`,
    /// `minimal`.
    pub fn shrinking(&self) -> Shrinking<'_> {
        let Values::Texts { dictionary, .. } = &self.how.values else {
            return Shrinking { how: &self.how, by_text: Vec::new() };
        };
        let is_shrinking = |text: &str| ["shrink", "explain", "minimal"].iter().any(|word| text.contains(word));
        let mut by_text: Vec<bool> =
            (0..dictionary.len()).map(|number| is_shrinking(dictionary.text(number as u32))).collect();
        if !by_text.contains(&true) {
            by_text.clear();
        }
        Shrinking { how: &self.how, by_text }
    }
}

impl Shrinking<'_> {
    pub fn is(&self, case: usize) -> bool {
        let Values::Texts { numbers, .. } = &self.how.values else { return false };
        !self.by_text.is_empty() && self.how.place(case).is_some_and(|at| self.by_text[numbers[at] as usize])
    }
}
