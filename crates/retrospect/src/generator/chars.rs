//! Characters.
//!
//! | index | characters |
//! | --- | --- |
//! | 0–25 | `a` … `z` |
//! | 26–51 | `A` … `Z` |
//! | 52–61 | `0` … `9` |
//! | 62 | the space |
//! | 63–94 | other printable ASCII, by code |
//! | 95–127 | ASCII control characters, by code |
//! | 128– | everything else by code point, without the gap of the surrogates |

use super::any::Generate;
use super::ranged::{self, Ranged, Spread};
use super::{Any, Facts, Generator, Wanted};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Chance, CustomDistribution, Distribution, Drawn, Form, Keep, Rng, Source, share_of_32_bits};

/// How many code points are no characters, and where they begin.
const SURROGATES: u32 = 0x800;
const FIRST_SURROGATE: u32 = 0xD800;
/// The index of the last character.
const LAST: u64 = (char::MAX as u32 - SURROGATES) as u64;
const PRINTABLE: u64 = 95;

/// The ASCII characters in the order of their indices, and their indices.
const fn ascii_order() -> ([u8; 128], [u8; 128]) {
    let (mut order, mut indices) = ([0; 128], [0; 128]);
    let mut index = 0;
    let mut group = 0;
    while group < 6 {
        let mut code = 0;
        while code < 128 {
            let byte = code as u8;
            let is_other = !byte.is_ascii_alphanumeric() && byte != b' ' && !byte.is_ascii_control();
            let is_in_group = match group {
                0 => byte.is_ascii_lowercase(),
                1 => byte.is_ascii_uppercase(),
                2 => byte.is_ascii_digit(),
                3 => byte == b' ',
                4 => is_other,
                _ => byte.is_ascii_control(),
            };
            if is_in_group {
                order[index] = byte;
                indices[code] = index as u8;
                index += 1;
            }
            code += 1;
        }
        group += 1;
    }
    (order, indices)
}

pub(super) const ASCII_ORDER: [u8; 128] = ascii_order().0;
const ASCII_INDICES: [u8; 128] = ascii_order().1;

/// The index of a byte below 128.
#[inline]
pub(super) fn ascii_index(byte: u8) -> u64 {
    u64::from(ASCII_INDICES[usize::from(byte)])
}

#[inline]
fn char_index(character: char) -> u64 {
    match character as u32 {
        code @ 0..128 => ascii_index(code as u8),
        _ => u64::from(rank(character)),
    }
}

#[inline]
fn char_at(index: u64) -> char {
    match index {
        0..128 => char::from(ASCII_ORDER[index as usize]),
        _ => at_rank(index as u32),
    }
}

/// The place of a character among all characters by code point.
#[inline(always)]
fn rank(character: char) -> u32 {
    let code = character as u32;
    if code < FIRST_SURROGATE { code } else { code - SURROGATES }
}

/// The inverse of [`rank`]; what is too large is the last character.
#[inline(always)]
fn at_rank(rank: u32) -> char {
    let code = if rank < FIRST_SURROGATE { rank } else { rank + SURROGATES };
    char::from_u32(code).unwrap_or(char::MAX)
}

/// Characters that programs often get wrong.
const TRICKY: &[char] = &[
    '\0',
    '\t',
    '\n',
    '\r',
    '\u{7f}',
    '\'',
    '"',
    '\\',
    '/',
    '%', // what is escaped somewhere
    '\u{80}',
    '\u{85}',
    '\u{a0}',
    '\u{ad}', // controls and spaces beyond ASCII
    'ß',
    'é',
    'İ',
    'ı',
    'Σ',
    'ς',
    'ǅ',
    'ﬁ',
    'Ａ',
    '漢', // letters whose case or width surprises
    '\u{300}',
    '\u{301}',
    '\u{338}',
    '\u{20dd}', // combining
    'א',
    'ع',
    '\u{200e}',
    '\u{200f}',
    '\u{202e}',
    '\u{2066}', // right to left
    '\u{200b}',
    '\u{200d}',
    '\u{2028}',
    '\u{2060}',
    '\u{fe0f}',
    '\u{feff}', // no width
    '😀',
    '👍',
    '\u{1f3fd}',
    '\u{1f1e6}',
    '𝔸', // beyond 16 bits
    '\u{d7ff}',
    '\u{e000}',
    '\u{fffd}',
    '\u{ffff}',
    '\u{10000}',
    '\u{10ffff}', // the ends of planes
];

#[inline]
fn draw_char(rng: &mut Rng) -> char {
    let dice = rng.next();
    // The upper half of the dice serves where a few values are enough.
    let below = |count: u64| ((dice >> 32) * count) >> 32;
    match dice & 15 {
        0..=11 => char_at(below(PRINTABLE)),
        12 | 13 => TRICKY[below(TRICKY.len() as u64) as usize],
        14 => at_rank(below(0x800) as u32),
        _ => at_rank(below(LAST + 1) as u32),
    }
}

pub(crate) const CHAR_DISTRIBUTION: Distribution = Distribution::Custom(CustomDistribution {
    draw: |_, _, rng| char_index(draw_char(rng)),
    parameters: [0; 4],
    chance: Some(chance_of_char),
});

fn chance_of_char(index: u64, _: u64, _: [u64; 4]) -> Option<Chance> {
    let character = char_at(index);
    let rank = u64::from(rank(character));
    let mut sum = share_of_32_bits(rank, LAST + 1);
    if index < PRINTABLE {
        sum += 12 * share_of_32_bits(index, PRINTABLE);
    }
    for (place, tricky) in TRICKY.iter().enumerate() {
        if *tricky == character {
            sum += 2 * share_of_32_bits(place as u64, TRICKY.len() as u64);
        }
    }
    if rank < 0x800 {
        sum += share_of_32_bits(rank, 0x800);
    }
    Some(Chance::new(sum, 16 << 32))
}

/// All characters. `'a'` is the simplest, then the other letters, digits, the space, other
/// printable ASCII, control characters, and the rest by code point.
///
/// Three in four are printable ASCII; one in eight is one that programs often get wrong (`'\0'`,
/// `'\n'`, quotes, combining and right-to-left characters, emoji, `'\u{10FFFF}'`, …); one in
/// sixteen is any below U+0800, and one in sixteen is any at all.
///
/// ```
/// use retrospect::prelude::*;
/// assert_eq!(any::<char>().replay(&Choices::default()), 'a');
/// assert_eq!(any::<char>().choices_of(&'Z').unwrap().to_string(), "51");
/// ```
impl Generate for char {
    type Generator = Any<char>;
    #[inline]
    fn generator() -> Any<char> {
        Any::new()
    }
}

impl Generator for Any<char> {
    type Value = char;
    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<char> {
        source.drawn(draw_char, || (LAST, CHAR_DISTRIBUTION), |character| char_index(*character), char_at)
    }
    #[inline(always)]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts::NUMBER.known(self, wanted, || (Form::Number { max: LAST }, None))
    }

    #[inline]
    fn reflect(&self, value: &char, reflector: &mut Reflector) -> Reflected {
        reflector.number(char_index(*value), LAST, CHAR_DISTRIBUTION)
    }
    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<char> {
        if sketch.is_hole() {
            self.generate(source)
        } else {
            ranged::complete_in(&('\0'..), Spread::Even, sketch, source)
        }
    }
}

/// A range of characters by their ranks. The simplest is `a` if it is there, otherwise the first;
/// the order goes up from it to the end, and then down.
#[derive(Clone, Copy)]
struct CharSpan {
    low: u32,
    span: u32,
    origin: u32,
}

impl CharSpan {
    #[inline(always)]
    fn new(low: char, high: char) -> CharSpan {
        let origin = if low <= 'a' && 'a' <= high { 'a' } else { low };
        CharSpan { low: rank(low), span: rank(high) - rank(low), origin: rank(origin) - rank(low) }
    }

    /// `offset` is at most the span.
    #[inline(always)]
    fn char_at_offset(self, offset: u64) -> char {
        let rank = self.low + offset as u32;
        if self.low + self.span < FIRST_SURROGATE {
            // SAFETY: the offset is at most the span, so the character lies below the surrogates.
            return unsafe { char::from_u32_unchecked(rank) };
        }
        at_rank(rank)
    }

    #[inline(always)]
    fn index_of(self, offset: u64) -> u64 {
        let (up, down) = (offset.wrapping_sub(self.origin.into()), u64::from(self.span) - offset);
        if offset >= u64::from(self.origin) { up } else { down }
    }

    #[inline(always)]
    fn generate_many(self, source: &mut Source<'_>, count: usize, keep: &mut impl Keep<u64>) -> Drawn<()> {
        source.drawn_many(
            count,
            |rng| rng.at_most(self.span.into()),
            || (self.span.into(), Distribution::Uniform),
            |offset| self.index_of(*offset),
            |index| self.offset_at(index),
            keep,
        )
    }

    #[inline(always)]
    fn offset_at(self, index: u64) -> u64 {
        let (span, origin) = (u64::from(self.span), u64::from(self.origin));
        // Which of the two it is, is up to chance and must not be a branch.
        let (up, down) = (origin.wrapping_add(index), span.wrapping_sub(index));
        if index <= span - origin { up } else { down }
    }
}

impl Ranged for char {
    const LEAST: char = '\0';
    const GREATEST: char = char::MAX;
    const EXPECTED: &'static str = "a character";
    #[inline(always)]
    fn before(self) -> Option<char> {
        rank(self).checked_sub(1).map(at_rank)
    }
    #[inline(always)]
    fn generate_between(low: char, high: char, spread: Spread, source: &mut Source<'_>) -> Drawn<char> {
        let span = CharSpan::new(low, high);
        if let Spread::Skewed(skew) = spread {
            let index = source.number(span.span.into(), skew.distribution())?;
            return Ok(span.char_at_offset(span.offset_at(index)));
        }
        let offset = source.uniform(span.span.into(), |offset| span.index_of(offset), |index| span.offset_at(index))?;
        Ok(span.char_at_offset(offset))
    }
    #[inline(always)]
    fn generate_many_between(
        low: char,
        high: char,
        _: Spread,
        source: &mut Source<'_>,
        count: usize,
        keep: &mut impl Keep<char>,
    ) -> Drawn<()> {
        // Most strings are of ASCII characters. If that is known before the first, there is less to
        // do for each.
        if high.is_ascii() {
            let max = u64::from(high as u8 - low as u8);
            return source.drawn_many(
                count,
                |rng| rng.at_most(max),
                || (max, Distribution::Uniform),
                |offset| CharSpan::new(low, high).index_of(*offset),
                |index| CharSpan::new(low, high).offset_at(index),
                &mut keep.of(|offset| char::from((low as u8).wrapping_add(offset as u8) & 0x7f)),
            );
        }
        let span = CharSpan::new(low, high);
        span.generate_many(source, count, &mut keep.of(|offset| span.char_at_offset(offset)))
    }
    #[inline(always)]
    fn reflect_between(self, low: char, high: char, _: Spread, reflector: &mut Reflector) -> Reflected {
        let span = CharSpan::new(low, high);
        reflector.number(span.index_of(u64::from(rank(self) - span.low)), span.span.into(), Distribution::Uniform)
    }
    #[inline(always)]
    fn numbering(low: char, high: char) -> Option<(u64, impl Fn(char) -> Option<u64>)> {
        let span = CharSpan::new(low, high);
        let index_of = move |value| {
            let offset = rank(value).wrapping_sub(span.low);
            (offset <= span.span).then(|| span.index_of(offset.into()))
        };
        Some((span.span.into(), index_of))
    }
    /// By code: a range of ranks.
    #[inline]
    fn generate_from(origin: char, low: char, high: char, spread: Spread, source: &mut Source<'_>) -> Drawn<char> {
        let spread = if spread == Spread::Usual { Spread::Even } else { spread };
        u32::generate_from(rank(origin), rank(low), rank(high), spread, source).map(at_rank)
    }
    #[inline]
    fn reflect_from(self, origin: char, low: char, high: char, spread: Spread, reflector: &mut Reflector) -> Reflected {
        rank(self).reflect_from(rank(origin), rank(low), rank(high), spread, reflector)
    }
    #[inline]
    fn read(sketch: &Sketch<'_>) -> Option<char> {
        sketch.character()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chances_of_all_characters_add_up_to_one() {
        let mut sum = 0;
        for index in 0..=LAST {
            let chance = chance_of_char(index, LAST, [0; 4]).unwrap();
            sum += chance.numerator() * ((16 << 32) / chance.denominator());
        }
        assert_eq!(sum, 16 << 32);
    }

    #[test]
    fn every_index_is_another_character() {
        let order: String = (0..=94).map(char_at).collect();
        assert_eq!(
            order,
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
        );
        for index in 0..=LAST {
            assert_eq!(char_index(char_at(index)), index);
        }
        assert_eq!(char_at(LAST), char::MAX);
    }

    #[test]
    fn a_range_counts_up_from_a_and_then_down() {
        let span = CharSpan::new('\\', 'd');
        let order: String = (0..=8).map(|index| at_rank(span.low + span.offset_at(index) as u32)).collect();
        assert_eq!(order, "abcd`_^]\\");
        for index in 0..=8 {
            assert_eq!(span.index_of(span.offset_at(index)), index);
        }
    }
}
