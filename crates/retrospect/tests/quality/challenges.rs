//! The public shrinking challenges.

use super::measure::{measure, measure_as};
use retrospect::prelude::*;
use std::collections::BTreeSet;

#[test]
fn reverse() {
    let problem = measure("reverse", &vec_of(any::<i64>(), ..), |list: &Vec<i64>| {
        let mut other = list.clone();
        other.reverse();
        other != *list
    });
    problem.assert("[0, 1]", 11.0, 16);
}

#[test]
fn nested_lists() {
    let fails = |lists: &Vec<Vec<i64>>| lists.iter().map(Vec::len).sum::<usize>() > 10;
    let expected = "[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]";
    measure("nested lists", &vec_of(vec_of(0..=0i64, ..), ..), fails).assert(expected, 25.0, 40);
    measure("nested lists of ints", &vec_of(vec_of(any::<i64>(), ..), ..), fails).assert(expected, 25.0, 40);
}

#[test]
fn large_union() {
    let fails = |lists: &Vec<Vec<i64>>| lists.iter().flatten().collect::<BTreeSet<_>>().len() >= 5;
    let problem = measure("large union", &vec_of(vec_of(any::<i64>(), ..), ..), fails);
    problem.assert("[[0, 1, -1, 2, -2]]", 140.0, 180);
}

/// As many numbers as a number drawn before says.
#[test]
fn length_list() {
    let lists = (1..=100usize).bind_with_focus(|count| vec_of(0..=1000u32, *count), |list: &Vec<u32>| Some(list.len()));
    measure("length list", &lists, |list: &Vec<u32>| list.iter().max() >= Some(&900)).assert("[900]", 35.0, 50);
}

#[test]
fn differences() {
    let pairs = tuple((1..=i32::MAX, 1..=i32::MAX));
    // Pairs that are near each other are too rare to be found by chance.
    let near = (1..=i32::MAX - 4)
        .bind_with_focus(|x| tuple((exact(*x), (x - 4).max(1)..=x + 4)), |(x, _): &(i32, i32)| Some(*x));
    let from_near = |name, expected: &str, mean, fails: fn(&(i32, i32)) -> bool| {
        let mut measured = super::measure::Measured {
            name,
            results: Default::default(),
            starts: 0,
            runs: vec![],
            spent: Default::default(),
        };
        for value in near.samples(7).filter(fails).take(super::measure::seeds() as usize) {
            let start = pairs.choices_of(&value).unwrap();
            let shrunk = super::measure::shrink(&pairs, &start, fails);
            *measured.results.entry(format!("{:?}", pairs.replay(&shrunk.choices))).or_default() += 1;
            measured.starts += 1;
            measured.note(&shrunk);
        }
        measured.assert(expected, mean, 2 * mean as u64);
    };
    from_near("difference 1", "(10, 10)", 38.0, |(x, y)| *x >= 10 && x == y);
    from_near("difference 2", "(10, 6)", 62.0, |(x, y)| *x >= 10 && (1..=4).contains(&(x - y).abs()));
    from_near("difference 3", "(10, 9)", 58.0, |(x, y)| *x >= 10 && (x - y).abs() == 1);
}

pub type FiveLists = (Vec<i16>, Vec<i16>, Vec<i16>, Vec<i16>, Vec<i16>);

/// Five lists, each of a small sum; wrapping makes the sum of all large.
pub fn wraps((a, b, c, d, e): &FiveLists) -> bool {
    let sum = |list: &Vec<i16>| list.iter().fold(0i16, |sum, number| sum.wrapping_add(*number));
    let sums = [a, b, c, d, e].map(sum);
    sums.iter().all(|sum| *sum < 256) && sums.iter().fold(0i16, |all, sum| all.wrapping_add(*sum)) >= 1280
}

#[test]
fn bound5() {
    let short = vec_of(any::<i16>(), ..=1);
    let five = tuple((short, short, short, short, short));
    measure("bound5", &five, wraps).assert("([], [], [], [-1], [-32768])", 80.0, 120);
    let long = vec_of(any::<i16>(), ..);
    let five = tuple((long, long, long, long, long));
    measure("bound5, any lengths", &five, wraps).assert("([], [], [], [-1], [-32768])", 350.0, 2000);
}

#[test]
fn coupling() {
    let lists = vec_of(0..=10usize, ..);
    let fails = |list: &Vec<usize>| {
        list.iter().all(|target| *target < list.len())
            && (0..list.len()).any(|place| list[place] != place && list[list[place]] == place)
    };
    measure("coupling", &lists.resize(10), fails).assert("[1, 0]", 50.0, 80);
}

#[test]
fn deletion() {
    let fails = |(list, place): &(Vec<i64>, usize)| {
        let mut list = list.clone();
        if *place >= list.len() {
            return false;
        }
        let removed = list[*place];
        list.remove(list.iter().position(|number| *number == removed).unwrap());
        list.contains(&removed)
    };
    measure("deletion", &tuple((vec_of(any::<i64>(), ..), 0..=10usize)), fails).assert("([0, 0], 0)", 9.0, 15);
}

#[test]
fn distinct() {
    let fails = |list: &Vec<i64>| list.iter().collect::<BTreeSet<_>>().len() >= 3;
    measure("distinct", &vec_of(any::<i64>(), ..), fails).assert("[0, 1, -1]", 34.0, 50);
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

#[test]
fn calculator() {
    measure("calculator", &term(6), Term::fails).assert("Divide(Number(0), Add(Number(0), Number(0)))", 54.0, 140);
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
fn heap_of_any_key(least: Option<i64>, size: u32) -> Heap {
    match pick() {
        "empty" => Heap::Empty,
        #[weight(if size > 0 { 7 } else { 0 })]
        "node" => {
            let key = draw(any::<i64>().filter(move |key| least.is_none_or(|least| *key >= least)));
            let left = draw(heap_of_any_key(Some(key), size / 2));
            let right = draw(heap_of_any_key(Some(key), size / 2));
            Heap::Node(key, Box::new(left), Box::new(right))
        }
    }
}

impl Heap {
    /// The keys, a node before what is right of it, and that before what is left of it.
    fn keys(&self) -> Vec<i64> {
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

    fn show(&self) -> String {
        match self {
            Heap::Empty => "-".to_owned(),
            Heap::Node(key, left, right) => format!("({key} {} {})", left.show(), right.show()),
        }
    }
}

#[test]
fn binary_heap() {
    let expected = "(0 - (0 (0 - -) (1 - -)))";
    measure_as("heap", &heap(0, 20), Heap::fails, Heap::show).assert(expected, 120.0, 250);
    measure_as("heap, any keys", &heap_of_any_key(None, 20), Heap::fails, Heap::show).assert(expected, 90.0, 130);
}
