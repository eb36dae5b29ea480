//! The pass that builds small parts anew.

use super::door::{Door, Over};
use super::hoist::Nests;
use super::order::{Measure, compare_parts, is_simpler};
use super::tree::{Tree, not_before};
use crate::choice::{Choices, Entry, Kind, Splice};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How many choices that are not the simplest a part may have to be built anew.
const MOST_TOKENS: usize = 12;
/// How many runs each part is worth, and how many replays: so many always, and in proportion to the
/// runs that were spent so far.
const RUNS_ALWAYS: u64 = 40;
const MOST_RUNS: u64 = 80;
const REPLAYS_ALWAYS: u64 = 100;
const REPLAYS_FOR_A_RUN: u64 = 8;

/// A small part that holds something recursive is built anew from some of the choices it has now,
/// the simplest result first: the same arms in another shape, the same numbers in other places.
///
/// `1:node(1 1:node(0 0 0) 0)` → `1:node(0 0 1:node(1 0 0))`
pub(super) fn rearrange(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let before = door.version();
    for at in small_parts(&tree) {
        build_anew(door, &tree, at)?;
        if door.version() != before {
            return Ok(());
        }
    }
    Ok(())
}

/// The largest parts that are small enough and hold something that holds itself.
fn small_parts(tree: &Tree) -> Vec<usize> {
    let nests = Nests::of(tree);
    let mut parts = Vec::new();
    let mut at = 0;
    while at < tree.choices.len() {
        let span = tree.span(at);
        let next_nest = not_before(&nests.outer, at).next();
        if !next_nest.is_some_and(|nest| span.contains(&nest)) {
            at = span.end;
            continue;
        }
        let tokens = tree.node(at).iter().filter(|entry| is_raised(**entry)).count();
        if tokens > MOST_TOKENS {
            at += 1;
            continue;
        }
        if tokens > 1 {
            parts.push(at);
        }
        at = span.end;
    }
    parts
}

/// Whether a node is not the simplest.
fn is_raised(entry: Entry) -> bool {
    match entry.kind() {
        Kind::Number | Kind::Repeat => entry.index() > 0,
        Kind::Pick => entry.arm() > 0,
        Kind::Call | Kind::Part => false,
    }
}

/// A part under construction.
struct Draft {
    /// At least so much; exactly so much once it is settled.
    measure: Measure,
    entries: Vec<Entry>,
    /// Nodes before this one are settled.
    open_from: usize,
    /// The choices that are still to be used.
    tokens: Vec<Entry>,
    /// Whether a replay has made these entries.
    is_settled: bool,
}

/// The simplest draft is the greatest, so that a heap gives it first. What is not settled may turn
/// out to be larger.
impl Ord for Draft {
    fn cmp(&self, other: &Draft) -> Ordering {
        let weight = |draft: &Draft| (draft.measure.weight, draft.measure.magnitude);
        weight(other)
            .cmp(&weight(self))
            .then(other.is_settled.cmp(&self.is_settled))
            .then_with(|| compare_parts(&other.entries, &self.entries))
            .then(other.open_from.cmp(&self.open_from))
    }
}

impl PartialOrd for Draft {
    fn partial_cmp(&self, other: &Draft) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Draft {
    fn eq(&self, other: &Draft) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Draft {}

fn build_anew(door: &mut Door<'_>, tree: &Tree, at: usize) -> Result<(), Over> {
    let mut tokens: Vec<Entry> = tree.node(at).iter().copied().filter(|entry| is_raised(*entry)).collect();
    tokens.sort_by_key(|token| (token.kind() as u8, token.name_id(), chosen(*token)));
    let most_runs = door.runs + MOST_RUNS.min(RUNS_ALWAYS + door.runs);
    let most_replays = door.replays + REPLAYS_ALWAYS + REPLAYS_FOR_A_RUN * door.runs;
    let present = Measure::of(tree.node(at));
    let nothing = Measure { weight: 0, magnitude: 0, length: 0 };
    let mut drafts = BinaryHeap::new();
    drafts.push(Draft { measure: nothing, entries: vec![Entry::simplest()], open_from: 0, tokens, is_settled: false });
    while let Some(draft) = drafts.pop() {
        if door.replays >= most_replays || door.runs >= most_runs {
            door.cut_short();
            return Ok(());
        }
        if !draft.is_settled {
            drafts.extend(settled(door, tree, at, draft)?);
            continue;
        }
        if door.consider(tree.replaced(at, &draft.entries))? {
            return Ok(());
        }
        for place in draft.open_from..draft.entries.len() {
            for (number, token) in draft.tokens.iter().enumerate() {
                let is_repeated = number > 0 && same(draft.tokens[number - 1], *token);
                if is_repeated || !fits(*token, draft.entries[place]) {
                    continue;
                }
                // What stands inside adds to it, so what is too much already is not looked at.
                let more = Measure::of(std::slice::from_ref(token));
                let measure = Measure {
                    weight: draft.measure.weight + more.weight,
                    magnitude: draft.measure.magnitude + more.magnitude,
                    length: 0,
                };
                if (measure.weight, measure.magnitude) > (present.weight, present.magnitude) {
                    continue;
                }
                let mut tokens = draft.tokens.clone();
                let token = tokens.remove(number);
                let entries = with_token(tree, &draft, place, token);
                drafts.push(Draft { measure, entries, open_from: place + 1, tokens, is_settled: false });
            }
        }
    }
    Ok(())
}

/// Whether a choice can be made at a node that is the simplest now.
fn fits(token: Entry, node: Entry) -> bool {
    token.kind() == node.kind() && !is_raised(node) && (token.kind() != Kind::Pick || token.name_id() == node.name_id())
}

/// What a replay makes of a part; nothing if that is not simpler than the best, since more choices
/// only make it less so.
fn settled(door: &mut Door<'_>, tree: &Tree, at: usize, draft: Draft) -> Result<Option<Draft>, Over> {
    let Some(made) = door.replay(&tree.replaced(at, &draft.entries))? else {
        return Ok(None);
    };
    let is_in_place = at < made.len() && made.len() - made.end_of(at) == tree.choices.len() - tree.choices.end_of(at);
    if !is_in_place || !is_simpler(&made, &tree.choices) {
        return Ok(None);
    }
    let entries = made.entries()[at..made.end_of(at)].to_vec();
    Ok(Some(Draft { measure: Measure::of(&entries), entries, is_settled: true, ..draft }))
}

/// The draft with a choice at a place; what stands inside it begins as the simplest.
fn with_token(tree: &Tree, draft: &Draft, place: usize, token: Entry) -> Vec<Entry> {
    let draft: Choices = tree.choices.sharing(draft.entries.clone());
    let by = vec![if token.kind() == Kind::Number { token } else { token.holding(0) }];
    let place = place..draft.end_of(place);
    draft.spliced(&[Splice { place, by }]).entries().to_vec()
}

fn chosen(entry: Entry) -> u64 {
    if entry.kind() == Kind::Pick { entry.arm() as u64 } else { entry.index() }
}

fn same(left: Entry, right: Entry) -> bool {
    left.kind() == right.kind() && left.name_id() == right.name_id() && chosen(left) == chosen(right)
}
