use crate::generator::{Facts, Generator, Wanted};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Source};
use std::fmt::{self, Debug};
use std::sync::Arc;

/// A generator whose type is hidden, so that different ones fit into one variable, list or return
/// type. Made by [`boxed`](Generator::boxed).
///
/// It can be sent to and shared by other threads, because what it holds can; and a clone shares
/// what it holds. That costs nothing while generating: the count of owners changes only when it is
/// cloned or dropped.
///
/// ```
/// use retrospect::prelude::*;
/// struct Form {
///     fields: Vec<(&'static str, Boxed<'static, String>)>,
/// }
/// let form = Form {
///     fields: vec![("name", string_of('a'..='z', 1..).boxed()), ("country", element_of(["NL".to_owned(), "NZ".to_owned()]).boxed())],
/// };
/// assert!(form.fields[1].1.accepts(&"NZ".to_owned()));
/// assert!(!form.fields[0].1.accepts(&"NZ".to_owned()));
/// ```
pub struct Boxed<'a, T>(Arc<dyn Generator<Value = T> + Send + Sync + 'a>);

impl<'a, T> Boxed<'a, T> {
    pub(in crate::generator) fn new(generator: impl Generator<Value = T> + Send + Sync + 'a) -> Boxed<'a, T> {
        Boxed(Arc::new(generator))
    }
}

impl<T: Debug> Generator for Boxed<'_, T> {
    type Value = T;

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        self.0.facts(wanted)
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<T> {
        self.0.generate(source)
    }

    #[inline]
    fn reflect(&self, value: &T, reflector: &mut Reflector) -> Reflected {
        self.0.reflect(value, reflector)
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<T> {
        self.0.complete(sketch, source)
    }
}

impl<T> Clone for Boxed<'_, T> {
    fn clone(&self) -> Self {
        Boxed(Arc::clone(&self.0))
    }
}

impl<T> Debug for Boxed<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a boxed generator of {}", std::any::type_name::<T>())
    }
}
