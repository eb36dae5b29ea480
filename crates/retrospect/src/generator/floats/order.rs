//! The order of floats: by how simple they are.
//!
//! A float other than a NaN is an odd number times a power of two in exactly one way, and the power
//! says how simple it is: 3 needs no bit after the point, 0.5 one, 0.3 fifty-four. So the order is
//!
//! 1. the whole numbers up to 2^53, as integers are ordered: 0, 1, -1, 2, -2, …
//! 2. -0.0
//! 3. the fractions with one bit after the point (0.5, -0.5, 1.5, -1.5, …), then those with two
//!    (0.25, -0.25, 0.75, …), and so on to the subnormal numbers with 1074
//! 4. the numbers above 2^53, by magnitude, positive and negative in turn
//! 5. infinity, -infinity
//! 6. the NaNs: the usual one first, then the others by their bits
//!
//! Within a range the order is the same with everything outside left out, and the index counts what
//! is left: each of these groups meets a range in an interval whose length is plain arithmetic. For
//! `f32` it is the same with 24 bits instead of 53. Since every `f32` is an `f64`, one piece of
//! code, in `f64`, serves both.

use std::cmp::Ordering;

/// The figures of a floating-point format.
#[doc(hidden)]
#[derive(Debug)]
pub struct Format {
    /// The digits of a number, in bits.
    pub(super) digits: u32,
    /// The most bits after the point that a number has, and the most that only normal numbers have.
    pub(super) most_places: u32,
    pub(super) normal_places: u32,
    /// The bits of infinity.
    pub(super) infinity: u64,
    pub(super) sign: u64,
    pub(super) greatest: f64,
    pub(super) least_normal: f64,
    pub(super) epsilon: f64,
}

pub(super) static F64: Format = Format {
    digits: 53,
    most_places: 1074,
    normal_places: 1022,
    infinity: 0x7FF0_0000_0000_0000,
    sign: 1 << 63,
    greatest: f64::MAX,
    least_normal: f64::MIN_POSITIVE,
    epsilon: f64::EPSILON,
};

pub(super) static F32: Format = Format {
    digits: 24,
    most_places: 149,
    normal_places: 126,
    infinity: 0x7F80_0000,
    sign: 1 << 31,
    greatest: f32::MAX as f64,
    least_normal: f32::MIN_POSITIVE as f64,
    epsilon: f32::EPSILON as f64,
};

impl Format {
    /// Up to here every whole number is a float.
    pub(super) const fn whole_limit(&self) -> i64 {
        1 << self.digits
    }

    #[inline]
    pub(super) fn to_bits(&self, value: f64) -> u64 {
        if self.digits == 53 { value.to_bits() } else { u64::from((value as f32).to_bits()) }
    }

    #[inline]
    pub(super) fn number_at(&self, bits: u64) -> f64 {
        if self.digits == 53 { f64::from_bits(bits) } else { f64::from(f32::from_bits(bits as u32)) }
    }

    #[inline]
    pub(super) fn rounded(&self, value: f64) -> f64 {
        if self.digits == 53 { value } else { f64::from(value as f32) }
    }

    /// The NaNs of one sign.
    #[inline]
    pub(super) fn nans_per_sign(&self) -> u64 {
        self.sign - self.infinity - 1
    }

    #[inline]
    pub(super) fn usual_nan(&self) -> u64 {
        self.infinity | (1 << (self.digits - 2))
    }

    #[inline]
    pub(super) fn nan_index(&self, bits: u64) -> u64 {
        let rank = |bits: u64| {
            let is_negative = bits & self.sign != 0;
            (bits & !self.sign) - self.infinity - 1 + if is_negative { self.nans_per_sign() } else { 0 }
        };
        let (rank, usual) = (rank(bits), rank(self.usual_nan()));
        match rank.cmp(&usual) {
            Ordering::Equal => 0,
            Ordering::Less => rank + 1,
            Ordering::Greater => rank,
        }
    }

    #[inline]
    pub(super) fn nan_at(&self, index: u64) -> u64 {
        let usual = self.usual_nan() - self.infinity - 1;
        let rank = match index {
            0 => usual,
            index if index <= usual => index - 1,
            index => index,
        };
        match rank.checked_sub(self.nans_per_sign()) {
            Some(rank) => self.sign | (self.infinity + 1 + rank),
            None => self.infinity + 1 + rank,
        }
    }
}

/// Consecutive whole numbers, ordered as integers are: from the one nearest to the origin outward,
/// up first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    first: i64,
    last: i64,
    /// 0 unless something else was said. It may lie outside.
    origin: i64,
}

impl Interval {
    pub(super) const EMPTY: Interval = Interval { first: 0, last: -1, origin: 0 };

    #[inline]
    pub(super) fn count(self) -> u64 {
        if self.first > self.last { 0 } else { (self.last - self.first) as u64 + 1 }
    }

    #[inline]
    pub(super) fn origin(self) -> i64 {
        self.origin.clamp(self.first, self.last)
    }

    #[inline]
    pub(super) fn index_of(self, number: i64) -> u64 {
        let origin = self.origin();
        let both = (origin - self.first).min(self.last - origin);
        let distance = (number - origin).abs();
        let index = match number >= origin {
            _ if distance > both => both + distance,
            true => (2 * distance - 1).max(0),
            false => 2 * distance,
        };
        index as u64
    }

    #[inline]
    pub(super) fn at(self, index: u64) -> i64 {
        let origin = self.origin();
        let (below, above) = (origin - self.first, self.last - origin);
        let both = below.min(above) as u64;
        let (distance, up) = if index <= 2 * both {
            (index.div_ceil(2) as i64, index & 1 == 1)
        } else {
            ((index - both) as i64, above > below)
        };
        if up { origin + distance } else { origin - distance }
    }
}

/// Which floats there are: those between two ends, without what is left out, and perhaps NaN. None
/// of the ends is NaN.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    pub(super) format: &'static Format,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) has_nan: bool,
    pub(super) has_infinities: bool,
    pub(super) has_subnormals: bool,
    /// The simplest float, which is 0 unless something else was said; see
    /// [`index_from_origin`](Scope::index_from_origin).
    pub(super) origin: f64,
}

/// -0.0 lies below 0.0 here.
#[inline(always)]
pub(super) fn is_between(value: f64, low: f64, high: f64) -> bool {
    low.total_cmp(&value) != Ordering::Greater && value.total_cmp(&high) != Ordering::Greater
}

#[inline]
pub(super) fn is_negative_zero(value: f64) -> bool {
    value == 0.0 && value.is_sign_negative()
}

/// 2 to the power of `exponent`, which is that of a normal number.
#[inline]
pub(super) fn power(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// `value` times 2 to the power of `places`: exact, or infinite. In two steps since the power
/// itself may be too large.
#[inline]
pub(super) fn scaled(value: f64, places: u32) -> f64 {
    let half = places as i32 / 2;
    value * power(half) * power(places as i32 - half)
}

/// The inverse of [`scaled`] for what is a float.
#[inline]
pub(super) fn unscaled(number: i64, places: u32) -> f64 {
    let half = places as i32 / 2;
    number as f64 * power(-half) * power(half - places as i32)
}

/// The odd number and the places after the point of a fraction.
#[inline]
pub(super) fn odd_number(value: f64) -> (i64, u32) {
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7FF) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (number, exponent) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let zeros = number.trailing_zeros();
    let number = (number >> zeros) as i64;
    (if value < 0.0 { -number } else { number }, -(exponent + zeros as i32) as u32)
}

impl Scope {
    #[inline(always)]
    pub(super) fn between(format: &'static Format, low: f64, high: f64) -> Scope {
        Scope { format, low, high, has_nan: false, has_infinities: true, has_subnormals: true, origin: 0.0 }
    }

    #[inline]
    pub(super) fn has(&self, value: f64) -> bool {
        if value.is_nan() {
            return self.has_nan;
        }
        let is_left_out = (!self.has_infinities && value.is_infinite())
            || (!self.has_subnormals && value != 0.0 && value.abs() < self.format.least_normal);
        !is_left_out && is_between(value, self.low, self.high)
    }

    #[inline]
    pub(super) fn finite_ends(&self) -> Option<(f64, f64)> {
        let greatest = self.format.greatest;
        let has_finite = self.low < f64::INFINITY && self.high > f64::NEG_INFINITY;
        has_finite.then(|| (self.low.max(-greatest), self.high.min(greatest)))
    }

    #[inline]
    pub(super) fn whole(&self) -> Interval {
        let Some((low, high)) = self.finite_ends() else { return Interval::EMPTY };
        let limit = self.format.whole_limit();
        // Casts saturate, so what lies beyond the limit stays there.
        let last = if is_negative_zero(high) { -1 } else { high.floor() as i64 };
        Interval { first: (low.ceil() as i64).max(-limit), last: last.min(limit), origin: self.origin.round() as i64 }
    }

    #[inline]
    pub(super) fn negative_zero(&self) -> u64 {
        u64::from(is_between(-0.0, self.low, self.high))
    }

    /// The odd numbers that with `places` bits after the point lie between the ends. Number 2t + 1
    /// stands at -t: 1 at 0, -1 at 1, 3 at -1, so that the order is by magnitude.
    #[inline]
    pub(super) fn fractions(&self, places: u32) -> Interval {
        let Some((low, high)) = self.finite_ends() else { return Interval::EMPTY };
        let limit = self.format.whole_limit();
        let least = (scaled(low, places).ceil() as i64).clamp(-limit, limit);
        let most = (scaled(high, places).floor() as i64).clamp(-limit, limit);
        let gap = self.gap(places);
        let (least, most) = (without_gap(least, gap, 1), without_gap(most, gap, -1));
        let (first, last) = (least.div_euclid(2), (most - 1).div_euclid(2));
        // The odd number nearest to the origin; half an odd number counts up, as everything does.
        let origin = scaled(self.origin, places).clamp(-(limit as f64), limit as f64);
        let origin = -((origin / 2.0).floor() as i64);
        if first > last { Interval::EMPTY } else { Interval { first: -last, last: -first, origin } }
    }

    /// Odd numbers up to this one would be subnormal, and are left out if those are.
    #[inline]
    pub(super) fn gap(&self, places: u32) -> i64 {
        match places.checked_sub(self.format.normal_places) {
            Some(more) if more > 0 && !self.has_subnormals => 1 << more,
            _ => 0,
        }
    }

    /// The places from which on the number of fractions stays the same up to
    /// [`same_to`](Scope::same_to): both ends are 0 or beyond what the digits can express.
    #[inline]
    pub(super) fn same_from(&self) -> u32 {
        let Some((low, high)) = self.finite_ends() else { return 1 };
        self.places_to_limit(low).max(self.places_to_limit(high)).min(self.same_to() + 1)
    }

    /// The places with which an end has more digits than a float, at least 1; for 0 there are none
    /// such.
    #[inline]
    pub(super) fn places_to_limit(&self, end: f64) -> u32 {
        if end == 0.0 {
            return 1;
        }
        let exponent = ((end.to_bits() >> 52) & 0x7FF) as i32 - 1023;
        (self.format.digits as i32 - exponent).max(1) as u32
    }

    #[inline]
    pub(super) fn same_to(&self) -> u32 {
        if self.has_subnormals { self.format.most_places } else { self.format.normal_places }
    }

    /// How many fractions have at most that many places.
    #[inline]
    pub(super) fn fractions_up_to(&self, places: u32) -> u64 {
        let Some((low, high)) = self.finite_ends() else { return 0 };
        // As long as all digits reach, those with at most `n` places are the multiples of 2^-n
        // without the whole numbers.
        let exact_to = self.exact_to(low).min(self.exact_to(high)).min(places);
        let multiples = |places: u32| scaled(high, places).floor() as i64 - scaled(low, places).ceil() as i64;
        let mut sum = if exact_to == 0 { 0 } else { (multiples(exact_to) - multiples(0)) as u64 };
        let (same_from, same_to) = (self.same_from(), self.same_to());
        let count = |from: u32, to: u32| -> u64 { (from..=to).map(|places| self.fractions(places).count()).sum() };
        sum += count(exact_to + 1, places.min(same_from - 1));
        let same = (exact_to + 1).max(same_from)..=places.min(same_to);
        if !same.is_empty() {
            sum += self.fractions(same_from).count() * u64::from(same.end() - same.start() + 1);
        }
        sum + count(same_to.max(exact_to) + 1, places)
    }

    /// The places up to which the multiples of the last one, as far as this end, have few enough
    /// digits to be floats.
    #[inline]
    pub(super) fn exact_to(&self, end: f64) -> u32 {
        if end == 0.0 { self.same_to() } else { (self.places_to_limit(end) - 1).min(self.same_to()) }
    }

    #[inline]
    pub(super) fn fraction_at(&self, index: u64) -> f64 {
        // The fewest places with which there are enough fractions.
        let (mut fewest, mut most) = (1, self.format.most_places);
        while fewest < most {
            let middle = fewest.midpoint(most);
            if self.fractions_up_to(middle) > index {
                most = middle;
            } else {
                fewest = middle + 1;
            }
        }
        let places = fewest;
        let odd = 1 - 2 * self.fractions(places).at(index - self.fractions_up_to(places - 1));
        let gap = self.gap(places);
        unscaled(if odd > 0 { odd + gap } else { odd - gap }, places)
    }

    /// The floats above the whole numbers, numbered away from 0 as in
    /// [`fractions`](Scope::fractions).
    #[inline]
    pub(super) fn large(&self) -> Interval {
        let Some((low, high)) = self.finite_ends() else { return Interval::EMPTY };
        let limit = self.format.whole_limit() as f64;
        let end = |end: f64, otherwise: i64| match end {
            end if end > limit => self.rank(end) - 1,
            end if end < -limit => -self.rank(-end),
            _ => otherwise,
        };
        let (first, last) = (end(low, 0), end(high, -1));
        let origin = -end(self.origin.clamp(-self.format.greatest, self.format.greatest), 0);
        if first > last { Interval::EMPTY } else { Interval { first: -last, last: -first, origin } }
    }

    #[inline]
    pub(super) fn rank(&self, value: f64) -> i64 {
        (self.format.to_bits(value) - self.format.to_bits(self.format.whole_limit() as f64)) as i64
    }

    #[inline]
    pub(super) fn infinities(&self) -> (u64, u64) {
        let has = |is_end: bool| u64::from(self.has_infinities && is_end);
        (has(self.high == f64::INFINITY), has(self.low == f64::NEG_INFINITY))
    }

    /// How many floats there are: up to 2^64.
    #[inline]
    pub(super) fn count(&self) -> u128 {
        let (infinity, negative_infinity) = self.infinities();
        let nans = if self.has_nan { 2 * self.format.nans_per_sign() } else { 0 };
        let groups = [
            self.whole().count(),
            self.negative_zero(),
            self.fractions_up_to(self.format.most_places),
            self.large().count(),
            infinity,
            negative_infinity,
            nans,
        ];
        groups.into_iter().map(u128::from).sum()
    }

    /// The index of a float that is no NaN and that this scope has.
    #[inline]
    pub(super) fn index_of(&self, value: f64) -> u64 {
        let limit = self.format.whole_limit() as f64;
        if is_negative_zero(value) {
            return self.whole().count();
        }
        if value.abs() <= limit && value.trunc() == value {
            return self.whole().index_of(value as i64);
        }
        let whole = self.whole().count() + self.negative_zero();
        if value.abs() <= limit {
            let (odd, places) = odd_number(value);
            let gap = self.gap(places);
            let odd = if odd > 0 { odd - gap } else { odd + gap };
            let before = whole + self.fractions_up_to(places - 1);
            return before + self.fractions(places).index_of(-(odd - 1).div_euclid(2));
        }
        let before = whole + self.fractions_up_to(self.format.most_places);
        let large = self.large();
        match value {
            f64::INFINITY => before + large.count(),
            f64::NEG_INFINITY => before + large.count() + self.infinities().0,
            value if value > 0.0 => before + large.index_of(1 - self.rank(value)),
            value => before + large.index_of(self.rank(-value)),
        }
    }

    /// The float at an index, or the index among the NaNs.
    #[inline]
    pub(super) fn at(&self, index: u64) -> Result<f64, u64> {
        let mut index = index;
        let mut skip = |count: u64| match index.checked_sub(count) {
            Some(rest) => {
                index = rest;
                None
            }
            None => Some(index),
        };
        let whole = self.whole();
        if let Some(index) = skip(whole.count()) {
            return Ok(whole.at(index) as f64);
        }
        if skip(self.negative_zero()).is_some() {
            return Ok(-0.0);
        }
        if let Some(index) = skip(self.fractions_up_to(self.format.most_places)) {
            return Ok(self.fraction_at(index));
        }
        let large = self.large();
        if let Some(index) = skip(large.count()) {
            let rank = -large.at(index);
            let (magnitude, sign) = if rank >= 0 { (rank + 1, 1.0) } else { (-rank, -1.0) };
            let limit = self.format.to_bits(self.format.whole_limit() as f64);
            return Ok(sign * self.format.number_at(limit + magnitude as u64));
        }
        if skip(self.infinities().0).is_some() {
            return Ok(f64::INFINITY);
        }
        if skip(self.infinities().1).is_some() {
            return Ok(f64::NEG_INFINITY);
        }
        Err(index)
    }
}

/// The order of a scope whose origin comes first, whatever sort of number it is; then the others,
/// each sort ordered from the origin outward.
impl Scope {
    /// The index of a float that this scope has.
    pub(super) fn index_from_origin(&self, value: f64) -> u64 {
        let (index, origin) = (self.index_of(value), self.index_of(self.origin));
        match index.cmp(&origin) {
            Ordering::Equal => 0,
            Ordering::Less => index + 1,
            Ordering::Greater => index,
        }
    }

    /// The float at an index; there are no NaNs.
    pub(super) fn at_from_origin(&self, index: u64) -> f64 {
        let origin = self.index_of(self.origin);
        let index = match index {
            0 => origin,
            index if index <= origin => index - 1,
            index => index,
        };
        self.at(index).unwrap_or(self.origin)
    }
}

/// An end of an interval of odd numbers as it is when those from `-gap` to `gap` are taken out and
/// the rest moved together.
#[inline]
pub(super) fn without_gap(end: i64, gap: i64, otherwise: i64) -> i64 {
    match end {
        end if gap == 0 => end,
        end if end > gap => end - gap,
        end if end < -gap => end + gap,
        _ => otherwise,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Distribution, Rng};

    fn scope(format: &'static Format, low: f64, high: f64) -> Scope {
        Scope::between(format, low, high)
    }

    #[test]
    fn the_simplest_floats_come_first() {
        let all = scope(&F64, f64::NEG_INFINITY, f64::INFINITY);
        let first: Vec<f64> = (0..5).map(|index| all.at(index).unwrap()).collect();
        assert_eq!(first, [0.0, 1.0, -1.0, 2.0, -2.0]);
        let whole = all.whole().count();
        assert!(is_negative_zero(all.at(whole).unwrap()));
        let halves: Vec<f64> = (1..7).map(|index| all.at(whole + index).unwrap()).collect();
        assert_eq!(halves, [0.5, -0.5, 1.5, -1.5, 2.5, -2.5]);
        let quarters: Vec<f64> = (1..5).map(|index| all.at(whole + (1 << 53) + index).unwrap()).collect();
        assert_eq!(quarters, [0.25, -0.25, 0.75, -0.75]);
    }

    #[test]
    fn there_are_as_many_indices_as_bit_patterns() {
        let with_nan = |format| Scope { has_nan: true, ..scope(format, f64::NEG_INFINITY, f64::INFINITY) };
        assert_eq!(with_nan(&F64).count(), 1 << 64);
        assert_eq!(with_nan(&F32).count(), 1 << 32);
    }

    #[test]
    fn every_index_of_a_small_range_is_another_float_of_it() {
        let tiny = f64::from_bits(1);
        let ranges = [
            (0.0, 40.0 * tiny),
            (-7.0 * tiny, 9.0 * tiny),
            (-0.0, 3.0 * tiny),
            (-5.0 * tiny, -0.0),
            (1.0, 1.0 + 9.0 * f64::EPSILON),
        ];
        let near =
            |value: f64, steps: u64| (f64::from_bits(value.to_bits() - steps), f64::from_bits(value.to_bits() + steps));
        let limit = (1u64 << 53) as f64;
        let more = [
            near(limit, 20),
            near(1.0, 20),
            near(1e300, 20),
            near(f64::MIN_POSITIVE, 30),
            near(0.3, 9),
            (-limit - 6.0, -limit + 3.0),
            (f64::MAX, f64::INFINITY),
        ];
        for (low, high) in ranges.into_iter().chain(more) {
            let scope = scope(&F64, low, high);
            let count = scope.count() as u64;
            let mut seen: Vec<u64> = (0..count).map(|index| scope.at(index).unwrap().to_bits()).collect();
            for (index, bits) in seen.iter().enumerate() {
                let value = f64::from_bits(*bits);
                assert!(scope.has(value), "{low:?}..={high:?} has {value:?}");
                assert_eq!(scope.index_of(value), index as u64, "{value:?} in {low:?}..={high:?}");
            }
            seen.sort_unstable();
            seen.dedup();
            let negatives = if low.is_sign_negative() { low.to_bits() - (1 << 63) + 1 } else { 0 };
            let positives = match (low.is_sign_negative(), high.is_sign_negative()) {
                (false, _) => high.to_bits() - low.to_bits() + 1,
                (true, false) => high.to_bits() + 1,
                (true, true) => 0u64.wrapping_sub(high.to_bits() - (1 << 63)),
            };
            assert_eq!(seen.len() as u64, negatives.wrapping_add(positives), "{low:?}..={high:?}");
        }
    }

    #[test]
    fn every_short_float_has_an_index_of_its_own() {
        // A bijection on a sample that is spread over all indices, for all scopes.
        let mut rng = Rng::new(5);
        for format in [&F64, &F32] {
            for (low, high) in [
                (f64::NEG_INFINITY, f64::INFINITY),
                (0.0, 1.0),
                (-3.5, 1000.25),
                (0.125, f64::INFINITY),
                (-1e30, -1e-30),
            ] {
                let (low, high) = (format.rounded(low), format.rounded(high));
                for has_subnormals in [true, false] {
                    let scope = Scope { has_subnormals, ..scope(format, low, high) };
                    let max = (scope.count() - 1) as u64;
                    for _ in 0..2000 {
                        for index in [rng.at_most(max), Distribution::Mixed.draw(max, &mut rng)] {
                            let value = scope.at(index).unwrap();
                            assert!(scope.has(value), "{value:?} in {scope:?}");
                            assert_eq!(scope.index_of(value), index, "{value:?} in {scope:?}");
                        }
                        for value in [scope.draw_usual(&mut rng), scope.draw_even(&mut rng)] {
                            assert!(scope.has(value), "{value:?} in {scope:?}");
                            assert_eq!(scope.at(scope.index_of(value)), Ok(value), "{scope:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn an_origin_comes_first_and_loses_nothing() {
        let mut rng = Rng::new(6);
        let limit = (1u64 << 53) as f64;
        for format in [&F64, &F32] {
            let ranges = [
                (f64::NEG_INFINITY, f64::INFINITY),
                (0.0, 100.0),
                (-3.5, 1000.25),
                (-0.0, 3.0),
                (2.0 * limit, 1e30),
                (-1e30, -1e-30),
            ];
            for (low, high) in ranges.map(|(low, high)| (format.rounded(low), format.rounded(high))) {
                let plain = scope(format, low, high);
                let origins = [50.0, 0.3, -0.0, 1e-310, 1e20, 3.0 * limit, -7.25, low, high, f64::INFINITY];
                for origin in
                    origins.map(|origin| format.rounded(origin)).into_iter().filter(|origin| plain.has(*origin))
                {
                    let scope = Scope { origin, ..plain };
                    assert_eq!(scope.at_from_origin(0).to_bits(), origin.to_bits(), "{scope:?}");
                    let max = (scope.count() - 1) as u64;
                    for _ in 0..300 {
                        for index in [rng.at_most(max), Distribution::Mixed.draw(max, &mut rng)] {
                            let value = scope.at_from_origin(index);
                            assert!(scope.has(value), "{value:?} in {scope:?}");
                            assert_eq!(scope.index_from_origin(value), index, "{value:?} in {scope:?}");
                        }
                        for skew in [2.0, -2.0] {
                            let value = scope.draw_skewed(crate::generator::skew::Skew::new(skew), &mut rng);
                            assert!(scope.has(value), "{value:?} in {scope:?}");
                        }
                    }
                }
            }
        }
        let around = Scope { origin: 2.5, ..scope(&F64, 0.0, 9.0) };
        let first: Vec<f64> = (0..6).map(|index| around.at_from_origin(index)).collect();
        assert_eq!(first, [2.5, 3.0, 4.0, 2.0, 5.0, 1.0]);
    }

    #[test]
    fn every_nan_has_an_index_of_its_own() {
        for format in [&F64, &F32] {
            let most = 2 * format.nans_per_sign() - 1;
            assert_eq!(format.nan_at(0), format.usual_nan());
            let usual = format.usual_nan() - format.infinity - 1;
            for index in
                [0, 1, 2, usual - 1, usual, usual + 1, format.nans_per_sign() - 1, format.nans_per_sign(), most]
            {
                assert_eq!(format.nan_index(format.nan_at(index)), index);
                assert!(format.number_at(format.nan_at(index)).is_nan());
            }
        }
        assert_eq!(F64.usual_nan(), f64::NAN.to_bits());
        assert_eq!(F32.usual_nan(), u64::from(f32::NAN.to_bits()));
    }
}
