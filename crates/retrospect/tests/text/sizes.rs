//! How large texts are, and what becomes of those that can be read in very many ways.

use retrospect::prelude::*;

fn sql() -> text::Text {
    text::grammar(
        r#"
        query = "SELECT " columns " FROM " table (" WHERE " condition)? ;
        columns = "*" | column % ", " ;
        column = expr (" AS " name)? ;
        table = name | "(" query ") AS " name ;
        condition = comparison ((" AND " | " OR ") comparison)* ;
        comparison = expr (" = " | " < ") expr | "NOT (" condition ")" | expr " IN (" query ")" ;
        expr = term ((" + " | " || ") term)* ;
        term = name | number | string | "(" expr ")" | name "(" expr % ", " ")" ;
        name = [a-z] [a-z0-9_]* ;
        number = [0-9]+ ;
        string = "'" [a-zA-Z ]* "'" ;
        "#,
    )
    .unwrap()
}

#[test]
fn texts_of_nested_rules_are_as_large_as_other_values() {
    let sql = sql();
    let samples: Vec<String> = (0..300).map(|seed| sql.sample(seed)).collect();
    let mut lengths: Vec<usize> = samples.iter().map(String::len).collect();
    lengths.sort_unstable();
    assert!((100..1000).contains(&lengths[150]) && lengths[270] < 4000, "{} and {}", lengths[150], lengths[270]);
    let share = |shape: &str| samples.iter().filter(|sample| sample.contains(shape)).count();
    assert!(share("(SELECT ") > 80 && share("((") > 80, "{} and {}", share("(SELECT "), share("(("));
    assert!(samples.iter().all(|sample| sql.accepts(sample)));
}

#[test]
fn an_ambiguous_grammar_accepts_what_it_draws() {
    let list = text::grammar(r#"list = "(" item* ")" ; item = digit+ ; digit = [0-9] ;"#).unwrap();
    assert!((0..40).all(|seed| list.accepts(&list.sample(seed))));
    // There are more ways than there is time to find them, and one is enough.
    assert!(list.accepts(&format!("({})", "7".repeat(100_000))));
}

/// Each split of each part must be tried in vain.
#[test]
fn a_limit_is_an_error_and_not_a_no() {
    let sums = text::grammar(r#"start = sum "!" ; sum = "a" | sum sum | sum sum sum ;"#).unwrap();
    let long = "a".repeat(4000);
    let answer = std::panic::catch_unwind(|| sums.accepts(&long));
    let message = answer.unwrap_err().downcast::<String>().unwrap();
    assert!(message.ends_with("too long or too ambiguous to be read by this text"), "{message}");
}
