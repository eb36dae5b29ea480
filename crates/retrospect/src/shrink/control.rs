//! The pass for numbers that say how much is drawn after them.

use super::door::{Door, Over};
use super::search::longest;
use super::tree::{Tree, not_before};
use crate::choice::{Choices, Kind};

/// How many numbers are asked whether they control anything, each by a replay.
const MOST_PROBES: usize = 500;

/// A number that says how many parts follow is lowered, and as many parts are taken away, from any place rather than from the end: items of lists, or what
/// is drawn after the number in the same bracket. What a number controls is found out by a replay with one less: what got shorter.
///
/// `(3 [5 900 7])` → `(1 [900])`, `(3 5 900 7)` → `(1 900)`
pub(super) fn control(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    let mut probes = 0;
    loop {
        let tree = door.best();
        let Some(at) = not_before(&tree.raised, next).next() else {
            return Ok(());
        };
        next = at + 1;
        if probes == MOST_PROBES {
            door.cut_short();
            return Ok(());
        }
        probes += 1;
        if let Some(made) = door.replay(&tree.with([(at, tree.index(at) - 1)]))? {
            let rows = shortened(&tree, &made, at);
            if !rows.is_empty() {
                lower_with_rows(door, at, &rows)?;
            }
        }
    }
}

/// Parts that a number controls: those of a list or a bracket, or at the top, and of these the ones after the number.
struct Row {
    /// Where the list or the bracket stands; nothing stands around the top.
    around: Option<usize>,
    /// How many of its parts do not belong to the row, since the number is one of them or stands in one.
    before: usize,
    /// How many parts are gone if the number is one less.
    parts: usize,
}

impl Row {
    fn children(&self, tree: &Tree) -> Vec<usize> {
        let mut children = children_of(&tree.choices, self.around);
        children.drain(..self.before.min(children.len()));
        children
    }
}

fn lower_with_rows(door: &mut Door<'_>, at: usize, rows: &[Row]) -> Result<(), Over> {
    let mut end = usize::MAX;
    loop {
        let tree = door.best();
        let is_there = |row: &Row| {
            row.around.is_none_or(|around| around < tree.choices.len() && tree.entry(around).kind() != Kind::Number)
        };
        if tree.raised.binary_search(&at).is_err() || !rows.iter().all(is_there) {
            return Ok(());
        }
        let children: Vec<Vec<usize>> = rows.iter().map(|row| row.children(&tree)).collect();
        for (row, children) in rows.iter().zip(&children) {
            end = end.min(children.len() / row.parts);
        }
        if end == 0 {
            return Ok(());
        }
        let most = end.min(usize::try_from(tree.index(at)).unwrap_or(usize::MAX));
        let length = longest(most, |length| {
            let lowered = tree.with([(at, tree.index(at) - length as u64)]);
            let mut splices = Vec::with_capacity(rows.len());
            for (row, children) in rows.iter().zip(&children) {
                splices.push(tree.deletion(children, (end - length) * row.parts, end * row.parts));
            }
            door.consider(lowered.spliced(&splices))
        })?;
        end -= length.max(1);
    }
}

/// The rows of the tree that are shorter in `made`, which is the same tree with the number at `number` one less.
fn shortened(tree: &Tree, made: &Choices, number: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let count = |choices: &Choices, around: Option<usize>| children_of(choices, around).len();
    let (long, short) = (count(&tree.choices, None), count(made, None));
    if long != short {
        let before = children_of(&tree.choices, None).partition_point(|child| *child <= number);
        return if long > short { vec![Row { around: None, before, parts: long - short }] } else { rows };
    }
    let (mut old, mut new) = (0, 0);
    while old < tree.choices.len() && new < made.len() {
        let (before, after) = (tree.entry(old), made.entries()[new]);
        if before.kind() != after.kind() {
            return Vec::new();
        }
        if before.kind() != Kind::Number && before.extent() != after.extent() {
            let (long, short) = (count(&tree.choices, Some(old)), count(made, Some(new)));
            if long > short {
                let before = tree.children(old).partition_point(|child| *child <= number);
                rows.push(Row { around: Some(old), before, parts: long - short });
                (old, new) = (tree.choices.end_of(old), made.end_of(new));
                continue;
            }
            if long < short {
                return Vec::new();
            }
        }
        (old, new) = (old + 1, new + 1);
    }
    rows
}

/// The parts of a list or a bracket, or those at the top.
fn children_of(choices: &Choices, around: Option<usize>) -> Vec<usize> {
    match around {
        Some(at) => choices.children(at).collect(),
        None => choices.roots().collect(),
    }
}
