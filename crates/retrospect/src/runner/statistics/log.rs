//! What one case logs, on the thread that runs it.

use super::cover::Coverage;
use super::summary::grouped;
use super::values::{EventValue, Value};
use crate::mismatch::{limited, shortened};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;
use std::panic::{Location, resume_unwind};

/// What one case logged.
pub(crate) struct CaseLog {
    /// In the order in which they were logged; at most [`MOST_EVENTS`].
    pub events: Vec<Event>,
    /// One for each place that was reached, of one case each.
    pub covers: Vec<Coverage>,
    /// At most [`MAX_NOTES`]: the first and the last.
    pub notes: Vec<String>,
    pub lost_notes: u64,
    /// One for each label: the best of this case.
    pub scores: Vec<Score>,
    pub lost_events: u64,
}

pub(crate) struct Event {
    pub name: &'static str,
    pub value: Value,
}

pub(crate) struct Score {
    pub label: &'static str,
    /// None if all were NaN.
    pub best: Option<f64>,
    pub not_numbers: u64,
}

impl Score {
    /// Keeps the best for each label.
    pub(super) fn add_to(self, scores: &mut Vec<Score>) {
        match scores.iter_mut().find(|known| known.label == self.label) {
            Some(known) => {
                known.best = match (known.best, self.best) {
                    (Some(one), Some(other)) => Some(one.max(other)),
                    (one, other) => one.or(other),
                };
                known.not_numbers += self.not_numbers;
            }
            None => scores.push(self),
        }
    }
}

/// Thrown by `assume!`, without a panic hook being run; the runner catches it.
pub(crate) struct Discarded {
    pub place: &'static Location<'static>,
    /// What discarded it, as it is written.
    pub text: &'static str,
    /// What `assume!` was told to say about it.
    pub why: Option<String>,
}

/// A case that logs in a loop must not eat the memory of the machine.
const MOST_EVENTS: usize = 10_000;

/// More notes are left out, in the middle: the last say most about what happened.
const MAX_NOTES: usize = 100;

/// A longer note is cut off.
const MAX_NOTE_BYTES: usize = 2_000;

impl CaseLog {
    pub(crate) const EMPTY: CaseLog = CaseLog {
        events: Vec::new(),
        covers: Vec::new(),
        notes: Vec::new(),
        lost_notes: 0,
        scores: Vec::new(),
        lost_events: 0,
    };
}

#[derive(Clone, Copy)]
struct Mode {
    is_logging: bool,
    wants_notes: bool,
}

thread_local! {
    // Apart from the log, since these need no destructor and are therefore a plain load.
    static MODE: Cell<Mode> = const { Cell::new(Mode { is_logging: false, wants_notes: false }) };
    static TOUCHED: Cell<bool> = const { Cell::new(false) };
    static LOG: RefCell<CaseLog> = const { RefCell::new(CaseLog::EMPTY) };
}

/// Has this thread log, until the guard is dropped; then what was before comes back, as when a
/// property calls another one.
///
/// Notes are asked for only when they will be shown, so that no other case pays for them.
#[must_use]
pub(crate) fn begin(wants_notes: bool) -> Guard {
    Guard {
        mode: MODE.replace(Mode { is_logging: true, wants_notes }),
        touched: TOUCHED.replace(false),
        log: LOG.replace(CaseLog::EMPTY),
        stays_on_its_thread: PhantomData,
    }
}

pub(crate) struct Guard {
    mode: Mode,
    touched: bool,
    log: CaseLog,
    stays_on_its_thread: PhantomData<*const ()>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        MODE.set(self.mode);
        TOUCHED.set(self.touched);
        LOG.set(std::mem::replace(&mut self.log, CaseLog::EMPTY));
    }
}

/// Did this case log anything?
#[inline]
pub(crate) fn is_touched() -> bool {
    TOUCHED.get()
}

/// What this case logged. The log is empty afterwards, for the next one.
pub(crate) fn take() -> CaseLog {
    TOUCHED.set(false);
    let mut log = LOG.replace(CaseLog::EMPTY);
    if log.lost_notes > 0 {
        log.notes.insert(MAX_NOTES / 2, format!("… {} more notes", grouped(log.lost_notes)));
    }
    log
}

#[inline]
pub fn is_logging() -> bool {
    MODE.get().is_logging
}

#[inline]
pub fn wants_notes() -> bool {
    MODE.get().wants_notes
}

#[inline]
pub fn event<T: EventValue + ?Sized>(name: &'static str, value: &T) {
    add_event(Event { name, value: value.event_value() });
}

/// A condition and its label, in either order.
#[diagnostic::on_unimplemented(
    message = "`classify!` takes a condition and a label",
    label = "this is not a condition and a label",
    note = "write `classify!(list.is_empty(), \"empty\")`; for numbers and categories there is `event!(\"length\", list.len())`"
)]
pub trait Classified {
    fn parts(self) -> (bool, &'static str);
}

impl Classified for (bool, &'static str) {
    fn parts(self) -> (bool, &'static str) {
        self
    }
}

impl Classified for (&'static str, bool) {
    fn parts(self) -> (bool, &'static str) {
        (self.1, self.0)
    }
}

pub fn classify(classified: impl Classified) {
    let (is_held, label) = classified.parts();
    event(label, &Value::Flag(is_held));
}

/// `Debug` text as a category. It is cut off, so that a huge value costs no more than a large one.
pub fn debug_category(value: &dyn fmt::Debug) -> Value {
    Value::Category(Cow::Owned(shortened(value)))
}

pub fn note(text: fmt::Arguments<'_>) {
    // Before the log is borrowed, since printing the arguments may itself log.
    let text = limited(text, MAX_NOTE_BYTES);
    with_log(|log| {
        if log.notes.len() == MAX_NOTES {
            log.notes.remove(MAX_NOTES / 2);
            log.lost_notes += 1;
        }
        log.notes.push(text);
    });
}

/// A note of the runner itself.
pub(crate) fn note_if_wanted(text: &str) {
    if wants_notes() {
        note(format_args!("{text}"));
    }
}

/// A share, a condition and a label.
#[diagnostic::on_unimplemented(
    message = "`cover!` takes a share, a condition and a label, in this order",
    label = "this is not a share, a condition and a label",
    note = "write `cover!(0.05, list.is_empty(), \"empty\")` for at least 5 % of the cases"
)]
pub trait Covered {
    fn parts(self) -> (f64, bool, &'static str);
}

impl Covered for (f64, bool, &'static str) {
    fn parts(self) -> (f64, bool, &'static str) {
        self
    }
}

#[track_caller]
pub fn cover(covered: impl Covered) {
    let (share, held, label) = covered.parts();
    let cover = Coverage::of_case(Location::caller(), label, share, held);
    with_log(|log| match log.covers.iter_mut().find(|known| known.is_same_site(&cover)) {
        Some(known) => known.hold_if(held),
        None => log.covers.push(cover),
    });
}

/// A number that `as f64` takes.
pub trait Number {
    fn score(self) -> f64;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Number for $number {
            #[allow(clippy::cast_precision_loss, clippy::cast_lossless, clippy::unnecessary_cast)]
            fn score(self) -> f64 {
                self as f64
            }
        }
    )*};
}

numbers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 }

/// A score and its label, in any order.
pub trait Scored {
    fn parts(self) -> (f64, &'static str);
}

impl<N: Number> Scored for (N, &'static str) {
    fn parts(self) -> (f64, &'static str) {
        (self.0.score(), self.1)
    }
}

impl<N: Number> Scored for (&'static str, N) {
    fn parts(self) -> (f64, &'static str) {
        (self.1.score(), self.0)
    }
}

pub fn score(scored: impl Scored) {
    let (score, label) = scored.parts();
    let (score, not_numbers) = if score.is_nan() { (None, 1) } else { (Some(score), 0) };
    with_log(|log| Score { label, best: score, not_numbers }.add_to(&mut log.scores));
}

#[cold]
#[track_caller]
pub fn discard(text: &'static str, why: Option<fmt::Arguments<'_>>) -> ! {
    let why = why.map(|why| why.to_string());
    if is_logging() {
        resume_unwind(Box::new(Discarded { place: Location::caller(), text, why }));
    }
    let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
    panic!(
        "`{text}` does not hold{why}, and there is no case to discard here: it works only in a property, on the thread that runs it"
    );
}

fn add_event(event: Event) {
    with_log(|log| {
        if log.events.len() < MOST_EVENTS {
            log.events.push(event);
        } else {
            log.lost_events += 1;
        }
    });
}

/// The macros ask [`is_logging`] before they evaluate anything; asked again here, since the
/// arguments may have come from anywhere.
#[inline]
fn with_log(change: impl FnOnce(&mut CaseLog)) {
    if is_logging() {
        TOUCHED.set(true);
        LOG.with_borrow_mut(change);
    }
}
