//! Shrinking of values: reflection gives the choices to begin with.

use super::functions::{self, Asked, Used, Watch};
use super::near::near_choices;
use super::room::with_room_for;
use super::{Explore, Generator};
use crate::choice::Choices;
use crate::mismatch::NotGenerated;
use crate::shrink::{End, Replayed, Shrinker, Shrunk, Step, Trial, Tried, compare, spare};
use crate::source::{Replay, Source, Stop};
use crate::stack::with_deep_stack;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// The smallest value that was found to fail; see [`Generator::shrink`].
///
/// ```
/// use retrospect::generator::Smallest;
/// use retrospect::prelude::*;
/// let smallest: Smallest<u32> = (0..1000).shrink(700, |number| *number >= 10).unwrap();
/// assert_eq!(smallest.value, 10);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Smallest<V> {
    /// The value.
    pub value: V,
    /// The choices that make it.
    pub choices: Choices,
    /// Each change for the better, in order. [`replay`](Generator::replay) turns the choices of a
    /// step into its value.
    pub steps: Vec<Step>,
    /// Why it ended here.
    pub end: End,
    /// How often the predicate was asked, the first time not counted.
    pub runs: u64,
    /// How many of these runs were searches that found nothing; see [`Trial::spare`].
    pub searched: u64,
}

/// Why a value was not shrunk.
///
/// ```
/// use retrospect::generator::NotShrunk;
/// use retrospect::prelude::*;
/// assert!(matches!((0..10).shrink(12, |_| true), Err(NotShrunk::NotGenerated(_))));
/// let error = (0..10).shrink(5, |_| false).unwrap_err();
/// assert_eq!(error.to_string(), "this value does not fail, so there is nothing to shrink");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NotShrunk {
    /// The generator cannot make it.
    NotGenerated(NotGenerated),
    /// The predicate says that it does not fail.
    Passes,
}

impl fmt::Display for NotShrunk {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotShrunk::NotGenerated(error) => error.fmt(formatter),
            NotShrunk::Passes => formatter.write_str("this value does not fail, so there is nothing to shrink"),
        }
    }
}

impl std::error::Error for NotShrunk {}

impl From<NotGenerated> for NotShrunk {
    fn from(error: NotGenerated) -> NotShrunk {
        NotShrunk::NotGenerated(error)
    }
}

pub(super) fn shrink<G: Generator>(
    generator: &G,
    value: G::Value,
    fails: impl FnMut(&G::Value) -> bool,
) -> Result<Smallest<G::Value>, NotShrunk> {
    // Where a value can be made in several ways, no run is needed to begin with the simplest.
    match generator.ways_of(&value).simplest() {
        Ok(start) if start.is_deep() => with_deep_stack(|| shrink_from(start, generator, value, fails)),
        Ok(start) => shrink_from(start, generator, value, fails),
        Err(error) => {
            with_deep_stack(|| drop(value));
            Err(error.into())
        }
    }
}

fn shrink_from<G: Generator>(
    start: Choices,
    generator: &G,
    value: G::Value,
    mut fails: impl FnMut(&G::Value) -> bool,
) -> Result<Smallest<G::Value>, NotShrunk> {
    if !fails(&value) {
        return Err(NotShrunk::Passes);
    }
    let mut trial = Predicate { generator, fails, made: None, refused: None, asked: Asked::new() };
    let settled = trial.settled(&start);
    let is_as_given = settled.is_none();
    let start = settled.unwrap_or(start);
    let shrunk = Shrinker::new().shrink_by(&start, &mut trial, &mut || true);
    // What was given is given back if nothing smaller fails: another way to make it may make it
    // unlike itself.
    let value = match shrunk.steps.is_empty() && is_as_given {
        true => value,
        false => generator.replay(&shrunk.choices),
    };
    let Shrunk { choices, steps, end, runs, searched, .. } = shrunk;
    Ok(Smallest { value, choices, steps, end, runs, searched })
}

struct Predicate<'g, G: Generator, F> {
    generator: &'g G,
    fails: F,
    /// What the last replay made.
    made: Option<Made<G::Value>>,
    /// What the last replay recorded, if the generator refused it.
    refused: Option<Choices>,
    /// What the functions in the best value so far were asked.
    asked: Asked,
}

struct Made<V> {
    value: V,
    choices: Choices,
    functions: Vec<Arc<Used>>,
}

impl<G: Generator, F: FnMut(&G::Value) -> bool> Predicate<'_, G, F> {
    fn make(&mut self, candidate: &Choices) -> Option<Made<G::Value>> {
        let watch = Watch::begin(Some(&self.asked));
        let mut replay = Replay::lenient(candidate);
        let mut source = Source::asking(&mut replay).recording_in(Choices::with_room(candidate.len()));
        let made = with_room_for(candidate, || self.generator.generate(&mut source));
        let functions = watch.end();
        let choices = source.into_choices();
        match made {
            Ok(value) => Some(Made { value, choices, functions }),
            Err(Stop) => {
                self.refused = Some(choices);
                None
            }
        }
    }

    /// The choices to begin with if there are drawn functions, which become tables of what they are
    /// asked: the predicate is asked once more for that.
    fn settled(&mut self, start: &Choices) -> Option<Choices> {
        let made = self.make(start)?;
        if functions::has_drawn(&made.functions) { self.fails(made) } else { None }
    }

    /// If it fails, the choices that say so: functions as tables of what they were asked.
    fn fails(&mut self, made: Made<G::Value>) -> Option<Choices> {
        if !(self.fails)(&made.value) {
            return None;
        }
        self.asked = functions::asked(&made.functions);
        Some(functions::settled(made.choices, &made.functions))
    }
}

impl<G: Generator, F: FnMut(&G::Value) -> bool> Trial for Predicate<'_, G, F> {
    fn replay(&mut self, candidate: &Choices) -> Replayed {
        self.made = self.make(candidate);
        self.made.as_ref().map_or(Replayed::Nothing, |made| Replayed::Made(made.choices.clone()))
    }

    fn run(&mut self, candidate: &Choices) -> Tried {
        let made = self.made.take().or_else(|| self.make(candidate));
        made.and_then(|made| self.fails(made)).map_or(Tried::Passes, Tried::Fails)
    }

    fn recorded(&mut self) -> Option<Choices> {
        self.refused.take()
    }

    /// What functions are asked costs as much as choices do.
    fn spare(&mut self, choices: &Choices, replays: u64) -> u64 {
        let n_asked: usize = self.asked.iter().map(|inputs| inputs.len()).sum();
        spare(choices.len() + n_asked, replays)
    }

    fn simplest_way(&mut self, choices: &Choices) -> Option<Choices> {
        let (value, _) = self.generator.try_replay(choices).ok()?;
        self.generator.ways_of(&value).simplest().ok()
    }

    fn near(&mut self, choices: &Choices) -> Vec<Choices> {
        near_choices(self.generator, choices)
    }
}

/// What shrinking tries, beginning with these choices, as long as nothing fails: the candidates for
/// one step, in their order.
pub(super) fn candidates<G: Generator>(generator: &G, start: &Choices) -> Vec<Choices> {
    let mut trial = Collector { generator, start, found: Vec::new(), room: MOST_NODES, made: None };
    Shrinker::new().shrink_by(start, &mut trial, &mut || true);
    trial.found
}

/// How many nodes the candidates for one step may have together.
const MOST_NODES: usize = 1 << 20;

/// A trial in which everything passes, and is noted.
struct Collector<'g, G> {
    generator: &'g G,
    start: &'g Choices,
    found: Vec<Choices>,
    room: usize,
    /// What the last replay made.
    made: Option<Choices>,
}

impl<G: Generator> Trial for Collector<'_, G> {
    fn replay(&mut self, candidate: &Choices) -> Replayed {
        let replayed = || self.generator.try_replay(candidate).ok().map(|(_, made)| made);
        self.made = with_room_for(candidate, replayed);
        self.made.clone().map_or(Replayed::Nothing, Replayed::Made)
    }

    fn run(&mut self, _: &Choices) -> Tried {
        // Some passes look at what is not simpler, to learn from it; that is no step.
        if let Some(made) = self.made.take().filter(|made| compare(made, self.start) == Ordering::Less)
            && made.len() < self.room
        {
            self.room -= made.len() + 1;
            self.found.push(made);
        }
        Tried::Passes
    }

    fn spare(&mut self, _: &Choices, _: u64) -> u64 {
        0
    }
}
