//! Strings that cannot be read, and texts that are wrong in themselves: always an error that says
//! why.

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
fn also_behind_parts_that_the_next_character_does_not_decide() {
    let of = |grammar: &str, string: &str| reasons(&text::grammar(grammar).unwrap(), &[string]);
    let sums = "sum = term {'+' term} ; term = name | call ; name = [a-z]+ ; call = [a-z]+ '(' sum ')' ;";
    insta::assert_snapshot!(
        of("set = '{' item % ',' '}' ; item = 'in' | 'int' ;", "{int;in}")
            + &of("r = '(' ('a' | 'a' 'b') ')' ;", "(ab]")
            + &of("r = ([a]?){2} ;", "ab")
            + &of(sums, "a+b*c"),
        @r#"
    "{int;in}"
        line 1, column 5, at `{int▸;in}`: expected `,` or `}`
    "(ab]"
        line 1, column 4, at `(ab▸]`: expected `)`
    "ab"
        line 1, column 2, at `a▸b`: expected 'a' or the end
    "a+b*c"
        line 1, column 4, at `a+b▸*c`: expected [a-z], `+`, `(` or the end
    "#
    );
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
    let lines = text::separated_by(text::repeat(digit(), ..), text::one_of(["\n", "\r", "\r\n"]), ..);
    for string in ["1\n22\n3x", "1\r22\r3x", "1\r\n22\r\n3x", "1\r\r3x", "\n\r3x"] {
        assert!(reason(&lines, string).starts_with("line 3, column 2, at "), "{string:?}: {}", reason(&lines, string));
    }
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
        @r"this generator cannot make [91, 92]: line 1, column 2, at `[▸\`: expected [0-9], `[` or `]`"
    );
}

#[test]
fn backslashes_are_shown_as_they_are_typed() {
    let escapes = text::one_of(["\\u", "\\n", "\n"]);
    insta::assert_snapshot!(
        reason(&escapes, "\\x\n"),
        @r#"line 1, column 1, at `▸\x\n`: expected `\u`, `\n` or "\n""#
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

/// What puts a text into another.
type Around = dyn Fn(Text) -> Text;

/// A test thread has 2 MB of stack.
#[test]
fn texts_may_be_nested_deep() {
    let mut grammar = String::new();
    for rule in 0..1_000 {
        grammar += &format!("r{rule} = 'k' r{} | 'x' ;\n", rule + 1);
    }
    let chain = text::grammar(&(grammar + "r1000 = 'y' ;")).unwrap();
    assert!(chain.accepts(&("k".repeat(1_000) + "y")) && !chain.accepts(&"k".repeat(1_001)));
    let nested =
        |depth: usize, around: &dyn Fn(Text) -> Text| (0..depth).fold(text::literal("x"), |text, _| around(text));
    let arounds: [(&Around, &str, usize); 8] = [
        (&|text| text::optional(text), "x", 1_000),
        (&|text| text::sequence([text]), "x", 2_000),
        (&|text| text::sequence(["(".into(), text, ")".into()]), "(", 2_000),
        (&|text| text::one_of([text, "y".into()]), "x", 1_000),
        (&|text| text::rule("rule", text), "x", 1_000),
        (&|text| text::optional(text::repeat(text, 1..=2)), "x", 500),
        (&|text| text::literal("<").bind(move |_| text.clone()), "<", 1_000),
        (
            &|text| {
                let mut rules = Rules::new();
                rules.define("start", text);
                rules.start("start").unwrap()
            },
            "x",
            100,
        ),
    ];
    for (around, beginning, depth) in &arounds[..] {
        let text = nested(*depth, around);
        assert!(text.sample(1).len() < 100_000);
        let _ = text.choices_of(&(*beginning).to_owned());
        let _ = text.choices_of(&"?".to_owned());
    }
    let deep = text::recursive("deep", |deep| {
        text::class(["ab"]).bind(move |letter| if letter == "a" { deep.clone() } else { text::empty() })
    });
    assert!(deep.accepts(&("a".repeat(300) + "b")));
    // To show a text and to let go of it takes no stack, however deep it is.
    for (around, ..) in &arounds[..7] {
        assert!(!format!("{:?}", nested(100_000, around)).is_empty());
    }
}

#[test]
fn what_never_ends_where_it_depends_on_what_was_written_is_an_error() {
    let endless = text::recursive("r", |r| text::literal("z").bind(move |_| r.clone()));
    let mut source = retrospect::source::Source::random(1);
    assert!(endless.generate(&mut source).is_err());
    insta::assert_snapshot!(
        source.why().unwrap(),
        @"the rule `r` never ends, or hardly ever: 10000 texts that `bind` made lie in each other; let what follows end without coming back to the rules around it, for the simplest of what is written"
    );
}

#[test]
fn what_follows_may_be_wrong() {
    let wrong = text::class(["z"]).bind(|_| text::repeat("a", retrospect::generator::Lengths { min: 3, max: 2 }));
    let mut source = retrospect::source::Source::random(1);
    assert!(wrong.generate(&mut source).is_err());
    insta::assert_snapshot!(
        source.why().unwrap(),
        @"what `bind` makes of `z` is wrong: the range of repetitions 3..=2 is empty"
    );
    let among_others = text::one_of(["zx".into(), wrong.clone(), text::class(["y-z"]).then("-")]);
    insta::assert_snapshot!(reasons(&wrong, &["zz", "a", "z"]) + &reasons(&among_others, &["zz"]), @r#"
    "zz"
        line 1, column 2, at `z▸z`: what `bind` makes of `z` is wrong: the range of repetitions 3..=2 is empty
    "a"
        line 1, column 1, at `▸a`: expected 'z'
    "z"
        line 1, column 2, at `z▸`: what `bind` makes of `z` is wrong: the range of repetitions 3..=2 is empty
    "zz"
        line 1, column 2, at `z▸z`: expected `-`; what `bind` makes of `z` is wrong: the range of repetitions 3..=2 is empty
    "#);
}

#[test]
fn repetitions_of_repetitions_may_be_nested_less_deep() {
    let nested = |depth: usize| (0..depth).fold(text::literal("x"), |text, _| text::repeat(text.then(","), ..=1));
    assert!(nested(200).accepts(&("x".to_owned() + &",".repeat(200))));
    assert!(nested(200).sample(1).len() < 1_000);
    insta::assert_snapshot!(
        reason(&nested(300), "x"),
        @"more than 256 repetitions stand in each other: put a `text::rule` around one of them"
    );
}

#[test]
fn what_is_too_ambiguous_is_an_error() {
    let pairs = text::recursive("pairs", |pairs| text::one_of(["a".into(), pairs.then(pairs.clone())]));
    assert_eq!(pairs.ways_of(&"a".repeat(12)).count().to_string(), "58786");
    assert_eq!(pairs.ways_of(&"a".repeat(40)).count().to_string(), "680425371729975800390");
    let text = "a".repeat(1_000);
    // One way is found where all of them are too many.
    assert!(pairs.accepts(&text));
    assert_eq!(pairs.replay(&pairs.choices_of(&text).unwrap()), text);
    let refused = text.clone() + "b";
    assert!(reason(&pairs, &refused).ends_with("it is too long or too ambiguous to be read by this text"));
    insta::assert_snapshot!(
        pairs.ways_of(&text).probability().unwrap_err(),
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
