//! Properties as their users meet them: a throw-away crate under the real `cargo test`, its output,
//! its exit code and its files.
//!
//! A test names a property of `fixtures/`, runs it and pins what is seen.

mod bad_input;
mod commands;
mod dying;
mod edges;
mod failing;
mod functions;
mod health;
mod isolated;
mod killed;
mod places;
mod plain;
mod project;
mod readme;
mod replay;
mod saved;
mod saying;
mod searching;
mod settings;
mod shrinking;
