//! AVL trees with the height kept in every node.

use retrospect::prelude::*;

/// An AVL tree.
#[derive(Debug, Clone, PartialEq, Generate)]
pub enum Avl {
    /// Nothing, of height 0.
    Leaf,
    /// A key, its height, and two subtrees whose heights differ by at most 1.
    Node {
        /// One more than that of the higher subtree.
        height: u32,
        /// Smaller keys.
        left: Box<Avl>,
        /// The key.
        key: i64,
        /// Larger keys.
        right: Box<Avl>,
    },
}

/// AVL trees with keys from `lo` to `hi`.
#[generator]
pub fn avl(lo: i64, hi: i64) -> Avl {
    #[focus(it.height())]
    let height = draw(0..=highest(lo, hi));
    draw(of_height(lo, hi, height))
}

/// AVL trees of exactly that height.
#[generator]
pub fn of_height(lo: i64, hi: i64, height: u32) -> Avl {
    if height == 0 {
        return Avl::Leaf;
    }
    match pick() {
        #[weight(if hi - lo >= 2 * fewest(height - 1) { 2 } else { 0 })]
        "even" => draw(node(lo, hi, height, height - 1, height - 1)),
        #[weight(if height >= 2 { 1 } else { 0 })]
        "left" => draw(node(lo, hi, height, height - 1, height - 2)),
        #[weight(if height >= 2 { 1 } else { 0 })]
        "right" => draw(node(lo, hi, height, height - 2, height - 1)),
    }
}

/// Nodes whose subtrees have exactly those heights.
#[generator]
fn node(lo: i64, hi: i64, height: u32, left_height: u32, right_height: u32) -> Avl {
    let key = draw(lo + fewest(left_height)..=hi - fewest(right_height));
    let left = draw(of_height(lo, key - 1, left_height));
    let right = draw(of_height(key + 1, hi, right_height));
    Avl::Node { height, left: Box::new(left), key, right: Box::new(right) }
}

/// The fewest keys of a tree of that height.
fn fewest(height: u32) -> i64 {
    match height {
        0 => 0,
        1 => 1,
        height => fewest(height - 1) + fewest(height - 2) + 1,
    }
}

/// The largest height for which the keys suffice.
fn highest(lo: i64, hi: i64) -> u32 {
    (0..8).rev().find(|height| fewest(*height) <= (hi - lo + 1).max(0)).unwrap_or(0)
}

impl Avl {
    /// The height as the root has it.
    pub fn height(&self) -> u32 {
        match self {
            Avl::Leaf => 0,
            Avl::Node { height, .. } => *height,
        }
    }

    /// The check one writes by hand.
    pub fn is_valid(&self, lo: i64, hi: i64) -> bool {
        match self {
            Avl::Leaf => true,
            Avl::Node { height, left, key, right } => {
                (lo..=hi).contains(key)
                    && left.height().max(right.height()).checked_add(1) == Some(*height)
                    && left.height().abs_diff(right.height()) <= 1
                    && left.is_valid(lo, key - 1)
                    && right.is_valid(key + 1, hi)
            }
        }
    }
}
