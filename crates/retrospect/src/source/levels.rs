//! Other sizes, and levels of recursive generators, so that what is drawn at random ends.

use super::{Drawn, Replay, Source};
use crate::choice::Choices;

/// Levels of a recursive generator for each unit of size, before those that follow get arms that
/// end and the fewest items of every list.
pub(crate) const LEVELS_PER_SIZE: u32 = 4;

impl<'a> Source<'a> {
    /// Runs `body` at another size. Afterwards the size is what it was.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::Source;
    /// let mut source = Source::random(1);
    /// let list = source.resized(0, |source| vec_of(0..10, 1..).generate(source)).unwrap();
    /// assert_eq!(list.len(), 1);
    /// assert_eq!(source.size(), 100);
    /// ```
    #[inline]
    pub fn resized<T>(&mut self, size: u32, body: impl FnOnce(&mut Source<'a>) -> T) -> T {
        let before = std::mem::replace(&mut self.size, size);
        let result = body(self);
        self.size = before;
        result
    }

    /// Runs one level of a recursive generator, so that what is drawn at random ends.
    ///
    /// The outermost level has the size of the source and each level inside it half the size of the
    /// one around it. Since a list may hold many levels, their number is limited as well: after
    /// [`LEVELS_PER_SIZE`] for each unit of size, the rest is the simplest. `is_inner` says that
    /// the level is never the outermost: that one is not seen.
    ///
    /// Weights know from their examples how deep values go. So where they answer, only the limits
    /// of all generators end what is drawn.
    pub(crate) fn level<T>(&mut self, is_inner: bool, body: impl FnOnce(&mut Source<'a>) -> T) -> T {
        if self.tuned.is_some() {
            return body(self);
        }
        match self.levels_left {
            None if is_inner => self.resized(self.size / 2, |source| source.level(false, body)),
            None => {
                self.levels_left = Some(self.size.saturating_mul(LEVELS_PER_SIZE));
                let result = body(self);
                self.levels_left = None;
                result
            }
            Some(0) => {
                let before = std::mem::replace(&mut self.picks_left, 0);
                let result = self.resized(0, body);
                self.picks_left = before;
                result
            }
            Some(levels) => {
                self.levels_left = Some(levels - 1);
                self.resized(self.size / 2, body)
            }
        }
    }

    /// Whether the simplest value that `generate` makes needs no further level of a recursive
    /// generator.
    pub(crate) fn ends<T>(generate: impl FnOnce(&mut Source<'_>) -> Drawn<T>) -> bool {
        let choices = Choices::default();
        let mut simplest = Replay::lenient(&choices);
        let mut source = Source { is_probing: true, is_recording: false, ..Source::asking(&mut simplest) };
        // A recursive generator gives no reason when it stops a probe; whatever else stops it, a
        // filter perhaps, is no recursion.
        generate(&mut source).is_ok() || source.why.is_some()
    }

    /// Whether a recursive generator must stop here instead of making a value; see
    /// [`Source::ends`].
    #[inline]
    pub(crate) fn is_probing(&self) -> bool {
        self.is_probing
    }
}
