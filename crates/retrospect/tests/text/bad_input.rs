//! Strings that cannot be read, and texts that are wrong in themselves: always an error that says why.

use super::{arithmetic, digit, palindromes};
use retrospect::prelude::*;
use retrospect::text::{Rules, Text};

fn reason(text: &Text, string: &str) -> String {
    text.choices_of(&string.to_owned()).unwrap_err().reason().to_owned()
}

fn list() -> Text {
    text::recursive("list", |list| {
        let number = text::rule("number", text::repeat(digit(), 1..));
        let items = text::separated_by(text::one_of([number, list]), ", ", ..);
        text::sequence(["[".into(), items, "]".into()])
    })
}

/// What is said of each of these strings.
fn reasons(text: &Text, strings: &[&str]) -> String {
    let mut reasons = String::new();
    for string in strings {
        reasons += &format!("{string:?}\n    {}\n", reason(text, string));
    }
    reasons
}

#[test]
fn the_furthest_place_is_shown() {
    insta::assert_snapshot!(reasons(&list(), &["[1, 2; 3]", "[1, [22, 3]", "", "[]]", "[\0]", "[1, ä]", "[1,\n\n2]"]));
}

#[test]
fn also_where_the_next_character_does_not_decide() {
    let arithmetic = reasons(&arithmetic(), &["1+(2*3", "1+\n2+x", "", "1+2)"]);
    let palindromes = reasons(&palindromes(), &["abc"]);
    let words = reasons(&text::one_of(["a", "ab"]), &["abc", "\"a\""]);
    insta::assert_snapshot!(arithmetic + &palindromes + &words);
}

#[test]
fn long_lists_of_what_was_expected_are_named() {
    let words = text::rule("word", text::one_of(["let", "fn", "if", "else", "while", "for", "loop", "match"]));
    let program = text::sequence([text::separated_by(words, " ", 1..), ";".into()]);
    let many = text::one_of(["a", "b", "c", "d", "e", "f", "g", "h"]);
    insta::assert_snapshot!(reasons(&program, &["let fn 1;", "let fn"]) + &reasons(&many, &["x"]));
}

#[test]
fn lines_are_counted_and_long_texts_are_cut() {
    let lines = text::repeat(text::repeat(digit(), ..).then('\n'), ..);
    let string = format!("{}\n{}x\n", "1".repeat(100), "2".repeat(100));
    insta::assert_snapshot!(reason(&lines, &string));
}

#[test]
fn reading_says_the_same() {
    insta::assert_snapshot!(
        list().read("\"[1, x]\"").unwrap_err(),
        @r#"this generator cannot make "[1, x]": line 1, column 5, at `[1, ▸x]`: expected [0-9] or `[`"#
    );
    insta::assert_snapshot!(list().read("17").unwrap_err(), @"this generator cannot make 17: expected a string");
    assert!(list().accepts(&list().fill("_", 5).unwrap()));
}

#[test]
fn bytes_that_are_no_text() {
    let bytes = list().bytes();
    assert!(bytes.accepts(&b"[1]".to_vec()));
    let error = bytes.choices_of(&b"[1\xc3]".to_vec()).unwrap_err();
    insta::assert_snapshot!(error.reason(), @"it is not valid UTF-8 from byte 2 on");
    assert_eq!(bytes.read("[91, 93]").unwrap(), b"[]");
    insta::assert_snapshot!(
        bytes.read("[91, 92]").unwrap_err(),
        @r"this generator cannot make [91, 92]: line 1, column 2, at `[▸\\`: expected [0-9], `[` or `]`"
    );
}

#[test]
fn what_is_nested_too_deep_is_an_error() {
    let deep = "[".repeat(1_500_000);
    assert!(!list().accepts(&deep));
    let reason = reason(&list(), &deep);
    assert!(reason.contains("it is nested too deep in `list"), "{reason}");
    let nested = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    assert!(list().accepts(&nested));
    assert!(list().choices_of(&nested).is_ok());
    // Where nothing is decided by the next character, nothing recurses while it is read.
    let nested = format!("{}1{}", "(".repeat(2_000), ")".repeat(2_000));
    assert!(arithmetic().accepts(&nested));
    assert!(arithmetic().choices_of(&nested).is_ok());
    assert!(!arithmetic().accepts(&"(".repeat(20_000)));
}

#[test]
fn what_is_too_ambiguous_is_an_error() {
    let pairs = text::recursive("pairs", |pairs| text::one_of(["a".into(), pairs.then(pairs.clone())]));
    assert_eq!(pairs.overlap(&"a".repeat(12)).to_string(), "58786");
    assert_eq!(pairs.overlap(&"a".repeat(40)).to_string(), "680425371729975800390");
    let text = "a".repeat(1_000);
    assert!(!pairs.accepts(&text));
    assert!(reason(&pairs, &text).ends_with("it is too long or too ambiguous to be read by this text"));
    insta::assert_snapshot!(
        pairs.probability_of(&text).unwrap_err(),
        @"the probability is not known: it is too long or too ambiguous to be read by this text"
    );
}

#[test]
fn rules_that_are_wrong() {
    let error = |define: &dyn Fn(&mut Rules)| {
        let mut rules = Rules::new();
        define(&mut rules);
        let error = rules.start("start").unwrap_err().to_string();
        // Without the place in this file.
        let end = error.find(" at ").or_else(|| error.find(" (")).unwrap_or(error.len());
        error[..end].to_owned()
    };
    let reference = |name: &str| Rules::reference(name);
    insta::assert_snapshot!(error(&|_| {}), @"there is no rule `start` to start with");
    insta::assert_snapshot!(
        error(&|rules| { rules.define("begin", "x"); }),
        @"there is no rule `start` to start with; there are `begin`"
    );
    insta::assert_snapshot!(
        error(&|rules| { rules.define("start", reference("item")).define("items", reference("start")); }),
        @"the rule `start` refers to `item`, which is not defined; there are `start`, `items`"
    );
    insta::assert_snapshot!(
        error(&|rules| { rules.define("start", text::repeat(reference("item"), 1..)).define("item", reference("item").then("x")); }),
        @"the rule `item` never ends: every way through it comes back to a rule that does not end"
    );
    insta::assert_snapshot!(
        error(&|rules| { rules.define("start", "x").define("other", text::choice([text::arm("a", 0, "a"), text::arm("b", 0, "b")])); }),
        @"in the rule `other` all 2 arms of a choice weigh 0 (`choice`"
    );
    insta::assert_snapshot!(
        error(&|rules| { rules.define("start", text::choice([text::arm("a", -3, "a")])); }),
        @"in the rule `start` the weight of arm `a` is wrong: -3 is negative: a weight is 0 or more (`choice`"
    );
    insta::assert_snapshot!(
        error(&|rules| { rules.define("start", text::choice([text::arm("a", 1, "a"), text::arm("a", 1, "b")])); }),
        @"in the rule `start` two arms have the same label `a` (`choice`"
    );
    insta::assert_snapshot!(
        error(&|rules| { rules.define("start", text::one_of(Vec::<Text>::new())); }),
        @"in the rule `start` a choice has no arms (`one_of`"
    );
    insta::assert_snapshot!(
        error(&|rules| { rules.define("start", text::repeat("a", retrospect::generator::Lengths { min: 3, max: 2 })); }),
        @"in the rule `start` the range of repetitions 3..=2 is empty"
    );
    insta::assert_snapshot!(
        error(&|rules| { rules.define("start", text::class(["z-a"])); }),
        @"in the rule `start` the range 'z'..='a' of characters is empty"
    );
}

#[test]
fn texts_that_are_wrong() {
    insta::assert_snapshot!(reason(&Rules::reference("value"), ""), @"`value` is the name of a rule, and stands outside of the rules that define it");
    let endless = text::recursive("loop", |itself| itself.then("x"));
    insta::assert_snapshot!(reason(&endless, "x"), @"the rule `loop` never ends: every way through it comes back to a rule that does not end");
    let mut source = retrospect::source::Source::random(1);
    assert!(endless.generate(&mut source).is_err());
    insta::assert_snapshot!(source.why().unwrap(), @"the rule `loop` never ends: every way through it comes back to a rule that does not end");
    let mut outside = None;
    text::recursive("inside", |itself| {
        outside = Some(itself.clone());
        text::one_of(["a".into(), itself])
    });
    insta::assert_snapshot!(reason(&outside.unwrap(), "a"), @"`inside` is used outside of the recursive text that it stands for");
    assert!(!text::one_of([text::empty(), text::class(Vec::<char>::new())]).accepts(&String::new()));
}
