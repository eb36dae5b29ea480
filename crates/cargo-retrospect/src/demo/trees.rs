//! One property, three generators. The code under test has a fault, and only one of them finds it.

use retrospect::prelude::*;
use retrospect::runner::Settings;

#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    Leaf,
    Node(Box<Tree>, u32, Box<Tree>),
}
use Tree::{Leaf, Node};

/// Search trees of any shape, and nothing else: each key is drawn between those around it.
#[generator]
fn search_trees(low: u32, high: u32) -> Tree {
    if low >= high {
        return Leaf;
    }
    match pick() {
        "leaf" => Leaf,
        #[weight(4)]
        "node" => {
            let key = draw(low..high);
            let left = draw(search_trees(low, key));
            let right = draw(search_trees(key + 1, high));
            Node(Box::new(left), key, Box::new(right))
        }
    }
}

/// Trees with any keys anywhere: few of them are search trees, and those are small.
#[generator]
fn any_trees(levels: u32) -> Tree {
    if levels == 0 {
        return Leaf;
    }
    match pick() {
        "leaf" => Leaf,
        #[weight(2)]
        "node" => {
            let left = draw(any_trees(levels - 1));
            let key = draw(0..100_u32);
            let right = draw(any_trees(levels - 1));
            Node(Box::new(left), key, Box::new(right))
        }
    }
}

/// What is left of a key is smaller, what is right of it larger; but a key has no more than one
/// below it.
#[generator]
fn small_trees() -> Tree {
    let key = draw(3..6_u32);
    match pick() {
        "one" => Node(Box::new(Leaf), key, Box::new(Leaf)),
        "left" => Node(Box::new(Node(Box::new(Leaf), 2, Box::new(Leaf))), key, Box::new(Leaf)),
        "right" => Node(Box::new(Leaf), key, Box::new(Node(Box::new(Leaf), 7, Box::new(Leaf)))),
    }
}

/// The generators by name.
pub const NAMES: [&str; 3] = ["poor", "flawed", "good"];

pub fn run(name: &str, seed: u64) {
    // All there is of the poor one would be run in no time; it is to be seen what chance makes of
    // it.
    let settings = Settings::new().cases(2_000).seed(seed).save(false).exhaustive(false);
    let check = Check::new().with(settings).named(&format!("demo::{name}_generator"));
    match name {
        "poor" => check.run_case(|case| {
            let tree = case.draw_named("tree", small_trees());
            removing_keeps_the_others(tree, case.draw_named("key", 0..8));
        }),
        "flawed" => check.run_case(|case| {
            let tree = case.draw_named("tree", any_trees(6));
            assume!(is_search_tree(&tree));
            removing_keeps_the_others(tree, case.draw_named("key", 0..100));
        }),
        _ => check.run_case(|case| {
            let tree = case.draw_named("tree", search_trees(0, 100));
            removing_keeps_the_others(tree, case.draw_named("key", 0..100));
        }),
    }
}

/// The property.
fn removing_keeps_the_others(tree: Tree, key: u32) {
    let mut keys = keys(&tree);
    event!("keys", keys.len());
    event!("depth", depth(&tree));
    event!("removed", place(&tree, key));
    let rest = remove(tree, key);
    keys.retain(|other| *other != key);
    assert_eq!(self::keys(&rest), keys);
}

/// Removes a key. The key that follows takes its place; what hangs on that one should take *its*
/// place, and is forgotten.
fn remove(tree: Tree, key: u32) -> Tree {
    let Node(left, here, right) = tree else { return Leaf };
    if key < here {
        return Node(Box::new(remove(*left, key)), here, right);
    }
    if key > here {
        return Node(left, here, Box::new(remove(*right, key)));
    }
    match (*left, *right) {
        (Leaf, only) | (only, Leaf) => only,
        (left, right) => {
            let (next, rest) = take_first(right);
            Node(Box::new(left), next, Box::new(rest))
        }
    }
}

fn take_first(tree: Tree) -> (u32, Tree) {
    match tree {
        Node(left, key, right) => match *left {
            Leaf => (key, *right),
            // The fault: the first key of the left subtree is taken, and its right subtree goes
            // with it.
            Node(farther, first, _) if *farther == Leaf => (first, Node(Box::new(Leaf), key, right)),
            deeper => {
                let (first, rest) = take_first(deeper);
                (first, Node(Box::new(rest), key, right))
            }
        },
        Leaf => unreachable!("it is asked for the first of some"),
    }
}

fn keys(tree: &Tree) -> Vec<u32> {
    match tree {
        Leaf => Vec::new(),
        Node(left, key, right) => [keys(left), vec![*key], keys(right)].concat(),
    }
}

fn is_search_tree(tree: &Tree) -> bool {
    keys(tree).windows(2).all(|pair| pair[0] < pair[1])
}

fn depth(tree: &Tree) -> usize {
    match tree {
        Leaf => 0,
        Node(left, _, right) => 1 + depth(left).max(depth(right)),
    }
}

/// What hangs on the node with this key.
fn place(tree: &Tree, key: u32) -> &'static str {
    match tree {
        Leaf => "no such key",
        Node(left, here, _) if key < *here => place(left, key),
        Node(_, here, right) if key > *here => place(right, key),
        Node(left, _, right) => match (&**left, &**right) {
            (Leaf, Leaf) => "a leaf",
            (Leaf, _) | (_, Leaf) => "a node with one child",
            _ => "a node with two children",
        },
    }
}
