//! The slow path of a source: somebody else answers.

use super::again::TOLD;
use super::recovery::Ends;
use super::{
    Answers, Bracket, Chooser, Drawn, Law, NO_FRAME, NumberRequest, PickRequest, RepeatRequest, Source, Stop, Weight,
    Why,
};
use crate::choice::{Choices, Frame, Site};
use crate::stack::MAX_STACK;

impl<'a> Source<'a> {
    /// Asks for a number from `min` to `max`. An answer below is `min`, and is recorded as that.
    pub(crate) fn number_from(&mut self, min: u64, max: u64, law: Law) -> Drawn<u64> {
        let mark = self.mark();
        let index = self.number(max, law)?;
        if index >= min {
            return Ok(index);
        }
        self.is_corrected = true;
        self.forget(mark);
        if self.is_recording {
            self.record.push_number(min, max);
        }
        Ok(min)
    }

    /// Asks for a number up to `max`, most of which may be too many: `find` says which number it really is, how many there are, and what it stands for.
    pub(crate) fn number_found<T>(&mut self, max: u64, law: Law, find: impl FnOnce(u64) -> (u64, u64, T)) -> Drawn<T> {
        let mark = self.mark();
        let answer = self.number(max, law)?;
        let (index, count, found) = find(answer);
        if index != answer {
            self.is_corrected = true;
            if self.stops_if_corrected {
                // Whoever goes through all answers need not try those beyond.
                self.most_found = Some(index);
                return Err(Stop);
            }
        }
        self.record.rewind(mark);
        if self.is_recording {
            self.record.push_number(index, count);
        }
        Ok(found)
    }

    /// Runs `body` with the answers of another chooser, recorded in the same place.
    pub(crate) fn answered_by<T>(
        &mut self,
        chooser: &mut dyn Chooser,
        body: impl FnOnce(&mut Source<'_>) -> Drawn<T>,
    ) -> Drawn<T> {
        let source = Source {
            answers: Answers::Asked,
            size: self.size,
            depth: self.depth.limited(chooser.is_random()),
            refused: self.refused,
            patience: self.patience,
            improvised: self.improvised,
            stack: self.stack,
            is_probing: self.is_probing,
            record: std::mem::take(&mut self.record),
            is_recording: self.is_recording,
            chooser: Some(chooser),
            ..Source::random(0)
        };
        let mut inner = Inner { source, record: &mut self.record };
        let result = body(&mut inner.source);
        let why = inner.source.why.take();
        (self.refused, self.patience) = (inner.source.refused, inner.source.patience);
        drop(inner);
        if result.is_err() {
            self.why = why;
        }
        result
    }

    /// Runs `body` with the answers of a chooser that stands for chance: sizes and limits go on as they are.
    pub(crate) fn answered_like_chance<T>(
        &mut self,
        chooser: &mut dyn Chooser,
        body: impl FnOnce(&mut Source<'_>) -> Drawn<T>,
    ) -> Drawn<T> {
        let source = Source {
            answers: Answers::Asked,
            rng: self.rng.clone(),
            size: self.size,
            picks_left: self.picks_left,
            levels_left: self.levels_left,
            depth: self.depth,
            refused: self.refused,
            patience: self.patience,
            improvised: self.improvised,
            is_counting: chooser.is_random(),
            stack: self.stack,
            is_probing: self.is_probing,
            record: std::mem::take(&mut self.record),
            is_recording: self.is_recording,
            fixed: std::mem::take(&mut self.fixed),
            chooser: Some(chooser),
            searches: self.searches.take(),
            keeps_searches: self.keeps_searches,
            search_time: self.search_time,
            ..Source::random(0)
        };
        let mut inner = Inner { source, record: &mut self.record };
        let result = body(&mut inner.source);
        let source = &mut inner.source;
        self.searches = source.searches.take();
        self.fixed = std::mem::take(&mut source.fixed);
        self.rng = source.rng.clone();
        self.picks_left = source.picks_left;
        self.levels_left = source.levels_left;
        self.depth = source.depth;
        (self.refused, self.patience) = (source.refused, source.patience);
        if result.is_err() {
            self.why = source.why.take();
        }
        result
    }

    #[cold]
    fn too_large(&mut self, index: u64, max: u64) -> Stop {
        self.stop(Why::Other(format!("the chooser answered {index} where at most {max} was asked for")))
    }

    /// Opens a bracket of a chooser that is asked directly.
    #[inline(never)]
    pub(super) fn open_directly(&mut self, site: &'static Site) -> Frame {
        if let Some(tuned) = &mut self.tuned {
            tuned.open_call(site);
            return if self.is_recording { self.record_call(site) } else { NO_FRAME };
        }
        self.open_known(site).unwrap_or_else(|| self.open_unknown(site))
    }

    #[inline(never)]
    fn open_unknown(&mut self, site: &'static Site) -> Frame {
        if let Some(recovery) = &mut self.recovery {
            recovery.open_call();
        }
        if self.is_recording { self.record_call(site) } else { NO_FRAME }
    }

    #[inline(never)]
    fn record_call(&mut self, site: &'static Site) -> Frame {
        self.record.open_call(site)
    }

    #[inline(never)]
    pub(super) fn repeat_directly(&mut self, request: RepeatRequest) -> (usize, Frame) {
        if self.recovery.is_none() {
            self.fixed_count = None;
            let (count, frame) = self.repeat_by_weights(&request);
            self.count_repeat(count, request.max);
            return (count, frame);
        }
        self.known_repeat(&request).unwrap_or_else(|| self.unknown_repeat(request))
    }

    #[inline(never)]
    fn unknown_repeat(&mut self, request: RepeatRequest) -> (usize, Frame) {
        self.fixed_count = None;
        let count = self.recovery.as_mut().map_or(request.min, |recovery| recovery.answer_repeat(&request));
        (count, if self.is_recording { self.record.open_repeat(count) } else { NO_FRAME })
    }

    /// Closes what these two opened.
    #[inline(always)]
    pub(super) fn close_directly(&mut self, frame: Frame) {
        if frame.at == TOLD.at {
            return;
        }
        if let Some(tuned) = &mut self.tuned {
            tuned.close_bracket();
        } else if let Some(recovery) = &mut self.recovery {
            recovery.close_bracket();
        } else if self.is_following {
            let _ = self.chooser().close();
        }
        if self.is_recording {
            self.record.close(frame);
        }
    }

    /// Whether who answers is asked directly, and not through the trait.
    #[inline(always)]
    pub(super) fn is_direct(&self) -> bool {
        self.recovery.is_some() || self.tuned.is_some()
    }

    /// Whether a part that is one node needs no bracket of its own.
    #[inline(always)]
    pub(crate) fn needs_no_part(&self) -> bool {
        !self.is_asked() || ((self.is_counting | self.is_following | self.is_known) && self.fixed.is_empty())
    }

    #[inline(never)]
    pub(super) fn ask_number(&mut self, max: u64, law: Law) -> Drawn<u64> {
        if self.has_weights() {
            return self.number_by_weights(max, &law);
        }
        match self.known_number(max) {
            Some(index) => Ok(index),
            None => self.ask_unknown_number(max, law),
        }
    }

    #[inline(never)]
    fn ask_unknown_number(&mut self, max: u64, law: Law) -> Drawn<u64> {
        if let Some(fixed) = self.fixed.pop() {
            return self.fixed_number(fixed, &NumberRequest { max, law });
        }
        if let Some(recovery) = &mut self.recovery {
            let index = recovery.answer_number(max, &law);
            if self.is_recording {
                self.record.push_number(index, max);
            }
            return Ok(index);
        }
        let answer = self.chooser().number(&NumberRequest { max, law });
        let index = self.answered(answer)?;
        if index > max {
            return Err(self.too_large(index, max));
        }
        if self.is_recording {
            self.record.push_number(index, max);
        }
        Ok(index)
    }

    /// At least one of so many further numbers, each a part of its own.
    #[inline(never)]
    pub(super) fn ask_numbers(&mut self, (max, law): (u64, Law), left: usize) -> Drawn<&[u64]> {
        // It goes there and back, and stays as large as it was.
        let mut room = std::mem::take(&mut self.room);
        room.resize(MOST_TOGETHER, 0);
        let answered = self.answer_numbers(max, law, &mut room[..left.min(MOST_TOGETHER)]);
        self.room = room;
        answered.map(|count| &self.room[..count])
    }

    /// Answers at least one, and says how many.
    fn answer_numbers(&mut self, max: u64, law: Law, indices: &mut [u64]) -> Drawn<usize> {
        if self.has_weights() {
            self.numbers_by_weights(max, &law, indices)?;
            return Ok(indices.len());
        }
        if self.recovery.is_some() && self.fixed.is_empty() {
            // This one is not as it was before, but those behind it may be.
            indices[0] = self.ask_unknown_number(max, law)?;
            return Ok(1);
        }
        if !self.needs_no_part() {
            for index in &mut *indices {
                *index = self.number_part(max, law)?;
            }
            return Ok(indices.len());
        }
        let answer = self.chooser().numbers(&NumberRequest { max, law }, indices);
        self.answered(answer)?;
        for index in &*indices {
            if *index > max {
                return Err(self.too_large(*index, max));
            }
            if self.is_recording {
                self.record.push_number(*index, max);
            }
        }
        Ok(indices.len())
    }

    /// A pick that counts: past its limit there is nothing to ask. The arm, and whether it is to be recorded.
    #[inline(never)]
    pub(super) fn ask_counted_pick(&mut self, site: &'static Site, weights: &[u32]) -> Drawn<(usize, bool)> {
        if self.picks_left == 0 && self.depth.is_limited {
            return self.ask_ending_pick(site, weights);
        }
        self.picks_left -= u32::from(self.depth.is_limited);
        match self.has_weights() {
            true => self.pick_by_weights(site, weights),
            false => self.ask_pick(site, weights),
        }
    }

    #[cold]
    #[inline(never)]
    fn ask_ending_pick(&mut self, site: &'static Site, weights: &[u32]) -> Drawn<(usize, bool)> {
        let arm = self.ending_arm(&PickRequest { site, weights })?;
        // The chooser is asked all the same, so that it knows where it is; it has one arm to take.
        let mut only = vec![0; weights.len()];
        only[arm] = 1;
        self.ask_pick(site, &only)
    }

    /// The arm, and whether it is to be recorded.
    #[inline(never)]
    pub(super) fn ask_pick(&mut self, site: &'static Site, weights: &[u32]) -> Drawn<(usize, bool)> {
        match self.known_pick(site, weights) {
            Some(arm) => Ok((arm, self.is_recording)),
            None => self.ask_unknown_pick(site, weights),
        }
    }

    #[inline(never)]
    fn ask_unknown_pick(&mut self, site: &'static Site, weights: &[u32]) -> Drawn<(usize, bool)> {
        let request = PickRequest { site, weights };
        if let Some(fixed) = self.fixed.pop() {
            return self.fixed_pick(fixed, &request).map(|arm| (arm, false));
        }
        if let Some(recovery) = &mut self.recovery {
            let ends = Ends { if_drawn: self.depth.is_beyond(), if_simplest: self.endings.is_some() };
            let arm = match recovery.answer_pick(&request, ends) {
                Some(arm) => arm,
                None => self.ending_arm(&request)?,
            };
            self.last_pick = Some((site, arm));
            return Ok((arm, self.is_recording));
        }
        if self.tuned.is_some() {
            return self.pick_by_weights(site, weights);
        }
        let answer = self.chooser().pick(&request);
        let arm = self.answered(answer)?;
        if !request.is_possible(arm) {
            let message =
                format!("the chooser answered arm {arm} of `{}` ({}), which is absent", site.name(), site.place());
            return Err(self.stop(Why::Other(message)));
        }
        self.last_pick = Some((site, arm));
        Ok((arm, self.is_recording))
    }

    #[inline(never)]
    pub(super) fn ask_repeat(&mut self, request: RepeatRequest) -> Drawn<(usize, Frame)> {
        self.fixed_count = None;
        if let Some(fixed) = self.fixed.pop() {
            return self.fixed_repeat(fixed, &request);
        }
        if self.is_direct() {
            return Ok(self.repeat_directly(request));
        }
        let answer = self.chooser().repeat(&request);
        let count = self.answered(answer)?;
        if self.depth.is_limited {
            self.count_repeat(count, request.max);
        }
        if !(request.min..=request.max).contains(&count) {
            let RepeatRequest { min, max, .. } = request;
            let message = format!("the chooser answered {count} items where {min} to {max} were asked for");
            return Err(self.stop(Why::Other(message)));
        }
        let frame = if self.is_recording { self.record.open_repeat(count) } else { NO_FRAME };
        Ok((count, frame))
    }

    /// Another attempt, after a filter refused the first.
    pub(super) fn again<T>(&mut self, body: impl FnOnce(&mut Source<'a>) -> Drawn<T>) -> Drawn<T> {
        if self.is_asked() { self.ask_again(body) } else { body(self) }
    }

    #[inline(never)]
    fn ask_again<T>(&mut self, body: impl FnOnce(&mut Source<'a>) -> Drawn<T>) -> Drawn<T> {
        self.ask_open(Bracket::Again)?;
        let made = body(self)?;
        let answer = self.chooser().close();
        self.answered(answer)?;
        Ok(made)
    }

    /// Like [`repeat`](Source::repeat), for items that nobody can make up: a random source has none of them.
    pub(crate) fn repeat_known<T>(
        &mut self,
        body: impl FnOnce(&mut Source<'a>, usize) -> Drawn<(T, usize)>,
    ) -> Drawn<T> {
        if !self.is_asked() {
            return self.repeat(0, 0, body);
        }
        let (count, frame) = self.ask_repeat(RepeatRequest { min: 0, max: usize::MAX, likely_max: 0 })?;
        let made = body(self, count);
        if let Ok((_, kept)) = &made {
            if *kept != count {
                self.note_correction();
            }
            if self.is_recording {
                self.record.set_repeat_count(frame, *kept);
            }
        }
        self.ask_close(frame, made.is_ok())?;
        made.map(|(value, _)| value)
    }

    /// The key of the entry whose bracket was just opened; see [`Chooser::key`].
    pub(crate) fn key(&mut self) -> Drawn<Option<String>> {
        if !self.is_asked() {
            return Ok(None);
        }
        let answer = self.chooser().key();
        let key = self.answered(answer)?;
        if let (Some(key), true) = (&key, self.is_recording) {
            self.record.push_key(key);
        }
        Ok(key)
    }

    #[inline(never)]
    pub(super) fn ask_open(&mut self, bracket: Bracket) -> Drawn<Frame> {
        if let (Some(tuned), Bracket::Call(site)) = (&mut self.tuned, bracket) {
            tuned.open_call(site);
            return Ok(if self.is_recording { self.record_call(site) } else { NO_FRAME });
        }
        if self.is_corrected && self.stops_if_corrected {
            return Err(Stop);
        }
        if let (true, Bracket::Call(site)) = (self.is_direct(), bracket) {
            return Ok(self.open_directly(site));
        }
        let answer = self.chooser().open(bracket);
        self.answered(answer)?;
        Ok(match bracket {
            Bracket::Call(site) if self.is_recording => self.record.open_call(site),
            _ => NO_FRAME,
        })
    }

    #[inline(never)]
    pub(super) fn ask_close(&mut self, frame: Frame, is_made: bool) -> Drawn<()> {
        if let Some(tuned) = &mut self.tuned {
            tuned.close_bracket();
            if self.is_recording && is_made {
                self.record.close(frame);
            }
            return if is_made { Ok(()) } else { Err(Stop) };
        }
        if self.is_direct() && is_made {
            self.close_directly(frame);
            return Ok(());
        }
        let answer = self.chooser().close();
        if !is_made {
            return Err(Stop);
        }
        self.answered(answer)?;
        if self.is_recording {
            self.record.close(frame);
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn ask_open_part(&mut self) -> Drawn<usize> {
        if let Some(tuned) = &mut self.tuned {
            tuned.open_part();
            return Ok(self.record.len());
        }
        if let Some(recovery) = &mut self.recovery {
            recovery.open_part();
            return Ok(self.record.len());
        }
        self.ask_open(Bracket::Part)?;
        self.binding += 1;
        Ok(self.record.len())
    }

    #[inline(never)]
    pub(super) fn ask_close_part(&mut self, start: usize) -> Drawn<()> {
        if !self.is_direct() {
            self.binding = self.binding.saturating_sub(1);
        }
        self.ask_close_bracket(start)
    }

    pub(super) fn ask_close_bracket(&mut self, start: usize) -> Drawn<()> {
        if let Some(tuned) = &mut self.tuned {
            tuned.close_bracket();
            if self.is_recording {
                self.record.close_part(start);
            }
            return Ok(());
        }
        if let Some(recovery) = &mut self.recovery {
            recovery.close_bracket();
            if self.is_recording {
                self.record.close_part(start);
            }
            return Ok(());
        }
        let answer = self.chooser().close();
        self.answered(answer)?;
        if self.is_recording {
            self.record.close_part(start);
        }
        Ok(())
    }

    pub(super) fn chooser(&mut self) -> &mut (dyn Chooser + 'a) {
        match (&mut self.recovery, &mut self.tuned) {
            (Some(recovery), _) => recovery,
            (None, Some(tuned)) => &mut **tuned,
            (None, None) => self.chooser.as_deref_mut().expect("a source that asks has a chooser"),
        }
    }

    pub(super) fn answered<T>(&mut self, answer: Result<T, String>) -> Drawn<T> {
        answer.map_err(|message| self.stop(Why::Misfit(message)))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn bad_weight(&mut self, site: &'static Site, arm: usize, weight: impl Weight) -> Stop {
        let problem = weight.weight().err().unwrap_or_default();
        self.stop(Why::Invalid(bad_weight(site, arm, &problem)))
    }

    #[cold]
    pub(super) fn no_length(&mut self, min: usize, max: usize) -> Stop {
        self.stop(Why::Invalid(format!("the lengths {min}..={max} are empty: the least is above the most")))
    }

    #[cold]
    pub(super) fn no_arm(&mut self, site: &'static Site, weights: &[u32]) -> Stop {
        let (site, place) = (site.name(), site.place());
        let message = match weights.len() {
            0 => format!("the pick in `{site}` ({place}) has no arms"),
            arms => format!("all {arms} arms of the pick in `{site}` ({place}) weigh 0, so there is nothing to pick"),
        };
        self.stop(Why::Invalid(message))
    }

    #[cold]
    pub(super) fn too_deep(&mut self) -> Stop {
        let last_pick = self.last_pick;
        self.stop(Why::TooDeep { megabytes: MAX_STACK >> 20, last_pick })
    }
}

pub(crate) fn bad_weight(site: &'static Site, arm: usize, problem: &str) -> String {
    let label = site.label(arm).map_or_else(|| format!("arm {arm}"), |label| format!("arm `{label}`"));
    format!("the weight of {label} in `{}` ({}) is wrong: {problem}", site.name(), site.place())
}

/// So many numbers are answered together at most.
const MOST_TOGETHER: usize = 64;

/// A source that records for another. What it has recorded goes back also if the generator panics, so that the case can be shrunk.
struct Inner<'r, 'a> {
    source: Source<'a>,
    record: &'r mut Choices,
}

impl Drop for Inner<'_, '_> {
    fn drop(&mut self) {
        *self.record = std::mem::take(&mut self.source.record);
    }
}
