//! Passes that make much of the tree the simplest at once.

use super::door::{Door, Over};
use super::search::longest;
use super::tree::not_before;
use crate::choice::{Choices, Entry};

/// Everything is the simplest: does everything fail?
///
/// `[5 3] 1:node(2)` → ` `
pub(super) fn simplest(door: &mut Door<'_>) -> Result<(), Over> {
    door.consider(Choices::default()).map(drop)
}

/// All numbers are 0: is it the shape alone that fails?
///
/// `[5 3] 1:node(2)` → `[0 0] 1:node(0)`
pub(super) fn zero_all(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    door.consider(tree.with(tree.numbers.iter().map(|at| (*at, 0)))).map(drop)
}

/// Numbers that follow each other are 0, as many at once as can be.
///
/// `[5 3 7 1]` → `[0 0 7 0]`
pub(super) fn zero_runs(door: &mut Door<'_>) -> Result<(), Over> {
    let mut end = door.best().raised.len();
    while end > 0 {
        let tree = door.best();
        let raised = &tree.raised;
        end = end.min(raised.len());
        let length = longest(end, |length| {
            // A single number is the business of the pass for numbers, which asks this first.
            door.consider(tree.with(raised[end - length..end].iter().map(|at| (*at, 0))))
        })?;
        end = end.saturating_sub(length.max(1));
    }
    Ok(())
}

/// A whole part of the tree is the simplest, the outermost first.
///
/// `(1:node(4 [2 2]) 7)` → `(0:leaf 7)`
pub(super) fn minimize(door: &mut Door<'_>) -> Result<(), Over> {
    let mut at = 0;
    loop {
        let tree = door.best();
        let places = [&tree.brackets, &tree.repeats, &tree.picks];
        let Some(next) = places.into_iter().filter_map(|places| not_before(places, at).next()).min() else {
            return Ok(());
        };
        // What weighs less is the business of another pass, which asks the same question.
        if tree.weight(next) >= 2 {
            door.consider(tree.replaced(next, &[Entry::simplest()]))?;
        }
        at = next + 1;
    }
}
