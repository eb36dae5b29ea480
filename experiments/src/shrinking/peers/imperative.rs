//! chaos_theory and hegeltest: a property draws as it runs. What is drawn is written once; each
//! draws numbers and lists in its own way.

use super::super::problems::challenges::{self, Heap, Term};
use super::super::problems::dependent::weighs_twenty;
use super::super::problems::further::{Tree, is_multiplied_to_a_million};
use super::{CASES, watch, watch_debug};
use std::fmt::Debug;
use std::marker::PhantomData;

pub(super) fn run_chaos_theory(problem: &str, seed: u64) -> bool {
    // Seeds that are near each other begin alike.
    let seed = (seed as u32 + 1).wrapping_mul(0x9e37_79b9);
    let environment = chaos_theory::Env::builder().with_check_iters(CASES as usize).with_rng_seed(seed);
    environment.build().check(|source| assert!(!fails(problem, source)));
    true
}

pub(super) fn run_hegeltest(problem: &str, seed: u64) -> bool {
    let settings = hegel::Settings::new()
        .test_cases(u64::from(CASES))
        .seed(Some(seed))
        .database(hegel::Database::Disabled)
        .verbosity(hegel::Verbosity::Quiet)
        .report_multiple_failures(false)
        .suppress_health_check(hegel::HealthCheck::all());
    hegel::Hegel::new(|case: hegel::TestCase| assert!(!fails(problem, &mut Hegel(&case)))).settings(settings).run();
    true
}

/// Draws what the problem is about, and tells whether it fails.
fn fails(problem: &str, draws: &mut impl Draws) -> bool {
    match problem {
        "reverse" => {
            let list = draws.list::<AnyNumber>(0, None);
            watch_debug(challenges::differs_reversed(&list), &list)
        }
        "nested lists" => {
            let lists = draws.list::<ListOf<Between<0, 0>>>(0, None);
            watch_debug(challenges::holds_more_than_ten(&lists), &lists)
        }
        "large union" => {
            let lists = draws.list::<ListOf<AnyNumber>>(0, None);
            watch_debug(challenges::unites_five(&lists), &lists)
        }
        "length list" => {
            let count = draws.number(1, 100) as usize;
            let list: Vec<u32> =
                draws.list::<Between<0, 1000>>(count, Some(count)).iter().map(|item| *item as u32).collect();
            watch_debug(challenges::reaches_900(&list), &list)
        }
        "difference 1" => difference(draws, challenges::is_equal_pair),
        "difference 2" => difference(draws, challenges::is_near_pair),
        "difference 3" => difference(draws, challenges::is_neighbour_pair),
        "bound5" => bound5(draws, Some(1)),
        "bound5, any lengths" => bound5(draws, None),
        "coupling" => {
            let list: Vec<usize> =
                draws.list::<Between<0, 10>>(0, Some(10)).iter().map(|item| *item as usize).collect();
            watch_debug(challenges::has_a_cycle_of_two(&list), &list)
        }
        "deletion" => {
            let pair = (draws.list::<AnyNumber>(0, None), draws.number(0, 10) as usize);
            watch_debug(challenges::survives_deletion(&pair.0, pair.1), &pair)
        }
        "distinct" => {
            let list = draws.list::<AnyNumber>(0, None);
            watch_debug(challenges::has_three_distinct(&list), &list)
        }
        "calculator" => {
            let term = term(draws, 6);
            watch_debug(term.fails(), &term)
        }
        "binary heap, key from the least" => {
            let heap = heap(draws, 0, 20);
            watch(heap.fails(), || heap.show())
        }
        "replacement" => {
            let number = draws.number(0, 1_000_000) as u64;
            let both = (number, draws.list::<Between<2, 10>>(0, None).iter().map(|item| *item as u64).collect());
            watch_debug(is_multiplied_to_a_million(&both), &both)
        }
        "2x + y + z = 20" => {
            let [x, y, z] = std::array::from_fn(|_| draws.number(0, 20) as u32);
            watch_debug(weighs_twenty(&(x, y, z)), &(x, y, z))
        }
        "search tree, key 50" => {
            let tree = tree(draws, 0, 100);
            watch(tree.is_large(), || tree.show())
        }
        other => panic!("{other} is not written here"),
    }
}

fn difference(draws: &mut impl Draws, fails: fn(&(i32, i32)) -> bool) -> bool {
    let most = i64::from(i32::MAX);
    let pair = (draws.number(1, most) as i32, draws.number(1, most) as i32);
    watch_debug(fails(&pair), &pair)
}

fn bound5(draws: &mut impl Draws, longest: Option<usize>) -> bool {
    let [a, b, c, d, e] = std::array::from_fn(|_| draws.list::<AnyShort>(0, longest));
    let lists = (a, b, c, d, e);
    watch_debug(challenges::wraps(&lists), &lists)
}

fn term(draws: &mut impl Draws, depth: u32) -> Term {
    match draws.number(0, if depth > 0 { 2 } else { 0 }) {
        0 => Term::Number(draws.any_number()),
        1 => Term::Add(Box::new(term(draws, depth - 1)), Box::new(term(draws, depth - 1))),
        _ => Term::Divide(Box::new(term(draws, depth - 1)), Box::new(term(draws, depth - 1))),
    }
}

fn heap(draws: &mut impl Draws, least: i64, size: u32) -> Heap {
    if size == 0 || draws.number(0, 7) == 0 {
        return Heap::Empty;
    }
    let key = draws.number(least, i64::MAX);
    let (left, right) = (heap(draws, key, size / 2), heap(draws, key, size / 2));
    Heap::Node(key, Box::new(left), Box::new(right))
}

fn tree(draws: &mut impl Draws, low: i64, high: i64) -> Tree {
    if low > high || draws.number(0, 5) == 0 {
        return Tree::Leaf;
    }
    let key = draws.number(low, high);
    let (left, right) = (tree(draws, low, key - 1), tree(draws, key + 1, high));
    Tree::Node(Box::new(left), key, Box::new(right))
}

/// What both can draw.
trait Draws {
    fn number(&mut self, low: i64, high: i64) -> i64;
    fn any_number(&mut self) -> i64;
    fn any_short(&mut self) -> i16;
    fn list<I: Item>(&mut self, shortest: usize, longest: Option<usize>) -> Vec<I::Value>;
}

/// What lists are made of.
trait Item {
    type Value: Debug;
    fn draw(draws: &mut impl Draws) -> Self::Value;
}

struct AnyNumber;

impl Item for AnyNumber {
    type Value = i64;
    fn draw(draws: &mut impl Draws) -> i64 {
        draws.any_number()
    }
}

struct AnyShort;

impl Item for AnyShort {
    type Value = i16;
    fn draw(draws: &mut impl Draws) -> i16 {
        draws.any_short()
    }
}

struct Between<const LOW: i64, const HIGH: i64>;

impl<const LOW: i64, const HIGH: i64> Item for Between<LOW, HIGH> {
    type Value = i64;
    fn draw(draws: &mut impl Draws) -> i64 {
        draws.number(LOW, HIGH)
    }
}

struct ListOf<I>(PhantomData<I>);

impl<I: Item> Item for ListOf<I> {
    type Value = Vec<I::Value>;
    fn draw(draws: &mut impl Draws) -> Vec<I::Value> {
        draws.list::<I>(0, None)
    }
}

impl Draws for chaos_theory::Source<'_> {
    fn number(&mut self, low: i64, high: i64) -> i64 {
        self.any_of("number", chaos_theory::make::int_in(low..=high))
    }

    fn any_number(&mut self) -> i64 {
        self.any("number")
    }

    fn any_short(&mut self) -> i16 {
        self.any("number")
    }

    fn list<I: Item>(&mut self, shortest: usize, longest: Option<usize>) -> Vec<I::Value> {
        use chaos_theory::Generator;
        let items = chaos_theory::make::from_fn(|source| I::draw(source));
        match longest {
            Some(longest) => self.any_of("list", items.collect_n::<Vec<I::Value>>(shortest..=longest)),
            None => self.any_of("list", items.collect_n::<Vec<I::Value>>(shortest..)),
        }
    }
}

struct Hegel<'a>(&'a hegel::TestCase);

impl Draws for Hegel<'_> {
    fn number(&mut self, low: i64, high: i64) -> i64 {
        self.0.draw_silent(hegel::generators::integers().min_value(low).max_value(high))
    }

    fn any_number(&mut self) -> i64 {
        self.0.draw_silent(hegel::generators::integers())
    }

    fn any_short(&mut self) -> i16 {
        self.0.draw_silent(hegel::generators::integers())
    }

    fn list<I: Item>(&mut self, shortest: usize, longest: Option<usize>) -> Vec<I::Value> {
        let items = hegel::compose!(|case| { I::draw(&mut Hegel(case)) });
        let lists = hegel::generators::vecs(items).min_size(shortest);
        match longest {
            Some(longest) => self.0.draw_silent(lists.max_size(longest)),
            None => self.0.draw_silent(lists),
        }
    }
}
