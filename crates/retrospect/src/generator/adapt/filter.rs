use super::{COMPLETION_TRIES, debug_by_place, written};
use crate::generator::Generator;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Source, Why};
use std::panic::Location;

/// The generator made by [`filter`](Generator::filter).
///
/// ```
/// use retrospect::prelude::*;
/// fn odd() -> Filter<Any<u8>, fn(&u8) -> bool> {
///     any::<u8>().filter(|number| number % 2 == 1)
/// }
/// assert!(odd().accepts(&7) && !odd().accepts(&8));
/// ```
#[derive(Clone)]
pub struct Filter<G, F> {
    pub(super) inner: G,
    pub(super) is_kept: F,
    pub(super) place: &'static Location<'static>,
    /// What it is called in messages.
    pub(super) name: &'static str,
}

impl<G, F> Filter<G, F> {
    pub(in crate::generator) fn new(inner: G, is_kept: F, place: &'static Location<'static>) -> Filter<G, F> {
        Filter { inner, is_kept, place, name: "filter" }
    }

    fn reason(&self) -> String {
        format!("the {} at {} refuses it", self.name, written(self.place))
    }
}

/// Values that are drawn before a filter begins to search. A search costs more for each value, so it is for filters that keep less than one in a hundred.
const PLAIN_TRIES: u32 = 256;

impl<G: Generator, F: Fn(&G::Value) -> bool> Filter<G, F> {
    /// The condition refuses most: a search finds what it keeps.
    #[cold]
    #[inline(never)]
    fn unlikely(&self, source: &mut Source<'_>, refused: u32) -> Drawn<G::Value> {
        match source.may_search() {
            true => self.searched(source, Some(refused)),
            false => Err(source.stop(Why::FilteredOut { place: self.place, refused })),
        }
    }
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Generator for Filter<G, F> {
    type Value = G::Value;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        let mark = source.mark();
        let mut refused = 0;
        loop {
            let value = self.inner.generate(source)?;
            if (self.is_kept)(&value) {
                return Ok(value);
            }
            refused += 1;
            source.forget(mark);
            if refused == PLAIN_TRIES || !source.may_search() {
                return self.unlikely(source, refused);
            }
        }
    }

    #[inline]
    fn reflect(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
        // The generator first: the condition may rely on what it makes.
        self.inner.reflect(value, reflector)?;
        if (self.is_kept)(value) { Ok(()) } else { reflector.mismatch(value, || self.reason()) }
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<G::Value> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let tries = if sketch.has_holes() { COMPLETION_TRIES } else { 1 };
        for _ in 0..tries {
            let mark = source.mark();
            let value = self.inner.complete(sketch, source)?;
            if (self.is_kept)(&value) {
                return Ok(value);
            }
            source.forget(mark);
        }
        let _ = source.not_made(sketch.text(), || match tries {
            1 => self.reason(),
            tries => {
                let (name, place) = (self.name, written(self.place));
                format!("the {name} at {place} refuses {tries} of {tries} ways to fill its holes")
            }
        });
        Err(source.stop(Why::NotMade))
    }
}

debug_by_place! { "filter" Filter<G, F>; }
