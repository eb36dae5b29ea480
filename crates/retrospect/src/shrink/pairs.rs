//! Passes that change several numbers at once: two properties of a value often hang together by their sum, their difference or their being equal.

use super::door::{Door, Over};
use super::search::{lower, near_pairs};
use super::tree::Tree;
use crate::choice::Kind;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Equal numbers are lowered together.
///
/// `(74 [74 3])` → `(10 [10 3])`
pub(super) fn equal(door: &mut Door<'_>) -> Result<(), Over> {
    let mut tried = HashSet::new();
    loop {
        let tree = door.best();
        let next = equal_groups(&tree).into_iter().find(|(index, _)| tried.insert(*index));
        let Some((index, places)) = next else {
            return Ok(());
        };
        lower(door, index, 0, |index| tree.with(places.iter().map(|at| (*at, index))))?;
    }
}

/// The places of numbers that are equal and not the simplest, by their index, the first ones first.
fn equal_groups(tree: &Tree) -> Vec<(u64, Vec<usize>)> {
    let mut groups: Vec<(u64, Vec<usize>)> = Vec::new();
    let mut known: HashMap<u64, usize> = HashMap::new();
    for at in tree.raised() {
        let index = tree.index(at);
        let group = *known.entry(index).or_insert_with(|| {
            groups.push((index, Vec::new()));
            groups.len() - 1
        });
        groups[group].1.push(at);
    }
    groups.retain(|(_, places)| places.len() > 1);
    groups
}

/// Calls `attempt` with pairs of numbers that are not the simplest, the earlier one first.
fn for_each_pair(
    door: &mut Door<'_>,
    mut attempt: impl FnMut(&mut Door<'_>, Rc<Tree>, usize, usize) -> Result<(), Over>,
) -> Result<(), Over> {
    let (pairs, all) = near_pairs(door.best().raised().len());
    if !all {
        door.cut_short();
    }
    let (mut tree, mut raised) = (door.best(), door.best().raised());
    for (first, second) in pairs {
        if second < raised.len() {
            let before = door.version();
            attempt(door, Rc::clone(&tree), raised[first], raised[second])?;
            if door.version() != before {
                (tree, raised) = (door.best(), door.best().raised());
            }
        }
    }
    Ok(())
}

/// Two numbers are lowered by the same amount: their difference stays.
///
/// `(1006 1002)` → `(10 6)`
pub(super) fn together(door: &mut Door<'_>) -> Result<(), Over> {
    for_each_pair(door, |door, tree, first, second| {
        if tree.entry(first).bound() != tree.entry(second).bound() {
            return Ok(());
        }
        let (left, right) = (tree.index(first), tree.index(second));
        let least = left.min(right);
        let candidate = |index: u64| tree.with([(first, left - (least - index)), (second, right - (least - index))]);
        // The smallest steps first: where they pass, the difference does not matter.
        for step in [2, 1] {
            if least >= step && door.consider(candidate(least - step))? {
                lower(door, least - step, 0, candidate)?;
                break;
            }
        }
        Ok(())
    })
}

/// The same while there are few pairs: two numbers that hang together are lowered one by one only in many small steps.
pub(super) fn few_together(door: &mut Door<'_>) -> Result<(), Over> {
    const FEW: usize = 4;
    if door.best().raised().len() <= FEW { together(door) } else { Ok(()) }
}

/// The earlier number is lowered by what the later one is raised: their sum stays.
///
/// `[70 30]` → `[0 100]`, or `[1 99]` where 99 is the largest.
pub(super) fn transfer(door: &mut Door<'_>) -> Result<(), Over> {
    for_each_pair(door, |door, tree, first, second| {
        let (left, right) = (tree.index(first), tree.index(second));
        let room = tree.entry(second).bound().saturating_sub(right);
        // Only the whole of an odd index changes its lowest bit, which for integers is the sign: 3 and 4 have the indices 5 and 7.
        let all_and_one = left.saturating_add(left & 1);
        if all_and_one != left
            && all_and_one <= room
            && door.consider(tree.with([(first, 0), (second, right + all_and_one)]))?
        {
            return Ok(());
        }
        if room == 0 {
            return Ok(());
        }
        // One more than there is room for: where steps of one change the sign, two of one may be one of the other at its largest.
        let floor = left.saturating_sub(room.saturating_add(1));
        lower(door, left, floor, |index| tree.with([(first, index), (second, right.saturating_add(left - index))]))?;
        Ok(())
    })
}

/// Both numbers become half their sum less one, from where each can be lowered again: of all numbers with a product of 100, 10 and 10 have the least
/// sum. Or one is raised by a step while the other is lowered by two.
///
/// `(2 50)` → `(25 26)`
pub(super) fn balance(door: &mut Door<'_>) -> Result<(), Over> {
    for_each_pair(door, |door, tree, first, second| {
        let sum = u128::from(tree.index(first)) + u128::from(tree.index(second));
        let (lower, upper) = (((sum - 1) / 2) as u64, (sum / 2) as u64);
        let (left, right) = (tree.index(first), tree.index(second));
        let steps =
            [(left.saturating_add(1), right.saturating_sub(2)), (left.saturating_sub(2), right.saturating_add(1))];
        for (left, right) in [(lower, upper)].into_iter().chain(steps) {
            if door.consider(tree.with([(first, left), (second, right)]))? {
                break;
            }
        }
        Ok(())
    })
}

/// A number becomes 0 and others make up for it: all of them as large as they can be, or one of them by as much, by one, or by as much less.
///
/// `(30 70 5)` → `(0 100 100)`, to be lowered again
pub(super) fn trade(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let raised = tree.raised();
    let groups = equal_groups(&tree).into_iter().map(|(_, places)| places);
    for zeroed in raised.iter().map(|at| vec![*at]).chain(groups) {
        // A replay knows best how large a number can be: its bound may depend on others that are raised too.
        let others = raised.iter().filter(|at| !zeroed.contains(at)).map(|at| (*at, u64::MAX));
        if door.consider(tree.with(others.chain(zeroed.iter().map(|at| (*at, 0)))))? {
            return Ok(());
        }
    }
    for_each_pair(door, |door, tree, first, second| {
        for (from, to) in [(first, second), (second, first)] {
            let (given, has) = (tree.index(from), tree.index(to));
            let more = [given.saturating_add(given & 1), given, 1].map(|more| has.saturating_add(more));
            // An even index may be a number below 0, half as far from it: without it, less is needed.
            let less = (given & 1 == 0).then(|| has.saturating_sub(given / 2));
            for index in more.into_iter().chain(less) {
                if door.consider(tree.with([(from, 0), (to, index)]))? {
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

/// A bit of the earlier number goes, and changes in the later one as well: flags move, or go from both.
///
/// `(12 89)` → `(4 81)` → `(0 85)`
pub(super) fn bits(door: &mut Door<'_>) -> Result<(), Over> {
    for_each_pair(door, |door, tree, first, second| {
        let (mut left, mut right) = (tree.index(first), tree.index(second));
        for bit in (0..u64::BITS).rev().map(|place| 1 << place).filter(|bit| tree.index(first) & bit != 0) {
            if door.consider(tree.with([(first, left ^ bit), (second, right ^ bit)]))? {
                (left, right) = (left ^ bit, right ^ bit);
            }
        }
        Ok(())
    })
}

/// A number becomes 0 and another one in the same bracket is raised by a part of it.
///
/// `(0 0 20)` → `(10 0 0)`, where twice the first and the others together are 20
pub(super) fn exchange(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    for bracket in tree.brackets.iter().chain(&tree.picks) {
        let parts = tree.children(*bracket);
        let numbers: Vec<usize> = parts.into_iter().filter(|at| tree.entry(*at).kind() == Kind::Number).collect();
        let (pairs, all) = near_pairs(numbers.len());
        if !all {
            door.cut_short();
        }
        for (first, second) in pairs {
            let (first, second) = (numbers[first], numbers[second]);
            for (from, to) in [(second, first), (first, second)] {
                let (given, has) = (tree.index(from), tree.index(to));
                // Numbers that are equal mean each other, and were lowered together.
                if given < 2 || given == has {
                    continue;
                }
                for part in 2..=if has == 0 { 5 } else { 3 } {
                    let more = given.div_ceil(part);
                    if door.consider(tree.with([(from, 0), (to, has.saturating_add(more))]))? {
                        return Ok(());
                    }
                }
            }
        }
    }
    Ok(())
}
