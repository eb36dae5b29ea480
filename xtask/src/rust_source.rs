//! Just enough reading of Rust for the rules and the counts: tokens without comments and literals,
//! and the paths they form.
//!
//! This is not a parser. It knows what a comment, a literal, a path, a `use` tree, an inline module
//! and a `#[cfg(test)]` item look like, and takes everything else as it comes. `proc-macro2` knows
//! no lines without its feature `span-locations`, with which it, `quote` and `syn` would be built a
//! second time beside those of the macros.

use std::ops::Range;

/// One token: a word, `::`, or a single other character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) line: usize,
}

/// A path as written (`a::b::c`), each `use` tree spread out into one path per leaf.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Path<'a> {
    pub(crate) segments: Vec<&'a str>,
    pub(crate) line: usize,
    /// Followed by `!`, so the name of a macro.
    pub(crate) is_macro: bool,
    /// Part of a `use`.
    pub(crate) is_import: bool,
    /// How many inline modules (`mod x { … }`) of this file it stands in.
    pub(crate) inline_modules: usize,
}

/// The same text with comments and the insides of literals replaced by blanks. Lines stay where
/// they are.
pub(crate) fn without_comments_and_literals(source: &str) -> String {
    blanked(source, true)
}

/// The same text with comments replaced by blanks. Lines stay where they are.
pub(crate) fn without_comments(source: &str) -> String {
    blanked(source, false)
}

fn blanked(source: &str, blanks_literals: bool) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    let mut after_word = false;
    while let Some(first) = rest.chars().next() {
        let end = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(end) = literal(rest, after_word) {
            if !blanks_literals {
                out.push_str(&rest[..end]);
                rest = &rest[end..];
                after_word = false;
                continue;
            }
            end
        } else {
            out.push(first);
            after_word = is_word(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        after_word = false;
        out.extend(rest[..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &rest[end..];
    }
    out
}

/// The tokens of a text that has no comments and no literals left.
pub(crate) fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut chars = code.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        let mut end = start + c.len_utf8();
        if c == '\n' {
            line += 1;
        } else if is_word(c) {
            while let Some((at, c)) = chars.next_if(|&(_, c)| is_word(c)) {
                end = at + c.len_utf8();
            }
        } else if c == ':' && chars.next_if(|&(_, c)| c == ':').is_some() {
            end += 1;
        }
        if !c.is_whitespace() {
            tokens.push(Token { text: &code[start..end], line });
        }
    }
    tokens
}

/// Drops every item marked `#[cfg(test)]`, or everything if the file is marked so itself.
pub(crate) fn without_tests<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let tests = test_items(tokens);
    let is_kept = |at: &usize| !tests.iter().any(|item| item.contains(at));
    (0..tokens.len()).filter(is_kept).map(|at| tokens[at]).collect()
}

/// The tokens of every item marked `#[cfg(test)]`, with its attributes, or all if the file is
/// marked so itself.
pub(crate) fn test_items(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let mut items = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let here = &tokens[at..];
        if starts_with(here, &["#", "!", "[", "cfg", "(", "test", ")"]) {
            return std::iter::once(0..tokens.len()).collect();
        }
        if starts_with(here, &["#", "[", "cfg", "(", "test", ")"])
            || starts_with(here, &["#", "[", "cfg", "(", "all", "(", "test"])
        {
            let item = at..at + item_length(here);
            at = item.end;
            items.push(item);
        } else {
            at += 1;
        }
    }
    items
}

/// All paths, in the order in which they are written.
pub(crate) fn paths<'a>(tokens: &[Token<'a>]) -> Vec<Path<'a>> {
    let mut paths = Vec::new();
    // The brace depth at which each inline module around us was opened.
    let mut modules = Vec::new();
    let mut depth = 0;
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at];
        let text_at = |i: usize| tokens.get(i).map_or("", |token| token.text);
        match token.text {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                if modules.last() == Some(&depth) {
                    modules.pop();
                }
            }
            "mod" if text_at(at + 2) == "{" => {
                modules.push(depth);
                at += 1;
            }
            // `use<'a>` in a return type is not an import.
            "use" if text_at(at + 1) != "<" => {
                let first = paths.len();
                at = use_tree(tokens, at + 1, &[], &mut paths);
                for path in &mut paths[first..] {
                    path.inline_modules = modules.len();
                }
                continue;
            }
            text if text.starts_with(is_word) => {
                let mut segments = vec![text];
                while text_at(at + 1) == "::" && text_at(at + 2).starts_with(is_word) {
                    segments.push(text_at(at + 2));
                    at += 2;
                }
                let is_macro = text_at(at + 1) == "!" && text_at(at + 2) != "=";
                paths.push(Path {
                    segments,
                    line: token.line,
                    is_macro,
                    is_import: false,
                    inline_modules: modules.len(),
                });
            }
            _ => {}
        }
        at += 1;
    }
    paths
}

/// The paths of the code of a file: no comments, no literals, no tests.
pub(crate) fn paths_outside_tests<T>(source: &str, visit: impl FnOnce(Vec<Path<'_>>) -> T) -> T {
    let code = without_comments_and_literals(source);
    visit(paths(&without_tests(&tokens(&code))))
}

/// Reads one `use` tree starting at `at`, and returns where it ends.
pub(crate) fn use_tree<'a>(
    tokens: &[Token<'a>],
    mut at: usize,
    prefix: &[&'a str],
    paths: &mut Vec<Path<'a>>,
) -> usize {
    let text_at = |i: usize| tokens.get(i).map_or("", |token| token.text);
    let mut segments = prefix.to_vec();
    let line = tokens.get(at).map_or(0, |token| token.line);
    loop {
        match text_at(at) {
            "::" => at += 1,
            "{" => {
                at += 1;
                while !matches!(text_at(at), "}" | ";" | "") {
                    if text_at(at) == "," {
                        at += 1;
                    } else {
                        at = use_tree(tokens, at, &segments, paths);
                    }
                }
                return at + 1;
            }
            "as" => at += 2,
            word if word == "*" || word.starts_with(is_word) => {
                // `a::{self}` imports `a`.
                if word != "self" || segments.is_empty() {
                    segments.push(word);
                }
                at += 1;
            }
            // The end of the leaf: a comma, a brace or a semicolon, left for the caller. At
            // anything else, not expected in a `use`, one step forward so that a strange text
            // cannot hold us here.
            end => {
                if !segments.is_empty() {
                    paths.push(Path { segments, line, is_macro: false, is_import: true, inline_modules: 0 });
                }
                return if matches!(end, "," | "}" | ";" | "") { at } else { at + 1 };
            }
        }
    }
}

/// How many tokens the item takes, with its attributes.
fn item_length(tokens: &[Token<'_>]) -> usize {
    const KEYWORDS: [&str; 18] = [
        "pub",
        "fn",
        "mod",
        "impl",
        "use",
        "struct",
        "enum",
        "union",
        "const",
        "static",
        "trait",
        "type",
        "unsafe",
        "async",
        "extern",
        "macro_rules",
        "let",
        "crate",
    ];
    let mut at = 0;
    while starts_with(&tokens[at..], &["#", "["]) {
        at += 1 + group_length(&tokens[at + 1..]);
    }
    // A comma ends a field, a variant or an arm; in an item it may stand between generic
    // parameters.
    let comma_ends = tokens.get(at).is_none_or(|token| !KEYWORDS.contains(&token.text));
    while at < tokens.len() {
        match tokens[at].text {
            ";" => return at + 1,
            "," if comma_ends => return at + 1,
            // The end of the struct or match that a last field or arm stands in: not ours.
            "}" => return at,
            "{" => return at + group_length(&tokens[at..]),
            "(" | "[" => at += group_length(&tokens[at..]),
            _ => at += 1,
        }
    }
    at
}

/// How many tokens a bracketed group takes, its brackets included.
pub(crate) fn group_length(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

pub(crate) fn starts_with(tokens: &[Token<'_>], texts: &[&str]) -> bool {
    tokens.len() >= texts.len() && tokens.iter().zip(texts).all(|(token, text)| token.text == *text)
}

pub(crate) fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Where a block comment ends; they nest.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// Where the string, byte string, C string or character at the start of the text ends, if one
/// starts there.
fn literal(text: &str, after_word: bool) -> Option<usize> {
    let prefix = if after_word { 0 } else { text.find(|c| !matches!(c, 'b' | 'c' | 'r')).unwrap_or(0) };
    let (prefix, rest) = text.split_at(if prefix <= 2 { prefix } else { 0 });
    let end = if prefix.ends_with('r') {
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        // `r#type` is a word.
        let inside = rest[hashes..].strip_prefix('"')?;
        let close = format!("\"{}", "#".repeat(hashes));
        hashes + 1 + inside.find(&close).map_or(inside.len(), |at| at + close.len())
    } else if let Some(inside) = rest.strip_prefix('"') {
        1 + closing(inside, '"')
    } else if let Some(inside) = rest.strip_prefix('\'') {
        let mut chars = inside.chars();
        let (first, second) = (chars.next()?, chars.next());
        // `'a` is a lifetime, `'a'` a character.
        if first != '\\' && second != Some('\'') {
            return None;
        }
        1 + closing(inside, '\'')
    } else {
        return None;
    };
    Some(prefix.len() + end)
}

/// The length up to and with the closing quote.
fn closing(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if !escaped && c == quote {
            return at + 1;
        }
        escaped = !escaped && c == '\\';
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(source: &str) -> Vec<String> {
        paths_outside_tests(source, |paths| paths.iter().map(|path| path.segments.join("::")).collect())
    }

    #[test]
    fn comments_and_literals_leave_only_blanks_and_lines() {
        let check = |source: &str, expected: &str| {
            let code = without_comments_and_literals(source);
            assert_eq!(code.split_whitespace().collect::<Vec<_>>().join(" "), expected);
            assert_eq!(code.chars().count(), source.chars().count());
            assert!(code.chars().zip(source.chars()).all(|(a, b)| a == b || (a == ' ' && b != '\n')));
        };
        check("a // b\nc", "a c");
        check("a /* b /* c */ d\n */ e", "a e");
        check(r#"f("a \" b", 'x', '\'', '"') g"#, "f( , , , ) g");
        check("r#\"a \" b\"# c", "c");
        check("br\"a\" b\"c\" c\"d\" b'e' f", "f");
        check("fn f<'a>(x: &'a str) { r#type }", "fn f<'a>(x: &'a str) { r#type }");
        check("'é' \"é\" x", "x");
        check("\"never closed", "");
        check("attr\"x\" y", "attr y");
    }

    #[test]
    fn use_trees_spread_out() {
        assert_eq!(
            written("pub(crate) use std::{env, time::{self, Duration as D}, fs::*}; use ::core::fmt;")[2..],
            ["std::env", "std::time", "std::time::Duration", "std::fs::*", "core::fmt"]
        );
        assert_eq!(written("fn f() -> impl X + use<'a> {}"), ["fn", "f", "impl", "X", "use", "a"]);
    }

    #[test]
    fn paths_in_expressions_are_found_with_their_lines() {
        let code = "fn f() {\n    crate::a::b(\n        Vec::<u8>::new());\n    println!(\"x\");\n    a != b;\n}";
        let paths = paths_outside_tests(code, |paths| {
            paths.iter().map(|path| (path.segments.join("::"), path.line, path.is_macro)).collect::<Vec<_>>()
        });
        assert!(paths.contains(&("crate::a::b".into(), 2, false)));
        assert!(paths.contains(&("println".into(), 4, true)));
        assert!(paths.contains(&("a".into(), 5, false)));
    }

    #[test]
    fn inline_modules_are_counted() {
        let code = "use a; mod x { use b; mod y { use c; } fn f() { { use d; } } } use e;";
        let depths = paths_outside_tests(code, |paths| {
            paths
                .iter()
                .filter(|path| path.is_import)
                .map(|path| (path.segments[0].to_owned(), path.inline_modules))
                .collect::<Vec<_>>()
        });
        let expected = [("a", 0), ("b", 1), ("c", 2), ("d", 1), ("e", 0)];
        assert_eq!(depths, expected.map(|(name, depth)| (name.to_owned(), depth)));
    }

    #[test]
    fn only_the_marked_item_is_taken_for_a_test() {
        assert_eq!(written("a; #[cfg(test)] mod tests { b } c"), ["a", "c"]);
        assert_eq!(written("a; #[cfg(test)] mod tests; c"), ["a", "c"]);
        assert_eq!(written("#[cfg(test)] #[allow(x)] fn f<A, B>(x: [u8; 2]) -> A { b } c"), ["c"]);
        assert_eq!(written("#[cfg(all(test, unix))] use b::{x, y}; c"), ["c"]);
        assert_eq!(written("struct S { #[cfg(test)] b: B, c: C }"), ["struct", "S", "c", "C"]);
        assert_eq!(written("struct S { #[cfg(test)] b: B } c"), ["struct", "S", "c"]);
        assert_eq!(written("#![cfg(test)] a"), [""; 0]);
        assert_eq!(written("#[cfg(not(test))] a")[3..], ["a"]);
    }

    #[test]
    fn a_strange_text_ends() {
        for source in
            ["use", "use {", "use a::{b", "use @;", "mod", "#[cfg(test)]", "#[cfg(test)] fn", "}}", "'", "r#", "/*"]
        {
            written(source);
        }
    }
}
