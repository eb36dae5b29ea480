//! Memory for a stack, from Linux.
//!
//! `corosensei` has one too, on top of `libc`, which costs more to compile than `corosensei`
//! itself. Four calls are all that is needed of it.

use corosensei::stack::valgrind::ValgrindStackRegistration;
use corosensei::stack::{Stack, StackPointer};
use std::ffi::{c_int, c_void};
use std::num::NonZeroUsize;

unsafe extern "C" {
    // With the types of 64-bit Linux, on which alone this file is compiled.
    fn mmap(
        address: *mut c_void,
        size: usize,
        protection: c_int,
        flags: c_int,
        file: c_int,
        offset: i64,
    ) -> *mut c_void;
    fn mprotect(address: *mut c_void, size: usize, protection: c_int) -> c_int;
    fn madvise(address: *mut c_void, size: usize, advice: c_int) -> c_int;
    fn munmap(address: *mut c_void, size: usize) -> c_int;
}

const NO_ACCESS: c_int = 0;
const READ_AND_WRITE: c_int = 1 | 2;
const PRIVATE: c_int = 2;
const ANONYMOUS: c_int = 0x20;
const HUGE_PAGES: c_int = 14;

/// Stays inaccessible, so that an overflow ends the program instead of reaching other memory. A
/// multiple of every size that a page can have.
const GUARD: usize = 64 << 10;

/// Deep recursion goes through a stack page by page, and most of the time that takes is for being
/// given the next page. A stack of this size comes after one that was used up, or is asked for by
/// who knows, and may have pages that are larger, if there are any.
const LARGE: usize = 8 << 20;

/// A piece of memory that takes none until it is used.
pub(super) struct MappedStack {
    lowest: NonZeroUsize,
    size: usize,
    _registration: ValgrindStackRegistration,
}

impl MappedStack {
    /// `None` if there is no memory. `size` is a multiple of the guard's, as all sizes here are.
    pub(super) fn new(size: usize) -> Option<MappedStack> {
        debug_assert!(size > 0 && size.is_multiple_of(GUARD));
        let size = size + GUARD;
        // SAFETY: a mapping at an address that the system chooses touches no memory that is in use.
        let lowest = unsafe { mmap(std::ptr::null_mut(), size, NO_ACCESS, PRIVATE | ANONYMOUS, -1, 0) };
        // Failure is the address -1.
        if lowest.addr() == usize::MAX {
            return None;
        }
        let stack = MappedStack {
            lowest: NonZeroUsize::new(lowest.expose_provenance())?,
            size,
            _registration: ValgrindStackRegistration::new(lowest.cast(), size),
        };
        // SAFETY: what lies above the guard is part of the mapping just made, which nothing refers
        // to yet.
        let failed = unsafe { mprotect(lowest.wrapping_byte_add(GUARD), size - GUARD, READ_AND_WRITE) } != 0;
        if size >= LARGE {
            // SAFETY: advice changes nothing of what is in the memory.
            unsafe { madvise(lowest, size, HUGE_PAGES) };
        }
        (!failed).then_some(stack)
    }
}

impl Drop for MappedStack {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new`, is not shared, and nothing runs on it when its
        // owner drops it.
        unsafe { munmap(std::ptr::with_exposed_provenance_mut(self.lowest.get()), self.size) };
    }
}

// SAFETY: the guard is never made accessible, the rest is at least 64 KB, and both ends are
// multiples of a page.
unsafe impl Stack for MappedStack {
    fn base(&self) -> StackPointer {
        self.lowest.saturating_add(self.size)
    }

    fn limit(&self) -> StackPointer {
        self.lowest
    }
}
