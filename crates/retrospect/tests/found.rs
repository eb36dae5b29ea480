//! Defects that the torture test found (`cargo run --release -p experiments -- torture`), each as a small test.

use retrospect::laws::Laws;
use retrospect::prelude::*;
use retrospect::runner::Settings;
use retrospect::runner::settings::Health;
use retrospect::source::{PICK_BUDGET, Source};
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

#[test]
fn whether_a_recursive_arm_ends_is_found_out_also_if_different_items_must_be_improvised() {
    let trees = recursive(|tree| {
        let lists = vec_of(tree, ..).map(|list| list.len());
        one_of((exact(0), set_of(lists, 4).map(|lengths| lengths.len())))
    });
    assert_eq!(trees.resize(0).sample(1), 0);
}

#[test]
fn a_map_with_too_few_keys_inside_itself_says_so_instead_of_going_ever_deeper() {
    let trees = recursive(|tree| {
        let maps = map_of(exact(0u8), vec_of(tree, ..), 2);
        frequency(((1, exact(0)), (1000, maps.map(|map: BTreeMap<u8, Vec<usize>>| map.len()))))
    });
    let mut source = Source::random(1);
    assert!(trees.generate(&mut source).is_err());
    let why = source.why().unwrap().to_string();
    assert!(why.contains("only 1 different items were found"), "{why}");
}

#[test]
fn refusals_inside_one_another_do_not_multiply() {
    let asked = std::cell::Cell::new(0);
    let count = |keeps: bool| {
        asked.set(asked.get() + 1);
        keeps
    };
    let numbers = any::<u16>().filter(|number| count(number % 1000 == 0)).filter(|_| false);
    assert!(numbers.generate(&mut Source::random(1)).is_err());
    assert!(asked.take() < 200_000);
    let sets = set_of(set_of(set_of(0..2u8, 3..), 3..), 3..);
    assert!(sets.generate(&mut Source::random(1)).is_err());
}

#[test]
fn sets_in_a_value_that_must_end_do_not_all_draw_the_same_text_for_long() {
    let drawn = std::cell::Cell::new(0);
    let texts = text::json().map(|text: String| {
        drawn.set(drawn.get() + 1);
        text
    });
    let spent = vec_of(option_of(exact(())), PICK_BUDGET as usize);
    assert!((spent, vec_of(set_of(texts, 2), 10)).generate(&mut Source::random(1)).is_ok());
    assert!(drawn.get() < 20_000, "{}", drawn.get());
}

#[test]
fn a_saved_case_fails_again_if_reading_it_draws_a_value_for_which_a_generator_panics() {
    let folder = folder("panics_while_read");
    let report = |panics: bool| {
        let numbers = within(0..=1000u32).filter(move |number| {
            assert!(!panics || *number == 0, "a condition panics");
            true
        });
        let pairs = numbers.bind_with_focus(|number| (exact(*number), 0..=9u8), |pair: &(u32, u8)| Some(pair.0));
        let check = Check::new().with(Settings::new().regressions(&folder));
        check.failure(&pairs, |pair| assert!(pair.1 > 9, "the body panics")).unwrap()
    };
    assert!(report(false).contains("the body panics"));
    let again = report(true);
    assert!(again.contains("fails again") && again.contains("the body panics"), "{again}");
}

#[test]
fn a_filter_that_keeps_nothing_ends_the_search_around_it() {
    let drawn = std::cell::Cell::new(0);
    let line = line!() + 1;
    let never = any::<u16>().map(|number| drawn.set(drawn.get() + 1 + u32::from(number) / 70_000)).filter(|()| false);
    let lists = vec_of(never, 1..).satisfying(|list| list.len() > 3);
    let mut source = Source::random(1);
    assert!(lists.generate(&mut source).is_err());
    let why = source.why().unwrap().to_string();
    assert!(why.starts_with(&format!("the filter at {}:{line}", file!())), "{why}");
    assert!(drawn.get() < 200_000, "{}", drawn.get());
}

#[test]
fn reading_what_is_bound_inside_one_another_does_not_multiply() {
    let drawn = std::cell::Cell::new(0);
    let count = |number: u64| {
        drawn.set(drawn.get() + 1);
        number
    };
    let inner = any::<u64>().map(count).bind_with_focus(|number| exact(*number), |number: &u64| Some(*number));
    let outer = any::<u64>().bind_with_focus(|_| &inner, |number: &u64| Some(*number));
    assert!(outer.read("12345678901").is_err());
    assert!(drawn.get() < 10_000, "{}", drawn.get());
}

#[test]
fn shrinking_goes_on_behind_what_a_filter_refuses() {
    let lists = || vec_of(1..=20u32, ..).filter(|list| list.iter().sum::<u32>() == 9);
    for seed in 1..=5 {
        let settings = Settings::new().seed(seed).save(false).allow(Health::Discards);
        let report = Check::new().with(settings).failure(&lists(), |list| assert!(list.len() < 3)).unwrap();
        assert!(report.contains("minimal case") && report.contains("[1, 1, 7]"), "{report}");
    }
}
