//! The public shrinking challenges: 13 problems, and four of them in a second form.

use super::{Family, Problem, Start};
use retrospect::prelude::*;
use std::collections::BTreeSet;

pub(super) fn family() -> Family {
    Family {
        name: "The shrinking challenges",
        about: "The 13 public problems. Lists have no bound and numbers are those of their type unless the name says otherwise; pairs that differ by little \
                are given, since nobody draws them.",
        problems: problems(),
    }
}

fn problems() -> Vec<Problem> {
    let lists = || vec_of(any::<i64>(), ..);
    let zeros = "[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]";
    let short = vec_of(any::<i16>(), ..=1);
    let long = vec_of(any::<i16>(), ..);
    let any_two = "([], [], [], [-1], [-32768])";
    let heap_of_zeros = "(0 - (0 (0 - -) (1 - -)))";
    vec![
        Problem::new("reverse", lists(), |list| differs_reversed(list))
            .ends_at("[0, 1]", 11.0, 16)
            .hypothesis(100.0, 1, 9.0),
        Problem::new("nested lists", vec_of(vec_of(0..=0i64, ..), ..), |lists| holds_more_than_ten(lists))
            .ends_at(zeros, 25.0, 40)
            .hypothesis(100.0, 1, 48.0),
        Problem::new("nested lists of ints", vec_of(lists(), ..), |lists| holds_more_than_ten(lists))
            .ends_at(zeros, 25.0, 40)
            .hypothesis(100.0, 1, 132.0),
        Problem::new("large union", vec_of(lists(), ..), |lists| unites_five(lists))
            .ends_at("[[0, 1, -1, 2, -2]]", 140.0, 180)
            .hypothesis(100.0, 1, 190.0),
        Problem::new("length list", counted_list(), |list| reaches_900(list))
            .ends_at("[900]", 35.0, 50)
            .hypothesis(100.0, 1, 86.0),
        difference("difference 1", is_equal_pair).ends_at("(10, 10)", 38.0, 76).hypothesis(100.0, 1, 27.0),
        difference("difference 2", is_near_pair).ends_at("(10, 6)", 62.0, 124).hypothesis(100.0, 1, 41.0),
        difference("difference 3", is_neighbour_pair).ends_at("(10, 9)", 58.0, 116).hypothesis(100.0, 1, 40.0),
        Problem::new("bound5", tuple((short, short, short, short, short)), wraps)
            .ends_at(any_two, 80.0, 120)
            .hypothesis(100.0, 1, 125.0),
        Problem::new("bound5, any lengths", tuple((long, long, long, long, long)), wraps)
            .ends_at(any_two, 350.0, 2000)
            .hypothesis(86.0, 3, 213.0),
        Problem::new("coupling", vec_of(0..=10usize, ..).resize(10), |list| has_a_cycle_of_two(list))
            .ends_at("[1, 0]", 50.0, 80)
            .hypothesis(23.0, 38, 42.0),
        Problem::new("deletion", tuple((lists(), 0..=10usize)), |(list, place)| survives_deletion(list, *place))
            .ends_at("([0, 0], 0)", 9.0, 15)
            .hypothesis(100.0, 1, 9.0),
        Problem::new("distinct", lists(), |list| has_three_distinct(list))
            .ends_at("[0, 1, -1]", 34.0, 50)
            .hypothesis(100.0, 1, 34.0),
        Problem::new("calculator", term(6), Term::fails)
            .ends_at("Divide(Number(0), Add(Number(0), Number(0)))", 54.0, 140)
            .hypothesis(100.0, 1, 54.0),
        Problem::with("binary heap, key from the least", heap(0, 20), Heap::fails, Heap::show, Start::Drawn)
            .ends_at(heap_of_zeros, 120.0, 250)
            .hypothesis(98.0, 2, 143.0),
        Problem::with("binary heap, key filtered", filtered_heap(None, 20), Heap::fails, Heap::show, Start::Drawn)
            .ends_at(heap_of_zeros, 90.0, 130)
            .hypothesis(88.0, 2, 122.0),
    ]
}

/// Pairs of positive numbers, from one that is near: they are too rare to be found by chance.
fn difference(name: &'static str, fails: fn(&(i32, i32)) -> bool) -> Problem {
    let near = (1..=i32::MAX - 4)
        .bind_with_focus(|x| tuple((exact(*x), (x - 4).max(1)..=x + 4)), |(x, _): &(i32, i32)| Some(*x));
    let start = move |seed| near.samples(seed).find(fails).expect("samples do not end");
    let pairs = tuple((1..=i32::MAX, 1..=i32::MAX));
    Problem::with(name, pairs, fails, |pair| format!("{pair:?}"), Start::Value(Box::new(start)))
}

pub fn differs_reversed(list: &[i64]) -> bool {
    list.iter().ne(list.iter().rev())
}

pub fn holds_more_than_ten(lists: &[Vec<i64>]) -> bool {
    lists.iter().map(Vec::len).sum::<usize>() > 10
}

pub fn unites_five(lists: &[Vec<i64>]) -> bool {
    lists.iter().flatten().collect::<BTreeSet<_>>().len() >= 5
}

/// As many numbers as a number drawn before says.
pub fn counted_list() -> impl Generator<Value = Vec<u32>> + Clone {
    (1..=100usize).bind_with_focus(|count| vec_of(0..=1000u32, *count), |list: &Vec<u32>| Some(list.len()))
}

pub fn reaches_900(list: &[u32]) -> bool {
    list.iter().max() >= Some(&900)
}

pub fn is_equal_pair((x, y): &(i32, i32)) -> bool {
    *x >= 10 && x == y
}

pub fn is_near_pair((x, y): &(i32, i32)) -> bool {
    *x >= 10 && (1..=4).contains(&(x - y).abs())
}

pub fn is_neighbour_pair((x, y): &(i32, i32)) -> bool {
    *x >= 10 && (x - y).abs() == 1
}

pub type FiveLists = (Vec<i16>, Vec<i16>, Vec<i16>, Vec<i16>, Vec<i16>);

/// Five lists, each of a small sum; wrapping makes the sum of all large.
pub fn wraps((a, b, c, d, e): &FiveLists) -> bool {
    let sum = |list: &Vec<i16>| list.iter().fold(0i16, |sum, number| sum.wrapping_add(*number));
    let sums = [a, b, c, d, e].map(sum);
    sums.iter().all(|sum| *sum < 256) && sums.iter().fold(0i16, |all, sum| all.wrapping_add(*sum)) >= 1280
}

/// Every number is a place in the list, and two places name each other.
pub fn has_a_cycle_of_two(list: &[usize]) -> bool {
    list.iter().all(|target| *target < list.len())
        && (0..list.len()).any(|place| list[place] != place && list[list[place]] == place)
}

/// Removing a number once does not remove it for good.
pub fn survives_deletion(list: &[i64], place: usize) -> bool {
    list.get(place).is_some_and(|removed| list.iter().filter(|number| *number == removed).count() > 1)
}

pub fn has_three_distinct(list: &[i64]) -> bool {
    list.iter().collect::<BTreeSet<_>>().len() >= 3
}

#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    Number(i64),
    Add(Box<Term>, Box<Term>),
    Divide(Box<Term>, Box<Term>),
}

#[generator]
pub fn term(depth: u32) -> Term {
    match pick() {
        "number" => {
            let number = draw(any::<i64>());
            Term::Number(number)
        }
        #[weight(if depth > 0 { 1 } else { 0 })]
        "add" => {
            let left = draw(term(depth - 1));
            let right = draw(term(depth - 1));
            Term::Add(Box::new(left), Box::new(right))
        }
        #[weight(if depth > 0 { 1 } else { 0 })]
        "divide" => {
            let left = draw(term(depth - 1));
            let right = draw(term(depth - 1));
            Term::Divide(Box::new(left), Box::new(right))
        }
    }
}

impl Term {
    /// What it is, or nothing where something is divided by 0.
    fn value(&self) -> Option<i64> {
        match self {
            Term::Number(number) => Some(*number),
            Term::Add(left, right) => Some(left.value()?.wrapping_add(right.value()?)),
            Term::Divide(left, right) => {
                let (left, right) = (left.value()?, right.value()?);
                (right != 0).then(|| left.wrapping_div_euclid(right))
            }
        }
    }

    pub fn fails(&self) -> bool {
        !self.divides_by_a_literal_zero() && self.value().is_none()
    }

    fn divides_by_a_literal_zero(&self) -> bool {
        match self {
            Term::Number(_) => false,
            Term::Add(left, right) => left.divides_by_a_literal_zero() || right.divides_by_a_literal_zero(),
            Term::Divide(left, right) => {
                **right == Term::Number(0) || left.divides_by_a_literal_zero() || right.divides_by_a_literal_zero()
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Heap {
    Empty,
    Node(i64, Box<Heap>, Box<Heap>),
}

#[generator]
pub fn heap(least: i64, size: u32) -> Heap {
    match pick() {
        "empty" => Heap::Empty,
        #[weight(if size > 0 { 7 } else { 0 })]
        "node" => {
            let key = draw(least..=i64::MAX);
            let left = draw(heap(key, size / 2));
            let right = draw(heap(key, size / 2));
            Heap::Node(key, Box::new(left), Box::new(right))
        }
    }
}

#[generator]
pub fn filtered_heap(least: Option<i64>, size: u32) -> Heap {
    match pick() {
        "empty" => Heap::Empty,
        #[weight(if size > 0 { 7 } else { 0 })]
        "node" => {
            let key = draw(any::<i64>().filter(move |key| least.is_none_or(|least| *key >= least)));
            let left = draw(filtered_heap(Some(key), size / 2));
            let right = draw(filtered_heap(Some(key), size / 2));
            Heap::Node(key, Box::new(left), Box::new(right))
        }
    }
}

impl Heap {
    /// The keys, a node before what is right of it, and that before what is left of it.
    pub fn keys(&self) -> Vec<i64> {
        let (mut keys, mut stack) = (vec![], vec![self]);
        while let Some(heap) = stack.pop() {
            if let Heap::Node(key, left, right) = heap {
                keys.push(*key);
                stack.extend([&**left, &**right]);
            }
        }
        keys
    }

    fn merge(left: &Heap, right: &Heap) -> Heap {
        match (left, right) {
            (Heap::Empty, other) | (other, Heap::Empty) => other.clone(),
            (Heap::Node(x, left_left, left_right), Heap::Node(y, right_left, right_right)) => {
                let (key, above, kept) = if x <= y {
                    (*x, Heap::merge(left_right, right), left_left)
                } else {
                    (*y, Heap::merge(right_right, left), right_left)
                };
                Heap::Node(key, Box::new(above), kept.clone())
            }
        }
    }

    /// The keys in order, but only the first one is looked for.
    fn wrongly_sorted(&self) -> Vec<i64> {
        match self {
            Heap::Empty => vec![],
            Heap::Node(key, left, right) => [vec![*key], Heap::merge(left, right).keys()].concat(),
        }
    }

    pub fn fails(&self) -> bool {
        let (mut keys, sorted) = (self.keys(), self.wrongly_sorted());
        keys.sort_unstable();
        sorted != keys
    }

    pub fn show(&self) -> String {
        match self {
            Heap::Empty => "-".to_owned(),
            Heap::Node(key, left, right) => format!("({key} {} {})", left.show(), right.show()),
        }
    }
}
