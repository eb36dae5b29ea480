//! `rust_decimal`: decimal numbers.

use super::made_of_parts;
use super::numbers::Numbers;
use crate::generator::Any;
use crate::source::{Chance, CustomDistribution, Distribution, Rng};
use ::rust_decimal::Decimal;

made_of_parts! {
    /// Decimal numbers by their sign, their digits and how many of those stand after the point: 0
    /// is the simplest, positive ones are simpler than negative ones, whole ones simpler than
    /// others.
    ///
    /// Small numbers and boundaries come often, and so do no decimals and two. Numbers that are
    /// equal but written differently, such as 1.5 and 1.50, are different choices; so is -0.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use rust_decimal::Decimal;
    /// let prices = any::<Decimal>();
    /// assert_eq!(prices.choices_of(&Decimal::new(150, 2)).unwrap().to_string(), "(0:false (0 150) 2)");
    /// assert_eq!(prices.read("1.50").unwrap().scale(), 2);
    /// let smallest = prices.shrink(Decimal::new(-123_456, 3), |price| price.fract() != Decimal::ZERO).unwrap();
    /// assert_eq!(smallest.value.to_string(), "0.1");
    /// ```
    Decimal {
        parts: (Any::<bool>::new(), 0..=MOST_DIGITS, SCALES),
        make: |(is_negative, digits, scale)| decimal(is_negative, digits, scale as u32),
        parts_of: |decimal| (decimal.is_sign_negative(), decimal.mantissa().unsigned_abs(), i64::from(decimal.scale())),
        read: |sketch| read(sketch.word()?),
        expected: "a decimal number such as 1.50",
    }
}

const MOST_DIGITS: u128 = (1 << 96) - 1;

fn decimal(is_negative: bool, digits: u128, scale: u32) -> Decimal {
    let mut decimal = Decimal::try_from_i128_with_scale(digits as i128, scale).unwrap_or_default();
    decimal.set_sign_negative(is_negative);
    decimal
}

/// Exactly what is written: the decimals say the scale.
fn read(text: &str) -> Option<Decimal> {
    let (is_negative, number) = text.strip_prefix('-').map_or((false, text), |number| (true, number));
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let digits = [whole, decimals].concat();
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let has_point = number.len() > whole.len();
    if !is_number || whole.is_empty() || (has_point && decimals.is_empty()) {
        return None;
    }
    let digits = digits.parse().ok().filter(|digits| *digits <= MOST_DIGITS)?;
    let scale = u32::try_from(decimals.len()).ok().filter(|scale| *scale <= Decimal::MAX_SCALE)?;
    Some(decimal(is_negative, digits, scale))
}

/// How many digits stand after the point.
const SCALES: Numbers = Numbers::up_from(0, Decimal::MAX_SCALE as i64, SCALE_LAW);
const SCALE_LAW: Distribution =
    Distribution::Custom(CustomDistribution { draw: draw_scale, parameters: [0; 4], chance: Some(chance_of_scale) });

fn draw_scale(max: u64, _: [u64; 4], rng: &mut Rng) -> u64 {
    match rng.next() & 7 {
        0..=2 => 0,
        3 | 4 => 2,
        5 => max,
        _ => rng.at_most(max),
    }
}

fn chance_of_scale(scale: u64, max: u64, _: [u64; 4]) -> Option<Chance> {
    let often =
        [(3, scale == 0), (2, scale == 2), (1, scale == max)].map(|(throws, is_it)| (throws, Chance::sure_if(is_it)));
    Chance::mixture(8, &[often[0], often[1], often[2], (2, Distribution::Uniform.chance(scale, max)?)])
}
