//! Strings of a certain form: described once, written, read, shrunk and filled by the description.

use retrospect::prelude::*;
use retrospect::text::{Rules, Text};

fn main() {
    let sums = sums();
    println!("Forward, a text writes strings:");
    for seed in 0..4 {
        println!("  seed {seed} gives {}", sums.sample(seed));
    }

    println!("Backward, it finds the choices behind one, whoever wrote it:");
    let choices = sums.choices_of(&"1+(2+30)".to_owned()).expect("it is a sum");
    println!("  {choices}");

    println!("What is no sum says how far it can be read, and what was expected there:");
    for text in ["1+(2+x)", "1+(2+3", "1 + 2"] {
        println!("  {}", sums.choices_of(&text.to_owned()).expect_err("it is no sum"));
    }

    println!("Shrinking follows the rules. The smallest sum of a string from a log that has two brackets:");
    let smallest = sums.shrink("17+(4+(3+88))+2+(9)".to_owned(), |sum| sum.matches('(').count() > 1);
    println!("  {}", smallest.expect("it is a sum with two brackets").value);

    println!("Holes may be anywhere:");
    for seed in 0..3 {
        println!("  seed {seed} gives {}", sums.fill_text(&["1+(", "+7)", ""], seed).expect("there are such sums"));
    }

    println!("A string that can be read in several ways has as many choices:");
    let words = text::repeat(text::one_of(["a", "ab", "b"]), ..);
    println!("  abab can be read in {} ways", words.ways_of(&"abab".to_owned()).count());

    println!("A part may depend on what was written before it, such as a checksum:");
    let checked = text::repeat(text::chars('0'..='9'), 4).then("-").bind(|digits| {
        let sum: u32 = digits.chars().filter_map(|digit| digit.to_digit(10)).sum();
        (sum % 10).to_string().into()
    });
    println!("  {}", checked.sample(1));
    println!("  {}", checked.choices_of(&"1234-1".to_owned()).expect_err("the sum is 10"));
}

/// Sums of numbers and of sums in brackets. The rule refers to itself on its left, as grammars do.
fn sums() -> Text {
    let mut rules = Rules::new();
    rules.define(
        "sum",
        text::choice([
            text::arm("one", 2, Rules::reference("term")),
            text::arm("plus", 1, text::sequence([Rules::reference("sum"), "+".into(), Rules::reference("term")])),
        ]),
    );
    rules.define(
        "term",
        text::choice([
            text::arm("number", 3, text::repeat(text::class(["1-9", "0"]), 1..=2)),
            text::arm("brackets", 1, text::sequence(["(".into(), Rules::reference("sum"), ")".into()])),
        ]),
    );
    rules.start("sum").expect("all rules are defined, and end")
}
