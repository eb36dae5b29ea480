//! Tuning by example.

mod probability;

use retrospect::prelude::*;
use retrospect::source::{Source, WeightsError};

#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Leaf,
    Node(Box<Tree>, i64, Box<Tree>),
}

impl Tree {
    fn keys(&self) -> Vec<i64> {
        match self {
            Tree::Leaf => Vec::new(),
            Tree::Node(left, key, right) => [left.keys(), vec![*key], right.keys()].concat(),
        }
    }
}

#[generator]
fn bst(lo: i64, hi: i64) -> Tree {
    if lo > hi {
        return Tree::Leaf;
    }
    match pick() {
        "leaf" => Tree::Leaf,
        #[weight(4)]
        "node" => {
            let x = draw(lo..=hi);
            let l = draw(bst(lo, x - 1));
            let r = draw(bst(x + 1, hi));
            Tree::Node(Box::new(l), x, Box::new(r))
        }
    }
}

/// Two picks whose arms have the same names, and one that may be absent.
#[generator]
fn signs(has_third: bool) -> (char, char) {
    let first = match pick() {
        "plus" => '+',
        "minus" => '-',
    };
    let second = match pick() {
        "plus" => '+',
        "minus" => '-',
        #[weight(if has_third { 1 } else { 0 })]
        "zero" => '0',
    };
    (first, second)
}

fn share<T>(generator: &impl Generator<Value = T>, holds: impl Fn(&T) -> bool) -> f64 {
    const SAMPLES: u64 = 2000;
    let count = (0..SAMPLES).filter(|seed| holds(&generator.sample(*seed))).count();
    count as f64 / SAMPLES as f64
}

#[test]
fn values_are_like_the_examples() {
    let read = |text: &str| bst(0, 100).read(text).unwrap();
    let examples = [
        read("Node(Leaf, 50, Leaf)"),
        read("Node(Node(Leaf, 49, Leaf), 51, Leaf)"),
        read("Node(Leaf, 52, Node(Leaf, 60, Leaf))"),
    ];
    let plain = bst(0, 100);
    let tuned = bst(0, 100).tuned_like(&[examples.clone(), examples.clone(), examples].concat()).unwrap();
    let nodes = |tree: &Tree| tree.keys().len();
    assert!(share(&plain, |tree| nodes(tree) <= 3) < 0.35);
    assert!(share(&tuned, |tree| nodes(tree) <= 3) > 0.8);
    // The keys are those of the examples, of which four in five begin to count at 0: also numbers
    // are tuned.
    assert!(share(&tuned, |tree| matches!(tree, Tree::Node(_, 49..=52, _))) > 0.65);
    assert!(share(&plain, |tree| matches!(tree, Tree::Node(_, 49..=52, _))) < 0.1);
    // At depth 0 all examples are nodes, further down most are leaves: the depth counts.
    assert!(share(&tuned, |tree| *tree == Tree::Leaf) < 0.1);
}

#[test]
fn values_are_unlike_the_examples() {
    let examples = vec![vec![true; 6]; 5];
    let coins = vec_of(any::<bool>(), 6);
    let unlike = coins.tuned_unlike(&examples).unwrap();
    assert!(share(&unlike, |coins| coins.iter().filter(|coin| **coin).count() <= 2) > 0.85);
    let digits = (0..10).tuned_unlike(&[3, 3, 3, 3, 4]).unwrap();
    assert!(share(&digits, |digit| *digit == 3) < 0.05);
    assert!(share(&digits, |digit| *digit == 4) > share(&digits, |digit| *digit == 3));
    assert!(share(&digits, |digit| *digit == 7) > 0.09);
    // All alike: nothing is told apart, and the generator does as ever.
    let even = any::<bool>().tuned_unlike(&[true, false]).unwrap();
    assert!((0.4..0.6).contains(&share(&even, |coin| *coin)));
}

#[test]
fn places_are_told_apart_and_arms_that_are_absent_stay_so() {
    let examples = vec![('+', '-'); 20];
    let tuned = signs(true).tuned_like(&examples).unwrap();
    assert!(share(&tuned, |signs| *signs == ('+', '-')) > 0.8);
    assert!(share(&tuned, |signs| signs.1 == '0') > 0.0); // Rare, but not impossible.
    // By their names alone, both picks have as many of both.
    let by_name = signs(true).with_weights(signs(true).weights_of(&examples).unwrap().by_name()).unwrap();
    assert!((0.15..0.35).contains(&share(&by_name, |signs| *signs == ('+', '-'))));
    let strict = signs(true).with_weights(signs(true).weights_of(&examples).unwrap().smoothed(0.0)).unwrap();
    assert_eq!(share(&strict, |signs| *signs == ('+', '-')), 1.0);
    // Weights learned where there is a third arm do not bring it to where there is none.
    let weights = signs(true).weights_of(&[('-', '0'); 20]).unwrap();
    let without = signs(false).with_weights(weights).unwrap();
    assert_eq!(share(&without, |signs| signs.1 == '0'), 0.0);
    assert!(share(&without, |signs| signs.0 == '-') > 0.8);
}

#[test]
fn a_tuned_generator_has_the_choices_of_the_plain_one() {
    let examples: Vec<Tree> = (0..5).map(|seed| bst(0, 20).sample(seed)).collect();
    let tuned = bst(0, 20).tuned_like(&examples).unwrap();
    laws::check(&tuned);
    laws::check(&vec_of(string_of('a'..='z', ..), ..).tuned_like(&[vec!["abc".to_owned()]]).unwrap());
    laws::check(&tuple((bst(0, 5), any::<bool>().tuned_unlike(&[true]).unwrap())));
    for seed in 0..100 {
        let choices = tuned.sample_choices(seed);
        assert_eq!(bst(0, 20).replay_exact(&choices).unwrap(), (tuned.sample(seed), 0));
    }
    let fails = |tree: &Tree| tree.keys().iter().sum::<i64>() >= 12;
    let failing = (0..).map(|seed| tuned.sample(seed)).find(fails).unwrap();
    let smallest = tuned.shrink(failing, fails).unwrap();
    assert_eq!(smallest.value, Tree::Node(Box::new(Tree::Leaf), 12, Box::new(Tree::Leaf)));
    assert_eq!(tuned.read("Node(Leaf, 4, Leaf)").unwrap().keys(), [4]);
}

#[test]
fn lengths_are_tuned_and_sizes_are_not_ignored_where_they_end_recursion() {
    let lists = vec_of(0..1000, ..);
    let tuned = lists.tuned_like(&[vec![1, 2], vec![900, 7, 8]]).unwrap();
    assert!(share(&tuned, |list| (2..=3).contains(&list.len())) > 0.6);
    #[derive(Clone, Debug)]
    struct Folder(Vec<Folder>);
    fn count(folder: &Folder) -> usize {
        1 + folder.0.iter().map(count).sum::<usize>()
    }
    let folders = recursive(|folder| vec_of(folder, ..).map_with_focus(Folder, |folder| Some(&folder.0)));
    // Each folder has three: tuned to that alone, there would be no end.
    let wide = Folder(vec![Folder(vec![]), Folder(vec![]), Folder(vec![])]);
    let weights = folders.weights_of(&[wide]).unwrap();
    let tuned = folders.with_weights(weights).unwrap();
    assert!((0..200).all(|seed| count(&tuned.sample(seed)) < 100_000));
    // What does not end by itself is ended by the limit on picks.
    let endless = bst(0, i64::MAX / 2).with_weights(
        format!("smoothing = 0\n[picks]\n\"{}::bst\" = {{ \"node\" = 1 }}", module_path!()).parse().unwrap(),
    );
    let mut source = Source::random(1);
    assert!(endless.unwrap().generate(&mut source).is_ok());
}

#[derive(Clone, Debug, PartialEq, Generate)]
struct Matrix {
    rows: Vec<Vec<bool>>,
}

#[test]
fn lists_in_lists_have_lengths_of_their_own() {
    let lists = vec_of(vec_of(any::<bool>(), ..), ..);
    let tuned = lists.tuned_like(&vec![vec![vec![true; 2]; 5]; 50]).unwrap();
    assert!(share(&tuned, |rows| rows.len() == 5) > 0.9);
    assert!(share(&tuned, |rows| rows.iter().all(|row| row.len() == 2)) > 0.9);
    assert!(tuned.weights().to_string().contains("\"top.0, depth 0\" = { 5 = 50 }\n\"top.0, depth 1\" = { 2 = 250 }"));
    // Also where a generator is called in between, where items are strings, and in fields.
    let matrices = any::<Matrix>().tuned_like(&vec![Matrix { rows: vec![vec![true; 2]; 6] }; 50]).unwrap();
    assert!(share(&matrices, |matrix| matrix.rows.len() == 6) > 0.9);
    let words = vec_of(vec_of(string_of('a'..='z', ..), ..), ..);
    let words = words.tuned_like(&vec![vec![vec!["a".to_owned()]; 3]; 50]).unwrap();
    let shape = |words: &Vec<Vec<String>>| words.len() == 3 && words.iter().flatten().all(|word| word.len() == 1);
    assert!(share(&words, |words| shape(words) && words.iter().all(|line| line.len() == 1)) > 0.75);
}

#[derive(Clone, Copy, Debug, PartialEq, Generate)]
enum Coin {
    Heads(u8),
    Tails(u8),
}

#[test]
fn holes_are_filled_by_the_weights() {
    let filled = |fill: &dyn Fn(u64) -> bool| (0..400).filter(|seed| fill(*seed)).count() as f64 / 400.0;
    let coins = vec_of(any::<bool>(), 5).tuned_like(&vec![vec![true; 5]; 1000]).unwrap();
    assert!(filled(&|seed| coins.fill("[_, false, _, _, _]", seed).unwrap() == [true, false, true, true, true]) > 0.95);
    // Also in pairs, in arrays, in arms, in fields, in lists of lists, and where a generator calls
    // itself.
    let pairs = any::<(bool, bool, u8)>().tuned_like(&[(true, false, 7); 50]).unwrap();
    assert!(filled(&|seed| pairs.fill("(_, _, 7)", seed).unwrap() == (true, false, 7)) > 0.85);
    assert!(filled(&|seed| pairs.fill("(true, false, _)", seed).unwrap().2 == 7) > 0.85);
    let arrays = any::<[u8; 2]>().tuned_like(&[[7, 9]; 50]).unwrap();
    assert!(filled(&|seed| arrays.fill("[7, _]", seed).unwrap() == [7, 9]) > 0.85);
    let options = any::<Option<(u8, Result<u8, bool>)>>().tuned_like(&[Some((7, Err(true))); 50]).unwrap();
    assert!(filled(&|seed| options.fill("Some((_, Err(_)))", seed).unwrap() == Some((7, Err(true)))) > 0.85);
    let arms = one_of((tuple((0..9, 0..9)), tuple((10..90, 10..90)))).tuned_like(&[(11, 17); 50]).unwrap();
    assert!(filled(&|seed| arms.fill("(11, _)", seed).unwrap() == (11, 17)) > 0.85);
    let coins = any::<Coin>().tuned_like(&[Coin::Tails(7); 50]).unwrap();
    assert!(filled(&|seed| coins.fill("Tails(_)", seed).unwrap() == Coin::Tails(7)) > 0.85);
    let rows = vec![vec![true; 2]; 3];
    let matrices = any::<Matrix>().tuned_like(&vec![Matrix { rows: rows.clone() }; 50]).unwrap();
    assert!(filled(&|seed| matrices.fill("Matrix { rows: _ }", seed).unwrap().rows.len() == 3) > 0.85);
    assert!(
        filled(&|seed| matrices.fill("Matrix { rows: [_, [true, true], [_, true]] }", seed).unwrap().rows == rows)
            > 0.85
    );
    let tree = bst(0, 100).read("Node(Node(Leaf, 20, Leaf), 50, Leaf)").unwrap();
    // At its depth one of two trees is a leaf, and one of two keys is 20.
    let trees = bst(0, 100).tuned_like(&vec![tree.clone(); 50]).unwrap();
    assert!(filled(&|seed| trees.fill("Node(Node(Leaf, _, Leaf), 50, _)", seed).unwrap() == tree) > 0.15);
    let pairs_of_signs = signs(true).tuned_like(&[('-', '0'); 50]).unwrap();
    assert!(filled(&|seed| pairs_of_signs.fill("('-', _)", seed).is_ok()) == 1.0);
    // A sketch without holes is read as ever, and one that cannot be filled says the same.
    assert_eq!(trees.read("Leaf").unwrap(), Tree::Leaf);
    let (tuned, plain) = (trees.fill("Node(_, 101, _)", 1), bst(0, 100).fill("Node(_, 101, _)", 1));
    assert_eq!(tuned.unwrap_err().to_string(), plain.unwrap_err().to_string());
}

#[test]
fn weights_survive_their_file_and_give_the_same_values() {
    let examples: Vec<Tree> = (0..5).map(|seed| bst(0, 100).sample(seed)).collect();
    let tuned = bst(0, 100).tuned_like(&examples).unwrap();
    let weights: Weights = tuned.weights().to_string().parse().unwrap();
    assert_eq!(&weights, tuned.weights());
    let again = bst(0, 100).with_weights(weights).unwrap();
    for seed in 0..50 {
        assert_eq!(again.sample(seed), tuned.sample(seed));
        assert_eq!(again.clone().sample(seed), tuned.sample(seed));
    }
}

/// Arms, numbers, lengths, and large numbers that came again.
#[test]
fn everything_that_was_learned_can_be_left_out() {
    let lists = vec_of(tuple((any::<bool>(), any::<u64>())), ..);
    let weights = lists.weights_of(&[vec![(true, 123_456_789_012); 3], vec![(true, 123_456_789_012); 5]]).unwrap();
    let nothing = exact(0).weights_of(&[0]).unwrap().to_string();
    assert_eq!(weights.clone().retaining(|_| false).to_string(), nothing);
    let all = weights.to_string();
    assert_eq!(weights.retaining(|_| true).to_string(), all);
    assert_ne!(all, nothing);
}

#[test]
fn letters_are_told_apart_and_large_numbers_by_ranges() {
    let words = string_of('a'..='z', 1..=8);
    let tuned = words.clone().tuned_like(&["xyx".to_owned(), "yxyyx".to_owned(), "xxxx".to_owned()]).unwrap();
    assert!(share(&tuned, |word| word.chars().all(|letter| "xy".contains(letter))) > 0.5);
    assert!(share(&words, |word| word.chars().all(|letter| "xy".contains(letter))) < 0.02);
    let weights = (0..=1000u32).weights_of(&[63, 64, 700]).unwrap();
    assert!(weights.to_string().contains("\"top.0\" = { 63 = 1, 64-127 = 1, 512-1023 = 1 }"), "{weights}");
    let strict = (0..=1000u32).with_weights(weights.smoothed(0.0)).unwrap();
    assert!((0..200).all(|seed| matches!(strict.sample(seed), 63..=127 | 512..=1000)));
    // In a list they are drawn in another way, to the same end.
    let lists = vec_of(0..=1000u32, 50);
    let weights = lists.weights_of(&[[63, 64, 700].into_iter().cycle().take(50).collect()]).unwrap();
    let strict = lists.with_weights(weights.smoothed(0.0)).unwrap();
    let drawn: Vec<u32> = (0..1000).flat_map(|seed| strict.sample(seed)).collect();
    let part = |low, high| drawn.iter().filter(|number| (low..=high).contains(*number)).count() as f64 / 50_000.0;
    for (low, high) in [(63, 63), (64, 127), (512, 1000)] {
        assert!((0.305..0.355).contains(&part(low, high)), "{low} to {high}: {}", part(low, high));
    }
    assert!((0.15..0.18).contains(&part(512, 755)) && part(1000, 1000) > 0.0, "{}", part(512, 755));
}

#[test]
fn floats_are_like_the_examples() {
    // Floats that are next to each other in their order have little in common, so they are not
    // drawn from among their neighbours.
    let is_fraction = |float: &f64| *float > 0.0 && *float < 1.0;
    assert!((0.05..0.2).contains(&share(&any::<f64>(), is_fraction)));
    let halves = any::<f64>().tuned_like(&vec![0.5; 50]).unwrap();
    assert!(share(&halves, |float| *float == 0.5) > 0.95);
    assert!(halves.ways_of(&0.5).probability().unwrap().to_f64().unwrap() > 0.95);
    assert!(halves.ways_of(&0.25).probability().unwrap().to_f64().unwrap() < 0.001);
    let text = halves.weights().to_string();
    let numbers = "\
# A number from 16777216 on came again so often: it is also in its range.
[numbers]
\"top.0\" = { 18014398509481984-36028797018963967 = 50, 18014398509481986 = 50 }
";
    assert!(text.contains(numbers), "{text}");
    assert_eq!(&text.parse::<Weights>().unwrap(), halves.weights());
    // What did not come again stands for what the generator draws that is like it: here what has
    // many digits, most of it small.
    let examples: Vec<f64> = (1..50).map(|part| f64::from(part) / 50.1).collect();
    let plain = any::<f32>().tuned_like(&[0.5, 0.25, 0.3, 0.3]).unwrap();
    assert!(share(&plain, |float| *float == 0.3) > 0.3);
    let tuned = any::<f64>().tuned_like(&examples).unwrap();
    assert!(!tuned.weights().to_string().contains("came again"), "{}", tuned.weights());
    assert!(share(&tuned, is_fraction) > 0.15, "{}", share(&tuned, is_fraction));
    let lists = vec_of(any::<f64>(), 49).tuned_like(&[examples]).unwrap();
    assert!(share(&lists, |floats| is_fraction(&floats[0])) > 0.15);
    let unknown = tuned.ways_of(&0.3).probability().unwrap_err();
    assert_eq!(
        unknown.reason(),
        "a number was learned as one of many that are drawn by a distribution of its own, which does not say how likely these are together"
    );
    // Where others are taken away, so are those of them that came again.
    let both = any::<f64>().weights_of(&[[0.5; 20], [0.3; 20]].concat()).unwrap();
    let left = any::<f64>().with_weights(both.without(&any::<f64>().weights_of(&[0.3; 5]).unwrap())).unwrap();
    assert!(share(&left, |float| *float == 0.5) > 0.9 && share(&left, |float| *float == 0.3) < 0.05);
}

#[test]
fn what_is_recorded_is_what_is_drawn_without() {
    let lists = tuple((vec_of(any::<i64>(), ..), vec_of(0..1000u32, ..), string_of('a'..='z', ..), any::<Vec<u8>>()));
    let tuned = lists.clone().tuned_like(&(0..20).map(|seed| lists.sample(seed)).collect::<Vec<_>>()).unwrap();
    for seed in 0..200 {
        let mut source = Source::recording(seed);
        let value = tuned.generate(&mut source).unwrap();
        assert_eq!(value, tuned.sample(seed));
        assert_eq!(lists.replay(source.choices()), value);
    }
}

#[test]
fn a_file_of_wider_ranges_draws_as_it_did() {
    // Written when only the numbers below 8 were told apart.
    let weights: Weights =
        "smoothing = 0\n[numbers]\n\"top.0\" = [0.0, 1.0, 0, 0, 0, 0, 0, 0, 0, 2.0]".parse().unwrap();
    let numbers = (0..100).with_weights(weights).unwrap();
    assert!((0..500).all(|seed| matches!(numbers.sample(seed), 1 | 16..32)));
    assert!((0.28..0.39).contains(&share(&numbers, |number| *number == 1)));
    assert!((0.02..0.07).contains(&share(&numbers, |number| *number == 31)));
}

#[test]
fn the_file_names_generators_arms_and_positions() {
    let text = bst(0, 9).weights_of(&[bst(0, 9).read("Node(Leaf, 5, Leaf)").unwrap()]).unwrap().to_string();
    assert_eq!(
        text,
        r#"# How often each choice was made; see retrospect::source::Weights.
smoothing = 1
inverted = false

[picks]
"tuning::bst" = { "leaf" = 2, "node" = 1 }
"tuning::bst, depth 0" = { "node" = 1 }
"tuning::bst, depth 1" = { "leaf" = 2 }

# How often each number; from 64 on in ranges.
[numbers]
"tuning::bst/node.0" = { 5 = 1 }
"#
    );
    let array = any::<[bool; 2]>().weights_of(&[[true, false]]).unwrap().to_string();
    assert!(array.contains("\"bool in array.0\" = { \"true\" = 1 }\n"), "{array}");
    let coins = signs(true).weights_of(&[('+', '0')]).unwrap().to_string();
    assert!(coins.contains("\"tuning::signs::first\" = { \"plus\" = 1 }"), "{coins}");
    assert!(coins.contains("\"tuning::signs::second\" = { \"zero\" = 1 }"), "{coins}");
}

#[test]
fn weights_that_do_not_fit_are_refused_by_name() {
    let weights = bst(0, 9).weights_of(&[Tree::Leaf]).unwrap();
    let error = any::<bool>().with_weights(weights).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the weights are of another generator: they begin with \"tuning::bst\", and none of their labels was met in this one"
    );
    let read = |text: &str| bst(0, 9).with_weights(text.parse().unwrap()).map(|_| ());
    let unknown = read("[picks]\n\"tuning::bst\" = { \"leaf\" = 1, \"branch\" = 2 }").unwrap_err();
    assert!(matches!(&unknown, WeightsError::UnknownArm { arm, .. } if arm == "branch"), "{unknown}");
    let unknown = read("[picks]\n\"tuning::bst\" = { \"leaf\" = 1 }\n\"gone::tree\" = { \"leaf\" = 1 }").unwrap_err();
    assert_eq!(unknown, WeightsError::UnknownLabel { label: "gone::tree".to_owned(), file: None, line: Some(3) });
    let moved = read("\n[numbers]\n\"bool at tests/tuning/main.rs:1:5.0\" = { 1 = 1 }").unwrap_err();
    assert_eq!(
        moved.to_string(),
        "line 3: the weights are of another generator: they begin with \"bool at tests/tuning/main.rs:1:5.0\", and none of their labels was met in this one; \
         if that has moved to another line since they were saved, change it there or save them again"
    );
    let unknown = read("[picks]\n\"*\" = { \"leaf\" = 1, \"branch\" = 2 }").unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "line 2: the weights of \"*\" name the arm \"branch\", which is none of [\"leaf\", \"node\"]"
    );
    assert_eq!(read("[picks]\n\"*\" = { \"leaf\" = 1, \"node\" = 2 }"), Ok(()));
    assert_eq!(read(""), Ok(()));
    let error = bst(0, 9).tuned_like(&[Tree::Leaf, bst(0, 99).read("Node(Leaf, 50, Leaf)").unwrap()]).unwrap_err();
    assert!(error.reason().contains("50 is not in 0..=9"), "{error}");
}

#[generator]
fn rarely_a_tree() -> Option<Tree> {
    match pick() {
        #[weight(999)]
        "none" => None,
        "some" => Some(draw(bst(0, 9))),
    }
}

#[test]
fn what_is_rare_among_many_examples_is_known_and_what_another_generator_calls_its_own_is_not() {
    let mut examples = vec![None; 2000];
    examples[7] = Some(Tree::Leaf);
    let weights = rarely_a_tree().weights_of(&examples).unwrap();
    assert!(weights.to_string().contains("\"tuning::bst\" = { \"leaf\" = 1 }"), "{weights}");
    rarely_a_tree().with_weights(weights).unwrap();

    // That this program has a generator of that name somewhere else does not matter.
    let weights = "[picks]\n\"bool\" = { \"true\" = 1 }\n\"tuning::bst\" = { \"leaf\" = 1 }".parse().unwrap();
    let unknown = any::<bool>().with_weights(weights).unwrap_err();
    assert_eq!(unknown, WeightsError::UnknownLabel { label: "tuning::bst".to_owned(), file: None, line: Some(3) });
}

#[generator]
fn rare() -> (u32, Option<Tree>) {
    let number = draw(0..=1_000_000u32);
    if number == 777_777 {
        let tree = draw(bst(0, 9));
        (number, Some(tree))
    } else {
        (number, None)
    }
}

#[test]
fn what_was_learned_here_may_be_too_rare_to_be_met() {
    let weights = rare().weights_of(&[(777_777, Some(Tree::Leaf))]).unwrap();
    let tuned = rare().with_weights(weights.clone()).unwrap();
    assert!(share(&tuned, |(number, _)| (524_288..=1_000_000).contains(number)) > 0.5);
    // What is read from a file may be wrong, and what belongs to nothing here is.
    assert!(rare().with_weights(weights.to_string().parse().unwrap()).is_err());
    assert!(matches!(any::<bool>().with_weights(weights), Err(WeightsError::AnotherGenerator { .. })));
}

#[test]
fn weights_of_a_property_may_be_of_what_its_body_draws() {
    use retrospect::runner::settings::Settings;
    let file = std::env::temp_dir().join(format!("retrospect-body-weights-{}.toml", std::process::id()));
    let complaint = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let settings = Settings::new().weights(&file).save(false).exhaustive(false).cases(100);
        Check::new().with(settings).failure_of_case(|case| {
            case.draw(any::<bool>());
            case.draw(bst(0, 9));
        })
    };
    assert_eq!(complaint("[picks]\n\"tuning::bst\" = { \"leaf\" = 9, \"node\" = 1 }"), None);
    assert_eq!(complaint("[picks]\n\"*\" = { \"leaf\" = 9, \"true\" = 1 }"), None);
    let told = complaint("[picks]\n\"*\" = { \"leaf\" = 9, \"heads\" = 1 }").unwrap();
    assert!(told.contains(".toml: line 2: the weights of \"*\" name the arm \"heads\""), "{told}");
    let told = complaint("[picks]\n\"tuning::bst\" = { \"leaf\" = 9 }\n\"gone::tree\" = { \"leaf\" = 1 }").unwrap();
    assert!(
        told.contains(".toml: line 3: the weights name \"gone::tree\", which this generator does not choose at"),
        "{told}"
    );
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_property_draws_by_the_weights_in_a_file() {
    use retrospect::runner::settings::Settings;
    let file = std::env::temp_dir().join(format!("retrospect-weights-{}.toml", std::process::id()));
    bst(0, 100).weights_of(&vec![Tree::Leaf; 50]).unwrap().save(&file).unwrap();
    let leaves = |settings: Settings| {
        let (mut leaves, mut all) = (0, 0);
        let settings = settings.cases(1000).save(false).exhaustive(false);
        Check::new().with(settings).run(bst(0, 100), |tree| {
            all += 1;
            leaves += u32::from(tree == Tree::Leaf);
        });
        f64::from(leaves) / f64::from(all)
    };
    assert!(leaves(Settings::new()) < 0.4);
    assert!(leaves(Settings::new().weights(&file)) > 0.9);
    let complaint = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let settings = Settings::new().weights(&file).save(false);
        Check::new().with(settings).failure(bst(0, 100), |_| {}).unwrap()
    };
    let complaints = [
        ("[picks]\n\"tuning::bst\" = { \"leaf\" = -1 }", "line 2: the weight -1 is negative: a weight is 0 or more"),
        (
            "[picks]\n\"tuning::bst\" = { \"tip\" = 1 }",
            ".toml: line 2: the weights of \"tuning::bst\" name the arm \"tip\", which is none of [\"leaf\", \"node\"]",
        ),
        ("[picks]\n\"other::tree\" = { \"leaf\" = 1 }", ".toml: line 2: the weights are of another generator"),
    ];
    for (text, expected) in complaints {
        let told = complaint(text);
        assert!(told.contains(expected), "{told}");
    }
    for nothing in ["", "# Nothing yet.\n[picks]\n", "smoothing = 2\n"] {
        let told = complaint(nothing);
        assert!(told.contains(".toml: there are none in it: write some, or leave the setting out"), "{told}");
    }
    std::fs::write(&file, b"[picks]\n\"tuning::bst\" = {}\n# \xff\n").unwrap();
    let bytes = Weights::load(&file).unwrap_err();
    let expected = format!("the weights in {}: line 3: it is not text: these bytes are no UTF-8", file.display());
    assert_eq!(bytes.to_string(), expected);
    std::fs::remove_file(&file).unwrap();
    let missing = Check::new().with(Settings::new().weights("no/such.toml").save(false)).failure(0..3, |_| {});
    assert!(missing.unwrap().contains("no/such.toml: "));
}

/// By itself this is heads and tails in one of four.
#[property(weights = "tests/tuning/coins.toml", cases = 300, exhaustive = false)]
fn an_attribute_names_a_file_too(coins: (bool, bool)) {
    cover!(0.6, coins == (true, false));
}

/// As the documentation of `Weights` says.
#[property(weights = "tests/tuning/arguments.toml", cases = 100, exhaustive = false)]
fn arguments_are_called_by_their_numbers(
    #[from(0..10)] first: u8,
    #[from(0..10)] second: u8,
    #[from(0..10)] third: u8,
    case: &mut Case,
) {
    let drawn = case.draw(0..10u8);
    // The third is drawn as the first.
    cover!(0.9, (first, second, third, drawn) == (3, 5, 3, 7));
}
