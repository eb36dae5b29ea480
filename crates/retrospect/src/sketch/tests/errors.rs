//! What a user sees when a text cannot be read, word for word.

use super::super::Document;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let error = Document::parse(text).expect_err("a text that cannot be read");
    assert_eq!(error.to_string().lines().collect::<Vec<_>>(), expected, "\n{error}");
    assert!(text.is_char_boundary(error.offset()));
}

/// Checks the message and the column; the other lines are pinned by the tests above it.
#[track_caller]
fn check_message(text: &str, column: usize, message: &str) {
    let error = Document::parse(text).expect_err("a text that cannot be read");
    assert_eq!((error.column(), error.message().as_str()), (column, message), "\n{error}");
}

#[test]
fn nothing_to_read() {
    let way_out = "write a value as `{:?}` prints it, with `_` for any part that may be anything";
    check("", &["nothing to read: the text is empty", way_out]);
    check(" \n\t\u{a0}", &["nothing to read: the text is only white space", way_out]);
}

#[test]
fn a_missing_separator() {
    let way_out = "put a `,` between two parts, or write `_` for what cannot be read";
    check("Foo(1 2)", &["1:7: expected `,` or `)` after this part", "    Foo(1 2)", "          ^", way_out]);
    check("(1, 2]", &["1:6: expected `,` or `)` after this part", "    (1, 2]", "         ^", way_out]);
    check_message("[1; 3]", 3, "expected `,` or `]` after this part");
    check_message("{1 2}", 4, "expected `,` or `}` after this part");
    check_message("Foo { a: 1 b: 2 }", 12, "expected `,` or `}` after this part");
}

#[test]
fn brackets() {
    check(
        "Foo(1, [2",
        &[
            "1:8: this bracket is never closed",
            "    Foo(1, [2",
            "           ^",
            "the text may have been cut off: add the missing part and the closing bracket",
        ],
    );
    for text in ["{", "{a", "{a:", "{a: 1", "{a: 1,", "Foo(", "Foo {", "Foo { a", "Foo { a:", "Foo { ..", "[1..", "[&"]
    {
        let bracket = 1 + text.find(['{', '(', '[']).unwrap();
        check_message(text, bracket, "this bracket is never closed");
    }
    check(
        "1)",
        &[
            "1:2: this bracket closes nothing",
            "    1)",
            "     ^",
            "remove it, or add the opening bracket that it belongs to",
        ],
    );
    check_message("]", 1, "this bracket closes nothing");
    check(
        "(1, ]",
        &["1:5: expected a part or `)` here", "    (1, ]", "        ^", "write a value, or `_` for any value"],
    );
}

#[test]
fn missing_parts() {
    check("[1,,2]", &["1:4: expected a part here", "    [1,,2]", "       ^", "write a value, or `_` for any value"]);
    check_message("(,)", 2, "expected a part here");
    check_message("{: 1}", 2, "expected a part here");
    check_message("{a: }", 5, "expected a part here");
    check_message("Foo { a: }", 10, "expected a part here");
    check_message("&", 2, "expected a part here");
    check_message("1..&", 5, "expected a part here");
}

#[test]
fn more_than_one_value() {
    check(
        "1 2",
        &[
            "1:3: more text after the end of the value",
            "    1 2",
            "      ^",
            "read one value at a time, or put brackets around several: `(a, b)`",
        ],
    );
    check_message("1,", 2, "more text after the end of the value");
    check_message("a: 1", 2, "more text after the end of the value");
}

#[test]
fn strings() {
    check(
        "[\"abc]",
        &[
            "1:2: this string never ends",
            "    [\"abc]",
            "     ^",
            "the text may have been cut off: close it with `\"`, and write `\\\"` for a quote inside",
        ],
    );
    for text in ["\"", "\"\\", "\"\\\"", "b\"", "r\"", "r#\"", "r##\"a\"#", "\"\\\n"] {
        check_message(text, 1, "this string never ends");
    }
    check(
        "\"a\\qb\"",
        &[
            "1:3: unknown escape `\\q`",
            "    \"a\\qb\"",
            "      ^",
            "write `\\\\` for a backslash; the escapes are \\n \\r \\t \\\\ \\\" \\' \\0 \\x7f \\u{301}",
        ],
    );
    check_message("\"\\é\"", 2, "unknown escape `\\é`");
    check_message("\"\\\u{7}\"", 2, "unknown escape: `\\` and then '\\u{7}'");
    check(
        "\"\\x4\"",
        &[
            "1:2: expected two hexadecimal digits after `\\x`",
            "    \"\\x4\"",
            "     ^",
            "write a byte as `\\x7f`, and a backslash as `\\\\`",
        ],
    );
    check(
        "\"\\u{d800}\"",
        &[
            "1:2: expected a character's number, as in `\\u{301}`",
            "    \"\\u{d800}\"",
            "     ^",
            "write one to six hexadecimal digits in braces; d800 to dfff and above 10ffff are no characters",
        ],
    );
    for escape in ["\\u", "\\u41", "\\u{}", "\\u{_}", "\\u{110000}", "\\u{0000041}", "\\u{4", "\\u{g}"] {
        check_message(&format!("\"{escape}\""), 2, "expected a character's number, as in `\\u{301}`");
    }
}

#[test]
fn characters() {
    check(
        "'ab'",
        &[
            "1:1: expected `'` after one character",
            "    'ab'",
            "    ^",
            "write one character as `'a'`, and a string as `\"ab\"`",
        ],
    );
    for text in ["'", "'a", "'\\", "'\\n", "'e\u{301}'", "'\\''a"] {
        let message = Document::parse(text).unwrap_err().message();
        let expected =
            if text == "'\\''a" { "more text after the end of the value" } else { "expected `'` after one character" };
        assert_eq!(message, expected);
    }
    check(
        "''",
        &[
            "1:1: no character between these quotes",
            "    ''",
            "    ^",
            "write a quote as `'\\''`, and an empty string as `\"\"`",
        ],
    );
    check_message("'\\\n'", 2, "unknown escape: `\\` and then '\\n'");
    check(
        "[1, \0]",
        &[
            "1:5: unexpected character '\\0'",
            "    [1, \u{fffd}]",
            "        ^",
            "it can only stand inside a string or a character: write `_` for what cannot be read",
        ],
    );
    check_message("`a`", 1, "unexpected character '`'");
    check_message("\\", 1, "unexpected character '\\\\'");
}

#[test]
fn functions() {
    check(
        "{3 => true, 4 => false}",
        &[
            "1:23: nothing says what all other inputs give",
            "    {3 => true, 4 => false}",
            "                          ^",
            "add the default at the end, as in `{a => 1, _ => 0}`; `_ => _` leaves it open",
        ],
    );
    check_message("{3 => true,}", 12, "nothing says what all other inputs give");
    check(
        "{_ => 0, 3 => 1}",
        &[
            "1:10: `_ => …` must be the last entry of a function",
            "    {_ => 0, 3 => 1}",
            "             ^",
            "move it to the end, or remove what follows",
        ],
    );
    check(
        "{Some(_) => 1, _ => 0}",
        &[
            "1:2: an input cannot have holes",
            "    {Some(_) => 1, _ => 0}",
            "     ^",
            "write a whole input, or `_` alone and last for all other inputs",
        ],
    );
    check(
        "{3 => 1, 4}",
        &[
            "1:11: expected `=>` after this input: the entries before have one",
            "    {3 => 1, 4}",
            "              ^",
            "write the entries of a function as `input => output`",
        ],
    );
    check(
        "{3, 4 => 1}",
        &[
            "1:7: unexpected `=>`: the items before are no entries",
            "    {3, 4 => 1}",
            "          ^",
            "write a set as `{a, b}` and a function as `{a => 1, _ => 0}`",
        ],
    );
    check_message("{3: 1, 4 => 1}", 10, "expected `: ` after this key: the entries before have one");
    check_message("{3 => 1, 4: 1}", 11, "expected `=>` after this input: the entries before have one");
    check_message("{3 => }", 7, "expected a part here");
    check_message("{3 => 1, _ => }", 15, "expected a part here");
    check_message("{ => 1}", 3, "expected a part here");
    check_message("[3 => 1]", 4, "expected `,` or `]` after this part");
    check_message("3 => 1", 3, "more text after the end of the value");
    check_message("{_ => 1", 1, "this bracket is never closed");
}

#[test]
fn records_and_maps() {
    check(
        "Foo { a:1 }",
        &[
            "1:11: expected `: ` after the name of a field",
            "    Foo { a:1 }",
            "              ^",
            "write fields as `name: value`, with a space after the colon",
        ],
    );
    check_message("Foo { a = 1 }", 9, "expected `: ` after the name of a field");
    check(
        "Foo { _: 1 }",
        &[
            "1:7: expected the name of a field",
            "    Foo { _: 1 }",
            "          ^",
            "write fields as `name: value`, and `_` for any value",
        ],
    );
    check_message("Foo { , }", 7, "expected the name of a field");
    check(
        "Foo { .., b: 2 }",
        &[
            "1:9: `..` must be the last thing in a record",
            "    Foo { .., b: 2 }",
            "            ^",
            "close the record after it; the fields that are not shown are holes",
        ],
    );
    check(
        "{1: 2, 3}",
        &[
            "1:9: expected `: ` after this key: the entries before have one",
            "    {1: 2, 3}",
            "            ^",
            "write entries as `key: value`, with a space after the colon",
        ],
    );
    check(
        "{1, 2: 3}",
        &[
            "1:6: unexpected `:`: the items before are no entries",
            "    {1, 2: 3}",
            "         ^",
            "write a set as `{a, b}` and a map as `{a: 1, b: 2}`",
        ],
    );
}

#[test]
fn holes_ranges_and_generics() {
    check(
        "_(1)",
        &[
            "1:1: a hole has no parts",
            "    _(1)",
            "    ^",
            "`_` stands for a whole part: write `_` alone, or the name of what has these parts",
        ],
    );
    check_message("[_ { a: 1 }]", 2, "a hole has no parts");
    check(
        "1..=",
        &[
            "1:5: expected a part after `..=`",
            "    1..=",
            "        ^",
            "write `..` for a range without an end, or `_` for any end",
        ],
    );
    check(
        "1..2..3",
        &[
            "1:5: a range has only two ends",
            "    1..2..3",
            "        ^",
            "put brackets around an end that is a range itself: `(a..b)..c`",
        ],
    );
    check_message("....", 3, "a range has only two ends");
    check_message("[.. ..]", 5, "a range has only two ends");
    check(
        "PhantomData<(u8, u8)",
        &[
            "1:12: this `<` is never closed",
            "    PhantomData<(u8, u8)",
            "               ^",
            "the text may have been cut off: close it with `>`",
        ],
    );
}

#[test]
fn the_caret_stands_under_the_place() {
    let caret = |text: &str| {
        let error = Document::parse(text).unwrap_err().to_string();
        error.lines().skip(1).take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    // Two columns for an ideograph or an emoji, none for a combining mark.
    assert_eq!(caret("[\"漢字👍e\u{301}\", 1 2]"), ["    [\"漢字👍e\u{301}\", 1 2]", "                  ^"]);
    assert_eq!(caret("\t[1\t2]"), ["     [1 2]", "        ^"]);
    assert_eq!(caret("[\r\n1\r\n2]"), ["    2]", "    ^"]);
    let error = Document::parse("{\n    \"ä\": [1,\n    2 x],\n}").unwrap_err();
    assert_eq!((error.line(), error.column(), error.offset()), (3, 7, 22));
}

#[test]
fn long_lines_are_shown_around_the_caret() {
    let items = |n| "12345, ".repeat(n);
    check(
        &format!("[{}oops here, {}]", items(40), items(40)),
        &[
            "1:287: expected `,` or `]` after this part",
            "    … 12345, 12345, 12345, 12345, 12345, 12345, oops here, 12345, 12345, 1234…",
            "                                                     ^",
            "put a `,` between two parts, or write `_` for what cannot be read",
        ],
    );
    check(
        &format!("[{}", items(40)),
        &[
            "1:1: this bracket is never closed",
            "    [12345, 12345, 12345, 12345, 12345, 12345, 12345, 12345, 12345, 12345, 1…",
            "    ^",
            "the text may have been cut off: add the missing part and the closing bracket",
        ],
    );
    check(
        &format!("[{}1 2]", items(40)),
        &[
            "1:284: expected `,` or `]` after this part",
            "    …345, 12345, 12345, 12345, 12345, 12345, 12345, 12345, 12345, 12345, 1 2]",
            "                                                                           ^",
            "put a `,` between two parts, or write `_` for what cannot be read",
        ],
    );
    // Marks without a width must not make an endless line.
    let marks = "\u{301}".repeat(100_000);
    let error = Document::parse(&format!("(\"{marks}\" \"{marks}\")")).unwrap_err();
    assert!(error.to_string().len() < 2000);
}
