//! Whether a run that found nothing means anything.
//!
//! Limits are ratios: they hold for ten cases as for a million.

use super::report::{duration, percent};
use super::search::Search;
use super::settings::Health;
use super::statistics::{Coverage, Verdict};
use super::trial::CONDITION;
use crate::source::Filtered;

/// More than this share of discarded cases is said.
const DISCARDED_SHARE: f64 = 1.0 / 3.0;
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
        let missed = |cover: &&Coverage| cover.verdict() == Verdict::Missed;
        if let Some(cover) = self.statistics.covers().iter().find(missed) {
            return Some(cover.failure());
        }
        if self.passed > 0 || self.context().settings.given.is_some() {
            return None;
        }
        let mut text = format!("nothing was tested: all {} cases were discarded", self.n_discarded());
        for (place, what, count) in self.most_discarded() {
            text += &format!("\n  {what} at {place} discarded {count}");
        }
        text += "\nloosen the condition, make a generator that gives only what is wanted, or search for it with `satisfying`";
        Some(text)
    }

    /// What is not well, each with the switch that silences it.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut warnings = self.noted_warnings().to_vec();
        // Boundary cases hardly ever satisfy a condition that has to be searched for, and nobody could help it.
        let by_condition: u64 =
            self.discarded.iter().filter(|(_, what, _)| what == CONDITION).map(|(.., count)| count).sum();
        let discarded = (self.n_discarded() - by_condition) as f64;
        let tries = (self.tries() - by_condition) as f64;
        if discarded > tries * DISCARDED_SHARE && self.passed > 0 && !self.context().settings.allows(Health::Discards) {
            for (place, what, count) in self.most_discarded() {
                if *count as f64 > discarded * DISCARDED_SHARE && what != CONDITION {
                    warnings.push(format!(
                        "{what} at {place} discarded {count} of {tries} cases\n\
                         make a generator that gives only what is wanted, or say allow(discards)"
                    ));
                }
            }
        }
        for Filtered { place, drawn, kept } in &self.filtered {
            let is_wasteful = *drawn >= MIN_DRAWN && (*kept as f64) < *drawn as f64 * KEPT_SHARE;
            if is_wasteful && self.passed > 0 && !self.context().settings.allows(Health::Discards) {
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

    /// The most frequent first, those that are equally frequent in the order in which they were met.
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
