//! `serde`: values that are given as JSON.

use crate::generator::Generator;
use crate::generator::kept::ReadJson;
use ::serde::Deserialize;
use std::marker::PhantomData;

/// Finds out whether the values of a generator can be read from JSON:
/// `(&&AsJson::of(&generator)).reader()`. The trait that is implemented for the most references is
/// taken.
#[derive(Debug)]
pub struct AsJson<T>(PhantomData<fn() -> T>);

impl<T> AsJson<T> {
    /// For the values of a generator.
    pub fn of<G: Generator<Value = T>>(_: &G) -> AsJson<T> {
        AsJson(PhantomData)
    }
}

/// They can.
pub trait WithJson<T> {
    /// Reads one.
    fn reader(&self) -> Option<ReadJson<T>>;
}

impl<T: Deserialize<'static>> WithJson<T> for &AsJson<T> {
    fn reader(&self) -> Option<ReadJson<T>> {
        // A value may borrow from the text for ever, as `&'static str` does. Of these texts there
        // are a few in a run.
        Some(|text| {
            ::serde_json::from_str(text.to_owned().leak()).map_err(|error| match looks_like_json(text) {
                true => error.to_string(),
                false => String::new(),
            })
        })
    }
}

/// Whether a text is JSON other than a number or a word, or begins with an object.
fn looks_like_json(text: &str) -> bool {
    let text = text.trim_start();
    let object = text.trim_start_matches(|char: char| char == '[' || char.is_whitespace()).strip_prefix('{');
    object.is_some_and(|fields| fields.trim_start().starts_with('"'))
        || text.starts_with(['[', '{', '"']) && ::serde_json::from_str::<::serde::de::IgnoredAny>(text).is_ok()
}

/// They cannot.
pub trait WithoutJson<T> {
    /// There is no reader.
    fn reader(&self) -> Option<ReadJson<T>> {
        None
    }
}

impl<T> WithoutJson<T> for AsJson<T> {}
