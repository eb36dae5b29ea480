//! quickcheck: shrinking goes by type, so what is not of a type of the standard library brings its
//! own.

use super::super::problems::challenges::{self, Heap, Term};
use super::super::problems::dependent::weighs_twenty;
use super::super::problems::further::{Tree, is_multiplied_to_a_million};
use super::{CASES, watch, watch_debug};
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};

pub(super) fn run(problem: &str, seed: u64) -> bool {
    type Numbers = Vec<i64>;
    type Pair = (Between<1, { i32::MAX as u32 }>, Between<1, { i32::MAX as u32 }>);
    match problem {
        "reverse" => {
            fn property(list: Numbers) -> TestResult {
                verdict(watch_debug(challenges::differs_reversed(&list), &list))
            }
            check(seed, property as fn(_) -> _);
        }
        "nested lists" => {
            fn property(lists: Vec<Vec<Between<0, 0>>>) -> TestResult {
                let lists: Vec<Numbers> =
                    lists.iter().map(|list| list.iter().map(|item| i64::from(item.0)).collect()).collect();
                verdict(watch_debug(challenges::holds_more_than_ten(&lists), &lists))
            }
            check(seed, property as fn(_) -> _);
        }
        "large union" => {
            fn property(lists: Vec<Numbers>) -> TestResult {
                verdict(watch_debug(challenges::unites_five(&lists), &lists))
            }
            check(seed, property as fn(_) -> _);
        }
        "length list" => {
            fn property(list: Vec<Between<0, 1000>>) -> TestResult {
                let list: Vec<u32> = list.iter().map(|item| item.0).collect();
                verdict(watch_debug(challenges::reaches_900(&list), &list))
            }
            check(seed, property as fn(_) -> _);
        }
        "difference 1" | "difference 2" | "difference 3" => {
            fn on_pair((x, y): Pair, fails: fn(&(i32, i32)) -> bool) -> TestResult {
                let pair = (x.0 as i32, y.0 as i32);
                verdict(watch_debug(fails(&pair), &pair))
            }
            let property: fn(Pair) -> TestResult = match problem {
                "difference 1" => |pair| on_pair(pair, challenges::is_equal_pair),
                "difference 2" => |pair| on_pair(pair, challenges::is_near_pair),
                _ => |pair| on_pair(pair, challenges::is_neighbour_pair),
            };
            check(seed, property);
        }
        "bound5, any lengths" => {
            fn property(lists: challenges::FiveLists) -> TestResult {
                verdict(watch_debug(challenges::wraps(&lists), &lists))
            }
            check(seed, property as fn(_) -> _);
        }
        "coupling" => {
            fn property(list: Vec<Between<0, 10>>) -> TestResult {
                let list: Vec<usize> = list.iter().map(|item| item.0 as usize).collect();
                verdict(watch_debug(challenges::has_a_cycle_of_two(&list), &list))
            }
            check(seed, property as fn(_) -> _);
        }
        "deletion" => {
            fn property(list: Numbers, place: Between<0, 10>) -> TestResult {
                let place = place.0 as usize;
                verdict(watch_debug(challenges::survives_deletion(&list, place), &(&list, place)))
            }
            check(seed, property as fn(_, _) -> _);
        }
        "distinct" => {
            fn property(list: Numbers) -> TestResult {
                verdict(watch_debug(challenges::has_three_distinct(&list), &list))
            }
            check(seed, property as fn(_) -> _);
        }
        "calculator" => {
            fn property(term: AnyTerm) -> TestResult {
                verdict(watch_debug(term.0.fails(), &term.0))
            }
            check(seed, property as fn(_) -> _);
        }
        "binary heap, key from the least" => {
            fn property(heap: AnyHeap) -> TestResult {
                if !is_heap(&heap.0, 0) {
                    watch(false, String::new);
                    return TestResult::discard();
                }
                verdict(watch(heap.0.fails(), || heap.0.show()))
            }
            check(seed, property as fn(_) -> _);
        }
        "replacement" => {
            fn property(number: Between<0, 1_000_000>, factors: Vec<Between<2, 10>>) -> TestResult {
                let both = (u64::from(number.0), factors.iter().map(|factor| u64::from(factor.0)).collect());
                verdict(watch_debug(is_multiplied_to_a_million(&both), &both))
            }
            check(seed, property as fn(_, _) -> _);
        }
        "2x + y + z = 20" => {
            fn property(x: Between<0, 20>, y: Between<0, 20>, z: Between<0, 20>) -> TestResult {
                let three = (x.0, y.0, z.0);
                verdict(watch_debug(weighs_twenty(&three), &three))
            }
            check(seed, property as fn(_, _, _) -> _);
        }
        "search tree, key 50" => {
            fn property(tree: AnyTree) -> TestResult {
                let keys = tree.0.keys();
                if !keys.is_sorted_by(|left, right| left < right) {
                    watch(false, String::new);
                    return TestResult::discard();
                }
                verdict(watch(tree.0.is_large(), || tree.0.show()))
            }
            check(seed, property as fn(_) -> _);
        }
        _ => return false,
    }
    true
}

fn verdict(fails: bool) -> TestResult {
    TestResult::from_bool(!fails)
}

fn check(seed: u64, property: impl Testable) {
    let cases = u64::from(CASES);
    let mut runner = QuickCheck::new().rng(Gen::from_size_and_seed(100, seed)).tests(cases).max_tests(10 * cases);
    // What was watched says where it ended.
    let _ = runner.quicktest(property);
}

/// A number from a range, which shrinks to its lower end.
#[derive(Clone, Copy, Debug)]
struct Between<const LOW: u32, const HIGH: u32>(u32);

impl<const LOW: u32, const HIGH: u32> Arbitrary for Between<LOW, HIGH> {
    fn arbitrary(random: &mut Gen) -> Self {
        Between(LOW + u32::arbitrary(random) % (HIGH - LOW + 1))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new((self.0 - LOW).shrink().map(|above| Between(LOW + above)))
    }
}

#[derive(Clone, Debug)]
struct AnyTerm(Term);

impl Arbitrary for AnyTerm {
    fn arbitrary(random: &mut Gen) -> AnyTerm {
        fn term(random: &mut Gen, depth: u32) -> Term {
            let kinds: &[u8] = if depth > 0 { &[0, 1, 2] } else { &[0] };
            match random.choose(kinds) {
                Some(1) => Term::Add(Box::new(term(random, depth - 1)), Box::new(term(random, depth - 1))),
                Some(2) => Term::Divide(Box::new(term(random, depth - 1)), Box::new(term(random, depth - 1))),
                _ => Term::Number(i64::arbitrary(random)),
            }
        }
        AnyTerm(term(random, 6))
    }

    /// To the parts, then each part in its place.
    fn shrink(&self) -> Box<dyn Iterator<Item = AnyTerm>> {
        let both = |left: &Term, right: &Term, make: fn(Box<Term>, Box<Term>) -> Term| {
            let (left, right) = (left.clone(), right.clone());
            let (kept_left, kept_right) = (left.clone(), right.clone());
            let parts = [left.clone(), right.clone()].into_iter().map(AnyTerm);
            let lefts =
                AnyTerm(left).shrink().map(move |left| AnyTerm(make(Box::new(left.0), Box::new(kept_right.clone()))));
            let rights =
                AnyTerm(right).shrink().map(move |right| AnyTerm(make(Box::new(kept_left.clone()), Box::new(right.0))));
            Box::new(parts.chain(lefts).chain(rights)) as Box<dyn Iterator<Item = AnyTerm>>
        };
        match &self.0 {
            Term::Number(number) => Box::new(number.shrink().map(|number| AnyTerm(Term::Number(number)))),
            Term::Add(left, right) => both(left, right, Term::Add),
            Term::Divide(left, right) => both(left, right, Term::Divide),
        }
    }
}

#[derive(Clone, Debug)]
struct AnyHeap(Heap);

fn is_heap(heap: &Heap, least: i64) -> bool {
    match heap {
        Heap::Empty => true,
        Heap::Node(key, left, right) => *key >= least && is_heap(left, *key) && is_heap(right, *key),
    }
}

impl Arbitrary for AnyHeap {
    fn arbitrary(random: &mut Gen) -> AnyHeap {
        fn heap(random: &mut Gen, least: i64, size: u32) -> Heap {
            if size == 0 || random.choose(&[0, 1, 2, 3, 4, 5, 6, 7]) == Some(&0) {
                return Heap::Empty;
            }
            let any = i64::arbitrary(random) & i64::MAX;
            let key = if any >= least { any } else { least + any % (i64::MAX - least + 1).max(1) };
            let (left, right) = (heap(random, key, size / 2), heap(random, key, size / 2));
            Heap::Node(key, Box::new(left), Box::new(right))
        }
        AnyHeap(heap(random, 0, 20))
    }

    /// To the parts, then a smaller key, then each part in its place.
    fn shrink(&self) -> Box<dyn Iterator<Item = AnyHeap>> {
        let Heap::Node(key, left, right) = self.0.clone() else {
            return quickcheck::empty_shrinker();
        };
        let parts = [Heap::Empty, (*left).clone(), (*right).clone()].into_iter().map(AnyHeap);
        let keys = (key, left.clone(), right.clone());
        let smaller = key.shrink().map(move |key| AnyHeap(Heap::Node(key, keys.1.clone(), keys.2.clone())));
        let kept = right.clone();
        let lefts =
            AnyHeap((*left).clone()).shrink().map(move |left| AnyHeap(Heap::Node(key, Box::new(left.0), kept.clone())));
        let rights =
            AnyHeap(*right).shrink().map(move |right| AnyHeap(Heap::Node(key, left.clone(), Box::new(right.0))));
        Box::new(parts.chain(smaller).chain(lefts).chain(rights))
    }
}

#[derive(Clone, Debug)]
struct AnyTree(Tree);

impl Arbitrary for AnyTree {
    fn arbitrary(random: &mut Gen) -> AnyTree {
        fn tree(random: &mut Gen, low: i64, high: i64) -> Tree {
            if low > high || random.choose(&[0, 1, 2, 3, 4, 5]) == Some(&0) {
                return Tree::Leaf;
            }
            let key = low + i64::from(u32::arbitrary(random)) % (high - low + 1);
            let (left, right) = (tree(random, low, key - 1), tree(random, key + 1, high));
            Tree::Node(Box::new(left), key, Box::new(right))
        }
        AnyTree(tree(random, 0, 100))
    }

    /// To the parts, then each part in its place, then a smaller key.
    fn shrink(&self) -> Box<dyn Iterator<Item = AnyTree>> {
        let Tree::Node(left, key, right) = self.0.clone() else {
            return quickcheck::empty_shrinker();
        };
        let parts = [Tree::Leaf, (*left).clone(), (*right).clone()].into_iter().map(AnyTree);
        let kept = right.clone();
        let lefts =
            AnyTree((*left).clone()).shrink().map(move |left| AnyTree(Tree::Node(Box::new(left.0), key, kept.clone())));
        let kept = left.clone();
        let rights = AnyTree((*right).clone())
            .shrink()
            .map(move |right| AnyTree(Tree::Node(kept.clone(), key, Box::new(right.0))));
        let smaller =
            key.shrink().filter(|key| *key >= 0).map(move |key| AnyTree(Tree::Node(left.clone(), key, right.clone())));
        Box::new(parts.chain(lefts).chain(rights).chain(smaller))
    }
}
