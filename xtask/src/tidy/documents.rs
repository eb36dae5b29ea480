//! The pages at the root, and what they promise.

use toml::de::DeTable;

use super::{File, Finding, Rule};

/// The first of the README's two commands. `cargo xtask test` runs it.
pub const DEMO: &str = "cargo run --release -- demo";
/// The second: every check and every test.
const TEST: &str = "cargo xtask test";

const DOCUMENTS: [&str; 6] =
    ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

pub(super) const DOCUMENTS_EXIST: Rule = Rule {
    name: "documents-exist",
    rule: "README, ARCHITECTURE, CONTRIBUTING, CHANGELOG and both licences are there and say something.",
    why: "They are where a user, a newcomer and a lawyer look first.",
    way_out: "Bring the page back, or write its first true sentence.",
    check: |tree| {
        let is_there = |path: &str| tree.get(path).is_some_and(|file| !file.text.trim().is_empty());
        DOCUMENTS
            .into_iter()
            .filter(|path| !is_there(path))
            .map(|path| Finding::new(path, 1, "missing or empty"))
            .collect()
    },
};

/// The most words of ARCHITECTURE.md, and of a page in docs/decisions.
const MAX_WORDS: (usize, usize) = (2_000, 220);

pub(super) const SHORT_PAGES: Rule = Rule {
    name: "short-pages",
    rule: "ARCHITECTURE.md has at most 2,000 words, and each page in docs/decisions at most 220.",
    why: "A newcomer reads a page of ten minutes, and nobody reads a page of an hour.",
    way_out: "Say it in fewer words, or move it to the head of the module that it explains.",
    check: |tree| {
        let mut findings = Vec::new();
        for page in tree.with_extension("md") {
            let max = match page.path.as_str() {
                "ARCHITECTURE.md" => MAX_WORDS.0,
                path if path.starts_with("docs/decisions/") => MAX_WORDS.1,
                _ => continue,
            };
            let count = page.text.split_whitespace().count();
            if count > max {
                findings.push(Finding::new(&page.path, 1, format!("{count} words, where {max} are enough")));
            }
        }
        findings
    },
};

pub(super) const LINKS_LEAD_SOMEWHERE: Rule = Rule {
    name: "links-lead-somewhere",
    rule: "Every relative link in a Markdown page points at a file or folder of the repository.",
    why: "A link that leads nowhere costs each reader the search that its writer saved.",
    way_out: "Mend the link. For something that is not there yet, write its name as `code`, without a link.",
    check: |tree| {
        let mut findings = Vec::new();
        for page in tree.with_extension("md").filter(|file| !file.is_foreign()) {
            for (line, link) in links(page) {
                let target = link.split(['#', '?']).next().unwrap_or_default();
                let is_elsewhere = target.split('/').next().is_some_and(|start| start.contains(':'));
                if target.is_empty() || is_elsewhere {
                    continue;
                }
                let found = resolve(&page.path, target).is_some_and(|path| tree.has(&path));
                if !found {
                    findings.push(Finding::new(&page.path, line, format!("the link `{link}` leads nowhere")));
                }
            }
        }
        findings
    },
};

pub(super) const TWO_COMMANDS: Rule = Rule {
    name: "two-commands",
    rule: "The README's section \"Two commands\" holds exactly `cargo run --release -- demo` and `cargo xtask test`, \
           the alias `xtask` exists, and .ci/run is executable and runs exactly the second.",
    why: "What a reader is told to run is what is checked on every change, so it cannot rot; and no check is known to the \
          machine only.",
    way_out: "A new check becomes a step in xtask/src/suite.rs; the README and .ci/run stay as they are.",
    check: |tree| {
        let mut findings = Vec::new();
        let mut expect = |path: &str, line: usize, what: &str, commands: &[&str], expected: &[&str]| {
            if commands != expected {
                findings.push(Finding::new(path, line, format!("{what} are {commands:?}, not {expected:?}")));
            }
        };
        let (line, commands) = tree.get("README.md").map_or((1, Vec::new()), readme_commands);
        expect("README.md", line, "the two commands", &commands, &[DEMO, TEST]);

        let ci = tree.get(".ci/run");
        let commands: Vec<&str> = ci.into_iter().flat_map(File::lines).map(|(_, line)| line.trim()).collect();
        let is_setting = |line: &str| {
            line.is_empty() || line.starts_with('#') || line.starts_with("set ") || line.starts_with("cd ")
        };
        let commands: Vec<&str> = commands.into_iter().filter(|line| !is_setting(line)).collect();
        expect(".ci/run", 1, "the commands", &commands, &[TEST]);
        if ci.is_some_and(|file| !file.executable) {
            findings.push(Finding::new(".ci/run", 1, "not executable (chmod +x)"));
        }

        if !tree.get(".cargo/config.toml").is_some_and(has_alias) {
            findings.push(Finding::new(".cargo/config.toml", 1, "no alias `xtask` that runs the package xtask"));
        }
        findings
    },
};

/// The lines of the code blocks below the heading, and the line of the heading.
fn readme_commands(readme: &File) -> (usize, Vec<&str>) {
    let mut lines = readme.lines().skip_while(|(_, text)| text.trim() != "## Two commands");
    let Some((heading, _)) = lines.next() else {
        return (1, Vec::new());
    };
    let mut in_block = false;
    let mut commands = Vec::new();
    for (_, text) in lines.take_while(|(_, text)| !text.starts_with("## ")) {
        if text.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            commands.push(text.split(" #").next().unwrap_or_default().trim());
        }
    }
    (heading, commands)
}

fn has_alias(config: &File) -> bool {
    let Ok(table) = DeTable::parse(&config.text) else {
        return false;
    };
    let alias = table.get_ref().get("alias").and_then(|alias| alias.get_ref().get("xtask"));
    alias.is_some_and(|alias| {
        alias.get_ref().as_str().is_some_and(|alias| alias.starts_with("run ") && alias.contains(" xtask "))
    })
}

/// The targets of all links of a page, outside code and comments.
fn links(page: &File) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    let mut fence = None;
    let mut in_comment = false;
    for (line, text) in page.lines() {
        let start = text.trim_start();
        let marker = ["```", "~~~"].into_iter().find(|marker| start.starts_with(marker));
        if marker.is_some() && (fence.is_none() || fence == marker) {
            fence = if fence.is_some() { None } else { marker };
            continue;
        }
        if fence.is_some() {
            continue;
        }
        let prose = prose(text, &mut in_comment);
        if let Some((_, target)) = prose.strip_prefix('[').and_then(|definition| definition.split_once("]: ")) {
            links.push((line, first_word(target)));
        }
        for (at, _) in prose.match_indices("](") {
            links.push((line, first_word(&prose[at + 2..])));
        }
    }
    links
}

/// The line without code spans and comments.
fn prose(line: &str, in_comment: &mut bool) -> String {
    let mut out = String::new();
    let mut rest = line;
    while !rest.is_empty() {
        let (until, next) = if *in_comment { ("-->", false) } else { ("<!--", true) };
        let (part, after) = rest.split_once(until).map_or((rest, None), |(part, after)| (part, Some(after)));
        if !*in_comment {
            // Every second piece between back-quotes is code.
            out.extend(part.split('`').step_by(2));
        }
        if after.is_some() {
            *in_comment = next;
        }
        rest = after.unwrap_or_default();
    }
    out
}

/// The target without its title and brackets.
fn first_word(text: &str) -> String {
    if let Some(bracketed) = text.strip_prefix('<') {
        return bracketed.split('>').next().unwrap_or_default().to_owned();
    }
    let mut depth = 0;
    let ends = |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth < 0 || c.is_whitespace()
    };
    text.split(ends).next().unwrap_or_default().to_owned()
}

/// The target as a path from the root of the repository; nothing if it leaves the repository.
fn resolve(page: &str, target: &str) -> Option<String> {
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = if target.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.retain(|part| !part.is_empty());
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    parts.retain(|part| !part.is_empty());
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::super::places;
    use super::*;

    const NONE: [&str; 0] = [];

    #[test]
    fn a_page_that_is_too_long_is_found() {
        let words = |count: usize| "word ".repeat(count);
        let check = |path: &str, count| places(&SHORT_PAGES, &[(path, &words(count))]);
        assert_eq!(check("ARCHITECTURE.md", 2_001), ["ARCHITECTURE.md:1"]);
        assert_eq!(check("docs/decisions/001-a.md", 221), ["docs/decisions/001-a.md:1"]);
        for (path, count) in [("ARCHITECTURE.md", 2_000), ("docs/decisions/001-a.md", 220), ("README.md", 9_000)] {
            assert!(check(path, count).is_empty(), "{path}");
        }
    }

    #[test]
    fn a_missing_or_empty_page_is_found() {
        let all: Vec<(&str, &str)> = DOCUMENTS.into_iter().map(|path| (path, "Something.\n")).collect();
        assert_eq!(places(&DOCUMENTS_EXIST, &all), NONE);
        for (at, path) in DOCUMENTS.into_iter().enumerate() {
            let mut files = all.clone();
            files[at].1 = " \n";
            assert_eq!(places(&DOCUMENTS_EXIST, &files), [format!("{path}:1")]);
            files.remove(at);
            assert_eq!(places(&DOCUMENTS_EXIST, &files), [format!("{path}:1")]);
        }
    }

    #[test]
    fn links_are_followed() {
        let check =
            |text: &str| places(&LINKS_LEAD_SOMEWHERE, &[("docs/a.md", text), ("docs/b.md", ""), ("src/lib.rs", "")]);
        for text in [
            "[b](b.md) [b](./b.md#x \"title\") ![c](<../src/lib.rs>) [d](../src) [e](/docs/b.md) [f](#here)",
            "[x](https://example.org/a(b)) [y](mailto:a@b.c)",
            "`[x](nowhere.md)` <!-- [x](nowhere.md) -->\n<!--\n[x](nowhere.md)\n-->",
            "```\n[x](nowhere.md)\n~~~\n```\n",
            "[b]: b.md",
        ] {
            assert_eq!(check(text), NONE, "{text}");
        }
        for text in [
            "\n[x](nowhere.md)",
            "\n[x](b.md) [y](../src/main.rs)",
            "\n[x]: nowhere.md",
            "\n[x](../../outside)",
            "\n`a` [x](b) `c`",
        ] {
            assert_eq!(check(text), ["docs/a.md:2"], "{text}");
        }
    }

    const README: &str = "# x\n\n## Two commands\n\n```sh\ncargo run --release -- demo   # see it\ncargo xtask test\n```\n\n## More\n\n```sh\nls\n```\n";
    const CI: &str = "#!/usr/bin/env bash\nset -euo pipefail\ncd \"$(dirname \"$0\")/..\"\ncargo xtask test\n";
    const CONFIG: &str = "[alias]\nxtask = \"run --package xtask --\"\n";

    fn two_commands(readme: &str, ci: &str, config: &str) -> Vec<String> {
        places(&TWO_COMMANDS, &[("README.md", readme), (".ci/run", ci), (".cargo/config.toml", config)])
    }

    #[test]
    fn the_two_commands_are_what_they_are() {
        assert_eq!(two_commands(README, CI, CONFIG), NONE);
        assert_eq!(places(&TWO_COMMANDS, &[]), ["README.md:1", ".ci/run:1", ".cargo/config.toml:1"]);
    }

    #[test]
    fn a_command_changed_added_or_lost_is_found() {
        for readme in [
            README.replace(DEMO, "cargo run -- demo"),
            README.replace("cargo xtask test\n", ""),
            README.replace("cargo xtask test\n", "cargo xtask test\nmake\n"),
        ] {
            assert_eq!(two_commands(&readme, CI, CONFIG), ["README.md:3"], "{readme}");
        }
        assert_eq!(two_commands(&README.replace("Two", "Three"), CI, CONFIG), ["README.md:1"]);
        for ci in [
            CI.replace("xtask test", "test"),
            format!("{CI}make\n"),
            CI.replace("cargo xtask test", "true || cargo xtask test"),
        ] {
            assert_eq!(two_commands(README, &ci, CONFIG), [".ci/run:1"], "{ci}");
        }
        for config in ["", "[alias]\nxtask = \"build\"\n", "[alias"] {
            assert_eq!(two_commands(README, CI, config), [".cargo/config.toml:1"], "{config}");
        }
    }
}
