//! How a list shares the size with its items.
//!
//! A list of lists of strings that were all as long as the size allows would hold its third power
//! of characters. So a list has the fewer items the more parts each has, and its items have the
//! smaller a size the more there are: both by the square root, so that a few large items and many
//! small ones occur, and a value grows with the square of the size at most, however deep it is.

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
    /// Whether the size matters to it.
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

    /// The size of each of `count` items.
    #[inline(always)]
    pub(crate) fn item_size(self, size: u32, count: usize) -> u32 {
        if !self.grows {
            return size;
        }
        divided(size, (count.max(1) as u64).saturating_mul(self.n_parts.into()))
    }

    /// The size of each item where fewer may be kept than were wanted. It must not depend on how
    /// many were wanted, since nobody can tell that from the value.
    #[inline(always)]
    pub(crate) fn kept_item_size(self, size: u32, min: usize, max: usize) -> u32 {
        if !self.grows {
            return size;
        }
        self.item_size(size, self.likely_max(size, min, max).isqrt())
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
    /// Runs `body`, which makes `count` items of this extent, at the size that each of them has.
    #[inline(always)]
    pub(crate) fn sharing<T>(&mut self, extent: Extent, count: usize, body: impl FnOnce(&mut Source<'a>) -> T) -> T {
        // In most lists the size does not matter to the items, which is known when this is compiled.
        let before = self.size;
        if extent.grows {
            self.size = extent.item_size(before, count);
        }
        let result = body(self);
        if extent.grows {
            self.size = before;
        }
        result
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
        assert_eq!((record.item_size(100, 0), record.item_size(100, 25)), (50, 10));
        assert_eq!(Extent::NUMBER.times(12).item_size(100, 25), 100);
    }
}
