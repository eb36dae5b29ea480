use crate::generator::room::with_room_for;
use crate::generator::{Facts, Generator, Wanted};
use crate::mismatch::NotGenerated;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{ChooserCache, Drawn, FEWEST_SAMPLES, Learning, Source, Weights, WeightsError};
use std::fmt::{self, Debug};
use std::sync::Arc;

/// Tuning by example: other weights for the choices of a generator, learned from values or read
/// from a file.
///
/// It is implemented for every generator, and in the prelude.
///
/// ```
/// use retrospect::prelude::*;
/// let lists = vec_of(0..100u8, ..);
/// let short = lists.tuned_like(&[vec![5], vec![], vec![7]]).unwrap();
/// assert!((0..100).filter(|seed| short.sample(*seed).len() < 3).count() > 60);
/// ```
pub trait Tune: Generator {
    /// How often each choice is made on the way to these values; or the first of them that cannot
    /// be made, and why.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let weights = vec_of(0..10, ..).weights_of(&[vec![3, 3], vec![]]).unwrap();
    /// assert!(weights.to_string().contains("\"top.0\" = { 3 = 2 }")); // The number 3, twice.
    /// assert!((0..10).weights_of(&[5, 12]).unwrap_err().reason().contains("12 is not in 0..10"));
    /// ```
    fn weights_of(&self, values: &[Self::Value]) -> Result<Weights, NotGenerated> {
        let mut weights = Weights::default();
        for value in values {
            let choices = self.choices_of(value)?;
            let mut learning = Learning::new(&choices, &mut weights, 0);
            // What reflects replays; a generator for which that is not so has its laws to answer
            // to.
            with_room_for(&choices, || drop(self.generate(&mut Source::asking(&mut learning))));
        }
        weights.settle();
        Ok(weights)
    }

    /// The same generator, whose values are like these: choices are made as often as they were on
    /// the way to them. What none of them did is rare, but not impossible ([`Weights::smoothed`]
    /// changes that); what can be made, and how, stays the same.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let lists = vec_of(0..100, ..);
    /// let tuned = lists.clone().tuned_like(&[vec![1, 2, 5], vec![3, 3]]).unwrap();
    /// let short = (0..1000).filter(|seed| tuned.sample(*seed).len() < 4).count();
    /// assert!(short > 850 && short < 930); // Two examples speak for it; what was written has one part in nine.
    /// assert_eq!(tuned.choices_of(&vec![7]).unwrap(), lists.choices_of(&vec![7]).unwrap());
    /// ```
    fn tuned_like(self, values: &[Self::Value]) -> Result<Tuned<Self>, NotGenerated>
    where
        Self: Sized,
    {
        let weights = self.weights_of(values)?;
        Ok(Tuned { inner: self, tuning: Tuning::new(weights) })
    }

    /// The same generator, whose values are unlike these: what was chosen most on the way to them
    /// is chosen least. An arm that was chosen twice as often as another is chosen half as often;
    /// where some were not chosen at all, these alone are, but for [smoothing](Weights::smoothed).
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let unlike = any::<Option<bool>>().tuned_unlike(&[None, None, None, Some(true)]).unwrap();
    /// assert!((0..100).filter(|seed| unlike.sample(*seed).is_none()).count() < 40);
    /// ```
    fn tuned_unlike(self, values: &[Self::Value]) -> Result<Tuned<Self>, NotGenerated>
    where
        Self: Sized,
    {
        let weights = self.weights_of(values)?.inverted();
        Ok(Tuned { inner: self, tuning: Tuning::new(weights) })
    }

    /// The same generator with other weights, from [`weights_of`](Tune::weights_of) or a file. That
    /// they are of this generator is tried out on 200 values, or on more if they were learned from
    /// many: an error names what it does not know. Weights that were learned in this program may
    /// name places that are too rare to be met, as long as others are met.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let weights: Weights = "[picks]\n\"bool\" = { \"false\" = 1, \"true\" = 99 }".parse().unwrap();
    /// let heads = any::<bool>().with_weights(weights).unwrap();
    /// assert!((0..100).filter(|seed| heads.sample(*seed)).count() > 90);
    ///
    /// let wrong: Weights = "[picks]\n\"bool\" = { \"tails\" = 1 }".parse().unwrap();
    /// let error = any::<bool>().with_weights(wrong).unwrap_err();
    /// assert_eq!(error.to_string(), r#"line 2: the weights of "bool" name the arm "tails", which is none of ["false", "true"]"#);
    /// ```
    fn with_weights(self, weights: Weights) -> Result<Tuned<Self>, WeightsError>
    where
        Self: Sized,
    {
        let tuning = Tuning::new(weights);
        tuning.check(&self)?;
        Ok(Tuned { inner: self, tuning })
    }
}

impl<G: Generator + ?Sized> Tune for G {}

/// The generator made by [`tuned_like`](Tune::tuned_like), [`tuned_unlike`](Tune::tuned_unlike) and
/// [`with_weights`](Tune::with_weights).
///
/// Only chances change: it makes the same values out of the same choices as the generator it tunes,
/// and reads, reflects and shrinks like it.
///
/// ```
/// use retrospect::generator::{Any, Tuned};
/// use retrospect::prelude::*;
/// struct Likely {
///     coins: Tuned<Any<bool>>,
/// }
/// let likely = Likely { coins: any::<bool>().tuned_like(&[true, true, true, true]).unwrap() };
/// assert_eq!(likely.coins.choices_of(&false).unwrap().to_string(), "0:false");
/// ```
///
/// How likely a value has become, [`probability`](crate::generator::Ways::probability) tells: what
/// the weights say, as an exact fraction. Drawing rounds the chance of each arm to 2^-63, and that
/// of each number or length to 2^-32.
///
/// ```
/// use retrospect::prelude::*;
/// let digits = (0..10).tuned_like(&[3, 3, 4]).unwrap();
/// // Two of three examples; the generator itself counts as a fourth, and gives a tenth of it to each digit.
/// assert_eq!(digits.ways_of(&3).probability().unwrap().to_string(), "21/40");
/// assert_eq!(digits.ways_of(&7).probability().unwrap().to_string(), "1/40");
/// ```
pub struct Tuned<G> {
    inner: G,
    tuning: Tuning,
}

/// Weights, and what was worked out of them, for whoever draws by them next.
#[derive(Clone)]
pub(crate) struct Tuning {
    weights: Arc<Weights>,
    cache: Arc<ChooserCache>,
}

impl Tuning {
    pub(crate) fn new(weights: Weights) -> Tuning {
        Tuning { weights: Arc::new(weights), cache: Arc::default() }
    }

    /// Makes a value by these weights, if it is chance that answers.
    pub(crate) fn generate<G: Generator + ?Sized>(&self, generator: &G, source: &mut Source<'_>) -> Drawn<G::Value> {
        self.generate_argument(generator, source, 0)
    }

    /// The same for an argument of a property, or what is drawn in its body.
    pub(crate) fn generate_argument<G: Generator + ?Sized>(
        &self,
        generator: &G,
        source: &mut Source<'_>,
        argument: u16,
    ) -> Drawn<G::Value> {
        if !source.is_chance() {
            return source.asked_beside_weights(&self.weights, |source| generator.generate(source));
        }
        let mut tuned = self.cache.chooser(&self.weights);
        tuned.begin(source.dice(), argument);
        source.answered_by_weights(tuned, |source| generator.generate(source))
    }

    /// Fills the holes of a sketch by these weights, if it is chance that answers.
    fn complete<G: Generator>(&self, generator: &G, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<G::Value> {
        if !source.is_chance() {
            return generator.complete(sketch, source);
        }
        let mut tuned = self.cache.chooser(&self.weights);
        tuned.begin(source.dice(), 0);
        source.answered_by_weights(tuned, |source| generator.complete(sketch, source))
    }

    /// What of the weights this generator does not know, as far as some samples show.
    pub(crate) fn check<G: Generator + ?Sized>(&self, generator: &G) -> Result<(), WeightsError> {
        self.check_by(|seed, size| {
            let mut source = Source::random(seed).with_size(size);
            // What does not work by itself is for the one who samples to find out.
            let _ = self.generate(generator, &mut source);
            !source.is_spent()
        })
    }

    /// The same, where `draw` draws a value by these weights, and says whether there may be more.
    /// What is rare among many examples is looked for longer.
    pub(crate) fn check_by(&self, mut draw: impl FnMut(u64, u32) -> bool) -> Result<(), WeightsError> {
        let (mut seed, mut most) = (0, FEWEST_SAMPLES);
        loop {
            while seed < most {
                if !draw(seed, (seed % FEWEST_SAMPLES) as u32 / 2) {
                    return self.problem();
                }
                seed += 1;
            }
            let problem = self.problem();
            if most >= self.weights.samples() || !problem.as_ref().is_err_and(WeightsError::may_be_rare) {
                return problem;
            }
            most *= 2;
        }
    }

    /// What of the weights was not known by what was drawn so far.
    pub(crate) fn problem(&self) -> Result<(), WeightsError> {
        self.cache.check(&self.weights)
    }
}

impl<G> Tuned<G> {
    /// The weights it draws by.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let examples = [3, 3, 4];
    /// let tuned = (0..10).tuned_like(&examples).unwrap();
    /// assert_eq!(tuned.weights(), &(0..10).weights_of(&examples).unwrap());
    /// ```
    pub fn weights(&self) -> &Weights {
        &self.tuning.weights
    }
}

impl<G: Generator> Generator for Tuned<G> {
    type Value = G::Value;

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { identity: None, ..self.inner.facts(wanted) }
    }

    fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        self.tuning.generate(&self.inner, source)
    }

    fn reflect(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
        reflector.by_weights(&self.tuning.weights, |reflector| self.inner.reflect(value, reflector))
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<G::Value> {
        self.tuning.complete(&self.inner, sketch, source)
    }
}

impl<G: Clone> Clone for Tuned<G> {
    fn clone(&self) -> Tuned<G> {
        Tuned { inner: self.inner.clone(), tuning: self.tuning.clone() }
    }
}

impl<G: Debug> Debug for Tuned<G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "tuned {:?}", self.inner)
    }
}
