//! What the fuzzing and the reading of the code found, each under its name.

use super::super::Document;
use super::invariants::{Random, check};
use super::read;

/// Checks all invariants of a text that once broke one, with several random variations.
fn check_again(text: &str) {
    for seed in 0..20 {
        assert!(check(text, &mut Random(seed)).is_some(), "{text} cannot be read");
    }
}

#[test]
fn a_socket_address_before_the_colon_of_an_entry() {
    check_again("{[::1]:80: 1}");
    assert_eq!(read("{[::1]:80: 1}").root().map_entries().unwrap().next().unwrap().0.word(), Some("[::1]:80"));
}

#[test]
fn a_lock_whose_fields_come_in_another_order_hides_nothing() {
    check_again("Mutex { poisoned: false, data: Option::<Vec<u8>>, .. }");
    assert!(!read("Mutex { poisoned: false, data: 5, .. }").root().has_holes());
}

#[test]
fn a_field_that_is_there_twice_keeps_its_order() {
    check_again("Point { x: 1, y: Leaf, zx: 2, y: NaN }");
    assert!(!read("P { y: 1, y: 2 }").root().matches(&read("P { y: 2, y: 1 }").root()));
    assert!(read("P { y: 1, y: 2 }").root().record("P", &["y"]).is_none());
}

#[test]
fn a_field_name_that_is_no_part() {
    check_again("Mutex {&data: 5, poisoned: false,d: false, .. }");
}

#[test]
fn dots_beside_the_dots_of_a_range() {
    check_again("[1.., . ..2, 3. ..=3., .漢.]");
    assert_eq!(read(". ..2").root().range().unwrap().start.unwrap().word(), Some("."));
}

#[test]
fn two_colons_at_the_end_of_a_text() {
    check_again("::");
    check_again("{::: ::}");
}

#[test]
fn a_byte_order_mark_is_white_space_everywhere() {
    // It was skipped before the brace, but not when the name before it was looked at.
    check_again("Mutex \u{feff}{ data: 5, poisoned: false, .. }");
    check_again("(Mutex\u{feff}{ data: 5, poisoned: false, .. },\u{feff}a\u{feff})");
    assert!(!read("Mutex\u{feff}{ data: 5, poisoned: false, .. }").root().has_holes());
    assert!(Document::parse("\u{feff}").is_err());
}

#[test]
fn an_arrow_that_closes_the_brackets_of_a_type() {
    // The arrow was taken for the end of the word and of its `<` at once.
    assert!(Document::parse("{1.. ::<=> true, _ => false}").is_err());
    check_again("{PhantomData<u8> => true, _ => false}");
}
