//! Climbing toward a better score: what `target!` asks for.
//!
//! The best case so far is changed a little, and the change is kept if the score is no worse. It is
//! a plain hill climb; plateaus are crossed because an equal score is kept.

use super::budget::Block;
use super::search::{Found, How, Search};
use super::trial::{Door, Ended, Input};
use crate::choice::{Choices, Kind};
use crate::source::Rng;

impl Search<'_> {
    /// Spends the budget once more on each score, from its best case.
    pub(crate) fn climb(&mut self, door: &mut dyn Door) -> Result<Option<Found>, String> {
        let mut rng = Rng::new(self.context().seed ^ 0x5c04e);
        let (wants, size) = (self.wants(), u64::from(self.context().settings.size));
        let mut left = self.best.len() as u32;
        for (label, mut score, mut best) in self.best.clone() {
            let clock = self.clock().for_climbing(left, self.n_tested());
            left -= 1;
            let (tested, tries) = (self.n_tested(), self.tries());
            while clock.next_block(self.n_tested() - tested, self.tries() - tries, Block::NONE).is_ok() {
                let trial = door.run(Input::Choices(&neighbour(&best, size, &mut rng)), wants);
                if let (Ended::Passed, Some(log)) = (&trial.ended, &trial.log)
                    && let Some(reached) =
                        log.scores.iter().find(|score| score.label == label).and_then(|score| score.best)
                    && reached >= score
                {
                    score = reached;
                    best = trial.choices.clone();
                }
                if let Some(found) = self.judge(trial, How::Climbing(self.next_case()))? {
                    return Ok(Some(found));
                }
            }
            self.climbed += self.n_tested() - tested;
            self.statistics.reached(label, score);
        }
        Ok(None)
    }
}

/// The same choices with one to three of them changed. No list becomes longer than this size: what
/// scores high is often what is large.
fn neighbour(choices: &Choices, size: u64, rng: &mut Rng) -> Choices {
    let entries = choices.entries();
    let mut places = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        if !matches!(entry.kind(), Kind::Call | Kind::Part) {
            places.push(at);
        }
    }
    if places.is_empty() {
        return choices.clone();
    }
    let count = 1 + rng.at_most(2);
    // Few, in the order of their places; of two for one place the smaller stays.
    let mut changes: Vec<(usize, u64)> = Vec::new();
    for _ in 0..count {
        let at = places[rng.at_most(places.len() as u64 - 1) as usize];
        let entry = entries[at];
        let answer = match entry.kind() {
            Kind::Number => near(entry.index(), entry.bound(), rng),
            Kind::Pick => rng.at_most((entry.arms() as u64).saturating_sub(1)),
            _ => near(entry.index(), u64::from(u32::MAX), rng).min(2 * entry.index() + 1).min(size.max(entry.index())),
        };
        let mut place = changes.len();
        while place > 0 && changes[place - 1].0 >= at {
            place -= 1;
        }
        match changes.get_mut(place) {
            Some(known) if known.0 == at => known.1 = known.1.min(answer),
            _ => changes.insert(place, (at, answer)),
        }
    }
    choices.answered(&changes)
}

/// A number near another: a small step, a step of any magnitude, or anywhere.
fn near(index: u64, bound: u64, rng: &mut Rng) -> u64 {
    let step = match rng.at_most(3) {
        0 => 1 + rng.at_most(2),
        3 => return rng.at_most(bound),
        _ => 1 << rng.at_most(u64::from(u64::BITS - bound.leading_zeros())).min(63),
    };
    let moved = if rng.at_most(1) == 0 { index.saturating_sub(step) } else { index.saturating_add(step) };
    moved.min(bound)
}
