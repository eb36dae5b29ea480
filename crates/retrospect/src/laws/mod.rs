//! What every generator must obey, as functions to call in a test.
//!
//! A generator written with the macros or the combinators obeys these laws by construction, unless
//! an inverse, a focus or a hand-written implementation is wrong. One line in a test finds out:
//!
//! ```
//! use retrospect::prelude::*;
//! laws::check(&vec_of(tuple((0..10, any::<bool>())), ..));
//! ```
//!
//! [`Laws`] says which laws are checked and how often, and returns what is broken instead of
//! panicking. [`examine`] asks another question: not whether a generator is right, but what its
//! samples cover.
//!
//! ```
//! use retrospect::laws::{Examination, Law, Laws};
//! use retrospect::prelude::*;
//! // The inverse forgets the sign.
//! let wrong = (-9..=9i32).map_with_inverse(|x| x * 2, |y| Some(y.abs() / 2));
//! assert_eq!(Laws::default().without_reading().verify(&wrong).unwrap_err().law(), Law::Projection);
//! // Six values in a hundred samples.
//! assert!(Examination::of(&(1..=6), 100, 0).duplicates() >= 94);
//! ```
//!
//! | law | says |
//! | --- | --- |
//! | [`Deterministic`](Law::Deterministic) | the same seed gives the same value, recorded or not |
//! | [`Sound`](Law::Sound) | what it generates, it reflects |
//! | [`Projection`](Law::Projection) | what it reflects, it reproduces: reflect, then replay, gives the value back, by each of the first 16 ways |
//! | [`Parse`](Law::Parse) | recorded choices parse strictly, with nothing left over, and survive their text form |
//! | [`ReadBack`](Law::ReadBack) | what `Debug` prints is read back as the same value |
//! | [`Ends`](Law::Ends) | the tree of simplest choices ends |
//! | [`Complete`](Law::Complete) | what it accepts has a [probability](crate::generator::Ways::probability) above 0, unless something in it is dormant: an arm that is not drawn, a length above the size |
//! | [`Consistent`](Law::Consistent) | `accepts`, `choices_of` and `Ways::count` agree |
//! | [`Declared`](Law::Declared) | what it [declares](crate::generator::Generator::facts) about itself is true |
//!
//! What a generator is *for*, only its author knows. Said as a predicate, it is checked: that
//! whatever is generated is valid ([`sound_for`]), that whatever is valid can be generated
//! ([`complete_for`]), or both on given values ([`exact_for`]).
//!
//! ```
//! use retrospect::prelude::*;
//! let ascending = sequence_of(0, ..=3, |least| Some(*least..=9), |_, item| *item);
//! laws::sound_for(&ascending, |list| list.is_sorted());
//! laws::complete_for(&ascending, vec_of(0..=9, ..=3).samples(0).take(500), |list| list.is_sorted());
//! ```
//!
//! How a generator shrinks is for its author to say too; [`shrinking`] and [`minimum`] check
//! whether it is so.
//!
//! ```
//! use retrospect::prelude::*;
//! // Nearer to 0, each time, or on the other side of it.
//! laws::shrinking(&(-100..=100i32), |before, after| before.abs() >= after.abs());
//! // The shortest list whose items differ.
//! laws::minimum(&vec_of(0..10, ..), |list| list.iter().any(|item| *item != list[0]), [vec![0, 1]]);
//! ```

mod examine;
mod shrinking;
mod validity;

pub use examine::{Examination, examine};
pub use shrinking::{minimum, minimum_where, shrinking};
pub use validity::{complete_for, exact_for, sound_for};

use crate::choice::{Choices, Node};
use crate::generator::room::with_room_for;
use crate::generator::{Facts, Generator, Wanted, accepted, ways_to_others};
use crate::mismatch::shortened;
use crate::reflect::{Overlap, Reflector};
use crate::sketch::is_same;
use crate::source::{Form, Replay, Rng, Source, Stop};
use crate::stack::with_deep_stack;
use std::fmt;

/// Checks every law on a few hundred values of growing size, on values made from damaged choices,
/// and on the simplest one.
///
/// # Panics
///
/// At the first law that is broken, with the value, its choices and what went wrong.
///
/// ```
/// use retrospect::prelude::*;
/// laws::check(&any::<Vec<(u8, String)>>());
/// ```
///
/// ```should_panic
/// use retrospect::prelude::*;
/// // The inverse forgets the sign.
/// laws::check(&(-9..=9i32).map_with_inverse(|x| x * 2, |y| Some(y.abs() / 2)));
/// ```
#[track_caller]
pub fn check<G: Generator>(generator: &G) {
    Laws::default().check(generator);
}

/// The size of the largest values that are looked at. Laws that hold on small values hold on large
/// ones, and every value is looked at many times.
const LARGEST_SIZE: u32 = 30;

/// How likely a value is takes longer to find out than all the rest, so that only some are asked.
const CASES_OF_ONE_WEIGHED: u32 = 15;
const MAX_WEIGHED_CHOICES: usize = 50;
const MAX_WEIGHED_CALLS: u64 = 10_000;

/// Which of the declared facts recorded choices contradict.
fn false_fact<G: Generator + ?Sized>(generator: &G, choices: &Choices) -> Option<String> {
    let facts = generator.facts(Wanted::All);
    let short = generator.facts(Wanted::Shape);
    if facts != generator.facts(Wanted::All) || (Facts { form: short.form, identity: short.identity, ..facts }) != short
    {
        return Some("it declares something else each time it is asked".to_owned());
    }
    let n_nodes = choices.nodes().len();
    if facts.is_one_node && n_nodes != 1 {
        return Some(format!("its choices are {n_nodes} nodes, but it declares that they are one"));
    }
    match facts.form {
        Form::Number { max } if !is_number_up_to(choices, max) => {
            Some(format!("it declares that it asks for one number from 0 to {max}, but does not"))
        }
        _ => None,
    }
}

fn is_number_up_to(choices: &Choices, max: u64) -> bool {
    match choices.nodes().collect::<Vec<_>>()[..] {
        // A large bound is not kept.
        [Node::Number { index, bound }] => index <= max && (bound == max || bound == u64::MAX),
        _ => false,
    }
}

/// Which laws to check, and how often.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::laws::Laws;
/// // `map` has no inverse; what remains is checked.
/// Laws::default().forward_only().cases(50).check(&within(0..10).map(|x| x * x));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Laws {
    cases: u32,
    seed: u64,
    reflects: bool,
    reads: bool,
    tells_alike_apart: bool,
}

impl Default for Laws {
    /// 300 values, all laws.
    fn default() -> Laws {
        Laws { cases: 300, seed: 0, reflects: true, reads: true, tells_alike_apart: false }
    }
}

impl Laws {
    /// How many values to look at. Defaults to 300.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::laws::Laws;
    /// use std::cell::Cell;
    /// let calls = Cell::new(0);
    /// let count = |cases| {
    ///     calls.set(0);
    ///     Laws::default().forward_only().cases(cases).check(&any::<u8>().map(|number| {
    ///         calls.set(calls.get() + 1);
    ///         number
    ///     }));
    ///     calls.get()
    /// };
    /// assert!(count(10) < count(20));
    /// ```
    pub fn cases(self, cases: u32) -> Laws {
        Laws { cases, ..self }
    }

    /// Where the random values begin. Defaults to 0.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::laws::Laws;
    /// // The inverse is wrong almost everywhere; another seed finds another value.
    /// let wrong = any::<u64>().map_with_inverse(|x| x, |_| Some(0));
    /// let found = |seed| Laws::default().without_reading().seed(seed).verify(&wrong).unwrap_err();
    /// assert_eq!(found(1), found(1));
    /// assert_ne!(found(1).value(), found(2).value());
    /// ```
    pub fn seed(self, seed: u64) -> Laws {
        Laws { seed, ..self }
    }

    /// Leaves out the laws about going backward, for a generator that has no inverse.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::laws::Laws;
    /// let squares = within(0..10).map(|x| x * x);
    /// assert!(Laws::default().verify(&squares).is_err());
    /// assert!(Laws::default().forward_only().verify(&squares).is_ok());
    /// ```
    pub fn forward_only(self) -> Laws {
        Laws { reflects: false, reads: false, ..self }
    }

    /// Leaves out [`Law::ReadBack`], for a type whose `Debug` is not derived.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::laws::Laws;
    /// // Through an inverse no text is read.
    /// let evens = (0..50).map_with_inverse(|half| half * 2, |even| (even % 2 == 0).then_some(even / 2));
    /// assert!(Laws::default().verify(&evens).is_err());
    /// assert!(Laws::default().without_reading().verify(&evens).is_ok());
    /// ```
    pub fn without_reading(self) -> Laws {
        Laws { reads: false, ..self }
    }

    /// Makes [`Law::ReadBack`] refuse a value that is read back as another one that prints the
    /// same, of other choices. It is not the default, since floats have many values that print
    /// `NaN`.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::laws::Laws;
    /// assert!(Laws::default().telling_alike_apart().verify(&any::<(u8, String)>()).is_ok());
    /// ```
    pub fn telling_alike_apart(self) -> Laws {
        Laws { tells_alike_apart: true, ..self }
    }

    /// Checks the laws.
    ///
    /// # Panics
    ///
    /// At the first law that is broken.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::laws::Laws;
    /// Laws::default().seed(7).check(&vec_of(any::<u8>(), ..));
    /// ```
    ///
    /// ```should_panic
    /// # use retrospect::prelude::*;
    /// # use retrospect::laws::Laws;
    /// Laws::default().check(&within(0..10).map(|x| x * x));
    /// ```
    #[track_caller]
    pub fn check<G: Generator>(self, generator: &G) {
        if let Err(broken) = self.verify(generator) {
            panic!("{broken}");
        }
    }

    /// Checks the laws and says which one is broken, if one is.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::laws::{Law, Laws};
    /// let broken = Laws::default().verify(&within(0..10).map(|x| x * x)).unwrap_err();
    /// assert_eq!(broken.law(), Law::Sound);
    /// ```
    pub fn verify<G: Generator>(self, generator: &G) -> Result<(), Broken> {
        // Values are compared, printed and dropped here, and may be deep if the generator says so.
        with_deep_stack(|| self.verify_here(generator))
    }

    fn verify_here<G: Generator>(self, generator: &G) -> Result<(), Broken> {
        self.verify_simplest(generator)?;
        let mut rng = Rng::new(self.seed);
        for case in 0..self.cases {
            let seed = rng.next();
            // Small values first: a broken law is easier to read on one.
            let size = (case * LARGEST_SIZE).div_ceil(self.cases.max(1));
            let is_weighed = self.reflects && case % CASES_OF_ONE_WEIGHED == 0;
            let choices = self.verify_seed(generator, seed, size)?;
            if is_weighed {
                self.verify_weighed(generator, &choices, size)?;
            }
            if self.reflects && !choices.is_empty() {
                let damaged = self.verify_damaged(generator, &choices, &mut rng)?;
                if let (true, Some(damaged)) = (is_weighed, damaged) {
                    self.verify_weighed(generator, &damaged, size)?;
                }
            }
        }
        Ok(())
    }

    /// Checks the laws about going backward on a value from anywhere. A value the generator cannot
    /// make obeys them all.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::laws::Laws;
    /// let evens = (0..=50).map_with_inverse(|half| half * 2, |even| (even % 2 == 0).then_some(even / 2));
    /// for number in 0..200 {
    ///     Laws::default().without_reading().verify_value(&evens, &number).unwrap();
    /// }
    /// ```
    pub fn verify_value<G: Generator>(self, generator: &G, value: &G::Value) -> Result<(), Broken> {
        let is_accepted = accepted(generator, value);
        let choices = match generator.choices_of(value) {
            Ok(choices) => choices,
            Err(error) if is_accepted == Ok(true) => {
                return Err(Broken::new(
                    Law::Consistent,
                    value,
                    None,
                    format!("`accepts` says yes, `choices_of` says: {error}"),
                ));
            }
            Err(_) => return Ok(()),
        };
        with_room_for(&choices, || self.verify_choices(generator, value, &choices, is_accepted != Ok(false)))
    }

    fn verify_choices<G: Generator>(
        self,
        generator: &G,
        value: &G::Value,
        choices: &Choices,
        is_accepted: bool,
    ) -> Result<(), Broken> {
        let broken = |law, problem| Err(Broken::new(law, value, Some(choices), problem));
        if !is_accepted {
            return broken(Law::Consistent, "`choices_of` finds choices, `accepts` says no".to_owned());
        }
        match generator.try_replay(choices) {
            Err(why) => return broken(Law::Projection, format!("its choices cannot be replayed: {why}")),
            Ok((again, _)) if !is_same(value, &again) => {
                return broken(Law::Projection, format!("its choices make another value: {}", shortened(&again)));
            }
            Ok((_, made)) if made != *choices => {
                return broken(Law::Projection, format!("replaying its choices makes other choices: {made}"));
            }
            Ok(_) => {}
        }
        match generator.replay_exact(choices) {
            Err(why) => return broken(Law::Parse, format!("its choices do not parse: {why}")),
            Ok((again, _)) if !is_same(value, &again) => {
                return broken(Law::Parse, format!("its choices parse as another value: {}", shortened(&again)));
            }
            Ok((_, 0)) => {}
            Ok((_, left)) => return broken(Law::Parse, format!("{left} nodes are left over")),
        }
        let mut reflector = Reflector::all_ways();
        let reflected = generator.reflect(value, &mut reflector);
        let forest = reflector.into_forest_of(reflected);
        match forest.overlap() {
            Overlap::Finite(ways) if ways.is_zero() => {
                broken(Law::Consistent, "looking for all ways finds none".to_owned())
            }
            Overlap::Finite(_) if forest.first_way().as_ref() != Some(choices) => {
                broken(Law::Consistent, "the first of all ways is not the first way".to_owned())
            }
            Overlap::Finite(ways) if ways.to_string() != "1" && generator.facts(Wanted::Shape).has_one_way => {
                broken(Law::Declared, format!("it has {ways} ways, but the generator declares that each value has one"))
            }
            _ => match ways_to_others(generator, value, forest).next() {
                Some(way) => Err(Broken::new(Law::Projection, value, Some(&way.choices), way.to_string())),
                None => Ok(()),
            },
        }
    }

    fn verify_simplest<G: Generator>(self, generator: &G) -> Result<(), Broken> {
        let simplest = Choices::default();
        let mut replay = Replay::lenient(&simplest);
        let mut source = Source::asking(&mut replay);
        let made = generator.generate(&mut source);
        if let Some(site) = source.ended_at() {
            let (name, place) = (site.name(), site.place());
            let problem = format!(
                "the first arm of `{name}` ({place}) leads back to itself, so the simplest value never ends: put an arm \
                 that ends first"
            );
            return Err(Broken::new(Law::Ends, &format_args!("the simplest value"), Some(&simplest), problem));
        }
        match made {
            Ok(value) if self.reflects => {
                if let Err(error) = generator.choices_of(&value) {
                    let problem = format!("it is the simplest value, but cannot be reflected: {error}");
                    return Err(Broken::new(Law::Sound, &value, None, problem));
                }
                self.verify_value(generator, &value)
            }
            Ok(_) => Ok(()),
            Err(Stop) => {
                let why = source.why().map(ToString::to_string).unwrap_or_default();
                Err(Broken::new(Law::Ends, &format_args!("the simplest value"), Some(&simplest), why))
            }
        }
    }

    fn verify_seed<G: Generator>(self, generator: &G, seed: u64, size: u32) -> Result<Choices, Broken> {
        let mut plain = Source::random(seed).with_size(size);
        let value = generator.generate(&mut plain).map_err(|Stop| Broken::not_generated(seed, &plain))?;
        let mut recording = Source::recording(seed).with_size(size);
        let recorded = generator.generate(&mut recording).map_err(|Stop| Broken::not_generated(seed, &recording))?;
        let choices = recording.into_choices();
        let broken = |law, problem| Err(Broken::new(law, &value, Some(&choices), problem));
        if !is_same(&value, &recorded) {
            let problem = format!("with the same seed, recording, it makes another one: {}", shortened(&recorded));
            return broken(Law::Deterministic, problem);
        }
        match choices.to_string().parse::<Choices>() {
            Ok(read) if read == choices => {}
            Ok(read) => return broken(Law::Parse, format!("the text form of its choices is read back as {read}")),
            Err(error) => return broken(Law::Parse, format!("the text form of its choices is not read back: {error}")),
        }
        if let Some(problem) = false_fact(generator, &choices) {
            return broken(Law::Declared, problem);
        }
        // Size 0 is a limit of its own: options are absent.
        if size > 0 && !generator.facts(Wanted::Shape).extent.grows {
            let mut larger = Source::random(seed).with_size(2 * size + 1);
            let again = generator.generate(&mut larger).map_err(|Stop| Broken::not_generated(seed, &larger))?;
            if !is_same(&value, &again) {
                let problem = format!("at a larger size it makes {}, but it declares no growth", shortened(&again));
                return broken(Law::Declared, problem);
            }
        }
        match generator.replay_exact(&choices) {
            Ok((again, 0)) if is_same(&value, &again) => {}
            Ok((again, left)) => {
                let problem =
                    format!("its recorded choices parse as {} with {left} nodes left over", shortened(&again));
                return broken(Law::Parse, problem);
            }
            Err(why) => return broken(Law::Parse, format!("its recorded choices do not parse: {why}")),
        }
        if self.reflects {
            if let Err(error) = generator.choices_of(&value) {
                return broken(Law::Sound, error.to_string());
            }
            self.verify_value(generator, &value)?;
        }
        self.verify_texts(generator, &value, &choices)?;
        Ok(choices)
    }

    fn verify_texts<G: Generator>(self, generator: &G, value: &G::Value, choices: &Choices) -> Result<(), Broken> {
        if !self.reads {
            return Ok(());
        }
        self.verify_text(generator, value, &format!("{value:?}"), choices)?;
        // Each line is indented by all that it is in: of a deep value that takes for ever.
        match choices.is_deep() {
            true => Ok(()),
            false => self.verify_text(generator, value, &format!("{value:#?}"), choices),
        }
    }

    fn verify_text<G: Generator>(
        self,
        generator: &G,
        value: &G::Value,
        text: &str,
        choices: &Choices,
    ) -> Result<(), Broken> {
        let problem = match generator.read(text) {
            // Values that print the same are told apart by their choices: not every value has `==`.
            Ok(read) if is_same(value, &read) && !self.tells_alike_apart => return Ok(()),
            Ok(read) if is_same(value, &read) => match (generator.choices_of(value), generator.choices_of(&read)) {
                (Ok(own), Ok(others)) if own != others => {
                    let others = shortened(&format_args!("{others}"));
                    format!("its text is read back as another value that prints the same, of the choices {others}")
                }
                _ => return Ok(()),
            },
            Ok(read) => format!("its text is read back as another value: {}", shortened(&read)),
            Err(error) => format!("its text is not read back: {error}"),
        };
        Err(Broken::new(Law::ReadBack, value, Some(choices), problem))
    }

    /// Changes one number or arm somewhere, or cuts the tree off, and looks at the value that this
    /// makes. Returns its choices; a filter may refuse what damaged choices make.
    fn verify_damaged<G: Generator>(
        self,
        generator: &G,
        choices: &Choices,
        rng: &mut Rng,
    ) -> Result<Option<Choices>, Broken> {
        let damaged = choices.damaged(rng.next());
        let Ok((value, made)) = generator.try_replay(&damaged) else { return Ok(None) };
        if let Err(error) = generator.choices_of(&value) {
            return Err(Broken::new(Law::Sound, &value, Some(&made), error.to_string()));
        }
        // A value that is only recalled, and never drawn, need not be read: of all that are
        // not a number, one is.
        self.verify_value(generator, &value)?;
        Ok(Some(made))
    }

    /// Looks at how likely a value is that is accepted.
    fn verify_weighed<G: Generator>(self, generator: &G, choices: &Choices, size: u32) -> Result<(), Broken> {
        if choices.choice_count() > MAX_WEIGHED_CHOICES {
            return Ok(());
        }
        let Ok((value, _)) = generator.try_replay(choices) else { return Ok(()) };
        let mut reflector = Reflector::weighing(size).with_most_calls(MAX_WEIGHED_CALLS);
        let reflected = generator.reflect(&value, &mut reflector);
        let forest = reflector.into_forest_of(reflected);
        let is_never_drawn = forest.probability().is_ok_and(|probability| probability.is_zero());
        if is_never_drawn && !forest.has_dormant() {
            let problem = "it is accepted, but its probability is 0, although nothing in it is dormant";
            return Err(Broken::new(Law::Complete, &value, Some(choices), problem.to_owned()));
        }
        Ok(())
    }
}

/// A law of generators; see the [module](self).
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::laws::{Law, Laws};
/// // Through an inverse no text is read.
/// let doubled = (0..50).map_with_inverse(|half| half * 2, |number| (number % 2 == 0).then_some(number / 2));
/// assert_eq!(Laws::default().verify(&doubled).unwrap_err().law(), Law::ReadBack);
/// assert_eq!(Law::ReadBack.to_string(), "what `Debug` prints is read back");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Law {
    /// The same seed gives the same value, recorded or not.
    Deterministic,
    /// What it generates, it reflects.
    Sound,
    /// What it reflects, it reproduces.
    Projection,
    /// Recorded choices parse strictly and survive their text form.
    Parse,
    /// What `Debug` prints is read back.
    ReadBack,
    /// The tree of simplest choices ends.
    Ends,
    /// What it accepts, it may draw.
    Complete,
    /// The backward interpretations agree.
    Consistent,
    /// What it declares about itself is true.
    Declared,
    /// What it generates is valid; see [`sound_for`].
    SoundFor,
    /// What is valid, it accepts; see [`complete_for`].
    CompleteFor,
    /// Each step of shrinking keeps to the relation that was said; see [`shrinking`].
    Shrinking,
    /// What fails shrinks to what was said; see [`minimum`].
    Minimum,
}

impl fmt::Display for Law {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Law::Deterministic => "the same seed gives the same value",
            Law::Sound => "what it generates, it reflects",
            Law::Projection => "what it reflects, it reproduces",
            Law::Parse => "recorded choices parse",
            Law::ReadBack => "what `Debug` prints is read back",
            Law::Ends => "the simplest value ends",
            Law::Complete => "what it accepts, it may draw",
            Law::Consistent => "`accepts`, `choices_of` and `Ways::count` agree",
            Law::Declared => "what it declares about itself is true",
            Law::SoundFor => "what it generates is valid",
            Law::CompleteFor => "what is valid, it accepts",
            Law::Shrinking => "each step of shrinking leads where it should",
            Law::Minimum => "what fails shrinks to what is expected",
        })
    }
}

/// A law that a generator breaks, and the value on which it does.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::laws::Laws;
/// let doubled = (0..2).map_with_inverse(|x| x * 2, |_| Some(0));
/// assert_eq!(
///     Laws::default().without_reading().verify(&doubled).unwrap_err().to_string(),
///     "a law of generators is broken: what it reflects, it reproduces\n  \
///      value:   2\n  choices: 0\n  problem: its choices make another value: 0"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    law: Law,
    value: String,
    choices: Option<String>,
    problem: String,
}

impl Broken {
    fn new(law: Law, value: &dyn fmt::Debug, choices: Option<&Choices>, problem: String) -> Broken {
        let short = |choices: &Choices| shortened(&format_args!("{choices}"));
        Broken { law, value: shortened(value), choices: choices.map(short), problem }
    }

    fn not_generated(seed: u64, source: &Source<'_>) -> Broken {
        let why = source.why().map(ToString::to_string).unwrap_or_default();
        let value = format_args!("the value of seed {seed:#x}");
        Broken::new(Law::Deterministic, &value, None, format!("it cannot be generated: {why}"))
    }

    /// Which law.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::laws::{Law, Laws};
    /// let wrong = (0..2).map_with_inverse(|x| x, |_| Some(0));
    /// assert_eq!(Laws::default().without_reading().verify(&wrong).unwrap_err().law(), Law::Projection);
    /// ```
    pub fn law(&self) -> Law {
        self.law
    }

    /// The value it is broken on, as `Debug` prints it.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::laws::Laws;
    /// let wrong = (0..2).map_with_inverse(|x| x, |_| Some(0));
    /// assert_eq!(Laws::default().without_reading().verify(&wrong).unwrap_err().value(), "1");
    /// ```
    pub fn value(&self) -> &str {
        &self.value
    }

    /// What went wrong.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::laws::Laws;
    /// let wrong = (0..2).map_with_inverse(|x| x, |_| Some(0));
    /// let broken = Laws::default().without_reading().verify(&wrong).unwrap_err();
    /// assert_eq!(broken.problem(), "its choices make another value: 0");
    /// ```
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Broken { law, value, choices, problem, .. } = self;
        write!(formatter, "a law of generators is broken: {law}\n  value:   {value}")?;
        if let Some(choices) = choices {
            write!(formatter, "\n  choices: {choices}")?;
        }
        write!(formatter, "\n  problem: {problem}")?;
        match law {
            Law::ReadBack => formatter.write_str(WITHOUT_READING),
            _ => Ok(()),
        }
    }
}

const WITHOUT_READING: &str = "\n  help:    values are read as a derived `Debug` prints them; \
    for a type whose `Debug` is written by hand: `Laws::default().without_reading().check(&…)`, \
    or a generator that reads by `FromStr`: `.with_reader(reader(str::parse))`";

impl std::error::Error for Broken {}
