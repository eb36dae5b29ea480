//! Passes that take another arm.

use super::door::{Door, Over};
use super::order::Measure;
use super::tree::Tree;
use crate::choice::{Choices, Entry, Kind, Splice};

/// A pick takes an earlier arm: with the body it has, with the last parts of it or, where that does
/// not help, with the simplest one.
///
/// `2:assign([0] 1:not(0))` → `1:return(1:not(0))`
pub(super) fn earlier_arm(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    while let Some((tree, at)) = door.next_place(&mut next, |tree| &tree.picks) {
        if tree.entry(at).arm() == 0 {
            continue;
        }
        for arm in arms_below(tree.entry(at).arm()) {
            if door.consider(tree.choices.with_arm(at, arm, true))? {
                break;
            }
            let parts = tree.children(at);
            let mut was_better = false;
            for (place, part) in parts.iter().enumerate().skip(1).take(MOST_PARTS) {
                // Without the parts before this one.
                let without = tree.choices.with_arm(at, arm, true).spliced(&[tree.deletion(&parts, 0, place)]);
                was_better = was_better || tree.weight(*part) > 0 && door.consider(without)?;
            }
            if was_better || !parts.is_empty() && door.consider(tree.choices.with_arm(at, arm, false))? {
                break;
            }
        }
    }
    Ok(())
}

/// The arms to try below one: all, or where there are many, the first ones and those next to it.
fn arms_below(arm: usize) -> Vec<usize> {
    if arm <= MOST_ARMS {
        return (0..arm).collect();
    }
    (0..MOST_ARMS / 2).chain([arm / 4, arm / 2]).filter(|below| *below < arm).chain(arm - 2..arm).collect()
}

/// A pick takes a later arm if less is needed then: with the simplest body or, if it has none, with
/// the simplest parts beside it.
///
/// `3:binary(0:and 0 1)` → `3:binary(1:or 0 0)`
pub(super) fn later_arm(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    for at in tree.picks.iter().copied().filter(|at| tree.weight(*at) > u64::from(tree.entry(*at).arm() > 0)) {
        for arm in later_arms(&tree, at) {
            if door.consider(tree.choices.with_arm(at, arm, false))? {
                return Ok(());
            }
        }
    }
    for bracket in tree.brackets.iter().chain(&tree.picks) {
        let parts = tree.children(*bracket);
        let is_pick_alone = |at: &usize| tree.entry(*at).kind() == Kind::Pick && tree.entry(*at).extent() == 0;
        for pick in parts.iter().copied().filter(is_pick_alone) {
            let beside = |part: &&usize| **part != pick && tree.weight(**part) > 0;
            let simplest: Vec<Splice> = parts
                .iter()
                .filter(beside)
                .map(|part| Splice { place: tree.span(*part), by: vec![Entry::simplest()] })
                .collect();
            for arm in later_arms(&tree, pick).take_while(|_| !simplest.is_empty()) {
                if door.consider(tree.choices.with_arm(pick, arm, true).spliced(&simplest))? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// A pick takes a later arm, with the simplest body, and a number becomes 0: what a number said is
/// said by an arm.
///
/// `(1:variable(1) 0:false)` → `(1:variable(0) 1:variable(0))`
pub(super) fn number_to_arm(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let mut tries = 0;
    for number in &tree.raised {
        let is_simplest = |at: &usize| tree.entry(*at).arm() == 0 && !tree.span(*at).contains(number);
        for pick in tree.picks.iter().copied().filter(is_simplest) {
            for arm in later_arms(&tree, pick).take_while(|arm| *arm as u64 <= tree.index(*number)) {
                if tries == MOST_TRIES {
                    door.cut_short();
                    return Ok(());
                }
                tries += 1;
                let zeroed = tree.with([(*number, 0)]);
                if door.consider(zeroed.with_arm(pick, arm, false))? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// A pick takes another arm, or two neighbours of a list change places, and a number becomes as
/// large as it may be with that, to be lowered again: it makes up for the arm, or the arm for what
/// it was.
///
/// `[0:push(16) 1:double]` → `[0:push(6) 2:square]`, `[0:push(4) 0:push(9)]` → `[0:push(8)
/// 1:double]`
pub(super) fn arm_and_number(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    for at in tree.picks.iter().copied() {
        let now = tree.entry(at).arm();
        for arm in (0..tree.entry(at).arms()).filter(|arm| *arm != now).take(MOST_ARMS) {
            for keeps_body in [true, false].into_iter().take(1 + usize::from(tree.entry(at).extent() > 0)) {
                if suits_a_number(door, &tree, &tree.choices.with_arm(at, arm, keeps_body))? {
                    return Ok(());
                }
            }
        }
    }
    for at in &tree.repeats {
        for pair in tree.children(*at).windows(2) {
            let by = [tree.node(pair[1]), tree.node(pair[0])].concat();
            let swapped = tree.choices.spliced(&[Splice { place: pair[0]..tree.choices.end_of(pair[1]), by }]);
            if suits_a_number(door, &tree, &swapped)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Whether a changed tree fails if one of its numbers is as large as it may be to be simpler.
fn suits_a_number(door: &mut Door<'_>, tree: &Tree, changed: &Choices) -> Result<bool, Over> {
    let Some(made) = door.replay(changed)? else { return Ok(false) };
    let measure = Measure::of(made.entries());
    let is_number = |at: &usize| made.entries()[*at].kind() == Kind::Number;
    for number in (0..made.len()).filter(is_number) {
        let index = made.entries()[number].index();
        let highest = match tree.measure.weight.checked_sub(measure.weight + u64::from(index == 0)) {
            None => continue,
            Some(0) => {
                let others = measure.magnitude - u128::from(index);
                u64::try_from(tree.measure.magnitude.saturating_sub(others + 1)).unwrap_or(u64::MAX)
            }
            Some(_) => u64::MAX,
        };
        // The lowest bit may be a sign.
        for index in [highest, highest.saturating_sub(1)].into_iter().filter(|index| *index > 0) {
            if door.consider(made.with_numbers([(number, index)]))? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// How many numbers and arms are tried together.
const MOST_TRIES: usize = 24;

fn later_arms(tree: &Tree, at: usize) -> impl Iterator<Item = usize> {
    (tree.entry(at).arm() + 1..tree.entry(at).arms()).take(MOST_ARMS)
}

/// How many parts of a body are tried as the first one.
const MOST_PARTS: usize = 4;

/// How many arms are tried where all are alike.
const MOST_ARMS: usize = 16;
