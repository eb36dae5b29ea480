//! How likely each float is, worked out from the code that draws.
//!
//! Where a number is drawn, and drawn again if it does not fit, the chance is rounded; otherwise it
//! is exact.

use super::draw::{DECIMAL_BITS, DECIMALS, MOST_PLACES, MOST_TRIES, SMALL, WIDEST_EVEN};
use super::order::{Scope, scaled};
use crate::generator::ranged::Spread;
use crate::generator::skew::{SHARES, Skew, first_where};
use crate::source::{Chance, Distribution, share_of_32_bits};
use std::cmp::Ordering;

impl Scope {
    /// How likely [`draw_by`](Scope::draw_by) gives a float of this scope.
    pub(super) fn chance_by(&self, spread: Spread, value: f64) -> Chance {
        match spread {
            Spread::Even => self.chance_if_even(value),
            Spread::Skewed(skew) => self.chance_if_skewed(skew, value),
            _ => self.chance_if_usual(value),
        }
    }

    fn chance_if_even(&self, value: f64) -> Chance {
        let width = self.high - self.low;
        if !width.is_finite() {
            return self.chance_if_wide(value);
        }
        Chance::new(self.even_count(width, value, value).into(), SHARES.into())
    }

    /// How many of the random numbers give a float from one to another.
    fn even_count(&self, width: f64, first: f64, last: f64) -> u64 {
        let not_above = |bound: f64| first_where(0, SHARES, |share| order(self.even_at(share, width), bound).is_gt());
        let below = first_where(0, SHARES, |share| order(self.even_at(share, width), first).is_ge());
        not_above(last).saturating_sub(below)
    }

    fn chance_if_usual(&self, value: f64) -> Chance {
        let width = self.high - self.low;
        if width.is_nan() || width >= WIDEST_EVEN {
            return self.chance_if_wide(value);
        }
        // In 64ths of a half, so that no fraction gets too long.
        let near = |wanted: &dyn Fn(f64) -> bool| (0..8).filter(|dice| wanted(self.near_an_end(*dice))).count() as u128;
        let is_same = |other: f64| order(other, value).is_eq();
        let mut simple = Chance::NEVER;
        let max = self.count().saturating_sub(1).min(100) as u64;
        for index in 0..=max {
            if is_same(self.at(index).unwrap_or(self.low)) {
                simple = sum(simple, Distribution::Mixed.chance(index, max).unwrap_or(Chance::NEVER));
            }
        }
        let even = Chance::new(self.even_count(width, value, value).into(), SHARES.into());
        let parts = |near: u128, simple: Chance, even: Chance| {
            Chance::mixture(16, &[(2, Chance::new(near, 8)), (2, simple), (12, even)]).unwrap_or(Chance::NEVER)
        };
        let at_once = parts(near(&is_same), simple, even);
        // What does not fit after all is drawn as from a wide range.
        let left_out = |other: f64| !self.has(other);
        let lost = parts(near(&left_out), Chance::NEVER, Chance::new(self.left_out_count(width), SHARES.into()));
        if lost.numerator() == 0 {
            return at_once;
        }
        Chance::rounded(float(at_once) + float(lost) * float(self.chance_if_wide(value)))
    }

    /// How many of the random numbers give a float between the ends that is left out.
    fn left_out_count(&self, width: f64) -> u128 {
        let mut count = 0;
        for zero in [-0.0, 0.0] {
            if !self.has(zero) {
                count += self.even_count(width, zero, zero);
            }
        }
        if !self.has_subnormals {
            let (first, last) =
                (self.format.number_at(1), self.format.number_at(self.format.to_bits(self.format.least_normal) - 1));
            count += self.even_count(width, first, last) + self.even_count(width, -last, -first);
        }
        count.into()
    }

    fn chance_if_wide(&self, value: f64) -> Chance {
        let magnitude = match value.abs() {
            nan if nan.is_nan() => Chance::new(1, 128),
            magnitude => self.chance_of_magnitude(magnitude, magnitude),
        };
        // Either sign is as likely; a number that does not fit becomes its opposite if that does.
        let at_once = match self.has(-value) {
            true => magnitude.times(Chance::new(1, 2)).unwrap_or(Chance::NEVER),
            false => magnitude,
        };
        let (kept, refused) = self.chance_of_fitting();
        if refused == 0.0 {
            return at_once;
        }
        let last = refused.powi(MOST_TRIES);
        let by_tries = match kept > 0.0 {
            true => float(at_once) * (1.0 - last) / kept,
            false => 0.0,
        };
        Chance::rounded(by_tries + last * self.chance_if_narrow(value))
    }

    /// Evenly over the floats, or else the simplest.
    fn chance_if_narrow(&self, value: f64) -> f64 {
        let is_simplest = self.at(0).is_ok_and(|simplest| order(simplest, value).is_eq());
        let Some((low, high)) = self.finite_ends() else { return if is_simplest { 1.0 } else { 0.0 } };
        let count = (self.format.key(high) - self.format.key(low) + 1) as f64;
        let evenly = if value.is_finite() { 1.0 / count } else { 0.0 };
        if !is_simplest {
            return evenly;
        }
        // What is left out.
        let mut others = 0.0;
        if !self.has_subnormals {
            let (tiny, last) =
                (self.format.number_at(1), self.format.number_at(self.format.to_bits(self.format.least_normal) - 1));
            for (first, last) in [(tiny, last), (-last, -tiny)] {
                let between = self.format.key(last.min(high)) - self.format.key(first.max(low)) + 1;
                others += between.max(0) as f64;
            }
        }
        evenly + others / count
    }

    /// How likely a number that is drawn from all floats fits, or its opposite; and how likely
    /// neither does.
    fn chance_of_fitting(&self) -> (f64, f64) {
        let greatest = if self.has_infinities { f64::INFINITY } else { self.format.greatest };
        let positive = (self.low.max(0.0), self.high.min(greatest));
        let negative = ((-self.high).max(0.0), (-self.low).min(greatest));
        let (is_positive, is_negative) = (order(self.high, 0.0).is_ge(), order(self.low, -0.0).is_le());
        let mut fits = Chance::NEVER;
        let mut not = Chance::NEVER;
        let mut add = |(first, last): (f64, f64), to: bool| {
            if first <= last {
                let chance = self.chance_of_kept_magnitude(first, last);
                if to { fits = sum(fits, chance) } else { not = sum(not, chance) }
            }
        };
        if is_positive {
            add(positive, true);
        }
        if is_negative {
            add(negative, true);
        }
        if is_positive && is_negative {
            add((positive.0.max(negative.0), positive.1.min(negative.1)), false);
        }
        if self.has_nan {
            fits = sum(fits, Chance::new(1, 128));
        }
        // What lies on both sides was counted twice.
        let all = not_both(fits, not);
        (float(all), float(not_both(Chance::ALWAYS, all)))
    }

    /// Without the subnormal numbers, if these are left out.
    fn chance_of_kept_magnitude(&self, first: f64, last: f64) -> Chance {
        let all = self.chance_of_magnitude(first, last);
        if self.has_subnormals {
            return all;
        }
        let (tiny, most) =
            (self.format.number_at(1), self.format.number_at(self.format.to_bits(self.format.least_normal) - 1));
        let (first, last) = (first.max(tiny), last.min(most));
        if first > last { all } else { not_both(all, self.chance_of_magnitude(first, last)) }
    }

    /// How likely [`draw_any`](Scope::draw_any) gives a number from `first` to `last`, none of
    /// which is negative, or its opposite.
    fn chance_of_magnitude(&self, first: f64, last: f64) -> Chance {
        let format = self.format;
        // How many whole numbers with so many bits at most are in an interval of them, each number
        // of bits being as likely as the others.
        let by_bits = |most: u32, from: u64, end: u64| {
            let mut chance = Chance::NEVER;
            for bits in 1..=most {
                let count = end.min(1 << bits).saturating_sub(from);
                if count > 0 {
                    let throws = share_of_32_bits(u64::from(bits) - 1, most.into());
                    chance = sum(chance, Chance::new(throws * u128::from(count), 1 << (32 + bits)));
                }
            }
            chance
        };
        // Casts saturate.
        let whole = |places: u32| {
            (scaled(first, places).ceil() as u64, (scaled(last, places).floor() as u64).saturating_add(1))
        };
        let (from, end) = whole(0);
        let small = Chance::new(end.min(SMALL + 1).saturating_sub(from).into(), u128::from(SMALL) + 1);
        let mut fractions = Chance::NEVER;
        for places in 1..=MOST_PLACES as u32 {
            let (from, end) = whole(places);
            fractions = sum(fractions, by_bits(format.digits, from, end));
        }
        let mut decimals = Chance::NEVER;
        for unit in DECIMALS {
            let at = |number: u64| format.rounded(number as f64 / unit);
            let from = first_where(0, 1 << DECIMAL_BITS, |number| at(number) >= first);
            let end = first_where(0, 1 << DECIMAL_BITS, |number| at(number) > last);
            decimals = sum(decimals, by_bits(DECIMAL_BITS, from, end));
        }
        let any = match format.to_bits(last.min(format.greatest)).checked_sub(format.to_bits(first)) {
            Some(more) if first <= format.greatest => Chance::new(u128::from(more) + 1, format.infinity.into()),
            _ => Chance::NEVER,
        };
        let boundaries = (0..32).filter(|index| (first..=last).contains(&format.boundary_at(*index))).count();
        let infinite = if last == f64::INFINITY { Chance::new(3, 4) } else { Chance::NEVER };
        let one_of = |chance: Chance, count: u128| chance.times(Chance::new(1, count)).unwrap_or(Chance::NEVER);
        let parts = [
            (4, small),
            (5, by_bits(format.digits, from, end)),
            (8, one_of(fractions, MOST_PLACES.into())),
            (5, one_of(decimals, DECIMALS.len() as u128)),
            (5, any),
            (4, Chance::new(boundaries as u128, 32)),
            (1, infinite),
        ];
        Chance::mixture(32, &parts).unwrap_or(Chance::NEVER)
    }

    /// Near the origin both sides are alike, and the distance grows with the random number; then it
    /// grows on one side.
    fn chance_if_skewed(&self, skew: Skew, value: f64) -> Chance {
        let (mut count, alike) = (0, self.alike_up_to());
        let ends = first_where(0, SHARES, |share| skew.at(share) > alike);
        for is_up in [true, false] {
            for (start, end) in [(0, ends), (ends, SHARES)] {
                if start == end {
                    continue;
                }
                let at = |share: u64| self.skewed_at(skew.at(share), is_up);
                let rises = order(at(end - 1), at(start)).is_ge();
                let before = |share: u64, is_reached: bool| match order(at(share), value) {
                    Ordering::Equal => is_reached,
                    Ordering::Greater => rises,
                    Ordering::Less => !rises,
                };
                let from = first_where(start, end, |share| before(share, true));
                let to = first_where(start, end, |share| before(share, false));
                count += to.saturating_sub(from);
            }
        }
        Chance::rounded(count as f64 / SHARES as f64 / 2.0)
    }
}

/// -0.0 comes before 0.0.
fn order(one: f64, other: f64) -> Ordering {
    one.total_cmp(&other)
}

fn float(chance: Chance) -> f64 {
    chance.numerator() as f64 / chance.denominator() as f64
}

/// All denominators here divide a number of 110 binary digits.
fn sum(one: Chance, other: Chance) -> Chance {
    one.plus(other).unwrap_or(Chance::rounded(float(one) + float(other)))
}

/// The first without the second, which is not more.
fn not_both(one: Chance, other: Chance) -> Chance {
    let denominator = other.denominator();
    let both = Chance::new(other.numerator(), denominator);
    let Some(total) = one.plus(Chance::new(denominator - both.numerator().min(denominator), denominator)) else {
        return Chance::rounded(float(one) - float(other));
    };
    Chance::new(total.numerator().saturating_sub(total.denominator()), total.denominator())
}
