//! How likely values are when they are drawn by weights.

use crate::{Tree, bst, signs};
use retrospect::prelude::*;
use retrospect::reflect::Probability;
use retrospect::source::Source;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// What is drawn as often as it is said to be likely, of the values that are drawn most often; and
/// how many of those there were.
fn is_drawn_as_said<G: Generator<Value: Debug>>(name: &str, generator: &G, size: u32) -> usize {
    const DRAWN: u64 = 8000;
    let mut counts: BTreeMap<String, (G::Value, u64)> = BTreeMap::new();
    for seed in 0..DRAWN {
        let value = generator.generate(&mut Source::random(seed).with_size(size)).unwrap();
        counts.entry(format!("{value:?}")).or_insert((value, 0)).1 += 1;
    }
    let mut frequent: Vec<(String, (G::Value, u64))> =
        counts.into_iter().filter(|(_, (_, count))| *count > 40).collect();
    frequent.sort_by_key(|(_, (_, count))| std::cmp::Reverse(*count));
    frequent.truncate(40);
    let found = frequent.len();
    for (text, (value, count)) in frequent {
        let said = generator
            .ways_of(&value)
            .at_size(size)
            .probability()
            .unwrap_or_else(|error| panic!("{name}, {text}: {error}"));
        let said = said.to_f64().unwrap();
        let expected = said * DRAWN as f64;
        let deviation = (count as f64 - expected) / (expected * (1.0 - said)).sqrt().max(1.0);
        assert!(deviation.abs() < 5.0, "{name}: {text} was drawn {count} times where {expected:.1} were expected");
    }
    found
}

/// The same for what is like some samples, unlike them, and drawn by them alone.
fn is_tuned_as_said<G: Generator<Value: Debug> + Clone>(name: &str, generator: G, examples: &[G::Value]) {
    let weights = generator.weights_of(examples).unwrap();
    let tuned = |weights| generator.clone().with_weights(weights).unwrap();
    for size in [3, 100] {
        let frequent = is_drawn_as_said(&format!("{name} at {size}"), &tuned(weights.clone()), size);
        assert!(frequent > 1, "{name} at {size}: only {frequent} values");
    }
    is_drawn_as_said(&format!("strict {name}"), &tuned(weights.clone().smoothed(0.0)), 5);
    is_drawn_as_said(&format!("smooth {name}"), &tuned(weights.clone().smoothed(7.5)), 5);
    is_drawn_as_said(&format!("shallow {name}"), &tuned(weights.clone().without_depths()), 5);
    let unlike = tuned(weights.inverted());
    is_drawn_as_said(&format!("{name}, inverted"), &unlike, 2);
}

#[derive(Clone, Debug, PartialEq, Generate)]
enum Shape {
    None,
    One(Option<bool>),
    Two(Option<bool>, Box<Shape>),
}

#[generator]
fn ambiguous() -> u8 {
    match pick() {
        "zero" => 0,
        "small" => {
            let number = draw(0u8..=2);
            number
        }
        "same" => {
            let same = draw(ambiguous());
            same
        }
    }
}

#[test]
fn the_fractions_are_those_of_the_examples() {
    let tuned = (0..10).tuned_like(&[3, 3, 4]).unwrap();
    // Two of three examples, and a tenth of what stands for the generator itself.
    assert_eq!(tuned.ways_of(&3).probability().unwrap(), Probability::new(21, 40));
    assert_eq!(tuned.ways_of(&4).probability().unwrap(), Probability::new(11, 40));
    assert_eq!(tuned.ways_of(&0).probability().unwrap(), Probability::new(1, 40));
    assert!(tuned.ways_of(&10).probability().unwrap().is_zero());
    let coins = any::<bool>().tuned_like(&[true, true]).unwrap();
    // At this depth two of three, at all depths the same, and a half of the third of a third.
    assert_eq!(coins.ways_of(&false).probability().unwrap(), Probability::new(1, 18));
    let (way, likely) = coins.ways_of(&true).likeliest().unwrap();
    assert_eq!((way.to_string(), likely), ("1:true".to_owned(), Probability::new(17, 18)));
    let strict = (0..10).weights_of(&[3, 4]).unwrap().smoothed(0.0);
    let strict = (0..10).with_weights(strict).unwrap();
    assert_eq!(strict.ways_of(&4).probability().unwrap(), Probability::new(1, 2));
    assert!(strict.ways_of(&5).probability().unwrap().is_zero());
    assert!(strict.ways_of(&5).likeliest().unwrap_err().reason().contains("never drawn"));
}

#[test]
fn all_values_together_are_certain() {
    fn sum<G: Generator>(generator: &G, values: impl IntoIterator<Item = G::Value>) -> Probability {
        let none = Probability::new(0, 1);
        values.into_iter().fold(none, |sum, value| &sum + &generator.ways_of(&value).probability().unwrap())
    }
    let one = Probability::new(1, 1);
    for examples in [vec![9u8, 9, 40, 63, 64, 200], vec![], vec![0], vec![255; 20]] {
        let weights = any::<u8>().weights_of(&examples).unwrap();
        for weights in
            [weights.clone(), weights.clone().smoothed(0.0), weights.clone().smoothed(0.3), weights.inverted()]
        {
            assert_eq!(sum(&any::<u8>().with_weights(weights.clone()).unwrap(), 0..=255), one, "{examples:?}");
            // A law that prefers small numbers and boundaries.
            let mixed = any::<u16>().with_weights(weights).unwrap();
            let part = sum(&mixed, (0..300).chain(65_000..=u16::MAX)).to_f64().unwrap();
            assert!(part > 0.1 && part <= 1.0 + 1e-9, "{examples:?}: {part}");
        }
    }
    let pairs = tuple((any::<Option<bool>>(), vec_of(any::<bool>(), ..=2)));
    let examples = [(None, vec![true]), (Some(true), vec![]), (Some(true), vec![true, true])];
    let all: Vec<_> = pairs.enumerate().collect();
    assert_eq!(all.len(), 21);
    for weights in [pairs.weights_of(&examples).unwrap(), pairs.weights_of(&examples).unwrap().inverted()] {
        assert_eq!(sum(&pairs.with_weights(weights).unwrap(), all.clone()), one);
    }
    // A filter keeps all that there is.
    let odd = (0..50).tuned_like(&[3, 4, 40]).unwrap().filter(|number| number % 2 == 1);
    assert_eq!(sum(&odd, 0..50), one);
    let odd = within(0..50).filter(|number| number % 2 == 1).tuned_like(&[3, 41]).unwrap();
    assert_eq!(sum(&odd, 0..50), one);
}

#[test]
fn numbers_and_lists_are_drawn_as_said() {
    is_tuned_as_said("numbers", 0..20, &[3, 3, 9, 12]);
    is_tuned_as_said("wide numbers", any::<i64>(), &[0, -1, 70, 70, 5000]);
    is_tuned_as_said("lists", vec_of(0..4, ..), &[vec![1, 2], vec![1], vec![]]);
    is_tuned_as_said("lists of coins", vec_of(any::<bool>(), ..), &[vec![true, true, false], vec![true]]);
    is_tuned_as_said("nested lists", vec_of(vec_of(0..3, ..), ..), &[vec![vec![1], vec![]], vec![], vec![vec![2]]]);
    is_tuned_as_said("arrays", array_of(0..9), &[[1, 2], [1, 3]]);
    is_tuned_as_said("strings", any::<String>(), &["a".to_owned(), "ab".to_owned(), String::new()]);
    is_tuned_as_said("chars", any::<char>(), &['a', 'b', 'a', 'é']);
    let floats = any::<f64>().tuned_like(&[0.5, 0.5, 0.5, 3.0, 0.25, 0.25, 1e100, 1e100]).unwrap();
    assert!(is_drawn_as_said("floats", &floats, 10) > 3);
}

#[test]
fn arms_and_tuples_are_drawn_as_said() {
    is_tuned_as_said("options", any::<Option<u8>>(), &[None, Some(3), Some(3), Some(200)]);
    is_tuned_as_said(
        "pairs",
        any::<(bool, Result<bool, ()>, bool)>(),
        &[(true, Ok(true), false), (true, Err(()), true)],
    );
    is_tuned_as_said("ranges that overlap", one_of((0..=5, 3..=9)), &[4, 4, 8]);
    is_tuned_as_said("picks of the same names", signs(true), &[('+', '0'), ('-', '-'), ('+', '+')]);
    is_tuned_as_said(
        "pairs in lists",
        vec_of(tuple((any::<bool>(), 0..3)), ..=2),
        &[vec![(true, 1), (false, 2)], vec![(true, 2)]],
    );
    let adapted = tuple((1..5, any::<bool>())).map_with_inverse(|(a, b)| (b, a), |(b, a)| Some((*a, *b)));
    is_tuned_as_said("maps", adapted, &[(true, 3), (true, 1), (false, 1)]);
    is_tuned_as_said("filters", within(0..30).filter(|number| number % 3 == 0), &[3, 3, 27]);
}

#[test]
fn recursive_generators_are_drawn_as_said() {
    let tree = |key| Tree::Node(Box::new(Tree::Leaf), key, Box::new(Tree::Leaf));
    let examples = [Tree::Leaf, tree(2), Tree::Node(Box::new(tree(1)), 3, Box::new(Tree::Leaf))];
    is_tuned_as_said("trees", bst(0, 4), &examples);
    let two = |first, rest| Shape::Two(first, Box::new(rest));
    let shapes =
        [Shape::None, Shape::One(Some(true)), two(None, Shape::One(None)), two(Some(true), two(None, Shape::None))];
    is_tuned_as_said("shapes", any::<Shape>(), &shapes);
    is_drawn_as_said("what calls itself on the same part", &ambiguous().tuned_like(&[0, 1, 1, 2]).unwrap(), 100);
    let trees = recursive(|itself| {
        let nodes = tuple((itself.clone(), 0..3i64, itself)).map_with_inverse(
            |(left, key, right)| Tree::Node(Box::new(left), key, Box::new(right)),
            |tree| match tree {
                Tree::Node(left, key, right) => Some(((**left).clone(), *key, (**right).clone())),
                Tree::Leaf => None,
            },
        );
        frequency(((3, exact(Tree::Leaf)), (2, nodes)))
    });
    is_tuned_as_said("trees of a combinator", trees, &examples[..2]);
}

#[test]
fn by_name_alone_and_inside_of_others() {
    let options = any::<Option<bool>>();
    let by_name = options.weights_of(&[Some(true), Some(true), None]).unwrap().by_name();
    is_drawn_as_said("by name", &options.with_weights(by_name).unwrap(), 10);
    let digits = (0..10).tuned_like(&[3, 3, 3]).unwrap();
    is_drawn_as_said("in a list", &vec_of(digits.clone(), ..=2), 10);
    is_drawn_as_said("beside others", &tuple((digits.clone(), any::<bool>())), 10);
    is_drawn_as_said("in a filter", &digits.clone().filter(|digit| *digit != 3), 10);
    // The outer weights count.
    let twice = digits.clone().tuned_like(&[5, 5]).unwrap();
    is_drawn_as_said("tuned twice", &twice, 10);
    is_drawn_as_said("tuned twice, in a filter", &twice.filter(|digit| digit % 2 == 1), 10);
    is_drawn_as_said("of two kinds", &one_of((digits, (0..10).tuned_unlike(&[3]).unwrap())), 10);
}

#[test]
#[cfg(feature = "text")]
fn texts_are_drawn_as_said() {
    let numbers = text::separated_by(text::repeat(text::class(["0-9"]), 1..=2), text::one_of([",", ";"]), 1..=2);
    is_tuned_as_said("numbers", numbers, &["1,2".to_owned(), "11".to_owned(), "1".to_owned()]);
    let twice = text::repeat("a", 0..=2).then(text::repeat(text::one_of(["a", "b"]), 0..=2));
    is_tuned_as_said("texts of several ways", twice, &["a".to_owned(), "aab".to_owned(), String::new()]);
    let brackets = text::recursive("brackets", |inner| {
        text::choice([
            text::arm("none", 2, ""),
            text::arm("pair", 3, text::sequence([text::literal("("), inner.clone(), text::literal(")"), inner])),
        ])
    });
    is_tuned_as_said("brackets", brackets, &["()".to_owned(), "(())".to_owned(), "()()".to_owned()]);
    let examples = ["[]", "[1]", "true", "null", "{\"a\":1}", "\"a\""].map(str::to_owned);
    is_tuned_as_said("json", text::json(), &examples);
}

#[test]
fn the_largest_weights_are_drawn_as_said_and_larger_ones_are_refused() {
    let coins = |text: &str| vec_of(any::<bool>(), ..=2).with_weights(text.parse().unwrap()).unwrap();
    let large =
        "smoothing = 1e15\n[picks]\n\"bool\" = { \"false\" = 1e15, \"true\" = 1 }\n[lengths]\n\"top.0\" = { 1 = 1e15 }";
    assert!(is_drawn_as_said("large weights", &coins(large), 10) > 3);
    let refused = std::panic::catch_unwind(|| Weights::default().smoothed(1e16)).unwrap_err();
    assert_eq!(
        refused.downcast_ref::<String>().unwrap(),
        "a smoothing of 10000000000000000: it must be from 0 to 1e15"
    );
}

#[test]
fn what_is_not_known_says_why() {
    let coins = any::<bool>().filter(|coin| *coin).tuned_like(&[true]).unwrap();
    let error = coins.ways_of(&true).probability().unwrap_err();
    assert!(error.reason().ends_with("is drawn by weights that are others for a second attempt"), "{error}");
    let permutations = permutation_of([1, 2, 3]).tuned_like(&[vec![1, 3, 2]]).unwrap();
    let error = permutations.ways_of(&vec![1, 2, 3]).probability().unwrap_err();
    assert!(error.reason().contains("drawn by weights, and can be made in more ways"), "{error}");
}

/// Twice as many ways with each level.
#[generator]
fn doubled() -> Tree {
    match pick() {
        "leaf" => Tree::Leaf,
        "left" => {
            let left = draw(doubled());
            Tree::Node(Box::new(left), 0, Box::new(Tree::Leaf))
        }
        "also left" => {
            let left = draw(doubled());
            Tree::Node(Box::new(left), 0, Box::new(Tree::Leaf))
        }
    }
}

#[test]
fn exponentially_many_ways_are_weighed_part_by_part() {
    let deep =
        |levels: usize| (0..levels).fold(Tree::Leaf, |tree, _| Tree::Node(Box::new(tree), 0, Box::new(Tree::Leaf)));
    let tuned = doubled().tuned_like(&[deep(3), deep(1), deep(8)]).unwrap();
    is_drawn_as_said("doubled", &tuned, 100);
    let chance = tuned.ways_of(&deep(100)).probability().unwrap();
    assert!(chance.log2() < -10.0 && chance.log2() > -400.0, "{chance}");
    assert_eq!(tuned.ways_of(&deep(100)).count().to_string(), doubled().ways_of(&deep(100)).count().to_string());
}
