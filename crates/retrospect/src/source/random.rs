use super::{Chance, Chooser, NumberRequest, PickRequest, RepeatRequest};

/// A small fast random number generator (wyrand), the same on every platform and in every version
/// of this crate.
///
/// ```
/// use retrospect::source::Rng;
/// let (mut one, mut other) = (Rng::new(7), Rng::new(7));
/// assert_eq!(one.next(), other.next());
/// assert!(one.at_most(9) <= 9);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// An odd number whose bits are as good as random.
    const STEP: u64 = 0xA076_1D64_78BD_642F;

    /// A generator for a seed. Neighbouring seeds give unrelated sequences.
    ///
    /// ```
    /// use retrospect::source::Rng;
    /// assert_eq!(Rng::new(7).next(), Rng::new(7).next());
    /// assert_ne!(Rng::new(7).next() >> 32, Rng::new(8).next() >> 32);
    /// ```
    #[inline]
    pub fn new(seed: u64) -> Rng {
        // One round of splitmix64, so that seeds 1, 2, 3 … do not start near each other.
        let mut mixed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Rng { state: mixed ^ (mixed >> 31) }
    }

    /// The next 64 random bits. For a seed they are the same on every platform.
    ///
    /// ```
    /// use retrospect::source::Rng;
    /// let mut rng = Rng::new(7);
    /// assert_eq!([rng.next(), rng.next()], [11503838569593100259, 13266022864819509521]);
    /// ```
    #[inline(always)]
    #[expect(clippy::should_implement_trait, reason = "an endless sequence needs no Option")]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(Rng::STEP);
        let product = u128::from(self.state) * u128::from(self.state ^ 0xE703_7ED1_A0B4_28DB);
        (product >> 64) as u64 ^ product as u64
    }

    /// A number from 0 to `max`, both included, each as likely as the others.
    ///
    /// ```
    /// use retrospect::source::Rng;
    /// let mut rng = Rng::new(7);
    /// let thrown: Vec<u64> = (0..100).map(|_| 1 + rng.at_most(5)).collect();
    /// assert!((1..=6).all(|side| thrown.contains(&side)) && !thrown.contains(&7));
    /// assert_eq!(rng.at_most(0), 0);
    /// ```
    #[inline(always)]
    pub fn at_most(&mut self, max: u64) -> u64 {
        let bound = max.wrapping_add(1);
        if bound == 0 {
            return self.next();
        }
        // Lemire's multiplication, with a rejection so rare that it costs nothing.
        let mut product = u128::from(self.next()) * u128::from(bound);
        if (product as u64) < bound {
            // No call: whoever draws many numbers would have to keep registers free for it.
            let threshold = bound.wrapping_neg() % bound;
            while (product as u64) < threshold {
                product = u128::from(self.next()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }
}

/// How a random source distributes the index of a number. Replay and reflection ignore it.
///
/// ```
/// use retrospect::source::{Distribution, Rng};
/// let mut rng = Rng::new(1);
/// let drawn: Vec<u64> = (0..1000).map(|_| Distribution::Mixed.draw(u64::MAX, &mut rng)).collect();
/// assert!(drawn.iter().filter(|index| **index < 256).count() > 40);
/// assert!(drawn.contains(&u64::MAX));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// Every index is as likely as the others.
    Uniform,
    /// Small indices and boundaries far more often than chance would have them: one draw in eight
    /// is a boundary (the largest few, or next to a power of two); every second one of the others
    /// loses a random number of its *bits*, so that small numbers are as frequent as large ones;
    /// the rest is uniform.
    Mixed,
    /// Always this index when drawn at random: a parameter, such as the size, that replay and
    /// shrinking may still change.
    Always(u64),
    /// As a function says.
    Custom(CustomDistribution),
}

/// A distribution of its own: how chars, floats or addresses are drawn.
///
/// ```
/// use retrospect::source::{CustomDistribution, Distribution, Rng};
/// let even = CustomDistribution { draw: |max, _, rng| rng.at_most(max / 2) * 2, parameters: [0; 4], chance: None };
/// assert_eq!(Distribution::Custom(even).draw(100, &mut Rng::new(1)) % 2, 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CustomDistribution {
    /// Draws an index from 0 to its first argument, given the parameters.
    pub draw: fn(u64, [u64; 4], &mut Rng) -> u64,
    /// What the function should know besides: the ends of a range, for example.
    pub parameters: [u64; 4],
    /// How likely `draw` gives its first argument, an index from 0 to its second, given the
    /// parameters. Without it, or where it says `None`, the probability of a value with such a
    /// number is not known.
    pub chance: Option<ChanceOfIndex>,
}

/// How likely an index is among 0 to the second argument, given the parameters of a
/// [`CustomDistribution`]; `None` if that is not known.
///
/// ```
/// use retrospect::source::{Chance, ChanceOfIndex, CustomDistribution, Distribution};
/// let chance: ChanceOfIndex = |index, max, _| Some(if index % 2 == 0 { Chance::new(1, u128::from(max / 2) + 1) } else { Chance::NEVER });
/// let even = CustomDistribution { draw: |max, _, rng| rng.at_most(max / 2) * 2, parameters: [0; 4], chance: Some(chance) };
/// assert_eq!(Distribution::Custom(even).chance(4, 100), Some(Chance::new(1, 51)));
/// ```
pub type ChanceOfIndex = fn(u64, u64, [u64; 4]) -> Option<Chance>;

impl PartialEq for CustomDistribution {
    fn eq(&self, other: &CustomDistribution) -> bool {
        std::ptr::fn_addr_eq(self.draw, other.draw) && self.parameters == other.parameters
    }
}

impl Eq for CustomDistribution {}

impl Distribution {
    /// Draws an index from 0 to `max`. An index that the distribution puts above `max` becomes
    /// `max`.
    ///
    /// ```
    /// use retrospect::source::{Distribution, Rng};
    /// let mut rng = Rng::new(7);
    /// assert!((0..100).all(|_| Distribution::Uniform.draw(9, &mut rng) <= 9));
    /// assert_eq!(Distribution::Always(5).draw(9, &mut rng), 5);
    /// assert_eq!(Distribution::Always(50).draw(9, &mut rng), 9);
    /// ```
    #[inline(always)]
    pub fn draw(self, max: u64, rng: &mut Rng) -> u64 {
        match self {
            Distribution::Uniform => rng.at_most(max),
            Distribution::Mixed => mixed(max, rng),
            Distribution::Always(index) => index.min(max),
            Distribution::Custom(CustomDistribution { draw, parameters, .. }) => draw(max, parameters, rng).min(max),
        }
    }
}

/// Not inlined: every range that may be wide would carry a copy.
#[inline(never)]
fn mixed(max: u64, rng: &mut Rng) -> u64 {
    mixed_inlined(max, rng)
}

#[inline(always)]
fn mixed_inlined(max: u64, rng: &mut Rng) -> u64 {
    let mut dice = rng.next();
    by_dice(max, &mut dice, rng)
}

/// [`Distribution::Mixed`] many times in a row: one throw of the dice serves several numbers.
pub(crate) struct MixedRun {
    max: u64,
    dice: u64,
    throws_left: u32,
}

impl MixedRun {
    #[inline(always)]
    pub(crate) fn new(max: u64) -> MixedRun {
        MixedRun { max, dice: 0, throws_left: 0 }
    }

    #[inline(always)]
    pub(crate) fn draw(&mut self, rng: &mut Rng) -> u64 {
        if self.throws_left == 0 {
            self.dice = rng.next();
            self.throws_left = u64::BITS / BITS_PER_THROW;
        }
        self.throws_left -= 1;
        by_dice(self.max, &mut self.dice, rng)
    }
}

const BITS_PER_THROW: u32 = 10;

/// Uses up [`BITS_PER_THROW`] bits of the dice. But for the rare boundary there are no branches:
/// which sort of number it becomes is up to chance, and a processor could not guess.
#[inline(always)]
fn by_dice(max: u64, dice: &mut u64, rng: &mut Rng) -> u64 {
    from_dice(max, dice, || rng.next())
}

/// How likely each number is, `chance.rs` works out from what stands here.
#[inline(always)]
fn from_dice(max: u64, dice: &mut u64, next: impl FnOnce() -> u64) -> u64 {
    let thrown = *dice;
    *dice >>= BITS_PER_THROW;
    if thrown & 7 == 0 {
        return boundary(max, next());
    }
    // Each index as likely as the others, but for one part in 2^64: here nobody counts on more.
    let even = match max.wrapping_add(1) {
        0 => next(),
        bound => ((u128::from(next()) * u128::from(bound)) >> 64) as u64,
    };
    // Every second one loses some of its bits, each number of bits being as likely as the others.
    let bits = u64::from(u64::BITS - max.leading_zeros());
    let lost = ((thrown >> 4 & 63) * bits) >> 6;
    even >> (lost & (thrown >> 3 & 1).wrapping_neg())
}

/// One of the largest four indices, or one next to a power of two.
#[cold]
#[inline(never)]
fn boundary(max: u64, dice: u64) -> u64 {
    let near = (dice >> 1) & 3;
    if dice & 1 == 0 {
        return max.saturating_sub(near);
    }
    let bits = u64::BITS - max.leading_zeros();
    let power = 1u64 << (((dice >> 32) * u64::from(bits.max(1))) >> 32);
    // Two below to one above.
    (power.saturating_sub(2) + near).min(max)
}

/// Answers as a random source does, where somebody has to be asked.
pub(crate) struct RandomAnswers {
    pub(crate) rng: Rng,
}

impl Chooser for RandomAnswers {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        Ok(request.random(&mut self.rng))
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        Ok(request.random(&mut self.rng))
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        Ok(request.random(&mut self.rng))
    }

    fn may_retry(&self) -> bool {
        true
    }

    fn is_random(&self) -> bool {
        true
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// One throw of the dice that is known.
    pub(crate) struct Fixed {
        thrown: u64,
        drawn: u64,
    }

    impl Fixed {
        pub(crate) fn new(thrown: u64, drawn: u64) -> Fixed {
            Fixed { thrown, drawn }
        }

        /// [`by_dice`] where the next random number is `drawn`.
        pub(crate) fn by_dice(&mut self, max: u64) -> u64 {
            from_dice(max, &mut self.thrown, || self.drawn)
        }
    }

    #[test]
    fn numbers_stay_within_their_bound_and_reach_both_ends() {
        for distribution in [Distribution::Uniform, Distribution::Mixed] {
            for max in [0, 1, 2, 5, 63, 64, 65, 1000, u64::MAX - 1, u64::MAX] {
                let mut rng = Rng::new(max ^ 5);
                let drawn: Vec<u64> = (0..2000).map(|_| distribution.draw(max, &mut rng)).collect();
                assert!(drawn.iter().all(|index| *index <= max), "{distribution:?} {max}");
                if max <= 65 || distribution == Distribution::Mixed {
                    assert!(drawn.contains(&0) && drawn.contains(&max), "{distribution:?} {max}");
                }
            }
        }
    }

    #[test]
    fn a_uniform_number_is_uniform() {
        let mut rng = Rng::new(3);
        let mut counts = [0u32; 10];
        for _ in 0..100_000 {
            counts[rng.at_most(9) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    }
}
