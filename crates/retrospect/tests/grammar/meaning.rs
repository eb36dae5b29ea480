//! Grammars as users write them.

use retrospect::prelude::*;
use retrospect::text::Text;

const JSON: &str = include_str!("json.ebnf");

fn json() -> Text {
    text::grammar!(file = "tests/grammar/json.ebnf")
}

#[test]
fn json_obeys_the_laws() {
    laws::check(&json());
    assert!(json().accepts(&r#"{"a": [1, -2.5e10, true], "\u00e9": {}}"#.to_owned()));
    assert!(!json().accepts(&r#"{"a": [1, ], "b": {}}"#.to_owned()));
    assert_eq!(json().replay(&Choices::default()), "true");
}

#[test]
fn a_file_and_its_text_are_the_same() {
    let read = text::grammar(JSON).unwrap();
    for seed in 0..20 {
        assert_eq!(json().sample(seed), read.sample(seed));
    }
}

#[test]
fn left_recursion_and_ambiguity_are_fine() {
    let sums = text::grammar!("sum = sum '+' sum | [0-9]+");
    laws::check(&sums);
    assert_eq!(sums.ways_of(&"1+2+3".to_owned()).count().to_string(), "2");
    assert_eq!(sums.replay(&Choices::default()), "0");
    let nothing_often = text::grammar!("a = ('' | b)* ; b = 'x'? ;");
    assert!(nothing_often.accepts(&"xx".to_owned()) && !nothing_often.accepts(&"y".to_owned()));
}

#[test]
fn weights_and_labels_reach_the_choices() {
    let signs = text::grammar!("sign = 8 minus: '-' | plus: '+' | 0 never: '~'");
    let minus = (0..900).filter(|seed| signs.sample(*seed) == "-").count();
    assert!((700..900).contains(&minus), "{minus} of 900");
    assert_eq!(signs.choices_of(&"+".to_owned()).unwrap().to_string(), "1:plus");
    assert!(!signs.accepts(&"~".to_owned()));
    let named = text::grammar!("value = list | 'nil' | '1' '2' ; list = '(' value ')'");
    assert_eq!(named.choices_of(&"nil".to_owned()).unwrap().to_string(), "0:nil");
    assert_eq!(named.choices_of(&"12".to_owned()).unwrap().to_string(), "1:3");
    assert_eq!(named.choices_of(&"(nil)".to_owned()).unwrap().to_string(), "2:list((0:nil))");
}

#[test]
fn classes_are_in_the_order_in_which_they_are_written() {
    for (grammar, simplest) in
        [("a = [0-9a-f]", "0"), ("a = [_a]", "_"), ("a = [^a-y]", "z"), ("a = .", "a"), ("a = [^a-zA-Z]", "0")]
    {
        assert_eq!(text::grammar(grammar).unwrap().replay(&Choices::default()), simplest, "{grammar}");
    }
}

#[test]
fn counts_and_separators() {
    let read = |grammar: &str, text: &str| text::grammar(grammar).unwrap().accepts(&text.to_owned());
    for (text, is_in) in [("", false), ("x", false), ("xx", true), ("xxx", true), ("xxxx", false)] {
        assert_eq!(read("a = 'x'{2,3}", text), is_in, "{text}");
    }
    for (text, is_in) in [("", false), ("x", true), ("x,x", true), ("x,", false), (",x", false), ("xx", false)] {
        assert_eq!(read("a = 'x' % ','", text), is_in, "{text}");
        assert_eq!(read("a = [ 'x' % ',' ]", text), is_in || text.is_empty(), "{text}");
    }
    let csv = text::grammar!(r#"rows = (cell % ",") % "\n" ; cell = [^,\n]* ;"#);
    assert!(csv.accepts(&"a,b\nc,\n,".to_owned()));
}

#[test]
fn each_expression_of_the_macro_is_one_text() {
    let texts: Vec<Text> = (0..2).map(|_| text::grammar!("a = 'x'{1,9}")).collect();
    assert_eq!(texts[0].sample(3), texts[1].sample(3));
    let other = text::grammar!(r#"list = "(" item ")" ; item = 'x' ;"#, start = "item");
    assert!(other.accepts(&"x".to_owned()));
}

#[property(cases = 10)]
fn shrinking_keeps_to_the_grammar(#[from(json())] value: String) {
    let brackets = |text: &str| text.matches(['[', '{']).count();
    if brackets(&value) > 2 {
        let smallest = json().shrink(value, |text| brackets(text) > 2).unwrap().value;
        assert!(json().accepts(&smallest));
        assert_eq!(brackets(&smallest), 3, "{smallest}");
        assert!(!smallest.contains(|character: char| character.is_alphanumeric()), "{smallest}");
    }
}
