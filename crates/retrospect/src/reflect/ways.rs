//! Trying one way after another.

use super::weighing::WayEnds;
use super::{Mismatch, Mode, Reflected, Reflector};
use crate::choice::Mark;
use std::ops::Range;

impl Reflector {
    /// Tries the ways 0, 1, … below `count`: the first that fits, or all of them if all ways are
    /// wanted. What a failed way noted is forgotten.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::first_way();
    /// let ranges = [0..=5, 3..=9];
    /// reflector.ways(2, |reflector, way| ranges[way].reflect(&8, reflector)).unwrap();
    /// assert_eq!(reflector.into_choices().to_string(), "5");
    /// assert!(Reflector::accepting().ways(0, |_, _| Ok(())).is_err()); // No way at all.
    /// ```
    #[inline]
    pub fn ways(&mut self, count: usize, body: impl FnMut(&mut Reflector, usize) -> Reflected) -> Reflected {
        self.ways_from(0, count, body)
    }

    /// Like [`ways`](Reflector::ways), where those before `first` are known not to fit: they are
    /// tried only to say why.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::first_way();
    /// let ranges = [0..=5, 3..=9];
    /// reflector.ways_from(1, 2, |reflector, way| ranges[way].reflect(&8, reflector)).unwrap();
    /// assert_eq!(reflector.into_choices().to_string(), "5");
    /// ```
    #[inline]
    pub fn ways_from(
        &mut self,
        first: usize,
        count: usize,
        mut body: impl FnMut(&mut Reflector, usize) -> Reflected,
    ) -> Reflected {
        if !self.takes_first_way() {
            return self.ways_by_mode(count, &mut body);
        }
        let mark = self.record.mark();
        for way in first..count {
            let calls = self.calls;
            if body(self, way).is_ok() {
                return Ok(());
            }
            self.give_up(mark, calls);
        }
        Err(Mismatch)
    }

    /// Like [`ways_from`](Reflector::ways_from), with the body written down twice: one is compiled
    /// into the place where the first way is tried, which is nearly always right, and `others` is
    /// for all else.
    #[doc(hidden)]
    #[inline(always)]
    pub fn ways_again(
        &mut self,
        first: usize,
        count: usize,
        mut others: impl FnMut(&mut Reflector, usize) -> Reflected,
        body: impl FnOnce(&mut Reflector, usize) -> Reflected,
    ) -> Reflected {
        if first >= count || !self.takes_first_way() {
            return self.ways_by_mode(count, &mut others);
        }
        let (mark, calls) = (self.record.mark(), self.calls);
        if body(self, first).is_ok() {
            return Ok(());
        }
        self.give_up(mark, calls);
        self.further_ways(mark, first + 1..count, &mut others)
    }

    #[cold]
    #[inline(never)]
    fn further_ways(&mut self, mark: Mark, ways: Range<usize>, body: Body<'_>) -> Reflected {
        for way in ways {
            let calls = self.calls;
            if body(self, way).is_ok() {
                return Ok(());
            }
            self.give_up(mark, calls);
        }
        Err(Mismatch)
    }

    /// Whether the first way that fits is taken as it is.
    #[inline(always)]
    fn takes_first_way(&self) -> bool {
        self.mode < Mode::Explain && !(self.is_checking && self.mode == Mode::Record)
    }

    /// Forgets what a way noted that failed.
    #[inline]
    fn give_up(&mut self, mark: Mark, calls: u64) {
        self.record.rewind(mark);
        self.count_waste(calls);
    }

    /// Like [`ways`](Reflector::ways), but only the first way that fits counts, even if all ways
    /// are wanted: for ways that come to the same.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let ranges = [0..=5, 3..=9];
    /// let (mut all, mut first) = (Reflector::all_ways(), Reflector::all_ways());
    /// all.ways(2, |reflector, way| ranges[way].reflect(&4, reflector)).unwrap();
    /// first.first_of(2, |reflector, way| ranges[way].reflect(&4, reflector)).unwrap();
    /// assert_eq!(all.into_forest().overlap().to_string(), "2");
    /// assert_eq!(first.into_forest().overlap().to_string(), "1");
    /// ```
    pub fn first_of(&mut self, count: usize, mut body: impl FnMut(&mut Reflector, usize) -> Reflected) -> Reflected {
        if self.mode != Mode::AllWays {
            return self.ways(count, body);
        }
        let outer = self.builder().begin_node();
        let beginning = self.place_in_weights();
        for way in 0..count {
            let fits = body(self, way).is_ok();
            self.builder().end_alternative(fits);
            if fits {
                break;
            }
            self.go_back_in_weights(beginning);
        }
        self.builder().end_node(outer)
    }

    /// Notes what a failed way cost: the calls since there were `before`.
    #[doc(hidden)]
    #[inline]
    pub fn count_waste(&mut self, before: u64) {
        // Most ways fail before they call anything.
        if self.calls == before {
            return;
        }
        self.wasted += self.calls - before;
        if self.wasted > WASTE_BEFORE_REMEMBERING && self.wasted * 2 > self.calls {
            self.remember();
        }
    }

    /// Where more is done with ways than to take the first. All of them have this in common instead
    /// of each generator having it once more.
    #[cold]
    #[inline(never)]
    fn ways_by_mode(&mut self, count: usize, body: Body<'_>) -> Reflected {
        match self.mode {
            Mode::AllWays => self.all_of(count, body),
            Mode::Explain => self.explained_ways(count, body),
            Mode::Record if self.is_checking => self.checked_ways(count, body),
            // No way is known to be worth a try.
            Mode::Record | Mode::Accept => Err(Mismatch),
        }
    }

    /// Finds out which way fits before recording it. What is known of calls makes that quick, where
    /// recording each way to its failure would look at the same parts again and again,
    /// exponentially often.
    #[inline(never)]
    fn checked_ways(&mut self, count: usize, body: Body<'_>) -> Reflected {
        let mark = self.record.mark();
        for way in 0..count {
            self.mode = Mode::Accept;
            let fits = body(self, way).is_ok();
            self.mode = Mode::Record;
            // Recording may fail all the same: a call under way now was not when it was found to
            // fit.
            if fits && body(self, way).is_ok() {
                return Ok(());
            }
            self.record.rewind(mark);
        }
        Err(Mismatch)
    }

    /// If a way fits, why others did not says nothing.
    #[inline(never)]
    fn explained_ways(&mut self, count: usize, body: Body<'_>) -> Reflected {
        let before = self.explanation.as_mut().map(|explanation| explanation.set_aside());
        for way in 0..count {
            let calls = self.calls;
            if body(self, way).is_ok() {
                if let (Some(explanation), Some(before)) = (&mut self.explanation, before) {
                    explanation.restore(before);
                }
                return Ok(());
            }
            self.count_waste(calls);
        }
        if let (Some(explanation), Some(before)) = (&mut self.explanation, before) {
            explanation.add(before);
        }
        Err(Mismatch)
    }

    #[inline(never)]
    fn all_of(&mut self, count: usize, body: Body<'_>) -> Reflected {
        let outer = self.builder().begin_node();
        let beginning = self.place_in_weights();
        let mut ends = WayEnds::default();
        for way in 0..count {
            let fits = body(self, way).is_ok();
            self.builder().end_alternative(fits);
            if fits {
                ends.note(self.place_in_weights());
            }
            self.go_back_in_weights(beginning);
            if fits && self.builder().takes_first {
                break;
            }
        }
        self.go_on_in_weights(&ends);
        self.builder().end_node(outer)
    }
}

/// What looks at a value by one of its ways.
type Body<'b> = &'b mut dyn FnMut(&mut Reflector, usize) -> Reflected;

/// When more calls than this were wasted on ways that failed, and they are more than half of all
/// calls, results are remembered, so that looking at an ambiguous value stays linear.
const WASTE_BEFORE_REMEMBERING: u64 = 2048;
