//! Passes that delete items.

use super::door::{Door, Over};
use super::hoist::Nests;
use super::search::{longest, near_pairs};
use super::tree::{Tree, not_before};
use crate::choice::{Choices, Kind, Splice};
use std::ops::Range;
use std::rc::Rc;

/// Items of lists go: all of them, then from the end, as many neighbours at once as can be.
///
/// `[5 3 7 1 2]` → `[3 7]`
pub(super) fn delete(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    loop {
        let tree = door.best();
        let Some(at) = not_before(&tree.repeats, next).next() else {
            return Ok(());
        };
        next = at + 1;
        delete_from(door, at)?;
    }
}

fn delete_from(door: &mut Door<'_>, at: usize) -> Result<(), Over> {
    let tree = door.best();
    let items = tree.children(at);
    if items.is_empty() {
        return Ok(());
    }
    let empty = tree.without_children(&items, 0, items.len());
    // A list of a fixed length fills up again; its length may be another number's business.
    let is_fixed = door.replay(&empty).is_some_and(|made| {
        made.entries()
            .get(at)
            .is_some_and(|entry| entry.kind() == tree.entry(at).kind() && entry.index() >= tree.index(at))
    });
    if is_fixed || door.consider(empty)? {
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

/// Calls `attempt` with each item of each list, the last item first: the tree, where the list stands, the items, and which one it is.
fn for_each_item(
    door: &mut Door<'_>,
    mut attempt: impl FnMut(&mut Door<'_>, &Rc<Tree>, &[usize], usize) -> Result<(), Over>,
) -> Result<(), Over> {
    let mut next = 0;
    loop {
        let mut tree = door.best();
        let Some(at) = not_before(&tree.repeats, next).next() else {
            return Ok(());
        };
        next = at + 1;
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
}

/// A part goes and the numbers that are left make up for it: they become as large as they can be, to be lowered again. The part is an item of a list,
/// or what stands around a part of the same generator.
///
/// `(8 [9 7])` → `(1000 [9])`
pub(super) fn delete_and_raise(door: &mut Door<'_>) -> Result<(), Over> {
    for_each_item(door, |door, tree, items, place| {
        let gone = tree.span(items[place]);
        if let Some(raised) = raised_outside(tree, gone.clone(), gone) {
            door.consider(raised.spliced(&[tree.deletion(items, place, place + 1)]))?;
        }
        Ok(())
    })?;
    let tree = door.best();
    let nests = Nests::of(&tree);
    for outer in &nests.outer {
        for inner in nests.inner(*outer) {
            if let Some(raised) = raised_outside(&tree, tree.span(*outer), tree.span(*inner)) {
                let kept = raised.entries()[tree.span(*inner)].to_vec();
                let splice = Splice { place: tree.span(*outer), by: kept };
                if door.consider(raised.spliced(&[splice]))? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// The numbers that are not the simplest become the largest, but for those in `gone`, unless they are in `kept`. How large that is, the replay knows.
fn raised_outside(tree: &Tree, gone: Range<usize>, kept: Range<usize>) -> Option<Choices> {
    let is_left = |at: &usize| !gone.contains(at) || (kept != gone && kept.contains(at));
    let raised: Vec<usize> = tree.raised().into_iter().filter(is_left).collect();
    (!raised.is_empty()).then(|| tree.with(raised.iter().map(|at| (*at, u64::MAX))))
}

/// An item goes, and numbers that may be places in the list, after that item, become one less.
///
/// `[0 2 1]` → `[1 0]`
pub(super) fn delete_and_shift(door: &mut Door<'_>) -> Result<(), Over> {
    for_each_item(door, |door, tree, items, place| {
        let item = tree.span(items[place]);
        let is_after = |index: u64| index > place as u64 && index <= items.len() as u64;
        let shifted: Vec<(usize, u64)> = tree
            .raised()
            .into_iter()
            .filter(|at| !item.contains(at) && is_after(tree.index(*at)))
            .map(|at| (at, tree.index(at) - 1))
            .collect();
        let gone = tree.deletion(items, place, place + 1);
        if shifted.is_empty()
            || door.consider(tree.with(shifted.iter().copied()).spliced(std::slice::from_ref(&gone)))?
        {
            return Ok(());
        }
        // Not all of them need be places.
        if (2..=MOST_SHIFTED).contains(&shifted.len()) {
            for one in shifted {
                if door.consider(tree.with([one]).spliced(std::slice::from_ref(&gone)))? {
                    break;
                }
            }
        }
        Ok(())
    })
}

/// How many numbers are tried one by one as the only place in a list.
const MOST_SHIFTED: usize = 3;

/// Two items of a list go that are not next to each other, or do not go one by one: an opening bracket and the closing one. Short lists are left to
/// other passes, which leave few pairs untried.
///
/// `[5 0 -5]` → `[0]`
pub(super) fn delete_two(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    // Items of all lists in one row: two that belong together may stand in different ones.
    let mut items: Vec<usize> = tree.repeats.iter().flat_map(|at| tree.children(*at)).collect();
    items.sort_unstable();
    if items.len() < 4 {
        return Ok(());
    }
    let (pairs, all) = near_pairs(items.len());
    if !all {
        door.cut_short();
    }
    for (first, second) in pairs {
        let (first, second) = (tree.span(items[first]), tree.span(items[second]));
        if first.end <= second.start
            && door.consider(tree.choices.spliced(&[Splice::delete(first), Splice::delete(second)]))?
        {
            return Ok(());
        }
    }
    Ok(())
}

/// Two items of a list become one: their sum, or their difference where only one of them is odd, as the indices of 3 and -3 are.
///
/// `[30 0 70]` → `[0 100]`
pub(super) fn fuse(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    loop {
        let tree = door.best();
        let Some(at) = not_before(&tree.repeats, next).next() else {
            return Ok(());
        };
        next = at + 1;
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
            for result in results {
                let fused = tree.with([(kept, result)]).spliced(&[tree.deletion(&items, first, first + 1)]);
                if left > 0 && right > 0 && door.consider(fused)? {
                    return Ok(());
                }
            }
        }
    }
}

/// The number of a part that has no other choice.
fn only_number(tree: &Tree, at: usize) -> Option<usize> {
    let mut choices = tree.span(at).filter(|at| !matches!(tree.entry(*at).kind(), Kind::Call | Kind::Part));
    let first = choices.next()?;
    (tree.entry(first).kind() == Kind::Number && choices.next().is_none()).then_some(first)
}
