//! Texts that are long, deep or hostile. None of them may overflow the stack, and none may take
//! more than linear time, or these tests would not come to an end.

use super::super::Document;
use super::super::reader::{DEEPEST_NESTING, LONGEST_TEXT};
use super::read;

/// Walks down the last part of each part; gives the depth and what is innermost.
fn depth(document: &Document) -> (usize, &str) {
    let mut depth = 0;
    let mut sketch = document.root();
    while let Some(last) = document.arena.parts_of(sketch.index).last() {
        sketch.index = last;
        depth += 1;
    }
    (depth, sketch.text())
}

fn nested(opening: &str, inside: &str, closing: &str, depth: usize) -> String {
    format!("{}{inside}{}", opening.repeat(depth), closing.repeat(depth))
}

#[test]
fn a_million_brackets_deep() {
    for [opening, inside, closing] in NESTINGS {
        let document = read(&nested(opening, inside, closing, DEEPEST_NESTING));
        assert_eq!(depth(&document), (DEEPEST_NESTING, inside));
        assert_eq!(document.root().has_holes(), inside == "_");

        let error = Document::parse(&nested(opening, inside, closing, DEEPEST_NESTING + 1)).unwrap_err();
        assert_eq!(error.message(), "nested deeper than 1000000 brackets");
        assert_eq!(error.way_out(), "put `_` in place of the innermost parts");
    }
    for [opening, inside, closing] in [["(", "1", ")"], ["Box::new(", "1", ")"], ["(", "()", ")"]] {
        assert_eq!(read(&nested(opening, inside, closing, DEEPEST_NESTING - 1)).root().text(), inside);
    }
}

#[test]
fn deep_texts_are_compared() {
    for [opening, inside, closing] in NESTINGS {
        let document = read(&nested(opening, inside, closing, DEEPEST_NESTING / 5));
        let spaced = read(&nested(opening, inside, &format!(" {closing}"), DEEPEST_NESTING / 5));
        let changed = read(&nested(opening, "other", closing, DEEPEST_NESTING / 5));
        assert!(document.root().matches(&spaced.root()));
        assert_eq!(document.root().matches(&changed.root()), inside == "_");
    }
}

const NESTINGS: [[&str; 3]; 6] = [
    ["Node(", "Leaf", ")"],
    ["[", "_", "]"],
    ["{", "1", "}"],
    ["{0: ", "1", "}"],
    ["F { f: ", "1", "}"],
    ["(", "1", ",)"],
];

#[test]
fn a_million_brackets_that_are_never_closed() {
    for opening in ["(", "[", "{", "Node(", "F { f: ", "{0: ", "Box::new("] {
        let text = opening.repeat(DEEPEST_NESTING);
        let error = Document::parse(&text).unwrap_err();
        assert_eq!(error.message(), "this bracket is never closed");
        let bracket = opening.find(['(', '[', '{']).unwrap();
        assert_eq!(error.offset(), text.len() - opening.len() + bracket);
    }
}

#[test]
fn ranges_within_ranges() {
    let n = DEEPEST_NESTING / 2;
    for (opening, closing) in [("(", "..1)"), ("(1..", ")"), ("(", ")..=1"), ("..=(", ")")] {
        let document = read(&nested(opening, "_", closing, n));
        assert!(document.root().has_holes());
        assert!(document.root().matches(&document.root()));
    }
    let sets = |n| nested("{(", "_", "..1), 0}", n);
    let document = read(&sets(1000));
    assert!(document.root().matches(&read(&sets(1000)).root()));
    assert!(!document.root().matches(&read(&sets(999).replace('_', "{0}")).root()));
}

#[test]
fn texts_that_are_too_long() {
    let text = " ".repeat(100_000_000);
    let error = Document::parse(&text).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the text is 100000000 bytes long; at most 67108864 (64 MiB) are read\n\
        read a smaller part of it, or put `_` in place of large parts"
    );
    let mut longest = "7".repeat(LONGEST_TEXT);
    assert_eq!(read(&longest).root().span(), 0..LONGEST_TEXT);
    longest.push('7');
    assert!(Document::parse(&longest).is_err());
}

#[test]
fn a_value_that_prints_too_much_matches_nothing() {
    struct Endless;
    impl std::fmt::Debug for Endless {
        fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            let piece = "1, ".repeat(1 << 20);
            loop {
                formatter.write_str(&piece)?;
            }
        }
    }
    assert!(!read("[1]").root().matches_debug(&Endless));
}

#[test]
fn hostile_texts_take_linear_time() {
    // Each would take hours if reading one piece looked at all others.
    let pieces = [
        "_",
        "a",
        "::",
        ":",
        ".",
        "..",
        "<",
        "<>",
        "->",
        "::<a>",
        "a::",
        "&",
        "r",
        "r#",
        "#",
        "b",
        "\"",
        "'",
        "\\",
        "\"\\",
        " ",
        "a ",
        "(1)..",
        "1..(",
        "[::",
        "[1:2:",
        "r#\"\"",
        "\"#",
        "\"a\".into()",
        "'a'",
        "[",
        "[]",
        "[],",
        "{},",
        "{",
        "}",
        "Foo {",
        "Foo { a: ",
        "{a:",
        ",",
        "\u{301}",
        "漢",
        "\u{a0}",
        "\0",
        "\n",
        "1_",
        "0x",
        "(..",
    ];
    for piece in pieces {
        for (before, after) in [("", ""), ("[", "]"), ("r###\"", "\"###"), ("a<", ">"), ("\"", "\""), ("{", ": 1}")] {
            let text = format!("{before}{}{after}", piece.repeat(300_000 / piece.len()));
            match Document::parse(&text) {
                Ok(document) => assert!(document.root().matches(&read(&format!("({text})")).root())),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
}

#[test]
fn large_sets_in_different_orders() {
    let items = |order: &dyn Fn(usize) -> usize, pattern: &str| {
        let items: Vec<_> = (0..20_000).map(|i| pattern.replace('#', &order(i).to_string())).collect();
        format!("{{{}}}", items.join(", "))
    };
    let forwards = read(&items(&|i| i, "(#, [#])"));
    let shuffled = read(&items(&|i| i * 7919 % 20_000, "(#, [#])"));
    assert!(forwards.root().matches(&shuffled.root()));
    // Items with holes inside are tried in the order of the text first.
    let holes = read(&items(&|i| i, "(#, _)"));
    assert!(holes.root().matches(&forwards.root()));
    let holes = read(&items(&|_| 0, "_").replace('#', "_"));
    assert!(holes.root().matches(&shuffled.root()));
}
