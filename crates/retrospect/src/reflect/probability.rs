//! Probabilities: exact as long as their digits can be written down, and never rounded to 0.

use super::Natural;
use crate::source::Chance;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

/// How likely something is: a fraction, kept exactly while it has fewer than 2,000 binary digits;
/// and a number with 53 bits and an exponent of its own, which is never too small to be told from
/// 0.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::reflect::Probability;
/// let pairs = tuple((0..10, any::<bool>()));
/// let chance = pairs.ways_of(&(3, true)).probability().unwrap();
/// assert_eq!(chance, Probability::new(1, 20));
/// assert_eq!(chance.to_string(), "1/20");
/// assert_eq!(chance.to_f64(), Some(0.05));
///
/// let list = vec_of(0..10, 5000).ways_of(&vec![7; 5000]).probability().unwrap();
/// assert_eq!(list.log10().round(), -5000.0);
/// assert_eq!(list.to_f64(), None); // Too small for an `f64`, and yet not 0.
/// ```
#[derive(Clone)]
pub struct Probability {
    exact: Option<(Natural, Natural)>,
    rounded: Scaled,
}

/// Fractions longer than that are not kept exactly.
const MOST_BITS: u64 = 2000;

impl Probability {
    /// The fraction of these two numbers.
    ///
    /// # Panics
    ///
    /// If the denominator is 0.
    ///
    /// ```
    /// use retrospect::reflect::Probability;
    /// assert_eq!(Probability::new(2, 8).to_string(), "1/4");
    /// ```
    pub fn new(numerator: u64, denominator: u64) -> Probability {
        Probability::from(Chance::new(numerator.into(), denominator.into()))
    }

    /// Whether it never happens.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert!((0..10).ways_of(&12).probability().unwrap().is_zero());
    /// ```
    pub fn is_zero(&self) -> bool {
        self.rounded.mantissa == 0.0
    }

    /// Numerator and denominator in lowest terms, if they are known exactly: if neither has more
    /// than 2,000 binary digits, and the sum is not one without end that is no fraction.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let chance = frequency(((1, exact(1)), (2, 1..=2))).ways_of(&1).probability().unwrap();
    /// let (numerator, denominator) = chance.fraction().unwrap();
    /// assert_eq!((numerator.to_u64(), denominator.to_u64()), (Some(2), Some(3)));
    /// ```
    pub fn fraction(&self) -> Option<(&Natural, &Natural)> {
        self.exact.as_ref().map(|(numerator, denominator)| (numerator, denominator))
    }

    /// The nearest `f64`; `None` if it is too small for one but not 0.
    ///
    /// ```
    /// use retrospect::reflect::Probability;
    /// assert_eq!(Probability::new(1, 8).to_f64(), Some(0.125));
    /// assert_eq!(Probability::new(0, 8).to_f64(), Some(0.0));
    /// let tiny = (0..100).fold(Probability::new(1, 1), |product, _| &product * &Probability::new(1, 100_000));
    /// assert_eq!(tiny.to_f64(), None);
    /// assert_eq!(tiny.log10().round(), -500.0);
    /// ```
    pub fn to_f64(&self) -> Option<f64> {
        let Scaled { mantissa, exponent } = self.rounded;
        match exponent {
            -1021..=1023 => Some(mantissa * 2f64.powi(exponent as i32)),
            _ => (mantissa == 0.0).then_some(0.0),
        }
    }

    /// The natural logarithm; minus infinity for 0.
    ///
    /// ```
    /// use retrospect::reflect::Probability;
    /// assert_eq!(Probability::new(1, 1).ln(), 0.0);
    /// assert!((Probability::new(1, 4).ln() + 1.386).abs() < 0.001);
    /// ```
    pub fn ln(&self) -> f64 {
        self.log2() * std::f64::consts::LN_2
    }

    /// The logarithm to the base 2: how many bits of chance it takes. Minus infinity for 0.
    ///
    /// ```
    /// use retrospect::reflect::Probability;
    /// assert_eq!(Probability::new(1, 8).log2(), -3.0);
    /// assert_eq!(Probability::new(0, 1).log2(), f64::NEG_INFINITY);
    /// ```
    pub fn log2(&self) -> f64 {
        self.rounded.log2()
    }

    /// The logarithm to the base 10; minus infinity for 0.
    ///
    /// ```
    /// use retrospect::reflect::Probability;
    /// assert!((Probability::new(1, 1000).log10() + 3.0).abs() < 1e-12);
    /// ```
    pub fn log10(&self) -> f64 {
        self.log2() * std::f64::consts::LOG10_2
    }

    pub(crate) fn certain() -> Probability {
        Probability::from(Chance::ALWAYS)
    }

    pub(crate) fn never() -> Probability {
        Probability::from(Chance::NEVER)
    }

    /// A number as it was counted, which need not be below 1.
    pub(super) fn of_count(count: f64) -> Probability {
        let bits = count.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let (number, exponent) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
        let power = Natural::two_to(exponent.unsigned_abs());
        match exponent < 0 {
            true => Probability::of(Natural::from(number), power),
            false => Probability::of(&Natural::from(number) * &power, Natural::from(1)),
        }
    }

    /// The same without its digits.
    pub(super) fn rounded(&self) -> Probability {
        Probability { exact: None, rounded: self.rounded }
    }

    /// What it leaves of 1.
    pub(super) fn rest(&self) -> Probability {
        match &self.exact {
            Some((numerator, denominator)) if numerator < denominator => {
                let mut left = denominator.clone();
                left -= numerator;
                Probability::of(left, denominator.clone())
            }
            Some(_) => Probability::never(),
            None => {
                let left = (1.0 - self.rounded.to_f64()).max(0.0);
                Probability { exact: None, rounded: Scaled::new(left, 0) }
            }
        }
    }

    /// Divided by what `rest` leaves of 1; `None` if that is nothing.
    pub(super) fn over_rest_of(&self, rest: &Probability) -> Option<Probability> {
        match (&self.exact, &rest.exact) {
            (Some((numerator, denominator)), Some((above, below))) if above < below => {
                let mut left = below.clone();
                left -= above;
                Some(Probability::of(numerator * below, denominator * &left))
            }
            (_, Some((above, below))) if above >= below => None,
            _ => {
                let left = 1.0 - rest.rounded.to_f64();
                (left > 0.0)
                    .then(|| Probability { exact: None, rounded: self.rounded.times(Scaled::new(1.0 / left, 0)) })
            }
        }
    }

    /// Divided by a share of all that is not 0.
    pub(crate) fn over(&self, share: &Probability) -> Probability {
        match (&self.exact, &share.exact) {
            (Some((numerator, denominator)), Some((above, below))) => {
                Probability::of(numerator * below, denominator * above)
            }
            _ => {
                let Scaled { mantissa, exponent } = share.rounded;
                Probability { exact: None, rounded: self.rounded.times(Scaled::new(1.0 / mantissa, -exponent)) }
            }
        }
    }

    /// How much more this is than something that is not more: what a step of an iteration gains.
    pub(super) fn gain_over(&self, other: &Probability) -> Probability {
        Probability { exact: None, rounded: self.rounded.minus(other.rounded) }
    }

    /// The same, in lowest terms.
    pub(super) fn reduced(self) -> Probability {
        match self.exact {
            Some((numerator, denominator)) => Probability::of(numerator, denominator),
            None => self,
        }
    }

    fn of(numerator: Natural, denominator: Natural) -> Probability {
        let (numerator, denominator) = Natural::in_lowest_terms(numerator, denominator);
        Probability::unreduced(numerator, denominator)
    }

    fn unreduced(numerator: Natural, denominator: Natural) -> Probability {
        let rounded = Scaled::of(&numerator).divided_by(Scaled::of(&denominator));
        let is_short = numerator.bits().max(denominator.bits()) <= MOST_BITS;
        Probability { exact: is_short.then_some((numerator, denominator)), rounded }
    }
}

impl From<Chance> for Probability {
    fn from(chance: Chance) -> Probability {
        let (numerator, denominator) =
            (Natural::from_u128(chance.numerator()), Natural::from_u128(chance.denominator()));
        let rounded = Scaled::of(&numerator).divided_by(Scaled::of(&denominator));
        Probability { exact: chance.is_exact().then_some((numerator, denominator)), rounded }
    }
}

impl std::ops::Mul<&Probability> for &Probability {
    type Output = Probability;

    fn mul(self, other: &Probability) -> Probability {
        match (&self.exact, &other.exact) {
            // Long products are brought to lowest terms at the end, or not at all: it takes longer
            // than all the rest.
            (Some(one), Some(two)) if one.1.bits() + two.1.bits() > 128 => {
                Probability::unreduced(&one.0 * &two.0, &one.1 * &two.1)
            }
            (Some(one), Some(two)) => Probability::of(&one.0 * &two.0, &one.1 * &two.1),
            _ => Probability { exact: None, rounded: self.rounded.times(other.rounded) },
        }
    }
}

impl std::ops::Add<&Probability> for &Probability {
    type Output = Probability;

    fn add(self, other: &Probability) -> Probability {
        match (&self.exact, &other.exact) {
            _ if self.is_zero() => other.clone(),
            _ if other.is_zero() => self.clone(),
            (Some(one), Some(two)) if one.1 == two.1 => {
                Probability::unreduced(one.0.clone() + two.0.clone(), one.1.clone())
            }
            (Some(one), Some(two)) => Probability::of(&one.0 * &two.1 + &two.0 * &one.1, &one.1 * &two.1),
            _ => Probability { exact: None, rounded: self.rounded.plus(other.rounded) },
        }
    }
}

impl PartialEq for Probability {
    fn eq(&self, other: &Probability) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Probability {
    fn partial_cmp(&self, other: &Probability) -> Option<Ordering> {
        match (&self.exact, &other.exact) {
            (Some(one), Some(two)) => Some((&one.0 * &two.1).cmp(&(&two.0 * &one.1))),
            _ => self.rounded.partial_cmp(&other.rounded),
        }
    }
}

/// A sum of many probabilities. Those with the same denominator are added without being brought to
/// lowest terms each time, which takes longer than all the rest.
#[derive(Default)]
pub(crate) struct Sum {
    /// By denominator.
    numerators: BTreeMap<Natural, Natural>,
    /// Of those that are not known exactly.
    others: Option<Probability>,
}

impl Sum {
    pub(crate) fn add(&mut self, probability: &Probability) {
        match &probability.exact {
            Some((numerator, denominator)) => {
                // Most are there already, and a key need not be cloned then.
                match self.numerators.get_mut(denominator) {
                    Some(sum) => *sum += numerator,
                    None => drop(self.numerators.insert(denominator.clone(), numerator.clone())),
                }
            }
            None => {
                let sum = self.others.take();
                self.others = Some(sum.map_or_else(|| probability.clone(), |sum| &sum + probability));
            }
        }
    }

    pub(crate) fn total(self) -> Probability {
        let mut total = self.others.unwrap_or_else(Probability::never);
        for (denominator, numerator) in self.numerators {
            total = &total + &Probability::of(numerator, denominator);
        }
        total
    }
}

/// `1/20` if the fraction is short, otherwise `2.5e-12`: digits and a power of ten, however small.
impl fmt::Display for Probability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match &self.exact {
            Some((numerator, denominator)) if denominator.to_u64() == Some(1) => numerator.to_string(),
            Some((numerator, denominator)) if denominator.bits() <= 20 => format!("{numerator}/{denominator}"),
            _ => self.rounded.to_string(),
        };
        formatter.pad(&text)
    }
}

/// As `Display` shows it: a fraction is what a failed assertion has to show.
impl fmt::Debug for Probability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// A number of 53 bits times a power of two: a float that is never too small.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Scaled {
    /// 0, or from a half to below 1.
    mantissa: f64,
    exponent: i64,
}

impl Scaled {
    fn new(mantissa: f64, exponent: i64) -> Scaled {
        if mantissa == 0.0 {
            return Scaled { mantissa, exponent: i64::MIN / 4 };
        }
        // A float of the usual size, so its exponent can be read off.
        let shift = (mantissa.to_bits() >> 52 & 0x7ff) as i64 - 1022;
        Scaled { mantissa: mantissa * 2f64.powi(-shift as i32), exponent: exponent + shift }
    }

    fn of(number: &Natural) -> Scaled {
        let (leading, below) = number.leading();
        Scaled::new(leading as f64, below as i64)
    }

    fn times(self, other: Scaled) -> Scaled {
        Scaled::new(self.mantissa * other.mantissa, self.exponent + other.exponent)
    }

    fn divided_by(self, other: Scaled) -> Scaled {
        Scaled::new(self.mantissa / other.mantissa, self.exponent - other.exponent)
    }

    fn plus(self, other: Scaled) -> Scaled {
        self.combined(other, |one, two| one + two)
    }

    fn minus(self, other: Scaled) -> Scaled {
        self.combined(other, |one, two| (one - two).max(0.0))
    }

    fn combined(self, other: Scaled, combine: impl FnOnce(f64, f64) -> f64) -> Scaled {
        let exponent = self.exponent.max(other.exponent);
        let aligned = |number: Scaled| number.mantissa * 2f64.powi((number.exponent - exponent).max(-1000) as i32);
        Scaled::new(combine(aligned(self), aligned(other)), exponent)
    }

    fn to_f64(self) -> f64 {
        self.mantissa * 2f64.powi(self.exponent.clamp(-1100, 1023) as i32)
    }

    fn log2(self) -> f64 {
        self.mantissa.log2() + if self.mantissa == 0.0 { 0.0 } else { self.exponent as f64 }
    }
}

impl PartialOrd for Scaled {
    fn partial_cmp(&self, other: &Scaled) -> Option<Ordering> {
        Some(self.exponent.cmp(&other.exponent).then(self.mantissa.total_cmp(&other.mantissa)))
    }
}

impl fmt::Display for Scaled {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if (-1000..=1).contains(&self.exponent) || self.mantissa == 0.0 {
            return write!(formatter, "{:.4e}", self.to_f64());
        }
        let power = self.log2() * std::f64::consts::LOG10_2;
        let digits = 10f64.powf(power - power.floor());
        write!(formatter, "{digits:.4}e{}", power.floor())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_exact_while_it_is_short_and_close_to_it_afterwards() {
        let mut product = Probability::certain();
        for _ in 0..10_000 {
            product = &product * &Probability::new(1, 10);
        }
        assert!(product.fraction().is_none());
        assert!((product.log10() + 10_000.0).abs() < 1e-8);
        assert_eq!(product.to_string(), "1.0000e-10000");
        let third = Probability::new(1, 3);
        assert_eq!(&(&third + &third) + &third, Probability::certain());
        let short = &Probability::new(1, 2) * &third.rounded();
        assert!((short.to_f64().unwrap() - 1.0 / 6.0).abs() < 1e-16);
        assert!(&product + &product > product);
        assert_eq!((&product + &Probability::new(1, 2)).to_f64(), Some(0.5));
    }

    #[test]
    fn short_fractions_are_shown_as_such() {
        assert_eq!(Probability::new(0, 5).to_string(), "0");
        assert_eq!(Probability::new(5, 5).to_string(), "1");
        assert_eq!(Probability::new(1, u64::MAX).to_string(), "5.4210e-20");
        assert_eq!(Probability::new(1, 3).rounded().to_string(), "3.3333e-1");
        assert_eq!(Probability::never().rounded().to_string(), "0.0000e0");
        assert_eq!(format!("[{:>6}]", Probability::new(1, 4)), "[   1/4]");
        assert_eq!(format!("{:?}", Some(Probability::new(1, 4))), "Some(1/4)");
    }
}
