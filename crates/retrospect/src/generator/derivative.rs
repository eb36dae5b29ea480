//! The derivative of a generator: what is left after some choices.

use super::adapt::COMPLETION_TRIES;
use super::{Generator, accepted};
use crate::choice::{Choice, Choices, Site};
use crate::mismatch::NotGenerated;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Chooser, Drawn, NumberRequest, PickRequest, RepeatRequest, Source, Why};
use std::fmt::{self, Debug};
use std::ops::ControlFlow::{Break, Continue};

/// What is left of a generator after its first choices were made; see
/// [`after`](super::Explore::after).
///
/// ```
/// use retrospect::prelude::*;
/// let lists = vec_of(0..10, ..);
/// let pairs = lists.after(&"[2]".parse().unwrap()).after(&"7".parse().unwrap());
/// assert_eq!(pairs.choices().len(), 2);
/// assert_eq!(pairs.sample_choices(1).choice_count(), 1); // The second item is still open.
/// assert!(pairs.accepts(&vec![7, 3]) && !pairs.accepts(&vec![8, 3]) && !pairs.accepts(&vec![7]));
/// assert_eq!(pairs.shrink(vec![7, 9], |list| list[1] > 4).unwrap().value, [7, 5]);
/// ```
#[derive(Clone)]
pub struct After<G> {
    generator: G,
    choices: Vec<Choice>,
}

/// How many ways are told apart where all are wanted.
const MOST_WAYS: usize = 1_000;

impl<G: Generator> After<G> {
    pub(super) fn new(generator: G, choices: Vec<Choice>) -> After<G> {
        After { generator, choices }
    }

    /// What is left after one more choice. It is a derivative of the same generator, not one of
    /// this.
    ///
    /// ```
    /// use retrospect::generator::After;
    /// use retrospect::prelude::*;
    /// let pairs = tuple((0..10, 0..10));
    /// let done: After<_> = pairs.after(&"7".parse().unwrap()).after(&"3".parse().unwrap());
    /// assert_eq!(done.value_if_done(), Some((7, 3)));
    /// ```
    pub fn after(&self, choice: &Choice) -> After<G>
    where
        G: Clone,
    {
        let mut choices = self.choices.clone();
        choices.push(choice.clone());
        After { generator: self.generator.clone(), choices }
    }

    /// The choices that are made.
    ///
    /// ```
    /// use retrospect::choice::Choice;
    /// use retrospect::prelude::*;
    /// assert_eq!(any::<u8>().after(&Choice::Number(3)).choices(), [Choice::Number(3)]);
    /// ```
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The choices of all ways to make `value` that begin as they must, or no more than `most` of
    /// them.
    fn ways(&self, value: &G::Value, most: usize) -> Result<Vec<Choices>, NotGenerated> {
        let first = self.generator.choices_of(value)?;
        if most == 1 && begins_with(&first, &self.choices) {
            return Ok(vec![first]);
        }
        let mut reflector = Reflector::all_ways();
        match self.generator.reflect(value, &mut reflector) {
            Ok(()) => Ok(reflector.into_forest().ways_beginning(&self.choices, most)),
            Err(_) => Ok(Vec::new()),
        }
    }

    fn refused(&self) -> String {
        format!("its choices do not begin with {}", Listed(&self.choices))
    }
}

fn begins_with(choices: &Choices, beginning: &[Choice]) -> bool {
    let sequence = choices.sequence();
    sequence.len() >= beginning.len() && sequence.iter().zip(beginning).all(|(one, other)| one.is_same(other))
}

impl<G: Generator> Generator for After<G> {
    type Value = G::Value;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        source.fixed(&self.choices, |source| self.generator.generate(source))
    }

    fn reflect(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
        let most = if reflector.wants_all_ways() { MOST_WAYS } else { 1 };
        let ways = match self.ways(value, most) {
            Ok(ways) => ways,
            // Once more, where the reason is kept.
            Err(_) => return self.generator.reflect(value, reflector),
        };
        if ways.is_empty() {
            return reflector.mismatch(value, || self.refused());
        }
        reflector.ways(ways.len(), |reflector, way| {
            let generate = |source: &mut Source<'_>| self.generator.generate(source).map(|_| ());
            reflector.without_first(self.choices.len(), &ways[way], &generate)
        })
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<G::Value> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let tries = if sketch.has_holes() { COMPLETION_TRIES } else { 1 };
        let made = source.tries(tries, |source, _| {
            let mark = source.mark();
            match self.generator.complete(sketch, source) {
                Ok(value) if accepted(self, &value) != Ok(true) => {
                    source.forget(mark);
                    Continue(())
                }
                made => Break(made),
            }
        });
        if let Ok(made) = made {
            return made;
        }
        let _ = source.not_made(sketch.text(), || self.refused());
        Err(source.stop(Why::NotMade))
    }
}

impl<G: Debug> Debug for After<G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?} after {}", self.generator, Listed(&self.choices))
    }
}

struct Listed<'c>(&'c [Choice]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, choice) in self.0.iter().enumerate() {
            write!(formatter, "{}`{choice}`", if place == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// The first question of a generator.
///
/// ```
/// use retrospect::generator::Question;
/// use retrospect::prelude::*;
/// assert!(matches!((0..10).gradient().question(), Some(Question::Number { max: 9 })));
/// ```
#[derive(Clone, Debug)]
pub enum Question {
    /// A number.
    Number {
        /// The largest index.
        max: u64,
    },
    /// One of several arms.
    Pick {
        /// Where it stands, with the labels.
        site: &'static Site,
        /// The arms that are not absent, simplest first.
        arms: Vec<usize>,
    },
    /// A count of items.
    Repeat {
        /// The fewest.
        min: usize,
        /// The most; `usize::MAX` if there is no limit.
        max: usize,
    },
}

impl Question {
    /// The answer that has so many simpler ones, if there is one.
    ///
    /// ```
    /// use retrospect::generator::Question;
    /// use retrospect::prelude::*;
    /// let question = Question::Repeat { min: 2, max: 3 };
    /// assert_eq!(question.answer(1).unwrap().to_string(), "[3]");
    /// assert_eq!(question.answer(2), None);
    /// ```
    pub fn answer(&self, place: u64) -> Option<Choice> {
        match self {
            Question::Number { max } => (place <= *max).then_some(Choice::Number(place)),
            Question::Repeat { min, max } => {
                let count = min.checked_add(usize::try_from(place).ok()?)?;
                (count <= *max).then_some(Choice::Count(count))
            }
            Question::Pick { site, arms } => {
                let arm = *arms.get(usize::try_from(place).ok()?)?;
                Some(Choice::Arm { arm, label: site.label(arm).map(Box::from) })
            }
        }
    }
}

/// What a generator makes before anything is asked, or the first question.
pub(super) fn first_question<G: Generator + ?Sized>(generator: &G) -> (Drawn<G::Value>, Option<Question>) {
    let mut curious = Curious { question: None };
    let made = generator.generate(&mut Source::asking_unrecorded(&mut curious));
    (made, curious.question)
}

/// Answers nothing, and notes what it was asked.
struct Curious {
    question: Option<Question>,
}

impl Curious {
    fn asked<T>(&mut self, question: Question) -> Result<T, String> {
        self.question = Some(question);
        Err("nothing is answered".to_owned())
    }
}

impl Chooser for Curious {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        self.asked(Question::Number { max: request.max })
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        self.asked(Question::Pick { site: request.site, arms: request.possible_arms().collect() })
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        self.asked(Question::Repeat { min: request.min, max: request.max })
    }
}

/// All derivatives of a generator with their choices; see [`gradient`](super::Explore::gradient).
///
/// ```
/// use retrospect::prelude::*;
/// let values: Vec<u8> = within(5..8).gradient().filter_map(|(_, rest)| rest.value_if_done()).collect();
/// assert_eq!(values, [5, 6, 7]);
/// ```
pub struct Gradient<G> {
    generator: G,
    question: Option<Question>,
    next: Option<u64>,
}

impl<G: Generator + Clone> Gradient<G> {
    pub(super) fn new(generator: G) -> Gradient<G> {
        let (_, question) = first_question(&generator);
        Gradient { generator, question, next: Some(0) }
    }

    /// What is asked; none if there is nothing to choose.
    ///
    /// ```
    /// use retrospect::generator::Question;
    /// use retrospect::prelude::*;
    /// assert!(matches!(vec_of(0..10, 2..).gradient().question(), Some(Question::Repeat { min: 2, max: usize::MAX })));
    /// assert!(exact(5).gradient().question().is_none());
    /// ```
    pub fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }
}

impl<G: Generator + Clone> Iterator for Gradient<G> {
    type Item = (Choice, After<G>);

    fn next(&mut self) -> Option<(Choice, After<G>)> {
        self.nth(0)
    }

    fn nth(&mut self, place: usize) -> Option<(Choice, After<G>)> {
        let place = self.next?.checked_add(place as u64)?;
        let choice = self.question.as_ref()?.answer(place)?;
        self.next = place.checked_add(1);
        Some((choice.clone(), After::new(self.generator.clone(), vec![choice])))
    }
}

impl<G: Debug> Debug for Gradient<G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Gradient")
            .field("question", &self.question)
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}
