//! All values of the types of other crates, from small to large, and what is left of them after a
//! choice.

use retrospect::generator::Cardinality;
use retrospect::prelude::*;
use retrospect::source::Source;
use std::collections::HashSet;

/// Goes through the first choices of a generator, and goes on from its first choice.
fn explore<G: Generator + Clone>(generator: G, is_reflective: bool) {
    let mut seen = HashSet::new();
    for choices in generator.language().take(200) {
        assert!(seen.insert(choices.to_string()), "{choices} twice");
        let (value, left) = generator.replay_exact(&choices).unwrap();
        assert_eq!(left, 0, "{choices}");
        assert!(!is_reflective || generator.accepts(&value), "{value:?}");
    }
    let count = generator.cardinality();
    assert!(count.at_most(199).is_none_or(|count| count == seen.len() as u64), "{count}");
    for (_, rest) in generator.gradient().take(3) {
        // What is never drawn at random may have nothing to draw.
        let drawn = rest.generate(&mut Source::random(1));
        if let (Ok(value), true) = (drawn, is_reflective) {
            let choices = rest.choices_of(&value).unwrap_or_else(|error| panic!("{value:?}: {error}"));
            assert_eq!(format!("{:?}", rest.replay(&choices)), format!("{value:?}"));
        }
    }
}

#[cfg(feature = "serde_json")]
#[test]
fn json_values() {
    use serde_json::{Map, Number, Value, json};
    explore(any::<Value>(), true);
    // A small number is recalled as an integer, though it may have been drawn as unsigned.
    explore(any::<Number>(), false);
    explore(any::<Map<String, Value>>(), true);
    let first: Vec<Value> = any::<Value>().enumerate().take(40).collect();
    assert_eq!(first[0], json!(null));
    assert!(first.contains(&json!(true)) && first.contains(&json!([])) && first.contains(&json!({})));
    assert_eq!(any::<Value>().cardinality(), Cardinality::Infinite);
    assert!(any::<Value>().accepts(&any::<Value>().uniform_by_size(3).sample(1)));
}

#[cfg(feature = "uuid")]
#[test]
fn uuids() {
    explore(any::<uuid::Uuid>(), true);
    assert_eq!(any::<uuid::Uuid>().cardinality().to_string(), "340282366920938463463374607431768211456");
}

#[cfg(feature = "bytes")]
#[test]
fn bytes() {
    explore(any::<bytes::Bytes>(), true);
}

#[cfg(feature = "rust_decimal")]
#[test]
fn decimals() {
    explore(any::<rust_decimal::Decimal>(), true);
}

#[cfg(feature = "chrono")]
#[test]
fn times_of_chrono() {
    explore(any::<chrono::NaiveDate>(), true);
    explore(any::<chrono::NaiveTime>(), true);
    explore(any::<chrono::NaiveDateTime>(), true);
}

#[cfg(feature = "jiff")]
#[test]
fn times_of_jiff() {
    explore(any::<jiff::civil::Date>(), true);
    explore(any::<jiff::civil::Time>(), true);
    explore(any::<jiff::Timestamp>(), true);
    explore(any::<jiff::Span>(), true);
    explore(any::<jiff::civil::Weekday>(), true);
}

#[cfg(feature = "http")]
#[test]
fn parts_of_requests() {
    explore(any::<http::Method>(), true);
    explore(any::<http::StatusCode>(), true);
    explore(any::<http::HeaderName>(), true);
    explore(any::<http::HeaderValue>(), true);
    explore(any::<http::Uri>(), true);
}

#[cfg(feature = "url")]
#[test]
fn urls() {
    explore(any::<url::Url>(), true);
}

#[cfg(feature = "quickcheck")]
#[test]
fn bridges_to_quickcheck() {
    use retrospect::ecosystem::from_quickcheck;
    explore(from_quickcheck::<(u8, Vec<bool>)>(), false);
    // The steps of its shrinker hang on what it starts from, so nobody knows how many there are.
    assert!(matches!(from_quickcheck::<bool>().cardinality(), Cardinality::AtLeast(_)));
}

#[cfg(feature = "proptest")]
#[test]
fn bridges_to_proptest() {
    explore(retrospect::ecosystem::from_strategy(0..100u8), false);
}

#[cfg(feature = "arbitrary")]
#[test]
fn bridges_to_arbitrary() {
    explore(retrospect::ecosystem::from_arbitrary::<(u8, bool)>(), false);
}
