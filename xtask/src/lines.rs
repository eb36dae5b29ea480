//! `cargo xtask lines`: how large the library is, and the counts that should not grow unnoticed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use crate::rust_source::{
    Token, group_length, is_word, starts_with, test_items, tokens, use_tree, without_comments,
    without_comments_and_literals, without_tests,
};
use crate::tidy::Tree;

const SOURCES: &str = "crates/retrospect/src/";
/// The types that every generator goes through. Their fields and methods are counted.
const TYPES: [&str; 2] = ["Source", "Reflector"];

/// Counts the files of the repository at `root` and prints the result.
pub fn run(root: &Path) -> Result<(), String> {
    print!("{}", Counts::of(&Tree::load(root)?));
    Ok(())
}

/// The counts of one tree.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    /// Code lines by folder directly below the sources. Files beside the folders are under `.`.
    lines: BTreeMap<String, usize>,
    types: [TypeCounts; TYPES.len()],
    n_inline_always: usize,
    n_unsafe_blocks: usize,
    prelude: BTreeSet<String>,
}

#[derive(Debug, Default, PartialEq)]
struct TypeCounts {
    n_fields: usize,
    n_methods: usize,
    /// Files with the type or methods of it.
    n_files: usize,
}

impl Counts {
    fn of(tree: &Tree) -> Counts {
        let mut counts = Counts::default();
        let files: Vec<(&str, &str)> = tree
            .with_extension("rs")
            .filter_map(|file| Some((file.path.strip_prefix(SOURCES)?, file.text.as_str())))
            .collect();
        let tests: Vec<String> = files.iter().flat_map(|(path, text)| test_modules(path, text)).collect();
        let is_test = |path: &str| {
            tests.iter().any(|module| {
                path.strip_prefix(module.as_str()).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
            })
        };
        for &(path, text) in files.iter().filter(|(path, _)| !is_test(path)) {
            let folder = path.split_once('/').map_or(".", |(folder, _)| folder);
            *counts.lines.entry(folder.to_owned()).or_default() += code_lines(text);
            let code = without_comments_and_literals(text);
            counts.count_tokens(&without_tests(&tokens(&code)));
        }
        counts.prelude = prelude(&files);
        counts
    }

    fn count_tokens(&mut self, tokens: &[Token<'_>]) {
        for at in 0..tokens.len() {
            let here = &tokens[at..];
            self.n_inline_always += usize::from(starts_with(here, &["inline", "(", "always", ")"]));
            self.n_unsafe_blocks += usize::from(starts_with(here, &["unsafe", "{"]));
        }
        for (name, counts) in TYPES.iter().zip(&mut self.types) {
            let (fields, methods) = (n_fields(name, tokens), n_methods(name, tokens));
            counts.n_fields += fields.unwrap_or(0);
            counts.n_methods += methods;
            counts.n_files += usize::from(fields.is_some() || methods > 0);
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(out, "{SOURCES}: lines without documentation, comments, blank lines and tests")?;
        for (folder, lines) in &self.lines {
            writeln!(out, "  {folder:<20}{lines:>7}")?;
        }
        writeln!(out, "  {:<20}{:>7}\n", "total", self.lines.values().sum::<usize>())?;
        writeln!(out, "  {:<20}{:>7}{:>9}{:>7}", "type", "fields", "methods", "files")?;
        for (name, TypeCounts { n_fields, n_methods, n_files }) in TYPES.iter().zip(&self.types) {
            writeln!(out, "  {name:<20}{n_fields:>7}{n_methods:>9}{n_files:>7}")?;
        }
        out.write_char('\n')?;
        let others = [
            ("inline(always)", self.n_inline_always),
            ("unsafe blocks", self.n_unsafe_blocks),
            ("names in the prelude", self.prelude.len()),
        ];
        others.iter().try_for_each(|(what, count)| writeln!(out, "  {what:<20}{count:>7}"))
    }
}

/// The number of lines with code on them, outside of tests.
fn code_lines(text: &str) -> usize {
    let code = without_comments_and_literals(text);
    let tokens = tokens(&code);
    let mut is_test = vec![false; text.lines().count()];
    for item in test_items(&tokens) {
        is_test[tokens[item.start].line - 1..tokens[item.end - 1].line].fill(true);
    }
    let has_code = without_comments(text);
    has_code.lines().zip(is_test).filter(|(line, is_test)| !line.trim().is_empty() && !is_test).count()
}

/// The modules in files of their own that are declared under `#[cfg(test)]`, as paths without an
/// ending.
fn test_modules(path: &str, text: &str) -> Vec<String> {
    let code = without_comments_and_literals(text);
    let tokens = tokens(&code);
    let items = test_items(&tokens).into_iter().map(|item| &tokens[item]);
    let modules = items.filter_map(|item| match item {
        [.., keyword, name, end] if keyword.text == "mod" && end.text == ";" => Some(name.text),
        _ => None,
    });
    modules.map(|name| format!("{}{name}", folder_of(path))).collect()
}

/// The folder in which the modules of a file are, with a `/` at its end, or nothing at the root.
fn folder_of(path: &str) -> String {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let module = match name.trim_end_matches(".rs") {
        "mod" | "lib" => "",
        name => name,
    };
    [folder, module].iter().filter(|part| !part.is_empty()).map(|part| format!("{part}/")).collect()
}

/// The number of fields of the struct, if these tokens define it.
fn n_fields(name: &str, tokens: &[Token<'_>]) -> Option<usize> {
    let at = (0..tokens.len()).find(|&at| starts_with(&tokens[at..], &["struct", name]))?;
    let open = at + tokens[at..].iter().position(|token| matches!(token.text, "{" | ";" | "("))?;
    if tokens[open].text != "{" {
        return Some(0);
    }
    Some(at_depth_one(&tokens[open..]).filter(|&at| tokens[open + at].text == ":").count())
}

/// The number of methods that the inherent `impl` blocks of a type have.
fn n_methods(name: &str, tokens: &[Token<'_>]) -> usize {
    let mut count = 0;
    for at in 0..tokens.len() {
        // Elsewhere `impl` is a type.
        let is_item = at == 0 || matches!(tokens[at - 1].text, "}" | "{" | ";" | "]");
        if tokens[at].text != "impl" || !is_item {
            continue;
        }
        let Some(length) = tokens[at..].iter().position(|token| token.text == "{") else { continue };
        let head = &tokens[at + 1..at + length];
        let head = if starts_with(head, &["<"]) { &head[generics_length(head)..] } else { head };
        if starts_with(head, &[name]) && !head.iter().any(|token| token.text == "for") {
            let block = &tokens[at + length..];
            count += at_depth_one(block).filter(|&at| block[at].text == "fn").count();
        }
    }
    count
}

/// Where the tokens directly inside of the group are that starts here.
fn at_depth_one<'a>(tokens: &'a [Token<'a>]) -> impl Iterator<Item = usize> + 'a {
    let mut at = 1;
    let end = group_length(tokens) - 1;
    std::iter::from_fn(move || {
        while at < end && matches!(tokens[at].text, "(" | "[" | "{") {
            at += group_length(&tokens[at..]);
        }
        at += 1;
        (at <= end).then(|| at - 1)
    })
}

/// How many tokens `<…>` takes. The `>` of an arrow closes nothing.
fn generics_length(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "<" => depth += 1,
            ">" if at > 0 && tokens[at - 1].text != "-" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The names that `use retrospect::prelude::*` brings.
fn prelude(files: &[(&str, &str)]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let Some((_, text)) = files.iter().find(|(path, _)| *path == "lib.rs") else { return names };
    let code = without_comments_and_literals(text);
    let tokens = tokens(&code);
    if let Some(at) = (0..tokens.len()).find(|&at| starts_with(&tokens[at..], &["mod", "prelude", "{"])) {
        let body = &tokens[at + 2..];
        public_names(&body[1..group_length(body) - 1], files, &mut names);
    }
    names
}

/// The public names of a module with these tokens, those of `pub use module::*` included.
fn public_names(tokens: &[Token<'_>], files: &[(&str, &str)], names: &mut BTreeSet<String>) {
    let text_at = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let mut at = 0;
    while at < tokens.len() {
        match (text_at(at), text_at(at + 1)) {
            ("(" | "[" | "{", _) => {
                at += group_length(&tokens[at..]);
                continue;
            }
            ("pub", "use") => {
                let mut paths = Vec::new();
                at = use_tree(tokens, at + 2, &[], &mut paths);
                for path in paths {
                    match path.segments.as_slice() {
                        [module @ .., "*"] => names_of_module(module, files, names),
                        [.., name] => drop(names.insert((*name).to_owned())),
                        [] => {}
                    }
                }
                continue;
            }
            ("pub", "(") => at += 1,
            ("pub", _) => {
                const ITEMS: [&str; 8] = ["fn", "struct", "enum", "union", "trait", "type", "static", "mod"];
                let next = tokens[at + 1..].iter().take_while(|token| token.text.starts_with(is_word));
                let words: Vec<&str> = next.map(|token| token.text).collect();
                // `pub const fn f` is a function, `pub const X` a constant.
                let keyword = words.iter().position(|word| ITEMS.contains(word));
                let keyword = keyword.or_else(|| words.iter().position(|word| *word == "const"));
                if let Some(name) = keyword.and_then(|keyword| words.get(keyword + 1)) {
                    names.insert((*name).to_owned());
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// The public names of a module of the library, such as `crate::generator`.
fn names_of_module(module: &[&str], files: &[(&str, &str)], names: &mut BTreeSet<String>) {
    let path = module.strip_prefix(&["crate"]).unwrap_or(module).join("/");
    let found = files.iter().find(|(file, _)| *file == format!("{path}.rs") || *file == format!("{path}/mod.rs"));
    if let Some((_, text)) = found {
        let code = without_comments_and_literals(text);
        public_names(&without_tests(&tokens(&code)), files, names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBRARY: &str = r##"//! Documentation.
mod a;
#[cfg(test)]
mod tests;

/// More of it.
pub mod prelude {
    pub use crate::a::{self, *};
    #[cfg(feature = "x")]
    pub use other::{One, Two as Three};
    use crate::hidden;
    pub(crate) use crate::also_hidden;
}

const TEXT: &str = "// no comment

/* nor this */";
"##;

    const A: &str = r#"pub struct Source<'a> {
    /// A comment with a colon: here.
    name: Vec<fn(usize) -> &'a str>, // And here.
    #[cfg(unix)]
    pub(crate) other: [u8; 2],
}

impl<'a, F: Fn() -> u8> Source<'a> {
    #[inline(always)]
    pub fn one(&self) -> impl Fn(u8) {
        fn inner() {}
        // SAFETY: a test.
        unsafe { two() }
    }

    const fn two() {}
}

impl std::fmt::Debug for Source<'_> {
    fn fmt(&self) {}
}

pub const fn shown() {}
pub(crate) fn hidden() {}
pub trait Shown {
    fn not_a_name();
}

#[cfg(test)]
mod inside {
    #[inline(always)]
    fn f() {
        unsafe { g() }
    }
}
"#;

    fn counts() -> Counts {
        let file = |path: &'static str| format!("{SOURCES}{path}");
        let (lib, a, tests, below) = (file("lib.rs"), file("a/mod.rs"), file("tests.rs"), file("tests/below.rs"));
        let (more, alike) = (file("a/more.rs"), file("tests_are_fine.rs"));
        let impls =
            "impl super::Source<'_> {}\nimpl Source<'_> {\n    fn three() {}\n}\nimpl Sources {\n    fn x() {}\n}\n";
        Counts::of(&Tree::of(&[
            (&lib, LIBRARY),
            (&a, A),
            (&more, impls),
            (&tests, "fn f() {}\n"),
            (&below, "fn f() {}\n"),
            (&alike, "\n// One line of code.\nfn f() {} // It is here.\n"),
            ("crates/other/src/lib.rs", "fn f() {}\n"),
        ]))
    }

    #[test]
    fn lines_of_code_are_counted_by_folder() {
        // `mod a;`, the prelude with its attribute, the lines of the literal; not `mod tests;`, nor
        // what it declares.
        let expected = [(".", 1 + 7 + 2 + 1), ("a", 21 + 7)];
        assert_eq!(counts().lines, expected.map(|(folder, lines)| (folder.to_owned(), lines)).into());
    }

    #[test]
    fn fields_and_methods_are_those_of_the_type() {
        let [source, reflector] = counts().types;
        assert_eq!(source, TypeCounts { n_fields: 2, n_methods: 3, n_files: 2 });
        assert_eq!(reflector, TypeCounts::default());
    }

    #[test]
    fn attributes_and_blocks_in_tests_do_not_count() {
        let Counts { n_inline_always, n_unsafe_blocks, .. } = counts();
        assert_eq!((n_inline_always, n_unsafe_blocks), (1, 1));
    }

    #[test]
    fn the_prelude_has_the_names_of_the_modules_that_it_spreads_out() {
        let names: Vec<String> = counts().prelude.into_iter().collect();
        assert_eq!(names, ["One", "Shown", "Source", "Two", "a", "shown"]);
    }

    #[test]
    fn the_table_has_a_line_for_each_folder_and_a_total() {
        let counts = Counts { lines: [("a".to_owned(), 2), ("b".to_owned(), 40)].into(), ..Counts::default() };
        let expected = "\
crates/retrospect/src/: lines without documentation, comments, blank lines and tests
  a                         2
  b                        40
  total                    42

  type                 fields  methods  files
  Source                    0        0      0
  Reflector                 0        0      0

  inline(always)            0
  unsafe blocks             0
  names in the prelude      0
";
        assert_eq!(counts.to_string(), expected);
    }

    #[test]
    fn the_library_is_found() {
        let counts = Counts::of(&Tree::load(&crate::root()).unwrap());
        assert!(counts.lines.len() > 5 && counts.lines.values().all(|lines| *lines > 0), "{counts}");
        assert!(counts.types.iter().all(|counts| counts.n_fields > 0 && counts.n_methods > 0), "{counts}");
        assert!(["draw", "vec_of", "Generator", "check", "laws"].iter().all(|name| counts.prelude.contains(*name)));
    }
}
