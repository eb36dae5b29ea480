//! All ways to make a value: the first, the simplest, the likeliest, and how many and how likely.

use super::Generator;
use super::room::with_room_for;
use crate::choice::Choices;
use crate::mismatch::{NotGenerated, shortened};
use crate::natural::Natural;
use crate::reflect::{self, Forest, NotKnown, Overlap, Probability, Reflections, Reflector};
use crate::sketch::is_same;
use crate::source::DEFAULT_SIZE;
use std::fmt::{self, Debug};

/// All ways to make a value. Made by [`ways_of`](super::Explore::ways_of).
///
/// Nothing is worked out before it is asked for, and nothing is kept: [`iter`](Ways::iter) and
/// [`count`](Ways::count) each look at the value again.
///
/// ```
/// use retrospect::prelude::*;
/// let numbers = one_of((0..=5, 3..=9));
/// let ways = numbers.ways_of(&4);
/// assert_eq!(ways.first().unwrap().to_string(), "0:(4)");
/// assert_eq!(ways.count().to_string(), "2");
/// assert_eq!(ways.probability().unwrap().to_string(), "13/84"); // Half of 1/6, and half of 1/7.
/// let all: Vec<String> = ways.iter().map(|way| way.to_string()).collect();
/// assert_eq!(all, ["0:(4)", "1:(1)"]);
/// ```
pub struct Ways<'a, G: Generator + ?Sized> {
    generator: &'a G,
    value: &'a G::Value,
    size: u32,
}

impl<'a, G: Generator + ?Sized> Ways<'a, G> {
    pub(super) fn new(generator: &'a G, value: &'a G::Value) -> Self {
        Ways { generator, value, size: DEFAULT_SIZE }
    }

    /// The same, drawn at another size than that of [`sample`](Generator::sample). It matters to
    /// [`likeliest`](Ways::likeliest) and [`probability`](Ways::probability) alone.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let lists = vec_of(any::<bool>(), ..);
    /// let value = vec![true, false];
    /// assert_eq!(lists.ways_of(&value).at_size(3).probability().unwrap().to_string(), "1/16");
    /// assert_eq!(lists.ways_of(&value).at_size(1).probability().unwrap().to_string(), "0");
    /// ```
    #[must_use]
    pub fn at_size(self, size: u32) -> Self {
        Ways { size, ..self }
    }

    /// The first, which is what [`choices_of`](Generator::choices_of) returns; or which part of the
    /// value cannot be made, and why.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// assert_eq!(one_of((0..=5, 3..=9)).ways_of(&4).first().unwrap().to_string(), "0:(4)");
    /// assert!((0..=5).ways_of(&6).first().is_err());
    /// ```
    pub fn first(&self) -> Result<Choices, NotGenerated> {
        self.generator.choices_of(self.value)
    }

    /// The choices that make `value`; if there are several ways, the simplest, in the order that
    /// shrinking descends ([`compare`](crate::shrink::compare)).
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let spelled = vec_of(0..=9u32, 1..).map_with_inverse(
    ///     |digits| digits.iter().fold(0, |number, digit| number * 10 + digit),
    ///     |number| number.to_string().chars().map(|digit| digit.to_digit(10)).collect(),
    /// );
    /// let numbers = one_of((spelled, 0..1000));
    /// assert_eq!(numbers.choices_of(&123).unwrap().to_string(), "0:([1 2 3])");
    /// assert_eq!(numbers.ways_of(&123).simplest().unwrap().to_string(), "1:(123)");
    /// ```
    ///
    /// All ways are looked at together, so that it takes time with the size of the value and not
    /// with their number, which may be infinite. Where that would be too much (the value is made by
    /// more than 20,000 choices), or where calls of a generator cannot be told apart because its
    /// arguments have no hash, some ways may be passed over; of several ways that are equally
    /// simple, the first is taken.
    pub fn simplest(&self) -> Result<Choices, NotGenerated> {
        let first = self.first()?;
        if first.len() > reflect::MOST_CHOICES {
            return Ok(first);
        }
        let mut reflector = Reflector::all_ways().with_most_calls(reflect::most_calls(&first));
        let is_made = self.generator.reflect(self.value, &mut reflector).is_ok();
        Ok(reflect::simpler_of(first, is_made.then(|| reflector.into_forest())))
    }

    /// The one with the fewest choices, or which part of the value cannot be made and why.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let numbers = one_of((one_of((0..=9, 5..=9)), 3..=7));
    /// assert_eq!(numbers.ways_of(&5).first().unwrap().to_string(), "0:(0:(5))");
    /// assert_eq!(numbers.ways_of(&5).shortest().unwrap().to_string(), "1:(2)");
    /// ```
    pub fn shortest(&self) -> Result<Choices, NotGenerated> {
        self.iter().next().map_or_else(|| self.first(), Ok)
    }

    /// The one by which the value is drawn most often, and how likely that is. The orders in which
    /// the items of a set may come count as one way, and so do equal items of a permutation or a
    /// subsequence: it is how likely they are together.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let numbers = one_of((0..=9, 5..=7));
    /// let (way, probability) = numbers.ways_of(&5).likeliest().unwrap();
    /// assert_eq!((way.to_string().as_str(), probability.to_string().as_str()), ("1:(0)", "1/6"));
    /// let error = numbers.ways_of(&12).likeliest().unwrap_err();
    /// assert!(error.reason().contains("12 is not in 0..=9"));
    /// ```
    pub fn likeliest(&self) -> Result<(Choices, Probability), NotKnown> {
        let likeliest = self.forest(Reflector::weighing(self.size)).likeliest_way()?;
        likeliest.ok_or_else(|| match self.first() {
            Ok(_) => NotKnown::new(format!("it can be made, but is never drawn at size {}", self.size)),
            Err(error) => NotKnown::new(error.to_string()),
        })
    }

    /// How many there are: none if the value cannot be made, infinitely many if the generator can
    /// call itself on the same part. [`Overlap`] says what counts as one way, and when ways are cut
    /// off.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// assert_eq!(one_of((0..=5, 3..=9)).ways_of(&4).count().to_string(), "2");
    /// ```
    pub fn count(&self) -> Overlap {
        let forest = self.forest(Reflector::all_ways());
        match forest.overlap() {
            Overlap::Finite(mut ways) if !ways.is_zero() => {
                ways -= &Natural::from(ways_to_others(self.generator, self.value, forest).count() as u64);
                Overlap::Finite(ways)
            }
            overlap => overlap,
        }
    }

    /// How likely [`sample`](Generator::sample) makes exactly `value`, for a seed drawn at random:
    /// the sum over all ways. 0 if it cannot be made, or is not drawn at that size.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// use retrospect::reflect::Probability;
    /// let numbers = frequency(((1, exact(0)), (2, 0..=3)));
    /// assert_eq!(numbers.ways_of(&0).probability().unwrap(), Probability::new(1, 2)); // 1/3 and 2/3 of 1/4.
    /// assert_eq!(numbers.ways_of(&1).probability().unwrap().to_string(), "1/6");
    /// assert!(numbers.ways_of(&5).probability().unwrap().is_zero());
    /// ```
    ///
    /// It is exact, as a fraction, where that has fewer than 2,000 binary digits. Where a
    /// generator can call itself on the same part, it is the limit of the series. It is the
    /// probability *given that a value is made*: a filter counts as if it tried without end, so
    /// what it keeps is as much more likely as it refuses, which is found out by going through all
    /// that it may be given.
    ///
    /// What is drawn by weights is as likely as they say: see [`Tuned`](crate::generator::Tuned).
    /// Sets and maps are the sum over all orders of their items, which are drawn again where they
    /// are there already, and smaller than they were to be where that happens 64 times in a row.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let pairs = set_of(frequency(((1, exact('a')), (2, exact('b')), (3, exact('c')))), 2);
    /// // 1/6 and then 2/6 of the other 5/6; or 2/6 and then 1/6 of the other 4/6.
    /// assert_eq!(pairs.ways_of(&['a', 'b'].into()).probability().unwrap().to_string(), "3/20");
    /// ```
    ///
    /// Numbers that are drawn by a curve of rounded numbers have no exact chance, nor have floats
    /// that are drawn again until they fit. Of these it is rounded, to 53 binary digits or nearly
    /// so, and has no [fraction](Probability::fraction).
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// assert_eq!(any::<f64>().ways_of(&f64::INFINITY).probability().unwrap().to_string(), "3/256");
    /// let skewed = (0..=9).skewed(2.0).ways_of(&0).probability().unwrap();
    /// assert!(skewed.to_f64().unwrap() > 0.6 && skewed.fraction().is_none());
    /// ```
    ///
    /// An error says what cannot be known: a [`map`](Generator::map) without an inverse; a filter
    /// of more than 16,384 values; a set of many items that are not as likely as each other (from
    /// 17 on); what can be made in more ways than are looked for, such as paths, URLs and heaps;
    /// what [`satisfying`](Generator::satisfying) searches for; values beyond what is drawn freely;
    /// ways that were not followed to their end, as where a generator calls itself on the same part
    /// with arguments that grow; an inverse that names an origin of another value. Where an inverse
    /// or a focus names one of several origins of a value, only that one counts: the others are not
    /// known.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let numbers = one_of((0..10, (0..5).map_with_inverse(|x| x + 1, |y| Some(*y)))); // `y - 1` is right.
    /// let error = numbers.ways_of(&3).probability().unwrap_err();
    /// assert!(error.reason().starts_with("one of the ways to make it, 1:(3), makes 4"));
    /// ```
    pub fn probability(&self) -> Result<Probability, NotKnown> {
        let forest = self.forest(Reflector::weighing(self.size));
        let probability = forest.probability()?;
        match ways_to_others(self.generator, self.value, forest).next() {
            Some(way) => Err(NotKnown::new(format!("{way} (`laws::check` finds such inverses)"))),
            None => Ok(probability),
        }
    }

    /// All of them, the shortest first. There may be infinitely many: each comes after finitely
    /// many others. Ways that were not followed to their end are missing, and of those that count
    /// as one in [`Overlap`] there is one.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let ways: Vec<String> = one_of((0..=5, 3..=9)).ways_of(&4).iter().map(|way| way.to_string()).collect();
    /// assert_eq!(ways, ["0:(4)", "1:(1)"]);
    /// ```
    pub fn iter(&self) -> Reflections {
        self.forest(Reflector::all_ways()).into_ways()
    }

    fn forest(&self, mut reflector: Reflector) -> Forest {
        let reflected = self.generator.reflect(self.value, &mut reflector);
        reflector.into_forest_of(reflected)
    }
}

impl<G: Generator + ?Sized> IntoIterator for Ways<'_, G> {
    type Item = Choices;
    type IntoIter = Reflections;

    fn into_iter(self) -> Reflections {
        self.iter()
    }
}

impl<G: Generator + ?Sized> IntoIterator for &Ways<'_, G> {
    type Item = Choices;
    type IntoIter = Reflections;

    fn into_iter(self) -> Reflections {
        self.iter()
    }
}

impl<G: Generator + ?Sized> Clone for Ways<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Generator + ?Sized> Copy for Ways<'_, G> {}

impl<G: Generator + ?Sized> Debug for Ways<'_, G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the ways of {:?}", self.value)
    }
}

/// A way to make a value, as its generator says, that makes another one: an inverse is wrong.
pub(crate) struct WayToAnother {
    pub(crate) choices: Choices,
    /// What they make.
    made: String,
}

/// How many ways are replayed.
const MAX_REPLAYED_WAYS: usize = 16;

/// Those of the shortest ways that make another value.
pub(crate) fn ways_to_others<'v, G: Generator + ?Sized>(
    generator: &'v G,
    value: &'v G::Value,
    forest: Forest,
) -> impl Iterator<Item = WayToAnother> + use<'v, G> {
    forest.into_ways().take(MAX_REPLAYED_WAYS).filter_map(|choices| {
        let made = with_room_for(&choices, || match generator.try_replay(&choices) {
            Ok((made, _)) if is_same(value, &made) => None,
            Ok((made, _)) => Some(format!("makes {}", shortened(&made))),
            Err(why) => Some(format!("cannot be replayed: {why}")),
        })?;
        Some(WayToAnother { choices, made })
    })
}

impl fmt::Display for WayToAnother {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let choices = shortened(&format_args!("{}", self.choices));
        write!(formatter, "one of the ways to make it, {choices}, {}", self.made)
    }
}
