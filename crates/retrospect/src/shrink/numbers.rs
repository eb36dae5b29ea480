//! Passes that lower numbers one by one.

use super::door::{Door, Over};
use super::pairs::value_of;
use super::search::lower_with_hint;
use super::tree::Tree;
use crate::choice::Choices;
use std::collections::HashMap;

/// Each number becomes as small as can be. Where that is not 0, it may be the number before it: in a heap a key is bounded by the one above.
///
/// `(741 [52 8])` → `(700 [50 0])`
pub(super) fn number(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    while let Some((tree, at)) = door.next_place(&mut next, |tree| &tree.numbers) {
        if tree.index(at) == 0 {
            continue;
        }
        let before = tree.numbers.partition_point(|number| *number < at).checked_sub(1);
        let hint = before.map(|before| tree.index(tree.numbers[before]));
        lower_with_hint(door, tree.index(at), 0, hint, |index| tree.with([(at, index)]))?;
    }
    Ok(())
}

/// A search by halves comes down from above, and stops at the first gap. The indices of floats have such gaps: first come the whole numbers, then those with
/// one bit after the point, with two, and so on, each in a row as long as the other. What is beyond the whole numbers is rounded: to a whole number, or to
/// fewer bits after the point. What has no bits after the point is too large for them, and is looked for from below, by doubling.
///
/// `(9691746398101307394)`, which is 9007199254740994.0, → `(15)`, which is 8.0, where `x >= 1.5` fails
pub(super) fn from_below(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    while let Some((tree, at)) = door.next_place(&mut next, |tree| &tree.raised) {
        for index in simpler_floats(tree.index(at), tree.entry(at).bound()) {
            if door.consider(tree.with([(at, index)]))? {
                break;
            }
        }
    }
    Ok(())
}

/// Characters come by their kind: small letters, capital ones, digits, then the other ones of ASCII, and all those that few people can read. Between
/// them a search by halves finds its way only by luck, so the first of each kind is tried, at first for all characters together.
///
/// `"ѠЖ"` → `"AA"` where capital letters fail
pub(super) fn characters(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let is_character = |at: &usize| tree.entry(*at).bound() == LARGEST_CHARACTER && tree.index(*at) > FIRST_OF_KINDS[0];
    let places: Vec<usize> = tree.raised.iter().copied().filter(is_character).collect();
    let lowered = |door: &mut Door<'_>, places: &[usize]| {
        for first in FIRST_OF_KINDS {
            let changes = places.iter().map(|at| (*at, tree.index(*at).min(first)));
            if tree.index(places[0]) > first && door.consider(tree.with(changes))? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    if places.is_empty() || lowered(door, &places)? || places.len() == 1 {
        return Ok(());
    }
    for at in places {
        if lowered(door, &[at])? {
            return Ok(());
        }
    }
    Ok(())
}

/// The index of the last character.
const LARGEST_CHARACTER: u64 = 0x10_F7FF;
/// Those of `A`, `0` and the blank; `a` is 0.
const FIRST_OF_KINDS: [u64; 3] = [26, 52, 62];

/// The indices of floats that are near the one with this index and have fewer bits; none if it is a whole number.
fn simpler_floats(index: u64, bound: u64) -> Vec<u64> {
    let digits = match bound {
        u64::MAX => 53,
        0xFFFF_0000..=0xFFFF_FFFF => 24,
        _ => return Vec::new(),
    };
    // 0, as many numbers above it as below, and -0.0; then rows of odd numbers that are divided by 2, 4, 8, …, positive and negative in turn.
    let fractions = (1u64 << (digits + 1)) + 2;
    let row_length = 1u64 << digits;
    // Within a range, each row is twice as long as the one before it, so that half the index has the same value with one bit less.
    let halved = [48, 32, 16, 8, 4, 2, 1].map(|by| (((index >> 1) >> by) << 1) | (index & 1));
    let Some(beyond) = index.checked_sub(fractions) else {
        return if digits == 53 && index >> 32 > 0 { halved.to_vec() } else { Vec::new() };
    };
    let (row, place) = (beyond >> digits, beyond & (row_length - 1));
    let (half, sign) = (place >> 1, place & 1);
    let most_places = if digits == 53 { 1074 } else { 149 };
    if row >= most_places {
        let far = (1..=digits).step_by(3).flat_map(|bits| [(1 << bits) - 1, 1 << bits]);
        let halves = (1..digits).step_by(9).flat_map(|bits| [(1 << bits) - 2, (1 << bits) - 1]);
        return far.chain(halves.map(|place| fractions + place)).collect();
    }
    // The numerator without its last bits, which is the value rounded towards 0.
    let shifted = |by: u64| if by < 64 { half >> by } else { 0 };
    let whole = shifted(row);
    let mut indices = Vec::new();
    for whole in [whole, whole + 1].into_iter().filter(|whole| *whole > 0) {
        indices.push(2 * whole - 1 + sign);
    }
    let rows = (0..row).filter(|other| *other < 12 || other.is_power_of_two());
    indices.extend(rows.map(|other| fractions + other * row_length + 2 * shifted(row - other) + sign));
    indices.extend(halved);
    indices
}

/// The numbers of one range keep nothing but their order: each becomes its rank among them, by index or, since the lowest bit of an integer's index is
/// its sign, by value. What sorts, compares or counts numbers asks for no more.
///
/// `[741 -8 52]` → `[2 0 1]`
pub(super) fn rank(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    if !door.consider(ranked(&tree, i128::from, |rank| rank as u64))? {
        door.consider(ranked(&tree, value_of, |rank| (2 * rank as u64).saturating_sub(1)))?;
    }
    Ok(())
}

/// The same by index alone, before anything else is known of the numbers.
pub(super) fn rank_all(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    door.consider(ranked(&tree, i128::from, |rank| rank as u64)).map(drop)
}

fn ranked(tree: &Tree, key: fn(u64) -> i128, index_of: fn(usize) -> u64) -> Choices {
    let mut ranges: HashMap<u64, Vec<usize>> = HashMap::new();
    for at in &tree.numbers {
        ranges.entry(tree.entry(*at).bound()).or_default().push(*at);
    }
    let mut changes = Vec::with_capacity(tree.numbers.len());
    for places in ranges.values() {
        let mut keys: Vec<i128> = places.iter().map(|at| key(tree.index(*at))).collect();
        keys.sort_unstable();
        keys.dedup();
        let rank = |at: usize| keys.partition_point(|other| *other < key(tree.index(at)));
        changes.extend(places.iter().map(|at| (*at, index_of(rank(*at)))));
    }
    tree.with(changes)
}

/// How many numbers are looked at one by one, above 0 and below a number.
const SCANNED: u64 = 130;
/// Those that are looked at before anything that needs a partner.
const SCANNED_FIRST: u64 = 12;
/// The two passes that look for numbers one by one end when so many runs were taken by all passes together, or so many by each of them; the first one may
/// always take a few.
const ALWAYS: u64 = 25;
const ALWAYS_IN_SCAN: u64 = 60;
const ALTOGETHER: u64 = 170;
const MOST_RUNS: u64 = 150;

/// A number that fails alone, while its neighbours pass, may have others of its kind far below that no search by halves finds. They are looked for near 0,
/// and by the steps that people choose; the distance of one that was found is tried again and again, each time eight times as often.
///
/// `(70041)` → `(41)` where `x % 50 == 41` fails
pub(super) fn strides(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let most_runs = ALTOGETHER.max(door.runs + ALWAYS);
    for at in tree.raised.iter().copied().filter(|at| tree.index(*at) > 2) {
        let from = tree.index(at);
        let few = match standing(door, &tree, at)? {
            Standing::Bound | Standing::Equal => continue,
            // Numbers that mean each other may do so by their remainders.
            Standing::Coupled if from <= 2 * SCANNED_FIRST => continue,
            Standing::Coupled => 0..0,
            Standing::Alone => 1..from.min(SCANNED_FIRST),
        };
        let halves = [3, 2, 1].map(|by| (((from >> 1) >> by) << 1) | (from & 1));
        let indices = few.chain(halves).chain(round_steps(from).map(|step| from - step));
        if try_each(door, &tree, at, indices.map(|index| vec![(at, index)]), most_runs)? {
            return Ok(());
        }
    }
    Ok(())
}

/// What [`strides`] does not find is looked for one by one, from 0 up and from the number down.
///
/// `(207)` → `(13)` where `x % 97 == 13` fails
pub(super) fn scan(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    // Where there are no lists, no runs were spent on deleting, and numbers are all there is.
    let most_runs = if tree.repeats.is_empty() { ALTOGETHER.max(door.runs + ALWAYS_IN_SCAN) } else { ALTOGETHER };
    for at in tree.raised.iter().copied().filter(|at| (3..FAR).contains(&tree.index(*at))) {
        if !matches!(standing(door, &tree, at)?, Standing::Alone) {
            continue;
        }
        let from = tree.index(at);
        let downs = (3..=SCANNED.min(from)).map(|step| from - step);
        let rest = (SCANNED_FIRST..from.min(SCANNED)).chain(downs).map(|index| vec![(at, index)]);
        // One of two numbers may be 0 after all, with another partner.
        let other = tree.raised.iter().copied().find(|other| *other != at).filter(|_| tree.raised.len() == 2);
        let paired = other.into_iter().flat_map(|other| (0..SCANNED).map(move |index| vec![(other, 0), (at, index)]));
        if try_each(door, &tree, at, paired.chain(rest), most_runs)? {
            return Ok(());
        }
    }
    Ok(())
}

/// No number that people read is so far from the simplest; what is there is a float.
const FAR: u64 = 1 << 53;

/// Whether one of the candidates for the number at `at`, which stands last in each, helped.
fn try_each(
    door: &mut Door<'_>,
    tree: &Tree,
    at: usize,
    candidates: impl Iterator<Item = Vec<(usize, u64)>>,
    most_runs: u64,
) -> Result<bool, Over> {
    let from = tree.index(at);
    for numbers in candidates {
        if door.runs >= most_runs || door.spent_by_pass() >= MOST_RUNS {
            return Ok(false);
        }
        let index = numbers[numbers.len() - 1].1;
        if door.consider(tree.with(numbers))? {
            gallop(door, at, index, from.abs_diff(index))?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// What people choose for a modulus or a step, up to a number: powers of ten, their halves, powers of two.
fn round_steps(most: u64) -> impl Iterator<Item = u64> {
    let mut steps = vec![];
    let mut ten = 10u64;
    while ten / 2 <= most && ten < u64::MAX / 10 {
        steps.extend([ten / 2, ten]);
        ten *= 10;
    }
    steps.extend((3..16).map(|bits| 1 << bits));
    steps.retain(|step| *step <= most && *step <= LARGEST_STEP);
    steps.sort_unstable();
    steps.into_iter()
}

const LARGEST_STEP: u64 = 1_000_000;

/// Why a number fails.
enum Standing {
    /// Those above fail too, so it is the least of many, and those below were searched by halves; or nothing can be told.
    Bound,
    /// Another one is equal, and was lowered with it.
    Equal,
    /// It fails together with another one that moves along, or the other way: the two mean each other.
    Coupled,
    /// There is no reason to be seen.
    Alone,
}

fn standing(door: &mut Door<'_>, tree: &Tree, at: usize) -> Result<Standing, Over> {
    let (from, bound) = (tree.index(at), tree.entry(at).bound());
    // There is nothing above the largest, so nothing can be told from it. Alone, it may have been raised to make up for others.
    if from.saturating_add(1) >= bound {
        return Ok(if tree.raised.len() == 1 && from < FAR { Standing::Coupled } else { Standing::Bound });
    }
    let fails_above = |door: &mut Door<'_>, places: &[usize]| {
        let moved = |step: u64| tree.with(places.iter().map(|at| (*at, tree.index(*at).saturating_add(step))));
        Ok(door.fails(&moved(6))? && door.fails(&moved(2))?)
    };
    if fails_above(door, &[at])? {
        return Ok(Standing::Bound);
    }
    for other in near_by(tree, at) {
        let has = tree.index(other);
        let has_same_sum = |door: &mut Door<'_>, by: u64| {
            let moved = [(at, from.saturating_add(by)), (other, has.saturating_sub(by))];
            Ok(has >= by && door.fails(&tree.with(moved))?)
        };
        if has == from {
            return Ok(Standing::Equal);
        }
        if tree.entry(other).bound() == bound && fails_above(door, &[at, other])?
            || has_same_sum(door, 6)? && has_same_sum(door, 2)?
        {
            return Ok(Standing::Coupled);
        }
    }
    Ok(Standing::Alone)
}

/// The few numbers around one that are not the simplest either.
fn near_by(tree: &Tree, at: usize) -> Vec<usize> {
    let raised = &tree.raised;
    let place = raised.partition_point(|other| *other < at);
    raised[place.saturating_sub(2)..].iter().take(5).copied().filter(|other| *other != at).collect()
}

/// Goes on from `from` by steps of a length that helped once.
fn gallop(door: &mut Door<'_>, at: usize, mut from: u64, step: u64) -> Result<(), Over> {
    let tree = door.best();
    let mut times = 1;
    while times > 0 {
        let length = step.saturating_mul(times);
        if length <= from && door.consider(tree.with([(at, from - length)]))? {
            from -= length;
            times = times.saturating_mul(8);
        } else {
            times /= 8;
        }
    }
    Ok(())
}
