//! Passes that change several numbers at once: two properties of a value often hang together by
//! their sum, their difference or their being equal.

use super::door::{Door, Over};
use super::search::{lower, near_pairs};
use super::tree::Tree;
use crate::choice::Choices;
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
        let lowered = lower(door, index, 0, |index| tree.with(places.iter().map(|at| (*at, index))))?;
        if lowered < index && lowered > 0 {
            door.note_moved_together(&places);
        }
    }
}

/// The places of numbers that are equal and not the simplest, by their index, the first ones first.
fn equal_groups(tree: &Tree) -> Vec<(u64, Vec<usize>)> {
    let mut groups: Vec<(u64, Vec<usize>)> = Vec::new();
    let mut known: HashMap<u64, usize> = HashMap::new();
    for at in tree.raised.iter().copied() {
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

/// Calls `attempt` with pairs of numbers that are not the simplest, the earlier one first. Where a
/// pair can be lowered, the nearest ones around it are next: they may be more of the same, such as
/// the items of two lists.
fn for_each_pair(
    door: &mut Door<'_>,
    mut attempt: impl FnMut(&mut Door<'_>, &Rc<Tree>, usize, usize) -> Result<(), Over>,
) -> Result<(), Over> {
    let mut tree = door.best();
    let (pairs, all) = near_pairs(tree.raised.len());
    if !all {
        door.cut_short();
    }
    for (first, second) in pairs {
        if second >= tree.raised.len() {
            continue;
        }
        let (mut first, mut second) = (tree.raised[first], tree.raised[second]);
        loop {
            let before = door.version();
            attempt(door, &tree, first, second)?;
            if door.version() == before {
                break;
            }
            tree = door.best();
            let left = tree.raised.partition_point(|at| *at <= first).checked_sub(1);
            let right = tree.raised.partition_point(|at| *at < second);
            let (Some(left), true) = (left, right < tree.raised.len()) else {
                break;
            };
            let next = (tree.raised[left], tree.raised[right]);
            if next == (first, second) || next.0 >= next.1 {
                break;
            }
            (first, second) = next;
        }
    }
    Ok(())
}

/// The same, but for pairs that mean each other and those that have nothing to do with each other.
fn for_each_free_pair(
    door: &mut Door<'_>,
    mut attempt: impl FnMut(&mut Door<'_>, &Rc<Tree>, usize, usize) -> Result<(), Over>,
) -> Result<(), Over> {
    for_each_pair(door, |door, tree, first, second| {
        let is_free = !mean_each_other(door, tree, first, second)? && may_make_up(door, tree, first, second)?;
        if is_free { attempt(door, tree, first, second) } else { Ok(()) }
    })
}

/// Whether two numbers hang together by their difference, or by being equal: they were lowered
/// together and can be raised together, but one of them cannot be raised alone. What keeps their
/// sum is of no use for them.
fn mean_each_other(door: &mut Door<'_>, tree: &Tree, first: usize, second: usize) -> Result<bool, Over> {
    let Some(mut group) = door.moved_together(first, second) else { return Ok(false) };
    group.retain(|at| tree.numbers.binary_search(at).is_ok());
    let is_free =
        fails_raised(door, tree, &[first])? != Some(false) && fails_raised(door, tree, &[second])? != Some(false);
    Ok(!is_free && fails_raised(door, tree, &group)? == Some(true))
}

/// Whether a number can be raised alone: then it is a mere bound, and those below were searched by
/// halves.
pub(super) fn is_bound(door: &mut Door<'_>, tree: &Tree, at: usize) -> Result<bool, Over> {
    find_bounds(door, tree)?;
    if let Some(is_bound) = door.bounds.get(&at) {
        return Ok(*is_bound);
    }
    let near = || tree.with([(at, tree.index(at).saturating_add(2))]);
    let is_bound = fails_raised(door, tree, &[at])? == Some(true) && door.fails(&near())?;
    door.bounds.insert(at, is_bound);
    Ok(is_bound)
}

/// Asks whether all numbers are bounds, which takes few runs where they are: half of them are
/// raised at a time, such that of any two each is raised once without the other.
fn find_bounds(door: &mut Door<'_>, tree: &Tree) -> Result<(), Over> {
    let all: Vec<usize> = tree.raised.iter().copied().filter(|at| room(tree, *at) >= 2).collect();
    if !door.bounds.is_empty() || all.len() < 3 {
        return Ok(());
    }
    for digit in 0..=(all.len() - 1).ilog2() {
        for value in [0, 1] {
            let half = all.iter().enumerate().filter(|(place, _)| place >> digit & 1 == value);
            let raised = half.map(|(_, at)| (*at, tree.index(*at) + FAR_STEP.min(room(tree, *at) & !1)));
            if !door.fails(&tree.with(raised))? {
                return Ok(());
            }
        }
    }
    door.bounds.extend(all.into_iter().map(|at| (at, true)));
    Ok(())
}

/// How far a number can be raised.
fn room(tree: &Tree, at: usize) -> u64 {
    tree.entry(at).bound().saturating_sub(tree.index(at))
}

/// Whether more of one number may make up for less of the other. It may if neither can be raised
/// alone: then they may be parts of one whole. If both can be, they are bounds, and more of all
/// others must make up for less of one of them.
fn may_make_up(door: &mut Door<'_>, tree: &Tree, first: usize, second: usize) -> Result<bool, Over> {
    if tree.raised.len() <= 3 {
        // To ask takes more runs than to try.
        return Ok(true);
    }
    match (is_bound_if_known(door, tree, first)?, is_bound_if_known(door, tree, second)?) {
        (Some(true), Some(false)) | (Some(false), Some(true)) => Ok(false),
        (Some(false), _) | (_, Some(false)) => Ok(!is_flag(tree, first) && !is_flag(tree, second)),
        _ => Ok(is_made_up(door, tree, first)? || is_made_up(door, tree, second)?),
    }
}

/// Whether it fails with less of a number if all others are as large as they can be.
fn is_made_up(door: &mut Door<'_>, tree: &Tree, at: usize) -> Result<bool, Over> {
    // The lowest bit may be a sign, or an odd number refused.
    Ok(door.fails(&with_less(tree, at, 1))? || door.fails(&with_less(tree, at, 2))?)
}

fn with_less(tree: &Tree, at: usize, by: u64) -> Choices {
    let others = tree.raised.iter().filter(|other| **other != at).map(|other| (*other, u64::MAX));
    tree.with(others.chain([(at, tree.index(at).saturating_sub(by))]))
}

/// Whether a number can be raised alone; nothing if there is no room above it.
fn is_bound_if_known(door: &mut Door<'_>, tree: &Tree, at: usize) -> Result<Option<bool>, Over> {
    (room(tree, at) >= 2).then(|| is_bound(door, tree, at)).transpose()
}

/// Whether a number can only be 0 or 1: it makes up for nothing.
fn is_flag(tree: &Tree, at: usize) -> bool {
    tree.entry(at).bound() == 1
}

/// Whether it still fails if numbers are raised by the same amount; nothing if there is no room
/// above them.
fn fails_raised(door: &mut Door<'_>, tree: &Tree, places: &[usize]) -> Result<Option<bool>, Over> {
    let room = places.iter().map(|at| room(tree, *at)).min().unwrap_or(0);
    let raised = |by: u64| tree.with(places.iter().map(|at| (*at, tree.index(*at) + by)));
    if room < FAR_STEP {
        return if room < 2 { Ok(None) } else { door.fails(&raised(2)).map(Some) };
    }
    // What is found by chance is rarely found twice.
    Ok(Some(door.fails(&raised(FAR_STEP))? && (places.len() == 1 || door.fails(&raised(2))?)))
}

/// A step out of the way of what happens to be near. It is even, which keeps the sign of an
/// integer.
const FAR_STEP: u64 = 6;

/// Two numbers are lowered by the same amount: their difference stays.
///
/// `(1006 1002)` → `(10 6)`
pub(super) fn together(door: &mut Door<'_>) -> Result<(), Over> {
    // Numbers of different ranges rarely mean each other, so only a few of them are tried.
    let any_ranges = door.best().raised.len() <= FEW_NUMBERS;
    // While numbers can be lowered alone, it is asked only whether all are bounds.
    let are_settled = door.are_numbers_settled();
    let is_known = |door: &mut Door<'_>, tree: &Tree, at: usize| {
        if are_settled {
            return is_bound(door, tree, at);
        }
        find_bounds(door, tree)?;
        Ok(door.bounds.get(&at) == Some(&true))
    };
    for_each_pair(door, |door, tree, first, second| {
        // A bound that cannot be lowered alone does not hang on another number. To ask of two
        // takes more runs than to try.
        if tree.raised.len() > 2 && (is_known(door, tree, first)? || is_known(door, tree, second)?) {
            return Ok(());
        }
        lower_both(door, tree, first, second, any_ranges)
    })
}

/// The same while there are few pairs: two numbers that hang together are lowered one by one only
/// in many small steps.
pub(super) fn few_together(door: &mut Door<'_>) -> Result<(), Over> {
    if door.best().raised.len() > FEW {
        return Ok(());
    }
    for_each_pair(door, |door, tree, first, second| {
        // Once is enough: what they are bound by may also let one of them go alone, and then each
        // of the two ways undoes a part of the other.
        if door.moved_together(first, second).is_some() {
            return Ok(());
        }
        lower_both(door, tree, first, second, false)
    })
}

const FEW: usize = 4;
const FEW_NUMBERS: usize = 6;

fn lower_both(door: &mut Door<'_>, tree: &Rc<Tree>, first: usize, second: usize, any_ranges: bool) -> Result<(), Over> {
    let [bound, other] = [first, second].map(|at| tree.entry(at).bound());
    // Numbers of a range so small are names of things rather than amounts.
    if bound.min(other) < FAR_STEP || !any_ranges && bound != other {
        return Ok(());
    }
    let (left, right) = (tree.index(first), tree.index(second));
    let least = left.min(right);
    let candidate = |index: u64| tree.with([(first, left - (least - index)), (second, right - (least - index))]);
    // The smallest steps first: where they pass, the difference does not matter.
    for step in [2, 1] {
        if least >= step && door.consider(candidate(least - step))? {
            lower(door, least - step, 0, candidate)?;
            door.note_moved_together(&[first, second]);
            break;
        }
    }
    Ok(())
}

/// All numbers of one range move by the same amount: as far down as can be or, since the lowest bit
/// of an integer's index is its sign, so that one of them is 0. Their distances stay.
///
/// `[5 12 19]` → `[-7 0 7]`
pub(super) fn translate(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let mut ranges: Vec<(u64, Vec<usize>)> = Vec::new();
    for at in &tree.numbers {
        let bound = tree.entry(*at).bound();
        match ranges.iter().position(|(other, _)| *other == bound) {
            Some(place) => ranges[place].1.push(*at),
            None if ranges.len() < FEW_NUMBERS => ranges.push((bound, vec![*at])),
            None => door.cut_short(),
        }
    }
    for (bound, places) in ranges {
        let raised: Vec<usize> = places.iter().copied().filter(|at| tree.index(*at) > 0).collect();
        if !(2..=FEW_NUMBERS).contains(&raised.len()) || places.len() > 2 * FEW_NUMBERS {
            continue;
        }
        let least = raised.iter().map(|at| tree.index(*at)).min().unwrap_or(0);
        let lowered = |index: u64| tree.with(raised.iter().map(|at| (*at, tree.index(*at) - (least - index))));
        // Two numbers are the business of another pass.
        if raised.len() > 2 && least >= 2 && door.consider(lowered(least - 2))? {
            lower(door, least - 2, 0, lowered)?;
        }
        for origin in &raised {
            let by = value_of(tree.index(*origin));
            let moved: Vec<(usize, i128)> = places.iter().map(|at| (*at, value_of(tree.index(*at)) - by)).collect();
            let fits = moved.iter().all(|(_, value)| index_of(*value) <= u128::from(bound));
            // All of them: which one is best, the order tells.
            if fits {
                door.consider(tree.with(moved.iter().map(|(at, value)| (*at, index_of(*value) as u64))))?;
            }
        }
    }
    Ok(())
}

/// The integer that has this index, if it is one of a range around 0.
pub(super) fn value_of(index: u64) -> i128 {
    if index & 1 == 1 { i128::from(index / 2) + 1 } else { -i128::from(index / 2) }
}

pub(super) fn index_of(value: i128) -> u128 {
    if value > 0 { 2 * value as u128 - 1 } else { 2 * value.unsigned_abs() }
}

/// The earlier number is lowered by what the later one is raised: their sum stays.
///
/// `[70 30]` → `[0 100]`, or `[1 99]` where 99 is the largest.
pub(super) fn transfer(door: &mut Door<'_>) -> Result<(), Over> {
    for_each_free_pair(door, |door, tree, first, second| {
        let (left, right) = (tree.index(first), tree.index(second));
        let room = tree.entry(second).bound().saturating_sub(right);
        // Only the whole of an odd index changes its lowest bit, which for integers is the sign: 3
        // and 4 have the indices 5 and 7.
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
        // One more than there is room for: where steps of one change the sign, two of one may be
        // one of the other at its largest.
        let floor = left.saturating_sub(room.saturating_add(1));
        lower(door, left, floor, |index| tree.with([(first, index), (second, right.saturating_add(left - index))]))?;
        Ok(())
    })
}

/// Both numbers become half their sum less one, from where each can be lowered again: of all
/// numbers with a product of 100, 10 and 10 have the least sum. Or one is raised by a step while
/// the other is lowered by two. More than two become even all at once.
///
/// `(2 50)` → `(25 26)`
pub(super) fn balance(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let count = tree.raised.len();
    if (3..=FEW_NUMBERS).contains(&count) {
        let sum: u128 = tree.raised.iter().map(|at| u128::from(tree.index(*at))).sum();
        // The last ones take what is left over.
        let share = |place: usize| ((sum - 1 + place as u128) / count as u128) as u64;
        door.consider(tree.with(tree.raised.iter().enumerate().map(|(place, at)| (*at, share(place)))))?;
    }
    for_each_free_pair(door, |door, tree, first, second| {
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

/// A number becomes 0 and others make up for it: all of them as large as they can be, or one of
/// them by as much, by one, or by as much less.
///
/// `(30 70 5)` → `(0 100 100)`, to be lowered again
pub(super) fn trade(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let raised = &tree.raised;
    let groups = equal_groups(&tree).into_iter().map(|(_, places)| places);
    for zeroed in raised.iter().map(|at| vec![*at]).chain(groups) {
        // What passes with a little less passes without it.
        if zeroed.len() == 1 && door.has_passed(&with_less(&tree, zeroed[0], 2)) {
            continue;
        }
        // What another number means cannot be 0 without it.
        let mut means_another = false;
        for at in raised.iter().filter(|at| zeroed.len() == 1 && **at != zeroed[0]) {
            means_another = means_another || mean_each_other(door, &tree, zeroed[0], *at)?;
        }
        if means_another {
            continue;
        }
        // A replay knows best how large a number can be: its bound may depend on others that are
        // raised too.
        let others = raised.iter().filter(|at| !zeroed.contains(at)).map(|at| (*at, u64::MAX));
        if door.consider(tree.with(others.chain(zeroed.iter().map(|at| (*at, 0)))))? {
            return Ok(());
        }
    }
    for_each_pair(door, |door, tree, first, second| {
        if mean_each_other(door, tree, first, second)? {
            // The difference alone is left. One of these was tried when both were lowered.
            let difference = tree.index(first).abs_diff(tree.index(second));
            for (zeroed, left) in [(first, second), (second, first)] {
                if door.consider(tree.with([(zeroed, 0), (left, difference)]))? {
                    break;
                }
            }
            return Ok(());
        }
        // Two bounds were traded above.
        for at in [first, second] {
            if is_flag(tree, at) || is_bound(door, tree, at)? {
                return Ok(());
            }
        }
        for (from, to) in [(first, second), (second, first)] {
            let (given, has) = (tree.index(from), tree.index(to));
            let more = [given.saturating_add(given & 1), given, 1].map(|more| has.saturating_add(more));
            // An even index may be a number below 0, half as far from it: without it, less is
            // needed.
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
