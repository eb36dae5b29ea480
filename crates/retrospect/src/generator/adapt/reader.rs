use super::COMPLETION_TRIES;
use crate::generator::{Generator, accepted};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Extent, Form, Source, Why};

/// The generator made by [`with_reader`](Generator::with_reader).
///
/// ```
/// use retrospect::prelude::*;
/// fn flipped() -> WithReader<impl Generator<Value = bool>, Any<bool>> {
///     any::<bool>().map_with_inverse(|yes| !yes, |no| Some(!no)).with_reader(any::<bool>())
/// }
/// assert_eq!(flipped().read("true").unwrap(), true);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WithReader<G, R> {
    inner: G,
    reader: R,
}

impl<G, R> WithReader<G, R> {
    pub(in crate::generator) fn new(inner: G, reader: R) -> WithReader<G, R> {
        WithReader { inner, reader }
    }
}

impl<G: Generator, R: Generator<Value = G::Value>> Generator for WithReader<G, R> {
    type Value = G::Value;

    #[inline]
    fn extent(&self) -> Extent {
        self.inner.extent()
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        self.inner.generate(source)
    }

    fn form(&self) -> Form {
        self.inner.form()
    }

    #[inline]
    fn reflect(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
        self.inner.reflect(value, reflector)
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<G::Value> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let tries = if sketch.has_holes() { COMPLETION_TRIES } else { 1 };
        for last in (0..tries).rev().map(|left| left == 0) {
            let mark = source.mark();
            let value = self.reader.complete(sketch, source)?;
            if accepted(&self.inner, &value) == Ok(true) {
                return Ok(value);
            }
            source.forget(mark);
            if last {
                let _ = source.not_made(sketch.text(), || match self.inner.choices_of(&value) {
                    Err(error) if error.path().is_empty() => error.reason().to_owned(),
                    Err(error) => format!("its part `{}`, which is {}: {}", error.path(), error.part(), error.reason()),
                    Ok(_) => "it was refused".to_owned(),
                });
            }
        }
        Err(source.stop(Why::NotMade))
    }
}
