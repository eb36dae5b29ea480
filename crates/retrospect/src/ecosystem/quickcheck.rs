//! `quickcheck`: its `Arbitrary` types as generators.

use crate::choice::Site;
use crate::generator::{Generator, ShrinkWith};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Distribution, Drawn, Source};
use ::quickcheck::{Arbitrary, Gen};
use std::fmt::Debug;
use std::marker::PhantomData;

static QUICKCHECK: Site = Site::call("from_quickcheck", file!(), line!());

/// What a type that implements `quickcheck::Arbitrary` makes, with the shrinking that it has there.
///
/// ```
/// use quickcheck::{Arbitrary, Gen};
/// use retrospect::prelude::*;
///
/// #[derive(Clone, Debug)]
/// struct Even(u32);
/// impl Arbitrary for Even {
///     fn arbitrary(g: &mut Gen) -> Even {
///         Even(u32::arbitrary(g) & !1)
///     }
///     fn shrink(&self) -> Box<dyn Iterator<Item = Even>> {
///         Box::new((self.0 / 2).shrink().map(|half| Even(half * 2)))
///     }
/// }
///
/// let evens = from_quickcheck::<Even>();
/// assert_eq!(evens.sample(1).0 % 2, 0);
/// laws::minimum_where(&evens, |even| even.0 > 101, |even| even.0 == 102);
/// ```
///
/// **Forward only.** Nothing says how a value was made, so it is not recalled, nor read from text.
/// `accepts` is false for every value, and `Ways::count` is at least 0, as if it could not be made;
/// `choices_of` and `Ways::probability` say why.
///
/// ```
/// # use retrospect::prelude::*;
/// let error = from_quickcheck::<u8>().choices_of(&3).unwrap_err();
/// assert_eq!(error.reason(), "`from_quickcheck` goes forward only: `quickcheck::Arbitrary` has no inverse");
/// ```
///
/// The choices are the size (at most 256), the seed from which quickcheck draws, and the steps of
/// its shrinker, as [`shrink_with`](Generator::shrink_with) has them.
#[track_caller]
pub fn from_quickcheck<T: Arbitrary + Debug>() -> ShrinkWith<FromQuickcheck<T>, Shrinker<T>> {
    FromQuickcheck(PhantomData).shrink_with(T::shrink)
}

/// What makes smaller values of one, as `quickcheck::Arbitrary::shrink` does.
///
/// ```
/// use quickcheck::Arbitrary;
/// use retrospect::ecosystem::Shrinker;
/// let shrink: Shrinker<bool> = bool::shrink;
/// assert_eq!(shrink(&true).collect::<Vec<_>>(), [false]);
/// ```
pub type Shrinker<T> = fn(&T) -> Box<dyn Iterator<Item = T>>;

/// What `quickcheck::Arbitrary` makes, without its shrinking; see [`from_quickcheck`].
///
/// ```
/// use retrospect::ecosystem::{FromQuickcheck, Shrinker};
/// use retrospect::generator::ShrinkWith;
/// use retrospect::prelude::*;
/// fn bytes() -> ShrinkWith<FromQuickcheck<u8>, Shrinker<u8>> {
///     from_quickcheck()
/// }
/// assert_eq!(bytes().sample(1), bytes().sample(1));
/// ```
pub struct FromQuickcheck<T>(PhantomData<fn() -> T>);

impl<T> Clone for FromQuickcheck<T> {
    fn clone(&self) -> FromQuickcheck<T> {
        *self
    }
}

impl<T> Copy for FromQuickcheck<T> {}

impl<T> Debug for FromQuickcheck<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "from_quickcheck::<{}>()", std::any::type_name::<T>())
    }
}

/// The largest size that quickcheck is given. The runner tries the ends of all choices, and a list
/// of lists grows with the square of its size.
const LARGEST_SIZE: u64 = 256;

impl<T: Arbitrary + Debug> Generator for FromQuickcheck<T> {
    type Value = T;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<T> {
        let size = source.size();
        source.call(&QUICKCHECK, |source| {
            // What is made depends on the size, so that is a choice as well.
            let size = source.number_part(LARGEST_SIZE, Distribution::Always(size.into()))?;
            let seed = source.number_part(u64::MAX, Distribution::Uniform)?;
            // Some of its generators draw from a range up to the size, which must not be empty.
            Ok(T::arbitrary(&mut Gen::from_size_and_seed((size as usize).max(1), seed)))
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

const FORWARD_ONLY: &str = "`from_quickcheck` goes forward only: `quickcheck::Arbitrary` has no inverse";
