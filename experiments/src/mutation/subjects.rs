//! The values that are mutated: five kinds that are hard to hit by chance, each with the check one
//! writes by hand.

use super::distance::Labelled;
use examples::avl::{Avl, avl};
use examples::bst::{Tree, bst};
use examples::json::{Json, json};
use examples::red_black::{RedBlack, red_black};
use examples::stlc::{Term, terms, type_of};
use retrospect::prelude::*;

/// A kind of values.
pub trait Subject {
    /// What is mutated.
    type Value: Generate + Clone + PartialEq + 'static;
    /// What it is called in tables.
    const NAME: &'static str;
    /// Makes only valid values.
    fn generator() -> impl Generator<Value = Self::Value> + Clone;
    /// The check one writes by hand.
    fn is_valid(value: &Self::Value) -> bool;
    /// The value as a tree whose nodes are counted.
    fn tree(value: &Self::Value) -> Labelled;
}

/// Search trees with keys up to 60.
#[derive(Clone, Copy, Debug)]
pub struct SearchTrees;
/// AVL trees with keys up to 60.
#[derive(Clone, Copy, Debug)]
pub struct AvlTrees;
/// Red–black trees with keys up to 60.
#[derive(Clone, Copy, Debug)]
pub struct RedBlackTrees;
/// Well-typed closed terms of the simply typed lambda calculus.
#[derive(Clone, Copy, Debug)]
pub struct Terms;
/// JSON documents with short names, lists and strings.
#[derive(Clone, Copy, Debug)]
pub struct Documents;

const HIGHEST: i64 = 60;
const TERM_DEPTH: u32 = 5;
const JSON_DEPTH: u32 = 4;

impl Subject for SearchTrees {
    type Value = Tree;
    const NAME: &'static str = "search tree";

    fn generator() -> impl Generator<Value = Tree> + Clone {
        bst(0, HIGHEST)
    }

    fn is_valid(value: &Tree) -> bool {
        value.is_within(0, HIGHEST)
    }

    fn tree(value: &Tree) -> Labelled {
        match value {
            Tree::Leaf => Labelled::new("leaf", Vec::new()),
            Tree::Node(left, key, right) => Labelled::new(key.to_string(), vec![Self::tree(left), Self::tree(right)]),
        }
    }
}

impl Subject for AvlTrees {
    type Value = Avl;
    const NAME: &'static str = "AVL tree";

    fn generator() -> impl Generator<Value = Avl> + Clone {
        avl(0, HIGHEST)
    }

    fn is_valid(value: &Avl) -> bool {
        value.is_valid(0, HIGHEST)
    }

    fn tree(value: &Avl) -> Labelled {
        match value {
            Avl::Leaf => Labelled::new("leaf", Vec::new()),
            Avl::Node { height, left, key, right } => {
                Labelled::new(format!("{key} of height {height}"), vec![Self::tree(left), Self::tree(right)])
            }
        }
    }
}

impl Subject for RedBlackTrees {
    type Value = RedBlack;
    const NAME: &'static str = "red–black tree";

    fn generator() -> impl Generator<Value = RedBlack> + Clone {
        red_black(0, HIGHEST)
    }

    fn is_valid(value: &RedBlack) -> bool {
        value.is_valid(0, HIGHEST)
    }

    fn tree(value: &RedBlack) -> Labelled {
        match value {
            RedBlack::Leaf => Labelled::new("leaf", Vec::new()),
            RedBlack::Node(colour, left, key, right) => {
                Labelled::new(format!("{colour:?} {key}"), vec![Self::tree(left), Self::tree(right)])
            }
        }
    }
}

impl Subject for Terms {
    type Value = Term;
    const NAME: &'static str = "typed term";

    fn generator() -> impl Generator<Value = Term> + Clone {
        terms(TERM_DEPTH)
    }

    fn is_valid(value: &Term) -> bool {
        fn is_modest(term: &Term, depth: u32) -> bool {
            match term {
                Term::Int(number) => (0..=9).contains(number),
                Term::Var(_) => true,
                Term::Lam(_, body) => is_modest(body, depth.saturating_sub(1)),
                Term::Add(left, right) | Term::App(left, right) => {
                    depth > 0 && is_modest(left, depth - 1) && is_modest(right, depth - 1)
                }
            }
        }
        type_of(&[], value).is_some() && is_modest(value, TERM_DEPTH)
    }

    fn tree(value: &Term) -> Labelled {
        match value {
            Term::Int(number) => Labelled::new(number.to_string(), Vec::new()),
            Term::Var(index) => Labelled::new(format!("variable {index}"), Vec::new()),
            Term::Add(left, right) => Labelled::new("add", vec![Self::tree(left), Self::tree(right)]),
            Term::Lam(parameter, body) => Labelled::new(format!("lambda {parameter:?}"), vec![Self::tree(body)]),
            Term::App(function, argument) => Labelled::new("apply", vec![Self::tree(function), Self::tree(argument)]),
        }
    }
}

impl Subject for Documents {
    type Value = Json;
    const NAME: &'static str = "JSON";

    fn generator() -> impl Generator<Value = Json> + Clone {
        json(JSON_DEPTH)
    }

    fn is_valid(value: &Json) -> bool {
        fn is_valid(value: &Json, depth: u32) -> bool {
            match value {
                Json::Null | Json::Bool(_) | Json::Number(_) => true,
                Json::String(text) => text.len() <= 9 && text.bytes().all(|byte| (b' '..=b'~').contains(&byte)),
                Json::Array(items) => {
                    depth > 0 && items.len() <= 4 && items.iter().all(|item| is_valid(item, depth - 1))
                }
                Json::Object(entries) => {
                    let is_name = |name: &str| {
                        (1..=5).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase())
                    };
                    let is_entry = |(name, item): &(String, Json)| is_name(name) && is_valid(item, depth - 1);
                    depth > 0 && entries.len() <= 4 && entries.iter().all(is_entry)
                }
            }
        }
        is_valid(value, JSON_DEPTH)
    }

    fn tree(value: &Json) -> Labelled {
        match value {
            Json::Array(items) => Labelled::new("array", items.iter().map(Self::tree).collect()),
            Json::Object(entries) => {
                let entry = |(name, item): &(String, Json)| Labelled::new(name.clone(), vec![Self::tree(item)]);
                Labelled::new("object", entries.iter().map(entry).collect())
            }
            other => Labelled::new(format!("{other:?}"), Vec::new()),
        }
    }
}
