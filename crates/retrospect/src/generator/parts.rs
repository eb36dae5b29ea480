//! One part of a value.

use super::{Generator, Wanted, form_of};
use crate::reflect::Reflector;
use crate::source::{Drawn, Keep, Source};

/// Whether a value can be made; or which limit leaves that open.
#[inline]
pub(crate) fn accepted<G: Generator + ?Sized>(generator: &G, value: &G::Value) -> Result<bool, &'static str> {
    let mut reflector = Reflector::accepting();
    let reflected = generator.reflect(value, &mut reflector);
    reflector.answer(reflected)
}

/// Makes one part of a sequence: [`Source::part`] around [`Generator::generate`].
///
/// A random source needs no bracket. Saying so here, where the generator is called directly, lets
/// the call be inlined and all further questions about who answers fall away.
///
/// ```
/// use retrospect::generator::part;
/// use retrospect::source::Source;
/// let mut source = Source::recording(7);
/// let x = part(&(0..10), &mut source).unwrap();
/// let y = part(&(0..10), &mut source).unwrap();
/// assert_eq!(source.into_choices().to_string(), format!("{x} {y}"));
/// ```
#[inline(always)]
pub fn part<G: Generator + ?Sized>(generator: &G, source: &mut Source<'_>) -> Drawn<G::Value> {
    if source.is_random() || source.needs_no_part() && generator.facts(Wanted::Shape).is_one_node {
        return generator.generate(source);
    }
    source.part(|source| generator.generate(source))
}

/// Like [`part`] for a part that nothing hangs on: [`Source::free_part`] around
/// [`Generator::generate`].
///
/// ```
/// use retrospect::generator::free_part;
/// use retrospect::source::Source;
/// let mut source = Source::recording(7);
/// let x = free_part(&(0..10), &mut source).unwrap();
/// assert_eq!(source.into_choices().to_string(), x.to_string());
/// ```
#[inline(always)]
pub fn free_part<G: Generator + ?Sized>(generator: &G, source: &mut Source<'_>) -> Drawn<G::Value> {
    if source.is_random() || source.needs_no_part() && generator.facts(Wanted::Shape).is_one_node {
        return generator.generate(source);
    }
    source.free_part(|| form_of(generator), |source| generator.generate(source))
}

/// Many parts that nothing hangs on, one after another.
#[inline(always)]
pub(super) fn free_parts<G: Generator>(
    generator: &G,
    source: &mut Source<'_>,
    count: usize,
    keep: &mut impl Keep<G::Value>,
) -> Drawn<()> {
    for _ in 0..count {
        let drawn = free_part(generator, source);
        match drawn {
            Ok(value) => keep.keep(value),
            Err(stop) => return Err(stop),
        }
    }
    Ok(())
}
