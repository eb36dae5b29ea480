//! Running properties under plain `cargo test`.
//!
//! `#[property]` on a function, or [`check`] without a macro, looks for a case that fails: saved
//! cases first, then examples, the ends of every choice, chance, and a climb toward what `target!`
//! names. What fails is saved, shrunk and reported; what passes is silent, unless it means little.
//!
//! ```
//! use retrospect::prelude::*;
//! let report = Check::new().save(false).named("shop::totals").failure(vec_of(any::<i64>(), ..), |prices| {
//!     assert!(prices.iter().fold(0, |sum: i64, price| sum.saturating_add(*price)) <= 1000);
//! });
//! let report = report.unwrap();
//! assert!(report.contains("let value = [1001];"));
//! assert!(report.contains("RETROSPECT_VALUE='value = [1001]'"));
//! ```
//!
//! | file | what |
//! | --- | --- |
//! | `property` | [`check`], [`check_case`], [`Check`], and what `#[property]` calls |
//! | `run` | one run of one property, from its settings to its verdict |
//! | `search`, `edges`, `climb`, `budget` | where a failing case is looked for, and for how long |
//! | `in_order` | all cases from small to large |
//! | `given` | running what is given instead: a value, a document, a saved case, choices |
//! | `trial` | the one door through which a property is run, in this process |
//! | `isolate` | the same door into a child process |
//! | `case` | [`Case`]: what a property draws from |
//! | `outcome`, `failure`, `panics` | what a body may return, which failure it is, catching panics without a word |
//! | `finding` | from a failing case to the smallest: saved, shrunk, run a last time |
//! | `regressions` | the files of saved cases |
//! | `report`, `health` | what a user reads, and what there is to warn of |
//! | `shrink_log`, `change` | how a case shrank, and what changed from step to step |
//! | `result_file` | what became of a property, for `cargo retrospect` to read |
//! | `observe` | a line for each case, for other programs to read; steering by examples |
//! | [`statistics`] | what `event!`, `classify!`, `cover!`, `note!` and `target!` log |
//! | [`settings`] | attribute, environment, `retrospect.toml` |
//! | `weights` | the files of learned weights |
//! | `watchdog`, `hang` | telling of a case that does not come back; ending the process if it hides a failure |
//! | `fork` | a body that forks: its child ends with the case |
//! | `crash` | a record of the running properties, for a process that dies in a case |
//! | `rerun` | the command that runs a property again |
//! | `user_crate` | the directory of the crate under test, and its `retrospect.toml` |
//! | `threads` | starting the few threads of the runner |
//!
//! # Limits
//!
//! * A panic on a thread that the body started is reported by the standard hook, once for each
//!   case; the body sees it when it joins the thread.
//! * What the body prints with `println!` in earlier cases stays in the test's output: stable Rust
//!   cannot take it back. `note!` is shown for the final case alone.
//! * A process that aborts, overflows its stack, exits or never ends can only be survived from
//!   outside: that is what `isolate` is for. Without it, the property, the case and the command
//!   that runs it in isolation are printed, or told by the next run.

mod budget;
mod case;
mod change;
mod climb;
mod crash;
mod edges;
mod failure;
mod finding;
mod fork;
mod given;
mod hang;
mod health;
mod in_order;
mod isolate;
mod observe;
mod outcome;
mod panics;
mod property;
mod reading;
pub(crate) mod regressions;
mod report;
mod rerun;
mod result_file;
mod run;
mod saved;
mod search;
mod search_time;
pub mod settings;
mod shrink_log;
pub mod statistics;
mod threads;
mod trial;
mod user_crate;
mod watchdog;
mod weights;

pub use case::Case;
pub use outcome::{Outcome, PropertyResult};
pub use property::{Check, check, check_case};
#[doc(hidden)]
pub use property::{Definition, outcome_of, run_property};
pub use settings::Settings;

/// What `cargo retrospect` shares with the library: nothing that anybody else should count on.
#[doc(hidden)]
pub mod tool {
    pub use super::reading::{MAX_VALUE_BYTES, read_file, read_to_limit};
    pub use super::regressions::{FileProblem, Loaded, SavedCase, file_of, load};
}
