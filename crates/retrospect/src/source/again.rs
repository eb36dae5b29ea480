//! Calls and repeats whose body is compiled once.
//!
//! [`Source::call`] takes a body that it can run once. Here the generator is called *again* where
//! the stack is low, so that its body need not be compiled a second time. What the body makes is
//! returned where it is: moving a large value once more is what a call would cost most.

use super::{Answers, Bracket, Drawn, Extent, Form, MAX_COUNT, NO_FRAME, Source};
use crate::choice::{Frame, Site};

impl<'a> Source<'a> {
    /// [`call`](Source::call) for a generator of this form, which is called `again` where the stack
    /// is low.
    #[inline(always)]
    pub(crate) fn call_again<T>(
        &mut self,
        site: &'static Site,
        form: &dyn Fn() -> Form,
        again: impl FnOnce(&mut Source<'a>) -> Drawn<T>,
        body: impl FnOnce(&mut Source<'a>) -> Drawn<T>,
    ) -> Drawn<T> {
        if self.depth.levels_to_look == 0 {
            return self.further(site, form, again);
        }
        self.bracket(site, 1, body)
    }

    /// Runs `body` in a bracket of so many levels of depth.
    #[inline(always)]
    pub(crate) fn bracket<T>(
        &mut self,
        site: &'static Site,
        levels: u32,
        body: impl FnOnce(&mut Source<'a>) -> Drawn<T>,
    ) -> Drawn<T> {
        let frame = match self.answers {
            Answers::Random => NO_FRAME,
            Answers::RandomRecorded => self.record.open_call(site),
            Answers::Asked => self.ask_open(Bracket::Call(site))?,
        };
        self.depth.levels_to_look -= levels;
        let open = Open { source: self, frame, levels };
        body(&mut *open.source)
    }

    /// [`repeat_of`](Source::repeat_of) for a generator that keeps all parts.
    #[inline(always)]
    pub(crate) fn repeat_all<T>(
        &mut self,
        item: Extent,
        min: usize,
        max: usize,
        body: impl FnOnce(&mut Source<'a>, usize) -> Drawn<T>,
    ) -> Drawn<T> {
        if min > max.min(MAX_COUNT) {
            return Err(self.no_length(min, max));
        }
        let (count, frame) = match self.answers {
            Answers::Random => (self.random_count(item, min, max), NO_FRAME),
            Answers::RandomRecorded => self.record_repeat(item, min, max),
            Answers::Asked => self.ask_repeat(self.repeat_request(item, min, max))?,
        };
        let open = Open { source: self, frame, levels: 0 };
        body(&mut *open.source, count)
    }

    /// Closes a bracket whose answers are recorded or asked for.
    #[inline(never)]
    fn close_open(&mut self, frame: Frame) {
        match self.answers {
            Answers::Random => {}
            Answers::RandomRecorded => self.record.close(frame),
            Answers::Asked => self.ask_close(frame),
        }
        if std::thread::panicking() && self.is_recording {
            self.record.close_from(frame.at as usize);
        }
    }
}

/// Closes a bracket when it is dropped, without a look at the value that was made.
struct Open<'s, 'a> {
    source: &'s mut Source<'a>,
    frame: Frame,
    /// Levels of depth: a constant where it is used.
    levels: u32,
}

impl Drop for Open<'_, '_> {
    // Random answers that are not recorded have nothing to close, so this is an addition and a
    // comparison.
    #[inline(always)]
    fn drop(&mut self) {
        self.source.depth.levels_to_look += self.levels;
        if self.source.answers != Answers::Random {
            self.source.close_open(self.frame);
        }
    }
}
