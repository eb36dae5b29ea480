//! Pages with tables that refer to files, names and tests: all of these are there.

use super::{File, Finding, Rule, Tree};
use crate::rust_source::{Token, tokens, without_comments_and_literals};

const PAGES: [&str; 2] = ["docs/papers.md", "ARCHITECTURE.md"];

pub(super) const REFERENCES: Rule = Rule {
    name: "references",
    rule: "Every path in docs/papers.md and ARCHITECTURE.md exists, every name in their columns \"where\" occurs in the file \
           before it, and every name in their columns \"tested by\" is a test in the file before it.",
    why: "The pages say where something is and what tests it. A reference that leads nowhere is a claim that nobody can \
          check.",
    way_out: "Name the file and the test as they are called now. If there is none, say so in words: \"no test\".",
    check: |tree| PAGES.into_iter().flat_map(|path| wrong_references(tree, path)).collect(),
};

fn wrong_references(tree: &Tree, path: &'static str) -> Vec<Finding> {
    let Some(page) = tree.get(path) else {
        return vec![Finding::new(path, 1, "missing")];
    };
    let mut findings = Vec::new();
    let mut head: Vec<&str> = Vec::new();
    for (line, text) in page.lines() {
        let cells = cells(text);
        if !text.starts_with('|') {
            head.clear();
        } else if head.is_empty() {
            head = cells;
            continue;
        }
        for (at, cell) in cells.into_iter().enumerate() {
            let column = head.get(at).copied().unwrap_or_default();
            let problems = problems(tree, column, cell);
            findings.extend(problems.into_iter().map(|what| Finding::new(path, line, what)));
        }
    }
    findings
}

/// The file that was named last in a cell.
enum Beside<'t> {
    None,
    Missing,
    Path(&'t str),
}

/// What is wrong with the references of a cell.
fn problems(tree: &Tree, column: &str, cell: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let mut beside = Beside::None;
    if column == "tested by" && cell.is_empty() {
        problems.push("it is not said what tests it".to_owned());
    }
    // Every second piece between back-quotes is code.
    for span in cell.split('`').skip(1).step_by(2) {
        if span.contains('/') && !span.contains(' ') || tree.get(span).is_some() {
            beside = if tree.has(span) { Beside::Path(span) } else { Beside::Missing };
            if let Beside::Missing = beside {
                problems.push(format!("there is no `{span}`"));
            }
            continue;
        }
        let is_there: fn(&File, &str) -> bool = match column {
            "tested by" => has_test,
            "where" => mentions,
            _ => continue,
        };
        match beside {
            Beside::None => problems.push(format!("no file is named before `{span}`")),
            Beside::Missing => {}
            Beside::Path(path) => {
                if !files_at(tree, path).any(|file| is_there(file, span)) {
                    let what = if column == "where" { "mention of" } else { "test called" };
                    problems.push(format!("there is no {what} `{span}` in {path}"));
                }
            }
        }
    }
    problems
}

/// The cells of a row of a table; the whole line if it is none.
fn cells(line: &str) -> Vec<&str> {
    let Some(row) = line.strip_prefix('|') else {
        return vec![line];
    };
    let mut in_code = false;
    let ends = |c: char| {
        in_code ^= c == '`';
        c == '|' && !in_code
    };
    row.trim_end().trim_end_matches('|').split(ends).map(str::trim).collect()
}

/// The file of this path, or all files of this folder.
fn files_at<'t>(tree: &'t Tree, path: &'t str) -> impl Iterator<Item = &'t File> {
    let path = path.trim_end_matches('/');
    tree.files()
        .filter(move |file| file.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// Whether the last word of a name (`focus` of `#[focus(..)]`, `after` of `Explore::after`) is a
/// word of the file.
fn mentions(file: &File, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let name = name.split(['(', '<', '!']).next().unwrap_or_default();
    let Some(last) = name.split(|c| !is_word(c)).rfind(|word| !word.is_empty()) else {
        return false;
    };
    file.text.split(|c| !is_word(c)).any(|word| word == last)
}

/// Whether the file has a test of this name: a function of Rust that is marked as one, or a
/// sentence given to `test` in JavaScript.
fn has_test(file: &File, name: &str) -> bool {
    if file.extension() == "mjs" {
        return file.text.contains(&format!("test(\"{name}\""));
    }
    let code = without_comments_and_literals(&file.text);
    let tokens = tokens(&code);
    let mut pairs = tokens.windows(2).enumerate();
    pairs.any(|(at, pair)| pair[0].text == "fn" && pair[1].text == name && is_marked(&tokens[..at]))
}

/// Whether one of the attributes at the end of these tokens makes a test of the function that
/// follows.
fn is_marked(before: &[Token<'_>]) -> bool {
    let mut end = before.len();
    while end > 0 {
        match before[end - 1].text {
            "pub" | "async" => end -= 1,
            "]" => {
                let Some(start) = before[..end].iter().rposition(|token| token.text == "#") else {
                    return false;
                };
                if before[start..end].iter().any(|token| matches!(token.text, "test" | "property")) {
                    return true;
                }
                end = start;
            }
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::places;
    use super::*;

    const NONE: [&str; 0] = [];
    const HEAD: &str = "| item | where | tested by | how it differs |\n| --- | --- | --- | --- |\n";

    fn check(page: &str) -> Vec<String> {
        places(
            &REFERENCES,
            &[
                ("docs/papers.md", page),
                ("ARCHITECTURE.md", "See `README.md`."),
                ("README.md", "Read `me`."),
                ("crates/a/src/lib.rs", "pub trait Explore {\n    fn after(&self);\n}\n"),
                (
                    "crates/a/tests/b.rs",
                    "#[test]\nfn plain() {}\n\n#[property(cases = 3)]\n#[expect(x)]\nasync fn drawn(a: u8) {}\n\nfn helper() {}\n// #[test] fn said() {}\n",
                ),
                ("page/tests/c.test.mjs", "test(\"bars are dragged\", async () => {});\n"),
            ],
        )
    }

    #[test]
    fn what_is_there_is_fine() {
        for text in [
            "A page about `anything`, with `crates/a` and `crates/a/src/lib.rs`.\n".to_owned(),
            format!(
                "{HEAD}| x | `crates/a/src/lib.rs`: `Explore::after(..)` | `crates/a/tests/b.rs`: `plain`, `drawn` | `1 | 2` |\n"
            ),
            format!("{HEAD}| x | `crates/a`: `after` | `page/tests/c.test.mjs`: `bars are dragged` | |\n"),
            format!("{HEAD}| `x` | not implemented | no test | `y` |\n"),
            format!("{HEAD}| x | `README.md`: `me` | `crates/a/tests/b.rs` | |\n"),
        ] {
            assert_eq!(check(&text), NONE, "{text}");
        }
    }

    #[test]
    fn what_is_not_there_is_found_in_its_line() {
        assert_eq!(check("\nSee `crates/b`.\n"), ["docs/papers.md:2"]);
        assert_eq!(places(&REFERENCES, &[("README.md", "")]), ["docs/papers.md:1", "ARCHITECTURE.md:1"]);
        for row in [
            "| x | `crates/a/src/main.rs`: `after` | no test | |",
            "| x | `crates/a/src/lib.rs`: `before` | no test | |",
            "| x | `after` | no test | |",
            "| x | | | |",
            "| x | | `plain` | |",
            "| x | | `crates/a/tests/b.rs`: `plan` | |",
            "| x | | `crates/a/tests/b.rs`: `helper` | |",
            "| x | | `crates/a/tests/b.rs`: `said` | |",
            "| x | | `crates/a/tests/none.rs`: `plain` | |",
            "| x | | `page/tests/c.test.mjs`: `bars are` | |",
            "| x | | no test | see `crates/a/none.rs` |",
        ] {
            let expected: &[&str] = &["docs/papers.md:3"];
            assert_eq!(check(&format!("{HEAD}{row}\n")), expected, "{row}");
        }
    }
}
