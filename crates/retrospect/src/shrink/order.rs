//! The order that shrinking descends: which of two choice trees is the simpler one.
//!
//! Compared are, in this order,
//!
//! 1. the **weight**: the items of all repeats, plus the numbers and picks that are not the
//!    simplest. An item weighs, or a thousand zeros would beat `[1]`; a choice that is the simplest
//!    does not, or a tree would shrink to less by leaving a range empty: a search tree with key 100
//!    (nothing fits to its right, so nothing is chosen there) would beat the same one with key 50;
//! 2. the **magnitude**: the sum of all indices and arms. It comes before the length for the same
//!    reason;
//! 3. the **length**: how many nodes there are;
//! 4. the nodes one by one: the first that differs decides, by its index, arm or count. The earlier
//!    choice is the smaller one: `[0, 1]` comes before `[1, 0]`.
//!
//! So fewer items are simpler than smaller ones, whatever they are: where more than two bytes fail,
//! `"ࠀ"` comes before `"aaa"`. A reader may read the letters more easily, but is told by the one
//! character that bytes are what counts, which the letters would hide. And the order could not tell
//! letters from other numbers: it sees indices, and a bound is a note that a tree read from text
//! does not have. A rule for characters would make two orders of one.
//!
//! One sort of bracket is measured otherwise: the steps that a hand-written shrinker took
//! (`shrink_with`, `from_shrink_tree`). There more is simpler, so they weigh nothing, and their
//! magnitude is the number of steps that could still follow.
//!
//! A number of 128 bits is two numbers in a bracket, and is measured as the one that it is: 2 comes
//! before 2^64.
//!
//! It is total: trees that are equal in all of this make the same choices in the same shape. It is
//! well-founded: 1 to 3 are natural numbers, and of one magnitude and length there are finitely
//! many trees. So there is no endless descent, whatever the passes do.

use crate::choice::{Choices, Entry, Kind, MOST_STEPS, STEPS, WIDE};
use std::cmp::Ordering;

/// What is compared first; see the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Measure {
    pub(super) weight: u64,
    pub(super) magnitude: u128,
    pub(super) length: usize,
}

impl Measure {
    pub(super) fn of(entries: &[Entry]) -> Measure {
        let mut measure = Measure { weight: 0, magnitude: 0, length: entries.len() };
        let (steps, wide) = (STEPS.id(), WIDE.id());
        let mut at = 0;
        while at < entries.len() {
            let entry = entries[at];
            at += 1;
            match entry.kind() {
                Kind::Number => measure.add(weight_of(entry), entry.index()),
                Kind::Pick => measure.add(weight_of(entry), entry.arm() as u64),
                Kind::Repeat => measure.add(weight_of(entry), 0),
                Kind::Call if entry.name_id() == steps => {
                    // The beginning of a tree may end inside: more steps may follow.
                    let Some(inside) = entries.get(at..at + entry.extent()) else { break };
                    let taken = inside.iter().filter(|step| step.index() > 0).count();
                    measure.add(0, MOST_STEPS.saturating_sub(taken as u64));
                    at += inside.len();
                }
                Kind::Call if entry.name_id() == wide => {
                    // Here too.
                    if let [high, low, ..] = &entries[at..] {
                        let number = u128::from(high.index()) << 64 | u128::from(low.index());
                        measure.add_wide(u64::from(number > 0), number);
                        at += 2;
                    }
                }
                Kind::Call | Kind::Part => {}
            }
        }
        measure
    }

    fn add(&mut self, weight: u64, magnitude: u64) {
        self.add_wide(weight, magnitude.into());
    }

    fn add_wide(&mut self, weight: u64, magnitude: u128) {
        self.weight = self.weight.saturating_add(weight);
        self.magnitude = self.magnitude.saturating_add(magnitude);
    }
}

/// What a node weighs by itself, without what it holds.
pub(super) fn weight_of(entry: Entry) -> u64 {
    match entry.kind() {
        Kind::Number => u64::from(entry.index() > 0),
        Kind::Pick => u64::from(entry.arm() > 0),
        Kind::Repeat => entry.index(),
        Kind::Call | Kind::Part => 0,
    }
}

/// Which of two trees is the simpler one: the order that shrinking descends.
///
/// Fewer choices that are not the simplest come first, items of lists included: `[0, 0]` before
/// `[1, 1]`. Only then do smaller ones count, so `[9]` comes before `[1, 1]`; then the length of
/// the tree. The rest is decided by the first choice that differs.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::shrink::compare;
/// let lists = vec_of(0..10, ..);
/// let mut sorted = [vec![1, 1], vec![7, 0], vec![0, 7], vec![9], vec![0, 0], vec![]];
/// sorted.sort_by(|left, right| compare(&lists.choices_of(left).unwrap(), &lists.choices_of(right).unwrap()));
/// assert_eq!(sorted, [vec![], vec![0, 0], vec![9], vec![0, 7], vec![7, 0], vec![1, 1]]);
/// ```
pub fn compare(left: &Choices, right: &Choices) -> Ordering {
    compare_parts(left.entries(), right.entries())
}

/// Compares two trees, or two parts of trees.
pub(super) fn compare_parts(left: &[Entry], right: &[Entry]) -> Ordering {
    Measure::of(left).cmp(&Measure::of(right)).then_with(|| compare_nodes(left, right))
}

/// Compares two trees of one measure node by node.
pub(super) fn compare_nodes(left: &[Entry], right: &[Entry]) -> Ordering {
    left.iter().map(rank).cmp(right.iter().map(rank))
}

/// What a node is compared by. The kind and the number of nodes inside come last: trees of one
/// generator never get so far.
fn rank(entry: &Entry) -> (u64, u8, usize) {
    let chosen = match entry.kind() {
        Kind::Number | Kind::Repeat => entry.index(),
        Kind::Pick => entry.arm() as u64,
        Kind::Call | Kind::Part => 0,
    };
    let kind = match entry.kind() {
        Kind::Part => Kind::Call,
        kind => kind,
    };
    (chosen, kind as u8, entry.extent())
}

/// Whether `left` is simpler than `right`.
pub(super) fn is_simpler(left: &Choices, right: &Choices) -> bool {
    compare(left, right) == Ordering::Less
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    fn assert_rising(texts: &[&str]) {
        let trees: Vec<Choices> = texts.iter().map(|text| text.parse().unwrap()).collect();
        for (place, left) in trees.iter().enumerate() {
            for (other, right) in trees.iter().enumerate() {
                assert_eq!(compare(left, right), place.cmp(&other), "{} and {}", texts[place], texts[other]);
            }
        }
    }

    #[test]
    fn a_number_of_two_halves_is_one_number() {
        for least in [2, 1 << 40, (1 << 64) + 3] {
            for start in [u128::MAX, 1 << 100, (1 << 64) + 9] {
                assert_eq!(any::<u128>().shrink(start, |number| *number >= least).unwrap().value, least);
            }
        }
    }

    #[test]
    fn weight_comes_first_then_magnitude_then_length_then_the_first_difference() {
        assert_rising(&[
            "[]",
            "[0]",
            "[0 0]",
            "[1]",
            "[2]",
            "[0 0 0]",
            "[0 1]",
            "[1 0]",
            "[5 0]",
            "[0 0 0 0]",
            "[1 1]",
        ]);
        // What is the simplest weighs nothing, however much of it there is.
        assert_rising(&["(0 0)", "(0 0 0)", "(1 0 0 0)", "(50 0)", "(50 0 0)", "(100)"]);
        assert_rising(&["0:leaf", "1:node(0 0:leaf 0:leaf)", "2:node"]);
    }

    #[test]
    fn it_is_total_on_the_trees_of_one_generator() {
        let generator = vec_of((0..3u8, any::<Option<bool>>(), vec_of(0..2u8, ..=2)), ..=3);
        let mut trees: Vec<Choices> = (0..300).map(|seed| generator.sample_choices(seed)).collect();
        trees.sort_by(compare);
        for (place, left) in trees.iter().enumerate() {
            for right in &trees[place..] {
                // Sorted means what it says only if the order is transitive.
                let order = compare(left, right);
                assert_ne!(order, Ordering::Greater);
                assert_eq!(order == Ordering::Equal, left == right, "{left} and {right}");
                assert_eq!(compare(right, left), order.reverse());
            }
        }
    }

    /// Trees of one generator: lists, picks, numbers bounded by numbers, and what holds itself.
    fn trees() -> impl Generator<Value = Vec<(u8, Option<bool>, Vec<u8>)>> {
        let bounded = (0..=3u8).bind_with_focus(
            |most| vec_of(0..=*most, ..=3),
            |list: &Vec<u8>| Some(list.iter().copied().max().unwrap_or(0)),
        );
        vec_of((0..3u8, any::<Option<bool>>(), bounded), ..=3)
    }

    #[test]
    fn it_is_an_order() {
        let choices_of = |value| trees().choices_of(&value).unwrap();
        check(tuple((trees(), trees(), trees())), |(first, second, third)| {
            let [first, second, third] = [first, second, third].map(choices_of);
            let order = compare(&first, &second);
            assert_eq!(order == Ordering::Equal, first == second, "only what is equal is equal");
            assert_eq!(compare(&second, &first), order.reverse());
            if order.is_le() && compare(&second, &third).is_le() {
                assert!(compare(&first, &third).is_le(), "it goes on");
            }
        });
    }

    #[test]
    fn no_descent_is_endless() {
        let measure = |choices: &Choices| Measure::of(choices.entries());
        check(tuple((trees(), trees())), |(first, second)| {
            let [first, second] = [first, second].map(|value| trees().choices_of(&value).unwrap());
            if compare(&first, &second).is_lt() {
                // So a descent goes through measures that do not rise, and through the finitely
                // many trees of each one only once.
                assert!(measure(&first) <= measure(&second));
                let largest =
                    |choices: &Choices| choices.entries().iter().map(|entry| rank(entry).0).max().unwrap_or(0);
                assert!(u128::from(largest(&first)) <= measure(&first).magnitude + u128::from(measure(&first).weight));
            }
        });
    }

    #[test]
    fn there_are_finitely_many_trees_below_one_of_a_measure() {
        // All trees of a generator below `([2] 1)`, in order: their measures never fall, and none
        // is missing.
        let generator = tuple((vec_of(0..=3u8, ..=2), 0..=3u8));
        let mut trees = Vec::new();
        for list in [vec![], vec![0], vec![1], vec![2], vec![3], vec![0, 0], vec![0, 1], vec![1, 0]] {
            for number in 0..=3 {
                trees.push(generator.choices_of(&(list.clone(), number)).unwrap());
            }
        }
        trees.sort_by(compare);
        let below: Vec<String> = trees.iter().map(Choices::to_string).take_while(|text| text != "([2] 1)").collect();
        assert_eq!(
            below,
            [
                "([] 0)",
                "([0] 0)",
                "([] 1)",
                "([] 2)",
                "([] 3)",
                "([0 0] 0)",
                "([0] 1)",
                "([1] 0)",
                "([0] 2)",
                "([2] 0)",
                "([0] 3)",
                "([3] 0)",
                "([0 0] 1)",
                "([0 1] 0)",
                "([1 0] 0)",
                "([1] 1)",
                "([0 0] 2)",
                "([1] 2)"
            ]
        );
    }
}
