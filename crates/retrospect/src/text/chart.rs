//! Backward in general: all ends of all parts of a text, by node and position.
//!
//! Each node that is looked for at a position is one entry, however many ask for it; it knows where
//! it may end, and who waits for that. Whoever asks for a node that is under way, as a
//! left-recursive rule does, waits as well, and goes on when an end is found. Nothing is done
//! twice, and nothing recurses.

use super::class::END;
use super::compile::compile_in;
use super::expected::{self, Trace};
use super::grammar::{Grammar, Kind, Node};
use super::splits::{ByEnd, Rows};
use crate::reflect::memory::Mixer;
use crate::reflect::{Mismatch, Reflected, Reflector};
use crate::source::Source;
use crate::stack::{Stack, grow};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;
use std::rc::Rc;
use std::sync::Arc;

/// A map whose keys nobody chooses in order to collide.
pub(super) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// What is read: a text, with places in it where more may stand.
pub(super) struct Input<'t> {
    pub(super) text: &'t str,
    /// Where the holes are, in rising order.
    pub(super) holes: Vec<u32>,
    /// What is drawn at random to fill them.
    pub(super) seed: u64,
}

impl<'t> Input<'t> {
    pub(super) fn new(text: &'t str) -> Input<'t> {
        Input { text, holes: Vec::new(), seed: 0 }
    }

    #[inline]
    pub(super) fn is_hole(&self, at: u32) -> bool {
        !self.holes.is_empty() && self.holes.binary_search(&at).is_ok()
    }

    /// Whether there is a hole in a stretch of the text, at its ends too.
    pub(super) fn has_hole(&self, start: u32, end: u32) -> bool {
        self.holes.iter().any(|hole| (start..=end).contains(hole))
    }

    /// The code of the character at a position, or [`END`].
    #[inline]
    pub(super) fn code_at(&self, at: u32) -> u32 {
        match self.text.as_bytes().get(at as usize) {
            None => END,
            Some(byte) if *byte < 128 => u32::from(*byte),
            Some(_) => self.text[at as usize..].chars().next().map_or(END, |character| character as u32),
        }
    }

    /// Where a text that begins at a position ends: in a hole, each of its characters may be
    /// written without moving on.
    pub(super) fn ends_of_text(&self, text: &str, at: u32) -> Vec<u32> {
        if self.holes.is_empty() {
            let fits = self.text.as_bytes()[at as usize..].starts_with(text.as_bytes());
            return if fits { vec![at + text.len() as u32] } else { Vec::new() };
        }
        let mut ends = vec![at];
        for character in text.chars() {
            let mut next = Vec::new();
            for end in ends {
                self.step(end, self.code_at(end) == character as u32, &mut next);
            }
            ends = next;
        }
        ends
    }

    /// Where one character ends that begins at a position, given whether the next one of the text
    /// is it.
    fn step(&self, at: u32, fits: bool, ends: &mut Vec<u32>) {
        let mut add = |end| {
            if !ends.contains(&end) {
                ends.push(end);
            }
        };
        if fits {
            add(at + self.text[at as usize..].chars().next().map_or(0, |character| character.len_utf8() as u32));
        }
        if self.is_hole(at) {
            add(at);
        }
    }
}

/// Reads a text by a grammar.
pub(super) struct Parser<'g, 'i> {
    pub(super) grammar: Cow<'g, Arc<Grammar>>,
    pub(super) input: &'i Input<'i>,
    pub(super) chart: Chart,
    /// The texts that were made of what was written, by the node, and the start and the end of
    /// that.
    pub(super) bound: Map<(u32, u32, u32), Vec<Bound<'i>>>,
    /// The nodes of the forest that are there already, by part, start, end and size.
    pub(super) shared: Map<(u64, u32, u32, u64), usize>,
    /// Whether the next character does not decide after all: a part has several ends.
    pub(super) is_given_up: bool,
    /// Whether it took too much.
    pub(super) is_too_much: bool,
    /// The node, and where it must end, of which one way is enough: once it is found, nothing else
    /// is looked for.
    goal: Option<(u32, u32)>,
    is_reached: bool,
    /// Whether a part of the text is looked at, while the next character decides around it.
    pub(super) is_aside: bool,
    /// How much was done to note all ways.
    noted: usize,
    pub(super) trace: Option<Box<Trace>>,
    pub(super) stack: Stack,
    /// How many texts that were made of others are under way.
    depth: u32,
}

/// A text that follows what was written.
pub(super) struct Bound<'i> {
    /// What was written, where that has a hole.
    pub(super) written: Option<String>,
    pub(super) parser: Parser<'static, 'i>,
}

#[derive(Default)]
pub(super) struct Chart {
    places: Map<(u32, u32), u32>,
    entries: Vec<Entry>,
    /// The steps that were taken: an entry, how far it is, and where.
    seen: HashSet<(u32, u32, u32), BuildHasherDefault<Mixer>>,
    /// The ends that were found: of which entry, where, and how many were found before.
    ended: Map<(u32, u32), u32>,
    pending: Vec<Step>,
    /// How many steps were proposed, new or not.
    tries: usize,
    /// What is asked for when the ends are known: nodes by where they end, and what follows a part
    /// of a sequence.
    pub(super) by_end: ByEnd,
    pub(super) rows: Map<(u32, u32), Rc<Rows>>,
}

impl Chart {
    /// How many steps are remembered.
    fn steps(&self) -> usize {
        self.seen.len() + self.ended.len()
    }

    pub(super) fn count(&self) -> usize {
        self.entries.len()
    }

    /// What an entry found: a node, where it begins, and where it may end.
    pub(super) fn found(&self, entry: usize) -> (u32, u32, &[u32]) {
        let entry = &self.entries[entry];
        (entry.node, entry.at, &entry.ends)
    }
}

/// A node that is looked for at a position.
struct Entry {
    node: u32,
    at: u32,
    ends: Vec<u32>,
    /// Who goes on from where it ends: an entry and how far that will be.
    waiting: Vec<(u32, u32)>,
}

#[derive(Clone, Copy)]
struct Step {
    entry: u32,
    dot: u32,
    at: u32,
}

/// The most steps that are remembered: 200 for each character, within these. A table of so many
/// takes some 30 MB.
const MAX_STEPS: (usize, usize) = (1 << 21, 1 << 24);
/// The most that are tried, remembered already or not: 1000 for each character, within these.
const MAX_TRIES: (usize, usize) = (1 << 22, 1 << 26);
/// The most steps for a part of a text that is looked at aside; if it takes more, the whole text is
/// looked at.
const MAX_ASIDE: usize = 1 << 20;
/// The most that is done to note all ways of a text: 200 for each character, within these. Ways
/// take more memory than the steps by which they are found.
const MAX_NOTED: (usize, usize) = (1 << 20, 1 << 26);
/// How deep texts that are made of what was written may lie in each other.
pub(super) const MOST_DEPTH: u32 = 10_000;
/// How many texts are tried for what was written, where that has a hole.
pub(super) const TRIES: u64 = 50;

impl<'g, 'i> Parser<'g, 'i> {
    pub(super) fn new(grammar: &'g Arc<Grammar>, input: &'i Input<'i>) -> Parser<'g, 'i> {
        Parser::of(Cow::Borrowed(grammar), input)
    }

    fn of(grammar: Cow<'g, Arc<Grammar>>, input: &'i Input<'i>) -> Parser<'g, 'i> {
        Parser {
            grammar,
            input,
            chart: Chart::default(),
            bound: Map::default(),
            shared: Map::default(),
            is_given_up: false,
            is_too_much: false,
            goal: None,
            is_reached: false,
            is_aside: false,
            noted: 0,
            trace: None,
            stack: Stack::here(),
            depth: 0,
        }
    }

    /// Reads the whole text, and notes its choices.
    pub(super) fn reflect_whole(&mut self, reflector: &mut Reflector) -> Reflected {
        let (root, end) = (self.grammar.root, self.input.text.len() as u32);
        if self.grammar.node(root).is_plain {
            return self.direct_to(root, end, reflector);
        }
        if self.grammar.is_undecided(root) {
            return self.by_all_ends(root, end, reflector);
        }
        reflector.first_of(2, |reflector, way| match way {
            0 => self.direct_to(root, end, reflector),
            _ if self.is_given_up => self.by_all_ends(root, end, reflector),
            _ => Err(Mismatch),
        })
    }

    fn by_all_ends(&mut self, root: u32, end: u32, reflector: &mut Reflector) -> Reflected {
        // All ends tell which way is the first. If that takes too much, any way will do where one
        // is wanted.
        let goal = Some((root, end));
        let goals: &[Option<(u32, u32)>] = match (reflector.only_accepts(), reflector.is_one_way_enough()) {
            (true, _) => &[goal],
            (false, true) => &[None, goal],
            (false, false) => &[None],
        };
        for goal in goals {
            self.start_again(*goal);
            let is_made = self.ends_at(root, 0, end);
            let result = match is_made && !self.is_too_much {
                true => self.reflect_found(root, 0, end, reflector),
                false => Err(Mismatch),
            };
            if !self.is_too_much {
                return result;
            }
        }
        Err(Mismatch)
    }

    /// Forgets what was found, to look for something else.
    fn start_again(&mut self, goal: Option<(u32, u32)>) {
        self.chart = Chart::default();
        self.bound.clear();
        self.shared.clear();
        (self.is_too_much, self.is_reached) = (false, false);
        self.goal = goal;
        if goal.is_some() {
            self.noted = 0;
        }
    }

    /// Notes the choices of a part whose ends were found.
    pub(super) fn reflect_found(&mut self, node: u32, at: u32, end: u32, reflector: &mut Reflector) -> Reflected {
        reflector.by_forest(|reflector| {
            self.shared.clear();
            self.reflect_node(node, at, end, reflector)
        })
    }

    /// Counts what is done to note all ways; says whether it is too much.
    pub(super) fn is_too_much_with(&mut self, more: usize) -> bool {
        self.noted += more;
        let most = self.input.text.len().saturating_mul(200).clamp(MAX_NOTED.0, MAX_NOTED.1);
        self.is_too_much |= self.noted > most;
        self.is_too_much
    }

    fn direct_to(&mut self, root: u32, end: u32, reflector: &mut Reflector) -> Reflected {
        let grammar = self.grammar.clone();
        match self.direct(&grammar, root, 0, reflector) {
            Ok(at) if at == end => Ok(()),
            _ => Err(Mismatch),
        }
    }

    /// Finds all ends of a node that begins at a position.
    pub(super) fn find_ends(&mut self, node: u32, at: u32) -> Vec<u32> {
        if let Some(ends) = self.ends_of_leaf(node, at) {
            return ends;
        }
        let (entry, is_new) = self.enter(node, at);
        if is_new {
            self.run();
        }
        self.chart.entries[entry as usize].ends.clone()
    }

    /// The ends that were found for a node; to be asked after [`find_ends`](Parser::find_ends) of
    /// one around it.
    pub(super) fn ends(&mut self, node: u32, at: u32) -> Vec<u32> {
        self.ends_there(node, at).into_owned()
    }

    /// The same, without a copy of them: there may be as many as the text is long.
    pub(super) fn ends_there(&mut self, node: u32, at: u32) -> Cow<'_, [u32]> {
        if let Some(ends) = self.ends_of_leaf(node, at) {
            return Cow::Owned(ends);
        }
        match self.chart.places.get(&(node, at)) {
            Some(entry) => Cow::Borrowed(&self.chart.entries[*entry as usize].ends),
            None => Cow::Borrowed(&[]),
        }
    }

    /// Whether an end was found for a node.
    pub(super) fn has_end(&mut self, node: u32, at: u32, end: u32) -> bool {
        match self.ends_of_leaf(node, at) {
            Some(ends) => ends.contains(&end),
            None => self.rank_of_end(node, at, end).is_some(),
        }
    }

    /// How many ends were found before this one, of a node that has an entry.
    pub(super) fn rank_of_end(&self, node: u32, at: u32, end: u32) -> Option<u32> {
        let entry = self.chart.places.get(&(node, at))?;
        self.chart.ended.get(&(*entry, end)).copied()
    }

    pub(super) fn ends_at(&mut self, node: u32, at: u32, end: u32) -> bool {
        self.find_ends(node, at).contains(&end)
    }

    /// Forgets what was found, if it is much: parts of a text that the next character decides are
    /// looked at one after the other.
    pub(super) fn forget(&mut self) {
        if self.chart.steps() > 1 << 16 {
            self.chart = Chart::default();
        }
        self.bound.clear();
        self.shared.clear();
    }

    fn run(&mut self) {
        let length = self.input.text.len();
        let most_steps = length.saturating_mul(200).clamp(MAX_STEPS.0, MAX_STEPS.1);
        let most_tries = length.saturating_mul(1000).clamp(MAX_TRIES.0, MAX_TRIES.1);
        let (most_steps, most_tries) = match self.is_aside {
            true => (MAX_ASIDE, MAX_ASIDE << 2),
            false => (most_steps, most_tries),
        };
        while let Some(step) = self.chart.pending.pop() {
            if self.is_reached {
                self.chart.pending.clear();
                return;
            }
            if self.chart.steps() > most_steps || self.chart.tries > most_tries {
                self.is_too_much = true;
                self.chart.pending.clear();
                return;
            }
            self.advance(step);
        }
    }

    /// The entry of a node at a position, and whether it is new.
    fn enter(&mut self, node: u32, at: u32) -> (u32, bool) {
        if let Some(entry) = self.chart.places.get(&(node, at)) {
            return (*entry, false);
        }
        let entry = self.chart.entries.len() as u32;
        self.chart.places.insert((node, at), entry);
        self.chart.entries.push(Entry { node, at, ends: Vec::new(), waiting: Vec::new() });
        self.push(Step { entry, dot: 0, at });
        (entry, true)
    }

    fn push(&mut self, step: Step) {
        self.chart.tries += 1;
        if self.chart.seen.insert((step.entry, step.dot, step.at)) {
            self.chart.pending.push(step);
        }
    }

    fn advance(&mut self, Step { entry, dot, at }: Step) {
        let node = self.chart.entries[entry as usize].node;
        let grammar = self.grammar.clone();
        match &grammar.node(node).kind {
            Kind::Sequence { parts, .. } => match parts.get(dot as usize) {
                Some(part) => self.look_for(*part, entry, dot + 1, at),
                None => self.complete(entry, at),
            },
            Kind::Choice { arms, weights, .. } => match dot {
                0 => {
                    // What is pushed last is looked at first. Of thousands of words few are there,
                    // and the others are no step.
                    for arm in (0..arms.len()).rev().filter(|arm| weights[*arm] != 0) {
                        if self.may_be_there(grammar.node(arms[arm]), at) {
                            self.push(Step { entry, dot: 2 + arm as u32, at });
                        }
                    }
                }
                1 => self.complete(entry, at),
                _ => self.look_for(arms[dot as usize - 2], entry, 1, at),
            },
            Kind::Rule { body, .. } => match dot {
                0 => self.look_for(*body, entry, 1, at),
                _ => self.complete(entry, at),
            },
            Kind::Repeat { item, separator, min, max } => {
                // Twice the items so far, and one more after a separator. Without a limit all
                // counts above the least are alike.
                let (count, is_separated) = (dot as usize / 2, dot % 2 == 1);
                let most = if *max == usize::MAX { (*min).max(1) } else { *max };
                let next = 2 * (count + 1).min(most) as u32;
                let can_go_on = count < *max;
                if is_separated {
                    return self.look_for(*item, entry, next, at);
                }
                match separator {
                    Some(separator) if can_go_on && count > 0 => self.look_for(*separator, entry, dot + 1, at),
                    _ if can_go_on => self.look_for(*item, entry, next, at),
                    _ => {}
                }
                // Looked at first: no more items.
                if count >= *min {
                    self.complete(entry, at);
                }
            }
            Kind::Bind { first, .. } => match dot {
                0 => self.look_for(*first, entry, 1, at),
                _ => self.advance_bound(entry, node, at),
            },
            Kind::Literal(_) | Kind::Class(_) | Kind::Computed(_) => {
                for end in self.ends_of_leaf(node, at).unwrap_or_default() {
                    self.complete(entry, end);
                }
            }
        }
    }

    /// Looks for a node; where it ends, the entry goes on.
    fn look_for(&mut self, node: u32, entry: u32, dot: u32, at: u32) {
        if !self.may_begin(node, at) {
            return;
        }
        if let Some(ends) = self.ends_of_leaf(node, at) {
            for end in ends.into_iter().rev() {
                self.push(Step { entry, dot, at: end });
            }
            return;
        }
        let (looked_for, _) = self.enter(node, at);
        let inner = &mut self.chart.entries[looked_for as usize];
        inner.waiting.push((entry, dot));
        for place in (0..inner.ends.len()).rev() {
            let at = self.chart.entries[looked_for as usize].ends[place];
            self.push(Step { entry, dot, at });
        }
    }

    /// Whether the next character lets a node begin.
    pub(super) fn may_begin(&mut self, node: u32, at: u32) -> bool {
        if let Some(trace) = &mut self.trace {
            trace.look_for(&self.grammar, node, at);
            return true;
        }
        if self.input.is_hole(at) {
            return true;
        }
        let (node, code) = (self.grammar.node(node), self.input.code_at(at));
        node.first.contains(code) || (node.is_nullable && node.follow.contains(code))
    }

    /// Whether it is worth a step to look for a node.
    fn may_be_there(&self, node: &Node, at: u32) -> bool {
        if self.trace.is_some() || !self.input.holes.is_empty() {
            return true;
        }
        match &node.kind {
            Kind::Literal(literal) => self.input.text.as_bytes()[at as usize..].starts_with(literal.as_bytes()),
            _ => node.is_nullable || node.first.contains(self.input.code_at(at)),
        }
    }

    /// Whether the next character may follow a node.
    fn may_follow(&self, node: &Node, at: u32) -> bool {
        self.trace.is_some() || self.input.is_hole(at) || node.follow.contains(self.input.code_at(at))
    }

    fn complete(&mut self, entry: u32, end: u32) {
        let node = self.chart.entries[entry as usize].node;
        if !self.may_follow(self.grammar.node(node), end) || self.chart.ended.contains_key(&(entry, end)) {
            return;
        }
        let inner = &mut self.chart.entries[entry as usize];
        self.chart.ended.insert((entry, end), inner.ends.len() as u32);
        inner.ends.push(end);
        if self.goal == Some((node, end)) && inner.at == 0 {
            self.is_reached = true;
            return;
        }
        for place in (0..inner.waiting.len()).rev() {
            let (entry, dot) = self.chart.entries[entry as usize].waiting[place];
            self.push(Step { entry, dot, at: end });
        }
    }

    /// The ends of a node that needs no entry: a terminal, or what the next character decides
    /// altogether.
    pub(super) fn ends_of_leaf(&mut self, node: u32, at: u32) -> Option<Vec<u32>> {
        let input = self.input;
        let grammar = self.grammar.clone();
        match &grammar.node(node).kind {
            Kind::Literal(literal) => Some(input.ends_of_text(literal, at)),
            Kind::Class(class) => {
                let mut ends = Vec::new();
                let fits = char::from_u32(input.code_at(at)).is_some_and(|next| class.index_of(next).is_some());
                input.step(at, fits, &mut ends);
                Some(ends)
            }
            Kind::Computed(_) => Some(self.ends_of_computed(node, at)),
            _ if self.is_leaf(node) => {
                let end = self.direct(&grammar, node, at, &mut Reflector::accepting_on(self.stack));
                Some(end.into_iter().collect())
            }
            _ => None,
        }
    }

    /// Whether a node needs no entry.
    pub(super) fn is_leaf(&self, node: u32) -> bool {
        let node = self.grammar.node(node);
        let is_terminal = matches!(node.kind, Kind::Literal(_) | Kind::Class(_) | Kind::Computed(_));
        is_terminal || (node.is_plain && self.input.holes.is_empty() && self.trace.is_none())
    }

    fn ends_of_computed(&mut self, node: u32, at: u32) -> Vec<u32> {
        let grammar = self.grammar.clone();
        let Kind::Computed(shown) = &grammar.node(node).kind else { return Vec::new() };
        let mut ends = Vec::new();
        let rest = &self.input.text[at as usize..];
        for (place, _) in rest.char_indices().chain([(rest.len(), ' ')]) {
            let end = at + place as u32;
            if self.may_follow(grammar.node(node), end) && shown.accepts(&rest[..place]) {
                ends.push(end);
            }
        }
        for (_, end) in self.computed_in_holes(node, at) {
            if !ends.contains(&end) {
                ends.push(end);
            }
        }
        ends
    }

    /// What a computed text that begins at a position may be where there are holes, and where it
    /// ends: some that are drawn at random.
    pub(super) fn computed_in_holes(&self, node: u32, at: u32) -> Vec<(String, u32)> {
        let mut found = Vec::new();
        let Kind::Computed(shown) = &self.grammar.node(node).kind else { return found };
        if !self.input.has_hole(at, u32::MAX) {
            return found;
        }
        for seed in 0..TRIES {
            let mut source = Source::random(self.input.seed ^ seed);
            let Ok(text) = shown.write(&mut source) else { continue };
            for end in self.input.ends_of_text(&text, at) {
                found.push((text.clone(), end));
            }
        }
        found
    }

    /// What was written is known: the text that follows it is made, and looked for.
    fn advance_bound(&mut self, entry: u32, node: u32, at: u32) {
        let start = self.chart.entries[entry as usize].at;
        let mut ends = Vec::new();
        for bound in self.bound_texts(node, start, at) {
            ends.extend(bound.parser.ends(bound.parser.grammar.root, at));
        }
        for end in ends {
            self.complete(entry, end);
        }
    }

    /// The texts that follow what was written from `start` to `at`: one, or some if there is a hole
    /// in it. All their ends are found.
    pub(super) fn bound_texts(&mut self, node: u32, start: u32, at: u32) -> &mut [Bound<'i>] {
        let key = (node, start, at);
        if !self.bound.contains_key(&key) {
            let mut made = Vec::new();
            let mut make = |parser: &mut Self| made = parser.make_bound_texts(node, start, at);
            if !self.stack.is_low() {
                make(self);
            } else if grow(self, |parser| &mut parser.stack, &mut make).is_none() {
                self.is_too_much = true;
            }
            self.bound.insert(key, made);
        }
        self.bound.get_mut(&key).map_or(&mut [], |made| made)
    }

    fn make_bound_texts(&mut self, node: u32, start: u32, at: u32) -> Vec<Bound<'i>> {
        let grammar = self.grammar.clone();
        let Kind::Bind { first, then, scope } = &grammar.node(node).kind else { return Vec::new() };
        if self.depth >= MOST_DEPTH {
            self.is_too_much = true;
            return Vec::new();
        }
        let has_hole = self.input.has_hole(start, at);
        let as_it_is = &self.input.text[start as usize..at as usize];
        let mut written = Vec::new();
        // With a hole in it, it need not be what the first text writes, and nothing else may be
        // asked for what follows.
        if !has_hole || Parser::new(&grammar, &Input::new(as_it_is)).ends_at(*first, 0, as_it_is.len() as u32) {
            written.push(as_it_is.to_owned());
        }
        if has_hole {
            written.append(&mut self.written_in_holes(*first, start, at));
        }
        let mut made = Vec::new();
        for written in written {
            let next = compile_in(&then(&written), scope, grammar.node(node).follow.clone(), 0);
            if let Some(fault) = &next.fault {
                if let Some(trace) = &mut self.trace {
                    trace.note_fault(at, || expected::of_bound(&written, fault));
                }
                continue;
            }
            let mut parser = Parser::of(Cow::Owned(Arc::new(next)), self.input);
            parser.depth = self.depth + 1;
            parser.stack = self.stack;
            parser.trace = self.trace.take();
            let root = parser.grammar.root;
            if parser.may_begin(root, at) {
                parser.find_ends(root, at);
            }
            self.trace = parser.trace.take();
            self.is_too_much |= parser.is_too_much;
            made.push(Bound { written: has_hole.then_some(written), parser });
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use super::{Input, MAX_NOTED, Parser};
    use crate::prelude::*;
    use crate::reflect::Reflector;

    /// All ways together are given up before they take all memory: they are as many as the cube of
    /// the length here.
    #[test]
    fn too_many_ways_are_not_noted() {
        let words = text::repeat(text::repeat(text::chars('a'..='z'), 1..).then(text::optional(" ")), ..);
        let input = Input::new("aaaaaa");
        for (already, is_too_much) in [(0, false), (MAX_NOTED.0 - 5, true)] {
            let mut parser = Parser::new(words.grammar(), &input);
            parser.noted = already;
            let mut reflector = Reflector::all_ways();
            assert_eq!(parser.reflect_whole(&mut reflector).is_err(), is_too_much);
            assert_eq!(parser.is_too_much, is_too_much);
        }
        // Who wants no more than one way gets it.
        let mut parser = Parser::new(words.grammar(), &input);
        parser.noted = MAX_NOTED.0;
        assert!(parser.reflect_whole(&mut Reflector::first_way()).is_ok());
    }
}
