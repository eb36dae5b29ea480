//! Whether a case that is called minimal is: all simpler cases of a small domain, and single
//! changes of any.

use super::property::{Diary, Property, thread_seconds};
use retrospect::choice::Choices;
use retrospect::shrink::compare;
use retrospect::source::{Drawn, Odometer, Replay, Source};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many cases of a domain are run.
const MAX_ENUMERATED: usize = 2_000;
/// How long both searches take at most, in seconds of processor time.
const LONGEST_SEARCH: f64 = 0.3;
/// How many changes of a case are run.
const MAX_CHANGES: usize = 600;

/// A simpler case that fails like one that is called minimal.
#[derive(Clone, Debug)]
pub enum Simpler {
    /// It is one change away.
    Near(String),
    /// It is found by going through the domain from the start.
    Far,
}

/// Looks for a simpler case that fails like this one.
pub fn simpler(property: &Property<'_>, minimal: &Choices) -> Result<Option<Simpler>, String> {
    let (fault, made) = run(property, minimal).ok_or_else(|| format!("the saved choices do not fail: {minimal}"))?;
    // The record of a generator that panicked ends anywhere.
    if made != *minimal && !property.has_panics() {
        return Err(format!("the saved choices {minimal} are {made} when they are run"));
    }
    let is_simpler = |other: &Option<(String, Choices)>| {
        other.as_ref().is_some_and(|(other, choices)| *other == fault && compare(choices, minimal).is_lt())
    };
    let started = thread_seconds();
    let is_over = || thread_seconds() - started > LONGEST_SEARCH;
    for candidate in changes(minimal).into_iter().take(MAX_CHANGES).take_while(|_| !is_over()) {
        let ran = run(property, &candidate);
        if is_simpler(&ran) {
            let (_, choices) = ran.expect("it is simpler");
            return Ok(Some(Simpler::Near(format!("one change of {minimal} fails too: {choices}"))));
        }
    }
    let mut odometer = Odometer::new();
    for number in 0..MAX_ENUMERATED {
        if number % 16 == 0 && is_over() {
            break;
        }
        let mut source = Source::asking(&mut odometer);
        let ran = outcome(property, &mut source);
        let ran = ran.map(|fault| (fault, source.into_choices()));
        if is_simpler(&ran) {
            return Ok(Some(Simpler::Far));
        }
        if !odometer.advance() {
            break;
        }
    }
    Ok(None)
}

/// Which fault these choices lead to, and the choices that were made on the way.
fn run(property: &Property<'_>, choices: &Choices) -> Option<(String, Choices)> {
    let mut replay = Replay::lenient(choices);
    let mut source = Source::asking(&mut replay);
    let fault = outcome(property, &mut source)?;
    Some((fault, source.into_choices()))
}

/// Which fault a run from this source meets.
fn outcome(property: &Property<'_>, source: &mut Source<'_>) -> Option<String> {
    Diary::begin();
    let ran: Result<Drawn<Result<(), String>>, _> = catch_unwind(AssertUnwindSafe(|| property.run_from(source)));
    let failed = Diary::end().failed;
    match (failed.last(), ran) {
        (Some(ran), _) => Some(ran.fault.to_owned()),
        (None, Ok(_)) => None,
        (None, Err(payload)) => Some(match payload.downcast_ref::<String>() {
            Some(text) => text.clone(),
            None => payload.downcast_ref::<&str>().unwrap_or(&"").to_string(),
        }),
    }
}

/// A choice tree to be changed, read from its text.
#[derive(Clone, Debug)]
enum Tree {
    Number(u64),
    /// The arm, its label and its body.
    Pick(usize, String, Vec<Tree>),
    Repeat(Vec<Tree>),
    /// With its opening and closing bracket.
    Call(char, char, Vec<Tree>),
}

/// Reads nodes up to a closing bracket, or to the end.
fn trees(text: &mut &str) -> Vec<Tree> {
    let mut all = Vec::new();
    loop {
        *text = text.trim_start();
        let Some(first) = text.chars().next() else { return all };
        match first {
            ')' | ']' | '}' => {
                *text = &text[1..];
                return all;
            }
            '[' => {
                *text = &text[1..];
                all.push(Tree::Repeat(trees(text)));
            }
            '(' | '{' => {
                *text = &text[1..];
                all.push(Tree::Call(first, if first == '(' { ')' } else { '}' }, trees(text)));
            }
            _ => {
                let end = text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
                let number: u64 = text[..end].parse().expect("a number stands here");
                *text = &text[end..];
                let Some(rest) = text.strip_prefix(':') else {
                    all.push(Tree::Number(number));
                    continue;
                };
                let end = match rest.starts_with('"') {
                    true => end_of_quoted(rest),
                    false => rest.find([' ', '(', ')', ']', '}']).unwrap_or(rest.len()),
                };
                let label = rest[..end].to_owned();
                *text = &rest[end..];
                let body = match text.strip_prefix('(') {
                    Some(inside) => {
                        *text = inside;
                        trees(text)
                    }
                    None => Vec::new(),
                };
                all.push(Tree::Pick(number as usize, label, body));
            }
        }
    }
}

fn end_of_quoted(text: &str) -> usize {
    let mut is_escaped = false;
    for (place, char) in text.char_indices().skip(1) {
        match char {
            '"' if !is_escaped => return place + 1,
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    text.len()
}

fn text(trees: &[Tree]) -> String {
    let texts: Vec<String> = trees
        .iter()
        .map(|tree| match tree {
            Tree::Number(index) => index.to_string(),
            Tree::Pick(arm, label, body) => format!("{arm}:{label}({})", text(body)),
            Tree::Repeat(items) => format!("[{}]", text(items)),
            Tree::Call(open, close, children) => format!("{open}{}{close}", text(children)),
        })
        .collect();
    texts.join(" ")
}

/// All trees with one change: an item less, a number lowered, an earlier arm, a part as simple as
/// can be, a part replaced by one inside it.
fn changes(choices: &Choices) -> Vec<Choices> {
    let whole = trees(&mut &*choices.to_string());
    let mut changed = Vec::new();
    change_each(&whole, &mut |trees| changed.push(trees));
    changed.iter().filter_map(|trees| text(trees).parse().ok()).collect()
}

fn change_each(trees: &[Tree], emit: &mut dyn FnMut(Vec<Tree>)) {
    for (place, tree) in trees.iter().enumerate() {
        let mut replace = |by: Tree| {
            let mut all = trees.to_vec();
            all[place] = by;
            emit(all);
        };
        match tree {
            Tree::Number(index) => {
                for simpler in [0, index / 2, index.saturating_sub(2), index.saturating_sub(1)] {
                    if simpler < *index {
                        replace(Tree::Number(simpler));
                    }
                }
            }
            Tree::Pick(arm, label, body) => {
                for simpler in 0..(*arm).min(16) {
                    replace(Tree::Pick(simpler, String::new(), Vec::new()));
                    replace(Tree::Pick(simpler, String::new(), body.clone()));
                }
                for inside in body {
                    replace(inside.clone());
                }
                change_each(body, &mut |body| replace(Tree::Pick(*arm, label.clone(), body)));
            }
            Tree::Repeat(items) => {
                for item in 0..items.len() {
                    let mut fewer = items.clone();
                    fewer.remove(item);
                    replace(Tree::Repeat(fewer));
                }
                change_each(items, &mut |items| replace(Tree::Repeat(items)));
            }
            Tree::Call(open, close, children) => {
                replace(Tree::Call(*open, *close, Vec::new()));
                for inside in children {
                    replace(inside.clone());
                }
                change_each(children, &mut |children| replace(Tree::Call(*open, *close, children)));
            }
        }
    }
}
