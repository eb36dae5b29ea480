//! Bodies that fork: the child ends with the case and does not go on running the property.

use super::failure::Failure;

/// Where a property runs. A process that is forked after this is another place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    n_forks: u32,
}

impl Place {
    pub(crate) fn here() -> Place {
        system::watch();
        Place { n_forks: system::n_forks() }
    }

    /// Whether this is a child that was forked since.
    #[inline]
    pub(crate) fn is_left(self) -> bool {
        self.n_forks != system::n_forks()
    }
}

/// Ends the child of a fork at the end of a case. Prints its panic, which the parent does not see.
#[cold]
pub(crate) fn leave(failure: Option<&Failure>) -> ! {
    if let Some(failure) = failure {
        super::report::print_past_harness(&format!("a forked child of a case failed: {}\n", failure.headline()));
    }
    system::leave(if failure.is_some() { 101 } else { 0 })
}

#[cfg(unix)]
mod system {
    use std::ffi::c_int;
    use std::sync::Once;
    use std::sync::atomic::{AtomicU32, Ordering};

    type Hook = Option<extern "C" fn()>;

    unsafe extern "C" {
        fn pthread_atfork(prepare: Hook, parent: Hook, child: Hook) -> c_int;
        fn _exit(code: c_int) -> !;
    }

    /// How many forks led from the first process to this one.
    static N_FORKS: AtomicU32 = AtomicU32::new(0);

    extern "C" fn count() {
        N_FORKS.fetch_add(1, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn n_forks() -> u32 {
        N_FORKS.load(Ordering::Relaxed)
    }

    pub(super) fn watch() {
        static WATCHED: Once = Once::new();
        WATCHED.call_once(|| {
            // SAFETY: the hook is a function, and stays one: programs are not unloaded.
            let _ = unsafe { pthread_atfork(None, None, Some(count)) };
        });
    }

    pub(super) fn leave(code: c_int) -> ! {
        // SAFETY: it does not return. The other hooks of the program are its parent's.
        unsafe { _exit(code) }
    }
}

#[cfg(not(unix))]
mod system {
    #[inline]
    pub(super) fn n_forks() -> u32 {
        0
    }

    pub(super) fn watch() {}

    pub(super) fn leave(code: i32) -> ! {
        std::process::exit(code)
    }
}
