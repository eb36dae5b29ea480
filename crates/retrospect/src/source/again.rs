//! Calls and repeats of a generator that may be asked again.
//!
//! [`Source::call`] takes a body that it can run once, and writes it down for each kind of source. Here the body stands in the program once: where it
//! cannot run at once, because the stack is low or because a chooser is to be told first, the generator is asked *again*, on more stack or inside
//! the bracket. What the body makes is returned as it is, where it is: moving a large value once more is what a call would cost most.

use super::{Answers, Bracket, Drawn, Extent, Form, NO_FRAME, Source};
use crate::choice::{Frame, Site};

impl<'a> Source<'a> {
    /// [`call`](Source::call) for a generator of this form that is asked `again` where `body` cannot run at once.
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
        self.bracket_again(site, 1, again, body)
    }

    /// [`call_again`](Source::call_again) for a bracket of so many levels of depth: none if there is no bracket where answers are random.
    #[inline(always)]
    pub(crate) fn bracket_again<T>(
        &mut self,
        site: &'static Site,
        levels: u32,
        again: impl FnOnce(&mut Source<'a>) -> Drawn<T>,
        body: impl FnOnce(&mut Source<'a>) -> Drawn<T>,
    ) -> Drawn<T> {
        let frame = match self.answers {
            Answers::Random => NO_FRAME,
            Answers::RandomRecorded => self.record.open_call(site),
            Answers::Asked => match self.told.take() {
                Some(_) => TOLD,
                None if self.is_known || self.is_direct() => self.open_directly(site),
                None if self.is_following => self.ask_open(Bracket::Call(site))?,
                None => {
                    let opened = self.ask_open(Bracket::Call(site)).map(|frame| (0, frame));
                    return self.around(opened, again);
                }
            },
        };
        self.depth.levels_to_look -= levels;
        let open = Open { source: self, frame, levels };
        body(&mut *open.source)
    }

    /// [`repeat_of`](Source::repeat_of) for a generator that keeps all parts and is asked `again` where `body` cannot run at once.
    #[inline(always)]
    pub(crate) fn repeat_again<T>(
        &mut self,
        item: Extent,
        min: usize,
        max: usize,
        again: impl FnOnce(&mut Source<'a>) -> Drawn<T>,
        body: impl FnOnce(&mut Source<'a>, usize) -> Drawn<T>,
    ) -> Drawn<T> {
        if min > max {
            return Err(self.no_length(min, max));
        }
        let (count, frame) = match self.answers {
            Answers::Random => (self.random_count(item, min, max), NO_FRAME),
            Answers::RandomRecorded => self.record_repeat(item, min, max),
            Answers::Asked => match self.told.take() {
                Some(count) => (count, TOLD),
                None if self.is_direct() && self.fixed.is_empty() => {
                    self.repeat_directly(self.repeat_request(item, min, max))
                }
                None if self.is_following => self.ask_repeat(self.repeat_request(item, min, max))?,
                None => {
                    let opened = self.ask_repeat(self.repeat_request(item, min, max));
                    return self.around(opened, again);
                }
            },
        };
        let open = Open { source: self, frame, levels: 0 };
        body(&mut *open.source, count)
    }

    /// Asks the generator again, now that the bracket around it is open.
    #[cold]
    #[inline(never)]
    fn around<T>(
        &mut self,
        opened: Drawn<(usize, Frame)>,
        again: impl FnOnce(&mut Source<'a>) -> Drawn<T>,
    ) -> Drawn<T> {
        let (count, frame) = opened?;
        self.told = Some(count);
        let result = again(self);
        self.ask_close(frame, result.is_ok())?;
        result
    }

    /// Closes the bracket of a call or repeat whose answers were recorded or asked for. Where nothing is recorded and who answers is known, it calls nothing.
    #[inline(never)]
    fn close_open(&mut self, frame: Frame) {
        if self.is_recording || !self.is_direct() || frame.at == TOLD.at {
            return self.close_otherwise(frame);
        }
        match (&mut self.tuned, &mut self.recovery) {
            (Some(tuned), _) => tuned.close_bracket(),
            (_, Some(recovery)) => recovery.close_bracket(),
            _ => {}
        }
    }

    #[inline(never)]
    fn close_otherwise(&mut self, frame: Frame) {
        match self.answers {
            Answers::Random => {}
            Answers::RandomRecorded => self.record.close(frame),
            Answers::Asked => self.close_directly(frame),
        }
        if std::thread::panicking() && self.is_recording && frame.at != TOLD.at {
            self.record.close_from(frame.at as usize);
        }
    }
}

/// The frame of a bracket that is closed by whoever opened it.
pub(super) const TOLD: Frame = Frame { at: u32::MAX };

/// Closes the bracket of a call or repeat when it is dropped: without a look at what was made.
struct Open<'s, 'a> {
    source: &'s mut Source<'a>,
    frame: Frame,
    /// How many levels of depth it is: a constant where it is used.
    levels: u32,
}

impl Drop for Open<'_, '_> {
    // An addition and a comparison and nothing more, so that it is inlined: where answers are random and not recorded there is nothing to close.
    #[inline(always)]
    fn drop(&mut self) {
        self.source.depth.levels_to_look += self.levels;
        if self.source.answers != Answers::Random {
            self.source.close_open(self.frame);
        }
    }
}
