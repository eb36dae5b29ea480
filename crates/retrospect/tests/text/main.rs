//! Texts forward and backward, against what is found by trying everything.

use retrospect::prelude::*;
use retrospect::text::{Rules, Text};

fn accepts(text: &Text, string: &str) -> bool {
    text.accepts(&string.to_owned())
}

fn overlap(text: &Text, string: &str) -> String {
    text.overlap(&string.to_owned()).to_string()
}

fn digit() -> Text {
    text::chars('0'..='9')
}

/// Left-recursive arithmetic, with precedence.
fn arithmetic() -> Text {
    let mut rules = Rules::new();
    let binary = |left: &str, operator: &str, right: &str| {
        text::sequence([Rules::reference(left), operator.into(), Rules::reference(right)])
    };
    rules.define("sum", text::one_of([binary("sum", "+", "product"), Rules::reference("product")]));
    rules.define("product", text::one_of([binary("product", "*", "factor"), Rules::reference("factor")]));
    let inside = text::sequence(["(".into(), Rules::reference("sum"), ")".into()]);
    rules.define("factor", text::one_of([inside, text::repeat(digit(), 1..)]));
    rules.start("sum").unwrap()
}

fn palindromes() -> Text {
    text::recursive("palindrome", |inner| {
        let around = |letter: &str| text::sequence([letter.into(), inner.clone(), letter.into()]);
        text::one_of([text::empty(), "a".into(), "b".into(), around("a"), around("b")])
    })
}

#[test]
fn laws_hold() {
    laws::check(&text::literal("null"));
    laws::check(&text::empty());
    laws::check(&text::any_char());
    laws::check(&text::none_of(["a-z"]));
    laws::check(&text::repeat(digit(), ..));
    laws::check(&text::repeat("ab", 2..=4));
    laws::check(&text::optional(digit()).then(text::optional(digit())));
    laws::check(&text::separated_by(digit(), ", ", ..));
    laws::check(&text::separated_by(digit(), text::repeat(" ", ..).then(",").then(text::optional(" ")), ..=5));
    laws::check(&text::separated_by("x", text::repeat(" ", ..), ..=5));
    laws::check(&text::rule("number", text::repeat(digit(), 1..)));
}

#[test]
fn laws_hold_for_recursive_texts() {
    laws::check(&arithmetic());
    laws::check(&palindromes());
}

#[test]
fn laws_hold_for_computed_texts() {
    let counted = digit().bind(|digit| text::repeat(text::chars('a'..='z'), digit.parse::<usize>().unwrap()));
    laws::check(&counted);
    let checked =
        text::repeat(digit(), ..).bind(|digits| (digits.bytes().map(u64::from).sum::<u64>() % 10).to_string().into());
    laws::check(&checked);
    laws::check(&text::computed(0..1000u32, |number| number.to_string(), |text| text.parse().ok()).then("%"));
    laws::check(&text::separated_by(digit(), ",", ..).bytes());
}

#[test]
fn left_recursion() {
    let arithmetic = arithmetic();
    for good in ["1", "1+2", "1+2*3", "(1+2)*3", "((7))", "1+1+1+1*2*2"] {
        assert!(accepts(&arithmetic, good), "{good}");
        assert_eq!(overlap(&arithmetic, good), "1");
    }
    for bad in ["", "+", "1+", "(1", "1)", "1 + 2"] {
        assert!(!accepts(&arithmetic, bad), "{bad}");
    }
}

#[test]
fn not_decided_by_the_next_character() {
    let palindromes = palindromes();
    assert!(accepts(&palindromes, "abbabba") && !accepts(&palindromes, "abbab"));
    let stars = text::repeat("a", ..).then(text::repeat("a", ..));
    assert_eq!(overlap(&stars, "aaaa"), "5");
    assert_eq!(stars.choices_of(&"aa".to_owned()).unwrap().to_string(), "[] [{} {}]");
}

#[test]
fn infinitely_many_ways_are_a_cycle() {
    let empties = text::repeat(text::optional("a"), ..);
    assert!(accepts(&empties, "aa"));
    assert!(overlap(&empties, "aa").starts_with("infinitely many"));
    let itself = text::recursive("loop", |itself| text::one_of([itself, "a".into()]));
    assert!(accepts(&itself, "a"));
    assert_eq!(overlap(&itself, "a"), "infinitely many: `loop` can call itself on the same part");
    assert_eq!(itself.choices_of(&"a".to_owned()).unwrap().to_string(), "0:");
}
