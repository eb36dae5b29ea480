//! What the `Cargo.toml` files may say.

use toml::de::{DeTable, DeValue};

use super::{File, Finding, Rule, Tree};

/// Which crates of this workspace a crate may depend on, and why no others. Development
/// dependencies do not count: the documentation of the macros is run with the library.
const DIRECTION: &[(&str, &[&str], &str)] = &[
    (
        "retrospect-grammar",
        &[],
        "the library and the macros check grammars by the same code, so it knows neither of them",
    ),
    (
        "retrospect-macros",
        &["retrospect-grammar"],
        "macros only parse, check and emit; what they emit calls the library, not the other way round",
    ),
    ("retrospect-stats", &[], "the lines are a contract between programs, so it knows neither of them"),
    (
        "retrospect",
        &["retrospect-macros", "retrospect-grammar", "retrospect-stats"],
        "the library works alone under `cargo test`",
    ),
    (
        "cargo-retrospect",
        &["retrospect", "retrospect-stats"],
        "the subcommand is the outermost crate; macros reach it through the library",
    ),
    ("examples", &["retrospect"], "examples use what users use"),
    ("experiments", &["retrospect", "retrospect-stats", "examples"], "experiments use what users use"),
    ("study-support", &["retrospect", "retrospect-stats"], STUDY),
    ("study-red-black-tree", &["retrospect", "study-support"], STUDY),
    ("study-topological-sort", &["retrospect", "study-support"], STUDY),
    ("study-interpreter", &["retrospect", "study-support"], STUDY),
    ("study-name-server", &["retrospect", "study-support"], STUDY),
    ("xtask", &[], "the checks build even when what they check does not"),
];

const STUDY: &str = "the tasks of the study use what users use, and their figures what the page uses";

pub(super) const DEPENDENCY_DIRECTION: Rule = Rule {
    name: "dependency-direction",
    rule: "Crates depend on each other only as the table in xtask/src/tidy/manifests.rs says: \
           cargo-retrospect → retrospect-stats ← retrospect → retrospect-macros, retrospect → retrospect-grammar ← retrospect-macros, \
           and cargo-retrospect → retrospect.",
    why: "Arrows that point one way keep the library small, quick to build and usable without the subcommand.",
    way_out: "Move what you need into the crate that may be depended on. A new crate needs a row in the table, with its reason.",
    check: |tree| {
        let mut findings = Vec::new();
        let members = members(tree, &mut findings);
        let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
        for member in &members {
            let Some((_, allowed, reason)) = DIRECTION.iter().find(|(name, ..)| *name == member.name) else {
                let what = format!("the crate `{}` is not in the table of directions", member.name);
                findings.push(Finding::new(&member.file.path, member.line, what));
                continue;
            };
            for (dependency, line) in &member.dependencies {
                if names.contains(&dependency.as_str()) && !allowed.contains(&dependency.as_str()) {
                    let what = format!("`{}` may not depend on `{dependency}`: {reason}", member.name);
                    findings.push(Finding::new(&member.file.path, *line, what));
                }
            }
        }
        findings
    },
};

pub(super) const WORKSPACE_FIELDS: Rule = Rule {
    name: "workspace-fields",
    rule: "Every crate takes version, edition, rust-version, license and lints from the workspace, and has a description.",
    why: "One place to change them, and no crate that is older, laxer or licensed differently than the rest.",
    way_out: "Write `edition.workspace = true` and so on under [package], and `workspace = true` under [lints].",
    check: |tree| {
        let mut findings = Vec::new();
        for member in members(tree, &mut findings) {
            let mut missing = |what: String| findings.push(Finding::new(&member.file.path, member.line, what));
            for field in ["version", "edition", "rust-version", "license"] {
                if !member.inherited.iter().any(|inherited| inherited == field) {
                    missing(format!("`{}` does not have `{field}.workspace = true`", member.name));
                }
            }
            if !member.inherits_lints {
                missing(format!("`{}` does not have `workspace = true` under [lints]", member.name));
            }
            if !member.has_description {
                missing(format!("`{}` has no description", member.name));
            }
        }
        findings
    },
};

/// A crate of the workspace, as its manifest describes it.
struct Member<'a> {
    file: &'a File,
    name: String,
    /// Of `[package]`.
    line: usize,
    /// Package names, whatever they are called in the crate, with the line of each.
    dependencies: Vec<(String, usize)>,
    inherited: Vec<String>,
    inherits_lints: bool,
    has_description: bool,
}

/// Every manifest that describes a package and is not a workspace of its own (such as a project
/// that a test builds).
fn members<'a>(tree: &'a Tree, findings: &mut Vec<Finding>) -> Vec<Member<'a>> {
    let mut manifests = Vec::new();
    for file in tree.files().filter(|file| file.path == "Cargo.toml" || file.path.ends_with("/Cargo.toml")) {
        match DeTable::parse(&file.text) {
            Ok(table) => manifests.push((file, table.into_inner())),
            Err(error) => {
                let start = error.span().map_or(0, |span| span.start);
                findings.push(Finding::new(&file.path, line_of(&file.text, start), error.message()));
            }
        }
    }
    let shared = manifests.iter().find_map(|(_, table)| get(table, &["workspace", "dependencies"]));
    let is_member = |(file, table): &&(&File, DeTable<'_>)| {
        table.contains_key("package") && (file.path == "Cargo.toml" || !table.contains_key("workspace"))
    };
    manifests.iter().filter(is_member).map(|(file, table)| member(file, table, shared)).collect()
}

fn member<'a>(file: &'a File, table: &DeTable<'_>, shared: Option<&DeTable<'_>>) -> Member<'a> {
    let package = get(table, &["package"]);
    let inherits =
        |value: &DeValue<'_>| value.get("workspace").is_some_and(|value| value.get_ref().as_bool() == Some(true));
    let (package_key, _) = table.get_key_value("package").unzip();
    Member {
        file,
        name: package.and_then(|package| package.get("name")?.get_ref().as_str()).unwrap_or_default().to_owned(),
        line: package_key.map_or(1, |key| line_of(&file.text, key.span().start)),
        dependencies: dependencies(file, table, shared),
        inherited: package
            .into_iter()
            .flatten()
            .filter(|(_, value)| inherits(value.get_ref()))
            .map(|(key, _)| key.get_ref().to_string())
            .collect(),
        inherits_lints: table.get("lints").is_some_and(|lints| inherits(lints.get_ref())),
        has_description: package.is_some_and(|package| package.contains_key("description")),
    }
}

fn dependencies(file: &File, table: &DeTable<'_>, shared: Option<&DeTable<'_>>) -> Vec<(String, usize)> {
    let platforms =
        get(table, &["target"]).into_iter().flatten().filter_map(|(_, platform)| platform.get_ref().as_table());
    let mut found = Vec::new();
    for holder in std::iter::once(table).chain(platforms) {
        for kind in ["dependencies", "build-dependencies"] {
            for (key, value) in get(holder, &[kind]).into_iter().flatten() {
                let renamed = |value: &DeValue<'_>| {
                    value.get("package").and_then(|name| Some(name.get_ref().as_str()?.to_owned()))
                };
                let in_workspace = || shared.and_then(|shared| renamed(shared.get(key.get_ref().as_ref())?.get_ref()));
                let name = renamed(value.get_ref()).or_else(in_workspace).unwrap_or_else(|| key.get_ref().to_string());
                found.push((name, line_of(&file.text, key.span().start)));
            }
        }
    }
    found
}

fn get<'t, 'i>(table: &'t DeTable<'i>, keys: &[&str]) -> Option<&'t DeTable<'i>> {
    keys.iter().try_fold(table, |table, key| table.get(*key)?.get_ref().as_table())
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::super::places;
    use super::{DEPENDENCY_DIRECTION, WORKSPACE_FIELDS};

    const MACROS: (&str, &str) = ("crates/m/Cargo.toml", "[package]\nname = \"retrospect-macros\"\n");
    const LIBRARY: (&str, &str) =
        ("crates/r/Cargo.toml", "[package]\nname = \"retrospect\"\n[dependencies]\nretrospect-macros = \"1\"\n");

    fn direction(files: &[(&str, &str)]) -> Vec<String> {
        places(&DEPENDENCY_DIRECTION, files)
    }

    #[test]
    fn arrows_that_the_table_has_are_fine() {
        assert_eq!(direction(&[MACROS, LIBRARY]), [""; 0]);
        let from_outside = "[package]\nname = \"xtask\"\n[dependencies]\nclap = \"4\"\n";
        assert_eq!(direction(&[LIBRARY, MACROS, ("xtask/Cargo.toml", from_outside)]), [""; 0]);
    }

    #[test]
    fn an_arrow_against_the_direction_is_found_however_it_is_written() {
        for arrow in [
            "[dependencies]\nretrospect = \"1\"",
            "[dependencies]\nretrospect.workspace = true",
            "[build-dependencies]\nother = { package = \"retrospect\", version = \"1\" }",
            "\n[dependencies.retrospect]",
            "[target.'cfg(unix)'.dependencies]\nretrospect = \"1\"",
        ] {
            let manifest = format!("[package]\nname = \"retrospect-macros\"\n{arrow}\n");
            assert_eq!(direction(&[LIBRARY, ("crates/m/Cargo.toml", &manifest)]), ["crates/m/Cargo.toml:4"], "{arrow}");
        }
        let renamed_above =
            ("Cargo.toml", "[workspace.dependencies]\nlib = { package = \"retrospect\", path = \"r\" }\n");
        let manifest = "[package]\nname = \"retrospect-macros\"\n[dependencies]\nlib.workspace = true\n";
        assert_eq!(direction(&[renamed_above, LIBRARY, ("crates/m/Cargo.toml", manifest)]), ["crates/m/Cargo.toml:4"]);
    }

    #[test]
    fn a_crate_without_a_row_is_found() {
        assert_eq!(
            direction(&[("crates/new/Cargo.toml", "\n[package]\nname = \"new\"\n")]),
            ["crates/new/Cargo.toml:2"]
        );
    }

    #[test]
    fn a_project_of_its_own_is_left_alone() {
        assert_eq!(direction(&[("tests/project/Cargo.toml", "[workspace]\n[package]\nname = \"new\"\n")]), [""; 0]);
    }

    #[test]
    fn a_manifest_that_cannot_be_read_is_found() {
        assert_eq!(direction(&[("crates/r/Cargo.toml", "[package]\nname =\n")]), ["crates/r/Cargo.toml:2"]);
    }

    #[test]
    fn each_field_comes_from_the_workspace() {
        let complete = "[package]\nname = \"xtask\"\ndescription = \"d\"\nversion.workspace = true\nedition.workspace = true\n\
                        rust-version = { workspace = true }\nlicense.workspace = true\n[lints]\nworkspace = true\n";
        let check = |manifest: &str| places(&WORKSPACE_FIELDS, &[("xtask/Cargo.toml", manifest)]);
        assert_eq!(check(complete), [""; 0]);
        for (good, bad) in [
            ("version.workspace = true", "version = \"1.0.0\""),
            ("edition.workspace = true", "edition = \"2015\""),
            ("rust-version = { workspace = true }", ""),
            ("license.workspace = true", "license = \"MIT\""),
            ("[lints]\nworkspace = true", ""),
            ("description = \"d\"", ""),
        ] {
            assert!(complete.contains(good));
            assert_eq!(check(&complete.replace(good, bad)), ["xtask/Cargo.toml:1"], "{bad}");
        }
    }
}
