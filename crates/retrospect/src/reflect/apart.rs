//! What reflects a value that is no tree: the parts of a text may be split in many ways, and the
//! same part belongs to many of them.

use super::forest::Outer;
use super::simplest::{LONGEST, cost_of};
use super::{Forest, Mismatch, Mode, Reflected, Reflector};
use crate::choice::{Choices, Entry, Frame};
use crate::source::{Extent, Rng};
use crate::stack::Stack;
use std::cell::{Cell, RefCell};

/// How many nodes of a way are drawn at random, before it ends in the simplest way.
const RANDOM_NODES: u32 = 24;

impl Reflector {
    /// A reflector that only finds out whether there is a way, and watches the stack as `stack`
    /// does.
    pub(crate) fn accepting_on(stack: Stack) -> Reflector {
        Reflector { plain_above: stack.low(), stack, ..Reflector::accepting() }
    }

    /// Another reflector on the same stack that only finds out whether there is a way.
    pub(crate) fn accepting_beside(&self) -> Reflector {
        Reflector::accepting_on(self.stack)
    }

    pub(crate) fn stack(&self) -> Stack {
        self.stack
    }

    /// Runs `body`, which notes all ways of a part that is known to have one, and takes what is
    /// wanted of them.
    pub(crate) fn by_forest(&mut self, mut body: impl FnMut(&mut Reflector) -> Reflected) -> Reflected {
        match self.mode {
            Mode::Accept | Mode::Explain => Ok(()),
            Mode::AllWays => body(self),
            Mode::Record => {
                let all_ways = || Reflector { stack: self.stack, size: self.size, ..Reflector::all_ways() };
                let mut noted = all_ways();
                noted.builder().takes_first = true;
                body(&mut noted)?;
                // Where a part leads to itself, its first alternative may be one that never ends.
                if noted.builder().has_cycle {
                    noted = all_ways();
                    body(&mut noted)?;
                }
                self.record.append(noted.into_forest().first_way().ok_or(Mismatch)?);
                Ok(())
            }
        }
    }

    /// Whether of all ways the first is enough.
    pub(crate) fn is_first_enough(&mut self) -> bool {
        self.builder().takes_first
    }

    /// Whether nothing is noted.
    pub(crate) fn only_accepts(&self) -> bool {
        matches!(self.mode, Mode::Accept | Mode::Explain)
    }

    /// Whether one way is wanted, whichever.
    pub(crate) fn is_one_way_enough(&self) -> bool {
        self.mode != Mode::AllWays
    }

    /// Looks at items whose number is known only afterwards: `body` returns it, and sees to it that
    /// there are `min` to `max`.
    #[inline]
    pub(crate) fn counted_repeat(
        &mut self,
        min: usize,
        max: usize,
        body: impl FnOnce(&mut Reflector) -> Result<usize, Mismatch>,
    ) -> Reflected {
        let place = match self.mode {
            Mode::Record => self.record.open_repeat(0).at as usize,
            Mode::Accept | Mode::Explain => 0,
            Mode::AllWays => self.builder().open(Entry::repeat(0)),
        };
        let list = self.open_list_of_weights();
        let count = body(self)?;
        debug_assert!((min..=max).contains(&count));
        match self.mode {
            Mode::Record => {
                let frame = Frame { at: place as u32 };
                self.record.set_repeat_count(frame, count);
                self.record.close(frame);
            }
            Mode::Accept | Mode::Explain => {}
            Mode::AllWays => {
                self.builder().set_count(place, count);
                self.weigh_length(list, Extent::NUMBER, count, min, max)?;
                self.close_repeat_of_all_ways();
            }
        }
        Ok(())
    }

    /// A part that is known to be several nodes. Its bracket is there from the beginning: put
    /// around what was noted, it would move all of that, and where such parts lie in each other,
    /// each of them would.
    #[inline(always)]
    pub(crate) fn bracketed_part(&mut self, body: impl FnOnce(&mut Reflector) -> Reflected) -> Reflected {
        if self.mode != Mode::Record {
            return self.part_at(&[], body);
        }
        let frame = self.record.open_part();
        body(self)?;
        self.record.close(frame);
        Ok(())
    }

    // The rest is for a reflector of all ways.

    /// Begins a node that others may refer to, even while it is looked at.
    pub(crate) fn begin_node(&mut self) -> Outer {
        self.builder().begin_node()
    }

    /// Ends an alternative of the node that was begun last.
    pub(crate) fn end_alternative(&mut self, fits: bool) {
        self.builder().end_alternative(fits);
    }

    /// Ends a node of one alternative, and refers to it.
    pub(crate) fn end_node(&mut self, outer: Outer, fits: bool) -> Reflected {
        self.builder().end_alternative(fits);
        self.builder().end_node(outer)
    }

    /// Ends a node that nobody refers to yet; says whether it has a way.
    pub(crate) fn end_detached(&mut self, outer: Outer) -> bool {
        self.builder().end_detached(outer)
    }

    /// The list around has so many items more than it was said to have.
    pub(crate) fn add_items(&mut self, more: u32) {
        if more > 0 {
            self.builder().push_more(more);
        }
    }

    /// A part whose ways are those of a node that was begun before.
    pub(crate) fn refer_to(&mut self, node: usize) -> Reflected {
        if !self.builder().may_be_made(node) {
            return Err(Mismatch);
        }
        self.builder().refer_to(node);
        Ok(())
    }
}

impl Forest {
    /// A way that is drawn at random: any alternative of the first nodes that one comes to, and
    /// then the simplest.
    pub(crate) fn random_way(&self, rng: &mut Rng) -> Option<Choices> {
        let costs = self.costs();
        let (rng, left) = (RefCell::new(rng), Cell::new(RANDOM_NODES));
        self.way(LONGEST, |node| {
            let (_, simplest) = costs[node]?;
            if left.get() == 0 {
                return Some(simplest);
            }
            let mut possible = Vec::new();
            for (place, alternative) in self.alternatives(node).enumerate() {
                if cost_of(alternative, &costs).is_some() {
                    possible.push(place);
                }
            }
            if possible.len() < 2 {
                return Some(simplest);
            }
            left.set(left.get() - 1);
            let drawn = rng.borrow_mut().at_most(possible.len() as u64 - 1);
            Some(possible[drawn as usize])
        })
    }
}
