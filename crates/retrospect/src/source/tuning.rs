//! A source whose chances come from weights, which it asks directly.

use super::weights::Items;
use super::{Answers, Drawn, Law, NO_FRAME, PickRequest, RepeatRequest, Rng, Source, TunedChooser, Weights};
use crate::choice::{Frame, Site};
use std::sync::Arc;

impl<'a> Source<'a> {
    /// Who drew by these weights, if nobody drew by others since.
    #[inline(always)]
    pub(crate) fn drew_last(&mut self, weights: &Arc<Weights>) -> Option<Box<TunedChooser>> {
        if self.rested.0.as_ref().is_some_and(|tuned| tuned.draws_by(weights)) { self.rested.0.take() } else { None }
    }

    /// Lets go who drew by weights, so that what it met is known to all.
    pub(crate) fn send_home(&mut self) {
        self.rested = Rested::default();
    }

    /// Runs `body` with the answers of weights, which stand for chance: sizes, limits, searches and the record go on as they are. Who answered rests here
    /// then, since it is mostly who answers next.
    #[inline(always)]
    pub(crate) fn answered_by_weights<T>(
        &mut self,
        tuned: Box<TunedChooser>,
        body: impl FnOnce(&mut Source<'a>) -> Drawn<T>,
    ) -> Drawn<T> {
        let weighted = Weighted {
            answers: std::mem::replace(&mut self.answers, Answers::Asked),
            is_counting: std::mem::replace(&mut self.is_counting, true),
            // What is tuned inside of it draws by these weights as well.
            is_chance: std::mem::replace(&mut self.is_chance, false),
            binding: self.binding,
            source: self,
        };
        weighted.source.tuned = Some(tuned);
        body(&mut *weighted.source)
    }

    /// Runs `body`, which draws by weights, where somebody else than chance answers; who wants to know by which is told.
    pub(crate) fn asked_beside_weights<T>(
        &mut self,
        weights: &Arc<Weights>,
        body: impl FnOnce(&mut Source<'a>) -> Drawn<T>,
    ) -> Drawn<T> {
        let is_told = self.chooser.as_mut().is_some_and(|chooser| chooser.begin_weights(weights));
        let result = body(self);
        if let (true, Some(chooser)) = (is_told, &mut self.chooser) {
            chooser.end_weights();
        }
        result
    }

    /// Whether weights have the next answer.
    #[inline(always)]
    pub(crate) fn has_weights(&self) -> bool {
        self.tuned.is_some() && self.fixed.is_empty()
    }

    // Apart from what asks others, and the record apart from what it records: where one does not call the other, no registers have to be kept free.

    #[inline(never)]
    pub(super) fn number_by_weights(&mut self, max: u64, law: &Law) -> Drawn<u64> {
        let index = self.tuned.as_mut().map_or(0, |tuned| tuned.answer_number(max, law));
        if self.is_recording { self.record_number(index, max) } else { Ok(index) }
    }

    #[inline(never)]
    fn record_number(&mut self, index: u64, max: u64) -> Drawn<u64> {
        self.record.push_number(index, max);
        Ok(index)
    }

    /// What draws the items of a list by weights, and its random numbers, if nothing is to be recorded.
    #[inline(never)]
    pub(super) fn unrecorded_items(&mut self, max: u64, law: &Law) -> Option<(&Items, &mut Rng)> {
        if self.is_recording || !self.fixed.is_empty() {
            return None;
        }
        self.tuned.as_mut()?.items(max, law)
    }

    /// Some items of a list: the same as if nothing was recorded.
    pub(super) fn numbers_by_weights(&mut self, max: u64, law: &Law, indices: &mut [u64]) -> Drawn<()> {
        let items = self.tuned.as_mut().and_then(|tuned| tuned.items(max, law));
        let Some((items, rng)) = items else {
            for index in indices {
                *index = self.number_by_weights(max, law)?;
            }
            return Ok(());
        };
        for index in &mut *indices {
            *index = items.draw(rng);
        }
        if self.is_recording {
            self.record.push_numbers(max, indices.iter().copied());
        }
        Ok(())
    }

    /// The arm, and whether it is to be recorded.
    #[inline(never)]
    pub(super) fn pick_by_weights(&mut self, site: &'static Site, weights: &[u32]) -> Drawn<(usize, bool)> {
        let request = PickRequest { site, weights };
        let arm = self.tuned.as_mut().map_or(0, |tuned| tuned.answer_pick(&request));
        self.last_pick = Some((site, arm));
        Ok((arm, self.is_recording))
    }

    #[inline(never)]
    pub(super) fn repeat_by_weights(&mut self, request: &RepeatRequest) -> (usize, Frame) {
        let count = self.tuned.as_mut().map_or(request.min, |tuned| tuned.answer_repeat(request));
        if self.is_recording { self.record_opened_repeat(count) } else { (count, NO_FRAME) }
    }

    #[inline(never)]
    fn record_opened_repeat(&mut self, count: usize) -> (usize, Frame) {
        (count, self.record.open_repeat(count))
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
        self.source.rested = Rested(self.source.tuned.take());
        self.source.answers = self.answers;
        self.source.is_counting = self.is_counting;
        self.source.is_chance = self.is_chance;
        self.source.binding = self.binding;
    }
}

/// Who drew by weights last. It goes home when others draw, or nobody does any more.
#[derive(Default)]
pub(super) struct Rested(Option<Box<TunedChooser>>);

impl Drop for Rested {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(tuned) = self.0.take() {
            tuned.go_home();
        }
    }
}
