//! Defects that the torture test found (`cargo run --release -p experiments -- torture`), each as a
//! small test.

use retrospect::generator::{ShrinkTree, from_shrink_tree, shrink_to};
use retrospect::laws::Laws;
use retrospect::prelude::*;
use retrospect::reflect::{Reflected, Reflector};
use retrospect::runner::Settings;
use retrospect::runner::settings::Health;
use retrospect::sketch::Sketch;
use retrospect::source::{
    Chance, Chooser, CustomDistribution, Distribution, Drawn, NumberRequest, PICK_BUDGET, PickRequest, RepeatRequest,
    Source,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

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
    // An item, and one that could not be made. In child processes, the parent could not read such a
    // record.
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

/// The last arm of the first pick, and the simplest answer to everything else.
struct OnceLast(bool);

impl Chooser for OnceLast {
    fn number(&mut self, _request: &NumberRequest) -> Result<u64, String> {
        Ok(0)
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        Ok(if std::mem::take(&mut self.0) { request.weights.len() - 1 } else { 0 })
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        Ok(request.min)
    }
}

#[test]
fn what_is_improvised_for_a_map_inside_itself_is_the_key_alone() {
    let heights = |map: BTreeMap<u8, usize>| map.into_values().max().unwrap_or(0) + 1;
    let trees = recursive(|tree| frequency(((1, exact(0)), (100_000, map_of(any::<u8>(), tree, 2).map(heights)))));
    // The second key is the first again, so it is improvised; its value is the simplest one too.
    let mut chooser = OnceLast(true);
    let mut source = Source::asking(&mut chooser);
    let height = trees.generate(&mut source);
    assert_eq!(height, Ok(1), "{:?}", source.why());
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
    assert!(drawn.get() < 100, "{}", drawn.get());
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
        let report = Check::new().with(settings).failure(lists(), |list| assert!(list.len() < 3)).unwrap();
        // Whether it is called minimal depends on the time that there is.
        assert!(report.contains("let value = [1, 1, 7];"), "{report}");
    }
}

/// A number that counts how often it is printed.
#[derive(Clone)]
struct Printed(u32, &'static std::sync::atomic::AtomicU32);

impl PartialEq for Printed {
    fn eq(&self, other: &Printed) -> bool {
        self.0 == other.0
    }
}

impl std::fmt::Debug for Printed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        write!(formatter, "{}", self.0)
    }
}

#[test]
fn what_is_read_in_vain_in_hundreds_of_ways_does_not_hold_up_shrinking() {
    let count: &_ = Box::leak(Box::new(std::sync::atomic::AtomicU32::new(0)));
    let others = (0..16).map(|number| Printed(number, count));
    let item = shrink_to(Printed(99, count), others);
    let lists = sized(move |size| vec_of(item.clone(), ..=size.min(6) as usize));
    let sum = |list: &Vec<Printed>| list.iter().map(|item| item.0).sum::<u32>();
    let start: Vec<Printed> = (0..3).map(|_| Printed(99, count)).collect();
    let smallest = lists.shrink(start, |list| list.len() == 3 && sum(list) % 7 == 3).unwrap();
    assert_eq!(sum(&smallest.value), 3);
    let printed = count.load(std::sync::atomic::Ordering::Relaxed);
    assert!(printed < 200_000, "{printed}");
}

#[test]
fn a_shrink_tree_compares_each_of_its_values_once_with_a_text() {
    let count: &_ = Box::leak(Box::new(std::sync::atomic::AtomicU32::new(0)));
    let below = |number: &Printed| {
        let Printed(number, count) = *number;
        if number == 0 { vec![] } else { vec![Printed(number / 2, count), Printed(number - 1, count)] }
    };
    let numbers = from_shrink_tree(ShrinkTree::unfold(Printed(20, count), below));
    assert_eq!(numbers.read("7").unwrap().0, 7);
    assert!(numbers.read("21").unwrap_err().to_string().contains("it is not in the shrink tree"));
}

#[test]
fn the_probability_of_a_filtered_function_is_given_up_at_once() {
    let asked = std::cell::Cell::new(0u32);
    let functions = function_of::<u8, Vec<u8>>(vec_of(0..=9u8, ..)).filter(|_| {
        asked.set(asked.get() + 1);
        true
    });
    let function = functions.sample(2);
    assert!(format!("{function:?}").contains("drawn"), "{function:?}");
    let error = functions.ways_of(&function).probability().unwrap_err().to_string();
    assert!(error.contains("there are too many values to go through"), "{error}");
    assert!(asked.get() < 10, "{}", asked.get());
}

#[test]
fn the_probability_of_a_filter_is_the_sum_of_thousands_of_different_fractions() {
    let three = || frequency(((3, exact(0u32)), (7, exact(1)), (11, exact(2)), (13, exact(3)), (17, exact(4))));
    let lists = tuple((three(), three(), three(), three(), three()));
    let kept = lists.filter(|(a, b, c, d, e)| a + b + c + d + e != 20);
    // All but one of 5^5.
    let all = retrospect::reflect::Probability::new(51u64.pow(5) - 17u64.pow(5), 51u64.pow(5));
    let zeros = retrospect::reflect::Probability::new(3u64.pow(5), 51u64.pow(5));
    assert_eq!(&kept.ways_of(&(0, 0, 0, 0, 0)).probability().unwrap() * &all, zeros);
}

/// A digit, by a law that counts how often it is asked for a chance.
#[derive(Clone, Copy, Debug)]
struct Digit;

static CHANCES: AtomicU32 = AtomicU32::new(0);

const DIGITS: Distribution = Distribution::Custom(CustomDistribution {
    draw: |max, _, rng| rng.at_most(max),
    parameters: [0; 4],
    chance: Some(|_, max, _| {
        CHANCES.fetch_add(1, Ordering::Relaxed);
        Some(Chance::new(1, u128::from(max) + 1))
    }),
});

impl Generator for Digit {
    type Value = u64;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<u64> {
        source.number(9, DIGITS)
    }

    fn reflect(&self, value: &u64, reflector: &mut Reflector) -> Reflected {
        reflector.number(*value, 9, DIGITS)
    }

    fn complete(&self, _sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<u64> {
        self.generate(source)
    }
}

#[test]
fn chances_by_weights_are_worked_out_once_for_all_values_of_a_filter() {
    let tuned = tuple((Digit, Digit, Digit, Digit)).tuned_like(&[(1, 2, 3, 4)]).unwrap();
    let kept = tuned.filter(|(first, ..)| *first < 9);
    assert!(!kept.ways_of(&(1, 2, 3, 4)).probability().unwrap().is_zero());
    let count = CHANCES.load(Ordering::Relaxed);
    assert!(count < 2_000, "{count}");
}

fn nodes(parts: &[u64]) -> u64 {
    parts.iter().sum::<u64>() + 1
}

#[generator(forward)]
fn first_rule() -> u64 {
    match pick() {
        #[weight(100_000)]
        "both" => {
            let (one, two) = draw((second_rule(), third_rule()));
            nodes(&[one, two])
        }
        #[weight(1_000)]
        "itself" => {
            let (list, one) = draw((vec_of(first_rule(), 2..=3), first_rule()));
            nodes(&list) + one
        }
    }
}

#[generator(forward)]
fn second_rule() -> u64 {
    match pick() {
        #[weight(100_000)]
        "third" => {
            let (one, two) = draw((third_rule(), third_rule()));
            nodes(&[one, two])
        }
        "both" => {
            let (one, two) = draw((first_rule(), second_rule()));
            nodes(&[one, two])
        }
    }
}

#[generator(forward)]
fn third_rule() -> u64 {
    match pick() {
        #[weight(10)]
        "list" => {
            let (one, list) = draw((second_rule(), vec_of(first_rule(), 1..=3)));
            nodes(&list) + one
        }
        #[weight(10)]
        "second" => draw(second_rule()) + 1,
        #[weight(100_000)]
        "three" => {
            let (one, two, three) = draw((first_rule(), first_rule(), second_rule()));
            nodes(&[one, two, three])
        }
        #[weight(100_000)]
        "end" => 1,
    }
}

#[test]
fn picks_that_must_end_learn_from_below_how_high_their_arms_are() {
    for seed in 0..30 {
        for size in [1, 5, 20, 100] {
            let mut source = Source::random(seed).with_size(size);
            let count = first_rule().generate(&mut source).unwrap();
            assert!(count < u64::from(PICK_BUDGET), "seed {seed}, size {size}: {count}");
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Nested(u8, Option<Box<Nested>>);

impl Nested {
    fn of(number: u8, levels: u32) -> Nested {
        (0..levels).fold(Nested(number, None), |inside, _| Nested(number, Some(Box::new(inside))))
    }

    fn levels(&self) -> usize {
        std::iter::successors(Some(self), |around| around.1.as_deref()).count() - 1
    }
}

#[generator]
fn endless() -> Nested {
    let number = draw(any::<u8>());
    let inside = draw(endless());
    Nested(number, Some(Box::new(inside)))
}

#[generator]
fn mutually() -> Nested {
    let inside = draw(by_others(3));
    Nested(0, Some(Box::new(inside)))
}

#[generator]
fn by_others(number: u8) -> Nested {
    let inside = draw(mutually());
    Nested(number, Some(Box::new(inside)))
}

#[generator]
fn by_argument(levels: u32) -> Nested {
    if levels == 0 {
        return Nested(0, None);
    }
    let inside = draw(by_argument(levels - 1));
    Nested(0, Some(Box::new(inside)))
}

#[generator]
fn by_pick() -> Nested {
    match pick() {
        "end" => Nested(0, None),
        #[weight(100_000)]
        "more" => Nested(0, Some(Box::new(draw(by_pick())))),
    }
}

#[test]
fn a_generator_that_calls_itself_without_a_pick_is_named_soon() {
    let mut source = Source::random(1);
    assert!(endless().generate(&mut source).is_err());
    let why = source.why().unwrap().to_string();
    assert!(why.contains("`endless`") && why.contains("with the arm that ends first"), "{why}");
    assert!(mutually().generate(&mut Source::random(1)).is_err());
    let report = Check::new().save(false).failure(endless(), |_| true).unwrap();
    assert!(report.contains("`endless`"), "{report}");
    let lists = vec_of(endless(), 1..).satisfying(|list| list.len() > 1);
    let mut source = Source::random(1);
    assert!(lists.generate(&mut source).is_err());
    assert!(source.why().unwrap().to_string().contains("`endless`"));
}

#[test]
fn what_is_deep_without_a_pick_and_ends_is_made_and_read() {
    retrospect::with_deep_stack(|| {
        assert_eq!(by_argument(20_000).sample(1), Nested::of(0, 20_000));
        // Given values may be as deep as they are.
        let given = Nested::of(0, 30_000);
        let text = format!("{given:?}");
        assert_eq!(by_pick().read(&text).unwrap(), given);
        assert_eq!(by_pick().replay(&by_pick().choices_of(&given).unwrap()), given);
        assert!(by_argument(30_000).accepts(&given));
        assert_eq!(by_argument(30_000).read(&text).unwrap(), given);
    });
}

#[test]
fn a_property_may_draw_what_is_too_deep_for_a_test_thread() {
    let settings = Settings::new().max_depth(100_000).cases(3).save(false).shrink_runs(50);
    let deepest = std::cell::Cell::new(0);
    let failed = Check::new().with(settings.clone().seed(1)).failure(by_pick(), |value| {
        deepest.set(deepest.get().max(value.clone().levels()));
    });
    assert_eq!(failed, None);
    let report = Check::new().with(settings.size(100).seed(1)).failure(by_pick(), |value| value.levels() < 20_000);
    assert!(report.is_none_or(|report| !report.contains("not deterministic")));
}

#[test]
fn going_through_what_a_filter_refuses_altogether_comes_to_an_end() {
    let lists = vec_of(any::<bool>(), ..).filter(|_| false);
    let reason = lists.enumerate().ask_at_most(300_000).try_next().unwrap_err().to_string();
    assert!(reason.starts_with("300000 questions were not enough to find the next value"), "{reason}");
    assert!(reason.contains("`ask_at_most` allows more"), "{reason}");
}

#[test]
fn mutants_of_mutants_do_not_grow_without_end() {
    let lists = vec_of(vec_of(any::<u8>(), ..), ..);
    let mut choices = lists.choices_of(&vec![vec![7; 3_000]; 2]).unwrap();
    for seed in 0..200 {
        let mut mutants = lists.mutants_of_choices(&choices, seed).only(&[retrospect::mutate::Edit::Duplicate]);
        let mutant = mutants.next().unwrap();
        choices = lists.choices_of(&mutant).unwrap();
        assert!(mutant.iter().map(Vec::len).sum::<usize>() <= 10_000);
    }
    // What is larger itself has mutants of its size.
    let large = vec![vec![7; 3_000]; 5];
    let mutant = lists.mutate(&large, 1).unwrap();
    assert!(mutant != large && mutant.iter().map(Vec::len).sum::<usize>() <= 15_000);
}

#[test]
fn a_check_in_a_loop_is_named_by_its_turn() {
    let mut reports = Vec::new();
    for limit in [9, 5, 3] {
        reports.extend(Check::new().save(false).failure(0..10, |number| number <= limit));
    }
    assert!(reports[0].contains("RETROSPECT_PROPERTY=a_check_in_a_loop_is_named_by_its_turn@2 "), "{}", reports[0]);
    assert!(reports[1].contains("RETROSPECT_PROPERTY=a_check_in_a_loop_is_named_by_its_turn@3 "), "{}", reports[1]);
}

/// The simplest choices of a large set made random items after the first 256, so that shrinking
/// took most replays for no simpler ones.
#[test]
fn the_simplest_large_set_has_the_simplest_items() {
    let sets = set_of(any::<u16>(), 4_000..=5_000);
    let simplest = sets.replay(&Choices::default());
    assert!(simplest.into_iter().eq(0..4_000));
    let few = set_of((any::<bool>(), 0..300u16), 600);
    assert_eq!(few.replay(&Choices::default()).len(), 600);
}

/// The search for everything simpler stopped at the first answer that the generator changed: a
/// duplicate in a set, an absent arm. So simpler cases were never tried.
#[test]
fn what_a_generator_changes_hides_no_simpler_case() {
    let maps = map_of(0..10u8, any::<bool>(), ..);
    let fails = |map: &BTreeMap<u8, bool>| map.len() == 2 && map.values().any(|value| *value);
    let smallest = maps.shrink(BTreeMap::from([(0, true), (1, false)]), fails).unwrap();
    assert_eq!(smallest.value, BTreeMap::from([(0, false), (1, true)]));
    let fails = |set: &BTreeSet<u8>| *set == [0, 1, 2].into() || *set == [3, 4].into();
    assert_eq!(set_of(0..6u8, ..).shrink([0, 1, 2].into(), fails).unwrap().value, [3, 4].into());
    let parts = subsequence_of([1, 2, 3, 4, 5], ..);
    let smallest = parts.shrink(vec![2, 3, 4, 5], |part| [vec![2, 3, 4, 5], vec![1, 3, 5]].contains(part)).unwrap();
    assert_eq!(smallest.value, [1, 3, 5]);
    let arms = labelled((("a", 1, 0..5u8), ("b", 0, 5..9u8), ("c", 2, 9..30u8)));
    assert_eq!(arms.shrink(27, |number| [10, 25, 27].contains(number)).unwrap().value, 10);
    // Nothing is left out here, and it is known.
    let pairs = set_of(any::<bool>(), ..).shrink([true, false].into(), |set| set.len() == 2).unwrap();
    assert!(matches!(pairs.end, retrospect::shrink::End::Minimal { .. }), "{:?}", pairs.end);
}

/// Looking at the beginning of a tree that ends inside the steps of a shrinker by hand was a panic.
#[test]
fn everything_simpler_is_tried_beside_a_shrinker_by_hand() {
    let arms = one_of((exact(0_i64).shrink_with(|_| Vec::new()), any::<i64>()));
    assert_eq!(arms.shrink(5_000, |number| *number >= 181).unwrap().value, 181);
    let trees = one_of((from_shrink_tree(ShrinkTree::unfold(9_i64, |number| (0..*number).rev())), any::<i64>()));
    assert_eq!(trees.shrink(5_000, |number| *number >= 181).unwrap().value, 181);
}

/// -0.0 came late, although it is what is forgotten most.
#[test]
fn special_floats_come_early() {
    let floats = any::<f64>();
    let median = |is_special: &dyn Fn(f64) -> bool| {
        let mut firsts: Vec<usize> =
            (0..101).map(|seed| floats.samples(seed).position(is_special).expect("floats have no end")).collect();
        firsts.sort_unstable();
        firsts[50]
    };
    assert!(median(&|float| float == 0.0 && float.is_sign_negative()) < 40);
    assert!(median(&|float| float == 0.0 && float.is_sign_positive()) < 40);
    assert!(median(&|float| float == 1.0) < 60);
    assert!(median(&|float| float == f64::MAX) < 200);
    assert!(median(&|float| float == f64::MIN_POSITIVE) < 200);
}

/// Most of them had all ten items.
#[test]
fn sets_of_few_items_are_not_mostly_full() {
    for set in [set_of(0..10, ..).boxed(), set_of(element_of([2, 3, 5, 7, 11, 13, 17, 19, 23, 29]), 1..).boxed()] {
        let full = set.samples(1).take(1000).filter(|set| set.len() == 10).count();
        assert!((50..200).contains(&full), "{full}");
        Laws::default().cases(10).check(&set);
    }
    assert_eq!(set_of(0..3, 3..).sample(1).len(), 3);
}

/// Each item of a `HashSet` was looked at twice, to find the order: a set in a set in a set took
/// exponential time.
#[test]
fn hash_sets_in_hash_sets_are_read_in_linear_time() {
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Nested(HashSet<Nested>, u8);
    impl Hash for Nested {
        fn hash<H: Hasher>(&self, hasher: &mut H) {
            (self.0.len(), self.1).hash(hasher);
        }
    }
    let nested = recursive(|nested| {
        tuple((hash_set_of(nested, ..), within(0..9_u8))).map_with_inverse(
            |(items, number)| Nested(items, number),
            |Nested(items, number)| Some((items.clone(), *number)),
        )
    });
    let mut value = Nested(HashSet::new(), 0);
    for level in 1..60 {
        value = Nested(HashSet::from([value, Nested(HashSet::new(), 8)]), level % 7);
    }
    let choices = nested.choices_of(&value).unwrap();
    assert_eq!(nested.replay(&choices), value);
    assert!(nested.accepts(&value));
    let maps = hash_map_of(tuple((0..9_u8, 0..9_u8)), any::<bool>(), ..);
    let map = HashMap::from([((3, 1), true), ((0, 5), false), ((3, 0), true)]);
    assert_eq!(maps.choices_of(&map).unwrap().to_string(), "[((0 5) 0:false) ((3 0) 1:true) ((3 1) 1:true)]");
}

/// All values of a chain were gone through, each longer than the one before.
#[test]
fn the_probability_of_a_filtered_chain_is_given_up_soon() {
    #[derive(Clone, Debug, PartialEq)]
    struct Chain(Option<Box<Chain>>);
    #[generator]
    fn chain() -> Chain {
        match pick() {
            "end" => Chain(None),
            #[weight(100_000)]
            "link" => Chain(Some(Box::new(draw(chain())))),
        }
    }
    let short = chain().filter(|chain| chain.0.is_some());
    let error = short.ways_of(&Chain(Some(Box::new(Chain(None))))).probability().unwrap_err();
    assert!(error.to_string().contains("answers in them"), "{error}");
}

/// At size 0 the second set is made up, and nothing said that its length is beyond the size.
#[test]
fn a_set_that_is_larger_than_the_size_is_dormant() {
    Laws::default().cases(30).check(&set_of(set_of(exact(()), ..), 2));
}

/// The items that are made up had lists in lists without end, where no pick stands between.
#[test]
fn different_items_that_are_lists_of_themselves_are_made_up() {
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Generate)]
    struct Tree(Vec<Tree>);
    let trees = set_of(any::<Tree>(), 3).resize(0);
    assert!((0..20).all(|seed| trees.sample(seed).len() == 3));
}

#[test]
fn a_report_counts_all_runs() {
    let (mut has_failed, mut n_calls) = (false, 0);
    let body = |list: Vec<i64>| {
        n_calls += u64::from(has_failed);
        let holds = list.iter().map(|item| i128::from(*item)).sum::<i128>() <= 1000;
        has_failed |= !holds;
        holds
    };
    let report = Check::new().save(false).seed(7).failure(any::<Vec<i64>>(), body).unwrap();
    let words: Vec<&str> = report.split_whitespace().collect();
    let count_before = |place: usize| words[place - 1].parse::<u64>().unwrap();
    let runs = words.iter().position(|word| *word == "runs,").map_or(0, count_before);
    let in_vain = words.windows(2).position(|pair| pair == ["found", "nothing"]).map_or(0, count_before);
    assert!(runs > 0 && in_vain > runs, "{report}");
    // The last run of all, and those that tell what does not matter, do not shrink.
    let others = n_calls - runs - in_vain;
    assert!(others <= 20, "{n_calls} runs:\n{report}");
}

/// A `Debug` that leaves something out: the text is read as another value, which passes.
#[test]
fn a_text_that_is_read_as_another_value_is_not_the_case() {
    #[derive(Clone, PartialEq, Generate)]
    struct Wait(u32);
    impl std::fmt::Debug for Wait {
        fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(formatter, "Wait({})", self.0 / 1000 * 1000)
        }
    }
    let report = Check::new().save(false).seed(1).failure(any::<Wait>(), |wait| wait.0 < 1500).unwrap();
    assert!(report.contains("RETROSPECT_REPLAY='(1500)'"), "{report}");
    assert!(!report.contains("RETROSPECT_VALUE="), "{report}");
}

/// The chooser of a tuned generator stayed with the candidate whose condition panicked, and the
/// unwinding asked for it.
#[test]
fn a_condition_that_panics_in_a_search_by_weights_is_a_failure_of_the_property() {
    let is_tuned = AtomicU32::new(0);
    let numbers = within(0..10u8).filter(|number| {
        assert!(is_tuned.load(Ordering::Relaxed) == 0 || *number < 5, "a condition panics");
        true
    });
    let lists = vec_of(numbers, 1..=4).satisfying(|_| true);
    let tuned = vec_of(lists, 1).tuned_like(&[vec![vec![1]]]).unwrap();
    is_tuned.store(1, Ordering::Relaxed);
    let check = Check::new().with(Settings::new().exhaustive(false)).save(false).seed(1);
    let report = check.failure(&tuned, |_| true).unwrap();
    assert!(report.contains("a condition panics"), "{report}");
    assert!((0..20).any(|seed| std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| tuned.sample(seed))).is_err()));
}

/// Each key had a filter that went through thousands of lists.
#[test]
fn what_filters_go_through_is_limited_for_the_whole_value() {
    let n_asked = AtomicU32::new(0);
    let keys = array_of::<13, _>(within(0..=1u8)).filter(|_| {
        n_asked.fetch_add(1, Ordering::Relaxed);
        true
    });
    let map: BTreeMap<[u8; 13], bool> =
        (0..14).map(|place| (std::array::from_fn(|at| u8::from(at < place)), true)).collect();
    let error = map_of(keys, any::<bool>(), ..).ways_of(&map).probability().unwrap_err();
    assert!(error.to_string().contains("answers in them"), "{error}");
    assert!(n_asked.load(Ordering::Relaxed) < 30_000, "{n_asked:?}");
}

/// Each size that was tried for the one generator tried all sizes for the other, and each of these
/// two hundred lengths.
#[test]
fn first_parts_that_are_tried_in_vain_are_counted_for_all_ways_to_read_a_text() {
    let n_bound = AtomicU32::new(0);
    let lists = |_| {
        let of_length = |length: &usize| {
            n_bound.fetch_add(1, Ordering::Relaxed);
            vec_of(0..10_u8, *length)
        };
        (0..=5_usize).bind_with_focus(of_length, |list: &Vec<u8>| Some(list.len()))
    };
    let lists = sized(|_| sized(lists));
    assert_eq!(lists.read("[1, 2, 3]").unwrap(), [1, 2, 3]);
    n_bound.store(0, Ordering::Relaxed);
    assert!(lists.read("[1, 2, 30]").is_err());
    // Once to read it, and once to say why it cannot be read.
    assert!(n_bound.load(Ordering::Relaxed) <= 4000, "{n_bound:?}");
}

/// A pick that has to end took the arm that ends, where a derivative had fixed another one.
#[test]
fn the_first_choice_of_a_derivative_is_made_also_where_a_value_has_to_end() {
    let (_, after) = shrink_to(9, 0..5).gradient().nth(2).unwrap();
    let inner = lazy(move || after.clone());
    let outer = lazy(move || inner.clone()).resize(0);
    assert_eq!(outer.sample(1), 2);
}

/// What stands behind a changed item of a set became another list, and shorter ones were left out.
#[test]
fn a_set_of_lists_is_not_called_minimal_while_a_simpler_one_was_not_tried() {
    let sets = set_of(subsequence_of([0, 1, 2], ..), 1..=2);
    let fails = |set: &BTreeSet<Vec<i32>>| *set == [vec![1, 2]].into() || *set == [vec![0], vec![1]].into();
    for seed in 0..10 {
        let check = Check::new().with(Settings::new().exhaustive(false)).save(false).seed(seed).cases(300);
        let Some(report) = check.failure(sets, |set| !fails(&set)) else { continue };
        assert!(!report.contains("minimal case (") || report.contains("{[0], [1]}"), "{report}");
    }
}

/// The fixed choice of a derivative was recorded where it is a step of a shrink tree.
#[test]
fn the_fixed_step_of_a_derivative_is_not_recorded() {
    let steps = from_shrink_tree(ShrinkTree::unfold(3_u8, |number| number.checked_sub(1)));
    let (_, after) = steps.gradient().next().unwrap();
    assert_eq!(after.replay_exact(&after.sample_choices(1)).unwrap().0, 3);
}

/// The items that were made up took steps of the hand-written shrinker, to values that the
/// generator cannot make.
#[test]
fn different_items_are_made_up_without_steps_of_a_shrinker() {
    let lists = vec_of(exact(1), ..).shrink_with(|list| (!list.is_empty()).then(|| vec![2; list.len() - 1]));
    let laws = Laws::default().cases(10);
    laws.check(&map_of(lists.clone(), exact(1), 3));
    laws.check(&set_of(lists.clone().named("lists").resize(3), 3));
    // Only steps lead to the values below the root of a tree.
    let tree = from_shrink_tree(ShrinkTree::unfold(20, |number| (0..*number).rev()));
    laws.without_reading().check(&set_of(tree, 3));
    // Sizes go on counting upward.
    let by_size = set_of(sized(exact), 3).resize(0);
    assert!(by_size.sample(1).iter().all(|size| *size < 10));
}

/// Each duplicate in a set was a search of its own, for another value where there is none.
#[test]
fn a_set_of_values_that_are_searched_for_is_quick_where_there_are_few() {
    let n_made = AtomicU32::new(0);
    let count = |number: u8| {
        n_made.fetch_add(1, Ordering::Relaxed);
        number
    };
    for range in [7..=7, 0..=99] {
        n_made.store(0, Ordering::Relaxed);
        let lucky = within(range).map(count).satisfying(|number| number % 10 == 7);
        let check = Check::new().with(Settings::new().exhaustive(false)).save(false).seed(1).cases(60);
        assert_eq!(check.failure(set_of(lucky, ..), |set| set.len() <= 10), None);
        assert!(n_made.load(Ordering::Relaxed) <= 30_000, "{n_made:?}");
    }
}
