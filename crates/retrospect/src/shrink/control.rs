//! The pass for numbers that say how much is drawn after them.

use super::door::{Door, Over};
use super::search::longest;
use super::tree::Tree;
use crate::choice::{Choices, Kind, Splice};

/// How many numbers are asked whether they control anything, each by a replay.
const MOST_PROBES: usize = 500;

/// A number that says how many parts follow is lowered, and as many parts are taken away, from any
/// place rather than from the end: items of lists, or what is drawn after the number in the same
/// bracket. What a number controls is found out by a replay with one less: what got shorter.
///
/// `(3 [5 900 7])` → `(1 [900])`, `(3 5 900 7)` → `(1 900)`
pub(super) fn control(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    let mut probes = 0;
    while let Some((tree, at)) = door.next_place(&mut next, |tree| &tree.raised) {
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
            if let [row] = &rows[..] {
                delete_rows_and_columns(door, at, row)?;
            }
        }
    }
    Ok(())
}

/// Where a number says how many rows and columns a list has, one of each goes: a node of a graph.
///
/// `(3 [0 0 0 0 0 7 0 0 0])` → `(2 [0 7 0 0])`
fn delete_rows_and_columns(door: &mut Door<'_>, at: usize, row: &Row) -> Result<(), Over> {
    let mut line = usize::MAX;
    while line > 0 {
        let tree = door.best();
        let is_there =
            row.around.is_none_or(|around| around < tree.choices.len() && tree.entry(around).kind() != Kind::Number);
        if tree.raised.binary_search(&at).is_err() || !is_there {
            return Ok(());
        }
        let cells = row.children(&tree);
        let side = cells.len().isqrt();
        // A list of fewer cells is searched by other passes.
        if side * side != cells.len() || side < MIN_SIDE || line == usize::MAX && row.parts != 2 * side - 1 {
            return Ok(());
        }
        line = line.min(side) - 1;
        let is_gone = |place: &usize| place / side == line || place % side == line;
        let gone: Vec<Splice> =
            (0..cells.len()).filter(is_gone).map(|place| Splice::delete(tree.span(cells[place]))).collect();
        door.consider(tree.with([(at, tree.index(at) - 1)]).spliced(&gone))?;
    }
    Ok(())
}

/// How many rows make a list so large that they are deleted as rows.
const MIN_SIDE: usize = 3;

/// Parts that a number controls: those of a list or a bracket, or at the top, and of these the ones
/// after the number.
struct Row {
    /// Where the list or the bracket stands; nothing stands around the top.
    around: Option<usize>,
    /// How many of its parts do not belong to the row, since the number is one of them or stands in
    /// one.
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

    /// How many parts the row has less in `made`, where the same numbers stand before it; nothing
    /// if it is not there.
    fn missing(&self, tree: &Tree, made: &Choices) -> Option<usize> {
        let is_there = |at: usize| at < made.len() && made.entries()[at].kind() == tree.entry(at).kind();
        let missing = children_of(&tree.choices, self.around).len();
        let left = self.around.is_none_or(is_there).then(|| children_of(made, self.around).len())?;
        Some(missing.saturating_sub(left).min(self.children(tree).len()))
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

/// Of two numbers that say together how many parts follow, one is lowered and the other raised
/// until there are as many parts as before, or a few less; those that are too many go from the
/// front, since a replay takes them from the end. How far to raise is found out by replays.
///
/// `(5 5 [0 … 0 1])` → `(6 4 [0 … 0 1])`, where the list is as long as the product
pub(super) fn control_two(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let mut controls: Vec<(usize, Vec<Row>)> = Vec::new();
    for at in tree.raised.iter().copied().take(MOST_PROBES_FOR_TWO) {
        if let Some(made) = door.replay(&tree.with([(at, tree.index(at) - 1)]))? {
            let rows = shortened(&tree, &made, at);
            if !rows.is_empty() && controls.len() < MOST_CONTROLS {
                controls.push((at, rows));
            }
        }
    }
    for (from, rows) in &controls {
        let index = tree.index(*from);
        for (to, _) in controls.iter().filter(|(to, _)| to != from) {
            for lowered in [0, index - 1].into_iter().take(if index == 1 { 1 } else { 2 }) {
                if exchange_control(door, &tree, (*from, lowered), *to, rows)? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// How many numbers are asked whether they control anything, and how many that do are taken two by
/// two.
const MOST_PROBES_FOR_TWO: usize = 32;
const MOST_CONTROLS: usize = 6;

fn exchange_control(
    door: &mut Door<'_>,
    tree: &Tree,
    from: (usize, u64),
    to: usize,
    rows: &[Row],
) -> Result<bool, Over> {
    let exchanged = |more: u64| tree.with([from, (to, tree.index(to).saturating_add(more))]);
    let is_long = |door: &mut Door<'_>, more: u64| -> Result<Option<bool>, Over> {
        let made = door.replay(&exchanged(more))?;
        let is_there =
            |made: &Choices| made.entries().get(to).is_some_and(|entry| entry.index() >= tree.index(to) + more);
        Ok(made.filter(is_there).map(|made| rows.iter().all(|row| row.missing(tree, &made) == Some(0))))
    };
    // The least that makes up for what was lowered, by doubling and halving.
    let (mut short, mut long) = (0, 1);
    while is_long(door, long)? == Some(false) {
        (short, long) = (long, long.saturating_mul(2));
        if long > MOST_MORE {
            return Ok(false);
        }
    }
    while long - short > 1 {
        let middle = short + (long - short) / 2;
        match is_long(door, middle)? {
            Some(false) => short = middle,
            _ => long = middle,
        }
    }
    for more in [short, long].into_iter().filter(|more| *more > 0) {
        let Some(made) = door.replay(&exchanged(more))? else { continue };
        let mut splices = Vec::with_capacity(rows.len());
        for row in rows {
            let missing = row.missing(tree, &made).unwrap_or(0);
            if missing > 0 {
                splices.push(tree.deletion(&row.children(tree), 0, missing));
            }
        }
        if door.consider(exchanged(more).spliced(&splices))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// By how much a number is raised at most while another one is lowered.
const MOST_MORE: u64 = 1 << 10;

/// The rows of the tree that are shorter in `made`, which is the same tree with the number at
/// `number` one less.
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
