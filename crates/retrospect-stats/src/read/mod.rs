//! Reading what was written down: our files, those of Hypothesis and of Haskell's QuickCheck, whole
//! or while they are being written.
//!
//! | file | what |
//! | --- | --- |
//! | `scan` | one line of JSON, without copying it |
//! | `lines` | from lines to the cases of runs |
//! | `follow` | which files there are, what is new in them, in pieces that are read side by side |
//!
//! A line that cannot be read is counted and shown; nothing that a file holds ends the reading of
//! the rest.

mod follow;
pub(crate) mod lines;
mod scan;

pub use follow::{Follower, Progress, SourceState};
pub(crate) use follow::{Sources, read_line};
pub use lines::{BadLine, Message};
