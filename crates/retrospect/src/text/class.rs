//! Sets of characters: those that a class stands for, in their order, and those that may come next.

use crate::source::{Chance, CustomDistribution, Distribution};
use std::fmt::{self, Write};
use std::ops::{Bound, Range, RangeBounds, RangeFrom, RangeInclusive};

/// What a class of characters may be made of: a character, a range of them, or a string as it
/// stands in the brackets of a regular expression: `"a-z"`, `"a-zA-Z0-9_"`, `"+-"`. A `-` is itself
/// where it is first or last; `^` and `\` are themselves everywhere.
///
/// ```
/// use retrospect::prelude::*;
/// let names = text::class(["a-z_", "0-9"]);
/// assert!(["a", "_", "7"].iter().all(|name| names.accepts(&name.to_string())));
/// assert!(text::class(['a'..='f']).accepts(&"f".to_owned()));
/// assert!(text::class(['x', 'y']).accepts(&"y".to_owned()));
/// ```
pub trait CharRanges {
    /// Adds its ranges, both ends included, in order.
    #[doc(hidden)]
    fn add_to(&self, ranges: &mut Vec<(char, char)>);
}

impl CharRanges for char {
    fn add_to(&self, ranges: &mut Vec<(char, char)>) {
        ranges.push((*self, *self));
    }
}

impl CharRanges for RangeInclusive<char> {
    fn add_to(&self, ranges: &mut Vec<(char, char)>) {
        ranges.push((*self.start(), *self.end()));
    }
}

impl CharRanges for Range<char> {
    fn add_to(&self, ranges: &mut Vec<(char, char)>) {
        ranges.push(ends_of(self));
    }
}

impl CharRanges for RangeFrom<char> {
    fn add_to(&self, ranges: &mut Vec<(char, char)>) {
        ranges.push((self.start, char::MAX));
    }
}

impl CharRanges for str {
    fn add_to(&self, ranges: &mut Vec<(char, char)>) {
        let mut rest = self.chars();
        while let Some(low) = rest.next() {
            let mut ahead = rest.clone();
            match (ahead.next(), ahead.next()) {
                (Some('-'), Some(high)) => {
                    ranges.push((low, high));
                    rest = ahead;
                }
                _ => ranges.push((low, low)),
            }
        }
    }
}

impl CharRanges for String {
    fn add_to(&self, ranges: &mut Vec<(char, char)>) {
        self.as_str().add_to(ranges);
    }
}

impl<R: CharRanges + ?Sized> CharRanges for &R {
    fn add_to(&self, ranges: &mut Vec<(char, char)>) {
        (**self).add_to(ranges);
    }
}

/// The first and the last character of a range. An empty one comes out the wrong way round.
pub(super) fn ends_of(range: &impl RangeBounds<char>) -> (char, char) {
    let low = match range.start_bound() {
        Bound::Included(low) => *low,
        Bound::Excluded(below) => at_code(*below as u32 + 1, true),
        Bound::Unbounded => '\0',
    };
    match range.end_bound() {
        Bound::Included(high) => (low, *high),
        Bound::Excluded('\0') => ('\u{1}', '\0'),
        Bound::Excluded(above) => (low, at_code(*above as u32 - 1, false)),
        Bound::Unbounded => (low, char::MAX),
    }
}

/// The character of a code, or the next one above or below the surrogates.
fn at_code(code: u32, is_up: bool) -> char {
    let beside = if is_up { '\u{e000}' } else { '\u{d7ff}' };
    char::from_u32(code).unwrap_or(if code > char::MAX as u32 { char::MAX } else { beside })
}

/// Characters in an order: the place of a character is the number that is chosen for it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Class {
    /// Ranges of codes without surrogates, both ends included, none of which overlap; each with the
    /// index of its first.
    ranges: Vec<(u32, u32, u32)>,
    /// The index of each ASCII character, or [`ABSENT`].
    ascii: Box<[u16; 128]>,
    count: u32,
    pub(super) distribution: Distribution,
}

pub(super) const ABSENT: u16 = u16::MAX;
const FIRST_SURROGATE: u32 = 0xD800;
const LAST_SURROGATE: u32 = 0xDFFF;
/// Classes of more characters than this are drawn with the simple ones more often than chance would
/// have them.
const LARGE: u32 = 256;

impl Class {
    /// The characters of these ranges in their order; one that is listed twice counts where it is
    /// first.
    pub(super) fn new(listed: &[(char, char)]) -> Result<Class, String> {
        let mut class =
            Class { ranges: Vec::new(), ascii: Box::new([ABSENT; 128]), count: 0, distribution: Distribution::Uniform };
        for (low, high) in listed {
            if low > high {
                return Err(format!("the range {low:?}..={high:?} of characters is empty"));
            }
            class.add(*low as u32, *high as u32);
        }
        if class.count == 0 {
            return Err("a class of characters is empty".to_owned());
        }
        if class.count > LARGE {
            class.distribution = Distribution::Custom(SIMPLE_FIRST);
        }
        Ok(class)
    }

    /// All characters but these: letters first, then digits, the space, other printable ASCII,
    /// control characters, and the rest by code.
    pub(super) fn all_but(listed: &[(char, char)]) -> Result<Class, String> {
        let excluded = Class::new(listed).map(|class| class.set()).or_else(|reason| match listed.is_empty() {
            true => Ok(CharSet::default()),
            false => Err(reason),
        })?;
        let mut kept = Vec::new();
        for (low, high) in [('a', 'z'), ('A', 'Z'), ('0', '9'), (' ', '~'), ('\0', '\u{7f}'), ('\u{80}', char::MAX)] {
            excluded.gaps(low as u32, high as u32, &mut kept);
        }
        match kept.is_empty() {
            true => Err("a class excludes every character".to_owned()),
            false => Class::new(&kept),
        }
    }

    fn add(&mut self, low: u32, high: u32) {
        if low < FIRST_SURROGATE && high > LAST_SURROGATE {
            self.add(low, FIRST_SURROGATE - 1);
            return self.add(LAST_SURROGATE + 1, high);
        }
        // What is there already is cut out.
        if let Some((first, last, _)) = self.ranges.iter().find(|(first, last, _)| *first <= high && low <= *last) {
            let (first, last) = (*first, *last);
            if low < first {
                self.add(low, first - 1);
            }
            if high > last {
                self.add(last + 1, high);
            }
            return;
        }
        for code in low..=high.min(127) {
            self.ascii[code as usize] = (self.count + code - low) as u16;
        }
        self.ranges.push((low, high, self.count));
        self.count += high - low + 1;
    }

    pub(super) fn with_law(mut self, distribution: Distribution) -> Class {
        self.distribution = distribution;
        self
    }

    /// The largest index.
    pub(super) fn last(&self) -> u64 {
        u64::from(self.count - 1)
    }

    /// The index of an ASCII character, or [`ABSENT`].
    #[inline(always)]
    pub(super) fn ascii_index(&self, byte: u8) -> u16 {
        self.ascii[usize::from(byte & 127)]
    }

    #[inline]
    pub(super) fn index_of(&self, character: char) -> Option<u64> {
        let code = character as u32;
        if code < 128 {
            let index = self.ascii_index(code as u8);
            return (index != ABSENT).then_some(u64::from(index));
        }
        let (low, _, start) = self.ranges.iter().find(|(low, high, _)| (*low..=*high).contains(&code))?;
        Some(u64::from(start + code - low))
    }

    pub(super) fn char_at(&self, index: u64) -> char {
        let index = index as u32;
        let place = self.ranges.partition_point(|(_, _, start)| *start <= index) - 1;
        let (low, _, start) = self.ranges[place];
        char::from_u32(low + index - start).unwrap_or(char::MAX)
    }

    pub(super) fn set(&self) -> CharSet {
        let mut set = CharSet::default();
        for (low, high, _) in &self.ranges {
            set.add(*low, *high);
        }
        set
    }
}

/// As in an error message: `[a-z0-9_]`, or what is not in it where that is shorter.
impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count == 1 {
            return write!(formatter, "{:?}", self.char_at(0));
        }
        let mut kept = Vec::new();
        self.set().gaps(0, char::MAX as u32, &mut kept);
        if self.count > LARGE && kept.is_empty() {
            return formatter.write_str("any character");
        }
        let is_negated = self.count > LARGE && kept.len() < self.ranges.len();
        if !is_negated {
            kept.clear();
            for (low, high, _) in &self.ranges {
                kept.push((at_code(*low, true), at_code(*high, false)));
            }
        }
        formatter.write_str(if is_negated { "[^" } else { "[" })?;
        for (place, (low, high)) in kept.iter().enumerate() {
            if place == 8 {
                formatter.write_str("…")?;
                break;
            }
            write!(formatter, "{}", low.escape_debug())?;
            if low < high {
                if *high as u32 > *low as u32 + 1 {
                    formatter.write_char('-')?;
                }
                write!(formatter, "{}", high.escape_debug())?;
            }
        }
        formatter.write_char(']')
    }
}

/// Large classes have their simple characters first: twelve in sixteen are among the first 95,
/// three among the first 2048, one is any.
const SIMPLE_FIRST: CustomDistribution = CustomDistribution {
    draw: |max, _, rng| match rng.at_most(15) {
        0..=11 => rng.at_most(94.min(max)),
        12..=14 => rng.at_most(2047.min(max)),
        _ => rng.at_most(max),
    },
    parameters: [0; 4],
    chance: Some(|index, max, _| {
        let among = |sixteenths: u128, last: u64| match index <= last {
            true => Chance::new(sixteenths, 16 * (u128::from(last) + 1)),
            false => Chance::NEVER,
        };
        among(12, 94.min(max)).plus(among(3, 2047.min(max)))?.plus(among(1, max))
    }),
};

/// The end of a text, among the characters that may come next.
pub(super) const END: u32 = char::MAX as u32 + 1;

/// A set of codes of characters, and of the end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct CharSet {
    /// Sorted, with gaps between them, both ends included.
    ranges: Vec<(u32, u32)>,
    /// The ASCII characters again, for a quick look.
    ascii: u128,
}

impl CharSet {
    /// Every character, and the end.
    pub(super) fn everything() -> CharSet {
        let mut set = CharSet::default();
        set.add(0, END);
        set
    }

    pub(super) fn of(code: u32) -> CharSet {
        let mut set = CharSet::default();
        set.add(code, code);
        set
    }

    pub(super) fn add(&mut self, low: u32, high: u32) {
        for code in low..=high.min(127) {
            self.ascii |= 1 << code;
        }
        let start = self.ranges.partition_point(|(_, last)| last.saturating_add(1) < low);
        let end = self.ranges.partition_point(|(first, _)| *first <= high.saturating_add(1));
        let (mut low, mut high) = (low, high);
        if start < end {
            low = low.min(self.ranges[start].0);
            high = high.max(self.ranges[end - 1].1);
        }
        self.ranges.splice(start..end, [(low, high)]);
    }

    /// Adds another set; says whether it became larger.
    pub(super) fn add_all(&mut self, other: &CharSet) -> bool {
        // Classes such as `\w` have hundreds of ranges, and mostly come to nothing or to
        // themselves.
        if self.ranges.is_empty() {
            self.clone_from(other);
            return !other.ranges.is_empty();
        }
        if self.ranges == other.ranges {
            return false;
        }
        let mut is_larger = false;
        for (low, high) in &other.ranges {
            let place = self.ranges.partition_point(|(_, last)| last < low);
            let is_in = self.ranges.get(place).is_some_and(|(first, last)| first <= low && high <= last);
            if !is_in {
                self.add(*low, *high);
                is_larger = true;
            }
        }
        is_larger
    }

    #[inline]
    pub(super) fn contains(&self, code: u32) -> bool {
        if code < 128 {
            return self.ascii >> code & 1 == 1;
        }
        let place = self.ranges.partition_point(|(_, last)| *last < code);
        self.ranges.get(place).is_some_and(|(first, _)| *first <= code)
    }

    pub(super) fn intersects(&self, other: &CharSet) -> bool {
        if self.ascii & other.ascii != 0 {
            return true;
        }
        let (mut mine, mut theirs) = (0, 0);
        while let (Some((low, high)), Some((first, last))) = (self.ranges.get(mine), other.ranges.get(theirs)) {
            if high < first {
                mine += 1;
            } else if last < low {
                theirs += 1;
            } else {
                return true;
            }
        }
        false
    }

    /// What of a range of codes is not in the set.
    fn gaps(&self, low: u32, high: u32, found: &mut Vec<(char, char)>) {
        let mut next = low;
        for (first, last) in &self.ranges {
            if *last < next || *first > high {
                continue;
            }
            if *first > next {
                push_chars(next, first - 1, found);
            }
            next = last + 1;
        }
        if next <= high {
            push_chars(next, high, found);
        }
    }
}

fn push_chars(low: u32, high: u32, found: &mut Vec<(char, char)>) {
    let (low, high) = (at_code(low, true), at_code(high, false));
    if low <= high {
        found.push((low, high));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(listed: &str) -> Class {
        let mut ranges = Vec::new();
        listed.add_to(&mut ranges);
        Class::new(&ranges).unwrap()
    }

    #[test]
    fn the_order_is_that_of_the_list() {
        let order = |listed| {
            let class = class(listed);
            let order: String = (0..=class.last()).map(|index| class.char_at(index)).collect();
            for (index, character) in order.chars().enumerate() {
                assert_eq!(class.index_of(character), Some(index as u64));
            }
            order
        };
        assert_eq!(order("c-ea-d"), "cdeab");
        assert_eq!(order("-a"), "-a");
        assert_eq!(order("a-"), "a-");
        assert_eq!(order("+--"), "+,-");
        assert_eq!(order("é-ëa"), "éêëa");
        assert_eq!(class("\u{d7fe}-\u{e001}").last(), 3);
        assert_eq!(class("a-z").index_of('A'), None);
        assert_eq!(class("a-z").index_of('é'), None);
    }

    #[test]
    fn what_is_left_begins_with_letters() {
        let mut ranges = Vec::new();
        "\0-\u{1f}\"\\a".add_to(&mut ranges);
        let class = Class::all_but(&ranges).unwrap();
        let order: String = (0..=94 - 3).map(|index| class.char_at(index)).collect();
        assert_eq!(
            order,
            "bcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !#$%&'()*+,-./:;<=>?@[]^_`{|}~"
        );
        assert_eq!(class.char_at(class.last()), char::MAX);
        assert_eq!(Class::all_but(&[]).unwrap().last(), u64::from(END - 0x800 - 1));
        assert!(Class::all_but(&[('\0', char::MAX)]).is_err());
        assert!(Class::new(&[]).is_err() && Class::new(&[('b', 'a')]).is_err());
    }

    #[test]
    fn sets_of_characters_know_what_they_hold() {
        let mut set = CharSet::default();
        for (low, high) in [(10, 20), (30, 40), (21, 22), (500, 600), (5, 5), (15, 35)] {
            set.add(low, high);
        }
        assert_eq!(set.ranges, [(5, 5), (10, 40), (500, 600)]);
        assert!(set.contains(10) && set.contains(40) && set.contains(555) && !set.contains(41) && !set.contains(499));
        assert!(set.intersects(&CharSet::of(600)) && !set.intersects(&CharSet::of(601)));
        assert!(!set.clone().add_all(&CharSet::of(30)) && set.clone().add_all(&CharSet::of(6)));
        assert!(CharSet::everything().contains(END));
    }

    #[test]
    fn classes_are_shown_briefly() {
        assert_eq!(class("a-z0-9_").to_string(), "[a-z0-9_]");
        assert_eq!(class("ab").to_string(), "[ab]");
        assert_eq!(class("x").to_string(), "'x'");
        assert_eq!(Class::all_but(&[('"', '"'), ('\\', '\\')]).unwrap().to_string(), "[^\\\"\\\\]");
        assert_eq!(Class::all_but(&[]).unwrap().to_string(), "any character");
    }
}
