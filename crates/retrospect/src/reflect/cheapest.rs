//! What the cheapest way through each node of a forest costs.

use super::forest::{Forest, Item};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a way costs. The first of these counts most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    pub(super) weight: u64,
    pub(super) magnitude: u64,
    pub(super) nodes: u64,
}

impl Cost {
    pub(super) fn add(&mut self, other: Cost) {
        self.weight = self.weight.saturating_add(other.weight);
        self.magnitude = self.magnitude.saturating_add(other.magnitude);
        self.nodes = self.nodes.saturating_add(other.nodes);
    }
}

/// An alternative of a node, as long as not all is known of it.
struct Open {
    node: usize,
    place: usize,
    /// What is known of its cost.
    cost: Cost,
    /// How many nodes in it have no cost yet.
    missing: usize,
}

impl Forest {
    /// The cost of each node's cheapest alternative, and which it is; nothing for a node that
    /// cannot be made. `own` is what an item that is no node costs.
    ///
    /// The nodes get their costs from the cheapest to the dearest, so each alternative is looked at
    /// once, whichever way round the nodes need each other and whether they do so in a circle.
    pub(super) fn least_costs(&self, own: &dyn Fn(&Item) -> Cost) -> Vec<Option<(Cost, usize)>> {
        let mut open = Vec::new();
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); self.node_count()];
        let mut next = BinaryHeap::new();
        for node in 0..self.node_count() {
            for (place, alternative) in self.alternatives(node).enumerate() {
                let mut this = Open { node, place, cost: Cost::default(), missing: 0 };
                for item in alternative {
                    match item {
                        Item::Node(child) => {
                            users[*child].push(open.len() as u32);
                            this.missing += 1;
                        }
                        item => this.cost.add(own(item)),
                    }
                }
                if this.missing == 0 {
                    next.push(Reverse((this.cost, node, place)));
                }
                open.push(this);
            }
        }
        let mut costs = vec![None; self.node_count()];
        while let Some(Reverse((cost, node, place))) = next.pop() {
            if costs[node].is_some() {
                continue;
            }
            costs[node] = Some((cost, place));
            for user in &users[node] {
                let user = &mut open[*user as usize];
                user.cost.add(cost);
                user.missing -= 1;
                if user.missing == 0 {
                    next.push(Reverse((user.cost, user.node, user.place)));
                }
            }
        }
        costs
    }
}
