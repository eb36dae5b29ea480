//! Text that is written forward and read backward: literals, sequences, alternatives, repetitions,
//! rules, computed parts.
//!
//! Forward, a [`Text`] writes a string. Backward, it parses one: all parses, memoised, with left
//! recursion. It ends in an ordinary `Generator<Value = String>`, so that whatever works on values
//! works on strings: shrinking, overlap, replay, filling, laws.
//!
//! ```
//! use retrospect::prelude::*;
//!
//! // Sums of numbers, left to right, as a grammar would have it.
//! let digits = text::repeat(text::class(["1-90"]), 1..=3);
//! let sums = text::recursive("sum", |sum| {
//!     text::choice([
//!         text::arm("number", 2, digits.clone()),
//!         text::arm("plus", 1, text::sequence([sum, "+".into(), digits])),
//!     ])
//! });
//! assert!(sums.accepts(&"1+22+333".to_owned()));
//! assert_eq!(sums.replay(&sums.choices_of(&"1+22".to_owned()).unwrap()), "1+22");
//! assert_eq!(
//!     sums.choices_of(&"1+x".to_owned()).unwrap_err().reason(),
//!     "line 1, column 3, at `1+▸x`: expected [1-90]"
//! );
//! let smallest = sums.shrink("7+305+44+1".to_owned(), |sum| sum.matches('+').count() > 1).unwrap();
//! assert_eq!(smallest.value, "1+1+1");
//! ```
//!
//! A text is compiled when it is first used, and its clones share that. Where one is put together
//! at each draw, inside a `#[generator]` or of a field of a derived type, it is worth keeping in a
//! `static`, as [`grammar!`](macro@grammar), [`json`] and `regex` do by themselves:
//!
//! ```
//! use retrospect::prelude::*;
//! use std::sync::LazyLock;
//! static WORDS: LazyLock<text::Text> = LazyLock::new(|| text::separated_by(text::repeat(text::chars('a'..='z'), 1..), " ", 1..));
//! #[derive(Debug, Generate)]
//! struct Note {
//!     #[generate(with = WORDS.clone())]
//!     words: String,
//! }
//! assert!(any::<Note>().accepts(&Note { words: "to be done".to_owned() }));
//! ```
//!
//! | file | what |
//! | --- | --- |
//! | `mod` | [`Text`], and what makes one |
//! | `class` | classes of characters: [`class`], [`none_of`], [`chars`] |
//! | `rules` | named texts, and those that refer to each other: [`rule`], [`recursive`], [`Rules`] |
//! | `computed` | texts that depend on what was written before, or show a value: [`Text::bind`], [`computed`] |
//! | `grammar`, `compile` | the flat form of a text, made once |
//! | `analysis` | what may begin a part and what may follow it, which parts end, where the next character decides |
//! | `sharing` | parts that are the same become one |
//! | `write` | forward |
//! | `direct` | backward where the next character decides: straight into the reflector |
//! | `chart` | backward where it does not: all ends of all parts |
//! | `splits` | where the parts of a sequence end, once it is known where all of it does |
//! | `ways` | from those to the choices of all ways |
//! | `expected` | why a string cannot be read |
//! | `fill` | strings with holes: [`Text::fill_text`] |
//! | `notation` | grammars as people write them: [`grammar`](grammar()), [`grammar_from`] |
//! | `regex` | regular expressions, with the feature of that name: `regex` |
//! | `json` | [`json`](json()): every JSON text |
//! | `bytes` | strings as bytes: [`Text::bytes`] |

mod analysis;
mod bytes;
mod chart;
mod class;
mod compile;
mod computed;
mod direct;
mod expected;
mod fill;
mod grammar;
mod json;
mod notation;
#[cfg(feature = "regex")]
mod regex;
mod rules;
mod sharing;
mod splits;
mod ways;
mod write;

pub use bytes::Bytes;
pub use class::CharRanges;
pub use computed::computed;
pub use json::json;
#[doc(hidden)]
pub use notation::checked_grammar;
pub use notation::{Fault, GrammarError, grammar, grammar_from};
#[cfg(feature = "regex")]
pub use regex::{RegexError, regex};
#[cfg(feature = "macros")]
pub use retrospect_macros::grammar;
pub use rules::{RuleError, Rules, recursive, rule};

use crate::generator::{CHAR_DISTRIBUTION, Facts, Generator, Lengths, Wanted, accepted};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Form, Source, Weight, Why};
use chart::{Input, Parser};
use class::Class;
use compile::compile;
use computed::{Follow, Shown};
use grammar::Grammar;
use rules::RuleSet;
use std::cell::RefCell;
use std::fmt;
use std::ops::RangeBounds;
use std::panic::{Location, RefUnwindSafe};
use std::sync::{Arc, OnceLock};

/// Strings of a certain form, written forward and read backward. A clone is cheap.
///
/// The [module](self) has the functions that make one. `&str`, `String` and `char` become literals
/// wherever a text is asked for.
///
/// ```
/// use retrospect::prelude::*;
/// let greeting = text::literal("Hello, ").then(text::repeat(text::chars('a'..='z'), 1..)).then('!');
/// assert!(greeting.accepts(&"Hello, world!".to_owned()));
/// assert_eq!(greeting.replay(&Choices::default()), "Hello, a!");
/// assert_eq!(greeting.choices_of(&"Hello, bab!".to_owned()).unwrap().to_string(), "[1 0 1]");
/// assert_eq!(greeting.read("\"Hello, you!\"").unwrap(), "Hello, you!");
/// ```
///
/// **Limits.** Reading takes time in proportion to the length of a string where the next character
/// decides; where many parts could end at many places it takes the square of the length or more.
/// What needs more than two million steps or 200 for each character, whichever is more, is read
/// again as far as the first way that is found; if that takes as long, it is given up with an error
/// that says that the string is too long or too ambiguous: `choices_of` returns it, and `accepts`
/// panics with it. All ways together are given up sooner, since they take memory: `Ways::count` is
/// then [at least](crate::reflect::Overlap::AtLeast) 0 and says why, and `Ways::probability` is an
/// error.
#[derive(Clone)]
pub struct Text {
    inner: Arc<Inner>,
}

struct Inner {
    part: Part,
    grammar: OnceLock<Arc<Grammar>>,
}

/// Nothing in a text changes after it was made, but for the flat form, which is there as a whole or
/// not at all. Of what users' functions do, nothing is kept. So a panic on the way leaves a text as
/// it was, and what tests for a panic need not assert that.
impl RefUnwindSafe for Inner {}

thread_local! {
    /// What is left to be dropped, while something is.
    static DROPPED: RefCell<Option<Vec<Part>>> = const { RefCell::new(None) };
}

/// Texts are nested as deep as users nest them, also inside of functions and sets of rules, so what
/// a text is made of is dropped after it, not inside.
impl Drop for Inner {
    fn drop(&mut self) {
        if matches!(self.part, Part::Literal(_) | Part::Class(_) | Part::Itself { .. } | Part::Reference(_)) {
            return;
        }
        let mut next = Some(std::mem::replace(&mut self.part, Part::Literal("".into())));
        let is_outermost = DROPPED.try_with(|dropped| match &mut *dropped.borrow_mut() {
            Some(left) => {
                left.extend(next.take());
                false
            }
            left => left.insert(Vec::new()).is_empty(),
        });
        // Where the thread itself ends, it is dropped as it stands.
        if is_outermost == Ok(true) {
            let _end = EndOfDrop;
            while let Some(part) = next {
                drop(part);
                next = DROPPED.with(|dropped| dropped.borrow_mut().as_mut().and_then(Vec::pop));
            }
        }
    }
}

/// Ends the list of what is left, also if something that a user's function holds panics.
struct EndOfDrop;

impl Drop for EndOfDrop {
    fn drop(&mut self) {
        let left = DROPPED.with(RefCell::take);
        drop(left);
    }
}

/// What a text is made of.
enum Part {
    Literal(Box<str>),
    Class(Class),
    Sequence(Vec<Text>),
    Choice(Choice),
    Repeat {
        item: Text,
        separator: Option<Text>,
        lengths: Lengths,
    },
    Rule {
        name: Box<str>,
        body: Text,
        place: &'static Location<'static>,
    },
    /// A rule that refers to itself by `identity`.
    Recursive {
        identity: u64,
        name: Box<str>,
        body: Text,
        place: &'static Location<'static>,
    },
    Itself {
        identity: u64,
        name: Box<str>,
    },
    /// A rule of the set around it.
    Reference(Box<str>),
    /// A set of rules, and the one to begin with.
    Rules(Arc<RuleSet>, usize),
    Bind {
        first: Text,
        then: Arc<Follow>,
    },
    Computed(Arc<dyn Shown>),
    /// What cannot be a text, and why.
    Fault(Box<str>),
}

struct Choice {
    name: &'static str,
    /// As many as there are arms, or none.
    labels: Vec<Box<str>>,
    weights: Vec<u32>,
    arms: Vec<Text>,
    /// A weight that is none.
    fault: Option<Box<str>>,
    place: &'static Location<'static>,
}

/// One of the texts among which [`choice`] chooses; made by [`arm`].
///
/// ```
/// use retrospect::prelude::*;
/// fn keyword(word: &str) -> text::Arm {
///     text::arm(word, 1, word)
/// }
/// assert!(text::choice([keyword("let"), keyword("fn")]).accepts(&"fn".to_owned()));
/// ```
pub struct Arm {
    label: Box<str>,
    weight: Result<u32, String>,
    text: Text,
}

/// Exactly this text.
///
/// ```
/// use retrospect::prelude::*;
/// assert_eq!(text::literal("null").sample(1), "null");
/// assert!(text::literal("null").choices_of(&"null".to_owned()).unwrap().is_empty());
/// ```
pub fn literal(text: impl Into<String>) -> Text {
    Text::new(Part::Literal(text.into().into_boxed_str()))
}

/// The empty text.
///
/// ```
/// use retrospect::prelude::*;
/// assert!(text::empty().accepts(&String::new()) && !text::empty().accepts(&" ".to_owned()));
/// ```
pub fn empty() -> Text {
    literal("")
}

/// One text after the other. Different kinds of arguments are brought together by
/// [`then`](Text::then), or by `.into()`.
///
/// ```
/// use retrospect::prelude::*;
/// let digit = text::chars('0'..='9');
/// let time = text::sequence([digit.clone(), digit.clone(), ":".into(), digit.clone(), digit]);
/// assert_eq!(time.choices_of(&"12:30".to_owned()).unwrap().to_string(), "1 2 3 0");
/// ```
pub fn sequence<I>(parts: I) -> Text
where
    I: IntoIterator,
    I::Item: Into<Text>,
{
    Text::new(Part::Sequence(parts.into_iter().map(Into::into).collect()))
}

/// One of several texts, each as likely as the others. The first is the simplest; [`choice`] has
/// labels and weights.
///
/// ```
/// use retrospect::prelude::*;
/// let flags = text::one_of(["false", "true"]);
/// assert_eq!(flags.choices_of(&"true".to_owned()).unwrap().to_string(), "1:");
/// // Both can be `a`: the first that fits is noted, and `Ways::count` counts them.
/// assert_eq!(text::one_of(["a", "a"]).ways_of(&"a".to_owned()).count().to_string(), "2");
/// ```
#[track_caller]
pub fn one_of<I>(arms: I) -> Text
where
    I: IntoIterator,
    I::Item: Into<Text>,
{
    let arms: Vec<Text> = arms.into_iter().map(Into::into).collect();
    Text::chosen(Choice {
        name: "one_of",
        labels: Vec::new(),
        weights: vec![1; arms.len()],
        arms,
        fault: None,
        place: Location::caller(),
    })
}

/// One of several texts that have names and weights; see [`arm`].
///
/// The names stand in the choices and are what tuning counts. The first arm is the simplest, to
/// which shrinking goes, if its simplest text ends; where it would go on for ever, the one that
/// ends soonest is put before it. An arm of weight 0 is absent, in every direction.
///
/// ```
/// use retrospect::prelude::*;
/// let values = text::choice([text::arm("null", 1, "null"), text::arm("flag", 4, text::one_of(["false", "true"]))]);
/// assert_eq!(values.choices_of(&"true".to_owned()).unwrap().to_string(), "1:flag(1:)");
/// ```
#[track_caller]
pub fn choice(arms: impl IntoIterator<Item = Arm>) -> Text {
    let mut made = Choice {
        name: "choice",
        labels: Vec::new(),
        weights: Vec::new(),
        arms: Vec::new(),
        fault: None,
        place: Location::caller(),
    };
    for arm in arms {
        match &arm.weight {
            Ok(weight) => made.weights.push(*weight),
            Err(problem) => {
                made.fault = Some(format!("the weight of arm `{}` is wrong: {problem}", arm.label).into());
                made.weights.push(0);
            }
        }
        if made.labels.contains(&arm.label) {
            made.fault = Some(format!("two arms have the same label `{}`", arm.label).into());
        }
        made.labels.push(arm.label);
        made.arms.push(arm.text);
    }
    Text::chosen(made)
}

/// An arm of a [`choice`]: its name, how often it is taken compared with the others, and what it
/// writes.
///
/// ```
/// use retrospect::prelude::*;
/// let coins = text::choice([text::arm("heads", 3, "H"), text::arm("tails", 1, "T")]);
/// let heads = (0..1000).filter(|seed| coins.sample(*seed) == "H").count();
/// assert!((650..850).contains(&heads));
/// ```
pub fn arm(label: impl Into<String>, weight: impl Weight, text: impl Into<Text>) -> Arm {
    Arm { label: label.into().into_boxed_str(), weight: weight.weight(), text: text.into() }
}

/// The text, or nothing, which is simpler.
///
/// ```
/// use retrospect::prelude::*;
/// let number = text::optional("-").then(text::chars('0'..='9'));
/// assert_eq!(number.choices_of(&"-7".to_owned()).unwrap().to_string(), "1:some 7");
/// assert_eq!(number.choices_of(&"7".to_owned()).unwrap().to_string(), "0:none 7");
/// ```
#[track_caller]
pub fn optional(text: impl Into<Text>) -> Text {
    Text::chosen(Choice {
        name: "optional",
        labels: vec!["none".into(), "some".into()],
        weights: vec![1, 1],
        arms: vec![empty(), text.into()],
        fault: None,
        place: Location::caller(),
    })
}

/// The text a number of times: `3`, `0..=5`, `1..`, `..`.
///
/// ```
/// use retrospect::prelude::*;
/// let words = text::repeat(text::chars('a'..='z'), 2..=4);
/// assert!(["ab", "abcd"].iter().all(|word| words.accepts(&word.to_string())));
/// assert!(["a", "abcde"].iter().all(|word| !words.accepts(&word.to_string())));
/// ```
pub fn repeat(text: impl Into<Text>, times: impl Into<Lengths>) -> Text {
    Text::new(Part::Repeat { item: text.into(), separator: None, lengths: times.into() })
}

/// The text a number of times, with another between each two.
///
/// ```
/// use retrospect::prelude::*;
/// let list = text::sequence(["[".into(), text::separated_by(text::chars('0'..='9'), ", ", ..), "]".into()]);
/// assert!(["[]", "[1]", "[1, 2, 3]"].iter().all(|text| list.accepts(&text.to_string())));
/// assert!(["[1 2]", "[1, ]"].iter().all(|text| !list.accepts(&text.to_string())));
/// assert_eq!(list.choices_of(&"[1, 2]".to_owned()).unwrap().to_string(), "[1 2]");
/// ```
///
/// In the choices an item stands before the separator that it follows, so that one can be taken out
/// without the others.
pub fn separated_by(item: impl Into<Text>, separator: impl Into<Text>, times: impl Into<Lengths>) -> Text {
    Text::new(Part::Repeat { item: item.into(), separator: Some(separator.into()), lengths: times.into() })
}

/// One character of a class, which is made of ranges or of strings as they stand in the brackets of
/// a regular expression; see [`CharRanges`]. The first that is listed is the simplest.
///
/// ```
/// use retrospect::prelude::*;
/// let names = text::repeat(text::class(["a-z", "A-Z", "_"]), 1..);
/// assert!(names.accepts(&"snake_Case".to_owned()) && !names.accepts(&"kebab-case".to_owned()));
/// assert_eq!(text::class(["xa-c"]).choices_of(&"b".to_owned()).unwrap().to_string(), "2");
/// ```
///
/// A class of more than 256 characters is drawn with its first ones far more often than the others.
#[track_caller]
pub fn class<I>(ranges: I) -> Text
where
    I: IntoIterator,
    I::Item: CharRanges,
{
    Text::of_class(Class::new(&listed(ranges)), Location::caller())
}

/// One character that is none of these; the [`class`] of all others. Letters are simplest, then
/// digits, the space, and other printable ASCII.
///
/// ```
/// use retrospect::prelude::*;
/// let inside = text::repeat(text::none_of(["\"\\", "\0-\u{1f}"]), ..);
/// let quoted = text::sequence(["\"".into(), inside, "\"".into()]);
/// assert!(quoted.accepts(&"\"Grüße\"".to_owned()) && !quoted.accepts(&"\"\"\"".to_owned()));
/// ```
#[track_caller]
pub fn none_of<I>(ranges: I) -> Text
where
    I: IntoIterator,
    I::Item: CharRanges,
{
    Text::of_class(Class::all_but(&listed(ranges)), Location::caller())
}

/// One character of a range.
///
/// ```
/// use retrospect::prelude::*;
/// assert!(text::chars('a'..='f').accepts(&"f".to_owned()));
/// assert_eq!(text::chars('0'..).replay(&Choices::default()), "0");
/// ```
#[track_caller]
pub fn chars(range: impl RangeBounds<char>) -> Text {
    Text::of_class(Class::new(&[class::ends_of(&range)]), Location::caller())
}

/// Any character, drawn as [`any::<char>()`](crate::generator::any) is: mostly printable ASCII, and
/// some that programs often get wrong.
///
/// ```
/// use retrospect::prelude::*;
/// let lines = text::repeat(text::any_char(), ..).then('\n');
/// assert!(lines.accepts(&"Grüße 😀\n".to_owned()));
/// ```
pub fn any_char() -> Text {
    let class = Class::all_but(&[]).map(|class| class.with_law(CHAR_DISTRIBUTION));
    Text::of_class(class, Location::caller())
}

fn listed<I>(ranges: I) -> Vec<(char, char)>
where
    I: IntoIterator,
    I::Item: CharRanges,
{
    let mut listed = Vec::new();
    for range in ranges {
        range.add_to(&mut listed);
    }
    listed
}

impl Text {
    fn new(part: Part) -> Text {
        Text { inner: Arc::new(Inner { part, grammar: OnceLock::new() }) }
    }

    fn chosen(choice: Choice) -> Text {
        Text::new(Part::Choice(choice))
    }

    fn of_class(class: Result<Class, String>, place: &'static Location<'static>) -> Text {
        match class {
            Ok(class) => Text::new(Part::Class(class)),
            Err(reason) => Text::fault(format!("{reason} ({}:{})", place.file(), place.line())),
        }
    }

    fn fault(reason: String) -> Text {
        Text::new(Part::Fault(reason.into()))
    }

    fn part(&self) -> &Part {
        &self.inner.part
    }

    /// This text, and then another.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let pairs = text::chars('a'..='z').then('=').then(text::chars('0'..='9'));
    /// assert!(pairs.accepts(&"x=1".to_owned()));
    /// ```
    pub fn then(&self, next: impl Into<Text>) -> Text {
        let mut parts = match self.part() {
            Part::Sequence(parts) => parts.clone(),
            _ => vec![self.clone()],
        };
        parts.push(next.into());
        sequence(parts)
    }

    /// The flat form, made on first use.
    fn grammar(&self) -> &Arc<Grammar> {
        self.inner.grammar.get_or_init(|| Arc::new(compile(self)))
    }

    fn reflect_str(&self, value: &str, reflector: &mut Reflector) -> Reflected {
        let grammar = self.grammar();
        if let Some(fault) = &grammar.fault {
            return reflector.mismatch(&value, || fault.to_string());
        }
        if u32::try_from(value.len()).is_err() {
            return reflector.mismatch(&value, || "it is longer than 4 GB".to_owned());
        }
        let input = Input::new(value);
        if reflector.is_explaining() {
            return expected::explain(grammar, &input, reflector);
        }
        let mut parser = Parser::new(grammar, &input);
        match parser.reflect_whole(reflector) {
            Err(_) if parser.is_too_much => reflector.limit_met(&value, expected::TOO_MUCH),
            result => result,
        }
    }
}

impl Generator for Text {
    type Value = String;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<String> {
        let grammar = self.grammar();
        if let Some(fault) = &grammar.fault {
            return Err(source.stop(Why::Invalid(fault.to_string())));
        }
        let mut written = String::new();
        grammar.write(grammar.root, source, &mut written)?;
        Ok(written)
    }

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts::UNKNOWN.known(self, wanted, || {
            let grammar = self.grammar();
            (if grammar.fault.is_some() { Form::Unknown } else { grammar.form(grammar.root) }, None)
        })
    }

    fn reflect(&self, value: &String, reflector: &mut Reflector) -> Reflected {
        self.reflect_str(value, reflector)
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<String> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let Some(string) = sketch.string() else {
            return Err(source.not_made(sketch.text(), || "expected a string".to_owned()));
        };
        if accepted(self, &string) == Ok(true) {
            return Ok(string);
        }
        Err(source.not_made(sketch.text(), || match self.choices_of(&string) {
            Err(error) => error.reason().to_owned(),
            Ok(_) => "it cannot be made".to_owned(),
        }))
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        literal(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        literal(text)
    }
}

impl From<char> for Text {
    fn from(character: char) -> Text {
        literal(character)
    }
}

impl From<&Text> for Text {
    fn from(text: &Text) -> Text {
        text.clone()
    }
}

/// As a grammar is written: `"[" (digit % ", ")* "]"`.
impl fmt::Debug for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show(formatter, MOST_SHOWN)
    }
}

/// Brackets that stand deeper in each other are left out where a text is shown.
const MOST_SHOWN: usize = 64;

impl Text {
    fn show(&self, formatter: &mut fmt::Formatter<'_>, deeper: usize) -> fmt::Result {
        let Some(deeper) = deeper.checked_sub(1) else {
            return formatter.write_str("…");
        };
        let list = |formatter: &mut fmt::Formatter<'_>, texts: &[Text], between: &str| {
            for (place, text) in texts.iter().enumerate() {
                formatter.write_str(if place > 0 { between } else { "" })?;
                let is_bracketed = matches!(text.part(), Part::Choice(choice) if choice.name != "optional")
                    || matches!(text.part(), Part::Sequence(parts) if parts.len() > 1 && between == " ");
                formatter.write_str(if is_bracketed { "(" } else { "" })?;
                text.show(formatter, deeper)?;
                formatter.write_str(if is_bracketed { ")" } else { "" })?;
            }
            Ok(())
        };
        match self.part() {
            Part::Literal(literal) => write!(formatter, "{literal:?}"),
            Part::Class(class) => write!(formatter, "{class}"),
            Part::Sequence(parts) => list(formatter, parts, " "),
            Part::Choice(choice) if choice.name == "optional" => {
                formatter.write_str("(")?;
                choice.arms[1].show(formatter, deeper)?;
                formatter.write_str(")?")
            }
            Part::Choice(choice) => list(formatter, &choice.arms, " | "),
            Part::Repeat { item, separator, lengths } => {
                formatter.write_str("(")?;
                item.show(formatter, deeper)?;
                if let Some(separator) = separator {
                    formatter.write_str(" % ")?;
                    separator.show(formatter, deeper)?;
                }
                match (lengths.min, lengths.max) {
                    (0, usize::MAX) => formatter.write_str(")*"),
                    (1, usize::MAX) => formatter.write_str(")+"),
                    (min, usize::MAX) => write!(formatter, "){{{min},}}"),
                    (min, max) => write!(formatter, "){{{min},{max}}}"),
                }
            }
            Part::Rule { name, .. } | Part::Recursive { name, .. } => formatter.write_str(name),
            Part::Itself { name, .. } | Part::Reference(name) => formatter.write_str(name),
            Part::Rules(set, start) => formatter.write_str(&set.rules[*start].name),
            Part::Bind { first, .. } => {
                first.show(formatter, deeper)?;
                formatter.write_str(".bind(…)")
            }
            Part::Computed(_) => formatter.write_str("computed"),
            Part::Fault(reason) => write!(formatter, "<{reason}>"),
        }
    }
}

impl fmt::Debug for Arm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {:?}", self.label, self.text)
    }
}
