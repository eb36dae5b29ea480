use crate::generator::{Facts, Generator, Wanted};
use crate::mismatch::shortened;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Extent, Source};
use std::fmt::{self, Debug, Write};

/// Only this value. Makes no choice.
///
/// ```
/// use retrospect::prelude::*;
/// let five = exact(5);
/// assert_eq!(five.sample(1), 5);
/// assert_eq!(five.choices_of(&5).unwrap().to_string(), "");
/// assert_eq!(five.choices_of(&6).unwrap_err().reason(), "it is not 5");
/// assert_eq!(five.read("5").unwrap(), 5);
/// ```
///
/// A value that does not equal itself, such as `f64::NAN`, is not accepted backward; [`just`] does
/// that.
#[inline]
pub fn exact<T: Clone + Debug + PartialEq>(value: T) -> Exact<T> {
    Exact(value)
}

/// Only this value, for types that cannot be compared: backward, a value is accepted if `Debug`
/// prints it alike. Makes no choice.
///
/// ```
/// use retrospect::prelude::*;
/// #[derive(Clone, Debug)]
/// struct Opaque(f64);
/// assert!(just(Opaque(f64::NAN)).accepts(&Opaque(f64::NAN)));
/// assert!(!just(Opaque(1.0)).accepts(&Opaque(2.0)));
/// ```
#[inline]
pub fn just<T: Clone + Debug>(value: T) -> Just<T> {
    Just(value)
}

/// The generator made by [`exact`].
///
/// ```
/// use retrospect::generator::{Any, Exact};
/// use retrospect::prelude::*;
/// fn header() -> (Exact<char>, Any<u8>) {
///     (exact('v'), any::<u8>())
/// }
/// assert!(header().accepts(&('v', 7)) && !header().accepts(&('w', 7)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact<T>(T);

/// The generator made by [`just`].
///
/// ```
/// use retrospect::generator::Just;
/// use retrospect::prelude::*;
/// fn no_number() -> Just<f64> {
///     just(f64::NAN)
/// }
/// assert!(no_number().accepts(&f64::NAN));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Just<T>(T);

impl<T: Clone + Debug + PartialEq> Generator for Exact<T> {
    type Value = T;

    #[inline]
    fn facts(&self, _: Wanted) -> Facts {
        Facts { extent: Extent::NUMBER, has_one_way: true, ..Facts::UNKNOWN }
    }

    #[inline]
    fn generate(&self, _: &mut Source<'_>) -> Drawn<T> {
        Ok(self.0.clone())
    }

    #[inline]
    fn reflect(&self, value: &T, reflector: &mut Reflector) -> Reflected {
        if *value == self.0 { Ok(()) } else { reflector.mismatch(value, || not_this(&self.0)) }
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<T> {
        complete(&self.0, sketch, source)
    }
}

impl<T: Clone + Debug> Generator for Just<T> {
    type Value = T;

    #[inline]
    fn facts(&self, _: Wanted) -> Facts {
        Facts { extent: Extent::NUMBER, has_one_way: true, ..Facts::UNKNOWN }
    }

    #[inline]
    fn generate(&self, _: &mut Source<'_>) -> Drawn<T> {
        Ok(self.0.clone())
    }

    #[inline]
    fn reflect(&self, value: &T, reflector: &mut Reflector) -> Reflected {
        if prints(value, &format!("{:?}", self.0)) { Ok(()) } else { reflector.mismatch(value, || not_this(&self.0)) }
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<T> {
        complete(&self.0, sketch, source)
    }
}

#[inline]
fn complete<T: Clone + Debug>(value: &T, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<T> {
    if sketch.matches_debug(value) {
        return Ok(value.clone());
    }
    Err(source.not_made(sketch.text(), || not_this(value)))
}

#[inline]
fn not_this(value: &dyn Debug) -> String {
    format!("it is not {}", shortened(value))
}

/// Whether `Debug` prints the value as `text`. Printing stops at the first difference, so a value
/// of a million items costs no more than the text.
#[inline]
fn prints(value: &dyn Debug, text: &str) -> bool {
    struct Rest<'t>(&'t str);
    impl Write for Rest<'_> {
        #[inline]
        fn write_str(&mut self, piece: &str) -> fmt::Result {
            self.0 = self.0.strip_prefix(piece).ok_or(fmt::Error)?;
            Ok(())
        }
    }
    let mut rest = Rest(text);
    write!(rest, "{value:?}").is_ok() && rest.0.is_empty()
}
