//! What the rooms of the library (`crates/retrospect/src`) may use.

use super::{File, Finding, Rule, Tree};
use crate::rust_source::{Path, paths_outside_tests};

const LIBRARY: &str = "crates/retrospect/src/";

/// The rooms that turn choices into values and back. The runner around them does the talking.
const ENGINE: [&str; 8] = ["choice", "source", "reflect", "shrink", "mutate", "generator", "sketch", "text"];

pub(super) const PURE_ENGINE: Rule = Rule {
    name: "pure-engine",
    rule: "The engine (choice, source, reflect, shrink, mutate, generator, sketch, text) does not print, nor read the \
           environment, the clock or a file.",
    why: "Same generator, same choices, same value, on every machine: what the engine does may depend on nothing else. \
          And what a user sees is written in one place, the runner.",
    way_out: "Return what should be said, and take what should be known as an argument; the runner prints, reads and measures. \
              Tests are free: put them behind #[cfg(test)] or into a file called tests.rs.",
    check: |tree| {
        let mut findings = Vec::new();
        for (file, module) in library(tree) {
            if !ENGINE.contains(&module[0]) {
                continue;
            }
            paths_outside_tests(&file.text, |paths| {
                for path in &paths {
                    if let Some(deed) = impure(path) {
                        let what = format!("`{}` {deed}", path.segments.join("::"));
                        findings.push(Finding::new(&file.path, path.line, what));
                    }
                }
            });
        }
        findings
    },
};

/// What a path would make the engine do.
fn impure(path: &Path<'_>) -> Option<&'static str> {
    let segments = &path.segments[..];
    if path.is_macro {
        let prints = matches!(segments.last(), Some(&("print" | "println" | "eprint" | "eprintln" | "dbg")));
        return prints.then_some("prints");
    }
    let calls = |ty: &str, function: &str| segments.windows(2).any(|pair| pair == [ty, function]);
    match segments {
        ["std", "env", ..] => Some("reads the environment"),
        ["std", "fs", ..] => Some("reads or writes a file"),
        ["std", "io", "stdin" | "stdout" | "stderr", ..] => Some("talks to the terminal"),
        ["std", "time", "Instant", ..] | ["time", "Instant", ..] => Some("reads the clock"),
        _ if calls("Instant", "now") || calls("SystemTime", "now") => Some("reads the clock"),
        _ if calls("env", "var") || calls("env", "var_os") || calls("env", "args") => Some("reads the environment"),
        _ => None,
    }
}

/// What a room may take from the other rooms of the library.
enum MayUse {
    Only(&'static [&'static str]),
    AllBut(&'static [&'static str]),
    All,
}

/// Who may know whom. The longest prefix of a module decides, so a room can have a corner with its
/// own row.
const LAYER_TABLE: &[(&str, MayUse, &str)] = &[
    ("choice", MayUse::Only(&[]), "the tree serves every interpretation, so it knows none of them"),
    (
        "source",
        MayUse::Only(&["choice", "mismatch", "natural", "stack", "toml"]),
        "a source answers choices and never sees a generator or a value",
    ),
    (
        "reflect",
        MayUse::Only(&["choice", "source", "mismatch", "natural", "stack"]),
        "a reflector notes choices; who is being reflected is the generator's business",
    ),
    (
        "shrink",
        MayUse::Only(&["choice", "source"]),
        "shrinking edits choices; who makes values of them, and what fails, is the caller's business",
    ),
    (
        "mutate",
        MayUse::Only(&["choice", "source"]),
        "mutation edits choices; who makes values of them is the caller's business",
    ),
    (
        "sketch",
        MayUse::AllBut(&["generator", "prelude"]),
        "reading text needs no generator, so it can be fuzzed and reused alone",
    ),
    ("sketch::complete", MayUse::All, "completion is where a sketch meets a generator"),
    (
        "text",
        MayUse::Only(&["choice", "source", "reflect", "generator", "mismatch", "stack", "sketch"]),
        "a text is a generator like others: it knows nothing of shrinking, running or laws",
    ),
];

pub(super) const LAYERS: Rule = Rule {
    name: "layers",
    rule: "The rooms of the library know each other only as the table in xtask/src/tidy/engine.rs says.",
    why: "Each room can then be read, tested and changed without the ones above it.",
    way_out: "Move the item down to the room that needs it, or turn it round: let the upper room call the lower one. \
              If the table is what is wrong, change its row and the reason beside it.",
    check: |tree| {
        let mut findings = Vec::new();
        let roots = root_names(tree);
        for (file, module) in library(tree) {
            let name = module.join("::");
            let within = |row: &str| name == row || name.starts_with(&format!("{row}::"));
            let row = LAYER_TABLE.iter().filter(|(row, ..)| within(row)).max_by_key(|(row, ..)| row.len());
            let Some((row, may, reason)) = row else {
                continue;
            };
            paths_outside_tests(&file.text, |paths| {
                for path in &paths {
                    let Some(first) = from_root(path, &module) else {
                        continue;
                    };
                    // A name that the crate's root passes on counts as its room.
                    let room = roots.iter().find(|(name, _)| name == first).map_or(first, |(_, room)| room);
                    let fine = room == module[0]
                        || match may {
                            MayUse::Only(rooms) => rooms.contains(&room),
                            MayUse::AllBut(rooms) => !rooms.contains(&room),
                            MayUse::All => true,
                        };
                    if !fine {
                        let what = format!("`{}` may not use `{}` ({room}): {reason}", row, path.segments.join("::"));
                        findings.push(Finding::new(&file.path, path.line, what));
                    }
                }
            });
        }
        findings
    },
};

/// The first segment of the path, seen from the crate's root; nothing if the path does not leave
/// the crate's own room.
fn from_root<'p>(path: &'p Path<'_>, module: &[&str]) -> Option<&'p str> {
    match path.segments[0] {
        "crate" => path.segments.get(1).copied(),
        "super" => {
            let supers = path.segments.iter().take_while(|segment| **segment == "super").count();
            let reaches_root = supers == module.len() + path.inline_modules;
            if reaches_root { path.segments.get(supers).copied() } else { None }
        }
        _ => None,
    }
}

/// What `lib.rs` passes on from its rooms: `pub use generator::Generator` makes `Generator` a name
/// of the room `generator`.
fn root_names(tree: &Tree) -> Vec<(String, String)> {
    let Some(file) = tree.get(&format!("{LIBRARY}lib.rs")) else {
        return Vec::new();
    };
    paths_outside_tests(&file.text, |paths| {
        let at_root = paths.iter().filter(|path| path.is_import && path.inline_modules == 0);
        at_root
            .filter_map(|path| {
                let segments = path.segments.strip_prefix(&["crate"]).or(path.segments.strip_prefix(&["self"]));
                let segments = segments.unwrap_or(&path.segments);
                (segments.len() > 1).then(|| (segments[segments.len() - 1].to_owned(), segments[0].to_owned()))
            })
            .collect()
    })
}

/// The files of the library that are not tests, with the module each one is.
fn library(tree: &Tree) -> impl Iterator<Item = (&File, Vec<&str>)> {
    tree.with_extension("rs").filter_map(|file| {
        let inside = file.path.strip_prefix(LIBRARY)?.strip_suffix(".rs")?;
        let mut module: Vec<&str> = inside.split('/').collect();
        if module.last() == Some(&"mod") {
            module.pop();
        }
        let is_code = !module.is_empty() && !module.contains(&"tests");
        is_code.then_some((file, module))
    })
}

#[cfg(test)]
mod tests {
    use super::super::places;
    use super::{ENGINE, LAYERS, PURE_ENGINE};

    fn pure(path: &str, text: &str) -> usize {
        places(&PURE_ENGINE, &[(path, text)]).len()
    }

    #[test]
    fn what_the_engine_may_not_do_is_found_however_it_is_written() {
        for line in [
            "println!(\"x\");",
            "std::eprintln!(\"x\");",
            "std::env::var(\"X\");",
            "use std::{env, fmt};",
            "use std::env as e;",
            "use std::fs::read_to_string;",
            "use std::{fmt, time::{Duration, Instant}};",
            "let now = std::time::SystemTime::now();",
            "let now = SystemTime::now();",
            "let now = time::Instant::now();",
            "std::io::stdout().flush();",
        ] {
            for room in ENGINE {
                let text = format!("// one\nfn f() {{\n    {line}\n}}\n");
                let path = format!("crates/retrospect/src/{room}/a.rs");
                assert_eq!(places(&PURE_ENGINE, &[(&path, &text)]), [format!("{path}:3")], "{line}");
            }
        }
        assert_eq!(pure("crates/retrospect/src/text.rs", "println!();"), 1);
    }

    #[test]
    fn what_the_engine_may_do_is_not_found() {
        for line in [
            "use std::time::{Duration, SystemTime};",
            "let t = SystemTime::UNIX_EPOCH + Duration::from_secs(1);",
            "/// println!(\"x\")",
            "let text = \"std::env::var\";",
            "let version = env!(\"CARGO_PKG_VERSION\");",
            "writeln!(out, \"x\");",
            "#[cfg(test)] mod tests { fn f() { println!(); } }",
        ] {
            assert_eq!(pure("crates/retrospect/src/choice/a.rs", line), 0, "{line}");
        }
        assert_eq!(pure("crates/retrospect/src/runner/report.rs", "println!();"), 0);
        assert_eq!(pure("crates/retrospect/src/choice/tests.rs", "println!();"), 0);
        assert_eq!(pure("crates/retrospect/src/choice/tests/a.rs", "println!();"), 0);
        assert_eq!(pure("crates/cargo-retrospect/src/choice/a.rs", "println!();"), 0);
    }

    #[test]
    fn code_after_a_test_module_is_still_code() {
        assert_eq!(pure("crates/retrospect/src/choice/a.rs", "#[cfg(test)] mod tests;\nfn f() { println!(); }"), 1);
    }

    fn layers(path: &str, text: &str) -> usize {
        let root = ("crates/retrospect/src/lib.rs", "mod choice; pub use generator::{Generator, any};");
        places(&LAYERS, &[root, (&format!("crates/retrospect/src/{path}"), text)]).len()
    }

    #[test]
    fn a_room_may_not_know_the_ones_above_it() {
        for (path, text) in [
            ("choice/tree.rs", "use crate::source::Source;"),
            ("choice/tree.rs", "use crate::{choice::Tree, runner};"),
            ("choice/mod.rs", "use super::source::Source;"),
            ("choice.rs", "use super::source::Source;"),
            ("choice/tree.rs", "use super::super::source::Source;"),
            ("choice/tree.rs", "mod inner { use super::super::super::source::Source; }"),
            ("choice/tree.rs", "fn f(x: crate::reflect::Reflector) {}"),
            ("choice/tree.rs", "use crate::Generator;"),
            ("source/random.rs", "use crate::reflect::Reflector;"),
            ("source/random.rs", "use crate::Generator;"),
            ("reflect/forest.rs", "use crate::shrink::consider;"),
            ("reflect/forest.rs", "use crate::any;"),
            ("shrink/door.rs", "use crate::Generator;"),
            ("shrink/door.rs", "use crate::reflect::Reflector;"),
            ("sketch/read.rs", "use crate::generator::Generator;"),
            ("sketch/read.rs", "use crate::Generator;"),
            ("sketch/read.rs", "use crate::prelude::*;"),
        ] {
            assert_eq!(layers(path, text), 1, "{path}: {text}");
        }
    }

    #[test]
    fn a_room_may_know_itself_and_what_the_table_gives_it() {
        for (path, text) in [
            ("choice/tree.rs", "use super::Order; use crate::choice::text; use std::fmt; use self::x;"),
            ("choice/tree.rs", "mod inner { use super::super::Order; }"),
            ("choice/tree.rs", "#[cfg(test)] mod tests { use crate::prelude::*; }"),
            ("choice/tree.rs", "/// See [`crate::Generator`].\nstruct Tree;"),
            ("choice/tests.rs", "use crate::prelude::*;"),
            ("source/mod.rs", "use crate::choice::Tree;"),
            ("reflect/mod.rs", "use crate::{choice::Tree, source::Source};"),
            ("shrink/door.rs", "use crate::{choice::Choices, source::Replay};"),
            ("sketch/read.rs", "use crate::choice::Tree;"),
            ("sketch/complete.rs", "use crate::Generator;"),
            ("sketch/complete/list.rs", "use crate::generator::Generator;"),
            ("generator/mod.rs", "use crate::{choice, source, reflect, sketch, Generator};"),
        ] {
            assert_eq!(layers(path, text), 0, "{path}: {text}");
        }
    }
}
