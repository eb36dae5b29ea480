//! proptest, with its own combinators.

use super::super::problems::challenges::{self, Heap, Term};
use super::super::problems::dependent::weighs_twenty;
use super::super::problems::further::{Tree, is_multiplied_to_a_million};
use super::{CASES, watch, watch_debug};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

pub(super) fn run(problem: &str, seed: u64) -> bool {
    let numbers = || vec(any::<i64>(), 0..100);
    let lists = || vec(vec(any::<i64>(), 0..20), 0..20);
    let pair = || (1..=i32::MAX, 1..=i32::MAX);
    let five = |longest| {
        let list = move || vec(any::<i16>(), 0..=longest);
        (list(), list(), list(), list(), list())
    };
    match problem {
        "reverse" => check(seed, numbers(), |list| watch_debug(challenges::differs_reversed(list), list)),
        "nested lists" => {
            let zeros = vec(vec(Just(0i64), 0..20), 0..20);
            check(seed, zeros, |lists| watch_debug(challenges::holds_more_than_ten(lists), lists));
        }
        "large union" => check(seed, lists(), |lists| watch_debug(challenges::unites_five(lists), lists)),
        "length list" => {
            let counted = (1..=100usize).prop_flat_map(|count| vec(0..=1000u32, count));
            check(seed, counted, |list| watch_debug(challenges::reaches_900(list), list));
        }
        "difference 1" => check(seed, pair(), |pair| watch_debug(challenges::is_equal_pair(pair), pair)),
        "difference 2" => check(seed, pair(), |pair| watch_debug(challenges::is_near_pair(pair), pair)),
        "difference 3" => check(seed, pair(), |pair| watch_debug(challenges::is_neighbour_pair(pair), pair)),
        "bound5" => check(seed, five(1), |lists| watch_debug(challenges::wraps(lists), lists)),
        "bound5, any lengths" => check(seed, five(100), |lists| watch_debug(challenges::wraps(lists), lists)),
        "coupling" => {
            check(seed, vec(0..=10usize, 0..=10), |list| watch_debug(challenges::has_a_cycle_of_two(list), list));
        }
        "deletion" => check(seed, (numbers(), 0..=10usize), |(list, place)| {
            watch_debug(challenges::survives_deletion(list, *place), &(list, place))
        }),
        "distinct" => check(seed, numbers(), |list| watch_debug(challenges::has_three_distinct(list), list)),
        "calculator" => check(seed, term(), |term| watch_debug(term.fails(), term)),
        "binary heap, key from the least" => {
            check(seed, heap(0, 20), |heap| watch(heap.fails(), || heap.show()));
        }
        "replacement" => {
            let both = (0..=1_000_000u64, vec(2..=10u64, 0..100));
            check(seed, both, |both| watch_debug(is_multiplied_to_a_million(both), both));
        }
        "2x + y + z = 20" => {
            check(seed, (0..=20u32, 0..=20u32, 0..=20u32), |three| watch_debug(weighs_twenty(three), three));
        }
        "search tree, key 50" => check(seed, tree(0, 100), |tree| watch(tree.is_large(), || tree.show())),
        _ => return false,
    }
    true
}

fn check<S: Strategy>(seed: u64, strategy: S, fails: impl Fn(&S::Value) -> bool) {
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let property = |value: S::Value| match fails(&value) {
        true => Err(TestCaseError::fail("it fails")),
        false => Ok(()),
    };
    // What was watched says where it ended.
    let _ = TestRunner::new_with_rng(config, rng).run(&strategy, property);
}

fn term() -> impl Strategy<Value = Term> {
    any::<i64>().prop_map(Term::Number).prop_recursive(6, 64, 2, |inner| {
        let add = |(left, right)| Term::Add(Box::new(left), Box::new(right));
        let divide = |(left, right)| Term::Divide(Box::new(left), Box::new(right));
        prop_oneof![(inner.clone(), inner.clone()).prop_map(add), (inner.clone(), inner).prop_map(divide)]
    })
}

fn heap(least: i64, size: u32) -> BoxedStrategy<Heap> {
    if size == 0 {
        return Just(Heap::Empty).boxed();
    }
    let node = (least..=i64::MAX).prop_flat_map(move |key| {
        let children = (heap(key, size / 2), heap(key, size / 2));
        children.prop_map(move |(left, right)| Heap::Node(key, Box::new(left), Box::new(right)))
    });
    prop_oneof![1 => Just(Heap::Empty), 7 => node].boxed()
}

fn tree(low: i64, high: i64) -> BoxedStrategy<Tree> {
    if low > high {
        return Just(Tree::Leaf).boxed();
    }
    let node = (low..=high).prop_flat_map(move |key| {
        let children = (tree(low, key - 1), tree(key + 1, high));
        children.prop_map(move |(left, right)| Tree::Node(Box::new(left), key, Box::new(right)))
    });
    prop_oneof![1 => Just(Tree::Leaf), 5 => node].boxed()
}
