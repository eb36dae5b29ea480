//! How a distribution is bent towards the origin of a range or away from it.

use crate::source::{Chance, CustomDistribution, Distribution, Rng};

/// A skew, kept as bits so that it can be compared. It is a finite number when it is asked for
/// anything.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skew(u64);

impl Skew {
    #[inline]
    pub(super) fn new(skew: f64) -> Skew {
        Skew(skew.to_bits())
    }

    #[inline]
    pub(super) fn get(self) -> f64 {
        f64::from_bits(self.0)
    }

    #[inline]
    pub(super) fn bits(self) -> u64 {
        self.0
    }

    #[inline]
    pub(super) fn from_bits(bits: u64) -> Skew {
        Skew(bits)
    }

    /// How far from the origin, from 0 to less than 1.
    ///
    /// With p = |skew| + 1 the curve is x^p + (1 - y)^p = 1: a quarter of a circle that is the more
    /// bent the larger p is, and straight for p = 1. Read one way it stays near 0 for long; the
    /// other way, for a negative skew, it leaves 0 at once.
    #[inline]
    pub(super) fn draw(self, rng: &mut Rng) -> f64 {
        self.at(rng.next() >> 11)
    }

    /// The same for one of [`SHARES`] random numbers. It does not fall, but for the last digits.
    #[inline(always)]
    pub(super) fn at(self, share: u64) -> f64 {
        let (skew, share) = (self.get(), share as f64 * (1.0 / SHARES as f64));
        let power = skew.abs() + 1.0;
        let bent = match skew {
            0.0 => share,
            // Where the curve is flat, 1 - (1 - x)^(1/p) loses all digits; there it is x/p.
            skew if skew > 0.0 => {
                let raised = pow(share, power);
                if raised < 1e-9 { raised / power } else { 1.0 - pow(1.0 - raised, 1.0 / power) }
            }
            _ => pow(1.0 - pow(1.0 - share, power), 1.0 / power),
        };
        // Rounding may lead to 1.
        bent.clamp(0.0, 1.0 - f64::EPSILON / 2.0)
    }

    /// The distribution of an index, 0 being the origin. How likely each is cannot be said to the
    /// last digit: the curve is one of rounded numbers.
    #[inline]
    pub(super) fn distribution(self) -> Distribution {
        Distribution::Custom(CustomDistribution {
            draw: draw_index,
            parameters: [self.0, 0, 0, 0],
            chance: Some(chance_of_index),
        })
    }

    /// The index, as far as the digits of a float reach.
    #[inline(always)]
    fn index_at(self, share: u64, max: u64) -> u64 {
        (self.at(share) * (max as f64 + 1.0)) as u64
    }
}

/// By how many random numbers a skew is drawn.
pub(super) const SHARES: u64 = 1 << 53;

/// How many of the numbers from `first` up to `end` come before the first for which something
/// holds, and then does so for all that follow.
pub(super) fn first_where(first: u64, end: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (first, end);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low - first
}

fn draw_index(max: u64, [skew, ..]: [u64; 4], rng: &mut Rng) -> u64 {
    let index = Skew(skew).index_at(rng.next() >> 11, max);
    // A float has 53 digits. What is beyond them in a large index is up to chance.
    match index >> 52 {
        0 => index.min(max),
        beyond => index.saturating_add(rng.at_most(beyond)).min(max),
    }
}

/// How many of all random numbers give an index: the curve rises, so that they lie between two that
/// are searched for.
fn chance_of_index(index: u64, max: u64, [skew, ..]: [u64; 4]) -> Option<Chance> {
    let below = |bound: u64| first_where(0, SHARES, |share| Skew(skew).index_at(share, max) >= bound);
    let up_to = |float: u64| float.checked_add(1).map_or(SHARES, below);
    // A large index is a float that is drawn, and some more.
    let mut float = index;
    // What would be above the last is the last.
    let mut sum = if index == max { (SHARES - up_to(max)) as f64 } else { 0.0 };
    loop {
        let unseen = (u64::BITS - float.leading_zeros()).saturating_sub(f64::MANTISSA_DIGITS);
        float = float >> unseen << unseen;
        let beyond = float >> 52;
        if float.saturating_add(beyond) < index {
            break;
        }
        let fitting = if index == max { u128::from(float) + u128::from(beyond) - u128::from(index) + 1 } else { 1 };
        sum += (up_to(float) - below(float)) as f64 * fitting as f64 / (beyond + 1) as f64;
        match float.checked_sub(1) {
            Some(before) => float = before,
            None => break,
        }
    }
    Some(Chance::rounded(sum / SHARES as f64))
}

/// `base`, from 0 to 1, to a positive power. That of `std` may differ from platform to platform in
/// the last digit; this is the same everywhere, since adding, multiplying and dividing are.
fn pow(base: f64, power: f64) -> f64 {
    if base <= 0.0 {
        return 0.0;
    }
    exp(power * ln(base))
}

/// The natural logarithm of a positive number: of its power of two, and of the rest, which is near
/// 1, by ln x = 2 artanh((x - 1) / (x + 1)).
fn ln(number: f64) -> f64 {
    const TWO_TO_54: f64 = (1u64 << 54) as f64;
    if number < f64::MIN_POSITIVE {
        return ln(number * TWO_TO_54) - 54.0 * std::f64::consts::LN_2;
    }
    let bits = number.to_bits();
    let mut exponent = (bits >> 52) as i32 - 1023;
    let mut rest = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if rest > std::f64::consts::SQRT_2 {
        rest /= 2.0;
        exponent += 1;
    }
    let quotient = (rest - 1.0) / (rest + 1.0);
    let square = quotient * quotient;
    let mut sum = 0.0;
    for odd in (0..=11).rev() {
        sum = sum * square + 1.0 / f64::from(2 * odd + 1);
    }
    f64::from(exponent) * std::f64::consts::LN_2 + 2.0 * quotient * sum
}

/// e to a power that is not positive, or hardly so: by halving the power until the first terms are
/// enough, and squaring as often.
fn exp(power: f64) -> f64 {
    if power < -745.0 {
        return 0.0;
    }
    let twos = (power / std::f64::consts::LN_2).round();
    let rest = power - twos * std::f64::consts::LN_2;
    let mut sum = 1.0;
    for term in (1..=16).rev() {
        sum = 1.0 + sum * rest / f64::from(term);
    }
    // In two steps: the power of two of a subnormal number is none itself.
    let half = (twos / 2.0).floor() as i32;
    let two_to = |exponent: i32| f64::from_bits(((1023 + exponent) as u64) << 52);
    sum * two_to(half) * two_to(twos as i32 - half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_those_of_std_but_for_the_last_digits() {
        let mut rng = Rng::new(1);
        for _ in 0..10_000 {
            let base = (rng.next() >> 11) as f64 / (1u64 << 53) as f64;
            for power in [1.0, 0.5, 2.5, 1.0 / 2.5, 17.0, 1.0 / 101.0, 400.0] {
                let (ours, theirs) = (pow(base, power), base.powf(power));
                assert!((ours - theirs).abs() <= 1e-12 * theirs + 1e-300, "{base} {power}: {ours} {theirs}");
            }
        }
        assert_eq!((pow(0.0, 3.0), pow(1.0, 3.0)), (0.0, 1.0));
    }

    #[test]
    fn a_skew_bends_and_its_negative_bends_the_other_way() {
        let mean = |skew: f64| {
            let mut rng = Rng::new(7);
            (0..20_000).map(|_| Skew::new(skew).draw(&mut rng)).sum::<f64>() / 20_000.0
        };
        let means = [10.0, 2.0, 0.5, 0.0, -0.5, -2.0, -10.0].map(mean);
        assert!(means.is_sorted(), "{means:?}");
        assert!((means[3] - 0.5).abs() < 0.02, "{means:?}");
        for (bent, other) in means.iter().zip(means.iter().rev()) {
            assert!((bent + other - 1.0).abs() < 0.02, "{means:?}");
        }
    }

    #[test]
    fn every_skew_keeps_to_the_bound() {
        for skew in [0.0, 1e-300, 1.0, -1.0, -2.0, 1e3, -1e3, f64::MAX, f64::MIN] {
            for max in [0, 1, 9, u64::MAX - 1, u64::MAX] {
                let mut rng = Rng::new(3);
                assert!((0..1000).all(|_| Skew::new(skew).distribution().draw(max, &mut rng) <= max), "{skew} {max}");
            }
        }
    }
}
