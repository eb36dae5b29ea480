//! Is a share reached? A test that may be looked at after every case.
//!
//! "The share is at least p" is tested by betting against it. Start with a wealth of 1. Before each
//! case, bet at odds that are fair if the share is p, as one would who believes it is q < p: the
//! wealth is multiplied by q/p if the condition holds and by (1 - q)/(1 - p) if not. Whatever the
//! share really is, if it is p or more, this cannot be expected to grow; so by Ville's inequality
//! it *ever* reaches a million with a probability of at most one in a million, and it does not
//! matter how often one looks, or why one stops. If the share is less than p, some q makes it grow
//! exponentially.
//!
//! Which q is best is not known, so the wealth is divided among a few. That leaves the wealth a
//! function of two counts, and not of the order in which things happened: counts of several threads
//! can be added, and nothing has to be remembered.
//!
//! "Met" is the same bet in the other direction, against a share that is a tenth smaller. Between
//! the two, both bets win in the end, so every question is decided sooner or later.

use super::summary::{exact_percent, grouped, percent};
use crate::runner::case::Interruption;
use crate::runner::panics;
use std::fmt;
use std::panic::Location;

/// How likely a verdict may be wrong.
const ERROR: f64 = 1e-6;

/// A share this much smaller is still no failure: otherwise one that is exactly as demanded could
/// not be told from one that is missed.
const TOLERANCE: f64 = 0.9;

/// Among how many bets the wealth is divided. More would find the best one more closely, and have
/// less to put on it.
const BETS: u32 = 16;

/// What the cases so far say about a [`cover!`](crate::cover).
///
/// Wrong less than once in a million properties, however often it is asked for, as long as the
/// cases are drawn alike.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::runner::statistics::{Statistics, Verdict};
/// let verdict = |cases, every| Statistics::of(cases, |case| cover!(0.05, case % every == 0)).covers()[0].verdict();
/// assert_eq!(verdict(100, 10), Verdict::Undecided);
/// assert_eq!(verdict(1000, 10), Verdict::Met);
/// assert_eq!(verdict(1000, 100), Verdict::Missed);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The share is more than nine tenths of what was demanded.
    Met,
    /// The share is less than what was demanded.
    Missed,
    /// More cases are needed.
    Undecided,
}

/// A place in the source. Unlike a `std::panic::Location` it can come from another process.
///
/// ```
/// # use retrospect::prelude::*;
/// # use retrospect::runner::statistics::Statistics;
/// let place = Statistics::of(1, |case| cover!(0.5, case == 0)).covers()[0].place();
/// assert_eq!(place.to_string(), format!("{}:{}:{}", place.file(), place.line(), place.column()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub(crate) file: &'static str,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Place {
    /// The file, as the compiler was told it.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::runner::statistics::Statistics;
    /// assert_eq!(Statistics::of(1, |case| cover!(0.5, case == 0)).covers()[0].place().file(), file!());
    /// ```
    pub fn file(&self) -> &'static str {
        self.file
    }

    /// The line, counted from 1.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::runner::statistics::Statistics;
    /// assert_eq!(Statistics::of(1, |case| cover!(0.5, case == 0)).covers()[0].place().line(), line!());
    /// ```
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The column, counted from 1.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::runner::statistics::Statistics;
    /// assert!(Statistics::of(1, |case| cover!(0.5, case == 0)).covers()[0].place().column() > 1);
    /// ```
    pub fn column(&self) -> u32 {
        self.column
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// How often the condition of one [`cover!`](crate::cover) held.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::runner::statistics::Statistics;
/// let statistics = Statistics::of(100, |case| cover!(0.05, case < 20, "early"));
/// let cover = &statistics.covers()[0];
/// assert_eq!((cover.label(), cover.required(), cover.held_in(), cover.cases()), ("early", 0.05, 20, 100));
/// ```
#[derive(Clone)]
pub struct Coverage {
    pub(crate) place: Place,
    pub(crate) label: &'static str,
    pub(crate) required: f64,
    pub(crate) held_in: u64,
    pub(crate) cases: u64,
}

impl Coverage {
    /// One case that reached the place.
    #[track_caller]
    pub(super) fn of_case(place: &'static Location<'static>, label: &'static str, required: f64, held: bool) -> Self {
        if !(0.0..=1.0).contains(&required) {
            let example = if required > 1.0 && required <= 100.0 { required } else { 5.0 };
            let share = exact_percent(example / 1e4);
            let message =
                format!("cover! needs a share between 0 and 1, not {required}: {example} % is written {share}");
            if panics::is_watching() {
                // The property is mistaken, whatever its values are: there is nothing to shrink or
                // to save.
                panics::throw(Interruption::Misused(format!("{message}, at {place}")));
            }
            panic!("{message}");
        }
        let place = Place { file: place.file(), line: place.line(), column: place.column() };
        Coverage { place, label, required, held_in: u64::from(held), cases: 1 }
    }

    /// What was given to `cover!`, or its condition between backticks.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::runner::statistics::Statistics;
    /// assert_eq!(Statistics::of(1, |case| cover!(0.5, case == 0)).covers()[0].label(), "`case == 0`");
    /// ```
    pub fn label(&self) -> &'static str {
        self.label
    }

    /// Where the `cover!` stands.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::runner::statistics::Statistics;
    /// let line = line!() + 1;
    /// assert_eq!(Statistics::of(1, |case| cover!(0.5, case == 0)).covers()[0].place().line(), line);
    /// ```
    pub fn place(&self) -> Place {
        self.place
    }

    /// The share that is demanded.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::runner::statistics::Statistics;
    /// assert_eq!(Statistics::of(1, |case| cover!(0.5, case == 0)).covers()[0].required(), 0.5);
    /// ```
    pub fn required(&self) -> f64 {
        self.required
    }

    /// In how many cases the condition held, at least once each.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::runner::statistics::Statistics;
    /// let twice_in_each = Statistics::of(10, |_| (0..3).for_each(|turn| cover!(0.5, turn > 0)));
    /// assert_eq!(twice_in_each.covers()[0].held_in(), 10);
    /// ```
    pub fn held_in(&self) -> u64 {
        self.held_in
    }

    /// How many cases reached it.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::runner::statistics::Statistics;
    /// let statistics = Statistics::of(10, |case| {
    ///     if case >= 6 {
    ///         cover!(0.5, case % 2 == 0);
    ///     }
    /// });
    /// assert_eq!(statistics.covers()[0].cases(), 4);
    /// ```
    pub fn cases(&self) -> u64 {
        self.cases
    }

    /// Whether the share is reached, as far as these cases can tell.
    ///
    /// It takes some sixty logarithms, so a quick property asks for it now and then, not after
    /// every case. Cases that grow are alike only over a whole round of sizes; ask at the end of
    /// one.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::runner::statistics::{Statistics, Verdict};
    /// let verdict = |share| Statistics::of(50, |case| cover!(share, case != 30)).covers()[0].verdict();
    /// // All is more than nothing; and "always" is refuted by one exception.
    /// assert_eq!(verdict(0.0), Verdict::Met);
    /// assert_eq!(verdict(1.0), Verdict::Missed);
    /// ```
    pub fn verdict(&self) -> Verdict {
        self.verdict_at(ERROR)
    }

    /// What to say when it is missed: the counts, the place and the way out.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::runner::statistics::Statistics;
    /// let statistics = Statistics::of(400, |case| cover!(0.05, case > 1000));
    /// assert!(statistics.covers()[0].failure().starts_with("`case > 1000` held in 0 of 400 cases, and at least 5 % are"));
    /// ```
    pub fn failure(&self) -> String {
        let Coverage { place, label, required, held_in, cases } = self;
        let share = match held_in {
            0 => String::new(),
            _ => format!(" ({})", percent(*held_in, *cases)),
        };
        format!(
            "{label} held in {} of {} cases{share}, and at least {} % are expected by cover! at {place}\n\
             make the generator draw such cases more often, or lower the share: cover!({required}, …)",
            grouped(*held_in),
            grouped(*cases),
            exact_percent(*required),
        )
    }

    pub(super) fn verdict_at(&self, error: f64) -> Verdict {
        let enough = -error.ln();
        let misses = self.cases - self.held_in;
        if self.required == 0.0 {
            Verdict::Met
        } else if self.required == 1.0 && misses > 0 {
            Verdict::Missed
        } else if self.wealth_against_less(TOLERANCE * self.required) >= enough {
            Verdict::Met
        } else if self.wealth_against_more(self.required) >= enough {
            Verdict::Missed
        } else {
            Verdict::Undecided
        }
    }

    /// The logarithm of what one has who bet against "the share is `share` or more". The bets are
    /// spread evenly from 0 upwards.
    pub(super) fn wealth_against_more(&self, share: f64) -> f64 {
        self.wealth(share, &|bet| share * bet)
    }

    /// The logarithm of what one has who bet against "the share is `share` or less". The bets are
    /// spread from 1 downwards, closer and closer: a share of one in a thousand needs a bet just
    /// above, and a share of one half needs one far above.
    pub(super) fn wealth_against_less(&self, share: f64) -> f64 {
        self.wealth(share, &|bet| share.powf(1.0 - (1.0 - bet) * (1.0 - bet)))
    }

    /// The mean over bets from 0 up to, but without, 1, each of which stands for a believed share.
    fn wealth(&self, share: f64, believed: &dyn Fn(f64) -> f64) -> f64 {
        let mut bets = [0.0; BETS as usize];
        let mut largest = f64::NEG_INFINITY;
        for (place, bet) in bets.iter_mut().enumerate() {
            let believed = believed(place as f64 / f64::from(BETS));
            let misses = self.cases - self.held_in;
            *bet = times(self.held_in, believed / share) + times(misses, (1.0 - believed) / (1.0 - share));
            largest = largest.max(*bet);
        }
        if largest.is_infinite() {
            return largest;
        }
        let mut sum = 0.0;
        for bet in bets {
            sum += (bet - largest).exp();
        }
        largest + (sum / f64::from(BETS)).ln()
    }

    pub(super) fn is_same_site(&self, other: &Coverage) -> bool {
        self.place == other.place && self.required == other.required && self.label == other.label
    }

    pub(super) fn hold_if(&mut self, held: bool) {
        self.held_in |= u64::from(held);
    }

    pub(super) fn add(&mut self, other: &Coverage) {
        self.held_in += other.held_in;
        self.cases += other.cases;
    }
}

#[cfg(test)]
impl Coverage {
    pub(super) fn set(&mut self, held_in: u64, cases: u64) {
        (self.held_in, self.cases) = (held_in, cases);
    }
}

/// The logarithm of a factor that comes so often; a factor that never comes has no say, even if it
/// is 0.
fn times(count: u64, factor: f64) -> f64 {
    if count == 0 { 0.0 } else { count as f64 * factor.ln() }
}

/// As it stands in the summary: `` `len == 0` 6 % (at least 1 %)  met ``.
impl fmt::Display for Coverage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = percent(self.held_in, self.cases);
        write!(formatter, "{} {share} (at least {} %)  ", self.label, exact_percent(self.required))?;
        match self.verdict() {
            Verdict::Met => write!(formatter, "met"),
            Verdict::Missed => write!(formatter, "NOT MET"),
            Verdict::Undecided => write!(formatter, "undecided after {} cases", grouped(self.cases)),
        }
    }
}

impl fmt::Debug for Coverage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}, at {}", self.place)
    }
}
