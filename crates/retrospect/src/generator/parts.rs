//! One part of a value, forward and backward.

use super::Generator;
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::source::{Drawn, Source};

/// Makes one part of a sequence: [`Source::part`] around [`Generator::generate`].
///
/// A random source needs no bracket. Saying so here, where the generator is called directly, lets the call be inlined and all further questions about
/// who answers fall away.
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
    if generator.is_one_node() && source.needs_no_part() {
        return generator.generate(source);
    }
    source.part(|source| generator.generate(source))
}

/// Like [`part`] for a part that nothing hangs on: [`Source::free_part`] around [`Generator::generate`].
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
    if generator.is_one_node() && source.needs_no_part() {
        return generator.generate(source);
    }
    source.free_part(|| generator.form(), |source| generator.generate(source))
}

/// Looks at one part of a value, which lies at `path` in it: the way back of [`part`] and [`free_part`].
///
/// ```
/// use retrospect::Segment;
/// use retrospect::generator::reflect_part;
/// use retrospect::reflect::Reflector;
/// let mut reflector = Reflector::first_way();
/// reflect_part(&(0..10), &3, &[Segment::Field("x")], &mut reflector).unwrap();
/// reflect_part(&(0..10), &4, &[Segment::Field("y")], &mut reflector).unwrap();
/// assert_eq!(reflector.into_choices().to_string(), "3 4");
/// ```
#[inline(always)]
pub fn reflect_part<G: Generator + ?Sized>(
    generator: &G,
    value: &G::Value,
    path: &[Segment],
    reflector: &mut Reflector,
) -> Reflected {
    match generator.is_one_node() {
        true => reflector.node_at(path, |reflector| generator.reflect(value, reflector)),
        false => reflector.part_at(path, |reflector| generator.reflect(value, reflector)),
    }
}
