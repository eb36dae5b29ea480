//! Regular expressions as texts.

use super::{Text, class, empty, literal, one_of, optional, repeat, rule, sequence};
use regex_syntax::ast::{self, Assertion, AssertionKind, Ast, RepetitionKind, RepetitionRange};
use regex_syntax::hir::{self, Hir, HirKind};
use retrospect_grammar::{Fault, LARGEST_SIMPLEST};
use std::fmt;
use std::panic::Location;
use std::sync::Mutex;

/// The strings that a regular expression matches as a whole, as if it stood between `\A` and `\z`.
/// Needs the feature `regex`.
///
/// ```
/// use retrospect::prelude::*;
///
/// let versions = text::regex(r"v(?<major>0|[1-9]\d{0,3})(\.\d+)*(-(alpha|beta))?").unwrap();
/// assert!(versions.accepts(&"v1.20.3-beta".to_owned()));
/// assert_eq!(versions.replay(&Choices::default()), "v0");
/// assert_eq!(versions.shrink("v10.7-alpha".to_owned(), |version| version.contains('.')).unwrap().value, "v0.0");
/// ```
///
/// Patterns are those of the `regex` crate: classes with all of Unicode (`\w`, `\p{Greek}`,
/// `[[:alpha:]--x]`), flags (`(?i)`, `(?s)`, `(?x)`), groups, counted and lazy repetitions. Lazy
/// ones are the same as others, since the whole string is matched.
///
/// What is a condition and not a text is refused, with its place: `\b` and its kin anywhere, `^`,
/// `$`, `\A` and `\z` anywhere but at the ends, where they change nothing. So are patterns that
/// match nothing at all, or nothing that is valid UTF-8, and those of more than 1 MB.
///
/// ```
/// # use retrospect::prelude::*;
/// assert_eq!(
///     text::regex(r"^\w+\b\s*$").unwrap_err().to_string(),
///     "1:5: `\\b` is a condition on the characters beside it\n\
///     \x20   ^\\w+\\b\\s*$\n\
///     \x20       ^\n\
///     write out which characters may stand there; only `^`, `$`, `\\A` and `\\z` are accepted, at the ends"
/// );
/// ```
///
/// The simplest character of a class is a letter from `a`, else one from `A`, else a digit, else
/// the space, else other printable ASCII: `\w` shrinks to `a`, `\d` to `0`, `\s` to a space. The
/// simplest of several alternatives is the first, and no repetition is simpler than one. A group
/// with a name is a [`rule`](super::rule()) of that name, in the choices and in what is said about
/// a string that does not match.
///
/// A text that was made of a pattern is kept for when the same place asks for it again, as a field
/// of a derived type does at each draw.
#[track_caller]
pub fn regex(pattern: &str) -> Result<Text, RegexError> {
    /// By place and pattern, the oldest first.
    static KEPT: Mutex<Vec<(&Location<'_>, String, Text)>> = Mutex::new(Vec::new());
    let place = Location::caller();
    let kept = || KEPT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some((_, _, text)) = kept().iter().find(|(at, of, _)| *at == place && of == pattern) {
        return Ok(text.clone());
    }
    let text = read(pattern)?;
    if pattern.len() <= KEPT_LENGTH {
        let mut kept = kept();
        if kept.len() >= MOST_KEPT {
            kept.remove(0);
        }
        kept.push((place, pattern.to_owned(), text.clone()));
    }
    Ok(text)
}

const MOST_KEPT: usize = 100;
const KEPT_LENGTH: usize = 10_000;

#[track_caller]
fn read(pattern: &str) -> Result<Text, RegexError> {
    if pattern.len() > LONGEST {
        let message = format!("the pattern is {} bytes long; at most {LONGEST} are read", pattern.len());
        return Err(RegexError { fault: Fault::of_all(message, "take what is not needed out of it") });
    }
    let parsed = ast::parse::Parser::new().parse(pattern).map_err(|error| {
        let way_out = match error.kind() {
            ast::ErrorKind::UnsupportedLookAround => "write out which characters may stand there",
            ast::ErrorKind::UnsupportedBackreference => {
                "what depends on what was written before is made by `Text::bind`"
            }
            _ => "patterns are written as for the `regex` crate",
        };
        RegexError::at(pattern, error.span(), error.kind(), way_out)
    })?;
    refuse_conditions(pattern, &parsed, true, true)?;
    let translated = hir::translate::Translator::new().translate(pattern, &parsed).map_err(|error| {
        let way_out = match error.kind() {
            hir::ErrorKind::InvalidUtf8 => "strings are UTF-8: leave out `(?-u)`",
            _ => "patterns are written as for the `regex` crate",
        };
        RegexError::at(pattern, error.span(), error.kind(), way_out)
    })?;
    if parts(&translated) > LARGEST_SIMPLEST {
        let message = format!("this pattern asks for more than {LARGEST_SIMPLEST} parts");
        return Err(RegexError { fault: Fault::of_all(message, "lower the counts (`{…}`) in it") });
    }
    Maker::default().text_of(&translated).ok_or_else(|| {
        let way_out = "a class excludes every character, or classes have none in common";
        RegexError { fault: Fault::of_all("this pattern matches no string at all", way_out) }
    })
}

/// The longest pattern, in bytes. Each of them may cost hundreds while it is parsed.
const LONGEST: usize = 1 << 20;

/// Why a pattern cannot be a text: where, the reason, and the way out.
///
/// ```
/// use retrospect::prelude::*;
/// let error = text::regex("a(b|c").unwrap_err();
/// assert_eq!((error.message(), error.offset()), ("unclosed group", 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexError {
    fault: Fault,
}

impl RegexError {
    /// What is wrong, in one line, without the place and the way out.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert_eq!(text::regex("a$b").unwrap_err().message(), "`$` can only stand where the string ends");
    /// ```
    pub fn message(&self) -> &str {
        self.fault.message()
    }

    /// What the writer of the pattern can do about it.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let error = text::regex(r"(.)\1").unwrap_err();
    /// assert_eq!(error.way_out(), "what depends on what was written before is made by `Text::bind`");
    /// ```
    pub fn way_out(&self) -> &str {
        self.fault.way_out()
    }

    /// The byte offset in the pattern.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert_eq!(text::regex("é[b-a]").unwrap_err().offset(), 3);
    /// ```
    pub fn offset(&self) -> usize {
        self.fault.offset()
    }

    /// The line, counted from 1.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert_eq!(text::regex("(?x) a # first\n *+ ) ").unwrap_err().line(), 2);
    /// ```
    pub fn line(&self) -> usize {
        self.fault.line()
    }

    /// The column, counted from 1, in characters.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert_eq!(text::regex("é[b-a]").unwrap_err().column(), 3);
    /// ```
    pub fn column(&self) -> usize {
        self.fault.column()
    }

    fn at(pattern: &str, span: &ast::Span, message: &dyn fmt::Display, way_out: &str) -> RegexError {
        RegexError { fault: Fault::at(pattern, span.start.offset, message.to_string(), way_out) }
    }
}

impl fmt::Display for RegexError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.fault, formatter)
    }
}

impl std::error::Error for RegexError {}

/// Refuses what looks around, unless it is at an end of the string, where it always holds. The
/// nesting is limited by the parser.
fn refuse_conditions(pattern: &str, ast: &Ast, is_first: bool, is_last: bool) -> Result<(), RegexError> {
    match ast {
        Ast::Assertion(assertion) => match assertion.kind {
            AssertionKind::StartLine | AssertionKind::StartText if is_first => Ok(()),
            AssertionKind::EndLine | AssertionKind::EndText if is_last => Ok(()),
            _ => Err(condition(pattern, assertion)),
        },
        Ast::Repetition(repetition) => {
            let is_once = match &repetition.op.kind {
                RepetitionKind::ZeroOrOne => true,
                RepetitionKind::ZeroOrMore | RepetitionKind::OneOrMore => false,
                RepetitionKind::Range(RepetitionRange::Exactly(most) | RepetitionRange::Bounded(_, most)) => *most <= 1,
                RepetitionKind::Range(RepetitionRange::AtLeast(_)) => false,
            };
            refuse_conditions(pattern, &repetition.ast, is_first && is_once, is_last && is_once)
        }
        Ast::Group(group) => refuse_conditions(pattern, &group.ast, is_first, is_last),
        Ast::Alternation(alternation) => {
            alternation.asts.iter().try_for_each(|ast| refuse_conditions(pattern, ast, is_first, is_last))
        }
        Ast::Concat(concat) => {
            let asts = &concat.asts;
            let first = asts.iter().position(|ast| !takes_nothing(ast)).unwrap_or(asts.len());
            let last = asts.iter().rposition(|ast| !takes_nothing(ast)).unwrap_or(0);
            for (index, ast) in asts.iter().enumerate() {
                refuse_conditions(pattern, ast, is_first && index <= first, is_last && index >= last)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Whether it matches only the empty string, wherever it matches.
fn takes_nothing(ast: &Ast) -> bool {
    match ast {
        Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_) => true,
        Ast::Group(group) => takes_nothing(&group.ast),
        Ast::Repetition(repetition) => takes_nothing(&repetition.ast),
        Ast::Alternation(alternation) => alternation.asts.iter().all(takes_nothing),
        Ast::Concat(concat) => concat.asts.iter().all(takes_nothing),
        _ => false,
    }
}

fn condition(pattern: &str, assertion: &Assertion) -> RegexError {
    let written = &pattern[assertion.span.start.offset..assertion.span.end.offset];
    let message = match assertion.kind {
        AssertionKind::StartLine | AssertionKind::StartText => {
            format!("`{written}` can only stand where the string begins")
        }
        AssertionKind::EndLine | AssertionKind::EndText => format!("`{written}` can only stand where the string ends"),
        _ => format!("`{written}` is a condition on the characters beside it"),
    };
    let way_out =
        "write out which characters may stand there; only `^`, `$`, `\\A` and `\\z` are accepted, at the ends";
    RegexError::at(pattern, &assertion.span, &message, way_out)
}

/// How many parts a text has that takes the longest way and repeats as little as it may.
fn parts(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => 1,
        HirKind::Repetition(repetition) => parts(&repetition.sub).saturating_mul(repetition.min.max(1) as usize),
        HirKind::Capture(capture) => parts(&capture.sub),
        HirKind::Concat(hirs) => hirs.iter().fold(0, |sum, hir| parts(hir).saturating_add(sum)),
        HirKind::Alternation(hirs) => hirs.iter().fold(0, |most, hir| parts(hir).max(most)),
    }
}

/// Makes the texts of a pattern.
#[derive(Default)]
struct Maker {
    /// Classes such as `\w` have hundreds of ranges, and often stand in a pattern again.
    classes: Vec<(hir::Class, Text)>,
}

impl Maker {
    /// The text, or nothing if no string matches.
    #[track_caller]
    fn text_of(&mut self, hir: &Hir) -> Option<Text> {
        Some(match hir.kind() {
            // Conditions that are left always hold.
            HirKind::Empty | HirKind::Look(_) => empty(),
            HirKind::Literal(written) => literal(std::str::from_utf8(&written.0).ok()?),
            HirKind::Class(listed) => {
                if let Some((_, text)) = self.classes.iter().find(|(known, _)| known == listed) {
                    return Some(text.clone());
                }
                let ranges = simple_first(listed);
                if ranges.is_empty() {
                    return None;
                }
                let text = class(ranges.into_iter().map(|(first, last)| first..=last));
                self.classes.push((listed.clone(), text.clone()));
                text
            }
            HirKind::Repetition(repetition) => {
                let (item, least, most) = repeated_once(repetition);
                let least = least as usize;
                match (self.text_of(item), most) {
                    (None, _) if least > 0 => return None,
                    (None, _) => empty(),
                    (Some(item), Some(1)) if least == 0 => optional(item),
                    (Some(item), Some(most)) => repeat(item, least..=most as usize),
                    (Some(item), None) => repeat(item, least..),
                }
            }
            HirKind::Capture(capture) => match &capture.name {
                Some(name) => rule(&**name, self.text_of(&capture.sub)?),
                None => self.text_of(&capture.sub)?,
            },
            HirKind::Concat(hirs) => {
                let mut parts = Vec::with_capacity(hirs.len());
                for hir in hirs {
                    parts.push(self.text_of(hir)?);
                }
                sequence(parts)
            }
            HirKind::Alternation(hirs) => {
                let mut arms: Vec<Text> = hirs.iter().filter_map(|hir| self.text_of(hir)).collect();
                match arms.len() {
                    0 => return None,
                    1 => arms.remove(0),
                    _ => one_of(arms),
                }
            }
        })
    }
}

/// What is repeated, and how often: `(a+)*` is `a*`. As it is written, it can be read in as many
/// ways as a string can be divided, and none of them is seen.
fn repeated_once(repetition: &hir::Repetition) -> (&Hir, u32, Option<u32>) {
    let (mut item, mut least, mut most) = (&*repetition.sub, repetition.min, repetition.max);
    loop {
        let mut inner = item;
        while let HirKind::Capture(hir::Capture { name: None, sub, .. }) = inner.kind() {
            inner = sub;
        }
        let HirKind::Repetition(inner) = inner.kind() else { return (item, least, most) };
        (least, most) = match (inner.min, inner.max, most) {
            (0 | 1, None, None | Some(1..)) => (least * inner.min, None),
            (0, Some(1..), None) => (0, None),
            (0, Some(inner), Some(most)) if inner.checked_mul(most).is_some() => (0, Some(inner * most)),
            _ => return (item, least, most),
        };
        item = &inner.sub;
    }
}

/// The ranges of a class in the order in which characters are simple.
fn simple_first(class: &hir::Class) -> Vec<(char, char)> {
    let mut listed: Vec<(char, char)> = Vec::new();
    match class {
        hir::Class::Unicode(class) => {
            for range in class.ranges() {
                listed.push((range.start(), range.end()));
            }
        }
        // A pattern that is kept to UTF-8 has only ASCII here.
        hir::Class::Bytes(class) => {
            for range in class.ranges() {
                listed.push((range.start() as char, range.end() as char));
            }
        }
    }
    let mut ordered = Vec::new();
    for (low, high) in [('a', 'z'), ('A', 'Z'), ('0', '9'), (' ', '~'), ('\0', '\u{7f}'), ('\u{80}', char::MAX)] {
        for (first, last) in &listed {
            let (first, last) = (low.max(*first), high.min(*last));
            if first <= last {
                ordered.push((first, last));
            }
        }
    }
    ordered
}
