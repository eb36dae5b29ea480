//! The kinds of values that everybody generates, and our generators of them. The distributions are
//! those of the hand-written code in `hand`.

use retrospect::prelude::*;
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
pub enum Tree {
    Leaf,
    Node(Box<Tree>, u32, Box<Tree>),
}

impl Tree {
    pub fn nodes(&self) -> usize {
        match self {
            Tree::Leaf => 0,
            Tree::Node(left, _, right) => 1 + left.nodes() + right.nodes(),
        }
    }

    /// Whether the keys are in order, from `lo` and below `hi`.
    pub fn is_within(&self, lo: u32, hi: u32) -> bool {
        match self {
            Tree::Leaf => true,
            Tree::Node(left, key, right) => {
                (lo..hi).contains(key) && left.is_within(lo, *key) && right.is_within(key + 1, hi)
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(i64),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn nodes(&self) -> usize {
        match self {
            Json::Array(items) => 1 + items.iter().map(Json::nodes).sum::<usize>(),
            Json::Object(entries) => 1 + entries.iter().map(|entry| entry.1.nodes()).sum::<usize>(),
            _ => 1,
        }
    }
}

pub const TREE_DEPTH: u32 = 6;
pub const JSON_DEPTH: u32 = 4;

pub fn vectors() -> impl Generator<Value = Vec<i64>> + Clone {
    vec_of(uniform(i64::MIN..=i64::MAX), 0..=99)
}

pub fn strings() -> impl Generator<Value = String> + Clone {
    string_of(' '..='~', 0..=99)
}

pub fn pairs() -> impl Generator<Value = Vec<(i64, i64)>> + Clone {
    let number = uniform(i64::MIN..=i64::MAX);
    vec_of((number.clone(), number), 0..=99)
}

pub fn options() -> impl Generator<Value = Vec<Option<i64>>> + Clone {
    vec_of(option_of(uniform(i64::MIN..=i64::MAX)), 0..=99)
}

pub fn bools() -> impl Generator<Value = Vec<bool>> + Clone {
    vec_of(any::<bool>(), 0..=99)
}

pub fn maps() -> impl Generator<Value = BTreeMap<u32, i64>> + Clone {
    map_of(uniform(0..=u32::MAX), uniform(i64::MIN..=i64::MAX), 0..=99)
}

#[generator]
pub fn tree(lo: u32, hi: u32, depth: u32) -> Tree {
    if lo >= hi || depth == 0 {
        return Tree::Leaf;
    }
    match pick() {
        "leaf" => Tree::Leaf,
        #[weight(7)]
        "node" => {
            let key = draw(lo..hi);
            let left = draw(tree(lo, key, depth - 1));
            let right = draw(tree(key + 1, hi, depth - 1));
            Tree::Node(Box::new(left), key, Box::new(right))
        }
    }
}

#[generator]
pub fn json(depth: u32) -> Json {
    match pick() {
        "null" => Json::Null,
        "bool" => Json::Bool(draw(any::<bool>())),
        "number" => Json::Number(draw(uniform(i64::MIN..=i64::MAX))),
        "string" => Json::String(draw(string_of(' '..='~', 0..=9))),
        #[weight(if depth == 0 { 0 } else { 2 })]
        "array" => Json::Array(draw(vec_of(json(depth - 1), 1..=4))),
        #[weight(if depth == 0 { 0 } else { 2 })]
        "object" => Json::Object(draw(vec_of((string_of(' '..='~', 0..=9), json(depth - 1)), 1..=4))),
    }
}
