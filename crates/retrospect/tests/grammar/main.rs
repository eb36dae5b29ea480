//! Texts from grammars: what they write, what they read, and that this is what the grammar says.
#![cfg(all(feature = "text", feature = "macros"))]

mod meaning;
mod membership;
#[path = "../../../retrospect-grammar/tests/grammar/writing.rs"]
mod writing;
