//! The pass that joins lists in lists.

use super::door::{Door, Over};
use super::tree::Tree;
use crate::choice::{Entry, Kind, Splice};

/// The lists in a list become one: all of them, or two neighbours. An item that holds lists among
/// other things keeps the rest of it.
///
/// `[[1 2] [] [3]]` → `[[1 2 3]]`
///
/// Nothing is ever split: two lists weigh one item more than one.
pub(super) fn merge(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    while let Some((tree, at)) = door.next_place(&mut next, |tree| &tree.repeats) {
        let items = tree.children(at);
        if items.len() < 2 || !items.windows(2).all(|pair| can_join(&tree, pair[0], pair[1])) {
            continue;
        }
        let place = at + 1..tree.choices.end_of(at);
        if door.consider(tree.choices.spliced(&[Splice { place, by: joined(&tree, &items) }]))? {
            continue;
        }
        let mut first = 0;
        loop {
            let tree = door.best();
            if !tree.is_repeat(at) {
                break;
            }
            let items = tree.children(at);
            if first + 1 >= items.len() || !can_join(&tree, items[first], items[first + 1]) {
                break;
            }
            let pair = [items[first], items[first + 1]];
            let place = pair[0]..tree.choices.end_of(pair[1]);
            if !door.consider(tree.choices.spliced(&[Splice { place, by: joined(&tree, &pair) }]))? {
                first += 1;
            }
        }
    }
    Ok(())
}

/// Whether two items are lists, or brackets of one shape with lists in the same places.
fn can_join(tree: &Tree, left: usize, right: usize) -> bool {
    match (tree.entry(left).kind(), tree.entry(right).kind()) {
        (Kind::Repeat, Kind::Repeat) => true,
        (Kind::Call | Kind::Part, Kind::Call | Kind::Part) => {
            let kinds = |at| tree.choices.children(at).map(|child| tree.entry(child).kind());
            kinds(left).eq(kinds(right)) && kinds(left).any(|kind| kind == Kind::Repeat)
        }
        _ => false,
    }
}

/// One item for several that can be joined.
fn joined(tree: &Tree, items: &[usize]) -> Vec<Entry> {
    if tree.entry(items[0]).kind() == Kind::Repeat {
        return joined_lists(tree, items);
    }
    let rows: Vec<Vec<usize>> = items.iter().map(|item| tree.children(*item)).collect();
    let mut inside = Vec::new();
    for (place, first) in rows[0].iter().enumerate() {
        if tree.entry(*first).kind() == Kind::Repeat {
            let lists: Vec<usize> = rows.iter().map(|row| row[place]).collect();
            inside.extend(joined_lists(tree, &lists));
        } else {
            inside.extend_from_slice(tree.node(*first));
        }
    }
    let mut joined = vec![tree.entry(items[0]).holding(inside.len())];
    joined.extend(inside);
    joined
}

fn joined_lists(tree: &Tree, lists: &[usize]) -> Vec<Entry> {
    let inside: Vec<Entry> = lists.iter().flat_map(|list| tree.inside(*list)).copied().collect();
    let count = lists.iter().map(|list| tree.index(*list) as usize).sum();
    let mut joined = vec![Entry::repeat(count).holding(inside.len())];
    joined.extend(inside);
    joined
}
