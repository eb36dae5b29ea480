//! A source whose chances come from weights.

use super::{Answers, Drawn, Source, TunedChooser, Weights};
use std::sync::Arc;

impl<'a> Source<'a> {
    /// Runs `body` with the answers of weights, which stand for chance: sizes, limits, searches and
    /// the record go on as they are. Then the chooser returns to its cache.
    #[inline(always)]
    pub(crate) fn answered_by_weights<T>(
        &mut self,
        tuned: Box<TunedChooser>,
        body: impl FnOnce(&mut Source<'a>) -> Drawn<T>,
    ) -> Drawn<T> {
        let weighted = Weighted {
            answers: std::mem::replace(&mut self.answers, Answers::Asked),
            is_counting: std::mem::replace(&mut self.is_counting, true),
            wants_parts: std::mem::replace(&mut self.wants_parts, false),
            // What is tuned inside of it draws by these weights as well.
            is_chance: std::mem::replace(&mut self.is_chance, false),
            binding: self.binding,
            source: self,
        };
        weighted.source.tuned = Some(tuned);
        body(&mut *weighted.source)
    }

    /// Runs `body`, which draws by weights, where somebody else than chance answers; who wants to
    /// know by which is told.
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
}

/// Makes the source again what it was before weights answered, also if a generator panics.
struct Weighted<'s, 'a> {
    source: &'s mut Source<'a>,
    answers: Answers,
    is_counting: bool,
    wants_parts: bool,
    is_chance: bool,
    binding: u32,
}

impl Drop for Weighted<'_, '_> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(tuned) = self.source.tuned.take() {
            tuned.release();
        }
        self.source.answers = self.answers;
        self.source.is_counting = self.is_counting;
        self.source.wants_parts = self.wants_parts;
        self.source.is_chance = self.is_chance;
        self.source.binding = self.binding;
    }
}
