//! Values are changed through the runner as they are by `Generator::shrink`: in this process and in
//! a child, with one argument and with several.

use retrospect::generator::near_choices;
use retrospect::prelude::*;
use retrospect::runner::Settings;
use retrospect::shrink::End;
use std::cell::RefCell;
use std::fmt::{self, Debug};
use std::time::Duration;

#[derive(Debug, Clone, PartialEq)]
enum Tree {
    Leaf,
    Node(Box<Tree>, i64, Box<Tree>),
}

impl Tree {
    fn keys(&self) -> Vec<i64> {
        match self {
            Tree::Leaf => Vec::new(),
            Tree::Node(left, key, right) => [left.keys(), vec![*key], right.keys()].concat(),
        }
    }
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

fn node(left: Tree, key: i64, right: Tree) -> Tree {
    Tree::Node(Box::new(left), key, Box::new(right))
}

fn settings(seed: u64) -> Settings {
    Settings::new().save(false).seed(seed).cases(20_000).shrink_time(Duration::from_secs(600))
}

/// A number spelled digit by digit, or as a whole.
fn spelled_or_whole() -> impl Generator<Value = u32> {
    let spelled = vec_of(0..=9u32, 1..=6).map_with_inverse(
        |digits| digits.iter().fold(0, |number, digit| number * 10 + digit),
        |number: &u32| number.to_string().chars().map(|digit| digit.to_digit(10)).collect(),
    );
    one_of((spelled, 0..1_000_000u32))
}

#[test]
fn a_property_of_one_value() {
    for seed in 0..20 {
        let check = Check::new().with(settings(seed));
        let report = check.failure(bst(0, 100), |tree| !tree.keys().contains(&37)).unwrap();
        assert!(report.contains("let value = Node(Leaf, 37, Leaf);"), "{seed}: {report}");
        assert!(report.contains("minimal case") || report.contains("smallest case found"), "{report}");
    }
}

// What the property below failed on last: the smallest case is run last.
thread_local!(static LAST: RefCell<String> = const { RefCell::new(String::new()) });

#[test]
#[allow(unnameable_test_items, reason = "the property is to fail, and is run here")]
fn a_property_of_several() {
    #[property(save = false, cases = 20_000, seed = 5)]
    fn several_arguments(
        #[from(bst(0, 100))] tree: Tree,
        #[from(sequence_of(0u32, ..=12, |least| Some(*least..=1000), |_, item| *item))] rising: Vec<u32>,
        // Its text cannot be read; the others are changed all the same.
        #[from(within(0..=9u32).map(|_| Opaque))] _opaque: Opaque,
    ) {
        let is_near = |number: u32| rising.iter().any(|item| item.abs_diff(number) <= 40);
        if tree.keys().contains(&37) && is_near(340) && is_near(680) {
            LAST.set(format!("{:?} {rising:?}", tree.keys()));
            panic!("it is to fail");
        }
    }
    assert!(std::panic::catch_unwind(several_arguments).is_err());
    assert_eq!(LAST.take(), "[37] [300, 640]");
}

#[derive(Clone)]
struct Opaque;

impl Debug for Opaque {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("<opaque>")
    }
}

#[test]
fn the_simplest_way_to_what_was_drawn() {
    for seed in 0..20 {
        let report =
            Check::new().with(settings(seed)).failure(spelled_or_whole(), |number| number < 1000 || number % 2 == 0);
        assert!(report.as_ref().is_some_and(|report| report.contains("let value = 1001;")), "{seed}: {report:?}");
    }
}

#[test]
fn draws_in_the_body_are_left_alone() {
    let report = Check::new().with(settings(7)).failure_of_case(|case| {
        let tree = case.draw(bst(0, 100));
        let number = case.draw(0..tree.keys().len() + 1);
        assert!(number < 3);
    });
    assert!(report.unwrap().contains("let draw_2 = 3;"));
}

/// In a child process, which does the reading.
#[cfg(unix)]
#[test]
fn an_isolated_property() {
    let check = Check::new().with(settings(3).isolate(true).timeout(Duration::from_secs(60)));
    let report = check.failure(tuple((bst(0, 100), spelled_or_whole())), |(tree, number)| {
        if tree.keys().contains(&37) && number >= 1000 {
            std::process::abort();
        }
    });
    let report = report.unwrap();
    assert!(report.contains("let value = (Node(Leaf, 37, Leaf), 1000);"), "{report}");
}

#[test]
fn what_has_no_inverse_or_no_text_is_shrunk_as_before() {
    let forward = vec_of(0..=1000u32, ..).map(|list| list);
    let report = Check::new().with(settings(1)).failure(forward, |list| list.iter().sum::<u32>() < 1000);
    assert!(report.unwrap().contains("let value = [1000];"));
    let opaque =
        Check::new().with(settings(1)).failure(vec_of(any::<bool>().map(|_| Opaque), ..), |list| list.len() < 3);
    assert!(opaque.unwrap().contains("let value = [<opaque>, <opaque>, <opaque>];"));
}

#[derive(Clone, PartialEq)]
struct Unprintable(u32);

impl Debug for Unprintable {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Err(fmt::Error)
    }
}

#[test]
fn what_cannot_be_written_is_shrunk_as_before() {
    let numbers = (0..1000u32).map_with_inverse(Unprintable, |it: &Unprintable| Some(it.0));
    let smallest = numbers.shrink(Unprintable(700), |it| it.0 >= 10).unwrap();
    assert_eq!(smallest.value.0, 10);
}

#[test]
fn a_long_text_is_not_changed() {
    let rising = sequence_of(0u64, .., |least| Some(*least..=u64::MAX), |_, item| *item);
    let near = |count: u64| near_choices(&rising, &rising.choices_of(&(0..count).collect()).unwrap()).len();
    assert!((1..=400).contains(&near(300)));
    assert_eq!(near(3_000), 0);
}

/// Arguments without a hash: calls cannot be told apart, so that each of the ways is looked at by
/// itself, and there are too many.
#[generator]
fn sums(target: NoHash) -> u32 {
    match pick() {
        "number" => {
            let number = draw(0..=target.0);
            number
        }
        "left" => {
            let sum = draw(sums(NoHash(target.0)));
            sum
        }
        "right" => {
            let sum = draw(sums(NoHash(target.0)));
            sum
        }
    }
}

#[derive(Clone, Debug)]
struct NoHash(u32);

#[test]
fn ways_without_end_that_cannot_be_told_apart() {
    let smallest = sums(NoHash(1000)).shrink(900, |number| *number >= 500).unwrap();
    assert_eq!((smallest.value, smallest.choices.to_string()), (500, "0:number(500)".to_owned()));
}

#[test]
fn what_is_told_is_true() {
    let fails = |tree: &Tree| tree.keys().contains(&37);
    let start = node(node(Tree::Leaf, 3, Tree::Leaf), 20, node(node(Tree::Leaf, 37, Tree::Leaf), 60, Tree::Leaf));
    let smallest = bst(0, 100).shrink(start, fails).unwrap();
    assert_eq!(smallest.value, node(Tree::Leaf, 37, Tree::Leaf));
    // Each step fails and is simpler than the one before, and the last one is the result.
    let mut before: Option<&Choices> = None;
    for step in &smallest.steps {
        assert!(fails(&bst(0, 100).replay(&step.choices)) && step.run <= smallest.runs);
        assert!(before.is_none_or(|before| retrospect::shrink::compare(&step.choices, before).is_lt()));
        before = Some(&step.choices);
    }
    assert_eq!(before, Some(&smallest.choices));
    assert!(smallest.steps.iter().any(|step| step.pass == "value"), "{:?}", smallest.steps);
    let (End::Minimal { rejected } | End::Stalled { rejected, .. }) = smallest.end else {
        panic!("{:?}", smallest.end)
    };
    assert!(!rejected.is_empty());
    for choices in rejected {
        assert!(!fails(&bst(0, 100).replay(&choices)), "{choices}");
    }
}
