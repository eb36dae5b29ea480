//! What cargo and the test harness print: passed on where nothing better is known.
//!
//! What is shown of properties comes from their own files; this is for tests that are none, and for
//! processes that died.

use super::progress::Progress;
use crate::answer;
use retrospect_stats::summary::Store;
use std::io::Write;

#[derive(Default)]
pub struct Others {
    /// The standard output of the harness.
    pub printed: String,
    /// Warnings of the runner, which are told with their properties; each with its further lines.
    warnings: Vec<String>,
    /// What cargo says at last about targets that failed.
    last_words: Vec<String>,
    is_in_warning: bool,
}

impl Others {
    /// A line of the standard error: passed on at once, unless it is told better later.
    pub fn error_line(&mut self, line: String, progress: &mut Progress) {
        if self.is_in_warning && line.starts_with("  ") {
            if let Some(last) = self.warnings.last_mut() {
                *last += &format!("\n{line}");
            }
            return;
        }
        self.is_in_warning = line.starts_with("warning: ");
        if self.is_in_warning {
            self.warnings.push(line);
        } else if line.starts_with("error: test failed, to rerun pass") || !self.last_words.is_empty() {
            self.last_words.push(line);
        } else if !line.trim().is_empty() {
            progress.end();
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }

    /// What tests that are no properties printed when they failed, and what the runner warned of
    /// beyond what is known of its runs. Whether there was any failure among it.
    pub fn print_untold(&self, store: &Store) -> bool {
        let mut tests = Vec::new();
        let mut health = Vec::new();
        for property in store.properties() {
            for run in property.runs() {
                let history = run.history();
                tests.extend(history.test);
                health.extend(history.health);
            }
        }
        for warning in &self.warnings {
            let is_told = |text: &String| warning.replace("\n  ", "\n").ends_with(text.as_str());
            if !health.iter().any(is_told) {
                answer::print(&format!("{warning}\n\n"));
            }
        }
        let mut is_any = false;
        for (test, text) in sections(&self.printed) {
            if !tests.iter().any(|known| known == test) {
                is_any = true;
                answer::print(&format!("FAIL  {test}    (not a property)\n{}\n", indented(text)));
            }
        }
        is_any
    }

    /// Everything, where nothing else explains a failure.
    pub fn print_all(&self) {
        let last_words = self.last_words.join("\n");
        let warnings = self.warnings.join("\n");
        let all = [self.printed.trim_end(), &warnings, &last_words];
        for text in all.iter().filter(|text| !text.is_empty()) {
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }
}

/// What the harness shows of each test that failed.
fn sections(printed: &str) -> Vec<(&str, &str)> {
    let mut sections = Vec::new();
    for part in printed.split("\n---- ").skip(1) {
        let Some((head, rest)) = part.split_once('\n') else { continue };
        let Some(test) = head.strip_suffix(" stdout ----") else { continue };
        let end = rest.find("\n\n\nfailures:").or_else(|| rest.find("\n\nfailures:")).unwrap_or(rest.len());
        sections.push((test, rest[..end].trim_end()));
    }
    sections
}

fn indented(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        out += if line.is_empty() { "" } else { "    " };
        out += line;
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::sections;

    #[test]
    fn sections_of_tests_that_failed() {
        let printed = "\nrunning 3 tests\n..F\nfailures:\n\n---- a::b stdout ----\n\nthread panicked\n---- c stdout ----\nFAIL  c\n  x\n\n\nfailures:\n    a::b\n    c\n\ntest result: FAILED.\n";
        assert_eq!(sections(printed), [("a::b", "\nthread panicked"), ("c", "FAIL  c\n  x")]);
        assert!(sections("").is_empty() && sections("\n---- ").is_empty() && sections("\n---- x\n").is_empty());
    }
}
