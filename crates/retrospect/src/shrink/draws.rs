//! Passes for what a body draws, one after the other and with no list around it.
//!
//! Only a run tells what a body draws, so a draw that goes may change what all later ones mean.
//! What one turn of a loop drew is guessed: it begins at a draw of one sort (a range, a generator)
//! and ends before the next of the same sort. A guess that fits is known by what the run records:
//! exactly the candidate.

use super::door::{Door, Over};
use super::order::compare_nodes;
use super::search::{longest, lower};
use super::tree::Tree;
use crate::choice::{Choices, Entry, Kind, Splice};
use std::cmp::Ordering;
use std::ops::Range;

/// Turns of a loop go that ends by what it draws: as many neighbours at once as can be, from the
/// end.
///
/// `1 5 1 900 1 7 0` → `1 900 0`
pub(super) fn delete_turns(door: &mut Door<'_>) -> Result<(), Over> {
    if !door.draws_in_body() {
        return Ok(());
    }
    let mut turned: Vec<Sort> = Vec::new();
    for sort in sorts(door) {
        if turned.contains(&sort) || !delete_some(door, MAX_MISFITS, |tree| Turns::of(tree, 0, sort))? {
            continue;
        }
        // A turn that holds one draw of another sort could as well begin there.
        let count = |sort: Sort| roots_of(door, sort);
        let (all, tree) = (count(sort), door.best());
        let others = tree.choices.roots().map(|at| sort_of(tree.entry(at)));
        turned.extend(others.filter(|other| (all - 1..=all).contains(&count(*other))));
    }
    Ok(())
}

/// How many draws of a sort there are.
fn roots_of(door: &Door<'_>, sort: Sort) -> usize {
    let tree = door.best();
    tree.choices.roots().filter(|at| sort_of(tree.entry(*at)) == sort).count()
}

/// Single draws go, where no turns are known by how they begin.
///
/// `5 1 20 1 3` → `5 20 1 3`
pub(super) fn delete_draws(door: &mut Door<'_>) -> Result<(), Over> {
    if door.draws_in_body() {
        delete_some(door, usize::MAX, |tree| Turns::of_size(tree, 0, 1))?;
    }
    Ok(())
}

/// How many turns in a row may stay, if none fits, before they are taken for no turns of a loop.
const MAX_MISFITS: usize = 3;

/// Whether a run has drawn what was left, and no more: then these are the turns of a loop.
fn delete_some(door: &mut Door<'_>, max_misfits: usize, turns: impl Fn(&Tree) -> Turns) -> Result<bool, Over> {
    let tree = door.best();
    let all = turns(&tree);
    let mut kept = 2;
    while kept * 2 < all.count() {
        if door.consider(all.without(&tree.choices, kept, all.count()))? {
            break;
        }
        kept *= 4;
    }
    let (mut end, mut fits, mut misfits) = (usize::MAX, false, 0);
    loop {
        let tree = door.best();
        let turns = turns(&tree);
        end = end.min(turns.count());
        if end == 0 || misfits == max_misfits {
            return Ok(fits);
        }
        let length = longest(end, |length| {
            let candidate = turns.without(&tree.choices, end - length, end);
            let is_better = door.consider(candidate.clone())?;
            fits = fits || door.fits(&candidate);
            Ok(is_better)
        })?;
        misfits = if fits || length > 0 { 0 } else { misfits + 1 };
        end -= length.max(1);
    }
}

/// A few draws go that follow each other, alone or with as many turns of a number before them as
/// may have been theirs: turns of which nothing tells where they begin.
///
/// `5 20 1 0 0 2 3` → `3 20 1 3`
pub(super) fn delete_some_draws(door: &mut Door<'_>) -> Result<(), Over> {
    if !door.draws_in_body() {
        return Ok(());
    }
    let tree = door.best();
    for length in 2..=MAX_DRAWS {
        let turns = Turns::of_size(&tree, 0, 1);
        for first in (0..turns.count().saturating_sub(length - 1)).rev() {
            let mut tries = vec![turns.without(&tree.choices, first, first + length)];
            for count in counts(&tree).into_iter().filter(|count| *count < turns.starts[first]) {
                for fewer in 1..=tree.index(count).min(length as u64) {
                    let lowered = tree.with([(count, tree.index(count) - fewer)]);
                    tries.push(turns.without(&lowered, first, first + length));
                }
            }
            for candidate in tries {
                if door.consider(candidate)? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// How many draws may be a turn of which nothing tells where it begins.
const MAX_DRAWS: usize = 4;

/// Turns of a loop go, and the number that was drawn before them becomes less by as many.
///
/// `3 5 900 7` → `1 900`
pub(super) fn delete_counted(door: &mut Door<'_>) -> Result<(), Over> {
    if !door.draws_in_body() {
        return Ok(());
    }
    let mut next = 0;
    loop {
        let tree = door.best();
        let Some(count) = counts(&tree).into_iter().find(|count| *count >= next) else { return Ok(()) };
        next = count + 1;
        let (index, drawn) = (tree.index(count), tree.choices.roots().count());
        // A body that ends early has drawn less than the number says.
        let is_better = door.consider(tree.with([(count, index - 1)]))?;
        let left = if is_better { Some(door.best().choices.roots().count()) } else { door.last_recorded() };
        if is_better {
            lower(door, index - 1, 0, |index| tree.with([(count, index)]))?;
        }
        let size = drawn.saturating_sub(left.unwrap_or(0));
        if size == 0 {
            // With one less, as much is drawn.
            continue;
        }
        for guess in [Guess::First, Guess::FromStart(size), Guess::FromEnd(size)] {
            if delete_turns_of(door, count, guess)? {
                break;
            }
        }
    }
}

/// The numbers that may say how many turns follow: no more than there are draws after them.
fn counts(tree: &Tree) -> Vec<usize> {
    let roots: Vec<usize> = tree.choices.roots().collect();
    let is_count = |(place, at): &(usize, &usize)| {
        tree.raised.binary_search(at).is_ok() && tree.index(**at) <= (roots.len() - 1 - place) as u64
    };
    roots.iter().enumerate().filter(is_count).map(|(_, at)| *at).collect()
}

/// What the turns are that a number counts.
#[derive(Clone, Copy)]
enum Guess {
    /// They begin with a draw like the one after the number.
    First,
    /// So many draws each, from the number on.
    FromStart(usize),
    /// So many draws each, up to the end.
    FromEnd(usize),
}

/// Whether the number says how many turns of this sort follow; those that can go are gone then.
fn delete_turns_of(door: &mut Door<'_>, count: usize, guess: Guess) -> Result<bool, Over> {
    let turns_of = |tree: &Tree| -> Option<(u64, Turns)> {
        let first = count + 1;
        if tree.raised.binary_search(&count).is_err() || first >= tree.choices.len() {
            return None;
        }
        let index = tree.index(count);
        // The number may be one less than there are turns, where there is at least one.
        let most = usize::try_from(index).unwrap_or(usize::MAX).saturating_add(2);
        let mut turns = match guess {
            Guess::First => Turns::of(tree, first, sort_of(tree.entry(first))),
            Guess::FromStart(size) => Turns::of_size(tree, first, size),
            Guess::FromEnd(size) => {
                let mut turns = Turns::of_size(tree, first, 1);
                let before = turns.count().checked_sub(size.saturating_mul(most - 2))?;
                turns.starts = turns.starts.into_iter().skip(before).step_by(size).collect();
                turns
            }
        };
        turns.starts.truncate(most);
        Some((index, turns))
    };
    let mut end = usize::MAX;
    let mut fits = false;
    while let Some((index, turns)) = turns_of(&door.best()) {
        let tree = door.best();
        let without = |from: usize, to: usize| {
            let fewer = tree.with([(count, index.saturating_sub((to - from) as u64))]);
            turns.without(&fewer, from, to)
        };
        end = end.min(turns.count());
        if end == 0 {
            break;
        }
        if !fits {
            let first = without(0, 1);
            if door.consider(first.clone())? {
                fits = true;
                continue;
            }
            if !door.fits(&first) {
                return Ok(false);
            }
            fits = true;
        }
        let most = end.min(usize::try_from(index).unwrap_or(usize::MAX));
        let length = longest(most, |length| door.consider(without(end - length, end)))?;
        end -= length.max(1);
    }
    Ok(fits)
}

/// Turns of a loop are put in order, neighbours one after the other.
///
/// `1 7 1 3 0` → `1 3 1 7 0`
pub(super) fn sort_turns(door: &mut Door<'_>) -> Result<(), Over> {
    if !door.draws_in_body() {
        return Ok(());
    }
    for sort in sorts(door) {
        let mut first = 0;
        loop {
            let tree = door.best();
            let turns = Turns::of(&tree, 0, sort);
            // The last turn may hold what comes after the loop.
            if first + 2 >= turns.starts.len() {
                break;
            }
            let (left, right) = (turns.span(first, first + 1), turns.span(first + 1, first + 2));
            let entries = tree.choices.entries();
            let (before, after) = (&entries[left.clone()], &entries[right.clone()]);
            if compare_nodes(before, after) == Ordering::Greater {
                let splice = Splice { place: left.start..right.end, by: [after, before].concat() };
                if door.consider(tree.choices.spliced(&[splice]))? {
                    first = first.saturating_sub(1);
                    continue;
                }
            }
            first += 1;
        }
    }
    Ok(())
}

/// The sorts of draws of which there are several, in order.
fn sorts(door: &mut Door<'_>) -> Vec<Sort> {
    let tree = door.best();
    let all: Vec<Sort> = tree.choices.roots().map(|at| sort_of(tree.entry(at))).collect();
    let mut sorts: Vec<Sort> = Vec::new();
    for sort in &all {
        if !sorts.contains(sort) && all.iter().filter(|other| *other == sort).count() > 1 {
            if sorts.len() == MAX_SORTS {
                door.cut_short();
                break;
            }
            sorts.push(*sort);
        }
    }
    sorts
}

/// How many sorts of draws are tried as the first one of a turn.
const MAX_SORTS: usize = 6;

/// What is known of a draw before it is made: the range of a number, the site of a pick or a call.
type Sort = (Kind, u64);

fn sort_of(entry: Entry) -> Sort {
    let known = match entry.kind() {
        Kind::Number => entry.bound(),
        Kind::Pick | Kind::Call => u64::from(entry.name_id()),
        Kind::Repeat | Kind::Part => 0,
    };
    (entry.kind(), known)
}

/// Draws in groups that follow each other.
struct Turns {
    /// Where each begins, and where the last one ends.
    starts: Vec<usize>,
}

impl Turns {
    /// Those that begin with a draw of this sort, from the place `from` on.
    fn of(tree: &Tree, from: usize, sort: Sort) -> Turns {
        let is_start = |at: &usize| *at >= from && sort_of(tree.entry(*at)) == sort;
        Turns { starts: tree.choices.roots().filter(is_start).chain([tree.choices.len()]).collect() }
    }

    /// So many draws each, from the place `from` on; what is left over belongs to none.
    fn of_size(tree: &Tree, from: usize, size: usize) -> Turns {
        let draws = tree.choices.roots().filter(|at| *at >= from).chain([tree.choices.len()]);
        Turns { starts: draws.step_by(size).collect() }
    }

    fn count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn span(&self, from: usize, to: usize) -> Range<usize> {
        self.starts[from]..self.starts[to]
    }

    fn without(&self, choices: &Choices, from: usize, to: usize) -> Choices {
        choices.spliced(&[Splice::delete(self.span(from, to))])
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Replayed, Shrinker, Trial, Tried};
    use crate::choice::Choices;
    use crate::generator::part;
    use crate::source::{Replay, Source};
    use std::ops::RangeInclusive;

    /// A body that draws numbers, and returns whether it holds.
    struct Body(fn(&mut dyn FnMut(RangeInclusive<u32>) -> u32) -> bool, Option<Choices>);

    impl Trial for Body {
        fn replay(&mut self, _: &Choices) -> Replayed {
            Replayed::Unknown
        }

        fn run(&mut self, candidate: &Choices) -> Tried {
            let mut replay = Replay::lenient(candidate);
            let mut source = Source::asking(&mut replay);
            let holds = (self.0)(&mut |range| part(&range, &mut source).unwrap());
            let made = source.into_choices();
            self.1 = Some(made.clone());
            if holds { Tried::Passes } else { Tried::Fails(made) }
        }

        fn recorded(&mut self) -> Option<Choices> {
            self.1.take()
        }
    }

    #[track_caller]
    fn assert_shrinks(body: fn(&mut dyn FnMut(RangeInclusive<u32>) -> u32) -> bool, from: &str, to: &str, pass: &str) {
        let mut body = Body(body, None);
        // A run notes the ranges, which the text does not have.
        let Tried::Fails(from) = body.run(&from.parse().unwrap()) else { panic!("{from} holds") };
        let shrunk = Shrinker::new().shrink_by(&from, &mut body, &mut || true);
        assert_eq!(shrunk.choices.to_string(), to);
        assert!(shrunk.steps.iter().any(|step| step.pass == pass), "{:?}", shrunk.steps);
    }

    #[test]
    fn turns_of_a_loop_go() {
        let body = |draw: &mut dyn FnMut(RangeInclusive<u32>) -> u32| {
            let mut large = 0;
            while draw(0..=9) > 0 {
                large += u32::from(draw(0..=1000) > 100);
            }
            large < 2
        };
        assert_shrinks(body, "3 5 1 900 2 7 1 300 4 8 0", "1 101 1 101 0", "delete turns");
    }

    #[test]
    fn turns_go_with_the_number_that_counts_them() {
        // The rows that a number in the middle counts.
        let body = |draw: &mut dyn FnMut(RangeInclusive<u32>) -> u32| {
            let rows = draw(0..=10);
            let mut full = 0;
            for _ in 0..rows {
                let cells = draw(0..=10);
                let large = (0..cells).filter(|_| draw(0..=100) > 50).count();
                full += u32::from(large >= 2);
            }
            full < 2
        };
        assert_shrinks(body, "3 4 0 70 0 80 1 9 5 0 60 0 60 0", "2 2 51 51 2 51 51", "delete counted");
    }

    #[test]
    fn turns_are_told_by_how_many_draws_go_with_the_number() {
        // Transfers, of which nothing tells where they begin, after another number.
        let body = |draw: &mut dyn FnMut(RangeInclusive<u32>) -> u32| {
            let transfers = draw(0..=30);
            draw(0..=9);
            let mut overdrawn = 0;
            for _ in 0..transfers {
                let (from, to) = (draw(0..=1), draw(0..=1));
                overdrawn += u32::from(draw(0..=200) > 100 && from != to);
            }
            overdrawn < 1
        };
        assert_shrinks(body, "3 7 0 0 0 0 1 150 0 0 0", "1 0 0 1 101", "delete counted");
    }

    #[test]
    fn a_few_draws_go_with_fewer_turns() {
        // A stack: a number is pushed, the top is doubled, or the first two are added or
        // multiplied.
        let body = |draw: &mut dyn FnMut(RangeInclusive<u32>) -> u32| {
            let mut stack: Vec<u32> = Vec::new();
            for _ in 0..draw(0..=30) {
                let most = [0, 1, 3][stack.len().min(2)];
                let operation = if most == 0 { 0 } else { draw(0..=most) };
                let result = match operation {
                    0 => draw(0..=20),
                    1 => stack[stack.len() - 1],
                    _ => {
                        let (right, left) = (stack.pop().unwrap(), stack.pop().unwrap());
                        if operation == 2 { left + right } else { left * right }
                    }
                };
                if result >= 400 {
                    return false;
                }
                stack.push(result);
            }
            true
        };
        assert_shrinks(body, "5 20 1 0 0 2 3", "3 20 1 3", "delete some draws");
    }

    #[test]
    fn turns_are_put_in_order() {
        let body = |draw: &mut dyn FnMut(RangeInclusive<u32>) -> u32| {
            let mut sum = [0, 0];
            while draw(0..=9) > 0 {
                let which = draw(0..=1);
                sum[which as usize] += draw(0..=100);
            }
            sum[0] < 5 || sum[1] < 7
        };
        assert_shrinks(body, "1 1 7 1 0 5 0", "1 0 5 1 1 7 0", "sort turns");
    }
}
