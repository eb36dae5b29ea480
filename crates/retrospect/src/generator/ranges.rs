//! Ranges as values. (As generators, ranges are in `ranged`.)

use super::Generator;
use super::adapt::go_through;
use super::any::Generate;
use super::options::unexpected;
use super::part;
use super::shape::{Shape, Shapes};
use crate::choice::Site;
use crate::mismatch::Segment;
use crate::reflect::{Probability, Reflected, Reflector, Walk};
use crate::sketch::Sketch;
use crate::source::{Drawn, Source};
use std::cmp::Ordering;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::{Bound, Range, RangeBounds, RangeInclusive};

static RANGE: Site = Site::call("range", file!(), line!());

/// Ranges as values, `start..end` or `start..=end`, whose ends come from a generator.
/// `any::<Range<T>>()` is `range_of(any::<T>())`.
///
/// Any two ends may come together, since `1..0` is a value of the type: a function that takes a
/// range gets it too. A random source draws again, up to three times, while the start lies above
/// the end, so that one range in sixteen or fewer is that way round; the boundary cases with which
/// a property begins try both ways. Where a test is not about such ranges, say `.filter(|range|
/// range.start <= range.end)`. A `RangeInclusive` that was iterated to its end is recalled as no
/// range: nothing but iterating makes one.
///
/// ```
/// use retrospect::generator::range_of;
/// use retrospect::prelude::*;
/// use std::ops::Range;
/// let ranges = range_of::<Range<u8>, _>(0..=9);
/// assert_eq!(ranges.replay(&Choices::default()), 0..0);
/// assert_eq!(ranges.choices_of(&(7..3)).unwrap().to_string(), "(7 3)");
/// assert!(ranges.samples(1).take(100).filter(|range| range.start <= range.end).count() > 80);
/// ```
#[inline]
pub fn range_of<R: TwoEnds, G: Generator<Value = R::End>>(end: G) -> RangeOf<R, G> {
    RangeOf { end, range: PhantomData }
}

/// The generator made by [`range_of`].
///
/// ```
/// use retrospect::generator::{Any, RangeOf, range_of};
/// use retrospect::prelude::*;
/// use std::ops::Range;
/// fn spans() -> RangeOf<Range<u8>, Any<u8>> {
///     range_of(any::<u8>())
/// }
/// assert_eq!(spans().choices_of(&(3..7)).unwrap().to_string(), "(3 7)");
/// ```
pub struct RangeOf<R, G> {
    end: G,
    range: PhantomData<fn() -> R>,
}

impl<R, G: Clone> Clone for RangeOf<R, G> {
    #[inline]
    fn clone(&self) -> RangeOf<R, G> {
        RangeOf { end: self.end.clone(), range: PhantomData }
    }
}

impl<R, G: Copy> Copy for RangeOf<R, G> {}

impl<R, G: Debug> Debug for RangeOf<R, G> {
    #[inline]
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "range_of::<{}>({:?})", std::any::type_name::<R>(), self.end)
    }
}

/// The ranges with two ends: [`Range`] and [`RangeInclusive`].
///
/// ```
/// use retrospect::generator::TwoEnds;
/// use retrospect::prelude::*;
/// assert_eq!((1..=2).both_ends(), Ok((&1, &2)));
/// ```
pub trait TwoEnds: Debug {
    /// The type of the ends.
    type End: Debug + PartialOrd;
    /// The range from one end to the other.
    ///
    /// ```
    /// # use retrospect::generator::TwoEnds;
    /// # use retrospect::prelude::*;
    /// assert_eq!(std::ops::Range::from_ends(3, 7), 3..7);
    /// ```
    fn from_ends(start: Self::End, end: Self::End) -> Self;
    /// Both ends, or why the range is more than its ends.
    ///
    /// ```
    /// # use retrospect::generator::TwoEnds;
    /// # use retrospect::prelude::*;
    /// let mut range = 5..=5;
    /// assert!(range.both_ends().is_ok());
    /// range.next();
    /// assert!(range.both_ends().is_err(), "it is used up, which its ends do not show");
    /// ```
    fn both_ends(&self) -> Result<(&Self::End, &Self::End), &'static str>;
    /// Whether the last value belongs to it.
    ///
    /// ```
    /// # use retrospect::generator::TwoEnds;
    /// # use retrospect::prelude::*;
    /// use std::ops::{Range, RangeInclusive};
    /// assert!(RangeInclusive::<u8>::IS_INCLUSIVE && !Range::<u8>::IS_INCLUSIVE);
    /// ```
    const IS_INCLUSIVE: bool;
}

impl<T: Debug + PartialOrd> TwoEnds for Range<T> {
    type End = T;
    #[inline]
    fn from_ends(start: T, end: T) -> Range<T> {
        start..end
    }
    #[inline]
    fn both_ends(&self) -> Result<(&T, &T), &'static str> {
        Ok((&self.start, &self.end))
    }
    const IS_INCLUSIVE: bool = false;
}

impl<T: Debug + PartialOrd> TwoEnds for RangeInclusive<T> {
    type End = T;
    #[inline]
    fn from_ends(start: T, end: T) -> RangeInclusive<T> {
        start..=end
    }
    #[inline]
    fn both_ends(&self) -> Result<(&T, &T), &'static str> {
        // An exhausted range says that its end is excluded.
        match self.end_bound() {
            Bound::Included(end) => Ok((self.start(), end)),
            _ => Err("it was iterated to its end"),
        }
    }
    const IS_INCLUSIVE: bool = true;
}

/// How often ends the wrong way round are drawn again.
const TRIES: u32 = 3;

impl<R: TwoEnds, G: Generator<Value = R::End>> RangeOf<R, G> {
    /// How likely two ends are the wrong way round: the sum over all pairs.
    #[cold]
    fn chance_of_wrong_way(&self, reflector: &mut Reflector) -> Result<Probability, String> {
        let unknown = |why: &str| {
            format!(
                "how often the ends of a range are the wrong way round, and drawn again, is found only by going through all of them: {why}"
            )
        };
        if reflector.has_weights() {
            return Err(unknown("they are drawn by weights"));
        }
        let mut ends: Vec<(R::End, Probability)> = Vec::new();
        let mut add = |end, walk: &Walk| ends.push((end, walk.probability()));
        go_through(&self.end, Walk::default(), reflector, &mut add).map_err(|why| unknown(&why))?;
        if ends.len() > MOST_ENDS {
            return Err(unknown(&format!("there are more than {MOST_ENDS}")));
        }
        let mut sum = Probability::never();
        for (start, chance) in &ends {
            let mut below = Probability::never();
            for (end, chance) in &ends {
                if !matches!(start.partial_cmp(end), Some(Ordering::Less | Ordering::Equal)) {
                    below = &below + chance;
                }
            }
            sum = &sum + &(chance * &below);
        }
        Ok(sum)
    }
}

/// How many ends are compared with each other.
const MOST_ENDS: usize = 1 << 8;

impl<R: TwoEnds, G: Generator<Value = R::End>> Generator for RangeOf<R, G> {
    type Value = R;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<R> {
        source.call(&RANGE, |source| {
            let mark = source.mark();
            let mut tries = if source.may_retry() { TRIES } else { 0 };
            loop {
                let start = part(&self.end, source)?;
                let end = part(&self.end, source)?;
                if start <= end || tries == 0 {
                    return Ok(R::from_ends(start, end));
                }
                tries -= 1;
                source.forget(mark);
            }
        })
    }

    #[inline]
    fn reflect(&self, value: &R, reflector: &mut Reflector) -> Reflected {
        let (start, end) = match value.both_ends() {
            Ok(ends) => ends,
            Err(problem) => return reflector.mismatch(value, || problem.to_owned()),
        };
        if reflector.is_weighing() {
            let wrong_ways = self.chance_of_wrong_way(reflector);
            let is_right = start <= end;
            reflector.weigh_by(wrong_ways.map(|wrong| {
                // Once more for each time that others came the wrong way round; what comes last is
                // taken as it is.
                let (mut sum, mut power) = (Probability::never(), Probability::certain());
                for _ in 0..TRIES {
                    sum = &sum + &power;
                    power = &power * &wrong;
                }
                if is_right { &sum + &power } else { power }
            }));
        }
        reflector.call(
            &RANGE,
            || None,
            std::ptr::from_ref(value).cast(),
            |reflector| {
                reflector.part(Segment::Field("start"), |reflector| self.end.reflect(start, reflector))?;
                reflector.part(Segment::Field("end"), |reflector| self.end.reflect(end, reflector))
            },
        )
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<R> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let parts = sketch.range().filter(|range| range.inclusive == R::IS_INCLUSIVE);
        let Some((start, end)) = parts.and_then(|range| Some((range.start?, range.end?))) else {
            let expected = if R::IS_INCLUSIVE { "a range such as 1..=2" } else { "a range such as 1..2" };
            return Err(unexpected(expected, sketch, source));
        };
        let start = source.at(Segment::Field("start"), |source| self.end.complete(&start, source))?;
        let end = source.at(Segment::Field("end"), |source| self.end.complete(&end, source))?;
        Ok(R::from_ends(start, end))
    }
}

macro_rules! generate_ranges {
    ($($range:ident),*) => {$(
        /// Any two ends; see [`range_of`].
        impl<T: Generate + PartialOrd> Generate for $range<T> {
            type Generator = RangeOf<$range<T>, T::Generator>;
            #[inline]
            fn generator() -> Self::Generator {
                range_of(T::generator())
            }
            #[inline]
            fn shape(shapes: &mut Shapes) -> Shape {
                let ends = vec![T::shape(shapes), T::shape(shapes)];
                shapes.all(ends)
            }
        }
    )*};
}

generate_ranges! { Range, RangeInclusive }
