//! The same values from the other crates. The imperative ones share the hand-written code, asking
//! them for its numbers; proptest uses its own combinators.

use super::hand::{self, Numbers};
use super::workloads::{JSON_DEPTH, Json, TREE_DEPTH, Tree};
use crate::measure::Contender;

/// Adds the peers to the contenders of each workload, in the same order everywhere.
pub(crate) fn add([vectors, strings, trees, jsons]: &mut [Vec<Contender<'_>>; 4]) {
    macro_rules! imperative {
        ($name:literal, $with:expr) => {
            let mut with = $with;
            vectors.push(Contender::new($name, Vec::len, move || with(|numbers| hand::vector(numbers))));
            let mut with = $with;
            strings.push(Contender::new($name, String::len, move || with(|numbers| hand::string(numbers, 99))));
            let mut with = $with;
            trees.push(Contender::new($name, Tree::nodes, move || {
                with(|numbers| hand::tree(numbers, 0, 1000, TREE_DEPTH))
            }));
            let mut with = $with;
            jsons.push(Contender::new($name, Json::nodes, move || with(|numbers| hand::json(numbers, JSON_DEPTH))));
        };
    }
    imperative!("quickcheck", with_quickcheck());
    imperative!("arbitrary", with_arbitrary());
    imperative!("bolero-generator", with_bolero());
    imperative!("crabcheck", with_crabcheck());
    imperative!("chaos_theory", with_chaos_theory());
    with_proptest::add(vectors, strings, trees, jsons);
}

macro_rules! lender {
    ($function:ident, $numbers:ty, $state:ident => $make:expr, $lend:expr) => {
        fn $function<T>() -> impl FnMut(fn(&mut $numbers) -> T) -> T {
            let mut $state = $make;
            move |make| $lend(&mut $state, make)
        }
    };
}

impl Numbers for quickcheck::Gen {
    #[inline]
    fn number(&mut self, low: u64, high: u64) -> u64 {
        // quickcheck has no public way to draw from a range.
        let any = <u64 as quickcheck::Arbitrary>::arbitrary(self);
        let width = (high - low).wrapping_add(1);
        if width == 0 { any } else { low + any % width }
    }
}
lender!(with_quickcheck, quickcheck::Gen, state => quickcheck::Gen::from_size_and_seed(100, 7),
    |state: &mut quickcheck::Gen, make: fn(&mut quickcheck::Gen) -> T| make(state));

impl Numbers for arbitrary::Unstructured<'_> {
    #[inline]
    fn number(&mut self, low: u64, high: u64) -> u64 {
        self.int_in_range(low..=high).expect("the range is not empty")
    }
}

/// Random bytes, refilled as they are used, so that making them is part of the price.
struct Bytes {
    buffer: Vec<u8>,
    used: usize,
    rng: fastrand::Rng,
}

impl Bytes {
    fn new() -> Bytes {
        let mut bytes = Bytes { buffer: vec![0; 1 << 18], used: 0, rng: fastrand::Rng::with_seed(1) };
        bytes.rng.fill(&mut bytes.buffer);
        bytes
    }

    fn lend<T>(&mut self, make: impl FnOnce(&mut arbitrary::Unstructured<'_>) -> T) -> T {
        if self.buffer.len() - self.used < 1 << 14 {
            self.rng.fill(&mut self.buffer);
            self.used = 0;
        }
        let rest = &self.buffer[self.used..];
        let mut unstructured = arbitrary::Unstructured::new(rest);
        let value = make(&mut unstructured);
        self.used += rest.len() - unstructured.len();
        value
    }
}

fn with_arbitrary<T>() -> impl FnMut(fn(&mut arbitrary::Unstructured<'_>) -> T) -> T {
    let mut bytes = Bytes::new();
    move |make| bytes.lend(make)
}

type BoleroRng = bolero_generator::driver::Rng<rand::rngs::SmallRng>;
struct Bolero(BoleroRng);
impl Numbers for Bolero {
    #[inline]
    fn number(&mut self, low: u64, high: u64) -> u64 {
        use bolero_generator::Driver;
        use std::ops::Bound::Included;
        self.0.gen_u64(Included(&low), Included(&high)).unwrap_or(low)
    }
}
fn with_bolero<T>() -> impl FnMut(fn(&mut Bolero) -> T) -> T {
    use rand::SeedableRng;
    let options = bolero_generator::driver::Options::default().with_max_len(1 << 16);
    let mut seed = 0;
    move |make| {
        seed += 1;
        make(&mut Bolero(BoleroRng::new(rand::rngs::SmallRng::seed_from_u64(seed), &options)))
    }
}

impl Numbers for crabcheck::Source {
    #[inline]
    fn number(&mut self, low: u64, high: u64) -> u64 {
        self.int(low..=high)
    }
}
lender!(with_crabcheck, crabcheck::Source, state => crabcheck::Source::new(7, 100),
    |state: &mut crabcheck::Source, make: fn(&mut crabcheck::Source) -> T| make(state));

impl Numbers for chaos_theory::Source<'_> {
    #[inline]
    fn number(&mut self, low: u64, high: u64) -> u64 {
        self.any_of("", chaos_theory::make::int_in(low..=high))
    }
}
fn with_chaos_theory<T: std::fmt::Debug + 'static>() -> impl FnMut(fn(&mut chaos_theory::Source<'_>) -> T) -> T {
    let mut environment = chaos_theory::Env::new();
    move |make| environment.generate_with(chaos_theory::make::from_fn(make))
}

mod with_proptest {
    use super::{Contender, JSON_DEPTH, Json, TREE_DEPTH, Tree};
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    pub fn add(
        vectors: &mut Vec<Contender<'_>>,
        strings: &mut Vec<Contender<'_>>,
        trees: &mut Vec<Contender<'_>>,
        jsons: &mut Vec<Contender<'_>>,
    ) {
        vectors.push(contender(vec(any::<i64>(), 0..100), Vec::len));
        strings.push(contender(string(99), String::len));
        trees.push(contender(tree(0, 1000, TREE_DEPTH), Tree::nodes));
        jsons.push(contender(json(JSON_DEPTH), Json::nodes));
    }

    fn contender<'a, S: Strategy + 'a>(strategy: S, size: impl Fn(&S::Value) -> usize + 'a) -> Contender<'a> {
        let mut runner = TestRunner::deterministic();
        let make = move || strategy.new_tree(&mut runner).expect("these strategies always make a value").current();
        Contender::new("proptest", size, make)
    }

    fn string(longest: usize) -> impl Strategy<Value = String> + Clone {
        vec(0x20u8..=0x7e, 0..=longest).prop_map(|bytes| String::from_utf8(bytes).expect("ASCII"))
    }

    fn tree(lo: u32, hi: u32, depth: u32) -> BoxedStrategy<Tree> {
        if lo >= hi || depth == 0 {
            return Just(Tree::Leaf).boxed();
        }
        let node = move |key| {
            let children = (tree(lo, key, depth - 1), tree(key + 1, hi, depth - 1));
            children.prop_map(move |(left, right)| Tree::Node(Box::new(left), key, Box::new(right)))
        };
        let choose = move |(dice, key)| if dice >= 7 { Just(Tree::Leaf).boxed() } else { node(key).boxed() };
        (0u32..8, lo..hi).prop_flat_map(choose).boxed()
    }

    fn json(depth: u32) -> BoxedStrategy<Json> {
        let null = Just(Json::Null);
        let bool = any::<bool>().prop_map(Json::Bool);
        let number = any::<i64>().prop_map(Json::Number);
        let text = string(9).prop_map(Json::String);
        if depth == 0 {
            return prop_oneof![null, bool, number, text].boxed();
        }
        let inner = json(depth - 1);
        let array = vec(inner.clone(), 1..=4).prop_map(Json::Array);
        let object = vec((string(9), inner), 1..=4).prop_map(Json::Object);
        prop_oneof![1 => null, 1 => bool, 1 => number, 1 => text, 2 => array, 2 => object].boxed()
    }
}
