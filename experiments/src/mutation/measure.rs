//! One mutator on one kind of values: how many mutants are valid, how many are new, and how far
//! they are from where they come from.

use super::distance::distance;
use super::subjects::Subject;
use retrospect::generator::Mutated;
use retrospect::mutate::Edit;
use retrospect::prelude::*;

/// Who mutates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutator {
    /// `mutants`, with every kind of edit.
    Ours,
    /// `mutants`, with one of the early paper's three mutations.
    Paper(Edit),
    /// The same edits on the value as a plain data type, whose generator knows nothing of what
    /// makes it valid. What is not valid is rejected.
    Naive,
}

impl Mutator {
    /// All that are measured.
    pub const ALL: [Mutator; 5] = [
        Mutator::Ours,
        Mutator::Paper(Edit::Reroll),
        Mutator::Paper(Edit::Swap),
        Mutator::Paper(Edit::Shrink),
        Mutator::Naive,
    ];

    /// What it is called in tables.
    pub fn name(self) -> &'static str {
        match self {
            Mutator::Ours => "all edits",
            Mutator::Paper(Edit::Reroll) => "reroll alone",
            Mutator::Paper(Edit::Swap) => "swap alone",
            Mutator::Paper(Edit::Shrink) => "shrink alone",
            Mutator::Paper(_) => "one edit alone",
            Mutator::Naive => "plain data, rejected",
        }
    }
}

/// What was measured.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// How many mutants were made.
    pub mutants: usize,
    /// How many of them the check written by hand lets pass.
    pub valid: usize,
    /// How many of these are other values than the one they come from.
    pub new: usize,
    /// For each new valid mutant: its distance, and the nodes of the value it comes from.
    pub distances: Vec<(usize, usize)>,
    /// Which edits led to a new value.
    pub edits: Vec<Edit>,
}

impl Measured {
    /// The share of the mutants that are valid.
    pub fn valid_share(&self) -> f64 {
        self.valid as f64 / self.mutants.max(1) as f64
    }

    /// The share of the valid mutants that are new.
    pub fn new_share(&self) -> f64 {
        self.new as f64 / self.valid.max(1) as f64
    }

    /// The share of the new mutants that are near: no farther than a quarter of the nodes, or three
    /// of them where there are few.
    pub fn near_share(&self) -> f64 {
        let near = self.distances.iter().filter(|(distance, size)| *distance <= (size / 4).max(3)).count();
        near as f64 / self.distances.len().max(1) as f64
    }

    /// The distance that half of the new mutants do not exceed.
    pub fn median_distance(&self) -> usize {
        let mut distances: Vec<usize> = self.distances.iter().map(|(distance, _)| *distance).collect();
        distances.sort_unstable();
        distances.get(distances.len() / 2).copied().unwrap_or(0)
    }

    /// The mean number of nodes of what was mutated.
    pub fn mean_size(&self) -> f64 {
        let total: usize = self.distances.iter().map(|(_, size)| *size).sum();
        total as f64 / self.distances.len().max(1) as f64
    }
}

/// How many mutants are made of each value.
const MUTANTS: usize = 20;
/// Smaller values have nothing that could stay as it is.
const FEWEST_NODES: usize = 10;
/// Larger ones take long to compare.
const MOST_NODES: usize = 80;

/// Mutates that many values.
pub fn measure<S: Subject>(mutator: Mutator, values: usize) -> Measured {
    let (valid_ones, plain) = (S::generator(), any::<S::Value>());
    let mut measured = Measured::default();
    let is_fit = |value: &S::Value| (FEWEST_NODES..=MOST_NODES).contains(&S::tree(value).size());
    let seeds = (0..).filter(|seed| is_fit(&valid_ones.sample(*seed))).take(values);
    for seed in seeds {
        let value = valid_ones.sample(seed);
        let tree = S::tree(&value);
        let mut note = |mutant: Mutated<S::Value>| {
            measured.mutants += 1;
            if !S::is_valid(&mutant.value) {
                return;
            }
            measured.valid += 1;
            if mutant.value == value {
                return;
            }
            measured.new += 1;
            measured.distances.push((distance(&tree, &S::tree(&mutant.value)), tree.size()));
            if let Some(edit) = mutant.edit.filter(|edit| !measured.edits.contains(edit)) {
                measured.edits.push(edit);
            }
        };
        let made = "these generators always make a value";
        let reflected = "what a generator made, it and the one of its type can make";
        match mutator {
            Mutator::Naive => {
                let mut mutants = plain.mutants(&value, seed).expect(reflected);
                (0..MUTANTS).for_each(|_| note(mutants.next_mutant().expect(made)));
            }
            Mutator::Ours | Mutator::Paper(_) => {
                let mut mutants = valid_ones.mutants(&value, seed).expect(reflected);
                if let Mutator::Paper(edit) = mutator {
                    mutants = mutants.only(&[edit]);
                }
                (0..MUTANTS).for_each(|_| {
                    let mutant = mutants.next_mutant().expect(made);
                    assert!(valid_ones.accepts(&mutant.value), "{:?} is no value of its generator", mutant.value);
                    note(mutant);
                });
            }
        }
    }
    measured
}
