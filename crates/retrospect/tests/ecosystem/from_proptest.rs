//! `proptest`.

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};
use retrospect::laws::Laws;
use retrospect::prelude::*;

#[test]
fn what_it_makes_obeys_the_laws_of_going_forward() {
    Laws::default().forward_only().check(&from_strategy((0..100u8, "[a-z]{0,4}", vec(proptest::bool::ANY, 0..5))));
}

#[test]
fn it_shrinks_as_it_does_there() {
    laws::minimum(&from_strategy(0..1_000_000u32), |number| *number >= 12_345, [12_345]);
    laws::minimum(&from_strategy(-1000..1000i32), |number| *number < -10, [-11]);
    laws::minimum_where(
        &from_strategy(vec(0..1000u32, 0..30)),
        |list| list.iter().any(|number| *number > 99),
        |list| *list == [100],
    );
    // Across a map, a filter, a choice and a dependency.
    let evens = (0..5000u32).prop_map(|half| half * 2);
    laws::minimum(&from_strategy(evens), |number| *number > 101, [102]);
    let odd = (0..5000u32).prop_filter("odd", |number| number % 2 == 1);
    // There a filter keeps a search from going down as soon as it refuses what lies halfway.
    laws::minimum_where(&from_strategy(odd), |number| *number > 101, |number| number % 2 == 1);
    let either = prop_oneof![Just(5u32), 10..1000u32];
    laws::minimum(&from_strategy(either), |number| *number >= 5, [5]);
}

#[test]
fn it_shrinks_inside_of_other_generators() {
    let lists = vec_of(from_strategy(0..1000u32), ..);
    laws::minimum(&lists, |list| list.iter().any(|number| *number > 99), [vec![100]]);
}

#[test]
fn what_is_rejected_too_often_is_told() {
    let rare = (0..1000u32).prop_filter("rare", |number| *number == 7);
    assert_eq!(from_strategy(rare).sample(1), 7);
    let never = from_strategy((0..1000u32).prop_filter("never", |_| false));
    let line = line!() - 1;
    let mut source = retrospect::source::Source::random(1);
    assert!(never.generate(&mut source).is_err());
    let why = source.why().unwrap().to_string();
    assert!(why.ends_with(&format!("from_proptest.rs:{line} rejects what it draws: Too many local rejects")), "{why}");
}

#[test]
fn it_goes_forward_only() {
    let reason = "`from_strategy` goes forward only: a strategy of proptest has no inverse";
    assert_eq!(from_strategy(0..9u8).choices_of(&3).unwrap_err().reason(), reason);
    assert!(from_strategy(0..9u8).read("3").unwrap_err().to_string().ends_with(reason));
}

#[test]
fn the_same_seed_makes_the_same_value() {
    let strings = from_strategy("\\PC{0,20}");
    assert!((0..50).all(|seed| strings.sample(seed) == strings.sample(seed)));
    assert_ne!(strings.sample(1), strings.sample(2));
}
