//! Passes that put things in order.

use super::door::{Door, Over};
use super::order::compare_nodes;
use super::search::{longest, near_pairs};
use super::tree::{Tree, not_before};
use crate::choice::{Choices, Entry, Kind, Splice};
use std::cmp::Ordering;
use std::collections::HashMap;

/// The items of a list are sorted: all at once, or neighbours one after the other.
///
/// `[3 1 2]` → `[1 2 3]`
pub(super) fn sort(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    while let Some((tree, at)) = door.next_place(&mut next, |tree| &tree.repeats) {
        let items = tree.children(at);
        let is_sorted = |pair: &[usize]| compare_nodes(tree.node(pair[0]), tree.node(pair[1])) != Ordering::Greater;
        if items.windows(2).all(is_sorted) {
            continue;
        }
        let mut sorted: Vec<&[Entry]> = items.iter().map(|item| tree.node(*item)).collect();
        sorted.sort_by(|left, right| compare_nodes(left, right));
        let place = at + 1..tree.choices.end_of(at);
        if !door.consider(tree.choices.spliced(&[Splice { place, by: sorted.concat() }]))? {
            sort_neighbours(door, at, items.len())?;
        }
    }
    Ok(())
}

fn sort_neighbours(door: &mut Door<'_>, at: usize, count: usize) -> Result<(), Over> {
    let mut tree = door.best();
    let mut items = tree.children(at);
    for first in 0..count.saturating_sub(1) {
        if first + 1 >= items.len() {
            return Ok(());
        }
        let (left, right) = (items[first], items[first + 1]);
        if compare_nodes(tree.node(left), tree.node(right)) == Ordering::Greater
            && door.consider(swapped(&tree, left, right))?
        {
            tree = door.best();
            if !tree.is_repeat(at) {
                return Ok(());
            }
            items = tree.children(at);
        }
    }
    Ok(())
}

/// An item of a list goes before those that are larger, past others that must stay after them.
///
/// `[0 2 1 3 0]` → `[0 0 2 1 3]`
pub(super) fn insert(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    while let Some((tree, at)) = door.next_place(&mut next, |tree| &tree.repeats) {
        let items = tree.children(at);
        if items.len() > MOST_INSERTED {
            door.cut_short();
            continue;
        }
        for (place, item) in items.iter().enumerate().skip(2) {
            let is_larger = |other: &&usize| compare_nodes(tree.node(**other), tree.node(*item)) == Ordering::Greater;
            // Neighbours were tried.
            for before in items[..place - 1].iter().filter(is_larger).take(2) {
                let by = [tree.node(*item), tree.node(*before)].concat();
                let moved = [Splice { place: tree.span(*before), by }, Splice::delete(tree.span(*item))];
                if door.consider(tree.choices.spliced(&moved))? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// How long a list may be whose items are moved.
const MOST_INSERTED: usize = 64;

/// A number goes to another place of the same range that is the simplest: to a later one, or one
/// lower to an earlier one.
///
/// `([0 50] [0 50])` → `([0 0] [50 50])`, `[0 3]` → `[2 0]`
pub(super) fn other_place(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    if tree.numbers.len() > MOST_INSERTED {
        door.cut_short();
        return Ok(());
    }
    for at in &tree.raised {
        let is_free = |other: &usize| tree.index(*other) == 0 && tree.entry(*other).bound() == tree.entry(*at).bound();
        let mut later: Vec<usize> = not_before(&tree.numbers, *at).filter(is_free).collect();
        // The next ones and the last.
        let most = if tree.raised.len() <= FEW_NUMBERS { MOST_PLACES } else { 2 };
        if later.len() > most {
            later.drain(most - 1..later.len() - 1);
        }
        let index = tree.index(*at);
        // The one of the other sign, if these are integers.
        let other_sign = if index & 1 == 1 { index.saturating_add(1) } else { index - 1 };
        for (place, other) in later.iter().enumerate() {
            let is_at_an_end = place == 0 || place + 1 == later.len();
            for index in [index, other_sign].into_iter().take(1 + usize::from(is_at_an_end)) {
                if door.consider(tree.with([(*at, 0), (*other, index)]))? {
                    return Ok(());
                }
            }
        }
        let earlier = tree.numbers.iter().take_while(|other| *other < at).filter(|other| is_free(other)).last();
        if let Some(other) = earlier.filter(|_| index > 1)
            && door.consider(tree.with([(*at, 0), (*other, index - 1)]))?
        {
            return Ok(());
        }
    }
    Ok(())
}

/// How many later places are tried where few numbers are not the simplest.
const FEW_NUMBERS: usize = 4;
const MOST_PLACES: usize = 5;

/// All numbers that are equal change places with all that are equal to another one.
///
/// `[1 0 2 0 1]` → `[0 1 2 1 0]`
pub(super) fn exchange_equal(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let mut groups: HashMap<(u64, u64), Vec<usize>> = HashMap::new();
    for at in &tree.numbers {
        groups.entry((tree.entry(*at).bound(), tree.index(*at))).or_default().push(*at);
    }
    let mut groups: Vec<((u64, u64), Vec<usize>)> = groups.into_iter().collect();
    groups.sort_unstable();
    let (pairs, all) = near_pairs(groups.len());
    if !all {
        door.cut_short();
    }
    for (few, many) in pairs {
        let (((range, small), lower), ((other_range, large), upper)) = (&groups[few], &groups[many]);
        let is_simpler = (lower.len(), upper[0]) < (upper.len(), lower[0]);
        if range != other_range || lower.len() + upper.len() == 2 || !is_simpler {
            continue;
        }
        let changes = lower.iter().map(|at| (*at, *large)).chain(upper.iter().map(|at| (*at, *small)));
        if door.consider(tree.with(changes))? {
            return Ok(());
        }
    }
    Ok(())
}

/// Two items of a list change places, and so do those that mirror them.
///
/// `[1 0 0 2 0 0 1]` → `[0 1 0 2 0 1 0]`
pub(super) fn mirrored(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    while let Some((tree, at)) = door.next_place(&mut next, |tree| &tree.repeats) {
        let items = tree.children(at);
        let mirror = |place: usize| items[items.len() - 1 - place];
        let is_mirrored =
            |place: usize| compare_nodes(tree.node(items[place]), tree.node(mirror(place))) == Ordering::Equal;
        let (pairs, _) = near_pairs(items.len() / 2);
        for (first, second) in pairs {
            let (left, right) = (tree.node(items[first]), tree.node(items[second]));
            if compare_nodes(left, right) != Ordering::Greater || !is_mirrored(first) || !is_mirrored(second) {
                continue;
            }
            let to = |place: usize, by: &[Entry]| Splice { place: tree.span(items[place]), by: by.to_vec() };
            let last = items.len() - 1;
            let all = [to(first, right), to(second, left), to(last - second, left), to(last - first, right)];
            if door.consider(tree.choices.spliced(&all))? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Items go from the end of a list to the end of a later one that is beside it, as many as can be.
///
/// `[[0 0 0] [0 0]]` → `[[0] [0 0 0 0]]`
pub(super) fn to_a_later_list(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let (pairs, all) = near_pairs(tree.repeats.len());
    if !all {
        door.cut_short();
    }
    for (first, second) in pairs {
        let (from, to) = (tree.repeats[first], tree.repeats[second]);
        let items = tree.children(from);
        let Some(last) =
            tree.children(to).last().copied().filter(|_| !items.is_empty() && !tree.span(from).contains(&to))
        else {
            continue;
        };
        let moved = longest(items.len(), |count| {
            let gone = tree.deletion(&items, items.len() - count, items.len());
            let by = [tree.node(last), &tree.choices.entries()[gone.place.clone()]].concat();
            door.consider(tree.choices.spliced(&[gone, Splice { place: tree.span(last), by }]))
        })?;
        if moved > 0 {
            return Ok(());
        }
    }
    Ok(())
}

/// Two parts of one bracket that look alike change places: lists, calls and picks of one generator,
/// numbers of one range.
///
/// `([7] [])` → `([] [7])`
pub(super) fn swap(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    loop {
        let tree = door.best();
        let places = [&tree.brackets, &tree.picks];
        let Some(at) = places.into_iter().filter_map(|places| not_before(places, next).next()).min() else {
            return Ok(());
        };
        next = at + 1;
        let mut parts = tree.children(at);
        let (pairs, all) = near_pairs(parts.len());
        if !all {
            door.cut_short();
        }
        let mut tree = tree;
        for (first, second) in pairs {
            let is_candidate = second < parts.len()
                && are_alike(&tree, parts[first], parts[second])
                && compare_nodes(tree.node(parts[first]), tree.node(parts[second])) == Ordering::Greater;
            if is_candidate && door.consider(swapped(&tree, parts[first], parts[second]))? {
                tree = door.best();
                if at >= tree.choices.len() {
                    return Ok(());
                }
                parts = tree.children(at);
            }
        }
    }
}

fn are_alike(tree: &Tree, left: usize, right: usize) -> bool {
    let (left, right) = (tree.entry(left), tree.entry(right));
    left.kind() == right.kind()
        && match left.kind() {
            Kind::Number => left.bound() == right.bound(),
            Kind::Repeat | Kind::Part => true,
            Kind::Call | Kind::Pick => left.name_id() == right.name_id(),
        }
}

/// The same choices with two nodes in each other's place.
fn swapped(tree: &Tree, left: usize, right: usize) -> Choices {
    let by = |other: usize| tree.node(other).to_vec();
    tree.choices
        .spliced(&[Splice { place: tree.span(left), by: by(right) }, Splice { place: tree.span(right), by: by(left) }])
}
