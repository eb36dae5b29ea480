//! Mutants are valid, mostly near and nearly always new: on every kind of values, with the shares
//! that were measured and a margin.

use experiments::mutation::measure::{Measured, Mutator, measure};
use experiments::mutation::subjects::{AvlTrees, Documents, RedBlackTrees, SearchTrees, Subject, Terms};
use retrospect::mutate::Edit;

/// How many values are mutated, each 20 times.
const VALUES: usize = 15;

/// That the generator accepts every mutant is asserted where they are made.
fn expect<S: Subject>(least_near: f64, least_new: f64) -> Measured {
    let measured = measure::<S>(Mutator::Ours, VALUES);
    assert_eq!(measured.valid, measured.mutants, "{}: not all are valid", S::NAME);
    let (near, new) = (measured.near_share(), measured.new_share());
    assert!(near >= least_near, "{}: only {near:.3} are near", S::NAME);
    assert!(new >= least_new, "{}: only {new:.3} are new", S::NAME);
    measured
}

#[test]
fn search_trees() {
    expect::<SearchTrees>(0.7, 0.99);
}

#[test]
fn avl_trees() {
    expect::<AvlTrees>(0.7, 0.99);
}

#[test]
fn red_black_trees() {
    expect::<RedBlackTrees>(0.7, 0.99);
}

#[test]
fn typed_terms() {
    expect::<Terms>(0.7, 0.99);
}

#[test]
fn documents_with_every_kind_of_edit() {
    let measured = expect::<Documents>(0.7, 0.99);
    for edit in Edit::ALL.into_iter().filter(|edit| *edit != Edit::Splice) {
        assert!(measured.edits.contains(&edit), "{edit:?} led nowhere");
    }
}

/// What mutation without the generator's knowledge makes is rarely valid, so there is something to
/// gain.
#[test]
fn plain_data_is_mostly_rejected() {
    for measured in [measure::<SearchTrees>(Mutator::Naive, 5), measure::<AvlTrees>(Mutator::Naive, 5)] {
        assert!(measured.valid_share() < 0.5, "{}", measured.valid_share());
    }
}

/// The three mutations of the paper, each alone.
#[test]
fn the_papers_mutations_are_valid_too() {
    for edit in [Edit::Reroll, Edit::Swap, Edit::Shrink] {
        let measured = measure::<RedBlackTrees>(Mutator::Paper(edit), 5);
        assert_eq!(measured.valid, measured.mutants, "{edit:?}");
        assert!(measured.edits.iter().all(|made| *made == edit));
    }
}
