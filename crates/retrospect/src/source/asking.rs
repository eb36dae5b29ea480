//! The slow path of a source: somebody else answers.

use super::{
    Answers, Bracket, Chooser, Distribution, Drawn, NO_FRAME, NumberRequest, PickRequest, RepeatRequest, Source, Stop,
    Weight, Why,
};
use crate::choice::{Choices, Frame, Site};
use crate::stack::MAX_STACK;

impl<'a> Source<'a> {
    /// Asks for a number from `min` to `max`. An answer below is `min`, and is recorded as that.
    pub(crate) fn number_from(&mut self, min: u64, max: u64, distribution: Distribution) -> Drawn<u64> {
        let (mark, is_fixed, fixed) = (self.record.mark(), !self.fixed.is_empty(), self.next_is_fixed_to());
        let index = self.number(max, distribution)?;
        if index >= min {
            return Ok(index);
        }
        if let Some(fixed) = &fixed {
            return Err(self.unfit(fixed, &format!("a number of at least {min} was asked for")));
        }
        self.is_corrected = true;
        self.record.rewind(mark);
        if self.is_recording && !is_fixed {
            self.record.push_number(min, max);
        }
        Ok(min)
    }

    /// Asks for a number up to `max`, most of which may be too many: `find` says which number it
    /// really is, how many there are, and what it stands for.
    pub(crate) fn number_found<T>(
        &mut self,
        max: u64,
        distribution: Distribution,
        find: impl FnOnce(u64) -> (u64, u64, T),
    ) -> Drawn<T> {
        let (mark, is_fixed, fixed) = (self.record.mark(), !self.fixed.is_empty(), self.next_is_fixed_to());
        let answer = self.number(max, distribution)?;
        let (index, count, found) = find(answer);
        if index != answer {
            if let Some(fixed) = &fixed {
                return Err(self.unfit(fixed, &format!("a number of at most {count} was asked for")));
            }
            self.is_corrected = true;
            if self.stops_if_corrected {
                // Whoever goes through all answers need not try those beyond.
                self.most_found = Some(index);
                return Err(Stop);
            }
        }
        self.record.rewind(mark);
        if self.is_recording && !is_fixed {
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
            wants_parts: chooser.wants_parts(),
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

    /// Runs `body` with the answers of a chooser that stands for chance: sizes and limits go on as
    /// they are.
    pub(crate) fn answered_like_chance<T>(
        &mut self,
        chooser: &mut dyn Chooser,
        body: impl FnOnce(&mut Source<'_>) -> Drawn<T>,
    ) -> Drawn<T> {
        let source = Source {
            answers: Answers::Asked,
            wants_parts: chooser.wants_parts(),
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
            given: std::mem::take(&mut self.given),
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
        self.given = std::mem::take(&mut source.given);
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

    /// Asks the chooser no more: further answers are random, from a fixed seed.
    #[cold]
    pub(crate) fn go_on_at_random(&mut self) {
        let Source { size, picks_left, .. } = Source::random(0);
        (self.answers, self.chooser, self.wants_parts) = (Answers::RandomRecorded, None, false);
        (self.size, self.picks_left, self.depth) = (size, picks_left, self.depth.limited(true));
    }

    #[cold]
    fn too_large(&mut self, index: u64, max: u64) -> Stop {
        self.stop(Why::Other(format!("the chooser answered {index} where at most {max} was asked for")))
    }

    /// Whether a part that is one node needs no bracket of its own.
    #[inline(always)]
    pub(crate) fn needs_no_part(&self) -> bool {
        // A part whose answers are fixed is recorded as an empty bracket.
        !self.is_asked() || !self.wants_parts && self.fixed.is_empty()
    }

    #[inline(never)]
    pub(super) fn ask_number(&mut self, max: u64, distribution: Distribution) -> Drawn<u64> {
        let request = NumberRequest { max, distribution };
        if let Some(fixed) = self.next_fixed() {
            return self.fixed_number(fixed, &request);
        }
        let answer = self.chooser().number(&request);
        let index = self.answered(answer)?;
        if index > max {
            return Err(self.too_large(index, max));
        }
        if self.is_recording {
            self.record.push_number(index, max);
        }
        Ok(index)
    }

    /// Asks for many numbers, each a part of its own.
    #[inline(never)]
    pub(super) fn ask_numbers(&mut self, max: u64, distribution: Distribution, numbers: &mut [u64]) -> Drawn<()> {
        if !self.needs_no_part() {
            for number in numbers {
                *number = self.number_part(max, distribution)?;
            }
            return Ok(());
        }
        let answer = self.chooser().numbers(&NumberRequest { max, distribution }, numbers);
        self.answered(answer)?;
        if let Some(index) = numbers.iter().find(|index| **index > max) {
            return Err(self.too_large(*index, max));
        }
        if self.is_recording {
            self.record.push_numbers(max, numbers.iter().copied());
        }
        Ok(())
    }

    /// A pick that counts toward the limit of picks. Past the limit it takes an arm that ends,
    /// unless the answer is fixed. Returns the arm, and whether it is to be recorded.
    #[inline(never)]
    pub(super) fn ask_counted_pick(&mut self, site: &'static Site, weights: &[u32]) -> Drawn<(usize, bool)> {
        if self.picks_left == 0 && self.depth.is_limited && self.fixed.is_empty() {
            return self.ask_ending_pick(site, weights);
        }
        self.picks_left = self.picks_left.saturating_sub(self.depth.is_limited.into());
        self.ask_pick(site, weights)
    }

    #[cold]
    #[inline(never)]
    fn ask_ending_pick(&mut self, site: &'static Site, weights: &[u32]) -> Drawn<(usize, bool)> {
        let arm = self.ending_arm(&PickRequest::new(site, weights))?;
        // The chooser is asked all the same, so that it knows where it is; it has one arm to take.
        let mut only = vec![0; weights.len()];
        only[arm] = 1;
        self.ask_pick(site, &only)
    }

    /// The arm, and whether it is to be recorded.
    #[inline(never)]
    pub(super) fn ask_pick(&mut self, site: &'static Site, weights: &[u32]) -> Drawn<(usize, bool)> {
        let (is_deep, is_ending) = (self.depth.is_beyond(), self.endings.is_some());
        let request = PickRequest { is_deep, is_ending, ..PickRequest::new(site, weights) };
        if let Some(fixed) = self.next_fixed() {
            return self.fixed_pick(fixed, &request).map(|arm| (arm, false));
        }
        let answer = self.chooser().pick(&request);
        let arm = match self.answered(answer)? {
            PickRequest::ENDING => self.ending_arm(&request)?,
            arm if request.is_possible(arm) => arm,
            arm => return Err(self.absent_arm(site, arm)),
        };
        self.last_pick = Some((site, arm));
        Ok((arm, self.is_recording))
    }

    #[inline(never)]
    pub(super) fn ask_repeat(&mut self, request: RepeatRequest) -> Drawn<(usize, Frame)> {
        self.fixed_count = None;
        if let Some(fixed) = self.next_fixed() {
            return self.fixed_repeat(fixed, &request);
        }
        let answer = self.chooser().repeat(&request);
        let count = self.answered(answer)?;
        if self.depth.is_limited {
            self.count_repeat(count, request.max);
        }
        if !(request.min..=request.max).contains(&count) {
            return Err(self.wrong_count(count, &request));
        }
        let frame = if self.is_recording { self.record.open_repeat(count) } else { NO_FRAME };
        Ok((count, frame))
    }

    #[cold]
    fn absent_arm(&mut self, site: &'static Site, arm: usize) -> Stop {
        let (name, place) = (site.name(), site.place());
        self.stop(Why::Other(format!("the chooser answered arm {arm} of `{name}` ({place}), which is absent")))
    }

    #[cold]
    fn wrong_count(&mut self, count: usize, RepeatRequest { min, max, .. }: &RepeatRequest) -> Stop {
        self.stop(Why::Other(format!("the chooser answered {count} items where {min} to {max} were asked for")))
    }

    /// Another attempt, after a filter refused the first.
    pub(super) fn again<T>(&mut self, body: impl FnOnce(&mut Source<'a>) -> Drawn<T>) -> Drawn<T> {
        if self.is_asked() { self.ask_again(body) } else { body(self) }
    }

    #[inline(never)]
    fn ask_again<T>(&mut self, body: impl FnOnce(&mut Source<'a>) -> Drawn<T>) -> Drawn<T> {
        self.ask_open(Bracket::Again)?;
        let made = body(self)?;
        self.chooser().close();
        Ok(made)
    }

    /// Like [`repeat`](Source::repeat), for items that nobody can make up: a random source has none
    /// of them.
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
        self.ask_close(frame);
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
        if self.is_corrected && self.stops_if_corrected {
            return Err(Stop);
        }
        let answer = self.chooser().open(bracket);
        self.answered(answer)?;
        Ok(match bracket {
            Bracket::Call(site) if self.is_recording => self.record.open_call(site),
            _ => NO_FRAME,
        })
    }

    #[inline(never)]
    pub(super) fn ask_close(&mut self, frame: Frame) {
        self.chooser().close();
        if self.is_recording {
            self.record.close(frame);
        }
    }

    #[inline(never)]
    pub(super) fn ask_open_part(&mut self) -> Drawn<usize> {
        self.ask_open(Bracket::Part)?;
        self.binding += 1;
        Ok(self.record.len())
    }

    #[inline(never)]
    pub(super) fn ask_close_part(&mut self, start: usize) {
        self.binding = self.binding.saturating_sub(1);
        self.ask_close_bracket(start);
    }

    pub(super) fn ask_close_bracket(&mut self, start: usize) {
        self.chooser().close();
        if self.is_recording {
            self.record.close_part(start);
        }
    }

    pub(super) fn chooser(&mut self) -> &mut (dyn Chooser + 'a) {
        match &mut self.tuned {
            Some(tuned) => &mut **tuned,
            None => self.chooser.as_deref_mut().expect("a source that asks has a chooser"),
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
        self.stop(Why::Invalid(match min > max {
            true => format!("the lengths {min}..={max} are empty: the least is above the most"),
            false => format!("a length of at least {min} is too much: a value has at most {} items", super::MAX_COUNT),
        }))
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

/// A source that records for another. What it has recorded goes back also if the generator panics,
/// so that the case can be shrunk.
struct Inner<'r, 'a> {
    source: Source<'a>,
    record: &'r mut Choices,
}

impl Drop for Inner<'_, '_> {
    fn drop(&mut self) {
        *self.record = std::mem::take(&mut self.source.record);
    }
}
