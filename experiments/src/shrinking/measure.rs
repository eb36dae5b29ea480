//! Shrinks many failing values of one generator, and notes where that ends and what it costs.

use retrospect::generator::near_choices;
use retrospect::prelude::*;
use retrospect::shrink::{Replayed, Shrinker, Shrunk, Trial, Tried};
use retrospect::source::{DEFAULT_SIZE, Source};
use std::collections::BTreeMap;

/// How it went over many seeds.
#[derive(Debug)]
pub struct Measured {
    pub name: &'static str,
    /// Each result, as `Debug` prints it, with how often it was reached.
    pub results: BTreeMap<String, usize>,
    pub starts: usize,
    /// Runs of the property after the first failure.
    pub runs: Vec<u64>,
    /// All calls of the property after the first failure, those of searches in vain and of the
    /// last run included, where they are counted.
    pub calls: Vec<u64>,
    /// How many runs each pass took in all.
    pub spent: BTreeMap<&'static str, u64>,
    /// How large the results are, where the problem has a size.
    pub sizes: Vec<usize>,
}

impl Measured {
    pub fn new(name: &'static str) -> Measured {
        Measured {
            name,
            results: BTreeMap::new(),
            starts: 0,
            runs: Vec::new(),
            calls: Vec::new(),
            spent: BTreeMap::new(),
            sizes: Vec::new(),
        }
    }

    pub fn mean_runs(&self) -> f64 {
        self.runs.iter().sum::<u64>() as f64 / self.runs.len().max(1) as f64
    }

    pub fn mean_calls(&self) -> f64 {
        self.calls.iter().sum::<u64>() as f64 / self.calls.len().max(1) as f64
    }

    pub fn most_runs(&self) -> u64 {
        self.runs.iter().copied().max().unwrap_or(0)
    }

    pub fn mean_size(&self) -> f64 {
        self.sizes.iter().sum::<usize>() as f64 / self.sizes.len().max(1) as f64
    }

    /// The share of the starts that ended at `result`.
    pub fn share(&self, result: &str) -> f64 {
        self.results.get(result).copied().unwrap_or(0) as f64 / self.starts.max(1) as f64
    }

    /// Every start must lead to `expected`, in at most `mean` runs on average and `most` in any.
    #[track_caller]
    pub fn assert(&self, expected: &str, mean: f64, most: u64) {
        self.assert_share(1.0, expected, mean, most);
    }

    /// At least this share of the starts must.
    #[track_caller]
    pub fn assert_share(&self, least: f64, expected: &str, mean: f64, most: u64) {
        println!(
            "{:<40} {:>5.1} % of {:<4} {:>7.1} {:>5}",
            self.name,
            self.share(expected) * 100.0,
            self.starts,
            self.mean_runs(),
            self.most_runs()
        );
        if std::env::var("QUALITY_PASSES").is_ok() {
            println!("    {}", self.spent_by_pass());
        }
        if let Err(shortfall) = self.check(least, expected, mean, most) {
            panic!("{shortfall}");
        }
    }

    /// The same, as a sentence that says what falls short.
    pub fn check(&self, least: f64, expected: &str, mean: f64, most: u64) -> Result<(), String> {
        if self.share(expected) < least {
            return Err(format!("{}: expected {expected}, got {:#?}", self.name, self.results));
        }
        if self.mean_runs() > mean || self.most_runs() > most {
            let (mean, most) = (self.mean_runs(), self.most_runs());
            return Err(format!("{}: {mean} runs on average, at most {most}", self.name));
        }
        Ok(())
    }

    fn spent_by_pass(&self) -> String {
        let mut spent: Vec<_> =
            self.spent.iter().map(|(pass, runs)| (*runs as f64 / self.starts as f64, pass)).collect();
        spent.sort_by(|left, right| right.0.total_cmp(&left.0));
        spent.iter().map(|(runs, pass)| format!("{pass} {runs:.1}")).collect::<Vec<_>>().join(", ")
    }

    /// Notes the runs but those that try everything when no pass knows more, and those of searches
    /// that found nothing: they are counted in time, not in runs.
    pub fn note(&mut self, shrunk: &Shrunk) {
        let everything = shrunk.spent.iter().find(|(pass, _)| *pass == "everything");
        self.runs.push(shrunk.runs - shrunk.searched - everything.map_or(0, |(_, runs)| *runs));
        for (pass, runs) in &shrunk.spent {
            *self.spent.entry(pass).or_default() += runs;
        }
    }

    /// Shrinks from `start`, and notes all there is to note but the size.
    pub fn shrink_from<G: Generator>(
        &mut self,
        generator: &G,
        start: &Choices,
        fails: impl Fn(&G::Value) -> bool,
        show: impl Fn(&G::Value) -> String,
    ) -> G::Value {
        let shrunk = shrink(generator, start, &fails);
        let value = generator.replay(&shrunk.choices);
        assert!(fails(&value), "{}: the result must fail, but {value:?} does not", self.name);
        self.starts += 1;
        *self.results.entry(show(&value)).or_default() += 1;
        self.note(&shrunk);
        value
    }

    /// Runs a property that draws in its body until it fails, and notes what the report says.
    pub fn shrink_body(&mut self, body: fn(&mut Case<'_>) -> bool, seed: u64) {
        let check = Check::new().save(false).seed(seed).cases(20_000);
        let (mut has_failed, mut calls) = (false, 0);
        let counted = |case: &mut Case<'_>| {
            calls += u64::from(has_failed);
            let holds = body(case);
            has_failed |= !holds;
            holds
        };
        let Some(report) = check.failure_of_case(counted) else { return };
        self.calls.push(calls);
        let drawn = |line: &str| {
            let (_, value) = line.trim().strip_prefix("let ")?.split_once(" = ")?;
            Some(value.split_once(';')?.0.to_owned())
        };
        if std::env::var("QUALITY_PASSES").is_ok() {
            println!("{report}");
        }
        let values: Vec<String> = report.lines().filter_map(drawn).collect();
        let words: Vec<&str> = report.split_whitespace().collect();
        let runs =
            words.windows(2).find(|pair| matches!(pair[1], "run," | "runs,")).and_then(|pair| pair[0].parse().ok());
        self.starts += 1;
        *self.results.entry(values.join(" ")).or_default() += 1;
        self.runs.push(runs.unwrap_or_else(|| panic!("the report says in how many runs:\n{report}")));
    }
}

/// How many seeds each problem is tried with in the tests.
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
    let mut measured = Measured::new(name);
    for seed in 0..seeds() {
        if let Some(start) = first_failure(generator, &fails, seed) {
            measured.shrink_from(generator, &start, &fails, &show);
        }
    }
    assert!(measured.starts * 10 >= seeds() as usize * 9, "{name}: only {} failing values were found", measured.starts);
    measured
}

/// Shrinks choices that fail.
pub fn shrink<G: Generator>(generator: &G, start: &Choices, fails: impl Fn(&G::Value) -> bool) -> Shrunk {
    Shrinker::new().shrink_by(start, &mut Predicate { generator, fails, made: None }, &mut || true)
}

/// The choices of the first value that fails, if one of 200,000 does.
pub fn first_failure<G: Generator>(generator: &G, fails: impl Fn(&G::Value) -> bool, seed: u64) -> Option<Choices> {
    const TRIES: u64 = 200_000;
    let mut seeds = (0..TRIES).map(|attempt| seed.wrapping_mul(1_000_003).wrapping_add(attempt));
    // Sizes grow, as they do in a test: what fails first is rarely the largest.
    seeds.by_ref().enumerate().find_map(|(attempt, seed)| {
        let mut source = Source::recording(seed).with_size((attempt as u32).min(DEFAULT_SIZE));
        let value = generator.generate(&mut source).ok()?;
        fails(&value).then(|| source.into_choices())
    })
}

struct Predicate<'g, G: Generator, F> {
    generator: &'g G,
    fails: F,
    /// What the last replay made.
    made: Option<(G::Value, Choices)>,
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Trial for Predicate<'_, G, F> {
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

    fn simplest_way(&mut self, choices: &Choices) -> Option<Choices> {
        let (value, _) = self.generator.try_replay(choices).ok()?;
        self.generator.ways_of(&value).simplest().ok()
    }

    fn near(&mut self, choices: &Choices) -> Vec<Choices> {
        near_choices(self.generator, choices)
    }
}
