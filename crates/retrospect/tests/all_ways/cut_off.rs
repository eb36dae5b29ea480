//! Ways that are not followed to their end, since they have none or are too many.

use crate::{Deep, Nat, g1, nat};
use retrospect::prelude::*;
use retrospect::reflect::Overlap;

/// Infinitely many ways, of which no two calls are the same.
#[generator]
fn counting(k: u64) -> Nat {
    match pick() {
        "z" => Nat::Z,
        "s" => {
            let n = draw(counting(0));
            Nat::S(Box::new(n))
        }
        "count" => draw(counting(k + 1)),
    }
}

/// The same, and twice as many calls with each step.
#[generator]
fn doubling(k: u64) -> Nat {
    match pick() {
        "z" => Nat::Z,
        "one" => draw(doubling(k.wrapping_mul(FACTOR).wrapping_add(1))),
        "other" => draw(doubling(k.wrapping_mul(FACTOR).wrapping_add(3))),
    }
}

/// Of a well-known generator of random numbers.
const FACTOR: u64 = 6_364_136_223_846_793_005;

/// So many steps at the same part, and then one way.
#[generator]
fn counting_down(k: u64) -> Nat {
    if k == 0 {
        return Nat::Z;
    }
    draw(counting_down(k - 1))
}

const TOO_OFTEN: &str = "`counting` looks at the same part more than 10000 times, each time with other arguments";

#[test]
fn ways_without_end_are_no_number() {
    let overlap = counting(0).overlap(&Nat::Z);
    assert_eq!(overlap.to_string(), format!("at least 10000: {TOO_OFTEN}"));
    assert_eq!(overlap, Overlap::AtLeast { ways: 10_000.into(), reason: TOO_OFTEN.to_owned() });
    assert!(matches!(counting(0).overlap(&nat(50)), Overlap::AtLeast { .. }));
    for known in [counting(0).probability_of(&Nat::Z), counting(0).likeliest_way(&Nat::Z).map(|(_, known)| known)] {
        assert_eq!(
            known.unwrap_err().to_string(),
            format!("the probability is not known: not all ways were followed to their end: {TOO_OFTEN}")
        );
    }
    // Those that were found are ways all the same, and the first of them is known.
    let ways: Vec<String> = counting(0).reflections(&Nat::Z).take(3).map(|way| way.to_string()).collect();
    assert_eq!(ways, ["0:z", "2:count(0:z)", "2:count(2:count(0:z))"]);
    assert_eq!(counting(0).choices_of(&nat(3)).unwrap().choice_count(), 4);
}

#[test]
fn ways_that_multiply_without_end_are_cut_off_too() {
    let Overlap::AtLeast { ways, reason } = doubling(1).overlap(&Nat::Z) else { panic!("there are infinitely many") };
    assert!(ways > 5_000.into() && reason.starts_with("`doubling` looks at the same part"), "{ways}: {reason}");
    assert_eq!(doubling(1).overlap(&nat(1)), Overlap::AtLeast { ways: 0.into(), reason });
    assert!(doubling(1).probability_of(&nat(1)).is_err());
    assert!(!doubling(1).accepts(&nat(1)));
    assert_eq!(
        doubling(1).choices_of(&nat(1)).unwrap_err().reason(),
        "this is not `Nat::Z` (not all ways were followed to their end: `doubling` looks at the same part more than 200000 times, \
         each time with other arguments)"
    );
}

#[test]
fn steps_at_one_part_that_come_to_an_end_are_followed() {
    assert_eq!(counting_down(9_000).overlap(&Nat::Z), Overlap::Finite(1.into()));
    assert_eq!(counting_down(9_000).probability_of(&Nat::Z).unwrap().to_string(), "1");
    assert!(counting_down(100_000).accepts(&Nat::Z));
    assert!(counting_down(100_000).choices_of(&Nat::Z).is_ok());
}

#[test]
fn a_value_may_be_as_deep_as_it_likes() {
    let deep = Deep(nat(100_000));
    assert_eq!(g1().overlap(&deep.0), Overlap::Finite(1.into()));
    assert!(counting(0).accepts(&deep.0));
    assert_eq!(counting(0).choices_of(&deep.0).unwrap().choice_count(), 100_001);
}
