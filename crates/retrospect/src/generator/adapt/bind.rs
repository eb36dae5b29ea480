use super::map::no_origin;
use super::{debug_by_place, written};
use crate::choice::Site;
use crate::generator::Generator;
use crate::generator::{free_part, part};
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Source, Stop, Why};
use std::panic::Location;

/// The generator made by [`bind_with_focus`](Generator::bind_with_focus).
///
/// ```
/// use retrospect::generator::{BindWithFocus, Exact};
/// use retrospect::prelude::*;
/// use std::ops::RangeInclusive;
/// type Pairs = BindWithFocus<RangeInclusive<u8>, fn(&u8) -> (Exact<u8>, RangeInclusive<u8>), fn(&(u8, u8)) -> Option<u8>>;
/// fn ordered() -> Pairs {
///     (0..=9).bind_with_focus(|low| (exact(*low), *low..=9), |pair| Some(pair.0))
/// }
/// assert!(ordered().accepts(&(3, 5)));
/// assert!(!ordered().accepts(&(5, 3)));
/// ```
#[derive(Clone)]
pub struct BindWithFocus<G, F, I> {
    first: G,
    then: F,
    focus: I,
    site: &'static Site,
    place: &'static Location<'static>,
}

/// How many first parts completion tries for each unit of size.
const FIRST_PARTS_PER_SIZE: u32 = 2;

/// How many first parts are tried in vain in a row, by generators that are bound inside one another
/// or in several ways to read the same text.
const MAX_FIRST_PARTS: u32 = 2000;

impl<G, F, I> BindWithFocus<G, F, I> {
    pub(in crate::generator) fn new(first: G, then: F, focus: I, place: &'static Location<'static>) -> Self {
        BindWithFocus { first, then, focus, site: Site::at("bind_with_focus", &[], place), place }
    }
}

impl<G, H, F, I> Generator for BindWithFocus<G, F, I>
where
    G: Generator,
    H: Generator,
    F: Fn(&G::Value) -> H,
    I: Fn(&H::Value) -> Option<G::Value>,
{
    type Value = H::Value;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<H::Value> {
        source.call(self.site, |source| {
            let first = part(&self.first, source)?;
            let then = (self.then)(&first);
            free_part(&then, source)
        })
    }

    #[inline]
    fn reflect(&self, value: &H::Value, reflector: &mut Reflector) -> Reflected {
        let address = std::ptr::from_ref(value).cast();
        reflector.call(
            self.site,
            || None,
            address,
            |reflector| {
                let Some(first) = (self.focus)(value) else {
                    return reflector.mismatch(value, || no_origin("focus", self.place));
                };
                reflector.part(Segment::Focus("focus"), |reflector| {
                    reflector.on_temporary_value(&first, |reflector, first| self.first.reflect(first, reflector))
                })?;
                // Only now: `then` may rely on what the first generator makes.
                let then = (self.then)(&first);
                reflector.part(Segment::Whole, |reflector| then.reflect(value, reflector))
            },
        )
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<H::Value> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let then = |first| (self.then)(&first);
        complete_bound(&self.first, then, self.site, self.place, sketch, source)
    }
}

/// Completes a value whose first part is not in its text, as it is bound at `place`. A few first
/// parts are tried.
pub(super) fn complete_bound<G: Generator, H: Generator>(
    first: &G,
    then: impl Fn(G::Value) -> H,
    site: &'static Site,
    place: &'static Location<'static>,
    sketch: &Sketch<'_>,
    source: &mut Source<'_>,
) -> Drawn<H::Value> {
    let first_parts = FIRST_PARTS_PER_SIZE * source.size();
    let summary = || format!("none of {first_parts} values bound at {} leads to it: add with_reader", written(place));
    let refused_before = source.refused();
    let value = source.call(site, |source| {
        let made = source.tries_of_way(sketch.text(), first_parts, |source, time| {
            // What to say if none fits comes before what is wrong with each.
            if time == 0 {
                let _ = source.not_made(sketch.text(), summary);
            }
            if source.refused() >= MAX_FIRST_PARTS {
                return Err(source.stop(Why::NotMade));
            }
            source.refuse();
            then(first.generate(source)?).complete(sketch, source)
        });
        made.unwrap_or(Err(Stop))
    });
    if value.is_ok() {
        source.keep(refused_before);
    }
    value
}

debug_by_place! { "bind_with_focus" BindWithFocus<G, F, I>; }
