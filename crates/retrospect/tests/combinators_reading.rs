//! The combinators read what `Debug` prints, and fill holes.

use retrospect::laws::{Law, Laws};
use retrospect::prelude::*;
use std::cell::Cell;

fn refused<G: Generator>(generator: &G, text: &str) -> String {
    let error = generator.read(text).expect_err("it cannot be made");
    error.to_string()
}

#[track_caller]
fn fills<G: Generator>(generator: &G, text: &str) -> Vec<G::Value> {
    (0..100).map(|seed| generator.fill(text, seed).unwrap_or_else(|error| panic!("{text}: {error}"))).collect()
}

#[test]
fn every_combinator_obeys_the_laws() {
    laws::check(&exact("x"));
    laws::check(&just(vec![1, 2]));
    laws::check(&one_of((0..10, 5..20, exact(99))));
    laws::check(&one_of(vec![0..10, 5..20]));
    laws::check(&frequency([(1, 0..10), (0, 30..40), (7, 5..20)]));
    laws::check(&labelled((("a", 0..10), ("b", 3, 5..20))));
    laws::check(&(0..10).with_default(7));
    laws::check(&element_of(["GET", "POST", "GET"]));
    laws::check(&subsequence_of([1, 2, 1, 3], 1..=3));
    laws::check(&permutation_of(["a", "b", "a"]));
    laws::check(&within(0..100).filter(|number| number % 3 == 0));
    laws::check(&vec_of(any::<u8>(), ..).resize(5));
    laws::check(&sized(|size| 0..=size));
    laws::check(&tuple(((0..10).no_shrink(), (0..10).named("digit"))));
    laws::check(&tuple((0..10, 0..10)).boxed());
    laws::check(&lazy(|| 0..10));
    laws::check(&sequence_of(0, ..5, |sum: &u32| (*sum < 20).then(|| *sum..=*sum + 7), |_, item| *item));
    laws::check(&(1..=5usize).bind_with_focus(|n| vec_of(exact(*n), *n), |list: &Vec<usize>| list.first().copied()));
    let even = (0..100u8).map_with_inverse(|half| half * 2, |number| (number % 2 == 0).then_some(number / 2));
    laws::check(&even.with_reader(any::<u8>()));
    Laws::default().forward_only().check(&within(0..10).map(|number| number * 2));
}

#[test]
fn laws_find_an_inverse_that_is_none() {
    let broken = (0..9).map_with_inverse(|number| number * 2, |number: &i32| Some(number + 1));
    assert!(Laws::default().without_reading().verify(&broken).is_err());
    let broken = Laws::default().verify(&within(0..9).map(|number| number)).unwrap_err();
    assert_eq!(broken.law(), Law::Sound);
}

#[test]
fn arms_are_tried_in_turn() {
    let values = one_of((tuple((0..10, exact(0))), tuple((5..20, exact(1)))));
    assert_eq!(values.read("(7, 1)").unwrap(), (7, 1));
    assert_eq!(
        refused(&values, "(25, 1)"),
        "this generator cannot make the part `.0`, which is 25: 25 is not in 0..10; and 25 is not in 5..20"
    );
    // The first part fits the second arm: what is wrong is the second part.
    assert!(
        refused(&values, "(15, 0)")
            .starts_with("this generator cannot make the part `.0`, which is 15: 15 is not in 0..10")
    );
    // With holes, any arm may be meant.
    let seen: std::collections::HashSet<_> = fills(&values, "(7, _)").into_iter().collect();
    assert_eq!(seen.len(), 2);
    // Reasons of arms that did not matter are left out.
    let lists = vec_of(one_of((exact(1), exact(2))), ..);
    assert_eq!(
        refused(&lists, "[2, 2, 3]"),
        "this generator cannot make the part `[2]`, which is 3: it is not 1; and it is not 2"
    );
    let absent = frequency(((0, exact(1)), (1, exact(2))));
    assert!(refused(&absent, "1").contains("arm 0 of `frequency`"));
    assert!(refused(&frequency([(0, exact(1))]), "1").contains("weigh 0"));
    assert!(refused(&frequency([(-1, exact(1))]), "1").contains("-1 is negative"));
}

#[test]
fn items() {
    assert_eq!(element_of(["GET", "POST"]).read("\"POST\"").unwrap(), "POST");
    assert!(refused(&element_of(["GET", "POST"]), "\"PUT\"").ends_with("it is none of [\"GET\", \"POST\"]"));
    let pairs = element_of([(1, 2), (1, 3), (2, 3)]);
    let seen: std::collections::HashSet<_> = fills(&pairs, "(1, _)").into_iter().collect();
    assert_eq!(seen.len(), 2);

    let some = subsequence_of([1, 2, 3, 4, 5], 1..=4);
    assert_eq!(some.read("[2, 4]").unwrap(), [2, 4]);
    assert!(refused(&some, "[4, 2]").contains("the part `[0]`, which is 4"), "{}", refused(&some, "[4, 2]"));
    assert!(refused(&some, "[]").ends_with("its length 0 is not in 1..=4"));
    assert!(refused(&some, "7").contains("expected a list"));
    for value in fills(&some, "[_, 3, _]") {
        assert!(value[0] < 3 && value[1] == 3 && value[2] > 3, "{value:?}");
    }
    let seen: std::collections::HashSet<_> = fills(&some, "[_, 3, _]").into_iter().collect();
    assert_eq!(seen.len(), 4);

    let orders = permutation_of([(1, 'a'), (1, 'b'), (2, 'c')]);
    assert_eq!(orders.read("[(2, 'c'), (1, 'b'), (1, 'a')]").unwrap(), [(2, 'c'), (1, 'b'), (1, 'a')]);
    let seen: std::collections::HashSet<_> = fills(&orders, "[(1, _), _, _]").into_iter().collect();
    assert_eq!(seen.len(), 4);
    // What is open gives way to what is written out.
    for value in fills(&orders, "[(1, _), (_, 'a'), _]") {
        assert_eq!(value, [(1, 'b'), (1, 'a'), (2, 'c')]);
    }
    assert!(refused(&orders, "[(1, 'a'), (1, 'a'), (2, 'c')]").contains("the part `[1]`"));
    assert!(refused(&orders, "[(1, 'a')]").ends_with("its length 1 is not 3"));
}

#[test]
fn filters() {
    let even = within(0..100).filter(|number| number % 2 == 0);
    assert_eq!(even.read("42").unwrap(), 42);
    let message = refused(&even, "43");
    assert!(
        message.starts_with("this generator cannot make 43: the filter at ") && message.ends_with(" refuses it"),
        "{message}"
    );
    let ordered = tuple((0..10, 0..10)).filter(|(a, b)| a < b);
    assert!(fills(&ordered, "(7, _)").iter().all(|(_, b)| *b > 7));
    let error = ordered.fill("(9, _)", 1).unwrap_err().to_string();
    assert!(error.contains("refuses 1000 of 1000 ways to fill its holes"), "{error}");
    // An arm whose filter refuses everything leaves the others.
    let arms = one_of((tuple((0..10, within(0..10).filter(|_| false))), tuple((0..10, 0..5))));
    assert!(fills(&arms, "(3, _)").iter().all(|pair| pair.0 == 3 && pair.1 < 5));
    let only = one_of((tuple((0..10, within(0..10).filter(|_| false))),));
    assert!(only.fill("(3, _)", 1).unwrap_err().to_string().contains("refused 10000 of 10000 values"));
}

#[test]
fn maps_read_through_a_reader() {
    let even = (0..100u8).map_with_inverse(|half| half * 2, |number| (number % 2 == 0).then_some(number / 2));
    assert!(refused(&even, "42").contains("cannot read text: add with_reader"));
    assert!(fills(&even, "_").iter().all(|number| number % 2 == 0));
    let even = even.with_reader(any::<u8>());
    assert_eq!(even.read("42").unwrap(), 42);
    let message = refused(&even, "43");
    assert!(message.contains("the inverse at ") && message.ends_with("finds nothing in it"), "{message}");
    assert!(refused(&even, "x").contains("expected a number of type u8"));
    assert!(refused(&within(0..10).map(|number| number), "1").ends_with("has no inverse: use map_with_inverse"));

    let sorted = vec_of(0..10, 2).map_with_inverse(
        |mut list| {
            list.sort_unstable();
            list
        },
        |list: &Vec<i32>| list.is_sorted().then(|| list.clone()),
    );
    let sorted = sorted.with_reader(vec_of(0..20, 2));
    assert!(fills(&sorted, "[5, _]").iter().all(|list| list[1] >= 5 && list[1] < 10));
    assert_eq!(
        refused(&sorted, "[5, 12]"),
        "this generator cannot make [5, 12]: its part `[1]`, which is 12: 12 is not in 0..10"
    );
}

#[test]
fn binds_try_first_parts_or_use_a_reader() {
    let lists = (1..=5usize).bind_with_focus(|n| vec_of(0..10, *n), |list: &Vec<i32>| Some(list.len()));
    assert_eq!(lists.read("[1, 2, 3]").unwrap(), [1, 2, 3]);
    assert!(fills(&lists, "[1, _]").iter().all(|list| list.len() == 2));
    let message = refused(&lists, "[1, 2, 30]");
    assert_eq!(message, "this generator cannot make the part `[2]`, which is 30: 30 is not in 0..10");
    let wide = any::<u64>().bind_with_focus(|n| exact(*n), |n: &u64| Some(*n));
    assert!(refused(&wide, "123456789").contains("none of 200 values bound at "));
    assert_eq!(wide.with_reader(any::<u64>()).read("123456789").unwrap(), 123_456_789);
}

#[test]
fn sequences() {
    let rising = sequence_of(0, 1..=4, |low: &u32| (*low < 50).then(|| *low..=*low + 9), |_, item| item + 1);
    assert_eq!(rising.read("[3, 5, 14]").unwrap(), [3, 5, 14]);
    assert_eq!(refused(&rising, "[3, 2]"), "this generator cannot make the part `[1]`, which is 2: 2 is not in 4..=13");
    assert!(refused(&rising, "[]").ends_with("its length 0 is not in 1..=4"));
    // What fills the hole must lead to the rest: other fillings are tried.
    assert!(fills(&rising, "[_, 5]").iter().all(|list| list[0] <= 4));
    let short = sequence_of(0, .., |count: &u32| (*count < 2).then_some(0..9), |count, _| count + 1);
    assert!(refused(&short, "[1, 2, 3]").ends_with("nothing can follow after 2 items"));
}

#[derive(Debug, PartialEq)]
struct Block {
    code: Vec<u8>,
    end: u8,
}

/// Blocks whose instructions are below `limit`, which counts the questions for a next one.
#[generator]
fn blocks(limit: u8, asked: &Cell<u32>) -> Block {
    let next = |limit: &u8| {
        asked.set(asked.get() + 1);
        Some(0..*limit)
    };
    let code = draw(sequence_of(limit, ..=6, next, |limit, _| limit));
    let end = draw(0..limit);
    Block { code, end }
}

#[test]
fn what_is_given_and_wrong_is_refused_at_once() {
    let asked = Cell::new(0);
    let refuses = |generator: &dyn Fn(&str) -> String, text: &str, path: &str| {
        asked.set(0);
        let error = generator(text);
        assert_eq!(error, format!("this generator cannot make the part `{path}`, which is 5: 5 is not in 0..2"));
        // Once to fill it, and once to say why it cannot be filled.
        assert!(asked.get() <= 20, "{asked:?} for {text}");
    };
    let nested = sequence_of((), 1, |_| Some(blocks(2, &asked)), |_, _| ());
    let fill = |text: &str| nested.fill(text, 1).unwrap_err().to_string();
    refuses(&fill, "[Block { code: [5, ..], .. }]", "[0].code[0]");
    refuses(&fill, "[Block { code: [1, 5, ..], .. }]", "[0].code[1]");
    let lists = vec_of((0..9, one_of((blocks(2, &asked), blocks(2, &asked)))), ..);
    let fill = |text: &str| lists.fill(text, 1).unwrap_err().to_string();
    refuses(&fill, "[(_, Block { code: [5, ..], .. }), ..]", "[0].1.code[0]");
}

#[test]
fn tries_to_fill_inside_one_another_do_not_multiply() {
    let asked = Cell::new(0);
    let lists = sequence_of((), ..=4, |_| Some(blocks(2, &asked)), |_, _| ());
    let lists = lists.filter(|list| list.len() < 9);
    let error = lists.fill("[.., Block { code: [.., 5, ..], .. }, ..]", 1).unwrap_err();
    assert!(error.to_string().contains("5 is not in 0..2"), "{error}");
    assert!(asked.get() < 100_000, "{asked:?}");
}

#[derive(Clone, Debug, PartialEq)]
enum Nat {
    Z,
    S(Box<Nat>),
}

/// The successor of what `inner` makes, which can read itself.
#[derive(Clone, Debug)]
struct Succ<G>(G);

impl<G: Generator<Value = Nat>> Generator for Succ<G> {
    type Value = Nat;
    fn generate(&self, source: &mut retrospect::source::Source<'_>) -> retrospect::source::Drawn<Nat> {
        Ok(Nat::S(Box::new(self.0.generate(source)?)))
    }
    fn reflect(&self, value: &Nat, reflector: &mut retrospect::reflect::Reflector) -> retrospect::reflect::Reflected {
        match value {
            Nat::S(inner) => self.0.reflect(inner, reflector),
            Nat::Z => reflector.mismatch(value, || "it is no successor".to_owned()),
        }
    }
    fn complete(
        &self,
        sketch: &retrospect::sketch::Sketch<'_>,
        source: &mut retrospect::source::Source<'_>,
    ) -> retrospect::source::Drawn<Nat> {
        match sketch.tuple::<1>("S") {
            Some([inner]) => Ok(Nat::S(Box::new(self.0.complete(&inner, source)?))),
            None if sketch.is_hole() => self.generate(source),
            None => Err(source.not_made(sketch.text(), || "it is no successor".to_owned())),
        }
    }
}

#[test]
fn recursion() {
    let ambiguous = recursive(|nat| {
        one_of((exact(Nat::Z), nat.clone(), Succ(nat.clone()), Succ(Succ(nat.clone())), Succ(Succ(Succ(nat)))))
    });
    Laws::default().cases(100).check(&ambiguous);
    let text = |depth: usize, end: &str| format!("{}{end}{}", "S(".repeat(depth), ")".repeat(depth));
    assert_eq!(format!("{:?}", ambiguous.read(&text(200, "Z")).unwrap()), text(200, "Z"));
    // There are exponentially many ways to the end of this text, and none of them fits.
    let message = refused(&ambiguous, &text(200, "Q"));
    assert!(message.contains("it is not Z"), "{message}");
    for seed in 0..20 {
        let filled = format!("{:?}", ambiguous.fill(&text(100, "_"), seed).unwrap());
        assert!(filled.starts_with(&"S(".repeat(100)));
    }
    // A reading that panics leaves nothing behind.
    let panicking = recursive(|nat| one_of((exact(Nat::Z).filter(|_| panic!("a condition that fails")), Succ(nat))));
    let read = std::panic::AssertUnwindSafe(|| drop(panicking.read("S(Z)")));
    assert!(std::panic::catch_unwind(read).is_err());
    assert_eq!(ambiguous.read("S(Z)").unwrap(), Nat::S(Box::new(Nat::Z)));
}

#[test]
fn deep_text_needs_no_stack() {
    let nats = recursive(|nat| one_of((exact(Nat::Z), Succ(nat))));
    let depth = 20_000;
    let text = format!("{}Z{}", "S(".repeat(depth), ")".repeat(depth));
    retrospect::with_deep_stack(|| {
        let value = std::thread::scope(|scope| {
            let small = std::thread::Builder::new().stack_size(1 << 20);
            small.spawn_scoped(scope, || nats.read(&text).unwrap()).unwrap().join().unwrap()
        });
        assert!(nats.accepts(&value));
        drop(value);
    });
}

#[test]
fn functions_that_call_themselves() {
    fn nats() -> impl Generator<Value = Nat> {
        one_of((exact(Nat::Z), lazy(nats), Succ(lazy(nats))))
    }
    assert_eq!(nats().read("S(S(Z))").unwrap(), Nat::S(Box::new(Nat::S(Box::new(Nat::Z)))));
    assert!(refused(&nats(), "S(S(Q))").contains("it is not Z"));
    assert!(matches!(nats().fill("S(_)", 3).unwrap(), Nat::S(_)));
}

#[derive(Clone, Debug, PartialEq)]
struct Percent(u8);

#[derive(Clone, Debug, PartialEq)]
struct Share {
    percent: Percent,
}

/// What prints its only part, or nothing but what it was made of, is read without a reader.
#[test]
fn newtypes_are_read() {
    let percents = || (0..=100u8).map_with_focus(Percent, |percent| Some(&percent.0));
    let shares = percents().map_with_inverse(|percent| Share { percent }, |share| Some(share.percent.clone()));
    laws::check(&percents());
    laws::check(&vec_of(shares.clone(), ..));
    assert_eq!(shares.read("Share { percent: Percent(7) }").unwrap(), Share { percent: Percent(7) });
    assert!(percents().fill("Percent(_)", 1).is_ok());
    assert!(refused(&percents(), "Percent(101)").contains("101"));
    assert!(refused(&percents(), "Other(7)").contains("add with_reader"));
    assert!(refused(&shares, "Share { percent: Other(7) }").contains("add with_reader"));
    // It prints nothing of its own.
    let doubled = (0..50u8).map_with_inverse(std::num::Wrapping, |wrapped| Some(wrapped.0));
    assert_eq!(doubled.read("Wrapping(7)").or_else(|_| doubled.read("7")).unwrap().0, 7);
    // Deep ones are printed once, not once for each level.
    #[derive(Debug)]
    struct Folder(Vec<Folder>);
    let folders = || recursive(|folder| vec_of(folder, ..=1).map_with_focus(Folder, |folder: &Folder| Some(&folder.0)));
    let deep = format!("{}[]{}", "Folder([".repeat(300) + "Folder(", ")".to_owned() + &"])".repeat(300));
    assert_eq!(format!("{:?}", folders().read(&deep).unwrap()), deep);
}

#[test]
fn the_rest_of_a_set_or_a_map_is_any_number_of_items() {
    let sets = set_of(0..10u8, 2..=5);
    let lengths =
        |text: &str| -> std::collections::BTreeSet<usize> { fills(&sets, text).iter().map(|set| set.len()).collect() };
    assert_eq!(lengths("{..}"), [2, 3, 4, 5].into());
    assert_eq!(lengths("{7, .., _, 3}"), [3, 4, 5].into());
    assert!(fills(&sets, "{7, .., 3}").iter().all(|set| set.contains(&7) && set.contains(&3)));
    // Fewer, where there are no more.
    assert!(fills(&hash_set_of(any::<bool>(), ..), "{true, ..}").iter().all(|set| set.contains(&true)));
    let error = sets.fill("{1, 2, 3, 4, 5, 6, ..}", 1).unwrap_err().to_string();
    assert!(error.ends_with("its length is at least 6, which is not in 2..=5"), "{error}");
    let maps = map_of(0..10u8, any::<bool>(), ..6);
    assert!(fills(&maps, "{..}").iter().any(|map| map.len() > 2));
    assert!(fills(&maps, "{7: true, ..}").iter().all(|map| map[&7]));
    assert!(fills(&maps, "{7: true, .., 3: _}").iter().any(|map| map.len() > 3 && map[&7] && map.contains_key(&3)));
    let nested = map_of(any::<u8>(), vec_of(any::<u8>(), ..), ..).fill("{1: [2, ..], ..}", 3).unwrap();
    assert_eq!(nested[&1][0], 2);
    // A text without holes is a value, in which `..` is a range.
    assert!(any::<std::collections::BTreeSet<u8>>().read("{1, ..}").is_err());
}

#[test]
fn the_rest_of_a_tuple_is_filled() {
    #[derive(Clone, Debug, PartialEq, Generate)]
    struct Rect(u8, u8, u8, u8);
    #[derive(Clone, Debug, PartialEq, Generate)]
    enum Shape {
        Dot,
        Box(Rect, Option<(u8, u8)>),
    }
    assert!(fills(&any::<(u8, u8, u8)>(), "(1, ..)").iter().all(|tuple| tuple.0 == 1));
    assert!(fills(&any::<(u8, u8, u8)>(), "(.., 1)").iter().all(|tuple| tuple.2 == 1));
    assert!(fills(&any::<(u8, u8)>(), "(1, .., 2)").iter().all(|tuple| *tuple == (1, 2)));
    assert!(fills(&any::<(u8, u8)>(), "(1, 2, ..)").iter().all(|tuple| *tuple == (1, 2)));
    assert!(fills(&any::<Rect>(), "Rect(1, .., 2)").iter().all(|rect| (rect.0, rect.3) == (1, 2)));
    for shape in fills(&any::<Shape>(), "Box(Rect(..), Some((.., 3)))") {
        assert!(matches!(shape, Shape::Box(_, Some((_, 3)))));
    }
    assert!(fills(&any::<Shape>(), "Box(..)").iter().all(|shape| *shape != Shape::Dot));
    assert!(any::<(u8, u8)>().fill("(1, 2, 3, ..)", 1).is_err());
    // Where nothing is filled, it is the range.
    assert!(any::<(u8, u8)>().read("(1, ..)").is_err());
}

#[test]
fn the_rest_of_a_list_is_any_number_of_items() {
    let lists = vec_of(0..10u8, 2..=5);
    let lengths = |text: &str| -> Vec<usize> {
        let mut lengths: Vec<usize> = fills(&lists, text).iter().map(Vec::len).collect();
        lengths.sort();
        lengths.dedup();
        lengths
    };
    assert_eq!(lengths("[..]"), [2, 3, 4, 5]);
    assert_eq!(lengths("[1, .., 5]"), [2, 3, 4, 5]);
    assert_eq!(lengths("[1, 2, 3, 4, .. ]"), [4, 5]);
    assert!(fills(&lists, "[1, .., 5]").iter().all(|list| list[0] == 1 && list.ends_with(&[5])));
    assert!(fills(&lists, "[.., 3]").iter().all(|list| list.ends_with(&[3])));
    assert!(fills(&lists, "[.., 3, ..]").iter().any(|list| list.first() != Some(&3) && list.last() != Some(&3)));
    // Inside each other, and in other generators of lists.
    let nested = vec_of(vec_of(0..10u8, ..), ..).fill("[[1, ..], .., [.., 2]]", 1).unwrap();
    assert!(nested[0][0] == 1 && nested.last().unwrap().ends_with(&[2]));
    assert_eq!(any::<[u8; 300]>().fill("[1, .., 7]", 1).unwrap()[299], 7);
    assert_eq!(permutation_of([1, 2, 3]).fill("[3, ..]", 1).unwrap()[0], 3);
    assert_eq!(fills(&subsequence_of([1, 2, 3, 4], ..), "[2, .., 4]")[0][0], 2);
    let rising = sequence_of(0, .., |least: &u8| Some(*least..=20), |_, item| *item);
    assert!(fills(&rising, "[3, .., 9, 20]").iter().all(|list| list.is_sorted() && list.ends_with(&[9, 20])));
    let even = vec_of(0..10u8, ..).filter(|list| list.len() % 2 == 0);
    assert!(fills(&even, "[1, ..]").iter().all(|list| list.len() % 2 == 0));
}

#[test]
fn the_rest_of_a_list_is_compared() {
    let elements = element_of([vec![1, 2], vec![1, 2, 3], vec![4, 3]]);
    assert_eq!(elements.fill("[1, .., 3]", 1).unwrap(), [1, 2, 3]);
    assert_eq!(elements.fill("[.., 2]", 1).unwrap(), [1, 2]);
    assert_eq!(elements.fill("[.., 4, ..]", 1).unwrap(), [4, 3]);
    assert!(elements.fill("[1, .., 1]", 1).is_err());
    assert!(elements.fill("[.., 2, .., 2, ..]", 1).is_err());
}

#[generator]
fn three() -> Vec<u8> {
    let (first, last) = draw(tuple((0..5u8, 5..9u8)));
    vec![first, last, 7]
}

#[derive(Clone, Debug, PartialEq)]
struct Box3 {
    low: u8,
    high: u8,
    name: char,
}

#[generator]
fn boxes() -> Box3 {
    let (low, high) = draw(tuple((0..5u8, 5..9u8)));
    Box3 { low, high, name: 'x' }
}

#[test]
fn the_rest_of_a_list_in_a_tail() {
    assert!(fills(&boxes(), "Box3 { high: 6, .. }").iter().all(|made| made.high == 6));
    assert!(fills(&three(), "[4, ..]").iter().all(|list| list[0] == 4 && list[2] == 7));
    assert!(fills(&three(), "[.., 6, ..]").iter().all(|list| list.len() == 3));
}

#[test]
fn the_rest_of_a_list_is_told_from_ranges() {
    use std::ops::RangeFull;
    let ranges = any::<Vec<RangeFull>>();
    assert_eq!(ranges.read("[.., ..]").unwrap().len(), 2);
    assert!(fills(&ranges, "[.., ..]").iter().any(|ranges| ranges.len() > 2));
    let error = |text: &str| any::<Vec<u8>>().fill(text, 1).unwrap_err().to_string();
    assert!(error("[..2]").contains("the part `[0]`, which is ..2: expected a number of type u8, not a range"));
    assert!(error("[1, .. 3]").contains("the part `[1]`, which is .. 3"));
    assert!(error("[300, ..]").contains("the part `[0]`, which is 300"));
    assert!(error("[1, ..=, 2]").starts_with("1:8: expected a part after `..=`"), "{}", error("[1, ..=, 2]"));
    assert_eq!(
        refused(&any::<Vec<u8>>(), "[1, ..]"),
        "the text leaves parts out with `..`: `fill` it, or write all parts"
    );
    let wanted = "this generator cannot make [1, .., 2, 3]: its length is at least 3, which is not in 0..=2";
    assert_eq!(vec_of(0..9u8, ..=2).fill("[1, .., 2, 3]", 1).unwrap_err().to_string(), wanted);
    let functions = any::<Function<Vec<u8>, bool>>();
    assert!(functions.fill("{[1, ..] => true, _ => false}", 1).unwrap_err().to_string().contains("cannot have holes"));
}
