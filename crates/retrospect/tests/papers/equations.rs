//! The laws of monads, of profunctors and of partial monadic profunctors (*Reflecting on Random
//! Generation*, 4.1), and lemma A.1 of *Parsing Randomness*.
//!
//! Both sides of an equation make the same values by the same choices, find the same ways back, and
//! are equally likely to draw each value. Choices are compared without their brackets: these say
//! where a part begins, and each combinator puts its own around what it is given.
//!
//! `return` is `exact`, `x >>= f` is `bind_with_focus`, and `lmap f . prune`, which is not aligned
//! by itself, is the way back of `map_with_inverse`.

use crate::agree;
use retrospect::prelude::*;
use retrospect::source::{Odometer, Source};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// Choices without brackets.
fn letters(choices: &Choices) -> Vec<String> {
    choices.sequence().iter().map(ToString::to_string).collect()
}

/// All that a generator makes, with the choices that make it.
fn words<G: Generator<Value: Ord>>(generator: &G) -> BTreeSet<(Vec<String>, G::Value)> {
    let mut odometer = Odometer::new();
    let mut words = BTreeSet::new();
    loop {
        let mut source = Source::asking(&mut odometer);
        if let Ok(value) = generator.generate(&mut source) {
            assert!(words.insert((letters(&source.into_choices()), value)), "no choices come twice");
        }
        if !odometer.advance() {
            return words;
        }
    }
}

/// All ways to make a value.
fn ways<G: Generator>(generator: &G, value: &G::Value) -> Vec<Vec<String>> {
    let mut ways: Vec<_> = generator.ways_of(value).iter().map(|way| letters(&way)).collect();
    ways.sort();
    ways
}

/// Both sides of an equation, on all they make and on `others`, which neither need make.
#[track_caller]
fn equal<T: Clone + Debug + Ord>(
    law: &str,
    left: impl Generator<Value = T>,
    right: impl Generator<Value = T>,
    others: impl IntoIterator<Item = T>,
) {
    let made = words(&left);
    assert_eq!(made, words(&right), "{law}, forward");
    let values: BTreeSet<T> = made.iter().map(|(_, value)| value.clone()).collect();
    assert!(values.len() > 1 || law.starts_with("PMP3"), "{law}: the example is too small");
    for value in others.into_iter().chain(values.iter().cloned()) {
        let found = ways(&left, &value);
        assert_eq!(found, ways(&right, &value), "{law}, the ways of {value:?}");
        assert_eq!(left.accepts(&value), right.accepts(&value), "{law}, {value:?}");
        assert_eq!(left.accepts(&value), !found.is_empty(), "{law}, {value:?}");
        assert_eq!(
            left.ways_of(&value).probability().ok(),
            right.ways_of(&value).probability().ok(),
            "{law}, {value:?}"
        );
    }
    is_drawn_like(law, &left, &right, &values);
    is_drawn_like(law, &right, &left, &values);
}

/// What one draws has the shares that the other says.
#[track_caller]
fn is_drawn_like<T: Ord>(
    law: &str,
    drawn: &impl Generator<Value = T>,
    said: &impl Generator<Value = T>,
    values: &BTreeSet<T>,
) {
    let mut counts = vec![0; values.len()];
    for seed in 0..5_000 {
        let value = drawn.sample(seed);
        counts[values.iter().position(|other| *other == value).expect("one of all values")] += 1;
    }
    let share = |value: &T| said.ways_of(value).probability().unwrap().to_f64().unwrap();
    agree(law, &counts.into_iter().zip(values.iter().map(share)).collect::<Vec<_>>());
}

/// Numbers, of which 1 is made in two ways.
fn x() -> impl Generator<Value = u8> + Clone {
    labelled((("some", 0..3u8), ("one", 2, exact(1u8))))
}

/// Pairs that begin with the number.
fn f(number: u8) -> impl Generator<Value = (u8, u8)> + Clone {
    tuple((exact(number), 0..=number))
}

/// What was bound to make the pair. No pair that begins with 9 was made of anything.
fn from_f(pair: &(u8, u8)) -> Option<u8> {
    (pair.0 != 9).then_some(pair.0)
}

/// Lists of the two numbers, one or two times.
fn g(pair: (u8, u8)) -> impl Generator<Value = Vec<u8>> + Clone {
    one_of((exact(vec![pair.0, pair.1]), exact(vec![pair.0, pair.1, pair.0, pair.1])))
}

fn from_g(list: &[u8]) -> Option<(u8, u8)> {
    Some((*list.first()?, *list.get(1)?))
}

/// Lists that nobody makes, and some that are made by chance.
fn lists() -> Vec<Vec<u8>> {
    vec![vec![], vec![1], vec![0, 1], vec![2, 1], vec![9, 9], vec![1, 1, 1], vec![1, 0, 1, 1], vec![2, 2, 2, 2]]
}

fn pairs() -> Vec<(u8, u8)> {
    vec![(0, 1), (1, 2), (2, 0), (3, 0), (9, 0)]
}

#[test]
fn a_value_that_is_bound_is_a_call() {
    for number in 1..4 {
        equal("M1", exact(number).bind_with_focus(|number| f(*number), from_f), f(number), []);
    }
    // What is not made of this number is refused, as the call refuses it.
    for pair in pairs() {
        assert!(!exact(1).bind_with_focus(|number| f(*number), from_f).accepts(&pair) && !f(1).accepts(&pair));
    }
}

#[test]
fn what_is_bound_to_itself_is_as_it_was() {
    equal("M2", x().bind_with_focus(|number| exact(*number), |number| Some(*number)), x(), [3, 9]);
    let lists = || vec_of(0..2u8, ..=2);
    equal(
        "M2",
        lists().bind_with_focus(|list| exact(list.clone()), |list: &Vec<u8>| Some(list.clone())),
        lists(),
        [vec![2], vec![0; 3]],
    );
}

#[test]
fn binds_inside_one_another_are_binds_one_after_the_other() {
    let inside = x()
        .bind_with_focus(|number| f(*number), from_f)
        .bind_with_focus(|pair| g(*pair), |list: &Vec<u8>| from_g(list));
    let after = x().bind_with_focus(
        |number| f(*number).bind_with_focus(|pair| g(*pair), |list: &Vec<u8>| from_g(list)),
        |list: &Vec<u8>| from_g(list).as_ref().and_then(from_f),
    );
    equal("M3", inside, after, lists());
}

/// `Just`.
fn whole<T>(value: &T) -> Option<&T> {
    Some(value)
}

#[test]
fn mapping_by_nothing_changes_nothing() {
    equal("P1", x().map_with_inverse(|number| number, |number| Some(*number)), x(), [3, 9]);
    equal("PMP1", x().map_with_focus(|number| number, whole), x(), [3, 9]);
    equal("PMP1", f(2).map_with_focus(|pair| pair, whole), f(2), pairs());
}

#[test]
fn two_maps_are_one() {
    let turn = |number: u8| number.wrapping_add(10);
    let turn_back = |number: &u8| Some(number.wrapping_sub(10));
    let flip_back = |number: &u8| Some(number.reverse_bits());
    let twice = x().map_with_inverse(turn, turn_back).map_with_inverse(u8::reverse_bits, flip_back);
    let once = x().map_with_inverse(
        move |number| turn(number).reverse_bits(),
        move |number| flip_back(number).as_ref().and_then(turn_back),
    );
    equal("P2", twice, once, [0, 1, 7, 208, 255]);
    // With inverses that find nothing in some values.
    let up = |number: &u8| number.checked_sub(10);
    let first = |array: &[u8; 2]| (array[1] == 7).then_some(array[0]);
    let twice = x().map_with_inverse(|number| number + 10, up).map_with_inverse(|number| [number, 7], first);
    let once = x().map_with_inverse(|number| [number + 10, 7], move |array| first(array).as_ref().and_then(up));
    assert!(!once.accepts(&[10, 8]));
    equal("PMP2", twice, once, [[10, 8], [9, 7], [13, 7], [11, 0]]);
    // The same with a focus, which borrows.
    let twice = x().map_with_focus(|number| (number, 0u8), |pair| Some(&pair.0)).map_with_focus(Some, Option::as_ref);
    let once = x().map_with_focus(|number| Some((number, 0u8)), |option| option.as_ref().map(|pair| &pair.0));
    equal("PMP2", twice, once, [None, Some((7, 0))]);
}

/// The paper's `return` accepts whatever it is given; `exact` accepts its value alone, so the
/// equation holds where the inverse finds that value in itself and nowhere else.
#[test]
fn a_value_that_is_mapped_back_to_itself_is_that_value() {
    let even = |number: &u8| number.is_multiple_of(2).then_some(*number);
    equal("PMP3", exact(4u8).map_with_inverse(|number| number, even), exact(4), 0..9);
    assert!(!exact(5u8).map_with_inverse(|number| number, even).accepts(&5));
}

#[test]
fn a_bind_that_is_mapped_binds_what_is_mapped() {
    let make = |list: Vec<u8>| (list.len(), list);
    let inverse = |counted: &(usize, Vec<u8>)| (counted.0 == counted.1.len()).then(|| counted.1.clone());
    let bound = f(2).bind_with_focus(|pair| g(*pair), |list: &Vec<u8>| from_g(list)).map_with_inverse(make, inverse);
    let mapped = f(2).bind_with_focus(
        move |pair| g(*pair).map_with_inverse(make, inverse),
        move |counted: &(usize, Vec<u8>)| inverse(counted).as_deref().and_then(from_g),
    );
    let others = lists().into_iter().flat_map(|list| [(list.len(), list.clone()), (list.len() + 1, list)]);
    equal("PMP4", bound, mapped, others.collect::<Vec<_>>());
}

/// What the choices of a bind make is what those of its halves make, one after the other, and as
/// likely.
#[test]
fn a_bind_reads_its_first_half_and_then_the_second() {
    let bound = x().bind_with_focus(|number| f(*number), from_f);
    let mut expected = BTreeSet::new();
    for (first, number) in words(&x()) {
        for (second, pair) in words(&f(number)) {
            expected.insert(([first.clone(), second].concat(), pair));
        }
    }
    assert_eq!(words(&bound), expected);
    let numbers: BTreeSet<u8> = words(&x()).into_iter().map(|(_, number)| number).collect();
    for (_, pair) in &expected {
        let mut sum = retrospect::reflect::Probability::new(0, 1);
        for number in &numbers {
            let both = &x().ways_of(number).probability().unwrap() * &f(*number).ways_of(pair).probability().unwrap();
            sum = &sum + &both;
        }
        assert_eq!(bound.ways_of(pair).probability().unwrap(), sum, "{pair:?}");
    }
}
