//! What `no_shrink` protects.

use super::order::compare_nodes;
use super::tree::Tree;
use crate::choice::{Choices, Entry, Kind, NO_SHRINK};
use std::cmp::Ordering;

/// Whether the `no_shrink` brackets of the best tree that are still there in `made` hold what they
/// held, in the same order. They may go with what they stand in: an item that is deleted, an arm
/// that is no longer taken. New ones may come the same way.
///
/// Passes need not know of it. Many of them move, merge or replace whole parts, and this is asked
/// of what comes out.
pub(super) fn are_left_alone(best: &Tree, made: &Choices) -> bool {
    if best.frozen.is_empty() {
        return true;
    }
    let (before, after) = (frozen_parts(&best.choices), frozen_parts(made));
    let mut contexts: Vec<u64> = Vec::new();
    for (context, _) in &after {
        if !contexts.contains(context) {
            contexts.push(*context);
        }
    }
    contexts.iter().all(|context| {
        let (before, after) = (within(&before, *context), within(&after, *context));
        if before.len() < after.len() { is_subsequence(&before, &after) } else { is_subsequence(&after, &before) }
    })
}

/// What stands in each `no_shrink` bracket, with a number for the calls and arms that it stands in:
/// another arm has other brackets.
fn frozen_parts(choices: &Choices) -> Vec<(u64, &[Entry])> {
    let mut parts = Vec::new();
    // The calls and arms around the present place: where each ends, and the number for all of them
    // down to this one.
    let mut around: Vec<(usize, u64)> = Vec::new();
    let mut at = 0;
    while at < choices.len() {
        while around.pop_if(|(end, _)| *end <= at).is_some() {}
        let context = around.last().map_or(0, |(_, context)| *context);
        let (entry, end) = (choices.entries()[at], choices.end_of(at));
        let arm = match entry.kind() {
            Kind::Call if entry.name_id() == NO_SHRINK.id() => {
                parts.push((context, &choices.entries()[at + 1..end]));
                at = end;
                continue;
            }
            Kind::Call => Some(0),
            Kind::Pick => Some(entry.arm() as u64 + 1),
            Kind::Number | Kind::Repeat | Kind::Part => None,
        };
        if let Some(arm) = arm {
            let inside = (context ^ (u64::from(entry.name_id()) << 32) ^ arm).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            around.push((end, inside ^ inside >> 29));
        }
        at += 1;
    }
    parts
}

fn within<'c>(parts: &[(u64, &'c [Entry])], context: u64) -> Vec<&'c [Entry]> {
    parts.iter().filter(|(other, _)| *other == context).map(|(_, part)| *part).collect()
}

fn is_subsequence(few: &[&[Entry]], many: &[&[Entry]]) -> bool {
    let mut rest = many.iter();
    few.iter().all(|part| rest.any(|other| compare_nodes(part, other) == Ordering::Equal))
}
