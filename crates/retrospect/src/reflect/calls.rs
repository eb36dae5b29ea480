//! Calls that cannot simply run, because the stack is low or because what is found out is remembered.
//!
//! None of this is written down once more for each generator, and neither is its body: with [`Reflector::call_again`] the generator is asked *again*
//! after the call was seen to.

use super::memory::{Key, Outcome, Recalled};
use super::{Mismatch, Mode, Reflected, Reflector};
use crate::choice::{Entry, Kind, Site};
use crate::stack::{MAX_STACK, grow};

impl Reflector {
    /// [`call`](Reflector::call) for a generator that is asked `again` where `body` cannot run at once.
    #[doc(hidden)]
    #[inline(always)]
    pub fn call_again(
        &mut self,
        site: &'static Site,
        identity: impl Fn() -> Option<u64>,
        address: *const (),
        again: impl Fn(&mut Reflector) -> Reflected,
        body: impl FnOnce(&mut Reflector) -> Reflected,
    ) -> Reflected {
        if !self.calls_apart() {
            self.calls += 1;
        } else if !std::mem::take(&mut self.is_told) {
            let mut again = |reflector: &mut Reflector| {
                reflector.is_told = true;
                again(reflector)
            };
            return self.call_apart(site, &mut || identity(), address, &mut again);
        }
        self.plain_call(site, body)
    }

    /// Whether there is more to a call than to look.
    #[inline(always)]
    pub(super) fn calls_apart(&self) -> bool {
        self.stack.is_low() || self.is_remembering
    }

    /// A call for which there is more to do; `body` looks at the part inside its bracket.
    #[cold]
    #[inline(never)]
    pub(super) fn call_apart(
        &mut self,
        site: &'static Site,
        identity: &mut dyn FnMut() -> Option<u64>,
        address: *const (),
        body: &mut dyn FnMut(&mut Reflector) -> Reflected,
    ) -> Reflected {
        if !self.stack.is_low() {
            self.calls += 1;
            return self.remembered_call(site, identity, address, body);
        }
        // A generator that calls itself on the same part would go on for ever: from here on that is noticed.
        self.remember();
        let mut result = Err(Mismatch);
        let mut call = |reflector: &mut Reflector| result = reflector.call_apart(site, identity, address, body);
        match grow(self, |reflector| &mut reflector.stack, &mut call) {
            Some(()) => result,
            None => self.mismatch(&format_args!("this part"), || {
                let name = site.name();
                format!("it is nested too deep in `{name}`: it takes more than {} MB of stack", MAX_STACK >> 20)
            }),
        }
    }

    fn remembered_call(
        &mut self,
        site: &'static Site,
        identity: &mut dyn FnMut() -> Option<u64>,
        address: *const (),
        body: &mut dyn FnMut(&mut Reflector) -> Reflected,
    ) -> Reflected {
        if self.calls > self.most_calls {
            return Err(Mismatch);
        }
        let Some(identity) = identity() else {
            return self.unshared_call(site, body);
        };
        let key = Key {
            site: site.id(),
            identity,
            address: address.addr() as u64,
            temporary: self.memory.temporary(),
            context: self.context(),
        };
        if self.mode == Mode::AllWays {
            return self.shared_call(key, site, body);
        }
        let recalled = self.memory.recall(&key);
        match recalled {
            // Reasons were noted when it failed first, but perhaps by another path; looking again costs only when explaining.
            Recalled::Failed | Recalled::UnderWay => return Err(Mismatch),
            Recalled::Made if self.is_accepting() => return Ok(()),
            Recalled::Made | Recalled::Nothing => {}
        }
        self.depth += 1;
        let was_checking = self.is_checking;
        self.is_checking |= matches!(recalled, Recalled::Made);
        let outer = self.memory.begin(key, self.depth);
        let result = body(self);
        let outcome = if result.is_ok() { Outcome::Made } else { Outcome::Failed };
        self.memory.end(key, self.depth, outcome, outer);
        self.is_checking = was_checking;
        self.depth -= 1;
        result
    }

    fn unshared_call(&mut self, site: &'static Site, body: &mut dyn FnMut(&mut Reflector) -> Reflected) -> Reflected {
        if self.mode != Mode::AllWays {
            return body(self);
        }
        self.builder().open(Entry::bracket(Kind::Call, site.id()));
        body(self)?;
        self.builder().close();
        Ok(())
    }

    /// A call whose ways are shared by all who ask for the same part of the same generator.
    fn shared_call(
        &mut self,
        key: Key,
        site: &'static Site,
        body: &mut dyn FnMut(&mut Reflector) -> Reflected,
    ) -> Reflected {
        if let Some(node) = self.memory.shared(&key) {
            if !self.builder().may_be_made(node) {
                return Err(Mismatch);
            }
            // If the node is still under way, this is a cycle: there are infinitely many ways, unless this one leads nowhere.
            self.builder().refer_to(node);
            return Ok(());
        }
        let outer = self.builder().begin_node();
        let node = outer.node();
        self.memory.share(key, node);
        self.builder().open(Entry::bracket(Kind::Call, site.id()));
        let result = body(self);
        if result.is_ok() {
            self.builder().close();
        }
        self.builder().end_alternative(result.is_ok());
        self.builder().end_node(outer)
    }
}
