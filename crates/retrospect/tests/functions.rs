//! Generated functions: what they shrink to and in how many runs, what they print and read, what
//! tells inputs apart, threads, errors, and properties that take them.

use retrospect::generator::FunctionOf;
use retrospect::laws::Laws;
use retrospect::prelude::*;
use retrospect::source::Source;
use std::collections::HashMap;
use std::fmt::Debug;

/// How often a value of a random seed is shrunk.
const SEEDS: usize = 200;

/// Shrinks values of many seeds that fail. All must come to one of `expected`, but for `others` of
/// them, in no more runs than `mean` and `most`.
#[track_caller]
fn shrinks<G: Generator>(
    generator: G,
    fails: impl Fn(&G::Value) -> bool,
    expected: &[&str],
    others: usize,
    [mean, most]: [u64; 2],
) {
    let mut found: Vec<(String, usize)> = Vec::new();
    let (mut runs, mut most_runs, mut seed) = (0, 0, 0);
    for _ in 0..SEEDS {
        let value = loop {
            seed += 1;
            assert!(seed < 100_000, "too few of the values fail");
            let value = generator.sample(seed);
            if fails(&value) {
                break value;
            }
        };
        let smallest = generator.shrink(value, &fails).unwrap();
        assert!(fails(&smallest.value), "{:?}", smallest.value);
        let n_runs = smallest.runs - smallest.searched;
        runs += n_runs;
        most_runs = most_runs.max(n_runs);
        // What is printed is the function.
        let text = format!("{:?}", smallest.value);
        assert!(fails(&generator.read(&text).unwrap()), "{text}");
        match found.iter_mut().find(|(other, _)| *other == text) {
            Some((_, times)) => *times += 1,
            None => found.push((text, 1)),
        }
    }
    found.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    let n_others: usize =
        found.iter().filter(|(text, _)| !expected.contains(&text.as_str())).map(|(_, times)| times).sum();
    println!("{} runs on average, {most_runs} at most: {found:?}", runs / SEEDS as u64);
    assert!(n_others <= others, "{n_others} are others: {found:?}");
    assert!(runs <= mean * SEEDS as u64, "{} runs on average", runs / SEEDS as u64);
    assert!(most_runs <= most, "{most_runs} runs at most");
}

#[test]
fn one_function_shrinks_to_the_fewest_entries() {
    shrinks(any::<Function<bool, bool>>(), |f| f.call(&false) == f.call(&true), &["{_ => false}"], 0, [1, 1]);
    let expected = ["{10 => true, _ => false}"];
    shrinks(any::<Function<u8, bool>>(), |f| f.call(&10) && !f.call(&20), &expected, 0, [5, 8]);
    let expected = ["{1618 => true, _ => false}", "{3142 => true, _ => false}"];
    shrinks(any::<Function<i64, bool>>(), |f| f.call(&1618) != f.call(&3142), &expected, 0, [5, 8]);
    let expected = ["{0 => 1, _ => 0}", "{1 => 1, _ => 0}"];
    shrinks(any::<Function<i64, i64>>(), |f| f.call(&0) != f.call(&1), &expected, 0, [7, 10]);
    let expected = [r#"{"abc" => true, _ => false}"#];
    shrinks(any::<Function<str, bool>>(), |f| f.call("abc") && !f.call("def"), &expected, 0, [5, 8]);
}

#[test]
fn a_function_follows_the_arguments_that_shrink() {
    shrinks(any::<(Function<i64, bool>, i64)>(), |(f, x)| f.call(x), &["({_ => true}, 0)"], 0, [2, 4]);
    shrinks(any::<(Function<i64, i64>, i64)>(), |(f, x)| f.call(x) > 100, &["({_ => 101}, 0)"], 0, [25, 30]);
    let expected = ["({0 => true, _ => false}, [0, 1])", "({1 => true, _ => false}, [0, 1])"];
    let is_mixed = |f: &Function<i64, bool>, list: &[i64]| list.iter().any(|x| f.call(x) != f.call(&list[0]));
    shrinks(any::<(Function<i64, bool>, Vec<i64>)>(), |(f, list)| is_mixed(f, list), &expected, 5, [35, 60]);
    let expected = ["([0, 1], {0 => true, _ => false})", "([0, 1], {1 => true, _ => false})"];
    shrinks(any::<(Vec<i64>, Function<i64, bool>)>(), |(list, f)| is_mixed(f, list), &expected, 5, [35, 60]);
    let expected = ["({0 => 1, _ => 0}, 0)"];
    shrinks(any::<(Function<i64, i64>, i64)>(), |(f, x)| f.call(&f.call(x)) != f.call(x), &expected, 0, [15, 25]);
    let expected = ["({_ => 0}, 0, 1)"];
    shrinks(any::<(Function<u8, u8>, u8, u8)>(), |(f, a, b)| a != b && f.call(a) == f.call(b), &expected, 0, [8, 12]);
    let turned = |(f, list): &(Function<Vec<u8>, bool>, Vec<u8>)| {
        let mut other = list.clone();
        other.reverse();
        f.call(list) != f.call(&other)
    };
    let expected = ["({[0, 1] => true, _ => false}, [0, 1])", "({[1, 0] => true, _ => false}, [0, 1])"];
    shrinks(any::<(Function<Vec<u8>, bool>, Vec<u8>)>(), turned, &expected, 0, [35, 60]);
}

#[test]
fn two_functions_that_do_not_commute() {
    let expected = ["({_ => 0}, {_ => 1}, 0)"];
    shrinks(
        any::<(Function<i64, i64>, Function<i64, i64>, i64)>(),
        |(f, g, x)| f.call(&g.call(x)) != g.call(&f.call(x)),
        &expected,
        0,
        [10, 15],
    );
    let expected = [
        "({_ => 1}, {0 => true, _ => false}, [0])",
        "({_ => 1}, {1 => true, _ => false}, [0])",
        "({_ => 0}, {0 => true, _ => false}, [1])",
        "({_ => 0}, {1 => true, _ => false}, [1])",
    ];
    shrinks(
        tuple((any::<Function<i64, i64>>(), any::<Function<i64, bool>>(), vec_of(any::<i64>(), ..=20))),
        |(f, is_kept, list)| {
            let mapped: Vec<i64> = list.iter().map(f.as_fn()).filter(is_kept.as_fn()).collect();
            let kept: Vec<i64> = list.iter().copied().filter(is_kept.as_fn()).map(|x| f.call(&x)).collect();
            mapped != kept
        },
        &expected,
        0,
        [35, 60],
    );
}

#[test]
fn functions_of_two_arguments() {
    let expected = [
        "({(0, 1) => 1, _ => 0}, 1, [0])",
        "({(1, 0) => 1, _ => 0}, 1, [0])",
        "({(0, 1) => 1, _ => 0}, 0, [1])",
        "({(1, 0) => 1, _ => 0}, 0, [1])",
    ];
    shrinks(
        tuple((any::<Function<(i64, i64), i64>>(), any::<i64>(), vec_of(any::<i64>(), ..=12))),
        |(f, start, list)| {
            let from_left = list.iter().fold(*start, |sum, x| f.call2(&sum, x));
            let from_right = list.iter().rev().fold(*start, |sum, x| f.call2(x, &sum));
            from_left != from_right
        },
        &expected,
        // `({(0, 1) => 0, _ => 1}, 0, [0, 0])` is as simple.
        15,
        [90, 160],
    );
}

#[test]
fn functions_of_functions_become_tables_too() {
    let smallest = any::<Function<u8, Function<u8, bool>>>();
    for seed in 0..50 {
        let fails = |f: &Function<u8, Function<u8, bool>>| f.call(&1).call(&2) && !f.call(&2).call(&1);
        let value = smallest.sample(seed);
        if fails(&value) {
            let text = format!("{:?}", smallest.shrink(value, fails).unwrap().value);
            assert!(
                ["{1 => {_ => true}, _ => {_ => false}}", "{_ => {2 => true, _ => false}}"].contains(&text.as_str()),
                "{text}"
            );
        }
    }
}

/// Reading gives back what prints.
#[track_caller]
fn reads<A: ?Sized + Debug, B: Clone + Debug + 'static>(generator: &FunctionOf<A, B>, text: &str) -> Function<A, B> {
    let function = generator.read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(format!("{function:?}"), text);
    assert_eq!(generator.read(&format!("{function:#?}")).unwrap(), function);
    let choices = generator.choices_of(&function).unwrap();
    assert_eq!(generator.replay(&choices), function);
    assert_eq!(generator.replay_exact(&choices).unwrap(), (function.clone(), 0));
    assert_eq!(choices.to_string().parse::<Choices>().unwrap(), choices);
    Laws::default().verify_value(generator, &function).unwrap_or_else(|broken| panic!("{broken}"));
    function
}

#[test]
fn what_is_printed_is_read_back() {
    let f = reads(&any::<Function<i64, bool>>(), "{3 => true, -4 => false, _ => false}");
    assert_eq!([3, -4, 5].map(|x| f.call(&x)), [true, false, false]);
    let f = reads(&any::<Function<(u8, String), Vec<u8>>>(), r#"{(3, "a => b") => [1, 2], (0, "_") => [], _ => [7]}"#);
    assert_eq!(f.call2(&3, &"a => b".to_owned()), [1, 2]);
    assert!(f.call(&(0, "_".to_owned())).is_empty());
    assert_eq!(f.call2(&4, &String::new()), [7]);
    reads(&any::<Function<[u8], ()>>(), "{[3, 1, 4, 2] => (), _ => ()}");
    reads(&any::<Function<Option<u8>, Function<u8, bool>>>(), "{None => {1 => true, _ => false}, _ => {_ => true}}");
    let drawn = reads(&any::<Function<u8, u8>>(), "{3 => 4, _ => drawn(18)}");
    assert_eq!(drawn.call(&3), 4);
    let same = any::<Function<u8, u8>>().read("{_ => drawn(18)}").unwrap();
    assert!((4..50).all(|x| same.call(&x) == drawn.call(&x)));
    let pretty = format!("{:#?}", any::<Function<u8, Option<u8>>>().read("{3 => Some(1), _ => None}").unwrap());
    assert_eq!(pretty, "{\n    3 => Some(\n        1,\n    ),\n    _ => None,\n}");
}

#[test]
fn the_laws_hold() {
    laws::check(&any::<Function<i64, bool>>());
    laws::check(&any::<Vec<(Function<String, Option<u8>>, bool)>>());
    laws::check(&any::<Function<u8, Function<u8, Vec<u8>>>>());
    laws::check(&function_of::<str, u8>(within(0..10).filter(|number| number % 2 == 0)));
    // Forward only, as its outputs are.
    Laws::default().forward_only().check(&function_of::<u8, u8>(any::<u8>().map(|number| number / 2)));
}

#[test]
fn what_cannot_be_read_says_why() {
    let error = |text: &str| function_of::<i64, u8>(0..10).read(text).unwrap_err().to_string();
    assert_eq!(
        error("{3 => 12, _ => 0}"),
        "this generator cannot make the part `[0].value`, which is 12: 12 is not in 0..10"
    );
    assert_eq!(
        error("{3 => 1, _ => 12}"),
        "this generator cannot make the part `[_].value`, which is 12: 12 is not in 0..10"
    );
    assert_eq!(
        error("{3 => 1, 4 => 1, 3 => 2, _ => 0}"),
        "this generator cannot make the part `[2].key`, which is 3: it is an input of the function already"
    );
    assert_eq!(
        error("{3: 1}"),
        "this generator cannot make {3: 1}: expected a function such as `{3 => 1, _ => 0}`, not a map of 1 entry"
    );
    assert_eq!(
        error("{3 => 1}"),
        "1:8: nothing says what all other inputs give\n    {3 => 1}\n           ^\nadd the default at the end, as in `{a => 1, _ => 0}`; `_ => _` leaves it open"
    );
    assert_eq!(error("{3 => _, _ => 0}"), "the text has holes: `fill` it, or write values in place of `_`");
    let f = any::<Function<i64, u8>>().read("{3 => 12, _ => 0}").unwrap();
    assert_eq!(function_of::<i64, u8>(0..10).choices_of(&f).unwrap_err().path(), "[0].value");
}

#[test]
fn holes_are_filled() {
    let functions = function_of::<u8, u8>(1..=9);
    for seed in 0..20 {
        let f = functions.fill("{3 => _, _ => 5}", seed).unwrap();
        assert!((1..=9).contains(&f.call(&3)) && f.call(&4) == 5);
        let f = functions.fill("{3 => 7, _ => _}", seed).unwrap();
        assert!(f.call(&3) == 7 && (0..50).map(|x| f.call(&x)).all(|output| output > 0));
        assert!((1..=9).contains(&functions.fill("_", seed).unwrap().call(&0)));
    }
    let different = |seed| (0..50).map(|x| functions.fill("{_ => _}", seed).unwrap().call(&x)).collect::<Vec<_>>();
    assert_ne!(different(1), different(2));
}

#[test]
fn inputs_are_told_apart_by_what_they_print() {
    // Of this seed, outputs hardly ever meet.
    const DRAWN: &str = "{_ => drawn(1)}";
    let f = any::<Function<f64, u64>>().read(DRAWN).unwrap();
    assert_eq!(f.call(&f64::NAN), f.call(&-f64::NAN.abs()));
    assert_ne!(f.call(&0.0), f.call(&-0.0));
    // The order of a hash map is another one in each map.
    let f = any::<Function<HashMap<u8, u8>, u64>>().read(DRAWN).unwrap();
    let map = || (0..50).map(|key| (key, key + 1)).collect::<HashMap<u8, u8>>();
    assert!((0..20).all(|_| f.call(&map()) == f.call(&map())));
    let f = any::<Function<HashMap<u8, u8>, bool>>().read("{{2: 3, 1: 2} => true, _ => false}").unwrap();
    assert!(f.call(&HashMap::from([(1, 2), (2, 3)])) && !f.call(&HashMap::from([(1, 3), (2, 2)])));
    // As people write it.
    let f = any::<Function<Option<u32>, bool>>().read("{ Option::Some( 1_000u32 )=>true,_=>false }").unwrap();
    assert!(f.call(&Some(1000)) && !f.call(&Some(100)));
    // What cannot be read is told apart too.
    struct Raw(&'static str);
    impl Debug for Raw {
        fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str(self.0)
        }
    }
    let f = any::<Function<Raw, u64>>().read(DRAWN).unwrap();
    assert_eq!(f.call(&Raw("<a, b")), f.call(&Raw("<a, b")));
    assert_ne!(f.call(&Raw("<a, b")), f.call(&Raw("<a, c")));
    assert_ne!(f.call(&Raw("")), f.call(&Raw(" (")));
}

#[test]
fn some_functions_give_one_output_to_many_inputs() {
    let outputs = |seed| {
        let f = any::<Function<u32, u64>>().sample(seed);
        let mut outputs: Vec<u64> = (0..100).map(|x| f.call(&x)).collect();
        outputs.sort_unstable();
        outputs.dedup();
        outputs.len()
    };
    let counts: Vec<usize> = (0..400).map(outputs).collect();
    let share = |range: std::ops::RangeInclusive<usize>| counts.iter().filter(|count| range.contains(count)).count();
    assert!((5..60).contains(&share(1..=1)), "{counts:?}");
    assert!((60..140).contains(&share(2..=3)), "{counts:?}");
    assert!(share(30..=100) > 200, "{counts:?}");
}

#[test]
fn neither_the_order_of_calls_nor_the_thread_matters() {
    let functions = any::<Function<usize, Vec<u8>>>();
    for seed in 0..20 {
        let in_order = functions.sample(seed);
        let expected: Vec<Vec<u8>> = (0..200).map(|x| in_order.call(&x)).collect();
        let shared = functions.sample(seed);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (call, expected) = (shared.as_fn(), &expected);
                scope.spawn(move || {
                    for x in (0..200).rev() {
                        let x = (x * 7 + thread * 50) % 200;
                        assert_eq!(call(&x), expected[x]);
                    }
                });
            }
        });
    }
    fn is_shared<T: Send + Sync + Clone>(_: &T) {}
    is_shared(&functions.sample(1));
    is_shared(&functions.sample(1).as_fn());
}

#[test]
fn a_failure_on_other_threads_shrinks_as_well() {
    let report = Check::new().seed(1).save(false).failure_of_case(|case| {
        let f = case.draw_named("f", any::<Function<u8, bool>>());
        let list = case.draw_named("list", vec_of(any::<u8>(), ..));
        let outputs: Vec<bool> = std::thread::scope(|scope| {
            let threads: Vec<_> = list.iter().map(|x| scope.spawn(|| f.call(x))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(outputs.iter().all(|output| *output == outputs[0]));
    });
    let report = report.unwrap();
    assert!(report.contains("let list = [0, 1];"), "{report}");
    let expected = ["let f    = {0 => true, _ => false};", "let f    = {1 => true, _ => false};"];
    assert!(expected.iter().any(|expected| report.contains(expected)), "{report}");
}

#[test]
fn a_hundred_thousand_inputs() {
    let functions = any::<Function<u32, u32>>();
    let f = functions.read("{_ => drawn(1)}").unwrap();
    let outputs: Vec<u32> = (0..100_000).map(|x| f.call(&x)).collect();
    assert!((0..100_000).step_by(997).all(|x| f.call(&x) == outputs[x as usize]));
    let entries: String = outputs.iter().enumerate().map(|(x, output)| format!("{x} => {output}, ")).collect();
    let table = functions.read(&format!("{{{entries}_ => 0}}")).unwrap();
    assert_eq!(table.call(&99_999), outputs[99_999]);
    let choices = functions.choices_of(&table).unwrap();
    assert_eq!(functions.replay(&choices), table);
    // All of ten thousand are asked, and only one matters.
    let fails = |f: &Function<u32, u32>| (0..10_000).map(|x| f.call(&x)).max() > Some(1_000_000);
    let smallest = functions.shrink(f, fails).unwrap();
    assert!(fails(&smallest.value));
    assert!(format!("{:?}", smallest.value).len() < 100, "{:?}", smallest.value);
}

#[test]
fn an_output_that_cannot_be_drawn_says_why() {
    let message = |f: Function<u8, u8>| {
        let thrown = std::panic::catch_unwind(|| f.call(&3)).unwrap_err();
        *thrown.downcast::<String>().unwrap()
    };
    let none = function_of::<u8, u8>(any::<u8>().filter(|_| false));
    let told = message(none.read("{_ => drawn(1)}").unwrap());
    assert!(
        told.starts_with(
            "a generated function has no output for 3, since it cannot be drawn: the filter at crates/retrospect/tests/functions.rs:"
        ) && told.ends_with("or search for them with `satisfying`"),
        "{told}"
    );
    #[expect(clippy::reversed_empty_ranges)]
    let empty = function_of::<u8, u8>(9..3);
    assert_eq!(
        message(empty.read("{_ => drawn(1)}").unwrap()),
        "a generated function has no output for 3, since it cannot be drawn: the range 9..3 is empty: its lower end is not below its upper end"
    );
    // The simplest function needs an output.
    assert!(empty.try_replay(&Choices::default()).unwrap_err().to_string().starts_with("the range 9..3 is empty"));
    // A generator that panics does so where the function is called, and the function can be used
    // again.
    let picky = function_of::<u8, u8>(any::<u8>().map(|number| if number > 128 { panic!("{number}") } else { number }));
    let f = picky.read("{_ => drawn(1)}").unwrap();
    let outputs: Vec<bool> =
        (0..50).map(|x| std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| f.call(&x))).is_ok()).collect();
    assert!(outputs.contains(&true) && outputs.contains(&false));
    // One that goes deep has the same room as elsewhere.
    #[derive(Clone, Debug, Generate)]
    enum Tree {
        Leaf,
        Node(Box<Tree>, Box<Tree>),
    }
    let f = any::<Function<u8, Tree>>().sample(1);
    assert!((0..100).any(|x| matches!(f.call(&x), Tree::Node(left, _) if matches!(*left, Tree::Node(..)))));
}

#[derive(Clone, Debug, PartialEq, Generate)]
struct Rule {
    name: Option<bool>,
    applies: Function<i64, bool>,
}

#[property(save = false, seed = 3, expect_failure)]
fn filters_forget_nothing(is_kept: Function<i64, bool>, xs: Vec<i64>) {
    assert_eq!(xs.iter().filter(|x| is_kept.call(x)).count(), xs.len());
}

#[property(save = false, seed = 3)]
fn maps_compose(f: Function<u8, String>, g: Function<String, bool>, xs: Vec<u8>) {
    let twice: Vec<bool> = xs.iter().map(f.as_fn()).map(|x| g.call(&x)).collect();
    let once: Vec<bool> = xs.iter().map(|x| g.call(&f.call(x))).collect();
    assert_eq!(twice, once);
}

#[test]
fn a_property_takes_functions_like_other_values() {
    let report = Check::new().save(false).failure(any::<Vec<Rule>>(), |rules| {
        assert!(rules.iter().filter(|rule| rule.applies.call(&7)).count() < 2);
    });
    let report = report.unwrap();
    let expected =
        "let value = [Rule { name: None, applies: {_ => true} }, Rule { name: None, applies: {_ => true} }];";
    assert!(report.contains(expected), "{report}");
    assert!(any::<Rule>().read("Rule { name: None, applies: {3 => true, _ => false} }").unwrap().applies.call(&3));
}

#[test]
fn without_time_to_shrink_a_function_still_shows_what_it_was_asked() {
    let settings = retrospect::runner::Settings::new().shrink_runs(0);
    let report = Check::new().with(settings).save(false).failure_of_case(|case| {
        let f = case.draw_named("f", function_of::<u8, u64>(1000..));
        assert!(f.call(&3) == f.call(&200));
    });
    let report = report.unwrap();
    assert!(report.contains("=> ") && !report.contains("drawn("), "{report}");
}

#[test]
fn a_function_thrown_away_by_a_filter_is_not_taken_for_another() {
    let fits = |f: &Function<u8, u8>| f.call(&0) > 100;
    let picky = any::<Function<u8, u8>>().filter(fits);
    let generator = tuple((picky, any::<Function<u8, u8>>(), any::<u8>()));
    for seed in 0..50 {
        let fails = |(f, g, x): &(Function<u8, u8>, Function<u8, u8>, u8)| f.call(&0) > 100 && g.call(x) > 7;
        let value = generator.sample(seed);
        if fails(&value) {
            let smallest = generator.shrink(value, fails).unwrap();
            assert_eq!(format!("{:?}", smallest.value), "({_ => 101}, {_ => 8}, 0)");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_function_recorded_or_not() {
    let functions = any::<Function<String, i64>>();
    for seed in 0..50 {
        let mut source = Source::recording(seed);
        let recorded = functions.generate(&mut source).unwrap();
        let (plain, replayed) = (functions.sample(seed), functions.replay(&source.into_choices()));
        for input in ["", "a", "abc"].map(str::to_owned) {
            assert_eq!(plain.call(&input), recorded.call(&input));
            assert_eq!(plain.call(&input), replayed.call(&input));
        }
    }
}

/// Outputs must be the same in every release of a minor version, on every platform.
#[test]
fn outputs_are_pinned() {
    let f = any::<Function<(u8, &str), u16>>().read("{_ => drawn(7)}").unwrap();
    let outputs: Vec<u16> = (0..6).map(|x| f.call(&(x, "a"))).collect();
    insta::assert_snapshot!(format!("{outputs:?}"), @"[14, 2, 56056, 2, 20, 46398]");
}
