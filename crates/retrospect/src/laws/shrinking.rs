//! Whether a generator shrinks as its author thinks.

use super::{Broken, Law, Laws};
use crate::choice::Choices;
use crate::generator::Generator;
use crate::mismatch::shortened;
use crate::shrink::{End, Replayed, Shrinker, Trial, Tried, compare, spare};
use crate::source::{DEFAULT_SIZE, Rng, Source, Stop};
use crate::stack::with_deep_stack;
use std::cell::Cell;
use std::cmp::Ordering;

/// Checks that `relation` holds between a value and every value that one step of shrinking would
/// make of it: along random ways through what shrinking tries, from 300 values.
///
/// # Panics
///
/// At the first step that breaks it, with both values, the choices of both, which step it was and
/// the seed.
///
/// ```
/// use retrospect::prelude::*;
/// laws::shrinking(&(0..1000), |before, after| before >= after);
/// laws::shrinking(&within(0..1000).origin(500), |before, after| (before - 500i32).abs() >= (after - 500i32).abs());
/// ```
///
/// A remainder is no way to keep a number in a range: where the number gets smaller, the remainder
/// may get larger.
///
/// ```should_panic
/// use retrospect::prelude::*;
/// laws::shrinking(&any::<u64>().map(|number| number % 100), |before, after| before >= after);
/// ```
#[track_caller]
pub fn shrinking<G: Generator>(generator: &G, relation: impl Fn(&G::Value, &G::Value) -> bool) {
    if let Err(broken) = Laws::default().verify_shrinking(generator, relation) {
        panic!("{broken}");
    }
}

/// Checks that values for which `fails` holds shrink to one of those that are expected: 300 of
/// them, each as far as it goes.
///
/// # Panics
///
/// At the first that ends elsewhere, with what it shrank to, what was expected, and the nearest
/// simpler values, which do not fail. Also if none of 3,000 values fails: nothing would have been
/// checked.
///
/// ```
/// use retrospect::prelude::*;
/// let lists = vec_of(0..=1000, ..);
/// laws::minimum(&lists, |list| list.iter().sum::<i32>() >= 1500, [vec![500, 1000]]);
/// laws::minimum(&lists, |list| list.windows(2).any(|pair| pair[0] != pair[1]), [vec![0, 1]]);
/// ```
///
/// Where there is no such list of values, [`minimum_where`] takes a condition.
#[track_caller]
pub fn minimum<G: Generator>(
    generator: &G,
    fails: impl Fn(&G::Value) -> bool,
    expected: impl IntoIterator<Item = G::Value>,
) where
    G::Value: PartialEq,
{
    let expected: Vec<G::Value> = expected.into_iter().collect();
    let text = format!("one of {}", shortened(&expected));
    if let Err(broken) = Laws::default().minimum_as(generator, &fails, &|value| expected.contains(value), &text) {
        panic!("{broken}");
    }
}

/// Like [`minimum`], with a condition that what is left must meet.
///
/// ```
/// use retrospect::prelude::*;
/// let orders = permutation_of([1, 2, 3, 4, 5]);
/// // What is left of an unsorted order is one swap.
/// laws::minimum_where(&orders, |order| !order.is_sorted(), |order| {
///     order.windows(2).filter(|pair| pair[0] > pair[1]).count() == 1
/// });
/// ```
#[track_caller]
pub fn minimum_where<G: Generator>(
    generator: &G,
    fails: impl Fn(&G::Value) -> bool,
    is_expected: impl Fn(&G::Value) -> bool,
) {
    if let Err(broken) = Laws::default().verify_minimum(generator, fails, is_expected) {
        panic!("{broken}");
    }
}

/// How often a failing value is looked for, for each that is wanted.
const TRIES_FOR_EACH: u32 = 10;

/// How many candidates one way through shrinking meets at most.
const MOST_CANDIDATES: u64 = 1000;

impl Laws {
    /// Like [`shrinking`], with as many values and from the seed that was said; what is broken is
    /// returned.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::laws::{Law, Laws};
    /// let wrong = any::<u64>().map(|number| number % 100);
    /// let broken = Laws::default().seed(7).verify_shrinking(&wrong, |before, after| before >= after).unwrap_err();
    /// assert_eq!(broken.law(), Law::Shrinking);
    /// ```
    pub fn verify_shrinking<G: Generator>(
        self,
        generator: &G,
        relation: impl Fn(&G::Value, &G::Value) -> bool,
    ) -> Result<(), Broken> {
        with_deep_stack(|| {
            let mut rng = Rng::new(self.seed);
            for case in 0..self.cases {
                let start = self.start(generator, case, &mut rng)?;
                // Some ways are long, with many candidates that are passed over; some end soon.
                let share = 2 << (2 * (case % 4));
                let (choices, is_over) = (start.choices.clone(), Cell::new(false));
                let mut walk = Walk {
                    generator,
                    relation: &relation,
                    rng: Rng::new(start.seed),
                    share,
                    now: (start.value, start.choices),
                    made: None,
                    broken_by: None,
                    is_over: &is_over,
                };
                let shrunk =
                    Shrinker::new().runs(MOST_CANDIDATES).shrink_by(&choices, &mut walk, &mut || !is_over.get());
                if is_over.get()
                    && let (Some((after, made)), Some(step)) = (walk.broken_by, shrunk.steps.last())
                {
                    let (before, choices) = walk.now;
                    let problem = format!(
                        "shrinking makes {} of it, and the relation does not hold between the two\n  \
                         step:    {} of the pass `{}`, to the choices {}\n  seed:    {:#x}, at size {}",
                        shortened(&after),
                        shrunk.steps.len(),
                        step.pass,
                        shortened(&format_args!("{made}")),
                        start.seed,
                        start.size,
                    );
                    return Err(Broken::new(Law::Shrinking, &before, Some(&choices), problem));
                }
            }
            Ok(())
        })
    }

    /// Like [`minimum_where`], with as many values and from the seed that was said; what is broken
    /// is returned.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::laws::Laws;
    /// let few = Laws::default().cases(20);
    /// assert!(few.verify_minimum(&(0..1000), |number| *number >= 30, |number| *number == 30).is_ok());
    /// let broken = few.verify_minimum(&(0..1000), |number| *number >= 30, |number| *number == 7).unwrap_err();
    /// assert_eq!(broken.value(), "30");
    /// assert!(broken.problem().contains("simpler: 29"));
    /// ```
    pub fn verify_minimum<G: Generator>(
        self,
        generator: &G,
        fails: impl Fn(&G::Value) -> bool,
        is_expected: impl Fn(&G::Value) -> bool,
    ) -> Result<(), Broken> {
        self.minimum_as(generator, &fails, &is_expected, "what meets the condition")
    }

    fn minimum_as<G: Generator>(
        self,
        generator: &G,
        fails: &dyn Fn(&G::Value) -> bool,
        is_expected: &dyn Fn(&G::Value) -> bool,
        expected: &str,
    ) -> Result<(), Broken> {
        with_deep_stack(|| {
            let mut rng = Rng::new(self.seed);
            let mut failing = 0;
            let mut ends: Vec<Choices> = Vec::new();
            let most = self.cases.saturating_mul(TRIES_FOR_EACH);
            for case in 0..most {
                let start = self.start(generator, case, &mut rng)?;
                if !fails(&start.value) {
                    continue;
                }
                failing += 1;
                let mut trial = Fails { generator, fails, made: None, ends: &ends };
                let shrunk = Shrinker::new().shrink_by(&start.choices, &mut trial, &mut || true);
                let value = match shrunk.steps.last() {
                    Some(_) => generator.replay(&shrunk.choices),
                    None => start.value,
                };
                if !is_expected(&value) {
                    let problem = format!(
                        "it is what is left of a value that fails; expected is {expected}\n  {}\n  seed:    {:#x}, at size {}",
                        why_it_ended(generator, &shrunk.end),
                        start.seed,
                        start.size,
                    );
                    return Err(Broken::new(Law::Minimum, &value, Some(&shrunk.choices), problem));
                }
                if failing == self.cases {
                    break;
                }
                if !ends.contains(&shrunk.choices) {
                    ends.push(shrunk.choices);
                }
            }
            match failing {
                0 => {
                    let problem = format!("none of {most} values fails, so nothing was shrunk");
                    Err(Broken::new(Law::Minimum, &format_args!("none"), None, problem))
                }
                _ => Ok(()),
            }
        })
    }

    /// The value of one case.
    fn start<G: Generator>(self, generator: &G, case: u32, rng: &mut Rng) -> Result<Start<G::Value>, Broken> {
        let (seed, size) = (rng.next(), 1 + case * 7 % DEFAULT_SIZE);
        let mut source = Source::recording(seed).with_size(size);
        match generator.generate(&mut source) {
            Ok(value) => Ok(Start { value, choices: source.into_choices(), seed, size }),
            Err(Stop) => Err(Broken::not_generated(seed, &source)),
        }
    }
}

/// A value to shrink, and where it comes from.
struct Start<V> {
    value: V,
    choices: Choices,
    seed: u64,
    size: u32,
}

/// What there is to say about a value that did not get smaller.
fn why_it_ended<G: Generator>(generator: &G, end: &End) -> String {
    match end {
        End::Minimal { rejected } if rejected.is_empty() => "simpler: nothing is".to_owned(),
        End::Minimal { rejected } | End::Stalled { passes: _, rejected } if !rejected.is_empty() => {
            let mut values: Vec<String> = Vec::new();
            for choices in rejected {
                let value = generator.try_replay(choices).map(|(value, _)| shortened(&value));
                values.extend(value.ok().filter(|value| !values.contains(value)));
            }
            format!("simpler: {}, which do not fail", values.join(", "))
        }
        End::Stalled { passes, .. } => format!("ended:   too large to try everything: {}", passes.join(", ")),
        _ => "ended:   it was tried as often as is allowed".to_owned(),
    }
}

/// A trial that lets chance decide what fails, and looks at every step.
struct Walk<'w, G: Generator, R> {
    generator: &'w G,
    relation: &'w R,
    rng: Rng,
    /// One candidate in so many fails.
    share: u64,
    now: (G::Value, Choices),
    /// What the last replay made.
    made: Option<(G::Value, Choices)>,
    /// What breaks the relation to the value that is shrunk now; and whether there is such a value.
    broken_by: Option<(G::Value, Choices)>,
    is_over: &'w Cell<bool>,
}

impl<G: Generator, R: Fn(&G::Value, &G::Value) -> bool> Trial for Walk<'_, G, R> {
    fn replay(&mut self, candidate: &Choices) -> Replayed {
        self.made = self.generator.try_replay(candidate).ok();
        self.made.as_ref().map_or(Replayed::Nothing, |(_, made)| Replayed::Made(made.clone()))
    }

    fn run(&mut self, _: &Choices) -> Tried {
        // Some passes look at what is not simpler, to learn from it; that is no step.
        let Some((value, made)) = self.made.take().filter(|(_, made)| compare(made, &self.now.1) == Ordering::Less)
        else {
            return Tried::Passes;
        };
        if self.is_over.get() {
            return Tried::Passes;
        }
        let choices = made.clone();
        if !(self.relation)(&self.now.0, &value) {
            self.broken_by = Some((value, made));
            self.is_over.set(true);
        } else if self.rng.at_most(self.share - 1) == 0 {
            self.now = (value, made);
        } else {
            return Tried::Passes;
        }
        Tried::Fails(choices)
    }

    fn spare(&mut self, _: &Choices, _: u64) -> u64 {
        0
    }
}

/// A trial by a condition.
pub(super) struct Fails<'f, G: Generator> {
    pub(super) generator: &'f G,
    pub(super) fails: &'f dyn Fn(&G::Value) -> bool,
    /// What the last replay made.
    pub(super) made: Option<(G::Value, Choices)>,
    /// Where shrinking ended before: nothing simpler was found from there.
    pub(super) ends: &'f [Choices],
}

impl<G: Generator> Trial for Fails<'_, G> {
    fn replay(&mut self, candidate: &Choices) -> Replayed {
        self.made = self.generator.try_replay(candidate).ok();
        self.made.as_ref().map_or(Replayed::Nothing, |(_, made)| Replayed::Made(made.clone()))
    }

    fn run(&mut self, _: &Choices) -> Tried {
        match self.made.take() {
            Some((value, made)) if (self.fails)(&value) => Tried::Fails(made),
            _ => Tried::Passes,
        }
    }

    fn spare(&mut self, choices: &Choices, replays: u64) -> u64 {
        if self.ends.contains(choices) { 0 } else { spare(choices.len(), replays) }
    }
}
