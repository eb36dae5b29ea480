//! The passes that leave no doubt where they can: all that is simpler is tried.

use super::door::{Door, Made, Over};
use super::order::{Measure, compare, is_simpler};
use super::tree::Tree;
use crate::choice::{Choices, Entry, Kind, Splice};
use std::rc::Rc;

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
            for more in 1.. {
                let Some(changed) = raised(&draft, place, more) else { break };
                if replays == MOST_REPLAYS {
                    return Ok(None);
                }
                replays += 1;
                let Some(made) = door.replay(&changed)? else {
                    continue;
                };
                if is_simpler(&made, &best.choices) {
                    untried += usize::from(!door.was_tried(&made));
                    if untried > most {
                        return Ok(None);
                    }
                    drafts.push((made, place + 1));
                } else if draft.entries()[place].kind() != Kind::Pick {
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

/// Every tree that is simpler than the best is tried. If all were, and none fails, the best is the
/// least there is; see [`End::Minimal`](super::End::Minimal) for what is left out, and why.
///
/// The trees are found from the simplest one by raising its choices one by one, in order, so each
/// is found once. Indices, arms and counts are first at most a few above the simplest, then more
/// and more: no large range keeps the others waiting.
///
/// `(4 0 0)` → `(0 3 0)`
pub(super) fn everything(door: &mut Door<'_>) -> Result<(), Over> {
    let best = door.best();
    if best.choices.is_empty() {
        door.tried_everything();
        return Ok(());
    }
    if !best.frozen.is_empty() || !best.steps.is_empty() || has_table(&best.choices) {
        return Ok(());
    }
    let mut furthest = FIRST_FURTHEST;
    loop {
        match walk(door, &best, furthest)? {
            Walked::All => {
                door.tried_everything();
                return Ok(());
            }
            Walked::Near => furthest = furthest.saturating_mul(4),
            Walked::NotAll => return Ok(()),
        }
    }
}

/// How far from the simplest the choices are at most in the first walk.
const FIRST_FURTHEST: u64 = 4;

/// What a walk has seen of the trees that are simpler than the best.
#[derive(PartialEq)]
enum Walked {
    All,
    /// All but those with a choice that is too far from the simplest.
    Near,
    /// Something simpler fails, or may hide behind what was refused.
    NotAll,
}

/// Whether a tree holds the table of a function: what can stand in it is not known before a run
/// asks for it.
fn has_table(choices: &Choices) -> bool {
    choices.entries().iter().any(|entry| entry.kind() == Kind::Pick && entry.site().is_none())
}

/// A tree on the way, and how its choice at a place is raised next. The choices before the place
/// are settled.
struct Draft {
    choices: Rc<Choices>,
    place: usize,
    more: u64,
}

/// Tries the trees that are simpler than the best and whose choices are no further from the
/// simplest than `furthest`.
fn walk(door: &mut Door<'_>, best: &Tree, furthest: u64) -> Result<Walked, Over> {
    let mut walked = Walked::All;
    let mut was_all_followed = true;
    let before = door.version();
    let Some(simplest) = visit(door, best, &Choices::default())? else {
        return Ok(Walked::NotAll);
    };
    let mut drafts = vec![Draft { choices: Rc::new(simplest.choices), place: 0, more: 1 }];
    while let Some(draft) = drafts.last_mut() {
        let choices = Rc::clone(&draft.choices);
        let (place, more) = (draft.place, draft.more);
        // What is settled only grows from place to place.
        if place >= choices.len() || !is_within(&choices.entries()[..place], best) {
            drafts.pop();
            continue;
        }
        draft.more += 1;
        let node = raised_node(&choices, place, more)
            .filter(|node| is_within(&[&choices.entries()[..place], &[*node]].concat(), best));
        let is_far = node.is_some() && more > furthest;
        if is_far {
            walked = Walked::Near;
        }
        let Some(node) = node.filter(|_| !is_far) else {
            (draft.place, draft.more) = (place + 1, 1);
            continue;
        };
        let changed = with_node(&choices, place, node);
        let made = visit(door, best, &changed)?;
        let Some(made) = made.filter(|_| door.version() == before) else {
            return Ok(Walked::NotAll);
        };
        let is_as_wanted = |place: usize| {
            let is_same = |entry: &Entry| chosen(*entry) == chosen(changed.entries()[place]);
            made.choices.entries().get(place).is_some_and(is_same)
        };
        if made.is_refused && !(0..=place).all(is_as_wanted) {
            // A list was refused before all of its items were made. No way leads on from there.
            was_all_followed = false;
        } else if is_as_wanted(place) {
            drafts.push(Draft { choices: Rc::new(made.choices), place: place + 1, more: 1 });
        } else {
            // There is no more than this.
            let draft = drafts.last_mut().expect("it was there before");
            (draft.place, draft.more) = (place + 1, 1);
        }
    }
    Ok(if walked == Walked::All && !was_all_followed { Walked::NotAll } else { walked })
}

/// Makes a tree, and tries it if it is simpler than the best. Nothing if it is refused and not known
/// how far it came.
fn visit(door: &mut Door<'_>, best: &Tree, candidate: &Choices) -> Result<Option<Made>, Over> {
    let Some(made) = door.made(candidate)? else { return Ok(None) };
    if !made.is_refused && is_simpler(&made.choices, &best.choices) && !door.was_tried(&made.choices) {
        door.consider_made(&made.choices)?;
    }
    Ok(Some(made))
}

/// Whether what is settled is no more than the best: whatever comes after it only adds to it.
fn is_within(settled: &[Entry], best: &Tree) -> bool {
    let settled = Measure::of(settled);
    (settled.weight, settled.magnitude) <= (best.measure.weight, best.measure.magnitude)
}

fn chosen(entry: Entry) -> (Kind, u64) {
    let chosen = match entry.kind() {
        Kind::Number | Kind::Repeat => entry.index(),
        Kind::Pick => entry.arm() as u64,
        Kind::Call | Kind::Part => 0,
    };
    (entry.kind(), chosen)
}

/// The same choices with one that is so much further from the simplest, and nothing in it yet;
/// nothing if there is none.
fn raised(choices: &Choices, place: usize, more: u64) -> Option<Choices> {
    Some(with_node(choices, place, raised_node(choices, place, more)?))
}

fn raised_node(choices: &Choices, place: usize, more: u64) -> Option<Entry> {
    let node = choices.entries()[place];
    match node.kind() {
        Kind::Number => Some(node.with_index(Some(more).filter(|index| *index <= node.bound())?)),
        Kind::Repeat => Some(node.with_index(node.index().checked_add(more)?).holding(0)),
        Kind::Pick => {
            let arm = usize::try_from(more).ok().and_then(|more| node.arm().checked_add(more))?;
            Some(node.with_arm(Some(arm).filter(|arm| *arm < node.arms())?).holding(0))
        }
        Kind::Call | Kind::Part => None,
    }
}

/// The same choices with another node at a place, without what was in it.
fn with_node(choices: &Choices, place: usize, node: Entry) -> Choices {
    choices.spliced(&[Splice { place: place..choices.end_of(place), by: vec![node] }])
}
