//! What each construct is read as.

use retrospect_grammar::{Class, Grammar, Kind, Place};

/// The grammars are the same, although they are written differently.
#[track_caller]
fn same(one: &str, other: &str) {
    let [one_read, other_read] = [one, other].map(|text| Grammar::read(text).unwrap_or_else(|error| panic!("{error}")));
    assert_eq!(one_read.rules, other_read.rules, "{one}\n{other}");
}

fn body(text: &str) -> Kind {
    Grammar::read(text).unwrap_or_else(|error| panic!("{error}")).rules.remove(0).body.kind
}

fn literal(text: &str) -> Kind {
    Kind::Literal(text.to_owned())
}

fn class(ranges: &[(char, char)]) -> Kind {
    Kind::Class(Class { ranges: ranges.to_vec(), is_negated: false })
}

#[test]
fn rules_are_defined_in_four_ways_and_end_with_or_without_a_semicolon() {
    let usual = "a = b \"x\" ; b = \"y\" ;";
    for other in [
        "a ::= b \"x\" ; b ::= \"y\" ;",
        "a := b \"x\" b := \"y\"",
        "a -> b 'x'\nb -> 'y'",
        "<a> ::= <b> \"x\"\n<b> ::= \"y\"",
        "a=b\"x\";b=\"y\"",
        "\u{feff}a = b \"x\" ;\r\nb = \"y\" ;\r\n",
        "# first\na = b (* inside *) \"x\" // behind\n; b = \"y\" # last",
    ] {
        same(usual, other);
    }
    same("<two words> = \"x\"", "< two words > = 'x'");
    assert_eq!(Grammar::read("<two words> = \"x\"").unwrap().rules[0].name, "two words");
    same("größe-1_b = 'x'", "<größe-1_b> = 'x'");
}

#[test]
fn quotes_have_escapes() {
    assert_eq!(body(r#"a = "\n\r\t\0\\\"'\x41\u{e9}\u{1F600}""#), literal("\n\r\t\0\\\"'Aé😀"));
    assert_eq!(body(r#"a = '\'"' "#), literal("'\""));
    assert_eq!(body("a = \"#(* // *)\""), literal("#(* // *)"));
    assert_eq!(body("a = \"\""), literal(""));
    assert_eq!(body("a = \"\0\""), literal("\0"));
}

#[test]
fn a_bracket_is_a_class_unless_white_space_follows() {
    assert_eq!(body("a = [a-z_0-9]"), class(&[('a', 'z'), ('_', '_'), ('0', '9')]));
    assert_eq!(body("a = [\"']"), class(&[('"', '"'), ('\'', '\'')]));
    assert_eq!(body("a = [;#|]"), class(&[(';', ';'), ('#', '#'), ('|', '|')]));
    assert_eq!(
        body(r"a = [\]\[\^\-\\\n\ \x41\u{301}]"),
        class(&[']', '[', '^', '-', '\\', '\n', ' ', 'A', '\u{301}'].map(|one| (one, one)))
    );
    assert_eq!(body("a = [-z]"), class(&[('-', '-'), ('z', 'z')]));
    assert_eq!(body("a = [z-]"), class(&[('z', 'z'), ('-', '-')]));
    assert_eq!(body("a = [a^]"), class(&[('a', 'a'), ('^', '^')]));
    assert_eq!(body(r"a = [\t-\r]"), class(&[('\t', '\r')]));
    let negated = Class { ranges: vec![('"', '"'), ('\\', '\\')], is_negated: true };
    assert_eq!(body(r#"a = [^"\\]"#), Kind::Class(negated));
    let negated = Class { ranges: vec![(' ', ' '), ('-', '-')], is_negated: true };
    assert_eq!(body(r"a = [^ -]"), Kind::Class(negated));
    same("a = [ b ] ; b = 'x'", "a = b? ; b = 'x'");
    same("a = [\nb\n] ; b = 'x'", "a = b? ; b = 'x'");
    same("a = [ [a-z] ]", "a = [a-z]?");
}

#[test]
fn repetitions_follow_what_they_repeat() {
    let repeat = |least, most| Kind::Repeat {
        item: Box::new(retrospect_grammar::Expression { place: Place { line: 1, column: 1 }, kind: literal("x") }),
        least,
        most,
    };
    assert_eq!(body("a = 'x'*"), repeat(0, None));
    assert_eq!(body("a = { 'x' }"), repeat(0, None));
    assert_eq!(body("a = 'x'+"), repeat(1, None));
    assert_eq!(body("a = 'x'{3}"), repeat(3, Some(3)));
    assert_eq!(body("a = 'x' { 3 , }"), repeat(3, None));
    assert_eq!(body("a = 'x'{,5}"), repeat(0, Some(5)));
    assert_eq!(body("a = 'x'{3,5}"), repeat(3, Some(5)));
    same("a = 'x'{0}", "a = 'x'{0,0}");
    same("a = 'x' { 'y' }", "a = 'x' 'y'*");
    same("a = { 2: 'x' | 'y' }", "a = (2: 'x' | 'y')*");
    same("a = ('x' 'y')+", "a = (('x' 'y'))+");
    assert_ne!(body("a = 'x' 'y'+"), body("a = ('x' 'y')+"));
}

#[test]
fn alternatives_have_weights_and_labels() {
    let Kind::Choice(alternatives) = body("sign = 2 minus: '-' | 5: '' | plus: '+' | '~'") else {
        panic!("a choice");
    };
    let shown: Vec<_> = alternatives.iter().map(|one| (one.weight, one.label.as_deref(), &one.body.kind)).collect();
    let expected = [
        (2, Some("minus"), &literal("-")),
        (5, None, &literal("")),
        (1, Some("plus"), &literal("+")),
        (1, None, &literal("~")),
    ];
    assert_eq!(shown, expected);
    assert!(matches!(body("a = only: 'x'"), Kind::Choice(alternatives) if alternatives.len() == 1));
    same("a = 1: 'x' | 'y'", "a = 'x' | 1: 'y'");
    // Labels of different choices may be the same.
    same("a = (x: 'x' | y: 'y') (x: 'x' | y: 'y')", "a = ( x : 'x' | y : 'y' ) ( x : 'x' | y : 'y' ) ;");
}

#[test]
fn percent_separates() {
    let Kind::Separated { item, separator } = body("list = [0-9]+ % ', '?") else {
        panic!("a list");
    };
    assert!(matches!(item.kind, Kind::Repeat { least: 1, .. }));
    assert!(matches!(separator.kind, Kind::Optional(_)));
    same("a = 'x' 'y' % ',' 'z'", "a = 'x' ('y' % ',') 'z'");
}

/// Of two rules in each layer, both need both of the next: there are more ways from the first to
/// the last than could be gone through.
#[test]
fn layers_of_rules_are_looked_at_once() {
    let mut text = String::new();
    for layer in 0..64 {
        let next = layer + 1;
        text += &format!("a{layer} = a{next} | b{next} ; b{layer} = a{next} | b{next} ;\n");
    }
    text += "a64 = 'a' ; b64 = 'b' ;";
    assert_eq!(Grammar::read(&text).unwrap().rules.len(), 130);
}

#[test]
fn every_part_knows_its_place() {
    let grammar = Grammar::read("\u{feff}first = 'é' second\n  | minus: .\r\n\tsecond = 'x'").unwrap();
    let Kind::Choice(alternatives) = &grammar.rules[0].body.kind else {
        panic!("a choice");
    };
    let Kind::Sequence(parts) = &alternatives[0].body.kind else {
        panic!("a sequence");
    };
    let place = |line, column| Place { line, column };
    assert_eq!(grammar.rules[0].place, place(1, 1));
    assert_eq!(parts[1].place, place(1, 13));
    assert_eq!(alternatives[1].place, place(2, 5));
    assert_eq!(alternatives[1].body.place, place(2, 12));
    assert_eq!(grammar.rules[1].place, place(3, 2));
}

#[test]
fn what_ends_soonest_comes_first() {
    let grammar = Grammar::read(
        "value = list | 'ab' 'c' | name | 'x' | value '!' | 0: '' ; list = '(' value ')' ; name = [a-z] ;",
    )
    .unwrap();
    let Kind::Choice(alternatives) = &grammar.rules[0].body.kind else {
        panic!("a choice");
    };
    // 'x' is one part, 'ab' 'c' two, a name is a rule deeper, the others need a value; an
    // alternative of weight 0 is none.
    assert_eq!(grammar.simplest_first(alternatives), [3, 1, 2, 4, 0]);
    assert_eq!(grammar.start_from("list"), Ok(1));
    let said = |name| grammar.start_from(name).unwrap_err().to_string();
    assert_eq!(said("lisst"), "there is no rule `lisst` to start from\ndid you mean `list`?");
    assert_eq!(said("something"), "there is no rule `something` to start from\nthe first rule is `value`");
}

#[test]
fn alternatives_are_called_by_what_they_are() {
    let grammar = Grammar::read(
        "a = b | 'x' | x: 'y' | 'z' 'z' | '' | b | 'empty' | '4' | [0-9] | 'a very long text indeed' ; b = 'b' ;",
    )
    .unwrap();
    let Kind::Choice(alternatives) = &grammar.rules[0].body.kind else {
        panic!("a choice");
    };
    assert_eq!(
        grammar.names_of(alternatives),
        ["b", "x (2)", "x", "4", "empty", "b (6)", "empty (7)", "4 (8)", "9", "a very long text indeed"]
    );
}
