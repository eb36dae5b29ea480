//! Shrinking: from a choice tree that fails to the simplest one that still does.
//!
//! A [`Shrinker`] knows neither generators nor values. It edits choice trees and asks a [`Trial`]
//! whether the property still fails on what an edited tree makes; most users call
//! [`Generator::shrink`](crate::Generator::shrink), which brings the trial along.
//!
//! ```
//! use retrospect::prelude::*;
//! use retrospect::shrink::{Shrinker, Tried};
//! let lists = vec_of(0..1000, ..);
//! let start = lists.choices_of(&vec![31, 741, 5, 888]).unwrap();
//! let mut trial = |candidate: &Choices| {
//!     let (list, made) = lists.try_replay(candidate).unwrap();
//!     if list.iter().sum::<i32>() >= 1000 { Tried::Fails(made) } else { Tried::Passes }
//! };
//! let shrunk = Shrinker::new().shrink(&start, &mut trial, &mut || true);
//! assert_eq!(lists.replay(&shrunk.choices), [1, 999]);
//! ```
//!
//! | file | what |
//! | --- | --- |
//! | `order` | which of two trees is the simpler one |
//! | `door` | the one door through which every candidate goes: remembers, counts, compares, keeps the best |
//! | `schedule` | which pass comes when, and which are put off because they no longer pay |
//! | `frozen` | what `no_shrink` protects |
//! | `tree`, `search` | what passes share: the places of a tree, searches by doubling and halving |
//! | `zero`, `delete`, `draws`, `hoist`, `arms`, `merge`, `control`, `numbers`, `floats`, `pairs`, `reorder`, `rearrange`, `relations`, `steps`, `exhaust`, `transplant`, `replace`, `value` | the passes, a file for each family |
//!
//! A pass proposes edits; each has its rule and a picture in its documentation. None knows any
//! problem, and none takes more candidates than a few for each node of the tree.

mod arms;
mod control;
mod delete;
mod door;
mod draws;
mod exhaust;
mod floats;
mod frozen;
mod hoist;
mod merge;
mod numbers;
mod order;
mod pairs;
mod rearrange;
mod relations;
mod reorder;
mod replace;
mod schedule;
mod search;
mod steps;
#[cfg(test)]
mod tests;
mod transplant;
mod tree;
mod value;
mod zero;

use crate::choice::Choices;
pub(crate) use door::fingerprint;
use door::{Door, Over};
pub use order::compare;

/// What a run of the property on a candidate told.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::shrink::Tried;
/// let numbers = 0..100u8;
/// let run = |candidate: &Choices| {
///     let (number, made) = numbers.try_replay(candidate).unwrap();
///     if number > 10 { Tried::Fails(made) } else { Tried::Passes }
/// };
/// assert_eq!(run(&"200".parse().unwrap()), Tried::Fails("99".parse().unwrap()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tried {
    /// The property fails; these are the choices as the replay recorded them, which may differ from
    /// the candidate.
    Fails(Choices),
    /// The property holds, or no value could be made, or it was discarded.
    Passes,
}

/// What a replay of a candidate gives, without a run of the property.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::shrink::Replayed;
/// let replay = |candidate: &Choices| match (0..100u8).try_replay(candidate) {
///     Ok((_, made)) => Replayed::Made(made),
///     Err(_) => Replayed::Nothing,
/// };
/// assert_eq!(replay(&"200".parse().unwrap()), Replayed::Made("99".parse().unwrap()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// A value was made, by these choices.
    Made(Choices),
    /// No value can be made: a filter refuses it.
    Nothing,
    /// It cannot be told without a run.
    Unknown,
}

/// Both halves of trying a candidate. Replay is cheap and tells whether the candidate is simpler at
/// all; those that are not cost no run then.
///
/// A closure `FnMut(&Choices) -> Tried` is enough for [`Shrinker::shrink`]; this trait is for
/// [`Shrinker::shrink_by`], which needs fewer runs.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::shrink::{Replayed, Shrinker, Trial, Tried};
/// struct AtLeast900(std::ops::Range<u32>);
/// impl Trial for AtLeast900 {
///     fn replay(&mut self, candidate: &Choices) -> Replayed {
///         self.0.try_replay(candidate).map_or(Replayed::Nothing, |(_, made)| Replayed::Made(made))
///     }
///     fn run(&mut self, candidate: &Choices) -> Tried {
///         match self.0.try_replay(candidate) {
///             Ok((number, made)) if number >= 900 => Tried::Fails(made),
///             _ => Tried::Passes,
///         }
///     }
/// }
/// let shrunk = Shrinker::new().shrink_by(&"123456".parse().unwrap(), &mut AtLeast900(0..1_000_000), &mut || true);
/// assert_eq!(shrunk.choices.to_string(), "900");
/// ```
pub trait Trial {
    /// What a lenient replay of the candidate records.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::shrink::{Replayed, Trial, Tried};
    /// struct Never;
    /// impl Trial for Never {
    ///     fn replay(&mut self, _: &Choices) -> Replayed {
    ///         Replayed::Nothing
    ///     }
    ///     fn run(&mut self, _: &Choices) -> Tried {
    ///         Tried::Passes
    ///     }
    /// }
    /// assert_eq!(Never.replay(&Choices::default()), Replayed::Nothing);
    /// ```
    fn replay(&mut self, candidate: &Choices) -> Replayed;

    /// Runs the property on what a lenient replay of the candidate makes. A candidate is always
    /// replayed before it is run, and nothing else is in between, so the value may be kept.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::shrink::{Replayed, Trial, Tried};
    /// struct Always;
    /// impl Trial for Always {
    ///     fn replay(&mut self, _: &Choices) -> Replayed {
    ///         Replayed::Unknown
    ///     }
    ///     fn run(&mut self, candidate: &Choices) -> Tried {
    ///         Tried::Fails(candidate.clone())
    ///     }
    /// }
    /// assert_eq!(Always.run(&Choices::default()), Tried::Fails(Choices::default()));
    /// ```
    fn run(&mut self, candidate: &Choices) -> Tried;

    /// The choices that the last run recorded, if it passed, or the last replay, if the generator
    /// refused it. `None` by default.
    ///
    /// A trial that cannot replay without a run should tell them, since nothing else tells what a
    /// run draws. So should a trial whose generator has filters: shrinking then goes on from what
    /// was refused.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::shrink::{Replayed, Shrinker, Trial, Tried};
    /// use retrospect::source::{Replay, Source};
    /// /// Draws as many numbers as the first one says; one of them is too large.
    /// struct Body(Option<Choices>);
    /// impl Trial for Body {
    ///     fn replay(&mut self, _: &Choices) -> Replayed {
    ///         Replayed::Unknown
    ///     }
    ///     fn run(&mut self, candidate: &Choices) -> Tried {
    ///         let mut replay = Replay::lenient(candidate);
    ///         let mut source = Source::asking(&mut replay);
    ///         let count = (0..=9).generate(&mut source).unwrap();
    ///         let fails = (0..count).fold(false, |fails, _| (0..=1000).generate(&mut source).unwrap() >= 900 || fails);
    ///         let made = source.into_choices();
    ///         self.0 = Some(made.clone());
    ///         if fails { Tried::Fails(made) } else { Tried::Passes }
    ///     }
    ///     fn recorded(&mut self) -> Option<Choices> {
    ///         self.0.take()
    ///     }
    /// }
    /// let shrunk = Shrinker::new().shrink_by(&"4 5 991 12 70".parse().unwrap(), &mut Body(None), &mut || true);
    /// assert_eq!(shrunk.choices.to_string(), "1 900");
    /// ```
    fn recorded(&mut self) -> Option<Choices> {
        None
    }

    /// The simplest choices that make the same value as these. `None`, unless something else is
    /// said: whoever knows the values and can look at them backward says it here.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::shrink::{Replayed, Shrinker, Trial, Tried};
    /// /// Either digit by digit or as a whole; 700 is too much.
    /// struct TooMuch;
    /// fn numbers() -> impl Generator<Value = u32> {
    ///     let spelled = vec_of(0..=9u32, 3).map_with_inverse(
    ///         |digits| digits[0] * 100 + digits[1] * 10 + digits[2],
    ///         |number| (*number < 1000).then(|| vec![number / 100, number / 10 % 10, number % 10]),
    ///     );
    ///     one_of((spelled, 0..1000u32))
    /// }
    /// impl Trial for TooMuch {
    ///     fn replay(&mut self, candidate: &Choices) -> Replayed {
    ///         numbers().try_replay(candidate).map_or(Replayed::Nothing, |(_, made)| Replayed::Made(made))
    ///     }
    ///     fn run(&mut self, candidate: &Choices) -> Tried {
    ///         let (number, made) = numbers().try_replay(candidate).unwrap();
    ///         if number == 700 { Tried::Fails(made) } else { Tried::Passes }
    ///     }
    ///     fn simplest_way(&mut self, choices: &Choices) -> Option<Choices> {
    ///         numbers().ways_of(&numbers().replay(choices)).simplest().ok()
    ///     }
    /// }
    /// let shrunk = Shrinker::new().shrink_by(&"0:([7 0 0])".parse().unwrap(), &mut TooMuch, &mut || true);
    /// assert_eq!(shrunk.choices.to_string(), "1:(700)");
    /// ```
    fn simplest_way(&mut self, _choices: &Choices) -> Option<Choices> {
        None
    }

    /// Choices that make values near the one that these make, in any order: what a small change of
    /// the value gives, rather than one of the choices. None, unless something else is said. Those
    /// that are not simpler cost no run.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::shrink::{Replayed, Shrinker, Trial, Tried};
    /// /// A number of two digits, in hexadecimal; its first digit must not be 7.
    /// struct Seventy;
    /// impl Trial for Seventy {
    ///     fn replay(&mut self, candidate: &Choices) -> Replayed {
    ///         (0..=255u8).try_replay(candidate).map_or(Replayed::Nothing, |(_, made)| Replayed::Made(made))
    ///     }
    ///     fn run(&mut self, candidate: &Choices) -> Tried {
    ///         let (number, made) = (0..=255u8).try_replay(candidate).unwrap();
    ///         if number / 16 == 7 || number == 7 { Tried::Fails(made) } else { Tried::Passes }
    ///     }
    ///     fn near(&mut self, choices: &Choices) -> Vec<Choices> {
    ///         let number = (0..=255u8).replay(choices);
    ///         [number / 16, number % 16].map(|digit| (0..=255u8).choices_of(&digit).unwrap()).to_vec()
    ///     }
    /// }
    /// let shrunk = Shrinker::new().shrink_by(&"124".parse().unwrap(), &mut Seventy, &mut || true);
    /// assert_eq!(shrunk.choices.to_string(), "7");
    /// ```
    fn near(&mut self, _choices: &Choices) -> Vec<Choices> {
        Vec::new()
    }

    /// No pass knows anything simpler. How many candidates may be replayed to look for what may not
    /// be there, if `replays` were so far: where numbers fail only together with others, nothing
    /// says how far to look, and only trying everything that is simpler tells that nothing fails.
    /// Whoever knows what a candidate costs says it here. It is asked again and again until the
    /// search is over, since the next ones may cost more. Unless something else is said, they are
    /// as many as there were so far, or as many as have some hundred thousand choices together.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::shrink::{End, Replayed, Shrinker, Trial, Tried};
    /// /// Two numbers of which only a few pairs fail, none of them near another.
    /// struct Rare(u64);
    /// impl Trial for Rare {
    ///     fn replay(&mut self, candidate: &Choices) -> Replayed {
    ///         tuple((0..100, 0..100)).try_replay(candidate).map_or(Replayed::Nothing, |(_, made)| Replayed::Made(made))
    ///     }
    ///     fn run(&mut self, candidate: &Choices) -> Tried {
    ///         let (pair, made) = tuple((0..100, 0..100)).try_replay(candidate).unwrap();
    ///         if [(98, 71), (13, 29), (5, 60)].contains(&pair) { Tried::Fails(made) } else { Tried::Passes }
    ///     }
    ///     fn spare(&mut self, _: &Choices, _replays: u64) -> u64 {
    ///         self.0
    ///     }
    /// }
    /// let shrink = |spare: u64| Shrinker::new().shrink_by(&"(98 71)".parse().unwrap(), &mut Rare(spare), &mut || true);
    /// let shrunk = shrink(100_000);
    /// assert_eq!(shrunk.choices.to_string(), "(13 29)");
    /// assert!(matches!(shrunk.end, End::Minimal { .. }));
    /// let shrunk = shrink(50);
    /// assert!(shrunk.searched <= 50 && matches!(shrunk.end, End::Stalled { .. }));
    /// ```
    fn spare(&mut self, choices: &Choices, replays: u64) -> u64 {
        spare(choices.len(), replays)
    }

    /// There is a simpler case than before. Shrinking may take long: who wants to show how it goes
    /// need not wait for its end. Nothing, unless something else is said.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::shrink::{Replayed, Shrinker, Step, Trial, Tried};
    /// /// A number from 10 on, and the way down to it.
    /// struct Watched(Vec<String>);
    /// impl Trial for Watched {
    ///     fn replay(&mut self, _: &Choices) -> Replayed {
    ///         Replayed::Unknown
    ///     }
    ///     fn run(&mut self, candidate: &Choices) -> Tried {
    ///         let (number, made) = (0..=255u8).try_replay(candidate).unwrap();
    ///         if number >= 10 { Tried::Fails(made) } else { Tried::Passes }
    ///     }
    ///     fn improved(&mut self, step: &Step) {
    ///         self.0.push(step.choices.to_string());
    ///     }
    /// }
    /// let mut watched = Watched(Vec::new());
    /// let shrunk = Shrinker::new().shrink_by(&"200".parse().unwrap(), &mut watched, &mut || true);
    /// assert_eq!(watched.0.len(), shrunk.steps.len());
    /// assert_eq!(watched.0.last().unwrap(), "10");
    /// ```
    fn improved(&mut self, _step: &Step) {}
}

/// Finds the simplest choices that still fail.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::shrink::{End, Shrinker, Tried};
/// let mut trial = |candidate: &Choices| Tried::Fails(candidate.clone());
/// let shrunk = Shrinker::new().runs(1).shrink(&"[3 1]".parse().unwrap(), &mut trial, &mut || true);
/// assert!(shrunk.choices.is_empty() && matches!(shrunk.end, End::Minimal { .. }));
/// ```
#[derive(Clone, Debug)]
pub struct Shrinker {
    most_runs: u64,
}

/// How often the property is run at most, unless something else is said.
const MAX_RUNS: u64 = 50_000;

/// As many replays as there were so far, or as have some hundred thousand choices together.
pub(crate) fn spare(n_choices: usize, replays: u64) -> u64 {
    replays.max(SPARE_CHOICES / (SMALL + n_choices as u64))
}

/// How many choices may be replayed to look for what may not be there, and how many choices cost no
/// more than a run does anyway.
const SPARE_CHOICES: u64 = 250_000;
const SMALL: u64 = 25;

impl Default for Shrinker {
    fn default() -> Shrinker {
        Shrinker { most_runs: MAX_RUNS }
    }
}

impl Shrinker {
    /// A shrinker that runs the property at most 50,000 times.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::shrink::{Shrinker, Tried};
    /// let shrunk = Shrinker::new().shrink(&"7".parse().unwrap(), &mut |_| Tried::Passes, &mut || true);
    /// assert_eq!(shrunk.choices.to_string(), "7");
    /// ```
    pub fn new() -> Shrinker {
        Shrinker::default()
    }

    /// How often the property may be run.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::shrink::{End, Shrinker, Tried};
    /// let shrunk = Shrinker::new().runs(2).shrink(&"[8 9]".parse().unwrap(), &mut |_| Tried::Passes, &mut || true);
    /// assert_eq!((shrunk.runs, shrunk.end), (2, End::RunsSpent));
    /// ```
    pub fn runs(self, most_runs: u64) -> Shrinker {
        Shrinker { most_runs }
    }

    /// Shrinks `start`, which fails. `trial` replays a candidate leniently, with recording, and
    /// runs the property on what it makes; `go_on` is asked before each candidate, so that a caller
    /// can bring a time limit.
    ///
    /// The result is `start`, or choices that `trial` has said to fail.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::shrink::{End, Shrinker, Tried};
    /// let numbers = 0..=u64::MAX;
    /// let mut trial = |candidate: &Choices| match numbers.try_replay(candidate) {
    ///     Ok((number, made)) if number >= 1234 => Tried::Fails(made),
    ///     _ => Tried::Passes,
    /// };
    /// let mut candidates = 0;
    /// let mut go_on = || {
    ///     candidates += 1;
    ///     candidates < 1000
    /// };
    /// let shrunk = Shrinker::new().shrink(&"987654321".parse().unwrap(), &mut trial, &mut go_on);
    /// assert_eq!(shrunk.choices.to_string(), "1234");
    /// let End::Stalled { rejected, .. } = shrunk.end else { panic!("not everything was tried") };
    /// assert!(rejected.contains(&"1233".parse().unwrap()));
    /// ```
    pub fn shrink(
        &self,
        start: &Choices,
        trial: &mut dyn FnMut(&Choices) -> Tried,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Shrunk {
        self.shrink_by(start, &mut RunOnly(trial), go_on)
    }

    /// Like [`shrink`](Shrinker::shrink), with a trial that can also replay without a run. It ends
    /// at simpler choices, after fewer runs.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::shrink::{Replayed, Shrinker, Trial, Tried};
    /// /// As many numbers as the first one says; one of them is too large.
    /// struct TooLarge;
    /// fn lists() -> impl Generator<Value = Vec<u32>> {
    ///     (1..=100usize).bind_with_focus(|count| vec_of(0..=1000, *count), |list: &Vec<u32>| Some(list.len()))
    /// }
    /// impl Trial for TooLarge {
    ///     fn replay(&mut self, candidate: &Choices) -> Replayed {
    ///         lists().try_replay(candidate).map_or(Replayed::Nothing, |(_, made)| Replayed::Made(made))
    ///     }
    ///     fn run(&mut self, candidate: &Choices) -> Tried {
    ///         match lists().try_replay(candidate) {
    ///             Ok((list, made)) if list.iter().any(|number| *number >= 900) => Tried::Fails(made),
    ///             _ => Tried::Passes,
    ///         }
    ///     }
    /// }
    /// let start = lists().choices_of(&vec![5, 991, 12]).unwrap();
    /// let shrunk = Shrinker::new().shrink_by(&start, &mut TooLarge, &mut || true);
    /// assert_eq!(lists().replay(&shrunk.choices), [900]);
    /// ```
    pub fn shrink_by(&self, start: &Choices, trial: &mut dyn Trial, go_on: &mut dyn FnMut() -> bool) -> Shrunk {
        let mut door = Door::new(start, trial, go_on, self.most_runs);
        let end = match schedule::run(&mut door) {
            Err(Over::RunsSpent) => End::RunsSpent,
            Err(Over::Stopped) => End::Stopped,
            Ok(()) if door.is_least() => End::Minimal { rejected: door.nearest_passed() },
            // A pass that has had enough is followed by the next one.
            Ok(()) | Err(Over::Enough) => End::Stalled { passes: door.cut(), rejected: door.nearest_passed() },
        };
        Shrunk {
            choices: door.best().choices.clone(),
            in_vain: door.runs_in_vain(),
            steps: door.steps,
            end,
            runs: door.runs,
            searched: door.searched,
            spent: door.spent,
            cached: door.cached,
            replays: door.replays,
        }
    }
}

/// A trial that cannot replay without a run.
struct RunOnly<'t>(&'t mut dyn FnMut(&Choices) -> Tried);

impl Trial for RunOnly<'_> {
    fn replay(&mut self, _: &Choices) -> Replayed {
        Replayed::Unknown
    }

    fn run(&mut self, candidate: &Choices) -> Tried {
        (self.0)(candidate)
    }
}

/// The simplest choices that were found to fail, and how they were found.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::shrink::{Shrinker, Shrunk, Tried};
/// fn shrunk(start: &Choices) -> Shrunk {
///     Shrinker::new().shrink(start, &mut |_| Tried::Passes, &mut || true)
/// }
/// assert!(shrunk(&"[4]".parse().unwrap()).steps.is_empty());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Shrunk {
    /// The simplest choices that fail.
    pub choices: Choices,
    /// Each change for the better, in order; the last one made `choices`.
    pub steps: Vec<Step>,
    /// Why it ended.
    pub end: End,
    /// How often the property was run.
    pub runs: u64,
    /// How many of these runs were searches that found nothing; see [`Trial::spare`].
    pub searched: u64,
    /// How many of them were the last ones: nothing simpler was found by then.
    pub(crate) in_vain: u64,
    /// How many of these runs each pass took, but for the last searches, which found nothing.
    pub spent: Vec<(&'static str, u64)>,
    /// How many candidates needed no run because they had been tried before.
    pub cached: u64,
    /// How many candidates were replayed, with a run or without.
    pub replays: u64,
}

/// A candidate that failed and was simpler than what was there before.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::shrink::{Shrinker, Tried};
/// let mut trial = |candidate: &Choices| Tried::Fails(candidate.clone());
/// let shrunk = Shrinker::new().shrink(&"[3 1]".parse().unwrap(), &mut trial, &mut || true);
/// let step = &shrunk.steps[0];
/// assert_eq!((step.pass, step.run, step.choices.is_empty()), ("simplest", 1, true));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Step {
    /// The pass that proposed it.
    pub pass: &'static str,
    /// Which run of the property it was, counted from 1.
    pub run: u64,
    /// The choices after it.
    pub choices: Choices,
}

/// Why shrinking ended.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::shrink::{End, Shrinker, Tried};
/// let shrunk = Shrinker::new().shrink(&"[3]".parse().unwrap(), &mut |_| Tried::Passes, &mut || false);
/// assert_eq!(shrunk.end, End::Stopped);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// Nothing that is simpler fails: all of it was tried, or need not be.
    ///
    /// Need not be tried:
    ///
    /// * what no generator makes, since a replay of it makes something else;
    /// * what begins with more than all of the result, by the weight and the magnitude that
    ///   [`compare`] compares: whatever follows only adds to it;
    /// * what a run that passed began with, if that run drew no more: the rest of the choices would
    ///   not be looked at.
    ///
    /// Where a filter or a condition of `satisfying` refuses a value before all of its choices are
    /// made, something simpler may lie behind it, so then it is not said. It is never said of what
    /// `no_shrink` and `shrink_with` hold, nor of tables of functions.
    Minimal {
        /// A few of the nearest simpler choices, on which the property holds.
        rejected: Vec<Choices>,
    },
    /// No pass knows anything simpler that fails, but not everything simpler was tried.
    Stalled {
        /// The passes that left something out because the choices are too many.
        passes: Vec<&'static str>,
        /// A few of the nearest simpler choices, on which the property holds.
        rejected: Vec<Choices>,
    },
    /// The property was run as often as it may be.
    RunsSpent,
    /// The caller said to stop.
    Stopped,
}
