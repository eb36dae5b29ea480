//! What was tested: events, classes, shares, notes, scores.
//!
//! | in a property | says |
//! | --- | --- |
//! | [`assume!`](crate::assume) | this case is none; take another |
//! | [`event!`](crate::event) | a number, a category or the presence of something, to be summed up over all cases |
//! | [`classify!`](crate::classify) | in which share of the cases a condition held |
//! | [`cover!`](crate::cover) | the property fails unless a condition holds in a share of the cases |
//! | [`note!`](crate::note) | a line of the report, if this is the case that is reported |
//! | [`target!`](crate::target) | a score, the larger the more interesting |
//!
//! What they log is kept for one case on the thread that runs it, and then folded into
//! [`Statistics`], which is as large after a million cases as after a thousand.
//!
//! ```
//! use retrospect::prelude::*;
//! use retrospect::runner::statistics::Statistics;
//! let statistics = Statistics::of(100, |case| {
//!     event!("tens", case / 10);
//!     event!("kind", if case % 4 == 0 { "fourth" } else { "other" });
//!     classify!(case < 6, "early");
//! });
//! assert_eq!(
//!     statistics.lines(),
//!     [
//!         "value \"tens\"    min 0   median 4   mean 4.5   p90 8   max 9      ██████████",
//!         "label \"kind\"    other 75 %   fourth 25 %",
//!         "seen            early 6 %",
//!     ]
//! );
//! ```

mod categories;
mod cover;
mod log;
mod macros;
mod numbers;
mod summary;
#[cfg(test)]
mod tests;
mod values;

pub use cover::{Coverage, Place, Verdict};
pub(crate) use log::{CaseLog, Discarded, Event, Score, begin, is_logging, is_touched, note_if_wanted, take};
pub use values::{EventValue, Value};

use categories::Categories;
use numbers::Numbers;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What the macros' code calls. Not for use by hand: it may change in any release.
#[doc(hidden)]
pub mod macro_support {
    pub use super::log::{
        Classified, classify, cover, debug_category, discard, event, is_logging, note, score, wants_notes,
    };
}

/// What the cases of a property logged, summed up.
///
/// Events are kept by name: numbers as a histogram that is exact for whole numbers up to 256 and
/// within 1 % above, categories as counts of the first thousand different ones.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::runner::statistics::Statistics;
/// let statistics = Statistics::of(1000, |case| event!("digits", case.to_string().len()));
/// assert_eq!(statistics.lines(), ["value \"digits\"   min 1   median 3   mean 2.89   p90 3   max 3      ▁▁█"]);
/// // Nothing logged, nothing said.
/// assert!(Statistics::of(1000, |_| {}).lines().is_empty());
/// ```
#[derive(Default)]
pub struct Statistics {
    cases: u64,
    /// In the order in which they were first met.
    series: Vec<Named>,
    covers: Vec<Coverage>,
    /// The best of all cases, for each label.
    scores: Vec<Score>,
    /// Events that a single case logged beyond the number that is kept.
    lost_events: u64,
}

/// All events of one name and one kind.
struct Named {
    name: &'static str,
    series: Series,
}

enum Series {
    Flag {
        held_in: u64,
        /// The number of the last case in which it held, so that a loop in one case counts once.
        last_case: u64,
    },
    Numbers(Numbers),
    Categories(Categories),
}

impl Statistics {
    /// Calls a function with 0, 1, 2 and so on, and sums up what it logs: to look at what a
    /// generator makes, or a helper of one's tests logs, without a property.
    ///
    /// Calls that end in a failed [`assume!`](crate::assume) are left out. A panic is passed on.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::runner::statistics::Statistics;
    /// let lists = vec_of(0..10, 0..4);
    /// let statistics = Statistics::of(100, |seed| {
    ///     let list = lists.sample(seed);
    ///     assume!(!list.is_empty());
    ///     event!("length", list.len());
    /// });
    /// assert!(statistics.cases() < 100);
    /// assert!(statistics.lines()[0].starts_with("value \"length\"   min 1   median "));
    /// ```
    pub fn of(cases: u64, mut body: impl FnMut(u64)) -> Statistics {
        let mut statistics = Statistics::default();
        let _logging = begin(false);
        for case in 0..cases {
            let outcome = catch_unwind(AssertUnwindSafe(|| body(case)));
            statistics.add_outcome(outcome);
        }
        statistics
    }

    /// How many cases were summed up.
    ///
    /// ```
    /// # use retrospect::runner::statistics::Statistics;
    /// assert_eq!(Statistics::of(12, |_| {}).cases(), 12);
    /// assert_eq!(Statistics::default().cases(), 0);
    /// ```
    pub fn cases(&self) -> u64 {
        self.cases
    }

    /// What became of each [`cover!`](crate::cover) that was reached, in the order in which they
    /// were first met.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::runner::statistics::{Statistics, Verdict};
    /// let statistics = Statistics::of(1000, |case| {
    ///     cover!(0.05, case % 2 == 0, "even");
    ///     cover!(0.05, case > 5000);
    /// });
    /// let verdicts: Vec<Verdict> = statistics.covers().iter().map(|cover| cover.verdict()).collect();
    /// assert_eq!(verdicts, [Verdict::Met, Verdict::Missed]);
    /// ```
    pub fn covers(&self) -> &[Coverage] {
        &self.covers
    }

    /// Takes in what another run of the same property logged, as on another thread. The order does
    /// not matter but for the order of the lines.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::runner::statistics::Statistics;
    /// let mut low = Statistics::of(50, |case| event!("case", case));
    /// low.merge(Statistics::of(50, |case| event!("case", case + 50)));
    /// assert_eq!(low.lines(), Statistics::of(100, |case| event!("case", case)).lines());
    /// ```
    pub fn merge(&mut self, other: Statistics) {
        self.cases += other.cases;
        self.lost_events += other.lost_events;
        for named in other.series {
            match (self.series_of(named.name, named.series.empty()), named.series) {
                (Series::Flag { held_in, .. }, Series::Flag { held_in: more, .. }) => *held_in += more,
                (Series::Numbers(numbers), Series::Numbers(more)) => numbers.merge(more),
                (Series::Categories(categories), Series::Categories(more)) => categories.merge(more),
                _ => unreachable!("a series is looked up by its kind"),
            }
        }
        for cover in other.covers {
            self.add_cover(cover);
        }
        for score in other.scores {
            score.add_to(&mut self.scores);
        }
    }

    /// Folds the log of one case that passed.
    pub(crate) fn add(&mut self, log: CaseLog) {
        self.cases += 1;
        self.lost_events += log.lost_events;
        let case = self.cases;
        for Event { name, value } in log.events {
            match value {
                Value::Flag(held) => {
                    let empty = Series::Flag { held_in: 0, last_case: 0 };
                    if let Series::Flag { held_in, last_case } = self.series_of(name, empty)
                        && held
                        && *last_case != case
                    {
                        *held_in += 1;
                        *last_case = case;
                    }
                }
                Value::Number(number) => {
                    if let Series::Numbers(numbers) = self.series_of(name, Series::Numbers(Numbers::default())) {
                        numbers.add(number);
                    }
                }
                Value::Category(text) => {
                    if let Series::Categories(categories) =
                        self.series_of(name, Series::Categories(Categories::default()))
                    {
                        categories.add(text);
                    }
                }
            }
        }
        for cover in log.covers {
            self.add_cover(cover);
        }
        for score in log.scores {
            score.add_to(&mut self.scores);
        }
    }

    /// A score that was reached in a case which is not counted.
    pub(crate) fn reached(&mut self, label: &'static str, score: f64) {
        Score { label, best: Some(score), not_numbers: 0 }.add_to(&mut self.scores);
    }

    /// Counts passed cases that logged nothing.
    pub(crate) fn add_untouched(&mut self, cases: u64) {
        self.cases += cases;
    }

    /// Apart from [`of`](Statistics::of), so that it is compiled once.
    fn add_outcome(&mut self, outcome: std::thread::Result<()>) {
        let log = is_touched().then(take);
        match outcome {
            Ok(()) => match log {
                Some(log) => self.add(log),
                None => self.add_untouched(1),
            },
            Err(payload) if payload.is::<Discarded>() => {}
            Err(payload) => resume_unwind(payload),
        }
    }

    /// There are a handful of names, so looking at each is quicker than hashing.
    fn series_of(&mut self, name: &'static str, empty: Series) -> &mut Series {
        let same = |named: &Named| {
            std::mem::discriminant(&named.series) == std::mem::discriminant(&empty) && named.name == name
        };
        let place = self.series.iter().position(same).unwrap_or_else(|| {
            self.series.push(Named { name, series: empty });
            self.series.len() - 1
        });
        &mut self.series[place].series
    }

    fn add_cover(&mut self, cover: Coverage) {
        match self.covers.iter_mut().find(|known| known.is_same_site(&cover)) {
            Some(known) => known.add(&cover),
            None => self.covers.push(cover),
        }
    }
}

impl Series {
    fn empty(&self) -> Series {
        match self {
            Series::Flag { .. } => Series::Flag { held_in: 0, last_case: 0 },
            Series::Numbers(_) => Series::Numbers(Numbers::default()),
            Series::Categories(_) => Series::Categories(Categories::default()),
        }
    }
}

impl fmt::Debug for Statistics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.lines()).finish()
    }
}
