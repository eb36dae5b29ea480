use super::distinct::{Item, add_distinct, by_choices};
use super::list::MAX_RESERVED;
use super::sequence::with_rests;
use super::{Lengths, length_problem};
use crate::choice::{Entry, Site};
use crate::generator::options::unexpected;
use crate::generator::shape::{Shape, Shapes};
use crate::generator::{Facts, Generate, Generator, Wanted, extent_of, part};
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector, inside_part};
use crate::sketch::Sketch;
use crate::source::{Drawn, Extent, MAX_TRIES, Source, Stop};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

static ENTRY: Site = Site::call("entry", file!(), line!());

/// Maps from keys to values, as a `BTreeMap`. The number of entries may be a length, a range of
/// lengths, or any (`..`).
///
/// A key that is there already is drawn again, so that lengths are kept; if there are not enough
/// different keys, the map is smaller, and if it would be smaller than the least length, generation
/// stops with that reason. A map is recalled by its entries in the order of their keys, though any
/// order of the same entries makes it.
///
/// ```
/// use retrospect::prelude::*;
/// use std::collections::BTreeMap;
/// let maps = map_of(0..10, any::<bool>(), 1..=3);
/// assert_eq!(maps.choices_of(&BTreeMap::from([(7, true), (3, false)])).unwrap().to_string(), "[(3 0:false) (7 1:true)]");
/// assert_eq!(maps.replay(&Choices::default()), BTreeMap::from([(0, false)]));
/// let error = maps.choices_of(&BTreeMap::from([(12, true)])).unwrap_err();
/// assert_eq!(error.path(), "[0].key");
/// ```
#[inline]
pub fn map_of<K: Generator<Value: Ord>, V: Generator>(
    keys: K,
    values: V,
    lengths: impl Into<Lengths>,
) -> MapOf<BTreeMap<K::Value, V::Value>, K, V> {
    MapOf::new(keys, values, lengths.into())
}

/// Like [`map_of`], as a `HashMap`. Such a map is recalled by its entries in the order of their
/// keys' choices, the shorter and simpler ones first, whatever the hasher.
///
/// ```
/// use retrospect::prelude::*;
/// use std::collections::HashMap;
/// let maps = hash_map_of(0..10, any::<bool>(), ..);
/// assert_eq!(maps.choices_of(&HashMap::from([(7, true), (3, false)])).unwrap().to_string(), "[(3 0:false) (7 1:true)]");
/// ```
#[inline]
pub fn hash_map_of<K: Generator<Value: Hash + Eq>, V: Generator>(
    keys: K,
    values: V,
    lengths: impl Into<Lengths>,
) -> MapOf<HashMap<K::Value, V::Value>, K, V> {
    MapOf::new(keys, values, lengths.into())
}

/// The generator made by [`map_of`] and [`hash_map_of`].
///
/// ```
/// use retrospect::generator::{Any, MapOf};
/// use retrospect::prelude::*;
/// use std::collections::BTreeMap;
/// fn flags() -> MapOf<BTreeMap<u8, bool>, Any<u8>, Any<bool>> {
///     map_of(any::<u8>(), any::<bool>(), ..=3)
/// }
/// assert!(flags().accepts(&BTreeMap::from([(7, true)])));
/// ```
pub struct MapOf<M, K, V> {
    keys: K,
    values: V,
    lengths: Lengths,
    map: PhantomData<fn() -> M>,
}

impl<M, K, V> MapOf<M, K, V> {
    #[inline]
    pub(crate) fn new(keys: K, values: V, lengths: Lengths) -> MapOf<M, K, V> {
        MapOf { keys, values, lengths, map: PhantomData }
    }
}

impl<M, K: Clone, V: Clone> Clone for MapOf<M, K, V> {
    #[inline]
    fn clone(&self) -> MapOf<M, K, V> {
        MapOf::new(self.keys.clone(), self.values.clone(), self.lengths)
    }
}

impl<M, K: Copy, V: Copy> Copy for MapOf<M, K, V> {}

impl<M, K: Debug, V: Debug> Debug for MapOf<M, K, V> {
    #[inline]
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "map_of({:?}, {:?}, {:?})", self.keys, self.values, self.lengths)
    }
}

/// The maps of the standard library: [`BTreeMap`] and [`HashMap`].
///
/// ```
/// use retrospect::generator::MapLike;
/// use retrospect::prelude::*;
/// use std::collections::HashMap;
/// let mut map = HashMap::from([(1, 'x')]);
/// MapLike::add(&mut map, 2, 'y');
/// assert!(MapLike::has(&map, &2));
/// ```
pub trait MapLike: Debug + Default {
    /// The type of the keys.
    type Key: Debug;
    /// The type of the values.
    type Value: Debug;
    /// Whether there is an entry with that key.
    ///
    /// ```
    /// # use retrospect::generator::MapLike;
    /// # use retrospect::prelude::*;
    /// use std::collections::BTreeMap;
    /// assert!(MapLike::has(&BTreeMap::from([(1, 'x')]), &1));
    /// ```
    fn has(&self, key: &Self::Key) -> bool;
    /// Adds an entry.
    ///
    /// ```
    /// # use retrospect::generator::MapLike;
    /// # use retrospect::prelude::*;
    /// use std::collections::BTreeMap;
    /// let mut map = BTreeMap::new();
    /// MapLike::add(&mut map, 1, 'x');
    /// assert_eq!(map, BTreeMap::from([(1, 'x')]));
    /// ```
    fn add(&mut self, key: Self::Key, value: Self::Value);
    /// How many entries there are.
    ///
    /// ```
    /// # use retrospect::generator::MapLike;
    /// # use retrospect::prelude::*;
    /// use std::collections::BTreeMap;
    /// assert_eq!(MapLike::count(&BTreeMap::from([(1, 'x'), (2, 'y')])), 2);
    /// ```
    fn count(&self) -> usize;
    /// An empty map with room for so many entries, if that is of any use.
    #[doc(hidden)]
    fn with_room(_count: usize) -> Self {
        Self::default()
    }
    /// Whether it keeps its entries in the order of their keys.
    #[doc(hidden)]
    const HAS_ORDER: bool = true;
    /// The entries, in an order that does not depend on chance: that of their keys, or that of the
    /// choices by which `generator` makes them, if there is one.
    #[doc(hidden)]
    fn ordered<G: Generator<Value = Self::Key>>(&self, generator: Option<&G>) -> Vec<(&Self::Key, &Self::Value)>;
}

impl<K: Debug + Ord, V: Debug> MapLike for BTreeMap<K, V> {
    type Key = K;
    type Value = V;
    #[inline]
    fn has(&self, key: &K) -> bool {
        self.contains_key(key)
    }
    #[inline]
    fn add(&mut self, key: K, value: V) {
        self.insert(key, value);
    }
    #[inline]
    fn count(&self) -> usize {
        self.len()
    }
    #[inline]
    fn ordered<G: Generator<Value = K>>(&self, _generator: Option<&G>) -> Vec<(&K, &V)> {
        self.iter().collect()
    }
}

impl<K: Debug + Hash + Eq, V: Debug, H: BuildHasher + Default> MapLike for HashMap<K, V, H> {
    type Key = K;
    type Value = V;
    const HAS_ORDER: bool = false;
    #[inline]
    fn has(&self, key: &K) -> bool {
        self.contains_key(key)
    }
    #[inline]
    fn add(&mut self, key: K, value: V) {
        self.insert(key, value);
    }
    #[inline]
    fn count(&self) -> usize {
        self.len()
    }
    #[inline]
    fn with_room(count: usize) -> Self {
        HashMap::with_capacity_and_hasher(count.min(MAX_RESERVED), H::default())
    }
    #[inline]
    fn ordered<G: Generator<Value = K>>(&self, generator: Option<&G>) -> Vec<(&K, &V)> {
        let Some(generator) = generator else { return self.iter().collect() };
        by_choices(generator, self.iter())
    }
}

/// The choices of the key in those of an entry.
fn key_of(entry: &[Entry]) -> &[Entry] {
    match entry {
        [_, key, ..] => inside_part(&entry[1..2 + key.extent()]),
        entry => entry,
    }
}

impl<M, K: Generator, V: Generator> MapOf<M, K, V> {
    /// How much a key and a value hold.
    #[inline]
    fn entry(&self) -> Extent {
        extent_of(&self.keys).and(extent_of(&self.values))
    }
}

impl<M: MapLike<Key = K::Value, Value = V::Value>, K: Generator, V: Generator> Generator for MapOf<M, K, V> {
    type Value = M;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<M> {
        let Lengths { min, max } = self.lengths;
        let extent = self.entry();
        let size = extent.kept_item_size(source.size(), min, max);
        source.repeat_of(extent, min, max, |source, count| {
            let mut map = M::with_room(count);
            let add = |source: &mut Source<'_>, how: Item| {
                source.part(|source| {
                    source.call(&ENTRY, |source| {
                        let key = how.make(&self.keys, source)?;
                        if map.has(&key) {
                            return Ok(false);
                        }
                        let value = part(&self.values, source)?;
                        map.add(key, value);
                        Ok(true)
                    })
                })
            };
            let kept = source.resized(size, |source| add_distinct(source, self.lengths, count, add))?;
            Ok((map, kept))
        })
    }

    #[inline]
    fn facts(&self, _: Wanted) -> Facts {
        Facts { extent: self.lengths.extent(self.entry()), ..Facts::ONE_NODE }
    }

    #[inline]
    fn reflect(&self, value: &M, reflector: &mut Reflector) -> Reflected {
        let Lengths { min, max } = self.lengths;
        reflector.distinct(self.entry(), (value.count(), min, max), value, |reflector, keys| {
            let is_sorted_later = !M::HAS_ORDER && reflector.takes_any_order();
            let mut nodes = Vec::new();
            let entries = value.ordered((!is_sorted_later).then_some(&self.keys));
            for (place, (key, value)) in entries.into_iter().enumerate() {
                nodes.push(reflector.next_node());
                let start = std::ptr::from_ref(key).cast();
                // The bracket is one node by itself; a part around it would only repeat the place
                // in the path.
                reflector.call(
                    &ENTRY,
                    || None,
                    start,
                    |reflector| {
                        reflector.part(Segment::Key(place), |reflector| {
                            keys.look(reflector, |reflector| self.keys.reflect(key, reflector))
                        })?;
                        reflector.part(Segment::Value(place), |reflector| self.values.reflect(value, reflector))
                    },
                )?;
            }
            if is_sorted_later {
                reflector.sort_recorded(&nodes, key_of);
            }
            Ok(())
        })
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<M> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        // `{..}` has nothing that tells it from a set.
        if sketch.has_holes() && sketch.set_items().is_some_and(|mut items| items.all(|item| item.is_rest())) {
            return self.generate(source);
        }
        let Some(entries) = sketch.map_entries() else {
            return Err(unexpected("a map", sketch, source));
        };
        let mut entries: Vec<(Sketch<'_>, Sketch<'_>)> = entries.collect();
        if sketch.has_holes() && entries.iter().any(|(key, _)| key.is_rest()) {
            entries = with_rests(entries, |(key, _)| key.is_rest(), self.lengths, sketch, source)?;
        }
        if let Some(problem) = length_problem(entries.len(), self.lengths) {
            return Err(source.not_made(sketch.text(), || problem));
        }
        let mut map = M::with_room(entries.len());
        // What is written comes first, so that what fills a hole can avoid it.
        let mut entries: Vec<(usize, (Sketch<'_>, Sketch<'_>))> = entries.into_iter().enumerate().collect();
        if sketch.has_holes() {
            entries.sort_by_key(|(_, (key, _))| (key.has_holes(), key.is_rest()));
        }
        for (place, (key, value)) in entries {
            let found = source.at(Segment::Key(place), |source| {
                for _ in 0..if key.has_holes() { MAX_TRIES } else { 1 } {
                    let found = self.keys.complete(&key, source)?;
                    // A key without holes is looked up once, when it is added.
                    if !key.has_holes() || !map.has(&found) {
                        return Ok(Some(found));
                    }
                }
                // There are no more that `..` could stand for.
                if key.is_rest() && map.count() >= self.lengths.min {
                    return Ok(None);
                }
                Err(there_already(&key, source))
            })?;
            let Some(found) = found else { break };
            let value = source.at(Segment::Value(place), |source| self.values.complete(&value, source))?;
            let count = map.count();
            map.add(found, value);
            if map.count() == count {
                return Err(source.at(Segment::Key(place), |source| there_already(&key, source)));
            }
        }
        Ok(map)
    }
}

fn there_already(key: &Sketch<'_>, source: &mut Source<'_>) -> Stop {
    source.not_made(key.text(), || "it is a key of the map already".to_owned())
}

/// Maps of any size; see [`map_of`].
///
/// ```
/// use retrospect::prelude::*;
/// use std::collections::BTreeMap;
/// let map = BTreeMap::from([(3, true)]);
/// assert_eq!(any::<BTreeMap<u8, bool>>().choices_of(&map).unwrap().to_string(), "[(3 1:true)]");
/// ```
impl<K: Generate + Ord, V: Generate> Generate for BTreeMap<K, V> {
    type Generator = MapOf<BTreeMap<K, V>, K::Generator, V::Generator>;
    #[inline]
    fn generator() -> Self::Generator {
        map_of(K::generator(), V::generator(), ..)
    }
    #[inline]
    fn shape(shapes: &mut Shapes) -> Shape {
        let parts = vec![K::shape(shapes), V::shape(shapes)];
        let entry = shapes.all(parts);
        shapes.optional(entry)
    }
}

/// Maps of any size; see [`hash_map_of`].
///
/// ```
/// use retrospect::prelude::*;
/// use std::collections::HashMap;
/// let maps = any::<HashMap<u8, bool>>();
/// assert_eq!(maps.sample(7), maps.sample(7));
/// assert_eq!(maps.read("{3: true}").unwrap(), HashMap::from([(3, true)]));
/// ```
impl<K: Generate + Hash + Eq, V: Generate, H: BuildHasher + Default> Generate for HashMap<K, V, H> {
    type Generator = MapOf<HashMap<K, V, H>, K::Generator, V::Generator>;
    #[inline]
    fn generator() -> Self::Generator {
        MapOf::new(K::generator(), V::generator(), (..).into())
    }
    #[inline]
    fn shape(shapes: &mut Shapes) -> Shape {
        let parts = vec![K::shape(shapes), V::shape(shapes)];
        let entry = shapes.all(parts);
        shapes.optional(entry)
    }
}
