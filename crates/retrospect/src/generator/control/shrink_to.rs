use crate::choice::Site;
use crate::generator::Generator;
use crate::mismatch::shortened;
use crate::reflect::{Mismatch, Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{DORMANT, Drawn, Source};
use std::fmt::Debug;
use std::panic::Location;

/// Makes `start`, which shrinks to one of the others and to nothing else. Earlier ones are simpler.
///
/// The others are tried in their order, and the first that still fails is taken. From there it only
/// goes on to one that stands before it, should that fail too after something else became simpler;
/// it never goes back.
///
/// ```
/// use retrospect::generator::shrink_to;
/// use retrospect::prelude::*;
/// let timeouts = shrink_to(30, [1, 5, 10]);
/// assert!((0..100).all(|seed| timeouts.sample(seed) == 30));
/// assert_eq!(timeouts.shrink(30, |seconds| *seconds >= 4).unwrap().value, 5);
/// assert_eq!(timeouts.shrink(30, |seconds| *seconds > 10).unwrap().value, 30);
/// ```
///
/// **Simplest.** The simplest value is the first of the others, as for every generator what the
/// simplest choices make: so a part that is made as simple as can be, all at once, has it at once.
/// `start` is the last of all; but it is the only one that is drawn at random. All of them can be
/// made: they reflect, they are read, and a property may meet them as boundary cases. Without
/// others there is only `start`.
///
/// ```
/// # use retrospect::generator::shrink_to;
/// # use retrospect::prelude::*;
/// let flags = shrink_to(true, [false]);
/// assert_eq!(flags.replay(&Choices::default()), false);
/// assert_eq!(flags.choices_of(&true).unwrap().to_string(), "1:");
/// assert_eq!(shrink_to("a", []).choices_of(&"b").unwrap_err().reason(), r#"it is not "a""#);
/// ```
#[track_caller]
pub fn shrink_to<T: Clone + Debug + PartialEq>(start: T, others: impl IntoIterator<Item = T>) -> ShrinkTo<T> {
    ShrinkTo { start, others: others.into_iter().collect(), site: Site::at("shrink_to", &[], Location::caller()) }
}

/// The generator made by [`shrink_to`].
///
/// ```
/// use retrospect::generator::{ShrinkTo, shrink_to};
/// use retrospect::prelude::*;
/// fn verbose() -> ShrinkTo<bool> {
///     shrink_to(true, [false])
/// }
/// assert!(verbose().sample(1) && verbose().accepts(&false));
/// ```
#[derive(Clone, Debug)]
pub struct ShrinkTo<T> {
    start: T,
    others: Vec<T>,
    site: &'static Site,
}

/// How many of the others one pick has; its last arm leads on to those that follow, and in the end
/// to the start. Shrinking tries all arms of a pick that has no more than 16.
const OTHERS_PER_PICK: usize = 15;

/// Only the last arm is drawn at random.
fn weights(others: usize) -> &'static [u32] {
    const WEIGHTS: [u32; OTHERS_PER_PICK + 1] = {
        let mut weights = [DORMANT; OTHERS_PER_PICK + 1];
        weights[OTHERS_PER_PICK] = 1;
        weights
    };
    &WEIGHTS[OTHERS_PER_PICK - others..]
}

impl<T: Clone + Debug + PartialEq> Generator for ShrinkTo<T> {
    type Value = T;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<T> {
        source.call(self.site, |source| {
            for others in self.others.chunks(OTHERS_PER_PICK) {
                let arm = source.pick(self.site, weights(others.len()))?;
                if let Some(other) = others.get(arm) {
                    return Ok(other.clone());
                }
            }
            Ok(self.start.clone())
        })
    }

    #[inline]
    fn reflect(&self, value: &T, reflector: &mut Reflector) -> Reflected {
        let Some(first) = self.all().position(|other| other == value) else {
            return reflector.mismatch(value, || self.reason());
        };
        let address = std::ptr::from_ref(value).cast();
        reflector.call(
            self.site,
            || None,
            address,
            |reflector| {
                // The start, or another one, may be there twice: each is a way of its own, and only
                // that of the start is drawn at random.
                reflector.ways_from(first, self.others.len() + 1, |reflector, place| {
                    match self.others.get(place).unwrap_or(&self.start) == value {
                        true => self.reflect_place(place, reflector),
                        false => Err(Mismatch),
                    }
                })
            },
        )
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<T> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        for value in std::iter::once(&self.start).chain(&self.others) {
            if sketch.matches_debug(value) {
                return Ok(value.clone());
            }
        }
        Err(source.not_made(sketch.text(), || self.reason()))
    }
}

impl<T> ShrinkTo<T> {
    /// The others, and then the start.
    fn all(&self) -> impl Iterator<Item = &T> {
        self.others.iter().chain(std::iter::once(&self.start))
    }

    /// The picks that lead to one of the others, or past all of them to the start.
    fn reflect_place(&self, mut place: usize, reflector: &mut Reflector) -> Reflected {
        for others in self.others.chunks(OTHERS_PER_PICK) {
            reflector.pick(self.site, weights(others.len()), place.min(others.len()))?;
            if place < others.len() {
                break;
            }
            place -= others.len();
        }
        Ok(())
    }
}

impl<T: Debug> ShrinkTo<T> {
    fn reason(&self) -> String {
        match &self.others[..] {
            [] => format!("it is not {}", shortened(&self.start)),
            others => format!("it is neither {} nor one of {}", shortened(&self.start), shortened(&others)),
        }
    }
}
