//! Strings as bytes.

use super::Text;
use crate::generator::{Facts, Generator, Wanted, accepted, any};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, MAX_TRIES, Source};

impl Text {
    /// The same strings as bytes. What is no UTF-8 cannot be made, and the reason says from which
    /// byte on.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let flags = text::one_of(["on", "off"]).bytes();
    /// assert_eq!(flags.replay(&Choices::default()), b"on");
    /// assert!(flags.accepts(&b"off".to_vec()));
    /// assert_eq!(flags.choices_of(&b"o\xff".to_vec()).unwrap_err().reason(), "it is not valid UTF-8 from byte 1 on");
    /// ```
    pub fn bytes(&self) -> Bytes {
        Bytes { text: self.clone() }
    }
}

/// The generator made by [`Text::bytes`].
///
/// ```
/// use retrospect::prelude::*;
/// fn lines() -> text::Bytes {
///     text::repeat(text::chars('a'..='z'), ..).then('\n').bytes()
/// }
/// assert_eq!(lines().read("[97, 10]").unwrap(), b"a\n");
/// ```
#[derive(Clone, Debug)]
pub struct Bytes {
    text: Text,
}

impl Generator for Bytes {
    type Value = Vec<u8>;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<Vec<u8>> {
        self.text.generate(source).map(String::into_bytes)
    }

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        self.text.facts(wanted)
    }

    fn reflect(&self, value: &Vec<u8>, reflector: &mut Reflector) -> Reflected {
        match str::from_utf8(value) {
            Ok(text) => self.text.reflect_str(text, reflector),
            Err(error) => {
                let from = error.valid_up_to();
                reflector.mismatch(value, || format!("it is not valid UTF-8 from byte {from} on"))
            }
        }
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Vec<u8>> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let tries = if sketch.has_holes() { MAX_TRIES / 10 } else { 1 };
        let mark = source.mark();
        for _ in 0..tries {
            let bytes = any::<Vec<u8>>().complete(sketch, source)?;
            if accepted(self, &bytes) == Ok(true) {
                return Ok(bytes);
            }
            source.forget(mark);
            if tries == 1 {
                return Err(source.not_made(sketch.text(), || match self.choices_of(&bytes) {
                    Err(error) => error.reason().to_owned(),
                    Ok(_) => "it cannot be made".to_owned(),
                }));
            }
        }
        Err(source.not_made(sketch.text(), || format!("{tries} ways to fill its holes gave no text of this form")))
    }
}
