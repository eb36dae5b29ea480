//! Room for recursion on deep values.
//!
//! Generators recurse as deep as their values do. A test thread has 2 MB of stack; a tree 100,000
//! levels deep needs more. Instead of overflowing, a source or a reflector continues on a fresh,
//! larger stack when the present one runs low.

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod mapped;

/// Runs `work` with 512 MB of stack, of which only what is used takes memory.
///
/// Generating, reflecting, replaying and reading grow the stack as they go. This is for what a
/// *derived* implementation does with a deep value: dropping, comparing, printing or cloning a tree
/// that is 100,000 levels deep. The library does so itself; your own code may have to.
///
/// ```
/// struct Chain(Option<Box<Chain>>);
/// let mut chain = Chain(None);
/// for _ in 0..1_000_000 {
///     chain = Chain(Some(Box::new(chain)));
/// }
/// retrospect::with_deep_stack(move || drop(chain)); // a plain `drop` overflows the stack
/// ```
pub fn with_deep_stack<R>(work: impl FnOnce() -> R) -> R {
    let mut result = None;
    let mut work = Some(work);
    on_new_stack(512 << 20, &mut || result = work.take().map(|work| work()));
    result.expect("what runs on another stack returns, or unwinds through it")
}

/// Watches how far the stack has grown and knows how to continue elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stack {
    /// Below this address the stack is running low.
    low: usize,
    /// The size of the present segment, and of all segments together.
    segment: usize,
    total: usize,
}

/// How much stack deep recursion may take before it is an error. Only what is used takes memory.
pub(crate) const MAX_STACK: usize = 768 << 20;
/// What a thread is assumed to have left when a source or reflector is made, less a reserve for the
/// code in between.
const FIRST_SEGMENT: usize = 256 << 10;
/// What stays free at the end of a segment for the frames between two checks and for the user's own
/// code.
const RESERVE: usize = 512 << 10;

impl Stack {
    #[inline]
    pub(crate) fn here() -> Stack {
        Stack { low: address().saturating_sub(FIRST_SEGMENT), segment: 2 << 20, total: 0 }
    }

    /// The address below which the stack is running low.
    pub(crate) fn low(&self) -> usize {
        self.low
    }

    #[inline(always)]
    pub(crate) fn is_low(&self) -> bool {
        address() < self.low
    }

    /// The watch to use on the next segment. Segments double, so there are few of them however deep
    /// it goes.
    fn next(&self) -> Option<Stack> {
        let segment = (self.segment * 2).min(256 << 20);
        let total = self.total + segment;
        (total <= MAX_STACK).then_some(Stack { low: 0, segment, total })
    }
}

/// Runs `work` on the next segment, unless there are too many already. `watch` is where the stack's
/// state lives inside `owner`.
///
/// What is run is not known by its type: all generators share what is compiled for this.
#[cold]
#[inline(never)]
pub(crate) fn grow<O>(owner: &mut O, watch: fn(&mut O) -> &mut Stack, work: &mut dyn FnMut(&mut O)) -> Option<()> {
    let before = *watch(owner);
    let mut next = before.next()?;
    on_new_stack(next.segment, &mut || {
        next.low = address().saturating_sub(next.segment - RESERVE);
        *watch(owner) = next;
        work(owner);
    });
    *watch(owner) = before;
    Some(())
}

fn on_new_stack(size: usize, work: &mut dyn FnMut()) {
    match new_stack(size) {
        Some(stack) => corosensei::on_stack(stack, work),
        // No memory for another stack: what is left of this one may still be enough.
        None => work(),
    }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn new_stack(size: usize) -> Option<mapped::MappedStack> {
    mapped::MappedStack::new(size)
}

// The condition stands in `Cargo.toml` as well, which asks for this stack there.
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn new_stack(size: usize) -> Option<corosensei::stack::DefaultStack> {
    corosensei::stack::DefaultStack::new(size).ok()
}

#[inline(always)]
pub(crate) fn address() -> usize {
    let here = 0u8;
    std::ptr::from_ref(&here).addr()
}
