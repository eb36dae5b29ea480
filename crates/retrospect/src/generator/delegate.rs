//! What points to a generator is one.

use super::Generator;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Extent, Form, Source};

macro_rules! delegate {
    ($($pointer:ty),*) => {$(
        impl<G: Generator + ?Sized> Generator for $pointer {
            type Value = G::Value;
            #[inline]
            fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
                (**self).generate(source)
            }
            #[inline]
            fn is_one_node(&self) -> bool {
                (**self).is_one_node()
            }
            #[inline]
            fn has_one_way(&self) -> bool {
                (**self).has_one_way()
            }
            #[inline]
            fn extent(&self) -> Extent {
                (**self).extent()
            }
            fn form(&self) -> Form {
                (**self).form()
            }
            fn told_apart(&self) -> Option<u64> {
                (**self).told_apart()
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
