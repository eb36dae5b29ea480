//! How much memory a search takes: bounded, however many values it finds and however large they
//! are.

use retrospect::prelude::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed on to the system, and what it answers is handed back.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller keeps the same promises to this.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the memory is from `System.alloc`, with this layout.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes that were in use at once while `work` ran, beyond those before.
fn most_bytes(work: impl FnOnce()) -> usize {
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    work();
    MOST.load(Ordering::Relaxed) - before
}

// One test, since all threads are counted together.
#[test]
fn a_search_takes_a_bounded_amount_of_memory() {
    // Lists of 3000 numbers, more than a thousand of which would be 48 MB of nodes alone.
    let long = vec_of(0..=1_000_000u32, 3000).satisfying(|list| list.first() <= list.last());
    let mut search = long.search(1);
    let most = most_bytes(|| search.by_ref().take(1500).for_each(drop));
    assert!(search.counts().new == 1500 && most < 40 << 20, "{most} bytes");
    let first = most_bytes(|| drop(search.next()));
    assert!(first < 1 << 20, "{first} bytes for one value more");
    // Lists of many lengths, each of which has places of its own until there is no more room.
    let longs = vec_of(0..=1_000_000u32, 1000..=3000).satisfying(|list| list.first() <= list.last());
    let mut search = longs.search(1);
    let most = most_bytes(|| search.by_ref().take(3000).for_each(drop));
    assert!(search.counts().new == 3000 && most < 40 << 20, "{most} bytes");
    // Many small ones.
    let small = vec_of(0..=1_000_000u32, 4).satisfying(|list| list.is_sorted());
    let mut search = small.search(1);
    let most = most_bytes(|| search.by_ref().take(100_000).for_each(drop));
    assert!(search.counts().new == 100_000 && most < 16 << 20, "{most} bytes");
    // A single value takes next to nothing.
    let most = most_bytes(|| drop(vec_of(0..100u32, 4).satisfying(|list| list.is_sorted()).sample(1)));
    assert!(most < 256 << 10, "{most} bytes");
}
