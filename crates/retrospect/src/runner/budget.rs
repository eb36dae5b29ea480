//! How long a property runs.

use super::settings::Budget;
use std::time::{Duration, Instant};

/// A property whose cases are discarded is given up at this many tries for each case that was
/// wanted.
const TRIES_PER_CASE: u64 = 10;

/// Why the search ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ended {
    CasesRun(u64),
    TimeOver(Duration),
    /// Every case there is was run.
    AllRun(u64),
    /// Too few of this many tries were cases that could be used.
    TriesSpent(u64),
}

/// A running budget.
#[derive(Clone, Copy)]
pub(crate) struct Clock {
    budget: Budget,
    max_cases: u64,
    started: Instant,
}

impl Clock {
    /// Begins now, and runs no more than `max_cases` whatever the budget.
    pub(crate) fn start(budget: Budget, max_cases: u64) -> Clock {
        Clock { budget, max_cases, started: Instant::now() }
    }

    /// The budget of chance, if there is a score to climb toward: climbing has the other half of a
    /// time that was given.
    pub(crate) fn for_chance(self) -> Clock {
        Clock { budget: self.budget.within(|time| time / 2), ..self }
    }

    /// The budget of climbing toward one score of so many: the same once more, but in a share of
    /// what is left of a time that was given. So many cases were run before.
    pub(crate) fn for_climbing(self, scores: u32, n_tested: u64) -> Clock {
        let budget = self.budget.within(|time| time.saturating_sub(self.elapsed()) / scores.max(1));
        Clock::start(budget, self.max_cases.saturating_sub(n_tested))
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether a time was given.
    pub(crate) fn has_time(&self) -> bool {
        matches!(self.budget, Budget::Time(_) | Budget::CasesOrTime(..))
    }

    /// Whether a time that was given is over.
    pub(crate) fn is_out_of_time(&self) -> bool {
        match self.budget {
            Budget::Time(time) | Budget::CasesOrTime(_, time) => self.elapsed() >= time,
            Budget::Default | Budget::Cases(_) => false,
        }
    }

    /// How many cases may be run before the clock is looked at again; an end if there are none.
    ///
    /// Looking at the clock costs more than a small case, so cases run in blocks. A block doubles
    /// until it takes a millisecond.
    pub(crate) fn next_block(&self, valid: u64, tries: u64, last: Block) -> Result<u64, Ended> {
        let (wanted, most, time) = match self.budget {
            Budget::Default => (Budget::LEAST_CASES, Budget::MOST_CASES, Some(Budget::USUAL_TIME)),
            Budget::Cases(cases) => (cases, cases, None),
            Budget::Time(time) => (0, u64::MAX, Some(time)),
            Budget::CasesOrTime(cases, time) => (0, cases, Some(time)),
        };
        let (wanted, most) = (wanted.min(self.max_cases), most.min(self.max_cases));
        if valid >= most {
            return Err(Ended::CasesRun(valid));
        }
        // Limits are ratios: a property that is rarely discarded is never near this one.
        let max_tries = match (valid < wanted, time.is_none_or(|_| wanted > 0)) {
            (true, _) => wanted.saturating_mul(TRIES_PER_CASE),
            (false, true) => most.saturating_mul(TRIES_PER_CASE),
            (false, false) => u64::MAX,
        };
        if tries >= max_tries {
            return Err(Ended::TriesSpent(tries));
        }
        let elapsed = self.elapsed();
        if let Some(time) = time
            && valid >= wanted
            && elapsed >= time
            && tries > 0
        {
            return Err(if wanted > 0 && valid == wanted { Ended::CasesRun(valid) } else { Ended::TimeOver(time) });
        }
        let block = match last {
            Block { cases, took } if took < Duration::from_millis(1) => (cases * 2).clamp(1, 4096),
            Block { cases, took } if took > Duration::from_millis(4) => (cases / 2).max(1),
            Block { cases, .. } => cases,
        };
        // Up to the next point at which the answer may change.
        let next_stop = if valid < wanted { wanted } else { most };
        Ok(block.min(next_stop - valid).min(max_tries - tries).max(1))
    }

    /// Whether boundary cases have had their share of the time. Boundary cases are small, and a
    /// property whose cases take more than a hundredth of the time each has few cases for anything
    /// else. `block` says how many there were, and how long the quickest took: how long all took
    /// also depends on what else the machine does, and the same seed should give the same cases.
    pub(crate) fn is_share_of_boundaries_spent(&self, block: Block) -> bool {
        let time = match self.budget {
            Budget::Default => Budget::USUAL_TIME,
            Budget::Time(time) | Budget::CasesOrTime(_, time) => time,
            Budget::Cases(_) => return false,
        };
        block.cases >= MIN_BOUNDARIES && block.took > time / 100
    }

    /// How many boundary cases, and how large a domain is run whole.
    pub(crate) fn share_for_boundaries(&self) -> (u64, u64) {
        match self.budget {
            Budget::Cases(cases) | Budget::CasesOrTime(cases, _) => (cases / 4, cases),
            Budget::Default | Budget::Time(_) => {
                (Budget::LEAST_CASES.min(self.max_cases / 2), self.max_cases.min(1_000))
            }
        }
    }
}

/// So many boundary cases are tried however long they take.
const MIN_BOUNDARIES: u64 = 10;

/// A block of cases that was run.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    pub(crate) cases: u64,
    pub(crate) took: Duration,
}

impl Block {
    pub(crate) const NONE: Block = Block { cases: 0, took: Duration::ZERO };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundary_cases_of_a_property_that_takes_long_leave_time_for_others() {
        let is_spent = |budget, cases, millis| {
            let block = Block { cases, took: Duration::from_millis(millis) };
            Clock::start(budget, 10_000).is_share_of_boundaries_spent(block)
        };
        assert!(!is_spent(Budget::Default, 9, 1_000));
        assert!(is_spent(Budget::Default, 10, 1));
        assert!(!is_spent(Budget::Default, 100, 0));
        assert!(!is_spent(Budget::Time(Duration::from_secs(1)), 100, 10));
        assert!(is_spent(Budget::Time(Duration::from_secs(1)), 10, 11));
        // Who says how many cases there are gets so many, however long they take.
        assert!(!is_spent(Budget::Cases(100), 25, 1_000));
        assert_eq!(Clock::start(Budget::Cases(100), 10_000).share_for_boundaries().0, 25);
    }

    #[test]
    fn climbing_has_half_of_a_time_that_was_given() {
        let second = Duration::from_secs(1);
        let clock = |budget| Clock::start(budget, 1_000);
        assert_eq!(clock(Budget::Time(second)).for_chance().budget, Budget::Time(second / 2));
        let Budget::Time(share) = clock(Budget::Time(second)).for_climbing(2, 0).budget else { panic!() };
        assert!(share <= second / 2);
        // Otherwise the budget comes once more, within the most cases.
        let after = clock(Budget::Cases(400)).for_climbing(2, 400);
        assert_eq!((after.budget, after.max_cases), (Budget::Cases(400), 600));
        assert_eq!(clock(Budget::Default).for_chance().budget, Budget::Default);
    }
}
