//! Completion: which ways there are to complete a sketch, and why it cannot be completed.

use super::effort::{EFFORT_OF_EACH, has_effort_for, may_try_way};
use super::{Drawn, PlaceMark, Rng, Source, Stop, TunedChooser, Why};
use crate::choice::Site;
use crate::mismatch::{Explanation, Noted, Segment, Unlike};
use std::ops::ControlFlow::{self, Break, Continue};

impl<'a> Source<'a> {
    pub(crate) fn explaining(mut self) -> Source<'a> {
        self.is_explaining = true;
        self.explanation = Some(Box::default());
        self
    }

    pub(crate) fn take_explanation(&mut self) -> Option<Box<Explanation>> {
        self.explanation.take()
    }

    /// Runs `body` on a part of the value, so that a failure inside is reported at that part.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// # use retrospect::reflect::{Reflected, Reflector};
    /// # use retrospect::{Segment, sketch::Sketch, source::{Drawn, Source}};
    /// struct Degrees;
    /// impl Generator for Degrees {
    ///     type Value = i32;
    /// #   fn generate(&self, source: &mut Source<'_>) -> Drawn<i32> { (0..90).generate(source) }
    /// #   fn reflect(&self, value: &i32, reflector: &mut Reflector) -> Reflected { (0..90).reflect(value, reflector) }
    ///     fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<i32> {
    ///         source.at(Segment::Focus("degrees"), |source| (0..90).complete(sketch, source))
    ///     } // and `generate` and `reflect`
    /// }
    /// assert!(Degrees.read("95").unwrap_err().to_string().contains("the part `.<degrees>`, which is 95"));
    /// ```
    #[inline]
    pub fn at<T>(&mut self, segment: Segment, body: impl FnOnce(&mut Source<'a>) -> T) -> T {
        self.at_path(&[segment], body)
    }

    /// Like [`at`](Source::at), for a part that lies any number of steps inside the value. With no
    /// steps it only runs `body`.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::{Segment, source::{Distribution, Source}};
    /// let path = [Segment::Position(1), Segment::Item(0)];
    /// assert_eq!(Source::random(1).at_path(&path, |source| source.number(0, Distribution::Uniform)), Ok(0));
    /// // The generators of tuples and lists do the same, step by step.
    /// let error = tuple((0..=9, vec_of(0..=9, ..))).read("(1, [12])").unwrap_err();
    /// assert!(error.to_string().contains("the part `.1[0]`"));
    /// ```
    #[inline]
    pub fn at_path<T>(&mut self, path: &[Segment], body: impl FnOnce(&mut Source<'a>) -> T) -> T {
        self.is_reading = true;
        self.enter(path);
        let result = body(self);
        self.leave(path);
        result
    }

    #[inline]
    fn enter(&mut self, path: &[Segment]) {
        if let Some(explanation) = &mut self.explanation {
            explanation.enter_all(path);
        }
    }

    #[inline]
    fn leave(&mut self, path: &[Segment]) {
        if let Some(explanation) = &mut self.explanation {
            explanation.leave_all(path);
        }
    }

    /// Tries several ways to complete a sketch, whose text is `part`: the first that leads to a
    /// value. What a way that leads nowhere recorded is forgotten. If the generator itself is
    /// wrong, no other way is tried.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::sketch::{Document, Sketch};
    /// use retrospect::source::{Drawn, Source};
    /// fn small_or_large(sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<u8> {
    ///     source.ways(sketch.text(), 0..2, |source, way| match way {
    ///         0 => (0..10).complete(sketch, source),
    ///         _ => (200..=255).complete(sketch, source),
    ///     })
    /// }
    /// let document = Document::parse("201").unwrap();
    /// assert_eq!(small_or_large(&document.root(), &mut Source::random(1)), Ok(201));
    /// ```
    pub fn ways<T>(
        &mut self,
        part: &str,
        ways: impl IntoIterator<Item = usize>,
        mut body: impl FnMut(&mut Source<'a>, usize) -> Drawn<T>,
    ) -> Drawn<T> {
        let before = self.set_reasons_aside();
        let mut ways = ways.into_iter().peekable();
        while let Some(way) = ways.next() {
            // No way takes all tries from those after it.
            let kept = if ways.peek().is_some() { self.tries_left / 4 } else { 0 };
            self.tries_left -= kept;
            let made = self.way(part, |source| body(source, way));
            self.tries_left += kept;
            if let Break(made) = made {
                return self.made_by_a_way(made, before);
            }
        }
        self.add_reasons(before);
        Err(self.stop(Why::NotMade))
    }

    /// Like [`ways`](Source::ways), where each way is another [try](Source::tries) of the same. If
    /// all fail, returns how many there were.
    pub(crate) fn tries_of_way<T>(
        &mut self,
        part: &str,
        most: u32,
        mut body: impl FnMut(&mut Source<'a>, u32) -> Drawn<T>,
    ) -> Result<Drawn<T>, u32> {
        let before = self.set_reasons_aside();
        match self.tries(most, |source, time| source.way(part, |source| body(source, time))) {
            Ok(made) => Ok(self.made_by_a_way(made, before)),
            Err(count) => {
                self.add_reasons(before);
                let _ = self.stop(Why::NotMade);
                Err(count)
            }
        }
    }

    fn made_by_a_way<T>(&mut self, made: Drawn<T>, before: Option<Noted>) -> Drawn<T> {
        if made.is_ok() {
            self.restore_reasons(before);
        }
        made
    }

    /// One of several ways. It goes on if this one leads nowhere.
    fn way<T>(&mut self, part: &str, body: impl FnOnce(&mut Source<'a>) -> Drawn<T>) -> ControlFlow<Drawn<T>> {
        self.is_reading = true;
        if !has_effort_for(EFFORT_OF_EACH) {
            return Continue(());
        }
        if !may_try_way() {
            return Break(Err(self.stop(Why::Other(TOO_MANY_WAYS.to_owned()))));
        }
        let (mark, place) = (self.mark(), self.place_in_weights());
        if let Ok(value) = body(self) {
            self.why = None;
            return Break(Ok(value));
        }
        match self.why.take() {
            Some(why) if matches!(*why, Why::FilteredOut { .. } | Why::NoneFound { .. }) => {
                let _ = self.not_made(part, || why.to_string());
            }
            Some(why) if !matches!(*why, Why::NotMade) => return Break(Err(self.stop(*why))),
            _ => {}
        }
        self.why = None;
        self.forget(mark);
        self.back_to(place);
        Continue(())
    }

    /// Calls `body` up to `most` times, until it breaks off: with a value, or because no other try
    /// can help.
    ///
    /// All tries while a text is read share one budget, so that tries inside tries do not multiply:
    /// each gets an equal share of what is left. If a try fails and nothing was drawn at random,
    /// all others would fail alike: then it returns `Err(0)` and resets the random state, so that
    /// the caller sees that nothing was drawn. If all fail, it returns how many there were, with
    /// those inside them.
    pub(crate) fn tries<T>(
        &mut self,
        most: u32,
        mut body: impl FnMut(&mut Source<'a>, u32) -> ControlFlow<Drawn<T>>,
    ) -> Result<Drawn<T>, u32> {
        let (begun, at_first) = (self.chance(), self.tries_left);
        let mut left = at_first;
        for time in 0..most {
            if time > 0 {
                let Some(less) = left.checked_sub(1) else { break };
                left = less;
            }
            let (before, share) = (self.chance(), left / (most - time));
            self.tries_left = share;
            let made = body(self, time);
            left -= share - self.tries_left;
            self.tries_left = left;
            if let Break(made) = made {
                if made.is_ok() {
                    self.tries_left = at_first;
                }
                return Ok(made);
            }
            if self.is_at(&before) {
                self.stand_at(begun);
                self.tried_nothing();
                return Err(0);
            }
        }
        Err(at_first - left + 1)
    }

    /// Resets the random state to `begun` if nothing was drawn for a part since `before`, and the
    /// part failed: the failure depends on nothing that was drawn, so whatever contains the part
    /// fails too.
    pub(crate) fn failed_independently(&mut self, before: &ChanceAt, begun: &ChanceAt) {
        if self.is_at(before) {
            self.stand_at(begun.clone());
        }
    }

    fn is_at(&self, before: &ChanceAt) -> bool {
        before.is_some() && *before == self.chance()
    }

    fn stand_at(&mut self, before: ChanceAt) {
        if let Some(before) = before {
            self.set_chance(before);
        }
    }

    /// Sets the reasons that were noted so far aside, before several ways are tried.
    pub(crate) fn set_reasons_aside(&mut self) -> Option<Noted> {
        self.explanation.as_mut().map(|explanation| explanation.set_aside())
    }

    /// A way led to a value: the reasons why the ways before it did not are forgotten.
    pub(crate) fn restore_reasons(&mut self, before: Option<Noted>) {
        if let (Some(explanation), Some(before)) = (&mut self.explanation, before) {
            explanation.restore(before);
        }
    }

    /// No way led to a value: their reasons count beside those that were set aside.
    pub(crate) fn add_reasons(&mut self, before: Option<Noted>) {
        if let (Some(explanation), Some(before)) = (&mut self.explanation, before) {
            explanation.add(before);
        }
    }

    /// The way to complete a sketch that fails here fails whatever is drawn for holes.
    pub(crate) fn close_way(&mut self) {
        self.is_closed = true;
    }

    /// Whether the way that failed last was [closed](Source::close_way).
    pub(crate) fn take_closed(&mut self) -> bool {
        std::mem::take(&mut self.is_closed)
    }

    /// Runs `body` with random answers of its own: nothing is recorded, and nothing is said of what
    /// goes wrong.
    pub(crate) fn aside<T>(&mut self, body: impl FnOnce(&mut Source<'_>) -> Drawn<T>) -> Option<T> {
        let Source { size, depth, stack, tries_left, nested_ways, .. } = *self;
        let mut inner = Source { size, depth, stack, tries_left, nested_ways, ..Source::random(self.dice()) };
        let made = body(&mut inner).ok();
        self.tries_left = inner.tries_left;
        made
    }

    /// Notes how often holes were filled in vain, so that it can be said with the reason. `blind`
    /// names what cannot be read from text and is drawn, if there is such a thing.
    pub(crate) fn tried_fillings(&mut self, count: u32, has_holes: bool, blind: &str) {
        let Some(explanation) = &mut self.explanation else { return };
        let times = if count == 1 { "once".to_owned() } else { format!("{count} times") };
        let blindly = format!("with random values for {blind}, which cannot be read from text");
        explanation.tried(Some(match (has_holes, blind) {
            (false, _) => format!("tried {times} {blindly}"),
            (true, "") => format!("tried {times} with other values in its holes; {ANOTHER_SEED}"),
            (true, _) => format!("tried {times} with other values in its holes and {blindly}; {ANOTHER_SEED}"),
        }));
    }

    /// Forgets how often holes were filled in vain: it does not depend on them.
    pub(crate) fn tried_nothing(&mut self) {
        if let Some(explanation) = &mut self.explanation {
            explanation.tried(None);
        }
    }

    /// The sketch cannot be completed here: `part` is its text, `reason` what is wrong with it,
    /// asked for only if somebody wants to know.
    ///
    /// ```
    /// use retrospect::source::{Source, Stop, Why};
    /// let mut source = Source::random(1);
    /// assert_eq!(source.not_made("12", || unreachable!("nobody asks")), Stop);
    /// assert!(matches!(source.why(), Some(Why::NotMade)));
    /// ```
    #[inline]
    pub fn not_made(&mut self, part: &str, reason: impl FnOnce() -> String) -> Stop {
        let reason = if self.is_explaining { Some(reason()) } else { None };
        self.not_made_because(part, reason)
    }

    fn not_made_because(&mut self, part: &str, reason: Option<String>) -> Stop {
        if let (Some(explanation), Some(reason)) = (&mut self.explanation, reason) {
            explanation.note(&format_args!("{part}"), reason);
        }
        self.is_not_made()
    }

    /// Like [`not_made`](Source::not_made), where the text shows none of some structs and variants.
    pub(crate) fn not_like(&mut self, part: &str, unlike: impl FnOnce() -> Unlike) -> Stop {
        if let Some(explanation) = &mut self.explanation {
            explanation.note_unlike(&format_args!("{part}"), unlike());
        }
        self.is_not_made()
    }

    fn is_not_made(&mut self) -> Stop {
        if self.why.is_none() {
            self.why = Some(Box::new(Why::NotMade));
        }
        Stop
    }
}

const TOO_MANY_WAYS: &str = "there are too many ways to read it, such as sizes of `sized` inside one another; \
    reading gave up before all were tried";

/// Where chance stands, if it is chance that answers.
pub(crate) type ChanceAt = Option<(Rng, Option<Rng>)>;

const ANOTHER_SEED: &str = "another seed may help, or more of the value";

/// Brackets around what a sketch shows. Nothing is asked for there and nothing is recorded, but who
/// draws by weights has to know where a hole is.
impl<'a> Source<'a> {
    pub(crate) fn shown_part<T>(&mut self, body: impl FnOnce(&mut Source<'a>) -> T) -> T {
        self.shown(|tuned| tuned.open_part(), body)
    }

    pub(crate) fn shown_list<T>(&mut self, body: impl FnOnce(&mut Source<'a>) -> T) -> T {
        self.shown(|tuned| tuned.open_shown_list(), body)
    }

    pub(crate) fn shown_call<T>(&mut self, site: &'static Site, body: impl FnOnce(&mut Source<'a>) -> T) -> T {
        self.shown(|tuned| tuned.open_call(site), body)
    }

    /// What follows is in this arm.
    pub(crate) fn shown_arm(&mut self, site: &'static Site, arm: usize) {
        if let Some(tuned) = &mut self.tuned {
            tuned.enter_arm(site, arm);
        }
    }

    fn shown<T>(&mut self, open: impl FnOnce(&mut TunedChooser), body: impl FnOnce(&mut Source<'a>) -> T) -> T {
        self.is_reading = true;
        let Some(tuned) = &mut self.tuned else { return body(self) };
        let open_count = tuned.open_count();
        open(tuned);
        let result = body(self);
        // What failed inside may have left more open.
        if let Some(tuned) = &mut self.tuned {
            tuned.close_to(open_count);
        }
        result
    }

    /// Where weights are, to [come back](Source::back_to) before the next way.
    pub(crate) fn place_in_weights(&self) -> Option<PlaceMark> {
        self.tuned.as_ref().map(|tuned| tuned.mark())
    }

    pub(crate) fn back_to(&mut self, place: Option<PlaceMark>) {
        if let (Some(tuned), Some(place)) = (&mut self.tuned, place) {
            tuned.restore(place);
        }
    }
}
