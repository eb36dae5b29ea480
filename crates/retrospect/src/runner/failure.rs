//! A failure, and which failure it is.

use super::outcome::Complaint;

/// One failed run of a property.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// `src/ledger.rs:88:9`, where the panic was; nothing for a body that returned a complaint, or a process that ended.
    pub(crate) place: Option<String>,
    /// All of it, as the panic said it.
    pub(crate) message: String,
    /// What sort of failure it is, apart from the values in its message.
    pub(crate) kind: String,
    /// Text of the backtrace, if one was asked for.
    pub(crate) backtrace: Option<String>,
}

/// Which failure it is: where and what. Shrinking keeps to one, so that it never slips to another bug.
///
/// The message is no part of it, since it often shows values, and they change while shrinking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    place: Option<String>,
    kind: String,
}

impl Failure {
    pub(crate) fn panicked(place: Option<String>, message: String) -> Failure {
        // Without a place the message is all there is to tell failures apart.
        let kind = match place {
            Some(_) => kind_of(&message).to_owned(),
            None => without_numbers(&message),
        };
        Failure { place, message, kind, backtrace: None }
    }

    pub(crate) fn returned(complaint: &Complaint) -> Failure {
        let kind = match complaint {
            Complaint::ReturnedFalse => "false".to_owned(),
            // A text tells what it is; its numbers are values.
            Complaint::ReturnedError(error) if error.starts_with('"') => without_numbers(error),
            // The name of the error's variant or type; what it holds changes with the values.
            Complaint::ReturnedError(error) => {
                let is_name = |char: char| char.is_alphanumeric() || char == '_';
                without_numbers(&error[..error.find(|char| !is_name(char)).unwrap_or(error.len())])
            }
        };
        let message = format!("the property {complaint}");
        Failure { place: None, message, kind: format!("returned {kind}"), backtrace: None }
    }

    pub(crate) fn identity(&self) -> Identity {
        Identity { place: self.place.clone(), kind: self.kind.clone() }
    }

    /// One line: where, and the first line of what.
    pub(crate) fn headline(&self) -> String {
        let first = self.message.lines().next().unwrap_or_default();
        match &self.place {
            Some(place) => format!("{place}, {first}"),
            None => first.to_owned(),
        }
    }
}

/// How the standard library begins its own messages. One line of code can fail in several of these ways, which are different failures; a message of the user's
/// own is one failure, whatever values it shows.
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
    "assertion",
    "internal error: entered unreachable code",
];

fn kind_of(message: &str) -> &'static str {
    for kind in KNOWN_KINDS {
        if message.starts_with(kind) {
            return kind;
        }
    }
    "panic"
}

fn without_numbers(message: &str) -> String {
    let mut text = String::new();
    for character in message.lines().next().unwrap_or_default().chars() {
        if !character.is_numeric() {
            text.push(character);
        }
    }
    text
}
