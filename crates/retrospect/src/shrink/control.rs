//! The pass for numbers that say how much is drawn after them.

use super::door::{Door, Over};
use super::search::longest;
use super::tree::{Tree, not_before};
use crate::choice::{Choices, Kind};

/// How many numbers are asked whether they control anything, each by a replay.
const MOST_PROBES: usize = 500;

/// A number that says how many parts follow is lowered, and as many parts are taken away, from any place in the list rather than from its end. Which
/// lists a number controls is found out by a replay with one less: those that got shorter.
///
/// `(3 [5 900 7])` → `(1 [900])`
pub(super) fn control(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    let mut probes = 0;
    loop {
        let tree = door.best();
        let Some(at) = not_before(&tree.numbers, next).find(|at| tree.index(*at) > 0) else {
            return Ok(());
        };
        next = at + 1;
        if probes == MOST_PROBES {
            door.cut_short();
            return Ok(());
        }
        probes += 1;
        if let Some(made) = door.replay(&tree.with([(at, tree.index(at) - 1)])) {
            let lists = shortened(&tree, &made);
            if !lists.is_empty() {
                lower_with_lists(door, at, &lists)?;
            }
        }
    }
}

/// A list that follows a number: where it stands, and how many parts it loses if the number is one less.
struct Controlled {
    at: usize,
    parts: usize,
}

fn lower_with_lists(door: &mut Door<'_>, at: usize, lists: &[Controlled]) -> Result<(), Over> {
    let steps = |tree: &Tree| {
        let lengths = lists.iter().map(|list| tree.choices.children(list.at).count() / list.parts);
        lengths.min().unwrap_or(0).min(usize::try_from(tree.index(at)).unwrap_or(usize::MAX))
    };
    let mut end = usize::MAX;
    loop {
        let tree = door.best();
        let still_there = tree.numbers.binary_search(&at).is_ok()
            && lists.iter().all(|list| list.at < tree.choices.len() && tree.entry(list.at).kind() != Kind::Number);
        if !still_there {
            return Ok(());
        }
        let longest_list = lists.iter().map(|list| tree.choices.children(list.at).count() / list.parts).min();
        end = end.min(longest_list.unwrap_or(0));
        if end == 0 {
            return Ok(());
        }
        let children: Vec<Vec<usize>> = lists.iter().map(|list| tree.children(list.at)).collect();
        let most = end.min(steps(&tree));
        let length = longest(most, |length| {
            let lowered = tree.with([(at, tree.index(at) - length as u64)]);
            let splices: Vec<_> = lists
                .iter()
                .zip(&children)
                .map(|(list, children)| tree.deletion(children, (end - length) * list.parts, end * list.parts))
                .collect();
            door.consider(lowered.spliced(&splices))
        })?;
        end -= length.max(1);
    }
}

/// The lists and brackets of the tree that have fewer parts in `made`, which is the same tree otherwise.
fn shortened(tree: &Tree, made: &Choices) -> Vec<Controlled> {
    let mut lists = Vec::new();
    let (mut old, mut new) = (0, 0);
    while old < tree.choices.len() && new < made.len() {
        let (before, after) = (tree.entry(old), made.entries()[new]);
        if before.kind() != after.kind() {
            return Vec::new();
        }
        let is_list = matches!(before.kind(), Kind::Repeat | Kind::Call);
        let count = |choices: &Choices, at: usize| choices.children(at).count();
        if is_list && before.extent() != after.extent() {
            let (long, short) = (count(&tree.choices, old), count(made, new));
            if long > short {
                lists.push(Controlled { at: old, parts: long - short });
                (old, new) = (tree.choices.end_of(old), made.end_of(new));
                continue;
            }
            if long < short {
                return Vec::new();
            }
        }
        (old, new) = (old + 1, new + 1);
    }
    lists
}
