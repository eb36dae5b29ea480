//! Choices among given items: one of them, some of them, all of them in another order.

use super::Lengths;
use super::sequence::sketched_items;
use crate::choice::Site;
use crate::generator::{Facts, Generator, Wanted};
use crate::mismatch::{Segment, shortened};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Chance, CustomDistribution, Distribution, Drawn, Form, MAX_TRIES, Rng, Source, Stop, Why};
use std::fmt::{self, Debug};
use std::panic::Location;

/// The items to choose from: an array, a vector, a slice, or a reference to one.
///
/// ```
/// use retrospect::prelude::*;
/// let words: Vec<String> = vec!["yes".to_owned(), "no".to_owned()];
/// assert!(element_of(&words).accepts(&words[1]));
/// assert!(element_of(words.as_slice()).accepts(&words[1]));
/// ```
pub trait Items {
    /// What an item is.
    type Item;
    #[doc(hidden)]
    fn items(&self) -> &[Self::Item];
}

macro_rules! items {
    ($($items:ty $(, [$($bound:tt)*])?;)*) => {$(
        impl<T $(, $($bound)*)?> Items for $items {
            type Item = T;
            #[inline]
            fn items(&self) -> &[T] {
                &self[..]
            }
        }
    )*};
}

items! {
    [T; N], [const N: usize];
    &[T; N], [const N: usize];
    &[T];
    Vec<T>;
    &Vec<T>;
    Box<[T]>;
    std::sync::Arc<[T]>;
}

/// One of these items, each as likely as the others. The first is the simplest.
///
/// ```
/// use retrospect::prelude::*;
/// let methods = element_of(["GET", "POST", "PUT"]);
/// assert_eq!(methods.choices_of(&"PUT").unwrap().to_string(), "2");
/// assert_eq!(methods.choices_of(&"put").unwrap_err().reason(), r#"it is none of ["GET", "POST", "PUT"]"#);
/// assert_eq!(methods.replay(&Choices::default()), "GET");
/// ```
///
/// Backward, the first item that equals the value is noted; `Ways::count` counts them all. With no
/// items there is nothing to make, which is an error that names this place.
#[track_caller]
pub fn element_of<I>(items: I) -> ElementOf<I>
where
    I: Items,
    I::Item: Clone + PartialEq + Debug,
{
    ElementOf { items, place: Location::caller() }
}

/// Some of these items, in their order.
///
/// How many may be a length, a range of lengths, or any number (`..`). Shrinking drops items and
/// moves to earlier ones, so the simplest is the shortest list of first items.
///
/// ```
/// use retrospect::prelude::*;
/// let flags = subsequence_of(["-a", "-b", "-c", "-d"], ..=2);
/// assert_eq!(flags.choices_of(&vec!["-b", "-d"]).unwrap().to_string(), "[1 3]");
/// assert_eq!(flags.choices_of(&vec!["-d", "-b"]).unwrap_err().path(), "[1]");
/// assert_eq!(flags.replay(&Choices::default()), Vec::<&str>::new());
/// ```
///
/// Each number is the position of an item. Every length is as likely as the others, and so is every
/// list of a length. Backward, the first positions are noted where equal items leave a choice, and
/// they alone count in `Ways::count`. Asking for more items than there are is an error that names
/// this place.
#[track_caller]
pub fn subsequence_of<I>(items: I, lengths: impl Into<Lengths>) -> SubsequenceOf<I>
where
    I: Items,
    I::Item: Clone + PartialEq + Debug,
{
    SubsequenceOf { items, lengths: lengths.into(), place: Location::caller() }
}

/// All of these items, in any order, each order as likely as the others. Their own order is the
/// simplest.
///
/// ```
/// use retrospect::prelude::*;
/// let orders = permutation_of([1, 2, 3]);
/// assert_eq!(orders.replay(&Choices::default()), [1, 2, 3]);
/// assert_eq!(orders.choices_of(&vec![2, 1, 3]).unwrap().to_string(), "(1 0)");
/// assert_eq!(orders.choices_of(&vec![2, 2, 3]).unwrap_err().reason(), "it is none of the items left: [1, 3]");
/// ```
///
/// Recorded is, for each place but the last, how far away stands the item that is swapped into it.
/// Backward, the nearest of equal items is noted, and it alone counts in `Ways::count`; how likely
/// an order is, `Ways::probability` says for all of them together.
///
/// ```
/// # use retrospect::prelude::*;
/// let orders = permutation_of([1, 1, 2]);
/// assert_eq!(orders.ways_of(&vec![1, 2, 1]).count().to_string(), "1");
/// assert_eq!(orders.ways_of(&vec![1, 2, 1]).probability().unwrap().to_string(), "1/3");
/// ```
#[track_caller]
pub fn permutation_of<I>(items: I) -> PermutationOf<I>
where
    I: Items,
    I::Item: Clone + PartialEq + Debug,
{
    PermutationOf { items, site: Site::at("permutation_of", &[], Location::caller()) }
}

/// The generator made by [`element_of`].
///
/// ```
/// use retrospect::generator::ElementOf;
/// use retrospect::prelude::*;
/// fn primes() -> ElementOf<[u8; 4]> {
///     element_of([2, 3, 5, 7])
/// }
/// assert!(primes().accepts(&5) && !primes().accepts(&6));
/// ```
#[derive(Clone, Copy)]
pub struct ElementOf<I> {
    items: I,
    place: &'static Location<'static>,
}

/// The generator made by [`subsequence_of`].
///
/// ```
/// use retrospect::generator::SubsequenceOf;
/// use retrospect::prelude::*;
/// fn some_primes() -> SubsequenceOf<[u8; 4]> {
///     subsequence_of([2, 3, 5, 7], ..)
/// }
/// assert!(some_primes().accepts(&vec![2, 7]) && !some_primes().accepts(&vec![7, 2]));
/// ```
#[derive(Clone, Copy)]
pub struct SubsequenceOf<I> {
    items: I,
    lengths: Lengths,
    place: &'static Location<'static>,
}

/// The generator made by [`permutation_of`].
///
/// ```
/// use retrospect::generator::PermutationOf;
/// use retrospect::prelude::*;
/// fn orders() -> PermutationOf<[char; 3]> {
///     permutation_of(['a', 'b', 'c'])
/// }
/// assert!(orders().accepts(&vec!['c', 'a', 'b']) && !orders().accepts(&vec!['c', 'a']));
/// ```
#[derive(Clone, Copy)]
pub struct PermutationOf<I> {
    items: I,
    site: &'static Site,
}

impl<I> Generator for ElementOf<I>
where
    I: Items,
    I::Item: Clone + PartialEq + Debug,
{
    type Value = I::Item;

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { has_one_way: false, ..Facts::NUMBER }.known(self, wanted, || {
            (
                self.items.items().len().checked_sub(1).map_or(Form::Unknown, |last| Form::Number { max: last as u64 }),
                None,
            )
        })
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<I::Item> {
        let items = self.items.items();
        let Some(last) = items.len().checked_sub(1) else {
            return Err(source.stop(Why::Invalid(self.no_items())));
        };
        let index = source.number(last as u64, Distribution::Uniform)?;
        Ok(items[index as usize].clone())
    }

    #[inline]
    fn reflect(&self, value: &I::Item, reflector: &mut Reflector) -> Reflected {
        let items = self.items.items();
        let Some(first) = items.iter().position(|item| item == value) else {
            return reflector.mismatch(value, || self.reason());
        };
        let max = items.len() as u64 - 1;
        if !items[first + 1..].contains(value) {
            return reflector.number(first as u64, max, Distribution::Uniform);
        }
        let equal: Vec<usize> = (first..items.len()).filter(|place| items[*place] == *value).collect();
        reflector.ways(equal.len(), |reflector, way| reflector.number(equal[way] as u64, max, Distribution::Uniform))
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<I::Item> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let mut fitting = self.items.items().iter().filter(|item| sketch.matches_debug(item));
        let item = if sketch.has_holes() {
            let fitting: Vec<_> = fitting.collect();
            let start = source.dice() as usize;
            start.checked_rem(fitting.len()).map(|place| fitting[place])
        } else {
            fitting.next()
        };
        item.cloned().ok_or_else(|| source.not_made(sketch.text(), || self.reason()))
    }
}

impl<I> ElementOf<I>
where
    I: Items,
    I::Item: Debug,
{
    #[inline]
    fn no_items(&self) -> String {
        format!("`element_of` ({}:{}) has no items to choose from", self.place.file(), self.place.line())
    }

    #[inline]
    fn reason(&self) -> String {
        match self.items.items() {
            [] => self.no_items(),
            items => format!("it is none of {}", shortened(&items)),
        }
    }
}

impl<I> Generator for SubsequenceOf<I>
where
    I: Items,
    I::Item: Clone + PartialEq + Debug,
{
    type Value = Vec<I::Item>;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<Vec<I::Item>> {
        let items = self.items.items();
        let Lengths { min, max } = self.lengths;
        if items.len() < min && min <= max {
            return Err(source.stop(Why::Invalid(self.too_few())));
        }
        source.repeat(min, max.min(items.len()).max(min.min(max)), |source, count| {
            let mut next = 0;
            let mut chosen = Vec::with_capacity(count);
            for left in (0..count).rev() {
                let last = items.len() - 1 - left;
                // Positions that shrinking made too small are recorded as they are used: without
                // its first items, a list keeps the others.
                let distribution = first_of_several(next, left + 1);
                let place = source.part(|source| source.number_from(next as u64, last as u64, distribution))? as usize;
                chosen.push(items[place].clone());
                next = place + 1;
            }
            Ok((chosen, count))
        })
    }

    #[inline]
    fn reflect(&self, value: &Vec<I::Item>, reflector: &mut Reflector) -> Reflected {
        let items = self.items.items();
        let Lengths { min, max } = self.lengths;
        let chances = || chances_of_subsequence(value, items, self.lengths);
        let body = |reflector: &mut Reflector| {
            reflector.repeat(value.len(), min, max, value, |reflector| {
                let mut next = 0;
                for (position, item) in value.iter().enumerate() {
                    let last = items.len().saturating_sub(value.len() - position);
                    reflector.part(Segment::Item(position), |reflector| {
                        // If the items can be found at all, they are found by taking each as early
                        // as possible.
                        match items.iter().skip(next).position(|other| other == item) {
                            Some(distance) => {
                                let place = next + distance;
                                let distribution = first_of_several(next, value.len() - position);
                                next = place + 1;
                                reflector.number(place as u64, last as u64, distribution)
                            }
                            None => reflector.mismatch(item, || self.reason(item, next)),
                        }
                    })?;
                }
                Ok(())
            })
        };
        reflector.weighed(chances, body)
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Vec<I::Item>> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let has_rest = sketch.items().is_some_and(|mut items| items.any(|item| item.is_rest()));
        let Lengths { min, max } = self.lengths;
        let (max, tries) = if has_rest { (max.min(self.items.items().len()), MAX_TRIES) } else { (max, 1) };
        let made = source.tries_of_way(sketch.text(), tries, |source, _| {
            let parts = sketched_items(Lengths { min, max }, sketch, source)?;
            self.complete_parts(&parts, source)
        });
        made.unwrap_or(Err(Stop))
    }
}

impl<I> SubsequenceOf<I>
where
    I: Items,
    I::Item: Clone + PartialEq + Debug,
{
    /// Items that fit these parts, in their order.
    #[inline]
    fn complete_parts(&self, parts: &[Sketch<'_>], source: &mut Source<'_>) -> Drawn<Vec<I::Item>> {
        let items = self.items.items();
        // The last place that each part may have, found from the end.
        let mut latest = vec![0; parts.len()];
        let mut end = items.len();
        for (position, part) in parts.iter().enumerate().rev() {
            let Some(place) = (0..end).rev().find(|place| part.matches_debug(&items[*place])) else {
                return source.at(Segment::Item(position), |source| {
                    Err(source.not_made(part.text(), || {
                        format!("it is none of the first {end} items of {}", shortened(&items))
                    }))
                });
            };
            latest[position] = place;
            end = place;
        }
        let mut next = 0;
        let mut chosen = Vec::with_capacity(parts.len());
        for (part, latest) in parts.iter().zip(latest) {
            let mut fitting = (next..=latest).filter(|place| part.matches_debug(&items[*place]));
            let place = if part.has_holes() {
                let fitting: Vec<usize> = fitting.collect();
                fitting[source.dice() as usize % fitting.len()]
            } else {
                fitting.next().unwrap_or(latest)
            };
            chosen.push(items[place].clone());
            next = place + 1;
        }
        Ok(chosen)
    }
}

/// How likely each subsequence is: all choices of so many positions are as likely as each other,
/// and several may give the same items.
fn chances_of_subsequence<T: PartialEq>(value: &[T], items: &[T], lengths: Lengths) -> Result<Vec<Chance>, String> {
    let (count, most) = (value.len(), lengths.max.min(items.len()));
    // How often the first of the wanted items stand in order among the items looked at so far.
    let mut embeddings = vec![0u128; count + 1];
    embeddings[0] = 1;
    for item in items {
        for place in (0..count).rev() {
            if value[place] == *item {
                let more = embeddings[place + 1].checked_add(embeddings[place]);
                embeddings[place + 1] = more.ok_or("it can be made in more than 2^128 ways")?;
            }
        }
    }
    let mut chances = vec![Chance::new(1, (most - lengths.min) as u128 + 1), Chance::new(embeddings[count], 1)];
    for place in 0..count {
        chances.push(Chance::new(place as u128 + 1, (items.len() - place) as u128));
    }
    Ok(chances)
}

/// How likely each permutation is: items that are equal may change places.
fn chances_of_permutation<T: PartialEq>(value: &[T]) -> Vec<Chance> {
    let mut chances = Vec::new();
    for (place, item) in value.iter().enumerate() {
        let equal = value[place..].iter().filter(|other| *other == item).count();
        chances.push(Chance::new(equal as u128, (value.len() - place) as u128));
    }
    chances
}

/// How the first of several positions is drawn if every choice of `count` positions from `next` on
/// is to be as likely as the others.
#[inline]
fn first_of_several(next: usize, count: usize) -> Distribution {
    let draw = |max: u64, [next, count, ..]: [u64; 4], rng: &mut Rng| {
        // Each position in turn is taken with the share that the wanted ones have of those left.
        (next..max).find(|place| rng.at_most(max - place + count - 1) < count).unwrap_or(max)
    };
    let chance = |place: u64, max: u64, [next, count, ..]: [u64; 4]| {
        if place < next {
            return Some(Chance::NEVER);
        }
        let mut chance = Chance::new(count.into(), u128::from(max - place) + u128::from(count));
        for before in next..place {
            let left = u128::from(max - before);
            chance = chance.times(Chance::new(left, left + u128::from(count)))?;
        }
        Some(chance)
    };
    Distribution::Custom(CustomDistribution {
        draw,
        parameters: [next as u64, count as u64, 0, 0],
        chance: Some(chance),
    })
}

impl<I> SubsequenceOf<I>
where
    I: Items,
    I::Item: PartialEq + Debug,
{
    #[inline]
    fn too_few(&self) -> String {
        let (count, min) = (self.items.items().len(), self.lengths.min);
        let (file, line) = (self.place.file(), self.place.line());
        format!("`subsequence_of` ({file}:{line}) has {count} items, and there must be at least {min}")
    }

    #[inline]
    fn reason(&self, item: &I::Item, next: usize) -> String {
        let items = self.items.items();
        match items.get(next..) {
            Some(rest) if items[..next].contains(item) => {
                format!("it is none of the items that follow: {}", shortened(&rest))
            }
            _ => format!("it is none of {}", shortened(&items)),
        }
    }
}

impl<I> Generator for PermutationOf<I>
where
    I: Items,
    I::Item: Clone + PartialEq + Debug,
{
    type Value = Vec<I::Item>;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<Vec<I::Item>> {
        source.call(self.site, |source| {
            let mut items = self.items.items().to_vec();
            for place in 1..items.len() {
                let distance = source.number((items.len() - place) as u64, Distribution::Uniform)?;
                items.swap(place - 1, place - 1 + distance as usize);
            }
            Ok(items)
        })
    }

    #[inline]
    fn reflect(&self, value: &Vec<I::Item>, reflector: &mut Reflector) -> Reflected {
        let items = self.items.items();
        if value.len() != items.len() {
            let (count, wanted) = (value.len(), items.len());
            return reflector.mismatch(value, || format!("its length {count} is not {wanted}"));
        }
        let address = std::ptr::from_ref(value).cast();
        let chances = || Ok(chances_of_permutation(value));
        let body = |reflector: &mut Reflector| {
            reflector.call(
                self.site,
                || None,
                address,
                |reflector| {
                    let mut order: Vec<usize> = (0..items.len()).collect();
                    for (place, item) in value.iter().enumerate() {
                        let Some(distance) = order[place..].iter().position(|other| items[*other] == *item) else {
                            let left: Vec<_> = order[place..].iter().map(|other| &items[*other]).collect();
                            return reflector.part(Segment::Item(place), |reflector| {
                                reflector
                                    .mismatch(item, || format!("it is none of the items left: {}", shortened(&left)))
                            });
                        };
                        order.swap(place, place + distance);
                        let max = (items.len() - 1 - place) as u64;
                        if max > 0 {
                            reflector.number(distance as u64, max, Distribution::Uniform)?;
                        }
                    }
                    Ok(())
                },
            )
        };
        reflector.weighed(chances, body)
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Vec<I::Item>> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let items = self.items.items();
        let parts = sketched_items(Lengths::from(items.len()), sketch, source)?;
        // In a random order, so that holes are filled at random.
        let mut order: Vec<usize> = (0..items.len()).collect();
        for place in (1..order.len()).rev() {
            order.swap(place, source.dice() as usize % (place + 1));
        }
        // What is written out is placed before what is left open.
        let mut positions: Vec<usize> = (0..parts.len()).collect();
        positions.sort_by_key(|position| (parts[*position].is_hole(), parts[*position].has_holes()));
        let mut owners = vec![None; items.len()];
        for position in positions {
            let fits = |part: usize, item: usize| parts[part].matches_debug(&items[item]);
            if !place(position, &order, &fits, &mut owners, &mut vec![false; items.len()]) {
                return source.at(Segment::Item(position), |source| {
                    Err(source.not_made(parts[position].text(), || {
                        format!("it is none of {}, or all that fit stand elsewhere", shortened(&items))
                    }))
                });
            }
        }
        let mut chosen: Vec<(usize, usize)> =
            owners.iter().enumerate().filter_map(|(item, owner)| Some(((*owner)?, item))).collect();
        chosen.sort_unstable();
        Ok(chosen.into_iter().map(|(_, item)| items[item].clone()).collect())
    }
}

/// Gives `part` an item that fits it, moving other parts to other items if need be (an augmenting
/// path).
#[inline]
fn place(
    part: usize,
    order: &[usize],
    fits: &dyn Fn(usize, usize) -> bool,
    owners: &mut [Option<usize>],
    was_tried: &mut [bool],
) -> bool {
    let fitting: Vec<usize> = order.iter().copied().filter(|item| !was_tried[*item] && fits(part, *item)).collect();
    if let Some(free) = fitting.iter().find(|item| owners[**item].is_none()) {
        owners[*free] = Some(part);
        return true;
    }
    for item in fitting {
        if std::mem::replace(&mut was_tried[item], true) {
            continue;
        }
        if owners[item].is_none_or(|owner| place(owner, order, fits, owners, was_tried)) {
            owners[item] = Some(part);
            return true;
        }
    }
    false
}

macro_rules! debug_items {
    ($($name:literal $generator:ident;)*) => {$(
        impl<I: Items<Item: Debug>> Debug for $generator<I> {
            #[inline]
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "{}({})", $name, shortened(&self.items.items()))
            }
        }
    )*};
}

debug_items! {
    "element_of" ElementOf;
    "subsequence_of" SubsequenceOf;
    "permutation_of" PermutationOf;
}
