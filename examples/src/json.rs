//! JSON documents as trees.

use retrospect::prelude::*;

/// A JSON value.
#[derive(Debug, Clone, PartialEq, Generate)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number.
    Number(i64),
    /// A string.
    String(String),
    /// A list.
    Array(Vec<Json>),
    /// Names and values, in order.
    Object(Vec<(String, Json)>),
}

/// JSON values with lists and objects nested at most `depth` deep.
#[generator]
pub fn json(depth: u32) -> Json {
    match pick() {
        "null" => Json::Null,
        "bool" => Json::Bool(draw(any::<bool>())),
        "number" => Json::Number(draw(any::<i64>())),
        "string" => Json::String(draw(string_of(' '..='~', 0..=9))),
        #[weight(if depth == 0 { 0 } else { 2 })]
        "array" => Json::Array(draw(vec_of(json(depth - 1), 0..=4))),
        #[weight(if depth == 0 { 0 } else { 2 })]
        "object" => Json::Object(draw(vec_of((string_of('a'..='z', 1..=5), json(depth - 1)), 0..=4))),
    }
}
