//! Calls that cannot simply run, because the stack is low or because what is found out is
//! remembered.
//!
//! None of this is written down once more for each generator, and neither is its body: with
//! [`Reflector::call_again`] the generator is asked *again* after the call was seen to. Values may
//! be deep, and each of these frames lies on the stack once for each level of them: they are kept
//! small by not being inlined into each other.

use super::memory::{Key, Outcome, Part, Recalled};
use super::{Mismatch, Mode, Reflected, Reflector};
use crate::choice::{Entry, Kind, Site};
use crate::stack::{MAX_STACK, grow};
use std::fmt::Debug;

/// How often parts are looked at before the ways that are left are cut off.
struct Most {
    /// One part, by one generator with whatever arguments. It is a bound on calls that stay at a
    /// part: a value may be as deep as it likes.
    at_part: u32,
    /// Each part on an average, by generators whose arguments cannot be told apart, after the first
    /// time.
    again: u32,
}

/// All ways end up in memory, and who counts them is told that some were cut off.
const MOST_OF_ALL_WAYS: Most = Most { at_part: 10_000, again: 64 };
/// Where one way is looked for, there is only a yes or a no, so it is looked for longer: some
/// seconds, before no is said.
const MOST_OF_ONE_WAY: Most = Most { at_part: 200_000, again: 1_000 };

/// What is said of ways that were cut off.
pub(super) fn not_followed(reason: &str) -> String {
    format!("not all ways were followed to their end: {reason}")
}

/// A generator that looks at a part; the key if it can be told apart from the same generator with
/// other arguments.
struct Call {
    site: &'static Site,
    part: Part,
    key: Option<Key>,
}

impl Reflector {
    /// Runs `body` on a value that lives only for this call, such as the result of an inverse:
    /// nothing is remembered of its address.
    ///
    /// ```
    /// use retrospect::choice::Site;
    /// use retrospect::{reflect::Reflector, source::Distribution};
    /// static DIGIT: Site = Site::call("digit", file!(), line!());
    /// let mut reflector = Reflector::all_ways();
    /// let mut place = 0u64; // The same address, for two values one after the other.
    /// for value in [3, 4] {
    ///     place = value;
    ///     let address = std::ptr::from_ref(&place).cast();
    ///     reflector.on_temporary(|reflector| {
    ///         reflector.call(&DIGIT, || Some(9), address, |reflector| reflector.number(value, 9, Distribution::Uniform))
    ///     }).unwrap();
    /// }
    /// assert_eq!(reflector.into_forest().first_way().unwrap().to_string(), "(3) (4)"); // Not `(3) (3)`.
    /// ```
    #[inline]
    pub fn on_temporary(&mut self, body: impl FnOnce(&mut Reflector) -> Reflected) -> Reflected {
        let before = self.memory.begin_temporary();
        let result = body(self);
        self.memory.end_temporary(before);
        result
    }

    /// The same for a value that is at hand: where the same value is made again and again, it may
    /// be known again by what `Debug` prints.
    #[doc(hidden)]
    #[inline]
    pub fn on_temporary_value<T: Debug>(
        &mut self,
        value: &T,
        body: impl FnOnce(&mut Reflector, &T) -> Reflected,
    ) -> Reflected {
        let before = match self.is_remembering {
            true => {
                let start = std::ptr::from_ref(value).addr() as u64;
                self.memory.begin_known_temporary(value, start, size_of::<T>() as u64)
            }
            false => self.memory.begin_temporary(),
        };
        let result = body(self, value);
        self.memory.end_temporary(before);
        result
    }

    /// [`call`](Reflector::call) for a generator that is asked `again` where `body` cannot run at
    /// once.
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

    /// A function of its own, so that the frame of its caller, which holds all that the body needs,
    /// is gone when the generator is asked again.
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
            return self.cut_off(|| "it would take too many calls".to_owned());
        }
        let part = self.memory.part(site.id(), address.addr() as u64);
        let call = Call { site, part, key: identity().map(|identity| Key::new(part, identity, self.context())) };
        match self.mode {
            Mode::AllWays => self.call_of_all_ways(&call, body),
            _ => self.remembered_call(&call, body),
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
        // A generator that calls itself on the same part would go on for ever: from here on that is
        // noticed.
        self.remember();
        let mut result = Err(Mismatch);
        let mut call = |reflector: &mut Reflector| result = reflector.call_apart(site, identity, address, body);
        match grow(self, |reflector| &mut reflector.stack, &mut call) {
            Some(()) => result,
            None => self.too_deep(site),
        }
    }

    #[cold]
    fn too_deep(&mut self, site: &'static Site) -> Reflected {
        let reason = || {
            format!("it is nested too deep in `{}`: it takes more than {} MB of stack", site.name(), MAX_STACK >> 20)
        };
        match self.mode {
            Mode::AllWays => self.cut_off(reason),
            _ => self.mismatch(&format_args!("this part"), reason),
        }
    }

    /// Gives up a way that is not followed to its end. Who asks for all ways is told, and so is who
    /// asks why there is none.
    #[cold]
    pub(super) fn cut_off(&mut self, reason: impl FnOnce() -> String) -> Reflected {
        if let Some(builder) = &mut self.forest {
            builder.cut_off(reason);
        } else if let Some(explanation) = &mut self.explanation {
            explanation.tried(Some(not_followed(&reason())));
        }
        Err(Mismatch)
    }

    /// Notes that a limit was met: a way that was not found may be there.
    #[cfg(feature = "text")]
    pub(crate) fn limit_met(&mut self, value: &dyn std::fmt::Debug, reason: &'static str) -> Reflected {
        self.limit = Some(reason);
        self.forward_only(value, || reason.to_owned())
    }

    /// Whether a value that was looked at can be made; or which limit leaves that open.
    pub(crate) fn answer(&self, reflected: Reflected) -> Result<bool, &'static str> {
        match (reflected, self.limit) {
            (Err(Mismatch), Some(limit)) => Err(limit),
            (reflected, _) => Ok(reflected.is_ok()),
        }
    }

    /// Notes that a part is looked at, once more if it was before: with other arguments, or with
    /// arguments that nobody can tell apart. Where that goes on and on, the generator calls itself
    /// with arguments that grow, or the looks multiply from level to level.
    #[inline(never)]
    fn look(&mut self, call: &Call) -> Reflected {
        let most = if self.mode == Mode::AllWays { &MOST_OF_ALL_WAYS } else { &MOST_OF_ONE_WAY };
        let name = call.site.name();
        let looks = self.memory.look(call.part, call.key.is_some());
        let is_too_often = looks.at_part > most.at_part;
        let is_too_often_on_average = looks.at_part > 1 && looks.again_on_average() > most.again;
        match call.key {
            _ if looks.is_copied && is_too_often_on_average => self.cut_off(|| {
                format!("`{name}` looks at the same parts of what an inverse or a focus gives again and again")
            }),
            Some(_) if is_too_often => self.cut_off(|| {
                let most = most.at_part;
                format!("`{name}` looks at the same part more than {most} times, each time with other arguments")
            }),
            None if is_too_often || is_too_often_on_average => self.cut_off(|| {
                let problem = "nobody can tell whether its arguments are the same: they need `Hash`";
                format!("`{name}` looks at the same parts again and again, and {problem}")
            }),
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn remembered_call(&mut self, call: &Call, body: &mut dyn FnMut(&mut Reflector) -> Reflected) -> Reflected {
        let Some(key) = call.key else {
            self.look(call)?;
            return body(self);
        };
        let recalled = self.memory.recall(&key);
        match recalled {
            // Reasons were noted when it failed first, but perhaps by another path; looking again
            // costs only when explaining.
            Recalled::Failed => return Err(Mismatch),
            Recalled::UnderWay => {
                self.has_met_itself = true;
                return Err(Mismatch);
            }
            Recalled::Made if self.is_accepting() => return Ok(()),
            Recalled::Made => {}
            Recalled::Nothing => self.look(call)?,
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
    fn call_of_all_ways(&mut self, call: &Call, body: &mut dyn FnMut(&mut Reflector) -> Reflected) -> Reflected {
        let open_count = self.open_call_of_weights(call.site);
        let result = match call.key {
            Some(key) => self.shared_call(key, call, body),
            None => self.unshared_call(call, body),
        };
        self.close_to_of_weights(open_count);
        result
    }

    #[inline(never)]
    fn unshared_call(&mut self, call: &Call, body: &mut dyn FnMut(&mut Reflector) -> Reflected) -> Reflected {
        self.look(call)?;
        self.builder().open(Entry::bracket(Kind::Call, call.site.id()));
        body(self)?;
        self.builder().close();
        Ok(())
    }

    /// A call whose ways are shared by all who ask for the same part of the same generator.
    #[inline(never)]
    fn shared_call(&mut self, key: Key, call: &Call, body: &mut dyn FnMut(&mut Reflector) -> Reflected) -> Reflected {
        if let Some(node) = self.memory.shared(&key) {
            if !self.builder().may_be_made(node) {
                return Err(Mismatch);
            }
            // If the node is still under way, this is a cycle: there are infinitely many ways,
            // unless this one leads nowhere.
            self.builder().refer_to(node);
            return Ok(());
        }
        self.look(call)?;
        let outer = self.builder().begin_node();
        let node = outer.node();
        self.memory.share(key, node);
        self.builder().open(Entry::bracket(Kind::Call, call.site.id()));
        let result = body(self);
        if result.is_ok() {
            self.builder().close();
        }
        self.builder().end_alternative(result.is_ok());
        self.builder().end_node(outer)
    }
}
