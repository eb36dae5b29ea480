//! `#[generator]`: bodies that are out of the ordinary.
#![deny(warnings, missing_docs, clippy::all)]
#![forbid(unsafe_code)]

use retrospect::prelude::*;
use std::fmt::Debug;

fn check<G: Generator>(generator: &G)
where
    G::Value: PartialEq + Debug,
{
    for seed in 0..100 {
        let value = generator.sample(seed);
        let choices = generator.sample_choices(seed);
        assert_eq!(generator.choices_of(&value).as_ref(), Ok(&choices), "seed {seed}: {value:?}");
        assert_eq!(generator.replay(&choices), value, "seed {seed}");
        assert_eq!(generator.read(&format!("{value:?}")).unwrap(), value, "seed {seed}");
        assert_eq!(generator.replay_exact(&choices).unwrap(), (value, 0), "seed {seed}");
    }
}

/// Choices whose blocks are left again.
#[generator]
fn through(limit: u8) -> (u8, bool) {
    let flag = draw(any::<bool>());
    match pick() {
        "nothing" => {}
        "checked" => assert!(limit > 0),
        #[weight(if limit > 5 { 1 } else { 0 })]
        "returned" => return (limit, flag),
    }
    if limit > 3 {
        let half = limit / 2;
        if flag && half > 2 {
            return (half, flag);
        }
    }
    let number = draw(0..limit);
    (number, flag)
}

#[test]
fn blocks_that_are_left_again() {
    for limit in [1, 4, 6, 9] {
        let generator = through(limit);
        for seed in 0..100 {
            let value = generator.sample(seed);
            let choices = generator.choices_of(&value).unwrap();
            assert_eq!(generator.replay(&choices), value);
            assert!(generator.ways_of(&value).count().to_string().parse::<u32>().unwrap() >= 1);
        }
    }
}

/// Names that move into a part, and parts inside parts.
#[generator]
fn parts(names: Vec<String>, pairs: Vec<(u8, u8)>) -> (Option<(u8, Vec<u8>)>, Vec<String>, u8) {
    let extra = names.len() as u8;
    let inner = match pick() {
        "none" => None,
        "some" => {
            let owned = names;
            let low = if owned.is_empty() {
                0
            } else {
                match pick() {
                    "zero" => 0,
                    "more" => draw(1..=extra),
                }
            };
            Some((low, draw(vec_of(low..=9, pairs.len()))))
        }
    };
    let last = {
        let step = 3;
        draw(0..step)
    };
    (inner, vec!["a".to_owned(), String::from("b")], last)
}

#[test]
fn parts_inside_parts() {
    check(&parts(vec!["x".to_owned(), "y".to_owned()], vec![(1, 2)]));
    check(&parts(vec![], vec![]));
}

#[derive(Debug, Clone, PartialEq)]
enum Shape<T> {
    Unit,
    Pair(T, T),
    Named { value: Option<Result<T, ()>>, ratio: f64 },
}

mod nested {
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub(crate) struct Wrapped(pub(crate) i64, pub(crate) [u8; 2]);
    pub(crate) const WIDTH: i64 = 7;
}

#[generator]
fn shapes(key: Option<i64>, wrapped: nested::Wrapped) -> (Shape<nested::Wrapped>, ()) {
    if let Some(number @ 0..=9) = key {
        let nested::Wrapped(first, [low, high]) = wrapped;
        assert!(first <= 100, "{first} {low} {high}");
        return (Shape::Pair(wrapped, nested::Wrapped(number, [low, draw(low..=high)])), ());
    }
    match key {
        None => (Shape::Unit, ()),
        Some(number) if number > 100 => (Shape::<nested::Wrapped>::Named { value: None, ratio: -0.5 }, ()),
        Some(number) => {
            if number == 50 {
                return (Shape::Named { value: Some(Err(())), ratio: f64::MAX }, ());
            }
            let [low, high] = draw(ordered());
            let inner = nested::Wrapped(nested::WIDTH, [low, high]);
            if inner.0 > number {
                unreachable!()
            } else {
                (Shape::Named { value: Some(Ok(nested::Wrapped(nested::WIDTH, [low, high]))), ratio: 1e3 }, ())
            }
        }
    }
}

#[generator]
fn ordered() -> [u8; 2] {
    let low = draw(0..=9);
    [low, draw(low..=9)]
}

#[test]
fn tails_of_all_kinds() {
    for key in [None, Some(3), Some(50), Some(60), Some(200)] {
        check(&shapes(key, nested::Wrapped(4, [2, 5])));
    }
    let value = (Shape::Named { value: None, ratio: 0.5 }, ());
    assert_eq!(
        shapes(Some(200), nested::Wrapped(4, [2, 5])).choices_of(&value).unwrap_err().to_string(),
        "this generator cannot make the part `.0.Named.ratio`, which is 0.5: expected -0.5, not 0.5"
    );
}

// What is found by a focus is read by the type alone.

#[derive(Debug, Clone, PartialEq, Generate)]
enum Level {
    End,
    Step(Box<Level>, u8),
}

fn depth(level: &Level) -> u8 {
    match level {
        Level::End => 0,
        Level::Step(inner, _) => 1 + depth(inner),
    }
}

#[generator]
fn levels() -> Level {
    #[focus(depth(it))]
    let depth = draw(0..=20u8);
    draw(level(depth))
}

#[generator]
fn level(depth: u8) -> Level {
    match depth {
        0 => Level::End,
        depth => Level::Step(Box::new(draw(level(depth - 1))), depth),
    }
}

#[test]
fn reading_under_a_focus() {
    check(&levels());
    assert_eq!(
        levels().read("Step(Step(End, 9), 2)").unwrap_err().to_string(),
        "this generator cannot make Step(Step(End, 9), 2): in its part `Step.0.Step.1`, which is 9: expected 1 (`depth`), not 9"
    );
    assert!(levels().fill("Step(Step(Step(_, _), _), 3)", 1).is_ok());
}

// Costs.

#[derive(Debug, Clone, PartialEq)]
enum Sum {
    Number(i8),
    Binary(char, Box<Sum>, Box<Sum>),
}

#[generator]
fn additions(depth: u32) -> Sum {
    if depth == 0 {
        return Sum::Number(draw(any::<i8>()));
    }
    match pick() {
        "minus" => Sum::Binary('-', Box::new(draw(additions(depth - 1))), Box::new(draw(additions(depth - 1)))),
        "times" => Sum::Binary('*', Box::new(draw(additions(depth - 1))), Box::new(draw(additions(depth - 1)))),
        "plus" => Sum::Binary('+', Box::new(draw(additions(depth - 1))), Box::new(draw(additions(depth - 1)))),
    }
}

#[test]
fn literals_are_compared_before_parts() {
    // Without that, each level would look at its parts three times.
    let generator = additions(13);
    let value = generator.sample(3);
    assert_eq!(generator.choices_of(&value).unwrap(), generator.sample_choices(3));
    assert_eq!(generator.read(&format!("{value:?}")).unwrap(), value);
}

/// Two ways to the same generator at each step.
#[generator]
fn either_way(steps: u32) -> u8 {
    if steps == 0 {
        return 1;
    }
    match pick() {
        "one" => draw(either_way(steps - 1)),
        "other" => draw(either_way(steps - 1)),
    }
}

/// The same around a part, which each way looks at before it fails.
#[generator]
fn wrapped_either_way(steps: u32) -> (Box<(u8, u8)>, u8) {
    match pick() {
        "one" => (Box::new((draw(either_way(steps)), draw(either_way(steps)))), 1),
        "other" => (Box::new((draw(either_way(steps)), draw(either_way(steps)))), 2),
    }
}

#[test]
fn what_was_looked_at_in_vain_is_remembered() {
    // Otherwise this would take 2^60 steps.
    assert!(either_way(60).accepts(&1) && !either_way(60).accepts(&2));
    assert!(either_way(60).choices_of(&2).is_err());
    let wrapped = wrapped_either_way(60);
    assert!(wrapped.accepts(&(Box::new((1, 1)), 2)));
    assert!(!wrapped.accepts(&(Box::new((1, 2)), 2)) && !wrapped.accepts(&(Box::new((1, 1)), 3)));
}

#[derive(Debug)]
enum Chain {
    End,
    Link(Box<Chain>),
}

#[generator]
fn chains(length: u32) -> Chain {
    match length {
        0 => Chain::End,
        length => Chain::Link(Box::new(draw(chains(length - 1)))),
    }
}

#[test]
fn deep_values() {
    retrospect::with_deep_stack(|| {
        let generator = chains(100_000);
        let value = generator.sample(1);
        assert!(generator.accepts(&value));
        let text = format!("{value:?}");
        assert!(generator.read(&text).is_ok());
    });
}

/// A generator written inside another, with draws of its own.
#[generator]
fn climbing(steps: usize) -> Vec<u8> {
    draw(sequence_of(
        0u8,
        ..=steps,
        |low| {
            Some(generator_of!(|low: u8| -> u8 {
                match pick() {
                    "same" => low,
                    "up" => draw(low..=200),
                }
            })(*low))
        },
        |_, item| *item,
    ))
}

#[test]
fn a_generator_inside_a_generator() {
    laws::check(&climbing(6));
    assert!(climbing(6).accepts(&vec![3, 3, 7]) && !climbing(6).accepts(&vec![3, 2]));
}

struct Dice;

impl Dice {
    fn sides() -> impl Generator<Value = u8> {
        #[generator]
        fn sides() -> u8 {
            draw(1..=6)
        }
        sides()
    }
}

#[test]
fn a_generator_stands_in_a_function_of_an_impl() {
    assert!(Dice::sides().accepts(&6) && !Dice::sides().accepts(&7));
}
