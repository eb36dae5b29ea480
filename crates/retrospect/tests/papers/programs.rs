//! The small programs that the papers show, and what they say of them.

use retrospect::generator::stream_of;
use retrospect::laws::Laws;
use retrospect::prelude::*;
use std::cell::Cell;

/// Choices without brackets; a number by its index.
fn letters(choices: &Choices) -> Vec<String> {
    choices.sequence().iter().map(ToString::to_string).collect()
}

/// All ways to make a value.
fn reflected<G: Generator>(generator: &G, value: &G::Value) -> Vec<Vec<String>> {
    generator.ways_of(value).iter().map(|way| letters(&way)).collect()
}

#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Leaf,
    Node(Box<Tree>, i32, Box<Tree>),
}
use Tree::{Leaf, Node};

fn node(left: Tree, key: i32, right: Tree) -> Tree {
    Node(Box::new(left), key, Box::new(right))
}

/// *Reflecting on Random Generation*, and its early version.
mod reflecting {
    use super::*;

    /// Figure 1b.
    #[generator]
    fn bst(lo: i32, hi: i32) -> Tree {
        if lo > hi {
            return Leaf;
        }
        match pick() {
            "leaf" => Leaf,
            #[weight(5)]
            "node" => {
                let x = draw(lo..=hi);
                let l = draw(bst(lo, x - 1));
                let r = draw(bst(x + 1, hi));
                Node(Box::new(l), x, Box::new(r))
            }
        }
    }

    /// Figure 1a, and figure 3: the same without a way back.
    #[generator(forward)]
    fn forward_bst(lo: i32, hi: i32) -> Tree {
        if lo > hi {
            return Leaf;
        }
        match pick() {
            "leaf" => Leaf,
            #[weight(5)]
            "node" => {
                let x = draw(lo..=hi);
                let l = draw(forward_bst(lo, x - 1));
                let r = draw(forward_bst(x + 1, hi));
                Node(Box::new(l), x, Box::new(r))
            }
        }
    }

    /// 3.3: `reflect bst Leaf`, `reflect bst (Node Leaf 4 Leaf)`. A number is written by its index:
    /// from 0 on, 4 has index 4.
    #[test]
    fn the_choices_of_a_search_tree() {
        assert_eq!(reflected(&bst(0, 9), &Leaf), [["0:leaf"]]);
        assert_eq!(reflected(&bst(0, 9), &node(Leaf, 4, Leaf)), [["1:node", "4", "0:leaf", "0:leaf"]]);
        // The early version, 3.2 and 4.2.
        assert!(bst(-10, 10).accepts(&Leaf) && bst(-10, 10).accepts(&node(Leaf, 4, Leaf)));
        assert!(!bst(-10, 10).accepts(&node(Leaf, 13, Leaf)));
        // 5 is the ninth of 0, 1, -1, 2, -2, …
        assert_eq!(reflected(&bst(-10, 10), &node(Leaf, 5, Leaf)), [["1:node", "9", "0:leaf", "0:leaf"]]);
    }

    /// Appendix B: a generator that gets its way back draws as it did.
    #[test]
    fn an_upgraded_generator_draws_the_same() {
        for seed in 0..200 {
            assert_eq!(forward_bst(0, 50).sample(seed), bst(0, 50).sample(seed));
            assert_eq!(letters(&forward_bst(0, 50).sample_choices(seed)), letters(&bst(0, 50).sample_choices(seed)));
        }
        assert!(forward_bst(0, 50).choices_of(&Leaf).is_err() && bst(0, 50).choices_of(&Leaf).is_ok());
    }

    #[derive(Clone, Debug, PartialEq)]
    enum LetterOrNumber {
        Letter(char),
        Number(u32),
    }
    use LetterOrNumber::{Letter, Number};

    /// 2.3: `lOrN`, whose two annotations are partial.
    #[test]
    fn a_letter_or_a_number() {
        let either = one_of((
            ('a'..='z').map_with_inverse(Letter, |it| if let Letter(letter) = it { Some(*letter) } else { None }),
            (0..10u32).map_with_inverse(Number, |it| if let Number(number) = it { Some(*number) } else { None }),
        ));
        assert_eq!(reflected(&either, &Letter('c')), [["0:", "2"]]);
        assert_eq!(reflected(&either, &Number(7)), [["1:", "7"]]);
        assert!(!either.accepts(&Letter('A')) && !either.accepts(&Number(10)));
    }

    /// 6.2: `choices (oneof [exact 1, exact 2, exact 3]) 2`. The paper writes two bits; here it is
    /// the number of the arm.
    #[test]
    fn the_second_of_three() {
        let three = one_of((exact(1), exact(2), exact(3)));
        assert_eq!(three.choices_of(&2).unwrap().to_string(), "1:");
        assert_eq!(three.shrink(3, |number| *number > 1).unwrap().value, 2);
    }

    /// 4.3: the context-free terms, which are left-recursive.
    #[derive(Clone, Debug, PartialEq)]
    enum Term {
        Factor(u8),
        Mul(Box<Term>, u8),
        Div(Box<Term>, u8),
    }

    #[generator]
    fn term() -> Term {
        match pick() {
            "factor" => Term::Factor(draw(0..=9)),
            "*" => Term::Mul(Box::new(draw(term())), draw(0..=9)),
            "/" => Term::Div(Box::new(draw(term())), draw(0..=9)),
        }
    }

    /// Claim 1: the grammar by itself, and the generator that one writes for it, make the same in
    /// the same number of ways.
    #[test]
    fn a_grammar_is_a_generator() {
        fn written(term: &Term) -> String {
            match term {
                Term::Factor(digit) => digit.to_string(),
                Term::Mul(left, right) => format!("{}*{right}", written(left)),
                Term::Div(left, right) => format!("{}/{right}", written(left)),
            }
        }
        let grammar = text::grammar(r#"term = factor | term "*" factor | term "/" factor; factor = [0-9];"#).unwrap();
        laws::check(&term());
        laws::check(&grammar);
        for seed in 0..100 {
            let value = term().sample(seed);
            assert!(grammar.accepts(&written(&value)), "{value:?}");
            assert_eq!(grammar.ways_of(&written(&value)).count(), term().ways_of(&value).count());
        }
        assert!(!grammar.accepts(&"1*".to_owned()) && !grammar.accepts(&"*1".to_owned()));
    }

    #[derive(Clone, Debug, PartialEq)]
    enum Num {
        Empty,
        More(char, Box<Num>),
    }

    #[generator]
    fn num() -> Num {
        match pick() {
            "empty" => Num::Empty,
            "more" => Num::More(draw(digit()), Box::new(draw(num()))),
        }
    }

    #[generator]
    fn digit() -> char {
        match pick() {
            "1" => '1',
            "2" => '2',
            "3" => '3',
        }
    }

    /// 5.1: tuned by 12, a number ends in one of three and goes on with 1 or 2, as often with each.
    #[test]
    fn numbers_like_and_unlike_twelve() {
        let number =
            |digits: &str| digits.chars().rev().fold(Num::Empty, |rest, digit| Num::More(digit, Box::new(rest)));
        let weights = num().weights_of(&[number("12")]).unwrap();
        let common = num().with_weights(weights.smoothed(0.0).without_depths()).unwrap();
        let likely = |digits: &str| common.ways_of(&number(digits)).probability().unwrap().to_string();
        assert_eq!(["", "1", "2", "3"].map(likely), ["1/3", "1/9", "1/9", "0"]);
        assert_eq!(["12", "22", "13"].map(likely), ["1/27", "1/27", "0"]);
        let uncommon = num().with_weights(common.weights().clone().inverted()).unwrap();
        let likely = |digits: &str| uncommon.ways_of(&number(digits)).probability().unwrap().to_string();
        assert_eq!(["", "1", "2", "3", "33"].map(likely), ["2/3", "0", "0", "2/9", "2/27"]);
    }

    /// The early version, 2.2: `profmEx` makes (4, 5), and refuses all else.
    #[test]
    fn the_only_pair() {
        let pair = tuple((exact(4), exact(5)));
        assert!((0..10).all(|seed| pair.sample(seed) == (4, 5)));
        laws::exact_for(&pair, (0..9).flat_map(|x| (0..9).map(move |y| (x, y))), |pair| *pair == (4, 5));
    }

    /// The early version, 3.3: how likely a value is by weights that are given from outside.
    #[test]
    fn how_likely_by_given_weights() {
        let weights = "smoothing = 0\n[picks]\n\"*\" = { \"leaf\" = 1, \"node\" = 5 }";
        #[generator]
        fn even_bst(lo: i32, hi: i32) -> Tree {
            if lo > hi {
                return Leaf;
            }
            match pick() {
                "leaf" => Leaf,
                "node" => {
                    let x = draw(lo..=hi);
                    let l = draw(even_bst(lo, x - 1));
                    let r = draw(even_bst(x + 1, hi));
                    Node(Box::new(l), x, Box::new(r))
                }
            }
        }
        let plain = even_bst(0, 1);
        assert_eq!(plain.ways_of(&Leaf).probability().unwrap().to_string(), "1/2");
        let weighted = plain.with_weights(weights.parse().unwrap()).unwrap();
        assert_eq!(weighted.ways_of(&Leaf).probability().unwrap().to_string(), "1/6");
        // 5/6 a node, 1/2 its key, 1/6 a leaf on the side where there is something to choose.
        assert_eq!(weighted.ways_of(&node(Leaf, 0, Leaf)).probability().unwrap().to_string(), "5/72");
    }

    /// The early version, appendix A, as a grammar.
    fn expressions() -> impl Generator<Value = String> + Clone {
        text::grammar(
            r#"
            expr = term: term | plus: expr "+" term | minus: expr "-" term;
            term = factor: factor | times: term "*" factor | div: term "/" factor;
            factor = digits: digits | pos: "+" factor | neg: "-" factor | parens: "(" expr ")";
            digits = digit: digit | more: digit digits;
            digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
            "#,
        )
        .unwrap()
    }

    /// The early version, 4.1: by the weights of `1 * (2 + 3)` alone, there are sums and products
    /// of 1, 2 and 3 and nothing else.
    #[test]
    fn expressions_like_one() {
        let example = "1*(2+3)".to_owned();
        let weights = expressions().weights_of(std::slice::from_ref(&example)).unwrap();
        let strict = expressions().with_weights(weights.smoothed(0.0)).unwrap();
        let samples: Vec<String> = (0..300).map(|seed| strict.sample(seed)).collect();
        let allowed = |text: &String| text.chars().all(|character| "123*+()".contains(character));
        assert!(samples.iter().all(allowed), "{:?}", samples.iter().find(|text| !allowed(text)));
        for part in ["1", "2", "3", "*", "+", "("] {
            assert!(samples.iter().any(|text| text.contains(part)), "{part} is never drawn");
        }
        // What is unlike it has what it does not have.
        let unlike = expressions().tuned_unlike(&[example]).unwrap();
        let others = (0..300).map(|seed| unlike.sample(seed)).filter(|text| !allowed(text)).count();
        assert!(others > 250, "{others}");
    }
}

/// *Parsing Randomness*.
mod parsing {
    use super::*;

    /// Section 3: `fgenTree`, in which a node is three times as likely as a leaf.
    #[generator]
    fn fgen_tree(h: u32) -> Tree {
        if h == 0 {
            return Leaf;
        }
        match pick() {
            "l" => Leaf,
            #[weight(3)]
            "n" => {
                let x = draw(0..=9);
                let l = draw(fgen_tree(h - 1));
                let r = draw(fgen_tree(h - 1));
                Node(Box::new(l), x, Box::new(r))
            }
        }
    }

    /// Section 6: `n5ln6ll` is parsed as the tree in which 6 is to the right of 5.
    #[test]
    fn a_sequence_is_parsed_as_its_tree() {
        let tree = node(Leaf, 5, node(Leaf, 6, Leaf));
        let sequence = ["1:n", "5", "0:l", "1:n", "6", "0:l", "0:l"];
        assert_eq!(reflected(&fgen_tree(5), &tree), [sequence]);
        // A parser, by one derivative after the other.
        let [first, rest @ ..] = sequence.map(|letter| letter.parse().unwrap());
        let mut left = fgen_tree(5).after(&first);
        for choice in &rest {
            assert!(!left.is_void() && left.value_if_done().is_none());
            left = left.after(choice);
        }
        assert_eq!(left.value_if_done(), Some(tree));
    }

    #[test]
    fn three_of_four_trees_are_nodes() {
        let count = (0..8000).filter(|seed| fgen_tree(1).sample(*seed) != Leaf).count() as u64;
        crate::agree("nodes", &[(count, 0.75), (8000 - count, 0.25)]);
    }
}

/// *falsify: Internal Shrinking Reimagined for Haskell*.
mod falsify {
    use super::*;

    fn prim() -> impl Generator<Value = u64> + Clone {
        uniform(0..=u64::MAX)
    }

    fn are_equal(list: &[u64]) -> bool {
        list.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// 4.5: the length is drawn first. From [1, 1, 0] the way leads by [0, 1, 0] to [0, 1].
    #[test]
    fn a_list_shrinks_its_length_after_its_items() {
        let random_list =
            (0..=5usize).bind_with_focus(|count| vec_of(prim(), *count), |list: &Vec<u64>| Some(list.len()));
        let fails = |list: &Vec<u64>| !are_equal(list);
        assert_eq!(random_list.shrink(vec![1, 1, 0], fails).unwrap().value, [0, 1]);
        // By itself the length cannot be lowered: [1, 1] passes.
        assert!(!fails(&vec![1, 1]));
    }

    /// 4.6: lists of each length are made in their own way, nested to the left. Where falsify ends
    /// at [0, 1, 0], values that are near are read here.
    #[test]
    fn lists_of_each_length_made_in_their_own_way() {
        fn list(count: usize) -> Boxed<'static, Vec<u64>> {
            match count {
                0 => exact(vec![]).boxed(),
                1 => {
                    prim().map_with_inverse(|x| vec![x], |list| if let [x] = list[..] { Some(x) } else { None }).boxed()
                }
                2 => tuple((prim(), prim()))
                    .map_with_inverse(
                        |(x, y)| vec![x, y],
                        |list| if let [x, y] = list[..] { Some((x, y)) } else { None },
                    )
                    .boxed(),
                _ => tuple((tuple((prim(), prim())), prim()))
                    .map_with_inverse(
                        |((x, y), z)| vec![x, y, z],
                        |list| if let [x, y, z] = list[..] { Some(((x, y), z)) } else { None },
                    )
                    .boxed(),
            }
        }
        let lists = (0..=3usize)
            .bind_with_focus(|count| list(*count), |list: &Vec<u64>| (list.len() <= 3).then_some(list.len()))
            .with_reader(vec_of(prim(), ..=3));
        laws::check(&lists);
        assert_eq!(lists.shrink(vec![1, 1, 0], |list| !are_equal(list)).unwrap().value, [0, 1]);
    }

    /// 5.3: from a positive fraction to a negative one.
    #[test]
    fn a_fraction_may_change_its_sign() {
        let fractions = within(-1.0..=1.0f64);
        let shrunk = fractions.shrink(0.4, |fraction| *fraction == 0.4 || *fraction < 0.0).unwrap().value;
        assert!(shrunk < 0.0, "{shrunk}");
        assert_eq!(fractions.shrink(-0.4, |_| true).unwrap().value, 0.0);
    }

    #[derive(Clone, Debug, PartialEq, Generate)]
    enum Side {
        Left(Vec<u8>),
        Right(Vec<u8>),
    }

    impl Side {
        fn numbers(&self) -> &[u8] {
            match self {
                Side::Left(numbers) | Side::Right(numbers) => numbers,
            }
        }
    }

    /// 6.1: `choose` toggles between two generators and loses no progress. Here what an arm had is
    /// gone when it is left. So it is tried whether that matters: from a value of the second arm it
    /// ends where it ends from one of the first.
    #[test]
    fn nothing_is_lost_when_an_arm_is_left() {
        let conditions: [fn(&[u8]) -> bool; 6] = [
            |numbers| numbers.iter().any(|number| *number > 40),
            |numbers| numbers.iter().map(|number| u32::from(*number)).sum::<u32>() >= 300,
            |numbers| numbers.len() >= 2 && numbers[0] > numbers[1],
            |numbers| numbers.windows(2).any(|pair| pair[0].abs_diff(pair[1]) == 7),
            |numbers| numbers.iter().filter(|number| *number % 10 == 3).count() >= 2,
            |numbers| numbers.len() >= 3 && numbers[0] > 5 && numbers[1] > numbers[0],
        ];
        for (number, condition) in conditions.into_iter().enumerate() {
            let mut ends = [Vec::new(), Vec::new()];
            for start in any::<Side>().samples(number as u64).take(3000) {
                let ends = &mut ends[usize::from(matches!(start, Side::Right(_)))];
                if condition(start.numbers()) && ends.len() < 15 {
                    ends.push(any::<Side>().shrink(start, |side| condition(side.numbers())).unwrap().value);
                }
            }
            let [of_left, of_right] = &ends;
            assert!(of_left.len() == 15 && of_right.len() == 15, "{number}: {} and {}", of_left.len(), of_right.len());
            assert!(of_left.iter().chain(of_right).all(|end| *end == of_left[0]), "{number}: {ends:?}");
        }
    }

    /// 6.1: items that may each be missing go from anywhere.
    #[test]
    fn items_go_from_anywhere() {
        let list = vec_of(option_of(0..100u32), 6).map(|items| items.into_iter().flatten().collect::<Vec<_>>());
        let few = Laws::default().cases(20);
        few.verify_minimum(&list, |list| list.iter().any(|item| *item >= 70), |list| *list == [70]).unwrap();
        few.verify_minimum(&list, |list| list.len() >= 2 && list.last() > list.first(), |list| *list == [0, 1])
            .unwrap();
    }

    /// 6.2.2: `prop_listToBool`. Which of the two inputs is the exception is left open.
    #[test]
    fn a_function_that_tells_two_lists_apart() {
        let functions = any::<Function<Vec<u8>, bool>>();
        let (one, other) = (vec![3, 1, 4, 2], vec![1, 6, 1, 8]);
        let tells = |function: &Function<Vec<u8>, bool>| function.call(&one) != function.call(&other);
        let expected = ["{[3, 1, 4, 2] => true, _ => false}", "{[1, 6, 1, 8] => true, _ => false}"];
        let mut found = Vec::new();
        for function in (0..100).map(|seed| functions.sample(seed)).filter(tells) {
            found.push(format!("{:?}", functions.shrink(function, tells).unwrap().value));
        }
        assert!(found.iter().all(|text| expected.contains(&text.as_str())), "{found:?}");
        assert!(expected.iter().all(|text| found.iter().any(|other| other == text)), "{found:?}");
    }

    /// 7.1: each of two lists shrinks by itself.
    #[test]
    fn a_list_shrinks_beside_another() {
        let lists = || vec_of(prim(), ..);
        let second = vec![7, 3, 9];
        let pair = (vec![4, 80, 2], second.clone());
        let shrunk = tuple((lists(), lists()))
            .shrink(pair, |(one, other)| one.iter().any(|item| *item >= 50) && *other == second);
        assert_eq!(shrunk.unwrap().value, (vec![50], second));
    }

    /// 7.1: `towardsJust`, for which more choices are simpler.
    #[test]
    fn from_nothing_to_something() {
        #[generator]
        fn towards_just() -> Option<u64> {
            match pick() {
                "there" => Some(draw(uniform(0..=u64::MAX))),
                "missing" => None,
            }
        }
        assert!((0..50).any(|seed| towards_just().sample(seed).is_none()));
        assert_eq!(towards_just().shrink(None, |_| true).unwrap().value, Some(0));
        laws::minimum(&towards_just(), |_| true, [Some(0)]);
        // As it is written in the paper: by a `bool` that is drawn before.
        let by_bool = any::<bool>().bind_with_focus(
            |is_missing| match is_missing {
                true => exact(None).boxed(),
                false => prim().map_with_focus(Some, Option::as_ref).boxed(),
            },
            |option: &Option<u64>| Some(option.is_none()),
        );
        assert_eq!(by_bool.shrink(None, |_| true).unwrap().value, Some(0));
        // Some(5) is not simpler: both have one choice that is not the simplest, and 5 is larger
        // than 1.
        assert_eq!(by_bool.shrink(None, |option| option.is_none_or(|number| number > 4)).unwrap().value, None);
    }
}

#[test]
fn a_stream_is_drawn_as_far_as_it_is_looked_at() {
    thread_local!(static DRAWN: Cell<u32> = const { Cell::new(0) });
    let counted = (0..100u32).map_with_inverse(
        |number| {
            DRAWN.with(|drawn| drawn.set(drawn.get() + 1));
            number
        },
        |number| Some(*number),
    );
    let stream = stream_of(counted).sample(3);
    assert_eq!(DRAWN.get(), 0);
    let items: Vec<u32> = stream.iter().take(7).collect();
    assert_eq!(items, stream.iter().take(7).collect::<Vec<_>>());
    assert_eq!(DRAWN.get(), 7);

    // Only what a failure needs is left of a stream without end.
    for seed in 0..20 {
        let report = Check::new().save(false).seed(seed).failure_of_case(|case| {
            let stream = case.draw_named("stream", stream_of(0..100u32));
            let rises = stream.iter().zip(stream.iter().skip(1)).take(50).any(|(one, next)| next > one + 20);
            assert!(!rises);
        });
        let report = report.expect("it fails");
        let line = report.lines().find(|line| line.contains("let stream = ")).unwrap();
        let (position, entry) = line.trim().strip_prefix("let stream = {").unwrap().split_once(" => ").unwrap();
        assert!((1..=50).contains(&position.parse::<u32>().unwrap()), "{line}");
        assert_eq!(entry, "21, _ => 0};", "{line}");
    }
}
