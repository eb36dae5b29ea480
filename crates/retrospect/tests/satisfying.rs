//! `satisfying`: what it finds, that it is a generator like any other, and what becomes of conditions that are no good.

use retrospect::prelude::*;
use retrospect::source::{MAX_SEARCH, Source, Why};
use std::cell::Cell;
use std::collections::HashSet;

fn rising() -> impl Generator<Value = Vec<u32>> + Clone {
    vec_of(0..1000u32, 0..=12).satisfying(|list: &Vec<u32>| list.is_sorted())
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Tree {
    Leaf,
    Node(Box<Tree>, u8, Box<Tree>),
}

#[generator]
fn tree(depth: u32) -> Tree {
    if depth == 0 {
        return Tree::Leaf;
    }
    match pick() {
        "leaf" => Tree::Leaf,
        "node" => {
            let left = draw(tree(depth - 1));
            let key = draw(0..=9u8);
            let right = draw(tree(depth - 1));
            Tree::Node(Box::new(left), key, Box::new(right))
        }
    }
}

fn is_search_tree(tree: &Tree) -> bool {
    fn keys(tree: &Tree, into: &mut Vec<u8>) {
        if let Tree::Node(left, key, right) = tree {
            keys(left, into);
            into.push(*key);
            keys(right, into);
        }
    }
    let mut all = Vec::new();
    keys(tree, &mut all);
    all.is_sorted_by(|one, other| one < other)
}

#[test]
fn it_obeys_the_laws() {
    laws::check(&rising());
    laws::check(&tree(4).satisfying(is_search_tree));
    laws::check(&vec_of(rising(), 0..=3));
    laws::check(&vec_of(rising(), 0..=3).satisfying(|lists| lists.iter().all(|list| list.len() != 1)));
}

#[test]
fn the_same_seed_gives_the_same_values() {
    for seed in 0..20 {
        assert_eq!(rising().sample(seed), rising().sample(seed));
        let choices = rising().sample_choices(seed);
        assert_eq!(rising().replay(&choices), rising().sample(seed));
        // The plain generator makes it by the same choices.
        assert_eq!(vec_of(0..1000, 0..=12).parse(&choices).unwrap(), (rising().sample(seed), 0));
    }
    let row = |seed| rising().samples(seed).take(500).collect::<Vec<_>>();
    assert_eq!(row(1), row(1));
    assert_ne!(row(1), row(2));
    let found = |seed| tree(5).satisfying(is_search_tree).search(seed).take(500).collect::<Vec<_>>();
    assert_eq!(found(1), found(1));
}

#[test]
fn other_draws_do_not_depend_on_the_search() {
    let pairs = tuple((rising(), 0..1000));
    let plain: Vec<i32> = pairs.samples(3).take(50).map(|(_, number)| number).collect();
    let alone: Vec<i32> =
        tuple((rising().map(|_| ()), 0..1000)).samples(3).take(50).map(|(_, number)| number).collect();
    assert_eq!(plain, alone);
    let mut source = Source::random(0);
    for seed in 0..20 {
        source.restart(seed);
        assert_eq!(pairs.generate(&mut source).unwrap(), pairs.sample(seed));
    }
}

#[test]
fn it_finds_far_more_than_rejection() {
    let plain = tree(5);
    let mut source = Source::random(1);
    let mut drawn = HashSet::new();
    for seed in 0..20_000 {
        source.restart(seed);
        drawn.extend(Some(plain.generate(&mut source).unwrap()).filter(is_search_tree));
    }
    let satisfying = plain.satisfying(is_search_tree);
    let mut search = satisfying.search(1);
    let mut found = HashSet::new();
    while search.counts().runs < 20_000 {
        found.extend(search.next_within(20_000 - search.counts().runs as u32));
    }
    assert!(found.iter().all(is_search_tree));
    assert_eq!(found.len() as u64, search.counts().new, "each value comes once");
    assert!(found.len() > 8 * drawn.len(), "{} and {}", found.len(), drawn.len());
}

#[test]
fn a_small_domain_is_found_whole_and_then_repeated() {
    let even = within(0..20u32).satisfying(|number| number % 2 == 0);
    let mut all: Vec<u32> = even.search(1).collect();
    all.sort_unstable();
    assert_eq!(all, [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
    let row: Vec<u32> = even.samples(1).take(300).collect();
    assert!(all.iter().all(|number| row.contains(number)));
}

#[test]
fn a_single_sample_is_not_always_the_simplest() {
    let twenty = vec_of(0..=1_000_000u32, 20).satisfying(|list| list.is_sorted());
    let samples: HashSet<Vec<u32>> = (0..20).map(|seed| twenty.sample(seed)).collect();
    assert!(samples.len() > 15, "{samples:?}");
}

#[test]
fn it_shrinks_and_reads_like_a_filter() {
    let smallest = rising().shrink(vec![1, 5, 700, 900], |list| list.iter().sum::<u32>() > 1000).unwrap();
    assert!(smallest.value.is_sorted() && smallest.value.iter().sum::<u32>() == 1001, "{:?}", smallest.value);
    assert_eq!(rising().read("[1, 2, 2]").unwrap(), [1, 2, 2]);
    let error = rising().read("[2, 1]").unwrap_err().to_string();
    assert!(error.contains("the condition at") && error.contains("refuses it"), "{error}");
    assert!(rising().fill("[5, _, 7]", 1).unwrap().is_sorted());
}

#[test]
fn a_property_builds_on_what_it_found_and_keeps_the_failing_case() {
    for seed in 0..5 {
        let report = Check::new().named("rising").seed(seed).cases(2000).save(false).failure_of_case(|case| {
            let list =
                case.draw_named("list", vec_of(0..=1_000_000u32, 20).satisfying(|list: &Vec<u32>| list.is_sorted()));
            assert!(list.is_sorted());
            let mut distinct = list.clone();
            distinct.dedup();
            assert!(distinct.len() < 10, "many");
        });
        let report = report.expect("after some cases there are lists of many numbers");
        assert!(!report.contains("did not fail when it was run again"), "{report}");
        assert!(report.contains(", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"), "{report}");
    }
}

#[test]
fn a_condition_that_never_holds_stops_with_counts() {
    let never = vec_of(0..10u8, 1..=3).satisfying(|_| false);
    let mut source = Source::random(1);
    assert!(never.generate(&mut source).is_err());
    let why = source.why().unwrap().clone();
    assert!(matches!(why, Why::NoneFound { runs, asked, .. } if runs == u64::from(MAX_SEARCH) && asked < runs));
    let text = why.to_string();
    assert!(text.starts_with(&format!("none of {MAX_SEARCH} values satisfies the condition at ")), "{text}");
    assert!(text.contains("the simplest that it refuses is [0]"), "{text}");
    assert_eq!(never.search(1).next(), None);
    let report = Check::new().named("never").save(false).failure_of_case(|case| {
        case.draw_named("list", vec_of(0..10u8, 1..=3).satisfying(|_| false));
    });
    let report = report.unwrap();
    assert!(report.contains("a generator cannot make a value: none of 50000 values satisfies"), "{report}");
}

#[test]
fn a_generator_that_is_wrong_in_itself_is_said_to_be() {
    let mut source = Source::random(1);
    assert!(vec_of(5..5u8, 1).satisfying(|_| true).generate(&mut source).is_err());
    assert!(matches!(source.why(), Some(Why::Invalid(_))));
}

#[test]
fn a_condition_that_panics_panics_and_fails_the_property_with_its_value() {
    let satisfying = within(0..1000u32).satisfying(|number| {
        assert!(*number != 77, "seventy-seven");
        number % 7 == 0
    });
    let caught = std::panic::catch_unwind(|| satisfying.search(1).count());
    assert!(caught.is_err());
    let report = Check::new().named("panics").seed(1).cases(5000).save(false).failure_of_case(|case| {
        case.draw_named(
            "number",
            within(0..1000u32).satisfying(|number| {
                assert!(*number != 77, "seventy-seven");
                number % 7 == 0
            }),
        );
    });
    let report = report.unwrap();
    assert!(report.contains("seventy-seven") && !report.contains("did not fail when"), "{report}");
}

#[test]
fn a_condition_that_answers_at_random_is_asked_each_time() {
    let dice = Cell::new(0u32);
    let random = within(0..50u32).satisfying(|_| {
        dice.set(dice.get().wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
        dice.get() >> 31 == 0
    });
    // Every value that is given was accepted when it was given.
    assert_eq!(random.samples(1).take(1000).filter(|number| *number < 50).count(), 1000);
}

#[test]
fn a_condition_may_depend_on_values_drawn_before() {
    check_case(|case| {
        let sum = case.draw(0..30u32);
        let list = case.draw(vec_of(0..10u32, 5).satisfying(move |list| list.iter().sum::<u32>() == sum));
        assert_eq!(list.iter().sum::<u32>(), sum);
    });
}

#[test]
fn a_condition_is_asked_once_about_most_choices() {
    let asked = Cell::new(0u64);
    let slow = within(0..100u32).satisfying(|number| {
        asked.set(asked.get() + 1);
        number % 10 == 0
    });
    let mut search = slow.search(1);
    while search.counts().runs < 10_000 {
        search.next_within(10_000 - search.counts().runs as u32);
    }
    assert_eq!(search.counts().asked, asked.get());
    assert!(asked.get() < 1000, "{}", asked.get());
}

#[test]
fn a_filter_that_refuses_most_searches() {
    let rising = vec_of(0..1000u32, 12).filter(|list| list.is_sorted());
    assert!(rising.samples(1).take(200).all(|list| list.is_sorted()));
    laws::check(&rising);
}

#[test]
fn choice_gradient_sampling_finds_valid_values() {
    let satisfying = tree(5).satisfying(is_search_tree);
    let mut cgs = satisfying.cgs(50, 1);
    let mut found = HashSet::new();
    while cgs.counts().runs < 50_000 {
        found.extend(cgs.next_within(50_000 - cgs.counts().runs as u32));
    }
    assert!(found.iter().all(is_search_tree) && found.len() > 300, "{}", found.len());
    assert_eq!(found.len() as u64, cgs.counts().new);
    // Without a single valid sample all answers are as good.
    assert_eq!(within(0..5u8).satisfying(|_| false).cgs(2, 1).next_within(1000), None);
}
