//! Problems beyond the public ones: numbers that hang together, lengths drawn before lists, trees,
//! text, programs, long lists.

use super::{Family, Problem, Start};
use retrospect::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn family() -> Family {
    Family {
        name: "Further problems",
        about: "`replacement` comes with the study of Hypothesis of 2020; the search tree is the one on which shortlex stops at key 100. The others are our own.",
        problems: [numbers(), structures(), given()].into_iter().flatten().collect(),
    }
}

fn numbers() -> Vec<Problem> {
    let hundred = 0..=100u32;
    let thousand = 0..=1000u32;
    let mut problems = vec![
        Problem::new("replacement", tuple((0..=1_000_000u64, vec_of(2..=10u64, ..))), is_multiplied_to_a_million)
            .ends_at("(1000000, [])", 40.0, 60)
            .hypothesis(16.0, 7, 475.0),
        Problem::new(
            "2x + y + z = 20, up to 100",
            tuple((hundred.clone(), hundred.clone(), hundred)),
            super::dependent::weighs_twenty,
        )
        .ends_at("(10, 0, 0)", 120.0, 200),
        Problem::new("a + b + c = 1000", tuple((thousand.clone(), thousand.clone(), thousand.clone())), |(a, b, c)| {
            a + b + c == 1000
        })
        .ends_at("(0, 0, 1000)", 60.0, 120),
        Problem::new("b = a + 5", tuple((thousand.clone(), thousand.clone())), |(a, b)| *a >= 10 && *b == a + 5)
            .ends_at("(10, 15)", 60.0, 100),
        Problem::new("a * b >= 100", tuple((thousand.clone(), thousand)), |(a, b)| a * b >= 100)
            .ends_at("(10, 10)", 100.0, 200),
        Problem::new("x % 97 = 13", 0..=1_000_000u32, |x| x % 97 == 13).ends_at("13", 60.0, 250),
        Problem::new("xor", tuple((0..=1023u32, 0..=1023u32)), |(a, b)| a ^ b == 0x55 && a != b)
            .ends_at("(0, 85)", 150.0, 250),
        Problem::new("four falling numbers, sum", falling(), |(a, b, c, d)| a + b + c + d >= 1500).ends_at(
            "(750, 750, 0, 0)",
            150.0,
            300,
        ),
        Problem::new("four falling numbers, product", falling(), |(a, b, c, _)| a * b * c >= 1000).ends_at(
            "(10, 10, 10, 0)",
            200.0,
            500,
        ),
    ];
    for (name, modulus) in [("pair with one hash, modulus 10", 10), ("pair with one hash, modulus 100", 100)] {
        let hash = |number: u32| number.wrapping_mul(2_654_435_761) >> 7;
        let fails = move |(a, b): &(u32, u32)| a != b && hash(*a) % modulus == hash(*b) % modulus;
        // The least by trying all.
        let least =
            (1..).find(|b| fails(&(0, *b))).map(|b| format!("{:?}", (0, b))).expect("there are only so many hashes");
        let pairs = tuple((0..=100_000u32, 0..=100_000u32));
        problems.push(Problem::new(name, pairs, fails).ends_at(least, 250.0, 700).at_least(0.9));
    }
    problems
}

fn structures() -> Vec<Problem> {
    let markup = frequency(((1, element_of(['<', '>', '/'])), (5, within('a'..='z'))));
    let numbers = || vec_of(0..=100u32, ..);
    let rising = sequence_of(0u32, .., |least| Some(*least..=10_000), |_, item| *item);
    vec![
        Problem::new("dot product", two_lists(), |(left, right)| {
            left.iter().zip(right).map(|(left, right)| left * right).sum::<u32>() >= 100
        })
        .ends_at("([10], [10])", 120.0, 300),
        Problem::with("search tree, key 50", bst(0, 100), Tree::is_large, Tree::show, Start::Drawn).ends_at(
            "(- 0 (- 1 (- 50 -)))",
            80.0,
            150,
        ),
        Problem::with("search tree, key 50, as text", bst(0, 100), Tree::is_large, Tree::show, Start::Text).ends_at(
            "(- 0 (- 1 (- 50 -)))",
            90.0,
            200,
        ),
        Problem::new("rising lists", rising, |list| list.len() >= 3 && list.last() >= Some(&500)).ends_at(
            "[0, 0, 500]",
            60.0,
            100,
        ),
        Problem::new("two characters", string_of(markup, ..), |text| text.contains('<') && text.contains('>'))
            .ends_at("\"<>\"", 60.0, 120),
        Problem::new("two digits", any::<String>(), |text| text.chars().filter(char::is_ascii_digit).count() >= 2)
            .ends_at("\"00\"", 60.0, 120),
        Problem::new("use after delete", commands(), |commands| uses_what_was_deleted(commands)).ends_at(
            "[Create, Delete(0), Use(0)]",
            50.0,
            100,
        ),
        Problem::new("a key twice", json(4), Json::has_a_key_twice).ends_at(
            "Object([(\"a\", Null), (\"a\", Null)])",
            60.0,
            120,
        ),
        Problem::new("shared number", tuple((numbers(), numbers())), |(left, right)| {
            left.iter().any(|number| right.contains(number))
        })
        .ends_at("([0], [0])", 30.0, 60),
        Problem::new("brackets", vec_of(0..=3u8, ..=12), |list| {
            is_balanced(list) && list.windows(2).any(|pair| pair == [3, 3])
        })
        .ends_at("[3, 3]", 60.0, 150),
    ]
}

type OnNumbers = Box<dyn Fn(&Vec<u32>) -> bool>;

/// What begins with a value that was made for it.
fn given() -> Vec<Problem> {
    let count = |list: &Vec<u32>, is_wanted: fn(u32) -> bool| list.iter().filter(|number| is_wanted(**number)).count();
    let large_list = |name, fails: OnNumbers| {
        let lists = vec_of(0..=1_000_000u32, ..);
        let show = |list: &Vec<u32>| format!("{list:?}");
        Problem::with(name, lists, fails, show, Start::Value(Box::new(hundred_thousand))).at_most(4)
    };
    let texts = [
        "Node(Node(Leaf, 3, Leaf), 51, Node(Leaf, 77, Leaf))",
        "Node(Node(Node(Leaf, 1, Leaf), 2, Leaf), 100, Leaf)",
        "Node(Leaf, 98, Node(Leaf, 99, Node(Leaf, 100, Leaf)))",
    ];
    let tree = move |seed| bst(0, 100).read(texts[seed as usize]).expect("these are search trees");
    vec![
        Problem::with(
            "search tree, key 50, by hand",
            bst(0, 100),
            Tree::is_large,
            Tree::show,
            Start::Value(Box::new(tree)),
        )
        .ends_at("(- 0 (- 1 (- 50 -)))", 120.0, 120)
        .at_most(3),
        large_list("two of 100,000", Box::new(move |list| count(list, |number| number == 777_777) >= 2)).ends_at(
            "[777777, 777777]",
            200.0,
            200,
        ),
        large_list("two different of 100,000", Box::new(|list| list.contains(&777_777) && list.contains(&500)))
            .ends_at("[500, 777777]", 200.0, 200),
        large_list("two large of 100,000", Box::new(move |list| count(list, |number| number >= 700_000) >= 2)).ends_at(
            "[700000, 700000]",
            200.0,
            200,
        ),
        Problem::with(
            "a link of a long chain",
            chain(),
            Chain::has_a_large_number,
            |chain| format!("{chain:?}"),
            Start::Value(Box::new(|_| long_chain())),
        )
        .ends_at("Link(900, End)", 60.0, 60)
        .at_most(1),
    ]
}

/// The numbers below 100,000, and at two places, wherever they are, another one.
fn hundred_thousand(seed: u64) -> Vec<u32> {
    let (first, second) = match seed {
        0 => (3, 99_000),
        1 => (50_000, 50_001),
        2 => (0, 99_999),
        3 => (12_345, 67_890),
        _ => tuple((0..50_000, 50_000..100_000)).sample(seed),
    };
    (0..100_000).map(|place| if place == first || place == second { 777_777 } else { place }).collect()
}

fn long_chain() -> Chain {
    let number = |place: u32| if place == 200 { 999 } else { place % 500 };
    (0..600).fold(Chain::End, |rest, place| Chain::Link(number(place), Box::new(rest)))
}

pub fn is_multiplied_to_a_million((number, factors): &(u64, Vec<u64>)) -> bool {
    factors.iter().fold(*number, |product, factor| product.saturating_mul(*factor)) >= 1_000_000
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

/// Two lists of one length that is drawn before them.
#[generator]
fn two_lists() -> (Vec<u32>, Vec<u32>) {
    #[focus(it.0.len())]
    let length = draw(0..=10usize);
    let left = draw(vec_of(0..=100u32, length));
    let right = draw(vec_of(0..=100u32, length));
    (left, right)
}

#[derive(Debug, Clone, PartialEq)]
pub enum Tree {
    Leaf,
    Node(Box<Tree>, i64, Box<Tree>),
}

#[generator]
pub fn bst(lo: i64, hi: i64) -> Tree {
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
    pub fn keys(&self) -> Vec<i64> {
        match self {
            Tree::Leaf => vec![],
            Tree::Node(left, key, right) => [left.keys(), vec![*key], right.keys()].concat(),
        }
    }

    /// Three nodes, and a key of 50 or more.
    pub fn is_large(&self) -> bool {
        let keys = self.keys();
        keys.len() >= 3 && keys.iter().any(|key| *key >= 50)
    }

    pub fn show(&self) -> String {
        match self {
            Tree::Leaf => "-".to_owned(),
            Tree::Node(left, key, right) => format!("({} {key} {})", left.show(), right.show()),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Command {
    Create,
    Delete(usize),
    Use(usize),
}

/// Commands on things that are known by the order in which they were made.
fn commands() -> impl Generator<Value = Vec<Command>> {
    sequence_of(
        0usize,
        ..,
        |made| Some(command(*made)),
        |made, command| made + usize::from(*command == Command::Create),
    )
}

#[generator]
fn command(made: usize) -> Command {
    match pick() {
        "create" => Command::Create,
        #[weight(if made > 0 { 1 } else { 0 })]
        "delete" => {
            let place = draw(0..made);
            Command::Delete(place)
        }
        #[weight(if made > 0 { 1 } else { 0 })]
        "use" => {
            let place = draw(0..made);
            Command::Use(place)
        }
    }
}

fn uses_what_was_deleted(commands: &[Command]) -> bool {
    let mut deleted = BTreeSet::new();
    commands.iter().any(|command| match command {
        Command::Create => false,
        Command::Delete(place) => {
            deleted.insert(*place);
            false
        }
        Command::Use(place) => deleted.contains(place),
    })
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

/// Ones are opened, twos are closed.
fn is_balanced(list: &[u8]) -> bool {
    let depth = list.iter().try_fold(0i32, |depth, item| match item {
        1 => Some(depth + 1),
        2 => (depth > 0).then_some(depth - 1),
        _ => Some(depth),
    });
    depth == Some(0)
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

impl Chain {
    fn has_a_large_number(&self) -> bool {
        let mut rest = self;
        while let Chain::Link(number, next) = rest {
            if *number >= 900 {
                return true;
            }
            rest = next;
        }
        false
    }
}
