//! What is wrong is an error that says what and where; nothing hangs, nothing aborts.

use retrospect::laws::{Law, Laws};
use retrospect::prelude::*;
use retrospect::sketch::ReadError;
use retrospect::source::Source;
use retrospect::with_deep_stack;

fn stopped<G: Generator>(generator: &G) -> String {
    let mut source = Source::random(1);
    match generator.generate(&mut source) {
        Ok(value) => panic!("{value:?} was made"),
        Err(_) => source.why().expect("a reason").to_string(),
    }
}

#[test]
#[expect(clippy::reversed_empty_ranges, reason = "that is the point")]
fn empty_ranges() {
    assert_eq!(stopped(&(10..=3)), "the range 10..=3 is empty: its lower end is above its upper end");
    assert_eq!(stopped(&(3..3u8)), "the range 3..3 is empty: its lower end is not below its upper end");
    assert_eq!(stopped(&('z'..='a')), "the range 'z'..='a' is empty: its lower end is above its upper end");
    assert_eq!(stopped(&vec_of(0..9, 5..=2)), "the lengths 5..=2 are empty: the least is above the most");
    assert!((10..=3).choices_of(&5).unwrap_err().reason().contains("is empty"));
    assert!((10..=3).read("5").is_err());
}

#[generator]
fn weighed(first: i64, second: i64) -> u8 {
    match pick() {
        #[weight(first)]
        "first" => 1,
        #[weight(second)]
        "second" => 2,
    }
}

#[test]
fn weights() {
    assert_eq!(weighed(0, 1).sample(1), 2);
    assert!(!weighed(0, 1).accepts(&1), "an arm of weight 0 is absent in every direction");
    assert!(weighed(0, 1).read("1").is_err());
    assert_eq!(weighed(0, 3).replay(&"0:first".parse().unwrap()), 2);
    let all_zero = stopped(&weighed(0, 0));
    assert!(
        all_zero.starts_with("all 2 arms of the pick in `weighed` (crates/retrospect/tests/bad_input.rs:"),
        "{all_zero}"
    );
    let negative = stopped(&weighed(1, -5));
    assert!(negative.starts_with("the weight of arm `second` in `weighed` ("), "{negative}");
    assert!(negative.ends_with("is wrong: -5 is negative: a weight is 0 or more"), "{negative}");
    assert!(stopped(&weighed(i64::MAX, 1)).ends_with("is too large: a weight is at most 4294967294"));
    let no_arms: [std::ops::Range<u8>; 0] = [];
    assert!(stopped(&one_of(no_arms)).contains("has no arms"));
}

#[derive(Debug, PartialEq)]
enum Chain {
    More(Box<Chain>),
    End,
}

/// Its first arm calls it again: the simplest value never ends.
#[generator]
fn endless() -> Chain {
    match pick() {
        "more" => Chain::More(Box::new(draw(endless()))),
        "end" => Chain::End,
    }
}

#[test]
fn a_simplest_value_without_end() {
    // It is made to end, but that is not the simplest value.
    assert!(endless().try_replay(&Choices::default()).is_ok());
    let broken = Laws::default().verify(&endless()).unwrap_err();
    assert_eq!(broken.law(), Law::Ends);
    assert!(broken.problem().starts_with("the first arm of `endless` ("), "{broken}");
}

#[derive(Debug, PartialEq)]
enum Nat {
    Z,
    S(Box<Nat>),
    Never,
}

#[generator]
fn sums() -> Nat {
    match pick() {
        "Z" => Nat::Z,
        "S" => Nat::S(Box::new(draw(sums()))),
        "2" => Nat::S(Box::new(Nat::S(Box::new(draw(sums()))))),
    }
}

#[generator]
fn looping() -> Nat {
    match pick() {
        "Z" => Nat::Z,
        "S" => Nat::S(Box::new(draw(looping()))),
        "inf" => draw(looping()),
    }
}

fn nat(size: usize, end: Nat) -> Nat {
    (0..size).fold(end, |nat, _| Nat::S(Box::new(nat)))
}

#[test]
fn ambiguity_is_linear_in_every_direction() {
    let (good, bad) = (nat(1000, Nat::Z), nat(1000, Nat::Never));
    let (good_text, bad_text) = (format!("{good:?}"), format!("{bad:?}"));
    assert!(sums().accepts(&good) && looping().accepts(&good));
    assert!(!sums().accepts(&bad) && !looping().accepts(&bad));
    assert!(sums().choices_of(&bad).unwrap_err().reason().contains("Nat::"));
    assert_eq!(sums().read(&good_text).unwrap(), good);
    assert_eq!(looping().read(&good_text).unwrap(), good);
    assert!(matches!(sums().read(&bad_text), Err(ReadError::NotGenerated(_))));
    assert!(matches!(looping().read(&bad_text), Err(ReadError::NotGenerated(_))));
    assert_eq!(sums().ways_of(&bad).count().to_string(), "0");
    assert_eq!(sums().ways_of(&nat(10, Nat::Z)).count().to_string(), "89");
    assert_eq!(
        looping().ways_of(&nat(3, Nat::Z)).count().to_string(),
        "infinitely many: `looping` can call itself on the same part"
    );
}

/// The paper's gE at 10,000: linear, and exact to the last of its 2,090 digits.
#[test]
fn exponentially_many_ways_are_counted() {
    let number = nat(10_000, Nat::Z);
    let ways = sums().ways_of(&number).count().to_string();
    assert_eq!((ways.len(), &ways[..12], &ways[2078..]), (2090, "544383731135", "711185597501"));
    with_deep_stack(move || drop(number));
}

#[derive(Debug, PartialEq)]
enum Tree {
    Leaf,
    Node(Box<Tree>, i64, Box<Tree>),
}

#[generator]
fn bst(lo: i64, hi: i64) -> Tree {
    if lo > hi {
        return Tree::Leaf;
    }
    match pick() {
        "leaf" => Tree::Leaf,
        "node" => {
            let x = draw(lo..=hi);
            let l = draw(bst(lo, x - 1));
            let r = draw(bst(x + 1, hi));
            Tree::Node(Box::new(l), x, Box::new(r))
        }
    }
}

fn leaning(depth: i64) -> Tree {
    (0..depth).rev().fold(Tree::Leaf, |tree, key| Tree::Node(Box::new(Tree::Leaf), key, Box::new(tree)))
}

#[test]
fn a_tree_of_100_000_levels_on_a_test_thread() {
    let (tree, generator) = (leaning(100_000), bst(0, i64::MAX - 1));
    let choices = generator.choices_of(&tree).unwrap();
    assert_eq!(choices.to_string().parse::<Choices>().unwrap(), choices);
    let replayed = generator.replay(&choices);
    let text = with_deep_stack(|| format!("{tree:?}"));
    let read = generator.read(&text).unwrap();
    assert!(generator.ways_of(&tree).count().to_string() == "1");
    with_deep_stack(move || {
        assert!(replayed == tree && read == tree);
        drop((replayed, tree, read));
    });
    // A wrong key at the very bottom is found, named by the end of its path.
    let mut wrong = Tree::Node(Box::new(Tree::Leaf), -5, Box::new(Tree::Leaf));
    for key in (0..20_000).rev() {
        wrong = Tree::Node(Box::new(Tree::Leaf), key, Box::new(wrong));
    }
    let error = generator.choices_of(&wrong).unwrap_err();
    assert!(error.path().starts_with("…19961 steps…") && error.path().ends_with(".Node.2.Node.1"), "{}", error.path());
    with_deep_stack(move || drop(wrong));
}

#[test]
fn a_million_levels_of_text_are_read_or_refused() {
    let depth = 900_000;
    let text = "Node(Leaf, 1, ".repeat(depth) + "Leaf" + &")".repeat(depth);
    let error = bst(0, 100).read(&text).unwrap_err();
    assert!(matches!(error, ReadError::NotGenerated(_)), "{error}");
    let keys: String = (0..depth).map(|key| format!("Node(Leaf, {key}, ")).collect();
    let deep = keys + "Leaf" + &")".repeat(depth);
    match bst(0, i64::MAX - 1).read(&deep) {
        Ok(tree) => with_deep_stack(move || drop(tree)),
        Err(error) => assert!(error.to_string().contains("nested too deep"), "{error}"),
    }
}

#[test]
fn a_list_of_a_million_items() {
    let lists = vec_of(0..=1000u32, ..);
    let list: Vec<u32> = (0..1_000_000).map(|item| item % 1001).collect();
    let choices = lists.choices_of(&list).unwrap();
    assert_eq!(lists.replay(&choices), list);
    assert_eq!(lists.read(&format!("{list:?}")).unwrap(), list);
}

#[test]
fn a_recursion_that_does_not_die_out_ends_all_the_same() {
    #[generator]
    fn bushy() -> Nat {
        match pick() {
            "Z" => Nat::Z,
            #[weight(1000)]
            "S" => Nat::S(Box::new(draw(bushy()))),
        }
    }
    for seed in 0..20 {
        let number = bushy().sample(seed);
        with_deep_stack(move || drop(number));
    }
}

#[test]
fn a_list_whose_first_item_is_refused_is_no_failure() {
    check(vec_of(within(0..30u32).filter(|number| number % 3 > 0), 5), |list| assert_eq!(list.len(), 5));
    let choices: Choices = "[0 0 0 0 0]".parse().unwrap();
    let lists = vec_of(within(0..30u32).filter(|number| *number > 0), 5);
    let mut replay = retrospect::source::Replay::lenient(&choices);
    let mut source = Source::asking(&mut replay);
    assert!(lists.generate(&mut source).is_err());
    // What was recorded until then is a tree that can be replayed like any other.
    let begun = source.into_choices();
    assert_eq!(begun.nodes().len(), 1);
    assert!(lists.generate(&mut Source::asking(&mut retrospect::source::Replay::lenient(&begun))).is_err());
}

#[derive(Debug, PartialEq, Clone)]
struct Pair {
    from: u8,
    to: u8,
    note: String,
}

#[derive(Debug, PartialEq, Clone)]
enum Shape {
    Dot,
    Line(u8, u8),
    Named { pair: Pair },
}

#[generator]
fn pairs() -> Pair {
    let from = draw(0..=9);
    let to = draw(0..=9);
    let note = draw(string_of('a'..='z', ..));
    Pair { from, to, note }
}

#[generator]
fn shapes() -> Shape {
    match pick() {
        "dot" => Shape::Dot,
        "line" => {
            let from = draw(0..=9);
            let to = draw(0..=9);
            Shape::Line(from, to)
        }
        "named" => {
            let pair = draw(pairs());
            Shape::Named { pair }
        }
    }
}

#[derive(Debug, Generate)]
enum Derived {
    Empty,
    Two(u8, u8),
    Pair { from: u8, to: u8, note: String },
}

#[test]
fn wrong_fields_are_named() {
    for (fields, reason) in [
        ("from: 1, to: 2, noet: \"\"", "there is no field `noet`; `note` is missing"),
        ("from: 1, to: 2", "`note` is missing"),
        ("from: 1", "`to` is missing; `note` is missing"),
        ("from: 1, to: 2, note: \"\", via: 3", "there is no field `via`"),
        ("from: 1, to: 2, note: \"\", to: 2", "`to` is there twice"),
    ] {
        let text = format!("Pair {{ {fields} }}");
        let expected = format!("this generator cannot make {text}: {reason}");
        assert_eq!(pairs().read(&text).unwrap_err().to_string(), expected);
        assert_eq!(any::<Derived>().read(&text).unwrap_err().to_string(), expected);
        let inside = format!("Named {{ pair: {text} }}");
        let expected = format!("this generator cannot make the part `Named.pair`, which is {text}: {reason}");
        assert_eq!(shapes().read(&inside).unwrap_err().to_string(), expected);
    }
    // One of several variants, and parts without names.
    let reason = |text: &str| match shapes().read(text).unwrap_err() {
        ReadError::NotGenerated(error) => error.reason().to_owned(),
        error => error.to_string(),
    };
    assert_eq!(reason("Named { piar: _ }").split(':').next(), Some("the text has holes"));
    assert_eq!(reason("Named { piar: 1 }"), "there is no field `piar`; `pair` is missing");
    assert_eq!(reason("Line(1)"), "`Line` has 2 parts, not 1");
    assert!(any::<Derived>().read("Two(1)").unwrap_err().to_string().ends_with("`Two` has 2 parts, not 1"));
    let error = any::<Derived>().read("Pair(1)").unwrap_err().to_string();
    assert!(
        error.ends_with("expected `Empty`, `Two(..)` or `Pair { from, to, note }`, not `Pair` with 1 part"),
        "{error}"
    );
    // With `..` nothing is missing.
    let error = pairs().fill("Pair { noet: \"\", .. }", 1).unwrap_err().to_string();
    assert!(error.ends_with(": there is no field `noet`"), "{error}");
}

#[derive(Debug, Clone, PartialEq, Generate)]
enum Kind {
    Connect,
    ConnAck,
    PubAck,
    PubRec,
    PubRel,
    PubComp,
    SubAck,
    Subscribe { id: u16, topic: u8 },
    Publish(u8, u8),
}

#[generator]
fn kinds() -> Kind {
    match pick() {
        "connect" => Kind::Connect,
        "connack" => Kind::ConnAck,
        "puback" => Kind::PubAck,
        "pubrec" => Kind::PubRec,
        "pubrel" => Kind::PubRel,
        "pubcomp" => Kind::PubComp,
        "suback" => Kind::SubAck,
        "subscribe" => {
            let id = draw(1..=9u16);
            let topic = draw(0..=9u8);
            Kind::Subscribe { id, topic }
        }
        "publish" => {
            let one = draw(0..=9u8);
            let other = draw(0..=9u8);
            Kind::Publish(one, other)
        }
    }
}

#[test]
fn a_misspelt_variant_is_guessed() {
    let reason = |text: &str| {
        let [one, other] = [kinds().read(text).unwrap_err(), any::<Kind>().read(text).unwrap_err()];
        assert_eq!(one.to_string(), other.to_string());
        let ReadError::NotGenerated(error) = one else { panic!("{one}") };
        error.reason().to_owned()
    };
    let expected = "expected `Connect`, `ConnAck`, `PubAck`, `PubRec`, `PubRel`, `PubComp` or one of 3 others";
    assert_eq!(
        reason("Subscribed { id: 1, topic: 2 }"),
        format!("{expected}, not `Subscribed` with 2 fields; did you mean `Subscribe`?")
    );
    assert_eq!(reason("Conect"), format!("{expected}, not the word `Conect`; did you mean `Connect`?"));
    assert_eq!(reason("7"), format!("{expected}, not the number `7`"));
    assert_eq!(reason("Elsewhere(1)"), format!("{expected}, not `Elsewhere` with 1 part"));
    // Few variants are all named, with their fields.
    let reason = |text: &str| shapes().read(text).unwrap_err().to_string();
    assert_eq!(
        reason("Dots"),
        "this generator cannot make Dots: expected `Dot`, `Line(..)` or `Named { pair }`, not the word `Dots`; \
         did you mean `Dot`?"
    );
    assert_eq!(
        reason("Named { pair: Piar { from: 1, to: 2, note: \"\" } }"),
        "this generator cannot make the part `Named.pair`, which is Piar { from: 1, to: 2, note: \"\" }: \
         expected `Pair { from, to, note }`, not `Piar` with 3 fields; did you mean `Pair`?"
    );
    // A value has the right name, but may be none of many.
    let numbers = one_of((0..1, 1..2, 2..3, 3..4, 4..5, 5..6));
    let error = numbers.choices_of(&9).unwrap_err();
    assert!(error.reason().ends_with("9 is not in 3..4; and 2 more reasons"), "{error}");
}

#[test]
fn the_mark_of_a_hole_is_named() {
    let error = |text: &str| pairs().read(text).unwrap_err().to_string();
    assert_eq!(error("Pair { from: 1, .. }"), "the text leaves parts out with `..`: `fill` it, or write all parts");
    let underscore = "the text has holes: `fill` it, or write values in place of `_`";
    assert_eq!(error("Pair { from: _, to: 1, note: \"\" }"), underscore);
    assert_eq!(error("Pair { from: _, .. }"), underscore);
}

#[derive(Debug, PartialEq, Clone)]
struct Packet {
    dup: bool,
    qos: u8,
    id: Option<u16>,
    n: u8,
}

/// An `if` and a `match` that come before a part that is wrong: an arm that fails says nothing.
#[generator]
fn packets() -> Packet {
    let qos = draw(0..3u8);
    let dup = if qos == 0 { false } else { draw(any::<bool>()) };
    let id = match qos {
        0 => None,
        _ => Some(draw(1..=9u16)),
    };
    let n = draw(0..10u8);
    Packet { dup, qos, id, n }
}

#[test]
fn reading_blames_the_part_that_looking_blames() {
    for (value, path) in [
        (Packet { dup: true, qos: 1, id: Some(1), n: 99 }, ".n"),
        (Packet { dup: false, qos: 0, id: None, n: 99 }, ".n"),
        (Packet { dup: false, qos: 9, id: None, n: 1 }, ".qos"),
        (Packet { dup: true, qos: 1, id: Some(99), n: 99 }, ".id.Some.0"),
        (Packet { dup: true, qos: 0, id: None, n: 1 }, ".dup"),
    ] {
        let text = format!("{value:?}");
        let seen = packets().choices_of(&value).unwrap_err();
        assert_eq!(packets().read(&text).unwrap_err().to_string(), seen.to_string());
        assert_eq!(seen.path(), path);
        let seen = vec_of(packets(), ..).choices_of(&vec![value]).unwrap_err();
        assert_eq!(vec_of(packets(), ..).read(&format!("[{text}]")).unwrap_err().to_string(), seen.to_string());
    }
}

#[derive(Debug, PartialEq, Generate)]
struct Slice {
    from: u8,
    #[generate(with = *from..=255)]
    to: u8,
    #[generate(with = 0..10)]
    step: u8,
}

#[generator]
fn in_order() -> (u8, u8, u8) {
    let low = draw(0..100u8);
    let high = draw(low..100);
    let other = draw(0..10u8);
    (low, high, other)
}

#[generator]
fn nested() -> (bool, (u8, u8, u8)) {
    let flag = draw(any::<bool>());
    let inner = draw(in_order());
    (flag, inner)
}

#[test]
fn another_seed_is_advised_only_where_it_may_help() {
    // No value of the holes before it helps.
    for (error, part) in [
        (packets().fill("Packet { dup: true, qos: 1, id: Some(_), n: 99 }", 1).unwrap_err(), "`.n`, which is 99"),
        (packets().fill("Packet { n: 99, .. }", 1).unwrap_err(), "`.n`, which is 99"),
        (in_order().fill("(_, _, 99)", 1).unwrap_err(), "`.2`, which is 99"),
        (in_order().fill("(_, 99, 99)", 1).unwrap_err(), "`.2`, which is 99"),
        (nested().fill("(_, (_, 4, 99))", 1).unwrap_err(), "`.1.2`, which is 99"),
        (any::<Slice>().fill("Slice { from: _, to: _, step: 99 }", 1).unwrap_err(), "`.step`, which is 99"),
    ] {
        let expected = format!("this generator cannot make the part {part}: 99 is not in 0..10");
        assert_eq!(error.to_string(), expected);
    }
    // Another value for the first would.
    let error = in_order().fill("(_, 0, 9)", 7).unwrap_err().to_string();
    assert!(error.contains("(tried 100 times with other values in its holes; another seed may help"), "{error}");
    assert!((0..200).any(|seed| in_order().fill("(_, 0, 9)", seed).is_ok()));
}

#[test]
fn a_length_that_nothing_holds() {
    assert!(stopped(&vec_of(any::<u8>(), usize::MAX)).contains("a value has at most"));
    assert!(stopped(&string_of(any::<char>(), 1 << 40..)).contains("a value has at most"));
}

#[test]
fn text_that_is_nearly_right_says_what_is_wrong() {
    let bytes = any::<String>().read(r#""\x80""#).unwrap_err().to_string();
    assert!(bytes.contains("expected a string, not a string of bytes that are not UTF-8"), "{bytes}");
    for (error, reason) in [
        (any::<u8>().read("300").unwrap_err(), "300 is not in 0..=255"),
        (any::<i8>().read("-129").unwrap_err(), "-129 is not in -128..=127"),
        (within(0..10_u8).read("300").unwrap_err(), "300 is not in 0..10"),
        (any::<u8>().read("1.5").unwrap_err(), "expected a number of type u8, not the number `1.5`"),
    ] {
        assert!(error.to_string().contains(reason), "{error}");
    }
}
