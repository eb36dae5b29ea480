//! Room on the stack for what is done with deep values.
//!
//! Values that are drawn have a depth that a test thread survives; those that are given, replayed or
//! read may have any. Generators make them on a stack that grows, but what a user's type does by
//! itself, such as dropping, comparing or printing, does not know of it. So whoever makes values of
//! such choices or texts, and does any of this with them, does it here.

use crate::choice::Choices;
use crate::stack::with_deep_stack;

/// Texts of this length may be of deep values.
const LONG: usize = 2_000;

/// Runs `work` on values that these choices make, with enough stack for them.
#[inline]
pub(crate) fn with_room_for<R>(choices: &Choices, work: impl FnOnce() -> R) -> R {
    if choices.is_deep() { with_deep_stack(work) } else { work() }
}

/// The same for values of this text.
#[inline]
pub(crate) fn with_room_for_text<R>(text: &str, work: impl FnOnce() -> R) -> R {
    if is_long(text) { with_deep_stack(work) } else { work() }
}

/// Whether a value of this text may be deep.
pub(crate) fn is_long(text: &str) -> bool {
    text.len() > LONG
}
