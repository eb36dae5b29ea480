//! All ways to make a value, and how likely it is.

mod cut_off;
mod drawn_again;
mod laws;
mod prelude;
mod sampled;

use retrospect::Segment;
use retrospect::choice::Site;
use retrospect::generator::shrink_to;
use retrospect::prelude::*;
use retrospect::reflect::{Overlap, Probability, Reflected, Reflector};
use retrospect::sketch::Sketch;
use retrospect::source::{Drawn, Odometer, Source};
use std::collections::BTreeMap;
use std::fmt::Debug;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nat {
    Z,
    S(Box<Nat>),
}

fn nat(number: usize) -> Nat {
    (0..number).fold(Nat::Z, |nat, _| Nat::S(Box::new(nat)))
}

/// The boxes of a deep number are not dropped one inside the other.
struct Deep(Nat);

impl Drop for Deep {
    fn drop(&mut self) {
        while let Nat::S(inner) = &mut self.0 {
            let next = std::mem::replace(&mut **inner, Nat::Z);
            self.0 = next;
        }
    }
}

/// One way each.
#[generator]
fn g1() -> Nat {
    match pick() {
        "z" => Nat::Z,
        "s" => {
            let n = draw(g1());
            Nat::S(Box::new(n))
        }
    }
}

/// Twice as many ways with each level.
#[generator]
fn g_e() -> Nat {
    match pick() {
        "z" => Nat::Z,
        "s" => {
            let n = draw(g_e());
            Nat::S(Box::new(n))
        }
        "another s" => {
            let n = draw(g_e());
            Nat::S(Box::new(n))
        }
    }
}

/// Infinitely many ways.
#[generator]
fn g_i() -> Nat {
    match pick() {
        "z" => Nat::Z,
        "s" => {
            let n = draw(g_i());
            Nat::S(Box::new(n))
        }
        "same" => {
            let n = draw(g_i());
            n
        }
    }
}

/// Nothing, in infinitely many ways that branch: as itself, and as two of itself.
#[derive(Clone, Debug)]
struct Branching;

static BRANCHING: Site = Site::pick("branching", &["now", "twice"], file!(), line!());

impl Generator for Branching {
    type Value = u8;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<u8> {
        source.call(&BRANCHING, |source| {
            if source.pick(&BRANCHING, &[2, 1])? == 1 {
                source.part(|source| self.generate(source))?;
                source.part(|source| self.generate(source))?;
            }
            Ok(0)
        })
    }

    fn reflect(&self, value: &u8, reflector: &mut Reflector) -> Reflected {
        let body = |reflector: &mut Reflector| {
            reflector.ways(2, |reflector, arm| {
                reflector.pick(&BRANCHING, &[2, 1], arm)?;
                for place in 0..2 * arm {
                    reflector.part(Segment::Position(place), |reflector| self.reflect(value, reflector))?;
                }
                Ok(())
            })
        };
        reflector.call(&BRANCHING, || Some(0), std::ptr::from_ref(value).cast(), body)
    }

    fn complete(&self, _: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<u8> {
        self.generate(source)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tree {
    Leaf,
    Node(Box<Tree>, i64, Box<Tree>),
}

#[generator]
fn bst(lo: i64, hi: i64) -> Tree {
    if lo > hi {
        return Tree::Leaf;
    }
    match pick() {
        #[weight(2)]
        "leaf" => Tree::Leaf,
        #[weight(3)]
        "node" => {
            let x = draw(lo..=hi);
            let l = draw(bst(lo, x - 1));
            let r = draw(bst(x + 1, hi));
            Tree::Node(Box::new(l), x, Box::new(r))
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Generate)]
enum Json {
    Null,
    Bool(bool),
    #[generate(weight = 2)]
    Number(u8),
    List(Vec<Json>),
    Pair(Box<Json>, Box<Json>),
}

/// All values that a generator of a small space can make.
fn all_values<G: Generator>(generator: &G) -> Vec<G::Value>
where
    G::Value: Ord,
{
    let mut odometer = Odometer::new();
    let mut values = Vec::new();
    loop {
        if let Ok(value) = generator.generate(&mut Source::asking(&mut odometer)) {
            values.push(value);
        }
        assert!(values.len() < 1_000_000, "the space is not small");
        if !odometer.advance() {
            break;
        }
    }
    values.sort();
    values.dedup();
    values
}

fn adds_up<G: Generator>(generator: G)
where
    G::Value: Ord,
{
    for size in [0, 1, 3, 100] {
        let mut sum = Probability::new(0, 1);
        for value in all_values(&generator) {
            sum = &sum + &generator.ways_of(&value).at_size(size).probability().unwrap();
        }
        assert_eq!(sum, Probability::new(1, 1), "at size {size}");
        assert!(sum.fraction().is_some());
    }
}

#[test]
fn the_probabilities_of_all_values_add_up_to_exactly_one() {
    adds_up(0..7u8);
    adds_up(any::<u8>());
    adds_up(any::<std::num::NonZero<i8>>());
    adds_up(-300..=300i64);
    adds_up(tuple((0..3, any::<bool>(), option_of(5..=6))));
    adds_up(one_of((0..=5, 3..=9, exact(4))));
    adds_up(frequency(((3, 0..2), (0, 5..9), (4, 1..4))));
    adds_up(vec_of(0..3, 0..=3));
    adds_up(vec_of(any::<bool>(), 2));
    adds_up(string_of('x'..='z', 1..=3));
    adds_up(result_of(0..3, exact('!')));
    adds_up(bst(0, 2));
    adds_up(element_of([1, 2, 2, 3, 1]));
    adds_up(permutation_of([1, 2, 2, 3, 1]));
    adds_up(subsequence_of([1, 2, 2, 3, 1], ..));
    adds_up(subsequence_of([1, 2, 2, 3, 1], 2..=3));
    adds_up(within(0..20).filter(|number| number % 3 == 0));
    adds_up(vec_of(within(0..5).filter(|number| *number > 1), ..=2));
    adds_up(one_of((0..4, 0..4)).filter(|number| *number != 2));
    adds_up(sequence_of(0, 0..=4, |sum: &i32| (*sum < 3).then_some(1..=2), |sum, next| sum + next));
    adds_up((0..=3u8).map_with_inverse(|n| n * 2, |n| Some(n / 2)));
    adds_up((0..=3usize).bind_with_focus(|n| vec_of(exact(*n), *n), |list: &Vec<usize>| Some(list.len())));
    adds_up((0..5).with_default(3));
    adds_up(any::<Result<Option<bool>, ()>>());
}

/// Compares how often values are sampled with how likely they are said to be.
fn agrees_with_samples<G: Generator>(generator: G, size: u32)
where
    G::Value: Ord + Debug,
{
    const SAMPLES: u32 = 20_000;
    let mut counts: BTreeMap<G::Value, u32> = BTreeMap::new();
    for seed in 0..SAMPLES {
        let mut source = Source::random(u64::from(seed)).with_size(size);
        *counts.entry(generator.generate(&mut source).unwrap()).or_default() += 1;
    }
    let mut seen = 0.0;
    for (value, count) in &counts {
        let probability = generator.ways_of(value).at_size(size).probability().unwrap();
        let share = probability.to_f64().unwrap_or(0.0);
        seen += share;
        let expected = share * f64::from(SAMPLES);
        let difference = (f64::from(*count) - expected).abs();
        assert!(!probability.is_zero(), "{value:?} was drawn");
        assert!(difference <= 5.0 * expected.sqrt() + 4.0, "{value:?}: {count} times, not {expected}");
    }
    // What was not seen is about as likely as what was seen once.
    let once = counts.values().filter(|count| **count == 1).count();
    let unseen = f64::from(once as u32) / f64::from(SAMPLES);
    assert!((1.0 - seen - unseen).abs() < 0.02, "{seen} was seen, {unseen} estimated to be left");
}

#[test]
fn probabilities_agree_with_what_is_sampled() {
    agrees_with_samples(bst(0, 3), 100);
    agrees_with_samples(g_e(), 100);
    agrees_with_samples(g_i(), 100);
    agrees_with_samples(Branching, 100);
    agrees_with_samples(frequency(((5, 0..3), (1, 2..6), (2, exact(9)))), 100);
    agrees_with_samples(0..=9, 100);
    agrees_with_samples(within(-40..=40i32), 100);
    agrees_with_samples(any::<i64>(), 100);
    agrees_with_samples(any::<u128>(), 100);
    agrees_with_samples(vec_of(0..4, ..), 2);
    agrees_with_samples(string_of('a'..='c', 1..=3), 100);
    agrees_with_samples(string_of(any::<char>(), 1), 100);
    agrees_with_samples(any::<std::ffi::CString>(), 1);
    agrees_with_samples(any::<Option<Result<bool, u8>>>(), 100);
    agrees_with_samples(any::<std::time::Duration>(), 100);
    agrees_with_samples(any::<std::net::Ipv4Addr>(), 100);
    agrees_with_samples(subsequence_of(['a', 'b', 'a', 'c'], ..), 100);
    agrees_with_samples(within(0..40).filter(|number| number % 7 < 2), 100);
}

#[test]
fn probabilities_follow_the_size() {
    for size in [0, 1, 2, 5, 12] {
        agrees_with_samples(any::<Json>(), size);
        agrees_with_samples(vec_of(any::<bool>(), ..), size.min(4));
        agrees_with_samples(sized(|size| 0..=size), size);
        let trees = recursive(|tree| {
            let pair = tuple((tree.clone(), tree));
            one_of((
                exact(Json::Null),
                pair.map_with_inverse(
                    |(left, right)| Json::Pair(Box::new(left), Box::new(right)),
                    |json| match json {
                        Json::Pair(left, right) => Some(((**left).clone(), (**right).clone())),
                        _ => None,
                    },
                ),
            ))
        });
        agrees_with_samples(trees, size);
    }
}

#[test]
fn numbers_of_128_bits_are_as_likely_as_they_should_be() {
    let last = u128::from(u64::MAX) + 6;
    for number in [0, 5, u128::from(u64::MAX), last - 3, last] {
        let probability = uniform(0..=last).ways_of(&number).probability().unwrap();
        let (numerator, denominator) = probability.fraction().unwrap();
        assert_eq!((numerator.to_string(), denominator.to_string()), ("1".to_owned(), (last + 1).to_string()));
    }
}

#[test]
fn past_the_levels_of_a_recursive_generator_nothing_is_known() {
    let lists = recursive(|list| {
        vec_of(list, ..).map_with_focus(Json::List, |json| match json {
            Json::List(items) => Some(items),
            _ => None,
        })
    });
    let flat = |items| Json::List(vec![Json::List(Vec::new()); items]);
    assert_eq!(lists.ways_of(&flat(2)).at_size(2).probability().unwrap().to_string(), "1/6"); // 1/3 of 1/2: the other item has no size left.
    assert!(lists.ways_of(&flat(9)).at_size(2).probability().unwrap().is_zero());
    let error = lists.ways_of(&Json::List(vec![flat(1); 5])).at_size(2).probability().map(|known| known.is_zero());
    assert_eq!(error, Ok(true));
    let wide = recursive(|list| {
        vec_of(list, ..=9).map_with_focus(Json::List, |json| match json {
            Json::List(items) => Some(items),
            _ => None,
        })
    });
    assert_eq!(
        wide.ways_of(&flat(9)).at_size(2).probability().unwrap_err().reason(),
        "it takes 9 levels of a recursive generator, and after 8 at this size a source takes the simplest arms"
    );
}

#[test]
fn reflections_are_all_ways_and_nothing_else() {
    fn check<G: Generator>(generator: G)
    where
        G::Value: Ord + Debug,
    {
        let mut by_value: BTreeMap<G::Value, Vec<String>> = BTreeMap::new();
        let mut odometer = Odometer::new();
        loop {
            let mut source = Source::asking(&mut odometer);
            if let Ok(value) = generator.generate(&mut source) {
                by_value.entry(value).or_default().push(source.into_choices().to_string());
            }
            if !odometer.advance() {
                break;
            }
        }
        for (value, mut ways) in by_value {
            let lengths: Vec<usize> = generator.ways_of(&value).iter().map(|way| way.choice_count()).collect();
            assert!(lengths.is_sorted(), "{value:?}: {lengths:?}");
            let mut found: Vec<String> = generator.ways_of(&value).iter().map(|way| way.to_string()).collect();
            assert_eq!(generator.ways_of(&value).shortest().unwrap().to_string(), found[0]);
            assert_eq!(generator.ways_of(&value).count(), Overlap::Finite((found.len() as u64).into()));
            ways.sort();
            found.sort();
            assert_eq!(found, ways, "{value:?}");
        }
    }
    check(one_of((0..=5, 3..=9, exact(4))));
    check(vec_of(one_of((0..=1, exact(1))), ..=3));
    check(tuple((one_of((0..2, 0..2)), one_of((0..2, 1..3)), any::<bool>())));
    check(element_of([1, 2, 2, 3, 1]));
    check(one_of((vec_of(0..2, 2), exact(vec![1, 1]), vec_of(one_of((0..2, exact(1))), 2))));
    check(bst(0, 2));
    check(shrink_to(5, [3, 5]));
    check(shrink_to(5, [5, 3, 5, 3]));
    check(shrink_to(7, (0..20).chain([7, 0])));
}

#[test]
fn the_start_of_a_shrink_is_drawn_even_if_it_is_one_of_the_others() {
    let numbers = shrink_to(5, [3, 5]);
    assert_eq!(numbers.ways_of(&5).probability().unwrap(), Probability::new(1, 1));
    assert!(numbers.ways_of(&3).probability().unwrap().is_zero());
    assert_eq!(numbers.ways_of(&5).likeliest().unwrap().0, numbers.sample_choices(7));
    // Shrinking begins where it did: with the one that stands before the start.
    assert_eq!(numbers.choices_of(&5).unwrap().to_string(), "1:");
    assert_eq!(numbers.shrink(5, |number| *number == 5).unwrap().choices.to_string(), "1:");
}

#[test]
fn a_drawn_function_has_no_entries() {
    let functions = any::<Function<bool, bool>>();
    let constant = functions.read("{_ => false}").unwrap();
    assert_eq!(functions.ways_of(&constant).probability().unwrap(), Probability::new(1, 32));
    let table = functions.read("{true => false, _ => false}").unwrap();
    assert!(functions.accepts(&table) && functions.ways_of(&table).probability().unwrap().is_zero());
    let drawn = functions.read("{_ => drawn(7)}").unwrap();
    assert_eq!(functions.ways_of(&drawn).probability().unwrap(), Probability::new(15, 16 << 32));
}

#[test]
fn the_first_of_very_many_ways_is_cheap_and_the_next_ones_are_too() {
    let deep = Deep(nat(6_644));
    let overlap = g_e().ways_of(&deep.0).count().to_string();
    assert_eq!(overlap.len(), 2001); // 2^6644 is more than 10^2000.
    let mut ways = g_e().ways_of(&deep.0).iter();
    let first = ways.next().unwrap();
    assert_eq!(first.choice_count(), 6_645);
    let mut texts: Vec<String> = ways.take(100).map(|way| way.to_string()).collect();
    assert!(!texts.contains(&first.to_string()));
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 100);
    // Each `S` takes two of the three arms, the `Z` one.
    let probability = g_e().ways_of(&nat(120)).probability().unwrap();
    assert!((probability.ln() - (120.0 * (2.0f64 / 3.0).ln() - 3.0f64.ln())).abs() < 1e-9);
    let reason = "it is 6645 generators deep, and from 128 on at this size a source takes arms that end";
    assert_eq!(g_e().ways_of(&deep.0).probability().unwrap_err().reason(), reason);
    assert_eq!(g_e().ways_of(&nat(3)).probability().unwrap(), Probability::new(8, 81));
    assert_eq!(g1().ways_of(&nat(3)).probability().unwrap(), Probability::new(1, 16));
    assert_eq!(g1().ways_of(&nat(3)).iter().count(), 1);
}

#[test]
fn probabilities_are_those_of_values_within_the_limits() {
    for (levels, is_known) in [(127, true), (128, false)] {
        assert_eq!(g1().ways_of(&nat(levels)).probability().is_ok(), is_known, "{levels}");
    }
    // At the limit there is nothing to choose: it is as likely as everything deeper together.
    let by_depth = |levels: usize| (0..20_000).filter(|seed| depth(&g_often().sample(*seed)) == levels).count();
    let known = g_often().ways_of(&nat(3)).probability().unwrap().to_f64().unwrap();
    assert!((by_depth(3) as f64 / 20_000.0 - known).abs() < 0.01);
    assert!(g_often().ways_of(&nat(128)).probability().is_err() && by_depth(128) > 3_000);
    let slowly = "`round` can call itself on the same part, and from 128 generators deep on at this size a source takes arms that end";
    assert_eq!(round().ways_of(&nat(0)).probability().unwrap_err().reason(), slowly);
}

fn depth(nat: &Nat) -> usize {
    std::iter::successors(Some(nat), |nat| if let Nat::S(inner) = nat { Some(&**inner) } else { None }).count() - 1
}

#[generator]
fn g_often() -> Nat {
    match pick() {
        "z" => Nat::Z,
        #[weight(80)]
        "s" => {
            let n = draw(g_often());
            Nat::S(Box::new(n))
        }
    }
}

#[generator]
fn round() -> Nat {
    match pick() {
        "z" => Nat::Z,
        #[weight(80)]
        "round" => draw(round()),
    }
}

#[test]
fn infinitely_many_ways_come_one_after_the_other_and_their_series_has_a_limit() {
    assert!(matches!(g_i().ways_of(&nat(2)).count(), Overlap::Infinite { .. }));
    let ways: Vec<_> = g_i().ways_of(&nat(2)).iter().take(400).collect();
    let lengths: Vec<usize> = ways.iter().map(|way| way.choice_count()).collect();
    assert!(lengths.is_sorted());
    // A way is where the `same`s stand: before each of three arms any number of them.
    for (same, count) in [1, 3, 6, 10, 15, 21].into_iter().enumerate() {
        assert_eq!(lengths.iter().filter(|length| **length == 3 + same).count(), count);
    }
    for way in &ways {
        assert_eq!(g_i().replay_exact(way).unwrap(), (nat(2), 0));
    }
    let mut texts: Vec<String> = ways.iter().map(|way| way.to_string()).collect();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 400);
    // p(Z) = 1/3 + 1/3 p(Z), p(S n) = 1/3 p(n) + 1/3 p(S n).
    assert_eq!(g_i().ways_of(&nat(0)).probability().unwrap(), Probability::new(1, 2));
    assert_eq!(g_i().ways_of(&nat(5)).probability().unwrap(), Probability::new(1, 64));
    assert_eq!(g_i().ways_of(&nat(1)).likeliest().unwrap().1, Probability::new(1, 9));
    // p = 2/3 + 1/3 p^2, whose smaller solution is 1: it branches, so the sum is found step by
    // step.
    let branching = Branching.ways_of(&0).probability().unwrap();
    assert!((branching.to_f64().unwrap() - 1.0).abs() < 1e-12, "{branching}");
    assert_eq!(branching.fraction(), None);
    // With n branches there are as many ways as there are binary trees: 1, 1, 2, 5, 14, …
    let lengths: Vec<usize> = Branching.ways_of(&0).iter().take(65).map(|way| way.choice_count()).collect();
    let counts = [1, 3, 5, 7, 9, 11].map(|length| lengths.iter().filter(|other| **other == length).count());
    assert_eq!(counts, [1, 1, 2, 5, 14, 42]);
}

#[test]
fn the_likeliest_way_is_the_most_probable_of_all() {
    let numbers = frequency(((1, 0..=1), (5, 0..=9), (2, exact(1))));
    let (way, probability) = numbers.ways_of(&1).likeliest().unwrap();
    assert_eq!((way.to_string().as_str(), probability), ("2:", Probability::new(1, 4)));
    let lists = vec_of(numbers, ..);
    let (way, _) = lists.ways_of(&vec![1, 0, 7]).likeliest().unwrap();
    assert_eq!(way.to_string(), "[2: 0:(0) 1:(7)]");
    assert_eq!(lists.replay(&way), [1, 0, 7]);
}

#[test]
fn large_values_have_probabilities_too() {
    let list: Vec<i64> = (0..100_000).collect();
    let probability = vec_of(any::<i64>(), list.len()).ways_of(&list).probability().unwrap();
    assert!(probability.log10() < -500_000.0 && probability.log10().is_finite());
    assert!(probability.to_string().contains("e-"));
    let text = "abc".repeat(30_000);
    let probability = string_of('a'..='z', text.len()).ways_of(&text).probability().unwrap();
    assert!((probability.ln() + 90_000.0 * 26f64.ln()).abs() < 1e-3);
    // All of them have one way, and 100,000 nodes of the forest at most.
    assert_eq!(vec_of(0..10, ..).ways_of(&vec![5; 100_000]).iter().count(), 1);
    let tree = bst(0, i64::MAX / 2).sample(3);
    assert!(bst(0, i64::MAX / 2).ways_of(&tree).probability().unwrap().log2() < 0.0);
}

#[test]
fn what_is_not_drawn_at_a_size_has_probability_zero_and_is_accepted_all_the_same() {
    let lists = vec_of(0..3, ..);
    let long = vec![1; 200];
    assert!(lists.accepts(&long));
    assert!(lists.ways_of(&long).probability().unwrap().is_zero());
    assert!(!lists.ways_of(&long).at_size(200).probability().unwrap().is_zero());
    let error = lists.ways_of(&long).likeliest().unwrap_err();
    assert_eq!(error.to_string(), "the probability is not known: it can be made, but is never drawn at size 100");
    let never: Json = any::<Json>().read("Pair(Null, Null)").unwrap();
    assert_eq!(any::<Json>().ways_of(&never).at_size(0).probability().unwrap().to_string(), "0");
}

#[test]
fn what_cannot_be_known_is_said_to_be_unknown() {
    #[generator(forward)]
    fn lengths() -> usize {
        let list = draw(vec_of(0..3, ..));
        list.len()
    }
    fn reason<G: Generator>(generator: G, value: G::Value) -> String {
        generator.ways_of(&value).probability().unwrap_err().reason().to_owned()
    }
    assert!(reason(within(0..9).map(|n| n * 2), 4).ends_with("has no inverse: use map_with_inverse"));
    assert_eq!(reason(lengths(), 3), "`lengths` is a forward generator: it has no inverse (#[generator(forward)])");
    let filtered = any::<u32>().filter(|number| number % 2 == 0);
    let filtered = reason(filtered, 4);
    assert!(filtered.starts_with("how much the filter at "), "{filtered}");
    assert!(
        filtered.ends_with(
            "keeps is found only by going through all values, and there are too many values to go through: put it on a part that has fewer of them, or make what it keeps without one"
        ),
        "{filtered}"
    );
    let ranges = reason(any::<std::ops::Range<u32>>(), 3..4);
    assert!(ranges.starts_with("how often the ends of a range are the wrong way round"), "{ranges}");
    let heaps = reason(any::<std::collections::BinaryHeap<u8>>(), [1, 2].into());
    assert!(heaps.ends_with("in other orders than the one that is looked at"), "{heaps}");
    assert!(any::<std::collections::BinaryHeap<u8>>().ways_of(&[1].into()).probability().is_ok());
    // One arm that is not known is enough, but not one that cannot have made the value.
    assert!(one_of((within(0..9).map(|n| n * 2).boxed(), exact(4).boxed())).ways_of(&4).probability().is_err());
    assert!(result_of(0..9, lengths()).ways_of(&Ok(4)).probability().is_ok());
    let arms = one_of((tuple((lengths(), exact(1))), tuple((exact(2), exact(2)))));
    assert_eq!(arms.ways_of(&(2, 2)).probability().unwrap(), Probability::new(1, 2));
}
