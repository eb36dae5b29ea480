//! Completion: which ways there are to complete a sketch, and why it cannot be completed.

use super::effort::{EFFORT_OF_EACH, has_effort_for};
use super::{Drawn, PlaceMark, Source, Stop, TunedChooser, Why};
use crate::choice::Site;
use crate::mismatch::{Explanation, Noted, Segment, Unlike};

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

    /// Like [`at`](Source::at), for a part that lies any number of steps inside the value. With no steps it only runs `body`.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::{Segment, source::{Law, Source}};
    /// let path = [Segment::Position(1), Segment::Item(0)];
    /// assert_eq!(Source::random(1).at_path(&path, |source| source.number(0, Law::Uniform)), Ok(0));
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

    /// Tries several ways to complete a sketch, whose text is `part`: the first that leads to a value. What a way that leads nowhere
    /// recorded is forgotten. If the generator itself is wrong, no other way is tried.
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
        self.is_reading = true;
        let (mark, place) = (self.mark(), self.place_in_weights());
        let before = self.set_reasons_aside();
        for way in ways {
            if !has_effort_for(EFFORT_OF_EACH) {
                break;
            }
            if let Ok(value) = body(self, way) {
                self.restore_reasons(before);
                return Ok(value);
            }
            match self.why.take() {
                Some(why) if matches!(*why, Why::FilteredOut { .. } | Why::NoneFound { .. }) => {
                    let _ = self.not_made(part, || why.to_string());
                }
                Some(why) if !matches!(*why, Why::NotMade) => return Err(self.stop(*why)),
                _ => {}
            }
            self.why = None;
            self.forget(mark);
            self.back_to(place);
        }
        self.add_reasons(before);
        Err(self.stop(Why::NotMade))
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

    /// Runs `body` with random answers of its own: nothing is recorded, and nothing is said of what goes wrong.
    pub(crate) fn aside<T>(&mut self, body: impl FnOnce(&mut Source<'_>) -> Drawn<T>) -> Option<T> {
        let mut inner = Source { size: self.size, depth: self.depth, stack: self.stack, ..Source::random(self.dice()) };
        body(&mut inner).ok()
    }

    /// Notes how often holes were filled in vain, so that it can be said with the reason. `blind` names what cannot be read from text and is drawn, if there is such a thing.
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

    /// The sketch cannot be completed here: `part` is its text, `reason` what is wrong with it, asked for only if somebody wants to know.
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

const ANOTHER_SEED: &str = "another seed may help, or more of the value";

/// Brackets around what a sketch shows. Nothing is asked for there and nothing is recorded, but who draws by weights has to know where a hole is.
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
