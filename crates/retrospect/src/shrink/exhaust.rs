//! The pass that leaves no doubt where it can.

use super::door::{Door, Over};
use super::order::{compare, is_simpler};
use super::tree::Tree;
use crate::choice::{Choices, Entry, Kind, Splice};

/// How many nodes the best may have, and how many replays the search for simpler trees is worth.
const MOST_NODES: usize = 30;
const MOST_REPLAYS: usize = 400;
/// How many trees are few, whatever was spent.
const FEW: u64 = 12;
const FEW_WITH_LISTS: u64 = 8;

/// Where only few trees are simpler than the best, all of them are tried, the simplest first. Few are a quarter as many as the runs that were spent so far; if
/// there are more, none is tried, so that no run is wasted.
///
/// `(4 0 0)` → `(0 3 0)`
pub(super) fn exhaust(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    if tree.choices.len() > MOST_NODES {
        return Ok(());
    }
    // Lists were searched by deleting already.
    let few = if tree.repeats.is_empty() { FEW } else { FEW_WITH_LISTS };
    let most = few.max(door.runs / 4) as usize;
    let Some(mut simpler) = all_simpler(door, &tree, most)? else {
        return Ok(());
    };
    simpler.sort_by(compare);
    for choices in simpler {
        if door.consider(choices)? {
            break;
        }
    }
    Ok(())
}

/// All trees that are simpler than the best and were not tried, found by replays; nothing if they are more than `most`.
fn all_simpler(door: &mut Door<'_>, best: &Tree, most: usize) -> Result<Option<Vec<Choices>>, Over> {
    let (mut replays, mut untried) = (0, 0);
    let mut simpler = Vec::new();
    let Some(simplest) = door.replay(&Choices::default())? else {
        return Ok(None);
    };
    let mut drafts = vec![(simplest, 0)];
    while let Some((draft, open_from)) = drafts.pop() {
        for place in open_from..draft.len() {
            for node in raised(draft.entries()[place]) {
                if replays == MOST_REPLAYS {
                    return Ok(None);
                }
                replays += 1;
                let end = if node.kind() == Kind::Number { place + 1 } else { draft.end_of(place) };
                let Some(made) = door.replay(&draft.spliced(&[Splice { place: place..end, by: vec![node] }]))? else {
                    continue;
                };
                if is_simpler(&made, &best.choices) {
                    untried += usize::from(!door.was_tried(&made));
                    if untried > most {
                        return Ok(None);
                    }
                    drafts.push((made, place + 1));
                } else if node.kind() != Kind::Pick {
                    // A larger number is not simpler either. A later arm may be.
                    break;
                }
            }
        }
        if !door.was_tried(&draft) {
            simpler.push(draft);
        }
    }
    Ok(Some(simpler))
}

/// What a node that is the simplest can be instead, with nothing in it yet.
fn raised(node: Entry) -> Box<dyn Iterator<Item = Entry>> {
    match node.kind() {
        Kind::Number => Box::new((1..=node.bound()).map(move |index| node.with_index(index))),
        Kind::Repeat => Box::new((node.index() + 1..).map(move |count| node.with_index(count).holding(0))),
        Kind::Pick => Box::new((node.arm() + 1..node.arms()).map(move |arm| node.with_arm(arm).holding(0))),
        Kind::Call | Kind::Part => Box::new(std::iter::empty()),
    }
}
