use super::debug_by_place;
use crate::choice::Site;
use crate::generator::{Facts, Generator, Wanted, free_part};
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Distribution, Drawn, Source};
use std::panic::Location;

/// A generator that depends on the size.
///
/// Since what it makes depends on the size, the size is one of its choices: drawn at random it is
/// always the size of the source, recorded it is a number that replay keeps and shrinking lowers.
/// Backward, the sizes 0 to 128 are tried in turn, then 256, 512, … up to 65,536; the smallest that
/// fits is noted, and it alone counts in `Ways::count`. A value that can be made only at a size in
/// between is refused, so let a larger size make all that a smaller one does. Most generators need
/// none of this: lists, strings and recursive generators follow the size by themselves.
///
/// ```
/// use retrospect::prelude::*;
/// let numbers = sized(|size| 0..=10 * size);
/// assert_eq!(numbers.choices_of(&25).unwrap().to_string(), "(3 25)");
/// assert_eq!(numbers.replay(&"(2 7)".parse().unwrap()), 7);
/// ```
#[track_caller]
pub fn sized<F, G>(make: F) -> BySize<F>
where
    F: Fn(u32) -> G,
    G: Generator,
{
    let place = Location::caller();
    BySize { make, site: Site::at("sized", &[], place), place }
}

/// The generator made by [`sized`].
///
/// ```
/// use retrospect::generator::{Any, BySize, VecOf};
/// use retrospect::prelude::*;
/// fn squares() -> BySize<fn(u32) -> VecOf<VecOf<Any<bool>>>> {
///     sized(|size| vec_of(vec_of(any::<bool>(), size as usize), size as usize))
/// }
/// assert!(squares().accepts(&vec![vec![true, false], vec![false, true]]));
/// assert!(!squares().accepts(&vec![vec![true, false]]));
/// ```
#[derive(Clone)]
pub struct BySize<F> {
    make: F,
    site: &'static Site,
    place: &'static Location<'static>,
}

/// The largest size that is recorded.
const MAX_SIZE: u64 = 1 << 16;
/// The sizes from 0 to this one are tried one by one.
const MAX_STEP: usize = 128;
/// How many sizes are tried: after those, nine more, each twice the one before.
const WAYS: usize = MAX_STEP + 1 + 9;

#[inline]
fn size_of_way(way: usize) -> usize {
    if way <= MAX_STEP { way } else { MAX_STEP << (way - MAX_STEP) }
}

impl<F: Fn(u32) -> G, G: Generator> Generator for BySize<F> {
    type Value = G::Value;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        source.call(self.site, |source| {
            let size = u64::from(source.size());
            let size = source.number(MAX_SIZE, Distribution::Always(size))?;
            free_part(&(self.make)(size as u32), source)
        })
    }

    #[inline]
    fn reflect(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
        let address = std::ptr::from_ref(value).cast();
        if reflector.is_weighing() {
            // A random source draws no other size than its own.
            reflector.note_dormant();
            let size = u64::from(reflector.size()).min(MAX_SIZE);
            let body = |reflector: &mut Reflector| {
                reflector.number(size, MAX_SIZE, Distribution::Always(size))?;
                reflector.part(Segment::Whole, |reflector| (self.make)(size as u32).reflect(value, reflector))
            };
            return reflector.call(self.site, || None, address, body);
        }
        reflector.call(
            self.site,
            || None,
            address,
            |reflector| {
                reflector.first_of(WAYS, |reflector, way| {
                    let size = size_of_way(way) as u64;
                    reflector.number(size, MAX_SIZE, Distribution::Always(size))?;
                    reflector.part(Segment::Whole, |reflector| (self.make)(size as u32).reflect(value, reflector))
                })
            },
        )
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<G::Value> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        source.call(self.site, |source| {
            let size = source.size();
            // The present size first: holes are filled as they would be when drawing.
            let sizes = std::iter::once(size as usize).chain((0..WAYS).map(size_of_way));
            source.ways(sketch.text(), sizes, |source, size| (self.make)(size as u32).complete(sketch, source))
        })
    }
}

debug_by_place! { "sized" BySize<F>; }

/// The generator made by [`resize`](Generator::resize).
///
/// ```
/// use retrospect::generator::{Any, Resize, StringOf};
/// use retrospect::prelude::*;
/// struct Words {
///     short: Resize<StringOf<Any<char>>>,
/// }
/// let words = Words { short: string_of(any::<char>(), ..).resize(5) };
/// assert!(words.short.samples(1).take(100).all(|word| word.chars().count() <= 5));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Resize<G> {
    inner: G,
    size: u32,
}

impl<G> Resize<G> {
    #[inline]
    pub(in crate::generator) fn new(inner: G, size: u32) -> Resize<G> {
        Resize { inner, size }
    }
}

impl<G: Generator> Generator for Resize<G> {
    type Value = G::Value;

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { identity: None, ..self.inner.facts(wanted) }
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        source.resized(self.size, |source| self.inner.generate(source))
    }

    #[inline]
    fn reflect(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
        reflector.resized(self.size, |reflector| self.inner.reflect(value, reflector))
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<G::Value> {
        source.resized(self.size, |source| self.inner.complete(sketch, source))
    }
}
