//! Strings that fail for the kind of their characters: the first of the kind must be left, whatever
//! script it began with.

use super::measure::measure;
use retrospect::prelude::*;

#[track_caller]
fn assert_text(name: &'static str, fails: fn(&str) -> bool, expected: &str, mean: f64) {
    let measured = measure(name, &any::<String>(), |text: &String| fails(text));
    measured.assert(expected, mean, 2 * mean as u64 + 40);
}

#[test]
fn one_of_a_kind() {
    assert_text("a capital", |text| text.chars().any(char::is_uppercase), "\"A\"", 15.0);
    assert_text("a digit", |text| text.chars().any(char::is_numeric), "\"0\"", 20.0);
    assert_text("a blank", |text| text.chars().any(char::is_whitespace), "\" \"", 90.0);
    assert_text("not ASCII", |text| !text.is_ascii(), "\"\\u{80}\"", 30.0);
}

#[test]
fn several_of_a_kind() {
    assert_text("four capitals", |text| text.chars().filter(|c| c.is_uppercase()).count() > 3, "\"AAAA\"", 160.0);
    let two = |text: &str| text.chars().any(char::is_uppercase) && text.chars().any(char::is_numeric);
    assert_text("a capital and a digit", two, "\"A0\"", 70.0);
    let pair = |text: &str| text.as_bytes().windows(2).any(|w| w[0].is_ascii_digit() && w[1].is_ascii_alphabetic());
    assert_text("a letter after a digit", pair, "\"0a\"", 35.0);
    // Fewer characters are simpler than shorter ones.
    assert_text("six bytes", |text| text.len() != text.chars().count() && text.len() > 5, "\"ࠀࠀ\"", 90.0);
}
