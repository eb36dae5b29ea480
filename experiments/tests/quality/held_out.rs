//! Problems that no pass was written for: text, floats, sums with exact results, remainders, counts
//! before what they count, commands, trees that are larger than they need be. Where the domain is
//! small enough, the expected result is found by trying everything.

use super::measure::{Measured, measure, measure_as, seeds};
use retrospect::prelude::*;
use retrospect::shrink::compare;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

/// The simplest of the values that fail, as `Debug` shows it.
fn least<G: Generator>(
    generator: &G,
    values: impl IntoIterator<Item = G::Value>,
    fails: impl Fn(&G::Value) -> bool,
) -> String
where
    G::Value: Debug,
{
    let mut best: Option<(Choices, String)> = None;
    for value in values.into_iter().filter(|value| fails(value)) {
        let choices = generator.choices_of(&value).unwrap();
        if best.as_ref().is_none_or(|(best, _)| compare(&choices, best).is_lt()) {
            best = Some((choices, format!("{value:?}")));
        }
    }
    best.unwrap().1
}

/// Every start must lead to `expected`, in so many runs. With `QUALITY_SURVEY` it is only told what
/// happens.
#[track_caller]
fn judge(measured: Measured, expected: &str, mean: f64, most: u64) {
    judge_share(1.0, measured, expected, mean, most);
}

/// At least this share of the starts must.
#[track_caller]
fn judge_share(least: f64, measured: Measured, expected: &str, mean: f64, most: u64) {
    if std::env::var("QUALITY_SURVEY").is_err() {
        return measured.assert_share(least, expected, mean, most);
    }
    measured.assert_share(0.0, expected, f64::MAX, u64::MAX);
    for (result, count) in measured.results.iter().filter(|(result, _)| *result != expected).take(6) {
        println!("    {count} times {result} instead of {expected}");
    }
}

fn triples(most: u32) -> impl Iterator<Item = (u32, u32, u32)> {
    (0..=most).flat_map(move |a| (0..=most).flat_map(move |b| (0..=most).map(move |c| (a, b, c))))
}

fn pairs(most: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..=most).flat_map(move |a| (0..=most).map(move |b| (a, b)))
}

mod text {
    use super::*;

    #[test]
    fn no_palindrome() {
        let fails = |text: &String| text.chars().rev().ne(text.chars());
        judge(measure("no palindrome", &string_of('a'..='z', ..), fails), "\"ab\"", 15.0, 30);
    }

    #[test]
    fn a_part_twice() {
        let fails = |text: &String| {
            (0..text.len()).any(|at| at + 4 <= text.len() && text[at + 2..].contains(&text[at..at + 2]))
        };
        judge(measure("a part twice", &string_of('a'..='z', ..), fails), "\"aaaa\"", 15.0, 20);
    }

    #[test]
    fn three_kinds_of_characters() {
        let fails = |text: &String| {
            text.contains(|c: char| c.is_ascii_uppercase())
                && text.contains(|c: char| c.is_ascii_digit())
                && text.contains(|c: char| c.is_ascii_punctuation())
        };
        judge(measure("kinds of characters", &any::<String>(), fails), "\"A0!\"", 150.0, 210);
    }

    #[test]
    fn long_and_wide() {
        let fails = |text: &String| text.chars().count() >= 3 && !text.is_ascii();
        judge(measure("long and wide", &any::<String>(), fails), "\"aa\\u{80}\"", 45.0, 70);
    }

    /// A decoder that looks at chunks of bytes one by one.
    #[test]
    fn chunked_decoder() {
        let fails = |(text, size): &(String, usize)| {
            text.as_bytes().chunks(*size).any(|chunk| std::str::from_utf8(chunk).is_err())
        };
        judge(measure("chunked decoder", &tuple((any::<String>(), 1..=8usize)), fails), "(\"\\u{80}\", 1)", 40.0, 80);
        let fails = move |input: &(String, usize)| input.1 >= 3 && fails(input);
        judge(
            measure("chunks of three", &tuple((any::<String>(), 1..=8usize)), fails),
            "(\"\u{10000}\", 3)",
            115.0,
            270,
        );
    }

    #[test]
    fn a_word_and_a_number() {
        let fails = |text: &String| text.split('a').any(|part| part.parse::<u32>().is_ok_and(|number| number >= 250));
        let characters = frequency(((3, within('0'..='9')), (1, exact('a'))));
        judge(measure("a number in a text", &string_of(characters, ..), fails), "\"300\"", 35.0, 80);
    }
}

mod floats {
    use super::*;

    #[test]
    fn a_fraction() {
        let fails = |number: &f64| *number > 1.0 && number.fract() != 0.0;
        judge(measure("a fraction", &any::<f64>(), fails), "1.5", 60.0, 150);
        let fails = |number: &f64| *number > 1000.25 && number.fract() != 0.0;
        judge(measure("a large fraction", &any::<f64>(), fails), "1000.5", 75.0, 150);
    }

    #[test]
    fn a_whole_number() {
        judge(measure("a bound", &any::<f64>(), |number: &f64| *number >= 123.4), "124.0", 25.0, 40);
        judge(measure("a bound below", &any::<f64>(), |number: &f64| *number < -77.7), "-78.0", 25.0, 40);
        judge(measure("tiny", &any::<f64>(), |number: &f64| *number > 0.0 && *number < 0.1), "0.0625", 70.0, 90);
    }

    #[test]
    fn overflow() {
        let fails = |number: &f64| number.is_finite() && (number * number).is_infinite();
        // The simplest is some power of two beyond the square root of the largest.
        let results = measure("square overflows", &any::<f64>(), fails);
        assert_eq!(results.results.len(), 1, "{:?}", results.results);
        let expected = results.results.keys().next().unwrap().clone();
        judge(results, &expected, 180.0, 220);
    }

    #[test]
    fn two_floats() {
        let fails = |(a, b): &(f64, f64)| a + b > 100.0;
        judge(measure("a sum of floats", &tuple((any::<f64>(), any::<f64>())), fails), "(0.0, 101.0)", 35.0, 50);
        let fails = |(a, b): &(f64, f64)| a < b && b - a < 1.0;
        judge_share(
            0.4,
            measure("floats close by", &tuple((-100.0..100.0, -100.0..100.0)), fails),
            "(0.0, 0.5)",
            680.0,
            2370,
        );
    }
}

mod numbers {
    use super::*;

    #[test]
    fn product_of_three() {
        let numbers = || tuple((0..=1000u32, 0..=1000u32, 0..=1000u32));
        let fails = |(a, b, c): &(u32, u32, u32)| a * b * c >= 1000;
        let expected = least(&numbers(), triples(30), fails);
        judge(measure("a * b * c >= 1000", &numbers(), fails), &expected, 270.0, 520);
    }

    #[test]
    fn weighted_sums() {
        let numbers = || tuple((0..=60u32, 0..=60u32, 0..=60u32));
        type Fails = fn(&(u32, u32, u32)) -> bool;
        let properties: [(_, Fails); 4] = [
            ("a + 2b + 3c = 60", |(a, b, c)| a + 2 * b + 3 * c == 60),
            ("3a + 5b = 47 + c", |(a, b, c)| 3 * a + 5 * b == 47 + c),
            ("4a + 2b + c = 61", |(a, b, c)| 4 * a + 2 * b + c == 61),
            ("a + b = c, c > 30", |(a, b, c)| a + b == *c && *c > 30),
        ];
        for (name, fails) in properties {
            let expected = least(&numbers(), triples(60), fails);
            judge(measure(name, &numbers(), fails), &expected, 900.0, 4_000);
        }
    }

    #[test]
    fn collisions() {
        for modulus in [10, 100, 1000] {
            let fails = move |(a, b): &(u32, u32)| a != b && a % modulus == b % modulus;
            let numbers = tuple((0..=1_000_000u32, 0..=1_000_000u32));
            judge(measure("equal remainders", &numbers, fails), &format!("(0, {modulus})"), 4_000.0, 6_000);
        }
    }

    #[test]
    fn remainders() {
        let numbers = || tuple((0..=100_000u32, 0..=100_000u32));
        let fails = |(a, b): &(u32, u32)| a % 256 == 200 && b % 10 == 7;
        judge(measure("two remainders", &numbers(), fails), "(200, 7)", 1_500.0, 3_000);
        let fails = |(a, b): &(u32, u32)| a % 50 > 40 && a % 50 == b % 50;
        judge(measure("equal large remainders", &numbers(), fails), "(41, 41)", 1_000.0, 3_000);
        let mapped = within(0..=100_000u32).map(|number| number % 360);
        let fails = |degrees: &Vec<u32>| degrees.iter().filter(|degrees| **degrees >= 300).count() >= 2;
        judge(measure("mapped remainders", &vec_of(mapped, ..), fails), "[300, 300]", 90.0, 150);
    }

    #[test]
    fn product_of_two_in_a_window() {
        let numbers = || tuple((0..=200u32, 0..=200u32));
        let fails = |(a, b): &(u32, u32)| (1000..1010).contains(&(a * b)) && a > b;
        let expected = least(&numbers(), pairs(200), fails);
        judge(measure("a product in a window", &numbers(), fails), &expected, 600.0, 2_000);
    }
}

mod flat_maps {
    use super::*;

    /// Each number is bounded by the one before it.
    fn falling(depth: usize) -> impl Generator<Value = Vec<u32>> {
        sequence_of(100u32, depth, |most| Some(0..=*most), |_, item| *item)
    }

    /// All falling lists of a length with few numbers above 0.
    fn all_falling(depth: usize, raised: usize, most: u32) -> Vec<Vec<u32>> {
        let mut lists = vec![vec![]];
        for place in 0..depth {
            let mut longer = Vec::new();
            for list in lists {
                let bound = list.last().copied().unwrap_or(most);
                for number in 0..=if place < raised { bound } else { 0 } {
                    longer.push([&list[..], &[number]].concat());
                }
            }
            lists = longer;
        }
        lists
    }

    #[test]
    fn sums() {
        for (depth, sum, raised) in [(2, 150, 2), (3, 150, 2), (5, 250, 3), (6, 150, 2)] {
            let fails = move |list: &Vec<u32>| list.iter().sum::<u32>() >= sum;
            let expected = least(&falling(depth), all_falling(depth, raised, 100), fails);
            judge(measure("falling, sum", &falling(depth), fails), &expected, 55.0, 70);
        }
    }

    #[test]
    fn products() {
        for (depth, product) in [(2, 400), (3, 1000), (4, 4096)] {
            let fails = move |list: &Vec<u32>| list.iter().product::<u32>() >= product;
            let expected = least(&falling(depth), all_falling(depth, depth, 20), fails);
            judge(measure("falling, product", &falling(depth), fails), &expected, 100.0, 270);
        }
    }

    /// A length, then lists of lists of that many.
    #[test]
    fn lists_by_numbers() {
        let lists = (1..=8usize).bind_with_focus(
            |count| vec_of(vec_of(0..=100u32, *count), *count),
            |lists: &Vec<Vec<u32>>| Some(lists.len()),
        );
        let fails = |lists: &Vec<Vec<u32>>| lists.iter().flatten().filter(|number| **number >= 50).count() >= 2;
        judge_share(0.9, measure("a square of numbers", &lists, fails), "[[0, 0], [50, 50]]", 70.0, 110);
    }
}

mod sums {
    use super::*;

    #[test]
    fn exact_sum() {
        let fails = |list: &Vec<u32>| list.iter().sum::<u32>() == 120;
        judge(measure("a list of sum 120", &vec_of(0..=100u32, ..), fails), "[20, 100]", 90.0, 190);
    }

    /// What was paid is shared out.
    #[test]
    fn refund() {
        let fails = |(total, shares): &(u32, Vec<u32>)| {
            *total >= 100 && shares.len() >= 3 && shares.iter().sum::<u32>() == *total
        };
        let refunds = tuple((0..=1000u32, vec_of(0..=300u32, ..=6)));
        judge(measure("a refund", &refunds, fails), "(100, [0, 0, 100])", 175.0, 380);
    }

    #[test]
    fn one_too_many() {
        let fails = |(paid, back): &(Vec<u32>, Vec<u32>)| {
            paid.iter().sum::<u32>() > 0 && back.iter().sum::<u32>() == paid.iter().sum::<u32>() + 1
        };
        let lists = tuple((vec_of(0..=50u32, ..), vec_of(0..=50u32, ..)));
        judge(measure("one too many", &lists, fails), "([1], [2])", 960.0, 3120);
    }

    /// Prices and counts; a discount that is taken twice.
    #[test]
    fn invoice() {
        let fails = |(lines, discount): &(Vec<(u32, u32)>, u32)| {
            let total: u32 = lines.iter().map(|(price, count)| price * count).sum();
            total >= 100 && *discount > 0 && !(total * discount).is_multiple_of(100)
        };
        let invoices = tuple((vec_of((0..=500u32, 0..=20u32), ..), 0..=50u32));
        let expected = least(&invoices, pairs(120).filter(|line| line.1 <= 20).map(|line| (vec![line], 1)), fails);
        judge(measure("an invoice", &invoices, fails), &expected, 175.0, 350);
    }
}

mod counted {
    use super::*;

    /// A count, then so many numbers, one after the other.
    #[generator(forward)]
    fn counted() -> (usize, Vec<u32>) {
        let count = draw(0..=20usize);
        let mut numbers = vec![];
        for _ in 0..count {
            numbers.push(draw(0..=1000u32));
        }
        (count, numbers)
    }

    #[generator(forward)]
    fn counted_pairs() -> (bool, Vec<(u32, bool)>, u32) {
        let flag = draw(any::<bool>());
        let count = draw(1..=10usize);
        let mut items = vec![];
        for _ in 0..count {
            let number = draw(0..=1000u32);
            let flag = draw(any::<bool>());
            items.push((number, flag));
        }
        let last = draw(0..=9u32);
        (flag, items, last)
    }

    #[test]
    fn numbers_after_their_count() {
        let fails = |(_, numbers): &(usize, Vec<u32>)| numbers.iter().any(|number| *number >= 50);
        judge(measure("counted", &counted(), fails), "(1, [50])", 35.0, 50);
        let fails = |(_, numbers): &(usize, Vec<u32>)| numbers.iter().filter(|number| **number >= 50).count() >= 2;
        judge(measure("counted, two", &counted(), fails), "(2, [50, 50])", 80.0, 120);
        let fails = |(_, items, last): &(bool, Vec<(u32, bool)>, u32)| {
            *last >= 5 && items.iter().any(|item| item.0 >= 50 && item.1)
        };
        judge(measure("counted pairs", &counted_pairs(), fails), "(false, [(50, true)], 5)", 60.0, 90);
    }
}

mod lists {
    use super::*;

    #[test]
    fn neighbours() {
        let fails = |list: &Vec<u32>| list.windows(2).any(|pair| pair[0] + pair[1] == 100);
        judge(measure("neighbours of sum 100", &vec_of(0..=100u32, ..), fails), "[0, 100]", 60.0, 90);
    }

    #[test]
    fn above_and_below() {
        let fails = |(low, high): &(Vec<i64>, Vec<i64>)| {
            low.len() >= 2 && low.len() == high.len() && low.iter().max() < high.iter().min()
        };
        let lists = tuple((vec_of(-1000..=1000i64, ..), vec_of(-1000..=1000i64, ..)));
        judge(measure("above and below", &lists, fails), "([0, 0], [1, 1])", 75.0, 250);
    }

    #[test]
    fn distances() {
        let fails = |list: &Vec<i32>| list.len() >= 3 && list.windows(2).all(|pair| pair[1] - pair[0] == 7);
        let lists = vec_of(-100..=100i32, ..=4);
        let near = (-50..=50i32).bind_with_focus(
            |first| exact(vec![*first, first + 7, first + 14, first + 21]),
            |list: &Vec<i32>| list.first().copied(),
        );
        let mut results = BTreeSet::new();
        for start in near.samples(3).take(seeds().min(200) as usize) {
            results.insert(lists.shrink(start, fails).unwrap().value);
        }
        assert_eq!(results, BTreeSet::from([vec![-7, 0, 7]]));
    }
}

mod commands {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    enum Command {
        Write(u8, u32),
        Delete(u8),
        Snapshot,
        Restore(usize),
    }

    fn commands() -> impl Generator<Value = Vec<Command>> {
        sequence_of(
            0usize,
            ..,
            |snapshots: &usize| {
                let write = tuple((0..=4u8, 0..=100u32)).map_with_inverse(
                    |(key, value)| Command::Write(key, value),
                    |command| match command {
                        Command::Write(key, value) => Some((*key, *value)),
                        _ => None,
                    },
                );
                let delete = (0..=4u8).map_with_inverse(Command::Delete, |command| match command {
                    Command::Delete(key) => Some(*key),
                    _ => None,
                });
                let restore = (0..(*snapshots).max(1)).map_with_inverse(Command::Restore, |command| match command {
                    Command::Restore(place) => Some(*place),
                    _ => None,
                });
                Some(frequency((
                    (2, write.boxed()),
                    (1, delete.boxed()),
                    (1, exact(Command::Snapshot).boxed()),
                    (i32::from(*snapshots > 0), restore.boxed()),
                )))
            },
            |snapshots, command| snapshots + usize::from(*command == Command::Snapshot),
        )
    }

    /// What the store holds after all commands. The faulty one forgets to bring back what was
    /// deleted.
    fn stored(commands: &[Command], is_faulty: bool) -> BTreeMap<u8, u32> {
        let (mut store, mut snapshots) = (BTreeMap::new(), Vec::new());
        for command in commands {
            match command {
                Command::Write(key, value) => drop(store.insert(*key, *value)),
                Command::Delete(key) => drop(store.remove(key)),
                Command::Snapshot => snapshots.push(store.clone()),
                Command::Restore(place) => {
                    let mut old: BTreeMap<u8, u32> = snapshots[*place].clone();
                    old.retain(|key, _| !is_faulty || store.contains_key(key));
                    store = old;
                }
            }
        }
        store
    }

    #[test]
    fn snapshots() {
        let fails = |commands: &Vec<Command>| stored(commands, true) != stored(commands, false);
        let problem = measure("snapshots", &commands(), fails);
        judge(problem, "[Write(0, 0), Snapshot, Delete(0), Restore(0)]", 70.0, 190);
        let fails = |commands: &Vec<Command>| fails(commands) && stored(commands, false).len() >= 2;
        let problem = measure("snapshots of two", &commands(), fails);
        judge(problem, "[Write(0, 0), Write(1, 0), Snapshot, Delete(0), Restore(0)]", 115.0, 250);
    }

    /// Up and down; it must not go back below 0 after it was 5.
    #[test]
    fn counter() {
        let fails = |steps: &Vec<bool>| {
            let (mut height, mut was_high) = (0, false);
            steps.iter().any(|up| {
                height += if *up { 1 } else { -1 };
                was_high |= height >= 5;
                was_high && height <= 2
            })
        };
        let expected = format!("{:?}", [vec![true; 5], vec![false; 3]].concat());
        judge(measure("counter", &vec_of(any::<bool>(), ..), fails), &expected, 65.0, 190);
    }
}

mod trees {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    enum Tree {
        Leaf,
        Node(Box<Tree>, u32, Box<Tree>),
    }

    #[generator]
    fn tree(depth: u32) -> Tree {
        match pick() {
            "leaf" => Tree::Leaf,
            #[weight(if depth > 0 { 4 } else { 0 })]
            "node" => {
                let left = draw(tree(depth - 1));
                let key = draw(0..=100u32);
                let right = draw(tree(depth - 1));
                Tree::Node(Box::new(left), key, Box::new(right))
            }
        }
    }

    impl Tree {
        fn count(&self) -> usize {
            match self {
                Tree::Leaf => 0,
                Tree::Node(left, _, right) => 1 + left.count() + right.count(),
            }
        }

        fn depth(&self) -> usize {
            match self {
                Tree::Leaf => 0,
                Tree::Node(left, _, right) => 1 + left.depth().max(right.depth()),
            }
        }

        fn keys(&self) -> Vec<u32> {
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
    fn many_nodes() {
        // No deeper than 20, so one chain to the right.
        let expected = (0..15).fold("-".to_owned(), |inner, _| format!("(- 0 {inner})"));
        judge(
            measure_as("fifteen nodes", &tree(20), |tree: &Tree| tree.count() >= 15, Tree::show),
            &expected,
            330.0,
            450,
        );
    }

    #[test]
    fn both_sides_deep() {
        let fails = |tree: &Tree| matches!(tree, Tree::Node(left, _, right) if left.depth() >= 3 && right.depth() >= 3);
        let side = "(- 0 (- 0 (- 0 -)))";
        judge(measure_as("both sides deep", &tree(6), fails, Tree::show), &format!("({side} 0 {side})"), 130.0, 190);
    }

    #[test]
    fn not_sorted_with_many() {
        let fails = |tree: &Tree| tree.count() >= 6 && !tree.keys().is_sorted();
        let expected = "(- 0 (- 0 (- 0 (- 0 (- 1 (- 0 -))))))";
        judge(measure_as("six, not sorted", &tree(8), fails, Tree::show), expected, 275.0, 350);
    }
}
