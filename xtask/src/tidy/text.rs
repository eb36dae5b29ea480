//! What the text of any file may look like.

use super::{Finding, Rule};

const LONGEST: usize = 900;

pub(super) const SHORT_FILES: Rule = Rule {
    name: "short-files",
    rule: "No source file has more than 900 lines.",
    why: "A longer file holds more than one idea, and nobody reads it whole.",
    way_out: "Give the second idea its own file beside the first.",
    check: |tree| {
        let sources = tree.files().filter(|file| matches!(file.extension(), "rs" | "ts" | "tsx") && !file.is_foreign());
        sources
            .filter_map(|file| {
                let n_lines = file.lines().count();
                let what = format!("{n_lines} lines, {} too many", n_lines.saturating_sub(LONGEST));
                (n_lines > LONGEST).then(|| Finding::new(&file.path, LONGEST + 1, what))
            })
            .collect()
    },
};

const MAX_COMMENT_WIDTH: usize = 100;

pub(super) const COMMENT_WIDTH: Rule = Rule {
    name: "comment-width",
    rule: "No comment is wider than 100 columns.",
    why: "Prose in wide lines is hard to read, and does not fit beside another file.",
    way_out: "Break the line. Code in a comment, a row of a table and a word without a blank are exempt.",
    check: |tree| {
        let sources = tree.with_extension("rs").filter(|file| !file.is_foreign());
        sources
            .flat_map(|file| {
                let what = |width: usize| format!("{width} columns, {} too many", width - MAX_COMMENT_WIDTH);
                wide_comments(file.lines())
                    .into_iter()
                    .map(move |(line, width)| Finding::new(&file.path, line, what(width)))
            })
            .collect()
    },
};

/// The lines with wide comments, and how wide they are.
fn wide_comments<'t>(lines: impl Iterator<Item = (usize, &'t str)>) -> Vec<(usize, usize)> {
    let mut wide = Vec::new();
    let mut is_in_code = false;
    for (line, text) in lines {
        let Some(comment) = text.trim_start().strip_prefix("//") else {
            is_in_code = false;
            continue;
        };
        let prose = comment.trim_start_matches(['/', '!']).trim_start();
        let is_fence = prose.starts_with("```");
        is_in_code ^= is_fence;
        let width = text.chars().count();
        let is_exempt = is_in_code || is_fence || prose.starts_with('|') || !prose.contains(' ');
        if width > MAX_COMMENT_WIDTH && !is_exempt {
            wide.push((line, width));
        }
    }
    wide
}

/// Put together here so that this file does not break its own rule.
const UNFINISHED: [(&str, &str); 5] = [
    (concat!("todo", "!"), "work that is not done"),
    (concat!("unimplemented", "!"), "work that is not done"),
    (concat!("dbg", "!"), "left over from looking for a fault"),
    (concat!("FIX", "ME"), "work that is not done"),
    (concat!("#[", "ignore"), "a test that does not run"),
];

pub(super) const FINISHED_WORK: Rule = Rule {
    name: "finished-work",
    rule: "No source file has a placeholder, a debugging macro, a note to repair it later, or a test that is switched off.",
    why: "What is on the main branch is what we have; work that waits belongs where it is seen, and a test that does not run \
          proves nothing.",
    way_out: "Finish it, or leave it out and write down what is missing. A test that is too slow needs smaller input.",
    check: |tree| {
        let mut findings = Vec::new();
        let sources = tree.files().filter(|file| matches!(file.extension(), "rs" | "ts" | "tsx") && !file.is_foreign());
        for file in sources {
            for (line, text) in file.lines() {
                for (word, meaning) in UNFINISHED {
                    if occurrences(text, word).any(|at| !text[..at].ends_with(is_word)) {
                        findings.push(Finding::new(&file.path, line, format!("`{word}`: {meaning}")));
                    }
                }
            }
        }
        findings
    },
};

/// The folders at the root of a machine that a developer's files lie in. Without the slash, so as
/// not to find themselves.
const MACHINE_FOLDERS: [&str; 4] = ["home", "root", "work", "tmp"];

pub(super) const NO_MACHINE_PATHS: Rule = Rule {
    name: "no-machine-paths",
    rule: "No file names an absolute path of somebody's machine.",
    why: "It works there and nowhere else, and it tells strangers how that machine is laid out.",
    way_out: "Start from env!(\"CARGO_MANIFEST_DIR\") or std::env::temp_dir(), or write the path from the root of the repository. \
              Files from elsewhere belong into a folder called `data`.",
    check: |tree| {
        let mut findings = Vec::new();
        for file in tree.files().filter(|file| !file.is_lock() && !file.is_foreign()) {
            for (line, text) in file.lines() {
                if let Some(path) = machine_path(text) {
                    findings.push(Finding::new(&file.path, line, format!("the path `{path}`")));
                }
            }
        }
        findings
    },
};

/// The first absolute path on the line that starts in one of the folders.
fn machine_path(line: &str) -> Option<&str> {
    occurrences(line, "/").find_map(|at| {
        // After a letter, a `.`, a `}` and the like, the slash is in the middle of a relative path
        // or an address.
        let before = line[..at].chars().next_back();
        let is_start = before
            .is_none_or(|c| !is_word(c) && !matches!(c, '.' | '~' | '-' | '/' | '}' | ')' | ']' | '>' | '*'))
            || line[..at].ends_with("://");
        let rest = &line[at + 1..];
        let folder = MACHINE_FOLDERS
            .iter()
            .find(|folder| rest.strip_prefix(**folder).is_some_and(|rest| !rest.starts_with(is_word)))?;
        is_start.then(|| &line[at..at + 1 + folder.len()])
    })
}

pub(super) const CLEAN_ENDS: Rule = Rule {
    name: "clean-ends",
    rule: "No line ends in white space or a carriage return, and every file ends in exactly one newline.",
    why: "Otherwise editors change lines that nobody meant to change, and a review shows them.",
    way_out: "Strip them; most editors do so on saving. Output that a test compares byte for byte is exempt: \
              .snap, .stderr, .stdout.",
    check: |tree| {
        let mut findings = Vec::new();
        for file in tree.files().filter(|file| !file.is_lock() && !file.is_foreign() && !file.is_pinned_output()) {
            for (line, text) in file.lines() {
                if text.ends_with(char::is_whitespace) {
                    findings.push(Finding::new(&file.path, line, "white space at the end of the line"));
                }
            }
            let last = file.lines().count();
            if !file.text.is_empty() && !file.text.ends_with('\n') {
                findings.push(Finding::new(&file.path, last, "no newline at the end of the file"));
            }
            if file.text == "\n" || file.text.ends_with("\n\n") {
                findings.push(Finding::new(&file.path, last, "an empty line at the end of the file"));
            }
        }
        findings
    },
};

fn occurrences<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at)
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::super::places;
    use super::*;

    const NONE: [&str; 0] = [];

    #[test]
    fn a_file_of_901_lines_is_too_long() {
        for (extension, n_lines, expected) in [("rs", 900, 0), ("rs", 901, 1), ("tsx", 901, 1), ("md", 901, 0)] {
            let found = places(&SHORT_FILES, &[(&format!("a.{extension}"), &"x\n".repeat(n_lines))]);
            assert_eq!(found.len(), expected, "{n_lines} lines of {extension}");
        }
    }

    #[test]
    fn a_wide_comment_is_found_and_code_tables_and_long_words_are_not() {
        let wide = "word ".repeat(20) + "end";
        let places_of = |comment: &str| places(&COMMENT_WIDTH, &[("a.rs", comment)]);
        for mark in ["//", "///", "//!"] {
            assert_eq!(places_of(&format!("    {mark} {wide}\n")), ["a.rs:1"], "{mark}");
        }
        let narrow = &wide[..MAX_COMMENT_WIDTH - 4];
        let code = format!("/// ```\n/// {wide}\n/// ```\n");
        let table = format!("//! | {wide} |\n");
        let word = format!("// {}\n", "x".repeat(200));
        for fine in [&format!("/// {narrow}\n"), &code, &table, &word, &format!("let x = \"{wide}\";\n")] {
            assert_eq!(places_of(fine), NONE, "{fine}");
        }
        assert_eq!(places_of(&format!("/// ```\n/// ```\n/// {wide}\n")), ["a.rs:3"], "a fence is closed");
        assert_eq!(places_of(&format!("/// ```\nfn f() {{}}\n// {wide}\n")), ["a.rs:3"], "a comment is over");
    }

    #[test]
    fn each_mark_of_unfinished_work_is_found() {
        for (word, _) in UNFINISHED {
            let text = format!("fn f() {{\n    {word}\n}}\n");
            assert_eq!(places(&FINISHED_WORK, &[("a.rs", &text)]), ["a.rs:2"], "{word}");
            assert_eq!(places(&FINISHED_WORK, &[("a.md", &text), ("data/a.ts", &text)]), NONE, "{word}");
        }
        let part_of_a_word = concat!("my_", "todo", "!()");
        assert_eq!(places(&FINISHED_WORK, &[("a.rs", part_of_a_word)]), NONE);
    }

    #[test]
    fn machine_paths_are_found_and_relative_ones_are_not() {
        for folder in MACHINE_FOLDERS {
            for text in ["/F/x", "see /F", "(/F/x)", "\"/F\"", "file:///F/x", "PATH=/F/x", "/bin:/F/x"] {
                let text = text.replace('F', folder);
                assert_eq!(machine_path(&text), Some(&*format!("/{folder}")), "{text}");
            }
            for text in [
                "a/F/x",
                "./F",
                "../F",
                "${root}/F",
                "https://example.org/F/x",
                "/Fing",
                "/F_x",
                "{dir}/F",
                "**/F",
                "F/x",
            ] {
                assert_eq!(machine_path(&text.replace('F', folder)), None, "{text} with {folder}");
            }
        }
        let text = format!("fine\nin /{}/x\n", MACHINE_FOLDERS[0]);
        let files = [("a.md", &*text), ("Cargo.lock", &text), ("x/data/a.json", &text), ("a.stderr", &text)];
        assert_eq!(places(&NO_MACHINE_PATHS, &files), ["a.md:2", "a.stderr:2"]);
    }

    #[test]
    fn ends_are_clean() {
        let check = |text: &str| places(&CLEAN_ENDS, &[("a.txt", text)]);
        assert_eq!(check("a\nb\n"), NONE);
        assert_eq!(check(""), NONE);
        assert_eq!(check("a\nb \nc\n"), ["a.txt:2"]);
        assert_eq!(check("a\r\n"), ["a.txt:1"]);
        assert_eq!(check("a\nb\t\n"), ["a.txt:2"]);
        assert_eq!(check("a\nb"), ["a.txt:2"]);
        assert_eq!(check("a\n\n"), ["a.txt:2"]);
        assert_eq!(check("\n"), ["a.txt:1"]);
        assert_eq!(places(&CLEAN_ENDS, &[("a.snap", "a "), ("data/a.txt", "a "), ("b.lock", "a ")]), NONE);
    }
}
