//! Inserting into a red-black tree keeps it one, and the key is there afterwards.

use retrospect::prelude::*;
use study_support::{Quality, Task};

/// The task.
pub const TASK: Task = Task {
    name: "red_black_tree",
    faults: &[
        "a new node is black",
        "two red nodes in a row on the left are left as they are",
        "two red nodes in a row, bent to the left inside of the right, are left as they are",
        "a rotation forgets a subtree",
        "a key that is there is inserted again",
    ],
    run,
};

#[derive(Clone, Copy, Debug, PartialEq, Generate)]
enum Color {
    Red,
    Black,
}
use Color::{Black, Red};

#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Leaf,
    Node(Color, Box<Tree>, u32, Box<Tree>),
}
use Tree::{Leaf, Node};

/// As inserting makes them: any number of any keys.
#[generator]
fn inserted_keys() -> Vec<u32> {
    draw(vec_of(0..1000_u32, 0..30))
}

/// Trees of any color and any key anywhere.
#[generator]
fn any_trees(levels: u32) -> Tree {
    if levels == 0 {
        return Leaf;
    }
    match pick() {
        "leaf" => Leaf,
        "node" => {
            let color = draw(any::<Color>());
            let left = draw(any_trees(levels - 1));
            let key = draw(0..1000_u32);
            let right = draw(any_trees(levels - 1));
            Node(color, Box::new(left), key, Box::new(right))
        }
    }
}

fn run(quality: Quality, fault: Option<usize>, check: Check) -> Option<String> {
    match quality {
        Quality::Good => check.failure_of_case(|case| {
            let keys = case.draw_named("keys", inserted_keys());
            let tree = keys.iter().fold(Leaf, |tree, key| insert(tree, *key, None));
            // Half of the time a key that is there.
            let known = case.draw_named("known", any::<bool>()) && !keys.is_empty();
            let key =
                if known { keys[case.draw_named("which", 0..keys.len())] } else { case.draw_named("key", 0..1000) };
            inserting_keeps_it(tree, key, fault);
        }),
        // Small trees, and hardly ever a key that is there.
        Quality::Flawed => check.failure_of_case(|case| {
            let keys = case.draw_named("keys", vec_of(0..1000_u32, 0..6));
            let tree = keys.iter().fold(Leaf, |tree, key| insert(tree, *key, None));
            inserting_keeps_it(tree, case.draw_named("key", 0..1000), fault);
        }),
        Quality::Poor => check.failure_of_case(|case| {
            let tree = case.draw_named("tree", any_trees(4));
            assume!(is_red_black(&tree));
            inserting_keeps_it(tree, case.draw_named("key", 0..1000), fault);
        }),
    }
}

fn inserting_keeps_it(tree: Tree, key: u32, fault: Option<usize>) {
    let mut before = keys(&tree);
    event!("size", before.len());
    event!("rank of the key", before.partition_point(|other| *other < key));
    event!("known", before.contains(&key));
    let after = insert(tree, key, fault);
    if !before.contains(&key) {
        before.push(key);
        before.sort_unstable();
    }
    assert_eq!(keys(&after), before, "the keys");
    assert!(is_red_black(&after), "no red-black tree: {after:?}");
}

/// The fault is the number of one of those of the task.
fn insert(tree: Tree, key: u32, fault: Option<usize>) -> Tree {
    match inserted(tree, key, fault) {
        Node(_, left, key, right) => Node(Black, left, key, right),
        Leaf => Leaf,
    }
}

fn inserted(tree: Tree, key: u32, fault: Option<usize>) -> Tree {
    let Node(color, left, here, right) = tree else {
        let color = if fault == Some(0) { Black } else { Red };
        return Node(color, Box::new(Leaf), key, Box::new(Leaf));
    };
    if key < here || (key == here && fault == Some(4)) {
        balanced(color, inserted(*left, key, fault), here, *right, fault)
    } else if key > here {
        balanced(color, *left, here, inserted(*right, key, fault), fault)
    } else {
        Node(color, left, here, right)
    }
}

fn is_red(tree: &Tree) -> bool {
    matches!(tree, Node(Red, ..))
}

fn split(tree: Tree) -> (Tree, u32, Tree) {
    match tree {
        Node(_, left, key, right) => (*left, key, *right),
        Leaf => unreachable!("it is asked of red nodes"),
    }
}

/// Two red nodes in a row below a black one become three nodes on two levels.
fn balanced(color: Color, left: Tree, key: u32, right: Tree, fault: Option<usize>) -> Tree {
    if color == Black && is_red(&left) {
        let (far, middle, near) = split(left.clone());
        if is_red(&far) && fault != Some(1) {
            let (a, x, b) = split(far);
            return three(a, x, b, middle, near, key, right);
        }
        if is_red(&near) {
            let (b, y, c) = split(near);
            let b = if fault == Some(3) { Leaf } else { b };
            return three(far, middle, b, y, c, key, right);
        }
    }
    if color == Black && is_red(&right) {
        let (near, middle, far) = split(right.clone());
        if is_red(&near) && fault != Some(2) {
            let (b, y, c) = split(near);
            return three(left, key, b, y, c, middle, far);
        }
        if is_red(&far) {
            let (c, z, d) = split(far);
            return three(left, key, near, middle, c, z, d);
        }
    }
    Node(color, Box::new(left), key, Box::new(right))
}

fn three(a: Tree, x: u32, b: Tree, y: u32, c: Tree, z: u32, d: Tree) -> Tree {
    let left = Node(Black, Box::new(a), x, Box::new(b));
    let right = Node(Black, Box::new(c), z, Box::new(d));
    Node(Red, Box::new(left), y, Box::new(right))
}

fn keys(tree: &Tree) -> Vec<u32> {
    match tree {
        Leaf => Vec::new(),
        Node(_, left, key, right) => [keys(left), vec![*key], keys(right)].concat(),
    }
}

fn is_red_black(tree: &Tree) -> bool {
    /// How many black nodes are on every way down, if that is so and no two red ones follow each other.
    fn height(tree: &Tree) -> Option<u32> {
        let Node(color, left, _, right) = tree else { return Some(0) };
        let (below, other) = (height(left)?, height(right)?);
        let is_even = below == other && !(*color == Red && (is_red(left) || is_red(right)));
        is_even.then_some(below + u32::from(*color == Black))
    }
    let keys = keys(tree);
    height(tree).is_some() && !is_red(tree) && keys.windows(2).all(|pair| pair[0] < pair[1])
}
