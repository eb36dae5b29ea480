//! Values with holes: what is given stays, what is left open is filled, and the whole is as valid
//! as anything the generator makes.

use examples::avl::{Avl, avl};
use examples::bst::{Tree, bst};
use examples::json::json;
use examples::red_black::red_black;
use examples::sorted::sorted;
use examples::stlc::{Term, Type, terms, type_of};
use retrospect::prelude::*;
use retrospect::sketch::Document;
use std::collections::{BTreeMap, HashSet};

/// Fills the holes with many seeds, and checks that each value is made by the generator and is what
/// the text shows.
fn filled<G: Generator>(generator: &G, text: &str) -> Vec<G::Value> {
    let sketch = Document::parse(text).unwrap();
    let fill = |seed| generator.fill(text, seed).unwrap_or_else(|error| panic!("{text}: {error}"));
    let values: Vec<G::Value> = (0..40).map(fill).collect();
    for value in &values {
        assert!(generator.accepts(value), "{text} became {value:?}");
        assert!(sketch.root().matches_debug(value), "{text} became {value:?}");
    }
    values
}

/// How many of the values differ.
fn kinds<T: std::fmt::Debug>(values: &[T]) -> usize {
    values.iter().map(|value| format!("{value:?}")).collect::<HashSet<_>>().len()
}

/// The example of the paper, section 7.2.
#[test]
fn a_search_tree_grows_around_what_is_given() {
    let trees = filled(&bst(0, 10), "Node(Node(_, 1, _), 5, _)");
    assert!(trees.iter().all(|tree| tree.is_within(0, 10)));
    assert!(kinds(&trees) > 10);
    assert!((0..2000).any(|seed| {
        let tree = bst(0, 10).fill("Node(Node(_, 1, _), 5, _)", seed).unwrap();
        format!("{tree:?}") == "Node(Node(Leaf, 1, Leaf), 5, Leaf)"
    }));
}

#[test]
fn keys_are_found_between_their_neighbours() {
    for tree in filled(&bst(0, 100), "Node(Node(_, 10, Leaf), _, Node(Leaf, 90, _))") {
        assert!(tree.is_within(0, 100));
    }
}

/// The height is drawn before the tree, and stands in the text: no attempt is wasted on another
/// height.
#[test]
fn a_focus_is_read_where_the_text_tells_it() {
    let trees = filled(&avl(0, 100_000), "Node { height: 6, left: _, key: 50000, right: _ }");
    assert!(trees.iter().all(|tree| tree.height() == 6 && tree.is_valid(0, 100_000)));
    let nested = "Node { height: 5, left: Node { height: _, left: _, key: 20, right: _ }, key: _, right: _ }";
    for tree in filled(&avl(0, 1000), nested) {
        let Avl::Node { height: 5, left, .. } = &tree else { panic!("{tree:?}") };
        assert!(matches!(&**left, Avl::Node { key: 20, .. }) && tree.is_valid(0, 1000));
    }
}

/// The black height is the same on all paths, and no part of the text tells it.
#[test]
fn a_focus_that_needs_the_whole_value_is_drawn() {
    for text in [
        "Node(Black, Node(Red, _, 10, _), 40, _)",
        "Node(Black, _, 30, Node(Black, Leaf, _, Leaf))",
        "Node(_, _, 7, _)",
    ] {
        assert!(filled(&red_black(0, 60), text).iter().all(|tree| tree.is_valid(0, 60)));
    }
}

/// The papers name this as what falls apart: the type is worked out from the whole term. Here it is
/// not made afresh.
#[test]
fn typed_terms_keep_what_is_given() {
    for text in [
        "App(_, Lam(Int, Var(0)))",
        "App(Lam(Int, _), Int(3))",
        "App(Lam(Int, Add(Var(0), _)), _)",
        "Lam(Fun(Int, Int), App(Var(0), _))",
        "Add(_, App(_, Int(7)))",
    ] {
        let terms = filled(&terms(4), text);
        assert!(terms.iter().all(|term| type_of(&[], term).is_some()), "{text}");
        assert!(kinds(&terms) > 3, "{text}: {terms:?}");
    }
}

/// Terms in which every subterm may say its type, which is believed: the papers'
/// `optimisticTypeOf`.
#[derive(Clone, Debug, PartialEq, Generate)]
enum Annotated {
    Number(u8),
    Identity(Type),
    Apply(Box<Annotated>, Box<Annotated>),
    Ann(Type, Box<Annotated>),
}

fn believed(term: &Annotated) -> Option<Type> {
    match term {
        Annotated::Number(_) => Some(Type::Int),
        Annotated::Identity(of) => Some(Type::Fun(Box::new(of.clone()), Box::new(of.clone()))),
        Annotated::Ann(claimed, _) => Some(claimed.clone()),
        Annotated::Apply(function, _) => match believed(function)? {
            Type::Fun(_, result) => Some(*result),
            Type::Int => None,
        },
    }
}

#[generator]
fn annotated() -> Annotated {
    #[focus(believed(it)?)]
    let wanted = draw(any::<Type>());
    draw(annotated_of(&wanted, 3))
}

#[generator]
fn annotated_of(wanted: &Type, depth: u32) -> Annotated {
    match pick() {
        #[weight(if *wanted == Type::Int { 1 } else { 0 })]
        "number" => Annotated::Number(draw(0..=9)),
        #[weight(if is_endo(wanted) { 1 } else { 0 })]
        "identity" => Annotated::Identity(argument_of(wanted)),
        #[weight(if depth > 0 { 1 } else { 0 })]
        "apply" => {
            #[focus(argument_believed(it)?)]
            let argument = draw(any::<Type>());
            let function = Type::Fun(Box::new(argument.clone()), Box::new(wanted.clone()));
            let left = draw(annotated_of(&function, depth - 1));
            let right = draw(annotated_of(&argument, depth - 1));
            Annotated::Apply(Box::new(left), Box::new(right))
        }
        #[weight(if depth > 0 { 1 } else { 0 })]
        "ann" => {
            let inner = draw(annotated_of(wanted, depth - 1));
            Annotated::Ann(wanted.clone(), Box::new(inner))
        }
    }
}

fn is_endo(function: &Type) -> bool {
    matches!(function, Type::Fun(from, to) if from == to)
}

fn argument_of(function: &Type) -> Type {
    match function {
        Type::Fun(from, _) => (**from).clone(),
        Type::Int => Type::Int,
    }
}

fn argument_believed(term: &Annotated) -> Option<Type> {
    match term {
        Annotated::Apply(_, argument) => believed(argument),
        _ => None,
    }
}

#[test]
fn annotations_are_believed_where_holes_are() {
    let text = "Apply(Ann(Fun(Int, Int), _), Ann(Int, _))";
    let values: Vec<Annotated> = (0..40).filter_map(|seed| annotated().fill(text, seed).ok()).collect();
    assert!(values.len() >= 30, "{}", values.len());
    assert!(values.iter().all(|term| believed(term) == Some(Type::Int) && annotated().accepts(term)));
}

#[test]
fn documents_with_holes() {
    let documents = filled(&json(3), r#"Object([("a", _), (_, Array([Null, _, String(_)]))])"#);
    assert!(kinds(&documents) > 20);
}

#[test]
fn ten_thousand_levels_deep() {
    retrospect::with_deep_stack(|| {
        let levels = 10_000;
        let mut text = String::new();
        (0..levels).for_each(|_| text += "Node(");
        text += "_";
        (0..levels).for_each(|level| text += &format!(", {level}, _)"));
        // Above each key there is no room, so that those holes are small.
        let tree = bst(-1000, levels - 1).fill(&text, 3).unwrap();
        assert!(tree.size() >= levels as usize);
        let mut below = &tree;
        let mut depth = 0;
        while let Tree::Node(left, key, _) = below {
            if depth < levels {
                assert_eq!(*key, levels - 1 - depth);
            }
            depth += 1;
            below = left;
        }
        assert!(depth >= levels);
    });
}

#[test]
fn ten_thousand_holes() {
    let holes = vec!["_"; 10_000].join(", ");
    assert_eq!(vec_of(0..10, ..).fill(&format!("[{holes}]"), 1).unwrap().len(), 10_000);
    let rising = sequence_of(0u64, .., |least| Some(*least..=*least + 5), |_, item| item + 1);
    assert!(rising.fill(&format!("[{holes}]"), 1).unwrap().is_sorted());
}

#[test]
fn holes_in_everything() {
    let values = tuple((
        map_of(0..100u8, string_of('a'..='z', 1..=3), 2),
        set_of(0..50u8, 3),
        option_of(any::<Box<u8>>()),
        function_of::<u8, u8>(0..=9),
        any::<Result<char, ()>>(),
    ));
    let text = r#"({7: _, _: "xy"}, {_, 4, _}, Some(_), {3 => _, _ => 5}, Ok(_))"#;
    for (map, set, option, function, _) in filled(&values, text) {
        assert!(map.len() == 2 && map.contains_key(&7) && map.values().any(|text| text == "xy"));
        assert!(set.len() == 3 && set.contains(&4) && option.is_some() && function.call(&9) == 5);
    }
    let nested: Vec<Vec<BTreeMap<u8, Option<Vec<u8>>>>> =
        filled(&vec_of(map_of(0..9u8, option_of(vec_of(0..9u8, ..3)), 1..=2), 1..=2), "[{_: Some([_, 3])}, _]");
    assert!(nested.iter().all(|list| list[0].values().any(|value| value.as_ref().is_some_and(|list| list[1] == 3))));
}

#[test]
fn holes_under_combinators() {
    let even_sum = tuple((0..100u32, 0..100u32)).filter(|(one, other)| (one + other) % 2 == 0);
    assert!(filled(&even_sum, "(7, _)").iter().all(|(_, other)| other % 2 == 1));
    let halves = (0..50u32).map_with_inverse(|half| half * 2, |even| (even % 2 == 0).then_some(even / 2));
    assert!(filled(&tuple((halves.clone(), 0..9)), "(_, 3)").iter().all(|(even, _)| even % 2 == 0));
    assert!(filled(&tuple((halves.with_reader(any::<u32>()), 0..9)), "(42, _)").iter().all(|(even, _)| *even == 42));
    let rising = sequence_of(0, .., |least| Some(*least..=99), |_, item| *item);
    assert!(filled(&rising, "[10, _, _, 20]").iter().all(|list| list.is_sorted()));
    let trees = recursive(|trees| {
        labelled((
            ("leaf", exact(Tree::Leaf)),
            (
                "node",
                tuple((trees.clone(), 0..9i64, trees)).map_with_inverse(
                    |(left, key, right)| Tree::Node(Box::new(left), key, Box::new(right)),
                    |tree| match tree {
                        Tree::Leaf => None,
                        Tree::Node(left, key, right) => Some(((**left).clone(), *key, (**right).clone())),
                    },
                ),
            ),
        ))
    })
    .with_reader(any::<Tree>());
    for tree in filled(&trees, "Node(Node(_, 3, Leaf), 4, _)") {
        assert!(matches!(tree, Tree::Node(_, 4, _)));
    }
    let by_size = sized(|size| vec_of(0..=u64::from(size), ..=3));
    assert!(filled(&by_size, "[_, 1, _]").iter().all(|list| list.len() == 3 && list[1] == 1));
    let bound = (1..=5usize).bind_with_focus(|length| vec_of(0..9, *length), |list: &Vec<i32>| Some(list.len()));
    assert!(filled(&bound, "[1, _, 3]").iter().all(|list| list[0] == 1 && list[2] == 3));
}

/// What cannot be is said: where, why, how often it was tried and what may help.
#[test]
fn what_cannot_be_filled_says_so() {
    let error = |result: Result<Term, retrospect::sketch::ReadError>| result.unwrap_err().to_string();
    let no_function = error(terms(3).fill("App(Int(1), _)", 1));
    let tried = " times with other values in its holes and with random values for `wanted`";
    for part in ["App.0", "Int(1)", tried, "another seed may help"] {
        assert!(no_function.contains(part), "{part} is not in {no_function}");
    }
    let rising = sequence_of(0, .., |least| Some(*least..=99), |_, item| *item);
    let unordered = rising.fill("[5, _, 3]", 1).unwrap_err().to_string();
    assert!(unordered.contains("`[2]`, which is 3") && unordered.contains("tried 2000 times"), "{unordered}");
    assert!(sorted(0, 99).fill("[5, _, 3]", 1).is_err());
    let tree = bst(0, 9).fill("Node(Node(_, _, Node(_, 7, _)), 5, _)", 1).unwrap_err().to_string();
    assert!(tree.contains("7 is not in") && tree.contains(" times with other values"), "{tree}");
    // Nothing that is drawn for a hole could change this, so it is not tried again, and no other
    // seed is advised.
    for (text, reason) in [
        ("Node(Node(_, 7, _), 5, _)", "the part `Node.0.Node.1`, which is 7: 7 is not in 0..=4"),
        ("Node(Leaf, 200, _)", "the part `Node.1`, which is 200: 200 is not in 0..=9"),
        ("Nod(_, 5, _)", "Nod(_, 5, _)"),
    ] {
        let tree = bst(0, 9).fill(text, 1).unwrap_err().to_string();
        assert!(tree.contains(reason) && !tree.contains("tried"), "{text}: {tree}");
    }
}

/// Puts holes in place of some parts of a text that `Debug` wrote. `dice` says which.
fn punched(text: &str, dice: &[u16]) -> String {
    let mut text = text.to_owned();
    for dice in dice {
        let parts = parts(&text);
        if parts.is_empty() {
            break;
        }
        let part = parts[usize::from(*dice) % parts.len()].clone();
        text.replace_range(part, "_");
    }
    text
}

/// Where the parts of a text stand that may be holes: fields, items, names of entries, and the
/// whole.
fn parts(text: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let begins = |at: usize| {
        let before = &text[..at];
        at == 0 || [", ", ": "].iter().any(|end| before.ends_with(end)) || matches!(bytes[at - 1], b'(' | b'[')
    };
    let mut found = Vec::new();
    let mut start = 0;
    while start < text.len() {
        if let Some(end) = end_of_part(bytes, start).filter(|_| begins(start)) {
            found.push(start..end);
        }
        // Inside of a string nothing begins.
        start = if bytes[start] == b'"' { end_of_string(bytes, start) } else { start } + 1;
    }
    found
}

/// Where the part that begins here ends; nothing if it is none, but the name of a field or empty.
fn end_of_part(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut depth, mut at) = (0, start);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = end_of_string(bytes, at),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => break,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => break,
            b':' if depth == 0 => return None,
            b' ' if depth == 0 && bytes.get(at + 1) == Some(&b'}') => break,
            _ => {}
        }
        at += 1;
    }
    (at > start).then_some(at)
}

/// Where the quote stands that closes this one.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at
}

/// Fills what was punched. That a filling exists does not mean that chance finds it: then the error
/// says what was tried.
fn refilled<G: Generator>(generator: &G, value: &G::Value, dice: &[u16], seed: u64) -> Option<G::Value> {
    let text = punched(&format!("{value:?}"), dice);
    let sketch = Document::parse(&text).unwrap();
    match generator.fill(&text, seed) {
        Ok(filled) => {
            assert!(generator.accepts(&filled), "{text} became {filled:?}");
            assert!(sketch.root().matches_debug(&filled), "{text} became {filled:?}");
            Some(filled)
        }
        Err(error) => {
            assert!(error.to_string().contains("tried"), "{text}: {error}");
            None
        }
    }
}

#[property(cases = 150)]
fn punched_search_trees(#[from(bst(0, 40))] tree: Tree, #[from(vec_of(any::<u16>(), ..6))] dice: Vec<u16>, seed: u64) {
    let filled = refilled(&bst(0, 40), &tree, &dice, seed);
    cover!(0.5, filled.is_some(), "filled");
    assert!(filled.is_none_or(|tree| tree.is_within(0, 40)));
}

#[property(cases = 150)]
fn punched_avl_trees(#[from(avl(0, 40))] tree: Avl, #[from(vec_of(any::<u16>(), ..6))] dice: Vec<u16>, seed: u64) {
    let filled = refilled(&avl(0, 40), &tree, &dice, seed);
    cover!(0.5, filled.is_some(), "filled");
    assert!(filled.is_none_or(|tree| tree.is_valid(0, 40)));
}

#[property(cases = 150)]
fn punched_red_black_trees(
    #[from(red_black(0, 40))] tree: examples::red_black::RedBlack,
    #[from(vec_of(any::<u16>(), ..6))] dice: Vec<u16>,
    seed: u64,
) {
    let filled = refilled(&red_black(0, 40), &tree, &dice, seed);
    cover!(0.5, filled.is_some(), "filled");
    assert!(filled.is_none_or(|tree| tree.is_valid(0, 40)));
}

#[property(cases = 150)]
fn punched_terms(#[from(terms(4))] term: Term, #[from(vec_of(any::<u16>(), ..4))] dice: Vec<u16>, seed: u64) {
    let filled = refilled(&terms(4), &term, &dice, seed);
    cover!(0.5, filled.is_some(), "filled");
    assert!(filled.is_none_or(|term| type_of(&[], &term).is_some()));
}

#[property(cases = 150)]
fn punched_documents(
    #[from(json(3))] document: examples::json::Json,
    #[from(vec_of(any::<u16>(), ..6))] dice: Vec<u16>,
    seed: u64,
) {
    assert!(refilled(&json(3), &document, &dice, seed).is_some());
}
