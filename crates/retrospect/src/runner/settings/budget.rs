//! How much a property is run.

use std::time::Duration;

/// How much a property is run: what `cases` and `time` say together.
///
/// The default is at least 100 cases, then more until 50 milliseconds are over or 10 000 cases were
/// run. A quick property is thus tested a hundred times as much as a fixed count would allow, and a
/// slow one is tested all the same.
///
/// ```
/// use retrospect::runner::settings::Budget;
/// use std::time::Duration;
/// let (short, long) = (Duration::from_millis(1), Duration::from_secs(9));
/// assert!(!Budget::Default.is_spent(99, long) && Budget::Default.is_spent(100, long));
/// assert!(!Budget::Default.is_spent(9_999, short) && Budget::Default.is_spent(10_000, short));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Neither was set.
    Default,
    /// This many cases, however long they take.
    Cases(u64),
    /// As many cases as this time allows, at least one.
    Time(Duration),
    /// The first of the two that is reached ends the run, after at least one case.
    CasesOrTime(u64, Duration),
}

impl Budget {
    /// The cases that [`Budget::Default`] runs however long they take.
    ///
    /// ```
    /// assert_eq!(retrospect::runner::settings::Budget::LEAST_CASES, 100);
    /// ```
    pub const LEAST_CASES: u64 = 100;

    /// The cases that [`Budget::Default`] runs at most.
    ///
    /// ```
    /// assert_eq!(retrospect::runner::settings::Budget::MOST_CASES, 10_000);
    /// ```
    pub const MOST_CASES: u64 = 10_000;

    /// The time after which [`Budget::Default`] needs no more than [`Budget::LEAST_CASES`].
    ///
    /// ```
    /// assert_eq!(retrospect::runner::settings::Budget::USUAL_TIME.as_millis(), 50);
    /// ```
    pub const USUAL_TIME: Duration = Duration::from_millis(50);

    /// Whether a run that ran `n_cases` in `elapsed` is over.
    ///
    /// ```
    /// use retrospect::runner::settings::Budget;
    /// use std::time::Duration;
    /// let second = Duration::from_secs(1);
    /// assert!(Budget::CasesOrTime(5, second).is_spent(5, Duration::ZERO));
    /// assert!(Budget::CasesOrTime(5, second).is_spent(1, second));
    /// assert!(!Budget::Time(second).is_spent(0, 2 * second), "a run of no cases tests nothing");
    /// ```
    pub fn is_spent(self, n_cases: u64, elapsed: Duration) -> bool {
        let (least, most, time) = match self {
            Budget::Default => (Budget::LEAST_CASES, Budget::MOST_CASES, Budget::USUAL_TIME),
            Budget::Cases(cases) => return n_cases >= cases,
            Budget::Time(time) => (1, u64::MAX, time),
            Budget::CasesOrTime(cases, time) => (1, cases, time),
        };
        n_cases >= most || (n_cases >= least && elapsed >= time)
    }

    /// With another time, if one was given.
    pub(crate) fn within(self, time: impl FnOnce(Duration) -> Duration) -> Budget {
        match self {
            Budget::Default | Budget::Cases(_) => self,
            Budget::Time(given) => Budget::Time(time(given)),
            Budget::CasesOrTime(cases, given) => Budget::CasesOrTime(cases, time(given)),
        }
    }
}
