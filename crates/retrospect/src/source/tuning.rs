//! A source whose chances come from weights, which it asks directly.

use super::{Answers, Drawn, Law, NO_FRAME, PickRequest, RepeatRequest, Source, TunedChooser};
use crate::choice::{Frame, Site};

impl<'a> Source<'a> {
    /// Runs `body` with the answers of weights, which stand for chance: sizes, limits, searches and the record go on as they are. Gives back who answered.
    pub(crate) fn answered_by_weights<T>(
        &mut self,
        tuned: Box<TunedChooser>,
        body: impl FnOnce(&mut Source<'a>) -> Drawn<T>,
    ) -> (Drawn<T>, Option<Box<TunedChooser>>) {
        let weighted = Weighted {
            answers: std::mem::replace(&mut self.answers, Answers::Asked),
            is_counting: std::mem::replace(&mut self.is_counting, true),
            // What is tuned inside of it draws by these weights as well.
            is_chance: std::mem::replace(&mut self.is_chance, false),
            binding: self.binding,
            source: self,
        };
        weighted.source.tuned = Some(tuned);
        let result = body(&mut *weighted.source);
        let tuned = weighted.source.tuned.take();
        (result, tuned)
    }

    // Apart from what asks others: each of them would have to keep more registers free.

    #[inline(never)]
    pub(super) fn number_by_weights(&mut self, max: u64, law: &Law) -> u64 {
        let index = self.tuned.as_mut().map_or(0, |tuned| tuned.answer_number(max, law));
        if self.is_recording {
            self.record.push_number(index, max);
        }
        index
    }

    #[inline(never)]
    pub(super) fn pick_by_weights(&mut self, request: &PickRequest<'_>) -> usize {
        let arm = self.tuned.as_mut().map_or(0, |tuned| tuned.answer_pick(request));
        self.last_pick = Some((request.site, arm));
        arm
    }

    #[inline(never)]
    pub(super) fn repeat_by_weights(&mut self, request: &RepeatRequest) -> (usize, Frame) {
        let count = self.tuned.as_mut().map_or(request.min, |tuned| tuned.answer_repeat(request));
        (count, if self.is_recording { self.record.open_repeat(count) } else { NO_FRAME })
    }

    #[inline(never)]
    pub(super) fn open_by_weights(&mut self, site: &'static Site) -> Frame {
        if let Some(tuned) = &mut self.tuned {
            tuned.open_call(site);
        }
        if self.is_recording { self.record.open_call(site) } else { NO_FRAME }
    }

    #[inline(never)]
    pub(super) fn close_by_weights(&mut self, frame: Frame) {
        if let Some(tuned) = &mut self.tuned {
            tuned.close_bracket();
        }
        if self.is_recording {
            self.record.close(frame);
        }
    }

    #[inline(never)]
    pub(super) fn open_part_by_weights(&mut self) -> usize {
        if let Some(tuned) = &mut self.tuned {
            tuned.open_part();
        }
        self.record.len()
    }
}

/// Makes the source again what it was before weights answered, also if a generator panics.
struct Weighted<'s, 'a> {
    source: &'s mut Source<'a>,
    answers: Answers,
    is_counting: bool,
    is_chance: bool,
    binding: u32,
}

impl Drop for Weighted<'_, '_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.source.tuned = None;
        self.source.answers = self.answers;
        self.source.is_counting = self.is_counting;
        self.source.is_chance = self.is_chance;
        self.source.binding = self.binding;
    }
}
