//! What looking at a value costs, by the size of the value.

use super::workloads::{self, JSON_DEPTH, Json, Tree};
use crate::measure::{Effort, Table, least};
use retrospect::prelude::*;
use retrospect::reflect::Reflector;
use std::hint::black_box;

pub(crate) fn run(effort: Effort) -> String {
    let sizes: &[usize] = match effort {
        Effort::Quick => &[1_000, 10_000],
        Effort::Full => &[1_000, 10_000, 100_000, 1_000_000],
    };
    let head: Vec<String> = ["reflection, ns per node".to_owned()]
        .into_iter()
        .chain(sizes.iter().map(|size| format!("{size} nodes")))
        .chain(["largest / smallest".to_owned()])
        .collect();
    let mut table = Table::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    let trees: Vec<Tree> = sizes.iter().map(|size| balanced(0, *size as u32)).collect();
    // One reflector for all values, as a runner has: what it recorded before makes room for what it
    // records next.
    let mut reflector = Reflector::first_way();
    let tree_generator = workloads::tree(0, u32::MAX / 2, 1000);
    row(&mut table, "one bst, choices recorded", effort, &trees, Tree::nodes, |tree| {
        reflector.restart();
        assert!(tree_generator.reflect(tree, &mut reflector).is_ok());
        black_box(reflector.choices());
    });
    row(&mut table, "one bst, accepted only", effort, &trees, Tree::nodes, |tree| {
        assert!(tree_generator.accepts(tree))
    });
    row(&mut table, "one bst, checked by hand", effort, &trees, Tree::nodes, |tree| {
        assert!(black_box(tree).is_within(0, black_box(u32::MAX / 2)));
    });
    let documents: Vec<Vec<Json>> = sizes.iter().map(|size| documents(*size)).collect();
    let nodes = |documents: &Vec<Json>| documents.iter().map(Json::nodes).sum();
    let json_generator = vec_of(workloads::json(JSON_DEPTH), ..);
    row(&mut table, "many json, choices recorded", effort, &documents, nodes, |documents| {
        reflector.restart();
        assert!(json_generator.reflect(documents, &mut reflector).is_ok());
        black_box(reflector.choices());
    });
    row(&mut table, "many json, accepted only", effort, &documents, nodes, |documents| {
        assert!(json_generator.accepts(documents));
    });
    let goals = "Goals: at most 60 ns per node, and per node at most 1.5 × from 10^3 to 10^6 nodes. What the tree costs by hand shows how much of the growth is \
                 memory: a million nodes no longer fit into the caches. The json documents are those of the generation table, with strings of up to 9 characters.";
    format!("## Reflection\n\n{goals}\n\n{}", table.to_markdown())
}

fn row<T>(
    table: &mut Table,
    name: &str,
    effort: Effort,
    values: &[T],
    nodes: impl Fn(&T) -> usize,
    mut work: impl FnMut(&T),
) {
    let mut figures = Vec::new();
    for value in values {
        let nodes = nodes(value);
        // As many repetitions as give every size the same amount of work in one round.
        let repetitions = (effort.of(1_000_000) / nodes).max(1);
        let time = least(effort.rounds().min(20), || {
            for _ in 0..repetitions {
                work(value);
            }
        });
        figures.push(time / (repetitions * nodes) as f64);
    }
    let growth = figures[figures.len() - 1] / figures[0];
    let cells = figures.iter().map(|figure| format!("{figure:.1}")).chain([format!("{growth:.2}")]);
    table.row([name.to_owned()].into_iter().chain(cells).collect());
}

/// A balanced tree of the keys from `lo` below `hi`.
fn balanced(lo: u32, hi: u32) -> Tree {
    if lo >= hi {
        return Tree::Leaf;
    }
    let key = lo + (hi - lo) / 2;
    Tree::Node(Box::new(balanced(lo, key)), key, Box::new(balanced(key + 1, hi)))
}

/// Random documents with that many nodes together.
fn documents(nodes: usize) -> Vec<Json> {
    let mut documents = Vec::new();
    let mut count = 0;
    for document in workloads::json(JSON_DEPTH).samples(5) {
        count += document.nodes();
        documents.push(document);
        if count >= nodes {
            break;
        }
    }
    documents
}
