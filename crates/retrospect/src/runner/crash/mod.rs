//! A record of the properties that are running, for a process that dies inside a case.
//!
//! A case may abort, overflow its stack, exit, or take all memory, and nothing of the runner is
//! left to report it. So each process keeps a small file, mapped into memory, with one slot for
//! each running property: its name, the command that runs it in isolation, and the number of the
//! case. A case costs one store. The kernel keeps what was stored also if the process is killed.
//!
//! * A signal that ends the process, or a call of `exit`, prints the property and the command at
//!   once ([`signals`]). `exit` inside a case ends with code 101, because a test that exits with 0
//!   counts as passed. `_exit` runs no hook: only the next run tells of it, or the parent if the
//!   cases are isolated.
//! * The next run of the property finds the slot of the dead process and reports it. A lock on the
//!   file, which ends with its process, tells the dead from the living; process numbers are used
//!   again.
//!
//! The files are in `retrospect-runs` beside the test program, which is a directory that is never
//! committed, or else among the temporary files.

mod file;
#[cfg(unix)]
mod signals;
mod slot;

use super::isolate;
use super::property::Definition;
use super::rerun;
use super::run::Context;
use super::settings::Budget;
use file::RunFile;
use slot::Slot;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A running property. Its slot is free again when this is dropped.
pub(crate) struct Entry {
    slot: &'static Slot,
}

static RUN_FILE: OnceLock<RunFile> = OnceLock::new();

thread_local! {
    /// The slot of the property that runs on this thread.
    static CURRENT: Cell<Option<&'static Slot>> = const { Cell::new(None) };
}

impl Entry {
    pub(crate) fn begin(context: &Context<'_>) -> Entry {
        // A property inside a case belongs to that case, and a worker's death is reported by its
        // parent.
        if isolate::is_inside_a_case() || isolate::is_worker() {
            return Entry { slot: Slot::unused() };
        }
        let run_file = RUN_FILE.get_or_init(RunFile::create);
        #[cfg(unix)]
        signals::install();
        let Some(slot) = run_file.claim() else { return Entry { slot: Slot::unused() } };
        let property = context.definition.saved_as();
        match context.settings.given {
            // The variable that gives the case is still set.
            Some(_) => slot.write(&property, "RETROSPECT_ISOLATE=true", "<the same command>", false),
            None => {
                let variables =
                    context.rerun.variables(&format!("RETROSPECT_ISOLATE=true {}", rerun::of_seed(context.seed)));
                let has_open_end = matches!(context.settings.budget(), Budget::Default | Budget::Time(_));
                slot.write(&property, &variables, context.rerun.command(), has_open_end);
            }
        }
        run_file.publish(slot);
        CURRENT.set(Some(slot));
        Entry { slot }
    }

    /// The next case begins.
    #[inline]
    pub(crate) fn begin_case(&self, number: u64) {
        self.slot.set_case(number);
    }

    /// The next saved case begins.
    pub(crate) fn begin_saved_case(&self) {
        self.slot.set_case(Slot::SAVED);
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        if let Some(run_file) = RUN_FILE.get().filter(|_| !self.slot.is_unused()) {
            let _ = CURRENT.try_with(|current| current.set(None));
            self.slot.free();
            run_file.publish(self.slot);
        }
    }
}

/// Forgets the running properties: the process ends on purpose, and says why.
pub(crate) fn forget_running() {
    let Some(run_file) = RUN_FILE.get() else { return };
    run_file.forget_running();
    run_file.slots().iter().for_each(|slot| run_file.publish(slot));
}

/// What the property's last run left behind, if its process died in it. It is told once.
pub(crate) fn last_death(definition: &Definition<'_>) -> Option<String> {
    if isolate::is_inside_a_case() || isolate::is_worker() {
        return None;
    }
    let run_file = RUN_FILE.get_or_init(RunFile::create);
    run_file.take_death(&definition.saved_as())
}

/// The directory for files of single runs: beside the test program, or else among the temporary
/// files.
pub(crate) fn directory() -> Option<PathBuf> {
    let beside = std::env::current_exe().ok().and_then(|program| program.parent().map(|parent| parent.join(DIRECTORY)));
    let elsewhere = std::env::temp_dir().join(DIRECTORY);
    let is_there = |directory: &Path| std::fs::create_dir_all(directory).is_ok();
    beside.filter(|directory| is_there(directory)).or_else(|| Some(elsewhere).filter(|directory| is_there(directory)))
}

const DIRECTORY: &str = "retrospect-runs";

/// How a process ended, as a number in a slot: a signal, or one of these.
mod cause {
    pub(super) const UNKNOWN: u32 = 0;
    pub(super) const EXIT: u32 = 200;
    pub(super) const STACK_OVERFLOW: u32 = 201;
    /// Another property ended the process.
    pub(super) const ANOTHER: u32 = 202;

    pub(super) fn text(cause: u32) -> &'static str {
        match cause {
            EXIT => "it called `exit`",
            STACK_OVERFLOW => {
                "SIGSEGV: stack overflow; if a value is deep, a `max_depth` above 128 gives the property more stack"
            }
            signal => crate::runner::isolate::signal_name(signal as i32).unwrap_or("a signal"),
        }
    }
}
