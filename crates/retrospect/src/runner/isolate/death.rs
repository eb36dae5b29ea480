//! A process that ended as a failure of the case it was running.

use crate::runner::failure::Failure;
use crate::runner::report;
use std::process::ExitStatus;
use std::time::Duration;

/// The failure of a case whose process ended; `printed` is what it printed, `last_lines` the end of
/// that.
pub(super) fn of_process(status: ExitStatus, printed: &str, last_lines: &str) -> Failure {
    let (mut message, mut kind) = match (signal(status), status.code()) {
        (Some(signal), _) => {
            let name = signal_name(signal).map(|name| format!(" ({name})")).unwrap_or_default();
            (format!("the process was ended by signal {signal}{name}"), format!("signal {signal}"))
        }
        (None, Some(code)) => (format!("the process exited with code {code}"), format!("exit code {code}")),
        (None, None) => ("the process ended".to_owned(), "end of the process".to_owned()),
    };
    if printed.contains(OVERFLOW) || printed.contains(OVERFLOW_ON_WINDOWS) {
        message += ": a stack overflow, by what it printed\n\
                    if a value is deep, a `max_depth` above 128 gives the property more stack";
        kind = "stack overflow".to_owned();
    }
    if !last_lines.is_empty() {
        message += &format!("\nthe last that it printed:\n  {last_lines}");
    }
    Failure { place: None, message, kind, backtrace: None }
}

/// The kind of a failure by [`of_time`].
pub(super) const TIMEOUT: &str = "timeout";

/// The failure of a case that was ended because it took too long.
pub(super) fn of_time(timeout: Duration, last_lines: &str) -> Failure {
    let time = report::duration(timeout);
    let mut message = format!(
        "no end after {time} (timeout)\n\
         if it needs longer, give it more: #[property(timeout = \"…\")] or RETROSPECT_TIMEOUT"
    );
    if !last_lines.is_empty() {
        message += &format!("\nthe last that it printed:\n  {last_lines}");
    }
    Failure { place: None, message, kind: TIMEOUT.to_owned(), backtrace: None }
}

/// A row of cases ended its process, and none of them does so by itself.
pub(super) fn of_row(of_row: Failure, cases: usize) -> Failure {
    let message = format!(
        "{}\nthis was one of {cases} cases that were run one after the other; run again, none of them did it",
        of_row.message
    );
    Failure { message, ..of_row }
}

/// How the standard library says it.
const OVERFLOW: &str = "has overflowed its stack";
const OVERFLOW_ON_WINDOWS: &str = "STATUS_STACK_OVERFLOW";

/// Those that a program is ended by, with the numbers that all systems share, and the two that
/// differ as on Linux.
const SIGNALS: [(i32, &str); 13] = [
    (1, "SIGHUP: hangup"),
    (2, "SIGINT: interrupted"),
    (3, "SIGQUIT: quit"),
    (4, "SIGILL: illegal instruction"),
    (5, "SIGTRAP: trap"),
    (6, "SIGABRT: abort"),
    (7, "SIGBUS: bad memory access"),
    (8, "SIGFPE: arithmetic error"),
    (9, "SIGKILL: killed, by somebody or for want of memory"),
    (11, "SIGSEGV: invalid memory access"),
    (13, "SIGPIPE: nobody reads the pipe"),
    (14, "SIGALRM: alarm"),
    (15, "SIGTERM: terminated"),
];

pub(crate) fn signal_name(signal: i32) -> Option<&'static str> {
    SIGNALS.iter().find(|(number, _)| *number == signal).map(|(_, name)| *name)
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> Option<i32> {
    None
}
