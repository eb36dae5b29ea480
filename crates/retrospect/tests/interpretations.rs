//! The interpretations of a generator and its derivatives, by the theorems that hold of them.
//!
//! A generator is a parser of randomness: choices drawn at random, read by the parser, are the
//! generator. A derivative reads on after a choice.

use retrospect::choice::Choice;
use retrospect::generator::Question;
use retrospect::prelude::*;
use std::collections::HashSet;

#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Leaf,
    Node(Box<Tree>, u8, Box<Tree>),
}

/// Trees of at most so many levels whose keys are drawn without regard to each other.
#[generator]
fn trees(levels: u32) -> Tree {
    if levels == 0 {
        return Tree::Leaf;
    }
    match pick() {
        "l" => Tree::Leaf,
        "n" => {
            let x = draw(0..=9u8);
            let l = draw(trees(levels - 1));
            let r = draw(trees(levels - 1));
            Tree::Node(Box::new(l), x, Box::new(r))
        }
    }
}

#[generator]
fn search_trees(lo: u8, hi: u8) -> Tree {
    if lo > hi {
        return Tree::Leaf;
    }
    match pick() {
        "leaf" => Tree::Leaf,
        #[weight(2)]
        "node" => {
            let x = draw(lo..=hi);
            let l = draw(search_trees(lo, x - 1));
            let r = draw(search_trees(x + 1, hi));
            Tree::Node(Box::new(l), x, Box::new(r))
        }
    }
}

/// A balanced tree says how high it is, which is drawn first.
#[derive(Clone, Debug, PartialEq)]
enum Avl {
    Leaf,
    Node(u8, u8, Box<Avl>, Box<Avl>),
}

#[generator]
fn avl(levels: u32) -> Avl {
    if levels == 0 {
        return Avl::Leaf;
    }
    match pick() {
        "l" => Avl::Leaf,
        "n" => {
            let height = draw(0..=9u8);
            let x = draw(0..=9u8);
            let l = draw(avl(levels - 1));
            let r = draw(avl(levels - 1));
            Avl::Node(height, x, Box::new(l), Box::new(r))
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Type {
    Int,
    Fun(Box<Type>, Box<Type>),
}

#[derive(Clone, Debug, PartialEq)]
enum Term {
    Int(u8),
    Plus(Box<Term>, Box<Term>),
    Lam(Type, Box<Term>),
    App(Box<Term>, Box<Term>),
    Var(u8),
}

#[generator]
fn types(levels: u32) -> Type {
    if levels == 0 {
        return Type::Int;
    }
    match pick() {
        "ℕ" => Type::Int,
        "→" => {
            let from = draw(types(levels - 1));
            let to = draw(types(levels - 1));
            Type::Fun(Box::new(from), Box::new(to))
        }
    }
}

#[generator]
fn terms(levels: u32) -> Term {
    match pick() {
        "i" => Term::Int(draw(0..=3)),
        #[weight(if levels > 0 { 1 } else { 0 })]
        "+" => Term::Plus(Box::new(draw(terms(levels - 1))), Box::new(draw(terms(levels - 1)))),
        #[weight(if levels > 0 { 1 } else { 0 })]
        "λ" => Term::Lam(draw(types(2)), Box::new(draw(terms(levels - 1)))),
        #[weight(if levels > 0 { 1 } else { 0 })]
        "@" => Term::App(Box::new(draw(terms(levels - 1))), Box::new(draw(terms(levels - 1)))),
        "v" => Term::Var(draw(0..=2)),
    }
}

#[derive(Clone, Debug, PartialEq, Generate)]
enum Colour {
    Red,
    Green,
    Blue,
}

#[derive(Clone, Debug, PartialEq, Generate)]
enum Shape {
    Dot,
    Many(Vec<Shape>),
}

fn sorted_lists() -> impl Generator<Value = Vec<u8>> + Clone {
    sequence_of(0, ..=20, |least: &u8| Some(*least..=9), |_, item| *item)
}

fn repeated() -> impl Generator<Value = Vec<usize>> + Clone {
    (1..=5).bind_with_focus(|n| vec_of(exact(*n), *n), |list: &Vec<usize>| list.first().copied())
}

/// Does the same with each of the generators that the theorems are tried on.
macro_rules! for_all_generators {
    ($check:ident) => {
        $check("trees", trees(3));
        $check("search trees", search_trees(1, 6));
        $check("sorted lists", sorted_lists());
        $check("avl", avl(2));
        $check("terms", terms(2));
        $check("enums", tuple((any::<Option<Colour>>(), any::<Colour>())));
        $check("strings", string_of('a'..='c', ..));
        $check("shapes", any::<Shape>());
        $check("repeated", repeated());
        $check("filtered", vec_of(0..5, ..).filter(|list| list.is_sorted()));
        $check("sets", set_of(0..4, ..));
        $check("numbers", any::<i64>());
        $check("maps", map_of(any::<bool>(), 0..3, ..));
        $check("one of", one_of((exact(7), 0..3, within(0..9).filter(|x| x % 3 != 1))));
        $check("after", tuple((any::<bool>(), vec_of(0..4, ..))).after(&"1:true".parse().unwrap()));
    };
}

/// The parser after the randomness is the generator: the same seed makes the same value, with
/// nothing left over.
#[test]
fn parsing_randomness_is_generating() {
    fn check<G: Generator>(name: &str, generator: G)
    where
        G::Value: PartialEq,
    {
        for seed in 0..200 {
            let choices = generator.sample_choices(seed);
            assert_eq!(generator.replay_exact(&choices).unwrap(), (generator.sample(seed), 0), "{name}, seed {seed}");
        }
    }
    for_all_generators!(check);
}

/// The probability of a choice sequence, worked out from the questions alone: the product of what
/// each answer weighs.
fn probability<G: Generator + Clone>(
    generator: &G,
    sequence: &[Choice],
    weight: &dyn Fn(&Question, &Choice) -> f64,
) -> f64 {
    let Some(first) = sequence.first() else { return 1.0 };
    let mut gradient = generator.gradient();
    let mut share = weight(gradient.question().unwrap(), first);
    let (_, mut rest) = gradient.find(|(choice, _)| choice.is_same(first)).unwrap();
    for choice in &sequence[1..] {
        share *= weight(rest.gradient().question().unwrap(), choice);
        rest = rest.after(choice);
    }
    share
}

/// As distributions: how often each sequence is drawn is its probability, and each value is as
/// likely as the sequences that the parser reads as it.
#[test]
fn randomness_and_generator_have_the_same_distribution() {
    fn check<G: Generator + Clone>(generator: G, weight: &dyn Fn(&Question, &Choice) -> f64)
    where
        G::Value: PartialEq,
    {
        let draws = 40_000u64;
        let all: Vec<_> = generator.language().collect();
        let values: Vec<G::Value> = all.iter().map(|choices| generator.replay_exact(choices).unwrap().0).collect();
        let (mut by_choices, mut by_value) = (vec![0u64; all.len()], vec![0u64; all.len()]);
        for seed in 0..draws {
            // Other seeds for the values, so that they are independent.
            let choices = generator.sample_choices(seed);
            by_choices[all.iter().position(|other| *other == choices).unwrap()] += 1;
            let value = generator.sample(draws + seed);
            by_value[values.iter().position(|other| *other == value).unwrap()] += 1;
        }
        let mut total = 0.0;
        let (mut statistic, mut of_values) = (0.0, 0.0);
        for (place, choices) in all.iter().enumerate() {
            let share = probability(&generator, &choices.sequence(), weight);
            total += share;
            let expected = share * draws as f64;
            statistic += (by_choices[place] as f64 - expected).powi(2) / expected;
            of_values += (by_value[place] as f64 - expected).powi(2) / expected;
        }
        assert!((total - 1.0).abs() < 1e-9, "{total}");
        // Chi-square, passed by chance in all but one of 10,000 (Wilson and Hilferty).
        let freedom = (all.len() - 1) as f64;
        let limit = freedom * (1.0 - 2.0 / (9.0 * freedom) + 3.719 * (2.0 / (9.0 * freedom)).sqrt()).powi(3);
        assert!(statistic < limit && of_values < limit, "{statistic}, {of_values} above {limit}");
    }
    let even = |question: &Question, _: &Choice| match question {
        Question::Number { max } => 1.0 / (*max as f64 + 1.0),
        Question::Pick { arms, .. } => 1.0 / arms.len() as f64,
        Question::Repeat { min, max } => 1.0 / (max - min + 1) as f64,
    };
    check(types(2), &even);
    check(vec_of(0..3, ..=2), &even);
    check(tuple((any::<Colour>(), any::<bool>())), &even);
    check(repeated(), &even);
    // A node is twice as likely as a leaf.
    check(search_trees(1, 2), &|question, choice| match (question, choice) {
        (Question::Pick { .. }, Choice::Arm { arm, .. }) => (*arm as f64 + 1.0) / 3.0,
        _ => even(question, choice),
    });
    check(option_of(0..3), &|question, choice| match (question, choice) {
        (Question::Pick { .. }, Choice::Arm { arm, .. }) => (2.0 * *arm as f64 + 1.0) / 4.0,
        _ => even(question, choice),
    });
}

fn sequences<G: Generator + Clone>(generator: &G, most: usize) -> Vec<Vec<String>> {
    let texts = |sequence: Vec<Choice>| sequence.iter().map(Choice::to_string).collect();
    generator.language().take(most).map(|choices| texts(choices.sequence())).collect()
}

/// The language of the derivative is the derivative of the language: what follows the choice in the
/// sequences that begin with it.
#[test]
fn the_derivatives_language_is_the_languages_derivative() {
    fn check<G: Generator + Clone>(name: &str, generator: G) {
        let whole = sequences(&generator, 300);
        let is_all = whole.len() < 300;
        for (choice, rest) in generator.gradient().take(6) {
            let expected: Vec<_> = whole
                .iter()
                .filter(|sequence| sequence.first() == Some(&choice.to_string()))
                .map(|sequence| sequence[1..].to_vec())
                .collect();
            let found = sequences(&rest, if is_all { 300 } else { expected.len() });
            // Both go by size, and the choice adds the same to all of them, so even the order is
            // the same.
            assert_eq!(found, expected, "{name} after {choice}");
        }
    }
    for_all_generators!(check);
}

/// What a generator may be asked first is what its sequences begin with: the gradient forgets
/// nothing, and makes nothing up.
#[test]
fn the_gradient_is_what_sequences_begin_with() {
    fn check<G: Generator + Clone>(name: &str, generator: G) {
        let whole = sequences(&generator, 300);
        let is_all = whole.len() < 300;
        let first: HashSet<String> = whole.into_iter().filter_map(|sequence| sequence.into_iter().next()).collect();
        assert!(first.len() > 1, "{name}");
        for letter in &first {
            let mut offered = generator.gradient().take(1000);
            assert!(offered.any(|(choice, _)| choice.to_string() == *letter), "{name}: {letter} is not offered");
        }
        // As many as there are, and no more: a set is asked for any number of items.
        for (choice, rest) in generator.gradient().take(if is_all { first.len() } else { 0 }) {
            let has_words = rest.language().next().is_some();
            assert_eq!(first.contains(&choice.to_string()), has_words, "{name}: {choice}");
        }
    }
    for_all_generators!(check);
    // The same, written down.
    fn letters<G: Generator + Clone>(generator: G) -> Vec<String> {
        generator.gradient().map(|(choice, _)| choice.to_string()).collect()
    }
    assert_eq!(letters(trees(3)), ["0:l", "1:n"]);
    assert_eq!(letters(terms(1)), ["0:i", "1:+", "2:λ", "3:@", "4:v"]);
    assert_eq!(letters(terms(0)), ["0:i", "4:v"]);
    assert_eq!(letters(5..8), ["0", "1", "2"]);
    assert_eq!(letters(vec_of(0..3, 1..=3)), ["[1]", "[2]", "[3]"]);
    assert_eq!(letters(exact(5)), Vec::<String>::new());
}

/// The first two equations: nothing is left of void, nor of a value that is done.
#[test]
fn nothing_follows_void_or_a_value() {
    let choices: Vec<Choice> = ["0", "0:", "[0]"].iter().map(|text| text.parse().unwrap()).collect();
    let void = (0..3).after(&Choice::Number(5));
    assert!(void.is_void() && void.gradient().next().is_none() && void.value_if_done().is_none());
    assert_eq!(void.language().count(), 0);
    for choice in &choices {
        assert!(void.after(choice).is_void());
        let done = exact(5);
        assert!(done.value_if_done() == Some(5) && done.gradient().next().is_none());
        assert!(done.after(choice).is_void());
    }
}

/// The third equation: the derivative of a pick is the arm of that choice.
#[test]
fn the_derivative_of_a_pick_is_its_arm() {
    let arms = labelled((("digit", 0..10), ("list", vec_of(0..3, 1).map(|list| list[0])), ("one", exact(1))));
    let same = |label: &str, arm: Vec<Vec<String>>| {
        assert_eq!(sequences(&arms.after(&label.parse().unwrap()), 100), arm, "{label}");
    };
    same("0:digit", sequences(&within(0..10), 100));
    same("1:list", sequences(&vec_of(0..3, 1), 100));
    same("2:one", vec![vec![]]);
    same("7:one", vec![vec![]]); // By its label, wherever it stands.
    assert!(arms.after(&"0:other".parse().unwrap()).is_void());
    assert!(arms.after(&Choice::arm(3)).is_void());
    assert!(arms.after(&Choice::Number(0)).is_void());
}

/// The fourth equation: the derivative of a bind is that of its first half, as long as that has
/// choices left, and then that of what is bound to its value.
#[test]
fn the_derivative_of_a_bind_is_that_of_its_first_half() {
    let pairs = || tuple((0..3, any::<bool>()));
    let focus = |list: &Vec<i32>| list.first().map(|first| (first / 2, first % 2 == 1));
    let then = |pair: &(i32, bool)| vec_of(exact(pair.0 * 2 + i32::from(pair.1)), 1..=3);
    let bound = pairs().bind_with_focus(then, focus);
    for (choice, rest) in bound.gradient() {
        let half = pairs().after(&choice);
        let expected: Vec<Vec<String>> = half
            .language()
            .flat_map(|first| {
                let (pair, _) = half.replay_exact(&first).unwrap();
                let first: Vec<String> = first.sequence().iter().map(Choice::to_string).collect();
                sequences(&then(&pair), 100).into_iter().map(move |second| [first.clone(), second].concat())
            })
            .collect();
        let found: HashSet<_> = sequences(&rest, 1000).into_iter().collect();
        assert_eq!(found.len(), expected.len());
        assert_eq!(found, expected.into_iter().collect());
    }
    // The first half is done: what is left is bound to its value.
    let done = bound.after(&Choice::Number(2)).after(&Choice::arm(1));
    assert_eq!(sequences(&done, 100), sequences(&then(&(2, true)), 100));
}

/// A derivative is a generator like any other: it keeps the laws, and reflects what it makes.
#[test]
fn derivatives_keep_the_laws() {
    fn check<G: Generator + Clone + Send + Sync>(name: &str, generator: G)
    where
        G::Value: PartialEq,
    {
        for (choice, rest) in generator.gradient().take(3) {
            if sequences(&rest, 1).is_empty() {
                continue;
            }
            laws::check(&rest);
            for seed in 0..20 {
                let value = rest.sample(seed);
                let whole = generator.choices_of(&value).unwrap();
                assert!(generator.accepts(&value), "{name} after {choice}");
                // If the first way begins with the choice, it is that one less the choice.
                if *whole.sequence().first().unwrap() == choice {
                    let left = rest.choices_of(&value).unwrap();
                    assert_eq!(whole.sequence()[1..], left.sequence(), "{name} after {choice}");
                }
            }
        }
    }
    for_all_generators!(check);
}

#[test]
fn derivatives_reflect_complete_and_shrink() {
    let trees = search_trees(1, 9);
    let nodes = trees.after(&"1:node".parse().unwrap()).after(&Choice::Number(4));
    let tree = nodes.sample(3);
    assert!(matches!(&tree, Tree::Node(_, 5, _)));
    assert_eq!(nodes.replay(&nodes.choices_of(&tree).unwrap()), tree);
    let error = nodes.choices_of(&Tree::Node(Box::new(Tree::Leaf), 6, Box::new(Tree::Leaf))).unwrap_err();
    assert_eq!(error.reason(), "its choices do not begin with `1:node` `4`");
    assert_eq!(
        nodes.choices_of(&Tree::Node(Box::new(Tree::Leaf), 60, Box::new(Tree::Leaf))).unwrap_err().reason(),
        "60 is not in 1..=9"
    );
    assert!(matches!(nodes.fill("Node(_, 5, _)", 1), Ok(Tree::Node(_, 5, _))));
    assert!(nodes.read("Node(Leaf, 6, Leaf)").is_err());
    let shrunk = nodes.shrink(tree, |tree| matches!(tree, Tree::Node(..))).unwrap();
    assert_eq!(shrunk.value, Tree::Node(Box::new(Tree::Leaf), 5, Box::new(Tree::Leaf)));
}

/// A value that can be made in several ways is looked at for one that begins as it must.
#[test]
fn another_way_may_begin_with_the_choice() {
    let numbers =
        one_of((0..=5, 3..=9, vec_of(0..=9, 1).map_with_inverse(|list| list[0], |number| Some(vec![*number]))));
    let choice = |text: &str| text.parse::<Choice>().unwrap();
    assert_eq!(numbers.choices_of(&4).unwrap().to_string(), "0:(4)");
    assert_eq!(numbers.after(&choice("1:")).choices_of(&4).unwrap().sequence(), [Choice::Number(1)]);
    assert_eq!(numbers.after(&choice("2:")).choices_of(&4).unwrap().sequence(), [Choice::Count(1), Choice::Number(4)]);
    assert!(!numbers.after(&choice("1:")).accepts(&2));
    assert_eq!(numbers.after(&choice("1:")).ways_of(&4).count().to_string(), "1");
    // Inside of something else as well.
    let both = tuple((numbers.after(&choice("1:")), any::<bool>()));
    laws::check(&both);
    assert_eq!(both.ways_of(&(4, true)).count().to_string(), "1");
}

#[test]
fn a_list_after_its_count() {
    let lists = vec_of(0..10, ..);
    let pairs = lists.after(&Choice::Count(2));
    laws::check(&pairs);
    assert_eq!(pairs.choices_of(&vec![3, 4]).unwrap().to_string(), "(3 4)");
    assert_eq!(pairs.replay(&"(3 4)".parse().unwrap()), [3, 4]);
    assert_eq!(pairs.replay(&Choices::default()), [0, 0]);
    assert_eq!(
        vec_of(pairs.clone(), 2).choices_of(&vec![vec![1, 2], vec![3, 4]]).unwrap().to_string(),
        "[(1 2) (3 4)]"
    );
    assert!(vec_of(0..10, ..=3).after(&Choice::Count(4)).is_void());
    let error = vec_of(0..10, ..=3).after(&Choice::Count(4)).replay_exact(&Choices::default()).unwrap_err();
    assert_eq!(error.to_string(), "the fixed choice [4] does not fit: 0 to 3 items were asked for");
    let long = exact(1).after(&Choice::Number(1)).replay_exact(&Choices::default()).unwrap_err();
    assert_eq!(long.to_string(), "1 of the fixed choices are left over");
}

#[test]
fn wide_gradients_are_lazy() {
    let mut gradient = any::<u64>().gradient();
    assert_eq!(gradient.nth(1 << 40).unwrap().1.value_if_done(), Some(1 << 40));
    assert_eq!(gradient.next().unwrap().1.value_if_done(), Some((1 << 40) + 1));
    assert_eq!(gradient.nth(usize::MAX - 3).map(|_| ()), None);
    let lists = vec_of(any::<bool>(), ..);
    assert_eq!(lists.gradient().nth(1_000_000_000).unwrap().0, Choice::Count(1_000_000_000));
}

/// What is left after a choice is drawn by the same weights.
#[test]
fn derivatives_of_tuned_generators_are_tuned() {
    let pairs = || tuple((any::<bool>(), any::<bool>()));
    let tuned = pairs().tuned_like(&[(true, true); 50]).unwrap();
    let after = tuned.after(&"0:false".parse().unwrap());
    laws::check(&after);
    let count = |generator: &dyn Fn(u64) -> (bool, bool)| (0..1000).filter(|seed| generator(*seed).1).count();
    assert!(count(&|seed| after.sample(seed)) > 950);
    assert!((400..600).contains(&count(&|seed| pairs().after(&"0:false".parse().unwrap()).sample(seed))));
    // The other way round, too: the examples are those of the derivative.
    let tuned = pairs().after(&"0:false".parse().unwrap()).tuned_like(&[(false, true); 50]).unwrap();
    assert!(count(&|seed| tuned.sample(seed)) > 950);
    // A list whose count is fixed.
    let lists = vec_of(any::<bool>(), ..).tuned_like(&[vec![true; 9]]).unwrap().after(&Choice::Count(20));
    let share = (0..100).map(|seed| lists.sample(seed).iter().filter(|item| **item).count()).sum::<usize>();
    assert!(share > 1700, "{share} of 2000");
}
