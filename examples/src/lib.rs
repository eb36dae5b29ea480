//! The generators that the examples, the demo, the tests and the experiments share: one file for
//! each kind of value.
//!
//! Each is valid *by construction*: it makes only trees that are ordered, balanced or well typed,
//! and looked at backwards it accepts exactly those.

pub mod avl;
pub mod bst;
pub mod division;
pub mod heap;
pub mod json;
pub mod red_black;
pub mod sorted;
pub mod stlc;
pub mod system_f;
