//! All ways, one after another: the shortest first.
//!
//! The ways of a node are those of its alternatives, and the ways of an alternative are pairs, and
//! pairs of pairs, of ways of the nodes in it. The next best of each is found when somebody asks
//! for it: from the best on, one step to the side at a time (as in the *k* best parses of a text,
//! by Huang and Chiang). So the first way costs a walk over the forest, and each further one at
//! most that, however many there are.

use super::Forest;
use super::cheapest::Cost as LeastCost;
use super::forest::Item;
use crate::choice::Choices;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// All ways to make a value, the shortest first: those with the fewest choices and, among them, the
/// fewest brackets. Made by [`Ways::iter`](crate::generator::Ways::iter).
///
/// There may be infinitely many; each comes after finitely many others.
///
/// ```
/// use retrospect::prelude::*;
/// let lists = vec_of(one_of((0..=5, 3..=9)), ..);
/// let ways: Vec<String> = lists.ways_of(&vec![1, 4]).iter().map(|way| way.to_string()).collect();
/// assert_eq!(ways, ["[0:(1) 0:(4)]", "[0:(1) 1:(1)]"]);
/// assert_eq!(lists.ways_of(&vec![12]).iter().count(), 0);
/// ```
#[derive(Debug)]
pub struct Reflections {
    forest: Forest,
    /// Those of the forest's nodes, then the root, then pairs.
    nodes: Vec<Node>,
    root: usize,
    next: u32,
}

/// Something that can be made in several ways, the best of which are known.
#[derive(Debug)]
struct Node {
    kind: Kind,
    found: Vec<Way>,
    /// What may come next. The best of it does, after the neighbours of the last one that was found
    /// have been added.
    candidates: BinaryHeap<Reverse<Way>>,
    are_neighbours_added: bool,
}

#[derive(Clone, Debug)]
enum Kind {
    /// One of several alternatives, each with what it costs by itself and what it needs.
    Either(Vec<(Cost, Option<usize>)>),
    /// Both of two.
    Both(usize, usize),
}

/// How long a way is: its choices in the upper half, its brackets in the lower.
type Cost = u64;

/// One way of a node: for a pair, the numbers of the ways of both; otherwise the alternative and
/// the number of its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    cost: Cost,
    left: u32,
    right: u32,
}

impl Iterator for Reflections {
    type Item = Choices;

    fn next(&mut self) -> Option<Choices> {
        if !self.find(self.root, self.next) {
            return None;
        }
        let number = self.next;
        self.next += 1;
        let root = self.nodes[self.root].found[number as usize];
        let numbers = self.numbers_of(self.root, root);
        self.forest.numbered_way(u64::MAX, numbers, &mut |node, number| {
            let way = self.nodes[node].found[number as usize];
            Some((way.left as usize, self.numbers_of(node, way)))
        })
    }
}

impl Forest {
    /// All ways, one after another.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::all_ways();
    /// one_of((0..=5, 3..=9)).reflect(&4, &mut reflector).unwrap();
    /// assert_eq!(reflector.into_forest().into_ways().count(), 2);
    /// ```
    pub fn into_ways(self) -> Reflections {
        let shortest = self.least_costs(&|item| match item {
            Item::Choice(_) | Item::Pick { .. } => LeastCost { weight: 1, ..LeastCost::default() },
            Item::Open(_) => LeastCost { nodes: 1, ..LeastCost::default() },
            // Items that are nothing at all are not for nothing: there is no end of them.
            Item::More(more) => LeastCost { nodes: u64::from(*more), ..LeastCost::default() },
            _ => LeastCost::default(),
        });
        let mut best = Vec::with_capacity(2 * shortest.len());
        for least in shortest {
            best.push(
                least.map_or(Cost::MAX, |(cost, _)| cost.weight.saturating_mul(1 << 32).saturating_add(cost.nodes)),
            );
        }
        let count = self.node_count();
        let mut nodes = Vec::with_capacity(count + 1);
        for _ in 0..=count {
            nodes.push(Node::new(Kind::Either(Vec::new())));
        }
        let mut reflections = Reflections { forest: Forest::default(), nodes, root: count, next: 0 };
        best.push(0);
        for node in 0..=count {
            // A node that nothing leads to may need what cannot be made.
            if node < count && best[node] == Cost::MAX {
                continue;
            }
            let alternatives: Vec<&[Item]> =
                if node < count { self.alternatives(node).collect() } else { vec![&self.root] };
            let mut either = Vec::with_capacity(alternatives.len());
            for (place, alternative) in alternatives.into_iter().enumerate() {
                let needed = reflections.paired(alternative, &mut best);
                let own = own_cost(alternative);
                let cost = own.saturating_add(needed.map_or(0, |needed| best[needed]));
                if cost < Cost::MAX {
                    reflections.nodes[node].candidates.push(Reverse(Way { cost, left: place as u32, right: 0 }));
                }
                either.push((own, needed));
            }
            reflections.nodes[node].kind = Kind::Either(either);
        }
        for node in &mut reflections.nodes {
            if let Some(Reverse(way)) = node.candidates.pop() {
                node.found.push(way);
                node.are_neighbours_added = false;
            }
        }
        Reflections { forest: self, ..reflections }
    }
}

fn own_cost(alternative: &[Item]) -> Cost {
    let mut cost = 0;
    for item in alternative {
        cost += match item {
            Item::Choice(_) | Item::Pick { .. } => 1 << 32,
            Item::Open(_) => 1,
            Item::More(more) => u64::from(*more),
            _ => 0,
        };
    }
    cost
}

impl Reflections {
    /// What an alternative needs, paired until it is one: near ones first, so that the pairs stand
    /// in a tree that is not deep.
    fn paired(&mut self, alternative: &[Item], best: &mut Vec<Cost>) -> Option<usize> {
        let mut level: Vec<usize> = Vec::new();
        for item in alternative {
            if let Item::Node(child) = item {
                level.push(*child);
            }
        }
        while level.len() > 1 {
            let mut above = Vec::with_capacity(level.len().div_ceil(2));
            for pair in level.chunks(2) {
                let [left, right] = pair else {
                    above.push(pair[0]);
                    continue;
                };
                let cost = best[*left].saturating_add(best[*right]);
                let mut node = Node::new(Kind::Both(*left, *right));
                node.candidates.push(Reverse(Way { cost, left: 0, right: 0 }));
                above.push(self.nodes.len());
                self.nodes.push(node);
                best.push(cost);
            }
            level = above;
        }
        level.pop()
    }

    /// Finds ways of a node until that many and one are known; `false` if there are not so many.
    ///
    /// Not by recursion: a value may be deep.
    fn find(&mut self, node: usize, number: u32) -> bool {
        let mut wanted = vec![(node, number)];
        while let Some((node, number)) = wanted.last().copied() {
            if self.nodes[node].found.len() as u64 > u64::from(number) {
                wanted.pop();
                continue;
            }
            if !self.nodes[node].are_neighbours_added {
                match self.neighbour_wanted(node) {
                    Some(more) => wanted.push(more),
                    None => self.add_neighbours(node),
                }
                continue;
            }
            let found = &mut self.nodes[node];
            match found.candidates.pop() {
                Some(Reverse(way)) => {
                    found.found.push(way);
                    found.are_neighbours_added = false;
                }
                None => {
                    wanted.pop();
                }
            }
        }
        self.nodes[node].found.len() as u64 > u64::from(number)
    }

    /// The neighbours of the way that a node found last, by the node they need one more way of:
    /// which way that is, what it would be called, and whether it exists.
    fn neighbours(&self, node: usize) -> [Option<(usize, u32, Way)>; 2] {
        let Some(last) = self.nodes[node].found.last().copied() else {
            return [None, None];
        };
        match &self.nodes[node].kind {
            Kind::Either(alternatives) => {
                let next = Way { right: last.right + 1, ..last };
                [alternatives[last.left as usize].1.map(|needed| (needed, next.right, next)), None]
            }
            Kind::Both(left, right) => {
                let (down, across) = (Way { left: last.left + 1, ..last }, Way { right: last.right + 1, ..last });
                // Each pair is reached in one way only: first down, then across.
                [Some((*right, across.right, across)), (last.right == 0).then_some((*left, down.left, down))]
            }
        }
    }

    /// A way that is not known yet and must be, or that does not exist, before the neighbours can
    /// be added.
    fn neighbour_wanted(&self, node: usize) -> Option<(usize, u32)> {
        for (needed, number, _) in self.neighbours(node).into_iter().flatten() {
            let state = &self.nodes[needed];
            let is_exhausted = state.candidates.is_empty() && state.are_neighbours_added;
            if state.found.len() as u64 <= u64::from(number) && !is_exhausted {
                return Some((needed, number));
            }
        }
        None
    }

    fn add_neighbours(&mut self, node: usize) {
        for (needed, number, way) in self.neighbours(node).into_iter().flatten() {
            let found = &self.nodes[needed].found;
            if let Some(more) = found.get(number as usize) {
                let cost = way.cost - found[number as usize - 1].cost + more.cost;
                self.nodes[node].candidates.push(Reverse(Way { cost, ..way }));
            }
        }
        self.nodes[node].are_neighbours_added = true;
    }

    /// The numbers of the ways of all nodes that stand in one alternative, in order.
    fn numbers_of(&self, node: usize, way: Way) -> Vec<u32> {
        let Kind::Either(alternatives) = &self.nodes[node].kind else { return Vec::new() };
        let mut numbers = Vec::new();
        let mut pending = Vec::new();
        pending.extend(alternatives[way.left as usize].1.map(|needed| (needed, way.right)));
        while let Some((node, number)) = pending.pop() {
            match self.nodes[node].kind {
                Kind::Either(_) => numbers.push(number),
                Kind::Both(left, right) => {
                    let way = self.nodes[node].found[number as usize];
                    pending.push((right, way.right));
                    pending.push((left, way.left));
                }
            }
        }
        numbers
    }
}

impl Node {
    fn new(kind: Kind) -> Node {
        Node { kind, found: Vec::new(), candidates: BinaryHeap::new(), are_neighbours_added: true }
    }
}
