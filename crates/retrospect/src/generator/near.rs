//! Values near a value: its text is changed, and read again by the generator.
//!
//! What the generator cannot make costs a reading, and no run of any property. What a pass of the
//! shrinker would have tried on the choices is left out: a change of the value is worth a run where
//! it is another one than each small change of the choices.

use super::room::{with_room_for, with_room_for_text};
use super::{Explore, Generator};
use crate::choice::{Choices, Entry, Kind};
use crate::shrink::compare;
use crate::sketch::Document;
use crate::sketch::edit::{Change, Edited, both, edits, swaps};
use crate::source::{Source, with_effort};
use std::cmp::Ordering;
use std::fmt::{self, Debug, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Longer texts are not changed: nobody reads them, and each change is read by the generator.
const LONGEST_TEXT: usize = 4_000;

/// How many changes are tried at most, and how much text is read for all of them.
const MOST_EDITS: usize = 400;
const MOST_READ: usize = 200_000;

/// How much is compared to read all of them. A text that is of no value may be read in hundreds of
/// ways in vain.
const MAX_EFFORT: u32 = MOST_READ as u32;

/// The same for one text, where nobody knows of the others, as in a process of its own.
const MAX_EFFORT_FOR_ONE: u32 = MAX_EFFORT / 10;

/// The size of what is drawn to read a text: values that are bound and do not stand in it. Hundreds
/// of texts are read, and most of them in vain.
const SIZE: u32 = 8;

/// Choices that make values near the one that `choices` make, and are simpler: parts of the value
/// are left out or put in each other's place, its numbers lowered. It is what a
/// [`Trial`](crate::shrink::Trial::near) of one's own tells the shrinker.
///
/// None, if the `Debug` text of the value cannot be read by the generator, or is longer than 4,000
/// bytes. At most 400 changes are tried.
///
/// ```
/// use retrospect::generator::near_choices;
/// use retrospect::prelude::*;
/// let rising = sequence_of(0, .., |least| Some(*least..=9), |_, item| *item);
/// let near = near_choices(&rising, &rising.choices_of(&vec![3, 7]).unwrap());
/// // Without the 3, the 7 is as far from 0 as it is large.
/// assert!(near.contains(&rising.choices_of(&vec![7]).unwrap()));
/// ```
pub fn near_choices<G: Generator>(generator: &G, choices: &Choices) -> Vec<Choices> {
    let text = || generator.try_replay(choices).ok().and_then(|(value, _)| short_text(&value));
    let text = with_room_for(choices, text);
    text.map(|text| near(&text, choices, &mut |text| choices_of_text(generator, text))).unwrap_or_default()
}

/// Choices that make values near the one that has this text and is made by `choices`, and are
/// simpler. `choices_of` reads a text, if it is one of a value.
pub(crate) fn near(text: &str, choices: &Choices, choices_of: &mut dyn FnMut(&str) -> Option<Choices>) -> Vec<Choices> {
    with_effort(MAX_EFFORT, || near_within_effort(text, choices, choices_of))
}

fn near_within_effort(
    text: &str,
    choices: &Choices,
    choices_of: &mut dyn FnMut(&str) -> Option<Choices>,
) -> Vec<Choices> {
    let mut found: Vec<Choices> = Vec::new();
    let is_whole = |document: Document| !document.root().has_holes();
    // A value that is not told by its text is not changed by changing that.
    if text.len() > LONGEST_TEXT || !Document::parse(text).is_ok_and(is_whole) || choices_of(text).is_none() {
        return found;
    }
    let most = (MOST_READ / text.len().max(1)).min(MOST_EDITS);
    let mut refused = Vec::new();
    for edited in edits(text, most) {
        let Some(candidate) = choices_of(&edited.text) else {
            if edited.change == Change::Other {
                refused.push(edited);
            }
            continue;
        };
        if !is_small(edited.change, choices.entries(), candidate.entries()) {
            add_if_simpler(&mut found, candidate, choices);
        }
    }
    for text in in_pairs(text, &refused, most) {
        if let Some(candidate) = choices_of(&text) {
            add_if_simpler(&mut found, candidate, choices);
        }
    }
    found
}

fn add_if_simpler(found: &mut Vec<Choices>, candidate: Choices, choices: &Choices) {
    if compare(&candidate, choices) == Ordering::Less && !found.contains(&candidate) {
        found.push(candidate);
    }
}

/// Texts with two changes that the generator refuses one by one: where parts must fit each other,
/// as terms and their types must, they change together.
fn in_pairs(text: &str, refused: &[Edited], most: usize) -> Vec<String> {
    let mut texts = Vec::new();
    let swaps = if refused.is_empty() { Vec::new() } else { swaps(text, most) };
    for (place, first) in refused.iter().enumerate() {
        for second in refused[place + 1..].iter().chain(&swaps) {
            if texts.len() == most {
                return texts;
            }
            texts.extend(both(text, first, second));
        }
    }
    texts
}

/// The choices of the value that a text is of: the simplest ones.
pub(crate) fn choices_of_text<G: Generator + ?Sized>(generator: &G, text: &str) -> Option<Choices> {
    let document = Document::parse(text).ok()?;
    with_room_for_text(text, || {
        let mut source = Source::random(0).with_size(SIZE);
        let value = with_effort(MAX_EFFORT_FOR_ONE, || generator.complete(&document.root(), &mut source)).ok()?;
        generator.ways_of(&value).simplest().ok()
    })
}

/// The text of a value, unless it is too long or cannot be written.
fn short_text(value: &dyn Debug) -> Option<String> {
    let mut short = Short(String::new());
    let written = catch_unwind(AssertUnwindSafe(|| write!(short, "{value:?}")));
    matches!(written, Ok(Ok(()))).then_some(short.0)
}

struct Short(String);

impl Write for Short {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        if self.0.len() + piece.len() > LONGEST_TEXT {
            return Err(fmt::Error);
        }
        self.0.push_str(piece);
        Ok(())
    }
}

/// Whether a change of the value changes its choices in the same way, so that passes have tried it,
/// or better ones.
fn is_small(change: Change, before: &[Entry], after: &[Entry]) -> bool {
    match change {
        Change::Other => false,
        Change::LeftOut => {
            let is_same = |(left, right): &(&Entry, &Entry)| is_alike(**left, **right);
            let front = before.iter().zip(after).take_while(is_same).count();
            let back = before.iter().rev().zip(after.iter().rev()).take_while(is_same).count();
            after.len() < before.len() && front + back >= after.len()
        }
        Change::Replaced => changed_numbers(before, after).is_some_and(|changed| changed.len() == 1),
        Change::Lowered(amount) => changed_numbers(before, after).is_some_and(|changed| {
            let is_by_amount = |by: &u64| {
                let by = u128::from(*by);
                by == amount || by.abs_diff(amount.saturating_mul(2)) <= 1
            };
            changed.len() <= 2 && changed.iter().all(is_by_amount)
        }),
    }
}

/// By how much numbers were lowered or raised, if nothing else was changed.
fn changed_numbers(before: &[Entry], after: &[Entry]) -> Option<Vec<u64>> {
    let mut changed = Vec::new();
    if before.len() != after.len() {
        return None;
    }
    for (before, after) in before.iter().zip(after) {
        match (before.kind(), after.kind()) {
            (Kind::Number, Kind::Number) if before.index() == after.index() => {}
            (Kind::Number, Kind::Number) => changed.push(before.index().abs_diff(after.index())),
            _ if is_alike(*before, *after) && before.extent() == after.extent() => {}
            _ => return None,
        }
    }
    Some(changed)
}

/// Whether two nodes choose the same, whatever is inside.
fn is_alike(left: Entry, right: Entry) -> bool {
    left.kind() == right.kind()
        && match left.kind() {
            Kind::Number => left.index() == right.index(),
            Kind::Pick => left.arm() == right.arm(),
            Kind::Repeat | Kind::Call | Kind::Part => true,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_that_are_refused_alone_are_tried_together() {
        let read = |text: &str| match text {
            "(Some(A), Some(B), C)" => Some("5".parse().unwrap()),
            "(A, B, C)" => Some("1".parse().unwrap()),
            "(A, C, Some(B))" => Some("2".parse().unwrap()),
            _ => None,
        };
        let found = near("(Some(A), Some(B), C)", &"5".parse().unwrap(), &mut { read });
        assert_eq!(found.iter().map(Choices::to_string).collect::<Vec<_>>(), ["1", "2"]);
        // What is not simpler is not near.
        assert!(near("(Some(A), Some(B), C)", &"1".parse().unwrap(), &mut { read }).is_empty());
    }
}
