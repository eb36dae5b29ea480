//! Boundary cases: every choice at its ends, every two choices at their ends together.
//!
//! A case is a tree of choices; here each choice is a factor, the answers at its ends are its levels, and a greedy covering array makes every pair of levels of every two
//! factors meet in some case. Most faults need one or two things to be extreme at once, and n factors of six levels take some fifty cases instead of 6^n.

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
    let edited = |row: Vec<usize>| {
        let answers = factors.iter().zip(row).map(|(factor, level)| (factor.at, factor.levels[level]));
        skeleton.answered(answers)
    };
    rows.into_iter().map(edited).collect()
}

/// The same choices with one item in every list, so that the choices of items are there to vary.
pub(crate) fn with_items(skeleton: &Choices) -> Option<Choices> {
    let empty = |at: &usize| skeleton.entries()[*at].kind() == Kind::Repeat && skeleton.entries()[*at].index() == 0;
    let lists: Vec<(usize, u64)> = (0..skeleton.entries().len()).filter(empty).map(|at| (at, 1)).collect();
    (!lists.is_empty()).then(|| skeleton.answered(lists.into_iter()))
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
    // Steps of shrinking lead to nothing that could not be made without them, and many are refused.
    let mut steps_end = 0;
    let entries = skeleton.entries().iter().enumerate();
    let factors = entries.filter_map(|(at, entry)| {
        if entry.kind() == Kind::Call && entry.name_id() == STEPS.id() {
            steps_end = skeleton.end_of(at);
        }
        if at < steps_end {
            return None;
        }
        let levels = match entry.kind() {
            // Numbers are in the order of simplicity: 0, 1, -1, …; last are the ends of the range: the largest, its negative, the smallest.
            Kind::Number => ends(&[0, 1, 2], entry.bound(), 3),
            Kind::Pick => ends(&[0, 1, 2], (entry.arms() as u64).saturating_sub(1), MOST_ARMS - 3),
            Kind::Repeat => vec![entry.index(), entry.index() + 1],
            Kind::Call | Kind::Part => return None,
        };
        (levels.len() > 1).then_some(Factor { at, levels })
    });
    factors.take(MOST_FACTORS).collect()
}

/// The first answers, and as many of the last.
fn ends(first: &[u64], last: u64, from_the_end: u64) -> Vec<u64> {
    let mut levels: Vec<u64> = first.iter().copied().filter(|level| *level <= last).collect();
    levels.extend((0..from_the_end).rev().filter_map(|back| last.checked_sub(back)));
    levels.sort_unstable();
    levels.dedup();
    levels
}

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

    fn has_met(&self, one: usize, other: usize) -> bool {
        self.met[one.min(other) * self.total + one.max(other)]
    }

    fn cover(&mut self, row: &[usize]) {
        let levels: Vec<usize> = row.iter().zip(&self.offsets).map(|(level, offset)| offset + level).collect();
        for (place, one) in levels.iter().enumerate() {
            for other in &levels[place..] {
                self.met[one.min(other) * self.total + one.max(other)] = true;
            }
        }
    }

    /// The row that begins with a level not met before and then takes, factor by factor, the level with the most new meetings.
    fn next_row(&self, factors: &[Factor]) -> Option<Vec<usize>> {
        let level_count = |factor: usize| factors[factor].levels.len();
        // A level meets itself when it is used at all, which is what a single factor needs.
        let pairs = (0..factors.len()).flat_map(|one| (one..factors.len()).map(move |other| (one, other)));
        let (first, first_level) = pairs
            .flat_map(|(one, other)| {
                (0..level_count(one)).flat_map(move |a| {
                    let levels = if one == other { a..a + 1 } else { 0..level_count(other) };
                    levels.map(move |b| (one, a, other, b))
                })
            })
            .find(|(one, a, other, b)| !self.has_met(self.offsets[*one] + a, self.offsets[*other] + b))
            .map(|(one, a, other, b)| ((one, a), (other, b)))?;
        let mut row: Vec<Option<usize>> = vec![None; factors.len()];
        row[first.0] = Some(first.1);
        row[first_level.0] = Some(first_level.1);
        for factor in 0..factors.len() {
            if row[factor].is_some() {
                continue;
            }
            let news = |level: usize| {
                let this = self.offsets[factor] + level;
                let chosen = row.iter().enumerate().filter_map(|(other, level)| Some(self.offsets[other] + (*level)?));
                chosen.filter(|other| !self.has_met(this, *other)).count()
            };
            // The first of the best, so that ties go to the simplest.
            let best = (0..level_count(factor)).rev().max_by_key(|level| news(*level));
            row[factor] = best;
        }
        row.into_iter().collect()
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
