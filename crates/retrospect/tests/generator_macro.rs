//! `#[generator]`: what is generated is reflected, and the other way round.
#![deny(warnings, missing_docs, clippy::all)]
#![forbid(unsafe_code)]

use retrospect::prelude::*;
use std::fmt::Debug;

/// Generates, reflects, replays, parses and reads for many seeds.
fn check<G: Generator>(generator: &G)
where
    G::Value: PartialEq + Debug,
{
    for seed in 0..200 {
        let value = generator.sample(seed);
        let choices = generator.sample_choices(seed);
        assert_eq!(generator.choices_of(&value).as_ref(), Ok(&choices), "seed {seed}: {value:?}");
        assert_eq!(generator.replay(&choices), value, "seed {seed}");
        assert_eq!(generator.replay_exact(&choices).unwrap(), (value, 0), "seed {seed}");
    }
}

fn check_reading<G: Generator>(generator: &G)
where
    G::Value: PartialEq + Debug,
{
    for seed in 0..100 {
        let value = generator.sample(seed);
        assert_eq!(generator.read(&format!("{value:?}")).unwrap(), value);
        assert_eq!(generator.read(&format!("{value:#?}")).unwrap(), value);
    }
}

/// The path and the reason why a value cannot be made.
fn refused<G: Generator>(generator: &G, value: &G::Value) -> (String, String) {
    let error = generator.choices_of(value).unwrap_err();
    (error.path().to_owned(), error.reason().to_owned())
}

#[derive(Debug, Clone, PartialEq)]
enum Tree {
    Leaf,
    Node(Box<Tree>, i64, Box<Tree>),
}

fn node(left: Tree, key: i64, right: Tree) -> Tree {
    Tree::Node(Box::new(left), key, Box::new(right))
}

#[generator]
fn bst(lo: i64, hi: i64) -> Tree {
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

#[test]
fn search_trees() {
    check(&bst(0, 100));
    check_reading(&bst(0, 100));
    assert_eq!(format!("{:?}", bst(0, 100)), "bst(0, 100)");
    let trees = bst(0, 100);
    let (leaf, wrong) = (Tree::Leaf, node(Tree::Leaf, 500, Tree::Leaf));
    assert_eq!(trees.choices_of(&leaf).unwrap().to_string(), "0:leaf");
    assert_eq!(refused(&trees, &wrong), ("Node.1".to_owned(), "500 is not in 0..=100".to_owned()));
    let deep = node(node(Tree::Leaf, 7, Tree::Leaf), 5, Tree::Leaf);
    assert_eq!(refused(&trees, &deep), ("Node.0.Node.1".to_owned(), "7 is not in 0..=4".to_owned()));
    let full = node(node(Tree::Leaf, 0, Tree::Leaf), 0, Tree::Leaf);
    assert_eq!(
        refused(&trees, &full),
        ("Node.0".to_owned(), "this is not `Tree::Leaf`; and `Tree::Node(..)` is not made if `lo > hi`".to_owned())
    );
    assert_eq!(
        trees.read("Node(Leaf, 500, Leaf)").unwrap_err().to_string(),
        "this generator cannot make the part `Node.1`, which is 500: 500 is not in 0..=100"
    );
    for seed in 0..50 {
        let Tree::Node(left, 50, _) = trees.fill("Node(Node(_, 20, _), 50, _)", seed).unwrap() else { panic!() };
        assert!(matches!(*left, Tree::Node(_, 20, _)));
    }
}

// Types that a value must have: the typed lambda calculus.

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Type {
    Int,
    Fun(Box<Type>, Box<Type>),
}

#[derive(Debug, Clone, PartialEq)]
enum Term {
    Number(i8),
    Variable(usize),
    Lambda(Type, Box<Term>),
    Apply(Box<Term>, Box<Term>),
}

fn type_of(term: &Term, context: &[Type]) -> Option<Type> {
    match term {
        Term::Number(_) => Some(Type::Int),
        Term::Variable(place) => context.get(*place).cloned(),
        Term::Lambda(argument, body) => {
            let context: Vec<Type> = context.iter().cloned().chain([argument.clone()]).collect();
            Some(Type::Fun(Box::new(argument.clone()), Box::new(type_of(body, &context)?)))
        }
        Term::Apply(function, argument) => match type_of(function, context)? {
            Type::Fun(from, to) if *from == type_of(argument, context)? => Some(*to),
            _ => None,
        },
    }
}

#[generator]
fn types(depth: u32) -> Type {
    if depth == 0 {
        return Type::Int;
    }
    match pick() {
        "int" => Type::Int,
        "fun" => {
            let from = draw(types(depth - 1));
            let to = draw(types(depth - 1));
            Type::Fun(Box::new(from), Box::new(to))
        }
    }
}

#[generator]
fn terms(depth: u32, context: &[Type], ty: &Type) -> Term {
    let places: Vec<usize> = (0..context.len()).filter(|place| context[*place] == *ty).collect();
    match pick() {
        #[weight(if *ty == Type::Int { 1 } else { 0 })]
        "number" => {
            let number = draw(any::<i8>());
            Term::Number(number)
        }
        #[weight(if matches!(ty, Type::Fun(..)) { 2 } else { 0 })]
        "lambda" => {
            let Type::Fun(from, to) = ty else { unreachable!("it weighs nothing otherwise") };
            let inner: Vec<Type> = context.iter().cloned().chain([(**from).clone()]).collect();
            let body = draw(terms(depth.saturating_sub(1), &inner, to));
            Term::Lambda(*from.clone(), Box::new(body))
        }
        #[weight(places.len())]
        "variable" => {
            let place = draw(0..places.len());
            #[inverse(|it| match it {
                Term::Variable(place) => places.iter().position(|known| known == place),
                _ => None,
            })]
            Term::Variable(places[place])
        }
        #[weight(if depth == 0 { 0 } else { 2 })]
        "apply" => {
            #[focus(argument_type(it, context)?)]
            let from = draw(types(2));
            let function = draw(terms(depth - 1, context, &Type::Fun(Box::new(from.clone()), Box::new(ty.clone()))));
            let argument = draw(terms(depth - 1, context, &from));
            Term::Apply(Box::new(function), Box::new(argument))
        }
    }
}

fn argument_type(term: &Term, context: &[Type]) -> Option<Type> {
    match term {
        Term::Apply(_, argument) => type_of(argument, context),
        _ => None,
    }
}

#[generator]
fn programs() -> Term {
    #[focus(type_of(it, &[])?)]
    let ty = draw(types(2));
    draw(terms(4, &[], &ty))
}

#[test]
fn typed_terms() {
    for seed in 0..200 {
        let term = programs().sample(seed);
        assert!(type_of(&term, &[]).is_some(), "{term:?}");
    }
    check(&programs());
    check(&terms(3, &[Type::Int], &Type::Int));
    let error = programs().choices_of(&Term::Variable(0)).unwrap_err();
    assert_eq!(error.to_string(), "this generator cannot make Variable(0): the focus of `ty` is not defined here");
    let number = Term::Number(1);
    let wrong = Term::Lambda(Type::Int, Box::new(number.clone()));
    let (path, reason) = refused(&terms(3, &[], &Type::Int), &wrong);
    assert_eq!(path, "");
    assert_eq!(
        reason,
        "this is not `Term::Number(..)`; and the arm `lambda` weighs 0 here, so it is absent; \
         and the arm `variable` weighs 0 here, so it is absent; and this is not `Term::Apply(..)`"
    );
    let ill = Term::Apply(Box::new(number.clone()), Box::new(number));
    assert_eq!(programs().choices_of(&ill).unwrap_err().reason(), "the focus of `ty` is not defined here");
}

// Balanced trees by construction.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Color {
    Red,
    Black,
}

#[derive(Debug, Clone, PartialEq)]
enum RedBlack {
    Empty,
    Node { color: Color, left: Box<RedBlack>, key: i32, right: Box<RedBlack> },
}

/// Trees of a black height, with keys between the bounds; a red node has no red children.
#[generator]
fn red_black(height: u32, may_be_red: bool, lo: i32, hi: i32) -> RedBlack {
    if height == 0 && (!may_be_red || lo > hi) {
        return RedBlack::Empty;
    }
    match pick() {
        #[weight(if height == 0 { 1 } else { 0 })]
        "empty" => RedBlack::Empty,
        #[weight(if height > 0 { 2 } else { 0 })]
        "black" => {
            let room = (1 << (height - 1)) - 1;
            let key = draw(lo + room..=hi - room);
            let left = draw(red_black(height - 1, true, lo, key - 1));
            let right = draw(red_black(height - 1, true, key + 1, hi));
            RedBlack::Node { color: Color::Black, left: Box::new(left), key, right: Box::new(right) }
        }
        #[weight(if may_be_red && hi - lo + 2 >= 2 << height { 1 } else { 0 })]
        "red" => {
            let room = (1 << height) - 1;
            let key = draw(lo + room..=hi - room);
            let left = draw(red_black(height, false, lo, key - 1));
            let right = draw(red_black(height, false, key + 1, hi));
            RedBlack::Node { color: Color::Red, left: Box::new(left), key, right: Box::new(right) }
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Avl {
    Empty,
    Node(Box<Avl>, i32, Box<Avl>),
}

fn height(tree: &Avl) -> u32 {
    match tree {
        Avl::Empty => 0,
        Avl::Node(left, _, right) => 1 + height(left).max(height(right)),
    }
}

#[generator]
fn avl(level: u32, lo: i32, hi: i32) -> Avl {
    match level {
        0 => Avl::Empty,
        1 => {
            let key = draw(lo..=hi);
            Avl::Node(Box::new(Avl::Empty), key, Box::new(Avl::Empty))
        }
        level => {
            #[focus(match it {
                Avl::Node(left, _, right) => (height(left), height(right)),
                Avl::Empty => return None,
            })]
            let (low, high) = draw(exactly_balanced(level));
            let room = (1 << (level - 1)) - 1;
            let key = draw(lo + room..=hi - room);
            let left = draw(avl(low, lo, key - 1));
            let right = draw(avl(high, key + 1, hi));
            Avl::Node(Box::new(left), key, Box::new(right))
        }
    }
}

#[generator]
fn exactly_balanced(level: u32) -> (u32, u32) {
    match pick() {
        "even" => (level - 1, level - 1),
        "left" => (level - 1, level - 2),
        "right" => (level - 2, level - 1),
    }
}

#[test]
fn balanced_trees() {
    check(&red_black(3, true, 0, 10_000));
    check_reading(&red_black(2, true, 0, 10_000));
    let red = |left: RedBlack, key, right: RedBlack| RedBlack::Node {
        color: Color::Red,
        left: Box::new(left),
        key,
        right: Box::new(right),
    };
    let leaf = || RedBlack::Empty;
    let wrong = red(red(leaf(), 20, leaf()), 40, leaf());
    let (path, reason) = refused(&red_black(0, true, 0, 100), &wrong);
    assert_eq!((&path[..], &reason[..]), ("Node.left.Node.color", "this is not `Color::Black`"));
    let black = RedBlack::Node { color: Color::Black, left: Box::new(leaf()), key: 5, right: Box::new(leaf()) };
    assert_eq!(
        refused(&red_black(0, true, 0, 100), &black),
        ("Node.color".to_owned(), "this is not `Color::Red`".to_owned())
    );
    check(&avl(3, 0, 1000));
    check_filling(&avl(2, 0, 1000), "Node(_, 100, _)");
}

/// Fills the holes for some seeds, and reads back what was filled in.
fn check_filling<G: Generator>(generator: &G, sketch: &str)
where
    G::Value: PartialEq + Debug,
{
    for seed in 0..20 {
        let value = generator.fill(sketch, seed).unwrap();
        assert!(generator.accepts(&value), "{value:?}");
    }
}

// Lists.

#[generator]
fn sorted(least: u8) -> Vec<u8> {
    match pick() {
        "end" => vec![],
        #[weight(3)]
        "one" => {
            let only = draw(least..=255);
            vec![only]
        }
        "two" => {
            let (first, second) = draw(ordered_pairs(least));
            vec![first, second]
        }
    }
}

#[generator]
fn ordered_pairs(least: u8) -> (u8, u8) {
    let low = draw(least..=255);
    (low, draw(low..=255))
}

#[derive(Debug, Clone, PartialEq)]
enum Sorted {
    Nil,
    Cons(u8, Box<Sorted>),
}

#[generator]
fn sorted_list(least: u8) -> Sorted {
    match pick() {
        "nil" => Sorted::Nil,
        #[weight(2)]
        "cons" => {
            let head = draw(least..=255);
            Sorted::Cons(head, Box::new(draw(sorted_list(head))))
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Heap(Option<Box<(u32, Heap, Heap)>>);

#[generator]
fn heaps(most: u32) -> Heap {
    if most == 0 {
        Heap(None)
    } else {
        match pick() {
            "empty" => Heap(None),
            "node" => {
                let top = draw(0..most);
                Heap(Some(Box::new((top, draw(heaps(top)), draw(heaps(top))))))
            }
        }
    }
}

#[test]
fn lists_and_heaps() {
    check(&sorted(3));
    check_reading(&sorted(3));
    check_filling(&sorted(3), "[_, 200]");
    assert_eq!(refused(&sorted(3), &vec![9, 4]), (".1".to_owned(), "4 is not in 9..=255".to_owned()));
    assert_eq!(
        refused(&sorted(3), &vec![9, 10, 11]),
        (String::new(), "its length 3 is not 0; and its length 3 is not 1; and its length 3 is not 2".to_owned())
    );
    check(&sorted_list(0));
    check_reading(&sorted_list(0));
    let list = Sorted::Cons(5, Box::new(Sorted::Cons(4, Box::new(Sorted::Nil))));
    assert_eq!(refused(&sorted_list(0), &list), ("Cons.1.Cons.0".to_owned(), "4 is not in 5..=255".to_owned()));
    check(&heaps(100));
    check_reading(&heaps(100));
}

// JSON, with anonymous choices and mutual recursion.

#[derive(Debug, Clone, PartialEq)]
enum Json {
    Null,
    Bool(bool),
    Number(i64),
    Text(&'static str),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

#[generator]
fn json(depth: u32) -> Json {
    match pick() {
        "null" => Json::Null,
        "bool" => Json::Bool(draw(any::<bool>())),
        "number" => Json::Number(draw(any::<i64>())),
        "text" => Json::Text(draw(words())),
        #[weight(if depth > 0 { 2u8 } else { 0 })]
        "list" => {
            let items = draw(vec_of(json(depth - 1), 0..=3));
            Json::List(items)
        }
        #[weight(depth)]
        "object" => Json::Object(draw(vec_of(entries(depth - 1), 0..=2))),
    }
}

#[generator]
fn words() -> &'static str {
    match pick() {
        "a" => "alpha",
        "b" => "beta",
    }
}

#[generator]
fn entries(depth: u32) -> (&'static str, Json) {
    let key = draw(words());
    let value = draw(json(depth));
    (key, value)
}

#[test]
fn json_trees() {
    check(&json(3));
    check_reading(&json(3));
    assert_eq!(refused(&json(3), &Json::Text("gamma")).0, "Text.0");
    assert_eq!(
        refused(&json(3), &Json::Text("gamma")).1,
        "expected \"alpha\", not \"gamma\"; and expected \"beta\", not \"gamma\""
    );
    assert_eq!(
        refused(&json(0), &Json::List(vec![])).1.split("; and ").skip(3).collect::<Vec<_>>(),
        ["this is not `Json::Text(..)`", "2 more reasons"]
    );
}

// Parts of the body language.

#[derive(Debug, Clone, PartialEq)]
enum Op {
    Binary { operator: char, left: i32, right: i32, note: String },
    Tagged(u8, Option<u8>, u8),
}

#[generator]
fn operations(limit: i32) -> Op {
    let operator = match pick() {
        "plus" => '+',
        "minus" => '-',
        #[weight(2)]
        "other" => draw(others()),
    };
    let left = draw(0..limit);
    let right = if left > limit / 2 { 0 } else { draw(0..=left) };
    let sum = left + right;
    assert!(sum < 2 * limit);
    let note = format!("{sum}");
    Op::Binary { operator, left, right, note }
}

#[generator]
fn others() -> char {
    match pick() {
        "times" => '*',
        "over" => '/',
    }
}

#[generator]
fn tagged() -> Op {
    let tag = draw(0..4u8);
    let inner = match tag {
        0 => None,
        tag if tag < 3 => Some(draw(0..tag)),
        _ => {
            let doubled = 2 * tag;
            let number = draw(doubled..=doubled + 1);
            Some(number)
        }
    };
    Op::Tagged(tag, inner, tag)
}

#[test]
fn anonymous_choices() {
    check(&operations(100));
    check_reading(&operations(100));
    let op = |operator, left, right, note: &str| Op::Binary { operator, left, right, note: note.to_owned() };
    assert_eq!(operations(100).choices_of(&op('*', 3, 2, "5")).unwrap().to_string(), "(2:other(0:times) 3 (2))");
    assert_eq!(
        refused(&operations(100), &op('+', 3, 2, "6")),
        ("Binary.note".to_owned(), "expected \"5\" (`note`), not \"6\"".to_owned())
    );
    assert_eq!(
        refused(&operations(100), &op('+', 80, 2, "82")),
        (
            "Binary.right".to_owned(),
            "expected 0, not 2; and `draw(0..=left)` is not made if `left > limit / 2`".to_owned()
        )
    );
    assert_eq!(refused(&operations(100), &op('%', 3, 2, "5")).0, "Binary.operator");
    check(&tagged());
    check_reading(&tagged());
    check_filling(&tagged(), "Tagged(_, Some(_), 2)");
    assert_eq!(
        refused(&tagged(), &Op::Tagged(1, None, 2)),
        ("Tagged.2".to_owned(), "expected 1 (`tag`), not 2".to_owned())
    );
    assert_eq!(
        refused(&tagged(), &Op::Tagged(2, Some(2), 2)),
        ("Tagged.1.Some.0".to_owned(), "2 is not in 0..2".to_owned())
    );
}

#[generator]
fn guarded(x: i64, pair: (u8, Option<u8>)) -> Result<(i64, u8), String> {
    let (base, extra) = pair;
    let Some(extra) = extra else {
        let chosen = draw(0..=base);
        return Ok((x, chosen));
    };
    let limit = match extra.checked_add(base) {
        Some(limit) => limit,
        None => return Err("too much".to_owned()),
    };
    if let 0..5 = extra
        && limit > 3
    {
        return Err(draw(exact_words()));
    } else if extra == 77 {
        panic!("never asked for")
    }
    let mut total = 0;
    for step in 0..limit {
        total += i64::from(step);
    }
    {
        let low = draw(0..=limit);
        Ok((total, low))
    }
}

#[generator]
fn exact_words() -> String {
    "word".to_string()
}

#[test]
fn early_returns_and_conditions() {
    for generator in
        [guarded(4, (3, None)), guarded(4, (3, Some(9))), guarded(4, (250, Some(9))), guarded(4, (3, Some(2)))]
    {
        check(&generator);
        check_reading(&generator);
    }
    assert!(guarded(4, (3, None)).accepts(&Ok((4, 2))));
    assert_eq!(
        refused(&guarded(4, (3, None)), &Ok((5, 2))),
        ("Ok.0.0".to_owned(), "expected 4 (the argument `x`), not 5".to_owned())
    );
    assert_eq!(
        refused(&guarded(4, (250, Some(9))), &Err("word".to_owned())),
        ("Err.0".to_owned(), "expected \"too much\" (`\"too much\".to_owned()`), not \"word\"".to_owned())
    );
    assert_eq!(format!("{:?}", guarded(4, (3, None))), "guarded(4, (3, None))");
}

#[test]
fn laws_hold() {
    laws::check(&bst(0, 100));
    laws::check(&types(3));
    laws::check(&red_black(2, true, 0, 1000));
    laws::check(&sorted(3));
    laws::check(&sorted_list(0));
    laws::check(&heaps(50));
    laws::check(&json(3));
    laws::check(&operations(50));
    laws::check(&tagged());
    laws::check(&guarded(4, (3, Some(9))));
    laws::Laws::default().without_reading().check(&programs());
    laws::Laws::default().without_reading().check(&avl(3, 0, 1000));
}
