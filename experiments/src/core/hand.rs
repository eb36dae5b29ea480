//! What one would write by hand for one value and no other purpose: the limit that generators are
//! compared with.

use super::workloads::{Json, Tree};
use std::collections::BTreeMap;

/// The one thing a hand-written generator needs: a number from `low` to `high`.
pub trait Numbers {
    fn number(&mut self, low: u64, high: u64) -> u64;
}

impl Numbers for fastrand::Rng {
    #[inline]
    fn number(&mut self, low: u64, high: u64) -> u64 {
        self.u64(low..=high)
    }
}

/// The generator that retrospect itself uses.
impl Numbers for retrospect::source::Rng {
    #[inline]
    fn number(&mut self, low: u64, high: u64) -> u64 {
        low + self.at_most(high - low)
    }
}

pub fn vector(numbers: &mut impl Numbers) -> Vec<i64> {
    let length = numbers.number(0, 99);
    (0..length).map(|_| numbers.number(0, u64::MAX) as i64).collect()
}

pub fn pairs(numbers: &mut impl Numbers) -> Vec<(i64, i64)> {
    let length = numbers.number(0, 99);
    (0..length).map(|_| (numbers.number(0, u64::MAX) as i64, numbers.number(0, u64::MAX) as i64)).collect()
}

/// Three in four are `Some`, as those of `option_of`.
pub fn options(numbers: &mut impl Numbers) -> Vec<Option<i64>> {
    let length = numbers.number(0, 99);
    (0..length).map(|_| (numbers.number(0, 3) > 0).then(|| numbers.number(0, u64::MAX) as i64)).collect()
}

pub fn bools(numbers: &mut impl Numbers) -> Vec<bool> {
    let length = numbers.number(0, 99);
    (0..length).map(|_| numbers.number(0, 1) == 1).collect()
}

pub fn map(numbers: &mut impl Numbers) -> BTreeMap<u32, i64> {
    let length = numbers.number(0, 99) as usize;
    let mut map = BTreeMap::new();
    while map.len() < length {
        map.insert(numbers.number(0, u64::from(u32::MAX)) as u32, numbers.number(0, u64::MAX) as i64);
    }
    map
}

pub fn string(numbers: &mut impl Numbers, longest: u64) -> String {
    let length = numbers.number(0, longest);
    (0..length).map(|_| numbers.number(0x20, 0x7e) as u8 as char).collect()
}

pub fn tree(numbers: &mut impl Numbers, lo: u32, hi: u32, depth: u32) -> Tree {
    if lo >= hi || depth == 0 || numbers.number(0, 7) >= 7 {
        return Tree::Leaf;
    }
    let key = numbers.number(u64::from(lo), u64::from(hi) - 1) as u32;
    let left = tree(numbers, lo, key, depth - 1);
    let right = tree(numbers, key + 1, hi, depth - 1);
    Tree::Node(Box::new(left), key, Box::new(right))
}

pub fn json(numbers: &mut impl Numbers, depth: u32) -> Json {
    match numbers.number(0, if depth == 0 { 3 } else { 7 }) {
        0 => Json::Null,
        1 => Json::Bool(numbers.number(0, 1) == 1),
        2 => Json::Number(numbers.number(0, u64::MAX) as i64),
        3 => Json::String(string(numbers, 9)),
        4 | 5 => {
            let length = numbers.number(1, 4);
            Json::Array((0..length).map(|_| json(numbers, depth - 1)).collect())
        }
        _ => {
            let length = numbers.number(1, 4);
            Json::Object((0..length).map(|_| (string(numbers, 9), json(numbers, depth - 1))).collect())
        }
    }
}
