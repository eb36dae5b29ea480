//! How likely a text is.

use retrospect::prelude::*;
use retrospect::reflect::Probability;
use std::collections::BTreeMap;

/// What is drawn as often as it is said to be likely, for the texts that are drawn most often.
fn is_drawn_as_often_as_said(texts: &text::Text, size: u32) {
    const DRAWN: u64 = 20_000;
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for seed in 0..DRAWN {
        let mut source = retrospect::source::Source::random(seed).with_size(size);
        *counts.entry(texts.generate(&mut source).unwrap()).or_default() += 1;
    }
    let mut frequent: Vec<(String, u64)> = counts.into_iter().filter(|(_, count)| *count > 100).collect();
    frequent.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    // At size 1 there is one level, and two texts with it.
    assert!(frequent.len() >= if size == 1 { 2 } else { 3 }, "{frequent:?}");
    for (text, count) in frequent.into_iter().take(12) {
        let said = texts.ways_of(&text).at_size(size).probability().unwrap().to_f64().unwrap();
        let expected = said * DRAWN as f64;
        let deviation = (count as f64 - expected) / (expected * (1.0 - said)).sqrt().max(1.0);
        assert!(deviation.abs() < 5.0, "{text:?} was drawn {count} times where {expected:.1} were expected");
    }
}

#[test]
fn all_texts_together_are_certain() {
    let letters = text::separated_by(text::class(["a-b"]), text::one_of([",", ";"]), 0..=3);
    let mut sum = 0.0;
    let mut pending = vec![String::new()];
    while let Some(text) = pending.pop() {
        sum += letters.ways_of(&text).probability().unwrap().to_f64().unwrap();
        if text.len() < 5 {
            pending.extend("ab,;".chars().map(|next| format!("{text}{next}")));
        }
    }
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
}

#[test]
fn several_ways_add_up() {
    // Both repeats may take the letter.
    let twice = text::repeat("a", 0..=1).then(text::repeat("a", 0..=1));
    assert_eq!(twice.ways_of(&"a".to_owned()).probability().unwrap(), Probability::new(1, 2));
    assert_eq!(twice.ways_of(&"aa".to_owned()).probability().unwrap(), Probability::new(1, 4));
    assert!(twice.ways_of(&"b".to_owned()).probability().unwrap().is_zero());
}

#[test]
fn recursive_texts_are_drawn_as_often_as_said() {
    let brackets = text::recursive("brackets", |inner| {
        text::choice([
            text::arm("none", 2, ""),
            text::arm("pair", 3, text::sequence([text::literal("("), inner.clone(), text::literal(")"), inner])),
        ])
    });
    for size in [0, 1, 4, 30] {
        if size > 0 {
            is_drawn_as_often_as_said(&brackets, size);
        } else {
            assert_eq!(brackets.ways_of(&String::new()).at_size(0).probability().unwrap(), Probability::new(1, 1));
        }
    }
    // Items that may be empty. How many of them there are is not known to end where weights say how
    // long a list is.
    let empties = text::grammar("r = (\"\" | \"a\")+ ;").unwrap().tuned_like(&["a".to_owned()]).unwrap();
    assert_eq!(
        empties.ways_of(&"a".to_owned()).probability().unwrap_err().to_string(),
        "the probability is not known: empty items can be repeated for ever in `r`"
    );
    is_drawn_as_often_as_said(&text::repeat(text::one_of(["", "a", "b"]), ..), 4);
    is_drawn_as_often_as_said(&text::repeat(text::repeat("a", ..), 1..), 3);
    // Repetitions in repetitions share the size, whether the next character decides or not.
    let words = text::separated_by(text::repeat(text::class(["ab"]), ..), ",", ..);
    let pairs = text::repeat(text::repeat(text::class(["ab"]), 1..), ..);
    for size in [4, 9] {
        is_drawn_as_often_as_said(&words, size);
        is_drawn_as_often_as_said(&pairs, size);
    }
    let lists = text::recursive("list", |list| {
        let items = text::separated_by(list, ",", ..);
        text::choice([
            text::arm("atom", 1, text::repeat("x", ..)),
            text::arm("list", 1, text::literal("[").then(items).then("]")),
        ])
    });
    for size in [1, 4, 9] {
        is_drawn_as_often_as_said(&lists, size);
    }
    // Left recursive, and read by the chart.
    let sums = text::recursive("sum", |sum| {
        text::choice([
            text::arm("digit", 2, text::class(["0-1"])),
            text::arm("sum", 1, text::sequence([sum.clone(), text::literal("+"), sum])),
        ])
    });
    for size in [2, 30] {
        is_drawn_as_often_as_said(&sums, size);
    }
    // What follows is made of what was written, and comes back.
    let elements = text::recursive("element", |element| {
        text::class(["ab"]).bind(move |name| {
            text::choice([
                text::arm("leaf", 2, "."),
                text::arm("inner", 3, text::sequence([element.clone(), element.clone(), name.into()])),
            ])
        })
    });
    for size in [1, 4] {
        is_drawn_as_often_as_said(&elements, size);
    }
}

#[test]
fn texts_are_tuned() {
    let words = text::repeat(text::class(["a-z"]), 1..=8);
    let tuned = words.clone().tuned_like(&["zz".to_owned(), "zy".to_owned(), "zzz".to_owned()]).unwrap();
    let is_like = |word: &String| word.len() <= 3 && word.contains('z');
    let [like, untuned] = [
        (0..300).map(|seed| tuned.sample(seed)).filter(is_like).count(),
        (0..300).map(|seed| words.sample(seed)).filter(is_like).count(),
    ];
    assert!(like > 200 && untuned < 60, "{like} tuned, {untuned} untuned");
}
