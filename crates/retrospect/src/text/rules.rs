//! Texts with names, and those that refer to each other.

use super::compile::{check_rules, compile};
use super::{Part, Text};
use std::fmt;
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A text with a name. Its choices stand in a bracket of that name: messages tell what was expected
/// by it, and shrinking replaces what stands in such a bracket by one of the same name inside it.
///
/// ```
/// use retrospect::prelude::*;
/// let digit = text::rule("digit", text::chars('0'..='9'));
/// assert_eq!(digit.choices_of(&"7".to_owned()).unwrap().to_string(), "(7)");
/// ```
///
/// A rule that is a [`choice`](super::choice) is that pick: one node, not two.
#[track_caller]
pub fn rule(name: impl Into<String>, text: impl Into<Text>) -> Text {
    Text::new(Part::Rule { name: name.into().into(), body: text.into(), place: Location::caller() })
}

/// A rule that refers to itself: `build` is called once, with a text that stands for the rule.
///
/// ```
/// use retrospect::prelude::*;
/// let brackets = text::recursive("brackets", |inside| {
///     text::repeat(text::sequence(["(".into(), inside, ")".into()]), ..)
/// });
/// assert!(brackets.accepts(&"(()())()".to_owned()) && !brackets.accepts(&"(()".to_owned()));
/// ```
///
/// It ends as other recursive generators do: each level is drawn at half the size of the one around
/// it, and at size 0 only arms that end soonest are drawn. Left recursion is as good as any other.
#[track_caller]
pub fn recursive(name: impl Into<String>, build: impl FnOnce(Text) -> Text) -> Text {
    static IDENTITIES: AtomicU64 = AtomicU64::new(1);
    let identity = IDENTITIES.fetch_add(1, Ordering::Relaxed);
    let name: Box<str> = name.into().into();
    let body = build(Text::new(Part::Itself { identity, name: name.clone() }));
    Text::new(Part::Recursive { identity, name, body, place: Location::caller() })
}

/// Rules that refer to each other by name, in any order.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::text::Rules;
/// let mut rules = Rules::new();
/// rules.define("sum", text::separated_by(Rules::reference("factor"), "+", 1..));
/// let inside = text::sequence(["(".into(), Rules::reference("sum"), ")".into()]);
/// rules.define("factor", text::one_of([text::chars('0'..='9'), inside]));
/// let sums = rules.start("sum").unwrap();
/// assert!(sums.accepts(&"1+(2+3)".to_owned()));
///
/// rules.define("product", Rules::reference("atom"));
/// assert_eq!(
///     rules.start("product").unwrap_err().to_string(),
///     "the rule `product` refers to `atom`, which is not defined; there are `sum`, `factor`, `product`"
/// );
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rules {
    rules: Vec<Defined>,
}

#[derive(Clone, Debug)]
pub(super) struct Defined {
    pub(super) name: Box<str>,
    pub(super) body: Text,
    pub(super) place: &'static Location<'static>,
}

/// Rules that belong together, as a text keeps them.
#[derive(Debug)]
pub(super) struct RuleSet {
    pub(super) rules: Vec<Defined>,
}

impl RuleSet {
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.rules.iter().position(|rule| *rule.name == *name)
    }
}

impl Rules {
    /// No rules yet.
    ///
    /// ```
    /// use retrospect::text::Rules;
    /// assert!(Rules::new().start("value").is_err());
    /// ```
    pub fn new() -> Rules {
        Rules::default()
    }

    /// Says what a name stands for. A name that is defined twice stands for what was said last.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::text::Rules;
    /// let mut rules = Rules::new();
    /// rules.define("bit", text::one_of(["0", "1"])).define("byte", text::repeat(Rules::reference("bit"), 8));
    /// assert!(rules.start("byte").unwrap().accepts(&"01101001".to_owned()));
    /// ```
    #[track_caller]
    pub fn define(&mut self, name: impl Into<String>, text: impl Into<Text>) -> &mut Rules {
        let defined = Defined { name: name.into().into(), body: text.into(), place: Location::caller() };
        match self.rules.iter_mut().find(|rule| rule.name == defined.name) {
            Some(rule) => *rule = defined,
            None => self.rules.push(defined),
        }
        self
    }

    /// The names that are defined, in order.
    ///
    /// ```
    /// use retrospect::text::Rules;
    /// let mut rules = Rules::new();
    /// rules.define("zero", "0").define("one", "1");
    /// assert_eq!(rules.names().collect::<Vec<_>>(), ["zero", "one"]);
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().map(|rule| &*rule.name)
    }

    /// A text that stands for the rule of that name, in the set of rules it is used in. It need not
    /// be defined yet.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::text::Rules;
    /// let loose = Rules::reference("value");
    /// assert!(loose.choices_of(&"1".to_owned()).unwrap_err().reason().contains("`value`"));
    /// ```
    pub fn reference(name: impl Into<String>) -> Text {
        Text::new(Part::Reference(name.into().into()))
    }

    /// The text of a rule. All rules are looked at: one that refers to a name without a rule, that
    /// never ends, or whose arms all weigh 0 is an error.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::text::Rules;
    /// let mut rules = Rules::new();
    /// rules.define("list", text::sequence(["(".into(), Rules::reference("list"), ")".into()]));
    /// assert_eq!(
    ///     rules.start("list").unwrap_err().to_string(),
    ///     "the rule `list` never ends: every way through it comes back to a rule that does not end"
    /// );
    /// ```
    pub fn start(&self, name: &str) -> Result<Text, RuleError> {
        let set = Arc::new(RuleSet { rules: self.rules.clone() });
        let Some(start) = set.find(name) else {
            return Err(RuleError::Undefined { rule: None, name: name.to_owned(), defined: names(&set) });
        };
        check_rules(&set)?;
        let text = Text::new(Part::Rules(set, start));
        let grammar = Arc::new(compile(&text));
        let _ = text.inner.grammar.set(grammar);
        Ok(text)
    }
}

pub(super) fn names(set: &RuleSet) -> Vec<String> {
    set.rules.iter().map(|rule| rule.name.to_string()).collect()
}

/// What is wrong with a set of [`Rules`].
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::text::{RuleError, Rules};
/// let mut rules = Rules::new();
/// rules.define("word", text::choice([text::arm("only", 0, "x")]));
/// assert_eq!(rules.start("word").unwrap_err().rule(), Some("word"));
/// assert!(matches!(rules.start("words"), Err(RuleError::Undefined { .. })));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleError {
    /// A name without a rule.
    Undefined {
        /// The rule that refers to it; none if it is where the text should start.
        rule: Option<String>,
        /// The name.
        name: String,
        /// The names there are.
        defined: Vec<String>,
    },
    /// A rule that no text can be made of, because each way through it comes back to itself.
    Endless {
        /// The rule.
        rule: String,
    },
    /// A part of a rule that can be no text: arms that all weigh 0, an empty class, a weight below
    /// 0.
    Faulty {
        /// The rule.
        rule: String,
        /// What is wrong.
        reason: String,
    },
}

impl RuleError {
    /// The rule in which something is wrong.
    ///
    /// ```
    /// use retrospect::text::Rules;
    /// let mut rules = Rules::new();
    /// rules.define("itself", Rules::reference("itself"));
    /// assert_eq!(rules.start("itself").unwrap_err().rule(), Some("itself"));
    /// ```
    pub fn rule(&self) -> Option<&str> {
        match self {
            RuleError::Undefined { rule, .. } => rule.as_deref(),
            RuleError::Endless { rule } | RuleError::Faulty { rule, .. } => Some(rule),
        }
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuleError::Undefined { rule, name, defined } => {
                match rule {
                    Some(rule) => write!(formatter, "the rule `{rule}` refers to `{name}`, which is not defined")?,
                    None => write!(formatter, "there is no rule `{name}` to start with")?,
                }
                for (place, name) in defined.iter().take(12).enumerate() {
                    write!(formatter, "{} `{name}`", if place == 0 { "; there are" } else { "," })?;
                }
                if defined.len() > 12 {
                    write!(formatter, ", and {} more", defined.len() - 12)?;
                }
                Ok(())
            }
            RuleError::Endless { rule } => {
                write!(
                    formatter,
                    "the rule `{rule}` never ends: every way through it comes back to a rule that does not end"
                )
            }
            RuleError::Faulty { rule, reason } => write!(formatter, "in the rule `{rule}` {reason}"),
        }
    }
}

impl std::error::Error for RuleError {}
