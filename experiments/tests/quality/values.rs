//! Problems in which a small change of the value is a large one of its choices, and those that can
//! be made in several ways: what reflection is good for.

use super::measure::seeds;
use retrospect::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Shrinks values that fail, each begun with nothing but itself: all must end at `expected`, in at
/// most `mean` runs on average.
#[track_caller]
fn assert_smallest<G: Generator>(
    name: &str,
    generator: &G,
    fails: impl Fn(&G::Value) -> bool,
    expected: &str,
    mean: u64,
) {
    let mut results: BTreeMap<String, usize> = BTreeMap::new();
    let (mut runs, mut count, mut most) = (0, 0, 0);
    for seed in 0..seeds() {
        let value = generator.samples(seed * 1_000_003).take(200_000).find(&fails).expect("some value fails");
        let smallest = generator.shrink(value, &fails).unwrap();
        assert!(fails(&smallest.value), "{name}: the result must fail, but {:?} does not", smallest.value);
        let replayed = generator.replay(&smallest.choices);
        assert_eq!(format!("{replayed:?}"), format!("{:?}", smallest.value), "{name}: the choices make the value");
        *results.entry(format!("{:?}", smallest.value)).or_default() += 1;
        let needed = smallest.runs - smallest.searched;
        (runs, count, most) = (runs + needed, count + 1, most.max(needed));
    }
    let share = results.get(expected).copied().unwrap_or(0);
    println!(
        "{name:<24} {share:>4}/{count:<4} {:>7.1} {most:>5} {:>3} results",
        runs as f64 / count as f64,
        results.len()
    );
    assert_eq!(share, count, "{name}: expected {expected}, got {results:#?}");
    assert!(runs <= mean * count as u64, "{name}: {} runs on average", runs as f64 / count as f64);
}

/// A number that is written down: its digits are far from its size.
#[test]
fn digits_of_a_number() {
    let hexadecimal = (0..=u32::MAX)
        .map_with_inverse(|number| format!("{number:x}"), |text: &String| canonical(text))
        .with_reader(string_of('0'..='f', ..));
    let fails = |text: &String| text.matches('e').count() >= 2;
    assert_smallest("hexadecimal", &hexadecimal, fails, "\"ee\"", 200);
}

fn canonical(text: &str) -> Option<u32> {
    let number = u32::from_str_radix(text, 16).ok()?;
    (format!("{number:x}") == text).then_some(number)
}

/// Two numbers in one.
#[test]
fn pair_in_a_number() {
    let pairs = (0..10_000u64)
        .map_with_inverse(unpaired, |(a, b): &(u64, u64)| Some((a + b) * (a + b + 1) / 2 + b).filter(|n| *n < 10_000))
        .with_reader(any::<(u64, u64)>());
    let fails = |(a, b): &(u64, u64)| *a >= 10 && *b >= 17;
    assert_smallest("pair in a number", &pairs, fails, "(10, 17)", 200);
    let fails = |(a, b): &(u64, u64)| *a >= 10 && *a == b + 5;
    assert_smallest("difference in a number", &pairs, fails, "(10, 5)", 150);
}

/// The pair at a place of the diagonals.
fn unpaired(number: u64) -> (u64, u64) {
    let diagonal = (0..).take_while(|d| d * (d + 1) / 2 <= number).last().unwrap_or(0);
    let b = number - diagonal * (diagonal + 1) / 2;
    (diagonal - b, b)
}

/// A permutation by its place among all of them.
#[test]
fn rank_of_a_permutation() {
    let permutations =
        (0..5040u32).map_with_inverse(permutation, |items: &Vec<u8>| rank(items)).with_reader(vec_of(0..7u8, 7));
    let fails = |items: &Vec<u8>| items.windows(2).any(|pair| pair == [5, 2]);
    assert_smallest("permutation", &permutations, fails, "[0, 1, 3, 4, 5, 2, 6]", 60);
}

fn rank(items: &[u8]) -> Option<u32> {
    let mut left: Vec<u8> = (0..7).collect();
    let mut rank = 0;
    for item in items {
        let place = left.iter().position(|other| other == item)?;
        rank = rank * left.len() as u32 + place as u32;
        left.remove(place);
    }
    left.is_empty().then_some(rank)
}

fn permutation(mut rank: u32) -> Vec<u8> {
    let mut left: Vec<u8> = (0..7).collect();
    let mut items = Vec::new();
    for size in (1..=7u32).rev() {
        let block: u32 = (1..size).product();
        items.push(left.remove((rank / block) as usize));
        rank %= block;
    }
    items
}

/// Days by their number.
#[test]
fn day_of_a_calendar() {
    let days = (0..30_000u32)
        .map_with_inverse(date, |day: &(u32, u32, u32)| day_number(*day).filter(|number| *number < 30_000))
        .with_reader(any::<(u32, u32, u32)>());
    let fails = |(_, month, day): &(u32, u32, u32)| (*month, *day) == (2, 29);
    assert_smallest("leap day", &days, fails, "(1972, 2, 29)", 200);
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn lengths_of_months(year: u32) -> [u32; 12] {
    [31, if is_leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
}

fn date(mut number: u32) -> (u32, u32, u32) {
    for year in 1970.. {
        for (month, length) in (1..).zip(lengths_of_months(year)) {
            if number < length {
                return (year, month, number + 1);
            }
            number -= length;
        }
    }
    unreachable!("years do not end")
}

fn day_number((year, month, day): (u32, u32, u32)) -> Option<u32> {
    let is_date = (1970..2100).contains(&year) && (1..=12).contains(&month);
    let lengths = lengths_of_months(year);
    if !is_date || day == 0 || day > lengths[month as usize - 1] {
        return None;
    }
    let before: u32 = (1970..year).map(|year| lengths_of_months(year).iter().sum::<u32>()).sum();
    Some(before + lengths[..month as usize - 1].iter().sum::<u32>() + day - 1)
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
}

/// The keys of a search tree are told relative to those above them.
#[test]
fn keys_of_a_search_tree() {
    let one = |tree: &Tree| tree.keys().contains(&37);
    assert_smallest("one key", &bst(0, 100), one, "Node(Leaf, 37, Leaf)", 100);
    let two = |tree: &Tree| tree.keys().contains(&37) && tree.keys().contains(&64);
    assert_smallest("two keys", &bst(0, 100), two, "Node(Leaf, 37, Node(Leaf, 64, Leaf))", 290);
}

/// Numbers told by the distance from the one before.
#[test]
fn numbers_by_distance() {
    let rising = sequence_of(0u32, ..=12, |least| Some(*least..=1000), |_, item| *item);
    let fails =
        |list: &Vec<u32>| list.iter().any(|n| (300..310).contains(n)) && list.iter().any(|n| (640..650).contains(n));
    assert_smallest("rising numbers", &rising, fails, "[300, 640]", 85);
    let summed = vec_of(-50..=50i32, ..=12).map_with_inverse(sums, differences).with_reader(any::<Vec<i32>>());
    let fails = |list: &Vec<i32>| list.contains(&60) && list.contains(&-20);
    assert_smallest("sums", &summed, fails, "[-20, 10, 60]", 340);
}

#[expect(clippy::needless_pass_by_value, reason = "as a map hands it over")]
fn sums(steps: Vec<i32>) -> Vec<i32> {
    let mut sum = 0;
    steps.iter().map(|step| (sum += step, sum).1).collect()
}

#[expect(clippy::ptr_arg, reason = "as a map hands it over")]
fn differences(sums: &Vec<i32>) -> Option<Vec<i32>> {
    let mut before = 0;
    sums.iter().map(|sum| sum.checked_sub(std::mem::replace(&mut before, *sum))).collect()
}

/// Intervals that do not touch, each told by the gap before it and its length.
#[test]
fn intervals() {
    let intervals = vec_of((1..=30u32, 1..=30u32), ..=8)
        .map_with_inverse(
            |gaps: Vec<(u32, u32)>| {
                let mut end = 0;
                let mut next = |(gap, length)| {
                    let start = end + gap;
                    end = start + length;
                    (start, end)
                };
                gaps.into_iter().map(&mut next).collect()
            },
            |intervals: &Vec<(u32, u32)>| {
                let mut before = 0;
                let mut gap = |(start, end): &(u32, u32)| {
                    let gap = start.checked_sub(std::mem::replace(&mut before, *end))?;
                    Some((gap, end.checked_sub(*start)?))
                };
                intervals.iter().map(&mut gap).collect()
            },
        )
        .with_reader(any::<Vec<(u32, u32)>>());
    let fails = |intervals: &Vec<(u32, u32)>| intervals.iter().any(|(start, end)| *start == 25 && *end >= 28);
    assert_smallest("intervals", &intervals, fails, "[(25, 28)]", 120);
}

/// All items are told relative to the first.
#[test]
fn items_relative_to_the_first() {
    let lists = (0..1000u32)
        .bind_with_focus(
            |first| (exact(*first), vec_of(*first..=first + 100, ..=8)),
            |(first, _): &(u32, Vec<u32>)| Some(*first),
        )
        .map_with_inverse(
            |(first, rest)| [vec![first], rest].concat(),
            |list: &Vec<u32>| list.split_first().map(|(first, rest)| (*first, rest.to_vec())),
        )
        .with_reader(any::<Vec<u32>>());
    let fails =
        |list: &Vec<u32>| list.iter().any(|n| (300..310).contains(n)) && list.iter().any(|n| (340..350).contains(n));
    assert_smallest("relative to the first", &lists, fails, "[300, 340]", 90);
}

#[derive(Clone, Debug, PartialEq, Generate)]
enum Term {
    Zero,
    Succ(Box<Term>),
    Plus(Box<Term>, Box<Term>),
    Times(Box<Term>, Box<Term>),
}

impl Term {
    fn has_times(&self) -> bool {
        match self {
            Term::Zero => false,
            Term::Succ(inner) => inner.has_times(),
            Term::Plus(left, right) => left.has_times() || right.has_times(),
            Term::Times(..) => true,
        }
    }
}

/// What must stay equal can only change together.
#[test]
fn equal_terms() {
    let twice = any::<Term>()
        .map_with_inverse(|term| (term.clone(), term), |(a, b): &(Term, Term)| (a == b).then(|| a.clone()));
    let either = one_of((twice.with_reader(any::<(Term, Term)>()), any::<(Term, Term)>()));
    let fails = |(a, b): &(Term, Term)| a == b && a.has_times();
    assert_smallest("equal terms", &either, fails, "(Times(Zero, Zero), Times(Zero, Zero))", 60);
    let pairs = any::<(Term, Term)>();
    for seed in 0..seeds() {
        let term = any::<Term>().samples(seed * 1_000_003).find(Term::has_times).unwrap();
        let smallest = pairs.shrink((term.clone(), term), fails).unwrap();
        assert_eq!(format!("{:?}", smallest.value), "(Times(Zero, Zero), Times(Zero, Zero))");
    }
}

#[derive(Clone, Debug, PartialEq, Generate)]
enum Statement {
    Skip,
    Define(String),
    Use(String),
}

/// A name that stands in two places.
#[test]
fn names_that_agree() {
    let names = || string_of('a'..='z', 1..=8);
    let define = names()
        .map_with_focus(Statement::Define, |it| if let Statement::Define(name) = it { Some(name) } else { None });
    let using =
        names().map_with_focus(Statement::Use, |it| if let Statement::Use(name) = it { Some(name) } else { None });
    let programs = vec_of(one_of((exact(Statement::Skip), define, using)), ..=10);
    let fails = |program: &Vec<Statement>| {
        let defined: BTreeSet<&String> =
            program.iter().filter_map(|it| if let Statement::Define(name) = it { Some(name) } else { None }).collect();
        program.iter().any(|it| matches!(it, Statement::Use(name) if defined.contains(name) && name.len() >= 2))
    };
    for seed in 0..seeds() {
        let mut program = programs.sample(seed);
        program.truncate(6);
        let name = string_of('a'..='z', 2..=8).sample(seed);
        program.insert(program.len() / 2, Statement::Define(name.clone()));
        program.push(Statement::Use(name));
        let smallest = programs.shrink(program, fails).unwrap();
        assert_eq!(format!("{:?}", smallest.value), "[Define(\"aa\"), Use(\"aa\")]");
    }
}

/// A set in the bits of a number.
#[test]
fn set_in_bits() {
    let sets = (0..1u64 << 40)
        .map_with_inverse(
            |bits| (0..40u8).filter(|bit| bits >> bit & 1 == 1).collect::<BTreeSet<u8>>(),
            |set: &BTreeSet<u8>| set.iter().all(|bit| *bit < 40).then(|| set.iter().map(|bit| 1 << bit).sum()),
        )
        .with_reader(any::<BTreeSet<u8>>());
    let fails = |set: &BTreeSet<u8>| set.iter().any(|bit| set.contains(&(bit + 13)));
    assert_smallest("set in bits", &sets, fails, "{0, 13}", 90);
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Type {
    Bool,
    Arrow(Box<Type>, Box<Type>),
}

#[derive(Clone, Debug, PartialEq)]
enum Lambda {
    False,
    True,
    Not(Box<Lambda>),
    Fun(Type, Box<Lambda>),
    App(Box<Lambda>, Box<Lambda>),
}

impl Lambda {
    fn kind(&self) -> Option<Type> {
        match self {
            Lambda::False | Lambda::True => Some(Type::Bool),
            Lambda::Not(inner) => (inner.kind()? == Type::Bool).then_some(Type::Bool),
            Lambda::Fun(argument, body) => Some(Type::Arrow(Box::new(argument.clone()), Box::new(body.kind()?))),
            Lambda::App(function, argument) => match function.kind()? {
                Type::Arrow(from, to) if *from == argument.kind()? => Some(*to),
                _ => None,
            },
        }
    }

    fn parts(&self) -> Vec<&Lambda> {
        let inner = match self {
            Lambda::False | Lambda::True => vec![],
            Lambda::Not(inner) | Lambda::Fun(_, inner) => inner.parts(),
            Lambda::App(function, argument) => [function.parts(), argument.parts()].concat(),
        };
        [vec![self], inner].concat()
    }
}

#[generator]
fn kinds(depth: u32) -> Type {
    match pick() {
        #[weight(2)]
        "bool" => Type::Bool,
        #[weight(if depth > 0 { 1 } else { 0 })]
        "arrow" => {
            let from = draw(kinds(depth - 1));
            let to = draw(kinds(depth - 1));
            Type::Arrow(Box::new(from), Box::new(to))
        }
    }
}

/// Programs of a type; the type of an argument is not written down, but found again in the
/// argument.
#[generator]
fn lambda(kind: Type, depth: u32) -> Lambda {
    match pick() {
        #[weight(if kind == Type::Bool { 1 } else { 0 })]
        "false" => Lambda::False,
        #[weight(if kind == Type::Bool { 1 } else { 0 })]
        "true" => Lambda::True,
        #[weight(if kind != Type::Bool { 2 } else { 0 })]
        "fun" => {
            let from = draw(exact(argument_of(&kind).0));
            let body = draw(lambda(argument_of(&kind).1, depth.saturating_sub(1)));
            Lambda::Fun(from, Box::new(body))
        }
        #[weight(if kind == Type::Bool && depth > 0 { 2 } else { 0 })]
        "not" => {
            let inner = draw(lambda(Type::Bool, depth - 1));
            Lambda::Not(Box::new(inner))
        }
        #[weight(if depth > 0 { 2 } else { 0 })]
        "app" => {
            #[focus(match it { Lambda::App(_, argument) => argument.kind()?, _ => return None })]
            let from = draw(kinds(1));
            let function = draw(lambda(Type::Arrow(Box::new(from.clone()), Box::new(kind.clone())), depth - 1));
            let argument = draw(lambda(from, depth - 1));
            Lambda::App(Box::new(function), Box::new(argument))
        }
    }
}

fn argument_of(kind: &Type) -> (Type, Type) {
    match kind {
        Type::Arrow(from, to) => (Type::clone(from), Type::clone(to)),
        Type::Bool => (Type::Bool, Type::Bool),
    }
}

#[test]
fn typed_programs() {
    let fails = |program: &Lambda| {
        program.parts().iter().any(|part| matches!(part, Lambda::Not(inner) if matches!(**inner, Lambda::Not(_))))
    };
    assert_smallest("typed program", &lambda(Type::Bool, 5), fails, "Not(Not(False))", 60);
    let fails = |program: &Lambda| {
        program.parts().iter().any(|part| {
            matches!(part, Lambda::App(function, argument)
            if matches!(**function, Lambda::Fun(..)) && matches!(argument.kind(), Some(Type::Arrow(..))))
        })
    };
    let expected = "App(Fun(Arrow(Bool, Bool), False), Fun(Bool, False))";
    assert_smallest("typed application", &lambda(Type::Bool, 5), fails, expected, 90);
}

/// A number is spelled digit by digit, or made as a whole. From the digits nothing leads on: each
/// of the few numbers that fail is too many of them away.
#[test]
fn spelled_numbers() {
    let spelled = vec_of(0..=9u32, 1..=6).map_with_inverse(
        |digits| digits.iter().fold(0, |number, digit| number * 10 + digit),
        |number: &u32| number.to_string().chars().map(|digit| digit.to_digit(10)).collect(),
    );
    let numbers = one_of((spelled, 0..1_000_000u32));
    let fails = |number: &u32| *number >= 1000 && number.is_multiple_of(7);
    assert_smallest("spelled number", &numbers, fails, "1001", 250);
}

/// A list is put together of two, or made at once.
#[test]
fn lists_of_two_parts() {
    let short = || vec_of(0..=99u32, ..=6);
    let joined = tuple((short(), 1..=2usize)).map_with_inverse(
        |(part, times)| part.repeat(times),
        |list: &Vec<u32>| {
            let (left, right) = list.split_at(list.len() / 2);
            if left == right { Some((left.to_vec(), 2)) } else { (list.len() <= 6).then(|| (list.clone(), 1)) }
        },
    );
    let lists = one_of((joined, vec_of(0..=99u32, ..)));
    let fails = |list: &Vec<u32>| list.iter().filter(|number| **number == 50).count() >= 2;
    let mut results = BTreeSet::new();
    for start in
        [vec![50, 3, 50, 3], vec![50, 50], vec![7, 50, 1, 50], vec![50, 50, 50, 50], vec![1, 2, 3, 4, 5, 50, 7, 50]]
    {
        let smallest = lists.shrink(start, fails).unwrap();
        results.insert(format!("{:?} by {}", smallest.value, smallest.choices));
    }
    assert_eq!(Vec::from_iter(results), ["[50, 50] by 0:(([50] 1))"]);
}

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Dot,
    Circle(u32),
    Polygon(Vec<u32>),
}

/// A shape as it is, or inside any number of wrappings that leave no trace: there are infinitely
/// many ways.
#[generator]
fn wrapped_shape() -> Shape {
    match pick() {
        "wrapped" => {
            let shape = draw(wrapped_shape());
            shape
        }
        "dot" => Shape::Dot,
        "circle" => {
            let radius = draw(0..=1000u32);
            Shape::Circle(radius)
        }
        "polygon" => {
            let points = draw(vec_of(0..=1000u32, ..=5));
            Shape::Polygon(points)
        }
    }
}

#[test]
fn infinitely_many_ways() {
    assert!(wrapped_shape().ways_of(&Shape::Dot).count().to_string().starts_with("infinitely many"));
    let simplest = wrapped_shape().ways_of(&Shape::Circle(900)).simplest().unwrap();
    assert_eq!(simplest.to_string(), "2:circle(900)");
    let fails = |shape: &Shape| matches!(shape, Shape::Circle(radius) if *radius >= 500);
    let smallest = wrapped_shape().shrink(Shape::Circle(900), fails).unwrap();
    assert_eq!((smallest.value, smallest.choices.to_string()), (Shape::Circle(500), "2:circle(500)".to_owned()));
}

/// Each item can be made in two ways: for a list there are more than can be counted.
#[test]
fn exponentially_many_ways() {
    let clumsy = vec_of(exact(1u32), ..=1000).map_with_inverse(
        |ones| ones.len() as u32,
        |number: &u32| (*number <= 1000).then(|| vec![1; *number as usize]),
    );
    let lists = vec_of(one_of((clumsy, 0..=1000u32)), ..);
    let start = vec![300; 30];
    assert_eq!(lists.ways_of(&start).count().to_string(), "1073741824");
    let fails = |list: &Vec<u32>| list.iter().filter(|number| **number >= 77).count() >= 2;
    let smallest = lists.shrink(start, fails).unwrap();
    assert_eq!((smallest.value, smallest.choices.to_string()), (vec![77, 77], "[1:(77) 1:(77)]".to_owned()));
    assert!(smallest.runs - smallest.searched <= 60, "{}", smallest.runs);
}

/// The first arm makes only what it has listed, at a dear price.
#[test]
fn dear_first_arm() {
    let listed = tuple((0..=9u8, 0..=9u8, 0..=9u8)).map_with_inverse(
        |(a, b, c)| format!("{a}{b}{c}"),
        |text: &String| {
            let digit =
                |at: usize| text.as_bytes().get(at).filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0');
            if text.len() == 3 { Some((digit(0)?, digit(1)?, digit(2)?)) } else { None }
        },
    );
    let plain = string_of('0'..='9', ..);
    let texts = one_of((listed.with_reader(plain.clone()), plain));
    let fails = |text: &String| text.ends_with('7') && text.len() <= 3;
    let smallest = texts.shrink("457".to_owned(), fails).unwrap();
    assert_eq!((smallest.value.as_str(), smallest.choices.to_string().as_str()), ("007", "0:((0 0 7))"));
}

#[derive(Clone, Debug, PartialEq, Generate)]
enum Item {
    Nothing,
    Circle(u16),
    Polygon(Vec<u16>),
    Pair(u16, Box<Item>),
}

impl Item {
    fn is_large(&self) -> bool {
        match self {
            Item::Nothing => false,
            Item::Circle(radius) => *radius >= 1000,
            Item::Polygon(points) => points.len() >= 3 && points.iter().all(|point| *point >= 500),
            Item::Pair(number, item) => *number >= 300 && item.is_large(),
        }
    }
}

/// An item of one kind should become one of another kind, with a body that is not the simplest: one
/// that stands elsewhere.
#[test]
fn other_arms() {
    let items = vec_of(any::<Item>(), ..=6);
    let two = |items: &Vec<Item>| items.iter().filter(|item| item.is_large()).count() >= 2;
    assert_smallest("two large items", &items, two, "[Circle(1000), Circle(1000)]", 105);
    let starts = [
        vec![Item::Polygon(vec![600, 700, 800]), Item::Circle(2000)],
        vec![Item::Circle(1500), Item::Nothing, Item::Polygon(vec![600; 5])],
        vec![Item::Pair(400, Box::new(Item::Polygon(vec![999, 998, 997]))), Item::Circle(1001)],
    ];
    for start in starts.clone() {
        let smallest = items.shrink(start, two).unwrap();
        assert_eq!(smallest.value, [Item::Circle(1000), Item::Circle(1000)]);
    }
    let pairs = any::<(Item, Item)>();
    let both = |(left, right): &(Item, Item)| left.is_large() && right.is_large();
    for start in [
        (Item::Polygon(vec![600, 700, 800]), Item::Circle(2000)),
        (Item::Circle(2000), Item::Pair(300, Box::new(Item::Polygon(vec![500; 4])))),
    ] {
        let smallest = pairs.shrink(start, both).unwrap();
        assert_eq!(smallest.value, (Item::Circle(1000), Item::Circle(1000)));
    }
    // The same, where no value can be looked at: the body of another arm is found in the tree.
    let forward = items.map(|items| items);
    for start in starts {
        let shrunk = super::measure::shrink(&forward, &items.choices_of(&start).unwrap(), two);
        assert_eq!(forward.replay(&shrunk.choices), [Item::Circle(1000), Item::Circle(1000)]);
        assert!(shrunk.runs - shrunk.searched <= 240, "{}", shrunk.runs);
    }
}
