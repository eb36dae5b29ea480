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

/// An error if there is a name that no problem has.
pub fn check_names(names: &[String]) -> Result<(), String> {
    let mut known = Names(Vec::new());
    paper::visit(&mut known);
    held_out::visit(&mut known);
    held_out::visit_twenty(&mut known);
    for name in names {
        if !known.0.iter().any(|problem| is_among(problem, std::slice::from_ref(name))) {
            return Err(format!("there is no problem {name}; there are {}", known.0.join(", ")));
        }
    }
    Ok(())
}

/// Whether a problem is among those that are named, in letters of any case; all are if none is
/// named.
pub fn is_among(problem: &str, names: &[String]) -> bool {
    names.is_empty() || names.iter().any(|name| name.eq_ignore_ascii_case(problem))
}

struct Names(Vec<&'static str>);

impl Visitor for Names {
    fn visit<G, F>(&mut self, problem: &Problem<G, F>)
    where
        G: Generator + Clone,
        G::Value: Hash,
        F: Fn(&G::Value) -> bool + Copy,
    {
        self.0.push(problem.name);
    }
}

/// The problems on which the constants of the search were chosen: the four of the paper, and
/// red-black trees.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_named_in_letters_of_any_case() {
        let names = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(check_names(&names("bst,SORTED 20,heap")), Ok(()));
        assert!(
            is_among("BST", &[]) && is_among("BST", &names("heap,bst")) && !is_among("SORTED", &names("sorted 20"))
        );
        let error = check_names(&names("BST,AVI")).unwrap_err();
        assert!(error.starts_with("there is no problem AVI; there are BST, SORTED, AVL, STLC, RBT, JSON,"), "{error}");
    }
}
