use crate::source::Chance;
use std::cmp::Ordering;
use std::fmt;

/// A natural number of any size, as large as the number of ways to make a value can be.
///
/// ```
/// use retrospect::reflect::Natural;
/// let mut power = Natural::from(1);
/// for _ in 0..100 {
///     power = power.clone() + power;
/// }
/// assert_eq!(power.to_string(), "1267650600228229401496703205376");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Natural {
    /// The digits to the base 2^64, least first, with no zeros at the end.
    digits: Vec<u64>,
}

impl Natural {
    /// Whether it is 0.
    ///
    /// ```
    /// use retrospect::reflect::Natural;
    /// assert!(Natural::default().is_zero());
    /// assert!((&Natural::from(5) * &Natural::from(0)).is_zero());
    /// assert!(!Natural::from(5).is_zero());
    /// ```
    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// The number itself, if it is small enough.
    ///
    /// ```
    /// use retrospect::reflect::Natural;
    /// let largest = Natural::from(u64::MAX);
    /// assert_eq!(largest.to_u64(), Some(u64::MAX));
    /// assert_eq!((largest + Natural::from(1)).to_u64(), None);
    /// ```
    pub fn to_u64(&self) -> Option<u64> {
        match self.digits[..] {
            [] => Some(0),
            [digit] => Some(digit),
            _ => None,
        }
    }

    pub(super) fn from_u128(number: u128) -> Natural {
        Natural { digits: vec![number as u64, (number >> 64) as u64] }.trimmed()
    }

    fn to_u128(&self) -> Option<u128> {
        match self.digits[..] {
            [] => Some(0),
            [low] => Some(low.into()),
            [low, high] => Some(u128::from(high) << 64 | u128::from(low)),
            _ => None,
        }
    }

    /// How many binary digits it has.
    pub(super) fn bits(&self) -> u64 {
        self.digits.last().map_or(0, |last| 64 * self.digits.len() as u64 - u64::from(last.leading_zeros()))
    }

    /// The upper 64 binary digits, and how many follow.
    pub(super) fn leading(&self) -> (u64, u64) {
        let below = self.bits().saturating_sub(64);
        let shifted = self.halved(below);
        (shifted.digits.first().copied().unwrap_or(0), below)
    }

    /// Divided by 2 so many times, without the remainder.
    fn halved(&self, times: u64) -> Natural {
        let (words, bits) = ((times / 64) as usize, times % 64);
        let mut digits = Vec::with_capacity(self.digits.len());
        for place in words..self.digits.len() {
            let above = self.digits.get(place + 1).copied().unwrap_or(0);
            digits.push(if bits == 0 { self.digits[place] } else { self.digits[place] >> bits | above << (64 - bits) });
        }
        Natural { digits }.trimmed()
    }

    /// How often 2 divides it.
    fn twos(&self) -> u64 {
        let zeros = self.digits.iter().take_while(|digit| **digit == 0).count();
        self.digits.get(zeros).map_or(0, |digit| 64 * zeros as u64 + u64::from(digit.trailing_zeros()))
    }

    /// What is left when a number that is not larger is taken away.
    pub(super) fn minus(&self, other: &Natural) -> Natural {
        let mut digits = self.digits.clone();
        let mut borrow = false;
        for (place, digit) in digits.iter_mut().enumerate() {
            let (difference, first) = digit.overflowing_sub(other.digits.get(place).copied().unwrap_or(0));
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            *digit = difference;
            borrow = first || second;
        }
        Natural { digits }.trimmed()
    }

    /// Both divided by what divides both.
    pub(super) fn in_lowest_terms(one: Natural, other: Natural) -> (Natural, Natural) {
        if let (Some(small), Some(other)) = (one.to_u128(), other.to_u128()) {
            let reduced = Chance::new(small, other);
            return (Natural::from_u128(reduced.numerator()), Natural::from_u128(reduced.denominator()));
        }
        let twos = one.twos().min(other.twos());
        let (one, other) = (one.halved(twos), other.halved(twos));
        if one.is_zero() {
            return (one, Natural::from(1));
        }
        let (mut small, mut large) = (one.halved(one.twos()), other.halved(other.twos()));
        // Both odd: the difference is even, and loses at least one digit.
        while small != large {
            if small > large {
                std::mem::swap(&mut small, &mut large);
            }
            if small.to_u64() == Some(1) {
                return (one, other);
            }
            let difference = large.minus(&small);
            large = difference.halved(difference.twos());
        }
        match small.to_u64() {
            Some(1) => (one, other),
            _ => (one.divided_by(&small), other.divided_by(&small)),
        }
    }

    /// The quotient without the remainder, digit by binary digit.
    fn divided_by(&self, divisor: &Natural) -> Natural {
        let mut quotient = vec![0u64; self.digits.len()];
        let mut rest = Natural::default();
        for place in (0..self.bits()).rev() {
            let (word, bit) = ((place / 64) as usize, place % 64);
            rest = &rest * &Natural::from(2);
            if self.digits[word] >> bit & 1 == 1 {
                rest += &Natural::from(1);
            }
            if rest >= *divisor {
                rest = rest.minus(divisor);
                quotient[word] |= 1 << bit;
            }
        }
        Natural { digits: quotient }.trimmed()
    }

    fn trimmed(mut self) -> Natural {
        while self.digits.pop_if(|digit| *digit == 0).is_some() {}
        self
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Natural) -> Ordering {
        let by_length = self.digits.len().cmp(&other.digits.len());
        by_length.then_with(|| self.digits.iter().rev().cmp(other.digits.iter().rev()))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Natural) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<u64> for Natural {
    fn from(number: u64) -> Natural {
        Natural { digits: vec![number] }.trimmed()
    }
}

impl std::ops::Add for Natural {
    type Output = Natural;

    fn add(mut self, other: Natural) -> Natural {
        self += &other;
        self
    }
}

impl std::ops::AddAssign<&Natural> for Natural {
    fn add_assign(&mut self, other: &Natural) {
        self.digits.resize(self.digits.len().max(other.digits.len()), 0);
        let mut carry = false;
        for (place, digit) in self.digits.iter_mut().enumerate() {
            let (sum, first) = digit.overflowing_add(other.digits.get(place).copied().unwrap_or(0));
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            *digit = sum;
            carry = first || second;
        }
        if carry {
            self.digits.push(1);
        }
    }
}

impl std::ops::Mul<&Natural> for &Natural {
    type Output = Natural;

    fn mul(self, other: &Natural) -> Natural {
        let mut digits = vec![0u64; self.digits.len() + other.digits.len()];
        for (place, digit) in self.digits.iter().enumerate() {
            let mut carry = 0u128;
            for (offset, factor) in other.digits.iter().enumerate() {
                let sum = u128::from(*digit) * u128::from(*factor) + u128::from(digits[place + offset]) + carry;
                digits[place + offset] = sum as u64;
                carry = sum >> 64;
            }
            digits[place + other.digits.len()] = carry as u64;
        }
        Natural { digits }.trimmed()
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// The largest power of ten in 64 bits, and its number of zeros.
        const CHUNK: (u64, usize) = (10_000_000_000_000_000_000, 19);
        let mut rest = self.clone();
        let mut chunks = Vec::new();
        while !rest.is_zero() {
            let mut remainder = 0u128;
            for digit in rest.digits.iter_mut().rev() {
                let dividend = (remainder << 64) | u128::from(*digit);
                *digit = (dividend / u128::from(CHUNK.0)) as u64;
                remainder = dividend % u128::from(CHUNK.0);
            }
            chunks.push(remainder as u64);
            rest = rest.trimmed();
        }
        let mut text = chunks.pop().unwrap_or(0).to_string();
        for chunk in chunks.iter().rev() {
            text += &format!("{chunk:0width$}", width = CHUNK.1);
        }
        formatter.pad_integral(true, "", &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_agrees_with_u128() {
        let numbers = [0u64, 1, 2, 9_999_999_999_999_999_999, 10_000_000_000_000_000_000, u64::MAX - 1, u64::MAX];
        for a in numbers {
            for b in numbers {
                let (big_a, big_b) = (Natural::from(a), Natural::from(b));
                assert_eq!((big_a.clone() + big_b.clone()).to_string(), (u128::from(a) + u128::from(b)).to_string());
                assert_eq!((&big_a * &big_b).to_string(), (u128::from(a) * u128::from(b)).to_string());
                assert_eq!(big_a.cmp(&big_b), a.cmp(&b));
                if a >= b {
                    assert_eq!(big_a.minus(&big_b).to_u64(), Some(a - b));
                }
            }
        }
    }

    #[test]
    fn fractions_are_brought_to_lowest_terms() {
        let product = |factors: &[u64]| {
            factors.iter().fold(Natural::from(1), |product, factor| &product * &Natural::from(*factor))
        };
        let primes = [2, 3, 5, 0xFFFF_FFFF_FFFF_FFC5, 1_000_000_007, 2];
        let common = product(&primes);
        let (one, other) = (product(&[7, 11, 4]), product(&[13, 17, 9]));
        let (numerator, denominator) = Natural::in_lowest_terms(&one * &common, &other * &common);
        assert_eq!((numerator, denominator), (one, other));
        assert_eq!(Natural::in_lowest_terms(Natural::default(), common), (Natural::default(), Natural::from(1)));
    }
}
