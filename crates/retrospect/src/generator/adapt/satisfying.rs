use super::{Filter, debug_by_place, written};
use crate::generator::{Facts, Generator, Wanted, why};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Candidate, Condition, Drawn, MAX_SEARCH, Pool, SearchCounts, Source, Stop, Why};
use std::fmt;
use std::panic::Location;

/// The generator made by [`satisfying`](Generator::satisfying): values for which a condition holds,
/// found by a search.
///
/// The search draws values, arranges the numbers of drawn ones (equal, rising, falling, all
/// different, mirrored), and edits the choices of valid values that it knows. It spends its time on
/// whichever of these finds the most. So a condition that many values satisfy costs what
/// [`filter`](Generator::filter) costs, and one that hardly any satisfies is still found.
///
/// `samples` and the cases of a property keep the values that they found and build on them.
/// `sample(seed)` begins with nothing, and so does each case of a property that is isolated, since
/// another process may have to make it again. The same seed gives the same values. When nothing new
/// is found for a while, known values come again.
///
/// Candidates are as large as the [size](Source::size) in force allows. If nothing is found at this
/// size, it grows: up to the default, then to four times that. There is an error only if that found
/// nothing either. In a property a search may take 5 seconds, or the `time` of the property if that
/// is more, or 5 ms for each of its `cases`. The limit decides when a search gives up, never which
/// value it finds. `sample` and `samples` give up after a number of values instead. The error
/// ([`Why::NoneFound`]) has the counts, the sizes and the simplest value that was refused.
///
/// The condition only says yes or no. So the first valid value must be one that is drawn, or has
/// its numbers in one of the orders above: a valid value that is neither is out of reach.
///
/// In all else it is a filter. It accepts the values of the generator for which the condition
/// holds, and the choices of a value are those of the plain generator. Its mutants satisfy the
/// condition, `enumerate` leaves out values that do not, and what is left `after` a choice is drawn
/// until it does. A tuned search draws by the weights; edits know nothing of them. The probability
/// of a value is not known: [`probability`](crate::generator::Ways::probability) is an error.
///
/// A condition that answers at random, or depends on other values, is noticed and asked each time.
/// A panic in it, or in the generator, goes through. Memory is bounded, by about 30 MB for a
/// condition that millions of large values satisfy.
///
/// ```
/// use retrospect::generator::{Any, Satisfying, VecOf};
/// use retrospect::prelude::*;
/// fn rising() -> Satisfying<VecOf<Any<u32>>, fn(&Vec<u32>) -> bool> {
///     vec_of(any::<u32>(), 20).satisfying(|list| list.is_sorted())
/// }
/// assert!(rising().sample(7).is_sorted());
/// assert!(!rising().accepts(&vec![2; 19])); // Sorted, but the generator makes lists of 20.
/// ```
#[derive(Clone)]
pub struct Satisfying<G, F> {
    /// In all directions but forward it is a filter.
    pub(super) filter: Filter<G, F>,
    place: &'static Location<'static>,
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Satisfying<G, F> {
    pub(in crate::generator) fn new(inner: G, is_valid: F, place: &'static Location<'static>) -> Satisfying<G, F> {
        Satisfying { filter: Filter { name: "condition", ..Filter::new(inner, is_valid, place) }, place }
    }

    /// Valid values, each of which is made by other choices: no value comes twice, unless it can be
    /// made in several ways. The same ones for the same seed.
    ///
    /// It ends when [`MAX_SEARCH`] runs in a row gave nothing new: then these are all values there
    /// are, or all that the search finds. [`counts`](Search::counts) tells what it cost.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let primes = within(0..100).satisfying(|n: &u32| *n > 1 && (2..*n).all(|divisor| n % divisor > 0));
    /// assert_eq!(primes.search(7).count(), 25);
    /// ```
    ///
    /// # Panics
    ///
    /// If the generator is wrong in itself, such as an empty range.
    pub fn search(&self, seed: u64) -> Search<'_, G, F> {
        Search { satisfying: self, source: Source::random(seed), pool: Box::new(Pool::new(seed)) }
    }

    #[inline(never)]
    fn searched(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        let condition = Condition { place: self.place, types: std::any::type_name::<Satisfying<G, F>>() };
        let mut made = Made { filter: &self.filter, value: None };
        source.satisfy(&condition, &mut made)?;
        made.value.ok_or(Stop)
    }
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Generator for Satisfying<G, F> {
    type Value = G::Value;

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        self.filter.facts(wanted)
    }

    fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        if source.may_search() {
            return self.searched(source);
        }
        // A replay, or somebody who answers in a way of their own.
        let attempt = source.attempt(self.place, |source| {
            let value = self.filter.inner.generate(source)?;
            Ok((self.filter.is_kept)(&value).then_some(value))
        });
        if let Err(Stop) = attempt
            && let Some(Why::FilteredOut { place, refused }) = source.why()
            && *place == self.place
        {
            let runs = u64::from(*refused);
            let (place, sizes) = (self.place, (source.size(), source.size()));
            let why = Why::NoneFound { place, runs, asked: runs, valid: 0, sizes, took: None, example: String::new() };
            return Err(source.stop(why));
        }
        attempt
    }

    #[inline]
    fn reflect(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
        // How likely a search is to find a value, nobody knows.
        reflector.unknown(|| format!("it is found by the search at {}", written(self.place)));
        self.filter.holds(value, reflector)
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<G::Value> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        self.filter.complete(sketch, source)
    }
}

debug_by_place! { "satisfying" Satisfying<G, F>; }

/// A value that is tried.
struct Made<'g, G: Generator, F> {
    filter: &'g Filter<G, F>,
    value: Option<G::Value>,
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Candidate for Made<'_, G, F> {
    fn make(&mut self, source: &mut Source<'_>) -> Drawn<()> {
        self.value = Some(self.filter.inner.generate(source)?);
        Ok(())
    }

    fn is_valid(&mut self) -> bool {
        self.value.as_ref().is_some_and(&self.filter.is_kept)
    }

    fn text(&self) -> String {
        self.value.as_ref().map_or_else(String::new, |value| format!("{value:?}"))
    }
}

/// The values of [`Satisfying::search`].
///
/// ```
/// use retrospect::generator::Search;
/// use retrospect::prelude::*;
/// fn longest<G: Generator<Value = Vec<u8>>, F: Fn(&Vec<u8>) -> bool>(search: Search<'_, G, F>) -> usize {
///     search.take(100).map(|list| list.len()).max().unwrap_or(0)
/// }
/// let sorted = vec_of(0..10u8, ..=9).satisfying(|list| list.is_sorted());
/// assert!(longest(sorted.search(1)) > 3);
/// ```
pub struct Search<'g, G: Generator, F> {
    satisfying: &'g Satisfying<G, F>,
    source: Source<'g>,
    pool: Box<Pool>,
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Search<'_, G, F> {
    /// What the search has cost so far, and what it gave.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let even = within(0..1000).satisfying(|number| number % 2 == 0);
    /// let mut search = even.search(7);
    /// assert_eq!(search.by_ref().take(10).count(), 10);
    /// assert_eq!(search.counts().new, 10);
    /// ```
    pub fn counts(&self) -> SearchCounts {
        self.pool.counts()
    }

    /// At most this many more runs: the next new value, or `None` if there was none among them. For
    /// a search that shares its time with something else.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let none = within(0..1000).satisfying(|_| false);
    /// let mut search = none.search(7);
    /// assert_eq!(search.next_within(500), None);
    /// assert_eq!(search.counts().runs, 500);
    /// ```
    #[track_caller]
    pub fn next_within(&mut self, runs: u32) -> Option<G::Value> {
        let mut made = Made { filter: &self.satisfying.filter, value: None };
        match self.pool.search(&mut self.source, &mut made, runs) {
            Ok(true) => made.value,
            Ok(false) => None,
            Err(Stop) => panic!("cannot generate a value: {}", why(&self.source)),
        }
    }
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Iterator for Search<'_, G, F> {
    type Item = G::Value;

    #[track_caller]
    fn next(&mut self) -> Option<G::Value> {
        self.next_within(MAX_SEARCH)
    }
}

impl<G: Generator, F: Fn(&G::Value) -> bool> fmt::Debug for Search<'_, G, F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "search ({}): {:?}", written(self.satisfying.place), self.counts())
    }
}
