//! Choice Gradient Sampling, line by line of figure 3 of *Parsing Randomness*.
//!
//! The condition is asked about every sample, so what it was asked about is what was sampled: one
//! value to see what there is to choose, then some for each answer, in their order, then the same
//! after the answer that was taken.

use experiments::table2::cgs::Cgs;
use retrospect::choice::Choice;
use retrospect::prelude::*;
use retrospect::source::DEFAULT_MAX_DEPTH;
use std::cell::RefCell;
use std::collections::HashSet;

/// Whether counts agree with shares: chi-square, exceeded by chance once in 10,000 times (Wilson
/// and Hilferty).
#[track_caller]
fn agree(what: &str, counts: &[(u64, f64)]) {
    let draws: u64 = counts.iter().map(|(count, _)| count).sum();
    let total: f64 = counts.iter().map(|(_, share)| share).sum();
    assert!((total - 1.0).abs() < 1e-9, "{what}: the shares add up to {total}");
    let mut statistic = 0.0;
    for (count, share) in counts {
        assert!(*share > 0.0 || *count == 0, "{what}: {count} where there should be none");
        let expected = share * draws as f64;
        if *share > 0.0 {
            statistic += (*count as f64 - expected).powi(2) / expected;
        }
    }
    let freedom = counts.iter().filter(|(_, share)| *share > 0.0).count() as f64 - 1.0;
    if freedom > 0.0 {
        let limit = freedom * (1.0 - 2.0 / (9.0 * freedom) + 3.719 * (2.0 / (9.0 * freedom)).sqrt()).powi(3);
        assert!(statistic < limit, "{what}: {statistic} is above {limit}, {counts:?}");
    }
}

/// A first number, and a second that is 0 in seven of ten.
fn pairs() -> impl Generator<Value = (usize, usize)> + Clone {
    tuple((0..3usize, frequency(((7, exact(0)), (1, exact(1)), (1, exact(2)), (1, exact(3))))))
}

/// After 0 one value is valid, after 1 there are three, after 2 none.
fn is_valid(pair: &(usize, usize)) -> bool {
    matches!(pair, (0, 0) | (1, 1..))
}

/// What is sampled in the first so many runs, and what is given out.
fn sampled<G: Generator<Value: Clone> + Clone>(
    generator: &G,
    is_valid: impl Fn(&G::Value) -> bool,
    [samples, runs]: [usize; 2],
    seed: u64,
) -> (Vec<G::Value>, Vec<G::Value>) {
    let asked = RefCell::new(Vec::new());
    let is_valid = |value: &G::Value| {
        asked.borrow_mut().push(value.clone());
        is_valid(value)
    };
    let mut found = Vec::new();
    let mut cgs = Cgs::new(generator, is_valid, samples, seed);
    while cgs.counts().runs < runs as u64 {
        found.extend(cgs.next_within(runs as u32 - cgs.counts().runs as u32));
    }
    assert_eq!(asked.borrow().len(), runs);
    (asked.take(), found)
}

/// Lines 7 to 13: of each derivative so many samples are drawn, and these are what `gradient` and
/// `after` say.
#[test]
fn every_derivative_is_sampled() {
    const SAMPLES: usize = 40;
    for seed in 0..20 {
        let level = 1 + 3 * SAMPLES;
        let (asked, _) = sampled(&pairs(), is_valid, [SAMPLES, level + 4 * SAMPLES], seed);
        for (place, (_, derivative)) in pairs().gradient().enumerate() {
            let drawn = &asked[1 + place * SAMPLES..1 + (place + 1) * SAMPLES];
            let begins = |pair: &(usize, usize)| pair.0 == place && derivative.accepts(pair);
            assert!(drawn.iter().all(begins), "seed {seed}, answer {place}: {drawn:?}");
        }
        let taken = pairs().after(&Choice::Number(asked[level].0 as u64));
        for (place, choice) in ["0:", "1:", "2:", "3:"].into_iter().enumerate() {
            let derivative = taken.after(&choice.parse().unwrap());
            let drawn = &asked[level + place * SAMPLES..level + (place + 1) * SAMPLES];
            let begins = |pair: &(usize, usize)| pair.1 == place && derivative.accepts(pair);
            assert!(drawn.iter().all(begins), "seed {seed}, then {choice}: {drawn:?}");
        }
    }
    // By chance, as the generator would: the second number is 0 in seven of ten.
    let (asked, _) = sampled(&pairs(), is_valid, [4000, 1 + 4000], 1);
    let count = |second| asked[1..].iter().filter(|pair| pair.1 == second).count() as u64;
    agree("second", &[(count(0), 0.7), (count(1), 0.1), (count(2), 0.1), (count(3), 0.1)]);
}

/// Lines 13, 14 and 18: an answer is taken with the weight of the different valid samples. There is
/// 1 after 0, and there are 3 after 1, although seven of ten samples after 0 are valid and three of
/// ten after 1.
#[test]
fn an_answer_is_taken_by_its_fitness() {
    const SAMPLES: usize = 100;
    let level = 1 + 3 * SAMPLES;
    let mut taken = [0; 3];
    for seed in 0..800 {
        let (asked, _) = sampled(&pairs(), is_valid, [SAMPLES, level + 1], seed);
        // That all valid values are met is certain but for one run in ten thousand.
        taken[asked[level].0] += 1;
    }
    agree("by fitness", &[(taken[0], 0.25), (taken[1], 0.75), (taken[2], 0.0)]);
}

/// Lines 16 and 17: without a valid sample, an answer is taken with the weight that it has in the
/// generator.
#[test]
fn without_fitness_an_answer_is_taken_by_its_weight() {
    let weighted =
        || frequency(((1, tuple((exact(0), 0..9))), (2, tuple((exact(1), 0..9))), (5, tuple((exact(2), 0..9)))));
    let mut taken = [0; 3];
    for seed in 0..1600 {
        let (asked, found) = sampled(&weighted(), |_| false, [2, 1 + 3 * 2 + 1], seed);
        taken[asked[1 + 3 * 2].0] += 1;
        assert_eq!(found, []);
    }
    agree("by weight", &[(taken[0], 0.125), (taken[1], 0.25), (taken[2], 0.625)]);
}

/// Lines 4, 5 and 15: every valid sample is given out, once; what is complete or void begins anew.
#[test]
fn all_valid_samples_are_given_out_and_it_begins_anew() {
    const SAMPLES: usize = 10;
    let (asked, found) = sampled(&pairs(), is_valid, [SAMPLES, 2 * (1 + 7 * SAMPLES) + 1 + 3 * SAMPLES], 3);
    let valid: HashSet<_> = asked.iter().copied().filter(is_valid).collect();
    assert_eq!(found.iter().copied().collect::<HashSet<_>>(), valid);
    assert_eq!(found.len(), valid.len());
    // The third descent looks at all answers of the first choice again.
    let third = &asked[2 * (1 + 7 * SAMPLES) + 1..];
    for (place, drawn) in third.chunks(SAMPLES).enumerate() {
        assert!(drawn.iter().all(|pair| pair.0 == place), "{drawn:?}");
    }
    // Odd numbers are void: no sample is valid there, and no descent ends there for good.
    let even = within(0..4usize).filter(|number| number % 2 == 0);
    let mut cgs = Cgs::new(&even, |_| true, 2, 1);
    let mut all: Vec<usize> = std::iter::from_fn(|| cgs.next_within(100)).take(2).collect();
    all.sort_unstable();
    assert_eq!(all, [0, 2]);
}

/// Table 2 in small, by values made instead of seconds: search trees and sorted lists.
#[test]
fn it_finds_more_than_rejection() {
    const RUNS: u32 = 50_000;
    fn ratio<G>(generator: &G, is_valid: impl Fn(&G::Value) -> bool + Copy) -> f64
    where
        G: Generator<Value: Eq + std::hash::Hash> + Clone,
    {
        let drawn: HashSet<G::Value> = generator.samples(1).take(RUNS as usize).filter(is_valid).collect();
        let mut cgs = Cgs::new(generator, is_valid, 50, 1);
        let mut found = HashSet::new();
        while cgs.counts().runs < u64::from(RUNS) {
            found.extend(cgs.next_within(RUNS - cgs.counts().runs as u32));
        }
        println!("{} by gradients, {} by rejection", found.len(), drawn.len());
        found.len() as f64 / drawn.len() as f64
    }
    let trees = ratio(&tree(5), |tree| is_search_tree(tree, 0, 9));
    let lists = ratio(&list(20), |list| is_sorted(list, 0));
    assert!(trees > 1.4 && lists > 1.4, "{trees} and {lists}");
}

#[test]
fn what_it_gives_out_is_valid_and_counted() {
    let trees = tree(5);
    let mut cgs = Cgs::new(&trees, |tree: &Tree| is_search_tree(tree, 0, 9), 50, 1);
    let mut found = HashSet::new();
    while cgs.counts().runs < 50_000 {
        found.extend(cgs.next_within(50_000 - cgs.counts().runs as u32));
    }
    assert!(found.iter().all(|tree| is_search_tree(tree, 0, 9)) && found.len() > 300, "{}", found.len());
    assert_eq!(found.len() as u64, cgs.counts().new);
    // Without a single valid sample all answers are as good.
    assert_eq!(Cgs::new(&(0..5u8), |_| false, 2, 1).next_within(1000), None);
}

#[test]
fn of_a_million_answers_it_looks_at_some() {
    let many = one_of((0..1_000_000u32).map(exact).collect::<Vec<_>>());
    let mut cgs = Cgs::new(&many, |number| number % 4 == 1, 1, 1);
    assert_eq!(cgs.next_within(100).map(|number| number % 4), Some(1));
}

/// A chooser that says that it is random is limited as a random source is.
#[test]
fn its_values_stay_within_the_depth() {
    fn depth(list: &List) -> usize {
        let (mut list, mut depth) = (list, 0);
        while let List::Cons(_, rest) = list {
            (list, depth) = (rest, depth + 1);
        }
        depth
    }
    for list in Cgs::new(&endless(), |list| depth(list) % 7 == 3, 2, 1).take(5) {
        assert!(depth(&list) % 7 == 3 && depth(&list) <= DEFAULT_MAX_DEPTH as usize + 8, "{}", depth(&list));
    }
}

#[generator]
fn endless() -> List {
    match pick() {
        "nil" => List::Nil,
        #[weight(1000)]
        "cons" => {
            let first = draw(0..=9i8);
            let rest = draw(endless());
            List::Cons(first, Box::new(rest))
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Tree {
    Leaf,
    Node(Box<Tree>, i8, Box<Tree>),
}

#[generator]
fn tree(levels: u32) -> Tree {
    if levels == 0 {
        return Tree::Leaf;
    }
    match pick() {
        "leaf" => Tree::Leaf,
        "node" => {
            let key = draw(0..=9i8);
            let left = draw(tree(levels - 1));
            let right = draw(tree(levels - 1));
            Tree::Node(Box::new(left), key, Box::new(right))
        }
    }
}

fn is_search_tree(tree: &Tree, lo: i8, hi: i8) -> bool {
    match tree {
        Tree::Leaf => true,
        Tree::Node(left, key, right) => {
            (lo..=hi).contains(key) && is_search_tree(left, lo, key - 1) && is_search_tree(right, key + 1, hi)
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum List {
    Nil,
    Cons(i8, Box<List>),
}

#[generator]
fn list(longest: u32) -> List {
    if longest == 0 {
        return List::Nil;
    }
    match pick() {
        "nil" => List::Nil,
        "cons" => {
            let first = draw(0..=9i8);
            let rest = draw(list(longest - 1));
            List::Cons(first, Box::new(rest))
        }
    }
}

fn is_sorted(list: &List, least: i8) -> bool {
    match list {
        List::Nil => true,
        List::Cons(first, rest) => *first >= least && is_sorted(rest, *first),
    }
}
