use crate::choice::Site;
use crate::generator::{Facts, Generator, Wanted};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Form, Source};

/// The generator made by [`named`](Generator::named) and [`no_shrink`](Generator::no_shrink): the
/// choices stand in a bracket of their own.
///
/// ```
/// use retrospect::generator::Named;
/// use retrospect::prelude::*;
/// fn digits() -> Named<std::ops::Range<u8>> {
///     (0..10).named("digit")
/// }
/// assert_eq!(digits().choices_of(&3).unwrap().to_string(), "(3)");
/// ```
#[derive(Clone, Debug)]
pub struct Named<G> {
    inner: G,
    site: &'static Site,
}

impl<G> Named<G> {
    pub(in crate::generator) fn new(inner: G, site: &'static Site) -> Named<G> {
        Named { inner, site }
    }
}

impl<G: Generator> Generator for Named<G> {
    type Value = G::Value;

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        let inner = self.inner.facts(wanted);
        // A number in a bracket is no longer a number and nothing else.
        Facts { is_one_node: true, identity: None, form: Form::made_of("named", &[inner.form]), ..inner }
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        source.call(self.site, |source| self.inner.generate(source))
    }

    #[inline]
    fn reflect(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
        let address = std::ptr::from_ref(value).cast();
        reflector.call(self.site, || None, address, |reflector| self.inner.reflect(value, reflector))
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<G::Value> {
        self.inner.complete(sketch, source)
    }
}
