//! Choices among generators.

use super::{Generator, form_of};
use crate::choice::Site;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{DORMANT, Drawn, PickRequest, Rng, Source, Weight, Why, bad_weight};
use std::fmt::{self, Debug};
use std::panic::Location;
use std::sync::OnceLock;

/// One of several generators, each as likely as the others: a tuple of up to 12 of them, an array
/// or a vector.
///
/// The first is the simplest: shrinking goes towards it, so it should be one that ends. Backward,
/// the first that can make the value is noted; `Ways::count` counts them all.
///
/// ```
/// use retrospect::prelude::*;
/// let numbers = one_of((0..=5, 100..=200, exact(-1)));
/// assert_eq!(numbers.choices_of(&104).unwrap().to_string(), "1:(4)");
/// assert_eq!(numbers.choices_of(&-1).unwrap().to_string(), "2:");
/// assert_eq!(numbers.choices_of(&7).unwrap_err().reason(), "7 is not in 0..=5; and 7 is not in 100..=200; and it is not -1");
/// assert_eq!(one_of(vec![0..3, 5..8]).replay(&"1:(2)".parse().unwrap()), 7);
/// ```
///
/// With no generators at all (an empty vector) nothing can be made, and the error says so.
#[track_caller]
pub fn one_of<A: Arms>(arms: A) -> OneOf<A> {
    let place = Location::caller();
    let weights = arms.weights(|_| 1);
    OneOf { arms, weights, weights_at_rest: OnceLock::new(), site: Site::at("one_of", &[], place), fault: None }
}

/// One of several generators, some more likely than others: `(weight, generator)` pairs in a tuple
/// of up to 12, an array or a vector.
///
/// A weight is any integer. An arm of weight 0 is absent, in every direction: it is neither drawn
/// nor replayed, and what only it could make is not accepted. A negative weight, or one above
/// 4294967294, is an error that names the arm and this place; so are arms that all weigh 0.
///
/// ```
/// use retrospect::prelude::*;
/// let numbers = frequency(((9, 0..=9), (1, 1000..=9999)));
/// assert!((0..100).filter(|seed| numbers.sample(*seed) < 10).count() > 75);
///
/// let is_signed = false;
/// let numbers = frequency(((1, 0..=9), (i32::from(is_signed), -9..=-1)));
/// assert!(!numbers.accepts(&-5));
/// ```
#[track_caller]
pub fn frequency<L: ArmList<ByWeight>>(arms: L) -> OneOf<L::Arms> {
    let (notes, arms) = arms.split();
    OneOf::new("frequency", arms, &notes, Location::caller())
}

/// One of several generators that have names: `("label", generator)` or `("label", weight,
/// generator)` in a tuple of up to 12, an array or a vector.
///
/// The names stand in the choices, so that a reader sees what was chosen, and a saved choice is
/// found again after arms were added or reordered. They are what tuning counts. Without a weight an
/// arm weighs 1; see [`frequency`].
///
/// ```
/// use retrospect::prelude::*;
/// let numbers = labelled((("small", 9, 0..=9), ("large", 1000..=9999)));
/// assert_eq!(numbers.choices_of(&7).unwrap().to_string(), "0:small(7)");
/// assert_eq!(numbers.replay(&"0:large(5)".parse().unwrap()), 1005);
/// ```
///
/// # Panics
///
/// If two arms have the same label.
///
/// ```should_panic
/// # use retrospect::prelude::*;
/// labelled((("number", 0..=9), ("number", 10..=99)));
/// ```
#[track_caller]
pub fn labelled<L: ArmList<ByLabel>>(arms: L) -> OneOf<L::Arms> {
    let (notes, arms) = arms.split();
    let place = Location::caller();
    for (arm, note) in notes.iter().enumerate() {
        if let Some(earlier) = notes[..arm].iter().position(|earlier| earlier.label == note.label) {
            let label = note.label.unwrap_or_default();
            panic!(
                "arms {earlier} and {arm} of `labelled` ({}:{}) have the same label {label:?}",
                place.file(),
                place.line()
            );
        }
    }
    OneOf::new("labelled", arms, &notes, place)
}

/// The generator made by [`one_of`], [`frequency`], [`labelled`] and
/// [`with_default`](Generator::with_default).
///
/// At size 0, where a recursive generator has used up its size, only arms that end are drawn at
/// random: those whose simplest value needs no further level of a [`recursive`](super::recursive)
/// or [`lazy`](super::lazy) generator. The others can be made all the same.
///
/// ```
/// use retrospect::generator::OneOf;
/// use retrospect::prelude::*;
/// use std::ops::Range;
/// fn edges() -> OneOf<[Range<u8>; 2]> {
///     one_of([0..10, 90..100])
/// }
/// assert!(edges().accepts(&95) && !edges().accepts(&50));
/// ```
pub struct OneOf<A: Arms> {
    arms: A,
    weights: A::Weights,
    /// What is drawn at size 0, found out on first use.
    weights_at_rest: OnceLock<A::Weights>,
    site: &'static Site,
    /// A weight that is wrong.
    fault: Option<Box<str>>,
}

impl<A: Arms> OneOf<A> {
    pub(super) fn new(name: &'static str, arms: A, notes: &[Note], place: &'static Location<'static>) -> OneOf<A> {
        let labels: Vec<&'static str> = notes.iter().filter_map(|note| note.label).collect();
        let site = Site::at(name, &labels, place);
        let fault = notes.iter().enumerate().find_map(|(arm, note)| {
            let problem = note.weight.as_ref().err()?;
            Some(bad_weight(site, arm, problem).into_boxed_str())
        });
        let weights = arms.weights(|arm| notes[arm].weight.as_ref().copied().unwrap_or(0));
        OneOf { arms, weights, weights_at_rest: OnceLock::new(), site, fault }
    }

    fn weights_at_rest(&self) -> &[u32] {
        let weights = self.weights_at_rest.get_or_init(|| {
            self.arms.weights(|arm| match self.weights.as_ref()[arm] {
                0 => 0,
                _ if !Source::ends(|source| self.arms.generate_arm(arm, source)) => DORMANT,
                weight => weight,
            })
        });
        weights.as_ref()
    }

    /// Why nothing can be made at all.
    fn fault(&self) -> Option<String> {
        if let Some(fault) = &self.fault {
            return Some(fault.to_string());
        }
        let weights = self.weights.as_ref();
        if weights.iter().any(|weight| *weight != 0) {
            return None;
        }
        let (name, place) = (self.site.name(), self.site.place());
        Some(match weights.len() {
            0 => format!("`{name}` ({place}) has no arms"),
            arms => format!("all {arms} arms of `{name}` ({place}) weigh 0, so there is nothing to pick"),
        })
    }

    fn absent(&self, arm: usize) -> String {
        let label = self.site.label(arm).map_or_else(|| format!("arm {arm}"), |label| format!("arm `{label}`"));
        format!("{label} of `{}` ({}) weighs 0, so it is absent", self.site.name(), self.site.place())
    }
}

impl<A: Arms> Generator for OneOf<A> {
    type Value = A::Value;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<A::Value> {
        if self.fault.is_some() {
            return Err(source.stop(Why::Invalid(self.fault().unwrap_or_default())));
        }
        source.call(self.site, |source| {
            let weights = if source.size() == 0 { self.weights_at_rest() } else { self.weights.as_ref() };
            let arm = source.pick(self.site, weights)?;
            self.arms.generate_arm(arm, source)
        })
    }

    #[inline]
    fn reflect(&self, value: &A::Value, reflector: &mut Reflector) -> Reflected {
        if self.fault.is_some() {
            return reflector.mismatch(value, || self.fault().unwrap_or_default());
        }
        let is_at_rest = reflector.size() == 0 && reflector.is_weighing();
        let weights = if is_at_rest { self.weights_at_rest() } else { self.weights.as_ref() };
        let address = std::ptr::from_ref(value).cast();
        let result = reflector.call(
            self.site,
            || None,
            address,
            |reflector| {
                reflector.ways(weights.len(), |reflector, arm| {
                    if weights[arm] == 0 {
                        return reflector.mismatch(value, || self.absent(arm));
                    }
                    reflector.pick(self.site, weights, arm)?;
                    self.arms.reflect_arm(arm, value, reflector)
                })
            },
        );
        match result {
            Err(_) if weights.is_empty() => reflector.mismatch(value, || self.fault().unwrap_or_default()),
            result => result,
        }
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<A::Value> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        if let Some(fault) = self.fault() {
            return Err(source.stop(Why::Invalid(fault)));
        }
        let weights = self.weights.as_ref();
        let begun = source.chance();
        // With holes several arms may fit: any of them may come first, but none is left out.
        let start = match sketch.has_holes() {
            true => PickRequest::new(self.site, weights).random(&mut Rng::new(source.dice())),
            false => 0,
        };
        let before = source.chance();
        let made = source.call(self.site, |source| {
            source.ways(sketch.text(), (start..weights.len()).chain(0..start), |source, arm| match weights[arm] {
                0 => Err(source.not_made(sketch.text(), || self.absent(arm))),
                _ => {
                    source.shown_arm(self.site, arm);
                    self.arms.complete_arm(arm, sketch, source)
                }
            })
        });
        if made.is_err() {
            source.failed_independently(&before, &begun);
        }
        made
    }
}

impl<A: Arms + Clone> Clone for OneOf<A> {
    fn clone(&self) -> OneOf<A> {
        OneOf {
            arms: self.arms.clone(),
            weights: self.weights.clone(),
            weights_at_rest: self.weights_at_rest.clone(),
            site: self.site,
            fault: self.fault.clone(),
        }
    }
}

impl<A: Arms> Debug for OneOf<A> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?} with weights {:?}", self.site, self.weights.as_ref())
    }
}

/// Generators of the same type of value: a tuple of up to 12 of them, an array, or a vector. See
/// [`one_of`].
///
/// ```
/// use retrospect::generator::Arms;
/// use retrospect::prelude::*;
/// fn twice<A: Arms>(arms: A) -> impl Generator<Value = Vec<A::Value>> {
///     vec_of(one_of(arms), 2)
/// }
/// assert!(twice((0..5, exact(9))).accepts(&vec![9, 3]));
/// ```
pub trait Arms {
    /// What all of them make.
    type Value: Debug;
    #[doc(hidden)]
    type Weights: AsRef<[u32]> + Clone;
    #[doc(hidden)]
    fn weights(&self, weight: impl FnMut(usize) -> u32) -> Self::Weights;
    #[doc(hidden)]
    fn generate_arm(&self, arm: usize, source: &mut Source<'_>) -> Drawn<Self::Value>;
    #[doc(hidden)]
    fn reflect_arm(&self, arm: usize, value: &Self::Value, reflector: &mut Reflector) -> Reflected;
    #[doc(hidden)]
    fn complete_arm(&self, arm: usize, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Self::Value>;
}

/// The arms of [`frequency`] (`K` is [`ByWeight`]) or of [`labelled`] (`K` is [`ByLabel`]): a tuple
/// of up to 12, an array, or a vector.
///
/// ```
/// use retrospect::generator::{ArmList, ByWeight};
/// use retrospect::prelude::*;
/// fn weighted<L: ArmList<ByWeight>>(arms: L) -> impl Generator {
///     vec_of(frequency(arms), ..)
/// }
/// assert!(weighted([(1, 0..10), (2, 10..20)]).read("[5, 15]").is_ok());
/// ```
pub trait ArmList<K> {
    #[doc(hidden)]
    type Arms: Arms;
    #[doc(hidden)]
    fn split(self) -> (Vec<Note>, Self::Arms);
}

/// One of an [`ArmList`]: `(weight, generator)`, `("label", generator)` or `("label", weight,
/// generator)`.
///
/// ```
/// use retrospect::generator::{Arm, ByLabel};
/// use retrospect::prelude::*;
/// fn either<M: Arm<ByLabel>>(arms: [M; 2]) -> impl Generator {
///     labelled(arms)
/// }
/// assert!(either([("low", 0..10), ("high", 90..100)]).read("50").is_err());
/// ```
pub trait Arm<K> {
    #[doc(hidden)]
    type Generator: Generator;
    #[doc(hidden)]
    fn split(self) -> (Note, Self::Generator);
}

/// Marks the arms of [`frequency`].
///
/// ```
/// use retrospect::generator::{ArmList, ByWeight};
/// use retrospect::prelude::*;
/// fn mostly<L: ArmList<ByWeight>>(arms: L) -> impl Generator {
///     option_of(frequency(arms))
/// }
/// assert!(mostly(((3, 0..5), (1, 5..9))).read("Some(7)").is_ok());
/// ```
#[derive(Clone, Copy, Debug)]
pub enum ByWeight {}

/// Marks the arms of [`labelled`].
///
/// ```
/// use retrospect::generator::{ArmList, ByLabel};
/// use retrospect::prelude::*;
/// fn kinds<L: ArmList<ByLabel>>(arms: L) -> impl Generator {
///     labelled(arms)
/// }
/// assert!(kinds([("low", 0..5), ("high", 5..9)]).read("9").is_err());
/// ```
#[derive(Clone, Copy, Debug)]
pub enum ByLabel {}

/// What is written beside an arm.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Note {
    pub(super) label: Option<&'static str>,
    pub(super) weight: Result<u32, String>,
}

impl<W: Weight, G: Generator> Arm<ByWeight> for (W, G) {
    type Generator = G;
    fn split(self) -> (Note, G) {
        (Note { label: None, weight: self.0.weight() }, self.1)
    }
}

impl<G: Generator> Arm<ByLabel> for (&'static str, G) {
    type Generator = G;
    fn split(self) -> (Note, G) {
        (Note { label: Some(self.0), weight: Ok(1) }, self.1)
    }
}

impl<W: Weight, G: Generator> Arm<ByLabel> for (&'static str, W, G) {
    type Generator = G;
    fn split(self) -> (Note, G) {
        (Note { label: Some(self.0), weight: self.1.weight() }, self.2)
    }
}

impl<K, M: Arm<K>, const N: usize> ArmList<K> for [M; N] {
    type Arms = [M::Generator; N];
    fn split(self) -> (Vec<Note>, [M::Generator; N]) {
        let mut notes = Vec::with_capacity(N);
        let arms = self.map(|arm| {
            let (note, generator) = arm.split();
            notes.push(note);
            generator
        });
        (notes, arms)
    }
}

impl<K, M: Arm<K>> ArmList<K> for Vec<M> {
    type Arms = Vec<M::Generator>;
    fn split(self) -> (Vec<Note>, Vec<M::Generator>) {
        self.into_iter().map(Arm::split).unzip()
    }
}

macro_rules! lists_of_arms {
    ($($list:ty, $weights:ty, $collect:expr, [$($bound:tt)*];)*) => {$(
        impl<G: Generator, $($bound)*> Arms for $list {
            type Value = G::Value;
            type Weights = $weights;
            fn weights(&self, weight: impl FnMut(usize) -> u32) -> $weights {
                $collect(self.len(), weight)
            }
            #[inline]
            fn generate_arm(&self, arm: usize, source: &mut Source<'_>) -> Drawn<G::Value> {
                source.freely(|| form_of(&self[arm]), |source| self[arm].generate(source))
            }
            #[inline]
            fn reflect_arm(&self, arm: usize, value: &G::Value, reflector: &mut Reflector) -> Reflected {
                self[arm].reflect(value, reflector)
            }
            fn complete_arm(&self, arm: usize, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<G::Value> {
                self[arm].complete(sketch, source)
            }
        }
    )*};
}

lists_of_arms! {
    Vec<G>, Vec<u32>, |count, weight| (0..count).map(weight).collect(), [];
    [G; N], [u32; N], |_, weight| std::array::from_fn(weight), [const N: usize];
}

#[cold]
fn no_arm() -> ! {
    unreachable!("a source picks one of the arms it was given, and only the arms there are are tried")
}

macro_rules! tuples_of_arms {
    ($($count:literal: $($generator:ident $place:tt),+;)*) => {$(
        impl<V: Debug, $($generator: Generator<Value = V>),+> Arms for ($($generator,)+) {
            type Value = V;
            type Weights = [u32; $count];
            fn weights(&self, weight: impl FnMut(usize) -> u32) -> [u32; $count] {
                std::array::from_fn(weight)
            }
            #[inline]
            fn generate_arm(&self, arm: usize, source: &mut Source<'_>) -> Drawn<V> {
                match arm {
                    $($place => source.freely(|| form_of(&self.$place), |source| self.$place.generate(source)),)+
                    _ => no_arm(),
                }
            }
            #[inline]
            fn reflect_arm(&self, arm: usize, value: &V, reflector: &mut Reflector) -> Reflected {
                match arm {
                    $($place => self.$place.reflect(value, reflector),)+
                    _ => no_arm(),
                }
            }
            fn complete_arm(&self, arm: usize, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<V> {
                match arm {
                    $($place => self.$place.complete(sketch, source),)+
                    _ => no_arm(),
                }
            }
        }

        impl<KIND, V: Debug, $($generator: Arm<KIND, Generator: Generator<Value = V>>),+> ArmList<KIND> for ($($generator,)+) {
            type Arms = ($($generator::Generator,)+);
            fn split(self) -> (Vec<Note>, Self::Arms) {
                let mut notes = Vec::with_capacity($count);
                let arms = ($({
                    let (note, generator) = self.$place.split();
                    notes.push(note);
                    generator
                },)+);
                (notes, arms)
            }
        }
    )*};
}

tuples_of_arms! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
    7: A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
    9: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8;
    10: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9;
    11: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10;
    12: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11;
}
