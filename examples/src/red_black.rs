//! Red–black trees, balanced by construction.

use retrospect::prelude::*;

/// The colour of a node.
#[derive(Debug, Clone, Copy, PartialEq, Generate)]
pub enum Colour {
    /// Has no red child.
    Red,
    /// Counts for the black height.
    Black,
}

/// A red–black tree.
#[derive(Debug, Clone, PartialEq, Generate)]
pub enum RedBlack {
    /// Nothing; black.
    Leaf,
    /// Smaller keys, a key, larger keys.
    Node(Colour, Box<RedBlack>, i64, Box<RedBlack>),
}

/// Red–black trees with a black root and keys from `lo` to `hi`.
#[generator]
pub fn red_black(lo: i64, hi: i64) -> RedBlack {
    #[focus(it.black_height()?)]
    let height = draw(0..=highest(lo, hi));
    draw(subtree(lo, hi, height, false))
}

/// Trees whose every path to a leaf has `height` black nodes, with a red root only if `may_be_red`.
#[generator]
pub fn subtree(lo: i64, hi: i64, height: u32, may_be_red: bool) -> RedBlack {
    let below_black = fewest(height.saturating_sub(1));
    let below_red = fewest(height);
    let has_room_for_red = may_be_red && hi - lo >= 2 * below_red;
    match pick() {
        #[weight(if height == 0 { 1 } else { 0 })]
        "leaf" => RedBlack::Leaf,
        #[weight(if height > 0 { 2 } else { 0 })]
        "black" => {
            let x = draw(lo + below_black..=hi - below_black);
            let l = draw(subtree(lo, x - 1, height - 1, true));
            let r = draw(subtree(x + 1, hi, height - 1, true));
            RedBlack::Node(Colour::Black, Box::new(l), x, Box::new(r))
        }
        #[weight(if has_room_for_red { 1 } else { 0 })]
        "red" => {
            let x = draw(lo + below_red..=hi - below_red);
            let l = draw(subtree(lo, x - 1, height, false));
            let r = draw(subtree(x + 1, hi, height, false));
            RedBlack::Node(Colour::Red, Box::new(l), x, Box::new(r))
        }
    }
}

/// The fewest keys of a tree of that black height.
fn fewest(height: u32) -> i64 {
    (1 << height) - 1
}

/// The largest black height for which the keys suffice.
fn highest(lo: i64, hi: i64) -> u32 {
    let keys = (hi - lo + 1).max(0);
    (0..6).rev().find(|height| fewest(*height) <= keys).unwrap_or(0)
}

impl RedBlack {
    /// The number of black nodes on every path to a leaf, if it is the same on all.
    pub fn black_height(&self) -> Option<u32> {
        match self {
            RedBlack::Leaf => Some(0),
            RedBlack::Node(colour, left, _, right) => {
                let (left, right) = (left.black_height()?, right.black_height()?);
                (left == right).then_some(left + u32::from(*colour == Colour::Black))
            }
        }
    }

    /// The check one writes by hand.
    pub fn is_valid(&self, lo: i64, hi: i64) -> bool {
        fn ordered(tree: &RedBlack, lo: i64, hi: i64) -> bool {
            match tree {
                RedBlack::Leaf => true,
                RedBlack::Node(_, left, key, right) => {
                    (lo..=hi).contains(key) && ordered(left, lo, key - 1) && ordered(right, key + 1, hi)
                }
            }
        }
        fn no_red_below_red(tree: &RedBlack, below_red: bool) -> bool {
            match tree {
                RedBlack::Leaf => true,
                RedBlack::Node(colour, left, _, right) => {
                    let is_red = *colour == Colour::Red;
                    !(is_red && below_red) && no_red_below_red(left, is_red) && no_red_below_red(right, is_red)
                }
            }
        }
        no_red_below_red(self, true) && ordered(self, lo, hi) && self.black_height().is_some()
    }
}
