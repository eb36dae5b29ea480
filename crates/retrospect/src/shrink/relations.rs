//! The search that goes on where nothing else helps: numbers that fail only together with others,
//! or only one in many.
//!
//! Such numbers cannot be lowered one by one, nor by halves. What they have in common is not known,
//! but it can be found: another failing value is near, as near as what they have in common is
//! simple. So the values around are tried in growing circles, and where one fails, the step to it
//! is taken again and again. A step in one number finds remainders, a step in two or three finds
//! sums in which each counts differently, differences and multiples.
//!
//! This may be in vain, and nothing says how far to go. So it is given a number of replays by
//! whoever knows what they cost; see [`Trial::spare`](super::Trial::spare).

use super::door::{Door, Over};
use super::pairs::{index_of, is_bound, value_of};
use super::tree::Tree;
use std::iter::once;
use std::ops::Range;

/// Numbers move to another failing value near by, one, two or three of them at once, and on in the
/// same direction.
///
/// `(70041)` → `(41)` where `x % 50 == 41` fails; `(100 217)` → `(10 37)` where `b == 2 * a + 17`
/// does
pub(super) fn relations(door: &mut Door<'_>) -> Result<(), Over> {
    // Where one step helps, others do. Other passes find them sooner, but take many runs themselves
    // where there are many numbers.
    while moves_some(door)? && door.best().raised.len() > FEW {}
    Ok(())
}

const FEW: usize = 2;

/// Whether a move helped.
fn moves_some(door: &mut Door<'_>) -> Result<bool, Over> {
    let tree = door.best();
    let mut exact = Vec::new();
    for at in &tree.raised {
        if !is_bound(door, &tree, *at)? {
            exact.push(*at);
        }
    }
    if exact.is_empty() {
        return Ok(false);
    }
    let search = Search { tree: &tree, exact: &exact, others: &tree.numbers };
    let largest = tree.raised.iter().map(|at| tree.index(*at)).max().unwrap_or(0);
    let mut circle = Circle { alone: 0..FIRST_ALONE, radius: 0..FIRST_RADIUS };
    loop {
        if search.go_round(door, &circle)? {
            return Ok(true);
        }
        if circle.is_beyond(largest) {
            return Ok(false);
        }
        circle = circle.next();
    }
}

/// The first circle: how far a number goes alone, and together with others. Each next one is twice
/// as wide for two numbers, which is four times as much work, and four times as far for one.
const FIRST_ALONE: u64 = 16;
const FIRST_RADIUS: i128 = 2;

/// Finding the factors of a product takes as many divisions as its root.
const LARGEST_PRODUCT: u64 = 1 << 26;

/// How far numbers are moved, without what was tried in smaller circles.
struct Circle {
    alone: Range<u64>,
    radius: Range<i128>,
}

impl Circle {
    fn next(&self) -> Circle {
        Circle { alone: self.alone.end..self.alone.end * 4, radius: self.radius.end..self.radius.end * 2 }
    }

    fn is_beyond(&self, largest: u64) -> bool {
        self.radius.end > i128::from(largest) && self.alone.end > largest
    }
}

/// How a number is looked at: as its index, or as the integer of that index, of which the lowest
/// bit is the sign.
#[derive(Clone, Copy)]
struct View {
    value: fn(u64) -> i128,
    index: fn(i128) -> Option<u128>,
}

const VIEWS: [View; 2] = [
    View { value: |index| i128::from(index), index: |value| u128::try_from(value).ok() },
    View { value: value_of, index: |value| Some(index_of(value)) },
];

struct Search<'t> {
    tree: &'t Tree,
    /// The numbers that cannot be raised alone.
    exact: &'t [usize],
    /// All that may move along.
    others: &'t [usize],
}

impl Search<'_> {
    /// Whether something in this circle helped.
    fn go_round(&self, door: &mut Door<'_>, circle: &Circle) -> Result<bool, Over> {
        // A step of an integer is two of its index, so integers are looked at only where the way
        // leads over 0: half as far.
        let Range { start, end } = circle.radius;
        for (view, radius) in VIEWS.into_iter().zip([start..end, start / 2..end / 2]) {
            if self.moves_two(door, view, &radius)? || self.moves_three(door, view, &radius)? {
                return Ok(true);
            }
        }
        Ok(self.moves_one(door, &circle.alone)?
            || circle.alone.start == 0 && self.trades_factors(door)?
            || self.moves_with_zero(door, &circle.alone)?
            || self.flips_bits(door, &circle.alone)?)
    }

    /// From 0 up, and from the number down.
    fn moves_one(&self, door: &mut Door<'_>, distances: &Range<u64>) -> Result<bool, Over> {
        for at in self.exact {
            for step in distances.clone().take_while(|step| *step < self.tree.index(*at)) {
                if step > 0 && self.slides(door, VIEWS[0], &[(*at, i128::from(step))])? {
                    // An integer may have come to the other side of 0. From there, the same step is
                    // one more or one less of its index.
                    for step in [step + 1, step - 1] {
                        go_on(door, VIEWS[0], &[(*at, i128::from(step))], 1)?;
                    }
                    return Ok(true);
                }
                if self.tries(door, &[(*at, step)])? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// A number is 0 after all, with another partner.
    ///
    /// `(1 17)` → `(0 5)`
    fn moves_with_zero(&self, door: &mut Door<'_>, indices: &Range<u64>) -> Result<bool, Over> {
        for (first, second) in self.partners() {
            for index in indices.clone().take_while(|index| *index <= self.tree.entry(second).bound()) {
                if self.tries(door, &[(first, 0), (second, index)])? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Bits change in two numbers: flags move, or go from both.
    ///
    /// `(12 89)` → `(0 85)`
    fn flips_bits(&self, door: &mut Door<'_>, masks: &Range<u64>) -> Result<bool, Over> {
        for (first, second) in self.partners() {
            let (left, right) = (self.tree.index(first), self.tree.index(second));
            let whole = [left, right].into_iter().filter(|_| masks.start == 0);
            for mask in whole.chain(masks.clone()) {
                if self.tries(door, &[(first, left ^ mask), (second, right ^ mask)])? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Two numbers become two others with the same product, those with the least sum first. The
    /// simplest number of a range is 0 or, often enough, 1.
    ///
    /// `(3 160)` → `(20 24)`
    fn trades_factors(&self, door: &mut Door<'_>) -> Result<bool, Over> {
        for (first, second) in self.partners() {
            for simplest in [0, 1] {
                let [left, right] = [first, second].map(|at| self.tree.index(at).saturating_add(simplest));
                let Some(product) = left.checked_mul(right).filter(|product| *product < LARGEST_PRODUCT) else {
                    continue;
                };
                let root = product.isqrt();
                for factor in (1..=root).rev().filter(|factor| product.is_multiple_of(*factor)) {
                    let (few, many) = (factor - simplest, product / factor - simplest);
                    if self.tries(door, &[(first, few), (second, many)])?
                        || self.tries(door, &[(first, many), (second, few)])?
                    {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    fn moves_two(&self, door: &mut Door<'_>, view: View, radius: &Range<i128>) -> Result<bool, Over> {
        for (first, second) in self.partners() {
            for (p, q) in steps(radius) {
                if self.slides(door, view, &[(first, p), (second, q)])? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Three numbers have so many directions that they go half as far.
    fn moves_three(&self, door: &mut Door<'_>, view: View, radius: &Range<i128>) -> Result<bool, Over> {
        let radius = radius.start / 2..radius.end / 2;
        for (first, second) in self.partners() {
            for third in self.others.iter().filter(|third| **third > second && **third != first) {
                for (p, q) in steps(&(0..radius.end)) {
                    let is_inside = p <= radius.start && q.abs() <= radius.start;
                    for r in (-radius.end..=radius.end).filter(|r| *r != 0 && (!is_inside || r.abs() > radius.start)) {
                        if self.slides(door, view, &[(first, p), (second, q), (*third, r)])? {
                            return Ok(true);
                        }
                    }
                }
            }
        }
        Ok(false)
    }

    /// A number that is exact, and another one.
    fn partners(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let others = |first: usize| self.others.iter().filter(move |second| **second != first);
        self.exact.iter().flat_map(move |first| others(*first).map(move |second| (*first, *second)))
    }

    /// Whether a step against the direction helped, or as many steps as make one of the numbers 0;
    /// then it is taken as often as it helps.
    fn slides(&self, door: &mut Door<'_>, view: View, direction: &[(usize, i128)]) -> Result<bool, Over> {
        let value = |at: usize| (view.value)(self.tree.index(at));
        let to_zero = direction.iter().filter(|(at, step)| value(*at) % step == 0).map(|(at, step)| value(*at) / step);
        for times in once(1).chain(to_zero.filter(|times| *times > 1)) {
            let Some(moved) = moved(self.tree, view, direction, times) else {
                door.rejected()?;
                continue;
            };
            if self.tries(door, &moved)? {
                go_on(door, view, direction, times)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn tries(&self, door: &mut Door<'_>, moved: &[(usize, u64)]) -> Result<bool, Over> {
        // What is not simpler by itself costs not even a replay.
        let measure = |index: &dyn Fn(&(usize, u64)) -> u64| {
            let indices = || moved.iter().map(index);
            (indices().filter(|index| *index > 0).count(), indices().map(u128::from).sum::<u128>())
        };
        if measure(&|(_, index)| *index) > measure(&|(at, _)| self.tree.index(*at)) {
            return door.rejected();
        }
        door.consider(self.tree.with(moved.iter().copied()))
    }
}

/// The directions of two numbers in a circle: the first is lowered.
fn steps(radius: &Range<i128>) -> impl Iterator<Item = (i128, i128)> + use<> {
    let Range { start, end } = *radius;
    let all = (1..=end).flat_map(move |p| (-end..=end).map(move |q| (p, q)));
    all.filter(move |(p, q)| *q != 0 && (*p > start || q.abs() > start))
}

/// The numbers after so many steps against a direction, unless one of them is out of its range
/// then.
fn moved(tree: &Tree, view: View, direction: &[(usize, i128)], times: i128) -> Option<Vec<(usize, u64)>> {
    let index = |(at, step): &(usize, i128)| {
        let value = (view.value)(tree.index(*at)).checked_sub(step.checked_mul(times)?)?;
        let index = u64::try_from((view.index)(value)?).ok()?;
        (index <= tree.entry(*at).bound()).then_some((*at, index))
    };
    direction.iter().map(index).collect()
}

/// Goes on by steps that helped once, more at a time as long as that helps.
fn go_on(door: &mut Door<'_>, view: View, direction: &[(usize, i128)], mut times: i128) -> Result<(), Over> {
    while times > 0 {
        let tree = door.best();
        let is_there = direction.iter().all(|(at, _)| tree.numbers.binary_search(at).is_ok());
        let moved = if is_there { moved(&tree, view, direction, times) } else { None };
        let helped = match moved {
            Some(moved) => door.consider(tree.with(moved))?,
            None => false,
        };
        times = if helped { times.saturating_mul(4) } else { times / 4 };
    }
    Ok(())
}
