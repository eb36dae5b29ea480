//! A source that answers from choices. Nearly always they are what is asked for, so this is looked at first, by code that is short: it calls nothing, so it
//! need not keep registers for anybody. Where there is no answer, nothing was changed, and the recovery is asked like everybody else.

use super::{Answers, Brackets, Depth, PickRequest, Recovery, RepeatRequest, Source};
use crate::choice::{Choices, Entry, Frame, Kind, Site};

impl<'a> Source<'a> {
    /// Like [`asking`](Source::asking), for the chooser that makes a value of choices: it always has an answer, so it is asked directly.
    /// What was answered is recorded in `record`, which must be empty, or nowhere.
    #[inline(always)]
    pub(crate) fn recovering(recovery: Recovery<'a>, record: Choices, is_recording: bool) -> Source<'a> {
        Source {
            answers: Answers::Asked,
            is_following: true,
            depth: Depth::START.limited(false),
            is_recording,
            recovery: Some(recovery),
            record,
            ..Source::random(0)
        }
    }

    /// Makes what these choices make, and the simplest where they say nothing.
    pub(crate) fn replaying(choices: &'a Choices) -> Source<'a> {
        Source::recovering(Recovery::simplest(choices), Choices::default(), true)
    }

    /// Records in the room of another record, and makes it large enough for so many entries.
    pub(crate) fn record_in(&mut self, room: &mut Choices, entries: usize) {
        std::mem::swap(&mut self.record, room);
        self.record.clear();
        self.record.reserve(entries);
    }

    /// Gives back what a recovering source recorded, and the room that it needed, when all is made.
    pub(crate) fn give_back(&mut self, record: Option<&mut Choices>, brackets: &mut Brackets) {
        if let Some(record) = record {
            self.finish_record();
            std::mem::swap(&mut self.record, record);
        }
        if let Some(recovery) = &mut self.recovery {
            recovery.give_back(brackets);
        }
    }

    /// Whether the choice at this place of the tree was taken as it stands there, and all before it: then it is a choice of the value that was made.
    pub(crate) fn has_taken(&self, at: usize) -> bool {
        !self.is_corrected && self.recovery.as_ref().is_some_and(|recovery| recovery.has_taken(at))
    }

    /// Something that was answered is forgotten, so what was taken of the tree need not be in the value.
    #[inline]
    pub(super) fn depart(&mut self) {
        if let Some(recovery) = &mut self.recovery {
            recovery.depart(0);
        }
    }

    /// Who is asked for what is known, if anybody is and there is room to note it.
    #[inline(always)]
    fn recalling(&mut self) -> Option<&mut Recovery<'a>> {
        if !self.fixed.is_empty() || (self.is_recording && !self.record.has_room()) {
            return None;
        }
        self.recovery.as_mut()
    }

    #[inline(always)]
    pub(super) fn known_number(&mut self, max: u64) -> Option<u64> {
        let index = self.recalling()?.known_number(max)?;
        self.record.push_in_room(Entry::number(index, max));
        Some(index)
    }

    #[inline(always)]
    pub(super) fn known_pick(&mut self, site: &'static Site, weights: &[u32]) -> Option<usize> {
        let arm = self.recalling()?.known_pick(&PickRequest { site, weights })?;
        self.last_pick = Some((site, arm));
        Some(arm)
    }

    #[inline(always)]
    pub(super) fn known_repeat(&mut self, request: &RepeatRequest) -> Option<(usize, Frame)> {
        let count = self.recalling()?.known_repeat(request)?;
        self.fixed_count = None;
        Some((count, self.record.push_in_room(Entry::repeat(count))))
    }

    #[inline(always)]
    pub(super) fn open_known(&mut self, site: &'static Site) -> Option<Frame> {
        let id = site.known_id();
        if id == 0 {
            return None;
        }
        self.recalling()?.open_known_call()?;
        Some(self.record.push_in_room(Entry::bracket(Kind::Call, id)))
    }

    /// What comes next in the tree where choices answer, at most so many entries. As far as they are numbers that fit, each a part of its own, they need not be
    /// asked for one by one.
    #[inline(never)]
    pub(super) fn known_nodes(&self, most: usize) -> &'a [Entry] {
        match &self.recovery {
            Some(recovery) if self.fixed.is_empty() => recovery.upcoming(most),
            _ => &[],
        }
    }

    /// Takes these numbers, and notes them as they are.
    #[inline(never)]
    pub(super) fn take_known(&mut self, numbers: &[Entry]) {
        if let (Some(recovery), false) = (&mut self.recovery, numbers.is_empty()) {
            recovery.take_numbers(numbers.len());
            if self.is_recording {
                self.record.push_same_numbers(numbers);
            }
        }
    }
}
