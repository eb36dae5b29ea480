//! Binary heaps as trees: no key is smaller than its parent's.

use retrospect::prelude::*;

/// A heap with its smallest key on top.
#[derive(Debug, Clone, PartialEq, Generate)]
pub enum Heap {
    /// Nothing.
    Empty,
    /// A key and two heaps of keys that are not smaller.
    Node(i64, Box<Heap>, Box<Heap>),
}

/// Heaps of keys from `least` to `most`, at most `depth` levels deep.
#[generator]
pub fn heap(least: i64, most: i64, depth: u32) -> Heap {
    match pick() {
        "empty" => Heap::Empty,
        #[weight(if depth == 0 { 0 } else { 3 })]
        "node" => {
            let key = draw(least..=most);
            let left = draw(heap(key, most, depth - 1));
            let right = draw(heap(key, most, depth - 1));
            Heap::Node(key, Box::new(left), Box::new(right))
        }
    }
}

impl Heap {
    /// The check one writes by hand.
    pub fn is_valid(&self, least: i64, most: i64) -> bool {
        match self {
            Heap::Empty => true,
            Heap::Node(key, left, right) => {
                (least..=most).contains(key) && left.is_valid(*key, most) && right.is_valid(*key, most)
            }
        }
    }
}
