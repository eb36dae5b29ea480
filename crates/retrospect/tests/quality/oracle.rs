//! On small domains every tree is tried: shrinking must end at the simplest that fails, or nearly so.

use super::measure::shrink;
use retrospect::prelude::*;
use retrospect::shrink::compare;

/// Its name, and which values fail.
type Property<V> = (&'static str, fn(&V) -> bool);

/// All values of a small generator, the simplest first: by drawing until nothing new comes.
fn all<G: Generator>(generator: &G, draws: u64) -> Vec<Choices> {
    let mut texts = std::collections::HashSet::new();
    let mut trees = Vec::new();
    for seed in 0..draws {
        let choices = generator.sample_choices(seed);
        if texts.insert(choices.to_string()) {
            trees.push(choices);
        }
    }
    trees.sort_by(compare);
    trees
}

/// Shrinks from every third tree that fails. Returns how many ended at the simplest one, of how many.
fn at_the_simplest<G: Generator>(
    generator: &G,
    trees: &[Choices],
    fails: impl Fn(&G::Value) -> bool,
) -> (usize, usize) {
    let failing: Vec<&Choices> = trees.iter().filter(|choices| fails(&generator.replay(choices))).collect();
    let Some(simplest) = failing.first() else {
        return (0, 0);
    };
    let starts = failing.iter().step_by(failing.len() / 40 + 1);
    let reached = starts.clone().filter(|start| {
        let shrunk = shrink(generator, start, &fails);
        assert!(compare(&shrunk.choices, start).is_le());
        if shrunk.choices != **simplest {
            println!("    {} instead of {simplest}", shrunk.choices);
        }
        shrunk.choices == **simplest
    });
    (reached.count(), starts.count())
}

#[test]
fn nothing_smaller_fails_in_lists() {
    let lists = vec_of(0..=3u8, ..=4);
    let trees = all(&lists, 40_000);
    assert_eq!(trees.len(), 1 + 4 + 16 + 64 + 256);
    fn sum(list: &[u8]) -> u32 {
        list.iter().map(|number| u32::from(*number)).sum()
    }
    let properties: Vec<Property<Vec<u8>>> = vec![
        ("sum >= 5", |list| sum(list) >= 5),
        ("sum = 5", |list| sum(list) == 5),
        ("sum odd and three items", |list| sum(list) % 2 == 1 && list.len() >= 3),
        ("product of the sum and the length", |list| sum(list) * list.len() as u32 >= 12),
        ("not sorted", |list| !list.is_sorted()),
        ("two equal neighbours above 0", |list| list.windows(2).any(|pair| pair[0] == pair[1] && pair[0] > 0)),
        ("three different", |list| list.iter().collect::<std::collections::BTreeSet<_>>().len() >= 3),
        ("falls and rises", |list| list.windows(3).any(|three| three[0] > three[1] && three[1] < three[2])),
        ("first is last, and not the simplest", |list| {
            list.len() > 1 && list[0] == list[list.len() - 1] && list[0] > 1
        }),
        ("a place in the list", |list| {
            list.first().is_some_and(|place| *place > 0 && list.get(*place as usize) == Some(&2))
        }),
        ("even length, then 3", |list| list.len().is_multiple_of(2) && list.last() == Some(&3)),
        ("xor", |list| list.iter().fold(0, |all, number| all ^ number) == 3),
        ("a hash", |list| list.iter().fold(7u32, |hash, number| hash.wrapping_mul(31) ^ u32::from(*number)) % 11 == 4),
    ];
    for (name, fails) in properties {
        let (reached, starts) = at_the_simplest(&lists, &trees, fails);
        println!("{name:<40} {reached}/{starts}");
        // What has no structure at all is reached only as far as trying everything reaches.
        let least = if name == "a hash" { starts / 2 } else { starts };
        assert!(reached >= least, "{name}: {reached} of {starts}");
    }
}

#[test]
fn nothing_smaller_fails_in_tuples() {
    let numbers = tuple((0..=7u32, -4..=4i32, 0..=7u32));
    let trees = all(&numbers, 60_000);
    assert_eq!(trees.len(), 8 * 9 * 8);
    type Numbers = (u32, i32, u32);
    let properties: Vec<Property<Numbers>> = vec![
        ("a + c >= 9", |(a, _, c)| a + c >= 9),
        ("a + c = 9", |(a, _, c)| a + c == 9),
        ("a * c >= 12", |(a, _, c)| a * c >= 12),
        ("a = c + 2, b below 0", |(a, b, c)| *a == c + 2 && *b < 0),
        ("2a + c = 11", |(a, _, c)| 2 * a + c == 11),
        ("a < c and b = 2", |(a, b, c)| a < c && *b == 2),
        ("xor", |(a, _, c)| a ^ c == 5),
        ("sum with a sign", |(a, b, c)| *a as i32 + b + *c as i32 == 10),
        ("difference", |(a, _, c)| a.abs_diff(*c) == 3 && *a >= 2),
        ("remainder", |(a, b, c)| (*a as i32 * 5 + b * 3 + *c as i32).rem_euclid(7) == 6),
    ];
    for (name, fails) in properties {
        let (reached, starts) = at_the_simplest(&numbers, &trees, fails);
        println!("{name:<40} {reached}/{starts}");
        let least = if name == "remainder" { starts * 9 / 10 } else { starts };
        assert!(reached >= least, "{name}: {reached} of {starts}");
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Leaf,
    Node(Box<Tree>, u8, Box<Tree>),
}

#[generator]
fn tree(depth: u32) -> Tree {
    match pick() {
        "leaf" => Tree::Leaf,
        #[weight(if depth > 0 { 3 } else { 0 })]
        "node" => {
            let left = draw(tree(depth - 1));
            let key = draw(0..=2u8);
            let right = draw(tree(depth - 1));
            Tree::Node(Box::new(left), key, Box::new(right))
        }
    }
}

impl Tree {
    fn keys(&self) -> Vec<u8> {
        match self {
            Tree::Leaf => vec![],
            Tree::Node(left, key, right) => [left.keys(), vec![*key], right.keys()].concat(),
        }
    }

    fn depth(&self) -> usize {
        match self {
            Tree::Leaf => 0,
            Tree::Node(left, _, right) => 1 + left.depth().max(right.depth()),
        }
    }

    fn is_lopsided(&self) -> bool {
        match self {
            Tree::Leaf => false,
            Tree::Node(left, _, right) => left.depth().abs_diff(right.depth()) > 1,
        }
    }
}

#[test]
fn nothing_smaller_fails_in_trees() {
    let trees = all(&tree(3), 60_000);
    let properties: Vec<Property<Tree>> = vec![
        ("three keys", |tree| tree.keys().len() >= 3),
        ("keys not sorted", |tree| !tree.keys().is_sorted()),
        ("depth 3", |tree| tree.depth() >= 3),
        ("lopsided", Tree::is_lopsided),
        ("sum 4", |tree| tree.keys().iter().sum::<u8>() == 4),
        (
            "root above its right",
            |tree| matches!(tree, Tree::Node(_, key, right) if matches!(&**right, Tree::Node(_, other, _) if other < key)),
        ),
        ("two keys twice", |tree| tree.keys().iter().filter(|key| **key == 2).count() == 2),
    ];
    for (name, fails) in properties {
        let (reached, starts) = at_the_simplest(&tree(3), &trees, fails);
        println!("{name:<40} {reached}/{starts}");
        assert_eq!(reached, starts, "{name}");
    }
}
