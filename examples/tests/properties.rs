//! Properties as one writes them: each is an ordinary test.

use examples::bst::{Tree, bst};
use examples::sorted::sorted;
use retrospect::prelude::*;
use std::collections::BTreeSet;

/// Arguments come from generators, or from their types.
#[property]
fn insert_keeps_the_order(#[from(bst(0, 100))] tree: Tree, #[from(-10..=110)] key: i64) {
    event!("size", tree.size());
    classify!(tree.keys().contains(&key), "has the key already", "new key");
    assert!(tree.insert(key).is_within(-10, 110));
}

/// A model says what is right; a later argument is drawn from what an earlier one leaves possible.
#[property]
#[example(keys = vec![1, 1, 1], place = 0)]
fn a_tree_is_a_set(#[from(vec_of(0..20, 1..))] keys: Vec<i64>, #[from(0..keys.len())] place: usize) {
    let tree = keys.iter().fold(Tree::Leaf, |tree, key| tree.insert(*key));
    let model: BTreeSet<i64> = keys.iter().copied().collect();
    assert!(tree.keys().contains(&keys[place]));
    assert_eq!(tree.keys(), model.into_iter().collect::<Vec<_>>());
}

/// A share that must be reached: otherwise a passing test would mean little.
#[property]
fn merging_keeps_the_order(#[from(sorted(0, 50))] one: Vec<i64>, #[from(sorted(0, 50))] other: Vec<i64>) {
    cover!(0.3, one.first() < other.first() && other.first() < one.last(), "the lists overlap");
    let mut merged = [one, other].concat();
    merged.sort();
    assert!(merged.is_sorted());
}

/// Draws inside the body, for what has no shape beforehand.
#[property]
fn the_last_in_is_the_first_out(case: &mut Case) {
    let mut stack = Vec::new();
    for _ in 0..case.draw_named("steps", 0..20) {
        if case.draw_named("push", any::<bool>()) {
            let item = case.draw_named("item", any::<u8>());
            stack.push(item);
            assert_eq!(stack.last(), Some(&item));
        } else {
            let before = stack.len();
            assert_eq!(stack.pop().is_some(), before > 0);
        }
    }
}

/// A small domain is run whole.
#[property(exhaustive)]
fn every_byte_survives_its_text(byte: u8) -> Result<bool, std::num::ParseIntError> {
    Ok(byte.to_string().parse::<u8>()? == byte)
}

/// A property that is known not to hold, until it does.
#[property(expect_failure)]
fn sums_never_overflow(one: i32, other: i32) {
    let _ = one.checked_add(other).expect("the sum fits");
}
