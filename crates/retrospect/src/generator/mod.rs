//! Generators: the trait, the combinators, and generators for the types of the standard library.
//!
//! ```
//! use retrospect::prelude::*;
//! // Names and ages: a generator for each part, and one for the whole.
//! let people = vec_of(tuple((string_of('a'..='z', 1..=8), 0..=120)), ..);
//! assert!(people.accepts(&vec![("ada".to_owned(), 36)]));
//! assert!(!people.accepts(&vec![("ada".to_owned(), 361)]));
//! ```
//!
//! | file | what |
//! | --- | --- |
//! | `mod` | [`Generator`] and what can be called on every generator |
//! | `any` | [`Generate`]: the generator of a type |
//! | `adapt` | what changes a generator: filters, maps, binds, sizes, names, readers; single values |
//! | `arms` | choices among generators: [`one_of`], [`frequency`], [`labelled`] |
//! | `recursion` | generators that refer to themselves: [`recursive`], [`lazy`] |
//! | `collections` | lists, arrays, maps, sets, sequences; choices among given items |
//! | `control` | what a value shrinks to, said by hand: [`shrink_to`], [`from_shrink_tree`], [`ShrinkTree`] |
//! | `ranged`, `skewed`, `skew` | ranges as generators: `0..10`, [`within`], [`uniform`]; with an origin and a skew |
//! | `integers`, `wide`, `floats` | integers of up to 64 bits, and of 128; `f32` and `f64` |
//! | `chars`, `strings`, `bools` | characters, strings and what holds a string; `bool`, `()` and other small types |
//! | `options`, `tuples` | `Option`, `Result`, `Bound`; tuples of generators are generators of tuples |
//! | `functions` | generated functions and streams: [`function_of`], [`stream_of`] |
//! | `pointers`, `ranges` | types that hold one value: `Box`, `Rc`, `Cell`, `Mutex`, …; ranges as values |
//! | `times`, `addresses`, `paths`, `reading` | durations and times, network addresses, paths; the memory of reading |
//! | `room` | room on the stack for what is done with deep values |
//! | `explore` | [`Explore`]: what else can be called on every generator |
//! | `enumerate`, `derivative` | all values by size; what is left after a choice |
//! | `ways`, `samples` | [`Ways`]: all ways of a value, and how likely it is; [`Samples`]: endlessly many values |
//! | `shrinking` | [`Generator::shrink`]: the smallest value that fails |
//! | `mutating`, `near` | values near a value: [`Mutate`], by its choices; by its text |
//! | `shape` | what types are made of, so that derived generators end |
//! | `macro_support`, `unlike` | what the code written by the macros calls; what a text shows instead |

mod adapt;
mod addresses;
mod any;
mod arms;
pub(crate) mod bools;
mod chars;
mod collections;
mod control;
mod delegate;
mod derivative;
mod enumerate;
mod explore;
mod facts;
mod floats;
pub(crate) mod functions;
pub(crate) mod integers;
pub(crate) mod kept;
pub(crate) mod macro_support;
mod mutating;
pub(crate) mod near;
mod options;
mod parts;
mod paths;
mod pointers;
pub(crate) mod ranged;
mod ranges;
pub(crate) mod reading;
mod recursion;
pub(crate) mod room;
mod samples;
pub(crate) mod shape;
mod shrinking;
mod skew;
mod skewed;
mod strings;
pub(crate) mod times;
mod tuples;
pub(crate) mod unlike;
mod ways;
mod wide;

pub(crate) use adapt::Tuning;
pub use adapt::{
    BindWithFocus, Boxed, BySize, Exact, Filter, FilterMap, FlatMap, ForwardOnly, Just, Map, MapWithFocus,
    MapWithInverse, Named, Resize, Satisfying, Search, TextReader, Tune, Tuned, WithReader, exact, just, reader, sized,
};
pub use any::{Any, Generate, GeneratorOf, any};
pub use arms::{Arm, ArmList, Arms, ByLabel, ByWeight, OneOf, frequency, labelled, one_of};
#[cfg(feature = "text")]
pub(crate) use chars::CHAR_DISTRIBUTION;
pub use collections::{
    ArrayOf, ElementOf, Items, Lengths, ListAs, ListLike, MapLike, MapOf, PermutationOf, SequenceOf, SetLike, SetOf,
    SubsequenceOf, VecOf, array_of, element_of, hash_map_of, hash_set_of, map_of, permutation_of, sequence_of, set_of,
    subsequence_of, vec_of,
};
pub use control::{FromShrinkTree, ShrinkTo, ShrinkTree, ShrinkWith, from_shrink_tree, shrink_to};
pub use derivative::{After, Gradient, Question};
pub use enumerate::{Cardinality, Enumerate, Language, UniformBySize};
pub use explore::Explore;
pub use facts::{Facts, Wanted};
pub(crate) use facts::{extent_of, form_of, hash_of_all};
pub use floats::{Float, Floats, floats};
pub use functions::{Function, FunctionOf, function_of, stream_of};
pub use integers::Integer;
pub use mutating::{Mutants, Mutate, Mutated};
pub use near::near_choices;
pub use options::{BoundOf, OptionOf, ResultOf, bound_of, option_of, result_of};
pub(crate) use parts::accepted;
pub use parts::{free_part, part};
pub use pointers::{HeldIn, Holder, held_in};
pub use ranged::{Ends, Ranged, Uniform, Within, uniform, within};
pub use ranges::{RangeOf, TwoEnds, range_of};
pub use recursion::{Itself, Lazy, Recursive, lazy, recursive};
pub use samples::Samples;
pub use shrinking::{NotShrunk, Smallest};
pub use skewed::Skewed;
pub use strings::{StringAs, StringLike, StringOf, string_of};
pub use tuples::tuple;
pub use ways::Ways;
pub(crate) use ways::ways_to_others;

pub use crate::source::SearchCounts;

use crate::choice::{Choices, NO_SHRINK, Site};
use crate::mismatch::{NotGenerated, Segment};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::{ReadError, Sketch};
use crate::source::{Drawn, Form, Keep, Replay, Source, Stop, Why};
use arms::Note;
use room::with_room_for;
use std::borrow::Borrow;
use std::fmt::Debug;
use std::panic::Location;

/// Something that makes values out of choices, and finds the choices behind a value.
///
/// The three directions are [`generate`](Generator::generate) (choices → value),
/// [`reflect`](Generator::reflect) (value → choices) and [`complete`](Generator::complete) (value
/// with holes → value). Generators are written with `#[generator]`, `#[derive(Generate)]` or the
/// combinators; implementing this trait by hand is for new kinds of generators. `retrospect::laws`
/// checks that the three directions agree.
///
/// ```
/// use retrospect::prelude::*;
/// let points = tuple((0..=9, 0..=9));
/// assert_eq!(points.sample(1), points.sample(1));
/// assert_eq!(points.choices_of(&(3, 4)).unwrap().to_string(), "(3 4)");
/// assert_eq!(points.read("(3, 4)").unwrap(), (3, 4));
/// assert_eq!(points.fill("(3, _)", 1).unwrap().0, 3);
/// ```
///
/// # By hand
///
/// One number is asked for, and the same number is noted backward. A new generator gives its three
/// directions and gets all the rest.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::reflect::{Reflected, Reflector};
/// use retrospect::sketch::Sketch;
/// use retrospect::source::{Drawn, Distribution, Source};
///
/// /// The even numbers from 0 to twice `half`.
/// #[derive(Clone, Debug)]
/// struct Evens {
///     half: u64,
/// }
///
/// impl Generator for Evens {
///     type Value = u64;
///
///     fn generate(&self, source: &mut Source<'_>) -> Drawn<u64> {
///         Ok(source.number(self.half, Distribution::Uniform)? * 2)
///     }
///
///     fn reflect(&self, value: &u64, reflector: &mut Reflector) -> Reflected {
///         if value % 2 == 1 || value / 2 > self.half {
///             return reflector.mismatch(value, || format!("it is not an even number up to {}", self.half * 2));
///         }
///         reflector.number(value / 2, self.half, Distribution::Uniform)
///     }
///
///     fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<u64> {
///         if sketch.is_hole() {
///             return self.generate(source);
///         }
///         match sketch.parsed::<u64>() {
///             Some(number) if self.accepts(&number) => Ok(number),
///             _ => Err(source.not_made(sketch.text(), || format!("expected an even number up to {}", self.half * 2))),
///         }
///     }
/// }
///
/// let evens = Evens { half: 50 };
/// laws::check(&evens);
/// assert_eq!(evens.choices_of(&42).unwrap().to_string(), "21");
/// let error = vec_of(evens, ..).choices_of(&vec![42, 43]).unwrap_err();
/// assert_eq!(error.to_string(), "this generator cannot make the part `[1]`, which is 43: it is not an even number up to 100");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a generator",
    label = "this is not a generator",
    note = "for one fixed value write `exact(value)`, for one of several `element_of([…])`, for any value of a type `any::<T>()`, for texts `text::regex(\"…\")`; `map`, `filter` and `flat_map` of a range are those of iterators, those of generators are `within(0..10).map(…)`"
)]
pub trait Generator {
    /// What it makes.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// fn pair<G: Generator>(generator: &G) -> (G::Value, G::Value) {
    ///     (generator.sample(1), generator.sample(1))
    /// }
    /// let (left, right) = pair(&any::<u64>());
    /// assert_eq!(left, right);
    /// ```
    type Value: Debug;

    /// Forward: makes a value from the choices that `source` answers.
    ///
    /// What it asks, and in which order, must depend on nothing but itself and the answers. An
    /// `Err` comes from the source and is passed on with `?`.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// use retrospect::source::Source;
    /// let mut source = Source::recording(7);
    /// let number = (0..10).generate(&mut source).unwrap();
    /// assert_eq!(source.into_choices().to_string(), number.to_string());
    /// ```
    fn generate(&self, source: &mut Source<'_>) -> Drawn<Self::Value>;

    /// Backward: notes the choices that make `value`, or says that it cannot be made.
    ///
    /// It notes what [`generate`](Generator::generate) asks, in the same order, with the answers
    /// that lead to `value`.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::first_way();
    /// assert!((0..10).reflect(&3, &mut reflector).is_ok());
    /// assert_eq!(reflector.into_choices().to_string(), "3");
    /// assert!((0..10).reflect(&12, &mut Reflector::first_way()).is_err());
    /// ```
    fn reflect(&self, value: &Self::Value, reflector: &mut Reflector) -> Reflected;

    /// Forward, many times, each a part of its own. Lists call it; numbers are made faster this
    /// way.
    #[doc(hidden)]
    #[inline(always)]
    fn generate_many(&self, source: &mut Source<'_>, count: usize, keep: &mut impl Keep<Self::Value>) -> Drawn<()>
    where
        Self: Sized,
    {
        parts::free_parts(self, source, count, keep)
    }

    /// Backward, for a part that lies at `path` in the value: it becomes one node of the choices,
    /// as in [`part`].
    #[doc(hidden)]
    #[inline(always)]
    fn reflect_part(&self, value: &Self::Value, path: &[Segment], reflector: &mut Reflector) -> Reflected {
        reflector.part_of(self.facts(Wanted::Shape).is_one_node, path, |reflector| self.reflect(value, reflector))
    }

    /// What this generator declares about itself, as far as it is `wanted`. By default nothing.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// use retrospect::generator::Wanted;
    /// assert!(vec_of(any::<bool>(), ..).facts(Wanted::Shape).has_one_way);
    /// // The order of the items is not in the value.
    /// assert!(!set_of(any::<bool>(), ..).facts(Wanted::Shape).has_one_way);
    /// ```
    #[inline(always)]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts::UNKNOWN.known(self, wanted, || (Form::Unknown, None))
    }

    /// Backward, many times, each value a part of its own: `None` if this generator looks at them
    /// one by one. Lists ask first; a generator of numbers looks at many of them faster.
    #[doc(hidden)]
    #[inline(always)]
    fn reflect_many<I>(&self, _values: I, _reflector: &mut Reflector) -> Option<Reflected>
    where
        Self: Sized,
        I: Iterator + Clone,
        I::Item: Borrow<Self::Value>,
    {
        None
    }

    /// Completes a value with holes: what the sketch says is kept, what it leaves open is
    /// generated.
    ///
    /// For a hole it does what [`generate`](Generator::generate) does. What this generator cannot
    /// make is an error, as [`Source::not_made`] makes it.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// use retrospect::sketch::Document;
    /// use retrospect::source::Source;
    /// let document = Document::parse("[7, _]").unwrap();
    /// let list = vec_of(5..10, 2).complete(&document.root(), &mut Source::random(1)).unwrap();
    /// assert!(list[0] == 7 && (5..10).contains(&list[1]));
    /// ```
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Self::Value>;

    /// The same for a part that lies at `path` in the value.
    #[doc(hidden)]
    fn complete_part(&self, sketch: &Sketch<'_>, path: &[Segment], source: &mut Source<'_>) -> Drawn<Self::Value> {
        source.shown_part(|source| source.at_path(path, |source| self.complete(sketch, source)))
    }

    /// The value for a seed.
    ///
    /// # Panics
    ///
    /// If the generator is wrong in itself (an empty range, a filter that refuses everything), with
    /// the reason. Use [`generate`](Generator::generate) to get it as a value.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// assert_eq!((0..1000).sample(7), (0..1000).sample(7));
    /// ```
    #[track_caller]
    fn sample(&self, seed: u64) -> Self::Value {
        let mut source = Source::random(seed);
        match self.generate(&mut source) {
            Ok(value) => value,
            Err(Stop) => panic!("cannot generate a value: {}", why(&source)),
        }
    }

    /// Endlessly many values, the same ones for the same seed. The size grows from small to
    /// [`DEFAULT_SIZE`](crate::source::DEFAULT_SIZE).
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let first: Vec<u8> = any::<u8>().samples(7).take(3).collect();
    /// assert_eq!(first.len(), 3);
    /// ```
    fn samples(&self, seed: u64) -> Samples<'_, Self>
    where
        Self: Sized,
    {
        Samples::new(self, seed)
    }

    /// The choices of [`sample`](Generator::sample), without its value.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let lists = vec_of(0..10, ..);
    /// assert_eq!(lists.replay(&lists.sample_choices(7)), lists.sample(7));
    /// ```
    #[track_caller]
    fn sample_choices(&self, seed: u64) -> Choices {
        let mut source = Source::recording(seed);
        match self.generate(&mut source) {
            Ok(_) => source.into_choices(),
            Err(Stop) => panic!("cannot generate a value: {}", why(&source)),
        }
    }

    /// The choices that make `value`, or which part of it cannot be made and why. If there are
    /// several ways, the first: of each pick the first arm that fits, and that does not lead to the
    /// same generator on the same part.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let lists = vec_of(0..10, ..);
    /// assert_eq!(lists.choices_of(&vec![3, 1]).unwrap().to_string(), "[3 1]");
    /// assert_eq!(lists.choices_of(&vec![3, 10]).unwrap_err().reason(), "10 is not in 0..10");
    /// ```
    fn choices_of(&self, value: &Self::Value) -> Result<Choices, NotGenerated> {
        let mut reflector = Reflector::first_way();
        match self.reflect(value, &mut reflector) {
            // That was noticed only when the stack ran low, after many rounds.
            Ok(()) if reflector.went_in_circles() => {
                let mut again = Reflector::first_way().remembering_at_once();
                let is_made = self.reflect(value, &mut again).is_ok();
                Ok(if is_made { again } else { reflector }.into_choices())
            }
            Ok(()) => Ok(reflector.into_choices()),
            Err(_) => {
                let mut reflector = Reflector::explaining();
                let _ = self.reflect(value, &mut reflector);
                Err(reflector.into_error())
            }
        }
    }

    /// Whether `value` can be made, faster than [`choices_of`](Generator::choices_of). Panics if a
    /// limit of a [`Text`](crate::text) is met.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// assert!((0..10).accepts(&9) && !(0..10).accepts(&10));
    /// ```
    fn accepts(&self, value: &Self::Value) -> bool {
        accepted(self, value).unwrap_or_else(|limit| panic!("it is not known whether this value can be made: {limit}"))
    }

    /// The value that these choices make. Choices that do not fit are made to: what is missing is
    /// the simplest, what is too large is the largest, what is too much is ignored.
    ///
    /// # Panics
    ///
    /// If no value can be made at all: a filter refuses it, or the simplest value never ends.
    /// [`try_replay`](Generator::try_replay) returns the reason instead.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let choices: Choices = "[3 700]".parse().unwrap();
    /// assert_eq!(vec_of(0..10, ..).replay(&choices), [3, 9]);
    /// ```
    #[track_caller]
    fn replay(&self, choices: &Choices) -> Self::Value {
        match self.try_replay(choices) {
            Ok((value, _)) => value,
            Err(why) => panic!("cannot replay these choices: {why}"),
        }
    }

    /// Like [`replay`](Generator::replay), with the choices that were really made, or why no value
    /// could be made.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let choices: Choices = "[3 700]".parse().unwrap();
    /// let (value, made) = vec_of(0..10, ..).try_replay(&choices).unwrap();
    /// assert_eq!((value, made.to_string()), (vec![3, 9], "[3 9]".to_owned()));
    /// ```
    fn try_replay(&self, choices: &Choices) -> Result<(Self::Value, Choices), Why> {
        let mut replay = Replay::lenient(choices);
        let mut source = Source::asking(&mut replay).recording_in(Choices::with_room(choices.len()));
        match with_room_for(choices, || self.generate(&mut source)) {
            Ok(value) => Ok((value, source.into_choices())),
            Err(Stop) => Err(why(&source)),
        }
    }

    /// The value that exactly these choices make, and how many nodes at the end were left over; or
    /// where they do not fit.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let replay = |text: &str| tuple((0..10, any::<bool>())).replay_exact(&text.parse().unwrap());
    /// assert_eq!(replay("(3 1:true)").unwrap(), ((3, true), 0));
    /// assert_eq!(replay("(3 1:true) 5").unwrap(), ((3, true), 1));
    /// assert_eq!(
    ///     replay("(12 1:true)").unwrap_err().to_string(),
    ///     "the choices hold the number 12 at node 1 where a number of at most 9 was asked for"
    /// );
    /// ```
    fn replay_exact(&self, choices: &Choices) -> Result<(Self::Value, usize), Why> {
        let mut replay = Replay::strict(choices);
        let mut source = Source::asking(&mut replay);
        match with_room_for(choices, || self.generate(&mut source)) {
            Ok(value) => {
                drop(source);
                replay.finish().map(|left_over| (value, left_over)).map_err(Why::Misfit)
            }
            Err(Stop) => Err(why(&source)),
        }
    }

    /// The value that a text written by `Debug` shows, if this generator can make it.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let pairs = tuple((0..10, any::<Option<bool>>()));
    /// assert_eq!(pairs.read("(3, Some(true))").unwrap(), (3, Some(true)));
    /// assert!(pairs.read("(3, Some(true)").unwrap_err().to_string().contains("never closed"));
    /// assert_eq!(
    ///     pairs.read("(12, None)").unwrap_err().to_string(),
    ///     "this generator cannot make the part `.0`, which is 12: 12 is not in 0..10"
    /// );
    /// ```
    fn read(&self, text: &str) -> Result<Self::Value, ReadError> {
        reading::read(self, text)
    }

    /// A value like the text, which `Debug` could have written but for holes: each `_` is filled at
    /// random, the same way for the same seed.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let pairs = tuple((0..10, any::<Option<bool>>()));
    /// let (number, choice) = pairs.fill("(_, Some(_))", 5).unwrap();
    /// assert!(number < 10 && choice.is_some());
    /// let list = vec_of(0..10, 4..=6).fill("[1, .., 5]", 3).unwrap();
    /// assert!((4..=6).contains(&list.len()) && list.starts_with(&[1]) && list.ends_with(&[5]));
    /// ```
    ///
    /// `..` stands for what is not written: fields at the end of a struct, parts of a tuple, and in
    /// a list any number of items, none included, anywhere and as often as you like; so in a set,
    /// and after the entries of a map. The length is one that the generator allows.
    fn fill(&self, text: &str, seed: u64) -> Result<Self::Value, ReadError> {
        reading::fill(self, text, seed)
    }

    /// The smallest value for which `fails` still says yes, beginning with any value that this
    /// generator can make: one from a log, from another tool, written by hand. How it got there and
    /// why it ended there are told too.
    ///
    /// `fails` is asked dozens of times, and thousands more where something simpler may be there. A
    /// panic in it is not caught: wrap what panics in [`catch_unwind`](std::panic::catch_unwind).
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let lists = vec_of(any::<i64>(), ..);
    /// let smallest = lists.shrink(vec![-5, 3000, 12, 741], |list| list.iter().sum::<i64>() > 1000).unwrap();
    /// assert_eq!(smallest.value, [1001]);
    /// assert!(smallest.runs - smallest.searched < 60);
    /// assert_eq!(lists.replay(&smallest.steps.last().unwrap().choices), [1001]);
    /// ```
    fn shrink<F>(&self, value: Self::Value, fails: F) -> Result<Smallest<Self::Value>, NotShrunk>
    where
        Self: Sized,
        F: FnMut(&Self::Value) -> bool,
    {
        shrinking::shrink(self, value, fails)
    }

    /// Only the values for which `is_kept` holds.
    ///
    /// Forward, it draws values until it keeps one; [`Filter`] has the details. A replay is one
    /// attempt. Backward, the generator must make the value and the condition must hold. If hardly
    /// any value is kept, use [`satisfying`](Generator::satisfying), which searches.
    ///
    /// What shrinking tries is refused as often as what is drawn: a generator that makes only what
    /// is wanted is better.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let even = within(0..100).filter(|number| number % 2 == 0);
    /// assert!(even.samples(1).take(100).all(|number| number % 2 == 0));
    /// assert!(even.choices_of(&7).unwrap_err().reason().starts_with("the filter at "));
    /// ```
    ///
    /// It takes the generator by reference and clones it, so that `(0..10).filter(…)` stays what it
    /// is in all Rust code: an iterator. Write `within(0..10).filter(…)` for the generator.
    #[track_caller]
    fn filter<F>(&self, is_kept: F) -> Filter<Self, F>
    where
        Self: Sized + Clone,
        F: Fn(&Self::Value) -> bool,
    {
        Filter::new(self.clone(), is_kept, Location::caller())
    }

    /// Only the values for which `is_valid` holds, found by a search ([`Satisfying`] has the
    /// details).
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let rising = vec_of(0..1_000_000, 20).satisfying(|list| list.is_sorted());
    /// assert!(rising.samples(7).take(100).all(|list| list.is_sorted())); // One in 20! of what is drawn.
    /// ```
    #[track_caller]
    fn satisfying<F>(&self, is_valid: F) -> Satisfying<Self, F>
    where
        Self: Sized + Clone,
        F: Fn(&Self::Value) -> bool,
    {
        Satisfying::new(self.clone(), is_valid, Location::caller())
    }

    /// What `make` makes of each value, forward only.
    ///
    /// Such values generate, replay and shrink by their recorded choices, but cannot be reflected,
    /// nor read from text: nothing says how to undo `make`.
    /// [`map_with_inverse`](Generator::map_with_inverse) can do both.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let lengths = vec_of(any::<u8>(), ..).map(|list| list.len());
    /// assert_eq!(lengths.replay(&"[5 5 5]".parse().unwrap()), 3);
    /// assert!(lengths.choices_of(&3).unwrap_err().reason().ends_with("has no inverse: use map_with_inverse"));
    /// ```
    ///
    /// It takes the generator by reference and clones it, as [`filter`](Generator::filter) does:
    /// `(0..10).map(…)` is an iterator, `within(0..10).map(…)` a generator.
    #[track_caller]
    fn map<U, F>(&self, make: F) -> Map<Self, F>
    where
        Self: Sized + Clone,
        U: Debug,
        F: Fn(Self::Value) -> U,
    {
        Map::new(self.clone(), make, Location::caller())
    }

    /// What `make` makes of each value; `inverse` finds that value again, or `None` if there is
    /// none.
    ///
    /// It must be exact: if `inverse(u)` is `Some(t)` then `make(t)` is `u`. `laws::check` finds
    /// out if it is not.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let even = (0..100).map_with_inverse(|half| half * 2, |number| (number % 2 == 0).then_some(number / 2));
    /// assert_eq!(even.choices_of(&42).unwrap().to_string(), "21");
    /// assert!(!even.accepts(&43));
    /// ```
    ///
    /// Text cannot be read through `make`; [`with_reader`](Generator::with_reader) says how to read
    /// it. Where the value *contains* the one it was made of, a newtype for example,
    /// [`map_with_focus`](Generator::map_with_focus) does without a copy.
    #[track_caller]
    fn map_with_inverse<U, F, I>(self, make: F, inverse: I) -> MapWithInverse<Self, F, I>
    where
        Self: Sized,
        U: Debug,
        F: Fn(Self::Value) -> U,
        I: Fn(&U) -> Option<Self::Value>,
    {
        MapWithInverse::new(self, make, inverse, Location::caller())
    }

    /// What `make` makes of each value, where that value is still to be found inside: `focus`
    /// points at it, or says `None` if it is not there.
    ///
    /// Like [`map_with_inverse`](Generator::map_with_inverse), without a copy: deep values are
    /// looked at in no more time than they are large, and parts that are reached in several ways
    /// are looked at once.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// #[derive(Debug)]
    /// struct Percent(u8);
    /// let percents = (0..=100).map_with_focus(Percent, |percent| Some(&percent.0));
    /// assert_eq!(percents.choices_of(&Percent(101)).unwrap_err().reason(), "101 is not in 0..=100");
    /// ```
    #[track_caller]
    fn map_with_focus<U, F, I>(self, make: F, focus: I) -> MapWithFocus<Self, F, I>
    where
        Self: Sized,
        U: Debug,
        F: Fn(Self::Value) -> U,
        I: Fn(&U) -> Option<&Self::Value>,
    {
        MapWithFocus::new(self, make, focus, Location::caller())
    }

    /// A value of the generator that `then` makes of each value. `focus` finds the first value
    /// again in the second, or says `None` if there is none.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// // Lists of one and the same number, as many as it says.
    /// let lists = (1..=5).bind_with_focus(|n| vec_of(exact(*n), *n), |list: &Vec<usize>| list.first().copied());
    /// assert_eq!(lists.choices_of(&vec![2, 2]).unwrap().to_string(), "(1 [{} {}])");
    /// assert_eq!(lists.choices_of(&vec![2, 2, 2]).unwrap_err().reason(), "its length 3 is not 2");
    /// assert_eq!(lists.choices_of(&vec![9]).unwrap_err().reason(), "9 is not in 1..=5");
    /// ```
    ///
    /// The first value is not in the text that `Debug` prints of the second: reading tries 200
    /// first values drawn at random, or is done by [`with_reader`](Generator::with_reader).
    #[track_caller]
    fn bind_with_focus<G, F, I>(self, then: F, focus: I) -> BindWithFocus<Self, F, I>
    where
        Self: Sized,
        G: Generator,
        F: Fn(&Self::Value) -> G,
        I: Fn(&G::Value) -> Option<Self::Value>,
    {
        BindWithFocus::new(self, then, focus, Location::caller())
    }

    /// The same generator, which reads text by another one: `reader` reads a value, and is asked
    /// for nothing else; then this generator says whether it can make it.
    ///
    /// For generators that cannot read text themselves:
    /// [`map_with_inverse`](Generator::map_with_inverse),
    /// [`bind_with_focus`](Generator::bind_with_focus); and for types whose `Debug` is written by
    /// hand, by [`reader`].
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let even = (0..100u8).map_with_inverse(|half| half * 2, |number| (number % 2 == 0).then_some(number / 2));
    /// assert!(even.read("42").is_err());
    /// let even = even.with_reader(any::<u8>());
    /// assert_eq!(even.read("42").unwrap(), 42);
    /// assert!(even.read("43").is_err());
    /// ```
    ///
    /// Where the text has holes, `reader` fills them, up to 1000 times until this generator can
    /// make what it read.
    fn with_reader<R>(self, reader: R) -> WithReader<Self, R>
    where
        Self: Sized,
        R: Generator<Value = Self::Value>,
    {
        WithReader::new(self, reader)
    }

    /// The same generator with its type hidden, so that different ones fit into one variable, list
    /// or return type. A clone is cheap.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// fn numbers(is_small: bool) -> Boxed<'static, u32> {
    ///     if is_small { (0..10).boxed() } else { any::<u32>().boxed() }
    /// }
    /// assert!(!numbers(true).accepts(&10));
    /// assert!(numbers(false).accepts(&10));
    /// ```
    ///
    /// It is for generators that can be shared by threads, as nearly all can. For others, `Rc<dyn
    /// Generator<Value = T>>` is a generator too.
    fn boxed<'a>(self) -> Boxed<'a, Self::Value>
    where
        Self: Sized + Send + Sync + 'a,
    {
        Boxed::new(self)
    }

    /// The same generator at another size; see [`Source::size`]. What can be made stays the same.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let short = vec_of(any::<u8>(), ..).resize(3);
    /// assert!((0..100).all(|seed| short.sample(seed).len() <= 3));
    /// assert!(short.accepts(&vec![0; 50]));
    /// ```
    fn resize(self, size: u32) -> Resize<Self>
    where
        Self: Sized,
    {
        Resize::new(self, size)
    }

    /// The same generator, whose choices are left alone by shrinking: what it made stays as it is,
    /// or goes whole, with the item or the arm that it stands in.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let pairs = tuple(((0..10).no_shrink(), 0..10));
    /// assert_eq!(pairs.choices_of(&(3, 4)).unwrap().to_string(), "((3) 4)");
    /// assert_eq!(pairs.shrink((3, 4), |_| true).unwrap().value, (3, 0));
    /// ```
    ///
    /// Where shrinking makes a part anew, by taking another arm for example, there is nothing to be
    /// left alone yet, and it begins as the simplest.
    fn no_shrink(self) -> Named<Self>
    where
        Self: Sized,
    {
        Named::new(self, &NO_SHRINK)
    }

    /// The same generator, whose values are shrunk by hand, in the manner of QuickCheck: `shrink`
    /// makes simpler values of one, the most promising first. The first of them that still fails is
    /// taken, and so on from there, until none fails. The choices behind the value are left alone.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// // Times of day are simpler on the hour, then on the half hour; never another hour.
    /// let times = tuple((0..24, 0..60)).shrink_with(|(hour, minute)| {
    ///     [0, 30].into_iter().filter(|simpler| simpler < minute).map(|simpler| (*hour, simpler)).collect::<Vec<_>>()
    /// });
    /// assert_eq!(times.shrink((17, 49), |_| true).unwrap().value, (17, 0));
    /// assert_eq!(times.shrink((17, 49), |(_, minute)| *minute > 20).unwrap().value, (17, 30));
    /// ```
    ///
    /// **What it may make.** Values that the generator cannot make are passed over, so a shrinker
    /// cannot break what the generator promises. A generator without a way back
    /// ([`map`](Generator::map)) cannot tell, and all are taken.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let even = within(0..100).filter(|number| number % 2 == 0);
    /// let shrunk_by_one = even.shrink_with(|number| [number / 2, number - 1, number - 2]);
    /// assert_eq!(shrunk_by_one.shrink(88, |number| *number >= 40).unwrap().value, 40);
    /// ```
    ///
    /// **Backward.** A value that the generator can make reflects, with no step taken; so does
    /// every value that was shrunk to. The choices are those of the generator and the steps, which
    /// of the values each time, counted from 1, and a 0 at the end.
    ///
    /// **Limits.** At most 1,000 steps, each to one of the first 10,000 values. The steps up to the
    /// present value are taken anew for each candidate, so let `shrink` offer large steps first. If
    /// more steps were possible, [`End::Stalled`](crate::shrink::End::Stalled) says so, and what
    /// was found can be shrunk again.
    #[track_caller]
    fn shrink_with<F, I>(self, shrink: F) -> ShrinkWith<Self, F>
    where
        Self: Sized,
        F: Fn(&Self::Value) -> I,
        I: IntoIterator<Item = Self::Value>,
    {
        ShrinkWith::new(self, shrink, Location::caller())
    }

    /// The value for a seed, and below it all that shrinking would try: first the candidates for
    /// one step, then those for the next step from each, and so on. It shows how a generator
    /// shrinks without a property that fails.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let tree = (0..100).shrink_tree(3);
    /// assert!(tree.children().next().is_some_and(|first| *first.value() == 0));
    /// assert!(tree.children().all(|below| below.value() < tree.value()));
    /// ```
    ///
    /// It is made while one walks through it. The candidates of one step are kept as choices, up to
    /// a million nodes together; what is beyond is left out.
    #[track_caller]
    fn shrink_tree(&self, seed: u64) -> ShrinkTree<'_, Self::Value>
    where
        Self: Sized + Sync,
    {
        self.shrink_tree_from(&self.sample_choices(seed))
    }

    /// Like [`shrink_tree`](Generator::shrink_tree), for the value that these choices make.
    ///
    /// # Panics
    ///
    /// If they make none, as [`replay`](Generator::replay) does.
    ///
    /// ```
    /// # use retrospect::generator::ShrinkTree;
    /// # use retrospect::prelude::*;
    /// let pairs = tuple((0..10, 0..10));
    /// let tree = pairs.shrink_tree_from(&pairs.choices_of(&(1, 1)).unwrap());
    /// let below: Vec<(i32, i32)> = tree.children().map(ShrinkTree::into_value).collect();
    /// assert_eq!(below[0], (0, 0));
    /// assert!(below.contains(&(0, 1)) && below.contains(&(1, 0)) && !below.contains(&(1, 2)));
    /// ```
    #[track_caller]
    fn shrink_tree_from(&self, choices: &Choices) -> ShrinkTree<'_, Self::Value>
    where
        Self: Sized + Sync,
    {
        match self.try_replay(choices) {
            Ok((value, made)) => control::tree_of_choices(self, value, made),
            Err(reason) => panic!("cannot replay these choices: {reason}"),
        }
    }

    /// The same generator with its choices in a bracket of this name, as a `#[generator]` function
    /// of that name would have: where names of generators are shown, it has one; and shrinking
    /// replaces what stands in such a bracket by one of the same name inside it.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// use retrospect::choice::Node;
    /// let choices = (0..10).named("digit").choices_of(&3).unwrap();
    /// let Some(Node::Call { site, .. }) = choices.nodes().next() else { panic!() };
    /// assert_eq!(site.unwrap().name(), "digit");
    /// ```
    #[track_caller]
    fn named(self, name: &'static str) -> Named<Self>
    where
        Self: Sized,
    {
        Named::new(self, Site::at(name, &[], Location::caller()))
    }

    /// One value in eight is `default`, which is also the simplest: shrinking goes there.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let ports = (1024..=u16::MAX).with_default(8080);
    /// assert_eq!(ports.replay(&Choices::default()), 8080);
    /// assert_eq!(ports.choices_of(&8080).unwrap().to_string(), "0:default");
    /// assert_eq!(ports.choices_of(&1025).unwrap().to_string(), "1:other(1)");
    /// ```
    #[track_caller]
    fn with_default(self, default: Self::Value) -> OneOf<(Exact<Self::Value>, Self)>
    where
        Self: Sized,
        Self::Value: Clone + PartialEq,
    {
        let note = |label, weight| Note { label: Some(label), weight: Ok(weight) };
        let notes = [note("default", 1), note("other", 7)];
        OneOf::new("with_default", (exact(default), self), &notes, Location::caller())
    }
}

fn why(source: &Source<'_>) -> Why {
    source.why().cloned().unwrap_or_else(|| Why::Other("the generator stopped without saying why".to_owned()))
}
