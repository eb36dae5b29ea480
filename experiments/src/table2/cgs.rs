//! Choice Gradient Sampling as it was published, to compare with.

use retrospect::prelude::*;
use retrospect::source::{
    Chooser, MAX_SEARCH, NumberRequest, PickRequest, RepeatRequest, Rng, SearchCounts, Source, Why,
};
use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Choice Gradient Sampling (Goldstein and Pierce, *Parsing Randomness*, figure 3): valid values,
/// each of which is made by other choices.
///
/// It fixes one choice after the other. For each answer that the next choice may have,
/// `samples_per_choice` values are drawn that begin so, and the answer is taken with the weight of
/// how many different valid ones there were among them; these are given out as they are met. If
/// there were none at all, it is taken as the generator would. When a value is complete, or cannot
/// be completed, it begins anew, and knows nothing of what it learned. If a choice has more than
/// 1000 answers, 1000 of them are looked at.
///
/// ```
/// use experiments::table2::cgs::Cgs;
/// use retrospect::prelude::*;
/// let lists = vec_of(0..10, ..=8);
/// let found: Vec<Vec<i32>> = Cgs::new(&lists, |list: &Vec<i32>| list.is_sorted(), 50, 7).take(100).collect();
/// assert!(found.iter().all(|list| list.is_sorted()));
/// ```
pub struct Cgs<'g, G: Generator, F> {
    generator: &'g G,
    is_valid: F,
    samples_per_choice: usize,
    rng: Rng,
    /// The answers that are fixed, and what comes after them.
    prefix: Vec<u64>,
    next: Next,
    /// A derivative for each answer that the next choice may have.
    gradient: Vec<Derivative>,
    /// The derivative whose samples are drawn, and how many are.
    answer: usize,
    drawn: usize,
    /// The valid samples of this answer.
    met: HashSet<u64>,
    /// All that was given out.
    found: HashSet<u64>,
    counts: SearchCounts,
}

/// What comes after some answers.
#[derive(Clone, Copy)]
enum Next {
    Unknown,
    /// A choice with so many answers; `own` is one that the generator drew.
    Choice {
        answers: u64,
        own: u64,
    },
    /// Nothing: the value is complete, or there is none.
    End,
}

/// What is left of the generator after one more answer.
struct Derivative {
    answer: u64,
    /// How many of its samples are valid, and different.
    valid: usize,
    next: Next,
}

/// Answers of one choice that are looked at.
const MAX_ANSWERS: u64 = 1000;

impl<'g, G: Generator, F: Fn(&G::Value) -> bool> Cgs<'g, G, F> {
    pub fn new(generator: &'g G, is_valid: F, samples_per_choice: usize, seed: u64) -> Cgs<'g, G, F> {
        Cgs {
            generator,
            is_valid,
            samples_per_choice: samples_per_choice.max(1),
            rng: Rng::new(seed),
            prefix: Vec::new(),
            next: Next::Unknown,
            gradient: Vec::new(),
            answer: 0,
            drawn: 0,
            met: HashSet::new(),
            found: HashSet::new(),
            counts: SearchCounts::default(),
        }
    }

    /// What it has cost so far, and what it gave.
    pub fn counts(&self) -> SearchCounts {
        self.counts
    }

    /// At most this many more runs: the next new value, or `None` if there was none among them.
    #[track_caller]
    pub fn next_within(&mut self, runs: u32) -> Option<G::Value> {
        let last = self.counts.runs + u64::from(runs);
        while self.counts.runs < last {
            let (answers, own) = match self.next {
                Next::Choice { answers, own } => (answers, own),
                Next::Unknown => {
                    let (value, next) = self.sample();
                    self.next = next;
                    match value {
                        Some(value) => return Some(value),
                        None => continue,
                    }
                }
                Next::End => {
                    self.prefix.clear();
                    self.next = Next::Unknown;
                    continue;
                }
            };
            if self.gradient.is_empty() {
                self.begin(answers);
            }
            if self.drawn == self.samples_per_choice {
                self.gradient[self.answer].valid = self.met.len();
                self.met.clear();
                (self.answer, self.drawn) = (self.answer + 1, 0);
            }
            if self.answer == self.gradient.len() {
                self.descend(own);
                continue;
            }
            self.drawn += 1;
            self.prefix.push(self.gradient[self.answer].answer);
            let (value, next) = self.sample();
            self.prefix.pop();
            self.gradient[self.answer].next = next;
            if value.is_some() {
                return value;
            }
        }
        None
    }

    /// A value that begins with the answers that are fixed, if it is valid and new; and what comes
    /// after these.
    #[track_caller]
    fn sample(&mut self) -> (Option<G::Value>, Next) {
        self.counts.runs += 1;
        let mut prefixed = Prefixed { prefix: &self.prefix, rng: &mut self.rng, asked: 0, next: Next::End };
        let mut source = Source::asking(&mut prefixed);
        let made = self.generator.generate(&mut source);
        if let Some(why @ Why::Invalid(_)) = source.why() {
            panic!("cannot generate a value: {why}");
        }
        let choices = source.into_choices();
        let next = prefixed.next;
        // Where a filter inside of the generator refuses, there is no value.
        let Ok(value) = made else { return (None, next) };
        self.counts.asked += 1;
        if !(self.is_valid)(&value) {
            return (None, next);
        }
        self.counts.valid += 1;
        let mut hasher = DefaultHasher::new();
        choices.sequence().hash(&mut hasher);
        let hash = hasher.finish();
        self.met.insert(hash);
        let is_new = self.found.insert(hash);
        self.counts.new += u64::from(is_new);
        (is_new.then_some(value), next)
    }

    fn begin(&mut self, answers: u64) {
        (self.answer, self.drawn) = (0, 0);
        self.met.clear();
        for place in 0..answers.min(MAX_ANSWERS) {
            let answer = if answers > MAX_ANSWERS { self.rng.at_most(answers - 1) } else { place };
            self.gradient.push(Derivative { answer, valid: 0, next: Next::End });
        }
    }

    /// Fixes the next choice.
    fn descend(&mut self, own: u64) {
        let total: usize = self.gradient.iter().map(|derivative| derivative.valid).sum();
        if total == 0 {
            self.prefix.push(own);
            let same = self.gradient.iter().find(|derivative| derivative.answer == own);
            self.next = same.map_or(Next::Unknown, |derivative| derivative.next);
        } else {
            let mut left = self.rng.at_most(total as u64 - 1);
            for derivative in &self.gradient {
                if left < derivative.valid as u64 {
                    self.prefix.push(derivative.answer);
                    self.next = derivative.next;
                    break;
                }
                left -= derivative.valid as u64;
            }
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
        write!(formatter, "cgs: {:?}", self.counts)
    }
}

/// Answers the first choices as fixed, counted from the simplest, and the others as chance would.
struct Prefixed<'p> {
    prefix: &'p [u64],
    rng: &'p mut Rng,
    asked: usize,
    /// The first choice that is not fixed.
    next: Next,
}

impl Prefixed<'_> {
    /// The answer from 0 to `max` that is fixed for the next choice, or the one that is drawn.
    fn answer(&mut self, max: u64, draw: impl FnOnce(&mut Rng) -> u64) -> u64 {
        let place = self.asked;
        self.asked += 1;
        if let Some(answer) = self.prefix.get(place) {
            return (*answer).min(max);
        }
        let own = draw(self.rng);
        if place == self.prefix.len() {
            self.next = Next::Choice { answers: max.saturating_add(1), own };
        }
        own
    }
}

impl Chooser for Prefixed<'_> {
    fn is_random(&self) -> bool {
        true
    }

    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        Ok(self.answer(request.max, |rng| request.random(rng)))
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        let arms = request.possible_arms().count() as u64;
        let answer = self.answer(arms.saturating_sub(1), |rng| {
            let arm = request.random(rng);
            request.possible_arms().take_while(|other| *other < arm).count() as u64
        });
        Ok(request.possible_arms().nth(answer as usize).unwrap_or(0))
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        let most = request.likely_max - request.min;
        Ok(request.min + self.answer(most as u64, |rng| (request.random(rng) - request.min) as u64) as usize)
    }
}
