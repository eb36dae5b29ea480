//! What shrinking costs between two runs grows with the tree, not with its square. Counted are
//! runs, replays and the choices that were replayed, never time.

use super::measure::seeds;
use retrospect::prelude::*;
use retrospect::shrink::{Replayed, Shrinker, Shrunk, Trial, Tried};

struct Counting<'g, G, F> {
    generator: &'g G,
    fails: F,
    choices: u64,
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Trial for Counting<'_, G, F> {
    fn replay(&mut self, candidate: &Choices) -> Replayed {
        self.choices += candidate.choice_count() as u64;
        self.generator.try_replay(candidate).map_or(Replayed::Nothing, |(_, made)| Replayed::Made(made))
    }

    fn run(&mut self, candidate: &Choices) -> Tried {
        match self.generator.try_replay(candidate) {
            Ok((value, made)) if (self.fails)(&value) => Tried::Fails(made),
            _ => Tried::Passes,
        }
    }
}

/// Shrinks with at most so many runs and, for each choice of the start, so many that were replayed.
#[track_caller]
fn assert_effort<G: Generator>(
    name: &str,
    generator: &G,
    start: &G::Value,
    fails: impl Fn(&G::Value) -> bool,
    most_runs: u64,
    most_times: u64,
) -> G::Value {
    let start = generator.choices_of(start).unwrap();
    let mut trial = Counting { generator, fails, choices: 0 };
    let Shrunk { choices, runs, searched, replays, .. } = Shrinker::new().shrink_by(&start, &mut trial, &mut || true);
    let runs = runs - searched;
    let for_each = trial.choices / start.choice_count() as u64;
    println!(
        "{name:<24} {:>7} choices: {runs:>4} runs, {replays:>5} replays, each choice {for_each} times",
        start.choice_count()
    );
    assert!(runs <= most_runs, "{name}: {runs} runs");
    assert!(for_each <= most_times, "{name}: each choice replayed {for_each} times");
    generator.replay(&choices)
}

/// The largest only where many seeds are wanted too: without optimisation it takes minutes.
fn sizes() -> impl Iterator<Item = usize> {
    [1_000, 10_000, 100_000].into_iter().take(if seeds() > 20 { 3 } else { 2 })
}

#[test]
fn lists() {
    for size in sizes() {
        let mut list: Vec<u32> = (0..size as u32).collect();
        (list[size / 3], list[size - 7]) = (777_777, 777_777);
        let generator = vec_of(0..=1_000_000u32, ..);
        let fails = |list: &Vec<u32>| list.iter().filter(|number| **number >= 700_000).count() >= 2;
        let smallest = assert_effort("list", &generator, &list, fails, 200, 400);
        assert_eq!(smallest, [700_000, 700_000]);
    }
}

/// Nothing can be deleted, and nearly all is the simplest already.
#[test]
fn fixed_lists() {
    for size in sizes() {
        let mut list = vec![0u32; size];
        let generator = vec_of(0..=1_000_000u32, size);
        assert_effort("fixed list", &generator, &list, |_| true, 200, 400);
        (list[size / 3], list[size - 7]) = (777_777, 999);
        let fails = |list: &Vec<u32>| list.iter().any(|number| *number >= 700_000);
        let smallest = assert_effort("fixed list of one", &generator, &list, fails, 200, 400);
        assert_eq!(smallest.iter().filter(|number| **number > 0).collect::<Vec<_>>(), [&700_000]);
    }
}

#[test]
fn texts() {
    for size in sizes() {
        let mut text = "lorem ipsum ".repeat(size / 12);
        text.insert_str(size / 2, "<>");
        let fails = |text: &String| text.contains('<') && text.contains('>');
        assert_eq!(assert_effort("text", &any::<String>(), &text, fails, 200, 400), "<>");
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Leaf,
    Node(Box<Tree>, u32, Box<Tree>),
}

#[generator]
fn tree() -> Tree {
    match pick() {
        "leaf" => Tree::Leaf,
        "node" => {
            let left = draw(tree());
            let key = draw(0..=1000u32);
            let right = draw(tree());
            Tree::Node(Box::new(left), key, Box::new(right))
        }
    }
}

fn balanced(from: u32, to: u32) -> Tree {
    if from == to {
        return Tree::Leaf;
    }
    let middle = from.midpoint(to);
    Tree::Node(Box::new(balanced(from, middle)), middle % 900, Box::new(balanced(middle + 1, to)))
}

fn has_key(tree: &Tree, least: u32) -> bool {
    match tree {
        Tree::Leaf => false,
        Tree::Node(left, key, right) => *key >= least || has_key(left, least) || has_key(right, least),
    }
}

#[test]
fn trees() {
    for size in sizes() {
        let fails = |tree: &Tree| has_key(tree, 899);
        let smallest = assert_effort("tree", &tree(), &balanced(0, size as u32), fails, 200, 400);
        assert_eq!(smallest, Tree::Node(Box::new(Tree::Leaf), 899, Box::new(Tree::Leaf)));
    }
}
