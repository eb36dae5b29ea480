//! Reads the grammars of retrospect and checks them.
//!
//! The library makes generators of them at run time, the macro `grammar!` checks them at compile
//! time. Both ask this crate, so that they agree. The dialect is described where it is used, at the
//! function `text::grammar` of the library. Both also ask it which name was meant by one that is
//! not known, and for the excerpts of texts in their messages.
//!
//! ```
//! use retrospect_grammar::Grammar;
//!
//! let grammar = Grammar::read(r#"sum = digit { "+" digit } ;  digit = [0-9] ;"#).unwrap();
//! assert_eq!(grammar.rules[1].name, "digit");
//!
//! let error = Grammar::read("sum = digt ; digit = [0-9] ;").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "1:7: there is no rule `digt`\n\
//!     \x20   sum = digt ; digit = [0-9] ;\n\
//!     \x20         ^\n\
//!     did you mean `digit`?"
//! );
//! ```

mod classes;
mod endings;
mod error;
mod excerpt;
mod names;
mod nearest;
mod reader;
mod tokens;

pub use error::{Fault, GrammarError};
pub use excerpt::Excerpt;
pub use nearest::nearest;

/// The longest text that is read, in bytes.
pub const LONGEST_TEXT: usize = 1024 * 1024;

/// How deep brackets may stand in each other.
pub const DEEPEST: usize = 100;

/// The largest weight of an alternative, and the largest number of times that something is
/// repeated.
pub const LARGEST_NUMBER: u32 = 1_000_000;

/// How many parts the simplest text of a rule may have.
pub const LARGEST_SIMPLEST: usize = 1_000_000;

/// The most characters and ranges that one class may list.
pub const LONGEST_CLASS: usize = 1_000;

/// Rules that were read and are known to make sense: every name is defined, every rule ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Grammar {
    /// In the order in which they are written. There is at least one.
    pub rules: Vec<Rule>,
    /// How each of the rules ends.
    endings: Vec<endings::Ending>,
}

/// `name = body`.
#[derive(Clone, Debug)]
pub struct Rule {
    pub name: String,
    pub place: Place,
    pub body: Expression,
}

/// A part of a rule, and where it stands.
#[derive(Clone, Debug)]
pub struct Expression {
    pub place: Place,
    pub kind: Kind,
}

/// What a part of a rule says.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `"text"`
    Literal(String),
    /// `[a-z]`
    Class(Class),
    /// `.`
    AnyCharacter,
    /// The name of a rule, as its index in [`Grammar::rules`].
    Rule(usize),
    /// `a b c`: never just one.
    Sequence(Vec<Expression>),
    /// `a | b`, or one alternative with a label.
    Choice(Vec<Alternative>),
    /// `[ a ]` and `a?`
    Optional(Box<Expression>),
    /// `{ a }`, `a*`, `a+` and `a{2,5}`
    Repeat { item: Box<Expression>, least: usize, most: Option<usize> },
    /// `a % b`: at least one `a`, with a `b` between each two.
    Separated { item: Box<Expression>, separator: Box<Expression> },
}

/// One way of a choice: `weight label: body`.
#[derive(Clone, Debug)]
pub struct Alternative {
    pub place: Place,
    /// 1 if nothing is written.
    pub weight: u32,
    pub label: Option<String>,
    pub body: Expression,
}

/// Characters, as ranges that include both ends and do not overlap, in the order in which they are
/// written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    pub ranges: Vec<(char, char)>,
    /// `[^…]`: all characters but these.
    pub is_negated: bool,
}

/// Line and column, both counted from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

impl Grammar {
    /// Reads a grammar, and checks it. The error says everything that is wrong, or where reading
    /// came to an end.
    pub fn read(text: &str) -> Result<Grammar, GrammarError> {
        let rules = reader::read(text)?;
        let endings = endings::find(text, &rules)?;
        Ok(Grammar { rules, endings })
    }

    /// The index of the rule to start from.
    pub fn start_from(&self, name: &str) -> Result<usize, GrammarError> {
        if let Some(index) = self.rules.iter().position(|rule| rule.name == name) {
            return Ok(index);
        }
        let way_out = match nearest(name, self.rules.iter().map(|rule| rule.name.as_str())) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("the first rule is `{}`", self.rules[0].name),
        };
        Err(GrammarError::one(Fault::of_all(format!("there is no rule `{name}` to start from"), way_out)))
    }

    /// The alternatives that can be chosen, that is, those of a weight above 0: the one that ends
    /// soonest first, then as they are written.
    ///
    /// Who always takes the first comes to an end.
    pub fn simplest_first(&self, alternatives: &[Alternative]) -> Vec<usize> {
        let mut ordered: Vec<(endings::Ending, usize)> = Vec::new();
        for (index, alternative) in alternatives.iter().enumerate() {
            if alternative.weight == 0 {
                continue;
            }
            let ending = endings::of(&alternative.body, &self.endings);
            let at = ordered.partition_point(|(other, _)| *other <= ending);
            ordered.insert(at, (ending, index));
        }
        ordered.into_iter().map(|(_, index)| index).collect()
    }

    /// What the alternatives of a choice are called, each differently: by their labels, or by the
    /// rule or the text that they consist of, or by their number, counted from 1.
    pub fn names_of(&self, alternatives: &[Alternative]) -> Vec<String> {
        const LONGEST: usize = 24;
        let mut wanted = Vec::with_capacity(alternatives.len());
        for (index, alternative) in alternatives.iter().enumerate() {
            wanted.push(match (&alternative.label, &alternative.body.kind) {
                (Some(label), _) => label.clone(),
                (None, Kind::Rule(index)) => self.rules[*index].name.clone(),
                (None, Kind::Literal(text)) if text.is_empty() => "empty".to_owned(),
                (None, Kind::Literal(text)) if text.len() <= LONGEST => text.clone(),
                _ => (index + 1).to_string(),
            });
        }
        let mut given = names::Names::new();
        for (name, alternative) in wanted.iter().zip(alternatives) {
            if alternative.label.is_some() {
                given.number(name);
            }
        }
        let mut names = Vec::with_capacity(wanted.len());
        for (index, (name, alternative)) in wanted.iter().zip(alternatives).enumerate() {
            // What was given goes before what is made up, and what comes first before what follows.
            if alternative.label.is_none() && given.find(name).is_some() {
                // No label has brackets, and a text with this one in it would be a rare one.
                names.push(format!("{name} ({})", index + 1));
                continue;
            }
            given.number(name);
            names.push(name.clone());
        }
        names
    }
}

/// Rules are equal if they say the same, wherever they stand.
impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        self.name == other.name && self.body == other.body
    }
}

/// Expressions are equal if they say the same, wherever they stand.
impl PartialEq for Expression {
    fn eq(&self, other: &Expression) -> bool {
        self.kind == other.kind
    }
}

/// Alternatives are equal if they say the same, wherever they stand.
impl PartialEq for Alternative {
    fn eq(&self, other: &Alternative) -> bool {
        self.weight == other.weight && self.label == other.label && self.body == other.body
    }
}
