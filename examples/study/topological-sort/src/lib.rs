//! Sorting the nodes of a graph without cycles puts every node behind those that lead to it.

use retrospect::prelude::*;
use study_support::Fault::{self, HeldOut, Shown};
use study_support::{Quality, Task};

/// The task.
pub const TASK: Task = Task {
    name: "topological_sort",
    shown: &[
        "only the last of several edges to a node counts",
        "a node that nothing leads to and that leads nowhere is left out",
        "edges to a node with a smaller number are not seen",
    ],
    held_out: &[
        "`before[to].push(from)` is left out",
        "`before[to].push(from)` is `before[from].push(to)`",
        "`!order.contains(node)` is `order.contains(node)`",
        "`all(…)` is `any(…)`",
        "`let Some(next)` never matches",
        "`0..graph.nodes` is `1..graph.nodes`",
    ],
    run,
};

/// Edges between the nodes `0..nodes`.
#[derive(Clone, Debug)]
struct Graph {
    nodes: usize,
    edges: Vec<(usize, usize)>,
}

const MAX_NODES: usize = 12;
const MAX_EDGES: usize = 30;

/// An edge of a graph of `nodes` nodes, from a smaller number to a larger one.
#[generator]
fn ascending_edge(nodes: usize) -> (usize, usize) {
    let to = draw(1..nodes);
    let from = draw(0..to);
    (from, to)
}

fn ascending_edges(case: &mut Case<'_>, nodes: usize) -> Vec<(usize, usize)> {
    let max_edges = if nodes < 2 { 0 } else { MAX_EDGES };
    case.draw_named("edges", vec_of(ascending_edge(nodes), 0..=max_edges))
}

fn run(quality: Quality, fault: Fault, check: Check) -> Option<String> {
    match quality {
        // Every edge leads to a node that is later in an order that is drawn first.
        Quality::Good => check.failure_of_case(|case| {
            let nodes = case.draw_named("nodes", 0..=MAX_NODES);
            let order = case.draw_named("order", permutation_of((0..nodes).collect::<Vec<usize>>()));
            let edges = ascending_edges(case, nodes);
            let edges = edges.into_iter().map(|(from, to)| (order[from], order[to])).collect();
            sorting_respects_edges(&Graph { nodes, edges }, fault);
        }),
        // The oversight: the usual way to draw no cycle, edges from smaller to larger numbers,
        // makes graphs whose nodes are in order already.
        Quality::Flawed => check.failure_of_case(|case| {
            let nodes = case.draw_named("nodes", 0..=MAX_NODES);
            let edges = ascending_edges(case, nodes);
            sorting_respects_edges(&Graph { nodes, edges }, fault);
        }),
        // Any edges between the nodes. An edge has to name a node, so `derive(Generate)` does not
        // do.
        Quality::Poor => check.failure_of_case(|case| {
            let nodes = case.draw_named("nodes", 1..=MAX_NODES);
            let edges = case.draw_named("edges", vec_of(tuple((0..nodes, 0..nodes)), 0..=MAX_EDGES));
            let graph = Graph { nodes, edges };
            assume!(longest_path(&graph).is_some());
            sorting_respects_edges(&graph, fault);
        }),
    }
}

fn sorting_respects_edges(graph: &Graph, fault: Fault) {
    // The two parts of a graph, and its depth.
    event!("nodes", graph.nodes);
    event!("edges", graph.edges.len());
    event!("longest path", longest_path(graph).expect("there is no cycle"));
    // An order can begin with any of these.
    event!("sources", (0..graph.nodes).filter(|node| graph.edges.iter().all(|(_, to)| to != node)).count());
    let order = sorted(graph, fault);
    assert!(is_sorted(graph, &order), "{order:?}");
}

// The code under test: `sorted`.

/// The nodes in order.
fn sorted(graph: &Graph, fault: Fault) -> Vec<usize> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes];
    for (from, to) in &graph.edges {
        if fault == Shown(0) {
            before[*to].clear();
        }
        match fault {
            Shown(2) if to < from => {}
            HeldOut(0) => {}
            HeldOut(1) => before[*from].push(*to),
            _ => before[*to].push(*from),
        }
    }
    let mut order: Vec<usize> = Vec::new();
    loop {
        let is_next = |node: &usize| {
            let mut before = before[*node].iter();
            let is_ready = match fault {
                HeldOut(3) => before.any(|from| order.contains(from)),
                _ => before.all(|from| order.contains(from)),
            };
            order.contains(node) == (fault == HeldOut(2)) && is_ready
        };
        let first = usize::from(fault == HeldOut(5));
        let Some(next) = (first..graph.nodes).find(is_next).filter(|_| fault != HeldOut(4)) else { break };
        order.push(next);
    }
    if fault == Shown(1) {
        order.retain(|node| graph.edges.iter().any(|(from, to)| from == node || to == node));
    }
    order
}

// The specification.

/// The number of nodes on the longest path, unless there is a cycle.
fn longest_path(graph: &Graph) -> Option<usize> {
    let mut left: Vec<usize> = (0..graph.nodes).collect();
    let mut length = 0;
    while !left.is_empty() {
        let waits = |node: &usize| graph.edges.iter().any(|(from, to)| to == node && left.contains(from));
        let rest: Vec<usize> = left.iter().copied().filter(waits).collect();
        if rest.len() == left.len() {
            return None;
        }
        left = rest;
        length += 1;
    }
    Some(length)
}

fn is_sorted(graph: &Graph, order: &[usize]) -> bool {
    let place = |node: usize| order.iter().position(|other| *other == node);
    let has_each_once = order.len() == graph.nodes && (0..graph.nodes).all(|node| place(node).is_some());
    has_each_once && graph.edges.iter().all(|(from, to)| place(*from) < place(*to))
}
