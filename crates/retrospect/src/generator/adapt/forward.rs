use super::bind::complete_bound;
use super::{debug_by_place, written};
use crate::choice::Site;
use crate::generator::{Generator, free_part, part};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Source};
use std::fmt::Debug;
use std::panic::Location;

/// Combinators that go forward only, as their namesakes elsewhere do. All generators have them.
///
/// What they make generates, replays and shrinks by its recorded choices, but a value cannot be
/// reflected: nothing says how to undo the closure. Each names the combinator that can.
///
/// They take the generator by reference and clone it, as [`map`](Generator::map) does:
/// `(0..10).flat_map(…)` is an iterator, `within(0..10).flat_map(…)` a generator.
///
/// ```
/// use retrospect::prelude::*;
/// let lists = within(1..=3).flat_map(|length| vec_of(0..10, length));
/// assert!(lists.samples(1).take(20).all(|list| (1..=3).contains(&list.len())));
/// ```
pub trait ForwardOnly: Generator {
    /// A value of the generator that `then` makes of each value.
    ///
    /// [`bind_with_focus`](Generator::bind_with_focus) also goes backward, as does a `#[generator]`
    /// in which a later `draw` uses an earlier one.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let lists = within(0..=5_usize).flat_map(|length| vec_of(any::<bool>(), length));
    /// assert_eq!(lists.replay(&"(2 [1:true 0:false])".parse().unwrap()), [true, false]);
    /// let reason = lists.choices_of(&vec![true]).unwrap_err().reason().to_owned();
    /// assert!(reason.ends_with("has no way back: use bind_with_focus"));
    /// ```
    #[track_caller]
    fn flat_map<G, F>(&self, then: F) -> FlatMap<Self, F>
    where
        Self: Sized + Clone,
        G: Generator,
        F: Fn(Self::Value) -> G,
    {
        let place = Location::caller();
        FlatMap { first: self.clone(), then, site: Site::at("flat_map", &[], place), place }
    }

    /// What `make` makes of each value for which it makes something. Other values are drawn again,
    /// as by [`filter`](Generator::filter).
    ///
    /// `filter` followed by [`map_with_inverse`](Generator::map_with_inverse) also goes backward.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let digits = any::<char>().filter_map(|character| character.to_digit(10));
    /// assert!(digits.samples(1).take(20).all(|digit| digit < 10));
    /// ```
    #[track_caller]
    fn filter_map<U, F>(&self, make: F) -> FilterMap<Self, F>
    where
        Self: Sized + Clone,
        U: Debug,
        F: Fn(Self::Value) -> Option<U>,
    {
        FilterMap { inner: self.clone(), make, place: Location::caller() }
    }
}

impl<G: Generator> ForwardOnly for G {}

/// The generator made by [`flat_map`](ForwardOnly::flat_map): forward only.
///
/// ```
/// use retrospect::generator::{Any, FlatMap};
/// use retrospect::prelude::*;
/// use std::ops::Range;
/// fn below() -> FlatMap<Any<u8>, fn(u8) -> Range<u16>> {
///     any::<u8>().flat_map(|number| 0..u16::from(number) + 1)
/// }
/// assert!(below().sample(1) < 256);
/// ```
#[derive(Clone)]
pub struct FlatMap<G, F> {
    first: G,
    then: F,
    site: &'static Site,
    place: &'static Location<'static>,
}

impl<G: Generator, H: Generator, F: Fn(G::Value) -> H> Generator for FlatMap<G, F> {
    type Value = H::Value;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<H::Value> {
        source.call(self.site, |source| {
            let then = (self.then)(part(&self.first, source)?);
            free_part(&then, source)
        })
    }

    fn reflect(&self, value: &H::Value, reflector: &mut Reflector) -> Reflected {
        let reason = || format!("`flat_map` at {} has no way back: use bind_with_focus", written(self.place));
        reflector.forward_only(value, reason)
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<H::Value> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        complete_bound(&self.first, &self.then, self.site, self.place, sketch, source)
    }
}

/// The generator made by [`filter_map`](ForwardOnly::filter_map): forward only.
///
/// ```
/// use retrospect::generator::{Any, FilterMap};
/// use retrospect::prelude::*;
/// fn halves() -> FilterMap<Any<u8>, fn(u8) -> Option<u8>> {
///     any::<u8>().filter_map(|number| (number % 2 == 0).then_some(number / 2))
/// }
/// assert!(halves().sample(1) < 128);
/// ```
#[derive(Clone)]
pub struct FilterMap<G, F> {
    inner: G,
    make: F,
    place: &'static Location<'static>,
}

impl<G, F> FilterMap<G, F> {
    fn reason(&self) -> String {
        format!("`filter_map` at {} has no inverse: use filter and map_with_inverse", written(self.place))
    }
}

impl<G: Generator, U: Debug, F: Fn(G::Value) -> Option<U>> Generator for FilterMap<G, F> {
    type Value = U;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<U> {
        source.attempt(self.place, |source| Ok((self.make)(self.inner.generate(source)?)))
    }

    fn reflect(&self, value: &U, reflector: &mut Reflector) -> Reflected {
        reflector.forward_only(value, || self.reason())
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<U> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        Err(source.not_made(sketch.text(), || self.reason()))
    }
}

debug_by_place! { "flat_map" FlatMap<G, F>; "filter_map" FilterMap<G, F>; }
