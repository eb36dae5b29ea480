//! Why a text cannot be read: how far one comes, and what was expected there.

use super::chart::{Input, Parser};
use super::grammar::{Grammar, Kind, children};
use crate::reflect::{Reflected, Reflector};
use std::sync::Arc;

/// More things than this are not listed; rules stand for what they begin with, if that makes it
/// fewer.
const MOST_EXPECTED: usize = 6;
/// How many characters of the text are shown before and after the place.
const EXCERPT: usize = 20;

/// In longer texts the chart is not asked where the walk gives an answer, though a less exact one.
const LONGEST_CHARTED: usize = 100_000;

pub(super) const TOO_MUCH: &str = "it is too long or too ambiguous to be read by this text";

/// What was looked for at the furthest position.
#[derive(Default)]
pub(super) struct Trace {
    furthest: u32,
    /// Terminals and rules.
    looked_for: Vec<(Arc<Grammar>, u32)>,
    others: Vec<String>,
    /// What `bind` made there that is no text, and why.
    faults: Vec<String>,
}

impl Trace {
    /// A node is looked for.
    pub(super) fn look_for(&mut self, grammar: &Arc<Grammar>, node: u32, at: u32) {
        let inner = grammar.node(node);
        let is_noted = match &inner.kind {
            Kind::Literal(literal) => !literal.is_empty(),
            Kind::Class(_) | Kind::Computed(_) => true,
            _ => inner.name.is_some(),
        };
        if !self.reaches(at) {
            return;
        }
        if is_noted && !self.knows(grammar, node) {
            self.looked_for.push((grammar.clone(), node));
        }
        // The next character decides, and what it does not choose is not looked for.
        if matches!(inner.kind, Kind::Choice { .. }) {
            self.look_into(grammar, node, at);
        }
    }

    /// Everything that a node may begin with is looked for.
    pub(super) fn look_into(&mut self, grammar: &Arc<Grammar>, node: u32, at: u32) {
        if !self.reaches(at) {
            return;
        }
        for leading in leading(grammar, node) {
            if !self.knows(grammar, leading) {
                self.looked_for.push((grammar.clone(), leading));
            }
        }
    }

    pub(super) fn expect(&mut self, at: u32, what: impl FnOnce() -> String) {
        if self.reaches(at) {
            let what = what();
            if !self.others.contains(&what) {
                self.others.push(what);
            }
        }
    }

    /// What follows there was made of what was written, and is wrong in itself.
    pub(super) fn note_fault(&mut self, at: u32, fault: impl FnOnce() -> String) {
        if self.reaches(at) {
            let fault = fault();
            if !self.faults.contains(&fault) {
                self.faults.push(fault);
            }
        }
    }

    fn reaches(&mut self, at: u32) -> bool {
        if at > self.furthest {
            *self = Trace { furthest: at, ..Trace::default() };
        }
        at == self.furthest
    }

    fn knows(&self, grammar: &Arc<Grammar>, node: u32) -> bool {
        self.looked_for.iter().any(|(other, known)| *known == node && Arc::ptr_eq(other, grammar))
    }

    /// What was expected, and what went wrong there.
    fn reason(&self) -> String {
        if self.faults.is_empty() {
            return format!("expected {}", self.expected());
        }
        let faults = self.faults.join("; ");
        match self.looked_for.is_empty() && self.others.is_empty() {
            true => faults,
            false => format!("expected {}; {faults}", self.expected()),
        }
    }

    /// What was expected: terminals, or the rules that begin with them where there are too many.
    fn expected(&self) -> String {
        let mut shown: Vec<String> = Vec::new();
        let add = |what: String, shown: &mut Vec<String>| {
            if !shown.contains(&what) {
                shown.push(what);
            }
        };
        let is_rule = |grammar: &Arc<Grammar>, node: u32| grammar.node(node).name.is_some();
        for (grammar, node) in self.looked_for.iter().filter(|(grammar, node)| !is_rule(grammar, *node)) {
            add(describe(grammar, *node), &mut shown);
        }
        for other in &self.others {
            add(other.clone(), &mut shown);
        }
        if shown.len() > MOST_EXPECTED {
            // Each rule, in the order in which it was looked for, takes the place of what it begins
            // with.
            for (grammar, node) in self.looked_for.iter().filter(|(grammar, node)| is_rule(grammar, *node)) {
                let begins: Vec<String> = leading(grammar, *node).iter().map(|node| describe(grammar, *node)).collect();
                let covered = shown.iter().filter(|what| begins.contains(what)).count();
                if covered > 1 && begins.iter().all(|what| shown.contains(what)) {
                    shown.retain(|what| !begins.contains(what));
                    let name = grammar.node(*node).name.as_deref().unwrap_or_default();
                    shown.push(name.to_owned());
                }
            }
        }
        let left_out = shown.len().saturating_sub(MOST_EXPECTED);
        if left_out > 0 {
            shown.truncate(MOST_EXPECTED);
            shown.push(format!("{left_out} others"));
        }
        match shown.split_last() {
            None => "nothing more".to_owned(),
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        }
    }
}

fn describe(grammar: &Grammar, node: u32) -> String {
    match &grammar.node(node).kind {
        // Between backticks it stands as one would type it; what cannot be seen needs escapes, and
        // quotes to tell them from backslashes.
        Kind::Literal(literal) => {
            let mut shown = String::new();
            literal.chars().for_each(|character| push_visible(character, &mut shown));
            if shown == **literal { format!("`{literal}`") } else { format!("{literal:?}") }
        }
        Kind::Class(class) => class.to_string(),
        _ => "a computed text".to_owned(),
    }
}

/// What is said of a text that `bind` made of what was written, and that is wrong.
pub(super) fn of_bound(written: &str, fault: &str) -> String {
    let mut shown = String::new();
    written.chars().take(EXCERPT).for_each(|character| push_visible(character, &mut shown));
    shown.push_str(if written.chars().nth(EXCERPT).is_some() { "…" } else { "" });
    format!("what `bind` makes of `{shown}` is wrong: {fault}")
}

/// The terminals that a node may begin with.
fn leading(grammar: &Grammar, node: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut seen = vec![false; grammar.nodes.len()];
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        if std::mem::replace(&mut seen[node as usize], true) {
            continue;
        }
        let inner = grammar.node(node);
        match &inner.kind {
            Kind::Literal(literal) if literal.is_empty() => {}
            Kind::Literal(_) | Kind::Class(_) | Kind::Computed(_) => found.push(node),
            Kind::Sequence { parts, .. } => {
                let count = parts.iter().take_while(|part| grammar.node(**part).is_nullable).count() + 1;
                pending.extend(parts.iter().take(count).rev());
            }
            Kind::Repeat { max: 0, .. } => {}
            Kind::Repeat { item, separator, max, .. } => {
                if grammar.node(*item).is_nullable && *max > 1 {
                    pending.extend(separator);
                }
                pending.push(*item);
            }
            _ => {
                let start = pending.len();
                children(inner, |child| pending.push(child));
                pending[start..].reverse();
            }
        }
    }
    found
}

/// Says why a text cannot be read, if it cannot.
pub(super) fn explain(grammar: &Arc<Grammar>, input: &Input<'_>, reflector: &mut Reflector) -> Reflected {
    let mut parser = Parser::new(grammar, input);
    if input.holes.is_empty() && parser.reflect_whole(&mut Reflector::accepting()).is_ok() {
        return Ok(());
    }
    let reason = if parser.is_too_much { TOO_MUCH.to_owned() } else { reason(grammar, input) };
    reflector.mismatch(&input.text, || reason)
}

/// Why a text that cannot be read cannot be read.
pub(super) fn reason(grammar: &Arc<Grammar>, input: &Input<'_>) -> String {
    let mut parser = Parser::new(grammar, input);
    parser.trace = Some(Box::default());
    let root = grammar.root;
    let needs_all_ends = grammar.is_undecided(root) || !input.holes.is_empty();
    let mut refused = None;
    if !needs_all_ends {
        let mut reflector = Reflector::explaining();
        if let Ok(end) = parser.direct(grammar, root, 0, &mut reflector) {
            parser.trace.get_or_insert_default().expect(end, || "the end".to_owned());
        }
        // The reflector itself refuses only what would take too much stack.
        let reason = reflector.into_error().reason().to_owned();
        refused = Some(reason).filter(|reason| reason.contains("nested too deep"));
    }
    let must_be_charted = needs_all_ends || parser.is_given_up;
    // Behind a part that the next character does not decide, a walk does not know what may follow
    // each of its ends; the chart does.
    let is_charted = !grammar.node(root).is_plain && refused.is_none() && input.text.len() <= LONGEST_CHARTED;
    if must_be_charted || is_charted {
        let mut charted = Parser::new(grammar, input);
        let mut trace = Box::<Trace>::default();
        trace.look_for(grammar, root, 0);
        charted.trace = Some(trace);
        let ends = charted.find_ends(root, 0);
        let trace = charted.trace.get_or_insert_default();
        ends.iter().for_each(|end| trace.expect(*end, || "the end".to_owned()));
        if must_be_charted || !charted.is_too_much {
            parser = charted;
        }
    }
    let is_too_much = parser.is_too_much;
    let trace = parser.trace.take().unwrap_or_default();
    let at = trace.furthest as usize;
    let (line, column) = line_and_column(input.text, at);
    let place = format!("line {line}, column {column}, at `{}`", excerpt(input, at));
    match (refused, is_too_much) {
        (Some(refused), _) => format!("{place}: {refused}"),
        (None, true) => format!("{place}: {TOO_MUCH}"),
        (None, false) => format!("{place}: {}", trace.reason()),
    }
}

/// Lines end with `\n`, `\r\n` or `\r`, as in the files of all systems.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let ends_line = |place: &usize| match bytes[*place] {
        b'\n' => true,
        b'\r' => bytes.get(place + 1) != Some(&b'\n'),
        _ => false,
    };
    let line = (0..at).filter(ends_line).count() + 1;
    let start = (0..at).rev().find(ends_line).map_or(0, |end| end + 1);
    (line, text[start..at].chars().count() + 1)
}

/// Quotes and backslashes need no escape between backticks.
fn push_visible(character: char, shown: &mut String) {
    match character {
        '"' | '\'' | '\\' => shown.push(character),
        _ => shown.extend(character.escape_debug()),
    }
}

/// What stands around a place of the text, with a mark at it, and `_` where there are holes.
fn excerpt(input: &Input<'_>, at: usize) -> String {
    let text = input.text;
    let start = text[..at].char_indices().rev().nth(EXCERPT - 1).map_or(0, |(place, _)| place);
    let end = text[at..].char_indices().nth(EXCERPT).map_or(text.len(), |(place, _)| at + place);
    let mut shown = if start > 0 { "…".to_owned() } else { String::new() };
    for place in start..=end {
        if input.is_hole(place as u32) {
            shown.push('_');
        }
        if place == at {
            shown.push('▸');
        }
        if place < end && text.is_char_boundary(place) {
            text[place..].chars().take(1).for_each(|character| push_visible(character, &mut shown));
        }
    }
    if end < text.len() {
        shown.push('…');
    }
    shown
}
