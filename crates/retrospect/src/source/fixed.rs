//! Answers that are fixed beforehand: the derivative of a generator.

use super::{Answers, Bracket, Chooser, Drawn, NumberRequest, PickRequest, RandomAnswers, RepeatRequest, Source, Why};
use crate::choice::{self, Choice, Site};

/// What takes the place of a list whose count is fixed: its items, in a bracket.
pub(super) static FIXED: Site = Site::call("fixed", file!(), line!());

/// A place in what a source has drawn, to go back to; see [`Source::mark`].
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::source::Source;
/// let mut source = Source::recording(1);
/// let mark = source.mark();
/// vec_of(0..10, 3).generate(&mut source).unwrap();
/// source.forget(mark);
/// assert!(source.choices().is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    pub(super) record: choice::Mark,
    /// How many fixed answers were given.
    pub(super) n_given: usize,
}

/// An answer that is not recorded, because it is fixed.
#[derive(Clone, Debug)]
pub(super) enum Fixed {
    /// Nobody is asked.
    To(Choice),
    /// The chooser is asked, and knows.
    AsAnswered,
}

impl<'a> Source<'a> {
    /// Runs `body`, whose first choices are these. They are not recorded: what is, are the choices
    /// that are left.
    ///
    /// If one of them does not fit what is asked, or if less is asked, generation stops.
    ///
    /// ```
    /// use retrospect::choice::Choice;
    /// use retrospect::prelude::*;
    /// use retrospect::source::Source;
    /// let mut source = Source::recording(1);
    /// let pair = source.fixed(&[Choice::Number(7)], |source| tuple((0..10, 0..10)).generate(source)).unwrap();
    /// assert_eq!(pair.0, 7);
    /// assert_eq!(source.choices().to_string(), format!("({{}} {})", pair.1));
    /// ```
    pub fn fixed<T>(&mut self, choices: &[Choice], body: impl FnOnce(&mut Source<'_>) -> Drawn<T>) -> Drawn<T> {
        if self.answers == Answers::Asked {
            return self.with_fixed(choices, body);
        }
        let mut random = RandomAnswers { rng: self.rng.clone() };
        let result = self.answered_like_chance(&mut random, |source| {
            source.is_chance = true;
            source.with_fixed(choices, body)
        });
        self.rng = random.rng;
        result
    }

    fn with_fixed<T>(&mut self, choices: &[Choice], body: impl FnOnce(&mut Source<'_>) -> Drawn<T>) -> Drawn<T> {
        let (before, given_before) = (self.fixed.len(), self.given.len());
        for choice in choices.iter().rev() {
            self.fixed.push(Fixed::To(choice.clone()));
        }
        let result = body(self);
        let left = self.fixed.len().saturating_sub(before);
        self.fixed.truncate(before);
        // No attempt around this one gets the answers that were fixed in here.
        self.given.drain(given_before..(given_before + choices.len()).min(self.given.len()));
        if left > 0 && result.is_ok() {
            return Err(self.stop(Why::Misfit(format!("{left} of the fixed choices are left over"))));
        }
        result
    }

    /// The next fixed answer, if there is one left.
    #[inline]
    pub(super) fn next_fixed(&mut self) -> Option<Fixed> {
        let fixed = self.fixed.pop()?;
        self.given.push(fixed.clone());
        Some(fixed)
    }

    /// The choice that the next answer is fixed to, if it is.
    pub(super) fn next_is_fixed_to(&self) -> Option<Choice> {
        match self.fixed.last()? {
            Fixed::To(choice) => Some(choice.clone()),
            Fixed::AsAnswered => None,
        }
    }

    /// Takes back all fixed answers but the first `n_given` that were given.
    pub(super) fn give_again(&mut self, n_given: usize) {
        let again = self.given.drain(n_given.min(self.given.len())..);
        self.fixed.extend(again.rev());
    }

    /// A source that asks a chooser, whose first answers are not recorded.
    pub(crate) fn asking_without(chooser: &'a mut (dyn Chooser + 'a), count: usize) -> Source<'a> {
        Source { fixed: vec![Fixed::AsAnswered; count], ..Source::asking(chooser) }
    }

    /// Goes on with another record.
    pub(crate) fn exchange_record(&mut self, record: &mut crate::choice::Choices) {
        std::mem::swap(&mut self.record, record);
    }

    /// The next answer if it is fixed: as the chooser gives it, or as it was told.
    #[cold]
    #[inline(never)]
    pub(super) fn fixed_number(&mut self, fixed: Fixed, request: &NumberRequest) -> Drawn<u64> {
        let index = match fixed {
            Fixed::AsAnswered => {
                let answer = self.chooser().number(request);
                self.answered(answer)?
            }
            Fixed::To(Choice::Number(index)) => {
                self.keep_up(|chooser| chooser.number(request).map(|_| ()))?;
                index
            }
            Fixed::To(other) => {
                return Err(self.unfit(&other, &format!("a number of at most {} was asked for", request.max)));
            }
        };
        match index <= request.max {
            true => Ok(index),
            false => {
                let reason = format!("a number of at most {} was asked for", request.max);
                Err(self.unfit(&Choice::Number(index), &reason))
            }
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn fixed_pick(&mut self, fixed: Fixed, request: &PickRequest<'_>) -> Drawn<usize> {
        let choice = match fixed {
            Fixed::AsAnswered => {
                let answer = self.chooser().pick(request);
                Choice::arm(self.answered(answer)?)
            }
            Fixed::To(choice) => choice,
        };
        let labels = request.site.labels();
        let arm = match &choice {
            Choice::Arm { label: Some(label), .. } if !labels.is_empty() => {
                labels.iter().position(|other| **other == **label)
            }
            Choice::Arm { arm, .. } => Some(*arm),
            _ => None,
        };
        match arm.filter(|arm| request.is_possible(*arm)) {
            Some(arm) => {
                let mut only = vec![0; request.weights.len()];
                only[arm] = 1;
                self.keep_up(|chooser| chooser.pick(&PickRequest { weights: &only, ..*request }).map(|_| ()))?;
                Ok(arm)
            }
            None => {
                let (arms, name) = (request.weights.len(), request.site.name());
                Err(self.unfit(&choice, &format!("one of the {arms} arms of `{name}` was asked for")))
            }
        }
    }

    /// The count is told, not asked for; what is opened is an ordinary bracket around the items.
    #[cold]
    #[inline(never)]
    pub(super) fn fixed_repeat(
        &mut self,
        fixed: Fixed,
        request: &RepeatRequest,
    ) -> Drawn<(usize, crate::choice::Frame)> {
        let (count, frame) = match fixed {
            Fixed::AsAnswered => {
                let answer = self.chooser().repeat(request);
                let count = self.answered(answer)?;
                (count, if self.is_recording { self.record.open_call(&FIXED) } else { super::NO_FRAME })
            }
            Fixed::To(Choice::Count(count)) if (request.min..=request.max).contains(&count) => match self.is_counting {
                true => {
                    self.keep_up(|chooser| chooser.repeat(request).map(|_| ()))?;
                    (count, if self.is_recording { self.record.open_call(&FIXED) } else { super::NO_FRAME })
                }
                false => (count, self.ask_open(Bracket::Call(&FIXED))?),
            },
            Fixed::To(Choice::Count(count)) => (count, super::NO_FRAME),
            Fixed::To(other) => return Err(self.unfit(&other, "a count of items was asked for")),
        };
        if !(request.min..=request.max).contains(&count) {
            let reason = format!("{} to {} items were asked for", request.min, request.max);
            return Err(self.unfit(&Choice::Count(count), &reason));
        }
        self.fixed_count = Some(count);
        Ok((count, frame))
    }

    /// A chooser that stands for chance is asked although the answer is fixed, so that it knows
    /// where it is.
    fn keep_up(&mut self, ask: impl FnOnce(&mut dyn Chooser) -> Result<(), String>) -> Drawn<()> {
        if !self.is_counting {
            return Ok(());
        }
        let answer = ask(self.chooser());
        self.answered(answer)
    }

    /// How many items there must be, if the list that was asked for last has a fixed count.
    pub(crate) fn fixed_count(&self) -> Option<usize> {
        self.fixed_count
    }

    /// A list that was to have this many items and ends with others.
    #[cold]
    #[inline(never)]
    pub(super) fn unfit_count(&mut self, count: usize, kept: usize) -> super::Stop {
        // The chooser is told that its bracket ends here, too.
        self.chooser().close();
        self.unfit(&Choice::Count(count), &format!("there are {kept} items"))
    }

    pub(super) fn unfit(&mut self, choice: &Choice, reason: &str) -> super::Stop {
        self.stop(Why::Misfit(format!("the fixed choice {choice} does not fit: {reason}")))
    }
}
