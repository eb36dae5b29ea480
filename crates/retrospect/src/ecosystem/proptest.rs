//! `proptest`: its strategies as generators.

use crate::choice::{MOST_STEPS, NO_SHRINK, STEPS, Site};
use crate::generator::Generator;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Distribution, Drawn, Rng, Source, Why};
use ::proptest::strategy::{Strategy, ValueTree};
use ::proptest::test_runner::{Config, Reason, RngAlgorithm, TestRng, TestRunner};
use std::panic::Location;

static PROPTEST: Site = Site::call("from_strategy", file!(), line!());

/// What a strategy of proptest makes, with the shrinking that it has there.
///
/// ```
/// use proptest::prelude::{Strategy, any as any_of};
/// use retrospect::prelude::*;
/// let evens = from_strategy((0..1000u32).prop_map(|half| half * 2));
/// assert_eq!(evens.sample(1) % 2, 0);
/// laws::minimum(&evens, |even| *even > 101, [102]);
/// let words = from_strategy("[a-z]{3,5}");
/// assert!((3..=5).contains(&words.sample(1).len()));
/// let points = vec_of(from_strategy((any_of::<u8>(), any_of::<u8>())), ..=3);
/// assert!(points.sample(1).len() <= 3);
/// ```
///
/// **Forward only.** Nothing says how a value was made, so it is not recalled, nor read from text.
/// `accepts` is false for every value, and `Ways::count` is at least 0, as if it could not be made;
/// `choices_of` and `Ways::probability` say why.
///
/// ```
/// # use retrospect::prelude::*;
/// let error = from_strategy(0..10u8).choices_of(&3).unwrap_err();
/// assert_eq!(error.reason(), "`from_strategy` goes forward only: a strategy of proptest has no inverse");
/// assert!(!from_strategy(0..10u8).accepts(&3));
/// ```
///
/// **Choices.** The seed from which proptest draws, and the steps of its shrinking: each simplifies
/// the value once and complicates it again as often as the step says, less one; a 0 at the end. So
/// shrinking takes the path that it takes in proptest: it simplifies as long as that fails, and
/// complicates what does not. At most 1,000 steps are taken, with at most 99 complications each.
///
/// A strategy that rejects what it draws too often, by the settings of proptest, stops generation
/// with that reason.
#[track_caller]
pub fn from_strategy<S: Strategy>(strategy: S) -> FromStrategy<S> {
    FromStrategy { strategy, place: Location::caller() }
}

/// The generator made by [`from_strategy`].
///
/// ```
/// use retrospect::ecosystem::FromStrategy;
/// use retrospect::prelude::*;
/// fn digits() -> FromStrategy<std::ops::Range<u8>> {
///     from_strategy(0..10)
/// }
/// assert!(digits().sample(1) < 10);
/// ```
#[derive(Clone, Debug)]
pub struct FromStrategy<S> {
    strategy: S,
    place: &'static Location<'static>,
}

/// How often a value is complicated again in one step, and one more: a search among 2^64 numbers
/// halves them 64 times.
const MOST_COMPLICATIONS: u64 = 100;

impl<S: Strategy> FromStrategy<S> {
    fn tree(&self, seed: u64) -> Result<S::Tree, Reason> {
        let mut rng = Rng::new(seed);
        let mut bytes = [0; 32];
        for eight in bytes.chunks_mut(8) {
            eight.copy_from_slice(&rng.next().to_le_bytes());
        }
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        // No case is run, so nothing would be saved.
        let config = Config { failure_persistence: None, ..Config::default() };
        self.strategy.new_tree(&mut TestRunner::new_with_rng(config, rng))
    }

    /// Takes the steps that the source answers: none when it is random.
    fn take_steps(&self, mut tree: S::Tree, source: &mut Source<'_>) -> Drawn<S::Value> {
        if source.is_random() {
            return Ok(tree.current());
        }
        source.call(&STEPS, |source| {
            for _ in 0..MOST_STEPS {
                let value = source.number_found(MOST_COMPLICATIONS, Distribution::Always(0), |step| {
                    // Asked last, since it changes the tree.
                    let value = (step == 0).then(|| tree.current());
                    let wanted = if step == 0 { MOST_COMPLICATIONS } else { step };
                    let mut taken = u64::from(tree.simplify());
                    while (1..wanted).contains(&taken) && tree.complicate() {
                        taken += 1;
                    }
                    if step == 0 { (0, taken, value) } else { (taken, taken, None) }
                })?;
                if let Some(value) = value {
                    return Ok(value);
                }
            }
            Ok(tree.current())
        })
    }
}

impl<S: Strategy> Generator for FromStrategy<S> {
    type Value = S::Value;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<S::Value> {
        source.call(&PROPTEST, |source| {
            // A seed has no simpler one, so shrinking leaves it alone.
            let seed = source
                .part(|source| source.call(&NO_SHRINK, |source| source.number(u64::MAX, Distribution::Uniform)))?;
            match self.tree(seed) {
                Ok(tree) => source.part(|source| self.take_steps(tree, source)),
                Err(reason) => {
                    let place = format!("{}:{}", self.place.file(), self.place.line());
                    Err(source.stop(Why::Other(format!("the strategy at {place} rejects what it draws: {reason}"))))
                }
            }
        })
    }

    fn reflect(&self, value: &S::Value, reflector: &mut Reflector) -> Reflected {
        reflector.forward_only(value, || FORWARD_ONLY.to_owned())
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<S::Value> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        Err(source.not_made(sketch.text(), || FORWARD_ONLY.to_owned()))
    }
}

const FORWARD_ONLY: &str = "`from_strategy` goes forward only: a strategy of proptest has no inverse";
