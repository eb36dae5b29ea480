//! Every message, pinned with the text that causes it.

use std::fmt::Write;

use retrospect_grammar::Grammar;

/// One of each: what is wrong with names, rules, brackets, repetitions, numbers, quotes, classes,
/// and with grammars written for other tools.
const WRONG: &[&str] = &[
    "",
    " \t\n# nothing\n",
    "(* never closed",
    // Rules.
    "= \"x\"",
    "\"x\" = a",
    "a",
    "a \"x\"",
    "a : \"x\" ;",
    "a = ;",
    "a =",
    "a = b = \"x\"",
    "a = \"x\" ; ; b = \"y\"",
    "a = \"x\" = \"y\"",
    "a = \"x\" ;\nb = \"y\" ;\na = \"z\" ;",
    "a = digits ;\ndigit = [0-9] ;",
    "a = something ;",
    "list = item list | ε ; item = 'x' ;",
    "a = b c b ; d = e ;",
    "a = a",
    "a = \"x\" a | 0: \"y\"",
    "a = \"x\" | b ;\nb = c+ ;\nc = (d | b) ;\nd = \"(\" b \")\"",
    "a = (b{1000}){1000} ; b = \"x\" \"y\"",
    "a = \"x\" | [ (b{1000}){1001} ] ;\nb = \"y\"",
    // Alternatives.
    "a = | \"x\"",
    "a = \"x\" | | \"y\"",
    "a = \"x\" |",
    "a = 0: \"x\" | 0: \"y\"",
    "a = 0: \"x\"",
    "a = x: \"x\" | 2 x: \"y\"",
    "a = \"x\" y: \"z\"",
    "a = (\"x\" y: \"z\")",
    "a = \"x\" : \"z\"",
    "a = : \"x\"",
    "a = 2 \"x\"",
    "a = \"x\" 2",
    "a = 2",
    "a = -2: \"x\"",
    "a = 1.5: \"x\"",
    "a = 1e3: \"x\"",
    "a = 99999999999999999999999999: \"x\"",
    "a = 1000001: \"x\"",
    // Brackets.
    "a = (\"x\"",
    "a = (\"x\" ; b = \"y\"",
    "a = (\"x\"\nb = \"y\"",
    "a = [ \"x\" | ( \"y\" ]",
    "a = \"x\" )",
    "a = \"x\" ; }",
    "a = ( )",
    "a = [ ]",
    "a = { }",
    // Repetitions.
    "a = * \"x\"",
    "a = {3}",
    "a = \"x\"{5,2}",
    "a = \"x\"{,}",
    "a = \"x\"{2,x}",
    "a = \"x\"{2000000}",
    "a = \"x\"+?",
    "a = \"x\"*{3}",
    "a = \"x\" % \",\" % \";\"",
    "a = % \",\"",
    // Quotes.
    "a = \"x",
    "a = 'x\nb = 'y'",
    "a = \"x\\",
    "a = \"\\q\"",
    "a = \"\\d\"",
    "a = \"\\\u{7}\"",
    "a = \"\\x9f\"",
    "a = \"\\u{d800}\"",
    "a = \"\\u0041\"",
    "a = “x”",
    // Classes.
    "a = []",
    "a = [^]",
    "a = [z-a]",
    "a = [a-z",
    "a = [a\nb]",
    "a = [a-c-e]",
    "a = [--a]",
    "a = [a-za]",
    "a = [\",\" b]",
    "a = [pair] ; pair = \"x\" ;",
    "a = [sign x] ; x = \"x\" ;",
    "a = [ a-z ]",
    "a = [^\\0-\\u{10ffff}]",
    "a = [\\d]",
    // Written for other tools.
    "a = \"x\", \"y\"",
    "a = , \"y\"",
    "a = \"x\" / \"y\"",
    "a = \"x\" - \"y\"",
    "a = !\"x\" .",
    "a = @label \"x\"",
    "a → \"x\"",
    "a = \"a\"..\"z\"",
    "a = < b",
    "a = <> ",
    "a = <b c = \"x\"",
    "a = 7bit",
    "a = \\n",
    // Places.
    "a = \"ß\" \0",
    "a = \"日本\" \u{1f600} \"x\"",
];

#[test]
fn messages() {
    let mut all = String::new();
    for text in WRONG {
        let error = Grammar::read(text).expect_err(text);
        writeln!(all, "{text:?}\n{error}\n").unwrap();
    }
    insta::assert_snapshot!(all);
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let text = format!("a = {}? * {} ;", "\"x\" ".repeat(100), "\"y\" ".repeat(100));
    insta::assert_snapshot!(Grammar::read(&text).unwrap_err());
}

#[test]
fn all_names_that_are_wrong_are_told_at_once() {
    let mut text = String::from("a = b ;\n");
    for number in 0..30 {
        writeln!(text, "r{number} = unknown{number} unknown{number} ;").unwrap();
    }
    let error = Grammar::read(&text).unwrap_err();
    assert_eq!(error.faults().len(), 20);
    assert_eq!((error.line(), error.column()), (1, 5));
    assert_eq!(error.faults()[1].offset(), text.find("unknown0").unwrap());
    assert_eq!(error.faults()[1].message(), "there is no rule `unknown0`");
    assert!(error.to_string().ends_with("\n\nand 12 more"), "{error}");
}
