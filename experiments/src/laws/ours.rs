//! The examples, and one generator of each kind that a user may write.

use super::small::{by_size, inserted, lists, pairs, trees};
use super::{Row, Subject};
use crate::measure::Effort;
use examples::avl::{Avl, avl};
use examples::red_black::{Colour, RedBlack, red_black};
use examples::sorted::sorted;
use examples::{stlc, system_f};
use retrospect::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn rows(effort: Effort) -> Vec<Row> {
    let mut rows = of_trees(effort);
    rows.extend(of_lists(effort));
    rows.extend(of_records(effort));
    rows
}

fn of_trees(effort: Effort) -> Vec<Row> {
    vec![
        Subject::new("AVL trees", avl(0, 20))
            .valid(|tree| tree.is_valid(0, 20))
            .candidates(trees(
                3,
                &[(1, 0), (2, 0), (1, 1), (2, 1), (3, 2), (1, 2), (1, 21)],
                &Avl::Leaf,
                |l, (height, key), r| Avl::Node { height, left: Box::new(l), key, right: Box::new(r) },
            ))
            .candidates(inserted(300, 20, &Avl::Leaf, |tree, key| insert_avl(tree, i64::from(key))))
            .check(effort),
        Subject::new("red–black trees", red_black(0, 30))
            .valid(|tree| tree.is_valid(0, 30))
            .candidates(trees(
                3,
                &[0, 1, 2, 31].map(|key| [(Colour::Red, key), (Colour::Black, key)]).concat(),
                &RedBlack::Leaf,
                red_black_node,
            ))
            .candidates(inserted(300, 30, &RedBlack::Leaf, |tree, key| insert_red_black(tree, i64::from(key))))
            .check(effort),
        Subject::new("types of lambda terms", stlc::types(3))
            .valid(|one| type_depth(one) <= 3)
            .candidates(trees(4, &[()], &stlc::Type::Int, |from, (), to| stlc::Type::Fun(Box::new(from), Box::new(to))))
            .check(effort),
        Subject::new("types of System F", system_f::types(1))
            .valid(|one| one.is_formed(1))
            .candidates(polymorphic_types())
            .check(effort),
        Subject::new(
            "types that another is an instance of",
            system_f::generalised(&instance(), &system_f::Type::Bool, 0),
        )
        .valid(|one| one.instance(0, &system_f::Type::Bool) == instance())
        .candidates(polymorphic_types())
        .check(effort),
        Subject::new("lambda terms in scope", in_scope(0))
            .valid(|term| term.is_in_scope(0))
            .candidates(scoped_terms(5))
            .check(effort),
        Subject::new("trees of any width, derived", any::<Rose>()).candidates(roses(5)).check(effort),
        Subject::new("full trees by level, recursive", full_trees())
            .valid(|tree| tree.is_full())
            .candidates(full_tree_candidates())
            .check(effort),
    ]
}

fn of_lists(effort: Effort) -> Vec<Row> {
    vec![
        Subject::new("sorted lists", sorted(0, 9))
            .valid(|list| list.is_sorted() && list.iter().all(|item| (0..=9).contains(item)))
            .candidates(lists(4, &[-1, 0, 1, 9, 10]))
            .check(effort),
        Subject::new("lists without repetition, in order", ascending(9))
            .valid(|list| list.is_sorted_by(|one, next| one < next) && list.iter().all(|item| *item <= 9))
            .candidates(lists(4, &[0, 1, 5, 9, 10]))
            .check(effort),
        Subject::new("programs for a stack", stack_programs())
            .valid(|program| {
                let step = |height: i32, op: &Op| match op {
                    Op::Push(_) => Some(height + 1),
                    Op::Pop => (height > 0).then_some(height - 1),
                    Op::Add => (height > 1).then_some(height - 1),
                };
                program.len() <= 12 && program.iter().try_fold(0, step).is_some()
            })
            .candidates(lists(6, &[Op::Push(3), Op::Pop, Op::Add]))
            .check(effort),
        Subject::new("balanced brackets", brackets())
            .valid(|text| {
                let step = |depth: usize, letter| match letter {
                    '(' => Some(depth + 1),
                    ')' => depth.checked_sub(1),
                    _ => None,
                };
                text.chars().try_fold(0, step) == Some(0)
            })
            .candidates(lists(8, &["(", ")"]).into_iter().map(|letters| letters.concat()))
            .check(effort),
        Subject::new("permutations", permutation_of([1, 2, 3, 4]))
            .valid(|order| {
                let mut sorted = order.clone();
                sorted.sort_unstable();
                sorted == [1, 2, 3, 4]
            })
            .candidates(lists(5, &[1, 2, 3, 4]))
            .check(effort),
        Subject::new("subsequences", subsequence_of([1, 2, 3, 4], 1..=3))
            .valid(|some| (1..=3).contains(&some.len()) && some.is_sorted_by(|one, next| one < next))
            .candidates(lists(4, &[1, 2, 3, 4]))
            .check(effort),
        Subject::new("rectangles", rectangles(4))
            .valid(|rows| {
                rows.len() <= 4 && rows.iter().all(|row| (1..=4).contains(&row.len()) && row.len() == rows[0].len())
            })
            .candidates(lists(3, &lists(2, &[false, true])))
            .check(effort),
        Subject::new("graphs without cycles", acyclic(4))
            .valid(|edges| {
                edges.len() <= 4
                    && (0..edges.len())
                        .all(|at| edges[at].iter().all(|to| *to < at) && edges[at].is_sorted_by(|a, b| a < b))
            })
            .candidates(lists(3, &lists(2, &[0, 1, 2])))
            .check(effort),
        Subject::new("sums that are kept", transfers(3))
            .valid(|shares| shares.len() == 3 && shares.iter().map(|share| u32::from(*share)).sum::<u32>() == 10)
            .candidates(lists(3, &(0..=11).collect::<Vec<u8>>()))
            .check(effort),
        Subject::new("maps", map_of(0..=3u8, any::<bool>(), ..=3))
            .valid(|map| map.len() <= 3 && map.keys().all(|key| *key <= 3))
            .candidates(lists(4, &[(0, true), (1, false), (3, true), (4, true)]).into_iter().map(BTreeMap::from_iter))
            .check(effort),
        Subject::new("sets", set_of(0..=3u8, 1..))
            .valid(|set| !set.is_empty() && set.iter().all(|item| *item <= 3))
            .candidates(lists(4, &[0, 1, 2, 3, 4]).into_iter().map(BTreeSet::from_iter))
            .check(effort),
        Subject::new("text by its letters", string_of('a'..='c', 1..=3))
            .valid(|text| (1..=3).contains(&text.len()) && text.chars().all(|letter| ('a'..='c').contains(&letter)))
            .candidates(lists(4, &["a", "c", "d", "ä"]).into_iter().map(|letters| letters.concat()))
            .check(effort),
    ]
}

fn of_records(effort: Effort) -> Vec<Row> {
    let (years, days) = ([1900, 1999, 2000, 2023, 2024, 2101], 0..=32);
    vec![
        Subject::new("days of the calendar", days_of(1900, 2100))
            .valid(|day| {
                (1900..=2100).contains(&day.year)
                    && (1..=12).contains(&day.month)
                    && day.day >= 1
                    && day.day <= last_day(day.year, day.month)
            })
            .candidates(years.into_iter().flat_map(move |year| {
                let days = days.clone();
                (0..=13).flat_map(move |month| days.clone().map(move |day| Day { year, month, day }))
            }))
            .check(effort),
        Subject::new("intervals", interval(0, 20))
            .valid(|(low, high)| 0 <= *low && low <= high && *high <= 20)
            .candidates((-1..=21).flat_map(|low| (-1..=21).map(move |high| (low, high))))
            .check(effort),
        Subject::new(
            "fractions in lowest terms",
            tuple((0..=12u32, 1..=12u32)).filter(|(above, below)| greatest_divisor(*above, *below) == 1),
        )
        .valid(|(above, below)| {
            *above <= 12
                && (1..=12).contains(below)
                && (2..=12).all(|divisor| above % divisor != 0 || below % divisor != 0)
        })
        .candidates((0..=13).flat_map(|above| (0..=13).map(move |below| (above, below))))
        .check(effort),
        Subject::new("decimals, by an inverse", decimals())
            .valid(|number| *number <= 99 && number % 10 <= 5)
            .candidates(0..=120)
            .check(effort),
        Subject::new("a message with its length", messages())
            .valid(|message| {
                message.length == message.text.len()
                    && message.text.len() <= 4
                    && message.text.iter().all(|byte| *byte <= 9)
            })
            .candidates(lists(5, &[0, 9, 10]).into_iter().flat_map(|text| {
                [Message { length: text.len(), text: text.clone() }, Message { length: text.len() + 1, text }]
            }))
            .check(effort),
        Subject::new("functions", function_of::<u8, bool>(any::<bool>())).check(effort),
        Subject::new(
            "numbers with a size, recorded",
            sized(|size| vec_of(0..=size, size as usize)).with_reader(any::<Vec<u32>>()),
        )
        .check(effort),
    ]
}

// Trees that grow by insertion, as one writes it without generators.

fn avl_node(left: Avl, key: i64, right: Avl) -> Avl {
    Avl::Node { height: 1 + left.height().max(right.height()), left: Box::new(left), key, right: Box::new(right) }
}

fn insert_avl(tree: Avl, new: i64) -> Avl {
    let Avl::Node { left, key, right, .. } = tree else { return avl_node(Avl::Leaf, new, Avl::Leaf) };
    match new.cmp(&key) {
        std::cmp::Ordering::Less => balanced(insert_avl(*left, new), key, *right),
        std::cmp::Ordering::Equal => avl_node(*left, key, *right),
        std::cmp::Ordering::Greater => balanced(*left, key, insert_avl(*right, new)),
    }
}

/// A node of two trees whose heights differ by at most 2.
fn balanced(left: Avl, key: i64, right: Avl) -> Avl {
    match (left, right) {
        (Avl::Node { left: outer, key: middle, right: inner, .. }, right)
            if outer.height().max(inner.height()) > right.height() =>
        {
            match *inner {
                Avl::Node { left: low, key: top, right: high, .. } if outer.height() <= right.height() => {
                    avl_node(avl_node(*outer, middle, *low), top, avl_node(*high, key, right))
                }
                inner => avl_node(*outer, middle, avl_node(inner, key, right)),
            }
        }
        (left, Avl::Node { left: inner, key: middle, right: outer, .. })
            if outer.height().max(inner.height()) > left.height() =>
        {
            match *inner {
                Avl::Node { left: low, key: top, right: high, .. } if outer.height() <= left.height() => {
                    avl_node(avl_node(left, key, *low), top, avl_node(*high, middle, *outer))
                }
                inner => avl_node(avl_node(left, key, inner), middle, *outer),
            }
        }
        (left, right) => avl_node(left, key, right),
    }
}

fn red_black_node(left: RedBlack, (colour, key): (Colour, i64), right: RedBlack) -> RedBlack {
    RedBlack::Node(colour, Box::new(left), key, Box::new(right))
}

fn insert_red_black(tree: RedBlack, new: i64) -> RedBlack {
    fn insert(tree: RedBlack, new: i64) -> RedBlack {
        match tree {
            RedBlack::Leaf => red_black_node(RedBlack::Leaf, (Colour::Red, new), RedBlack::Leaf),
            RedBlack::Node(colour, left, key, right) if new < key => {
                rebalanced(colour, insert(*left, new), key, *right)
            }
            RedBlack::Node(colour, left, key, right) if new > key => {
                rebalanced(colour, *left, key, insert(*right, new))
            }
            same => same,
        }
    }
    match insert(tree, new) {
        RedBlack::Node(_, left, key, right) => RedBlack::Node(Colour::Black, left, key, right),
        RedBlack::Leaf => RedBlack::Leaf,
    }
}

/// A node, unless it is black with a red child that has a red child: then a red node of two black
/// ones.
fn rebalanced(colour: Colour, left: RedBlack, key: i64, right: RedBlack) -> RedBlack {
    use Colour::{Black, Red};
    use RedBlack::Node;
    let is_red = |tree: &RedBlack| matches!(tree, Node(Red, ..));
    let three = |a: RedBlack, x: i64, b: RedBlack, y: i64, c: RedBlack, z: i64, d: RedBlack| {
        red_black_node(red_black_node(a, (Black, x), b), (Red, y), red_black_node(c, (Black, z), d))
    };
    if colour == Red {
        return red_black_node(left, (colour, key), right);
    }
    match (left, right) {
        (Node(Red, outer, x, inner), right) if is_red(&outer) => {
            let Node(_, a, w, b) = *outer else { unreachable!("it is red") };
            three(*a, w, *b, x, *inner, key, right)
        }
        (Node(Red, outer, x, inner), right) if is_red(&inner) => {
            let Node(_, b, y, c) = *inner else { unreachable!("it is red") };
            three(*outer, x, *b, y, *c, key, right)
        }
        (left, Node(Red, inner, z, outer)) if is_red(&inner) => {
            let Node(_, b, y, c) = *inner else { unreachable!("it is red") };
            three(left, key, *b, y, *c, z, *outer)
        }
        (left, Node(Red, inner, y, outer)) if is_red(&outer) => {
            let Node(_, c, z, d) = *outer else { unreachable!("it is red") };
            three(left, key, *inner, y, *c, z, *d)
        }
        (left, right) => red_black_node(left, (colour, key), right),
    }
}

// Types and terms.

fn type_depth(one: &stlc::Type) -> u32 {
    match one {
        stlc::Type::Int => 0,
        stlc::Type::Fun(from, to) => 1 + type_depth(from).max(type_depth(to)),
    }
}

/// `Bool -> forall. 0 -> Bool`
fn instance() -> system_f::Type {
    use system_f::Type;
    let inside = Type::Fun(Box::new(Type::Var(0)), Box::new(Type::Bool));
    Type::Fun(Box::new(Type::Bool), Box::new(Type::ForAll(Box::new(inside))))
}

fn polymorphic_types() -> Vec<system_f::Type> {
    use system_f::Type;
    by_size(6, |size, table: &[Vec<Type>]| match size {
        0 => vec![],
        1 => vec![Type::Bool, Type::Var(0), Type::Var(1)],
        size => {
            let under = table[size - 1].iter().map(|body| Type::ForAll(Box::new(body.clone())));
            let fun = |(from, to): (Type, Type)| Type::Fun(Box::new(from), Box::new(to));
            under.chain(pairs(size - 1, table).into_iter().map(fun)).collect()
        }
    })
}

#[derive(Clone, Debug, PartialEq)]
enum Scoped {
    Var(usize),
    Lam(Box<Scoped>),
    App(Box<Scoped>, Box<Scoped>),
}

impl Scoped {
    fn is_in_scope(&self, bound: usize) -> bool {
        match self {
            Scoped::Var(index) => *index < bound,
            Scoped::Lam(body) => body.is_in_scope(bound + 1),
            Scoped::App(function, argument) => function.is_in_scope(bound) && argument.is_in_scope(bound),
        }
    }
}

/// Terms whose variables are all bound.
#[generator]
fn in_scope(bound: usize) -> Scoped {
    match pick() {
        #[weight(if bound > 0 { 4 } else { 0 })]
        "variable" => Scoped::Var(draw(0..bound)),
        "lambda" => Scoped::Lam(Box::new(draw(in_scope(bound + 1)))),
        #[weight(drawn_if(bound > 0, 2))]
        "apply" => Scoped::App(Box::new(draw(in_scope(bound))), Box::new(draw(in_scope(bound)))),
    }
}

fn scoped_terms(most: usize) -> Vec<Scoped> {
    by_size(most, |size, table: &[Vec<Scoped>]| match size {
        0 => vec![],
        1 => (0..3).map(Scoped::Var).collect(),
        size => {
            let under = table[size - 1].iter().map(|body| Scoped::Lam(Box::new(body.clone())));
            let apply = |(function, argument)| Scoped::App(Box::new(function), Box::new(argument));
            under.chain(pairs(size - 1, table).into_iter().map(apply)).collect()
        }
    })
}

#[derive(Clone, Debug, PartialEq, Generate)]
struct Rose {
    label: bool,
    children: Vec<Rose>,
}

fn roses(most: usize) -> Vec<Rose> {
    by_size(most, |size, table: &[Vec<Rose>]| match size {
        0 => vec![],
        1 => [false, true].map(|label| Rose { label, children: vec![] }).to_vec(),
        size => {
            let around = table[size - 1].iter().map(|child| Rose { label: true, children: vec![child.clone()] });
            let both = |(one, other)| Rose { label: false, children: vec![one, other] };
            around.chain(pairs(size - 1, table).into_iter().map(both)).collect()
        }
    })
}

#[derive(Clone, Debug, PartialEq, Generate)]
enum Full {
    Leaf(bool),
    Both(Box<Full>, Box<Full>),
}

impl Full {
    fn depth(&self) -> Option<u32> {
        match self {
            Full::Leaf(_) => Some(0),
            Full::Both(left, right) => {
                left.depth().filter(|depth| right.depth() == Some(*depth)).map(|depth| depth + 1)
            }
        }
    }

    fn is_full(&self) -> bool {
        self.depth().is_some_and(|depth| depth <= 4)
    }
}

/// Trees whose leaves are all at one depth, which is recovered from the tree.
fn full_trees() -> impl Generator<Value = Full> + Clone {
    fn of_depth(depth: u32) -> Boxed<'static, Full> {
        if depth == 0 {
            return any::<bool>()
                .map_with_focus(Full::Leaf, |tree| if let Full::Leaf(leaf) = tree { Some(leaf) } else { None })
                .boxed();
        }
        tuple((lazy(move || of_depth(depth - 1)), lazy(move || of_depth(depth - 1))))
            .map_with_inverse(
                |(left, right)| Full::Both(Box::new(left), Box::new(right)),
                |tree| match tree {
                    Full::Both(left, right) => Some(((**left).clone(), (**right).clone())),
                    Full::Leaf(_) => None,
                },
            )
            .boxed()
    }
    (0..=4u32).bind_with_focus(|depth| of_depth(*depth), Full::depth).with_reader(any::<Full>())
}

fn full_tree_candidates() -> Vec<Full> {
    by_size(7, |size, table: &[Vec<Full>]| match size {
        0 => vec![],
        1 => [false, true].map(Full::Leaf).to_vec(),
        size => pairs(size - 1, table)
            .into_iter()
            .map(|(left, right)| Full::Both(Box::new(left), Box::new(right)))
            .collect(),
    })
}

// Lists.

#[generator]
fn ascending(most: u8) -> Vec<u8> {
    draw(sequence_of(0, .., |least| (*least <= most).then_some(*least..=most), |_, item| item + 1))
}

#[derive(Clone, Debug, PartialEq)]
enum Op {
    Push(u8),
    Pop,
    Add,
}

/// What may come next with so many numbers on the stack.
#[generator]
fn operation(height: u32) -> Op {
    match pick() {
        "push" => Op::Push(draw(any::<u8>())),
        #[weight(if height > 0 { 1 } else { 0 })]
        "pop" => Op::Pop,
        #[weight(if height > 1 { 1 } else { 0 })]
        "add" => Op::Add,
    }
}

#[generator]
fn stack_programs() -> Vec<Op> {
    draw(sequence_of(
        0,
        ..=12,
        |height| Some(operation(*height)),
        |height, op| if matches!(op, Op::Push(_)) { height + 1 } else { height - 1 },
    ))
}

/// Brackets as a tree, written down: an opening one, what is inside, a closing one, what follows.
fn brackets() -> impl Generator<Value = String> + Clone {
    fn inverse(text: &str) -> Option<Vec<Nested>> {
        let mut open = vec![vec![]];
        for letter in text.chars() {
            match letter {
                '(' => open.push(vec![]),
                ')' => {
                    let inside = open.pop()?;
                    open.last_mut()?.push(Nested(inside));
                }
                _ => return None,
            }
        }
        open.pop().filter(|_| open.is_empty())
    }
    any::<Vec<Nested>>()
        .map_with_inverse(|nested| nested.iter().map(Nested::text).collect::<String>(), |text| inverse(text))
        .with_reader(any::<String>())
}

#[derive(Clone, Debug, PartialEq, Generate)]
struct Nested(Vec<Nested>);

impl Nested {
    fn text(&self) -> String {
        format!("({})", self.0.iter().map(Nested::text).collect::<String>())
    }
}

/// Rows of one width, which is recovered from the first.
#[generator]
fn rectangles(most: usize) -> Vec<Vec<bool>> {
    #[focus(it.first().map_or(1, Vec::len))]
    let width = draw(1..=most);
    draw(vec_of(vec_of(any::<bool>(), width), ..=most))
}

/// For each node the earlier ones that it leads to.
#[generator]
fn acyclic(most: usize) -> Vec<Vec<usize>> {
    draw(sequence_of(
        0,
        ..=most,
        |nodes| Some(subsequence_of((0..*nodes).collect::<Vec<usize>>(), ..)),
        |nodes, _| nodes + 1,
    ))
}

/// Ten things in so many shares: the last gets what is left.
#[generator]
fn transfers(shares: usize) -> Vec<u8> {
    draw(sequence_of(
        (shares, 10u8),
        shares,
        |(left, rest)| Some(if *left == 1 { *rest..=*rest } else { 0..=*rest }),
        |(left, rest), share| (left - 1, rest - share),
    ))
}

// Records.

#[derive(Clone, Debug, PartialEq)]
struct Day {
    year: u32,
    month: u32,
    day: u32,
}

#[generator]
fn days_of(first: u32, last: u32) -> Day {
    let year = draw(first..=last);
    let month = draw(1..=12);
    let day = draw(1..=last_day(year, month));
    Day { year, month, day }
}

fn last_day(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[generator]
fn interval(least: i32, most: i32) -> (i32, i32) {
    let low = draw(least..=most);
    let high = draw(low..=most);
    (low, high)
}

fn greatest_divisor(one: u32, other: u32) -> u32 {
    if other == 0 { one } else { greatest_divisor(other, one % other) }
}

/// Two digits, of which the last is at most 5.
#[generator]
fn decimals() -> u32 {
    let tens = draw(0..=9);
    let ones = draw(0..=5);
    #[inverse(|it| Some((it / 10, it % 10)))]
    (tens * 10 + ones)
}

#[derive(Clone, Debug, PartialEq)]
struct Message {
    length: usize,
    text: Vec<u8>,
}

#[generator]
fn messages() -> Message {
    let text = draw(vec_of(0..=9, ..=4));
    let length = text.len();
    Message { length, text }
}
