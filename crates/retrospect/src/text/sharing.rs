//! Parts of a grammar that are the same become one.
//!
//! A regular expression has no names, so what is repeated in it is written again and again. The
//! chart looks for each node at each position; with as many nodes as the text has characters, that
//! is the square of its length.

use super::analysis::inside_first;
use super::class::{CharSet, Class};
use super::grammar::{Decision, Kind, Node};
use std::collections::HashMap;

/// What a node is, if nothing else matters to those who use it: characters, repetitions and
/// sequences of these, and what may follow them.
#[derive(PartialEq, Eq, Hash)]
struct Content {
    kind: Sort,
    parts: Vec<u32>,
    follow: CharSet,
}

#[derive(PartialEq, Eq, Hash)]
enum Sort {
    Literal(Box<str>),
    /// The place of the class among those that differ.
    Class(usize),
    Sequence,
    Repeat {
        min: usize,
        max: usize,
    },
}

/// Lets every node refer to the first of those that are the same; returns which that is for the
/// root.
pub(super) fn share_what_is_the_same(nodes: &mut [Node], root: u32) -> u32 {
    let is_undecided =
        |node: &&Node| matches!((&node.kind, &node.decision), (Kind::Repeat { .. }, Decision::Undecided));
    if nodes.iter().filter(is_undecided).count() < 2 {
        return root;
    }
    let mut same: Vec<u32> = (0..nodes.len() as u32).collect();
    let mut classes: Vec<Class> = Vec::new();
    let mut known: HashMap<Content, u32> = HashMap::new();
    for at in inside_first(nodes) {
        let node = &mut nodes[at as usize];
        refer_to(&same, node);
        let (kind, parts) = match &node.kind {
            _ if node.name.is_some() => continue,
            Kind::Literal(text) => (Sort::Literal(text.clone()), Vec::new()),
            Kind::Class(class) => {
                let place = classes.iter().position(|known| known == class).unwrap_or_else(|| {
                    classes.push(class.clone());
                    classes.len() - 1
                });
                (Sort::Class(place), Vec::new())
            }
            Kind::Sequence { parts, .. } => (Sort::Sequence, parts.to_vec()),
            Kind::Repeat { item, separator, min, max } => {
                (Sort::Repeat { min: *min, max: *max }, [*item].into_iter().chain(*separator).collect())
            }
            Kind::Choice { .. } | Kind::Rule { .. } | Kind::Bind { .. } | Kind::Computed(_) => continue,
        };
        let lead = std::mem::take(&mut node.lead);
        let content = Content { kind, parts, follow: node.follow.clone() };
        let first = *known.entry(content).or_insert(at);
        same[at as usize] = first;
        // The text that it begins with is known of an arm, and is the same for all.
        if nodes[first as usize].lead.is_empty() {
            nodes[first as usize].lead = lead;
        }
    }
    // Those around a rule may come before it in the order.
    nodes.iter_mut().for_each(|node| refer_to(&same, node));
    same[root as usize]
}

/// Lets a node refer to these instead of those inside of it.
fn refer_to(same: &[u32], node: &mut Node) {
    match &mut node.kind {
        Kind::Sequence { parts, .. } | Kind::Choice { arms: parts, .. } => {
            parts.iter_mut().for_each(|part| *part = same[*part as usize]);
        }
        Kind::Repeat { item, separator, .. } => {
            *item = same[*item as usize];
            separator.iter_mut().for_each(|separator| *separator = same[*separator as usize]);
        }
        Kind::Rule { body: part, .. } | Kind::Bind { first: part, .. } => *part = same[*part as usize],
        Kind::Literal(_) | Kind::Class(_) | Kind::Computed(_) => {}
    }
}
