//! Variants of the published problems that nobody chose: constants, operators and lengths are drawn
//! from a seed, and the simplest value that fails is found by trying, or by construction, in the
//! order of [`compare`].
//!
//! `cargo run --release -p experiments -- shrinking --variants` measures them; `--python` prints
//! them for Hypothesis, which `variants.py` runs beside this file. Its figures are in
//! `variants_hypothesis.tsv`.

use super::measure::Measured;
use super::problems::further::{Tree, bst};
use super::problems::{Problem, Start, dependent};
use super::progress::Progress;
use super::{percent, shortened};
use crate::measure::{Effort, Table, machine};
use fastrand::Rng;
use retrospect::prelude::*;
use retrospect::shrink::compare;
use std::collections::BTreeSet;
use std::fmt::{Debug, Write};
use std::io;

/// How many variants each family has.
const VARIANTS: usize = 10;
/// How many starts each variant gets.
const SEEDS: u64 = 50;
/// The seed of the variants in the tables, unless another one is given.
pub const SEED: u64 = 17;

/// A problem with constants that were drawn.
#[derive(Debug)]
pub struct Variant {
    pub family: &'static str,
    pub problem: Problem,
    /// What Hypothesis generates and what fails there, in Python.
    python: [String; 2],
}

impl Variant {
    /// A variant whose simplest failing value is among `values`. It begins with values that are
    /// drawn.
    fn new<G>(
        family: &'static str,
        name: String,
        generator: G,
        values: impl IntoIterator<Item = G::Value>,
        fails: impl Fn(&G::Value) -> bool + 'static,
        python: [&str; 2],
    ) -> Variant
    where
        G: Generator + 'static,
    {
        Variant::from(family, name, generator, values, fails, Start::Drawn, python)
    }

    fn from<G>(
        family: &'static str,
        name: String,
        generator: G,
        values: impl IntoIterator<Item = G::Value>,
        fails: impl Fn(&G::Value) -> bool + 'static,
        start: Start<G::Value>,
        python: [&str; 2],
    ) -> Variant
    where
        G: Generator + 'static,
    {
        let least = least(&generator, values, &fails).unwrap_or_else(|| panic!("{name}: none of the values fails"));
        let problem = Problem::with(name.leak(), generator, fails, debug, start).ends_at(least, f64::MAX, u64::MAX);
        Variant { family, problem, python: python.map(str::to_owned) }
    }
}

fn debug<V: Debug>(value: &V) -> String {
    format!("{value:?}")
}

/// The simplest of the values that fail, as `Debug` shows it.
fn least<G: Generator>(
    generator: &G,
    values: impl IntoIterator<Item = G::Value>,
    fails: impl Fn(&G::Value) -> bool,
) -> Option<String> {
    let failing = values.into_iter().filter(|value| fails(value));
    let with_choices = failing.map(|value| (generator.ways_of(&value).simplest().expect("one of its values"), value));
    with_choices.min_by(|left, right| compare(&left.0, &right.0)).map(|(_, value)| debug(&value))
}

/// All variants that are drawn from a seed, so many of each family.
pub fn variants(seed: u64, count: usize) -> Vec<Variant> {
    let families: [fn(&mut Rng) -> Variant; 26] = [
        remainder,
        multiple,
        weighted_sum,
        product_at_least,
        product,
        divisor,
        same_remainder,
        exclusive_or,
        three_numbers,
        difference,
        falling,
        replacement,
        modular_mapping,
        collision,
        close_floats,
        palindrome,
        subset_sum,
        list_sum,
        long_list,
        distinct,
        nested_lists,
        counted_list,
        bounded_lists,
        dot_product,
        search_tree,
        flat_maps,
    ];
    let draw = |(place, family): (usize, fn(&mut Rng) -> Variant)| {
        let mut rng = Rng::with_seed(seed.wrapping_mul(1_000_003).wrapping_add(place as u64));
        (0..count).map(move |_| family(&mut rng)).collect::<Vec<_>>()
    };
    families.into_iter().enumerate().flat_map(draw).collect()
}

fn pairs(most: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..=most).flat_map(move |a| (0..=most).map(move |b| (a, b)))
}

fn remainder(rng: &mut Rng) -> Variant {
    let modulus = rng.u32(2..=1000);
    let rest = rng.u32(0..modulus);
    Variant::new(
        "remainder",
        format!("x % {modulus} = {rest}"),
        0..=1_000_000u32,
        0..modulus,
        move |x| x % modulus == rest,
        ["integers(0, 10**6)", &format!("v % {modulus} == {rest}")],
    )
}

fn multiple(rng: &mut Rng) -> Variant {
    let (factor, more, from) = (rng.u32(1..=9), rng.u32(0..=20), rng.u32(0..=50));
    let (sign, is_plus) = if rng.bool() { ('+', true) } else { ('-', false) };
    let fails =
        move |(a, b): &(u32, u32)| *a >= from && if is_plus { *b == factor * a + more } else { b + more == factor * a };
    let values = (0..=200u32).flat_map(move |a| [(a, factor * a + more), (a, (factor * a).saturating_sub(more))]);
    Variant::new(
        "multiple",
        format!("b = {factor}a {sign} {more}, a >= {from}"),
        tuple((0..=1000u32, 0..=10_000u32)),
        values,
        fails,
        [
            "tuples(integers(0, 1000), integers(0, 10000))",
            &format!("v[0] >= {from} and v[1] == {factor} * v[0] {sign} {more}"),
        ],
    )
}

fn weighted_sum(rng: &mut Rng) -> Variant {
    let weights = [(); 3].map(|()| rng.u32(1..=9));
    let most = if rng.bool() { 100 } else { 20 };
    let solution = [(); 3].map(|()| rng.u32(0..=20));
    let sum: u32 = weights.iter().zip(solution).map(|(weight, number)| weight * number).sum::<u32>().max(1);
    let [i, j, k] = weights;
    let fails = move |(x, y, z): &(u32, u32, u32)| i * x + j * y + k * z == sum;
    let sum_of = move |(x, y): (u32, u32)| {
        let rest = sum.checked_sub(i * x + j * y)?;
        (rest % k == 0 && rest / k <= most).then_some((x, y, rest / k))
    };
    Variant::new(
        "weighted sum",
        format!("{i}x + {j}y + {k}z = {sum}, up to {most}"),
        tuple((0..=most, 0..=most, 0..=most)),
        pairs(most).filter_map(sum_of),
        fails,
        [&format!("tuples(*[integers(0, {most})] * 3)"), &format!("{i} * v[0] + {j} * v[1] + {k} * v[2] == {sum}")],
    )
}

fn product_at_least(rng: &mut Rng) -> Variant {
    let least = rng.u32(20..=5000);
    Variant::new(
        "product, a bound",
        format!("a * b >= {least}"),
        tuple((0..=1000u32, 0..=1000u32)),
        pairs(300),
        move |(a, b)| a * b >= least,
        ["tuples(integers(0, 1000), integers(0, 1000))", &format!("v[0] * v[1] >= {least}")],
    )
}

fn product(rng: &mut Rng) -> Variant {
    let product = rng.u32(2..=60) * rng.u32(2..=60);
    let values = move || {
        (1..=1000u32).filter(move |a| product.is_multiple_of(*a) && product / a <= 1000).map(move |a| (a, product / a))
    };
    let start = move |seed: u64| Rng::with_seed(seed).choice(values().collect::<Vec<_>>()).expect("it is a product");
    Variant::from(
        "product",
        format!("a * b = {product}"),
        tuple((0..=1000u32, 0..=1000u32)),
        values(),
        move |(a, b)| a * b == product,
        Start::Value(Box::new(start)),
        ["tuples(integers(0, 1000), integers(0, 1000))", &format!("v[0] * v[1] == {product}")],
    )
}

fn divisor(rng: &mut Rng) -> Variant {
    fn gcd(a: u32, b: u32) -> u32 {
        if b == 0 { a } else { gcd(b, a % b) }
    }
    let (least, may_be_equal) = (rng.u32(2..=100), rng.bool());
    let and = if may_be_equal { "" } else { ", a != b" };
    let python = if may_be_equal { "" } else { " and v[0] != v[1]" };
    Variant::new(
        "divisor",
        format!("gcd(a, b) >= {least}{and}"),
        tuple((1..=10_000u32, 1..=10_000u32)),
        (1..=4).flat_map(move |times| [(least, times * least), (times * least, least)]),
        move |(a, b)| gcd(*a, *b) >= least && (may_be_equal || a != b),
        ["tuples(integers(1, 10000), integers(1, 10000))", &format!("__import__('math').gcd(*v) >= {least}{python}")],
    )
}

fn same_remainder(rng: &mut Rng) -> Variant {
    let (modulus, least) = (rng.u32(2..=500), if rng.bool() { rng.u32(1..=100) } else { 0 });
    Variant::new(
        "one remainder",
        format!("a % {modulus} = b % {modulus}, a != b, a >= {least}"),
        tuple((0..=10_000u32, 0..=10_000u32)),
        (0..=1).flat_map(move |times| {
            (0..=modulus.max(least)).flat_map(move |a| {
                let b = a % modulus + times * modulus;
                [(a, b), (b, a)]
            })
        }),
        move |(a, b)| a % modulus == b % modulus && a != b && *a >= least,
        [
            "tuples(integers(0, 10000), integers(0, 10000))",
            &format!("v[0] % {modulus} == v[1] % {modulus} and v[0] != v[1] and v[0] >= {least}"),
        ],
    )
}

fn exclusive_or(rng: &mut Rng) -> Variant {
    let (bits, least) = (rng.u32(1..=1023), if rng.bool() { rng.u32(1..=300) } else { 0 });
    Variant::new(
        "exclusive or",
        format!("a ^ b = {bits}, a >= {least}"),
        tuple((0..=1023u32, 0..=1023u32)),
        (0..=1023).map(move |a| (a, a ^ bits)),
        move |(a, b)| a ^ b == bits && *a >= least,
        ["tuples(integers(0, 1023), integers(0, 1023))", &format!("v[0] ^ v[1] == {bits} and v[0] >= {least}")],
    )
}

fn three_numbers(rng: &mut Rng) -> Variant {
    let sum = rng.u32(100..=800);
    let values = pairs(300).filter_map(move |(a, b)| {
        // The simplest has few numbers that are not 0, and the last ones are the largest.
        let c = sum.checked_sub(a + b).filter(|c| *c <= 300)?;
        (a == 0 || b == 300 || c == 300).then_some((a, b, c))
    });
    Variant::new(
        "three numbers",
        format!("a + b + c = {sum}"),
        tuple((0..=300u32, 0..=300u32, 0..=300u32)),
        values,
        move |(a, b, c)| a + b + c == sum,
        ["tuples(*[integers(0, 300)] * 3)", &format!("sum(v) == {sum}")],
    )
}

fn difference(rng: &mut Rng) -> Variant {
    let (from, distance, is_exact) = (rng.i32(0..=500), rng.i32(1..=100), rng.bool());
    let operator = if is_exact { "=" } else { "<=" };
    let fails = move |(a, b): &(i32, i32)| {
        *a >= from
            && a != b
            && if is_exact { a.abs_diff(*b) == distance as u32 } else { a.abs_diff(*b) <= distance as u32 }
    };
    Variant::new(
        "difference",
        format!("0 < ∣a - b∣ {operator} {distance}, a >= {from}"),
        tuple((-10_000..=10_000, -10_000..=10_000)),
        (from..=from + 101).flat_map(|a| (a - 101..=a + 101).map(move |b| (a, b))),
        fails,
        [
            "tuples(integers(-10000, 10000), integers(-10000, 10000))",
            &format!(
                "v[0] >= {from} and v[0] != v[1] and abs(v[0] - v[1]) {} {distance}",
                if is_exact { "==" } else { "<=" }
            ),
        ],
    )
}

/// Each number is at most the one before.
fn falling(rng: &mut Rng) -> Variant {
    #[generator]
    fn falling_three(most: u32) -> (u32, u32, u32) {
        let a = draw(0..=most);
        let b = draw(0..=a);
        let c = draw(0..=b);
        (a, b, c)
    }
    let most = rng.u32(20..=60);
    let is_sum = rng.bool();
    let bound = if is_sum { rng.u32(most / 2..=5 * most / 2) } else { rng.u32(10..=most * most * most / 4) };
    let fails = move |(a, b, c): &(u32, u32, u32)| if is_sum { a + b + c >= bound } else { a * b * c >= bound };
    let values = (0..=most).flat_map(|a| (0..=a).flat_map(move |b| (0..=b).map(move |c| (a, b, c))));
    let operator = if is_sum { '+' } else { '*' };
    Variant::new(
        "falling numbers",
        format!("{most} >= a >= b >= c, a {operator} b {operator} c >= {bound}"),
        falling_three(most),
        values,
        fails,
        [
            &format!(
                "integers(0, {most}).flatmap(lambda a: integers(0, a).flatmap(lambda b: integers(0, b).map(lambda c: (a, b, c))))"
            ),
            &format!("v[0] {operator} v[1] {operator} v[2] >= {bound}"),
        ],
    )
}

fn replacement(rng: &mut Rng) -> Variant {
    let bound = rng.u64(1000..=1_000_000);
    Variant::new(
        "replacement",
        format!("number * factors >= {bound}"),
        tuple((0..=bound, vec_of(2..=10u64, ..))),
        [(bound, vec![])],
        move |(number, factors)| {
            factors.iter().fold(*number, |product, factor| product.saturating_mul(*factor)) >= bound
        },
        [
            &format!("tuples(integers(0, {bound}), lists(integers(2, 10)))"),
            &format!("v[0] * __import__('math').prod(v[1]) >= {bound}"),
        ],
    )
}

fn modular_mapping(rng: &mut Rng) -> Variant {
    const MODULI: [u32; 5] = [251, 503, 1009, 2003, 4001];
    let modulus = MODULI[rng.usize(0..MODULI.len())];
    let factor = rng.u32(2..modulus);
    let inverse = (1..modulus).find(|inverse| factor * inverse % modulus == 1).expect("a prime has them all");
    let bound = rng.u32(modulus / 2..modulus);
    let numbers = (0..=modulus - 1)
        .map_with_inverse(move |number| number * factor % modulus, move |value| Some(value * inverse % modulus));
    Variant::new(
        "modular mapping",
        format!("x * {factor} % {modulus} >= {bound}"),
        numbers,
        0..modulus,
        move |value| *value >= bound,
        [&format!("integers(0, {modulus} - 1).map(lambda n: n * {factor} % {modulus})"), &format!("v >= {bound}")],
    )
}

fn collision(rng: &mut Rng) -> Variant {
    let modulus = rng.u32(5..=500);
    let keys = 0..=10 * modulus - 1;
    Variant::new(
        "collision",
        format!("two keys, modulus {modulus}"),
        tuple((vec_of((keys.clone(), 0..=9u32), ..=20), keys, 0..=9u32)),
        [(vec![(0, 0)], modulus, 1)],
        move |(before, key, value)| dependent::overwrites_another(modulus, before, *key, *value),
        [
            &format!(
                "tuples(lists(tuples(integers(0, {0}), integers(0, 9)), max_size=20), integers(0, {0}), integers(0, 9))",
                10 * modulus - 1
            ),
            &format!(
                "any(k != v[1] and k % {modulus} == v[1] % {modulus} for k, _ in v[0]) and \
                 dict((k % {modulus}, w) for k, w in v[0])[v[1] % {modulus}] != v[2]"
            ),
        ],
    )
}

fn close_floats(rng: &mut Rng) -> Variant {
    let digit = f64::from(rng.u32(1..=9));
    let distance = digit / 10f64.powi(rng.i32(1..=6));
    let from = if rng.bool() { f64::from(rng.u32(1..=100)) } else { f64::NEG_INFINITY };
    let fails =
        move |(a, b): &(f64, f64)| a.is_finite() && *a >= from && b.is_finite() && a != b && (a - b).abs() < distance;
    let powers = || (0..=24).map(|bits| 0.5f64.powi(bits));
    let values =
        [0.0, from, from + 1.0].into_iter().flat_map(move |a| powers().flat_map(move |by| [(a, a + by), (a, a - by)]));
    let start = move |seed: u64| {
        let mut rng = Rng::with_seed(seed);
        loop {
            let a = (rng.f64() - 0.5) * 2000.0;
            let b = a + (rng.f64() - 0.5) * 2.0 * distance;
            if fails(&(a, b)) {
                return (a, b);
            }
        }
    };
    let and = if from > 0.0 { format!(", a >= {from}") } else { String::new() };
    let python = if from > 0.0 { format!(" and v[0] >= {from}") } else { String::new() };
    Variant::from(
        "close floats",
        format!("0 < ∣a - b∣ < {distance}{and}"),
        tuple((any::<f64>(), any::<f64>())),
        values,
        fails,
        Start::Value(Box::new(start)),
        [
            "tuples(floats(allow_nan=False, allow_infinity=False), floats(allow_nan=False, allow_infinity=False))",
            &format!("v[0] != v[1] and abs(v[0] - v[1]) < {distance}{python}"),
        ],
    )
}

fn palindrome(rng: &mut Rng) -> Variant {
    let (length, letters) = (rng.usize(2..=7), rng.usize(2..=3));
    let last = if rng.bool() { 'z' } else { 'd' };
    let fails = move |text: &String| {
        let is_palindrome = text.chars().eq(text.chars().rev());
        is_palindrome && text.len() >= length && text.chars().collect::<BTreeSet<_>>().len() >= letters
    };
    let halves = |half: u32| {
        (0..4usize.pow(half))
            .map(move |number| (0..half).map(|place| b"abcd"[number >> (2 * place) & 3] as char).collect::<String>())
    };
    let values = (1..=5).flat_map(halves).flat_map(|half| {
        let reversed: String = half.chars().rev().collect();
        [half.clone() + &reversed, half + &reversed[1..]]
    });
    let start = move |seed: u64| {
        let mut rng = Rng::with_seed(seed);
        loop {
            let half: String = (0..rng.usize(1..=20)).map(|_| rng.char('a'..=last)).collect();
            let reversed: String = half.chars().rev().collect();
            let text = half + &reversed[usize::from(rng.bool())..];
            if fails(&text) {
                return text;
            }
        }
    };
    Variant::from(
        "palindrome",
        format!("palindromes of {length} letters or more, {letters} different, a to {last}"),
        string_of('a'..=last, ..),
        values,
        fails,
        Start::Value(Box::new(start)),
        [
            &format!("text(characters(min_codepoint=97, max_codepoint=ord('{last}')))"),
            &format!("v == v[::-1] and len(v) >= {length} and len(set(v)) >= {letters}"),
        ],
    )
}

/// The fewest numbers up to `most` with this sum; the earlier ones are the smaller.
fn fewest(sum: u32, most: u32) -> Vec<u32> {
    let count = sum.div_ceil(most);
    std::iter::once(sum - (count - 1) * most).chain((1..count).map(|_| most)).collect()
}

fn subset_sum(rng: &mut Rng) -> Variant {
    let (most, sum) = (rng.u32(20..=100), rng.u32(10..=200));
    let sums = move |list: &Vec<u32>| {
        let mut sums = BTreeSet::from([0]);
        for number in list {
            let more: Vec<u32> = sums.iter().map(|other| other + number).filter(|other| *other <= sum).collect();
            sums.extend(more);
        }
        sums
    };
    Variant::new(
        "subset sum",
        format!("a subset of numbers up to {most} has the sum {sum}"),
        vec_of(0..=most, ..),
        [fewest(sum, most)],
        move |list| sums(list).contains(&sum),
        [&format!("lists(integers(0, {most}))"), &format!("{sum} in subset_sums(v)")],
    )
}

fn list_sum(rng: &mut Rng) -> Variant {
    let (most, sum, is_exact) = (rng.u32(20..=1000), rng.u32(10..=2000), rng.bool());
    let sum = sum.min(4 * most);
    let operator = if is_exact { "==" } else { ">=" };
    Variant::new(
        "sum of a list",
        format!("the sum of numbers up to {most} {operator} {sum}"),
        vec_of(0..=most, ..),
        [fewest(sum, most)],
        move |list| {
            let has = list.iter().sum::<u32>();
            if is_exact { has == sum } else { has >= sum }
        },
        [&format!("lists(integers(0, {most}))"), &format!("sum(v) {operator} {sum}")],
    )
}

fn long_list(rng: &mut Rng) -> Variant {
    let (length, bound, count) = (rng.usize(1..=12), rng.i64(1..=1_000_000), rng.usize(1..=3));
    let count = count.min(length);
    let smallest: Vec<i64> = (0..length).map(|place| if place + count < length { 0 } else { bound }).collect();
    Variant::new(
        "long list",
        format!("{length} numbers or more, {count} of them >= {bound}"),
        vec_of(any::<i64>(), ..),
        [smallest],
        move |list| list.len() >= length && list.iter().filter(|number| **number >= bound).count() >= count,
        [
            "lists(integers(-2**63, 2**63 - 1))",
            &format!("len(v) >= {length} and sum(x >= {bound} for x in v) >= {count}"),
        ],
    )
}

fn distinct(rng: &mut Rng) -> Variant {
    let count = rng.usize(2..=9);
    let from = if rng.bool() { rng.i64(1..=100) } else { i64::MIN };
    let simplest = |place: i64| if place % 2 == 1 { place / 2 + 1 } else { -place / 2 };
    let smallest = (0..).map(simplest).filter(|number| *number >= from).take(count).collect();
    let fails =
        move |list: &Vec<i64>| list.iter().filter(|number| **number >= from).collect::<BTreeSet<_>>().len() >= count;
    let from_text = if from == i64::MIN { String::new() } else { format!(" that are >= {from}") };
    Variant::new(
        "distinct numbers",
        format!("{count} different ones{from_text}"),
        vec_of(any::<i64>(), ..),
        [smallest],
        fails,
        ["lists(integers(-2**63, 2**63 - 1))", &format!("len({{x for x in v if x >= {from}}}) >= {count}")],
    )
}

fn nested_lists(rng: &mut Rng) -> Variant {
    let (count, each) = (rng.usize(2..=20), rng.usize(1..=20));
    // At most `each` in one list.
    let lists = count.div_ceil(each);
    let smallest =
        std::iter::once(count - (lists - 1) * each).chain((1..lists).map(|_| each)).map(|length| vec![0; length]);
    Variant::new(
        "nested lists",
        format!("{count} numbers or more in lists of up to {each}"),
        vec_of(vec_of(any::<i64>(), ..=each), ..),
        [smallest.collect()],
        move |lists| lists.iter().map(Vec::len).sum::<usize>() >= count,
        [
            &format!("lists(lists(integers(-2**63, 2**63 - 1), max_size={each}))"),
            &format!("sum(map(len, v)) >= {count}"),
        ],
    )
}

fn counted_list(rng: &mut Rng) -> Variant {
    let (most, bound, count) = (rng.usize(10..=100), rng.u32(1..=1000), rng.usize(1..=3));
    let lists = (1..=most).bind_with_focus(|count| vec_of(0..=1000u32, *count), |list: &Vec<u32>| Some(list.len()));
    Variant::new(
        "counted list",
        format!("up to {most} numbers, {count} of them >= {bound}"),
        lists,
        [vec![bound; count]],
        move |list| list.iter().filter(|number| **number >= bound).count() >= count,
        [
            &format!("integers(1, {most}).flatmap(lambda n: lists(integers(0, 1000), min_size=n, max_size=n))"),
            &format!("sum(x >= {bound} for x in v) >= {count}"),
        ],
    )
}

/// Lists of which each has a small sum, and all together have not: the sums wrap.
fn bounded_lists(rng: &mut Rng) -> Variant {
    let (count, bound) = (rng.usize(2..=6), rng.i16(64..=2000));
    let sum = |list: &Vec<i16>| list.iter().fold(0i16, |sum, number| sum.wrapping_add(*number));
    let list = vec_of(any::<i16>(), ..=3).filter(move |list| sum(list) < bound);
    let mut smallest = vec![vec![]; count - 2];
    smallest.extend([vec![-1], vec![-32768]]);
    Variant::new(
        "bounded lists",
        format!("{count} lists with sums below {bound}, all together >= {}", 3 * bound),
        vec_of(list, count),
        [smallest],
        move |lists| lists.iter().map(sum).fold(0i16, i16::wrapping_add) >= 3 * bound,
        [
            &format!(
                "tuples(*[lists(integers(-2**15, 2**15 - 1), max_size=3).filter(lambda x: wrap(sum(x)) < {bound})] * {count})"
            ),
            &format!("wrap(sum(map(sum, v))) >= {}", 3 * bound),
        ],
    )
}

fn dot_product(rng: &mut Rng) -> Variant {
    #[generator]
    fn two_lists() -> (Vec<u32>, Vec<u32>) {
        #[focus(it.0.len())]
        let length = draw(0..=10usize);
        let left = draw(vec_of(0..=100u32, length));
        let right = draw(vec_of(0..=100u32, length));
        (left, right)
    }
    let product = rng.u32(1..=60) * rng.u32(1..=60);
    let is_exact = rng.bool();
    let operator = if is_exact { "==" } else { ">=" };
    Variant::new(
        "dot product",
        format!("the dot product of two lists {operator} {product}"),
        two_lists(),
        pairs(100).map(|(a, b)| (vec![a], vec![b])),
        move |(left, right)| {
            let has = left.iter().zip(right).map(|(left, right)| left * right).sum::<u32>();
            if is_exact { has == product } else { has >= product }
        },
        [
            "integers(0, 10).flatmap(lambda n: tuples(*[lists(integers(0, 100), min_size=n, max_size=n)] * 2))",
            &format!("sum(a * b for a, b in zip(*v)) {operator} {product}"),
        ],
    )
}

fn search_tree(rng: &mut Rng) -> Variant {
    let (count, bound) = (rng.usize(2..=5), rng.i64(10..=90));
    let chain = (0..count as i64 - 1).chain([bound]).rev();
    let smallest = chain.fold(Tree::Leaf, |right, key| Tree::Node(Box::new(Tree::Leaf), key, Box::new(right)));
    let fails = move |tree: &Tree| {
        let keys = tree.keys();
        keys.len() >= count && keys.iter().any(|key| *key >= bound)
    };
    Variant::new(
        "search tree",
        format!("{count} keys or more, one of them >= {bound}"),
        bst(0, 100),
        [smallest],
        fails,
        ["search_trees(0, 100)", &format!("len(keys(v)) >= {count} and max(keys(v)) >= {bound}")],
    )
}

/// Numbers of which each is at most the one before, and as many bits as their product says.
fn flat_maps(rng: &mut Rng) -> Variant {
    let (depth, length) = (rng.usize(2..=4), rng.usize(10..=40));
    #[generator]
    fn counted(depth: usize) -> (Vec<u32>, Vec<u8>) {
        let numbers = draw(sequence_of(10u32, depth, |highest| Some(1..=*highest), |_, number| *number));
        let bits = draw(vec_of(0..=1u8, numbers.iter().product::<u32>() as usize));
        (numbers, bits)
    }
    let fails = move |(_, bits): &(Vec<u32>, Vec<u8>)| bits.len() >= length && bits.contains(&1);
    let values = pairs(10).filter(move |(a, b)| a >= b && (length..=length + 10).contains(&((a * b) as usize))).map(
        move |(a, b)| {
            let numbers: Vec<u32> = [a, b].into_iter().chain((2..depth).map(|_| 1)).collect();
            let bits = (1..a * b).map(|_| 0).chain([1]).collect();
            (numbers, bits)
        },
    );
    Variant::new(
        "flat maps",
        format!("the product of {depth} numbers as length, {length} bits or more"),
        counted(depth),
        values,
        fails,
        [&format!("flat_maps({depth})"), &format!("len(v[1]) >= {length} and 1 in v[1]")],
    )
}

/// The share of the starts at which Hypothesis ended at the least that it ever reached, and its
/// calls after the first failure.
#[derive(Clone, Copy, Debug)]
struct Hypothesis {
    share: f64,
    calls: f64,
}

fn hypothesis(name: &str) -> Option<Hypothesis> {
    let mut lines = include_str!("variants_hypothesis.tsv").lines();
    let line = lines.find(|line| line.split('\t').next() == Some(name))?;
    let mut figures = line.split('\t').skip(1).map(|figure| figure.parse().ok());
    Some(Hypothesis { share: figures.next()??, calls: figures.next()?? })
}

/// Measures all variants of a seed and prints the table; writes it to
/// docs/results/shrinking-variants.md if asked to.
pub fn run(effort: Effort, seed: u64, write: bool) -> io::Result<()> {
    let seeds = if effort == Effort::Quick { 2 } else { SEEDS };
    let mut progress = Progress::new();
    let measure = |variant: Variant| {
        let name = variant.problem.name;
        let measured = variant.problem.measure(seeds, &mut |seed| progress.say(name, seed, seeds));
        (variant, measured)
    };
    let measured: Vec<(Variant, Measured)> = variants(seed, VARIANTS).into_iter().map(measure).collect();
    let report = report(seed, seeds, &measured);
    println!("{report}");
    if write {
        std::fs::create_dir_all("docs/results")?;
        std::fs::write("docs/results/shrinking-variants.md", &report)?;
        println!("written to docs/results/shrinking-variants.md");
    }
    Ok(())
}

/// The share of the starts that must end at the simplest.
const ENOUGH: f64 = 0.9;

fn report(seed: u64, seeds: u64, measured: &[(Variant, Measured)]) -> String {
    let share = |(variant, measured): &(Variant, Measured)| measured.share(&variant.problem.normal_form);
    let good = measured.iter().filter(|both| share(both) >= ENOUGH).count();
    let compared: Vec<(f64, Hypothesis)> =
        measured.iter().filter_map(|both| Some((share(both), hypothesis(both.0.problem.name)?))).collect();
    let at_least = compared.iter().filter(|(ours, theirs)| *ours >= theirs.share).count();
    let mut report = format!(
        "# Shrinking of variants that nobody chose, measured\n\n\
         Printed by `cargo run --release -p experiments -- shrinking --variants --variant-seed {seed} --write`, with {seeds} starts. Machine: {}.\n\n\
         Each published problem that has constants, operators or lengths is a family; its {VARIANTS} variants are drawn from the seed {seed}. The simplest failing \
         value is found by trying, or by construction.\n\n\
         {good} of {} variants end at the simplest in at least 90 % of the starts. Of the {} that Hypothesis was run on, {at_least} do so at least as often as \
         Hypothesis.\n\n\
         Hypothesis 6.170.15 on some of the same variants, 20 seeds; its starts are its own, and its share is that of the least result that it ever reached, in its \
         own order.\n",
        machine(),
        measured.len(),
        compared.len(),
    );
    for family in measured.chunk_by(|left, right| left.0.family == right.0.family) {
        let _ = write!(report, "\n## {}\n\n", family[0].0.family);
        let mut table = Table::new(&[
            "variant",
            "simplest",
            "reached",
            "results",
            "mean runs",
            "most",
            "Hypothesis: share, mean calls",
        ]);
        for both @ (variant, measured) in family {
            table.row(vec![
                variant.problem.name.to_owned(),
                format!("`{}`", shortened(&variant.problem.normal_form)),
                percent(share(both)),
                measured.results.len().to_string(),
                format!("{:.1}", measured.mean_runs()),
                measured.most_runs().to_string(),
                hypothesis(variant.problem.name)
                    .map_or(String::new(), |theirs| format!("{}, {:.0}", percent(theirs.share), theirs.calls)),
            ]);
        }
        report.push_str(&table.to_markdown());
    }
    let _ = write!(report, "\n## Where it ends elsewhere\n\n");
    let mut table = Table::new(&["variant", "simplest", "results, and how often"]);
    for (variant, measured) in measured.iter().filter(|both| share(both) < ENOUGH) {
        let mut results: Vec<_> = measured.results.iter().collect();
        results.sort_by_key(|(_, often)| std::cmp::Reverse(**often));
        let shown: Vec<String> =
            results.iter().take(4).map(|(result, often)| format!("{often} × `{}`", shortened(result))).collect();
        table.row(vec![
            variant.problem.name.to_owned(),
            format!("`{}`", shortened(&variant.problem.normal_form)),
            shown.join(", "),
        ]);
    }
    report.push_str(&table.to_markdown());
    report
}

/// The variants as `variants.py` reads them: name, strategy and predicate, with tabs between.
pub fn print_python(seed: u64) {
    for Variant { problem, python: [strategy, fails], .. } in variants(seed, VARIANTS) {
        println!("{}\t{strategy}\t{fails}", problem.name);
    }
}
