//! Generators for the types of other crates, and bridges to other testing crates. Each part needs
//! the feature of its name.

#![cfg(any(
    feature = "arbitrary",
    feature = "bytes",
    feature = "chrono",
    feature = "http",
    feature = "jiff",
    feature = "proptest",
    feature = "quickcheck",
    feature = "rust_decimal",
    feature = "serde_json",
    feature = "url",
    feature = "uuid"
))]

mod enumeration;
#[cfg(feature = "arbitrary")]
mod from_arbitrary;
#[cfg(feature = "proptest")]
mod from_proptest;
#[cfg(feature = "quickcheck")]
mod from_quickcheck;
#[cfg(all(feature = "serde", feature = "serde_json"))]
mod given;
#[cfg(feature = "serde_json")]
mod json_values;
mod probability;
#[path = "../all_ways/sampled.rs"]
mod sampled;
#[cfg(any(feature = "bytes", feature = "rust_decimal", feature = "uuid"))]
mod small;
#[cfg(any(feature = "chrono", feature = "jiff"))]
mod times;
#[cfg(any(feature = "http", feature = "url"))]
mod web;

use retrospect::laws::Laws;
use retrospect::prelude::*;

/// Checks the laws, that the simplest value prints as `simplest`, and that `values` are recalled
/// and read.
#[track_caller]
#[allow(dead_code, reason = "not every feature has types")]
fn check<G: Generator>(generator: G, simplest: &str, values: impl IntoIterator<Item = G::Value>) {
    Laws::default().check(&generator);
    assert_eq!(format!("{:?}", generator.replay(&Choices::default())), simplest);
    for value in values {
        let text = format!("{value:?}");
        let choices = generator.choices_of(&value).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(format!("{:?}", generator.replay(&choices)), text);
        Laws::default().verify_value(&generator, &value).unwrap_or_else(|broken| panic!("{broken}"));
        for text in [text, format!("{value:#?}")] {
            let read = generator.read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(format!("{read:?}"), format!("{value:?}"));
        }
    }
}

/// What is read in vain, with what is said about it.
#[track_caller]
#[allow(dead_code, reason = "not every feature has types")]
fn refuses<G: Generator>(generator: G, texts: &[(&str, &str)]) {
    for (text, reason) in texts {
        let error = generator.read(text).unwrap_err().to_string();
        assert!(error.ends_with(reason), "{text}: {error}");
    }
}

/// What a value that a text shows shrinks to.
#[track_caller]
#[allow(dead_code, reason = "not every feature has types")]
fn shrunk<G: Generator>(generator: G, text: &str, fails: impl FnMut(&G::Value) -> bool) -> String {
    let value = generator.read(text).unwrap_or_else(|error| panic!("{error}"));
    format!("{:?}", generator.shrink(value, fails).unwrap().value)
}
