//! Backward where the next character decides: one walk, straight into the reflector.

use super::chart::{Chart, Parser};
use super::class::{ABSENT, Class, END};
use super::grammar::{Decision, Grammar, Kind, NO_ARM, Node, SEVERAL};
use crate::choice::Site;
use crate::reflect::{Mismatch, Reflected, Reflector};

impl Parser<'_, '_> {
    /// Reads a node at a position and notes its choices; returns where it ends.
    ///
    /// Where the next character decides, there is at most one end that can be followed by what may
    /// follow the node, and it is found. Where it does not, all ends are looked for; if there are
    /// several, this way is given up.
    ///
    /// Most nodes are terminals, which are looked at in place; what is around them has functions of
    /// its own, so that each needs few registers.
    #[inline(always)]
    pub(super) fn direct(
        &mut self,
        grammar: &Grammar,
        node: u32,
        at: u32,
        reflector: &mut Reflector,
    ) -> Result<u32, Mismatch> {
        let inner = grammar.node(node);
        if self.trace.is_some() {
            self.note(node, at);
        }
        match &inner.kind {
            Kind::Literal(literal) => {
                let rest = &self.input.text.as_bytes()[at as usize..];
                if rest.starts_with(literal.as_bytes()) { Ok(at + literal.len() as u32) } else { Err(Mismatch) }
            }
            Kind::Class(class) => {
                let (index, end) = self.char_of(class, at).ok_or(Mismatch)?;
                reflector.number(index, class.last(), class.distribution)?;
                Ok(end)
            }
            _ => self.direct_inner(grammar, node, inner, at, reflector),
        }
    }

    #[inline(never)]
    fn direct_inner(
        &mut self,
        grammar: &Grammar,
        node: u32,
        inner: &Node,
        at: u32,
        reflector: &mut Reflector,
    ) -> Result<u32, Mismatch> {
        match &inner.kind {
            Kind::Sequence { parts, has_parts } => {
                let mut end = at;
                for part in parts {
                    end = self.direct_part(grammar, *part, *has_parts, end, reflector)?;
                }
                Ok(end)
            }
            Kind::Choice { site, weights, at_rest, arms } => {
                let Decision::Arm(table) = &inner.decision else {
                    return self.direct_undecided(node, at, reflector);
                };
                let arm = self.decided_arm(grammar, arms, weights, table, at).ok_or(Mismatch)?;
                let mut end = at;
                let body = |reflector: &mut Reflector| {
                    reflector.pick(site, weights_now(weights, at_rest, reflector), arm)?;
                    end = self.direct(grammar, arms[arm], at, reflector)?;
                    Ok(())
                };
                call(inner, site, reflector, body)?;
                Ok(end)
            }
            Kind::Rule { site, body } => {
                let mut end = at;
                let body = |reflector: &mut Reflector| {
                    end = self.direct(grammar, *body, at, reflector)?;
                    Ok(())
                };
                call(inner, site, reflector, body)?;
                Ok(end)
            }
            Kind::Repeat { .. } if !matches!(inner.decision, Decision::Undecided) => {
                self.direct_repeat(grammar, inner, at, reflector)
            }
            _ => self.direct_undecided(node, at, reflector),
        }
    }

    #[cold]
    fn note(&mut self, node: u32, at: u32) {
        if let Some(trace) = &mut self.trace {
            trace.look_for(&self.grammar, node, at);
        }
    }

    #[inline(always)]
    fn direct_part(
        &mut self,
        grammar: &Grammar,
        part: u32,
        is_part: bool,
        at: u32,
        reflector: &mut Reflector,
    ) -> Result<u32, Mismatch> {
        let node = grammar.node(part);
        if !is_part || node.is_silent || is_one_node(node) {
            return self.direct(grammar, part, at, reflector);
        }
        self.direct_bracketed(grammar, part, at, reflector)
    }

    #[inline]
    fn direct_bracketed(
        &mut self,
        grammar: &Grammar,
        part: u32,
        at: u32,
        reflector: &mut Reflector,
    ) -> Result<u32, Mismatch> {
        let mut end = at;
        let body = |reflector: &mut Reflector| {
            end = self.direct(grammar, part, at, reflector)?;
            Ok(())
        };
        match is_several_nodes(grammar.node(part)) {
            true => reflector.bracketed_part(body)?,
            false => reflector.part_at(&[], body)?,
        }
        Ok(end)
    }

    #[inline(always)]
    fn decided_arm(
        &self,
        grammar: &Grammar,
        arms: &[u32],
        weights: &[u32],
        table: &[u16; 129],
        at: u32,
    ) -> Option<usize> {
        let text = self.input.text;
        let code = match text.as_bytes().get(at as usize) {
            None => 128,
            Some(byte) if *byte < 128 => usize::from(*byte),
            Some(_) => return self.arm_beyond_ascii(grammar, arms, weights, at),
        };
        match table[code] {
            NO_ARM => None,
            SEVERAL => self.arm_by_literal(grammar, arms, weights, at),
            arm => Some(usize::from(arm)),
        }
    }

    /// The arm whose leading literal is there.
    #[inline(never)]
    fn arm_by_literal(&self, grammar: &Grammar, arms: &[u32], weights: &[u32], at: u32) -> Option<usize> {
        let rest = &self.input.text[at as usize..];
        let fits = |arm: &usize| {
            let lead = &*grammar.node(arms[*arm]).lead;
            weights[*arm] != 0 && !lead.is_empty() && rest.starts_with(lead)
        };
        (0..arms.len()).find(fits)
    }

    #[cold]
    fn arm_beyond_ascii(&self, grammar: &Grammar, arms: &[u32], weights: &[u32], at: u32) -> Option<usize> {
        let (code, rest) = (self.input.code_at(at), &self.input.text[at as usize..]);
        let mut nullable = None;
        for (place, arm) in arms.iter().enumerate() {
            if weights[place] == 0 {
                continue;
            }
            let node = grammar.node(*arm);
            if node.first.contains(code) && rest.starts_with(&*node.lead) {
                return Some(place);
            }
            if node.is_nullable {
                nullable = Some(place);
            }
        }
        nullable
    }

    /// The index of the character at a position, and where it ends.
    #[inline(always)]
    fn char_of(&self, class: &Class, at: u32) -> Option<(u64, u32)> {
        match self.input.text.as_bytes().get(at as usize) {
            Some(byte) if *byte < 128 => {
                let index = class.ascii_index(*byte);
                (index != ABSENT).then_some((u64::from(index), at + 1))
            }
            Some(_) => {
                let character = self.input.text[at as usize..].chars().next()?;
                Some((class.index_of(character)?, at + character.len_utf8() as u32))
            }
            None => None,
        }
    }

    /// Characters of a class, as many as there are: they are counted first.
    fn direct_chars(
        &mut self,
        class: &Class,
        min: usize,
        max: usize,
        at: u32,
        reflector: &mut Reflector,
    ) -> Result<u32, Mismatch> {
        let (mut end, mut count) = (at, 0);
        while count < max
            && let Some((_, next)) = self.char_of(class, end)
        {
            end = next;
            count += 1;
        }
        if count < min {
            self.note_class(class, end);
            return Err(Mismatch);
        }
        if count < max && self.trace.is_some() {
            self.note_class(class, end);
        }
        reflector.repeat(count, min, max, &"", |reflector| {
            let mut next = at;
            while next < end {
                let (index, after) = self.char_of(class, next).ok_or(Mismatch)?;
                reflector.number(index, class.last(), class.distribution)?;
                next = after;
            }
            Ok(())
        })?;
        Ok(end)
    }

    #[inline]
    fn note_class(&mut self, class: &Class, at: u32) {
        if let Some(trace) = &mut self.trace {
            trace.expect(at, || class.to_string());
        }
    }

    #[inline(never)]
    fn direct_repeat(
        &mut self,
        grammar: &Grammar,
        node: &Node,
        at: u32,
        reflector: &mut Reflector,
    ) -> Result<u32, Mismatch> {
        let Kind::Repeat { item, separator, min, max } = node.kind else { return Err(Mismatch) };
        let (how_many, size) = node.share.of(reflector.size());
        if let (Kind::Class(class), None) = (&grammar.node(item).kind, separator) {
            return reflector.resized(how_many, |reflector| self.direct_chars(class, min, max, at, reflector));
        }
        let mut end = at;
        let mut items = |reflector: &mut Reflector| {
            let mut count = 0;
            while count < max {
                let next = separator.filter(|_| count > 0).unwrap_or(item);
                if count >= min && !self.begins(grammar, next, item, end) {
                    break;
                }
                end = match separator {
                    Some(separator) if count > 0 => self.direct_separated(grammar, separator, item, end, reflector)?,
                    _ => self.direct_item(grammar, item, end, reflector)?,
                };
                count += 1;
            }
            Ok(count)
        };
        reflector.resized(how_many, |reflector| {
            reflector.counted_repeat(min, max, |reflector| reflector.resized(size, &mut items))
        })?;
        Ok(end)
    }

    /// An item of a repeat is a part even where it makes no choice.
    #[inline(always)]
    fn direct_item(
        &mut self,
        grammar: &Grammar,
        item: u32,
        at: u32,
        reflector: &mut Reflector,
    ) -> Result<u32, Mismatch> {
        if is_one_node(grammar.node(item)) {
            return self.direct(grammar, item, at, reflector);
        }
        self.direct_bracketed(grammar, item, at, reflector)
    }

    /// Whether the next character begins another item, or the separator before it.
    #[inline]
    fn begins(&mut self, grammar: &Grammar, next: u32, item: u32, at: u32) -> bool {
        let code = match self.input.text.as_bytes().get(at as usize) {
            Some(byte) if *byte < 128 => u32::from(*byte),
            None => END,
            Some(_) => self.input.code_at(at),
        };
        let node = grammar.node(next);
        let begins = node.first.contains(code) || (node.is_nullable && grammar.node(item).first.contains(code));
        if !begins && let Some(trace) = &mut self.trace {
            trace.look_for(&self.grammar, next, at);
            trace.look_into(&self.grammar, next, at);
        }
        begins
    }

    /// The separator stands before the item in the text, and behind it in the choices.
    fn direct_separated(
        &mut self,
        grammar: &Grammar,
        separator: u32,
        item: u32,
        at: u32,
        reflector: &mut Reflector,
    ) -> Result<u32, Mismatch> {
        let is_silent = grammar.node(separator).is_silent;
        let middle = match is_silent {
            true => self.direct(grammar, separator, at, reflector)?,
            false => self.direct(grammar, separator, at, &mut reflector.accepting_beside())?,
        };
        if is_silent {
            return self.direct_item(grammar, item, middle, reflector);
        }
        let mut end = middle;
        let is_part = !grammar.node(item).is_silent;
        let body = |reflector: &mut Reflector| {
            end = self.direct_part(grammar, item, is_part, middle, reflector)?;
            self.direct_part(grammar, separator, is_part, at, reflector).map(|_| ())
        };
        match is_part {
            true => reflector.bracketed_part(body)?,
            false => reflector.part_at(&[], body)?,
        }
        Ok(end)
    }

    /// A node where the next character does not decide: all its ends are looked for, and one must
    /// be the only one.
    #[inline(never)]
    fn direct_undecided(&mut self, node: u32, at: u32, reflector: &mut Reflector) -> Result<u32, Mismatch> {
        let before = std::mem::replace(&mut self.stack, reflector.stack());
        let trace = self.trace.take();
        self.is_aside = true;
        let ends = self.find_ends(node, at);
        self.is_aside = false;
        let result = match ends[..] {
            [] => Err(Mismatch),
            _ if self.is_too_much => Err(Mismatch),
            [end] => self.reflect_found(node, at, end, reflector).map(|()| end),
            _ => {
                self.is_given_up = true;
                Err(Mismatch)
            }
        };
        if self.is_too_much {
            (self.is_too_much, self.is_given_up) = (false, true);
        }
        if trace.is_some() {
            // Once more, to learn what is expected.
            self.chart = Chart::default();
            self.bound.clear();
            self.trace = trace;
            self.find_ends(node, at);
            self.chart = Chart::default();
        }
        self.forget();
        self.stack = before;
        result
    }
}

/// Whether the choices of a node are one node of the tree whatever it is, so that it needs no
/// bracket as a part.
pub(super) fn is_one_node(node: &Node) -> bool {
    matches!(node.kind, Kind::Class(_) | Kind::Choice { .. } | Kind::Repeat { .. } | Kind::Rule { .. })
}

/// Whether they are several nodes whatever it is, so that as a part it always needs one.
pub(super) fn is_several_nodes(node: &Node) -> bool {
    matches!(node.kind, Kind::Sequence { has_parts: true, .. })
}

/// Notes a part of a sequence.
pub(super) fn part(
    node: &Node,
    is_part: bool,
    reflector: &mut Reflector,
    body: impl FnOnce(&mut Reflector) -> Reflected,
) -> Reflected {
    if node.is_silent {
        return Ok(());
    }
    if !is_part || is_one_node(node) { body(reflector) } else { reflector.part_at(&[], body) }
}

/// The bracket of a rule or a choice, and a level of recursion if it is one.
#[inline(always)]
pub(super) fn call(
    node: &Node,
    site: &'static Site,
    reflector: &mut Reflector,
    mut body: impl FnMut(&mut Reflector) -> Reflected,
) -> Reflected {
    let is_level = node.is_level && reflector.is_weighing();
    reflector.call(
        site,
        || None,
        std::ptr::null(),
        |reflector| {
            if is_level { reflector.level(false, &mut body) } else { body(reflector) }
        },
    )
}

/// The weights that chance goes by: others where no size is left.
#[inline(always)]
pub(super) fn weights_now<'w>(weights: &'w [u32], at_rest: &'w [u32], reflector: &Reflector) -> &'w [u32] {
    if reflector.size() == 0 && reflector.is_weighing() { at_rest } else { weights }
}

#[cfg(test)]
mod tests {
    use crate::choice::MOVED;
    use crate::prelude::*;

    #[test]
    fn brackets_are_not_put_around_what_was_noted() {
        let json = text::json();
        let deep = format!("{}{}2{}{}", "[".repeat(500), "[1 , ".repeat(500), " ]".repeat(500), "]".repeat(500));
        MOVED.set(0);
        let choices = json.choices_of(&deep).unwrap();
        assert_eq!(json.replay(&choices), deep);
        assert_eq!(json.mutate(&deep, 1).map(|mutant| json.accepts(&mutant)), Ok(true));
        let recorded = json.sample_choices(3);
        assert_eq!(json.choices_of(&json.sample(3)).unwrap(), recorded);
        assert_eq!(MOVED.get(), 0);
    }
}
