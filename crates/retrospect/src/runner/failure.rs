//! A failure, and which failure it is.

use super::outcome::Complaint;
use super::panics;
use super::report::cut;
use std::backtrace::Backtrace;
use std::borrow::Cow;
use std::sync::Arc;

/// One failed run of a property.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// `src/ledger.rs:88:9`, where the panic was; nothing for a body that returned a complaint, or
    /// a process that ended.
    pub(crate) place: Option<String>,
    /// All of it, as the panic said it.
    pub(crate) message: String,
    /// What sort of failure it is, apart from the values in its message.
    pub(crate) kind: String,
    /// If one was asked for.
    pub(crate) backtrace: Option<Trace>,
}

/// The backtrace of a panic. Its frames get their names where it is shown: that takes longer than
/// shrinking does.
#[derive(Clone, Debug)]
pub(crate) enum Trace {
    Captured(Arc<Backtrace>),
    /// From another process.
    Text(String),
}

impl Trace {
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self {
            Trace::Captured(backtrace) => Cow::Owned(panics::shortened(&backtrace.to_string())),
            Trace::Text(text) => Cow::Borrowed(text),
        }
    }
}

/// Which failure it is: its place, its kind and the words of its message. Shrinking keeps to one,
/// so that it never slips to another bug.
///
/// Values in the message are no part of it, since they change while shrinking.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    place: Option<String>,
    kind: String,
    words: Words,
}

/// The words that the message must have.
#[derive(Clone, Debug)]
enum Words {
    /// These and no others.
    Exactly(Vec<String>),
    /// These in this order, with any others between them: some words of the message are texts of
    /// the values.
    Among(Vec<String>),
}

impl Identity {
    /// The identity of a failure of a case with these values.
    pub(crate) fn new(failure: &Failure, values: &[(String, String)]) -> Identity {
        let all = failure.words();
        let texts: Vec<&str> = values.iter().flat_map(|(_, text)| quoted_parts(text)).collect();
        let names: Vec<(&str, bool)> = values.iter().flat_map(|(_, text)| names_in(text)).collect();
        // `Display` often prints a variant in small letters.
        let is_name =
            |word: &str, (name, is_alone): (&str, bool)| word == name || is_alone && word.eq_ignore_ascii_case(name);
        let is_value = |word: &&String| {
            texts.iter().any(|text| text.split(is_no_letter).any(|other| other == **word))
                || names.iter().any(|name| is_name(word, *name))
        };
        let kept: Vec<String> = all.iter().filter(|word| !is_value(word)).cloned().collect();
        let words = if kept.len() == all.len() { Words::Exactly(kept) } else { Words::Among(kept) };
        Identity { place: failure.place.clone(), kind: failure.kind.clone(), words }
    }

    /// Whether this is the failure.
    pub(crate) fn is(&self, failure: &Failure) -> bool {
        self.is_at_site_of(failure)
            && match &self.words {
                Words::Exactly(words) => *words == failure.words(),
                Words::Among(words) => {
                    let all = failure.words();
                    let mut all = all.iter();
                    words.iter().all(|word| all.any(|other| other == word))
                }
            }
    }

    /// Whether the failure is of this kind, and has this place.
    pub(crate) fn is_at_site_of(&self, failure: &Failure) -> bool {
        self.place == failure.place && self.kind == failure.kind
    }

    /// Leaves the place and the kind: the words of the message vary with the values.
    pub(crate) fn forget_words(&mut self) {
        self.words = Words::Among(Vec::new());
    }
}

impl Failure {
    pub(crate) fn panicked(place: Option<String>, message: String) -> Failure {
        let kind = kind_of(&message).to_owned();
        Failure { place, message, kind, backtrace: None }
    }

    pub(crate) fn returned(complaint: &Complaint) -> Failure {
        let kind = match complaint {
            Complaint::False => "returned false".to_owned(),
            Complaint::NoPanic(_) => "did not panic".to_owned(),
            Complaint::Error(error) if error.starts_with('"') => RETURNED_TEXT.to_owned(),
            // The name of the error's variant or type; its fields change with the values.
            Complaint::Error(error) => {
                let name = error.split(|char: char| !char.is_alphanumeric() && char != '_').next().unwrap_or_default();
                format!("returned {}", name.trim_matches(char::is_numeric))
            }
        };
        let message = panics::shortened_message(&format!("{RETURNED}{complaint}"));
        Failure { place: None, message, kind, backtrace: None }
    }

    /// Whether both have the same place, kind and words.
    pub(crate) fn is_same(&self, other: &Failure) -> bool {
        self.is_at_site_of(other) && self.words() == other.words()
    }

    /// Whether both have the same place and kind.
    pub(crate) fn is_at_site_of(&self, other: &Failure) -> bool {
        self.place == other.place && self.kind == other.kind
    }

    /// The words of the message, if they are the user's own; without values, as far as these can be
    /// told.
    fn words(&self) -> Vec<String> {
        let first = self.message.lines().next().unwrap_or_default();
        let own = match self.kind.as_str() {
            // It is shown as a literal: quotation marks inside of it are escaped.
            RETURNED_TEXT => {
                first.trim_start_matches(RETURNED).trim_start_matches("returned `Err(\"").replace("\\\"", "\"")
            }
            PANIC | ASSERTION | UNREACHABLE => first.to_owned(),
            _ => return Vec::new(),
        };
        words_of(&own).into_iter().map(str::to_owned).collect()
    }

    /// One line: where, and the first line of what.
    pub(crate) fn headline(&self) -> String {
        let first = cut(self.message.lines().next().unwrap_or_default(), 300);
        match &self.place {
            Some(place) => format!("{place}, {first}"),
            None => first,
        }
    }
}

/// The beginnings of the standard library's own messages. One line of code can fail in several of
/// these ways, which are different failures.
const KNOWN_KINDS: [&str; 16] = [
    "index out of bounds",
    "range start index",
    "range end index",
    "slice index starts at",
    "byte index",
    "attempt to add with overflow",
    "attempt to subtract with overflow",
    "attempt to multiply with overflow",
    "attempt to divide",
    "attempt to calculate the remainder",
    "attempt to negate with overflow",
    "attempt to shift",
    "called `Option::unwrap()`",
    "called `Result::unwrap()`",
    ASSERTION,
    UNREACHABLE,
];

const PANIC: &str = "panic";
const ASSERTION: &str = "assertion";
const UNREACHABLE: &str = "internal error: entered unreachable code";
const RETURNED: &str = "the property ";
const RETURNED_TEXT: &str = "returned a text";

fn kind_of(message: &str) -> &'static str {
    for kind in KNOWN_KINDS {
        if message.starts_with(kind) {
            return kind;
        }
    }
    PANIC
}

/// The words of a text without those that look like values: quoted texts, everything in brackets,
/// words with digits, and words with a capital other than the first.
fn words_of(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_attached =
            rest.len() < text.len() && text[..text.len() - rest.len()].ends_with(|char| !is_no_letter(char));
        match first {
            '"' | '`' => rest = after_quote(rest),
            '\'' if !is_attached => rest = after_quote(rest),
            '[' | '{' => rest = after_brackets(rest),
            // `Some(3)`, but not `(too long)`.
            '(' if is_attached => rest = after_brackets(rest),
            _ if is_no_letter(first) => rest = &rest[first.len_utf8()..],
            _ => {
                let word;
                (word, rest) = rest.split_at(rest.find(is_no_letter).unwrap_or(rest.len()));
                let is_name = first.is_uppercase() && word.len() < text.len() - rest.len();
                let is_value = word.contains(char::is_numeric) || is_name || matches!(word, "true" | "false");
                if !is_value {
                    words.push(word);
                }
            }
        }
    }
    words
}

fn is_no_letter(char: char) -> bool {
    !char.is_alphanumeric() && char != '_'
}

/// The rest of a text that begins with a quotation mark, after the quoted part.
fn after_quote(text: &str) -> &str {
    let (mark, inside) = text.split_at(1);
    let mut is_escaped = false;
    let end = inside.find(|char| {
        let is_end = !is_escaped && mark.starts_with(char);
        is_escaped = !is_escaped && char == '\\';
        is_end
    });
    end.map_or("", |end| &inside[end + 1..])
}

/// The rest of a text that begins with a bracket, after the bracket that closes it.
fn after_brackets(text: &str) -> &str {
    let mut depth = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first == '"' {
            rest = after_quote(rest);
            continue;
        }
        rest = &rest[first.len_utf8()..];
        depth += i32::from(matches!(first, '(' | '[' | '{'));
        depth -= i32::from(matches!(first, ')' | ']' | '}'));
        if depth == 0 {
            break;
        }
    }
    rest
}

/// The names of variants and types in a `Debug` text, and whether nothing is in brackets behind
/// them. Names of fields are no values.
fn names_in(text: &str) -> Vec<(&str, bool)> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first == '"' || first == '\'' {
            rest = after_quote(rest);
            continue;
        }
        if is_no_letter(first) {
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let word;
        (word, rest) = rest.split_at(rest.find(is_no_letter).unwrap_or(rest.len()));
        if first.is_uppercase() {
            names.push((word, !rest.starts_with(['(', '{']) && !rest.starts_with(" {")));
        }
    }
    names
}

/// The parts of a `Debug` text in quotation marks.
fn quoted_parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['"', '\'']) {
        let after = after_quote(&rest[start..]);
        parts.push(&rest[start..rest.len() - after.len()]);
        rest = after;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_values() {
        for (text, words) in [
            ("negative balance", "negative balance"),
            ("expected 3 got 17", "expected got"),
            ("expected -1.5e3, got 0x1f", "expected got"),
            ("a list [1, \"]\", [2]] of Some(3) {a: 1}", "a list of"),
            ("user \"bob\" isn't `here`, 'x' is", "user isn t is"),
            ("it is (too long) Red", "it is too long"),
            ("Overflow in Node", "Overflow in"),
            ("left: true", "left"),
            ("cut off [1, 2", "cut off"),
            ("", ""),
        ] {
            assert_eq!(words_of(text).join(" "), words, "{text}");
        }
    }

    fn failure(message: &str) -> Failure {
        Failure::panicked(Some("src/lib.rs:1:1".to_owned()), message.to_owned())
    }

    #[test]
    fn a_failure_is_known_by_its_words() {
        let identity = Identity::new(&failure("negative balance -3"), &[]);
        assert!(identity.is(&failure("negative balance -2")));
        assert!(!identity.is(&failure("too many entries: 3")));
        assert!(identity.is_at_site_of(&failure("too many entries: 3")));
        assert!(!identity.is_at_site_of(&failure("index out of bounds: the len is 3")));
    }

    #[test]
    fn texts_of_the_values_are_no_part_of_a_failure() {
        let values = [("name".to_owned(), "\"bob the great\"".to_owned())];
        let identity = Identity::new(&failure("user bob is unknown"), &values);
        assert!(identity.is(&failure("user  is unknown")));
        assert!(!identity.is(&failure("user bob is banned")));
        assert!(Identity::new(&failure("bob the"), &values).is(&failure("alice")));
    }

    #[test]
    fn names_of_the_values_are_no_part_of_a_failure() {
        let is_one = |value: &str, message: &str, other: &str| {
            let values = [("permission".to_owned(), value.to_owned())];
            Identity::new(&failure(message), &values).is(&failure(other))
        };
        assert!(is_one("Delete", "cannot delete this", "cannot read this"));
        assert!(is_one("Some(Read)", "Some(Read) is wrong", "None is wrong"));
        assert!(is_one("But(Everyone, User(\"a\"))", "Everyone is nested", "User(\"\") is nested"));
        // A field is no value, and neither is a name with something in brackets behind it, in small
        // letters.
        assert!(!is_one("Rule { path: 3 }", "no path", "no"));
        assert!(!is_one("Node(3)", "no node is left", "no leaf is left"));
    }

    #[test]
    fn a_returned_text_is_known_by_its_words() {
        let returned = |text: &str| Failure::returned(&Complaint::Error(format!("{text:?}")));
        assert!(Identity::new(&returned("no room for 3"), &[]).is(&returned("no room for 5")));
        assert!(!Identity::new(&returned("no room for 3"), &[]).is(&returned("no time")));
        // What is quoted in it ends where its quotation marks say.
        assert!(Identity::new(&returned("User(\"a\") is nested"), &[]).is(&returned("User(\"\") is nested")));
        assert!(!Identity::new(&returned("User(\"a\") is nested"), &[]).is(&returned("User(\"\") is alone")));
    }
}
