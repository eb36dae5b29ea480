//! What a generator says about its own questions, for choosers that want to know more than the next
//! answer.

use super::{Answers, Distribution, Drawn, Source};

/// What is known beforehand of the questions that a generator asks.
///
/// ```
/// use retrospect::source::Form;
/// // By name and arguments: the same ones ask the same questions.
/// let numbers_up_to = |max: u64| Form::of(&("numbers_up_to", max));
/// assert_eq!(numbers_up_to(9), numbers_up_to(9));
/// assert_ne!(numbers_up_to(9), numbers_up_to(10));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One number and nothing else, whatever the answer is.
    Number {
        /// The largest index.
        max: u64,
    },
    /// Generators with the same number here ask the same questions as long as they get the same
    /// answers.
    Known(u64),
    /// Nothing.
    Unknown,
}

impl Form {
    /// The form of a generator that is known by its name and its arguments.
    ///
    /// ```
    /// use retrospect::source::Form;
    /// assert!(matches!(Form::of(&("digits", 3)), Form::Known(_)));
    /// ```
    pub fn of(identity: &impl std::hash::Hash) -> Form {
        use std::hash::{DefaultHasher, Hasher};
        let mut hash = DefaultHasher::new();
        identity.hash(&mut hash);
        Form::Known(hash.finish())
    }

    /// The number of a form that is known by one; 0 for the others.
    #[cfg(feature = "text")]
    pub(crate) fn identity(self) -> u64 {
        match self {
            Form::Known(identity) => identity,
            Form::Number { .. } | Form::Unknown => 0,
        }
    }

    /// The form of something that is made of parts of these forms in a fixed way, which `name`
    /// tells.
    pub(crate) fn made_of(name: &str, parts: &[Form]) -> Form {
        let mut known = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Form::Unknown => return Form::Unknown,
                Form::Number { max } => known.push((0, *max)),
                Form::Known(identity) => known.push((1, *identity)),
            }
        }
        Form::of(&(name, known))
    }
}

impl<'a> Source<'a> {
    /// Like [`part`](Source::part), for a part that nothing hangs on: what is asked after it, and
    /// whether a value is made at all, does not depend on its answers.
    ///
    /// The fields of a tuple are such parts, and the items of a list; what a later draw looks at is
    /// none. Who counts or lists values ([`enumerate`](crate::generator::Explore::enumerate)) need
    /// not try each value of such a part with each of the others. `form` is what is known of its
    /// questions.
    ///
    /// ```
    /// use retrospect::source::{Drawn, Form, Distribution, Source};
    /// fn dice(source: &mut Source<'_>) -> Drawn<(u64, u64)> {
    ///     let one = source.free_part(|| Form::Number { max: 5 }, |source| source.number(5, Distribution::Uniform))?;
    ///     let other = source.free_part(|| Form::Number { max: 5 }, |source| source.number(5, Distribution::Uniform))?;
    ///     Ok((one + 1, other + 1))
    /// }
    /// let mut source = Source::recording(1);
    /// let (one, other) = dice(&mut source).unwrap();
    /// assert_eq!(source.choices().to_string(), format!("{} {}", one - 1, other - 1));
    /// ```
    #[inline(always)]
    pub fn free_part<T>(
        &mut self,
        form: impl Fn() -> Form,
        body: impl FnOnce(&mut Source<'a>) -> Drawn<T>,
    ) -> Drawn<T> {
        let start = match self.answers {
            Answers::Asked => self.ask_open_free(&form)?,
            _ => self.record.len(),
        };
        let part = Unfinished { source: self, start };
        let result = body(&mut *part.source);
        std::mem::forget(part);
        if !self.is_random() && result.is_ok() {
            match self.answers {
                Answers::Asked => self.ask_close_free(start),
                _ => self.record.close_part(start),
            }
        }
        result
    }

    /// Runs what makes all of a part that is known to be several nodes. The bracket of the part is
    /// noted before them, so that it need not be put around them.
    #[cfg(feature = "text")]
    #[inline(always)]
    pub(crate) fn in_bracket<T>(&mut self, body: impl FnOnce(&mut Source<'a>) -> Drawn<T>) -> Drawn<T> {
        if !self.is_recording {
            return body(self);
        }
        let frame = self.record.open_part();
        let result = body(self);
        if result.is_ok() {
            self.record.close(frame);
        }
        result
    }

    /// A number that is a part of its own, and that nothing hangs on.
    #[inline(always)]
    pub(crate) fn number_part(&mut self, max: u64, distribution: Distribution) -> Drawn<u64> {
        if self.needs_no_part() {
            return self.number(max, distribution);
        }
        self.free_part(|| Form::Number { max }, |source| source.number(max, distribution))
    }

    /// Like [`free_part`](Source::free_part) without a part of its own: for the last thing that a
    /// generator does.
    ///
    /// ```
    /// use retrospect::source::{Drawn, Form, Distribution, Source};
    /// fn small_or_large(source: &mut Source<'_>) -> Drawn<u64> {
    ///     let max = if source.number(1, Distribution::Uniform)? == 0 { 9 } else { u64::MAX };
    ///     source.freely(|| Form::Number { max }, |source| source.number(max, Distribution::Uniform))
    /// }
    /// let mut source = Source::recording(1);
    /// small_or_large(&mut source).unwrap();
    /// assert_eq!(source.choices().nodes().len(), 2);
    /// ```
    #[inline(always)]
    pub fn freely<T>(&mut self, form: impl Fn() -> Form, body: impl FnOnce(&mut Source<'a>) -> Drawn<T>) -> Drawn<T> {
        let is_told = self.wants_parts && self.tell_free(&form);
        let result = body(self);
        // What was refused has not ended: other answers may still make something of it.
        if is_told && result.is_ok() {
            self.chooser().end_free();
        }
        result
    }

    /// Notes that an answer was dropped or changed: there are others that make the same.
    pub(crate) fn note_correction(&mut self) {
        if !self.is_corrected && self.stops_if_corrected {
            self.chooser().corrected();
        }
        self.is_corrected = true;
    }

    /// Tells the chooser that something free begins, unless something around it hangs on it.
    #[cold]
    #[inline(never)]
    fn tell_free(&mut self, form: &dyn Fn() -> Form) -> bool {
        if self.binding > 0 || !self.wants_parts {
            return false;
        }
        // With an answer fixed, less is asked than usual.
        match self.fixed.is_empty() {
            true => self.chooser().begin_free(form),
            false => self.chooser().begin_free(&|| Form::Unknown),
        }
        true
    }

    #[inline(never)]
    fn ask_open_free(&mut self, form: &dyn Fn() -> Form) -> Drawn<usize> {
        self.ask_open(super::Bracket::Part)?;
        self.tell_free(form);
        Ok(self.record.len())
    }

    #[inline(never)]
    fn ask_close_free(&mut self, start: usize) {
        if self.binding == 0 && self.wants_parts {
            self.chooser().end_free();
        }
        self.ask_close_bracket(start);
    }
}

/// A part that is being made. It is dropped only if its generator panics, and is one node then as
/// well: so what was recorded can be replayed and shrunk.
pub(super) struct Unfinished<'s, 'a> {
    pub(super) source: &'s mut Source<'a>,
    pub(super) start: usize,
}

impl Drop for Unfinished<'_, '_> {
    #[cold]
    fn drop(&mut self) {
        if self.source.is_recording {
            self.source.record.abandon_part(self.start);
        }
    }
}
