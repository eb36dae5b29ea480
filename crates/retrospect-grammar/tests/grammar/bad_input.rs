//! No text makes the reader panic, hang or run out of stack.

use retrospect::prelude::*;
use retrospect_grammar::{DEEPEST, Grammar, LONGEST_TEXT};

use crate::writing::{Part, write};

const JSON: &str = r##"
# JSON, without escapes
value  = object | array | string | number | "true" | "false" | "null" ;
object = "{" [ pair % "," ] "}" ;
pair   = string ":" value ;
array  = "[" [ value { "," value } ] "]" ;
string = '"' [^"\\]* '"' ;
number = [ 2 minus: "-" | none: "" ] digit{1,3} ( '.' digit+ )? ;
digit  = [0-9] ;
"##;

/// Reads, and looks at the error from all sides.
fn read(text: &str) {
    if let Err(error) = Grammar::read(text) {
        let said = error.to_string();
        assert!(!said.is_empty());
        for fault in error.faults() {
            assert!(text.is_char_boundary(fault.offset()), "{text:?}: {fault:?}");
            assert!(!fault.message().is_empty() && !fault.way_out().is_empty());
            let before = &text[..fault.offset()];
            assert_eq!(fault.line(), 1 + before.matches('\n').count(), "{text:?}: {fault:?}");
        }
    }
}

#[test]
fn every_prefix_of_a_grammar() {
    Grammar::read(JSON).unwrap();
    for (end, _) in JSON.char_indices() {
        read(&JSON[..end]);
        read(&JSON[end..]);
    }
}

#[property(cases = 3000)]
fn a_grammar_with_a_piece_exchanged(
    #[from(vec_of(any::<Part>(), 1..4))] parts: Vec<Part>,
    coins: Vec<u8>,
    place: usize,
    #[from(0..3usize)] removed: usize,
    #[from(element_of(["", "\"", "[", "]", "(", "}", "{2", ":", "=", "|", "0", "-", "<", "\\", "\n", "é", "\0", "%"]))]
    piece: &str,
) {
    let mut characters: Vec<char> = write(&parts, &coins).chars().collect();
    let start = place % (characters.len() + 1);
    let end = (start + removed).min(characters.len());
    characters.splice(start..end, piece.chars());
    read(&characters.into_iter().collect::<String>());
}

#[property(cases = 3000)]
fn signs_in_any_order(#[from(vec_of(element_of(SIGNS), ..))] signs: Vec<&str>) {
    read(&signs.concat());
}

const SIGNS: &[&str] = &[
    "a", "b", " ", "\n", "=", "::=", "->", ";", "|", ":", ",", "?", "*", "+", "%", ".", "(", ")", "[", "]", "{", "}",
    "[ ", "^", "-", "\"", "'", "\\", "\\u{", "x", "<", ">", "0", "12", "#", "(*", "*)", "é", "\u{feff}", "\r\n", "\0",
    "a = ", "\"x\"", "[a-z]",
];

#[property]
fn any_text(text: String) {
    read(&text);
}

#[test]
fn very_deep_and_very_long() {
    for opening in ["(", "[ ", "{ ", "(\"x\" ", "(1: ", "[", "<", "a = (", "\"\\"] {
        read(&format!("a = {}", opening.repeat(30_000)));
        read(&opening.repeat(30_000));
    }
    for piece in [
        "\"x\" ",
        "\"x\" | ",
        "a ",
        "a | ",
        "b ",
        "c % ",
        "x: 'x' | ",
        "*",
        ")",
        "[a]",
        "[ab cd] ",
        ";",
        "# c\n",
        "a=b;",
        "\n",
    ] {
        read(&format!("a = {} \"x\"", piece.repeat(50_000 / piece.len())));
    }
    let deepest = |depth: usize| format!("a = {}\"x\"{}", "(".repeat(depth), ")".repeat(depth));
    assert!(Grammar::read(&deepest(DEEPEST)).is_ok());
    assert_eq!(
        Grammar::read(&deepest(100_000)).unwrap_err().faults()[0].message(),
        "more than 100 brackets in each other"
    );
    let error = Grammar::read(&" ".repeat(LONGEST_TEXT + 1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the grammar is 1048577 bytes long; at most 1048576 are read\ntake what is not needed out of it"
    );
}

#[test]
fn very_many_rules() {
    let mut forward = String::new();
    let mut backward = String::new();
    let mut circle = String::new();
    let mut labels = String::from("a = ");
    const COUNT: usize = 20_000;
    for number in 0..COUNT {
        forward += &format!("r{number}=r{};", number + 1);
        backward += &format!("r{}=r{};", COUNT - number, COUNT - number - 1);
        circle += &format!("r{number}=r{};", (number + 1) % COUNT);
        labels += &format!("l{number}:'x'|");
    }
    Grammar::read(&format!("{forward}r{COUNT}='x'")).unwrap();
    Grammar::read(&format!("{backward}r0='x'")).unwrap();
    Grammar::read(&format!("{labels}'y'")).unwrap();
    let error = Grammar::read(&circle).unwrap_err();
    assert_eq!(
        error.faults()[0].message(),
        "the rule `r0` never ends: however it is written, it needs itself again, through `r1`, `r2`, `r3`, `r4`, `r5`, …"
    );
}

/// Sizes that double with each rule.
#[test]
fn a_simplest_text_that_is_huge() {
    let mut text = String::new();
    for number in 0..300 {
        text += &format!("r{number} = r{0} r{0} ;\n", number + 1);
    }
    let error = Grammar::read(&format!("{text} r300 = 'x' ;")).unwrap_err();
    assert_eq!(error.faults()[0].message(), "even the simplest text of this has more than 1000000 parts");
    // The same with a way out is fine.
    Grammar::read(&format!("{text} r300 = 'x' ;").replace("r300 r300", "r300 r300 | ''")).unwrap_err();
    Grammar::read(&text.replace(" ;", " | '' ;").replace("r300", "''")).unwrap();
}
