//! One running property, in memory that outlives the process.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

/// Zero bytes are a free slot. All fields are atomic: a signal handler and other threads read them
/// at any time.
#[repr(C)]
pub(super) struct Slot {
    state: AtomicU32,
    cause: AtomicU32,
    case: AtomicU64,
    /// Whether the number of cases depends on the time.
    has_open_end: AtomicU32,
    lengths: [AtomicU32; N_TEXTS],
    texts: [AtomicU8; TEXT_SIZE],
}

const N_TEXTS: usize = 3;
const TEXT_SIZE: usize = 992;
pub(super) const SLOT_SIZE: usize = size_of::<Slot>();
const _: () = assert!(SLOT_SIZE == 1024);

const FREE: u32 = 0;
/// Somebody has it and writes.
const CLAIMED: u32 = 1;
const RUNNING: u32 = 2;

/// Cases that every run reaches, whatever its time.
const USUAL_CASES: u64 = crate::runner::settings::Budget::LEAST_CASES;

impl Slot {
    /// The number of a case that was saved by an earlier run.
    pub(super) const SAVED: u64 = u64::MAX;

    /// A slot for a property that is not recorded. Nobody reads it.
    pub(super) fn unused() -> &'static Slot {
        static UNUSED: Slot = Slot::from_bytes(&[0; SLOT_SIZE]);
        &UNUSED
    }

    pub(super) fn is_unused(&self) -> bool {
        std::ptr::eq(self, Slot::unused())
    }

    pub(super) fn claim(&self) -> bool {
        self.state.compare_exchange(FREE, CLAIMED, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Fills a claimed slot. A command that does not fit is replaced by its beginning.
    pub(super) fn write(&self, property: &str, variables: &str, command: &str, has_open_end: bool) {
        self.cause.store(0, Ordering::Relaxed);
        self.case.store(0, Ordering::Relaxed);
        self.has_open_end.store(has_open_end.into(), Ordering::Relaxed);
        let fits = property.len() + variables.len() + command.len() <= TEXT_SIZE;
        let command = if fits { command } else { "cargo test" };
        let mut at = 0;
        for (text, length) in [property, variables, command].into_iter().zip(&self.lengths) {
            let text = &text.as_bytes()[..text.len().min(TEXT_SIZE - at)];
            for (byte, place) in text.iter().zip(&self.texts[at..]) {
                place.store(*byte, Ordering::Relaxed);
            }
            length.store(text.len() as u32, Ordering::Relaxed);
            at += text.len();
        }
        self.state.store(RUNNING, Ordering::Release);
    }

    pub(super) fn free(&self) {
        self.state.store(FREE, Ordering::Release);
    }

    pub(super) fn is_running(&self) -> bool {
        self.state.load(Ordering::Acquire) == RUNNING
    }

    #[inline]
    pub(super) fn set_case(&self, number: u64) {
        self.case.store(number, Ordering::Relaxed);
    }

    pub(super) fn case(&self) -> u64 {
        self.case.load(Ordering::Relaxed)
    }

    pub(super) fn set_cause(&self, cause: u32) {
        self.cause.store(cause, Ordering::Relaxed);
    }

    pub(super) fn cause(&self) -> u32 {
        self.cause.load(Ordering::Relaxed)
    }

    /// Hands the bytes of the property's path to `out`, one by one. A signal handler calls this: no
    /// memory is taken.
    pub(super) fn property(&self, out: &mut dyn FnMut(u8)) {
        self.text(0, out);
    }

    /// The same with the command that runs the property in isolation.
    pub(super) fn command(&self, out: &mut dyn FnMut(u8)) {
        self.text(1, out);
        let case = self.case();
        if self.has_open_end.load(Ordering::Relaxed) != 0 && case > USUAL_CASES && case != Slot::SAVED {
            // Isolated cases take longer, so that the time alone would end the run before this
            // case.
            b" RETROSPECT_CASES=".iter().for_each(|byte| out(*byte));
            write_number(case.saturating_add(USUAL_CASES), out);
        }
        out(b' ');
        self.text(2, out);
    }

    /// Where the process was: in which case.
    pub(super) fn place(&self, out: &mut dyn FnMut(u8)) {
        let (text, number): (&[u8], _) = match self.case() {
            0 => (b"before its first case", None),
            Slot::SAVED => (b"in a saved case", None),
            case => (b"in case ", Some(case)),
        };
        text.iter().for_each(|byte| out(*byte));
        if let Some(number) = number {
            write_number(number, out);
        }
    }

    fn text(&self, which: usize, out: &mut dyn FnMut(u8)) {
        let length = |which: usize| self.lengths[which].load(Ordering::Relaxed) as usize;
        let start: usize = (0..which).map(length).sum();
        for byte in self.texts.iter().skip(start).take(length(which)) {
            out(byte.load(Ordering::Relaxed));
        }
    }

    /// The bytes as they are in a file.
    pub(super) const fn from_bytes(bytes: &[u8; SLOT_SIZE]) -> Slot {
        // SAFETY: a slot is made of atomic integers, for which all bytes are valid, and has no
        // padding: its size is the sum of the sizes of its fields.
        unsafe { std::mem::transmute_copy(bytes) }
    }

    pub(super) fn to_bytes(&self) -> [u8; SLOT_SIZE] {
        // SAFETY: as above. Another thread may write meanwhile, but only to a slot that is its own.
        unsafe { std::mem::transmute_copy(self) }
    }
}

/// In decimal digits.
fn write_number(number: u64, out: &mut dyn FnMut(u8)) {
    if number >= 10 {
        write_number(number / 10, out);
    }
    out(b'0' + (number % 10) as u8);
}
