//! `arbitrary`: its types as generators, and generators as sources of its types.

use crate::choice::Site;
use crate::generator::{Generate, Generator, any};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{
    Chance, Chooser, CustomDistribution, DORMANT, Distribution, Drawn, NumberRequest, PickRequest, RepeatRequest, Rng,
    Source,
};
use ::arbitrary::{Arbitrary, Error, Unstructured};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::panic::Location;

static ARBITRARY: Site = Site::call("from_arbitrary", file!(), line!());

/// What a type that implements `arbitrary::Arbitrary` makes of bytes. The bytes are the choices:
/// shrinking leaves some out and lowers others.
///
/// ```
/// use retrospect::prelude::*;
/// let pairs = from_arbitrary::<(u8, Vec<bool>)>();
/// assert_eq!(pairs.replay(&Choices::default()), (0, vec![]));
/// laws::minimum(&pairs, |(number, list)| *number > 9 || list.len() > 1, [(10, vec![]), (0, vec![false, false])]);
/// ```
///
/// **Forward only.** Nothing says which bytes make a value, so it is not recalled, nor read from
/// text. `accepts` is false for every value, and `Ways::count` is at least 0, as if it could not be
/// made; `choices_of` and `Ways::probability` say why.
///
/// ```
/// # use retrospect::prelude::*;
/// let error = from_arbitrary::<u8>().choices_of(&3).unwrap_err();
/// assert_eq!(error.reason(), "`from_arbitrary` goes forward only: `arbitrary::Arbitrary` has no inverse");
/// ```
///
/// At random there are at least as many bytes as the type says it needs, and up to 16 more for each
/// unit of size, of which there is at least one. Bytes that the type refuses are drawn again, as
/// [`filter`](Generator::filter) does it. A type that refuses to be made of no bytes at all has no
/// simplest value, as a filter may have none.
#[track_caller]
pub fn from_arbitrary<T: for<'a> Arbitrary<'a> + Debug>() -> FromArbitrary<T> {
    FromArbitrary { place: Location::caller(), made: PhantomData }
}

/// The generator made by [`from_arbitrary`].
///
/// ```
/// use retrospect::ecosystem::FromArbitrary;
/// use retrospect::prelude::*;
/// fn numbers() -> FromArbitrary<u16> {
///     from_arbitrary()
/// }
/// assert_eq!(numbers().sample(1), numbers().sample(1));
/// ```
pub struct FromArbitrary<T> {
    place: &'static Location<'static>,
    made: PhantomData<fn() -> T>,
}

impl<T> Clone for FromArbitrary<T> {
    fn clone(&self) -> FromArbitrary<T> {
        *self
    }
}

impl<T> Copy for FromArbitrary<T> {}

impl<T> Debug for FromArbitrary<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "from_arbitrary::<{}>()", std::any::type_name::<T>())
    }
}

/// Bytes at random for each unit of size, and the most that are drawn because a type says that it
/// needs them.
const BYTES_PER_SIZE: u32 = 16;
const MOST_NEEDED: usize = 1 << 16;

/// Small ones and the last are boundaries; and an odd byte goes on where an even one ends a list.
const BYTES: Distribution =
    Distribution::Custom(CustomDistribution { draw: draw_byte, parameters: [0; 4], chance: Some(chance_of_byte) });

fn draw_byte(max: u64, _: [u64; 4], rng: &mut Rng) -> u64 {
    match rng.next() & 15 {
        0 => 0,
        1 | 2 => 1,
        3 | 4 => max,
        _ => rng.at_most(max),
    }
}

fn chance_of_byte(byte: u64, max: u64, _: [u64; 4]) -> Option<Chance> {
    let often =
        [(1, byte == 0), (2, byte == 1), (2, byte == max)].map(|(throws, is_it)| (throws, Chance::sure_if(is_it)));
    Chance::mixture(16, &[often[0], often[1], often[2], (11, Distribution::Uniform.chance(byte, max)?)])
}

fn draw_bytes(needed: usize, source: &mut Source<'_>) -> Drawn<Vec<u8>> {
    // How many are needed is for the type to say when they are drawn, and no limit for those that
    // are replayed.
    let size = source.size().max(1).saturating_mul(BYTES_PER_SIZE).saturating_add(needed as u32);
    source.resized(size, |source| {
        source.repeat(0, usize::MAX, |source, count| {
            let mut bytes = Vec::new();
            for _ in 0..count {
                bytes.push(source.part(|source| source.number(u8::MAX.into(), BYTES))? as u8);
            }
            Ok((bytes, count))
        })
    })
}

impl<T: for<'a> Arbitrary<'a> + Debug> Generator for FromArbitrary<T> {
    type Value = T;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<T> {
        let needed = T::size_hint(0).0.min(MOST_NEEDED);
        source.call(&ARBITRARY, |source| {
            source.attempt(self.place, |source| {
                let bytes = source.part(|source| draw_bytes(needed, source))?;
                Ok(T::arbitrary_take_rest(Unstructured::new(&bytes)).ok())
            })
        })
    }

    fn reflect(&self, value: &T, reflector: &mut Reflector) -> Reflected {
        reflector.forward_only(value, || FORWARD_ONLY.to_owned())
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<T> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        Err(source.not_made(sketch.text(), || FORWARD_ONLY.to_owned()))
    }
}

const FORWARD_ONLY: &str = "`from_arbitrary` goes forward only: `arbitrary::Arbitrary` has no inverse";

/// A value of a type that has a generator, as an input of a fuzz target: what the fuzzer mutates
/// are the choices.
///
/// ```
/// use arbitrary::{Arbitrary, Unstructured};
/// use retrospect::ecosystem::Generated;
/// // In a fuzz target: `fuzz_target!(|input: Generated<Vec<(u8, bool)>>| { … });`
/// let bytes = [2, 7, 1, 9, 0];
/// let Generated(list) = Generated::<Vec<(u8, bool)>>::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
/// assert_eq!(list, [(7, true), (9, false)]);
/// ```
///
/// Whatever the bytes are, there is a value, unless a filter in its generator refuses it; when they
/// are used up, what is still missing is the simplest. For a generator that is not that of a type,
/// see [`arbitrary_from`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Generated<T>(pub T);

impl<'a, T: Generate> Arbitrary<'a> for Generated<T> {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> ::arbitrary::Result<Generated<T>> {
        arbitrary_from(&any::<T>(), bytes).map(Generated)
    }
}

/// What a generator makes of a fuzzer's bytes: for an `impl Arbitrary` of one's own, or in the body
/// of a fuzz target.
///
/// ```
/// use arbitrary::{Arbitrary, Result, Unstructured};
/// use retrospect::ecosystem::arbitrary_from;
/// use retrospect::prelude::*;
///
/// #[derive(Debug)]
/// struct Percent(u8);
/// impl<'a> Arbitrary<'a> for Percent {
///     fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Percent> {
///         arbitrary_from(&(0..=100), bytes).map(Percent)
///     }
/// }
/// assert_eq!(Percent::arbitrary(&mut Unstructured::new(&[33])).unwrap().0, 33);
/// assert_eq!(Percent::arbitrary(&mut Unstructured::new(&[])).unwrap().0, 0);
/// ```
///
/// # Errors
///
/// [`Error::IncorrectFormat`], which tells a fuzzer to pass over the input, if the generator
/// refuses what the bytes make or is wrong in itself.
pub fn arbitrary_from<G: Generator + ?Sized>(
    generator: &G,
    bytes: &mut Unstructured<'_>,
) -> ::arbitrary::Result<G::Value> {
    let mut chooser = ByteChooser { bytes };
    generator.generate(&mut Source::asking(&mut chooser)).map_err(|_| Error::IncorrectFormat)
}

/// Answers choices from a fuzzer's bytes. It never fails: when the bytes are used up, every answer
/// is the simplest.
///
/// A number takes as many bytes as its bound has, the lowest first; a pick takes one for arms that
/// are as likely as they weigh; a repeat takes one or two, and has no more items than there are
/// bytes left. Numbers that are not drawn at random but given, such as a size, take none.
///
/// ```
/// use arbitrary::Unstructured;
/// use retrospect::ecosystem::ByteChooser;
/// use retrospect::prelude::*;
/// use retrospect::source::Source;
/// let mut bytes = Unstructured::new(&[3, 1, 0, 44]);
/// let mut chooser = ByteChooser::new(&mut bytes);
/// let mut source = Source::asking(&mut chooser);
/// assert_eq!(vec_of(any::<bool>(), ..).generate(&mut source), Ok(vec![true, false, false]));
/// assert_eq!(source.into_choices().to_string(), "[1:true 0:false 0:false]");
/// ```
#[derive(Debug)]
pub struct ByteChooser<'u, 'a> {
    bytes: &'u mut Unstructured<'a>,
}

impl<'u, 'a> ByteChooser<'u, 'a> {
    /// A chooser that takes its answers from these bytes, and leaves those that it does not need.
    ///
    /// ```
    /// # use arbitrary::Unstructured;
    /// # use retrospect::ecosystem::ByteChooser;
    /// use retrospect::source::{Chooser, Distribution, NumberRequest};
    /// let mut bytes = Unstructured::new(&[7, 8]);
    /// let answer = ByteChooser::new(&mut bytes).number(&NumberRequest { max: 9, distribution: Distribution::Uniform });
    /// assert_eq!((answer, bytes.len()), (Ok(7), 1));
    /// ```
    pub fn new(bytes: &'u mut Unstructured<'a>) -> ByteChooser<'u, 'a> {
        ByteChooser { bytes }
    }

    /// A number from 0 to `max`: 0 if there are no more bytes.
    fn up_to(&mut self, max: u64) -> u64 {
        let width = (u64::BITS - max.leading_zeros()).div_ceil(8) as usize;
        let mut number = [0; 8];
        // It fills what is missing with zeros, and fails never.
        let _ = self.bytes.fill_buffer(&mut number[..width]);
        let number = u64::from_le_bytes(number);
        match max.checked_add(1) {
            Some(bound) => number % bound,
            None => number,
        }
    }
}

impl Chooser for ByteChooser<'_, '_> {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        Ok(match request.distribution {
            Distribution::Always(index) => index.min(request.max),
            _ => self.up_to(request.max),
        })
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        let weight = |arm: usize| match request.weights[arm] {
            DORMANT => 0,
            weight => u64::from(weight),
        };
        let simplest = request.possible_arms().next().unwrap_or(0);
        let total: u64 = (0..request.weights.len()).map(weight).sum();
        if total == 0 || self.bytes.is_empty() {
            return Ok(simplest);
        }
        let mut drawn = self.up_to(total - 1);
        for arm in request.possible_arms() {
            match drawn.checked_sub(weight(arm)) {
                Some(left) => drawn = left,
                None => return Ok(arm),
            }
        }
        Ok(simplest)
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        let more = request.likely_max.saturating_sub(request.min);
        let more = self.up_to(more as u64) as usize;
        Ok(request.min.saturating_add(more.min(self.bytes.len())))
    }

    fn may_retry(&self) -> bool {
        !self.bytes.is_empty()
    }
}
