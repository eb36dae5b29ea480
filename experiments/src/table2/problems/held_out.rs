//! Problems that nobody chose a constant on.

use super::{Problem, Visitor};
use retrospect::prelude::*;
use std::collections::BTreeMap;

pub(super) fn visit_twenty(visitor: &mut impl Visitor) {
    visitor.visit(&Problem {
        name: "SORTED 20",
        samples_per_choice: 1,
        domain: None,
        generator: vec_of(uniform(0..=1_000_000u32), 20),
        is_valid: |list: &Vec<u32>| list.is_sorted(),
        // How many of the numbers are different: a list of equal ones would be easy.
        size: |list| {
            let mut distinct = list.clone();
            distinct.dedup();
            distinct.len()
        },
    });
}

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.visit(&Problem {
        name: "JSON",
        samples_per_choice: 50,
        domain: None,
        generator: json(4),
        is_valid: Json::is_person,
        size: Json::size,
    });
    visitor.visit(&Problem {
        name: "PROGRAM",
        samples_per_choice: 50,
        domain: None,
        generator: block(2),
        is_valid: |block: &Vec<Statement>| are_scoped(block, &mut Vec::new()),
        size: |block| block.iter().map(Statement::size).sum(),
    });
    visitor.visit(&Problem {
        name: "BRACKETS",
        samples_per_choice: 50,
        domain: None,
        generator: vec_of(uniform(0..=5u8), 0..=16),
        is_valid: |brackets: &Vec<u8>| are_balanced(brackets),
        size: Vec::len,
    });
    visitor.visit(&Problem {
        name: "DAG",
        samples_per_choice: 50,
        domain: None,
        generator: vec_of(tuple((uniform(0..=6usize), uniform(0..=6usize))), 0..=14),
        is_valid: |edges: &Vec<(usize, usize)>| is_acyclic(edges),
        size: Vec::len,
    });
    visitor.visit(&Problem {
        name: "HEAP",
        samples_per_choice: 200,
        domain: None,
        generator: heap(5),
        is_valid: |heap: &Heap| heap.weight(0).is_some(),
        size: Heap::size,
    });
}

#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Json {
    Null,
    Bool(bool),
    Number(i16),
    Text(u8),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

#[generator]
pub fn json(depth: u32) -> Json {
    match pick() {
        "null" => Json::Null,
        "bool" => {
            let value = draw(any::<bool>());
            Json::Bool(value)
        }
        "number" => {
            let value = draw(uniform(-200..=200i16));
            Json::Number(value)
        }
        "text" => {
            let word = draw(uniform(0..=9u8));
            Json::Text(word)
        }
        #[weight(u32::from(depth > 0))]
        "list" => {
            let items = draw(vec_of(json(depth - 1), 0..=4));
            Json::List(items)
        }
        #[weight(u32::from(depth > 0))]
        "object" => {
            let members = draw(vec_of(member(depth - 1), 0..=4));
            Json::Object(members)
        }
    }
}

#[generator]
fn member(depth: u32) -> (&'static str, Json) {
    let key = draw(element_of(["name", "age", "tags", "friends", "other"]));
    let value = draw(json(depth));
    (key, value)
}

impl Json {
    fn size(&self) -> usize {
        1 + match self {
            Json::List(items) => items.iter().map(Json::size).sum(),
            Json::Object(members) => members.iter().map(|(_, value)| value.size()).sum(),
            _ => 0,
        }
    }

    /// A schema: an object with a name, an age from 0 to 120, perhaps tags, which are texts, and
    /// perhaps friends, which are persons; nothing else, nothing twice.
    fn is_person(&self) -> bool {
        let Json::Object(members) = self else { return false };
        let found: BTreeMap<&str, &Json> = members.iter().map(|(key, value)| (*key, value)).collect();
        let all = |list: &Json, is_right: fn(&Json) -> bool| match list {
            Json::List(items) => items.iter().all(is_right),
            _ => false,
        };
        found.len() == members.len()
            && matches!(found.get("name"), Some(Json::Text(_)))
            && matches!(found.get("age"), Some(Json::Number(0..=120)))
            && found.get("tags").is_none_or(|tags| all(tags, |tag| matches!(tag, Json::Text(_))))
            && found.get("friends").is_none_or(|friends| all(friends, Json::is_person))
            && !found.contains_key("other")
    }
}

#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Statement {
    Let(u8, Expression),
    Assign(u8, Expression),
    While(Expression, Vec<Statement>),
    Print(Expression),
}

#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Expression {
    Constant(u8),
    Variable(u8),
    Sum(Box<Expression>, Box<Expression>),
}

#[generator]
fn expression(depth: u32) -> Expression {
    match pick() {
        "constant" => {
            let value = draw(uniform(0..=9u8));
            Expression::Constant(value)
        }
        "variable" => {
            let name = draw(uniform(0..=5u8));
            Expression::Variable(name)
        }
        #[weight(u32::from(depth > 0))]
        "sum" => {
            let left = draw(expression(depth - 1));
            let right = draw(expression(depth - 1));
            Expression::Sum(Box::new(left), Box::new(right))
        }
    }
}

#[generator]
fn statement(depth: u32) -> Statement {
    match pick() {
        "let" => {
            let name = draw(uniform(0..=5u8));
            let value = draw(expression(2));
            Statement::Let(name, value)
        }
        "assign" => {
            let name = draw(uniform(0..=5u8));
            let value = draw(expression(2));
            Statement::Assign(name, value)
        }
        "print" => {
            let value = draw(expression(2));
            Statement::Print(value)
        }
        #[weight(u32::from(depth > 0))]
        "while" => {
            let condition = draw(expression(2));
            let body = draw(block(depth - 1));
            Statement::While(condition, body)
        }
    }
}

#[generator]
pub fn block(depth: u32) -> Vec<Statement> {
    draw(vec_of(statement(depth), 1..=4))
}

impl Statement {
    fn size(&self) -> usize {
        match self {
            Statement::While(_, body) => 1 + body.iter().map(Statement::size).sum::<usize>(),
            _ => 1,
        }
    }
}

/// Whether every variable is declared before it is used, and none twice in the same scope.
fn are_scoped(block: &[Statement], outer: &mut Vec<u8>) -> bool {
    fn is_known(expression: &Expression, names: &[u8]) -> bool {
        match expression {
            Expression::Constant(_) => true,
            Expression::Variable(name) => names.contains(name),
            Expression::Sum(left, right) => is_known(left, names) && is_known(right, names),
        }
    }
    let start = outer.len();
    let all = block.iter().all(|statement| match statement {
        Statement::Let(name, value) => {
            let is_right = is_known(value, outer) && !outer[start..].contains(name);
            outer.push(*name);
            is_right
        }
        Statement::Assign(name, value) => outer.contains(name) && is_known(value, outer),
        Statement::Print(value) => is_known(value, outer),
        Statement::While(condition, body) => is_known(condition, outer) && are_scoped(body, outer),
    });
    outer.truncate(start);
    all
}

/// Three kinds of brackets: 0 to 2 open, 3 to 5 close.
fn are_balanced(brackets: &[u8]) -> bool {
    let mut open = Vec::new();
    for bracket in brackets {
        match bracket {
            0..=2 => open.push(*bracket),
            _ if open.pop() != Some(bracket - 3) => return false,
            _ => {}
        }
    }
    open.is_empty()
}

/// Whether there is no way from a node to itself, and no edge twice.
fn is_acyclic(edges: &[(usize, usize)]) -> bool {
    for (place, edge) in edges.iter().enumerate() {
        if edges[..place].contains(edge) {
            return false;
        }
    }
    // Nodes to which no edge leads are taken away until none is left.
    let mut left = [true; 7];
    for _ in 0..left.len() {
        let is_root = |node: usize| !edges.iter().any(|(from, to)| *to == node && left[*from]);
        let Some(root) = (0..left.len()).find(|node| left[*node] && is_root(*node)) else { return false };
        left[root] = false;
    }
    true
}

#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Heap {
    Empty,
    Node { count: u8, key: u8, left: Box<Heap>, right: Box<Heap> },
}

#[generator]
pub fn heap(depth: u32) -> Heap {
    if depth == 0 {
        return Heap::Empty;
    }
    match pick() {
        "empty" => Heap::Empty,
        "node" => {
            let count = draw(uniform(0..=15u8));
            let key = draw(uniform(0..=9u8));
            let left = draw(heap(depth - 1));
            let right = draw(heap(depth - 1));
            Heap::Node { count, key, left: Box::new(left), right: Box::new(right) }
        }
    }
}

impl Heap {
    fn size(&self) -> usize {
        match self {
            Heap::Empty => 0,
            Heap::Node { left, right, .. } => 1 + left.size() + right.size(),
        }
    }

    /// How many keys there are, if that is noted everywhere and no key is below the one above it.
    fn weight(&self, least: u8) -> Option<u8> {
        match self {
            Heap::Empty => Some(0),
            Heap::Node { count, key, left, right } => {
                let weight = 1 + left.weight(*key)? + right.weight(*key)?;
                (*key >= least && *count == weight).then_some(weight)
            }
        }
    }
}
