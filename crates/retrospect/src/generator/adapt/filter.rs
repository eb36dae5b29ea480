use super::{COMPLETION_TRIES, debug_by_place, written};
use crate::generator::Generator;
use crate::reflect::{Probability, Reflected, Reflector, Walk};
use crate::sketch::Sketch;
use crate::source::{Drawn, MANY_MORE, Source, Why};
use std::panic::Location;

/// How many values are gone through to find out how much a filter keeps.
const MOST_VALUES: u32 = 1 << 14;

/// Goes through all values that are drawn where a reflector looks, with the walk that says how likely each is; or says why that cannot be done.
pub(in crate::generator) fn go_through<G: Generator + ?Sized>(
    generator: &G,
    mut walk: Walk,
    reflector: &Reflector,
    each: &mut dyn FnMut(G::Value, &Walk),
) -> Result<(), String> {
    for _ in 0..MOST_VALUES {
        let mut source = Source::asking(&mut walk).with_size(reflector.size());
        if reflector.is_in_level() {
            source = source.inside_level();
        }
        let value = generator.generate(&mut source);
        let why = source.why().map(Why::to_string);
        drop(source);
        match value {
            Ok(value) => each(value, &walk),
            Err(_) => return Err(why.unwrap_or_default()),
        }
        if !walk.advance() {
            return Ok(());
        }
    }
    Err(format!("there are more than {MOST_VALUES}"))
}

/// The generator made by [`filter`](Generator::filter).
///
/// It draws until a value is kept. What it wastes by that is counted where many values are made in a row, in `samples` and from case to case of a property: when it has
/// refused 128 values more than it has kept, and a sixteenth, the next ones are searched for as [`Satisfying`](super::Satisfying) does it. A filter that refuses half of
/// what is drawn hardly ever comes to this, one that refuses three quarters after some 260 values. If, after 512 runs, it is not a quarter more
/// that is kept of what the search makes and has not made before, the filter draws again from then on. And a single value is searched for after 128 that were refused in a row. No clock has a say in it, so the same
/// seed gives the same values; with `verbose` the report of a property tells what became of it.
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

    /// How likely a value is kept: the sum over all that can be drawn.
    #[cold]
    fn kept_share(&self, walk: Walk, reflector: &Reflector) -> Result<Probability, String>
    where
        G: Generator,
        F: Fn(&G::Value) -> bool,
    {
        let unknown = |why: &str| {
            let place = written(self.place);
            format!(
                "how much the filter at {place} keeps is found only by going through all values, and {why}: put it on a part that has fewer of them, or make what it keeps without one"
            )
        };
        let mut kept = Probability::never();
        let mut add = |value: G::Value, walk: &Walk| {
            if (self.is_kept)(&value) {
                kept = &kept + &walk.probability();
            }
        };
        go_through(&self.inner, walk, reflector, &mut add).map_err(|why| unknown(&why))?;
        Ok(kept)
    }

    fn reason(&self) -> String {
        format!("the {} at {} refuses it", self.name, written(self.place))
    }
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Filter<G, F> {
    /// What tells its uses for different types apart.
    pub(super) fn types() -> &'static str {
        std::any::type_name::<Filter<G, F>>()
    }

    #[inline]
    pub(super) fn holds(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
        // The generator first: the condition may rely on what it makes.
        self.inner.reflect(value, reflector)?;
        if (self.is_kept)(value) { Ok(()) } else { reflector.mismatch(value, || self.reason()) }
    }

    /// What is drawn after a value was refused.
    #[cold]
    #[inline(never)]
    fn another(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        let mark = source.mark();
        for refused in 1..=MANY_MORE {
            let value = self.inner.generate(source)?;
            if (self.is_kept)(&value) {
                source.note_waste(self.place, Self::types(), refused - 1, 1);
                return Ok(value);
            }
            source.forget(mark);
        }
        source.note_waste(self.place, Self::types(), MANY_MORE, 0);
        self.searched(source, Some(MANY_MORE + 1))
    }
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Generator for Filter<G, F> {
    type Value = G::Value;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        if source.is_asked() {
            // A replay, or somebody who answers in a way of their own.
            return source.attempt(self.place, |source| {
                let value = self.inner.generate(source)?;
                Ok((self.is_kept)(&value).then_some(value))
            });
        }
        if source.may_search_at_once() && source.searches_at_once(self.place, Self::types()) {
            return self.searched(source, Some(0));
        }
        let mark = source.mark();
        let value = self.inner.generate(source)?;
        if (self.is_kept)(&value) {
            return Ok(value);
        }
        source.forget(mark);
        self.another(source)
    }

    #[inline]
    fn reflect(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
        if !reflector.is_weighing() {
            return self.holds(value, reflector);
        }
        let (walk, beginning) = (reflector.walk(), reflector.place_in_weights());
        self.holds(value, reflector)?;
        let share = match reflector.is_weighed_alike_again(beginning) {
            true => self.kept_share(walk, reflector),
            false => {
                let place = written(self.place);
                Err(format!("the filter at {place} is drawn by weights that are others for a second attempt"))
            }
        };
        reflector.weigh_kept(share);
        Ok(())
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
