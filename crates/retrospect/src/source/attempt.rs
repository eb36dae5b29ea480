//! Attempts: a filter draws until it keeps a value.

use super::{Drawn, MAX_TRIES, Source, TRIES_PER_SIZE, Why, grown};
use std::panic::Location;

impl<'a> Source<'a> {
    /// Runs `body` until it gives a value, and forgets the choices of the attempts that gave none.
    /// `place` is the place of the condition, for messages.
    ///
    /// After every 200 refusals the [size](Source::size) doubles, up to [`DEFAULT_SIZE`](super::DEFAULT_SIZE), until the
    /// attempt ends. After [`MAX_TRIES`] refusals the source stops. A replay is one attempt, since
    /// another would give the same answers.
    ///
    /// ```
    /// use retrospect::source::{Law, Source};
    /// let mut source = Source::recording(1);
    /// let place = std::panic::Location::caller();
    /// let even = |number: u64| (number % 2 == 0).then_some(number);
    /// let number = source.attempt(place, |source| source.number(9, Law::Uniform).map(even)).unwrap();
    /// assert_eq!(number % 2, 0);
    /// assert_eq!(source.choices().to_string(), number.to_string()); // Nothing of those that were odd.
    /// ```
    pub fn attempt<T>(
        &mut self,
        place: &'static Location<'static>,
        mut body: impl FnMut(&mut Source<'a>) -> Drawn<Option<T>>,
    ) -> Drawn<T> {
        let fixed = self.fixed.clone();
        let mark = self.mark();
        // Whether there is a value at all depends on everything in here.
        self.binding += 1;
        let made = match body(self)? {
            Some(value) => value,
            None => {
                self.forget(mark);
                self.another(place, &mut |source| {
                    source.fixed.clone_from(&fixed);
                    body(source)
                })?
            }
        };
        self.binding -= 1;
        Ok(made)
    }

    /// [`attempt`](Source::attempt) after a first refusal.
    #[cold]
    #[inline(never)]
    pub(crate) fn another<T>(
        &mut self,
        place: &'static Location<'static>,
        body: &mut dyn FnMut(&mut Source<'a>) -> Drawn<Option<T>>,
    ) -> Drawn<T> {
        let (mark, size, depth) = (self.mark(), self.size, self.depth);
        let mut refused = 1;
        let made = loop {
            if refused == MAX_TRIES || !self.may_retry() {
                break Err(self.stop(Why::FilteredOut { place, refused }));
            }
            if refused % TRIES_PER_SIZE == 0 {
                self.set_size(grown(self.size));
            }
            // A refused value is no part of what is drawn.
            self.depth.deep_picks = depth.deep_picks;
            match self.again(&mut *body) {
                Ok(Some(value)) => break Ok(value),
                Ok(None) => {}
                Err(stop) => break Err(stop),
            }
            refused += 1;
            self.forget(mark);
        };
        (self.size, self.depth.size) = (size, depth.size);
        let kept = u32::from(made.is_ok());
        self.note_filtered(place, refused - 1 + kept, kept);
        made
    }
}
