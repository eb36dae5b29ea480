//! The pass that takes another arm with a body that stands elsewhere.

use super::door::{Door, Over};
use super::order::compare_parts;
use super::tree::Tree;
use crate::choice::{Entry, Kind};
use std::cmp::Ordering;

/// A pick takes another arm, with the body that this arm has at another place of the tree. `arm`
/// and `later arm` know only the body that is there and the simplest one.
///
/// `[1:circle(1000) 2:polygon([500 500 500])]` → `[1:circle(1000) 1:circle(1000)]`
pub(super) fn transplant(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let donors = donors(&tree);
    for (count, at) in tree.picks.iter().copied().filter(|at| tree.entry(*at).extent() > 0).enumerate() {
        if count == MOST_PLACES {
            door.cut_short();
            break;
        }
        let here = tree.entry(at);
        for donor in &donors {
            let entry = tree.entry(*donor);
            let fits = is_same_site(entry, here) && entry.arm() != here.arm();
            if fits
                && compare_parts(tree.node(*donor), tree.node(at)) == Ordering::Less
                && door.consider(tree.replaced(at, tree.node(*donor)))?
            {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// For each site and arm a few bodies that differ.
fn donors(tree: &Tree) -> Vec<usize> {
    let mut donors: Vec<usize> = Vec::new();
    for at in tree.picks.iter().copied().filter(|at| tree.entry(*at).extent() > 0).take(MOST_PLACES) {
        let here = tree.entry(at);
        let mut count = 0;
        let mut is_known = false;
        for other in &donors {
            let entry = tree.entry(*other);
            if is_same_site(entry, here) && entry.arm() == here.arm() {
                count += 1;
                is_known |= compare_parts(tree.node(*other), tree.node(at)) == Ordering::Equal;
            }
        }
        if count < MOST_BODIES && !is_known {
            donors.push(at);
        }
    }
    donors
}

fn is_same_site(left: Entry, right: Entry) -> bool {
    left.kind() == Kind::Pick && right.kind() == Kind::Pick && left.name_id() == right.name_id()
}

/// How many picks are looked at.
const MOST_PLACES: usize = 200;

/// How many bodies of one arm are tried.
const MOST_BODIES: usize = 4;
