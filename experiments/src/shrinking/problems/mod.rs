//! Every problem the shrinker is measured on, in one table: a generator, which values fail, where
//! shrinking must end and what it may cost.

pub mod bodies;
pub mod challenges;
pub mod classes;
pub mod dependent;
pub mod further;
pub mod smartcheck;

use super::measure::{Measured, first_failure};
use retrospect::prelude::*;
use std::fmt;

/// A generator and a predicate, with what is known about them.
pub struct Problem {
    pub name: &'static str,
    /// Where every start should end.
    pub normal_form: String,
    /// What others call the least, where their order differs from ours.
    pub least_elsewhere: Option<&'static str>,
    /// The share of the starts that must get there in the tests.
    pub share: f64,
    /// At most so many runs on average in the tests.
    pub mean_runs: f64,
    /// At most so many runs from any start in the tests.
    pub most_runs: u64,
    pub hypothesis: Option<Stored>,
    most_seeds: u64,
    measure: Measure,
}

type Measure = Box<dyn Fn(&mut Measured, u64, &mut dyn FnMut(u64))>;

/// A figure that was measured elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    /// The share of the starts that reached the normal form, in percent.
    pub percent: f64,
    /// How many different results there were.
    pub distinct: u32,
    /// Calls of the property after the first that failed.
    pub mean_calls: f64,
    pub measured: MeasuredBy,
}

/// Where a stored figure comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasuredBy {
    /// Hypothesis 6.170.15, from 50 to 100 seeds each, without the first failing call.
    OurRun,
    /// Hypothesis 6.168.3, 100 seeds, as published with the problem; the first failing call is
    /// counted too.
    Publication,
}

/// Problems of one origin.
#[derive(Debug)]
pub struct Family {
    pub name: &'static str,
    /// Where they come from, and what is particular about them.
    pub about: &'static str,
    pub problems: Vec<Problem>,
}

/// The table.
pub fn families() -> Vec<Family> {
    vec![
        challenges::family(),
        smartcheck::family(),
        dependent::family(),
        further::family(),
        bodies::family(),
        classes::family(),
    ]
}

/// What shrinking begins with.
pub(crate) enum Start<V> {
    /// The choices of a drawn value that fails.
    Drawn,
    /// A drawn value that fails, printed by `Debug` and read back: no choices come with it.
    Text,
    /// A value that nobody drew, made for that seed.
    Value(Box<dyn Fn(u64) -> V>),
}

impl Problem {
    /// A problem whose results are shown as `Debug` prints them.
    pub(crate) fn new<G>(name: &'static str, generator: G, fails: impl Fn(&G::Value) -> bool + 'static) -> Problem
    where
        G: Generator + 'static,
    {
        Problem::with(name, generator, fails, |value| format!("{value:?}"), Start::Drawn)
    }

    /// A problem whose results are shown by `show`.
    pub(crate) fn with<G>(
        name: &'static str,
        generator: G,
        fails: impl Fn(&G::Value) -> bool + 'static,
        show: impl Fn(&G::Value) -> String + 'static,
        start: Start<G::Value>,
    ) -> Problem
    where
        G: Generator + 'static,
    {
        Problem::sized(name, generator, fails, show, None, start)
    }

    /// A problem whose results also have a size.
    pub(crate) fn sized<G>(
        name: &'static str,
        generator: G,
        fails: impl Fn(&G::Value) -> bool + 'static,
        show: impl Fn(&G::Value) -> String + 'static,
        size: Option<fn(&G::Value) -> usize>,
        start: Start<G::Value>,
    ) -> Problem
    where
        G: Generator + 'static,
    {
        let measure = move |measured: &mut Measured, seeds: u64, on_start: &mut dyn FnMut(u64)| {
            for seed in 0..seeds {
                on_start(seed);
                let Some(choices) = begin(&generator, &fails, &start, seed) else {
                    continue;
                };
                let value = measured.shrink_from(&generator, &choices, &fails, &show);
                measured.sizes.extend(size.map(|size| size(&value)));
            }
        };
        Problem::measured_by(name, Box::new(measure))
    }

    /// A property that draws in its body, where it returns whether it holds. It is run as users run
    /// it.
    pub(crate) fn of_body(name: &'static str, body: fn(&mut Case<'_>) -> bool) -> Problem {
        let measure = move |measured: &mut Measured, seeds: u64, on_start: &mut dyn FnMut(u64)| {
            for seed in 0..seeds {
                on_start(seed);
                measured.shrink_body(body, seed);
            }
        };
        Problem::measured_by(name, Box::new(measure))
    }

    fn measured_by(name: &'static str, measure: Measure) -> Problem {
        Problem {
            name,
            normal_form: String::new(),
            least_elsewhere: None,
            share: 1.0,
            mean_runs: f64::MAX,
            most_runs: u64::MAX,
            hypothesis: None,
            most_seeds: u64::MAX,
            measure,
        }
    }

    /// Where every start should end, and in how many runs: on average, and at most.
    pub fn ends_at(mut self, normal_form: impl Into<String>, mean_runs: f64, most_runs: u64) -> Problem {
        self.normal_form = normal_form.into();
        (self.mean_runs, self.most_runs) = (mean_runs, most_runs);
        self
    }

    /// In the tests it is enough if this share gets there.
    pub fn at_least(mut self, share: f64) -> Problem {
        self.share = share;
        self
    }

    /// What others call the least.
    pub fn elsewhere(mut self, least: &'static str) -> Problem {
        self.least_elsewhere = Some(least);
        self
    }

    /// A problem that takes long is measured with fewer seeds.
    pub fn at_most(mut self, seeds: u64) -> Problem {
        self.most_seeds = seeds;
        self
    }

    /// What Hypothesis does here: percent at the normal form, different results, mean calls after
    /// the first failure.
    pub fn hypothesis(mut self, percent: f64, distinct: u32, mean_calls: f64) -> Problem {
        self.hypothesis = Some(Stored { percent, distinct, mean_calls, measured: MeasuredBy::OurRun });
        self
    }

    /// The same, as published with the problem.
    pub fn published(mut self, percent: f64, distinct: u32, mean_calls: f64) -> Problem {
        self.hypothesis = Some(Stored { percent, distinct, mean_calls, measured: MeasuredBy::Publication });
        self
    }

    /// Shrinks from that many starts, and tells `on_start` of each.
    pub fn measure(&self, seeds: u64, on_start: &mut dyn FnMut(u64)) -> Measured {
        let seeds = seeds.min(self.most_seeds);
        let mut measured = Measured::new(self.name);
        (self.measure)(&mut measured, seeds, on_start);
        let found = measured.starts as u64;
        assert!(found * 10 >= seeds * 9, "{}: only {found} failing values were found", self.name);
        measured
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Problem").field("name", &self.name).field("normal_form", &self.normal_form).finish()
    }
}

fn begin<G: Generator>(
    generator: &G,
    fails: impl Fn(&G::Value) -> bool,
    start: &Start<G::Value>,
    seed: u64,
) -> Option<Choices> {
    let of = |value: &G::Value| generator.choices_of(value).unwrap_or_else(|error| panic!("{error}"));
    match start {
        Start::Drawn => first_failure(generator, fails, seed),
        Start::Text => {
            let drawn = generator.samples(seed).take(200_000).find(|value| fails(value))?;
            let text = format!("{drawn:?}");
            Some(of(&generator.read(&text).unwrap_or_else(|error| panic!("{text}: {error}"))))
        }
        Start::Value(make) => Some(of(&make(seed))),
    }
}
