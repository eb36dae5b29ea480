//! Passes that lower numbers one by one.

use super::door::{Door, Over};
use super::pairs::value_of;
use super::search::lower_with_hint;
use super::tree::Tree;
use crate::choice::Choices;
use std::collections::HashMap;

/// Each number becomes as small as can be. Where that is not 0, it may be the number before it, of
/// the same range if there is one: in a heap a key is bounded by the one above.
///
/// `(741 [52 8])` → `(700 [50 0])`
pub(super) fn number(door: &mut Door<'_>) -> Result<(), Over> {
    let before = door.version();
    let mut next = 0;
    while let Some((tree, at)) = door.next_place(&mut next, |tree| &tree.numbers) {
        if tree.index(at) == 0 {
            continue;
        }
        let before = &tree.numbers[..tree.numbers.partition_point(|number| *number < at)];
        let is_alike = |other: &&usize| tree.entry(**other).bound() == tree.entry(at).bound();
        let hint = before.iter().rev().find(is_alike).or(before.last()).map(|before| tree.index(*before));
        // Another pass may have asked for 0 already.
        let asks_zero = !door.needed.contains(&at);
        lower_with_hint(door, tree.index(at), 0, asks_zero, hint, |index| tree.with([(at, index)]))?;
    }
    if door.version() == before {
        door.settle_numbers();
    }
    Ok(())
}

/// Characters come by their kind: small letters, capital ones, digits, then the other ones of
/// ASCII, and all those that few people can read. Between them a search by halves finds its way
/// only by luck, so the first of each kind is tried, at first for all characters together.
///
/// `"ѠЖ"` → `"AA"` where capital letters fail
pub(super) fn characters(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let is_character = |at: &usize| tree.entry(*at).bound() == LARGEST_CHARACTER && tree.index(*at) > FIRST_OF_KINDS[0];
    let places: Vec<usize> = tree.raised.iter().copied().filter(is_character).collect();
    let lowered = |door: &mut Door<'_>, places: &[usize]| {
        for first in FIRST_OF_KINDS {
            let changes = places.iter().map(|at| (*at, tree.index(*at).min(first)));
            if tree.index(places[0]) > first && door.consider(tree.with(changes))? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    if places.is_empty() || lowered(door, &places)? || places.len() == 1 {
        return Ok(());
    }
    for at in places {
        if lowered(door, &[at])? {
            return Ok(());
        }
    }
    Ok(())
}

/// The index of the last character.
const LARGEST_CHARACTER: u64 = 0x10_F7FF;
/// Those of `A`, `0` and the blank; `a` is 0.
const FIRST_OF_KINDS: [u64; 3] = [26, 52, 62];

/// The numbers of one range keep nothing but their order: each becomes its rank among them, by
/// index or, since the lowest bit of an integer's index is its sign, by value. What sorts, compares
/// or counts numbers asks for no more.
///
/// `[741 -8 52]` → `[2 0 1]`
pub(super) fn rank(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    if !door.consider(ranked(&tree, i128::from, |rank| rank as u64))? {
        door.consider(ranked(&tree, value_of, |rank| (2 * rank as u64).saturating_sub(1)))?;
    }
    Ok(())
}

/// The same by index alone, before anything else is known of the numbers.
pub(super) fn rank_all(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    door.consider(ranked(&tree, i128::from, |rank| rank as u64)).map(drop)
}

fn ranked(tree: &Tree, key: fn(u64) -> i128, index_of: fn(usize) -> u64) -> Choices {
    let mut ranges: HashMap<u64, Vec<usize>> = HashMap::new();
    for at in &tree.numbers {
        ranges.entry(tree.entry(*at).bound()).or_default().push(*at);
    }
    let mut changes = Vec::with_capacity(tree.numbers.len());
    for places in ranges.values() {
        let mut keys: Vec<i128> = places.iter().map(|at| key(tree.index(*at))).collect();
        keys.sort_unstable();
        keys.dedup();
        let rank = |at: usize| keys.partition_point(|other| *other < key(tree.index(at)));
        changes.extend(places.iter().map(|at| (*at, index_of(rank(*at)))));
    }
    tree.with(changes)
}
