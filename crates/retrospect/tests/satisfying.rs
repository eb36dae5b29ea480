//! `satisfying`: what it finds, that it is a generator like any other, and what becomes of
//! conditions that are no good.

use retrospect::prelude::*;
use retrospect::source::{Source, Why};
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
        assert_eq!(vec_of(0..1000, 0..=12).replay_exact(&choices).unwrap(), (rising().sample(seed), 0));
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
        assert!(!report.contains("not deterministic"), "{report}");
        assert!(report.contains(", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"), "{report}");
    }
}

#[test]
fn a_condition_that_never_holds_stops_with_counts() {
    let never = vec_of(0..10u8, 1..=3).satisfying(|_| false);
    let mut source = Source::random(1);
    assert!(never.generate(&mut source).is_err());
    let why = source.why().unwrap().clone();
    let Why::NoneFound { runs, asked, sizes, .. } = why else { panic!("{why}") };
    assert!(asked < runs && sizes.1 == 400, "{why}");
    let text = why.to_string();
    assert!(text.starts_with(&format!("none of {runs} values satisfies the condition at ")), "{text}");
    assert!(text.contains("the simplest that it refuses is [0]"), "{text}");
    assert_eq!(never.search(1).next(), None);
    let report = Check::new().named("never").save(false).failure_of_case(|case| {
        case.draw_named("list", vec_of(0..10u8, 1..=3).satisfying(|_| false));
    });
    let report = report.unwrap();
    assert!(report.contains("a generator cannot make a value: none of "), "{report}");
    assert!(report.contains("(sizes 1 to 400, "), "{report}");
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
    assert!(report.contains("seventy-seven") && !report.contains("not deterministic"), "{report}");
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
fn a_condition_that_takes_long_is_asked_a_bounded_number_of_times() {
    let asked = Cell::new(0u64);
    let slow = vec_of(0..1000u32, 10).satisfying(|list| {
        asked.set(asked.get() + 1);
        list.is_sorted()
    });
    assert!(slow.sample(1).is_sorted());
    assert!(asked.get() < 2000, "{}", asked.get());
    // From then on each value costs a few.
    asked.set(0);
    slow.samples(1).take(500).for_each(drop);
    assert!(asked.get() < 500 * 10, "{}", asked.get());
    asked.set(0);
    let never = any::<u64>().satisfying(|_| {
        asked.set(asked.get() + 1);
        false
    });
    assert!(never.generate(&mut Source::random(1)).is_err());
    assert!(asked.get() <= 2_000_000, "{}", asked.get());
}

#[test]
fn a_pick_of_a_million_arms_is_searched() {
    let many = one_of((0..1_000_000u32).map(exact).collect::<Vec<_>>());
    let some = many.satisfying(|number| number % 4 == 1);
    let mut search = some.search(1);
    let found: Vec<u32> = search.by_ref().take(3).collect();
    assert!(found.len() == 3 && found.iter().all(|number| number % 4 == 1), "{found:?}");
    assert!(search.counts().runs < 100, "{:?}", search.counts());
}

#[test]
fn it_accepts_what_the_generator_makes_and_the_condition_holds_for() {
    let trees = tree(3).satisfying(is_search_tree);
    for seed in 0..200 {
        let value = tree(5).sample(seed);
        assert_eq!(trees.accepts(&value), tree(3).accepts(&value) && is_search_tree(&value), "{value:?}");
    }
}

#[test]
fn how_likely_a_value_is_that_is_searched_for_is_not_known() {
    let even = within(0..10u32).satisfying(|number| number % 2 == 0);
    let error = even.ways_of(&4).probability().unwrap_err().to_string();
    assert!(error.contains("it is found by the search at "), "{error}");
    assert!(even.ways_of(&3).probability().unwrap().is_zero()); // It cannot be made.
    assert_eq!(even.ways_of(&4).iter().count(), 1);
}

#[test]
fn it_can_be_tuned_before_and_behind() {
    let lists = vec_of(0..100u32, ..);
    let examples = [vec![1, 2], vec![3], vec![2, 5]];
    let length = |generator: &dyn Fn(u64) -> Vec<u32>| -> usize { (0..100).map(|seed| generator(seed).len()).sum() };
    let plain = lists.satisfying(|list| list.is_sorted());
    let behind = plain.clone().tuned_like(&examples).unwrap();
    let before = lists.clone().tuned_like(&examples).unwrap().satisfying(|list| list.is_sorted());
    for seed in 0..100 {
        assert!(behind.sample(seed).is_sorted() && before.sample(seed).is_sorted());
        assert_eq!(behind.replay(&behind.sample_choices(seed)), behind.sample(seed));
    }
    let examples_like = |generator: &dyn Fn(u64) -> Vec<u32>| {
        (0..100).filter(|seed| generator(*seed).iter().all(|number| *number < 10)).count()
    };
    let (tuned, other) = (examples_like(&|seed| behind.sample(seed)), examples_like(&|seed| before.sample(seed)));
    let untuned = examples_like(&|seed| plain.sample(seed));
    assert!(tuned > 60 && other > 60 && untuned < 50, "{tuned}, {other} and {untuned}");
    assert!(length(&|seed| behind.sample(seed)) < 400);
    // Whoever draws beside it is tuned as without it.
    let pairs = tuple((plain, 0..100u32)).tuned_like(&[(vec![1], 7), (vec![1, 2], 7)]).unwrap();
    let sevens = pairs.samples(1).take(200).filter(|(list, number)| list.is_sorted() && *number == 7).count();
    assert!(sevens > 100, "{sevens}");
    assert!(matches!(rising().tuned_like(&[vec![2, 1]]), Err(error) if error.to_string().contains("refuses it")));
}

#[test]
fn its_mutants_and_its_enumeration_satisfy_the_condition() {
    let trees = tree(4).satisfying(is_search_tree);
    let value = trees.sample(3);
    let mutants: Vec<Tree> = trees.mutants(&value, 1).unwrap().take(200).collect();
    assert!(mutants.iter().all(|mutant| trees.accepts(mutant)));
    assert!(mutants.iter().collect::<HashSet<_>>().len() > 20);
    let all: Vec<Tree> = tree(2).satisfying(is_search_tree).enumerate().collect();
    let found: HashSet<Tree> = tree(2).satisfying(is_search_tree).search(1).collect();
    assert_eq!(all.len(), found.len());
    assert!(all.iter().all(|tree| found.contains(tree)));
    // What is left after a choice is drawn, and satisfies it too.
    let nodes = trees.after(&"1:node".parse().unwrap());
    assert!((0..20).all(|seed| matches!(nodes.sample(seed), tree @ Tree::Node(..) if is_search_tree(&tree))));
}

#[test]
fn samples_in_a_row_are_not_alike() {
    let twenty = vec_of(0..=1_000_000u32, 20).satisfying(|list| list.is_sorted());
    for seed in 0..10 {
        let row: Vec<Vec<u32>> = twenty.samples(seed).take(20).collect();
        let mut shared = 0;
        for (place, list) in row.iter().enumerate() {
            let others = row[..place].iter();
            // Numbers at the same place that are equal or next to each other.
            let near = |other: &Vec<u32>| list.iter().zip(other).filter(|(one, two)| one.abs_diff(**two) < 10).count();
            shared += others.map(near).sum::<usize>();
        }
        let share = shared as f64 / (190.0 * 20.0);
        assert!(share < 0.3, "{share}: {row:?}");
        let large = row.iter().flatten().filter(|number| **number > 1000).count();
        assert!(large > 100, "{large}: {row:?}");
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Counted {
    count: u8,
    parts: Vec<Counted>,
}

#[generator]
fn counted(depth: u32) -> Counted {
    let count = draw(0..=20u8);
    let parts = draw(vec_of(counted(depth.saturating_sub(1)), 0..=if depth == 0 { 0 } else { 2 }));
    Counted { count, parts }
}

fn counts_rightly(node: &Counted) -> bool {
    let below: u32 = node.parts.iter().map(|part| u32::from(part.count)).sum();
    u32::from(node.count) == below + 1 && node.parts.iter().all(counts_rightly)
}

#[test]
fn what_counts_the_nodes_below_it_is_counted_up_to_the_root() {
    for seed in 0..3 {
        let right = counted(4).satisfying(counts_rightly);
        let mut search = right.search(seed);
        let mut largest = 0;
        while search.counts().runs < 20_000 {
            let found = search.next_within(20_000 - search.counts().runs as u32);
            largest = found.map_or(0, |node| node.count).max(largest);
        }
        assert!(largest >= 8, "{largest}");
    }
}

#[test]
fn a_generator_that_panics_in_a_search_fails_the_property_with_its_message() {
    for seed in 0..5 {
        let report = Check::new().named("panics").seed(seed).cases(5000).save(false).failure_of_case(|case| {
            let number = within(0..1000u32).map(|number| {
                assert!(number != 77, "seventy-seven");
                number
            });
            case.draw_named("number", number.satisfying(|number| number % 7 == 0));
        });
        let report = report.unwrap();
        assert!(report.contains("seventy-seven") && report.contains("satisfying.rs:"), "{report}");
        assert!(!report.contains("not deterministic"), "{report}");
    }
    // A tree whose fifth node is one too many: the edits lead there, not chance.
    let report = Check::new().named("grows").seed(1).cases(5000).save(false).failure_of_case(|case| {
        let trees = tree(5).map(|tree| {
            assert!(!matches!(&tree, Tree::Node(left, 5.., _) if **left != Tree::Leaf), "grown");
            tree
        });
        case.draw_named("tree", trees.satisfying(is_search_tree));
    });
    let report = report.unwrap();
    assert!(report.contains("grown") && !report.contains("not deterministic"), "{report}");
}

/// Draws from the generator as a property, in `samples` and in `sample`, with twenty seeds.
#[track_caller]
fn is_always_found<G: Generator + Clone>(generator: G) {
    for seed in 0..20 {
        let property = Check::new().named("found").seed(seed).cases(100).save(false);
        let report = property.failure_of_case(|case| {
            case.draw(generator.clone());
        });
        assert_eq!(report, None);
        assert_eq!(generator.samples(seed).take(30).count(), 30);
        generator.sample(seed);
    }
}

#[test]
fn a_condition_that_needs_some_size_is_found_at_every_size() {
    is_always_found(vec_of(0..1000u32, ..).satisfying(|list| list.len() >= 2));
    is_always_found(vec_of(any::<u8>(), ..).satisfying(|list| !list.is_empty()));
    is_always_found(vec_of(0..1000u32, 0..=30).satisfying(|list| list.len() >= 15 && list.is_sorted()));
}

#[test]
fn a_condition_that_needs_an_order_is_found() {
    let date = || 0..365u32;
    let is_apart = |dates: &Vec<(u32, u32)>| {
        dates.iter().all(|(start, end)| start <= end) && dates.is_sorted_by(|one, next| one.1 <= next.0)
    };
    is_always_found(vec_of(tuple((date(), date())), 4).satisfying(is_apart));
    is_always_found(vec_of(0..1_000_000u32, 20).satisfying(|list| list.is_sorted_by(|one, next| one < next)));
    is_always_found(vec_of(0..100u8, 12).satisfying(|list| list.iter().eq(list.iter().rev())));
}

#[test]
fn derangements_are_found() {
    let is_moved = |list: &Vec<usize>| list.iter().enumerate().all(|(place, item)| place != *item);
    is_always_found(permutation_of((0..12).collect::<Vec<usize>>()).satisfying(is_moved));
    let is_whole = |list: &Vec<usize>| list.iter().collect::<HashSet<_>>().len() == 12;
    is_always_found(vec_of(0..12usize, 12).satisfying(move |list| is_whole(list) && is_moved(list)));
}

#[test]
fn a_condition_that_only_chance_satisfies_is_drawn() {
    let mixed = |number: &u64| ((u128::from(*number ^ 0x9E37_79B9) * 0xE703_7ED1_A0B4_28DB) >> 32) as u64;
    let rare = any::<u64>().satisfying(move |number| mixed(number).is_multiple_of(2000));
    is_always_found(rare.clone());
    // Nearly all of them are new: rejection goes on where edits find nothing.
    for seed in 0..5 {
        let found: HashSet<u64> = rare.samples(seed).take(50).collect();
        assert!(found.len() > 40, "{}", found.len());
    }
}

#[derive(Clone, Debug, Generate)]
enum Branching {
    End,
    One(Box<Branching>),
    Two(Box<Branching>, Box<Branching>),
}

fn nodes(tree: &Branching) -> usize {
    match tree {
        Branching::End => 1,
        Branching::One(inner) => 1 + nodes(inner),
        Branching::Two(left, right) => 1 + nodes(left) + nodes(right),
    }
}

#[test]
fn edits_of_a_recursive_type_stay_about_as_large_as_drawn_values() {
    let sevens = any::<Branching>().satisfying(|tree| nodes(tree).is_multiple_of(7));
    let plain = any::<Branching>();
    for seed in 0..3 {
        let mean = plain.samples(seed).take(1000).map(|tree| nodes(&tree)).sum::<usize>() / 1000;
        let found = sevens.samples(seed).take(1000).map(|tree| nodes(&tree)).sum::<usize>() / 1000;
        assert!(found < 10 * mean + 64, "{found} where {mean} are drawn");
    }
}
