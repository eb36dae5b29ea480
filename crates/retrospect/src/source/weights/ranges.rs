use super::alias::{Alias, Outcome, SLOTS};
use super::{RANGES, SINGLE, ends_of, range_of};
use crate::source::{Law, Rng};

/// The chances of numbers or lengths at one place: how often each range was counted, and within it each number as often as the others. Numbers that are ranges
/// by themselves stand for those [near](NEAR) them as well, the more the fewer were counted. In [wide](is_wide) ranges numbers that are next to each other may have
/// nothing in common, as floats have not: where the generator has a law of its own, they are drawn by it, but for those that came again and again.
///
/// What is drawn hangs on the counts, on what is asked for and on the random numbers, and not on what was asked for before.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    /// Draws the first and the last number of a range, or [`OWN`]. None if nothing is known, or if what is wanted are other numbers than those
    /// that were counted.
    alias: Option<Box<Alias>>,
    /// How much the numbers of each range count, by the first and the last of them.
    shares: Vec<(f64, Outcome)>,
    /// How much a number of each range is refused, if others are wanted than those that were counted.
    refused: Vec<f64>,
    /// How much the generator's own chances count.
    own: f64,
    /// Whether some ranges are [wide](is_wide).
    has_wide: bool,
    /// Those of them in which some numbers came again.
    again: Vec<Again>,
    /// Draws the items of lists, as they were asked for last.
    items: Option<Box<Items>>,
}

/// Stands for the generator's own chances. It ends before it begins, as no range does, whatever is asked for.
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

/// How often a number is drawn by the generator's own law until it is in a wide range; then it is any of the range.
const MOST_MISSES: u32 = 64;

impl Ranges {
    /// For what was counted in each range; `own` is how much the generator's own chances count beside it.
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
        Ranges { alias, shares, own, has_wide, ..Ranges::default() }
    }

    /// The same, where of the numbers in wide ranges some came again.
    pub(super) fn with_again(mut self, again: Vec<Again>) -> Ranges {
        self.again = again;
        self
    }

    /// An index up to `max` that the generator would draw by this law.
    pub(super) fn draw_by(&self, law: &Law, max: u64, rng: &mut Rng) -> u64 {
        let own = |rng: &mut Rng| law.draw(max, rng);
        if self.is_drawn_evenly(law) {
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
        if matches!(law, Law::Custom(_)) {
            for _ in 0..MOST_MISSES {
                let index = own(rng);
                if (first..=last).contains(&index) {
                    return index;
                }
            }
        }
        first + rng.at_most(last - first)
    }

    /// Whether within a range each number is as likely as the others, by this law.
    #[inline(always)]
    fn is_drawn_evenly(&self, law: &Law) -> bool {
        !self.has_wide || self.again.is_empty() && !matches!(law, Law::Custom(_))
    }

    /// An index up to `max` that the generator would draw as `own` does.
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

    /// The same, where it takes one random number and nothing else, whatever the law. That is nearly always so.
    #[inline(always)]
    pub(super) fn draw_quickly(&self, max: u64, rng: &mut Rng) -> Option<u64> {
        let mut more = rng.clone();
        let random = more.next();
        let (first, last) = self.alias.as_ref()?.outcome(random);
        let last = last.min(max);
        let drawn = if first <= last { quickly_between(first, last, random)? } else { return None };
        *rng = more;
        Some(drawn)
    }

    /// What draws the items of a list, as likely as [`draw`](Ranges::draw) would draw each. `None` if that is to be done one by one: since
    /// nothing is known, or not how likely all that the generator itself would draw is.
    #[inline(always)]
    pub(super) fn items(&mut self, max: u64, law: &Law) -> Option<&Items> {
        self.alias.as_ref()?;
        if !self.is_drawn_evenly(law) {
            return None;
        }
        if self.items.as_ref().is_none_or(|items| items.max != max || items.law != *law) {
            self.prepare_items(max, *law);
        }
        self.items.as_deref()
    }

    #[cold]
    #[inline(never)]
    fn prepare_items(&mut self, max: u64, law: Law) {
        self.items = Items::new(max, law, &self.shares, self.own).map(Box::new);
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

/// Whether what is drawn from there to there hangs on the generator's own law.
pub(crate) fn is_wide(first: u64, last: u64) -> bool {
    last.saturating_sub(first) >= WIDE - 1
}

/// What each range counts. Of the numbers that are near each other all together count as one more that is any of them, if unseen numbers count at all: then a few examples
/// stand for what is like them, and many for themselves.
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

/// A number from `first` to `last`, each as likely as the others: by the lower half of a random number, unless that is not enough.
fn between(first: u64, last: u64, random: u64, rng: &mut Rng) -> u64 {
    let bound = last - first + 1;
    let product = u64::from(random as u32).wrapping_mul(bound);
    let is_enough = bound <= u64::from(u32::MAX) && u64::from(product as u32) >= (1 << 32) % bound;
    if is_enough { first + (product >> 32) } else { first + rng.at_most(last - first) }
}

/// The same, unless the range is [wide](WIDE), or it is one of those that may be left over when the random numbers are divided evenly: whether it is,
/// takes a division.
#[inline(always)]
fn quickly_between(first: u64, last: u64, random: u64) -> Option<u64> {
    let bound = last - first + 1;
    let product = u64::from(random as u32).wrapping_mul(bound);
    let is_even = bound < WIDE && u64::from(product as u32) >= bound;
    is_even.then_some(first + (product >> 32))
}

/// The chances of the items of a list. All is worked out beforehand for what is asked for: what is drawn are blocks of numbers that are as likely as each
/// other, each as wide as a power of two, so that it takes no more than random bits to draw one of them. There is nothing to decide: which block it
/// is, a processor could not guess.
#[derive(Debug)]
pub(in crate::source) struct Items {
    /// Which block a random number of a few bits stands for.
    places: [u8; PLACES],
    /// The first number of each block.
    firsts: [u64; BLOCKS],
    /// The bits in which the others differ from it. A list of its own: a processor finds the two with less arithmetic than a pair.
    bits: [u64; BLOCKS],
    /// Draws the block where no place is one block's alone: those that fill no whole number of places share the [`REST`].
    rest: Alias,
    /// An index below it needs no second look.
    bound: u64,
    max: u64,
    /// By which the generator would draw.
    law: Law,
}

/// So many that few of them are the rest.
const PLACES: usize = 8192;

/// As many as a place can tell apart.
const BLOCKS: usize = 256;

/// Stands for the blocks that share what is left of the places.
const REST: Outcome = (u64::MAX, 1);

/// Into how many blocks numbers are divided at most, so that there is room for all.
const MOST_BLOCKS: usize = 3;

impl Items {
    fn new(max: u64, law: Law, shares: &[(f64, Outcome)], mut own: f64) -> Option<Items> {
        let mut blocks = Vec::with_capacity(SLOTS);
        for (share, (first, last)) in shares {
            match *first > max {
                true => own += share,
                false => add_blocks(*first, max.min(*last), *share, &mut blocks),
            }
        }
        match law {
            Law::Uniform if blocks.len() + MOST_BLOCKS <= SLOTS => add_blocks(0, max, own, &mut blocks),
            _ => blocks.push((own, OWN)),
        }
        Items::of_blocks(blocks, max, law)
    }

    /// Gives each block as many whole places as it fills. `None` if no share is positive.
    fn of_blocks(mut blocks: Vec<(f64, Outcome)>, max: u64, law: Law) -> Option<Items> {
        let mut total = 0.0;
        for (share, _) in &blocks {
            total += share;
        }
        let (mut places, mut firsts, mut bits) = ([u8::MAX; PLACES], [REST.0; BLOCKS], [REST.1; BLOCKS]);
        let mut next = 0;
        for (block, (share, outcome)) in blocks.iter_mut().enumerate() {
            (firsts[block], bits[block]) = *outcome;
            let filled = *share / total * PLACES as f64;
            // One place is always left, also if the others seem to be nothing beside this block.
            let whole = (filled as usize).min(PLACES - 1 - next);
            places[next..next + whole].fill(block as u8);
            next += whole;
            *share = filled - whole as f64;
        }
        let rest = Alias::new(&blocks)?;
        Some(Items { places, firsts, bits, rest, bound: max.saturating_add(1), max, law })
    }

    /// The next item.
    #[inline(always)]
    pub(in crate::source) fn draw(&self, rng: &mut Rng) -> u64 {
        self.draw_quickly(rng).unwrap_or_else(|| {
            let (index, more) = self.draw_other(rng.clone());
            *rng = more;
            index
        })
    }

    /// The same, where it takes one random number and nothing else. That is nearly always so; otherwise it is [drawn another way](Items::draw_other).
    #[inline(always)]
    pub(in crate::source) fn draw_quickly(&self, rng: &mut Rng) -> Option<u64> {
        let (random, other) = rng.next_two();
        let (first, bits) = self.block_of(other);
        let index = first | random & bits;
        if index < self.bound { Some(index) } else { None }
    }

    /// What a block that is not full lacks, what the generator draws by itself, and the rest. The random numbers go there and back, and do not have to lie
    /// in memory meanwhile.
    #[cold]
    #[inline(never)]
    pub(in crate::source) fn draw_other(&self, mut rng: Rng) -> (u64, Rng) {
        let (mut random, other) = rng.last_two();
        let mut block = self.block_of(other);
        if block == REST {
            block = self.rest.outcome(rng.next());
            random = rng.next();
        }
        if block == OWN {
            return (self.law.draw(self.max, &mut rng), rng);
        }
        loop {
            let index = block.0 | random & block.1;
            if index <= self.max {
                return (index, rng);
            }
            random = rng.next();
        }
    }

    /// The upper bits of a random number say which block it is, those of [the one beside it](Rng::next_two) which number of the block.
    #[inline(always)]
    fn block_of(&self, random: u64) -> Outcome {
        let place = random >> (u64::BITS - PLACES.trailing_zeros());
        self.block(self.places[place as usize])
    }

    #[inline(always)]
    fn block(&self, number: u8) -> Outcome {
        let number = usize::from(number);
        (self.firsts[number], self.bits[number])
    }
}

/// Divides the numbers from `first` to `last` into blocks, the widest first. The last may reach beyond. `first` is a multiple of every power of two that
/// fits in between, so each block begins at a multiple of its width.
fn add_blocks(first: u64, last: u64, share: f64, blocks: &mut Vec<(f64, Outcome)>) {
    let count = u128::from(last - first) + 1;
    let (mut next, mut left) = (u128::from(first), count);
    for place in 1..=MOST_BLOCKS {
        let width = if place < MOST_BLOCKS { 1 << left.ilog2() } else { left.next_power_of_two() };
        let used = left.min(width);
        blocks.push((share * (used as f64 / count as f64), (next as u64, (width - 1) as u64)));
        next += width;
        left -= used;
        if left == 0 {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Items {
        /// Everything that may be drawn, and how likely.
        fn chances(&self) -> Vec<(f64, Outcome)> {
            let part = 1.0 / PLACES as f64;
            let mut chances: Vec<(f64, Outcome)> = self.places.iter().map(|place| (part, self.block(*place))).collect();
            let rest = chances.iter().filter(|(_, block)| *block == REST).count() as f64 * part;
            chances.retain(|(_, block)| *block != REST);
            chances.extend(self.rest.chances().into_iter().map(|(chance, block)| (chance * rest, block)));
            chances
        }

        fn draw_many(&self, count: usize, rng: &mut Rng) -> Vec<u64> {
            (0..count).map(|_| self.draw(rng)).collect()
        }
    }

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
    fn items_are_as_likely_as_they_should_be() {
        let wide = [u64::from(u32::MAX), 1 << 32, (1 << 61) + 12345, u64::MAX - 1, u64::MAX];
        for max in [1, 7, 8, 9, 63, 64, 94, 255, 256, 1000].into_iter().chain(wide) {
            let items = Items::new(max, Law::Uniform, &shared_with_near(&counts(), 2.0), 2.0).unwrap();
            let indices = (0..=max.min(1000)).chain([max / 2, max - 1, max]);
            for index in indices {
                let mut likely = 0.0;
                for (chance, (first, bits)) in items.chances() {
                    if index & !bits == first && chance > 0.0 {
                        let beyond = (first | bits).saturating_sub(max);
                        likely += chance / (u128::from(bits - beyond) + 1) as f64;
                    }
                }
                let wanted = chance(index, max, &counts(), 2.0);
                // But for one in 2^32, since no more bits say which block it is.
                let most = wanted * 1e-6 + 2f64.powi(-32);
                assert!((likely - wanted).abs() < most, "{index} up to {max}: {likely} and not {wanted}");
            }
        }
    }

    #[test]
    fn numbers_are_drawn_as_often_as_they_should_be_alone_and_as_items() {
        const DRAWN: usize = 200_000;
        for (max, law) in [(9, Law::Uniform), (94, Law::Uniform), (20, Law::Mixed)] {
            let counts = &counts()[..70.min(max as usize)];
            let mut ranges = Ranges::new(counts, 2.0, false);
            let mut alone = Rng::new(5);
            let one_by_one: Vec<u64> =
                (0..DRAWN).map(|_| ranges.draw(max, &mut alone, |rng| law.draw(max, rng))).collect();
            let (items, mut rng) = (ranges.items(max, &law).unwrap(), Rng::new(6));
            let drawn = items.draw_many(DRAWN, &mut rng);
            for index in 0..=max {
                let wanted = match law {
                    Law::Uniform => chance(index, max, counts, 2.0),
                    // Here the generator's own chances are others: those of its own law.
                    _ => {
                        let own = 2.0 / (counts.iter().sum::<f64>() + 2.0);
                        let mut rng = Rng::new(7);
                        let drawn = (0..DRAWN).filter(|_| law.draw(max, &mut rng) == index).count() as f64;
                        let evenly = own / (max + 1) as f64;
                        chance(index, max, counts, 2.0) - evenly + own * drawn / DRAWN as f64
                    }
                };
                for drawn in [&one_by_one, &drawn] {
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
            for law in [Law::Uniform, Law::Mixed] {
                let mut ranges = Ranges::new(&counts(), 50.0, false);
                let mut rng = Rng::new(max);
                let mut drawn: Vec<u64> =
                    (0..5000).map(|_| ranges.draw(max, &mut rng, |rng| law.draw(max, rng))).collect();
                let items = ranges.items(max, &law).unwrap();
                drawn.extend(items.draw_many(5000, &mut rng));
                assert!(drawn.iter().all(|index| *index <= max));
                assert!(drawn.iter().any(|index| *index > max / 2));
            }
        }
    }

    #[test]
    fn half_a_random_number_is_enough_for_many_numbers_and_divided_evenly() {
        let third = u64::from(u32::MAX) / 3;
        let drawn =
            [3, third, third + 1, 2 * third + 1, u64::from(u32::MAX)].map(|random| quickly_between(5, 7, random));
        assert_eq!(drawn, [Some(5), Some(5), None, None, Some(7)]);
        assert_eq!(quickly_between(0, 1 << 32, 1 << 31), None);
        // Of those that may be left over one is.
        let mut rng = Rng::new(1);
        assert_eq!([third + 1, 2 * third + 1].map(|random| between(5, 7, random, &mut rng)), [6, 7]);
        assert_eq!(between(5, 7, 0, &mut rng), 5 + Rng::new(1).at_most(2));
        // Every number that is a multiple of three would be drawn twice as often as the others if none was left over.
        let mut counts = [0u32; 3];
        for _ in 0..30_000 {
            let random = rng.next();
            counts[(between(0, (3 << 30) - 1, random, &mut rng) % 3) as usize] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 400), "{counts:?}");
    }

    #[test]
    fn what_is_drawn_quickly_is_what_is_drawn() {
        for (max, seed) in [9, 94, 1000, 1 << 40, u64::MAX].into_iter().zip(0..) {
            let ranges = Ranges::new(&counts()[..75], 20.0, false);
            let (mut rng, mut quick) = (Rng::new(seed), 0);
            for _ in 0..1000 {
                let mut same = rng.clone();
                let drawn = ranges.draw_quickly(max, &mut same);
                let index = ranges.draw(max, &mut rng, |rng| rng.at_most(max));
                if drawn.is_some() {
                    assert_eq!((drawn, same.next()), (Some(index), rng.clone().next()));
                    quick += 1;
                }
            }
            assert!((50..1000).contains(&quick), "{quick} up to {max}");
        }
    }

    #[test]
    fn what_is_drawn_does_not_hang_on_what_was_drawn_before() {
        let mut ranges = Ranges::new(&counts(), 2.0, false);
        let mut draw = |max, seed| {
            let (items, mut rng) = (ranges.items(max, &Law::Uniform).unwrap(), Rng::new(seed));
            let items = items.draw_many(20, &mut rng);
            (items, ranges.draw(max, &mut rng, |rng| rng.at_most(max)))
        };
        let first = draw(94, 1);
        for seed in 0..100 {
            draw(seed + 1, seed);
        }
        assert_eq!(draw(94, 1), first);
    }
}
