//! The rules of the repository that the compiler does not know.
//!
//! A rule is a function from the files to what is wrong with them, with the reason it exists and
//! the way out of it. Each is a test (`xtask/tests/tidy.rs`), so `cargo test --workspace` finds
//! what `cargo xtask tidy` finds.

use std::fmt::Write;
use std::path::Path;

pub use documents::DEMO;
pub use tree::{File, Tree};

mod documents;
mod engine;
mod manifests;
mod papers;
mod text;
mod tree;
mod unsafe_code;

/// A rule, why it exists, and what to do when it is in the way.
#[derive(Debug)]
pub struct Rule {
    pub name: &'static str,
    pub rule: &'static str,
    pub why: &'static str,
    pub way_out: &'static str,
    pub check: fn(&Tree) -> Vec<Finding>,
}

/// A place where a rule is broken.
#[derive(Debug, PartialEq)]
pub struct Finding {
    pub path: String,
    /// Counted from 1; also 1 for what concerns the whole file.
    pub line: usize,
    pub what: String,
}

impl Finding {
    fn new(path: &str, line: usize, what: impl Into<String>) -> Finding {
        Finding { path: path.into(), line, what: what.into() }
    }
}

/// Every rule, in the order in which they are checked.
pub static RULES: &[Rule] = &[
    manifests::DEPENDENCY_DIRECTION,
    manifests::WORKSPACE_FIELDS,
    engine::PURE_ENGINE,
    engine::LAYERS,
    unsafe_code::SAFETY_COMMENTS,
    text::SHORT_FILES,
    text::COMMENT_WIDTH,
    text::FINISHED_WORK,
    text::NO_MACHINE_PATHS,
    text::CLEAN_ENDS,
    documents::DOCUMENTS_EXIST,
    documents::LINKS_LEAD_SOMEWHERE,
    documents::TWO_COMMANDS,
    papers::REFERENCES,
    documents::SHORT_PAGES,
];

/// Checks the named rules, or all, prints a line for each, and fails with a report if one is
/// broken.
pub fn run(root: &Path, names: &[String]) -> Result<(), String> {
    let known = |name: &String| RULES.iter().any(|rule| rule.name == *name);
    if let Some(unknown) = names.iter().find(|name| !known(name)) {
        return Err(format!("there is no rule `{unknown}`; `cargo xtask tidy --list` shows those there are"));
    }
    let tree = Tree::load(root)?;
    let mut broken = Vec::new();
    for rule in RULES.iter().filter(|rule| names.is_empty() || names.iter().any(|name| name == rule.name)) {
        let findings = (rule.check)(&tree);
        println!("{:<24} {}", rule.name, if findings.is_empty() { "ok" } else { "BROKEN" });
        if !findings.is_empty() {
            broken.push((rule, findings));
        }
    }
    if broken.is_empty() {
        return Ok(());
    }
    for (rule, findings) in &broken {
        print!("\n{}", report(rule, findings));
    }
    println!();
    let places: usize = broken.iter().map(|(_, findings)| findings.len()).sum();
    Err(format!(
        "tidy: {} in {}",
        count(broken.len(), "rule is broken", "rules are broken"),
        count(places, "place", "places")
    ))
}

/// What a broken rule says: the places, then the rule, its reason and the way out.
pub fn report(rule: &Rule, findings: &[Finding]) -> String {
    let mut out = String::new();
    for Finding { path, line, what } in findings {
        let _ = writeln!(out, "{path}:{line}: {what}");
    }
    out + &describe(rule)
}

/// All rules with their reasons.
pub fn list() -> String {
    RULES.iter().map(|rule| format!("{}\n{}", rule.name, describe(rule))).collect::<Vec<_>>().join("\n")
}

fn describe(rule: &Rule) -> String {
    format!("  rule:    {}\n  why:     {}\n  way out: {}\n", rule.rule, rule.why, rule.way_out)
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Runs a rule on files written down in a test, and shows what it found as `path:line`.
#[cfg(test)]
fn places(rule: &Rule, files: &[(&str, &str)]) -> Vec<String> {
    (rule.check)(&Tree::of(files)).iter().map(|finding| format!("{}:{}", finding.path, finding.line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_gives_the_place_the_rule_the_reason_and_the_way_out() {
        let rule = Rule {
            name: "quiet",
            rule: "Nobody shouts.",
            why: "Others listen.",
            way_out: "Whisper.",
            check: |_| Vec::new(),
        };
        assert_eq!(
            report(&rule, &[Finding::new("a.rs", 3, "a shout"), Finding::new("b.rs", 1, "another")]),
            "a.rs:3: a shout\n\
             b.rs:1: another\n\
             \x20 rule:    Nobody shouts.\n\
             \x20 why:     Others listen.\n\
             \x20 way out: Whisper.\n"
        );
    }

    #[test]
    fn an_unknown_rule_is_an_error_not_an_empty_run() {
        let error = run(&crate::root(), &["quite".into()]).unwrap_err();
        assert!(error.contains("there is no rule `quite`"), "{error}");
    }

    #[test]
    fn names_are_different() {
        let mut names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), RULES.len());
    }
}
