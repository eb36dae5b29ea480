//! What a value shrinks to, said by hand, and ranges with an origin and a skew.

use super::*;
use retrospect::generator::{ShrinkTree, Skewed, from_shrink_tree, shrink_to};
use retrospect::laws::{Law, Laws};
use retrospect::shrink::End;

#[test]
fn shrinking_to_given_values() {
    let numbers = shrink_to(30, [1, 5, 10]);
    recalls(&numbers);
    Laws::default().check(&numbers);
    assert!((0..SEEDS).all(|seed| numbers.sample(seed) == 30));
    assert_eq!(numbers.replay(&Choices::default()), 1);
    let texts = [1, 5, 10, 30].map(|number| numbers.choices_of(&number).unwrap().to_string());
    assert_eq!(texts, ["0:", "1:", "2:", "3:"]);
    assert_eq!(reason(&numbers, &7).1, "it is neither 30 nor one of [1, 5, 10]");
    let error = numbers.read("7").unwrap_err().to_string();
    assert_eq!(error, "this generator cannot make 7: it is neither 30 nor one of [1, 5, 10]");
    assert_eq!(numbers.read("10").unwrap(), 10);
    let smallest = |fails: &dyn Fn(&i32) -> bool| numbers.shrink(30, fails).unwrap().value;
    assert_eq!(smallest(&|_| true), 1);
    assert_eq!(smallest(&|number| *number > 1), 5);
    assert_eq!(smallest(&|number| *number == 10 || *number == 30), 10);
    assert_eq!(smallest(&|number| *number == 30), 30);
    // Without others nothing is chosen.
    let fixed = shrink_to("a", []);
    recalls(&fixed);
    assert_eq!(reason(&fixed, &"b").1, "it is not \"a\"");
    assert_eq!(fixed.shrink("a", |_| true).unwrap().value, "a");
}

#[test]
fn each_of_many_others_is_tried() {
    for count in [15, 16, 17, 30, 31, 100] {
        let numbers = shrink_to(1000, 0..count);
        recalls(&numbers);
        for wanted in 0..count {
            let smallest = numbers.shrink(1000, |number| *number == 1000 || *number == wanted).unwrap();
            assert_eq!(smallest.value, wanted, "of {count}");
        }
    }
}

#[test]
fn values_shrink_to_others_inside_of_larger_ones() {
    let lists = vec_of(tuple((shrink_to('c', ['a', 'b']), 0..100)), ..);
    recalls(&lists);
    laws::minimum(&lists, |list| list.iter().any(|(letter, number)| *letter > 'a' && *number > 9), [vec![('b', 10)]]);
}

/// As QuickCheck's shrinker for lists: without each of the items, then with each item less by one.
fn shorter(list: &[u32]) -> Vec<Vec<u32>> {
    let without = (0..list.len()).map(|place| {
        let mut list = list.to_vec();
        list.remove(place);
        list
    });
    let lowered = (0..list.len()).filter(|place| list[*place] > 0).map(|place| {
        let mut list = list.to_vec();
        list[place] -= 1;
        list
    });
    without.chain(lowered).collect()
}

#[test]
fn shrinking_with_a_function() {
    let lists = vec_of(0..20u32, ..=10).shrink_with(|list| shorter(list));
    recalls(&lists);
    Laws::default().check(&lists);
    assert_eq!(lists.choices_of(&vec![3, 4]).unwrap().to_string(), "(([3 4]) (0))");
    assert_eq!(lists.replay(&"(([3 4]) (1 2 0))".parse().unwrap()), [3]);
    assert_eq!(lists.read("[3, 4]").unwrap(), [3, 4]);
    assert_eq!(reason(&lists, &vec![3, 20]), ("[1]".to_owned(), "20 is not in 0..20".to_owned()));
    // The items come in the order they had: only the function shrinks, and it does not sort.
    laws::minimum(&lists, |list| list.windows(2).any(|pair| pair[0] > pair[1]), [vec![1, 0]]);
    let smallest = lists.shrink(vec![9, 3, 7], |list| list.iter().sum::<u32>() >= 12).unwrap();
    assert_eq!(smallest.value, [5, 7]);
    // Of what a function offers it is not known whether it is everything.
    assert!(matches!(&smallest.end, End::Stalled { passes, .. } if passes.is_empty()), "{:?}", smallest.end);
    // What was shrunk to can be shrunk again.
    assert_eq!(lists.choices_of(&smallest.value).unwrap().to_string(), "(([5 7]) (0))");
    obeys(&vec_of(tuple((lists.clone(), 0..9)), ..=3));
}

#[test]
fn a_shrinker_cannot_leave_what_the_generator_makes() {
    let even = within(0..1000u32).filter(|number| number % 2 == 0);
    let careless = even.clone().shrink_with(|number| number.checked_sub(1).into_iter().chain(number.checked_sub(2)));
    recalls(&careless);
    let few = Laws::default().cases(20);
    few.verify_shrinking(&careless, |before, after| after % 2 == 0 && before - after == 2).unwrap();
    few.verify_minimum(&careless, |number| *number > 10, |number| *number == 12).unwrap();
    assert!(careless.try_replay(&"((500) (1 0))".parse().unwrap()).is_err());
    // A generator without a way back cannot tell.
    let forward = even.map(|number| number + 1).shrink_with(|number| number.checked_sub(1));
    Laws::default().forward_only().check(&forward);
    few.verify_minimum(&forward, |number| *number > 10, |number| *number == 11).unwrap();
}

#[test]
fn a_shrinker_that_never_ends_is_stopped() {
    let endless = exact(5).shrink_with(|number| [*number]);
    let smallest = endless.shrink(5, |_| true).unwrap();
    assert_eq!((smallest.value, smallest.runs), (5, 1000));
    assert!(matches!(&smallest.end, End::Stalled { passes, .. } if *passes == ["step"]), "{:?}", smallest.end);
    let growing = any::<u64>().shrink_with(|number| number.checked_add(1));
    assert_eq!(growing.shrink(1, |_| true).unwrap().value, 1001);
    // One that offers without end is cut off.
    let many = any::<u64>().shrink_with(|number| (*number > 50).then_some(40..).into_iter().flatten());
    assert_eq!(many.shrink(70, |number| *number >= 40).unwrap().value, 40);
}

#[test]
fn by_hand_and_by_choices_in_one_value() {
    let pairs = tuple((0..100, (0..100).shrink_with(|number| [number / 2]), vec_of(0..100, ..)));
    recalls(&pairs);
    let smallest = pairs.shrink((70, 90, vec![4, 80, 2]), |(left, right, list)| {
        *left > 20 && *right > 10 && list.iter().any(|item| *item > 30)
    });
    assert_eq!(smallest.unwrap().value, (21, 11, vec![31]));
}

#[test]
fn generators_from_shrink_trees() {
    let tree = ShrinkTree::unfold(100u32, |number| vec![number / 2, number - number / 10]);
    let numbers = from_shrink_tree(tree.clone());
    Laws::default().check(&numbers);
    assert!((0..SEEDS).all(|seed| numbers.sample(seed) == 100));
    assert_eq!(numbers.replay(&Choices::default()), 100);
    assert_eq!(numbers.choices_of(&45).unwrap().to_string(), "(1 2 0)");
    assert_eq!(numbers.replay(&"(2 1)".parse().unwrap()), 45);
    assert_eq!(numbers.read("45").unwrap(), 45);
    // 100, 50, 45, 41, 37, 34, 31, 28: each time the half is too small, and a tenth less is not.
    assert_eq!(numbers.shrink(100, |number| *number >= 27).unwrap().value, 28);
    assert_eq!(reason(&numbers, &99).1, "it is not among the first 10000 values of the shrink tree");
    let small = from_shrink_tree(ShrinkTree::new('c', || [ShrinkTree::leaf('a'), ShrinkTree::leaf('b')]));
    recalls(&small);
    assert_eq!(reason(&small, &'d').1, "it is not in the shrink tree");
    assert_eq!(
        small.read("'d'").unwrap_err().to_string(),
        "this generator cannot make 'd': it is not in the shrink tree"
    );
    assert_eq!(format!("{small:?}"), "from_shrink_tree('c', …)");
    obeys(&vec_of(small.boxed(), ..));
}

#[test]
fn the_tree_of_what_shrinking_tries() {
    let lists = vec_of(0..10, ..=4);
    let tree = lists.shrink_tree(5);
    assert_eq!(*tree.value(), lists.sample(5));
    // Everything below is simpler than what is above it, all the way along a few ways.
    for way in 0..20 {
        let mut tree = tree.clone();
        let mut rng = Rng::new(way);
        let mut depth = 0;
        loop {
            let above = lists.choices_of(tree.value()).unwrap();
            let below: Vec<_> = tree.children().collect();
            for child in &below {
                assert!(retrospect::shrink::compare(&lists.choices_of(child.value()).unwrap(), &above).is_lt());
            }
            if below.is_empty() {
                assert_eq!(*tree.value(), Vec::<i32>::new());
                break;
            }
            tree = below[rng.at_most(below.len() as u64 - 1) as usize].clone();
            depth += 1;
            assert!(depth < 1000);
        }
    }
    // There and back: the tree of a generator is a generator that shrinks alike.
    let again = from_shrink_tree(lists.shrink_tree_from(&lists.choices_of(&vec![7, 3]).unwrap()));
    let fails = |list: &Vec<i32>| list.iter().sum::<i32>() >= 5;
    assert_eq!(again.shrink(vec![7, 3], fails).unwrap().value, lists.shrink(vec![7, 3], fails).unwrap().value);
}

#[test]
fn frozen_parts_stay_as_they_are() {
    let frozen = || (0..1000u32).no_shrink();
    let pairs = tuple((frozen(), frozen(), 0..1000u32));
    assert_eq!(pairs.shrink((500, 3, 700), |_| true).unwrap().value, (500, 3, 0));
    // They may go, in lists and with arms, but are neither sorted nor fused nor merged.
    let lists = vec_of(frozen(), ..);
    let smallest = lists.shrink(vec![9, 5, 7, 1], |list| list.iter().sum::<u32>() >= 12).unwrap();
    assert_eq!(smallest.value.len(), 2);
    let is_part = |list: &[u32]| [9, 5, 7, 1].iter().filter(|item| list.contains(item)).eq(list);
    assert!(is_part(&smallest.value), "{:?}", smallest.value);
    let nested = vec_of(vec_of(0..9u32, ..).no_shrink(), ..);
    let smallest = nested.shrink(vec![vec![3, 1], vec![2, 2], vec![5]], |lists| lists.concat().len() >= 3).unwrap();
    assert_eq!(smallest.value, [vec![3, 1], vec![2, 2]]);
    let arms = one_of((exact(0), frozen(), 0..2000u32));
    assert_eq!(arms.shrink(1700, |number| *number > 1).unwrap().value, 2);
    let options = option_of(frozen());
    assert_eq!(options.shrink(Some(5), |option| option.is_some()).unwrap().value, Some(5));
    assert_eq!(options.shrink(Some(5), |_| true).unwrap().value, None);
    // A new one begins as the simplest.
    let later = one_of((frozen(), 500..600u32));
    assert_eq!(later.shrink(555, |_| true).unwrap().value, 0);
}

/// Recursive parts are hoisted, rearranged and built anew; what is frozen in them is not.
#[test]
fn frozen_parts_survive_every_pass() {
    let trees = recursive(|tree| {
        one_of((
            exact(None),
            tuple(((0..10u8).no_shrink(), vec_of(tree, ..=3))).map_with_inverse(
                |(key, below): (u8, Vec<Option<Tree>>)| Some(Tree(key, below)),
                |tree: &Option<Tree>| tree.as_ref().map(|tree| (tree.0, tree.1.clone())),
            ),
        ))
    });
    fn keys(tree: &Option<Tree>) -> Vec<u8> {
        let Some(Tree(key, below)) = tree else { return Vec::new() };
        std::iter::once(*key).chain(below.iter().flat_map(keys)).collect()
    }
    let mut seen = 0;
    for seed in 0..2000 {
        let tree = trees.sample(seed);
        let before = keys(&tree);
        if before.len() < 4 {
            continue;
        }
        seen += 1;
        let smallest = trees.shrink(tree, |tree| keys(tree).len() >= 3).unwrap();
        let after = keys(&smallest.value);
        assert_eq!(after.len(), 3);
        let mut rest = before.iter();
        assert!(after.iter().all(|key| rest.any(|other| other == key)), "{before:?} {after:?}");
    }
    assert!(seen > 100, "{seen}");
    #[derive(Clone, Debug, PartialEq)]
    struct Tree(u8, Vec<Option<Tree>>);
}

#[test]
fn origins() {
    let order = |generator: &dyn Generator<Value = i32>| -> Vec<i32> {
        (0..10).map(|index: u64| generator.replay(&index.to_string().parse().unwrap())).collect()
    };
    assert_eq!(order(&(0..=9).origin(3)), [3, 4, 2, 5, 1, 6, 0, 7, 8, 9]);
    assert_eq!(order(&(0..=9).origin(9)), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(order(&(-4..=5).origin(-1)), [-1, 0, -2, 1, -3, 2, -4, 3, 4, 5]);
    let letters = ('a'..='e').origin('d');
    let first: String = (0..5).map(|index: u64| letters.replay(&index.to_string().parse().unwrap())).collect();
    assert_eq!(first, "decba");
    laws::minimum(&within(0..=1000i32).origin(500), |number| (number - 500).abs() >= 33, [533]);
    laws::minimum(&(0..=1000).origin(500), |number| *number < 450, [449]);
    laws::minimum(&(0.0..=100.0).origin(50.0), |number| *number != 50.0, [51.0]);
    laws::minimum(&(0.0..=100.0f32).origin(37.5), |_| true, [37.5]);
    laws::minimum(&(0u128..=u128::MAX).origin(1 << 100), |number| *number > (1 << 100) + 7, [(1 << 100) + 8]);
    laws::shrinking(&(0..=1000).origin(500), |before, after| (before - 500i32).abs() >= (after - 500i32).abs());
}

#[test]
fn origins_and_skews_that_are_wrong() {
    let refused = |generator: Skewed<std::ops::RangeInclusive<i32>>, why: &str| {
        assert_eq!(stopped(&generator), why);
        assert_eq!(reason(&generator, &5).1, why);
        assert!(generator.read("5").unwrap_err().to_string().ends_with(why));
    };
    refused((0..=9).origin(10), "the origin 10 is not in 0..=9");
    refused((0..=9).origin(5).skewed(f64::NAN), "the skew of 0..=9 is NaN, which is not a finite number");
    refused((0..=9).skewed(f64::INFINITY), "the skew of 0..=9 is inf, which is not a finite number");
    refused((0..=9).skewed(f64::NEG_INFINITY), "the skew of 0..=9 is -inf, which is not a finite number");
    #[expect(clippy::reversed_empty_ranges, reason = "that is what is wrong")]
    refused((9..=0).origin(5), "the range 9..=0 is empty: its lower end is above its upper end");
    let nan = (0.0..=1.0).origin(f64::NAN);
    assert_eq!(stopped(&nan), "the origin NaN is not in 0.0..=1.0");
    assert_eq!(reason(&(0..=9).origin(5), &12).1, "12 is not in 0..=9");
    assert_eq!((0..=9).origin(5).read("x").unwrap_err().to_string(), (0..=9).read("x").unwrap_err().to_string());
}

/// The share of values for which the condition holds.
fn share<G: Generator>(generator: &G, holds: impl Fn(&G::Value) -> bool) -> f64 {
    (0..4000).filter(|seed| holds(&generator.sample(*seed))).count() as f64 / 4000.0
}

#[track_caller]
fn assert_near(share: f64, expected: f64) {
    assert!((share - expected).abs() < 0.04, "{share} is not {expected}");
}

#[test]
fn a_skew_bends_what_is_drawn() {
    // Half of the values lie below 1 - (1 - 0.5^p)^(1/p) of the range, p being the skew plus 1.
    for (skew, median) in [(0.0, 0.5), (1.0, 0.134), (3.0, 0.016), (-1.0, 0.866), (-3.0, 0.984)] {
        let below = median * 1e6;
        assert_near(share(&(0..1_000_000).skewed(skew), |number| f64::from(*number) < below), 0.5);
        assert_near(share(&(0u64..=u64::MAX).skewed(skew), |number| (*number as f64) < median * 2f64.powi(64)), 0.5);
        assert_near(share(&(0u128..=u128::MAX).skewed(skew), |number| (*number as f64) < median * 2f64.powi(128)), 0.5);
        assert_near(share(&(0.0..1e6).skewed(skew), |number| *number < below), 0.5);
        assert_near(share(&(0.0..1e6f32).origin(0.0).skewed(skew), |number| f64::from(*number) < below), 0.5);
    }
    // Around an origin inside, both sides alike.
    let around = (0..=1000).origin(500).skewed(2.0);
    assert_near(share(&around, |number| *number < 500), share(&around, |number| *number > 500));
    assert!(share(&around, |number| (450..=550).contains(number)) > 0.6);
    let floats = (0.0..=1000.0).origin(500.0).skewed(2.0);
    assert_near(share(&floats, |number| *number < 500.0), 0.5);
    assert!(share(&floats, |number| (450.0..=550.0).contains(number)) > 0.6);
    // Without a skew an origin changes nothing but the order.
    assert_near(share(&(0..=999).origin(900), |number| *number < 250), 0.25);
    assert_near(share(&uniform(0..=u64::MAX).origin(5), |number| *number < 1 << 62), 0.25);
}

#[test]
fn laws_of_shrinking_say_what_is_wrong() {
    let wrong = any::<u64>().map(|number| number % 100);
    let broken = Laws::default().verify_shrinking(&wrong, |before, after| before >= after).unwrap_err();
    assert_eq!(broken.law(), Law::Shrinking);
    let text = broken.to_string();
    assert!(
        text.starts_with("a law of generators is broken: each step of shrinking leads where it should\n  value:   ")
    );
    let problem = broken.problem();
    for part in [
        "shrinking makes ",
        " of it, and the relation does not hold between the two\n  step:    ",
        " of the pass `",
        "\n  seed:    0x",
    ] {
        assert!(problem.contains(part), "{problem}");
    }
    // The seed makes the value that was shrunk.
    let few = Laws::default().cases(30);
    let broken = few.verify_minimum(&(0..1000), |number| *number >= 30, |number| *number == 7).unwrap_err();
    assert_eq!((broken.law(), broken.value()), (Law::Minimum, "30"));
    let problem = broken.problem().split("\n  seed:").next().unwrap();
    assert_eq!(
        problem,
        "it is what is left of a value that fails; expected is what meets the condition\n  simpler: 29, 28, 26, 0, which do not fail"
    );
    let broken = few.verify_minimum(&(0..1000), |_| false, |_| true).unwrap_err();
    assert_eq!(broken.problem(), "none of 300 values fails, so nothing was shrunk");
    let panicked = std::panic::catch_unwind(|| laws::minimum(&(0..1000), |number| *number >= 30, [7, 8]));
    let message = *panicked.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("expected is one of [7, 8]\n"), "{message}");
}

#[test]
fn a_property_shrinks_by_hand_too() {
    // The generator refuses every second step; a property that holds is not disturbed by that.
    let even = within(0..1000u32).filter(|number| number % 2 == 0);
    let lowered = even.shrink_with(|number| number.checked_sub(1).into_iter().chain(number.checked_sub(2)));
    let mut cases = 0;
    check(tuple((lowered.clone(), shrink_to('b', ['a']))), |(number, _)| {
        cases += 1;
        assert_eq!(number % 2, 0);
    });
    assert!(cases >= 100, "{cases}");
    let mut last = None;
    let report = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        Check::new().save(false).run(tuple((lowered, shrink_to('b', ['a']))), |value| {
            last = Some(value);
            assert!(value.0 < 90);
        });
    }));
    let report = *report.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(report, "assertion failed: value.0 < 90");
    // The smallest is run last, so that it is the one to be told of.
    assert_eq!(last, Some((90, 'a')));
}
