//! Generators that panic: the report shows the message, its place and the values so far, and the
//! case is shrunk and replayed like any other.

use retrospect::prelude::*;
use retrospect::runner::settings::Settings;
use retrospect::source::Source;
use std::collections::{BTreeMap, BTreeSet};

/// A number that panics from 5 on.
fn small(number: u8) -> u8 {
    assert!(number < 5, "{number} is too large");
    number
}

fn numbers() -> impl Generator<Value = u8> + Clone {
    within(0..=9u8).map(small)
}

/// Pairs are two nodes until their bracket is closed.
#[generator]
fn pair() -> (bool, u8) {
    let first = draw(any::<bool>());
    let second = draw(numbers());
    (first, second)
}

#[generator]
fn tree() -> Tree {
    match pick() {
        "leaf" => Tree(draw(numbers()), None),
        "node" => {
            let below = draw(tree());
            let number = draw(numbers());
            Tree(number, Some(Box::new(below)))
        }
    }
}

#[derive(Clone, Debug)]
struct Tree(u8, Option<Box<Tree>>);

/// What is reported of a property whose generator panics, and of the same run once more.
fn report<G: Generator>(generator: G) -> String {
    let run = || {
        Check::new().with(Settings::new().seed(7).save(false)).failure_of_case(|case| {
            let before = case.draw_named("before", 0..=3);
            let value = case.draw_named("value", &generator);
            drop((before, value));
        })
    };
    // How long it took, what was tried in that time, and the turn in which the check ran, differ.
    let timeless = |report: String| -> String {
        let is_timed = |line: &str| line.contains(" choices left") || line.contains("go on shrinking");
        let lines = report.lines().filter(|line| !is_timed(line));
        lines.map(|line| line.find("RETROSPECT_REPLAY").map_or(line, |at| &line[at..])).collect()
    };
    let report = run().expect("it panics");
    assert_eq!(run().map(timeless), Some(timeless(report.clone())), "the same seed gives the same report");
    report
}

#[track_caller]
fn is_told<G: Generator>(generator: G) {
    let report = report(generator);
    assert!(report.contains("5 is too large"), "{report}");
    assert!(report.contains("tests/panics.rs:11:5"), "{report}");
    assert!(report.contains("let before = 0;"), "{report}");
    assert!(report.contains("value"), "{report}");
}

#[test]
fn a_panic_inside_any_generator_is_told_and_shrunk() {
    is_told(numbers());
    is_told(vec_of(numbers(), ..));
    is_told(vec_of(pair(), ..));
    is_told(vec_of(vec_of(vec_of(pair(), ..), 1..), ..));
    is_told(vec_of(tree(), ..));
    is_told(tuple((any::<String>(), numbers(), any::<u8>())));
    is_told(vec_of(tuple((any::<bool>(), vec_of(numbers(), ..))), ..));
    is_told(map_of(numbers(), pair(), ..).map(|map: BTreeMap<u8, (bool, u8)>| map));
    is_told(set_of(pair(), ..).map(|set: BTreeSet<(bool, u8)>| set));
    is_told(option_of(vec_of(pair(), 3)));
    is_told(array_of(pair()).map(|array: [(bool, u8); 3]| array));
    is_told(one_of((vec_of(numbers(), 2), vec_of(numbers(), 3))));
    is_told(recursive(|inner| one_of((vec_of(numbers(), ..), inner))));
    is_told(vec_of(within(0..=9u8), ..).map(|list| list.into_iter().map(small).collect::<Vec<_>>()));
    is_told(vec_of(within(0..=9u8).filter(|number| small(*number) < 9), ..));
    is_told(vec_of(vec_of(within(0..=9u8), 2), ..).satisfying(|lists| lists.iter().flatten().all(|n| small(*n) < 9)));
    is_told(vec_of(
        (0..=9u8).bind_with_focus(|number| vec_of(exact(small(*number)), 2), |list| list.first().copied()),
        ..,
    ));
    is_told(string_of('a'..='z', ..).map(|text: String| small(text.len().min(255) as u8)));
    is_told(sequence_of(0u8, .., |state: &u8| Some(within(small(*state)..=9u8)), |_, item| *item));
}

#[test]
fn a_panic_of_a_draw_in_the_body_or_of_a_function_is_told() {
    let report = Check::new().save(false).failure_of_case(|case| {
        for _ in 0..case.draw(0..10usize) {
            let list = case.draw_named("list", vec_of(pair(), ..));
            drop(list);
        }
    });
    let report = report.expect("it panics");
    assert!(report.contains("5 is too large") && report.contains("let draw_1 = "), "{report}");
    let functions = function_of::<u8, u8>(numbers());
    let report = Check::new().save(false).failure(functions, |function| function.call(&3) < 9).expect("it panics");
    assert!(report.contains("is too large") && report.contains("let value = "), "{report}");
}

/// What was recorded until the panic leads to it again, and is a tree like any other.
#[test]
fn what_was_recorded_before_a_panic_is_a_tree() {
    let generator = vec_of(tuple((vec_of(pair(), ..), tree(), string_of('a'..='z', ..))), 1..);
    let mut panics = 0;
    for seed in 0..300 {
        let mut source = Source::recording(seed);
        let message = |caught: Box<dyn std::any::Any + Send>| caught.downcast_ref::<String>().cloned();
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| generator.generate(&mut source)));
        let Err(first) = caught else { continue };
        panics += 1;
        let choices = source.into_choices();
        assert_eq!(choices.to_string().parse::<Choices>().unwrap(), choices);
        let again = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| generator.replay(&choices)));
        assert_eq!(message(again.expect_err("it panics again")), message(first));
    }
    assert!(panics > 100);
}
