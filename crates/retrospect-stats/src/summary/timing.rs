//! Where the time went.

use super::Run;
use super::column::Values;
use super::filter::Selection;

/// Times of the cases.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Timing {
    /// The most expensive first.
    pub phases: Vec<Phase>,
    /// Cases by how long they took; each bar is about twice as long as the one before.
    pub bins: Vec<SlowBin>,
    /// Half of the cases took at most this, in seconds.
    pub median: f64,
    /// Nine tenths took at most this.
    pub p90: f64,
    /// The slowest.
    pub max: f64,
}

/// A part of the work, as the lines name it.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Phase {
    /// As in `generate:xs`, `execute:test`.
    pub name: String,
    /// Of all cases.
    pub seconds: f64,
    /// Of those that are meant.
    pub selected: f64,
}

/// Cases that took about as long.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct SlowBin {
    /// From, up to below, in seconds.
    pub range: [f64; 2],
    /// How many.
    pub all: u64,
    /// How many of those that are meant.
    pub selected: u64,
    /// The seconds of each phase, in the order of the phases.
    pub seconds: Vec<f64>,
}

/// From 100 ns; anything quicker is in the first bar.
const SHORTEST: f64 = 1e-7;
/// Up to a day or so.
const MOST_BINS: usize = 40;

impl Run {
    /// How long each case took in all.
    pub(crate) fn times(&self) -> Times {
        let prepared = self.prepared();
        prepared.times.get_or_init(|| {
            if self.cases.timing.is_empty() {
                return Vec::new();
            }
            let mut totals = vec![0.0_f32; self.n_cases()];
            for column in &self.cases.timing {
                if let Values::Numbers(numbers) = &column.values {
                    column.each(|case, at| totals[case] += numbers[at] as f32);
                }
            }
            totals
        });
        Times(prepared)
    }

    pub(crate) fn timing(&self, selected: &Selection, is_all: bool) -> Option<Timing> {
        let prepared = self.prepared();
        let (timing, bin_of_case) = prepared.timing.get_or_init(|| self.find_timing()).as_ref()?;
        let mut timing = timing.clone();
        if is_all {
            return Some(timing);
        }
        timing.phases.iter_mut().for_each(|phase| phase.selected = 0.0);
        for column in &self.cases.timing {
            let Values::Numbers(numbers) = &column.values else { continue };
            let mut sum = 0.0;
            column.each(|case, at| sum += if selected.has(case) { numbers[at] } else { 0.0 });
            if let Some(phase) = timing.phases.iter_mut().find(|phase| phase.name == *column.name) {
                phase.selected = sum;
            }
        }
        timing.bins.iter_mut().for_each(|bin| bin.selected = 0);
        selected.each(|case| timing.bins[usize::from(bin_of_case[case])].selected += 1);
        Some(timing)
    }

    /// With all cases selected, and for each case its bar.
    fn find_timing(&self) -> Option<(Timing, Vec<u8>)> {
        let times = self.times();
        if times.is_empty() {
            return None;
        }
        let columns = &self.cases.timing;
        let mut phases: Vec<(usize, Phase)> = Vec::new();
        for (at, column) in columns.iter().enumerate() {
            let Values::Numbers(numbers) = &column.values else { continue };
            let seconds: f64 = numbers.iter().sum();
            phases.push((at, Phase { name: column.name.to_string(), seconds, selected: seconds }));
        }
        phases.sort_by(|a, b| b.1.seconds.total_cmp(&a.1.seconds));
        let mut bin_of_case: Vec<u8> = times.iter().map(|time| bin_of(*time) as u8).collect();
        let mut counts = [0_u64; MOST_BINS];
        bin_of_case.iter().for_each(|bin| counts[usize::from(*bin)] += 1);
        let mut seconds = vec![[0.0; MOST_BINS]; phases.len()];
        for (place, (at, _)) in phases.iter().enumerate() {
            if let Values::Numbers(numbers) = &columns[*at].values {
                columns[*at].each(|case, at| seconds[place][usize::from(bin_of_case[case])] += numbers[at]);
            }
        }
        let first = counts.iter().position(|count| *count > 0).unwrap_or(0);
        let last = counts.iter().rposition(|count| *count > 0).unwrap_or(0);
        bin_of_case.iter_mut().for_each(|bin| *bin -= first as u8);
        let bin = |at: usize| SlowBin {
            range: borders(at),
            all: counts[at],
            selected: counts[at],
            seconds: seconds.iter().map(|of_phase| of_phase[at]).collect(),
        };
        let bins = (first..=last).map(bin).collect();
        let mut sorted = times.to_vec();
        let mut at = |share: f64| {
            let rank = ((sorted.len() - 1) as f64 * share).floor() as usize;
            f64::from(*sorted.select_nth_unstable_by(rank, f32::total_cmp).1)
        };
        let (median, p90, max) = (at(0.5), at(0.9), at(1.0));
        let phases = phases.into_iter().map(|(_, phase)| phase).collect();
        Some((Timing { phases, bins, median, p90, max }, bin_of_case))
    }
}

/// The times of all cases; empty if there are none.
pub(crate) struct Times(std::sync::Arc<super::view::Prepared>);

impl std::ops::Deref for Times {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        self.0.times.get().map_or(&[], Vec::as_slice)
    }
}

fn borders(bin: usize) -> [f64; 2] {
    let from = if bin == 0 { 0.0 } else { SHORTEST * 2_f64.powi(bin as i32) };
    // The last holds whatever is slower.
    let to = if bin + 1 == MOST_BINS { f64::MAX } else { SHORTEST * 2_f64.powi(bin as i32 + 1) };
    [from, to]
}

fn bin_of(time: f32) -> usize {
    let time = f64::from(time);
    if time < SHORTEST * 2.0 {
        return 0;
    }
    // The logarithm may be off by one at a border, and a filter goes by the borders.
    let about = ((time / SHORTEST).log2() as usize).min(MOST_BINS - 1);
    let [from, to] = borders(about);
    if time < from {
        about - 1
    } else if time >= to {
        (about + 1).min(MOST_BINS - 1)
    } else {
        about
    }
}
