//! How much the reading of texts may cost, where it is only worth so much.
//!
//! One reading can try hundreds of ways, and compare thousands of values in each of them. Who reads
//! many texts in the hope that some are of values gives all of them together one limit. Every
//! reading has a limit of ways: those inside one another multiply.

use std::cell::Cell;
use std::thread::LocalKey;

thread_local! {
    /// What is left of the effort, if it is limited.
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
    /// How many more ways the reading under way may try, if one is.
    static WAYS_LEFT: Cell<Option<u64>> = const { Cell::new(None) };
}

/// What a way or a comparison costs, beside the text that is compared in it.
pub(crate) const EFFORT_OF_EACH: u32 = 10;

/// Runs `body`, in which readings compare at most so many characters altogether. A limit around it
/// stays in force instead.
pub(crate) fn with_effort<T>(effort: u32, body: impl FnOnce() -> T) -> T {
    within(&LEFT, effort, body)
}

/// Runs the reading of a text of so many bytes. Together with those inside it, it tries only so
/// many ways.
pub(crate) fn with_limited_ways<T>(length: usize, body: impl FnOnce() -> T) -> T {
    within(&WAYS_LEFT, WAYS_OF_EACH + WAYS_PER_BYTE * length as u64, body)
}

/// Far more than readings need that do not fail, and about a second.
const WAYS_OF_EACH: u64 = 200_000;
const WAYS_PER_BYTE: u64 = 100;

fn within<N: Copy + 'static, T>(left: &'static LocalKey<Cell<Option<N>>>, limit: N, body: impl FnOnce() -> T) -> T {
    /// Also if a generator panics.
    struct Before<N: Copy + 'static>(&'static LocalKey<Cell<Option<N>>>);
    impl<N: Copy + 'static> Drop for Before<N> {
        fn drop(&mut self) {
            self.0.set(None);
        }
    }
    if left.get().is_some() {
        return body();
    }
    left.set(Some(limit));
    let _before = Before(left);
    body()
}

/// Counts one more way. `false` if there are no more for this reading.
pub(crate) fn may_try_way() -> bool {
    match WAYS_LEFT.get() {
        None => true,
        Some(0) => false,
        Some(left) => {
            WAYS_LEFT.set(Some(left - 1));
            true
        }
    }
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
