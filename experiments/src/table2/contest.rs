//! One trial of one contender: how many different valid values it finds, and what they are like.

use super::cgs::Cgs;
use super::problems::Problem;
use retrospect::choice::{Node, Nodes};
use retrospect::prelude::*;
use retrospect::source::{Rng, Source};
use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::time::{Duration, Instant};

/// Who looks for valid values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contender {
    Rejection,
    Cgs,
    Satisfying,
}

pub const CONTENDERS: [Contender; 3] = [Contender::Rejection, Contender::Cgs, Contender::Satisfying];

impl Contender {
    pub fn name(self) -> &'static str {
        match self {
            Contender::Rejection => "rejection",
            Contender::Cgs => "cgs",
            Contender::Satisfying => "satisfying",
        }
    }
}

/// When a trial ends.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// After so many values were made.
    Runs(u64),
    Time(Duration),
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Trial {
    pub runs: u64,
    pub unique: u64,
    pub mean_size: f64,
    /// How many of each size.
    pub sizes: BTreeMap<usize, u64>,
    /// How many were known at each twentieth of the trial.
    pub curve: Vec<u64>,
    /// Of each size some of the values, by their choices.
    pub examples: BTreeMap<usize, Vec<Vec<u64>>>,
}

/// Points of a curve.
pub const POINTS: u64 = 20;

/// Values of one size that are kept, and runs between two looks at the clock.
const EXAMPLES: u64 = 200;
const BATCH: u64 = 256;

/// Runs one trial.
pub fn trial<G, F>(problem: &Problem<G, F>, contender: Contender, seed: u64, limit: Limit) -> Trial
where
    G: Generator + Clone,
    G::Value: Hash,
    F: Fn(&G::Value) -> bool + Copy,
{
    let satisfying = problem.generator.satisfying(problem.is_valid);
    match contender {
        Contender::Rejection => {
            let mut source = Source::random(seed);
            let mut runs = 0;
            look(problem, limit, |most| {
                let last = runs + u64::from(most);
                while runs < last {
                    source.restart(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(runs));
                    runs += 1;
                    let value = problem.generator.generate(&mut source).ok()?;
                    if (problem.is_valid)(&value) {
                        return Some((Some(value), runs));
                    }
                }
                Some((None, runs))
            })
        }
        Contender::Cgs => {
            let mut cgs = Cgs::new(&problem.generator, problem.is_valid, problem.samples_per_choice, seed);
            look(problem, limit, |most| Some((cgs.next_within(most), cgs.counts().runs)))
        }
        Contender::Satisfying => {
            let mut search = satisfying.search(seed);
            look(problem, limit, |most| Some((search.next_within(most), search.counts().runs)))
        }
    }
}

/// Collects what `next` finds: it is told how many runs it may take at most, and says how many it
/// has taken in all.
fn look<G, F>(
    problem: &Problem<G, F>,
    limit: Limit,
    mut next: impl FnMut(u32) -> Option<(Option<G::Value>, u64)>,
) -> Trial
where
    G: Generator,
    G::Value: Hash,
{
    let started = Instant::now();
    let mut trial = Trial::default();
    let mut seen: HashSet<u64, BuildHasherDefault<Mixing>> = HashSet::default();
    let mut rng = Rng::new(1);
    let mut total = 0;
    loop {
        let (share, most) = match limit {
            Limit::Runs(runs) => (trial.runs as f64 / runs as f64, runs.saturating_sub(trial.runs).min(BATCH)),
            Limit::Time(time) => (started.elapsed().as_secs_f64() / time.as_secs_f64(), BATCH),
        };
        while trial.curve.len() < POINTS as usize && share * POINTS as f64 >= trial.curve.len() as f64 + 1.0 {
            trial.curve.push(seen.len() as u64);
        }
        if share >= 1.0 {
            break;
        }
        let Some((value, runs)) = next(most as u32) else { break };
        trial.runs = runs;
        let Some(value) = value else { continue };
        let mut hasher = Mixing::default();
        value.hash(&mut hasher);
        if !seen.insert(hasher.finish()) {
            continue;
        }
        let size = (problem.size)(&value);
        total += size as u64;
        let count = trial.sizes.entry(size).or_default();
        *count += 1;
        // Each value of this size is as likely to be among those that are kept.
        let place = rng.at_most(*count - 1);
        if place < EXAMPLES
            && let Ok(choices) = problem.generator.choices_of(&value)
        {
            let mut text = Vec::new();
            spell(choices.nodes(), &mut text);
            let examples = trial.examples.entry(size).or_default();
            match examples.get_mut(place as usize).filter(|_| *count > EXAMPLES) {
                Some(example) => *example = text,
                None => examples.push(text),
            }
        }
    }
    trial.unique = seen.len() as u64;
    trial.mean_size = if seen.is_empty() { 0.0 } else { total as f64 / seen.len() as f64 };
    trial
}

/// The choices one after the other, without brackets: what the paper measures distances between.
fn spell(nodes: Nodes<'_>, text: &mut Vec<u64>) {
    for node in nodes {
        match node {
            Node::Number { index, .. } => text.push(index),
            Node::Pick(pick) => {
                text.push(1 << 40 | pick.arm as u64);
                spell(pick.body, text);
            }
            Node::Repeat { items } => spell(items, text),
            Node::Call { children, .. } => spell(children, text),
        }
    }
}

/// A quick hasher, so that counting costs nobody much.
#[derive(Default)]
struct Mixing(u64);

impl Hasher for Mixing {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u8(&mut self, byte: u8) {
        self.write_u64(u64::from(byte));
    }

    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93;
        self.0 = (product as u64 ^ (product >> 64) as u64).wrapping_add(0xA076_1D64_78BD_642F);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }
}
