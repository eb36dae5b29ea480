//! All values by size, how many there are, and one of a size.

use super::{Facts, Generator, Wanted, form_of};
use crate::choice::Choices;
use crate::natural::Natural;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{
    BySize, Drawn, Extent, Form, Grammar, KnownAnswers, Run, Source, Stop, Total, Trouble, WHOLE, Why,
};
use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex, PoisonError};

/// All values of a generator, by size; made by [`enumerate`](super::Explore::enumerate).
///
/// ```
/// use retrospect::prelude::*;
/// let mut pairs = tuple((0..2, any::<bool>())).enumerate();
/// assert_eq!(pairs.next(), Some((0, false)));
/// assert_eq!(pairs.size(), 0);
/// assert_eq!(pairs.by_ref().count(), 3);
/// assert_eq!(pairs.next(), None);
/// ```
pub struct Enumerate<G> {
    generator: G,
    walk: BySize,
    is_distinct: bool,
}

impl<G: Generator> Enumerate<G> {
    pub(super) fn new(generator: G) -> Enumerate<G> {
        Enumerate { generator, walk: BySize::new(), is_distinct: false }
    }

    /// The next value, or why there is no telling which it is.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert_eq!(within(0..9).filter(|_| false).enumerate().try_next().unwrap(), None);
    ///
    /// #[generator]
    /// fn chain() -> Vec<u8> {
    ///     match pick() {
    ///         "more" => {
    ///             let rest = draw(chain());
    ///             rest
    ///         }
    ///         "end" => vec![],
    ///     }
    /// }
    /// let reason = chain().enumerate().try_next().unwrap_err().to_string();
    /// assert!(reason.contains("the simplest value never ends"));
    /// ```
    ///
    /// After an error there are no further values.
    pub fn try_next(&mut self) -> Result<Option<G::Value>, Why> {
        self.made(None)
    }

    /// The next value, or the one that has so many before it.
    fn made(&mut self, place: Option<&Natural>) -> Result<Option<G::Value>, Why> {
        loop {
            let generator = &self.generator;
            let run: Run<'_> = &|source| run(generator, source);
            let found = match place {
                None => self.walk.next(run),
                Some(place) => self.walk.nth(run, place.clone()),
            };
            let answers = match found {
                Ok(Some(answers)) => answers,
                Ok(None) => return Ok(None),
                Err(trouble) => return Err(trouble.into_why()),
            };
            let mut known = KnownAnswers::new(answers);
            if !self.is_distinct {
                let mut source = Source::knowing(&mut known, false);
                return match generator.generate(&mut source) {
                    Ok(value) => Ok(Some(value)),
                    Err(Stop) => Err(source.reason()),
                };
            }
            let mut source = Source::knowing(&mut known, true);
            let Ok(value) = generator.generate(&mut source) else { return Err(source.reason()) };
            // Of all the ways to make it, one is the first.
            if generator.choices_of(&value).is_ok_and(|first| first == *source.choices()) {
                return Ok(Some(value));
            }
        }
    }

    /// The value that has so many before it, counted from here, or why there is no telling;
    /// [`nth`](Iterator::nth) for places of any size.
    ///
    /// What lies between is counted instead of made, where that is possible.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Natural;
    /// // Of all shorter lists of digits there are 1 + 10 + 100 + …, so this is the first of 30.
    /// let mut place = Natural::default();
    /// for _ in 0..30 {
    ///     place = &place * &10.into() + 1.into();
    /// }
    /// let digits = vec_of(0..10, ..);
    /// assert_eq!(digits.enumerate().try_nth(&place).unwrap(), Some(vec![0; 30]));
    /// assert_eq!(any::<bool>().enumerate().try_nth(&place).unwrap(), None);
    /// let mut rare = any::<u64>().filter(|number| *number > 1 << 40).enumerate().ask_at_most(1_000);
    /// assert!(rare.try_nth(&1_000_000.into()).unwrap_err().to_string().contains("1000 questions were not enough"));
    /// ```
    pub fn try_nth(&mut self, place: &Natural) -> Result<Option<G::Value>, Why> {
        if !self.is_distinct {
            return self.made(Some(place));
        }
        // How many of them are left out cannot be counted.
        for _ in 0..place.to_u64().unwrap_or(u64::MAX) {
            if self.try_next()?.is_none() {
                return Ok(None);
            }
        }
        self.try_next()
    }

    /// Each value once, in the place of the way that is found when one looks at it
    /// ([`choices_of`](Generator::choices_of)).
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let overlapping = one_of((0..=5, 3..=9));
    /// assert_eq!(overlapping.enumerate().count(), 13);
    /// assert_eq!(overlapping.enumerate().distinct().count(), 10);
    /// ```
    ///
    /// Nothing is kept for that: each value is looked at instead. So the generator must have a way
    /// back; one that has none gives no value.
    pub fn distinct(mut self) -> Enumerate<G> {
        self.is_distinct = true;
        self
    }

    /// Gives up when the generator has been asked so many questions in search of the next value; 10
    /// million unless this is said, and 50 million to count those before a
    /// [place](Enumerate::try_nth).
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let mut numbers = any::<u64>().filter(|number| *number > 1_000_000_000).enumerate().ask_at_most(1_000);
    /// let reason = numbers.try_next().unwrap_err().to_string();
    /// assert!(reason.starts_with("1000 questions were not enough to find the next value: a filter refuses nearly everything"));
    /// ```
    pub fn ask_at_most(mut self, questions: u64) -> Enumerate<G> {
        self.walk.ask_at_most(questions);
        self
    }

    /// The size of the value that came last; see [`enumerate`](super::Explore::enumerate).
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let mut lists = vec_of(any::<bool>(), ..).enumerate();
    /// assert_eq!(lists.nth(4), Some(vec![false, true]));
    /// assert_eq!(lists.size(), 3);
    /// ```
    pub fn size(&self) -> u32 {
        self.walk.size()
    }
}

impl<G: Generator> Iterator for Enumerate<G> {
    type Item = G::Value;

    #[track_caller]
    fn next(&mut self) -> Option<G::Value> {
        match self.try_next() {
            Ok(value) => value,
            Err(why) => panic!("cannot enumerate the values: {why}"),
        }
    }

    /// Counts what lies between instead of making it, where that is possible: the value at place
    /// 10^15 is found at once.
    #[track_caller]
    fn nth(&mut self, place: usize) -> Option<G::Value> {
        match self.try_nth(&Natural::from(place as u64)) {
            Ok(value) => value,
            Err(why) => panic!("cannot enumerate the values: {why}"),
        }
    }
}

impl<G> Debug for Enumerate<G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Enumerate").field("size", &self.walk.size()).finish_non_exhaustive()
    }
}

/// The choices behind all values of a generator, by size; made by
/// [`language`](super::Explore::language).
///
/// ```
/// use retrospect::prelude::*;
/// let texts: Vec<String> = option_of(0..2).language().map(|choices| choices.to_string()).collect();
/// assert_eq!(texts, ["0:None", "1:Some(0)", "1:Some(1)"]);
/// ```
pub struct Language<G> {
    generator: G,
    walk: BySize,
}

impl<G: Generator> Language<G> {
    pub(super) fn new(generator: G) -> Language<G> {
        Language { generator, walk: BySize::new() }
    }
}

impl<G: Generator> Iterator for Language<G> {
    type Item = Choices;

    #[track_caller]
    fn next(&mut self) -> Option<Choices> {
        let generator = &self.generator;
        let why = match self.walk.next(&|source| run(generator, source)) {
            Ok(None) => return None,
            Ok(Some(answers)) => {
                let mut known = KnownAnswers::new(answers);
                let mut source = Source::knowing(&mut known, true);
                if generator.generate(&mut source).is_ok() {
                    return Some(source.into_choices());
                }
                source.reason()
            }
            Err(trouble) => trouble.into_why(),
        };
        panic!("cannot enumerate the choices: {why}");
    }
}

impl<G> Debug for Language<G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Language").finish_non_exhaustive()
    }
}

/// How many ways a generator has to make a value; see [`cardinality`](super::Explore::cardinality).
///
/// ```
/// use retrospect::generator::Cardinality;
/// use retrospect::prelude::*;
/// assert_eq!(any::<u8>().cardinality(), Cardinality::Exactly(256.into()));
/// assert_eq!(any::<u8>().cardinality().at_most(1000), Some(256));
/// assert_eq!(any::<String>().cardinality().to_string(), "infinitely many");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cardinality {
    /// So many.
    Exactly(Natural),
    /// So many and perhaps more: counting was given up.
    AtLeast(Natural),
    /// There is no end.
    Infinite,
}

impl Cardinality {
    /// The number, if it is known and not above `limit`.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert_eq!(any::<bool>().cardinality().at_most(10), Some(2));
    /// assert_eq!(any::<u64>().cardinality().at_most(10), None);
    /// ```
    pub fn at_most(&self, limit: u64) -> Option<u64> {
        match self {
            Cardinality::Exactly(count) => count.to_u64().filter(|count| *count <= limit),
            Cardinality::AtLeast(_) | Cardinality::Infinite => None,
        }
    }
}

impl fmt::Display for Cardinality {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cardinality::Exactly(count) => fmt::Display::fmt(count, formatter),
            Cardinality::AtLeast(count) => write!(formatter, "at least {count}"),
            Cardinality::Infinite => formatter.write_str("infinitely many"),
        }
    }
}

#[track_caller]
pub(super) fn cardinality<G: Generator + ?Sized>(generator: &G) -> Cardinality {
    match Grammar::for_counting().total(&|source| run(generator, source), WHOLE) {
        Ok(Total::Exactly(count)) => Cardinality::Exactly(count),
        Ok(Total::AtLeast(count)) => Cardinality::AtLeast(count),
        Ok(Total::Infinite) => Cardinality::Infinite,
        Err(trouble) => panic!("cannot count the values: {}", trouble.into_why()),
    }
}

/// Runs a generator for its questions.
fn run<G: Generator + ?Sized>(generator: &G, source: &mut Source<'_>) -> Drawn<()> {
    match form_of(generator) {
        // Known as a whole.
        form @ Form::Number { .. } => source.freely(|| form, |source| generator.generate(source)),
        _ => generator.generate(source),
    }
    .map(|_| ())
}

/// Values of one size, each as likely; made by
/// [`uniform_by_size`](super::Explore::uniform_by_size).
///
/// ```
/// use retrospect::generator::{UniformBySize, VecOf};
/// use retrospect::prelude::*;
/// fn short() -> UniformBySize<VecOf<std::ops::Range<u8>>> {
///     vec_of(0..10, ..).uniform_by_size(2)
/// }
/// assert_eq!(short().sample(1).len(), 2);
/// assert!(short().accepts(&vec![1, 2, 3, 4])); // The size steers what is drawn, not what can be made.
/// ```
pub struct UniformBySize<G> {
    generator: G,
    size: u32,
    grammar: Arc<Mutex<Grammar>>,
}

impl<G: Generator> UniformBySize<G> {
    pub(super) fn new(generator: G, size: u32) -> UniformBySize<G> {
        UniformBySize { generator, size, grammar: Arc::new(Mutex::new(Grammar::new())) }
    }

    /// How many there are of this size.
    ///
    /// # Panics
    ///
    /// If it takes too long to find out, or the simplest value has no end.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert_eq!(vec_of(0..10, ..).uniform_by_size(30).count().to_string(), "1000000000000000000000000000000");
    /// ```
    #[track_caller]
    pub fn count(&self) -> Natural {
        match self.with_grammar(|grammar, run, size| counted(grammar, run, size)) {
            Ok(count) => count,
            Err(trouble) => panic!("cannot count the values of size {}: {}", self.size, trouble.into_why()),
        }
    }

    fn with_grammar<T>(&self, work: impl FnOnce(&mut Grammar, Run<'_>, u32) -> T) -> T {
        // What was learned before a panic is still true.
        let mut grammar = self.grammar.lock().unwrap_or_else(PoisonError::into_inner);
        grammar.allow_questions();
        let run = |source: &mut Source<'_>| run(&self.generator, source);
        match self.size < 100 {
            true => work(&mut grammar, &run, self.size),
            false => crate::stack::with_deep_stack(|| work(&mut grammar, &run, self.size)),
        }
    }

    /// The answers for a random value.
    fn drawn(&self, source: &mut Source<'_>) -> Result<Option<Vec<u64>>, Trouble> {
        self.with_grammar(|grammar, run, size| {
            let count = counted(grammar, run, size)?;
            if count.is_zero() {
                return Ok(None);
            }
            let before = count.random_below(|| source.dice());
            let way = grammar.way_at(run, WHOLE, size, before)?;
            let mut answers = Vec::new();
            grammar.answers(&way, &mut answers);
            Ok(Some(answers))
        })
    }
}

/// From small to large, so that nothing is counted deep inside something else.
fn counted(grammar: &mut Grammar, run: Run<'_>, size: u32) -> Result<Natural, Trouble> {
    for smaller in 0..size {
        grammar.count(run, WHOLE, smaller)?;
    }
    grammar.count(run, WHOLE, size)
}

impl<G: Generator> Generator for UniformBySize<G> {
    type Value = G::Value;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        if source.is_asked() {
            return self.generator.generate(source);
        }
        match self.drawn(source) {
            Ok(Some(answers)) => {
                source.answered_by(&mut KnownAnswers::new(&answers), |source| self.generator.generate(source))
            }
            Ok(None) => Err(source.stop(Why::Invalid(format!("there is no value of size {}", self.size)))),
            Err(trouble) => Err(source.stop(trouble.into_why())),
        }
    }

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { extent: Extent::UNKNOWN, has_one_way: false, identity: None, ..self.generator.facts(wanted) }
    }

    fn reflect(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
        self.generator.reflect(value, reflector)
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<G::Value> {
        match sketch.is_hole() {
            true => self.generate(source),
            false => self.generator.complete(sketch, source),
        }
    }
}

impl<G: Clone> Clone for UniformBySize<G> {
    fn clone(&self) -> UniformBySize<G> {
        UniformBySize { generator: self.generator.clone(), size: self.size, grammar: Arc::clone(&self.grammar) }
    }
}

impl<G: Debug> Debug for UniformBySize<G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}.uniform_by_size({})", self.generator, self.size)
    }
}
