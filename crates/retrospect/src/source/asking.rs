//! The slow path of a source: somebody else answers.

use super::{
    Bracket, Chooser, Drawn, Law, NO_FRAME, NumberRequest, PickRequest, RepeatRequest, Source, Stop, Weight, Why,
    bad_weight,
};
use crate::choice::{Frame, Site};
use crate::stack::MAX_STACK;

impl<'a> Source<'a> {
    #[inline(never)]
    pub(super) fn ask_number(&mut self, max: u64, law: Law) -> Drawn<u64> {
        let request = NumberRequest { max, law };
        if let Some(fixed) = self.fixed.pop() {
            return self.fixed_number(fixed, &request);
        }
        let answer = self.chooser().number(&request);
        let index = self.answered(answer)?;
        if index > max {
            return Err(
                self.stop(Why::Other(format!("the chooser answered {index} where at most {max} was asked for")))
            );
        }
        if self.is_recording {
            self.record.push_number(index, max);
        }
        Ok(index)
    }

    #[inline(never)]
    /// The arm, and whether it is to be recorded.
    pub(super) fn ask_pick(&mut self, site: &'static Site, weights: &[u32]) -> Drawn<(usize, bool)> {
        let request = PickRequest { site, weights };
        if let Some(fixed) = self.fixed.pop() {
            return self.fixed_pick(fixed, &request).map(|arm| (arm, false));
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
        let answer = self.chooser().repeat(&request);
        let count = self.answered(answer)?;
        if !(request.min..=request.max).contains(&count) {
            let RepeatRequest { min, max, .. } = request;
            let message = format!("the chooser answered {count} items where {min} to {max} were asked for");
            return Err(self.stop(Why::Other(message)));
        }
        let frame = if self.is_recording { self.record.open_repeat(count) } else { NO_FRAME };
        Ok((count, frame))
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
            self.is_corrected |= *kept != count;
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
    pub(super) fn ask_close(&mut self, frame: Frame, is_made: bool) -> Drawn<()> {
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
        self.ask_open(Bracket::Part)?;
        self.binding += 1;
        Ok(self.record.len())
    }

    #[inline(never)]
    pub(super) fn ask_close_part(&mut self, start: usize) -> Drawn<()> {
        self.binding = self.binding.saturating_sub(1);
        self.ask_close_bracket(start)
    }

    pub(super) fn ask_close_bracket(&mut self, start: usize) -> Drawn<()> {
        let answer = self.chooser().close();
        self.answered(answer)?;
        if self.is_recording {
            self.record.close_part(start);
        }
        Ok(())
    }

    pub(super) fn chooser(&mut self) -> &mut (dyn Chooser + 'a) {
        self.chooser.as_deref_mut().expect("a source that asks has a chooser")
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
