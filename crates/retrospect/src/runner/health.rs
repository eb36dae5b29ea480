//! Whether a run that found nothing means anything.
//!
//! Limits are ratios: they hold for ten cases as for a million.

use super::budget;
use super::report::{duration, percent};
use super::search::Search;
use super::settings::{Budget, Health};
use super::statistics::{Coverage, Verdict};
use super::trial::CONDITION;
use crate::source::Filtered;

/// A property with more discarded cases than this for each tested case fails, if it tested fewer
/// cases than were wanted.
const MAX_DISCARDED_PER_CASE: u64 = 10;
/// More than this share of discarded cases is said.
const DISCARDED_SHARE: f64 = 1.0 / 3.0;
/// A share of discarded cases that a property that passes mentions in a line.
const NOTED_SHARE: f64 = 0.1;
/// A filter that keeps less than this share of what it draws is said, once it drew this many.
const KEPT_SHARE: f64 = 0.1;
const MIN_DRAWN: u64 = 100;
/// More than this share of a long run spent on generating is said.
const GENERATING_SHARE: f64 = 0.9;
/// More than this share of cases cut short is said.
const CUT_SHORT_SHARE: f64 = 0.1;

impl Search<'_> {
    /// Why the property fails although no case did.
    pub(crate) fn complaint(&self) -> Option<String> {
        // Of all cases there are, none is still to come.
        let is_never = |cover: &Coverage| self.is_whole() && cover.held_in() == 0 && cover.required() > 0.0;
        let missed = |cover: &&Coverage| cover.verdict() == Verdict::Missed || is_never(cover);
        if let Some(cover) = self.statistics.covers().iter().find(missed) {
            return Some(cover.failure());
        }
        if self.context().settings.given.is_some() || !self.has_tested_too_little() {
            return None;
        }
        let discarded = self.n_discarded();
        let mut text = match self.n_tested() {
            0 => format!("nothing was tested: all {discarded} cases were discarded"),
            tested => format!("too little was tested: {tested} of {} cases, {discarded} were discarded", self.tries()),
        };
        for (place, what, count) in self.most_discarded() {
            text += &format!("\n  {what} at {place} discarded {count}");
        }
        text += match self.discarded.iter().all(|(_, what, _)| what == CONDITION) {
            true => "\nloosen the condition, or make a generator that gives only what is wanted",
            false => {
                "\nloosen the condition, make a generator that gives only what is wanted, or search for it with `satisfying`"
            }
        };
        if self.n_tested() > 0 {
            text += "\nif so few cases are enough, say allow(discards)";
        }
        Some(text)
    }

    /// Whether discards left so few cases that a pass means nothing. A domain that was run as a
    /// whole was tested, however few of its cases remained.
    fn has_tested_too_little(&self) -> bool {
        if self.passed == 0 {
            return true;
        }
        let wanted = self.wanted().unwrap_or(Budget::LEAST_CASES);
        let is_much_discarded = self.n_discarded() > self.n_tested().saturating_mul(MAX_DISCARDED_PER_CASE);
        !self.is_whole()
            && self.n_tested() < wanted
            && is_much_discarded
            && !self.context().settings.allows(Health::Discards)
    }

    /// Whether every case there is was run.
    fn is_whole(&self) -> bool {
        matches!(self.ended, Some(budget::Ended::AllRun(_)))
    }

    /// What is not well, each with the switch that silences it.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut warnings = self.noted_warnings().to_vec();
        let (discarded, tries) = self.discarded_of_tries();
        if is_much(discarded, tries) && !self.is_silent_about_discards() {
            for (place, what, count) in self.most_discarded() {
                if is_much(*count, discarded) && what != CONDITION {
                    warnings.push(format!(
                        "{what} at {place} discarded {count} of {tries} cases\n\
                         make a generator that gives only what is wanted, or say allow(discards)"
                    ));
                }
            }
        }
        for filtered in &self.filtered {
            let Filtered { place, drawn, kept } = filtered;
            if is_wasteful(filtered) && self.passed > 0 && !self.context().settings.allows(Health::Discards) {
                let refused = drawn - kept;
                warnings.push(format!(
                    "the filter at {place} refused {refused} of {drawn} values\n\
                     make a generator that gives only what is wanted, search for it with `satisfying`, or say allow(discards)"
                ));
            }
        }
        let (cut_short, looked_at) = self.cut_short();
        if cut_short as f64 > looked_at as f64 * CUT_SHORT_SHARE && !self.context().settings.allows(Health::Large) {
            warnings.push(format!(
                "{} of the cases were so large that they had to be cut short\n\
                 make the recursion of the generator end sooner (fewer or smaller parts, `sized`), or say allow(large)",
                percent(cut_short as f64 / looked_at as f64)
            ));
        }
        let is_slow = |share: &f64| *share > GENERATING_SHARE && !self.context().settings.allows(Health::Slow);
        if let Some(share) = self.generating.filter(is_slow) {
            warnings.push(format!(
                "{} of {} went into generating values\n\
                 make the generator cheaper (smaller values, a filter that refuses less), or say allow(slow)",
                percent(share),
                duration(self.elapsed)
            ));
        }
        warnings
    }

    /// How many cases were discarded, if those were many and no warning says so.
    pub(crate) fn note_of_discards(&self) -> Option<String> {
        let (discarded, tries) = self.discarded_of_tries();
        if discarded == 0
            || self.filtered.iter().any(is_wasteful)
            || is_much(discarded, tries)
            || (discarded as f64) < tries as f64 * NOTED_SHARE
            || self.is_silent_about_discards()
        {
            return None;
        }
        let mut places = self.most_discarded().into_iter().filter(|(_, what, _)| what != CONDITION);
        let (place, what, count) = places.next()?;
        let share = if *count == discarded { "" } else { "most of them " };
        Some(format!("{discarded} of {tries} cases were discarded, {share}by {what} at {place}"))
    }

    /// Boundary cases do not count: they hardly ever satisfy a condition that has to be searched
    /// for.
    fn discarded_of_tries(&self) -> (u64, u64) {
        let by_condition: u64 =
            self.discarded.iter().filter(|(_, what, _)| what == CONDITION).map(|(.., count)| count).sum();
        (self.n_discarded() - by_condition, self.tries() - by_condition)
    }

    fn is_silent_about_discards(&self) -> bool {
        self.has_tested_too_little() || self.context().settings.allows(Health::Discards)
    }

    /// The most frequent first, those that are equally frequent in the order in which they were
    /// met.
    fn most_discarded(&self) -> Vec<&(String, String, u64)> {
        let mut discarded: Vec<&(String, String, u64)> = Vec::new();
        for one in &self.discarded {
            let mut place = discarded.len();
            while place > 0 && discarded[place - 1].2 < one.2 {
                place -= 1;
            }
            discarded.insert(place, one);
        }
        discarded
    }
}

fn is_much(discarded: u64, tries: u64) -> bool {
    discarded as f64 > tries as f64 * DISCARDED_SHARE
}

fn is_wasteful(filtered: &Filtered) -> bool {
    filtered.drawn >= MIN_DRAWN && (filtered.kept as f64) < filtered.drawn as f64 * KEPT_SHARE
}
