//! What retrospect writes down about a run of a property, case by case.
//!
//! Two files belong to a run. One has a line for each case in the format OpenPBTStats, as
//! Hypothesis and Haskell's QuickCheck write it and Tyche shows it ([`Observation`]). The other has
//! what that format has no place for ([`Event`]): how a counterexample shrank, which shares were
//! asked for, what there is to warn of. `FORMAT.md` beside this crate describes both, and how a
//! generator is steered by examples ([`Steer`]).
//!
//! ```
//! use retrospect_stats::{Json, Observation, Status};
//! let mut line = Observation::new("ledger::tests::round_trip", 1_763_282_281.5);
//! line.status = Status::Passed;
//! line.representation = "[3, 1]".into();
//! line.arguments.push(("xs".into(), Json::from("[3, 1]")));
//! line.features.push(("length".into(), Json::from(2_u64)));
//! assert!(line.to_line().starts_with(r#"{"type":"test_case","status":"passed","status_reason":"","representation":"[3, 1]","#));
//! ```
//!
//! Writing needs no other crate, since every test that uses the library is built with it. Reading
//! is behind the feature `read`.

mod event;
mod json;
mod line;
#[cfg(feature = "read")]
pub mod read;
mod steer;
#[cfg(feature = "read")]
pub mod summary;
mod write;

pub use event::{Event, Happened};
pub use json::Json;
pub use line::{Line, Observation, Status, ready_name};
pub use steer::Steer;
pub use write::{EVENTS, Writer, file_name};
