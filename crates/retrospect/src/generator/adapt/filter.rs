use super::{COMPLETION_TRIES, debug_by_place, written};
use crate::generator::{Facts, Generator, Wanted};
use crate::reflect::{Probability, Reflected, Reflector, Sum, Walk};
use crate::sketch::Sketch;
use crate::source::{DEFAULT_SIZE, Drawn, Form, Source, TRIES_PER_SIZE, Why};
use std::ops::ControlFlow::{Break, Continue};
use std::panic::Location;

/// How many values are gone through to find out how much a filter keeps.
const MAX_VALUES: u32 = 1 << 14;

/// How many answers these values may take together, and all that are gone through for one value: a
/// list has many parts with the same filter.
const MAX_ANSWERS: usize = 1 << 16;
const MAX_ANSWERS_IN_ALL: usize = 4 * MAX_ANSWERS;

/// Goes through all values that are drawn where a reflector looks, with the walk that says how
/// likely each is; or says why that cannot be done.
pub(in crate::generator) fn go_through<G: Generator + ?Sized>(
    generator: &G,
    mut walk: Walk,
    reflector: &mut Reflector,
    each: &mut dyn FnMut(G::Value, &Walk),
) -> Result<(), String> {
    let mut answers = 0;
    for _ in 0..MAX_VALUES {
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
        answers += walk.answers();
        let in_all = reflector.count_walked(walk.answers());
        if !walk.advance() {
            return Ok(());
        }
        // Each value of a chain may be longer than the one before.
        if answers > MAX_ANSWERS {
            return Err(format!("there are more than {MAX_ANSWERS} answers in them"));
        }
        if in_all > MAX_ANSWERS_IN_ALL {
            return Err(format!("there are more than {MAX_ANSWERS_IN_ALL} answers in them and in other parts"));
        }
    }
    Err(format!("there are more than {MAX_VALUES}"))
}

/// The generator made by [`filter`](Generator::filter).
///
/// It draws values until it keeps one, and does nothing else. If it refuses everything at the
/// [size](Source::size) in force, the size grows: it doubles after every 200 refusals, up to
/// [`DEFAULT_SIZE`]. So a filter that wants a list of some length also finds one in the first cases
/// of a property, where sizes are tiny. After [`MAX_TRIES`](crate::source::MAX_TRIES) refusals it
/// gives up: a case of a property is discarded then, and `sample` panics.
///
/// If hardly any value is kept, use [`satisfying`](Generator::satisfying), which searches. A
/// property warns if one of its filters keeps less than a tenth.
///
/// ```
/// use retrospect::generator::{Any, Filter};
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
    fn kept_share(&self, walk: Walk, reflector: &mut Reflector) -> Result<Probability, String>
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
        let (mut kept, mut refused) = (Sum::default(), Sum::default());
        let mut add = |value: G::Value, walk: &Walk| {
            let share = if (self.is_kept)(&value) { &mut kept } else { &mut refused };
            share.add(&walk.probability());
        };
        let gone_through = reflector.can_go_through().and_then(|()| go_through(&self.inner, walk, reflector, &mut add));
        gone_through.map_err(|why| unknown(&why))?;
        let (kept, refused) = (kept.total(), refused.total());
        // A larger size is left out of account if hardly any draw comes to it.
        let may_grow = reflector.size() < DEFAULT_SIZE && !refused.is_zero();
        if may_grow && refused.log2() * f64::from(TRIES_PER_SIZE) > -60.0 {
            let place = written(self.place);
            return Err(format!(
                "the filter at {place} refuses so much at size {} that it also draws at larger sizes",
                reflector.size()
            ));
        }
        Ok(kept)
    }

    fn reason(&self) -> String {
        format!("the {} at {} refuses it", self.name, written(self.place))
    }
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Filter<G, F> {
    #[inline]
    pub(super) fn holds(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
        // The generator first: the condition may rely on what it makes.
        self.inner.reflect(value, reflector)?;
        if (self.is_kept)(value) { Ok(()) } else { reflector.mismatch(value, || self.reason()) }
    }
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Generator for Filter<G, F> {
    type Value = G::Value;

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { form: Form::Unknown, identity: None, ..self.inner.facts(wanted) }
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        let mut attempt = |source: &mut Source<'_>| {
            let value = self.inner.generate(source)?;
            Ok((self.is_kept)(&value).then_some(value))
        };
        if source.is_asked() {
            return source.attempt(self.place, attempt);
        }
        let mark = source.mark();
        let value = self.inner.generate(source)?;
        if (self.is_kept)(&value) {
            return Ok(value);
        }
        source.another(self.place, mark, &mut attempt)
    }

    #[inline]
    fn reflect(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
        if !reflector.is_weighing() {
            return self.holds(value, reflector);
        }
        let (walk, beginning) = (reflector.walk(), reflector.place_in_weights());
        self.holds(value, reflector)?;
        let share = match reflector.is_weighed_alike_again(beginning) {
            true if reflector.has_most_calls() => Err("filters take too many calls".to_owned()),
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
        let mut tried = 0;
        let made = source.tries(tries, |source, _| {
            tried += 1;
            let mark = source.mark();
            match self.inner.complete(sketch, source) {
                Ok(value) if !(self.is_kept)(&value) => {
                    source.forget(mark);
                    Continue(())
                }
                made => Break(made),
            }
        });
        if let Ok(made) = made {
            return made;
        }
        let _ = source.not_made(sketch.text(), || match tried {
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
