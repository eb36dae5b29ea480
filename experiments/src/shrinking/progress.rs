//! What is being done, on anything that takes longer than two seconds.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Says on standard error how far it is: one line that is rewritten on a terminal, a line now and
/// then elsewhere.
pub(super) struct Progress {
    next: Instant,
    is_terminal: bool,
    has_said: bool,
}

impl Progress {
    pub(super) fn new() -> Progress {
        let is_terminal = std::io::stderr().is_terminal();
        Progress { next: Instant::now() + Duration::from_secs(2), is_terminal, has_said: false }
    }

    pub(super) fn say(&mut self, what: &str, done: u64, of: u64) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        let mut stderr = std::io::stderr();
        // Nothing hangs on its being seen.
        let _ = if self.is_terminal {
            write!(stderr, "\r\x1b[K  {what}: {done} of {of}")
        } else {
            writeln!(stderr, "  {what}: {done} of {of}")
        };
        let pause = if self.is_terminal { Duration::from_millis(100) } else { Duration::from_secs(10) };
        (self.next, self.has_said) = (now + pause, true);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_terminal && self.has_said {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
