use super::distinct::{Item, add_distinct, by_choices, lengths_of};
use super::list::MAX_RESERVED;
use super::sequence::with_rests;
use super::{Lengths, length_problem};
use crate::generator::options::unexpected;
use crate::generator::shape::{Shape, Shapes};
use crate::generator::{Facts, Generate, Generator, Wanted, extent_of};
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector, inside_part};
use crate::sketch::Sketch;
use crate::source::{Drawn, MAX_TRIES, Source};
use std::collections::{BTreeSet, HashSet};
use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

/// Sets of items, as a `BTreeSet`. The number of items may be a length, a range of lengths, or any
/// (`..`).
///
/// An item that is there already is drawn again, so that lengths are kept; if there are not enough
/// different items, the set is smaller, and if it would be smaller than the least length,
/// generation stops with that reason. Where items are numbers or elements of which there are at
/// most 32, every number of them is as likely as the others. A set is recalled by its items in
/// ascending order, though any order of the same items makes it.
///
/// ```
/// use retrospect::prelude::*;
/// let digits = set_of(0..10, 2..=4);
/// assert!((2..=4).contains(&digits.sample(1).len()));
/// assert_eq!(digits.choices_of(&[7, 3].into()).unwrap().to_string(), "[3 7]");
/// assert_eq!(digits.replay(&Choices::default()), [0, 1].into());
/// ```
///
/// ```should_panic
/// # use retrospect::prelude::*;
/// set_of(0..3, 4..).sample(1); // only 3 different items were found where at least 4 are needed
/// ```
#[inline]
pub fn set_of<G: Generator<Value: Ord>>(item: G, lengths: impl Into<Lengths>) -> SetOf<BTreeSet<G::Value>, G> {
    SetOf::new(item, lengths.into())
}

/// Like [`set_of`], as a `HashSet`. Such a set is recalled by its items in the order of their
/// choices, the shorter and simpler ones first, whatever the hasher.
///
/// ```
/// use retrospect::prelude::*;
/// let digits = hash_set_of(0..10, ..);
/// assert_eq!(digits.choices_of(&[7, 3, 5].into()).unwrap().to_string(), "[3 5 7]");
/// ```
#[inline]
pub fn hash_set_of<G: Generator<Value: Hash + Eq>>(
    item: G,
    lengths: impl Into<Lengths>,
) -> SetOf<HashSet<G::Value>, G> {
    SetOf::new(item, lengths.into())
}

/// The generator made by [`set_of`] and [`hash_set_of`].
///
/// ```
/// use retrospect::generator::{Any, SetOf};
/// use retrospect::prelude::*;
/// use std::collections::BTreeSet;
/// fn few() -> SetOf<BTreeSet<u8>, Any<u8>> {
///     set_of(any::<u8>(), ..=2)
/// }
/// assert!(few().accepts(&BTreeSet::from([1, 2])) && !few().accepts(&BTreeSet::from([1, 2, 3])));
/// ```
pub struct SetOf<S, G> {
    item: G,
    lengths: Lengths,
    set: PhantomData<fn() -> S>,
}

impl<S, G> SetOf<S, G> {
    #[inline]
    fn new(item: G, lengths: Lengths) -> SetOf<S, G> {
        SetOf { item, lengths, set: PhantomData }
    }
}

impl<S, G: Clone> Clone for SetOf<S, G> {
    #[inline]
    fn clone(&self) -> SetOf<S, G> {
        SetOf::new(self.item.clone(), self.lengths)
    }
}

impl<S, G: Copy> Copy for SetOf<S, G> {}

impl<S, G: Debug> Debug for SetOf<S, G> {
    #[inline]
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "set_of({:?}, {:?})", self.item, self.lengths)
    }
}

/// The sets of the standard library: [`BTreeSet`] and [`HashSet`].
///
/// ```
/// use retrospect::generator::SetLike;
/// use retrospect::prelude::*;
/// use std::collections::HashSet;
/// let mut set = HashSet::from([1]);
/// assert!(!SetLike::add(&mut set, 1));
/// assert_eq!(SetLike::count(&set), 1);
/// ```
pub trait SetLike: Debug + Default {
    /// What it is a set of.
    type Item: Debug;
    /// Adds an item and says whether it is new.
    ///
    /// ```
    /// # use retrospect::generator::SetLike;
    /// # use retrospect::prelude::*;
    /// use std::collections::BTreeSet;
    /// let mut set = BTreeSet::new();
    /// assert!(SetLike::add(&mut set, 1));
    /// assert!(!SetLike::add(&mut set, 1));
    /// ```
    fn add(&mut self, item: Self::Item) -> bool;
    /// How many items there are.
    ///
    /// ```
    /// # use retrospect::generator::SetLike;
    /// # use retrospect::prelude::*;
    /// use std::collections::BTreeSet;
    /// assert_eq!(SetLike::count(&BTreeSet::from([1, 2, 2])), 2);
    /// ```
    fn count(&self) -> usize;
    /// An empty set with room for so many items, if that is of any use.
    #[doc(hidden)]
    fn with_room(_count: usize) -> Self {
        Self::default()
    }
    /// Whether it keeps its items in an order of their own.
    #[doc(hidden)]
    const HAS_ORDER: bool = true;
    /// The items, in an order that does not depend on chance: their own, or that of the choices by
    /// which `generator` makes them, if there is one.
    #[doc(hidden)]
    fn ordered<G: Generator<Value = Self::Item>>(&self, generator: Option<&G>) -> Vec<&Self::Item>;
}

impl<T: Debug + Ord> SetLike for BTreeSet<T> {
    type Item = T;
    #[inline]
    fn add(&mut self, item: T) -> bool {
        self.insert(item)
    }
    #[inline]
    fn count(&self) -> usize {
        self.len()
    }
    #[inline]
    fn ordered<G: Generator<Value = T>>(&self, _generator: Option<&G>) -> Vec<&T> {
        self.iter().collect()
    }
}

impl<T: Debug + Hash + Eq, H: BuildHasher + Default> SetLike for HashSet<T, H> {
    type Item = T;
    const HAS_ORDER: bool = false;
    #[inline]
    fn add(&mut self, item: T) -> bool {
        self.insert(item)
    }
    #[inline]
    fn count(&self) -> usize {
        self.len()
    }
    #[inline]
    fn with_room(count: usize) -> Self {
        HashSet::with_capacity_and_hasher(count.min(MAX_RESERVED), H::default())
    }
    #[inline]
    fn ordered<G: Generator<Value = T>>(&self, generator: Option<&G>) -> Vec<&T> {
        let Some(generator) = generator else { return self.iter().collect() };
        by_choices(generator, self.iter().map(|item| (item, ()))).into_iter().map(|(item, ())| item).collect()
    }
}

impl<S: SetLike<Item = G::Value>, G: Generator> Generator for SetOf<S, G> {
    type Value = S;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<S> {
        let lengths @ Lengths { min, max } = lengths_of(&self.item, self.lengths);
        let extent = extent_of(&self.item);
        let size = extent.kept_item_size(source.size(), min, max);
        source.repeat_of(extent, min, max, |source, count| {
            let mut set = S::with_room(count);
            let add = |source: &mut Source<'_>, how: Item| how.make(&self.item, source).map(|item| set.add(item));
            let kept = source.resized(size, |source| add_distinct(source, lengths, count, add))?;
            Ok((set, kept))
        })
    }

    #[inline]
    fn facts(&self, _: Wanted) -> Facts {
        Facts { extent: self.lengths.extent(extent_of(&self.item)), ..Facts::ONE_NODE }
    }

    #[inline]
    fn reflect(&self, value: &S, reflector: &mut Reflector) -> Reflected {
        // In the words of the lengths that were given.
        if let Some(problem) = length_problem(value.count(), self.lengths) {
            return reflector.mismatch(value, || problem);
        }
        let Lengths { min, max } = lengths_of(&self.item, self.lengths);
        reflector.distinct(extent_of(&self.item), (value.count(), min, max), value, |reflector, items| {
            let is_sorted_later = !S::HAS_ORDER && reflector.takes_any_order();
            let mut nodes = Vec::new();
            for (place, item) in value.ordered((!is_sorted_later).then_some(&self.item)).into_iter().enumerate() {
                nodes.push(reflector.next_node());
                reflector.part(Segment::Item(place), |reflector| {
                    items.look(reflector, |reflector| self.item.reflect(item, reflector))
                })?;
            }
            if is_sorted_later {
                reflector.sort_recorded(&nodes, inside_part);
            }
            Ok(())
        })
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<S> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let Some(items) = sketch.set_items() else {
            return Err(unexpected("a set", sketch, source));
        };
        let mut items: Vec<Sketch<'_>> = items.collect();
        if sketch.has_holes() && items.iter().any(Sketch::is_rest) {
            items = with_rests(items, Sketch::is_rest, self.lengths, sketch, source)?;
        }
        if let Some(problem) = length_problem(items.len(), self.lengths) {
            return Err(source.not_made(sketch.text(), || problem));
        }
        let mut set = S::with_room(items.len());
        // What is written comes first, so that what fills a hole can avoid it.
        let mut items: Vec<(usize, Sketch<'_>)> = items.into_iter().enumerate().collect();
        if sketch.has_holes() {
            items.sort_by_key(|(_, item)| (item.has_holes(), item.is_rest()));
        }
        for (place, item) in items {
            let is_new = source.at(Segment::Item(place), |source| {
                for _ in 0..if item.has_holes() { MAX_TRIES } else { 1 } {
                    let value = self.item.complete(&item, source)?;
                    if set.add(value) {
                        return Ok(true);
                    }
                }
                // There are no more that `..` could stand for.
                if item.is_rest() && set.count() >= self.lengths.min {
                    return Ok(false);
                }
                Err(source.not_made(item.text(), || "it is in the set already".to_owned()))
            })?;
            if !is_new {
                break;
            }
        }
        Ok(set)
    }
}

/// Sets of any size; see [`set_of`].
///
/// ```
/// use retrospect::prelude::*;
/// use std::collections::BTreeSet;
/// assert_eq!(any::<BTreeSet<u8>>().choices_of(&BTreeSet::from([5, 3])).unwrap().to_string(), "[3 5]");
/// ```
impl<T: Generate + Ord> Generate for BTreeSet<T> {
    type Generator = SetOf<BTreeSet<T>, T::Generator>;
    #[inline]
    fn generator() -> Self::Generator {
        set_of(T::generator(), ..)
    }
    #[inline]
    fn shape(shapes: &mut Shapes) -> Shape {
        let item = T::shape(shapes);
        shapes.optional(item)
    }
}

/// Sets of any size; see [`hash_set_of`].
///
/// ```
/// use retrospect::prelude::*;
/// use std::collections::HashSet;
/// let sets = any::<HashSet<u8>>();
/// assert_eq!(sets.sample(7), sets.sample(7));
/// assert_eq!(sets.read("{3, 5}").unwrap(), HashSet::from([5, 3]));
/// ```
impl<T: Generate + Hash + Eq, H: BuildHasher + Default> Generate for HashSet<T, H> {
    type Generator = SetOf<HashSet<T, H>, T::Generator>;
    #[inline]
    fn generator() -> Self::Generator {
        SetOf::new(T::generator(), (..).into())
    }
    #[inline]
    fn shape(shapes: &mut Shapes) -> Shape {
        let item = T::shape(shapes);
        shapes.optional(item)
    }
}
