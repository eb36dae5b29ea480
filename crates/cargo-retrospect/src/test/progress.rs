//! A line that says how far the tests have come, if one has to wait.

use super::is_watched;
use super::summary::duration;
use crate::answer;
use retrospect_stats::summary::Store;
use retrospect_stats::summary::grouped;
use std::io::Write;
use std::time::{Duration, Instant};

/// Until then nobody is impatient.
const FIRST: Duration = Duration::from_secs(2);
/// Where there is no terminal a line stays, so there are few.
const IN_A_LOG: Duration = Duration::from_secs(30);

pub struct Progress {
    started: Instant,
    shown: Option<Instant>,
    is_on_terminal: bool,
}

impl Progress {
    pub fn new(started: Instant) -> Progress {
        Progress { started, shown: None, is_on_terminal: is_watched() }
    }

    pub fn show(&mut self, store: &Store) {
        let wait = if self.is_on_terminal { FIRST } else { IN_A_LOG };
        let since = self.shown.unwrap_or(self.started).elapsed();
        let is_due = if self.is_on_terminal && self.shown.is_some() { since.as_millis() >= 200 } else { since >= wait };
        if !is_due {
            return;
        }
        self.shown = Some(Instant::now());
        let mut line = text(store, self.started.elapsed());
        // What does not fit would go on below, and stay there.
        if let Some((end, _)) =
            line.char_indices().nth(answer::width().saturating_sub(1)).filter(|_| self.is_on_terminal)
        {
            line.truncate(end);
        }
        let mut out = std::io::stderr().lock();
        // Rewritten in place on a terminal; who reads it may have gone away.
        let _ = match self.is_on_terminal {
            true => write!(out, "\r\x1b[2K{line}"),
            false => writeln!(out, "{line}"),
        };
        let _ = out.flush();
    }

    /// Makes room for something else.
    pub fn end(&mut self) {
        if self.is_on_terminal && self.shown.is_some() {
            let mut out = std::io::stderr().lock();
            let _ = write!(out, "\r\x1b[2K");
            let _ = out.flush();
        }
    }
}

/// The property that has begun last and not ended is the one that is waited for.
fn text(store: &Store, elapsed: Duration) -> String {
    let (mut done, mut cases) = (0, 0);
    let mut running = None;
    for property in store.properties() {
        let Some(run) = property.runs().last() else { continue };
        cases += run.n_cases() as u64;
        match run.history().ended {
            Some(false) => running = Some((property.name(), run)),
            _ => done += 1,
        }
    }
    let running = running.map(|(name, run)| match run.history().shrinking.as_slice() {
        [] => format!("   running {name} ({} cases)", grouped(run.n_cases() as u64)),
        [first] => format!("   shrinking {name} ({} choices)", first.size),
        [first, .., last] => format!("   shrinking {name} ({} → {} choices)", first.size, last.size),
    });
    let running = running.unwrap_or_default();
    format!("{:>8}   {done} properties done   {} cases{running}", duration(elapsed.as_secs_f64()), grouped(cases))
}

#[cfg(test)]
mod tests {
    use super::text;
    use retrospect_stats::summary::Store;
    use std::time::Duration;

    #[test]
    fn it_says_what_is_waited_for() {
        let mut store = Store::default();
        assert_eq!(text(&store, Duration::from_secs(3)), "  3.00 s   0 properties done   0 cases");
        let case = |property: &str| {
            format!(
                "{{\"type\":\"test_case\",\"property\":\"{property}\",\"run_start\":1,\"status\":\"passed\",\"representation\":\"\"}}\n"
            )
        };
        let event = |property: &str, event: &str| {
            format!("{{\"event\":\"{event}\",\"property\":\"{property}\",\"run_start\":1,\"verdict\":\"passed\"}}\n")
        };
        store.read_text(&(event("a::b", "run_started") + &case("a::b") + &event("a::b", "run_ended")));
        store.read_text(&(event("a::c", "run_started") + &case("a::c").repeat(1200)));
        assert_eq!(
            text(&store, Duration::from_secs(75)),
            " 75.00 s   1 properties done   1,201 cases   running a::c (1,200 cases)"
        );
        let found = "{\"event\":\"failure_found\",\"property\":\"a::c\",\"run_start\":1,\"choices\":41}\n";
        let step = "{\"event\":\"shrink_step\",\"property\":\"a::c\",\"run_start\":1,\"run\":7,\"choices\":9}\n";
        store.read_text(&format!("{found}{step}"));
        assert_eq!(
            text(&store, Duration::from_secs(75)),
            " 75.00 s   1 properties done   1,201 cases   shrinking a::c (41 → 9 choices)"
        );
    }
}
