//! Boundary cases: every choice at its ends, every two choices at their ends together.
//!
//! A case is a tree of choices; here each choice is a factor, the answers at its ends are its
//! levels, and a greedy covering array makes every pair of levels of every two factors meet in some
//! case. Most faults need one or two things to be extreme at once, and n factors of six levels take
//! some fifty cases instead of 6^n.

use crate::choice::{Choices, Kind, STEPS};

/// Cases in which every two of the tree's first choices meet at all their ends, at most `most`.
pub(crate) fn boundary_cases(skeleton: &Choices, most: usize) -> Vec<Choices> {
    let factors = factors(skeleton);
    let mut rows = Vec::new();
    let mut covered = Covered::new(&factors);
    while rows.len() < most {
        let Some(row) = covered.next_row(&factors) else { break };
        covered.cover(&row);
        rows.push(row);
    }
    let mut cases = Vec::new();
    for row in rows {
        let mut answers = Vec::new();
        for (factor, level) in factors.iter().zip(row) {
            answers.push((factor.at, factor.levels[level]));
        }
        cases.push(skeleton.answered(&answers));
    }
    cases
}

/// The same choices with one item in every list, so that the choices of items are there to vary.
pub(crate) fn with_items(skeleton: &Choices) -> Option<Choices> {
    let mut lists = Vec::new();
    for (at, entry) in skeleton.entries().iter().enumerate() {
        if entry.kind() == Kind::Repeat && entry.index() == 0 {
            lists.push((at, 1));
        }
    }
    (!lists.is_empty()).then(|| skeleton.answered(&lists))
}

/// More would need too many cases; those that come first tend to matter most.
const MOST_FACTORS: usize = 16;

/// Arms of a pick that are tried: all, or the first and the last.
const MOST_ARMS: u64 = 6;

struct Factor {
    /// Its place in the tree.
    at: usize,
    levels: Vec<u64>,
}

fn factors(skeleton: &Choices) -> Vec<Factor> {
    let mut factors = Vec::new();
    // Steps of shrinking lead to nothing that could not be made without them, and many are refused.
    let mut steps_end = 0;
    for (at, entry) in skeleton.entries().iter().enumerate() {
        if entry.kind() == Kind::Call && entry.name_id() == STEPS.id() {
            steps_end = skeleton.end_of(at);
        }
        if at < steps_end {
            continue;
        }
        let levels = match entry.kind() {
            // Numbers are in the order of simplicity: 0, 1, -1, …; last are the ends of the range:
            // the largest, its negative, the smallest.
            Kind::Number => ends(entry.bound(), 3),
            Kind::Pick => ends((entry.arms() as u64).saturating_sub(1), MOST_ARMS - 3),
            Kind::Repeat => vec![entry.index(), entry.index() + 1],
            Kind::Call | Kind::Part => continue,
        };
        if levels.len() > 1 && factors.len() < MOST_FACTORS {
            factors.push(Factor { at, levels });
        }
    }
    factors
}

/// The first three answers, and so many of the last.
fn ends(last: u64, from_the_end: u64) -> Vec<u64> {
    let mut levels = Vec::new();
    for level in 0..=last.min(2) {
        levels.push(level);
    }
    for back in 0..from_the_end {
        let level = last.saturating_sub(from_the_end - 1 - back);
        if level > levels[levels.len() - 1] {
            levels.push(level);
        }
    }
    levels
}

/// The level of a factor that is not decided yet.
const NO_LEVEL: usize = usize::MAX;

/// Which pairs of levels have met.
struct Covered {
    /// Levels are numbered through; a pair is a bit.
    offsets: Vec<usize>,
    total: usize,
    met: Vec<bool>,
}

impl Covered {
    fn new(factors: &[Factor]) -> Covered {
        let mut offsets = Vec::new();
        let mut total = 0;
        for factor in factors {
            offsets.push(total);
            total += factor.levels.len();
        }
        Covered { offsets, total, met: vec![false; total * total] }
    }

    /// Of two factors and their levels.
    fn has_met(&self, one: (usize, usize), other: (usize, usize)) -> bool {
        let (one, other) = (self.offsets[one.0] + one.1, self.offsets[other.0] + other.1);
        self.met[one.min(other) * self.total + one.max(other)]
    }

    fn cover(&mut self, row: &[usize]) {
        for place in 0..row.len() {
            for other in place..row.len() {
                // Levels of a later factor have the higher numbers.
                let (one, other) = (self.offsets[place] + row[place], self.offsets[other] + row[other]);
                self.met[one * self.total + other] = true;
            }
        }
    }

    /// The row that begins with a level not met before and then takes, factor by factor, the level
    /// with the most new meetings.
    fn next_row(&self, factors: &[Factor]) -> Option<Vec<usize>> {
        let (first, second) = self.first_not_met(factors)?;
        let mut row = vec![NO_LEVEL; factors.len()];
        row[first.0] = first.1;
        row[second.0] = second.1;
        for factor in 0..factors.len() {
            if row[factor] != NO_LEVEL {
                continue;
            }
            // The first of the best, so that ties go to the simplest.
            let (mut best, mut most_new) = (0, 0);
            for level in 0..factors[factor].levels.len() {
                let mut new = 0;
                for (other, other_level) in row.iter().enumerate() {
                    let is_new = *other_level != NO_LEVEL && !self.has_met((factor, level), (other, *other_level));
                    new += usize::from(is_new);
                }
                if new > most_new {
                    (best, most_new) = (level, new);
                }
            }
            row[factor] = best;
        }
        Some(row)
    }

    /// Two factors with their levels that have not met. A level meets itself when it is used at
    /// all, which is what a single factor needs.
    fn first_not_met(&self, factors: &[Factor]) -> Option<((usize, usize), (usize, usize))> {
        for one in 0..factors.len() {
            for other in one..factors.len() {
                for a in 0..factors[one].levels.len() {
                    let levels = if one == other { a..a + 1 } else { 0..factors[other].levels.len() };
                    for b in levels {
                        if !self.has_met((one, a), (other, b)) {
                            return Some(((one, a), (other, b)));
                        }
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::source::Odometer;

    fn minimal<G: Generator>(generator: &G) -> Choices {
        let mut odometer = Odometer::new();
        let mut source = crate::source::Source::asking(&mut odometer);
        assert!(generator.generate(&mut source).is_ok());
        source.into_choices()
    }

    #[test]
    fn every_two_ends_meet() {
        let numbers = tuple((0..=9, 0..=9, 0..=9, 0..=9));
        let rows: Vec<_> = boundary_cases(&minimal(&numbers), 100).iter().map(|row| numbers.replay(row)).collect();
        let at = |row: &(i32, i32, i32, i32), place: usize| [row.0, row.1, row.2, row.3][place];
        for one in 0..4 {
            for other in one + 1..4 {
                for a in [0, 1, 2, 7, 8, 9] {
                    for b in [0, 1, 2, 7, 8, 9] {
                        let meet = |row: &&(i32, i32, i32, i32)| at(row, one) == a && at(row, other) == b;
                        assert!(rows.iter().any(|row| meet(&row)), "{one}={a} {other}={b}");
                    }
                }
            }
        }
        assert!(rows.len() <= 60, "{} rows", rows.len());
        assert_eq!(rows[0], (0, 0, 0, 0));
    }

    #[test]
    fn one_number_is_tried_at_each_end() {
        let numbers = any::<i64>();
        let rows: Vec<i64> = boundary_cases(&minimal(&numbers), 100).iter().map(|row| numbers.replay(row)).collect();
        assert_eq!(rows, [0, 1, -1, i64::MAX, -i64::MAX, i64::MIN]);
    }

    #[test]
    fn lists_get_items() {
        let lists = vec_of(vec_of(any::<i8>(), ..), ..);
        let once = lists.try_replay(&with_items(&minimal(&lists)).unwrap()).unwrap().1;
        let twice = lists.try_replay(&with_items(&once).unwrap()).unwrap().1;
        assert!(with_items(&twice).is_none());
        let rows: Vec<_> = boundary_cases(&twice, 100).iter().map(|row| lists.replay(row)).collect();
        assert!(rows.contains(&vec![vec![i8::MIN]]) && rows.iter().any(|row| row.len() == 2), "{rows:?}");
    }
}
