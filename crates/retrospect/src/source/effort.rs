//! How much the reading of texts may cost, where it is only worth so much.
//!
//! One reading can try hundreds of ways, and compare thousands of values in each of them. Who reads
//! many texts in the hope that some are of values gives all of them together one limit.

use std::cell::Cell;

thread_local! {
    /// What is left of the effort, if it is limited.
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// What a way or a comparison costs, beside the text that is compared in it.
pub(crate) const EFFORT_OF_EACH: u32 = 10;

/// Runs `body`, in which readings compare at most so many characters altogether. A limit around it
/// stays in force instead.
pub(crate) fn with_effort<T>(effort: u32, body: impl FnOnce() -> T) -> T {
    /// Also if a generator panics.
    struct Before(Option<u32>);
    impl Drop for Before {
        fn drop(&mut self) {
            LEFT.set(self.0);
        }
    }
    if LEFT.get().is_some() {
        return body();
    }
    let _before = Before(LEFT.replace(Some(effort)));
    body()
}

/// Counts what something costs. `false` if nothing was left for it.
pub(crate) fn has_effort_for(cost: u32) -> bool {
    match LEFT.get() {
        None => true,
        Some(0) => false,
        Some(left) => {
            LEFT.set(Some(left.saturating_sub(cost)));
            true
        }
    }
}
