//! Going through all values: against enumerators written by hand, against counts known from
//! elsewhere, and against what has no end.

use retrospect::generator::{Cardinality, shrink_to};
use retrospect::prelude::*;
use retrospect::reflect::Natural;
use retrospect::source::{Odometer, Source};
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Tree {
    Leaf,
    Node(Box<Tree>, i64, Box<Tree>),
}

impl Tree {
    fn nodes(&self) -> u32 {
        match self {
            Tree::Leaf => 0,
            Tree::Node(l, _, r) => 1 + l.nodes() + r.nodes(),
        }
    }
}

#[generator]
fn bst(lo: i64, hi: i64) -> Tree {
    if lo > hi {
        return Tree::Leaf;
    }
    match pick() {
        "leaf" => Tree::Leaf,
        "node" => {
            let x = draw(lo..=hi);
            let l = draw(bst(lo, x - 1));
            let r = draw(bst(x + 1, hi));
            Tree::Node(Box::new(l), x, Box::new(r))
        }
    }
}

/// LeanCheck's tiers, by hand: lists of lists, where the tier of a value is its size.
mod tiers {
    use super::Tree;

    type Tiers<T> = Vec<Vec<T>>;

    /// `\/`: tier by tier, one after the other.
    fn sum<T>(mut one: Tiers<T>, other: Tiers<T>) -> Tiers<T> {
        for (size, tier) in other.into_iter().enumerate() {
            if one.len() == size {
                one.push(Vec::new());
            }
            one[size].extend(tier);
        }
        one
    }

    fn delay<T>(mut tiers: Tiers<T>) -> Tiers<T> {
        tiers.insert(0, Vec::new());
        tiers
    }

    /// `concatMapT`: what is bound to a value of tier n is delayed by n.
    fn bind<T, U>(tiers: Tiers<T>, then: &dyn Fn(T) -> Tiers<U>) -> Tiers<U> {
        let mut all = Vec::new();
        for tier in tiers.into_iter().rev() {
            let mut here = Vec::new();
            for value in tier {
                here = sum(here, then(value));
            }
            all = sum(here, if all.is_empty() { all } else { delay(all) });
        }
        all
    }

    /// Appendix J of *Reflecting on Random Generation*: as below, but the second key of a range is
    /// one tier later than the first, and so on.
    pub(super) fn bst_of_appendix_j(lo: i64, hi: i64, largest: usize) -> Tiers<Tree> {
        let mut trees = vec![vec![Tree::Leaf]];
        if lo <= hi && largest > 0 {
            let keys = (lo..=hi).map(|key| vec![key]).collect();
            let nodes = bind(keys, &|x| {
                bind(bst_of_appendix_j(lo, x - 1, largest - 1), &|l| {
                    bind(bst_of_appendix_j(x + 1, hi, largest - 1), &|r| {
                        vec![vec![Tree::Node(Box::new(l.clone()), x, Box::new(r))]]
                    })
                })
            });
            trees = sum(trees, delay(nodes));
        }
        trees.truncate(largest + 1);
        trees
    }

    /// As the reflective generator reads: all keys of a range are in tier 0, a node is one tier
    /// later than a leaf.
    pub(super) fn bst(lo: i64, hi: i64, largest: usize) -> Tiers<Tree> {
        let mut trees = vec![vec![Tree::Leaf]];
        if lo <= hi && largest > 0 {
            let keys = vec![(lo..=hi).collect::<Vec<_>>()];
            let nodes = bind(keys, &|x| {
                bind(bst(lo, x - 1, largest - 1), &|l| {
                    bind(bst(x + 1, hi, largest - 1), &|r| vec![vec![Tree::Node(Box::new(l.clone()), x, Box::new(r))]])
                })
            });
            trees = sum(trees, delay(nodes));
        }
        trees.truncate(largest + 1);
        trees
    }
}

#[test]
fn search_trees_come_in_tiers_of_nodes() {
    let expected: Vec<Tree> = tiers::bst(1, 10, 4).into_iter().flatten().take(1000).collect();
    let found: Vec<Tree> = bst(1, 10).enumerate().take(1000).collect();
    assert_eq!(expected.len(), 1000);
    for (place, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(found, expected, "at place {place}");
    }
}

/// The order of appendix J is another one: it reaches four nodes within its first values, and small
/// trees of large keys after large trees of small keys. Both go through the same trees.
#[test]
fn appendix_j_has_the_same_trees_in_another_order() {
    let by_key: Vec<Tree> = tiers::bst_of_appendix_j(1, 10, 5).into_iter().flatten().collect();
    let first_of_four = |trees: &[Tree]| trees.iter().position(|tree| tree.nodes() == 4).unwrap();
    assert_eq!(first_of_four(&by_key), 9);
    assert_eq!(first_of_four(&bst(1, 10).enumerate().take(1000).collect::<Vec<_>>()), 701);
    let all_by_key: std::collections::HashSet<Tree> =
        tiers::bst_of_appendix_j(1, 4, 20).into_iter().flatten().collect();
    assert_eq!(all_by_key, bst(1, 4).enumerate().collect());
}

#[test]
fn all_search_trees_once_and_by_size() {
    let mut seen = std::collections::HashSet::new();
    let mut trees = bst(1, 8).enumerate();
    let mut size = 0;
    while let Some(tree) = trees.next() {
        assert_eq!(trees.size(), tree.nodes());
        assert!(tree.nodes() >= size);
        size = tree.nodes();
        assert!(seen.insert(tree));
    }
    assert_eq!(Some(seen.len() as u64), bst(1, 8).cardinality().at_most(u64::MAX));
}

/// Subsets of the keys times the trees on them.
#[test]
fn search_trees_are_counted() {
    let mut expected = 0u64;
    let (mut subsets, mut shapes) = (1u64, 1u64);
    for nodes in 0..=10 {
        assert_eq!(bst(1, 10).uniform_by_size(nodes).count().to_u64(), Some(subsets * shapes), "{nodes}");
        expected += subsets * shapes;
        subsets = subsets * (10 - u64::from(nodes)) / (u64::from(nodes) + 1);
        shapes = shapes * 2 * (2 * u64::from(nodes) + 1) / (u64::from(nodes) + 2);
    }
    assert_eq!(expected, 223_191);
    assert_eq!(bst(1, 10).cardinality(), Cardinality::Exactly(expected.into()));
    assert!(bst(1, 10).uniform_by_size(11).count().is_zero());
}

#[test]
fn the_nth_is_the_nth() {
    fn check<G: Generator + Clone>(generator: G)
    where
        G::Value: PartialEq,
    {
        let first: Vec<G::Value> = generator.enumerate().take(3500).collect();
        for place in [0, 1, 255, 256, 257, 300, 1000, 2998] {
            let mut values = generator.enumerate();
            assert_eq!(values.nth(place).as_ref(), first.get(place), "{place}");
            // And it goes on from there.
            assert_eq!(values.next().as_ref(), first.get(place + 1), "after {place}");
            assert_eq!(values.nth(400).as_ref(), first.get(place + 402), "far after {place}");
        }
    }
    check(bst(1, 6));
    check(bst(1, 10));
    check(vec_of(any::<i64>(), ..));
    check(any::<(Option<bool>, u8)>());
    check(within(0..20_000).filter(|number| number % 3 == 0));
}

#[test]
fn far_away_values_are_found_at_once() {
    let numbers = any::<u64>();
    assert_eq!(numbers.enumerate().nth(usize::MAX - 1), Some(u64::MAX - 1));
    let lists = vec_of(any::<bool>(), ..);
    let mut far = lists.enumerate();
    let list = far.nth(1_000_000_000_000).unwrap();
    assert_eq!(list.len() as u32 + list.iter().filter(|item| **item).count() as u32, far.size());
    assert_eq!(vec_of(any::<bool>(), ..=1).enumerate().nth(1_000_000), None);
}

#[test]
fn a_jump_learns_nothing_behind_its_goal() {
    // Each item hangs on those before it, so every list has to be asked for: 1,111 shorter ones,
    // and then 10,000 of length 4.
    let digits = sequence_of((), .., |()| Some(0..10u8), |(), _| ());
    let mut far = digits.enumerate().ask_at_most(20_000);
    assert_eq!(far.try_nth(&1_112.into()).unwrap(), Some(vec![0, 0, 0, 1]));
    // And it goes on from there, not from the start.
    let mut far = far.ask_at_most(100);
    assert_eq!(far.try_nth(&7.into()).unwrap(), Some(vec![0, 0, 0, 9]));
    assert_eq!(far.try_next().unwrap(), Some(vec![0, 0, 1, 0]));
}

#[test]
fn numbers_come_from_the_simplest_on() {
    let first = |count| any::<i64>().enumerate().take(count).collect::<Vec<_>>();
    assert_eq!(first(7), [0, 1, -1, 2, -2, 3, -3]);
    let choices: Vec<String> = any::<i64>().language().take(2000).map(|choices| choices.to_string()).collect();
    let expected: Vec<String> = (0..2000).map(|index: u64| index.to_string()).collect();
    assert_eq!(choices, expected);
}

/// Everything has its turn, however large the parts are that stand before it.
#[test]
fn it_is_fair() {
    type Value = (u64, Option<Vec<i64>>);
    let place =
        |wanted: &dyn Fn(&Value) -> bool| any::<Value>().enumerate().take(100_000).position(|value| wanted(&value));
    assert!(place(&|value| value.1.as_ref().is_some_and(|list| list.len() == 2)).is_some());
    assert!(place(&|value| value.0 > 100).is_some());
    let either = one_of((any::<u64>().map(Ok), any::<u64>().map(Err)));
    assert!(either.enumerate().take(100).any(|value| value == Err(3u64)));
    let bound = any::<u64>().bind_with_focus(|n| vec_of(exact(*n), ..), |list: &Vec<u64>| list.first().copied());
    assert!(bound.enumerate().take(1000).any(|list| list == [2, 2]));
    assert!(bound.enumerate().take(1000).any(|list| list == [20]));
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Generate)]
enum Expression {
    Number(bool),
    Negative(Box<Expression>),
    Sum(Box<Expression>, Box<Expression>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Generate)]
struct Record {
    name: Option<bool>,
    numbers: [u8; 2],
    nested: Vec<Inner>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Generate)]
enum Inner {
    Nothing,
    #[generate(weight = 3)]
    Record(Box<Record>),
}

/// By the recurrence: a number is of size 0 or 1, a negative adds 1, a sum adds 1 and has two
/// parts.
#[test]
fn derived_types_are_counted() {
    let mut counts: Vec<u64> = Vec::new();
    for size in 0..12usize {
        let mut count = u64::from(size <= 1);
        if size > 0 {
            count += counts[size - 1];
            count += (0..size).map(|left| counts[left] * counts[size - 1 - left]).sum::<u64>();
        }
        counts.push(count);
        let found = any::<Expression>().uniform_by_size(size as u32).count();
        assert_eq!(found, Natural::from(count), "size {size}");
    }
    let most: u64 = counts.iter().take(7).sum();
    let mut seen = std::collections::HashSet::new();
    for expression in any::<Expression>().enumerate().take(most as usize) {
        assert!(seen.insert(expression));
    }
    assert_eq!(any::<Expression>().cardinality(), Cardinality::Infinite);
    assert_eq!(any::<Record>().cardinality(), Cardinality::Infinite);
}

/// Whether each of the values of a size is drawn as often as the others. The limit is that of a
/// chance of 1 in 10,000 that this fails although it is.
fn check_uniform<G: Generator + Clone>(generator: G, size: u32)
where
    G::Value: PartialEq,
{
    let mut all = Vec::new();
    let mut values = generator.enumerate();
    while let Some(value) = values.next() {
        if values.size() > size {
            break;
        }
        if values.size() == size {
            all.push(value);
        }
    }
    let uniform = generator.uniform_by_size(size);
    assert_eq!(uniform.count(), Natural::from(all.len() as u64));
    let expected = 200;
    let mut counts = vec![0u64; all.len()];
    for seed in 0..(expected * all.len()) as u64 {
        let value = uniform.sample(seed);
        counts[all.iter().position(|other| *other == value).expect("it is one of them")] += 1;
    }
    let expected = expected as f64;
    let statistic: f64 = counts.iter().map(|count| (*count as f64 - expected).powi(2) / expected).sum();
    // Wilson and Hilferty's approximation of the chi-square distribution.
    let freedom = (all.len() - 1) as f64;
    let limit = freedom * (1.0 - 2.0 / (9.0 * freedom) + 3.719 * (2.0 / (9.0 * freedom)).sqrt()).powi(3);
    assert!(statistic < limit, "{statistic} is above {limit} for {} values", all.len());
}

#[test]
fn sampling_by_size_is_uniform() {
    check_uniform(any::<Expression>(), 3);
    check_uniform(bst(1, 5), 3);
    check_uniform(vec_of(any::<bool>(), ..), 6);
    check_uniform(tuple((0..100, any::<Option<bool>>())), 2);
    check_uniform(vec_of(0..5, ..).filter(|list| list.is_sorted()), 3);
}

#[test]
fn sampling_by_size_reflects_and_shrinks() {
    let trees = bst(1, 30).uniform_by_size(8);
    let tree = trees.sample(3);
    assert_eq!(tree.nodes(), 8);
    assert_eq!(bst(1, 30).replay(&trees.sample_choices(3)), tree);
    assert!(trees.shrink(tree, |tree| tree.nodes() >= 2).unwrap().value.nodes() == 2);
    let error = any::<bool>().uniform_by_size(5);
    assert_eq!(panic_of(|| error.sample(1)), "cannot generate a value: there is no value of size 5");
    // A large size: the count has hundreds of digits.
    let expression = any::<Expression>().uniform_by_size(150).sample(1);
    assert!(any::<Expression>().uniform_by_size(150).count().to_string().len() > 50);
    assert!(any::<Expression>().accepts(&expression));
}

/// Whatever hangs on what: each way once, and as many as are counted.
#[test]
fn every_way_once() {
    fn check<G: Generator + Clone>(generator: G) {
        let mut seen = std::collections::HashSet::new();
        for choices in generator.language().take(2000) {
            assert!(seen.insert(choices.to_string()), "{choices} twice");
            assert!(generator.replay_exact(&choices).is_ok(), "{choices}");
        }
        let total = generator.cardinality();
        match total.at_most(2000) {
            Some(count) => assert_eq!(seen.len() as u64, count),
            None => assert_eq!(seen.len(), 2000, "{total}"),
        }
    }
    check(any::<bool>());
    check(any::<u8>());
    check(any::<(bool, Option<bool>, ())>());
    check(any::<[Option<bool>; 3]>());
    check(any::<Expression>());
    check(any::<Record>());
    check(bst(1, 4));
    check(string_of('a'..='c', ..=4));
    check(any::<String>());
    check(any::<f64>());
    check(any::<char>());
    check(set_of(0..4, ..));
    check(map_of(0..3, any::<bool>(), ..));
    check(subsequence_of([1, 2, 3, 4, 5], ..));
    check(permutation_of([1, 2, 3, 4]));
    check(element_of([1, 2, 3]));
    check(any::<i128>());
    check(any::<std::time::Duration>());
    check(any::<std::net::IpAddr>());
    check(any::<Result<u8, bool>>());
    check(sized(|size| vec_of(any::<bool>(), ..=size as usize % 3)));
    check(within(0..100).filter(|number| number % 7 == 3));
    check(vec_of(within(0..100).filter(|number| number % 7 == 3), ..));
    check(tuple((within(0..100).filter(|number| number % 7 == 3), any::<bool>())));
    check(vec_of(0..3, ..=3).filter(|list| list.is_sorted()));
    check((0..4).bind_with_focus(|n| vec_of(exact(*n), *n), |list: &Vec<usize>| Some(list.len())));
    check(one_of((exact(1), 2..5, vec_of(0..2, ..=1).map(|list| list.len()))));
    check(shrink_to(5, [0, 1]));
    check(exact(5));
    check(tuple(((0..3).shrink_with(|_| [0]), any::<bool>())));
    check(any::<Function<u8, bool>>());
    check(tuple((any::<bool>(), any::<Function<u8, Option<bool>>>())));
    check(any::<Option<Vec<bool>>>().tuned_like(&[None, Some(vec![true])]).unwrap());
    check(vec_of(any::<Option<bool>>().tuned_unlike(&[None]).unwrap(), ..));
    check(vec_of(0..3, ..).no_shrink());
    check(vec_of(0..3, 2).uniform_by_size(0));
    check(tuple((0..3, any::<Vec<bool>>())).after(&"1".parse().unwrap()));
    check(string_of('a'..='b', ..).map_with_inverse(|text| text.len(), |length| Some("a".repeat(*length))));
}

/// Whatever a filter refuses, all that is left is there, as trying out all answers finds it.
#[test]
fn no_way_is_left_out() {
    fn check<G: Generator + Clone>(generator: G) {
        let mut odometer = Odometer::new();
        let mut expected = Vec::new();
        loop {
            let mut source = Source::asking(&mut odometer);
            if generator.generate(&mut source).is_ok() {
                expected.push(source.into_choices().to_string());
            }
            if !odometer.advance() {
                break;
            }
        }
        let mut found: Vec<String> = generator.language().map(|choices| choices.to_string()).collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected);
        assert_eq!(generator.cardinality().at_most(u64::MAX), Some(expected.len() as u64));
    }
    for rest in [0, 1] {
        let some = move || within(0..9).filter(move |number| number % 2 == rest);
        check(some());
        check(one_of((exact(7), 0..3, some())));
        check(one_of([some(), some()]));
        check(frequency(((3, exact((1, 1))), (2, tuple((some(), 0..2))))));
        check(option_of(some()));
        check(result_of(some(), one_of((some(), exact(7)))));
        check(vec_of(one_of((exact(7), some())), ..=2));
        check(one_of((exact(7), one_of((exact(8), some())))).filter(|number| *number != 3));
    }
}

/// A duplicate in a set says nothing about longer items, nor about what stands beside the set.
#[test]
fn no_set_is_left_out() {
    fn check<G: Generator + Clone>(generator: G, count: usize) {
        let mut odometer = Odometer::new();
        let mut expected = BTreeSet::new();
        loop {
            if let Ok(value) = generator.generate(&mut Source::asking(&mut odometer)) {
                expected.insert(format!("{value:?}"));
            }
            if !odometer.advance() {
                break;
            }
        }
        let found: Vec<String> = generator.clone().enumerate().distinct().map(|value| format!("{value:?}")).collect();
        assert_eq!(found.iter().cloned().collect::<BTreeSet<_>>(), expected);
        assert_eq!((found.len(), expected.len()), (count, count));
        assert!(generator.cardinality().at_most(u64::MAX) >= Some(count as u64));
    }
    let lists = || vec_of(any::<bool>(), ..=1);
    check(set_of(lists(), ..=3), 8);
    check(set_of(lists(), 2), 3);
    check(set_of(vec_of(any::<bool>(), ..=2), ..=2), 29);
    check(set_of(string_of('a'..='b', 1..=2), ..=2), 22);
    check(set_of(set_of(any::<bool>(), ..=2), ..=3), 15);
    check(set_of(tuple((any::<bool>(), lists())), ..=2), 22);
    check(set_of(subsequence_of([1, 2], ..), ..=2), 11);
    check(map_of(lists(), any::<bool>(), ..=2), 19);
    check(hash_set_of(option_of(lists()), ..=1), 5);
    check(vec_of(set_of(lists(), ..=2), ..=1), 8);
    check(vec_of(set_of(lists(), 2..=3), 1), 4);
    check(vec_of(set_of(any::<bool>(), 2), ..=2), 3);
    check(tuple((lists(), set_of(lists(), ..=1))), 12);
    check(tuple((lists(), set_of(lists(), 3))), 3);
    // Nothing follows the empty list.
    let after = |list: &Vec<bool>| {
        let is_empty = list.is_empty();
        tuple((exact(list.clone()), within(0..2).filter(move |_| !is_empty)))
    };
    check(lists().bind_with_focus(after, |(list, _)| Some(list.clone())), 4);
}

#[test]
fn sets_are_listed_once_each_if_asked() {
    let sets: Vec<_> = set_of(0..4, ..).enumerate().distinct().collect();
    let mut different = sets.clone();
    different.sort();
    different.dedup();
    assert_eq!((sets.len(), different.len()), (16, 16));
    assert!(set_of(0..4, ..).enumerate().count() > 16);
}

fn panic_of<T>(work: impl FnOnce() -> T) -> String {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    std::panic::set_hook(hook);
    match result {
        Ok(_) => panic!("it was expected to panic"),
        Err(payload) => payload.downcast_ref::<String>().expect("a message").clone(),
    }
}

#[generator]
fn endless() -> u32 {
    match pick() {
        "more" => {
            let rest = draw(endless());
            rest
        }
        "end" => 0,
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Chain {
    more: u8,
    rest: Option<Box<Chain>>,
}

#[generator]
fn counted_by_a_number() -> Chain {
    let more = draw(0..=1);
    match more {
        0 => Chain { more, rest: None },
        _ => {
            let rest = draw(counted_by_a_number());
            Chain { more, rest: Some(Box::new(rest)) }
        }
    }
}

#[test]
fn what_has_no_end_is_an_error_or_lazy() {
    let reason = endless().enumerate().try_next().unwrap_err().to_string();
    assert!(reason.starts_with("the simplest value never ends: the first arm of `endless` ("), "{reason}");
    assert!(panic_of(|| endless().cardinality()).starts_with("cannot count the values: the simplest value never ends"));
    assert!(panic_of(|| endless().enumerate().next()).contains("the simplest value never ends"));
    assert!(tuple((any::<bool>(), endless())).enumerate().try_next().is_err());

    // Infinitely many of one size are still infinitely many in all.
    assert_eq!(counted_by_a_number().cardinality(), Cardinality::Infinite);
    let mut chains = counted_by_a_number().enumerate();
    assert_eq!(chains.next(), Some(Chain { more: 0, rest: None }));
    let reason = chains.try_next().unwrap_err().to_string();
    assert!(reason.contains("calls itself without a choice that adds to the size"), "{reason}");

    assert_eq!(within(0..10).filter(|_| false).enumerate().count(), 0);
    assert_eq!(within(0..10).filter(|_| false).cardinality().at_most(0), Some(0));
    assert_eq!(tuple((any::<bool>(), within(0..10).filter(|_| false))).enumerate().count(), 0);
    assert_eq!(vec_of(within(0..10).filter(|_| false), ..).enumerate().take(10).count(), 1);
    #[allow(clippy::reversed_empty_ranges)]
    let empty = within(5..3);
    assert_eq!(empty.enumerate().count(), 0);
    assert!(empty.is_void());

    let hopeless = any::<u64>().filter(|_| false);
    assert!(
        hopeless
            .enumerate()
            .ask_at_most(100_000)
            .try_next()
            .unwrap_err()
            .to_string()
            .contains("a filter refuses nearly everything")
    );
    assert!(matches!(hopeless.cardinality(), Cardinality::AtLeast(none) if none.is_zero()));
}

#[test]
fn a_million_arms() {
    let arms: Vec<_> = (0..1_000_000).map(exact).collect();
    let numbers = one_of(arms);
    assert_eq!(numbers.enumerate().take(5).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    let (choice, last) = numbers.gradient().nth(999_999).unwrap();
    assert_eq!((choice.to_string(), last.value_if_done()), ("999999:".to_owned(), Some(999_999)));
    // Each of them may ask anything: to know it, it must be tried.
    assert!(matches!(numbers.cardinality(), Cardinality::AtLeast(_)));
    let reason = numbers.enumerate().ask_at_most(1_500_000).try_nth(&500_000.into()).unwrap_err().to_string();
    assert!(reason.starts_with("1500000 questions were not enough to find the next value"), "{reason}");
    assert_eq!(numbers.enumerate().nth(500_000), Some(500_000));
    let elements = element_of((0..1_000_000).collect::<Vec<u32>>());
    assert_eq!(elements.cardinality().at_most(u64::MAX), Some(1_000_000));
    assert_eq!(elements.enumerate().nth(999_999), Some(999_999));
}

#[test]
fn many_arms_take_no_longer_each_than_few() {
    // Some are absent. Whoever began with the first arm for each would take minutes.
    let arms: Vec<_> = (0..300_000_u32).map(|number| (number % 3, exact(number))).collect();
    let numbers = frequency(arms);
    let expected = || (0..300_000).filter(|number| number % 3 > 0);
    assert!(numbers.enumerate().eq(expected()));
    let mut odometer = Odometer::new();
    let mut all = Vec::new();
    loop {
        all.push(numbers.generate(&mut Source::asking(&mut odometer)).unwrap());
        if !odometer.advance() {
            break;
        }
    }
    assert!(all.into_iter().eq(expected()));
    assert_eq!(odometer.estimate(), 1); // Nothing is left to turn.
}

#[test]
fn products_of_large_numbers_are_exact() {
    let count = any::<(u64, u64, u64)>().cardinality().to_string();
    assert_eq!(count, "6277101735386680763835789423207666416102355444464034512896");
    assert_eq!(any::<[u8; 4]>().cardinality().at_most(u64::MAX), Some(1 << 32));
    assert_eq!(vec_of(any::<u8>(), ..=2).cardinality().at_most(u64::MAX), Some(1 + 256 + 65536));
}

/// The runner goes through everything there is in the same order.
mod running {
    use super::*;
    use retrospect::runner::Settings;
    use std::cell::RefCell;

    fn all() -> Check {
        Check::new().with(Settings::new().exhaustive(true).save(false))
    }

    #[test]
    fn cases_come_in_the_order_of_the_enumeration() {
        fn check<G: Generator + Clone>(generator: G) {
            let seen = RefCell::new(Vec::new());
            let report = all().failure(generator.clone(), |value| seen.borrow_mut().push(format!("{value:?}")));
            assert_eq!(report, None);
            let expected: Vec<String> = generator.enumerate().map(|value| format!("{value:?}")).collect();
            assert_eq!(seen.into_inner(), expected);
        }
        check(bst(1, 4));
        check(tuple((any::<bool>(), 0..40, any::<Option<bool>>())));
        check(vec_of(0..3, ..=3).filter(|list| list.is_sorted()));
        check(within(0..100).filter(|number| number % 7 == 3));
        check((0..4).bind_with_focus(|n| vec_of(exact(*n), *n), |list: &Vec<usize>| Some(list.len())));
        // However many items are asked for: there are no more than these.
        check(set_of(0..4, ..));
        check(exact(5));
    }

    #[test]
    fn the_smallest_that_fails_is_found_first() {
        let report = all().failure(bst(1, 5), |tree| assert!(tree.nodes() < 4)).unwrap();
        let place = bst(1, 5).enumerate().position(|tree| tree.nodes() == 4).unwrap() + 1;
        assert!(report.contains(&format!("found by case {place}, in order")), "{report}");
    }

    #[test]
    fn a_small_domain_is_run_whole_without_being_asked() {
        let count = RefCell::new(0);
        let check = || Check::new().save(false);
        assert_eq!(check().failure(bst(1, 4), |_| *count.borrow_mut() += 1), None);
        assert_eq!(Some(count.take()), bst(1, 4).cardinality().at_most(u64::MAX));
        // 223,191 search trees are too many for that, though the simplest is a leaf: chance it is.
        let report = check().failure(bst(1, 10), |tree| assert!(tree.nodes() < 3)).unwrap();
        assert!(!report.contains("in order"), "{report}");
    }

    #[test]
    fn what_has_too_many_cases_is_refused_at_once() {
        let message = "there are too many cases to run them all, more than 10000000: leave `exhaustive` out, or say how much `time` there is";
        let refused = |report: Option<String>| assert!(report.unwrap().contains(message));
        let passed = RefCell::new(0);
        refused(all().failure(any::<u64>(), |_| *passed.borrow_mut() += 1));
        refused(all().failure(bst(1, 20), |_| *passed.borrow_mut() += 1));
        refused(all().failure(vec_of(any::<bool>(), ..), |_| *passed.borrow_mut() += 1));
        // The simplest case of each is all that was run.
        assert_eq!(passed.take(), 3);
    }

    #[test]
    fn bodies_that_draw_are_run_whole_as_well() {
        let seen = RefCell::new(Vec::new());
        let report = all().failure_of_case(|case| {
            let length = case.draw(0..3usize);
            let list: Vec<bool> = (0..length).map(|_| case.draw(any::<bool>())).collect();
            seen.borrow_mut().push(list);
        });
        assert_eq!(report, None);
        assert_eq!(seen.into_inner().len(), 1 + 2 + 4);
    }

    #[property(exhaustive)]
    fn bodies_that_draw_only_now_and_then(case: &mut Case<'_>, #[from(0..4u8)] number: u8) {
        if number == 2 {
            let other = case.draw(0..5u8);
            assert!(other < 5);
        }
    }

    #[property(exhaustive)]
    fn arguments_that_hang_on_each_other(#[from(1..5usize)] length: usize, #[from(0..length)] index: usize) {
        assert!(index < length);
    }
}
