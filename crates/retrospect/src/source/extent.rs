//! How a list shares the size with its items.
//!
//! A list of lists of strings that were all as long as the size allows would hold its third power
//! of characters. So a list has the fewer items the more parts each has, and its items have smaller
//! and smaller sizes: the first the whole, the second half, the third a third. A list holds one
//! that is large and many that are small, and a value grows with the square of the size at most,
//! however deep it is.

use super::Source;

/// What is known of the values of a generator before one is drawn.
///
/// It steers how long a list of them is. [`Source`] and [`Reflector`](crate::reflect::Reflector)
/// ask the same functions, so that probabilities are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// How many parts a value has while its lists are empty. Numbers count once, lists and strings
    /// twice. At least 1.
    pub n_parts: u32,
    /// Whether it holds more at larger sizes, from 1 on.
    pub grows: bool,
}

impl Extent {
    /// A number, or something as small.
    pub const NUMBER: Extent = Extent { n_parts: 1, grows: false };
    /// A list or a string without a limit.
    pub const LIST: Extent = Extent { n_parts: 2, grows: true };
    /// Anything.
    pub const UNKNOWN: Extent = Extent { n_parts: 1, grows: true };

    /// Both, one after the other.
    #[inline(always)]
    #[must_use]
    pub const fn and(self, other: Extent) -> Extent {
        Extent { n_parts: self.n_parts.saturating_add(other.n_parts), grows: self.grows | other.grows }
    }

    /// So many of them.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn times(self, count: usize) -> Extent {
        let count = if count > u32::MAX as usize { u32::MAX } else { count as u32 };
        let n_parts = self.n_parts.saturating_mul(count);
        Extent { n_parts: if n_parts == 0 { 1 } else { n_parts }, ..self }
    }

    /// The most items of a list that a random source of this size draws.
    #[inline(always)]
    pub(crate) fn likely_max(self, size: u32, min: usize, max: usize) -> usize {
        let more = match self.grows {
            _ if max != usize::MAX => return max,
            true => divided(size, self.n_parts.into()),
            // Two or three numbers are no more to read than a string.
            false => size.div_ceil(self.n_parts.isqrt()),
        };
        min.saturating_add(more as usize)
    }

    /// The size of the item at `place` among `count`: the whole divided by the root of its parts
    /// and by its rank. Ranks go up from the front or, in lists of an even length, from the end.
    #[inline]
    pub(crate) fn item_size(self, size: u32, place: usize, count: usize) -> u32 {
        let rank = if count.is_multiple_of(2) { count - place } else { place + 1 };
        divided(size, self.n_parts.into()).div_ceil(u32::try_from(rank).unwrap_or(u32::MAX))
    }

    /// The size of each item where fewer may be kept than were wanted. It must not depend on how
    /// many were wanted, since nobody can tell that from the value.
    #[inline(always)]
    pub(crate) fn kept_item_size(self, size: u32, min: usize, max: usize) -> u32 {
        if !self.grows {
            return size;
        }
        let usual = self.likely_max(size, min, max).isqrt().max(1) as u64;
        divided(size, usual.saturating_mul(self.n_parts.into()))
    }
}

/// The size divided by the root of a number, rounded up: 0 stays 0, and nothing else becomes 0.
#[inline(always)]
fn divided(size: u32, by: u64) -> u32 {
    if by == 1 || size == 0 { size } else { divided_by_root(size, by) }
}

fn divided_by_root(size: u32, by: u64) -> u32 {
    let square = u64::from(size) * u64::from(size);
    ((square - 1) / by.max(1)).isqrt() as u32 + 1
}

impl<'a> Source<'a> {
    /// Runs `body`, which makes the item at `place` among `count`, at the size that it has.
    #[inline(always)]
    pub(crate) fn at_item_size<T>(
        &mut self,
        item: Extent,
        (place, count): (usize, usize),
        body: impl FnOnce(&mut Source<'a>) -> T,
    ) -> T {
        if !item.grows {
            return body(self);
        }
        self.resized(item.item_size(self.size, place, count), body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_divided_by_roots_and_rounded_up() {
        let by = |size, by| divided(size, by);
        assert_eq!((by(100, 1), by(100, 4), by(100, 100), by(100, 2)), (100, 50, 10, 71));
        assert_eq!((by(0, 5), by(1, 5), by(1, u64::MAX), by(u32::MAX, 1)), (0, 1, 1, u32::MAX));
        for size in 1..200 {
            for number in 1..200 {
                let part = u64::from(by(size, number));
                let square = u64::from(size * size);
                assert!(part * part * number >= square && (part - 1) * (part - 1) * number < square);
            }
        }
    }

    #[test]
    fn lists_are_shorter_the_more_parts_an_item_has() {
        let record = Extent::NUMBER.and(Extent::NUMBER).and(Extent::LIST);
        assert_eq!(record, Extent { n_parts: 4, grows: true });
        assert_eq!(Extent::NUMBER.likely_max(100, 0, usize::MAX), 100);
        assert_eq!(record.likely_max(100, 1, usize::MAX), 51);
        assert_eq!(Extent::LIST.likely_max(100, 0, usize::MAX), 71);
        assert_eq!(Extent::NUMBER.times(2).likely_max(100, 0, usize::MAX), 100);
        assert_eq!(Extent::NUMBER.times(12).likely_max(100, 0, usize::MAX), 34);
        assert_eq!(record.likely_max(100, 0, 99), 99);
    }

    #[test]
    fn some_items_are_large_and_many_are_small() {
        let sizes = |count: usize| (0..count).map(move |place| Extent::UNKNOWN.item_size(100, place, count));
        assert_eq!(sizes(1).collect::<Vec<_>>(), [100]);
        assert_eq!(sizes(4).collect::<Vec<_>>(), [25, 34, 50, 100]);
        assert_eq!(sizes(5).collect::<Vec<_>>(), [100, 50, 34, 25, 20]);
        assert_eq!((sizes(49).next_back(), sizes(99_999).next_back()), (Some(3), Some(1)));
    }
}
