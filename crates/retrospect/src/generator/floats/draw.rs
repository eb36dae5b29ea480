//! How floats are drawn at random.

use super::order::{Format, Scope, is_between, unscaled};
use crate::generator::ranged::Spread;
use crate::generator::skew::Skew;
use crate::source::{Distribution, Rng};

impl Scope {
    #[inline(always)]
    pub(super) fn draw_by(&self, spread: Spread, rng: &mut Rng) -> f64 {
        match spread {
            Spread::Even => self.draw_even(rng),
            Spread::Skewed(skew) => self.draw_skewed(skew, rng),
            _ => self.draw_usual(rng),
        }
    }

    /// Evenly over the numbers between the ends, if there is an end to them.
    #[inline(always)]
    pub(super) fn draw_even(&self, rng: &mut Rng) -> f64 {
        let width = self.high - self.low;
        if !width.is_finite() {
            return self.draw_wide(rng);
        }
        self.even_at(rng.next() >> 11, width)
    }

    /// The same for one of [`SHARES`](crate::generator::skew::SHARES) random numbers. It does not
    /// fall.
    #[inline(always)]
    pub(super) fn even_at(&self, share: u64, width: f64) -> f64 {
        let share = share as f64 * (1.0 / (1u64 << 53) as f64);
        let value = self.format.rounded(self.low + share * width);
        if value > self.high { self.high } else { value }
    }

    /// Mostly evenly; the ends, their neighbours and simple numbers more often. See [`floats`].
    #[inline]
    pub(super) fn draw_usual(&self, rng: &mut Rng) -> f64 {
        let width = self.high - self.low;
        if width.is_nan() || width >= WIDEST_EVEN {
            return self.draw_wide(rng);
        }
        let dice = rng.next();
        let value = match dice & 15 {
            0 | 1 => self.near_an_end(dice >> 4),
            2 | 3 => {
                let max = self.count().saturating_sub(1).min(100) as u64;
                self.at(Distribution::Mixed.draw(max, rng)).unwrap_or(self.low)
            }
            _ => self.draw_even(rng),
        };
        if self.has(value) { value } else { self.draw_wide(rng) }
    }

    #[inline]
    pub(super) fn near_an_end(&self, dice: u64) -> f64 {
        let (end, inward) = if dice & 1 == 0 { (self.low, 1.0) } else { (self.high, -1.0) };
        let value = match (dice >> 1) & 3 {
            0 if inward > 0.0 => end.next_up(),
            0 => end.next_down(),
            _ => end,
        };
        self.format.rounded(value)
    }

    /// From a range that is too wide to be spread over evenly: any float that fits.
    #[inline]
    pub(super) fn draw_wide(&self, rng: &mut Rng) -> f64 {
        for _ in 0..MOST_TRIES {
            let value = self.draw_any(rng);
            if self.has(value) {
                return value;
            }
            if self.has(-value) {
                return -value;
            }
        }
        // A narrow place among the large or the small numbers: evenly over the floats.
        let Some((low, high)) = self.finite_ends() else { return self.at(0).unwrap_or(self.low) };
        let (low, high) = (self.format.key(low), self.format.key(high));
        let value = self.format.at_key(low + i128::from(rng.at_most((high - low) as u64)));
        if self.has(value) { value } else { self.at(0).unwrap_or(f64::NAN) }
    }

    /// Near the origin, or far from it. As with integers, both sides are alike until one of them is
    /// used up. Distances are those of the numbers or, in a range whose width is no float, those of
    /// the floats: how many lie between.
    pub(super) fn draw_skewed(&self, skew: Skew, rng: &mut Rng) -> f64 {
        let (share, dice) = (skew.draw(rng), rng.next());
        self.skewed_at(share, dice & 1 == 0)
    }

    #[inline(always)]
    fn origin_within(&self) -> f64 {
        if is_between(self.origin, self.low, self.high) { self.origin } else { self.at(0).unwrap_or(self.low) }
    }

    /// Up to which share both sides of the origin are alike.
    pub(super) fn alike_up_to(&self) -> f64 {
        let origin = self.origin_within();
        let (below, above) = match (self.high - self.low).is_finite() {
            true => (origin - self.low, self.high - origin),
            false => {
                let [low, middle, high] = [self.low, origin, self.high].map(|value| self.format.key(value));
                ((middle - low) as f64, (high - middle) as f64)
            }
        };
        2.0 * below.min(above) / (below + above)
    }

    #[inline(always)]
    pub(super) fn skewed_at(&self, share: f64, is_up: bool) -> f64 {
        let origin = self.origin_within();
        let width = self.high - self.low;
        // How far, and whether up.
        let away = |below: f64, above: f64| {
            let (both, far) = (below.min(above), share * (below + above));
            if far <= 2.0 * both { (far / 2.0, is_up) } else { (far - both, above > below) }
        };
        let value = if width.is_finite() {
            let (distance, is_up) = away(origin - self.low, self.high - origin);
            self.format.rounded(if is_up { origin + distance } else { origin - distance })
        } else {
            let [low, middle, high] = [self.low, origin, self.high].map(|value| self.format.key(value));
            let (distance, is_up) = away((middle - low) as f64, (high - middle) as f64);
            let distance = distance as i128;
            self.format.at_key(if is_up { (middle + distance).min(high) } else { (middle - distance).max(low) })
        };
        // -0.0 may lie outside of where 0.0 lies.
        match value {
            value if self.has(value) => value,
            value if value > origin => self.high,
            value if value < origin => self.low,
            _ => origin,
        }
    }

    /// The mixture that [`floats`] documents. How likely each number is, `chance.rs` works out from
    /// what stands here.
    #[inline]
    pub(super) fn draw_any(&self, rng: &mut Rng) -> f64 {
        let dice = rng.next();
        let format = self.format;
        // A number of at most that many bits, each number of bits as likely.
        let by_bits = |most: u32, dice: u64, rng: &mut Rng| {
            let bits = (((dice >> 32) * u64::from(most)) >> 32) as u32 + 1;
            rng.next() >> (64 - bits)
        };
        let magnitude = match dice & 31 {
            0..=3 => rng.at_most(SMALL) as f64,
            4..=8 => by_bits(format.digits, dice, rng) as f64,
            9..=16 => {
                let number = by_bits(format.digits, dice, rng) as i64;
                unscaled(number, rng.at_most(MOST_PLACES - 1) as u32 + 1)
            }
            17..=21 => {
                let decimals = DECIMALS[(dice >> 5) as usize & 3];
                format.rounded(by_bits(DECIMAL_BITS, dice, rng) as f64 / decimals)
            }
            22..=26 => format.number_at(rng.at_most(format.infinity - 1)),
            27..=30 => format.boundary_at((dice >> 5) as usize & 31),
            _ if (dice >> 5) & 3 == 0 => f64::NAN,
            _ => f64::INFINITY,
        };
        if dice >> 31 & 1 == 0 { magnitude } else { -magnitude }
    }
}

/// The largest of the small whole numbers, the most places after the point, and what decimal
/// fractions are made of.
pub(super) const SMALL: u64 = 20;
pub(super) const MOST_PLACES: u64 = 24;
pub(super) const DECIMALS: [f64; 4] = [10.0, 100.0, 1000.0, 1_000_000.0];
pub(super) const DECIMAL_BITS: u32 = 20;
/// How many numbers are drawn to find one that fits.
pub(super) const MOST_TRIES: i32 = 32;

impl Format {
    /// Numbers next to which something changes, for an index below 32. Every second one is 0, 1,
    /// the greatest or the least normal number, and mostly 0: `-0.0` is no other number, and the
    /// one that is forgotten most.
    #[inline]
    pub(super) fn boundary_at(&self, index: usize) -> f64 {
        match index {
            0..16 => self.boundaries()[index],
            16..24 => 0.0,
            24..28 => 1.0,
            28..30 => self.greatest,
            _ => self.least_normal,
        }
    }

    #[inline]
    fn boundaries(&self) -> [f64; 16] {
        let limit = self.whole_limit() as f64;
        [
            0.0,
            1.0,
            self.greatest,
            self.number_at(self.to_bits(self.greatest) - 1),
            self.least_normal,
            self.number_at(self.to_bits(self.least_normal) - 1),
            self.number_at(1),
            self.epsilon,
            1.0 + self.epsilon,
            1.0 - self.epsilon / 2.0,
            limit - 1.0,
            limit,
            limit + 2.0,
            i32::MAX as f64 + 1.0,
            i64::MAX as f64,
            u64::MAX as f64,
        ]
    }

    /// The place of a number among all floats in the order of their size.
    pub(super) fn key(&self, value: f64) -> i128 {
        let bits = self.to_bits(value);
        if bits & self.sign == 0 { i128::from(bits) } else { -i128::from(bits & !self.sign) - 1 }
    }

    fn at_key(&self, key: i128) -> f64 {
        self.number_at(if key >= 0 { key as u64 } else { self.sign | (-(key + 1)) as u64 })
    }
}

/// A range wider than this is not spread over evenly: all its numbers would be large.
pub(super) const WIDEST_EVEN: f64 = (1u64 << 32) as f64;
