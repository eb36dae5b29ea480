//! Passes that lower numbers one by one.

use super::door::{Door, Over};
use super::search::lower_with_hint;
use super::tree::{Tree, not_before};
use std::collections::HashMap;

/// Each number becomes as small as can be. Where that is not 0, it may be the number before it: in a heap a key is bounded by the one above.
///
/// `(741 [52 8])` → `(700 [50 0])`
pub(super) fn number(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    loop {
        let tree = door.best();
        let Some(at) = not_before(&tree.numbers, next).find(|at| tree.index(*at) > 0) else {
            return Ok(());
        };
        next = at + 1;
        let before = tree.numbers.partition_point(|number| *number < at).checked_sub(1);
        let hint = before.map(|before| tree.index(tree.numbers[before]));
        lower_with_hint(door, tree.index(at), 0, hint, |index| tree.with([(at, index)]))?;
    }
}

/// Indices above this are reached from below: no value that people read is so far from the simplest.
const FAR: u64 = 1 << 53;

/// A search by halves comes down from above, and stops at the first gap: a float that is no whole number hides all whole numbers behind those that are smaller than one. What is still far away is looked for from
/// below, by doubling.
///
/// `(9691746398101307394)`, which is 9007199254740994.0, → `(3)`, which is 2.0, where `x >= 1.5` fails
pub(super) fn from_below(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    for at in tree.raised().into_iter().filter(|at| tree.index(*at) > FAR) {
        // Of two neighbours one is above zero and one below.
        for index in (1..=53).flat_map(|bits| [(1 << bits) - 1, 1 << bits]) {
            if door.consider(tree.with([(at, index)]))? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The numbers of one range keep nothing but their order: each becomes its rank among them, by index or, since the lowest bit of an integer's index is
/// its sign, by value. What sorts, compares or counts numbers asks for no more.
///
/// `[741 -8 52]` → `[2 0 1]`
pub(super) fn rank(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let mut ranges: HashMap<u64, Vec<usize>> = HashMap::new();
    for at in &tree.numbers {
        ranges.entry(tree.entry(*at).bound()).or_default().push(*at);
    }
    let ranked = |key: fn(u64) -> i128, index_of: fn(usize) -> u64| {
        let mut changes = Vec::with_capacity(tree.numbers.len());
        for places in ranges.values() {
            let mut keys: Vec<i128> = places.iter().map(|at| key(tree.index(*at))).collect();
            keys.sort_unstable();
            keys.dedup();
            let rank = |at: usize| keys.partition_point(|other| *other < key(tree.index(at)));
            changes.extend(places.iter().map(|at| (*at, index_of(rank(*at)))));
        }
        tree.with(changes)
    };
    if !door.consider(ranked(i128::from, |rank| rank as u64))? {
        let value = |index: u64| if index & 1 == 1 { i128::from(index / 2) + 1 } else { -i128::from(index / 2) };
        door.consider(ranked(value, |rank| (2 * rank as u64).saturating_sub(1)))?;
    }
    Ok(())
}

/// How many numbers are looked at one by one, above 0 and below a number.
const SCANNED: u64 = 130;
/// Those that are looked at before anything that needs a partner.
const SCANNED_FIRST: u64 = 12;
/// How many runs this may take: so many always, and more as long as all runs together are not more than these.
const ALWAYS: u64 = 60;
const ALTOGETHER: u64 = 190;

/// A number that fails alone, while its neighbours pass, may have others of its kind far below that no search by halves finds. They are looked for one
/// by one, from 0 up and from the number down; the distance of one that was found below is tried again and again, each time eight times as often.
///
/// `(207)` → `(13)` where `x % 97 == 13` fails
pub(super) fn scan(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let most_runs = ALTOGETHER.max(door.runs + ALWAYS);
    let raised = tree.raised();
    for at in raised.iter().copied().filter(|at| tree.index(*at) > 2) {
        if !is_alone(door, &tree, at)? {
            continue;
        }
        let from = tree.index(at);
        let alone = |index: u64| vec![(at, index)];
        let first = (2..from.min(SCANNED_FIRST)).map(alone);
        let downs = (3..=SCANNED.min(from)).map(|step| from - step);
        let rest = (SCANNED_FIRST.max(2)..from.min(SCANNED)).chain(downs).map(alone);
        // One of two numbers may be 0 after all, with another partner.
        let other = raised.iter().copied().find(|other| *other != at).filter(|_| raised.len() == 2);
        let paired = other.into_iter().flat_map(|other| (0..SCANNED).map(move |index| vec![(other, 0), (at, index)]));
        for numbers in first.chain(paired).chain(rest) {
            if door.runs >= most_runs {
                door.cut_short();
                return Ok(());
            }
            let index = numbers[numbers.len() - 1].1;
            if door.consider(tree.with(numbers))? {
                return gallop(door, at, index, from.abs_diff(index));
            }
        }
    }
    Ok(())
}

/// Whether there is no reason to be seen why only this number should fail. If those above fail too, it is the least of many, and those below were
/// searched by halves. If it fails together with another one that moves along, the two mean each other.
fn is_alone(door: &mut Door<'_>, tree: &Tree, at: usize) -> Result<bool, Over> {
    let (from, bound) = (tree.index(at), tree.entry(at).bound());
    // There is nothing above the largest, so nothing can be told from it. Steps of two keep the sign of an integer; two of them, because what is rare may
    // still be found next to itself once.
    if from.saturating_add(1) >= bound {
        return Ok(false);
    }
    let fails_above = |door: &mut Door<'_>, places: &[usize]| {
        let moved = |step: u64| tree.with(places.iter().map(|at| (*at, tree.index(*at).saturating_add(step))));
        Ok(door.fails(&moved(2))? && door.fails(&moved(4))?)
    };
    if fails_above(door, &[at])? {
        return Ok(false);
    }
    for other in near_by(tree, at) {
        let is_equal = tree.index(other) == from;
        if is_equal || tree.entry(other).bound() == bound && fails_above(door, &[at, other])? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The few numbers around one that are not the simplest either.
fn near_by(tree: &Tree, at: usize) -> Vec<usize> {
    let raised = tree.raised();
    let place = raised.partition_point(|other| *other < at);
    raised[place.saturating_sub(2)..].iter().take(5).copied().filter(|other| *other != at).collect()
}

/// Goes on from `from` by steps of a length that helped once.
fn gallop(door: &mut Door<'_>, at: usize, mut from: u64, step: u64) -> Result<(), Over> {
    let tree = door.best();
    let mut times = 1;
    while times > 0 {
        let length = step.saturating_mul(times);
        if length <= from && door.consider(tree.with([(at, from - length)]))? {
            from -= length;
            times = times.saturating_mul(8);
        } else {
            times /= 8;
        }
    }
    Ok(())
}
