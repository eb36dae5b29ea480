//! On small domains every value is tried: shrinking must end at the simplest that fails.
//!
//! The values of a domain are listed without a generator; reflection tells their choices, and with
//! them their order. A domain holds everything that is simpler than what is in it and could fail,
//! so a result that is simpler than the simplest of the list would be noticed too.

use super::measure::shrink;
use super::problems::challenges::{
    Heap, Term, differs_reversed, has_a_cycle_of_two, has_three_distinct, heap, holds_more_than_ten, is_equal_pair,
    is_near_pair, is_neighbour_pair, reaches_900, survives_deletion, term, unites_five, wraps,
};
use super::progress::Progress;
use crate::measure::{Effort, Table};
use retrospect::prelude::*;
use retrospect::shrink::compare;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A property on a domain so small that all of it can be tried.
pub struct SmallDomain {
    pub name: String,
    /// The share of the starts that must end at the simplest.
    pub share: f64,
    check: Box<dyn Fn() -> Reached>,
}

/// What became of the starts.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// How many values there are.
    pub values: usize,
    /// How many of them fail.
    pub failing: usize,
    /// From how many of these it was shrunk.
    pub starts: usize,
    /// How many of the starts ended at the simplest that fails.
    pub at_the_simplest: usize,
    /// Where the others ended, and where they should have.
    pub misses: Vec<String>,
}

impl SmallDomain {
    fn new<G>(
        name: &str,
        generator: G,
        values: impl Fn() -> Vec<G::Value> + 'static,
        fails: impl Fn(&G::Value) -> bool + 'static,
    ) -> SmallDomain
    where
        G: Generator + 'static,
    {
        let check = move || reached(&generator, &values(), &fails);
        SmallDomain { name: name.to_owned(), share: 1.0, check: Box::new(check) }
    }

    fn at_least(mut self, share: f64) -> SmallDomain {
        self.share = share;
        self
    }

    /// Tries all of it.
    pub fn check(&self) -> Reached {
        (self.check)()
    }
}

impl std::fmt::Debug for SmallDomain {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SmallDomain").field("name", &self.name).finish()
    }
}

/// The section of the report.
pub(super) fn run(effort: Effort) -> String {
    let mut section = String::from(
        "## Nothing simpler fails\n\n\
         On small domains all values are tried, so the simplest that fails is known. Shrinking begins with up to 41 of the failing values of each, spread over all.\n\n",
    );
    let mut table = Table::new(&["property", "values", "failing", "starts", "at the simplest"]);
    let mut progress = Progress::new();
    let groups: [(&str, Vec<SmallDomain>); 4] =
        [("", challenges()), ("lists: ", lists()), ("numbers: ", tuples()), ("trees: ", trees())];
    let mut missed = Vec::new();
    for (group, domains) in groups {
        let count = if effort == Effort::Quick { 2 } else { domains.len() };
        for (place, domain) in domains.iter().take(count).enumerate() {
            progress.say("small domains", place as u64, count as u64);
            let reached = domain.check();
            let name = format!("{group}{}", domain.name);
            missed.extend(reached.misses.first().map(|miss| format!("- {name}: `{miss}`")));
            let figures = [reached.values, reached.failing, reached.starts, reached.at_the_simplest];
            table.row(std::iter::once(name).chain(figures.map(|figure| figure.to_string())).collect());
        }
    }
    section.push_str(&table.to_markdown());
    if !missed.is_empty() {
        let _ = write!(section, "\nMissed, one example each:\n\n{}\n", missed.join("\n"));
    }
    section
}

fn reached<G: Generator>(generator: &G, values: &[G::Value], fails: impl Fn(&G::Value) -> bool) -> Reached {
    let choices_of = |value| generator.choices_of(value).unwrap_or_else(|error| panic!("{error}"));
    let mut failing: Vec<Choices> = values.iter().filter(|value| fails(value)).map(choices_of).collect();
    failing.sort_by(compare);
    let mut reached = Reached { values: values.len(), failing: failing.len(), ..Reached::default() };
    let Some(simplest) = failing.first() else {
        return reached;
    };
    for start in failing.iter().step_by(failing.len() / 40 + 1) {
        let shrunk = shrink(generator, start, &fails);
        assert!(compare(&shrunk.choices, start).is_le());
        reached.starts += 1;
        if shrunk.choices == *simplest {
            reached.at_the_simplest += 1;
        } else {
            let (result, least) = (generator.replay(&shrunk.choices), generator.replay(simplest));
            reached.misses.push(format!("{result:?} instead of {least:?}"));
        }
    }
    reached
}

/// The challenges, cut to small domains.
pub fn challenges() -> Vec<SmallDomain> {
    let few = || vec![0, 1, -1, 2, -2];
    let pairs = || pairs_of(&(1..=16).collect::<Vec<i32>>());
    let positive = || tuple((1..=i32::MAX, 1..=i32::MAX));
    let numbers = [0, -1, 1, -32_768, 32_767, -16_384, 255, 256];
    let short = vec_of(element_of(numbers), ..=1);
    let counted =
        (1..=3usize).bind_with_focus(|count| vec_of(897..=902u32, *count), |list: &Vec<u32>| Some(list.len()));
    vec![
        SmallDomain::new(
            "reverse",
            vec_of(any::<i64>(), ..),
            move || lists_of(&few(), 0, 3),
            |list| differs_reversed(list),
        ),
        SmallDomain::new(
            "nested lists",
            vec_of(vec_of(0..=0i64, ..), ..),
            || lists_of(&(0..=11).map(|length| vec![0; length]).collect::<Vec<_>>(), 0, 3),
            |lists| holds_more_than_ten(lists),
        ),
        SmallDomain::new(
            "large union",
            vec_of(vec_of(any::<i64>(), ..), ..),
            move || {
                let mut values = lists_of(&lists_of(&few(), 0, 2), 0, 3);
                values.extend(lists_of(&few(), 3, 5).into_iter().map(|list| vec![list]));
                values
            },
            |lists| unites_five(lists),
        ),
        SmallDomain::new(
            "length list",
            counted,
            || lists_of(&(897..=902).collect::<Vec<_>>(), 1, 3),
            |list| reaches_900(list),
        ),
        SmallDomain::new("difference 1", positive(), pairs, is_equal_pair),
        SmallDomain::new("difference 2", positive(), pairs, is_near_pair),
        SmallDomain::new("difference 3", positive(), pairs, is_neighbour_pair),
        SmallDomain::new(
            "bound5",
            tuple((short, short, short, short, short)),
            move || {
                let lists = lists_of(&lists_of(&numbers, 0, 1), 5, 5).into_iter();
                let five = lists.map(|lists| <[Vec<i16>; 5]>::try_from(lists).expect("five were asked for"));
                five.map(|[a, b, c, d, e]| (a, b, c, d, e)).collect()
            },
            wraps,
        ),
        SmallDomain::new(
            "coupling",
            vec_of(0..=10usize, ..),
            || lists_of(&(0..=3).collect::<Vec<_>>(), 0, 4),
            |list| has_a_cycle_of_two(list),
        ),
        SmallDomain::new(
            "deletion",
            tuple((vec_of(any::<i64>(), ..), 0..=10usize)),
            || {
                let lists = lists_of(&[0, 1, -1], 0, 3).into_iter();
                lists.flat_map(|list| (0..4).map(move |place| (list.clone(), place))).collect()
            },
            |(list, place)| survives_deletion(list, *place),
        ),
        SmallDomain::new(
            "distinct",
            vec_of(any::<i64>(), ..),
            move || lists_of(&few(), 0, 4),
            |list| has_three_distinct(list),
        ),
        SmallDomain::new("calculator", term(2), || terms(2), Term::fails),
        SmallDomain::new("binary heap", heap(0, 20), || heaps(5, 0), Heap::fails),
    ]
}

/// Lists of up to four of the numbers from 0 to 3.
pub fn lists() -> Vec<SmallDomain> {
    fn sum(list: &[u8]) -> u32 {
        list.iter().map(|number| u32::from(*number)).sum()
    }
    let properties: Vec<Property<Vec<u8>>> = vec![
        ("sum >= 5", |list| sum(list) >= 5),
        ("sum = 5", |list| sum(list) == 5),
        ("sum odd and three items", |list| sum(list) % 2 == 1 && list.len() >= 3),
        ("product of the sum and the length", |list| sum(list) * list.len() as u32 >= 12),
        ("not sorted", |list| !list.is_sorted()),
        ("two equal neighbours above 0", |list| list.windows(2).any(|pair| pair[0] == pair[1] && pair[0] > 0)),
        ("three different", |list| list.iter().collect::<BTreeSet<_>>().len() >= 3),
        ("falls and rises", |list| list.windows(3).any(|three| three[0] > three[1] && three[1] < three[2])),
        ("first is last, and not the simplest", |list| {
            list.len() > 1 && list[0] == list[list.len() - 1] && list[0] > 1
        }),
        ("a place in the list", |list| {
            list.first().is_some_and(|place| *place > 0 && list.get(*place as usize) == Some(&2))
        }),
        ("even length, then 3", |list| list.len().is_multiple_of(2) && list.last() == Some(&3)),
        ("xor", |list| list.iter().fold(0, |all, number| all ^ number) == 3),
        ("a hash", |list| list.iter().fold(7u32, |hash, number| hash.wrapping_mul(31) ^ u32::from(*number)) % 11 == 4),
    ];
    domains(
        vec_of(0..=3u8, ..=4),
        || lists_of(&[0, 1, 2, 3], 0, 4),
        properties,
        |name| {
            // What has no structure at all is reached only as far as trying everything reaches.
            if name == "a hash" { 0.5 } else { 1.0 }
        },
    )
}

/// Three numbers.
pub fn tuples() -> Vec<SmallDomain> {
    type Numbers = (u32, i32, u32);
    let properties: Vec<Property<Numbers>> = vec![
        ("a + c >= 9", |(a, _, c)| a + c >= 9),
        ("a + c = 9", |(a, _, c)| a + c == 9),
        ("a * c >= 12", |(a, _, c)| a * c >= 12),
        ("a = c + 2, b below 0", |(a, b, c)| *a == c + 2 && *b < 0),
        ("2a + c = 11", |(a, _, c)| 2 * a + c == 11),
        ("a < c and b = 2", |(a, b, c)| a < c && *b == 2),
        ("xor", |(a, _, c)| a ^ c == 5),
        ("sum with a sign", |(a, b, c)| *a as i32 + b + *c as i32 == 10),
        ("difference", |(a, _, c)| a.abs_diff(*c) == 3 && *a >= 2),
        ("remainder", |(a, b, c)| (*a as i32 * 5 + b * 3 + *c as i32).rem_euclid(7) == 6),
    ];
    let values = || {
        let pairs = (0..8).flat_map(|a| (-4..=4).map(move |b| (a, b)));
        pairs.flat_map(|(a, b)| (0..8).map(move |c| (a, b, c))).collect()
    };
    domains(
        tuple((0..=7u32, -4..=4i32, 0..=7u32)),
        values,
        properties,
        |name| {
            if name == "remainder" { 0.9 } else { 1.0 }
        },
    )
}

/// Trees of any keys, up to three levels.
pub fn trees() -> Vec<SmallDomain> {
    let properties: Vec<Property<Tree>> = vec![
        ("three keys", |tree| tree.keys().len() >= 3),
        ("keys not sorted", |tree| !tree.keys().is_sorted()),
        ("depth 3", |tree| tree.depth() >= 3),
        ("lopsided", Tree::is_lopsided),
        ("sum 4", |tree| tree.keys().iter().sum::<u8>() == 4),
        (
            "root above its right",
            |tree| matches!(tree, Tree::Node(_, key, right) if matches!(&**right, Tree::Node(_, other, _) if other < key)),
        ),
        ("two keys twice", |tree| tree.keys().iter().filter(|key| **key == 2).count() == 2),
    ];
    domains(tree(3), || Tree::all(3), properties, |_| 1.0)
}

/// Its name, and which values fail.
type Property<V> = (&'static str, fn(&V) -> bool);

fn domains<G: Generator + Clone + 'static>(
    generator: G,
    values: fn() -> Vec<G::Value>,
    properties: Vec<Property<G::Value>>,
    share: impl Fn(&str) -> f64,
) -> Vec<SmallDomain> {
    let domain = |(name, fails): Property<G::Value>| {
        SmallDomain::new(name, generator.clone(), values, fails).at_least(share(name))
    };
    properties.into_iter().map(domain).collect()
}

/// All lists of these items, from `shortest` to `longest`.
fn lists_of<T: Clone>(items: &[T], shortest: usize, longest: usize) -> Vec<Vec<T>> {
    let mut all = Vec::new();
    let mut of_one_length = vec![Vec::new()];
    for length in 0..=longest {
        if length >= shortest {
            all.extend(of_one_length.iter().cloned());
        }
        let longer = of_one_length.iter().flat_map(|list: &Vec<T>| {
            items.iter().map(move |item| list.iter().chain(std::iter::once(item)).cloned().collect())
        });
        of_one_length = if length < longest { longer.collect() } else { Vec::new() };
    }
    all
}

fn pairs_of<T: Copy>(items: &[T]) -> Vec<(T, T)> {
    items.iter().flat_map(|left| items.iter().map(move |right| (*left, *right))).collect()
}

/// All terms of the numbers 0, 1 and -1, so deep.
fn terms(depth: u32) -> Vec<Term> {
    let mut terms: Vec<Term> = [0, 1, -1].map(Term::Number).into();
    if depth > 0 {
        let inner = self::terms(depth - 1);
        for left in &inner {
            for right in &inner {
                terms.push(Term::Add(Box::new(left.clone()), Box::new(right.clone())));
                terms.push(Term::Divide(Box::new(left.clone()), Box::new(right.clone())));
            }
        }
    }
    terms
}

/// All heaps of up to so many nodes with keys from `least` to 1.
fn heaps(nodes: usize, least: i64) -> Vec<Heap> {
    let mut heaps = vec![Heap::Empty];
    if nodes > 0 {
        for key in least..=1 {
            for left in self::heaps(nodes - 1, key) {
                for right in self::heaps(nodes - 1 - left.keys().len(), key) {
                    heaps.push(Heap::Node(key, Box::new(left.clone()), Box::new(right)));
                }
            }
        }
    }
    heaps
}

#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Leaf,
    Node(Box<Tree>, u8, Box<Tree>),
}

#[generator]
fn tree(depth: u32) -> Tree {
    match pick() {
        "leaf" => Tree::Leaf,
        #[weight(if depth > 0 { 3 } else { 0 })]
        "node" => {
            let left = draw(tree(depth - 1));
            let key = draw(0..=2u8);
            let right = draw(tree(depth - 1));
            Tree::Node(Box::new(left), key, Box::new(right))
        }
    }
}

impl Tree {
    fn all(depth: u32) -> Vec<Tree> {
        let mut trees = vec![Tree::Leaf];
        if depth > 0 {
            let inner = Tree::all(depth - 1);
            for left in &inner {
                for right in &inner {
                    let node = |key| Tree::Node(Box::new(left.clone()), key, Box::new(right.clone()));
                    trees.extend((0..=2).map(node));
                }
            }
        }
        trees
    }

    fn keys(&self) -> Vec<u8> {
        match self {
            Tree::Leaf => vec![],
            Tree::Node(left, key, right) => [left.keys(), vec![*key], right.keys()].concat(),
        }
    }

    fn depth(&self) -> usize {
        match self {
            Tree::Leaf => 0,
            Tree::Node(left, _, right) => 1 + left.depth().max(right.depth()),
        }
    }

    fn is_lopsided(&self) -> bool {
        match self {
            Tree::Leaf => false,
            Tree::Node(left, _, right) => left.depth().abs_diff(right.depth()) > 1,
        }
    }
}
