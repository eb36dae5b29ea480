//! Shrinking of values: reflection gives the choices to begin with.

use super::Generator;
use crate::choice::Choices;
use crate::mismatch::NotGenerated;
use crate::shrink::{End, Replayed, Shrinker, Step, Trial, Tried};
use std::fmt;

/// The smallest value that was found to fail; see [`Generator::shrink`].
///
/// ```
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
    /// Each change for the better, in order. [`replay`](Generator::replay) turns the choices of a step into its value.
    pub steps: Vec<Step>,
    /// Why it ended here.
    pub end: End,
    /// How often the predicate was asked, the first time not counted.
    pub runs: u64,
}

/// Why a value was not shrunk.
///
/// ```
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
    mut fails: impl FnMut(&G::Value) -> bool,
) -> Result<Smallest<G::Value>, NotShrunk> {
    let start = generator.choices_of(&value)?;
    if !fails(&value) {
        return Err(NotShrunk::Passes);
    }
    let mut trial = Predicate { generator, fails, made: None };
    let shrunk = Shrinker::new().shrink_by(&start, &mut trial, &mut || true);
    // What was given is given back if nothing smaller fails: another way to make it may make it unlike itself.
    let value = match shrunk.steps.last() {
        Some(_) => generator.replay(&shrunk.choices),
        None => value,
    };
    Ok(Smallest { value, choices: shrunk.choices, steps: shrunk.steps, end: shrunk.end, runs: shrunk.runs })
}

struct Predicate<'g, G: Generator, F> {
    generator: &'g G,
    fails: F,
    /// What the last replay made.
    made: Option<(G::Value, Choices)>,
}

impl<G: Generator, F: FnMut(&G::Value) -> bool> Trial for Predicate<'_, G, F> {
    fn replay(&mut self, candidate: &Choices) -> Replayed {
        self.made = self.generator.try_replay(candidate).ok();
        self.made.as_ref().map_or(Replayed::Nothing, |(_, made)| Replayed::Made(made.clone()))
    }

    fn run(&mut self, candidate: &Choices) -> Tried {
        let made = self.made.take().or_else(|| self.generator.try_replay(candidate).ok());
        match made {
            Some((value, made)) if (self.fails)(&value) => Tried::Fails(made),
            _ => Tried::Passes,
        }
    }
}
