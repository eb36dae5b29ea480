//! What is printed when the process ends inside a case: by a signal, or by `exit`.
//!
//! A user who interrupts a run ends no property: then nothing is printed, and nothing left for the
//! next run.
//!
//! A handler runs at any moment, perhaps with a lock held and on a small stack. So it takes no
//! memory and no lock: it reads slots and calls `write`.

use super::slot::Slot;
use super::{CURRENT, RUN_FILE, cause};
use std::cell::{Cell, UnsafeCell};
use std::ffi::{c_int, c_void};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

unsafe extern "C" {
    fn atexit(hook: extern "C" fn()) -> c_int;
    fn _exit(code: c_int) -> !;
    fn fflush(stream: *mut c_void) -> c_int;
    fn getpid() -> c_int;
    fn write(file: c_int, bytes: *const c_void, count: usize) -> isize;
}

/// The exit code of a failed test.
const FAILED: c_int = 101;

/// The process that has the slots. A process that it forks has copies of everything, and is not
/// meant.
static PROCESS: AtomicU32 = AtomicU32::new(0);

fn is_own_process() -> bool {
    // SAFETY: `getpid` needs nothing.
    PROCESS.load(Ordering::Relaxed) == unsafe { getpid() } as u32
}

pub(super) fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        PROCESS.store(std::process::id(), Ordering::Relaxed);
        // SAFETY: the hook is a function, and stays one: programs are not unloaded.
        unsafe { atexit(at_exit) };
        #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
        handlers::install();
    });
}

extern "C" fn at_exit() {
    let Some(run_file) = RUN_FILE.get().filter(|_| is_own_process()) else { return };
    if run_file.slots().iter().any(Slot::is_running) {
        tell(cause::EXIT);
        // What the program printed is kept; its other hooks are not called.
        // SAFETY: a null stream stands for all streams; `_exit` does not return.
        unsafe {
            fflush(std::ptr::null_mut());
            _exit(FAILED);
        }
    }
    run_file.remove();
}

/// Names the property that ended the process, and the command that finds the case. Once in a
/// process.
fn tell(cause: u32) {
    static IS_TOLD: AtomicBool = AtomicBool::new(false);
    let Some(run_file) = RUN_FILE.get() else { return };
    if IS_TOLD.swap(true, Ordering::Relaxed) {
        return;
    }
    // A thread that the body started has no slot: then it may be any of those that run.
    let own = CURRENT.try_with(Cell::get).ok().flatten();
    let is_suspect = |slot: &&Slot| own.is_none_or(|own| std::ptr::eq(own, *slot));
    let running = || run_file.slots().iter().filter(|slot| slot.is_running());
    let is_alone = running().filter(is_suspect).count() == 1;
    for slot in running() {
        if !is_suspect(&slot) {
            slot.set_cause(cause::ANOTHER);
            continue;
        }
        slot.set_cause(cause);
        // SAFETY: only the caller that found it not told comes here, and only once.
        let message = unsafe { &mut *MESSAGE.0.get() };
        message.length = 0;
        message.add(b"\nFAIL  ");
        slot.property(&mut message.without_crate());
        message.add(if is_alone { b"    the process ended " } else { b"    the process ended, perhaps " });
        slot.place(&mut |byte| message.push(byte));
        message.add(b" (");
        message.add(cause::text(cause).as_bytes());
        message.add(b")\n  this finds the case and, if it was drawn, shrinks and saves it:  ");
        slot.command(&mut |byte| message.push(byte));
        message.add(b"\n");
        // SAFETY: the bytes are there. Nothing can be done if they are not written.
        unsafe { write(2, message.bytes.as_ptr().cast(), message.length) };
    }
}

struct Message {
    bytes: [u8; 2048],
    length: usize,
}

struct Shared(UnsafeCell<Message>);

// SAFETY: `tell` sees to it that one thread uses it.
unsafe impl Sync for Shared {}

/// Not on the stack of the handler, which is small.
static MESSAGE: Shared = Shared(UnsafeCell::new(Message { bytes: [0; 2048], length: 0 }));

impl Message {
    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = byte;
            self.length += 1;
        }
    }

    fn add(&mut self, text: &[u8]) {
        for byte in text {
            self.push(*byte);
        }
    }

    /// Takes the bytes of `ledger::tests::total`, and keeps `tests::total`.
    fn without_crate(&mut self) -> impl FnMut(u8) {
        let start = self.length;
        let mut is_after_crate = false;
        move |byte| {
            self.push(byte);
            if !is_after_crate && self.bytes[start..self.length].ends_with(b"::") {
                is_after_crate = true;
                self.length = start;
            }
        }
    }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod handlers {
    use super::*;
    use std::mem::MaybeUninit;

    const SIGINT: c_int = 2;
    const SIGILL: c_int = 4;
    const SIGABRT: c_int = 6;
    const SIGBUS: c_int = 7;
    const SIGFPE: c_int = 8;
    const SIGSEGV: c_int = 11;
    const SIGNALS: [c_int; 6] = [SIGINT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV];

    const DEFAULT: usize = 0;
    const IGNORE: usize = 1;
    const WITH_INFO: c_int = 4;
    const ON_OWN_STACK: c_int = 0x0800_0000;

    /// As glibc and musl have it on 64-bit Linux.
    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Action {
        handler: usize,
        mask: [u64; 16],
        flags: c_int,
        restorer: usize,
    }

    unsafe extern "C" {
        fn sigaction(signal: c_int, new: *const Action, old: *mut Action) -> c_int;
        fn raise(signal: c_int) -> c_int;
    }

    /// The beginning of what the kernel tells of a signal.
    #[repr(C)]
    struct Info {
        signal: c_int,
        error: c_int,
        code: c_int,
        padding: c_int,
        address: usize,
    }

    struct Before([UnsafeCell<Action>; SIGNALS.len()]);

    // SAFETY: written before the handlers are installed, and only read after that.
    unsafe impl Sync for Before {}

    static BEFORE: Before = Before(
        [const { UnsafeCell::new(Action { handler: DEFAULT, mask: [0; 16], flags: 0, restorer: 0 }) }; SIGNALS.len()],
    );

    fn current(signal: c_int) -> Action {
        let mut action = MaybeUninit::uninit();
        // SAFETY: with no new action the old one is written, and nothing is changed.
        unsafe {
            sigaction(signal, std::ptr::null(), action.as_mut_ptr());
            action.assume_init()
        }
    }

    pub(super) fn install() {
        let handler: extern "C" fn(c_int, *mut Info, *mut c_void) = on_signal;
        for (signal, before) in SIGNALS.into_iter().zip(&BEFORE.0) {
            let old = current(signal);
            // Where somebody else handles interruptions, a run may go on after one.
            if old.handler == IGNORE || signal == SIGINT && old.handler != DEFAULT {
                continue;
            }
            // SAFETY: no handler of ours reads it yet.
            unsafe { *before.get() = old };
            let flags = WITH_INFO | ON_OWN_STACK;
            let action = Action { handler: handler as usize, mask: old.mask, flags, restorer: 0 };
            // SAFETY: the handler has the type that its flags say.
            unsafe { sigaction(signal, &action, std::ptr::null_mut()) };
        }
    }

    extern "C" fn on_signal(signal: c_int, info: *mut Info, context: *mut c_void) {
        let Some(index) = SIGNALS.iter().position(|other| *other == signal) else { return };
        // SAFETY: nobody writes it since the handler is installed.
        let before = unsafe { *BEFORE.0[index].get() };
        // SAFETY: the kernel hands over both.
        let (code, overflow) = unsafe { ((*info).code, is_overflow(&*info, context)) };
        let is_own = is_own_process();
        let tell = |cause: u32| {
            if is_own {
                tell(cause);
            }
        };
        if signal == SIGINT {
            if let Some(run_file) = RUN_FILE.get().filter(|_| is_own) {
                run_file.forget_running();
            }
        } else if overflow && matches!(signal, SIGSEGV | SIGBUS) {
            // Before the handler of the standard library prints and aborts: on its small stack
            // there is no room for another handler.
            tell(cause::STACK_OVERFLOW);
        } else if signal == SIGABRT || before.handler == DEFAULT {
            tell(signal as u32);
        }
        if before.handler == DEFAULT {
            // SAFETY: what was there before is there again.
            unsafe { sigaction(signal, &before, std::ptr::null_mut()) };
            // A fault comes again by itself when this returns; what somebody sent does not.
            if matches!(signal, SIGABRT | SIGINT) || code <= 0 {
                // SAFETY: a signal to this thread, which comes when this returns.
                unsafe { raise(signal) };
            }
            return;
        }
        // A handler of somebody else's: it may end the process, or mend what was wrong and go on.
        // SAFETY: its flags say which type it has.
        unsafe {
            if before.flags & WITH_INFO != 0 {
                let handler: extern "C" fn(c_int, *mut Info, *mut c_void) = std::mem::transmute(before.handler);
                handler(signal, info, context);
            } else {
                let handler: extern "C" fn(c_int) = std::mem::transmute(before.handler);
                handler(signal);
            }
        }
        // The handler of the standard library gives up by putting back the default: the fault comes
        // again.
        if current(signal).handler == DEFAULT {
            tell(signal as u32);
        }
    }

    /// Whether the address that was touched lies about where the stack ends.
    ///
    /// # Safety
    ///
    /// Both are what the kernel hands to a handler.
    unsafe fn is_overflow(info: &Info, context: *mut c_void) -> bool {
        // Where the kernel puts the stack pointer of the interrupted code:
        // `uc_mcontext.gregs[REG_RSP]`, and `uc_mcontext.sp`.
        const STACK_POINTER: usize = if cfg!(target_arch = "x86_64") { 160 } else { 432 };
        // A frame that is larger is touched page by page.
        const NEAR: usize = 64 << 10;
        // SAFETY: the caller's promise.
        let stack = unsafe { context.byte_add(STACK_POINTER).cast::<usize>().read() };
        info.code > 0 && info.address.abs_diff(stack) < NEAR
    }
}
