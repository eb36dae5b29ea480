//! Conditions on values: what filters keep, what bodies assume and what fails.

use super::value::Dyn;
use retrospect::prelude::*;

/// A condition on a value.
#[derive(Clone, Debug, PartialEq, Generate)]
pub enum Condition {
    /// The size modulo something.
    SizeModulo(#[generate(with = 2..=7usize)] usize, #[generate(with = 0..*_0)] usize),
    MinSize(#[generate(with = 0..=30usize)] usize),
    MaxSize(#[generate(with = 0..=30usize)] usize),
    MinDepth(#[generate(with = 0..=8usize)] usize),
    /// Two neighbours somewhere are equal.
    HasEqual,
    /// Children of the root are in order.
    Ordered,
    /// The same, and no two are equal.
    Rising,
    /// The root has a kind.
    Root(#[generate(with = element_of(KINDS))] &'static str),
    Children(#[generate(with = 0..=4usize)] usize),
    SumAtLeast(#[generate(with = 0..=1000i64)] i64),
    SumModulo(#[generate(with = 2..=20i64)] i64, #[generate(with = 0..*_0)] i64),
    HasAbove(#[generate(with = -10..=200i64)] i64),
    /// Holds for values without a pattern.
    Hash(#[generate(with = element_of([2, 10, 100]))] u64),
    Never,
    Not(Box<Condition>),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
}

const KINDS: [&str; 8] = ["List", "Pair", "Node", "Maybe", "Int", "Set", "Fixed", "Unit"];

impl Condition {
    pub fn holds(&self, value: &Dyn) -> bool {
        match self {
            Condition::SizeModulo(modulus, rest) => value.size() % modulus == *rest,
            Condition::MinSize(size) => value.size() >= *size,
            Condition::MaxSize(size) => value.size() <= *size,
            Condition::MinDepth(depth) => value.depth() >= *depth,
            Condition::HasEqual => has_equal(value),
            Condition::Ordered => value.children().is_sorted() && value.integers().is_sorted(),
            Condition::Rising => {
                value.children().windows(2).all(|pair| pair[0] < pair[1])
                    && value.integers().windows(2).all(|pair| pair[0] < pair[1])
            }
            Condition::Root(kind) => value.kind() == *kind,
            Condition::Children(count) => value.children().len() == *count,
            Condition::SumAtLeast(sum) => sum_of(value) >= *sum,
            Condition::SumModulo(modulus, rest) => sum_of(value).rem_euclid(*modulus) == *rest,
            Condition::HasAbove(limit) => value.integers().iter().any(|number| number > limit),
            Condition::Hash(modulus) => hash(value).is_multiple_of(*modulus),
            Condition::Never => false,
            Condition::Not(one) => !one.holds(value),
            Condition::Both(one, other) => one.holds(value) && other.holds(value),
            Condition::Either(one, other) => one.holds(value) || other.holds(value),
        }
    }
}

fn sum_of(value: &Dyn) -> i64 {
    value.integers().iter().fold(0, |sum: i64, number| sum.saturating_add(*number))
}

fn has_equal(value: &Dyn) -> bool {
    let children = value.children();
    children.windows(2).any(|pair| pair[0] == pair[1]) || children.into_iter().any(has_equal)
}

fn hash(value: &Dyn) -> u64 {
    // What a function prints changes when it is shrunk.
    let text = if let Dyn::Function(_) | Dyn::Stream(_) = value { String::new() } else { format!("{value:?}") };
    let own = if value.children().is_empty() { text.as_str() } else { value.kind() };
    let add = |hash: u64, number: u64| (hash ^ number).wrapping_mul(0x0100_0000_01b3).rotate_left(7);
    let start = own.bytes().map(u64::from).fold(0xcbf2_9ce4_8422_2325, add);
    value.children().into_iter().map(hash).fold(start, add)
}
