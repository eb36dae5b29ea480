//! Documents: JSON as a text, made of the parts of [`text`](super).

use crate::text::{Text, arm, choice, class, empty, literal, none_of, recursive, repeat, rule, separated_by, sequence};
use std::sync::LazyLock;

/// JSON: every text of it, and nothing else.
///
/// ```
/// use retrospect::prelude::*;
/// let json = text::json();
/// assert_eq!(json.replay(&Choices::default()), "null");
/// for document in [r#"{"a": [1, -0.5e+3, "\u00fc\ud83d\ude00"], "a": null}"#, " [ ] "] {
///     assert!(json.accepts(&document.to_owned()));
/// }
/// assert_eq!(
///     json.choices_of(&"[1,]".to_owned()).unwrap_err().reason(),
///     "line 1, column 4, at `[1,▸]`: expected [ \\t\\n\\r] or value"
/// );
/// let document = r#"{"name": "ada", "tags": ["x", {"deep": [1, 2, 300]}]}"#.to_owned();
/// assert_eq!(json.shrink(document, |text| text.contains("300")).unwrap().value, "300");
/// ```
///
/// **What it writes.** `null` is the simplest; then come `false`, `true`, numbers, strings, arrays
/// and objects. Strings are mostly of letters, with other characters and all kinds of escapes among
/// them; numbers are mostly short. White space is rare, so that most documents are compact.
///
/// **What it reads.** All that [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259) allows: the same
/// key twice, numbers of any length, any nesting. Only escapes that stand for half a character
/// (`"\ud800"`) are not JSON here, since no string of Rust holds them. Each text is read in one
/// way, and the next character says which.
pub fn json() -> Text {
    static JSON: LazyLock<Text> = LazyLock::new(|| sequence([space(), value(), space()]));
    JSON.clone()
}

/// One value without space around it.
fn value() -> Text {
    recursive("value", |value| {
        let array = sequence(["[".into(), space(), items(sequence([value.clone(), space()])), "]".into()]);
        let object = sequence(["{".into(), space(), items(entry(string(), value)), "}".into()]);
        choice([
            arm("null", 1, "null"),
            arm("false", 1, "false"),
            arm("true", 1, "true"),
            arm("number", 3, number()),
            arm("string", 3, string()),
            arm("array", 3, array),
            arm("object", 3, object),
        ])
    })
}

/// White space, of which there mostly is none.
fn space() -> Text {
    rare(60, repeat(class([" \t\n\r"]), 1..))
}

/// Items with commas between them, each with the space after it.
fn items(item: Text) -> Text {
    separated_by(item, sequence([",".into(), space()]), ..)
}

/// An entry of an object, with the space after it.
fn entry(key: Text, value: Text) -> Text {
    sequence([key, space(), ":".into(), space(), value, space()])
}

/// A string in quotes.
fn string() -> Text {
    rule("string", sequence(["\"".into(), repeat(character(), ..), "\"".into()]))
}

fn character() -> Text {
    choice([arm("plain", 30, none_of(["\"\\", "\0-\u{1f}"])), arm("escape", 1, literal("\\").then(escape()))])
}

/// What follows a backslash.
fn escape() -> Text {
    choice([arm("one", 4, class(["nt\"\\/rbf"])), arm("number", 1, literal("u").then(code_unit()))])
}

/// Four digits that are a character, or eight of two halves.
fn code_unit() -> Text {
    let digit = || class(["0-9a-fA-F"]);
    let other = sequence([class(["0-9abcefABCEF"]), digit(), digit(), digit()]);
    let below = sequence([class(["0-7"]), digit(), digit()]);
    let second = sequence(["\\u".into(), class(["dD"]), class(["c-fC-F"]), digit(), digit()]);
    let halves = sequence([class(["89abAB"]), digit(), digit(), second]);
    let from_d = class(["dD"]).then(choice([arm("below", 1, below), arm("halves", 2, halves)]));
    choice([arm("other", 2, other), arm("from d", 1, from_d)])
}

fn number() -> Text {
    let digit = || class(["0-9"]);
    let whole = choice([arm("zero", 1, "0"), arm("other", 4, class(["1-9"]).then(few(digit(), 4)))]);
    let fraction = sequence([".".into(), digit(), few(digit(), 3)]);
    let sign = choice([arm("none", 2, empty()), arm("some", 1, class(["+-"]))]);
    let exponent = sequence([class(["eE"]), sign, digit(), few(digit(), 1)]);
    rule("number", sequence([rare(3, literal("-")), whole, rare(3, fraction), rare(7, exponent)]))
}

/// The text, once in a while: `often` times there is nothing for each time that there is something.
fn rare(often: u32, text: Text) -> Text {
    choice([arm("none", often, empty()), arm("some", 1, text)])
}

/// The text any number of times, but rarely more often than `usual`.
fn few(text: Text, usual: u32) -> Text {
    match usual {
        0 => rare(100, repeat(text, 1..)),
        _ => rare(1, sequence([text.clone(), few(text, usual - 1)])),
    }
}
