//! Choice Gradient Sampling as it was published, to compare with.

use super::{Filter, Satisfying, written};
use crate::generator::{Generator, why};
use crate::source::{
    Chooser, MAX_SEARCH, NumberRequest, PickRequest, RepeatRequest, Rng, SearchCounts, Source, Stop, hash_of,
};
use std::collections::HashSet;
use std::fmt;

impl<G: Generator, F: Fn(&G::Value) -> bool> Satisfying<G, F> {
    /// Choice Gradient Sampling (Goldstein and Pierce, *Parsing Randomness*, figure 3): valid values, each of which is made by other choices.
    ///
    /// It fixes one choice after the other. For each answer that the next choice may have, `samples_per_choice` values are drawn that begin so, and the answer is
    /// taken with the weight of how many different valid ones there were among them; these are given out as they are met. When a value is
    /// complete it begins anew, and knows nothing of what it learned. Everything is drawn with equal weights, as its authors did. If a choice has more than 1000
    /// answers, 1000 of them are looked at.
    ///
    /// It is here to compare with: [`search`](Satisfying::search) finds many times as many, in less time.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let sorted = vec_of(0..10, ..=8).satisfying(|list| list.is_sorted());
    /// let found: Vec<Vec<i32>> = sorted.cgs(50, 7).take(100).collect();
    /// assert!(found.iter().all(|list| list.is_sorted()));
    /// ```
    pub fn cgs(&self, samples_per_choice: usize, seed: u64) -> Cgs<'_, G, F> {
        Cgs {
            filter: &self.filter,
            samples_per_choice: samples_per_choice.max(1),
            rng: Rng::new(seed),
            prefix: Vec::new(),
            gradient: Vec::new(),
            answer: 0,
            drawn: 0,
            met: HashSet::new(),
            found: HashSet::new(),
            counts: SearchCounts::default(),
        }
    }
}

/// The values of [`Satisfying::cgs`].
///
/// ```
/// use retrospect::prelude::*;
/// fn spent<G: Generator, F: Fn(&G::Value) -> bool>(cgs: &mut Cgs<'_, G, F>) -> u64 {
///     cgs.by_ref().take(10).for_each(drop);
///     cgs.counts().runs
/// }
/// let even = within(0..1000).satisfying(|number| number % 2 == 0);
/// assert!(spent(&mut even.cgs(5, 1)) >= 10);
/// ```
pub struct Cgs<'g, G: Generator, F> {
    filter: &'g Filter<G, F>,
    samples_per_choice: usize,
    rng: Rng,
    /// The answers that are fixed.
    prefix: Vec<u64>,
    /// The answers that the next choice may have, each with the number of different valid samples. Empty if it is not known yet.
    gradient: Vec<(u64, usize)>,
    /// The answer whose samples are drawn, and how many are.
    answer: usize,
    drawn: usize,
    /// The valid samples of this answer.
    met: HashSet<u64>,
    /// All that was given out.
    found: HashSet<u64>,
    counts: SearchCounts,
}

/// Answers of one choice that are looked at.
const MOST_ANSWERS: u64 = 1000;

impl<G: Generator, F: Fn(&G::Value) -> bool> Cgs<'_, G, F> {
    /// What it has cost so far, and what it gave.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let even = within(0..1000).satisfying(|number| number % 2 == 0);
    /// let mut cgs = even.cgs(5, 1);
    /// cgs.by_ref().take(3).for_each(drop);
    /// assert_eq!(cgs.counts().new, 3);
    /// ```
    pub fn counts(&self) -> SearchCounts {
        self.counts
    }

    /// At most this many more runs: the next new value, or `None` if there was none among them.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let none = within(0..1000).satisfying(|_| false);
    /// assert_eq!(none.cgs(5, 1).next_within(100), None);
    /// ```
    #[track_caller]
    pub fn next_within(&mut self, runs: u32) -> Option<G::Value> {
        let last = self.counts.runs + u64::from(runs);
        while self.counts.runs < last {
            if self.gradient.is_empty() {
                let (value, hash, next) = self.sample();
                match next {
                    Some(request) => self.begin(request),
                    // Nothing is left to choose.
                    None => {
                        self.prefix.clear();
                        if let Some(value) = value.filter(|_| self.found.insert(hash)) {
                            self.counts.new += 1;
                            return Some(value);
                        }
                    }
                }
                continue;
            }
            if self.drawn == self.samples_per_choice {
                self.gradient[self.answer].1 = self.met.len();
                self.met.clear();
                (self.answer, self.drawn) = (self.answer + 1, 0);
            }
            if self.answer == self.gradient.len() {
                self.descend();
                continue;
            }
            self.drawn += 1;
            self.prefix.push(self.gradient[self.answer].0);
            let (value, hash, _) = self.sample();
            self.prefix.pop();
            if let Some(value) = value {
                self.met.insert(hash);
                if self.found.insert(hash) {
                    self.counts.new += 1;
                    return Some(value);
                }
            }
        }
        None
    }

    /// A value that begins with the answers that are fixed, if it is valid; its hash; and how many answers the choice after these may have.
    #[track_caller]
    fn sample(&mut self) -> (Option<G::Value>, u64, Option<u64>) {
        self.counts.runs += 1;
        let mut prefixed = Prefixed { prefix: &self.prefix, rng: &mut self.rng, asked: 0, next: None };
        let mut source = Source::asking(&mut prefixed);
        let value = match self.filter.inner.generate(&mut source) {
            Ok(value) => value,
            Err(Stop) => panic!("cannot generate a value: {}", why(&source)),
        };
        let hash = hash_of(source.choices().entries());
        drop(source);
        self.counts.asked += 1;
        let is_valid = (self.filter.is_kept)(&value);
        self.counts.valid += u64::from(is_valid);
        (is_valid.then_some(value), hash, prefixed.next)
    }

    fn begin(&mut self, answers: u64) {
        (self.answer, self.drawn) = (0, 0);
        for place in 0..answers.min(MOST_ANSWERS) {
            let answer = if answers > MOST_ANSWERS { self.rng.at_most(answers - 1) } else { place };
            self.gradient.push((answer, 0));
        }
    }

    /// Fixes the next choice.
    fn descend(&mut self) {
        let total: usize = self.gradient.iter().map(|(_, valid)| valid).sum();
        let weight = |valid: usize| if total == 0 { 1 } else { valid as u64 };
        let total = if total == 0 { self.gradient.len() } else { total };
        let mut left = self.rng.at_most(total as u64 - 1);
        for (answer, valid) in self.gradient.drain(..) {
            if left < weight(valid) {
                self.prefix.push(answer);
                break;
            }
            left -= weight(valid);
        }
        self.gradient.clear();
    }
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Iterator for Cgs<'_, G, F> {
    type Item = G::Value;

    #[track_caller]
    fn next(&mut self) -> Option<G::Value> {
        self.next_within(MAX_SEARCH)
    }
}

impl<G: Generator, F: Fn(&G::Value) -> bool> fmt::Debug for Cgs<'_, G, F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "cgs ({}): {:?}", written(self.filter.place), self.counts)
    }
}

/// Answers the first choices as fixed, counted from the simplest, and the others at random with equal weights.
struct Prefixed<'p> {
    prefix: &'p [u64],
    rng: &'p mut Rng,
    asked: usize,
    /// How many answers the first choice had that is not fixed.
    next: Option<u64>,
}

impl Prefixed<'_> {
    /// An answer from 0 to `max`.
    fn answer(&mut self, max: u64) -> u64 {
        let place = self.asked;
        self.asked += 1;
        if let Some(answer) = self.prefix.get(place) {
            return (*answer).min(max);
        }
        if place == self.prefix.len() {
            self.next = Some(max.saturating_add(1));
        }
        self.rng.at_most(max)
    }
}

impl Chooser for Prefixed<'_> {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        Ok(self.answer(request.max))
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        let arms = request.possible_arms().count() as u64;
        let arm = self.answer(arms.saturating_sub(1)) as usize;
        Ok(request.possible_arms().nth(arm).unwrap_or(0))
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        Ok(request.min + self.answer((request.likely_max - request.min) as u64) as usize)
    }
}
