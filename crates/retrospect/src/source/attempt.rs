//! Attempts: a filter draws until it keeps a value.

use super::{Chooser, Drawn, MAX_IMPROVISED, MAX_NESTED_TRIES, MAX_TRIES, Mark, Source, TRIES_PER_SIZE, Why, grown};
use std::panic::Location;

impl<'a> Source<'a> {
    /// Runs `body` until it gives a value, and forgets the choices of the attempts that gave none.
    /// `place` is the place of the condition, for messages.
    ///
    /// After every 200 refusals the [size](Source::size) doubles, up to
    /// [`DEFAULT_SIZE`](super::DEFAULT_SIZE), until the attempt ends. After [`MAX_TRIES`] refusals
    /// the source stops. A replay is one attempt, since another would give the same answers.
    ///
    /// ```
    /// use retrospect::source::{Distribution, Source};
    /// let mut source = Source::recording(1);
    /// let place = std::panic::Location::caller();
    /// let even = |number: u64| (number % 2 == 0).then_some(number);
    /// let number = source.attempt(place, |source| source.number(9, Distribution::Uniform).map(even)).unwrap();
    /// assert_eq!(number % 2, 0);
    /// assert_eq!(source.choices().to_string(), number.to_string()); // Nothing of those that were odd.
    /// ```
    pub fn attempt<T>(
        &mut self,
        place: &'static Location<'static>,
        mut body: impl FnMut(&mut Source<'a>) -> Drawn<Option<T>>,
    ) -> Drawn<T> {
        let mark = self.mark();
        // Whether there is a value at all depends on everything in here.
        self.binding += 1;
        let made = match body(self)? {
            Some(value) => value,
            None => self.another(place, mark, &mut body)?,
        };
        self.binding -= 1;
        Ok(made)
    }

    /// [`attempt`](Source::attempt) after a first refusal. The first attempt began at `mark`. The
    /// last refused attempt stays in the record, to show what was refused.
    #[cold]
    #[inline(never)]
    pub(crate) fn another<T>(
        &mut self,
        place: &'static Location<'static>,
        mark: Mark,
        body: &mut dyn FnMut(&mut Source<'a>) -> Drawn<Option<T>>,
    ) -> Drawn<T> {
        let (size, depth, refused_before) = (self.size, self.depth, self.refused);
        let mut refused = 1;
        let made = loop {
            if refused == MAX_TRIES || !self.refuse() || !self.may_retry() {
                break Err(self.stop(Why::FilteredOut { place, refused }));
            }
            self.forget(mark);
            if refused % TRIES_PER_SIZE == 0 {
                self.grow();
            }
            // A refused value is no part of what is drawn.
            self.depth.deep_picks = depth.deep_picks;
            match self.again(&mut *body) {
                Ok(Some(value)) => {
                    self.keep(refused_before);
                    break Ok(value);
                }
                Ok(None) => {}
                Err(stop) => break Err(stop),
            }
            refused += 1;
        };
        (self.size, self.depth.size) = (size, depth.size);
        let kept = u32::from(made.is_ok());
        self.note_filtered(place, refused - 1 + kept, kept);
        made
    }

    /// Draws at a larger size from here on, with all picks anew. Deep inside a value the picks are
    /// lent: there are no more of them.
    fn grow(&mut self) {
        let size = grown(self.size);
        match self.depth.is_deep {
            false => self.set_size(size),
            true => (self.size, self.depth.size) = (size, size),
        }
    }

    /// How many values were refused in a row, by attempts inside one another.
    pub(crate) fn refused(&self) -> u32 {
        self.refused
    }

    /// Counts a value that was refused. `false` if attempts inside one another refused too many:
    /// without this limit, theirs would multiply.
    pub(crate) fn refuse(&mut self) -> bool {
        self.refused += 1;
        self.refused < MAX_NESTED_TRIES
    }

    /// Whether a set that lacks items goes on to draw, although it has drawn many duplicates in a
    /// row. The sets of a value share their patience: where one has few different items, all others
    /// often do too.
    pub(crate) fn is_patient(&mut self) -> bool {
        self.patience = self.patience.saturating_sub(1);
        self.patience > 0
    }

    /// Runs `body` with made-up answers, where those of the source gave nothing new.
    pub(crate) fn improvised_by<T>(
        &mut self,
        chooser: &mut dyn Chooser,
        body: impl FnOnce(&mut Source<'_>) -> Drawn<T>,
    ) -> Drawn<T> {
        self.answered_by(chooser, |source| {
            source.improvised += 1;
            body(source)
        })
    }

    /// Whether answers may be made up here. What is made up inside of itself too often has no end.
    pub(crate) fn may_improvise(&self) -> bool {
        self.improvised < MAX_IMPROVISED
    }

    /// A value is kept, so the refusals on the way to it no longer count: unless there were some
    /// before it, since it is then part of another attempt.
    #[inline]
    pub(crate) fn keep(&mut self, refused_before: u32) {
        if refused_before == 0 {
            self.refused = 0;
        }
    }
}
