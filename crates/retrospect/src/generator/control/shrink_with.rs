use super::take_steps;
use crate::choice::{NO_SHRINK, STEPS, Site};
use crate::generator::adapt::{Named, debug_by_place};
use crate::generator::{Facts, Generator, Wanted, accepted, part};
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Distribution, Drawn, Source, Why};
use std::panic::Location;

/// The generator made by [`shrink_with`](Generator::shrink_with).
///
/// ```
/// use retrospect::generator::{Any, ShrinkWith};
/// use retrospect::prelude::*;
/// fn halved() -> ShrinkWith<Any<u32>, fn(&u32) -> Option<u32>> {
///     any::<u32>().shrink_with(|number| (*number > 0).then_some(number / 2))
/// }
/// assert_eq!(halved().shrink(100, |number| *number > 10).unwrap().value, 12);
/// ```
#[derive(Clone)]
pub struct ShrinkWith<G, F> {
    /// What is shrunk by hand is not shrunk by its choices.
    start: Named<G>,
    shrink: F,
    site: &'static Site,
    place: &'static Location<'static>,
}

impl<G, F> ShrinkWith<G, F> {
    pub(in crate::generator) fn new(start: G, shrink: F, place: &'static Location<'static>) -> ShrinkWith<G, F> {
        ShrinkWith { start: Named::new(start, &NO_SHRINK), shrink, site: Site::at("shrink_with", &[], place), place }
    }
}

impl<G, F, I> Generator for ShrinkWith<G, F>
where
    G: Generator,
    F: Fn(&G::Value) -> I,
    I: IntoIterator<Item = G::Value>,
{
    type Value = G::Value;

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { extent: self.start.facts(wanted).extent, ..Facts::ONE_NODE }
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        source.call(self.site, |source| {
            let start = part(&self.start, source)?;
            let offer = |value: &G::Value, keep: &mut dyn FnMut(G::Value) -> bool| {
                let _ = (self.shrink)(value).into_iter().all(keep);
            };
            // Only what the generator can make is allowed, if it can look at values at all: that is
            // asked of its own first.
            let mut looks = None;
            let mut is_allowed = |from: &G::Value, to: &G::Value| {
                let accepts = |value| accepted(&self.start, value) == Ok(true);
                !*looks.get_or_insert_with(|| accepts(from)) || accepts(to)
            };
            match take_steps(source, start, &offer, &mut is_allowed)? {
                Some(value) => Ok(value),
                None => Err(source.stop(Why::FilteredOut { place: self.place, refused: 1 })),
            }
        })
    }

    #[inline]
    fn reflect(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
        let address = std::ptr::from_ref(value).cast();
        reflector.call(
            self.site,
            || None,
            address,
            |reflector| {
                reflector.part(Segment::Whole, |reflector| self.start.reflect(value, reflector))?;
                // How many values are offered is noted when the choices are replayed.
                reflector.call(
                    &STEPS,
                    || None,
                    std::ptr::null(),
                    |reflector| reflector.number(0, 0, Distribution::Always(0)),
                )
            },
        )
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<G::Value> {
        self.start.complete(sketch, source)
    }
}

debug_by_place! { "shrink_with" ShrinkWith<G, F>; }
