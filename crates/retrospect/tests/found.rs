//! Defects that the torture test found (`cargo run --release -p experiments -- torture`), each as a small test.

use retrospect::laws::Laws;
use retrospect::prelude::*;
use retrospect::runner::Settings;
use retrospect::source::Source;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A new folder for the saved cases of a test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("found").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn a_saved_case_runs_first_if_the_body_draws_what_cannot_be_read() {
    let folder = folder("unreadable");
    let report = || {
        Check::new().with(Settings::new().regressions(&folder)).failure_of_case(|case| {
            let twice = case.draw(within(1..=9u8).map(|number| number * 2));
            assert!(twice < 10);
        })
    };
    assert!(report().unwrap().contains("minimal case"));
    let again = report().unwrap();
    assert!(again.contains("fails again") && again.contains("let draw_1 = 10;"), "{again}");
}

#[test]
fn different_items_are_found_also_where_the_size_allows_only_one() {
    let strings = set_of(any::<String>(), 3).resize(0);
    assert!((0..5).all(|seed| strings.sample(seed).len() == 3));
    let trees = recursive(|tree| {
        one_of((
            exact(0i64),
            tree.map_with_inverse(
                |height| height + 1,
                |height: &i64| height.checked_sub(1).filter(|below| *below >= 0),
            ),
        ))
    });
    let trees = set_of(trees, 2..).resize(0);
    assert!((0..5).all(|seed| trees.sample(seed).len() >= 2));
    Laws::default().cases(10).check(&strings);
}

#[derive(Clone, Debug, PartialEq)]
struct Wrapped(BTreeSet<()>);

#[generator]
fn impossible() -> Wrapped {
    Wrapped(draw(set_of(exact(()), 2)))
}

#[test]
fn a_record_that_ends_in_a_list_is_whole_also_if_the_bracket_around_it_was_closed() {
    let mut source = Source::recording(1);
    assert!(impossible().generate(&mut source).is_err());
    let choices = source.into_choices();
    // An item, and one that could not be made. In child processes, the parent could not read such a record.
    assert_eq!(choices.to_string(), "([{} {}])");
    assert_eq!(choices, choices.to_string().parse().unwrap());
}

#[test]
fn a_map_that_loses_an_entry_while_a_key_shrinks_does_not_crash_the_shrinker() {
    let maps = map_of(0..=100, shrink_to(99, [0, 1]), 2..);
    let start = BTreeMap::from([(3, 99), (13, 99), (17, 99), (32, 99), (67, 99)]);
    let sum = |map: &BTreeMap<i32, i32>| map.keys().chain(map.values()).sum::<i32>() % 6;
    let smallest = maps.shrink(start.clone(), |map| sum(map) == 3).unwrap();
    assert_eq!((sum(&start), sum(&smallest.value)), (3, 3));
}

#[derive(Clone, Debug, PartialEq)]
enum Branch {
    Leaf,
    Three(Box<Branch>, Box<Branch>, Box<Branch>),
    Many(Vec<Branch>),
}

#[generator]
fn branches() -> Branch {
    match pick() {
        "leaf" => Branch::Leaf,
        "three" => {
            let (one, two, three) = draw((branches(), branches(), branches()));
            Branch::Three(Box::new(one), Box::new(two), Box::new(three))
        }
        "many" => Branch::Many(draw(vec_of(branches(), ..))),
    }
}

#[test]
fn the_depth_of_a_value_is_limited_alike_if_it_is_recorded() {
    for seed in 0..100 {
        let drawn = branches().generate(&mut Source::random(seed).with_size(8));
        let recorded = branches().generate(&mut Source::recording(seed).with_size(8));
        assert_eq!(drawn, recorded, "seed {seed}");
    }
}
