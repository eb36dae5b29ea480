use super::alias::{Alias, SLOTS};
use super::{RANGES, ends_of, range_of};
use crate::source::{Law, Rng};

/// The chances of numbers or lengths at one place: how often each range was counted, and within it each number as often as the others.
///
/// What is drawn hangs on the counts, on what is asked for and on the random numbers, and not on what was asked for before.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    /// Draws a range, or [`OWN`]. None if nothing is known, or if what is wanted are other numbers than those that were counted.
    alias: Option<Box<Alias>>,
    counts: Vec<f64>,
    /// How much the generator's own chances count.
    own: f64,
    /// Draws the items of lists, as they were asked for last.
    items: Option<Box<Items>>,
}

/// Stands for the generator's own chances, among the ranges.
const OWN: usize = RANGES;

/// The first number of each range and the last; any number is one of the generator's own.
const ENDS: [(u64, u64); RANGES + 1] = {
    let mut ends = [(0, u64::MAX); RANGES + 1];
    let mut range = 0;
    while range < OWN {
        ends[range] = ends_of(range);
        range += 1;
    }
    ends
};

/// How often a number that should be unlike the examples is drawn again.
const MOST_REFUSALS: u32 = 16;

/// To prepare for the items of a list costs as much as some items.
const FEWEST_ITEMS: usize = 4;

impl Ranges {
    /// For what was counted in each range; `own` is how much the generator's own chances count beside it.
    pub(super) fn new(counts: &[f64], own: f64, is_inverted: bool) -> Ranges {
        let counts = counts[..counts.len().min(RANGES)].to_vec();
        let mut alias = None;
        if !is_inverted && counts.iter().any(|count| *count > 0.0) {
            let mut shares = counts.clone();
            shares.resize(RANGES, 0.0);
            shares.push(own);
            alias = Alias::new(&shares, 0);
        }
        Ranges { alias, counts, own, items: None }
    }

    /// An index up to `max` that the generator would draw by a law.
    #[inline(always)]
    pub(super) fn draw(&self, max: u64, law: &Law, rng: &mut Rng) -> u64 {
        match (law, &self.alias) {
            (Law::Uniform, Some(alias)) => drawn_evenly(alias, max, rng),
            _ => self.draw_or(max, rng, |rng| law.draw(max, rng)),
        }
    }

    /// The same for one that the generator would draw as `own` does.
    #[inline(always)]
    pub(super) fn draw_or(&self, max: u64, rng: &mut Rng, own: impl Fn(&mut Rng) -> u64) -> u64 {
        let Some(alias) = &self.alias else { return self.unlike(rng, own) };
        let range = alias.item(rng.next());
        let (first, last) = ENDS[range];
        if range == OWN || first > max {
            return own(rng);
        }
        between(first, last.min(max), rng)
    }

    /// The items of a list, or some of them.
    pub(super) fn draw_items(&mut self, max: u64, law: &Law, rng: &mut Rng, numbers: &mut [u64]) {
        let is_prepared = matches!(law, Law::Uniform) && self.alias.is_some() && numbers.len() >= FEWEST_ITEMS;
        if !is_prepared {
            numbers.iter_mut().for_each(|number| *number = self.draw(max, law, rng));
            return;
        }
        if self.items.as_ref().is_none_or(|items| items.max != max) {
            self.items = Items::new(max, &self.counts, self.own).map(Box::new);
        }
        if let Some(items) = &self.items {
            items.draw(rng, numbers);
        }
    }

    /// An index that is kept the less often the more its range was counted; any, if nothing was.
    #[cold]
    #[inline(never)]
    fn unlike(&self, rng: &mut Rng, own: impl Fn(&mut Rng) -> u64) -> u64 {
        let mut index = own(rng);
        let most = self.counts.iter().copied().fold(0.0, f64::max);
        if most == 0.0 {
            return index;
        }
        for _ in 0..MOST_REFUSALS {
            let count = self.counts.get(range_of(index)).copied().unwrap_or(0.0);
            let drawn = (rng.next() >> 11) as f64 * (1.0 / (1u64 << 53) as f64) * (most + self.own);
            if drawn >= count {
                break;
            }
            index = own(rng);
        }
        index
    }
}

/// Where the generator draws every index as often as the others, its own chances are a range like any other.
#[inline(always)]
fn drawn_evenly(alias: &Alias, max: u64, rng: &mut Rng) -> u64 {
    let (first, last) = ENDS[alias.item(rng.next())];
    let (first, last) = if first <= max { (first, last.min(max)) } else { (0, max) };
    between(first, last, rng)
}

/// A number from `first` to `last`, each as likely as the others.
#[inline(always)]
fn between(first: u64, last: u64, rng: &mut Rng) -> u64 {
    let count = (last - first).wrapping_add(1);
    // Most ranges have a power of two of numbers, which divides the random numbers evenly. To ask `at_most`, which does not know, takes a division.
    if count.is_power_of_two() {
        return first + ((u128::from(rng.next()) * u128::from(count)) >> 64) as u64;
    }
    first + rng.at_most(last - first)
}

/// The chances of the items of a list, where the generator draws every index up to `max` as often as the others. All is worked out beforehand, so that
/// there is nothing to decide: which range it is, a processor could not guess.
#[derive(Debug)]
struct Items {
    max: u64,
    alias: Box<Alias>,
    pieces: [Piece; SLOTS],
    /// Whether 32 random bits are enough for the number, so that the others say which piece it is from.
    is_narrow: bool,
}

/// Numbers that are as likely as each other.
#[derive(Clone, Copy, Debug, Default)]
struct Piece {
    first: u64,
    count: u64,
    /// How many random numbers are left over when they are divided evenly.
    left_over: u64,
}

impl Items {
    fn new(max: u64, counts: &[f64], mut own: f64) -> Option<Items> {
        let bits = if max < 1 << 32 { 32 } else { 64 };
        let (mut pieces, mut shares) = ([Piece::default(); SLOTS], Vec::with_capacity(SLOTS));
        let mut add = |first: u64, last: u64, share: f64| {
            let count = last - first + 1;
            let left_over = (1u128 << bits) % u128::from(count);
            pieces[shares.len()] = Piece { first, count, left_over: left_over as u64 };
            shares.push(share);
        };
        for (range, count) in counts.iter().enumerate() {
            match ENDS[range] {
                (first, _) if first > max => own += count,
                (first, last) => add(first, last.min(max), *count),
            }
        }
        // In two halves if there is no room for how many these are.
        let middle = if max == u64::MAX { max / 2 } else { max };
        let share = if middle < max { own / 2.0 } else { own };
        add(0, middle, share);
        if middle < max {
            add(middle + 1, max, share);
        }
        Some(Items { max, alias: Alias::new(&shares, 64 - bits)?, pieces, is_narrow: bits == 32 })
    }

    fn draw(&self, rng: &mut Rng, numbers: &mut [u64]) {
        // Where the processor has it at hand.
        let mut own = rng.clone();
        if self.is_narrow {
            numbers.iter_mut().for_each(|number| *number = self.draw_narrow(&mut own));
        } else {
            numbers.iter_mut().for_each(|number| *number = self.draw_wide(&mut own));
        }
        *rng = own;
    }

    #[inline(always)]
    fn draw_wide(&self, rng: &mut Rng) -> u64 {
        let piece = &self.pieces[self.alias.item(rng.next()) % SLOTS];
        loop {
            let product = u128::from(rng.next()) * u128::from(piece.count);
            if product as u64 >= piece.left_over {
                return piece.first + (product >> 64) as u64;
            }
        }
    }

    #[inline(always)]
    fn draw_narrow(&self, rng: &mut Rng) -> u64 {
        let mut random = rng.next();
        let piece = &self.pieces[self.alias.item(random) % SLOTS];
        loop {
            // The lower half, which had no say in which piece it is.
            let product = (random & u64::from(u32::MAX)) * piece.count;
            if product & u64::from(u32::MAX) >= piece.left_over {
                return piece.first + (product >> 32);
            }
            random = rng.next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How likely an index is, by the definition.
    fn chance(index: u64, max: u64, counts: &[f64], own: f64) -> f64 {
        let width = |first: u64, last: u64| (u128::from(last - first) + 1) as f64;
        let total = counts.iter().sum::<f64>() + own;
        let mut chance = own / total / width(0, max);
        for (range, count) in counts.iter().enumerate() {
            let (first, last) = ENDS[range];
            if first > max {
                chance += count / total / width(0, max);
            } else if (first..=last).contains(&index) {
                chance += count / total / width(first, last.min(max));
            }
        }
        chance
    }

    fn counts() -> Vec<f64> {
        (0..RANGES).map(|range| [0.0, 3.0, 1.0, 0.5, 7.0][range * 3 % 5]).collect()
    }

    #[test]
    fn items_are_as_likely_as_they_should_be() {
        for max in
            [1, 7, 8, 9, 94, 255, 256, 1000, u64::from(u32::MAX), 1 << 32, (1 << 61) + 12345, u64::MAX - 1, u64::MAX]
        {
            let items = Items::new(max, &counts(), 2.0).unwrap();
            let indices = (0..=max.min(1000)).chain([max / 2, max - 1, max]);
            for index in indices {
                let mut likely = 0.0;
                for (item, piece) in items.pieces.iter().enumerate().filter(|(_, piece)| piece.count > 0) {
                    let is_in = index >= piece.first && index - piece.first < piece.count;
                    let of_piece = items.alias.chance_of(item) / piece.count as f64;
                    likely += if is_in { of_piece } else { 0.0 };
                }
                let wanted = chance(index, max, &counts(), 2.0);
                assert!((likely / wanted - 1.0).abs() < 1e-6, "{index} up to {max}: {likely} and not {wanted}");
            }
        }
    }

    #[test]
    fn numbers_are_drawn_as_often_as_they_should_be_alone_and_as_items() {
        const DRAWN: usize = 200_000;
        for (max, law) in [(9, Law::Uniform), (20, Law::Uniform), (20, Law::Mixed)] {
            let mut ranges = Ranges::new(&counts()[..6], 2.0, false);
            let mut alone = Rng::new(5);
            let one_by_one: Vec<u64> = (0..DRAWN).map(|_| ranges.draw(max, &law, &mut alone)).collect();
            let mut items = vec![0; DRAWN];
            ranges.draw_items(max, &law, &mut Rng::new(6), &mut items);
            for index in 0..=max {
                let wanted = match law {
                    Law::Uniform => chance(index, max, &counts()[..6], 2.0),
                    // Here the generator's own chances are others: those of its own law.
                    _ => {
                        let own = 2.0 / (counts()[..6].iter().sum::<f64>() + 2.0);
                        let mut rng = Rng::new(7);
                        let drawn = (0..DRAWN).filter(|_| law.draw(max, &mut rng) == index).count() as f64;
                        chance(index, max, &counts()[..6], 0.0) * (1.0 - own) + own * drawn / DRAWN as f64
                    }
                };
                for drawn in [&one_by_one, &items] {
                    let count = drawn.iter().filter(|drawn| **drawn == index).count() as f64;
                    let expected = wanted * DRAWN as f64;
                    assert!(
                        (count - expected).abs() < 5.0 * expected.sqrt() + 10.0,
                        "{index}: {count}, not {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn wide_numbers_stay_within_their_bound() {
        for max in [u64::MAX, u64::MAX - 1, (1 << 63) + 5, 1 << 40] {
            let mut ranges = Ranges::new(&counts(), 50.0, false);
            let (mut rng, mut items) = (Rng::new(max), vec![0; 5000]);
            ranges.draw_items(max, &Law::Uniform, &mut rng, &mut items);
            items.extend((0..5000).map(|_| ranges.draw(max, &Law::Uniform, &mut rng)));
            assert!(items.iter().all(|index| *index <= max));
            assert!(items.iter().any(|index| *index > max / 2));
        }
    }

    #[test]
    fn what_is_drawn_does_not_hang_on_what_was_drawn_before() {
        let mut ranges = Ranges::new(&counts(), 2.0, false);
        let mut draw = |max, seed| {
            let (mut rng, mut items) = (Rng::new(seed), [0; 20]);
            ranges.draw_items(max, &Law::Uniform, &mut rng, &mut items);
            (items, ranges.draw(max, &Law::Uniform, &mut rng))
        };
        let first = draw(94, 1);
        for seed in 0..100 {
            draw(seed + 1, seed);
        }
        assert_eq!(draw(94, 1), first);
    }
}
