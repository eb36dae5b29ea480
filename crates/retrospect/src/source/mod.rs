//! Forward: a [`Source`] answers the choices of a generator.
//!
//! The generator asks for numbers, picks and repeats, and brackets what belongs together; it never
//! knows who answers. Random answers are the inlined fast path. Every other interpretation is a
//! [`Chooser`]: one file here, or one of the user's own. Recording is independent of who answers.
//!
//! A source never sees a value.
//!
//! ```
//! use retrospect::choice::Site;
//! use retrospect::source::{Drawn, Distribution, Source};
//! static ORDERED: Site = Site::call("ordered", file!(), line!());
//!
//! /// Two numbers up to 9, the smaller first. The module `reflect` has the way back.
//! fn ordered(source: &mut Source<'_>) -> Drawn<(u64, u64)> {
//!     source.call(&ORDERED, |source| {
//!         let low = source.part(|source| source.number(9, Distribution::Uniform))?;
//!         let more = source.part(|source| source.number(9 - low, Distribution::Uniform))?;
//!         Ok((low, low + more))
//!     })
//! }
//!
//! let mut source = Source::recording(7);
//! let (low, high) = ordered(&mut source).unwrap();
//! assert!(low <= high && high <= 9);
//! assert_eq!(source.into_choices().to_string(), format!("({low} {})", high - low));
//! ```

mod again;
mod asking;
mod attempt;
mod by_size;
mod chance;
mod chooser;
mod completing;
mod counting;
mod depth;
mod drawing;
mod effort;
mod extent;
mod fixed;
mod free;
mod grammar;
mod keep;
mod levels;
mod limits;
mod odometer;
mod pool;
mod random;
mod repeating;
mod replay;
mod searches;
mod stop;
mod tuning;
mod weights;

pub(crate) use asking::bad_weight;
pub(crate) use by_size::BySize;
pub use chance::Chance;
pub(crate) use chance::share_of_32_bits;
pub(crate) use chooser::KnownArm;
pub use chooser::{Bracket, Chooser, DORMANT, DrawnIf, NumberRequest, PickRequest, RepeatRequest, Weight, drawn_if};
pub(crate) use completing::ChanceAt;
pub(crate) use counting::Total;
pub use depth::DEFAULT_MAX_DEPTH;
pub(crate) use depth::{LEAST_MAX_DEPTH, STRIDE, limits, pick_budget, picks_of_repeat};
pub(crate) use effort::{EFFORT_OF_EACH, has_effort_for, with_effort, with_limited_ways};
pub use extent::Extent;
pub use fixed::Mark;
pub use free::Form;
pub(crate) use grammar::{Answers as KnownAnswers, Grammar, Run, Trouble, WHOLE};
pub use keep::Keep;
pub(crate) use levels::LEVELS_PER_SIZE;
pub(crate) use limits::ENOUGH_DUPLICATES;
pub use limits::{DEFAULT_SIZE, MAX_TRIES, PICK_BUDGET};
use limits::{MAX_COUNT, MAX_FILLINGS, MAX_IMPROVISED, MAX_NESTED_TRIES, PATIENCE};
pub(crate) use limits::{TRIES_PER_SIZE, grown};
pub use odometer::Odometer;
pub(crate) use odometer::Wheel;
pub use pool::SearchCounts;
pub(crate) use pool::{Candidate, Pool};
pub use random::{ChanceOfIndex, CustomDistribution, Distribution, Rng};
pub(crate) use random::{MixedRun, RandomAnswers};
pub(crate) use repeating::Repeating;
pub use replay::Replay;
use searches::Keeps;
pub use searches::MAX_SEARCH;
pub(crate) use searches::{Condition, Filtered, SearchTime, Searched, Searches};
pub use stop::{Drawn, Stop, Why};
pub(crate) use weights::{
    Again, ChooserCache, FEWEST_SAMPLES, Followed, IN_BODY, Learning, MOST_REFUSALS, NEAR, Place, PlaceMark, RANGES,
    TunedChooser, ends_of, is_wide, range_of,
};
pub use weights::{Weights, WeightsError};

use crate::choice::{Choices, Frame, Site};
use crate::mismatch::Explanation;
use crate::stack::{Stack, grow};
use depth::{Depth, Endings};
use free::Unfinished;
use std::fmt;

/// Who answers the choices of a generator, and what was answered.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::source::Source;
/// let numbers = vec_of(0..100u8, 3..=3);
/// let mut source = Source::recording(7);
/// let value = numbers.generate(&mut source).unwrap();
/// let choices = source.into_choices();
/// assert_eq!(numbers.replay(&choices), value);
/// assert_eq!(numbers.choices_of(&value).unwrap(), choices);
/// ```
pub struct Source<'a> {
    answers: Answers,
    rng: Rng,
    size: u32,
    /// How many more picks are drawn at random; past that, arms that end are taken.
    picks_left: u32,
    /// How many more levels of recursion have a size; `None` outside of recursive generators.
    levels_left: Option<u32>,
    depth: Depth,
    /// How many values attempts inside one another have refused in a row.
    refused: u32,
    /// How many more duplicates the sets of this value draw that still lack items.
    patience: u32,
    /// How many made-up answers stand inside one another.
    improvised: u32,
    /// Which arms end, once some had to.
    endings: Option<Box<Endings>>,
    /// Whether a chooser answers like chance, so that what has grown too large must end.
    is_counting: bool,
    /// Whether the chooser is told of every part; see [`Chooser::wants_parts`].
    wants_parts: bool,
    /// Whether a text is read, which may be of a value of any depth.
    is_reading: bool,
    /// Whether the way to complete a sketch that failed last fails whatever is drawn for holes.
    is_closed: bool,
    /// How often what depends on chance may still be tried again while a text is read.
    tries_left: u32,
    /// How many generators inside one another try the ways to complete a sketch.
    pub(crate) nested_ways: u32,
    /// Whether this source only finds out if a generator ends without recursion.
    is_probing: bool,
    stack: Stack,
    record: Choices,
    is_recording: bool,
    is_explaining: bool,
    /// Whether it is chance that is asked, because some answers are fixed.
    is_chance: bool,
    /// The answers that come next and are fixed, the next one last.
    fixed: Vec<fixed::Fixed>,
    /// The fixed answers that were given, the last one last: an attempt that is forgotten gets them
    /// again.
    given: Vec<fixed::Fixed>,
    /// The count of the list that was asked for last, if it is fixed.
    fixed_count: Option<usize>,
    /// How many parts are open on which something hangs that is asked later.
    binding: u32,
    /// Whether what was answered is not all in the record: another answer gives the same.
    is_corrected: bool,
    /// Whether generation stops then.
    stops_if_corrected: bool,
    /// The largest answer to the last question, if it stopped for that.
    most_found: Option<u64>,
    chooser: Option<&'a mut (dyn Chooser + 'a)>,
    /// Who is asked instead; see [`Source::answered_by_weights`].
    tuned: Option<Box<TunedChooser>>,
    /// What is known of searches, and what of it outlasts a restart.
    searches: Option<Box<Searches>>,
    keeps_searches: Keeps,
    search_time: Option<&'static SearchTime>,
    last_pick: Option<(&'static Site, usize)>,
    why: Option<Box<Why>>,
    explanation: Option<Box<Explanation>>,
}

/// Kept as one byte so that the fast path is one comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answers {
    Random,
    RandomRecorded,
    Asked,
}

impl<'a> Source<'a> {
    /// A source of random answers, the same for the same seed. It records nothing, which makes it
    /// the fastest.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::Source;
    /// let mut source = Source::random(7);
    /// assert_eq!((0..1000).generate(&mut source), Ok((0..1000).sample(7)));
    /// assert!(source.choices().is_empty());
    /// ```
    pub fn random(seed: u64) -> Source<'a> {
        Source {
            answers: Answers::Random,
            rng: Rng::new(seed),
            size: DEFAULT_SIZE,
            picks_left: PICK_BUDGET,
            levels_left: None,
            depth: Depth::START,
            refused: 0,
            patience: PATIENCE,
            improvised: 0,
            endings: None,
            is_counting: false,
            wants_parts: false,
            is_reading: false,
            is_closed: false,
            tries_left: MAX_FILLINGS,
            nested_ways: 0,
            is_probing: false,
            stack: Stack::here(),
            record: Choices::default(),
            is_recording: false,
            is_explaining: false,
            is_chance: false,
            fixed: Vec::new(),
            given: Vec::new(),
            fixed_count: None,
            binding: 0,
            is_corrected: false,
            stops_if_corrected: false,
            most_found: None,
            chooser: None,
            tuned: None,
            searches: None,
            keeps_searches: Keeps::Nothing,
            search_time: None,
            last_pick: None,
            why: None,
            explanation: None,
        }
    }

    /// A source of random answers that remembers them. It gives the same values as
    /// [`Source::random`] with the same seed.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::Source;
    /// let mut source = Source::recording(7);
    /// let value = (0..1000).generate(&mut source).unwrap();
    /// assert_eq!(value, (0..1000).sample(7));
    /// assert_eq!(source.choices().to_string(), value.to_string());
    /// ```
    pub fn recording(seed: u64) -> Source<'a> {
        Source { answers: Answers::RandomRecorded, is_recording: true, ..Source::random(seed) }
    }

    /// A source that asks a chooser, and records what it answers. An answer out of bounds stops
    /// generation.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Replay, Source};
    /// let choices: Choices = "[3 12]".parse().unwrap();
    /// let mut replay = Replay::lenient(&choices);
    /// let mut source = Source::asking(&mut replay);
    /// assert_eq!(vec_of(0..=9, ..).generate(&mut source), Ok(vec![3, 9]));
    /// assert_eq!(source.into_choices().to_string(), "[3 9]"); // As it was used, not as it was written.
    /// ```
    pub fn asking(chooser: &'a mut (dyn Chooser + 'a)) -> Source<'a> {
        let is_counting = chooser.is_random();
        Source {
            answers: Answers::Asked,
            wants_parts: chooser.wants_parts(),
            is_recording: true,
            is_counting,
            depth: Depth::START.limited(is_counting),
            chooser: Some(chooser),
            ..Source::random(0)
        }
    }

    /// The same source, which records in an empty tree with room.
    pub(crate) fn recording_in(mut self, record: Choices) -> Source<'a> {
        self.record = record;
        self
    }

    /// The same source at another size; see [`Source::size`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::Source;
    /// let length = |size, seed| vec_of(0..10, ..).generate(&mut Source::random(seed).with_size(size)).unwrap().len();
    /// assert!((0..100).all(|seed| length(3, seed) <= 3));
    /// assert!((0..100).any(|seed| length(50, seed) > 3));
    /// ```
    pub fn with_size(mut self, size: u32) -> Source<'a> {
        self.set_size(size);
        self
    }

    /// Begins anew with another seed, as if just made, but keeps the size and the room for recorded
    /// choices. For many values in a row this is cheaper than many sources.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::Source;
    /// let lists = vec_of(0..100, ..);
    /// let mut source = Source::random(0);
    /// for seed in 0..10 {
    ///     source.restart(seed);
    ///     assert_eq!(lists.generate(&mut source).unwrap(), lists.sample(seed));
    /// }
    /// ```
    #[inline]
    pub fn restart(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.picks_left = PICK_BUDGET;
        self.levels_left = None;
        self.depth.deep_picks = 0;
        self.refused = 0;
        self.patience = PATIENCE;
        self.last_pick = None;
        if self.is_recording || self.why.is_some() || self.searches.is_some() || self.endings.is_some() {
            self.restart_with_memory();
        }
    }

    #[inline(never)]
    fn restart_with_memory(&mut self) {
        self.why = None;
        self.endings = None;
        self.record.clear();
        if self.searches.is_some() {
            self.restart_searches();
        }
    }

    /// The same source as it is inside a recursive generator.
    pub(crate) fn inside_level(mut self) -> Source<'a> {
        self.levels_left = Some(u32::MAX);
        self
    }

    #[inline]
    pub(crate) fn set_size(&mut self, size: u32) {
        self.size = size;
        self.depth.size = size;
        self.picks_left = pick_budget(size);
    }

    /// How large values should be, roughly: the length of a list, the nodes of a tree. It steers
    /// what is drawn at random and never what is valid.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Replay, Source};
    /// let choices: Choices = "[1 2 3]".parse().unwrap();
    /// let mut replay = Replay::strict(&choices);
    /// let mut source = Source::asking(&mut replay).with_size(0);
    /// assert_eq!(source.size(), 0);
    /// assert_eq!(vec_of(0..10, ..).generate(&mut source), Ok(vec![1, 2, 3]));
    /// ```
    #[inline]
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Whether answers are random and not recorded: then brackets mean nothing.
    ///
    /// ```
    /// use retrospect::source::Source;
    /// assert!(Source::random(1).is_random());
    /// assert!(!Source::recording(1).is_random());
    /// ```
    #[inline(always)]
    pub fn is_random(&self) -> bool {
        self.answers == Answers::Random
    }

    /// Whether somebody else answers.
    #[inline(always)]
    pub(crate) fn is_asked(&self) -> bool {
        self.answers == Answers::Asked
    }

    /// Whether chance answers, by whatever distribution: not choices from elsewhere.
    pub(crate) fn is_chance(&self) -> bool {
        self.is_chance || self.answers != Answers::Asked
    }

    /// Why generation was stopped, after a generator returned [`Stop`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Source, Why};
    /// let mut source = Source::random(1);
    /// assert!(source.why().is_none());
    /// assert!((5..5).generate(&mut source).is_err());
    /// assert!(matches!(source.why(), Some(Why::Invalid(_))));
    /// ```
    pub fn why(&self) -> Option<&Why> {
        self.why.as_deref()
    }

    /// Everything that was answered so far, if this source records. Asked for after a generator has
    /// made its value.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::Source;
    /// let mut source = Source::recording(3);
    /// let value = (0..10).generate(&mut source).unwrap();
    /// assert_eq!(source.choices().to_string(), value.to_string());
    /// ```
    pub fn choices(&mut self) -> &Choices {
        self.finish_record();
        &self.record
    }

    /// Everything that was answered, if this source records; otherwise nothing.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::Source;
    /// let mut source = Source::recording(7);
    /// let value = any::<bool>().generate(&mut source).unwrap();
    /// assert_eq!(any::<bool>().replay(&source.into_choices()), value);
    /// ```
    pub fn into_choices(mut self) -> Choices {
        self.finish_record();
        // A generator may have panicked.
        if self.record.is_unfinished() {
            self.record.finish_early();
        }
        self.record
    }

    /// Stops generation: `return Err(source.stop(…))`.
    ///
    /// ```
    /// use retrospect::source::{Drawn, Source, Stop, Why};
    /// let mut source = Source::random(1);
    /// let card: Drawn<u8> = Err(source.stop(Why::Other("no card is left".to_owned())));
    /// assert_eq!(card, Err(Stop));
    /// assert_eq!(source.why().unwrap().to_string(), "no card is left");
    /// ```
    #[cold]
    pub fn stop(&mut self, why: Why) -> Stop {
        self.why = Some(Box::new(why));
        Stop
    }

    /// An index from 0 to `max`; 0 is the simplest.
    ///
    /// ```
    /// use retrospect::source::{Distribution, Source};
    /// let mut source = Source::recording(1);
    /// let index = source.number(9, Distribution::Uniform).unwrap();
    /// assert!(index <= 9);
    /// assert_eq!(source.number(0, Distribution::Mixed), Ok(0)); // Also where there is no choice it is recorded.
    /// assert_eq!(source.choices().to_string(), format!("{index} 0"));
    /// ```
    #[inline(always)]
    pub fn number(&mut self, max: u64, distribution: Distribution) -> Drawn<u64> {
        if self.answers == Answers::Asked {
            return self.ask_number(max, distribution);
        }
        let index = distribution.draw(max, &mut self.rng);
        if self.is_recording {
            self.record.push_number(index, max);
        }
        Ok(index)
    }

    /// A number from 0 to `max`, every one as likely, whose index is not the number itself:
    /// `index_of` and `number_at` translate. A random source draws the number directly, which is
    /// what makes drawing an integer as fast as doing so by hand.
    ///
    /// ```
    /// use retrospect::source::Source;
    /// let mut source = Source::recording(1);
    /// // Of the numbers up to 9 the largest is to be the simplest.
    /// let number = source.uniform(9, |number| 9 - number, |index| 9 - index).unwrap();
    /// assert_eq!(source.choices().to_string(), (9 - number).to_string());
    /// ```
    #[inline(always)]
    pub fn uniform(
        &mut self,
        max: u64,
        index_of: impl FnOnce(u64) -> u64,
        number_at: impl FnOnce(u64) -> u64,
    ) -> Drawn<u64> {
        if self.answers == Answers::Asked {
            return self.ask_number(max, Distribution::Uniform).map(number_at);
        }
        let number = self.rng.at_most(max);
        if self.is_recording {
            self.record.push_number(index_of(number), max);
        }
        Ok(number)
    }

    /// A number that a random source draws in a form of its own, such as a float: `draw` does so,
    /// and the index behind it is worked out only if somebody wants it. `request` is what others
    /// are asked: the largest index, and the distribution by which `draw` would draw one.
    ///
    /// ```
    /// use retrospect::source::{Drawn, Distribution, Replay, Source};
    /// fn half(source: &mut Source<'_>) -> Drawn<f64> {
    ///     let half_of = |index| index as f64 / 2.0;
    ///     source.drawn(|rng| half_of(rng.at_most(9)), || (9, Distribution::Uniform), |half| (half * 2.0) as u64, half_of)
    /// }
    /// let choices = "7".parse().unwrap();
    /// assert_eq!(half(&mut Source::asking(&mut Replay::strict(&choices))), Ok(3.5));
    /// assert!(half(&mut Source::random(1)).unwrap() <= 4.5);
    /// ```
    #[inline(always)]
    pub fn drawn<T>(
        &mut self,
        draw: impl FnOnce(&mut Rng) -> T,
        request: impl FnOnce() -> (u64, Distribution),
        index_of: impl FnOnce(&T) -> u64,
        made_of: impl FnOnce(u64) -> T,
    ) -> Drawn<T> {
        if self.answers == Answers::Asked {
            let (max, distribution) = request();
            return self.ask_number(max, distribution).map(made_of);
        }
        let value = draw(&mut self.rng);
        if self.is_recording {
            self.record.push_number(index_of(&value), request().0);
        }
        Ok(value)
    }

    /// One of the arms of `site`. What is chosen from here to the end of the bracket belongs to the
    /// arm.
    ///
    /// ```
    /// use retrospect::choice::Site;
    /// use retrospect::source::{Distribution, Source};
    /// static TREE: Site = Site::pick("tree", &["leaf", "node"], file!(), line!());
    /// let mut source = Source::recording(1);
    /// assert_eq!(source.pick(&TREE, &[0, 1]), Ok(1)); // An arm of weight 0 is absent.
    /// assert_eq!(source.number(0, Distribution::Uniform), Ok(0));
    /// assert_eq!(source.choices().to_string(), "1:node(0)");
    /// assert!(source.pick(&TREE, &[0, 0]).is_err());
    /// ```
    #[inline(always)]
    pub fn pick(&mut self, site: &'static Site, weights: &[u32]) -> Drawn<usize> {
        if !weights.iter().any(|weight| *weight != 0) {
            return Err(self.no_arm(site, weights));
        }
        let (arm, is_recorded) = match self.answers {
            Answers::Asked => self.ask_counted_pick(site, weights)?,
            _ => (self.random_pick(site, weights)?, self.is_recording),
        };
        if is_recorded {
            self.record.push_pick(site, arm, weights.len());
        }
        Ok(arm)
    }

    /// One of several arms that have nothing inside, such as `false` and `true`.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// # use retrospect::source::Source;
    /// static COIN: Site = Site::pick("coin", &["heads", "tails"], file!(), line!());
    /// let mut source = Source::recording(1);
    /// source.pick_leaf(&COIN, &[0, 1]).unwrap();
    /// source.pick_leaf(&COIN, &[1, 0]).unwrap();
    /// assert_eq!(source.choices().to_string(), "1:tails 0:heads"); // `pick` would put one inside the other.
    /// ```
    #[inline(always)]
    pub fn pick_leaf(&mut self, site: &'static Site, weights: &[u32]) -> Drawn<usize> {
        let (arm, is_recorded) = match self.answers {
            Answers::Asked => self.ask_pick(site, weights)?,
            _ => (PickRequest::new(site, weights).random(&mut self.rng), self.is_recording),
        };
        if is_recorded {
            self.record.push_leaf_pick(site, arm, weights.len());
        }
        Ok(arm)
    }

    /// A weight as the user wrote it. A negative or too large one stops generation.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// # use retrospect::source::Source;
    /// static TREE: Site = Site::pick("tree", &["leaf", "node"], "src/tree.rs", 3);
    /// let mut source = Source::random(1);
    /// assert_eq!(source.weight(&TREE, 1, 5), Ok(5));
    /// assert!(source.weight(&TREE, 1, -5).is_err());
    /// let why = source.why().unwrap().to_string();
    /// assert!(why.starts_with("the weight of arm `node` in `tree` (src/tree.rs:3) is wrong: -5 is negative"));
    /// ```
    #[inline(always)]
    pub fn weight(&mut self, site: &'static Site, arm: usize, weight: impl Weight) -> Drawn<u32> {
        match weight.small() {
            Some(weight) => Ok(weight),
            None => Err(self.bad_weight(site, arm, weight)),
        }
    }

    /// Runs a generator's body inside its bracket, with room on the stack.
    ///
    /// ```
    /// use retrospect::choice::Site;
    /// use retrospect::source::{Distribution, Source};
    /// static DIGIT: Site = Site::call("digit", file!(), line!());
    /// let mut source = Source::recording(1);
    /// let digit = source.call(&DIGIT, |source| source.number(9, Distribution::Uniform)).unwrap();
    /// assert_eq!(source.choices().to_string(), format!("({digit})"));
    /// ```
    #[inline(always)]
    pub fn call<T>(&mut self, site: &'static Site, body: impl FnOnce(&mut Source<'a>) -> Drawn<T>) -> Drawn<T> {
        if self.depth.levels_to_look == 0 {
            return self.further(site, &|| Form::Unknown, |source| source.bracketed(site, body));
        }
        self.bracketed(site, body)
    }

    /// [`call`](Source::call) where the depth was looked at.
    #[inline(always)]
    fn bracketed<T>(&mut self, site: &'static Site, body: impl FnOnce(&mut Source<'a>) -> Drawn<T>) -> Drawn<T> {
        self.depth.levels_to_look -= 1;
        let level = Level { source: self };
        let source = &mut *level.source;
        match source.answers {
            // What was made is returned untouched: a large value that is moved once more is what
            // this costs.
            Answers::Random => body(source),
            Answers::RandomRecorded => {
                let frame = source.record.open_call(site);
                let result = body(source);
                source.record.close(frame);
                result
            }
            Answers::Asked => {
                let frame = source.ask_open(Bracket::Call(site))?;
                let result = body(source);
                source.ask_close(frame);
                result
            }
        }
    }

    #[inline(always)]
    fn repeat_request(&self, item: Extent, min: usize, max: usize) -> RepeatRequest {
        let likely_max = if self.picks_left == 0 { min } else { item.likely_max(self.size, min, max) };
        RepeatRequest { min, max, likely_max }
    }

    #[inline]
    fn record_repeat(&mut self, item: Extent, min: usize, max: usize) -> (usize, Frame) {
        let count = self.random_count(item, min, max);
        (count, self.record.open_counted(count))
    }

    /// Runs what makes one part of a sequence: an item, a field, a drawn name. A part is one node
    /// of the choice tree, whatever the body does.
    ///
    /// ```
    /// use retrospect::source::{Distribution, Source};
    /// let mut source = Source::recording(1);
    /// source.part(|source| source.number(0, Distribution::Uniform)).unwrap();
    /// source.part(|source| Ok([source.number(0, Distribution::Uniform)?, source.number(0, Distribution::Uniform)?])).unwrap();
    /// source.part(|_| Ok(())).unwrap();
    /// assert_eq!(source.choices().to_string(), "0 {0 0} {}"); // A bracket only where it is no single node.
    /// ```
    #[inline(always)]
    pub fn part<T>(&mut self, body: impl FnOnce(&mut Source<'a>) -> Drawn<T>) -> Drawn<T> {
        let start = match self.answers {
            Answers::Asked => self.ask_open_part()?,
            _ => self.record.len(),
        };
        let part = Unfinished { source: self, start };
        let result = body(&mut *part.source);
        std::mem::forget(part);
        if !self.is_random() && result.is_ok() {
            self.end_part(start);
        }
        result
    }

    /// Asks how many items there are, from `min` to `max`, and runs what makes them. `body` is told
    /// how many are wanted, makes each in a [`part`](Source::part), and returns how many parts it
    /// kept.
    ///
    /// Without a limit (`max` is `usize::MAX`) a random source draws at most [`size`](Source::size)
    /// items more than `min`.
    ///
    /// ```
    /// use retrospect::source::{Drawn, Distribution, Source};
    /// let mut source = Source::recording(1);
    /// let kept = source.repeat(3, 3, |source, count| {
    ///     let item = |_| source.part(|source| source.number(0, Distribution::Uniform));
    ///     (0..count).map(item).collect::<Drawn<Vec<u64>>>().map(|items| (items, count))
    /// });
    /// assert_eq!(kept, Ok(vec![0, 0, 0]));
    /// assert_eq!(source.choices().to_string(), "[0 0 0]");
    /// ```
    #[inline(always)]
    pub fn repeat<T>(
        &mut self,
        min: usize,
        max: usize,
        body: impl FnOnce(&mut Source<'a>, usize) -> Drawn<(T, usize)>,
    ) -> Drawn<T> {
        self.repeat_of(Extent::NUMBER, min, max, body)
    }

    /// The same for items of an extent. `body` sees to their size.
    #[inline(always)]
    pub(crate) fn repeat_of<T>(
        &mut self,
        item: Extent,
        min: usize,
        max: usize,
        body: impl FnOnce(&mut Source<'a>, usize) -> Drawn<(T, usize)>,
    ) -> Drawn<T> {
        if min > max.min(MAX_COUNT) {
            return Err(self.no_length(min, max));
        }
        let (count, frame) = match self.answers {
            Answers::Random => (self.random_count(item, min, max), NO_FRAME),
            Answers::RandomRecorded => self.record_repeat(item, min, max),
            Answers::Asked => self.ask_repeat(self.repeat_request(item, min, max))?,
        };
        let is_fixed = self.is_asked() && self.fixed_count.is_some();
        let (value, kept) = match body(self, count) {
            Ok((_, kept)) if is_fixed && kept != count => return Err(self.unfit_count(count, kept)),
            Ok(made) => made,
            Err(stop) => {
                // The chooser is told that its bracket ends here, too.
                if self.is_asked() {
                    self.chooser().close();
                }
                return Err(stop);
            }
        };
        if !self.is_random() {
            if kept != count {
                self.note_correction();
                if self.is_recording {
                    self.record.set_repeat_count(frame, kept);
                }
            }
            match self.answers {
                Answers::Asked => self.ask_close(frame),
                _ => self.record.close(frame),
            }
        }
        Ok(value)
    }

    /// Whether asking again may give other answers.
    pub(crate) fn may_retry(&self) -> bool {
        self.tuned.is_some() || self.chooser.as_ref().is_none_or(|chooser| chooser.may_retry())
    }

    /// How far the record has come, to [`forget`](Source::forget) what follows.
    ///
    /// ```
    /// use retrospect::source::{Distribution, Source};
    /// let mut source = Source::recording(1);
    /// source.number(0, Distribution::Uniform).unwrap();
    /// let mark = source.mark();
    /// source.number(9, Distribution::Uniform).unwrap();
    /// source.forget(mark);
    /// assert_eq!(source.choices().to_string(), "0");
    /// ```
    #[inline]
    pub fn mark(&self) -> Mark {
        Mark { record: self.record.mark(), n_given: self.given.len() }
    }

    /// Forgets the choices recorded since `mark`. The random numbers go on: what is drawn next is
    /// something else. Answers that are [fixed](Source::fixed) come again.
    ///
    /// ```
    /// use retrospect::source::{Distribution, Source};
    /// let mut source = Source::recording(1);
    /// let mark = source.mark();
    /// let first = source.number(u64::MAX, Distribution::Uniform).unwrap();
    /// source.forget(mark);
    /// let second = source.number(u64::MAX, Distribution::Uniform).unwrap();
    /// assert_ne!(first, second);
    /// assert_eq!(source.choices().to_string(), second.to_string());
    /// ```
    pub fn forget(&mut self, mark: Mark) {
        self.record.rewind(mark.record);
        self.give_again(mark.n_given);
    }

    /// A random number for what is no choice: the order in which completion tries ways. Never
    /// recorded.
    pub(crate) fn dice(&mut self) -> u64 {
        self.rng.next()
    }

    /// Where chance stands, with and without weights, to find out whether anything was drawn
    /// meanwhile; `None` if somebody else answers.
    pub(crate) fn chance(&self) -> ChanceAt {
        let by_weights = self.tuned.as_ref().map(|tuned| tuned.chance());
        (by_weights.is_some() || !self.is_asked()).then(|| (self.rng.clone(), by_weights))
    }

    /// Goes back to where chance stood: nothing came of what was thrown.
    pub(crate) fn set_chance(&mut self, (chance, by_weights): (Rng, Option<Rng>)) {
        self.rng = chance;
        if let (Some(tuned), Some(chance)) = (&mut self.tuned, by_weights) {
            tuned.set_chance(chance);
        }
    }

    /// Whether the stack is running low, so that what may go [`deeper`](Source::deeper) had better
    /// do so there.
    #[cfg(feature = "text")]
    pub(crate) fn is_low(&self) -> bool {
        self.stack.is_low()
    }

    /// Runs `body` where there is room on the stack.
    #[cold]
    #[inline(never)]
    pub(crate) fn deeper<T>(&mut self, body: impl FnOnce(&mut Source<'a>) -> Drawn<T>) -> Drawn<T> {
        let mut body = Some(body);
        let mut result = Err(Stop);
        let mut work = |source: &mut Source<'a>| {
            if let Some(body) = body.take() {
                result = body(source);
            }
        };
        match grow(self, |source| &mut source.stack, &mut work) {
            Some(()) => result,
            None => Err(self.too_deep()),
        }
    }

    #[inline(always)]
    fn end_part(&mut self, start: usize) {
        match self.answers {
            Answers::Asked => self.ask_close_part(start),
            _ => self.record.close_part(start),
        }
    }

    #[inline(always)]
    fn random_pick(&mut self, site: &'static Site, weights: &[u32]) -> Drawn<usize> {
        if self.picks_left == 0 {
            return self.ending_arm(&PickRequest::new(site, weights));
        }
        self.picks_left -= 1;
        Ok(PickRequest::new(site, weights).random(&mut self.rng))
    }
}

/// A level that is open. It is closed when this is dropped, also if a generator panics.
struct Level<'s, 'a> {
    source: &'s mut Source<'a>,
}

impl Drop for Level<'_, '_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.source.depth.levels_to_look += 1;
    }
}

const NO_FRAME: Frame = Frame { at: 0 };

impl fmt::Debug for Source<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answers = match self.answers {
            Answers::Random => "random",
            Answers::RandomRecorded => "random, recorded",
            Answers::Asked => "a chooser",
        };
        formatter.debug_struct("Source").field("answers", &answers).field("size", &self.size).finish_non_exhaustive()
    }
}
