//! Conditions that hardly any drawn value satisfies.

mod held_out;
mod paper;

use retrospect::prelude::*;
use std::hash::Hash;

/// A generator that knows nothing of the condition, and the condition.
pub struct Problem<G: Generator, F> {
    pub name: &'static str,
    /// How many samples `cgs` takes for each choice.
    pub samples_per_choice: usize,
    /// How many valid values there are, where they can be counted.
    pub domain: Option<u64>,
    pub generator: G,
    pub is_valid: F,
    /// How large a value is.
    pub size: fn(&G::Value) -> usize,
}

impl<G: Generator, F> std::fmt::Debug for Problem<G, F> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name)
    }
}

/// Something that is done with every problem.
pub trait Visitor {
    fn visit<G, F>(&mut self, problem: &Problem<G, F>)
    where
        G: Generator + Clone,
        G::Value: Hash,
        F: Fn(&G::Value) -> bool + Copy;
}

/// The problems on which the constants of the search were chosen: the four of the paper, and red-black trees.
pub fn visit_paper(visitor: &mut impl Visitor) {
    paper::visit(visitor);
}

/// Problems that nothing was chosen on.
pub fn visit_held_out(visitor: &mut impl Visitor) {
    held_out::visit(visitor);
}

/// Exactly 20 sorted numbers up to a million: of what is drawn, one in 20!.
pub fn visit_twenty(visitor: &mut impl Visitor) {
    held_out::visit_twenty(visitor);
}
