use super::skew::Skew;
use super::{Facts, Generator, Skewed, Wanted};
use crate::reflect::{Mismatch, Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Form, Keep, Source, Stop, Why};
use std::borrow::Borrow;
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::{Range, RangeFrom, RangeInclusive, RangeToInclusive};

/// The types whose ranges are generators: integers, floats and `char`.
///
/// `low..high`, `low..=high`, `low..` and `..=high` make the values between their ends. How they
/// are ordered and drawn, each type says: see [`Integer`](super::Integer),
/// [`floats`](super::floats) and [`string_of`](super::string_of).
///
/// ```
/// use retrospect::prelude::*;
/// assert_eq!((5..).replay(&Choices::default()), 5u8);
/// assert!(('a'..='z').accepts(&'q'));
/// assert!((0.0..1.0).accepts(&0.5));
/// assert_eq!((0..=10).choices_of(&12).unwrap_err().reason(), "12 is not in 0..=10");
/// ```
pub trait Ranged: Copy + Debug + PartialOrd + 'static {
    #[doc(hidden)]
    const LEAST: Self;
    #[doc(hidden)]
    const GREATEST: Self;
    #[doc(hidden)]
    const EXPECTED: &'static str;
    /// The greatest value that is smaller.
    #[doc(hidden)]
    fn before(self) -> Option<Self>;
    #[doc(hidden)]
    #[inline(always)]
    fn are_ends(low: Self, high: Self) -> bool {
        low <= high
    }
    #[doc(hidden)]
    #[inline(always)]
    fn is_between(self, low: Self, high: Self) -> bool {
        low <= self && self <= high
    }
    #[doc(hidden)]
    fn generate_between(low: Self, high: Self, spread: Spread, source: &mut Source<'_>) -> Drawn<Self>;
    #[doc(hidden)]
    #[inline(always)]
    fn generate_many_between(
        low: Self,
        high: Self,
        spread: Spread,
        source: &mut Source<'_>,
        count: usize,
        keep: &mut impl Keep<Self>,
    ) -> Drawn<()> {
        for _ in 0..count {
            keep.keep(
                source
                    .free_part(|| form_of(&(low..=high)), |source| Self::generate_between(low, high, spread, source))?,
            );
        }
        Ok(())
    }
    /// Only asked of a value between the ends.
    #[doc(hidden)]
    fn reflect_between(self, low: Self, high: Self, spread: Spread, reflector: &mut Reflector) -> Reflected;
    /// The largest index there is between the ends, and the index of a value if it is between them,
    /// if one number is all that is noted of a value.
    #[doc(hidden)]
    #[inline(always)]
    fn numbering(_low: Self, _high: Self) -> Option<(u64, impl Fn(Self) -> Option<u64>)> {
        None::<(u64, fn(Self) -> Option<u64>)>
    }
    /// The largest index there is between the ends, if one number is all that is asked for.
    #[doc(hidden)]
    fn last_index(low: Self, high: Self) -> Option<u64> {
        Self::numbering(low, high).map(|(max, _)| max)
    }
    /// Like [`generate_between`](Ranged::generate_between), where `origin`, which lies between the
    /// ends, is the simplest.
    #[doc(hidden)]
    fn generate_from(origin: Self, low: Self, high: Self, spread: Spread, source: &mut Source<'_>) -> Drawn<Self>;
    /// The way back of [`generate_from`](Ranged::generate_from).
    #[doc(hidden)]
    fn reflect_from(self, origin: Self, low: Self, high: Self, spread: Spread, reflector: &mut Reflector) -> Reflected;
    #[doc(hidden)]
    fn read(sketch: &Sketch<'_>) -> Option<Self>;
}

/// How a range is drawn.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// As the type does without being asked.
    Usual,
    /// Evenly.
    Even,
    /// Small values and boundaries more often.
    Mixed,
    /// Bent towards the simplest, or away from it.
    Skewed(Skew),
}

/// The ranges that are generators: `low..high`, `low..=high`, `low..` and `..=high`.
///
/// ```
/// use retrospect::generator::Uniform;
/// use retrospect::prelude::*;
/// fn evenly<R: Ends>(range: R) -> Uniform<R> {
///     uniform(range)
/// }
/// assert!(evenly(0..10).sample(1) < 10);
/// ```
pub trait Ends: Debug + Clone {
    /// What it is a range of.
    type Item: Ranged;
    /// The first and the last value, or none if the range is empty.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// assert_eq!((0..10).ends(), Some((0, 9)));
    /// assert_eq!((250u8..).ends(), Some((250, 255)));
    /// assert_eq!((5..5).ends(), None);
    /// ```
    fn ends(&self) -> Option<(Self::Item, Self::Item)>;

    /// The same values in another order: `origin` is the simplest, and the nearer to it, the
    /// simpler.
    ///
    /// Both sides take turns, above first, until one of them is used up: from 3 in `0..=9` that is
    /// 3, 4, 2, 5, 1, 6, 0, 7, 8, 9. Characters are ordered by their codes then. Floats keep their
    /// order of whole numbers before fractions and short fractions before long ones, and are
    /// ordered from the origin outward within each of these. What is drawn at random stays as it is
    /// for integers of a range that is not too wide; where small numbers are drawn more often, it
    /// is now those near the origin.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let degrees = (-90..=90).origin(20);
    /// assert_eq!(degrees.replay(&Choices::default()), 20);
    /// assert_eq!(degrees.shrink(85, |degree| *degree > 30).unwrap().value, 31);
    /// assert_eq!(degrees.shrink(-70, |degree| *degree < 15).unwrap().value, 14);
    /// assert_eq!((0.0..=9.0).origin(2.5).shrink(8.73, |number| *number > 4.0).unwrap().value, 5.0);
    /// ```
    ///
    /// An origin that is not in the range is an error when a value is made, looked at or read.
    #[inline]
    fn origin(self, origin: Self::Item) -> Skewed<Self>
    where
        Self: Sized,
    {
        Skewed::new(self, Spread::Usual).origin(origin)
    }

    /// The same values, drawn with a bias: a positive skew draws values near the simplest more
    /// often, a negative one those far from it, and 0 draws evenly. What can be made, and in which
    /// order it is simple, stays the same.
    ///
    /// The simplest value is the [`origin`](Ends::origin), or without one that of the range itself.
    /// A value lies as far from it as 1 - (1 - x^p)^(1/p) says, where x is drawn evenly and p is
    /// the skew plus 1; for a negative skew the curve is read the other way round. Of the numbers
    /// `0..100`, a skew of 1 draws half below 14, and 5 half below 1; -1 draws half above 86.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let below_20 = |skew: f64| (0..100).skewed(skew).samples(1).take(1000).filter(|number| *number < 20).count();
    /// assert!((150..250).contains(&below_20(0.0)));
    /// assert!(below_20(1.0) > 500 && below_20(-1.0) < 50);
    /// ```
    ///
    /// A skew that is infinite or no number is an error when a value is made, looked at or read.
    #[inline]
    fn skewed(self, skew: f64) -> Skewed<Self>
    where
        Self: Sized,
    {
        Skewed::new(self, Spread::Usual).skewed(skew)
    }
}

impl<T: Ranged> Ends for Range<T> {
    type Item = T;
    #[inline(always)]
    fn ends(&self) -> Option<(T, T)> {
        if self.start < self.end { self.end.before().map(|last| (self.start, last)) } else { None }
    }
}

impl<T: Ranged> Ends for RangeInclusive<T> {
    type Item = T;
    #[inline(always)]
    fn ends(&self) -> Option<(T, T)> {
        T::are_ends(*self.start(), *self.end()).then_some((*self.start(), *self.end()))
    }
}

impl<T: Ranged> Ends for RangeFrom<T> {
    type Item = T;
    #[inline(always)]
    fn ends(&self) -> Option<(T, T)> {
        T::are_ends(self.start, T::GREATEST).then_some((self.start, T::GREATEST))
    }
}

impl<T: Ranged> Ends for RangeToInclusive<T> {
    type Item = T;
    #[inline(always)]
    fn ends(&self) -> Option<(T, T)> {
        T::are_ends(T::LEAST, self.end).then_some((T::LEAST, self.end))
    }
}

#[inline(always)]
pub(super) fn generate_in<R: Ends>(range: &R, spread: Spread, source: &mut Source<'_>) -> Drawn<R::Item> {
    match range.ends() {
        Some((low, high)) => R::Item::generate_between(low, high, spread, source),
        None => Err(stop_empty(range.clone(), source)),
    }
}

#[inline(always)]
fn generate_many_in<R: Ends>(
    range: &R,
    spread: Spread,
    source: &mut Source<'_>,
    count: usize,
    keep: &mut impl Keep<R::Item>,
) -> Drawn<()> {
    match range.ends() {
        Some((low, high)) => R::Item::generate_many_between(low, high, spread, source, count, keep),
        None => Err(stop_empty(range.clone(), source)),
    }
}

#[inline(always)]
pub(super) fn reflect_in<R: Ends>(range: &R, spread: Spread, value: R::Item, reflector: &mut Reflector) -> Reflected {
    match range.ends() {
        Some((low, high)) if value.is_between(low, high) => value.reflect_between(low, high, spread, reflector),
        _ => refuse(range.clone(), value, reflector),
    }
}

/// Each number is one node, so no part needs a bracket of its own.
#[inline(always)]
pub(super) fn reflect_many_in<R: Ends, I>(
    range: &R,
    spread: Spread,
    mut values: I,
    reflector: &mut Reflector,
) -> Option<Reflected>
where
    I: Iterator + Clone,
    I::Item: Borrow<R::Item>,
{
    // Reasons are given with the place of each part.
    if reflector.is_explaining() || reflector.is_weighing() {
        return None;
    }
    let (low, high) = range.ends()?;
    if let Some((bound, index_of)) = R::Item::numbering(low, high) {
        let mut is_made = true;
        match reflector.is_accepting() {
            true => is_made = values.all(|value| value.borrow().is_between(low, high)),
            // In one go: nearly always all are between the ends.
            false => reflector.numbers(
                bound,
                values.map(|value| {
                    index_of(*value.borrow()).unwrap_or_else(|| {
                        is_made = false;
                        0
                    })
                }),
            ),
        }
        return Some(if is_made { Ok(()) } else { Err(Mismatch) });
    }
    Some(values.try_for_each(|value| {
        let value = *value.borrow();
        match value.is_between(low, high) {
            true => value.reflect_between(low, high, spread, reflector),
            false => Err(Mismatch),
        }
    }))
}

/// Apart, and with the range by value: where its address is known, the compiler does not take its
/// ends for the constants they mostly are.
#[cold]
#[inline(never)]
fn stop_empty<R: Ends>(range: R, source: &mut Source<'_>) -> Stop {
    source.stop(Why::Invalid(empty_range(&range)))
}

#[cold]
#[inline(never)]
fn refuse<R: Ends>(range: R, value: R::Item, reflector: &mut Reflector) -> Reflected {
    match range.ends() {
        Some(_) => reflector.mismatch(&value, || format!("{value:?} is not in {range:?}")),
        None => reflector.mismatch(&value, || empty_range(&range)),
    }
}

pub(super) fn complete_in<R: Ends>(
    range: &R,
    spread: Spread,
    sketch: &Sketch<'_>,
    source: &mut Source<'_>,
) -> Drawn<R::Item> {
    if sketch.is_hole() {
        return generate_in(range, spread, source);
    }
    let Some(value) = R::Item::read(sketch) else {
        let is_whole = |text: &str| {
            let digits = text.strip_prefix('-').unwrap_or(text);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        let (text, expected) = (sketch.text(), R::Item::EXPECTED);
        return Err(source.not_made(text, || match is_whole(text) && is_whole(&format!("{:?}", R::Item::GREATEST)) {
            // Too large for the type.
            true => format!("{text} is not in {range:?}"),
            false => format!("expected {expected}, not {}", sketch.kind().describe()),
        }));
    };
    match range.ends() {
        Some((low, high)) if value.is_between(low, high) => Ok(value),
        Some(_) => Err(source.not_made(sketch.text(), || format!("{value:?} is not in {range:?}"))),
        None => Err(source.not_made(sketch.text(), || empty_range(range))),
    }
}

pub(super) fn empty_range(range: &impl Debug) -> String {
    let text = format!("{range:?}");
    let reason = if text.contains("..=") {
        "its lower end is above its upper end"
    } else {
        "its lower end is not below its upper end"
    };
    format!("the range {text} is empty: {reason}")
}

/// One number, if the type takes no more.
pub(super) fn form_of<R: Ends>(range: &R) -> Form {
    let Some((low, high)) = range.ends() else { return Form::Unknown };
    R::Item::last_index(low, high).map_or(Form::Unknown, |max| Form::Number { max })
}

/// Each value is one number, unless several indexes make the same value. Ends are printed so that
/// they can be read again, so the text of a range identifies it.
#[inline(always)]
pub(super) fn facts_of_range<R: Ends>(generator: &impl Generator, range: &R, wanted: Wanted) -> Facts {
    let has_one_way = range.ends().is_some_and(|(low, high)| R::Item::numbering(low, high).is_some());
    Facts { has_one_way, ..Facts::NUMBER }.known(generator, wanted, || {
        let mut hash = DefaultHasher::new();
        format!("{range:?}").hash(&mut hash);
        (form_of(range), Some(hash.finish()))
    })
}

macro_rules! range_generators {
    ($($range:ident)*) => {$(
        impl<T: Ranged> Generator for $range<T> {
            type Value = T;
            #[inline(always)]
            fn generate(&self, source: &mut Source<'_>) -> Drawn<T> {
                generate_in(self, Spread::Usual, source)
            }
            #[inline(always)]
            fn facts(&self, wanted: Wanted) -> Facts {
                facts_of_range(self, self, wanted)
            }
            #[inline(always)]
            fn generate_many(&self, source: &mut Source<'_>, count: usize, keep: &mut impl Keep<T>) -> Drawn<()> {
                generate_many_in(self, Spread::Usual, source, count, keep)
            }
            #[inline(always)]
            fn reflect_many<I>(&self, values: I, reflector: &mut Reflector) -> Option<Reflected>
            where
                I: Iterator + Clone,
                I::Item: Borrow<T>,
            {
                reflect_many_in(self, Spread::Usual, values, reflector)
            }
            #[inline(always)]
            fn reflect(&self, value: &T, reflector: &mut Reflector) -> Reflected {
                reflect_in(self, Spread::Usual, *value, reflector)
            }
            #[inline]
            fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<T> {
                complete_in(self, Spread::Usual, sketch, source)
            }
        }
    )*};
}

range_generators! { Range RangeInclusive RangeFrom RangeToInclusive }

/// A range as a generator and nothing else. A range is an iterator too, so `(0..10).map(…)` and
/// `(0..10).filter(…)` are iterators; with this they are generators.
///
/// ```
/// use retrospect::prelude::*;
/// let even = within(0..100).filter(|number| number % 2 == 0);
/// assert!(even.accepts(&42) && !even.accepts(&43));
/// ```
#[inline(always)]
pub fn within<R: Ends>(range: R) -> Within<R> {
    Within { range }
}

/// The generator made by [`within`].
///
/// ```
/// use retrospect::generator::Within;
/// use retrospect::prelude::*;
/// fn digits() -> Within<std::ops::Range<u8>> {
///     within(0..10)
/// }
/// assert!(digits().accepts(&9) && !digits().accepts(&10));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Within<R> {
    range: R,
}

impl<R: Ends> Within<R> {
    /// The same values in another order, `origin` being the simplest; see [`Ends::origin`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert_eq!(within(0..=100).origin(50).replay(&Choices::default()), 50);
    /// ```
    #[inline]
    pub fn origin(self, origin: R::Item) -> Skewed<R> {
        self.range.origin(origin)
    }

    /// The same values, those near the simplest drawn more often, or more seldom; see
    /// [`Ends::skewed`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let mostly_small = within(0..1000).skewed(4.0);
    /// assert!(mostly_small.samples(1).take(100).filter(|number| *number < 100).count() > 70);
    /// ```
    #[inline]
    pub fn skewed(self, skew: f64) -> Skewed<R> {
        self.range.skewed(skew)
    }
}

/// A range of which every value is as likely as the others, however wide it is. A range of floats
/// is spread evenly over the numbers between its ends.
///
/// The values, their order and their choices are those of the range itself; only what a random
/// source draws differs.
///
/// ```
/// use retrospect::prelude::*;
/// let numbers = uniform(i64::MIN..=i64::MAX);
/// let large = numbers.samples(1).take(1000).filter(|number| number.abs() > 1 << 60).count();
/// assert!(large > 800);
/// assert_eq!(numbers.choices_of(&-2).unwrap(), any::<i64>().choices_of(&-2).unwrap());
/// ```
#[inline(always)]
pub fn uniform<R: Ends>(range: R) -> Uniform<R> {
    Uniform { range }
}

/// The generator made by [`uniform`].
///
/// ```
/// use retrospect::generator::Uniform;
/// use retrospect::prelude::*;
/// fn keys() -> Uniform<std::ops::RangeInclusive<u64>> {
///     uniform(1..=u64::MAX)
/// }
/// assert!(keys().accepts(&1) && !keys().accepts(&0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Uniform<R> {
    range: R,
}

impl<R: Ends> Uniform<R> {
    /// The same values in another order, `origin` being the simplest, and each as likely as the
    /// others; see [`Ends::origin`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let numbers = uniform(0..=u64::MAX).origin(1 << 63);
    /// assert_eq!(numbers.replay(&Choices::default()), 1 << 63);
    /// ```
    #[inline]
    pub fn origin(self, origin: R::Item) -> Skewed<R> {
        Skewed::new(self.range, Spread::Even).origin(origin)
    }
}

macro_rules! range_wrappers {
    ($($wrapper:ident $spread:ident)*) => {$(
        impl<R: Ends> Generator for $wrapper<R> {
            type Value = R::Item;
            #[inline(always)]
            fn generate(&self, source: &mut Source<'_>) -> Drawn<R::Item> {
                generate_in(&self.range, Spread::$spread, source)
            }
            #[inline(always)]
            fn facts(&self, wanted: Wanted) -> Facts {
                facts_of_range(self, &self.range, wanted)
            }
            #[inline(always)]
            fn generate_many(&self, source: &mut Source<'_>, count: usize, keep: &mut impl Keep<R::Item>) -> Drawn<()> {
                generate_many_in(&self.range, Spread::$spread, source, count, keep)
            }
            #[inline(always)]
            fn reflect_many<I>(&self, values: I, reflector: &mut Reflector) -> Option<Reflected>
            where
                I: Iterator + Clone,
                I::Item: Borrow<R::Item>,
            {
                reflect_many_in(&self.range, Spread::$spread, values, reflector)
            }
            #[inline(always)]
            fn reflect(&self, value: &R::Item, reflector: &mut Reflector) -> Reflected {
                reflect_in(&self.range, Spread::$spread, *value, reflector)
            }
            #[inline]
            fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<R::Item> {
                complete_in(&self.range, Spread::$spread, sketch, source)
            }
        }
    )*};
}

range_wrappers! { Uniform Even Within Usual }
