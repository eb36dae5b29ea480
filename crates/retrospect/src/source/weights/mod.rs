//! Weights learned from examples: how often each arm, number and length was chosen at each place of
//! a generator.
//!
//! | file | what |
//! | --- | --- |
//! | `alias` | one of several shares, by a few random bits |
//! | `followed` | what was counted where a value is looked at |
//! | `labels` | what a choice is called: its generator, and where in it |
//! | `learning` | a replay that counts |
//! | `origin` | where weights were read |
//! | `ranges` | numbers as often as their range was counted |
//! | `tuned` | a random source whose chances are the counts |
//! | `text` | the file |

mod alias;
mod followed;
mod labels;
mod learning;
mod origin;
mod ranges;
mod text;
mod tuned;

pub(crate) use followed::Followed;
pub(crate) use labels::{IN_BODY, Mark as PlaceMark, Place};
pub(crate) use learning::Learning;
use ranges::WIDE;
pub(crate) use ranges::{Again, MOST_REFUSALS, NEAR, is_wide};
pub use text::WeightsError;
use tuned::Known;
pub(crate) use tuned::{ChooserCache, TunedChooser};

use crate::choice::Site;
use origin::Origin;

/// How often each choice was made at each place of a generator, to make more values like those, or
/// unlike them.
///
/// A place is called by the path of its generator and, for numbers and lengths, the arm and the
/// position in it; picks and lengths are counted once for the generator, and once for each depth of
/// its recursion; a list inside of a list is one deeper than that. Numbers and lengths up to 63 are
/// counted one by one, so that letters are told apart; from there on in ranges that get twice as
/// wide: 64–127, 128–255, … In the widest, from 16777216 on, the generator draws by its own chances
/// if it has such, as floats have; of what was learned there, numbers that came more than once come
/// again. A few numbers from 8 on also stand for those near them (8–15, 16–31, 32–63), many for
/// themselves alone.
///
/// Outside of every generator with a name, what is chosen is called by who chooses: `top.0`,
/// `top.1`, … by a generator that is used alone, and by the first argument of a property; `argument
/// 2.0`, … by the second one, and so on; `draw.0`, … by what its body draws. What nobody says
/// anything about for an argument is drawn as `top` says.
///
/// ```toml
/// [numbers]
/// "top.0" = { 3 = 1 }
/// "argument 2.0" = { 5 = 1 }
/// "draw.0" = { 7 = 1 }
/// ```
///
/// In a file a weight is any number from 0 to 1e15. What counts is how large it is beside the
/// others.
///
/// ```
/// use retrospect::prelude::*;
/// let coins = vec_of(any::<bool>(), ..);
/// let weights = coins.weights_of(&[vec![true, true, false], vec![true]]).unwrap();
/// let text = weights.to_string();
/// assert!(text.contains("{ \"false\" = 1, \"true\" = 3 }"));
/// assert_eq!(text.parse::<Weights>().unwrap(), weights);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// By label, in order; each with its arms.
    picks: Vec<(String, Vec<(String, f64)>)>,
    /// By label, in order; each with the counts of its ranges.
    numbers: Vec<(String, Vec<f64>)>,
    lengths: Vec<(String, Vec<f64>)>,
    /// By label, in order; of the numbers in wide ranges those that came again, in order, with
    /// their counts. They are also counted in their ranges.
    again: Vec<(String, Vec<(u64, f64)>)>,
    is_inverted: bool,
    smoothing: f64,
    origin: Origin,
}

/// The largest weight and the largest smoothing. Products and sums of those are still numbers, and
/// what they say is still what is drawn.
const LARGEST: f64 = 1e15;

/// The label under which arms are counted by their names alone.
const EVERYWHERE: &str = "*";

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            picks: Vec::new(),
            numbers: Vec::new(),
            lengths: Vec::new(),
            again: Vec::new(),
            is_inverted: false,
            smoothing: 1.0,
            origin: Origin::default(),
        }
    }
}

impl Weights {
    /// The same weights for the opposite: what was chosen most is chosen least.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let weights = any::<bool>().weights_of(&[true, true, true]).unwrap();
    /// let unlike = any::<bool>().with_weights(weights.inverted()).unwrap();
    /// assert!((0..100).filter(|seed| unlike.sample(*seed)).count() < 30);
    /// ```
    pub fn inverted(mut self) -> Weights {
        self.is_inverted = !self.is_inverted;
        self
    }

    /// How much what the generator does by itself counts at each place, beside the examples: as
    /// much as that many of them. Where depths are told apart, what was done at all of them counts
    /// as much at each. 1 unless it is set; with 0 what no example did is not done, where any did
    /// something.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let weights = (0..10).weights_of(&[3, 4]).unwrap();
    /// let strict = (0..10).with_weights(weights.smoothed(0.0)).unwrap();
    /// assert!((0..100).all(|seed| [3, 4].contains(&strict.sample(seed))));
    /// ```
    ///
    /// # Panics
    ///
    /// If it is negative, not a number, or above 1e15, which is the largest weight.
    #[track_caller]
    pub fn smoothed(mut self, smoothing: f64) -> Weights {
        assert!((0.0..=LARGEST).contains(&smoothing), "a smoothing of {smoothing}: it must be from 0 to {LARGEST:e}");
        self.smoothing = smoothing;
        self
    }

    /// The same weights for arms by their names alone, wherever they stand, as the papers on
    /// reflective generators have it; numbers and lengths are left as the generator draws them.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let weights = any::<(bool, Option<bool>)>().weights_of(&[(true, Some(true)), (false, None)]).unwrap();
    /// assert!(weights.by_name().to_string().contains("\"*\" = { \"None\" = 1, \"Some\" = 1, \"false\" = 1, \"true\" = 2 }"));
    /// ```
    pub fn by_name(self) -> Weights {
        let Weights { is_inverted, smoothing, origin, .. } = self;
        let mut weights = Weights { is_inverted, smoothing, origin, ..Weights::default() };
        for (label, arms) in self.picks {
            // Those of a depth are in those of all depths.
            if label.contains(DEPTH) {
                continue;
            }
            for (arm, count) in arms {
                weights.count_arm(EVERYWHERE, &arm, count);
            }
        }
        weights
    }

    /// The same weights for all depths of a generator that calls itself: fewer examples say more,
    /// and the shape of a tree is told less well.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let weights = any::<bool>().weights_of(&[true]).unwrap();
    /// assert!(weights.to_string().contains("depth 0"));
    /// assert!(!weights.without_depths().to_string().contains("depth 0"));
    /// ```
    pub fn without_depths(mut self) -> Weights {
        self.picks.retain(|(label, _)| !label.contains(DEPTH));
        self.lengths.retain(|(label, _)| !label.contains(DEPTH));
        self
    }

    /// The same weights for some places only, by what they are called in a file; the generator
    /// draws by its own chances at all others. So a choice is left out of the tuning.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let pairs = tuple((any::<bool>(), 0..100));
    /// let weights = pairs.weights_of(&[(true, 7), (true, 7)]).unwrap();
    /// let tuned = pairs.with_weights(weights.smoothed(0.0).retaining(|place| place.contains("bool"))).unwrap();
    /// assert!(tuned.samples(0).take(50).all(|(coin, _)| coin));
    /// assert!(tuned.samples(0).take(50).any(|(_, number)| number != 7));
    /// ```
    pub fn retaining(mut self, is_retained: impl Fn(&str) -> bool) -> Weights {
        self.picks.retain(|(place, _)| is_retained(place));
        self.numbers.retain(|(place, _)| is_retained(place));
        self.lengths.retain(|(place, _)| is_retained(place));
        self.again.retain(|(place, _)| is_retained(place));
        self
    }

    /// Whether nothing was counted.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert!(exact(5).weights_of(&[5, 5]).unwrap().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.picks.is_empty() && self.numbers.is_empty() && self.lengths.is_empty()
    }

    /// The same weights without what was counted for others: where both were learned, what those
    /// did as often as these is not preferred any more; where only the others were, their arms are
    /// chosen the less the more they were counted.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let digits = 0..8;
    /// let (more, fewer) = (digits.weights_of(&[1, 2]).unwrap(), digits.weights_of(&[2]).unwrap());
    /// let tuned = digits.with_weights(more.without(&fewer)).unwrap();
    /// assert!((0..100).filter(|seed| tuned.sample(*seed) == 1).count() > 30);
    /// assert!((0..100).filter(|seed| tuned.sample(*seed) == 2).count() < 20);
    /// ```
    pub fn without(mut self, fewer: &Weights) -> Weights {
        for (label, arms) in &fewer.picks {
            let most = arms.iter().fold(0.0, |most: f64, (_, count)| most.max(*count));
            let of_fewer: f64 = arms.iter().map(|(_, count)| count).sum();
            match find(&self.picks, label).is_some() {
                true => {
                    let own = entry(&mut self.picks, label);
                    let of_own: f64 = own.iter().map(|(_, count)| count).sum();
                    for (arm, count) in arms {
                        if let Some((_, here)) = own.iter_mut().find(|(other, _)| other == arm) {
                            *here = (*here - count * of_own / of_fewer).max(0.0);
                        }
                    }
                }
                false => {
                    for (arm, count) in arms {
                        self.count_arm(label, arm, most - count);
                    }
                }
            }
        }
        let counted = self.numbers.clone();
        subtract(&mut self.numbers, &fewer.numbers);
        self.subtract_again(&counted, fewer);
        subtract(&mut self.lengths, &fewer.lengths);
        // Of what nothing is left, nothing is said.
        self.picks.retain(|(_, arms)| arms.iter().any(|(_, count)| *count > 0.0));
        self.numbers.retain(|(_, counts)| !counts.is_empty());
        self.lengths.retain(|(_, counts)| !counts.is_empty());
        self
    }

    /// The same weights, which were read from this file.
    pub(crate) fn read_from(mut self, file: String) -> Weights {
        self.origin.set_file(file);
        self
    }

    /// What of these weights a generator does not know, after samples were drawn.
    pub(crate) fn check(&self, tables: &Known) -> Result<(), WeightsError> {
        if let Some((pick, arm, known)) = tables.unknown.first() {
            let known = known.iter().map(|known| (*known).to_owned()).collect();
            let (file, line) = (self.origin.file(), self.origin.line_of("picks", pick));
            return Err(WeightsError::UnknownArm { pick: pick.clone(), arm: arm.clone(), known, file, line });
        }
        let mut labels: Vec<(&str, &str)> = Vec::new();
        for (label, arms) in &self.picks {
            if arms.iter().any(|(_, count)| *count > 0.0) {
                labels.push(("picks", label));
            }
        }
        for (table, counted) in [("numbers", &self.numbers), ("lengths", &self.lengths)] {
            for (label, counts) in counted {
                if counts.iter().any(|count| *count > 0.0) {
                    labels.push((table, label));
                }
            }
        }
        let is_met = |label: &str| tables.met.iter().any(|met| met == label);
        match labels.first() {
            Some((table, label)) if !labels.iter().any(|(_, label)| is_met(label)) => {
                let (file, line) = (self.origin.file(), self.origin.line_of(table, label));
                return Err(WeightsError::AnotherGenerator { label: (*label).to_owned(), file, line });
            }
            _ => {}
        }
        // What was learned here is there, however rare it is.
        if !self.origin.is_text {
            return Ok(());
        }
        for (arm, _) in self.arms(EVERYWHERE) {
            if !tables.everywhere.contains(arm) {
                let (file, line) = (self.origin.file(), self.origin.line_of("picks", EVERYWHERE));
                let mut known = tables.everywhere.clone();
                known.sort();
                known.dedup();
                let (pick, arm) = (EVERYWHERE.to_owned(), arm.clone());
                return Err(WeightsError::UnknownArm { pick, arm, known, file, line });
            }
        }
        for (table, label) in labels {
            if !is_met(label) && !tables.is_of_met_generator(label) {
                let (file, line) = (self.origin.file(), self.origin.line_of(table, label));
                return Err(WeightsError::UnknownLabel { label: label.to_owned(), file, line });
            }
        }
        Ok(())
    }

    /// How many values must be drawn by these weights before what was not met is not there. What
    /// was counted once is met that often; no label was counted less often than examples were.
    pub(crate) fn samples(&self) -> u64 {
        let mut most: f64 = 0.0;
        for (_, arms) in &self.picks {
            most = most.max(arms.iter().map(|(_, count)| *count).sum());
        }
        for (_, counts) in self.numbers.iter().chain(&self.lengths) {
            most = most.max(counts.iter().sum());
        }
        // One in 20,000 of what is there is missed then.
        (10.0 * most).clamp(FEWEST_SAMPLES as f64, MOST_SAMPLES as f64) as u64
    }

    fn count_arm(&mut self, label: &str, arm: &str, count: f64) {
        let arms = entry(&mut self.picks, label);
        match arms.binary_search_by(|(other, _)| other.as_str().cmp(arm)) {
            Ok(place) => arms[place].1 += count,
            Err(place) => arms.insert(place, (arm.to_owned(), count)),
        }
    }

    fn count_number(&mut self, label: &str, index: u64) {
        count_in(entry(&mut self.numbers, label), index);
    }

    /// Notes that a number that was counted in a wide range may come again.
    fn count_again(&mut self, label: &str, index: u64) {
        let numbers = entry(&mut self.again, label);
        match numbers.binary_search_by_key(&index, |(other, _)| *other) {
            Ok(place) => numbers[place].1 += 1.0,
            Err(place) => numbers.insert(place, (index, 1.0)),
        }
    }

    /// All examples were counted: what came once stands for what is like it, and only what came
    /// again for itself.
    pub(crate) fn settle(&mut self) {
        for (_, numbers) in &mut self.again {
            numbers.retain(|(_, count)| *count > 1.0);
            numbers.sort_by(|(_, one), (_, other)| other.total_cmp(one));
            numbers.truncate(MOST_AGAIN);
            numbers.sort_by_key(|(index, _)| *index);
        }
        self.again.retain(|(_, numbers)| !numbers.is_empty());
    }

    /// What of the numbers that come again is left when others were taken from what was counted.
    fn subtract_again(&mut self, counted: &[(String, Vec<f64>)], fewer: &Weights) {
        for (label, numbers) in &mut self.again {
            let (Some(before), Some(others)) = (find(counted, label), find(&fewer.numbers, label)) else { continue };
            let part = before.iter().sum::<f64>() / others.iter().sum::<f64>();
            let taken = find(&fewer.again, label).map_or(&[][..], Vec::as_slice);
            for (index, count) in numbers.iter_mut() {
                if let Ok(place) = taken.binary_search_by_key(index, |(other, _)| *other) {
                    *count -= taken[place].1 * part;
                }
            }
            numbers.retain(|(_, count)| *count > 0.0);
            // What was taken from their ranges besides is taken from them as well.
            let left = find(&self.numbers, label).map_or(&[][..], Vec::as_slice);
            for again in again_in(left, numbers) {
                let sum: f64 = again.numbers.iter().map(|(_, count)| count).sum();
                for (index, count) in numbers.iter_mut() {
                    if range_of(*index) == range_of(again.first) && sum > again.of {
                        *count *= again.of / sum;
                    }
                }
            }
            numbers.retain(|(_, count)| *count > 0.0);
        }
        self.again.retain(|(_, numbers)| !numbers.is_empty());
    }

    /// The numbers that come again at a place, by their ranges.
    fn again_at(&self, place: Place) -> Vec<Again> {
        let Some((label, counts)) = counted_at(&self.numbers, place, str::to_owned) else { return Vec::new() };
        find(&self.again, &label).map_or_else(Vec::new, |numbers| again_in(counts, numbers))
    }

    fn count_length(&mut self, label: &str, more: u64) {
        count_in(entry(&mut self.lengths, label), more);
    }

    /// Under which label the arms of a pick were counted: where nothing was, as if its generator
    /// was by itself.
    fn label_of_arms(&self, place: Place, site: &'static Site) -> String {
        let label = place.text_of_pick(site);
        if self.arms(&label).is_empty() { place.by_itself().text_of_pick(site) } else { label }
    }

    fn arms(&self, label: &str) -> &[(String, f64)] {
        find(&self.picks, label).map_or(&[], Vec::as_slice)
    }
}

/// How many values are drawn in any case to find out whether weights and generator go together, and
/// how many at most.
pub(crate) const FEWEST_SAMPLES: u64 = 200;
const MOST_SAMPLES: u64 = 10_000;

/// What separates a label from a depth.
const DEPTH: &str = ", depth ";

/// More numbers than that do not come again by themselves at one place.
const MOST_AGAIN: usize = 64;

/// Numbers that come again, by their ranges, and how often each of these was counted.
fn again_in(counts: &[f64], numbers: &[(u64, f64)]) -> Vec<Again> {
    let mut all: Vec<Again> = Vec::new();
    for (index, count) in numbers {
        let range = range_of(*index);
        let first = ends_of(range).0;
        match all.last_mut() {
            Some(again) if again.first == first => again.numbers.push((*index, *count)),
            _ => {
                let of = counts.get(range).copied().unwrap_or(0.0);
                all.push(Again { first, numbers: vec![(*index, *count)], of });
            }
        }
    }
    all
}

fn count_in(counts: &mut Vec<f64>, index: u64) {
    let range = range_of(index);
    if counts.len() <= range {
        counts.resize(range + 1, 0.0);
    }
    counts[range] += 1.0;
}

/// Takes from what was counted the same shares of what was counted for others.
fn subtract(counted: &mut [(String, Vec<f64>)], fewer: &[(String, Vec<f64>)]) {
    for (label, counts) in counted {
        let Some(others) = find(fewer, label) else { continue };
        let (own, all): (f64, f64) = (counts.iter().sum(), others.iter().sum());
        // Numbers that are near each other lose together what was counted for others among them.
        for near in NEAR {
            let sum_of = |counts: &[f64]| counts.iter().take(near.end).skip(near.start).sum::<f64>();
            let kept = 1.0 - sum_of(others) * own / all / sum_of(counts);
            counts.iter_mut().take(near.end).skip(near.start).for_each(|count| *count *= kept.max(0.0));
        }
        for (range, (count, other)) in counts.iter_mut().zip(others).enumerate() {
            if !NEAR.iter().any(|near| near.contains(&range)) {
                *count = (*count - other * own / all).max(0.0);
            }
        }
        while counts.last() == Some(&0.0) {
            counts.pop();
        }
    }
}

/// The list under a label, which is made if there is none.
fn entry<'t, T>(table: &'t mut Vec<(String, Vec<T>)>, label: &str) -> &'t mut Vec<T> {
    let place = match table.binary_search_by(|(other, _)| other.as_str().cmp(label)) {
        Ok(place) => place,
        Err(place) => {
            table.insert(place, (label.to_owned(), Vec::new()));
            place
        }
    };
    &mut table[place].1
}

fn find<'t, T>(table: &'t [(String, Vec<T>)], label: &str) -> Option<&'t Vec<T>> {
    let place = table.binary_search_by(|(other, _)| other.as_str().cmp(label)).ok()?;
    Some(&table[place].1)
}

/// What was counted at a place, or, where nothing was, at the same place of a generator that is by
/// itself; and under which label.
fn counted_at(
    table: &[(String, Vec<f64>)],
    place: Place,
    label_of: impl Fn(&str) -> String,
) -> Option<(String, &Vec<f64>)> {
    for place in [place, place.by_itself()] {
        let label = label_of(&place.text());
        if let Some(counts) = find(table, &label) {
            return Some((label, counts));
        }
    }
    None
}

/// What an arm is called: by its name, or its number if it has none.
fn name_of(site: &'static Site, arm: usize) -> String {
    site.label(arm).map_or_else(|| arm.to_string(), str::to_owned)
}

/// How many numbers are ranges by themselves; a power of two. Letters are among them, and all
/// ranges fit into the slots of an alias table.
const SINGLE: u64 = 64;
/// How many ranges there are.
pub(crate) const RANGES: usize = SINGLE as usize + u64::BITS as usize - SINGLE.trailing_zeros() as usize;

/// The range that a number is counted in: 0, 1, …, 63, 64–127, 128–255, …
pub(crate) fn range_of(index: u64) -> usize {
    if index < SINGLE { index as usize } else { RANGES - 1 - index.leading_zeros() as usize }
}

/// The first and the last number of a range.
pub(crate) fn ends_of(range: usize) -> (u64, u64) {
    ends_where(SINGLE, range)
}

/// The same, if so many numbers are ranges by themselves.
fn ends_where(single: u64, range: usize) -> (u64, u64) {
    match (range as u64).checked_sub(single) {
        None => (range as u64, range as u64),
        Some(doublings) => (single << doublings, (single << doublings).wrapping_mul(2).wrapping_sub(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_its_range() {
        for index in (0..100).chain([1 << 20, (1 << 20) - 1, 1 << 63, u64::MAX - 1, u64::MAX]) {
            let range = range_of(index);
            let (first, last) = ends_of(range);
            assert!(range < RANGES && (first..=last).contains(&index), "{index}: {first} to {last}");
        }
        assert_eq!((range_of(SINGLE - 1), range_of(SINGLE), range_of(u64::MAX)), (63, 64, RANGES - 1));
    }
}
