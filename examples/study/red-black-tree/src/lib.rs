//! Inserting into a red-black tree keeps it one, and the key is there afterwards.

use retrospect::prelude::*;
use study_support::Fault::{self, HeldOut, Shown};
use study_support::{Quality, Task};

/// The task.
pub const TASK: Task = Task {
    name: "red_black_tree",
    shown: &[
        "a new node is black",
        "two red nodes in a row on the left are left as they are",
        "two red nodes in a row, bent to the left inside of the right, are left as they are",
        "a rotation forgets a subtree",
        "a key that is there is inserted again",
    ],
    held_out: &[
        "`inserted`: `if key < here` is `if false`",
        "`inserted`: the left call is `balanced(color, right, here, inserted(left))`",
        "`inserted`: a key that is there gives `Node(color, right, here, left)`",
        "`balanced`: the first `if color == Black && is_red(left)` is `if false`",
        "`balanced`: the first `three` is `three(b, x, a, …)`",
        "`balanced`: `if color == Black && is_red(right)` is `if false`",
        "`balanced`: the third `three` is `three(b, key, left, …)`",
        "`balanced`: the end is `Node(color, right, key, left)`",
        "`three`: the right node is red",
    ],
    run,
};

#[derive(Clone, Copy, Debug, PartialEq, Generate)]
enum Color {
    Red,
    Black,
}
use Color::{Black, Red};

#[derive(Clone, Debug, PartialEq, Generate)]
enum Tree {
    Leaf,
    Node(Color, Box<Tree>, i64, Box<Tree>),
}
use Tree::{Leaf, Node};

/// Keys of the generators that are written by hand.
const KEYS: std::ops::Range<i64> = 0..1000;

/// Red-black trees with `black_height` black nodes on every path and keys from `min` to `max`.
#[generator]
fn red_black_trees(min: i64, max: i64, black_height: u32, may_be_red: bool) -> Tree {
    // The number of keys that each subtree of a black and of a red node needs.
    let below_black = (1_i64 << black_height.saturating_sub(1)) - 1;
    let below_red = (1_i64 << black_height) - 1;
    match pick() {
        #[weight(if black_height == 0 { 1 } else { 0 })]
        "leaf" => Leaf,
        #[weight(if black_height > 0 { 1 } else { 0 })]
        "black" => {
            let key = draw(min + below_black..=max - below_black);
            let left = draw(red_black_trees(min, key - 1, black_height - 1, true));
            let right = draw(red_black_trees(key + 1, max, black_height - 1, true));
            Node(Black, Box::new(left), key, Box::new(right))
        }
        #[weight(if may_be_red && max - min >= 2 * below_red { 1 } else { 0 })]
        "red" => {
            let key = draw(min + below_red..=max - below_red);
            let left = draw(red_black_trees(min, key - 1, black_height, false));
            let right = draw(red_black_trees(key + 1, max, black_height, false));
            Node(Red, Box::new(left), key, Box::new(right))
        }
    }
}

fn run(quality: Quality, fault: Fault, check: Check) -> Option<String> {
    match quality {
        // Every tree that the rules allow, and as often a key of the tree as any other.
        Quality::Good => check.failure_of_case(|case| {
            let black_height = case.draw_named("black_height", 0..=4_u32);
            let tree = case.draw_named("tree", red_black_trees(KEYS.start, KEYS.end - 1, black_height, false));
            let keys = keys(&tree);
            let is_known = case.draw_named("is_known", any::<bool>()) && !keys.is_empty();
            let key = match is_known {
                true => keys[case.draw_named("which", 0..keys.len())],
                false => case.draw_named("key", KEYS),
            };
            inserting_keeps_it(tree, key, fault);
        }),
        // The oversight: the keys are a set, since a tree has each key once, and a set is
        // ascending. So every tree was built by inserting at its right end.
        Quality::Flawed => check.failure_of_case(|case| {
            let keys = case.draw_named("keys", set_of(KEYS, 0..=30));
            let tree = keys.iter().fold(Leaf, |tree, key| insert(tree, *key, Fault::None));
            inserting_keeps_it(tree, case.draw_named("key", KEYS), fault);
        }),
        // The example of section 5.2.1: `@given(trees(), integers())`,
        // `assume(is_red_black_tree(t))`.
        Quality::Poor => check.failure_of_case(|case| {
            let tree = case.draw_named("tree", any::<Tree>());
            assume!(is_red_black(&tree));
            inserting_keeps_it(tree, case.draw_named("key", any::<i64>()), fault);
        }),
    }
}

fn inserting_keeps_it(tree: Tree, key: i64, fault: Fault) {
    let mut before = keys(&tree);
    // The size, the depth and the shape of what is specified: a tree whose balance is bounded by
    // its height and kept by its red nodes.
    event!("size", before.len());
    event!("height", height(&tree));
    event!("red nodes", red_nodes(&tree));
    // Inserting is specified apart for a new key and for one that is there.
    event!("key is there", before.contains(&key));
    let after = insert(tree, key, fault);
    if !before.contains(&key) {
        before.push(key);
        before.sort_unstable();
    }
    assert_eq!(keys(&after), before, "the keys");
    assert!(is_red_black(&after), "no red-black tree: {after:?}");
}

// The code under test: from here to `three`.

fn insert(tree: Tree, key: i64, fault: Fault) -> Tree {
    match inserted(tree, key, fault) {
        Node(_, left, key, right) => Node(Black, left, key, right),
        Leaf => Leaf,
    }
}

fn inserted(tree: Tree, key: i64, fault: Fault) -> Tree {
    let Node(color, left, here, right) = tree else {
        let color = if fault == Shown(0) { Black } else { Red };
        return Node(color, Box::new(Leaf), key, Box::new(Leaf));
    };
    if (key < here && fault != HeldOut(0)) || (key == here && fault == Shown(4)) {
        let (left, right) = swapped_if(fault == HeldOut(1), inserted(*left, key, fault), *right);
        balanced(color, left, here, right, fault)
    } else if key > here {
        balanced(color, *left, here, inserted(*right, key, fault), fault)
    } else {
        let (left, right) = swapped_if(fault == HeldOut(2), left, right);
        Node(color, left, here, right)
    }
}

/// Faults only.
fn swapped_if<T>(is_swapped: bool, first: T, second: T) -> (T, T) {
    if is_swapped { (second, first) } else { (first, second) }
}

fn is_red(tree: &Tree) -> bool {
    matches!(tree, Node(Red, ..))
}

fn split(tree: Tree) -> (Tree, i64, Tree) {
    match tree {
        Node(_, left, key, right) => (*left, key, *right),
        Leaf => unreachable!("only red nodes are split"),
    }
}

/// Two red nodes in a row below a black one become three nodes on two levels.
fn balanced(color: Color, left: Tree, key: i64, right: Tree, fault: Fault) -> Tree {
    if color == Black && is_red(&left) && fault != HeldOut(3) {
        let (far, middle, near) = split(left.clone());
        if is_red(&far) && fault != Shown(1) {
            let (a, x, b) = split(far);
            let (a, b) = swapped_if(fault == HeldOut(4), a, b);
            return three(a, x, b, middle, near, key, right, fault);
        }
        if is_red(&near) {
            let (b, y, c) = split(near);
            let b = if fault == Shown(3) { Leaf } else { b };
            return three(far, middle, b, y, c, key, right, fault);
        }
    }
    if color == Black && is_red(&right) && fault != HeldOut(5) {
        let (near, middle, far) = split(right.clone());
        if is_red(&near) && fault != Shown(2) {
            let (b, y, c) = split(near);
            let (left, b) = swapped_if(fault == HeldOut(6), left, b);
            return three(left, key, b, y, c, middle, far, fault);
        }
        if is_red(&far) {
            let (c, z, d) = split(far);
            return three(left, key, near, middle, c, z, d, fault);
        }
    }
    let (left, right) = swapped_if(fault == HeldOut(7), left, right);
    Node(color, Box::new(left), key, Box::new(right))
}

#[expect(clippy::too_many_arguments, reason = "four trees and three keys between them")]
fn three(a: Tree, x: i64, b: Tree, y: i64, c: Tree, z: i64, d: Tree, fault: Fault) -> Tree {
    let left = Node(Black, Box::new(a), x, Box::new(b));
    let color = if fault == HeldOut(8) { Red } else { Black };
    let right = Node(color, Box::new(c), z, Box::new(d));
    Node(Red, Box::new(left), y, Box::new(right))
}

// The specification.

fn keys(tree: &Tree) -> Vec<i64> {
    match tree {
        Leaf => Vec::new(),
        Node(_, left, key, right) => [keys(left), vec![*key], keys(right)].concat(),
    }
}

fn height(tree: &Tree) -> usize {
    match tree {
        Leaf => 0,
        Node(_, left, _, right) => 1 + height(left).max(height(right)),
    }
}

fn red_nodes(tree: &Tree) -> usize {
    match tree {
        Leaf => 0,
        Node(color, left, _, right) => usize::from(*color == Red) + red_nodes(left) + red_nodes(right),
    }
}

fn is_red_black(tree: &Tree) -> bool {
    /// The number of black nodes on every path, if it is the same on all of them and no red node
    /// has a red child.
    fn black_height(tree: &Tree) -> Option<u32> {
        let Node(color, left, _, right) = tree else { return Some(0) };
        let (below, other) = (black_height(left)?, black_height(right)?);
        let is_even = below == other && !(*color == Red && (is_red(left) || is_red(right)));
        is_even.then_some(below + u32::from(*color == Black))
    }
    let keys = keys(tree);
    black_height(tree).is_some() && !is_red(tree) && keys.windows(2).all(|pair| pair[0] < pair[1])
}
