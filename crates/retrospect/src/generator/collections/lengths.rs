use crate::generator::{Facts, Generator, Wanted, hash_of_all};
use crate::source::{Extent, Form};
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// How long a list may be: `5`, `0..10`, `2..=4`, `1..`, `..=3` or `..`.
///
/// With an upper end every length is as likely as the others. Without one, a random source draws up
/// to [`size`](crate::source::Source::size) items more than the least, and longer lists still
/// reflect and replay.
///
/// Lists in lists share the size. Of records of four fields half as many are drawn as of numbers.
/// And where items hold lists or strings themselves, one has the whole size, another half, another
/// a third.
///
/// ```
/// use retrospect::prelude::*;
/// assert_eq!(vec_of(any::<bool>(), 3).sample(1).len(), 3);
/// assert!(vec_of(any::<bool>(), ..).accepts(&vec![true; 5000]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// The least.
    pub min: usize,
    /// The most; `usize::MAX` if there is no limit.
    pub max: usize,
}

impl From<usize> for Lengths {
    fn from(length: usize) -> Lengths {
        Lengths { min: length, max: length }
    }
}

impl From<RangeInclusive<usize>> for Lengths {
    fn from(range: RangeInclusive<usize>) -> Lengths {
        Lengths { min: *range.start(), max: *range.end() }
    }
}

impl From<Range<usize>> for Lengths {
    fn from(range: Range<usize>) -> Lengths {
        // An empty range such as 3..3 must stay empty: the least above the most.
        match range.end.checked_sub(1) {
            Some(max) => Lengths { min: range.start, max },
            None => Lengths { min: range.start.max(1), max: 0 },
        }
    }
}

impl From<RangeFrom<usize>> for Lengths {
    fn from(range: RangeFrom<usize>) -> Lengths {
        Lengths { min: range.start, max: usize::MAX }
    }
}

impl From<RangeFull> for Lengths {
    fn from(_: RangeFull) -> Lengths {
        Lengths { min: 0, max: usize::MAX }
    }
}

impl From<RangeToInclusive<usize>> for Lengths {
    fn from(range: RangeToInclusive<usize>) -> Lengths {
        Lengths { min: 0, max: range.end }
    }
}

impl From<RangeTo<usize>> for Lengths {
    fn from(range: RangeTo<usize>) -> Lengths {
        Lengths::from(0..range.end)
    }
}

impl Lengths {
    /// How much a list of items holds: as many as the user says count, and otherwise the size says
    /// how many there are.
    #[inline]
    pub(in crate::generator) fn extent(self, item: Extent) -> Extent {
        match self.max {
            usize::MAX => Extent::LIST,
            max => Extent::NUMBER.and(item.times(self.min.midpoint(max))),
        }
    }

    /// What is known of lists of such items.
    #[inline(always)]
    pub(in crate::generator) fn facts_of_list(self, list: &impl Generator, item: Facts, wanted: Wanted) -> Facts {
        let facts = Facts { extent: self.extent(item.extent), has_one_way: item.has_one_way, ..Facts::ONE_NODE };
        facts.known(list, wanted, || {
            let Lengths { min, max } = self;
            let form = Form::made_of("list", &[item.form, Form::of(&(min, max))]);
            (form, hash_of_all(&[item.identity, Some(min as u64), Some(max as u64)]))
        })
    }
}

/// What is wrong with a length, if anything.
pub(in crate::generator) fn length_problem(count: usize, lengths: Lengths) -> Option<String> {
    let Lengths { min, max } = lengths;
    match () {
        () if (min..=max).contains(&count) => None,
        () if max == usize::MAX => Some(format!("its length {count} is below {min}")),
        () if min == max => Some(format!("its length {count} is not {min}")),
        () => Some(format!("its length {count} is not in {min}..={max}")),
    }
}
