//! Passes that delete items.

use super::door::{Door, Over};
use super::hoist::Nests;
use super::order::compare_nodes;
use super::pairs::{index_of, is_bound, value_of};
use super::search::{longest, near_pairs};
use super::tree::Tree;
use crate::choice::{Entry, Kind, Splice};
use std::cmp::Ordering;
use std::rc::Rc;

/// Items of lists go: all of them, then from the end, as many neighbours at once as can be.
///
/// `[5 3 7 1 2]` → `[3 7]`
pub(super) fn delete(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    while let Some((_, at)) = door.next_place(&mut next, |tree| &tree.repeats) {
        delete_from(door, at)?;
    }
    Ok(())
}

/// The same of lists in a large tree whose items are a good part of it each: a run for each of them
/// is nothing beside those that what is in them takes.
///
/// `[[5 3 …] [7 1 …]]` → `[[7 1 …]]`
pub(super) fn delete_large(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    while let Some((tree, at)) = door.next_place(&mut next, |tree| &tree.repeats) {
        let is_large =
            |size: usize| size >= LARGE && size / FEW_OF_LARGE * tree.children(at).len() <= tree.inside(at).len();
        if is_large(tree.choices.len()) {
            delete_from(door, at)?;
        }
    }
    Ok(())
}

/// How many nodes make a tree large, and how many large items may make it up.
const LARGE: usize = 256;
const FEW_OF_LARGE: usize = 64;

fn delete_from(door: &mut Door<'_>, at: usize) -> Result<(), Over> {
    let tree = door.best();
    let items = tree.children(at);
    if items.is_empty() {
        return Ok(());
    }
    if is_fixed(door, &tree, at, &items)? || door.consider(tree.without_children(&items, 0, items.len()))? {
        return Ok(());
    }
    // Where any few items will do, the first few do.
    let mut kept = 2;
    while kept * 2 < items.len() {
        if door.consider(tree.without_children(&items, kept, items.len()))? {
            break;
        }
        kept *= 4;
    }
    let mut end = items.len();
    while end > 0 {
        let tree = door.best();
        if !tree.is_repeat(at) {
            return Ok(());
        }
        let items = tree.children(at);
        end = end.min(items.len());
        let length = longest(end, |length| door.consider(tree.without_children(&items, end - length, end)))?;
        end = end.saturating_sub(length.max(1));
    }
    Ok(())
}

/// What stands between two equal items of a long list goes, with one of them: as many neighbours at
/// once as can be, first between items that are rare. A line of a text goes, or what is quoted,
/// where no single character does.
///
/// `[7 1 1 0 7 2 0 7 3 0]` → `[7 2 0]`
pub(super) fn delete_between_equals(door: &mut Door<'_>) -> Result<(), Over> {
    delete_between(door, MANY, &[])
}

/// The same in short lists, also where only two to four neighbours go at once.
///
/// `[7 1 7 2 7 1 7]` → `[7 1 7]`
pub(super) fn delete_between_some(door: &mut Door<'_>) -> Result<(), Over> {
    delete_between(door, LONG, &[2, 3, 4])
}

fn delete_between(door: &mut Door<'_>, fewest: usize, others: &[usize]) -> Result<(), Over> {
    let mut next = 0;
    while let Some((_, at)) = door.next_place(&mut next, |tree| &tree.repeats) {
        let tree = door.best();
        let items = tree.children(at);
        if items.len() < fewest || is_fixed(door, &tree, at, &items)? {
            continue;
        }
        for (_, item) in rarest(&tree, &items) {
            let mut end = usize::MAX;
            loop {
                let tree = door.best();
                if !tree.is_repeat(at) {
                    return Ok(());
                }
                let items = tree.children(at);
                let is_like = |place: &usize| compare_nodes(tree.node(items[*place]), &item) == Ordering::Equal;
                let starts: Vec<usize> = (0..items.len()).filter(is_like).collect();
                end = end.min(starts.len().saturating_sub(1));
                if end == 0 {
                    break;
                }
                let mut attempt =
                    |length: usize| door.consider(tree.without_children(&items, starts[end - length], starts[end]));
                let mut length = longest(end, &mut attempt)?;
                for other in others.iter().filter(|other| **other <= end) {
                    if length == 0 && attempt(*other)? {
                        length = *other;
                    }
                }
                end -= length.max(1);
            }
        }
    }
    Ok(())
}

/// The items that occur more than once, but not so often that little stands between them: the
/// rarest first.
fn rarest(tree: &Tree, items: &[usize]) -> Vec<(usize, Vec<Entry>)> {
    let mut sorted: Vec<&[Entry]> = items.iter().map(|item| tree.node(*item)).collect();
    sorted.sort_by(|left, right| compare_nodes(left, right));
    let mut rarest: Vec<(usize, Vec<Entry>)> = Vec::new();
    for group in sorted.chunk_by(|left, right| compare_nodes(left, right) == Ordering::Equal) {
        if (2..=items.len() / 4).contains(&group.len()) {
            rarest.push((group.len(), group[0].to_vec()));
        }
    }
    rarest.sort_by_key(|(count, _)| *count);
    // A few of those that occur about as often.
    let (mut bits, mut alike) = (0, 0);
    rarest.retain(|(count, _)| {
        alike = if count.ilog2() == bits { alike + 1 } else { 1 };
        bits = count.ilog2();
        alike <= MAX_ALIKE
    });
    rarest
}

/// How many items make a list so long that what stands between equal ones is looked at, and how
/// many different ones are that occur about as often.
const MANY: usize = 64;
const MAX_ALIKE: usize = 4;

/// Whether a list fills up again without its items: its length is fixed, and may be another
/// number's business.
fn is_fixed(door: &mut Door<'_>, tree: &Tree, at: usize, items: &[usize]) -> Result<bool, Over> {
    let made = door.replay(&tree.without_children(items, 0, items.len()))?;
    Ok(made.is_some_and(|made| {
        let is_same = |entry: &Entry| entry.kind() == tree.entry(at).kind() && entry.index() >= tree.index(at);
        made.entries().get(at).is_some_and(is_same)
    }))
}

/// Calls `attempt` with each item of each list, the last item first: the tree, where the list
/// stands, the items, and which one it is.
fn for_each_item(
    door: &mut Door<'_>,
    mut attempt: impl FnMut(&mut Door<'_>, &Rc<Tree>, &[usize], usize) -> Result<(), Over>,
) -> Result<(), Over> {
    let mut next = 0;
    while let Some((mut tree, at)) = door.next_place(&mut next, |tree| &tree.repeats) {
        let mut items = tree.children(at);
        let mut place = items.len();
        while place > 0 {
            place -= 1;
            let before = door.version();
            attempt(door, &tree, &items, place)?;
            if door.version() != before {
                tree = door.best();
                if !tree.is_repeat(at) {
                    break;
                }
                items = tree.children(at);
                place = place.min(items.len());
            }
        }
    }
    Ok(())
}

/// A part goes and the numbers that are left make up for it: they become as large as they can be,
/// to be lowered again. The part is an item of a list, or what stands around a part of the same
/// generator. Where not all numbers will do, those of the same list may.
///
/// `(8 [9 7])` → `(1000 [9])`
pub(super) fn delete_and_raise(door: &mut Door<'_>) -> Result<(), Over> {
    if door.best().raised.is_empty() {
        return Ok(());
    }
    for_each_item(door, |door, tree, items, place| {
        let gone = tree.span(items[place]);
        let others = items[0]..tree.choices.end_of(items[items.len() - 1]);
        for others in [0..tree.choices.len(), others] {
            let before = tree.raised.partition_point(|at| *at < others.start);
            let inside = tree.raised[before..].iter().take_while(|at| **at < others.end);
            let raised: Vec<(usize, u64)> = inside.filter(|at| !gone.contains(at)).map(|at| (*at, u64::MAX)).collect();
            if !raised.is_empty()
                && door.consider(tree.with(raised).spliced(&[tree.deletion(items, place, place + 1)]))?
            {
                break;
            }
        }
        Ok(())
    })?;
    let tree = door.best();
    let nests = Nests::of(&tree);
    for outer in &nests.outer {
        for inner in nests.inner(*outer) {
            let (gone, kept) = (tree.span(*outer), tree.span(*inner));
            let is_left = |at: &&usize| !gone.contains(at) || kept.contains(at);
            let raised: Vec<(usize, u64)> = tree.raised.iter().filter(is_left).map(|at| (*at, u64::MAX)).collect();
            if !raised.is_empty() {
                let raised = tree.with(raised);
                let splice = Splice { place: gone, by: raised.entries()[kept].to_vec() };
                if door.consider(raised.spliced(&[splice]))? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// An item goes, and numbers that may be places in the list, after that item, become one less.
///
/// `[0 2 1]` → `[1 0]`
pub(super) fn delete_and_shift(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    while let Some((_, at)) = door.next_place(&mut next, |tree| &tree.repeats) {
        delete_places_of(door, at)?;
    }
    Ok(())
}

fn delete_places_of(door: &mut Door<'_>, at: usize) -> Result<(), Over> {
    let mut tree = door.best();
    let mut items = tree.children(at);
    let mut places = places_in(&tree, items.len());
    let mut place = items.len();
    while place > 0 && !places.is_empty() {
        place -= 1;
        let item = tree.span(items[place]);
        let shifted: Vec<(usize, u64)> = places
            .iter()
            .filter(|number| !item.contains(number) && tree.index(**number) > place as u64)
            .map(|number| (*number, tree.index(*number) - 1))
            .collect();
        if shifted.is_empty() {
            continue;
        }
        let gone = [tree.deletion(&items, place, place + 1)];
        let mut was_better = door.consider(tree.with(shifted.iter().copied()).spliced(&gone))?;
        // Not all of them need be places.
        if (2..=MOST_SHIFTED).contains(&shifted.len()) {
            for one in shifted {
                was_better = was_better || door.consider(tree.with([one]).spliced(&gone))?;
            }
        }
        if was_better {
            tree = door.best();
            if !tree.is_repeat(at) {
                return Ok(());
            }
            items = tree.children(at);
            places = places_in(&tree, items.len());
            place = place.min(items.len());
        }
    }
    Ok(())
}

/// Items go from an end of a list, and a number that counts them among other things becomes less by
/// as many: it may say where something stands that comes after them.
///
/// `([0 0 0] 15 [1])` → `([0] 13 [1])`
pub(super) fn delete_and_lower(door: &mut Door<'_>) -> Result<(), Over> {
    while delete_and_lower_one(door)? {}
    Ok(())
}

fn delete_and_lower_one(door: &mut Door<'_>) -> Result<bool, Over> {
    let tree = door.best();
    let mut exact = Vec::new();
    for number in tree.raised.iter().copied().filter(|at| tree.index(*at) > 1).take(MAX_LOWERED) {
        if !is_bound(door, &tree, number)? {
            exact.push(number);
        }
    }
    for at in &tree.repeats {
        let items = tree.children(*at);
        for number in exact.iter().filter(|number| !tree.span(*at).contains(number)) {
            for is_from_end in [true, false] {
                let length = longest(items.len(), |length| {
                    let from = if is_from_end { items.len() - length } else { 0 };
                    let gone = tree.deletion(&items, from, from + length);
                    // Lists in the items count too.
                    let inside = tree.choices.entries()[gone.place.clone()].iter();
                    let nested: u64 =
                        inside.filter(|entry| entry.kind() == Kind::Repeat).map(|entry| entry.index()).sum();
                    match tree.index(*number).checked_sub(length as u64 + nested) {
                        Some(index) => door.consider(tree.with([(*number, index)]).spliced(&[gone])),
                        None => Ok(false),
                    }
                })?;
                if length > 0 {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// How many numbers are lowered with items that go.
const MAX_LOWERED: usize = 8;

/// The numbers that may be places in a list of so many items, but for the first.
fn places_in(tree: &Tree, items: usize) -> Vec<usize> {
    tree.raised.iter().copied().filter(|at| tree.index(*at) <= items as u64).collect()
}

/// How many numbers are tried one by one as the only place in a list.
const MOST_SHIFTED: usize = 3;

/// Two items of a list go that are not next to each other, or do not go one by one: an opening
/// bracket and the closing one. Short lists are left to other passes, which leave few pairs
/// untried.
///
/// `[5 0 -5]` → `[0]`
pub(super) fn delete_two(door: &mut Door<'_>) -> Result<(), Over> {
    let mut tree = door.best();
    let mut items = all_items(&tree);
    if items.len() < 4 {
        return Ok(());
    }
    let (pairs, all) = near_pairs(items.len());
    if !all {
        door.cut_short();
    }
    for (first, second) in pairs {
        // Where two have gone, the next two may go as well.
        while second < items.len() {
            let (left, right) = (tree.span(items[first]), tree.span(items[second]));
            let both = [Splice::delete(left.clone()), Splice::delete(right.clone())];
            if left.end > right.start || !door.consider(tree.choices.spliced(&both))? {
                break;
            }
            tree = door.best();
            items = all_items(&tree);
        }
    }
    Ok(())
}

/// Two neighbours go from a long list: before runs are spent on what stands in its items.
///
/// `[5 -5 1 7 -7 3 3 2 2]` → `[1]`
pub(super) fn delete_neighbours(door: &mut Door<'_>) -> Result<(), Over> {
    // It rarely helps, and in long lists takes as many runs as all that came before.
    door.limit_idle_runs();
    let mut next = 0;
    while let Some((mut tree, at)) = door.next_place(&mut next, |tree| &tree.repeats) {
        let mut items = tree.children(at);
        if items.len() < LONG || is_fixed(door, &tree, at, &items)? {
            continue;
        }
        let mut first = 0;
        while first + 1 < items.len() {
            if !door.consider(tree.without_children(&items, first, first + 2))? {
                first += 1;
                continue;
            }
            tree = door.best();
            if !tree.is_repeat(at) {
                break;
            }
            items = tree.children(at);
        }
    }
    Ok(())
}

/// How many items are many.
const LONG: usize = 8;

/// The items of all lists in one row: two that belong together may stand in different ones.
fn all_items(tree: &Tree) -> Vec<usize> {
    let mut items: Vec<usize> = tree.repeats.iter().flat_map(|at| tree.children(*at)).collect();
    items.sort_unstable();
    items
}

/// Two items of a list become one: their sum, or their difference where only one of them is odd, as
/// the indices of 3 and -3 are.
///
/// `[30 0 70]` → `[0 100]`
pub(super) fn fuse(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    while let Some((tree, at)) = door.next_place(&mut next, |tree| &tree.repeats) {
        let items = tree.children(at);
        let (pairs, all) = near_pairs(items.len());
        if !all {
            door.cut_short();
        }
        for (first, second) in pairs {
            let (Some(gone), Some(kept)) = (only_number(&tree, items[first]), only_number(&tree, items[second])) else {
                continue;
            };
            let (left, right) = (tree.index(gone), tree.index(kept));
            let (sum, difference) = (left.saturating_add(right), left.abs_diff(right));
            let results = match (left & 1, right & 1) {
                (0, 0) => [sum, sum],
                (1, 1) => [sum, sum.saturating_add(1)],
                _ => [difference, difference.saturating_sub(1)],
            };
            if left == 0 || right == 0 {
                continue;
            }
            for result in results {
                let gone = [tree.deletion(&items, first, first + 1)];
                if door.consider(tree.with([(kept, result)]).spliced(&gone))? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// Items go, and a neighbour takes what they had, so that the sum stays: of their indices, of
/// numbers from 1 on, or of integers. The most items go first.
///
/// `[0 0 0 49]` → `[2 49]`, where numbers from 1 on fail that add up to 53
pub(super) fn delete_and_give(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    for at in &tree.repeats {
        let items = tree.children(*at);
        let numbers: Vec<usize> = items.iter().filter_map(|item| only_number(&tree, *item)).collect();
        if numbers.len() < items.len() || items.len() > MAX_SUMMED {
            continue;
        }
        for count in (1..items.len()).rev() {
            for first in 0..=items.len() - count {
                let neighbours = [first.checked_sub(1), Some(first + count)];
                for kept in neighbours.into_iter().flatten().filter(|kept| *kept < items.len()) {
                    for index in sums(&tree, numbers[kept], &numbers[first..first + count]) {
                        let gone = tree.deletion(&items, first, first + count);
                        if door.consider(tree.with([(numbers[kept], index)]).spliced(&[gone]))? {
                            return Ok(());
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

/// How many items a list may have of which any neighbours are added up.
const MAX_SUMMED: usize = 16;

/// The indices of a number with others added to it, as far as there is room: see
/// [`delete_and_give`].
fn sums(tree: &Tree, kept: usize, gone: &[usize]) -> Vec<u64> {
    let all = || gone.iter().chain([&kept]).map(|at| tree.index(*at));
    let indices = all().map(u128::from).sum::<u128>();
    let mut sums = vec![indices, indices + gone.len() as u128, index_of(all().map(value_of).sum())];
    sums.retain(|sum| *sum <= u128::from(tree.entry(kept).bound()));
    sums.dedup();
    sums.into_iter().filter_map(|sum| u64::try_from(sum).ok()).collect()
}

/// Items go from both ends of a list, the most first: what stands around a part of a text.
///
/// `[7 5 1 2 3 8]` → `[1 2 3]`
pub(super) fn delete_both_ends(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    for at in &tree.repeats {
        let items = tree.children(*at);
        let most = MAX_AT_END.min(items.len().saturating_sub(1));
        for both in (2..=2 * most).rev().filter(|both| *both < items.len()) {
            for first in (1..both).filter(|first| *first <= most && both - first <= most) {
                let last = items.len() - (both - first);
                let gone = [tree.deletion(&items, 0, first), tree.deletion(&items, last, items.len())];
                if door.consider(tree.choices.spliced(&gone))? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// How many items go from each end at most, if they go from both.
const MAX_AT_END: usize = 8;

/// The number of a part that has no other choice.
fn only_number(tree: &Tree, at: usize) -> Option<usize> {
    let mut choices = tree.span(at).filter(|at| !matches!(tree.entry(*at).kind(), Kind::Call | Kind::Part));
    let first = choices.next()?;
    (tree.entry(first).kind() == Kind::Number && choices.next().is_none()).then_some(first)
}
