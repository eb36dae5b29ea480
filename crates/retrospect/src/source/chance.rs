//! How likely each answer of a random source is, exactly.

use super::{CustomDistribution, Distribution, PickRequest, RepeatRequest};
use crate::source::DORMANT;

/// How likely one answer to one choice is: a fraction in lowest terms. It is exact, unless it is
/// said to be [rounded](Chance::rounded).
///
/// ```
/// use retrospect::source::{Chance, Distribution};
/// assert_eq!(Distribution::Uniform.chance(3, 9), Some(Chance::new(1, 10)));
/// assert_eq!(Distribution::Always(3).chance(4, 9), Some(Chance::NEVER));
/// let either = Chance::new(1, 4).plus(Chance::new(1, 6)).unwrap();
/// assert_eq!((either.numerator(), either.denominator()), (5, 12));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance {
    numerator: u128,
    denominator: u128,
    is_exact: bool,
}

impl Chance {
    /// What does not happen.
    ///
    /// ```
    /// use retrospect::source::Chance;
    /// assert_eq!(Chance::NEVER, Chance::new(0, 7));
    /// ```
    pub const NEVER: Chance = Chance { numerator: 0, denominator: 1, is_exact: true };

    /// What always happens.
    ///
    /// ```
    /// use retrospect::source::Chance;
    /// assert_eq!(Chance::ALWAYS, Chance::new(7, 7));
    /// ```
    pub const ALWAYS: Chance = Chance { numerator: 1, denominator: 1, is_exact: true };

    /// The fraction of these two numbers.
    ///
    /// # Panics
    ///
    /// If the denominator is 0.
    ///
    /// ```
    /// use retrospect::source::Chance;
    /// assert_eq!(Chance::new(2, 8), Chance::new(1, 4));
    /// ```
    pub fn new(numerator: u128, denominator: u128) -> Chance {
        assert!(denominator != 0, "a chance of {numerator}/0: the denominator must not be 0");
        let divisor = greatest_common_divisor(numerator, denominator);
        Chance { numerator: numerator / divisor, denominator: denominator / divisor, is_exact: true }
    }

    /// A number that is the chance but for its last digits, for laws that draw by rounded numbers
    /// themselves; 0 if it is not above 0, and 1 if it is above 1.
    ///
    /// ```
    /// use retrospect::source::Chance;
    /// let chance = Chance::rounded(0.1);
    /// assert!(!chance.is_exact() && Chance::new(1, 10).is_exact());
    /// assert!((chance.numerator() as f64 / chance.denominator() as f64 - 0.1).abs() < 1e-15);
    /// ```
    pub fn rounded(chance: f64) -> Chance {
        // As many digits after the point as there is room for: all that a float has, unless it is
        // below 2^-70 or so.
        const PLACES: i32 = 126;
        let scaled = chance.clamp(0.0, 1.0) * 2f64.powi(PLACES);
        Chance { is_exact: false, ..Chance::new(scaled as u128, 1 << PLACES) }
    }

    /// Whether it is the very fraction, and not a number near it.
    ///
    /// ```
    /// use retrospect::source::Chance;
    /// assert!(Chance::new(1, 3).is_exact());
    /// assert!(!Chance::rounded(1.0 / 3.0).is_exact());
    /// ```
    pub fn is_exact(self) -> bool {
        self.is_exact
    }

    #[allow(dead_code, reason = "only the types of other crates need it")]
    pub(crate) fn sure_if(is_sure: bool) -> Chance {
        if is_sure { Chance::ALWAYS } else { Chance::NEVER }
    }

    /// What happens if one of several laws is thrown for: how many of `of` throws there are for
    /// each, and how likely it is then. `None` if the numbers get too long.
    pub(crate) fn mixture(of: u128, parts: &[(u128, Chance)]) -> Option<Chance> {
        let mut sum = Chance::NEVER;
        for (throws, chance) in parts {
            sum = sum.plus(Chance::new(*throws, of).times(*chance)?)?;
        }
        Some(sum)
    }

    /// The upper number.
    ///
    /// ```
    /// use retrospect::source::Chance;
    /// assert_eq!(Chance::new(2, 8).numerator(), 1);
    /// ```
    pub fn numerator(self) -> u128 {
        self.numerator
    }

    /// The lower number.
    ///
    /// ```
    /// use retrospect::source::Chance;
    /// assert_eq!(Chance::new(2, 8).denominator(), 4);
    /// ```
    pub fn denominator(self) -> u128 {
        self.denominator
    }

    /// Both, one after the other; `None` if the numbers get too long.
    ///
    /// ```
    /// use retrospect::source::Chance;
    /// assert_eq!(Chance::new(1, 2).times(Chance::new(2, 3)), Some(Chance::new(1, 3)));
    /// ```
    pub fn times(self, other: Chance) -> Option<Chance> {
        let (left, right) =
            (Chance::new(self.numerator, other.denominator), Chance::new(other.numerator, self.denominator));
        Some(Chance {
            numerator: left.numerator.checked_mul(right.numerator)?,
            denominator: left.denominator.checked_mul(right.denominator)?,
            is_exact: self.is_exact && other.is_exact,
        })
    }

    /// One or the other, if they exclude each other; `None` if the numbers get too long.
    ///
    /// ```
    /// use retrospect::source::Chance;
    /// assert_eq!(Chance::new(1, 4).plus(Chance::new(1, 4)), Some(Chance::new(1, 2)));
    /// ```
    pub fn plus(self, other: Chance) -> Option<Chance> {
        let divisor = greatest_common_divisor(self.denominator, other.denominator);
        let (left, right) = (other.denominator / divisor, self.denominator / divisor);
        let numerator = self.numerator.checked_mul(left)?.checked_add(other.numerator.checked_mul(right)?)?;
        let is_exact = self.is_exact && other.is_exact;
        Some(Chance { is_exact, ..Chance::new(numerator, self.denominator.checked_mul(left)?) })
    }
}

fn greatest_common_divisor(mut one: u128, mut other: u128) -> u128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one.max(1)
}

impl Distribution {
    /// How likely `index` is among 0 to `max`; `None` if only a function knows how it is drawn, and
    /// none says how likely.
    ///
    /// ```
    /// use retrospect::source::{Chance, Distribution};
    /// assert_eq!(Distribution::Uniform.chance(2, 4), Some(Chance::new(1, 5)));
    /// // Of the numbers from 0 to 7, boundaries and small ones are more likely.
    /// let [small, middle] = [0, 5].map(|index| Distribution::Mixed.chance(index, 7).unwrap());
    /// assert!(small.numerator() * middle.denominator() > middle.numerator() * small.denominator());
    /// ```
    pub fn chance(self, index: u64, max: u64) -> Option<Chance> {
        match self {
            _ if index > max => Some(Chance::NEVER),
            Distribution::Uniform => Some(Chance::new(1, u128::from(max) + 1)),
            Distribution::Mixed => Some(mixed(index, index, max)),
            Distribution::Always(always) if always.min(max) == index => Some(Chance::ALWAYS),
            Distribution::Always(_) => Some(Chance::NEVER),
            Distribution::Custom(CustomDistribution { chance, parameters, .. }) => chance?(index, max, parameters),
        }
    }
}

impl Distribution {
    /// How likely it is an index from `first` to `last`, which are not above `max`; `None` if that
    /// is not known.
    pub(crate) fn chance_between(self, first: u64, last: u64, max: u64) -> Option<Chance> {
        match self {
            Distribution::Uniform => Some(Chance::new(u128::from(last - first) + 1, u128::from(max) + 1)),
            Distribution::Mixed => Some(mixed(first, last, max)),
            _ if first == last => self.chance(first, max),
            _ if last - first < MOST_SUMMED => {
                let mut sum = Chance::NEVER;
                for index in first..=last {
                    sum = sum.plus(self.chance(index, max)?)?;
                }
                Some(sum)
            }
            _ => None,
        }
    }
}

/// How many chances of a distribution that is a function are summed up.
const MOST_SUMMED: u64 = 1 << 12;

impl PickRequest<'_> {
    /// How likely a random source takes this arm.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// use retrospect::source::{Chance, DORMANT, PickRequest};
    /// # static TREE: Site = Site::pick("tree", &["leaf", "two", "three"], file!(), line!());
    /// let request = PickRequest::new(&TREE, &[1, 3, DORMANT]);
    /// assert_eq!(request.chance(1), Chance::new(3, 4));
    /// assert_eq!(request.chance(2), Chance::NEVER);
    /// ```
    pub fn chance(&self, arm: usize) -> Chance {
        let weight = |weight: u32| if weight == DORMANT { 0 } else { u128::from(weight) };
        let mut total = 0;
        for other in self.weights {
            total += weight(*other);
        }
        if total == 0 {
            // The simplest that can be made.
            return if self.possible_arms().next() == Some(arm) { Chance::ALWAYS } else { Chance::NEVER };
        }
        Chance::new(self.weights.get(arm).map_or(0, |own| weight(*own)), total)
    }
}

impl RepeatRequest {
    /// How likely a random source takes so many items.
    ///
    /// ```
    /// use retrospect::source::{Chance, RepeatRequest};
    /// let request = RepeatRequest { min: 2, max: usize::MAX, likely_max: 5 };
    /// assert_eq!(request.chance(3), Chance::new(1, 4));
    /// assert_eq!(request.chance(6), Chance::NEVER); // Possible, but not drawn.
    /// ```
    pub fn chance(&self, count: usize) -> Chance {
        if !(self.min..=self.likely_max).contains(&count) {
            return Chance::NEVER;
        }
        Chance::new(1, (self.likely_max - self.min) as u128 + 1)
    }
}

/// How many of the 2^32 numbers `x` have `x * count >> 32 == place`: what `draw` functions do to
/// choose one of a few.
pub(crate) fn share_of_32_bits(place: u64, count: u64) -> u128 {
    let first = |place: u64| (u128::from(place) << 32).div_ceil(u128::from(count));
    first(place + 1) - first(place)
}

/// [`Distribution::Mixed`] for the indices from `first` to `last`, followed through its code: every
/// throw of the dice is a number of 64 even bits.
fn mixed(first: u64, last: u64, max: u64) -> Chance {
    /// The least share there is: 1 in 8, 1 in 2, 1 in 64, 1 in 2^64.
    const WHOLE: u128 = 1 << 74;
    let bits = u64::from(u64::BITS - max.leading_zeros());
    let mut sum = 0u128;
    // One in eight is a boundary: half of them the largest four, half next to a power of two.
    for near in 0..4 {
        if (first..=last).contains(&max.saturating_sub(near)) {
            sum += WHOLE >> 6;
        }
        for power in 0..bits.max(1) {
            if (first..=last).contains(&((1u64 << power).saturating_sub(2) + near).min(max)) {
                sum += share_of_32_bits(power, bits.max(1)) << (74 - 6 - 32);
            }
        }
    }
    // Of the others half are plain, half lose a number of their bits.
    let bound = u128::from(max) + 1;
    let first_random = |place: u128| match bound {
        0x1_0000_0000_0000_0000 => place,
        bound if place >= bound => 1 << 64,
        bound => (place << 64).div_ceil(bound),
    };
    let share = |lost: u64| {
        let (low, high) = (u128::from(first) << lost, (u128::from(last) + 1) << lost);
        if low >= bound { 0 } else { first_random(high.min(bound)) - first_random(low) }
    };
    sum += 7 * (share(0) << 6);
    for thrown in 0..64 {
        sum += 7 * share((thrown * bits) >> 6);
    }
    Chance::new(sum, WHOLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Rng;
    use crate::source::random::tests::Fixed;

    fn sum(distribution: Distribution, max: u64) -> Chance {
        (0..=max).fold(Chance::NEVER, |sum, index| sum.plus(distribution.chance(index, max).unwrap()).unwrap())
    }

    #[test]
    fn the_chances_of_all_indices_add_up_to_one() {
        for max in (0..40).chain([63, 64, 65, 100, 127, 128, 255, 1000, 4095, 4096]) {
            assert_eq!(sum(Distribution::Uniform, max), Chance::ALWAYS, "{max}");
            assert_eq!(sum(Distribution::Mixed, max), Chance::ALWAYS, "{max}");
            assert_eq!(sum(Distribution::Always(7), max), Chance::ALWAYS, "{max}");
        }
    }

    /// Every throw of the ten bits that decide, and an even grid of the number that is drawn next,
    /// run through the very code that draws.
    #[test]
    fn the_mixed_law_agrees_with_its_code_thrown_exhaustively() {
        for max in [0u64, 1, 2, 5, 6, 7, 8, 12] {
            let mut counts = vec![0u32; max as usize + 1];
            let mut total = 0u32;
            // No step lies across the edge of an even number or of a power.
            let steps = u128::from((max + 1) * u64::from((u64::BITS - max.leading_zeros()).max(1)));
            for thrown in 0..1024u64 {
                for step in 0..steps {
                    let middle = (((2 * step + 1) << 63) / steps) as u64;
                    for low_bits in 0..8 {
                        let mut dice = Fixed::new(thrown, (middle & !7) | low_bits);
                        counts[dice.by_dice(max) as usize] += 1;
                        total += 1;
                    }
                }
            }
            for (index, count) in counts.iter().enumerate() {
                let exact = Distribution::Mixed.chance(index as u64, max).unwrap();
                let exact = exact.numerator() as f64 / exact.denominator() as f64;
                let found = f64::from(*count) / f64::from(total);
                assert!((exact - found).abs() < 1e-8, "{index} of {max}: {exact} or {found}");
            }
        }
    }

    #[test]
    fn the_mixed_law_agrees_with_large_samples() {
        const DRAWS: u32 = 400_000;
        for max in [3u64, 9, 16, 100, 1000, u64::MAX] {
            let mut rng = Rng::new(max ^ 11);
            let mut counts = [0u32; 64];
            for _ in 0..DRAWS {
                if let Some(count) = counts.get_mut(Distribution::Mixed.draw(max, &mut rng) as usize) {
                    *count += 1;
                }
            }
            for (index, count) in counts.iter().enumerate().take(max.min(63) as usize + 1) {
                let chance = Distribution::Mixed.chance(index as u64, max).unwrap();
                let expected = chance.numerator() as f64 / chance.denominator() as f64 * f64::from(DRAWS);
                let difference = f64::from(*count) - expected;
                assert!(difference.abs() < 5.0 * expected.sqrt() + 5.0, "{index} of {max}: {count}, not {expected}");
            }
        }
    }

    #[test]
    fn wide_bounds_have_exact_chances_too() {
        let largest = Distribution::Mixed.chance(u64::MAX, u64::MAX).unwrap();
        // A 64th for the largest, which is also a neighbour of no power of two; and its share of
        // the even draws.
        assert!(largest.denominator() <= 1 << 74 && largest.numerator() * 64 >= largest.denominator());
        assert_eq!(Distribution::Mixed.chance(12, 5), Some(Chance::NEVER));
    }
}
