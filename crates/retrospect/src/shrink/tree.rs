//! The best tree so far, with what passes want to know about its places.

use super::order::{Measure, weight_of};
use crate::choice::{Choices, Entry, Kind, NO_SHRINK, STEPS, Splice};
use std::ops::Range;

/// A choice tree that fails, and where its nodes are that may be changed. What stands in a
/// `no_shrink` bracket may not; it can only go as a whole.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) choices: Choices,
    pub(super) measure: Measure,
    /// The numbers, picks, repeats and brackets (calls and parts), each by the place of its entry,
    /// in order.
    pub(super) numbers: Vec<usize>,
    pub(super) picks: Vec<usize>,
    pub(super) repeats: Vec<usize>,
    pub(super) brackets: Vec<usize>,
    /// The `no_shrink` brackets, and those of the steps that a hand-written shrinker took.
    pub(super) frozen: Vec<usize>,
    pub(super) steps: Vec<usize>,
    /// The numbers that are not the simplest.
    pub(super) raised: Vec<usize>,
    /// What the nodes before each place weigh, one by one and together.
    weights: Vec<u64>,
}

impl Tree {
    pub(super) fn new(choices: Choices) -> Tree {
        let (mut numbers, mut picks, mut repeats, mut brackets) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut frozen, mut steps) = (Vec::new(), Vec::new());
        let (frozen_id, steps_id) = (NO_SHRINK.id(), STEPS.id());
        let mut at = 0;
        while at < choices.len() {
            let entry = choices.entries()[at];
            match entry.kind() {
                Kind::Number => numbers.push(at),
                Kind::Pick => picks.push(at),
                Kind::Repeat => repeats.push(at),
                Kind::Call if entry.name_id() == frozen_id => {
                    frozen.push(at);
                    at += entry.extent();
                }
                Kind::Call if entry.name_id() == steps_id => {
                    steps.push(at);
                    at += entry.extent();
                }
                Kind::Call | Kind::Part => brackets.push(at),
            }
            at += 1;
        }
        let measure = Measure::of(choices.entries());
        let raised = numbers.iter().copied().filter(|at| choices.entries()[*at].index() > 0).collect();
        let mut weights = Vec::with_capacity(choices.len() + 1);
        let (mut weight, mut steps_end) = (0u64, 0);
        weights.push(weight);
        for (at, entry) in choices.entries().iter().enumerate() {
            if entry.kind() == Kind::Call && entry.name_id() == steps_id {
                steps_end = choices.end_of(at);
            }
            if at >= steps_end {
                weight = weight.saturating_add(weight_of(*entry));
            }
            weights.push(weight);
        }
        Tree { choices, measure, numbers, picks, repeats, brackets, frozen, steps, raised, weights }
    }

    #[inline]
    pub(super) fn entry(&self, at: usize) -> Entry {
        self.choices.entries()[at]
    }

    /// The index of the number at `at`.
    #[inline]
    pub(super) fn index(&self, at: usize) -> u64 {
        self.entry(at).index()
    }

    /// The place of a node with all it holds.
    #[inline]
    pub(super) fn span(&self, at: usize) -> Range<usize> {
        at..self.choices.end_of(at)
    }

    /// The entries of a node with all it holds.
    pub(super) fn node(&self, at: usize) -> &[Entry] {
        &self.choices.entries()[self.span(at)]
    }

    /// The entries inside a node.
    pub(super) fn inside(&self, at: usize) -> &[Entry] {
        &self.choices.entries()[at + 1..self.choices.end_of(at)]
    }

    pub(super) fn weight(&self, at: usize) -> u64 {
        self.weights[self.choices.end_of(at)] - self.weights[at]
    }

    /// Where the items of a repeat or the children of a bracket stand.
    pub(super) fn children(&self, at: usize) -> Vec<usize> {
        self.choices.children(at).collect()
    }

    /// The repeat at `at`, if there still is one.
    pub(super) fn is_repeat(&self, at: usize) -> bool {
        self.repeats.binary_search(&at).is_ok()
    }

    /// The same choices without the children `from..to` of a node.
    pub(super) fn without_children(&self, children: &[usize], from: usize, to: usize) -> Choices {
        self.choices.spliced(&[self.deletion(children, from, to)])
    }

    pub(super) fn deletion(&self, children: &[usize], from: usize, to: usize) -> Splice {
        Splice::delete(children[from]..self.choices.end_of(children[to - 1]))
    }

    /// The same choices with one node replaced by others.
    pub(super) fn replaced(&self, at: usize, by: &[Entry]) -> Choices {
        self.choices.spliced(&[Splice { place: self.span(at), by: by.to_vec() }])
    }

    /// The same choices with numbers changed.
    pub(super) fn with(&self, numbers: impl IntoIterator<Item = (usize, u64)>) -> Choices {
        self.choices.with_numbers(numbers)
    }
}

/// Those of the places, which stand in order, that are not before `next`.
pub(super) fn not_before(places: &[usize], next: usize) -> impl Iterator<Item = usize> + '_ {
    places[places.partition_point(|at| *at < next)..].iter().copied()
}
