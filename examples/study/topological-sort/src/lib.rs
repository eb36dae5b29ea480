//! Sorting the nodes of a graph without cycles puts every node behind those that lead to it.

use retrospect::prelude::*;
use study_support::{Quality, Task};

/// The task.
pub const TASK: Task = Task {
    name: "topological_sort",
    faults: &[
        "only the last of several edges to a node counts",
        "a node that nothing leads to and that leads nowhere is left out",
        "a node that three or more lead to comes out twice",
        "edges to a node with a smaller number are not seen",
        "nodes behind a path of five do not wait for it",
    ],
    run,
};

/// Edges between the nodes `0..nodes`.
#[derive(Clone, Debug)]
struct Graph {
    nodes: usize,
    edges: Vec<(usize, usize)>,
}

/// Edges that lead from a node to one that is later in some order.
fn acyclic(case: &mut Case<'_>, most_nodes: usize, most_edges: usize) -> Graph {
    let nodes = case.draw_named("nodes", 0..=most_nodes);
    let order = case.draw_named("order", permutation_of((0..nodes).collect::<Vec<usize>>()));
    let mut edges = Vec::new();
    if nodes > 1 {
        for pair in case.draw_named("edges", vec_of(tuple((0..nodes - 1, 1..nodes)), 0..=most_edges)) {
            let (from, to) = (pair.0.min(pair.1), pair.0.max(pair.1));
            if from != to {
                edges.push((order[from], order[to]));
            }
        }
    }
    Graph { nodes, edges }
}

fn run(quality: Quality, fault: Option<usize>, check: Check) -> Option<String> {
    match quality {
        Quality::Good => check.failure_of_case(|case| sorting_respects_edges(&acyclic(case, 12, 20), fault)),
        // Small graphs.
        Quality::Flawed => check.failure_of_case(|case| sorting_respects_edges(&acyclic(case, 4, 6), fault)),
        // Any edges, as long as they happen to have no cycle.
        Quality::Poor => check.failure_of_case(|case| {
            let nodes = case.draw_named("nodes", 1..3_usize);
            let edges = case.draw_named("edges", vec_of(tuple((0..nodes, 0..nodes)), 0..12));
            let graph = Graph { nodes, edges };
            assume!(is_sorted(&graph, &sorted(&graph, None)));
            sorting_respects_edges(&graph, fault);
        }),
    }
}

fn sorting_respects_edges(graph: &Graph, fault: Option<usize>) {
    let mut incoming = vec![0; graph.nodes];
    graph.edges.iter().for_each(|(_, to)| incoming[*to] += 1);
    event!("nodes", graph.nodes);
    event!("edges", graph.edges.len());
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes];
    graph.edges.iter().for_each(|(from, to)| before[*to].push(*from));
    event!("longest path", (0..graph.nodes).map(|node| path_to(node, &before)).max().unwrap_or(0));
    event!("most edges to a node", incoming.iter().copied().max().unwrap_or(0));
    event!("edges to a smaller number", graph.edges.iter().filter(|(from, to)| to < from).count());
    let order = sorted(graph, fault);
    assert!(is_sorted(graph, &order), "{order:?}");
}

/// The nodes in order; fewer, if there is a cycle.
fn sorted(graph: &Graph, fault: Option<usize>) -> Vec<usize> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes];
    for (from, to) in &graph.edges {
        if fault == Some(0) {
            before[*to].clear();
        }
        if fault != Some(3) || to > from {
            before[*to].push(*from);
        }
    }
    if fault == Some(4) {
        let ends: Vec<usize> = (0..graph.nodes).filter(|node| path_to(*node, &before) >= 5).collect();
        ends.iter().for_each(|node| before[*node].clear());
    }
    let is_alone = |node: usize| graph.edges.iter().all(|(from, to)| *from != node && *to != node);
    let mut order: Vec<usize> = Vec::new();
    loop {
        let is_next = |node: &usize| !order.contains(node) && before[*node].iter().all(|from| order.contains(from));
        let Some(next) = (0..graph.nodes).find(is_next) else { break };
        order.push(next);
        if fault == Some(2) && before[next].len() > 2 {
            order.push(next);
        }
    }
    if fault == Some(1) {
        order.retain(|node| !is_alone(*node));
    }
    order
}

/// How many nodes are on the longest path to one; of a cycle, as many as there are.
fn path_to(node: usize, before: &[Vec<usize>]) -> usize {
    let mut reached = vec![node];
    let mut length = 0;
    while !reached.is_empty() && length < before.len() {
        length += 1;
        reached = reached.iter().flat_map(|node| &before[*node]).copied().collect();
        reached.sort_unstable();
        reached.dedup();
    }
    length
}

fn is_sorted(graph: &Graph, order: &[usize]) -> bool {
    let place = |node: usize| order.iter().position(|other| *other == node);
    order.len() == graph.nodes && graph.edges.iter().all(|(from, to)| place(*from) < place(*to))
}
