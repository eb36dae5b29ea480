//! Binary search trees: every key lies between its ancestors' keys.

use retrospect::prelude::*;

/// A binary search tree.
#[derive(Debug, Clone, PartialEq, Generate)]
pub enum Tree {
    /// Nothing.
    Leaf,
    /// Smaller keys, a key, larger keys.
    Node(Box<Tree>, i64, Box<Tree>),
}

/// Search trees with keys from `lo` to `hi`.
#[generator]
pub fn bst(lo: i64, hi: i64) -> Tree {
    if lo > hi {
        return Tree::Leaf;
    }
    match pick() {
        "leaf" => Tree::Leaf,
        #[weight(5)]
        "node" => {
            let x = draw(lo..=hi);
            let l = draw(bst(lo, x - 1));
            let r = draw(bst(x + 1, hi));
            Tree::Node(Box::new(l), x, Box::new(r))
        }
    }
}

impl Tree {
    /// How many keys there are.
    pub fn size(&self) -> usize {
        match self {
            Tree::Leaf => 0,
            Tree::Node(left, _, right) => left.size() + 1 + right.size(),
        }
    }

    /// Whether every key lies strictly between `lo` and `hi` and its ancestors' keys: the check one
    /// writes by hand.
    pub fn is_within(&self, lo: i64, hi: i64) -> bool {
        match self {
            Tree::Leaf => true,
            Tree::Node(left, key, right) => {
                (lo..=hi).contains(key) && left.is_within(lo, key - 1) && right.is_within(key + 1, hi)
            }
        }
    }

    /// The keys in order.
    pub fn keys(&self) -> Vec<i64> {
        match self {
            Tree::Leaf => Vec::new(),
            Tree::Node(left, key, right) => [left.keys(), vec![*key], right.keys()].concat(),
        }
    }

    /// The tree with one more key; the same tree if it has the key already.
    pub fn insert(self, new: i64) -> Tree {
        match self {
            Tree::Leaf => Tree::Node(Box::new(Tree::Leaf), new, Box::new(Tree::Leaf)),
            Tree::Node(left, key, right) if new < key => Tree::Node(Box::new(left.insert(new)), key, right),
            Tree::Node(left, key, right) if new > key => Tree::Node(left, key, Box::new(right.insert(new))),
            Tree::Node(left, key, right) => Tree::Node(left, key, right),
        }
    }
}
