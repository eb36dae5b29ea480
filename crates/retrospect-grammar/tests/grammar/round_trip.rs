//! Whatever grammar is written, in whatever way, is read as what it says.

use retrospect::prelude::*;
use retrospect_grammar::Grammar;

use crate::writing::{Part, expected, write};

#[property]
fn what_is_written_is_read(#[from(vec_of(any::<Part>(), 1..5))] parts: Vec<Part>, coins: Vec<u8>) {
    let text = write(&parts, &coins);
    note!("{text}");
    let grammar = Grammar::read(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(grammar.rules, expected(&parts));
}

#[property]
fn every_choice_has_a_first_way_that_ends(#[from(vec_of(any::<Part>(), 1..5))] parts: Vec<Part>) {
    let grammar = Grammar::read(&write(&parts, &[])).unwrap();
    // Taking the first alternative and no repetitions, all rules are done after as many calls as
    // there are rules, or never.
    for index in 0..grammar.rules.len() {
        assert!(ends(&grammar, &grammar.rules[index].body, grammar.rules.len()), "rule {index}");
    }
}

fn ends(grammar: &Grammar, expression: &retrospect_grammar::Expression, calls: usize) -> bool {
    use retrospect_grammar::Kind;
    match &expression.kind {
        Kind::Literal(_) | Kind::Class(_) | Kind::AnyCharacter | Kind::Optional(_) => true,
        Kind::Rule(index) => calls > 0 && ends(grammar, &grammar.rules[*index].body, calls - 1),
        Kind::Sequence(parts) => parts.iter().all(|part| ends(grammar, part, calls)),
        Kind::Choice(alternatives) => {
            let first = grammar.simplest_first(alternatives)[0];
            ends(grammar, &alternatives[first].body, calls)
        }
        Kind::Repeat { least: 0, .. } => true,
        Kind::Repeat { item, .. } | Kind::Separated { item, .. } => ends(grammar, item, calls),
    }
}
