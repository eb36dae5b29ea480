//! Properties that draw in their bodies: nothing but a run tells what is drawn next.

use super::{Family, Problem};
use retrospect::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn family() -> Family {
    Family {
        name: "Draws in the body",
        about: "The body draws in loops and branches, from a `Case`, and the property is run as users run it. The normal form is what was drawn, in order. Runs are those until no pass knows more; calls are all after the first failure, also those of searches that then go on as far as there are runs and time to spare, and of the last run. The figures of Hypothesis are its share of results with as few draws as ours, and all its calls after the first failure until it stops; it has no such searches.",
        problems: vec![
            Problem::of_body("counted draws", counted_draws)
                .ends_at("3 101 101 101", 130.0, 200)
                .hypothesis(100.0, 1, 227.2),
            Problem::of_body("coin loop", coin_loop)
                .ends_at("1 101 1 101 1 101 0", 108.0, 250)
                .hypothesis(100.0, 1, 108.4),
            Problem::of_body("command loop", command_loop)
                .ends_at("4 0 0 0 1 0 3 2 0", 200.0, 600)
                .hypothesis(100.0, 4, 204.2),
            Problem::of_body("nested loops", nested_loops)
                .ends_at("2 2 51 51 2 51 51", 200.0, 600)
                .hypothesis(100.0, 1, 184.5),
            Problem::of_body("stack machine", stack_machine)
                .ends_at("3 20 1 3", 277.0, 600)
                .hypothesis(23.0, 35, 277.1),
            Problem::of_body("scheduler", scheduler).ends_at("2 1 1 0 1 0", 43.0, 100).hypothesis(100.0, 1, 42.9),
            Problem::of_body("draws that depend on draws", dependent_draws)
                .ends_at("3 2 0 3 1 2", 150.0, 600)
                .hypothesis(68.5, 13, 150.2),
            Problem::of_body("two interleaved lists", two_lists)
                .ends_at("1 0 0 1 0 1 1 1 0 1 1 1 0", 118.0, 600)
                .hypothesis(100.0, 8, 118.9),
        ],
    }
}

/// As many numbers as the first one says; three of them are large.
fn counted_draws(case: &mut Case<'_>) -> bool {
    let count = case.draw(0..=100_usize);
    let large = (0..count).filter(|_| case.draw(0..=1000) > 100).count();
    large < 3
}

/// Numbers until a coin says to stop; three of them are large.
fn coin_loop(case: &mut Case<'_>) -> bool {
    let mut large = 0;
    while case.draw(0..=9) > 0 {
        large += usize::from(case.draw(0..=1000) > 100);
    }
    large < 3
}

/// A store whose deleted keys come back after it was compacted.
fn command_loop(case: &mut Case<'_>) -> bool {
    let (mut live, mut dead, mut old) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
    for _ in 0..case.draw(0..=50) {
        match case.draw(0..=3) {
            0 => {
                let key = case.draw(0..=9);
                live.insert(key, case.draw(0..=99));
                dead.remove(&key);
            }
            1 => {
                let key = case.draw(0..=9);
                dead.extend(live.remove(&key).map(|value| (key, value)));
            }
            2 => {
                let key = case.draw(0..=9);
                if !live.contains_key(&key) && old.contains(&key) {
                    return false;
                }
            }
            _ => old.extend(dead.keys().copied()),
        }
    }
    true
}

/// Rows of cells; two rows have two large cells each.
fn nested_loops(case: &mut Case<'_>) -> bool {
    let mut rows = 0;
    for _ in 0..case.draw(0..=10) {
        let cells = case.draw(0..=10);
        let large = (0..cells).filter(|_| case.draw(0..=100) > 50).count();
        rows += usize::from(large >= 2);
    }
    rows < 2
}

/// What can be done next depends on what lies on the stack; its top becomes too large.
fn stack_machine(case: &mut Case<'_>) -> bool {
    let mut stack: Vec<u64> = Vec::new();
    for _ in 0..case.draw(0..=30) {
        let most = [0, 1, 3][stack.len().min(2)];
        let operation = if most == 0 { 0 } else { case.draw(0..=most) };
        let result = match operation {
            0 => case.draw(0..=20),
            1 => stack[stack.len() - 1],
            _ => {
                let (right, left) = (stack.pop().unwrap_or(0), stack.pop().unwrap_or(0));
                if operation == 2 { left.saturating_add(right) } else { left.saturating_mul(right) }
            }
        };
        if result >= 400 {
            return false;
        }
        stack.push(result);
    }
    true
}

/// Tasks that add to a counter, each by reading and then writing it. Which one goes on is drawn; an
/// addition is lost.
fn scheduler(case: &mut Case<'_>) -> bool {
    let tasks = case.draw(1..=5);
    let mut left: Vec<u32> = (0..tasks).map(|_| case.draw(1..=4)).collect();
    let total: u32 = left.iter().sum();
    let mut read: Vec<Option<u32>> = vec![None; left.len()];
    let mut counter = 0;
    loop {
        let ready: Vec<usize> = (0..left.len()).filter(|task| left[*task] > 0).collect();
        let task = match ready.len() {
            0 => return counter == total,
            1 => ready[0],
            count => ready[case.draw(0..count)],
        };
        match read[task].take() {
            None => read[task] = Some(counter),
            Some(value) => {
                counter = value + 1;
                left[task] -= 1;
            }
        }
    }
}

/// Spans within a size; one of them holds a later one.
fn dependent_draws(case: &mut Case<'_>) -> bool {
    let size = case.draw(1..=50);
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for _ in 0..case.draw(0..=10) {
        let start = case.draw(0..=size - 1);
        let length = case.draw(0..=size - start);
        let holds = |(from, long): &(u32, u32)| *long >= 3 && *from < start && start + length <= from + long;
        if length >= 2 && spans.iter().any(holds) {
            return false;
        }
        spans.push((start, length));
    }
    true
}

/// Two lists that grow by turns as drawn; neither is the same from behind.
fn two_lists(case: &mut Case<'_>) -> bool {
    let mut lists = [Vec::new(), Vec::new()];
    while case.draw(0..=9) > 0 {
        let which = case.draw(0..=1_usize);
        lists[which].push(case.draw(0..=100));
    }
    lists.iter().any(|list| list.iter().rev().eq(list))
}
