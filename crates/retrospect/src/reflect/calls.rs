//! Calls that cannot simply run, because the stack is low or because what is found out is remembered.
//!
//! None of this is written down once more for each generator, and neither is its body: with [`Reflector::call_again`] the generator is asked *again*
//! after the call was seen to. Values may be deep, and each of these frames lies on the stack once for each level of them: they are kept small by not being
//! inlined into each other.

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
            return self.call_asking_again(site, identity, address, again);
        }
        self.plain_call(site, body)
    }

    /// A function of its own, so that the frame of its caller, which holds all that the body needs, is gone when the generator is asked again.
    #[cold]
    #[inline(never)]
    fn call_asking_again(
        &mut self,
        site: &'static Site,
        identity: impl Fn() -> Option<u64>,
        address: *const (),
        again: impl Fn(&mut Reflector) -> Reflected,
    ) -> Reflected {
        let mut again = |reflector: &mut Reflector| {
            reflector.is_told = true;
            again(reflector)
        };
        self.call_apart(site, &mut || identity(), address, &mut again)
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
        if self.stack.is_low() {
            return self.deeper(site, identity, address, body);
        }
        self.calls += 1;
        if self.calls > self.most_calls {
            return Err(Mismatch);
        }
        let key = identity().map(|identity| Key {
            site: site.id(),
            identity,
            address: address.addr() as u64,
            temporary: self.memory.temporary(),
            context: self.context(),
        });
        match (self.mode, key) {
            (Mode::AllWays, key) => self.call_of_all_ways(key, site, body),
            (_, Some(key)) => self.remembered_call(key, body),
            (_, None) => body(self),
        }
    }

    /// The same where there is room on the stack.
    #[inline(never)]
    fn deeper(
        &mut self,
        site: &'static Site,
        identity: &mut dyn FnMut() -> Option<u64>,
        address: *const (),
        body: &mut dyn FnMut(&mut Reflector) -> Reflected,
    ) -> Reflected {
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

    #[inline(never)]
    fn remembered_call(&mut self, key: Key, body: &mut dyn FnMut(&mut Reflector) -> Reflected) -> Reflected {
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

    #[inline(never)]
    fn call_of_all_ways(
        &mut self,
        key: Option<Key>,
        site: &'static Site,
        body: &mut dyn FnMut(&mut Reflector) -> Reflected,
    ) -> Reflected {
        let open_count = self.open_call_of_weights(site);
        let result = match key {
            Some(key) => self.shared_call(key, site, body),
            None => self.unshared_call(site, body),
        };
        self.close_to_of_weights(open_count);
        result
    }

    #[inline(never)]
    fn unshared_call(&mut self, site: &'static Site, body: &mut dyn FnMut(&mut Reflector) -> Reflected) -> Reflected {
        self.builder().open(Entry::bracket(Kind::Call, site.id()));
        body(self)?;
        self.builder().close();
        Ok(())
    }

    /// A call whose ways are shared by all who ask for the same part of the same generator.
    #[inline(never)]
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
