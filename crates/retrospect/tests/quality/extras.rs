//! Problems beyond the public ones: numbers that hang together, lengths drawn before lists, trees, text, programs.

use super::measure::{measure, measure_as, shrink};
use retrospect::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn replacement() {
    let fails = |(number, factors): &(u64, Vec<u64>)| {
        factors.iter().fold(*number, |product, factor| product.saturating_mul(*factor)) >= 1_000_000
    };
    let problem = measure("replacement", &tuple((0..=1_000_000u64, vec_of(2..=10u64, ..))), fails);
    problem.assert("(1000000, [])", 30.0, 60);
}

#[test]
fn weighted_sum() {
    let fails = |(x, y, z): &(u32, u32, u32)| 2 * x + y + z == 20;
    let numbers = 0..=100u32;
    let problem = measure("2x + y + z = 20", &tuple((numbers.clone(), numbers.clone(), numbers)), fails);
    problem.assert("(10, 0, 0)", 120.0, 200);
}

#[test]
fn sum_of_three() {
    let fails = |(a, b, c): &(u32, u32, u32)| a + b + c == 1000;
    let numbers = 0..=1000u32;
    let problem = measure("a + b + c = 1000", &tuple((numbers.clone(), numbers.clone(), numbers)), fails);
    problem.assert("(0, 0, 1000)", 60.0, 120);
}

#[test]
fn coupled() {
    let fails = |(a, b): &(u32, u32)| *a >= 10 && *b == a + 5;
    let pairs = tuple((0..=1000u32, 0..=1000u32));
    measure("b = a + 5", &pairs, fails).assert("(10, 15)", 60.0, 100);
}

#[test]
fn hash_collision() {
    let hash = |number: u32| number.wrapping_mul(2_654_435_761) >> 7;
    for modulus in [10, 100] {
        let fails = move |(a, b): &(u32, u32)| a != b && hash(*a) % modulus == hash(*b) % modulus;
        // The least by trying all.
        let least = (1..).find(|b| fails(&(0, *b))).map(|b| format!("{:?}", (0, b))).unwrap();
        let pairs = tuple((0..=100_000u32, 0..=100_000u32));
        measure("hash collision", &pairs, fails).assert_share(0.9, &least, 250.0, 700);
    }
}

#[test]
fn remainder() {
    measure("x % 97 = 13", &(0..=1_000_000u32), |x: &u32| x % 97 == 13).assert("13", 60.0, 250);
}

#[test]
fn exclusive_or() {
    let fails = |(a, b): &(u32, u32)| a ^ b == 0x55 && a != b;
    let problem = measure("xor", &tuple((0..=1023u32, 0..=1023u32)), fails);
    problem.assert("(0, 85)", 150.0, 250);
}

/// Each number is bounded by the one before it.
#[generator]
fn falling() -> (u32, u32, u32, u32) {
    let a = draw(0..=1000u32);
    let b = draw(0..=a);
    let c = draw(0..=b);
    let d = draw(0..=c);
    (a, b, c, d)
}

#[test]
fn flat_map_of_numbers() {
    let sum = |(a, b, c, d): &(u32, u32, u32, u32)| a + b + c + d >= 1500;
    measure("flat map, four", &falling(), sum).assert("(750, 750, 0, 0)", 150.0, 300);
    let product = |(a, b, c, _): &(u32, u32, u32, u32)| a * b * c >= 1000;
    measure("flat map, product", &falling(), product).assert("(10, 10, 10, 0)", 200.0, 500);
}

/// Two lists of one length that is drawn before them.
#[generator]
fn two_lists() -> (Vec<u32>, Vec<u32>) {
    #[focus(it.0.len())]
    let length = draw(0..=10usize);
    let left = draw(vec_of(0..=100u32, length));
    let right = draw(vec_of(0..=100u32, length));
    (left, right)
}

#[test]
fn dot_product() {
    let fails = |(left, right): &(Vec<u32>, Vec<u32>)| {
        left.iter().zip(right).map(|(left, right)| left * right).sum::<u32>() >= 100
    };
    measure("dot product", &two_lists(), fails).assert("([10], [10])", 120.0, 300);
}

#[test]
fn product_of_two() {
    let fails = |(a, b): &(u32, u32)| a * b >= 100;
    measure("a * b >= 100", &tuple((0..=1000u32, 0..=1000u32)), fails).assert("(10, 10)", 100.0, 200);
}

#[derive(Debug, Clone, PartialEq)]
enum Tree {
    Leaf,
    Node(Box<Tree>, i64, Box<Tree>),
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

impl Tree {
    fn keys(&self) -> Vec<i64> {
        match self {
            Tree::Leaf => vec![],
            Tree::Node(left, key, right) => [left.keys(), vec![*key], right.keys()].concat(),
        }
    }

    fn show(&self) -> String {
        match self {
            Tree::Leaf => "-".to_owned(),
            Tree::Node(left, key, right) => format!("({} {key} {})", left.show(), right.show()),
        }
    }
}

#[test]
fn search_tree_with_a_large_key() {
    let fails = |tree: &Tree| {
        let keys = tree.keys();
        keys.len() >= 3 && keys.iter().any(|key| *key >= 50)
    };
    measure_as("search tree", &bst(0, 100), fails, Tree::show).assert("(- 0 (- 1 (- 50 -)))", 80.0, 150);
}

/// The same from values that nobody drew.
#[test]
fn search_tree_from_elsewhere() {
    let texts = [
        "Node(Node(Leaf, 3, Leaf), 51, Node(Leaf, 77, Leaf))",
        "Node(Node(Node(Leaf, 1, Leaf), 2, Leaf), 100, Leaf)",
        "Node(Leaf, 98, Node(Leaf, 99, Node(Leaf, 100, Leaf)))",
    ];
    for text in texts {
        let tree = bst(0, 100).read(text).unwrap();
        let fails = |tree: &Tree| tree.keys().len() >= 3 && tree.keys().iter().any(|key| *key >= 50);
        let smallest = bst(0, 100).shrink(tree, fails).unwrap();
        assert_eq!(smallest.value.show(), "(- 0 (- 1 (- 50 -)))", "{text}");
        assert!(smallest.runs <= 120, "{text}: {}", smallest.runs);
    }
}

/// A list of which each number is told by its distance from the one before.
#[test]
fn sorted_by_distances() {
    let lists = sequence_of(0u32, .., |least| Some(*least..=10_000), |_, item| *item);
    let fails = |list: &Vec<u32>| list.len() >= 3 && list.last() >= Some(&500);
    measure("rising lists", &lists, fails).assert("[0, 0, 500]", 60.0, 100);
}

#[test]
fn two_characters() {
    let fails = |text: &String| text.contains('<') && text.contains('>');
    let markup = frequency(((1, element_of(['<', '>', '/'])), (5, within('a'..='z'))));
    measure("two characters", &string_of(markup, ..), fails).assert("\"<>\"", 60.0, 120);
    let text =
        measure("text", &any::<String>(), |text: &String| text.chars().filter(|c| c.is_ascii_digit()).count() >= 2);
    text.assert("\"00\"", 60.0, 120);
}

#[derive(Clone, Debug, PartialEq)]
enum Command {
    Create,
    Delete(usize),
    Use(usize),
}

/// Commands on things that are known by the order in which they were made.
#[test]
fn use_after_delete() {
    let commands = sequence_of(
        0usize,
        ..,
        |made: &usize| {
            let place = 0..(*made).max(1);
            let delete = place.clone().map_with_inverse(Command::Delete, |command| match command {
                Command::Delete(place) => Some(*place),
                _ => None,
            });
            let using = place.map_with_inverse(Command::Use, |command| match command {
                Command::Use(place) => Some(*place),
                _ => None,
            });
            let others = i32::from(*made > 0);
            Some(frequency(((1, exact(Command::Create).boxed()), (others, delete.boxed()), (others, using.boxed()))))
        },
        |made, command| made + usize::from(*command == Command::Create),
    );
    let fails = |commands: &Vec<Command>| {
        let mut deleted = BTreeSet::new();
        commands.iter().any(|command| match command {
            Command::Create => false,
            Command::Delete(place) => {
                deleted.insert(*place);
                false
            }
            Command::Use(place) => deleted.contains(place),
        })
    };
    measure("use after delete", &commands, fails).assert("[Create, Delete(0), Use(0)]", 50.0, 100);
}

#[derive(Clone, Debug, PartialEq)]
enum Json {
    Null,
    Number(i32),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

#[generator]
fn json(depth: u32) -> Json {
    match pick() {
        "null" => Json::Null,
        "number" => {
            let number = draw(any::<i32>());
            Json::Number(number)
        }
        #[weight(if depth > 0 { 2 } else { 0 })]
        "list" => {
            let items = draw(vec_of(json(depth - 1), ..=4));
            Json::List(items)
        }
        #[weight(if depth > 0 { 2 } else { 0 })]
        "object" => {
            let fields = draw(vec_of((string_of('a'..='d', 1..=2), json(depth - 1)), ..=4));
            Json::Object(fields)
        }
    }
}

impl Json {
    fn has_a_key_twice(&self) -> bool {
        match self {
            Json::Null | Json::Number(_) => false,
            Json::List(items) => items.iter().any(Json::has_a_key_twice),
            Json::Object(fields) => {
                let mut keys: BTreeMap<&str, usize> = BTreeMap::new();
                fields.iter().for_each(|(key, _)| *keys.entry(key).or_default() += 1);
                keys.values().any(|count| *count > 1) || fields.iter().any(|(_, value)| value.has_a_key_twice())
            }
        }
    }
}

#[test]
fn a_key_twice() {
    let problem = measure("json", &json(4), Json::has_a_key_twice);
    problem.assert("Object([(\"a\", Null), (\"a\", Null)])", 60.0, 120);
}

/// Two lists that share a number.
#[test]
fn shared_number() {
    let lists = tuple((vec_of(0..=100u32, ..), vec_of(0..=100u32, ..)));
    let fails = |(left, right): &(Vec<u32>, Vec<u32>)| left.iter().any(|number| right.contains(number));
    measure("shared number", &lists, fails).assert("([0], [0])", 30.0, 60);
}

/// Brackets that must be closed go in pairs.
#[test]
fn brackets() {
    let balanced = |list: &Vec<u8>| {
        let depth = list.iter().try_fold(0i32, |depth, item| match item {
            1 => Some(depth + 1),
            2 => (depth > 0).then_some(depth - 1),
            _ => Some(depth),
        });
        depth == Some(0)
    };
    let fails = move |list: &Vec<u8>| balanced(list) && list.windows(2).any(|pair| pair == [3, 3]);
    measure("brackets", &vec_of(0..=3u8, ..=12), fails).assert("[3, 3]", 60.0, 150);
}

#[test]
fn two_of_a_hundred_thousand() {
    // Wherever they stand, and whether they fail alone or above a bound.
    for (first, second) in [(3, 99_000), (50_000, 50_001), (0, 99_999), (12_345, 67_890)] {
        let list: Vec<u32> =
            (0..100_000).map(|place| if place == first || place == second { 777_777 } else { place }).collect();
        let lists = vec_of(0..=1_000_000u32, ..);
        let start = lists.choices_of(&list).unwrap();
        let fails = |list: &Vec<u32>| list.iter().filter(|number| **number == 777_777).count() >= 2;
        let shrunk = shrink(&lists, &start, fails);
        assert_eq!(lists.replay(&shrunk.choices), [777_777, 777_777]);
        assert!(shrunk.runs <= 200, "{first} {second}: {} runs", shrunk.runs);
        let fails = |list: &Vec<u32>| list.contains(&777_777) && list.contains(&500);
        let shrunk = shrink(&lists, &start, fails);
        assert_eq!(lists.replay(&shrunk.choices), [500, 777_777]);
        assert!(shrunk.runs <= 200, "{first} {second}: {} runs", shrunk.runs);
        let fails = |list: &Vec<u32>| list.iter().filter(|number| **number >= 700_000).count() >= 2;
        let shrunk = shrink(&lists, &start, fails);
        assert_eq!(lists.replay(&shrunk.choices), [700_000, 700_000]);
        assert!(shrunk.runs <= 200, "{first} {second}: {} runs", shrunk.runs);
    }
}

/// Long chains are hoisted by many links at once.
#[derive(Clone, Debug, PartialEq)]
enum Chain {
    End,
    Link(u32, Box<Chain>),
}

#[generator]
fn chain() -> Chain {
    match pick() {
        "end" => Chain::End,
        "link" => {
            let number = draw(0..=1000u32);
            let rest = draw(chain());
            Chain::Link(number, Box::new(rest))
        }
    }
}

#[test]
fn a_link_of_a_long_chain() {
    let mut long = Chain::End;
    for number in 0..600 {
        long = Chain::Link(if number == 200 { 999 } else { number % 500 }, Box::new(long));
    }
    let numbers = |chain: &Chain| {
        let (mut numbers, mut rest) = (vec![], chain);
        while let Chain::Link(number, next) = rest {
            numbers.push(*number);
            rest = next;
        }
        numbers
    };
    let smallest = chain().shrink(long, |chain| numbers(chain).iter().any(|number| *number >= 900)).unwrap();
    assert_eq!(smallest.value, Chain::Link(900, Box::new(Chain::End)));
    assert!(smallest.runs <= 60, "{} runs", smallest.runs);
}
