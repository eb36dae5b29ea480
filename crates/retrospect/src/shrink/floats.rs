//! Passes that know how floats are numbered: a search by halves comes down from above, and stops at
//! the first gap.
//!
//! The indices of floats have such gaps. First come the whole numbers, then those with one bit
//! after the point, with two, and so on, each in a row as long as the other; what is too large for
//! bits after the point comes last. So a float is a whole number over a power of two, and the power
//! counts most.

use super::door::{Door, Over};
use super::pairs::{index_of as index_of_integer, value_of};
use super::search::lower;
use super::tree::Tree;

/// How the floats of a type are numbered.
#[derive(Clone, Copy, PartialEq)]
struct Layout {
    digits: u32,
    most_places: u32,
}

impl Layout {
    /// The layout of a type that has all its floats, as its numbers are bounded.
    fn of(bound: u64) -> Option<Layout> {
        match bound {
            u64::MAX => Some(Layout { digits: 53, most_places: 1074 }),
            0xFFFF_0000..=0xFFFF_FFFF => Some(Layout { digits: 24, most_places: 149 }),
            _ => None,
        }
    }

    /// 0, as many numbers above it as below, and -0.0; then rows of odd numbers that are divided by
    /// 2, 4, 8, …, positive and negative in turn.
    fn fractions(self) -> u64 {
        (1 << (self.digits + 1)) + 2
    }

    fn float(self, index: u64) -> Option<Dyadic> {
        let Some(beyond) = index.checked_sub(self.fractions()) else {
            return (index + 1 < self.fractions()).then(|| Dyadic { over: value_of(index), places: 0 });
        };
        let places = (beyond >> self.digits) as u32 + 1;
        let place = beyond & ((1 << self.digits) - 1);
        let over = i128::from(2 * (place >> 1) + 1);
        (places <= self.most_places).then_some(Dyadic { over: if place & 1 == 1 { -over } else { over }, places })
    }

    fn index(self, float: Dyadic) -> Option<u64> {
        let Dyadic { mut over, mut places } = float;
        let twos = if over == 0 { places } else { over.trailing_zeros().min(places) };
        (over, places) = (over >> twos, places - twos);
        if over.unsigned_abs() > 1 << self.digits || places > self.most_places {
            return None;
        }
        if places == 0 {
            return u64::try_from(index_of_integer(over)).ok();
        }
        let place = (over.unsigned_abs() as u64 / 2 * 2) | u64::from(over < 0);
        Some(self.fractions() + (u64::from(places - 1) << self.digits) + place)
    }
}

/// A whole number over a power of two.
#[derive(Clone, Copy)]
struct Dyadic {
    over: i128,
    places: u32,
}

impl Dyadic {
    fn is_whole(self) -> bool {
        self.places == 0
    }

    /// Its two neighbours with so many places, the one nearer to 0 first.
    fn rounded(self, places: u32) -> [Dyadic; 2] {
        let least = self.over.unsigned_abs().checked_shr(self.places - places).unwrap_or(0) as i128;
        // With this many places and no fewer: odd.
        let least = if places > 0 && least & 1 == 0 { least - 1 } else { least };
        let step = if places > 0 { 2 } else { 1 };
        [least, least + step].map(|over| Dyadic { over: over * self.over.signum(), places })
    }

    /// This and another one, which counts so many times; nothing if there is no room for it.
    fn plus(self, other: Dyadic, times: i128) -> Option<Dyadic> {
        let places = self.places.max(other.places);
        let over = |float: Dyadic| float.over.checked_mul(1i128.checked_shl(places - float.places)?);
        if places > MAX_SHIFTED {
            return None;
        }
        Some(Dyadic { over: over(self)?.checked_add(over(other)?.checked_mul(times)?)?, places })
    }
}

/// How many places two floats that are added may differ by.
const MAX_SHIFTED: u32 = 60;

/// A float is rounded: to a whole number, or to as few bits after the point as will do. What has
/// none is too large for them, and is looked for from below, by doubling; so are the first floats
/// of a range.
///
/// `(9691746398101307394)`, which is 9007199254740994.0, → `(15)`, which is 8.0, where `x >= 1.5`
/// fails
pub(super) fn round(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    while let Some((tree, at)) = door.next_place(&mut next, |tree| &tree.raised) {
        round_one(door, &tree, at)?;
    }
    Ok(())
}

fn round_one(door: &mut Door<'_>, tree: &Tree, at: usize) -> Result<(), Over> {
    let (index, bound) = (tree.index(at), tree.entry(at).bound());
    let mut tries = |index: u64| door.consider(tree.with([(at, index)]));
    // Half the index of a number in a range, or of an integer, is the same number with one bit
    // less.
    let halved = || [48, 32, 16, 8, 4, 2, 1].map(|by| (((index >> 1) >> by) << 1) | (index & 1));
    let layout = Layout::of(bound);
    let float = layout.and_then(|layout| layout.float(index)).filter(|float| !float.is_whole());
    let (Some(layout), Some(float)) = (layout, float) else {
        // A float of a range, one that is too large for bits after the point, or an integer.
        let few = (1..FIRST_FEW).filter(|_| index >= MANY);
        let far = layout.filter(|layout| layout.float(index).is_none()).into_iter().flat_map(doubled);
        let halved = halved().into_iter().filter(|_| layout.is_some() && index >> 32 > 0);
        for index in few.chain(far).chain(halved) {
            if tries(index)? {
                break;
            }
        }
        return Ok(());
    };
    let mut tries_places = |places: u32| {
        for float in float.rounded(places) {
            if let Some(index) = layout.index(float)
                && tries(index)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    };
    let few = float.places.min(FEW_PLACES);
    for places in 0..few {
        if tries_places(places)? {
            return Ok(());
        }
    }
    // What fails with so many places does so with more.
    let (mut passes, mut fails) = (few, float.places);
    while fails > passes {
        let places = passes + (fails - passes) / 2;
        if tries_places(places)? {
            fails = places;
        } else {
            passes = places + 1;
        }
    }
    Ok(())
}

/// From below, by doubling: whole numbers, then halves.
fn doubled(layout: Layout) -> impl Iterator<Item = u64> {
    let wholes = (1..=layout.digits).step_by(3).flat_map(|bits| [(1 << bits) - 1, 1 << bits]);
    let halves = (1..layout.digits).step_by(9).flat_map(|bits| [(1 << bits) - 2, (1 << bits) - 1]);
    wholes.chain(halves.map(move |place| layout.fractions() + place))
}

/// How many places are tried one by one.
const FEW_PLACES: u32 = 5;
/// A number far up in a range may be a float with many bits; the first few have few.
const MANY: u64 = 1 << 29;
const FIRST_FEW: u64 = 8;

/// Of two floats one becomes a whole number, and as small as can be, while the other one moves
/// along: their difference stays, or their sum.
///
/// `(430.140625 430.1396484375)` → `(0.0 -0.0009765625)`
pub(super) fn together(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let floats: Vec<(usize, Layout)> =
        tree.numbers.iter().filter_map(|at| Some((*at, Layout::of(tree.entry(*at).bound())?))).collect();
    if floats.len() > MAX_TOGETHER {
        door.cut_short();
        return Ok(());
    }
    for (first, layout) in &floats {
        for (second, _) in floats.iter().filter(|(second, other)| second != first && other == layout) {
            let (Some(left), Some(right)) = (layout.float(tree.index(*first)), layout.float(tree.index(*second)))
            else {
                continue;
            };
            if left.is_whole() && right.is_whole() {
                // These are the business of passes that know nothing of floats.
                continue;
            }
            for times in [1, -1] {
                let follow = |to: Dyadic| {
                    let by = to.plus(left, -1)?;
                    Some([(*first, layout.index(to)?), (*second, layout.index(right.plus(by, times)?)?)])
                };
                let wholes = if left.is_whole() { [left, left] } else { left.rounded(0) };
                for whole in wholes {
                    if !left.is_whole() && !follow(whole).map_or(Ok(false), |both| door.consider(tree.with(both)))? {
                        continue;
                    }
                    let before = door.version();
                    let from = layout.index(whole).unwrap_or(0);
                    let candidate = |index: u64| {
                        let both = layout.float(index).and_then(follow);
                        tree.with(both.into_iter().flatten())
                    };
                    lower(door, from, 0, candidate)?;
                    if !left.is_whole() || door.version() != before {
                        return Ok(());
                    }
                }
            }
        }
    }
    Ok(())
}

/// How many floats are taken two by two.
const MAX_TOGETHER: usize = 8;
