//! The pass that replaces a part by one of the same generator inside it.

use super::door::{Door, Over};
use super::search::longest;
use super::tree::{Tree, not_before};
use crate::choice::{Kind, Splice};
use std::collections::HashMap;

/// What a generator made is replaced by what the same generator made inside it. On a long chain, as
/// many links at once as can be.
///
/// `1:node(7 1:node(3 0:leaf))` → `1:node(3 0:leaf)`
pub(super) fn hoist(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    let (mut tree, mut nests) = (door.best(), Nests::of(&door.best()));
    loop {
        let first = not_before(&nests.outer, next).next();
        let Some(at) = first else {
            return Ok(());
        };
        next = at + 1;
        let before = door.version();
        // Down the heaviest way first: on a chain that is the only one.
        let chain = nests.chain(&tree, at);
        longest(chain.len(), |length| door.consider(tree.replaced(at, tree.node(chain[length - 1]))))?;
        if door.version() == before {
            for inner in nests.inner(at) {
                if door.consider(tree.replaced(at, tree.node(*inner)))? {
                    break;
                }
            }
        }
        if door.version() != before {
            // What stands here now may hold another one.
            next = at;
            tree = door.best();
            nests = Nests::of(&tree);
        }
    }
}

/// The same, and numbers in what is left become one less: they may count what stands around them.
///
/// `2:lambda(2:lambda(1:variable(2)))` → `2:lambda(1:variable(1))`
pub(super) fn hoist_and_shift(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let nests = Nests::of(&tree);
    if tree.raised.is_empty() {
        return Ok(());
    }
    for (count, outer) in nests.outer.iter().enumerate() {
        if count == MOST_SHIFTED {
            door.cut_short();
            break;
        }
        for inner in nests.inner(*outer) {
            let kept = tree.span(*inner);
            let lowered: Vec<(usize, u64)> = not_before(&tree.raised, kept.start)
                .take_while(|at| *at < kept.end)
                .map(|at| (at, tree.index(at) - 1))
                .collect();
            // All of them, or each alone.
            let alone = lowered.iter().take(if lowered.len() > 1 { MOST_ALONE } else { 0 });
            for lowered in std::iter::once(&lowered[..]).chain(alone.map(std::slice::from_ref)) {
                let shifted = tree.with(lowered.iter().copied());
                let by = shifted.entries()[kept.clone()].to_vec();
                if !lowered.is_empty() && door.consider(shifted.spliced(&[Splice { place: tree.span(*outer), by }]))? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// How many nodes are hoisted with other numbers inside, and how many of these are lowered one by
/// one.
const MOST_SHIFTED: usize = 40;
const MOST_ALONE: usize = 2;

/// What a generator made goes to a later place where the same generator made the simplest, which
/// takes its place.
///
/// `1:node(1:node(0 5 0) 7 0)` → `1:node(0 7 1:node(0 5 0))`
pub(super) fn graft(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    let (mut tree, mut nests) = (door.best(), Nests::of(&door.best()));
    loop {
        let first = not_before(&nests.outer, next).next();
        let Some(at) = first else {
            return Ok(());
        };
        next = at + 1;
        let inner = nests.inner(at);
        let Some(last) = inner.last().copied() else {
            continue;
        };
        let before = door.version();
        for moved in inner.iter().copied().filter(|inner| *inner != last && tree.weight(*inner) > 0) {
            for place in [nests.end(last, true), nests.end(last, false)] {
                if tree.weight(place) == 0 && door.version() == before {
                    let simplest = Splice { place: tree.span(moved), by: tree.node(place).to_vec() };
                    let grafted = Splice { place: tree.span(place), by: tree.node(moved).to_vec() };
                    door.consider(tree.choices.spliced(&[simplest, grafted]))?;
                }
            }
        }
        if door.version() != before {
            next = at;
            (tree, nests) = (door.best(), Nests::of(&door.best()));
        }
    }
}

/// Which nodes hold nodes of the same generator.
pub(super) struct Nests {
    /// The nodes that hold one, in order.
    pub(super) outer: Vec<usize>,
    /// For each node, the nearest ones inside it.
    inside: HashMap<usize, Vec<usize>>,
}

impl Nests {
    pub(super) fn of(tree: &Tree) -> Nests {
        let mut names: HashMap<u32, &'static str> = HashMap::new();
        let mut inside: HashMap<usize, Vec<usize>> = HashMap::new();
        // For each generator, its brackets around the present place.
        let mut open: HashMap<&'static str, Vec<(usize, usize)>> = HashMap::new();
        for at in merged(&tree.brackets, &tree.picks) {
            let entry = tree.entry(at);
            let named = matches!(entry.kind(), Kind::Call | Kind::Pick);
            let Some(site) = named.then(|| entry.site()).flatten() else {
                continue;
            };
            let name = *names.entry(entry.name_id()).or_insert_with(|| site.path());
            let around = open.entry(name).or_default();
            while around.pop_if(|(_, end)| *end <= at).is_some() {}
            if let Some((outer, _)) = around.last() {
                inside.entry(*outer).or_default().push(at);
            }
            around.push((at, tree.choices.end_of(at)));
        }
        let mut outer: Vec<usize> = inside.keys().copied().collect();
        outer.sort_unstable();
        Nests { outer, inside }
    }

    /// The nearest nodes of the same generator inside the one at `at`.
    pub(super) fn inner(&self, at: usize) -> &[usize] {
        self.inside.get(&at).map_or(&[], |inner| inner)
    }

    /// From the node at `at`, always on to the last one inside, or the first, as far as there is
    /// one.
    fn end(&self, mut at: usize, to_the_last: bool) -> usize {
        while let Some(next) = if to_the_last { self.inner(at).last() } else { self.inner(at).first() } {
            at = *next;
        }
        at
    }

    /// From the node at `at`, always on to the largest one inside.
    fn chain(&self, tree: &Tree, at: usize) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut at = at;
        while let Some(largest) = self.inner(at).iter().copied().max_by_key(|inner| tree.entry(*inner).extent()) {
            chain.push(largest);
            at = largest;
        }
        chain
    }
}

/// Two lists of places in one order.
fn merged(left: &[usize], right: &[usize]) -> Vec<usize> {
    let mut places = [left, right].concat();
    places.sort_unstable();
    places
}
