//! How large and how long, where nobody says so.

/// The size of a source that was not told one.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::source::{DEFAULT_SIZE, Source};
/// assert_eq!(Source::random(1).size(), DEFAULT_SIZE);
/// // A list without a limit is at most that long.
/// assert!((0..100).all(|seed| vec_of(0..10, ..).sample(seed).len() <= DEFAULT_SIZE as usize));
/// ```
pub const DEFAULT_SIZE: u32 = 100;

/// Picks that a random source answers at random before every further one takes an arm that ends,
/// and every list the fewest items. A list counts as a pick, and each item if their number has no
/// limit. Sizes above 100 have more, in proportion.
///
/// It is a net for values that are large without being deep. Below the first 8 levels there are
/// only 10 picks for each unit of size, so that recursion which does not die out by itself stays
/// readable.
///
/// ```
/// use retrospect::choice::Site;
/// use retrospect::source::{PICK_BUDGET, Source};
/// static COIN: Site = Site::pick("coin", &["heads", "tails"], file!(), line!());
/// let mut source = Source::random(1);
/// let tails = (0..PICK_BUDGET).filter(|_| source.pick(&COIN, &[1, 1]) == Ok(1)).count();
/// assert!(tails > 1000);
/// assert!((0..100).all(|_| source.pick(&COIN, &[1, 1]) == Ok(0))); // From here on the simplest.
/// ```
pub const PICK_BUDGET: u32 = 1 << 17;

/// How many items a list, a set or a text may have to have. The choices of a value stand in one
/// vector, and those of so many items take gigabytes of it.
pub(crate) const MAX_COUNT: usize = 1 << 28;

/// How many values a filter refuses in a row before it gives up.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::source::{MAX_TRIES, Source, Why};
/// let mut source = Source::random(1);
/// assert!(within(0..10).filter(|_| false).generate(&mut source).is_err());
/// assert!(matches!(source.why(), Some(Why::FilteredOut { refused: MAX_TRIES, .. })));
/// ```
pub const MAX_TRIES: u32 = 10_000;

/// How many values in a row are refused altogether by filters and sets that stand inside one
/// another.
pub(crate) const MAX_NESTED_TRIES: u32 = 10 * MAX_TRIES;

/// How many answers that are made up may stand inside one another: sets in sets.
pub(crate) const MAX_IMPROVISED: u32 = 16;

/// How many values a filter refuses in a row before it tries a larger size.
///
/// A filter that refuses up to 80 % comes to this less than once in 2^60 draws, so
/// `Ways::probability` can leave it out.
pub(crate) const TRIES_PER_SIZE: u32 = 200;

/// The next larger size, if everything was refused at this one.
pub(crate) fn grown(size: u32) -> u32 {
    size.saturating_mul(2).clamp(1, DEFAULT_SIZE).max(size)
}

/// How many duplicates in a row are enough for a set to be content with fewer items, if the least
/// number is reached. A power of two.
pub(crate) const ENOUGH_DUPLICATES: u32 = 64;

/// How many duplicates beyond those are drawn for one value, by sets that still lack items. Then
/// these are made up.
pub(crate) const PATIENCE: u32 = MAX_TRIES - ENOUGH_DUPLICATES;

/// How often what depends on chance is tried again in vain while a text is read, by generators
/// inside one another altogether.
pub(crate) const MAX_FILLINGS: u32 = 5000;
