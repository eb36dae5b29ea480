/// Shares of which one is drawn with 32 random bits and without a search: the alias method. What is
/// drawn are two numbers that say what the share is for. The bits are the upper half of a random
/// number; the lower half has no say, and may be used for something else.
///
/// The random numbers are divided into slots of the same size, and each slot between two outcomes
/// at most. Sizes are whole numbers that add up exactly, so an outcome is drawn just as often as
/// its part of the slots says.
#[derive(Debug)]
pub(super) struct Alias {
    /// Below which random number in a slot it is the first of its outcomes. The lower half is 0.
    limits: [u64; SLOTS],
    /// Two outcomes for each slot: the first number of each, and the second.
    firsts: [u64; 2 * SLOTS],
    seconds: [u64; 2 * SLOTS],
}

pub(super) type Outcome = (u64, u64);

/// There are at most as many shares.
pub(super) const SLOTS: usize = 128;
/// How many random numbers of 32 bits are in a slot, and in all of them.
const SIZE: u64 = WHOLE / SLOTS as u64;
const WHOLE: u64 = 1 << 32;

impl Alias {
    /// Draws each outcome as often as its share says. `None` if there is nothing to draw: no share
    /// is positive.
    pub(super) fn new(shares: &[(f64, Outcome)]) -> Option<Alias> {
        let mut total = 0.0;
        for (share, _) in shares {
            total += share;
        }
        // The random numbers of each outcome that are not in a slot yet.
        let mut left = [0u64; SLOTS];
        let (mut sum, mut largest) = (0, 0);
        for (place, (share, _)) in shares.iter().enumerate() {
            if *share > 0.0 {
                left[place] = ((share / total * WHOLE as f64) as u64).max(1);
                sum += left[place];
            }
            if left[place] > left[largest] {
                largest = place;
            }
        }
        if sum == 0 {
            return None;
        }
        // Rounding left some over, or took a few too many. The largest notices it least.
        left[largest] = left[largest] + WHOLE - sum;
        Some(divided(left, shares))
    }

    /// The outcome that a random number stands for.
    #[inline(always)]
    pub(super) fn outcome(&self, random: u64) -> Outcome {
        let slot = (random >> (u64::BITS - SLOTS.trailing_zeros())) as usize;
        let outcome = 2 * slot + usize::from(random >= self.limits[slot]);
        (self.firsts[outcome], self.seconds[outcome])
    }

    fn set(&mut self, outcome: usize, (first, second): Outcome) {
        self.firsts[outcome] = first;
        self.seconds[outcome] = second;
    }
}

/// Gives each outcome a slot. One that does not fill its slot shares it with one that does not fit
/// into its own.
fn divided(mut left: [u64; SLOTS], shares: &[(f64, Outcome)]) -> Alias {
    let mut alias = Alias { limits: [0; SLOTS], firsts: [0; 2 * SLOTS], seconds: [0; 2 * SLOTS] };
    let (mut small, mut large) = (Vec::with_capacity(SLOTS), Vec::with_capacity(SLOTS));
    for (place, left) in left.iter().enumerate() {
        if *left < SIZE { small.push(place) } else { large.push(place) }
    }
    for slot in 0..SLOTS {
        // Nothing is lost on the way, so where one is too small another is too large; at the end
        // they all fit.
        let Some(other) = large.last().copied() else { break };
        alias.set(2 * slot + 1, shares[other].1);
        let Some(one) = small.pop() else {
            large.pop();
            continue;
        };
        if left[one] > 0 {
            alias.limits[slot] = (slot as u64 * SIZE + left[one]) << 32;
            alias.set(2 * slot, shares[one].1);
        }
        left[other] -= SIZE - left[one];
        if left[other] < SIZE {
            large.pop();
            small.push(other);
        }
    }
    alias
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Rng;

    impl Alias {
        /// Everything that may be drawn, and how likely.
        pub(in super::super) fn chances(&self) -> Vec<(f64, Outcome)> {
            let mut chances = Vec::new();
            for slot in 0..SLOTS {
                let below = (self.limits[slot] >> 32).saturating_sub(slot as u64 * SIZE);
                for (units, side) in [(below, 0), (SIZE - below, 1)] {
                    let outcome = (self.firsts[2 * slot + side], self.seconds[2 * slot + side]);
                    chances.push((units as f64 / WHOLE as f64, outcome));
                }
            }
            chances
        }
    }

    /// How many of all random numbers draw an outcome.
    fn units(alias: &Alias, wanted: Outcome) -> u64 {
        let chances = alias.chances().into_iter().filter(|(_, outcome)| *outcome == wanted);
        chances.map(|(chance, _)| (chance * WHOLE as f64) as u64).sum()
    }

    fn alias_of(shares: &[f64]) -> Option<Alias> {
        let shares: Vec<(f64, Outcome)> = (1..).zip(shares).map(|(place, share)| (*share, (place, 0))).collect();
        Alias::new(&shares)
    }

    #[test]
    fn every_outcome_has_its_share_of_the_random_numbers() {
        let mut rng = Rng::new(7);
        for count in 1..=SLOTS {
            let share = |rng: &mut Rng| if rng.at_most(3) == 0 { 0.0 } else { rng.at_most(1000) as f64 };
            let shares: Vec<f64> = (0..count).map(|_| share(&mut rng)).collect();
            let total: f64 = shares.iter().sum();
            let Some(alias) = alias_of(&shares) else {
                assert_eq!(total, 0.0);
                continue;
            };
            let mut sum = 0;
            for (place, share) in (1..).zip(&shares) {
                let (units, wanted) = (units(&alias, (place, 0)), share / total * WHOLE as f64);
                sum += units;
                // One is rounded away of each.
                assert!((units as f64 - wanted).abs() <= count as f64, "{place} of {shares:?}: {units}, not {wanted}");
                assert_eq!(units == 0, *share == 0.0);
            }
            assert_eq!(sum, WHOLE);
        }
    }

    #[test]
    fn what_is_drawn_is_what_the_slots_say() {
        let alias = alias_of(&[1.0, 0.0, 5.0, 2.0, 0.5]).unwrap();
        let (mut rng, mut counts) = (Rng::new(3), [0u32; 5]);
        for _ in 0..85_000 {
            counts[alias.outcome(rng.next()).0 as usize - 1] += 1;
        }
        for (count, wanted) in counts.iter().zip([10_000u32, 0, 50_000, 20_000, 5_000]) {
            assert!(count.abs_diff(wanted) <= wanted / 20, "{counts:?}");
        }
    }

    #[test]
    fn the_only_outcome_and_a_very_rare_one_are_drawn() {
        let only = alias_of(&[0.0, 3.0]).unwrap();
        assert!([0, 12345, u64::MAX].into_iter().all(|random| only.outcome(random) == (2, 0)));
        assert_eq!(units(&alias_of(&[1.0, 1e-300]).unwrap(), (2, 0)), 1);
        assert!(alias_of(&[0.0]).is_none());
    }
}
