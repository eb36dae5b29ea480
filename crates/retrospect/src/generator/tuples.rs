use super::any::Generate;
use super::shape::{Shape, Shapes};
use super::{Facts, Generator, Wanted, free_part};
use crate::choice::Site;
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{ChanceAt, Drawn, Source, Stop};

/// The generator of tuples whose parts come from the generators in a tuple.
///
/// Tuples of generators are generators themselves; this function is for where that should be said.
///
/// ```
/// use retrospect::prelude::*;
/// let pairs = tuple((0..10, any::<bool>()));
/// assert!(pairs.accepts(&(9, true)));
/// ```
pub fn tuple<G: Generator>(generators: G) -> G {
    generators
}

// There are twelve kinds of tuples with up to twelve types each, and the compiler looks at all of
// that whether it is used or not. So what they share is written once, and what is left has neither
// closures nor `?`, which both take traits to resolve: that is a tenth of the time that compiling
// the library takes.

/// The parts of a tuple one after the other, without the bracket around them.
trait Parts: Generator {
    fn generate_parts(&self, source: &mut Source<'_>) -> Drawn<Self::Value>;
    fn reflect_parts(&self, value: &Self::Value, reflector: &mut Reflector) -> Reflected;
}

/// Without the bracket it is no more than its parts, and takes no call of its own: what is made is
/// where it should be. What recurses looks after the stack itself.
#[inline(always)]
fn generate_tuple<T: Parts>(tuple: &T, source: &mut Source<'_>) -> Drawn<T::Value> {
    if source.is_random() { tuple.generate_parts(source) } else { generate_bracketed(tuple, source) }
}

#[inline(never)]
fn generate_bracketed<T: Parts>(tuple: &T, source: &mut Source<'_>) -> Drawn<T::Value> {
    // No level of depth: the same seed makes the same value, with the bracket or without.
    source.bracket(&TUPLE, 0, |source| tuple.generate_parts(source))
}

#[inline(always)]
fn reflect_tuple<T: Parts>(tuple: &T, value: &T::Value, reflector: &mut Reflector) -> Reflected {
    let address = std::ptr::from_ref(value).cast();
    reflector.call_again(
        &TUPLE,
        || None,
        address,
        move |reflector| tuple.reflect(value, reflector),
        move |reflector| tuple.reflect_parts(value, reflector),
    )
}

#[inline]
fn complete_part<G: Generator>(
    generator: &G,
    place: usize,
    parts: &[Sketch<'_>],
    begun: &ChanceAt,
    source: &mut Source<'_>,
) -> Drawn<G::Value> {
    let before = source.chance();
    let value = generator.complete_part(&parts[place], &[Segment::Position(place)], source);
    if value.is_err() {
        source.failed_independently(&before, begun);
    }
    value
}

#[cold]
fn no_tuple(count: usize, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Stop {
    source.not_made(sketch.text(), || format!("expected a tuple of {count}, not {}", sketch.kind().describe()))
}

macro_rules! or_return {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

macro_rules! tuples {
    ($($count:literal: $($generator:ident $place:tt),+;)*) => {$(
        impl<$($generator: Generator),+> Generator for ($($generator,)+) {
            type Value = ($($generator::Value,)+);

            #[inline(always)]
            fn generate(&self, source: &mut Source<'_>) -> Drawn<Self::Value> {
                generate_tuple(self, source)
            }

            #[inline(always)]
            fn facts(&self, wanted: Wanted) -> Facts {
                Facts::of_tuple(self, [$(self.$place.facts(wanted)),+], wanted)
            }
            #[inline]
            fn reflect(&self, value: &Self::Value, reflector: &mut Reflector) -> Reflected {
                reflect_tuple(self, value, reflector)
            }

            #[inline]
            fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Self::Value> {
                if sketch.is_hole() {
                    return self.generate(source);
                }
                let Some(parts) = sketch.tuple::<$count>("") else {
                    return Err(no_tuple($count, sketch, source));
                };
                let begun = source.chance();
                source.shown_call(&TUPLE, |source| {
                    Ok(($(or_return!(complete_part(&self.$place, $place, &parts, &begun, source)),)+))
                })
            }
        }

        impl<$($generator: Generator),+> Parts for ($($generator,)+) {
            #[inline(always)]
            fn generate_parts(&self, source: &mut Source<'_>) -> Drawn<Self::Value> {
                Ok(($(or_return!(free_part(&self.$place, source)),)+))
            }

            #[inline(always)]
            fn reflect_parts(&self, value: &Self::Value, reflector: &mut Reflector) -> Reflected {
                $(or_return!(self.$place.reflect_part(&value.$place, &[Segment::Position($place)], reflector));)+
                Ok(())
            }
        }

        impl<$($generator: Generate),+> Generate for ($($generator,)+) {
            type Generator = ($($generator::Generator,)+);
            fn generator() -> Self::Generator {
                ($($generator::generator(),)+)
            }
            fn shape(shapes: &mut Shapes) -> Shape {
                let parts = vec![$($generator::shape(shapes)),+];
                shapes.all(parts)
            }
        }
    )*};
}

static TUPLE: Site = Site::call("tuple", file!(), line!());

tuples! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
    7: A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
    9: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8;
    10: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9;
    11: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10;
    12: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11;
}
