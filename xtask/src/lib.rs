//! The repository's own commands. `cargo xtask help` lists them.
//!
//! This crate depends on no other crate of the workspace, so that the checks build and speak even
//! when what they check does not compile.

use std::path::PathBuf;

pub mod build_cost;
pub mod edit_cost;
pub mod lines;
pub mod page;
mod rust_source;
pub mod suite;
pub mod tidy;

/// The root of the repository.
pub fn root() -> PathBuf {
    // Cargo sets the variable for `cargo run` and `cargo test`; the compile-time value is for a
    // binary started by hand.
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let mut root = PathBuf::from(here);
    root.pop();
    root
}
