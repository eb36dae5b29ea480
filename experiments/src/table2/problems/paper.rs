//! The problems of the paper, as its artifact has them, and red-black trees.

use super::{Problem, Visitor};
use retrospect::prelude::*;

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.visit(&Problem {
        name: "BST",
        samples_per_choice: 50,
        domain: Some(94_335),
        generator: tree(5),
        is_valid: is_search_tree,
        size: Tree::size,
    });
    visitor.visit(&Problem {
        name: "SORTED",
        samples_per_choice: 50,
        domain: Some(30_045_015),
        generator: list(20),
        is_valid: is_sorted,
        size: List::len,
    });
    visitor.visit(&Problem {
        name: "AVL",
        samples_per_choice: 500,
        domain: Some(7_393),
        generator: avl(5),
        is_valid: |tree: &Avl| tree.is_search_tree(0, 9) && tree.height().is_some(),
        size: Avl::size,
    });
    visitor.visit(&Problem {
        name: "STLC",
        samples_per_choice: 400,
        domain: None,
        generator: term(5),
        is_valid: |term: &Term| term.type_in(&mut Vec::new()).is_some(),
        size: Term::size,
    });
    visitor.visit(&Problem {
        name: "RBT",
        samples_per_choice: 200,
        domain: Some(14_101),
        generator: red_black(5),
        is_valid: is_red_black,
        size: RedBlack::size,
    });
}

#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Tree {
    Leaf,
    Node(u8, Box<Tree>, Box<Tree>),
}

#[generator]
pub fn tree(depth: u32) -> Tree {
    if depth == 0 {
        return Tree::Leaf;
    }
    match pick() {
        "l" => Tree::Leaf,
        "n" => {
            let key = draw(uniform(0..=9u8));
            let left = draw(tree(depth - 1));
            let right = draw(tree(depth - 1));
            Tree::Node(key, Box::new(left), Box::new(right))
        }
    }
}

impl Tree {
    pub fn size(&self) -> usize {
        match self {
            Tree::Leaf => 0,
            Tree::Node(_, left, right) => 1 + left.size() + right.size(),
        }
    }
}

fn is_search_tree(tree: &Tree) -> bool {
    fn within(tree: &Tree, low: i8, high: i8) -> bool {
        match tree {
            Tree::Leaf => true,
            Tree::Node(key, left, right) => {
                let key = *key as i8;
                low <= key && key <= high && within(left, low, key - 1) && within(right, key + 1, high)
            }
        }
    }
    within(tree, 0, 9)
}

#[derive(Debug, Clone, PartialEq, Hash)]
pub enum List {
    Nil,
    Cons(u8, Box<List>),
}

#[generator]
pub fn list(longest: u32) -> List {
    if longest == 0 {
        return List::Nil;
    }
    match pick() {
        "n" => List::Nil,
        "c" => {
            let first = draw(uniform(0..=9u8));
            let rest = draw(list(longest - 1));
            List::Cons(first, Box::new(rest))
        }
    }
}

impl List {
    pub fn len(&self) -> usize {
        match self {
            List::Nil => 0,
            List::Cons(_, rest) => 1 + rest.len(),
        }
    }
}

fn is_sorted(list: &List) -> bool {
    let (mut list, mut last) = (list, 0);
    while let List::Cons(first, rest) = list {
        if *first < last {
            return false;
        }
        last = *first;
        list = rest;
    }
    true
}

#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Avl {
    Leaf,
    Node { height: u8, key: u8, left: Box<Avl>, right: Box<Avl> },
}

#[generator]
pub fn avl(depth: u32) -> Avl {
    if depth == 0 {
        return Avl::Leaf;
    }
    match pick() {
        "l" => Avl::Leaf,
        "n" => {
            let height = draw(uniform(0..=9u8));
            let key = draw(uniform(0..=9u8));
            let left = draw(avl(depth - 1));
            let right = draw(avl(depth - 1));
            Avl::Node { height, key, left: Box::new(left), right: Box::new(right) }
        }
    }
}

impl Avl {
    fn size(&self) -> usize {
        match self {
            Avl::Leaf => 0,
            Avl::Node { left, right, .. } => 1 + left.size() + right.size(),
        }
    }

    fn is_search_tree(&self, low: i8, high: i8) -> bool {
        match self {
            Avl::Leaf => true,
            Avl::Node { key, left, right, .. } => {
                let key = *key as i8;
                low <= key && key <= high && left.is_search_tree(low, key - 1) && right.is_search_tree(key + 1, high)
            }
        }
    }

    /// The height, if it is noted rightly and the tree is balanced everywhere.
    fn height(&self) -> Option<u8> {
        match self {
            Avl::Leaf => Some(0),
            Avl::Node { height, left, right, .. } => {
                let (left, right) = (left.height()?, right.height()?);
                (left.abs_diff(right) <= 1 && *height == 1 + left.max(right)).then_some(*height)
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Type {
    Int,
    Fun(Box<Type>, Box<Type>),
}

#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Term {
    Int(u8),
    Plus(Box<Term>, Box<Term>),
    Lam(Type, Box<Term>),
    App(Box<Term>, Box<Term>),
    Var(usize),
}

#[generator]
fn variable() -> Term {
    let index = draw(uniform(0..=2usize));
    Term::Var(index)
}

#[generator]
fn type_of_depth(depth: u32) -> Type {
    if depth == 0 {
        return Type::Int;
    }
    match pick() {
        "ℕ" => Type::Int,
        "→" => {
            let from = draw(type_of_depth(depth - 1));
            let to = draw(type_of_depth(depth - 1));
            Type::Fun(Box::new(from), Box::new(to))
        }
    }
}

#[generator]
pub fn term(depth: u32) -> Term {
    match pick() {
        "i" => {
            let value = draw(uniform(0..=3u8));
            Term::Int(value)
        }
        #[weight(u32::from(depth > 0))]
        "+" => {
            let left = draw(term(depth - 1));
            let right = draw(term(depth - 1));
            Term::Plus(Box::new(left), Box::new(right))
        }
        #[weight(u32::from(depth > 0))]
        "λ" => {
            let argument = draw(type_of_depth(2));
            let body = draw(term(depth - 1));
            Term::Lam(argument, Box::new(body))
        }
        #[weight(u32::from(depth > 0))]
        "@" => {
            let function = draw(term(depth - 1));
            let argument = draw(term(depth - 1));
            Term::App(Box::new(function), Box::new(argument))
        }
        "v" => draw(variable()),
    }
}

impl Term {
    pub fn size(&self) -> usize {
        match self {
            Term::Int(_) | Term::Var(_) => 1,
            Term::Lam(_, body) => 1 + body.size(),
            Term::Plus(left, right) | Term::App(left, right) => 1 + left.size() + right.size(),
        }
    }

    /// The type, if it has one. The context holds the innermost variable last.
    pub fn type_in(&self, context: &mut Vec<Type>) -> Option<Type> {
        match self {
            Term::Int(_) => Some(Type::Int),
            Term::Var(index) => context.iter().rev().nth(*index).cloned(),
            Term::Plus(left, right) => {
                let is_int = left.type_in(context)? == Type::Int && right.type_in(context)? == Type::Int;
                is_int.then_some(Type::Int)
            }
            Term::Lam(argument, body) => {
                context.push(argument.clone());
                let result = body.type_in(context);
                context.pop();
                Some(Type::Fun(Box::new(argument.clone()), Box::new(result?)))
            }
            Term::App(function, argument) => match function.type_in(context)? {
                Type::Fun(from, to) if argument.type_in(context)? == *from => Some(*to),
                _ => None,
            },
        }
    }
}

#[derive(Debug, Clone, PartialEq, Hash)]
pub enum RedBlack {
    Leaf,
    Node { is_red: bool, key: u8, left: Box<RedBlack>, right: Box<RedBlack> },
}

#[generator]
pub fn red_black(depth: u32) -> RedBlack {
    if depth == 0 {
        return RedBlack::Leaf;
    }
    match pick() {
        "l" => RedBlack::Leaf,
        "n" => {
            let is_red = draw(any::<bool>());
            let key = draw(uniform(0..=9u8));
            let left = draw(red_black(depth - 1));
            let right = draw(red_black(depth - 1));
            RedBlack::Node { is_red, key, left: Box::new(left), right: Box::new(right) }
        }
    }
}

impl RedBlack {
    fn size(&self) -> usize {
        match self {
            RedBlack::Leaf => 0,
            RedBlack::Node { left, right, .. } => 1 + left.size() + right.size(),
        }
    }
}

fn is_red_black(tree: &RedBlack) -> bool {
    /// The number of black nodes down to each leaf, if it is the same for all.
    fn black_height(tree: &RedBlack, is_below_red: bool, low: i8, high: i8) -> Option<u32> {
        match tree {
            RedBlack::Leaf => Some(0),
            RedBlack::Node { is_red, key, left, right } => {
                let key = *key as i8;
                if key < low || key > high || (*is_red && is_below_red) {
                    return None;
                }
                let left = black_height(left, *is_red, low, key - 1)?;
                let right = black_height(right, *is_red, key + 1, high)?;
                (left == right).then_some(left + u32::from(!is_red))
            }
        }
    }
    // The root is black, as if it stood below a red node.
    black_height(tree, true, 0, 9).is_some()
}
