//! Grammars as people write them.

use super::{Choice, Rules, Text};
use super::{any_char, class, literal, none_of, optional, repeat, separated_by, sequence};
use retrospect_grammar::{Alternative, Expression, Grammar, Kind};
use std::panic::Location;

pub use retrospect_grammar::{Fault, GrammarError};

/// The text that a grammar describes, from its first rule.
///
/// ```
/// use retrospect::prelude::*;
///
/// let json = text::grammar(r##"
///     // JSON without white space. The first rule is where it starts.
///     value  = object | array | string | number | "true" | "false" | "null" ;
///     object = "{" [ pair % "," ] "}" ;
///     pair   = string ":" value ;
///     array  = "[" [ value % "," ] "]" ;
///     string = '"' { char } '"' ;
///     char   = 9: [^"\\\x00-\x1f] | escape: "\\" ["\\/bfnrt] ;
///     number = "-"? ( "0" | [1-9] digit* ) ( "." digit+ )? ;
///     digit  = [0-9] ;
/// "##).unwrap();
/// assert!(json.accepts(&r#"{"a":[1.5,null],"b":"\n"}"#.to_owned()));
/// assert!(!json.accepts(&"[1,]".to_owned()));
/// let smallest = json.shrink(r#"{"a":[1,{"b":[]}]}"#.to_owned(), |text| text.contains(']')).unwrap();
/// assert_eq!(smallest.value, "[]");
/// ```
///
/// [`grammar!`](macro@crate::text::grammar) checks the same when the program is compiled. What is
/// wrong is told with its place:
///
/// ```
/// # use retrospect::prelude::*;
/// let error = text::grammar("list = item { ',' itme } ;\nitem = [a-z]+ ;").unwrap_err();
/// assert_eq!((error.line(), error.column()), (1, 19));
/// assert_eq!(
///     error.to_string(),
///     "1:19: there is no rule `itme`\n\
///     \x20   list = item { ',' itme } ;\n\
///     \x20                     ^\n\
///     did you mean `item`?"
/// );
/// ```
///
/// # How grammars are written
///
/// | written | means |
/// | --- | --- |
/// | `name = … ;` | a rule; `::=`, `:=` and `->` are the same as `=`, and the `;` may be left out |
/// | `name`, `<name>` | the rule of that name: letters, digits, `_` and `-`; in angle brackets also spaces |
/// | `"text"`, `'text'` | exactly this text; `""` is the empty one |
/// | `[a-z_]`, `[^"\\]` | one character of those listed, or any other; see below |
/// | `.` | any character, line breaks as well |
/// | `a b c` | one after the other |
/// | `a \| b` | one of them |
/// | `2: a \| 5: b` | one of them, the second more often; without a weight it is 1, with 0 it is never taken, nor read |
/// | `minus: a \| none: b` | with names, which stand in the choices; also `2 minus: a` |
/// | `( a )` | together |
/// | `[ a ]`, `a?` | once or not at all |
/// | `{ a }`, `a*` | any number of times |
/// | `a+` | at least once |
/// | `a{3}`, `a{2,}`, `a{,5}`, `a{2,5}` | so many times |
/// | `a % b` | at least one `a`, with a `b` between each two; `[ a % b ]` for none as well |
/// | `# …`, `// …`, `(* … *)` | a comment; the first two up to the end of the line |
///
/// `? * + {…}` bind tightest, then `%`, then one part after the other, then `|`. White space, line
/// breaks and a byte order mark mean nothing.
///
/// **A `[` is a class unless white space follows it.** `[a-z]` is one character, `[ a ]` is a part
/// that may be missing. What could be meant either way is an error: a class that is the name of a
/// rule (`[pair]`), and one that lists a character twice (`["," pair]`). Inside a class, `-` is
/// itself where it is first or last, and so is `^` anywhere but at the start.
///
/// Escapes in quotes and classes are `\n` `\r` `\t` `\0` `\\` `\"` `\'` `\x7f` `\u{301}`, in
/// classes also `\[` `\]` `\^` `\-` and `\ ` (a space).
///
/// There is no `,` between parts, no exception (`a - b`), no condition on what follows (`&a`, `!a`)
/// and no empty alternative: write `""`.
///
/// # What becomes of it
///
/// Rules may refer to each other in any order, and to themselves in any place: left recursion is
/// fine, and so are grammars that can read a text in several ways. Each rule is a bracket of its
/// name in the choices (see [`rule`](super::rule)).
///
/// Of several alternatives the one that ends soonest is the simplest, wherever it is written: the
/// one through the fewest rules, then of the fewest parts, then the first. To this
/// [shrinking](crate::Generator::shrink) goes. A class is ordered as it is written, so `[0-9a-f]`
/// shrinks to `0`; `[^…]` and `.` shrink to letters. An alternative without a name is called by the
/// rule or the text that it consists of, or else by its number.
///
/// A rule that is never used is fine. A rule that never ends is an error, as is a grammar above 1
/// MB, more than 100 brackets in each other, or a simplest text of more than a million parts.
#[track_caller]
pub fn grammar(grammar: &str) -> Result<Text, GrammarError> {
    Ok(text_of(&Grammar::read(grammar)?, 0))
}

/// The text that a grammar describes, from the rule of that name; otherwise as
/// [`grammar`](grammar()).
///
/// ```
/// use retrospect::prelude::*;
/// let text = r#"list = "(" item* ")" ; item = digit+ | list ; digit = [0-9] ;"#;
/// assert!(text::grammar_from(text, "item").unwrap().accepts(&"123".to_owned()));
/// assert_eq!(
///     text::grammar_from(text, "items").unwrap_err().to_string(),
///     "there is no rule `items` to start from\ndid you mean `item`?"
/// );
/// ```
#[track_caller]
pub fn grammar_from(grammar: &str, rule: &str) -> Result<Text, GrammarError> {
    let grammar = Grammar::read(grammar)?;
    let start = grammar.start_from(rule)?;
    Ok(text_of(&grammar, start))
}

/// What `grammar!` calls, which has read the same text before.
#[doc(hidden)]
#[track_caller]
pub fn checked_grammar(text: &str, start: Option<&str>) -> Text {
    let made = match start {
        Some(rule) => grammar_from(text, rule),
        None => grammar(text),
    };
    made.unwrap_or_else(|error| panic!("the macro has checked this grammar, and yet: {error}"))
}

#[track_caller]
fn text_of(grammar: &Grammar, start: usize) -> Text {
    let mut rules = Rules::new();
    for rule in &grammar.rules {
        rules.define(rule.name.as_str(), part(grammar, &rule.body));
    }
    let text = rules.start(&grammar.rules[start].name);
    text.unwrap_or_else(|error| panic!("the grammar was checked, and yet: {error}"))
}

/// Recursion is bounded by the brackets that may stand in each other.
#[track_caller]
fn part(grammar: &Grammar, expression: &Expression) -> Text {
    match &expression.kind {
        Kind::Literal(text) => literal(text.as_str()),
        Kind::Class(listed) => {
            let ranges = listed.ranges.iter().map(|(first, last)| *first..=*last);
            if listed.is_negated { none_of(ranges) } else { class(ranges) }
        }
        Kind::AnyCharacter => any_char(),
        Kind::Rule(index) => Rules::reference(grammar.rules[*index].name.as_str()),
        Kind::Sequence(expressions) => {
            let mut parts = Vec::with_capacity(expressions.len());
            for expression in expressions {
                parts.push(part(grammar, expression));
            }
            sequence(parts)
        }
        Kind::Choice(alternatives) => chosen(grammar, alternatives),
        Kind::Optional(item) => optional(part(grammar, item)),
        Kind::Repeat { item, least, most } => {
            let item = part(grammar, item);
            match most {
                Some(most) => repeat(item, *least..=*most),
                None => repeat(item, *least..),
            }
        }
        Kind::Separated { item, separator } => separated_by(part(grammar, item), part(grammar, separator), 1..),
    }
}

#[track_caller]
fn chosen(grammar: &Grammar, alternatives: &[Alternative]) -> Text {
    let names = grammar.names_of(alternatives);
    let order = grammar.simplest_first(alternatives);
    let mut made = Choice {
        name: "choice",
        labels: Vec::with_capacity(order.len()),
        weights: Vec::with_capacity(order.len()),
        arms: Vec::with_capacity(order.len()),
        fault: None,
        place: Location::caller(),
    };
    for index in order {
        let alternative = &alternatives[index];
        made.labels.push(names[index].as_str().into());
        made.weights.push(alternative.weight);
        made.arms.push(part(grammar, &alternative.body));
    }
    Text::chosen(made)
}
