use super::Generator;
use super::room::with_room_for;
use crate::choice::Choices;
use crate::mismatch::{NotGenerated, shortened};
use crate::natural::Natural;
use crate::reflect::{Forest, NotKnown, Overlap, Probability, Reflections, Reflector};
use crate::sketch::is_same;
use crate::source::DEFAULT_SIZE;
use std::fmt;

/// All ways to make a value, and how likely it is: what every generator can say of a value besides whether it makes it.
///
/// It is implemented for every generator, and in the prelude.
///
/// ```
/// use retrospect::prelude::*;
/// fn is_rare<G: Generator>(generator: &G, value: &G::Value) -> bool {
///     generator.probability_of(value).is_ok_and(|probability| probability.log10() < -3.0)
/// }
/// assert!(is_rare(&(0..5000), &7) && !is_rare(&(0..10), &7));
/// ```
pub trait Weigh: Generator {
    /// All ways to make `value`, the shortest first; none if it cannot be made. There may be infinitely many: each comes after finitely many others. Ways that were not
    /// followed to their end are missing, and of those that count as one in [`Overlap`](crate::reflect::Overlap) there is one.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let ways: Vec<String> = one_of((0..=5, 3..=9)).reflections(&4).map(|way| way.to_string()).collect();
    /// assert_eq!(ways, ["0:(4)", "1:(1)"]);
    /// ```
    fn reflections(&self, value: &Self::Value) -> Reflections {
        let mut reflector = Reflector::all_ways();
        let reflected = self.reflect(value, &mut reflector);
        reflector.into_forest_of(reflected).into_ways()
    }

    /// The way with the fewest choices to make `value`, or which part of it cannot be made and why.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let numbers = one_of((one_of((0..=9, 5..=9)), 3..=7));
    /// assert_eq!(numbers.choices_of(&5).unwrap().to_string(), "0:(0:(5))");
    /// assert_eq!(numbers.shortest_way(&5).unwrap().to_string(), "1:(2)");
    /// ```
    fn shortest_way(&self, value: &Self::Value) -> Result<Choices, NotGenerated> {
        match self.reflections(value).next() {
            Some(way) => Ok(way),
            None => self.choices_of(value),
        }
    }

    /// The way by which [`sample`](Generator::sample) most often makes `value`, and how likely that way is. The orders in which the items of a set may come count as
    /// one way, and so do equal items of a permutation or a subsequence: it is how likely they are together.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let (way, probability) = one_of((0..=9, 5..=7)).likeliest_way(&5).unwrap();
    /// assert_eq!((way.to_string().as_str(), probability.to_string().as_str()), ("1:(0)", "1/6"));
    /// assert!(one_of((0..=9, 5..=7)).likeliest_way(&12).unwrap_err().reason().contains("12 is not in 0..=9"));
    /// ```
    fn likeliest_way(&self, value: &Self::Value) -> Result<(Choices, Probability), NotKnown> {
        let mut reflector = Reflector::weighing(DEFAULT_SIZE);
        let reflected = self.reflect(value, &mut reflector);
        let likeliest = reflector.into_forest_of(reflected).likeliest_way()?;
        likeliest.ok_or_else(|| match self.choices_of(value) {
            Ok(_) => NotKnown::new(format!("it can be made, but is never drawn at size {DEFAULT_SIZE}")),
            Err(error) => NotKnown::new(error.to_string()),
        })
    }

    /// How likely [`sample`](Generator::sample) makes exactly `value`, for a seed drawn at random: the sum over all ways. 0 if it cannot be made, or is
    /// not drawn at that size.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// use retrospect::reflect::Probability;
    /// let numbers = frequency(((1, exact(0)), (2, 0..=3)));
    /// assert_eq!(numbers.probability_of(&0).unwrap(), Probability::new(1, 2)); // 1/3 and 2/3 of 1/4.
    /// assert_eq!(numbers.probability_of(&1).unwrap().to_string(), "1/6");
    /// assert!(numbers.probability_of(&5).unwrap().is_zero());
    /// ```
    ///
    /// It is exact, as a fraction, where that has fewer than 2,000 binary digits. Where a generator can call itself on the same part, it is the limit of the
    /// series. It is the probability *given that a value is made*: a filter counts as if it tried without end, so what it keeps is as much more likely as
    /// it refuses, which is found out by going through all that it may be given.
    ///
    /// What is drawn by weights is as likely as they say: see [`Tuned`](crate::generator::Tuned). Sets and maps are the sum over all orders of their items, which
    /// are drawn again where they are there already, and smaller than they were to be where that happens 64 times in a row.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let pairs = set_of(frequency(((1, exact('a')), (2, exact('b')), (3, exact('c')))), 2);
    /// // 1/6 and then 2/6 of the other 5/6; or 2/6 and then 1/6 of the other 4/6.
    /// assert_eq!(pairs.probability_of(&['a', 'b'].into()).unwrap().to_string(), "3/20");
    /// ```
    ///
    /// Numbers that are drawn by a curve of rounded numbers have no exact chance, nor have floats that are drawn again until they fit. Of these it is
    /// rounded, to 53 binary digits or nearly so, and has no [fraction](Probability::fraction).
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// assert_eq!(any::<f64>().probability_of(&f64::INFINITY).unwrap().to_string(), "3/256");
    /// let skewed = (0..=9).skewed(2.0).probability_of(&0).unwrap();
    /// assert!(skewed.to_f64().unwrap() > 0.6 && skewed.fraction().is_none());
    /// ```
    ///
    /// An error says what cannot be known: a [`map`](Generator::map) without an inverse; a filter of more than 16,384 values; a set of many items that are not as likely
    /// as each other (from 17 on); what can be made in more ways than are looked for, such as paths, URLs and heaps; what
    /// [`satisfying`](Generator::satisfying) searches for; values beyond what is drawn freely; ways that were not followed to their end, as where a generator calls itself on
    /// the same part with arguments that grow; an inverse that names an origin of another value.
    /// Where an inverse or a focus names one of several origins of a value, only that one counts:
    /// the others are not known.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let numbers = one_of((0..10, (0..5).map_with_inverse(|x| x + 1, |y| Some(*y)))); // `y - 1` is right.
    /// let error = numbers.probability_of(&3).unwrap_err();
    /// assert!(error.reason().starts_with("one of the ways to make it, 1:(3), makes 4"));
    /// ```
    fn probability_of(&self, value: &Self::Value) -> Result<Probability, NotKnown> {
        self.probability_at(value, DEFAULT_SIZE)
    }

    /// [`probability_of`](Weigh::probability_of) at another size than that of [`sample`](Generator::sample).
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let lists = vec_of(any::<bool>(), ..);
    /// assert_eq!(lists.probability_at(&vec![true, false], 3).unwrap().to_string(), "1/16");
    /// assert_eq!(lists.probability_at(&vec![true, false], 1).unwrap().to_string(), "0");
    /// ```
    fn probability_at(&self, value: &Self::Value, size: u32) -> Result<Probability, NotKnown> {
        let mut reflector = Reflector::weighing(size);
        let reflected = self.reflect(value, &mut reflector);
        let forest = reflector.into_forest_of(reflected);
        let probability = forest.probability()?;
        match ways_to_others(self, value, forest).next() {
            Some(way) => Err(NotKnown::new(format!("{way} (`laws::check` finds such inverses)"))),
            None => Ok(probability),
        }
    }
}

impl<G: Generator + ?Sized> Weigh for G {}

/// In how many ways the generator makes the value.
pub(super) fn overlap_of<G: Generator + ?Sized>(generator: &G, value: &G::Value) -> Overlap {
    let mut reflector = Reflector::all_ways();
    let reflected = generator.reflect(value, &mut reflector);
    let forest = reflector.into_forest_of(reflected);
    match forest.overlap() {
        Overlap::Finite(mut ways) if !ways.is_zero() => {
            ways -= &Natural::from(ways_to_others(generator, value, forest).count() as u64);
            Overlap::Finite(ways)
        }
        overlap => overlap,
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
