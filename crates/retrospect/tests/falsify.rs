//! What the generators of falsify are known to shrink to, on ours.
//!
//! De Vries, "falsify: Internal Shrinking Reimagined for Haskell" (Haskell 2023), and the tests and
//! demonstrations of the library. Where our order decides between minima that falsify allows, the
//! one it takes is asserted. What must *not* hold is asserted too.

use retrospect::generator::{from_shrink_tree, shrink_to};
use retrospect::laws::{Law, Laws};
use retrospect::prelude::*;
use retrospect::shrink::End;

/// The primitive of falsify: 64 bits.
fn prim() -> impl Generator<Value = u64> + Clone {
    uniform(0..=u64::MAX)
}

mod primitives {
    use super::*;

    #[test]
    fn a_number_shrinks_to_0_or_to_the_least_that_fails() {
        laws::minimum(&prim(), |_| true, [0]);
        laws::minimum(&prim(), |number| *number != 0, [1]);
        laws::minimum(&prim(), |number| *number >= 1234, [1234]);
        laws::shrinking(&prim(), |before, after| before > after);
    }

    #[test]
    fn a_pair_shrinks_each_side_by_itself() {
        // The property "x is 0, or x is below y" fails least at (1, 0).
        laws::minimum(&tuple((prim(), prim())), |(x, y)| !(*x == 0 || x < y), [(1, 0)]);
        // Either side, never one for the other.
        laws::shrinking(&tuple((prim(), prim())), |before, after| before.0 >= after.0 || before.1 >= after.1);
    }

    #[test]
    fn a_remainder_is_not_monotone() {
        let below = prim().map(|number| number % 100);
        let broken = Laws::default().verify_shrinking(&below, |before, after| before >= after).unwrap_err();
        assert_eq!(broken.law(), Law::Shrinking);
        // A range is.
        laws::shrinking(&(0..100), |before, after| before > after);
    }

    #[test]
    fn a_sign_of_its_own_is_biased_and_a_range_is_not() {
        // The sign is drawn first and shrinks to plus; from +4 there is no way to -2 then.
        let wrong = tuple((any::<bool>(), 0..=1000)).map(|(is_negative, size)| if is_negative { -size } else { size });
        laws::minimum(&wrong, |number| *number != 0 && (*number < 0 || *number >= 400), [400, -1]);
        let right = -1000..=1000i32;
        laws::minimum(&right, |number| *number != 0 && (*number < 0 || *number >= 400), [-1]);
        laws::shrinking(&right, |before, after| before.abs() >= after.abs());
    }

    /// Section 5.2: whatever the range and the limit are, all starts end at one fraction.
    #[property(cases = 40)]
    fn fractions_of_a_range_have_one_form(
        #[from(-50..=50i32)] low: i32,
        #[from(1..=100i32)] width: i32,
        #[from(1..1000i32)] share: i32,
    ) {
        let (low, high) = (f64::from(low) / 4.0, f64::from(low + width) / 4.0);
        let limit = low + (high - low) * f64::from(share) / 1000.0;
        let range = within(low..=high);
        let mut ends: Vec<f64> = (0..8)
            .map(|seed| range.sample(seed))
            .filter(|start| *start >= limit)
            .map(|start| range.shrink(start, |fraction| *fraction >= limit).unwrap().value)
            .collect();
        ends.dedup();
        assert!(ends.len() <= 1, "{low} to {high}, at least {limit}: {ends:?}");
    }

    #[test]
    fn binary_search_alone_misses_what_the_engine_finds() {
        // By halves, 3 goes to 0 and to 2, both even, so a search by halves alone ends at 3. All
        // neighbours are asked here.
        assert_eq!(prim().shrink(3, |number| number % 2 == 1).unwrap().value, 1);
        laws::minimum(&prim(), |number| number % 2 == 1, [1]);
    }

    #[test]
    fn booleans_shrink_to_their_target() {
        laws::minimum(&any::<bool>(), |_| true, [false]);
        laws::minimum(&any::<bool>(), |yes| *yes, [true]);
        laws::minimum(&element_of([true, false]), |_| true, [true]);
        laws::shrinking(&element_of([true, false]), |before, after| !before && *after);
    }
}

mod ranges {
    use super::*;

    #[test]
    fn towards_the_first_the_origin_or_the_end() {
        laws::minimum(&(10..=20), |_| true, [10]);
        laws::minimum(&(10..=20).origin(20), |_| true, [20]);
        laws::minimum(&(0..=10).origin(5), |number| number % 2 == 0, [6]);
        laws::shrinking(&(0..=100).origin(50), |before: &i32, after| before.abs_diff(50) >= after.abs_diff(50));
        // Both sides can be reached from either.
        let numbers = (0..=100i32).origin(50);
        assert_eq!(numbers.shrink(10, |number| number.abs_diff(50) >= 9).unwrap().value, 59);
        assert_eq!(numbers.shrink(90, |number| !(42..60).contains(number)).unwrap().value, 41);
    }

    #[test]
    fn full_and_single_ranges() {
        laws::minimum(&(i64::MIN..=i64::MAX), |number| *number != 0, [1]);
        laws::minimum(&(i8::MIN..=i8::MAX).origin(i8::MIN), |_| true, [i8::MIN]);
        laws::minimum(&(i128::MIN..=i128::MAX).origin(-7), |number| *number != -7, [-6]);
        let single = (7..=7).origin(7).skewed(3.0);
        laws::minimum(&single, |_| true, [7]);
        assert_eq!(single.shrink_tree(1).children().count(), 0);
    }

    #[test]
    fn a_skew_does_not_change_what_is_minimal() {
        for skew in [-5.0, -1.0, 0.0, 1.0, 5.0] {
            laws::minimum(&(0..=1000).skewed(skew), |number| *number >= 10, [10]);
            laws::minimum(&(0..=1000i32).origin(100).skewed(skew), |number| number.abs_diff(100) >= 10, [110]);
        }
    }
}

mod lists {
    use super::*;

    fn is_pairwise_equal(list: &[u64]) -> bool {
        list.windows(2).all(|pair| pair[0] == pair[1])
    }

    #[test]
    fn a_list_that_is_not_pairwise_equal() {
        laws::minimum(&vec_of(prim(), 0..=10), |list| !is_pairwise_equal(list), [vec![0, 1]]);
        // Also where the length is drawn first, and the items by it.
        let by_length =
            (0..=10usize).bind_with_focus(|count| vec_of(prim(), *count), |list: &Vec<u64>| Some(list.len()));
        laws::minimum(&by_length, |list| !is_pairwise_equal(list), [vec![0, 1]]);
    }

    #[test]
    fn a_list_keeps_its_least_length() {
        laws::minimum_where(
            &vec_of(0..=100, 10..=20),
            |list| !list.is_sorted(),
            |list| list.len() == 10 && list.iter().sum::<i32>() == 1,
        );
        laws::shrinking(&vec_of(0..=100, 10..=20), |_, after| (10..=20).contains(&after.len()));
    }

    #[test]
    fn even_numbers_around_an_origin() {
        // 6, 8, 4, 10, 2, 0: the even numbers from 5 outward. Falsify ends at [6, 4] or at [8, 6],
        // of which the first item is the nearest but one.
        let evens = (0..=5).origin(3).map_with_inverse(|half| 2 * half, |even| (even % 2 == 0).then_some(even / 2));
        let lists = vec_of(evens, 0..=10);
        laws::minimum(&lists, |list| list.windows(2).any(|pair| pair[0] > pair[1]), [vec![8, 6]]);
    }

    #[test]
    fn elements_and_picks() {
        laws::minimum(&element_of(["a", "b", "c", "d"]), |letter| *letter > "b", ["c"]);
        laws::minimum(&one_of((prim(), exact(17))), |_| true, [0]);
        // The arms shrink each by itself, to the first that fails.
        let arms = frequency(((1, 100..=200u64), (3, 0..=50)));
        laws::minimum(&arms, |number| *number <= 20 || *number >= 150, [150, 0]);
        laws::minimum(&arms, |_| true, [100]);
    }

    /// "The map of a filter", in the demonstration: `map f . filter p` is not `filter p . map f`.
    #[test]
    fn map_after_filter() {
        let fails = |list: &Vec<i32>| {
            let left: Vec<i32> = list.iter().filter(|item| *item % 2 == 0).map(|item| item + 1).collect();
            let right: Vec<i32> = list.iter().map(|item| item + 1).filter(|item| item % 2 == 0).collect();
            left != right
        };
        laws::minimum(&vec_of(0..=1000, ..), fails, [vec![0]]);
    }
}

mod permutations {
    use super::*;

    #[test]
    fn the_least_permutation_is_one_swap_of_neighbours() {
        for count in 2..=10 {
            let items: Vec<usize> = (0..count).collect();
            let orders = permutation_of(items.clone());
            laws::minimum_where(&orders, |order| !order.is_sorted(), |order| is_neighbour_swap(order));
            // A certain item away from its place: again one swap, but one of neighbours only if no
            // number has to move and to be lowered at once.
            let last = count - 1;
            laws::minimum_where(&orders, |order| order[last] != last, |order| moved(order).len() == 2);
        }
        laws::minimum(&permutation_of(['a', 'b', 'c', 'd']), |_| true, [vec!['a', 'b', 'c', 'd']]);
    }

    fn is_neighbour_swap(order: &[usize]) -> bool {
        let moved = moved(order);
        moved.len() == 2 && moved[1] == moved[0] + 1
    }

    fn moved(order: &[usize]) -> Vec<usize> {
        (0..order.len()).filter(|place| order[*place] != *place).collect()
    }

    #[test]
    fn two_swaps_where_one_is_not_enough() {
        let swaps = |order: &Vec<u8>| (0..5u8).filter(|place| order[usize::from(*place)] != *place).count();
        // Two swaps are left, not always those of neighbours: from some, two numbers would have to
        // change at once.
        let are_two_swaps = |order: &Vec<u8>| {
            swaps(order) == 4 && (0..5u8).all(|place| order[usize::from(order[usize::from(place)])] == place)
        };
        laws::minimum_where(&permutation_of([0u8, 1, 2, 3, 4]), |order| swaps(order) >= 4, are_two_swaps);
    }

    #[test]
    fn the_least_subsequence_has_the_first_items() {
        let some = subsequence_of([1, 2, 3, 4, 5, 6], ..);
        laws::minimum(&some, |_| true, [vec![]]);
        laws::minimum(&some, |list| list.len() >= 3, [vec![1, 2, 3]]);
        laws::minimum(&some, |list| list.contains(&4), [vec![4]]);
        laws::minimum(&some, |list| list.iter().sum::<i32>() >= 11, [vec![5, 6]]);
        laws::shrinking(&some, |_, after| after.is_sorted());
    }
}

mod trees {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Generate)]
    enum Tree {
        Leaf,
        Branch(Box<Tree>, Box<Tree>),
    }

    impl Tree {
        fn size(&self) -> usize {
            match self {
                Tree::Leaf => 0,
                Tree::Branch(left, right) => 1 + left.size() + right.size(),
            }
        }

        fn height(&self) -> usize {
            match self {
                Tree::Leaf => 0,
                Tree::Branch(left, right) => 1 + left.height().max(right.height()),
            }
        }

        fn is_everywhere(&self, holds: &dyn Fn(&Tree, &Tree) -> bool) -> bool {
            match self {
                Tree::Leaf => true,
                Tree::Branch(left, right) => {
                    holds(left, right) && left.is_everywhere(holds) && right.is_everywhere(holds)
                }
            }
        }
    }

    #[test]
    fn the_least_tree_that_is_not_balanced_by_height_has_3_nodes() {
        let fails = |tree: &Tree| !tree.is_everywhere(&|left, right| left.height().abs_diff(right.height()) <= 1);
        // A chain of two below the root on one side: falsify's smallest has three nodes too.
        laws::minimum_where(&any::<Tree>(), fails, |tree| tree.size() == 3);
    }

    #[test]
    fn the_least_tree_that_is_not_balanced_by_weight_has_4_nodes() {
        // One side may hold up to three times as many places as the other, counting the leaves.
        let fails = |tree: &Tree| {
            !tree.is_everywhere(&|left, right| {
                let (left, right) = (left.size() + 1, right.size() + 1);
                left <= 3 * right && right <= 3 * left
            })
        };
        laws::minimum_where(&any::<Tree>(), fails, |tree| tree.size() == 4);
    }

    #[test]
    fn steps_never_make_a_tree_larger() {
        laws::shrinking(&any::<Tree>(), |before, after| before.size() >= after.size());
    }
}

mod by_hand {
    use super::*;

    fn smaller(list: &[u64]) -> Vec<Vec<u64>> {
        let without = (0..list.len()).map(|place| [&list[..place], &list[place + 1..]].concat());
        let halved = (0..list.len()).flat_map(|place| {
            let with = move |item| [&list[..place], &[item], &list[place + 1..]].concat();
            let item = list[place];
            [item / 2, item.saturating_sub(1)].into_iter().filter(move |other| *other < item).map(with)
        });
        without.chain(halved).collect()
    }

    /// The manual shrinker keeps the order of the items, which is why it ends at [1, 0] where our
    /// own may sort.
    #[test]
    fn a_manual_shrinker_of_lists() {
        let lists = vec_of(0..=20u64, 0..=6).shrink_with(|list| smaller(list));
        let unequal = |list: &Vec<u64>| list.windows(2).any(|pair| pair[0] > pair[1]);
        laws::minimum(&lists, unequal, [vec![1, 0]]);
        laws::shrinking(&lists, |before, after| {
            before.len() > after.len() || before.iter().sum::<u64>() > after.iter().sum()
        });
    }

    #[test]
    fn shrink_to_goes_once_and_to_the_first_that_fails() {
        let start = shrink_to(100, [1, 2, 3]);
        laws::minimum(&start, |_| true, [1]);
        laws::minimum(&start, |number| *number > 1, [2]);
        laws::minimum(&start, |number| *number > 3, [100]);
        // Nothing but the others is ever tried.
        laws::shrinking(&start, |before, after| [1, 2, 3].contains(after) && before > after);
    }

    /// `firstThen` and `shrinkToNothing`: there at first, gone if it need not be.
    #[test]
    fn from_something_to_nothing() {
        let maybe = tuple((shrink_to(true, [false]), 0..100)).map(|(is_there, number)| is_there.then_some(number));
        assert!((0..100).all(|seed| maybe.sample(seed).is_some()));
        laws::minimum(&maybe, |_| true, [None]);
        laws::minimum(&maybe, |option| option.is_some_and(|number| number >= 10), [Some(10)]);
    }

    #[test]
    fn without_shrinking() {
        laws::shrinking(&prim().no_shrink(), |_, _| false);
        laws::shrinking(&tuple((prim().no_shrink(), 0..10)), |before, after| before.0 == after.0 && before.1 > after.1);
    }

    #[test]
    fn from_a_shrink_tree_and_back() {
        // The tree of a range, as a generator, shrinks as the range does.
        let numbers = 0..50;
        for seed in 0..5 {
            let (tree, start) = (numbers.shrink_tree(seed), numbers.sample(seed));
            let again = from_shrink_tree(tree);
            let fails = |number: &i32| *number >= start / 3;
            let smallest = again.shrink(start, fails).unwrap();
            assert_eq!(smallest.value, numbers.shrink(start, fails).unwrap().value);
            assert!(matches!(smallest.end, End::Minimal { .. } | End::Stalled { .. }));
        }
    }
}

/// A choice by a `bool` that was drawn, and one by a pick: falsify's `if` by bind shares what was
/// drawn, by `select` each side has its own.
mod independence {
    use super::*;

    #[test]
    fn the_arms_of_a_pick_keep_what_they_need() {
        // The second arm must keep a number of at least 500 while the pick is tried.
        let picked = one_of((0..10, 500..=1000));
        laws::minimum(&picked, |number| *number >= 700, [700]);
        laws::minimum(&picked, |_| true, [0]);
        // Which of two arms is left is decided by the whole: the second arm with its first value,
        // or the first with its sixth.
        laws::minimum(&picked, |number| *number >= 5, [500]);
    }
}

/// The binary search trees of the demonstration ("How to Specify It").
mod search_trees {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    enum Bst {
        Leaf,
        Node(Box<Bst>, i32, Box<Bst>),
    }

    #[generator]
    fn bst(low: i32, high: i32) -> Bst {
        if low > high {
            return Bst::Leaf;
        }
        match pick() {
            "leaf" => Bst::Leaf,
            #[weight(3)]
            "node" => {
                let key = draw(low..=high);
                let left = draw(bst(low, key - 1));
                let right = draw(bst(key + 1, high));
                Bst::Node(Box::new(left), key, Box::new(right))
            }
        }
    }

    impl Bst {
        fn keys(&self) -> Vec<i32> {
            match self {
                Bst::Leaf => Vec::new(),
                Bst::Node(left, key, right) => [left.keys(), vec![*key], right.keys()].concat(),
            }
        }
    }

    /// Wrong: the right side is forgotten where the key is there already.
    fn insert(tree: &Bst, new: i32) -> Bst {
        match tree {
            Bst::Leaf => Bst::Node(Box::new(Bst::Leaf), new, Box::new(Bst::Leaf)),
            Bst::Node(left, key, right) if new < *key => Bst::Node(Box::new(insert(left, new)), *key, right.clone()),
            Bst::Node(left, key, right) if new > *key => Bst::Node(left.clone(), *key, Box::new(insert(right, new))),
            Bst::Node(left, key, _) => Bst::Node(left.clone(), *key, Box::new(Bst::Leaf)),
        }
    }

    #[test]
    fn a_fault_is_shown_by_two_keys() {
        let fails = |(tree, key): &(Bst, i32)| {
            let mut expected = tree.keys();
            expected.push(*key);
            expected.sort_unstable();
            expected.dedup();
            insert(tree, *key).keys() != expected
        };
        let leaf = || Box::new(Bst::Leaf);
        let smallest = Bst::Node(leaf(), 0, Box::new(Bst::Node(leaf(), 1, leaf())));
        laws::minimum(&tuple((bst(0, 20), 0..=20)), fails, [(smallest, 0)]);
    }

    #[test]
    fn every_step_is_a_search_tree() {
        laws::shrinking(&bst(0, 50), |_, after| after.keys().is_sorted());
    }
}
