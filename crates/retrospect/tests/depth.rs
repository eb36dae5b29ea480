//! Values that are drawn at random stay within a depth that ordinary recursive code survives in a
//! test thread.

use retrospect::prelude::*;
use retrospect::source::{DEFAULT_MAX_DEPTH, Source, Why};

#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Leaf,
    Node(Box<Tree>, u8, Box<Tree>),
    List(Vec<Tree>),
}

/// One more than the generators inside one another that make the value of a `#[generator]`.
fn depth(tree: &Tree) -> usize {
    1 + match tree {
        Tree::Leaf => 0,
        Tree::Node(left, _, right) => depth(left).max(depth(right)),
        Tree::List(trees) => trees.iter().map(depth).max().unwrap_or(0),
    }
}

fn size(tree: &Tree) -> usize {
    1 + match tree {
        Tree::Leaf => 0,
        Tree::Node(left, _, right) => size(left) + size(right),
        Tree::List(trees) => trees.iter().map(size).sum(),
    }
}

/// What ordinary code does with a value.
fn used(tree: &Tree) -> usize {
    let copy = tree.clone();
    assert_eq!(&copy, tree);
    assert!(!format!("{copy:#?}").is_empty());
    depth(&copy)
}

#[generator]
fn weighted(weight: u32) -> Tree {
    match pick() {
        "leaf" => Tree::Leaf,
        #[weight(weight)]
        "node" => {
            let left = draw(weighted(weight));
            let number = draw(any::<u8>());
            let right = draw(weighted(weight));
            Tree::Node(Box::new(left), number, Box::new(right))
        }
    }
}

/// The arm that ends is the last, behind many that do not.
#[generator]
fn recursive_first() -> Tree {
    match pick() {
        #[weight(1000)]
        "node" => {
            let left = draw(recursive_first());
            let number = draw(any::<u8>());
            let right = draw(recursive_first());
            Tree::Node(Box::new(left), number, Box::new(right))
        }
        "pair" => Tree::List(draw(vec_of(recursive_first(), 2))),
        "three" => Tree::List(draw(vec_of(recursive_first(), 3))),
        "other" => draw(other()),
        "leaf" => Tree::Leaf,
    }
}

/// It has no arm that ends, but leads to one that has.
#[generator]
fn other() -> Tree {
    match pick() {
        #[weight(1000)]
        "two" => Tree::List(draw(vec_of(other(), 2))),
        "first" => Tree::List(draw(vec_of(recursive_first(), 1))),
    }
}

#[generator]
fn listed() -> Tree {
    Tree::List(draw(vec_of(listed(), ..)))
}

fn by_combinators() -> impl Generator<Value = Tree> {
    recursive(|tree| {
        let node = tuple((tree.clone(), any::<u8>(), tree.clone()));
        frequency((
            (1000, node.map(|(left, number, right)| Tree::Node(Box::new(left), number, Box::new(right)))),
            (100, vec_of(tree, 3).map(Tree::List)),
            (1, exact(Tree::Leaf)),
        ))
    })
}

fn by_functions() -> impl Generator<Value = Tree> {
    frequency((
        (1, exact(Tree::Leaf)),
        (
            100_000,
            tuple((lazy(by_functions), any::<u8>(), lazy(by_functions)))
                .map(|(left, number, right)| Tree::Node(Box::new(left), number, Box::new(right))),
        ),
    ))
}

fn stays_shallow(generator: impl Generator<Value = Tree>) {
    let most = DEFAULT_MAX_DEPTH as usize + 8;
    for seed in 0..3 {
        let value = generator.sample(seed);
        assert!(used(&value) <= most, "{}", depth(&value));
        assert!(size(&value) <= 10_000, "{}", size(&value));
        assert_eq!(generator.replay(&generator.sample_choices(seed)), value);
    }
    for value in generator.samples(1).take(20) {
        assert!(used(&value) <= most, "{}", depth(&value));
    }
}

#[test]
fn random_values_stay_within_the_depth() {
    stays_shallow(weighted(2));
    stays_shallow(weighted(100_000));
    stays_shallow(recursive_first());
    stays_shallow(other());
    stays_shallow(by_combinators());
    stays_shallow(by_functions());
}

#[test]
fn lists_of_themselves_end() {
    let value = listed().sample(1);
    assert!(depth(&value) > 8 && depth(&value) <= DEFAULT_MAX_DEPTH as usize + 1);
    assert!(size(&value) > 1000 && size(&value) < 200_000);
}

#[test]
fn the_depth_grows_with_the_size() {
    let at = |size, max| {
        depth(&weighted(100_000).generate(&mut Source::random(1).with_size(size).with_max_depth(max)).unwrap())
    };
    assert_eq!([0, 10, 50, 100, 1000].map(|size| at(size, 200)), [33, 33, 101, 201, 201]);
    assert_eq!([0, 100].map(|size| at(size, 20)), [21, 21]);
    assert_eq!(at(100, 0), 9); // The least.
}

#[test]
fn tuned_searched_and_filled_values_stay_within_the_depth() {
    let most = DEFAULT_MAX_DEPTH as usize + 8;
    for generator in [weighted(1000).boxed(), recursive_first().boxed(), by_combinators().boxed()] {
        let deep = |tree: &Tree| size(tree) % 7 == 3;
        for value in generator.clone().satisfying(deep).samples(1).take(20) {
            assert!(deep(&value) && depth(&value) <= most, "{}", depth(&value));
        }
        for seed in 0..5 {
            assert!(depth(&generator.fill("List([_, _])", seed).unwrap_or(Tree::Leaf)) <= most);
        }
    }
    let examples: Vec<Tree> = weighted(1000).samples(1).take(20).collect();
    let tuned = weighted(2).tuned_like(&examples).unwrap();
    for seed in 0..20 {
        assert!(depth(&tuned.sample(seed)) <= most);
    }
}

#[test]
fn mutants_do_not_grow_deeper_each_time() {
    for generator in [weighted(1000).boxed(), recursive_first().boxed()] {
        let mut value = generator.sample(1);
        for seed in 0..200 {
            value = generator.mutate(&value, seed).unwrap();
            assert!(depth(&value) <= 2 * DEFAULT_MAX_DEPTH as usize + 8, "{seed}: {}", depth(&value));
        }
    }
}

/// The simplest arm comes last: choices that are missing take it all the same.
#[test]
fn a_lenient_replay_ends() {
    let nothing = Choices::default();
    let value = recursive_first().replay(&nothing);
    assert!(size(&value) < 1000, "{}", size(&value));
    let shrunk = recursive_first().shrink(recursive_first().sample(1), |tree| size(tree) > 5).unwrap();
    assert!((6..20).contains(&size(&shrunk.value)), "{:?}", shrunk.value);
}

#[generator]
fn endless() -> Tree {
    match pick() {
        "node" => {
            let left = draw(endless());
            let number = draw(any::<u8>());
            let right = draw(endless());
            Tree::Node(Box::new(left), number, Box::new(right))
        }
        "list" => Tree::List(draw(vec_of(endless(), 3))),
    }
}

#[test]
fn what_never_ends_is_named() {
    let mut source = Source::random(1);
    assert!(endless().generate(&mut source).is_err());
    let Some(why @ Why::NeverEnds { .. }) = source.why() else { panic!("{:?}", source.why()) };
    let why = why.to_string();
    assert!(
        why.starts_with("the value never ends: every arm of `endless` (crates/retrospect/tests/depth.rs:"),
        "{why}"
    );
}

/// Recursion that is asked for by an argument is no accident.
#[generator]
fn levels(count: u32) -> Tree {
    if count == 0 {
        return Tree::Leaf;
    }
    Tree::List(draw(vec_of(levels(count - 1), 1)))
}

#[test]
fn a_depth_that_is_asked_for_is_made() {
    retrospect::with_deep_stack(|| assert_eq!(depth(&levels(20_000).sample(1)), 20_001));
}

#[property(max_depth = 40, size = 100)]
fn the_depth_of_a_property_is_a_setting(#[from(weighted(1000))] tree: Tree) {
    assert!(used(&tree) <= 41);
}
