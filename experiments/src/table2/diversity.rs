//! How different the values of one size are from each other.

use super::contest::Trial;
use retrospect::source::Rng;
use std::collections::BTreeMap;

/// Pairs that are compared for each size, and the fewest values that say something.
const PAIRS: usize = 1500;
const FEWEST: usize = 20;

/// The mean distance of two values, for each size of which there are enough.
pub fn by_size(trial: &Trial) -> BTreeMap<usize, f64> {
    let mut rng = Rng::new(7);
    let mut distances = BTreeMap::new();
    for (size, examples) in trial.examples.iter().filter(|(_, examples)| examples.len() >= FEWEST) {
        let mut any = || &examples[rng.at_most(examples.len() as u64 - 1) as usize];
        let total: usize = (0..PAIRS).map(|_| distance(any(), any())).sum();
        distances.insert(*size, total as f64 / PAIRS as f64);
    }
    distances
}

/// The mean over all sizes of one's diversity as a share of the other's, and the least of them.
/// None if they have no size in common.
pub fn compared(one: &BTreeMap<usize, f64>, other: &BTreeMap<usize, f64>) -> Option<(f64, f64)> {
    let ratios: Vec<f64> = one
        .iter()
        .filter_map(|(size, distance)| other.get(size).filter(|other| **other > 0.0).map(|other| distance / other))
        .collect();
    let least = ratios.iter().copied().fold(f64::MAX, f64::min);
    (!ratios.is_empty()).then(|| (ratios.iter().sum::<f64>() / ratios.len() as f64, least))
}

/// The fewest insertions, deletions and replacements that turn one into the other.
fn distance(one: &[u64], other: &[u64]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (place, left) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = place + 1;
        for (column, right) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(left != right);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_counted_in_edits() {
        assert_eq!(distance(&[1, 2, 3], &[1, 2, 3]), 0);
        assert_eq!(distance(&[], &[1, 2]), 2);
        assert_eq!(distance(&[1, 2, 3, 4], &[2, 3, 5]), 2);
    }

    #[test]
    fn sizes_that_both_have_are_compared() {
        let one = BTreeMap::from([(1, 2.0), (2, 3.0), (9, 1.0)]);
        let other = BTreeMap::from([(1, 2.0), (2, 6.0)]);
        assert_eq!(compared(&one, &other), Some((0.75, 0.5)));
        assert_eq!(compared(&one, &BTreeMap::new()), None);
    }
}
