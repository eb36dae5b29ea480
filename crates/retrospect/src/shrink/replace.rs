//! Passes that replace several parts at once, where one after the other does not fail.

use super::door::{Door, Made, Over};
use super::order::is_simpler;
use super::tree::Tree;
use crate::choice::{Choices, Entry, Kind, Splice};
use std::ops::Range;

/// Everywhere one arm is taken, an earlier one is: with the bodies there are or with the simplest
/// ones.
///
/// `1:and(0 1:and(0 0))` → `0:add(0 0:add(0 0))`
pub(super) fn alike(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let groups = groups(&tree);
    for (group, arm) in changes(&tree, &groups).into_iter().filter(|(group, _)| groups[*group].len() > 1) {
        for keeps_bodies in [true, false] {
            if door.consider(with_arms(&tree, &groups, &[(group, arm)], keeps_bodies))? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The same with two arms at the same time.
///
/// `3:concat(1:text 3:concat(1:text 1:text))` → `2:add(0:number 2:add(0:number 0:number))`
pub(super) fn two_alike(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let groups = groups(&tree);
    let changes = changes(&tree, &groups);
    let mut tries = 0;
    for (first, one) in changes.iter().enumerate() {
        for other in changes[first + 1..].iter().filter(|other| other.0 != one.0) {
            if tries == MAX_TRIES {
                door.cut_short();
                return Ok(());
            }
            tries += 1;
            if door.consider(with_arms(&tree, &groups, &[*one, *other], true))? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Each group of picks with each earlier arm.
fn changes(tree: &Tree, groups: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let mut changes = Vec::new();
    for (group, places) in groups.iter().enumerate() {
        changes.extend((0..tree.entry(places[0]).arm()).take(MAX_ARMS).map(|arm| (group, arm)));
    }
    changes
}

/// The picks that take the same arm at the same site, if that is not the first.
fn groups(tree: &Tree) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for at in tree.picks.iter().copied().filter(|at| tree.entry(*at).arm() > 0) {
        let here = tree.entry(at);
        let is_alike = |group: &Vec<usize>| {
            let entry = tree.entry(group[0]);
            entry.name_id() == here.name_id() && entry.arm() == here.arm()
        };
        match groups.iter().position(is_alike) {
            Some(group) => groups[group].push(at),
            None if groups.len() == MAX_GROUPS => break,
            None => groups.push(vec![at]),
        }
    }
    groups
}

fn with_arms(tree: &Tree, groups: &[Vec<usize>], changes: &[(usize, usize)], keeps_bodies: bool) -> Choices {
    let mut changed = tree.choices.clone();
    // From the end, so that places before it stay where they are.
    let mut places: Vec<(usize, usize)> =
        changes.iter().flat_map(|(group, arm)| groups[*group].iter().map(|at| (*at, *arm))).collect();
    places.sort_unstable();
    for (at, arm) in places.into_iter().rev() {
        changed = changed.with_arm(at, arm, keeps_bodies);
    }
    changed
}

/// How many sites and arms are looked at, and how many other arms for each.
const MAX_GROUPS: usize = 8;
const MAX_ARMS: usize = 8;

/// How many candidates there are that change two things at the same time.
const MAX_TRIES: usize = 200;

/// A few neighbours of a list become one item: any arm, with the simplest body, with the body of
/// one of them, or with numbers that are as large as they can be, to be lowered again.
///
/// `[1:close 0:open 3:send]` → `[2:reset 3:send]`, `[0:push 0:push 0:push]` → `[1:push_many(4)]`
pub(super) fn neighbours(door: &mut Door<'_>) -> Result<(), Over> {
    let mut next = 0;
    let most_runs = 2 * door.runs + RUNS_ALWAYS;
    while let Some((tree, at)) = door.next_place(&mut next, |tree| &tree.repeats) {
        let items = tree.children(at);
        for length in 2..=MAX_WINDOW.min(items.len()) {
            for window in items.windows(length) {
                let Some(pick) = pick_of(&tree, window[0]) else { continue };
                let place = window[0]..tree.choices.end_of(window[length - 1]);
                for arm in 0..tree.entry(pick).arms().min(MAX_ARMS) {
                    for body in bodies(&tree, window) {
                        if door.runs >= most_runs {
                            door.cut_short();
                            return Ok(());
                        }
                        let by = item_with_arm(&tree, window[0], pick, arm, body);
                        let candidate = tree.choices.spliced(&[Splice { place: place.clone(), by }]);
                        if door.consider(candidate.clone())? {
                            return Ok(());
                        }
                        let raised =
                            if body.is_empty() { raised_items(door, &candidate, window[0])? } else { Vec::new() };
                        for raised in raised {
                            if door.consider(raised)? {
                                return Ok(());
                            }
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

/// How many neighbours become one at most, and how many runs that is worth, besides as many as were
/// spent so far.
const MAX_WINDOW: usize = 4;
const RUNS_ALWAYS: u64 = 100;

/// The candidate with all numbers of an item as large as they can be or, if a filter refuses the
/// simplest item, a few that it may not refuse; nothing if there are no numbers.
fn raised_items(door: &mut Door<'_>, candidate: &Choices, item: usize) -> Result<Vec<Choices>, Over> {
    if door.draws_in_body() {
        return Ok(Vec::new());
    }
    let Some(Made { choices: made, is_refused }) = door.made(candidate)? else { return Ok(Vec::new()) };
    if item >= made.len() {
        return Ok(Vec::new());
    }
    let by = made.entries()[item..made.end_of(item)].to_vec();
    let place = item..candidate.end_of(item);
    let whole = candidate.spliced(&[Splice { place, by }]);
    let is_number = |at: &usize| whole.entries()[*at].kind() == Kind::Number;
    let numbers: Vec<usize> = (item..whole.end_of(item)).filter(is_number).collect();
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let raised = |index: u64| whole.with_numbers(numbers.iter().map(|at| (*at, index)));
    Ok(if is_refused { vec![raised(1), raised(2), raised(u64::MAX)] } else { vec![raised(u64::MAX)] })
}

/// Two numbers change places wherever they stand: names that could as well be others. Everywhere,
/// where they mean the same (at one place of an item), or in the first or the last items of a list.
///
/// `[(0 1) (1 0) (0 0) (1 1)]` → `[(0 0) (1 1) (0 1) (1 0)]`
pub(super) fn relabel(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    let most_runs = 2 * door.runs + RUNS_ALWAYS;
    for places in label_groups(&tree) {
        for candidate in exchanged(&tree, &places, &places) {
            if !is_simpler(&candidate, &tree.choices) {
                continue;
            }
            if door.runs >= most_runs {
                door.cut_short();
                return Ok(());
            }
            if door.consider(candidate)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The tree with each two of the labels that stand at some places exchanged at others.
fn exchanged(tree: &Tree, places: &[usize], labeled: &[usize]) -> Vec<Choices> {
    let mut labels: Vec<u64> = labeled.iter().map(|at| tree.index(*at)).collect();
    labels.sort_unstable();
    labels.dedup();
    labels.truncate(MAX_LABELS);
    let mut all = Vec::new();
    for (first, one) in labels.iter().enumerate() {
        for other in &labels[first + 1..] {
            let swapped = places.iter().filter_map(|at| match tree.index(*at) {
                index if index == *one => Some((*at, *other)),
                index if index == *other => Some((*at, *one)),
                _ => None,
            });
            all.push(tree.with(swapped));
        }
    }
    all
}

/// An item goes, and what was named otherwise because of it is named again. Either it changed how
/// many things there are to choose from, so numbers that choose one of them are one more or one
/// less from some thing on; or what was called one thing before it was called another thing after
/// it.
///
/// `[0:open(0) 0:open(1) 1:close(0) 2:write(0)]` → `[0:open(0) 0:open(1) 2:write(1)]`
pub(super) fn delete_and_rename(door: &mut Door<'_>) -> Result<(), Over> {
    let tree = door.best();
    for list in &tree.repeats {
        let items = tree.children(*list);
        for place in (0..items.len()).rev() {
            let gone = tree.span(items[place]);
            let deletion = [tree.deletion(&items, place, place + 1)];
            let without = tree.choices.spliced(&deletion);
            if let Some(made) = door.made(&without)?.map(|made| made.choices) {
                for renamed in rechosen(&tree, &gone, &without, &made) {
                    if door.consider(renamed)? {
                        return Ok(());
                    }
                }
            }
            for renamed in renamed_around(&tree, &gone) {
                if door.consider(renamed.spliced(&deletion))? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// The choices without a part, with numbers after it one more or one less, from some index on:
/// those whose bound is another one without that part, as `made` tells.
fn rechosen(tree: &Tree, gone: &Range<usize>, without: &Choices, made: &Choices) -> Vec<Choices> {
    let mut more: Vec<(usize, u64)> = Vec::new();
    let mut fewer: Vec<(usize, u64)> = Vec::new();
    for (at, entry) in made.entries().iter().enumerate().skip(gone.start).take(without.len() - gone.start) {
        let before = tree.entry(at + gone.len());
        if entry.kind() != before.kind() {
            break;
        }
        if entry.kind() == Kind::Number && entry.bound() != before.bound() {
            let numbers = if entry.bound() > before.bound() { &mut more } else { &mut fewer };
            numbers.push((at, before.index()));
        }
    }
    let mut all = Vec::new();
    for (numbers, is_more) in [(more, true), (fewer, false)] {
        let mut indices: Vec<u64> = numbers.iter().map(|(_, index)| *index).collect();
        indices.sort_unstable();
        indices.dedup();
        for least in indices.into_iter().filter(|least| is_more || *least > 0).take(MAX_LABELS) {
            let shifted = numbers.iter().filter(|(_, index)| *index >= least);
            all.push(
                without.with_numbers(shifted.map(|(at, index)| (*at, if is_more { index + 1 } else { index - 1 }))),
            );
        }
    }
    all
}

/// The tree with two labels exchanged, everywhere before or everywhere after a part.
fn renamed_around(tree: &Tree, gone: &Range<usize>) -> Vec<Choices> {
    let mut all = Vec::new();
    for bound in label_ranges(tree) {
        let labeled: Vec<usize> = tree.numbers.iter().copied().filter(|at| tree.entry(*at).bound() == bound).collect();
        let (before, others) = labeled.split_at(labeled.partition_point(|at| *at < gone.start));
        let after = &others[others.partition_point(|at| *at < gone.end)..];
        for places in [before, after] {
            all.extend(exchanged(tree, places, &labeled));
        }
    }
    all
}

/// How many numbers of a range are taken as labels, and how large the range may be.
const MAX_LABELS: usize = 8;
const MAX_BOUND: u64 = 255;

/// The bounds of the small ranges in which a number is not the simplest.
fn label_ranges(tree: &Tree) -> Vec<u64> {
    let mut ranges: Vec<u64> = Vec::new();
    for at in &tree.raised {
        let bound = tree.entry(*at).bound();
        if bound <= MAX_BOUND && !ranges.contains(&bound) {
            ranges.push(bound);
        }
    }
    ranges
}

/// Numbers of one range that may be labels of the same things.
fn label_groups(tree: &Tree) -> Vec<Vec<usize>> {
    let mut groups = Vec::new();
    for bound in label_ranges(tree) {
        let all: Vec<usize> = tree.numbers.iter().copied().filter(|at| tree.entry(*at).bound() == bound).collect();
        for list in &tree.repeats {
            let items = tree.children(*list);
            let mut roles: Vec<(usize, Option<usize>, Vec<usize>)> = Vec::new();
            for at in &all {
                // How far from the beginning of its item it stands, and which arm that takes.
                let Some(item) = items.iter().copied().find(|item| tree.span(*item).contains(at)) else { continue };
                let arm = pick_of(tree, item).map(|pick| tree.entry(pick).arm());
                match roles.iter_mut().find(|(offset, other, _)| *offset == at - item && *other == arm) {
                    Some((_, _, places)) => places.push(*at),
                    None => roles.push((at - item, arm, vec![*at])),
                }
            }
            groups.extend(roles.into_iter().map(|(_, _, places)| places));
            for item in items.iter().copied().skip(1).take(MAX_ITEMS) {
                let (before, after): (Vec<usize>, Vec<usize>) = all.iter().partition(|at| **at < item);
                groups.extend([before, after]);
            }
        }
        groups.insert(0, all);
    }
    groups
}

/// How many items of a list are taken as the first or the last of a part.
const MAX_ITEMS: usize = 16;

/// The pick that an item is, or that it begins with.
fn pick_of(tree: &Tree, item: usize) -> Option<usize> {
    let is_bracket = |at: &usize| matches!(tree.entry(*at).kind(), Kind::Call | Kind::Part);
    let first = tree.span(item).find(|at| !is_bracket(at))?;
    (tree.entry(first).kind() == Kind::Pick).then_some(first)
}

/// Nothing, and the bodies of items that have one.
fn bodies<'t>(tree: &'t Tree, items: &[usize]) -> Vec<&'t [Entry]> {
    let mut bodies: Vec<&[Entry]> = vec![&[]];
    for item in items {
        if let Some(pick) = pick_of(tree, *item).filter(|pick| tree.weight(*pick) > 1) {
            bodies.push(tree.inside(pick));
        }
    }
    bodies
}

/// The item with another arm at its pick and another body in it.
fn item_with_arm(tree: &Tree, item: usize, pick: usize, arm: usize, body: &[Entry]) -> Vec<Entry> {
    let mut by = vec![tree.entry(pick).with_arm(arm).holding(body.len())];
    by.extend_from_slice(body);
    let changed = tree.choices.spliced(&[Splice { place: tree.span(pick), by }]);
    changed.entries()[item..changed.end_of(item)].to_vec()
}

#[cfg(test)]
mod tests {
    use super::super::{Replayed, Shrinker, Trial, Tried};
    use crate::choice::Choices;
    use crate::prelude::*;

    /// Lists of a generator, with time to try more than is usual.
    struct Lists<G, F>(G, F);

    impl<G: Generator, F: Fn(&G::Value) -> bool> Trial for Lists<G, F> {
        fn replay(&mut self, candidate: &Choices) -> Replayed {
            self.0.try_replay(candidate).map_or(Replayed::Nothing, |(_, made)| Replayed::Made(made))
        }

        fn run(&mut self, candidate: &Choices) -> Tried {
            match self.0.try_replay(candidate) {
                Ok((value, made)) if (self.1)(&value) => Tried::Fails(made),
                _ => Tried::Passes,
            }
        }

        fn spare(&mut self, _: &Choices, _: u64) -> u64 {
            u64::MAX
        }
    }

    #[track_caller]
    fn assert_shrinks<V: std::fmt::Debug + PartialEq>(
        generator: impl Generator<Value = V>,
        fails: impl Fn(&V) -> bool,
        from: V,
        to: V,
        pass: &str,
    ) {
        let from = generator.choices_of(&from).unwrap();
        let mut lists = Lists(generator, fails);
        let shrunk = Shrinker::new().runs(1000).shrink_by(&from, &mut lists, &mut || true);
        assert_eq!(lists.0.replay(&shrunk.choices), to);
        assert!(shrunk.steps.iter().any(|step| step.pass == pass), "{:?}", shrunk.steps);
    }

    #[test]
    fn one_arm_is_left_everywhere() {
        let numbers = vec_of(one_of((exact(0), exact(1), exact(2))), 2);
        assert_shrinks(numbers, |list| list[0] == list[1] && list[0] > 0, vec![2, 2], vec![1, 1], "alike");
    }

    #[test]
    fn neighbours_become_one() {
        // A step of one, or of several.
        let steps = vec_of(one_of((exact(1), 2..=50)), ..=20);
        assert_shrinks(steps, |list| list.iter().sum::<i32>() >= 12, vec![1; 12], vec![12], "neighbours");
    }

    #[test]
    fn labels_change_places() {
        // Two tasks take two locks, each in its own order.
        let fails = |list: &Vec<(i32, i32)>| {
            let [(one, first), (other, second), ..] = list[..] else { return false };
            one != other && first != second && list[2..] == [(one, second), (other, first)]
        };
        let (from, to) = (vec![(0, 1), (1, 0), (0, 0), (1, 1)], vec![(0, 0), (1, 1), (0, 1), (1, 0)]);
        assert_shrinks(vec_of((0..=3, 0..=3), 4), fails, from, to, "relabel");
    }
}
