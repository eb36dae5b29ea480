//! Forward: a grammar writes a text.

use super::chart::MOST_DEPTH;
use super::compile::compile_in;
use super::direct::is_several_nodes;
use super::expected;
use super::grammar::{Grammar, Kind};
use crate::source::{Drawn, Form, Source, Why};

impl Grammar {
    /// Writes a text of a node behind what was written before.
    pub(super) fn write(&self, node: u32, source: &mut Source<'_>, written: &mut String) -> Drawn<()> {
        let is_level = self.node(node).is_level;
        match &self.node(node).kind {
            Kind::Literal(literal) => written.push_str(literal),
            Kind::Class(class) => {
                let index = source.number(class.last(), class.distribution)?;
                written.push(class.char_at(index));
            }
            Kind::Sequence { parts, has_parts } => {
                for part in parts {
                    self.write_part(*part, *has_parts, source, written)?;
                }
            }
            Kind::Choice { site, weights, at_rest, arms } => source.call(site, |source| {
                leveled(is_level, source, |source| {
                    let weights = if source.size() == 0 { at_rest } else { weights };
                    let arm = source.pick(site, weights)?;
                    source.freely(|| self.form(arms[arm]), |source| self.write(arms[arm], source, written))
                })
            })?,
            Kind::Rule { site, body } => {
                source.call(site, |source| leveled(is_level, source, |source| self.write(*body, source, written)))?
            }
            Kind::Repeat { min, max, .. } => {
                let (how_many, size) = self.node(node).share.of(source.size());
                source.resized(how_many, |source| {
                    source.repeat(*min, *max, |source, count| {
                        source.resized(size, |source| self.write_items(node, count, source, written))?;
                        Ok(((), count))
                    })
                })?
            }
            // No bracket of a call grows the stack here.
            Kind::Bind { .. } if source.is_low() => {
                return source.deeper(|source| self.write(node, source, written));
            }
            Kind::Bind { .. } if self.depth >= MOST_DEPTH => return Err(source.stop(Why::Other(self.never_ends()))),
            Kind::Bind { first, then, scope } => {
                let start = written.len();
                source.part(|source| self.write(*first, source, written))?;
                let text = then(&written[start..]);
                let identity = Form::of(&(self.identity, node, &written[start..])).identity();
                let mut grammar = compile_in(&text, scope, self.node(node).follow.clone(), identity);
                grammar.depth = self.depth + 1;
                if let Some(fault) = &grammar.fault {
                    let fault = expected::of_bound(&written[start..], fault);
                    return Err(source.stop(Why::Invalid(fault)));
                }
                source
                    .free_part(|| grammar.form(grammar.root), |source| grammar.write(grammar.root, source, written))?;
            }
            Kind::Computed(shown) => written.push_str(&shown.write(source)?),
        }
        Ok(())
    }

    fn write_items(&self, node: u32, count: usize, source: &mut Source<'_>, written: &mut String) -> Drawn<()> {
        let Kind::Repeat { item, separator, .. } = &self.node(node).kind else { return Ok(()) };
        for place in 0..count {
            match separator {
                Some(separator) if place > 0 => source.free_part(
                    || Form::of(&(self.identity, node, *separator)),
                    |source| match self.is_several_nodes(*separator, *item) {
                        true => source.in_bracket(|source| self.write_separated(*separator, *item, source, written)),
                        false => self.write_separated(*separator, *item, source, written),
                    },
                )?,
                _ => self.write_free(*item, source, written)?,
            }
        }
        Ok(())
    }

    #[cold]
    fn never_ends(&self) -> String {
        let name = self.node(self.root).name.as_ref();
        let name = name.map_or_else(|| "this text".to_owned(), |name| format!("the rule `{name}`"));
        format!(
            "{name} never ends, or hardly ever: {MOST_DEPTH} texts that `bind` made lie in each other; \
             let what follows end without coming back to the rules around it, for the simplest of what is written"
        )
    }

    fn write_part(&self, part: u32, is_part: bool, source: &mut Source<'_>, written: &mut String) -> Drawn<()> {
        match is_part && !self.node(part).is_silent {
            true => self.write_free(part, source, written),
            false => self.write(part, source, written),
        }
    }

    /// Writes a part that nothing hangs on. If it is one node, weights need no bracket to know
    /// where it stands.
    fn write_free(&self, part: u32, source: &mut Source<'_>, written: &mut String) -> Drawn<()> {
        let kind = &self.node(part).kind;
        let is_one_node =
            matches!(kind, Kind::Class(_) | Kind::Choice { .. } | Kind::Rule { .. } | Kind::Repeat { .. });
        if is_one_node && source.has_weights() {
            return self.write(part, source, written);
        }
        let is_several_nodes = is_several_nodes(self.node(part));
        source.free_part(
            || self.form(part),
            |source| match is_several_nodes {
                true => source.in_bracket(|source| self.write(part, source, written)),
                false => self.write(part, source, written),
            },
        )
    }

    /// Whether an item with the separator before it is several nodes of the tree whatever they are.
    fn is_several_nodes(&self, separator: u32, item: u32) -> bool {
        match self.node(separator).is_silent {
            true => is_several_nodes(self.node(item)),
            false => !self.node(item).is_silent,
        }
    }

    /// The item is chosen before the separator that is written before it: then each is found where
    /// it was, whichever item becomes the first.
    fn write_separated(&self, separator: u32, item: u32, source: &mut Source<'_>, written: &mut String) -> Drawn<()> {
        // If only one of them makes choices, it has the part around both to itself.
        let is_part = !self.node(separator).is_silent && !self.node(item).is_silent;
        let start = written.len();
        self.write_part(item, is_part, source, written)?;
        let item = written.split_off(start);
        self.write_part(separator, is_part, source, written)?;
        written.push_str(&item);
        Ok(())
    }
}

fn leveled<'s>(is_level: bool, source: &mut Source<'s>, body: impl FnOnce(&mut Source<'s>) -> Drawn<()>) -> Drawn<()> {
    if is_level { source.level(false, body) } else { body(source) }
}
