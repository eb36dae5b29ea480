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
#[derive(Clone, Default, PartialEq, Eq, Hash)]
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

    /// How often another number goes into this one, and what is left.
    ///
    /// # Panics
    ///
    /// If the other is 0.
    ///
    /// ```
    /// use retrospect::reflect::Natural;
    /// let product = &Natural::from(u64::MAX) * &Natural::from(7);
    /// let (quotient, rest) = (product + Natural::from(3)).divided_by(&Natural::from(7));
    /// assert_eq!((quotient, rest), (u64::MAX.into(), 3.into()));
    /// ```
    pub fn divided_by(&self, other: &Natural) -> (Natural, Natural) {
        assert!(!other.is_zero(), "{self} cannot be divided by 0");
        if let (Some(number), Some(other)) = (self.to_u64(), other.to_u64()) {
            return ((number / other).into(), (number % other).into());
        }
        // By pencil and paper, in base 2: the numbers are large, but few.
        let (mut quotient, mut rest) = (Natural { digits: vec![0; self.digits.len()] }, Natural::default());
        for place in (0..self.digits.len()).rev() {
            for bit in (0..u64::BITS).rev() {
                let doubled = rest.clone();
                rest += &doubled;
                rest += &Natural::from(self.digits[place] >> bit & 1);
                if rest >= *other {
                    rest -= other;
                    quotient.digits[place] |= 1 << bit;
                }
            }
        }
        (quotient.trimmed(), rest)
    }

    /// A number below this one, each as likely as the others; `next` gives random bits.
    ///
    /// # Panics
    ///
    /// If this is 0: nothing is below it.
    ///
    /// ```
    /// use retrospect::reflect::Natural;
    /// use retrospect::source::Rng;
    /// let (mut rng, large) = (Rng::new(1), &Natural::from(u64::MAX) * &Natural::from(3));
    /// assert!((0..100).all(|_| large.random_below(|| rng.next()) < large));
    /// assert!(Natural::from(1).random_below(|| rng.next()).is_zero());
    /// ```
    pub fn random_below(&self, mut next: impl FnMut() -> u64) -> Natural {
        let highest = *self.digits.last().expect("no number is below 0");
        // As many bits as the number has: at least every second try is below it.
        let mask = u64::MAX >> highest.leading_zeros();
        loop {
            let mut digits = Vec::with_capacity(self.digits.len());
            for _ in 0..self.digits.len() {
                digits.push(next());
            }
            if let Some(last) = digits.last_mut() {
                *last &= mask;
            }
            let drawn = Natural { digits }.trimmed();
            if drawn < *self {
                return drawn;
            }
        }
    }

    pub(crate) fn from_u128(number: u128) -> Natural {
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

    /// 2 to a power.
    pub(crate) fn two_to(power: u32) -> Natural {
        let mut digits = vec![0; power as usize / 64];
        digits.push(1 << (power % 64));
        Natural { digits }
    }

    /// How many binary digits it has.
    pub(crate) fn bits(&self) -> u64 {
        self.digits.last().map_or(0, |last| 64 * self.digits.len() as u64 - u64::from(last.leading_zeros()))
    }

    /// The upper 64 binary digits, and how many follow.
    pub(crate) fn leading(&self) -> (u64, u64) {
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

    /// Both divided by what divides both.
    pub(crate) fn in_lowest_terms(one: Natural, other: Natural) -> (Natural, Natural) {
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
            large -= &small;
            large = large.halved(large.twos());
        }
        match small.to_u64() {
            Some(1) => (one, other),
            _ => (one.divided_by(&small).0, other.divided_by(&small).0),
        }
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

/// What is left of a number after another, which must not be larger, is taken away.
///
/// ```
/// use retrospect::reflect::Natural;
/// let mut number = Natural::from(u64::MAX) + Natural::from(5);
/// number -= &Natural::from(7);
/// assert_eq!(number, Natural::from(u64::MAX - 2));
/// ```
impl std::ops::SubAssign<&Natural> for Natural {
    fn sub_assign(&mut self, other: &Natural) {
        assert!(*self >= *other, "{other} cannot be taken from {self}: there are no negative numbers here");
        let mut borrow = false;
        for (place, digit) in self.digits.iter_mut().enumerate() {
            let (rest, first) = digit.overflowing_sub(other.digits.get(place).copied().unwrap_or(0));
            let (rest, second) = rest.overflowing_sub(u64::from(borrow));
            *digit = rest;
            borrow = first || second;
        }
        while self.digits.pop_if(|digit| *digit == 0).is_some() {}
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

/// As `Display` shows it: digits to the base 2^64 tell a reader nothing.
impl fmt::Debug for Natural {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
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
    fn debug_text_is_the_number() {
        assert_eq!(format!("{:?}", Some(Natural::two_to(70))), "Some(1180591620717411303424)");
    }

    #[test]
    fn arithmetic_agrees_with_u128() {
        let numbers = [0u64, 1, 2, 9_999_999_999_999_999_999, 10_000_000_000_000_000_000, u64::MAX - 1, u64::MAX];
        for a in numbers {
            for b in numbers {
                let (big_a, big_b) = (Natural::from(a), Natural::from(b));
                assert_eq!((big_a.clone() + big_b.clone()).to_string(), (u128::from(a) + u128::from(b)).to_string());
                assert_eq!((&big_a * &big_b).to_string(), (u128::from(a) * u128::from(b)).to_string());
                assert_eq!(big_a.cmp(&big_b), a.cmp(&b));
                if b != 0 {
                    let (quotient, rest) = ((&big_a * &big_a) + big_b.clone()).divided_by(&big_b);
                    let number = u128::from(a) * u128::from(a) + u128::from(b);
                    assert_eq!(quotient.to_string(), (number / u128::from(b)).to_string());
                    assert_eq!(rest.to_string(), (number % u128::from(b)).to_string());
                }
                let mut difference = (&big_a * &big_b) + big_a.clone();
                difference -= &big_a;
                assert_eq!(difference, &big_a * &big_b);
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
