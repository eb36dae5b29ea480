//! All texts, from small to large, and what is left of them after a choice.

use super::{arithmetic, digit, palindromes};
use retrospect::generator::Cardinality;
use retrospect::prelude::*;
use retrospect::text::{self, Text};
use std::collections::HashSet;

/// Goes through the first choices of a text, and goes on from its first choice.
fn explore(texts: &Text) {
    let mut seen = HashSet::new();
    for choices in texts.language().take(300) {
        assert!(seen.insert(choices.to_string()), "{choices} twice");
        let (written, left) = texts.replay_exact(&choices).unwrap();
        assert_eq!(left, 0);
        assert!(texts.accepts(&written), "{written:?}");
    }
    match texts.cardinality().at_most(300) {
        Some(count) => assert_eq!(seen.len() as u64, count),
        None => assert_eq!(seen.len(), 300),
    }
    for (choice, rest) in texts.gradient().take(5).filter(|(_, rest)| !rest.is_void()) {
        laws::check(&rest);
        let written = rest.sample(1);
        assert!(texts.accepts(&written), "{written:?} after {choice}");
    }
}

fn brackets() -> Text {
    text::recursive("brackets", |inner| {
        text::one_of([text::empty(), text::sequence(["(".into(), inner.clone(), ")".into(), inner])])
    })
}

#[test]
fn brackets_are_counted_by_their_pairs() {
    let mut catalan = 1u64;
    for pairs in 0..20u32 {
        assert_eq!(brackets().uniform_by_size(pairs).count().to_u64(), Some(catalan), "{pairs}");
        catalan = catalan * 2 * (2 * u64::from(pairs) + 1) / (u64::from(pairs) + 2);
    }
    let first: Vec<String> = brackets().enumerate().take(9).collect();
    assert_eq!(first, ["", "()", "()()", "(())", "()()()", "()(())", "(())()", "(()())", "((()))"]);
    let drawn = brackets().uniform_by_size(12).sample(1);
    assert_eq!(drawn.len(), 24);
    assert!(brackets().accepts(&drawn));
}

#[test]
fn palindromes_are_all_found_once() {
    let mut found: Vec<String> = palindromes().enumerate().take_while(|text| text.len() < 11).collect();
    found.retain(|text| text.len() <= 8);
    let all: HashSet<&String> = found.iter().collect();
    assert_eq!(all.len(), found.len());
    // Of each length as many as its first half can be.
    for length in 0..=8 {
        assert_eq!(all.iter().filter(|text| text.len() == length).count(), 1 << length.div_ceil(2), "{length}");
    }
}

#[test]
fn texts_are_counted() {
    let count = |texts: Text| texts.cardinality().to_string();
    assert_eq!(count(text::literal("null")), "1");
    assert_eq!(count(text::repeat(text::class(["a-c"]), ..=3)), "40");
    assert_eq!(count(text::separated_by(digit(), text::one_of([",", ";"]), 1..=3)), (10 + 200 + 4000).to_string());
    assert_eq!(count(text::repeat(digit(), 40)), format!("1{}", "0".repeat(40)));
    assert_eq!(arithmetic().cardinality(), Cardinality::Infinite);
    assert_eq!(text::json().cardinality(), Cardinality::Infinite);
}

#[test]
fn all_kinds_of_texts_are_gone_through() {
    explore(&text::literal("null"));
    explore(&text::any_char());
    explore(&text::repeat("ab", 2..=4));
    explore(&text::optional(digit()).then(text::optional(digit())));
    explore(&text::separated_by(digit(), text::repeat(" ", ..).then(",").then(text::optional(" ")), ..=5));
    explore(&text::rule("number", text::repeat(digit(), 1..)));
    explore(&arithmetic());
    explore(&palindromes());
    explore(&brackets());
    explore(&text::json());
}
