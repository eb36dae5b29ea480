use super::any::Generate;
use super::ranged::{self, Ranged, Spread};
use super::wide::{WideSpan, generate_wide, reflect_wide};
use super::{Any, Facts, Generator, Wanted};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Distribution, Drawn, Form, Keep, MixedRun, Source};
use std::borrow::Borrow;
use std::num::NonZero;

/// The integers up to 64 bits, whose ranges are generators: `0..10`, `-5..=5`, `1..`. Those of 128
/// bits have the same order and distribution.
///
/// **Order.** The simplest value of a range is 0 if the range has it, otherwise the end nearest
/// to 0. From there the index counts outward, up and down in turn as long as both sides last: 0,
/// 1, -1, 2, -2, …
///
/// **Distribution.** A range of at most 65,536 values is uniform. In a wider one, and in
/// `any::<i64>()` and its like, small values and boundaries come far more often than chance would
/// have them; see [`Distribution::Mixed`]. [`uniform`](super::uniform) is uniform however wide.
///
/// ```
/// use retrospect::prelude::*;
/// assert_eq!((-5..=5).choices_of(&-2).unwrap().to_string(), "4");
/// assert_eq!((10..20).replay(&Choices::default()), 10);
/// assert!(any::<i64>().samples(1).take(1000).any(|number| number == i64::MIN));
/// ```
pub trait Integer: Ranged + std::str::FromStr + std::fmt::Display {
    /// The smallest.
    ///
    /// ```
    /// # use retrospect::generator::Integer;
    /// # use retrospect::prelude::*;
    /// assert_eq!(<i8 as Integer>::MIN, -128);
    /// ```
    const MIN: Self;
    /// The largest.
    ///
    /// ```
    /// # use retrospect::generator::Integer;
    /// # use retrospect::prelude::*;
    /// assert_eq!(<i8 as Integer>::MAX, 127);
    /// ```
    const MAX: Self;
    #[doc(hidden)]
    fn offset_from(self, low: Self) -> u64;
    #[doc(hidden)]
    fn at_offset(low: Self, offset: u64) -> Self;
    /// How far it lies above `other`, as two's complement says it.
    #[doc(hidden)]
    fn difference(self, other: Self) -> u64;
    /// How far 0 lies above `low`, held to the range 0..=span.
    #[doc(hidden)]
    fn origin_offset(low: Self, span: u64) -> u64;
}

/// The widest range that is drawn uniformly without being asked to.
const WIDEST_UNIFORM: u64 = u16::MAX as u64;

/// A range of integers with its order worked out.
#[derive(Clone, Copy)]
pub(crate) struct Span<T> {
    low: T,
    /// The number of values less one.
    pub(crate) span: u64,
    /// Where the simplest value lies, counted from `low`.
    origin: u64,
}

impl<T: Integer> Span<T> {
    #[inline(always)]
    pub(crate) fn new(low: T, high: T) -> Span<T> {
        let span = high.offset_from(low);
        Span { low, span, origin: T::origin_offset(low, span) }
    }

    /// With another simplest value, which lies between the ends.
    #[inline(always)]
    pub(crate) fn with_origin(self, origin: T) -> Span<T> {
        Span { origin: origin.offset_from(self.low), ..self }
    }

    #[inline(always)]
    pub(crate) fn index_of(self, value: T) -> u64 {
        self.index_of_offset(value.offset_from(self.low))
    }

    /// The same, if the value lies between the ends.
    #[inline(always)]
    fn index_if_between(self, value: T) -> Option<u64> {
        let both = self.origin.min(self.span - self.origin);
        let below = T::at_offset(self.low, self.origin).difference(value);
        match index_on_both_sides(below, both) {
            None => {
                let offset = value.offset_from(self.low);
                (offset <= self.span).then(|| self.offset_on_one_side(offset))
            }
            index => index,
        }
    }

    #[inline(always)]
    pub(crate) fn value_at(self, index: u64) -> T {
        match self.below_origin(index) {
            Some(below) => T::at_offset(T::at_offset(self.low, self.origin), below.wrapping_neg()),
            None => T::at_offset(self.low, self.offset_on_one_side(index)),
        }
    }

    #[inline(always)]
    fn index_of_offset(self, offset: u64) -> u64 {
        let both = self.origin.min(self.span - self.origin);
        let index = index_on_both_sides(self.origin.wrapping_sub(offset), both);
        index.unwrap_or_else(|| self.offset_on_one_side(offset))
    }

    #[inline(always)]
    fn offset_at(self, index: u64) -> u64 {
        match self.below_origin(index) {
            Some(below) => self.origin.wrapping_sub(below),
            None => self.offset_on_one_side(index),
        }
    }

    /// How far below the origin it is, or above if negative, as long as both sides take turns.
    #[inline(always)]
    fn below_origin(self, index: u64) -> Option<u64> {
        let both = self.origin.min(self.span - self.origin);
        // Up or down is up to chance and must not be a branch: it is a sign, which is applied as
        // two's complement does it.
        (index <= 2 * both).then_some((index >> 1) ^ (index & 1).wrapping_neg())
    }

    /// Where one side is used up, the offset of an index is counted from the other end, and so is
    /// the index of an offset.
    #[inline(always)]
    fn offset_on_one_side(self, index: u64) -> u64 {
        let (below, above) = (self.origin, self.span - self.origin);
        if above > below { index } else { self.span - index }
    }

    #[inline(always)]
    fn distribution(self, spread: Spread) -> Distribution {
        match spread {
            Spread::Even => Distribution::Uniform,
            Spread::Usual if self.span <= WIDEST_UNIFORM => Distribution::Uniform,
            Spread::Usual | Spread::Mixed => Distribution::Mixed,
            Spread::Skewed(skew) => skew.distribution(),
        }
    }

    #[inline(always)]
    fn generate(self, source: &mut Source<'_>, distribution: Distribution) -> Drawn<T> {
        let offset = match distribution {
            Distribution::Uniform => {
                source.uniform(self.span, |offset| self.index_of_offset(offset), |index| self.offset_at(index))?
            }
            distribution => self.offset_at(source.number(self.span, distribution)?),
        };
        Ok(T::at_offset(self.low, offset))
    }

    #[inline(always)]
    fn generate_many(
        self,
        source: &mut Source<'_>,
        distribution: Distribution,
        count: usize,
        keep: &mut impl Keep<T>,
    ) -> Drawn<()> {
        if distribution == Distribution::Mixed {
            let mut run = MixedRun::new(self.span);
            return source.drawn_many(
                count,
                |rng| run.draw(rng),
                || (self.span, Distribution::Mixed),
                |index| *index,
                |index| index,
                &mut keep.of(|index| self.value_at(index)),
            );
        }
        source.drawn_many(
            count,
            |rng| T::at_offset(self.low, rng.at_most(self.span)),
            || (self.span, Distribution::Uniform),
            |value| self.index_of(*value),
            |index| self.value_at(index),
            keep,
        )
    }
}

/// The index of what is so far below the origin, or above if negative. As long as both sides take
/// turns, up is odd: 1, 3, 5, … Which side it is must not be a branch: it is up to chance.
#[inline(always)]
fn index_on_both_sides(below: u64, both: u64) -> Option<u64> {
    (below.wrapping_add(both) <= 2 * both).then_some((below << 1) ^ ((below as i64) >> 63) as u64)
}

macro_rules! integer_generators {
    ($($integer:ty as $unsigned:ty),*) => {$(
        impl Integer for $integer {
            const MIN: $integer = <$integer>::MIN;
            const MAX: $integer = <$integer>::MAX;
            #[inline(always)]
            fn offset_from(self, low: $integer) -> u64 {
                self.wrapping_sub(low) as $unsigned as u64
            }
            #[inline(always)]
            fn at_offset(low: $integer, offset: u64) -> $integer {
                low.wrapping_add(offset as $integer)
            }
            #[inline(always)]
            fn difference(self, other: $integer) -> u64 {
                (self as i64).wrapping_sub(other as i64) as u64
            }
            #[inline(always)]
            #[allow(unused_comparisons, reason = "the unsigned types share this code")]
            fn origin_offset(low: $integer, span: u64) -> u64 {
                if low >= 0 { 0 } else { <$integer>::offset_from(0, low).min(span) }
            }
        }

        impl Ranged for $integer {
            const LEAST: $integer = <$integer>::MIN;
            const GREATEST: $integer = <$integer>::MAX;
            const EXPECTED: &'static str = concat!("a number of type ", stringify!($integer));
            #[inline(always)]
            fn before(self) -> Option<$integer> {
                self.checked_sub(1)
            }
            #[inline(always)]
            fn generate_between(
                low: $integer,
                high: $integer,
                spread: Spread,
                source: &mut Source<'_>,
            ) -> Drawn<$integer> {
                let span = Span::new(low, high);
                span.generate(source, span.distribution(spread))
            }
            #[inline(always)]
            fn generate_many_between(
                low: $integer,
                high: $integer,
                spread: Spread,
                source: &mut Source<'_>,
                count: usize,
                keep: &mut impl Keep<$integer>,
            ) -> Drawn<()> {
                let span = Span::new(low, high);
                span.generate_many(source, span.distribution(spread), count, keep)
            }
            #[inline(always)]
            fn reflect_between(
                self,
                low: $integer,
                high: $integer,
                spread: Spread,
                reflector: &mut Reflector,
            ) -> Reflected {
                if reflector.is_accepting() {
                    return Ok(());
                }
                let span = Span::new(low, high);
                reflector.number(span.index_of(self), span.span, span.distribution(spread))
            }
            #[inline(always)]
            fn numbering(low: $integer, high: $integer) -> Option<(u64, impl Fn($integer) -> Option<u64>)> {
                let span = Span::new(low, high);
                Some((span.span, move |value| span.index_if_between(value)))
            }
            #[inline]
            fn generate_from(
                origin: $integer,
                low: $integer,
                high: $integer,
                spread: Spread,
                source: &mut Source<'_>,
            ) -> Drawn<$integer> {
                let span = Span::new(low, high).with_origin(origin);
                span.generate(source, span.distribution(spread))
            }
            #[inline]
            fn reflect_from(
                self,
                origin: $integer,
                low: $integer,
                high: $integer,
                spread: Spread,
                reflector: &mut Reflector,
            ) -> Reflected {
                let span = Span::new(low, high).with_origin(origin);
                reflector.number(span.index_of(self), span.span, span.distribution(spread))
            }
            #[inline]
            fn read(sketch: &Sketch<'_>) -> Option<$integer> {
                sketch.parsed()
            }
        }

        impl Generator for Any<NonZero<$integer>> {
            type Value = NonZero<$integer>;
            #[inline(always)]
            fn facts(&self, wanted: Wanted) -> Facts {
                Facts::NUMBER.known(self, wanted, || {
                    (Form::Number { max: Span::new(<$integer>::MIN, <$integer>::MAX).span - 1 }, None)
                })
            }
            #[inline(always)]
            fn generate(&self, source: &mut Source<'_>) -> Drawn<NonZero<$integer>> {
                let span = Span::new(<$integer>::MIN, <$integer>::MAX);
                // Index 0 of all numbers is 0 itself, and only that.
                let value = span.value_at(source.number(span.span - 1, Distribution::Mixed)? + 1);
                Ok(NonZero::new(value).unwrap_or(NonZero::<$integer>::MIN))
            }
            #[inline(always)]
            fn reflect(&self, value: &NonZero<$integer>, reflector: &mut Reflector) -> Reflected {
                let span = Span::new(<$integer>::MIN, <$integer>::MAX);
                reflector.number(span.index_of(value.get()) - 1, span.span - 1, Distribution::Mixed)
            }
            #[inline]
            fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<NonZero<$integer>> {
                complete_non_zero(self, sketch, source, NonZero::<$integer>::new)
            }
        }
    )*};
}

integer_generators! {
    u8 as u8, u16 as u16, u32 as u32, u64 as u64, usize as usize,
    i8 as u8, i16 as u16, i32 as u32, i64 as u64, isize as usize
}

macro_rules! wide_generators {
    ($($integer:ty),*) => {$(
        impl Ranged for $integer {
            const LEAST: $integer = <$integer>::MIN;
            const GREATEST: $integer = <$integer>::MAX;
            const EXPECTED: &'static str = concat!("a number of type ", stringify!($integer));
            #[inline]
            fn before(self) -> Option<$integer> {
                self.checked_sub(1)
            }
            #[inline]
            fn generate_between(
                low: $integer,
                high: $integer,
                spread: Spread,
                source: &mut Source<'_>,
            ) -> Drawn<$integer> {
                let span = wide_span!($integer, low, high);
                let index = generate_wide(span.span, spread, source)?;
                Ok(low.wrapping_add(span.offset_at(index) as $integer))
            }
            #[inline]
            fn reflect_between(
                self,
                low: $integer,
                high: $integer,
                spread: Spread,
                reflector: &mut Reflector,
            ) -> Reflected {
                let span = wide_span!($integer, low, high);
                reflect_wide(span.index_of(self.wrapping_sub(low) as u128), span.span, spread, reflector)
            }
            #[inline]
            fn generate_from(
                origin: $integer,
                low: $integer,
                high: $integer,
                spread: Spread,
                source: &mut Source<'_>,
            ) -> Drawn<$integer> {
                let span = WideSpan::new(high.wrapping_sub(low) as u128, origin.wrapping_sub(low) as u128);
                let index = generate_wide(span.span, spread, source)?;
                Ok(low.wrapping_add(span.offset_at(index) as $integer))
            }
            #[inline]
            fn reflect_from(
                self,
                origin: $integer,
                low: $integer,
                high: $integer,
                spread: Spread,
                reflector: &mut Reflector,
            ) -> Reflected {
                let span = WideSpan::new(high.wrapping_sub(low) as u128, origin.wrapping_sub(low) as u128);
                reflect_wide(span.index_of(self.wrapping_sub(low) as u128), span.span, spread, reflector)
            }
            #[inline]
            fn read(sketch: &Sketch<'_>) -> Option<$integer> {
                sketch.parsed()
            }
        }

        impl Generator for Any<NonZero<$integer>> {
            type Value = NonZero<$integer>;
            #[inline(always)]
            fn facts(&self, wanted: Wanted) -> Facts {
                Facts::NUMBER.known(self, wanted, || (Form::Unknown, None))
            }
            #[inline]
            fn generate(&self, source: &mut Source<'_>) -> Drawn<NonZero<$integer>> {
                let span = wide_span!($integer, <$integer>::MIN, <$integer>::MAX);
                let index = generate_wide(span.span - 1, Spread::Mixed, source)? + 1;
                let value = <$integer>::MIN.wrapping_add(span.offset_at(index) as $integer);
                Ok(NonZero::new(value).unwrap_or(NonZero::<$integer>::MIN))
            }
            #[inline]
            fn reflect(&self, value: &NonZero<$integer>, reflector: &mut Reflector) -> Reflected {
                let span = wide_span!($integer, <$integer>::MIN, <$integer>::MAX);
                let index = span.index_of(value.get().wrapping_sub(<$integer>::MIN) as u128) - 1;
                reflect_wide(index, span.span - 1, Spread::Mixed, reflector)
            }
            #[inline]
            fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<NonZero<$integer>> {
                complete_non_zero(self, sketch, source, NonZero::<$integer>::new)
            }
        }
    )*};
}

macro_rules! wide_span {
    ($integer:ty, $low:expr, $high:expr) => {{
        #[allow(unused_comparisons, reason = "the unsigned type shares this code")]
        let origin = if $low >= 0 { 0 } else { (0 as $integer).wrapping_sub($low) as u128 };
        WideSpan::new($high.wrapping_sub($low) as u128, origin)
    }};
}

wide_generators! { u128, i128 }

macro_rules! any_integers {
    ($($integer:ty),*) => {$(
        impl Generate for $integer {
            type Generator = Any<$integer>;
            #[inline]
            fn generator() -> Any<$integer> {
                Any::new()
            }
        }

        impl Generator for Any<$integer> {
            type Value = $integer;
            #[inline(always)]
            fn generate(&self, source: &mut Source<'_>) -> Drawn<$integer> {
                <$integer>::generate_between(<$integer>::MIN, <$integer>::MAX, Spread::Mixed, source)
            }
            #[inline(always)]
            fn facts(&self, wanted: Wanted) -> Facts {
                Facts::NUMBER.known(self, wanted, || (ranged::form_of(&(<$integer>::MIN..=<$integer>::MAX)), None))
            }
            #[inline(always)]
            fn generate_many(&self, source: &mut Source<'_>, count: usize, keep: &mut impl Keep<$integer>) -> Drawn<()> {
                let (least, greatest) = (<$integer>::MIN, <$integer>::MAX);
                <$integer>::generate_many_between(least, greatest, Spread::Mixed, source, count, keep)
            }
            #[inline(always)]
            fn reflect_many<I>(&self, values: I, reflector: &mut Reflector) -> Option<Reflected>
            where
                I: Iterator + Clone,
                I::Item: Borrow<$integer>,
            {
                ranged::reflect_many_in(&(<$integer>::MIN..=<$integer>::MAX), Spread::Mixed, values, reflector)
            }
            #[inline(always)]
            fn reflect(&self, value: &$integer, reflector: &mut Reflector) -> Reflected {
                value.reflect_between(<$integer>::MIN, <$integer>::MAX, Spread::Mixed, reflector)
            }
            #[inline]
            fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<$integer> {
                ranged::complete_in(&(<$integer>::MIN..=<$integer>::MAX), Spread::Mixed, sketch, source)
            }
        }

        /// Every number but 0: 1 is the simplest, then (if there are negative ones) -1, 2, -2, …
        impl Generate for NonZero<$integer> {
            type Generator = Any<NonZero<$integer>>;
            #[inline]
            fn generator() -> Any<NonZero<$integer>> {
                Any::new()
            }
        }
    )*};
}

any_integers! { u8, u16, u32, u64, usize, u128, i8, i16, i32, i64, isize, i128 }

#[inline]
fn complete_non_zero<G: Generator, T: Ranged + Default>(
    generator: &G,
    sketch: &Sketch<'_>,
    source: &mut Source<'_>,
    new: impl FnOnce(T) -> Option<G::Value>,
) -> Drawn<G::Value> {
    if sketch.is_hole() {
        return generator.generate(source);
    }
    let Some(value) = T::read(sketch) else {
        return Err(
            source.not_made(sketch.text(), || format!("expected {}, not {}", T::EXPECTED, sketch.kind().describe()))
        );
    };
    new(value).ok_or_else(|| source.not_made(sketch.text(), || "0 is not a non-zero number".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_an_index_where_they_are_between_the_ends_and_nowhere_else() {
        for low in [i8::MIN, -100, -7, -1, 0, 3, 120] {
            for high in [i8::MAX, 100, 6, 1, 0, -1, -120].into_iter().filter(|high| low <= *high) {
                let span = Span::new(low, high);
                for value in i8::MIN..=i8::MAX {
                    let index = span.index_if_between(value);
                    assert_eq!(index.is_some(), (low..=high).contains(&value), "{value} in {low}..={high}");
                    assert_eq!(index.map(|index| span.value_at(index)), index.map(|_| value));
                    assert_eq!(index.map(|index| span.offset_at(index)), index.map(|_| value.offset_from(low)));
                    assert_eq!(index, index.map(|_| span.index_of(value)));
                }
                let in_order = (0..=span.span).map(|index| i16::from(span.value_at(index)).abs());
                assert!(in_order.is_sorted(), "{low}..={high}");
            }
        }
    }

    #[test]
    fn the_widest_ranges_have_an_index_for_their_ends() {
        let (signed, unsigned) = (Span::new(i64::MIN, i64::MAX), Span::new(u64::MIN, u64::MAX));
        for value in [i64::MIN, i64::MIN + 1, -2, -1, 0, 1, 2, i64::MAX - 1, i64::MAX] {
            assert_eq!(signed.index_if_between(value).map(|index| signed.value_at(index)), Some(value));
        }
        for value in [0, 1, u64::MAX - 1, u64::MAX] {
            assert_eq!(unsigned.index_if_between(value), Some(value));
            assert_eq!(unsigned.value_at(value), value);
        }
    }
}
