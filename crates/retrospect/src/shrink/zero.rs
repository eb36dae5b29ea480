//! Passes that make much of the tree the simplest at once.

use super::door::{Door, Over};
use super::search::longest;
use super::tree::{Tree, not_before};
use crate::choice::{Choices, Entry, Kind, Splice};

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

/// One number is 0 in all items of a long list that have the same shape: a field of records.
///
/// `[(5 3) (7 1) (2 9) …]` → `[(5 0) (7 0) (2 0) …]`
pub(super) fn zero_fields(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    while let Some((tree, at)) = door.next_place(&mut next, |tree| &tree.repeats) {
        let mut items = tree.children(at);
        if items.len() < MANY {
            continue;
        }
        let shape = |item: &usize| {
            let entry = tree.entry(*item);
            (entry.extent(), if entry.kind() == Kind::Pick { entry.arm() } else { 0 })
        };
        items.sort_by_key(shape);
        for alike in items.chunk_by(|left, right| shape(left) == shape(right)) {
            for field in 0..=shape(&alike[0]).0 {
                let best = door.best();
                // Where a list has changed otherwise than by its numbers, the next round goes on.
                if best.choices.len() != tree.choices.len() {
                    return Ok(());
                }
                let is_raised = |at: &usize| best.raised.binary_search(at).is_ok();
                let numbers: Vec<usize> = alike.iter().map(|item| item + field).filter(is_raised).collect();
                if numbers.len() > 1 {
                    door.consider(best.with(numbers.into_iter().map(|at| (at, 0))))?;
                }
            }
        }
    }
    Ok(())
}

/// Items of a long list are the simplest, as many neighbours at once as can be.
///
/// `[1:some(5) 1:some(3) 1:some(7) …]` → `[0:none 0:none 1:some(7) …]`
pub(super) fn minimize_items(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    while let Some((tree, at)) = door.next_place(&mut next, |tree| &tree.repeats) {
        let mut end = if tree.children(at).len() < MANY { 0 } else { usize::MAX };
        while end > 0 {
            let tree = door.best();
            if !tree.is_repeat(at) {
                break;
            }
            let items = complex_items(&tree, at);
            end = end.min(items.len());
            let length = longest(end, |length| {
                let simplest = |item: &usize| Splice { place: tree.span(*item), by: vec![Entry::simplest()] };
                let splices: Vec<Splice> = items[end - length..end].iter().map(simplest).collect();
                door.consider(tree.choices.spliced(&splices))
            })?;
            end = end.saturating_sub(length.max(1));
        }
    }
    Ok(())
}

/// The items of a list that are not the simplest, and no mere numbers, which other passes lower.
fn complex_items(tree: &Tree, at: usize) -> Vec<usize> {
    let mut items = tree.children(at);
    items.retain(|item| tree.entry(*item).kind() != Kind::Number && tree.weight(*item) > 0);
    items
}

/// How many items are so many that no run is spent on each.
const MANY: usize = 64;

/// Numbers that follow each other are 0, as many at once as can be.
///
/// `[5 3 7 1]` → `[0 0 7 0]`
pub(super) fn zero_runs(door: &mut Door<'_>) -> Result<(), Over> {
    let mut end = door.best().raised.len();
    while end > 0 {
        let tree = door.best();
        let raised = &tree.raised;
        end = end.min(raised.len());
        let length =
            longest(end, |length| door.consider(tree.with(raised[end - length..end].iter().map(|at| (*at, 0)))))?;
        if length == 0 {
            door.needed.insert(raised[end - 1]);
        }
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
