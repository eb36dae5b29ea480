//! Whole numbers with a distribution of their own: the parts that the types of other crates are
//! made of.

use crate::generator::integers::Span;
use crate::generator::{Facts, Generator, Wanted};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Chance, CustomDistribution, Distribution, Drawn, Extent, Form, Rng, Source};

/// The whole numbers from one to another, counted outward from `origin`, the simplest;
/// `distribution` says which indices are drawn.
///
/// It only makes parts of a value: text is read by the type that has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    low: i64,
    high: i64,
    origin: i64,
    distribution: Distribution,
}

impl Numbers {
    /// From `low`, the simplest, to `high`.
    pub(super) const fn up_from(low: i64, high: i64, distribution: Distribution) -> Numbers {
        Numbers { low, high, origin: low, distribution }
    }

    /// Half of the draws lie between `origin`, the simplest, and `usual`; of the others small
    /// distances and boundaries come often.
    #[allow(dead_code, reason = "only dates and durations need it")]
    pub(super) const fn mostly(low: i64, high: i64, origin: i64, usual: i64) -> Numbers {
        let parameters = [low as u64, high as u64, origin as u64, usual as u64];
        let distribution =
            Distribution::Custom(CustomDistribution { draw: draw_mostly, parameters, chance: Some(chance_of_mostly) });
        Numbers { low, high, origin, distribution }
    }

    /// Counted from `origin`, which is the simplest.
    #[cfg(any(feature = "chrono", feature = "http", feature = "jiff"))]
    pub(super) const fn around(low: i64, high: i64, origin: i64, distribution: Distribution) -> Numbers {
        Numbers { low, high, origin, distribution }
    }

    fn span(&self) -> Span<i64> {
        Span::new(self.low, self.high).with_origin(self.origin)
    }
}

fn draw_mostly(max: u64, [low, high, origin, usual]: [u64; 4], rng: &mut Rng) -> u64 {
    let [low, high, origin, usual] = [low as i64, high as i64, origin as i64, usual as i64];
    let number = match rng.next() & 15 {
        0..=7 => origin + rng.at_most((usual - origin) as u64) as i64,
        8 => low,
        9 => high,
        _ => return Distribution::Mixed.draw(max, rng),
    };
    Span::new(low, high).with_origin(origin).index_of(number)
}

fn chance_of_mostly(index: u64, max: u64, [low, high, origin, usual]: [u64; 4]) -> Option<Chance> {
    let [low, high, origin, usual] = [low as i64, high as i64, origin as i64, usual as i64];
    let number = Span::new(low, high).with_origin(origin).value_at(index);
    let is_usual = (origin..=usual).contains(&number);
    let usual = Chance::new(u128::from(is_usual), (usual - origin) as u128 + 1);
    let ends = [(1, Chance::sure_if(number == low)), (1, Chance::sure_if(number == high))];
    Chance::mixture(16, &[(8, usual), ends[0], ends[1], (6, Distribution::Mixed.chance(index, max)?)])
}

impl Generator for Numbers {
    type Value = i64;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<i64> {
        let span = self.span();
        Ok(span.value_at(source.number(span.span, self.distribution)?))
    }

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { extent: Extent::UNKNOWN, ..Facts::NUMBER }
            .known(self, wanted, || (Form::Number { max: self.span().span }, None))
    }

    #[inline]
    fn reflect(&self, value: &i64, reflector: &mut Reflector) -> Reflected {
        if !(self.low..=self.high).contains(value) {
            return reflector.mismatch(value, || format!("{value} is not in {}..={}", self.low, self.high));
        }
        let span = self.span();
        reflector.number(span.index_of(*value), span.span, self.distribution)
    }

    #[inline]
    fn complete(&self, _sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<i64> {
        self.generate(source)
    }
}

/// Numbers of which half are one of a list.
#[cfg(feature = "http")]
macro_rules! favouring {
    ($low:literal..=$high:literal from $origin:literal: $list:expr) => {
        crate::ecosystem::numbers::Numbers::around(
            $low,
            $high,
            $origin,
            crate::source::Distribution::Custom(crate::source::CustomDistribution {
                draw: |max, _, rng| {
                    const LIST: &[i64] = $list;
                    if rng.next() >> 63 == 1 {
                        return rng.at_most(max);
                    }
                    let number = LIST[rng.at_most(LIST.len() as u64 - 1) as usize];
                    crate::generator::integers::Span::new($low, $high).with_origin($origin).index_of(number)
                },
                parameters: [0; 4],
                chance: Some(|index, max, _| {
                    const LIST: &[i64] = $list;
                    let number =
                        crate::generator::integers::Span::new($low, $high).with_origin($origin).value_at(index);
                    let listed = LIST.iter().filter(|other| **other == number).count() as u128;
                    let listed = crate::source::Chance::new(listed, LIST.len() as u128);
                    let even = crate::source::Distribution::Uniform.chance(index, max)?;
                    crate::source::Chance::mixture(2, &[(1, listed), (1, even)])
                }),
            }),
        )
    };
}
#[cfg(feature = "http")]
pub(super) use favouring;
