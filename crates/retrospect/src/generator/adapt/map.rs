use super::{debug_by_place, written};
use crate::generator::{Facts, Generator, Wanted};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Source};
use std::fmt::{self, Debug, Write};
use std::panic::Location;

/// The generator made by [`map`](Generator::map): forward only.
///
/// ```
/// use retrospect::generator::{Map, Within};
/// use retrospect::prelude::*;
/// fn squares() -> Map<Within<std::ops::Range<u32>>, fn(u32) -> u32> {
///     within(0..10).map(|number| number * number)
/// }
/// assert_eq!(squares().replay(&"7".parse().unwrap()), 49);
/// ```
#[derive(Clone)]
pub struct Map<G, F> {
    inner: G,
    make: F,
    place: &'static Location<'static>,
}

/// The generator made by [`map_with_inverse`](Generator::map_with_inverse).
///
/// ```
/// use retrospect::generator::{Any, MapWithInverse};
/// use retrospect::prelude::*;
/// fn negated() -> MapWithInverse<Any<bool>, fn(bool) -> bool, fn(&bool) -> Option<bool>> {
///     any::<bool>().map_with_inverse(|yes| !yes, |no| Some(!no))
/// }
/// assert_eq!(negated().choices_of(&true).unwrap().to_string(), "0:false");
/// ```
#[derive(Clone)]
pub struct MapWithInverse<G, F, I> {
    inner: G,
    make: F,
    inverse: I,
    place: &'static Location<'static>,
}

/// The generator made by [`map_with_focus`](Generator::map_with_focus).
///
/// ```
/// use retrospect::generator::{Any, MapWithFocus};
/// use retrospect::prelude::*;
/// #[derive(Debug)]
/// struct Age(u8);
/// fn ages() -> MapWithFocus<Any<u8>, fn(u8) -> Age, fn(&Age) -> Option<&u8>> {
///     any::<u8>().map_with_focus(Age, |age| Some(&age.0))
/// }
/// assert_eq!(ages().choices_of(&Age(30)).unwrap().to_string(), "30");
/// ```
#[derive(Clone)]
pub struct MapWithFocus<G, F, I> {
    inner: G,
    make: F,
    focus: I,
    place: &'static Location<'static>,
}

impl<G, F> Map<G, F> {
    pub(in crate::generator) fn new(inner: G, make: F, place: &'static Location<'static>) -> Map<G, F> {
        Map { inner, make, place }
    }

    fn reason(&self) -> String {
        format!("`map` at {} has no inverse: use map_with_inverse", written(self.place))
    }
}

impl<G: Generator, U: Debug, F: Fn(G::Value) -> U> Generator for Map<G, F> {
    type Value = U;

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { has_one_way: false, identity: None, ..self.inner.facts(wanted) }
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<U> {
        Ok((self.make)(self.inner.generate(source)?))
    }

    #[inline]
    fn reflect(&self, value: &U, reflector: &mut Reflector) -> Reflected {
        reflector.forward_only(value, || self.reason())
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<U> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        Err(source.not_made(sketch.text(), || self.reason()))
    }
}

impl<G, F, I> MapWithInverse<G, F, I> {
    pub(in crate::generator) fn new(inner: G, make: F, inverse: I, place: &'static Location<'static>) -> Self {
        MapWithInverse { inner, make, inverse, place }
    }
}

impl<G, U, F, I> Generator for MapWithInverse<G, F, I>
where
    G: Generator,
    U: Debug,
    F: Fn(G::Value) -> U,
    I: Fn(&U) -> Option<G::Value>,
{
    type Value = U;

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { has_one_way: false, identity: None, ..self.inner.facts(wanted) }
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<U> {
        Ok((self.make)(self.inner.generate(source)?))
    }

    #[inline]
    fn reflect(&self, value: &U, reflector: &mut Reflector) -> Reflected {
        match (self.inverse)(value) {
            Some(origin) => {
                reflector.on_temporary_value(&origin, |reflector, origin| self.inner.reflect(origin, reflector))
            }
            None => reflector.mismatch(value, || no_origin("inverse", self.place)),
        }
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<U> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        read_wrapped(&self.inner, &self.make, sketch, source, || no_reader("map_with_inverse", self.place))
    }
}

impl<G, F, I> MapWithFocus<G, F, I> {
    pub(in crate::generator) fn new(inner: G, make: F, focus: I, place: &'static Location<'static>) -> Self {
        MapWithFocus { inner, make, focus, place }
    }
}

impl<G, U, F, I> Generator for MapWithFocus<G, F, I>
where
    G: Generator,
    U: Debug,
    F: Fn(G::Value) -> U,
    I: Fn(&U) -> Option<&G::Value>,
{
    type Value = U;

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { has_one_way: false, identity: None, ..self.inner.facts(wanted) }
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<U> {
        Ok((self.make)(self.inner.generate(source)?))
    }

    #[inline]
    fn reflect(&self, value: &U, reflector: &mut Reflector) -> Reflected {
        match (self.focus)(value) {
            Some(part) => self.inner.reflect(part, reflector),
            None => reflector.mismatch(value, || no_origin("focus", self.place)),
        }
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<U> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        read_wrapped(&self.inner, &self.make, sketch, source, || no_reader("map_with_focus", self.place))
    }
}

/// Reads a value that prints what it was made of as its only part, as a newtype does, or prints
/// nothing but that.
fn read_wrapped<G: Generator, U: Debug>(
    inner: &G,
    make: &dyn Fn(G::Value) -> U,
    sketch: &Sketch<'_>,
    source: &mut Source<'_>,
    reason: impl FnOnce() -> String,
) -> Drawn<U> {
    match sketch.only_part() {
        Some(part) => {
            let value = make(inner.complete(&part, source)?);
            // The name tells one wrapper from another. A value may be deep, so no more of it is
            // printed.
            if begins_with(&value, sketch.name()) {
                return Ok(value);
            }
        }
        None => {
            let value = source.aside(|source| inner.complete(sketch, source)).map(make);
            if let Some(value) = value.filter(|value| sketch.matches_debug(value)) {
                return Ok(value);
            }
        }
    }
    Err(source.not_made(sketch.text(), reason))
}

/// Whether the text of a value begins with this name, and a bracket after it.
fn begins_with(value: &dyn Debug, name: &str) -> bool {
    /// Keeps the beginning of what is written.
    struct Beginning {
        text: String,
        most: usize,
    }
    impl Write for Beginning {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.text += text;
            if self.text.len() < self.most { Ok(()) } else { Err(fmt::Error) }
        }
    }
    let mut beginning = Beginning { text: String::new(), most: name.len() + 2 };
    let _ = write!(beginning, "{value:?}");
    beginning.text.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with(['(', '{']))
}

pub(super) fn no_origin(what: &str, place: &'static Location<'static>) -> String {
    format!("the {what} at {} finds nothing in it", written(place))
}

pub(super) fn no_reader(what: &str, place: &'static Location<'static>) -> String {
    format!("`{what}` at {} cannot read text: add with_reader", written(place))
}

debug_by_place! {
    "map" Map<G, F>;
    "map_with_inverse" MapWithInverse<G, F, I>;
    "map_with_focus" MapWithFocus<G, F, I>;
}
