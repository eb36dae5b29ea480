//! What is known of a grammar before anything is written or read.

use super::class::{CharSet, END};
use super::grammar::{Decision, ENDLESS, Kind, NO_ARM, Node, SEVERAL, Share, children, lead};
use crate::source::DORMANT;
use std::collections::VecDeque;

/// How deep the shallowest text of each node is, and which nodes make no choice.
pub(super) fn measure(nodes: &mut [Node]) {
    repeat_until_settled(nodes, |nodes, at| {
        let height_of = |node: &u32| nodes[*node as usize].height;
        let height = match &nodes[at].kind {
            Kind::Literal(_) | Kind::Class(_) | Kind::Computed(_) => 0,
            Kind::Sequence { parts, .. } => parts.iter().map(height_of).max().unwrap_or(0),
            Kind::Choice { arms, weights, .. } => {
                let present = arms.iter().zip(weights).filter(|(_, weight)| **weight != 0);
                present.map(|(arm, _)| height_of(arm)).min().unwrap_or(ENDLESS).saturating_add(1)
            }
            Kind::Repeat { min: 0, .. } => 0,
            Kind::Repeat { item, separator: Some(separator), min: 2.., .. } => {
                height_of(item).max(height_of(separator))
            }
            Kind::Repeat { item, .. } => height_of(item),
            Kind::Rule { body, .. } => height_of(body).saturating_add(1),
            Kind::Bind { first, .. } => height_of(first),
        };
        let is_silent = match &nodes[at].kind {
            Kind::Literal(_) => true,
            Kind::Sequence { parts, .. } => parts.iter().all(|part| nodes[*part as usize].is_silent),
            _ => false,
        };
        let node = &mut nodes[at];
        let has_changed = (height, is_silent) != (node.height, node.is_silent);
        (node.height, node.is_silent) = (height, is_silent);
        has_changed
    });
    for at in 0..nodes.len() {
        if let Kind::Sequence { parts, .. } = &nodes[at].kind {
            let count = parts.iter().filter(|part| !nodes[**part as usize].is_silent).count();
            if let Kind::Sequence { has_parts, .. } = &mut nodes[at].kind {
                *has_parts = count > 1;
            }
        }
    }
}

/// Where the text made by all first arms does not end, the arm that ends soonest is put before the
/// others. Returns which arm that was.
pub(super) fn put_the_simplest_first(nodes: &mut [Node]) -> Vec<(u32, usize)> {
    let mut ends = vec![false; nodes.len()];
    let first_present = |weights: &[u32]| weights.iter().position(|weight| *weight != 0).unwrap_or(0);
    repeat_until_settled(nodes, |nodes, at| {
        let now = match &nodes[at].kind {
            Kind::Literal(_) | Kind::Class(_) | Kind::Computed(_) => true,
            Kind::Choice { arms, weights, .. } => ends[arms[first_present(weights)] as usize],
            Kind::Repeat { item, separator, min, .. } => {
                let is_separated = separator.is_none_or(|separator| *min < 2 || ends[separator as usize]);
                *min == 0 || (ends[*item as usize] && is_separated)
            }
            _ => {
                let mut all = true;
                children(&nodes[at], |child| all &= ends[child as usize]);
                all
            }
        };
        std::mem::replace(&mut ends[at], now) != now
    });
    let heights: Vec<u32> = nodes.iter().map(|node| node.height).collect();
    let mut moved = Vec::new();
    for (at, node) in nodes.iter_mut().enumerate() {
        let Kind::Choice { arms, weights, at_rest, .. } = &mut node.kind else { continue };
        if ends[at] {
            continue;
        }
        let present = (0..arms.len()).filter(|arm| weights[*arm] != 0);
        let simplest = present.min_by_key(|arm| heights[arms[*arm] as usize]).unwrap_or(0);
        arms[..=simplest].rotate_right(1);
        weights[..=simplest].rotate_right(1);
        *at_rest = weights.clone();
        moved.push((at as u32, simplest));
    }
    moved
}

/// Which rules are levels of recursion: those that are come back to. And what is drawn where no
/// size is left for another level.
pub(super) fn find_levels(nodes: &mut [Node], root: u32) {
    let mut is_open = vec![false; nodes.len()];
    let mut is_seen = vec![false; nodes.len()];
    let inside = |node: &Node| {
        let mut inside = Vec::new();
        children(node, |child| inside.push(child));
        inside
    };
    let mut pending = vec![(root, inside(&nodes[root as usize]))];
    (is_open[root as usize], is_seen[root as usize]) = (true, true);
    while let Some((node, rest)) = pending.last_mut() {
        match rest.pop() {
            Some(child) if is_open[child as usize] => nodes[child as usize].is_level = true,
            Some(child) if is_seen[child as usize] => {}
            Some(child) => {
                (is_open[child as usize], is_seen[child as usize]) = (true, true);
                let inside = inside(&nodes[child as usize]);
                pending.push((child, inside));
            }
            None => {
                is_open[*node as usize] = false;
                pending.pop();
            }
        }
    }
    let mut is_free = vec![false; nodes.len()];
    repeat_until_settled(nodes, |nodes, at| {
        let node = &nodes[at];
        let now = !node.is_level
            && match &node.kind {
                Kind::Repeat { min: 0, .. } => true,
                // What follows may come back to anything around it.
                Kind::Bind { scope, .. } if !scope.is_empty() => false,
                Kind::Choice { arms, weights, .. } => {
                    arms.iter().zip(weights).any(|(arm, weight)| *weight != 0 && is_free[*arm as usize])
                }
                _ => {
                    let mut all = true;
                    children(node, |child| all &= is_free[child as usize]);
                    all
                }
            };
        std::mem::replace(&mut is_free[at], now) != now
    });
    let heights: Vec<u32> = nodes.iter().map(|node| node.height).collect();
    for node in nodes {
        let Kind::Choice { arms, weights, at_rest, .. } = &mut node.kind else { continue };
        let has_free = arms.iter().zip(&*weights).any(|(arm, weight)| *weight != 0 && is_free[*arm as usize]);
        let lowest = arms.iter().zip(&*weights).filter(|(_, weight)| **weight != 0);
        let lowest = lowest.map(|(arm, _)| heights[*arm as usize]).min();
        for (place, arm) in arms.iter().enumerate() {
            let is_kept = match has_free {
                true => is_free[*arm as usize],
                false => Some(heights[*arm as usize]) == lowest,
            };
            if !is_kept && weights[place] != 0 {
                at_rest[place] = DORMANT;
            }
        }
    }
}

/// How repetitions share the size, once it is known which rules are levels.
pub(super) fn share_the_size(nodes: &mut [Node]) {
    let is_endless = |node: &Node| matches!(node.kind, Kind::Repeat { max: usize::MAX, .. });
    // Whether a level, or a repetition without a limit, stands inside of a node.
    let mut has_growth = vec![false; nodes.len()];
    repeat_until_settled(nodes, |nodes, at| {
        let mut now = false;
        children(&nodes[at], |child| {
            let inner = &nodes[child as usize];
            now |= has_growth[child as usize] || inner.is_level || is_endless(inner);
        });
        std::mem::replace(&mut has_growth[at], now) != now
    });
    let is_nested = (0..nodes.len()).any(|at| nodes[at].is_level || (is_endless(&nodes[at]) && has_growth[at]));
    for (node, has_growth) in nodes.iter_mut().zip(has_growth) {
        node.share = match is_endless(node) && is_nested {
            false => Share::All,
            true if has_growth => Share::Root,
            true => Share::Part,
        };
    }
}

/// What may begin and follow each node, and where the next character decides.
pub(super) fn look_ahead(nodes: &mut [Node], root: u32, follow: CharSet) {
    repeat_until_settled(nodes, |nodes, at| {
        let (first, is_nullable) = begin_of(nodes, at);
        let node = &mut nodes[at];
        let is_larger = node.first.add_all(&first);
        let has_changed = node.is_nullable != is_nullable;
        node.is_nullable = is_nullable;
        is_larger || has_changed
    });
    nodes[root as usize].follow = follow;
    find_follows(nodes);
    for at in 0..nodes.len() {
        nodes[at].decision = decision(nodes, at);
        nodes[at].is_plain = !matches!(nodes[at].decision, Decision::Undecided);
        if let (Kind::Choice { arms, .. }, Decision::Arm(_)) = (&nodes[at].kind, &nodes[at].decision) {
            let leads: Vec<(u32, String)> = arms.iter().map(|arm| (*arm, lead(nodes, *arm))).collect();
            for (arm, lead) in leads {
                nodes[arm as usize].lead = lead.into();
            }
        }
    }
    repeat_until_settled(nodes, |nodes, at| {
        let mut is_plain = nodes[at].is_plain;
        children(&nodes[at], |child| is_plain &= nodes[child as usize].is_plain);
        std::mem::replace(&mut nodes[at].is_plain, is_plain) != is_plain
    });
}

/// Visits all nodes, and again whenever a visit has changed one inside of them, until no visit
/// changes anything.
///
/// Those inside come first, so that most are visited once. What is found must not depend on the
/// order of visits.
fn repeat_until_settled(nodes: &mut [Node], mut visit: impl FnMut(&mut [Node], usize) -> bool) {
    let users = users(nodes);
    let mut pending = Pending::new(inside_first(nodes));
    while let Some(at) = pending.next() {
        if visit(nodes, at as usize) {
            users[at as usize].iter().for_each(|user| pending.add(*user));
        }
    }
}

/// What may follow each node. Those around come first.
fn find_follows(nodes: &mut [Node]) {
    let users = users(nodes);
    let mut order = inside_first(nodes);
    order.reverse();
    let mut pending = Pending::new(order);
    while let Some(at) = pending.next() {
        let mut found = Vec::new();
        follows_of(nodes, at as usize, &mut found);
        for (child, follow) in found {
            if !nodes[child as usize].follow.add_all(&follow) {
                continue;
            }
            pending.add(child);
            // What follows an item follows its separator too.
            for user in &users[child as usize] {
                if matches!(nodes[*user as usize].kind, Kind::Repeat { separator: Some(_), .. }) {
                    pending.add(*user);
                }
            }
        }
    }
}

/// Nodes that are to be visited, each once at a time.
struct Pending {
    queue: VecDeque<u32>,
    is_pending: Vec<bool>,
}

impl Pending {
    fn new(all: Vec<u32>) -> Pending {
        Pending { is_pending: vec![true; all.len()], queue: all.into() }
    }

    fn next(&mut self) -> Option<u32> {
        let next = self.queue.pop_front()?;
        self.is_pending[next as usize] = false;
        #[cfg(test)]
        VISITS.set(VISITS.get() + 1);
        Some(next)
    }

    fn add(&mut self, node: u32) {
        if !std::mem::replace(&mut self.is_pending[node as usize], true) {
            self.queue.push_back(node);
        }
    }
}

#[cfg(test)]
thread_local! {
    static VISITS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The nodes that each node is directly inside of.
fn users(nodes: &[Node]) -> Vec<Vec<u32>> {
    let mut users = vec![Vec::new(); nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        children(node, |child| users[child as usize].push(at as u32));
    }
    users
}

/// All nodes, each after those inside of it, as far as they are not around it too.
pub(super) fn inside_first(nodes: &[Node]) -> Vec<u32> {
    let mut order = Vec::with_capacity(nodes.len());
    let mut is_seen = vec![false; nodes.len()];
    for first in 0..nodes.len() as u32 {
        // Each is met twice: before what is inside of it, and after.
        let mut pending = vec![(first, false)];
        while let Some((node, is_done)) = pending.pop() {
            if is_done {
                order.push(node);
            } else if !std::mem::replace(&mut is_seen[node as usize], true) {
                pending.push((node, true));
                children(&nodes[node as usize], |child| pending.push((child, false)));
            }
        }
    }
    order
}

fn begin_of(nodes: &[Node], at: usize) -> (CharSet, bool) {
    let mut first = CharSet::default();
    let is_nullable = match &nodes[at].kind {
        Kind::Literal(literal) => match literal.chars().next() {
            Some(character) => {
                first.add(character as u32, character as u32);
                false
            }
            None => true,
        },
        Kind::Class(class) => {
            first = class.set();
            false
        }
        Kind::Sequence { parts, .. } => add_first_of(nodes, parts, &mut first),
        Kind::Choice { arms, weights, .. } => {
            let mut is_nullable = false;
            for (arm, weight) in arms.iter().zip(weights) {
                if *weight != 0 {
                    is_nullable |= add_first_of(nodes, &[*arm], &mut first);
                }
            }
            is_nullable
        }
        Kind::Repeat { max: 0, .. } => true,
        Kind::Repeat { item, separator, min, .. } => {
            let is_nullable = add_first_of(nodes, &[*item], &mut first);
            // An empty first item is followed by the separator.
            if let (true, Some(separator)) = (is_nullable, separator) {
                let is_nothing = add_first_of(nodes, &[*separator], &mut first);
                return (first, *min == 0 || *min == 1 || is_nothing);
            }
            *min == 0 || is_nullable
        }
        Kind::Rule { body, .. } => add_first_of(nodes, &[*body], &mut first),
        Kind::Bind { first: inner, .. } => {
            let is_nullable = add_first_of(nodes, &[*inner], &mut first);
            if is_nullable {
                first.add(0, END - 1);
            }
            is_nullable
        }
        Kind::Computed(shown) => {
            first.add(0, END - 1);
            shown.accepts("")
        }
    };
    (first, is_nullable)
}

/// Adds what may begin these nodes, one after the other; says whether all of them may be empty.
fn add_first_of(nodes: &[Node], parts: &[u32], first: &mut CharSet) -> bool {
    for part in parts {
        let node = &nodes[*part as usize];
        first.add_all(&node.first);
        if !node.is_nullable {
            return false;
        }
    }
    true
}

/// What follows the nodes inside a node.
fn follows_of(nodes: &[Node], at: usize, found: &mut Vec<(u32, CharSet)>) {
    let follow = &nodes[at].follow;
    let before = |parts: &[u32]| {
        let mut set = CharSet::default();
        if add_first_of(nodes, parts, &mut set) {
            set.add_all(follow);
        }
        set
    };
    match &nodes[at].kind {
        Kind::Literal(_) | Kind::Class(_) | Kind::Computed(_) => {}
        Kind::Sequence { parts, .. } => {
            for (place, part) in parts.iter().enumerate() {
                found.push((*part, before(&parts[place + 1..])));
            }
        }
        Kind::Choice { .. } | Kind::Rule { .. } => children(&nodes[at], |child| found.push((child, follow.clone()))),
        Kind::Repeat { item, separator, max, .. } => {
            let mut after_item = follow.clone();
            if *max > 1 {
                match separator {
                    Some(separator) => {
                        let next = before(&[*separator, *item]);
                        after_item.add_all(&next);
                        found.push((*separator, before(&[*item])));
                        found.push((*separator, nodes[*item as usize].follow.clone()));
                    }
                    None => {
                        after_item.add_all(&nodes[*item as usize].first);
                    }
                }
            }
            found.push((*item, after_item));
        }
        Kind::Bind { first, .. } => found.push((*first, CharSet::everything())),
    }
}

fn decision(nodes: &[Node], at: usize) -> Decision {
    match &nodes[at].kind {
        Kind::Literal(_) | Kind::Class(_) | Kind::Sequence { .. } | Kind::Rule { .. } => Decision::Nothing,
        Kind::Bind { .. } | Kind::Computed(_) => Decision::Undecided,
        Kind::Choice { arms, weights, .. } => decision_of_arms(nodes, at, arms, weights),
        Kind::Repeat { min, max, .. } if min == max => Decision::Nothing,
        Kind::Repeat { item, separator, .. } => {
            let follow = &nodes[at].follow;
            let (item, mut again) = (&nodes[*item as usize], CharSet::default());
            let mut can_be_nothing = item.is_nullable;
            if let Some(separator) = separator {
                let separator = &nodes[*separator as usize];
                again.add_all(&separator.first);
                if separator.is_nullable {
                    again.add_all(&item.first);
                }
                // An item that may be empty, and one that is not there, look the same.
                can_be_nothing |= separator.is_nullable && item.is_nullable;
            }
            match can_be_nothing || item.first.intersects(follow) || again.intersects(follow) {
                true => Decision::Undecided,
                false => Decision::More,
            }
        }
    }
}

fn decision_of_arms(nodes: &[Node], at: usize, arms: &[u32], weights: &[u32]) -> Decision {
    if arms.len() >= usize::from(SEVERAL) {
        return Decision::Undecided;
    }
    let mut begins: Vec<(u16, CharSet, String)> = Vec::new();
    let mut nullable = NO_ARM;
    for (place, arm) in arms.iter().enumerate() {
        if weights[place] == 0 {
            continue;
        }
        let node = &nodes[*arm as usize];
        let mut begin = node.first.clone();
        if node.is_nullable {
            if nullable != NO_ARM {
                return Decision::Undecided;
            }
            nullable = place as u16;
            begin.add_all(&nodes[at].follow);
        }
        let leading = if node.is_nullable { String::new() } else { lead(nodes, *arm) };
        for (_, other, other_leading) in &begins {
            // Two literals of which neither begins the other cannot both be there.
            let are_apart = !leading.starts_with(&**other_leading) && !other_leading.starts_with(&*leading);
            if begin.intersects(other) && !are_apart {
                return Decision::Undecided;
            }
        }
        begins.push((place as u16, begin, leading));
    }
    let mut table = Box::new([nullable; 129]);
    for code in 0..129 {
        let code_of = if code == 128 { END } else { code };
        let mut several = begins.iter().filter(|(_, begin, _)| begin.contains(code_of));
        if let Some((arm, ..)) = several.next() {
            table[code as usize] = if several.next().is_some() { SEVERAL } else { *arm };
        }
    }
    Decision::Arm(table)
}

#[cfg(test)]
mod tests {
    use super::VISITS;
    use crate::prelude::*;

    fn visits(rules: u32) -> usize {
        let mut grammar = format!("r{rules} = 'x' ;\n");
        for rule in 0..rules {
            let next = rule + 1;
            grammar.insert_str(
                0,
                &format!("s{rule} = r{rule} 'k' r{next} | r{next} % 's' ; r{rule} = 'k' r{next} | r{next} ;\n"),
            );
        }
        grammar.insert_str(0, "start = s0 ;");
        VISITS.set(0);
        assert!(text::grammar(&grammar).unwrap().accepts(&"x".to_owned()));
        VISITS.get()
    }

    #[test]
    fn a_chain_of_rules_is_looked_at_in_proportion_to_its_length() {
        let (short, long) = (visits(50), visits(400));
        assert!(long < 10 * short, "{short} and {long}");
    }
}
