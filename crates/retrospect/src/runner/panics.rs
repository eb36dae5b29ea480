//! Catching panics without a word.
//!
//! A hook is put in front of the one that is there, once, and stays. It keeps quiet, and takes down
//! what was said, only on a thread that is running a case of a property just now; every other panic
//! goes on to the hook before. So other tests, and hooks of the user's own, are left alone.

use super::failure::{Failure, Trace};
use super::isolate;
use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Once};

/// Why a case did not return.
pub(crate) enum Thrown {
    /// By the framework itself: [`throw`].
    Interruption(Box<dyn Any + Send>),
    Panic(Failure),
}

/// Runs a block of cases; panics on this thread are silent until it ends. Nested blocks are fine.
pub(crate) fn quietly<T>(wants_backtrace: bool, block: impl FnOnce() -> T) -> T {
    install();
    let before = WATCH.replace(if wants_backtrace { Watch::WithBacktrace } else { Watch::Quiet });
    // Put back also when the block itself panics: an error of the framework must not be hidden.
    let _restored = Restore(before);
    block()
}

/// Runs one case inside [`quietly`].
#[inline]
pub(crate) fn catch<T>(case: impl FnOnce() -> T) -> Result<T, Thrown> {
    panic::catch_unwind(AssertUnwindSafe(case)).map_err(thrown)
}

/// What a part of a case returns; nothing if it panics. What ends the whole case is passed on.
pub(crate) fn returned<T>(part: impl FnOnce() -> T) -> Option<T> {
    match catch(part) {
        Ok(value) => Some(value),
        Err(Thrown::Panic(_)) => None,
        Err(Thrown::Interruption(payload)) => panic::resume_unwind(payload),
    }
}

/// Ends the case with a word for the runner. No hook hears of it.
pub(crate) fn throw<T: Any + Send>(interruption: T) -> ! {
    panic::resume_unwind(Box::new(interruption))
}

/// Whether a case of a property runs on this thread just now.
pub(crate) fn is_watching() -> bool {
    WATCH.get() != Watch::Off
}

/// The text of a panic's payload. It is compared and told in each run, so a long one is cut.
pub(crate) fn text_of(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        shortened_message(text)
    } else if let Some(text) = payload.downcast_ref::<String>() {
        shortened_message(text)
    } else {
        "a panic whose payload is not text".to_owned()
    }
}

/// The limit on a message, which is compared in each run; nobody reads more.
const MAX_MESSAGE_BYTES: usize = 1 << 14;

pub(crate) fn shortened_message(text: &str) -> String {
    let end = (0..=MAX_MESSAGE_BYTES.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    match end == text.len() {
        true => text.to_owned(),
        false => format!("{}… ({} bytes)", &text[..end], text.len()),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Watch {
    Off,
    Quiet,
    WithBacktrace,
}

struct Heard {
    place: Option<String>,
    message: String,
    backtrace: Option<Trace>,
}

/// The number of panics that are remembered: a body may catch as many as it likes.
const MAX_HEARD: usize = 16;

/// The last words of a process in which a panic met another, or a function that may not unwind: it
/// aborts right after.
const LAST_WORDS: [&str; 2] = ["panic in a destructor during cleanup", "panic in a function that cannot unwind"];

/// Whose cases this thread runs.
pub(crate) fn name_property(name: &str) {
    NAME.with(|slot| name.clone_into(&mut slot.borrow_mut()));
}

thread_local! {
    static NAME: RefCell<String> = const { RefCell::new(String::new()) };
    static WATCH: Cell<Watch> = const { Cell::new(Watch::Off) };
    /// The last panics of the case, the oldest first: some were caught inside the body, one may be
    /// on its way.
    static HEARD: RefCell<VecDeque<Heard>> = const { RefCell::new(VecDeque::new()) };
}

struct Restore(Watch);

impl Drop for Restore {
    fn drop(&mut self) {
        WATCH.set(self.0);
    }
}

fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(put_in_front);
}

/// A hook that was set later, by another test, has taken the place of ours: the panic was printed,
/// and not heard. Ours goes in front of it, and it gets what is not for us.
fn install_again() {
    // Panics that are passed on from other threads are not heard either: they must not make this go
    // on for ever.
    const MOST: u32 = 10;
    static TIMES: AtomicU32 = AtomicU32::new(0);
    if TIMES.fetch_add(1, Ordering::Relaxed) < MOST {
        put_in_front();
    }
}

fn put_in_front() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        // A thread that is ending has no locals left.
        match WATCH.try_with(Cell::get) {
            Ok(watch) if watch != Watch::Off => {
                if LAST_WORDS.contains(&&*text_of(info.payload())) {
                    match isolate::is_worker() {
                        true => {
                            before(info);
                            super::report::print_past_harness(&last_words(": "));
                        }
                        false => {
                            say_last_words();
                            before(info);
                        }
                    }
                }
                hear(info, watch);
            }
            _ => before(info),
        }
    }));
}

/// Nothing will be reported any more: says what was heard.
#[cold]
fn say_last_words() {
    let name = NAME.try_with(|name| name.borrow().clone()).unwrap_or_default();
    let text = format!(
        "\nFAIL  {name}    a panic met another, and the process aborts\n{}  \
         #[property(isolate)] makes it a failure that is shrunk like any other\n",
        last_words(":\n      ")
    );
    super::report::print_past_harness(&text);
}

/// The panics that were heard, the oldest first.
fn last_words(before_message: &str) -> String {
    let mut text = String::new();
    let _ = HEARD.try_with(|slot| {
        for Heard { place, message, .. } in &*slot.borrow() {
            let place = place.as_deref().unwrap_or("an unknown place");
            let message = message.replace('\n', "\n      ");
            text += &format!("  panicked at {place}{before_message}{message}\n");
        }
    });
    text
}

#[cold]
fn hear(info: &PanicHookInfo<'_>, watch: Watch) {
    let backtrace = (watch == Watch::WithBacktrace)
        .then(Backtrace::capture)
        .filter(|backtrace| backtrace.status() == BacktraceStatus::Captured);
    let heard = Heard {
        place: info.location().map(ToString::to_string),
        message: text_of(info.payload()),
        backtrace: backtrace.map(|backtrace| Trace::Captured(Arc::new(backtrace))),
    };
    let _ = HEARD.try_with(|slot| {
        let mut all = slot.borrow_mut();
        if all.len() == MAX_HEARD {
            all.pop_front();
        }
        all.push_back(heard);
    });
}

/// The frames between the panic and this runner, unless all of them are asked for.
pub(super) fn shortened(backtrace: &str) -> String {
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value == "full") {
        return backtrace.to_owned();
    }
    // A frame is a line `12: name`, and perhaps one with its place.
    let is_frame = |line: &str| line.trim_start().split(':').next().is_some_and(|number| number.parse::<u32>().is_ok());
    let name =
        |line: &str| line.split_once(": ").map(|(_, name)| name.trim_start_matches('<').to_owned()).unwrap_or_default();
    let of_panicking = |name: &str| {
        ["core::panicking", "std::panicking", "__rustc::rust_begin_unwind", "rust_begin_unwind"]
            .iter()
            .any(|start| name.starts_with(start))
    };
    let of_the_runner =
        |name: &str| name.starts_with("retrospect::runner::") && !name.starts_with("retrospect::runner::panics::");
    // The frames between, each with its name: none before the first frame, none again after one of
    // panicking.
    let mut frames: Vec<(String, String)> = Vec::new();
    let mut is_inside = false;
    for line in backtrace.lines() {
        if is_frame(line) {
            let name = name(line);
            if of_the_runner(&name) {
                break;
            }
            is_inside = !of_panicking(&name);
            match is_inside {
                true => frames.push((name, line.to_owned())),
                false => frames.clear(),
            }
        } else if let (true, Some((_, frame))) = (is_inside, frames.last_mut()) {
            frame.push('\n');
            *frame += line;
        }
    }
    let shown = without_runtime(frames).join("\n");
    if shown.is_empty() { backtrace.to_owned() } else { shown }
}

/// The frames without those of a runtime for async code, and without those of the standard library
/// next to them.
fn without_runtime(frames: Vec<(String, String)>) -> Vec<String> {
    const RUNTIMES: [&str; 7] =
        ["tokio::", "futures_executor::", "futures_util::", "async_executor::", "async_io::", "smol::", "pollster::"];
    const STANDARD: [&str; 3] = ["core::", "std::", "alloc::"];
    let starts_with = |name: &str, starts: &[&str]| starts.iter().any(|start| name.starts_with(start));
    let mut shown = Vec::new();
    let mut frames = frames.into_iter().peekable();
    while let Some((name, frame)) = frames.next() {
        if !starts_with(&name, &RUNTIMES) && !starts_with(&name, &STANDARD) {
            shown.push(frame);
            continue;
        }
        // A stretch of frames that are not the user's.
        let mut stretch = vec![frame];
        let mut has_runtime = starts_with(&name, &RUNTIMES);
        while let Some((name, frame)) =
            frames.next_if(|(name, _)| starts_with(name, &RUNTIMES) || starts_with(name, &STANDARD))
        {
            has_runtime |= starts_with(&name, &RUNTIMES);
            stretch.push(frame);
        }
        if !has_runtime {
            shown.append(&mut stretch);
        }
    }
    shown
}

#[cold]
fn thrown(payload: Box<dyn Any + Send>) -> Thrown {
    let heard = HEARD.take();
    if payload.is::<super::case::Interruption>() || payload.is::<super::statistics::Discarded>() {
        return Thrown::Interruption(payload);
    }
    let message = text_of(&*payload);
    // Dropping a payload may panic too.
    let _ = panic::catch_unwind(AssertUnwindSafe(|| drop(payload)));
    // A panic passed on from another thread was heard there, or by nobody. Destructors may have
    // caught others after it.
    match heard.into_iter().rfind(|heard| heard.message == message) {
        Some(heard) => Failure { backtrace: heard.backtrace, ..Failure::panicked(heard.place, message) }.into(),
        None => {
            install_again();
            Failure::panicked(None, message).into()
        }
    }
}

impl From<Failure> for Thrown {
    fn from(failure: Failure) -> Thrown {
        Thrown::Panic(failure)
    }
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn frames_of_a_runtime_are_left_out() {
        let backtrace = "   0: std::backtrace::Backtrace::create
   1: retrospect::runner::panics::hear
   2: std::panicking::panic_with_hook
   3: __rustc::rust_begin_unwind
   4: core::panicking::panic_fmt
   5: mine::checked
             at ./src/lib.rs:5:9
   6: core::iter::traits::iterator::Iterator::for_each
   7: mine::is_async::is_async::{{closure}}
             at ./src/lib.rs:10:5
   8: <core::pin::Pin<P> as core::future::future::Future>::poll
             at /rustc/library/core/src/future/future.rs:133:9
   9: tokio::runtime::scheduler::current_thread::CoreGuard::block_on::{{closure}}
  10: std::thread::local::LocalKey<T>::with
  11: tokio::runtime::runtime::Runtime::block_on
  12: mine::is_async::is_async
             at ./src/lib.rs:8:1
  13: mine::is_async::{{closure}}
  14: retrospect::runner::trial::InProcess::run
  15: core::ops::function::FnOnce::call_once";
        let shown = "   5: mine::checked
             at ./src/lib.rs:5:9
   6: core::iter::traits::iterator::Iterator::for_each
   7: mine::is_async::is_async::{{closure}}
             at ./src/lib.rs:10:5
  12: mine::is_async::is_async
             at ./src/lib.rs:8:1
  13: mine::is_async::{{closure}}";
        assert_eq!(shortened(backtrace), shown);
    }
}
