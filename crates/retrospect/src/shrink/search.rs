//! Searches that passes share.

use super::door::{Door, Over};
use crate::choice::Choices;

/// The most of `1..=most` that succeeds, if what succeeds once succeeds for less: 1, 2, 4, 8, …,
/// then by halves. 0 if not even 1 does.
pub(super) fn longest(most: usize, mut attempt: impl FnMut(usize) -> Result<bool, Over>) -> Result<usize, Over> {
    let (mut good, mut next) = (0, 1);
    let mut bad = most + 1;
    while next <= most {
        if attempt(next)? {
            good = next;
            next = if next == most { most + 1 } else { (next * 2).min(most) };
        } else {
            bad = next;
            break;
        }
    }
    while bad - good > 1 && good > 0 {
        let middle = good + (bad - good) / 2;
        if attempt(middle)? {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Ok(good)
}

/// How often a search begins anew at a value whose lowest bit changed.
const ROUNDS: usize = 4;

/// Lowers a number from `from` as far as the candidates still fail, never below `floor`. Returns
/// where it ended.
///
/// The cheapest questions come first: the floor, and the neighbours below `from`. If all of them
/// pass, as they do when a number is where it belongs, that was all. Otherwise it is a search: by
/// halves of the bit length if half the way is fine, by growing steps if it is not, then by halves.
///
/// The lowest bit of an integer's index is its sign (0, 1, -1, 2, -2, …), so the search keeps it: a
/// bound such as `x >= 900` is a bound only among numbers of one sign. The other sign is tried
/// where the search ends.
pub(super) fn lower(
    door: &mut Door<'_>,
    from: u64,
    floor: u64,
    candidate: impl FnMut(u64) -> Choices,
) -> Result<u64, Over> {
    lower_with_hint(door, from, floor, true, None, candidate)
}

/// The same, with a value where it may well end: it is asked before a search begins. The floor need
/// not be asked where that was done.
pub(super) fn lower_with_hint(
    door: &mut Door<'_>,
    from: u64,
    floor: u64,
    asks_floor: bool,
    mut hint: Option<u64>,
    mut candidate: impl FnMut(u64) -> Choices,
) -> Result<u64, Over> {
    let mut now = from;
    for _ in 0..ROUNDS {
        if now <= floor || asks_floor && door.consider(candidate(floor))? {
            return Ok(now.min(floor));
        }
        if now - floor > 2 && door.consider(candidate(now - 2))? {
            now -= 2;
            if let Some(hint) = hint.take().filter(|hint| (floor + 1..now).contains(hint))
                && door.consider(candidate(hint))?
            {
                now = hint;
                continue;
            }
            let least = floor + ((now - floor) & 1);
            if now == least || least > floor && door.consider(candidate(least))? {
                return Ok(least);
            }
            now = lower_by_twos(door, now, least, &mut candidate)?;
        }
        if now - floor > 1 && door.consider(candidate(now - 1))? {
            now -= 1;
        } else {
            break;
        }
    }
    Ok(now)
}

/// Lowers `good`, which fails, in steps of two towards `bad`, which passes and has the same lowest
/// bit.
fn lower_by_twos(
    door: &mut Door<'_>,
    mut good: u64,
    mut bad: u64,
    candidate: &mut impl FnMut(u64) -> Choices,
) -> Result<u64, Over> {
    let half = |bad: u64, good: u64| bad + (((good - bad) / 2) & !1);
    if good - bad > 2 {
        let middle = half(bad, good);
        if middle > bad && door.consider(candidate(middle))? {
            good = middle;
            // How often can the way be halved? It ends within a few steps, wherever the bound is.
            // What is left of the index are its first bits, which for floats within a range are
            // those of the value.
            let way = good - bad;
            let halved = |times: u32| bad + ((way >> times) & !1);
            let (mut fails, mut passes) = (0, 63 - way.leading_zeros());
            while passes - fails > 1 {
                let times = fails + (passes - fails) / 2;
                if door.consider(candidate(halved(times)))? {
                    fails = times;
                } else {
                    passes = times;
                }
            }
            (good, bad) = (halved(fails), halved(passes.max(1)));
        } else {
            bad = bad.max(middle);
            let mut step = 8;
            while good - bad > step && door.consider(candidate(good - step))? {
                good -= step;
                step = step.saturating_mul(8);
            }
            if good - bad > step {
                bad = good - step;
            }
        }
    }
    while good - bad > 2 {
        let middle = half(bad, good);
        if door.consider(candidate(middle))? {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Ok(good)
}

/// Pairs of `0..count`, near ones first, no more than a few for each: the second of a pair is the
/// later one. Says whether these were all.
pub(super) fn near_pairs(count: usize) -> (Vec<(usize, usize)>, bool) {
    let most = 64 + 4 * count;
    let mut pairs = Vec::new();
    for distance in 1..count {
        for first in 0..count - distance {
            if pairs.len() == most {
                return (pairs, false);
            }
            pairs.push((first, first + distance));
        }
    }
    (pairs, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_run_is_found_in_a_few_attempts() {
        for most in [0, 1, 2, 3, 7, 100, 100_000] {
            for wanted in [0, 1, 2, 5, 64, 99, 77_777, 100_000] {
                let mut attempts = 0;
                let found = longest(most, |length| {
                    attempts += 1;
                    assert!((1..=most).contains(&length));
                    Ok(length <= wanted)
                });
                assert_eq!(found.unwrap(), wanted.min(most));
                assert!(
                    attempts <= 2 * (usize::BITS - wanted.leading_zeros()) as usize + 2,
                    "{most} {wanted} {attempts}"
                );
            }
        }
    }

    #[test]
    fn there_are_no_more_pairs_than_a_few_for_each() {
        assert_eq!(near_pairs(3), (vec![(0, 1), (1, 2), (0, 2)], true));
        assert_eq!(near_pairs(0), (vec![], true));
        let (pairs, all) = near_pairs(1000);
        assert!(pairs.len() <= 4100 && !all);
    }
}
