use super::Lengths;
use super::sequence::sketched_items;
use crate::generator::shape::{Shape, Shapes};
use crate::generator::{Facts, Generate, Generator, Wanted, extent_of, free_part};
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Keep, Source};
use std::borrow::Cow;
use std::collections::{BinaryHeap, LinkedList, VecDeque};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

/// Lists of items, of a number of items that may be a length, a range of lengths, or any (`..`).
///
/// ```
/// use retrospect::prelude::*;
/// let lists = vec_of(0..10, 1..=3);
/// assert_eq!(lists.choices_of(&vec![4, 2]).unwrap().to_string(), "[4 2]");
/// assert_eq!(lists.choices_of(&vec![]).unwrap_err().reason(), "its length 0 is not in 1..=3");
/// ```
pub fn vec_of<G: Generator>(item: G, lengths: impl Into<Lengths>) -> VecOf<G> {
    VecOf { item, lengths: lengths.into() }
}

/// The generator made by [`vec_of`].
///
/// ```
/// use retrospect::generator::{Any, VecOf};
/// use retrospect::prelude::*;
/// fn lists() -> VecOf<Any<u8>> {
///     vec_of(any::<u8>(), ..=3)
/// }
/// assert!(lists().accepts(&vec![1, 2, 3]) && !lists().accepts(&vec![0; 4]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct VecOf<G> {
    item: G,
    lengths: Lengths,
}

impl<G: Generator> VecOf<G> {
    /// The same lists as another type: `VecDeque`, `LinkedList`, `BinaryHeap`, `Box<[T]>`,
    /// `Rc<[T]>`, `Arc<[T]>`, `Cow<[T]>`.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use std::collections::VecDeque;
    /// let queues = vec_of(0..10, ..).as_type::<VecDeque<_>>();
    /// assert_eq!(queues.choices_of(&VecDeque::from([4, 2])).unwrap().to_string(), "[4 2]");
    /// ```
    pub fn as_type<L: ListLike<Item = G::Value>>(self) -> ListAs<L, G> {
        ListAs { list: self, as_type: PhantomData }
    }

    /// Items to which the size matters, each at its own.
    #[inline]
    fn growing(&self, count: usize, source: &mut Source<'_>) -> Drawn<Vec<G::Value>> {
        let (extent, size) = (extent_of(&self.item), source.size());
        let mut items = Vec::with_capacity(count.min(MAX_RESERVED));
        for place in 0..count {
            let made = source.resized(extent.item_size(size, place, count), |source| free_part(&self.item, source));
            match made {
                Ok(item) => items.push(item),
                Err(stop) => return Err(stop),
            }
        }
        Ok(items)
    }

    /// What is more than [`MAX_RESERVED`] items.
    #[cold]
    #[inline(never)]
    fn with_more(&self, mut items: Vec<G::Value>, count: usize, source: &mut Source<'_>) -> Drawn<Vec<G::Value>> {
        for _ in items.len()..count {
            items.push(free_part(&self.item, source)?);
        }
        Ok(items)
    }

    #[inline]
    fn reflect_items<'v>(
        &self,
        value: &dyn Debug,
        items: impl ExactSizeIterator<Item = &'v G::Value> + Clone,
        reflector: &mut Reflector,
    ) -> Reflected
    where
        G::Value: 'v,
    {
        let Lengths { min, max } = self.lengths;
        let (extent, count) = (extent_of(&self.item), items.len());
        reflector.repeat_of(extent, (count, min, max), value, |reflector| {
            if let Some(result) = self.item.reflect_many(items.clone(), reflector) {
                return result;
            }
            for (place, item) in items.enumerate() {
                reflector.at_item_size(extent, (place, count), |reflector| {
                    self.item.reflect_part(item, &[Segment::Item(place)], reflector)
                })?;
            }
            Ok(())
        })
    }
}

impl<G: Generator> Generator for VecOf<G> {
    type Value = Vec<G::Value>;

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        self.lengths.facts_of_list(self, self.item.facts(wanted), wanted)
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<Vec<G::Value>> {
        let Lengths { min, max } = self.lengths;
        let extent = extent_of(&self.item);
        source.repeat_all(extent, min, max, |source, count| {
            if extent.grows {
                return self.growing(count, source);
            }
            let first = count.min(MAX_RESERVED);
            let mut items = Vec::with_capacity(first);
            let mut filling = Filling::new(&mut items, first);
            self.item.generate_many(source, first, &mut filling)?;
            drop(filling);
            if count > first { self.with_more(items, count, source) } else { Ok(items) }
        })
    }

    #[inline]
    fn reflect(&self, value: &Vec<G::Value>, reflector: &mut Reflector) -> Reflected {
        self.reflect_items(value, value.iter(), reflector)
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Vec<G::Value>> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let begun = source.chance();
        let items = sketched_items(self.lengths, sketch, source)?;
        let mut made = Vec::with_capacity(items.len());
        source.shown_list(|source| {
            let (extent, count) = (extent_of(&self.item), items.len());
            for item in items {
                let (place, before) = (made.len(), source.chance());
                let value = source.at_item_size(extent, (place, count), |source| {
                    self.item.complete_part(&item, &[Segment::Item(place)], source)
                });
                // Of what stands for a rest there may be none.
                if value.is_err() && !item.is_rest() {
                    source.failed_independently(&before, &begun);
                }
                made.push(value?);
            }
            Ok(made)
        })
    }
}

/// Lists of any length; see [`vec_of`].
///
/// ```
/// use retrospect::prelude::*;
/// assert!(any::<Vec<u8>>().replay(&Choices::default()).is_empty());
/// assert_eq!(any::<Vec<u8>>().choices_of(&vec![4, 2]).unwrap().to_string(), "[4 2]");
/// ```
impl<T: Generate> Generate for Vec<T> {
    type Generator = VecOf<T::Generator>;
    fn generator() -> VecOf<T::Generator> {
        vec_of(T::generator(), ..)
    }
    fn shape(shapes: &mut Shapes) -> Shape {
        let item = T::shape(shapes);
        shapes.optional(item)
    }
}

/// A replayed tree may claim any number of items; no more than this is reserved on its word.
pub(in crate::generator) const MAX_RESERVED: usize = 1 << 16;

/// A list that is filled without asking for more room, as far as there is room. The list learns how
/// many items were kept at the end, also if making one stops or panics.
struct Filling<'v, T> {
    items: &'v mut Vec<T>,
    next: *mut T,
    room: usize,
    kept: usize,
}

impl<'v, T> Filling<'v, T> {
    #[inline(always)]
    fn new(items: &'v mut Vec<T>, room: usize) -> Filling<'v, T> {
        let spare = &mut items.spare_capacity_mut()[..room];
        let next = spare.as_mut_ptr().cast();
        Filling { items, next, room, kept: 0 }
    }
}

impl<T> Keep<T> for Filling<'_, T> {
    #[inline(always)]
    fn keep(&mut self, item: T) {
        if self.kept == self.room {
            // Not dropped: if it were, it would have to lie ready for that, and each item be moved
            // twice.
            std::mem::forget(item);
            too_many();
        }
        // SAFETY: there is room for one more, and nothing else uses the list while it is filled.
        unsafe { self.next.add(self.kept).write(item) };
        self.kept += 1;
    }

    #[inline(always)]
    fn keep_while(&mut self, count: usize, mut next: impl FnMut() -> Option<T>) -> usize {
        if count > self.room - self.kept {
            too_many();
        }
        let (first, most) = (self.kept, self.kept + count);
        while self.kept < most
            && let Some(item) = next()
        {
            // SAFETY: there is room for all of them.
            unsafe { self.next.add(self.kept).write(item) };
            self.kept += 1;
        }
        self.kept - first
    }
}

/// A generator's `generate_many` is wrong.
#[cold]
pub(in crate::generator) fn too_many() -> ! {
    panic!("a generator's `generate_many` made more values than it was asked for");
}

impl<T> Drop for Filling<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: that many items were written after those that were there, within the capacity.
        unsafe { self.items.set_len(self.items.len() + self.kept) };
    }
}

/// Other types that hold a list of items: see [`VecOf::as_type`].
///
/// ```
/// use retrospect::generator::ListLike;
/// use retrospect::prelude::*;
/// use std::collections::LinkedList;
/// assert_eq!(LinkedList::from_items(vec![1, 2]).items().len(), 2);
/// ```
pub trait ListLike: Debug {
    /// What it is a list of.
    type Item: Debug;
    /// The list with these items.
    ///
    /// ```
    /// # use retrospect::generator::ListLike;
    /// # use retrospect::prelude::*;
    /// use std::collections::VecDeque;
    /// assert_eq!(VecDeque::from_items(vec![1, 2]), VecDeque::from([1, 2]));
    /// ```
    fn from_items(items: Vec<Self::Item>) -> Self;
    /// The items, in an order from which [`from_items`](ListLike::from_items) makes the same list.
    ///
    /// ```
    /// # use retrospect::generator::ListLike;
    /// # use retrospect::prelude::*;
    /// use std::collections::VecDeque;
    /// let mut queue = VecDeque::from([2, 3]);
    /// queue.push_front(1);
    /// assert_eq!(queue.items().copied().collect::<Vec<_>>(), [1, 2, 3]);
    /// ```
    fn items(&self) -> impl ExactSizeIterator<Item = &Self::Item> + Clone;
    /// Whether no other items make the same list.
    #[doc(hidden)]
    fn is_made_in_one_way(&self) -> bool {
        true
    }
}

/// The generator made by [`VecOf::as_type`].
///
/// ```
/// use retrospect::generator::{Any, ListAs};
/// use retrospect::prelude::*;
/// use std::collections::VecDeque;
/// fn queues() -> ListAs<VecDeque<u8>, Any<u8>> {
///     vec_of(any::<u8>(), ..=3).as_type()
/// }
/// assert!(queues().accepts(&VecDeque::from([1, 2])));
/// ```
pub struct ListAs<L, G> {
    list: VecOf<G>,
    as_type: PhantomData<fn() -> L>,
}

impl<L, G: Clone> Clone for ListAs<L, G> {
    fn clone(&self) -> ListAs<L, G> {
        ListAs { list: self.list.clone(), as_type: PhantomData }
    }
}

impl<L, G: Copy> Copy for ListAs<L, G> {}

impl<L, G: Debug> Debug for ListAs<L, G> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:?}.as_type::<{}>()", self.list, std::any::type_name::<L>())
    }
}

impl<L: ListLike<Item = G::Value>, G: Generator> Generator for ListAs<L, G> {
    type Value = L;
    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<L> {
        self.list.generate(source).map(L::from_items)
    }
    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { has_one_way: false, ..self.list.facts(wanted) }
    }

    #[inline]
    fn reflect(&self, value: &L, reflector: &mut Reflector) -> Reflected {
        if !value.is_made_in_one_way() {
            reflector
                .unknown(|| "it can be made of its items in other orders than the one that is looked at".to_owned());
        }
        self.list.reflect_items(value, value.items(), reflector)
    }
    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<L> {
        self.list.complete(sketch, source).map(L::from_items)
    }
}

macro_rules! lists {
    ($([$($bound:path),*] $list:ty, $items:ident => $from:expr $(, in one way if $self:ident: $is_made_in_one_way:expr)?;)*) => {$(
        impl<T: Debug $(+ $bound)*> ListLike for $list {
            type Item = T;
            #[inline]
            fn from_items($items: Vec<T>) -> Self {
                $from
            }
            fn items(&self) -> impl ExactSizeIterator<Item = &T> + Clone {
                self.iter()
            }
            $(
                fn is_made_in_one_way(&$self) -> bool {
                    $is_made_in_one_way
                }
            )?
        }
    )*};
}

lists! {
    [] VecDeque<T>, items => items.into();
    [] LinkedList<T>, items => items.into_iter().collect();
    [] Box<[T]>, items => items.into();
    [] Rc<[T]>, items => items.into();
    [] Arc<[T]>, items => items.into();
    [Clone] Cow<'_, [T]>, items => Cow::Owned(items);
    [Ord] BinaryHeap<T>, items => items.into(), in one way if self: self.len() < 2;
}

macro_rules! generate_lists {
    ($($(#[$doc:meta])* [$($bound:path),*] $list:ty;)*) => {$(
        $(#[$doc])*
        impl<T: Generate $(+ $bound)*> Generate for $list {
            type Generator = ListAs<Self, T::Generator>;
            fn generator() -> Self::Generator {
                vec_of(T::generator(), ..).as_type()
            }
            fn shape(shapes: &mut Shapes) -> Shape {
                let item = T::shape(shapes);
                shapes.optional(item)
            }
        }
    )*};
}

generate_lists! {
    /// Queues of any length; see [`VecOf::as_type`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use std::collections::VecDeque;
    /// assert_eq!(any::<VecDeque<u8>>().choices_of(&VecDeque::from([4, 2])).unwrap().to_string(), "[4 2]");
    /// ```
    [] VecDeque<T>;
    /// Lists of any length; see [`VecOf::as_type`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use std::collections::LinkedList;
    /// assert_eq!(any::<LinkedList<u8>>().choices_of(&LinkedList::from([4, 2])).unwrap().to_string(), "[4 2]");
    /// ```
    [] LinkedList<T>;
    /// Slices of any length; see [`VecOf::as_type`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert_eq!(*any::<Box<[u8]>>().read("[4, 2]").unwrap(), [4, 2]);
    /// ```
    [] Box<[T]>;
    [] Rc<[T]>;
    [] Arc<[T]>;
    [Clone] Cow<'_, [T]>;
    /// Items in any order make a heap. It is recalled by its items in the order in which they lie
    /// inside, which is also what `Debug` prints: items in that order make the very same heap.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use std::collections::BinaryHeap;
    /// let heaps = any::<BinaryHeap<u8>>();
    /// let again = heaps.replay(&heaps.choices_of(&BinaryHeap::from([1, 5, 3])).unwrap());
    /// assert_eq!(again.into_sorted_vec(), [1, 3, 5]);
    /// ```
    [Ord] BinaryHeap<T>;
}
