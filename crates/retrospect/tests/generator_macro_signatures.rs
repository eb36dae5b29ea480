//! `#[generator]`: signatures, scopes, directions that are missing, and generators that are
//! ambiguous.
#![deny(warnings, missing_docs, clippy::all)]
#![forbid(unsafe_code)]

use retrospect::prelude::*;
use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Arc;

fn check<G: Generator>(generator: &G)
where
    G::Value: PartialEq + Debug,
{
    for seed in 0..100 {
        let value = generator.sample(seed);
        let choices = generator.sample_choices(seed);
        assert_eq!(generator.choices_of(&value).as_ref(), Ok(&choices), "seed {seed}: {value:?}");
        assert_eq!(generator.replay(&choices), value, "seed {seed}");
        assert_eq!(generator.read(&format!("{value:?}")).unwrap(), value, "seed {seed}");
        assert_eq!(generator.replay_exact(&choices).unwrap(), (value, 0), "seed {seed}");
    }
}

fn refused<G: Generator>(generator: &G, value: &G::Value) -> (String, String) {
    let error = generator.choices_of(value).unwrap_err();
    (error.path().to_owned(), error.reason().to_owned())
}

// Generics.

#[generator]
fn pairs_of<G: Generator>(item: G) -> (G::Value, G::Value) {
    let first = draw(&item);
    let second = draw(&item);
    (first, second)
}

#[derive(Debug, Clone, PartialEq)]
enum List<T> {
    Nil,
    Cons(T, Box<List<T>>),
}

#[generator]
fn lists<T>(item: impl Generator<Value = T>, most: usize) -> List<T>
where
    T: Debug,
{
    match pick() {
        "nil" => List::Nil,
        #[weight(most)]
        "cons" => {
            let head = draw(&item);
            let tail = draw(lists(item, most - 1));
            List::Cons(head, Box::new(tail))
        }
    }
}

#[generator]
fn all_of_type<T: Generate>() -> Option<T> {
    match pick() {
        "none" => None,
        "some" => Some(draw(any::<T>())),
    }
}

#[generator]
fn arrays<const N: usize>(most: u8) -> ([u8; N], usize) {
    let items = draw(array_of(0..=most));
    (items, N)
}

#[test]
fn generics() {
    check(&pairs_of(0..9));
    check(&lists(any::<bool>(), 5));
    check(&all_of_type::<i16>());
    check(&all_of_type::<Option<Vec<u8>>>());
    check(&arrays::<3>(9));
    assert_eq!(refused(&arrays::<2>(9), &([1, 2], 3)), (".1".to_owned(), "expected 2 (`N`), not 3".to_owned()));
    assert_eq!(format!("{:?}", arrays::<2>(9)), "arrays(9)");
    assert_eq!(format!("{:?}", pairs_of(0..9)), "pairs_of(_)");
    let copy = lists(0..9, 3).clone();
    assert_eq!(copy.sample(1), lists(0..9, 3).sample(1));
}

// References and lifetimes.

#[generator]
fn one_of_these(words: &[String], limit: &mut_free::Limit<'_>) -> (usize, String) {
    let place = draw(0..words.len().min(limit.0.len()));
    let word = words[place].clone();
    (place, word)
}

mod mut_free {
    #[derive(Clone)]
    pub(crate) struct Limit<'a>(pub(crate) &'a str);
}

#[generator]
fn borrowed(words: &[String]) -> &str {
    let place = draw(0..words.len());
    #[inverse(|it| words.iter().position(|word| word == it))]
    words[place].as_str()
}

#[generator]
fn longest<'a>(left: &'a str, right: &'a str) -> &'a str {
    if left.len() > right.len() { left } else { right }
}

#[test]
fn references() {
    let words = ["a", "bb", "c"].map(str::to_owned);
    let limit = mut_free::Limit("12");
    check(&one_of_these(&words, &limit));
    assert_eq!(
        refused(&one_of_these(&words, &limit), &(1, "x".to_owned())),
        (".1".to_owned(), "expected \"bb\" (`word`), not \"x\"".to_owned())
    );
    assert_eq!(refused(&one_of_these(&words, &limit), &(2, "c".to_owned())).1, "2 is not in 0..2");
    for seed in 0..20 {
        let word = borrowed(&words).sample(seed);
        assert_eq!(borrowed(&words).choices_of(&word).unwrap(), borrowed(&words).sample_choices(seed));
    }
    assert_eq!(refused(&borrowed(&words), &"zzz").1, "the `#[inverse]` gives nothing here");
    assert!(longest("ab", "c").accepts(&"ab"));
    assert!(!longest("ab", "c").accepts(&"c"));
}

// Scopes.

#[derive(Debug, Clone, PartialEq)]
struct Scoped {
    r#type: u8,
    source: u8,
    value: Rc<u8>,
    it: Arc<u8>,
}

/// Names that the written code could be tempted to use, shadowing, items, raw names.
#[generator]
fn scopes_without_shadowing(source: u8, mut value: u8) -> Scoped {
    use std::convert::identity as same;
    const STEP: u8 = 1;
    fn next(number: u8) -> u8 {
        number + STEP
    }
    let it = draw(0..=source);
    value += 1;
    let reflector = same(value);
    let source = next(source);
    let r#type = draw(source..=200);
    {
        let it = "shadowed inside only";
        assert_eq!(it.len() + usize::from(reflector - value), 20);
    }
    Scoped { r#type, source, value: Rc::new(value), it: Arc::new(it) }
}

#[test]
fn names_do_not_clash() {
    check(&scopes_without_shadowing(3, 7));
    assert_eq!(
        refused(&scopes_without_shadowing(3, 7), &Scoped { r#type: 9, source: 5, value: Rc::new(8), it: Arc::new(2) }),
        (".source".to_owned(), "expected 4 (`source`), not 5".to_owned())
    );
}

// Parts of a drawn value, and drawn names that stand twice.

#[derive(Debug, Clone, PartialEq)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Debug, Clone, PartialEq)]
enum Figure {
    Segment { from: i32, to: i32, again: i32, list: [i32; 2] },
    Swapped(i32, i32),
}

#[generator]
fn points() -> Point {
    let x = draw(-9..=9);
    Point { x, y: draw(x..=9) }
}

#[generator]
fn figures() -> Figure {
    let Point { x: from, y: to } = draw(points());
    match pick() {
        "segment" => Figure::Segment { from, to, again: from, list: [to, from] },
        "swapped" => {
            let sum = from + to;
            if sum > 5 {
                return Figure::Swapped(to, from);
            }
            Figure::Swapped(from, to)
        }
    }
}

#[test]
fn patterns() {
    check(&figures());
    let segment = |from, to, again| Figure::Segment { from, to, again, list: [to, from] };
    assert_eq!(figures().choices_of(&segment(1, 2, 1)).unwrap().to_string(), "((1 1) 0:segment)");
    assert_eq!(
        refused(&figures(), &segment(1, 2, 3)),
        ("Segment.again".to_owned(), "expected 1 (`from`), not 3".to_owned())
    );
    assert_eq!(refused(&figures(), &segment(5, 2, 5)), (".y".to_owned(), "2 is not in 5..=9".to_owned()));
    for seed in 0..20 {
        let filled = figures().fill("Segment { from: _, to: 4, again: 3, list: _ }", seed).unwrap();
        assert_eq!(filled, segment(3, 4, 3));
    }
}

// Inverse.

#[generator]
fn sums() -> u64 {
    let high = draw(0..10u64);
    let low = draw(0..10u64);
    #[inverse(|it| Some((it / 10, it % 10)))]
    {
        10 * high + low
    }
}

#[generator]
fn labelled_inverse(base: u32) -> String {
    match pick() {
        "plain" => "plain".to_owned(),
        #[inverse(|it| it.strip_prefix("n=")?.parse::<u32>().ok()?.checked_sub(base))]
        "number" => {
            let offset = draw(0..100u32);
            format!("n={}", base + offset)
        }
        "wrong" => {
            let digit = draw(0..3u8);
            #[inverse(|it| it.parse().ok())]
            format!("{digit}")
        }
    }
}

#[generator]
fn sorted() -> Vec<u16> {
    let items = draw(vec_of(0..1000u16, 0..=10));
    #[inverse(|it: &Vec<u16>| it.is_sorted().then(|| it.clone()))]
    {
        let mut sorted = items;
        sorted.sort();
        sorted
    }
}

#[derive(Debug, PartialEq)]
struct Even(u32);

#[generator]
fn evens() -> Even {
    let half = draw(0..1_000_000u32);
    #[inverse(|it: &Even| (it.0 % 2 == 0).then_some(it.0 / 2))]
    Even(half * 2)
}

/// In the holes stands what other values have there.
#[test]
fn sketches_of_what_an_inverse_recalls_are_filled_by_the_type() {
    for seed in 0..100 {
        let filled = sorted().fill("[_, 50, _, _, 700]", seed).unwrap();
        assert!(filled.is_sorted() && filled[1] == 50 && filled[4] == 700 && filled.len() == 5, "{filled:?}");
    }
    let kinds: std::collections::HashSet<_> = (0..100).map(|seed| sorted().fill("[50, _]", seed).unwrap()).collect();
    assert!(kinds.len() > 50);
    let unordered = sorted().fill("[5, _, 3]", 1).unwrap_err().to_string();
    assert_eq!(
        unordered,
        "this generator cannot make [5, _, 3]: nothing that was drawn looks like it, and an `#[inverse]` reads no text \
         (tried 100 times with other values in its holes and with random values for the parts that an `#[inverse]` \
         returns, which cannot be read from text; another seed may help, or more of the value)"
    );
    // Nothing can be read by a type that has no generator.
    assert_eq!(
        evens().read("Even(4242)").unwrap_err().to_string(),
        "this generator cannot make Even(4242): an `#[inverse]` reads no text; derive `Generate` for the type of this value, \
         by which it is read then, or say how to read it with `with_reader` \
         (tried 100 times with random values for the parts that an `#[inverse]` returns, which cannot be read from text)"
    );
}

#[test]
fn inverses() {
    check(&sums());
    assert_eq!(sums().choices_of(&42).unwrap().to_string(), "(4 2)");
    assert_eq!(refused(&sums(), &120).1, "12 is not in 0..10");
    check(&labelled_inverse(7));
    assert_eq!(labelled_inverse(7).choices_of(&"n=9".to_owned()).unwrap().to_string(), "1:number(2)");
    let (_, reason) = refused(&labelled_inverse(7), &"01".to_owned());
    assert_eq!(
        reason,
        "expected \"plain\" (`\"plain\".to_owned()`), not \"01\"; and the `#[inverse]` gives nothing here; \
         and what the `#[inverse]` recalls makes \"1\" instead"
    );
}

// Only forward.

#[generator(forward)]
fn walks(steps: u32) -> Vec<i32> {
    let mut place = 0;
    let mut places = Vec::new();
    for _ in 0..steps {
        place += match pick() {
            "stay" => 0,
            #[weight(3)]
            "move" => {
                let step = draw(-1..=1);
                if step == 0 && place == 100 {
                    return vec![];
                }
                step
            }
        };
        places.push(place);
    }
    places
}

#[test]
fn forward_generators() {
    let generator = walks(9);
    for seed in 0..50 {
        let value = generator.sample(seed);
        assert_eq!(value.len(), 9);
        assert_eq!(generator.replay(&generator.sample_choices(seed)), value);
    }
    let reason = "`walks` is a forward generator: it has no inverse (#[generator(forward)])";
    assert_eq!(refused(&generator, &vec![1]), (String::new(), reason.to_owned()));
    assert!(generator.read("[1]").unwrap_err().to_string().ends_with(reason));
    assert_eq!(generator.fill("_", 3).unwrap().len(), 9);
    // A generator that draws from it reflects what it can.
    assert!(wrapped().fill("(3, _)", 1).is_ok());
}

#[generator]
fn wrapped() -> (u8, Vec<i32>) {
    (draw(0..9), draw(walks(2)))
}

// Written where they are used.

#[test]
fn inline_generators() {
    let pairs = generator_of!(-> (u8, u8) {
        let low = draw(0..=9);
        (low, draw(low..=9))
    });
    check(&pairs);
    let between = generator_of!(|lo: i64, hi: i64| -> Option<i64> {
        match pick() {
            "none" => None,
            "some" => Some(draw(lo..=hi)),
        }
    });
    check(&between(3, 5));
    assert_eq!(refused(&between(3, 5), &Some(9)).1, "9 is not in 3..=5");
    check(&vec_of(generator_of!(|| -> u8 { draw(0..3) })(), ..));
}

// Ambiguity: the papers' examples.

#[derive(Debug, Clone, PartialEq)]
enum Nat {
    Z,
    S(Box<Nat>),
}

fn nat(number: usize) -> Nat {
    (0..number).fold(Nat::Z, |nat, _| Nat::S(Box::new(nat)))
}

/// A number as a sum of ones and twos: as many ways as the Fibonacci numbers.
#[generator]
fn g_e() -> Nat {
    match pick() {
        "Z" => Nat::Z,
        "S" => {
            let less = draw(g_e());
            Nat::S(Box::new(less))
        }
        "2" => {
            let less = draw(g_e());
            Nat::S(Box::new(Nat::S(Box::new(less))))
        }
    }
}

/// It can call itself on the same part, over and over.
#[generator]
fn g_i() -> Nat {
    match pick() {
        "inf" => draw(g_i()),
        "Z" => Nat::Z,
        "one" => Nat::S(Box::new(Nat::Z)),
    }
}

#[test]
fn ambiguous_generators() {
    let fibonacci = [1, 1, 2, 3, 5, 8, 13, 21];
    for (number, ways) in fibonacci.iter().enumerate() {
        assert_eq!(g_e().ways_of(&nat(number)).count().to_string(), ways.to_string());
    }
    retrospect::with_deep_stack(|| {
        let large = nat(10_000);
        let overlap = g_e().ways_of(&large).count();
        assert!(overlap.to_string().len() > 2000);
        assert!(g_e().accepts(&large));
    });
    assert_eq!(g_i().ways_of(&Nat::Z).count().to_string(), "infinitely many: `g_i` can call itself on the same part");
    assert!(!g_i().accepts(&nat(2)));
    assert!(g_i().accepts(&nat(1)));
    assert_eq!(g_i().ways_of(&nat(2)).count().to_string(), "0");
}

// Visibility, documentation and attributes.

mod elsewhere {
    use retrospect::prelude::*;

    /// Documented.
    #[generator]
    #[inline]
    #[allow(unused_variables)]
    pub(crate) fn documented(unused: u8) -> bool {
        let unused_too = 5;
        draw(any::<bool>())
    }

    #[cfg(any())]
    #[generator]
    pub(crate) fn absent() -> Missing {
        Missing
    }

    #[generator]
    #[cfg(any())]
    pub(crate) fn absent_too() -> Missing {
        Missing
    }
}

#[test]
fn attributes() {
    check(&elsewhere::documented(4));
}

#[test]
fn weights_that_are_wrong() {
    let generator = generator_of!(|weight: i64| -> u8 {
        match pick() {
            "zero" => 0,
            #[weight(weight)]
            "one" => 1,
        }
    });
    assert_eq!(generator(3).ways_of(&1).probability().unwrap().to_string(), "3/4");
    assert_eq!(refused(&generator(0), &1).1, "expected 0, not 1; and the arm `one` weighs 0 here, so it is absent");
    let (_, reason) = refused(&generator(-1), &1);
    assert!(reason.contains("-1 is negative: a weight is 0 or more"), "{reason}");
    assert!(generator(0).read("1").unwrap_err().to_string().contains("weighs 0"));
}
