//! What points to a generator is one.

use super::{Facts, Generator, Wanted};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Source};

macro_rules! delegate {
    ($($pointer:ty),*) => {$(
        impl<G: Generator + ?Sized> Generator for $pointer {
            type Value = G::Value;
            #[inline]
            fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
                (**self).generate(source)
            }
            #[inline]
            fn facts(&self, wanted: Wanted) -> Facts {
                (**self).facts(wanted)
            }
            #[inline]
            fn reflect(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
                (**self).reflect(value, reflector)
            }
            #[inline]
            fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<G::Value> {
                (**self).complete(sketch, source)
            }
        }
    )*};
}

delegate! { &G, Box<G>, std::rc::Rc<G>, std::sync::Arc<G> }
