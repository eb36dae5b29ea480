use super::any::Generate;
use super::chars::{ASCII_ORDER, ascii_index};
use super::collections::{MAX_RESERVED, length_problem, too_many};
use super::options::unexpected;
use super::shape::{Shape, Shapes};
use super::{Any, Facts, Generator, Lengths, Wanted, free_part};
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Chance, CustomDistribution, Distribution, Drawn, Extent, Keep, Rng, Source};
use std::borrow::Cow;
use std::ffi::{CString, OsString};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

/// Strings of characters, of a number of characters that may be a length, a range of lengths, or
/// any (`..`).
///
/// `any::<String>()` is `string_of(any::<char>(), ..)`: mostly printable ASCII, with characters in
/// between that programs often get wrong. A range of characters is uniform: its simplest is `a` if
/// it has that, otherwise its first; from there the order goes up to the end, and then down. The
/// choices are those of a list: one part for each character.
///
/// ```
/// use retrospect::prelude::*;
/// let names = string_of('a'..='z', 1..=8);
/// assert_eq!(names.choices_of(&"cab".to_owned()).unwrap().to_string(), "[2 0 1]");
/// assert_eq!(names.replay(&Choices::default()), "a");
/// let error = names.choices_of(&"no way".to_owned()).unwrap_err();
/// assert_eq!(error.to_string(), "this generator cannot make the part `[2]`, which is ' ': ' ' is not in 'a'..='z'");
/// ```
#[inline]
pub fn string_of<G: Generator<Value = char>>(chars: G, lengths: impl Into<Lengths>) -> StringOf<G> {
    StringOf { chars, lengths: lengths.into() }
}

/// The generator made by [`string_of`].
///
/// ```
/// use retrospect::generator::StringOf;
/// use retrospect::prelude::*;
/// fn names() -> StringOf<std::ops::RangeInclusive<char>> {
///     string_of('a'..='z', 1..=8)
/// }
/// assert!(names().accepts(&"ada".to_owned()) && !names().accepts(&"Ada".to_owned()));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StringOf<G> {
    chars: G,
    lengths: Lengths,
}

impl<G: Generator<Value = char>> StringOf<G> {
    /// The same strings as another type: `Box<str>`, `Rc<str>`, `Arc<str>`, `Cow<str>`, `OsString`.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use std::sync::Arc;
    /// let names = string_of('a'..='z', 1..=8).as_type::<Arc<str>>();
    /// assert_eq!(names.choices_of(&"cab".into()).unwrap().to_string(), "[2 0 1]");
    /// ```
    #[inline]
    pub fn as_type<S: StringLike>(self) -> StringAs<S, G> {
        StringAs { string: self, as_type: PhantomData }
    }

    /// What is not ASCII and comes after it, and what is more than [`MAX_RESERVED`] characters.
    #[cold]
    #[inline(never)]
    fn with_more(&self, mut string: String, rest: &str, count: usize, source: &mut Source<'_>) -> Drawn<String> {
        string.push_str(rest);
        for _ in 0..count {
            string.push(free_part(&self.chars, source)?);
        }
        Ok(string)
    }

    #[inline]
    pub(super) fn reflect_str(&self, value: &str, reflector: &mut Reflector) -> Reflected {
        let Lengths { min, max } = self.lengths;
        // Bytes are counted and taken apart faster than characters.
        let is_ascii = value.is_ascii();
        let count = if is_ascii { value.len() } else { value.chars().count() };
        reflector.repeat(count, min, max, &value, |reflector| {
            let looked_at = match is_ascii {
                true => self.chars.reflect_many(value.bytes().map(char::from), reflector),
                false => self.chars.reflect_many(value.chars(), reflector),
            };
            if let Some(result) = looked_at {
                return result;
            }
            for (place, character) in value.chars().enumerate() {
                reflector.part(Segment::Item(place), |reflector| {
                    reflector.on_temporary(|reflector| self.chars.reflect(&character, reflector))
                })?;
            }
            Ok(())
        })
    }
}

impl<G: Generator<Value = char>> Generator for StringOf<G> {
    type Value = String;

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        // However long it is, it is no more to read than a list.
        Facts { extent: Extent::LIST, ..self.lengths.facts_of_list(self, self.chars.facts(wanted), wanted) }
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<String> {
        let Lengths { min, max } = self.lengths;
        source.repeat_all(Extent::NUMBER, min, max, |source, count| {
            let room = count.min(MAX_RESERVED);
            let mut bytes: Vec<u8> = Vec::with_capacity(room);
            let mut rest = String::new();
            let mut writing = Writing::new(&mut bytes, room, &mut rest);
            self.chars.generate_many(source, room, &mut writing)?;
            let Writing { plain, is_plain, .. } = writing;
            // SAFETY: that many bytes were written, all of them ASCII.
            let string = unsafe {
                bytes.set_len(plain);
                String::from_utf8_unchecked(bytes)
            };
            if is_plain && count == room { Ok(string) } else { self.with_more(string, &rest, count - room, source) }
        })
    }

    #[inline]
    fn reflect(&self, value: &String, reflector: &mut Reflector) -> Reflected {
        self.reflect_str(value, reflector)
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<String> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let Some(string) = sketch.string() else {
            return Err(unexpected("a string", sketch, source));
        };
        let count = string.chars().count();
        if let Some(problem) = length_problem(count, self.lengths) {
            return Err(source.not_made(sketch.text(), || problem));
        }
        for (place, character) in string.chars().enumerate() {
            if !self.chars.accepts(&character) {
                return Err(source.at(Segment::Item(place), |source| {
                    source.not_made(&format!("{character:?}"), || match self.chars.choices_of(&character) {
                        Err(error) => error.reason().to_owned(),
                        Ok(_) => "it cannot be made".to_owned(),
                    })
                }));
            }
        }
        Ok(string)
    }
}

/// A string that is filled. As long as they are ASCII, characters are written like bytes, as far as
/// there is room. What comes after that is a string of its own.
struct Writing<'r> {
    first: *mut u8,
    room: usize,
    plain: usize,
    is_plain: bool,
    /// Elsewhere, so that all else stays in registers.
    rest: &'r mut String,
}

impl<'r> Writing<'r> {
    /// `bytes` must not be used until all is written.
    #[inline(always)]
    fn new(bytes: &mut Vec<u8>, room: usize, rest: &'r mut String) -> Writing<'r> {
        let first = bytes.spare_capacity_mut()[..room].as_mut_ptr().cast();
        Writing { first, room, plain: 0, is_plain: true, rest }
    }
}

impl Keep<char> for Writing<'_> {
    #[inline(always)]
    fn keep(&mut self, character: char) {
        if self.is_plain && character.is_ascii() {
            if self.plain == self.room {
                too_many();
            }
            // SAFETY: there is room for one more byte.
            unsafe { self.first.add(self.plain).write(character as u8) };
            self.plain += 1;
        } else {
            self.is_plain = false;
            push_other(self.rest, character);
        }
    }

    #[inline(always)]
    fn keep_while(&mut self, count: usize, mut next: impl FnMut() -> Option<char>) -> usize {
        let mut kept = 0;
        // Where all characters are ASCII, which is known when this is compiled, it is all there is
        // to do.
        if self.is_plain && count <= self.room - self.plain {
            let first = self.plain;
            loop {
                kept = self.plain - first;
                if kept == count {
                    return kept;
                }
                let Some(character) = next() else { return kept };
                if !character.is_ascii() {
                    self.keep(character);
                    kept += 1;
                    break;
                }
                // SAFETY: there is room for all of them.
                unsafe { self.first.add(self.plain).write(character as u8) };
                self.plain += 1;
            }
        }
        while kept < count
            && let Some(character) = next()
        {
            self.keep(character);
            kept += 1;
        }
        kept
    }
}

/// Not inlined, so that the loop for ASCII stays small.
#[inline(never)]
fn push_other(string: &mut String, character: char) {
    string.push(character);
}

/// Any string; see [`string_of`].
///
/// ```
/// use retrospect::prelude::*;
/// assert_eq!(any::<String>().replay(&Choices::default()), "");
/// assert!(any::<String>().accepts(&"Grüße".to_owned()));
/// ```
impl Generate for String {
    type Generator = StringOf<Any<char>>;
    #[inline]
    fn generator() -> Self::Generator {
        string_of(Any::new(), ..)
    }
    fn shape(shapes: &mut Shapes) -> Shape {
        let character = shapes.leaf();
        shapes.optional(character)
    }
}

/// Other types that hold a string: `Box<str>`, `Rc<str>`, `Arc<str>`, `Cow<str>`, `OsString`, and
/// one's own. See [`StringOf::as_type`].
///
/// ```
/// use retrospect::generator::StringLike;
/// use retrospect::prelude::*;
/// #[derive(Debug, PartialEq)]
/// struct Name(String);
/// impl From<String> for Name {
///     fn from(name: String) -> Name {
///         Name(name)
///     }
/// }
/// impl StringLike for Name {
///     fn as_str(&self) -> Result<&str, &'static str> {
///         Ok(&self.0)
///     }
/// }
/// assert_eq!(string_of('a'..='z', 2).as_type::<Name>().replay(&Choices::default()), Name("aa".to_owned()));
/// ```
pub trait StringLike: Debug + From<String> {
    /// The string, or why it is none.
    ///
    /// ```
    /// # use retrospect::generator::StringLike;
    /// # use retrospect::prelude::*;
    /// let name: std::rc::Rc<str> = "ada".into();
    /// assert_eq!(StringLike::as_str(&name), Ok("ada"));
    /// ```
    fn as_str(&self) -> Result<&str, &'static str>;
}

macro_rules! string_like {
    ($($type:ty;)*) => {$(
        impl StringLike for $type {
            #[inline]
            fn as_str(&self) -> Result<&str, &'static str> {
                Ok(self)
            }
        }
    )*};
}

string_like! { Box<str>; Rc<str>; Arc<str>; Cow<'_, str>; }

impl StringLike for OsString {
    #[inline]
    fn as_str(&self) -> Result<&str, &'static str> {
        self.to_str().ok_or("it is not valid UTF-8")
    }
}

/// The generator made by [`StringOf::as_type`].
///
/// ```
/// use retrospect::generator::{Any, StringAs};
/// use retrospect::prelude::*;
/// use std::rc::Rc;
/// fn names() -> StringAs<Rc<str>, Any<char>> {
///     string_of(any::<char>(), 1..).as_type()
/// }
/// assert!(names().accepts(&"ada".into()) && !names().accepts(&"".into()));
/// ```
pub struct StringAs<S, G> {
    string: StringOf<G>,
    as_type: PhantomData<fn() -> S>,
}

impl<S, G: Clone> Clone for StringAs<S, G> {
    #[inline]
    fn clone(&self) -> StringAs<S, G> {
        StringAs { string: self.string.clone(), as_type: PhantomData }
    }
}

impl<S, G: Copy> Copy for StringAs<S, G> {}

impl<S, G: Debug> Debug for StringAs<S, G> {
    #[inline]
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:?}.as_type::<{}>()", self.string, std::any::type_name::<S>())
    }
}

impl<S: StringLike, G: Generator<Value = char>> Generator for StringAs<S, G> {
    type Value = S;
    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<S> {
        self.string.generate(source).map(S::from)
    }
    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { has_one_way: false, ..self.string.facts(wanted) }
    }

    #[inline]
    fn reflect(&self, value: &S, reflector: &mut Reflector) -> Reflected {
        match value.as_str() {
            Ok(string) => self.string.reflect_str(string, reflector),
            Err(problem) => reflector.mismatch(value, || problem.to_owned()),
        }
    }
    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<S> {
        self.string.complete(sketch, source).map(S::from)
    }
}

macro_rules! generate_strings {
    ($($(#[$doc:meta])* $type:ty;)*) => {$(
        $(#[$doc])*
        impl Generate for $type {
            type Generator = StringAs<Self, Any<char>>;
            #[inline]
            fn generator() -> Self::Generator {
                string_of(Any::new(), ..).as_type()
            }
            fn shape(shapes: &mut Shapes) -> Shape {
                String::shape(shapes)
            }
        }
    )*};
}

generate_strings! {
    /// Any string; see [`StringOf::as_type`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert!(any::<Box<str>>().accepts(&"Grüße".into()));
    /// assert_eq!(&*any::<Box<str>>().replay(&Choices::default()), "");
    /// ```
    Box<str>;
    Rc<str>;
    Arc<str>;
    Cow<'_, str>;
    /// Any string; one that is not valid UTF-8 is neither made nor recalled.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use std::ffi::OsString;
    /// assert!(any::<OsString>().accepts(&OsString::from("readme.md")));
    /// ```
    OsString;
}

/// Strings of bytes without a zero: three in four bytes are printable ASCII, the others any. The
/// order is that of `char`: `a` is the simplest.
///
/// ```
/// use retrospect::prelude::*;
/// let strings = any::<std::ffi::CString>();
/// assert_eq!(strings.replay(&Choices::default()), c"".to_owned());
/// assert_eq!(strings.choices_of(&c"ab\xff".to_owned()).unwrap().to_string(), "[0 1 254]");
/// ```
impl Generate for CString {
    type Generator = Any<CString>;
    #[inline]
    fn generator() -> Any<CString> {
        Any::new()
    }
}

/// The index of the last byte: there are 255.
const LAST_BYTE: u64 = 254;
/// The index that the zero would have: the first of the control characters.
const ZERO: u64 = 95;
const BYTE_LAW: Distribution =
    Distribution::Custom(CustomDistribution { draw: draw_byte, parameters: [0; 4], chance: Some(chance_of_byte) });

fn draw_byte(max: u64, _: [u64; 4], rng: &mut Rng) -> u64 {
    if rng.next() >> 62 == 0 { rng.at_most(max) } else { rng.at_most(ZERO - 1) }
}

fn chance_of_byte(index: u64, max: u64, _: [u64; 4]) -> Option<Chance> {
    let any = Chance::new(1, 4 * (u128::from(max) + 1));
    if index < ZERO { any.plus(Chance::new(3, 4 * u128::from(ZERO))) } else { Some(any) }
}

#[inline]
fn byte_index(byte: u8) -> u64 {
    match byte {
        0..128 => {
            let index = ascii_index(byte);
            if index > ZERO { index - 1 } else { index }
        }
        _ => u64::from(byte) - 1,
    }
}

#[inline]
fn byte_at(index: u64) -> u8 {
    match index {
        0..ZERO => ASCII_ORDER[index as usize],
        ZERO..127 => ASCII_ORDER[index as usize + 1],
        _ => index as u8 + 1,
    }
}

impl Generator for Any<CString> {
    type Value = CString;
    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<CString> {
        source.repeat(0, usize::MAX, |source, count| {
            let mut bytes = Vec::with_capacity(count.min(MAX_RESERVED) + 1);
            for _ in 0..count {
                bytes.push(byte_at(source.number_part(LAST_BYTE, BYTE_LAW)?));
            }
            Ok((CString::new(bytes).unwrap_or_default(), count))
        })
    }
    #[inline]
    fn reflect(&self, value: &CString, reflector: &mut Reflector) -> Reflected {
        let bytes = value.as_bytes();
        reflector.repeat(bytes.len(), 0, usize::MAX, value, |reflector| {
            for (place, byte) in bytes.iter().enumerate() {
                reflector
                    .part(Segment::Item(place), |reflector| reflector.number(byte_index(*byte), LAST_BYTE, BYTE_LAW))?;
            }
            Ok(())
        })
    }
    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<CString> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let Some(bytes) = sketch.bytes() else {
            return Err(unexpected("a string of bytes", sketch, source));
        };
        CString::new(bytes).map_err(|_| source.not_made(sketch.text(), || "it has a zero inside".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_but_zero_has_an_index() {
        let mut bytes: Vec<u8> = (0..=LAST_BYTE).map(byte_at).collect();
        for (index, byte) in bytes.iter().enumerate() {
            assert_eq!(byte_index(*byte), index as u64);
        }
        bytes.sort_unstable();
        assert_eq!(bytes, (1..=255).collect::<Vec<u8>>());
    }
}
