//! Patterns: the numbers of a random value, arranged as few random values have them.
//!
//! A condition answers yes or no, so nothing leads a search to its first valid value. Many
//! conditions ask for an order, though: numbers that rise, that are all different, that read the
//! same backward. A pattern arranges the numbers that one place of the generator made, and leaves
//! the rest as it was.

use crate::choice::{Choices, Kind};
use crate::source::Rng;

#[derive(Clone, Copy, Debug)]
enum Pattern {
    Equal,
    Rising,
    Falling,
    StrictlyRising,
    StrictlyFalling,
    Distinct,
    Peak,
    Mirror,
    Progression,
}

const PATTERNS: [Pattern; 9] = [
    Pattern::Equal,
    Pattern::Rising,
    Pattern::Falling,
    Pattern::StrictlyRising,
    Pattern::StrictlyFalling,
    Pattern::Distinct,
    Pattern::Peak,
    Pattern::Mirror,
    Pattern::Progression,
];

/// A group of numbers that is arranged has at most this many.
const MAX_GROUP: usize = 1 << 12;
/// At most this many groups of a value are arranged.
const MAX_GROUPS: usize = 16;

/// The numbers that are arranged together.
#[derive(Clone, Copy, PartialEq)]
enum Group {
    /// Of one place of the generator.
    Label,
    /// Of one place, inside of one node: a row of a matrix, one of several lists.
    Siblings,
    /// Of one bound, whatever place they are from: both ends of intervals.
    Bound,
}

/// Arranges the numbers of a value, group by group.
pub(super) fn arrange(choices: &mut Choices, labels: &[u32], rng: &mut Rng) {
    let dice = rng.next();
    let grouping = [Group::Label, Group::Label, Group::Siblings, Group::Bound][(dice & 3) as usize];
    // Of numbers that may be negative every second index is: the others alone keep their order.
    let is_even = dice & 12 == 0;
    let is_one_pattern = dice & 16 == 0;
    let mut pattern = any(rng);
    let mut groups: Vec<(u64, Vec<usize>)> = Vec::new();
    // The nodes around the next one: where each begins and ends.
    let mut around: Vec<(usize, usize)> = Vec::new();
    for (at, entry) in choices.entries().iter().enumerate() {
        while around.pop_if(|(_, end)| *end <= at).is_some() {}
        if entry.extent() > 0 {
            around.push((at, at + 1 + entry.extent()));
        }
        if entry.kind() != Kind::Number || entry.bound() == 0 {
            continue;
        }
        let key = match grouping {
            Group::Label => u64::from(labels[at]),
            Group::Siblings => u64::from(labels[at]) << 32 | around.last().map_or(0, |(begin, _)| *begin as u64),
            Group::Bound => entry.bound(),
        };
        match groups.iter().position(|(other, _)| *other == key) {
            Some(known) if groups[known].1.len() < MAX_GROUP => groups[known].1.push(at),
            None if groups.len() < MAX_GROUPS => groups.push((key, vec![at])),
            _ => {}
        }
    }
    for (_, group) in groups {
        if group.len() > 1 {
            if !is_one_pattern {
                pattern = any(rng);
            }
            arrange_group(choices, &group, pattern, is_even, rng);
        }
    }
}

fn any(rng: &mut Rng) -> Pattern {
    PATTERNS[rng.at_most(PATTERNS.len() as u64 - 1) as usize]
}

fn arrange_group(choices: &mut Choices, group: &[usize], pattern: Pattern, is_even: bool, rng: &mut Rng) {
    let entries = choices.entries();
    let scale = u32::from(is_even);
    let bound = group.iter().map(|at| entries[*at].bound()).min().unwrap_or(0) >> scale;
    let mut numbers: Vec<u64> = group.iter().map(|at| (entries[*at].index() >> scale).min(bound)).collect();
    let last = numbers.len() - 1;
    match pattern {
        Pattern::Equal => {
            let number = numbers[rng.at_most(last as u64) as usize];
            numbers.fill(number);
        }
        Pattern::Rising => numbers.sort_unstable(),
        Pattern::Falling => {
            numbers.sort_unstable();
            numbers.reverse();
        }
        Pattern::StrictlyRising => tell_apart(&mut numbers, bound),
        Pattern::StrictlyFalling => {
            tell_apart(&mut numbers, bound);
            numbers.reverse();
        }
        Pattern::Distinct => {
            tell_apart(&mut numbers, bound);
            for at in (1..=last).rev() {
                numbers.swap(at, rng.at_most(at as u64) as usize);
            }
        }
        Pattern::Peak => {
            let top = rng.at_most(last as u64) as usize;
            numbers[..top].sort_unstable();
            numbers[top..].sort_unstable();
            numbers[top..].reverse();
        }
        Pattern::Mirror => {
            for at in 0..numbers.len() / 2 {
                numbers[last - at] = numbers[at];
            }
        }
        Pattern::Progression => {
            let max_step = rng.at_most(bound / last as u64);
            let step = rng.at_most(max_step);
            let start = rng.at_most(bound - step * last as u64);
            for (at, number) in numbers.iter_mut().enumerate() {
                *number = start + step * at as u64;
            }
        }
    }
    for (at, number) in group.iter().zip(numbers) {
        choices.set_number(*at, number << scale);
    }
}

/// Sorts the numbers, and moves equal ones apart as far as there is room.
fn tell_apart(numbers: &mut [u64], bound: u64) {
    numbers.sort_unstable();
    let last = numbers.len() as u64 - 1;
    if bound < last {
        return;
    }
    let mut least = 0_u64;
    for (at, number) in numbers.iter_mut().enumerate() {
        *number = (*number).max(least).min(bound - (last - at as u64));
        least = number.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_are_moved_apart_within_their_bound() {
        for (mut numbers, bound) in [(vec![5, 5, 5, 1], 6), (vec![3, 3, 3, 3], 3), (vec![9, 9, 0, 0], 9)] {
            tell_apart(&mut numbers, bound);
            assert!(numbers.is_sorted_by(|one, other| one < other) && numbers[3] <= bound, "{numbers:?}");
        }
        let mut narrow = vec![1, 0, 1];
        tell_apart(&mut narrow, 1);
        assert_eq!(narrow, [0, 1, 1]);
    }

    #[test]
    fn all_arrangements_stay_within_their_bounds() {
        let mut rng = Rng::new(1);
        for bound in [1, 2, 7, 1000, u64::MAX] {
            for _ in 0..200 {
                let mut choices = Choices::default();
                choices.push_numbers(bound, (0..5).map(|at| at * 3 % (bound - 1).max(1)));
                arrange(&mut choices, &[1, 1, 2, 1, 2], &mut rng);
                assert!(choices.entries().iter().all(|entry| entry.index() <= bound));
            }
        }
    }
}
