//! How long a search for valid values may take in a property.
//!
//! A search asks this through its source, since the engine reads no clock. The limit only decides
//! when a search gives up, never which value it finds.

use super::settings::Budget;
use crate::source::SearchTime;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// The limit of a property that says nothing about its budget.
const USUAL_LIMIT: Duration = Duration::from_secs(5);
/// A search of a property that asks for more cases gets this much for each of them.
const LIMIT_PER_CASE: Duration = Duration::from_millis(5);
/// A search gets at least this much, however many gave up before it.
const MIN_LIMIT: Duration = Duration::from_millis(50);

/// The time that searches of the property on this thread may take.
pub(crate) static SEARCH_TIME: SearchTime = SearchTime { begin, is_over, give_up };

thread_local! {
    static STARTED: Cell<Option<Instant>> = const { Cell::new(None) };
    static LIMIT: Cell<Duration> = const { Cell::new(USUAL_LIMIT) };
}

/// Sets the limit for a property with this budget.
pub(crate) fn set_limit(budget: Budget) {
    let limit = match budget {
        Budget::Default => USUAL_LIMIT,
        Budget::Cases(cases) => LIMIT_PER_CASE.saturating_mul(cases.try_into().unwrap_or(u32::MAX)),
        Budget::Time(time) | Budget::CasesOrTime(_, time) => time,
    };
    LIMIT.set(limit.max(USUAL_LIMIT));
}

fn begin() {
    STARTED.set(Some(Instant::now()));
}

fn elapsed() -> Duration {
    STARTED.get().map_or(Duration::ZERO, |started| started.elapsed())
}

fn is_over() -> bool {
    elapsed() >= LIMIT.get()
}

/// The next search gets half as much: a condition that depends on other values may give up in many
/// cases.
fn give_up() -> Duration {
    LIMIT.set((LIMIT.get() / 2).max(MIN_LIMIT));
    elapsed()
}
