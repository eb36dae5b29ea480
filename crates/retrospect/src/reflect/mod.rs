//! Backward: a [`Reflector`] looks at a value and recalls the choices that make it.
//!
//! Inside an aligned generator the reflection of a sequence is a plain product: each part
//! reproduces exactly itself, so later parts do not depend on *how* an earlier one was made. Hence
//! no backtracking across a sequence: a pick is an OR, a sequence an AND, and the first arm that
//! fits is right. Looking for one way costs a walk over the value; all ways together form an AND/OR
//! [`Forest`].
//!
//! | what is wanted | how the reflector runs |
//! | --- | --- |
//! | one way (`choices_of`) | the first arm that fits, recorded |
//! | whether there is one (`accepts`) | the same, not recorded |
//! | why there is none | once more, with names for the parts and reasons kept |
//! | all ways (`Ways::count`, `Ways::iter`) | every arm, into a forest |
//! | how likely it is (`Ways::probability`) | the same, with the chance of each choice |
//!
//! ```
//! use retrospect::choice::Site;
//! use retrospect::reflect::{Reflected, Reflector};
//! use retrospect::{Segment, source::Distribution};
//! static ORDERED: Site = Site::call("ordered", file!(), line!());
//!
//! /// Two numbers up to 9, the smaller first. The module `source` has the way forward.
//! fn ordered(value: &(u64, u64), reflector: &mut Reflector) -> Reflected {
//!     let (low, high) = *value;
//!     if low > high || high > 9 {
//!         return reflector.mismatch(value, || format!("{low} and {high} are not in order, or above 9"));
//!     }
//!     let address = std::ptr::from_ref(value).cast();
//!     reflector.call(&ORDERED, || Some(0), address, |reflector| {
//!         reflector.part(Segment::Position(0), |reflector| reflector.number(low, 9, Distribution::Uniform))?;
//!         reflector.part(Segment::Position(1), |reflector| reflector.number(high - low, 9 - low, Distribution::Uniform))
//!     })
//! }
//!
//! let mut reflector = Reflector::first_way();
//! ordered(&(3, 7), &mut reflector).unwrap();
//! assert_eq!(reflector.into_choices().to_string(), "(3 4)");
//! assert!(ordered(&(7, 3), &mut Reflector::accepting()).is_err());
//! ```

#[cfg(feature = "text")]
mod apart;
mod beginning;
mod by_weights;
mod calls;
mod cheapest;
mod distinct;
mod fingerprint;
mod fold;
mod forest;
pub(crate) mod memory;
mod probability;
mod reflections;
mod simplest;
mod walk;
mod ways;
mod weigh;
mod weighing;

pub use crate::natural::Natural;
pub(crate) use distinct::{add_key, inside_part};
pub use fold::{EndlessWays, FoldWays};
pub use forest::{Forest, Overlap};
pub use probability::Probability;
pub(crate) use probability::Sum;
pub use reflections::Reflections;
pub(crate) use simplest::{MOST_CHOICES, most_calls, simpler_of};
pub(crate) use walk::Walk;
pub use weighing::NotKnown;

use crate::choice::{Choices, Entry, Frame, Site};
use crate::mismatch::{Explanation, NotGenerated, Segment};
use crate::source::{Distribution, Extent, Weight, bad_weight};
use crate::stack::Stack;
use by_weights::ByWeights;
use forest::Builder;
#[cfg(feature = "text")]
pub(crate) use forest::Outer;
use memory::Memory;
use std::fmt::{self, Debug};

/// What a generator says of a value: it can make it (the choices are noted in the reflector), or
/// not.
///
/// ```
/// use retrospect::reflect::{Mismatch, Reflected, Reflector};
/// use retrospect::source::Distribution;
/// fn even(value: &u64, reflector: &mut Reflector) -> Reflected {
///     match value % 2 {
///         0 => reflector.number(value / 2, u64::MAX / 2, Distribution::Uniform),
///         _ => reflector.mismatch(value, || format!("{value} is odd")),
///     }
/// }
/// assert_eq!(even(&4, &mut Reflector::accepting()), Ok(()));
/// assert_eq!(even(&5, &mut Reflector::accepting()), Err(Mismatch));
/// ```
pub type Reflected = Result<(), Mismatch>;

/// The value cannot be made this way. Pass it on with `?`; another way may fit.
///
/// It carries nothing: reasons are collected by the reflector, and only when somebody wants to read
/// them.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::reflect::{Mismatch, Reflector};
/// let either = |value| {
///     let mut reflector = Reflector::accepting();
///     (0..3).reflect(&value, &mut reflector).or_else(|Mismatch| (7..9).reflect(&value, &mut reflector))
/// };
/// assert_eq!((either(8), either(5)), (Ok(()), Err(Mismatch)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "pass a mismatch on with `?`"]
pub struct Mismatch;

/// Looks at a value and notes the choices that make it.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::reflect::Reflector;
/// let mut reflector = Reflector::first_way();
/// vec_of(0..=9, ..).reflect(&vec![3, 1, 4], &mut reflector).unwrap();
/// assert_eq!(reflector.into_choices().to_string(), "[3 1 4]");
/// ```
pub struct Reflector {
    record: Choices,
    mode: Mode,
    /// Calls under way that are remembered.
    depth: u32,
    stack: Stack,
    /// Above this address of the stack nothing is noted, remembered or explained; nowhere if
    /// something is.
    plain_above: usize,
    size: u32,
    /// Calls made so far, and how many of them were for ways that failed.
    calls: u64,
    wasted: u64,
    /// How many calls may be made where all ways are looked for.
    most_calls: u64,
    /// Whether a recursive generator is under way; looked at only to find out how likely a value
    /// is.
    is_in_level: bool,
    /// Whether calls are remembered by generator and part of the value.
    is_remembering: bool,
    /// Whether the next call was seen to already by who asks the generator again; see
    /// [`Reflector::call_again`].
    is_told: bool,
    /// Whether a generator was found to call itself on the same part.
    has_met_itself: bool,
    /// The limit that was met, if one was: a way that was not found may be there.
    limit: Option<&'static str>,
    /// Whether each way is checked before it is recorded, because what is looked at was recorded
    /// before and given up.
    is_checking: bool,
    memory: Memory,
    explanation: Option<Box<Explanation>>,
    forest: Option<Box<Builder>>,
    /// The weights by which chance goes where the value is looked at, if it does.
    weights: Option<Box<ByWeights>>,
    /// The largest bound of the numbers that were noted, since somebody wanted to know.
    widest: u64,
    /// How many answers were gone through to find out how much filters keep.
    walked: usize,
}

/// What is wanted. The last two do more than look, and are asked for together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Mode {
    Record,
    Accept,
    Explain,
    AllWays,
}

impl Reflector {
    /// A reflector that looks for the first way and records it.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::first_way();
    /// one_of((0..=5, 3..=9)).reflect(&4, &mut reflector).unwrap();
    /// assert_eq!(reflector.into_choices().to_string(), "0:(4)"); // `1:(1)` makes 4 as well.
    /// ```
    pub fn first_way() -> Reflector {
        // Room for a small value at once, instead of growing to it in steps.
        Reflector::first_way_in(Choices::with_room(64))
    }

    /// The same, which records in `record`.
    pub(crate) fn first_way_in(mut record: Choices) -> Reflector {
        record.clear();
        Reflector { record, mode: Mode::Record, ..Reflector::accepting().not_plain() }
    }

    /// A reflector that only finds out whether there is a way.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// assert!((0..=9).reflect(&7, &mut Reflector::accepting()).is_ok());
    /// ```
    pub fn accepting() -> Reflector {
        let stack = Stack::here();
        Reflector {
            record: Choices::default(),
            mode: Mode::Accept,
            depth: 0,
            plain_above: stack.low(),
            stack,
            size: crate::source::DEFAULT_SIZE,
            calls: 0,
            wasted: 0,
            most_calls: u64::MAX,
            is_in_level: false,
            is_remembering: false,
            is_told: false,
            has_met_itself: false,
            limit: None,
            is_checking: false,
            memory: Memory::default(),
            explanation: None,
            forest: None,
            weights: None,
            widest: 0,
            walked: 0,
        }
    }

    /// A reflector that remembers why ways fail; see [`into_error`](Reflector::into_error).
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::explaining();
    /// assert!((0..=9).reflect(&12, &mut reflector).is_err());
    /// assert_eq!(reflector.into_error().reason(), "12 is not in 0..=9");
    /// ```
    pub fn explaining() -> Reflector {
        Reflector { mode: Mode::Explain, explanation: Some(Box::default()), ..Reflector::accepting().not_plain() }
    }

    /// A reflector that follows every way.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let overlapping = one_of((0..=5, 3..=9));
    /// let mut reflector = Reflector::all_ways();
    /// overlapping.reflect(&4, &mut reflector).unwrap();
    /// assert_eq!(reflector.into_forest().overlap().to_string(), "2");
    /// ```
    pub fn all_ways() -> Reflector {
        Reflector { mode: Mode::AllWays, is_remembering: true, forest: Some(Box::default()), ..Reflector::first_way() }
    }

    /// The same reflector of all ways, which gives up the ways that it comes to after so many
    /// calls. Where the arguments of a generator have no hash, its calls cannot be told apart, and
    /// the ways may be more than can be looked at.
    pub(crate) fn with_most_calls(mut self, most_calls: u64) -> Reflector {
        self.most_calls = most_calls;
        self
    }

    pub(crate) fn has_most_calls(&self) -> bool {
        self.most_calls < u64::MAX
    }

    /// The same reflector, which remembers calls from the start on.
    pub(crate) fn remembering_at_once(mut self) -> Reflector {
        self.remember();
        self
    }

    /// Whether a generator was found to call itself on the same part. A way that was recorded may
    /// go round there, as often as it took to notice.
    pub(crate) fn went_in_circles(&self) -> bool {
        self.has_met_itself
    }

    /// Begins anew, as if just made, but keeps the room for recorded choices. For many values in a
    /// row this is cheaper than many reflectors.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::first_way();
    /// for number in 0..10 {
    ///     reflector.restart();
    ///     (0..10).reflect(&number, &mut reflector).unwrap();
    ///     assert_eq!(reflector.choices().to_string(), number.to_string());
    /// }
    /// ```
    pub fn restart(&mut self) {
        let mut record = std::mem::take(&mut self.record);
        record.clear();
        let fresh = Reflector::accepting();
        let is_plain = self.mode == Mode::Accept;
        *self = Reflector {
            record,
            mode: self.mode,
            size: self.size,
            is_remembering: self.forest.is_some(),
            most_calls: self.most_calls,
            explanation: self.explanation.take().map(|_| Box::default()),
            forest: self.forest.take().map(|before| Box::new(before.begun_anew())),
            ..if is_plain { fresh } else { fresh.not_plain() }
        };
    }

    /// The choices of the first way so far; see [`into_choices`](Reflector::into_choices).
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::first_way();
    /// vec_of(0..10, ..).reflect(&vec![3, 1], &mut reflector).unwrap();
    /// assert_eq!(reflector.choices().choice_count(), 3);
    /// ```
    pub fn choices(&mut self) -> &Choices {
        self.record.finish();
        &self.record
    }

    /// The choices of the first way, after a generator's `reflect` returned `Ok`; empty if the
    /// reflector does not record.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let choices_of = |mut reflector: Reflector| {
    ///     any::<bool>().reflect(&true, &mut reflector).unwrap();
    ///     reflector.into_choices()
    /// };
    /// assert_eq!(choices_of(Reflector::first_way()).to_string(), "1:true");
    /// assert!(choices_of(Reflector::accepting()).is_empty());
    /// ```
    pub fn into_choices(mut self) -> Choices {
        self.record.finish();
        self.record
    }

    /// All ways, after a generator's `reflect` returned `Ok` on a reflector made by
    /// [`Reflector::all_ways`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::all_ways();
    /// one_of((0..=5, 3..=9)).reflect(&4, &mut reflector).unwrap();
    /// let forest = reflector.into_forest();
    /// assert_eq!(forest.overlap().to_string(), "2");
    /// assert_eq!(forest.first_way(), one_of((0..=5, 3..=9)).choices_of(&4).ok());
    /// ```
    pub fn into_forest(self) -> Forest {
        self.forest.map(|builder| builder.finish()).unwrap_or_default()
    }

    /// All ways, after a generator's `reflect` on a reflector of all ways: none if it failed.
    pub(crate) fn into_forest_of(self, reflected: Reflected) -> Forest {
        match reflected {
            Ok(()) => self.into_forest(),
            Err(Mismatch) => self.forest.map(|builder| builder.finish_without()).unwrap_or_default(),
        }
    }

    /// Why there is no way, after a generator's `reflect` failed on a reflector made by
    /// [`Reflector::explaining`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::explaining();
    /// assert!(vec_of(0..=9, ..).reflect(&vec![1, 12], &mut reflector).is_err());
    /// assert_eq!(reflector.into_error().path(), "[1]");
    /// // A reflector that does not explain knows nothing.
    /// assert_eq!(Reflector::accepting().into_error().reason(), "no way of making it was found");
    /// ```
    pub fn into_error(self) -> NotGenerated {
        self.explanation.map_or_else(Explanation::default, |explanation| *explanation).into_error()
    }

    /// The size at which the value is looked at. It never decides whether a value can be made.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::accepting();
    /// assert_eq!(reflector.size(), 100);
    /// assert!(vec_of(0..=9, ..).reflect(&vec![1; 1000], &mut reflector).is_ok());
    /// ```
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Looks at a part as if the source had another size. Afterwards the size is what it was.
    ///
    /// ```
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::accepting();
    /// assert_eq!(reflector.resized(7, |reflector| reflector.size()), 7);
    /// assert_eq!(reflector.size(), 100);
    /// ```
    #[inline]
    pub fn resized<T>(&mut self, size: u32, body: impl FnOnce(&mut Reflector) -> T) -> T {
        let before = std::mem::replace(&mut self.size, size);
        let result = body(self);
        self.size = before;
        result
    }

    /// Notes a number: its index and the largest one there was. Whether the value is in range is
    /// for the generator to find out before.
    ///
    /// ```
    /// use retrospect::reflect::Reflector;
    /// use retrospect::source::Distribution;
    /// let mut reflector = Reflector::first_way();
    /// reflector.number(3, 9, Distribution::Uniform).unwrap();
    /// reflector.number(0, 0, Distribution::Uniform).unwrap(); // Also where there is no choice.
    /// assert_eq!(reflector.into_choices().to_string(), "3 0");
    /// ```
    #[inline(always)]
    pub fn number(&mut self, index: u64, max: u64, distribution: Distribution) -> Reflected {
        match self.mode {
            Mode::Record => self.record.push_number(index, max),
            Mode::Accept | Mode::Explain => {}
            Mode::AllWays => return self.number_of_all_ways(index, max, distribution),
        }
        Ok(())
    }

    /// Notes numbers, each of them a part of its own.
    #[inline(always)]
    pub(crate) fn numbers(&mut self, max: u64, indices: impl Iterator<Item = u64>) {
        match self.mode {
            Mode::Record => self.record.push_numbers(max, indices),
            Mode::Accept | Mode::Explain => {}
            Mode::AllWays => indices.for_each(|index| self.builder().push(Entry::number(index, max))),
        }
    }

    /// Notes a pick: what is noted from here to the end of the bracket belongs to the arm. An arm
    /// of weight 0 is absent.
    ///
    /// ```
    /// use retrospect::choice::Site;
    /// use retrospect::{reflect::Reflector, source::Distribution};
    /// static TREE: Site = Site::pick("tree", &["leaf", "node"], file!(), line!());
    /// let mut reflector = Reflector::first_way();
    /// assert!(reflector.pick(&TREE, &[1, 0], 1).is_err());
    /// reflector.pick(&TREE, &[1, 1], 1).unwrap();
    /// reflector.number(4, 9, Distribution::Uniform).unwrap();
    /// assert_eq!(reflector.into_choices().to_string(), "1:node(4)");
    /// ```
    #[inline(always)]
    pub fn pick(&mut self, site: &'static Site, weights: &[u32], arm: usize) -> Reflected {
        if weights[arm] == 0 {
            return self.absent(site, arm);
        }
        match self.mode {
            Mode::Record => self.record.push_pick(site, arm, weights.len()),
            Mode::Accept | Mode::Explain => {}
            Mode::AllWays => return self.pick_of_all_ways(site, weights, arm),
        }
        Ok(())
    }

    /// Notes a pick among arms that have nothing inside.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// # use retrospect::reflect::Reflector;
    /// static COIN: Site = Site::pick("coin", &["heads", "tails"], file!(), line!());
    /// let mut reflector = Reflector::first_way();
    /// reflector.pick_leaf(&COIN, &[1, 1], 1).unwrap();
    /// reflector.pick_leaf(&COIN, &[1, 1], 0).unwrap();
    /// assert_eq!(reflector.into_choices().to_string(), "1:tails 0:heads"); // `pick` would put one inside the other.
    /// ```
    #[inline]
    pub fn pick_leaf(&mut self, site: &'static Site, weights: &[u32], arm: usize) -> Reflected {
        match self.mode {
            Mode::Record => self.record.push_leaf_pick(site, arm, weights.len()),
            Mode::Accept | Mode::Explain => {}
            Mode::AllWays => return self.leaf_of_all_ways(site, weights, arm),
        }
        Ok(())
    }

    /// The key of the entry whose bracket was just opened.
    pub(crate) fn key(&mut self, key: &str) {
        match self.mode {
            Mode::Record => self.record.push_key(key),
            Mode::Accept | Mode::Explain => {}
            Mode::AllWays => self.builder().push_key(key),
        }
    }

    /// A weight as the user wrote it. With a negative or too large one nothing can be made.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// # use retrospect::reflect::{Mismatch, Reflector};
    /// static TREE: Site = Site::pick("tree", &["leaf", "node"], file!(), line!());
    /// let mut reflector = Reflector::explaining();
    /// assert_eq!(reflector.weight(&TREE, 1, 5), Ok(5));
    /// assert_eq!(reflector.weight(&TREE, 1, -5), Err(Mismatch));
    /// assert!(reflector.into_error().reason().contains("-5 is negative"));
    /// ```
    #[inline(always)]
    pub fn weight(&mut self, site: &'static Site, arm: usize, weight: impl Weight) -> Result<u32, Mismatch> {
        match weight.small() {
            Some(weight) => Ok(weight),
            None => Err(self.failed(&site.label(arm).unwrap_or("this arm"), || {
                bad_weight(site, arm, &weight.weight().err().unwrap_or_default())
            })),
        }
    }

    /// Looks at a value inside a generator's bracket, with room on the stack.
    ///
    /// `identity` tells two generators of the same site apart by their arguments (`None` if that
    /// cannot be known), `address` is the value looked at: together they are what is remembered, so
    /// that the same part is not looked at again and again by the same generator.
    ///
    /// ```
    /// use retrospect::choice::Site;
    /// use retrospect::{reflect::Reflector, source::Distribution};
    /// static DIGIT: Site = Site::call("digit", file!(), line!());
    /// let (digit, mut looks) = (7u64, 0);
    /// let mut reflector = Reflector::all_ways(); // It remembers from the start, others when it gets expensive.
    /// for _ in 0..2 {
    ///     let address = std::ptr::from_ref(&digit).cast();
    ///     reflector.call(&DIGIT, || Some(9), address, |reflector| {
    ///         looks += 1;
    ///         reflector.number(digit, 9, Distribution::Uniform)
    ///     }).unwrap();
    /// }
    /// assert_eq!(looks, 1);
    /// assert_eq!(reflector.into_forest().first_way().unwrap().to_string(), "(7) (7)");
    /// ```
    #[inline]
    pub fn call(
        &mut self,
        site: &'static Site,
        mut identity: impl FnMut() -> Option<u64>,
        address: *const (),
        mut body: impl FnMut(&mut Reflector) -> Reflected,
    ) -> Reflected {
        // Where the value gets deep or looking expensive, the call does not know the generator by
        // its type: that is compiled once for all of them.
        if self.calls_apart() {
            let mut body = |reflector: &mut Reflector| reflector.plain_call(site, &mut body);
            return self.call_apart(site, &mut identity, address, &mut body);
        }
        self.calls += 1;
        self.plain_call(site, body)
    }

    /// Looks at one part of a sequence: an item, a field, a drawn name. It becomes one node of the
    /// choices, and a mismatch inside is reported there.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::{Segment, reflect::Reflector};
    /// let mut reflector = Reflector::explaining();
    /// let result = reflector.part(Segment::Field("age"), |reflector| (0..=120).reflect(&300, reflector));
    /// assert!(result.is_err());
    /// assert_eq!(reflector.into_error().path(), ".age");
    /// ```
    #[inline]
    pub fn part(&mut self, segment: Segment, body: impl FnOnce(&mut Reflector) -> Reflected) -> Reflected {
        self.part_at(&[segment], body)
    }

    /// Runs `body` on what lies several steps inside the value, so that a mismatch is reported
    /// there. It opens no bracket.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::{Segment, reflect::Reflector};
    /// let path = [Segment::Position(1), Segment::Item(0)];
    /// let mut reflector = Reflector::explaining();
    /// assert!(reflector.at(&path, |reflector| (0..=9).reflect(&12, reflector)).is_err());
    /// assert_eq!(reflector.into_error().path(), ".1[0]");
    /// ```
    #[inline]
    pub fn at<T>(&mut self, path: &[Segment], body: impl FnOnce(&mut Reflector) -> T) -> T {
        if self.is_explaining() {
            self.enter(path);
        }
        let result = body(self);
        if self.is_explaining() {
            self.leave(path);
        }
        result
    }

    /// Like [`part`](Reflector::part), for a part that lies any number of steps inside the value:
    /// none if it is the value itself.
    ///
    /// ```
    /// use retrospect::{reflect::Reflector, source::Distribution};
    /// let mut reflector = Reflector::first_way();
    /// reflector.part_at(&[], |reflector| {
    ///     reflector.number(3, 9, Distribution::Uniform)?;
    ///     reflector.number(4, 9, Distribution::Uniform)
    /// }).unwrap();
    /// assert_eq!(reflector.into_choices().to_string(), "{3 4}"); // One node, as `Source::part` records it.
    /// ```
    #[inline(always)]
    pub fn part_at(&mut self, path: &[Segment], body: impl FnOnce(&mut Reflector) -> Reflected) -> Reflected {
        self.part_of(false, path, body)
    }

    /// The same for a part that may be known to be one node, and needs no bracket then.
    #[doc(hidden)]
    #[inline(always)]
    pub fn part_of(
        &mut self,
        is_one_node: bool,
        path: &[Segment],
        body: impl FnOnce(&mut Reflector) -> Reflected,
    ) -> Reflected {
        let start = self.record.len();
        if self.mode >= Mode::Explain {
            self.begin_part(is_one_node, path);
        }
        let result = body(self);
        if self.mode >= Mode::Explain {
            self.end_part(is_one_node, path, result.is_ok());
        } else if !is_one_node && self.mode == Mode::Record && result.is_ok() {
            self.record.close_part(start);
        }
        result
    }

    /// A part begins where reasons or all ways are wanted.
    #[cold]
    #[inline(never)]
    fn begin_part(&mut self, is_one_node: bool, path: &[Segment]) {
        match self.mode {
            Mode::AllWays => self.begin_part_of_all_ways(is_one_node),
            _ => self.enter(path),
        }
    }

    #[cold]
    #[inline(never)]
    fn end_part(&mut self, is_one_node: bool, path: &[Segment], fits: bool) {
        match self.mode {
            Mode::AllWays => self.end_part_of_all_ways(is_one_node, fits),
            _ => self.leave(path),
        }
    }

    #[cold]
    #[inline(never)]
    fn enter(&mut self, path: &[Segment]) {
        if let Some(explanation) = &mut self.explanation {
            explanation.enter_all(path);
        }
    }

    #[cold]
    #[inline(never)]
    fn leave(&mut self, path: &[Segment]) {
        if let Some(explanation) = &mut self.explanation {
            explanation.leave_all(path);
        }
    }

    /// Looks at the items of a list: `count` of them, of which there may be `min` to `max`. `body`
    /// looks at each in a [`part`](Reflector::part).
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::{Segment, reflect::Reflector};
    /// let list = [3, 1, 4];
    /// let mut reflector = Reflector::first_way();
    /// reflector.repeat(list.len(), 0, 5, &list, |reflector| {
    ///     (0..list.len()).try_for_each(|at| reflector.part(Segment::Item(at), |reflector| (0..=9).reflect(&list[at], reflector)))
    /// }).unwrap();
    /// assert_eq!(reflector.into_choices().to_string(), "[3 1 4]");
    /// assert!(Reflector::accepting().repeat(list.len(), 0, 2, &list, |_| Ok(())).is_err()); // Too many.
    /// ```
    #[inline]
    pub fn repeat(
        &mut self,
        count: usize,
        min: usize,
        max: usize,
        value: &dyn Debug,
        body: impl FnOnce(&mut Reflector) -> Reflected,
    ) -> Reflected {
        self.repeat_of(Extent::NUMBER, (count, min, max), value, body)
    }

    /// The same for items of an extent: how many there are, the fewest and the most. `body` sees to
    /// their size.
    #[inline(always)]
    pub(crate) fn repeat_of(
        &mut self,
        item: Extent,
        (count, min, max): (usize, usize, usize),
        value: &dyn Debug,
        body: impl FnOnce(&mut Reflector) -> Reflected,
    ) -> Reflected {
        if count < min || count > max {
            return self.wrong_length(count, min, max, value);
        }
        self.in_repeat(count, |reflector| reflector.open_repeat_of_all_ways(item, count, min, max), body)
    }

    /// Looks at entries that are never drawn, only recalled: the way back of
    /// [`Source::repeat_known`](crate::source::Source).
    pub(crate) fn repeat_known(&mut self, count: usize, body: impl FnOnce(&mut Reflector) -> Reflected) -> Reflected {
        // A random source has none, and there is nothing to draw about that.
        if self.is_weighing() && count > 0 {
            return Err(Mismatch);
        }
        let open = |reflector: &mut Reflector| {
            reflector.open_known_of_all_ways(count);
            Ok(())
        };
        self.in_repeat(count, open, body)
    }

    /// Looks at items inside of their bracket, which `open` opens where all ways are looked for.
    #[inline(always)]
    fn in_repeat(
        &mut self,
        count: usize,
        open: impl FnOnce(&mut Reflector) -> Reflected,
        body: impl FnOnce(&mut Reflector) -> Reflected,
    ) -> Reflected {
        let frame = Frame { at: self.record.len() as u32 };
        match self.mode {
            Mode::Record => {
                self.record.open_counted(count);
            }
            Mode::Accept | Mode::Explain => {}
            Mode::AllWays => open(self)?,
        }
        body(self)?;
        match self.mode {
            Mode::Record => self.record.close(frame),
            Mode::Accept | Mode::Explain => {}
            Mode::AllWays => self.close_repeat_of_all_ways(),
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn wrong_length(&mut self, count: usize, min: usize, max: usize, value: &dyn Debug) -> Reflected {
        self.mismatch(value, || match max {
            usize::MAX => format!("its length {count} is below {min}"),
            _ if min == max => format!("its length {count} is not {min}"),
            _ => format!("its length {count} is not in {min}..={max}"),
        })
    }

    #[cold]
    #[inline(never)]
    fn absent(&mut self, site: &'static Site, arm: usize) -> Reflected {
        let label = site.label(arm).unwrap_or("this arm");
        self.mismatch(&label, || "its arm weighs 0 here, so it is absent".to_owned())
    }

    /// Says that the value cannot be made this way. `reason` is asked for only if somebody wants to
    /// know.
    ///
    /// ```
    /// use retrospect::reflect::{Mismatch, Reflector};
    /// let mut reflector = Reflector::explaining();
    /// assert_eq!(reflector.mismatch(&5, || "5 is odd".to_owned()), Err(Mismatch));
    /// assert_eq!(reflector.into_error().to_string(), "this generator cannot make 5: 5 is odd");
    /// assert!(Reflector::accepting().mismatch(&5, || unreachable!("nobody asks")).is_err());
    /// ```
    #[inline]
    pub fn mismatch(&mut self, part: &dyn Debug, reason: impl FnOnce() -> String) -> Reflected {
        Err(self.failed(part, reason))
    }

    /// Whether nothing but the answer is wanted and the stack has room, so that a generator may
    /// look at a value by code of its own that notes nothing. It counts as a call. Not for use by
    /// hand: what is looked at that way must be the same as without.
    #[doc(hidden)]
    #[inline(always)]
    pub fn goes_plainly(&mut self) -> bool {
        let is_plain = crate::stack::address() > self.plain_above;
        self.calls += u64::from(is_plain);
        is_plain
    }

    /// How many calls were made.
    #[doc(hidden)]
    #[inline(always)]
    pub fn calls(&self) -> u64 {
        self.calls
    }

    fn not_plain(self) -> Reflector {
        Reflector { plain_above: usize::MAX, ..self }
    }

    /// From here on, what is found out about calls is remembered.
    fn remember(&mut self) {
        (self.is_remembering, self.plain_above) = (true, usize::MAX);
    }

    /// Whether choices are not noted, so that the index of a number need not be worked out.
    #[inline(always)]
    pub(crate) fn is_accepting(&self) -> bool {
        matches!(self.mode, Mode::Accept | Mode::Explain)
    }

    /// Whether reasons are wanted, and so the places of parts.
    #[inline(always)]
    pub(crate) fn is_explaining(&self) -> bool {
        self.mode == Mode::Explain
    }

    /// A mismatch at a part that lies some steps inside the value.
    #[inline]
    pub(crate) fn mismatch_at(&mut self, path: &[Segment], part: &dyn Debug, reason: &dyn fmt::Display) -> Reflected {
        if self.is_explaining() {
            self.enter(path);
            self.explain(part, reason.to_string());
            self.leave(path);
        }
        Err(Mismatch)
    }

    #[inline]
    fn failed(&mut self, part: &dyn Debug, reason: impl FnOnce() -> String) -> Mismatch {
        if self.is_explaining() {
            self.explain(part, reason());
        }
        Mismatch
    }

    #[cold]
    fn explain(&mut self, part: &dyn Debug, reason: String) {
        if let Some(explanation) = &mut self.explanation {
            explanation.note(part, reason);
        }
    }

    #[inline]
    fn plain_call(&mut self, site: &'static Site, body: impl FnOnce(&mut Reflector) -> Reflected) -> Reflected {
        let frame = Frame { at: self.record.len() as u32 };
        if self.mode == Mode::Record {
            self.record.open_call(site);
        }
        body(self)?;
        if self.mode == Mode::Record {
            self.record.close(frame);
        }
        Ok(())
    }

    fn builder(&mut self) -> &mut Builder {
        self.forest.as_mut().expect("a reflector of all ways has a forest")
    }
}

impl fmt::Debug for Reflector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = match self.mode {
            Mode::Record => "first way",
            Mode::Accept => "accepting",
            Mode::Explain => "explaining",
            Mode::AllWays => "all ways",
        };
        formatter.debug_struct("Reflector").field("mode", &mode).field("size", &self.size).finish_non_exhaustive()
    }
}
