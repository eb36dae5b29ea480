//! Looking at a value to find out how likely it is: all ways, each choice with its chance.
//!
//! Whatever steers a random source is followed here too: the size, the levels of recursive generators, arms that are not drawn at size 0.

use super::forest::Builder;
use super::{Mode, Probability, Reflected, Reflector};
use crate::choice::{Entry, Site};
use crate::source::{Chance, LEVELS_PER_SIZE, Law, PickRequest, RepeatRequest};
use std::fmt;

/// Why it is not known how likely a value is.
///
/// ```
/// use retrospect::prelude::*;
/// let lengths = vec_of(any::<u8>(), ..).map(|list| list.len());
/// let error = lengths.probability_of(&3).unwrap_err();
/// assert!(error.reason().ends_with("has no inverse: use map_with_inverse"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotKnown {
    reason: String,
}

impl NotKnown {
    pub(crate) fn new(reason: impl Into<String>) -> NotKnown {
        NotKnown { reason: reason.into() }
    }

    /// What stands in the way.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let error = any::<f64>().probability_of(&1.0).unwrap_err();
    /// assert!(error.reason().contains("drawn by a law of its own"));
    /// ```
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for NotKnown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the probability is not known: {}", self.reason)
    }
}

impl std::error::Error for NotKnown {}

impl Reflector {
    /// A reflector that follows every way that a random source of this size can take, and notes how likely each choice is.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::{Probability, Reflector};
    /// let mut reflector = Reflector::weighing(100);
    /// one_of((0..=5, 3..=9)).reflect(&4, &mut reflector).unwrap();
    /// let probability = reflector.into_forest().probability().unwrap();
    /// assert_eq!(probability, Probability::new(13, 84)); // 1/2 of 1/6 and 1/2 of 1/7.
    /// ```
    pub fn weighing(size: u32) -> Reflector {
        Reflector { size, forest: Some(Box::new(Builder::weighing())), ..Reflector::all_ways() }
    }

    /// Whether it is asked how likely the value is, and not just how it is made.
    ///
    /// ```
    /// use retrospect::reflect::Reflector;
    /// assert!(Reflector::weighing(100).is_weighing());
    /// assert!(!Reflector::all_ways().is_weighing());
    /// ```
    #[inline]
    pub fn is_weighing(&self) -> bool {
        self.mode == Mode::AllWays && self.forest.as_ref().is_some_and(|builder| builder.is_weighing())
    }

    /// Notes that nobody knows how likely this part is, for a generator that has no way back or draws again what it does not like. Elsewhere than in a
    /// reflector that [weighs](Reflector::is_weighing) it does nothing.
    ///
    /// ```
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::weighing(100);
    /// reflector.unknown(|| "it is drawn from the weather".to_owned());
    /// let error = reflector.into_forest().probability().unwrap_err();
    /// assert_eq!(error.to_string(), "the probability is not known: it is drawn from the weather");
    /// ```
    pub fn unknown(&mut self, reason: impl FnOnce() -> String) {
        if self.is_weighing() {
            self.builder().push_unknown(reason());
        }
    }

    /// Runs `body`, whose choices are together as likely as all of `chances`, whatever their own laws say. The reason in an error says why that is not known.
    ///
    /// ```
    /// use retrospect::reflect::{Probability, Reflector};
    /// use retrospect::source::{Chance, Law};
    /// let mut reflector = Reflector::weighing(100);
    /// // A number of which every second one is refused, and drawn again.
    /// let chances = || Ok(vec![Chance::new(1, 5)]);
    /// reflector.weighed(chances, |reflector| reflector.number(4, 9, Law::Uniform)).unwrap();
    /// assert_eq!(reflector.into_forest().probability(), Ok(Probability::new(1, 5)));
    /// ```
    pub fn weighed(
        &mut self,
        chances: impl FnOnce() -> Result<Vec<Chance>, String>,
        body: impl FnOnce(&mut Reflector) -> Reflected,
    ) -> Reflected {
        if !self.is_weighing() {
            return body(self);
        }
        let before = self.builder().set_weighing(false);
        let result = body(self);
        self.builder().set_weighing(before);
        result?;
        match chances() {
            Ok(chances) => chances.into_iter().try_for_each(|chance| self.builder().weigh(chance)),
            Err(reason) => {
                self.builder().push_unknown(reason);
                Ok(())
            }
        }
    }

    /// Runs one level of a recursive generator at the size that [`Source::level`](crate::source::Source) has there.
    pub(crate) fn level(&mut self, is_inner: bool, body: impl FnOnce(&mut Reflector) -> Reflected) -> Reflected {
        if !self.is_weighing() {
            return body(self);
        }
        if self.is_in_level {
            self.builder().push_level(None);
            return self.resized(self.size / 2, body);
        }
        let size = if is_inner { self.size / 2 } else { self.size };
        self.builder().push_level(Some(size.saturating_mul(LEVELS_PER_SIZE)));
        self.is_in_level = true;
        let result = self.resized(size, body);
        self.is_in_level = false;
        result
    }

    /// Whether a recursive generator is under way.
    pub(crate) fn is_in_level(&self) -> bool {
        self.is_in_level
    }

    /// What was noted is that much more likely than it seems, because only `share` of what is drawn is kept.
    pub(crate) fn weigh_kept(&mut self, share: Result<Probability, String>) {
        match share {
            Ok(share) => self.builder().weigh_by(Probability::certain().over(&share)),
            Err(reason) => self.builder().push_unknown(reason),
        }
    }

    /// That many times as likely as was noted.
    pub(crate) fn weigh_again(&mut self, times: usize) {
        if self.is_weighing() {
            self.builder().weigh_by(Chance::new(times as u128, 1).into());
        }
    }

    /// How many items a random source takes at most.
    pub(crate) fn likely_max(&self, min: usize, max: usize) -> usize {
        if max == usize::MAX { min.saturating_add(self.size as usize) } else { max }
    }

    /// What the same generator and the same part are looked at under, where that makes a difference.
    pub(super) fn context(&self) -> u64 {
        if self.is_weighing() { (u64::from(self.size) << 2) | (u64::from(self.is_in_level) << 1) | 1 } else { 0 }
    }

    #[inline(never)]
    pub(super) fn number_of_all_ways(&mut self, index: u64, max: u64, law: Law) -> Reflected {
        self.builder().push(Entry::number(index, max));
        if !self.is_weighing() {
            return Ok(());
        }
        match law.chance(index, max) {
            Some(chance) => self.builder().weigh(chance),
            None => {
                self.builder().push_unknown(format!("a number up to {max} is drawn by a law of its own"));
                Ok(())
            }
        }
    }

    pub(super) fn pick_of_all_ways(&mut self, site: &'static Site, weights: &[u32], arm: usize) -> Reflected {
        self.builder().push_pick(site, arm, weights.len());
        self.weigh_arm(site, weights, arm)
    }

    pub(super) fn leaf_of_all_ways(&mut self, site: &'static Site, weights: &[u32], arm: usize) -> Reflected {
        self.builder().push(Entry::pick(site.id(), arm, weights.len()));
        self.weigh_arm(site, weights, arm)
    }

    pub(super) fn open_repeat_of_all_ways(&mut self, count: usize, min: usize, max: usize) -> Reflected {
        self.builder().open(Entry::repeat(count));
        if !self.is_weighing() {
            return Ok(());
        }
        let chance = RepeatRequest { min, max, likely_max: self.likely_max(min, max) }.chance(count);
        self.builder().weigh(chance)
    }

    fn weigh_arm(&mut self, site: &'static Site, weights: &[u32], arm: usize) -> Reflected {
        if !self.is_weighing() {
            return Ok(());
        }
        self.builder().weigh(PickRequest { site, weights }.chance(arm))
    }
}
