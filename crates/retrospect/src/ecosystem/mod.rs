//! Generators for the types of other crates, and bridges to other testing crates. Each stands
//! behind a feature of the crate's name; none is on by default.
//!
//! ```toml
//! [dev-dependencies]
//! retrospect = { version = "0.1", features = ["serde_json", "uuid"] }
//! ```
//!
//! | feature | types that `any::<T>()` and `#[derive(Generate)]` know, and what each has besides |
//! | --- | --- |
//! | `bytes` | `Bytes`, `BytesMut` |
//! | `chrono` | `NaiveDate`, `NaiveTime`, `NaiveDateTime`, `DateTime<Utc>`, `DateTime<FixedOffset>`, `FixedOffset`, `TimeDelta`, `Weekday`, `Month` |
//! | `http` | `Method`, `StatusCode`, `Version`, `HeaderName`, `HeaderValue`, `HeaderMap`, `Uri` |
//! | `jiff` | `civil::Date`, `civil::Time`, `civil::DateTime`, `civil::Weekday`, `Timestamp`, `Zoned`, `tz::Offset`, `SignedDuration`, `Span` |
//! | `rust_decimal` | `Decimal` |
//! | `serde` | no types: a value of any `Deserialize` type can be given as JSON, in `RETROSPECT_VALUE`, a `#[property]` and `cargo retrospect shrink` |
//! | `serde_json` | `Value`, `Number`, `Map<String, Value>` |
//! | `url` | `Url` |
//! | `uuid` | `Uuid` |
//! | `arbitrary` | `from_arbitrary`: a generator from `arbitrary::Arbitrary`; `Generated` and `arbitrary_from`: our generators in a fuzz target |
//! | `proptest` | `from_strategy`: a generator from a proptest strategy, with its shrinking |
//! | `quickcheck` | `from_quickcheck`: a generator from `quickcheck::Arbitrary`, with its shrinking |
//!
//! The types go in all directions: they are generated, recalled, completed, and read from the text
//! that `Debug` prints. What comes from another testing crate goes forward only, because nothing
//! there says how a value was made: it generates, replays and shrinks, and says so when it is asked
//! to look at a value.

#[cfg(feature = "arbitrary")]
mod arbitrary;
#[cfg(feature = "bytes")]
mod bytes;
#[cfg(any(feature = "chrono", feature = "jiff"))]
mod calendar;
#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(any(feature = "chrono", feature = "http", feature = "jiff", feature = "rust_decimal"))]
mod numbers;
#[cfg(feature = "proptest")]
mod proptest;
#[cfg(feature = "quickcheck")]
mod quickcheck;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "serde_json")]
mod serde_json;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;
#[cfg(any(feature = "http", feature = "url"))]
mod words;

#[cfg(feature = "arbitrary")]
pub use self::arbitrary::{ByteChooser, FromArbitrary, Generated, arbitrary_from, from_arbitrary};
#[cfg(feature = "proptest")]
pub use self::proptest::{FromStrategy, from_strategy};
#[cfg(feature = "quickcheck")]
pub use self::quickcheck::{FromQuickcheck, Shrinker, from_quickcheck};
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use self::serde::{AsJson, WithJson, WithoutJson};

/// A type whose values are made of those of another generator and found again in them, and which is
/// read from its text by a function.
///
/// `parts` is that generator, `make` makes a value, `parts_of` finds its parts; `read` reads a
/// sketch, `expected` says what it should be. `is_doubtful` says of which values there are other
/// parts as well.
#[cfg(any(
    feature = "bytes",
    feature = "chrono",
    feature = "http",
    feature = "jiff",
    feature = "rust_decimal",
    feature = "uuid"
))]
macro_rules! made_of_parts {
    ($(
        $(#[$doc:meta])*
        $type:ty {
            parts: $parts:expr,
            make: $make:expr,
            parts_of: $parts_of:expr,
            $(is_doubtful: $is_doubtful:expr,)?
            $(refused: $refused:expr, also_made_of: $also_made_of:expr,)?
            read: $read:expr,
            expected: $expected:literal,
        }
    )*) => {$(
        $(#[$doc])*
        impl crate::generator::Generate for $type {
            type Generator = crate::generator::Any<$type>;
            #[inline]
            fn generator() -> Self::Generator {
                crate::generator::Any::new()
            }
        }

        impl crate::generator::Generator for crate::generator::Any<$type> {
            type Value = $type;

            #[inline]
            fn generate(&self, source: &mut crate::source::Source<'_>) -> crate::source::Drawn<$type> {
                crate::generator::Generator::generate(&$parts, source).map($make)
            }

            #[inline]
            fn facts(&self, wanted: crate::generator::Wanted) -> crate::generator::Facts {
                let parts = crate::generator::Generator::facts(&$parts, wanted);
                let known = || (parts.form, None);
                crate::generator::Facts { form: parts.form, ..crate::generator::Facts::UNKNOWN }.known(self, wanted, known)
            }
            #[inline]
            fn reflect(&self, value: &$type, reflector: &mut crate::reflect::Reflector) -> crate::reflect::Reflected {
                let parts_of: fn(&$type) -> _ = $parts_of;
                let parts = parts_of(value);
                $(
                    let is_doubtful: fn(&$type) -> bool = $is_doubtful;
                    if is_doubtful(value) {
                        reflector.unknown(|| "it can be made in more ways than are looked for".to_owned());
                    }
                )?
                $(
                    let refused: fn(&$type) -> Option<&'static str> = $refused;
                    if let Some(reason) = refused(value) {
                        return reflector.mismatch(value, || reason.to_owned());
                    }
                    let also_made_of: fn(&$type) -> Option<_> = $also_made_of;
                    if let Some(other) = also_made_of(value) {
                        let ways = [parts, other];
                        return reflector.ways(ways.len(), |reflector, way| {
                            reflector.on_temporary(|reflector| {
                                crate::generator::Generator::reflect(&$parts, &ways[way], reflector)
                            })
                        });
                    }
                )?
                reflector.on_temporary(|reflector| crate::generator::Generator::reflect(&$parts, &parts, reflector))
            }

            #[inline]
            fn complete(
                &self,
                sketch: &crate::sketch::Sketch<'_>,
                source: &mut crate::source::Source<'_>,
            ) -> crate::source::Drawn<$type> {
                if sketch.is_hole() {
                    return crate::generator::Generator::generate(self, source);
                }
                let read: fn(&crate::sketch::Sketch<'_>) -> Option<$type> = $read;
                read(sketch).ok_or_else(|| crate::ecosystem::unexpected($expected, sketch, source))
            }
        }
    )*};
}
#[cfg(any(
    feature = "bytes",
    feature = "chrono",
    feature = "http",
    feature = "jiff",
    feature = "rust_decimal",
    feature = "uuid"
))]
use made_of_parts;

/// What stands in a text is not what a type needs there.
#[cfg(any(
    feature = "bytes",
    feature = "chrono",
    feature = "http",
    feature = "jiff",
    feature = "rust_decimal",
    feature = "serde_json",
    feature = "url",
    feature = "uuid"
))]
fn unexpected(
    expected: &str,
    sketch: &crate::sketch::Sketch<'_>,
    source: &mut crate::source::Source<'_>,
) -> crate::source::Stop {
    /// The text with one `0` for each number, and without fractions of a second, which may be there
    /// or not.
    fn shape(text: &str) -> String {
        let mut shape = String::new();
        for char in text.chars() {
            match char.is_ascii_digit() {
                true if shape.ends_with('0') => {}
                true => shape.push('0'),
                false => shape.push(char),
            }
        }
        shape.replace(".0", "")
    }
    // If the text is written like the example, there is no such thing: `2023-02-29` for "a date
    // such as 1970-01-31".
    let missing = expected.split_once(" such as ").filter(|(_, example)| shape(sketch.text()) == shape(example));
    source.not_made(sketch.text(), || match missing {
        Some((noun, _)) => format!("there is no such {}", noun.split_once(' ').map_or(noun, |(_, noun)| noun)),
        None => format!("expected {expected}, not {}", sketch.kind().describe()),
    })
}
