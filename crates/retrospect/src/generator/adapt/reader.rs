use super::COMPLETION_TRIES;
use crate::generator::{Facts, Generator, Wanted, accepted};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Source, Why};
use std::fmt::{self, Debug, Display};
use std::marker::PhantomData;
use std::ops::ControlFlow::{Break, Continue};

/// The generator made by [`with_reader`](Generator::with_reader).
///
/// ```
/// use retrospect::generator::{Any, WithReader};
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
    fn facts(&self, wanted: Wanted) -> Facts {
        self.inner.facts(wanted)
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        self.inner.generate(source)
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
        let mut refused = None;
        let made = source.tries(tries, |source, _| {
            let mark = source.mark();
            match self.reader.complete(sketch, source) {
                Ok(value) if accepted(&self.inner, &value) != Ok(true) => {
                    source.forget(mark);
                    refused = Some(value);
                    Continue(())
                }
                made => Break(made),
            }
        });
        if let Ok(made) = made {
            return made;
        }
        let _ = source.not_made(sketch.text(), || match refused.map(|value| self.inner.choices_of(&value)) {
            Some(Err(error)) if error.path().is_empty() => error.reason().to_owned(),
            Some(Err(error)) => {
                format!("its part `{}`, which is {}: {}", error.path(), error.part(), error.reason())
            }
            _ => "it was refused".to_owned(),
        });
        Err(source.stop(Why::NotMade))
    }
}

/// What reads values by a function of their whole text, to be handed to
/// [`with_reader`](Generator::with_reader).
///
/// Values are read as a derived `Debug` prints them. For a type whose `Debug` is written by hand
/// that does not work, but the type often has a `FromStr` that reads what is printed:
///
/// ```
/// use retrospect::prelude::*;
/// # use std::{fmt, num::ParseIntError, str::FromStr};
/// #[derive(Generate, PartialEq)]
/// struct Version {
///     major: u8,
///     minor: u8,
/// }
/// impl fmt::Debug for Version {
///     fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
///         write!(formatter, "{}.{}", self.major, self.minor)
///     }
/// }
/// impl FromStr for Version {
///     type Err = ParseIntError;
///     fn from_str(text: &str) -> Result<Version, ParseIntError> {
///         let (major, minor) = text.split_once('.').unwrap_or((text, ""));
///         Ok(Version { major: major.parse()?, minor: minor.parse()? })
///     }
/// }
/// let versions = any::<Version>().with_reader(reader(str::parse));
/// assert_eq!(versions.read("1.12").unwrap(), Version { major: 1, minor: 12 });
/// let error = versions.read("1.300").unwrap_err().to_string();
/// assert!(error.contains("number too large to fit in target type"));
/// laws::check(&versions);
/// ```
///
/// What it is given has the form of `Debug` text all the same: brackets close, and quotation marks
/// end. `[14, 196)` cannot be read.
///
/// It only reads. A value with holes, such as `1._`, is text for the function like any other.
pub fn reader<T, E, F>(read: F) -> TextReader<T, E, F>
where
    T: Debug,
    E: Display,
    F: Fn(&str) -> Result<T, E>,
{
    TextReader { read, result: PhantomData }
}

/// What [`reader`] makes.
///
/// ```
/// use retrospect::generator::TextReader;
/// use retrospect::prelude::*;
/// fn hex() -> TextReader<u8, std::num::ParseIntError, impl Fn(&str) -> Result<u8, std::num::ParseIntError>> {
///     reader(|text| u8::from_str_radix(text, 16))
/// }
/// assert_eq!((0..100).with_reader(hex()).read("1f").unwrap(), 31);
/// ```
pub struct TextReader<T, E, F> {
    read: F,
    result: PhantomData<fn() -> Result<T, E>>,
}

impl<T, E, F: Clone> Clone for TextReader<T, E, F> {
    fn clone(&self) -> TextReader<T, E, F> {
        TextReader { read: self.read.clone(), result: PhantomData }
    }
}

impl<T, E, F> Debug for TextReader<T, E, F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "reader of {}", std::any::type_name::<T>())
    }
}

const ONLY_READS: &str = "a `reader` only reads: hand it to the `with_reader` of a generator";

impl<T: Debug, E: Display, F: Fn(&str) -> Result<T, E>> Generator for TextReader<T, E, F> {
    type Value = T;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<T> {
        Err(source.stop(Why::Other(ONLY_READS.to_owned())))
    }

    fn reflect(&self, value: &T, reflector: &mut Reflector) -> Reflected {
        reflector.mismatch(value, || ONLY_READS.to_owned())
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<T> {
        let text = sketch.text();
        (self.read)(text).map_err(|error| source.not_made(text, || error.to_string()))
    }
}
