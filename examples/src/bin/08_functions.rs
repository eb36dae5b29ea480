//! Functions as arguments of a property: drawn when they are called, and printed as the few inputs
//! that matter.

use retrospect::prelude::*;

fn main() {
    println!("A sort that takes a key should leave alone what is equal. This one does not:");
    let report =
        Check::new().named("sorting::keeps_equal_items_in_order").seed(7).save(false).failure_of_case(|case| {
            let list = case.draw_named("list", vec_of(0..100_u8, ..));
            let key = case.draw_named("key", any::<Function<u8, bool>>());
            let mut expected = list.clone();
            expected.sort_by_key(key.as_fn());
            assert_eq!(sorted_by_key(list, key.as_fn()), expected);
        });
    for line in report.unwrap_or_default().lines().filter(|line| line.starts_with("      let")) {
        println!("{line}");
    }

    println!("Such a function is a value like any other. It is read from its text:");
    let keys = function_of::<str, u8>(0..=9);
    let key = keys.read(r#"{"pear" => 3, "apple" => 1, _ => 9}"#).expect("it is a function to 0..=9");
    println!("  {key:?} gives {:?}", ["apple", "pear", "fig"].map(|fruit| key.call(fruit)));
    println!("and knows the choices that make it:");
    println!("  {}", keys.choices_of(&key).expect("all outputs are in 0..=9"));

    println!("Holes are filled, and the rest of the function too if it is left open:");
    for seed in 0..3 {
        let key = keys.fill(r#"{"pear" => 3, "apple" => _, _ => _}"#, seed).expect("there is always a number");
        println!("  seed {seed} gives {:?}", ["apple", "pear", "fig"].map(|fruit| key.call(fruit)));
    }

    println!("What is no function to 0..=9 says why:");
    for text in [r#"{"pear" => 30, _ => 0}"#, r#"{"pear" => 3}"#] {
        let error = keys.read(text).expect_err("it is none").to_string();
        println!("  {}", error.replace('\n', "\n  "));
    }
}

/// Exchanges the smallest of the rest with the first of the rest, and so carries that one past its
/// equals.
fn sorted_by_key<K: Ord>(mut list: Vec<u8>, key: impl Fn(&u8) -> K) -> Vec<u8> {
    for first in 0..list.len() {
        let smallest = (first..list.len()).min_by_key(|place| key(&list[*place]));
        list.swap(first, smallest.unwrap_or(first));
    }
    list
}
