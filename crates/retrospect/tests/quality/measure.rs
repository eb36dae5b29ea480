//! A problem is a generator and a predicate that says which values fail.

use retrospect::prelude::*;
use retrospect::shrink::{Replayed, Shrinker, Shrunk, Trial, Tried};
use retrospect::source::{DEFAULT_SIZE, Source};
use std::collections::BTreeMap;

/// How it went over many seeds.
pub struct Measured {
    pub name: &'static str,
    /// Each result, as `Debug` prints it, with how often it was reached.
    pub results: BTreeMap<String, usize>,
    pub starts: usize,
    /// Runs of the property after the first failure.
    pub runs: Vec<u64>,
    /// How many runs each pass took in all.
    pub spent: BTreeMap<&'static str, u64>,
}

impl Measured {
    pub fn mean_runs(&self) -> f64 {
        self.runs.iter().sum::<u64>() as f64 / self.runs.len().max(1) as f64
    }

    /// Every start must lead to `expected`, in at most `mean` runs on average and `most` in any.
    #[track_caller]
    pub fn assert(&self, expected: &str, mean: f64, most: u64) {
        self.assert_share(1.0, expected, mean, most);
    }

    /// At least this share of the starts must.
    #[track_caller]
    pub fn assert_share(&self, least: f64, expected: &str, mean: f64, most: u64) {
        let share = self.results.get(expected).copied().unwrap_or(0);
        println!("{:<24} {:>4}/{:<4} {:>7.1} {:>5}", self.name, share, self.starts, self.mean_runs(), self.most_runs());
        if std::env::var("QUALITY_PASSES").is_ok() {
            println!("    {}", self.spent_by_pass());
        }
        assert!(
            share as f64 >= least * self.starts as f64,
            "{}: expected {expected}, got {:#?}",
            self.name,
            self.results
        );
        assert!(
            self.mean_runs() <= mean && self.most_runs() <= most,
            "{}: {} runs on average, at most {}",
            self.name,
            self.mean_runs(),
            self.most_runs()
        );
    }

    fn spent_by_pass(&self) -> String {
        let mut spent: Vec<_> =
            self.spent.iter().map(|(pass, runs)| (*runs as f64 / self.starts as f64, pass)).collect();
        spent.sort_by(|left, right| right.0.total_cmp(&left.0));
        spent.iter().map(|(runs, pass)| format!("{pass} {runs:.1}")).collect::<Vec<_>>().join(", ")
    }

    pub fn note(&mut self, shrunk: &Shrunk) {
        self.runs.push(shrunk.runs);
        for (pass, runs) in &shrunk.spent {
            *self.spent.entry(pass).or_default() += runs;
        }
    }

    fn most_runs(&self) -> u64 {
        self.runs.iter().copied().max().unwrap_or(0)
    }
}

/// How many seeds each problem is tried with.
pub fn seeds() -> u64 {
    std::env::var("QUALITY_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(20)
}

/// Finds a failing value for each seed by drawing, and shrinks it.
pub fn measure<G: Generator>(name: &'static str, generator: &G, fails: impl Fn(&G::Value) -> bool) -> Measured {
    measure_as(name, generator, fails, |value| format!("{value:?}"))
}

/// The same, with results that are told apart by what `show` shows.
pub fn measure_as<G: Generator>(
    name: &'static str,
    generator: &G,
    fails: impl Fn(&G::Value) -> bool,
    show: impl Fn(&G::Value) -> String,
) -> Measured {
    let mut measured = Measured { name, results: BTreeMap::new(), starts: 0, runs: Vec::new(), spent: BTreeMap::new() };
    for seed in 0..seeds() {
        let Some(start) = first_failure(generator, &fails, seed) else {
            continue;
        };
        let shrunk = shrink(generator, &start, &fails);
        let value = generator.replay(&shrunk.choices);
        assert!(fails(&value), "{name}: the result must fail, but {value:?} does not");
        measured.starts += 1;
        *measured.results.entry(show(&value)).or_default() += 1;
        measured.note(&shrunk);
    }
    assert!(measured.starts * 10 >= seeds() as usize * 9, "{name}: only {} failing values were found", measured.starts);
    measured
}

/// Shrinks choices that fail.
pub fn shrink<G: Generator>(generator: &G, start: &Choices, fails: impl Fn(&G::Value) -> bool) -> Shrunk {
    Shrinker::new().shrink_by(start, &mut Predicate { generator, fails }, &mut || true)
}

fn first_failure<G: Generator>(generator: &G, fails: impl Fn(&G::Value) -> bool, seed: u64) -> Option<Choices> {
    const TRIES: u64 = 200_000;
    let mut seeds = (0..TRIES).map(|attempt| seed.wrapping_mul(1_000_003).wrapping_add(attempt));
    // Sizes grow, as they do in a test: what fails first is rarely the largest.
    seeds.by_ref().enumerate().find_map(|(attempt, seed)| {
        let mut source = Source::recording(seed).with_size((attempt as u32).min(DEFAULT_SIZE));
        let value = generator.generate(&mut source).ok()?;
        fails(&value).then(|| source.into_choices())
    })
}

struct Predicate<'g, G, F> {
    generator: &'g G,
    fails: F,
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Trial for Predicate<'_, G, F> {
    fn replay(&mut self, candidate: &Choices) -> Replayed {
        self.generator.try_replay(candidate).map_or(Replayed::Nothing, |(_, made)| Replayed::Made(made))
    }

    fn run(&mut self, candidate: &Choices) -> Tried {
        match self.generator.try_replay(candidate) {
            Ok((value, made)) if (self.fails)(&value) => Tried::Fails(made),
            _ => Tried::Passes,
        }
    }
}
