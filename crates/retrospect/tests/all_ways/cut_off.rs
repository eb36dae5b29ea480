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
    let overlap = counting(0).ways_of(&Nat::Z).count();
    assert_eq!(overlap.to_string(), format!("at least 10000: {TOO_OFTEN}"));
    assert_eq!(overlap, Overlap::AtLeast { ways: 10_000.into(), reason: TOO_OFTEN.to_owned() });
    assert!(matches!(counting(0).ways_of(&nat(50)).count(), Overlap::AtLeast { .. }));
    for known in
        [counting(0).ways_of(&Nat::Z).probability(), counting(0).ways_of(&Nat::Z).likeliest().map(|(_, known)| known)]
    {
        assert_eq!(
            known.unwrap_err().to_string(),
            format!("the probability is not known: not all ways were followed to their end: {TOO_OFTEN}")
        );
    }
    // Those that were found are ways all the same, and the first of them is known.
    let ways: Vec<String> = counting(0).ways_of(&Nat::Z).iter().take(3).map(|way| way.to_string()).collect();
    assert_eq!(ways, ["0:z", "2:count(0:z)", "2:count(2:count(0:z))"]);
    assert_eq!(counting(0).choices_of(&nat(3)).unwrap().choice_count(), 4);
}

#[test]
fn ways_that_multiply_without_end_are_cut_off_too() {
    let Overlap::AtLeast { ways, reason } = doubling(1).ways_of(&Nat::Z).count() else {
        panic!("there are infinitely many")
    };
    assert!(ways > 5_000.into() && reason.starts_with("`doubling` looks at the same part"), "{ways}: {reason}");
    assert_eq!(doubling(1).ways_of(&nat(1)).count(), Overlap::AtLeast { ways: 0.into(), reason });
    assert!(doubling(1).ways_of(&nat(1)).probability().is_err());
    assert!(!doubling(1).accepts(&nat(1)));
    assert_eq!(
        doubling(1).choices_of(&nat(1)).unwrap_err().reason(),
        "this is not `Nat::Z` (not all ways were followed to their end: `doubling` looks at the same part more than 200000 times, \
         each time with other arguments)"
    );
}

#[test]
fn steps_at_one_part_that_come_to_an_end_are_followed() {
    assert_eq!(counting_down(9_000).ways_of(&Nat::Z).count(), Overlap::Finite(1.into()));
    assert_eq!(counting_down(9_000).ways_of(&Nat::Z).probability().unwrap().to_string(), "1");
    assert!(counting_down(100_000).accepts(&Nat::Z));
    assert!(counting_down(100_000).choices_of(&Nat::Z).is_ok());
}

#[test]
fn a_value_may_be_as_deep_as_it_likes() {
    let deep = Deep(nat(100_000));
    assert_eq!(g1().ways_of(&deep.0).count(), Overlap::Finite(1.into()));
    assert!(counting(0).accepts(&deep.0));
    assert_eq!(counting(0).choices_of(&deep.0).unwrap().choice_count(), 100_001);
}

/// Infinitely many ways, with an argument of whatever kind.
macro_rules! same_again {
    ($($name:ident($argument:ident: $type:ty))*) => {$(
        #[generator]
        fn $name($argument: $type) -> Nat {
            match pick() {
                "z" => Nat::Z,
                "s" => {
                    let n = draw($name($argument.clone()));
                    Nat::S(Box::new(n))
                }
                "same" => draw($name($argument.clone())),
            }
        }
    )*};
}

/// An argument of which nobody can tell whether it is the same.
#[derive(Clone, Debug)]
struct Opaque;

same_again! {
    with_float(x: f64)
    with_floats(x: Vec<(Option<f32>, u8)>)
    with_table(x: std::collections::HashMap<String, u8>)
    with_generator(x: impl Generator<Value = u8> + Clone)
    with_opaque(x: Opaque)
}

#[test]
fn arguments_without_a_hash_are_told_apart() {
    fn check(generator: impl Generator<Value = Nat>, name: &str) {
        let cycle = name.to_owned();
        assert_eq!(generator.ways_of(&nat(50)).count(), Overlap::Infinite { cycle }, "{name}");
        assert_eq!(generator.ways_of(&nat(3)).probability().unwrap().to_string(), "1/16", "{name}");
        assert_eq!(generator.choices_of(&nat(50)).unwrap().choice_count(), 51);
    }
    check(with_float(1.5), "with_float");
    check(with_floats(vec![(None, 1), (Some(f32::NAN), 2)]), "with_floats");
    check(with_table([("a".to_owned(), 1), ("b".to_owned(), 2)].into()), "with_table");
    check(with_generator(0..=3), "with_generator");
    check(with_generator(any::<u8>()), "with_generator");
    check(with_generator(element_of_two(3)), "with_generator");
    check(with_generator(&lazy(|| 0..=3)), "with_generator");
}

#[generator]
fn element_of_two(first: u8) -> u8 {
    draw(first..=9)
}

/// A number below, and what is drawn from `inner` below that.
#[generator]
fn below(inner: impl Generator<Value = u8> + Clone, most: f64) -> (Vec<u8>, u8) {
    match pick() {
        "here" => {
            let number = draw(inner);
            (Vec::new(), number)
        }
        #[weight(u32::from(most > 0.0))]
        "lower" => draw(below(inner.clone(), most - 1.0)),
    }
}

#[test]
fn other_arguments_are_other_generators() {
    for (most, ways) in [(0.0, 1u64), (1.0, 2), (5.0, 6)] {
        assert_eq!(below(0..=3, most).ways_of(&(Vec::new(), 3)).count(), Overlap::Finite(ways.into()));
    }
    let either = one_of((below(0..=3, 1.0), below(2..=5, 0.0)));
    for (number, ways) in [(1, 2u64), (3, 3), (5, 1), (6, 0)] {
        assert_eq!(either.ways_of(&(Vec::new(), number)).count(), Overlap::Finite(ways.into()));
        assert_eq!(either.accepts(&(Vec::new(), number)), ways > 0);
    }
}

/// Twice as many ways with each level, or none.
#[generator]
fn doubled(x: Opaque, has_end: bool) -> Nat {
    match pick() {
        #[weight(u32::from(has_end))]
        "z" => Nat::Z,
        "s" => {
            let n = draw(doubled(x.clone(), has_end));
            Nat::S(Box::new(n))
        }
        "another s" => {
            let n = draw(doubled(x.clone(), has_end));
            Nat::S(Box::new(n))
        }
    }
}

#[test]
fn where_arguments_cannot_be_told_apart_the_ways_are_cut_off() {
    const OF_DOUBLED: &str = "not all ways were followed to their end: `doubled` looks at the same parts again and again, \
                              and nobody can tell whether its arguments are the same: they need `Hash`";
    let endless = |levels| with_opaque(Opaque).ways_of(&nat(levels)).count().to_string();
    assert_eq!(
        endless(0),
        "at least 10000: `with_opaque` looks at the same parts again and again, \
         and nobody can tell whether its arguments are the same: they need `Hash`"
    );
    assert!(endless(3).starts_with("at least ") && endless(200).starts_with("at least "));
    assert_eq!(with_opaque(Opaque).choices_of(&nat(200)).unwrap().choice_count(), 201);
    // As long as they are few, all ways are found.
    assert_eq!(doubled(Opaque, true).ways_of(&nat(10)).count(), Overlap::Finite(1024.into()));
    assert_eq!(doubled(Opaque, true).ways_of(&nat(200)).probability().unwrap_err().reason(), OF_DOUBLED);
    // What cannot be made is given up in the end.
    assert!(!doubled(Opaque, false).accepts(&nat(60)));
    assert!(doubled(Opaque, false).choices_of(&nat(60)).unwrap_err().reason().ends_with(&format!("({OF_DOUBLED})")));
}

/// Letters by ones and by twos, recalled by inverses: each of them makes a string of its own.
#[generator]
fn steps() -> String {
    match pick() {
        "none" => String::new(),
        "one" => {
            let rest = draw(steps());
            #[inverse(|it: &String| Some(it.strip_prefix("a")?.to_owned()))]
            format!("a{rest}")
        }
        "two" => {
            let rest = draw(steps());
            #[inverse(|it: &String| Some(it.strip_prefix("aa")?.to_owned()))]
            format!("aa{rest}")
        }
    }
}

/// The same in a list, whose items lie elsewhere than the list.
#[generator]
fn listed() -> String {
    match pick() {
        "none" => String::new(),
        "one" => {
            let rest = draw(vec_of(listed(), 1));
            #[inverse(|it: &String| Some(vec![it.strip_prefix("a")?.to_owned()]))]
            format!("a{}", rest[0])
        }
        "two" => {
            let rest = draw(vec_of(listed(), 1));
            #[inverse(|it: &String| Some(vec![it.strip_prefix("aa")?.to_owned()]))]
            format!("aa{}", rest[0])
        }
    }
}

/// As itself, by an inverse that gives back what it was given.
#[generator]
fn turned() -> String {
    match pick() {
        "none" => String::new(),
        "turned" => {
            let same = draw(turned());
            #[inverse(|it: &String| Some(it.clone()))]
            same.chars().collect()
        }
    }
}

fn fibonacci(place: usize) -> u128 {
    (0..place).fold((0, 1), |(last, next), _| (next, last + next)).0
}

#[test]
fn what_an_inverse_gives_is_known_again() {
    for length in [0, 1, 5, 20, 100, 180] {
        let overlap = steps().ways_of(&"a".repeat(length)).count().to_string();
        assert_eq!(overlap, fibonacci(length + 1).to_string(), "{length}");
    }
    let odd = "a".repeat(100) + "b";
    assert!(!steps().accepts(&odd) && steps().accepts(&"a".repeat(500)));
    assert_eq!(steps().choices_of(&"a".repeat(500)).unwrap().choice_count(), 501);
    assert!(steps().choices_of(&odd).is_err());
    assert!(steps().ways_of(&odd).probability().unwrap().is_zero());
    // p(0) = 1/3, and p(n) = 1/3 p(n - 1) + 1/3 p(n - 2).
    assert_eq!(steps().ways_of(&"aaa".to_owned()).probability().unwrap().to_string(), "7/81");
    let mapped = recursive(|inner| {
        let by = |prefix: &'static str| {
            inner.clone().map_with_inverse(
                move |rest: String| format!("{prefix}{rest}"),
                move |it: &String| it.strip_prefix(prefix).map(str::to_owned),
            )
        };
        one_of((exact(String::new()), by("a"), by("aa")))
    });
    assert_eq!(mapped.ways_of(&"a".repeat(100)).count().to_string(), fibonacci(101).to_string());
    assert!(!mapped.accepts(&odd));
}

#[test]
fn what_an_inverse_gives_back_is_a_cycle() {
    assert_eq!(turned().ways_of(&String::new()).count(), Overlap::Infinite { cycle: "turned".to_owned() });
    assert!(turned().accepts(&String::new()) && !turned().accepts(&"a".to_owned()));
}

#[test]
fn what_lies_elsewhere_is_cut_off() {
    for length in [0, 1, 5, 12] {
        let overlap = listed().ways_of(&"a".repeat(length)).count().to_string();
        assert_eq!(overlap, fibonacci(length + 1).to_string(), "{length}");
    }
    let overlap = listed().ways_of(&"a".repeat(100)).count().to_string();
    let reason = "`listed` looks at the same parts of what an inverse or a focus gives again and again";
    assert!(overlap.starts_with("at least ") && overlap.ends_with(reason), "{overlap}");
    assert!(!listed().accepts(&("a".repeat(100) + "b")));
    assert!(listed().accepts(&"a".repeat(100)));
}

/// A number that says nothing of itself.
#[derive(Clone, PartialEq)]
struct Secret(u32);

impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Secret")
    }
}

#[generator]
fn secret() -> Secret {
    match pick() {
        "none" => Secret(0),
        "one" => {
            let rest = draw(secret());
            #[inverse(|it: &Secret| Some(Secret(it.0.checked_sub(1)?)))]
            Secret(rest.0 + 1)
        }
        "two" => {
            let rest = draw(secret());
            #[inverse(|it: &Secret| Some(Secret(it.0.checked_sub(2)?)))]
            Secret(rest.0 + 2)
        }
    }
}

#[test]
fn few_values_need_not_be_known_by_what_they_print() {
    for number in 0..9 {
        assert_eq!(secret().ways_of(&Secret(number)).count().to_string(), fibonacci(number as usize + 1).to_string());
        assert!(secret().accepts(&Secret(number)));
    }
}

/// Infinitely many ways, and those that do not end come first.
#[generator]
fn endless_first() -> Nat {
    match pick() {
        "same" => draw(endless_first()),
        "z" => Nat::Z,
        "s" => {
            let n = draw(endless_first());
            Nat::S(Box::new(n))
        }
    }
}

#[test]
fn the_first_way_does_not_go_round_in_circles() {
    assert_eq!(endless_first().choices_of(&Nat::Z).unwrap().to_string(), "1:z");
    assert_eq!(endless_first().choices_of(&nat(2)).unwrap().to_string(), "2:s(2:s(1:z))");
    let deep = Deep(nat(100_000));
    assert_eq!(endless_first().choices_of(&deep.0).unwrap().choice_count(), 100_001);
    assert_eq!(endless_first().choices_of(&nat(2)).unwrap(), endless_first().ways_of(&nat(2)).shortest().unwrap());
}
