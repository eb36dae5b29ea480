//! Floats: [`floats`], `any::<f64>()` and ranges.

mod chance;
mod draw;
mod order;

use super::any::Generate;
use super::ranged::{Ends, Ranged, Spread};
use super::skew::Skew;
use super::{Any, Generator};
use crate::generator::{Facts, Wanted};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Chance, ChanceOfIndex, CustomDistribution, Distribution, Drawn, Form, Keep, Rng, Source, Why};
use order::{F32, F64, Format, Scope, is_between};
use std::cmp::Ordering;
use std::fmt::Debug;

/// What distinguishes `f32` from `f64`. Implemented for these two.
///
/// ```
/// use retrospect::generator::Float;
/// use retrospect::prelude::*;
/// fn shares<F: Float>(ends: std::ops::RangeInclusive<F>) -> impl Generator<Value = F> {
///     floats().between(ends).finite()
/// }
/// assert!(shares(0.0f32..=1.0).accepts(&0.5));
/// ```
pub trait Float: Ranged + std::str::FromStr {
    #[doc(hidden)]
    const FORMAT: &'static Format;
    #[doc(hidden)]
    fn to_wide(self) -> f64;
    #[doc(hidden)]
    fn from_wide(wide: f64) -> Self;
    #[doc(hidden)]
    fn to_raw(self) -> u64;
    #[doc(hidden)]
    fn from_raw(bits: u64) -> Self;
}

/// Floats, all of them unless told otherwise.
///
/// `any::<f64>()` is `floats::<f64>()`; `0.0..1.0` and the other ranges are `floats().between(…)`.
/// Without an argument infinities, NaN, -0.0 and subnormal numbers are there, since a function that
/// takes a float takes those; [`finite`](Floats::finite) and the other methods leave out what a
/// test is not about.
///
/// **Order.** 0.0 is the simplest, then 1, -1, 2, -2 and all whole numbers up to 2^53, then -0.0,
/// then fractions by the number of bits after the point (0.5, -0.5, 1.5, …, then 0.25, …), then
/// larger numbers, then infinity, -infinity and NaN. A NaN with any sign and payload is reproduced
/// bit for bit.
///
/// **Distribution.** Of all floats, half are whole numbers or fractions with few bits, one in six
/// has a few decimals (`0.1`, `-3.14`), one in six is any finite float, one in eight is a boundary
/// (0.0 or -0.0, 1, the largest, the least normal, next to 1, next to 2^53, …), one in forty is
/// infinite, one in a hundred is NaN. Between two ends that are less than 2^32 apart, three in four
/// are spread evenly and the others are simple numbers, the ends, and their neighbours;
/// [`uniform`](super::uniform) spreads all evenly. In wider ranges they are as among all floats.
///
/// **Ends.** -0.0 lies just below 0.0: `0.0..=1.0` has only the one, `-0.0..=1.0` both. `1.0..`
/// includes infinity.
///
/// ```
/// use retrospect::prelude::*;
/// assert_eq!(any::<f64>().replay(&Choices::default()), 0.0);
/// assert_eq!((0.0..=1.0).choices_of(&0.5).unwrap().to_string(), "2"); // after 0 and 1
/// assert!(floats().finite().samples(1).take(1000).all(f64::is_finite));
/// assert_eq!(floats::<f32>().finite().choices_of(&f32::NAN).unwrap_err().reason(), "NaN is left out");
/// assert!((0.0..).accepts(&f64::INFINITY));
/// ```
#[inline]
pub fn floats<F: Float>() -> Floats<F> {
    Floats { low: F::LEAST, high: F::GREATEST, has_nan: true, has_infinities: true, has_subnormals: true, range: None }
}

/// The generator made by [`floats`].
///
/// ```
/// use retrospect::generator::Floats;
/// use retrospect::prelude::*;
/// fn shares() -> Floats<f32> {
///     floats().between(0.0..=1.0)
/// }
/// assert!(shares().accepts(&0.5) && !shares().accepts(&1.5));
/// ```
#[derive(Clone, Debug)]
pub struct Floats<F> {
    low: F,
    high: F,
    has_nan: bool,
    has_infinities: bool,
    has_subnormals: bool,
    /// The range as the user wrote it, and whether it is empty.
    range: Option<(String, bool)>,
}

impl<F: Float> Floats<F> {
    /// Only what lies in a range; NaN does not.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let shares = floats().between(0.0..=1.0);
    /// assert_eq!(shares.choices_of(&1.5).unwrap_err().reason(), "1.5 is not in 0.0..=1.0");
    /// ```
    #[inline]
    pub fn between(self, range: impl Ends<Item = F>) -> Floats<F> {
        let ends = range.ends();
        let (low, high) = ends.unwrap_or((F::LEAST, F::GREATEST));
        Floats { low, high, has_nan: false, range: Some((format!("{range:?}"), ends.is_none())), ..self }
    }

    /// Neither infinities nor NaN.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert!(!floats().finite().accepts(&f64::INFINITY));
    /// ```
    #[inline]
    pub fn finite(self) -> Floats<F> {
        self.with_infinities(false).with_nan(false)
    }

    /// Whether there is NaN. Without a range the default is `true`.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert!(!floats().with_nan(false).accepts(&f64::NAN));
    /// assert!(floats().between(0.0..1.0).with_nan(true).accepts(&f64::NAN));
    /// ```
    #[inline]
    pub fn with_nan(self, has_nan: bool) -> Floats<F> {
        Floats { has_nan, ..self }
    }

    /// Whether there are infinities, as far as the range has them. The default is `true`.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert!(!floats().between(1.0..).with_infinities(false).accepts(&f64::INFINITY));
    /// ```
    #[inline]
    pub fn with_infinities(self, has_infinities: bool) -> Floats<F> {
        Floats { has_infinities, ..self }
    }

    /// Whether there are subnormal numbers: those nearer to 0 than `MIN_POSITIVE`. The default is
    /// `true`.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert!(!floats().with_subnormals(false).accepts(&1e-310));
    /// ```
    #[inline]
    pub fn with_subnormals(self, has_subnormals: bool) -> Floats<F> {
        Floats { has_subnormals, ..self }
    }

    #[inline]
    fn scope(&self) -> Scope {
        let Floats { has_nan, has_infinities, has_subnormals, .. } = *self;
        let between = Scope::between(F::FORMAT, self.low.to_wide(), self.high.to_wide());
        Scope { has_nan, has_infinities, has_subnormals, ..between }
    }

    /// What is wrong with the range, if it has no float at all.
    #[inline]
    fn emptiness(&self, scope: &Scope) -> Option<String> {
        match &self.range {
            Some((range, true)) => {
                Some(format!("the range {range} is empty: its lower end is not below its upper end"))
            }
            Some((range, false)) if scope.count() == 0 => {
                Some(format!("the range {range} has no float that is not left out"))
            }
            _ => None,
        }
    }

    #[inline]
    fn problem(&self, scope: &Scope, value: F) -> String {
        let is_between = !value.to_wide().is_nan() && is_between(value.to_wide(), scope.low, scope.high);
        match (&self.range, is_between) {
            _ if value.to_wide().is_nan() => format!("{value:?} is left out"),
            (Some((range, _)), false) => format!("{value:?} is not in {range}"),
            _ => format!("{value:?} is left out"),
        }
    }
}

impl<F: Float> Generator for Floats<F> {
    type Value = F;

    #[inline(always)]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { has_one_way: false, ..Facts::NUMBER }.known(self, wanted, || {
            let scope = self.scope();
            match self.emptiness(&scope) {
                None => (Form::Number { max: request::<F>(&scope, Spread::Usual).0 }, None),
                Some(_) => (Form::Unknown, None),
            }
        })
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<F> {
        let scope = self.scope();
        if self.range.is_some()
            && let Some(problem) = self.emptiness(&scope)
        {
            return Err(source.stop(Why::Invalid(problem)));
        }
        generate_float(&scope, Spread::Usual, source)
    }

    #[inline]
    fn reflect(&self, value: &F, reflector: &mut Reflector) -> Reflected {
        let scope = self.scope();
        if let Some(problem) = self.emptiness(&scope) {
            return reflector.mismatch(value, || problem);
        }
        if !scope.has(value.to_wide()) {
            return reflector.mismatch(value, || self.problem(&scope, *value));
        }
        reflect_float(&scope, Spread::Usual, *value, reflector)
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<F> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let scope = self.scope();
        match F::read(sketch) {
            Some(value) if scope.has(value.to_wide()) && self.emptiness(&scope).is_none() => Ok(value),
            Some(value) => Err(source
                .not_made(sketch.text(), || self.emptiness(&scope).unwrap_or_else(|| self.problem(&scope, value)))),
            None => {
                let (expected, found) = (F::EXPECTED, sketch.kind().describe());
                Err(source.not_made(sketch.text(), || format!("expected {expected}, not {found}")))
            }
        }
    }
}

#[inline(always)]
fn generate_float<F: Float>(scope: &Scope, spread: Spread, source: &mut Source<'_>) -> Drawn<F> {
    source.drawn(
        |rng| F::from_wide(scope.draw_by(spread, rng)),
        || request::<F>(scope, spread),
        |value| index_of(scope, *value),
        |index| float_at(scope, index),
    )
}

#[inline(always)]
fn generate_even_floats<F: Float>(
    scope: &Scope,
    source: &mut Source<'_>,
    count: usize,
    keep: &mut impl Keep<F>,
) -> Drawn<()> {
    source.drawn_many(
        count,
        |rng| F::from_wide(scope.draw_even(rng)),
        || request::<F>(scope, Spread::Even),
        |value| index_of(scope, *value),
        |index| float_at(scope, index),
        keep,
    )
}

#[inline]
fn float_at<F: Float>(scope: &Scope, index: u64) -> F {
    match scope.at(index) {
        Ok(value) => F::from_wide(value),
        Err(nan) => F::from_raw(F::FORMAT.nan_at(nan)),
    }
}

#[inline]
fn reflect_float<F: Float>(scope: &Scope, spread: Spread, value: F, reflector: &mut Reflector) -> Reflected {
    let (max, distribution) = request::<F>(scope, spread);
    reflector.number(index_of(scope, value), max, distribution)
}

/// Where the origin is said, the index counts from there.
#[inline]
fn generate_float_from<F: Float>(scope: &Scope, spread: Spread, source: &mut Source<'_>) -> Drawn<F> {
    source.drawn(
        |rng| F::from_wide(scope.draw_by(spread, rng)),
        || request_from::<F>(scope, spread),
        |value| scope.index_from_origin(value.to_wide()),
        |index| F::from_wide(scope.at_from_origin(index)),
    )
}

#[cold]
fn request_from<F: Float>(scope: &Scope, spread: Spread) -> (u64, Distribution) {
    let parameters = [scope.low.to_bits(), scope.high.to_bits(), scope.origin.to_bits(), spread_to_bits(spread)];
    let chance = Some(chance_of_index_from::<F> as ChanceOfIndex);
    (
        (scope.count() - 1) as u64,
        Distribution::Custom(CustomDistribution { draw: draw_index_from::<F>, parameters, chance }),
    )
}

fn draw_index_from<F: Float>(_max: u64, parameters: [u64; 4], rng: &mut Rng) -> u64 {
    let (scope, spread) = scope_from::<F>(parameters);
    scope.index_from_origin(scope.draw_by(spread, rng))
}

fn chance_of_index_from<F: Float>(index: u64, _max: u64, parameters: [u64; 4]) -> Option<Chance> {
    let (scope, spread) = scope_from::<F>(parameters);
    Some(scope.chance_by(spread, scope.at_from_origin(index)))
}

fn scope_from<F: Float>([low, high, origin, spread]: [u64; 4]) -> (Scope, Spread) {
    let between = Scope::between(F::FORMAT, f64::from_bits(low), f64::from_bits(high));
    (Scope { origin: f64::from_bits(origin), ..between }, spread_from_bits(spread))
}

/// A skew is a number; those that are none stand for the rest.
const USUAL: u64 = u64::MAX;
const EVEN: u64 = u64::MAX - 1;

fn spread_to_bits(spread: Spread) -> u64 {
    match spread {
        Spread::Skewed(skew) => skew.bits(),
        Spread::Even => EVEN,
        Spread::Usual | Spread::Mixed => USUAL,
    }
}

fn spread_from_bits(bits: u64) -> Spread {
    match bits {
        USUAL => Spread::Usual,
        EVEN => Spread::Even,
        skew => Spread::Skewed(Skew::from_bits(skew)),
    }
}

#[cold]
fn index_of<F: Float>(scope: &Scope, value: F) -> u64 {
    if value.to_wide().is_nan() {
        let numbers = Scope { has_nan: false, ..*scope }.count() as u64;
        return numbers + F::FORMAT.nan_index(value.to_raw());
    }
    scope.index_of(value.to_wide())
}

#[cold]
fn request<F: Float>(scope: &Scope, spread: Spread) -> (u64, Distribution) {
    let flags = [scope.has_nan, scope.has_infinities, scope.has_subnormals];
    let flags = flags.iter().rev().fold(0, |flags, flag| flags << 1 | u64::from(*flag));
    let parameters = [scope.low.to_bits(), scope.high.to_bits(), flags, spread_to_bits(spread)];
    let chance = Some(chance_of_index::<F> as ChanceOfIndex);
    ((scope.count() - 1) as u64, Distribution::Custom(CustomDistribution { draw: draw_index::<F>, parameters, chance }))
}

fn draw_index<F: Float>(_max: u64, parameters: [u64; 4], rng: &mut Rng) -> u64 {
    let (scope, spread) = scope_of::<F>(parameters);
    index_of(&scope, F::from_wide(scope.draw_by(spread, rng)))
}

fn chance_of_index<F: Float>(index: u64, _max: u64, parameters: [u64; 4]) -> Option<Chance> {
    let (scope, spread) = scope_of::<F>(parameters);
    let Err(nan) = scope.at(index) else { return Some(scope.chance_by(spread, scope.at(index).unwrap_or(0.0))) };
    // Of all that are not numbers only the usual ones are drawn.
    let bits = F::FORMAT.nan_at(nan);
    let is_drawn = [f64::NAN, -f64::NAN].iter().any(|nan| F::from_wide(*nan).to_raw() == bits);
    Some(if is_drawn { scope.chance_by(spread, f64::NAN) } else { Chance::NEVER })
}

fn scope_of<F: Float>([low, high, flags, spread]: [u64; 4]) -> (Scope, Spread) {
    let flag = |place: u32| flags >> place & 1 == 1;
    let scope = Scope {
        format: F::FORMAT,
        low: f64::from_bits(low),
        high: f64::from_bits(high),
        has_nan: flag(0),
        has_infinities: flag(1),
        has_subnormals: flag(2),
        origin: 0.0,
    };
    (scope, spread_from_bits(spread))
}

macro_rules! float_generators {
    ($($float:ident as $format:ident with $bits:ty),*) => {$(
        impl Float for $float {
            const FORMAT: &'static Format = &$format;
            #[inline(always)]
            fn to_wide(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn from_wide(wide: f64) -> $float {
                wide as $float
            }
            #[inline]
            fn to_raw(self) -> u64 {
                self.to_bits().into()
            }
            #[inline]
            fn from_raw(bits: u64) -> $float {
                $float::from_bits(bits as $bits)
            }
        }

        impl Ranged for $float {
            const LEAST: $float = $float::NEG_INFINITY;
            const GREATEST: $float = $float::INFINITY;
            const EXPECTED: &'static str = concat!("a number of type ", stringify!($float));
            #[inline(always)]
            fn before(self) -> Option<$float> {
                Some(self.next_down())
            }
            #[inline(always)]
            fn are_ends(low: $float, high: $float) -> bool {
                low <= high && low.total_cmp(&high) != Ordering::Greater
            }
            #[inline(always)]
            fn is_between(self, low: $float, high: $float) -> bool {
                !self.is_nan() && is_between(self.to_wide(), low.to_wide(), high.to_wide())
            }
            fn last_index(low: $float, high: $float) -> Option<u64> {
                Some(request::<$float>(&Scope::between(&$format, low.to_wide(), high.to_wide()), Spread::Usual).0)
            }
            #[inline(always)]
            fn generate_between(low: $float, high: $float, spread: Spread, source: &mut Source<'_>) -> Drawn<$float> {
                generate_float(&Scope::between(&$format, low.to_wide(), high.to_wide()), spread, source)
            }
            #[inline(always)]
            fn generate_many_between(
                low: $float,
                high: $float,
                spread: Spread,
                source: &mut Source<'_>,
                count: usize,
                keep: &mut impl Keep<$float>,
            ) -> Drawn<()> {
                if spread == Spread::Even {
                    let scope = Scope::between(&$format, low.to_wide(), high.to_wide());
                    return generate_even_floats(&scope, source, count, keep);
                }
                for _ in 0..count {
                    let form = || crate::generator::ranged::form_of(&(low..=high));
                    keep.keep(source.free_part(form, |source| Self::generate_between(low, high, spread, source))?);
                }
                Ok(())
            }
            #[inline]
            fn reflect_between(
                self,
                low: $float,
                high: $float,
                spread: Spread,
                reflector: &mut Reflector,
            ) -> Reflected {
                reflect_float(&Scope::between(&$format, low.to_wide(), high.to_wide()), spread, self, reflector)
            }
            #[inline]
            fn generate_from(
                origin: $float,
                low: $float,
                high: $float,
                spread: Spread,
                source: &mut Source<'_>,
            ) -> Drawn<$float> {
                let between = Scope::between(&$format, low.to_wide(), high.to_wide());
                generate_float_from(&Scope { origin: origin.to_wide(), ..between }, spread, source)
            }
            #[inline]
            fn reflect_from(
                self,
                origin: $float,
                low: $float,
                high: $float,
                spread: Spread,
                reflector: &mut Reflector,
            ) -> Reflected {
                let between = Scope::between(&$format, low.to_wide(), high.to_wide());
                let scope = Scope { origin: origin.to_wide(), ..between };
                let (max, distribution) = request_from::<$float>(&scope, spread);
                reflector.number(scope.index_from_origin(self.to_wide()), max, distribution)
            }
            #[inline]
            fn read(sketch: &Sketch<'_>) -> Option<$float> {
                sketch.parsed()
            }
        }

        /// All floats; see [`floats`].
        impl Generate for $float {
            type Generator = Any<$float>;
            #[inline]
            fn generator() -> Any<$float> {
                Any::new()
            }
        }

        impl Generator for Any<$float> {
            type Value = $float;
            #[inline(always)]
            fn facts(&self, wanted: Wanted) -> Facts {
                let floats = floats::<$float>().facts(wanted);
                floats.known(self, wanted, || (floats.form, None))
            }
            #[inline]
            fn generate(&self, source: &mut Source<'_>) -> Drawn<$float> {
                floats().generate(source)
            }
            #[inline]
            fn reflect(&self, value: &$float, reflector: &mut Reflector) -> Reflected {
                floats().reflect(value, reflector)
            }
            #[inline]
            fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<$float> {
                floats().complete(sketch, source)
            }
        }
    )*};
}

float_generators! { f32 as F32 with u32, f64 as F64 with u64 }
