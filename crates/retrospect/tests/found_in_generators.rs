//! Defects of single generators that the torture test found, each as a small test: what they draw,
//! declare and read.

use retrospect::generator::{ShrinkTree, from_shrink_tree, range_of};
use retrospect::laws::Laws;
use retrospect::prelude::*;
use retrospect::runner::Settings;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// A named number stands in a bracket, so it is not one number and nothing else.
#[test]
fn a_named_number_declares_no_number() {
    Laws::default().check(&(0..3u8).named("small"));
    Laws::default().check(&element_of([2, 3, 5]).no_shrink());
}

/// Each `sized` inside another one tried all sizes for a part that no size can make: sizes
/// multiplied.
#[test]
fn sizes_inside_one_another_do_not_multiply_without_end() {
    #[derive(Clone, Debug, PartialEq)]
    enum Part {
        Leaf(u8),
        List(Vec<Part>),
    }
    let leaf = (0..3u8).map_with_inverse(Part::Leaf, |_| None);
    let mut nested = leaf.boxed();
    for _ in 0..5 {
        let items = nested;
        let lists = sized(move |size| vec_of(items.clone(), ..=size.min(6) as usize));
        let inverse = |part: &Part| if let Part::List(items) = part { Some(items.clone()) } else { None };
        nested = lists.map_with_inverse(Part::List, inverse).boxed();
    }
    let error = nested.read("List([List([List([List([List([Leaf(7)])])])])])").unwrap_err().to_string();
    assert!(error.contains("there are too many ways to read it"), "{error}");
}

/// A choice that is too large for the shrink tree, or too small, became another one: then the
/// derivative drew values that do not begin with it, and that were not enumerated.
#[test]
fn a_choice_that_a_generator_corrects_has_no_derivative() {
    let halves = |number: &u32| if *number == 0 { Vec::new() } else { vec![number / 2, number - 1] };
    for height in 0..4 {
        let generator = from_shrink_tree(ShrinkTree::unfold(height, halves));
        for (choice, after) in generator.gradient().take(5) {
            let drawn = after.try_replay(&Choices::default()).ok();
            assert_eq!(drawn.map(|(value, _)| value), after.enumerate().next(), "{height} after {choice}");
        }
    }
}

/// How much a search drew by weights decided what was drawn after it, so that a failing case could
/// not be made again: it was called not deterministic, with other values than those that failed.
#[test]
fn a_case_of_a_tuned_search_is_made_again() {
    let sum = |list: &Vec<u8>| list.iter().map(|number| u32::from(*number)).sum::<u32>();
    let lists = vec_of(0..10u8, 3..).satisfying(move |list: &Vec<u8>| sum(list) % 3 == 2);
    let sets = vec_of(set_of(lists, ..=4), ..).resize(10);
    let examples: Vec<Vec<BTreeSet<Vec<u8>>>> = sets.samples(3).take(5).collect();
    let tuned = sets.tuned_unlike(&examples).unwrap();
    let mut n_failed = 0;
    for seed in 0..20 {
        let settings = Settings::new().seed(seed).cases(60).save(false).shrink_runs(0);
        let report = Check::new().with(settings).failure_of_case(|case| {
            let sets = case.draw(&tuned);
            let total: u32 = sets.iter().flatten().map(sum).sum();
            assert!(total < 60 || total % 7 != 3);
        });
        n_failed += u32::from(report.is_some());
        let report = report.unwrap_or_default();
        assert!(!report.contains("not deterministic"), "{report}");
    }
    assert!(n_failed > 10, "{n_failed}");
}

/// A filter that refuses many values draws at a larger size, and got all picks anew: also where the
/// picks were lent, since it is deep inside a value.
#[test]
fn a_filter_deep_inside_a_value_gets_no_new_picks() {
    let rare = any::<u8>().filter(|number| number % 64 == 7);
    let chain = recursive(move |chain| {
        let longer = tuple((rare.clone(), chain)).map(|(_, length): (u8, u32)| length + 1);
        frequency(((1, just(0)), (50, longer)))
    });
    let lengths: Vec<u32> = chain.samples(1).take(50).collect();
    assert!(lengths.iter().any(|length| *length > 20), "{lengths:?}");
    assert!(lengths.iter().all(|length| *length < 400), "{lengths:?}");
}

/// Ends the wrong way round, and items that are there already, were drawn again without the answers
/// that are fixed.
#[test]
fn what_is_drawn_again_begins_with_the_choices_of_a_derivative() {
    let ends = range_of::<RangeInclusive<u8>, _>(0..=1).after(&"1".parse().unwrap());
    Laws::default().check(&ends);
    assert_eq!(ends.enumerate().collect::<Vec<_>>(), [RangeInclusive::new(1, 0), 1..=1]);
    let second_begins_with_1 = ["[2]", "1", "1", "1"].map(|choice| choice.parse().unwrap());
    let mut pairs = set_of(tuple((0..3, 0..2)), 2).after(&second_begins_with_1[0]);
    for choice in &second_begins_with_1[1..] {
        pairs = pairs.after(choice);
    }
    for seed in 0..20 {
        assert_eq!(pairs.sample(seed), [(1, 0), (1, 1)].into());
    }
}

/// A sequence that ends earlier is no derivative by its length.
#[test]
fn a_sequence_that_ends_earlier_has_no_derivative_by_its_length() {
    let steps = sequence_of(3u8, .., |left: &u8| (*left > 0).then(|| exact(*left)), |left, _| left - 1);
    for length in 0..6 {
        let after = steps.clone().after(&format!("[{length}]").parse().unwrap());
        assert_eq!(after.try_replay(&Choices::default()).is_ok(), length <= 3, "{length}");
    }
}

/// That a set could not have more items was concluded from what it is in.
#[test]
fn all_sets_of_sets_of_sets_are_listed() {
    let sets = set_of(set_of(set_of(exact(()), ..), 1..), ..);
    let all: BTreeSet<BTreeSet<BTreeSet<BTreeSet<()>>>> = sets.enumerate().take(20).collect();
    assert_eq!(all.len(), 8);
}
