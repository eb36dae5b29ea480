use super::alias::{Alias, Outcome};
use super::{RANGES, SINGLE, ends_of, range_of};
use crate::source::{Distribution, Rng};

/// The chances of numbers or lengths at one place: how often each range was counted, and within it
/// each number as often as the others. Numbers that are ranges by themselves stand for those
/// [near](NEAR) them as well, the more the fewer were counted. In [wide](is_wide) ranges numbers
/// that are next to each other may have nothing in common, as floats have not: where the generator
/// has a distribution of its own, they are drawn by it, but for those that came again and again.
///
/// What is drawn hangs on the counts, on what is asked for and on the random numbers, and not on
/// what was asked for before.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    /// Draws the first and the last number of a range, or [`OWN`]. None if nothing is known, or if
    /// what is wanted are other numbers than those that were counted.
    alias: Option<Box<Alias>>,
    /// How much a number of each range is refused, if others are wanted than those that were
    /// counted.
    refused: Vec<f64>,
    /// How much the generator's own chances count.
    own: f64,
    /// Whether some ranges are [wide](is_wide).
    has_wide: bool,
    /// Those of them in which some numbers came again.
    again: Vec<Again>,
}

/// Stands for the generator's own chances. It ends before it begins, as no range does, whatever is
/// asked for.
const OWN: Outcome = (u64::MAX, 0);

/// Numbers that are counted one by one, but are near each other as the numbers of a range are.
pub(crate) const NEAR: [std::ops::Range<usize>; 3] = [8..16, 16..32, 32..SINGLE as usize];

/// How often a number that should be unlike the examples is drawn again.
pub(crate) const MOST_REFUSALS: u32 = 16;

/// Ranges of so many numbers are wide. It is also the first number of the first of them.
pub(crate) const WIDE: u64 = 1 << 24;

/// How often numbers of a [wide](is_wide) range came again, of how often any of it was counted.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Again {
    pub(crate) first: u64,
    pub(crate) numbers: Vec<(u64, f64)>,
    pub(crate) of: f64,
}

/// How often a number is drawn by the generator's own distribution until it is in a wide range;
/// then it is any of the range.
const MOST_MISSES: u32 = 64;

impl Ranges {
    /// For what was counted in each range; `own` is how much the generator's own chances count
    /// beside it.
    pub(super) fn new(counts: &[f64], own: f64, is_inverted: bool) -> Ranges {
        let mut counts = counts[..counts.len().min(RANGES)].to_vec();
        if is_inverted {
            // What is near to an example is refused as well.
            for near in NEAR {
                let counted = near.start.min(counts.len())..near.end.min(counts.len());
                let sum: f64 = counts[counted.clone()].iter().sum();
                if sum > 0.0 {
                    counts.resize(counts.len().max(near.end), 0.0);
                    counts[near].fill(sum);
                }
            }
            return Ranges { refused: counts, own, ..Ranges::default() };
        }
        let shares = shared_with_near(&counts, own);
        let mut all = vec![(own, OWN)];
        all.extend_from_slice(&shares);
        let alias = if shares.is_empty() { None } else { Alias::new(&all).map(Box::new) };
        let has_wide = shares.iter().any(|(_, (first, last))| is_wide(*first, *last));
        Ranges { alias, own, has_wide, ..Ranges::default() }
    }

    /// The same, where of the numbers in wide ranges some came again.
    pub(super) fn with_again(mut self, again: Vec<Again>) -> Ranges {
        self.again = again;
        self
    }

    /// An index up to `max` that the generator would draw by this distribution.
    pub(super) fn draw_by(&self, distribution: &Distribution, max: u64, rng: &mut Rng) -> u64 {
        let own = |rng: &mut Rng| distribution.draw(max, rng);
        if self.is_drawn_evenly(distribution) {
            return self.draw(max, rng, own);
        }
        let Some(alias) = &self.alias else { return self.unlike(rng, own) };
        let mut same = rng.clone();
        let (first, last) = alias.outcome(same.next());
        let last = last.min(max);
        if !is_wide(first, last) {
            return self.draw(max, rng, own);
        }
        *rng = same;
        if let Some(again) = self.again.iter().find(|again| again.first == first) {
            let mut drawn = part_of_one(rng) * again.of;
            for (index, count) in &again.numbers {
                drawn -= count;
                match drawn < 0.0 {
                    true if *index <= max => return *index,
                    true => break,
                    false => {}
                }
            }
        }
        if matches!(distribution, Distribution::Custom(_)) {
            for _ in 0..MOST_MISSES {
                let index = own(rng);
                if (first..=last).contains(&index) {
                    return index;
                }
            }
        }
        first + rng.at_most(last - first)
    }

    /// Many indices, each drawn as [`draw_by`](Ranges::draw_by) draws one.
    pub(super) fn fill(&self, distribution: &Distribution, max: u64, rng: &mut Rng, indices: &mut [u64]) {
        let Some(alias) = self.alias.as_ref().filter(|_| self.is_drawn_evenly(distribution)) else {
            indices.fill_with(|| self.draw_by(distribution, max, rng));
            return;
        };
        // A copy, so that it stays in registers.
        let mut local = rng.clone();
        for index in indices {
            let random = local.next();
            let (first, last) = alias.outcome(random);
            let last = last.min(max);
            *index = if first > last {
                distribution.draw(max, &mut local)
            } else {
                between(first, last, random, &mut local)
            };
        }
        *rng = local;
    }

    /// Whether within a range each number is as likely as the others, by this distribution.
    #[inline(always)]
    fn is_drawn_evenly(&self, distribution: &Distribution) -> bool {
        !self.has_wide || self.again.is_empty() && !matches!(distribution, Distribution::Custom(_))
    }

    /// An index up to `max` that the generator would draw as `own` does.
    #[inline]
    pub(super) fn draw(&self, max: u64, rng: &mut Rng, own: impl Fn(&mut Rng) -> u64) -> u64 {
        let Some(alias) = &self.alias else { return self.unlike(rng, own) };
        let random = rng.next();
        let (first, last) = alias.outcome(random);
        let last = last.min(max);
        if first > last {
            return own(rng);
        }
        between(first, last, random, rng)
    }

    /// An index that is kept the less often the more its range was counted; any, if nothing was.
    #[cold]
    #[inline(never)]
    fn unlike(&self, rng: &mut Rng, own: impl Fn(&mut Rng) -> u64) -> u64 {
        let mut index = own(rng);
        let most = self.refused.iter().copied().fold(0.0, f64::max);
        if most == 0.0 {
            return index;
        }
        for _ in 0..MOST_REFUSALS {
            let count = self.refused.get(range_of(index)).copied().unwrap_or(0.0);
            let drawn = part_of_one(rng) * (most + self.own);
            if drawn >= count {
                break;
            }
            index = own(rng);
        }
        index
    }
}

/// From 0 to 1, without it.
fn part_of_one(rng: &mut Rng) -> f64 {
    (rng.next() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Whether what is drawn from there to there hangs on the generator's own distribution.
pub(crate) fn is_wide(first: u64, last: u64) -> bool {
    last.saturating_sub(first) >= WIDE - 1
}

/// What each range counts. Of the numbers that are near each other all together count as one more
/// that is any of them, if unseen numbers count at all: then a few examples stand for what is like
/// them, and many for themselves.
fn shared_with_near(counts: &[f64], own: f64) -> Vec<(f64, Outcome)> {
    let mut shares = Vec::with_capacity(counts.len() + NEAR.len());
    for (range, count) in counts.iter().enumerate() {
        if *count > 0.0 {
            shares.push((*count, ends_of(range)));
        }
    }
    if own == 0.0 {
        return shares;
    }
    for near in NEAR {
        let (first, last) = (near.start as u64, near.end as u64 - 1);
        let is_near = |(share, ends): &&mut (f64, Outcome)| *share > 0.0 && ends.0 >= first && ends.1 <= last;
        let sum: f64 = shares.iter_mut().filter(is_near).map(|(share, _)| *share).sum();
        if sum > 0.0 {
            let spread = own / (sum + own);
            shares.iter_mut().filter(is_near).for_each(|(share, _)| *share *= 1.0 - spread);
            shares.push((sum * spread, (first, last)));
        }
    }
    shares
}

/// A number from `first` to `last`, each as likely as the others: by the lower half of a random
/// number, unless that is not enough.
#[inline]
fn between(first: u64, last: u64, random: u64, rng: &mut Rng) -> u64 {
    let bound = last - first + 1;
    let product = u64::from(random as u32).wrapping_mul(bound);
    let rest = u64::from(product as u32);
    // The division is nearly never needed.
    let is_enough = bound <= u64::from(u32::MAX) && (rest >= bound || rest >= (1 << 32) % bound);
    if is_enough { first + (product >> 32) } else { first + rng.at_most(last - first) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How likely an index is, by the definition.
    fn chance(index: u64, max: u64, counts: &[f64], own: f64) -> f64 {
        let width = |first: u64, last: u64| (u128::from(last - first) + 1) as f64;
        let total = counts.iter().sum::<f64>() + own;
        let mut chance = own / total / width(0, max);
        let mut add = |first: u64, last: u64, count: f64| {
            if first > max {
                chance += count / total / width(0, max);
            } else if (first..=last).contains(&index) {
                chance += count / total / width(first, last.min(max));
            }
        };
        for (range, count) in counts.iter().enumerate() {
            // One in so many of the numbers near it is any of them.
            let near = NEAR.into_iter().find(|near| near.contains(&range));
            let sum: f64 = near.iter().flat_map(|near| counts.iter().take(near.end).skip(near.start)).sum();
            let spread = if sum > 0.0 { count / (sum / own + 1.0) } else { 0.0 };
            let (first, last) = ends_of(range);
            add(first, last, count - spread);
            if let Some(near) = near {
                add(near.start as u64, near.end as u64 - 1, spread);
            }
        }
        chance
    }

    fn counts() -> Vec<f64> {
        (0..RANGES).map(|range| [0.0, 3.0, 1.0, 0.5, 7.0][range * 3 % 5]).collect()
    }

    #[test]
    fn numbers_are_as_likely_as_they_should_be() {
        let wide = [u64::from(u32::MAX), 1 << 32, (1 << 61) + 12345, u64::MAX - 1];
        let ranges = Ranges::new(&counts(), 2.0, false);
        let chances = ranges.alias.as_ref().unwrap().chances();
        for max in [1, 7, 8, 9, 63, 64, 94, 255, 256, 1000].into_iter().chain(wide) {
            let indices = (0..=max.min(1000)).chain([max / 2, max - 1, max]);
            for index in indices {
                let mut likely = 0.0;
                for (chance, (first, last)) in &chances {
                    let last = (*last).min(max);
                    match *first > last {
                        true => likely += chance / (max as f64 + 1.0),
                        false if (*first..=last).contains(&index) => likely += chance / ((last - first) as f64 + 1.0),
                        false => {}
                    }
                }
                let wanted = chance(index, max, &counts(), 2.0);
                // No more than 32 bits say which range it is.
                let most = wanted * 1e-6 + 2f64.powi(-32);
                assert!((likely - wanted).abs() < most, "{index} up to {max}: {likely} and not {wanted}");
            }
        }
    }

    #[test]
    fn numbers_are_drawn_as_often_as_they_should_be() {
        const DRAWN: usize = 200_000;
        for (max, distribution) in [(9, Distribution::Uniform), (94, Distribution::Uniform), (20, Distribution::Mixed)]
        {
            let counts = &counts()[..70.min(max as usize)];
            let ranges = Ranges::new(counts, 2.0, false);
            let mut rng = Rng::new(5);
            let mut drawn = vec![0; DRAWN];
            ranges.fill(&distribution, max, &mut rng, &mut drawn);
            let mut same = Rng::new(5);
            assert!(drawn.iter().take(1000).all(|index| *index == ranges.draw_by(&distribution, max, &mut same)));
            for index in 0..=max {
                let wanted = match distribution {
                    Distribution::Uniform => chance(index, max, counts, 2.0),
                    // Here the generator's own chances are others: those of its own distribution.
                    _ => {
                        let own = 2.0 / (counts.iter().sum::<f64>() + 2.0);
                        let mut rng = Rng::new(7);
                        let drawn = (0..DRAWN).filter(|_| distribution.draw(max, &mut rng) == index).count() as f64;
                        let evenly = own / (max + 1) as f64;
                        chance(index, max, counts, 2.0) - evenly + own * drawn / DRAWN as f64
                    }
                };
                let count = drawn.iter().filter(|drawn| **drawn == index).count() as f64;
                let expected = wanted * DRAWN as f64;
                assert!((count - expected).abs() < 5.0 * expected.sqrt() + 10.0, "{index}: {count}, not {expected}");
            }
        }
    }

    #[test]
    fn a_few_examples_stand_for_what_is_near_and_many_for_themselves() {
        let share_of_40 = |count: f64| {
            let mut counts = vec![0.0; 41];
            counts[40] = count;
            let (ranges, mut rng) = (Ranges::new(&counts, 1.0, false), Rng::new(1));
            let drawn: Vec<u64> = (0..10_000).map(|_| ranges.draw(9999, &mut rng, |rng| rng.at_most(9999))).collect();
            let near = drawn.iter().filter(|index| (32..64).contains(*index)).count() as f64;
            drawn.iter().filter(|index| **index == 40).count() as f64 / near
        };
        let (one, hundred) = (share_of_40(1.0), share_of_40(100.0));
        assert!((0.48..0.56).contains(&one) && (0.97..1.0).contains(&hundred), "{one} {hundred}");
        // What is near is avoided with them.
        let ranges = Ranges::new(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0], 1.0, true);
        assert_eq!(ranges.refused, [[0.0; 8], [5.0; 8]].concat());
    }

    #[test]
    fn wide_numbers_stay_within_their_bound() {
        for max in [u64::MAX, u64::MAX - 1, (1 << 63) + 5, 1 << 40, u64::from(u32::MAX), 1 << 31] {
            for distribution in [Distribution::Uniform, Distribution::Mixed] {
                let ranges = Ranges::new(&counts(), 50.0, false);
                let mut rng = Rng::new(max);
                let drawn: Vec<u64> = (0..5000).map(|_| ranges.draw_by(&distribution, max, &mut rng)).collect();
                assert!(drawn.iter().all(|index| *index <= max));
                assert!(drawn.iter().any(|index| *index > max / 2));
            }
        }
    }

    #[test]
    fn half_a_random_number_is_enough_for_many_numbers_and_divided_evenly() {
        let third = u64::from(u32::MAX) / 3;
        let mut rng = Rng::new(1);
        let drawn = [3, third, third + 1, 2 * third + 1, u64::from(u32::MAX)];
        assert_eq!(drawn.map(|random| between(5, 7, random, &mut rng)), [5, 5, 6, 7, 7]);
        // Of those that may be left over one is.
        assert_eq!(between(5, 7, 0, &mut rng), 5 + Rng::new(1).at_most(2));
        // Every number that is a multiple of three would be drawn twice as often as the others if
        // none was left over.
        let mut counts = [0u32; 3];
        for _ in 0..30_000 {
            let random = rng.next();
            counts[(between(0, (3 << 30) - 1, random, &mut rng) % 3) as usize] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 400), "{counts:?}");
    }
}
