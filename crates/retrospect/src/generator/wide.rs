//! Indices of 128 bits, for which one number of the choice tree is too small.
//!
//! Up to 2^64 values they are one number all the same. Above, an index is two numbers in a bracket,
//! its high and its low half: both 0 is the simplest, and lowering the high half is what makes it
//! smaller.

use super::ranged::Spread;
use crate::choice::WIDE;
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::source::{Chance, CustomDistribution, Distribution, Drawn, Rng, Source};

/// A range of 128-bit integers with its order worked out: that of the narrower integers.
#[derive(Clone, Copy)]
pub(super) struct WideSpan {
    /// The number of values less one.
    pub(super) span: u128,
    origin: u128,
}

impl WideSpan {
    /// `origin` is how far 0 lies above the lower end.
    #[inline]
    pub(super) fn new(span: u128, origin: u128) -> WideSpan {
        WideSpan { span, origin: origin.min(span) }
    }

    #[inline]
    pub(super) fn index_of(self, offset: u128) -> u128 {
        let both = self.origin.min(self.span - self.origin);
        let distance = offset.abs_diff(self.origin);
        match offset >= self.origin {
            _ if distance > both => both + distance,
            true => (2 * distance).saturating_sub(1),
            false => 2 * distance,
        }
    }

    #[inline]
    pub(super) fn offset_at(self, index: u128) -> u128 {
        let (below, above) = (self.origin, self.span - self.origin);
        let both = below.min(above);
        let (distance, up) = if index <= 2 * both {
            (index.div_ceil(2), index & 1 == 1 || index == 0)
        } else {
            (index - both, above > below)
        };
        if up { self.origin + distance } else { self.origin - distance }
    }
}

/// The laws of the two halves of an index. What the low half may be depends on the high one only if
/// that is its largest.
struct Halves {
    max_high: u64,
    last_low: u64,
    spread: Spread,
}

impl Halves {
    #[inline]
    fn of(max: u128, spread: Spread) -> Halves {
        Halves { max_high: (max >> 64) as u64, last_low: max as u64, spread }
    }

    #[inline]
    fn high_law(&self) -> Distribution {
        match self.spread {
            Spread::Even => Distribution::Custom(CustomDistribution {
                draw: high_half,
                parameters: [self.last_low, 0, 0, 0],
                chance: Some(chance_of_high_half),
            }),
            Spread::Skewed(skew) => skew.distribution(),
            _ => Distribution::Custom(CustomDistribution {
                draw: often_zero,
                parameters: [0; 4],
                chance: Some(chance_of_often_zero),
            }),
        }
    }

    #[inline]
    fn low(&self, high: u64) -> (u64, Distribution) {
        let max = if high == self.max_high { self.last_low } else { u64::MAX };
        let is_at_an_end = high == 0 || high == self.max_high;
        let distribution = match self.spread {
            // Next to the origin the curve looks the same at every scale.
            Spread::Skewed(skew) if high == 0 => skew.distribution(),
            Spread::Skewed(_) | Spread::Even => Distribution::Uniform,
            _ if is_at_an_end => Distribution::Mixed,
            _ => Distribution::Uniform,
        };
        (max, distribution)
    }
}

/// The high half of an even draw: the last one is less likely if its low halves are not complete.
fn high_half(max: u64, [last_low, ..]: [u64; 4], rng: &mut Rng) -> u64 {
    loop {
        let high = rng.at_most(max);
        if high != max || rng.next() <= last_low {
            return high;
        }
    }
}

/// As many of all numbers as have this high half.
fn chance_of_high_half(high: u64, max: u64, [last_low, ..]: [u64; 4]) -> Option<Chance> {
    let lows = |high: u64| if high == max { u128::from(last_low) + 1 } else { 1 << 64 };
    Some(match (u128::from(max) << 64).checked_add(lows(max)) {
        Some(all) => Chance::new(lows(high), all),
        // All numbers of 128 bits.
        None => Chance::new(1, 1 << 64),
    })
}

fn chance_of_often_zero(high: u64, max: u64, _: [u64; 4]) -> Option<Chance> {
    let mixed = Distribution::Mixed.chance(high, max)?.times(Chance::new(1, 2))?;
    if high == 0 { mixed.plus(Chance::new(1, 2)) } else { Some(mixed) }
}

fn often_zero(max: u64, _: [u64; 4], rng: &mut Rng) -> u64 {
    if rng.next() >> 63 == 0 { 0 } else { Distribution::Mixed.draw(max, rng) }
}

#[inline]
pub(super) fn generate_wide(max: u128, spread: Spread, source: &mut Source<'_>) -> Drawn<u128> {
    if let Ok(max) = u64::try_from(max) {
        return source.number(max, narrow_law(max, spread)).map(u128::from);
    }
    let halves = Halves::of(max, spread);
    source.call(&WIDE, |source| {
        // Only at the upper end does the lower half hang on the higher one.
        let high = match max as u64 == u64::MAX {
            true => source.number_part(halves.max_high, halves.high_law())?,
            false => source.part(|source| source.number(halves.max_high, halves.high_law()))?,
        };
        let (max_low, distribution) = halves.low(high);
        let low = source.number_part(max_low, distribution)?;
        Ok((u128::from(high) << 64) | u128::from(low))
    })
}

/// `index` is at most `max`.
#[inline]
pub(super) fn reflect_wide(index: u128, max: u128, spread: Spread, reflector: &mut Reflector) -> Reflected {
    if let Ok(max) = u64::try_from(max) {
        return reflector.number(index as u64, max, narrow_law(max, spread));
    }
    let halves = Halves::of(max, spread);
    let (high, low) = ((index >> 64) as u64, index as u64);
    reflector.call(
        &WIDE,
        || None,
        std::ptr::null(),
        |reflector| {
            reflector
                .part(Segment::Position(0), |reflector| reflector.number(high, halves.max_high, halves.high_law()))?;
            let (max_low, distribution) = halves.low(high);
            reflector.part(Segment::Position(1), |reflector| reflector.number(low, max_low, distribution))
        },
    )
}

#[inline]
fn narrow_law(max: u64, spread: Spread) -> Distribution {
    match spread {
        Spread::Even => Distribution::Uniform,
        Spread::Usual if max <= u64::from(u16::MAX) => Distribution::Uniform,
        Spread::Usual | Spread::Mixed => Distribution::Mixed,
        Spread::Skewed(skew) => skew.distribution(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_narrower_integers() {
        let span = WideSpan::new(8, 3);
        let offsets: Vec<u128> = (0..=8).map(|index| span.offset_at(index)).collect();
        assert_eq!(offsets, [3, 4, 2, 5, 1, 6, 0, 7, 8]);
        for (index, offset) in offsets.iter().enumerate() {
            assert_eq!(span.index_of(*offset), index as u128);
        }
        let all = WideSpan::new(u128::MAX, 1 << 127);
        for index in [0, 1, 2, 3, u128::MAX - 1, u128::MAX] {
            assert_eq!(all.index_of(all.offset_at(index)), index);
        }
    }
}
