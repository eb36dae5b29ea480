use std::fmt::{self, Debug};

/// What the body of a property may return: nothing, a `bool`, or a `Result` of these.
///
/// ```
/// use retrospect::prelude::*;
/// check(0..100, |number| number < 100); // A bool.
/// check(0..100, |number| assert!(number < 100)); // Nothing.
/// check(0..100, |number| u8::try_from(number).map(|small| small < 100)); // A result.
/// ```
#[diagnostic::on_unimplemented(
    message = "a property returns nothing, a `bool` or a `Result`, and not `{Self}`",
    label = "this is not a verdict",
    note = "a `Result` needs an error that is `Debug`; end the body with `;` to return nothing"
)]
pub trait Verdict {
    /// The verdict as the runner keeps it.
    ///
    /// ```
    /// use retrospect::runner::Verdict;
    /// assert!(true.outcome().is_passed());
    /// assert!(!Err::<(), _>("too late").outcome().is_passed());
    /// ```
    fn outcome(self) -> Outcome;
}

/// Whether the body of a property was content when it returned. A panic is not an outcome: it never returns.
///
/// ```
/// use retrospect::runner::{Outcome, Verdict};
/// let outcome: Outcome = Ok::<bool, String>(false).outcome();
/// assert_eq!(format!("{outcome:?}"), "Outcome(returned `false`)");
/// ```
pub struct Outcome {
    /// Boxed, since it is nearly never there and the hot loop moves it.
    complaint: Option<Box<Complaint>>,
}

/// What a body that returned was not content with.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Complaint {
    ReturnedFalse,
    /// With the error's `Debug` text.
    ReturnedError(String),
}

impl Outcome {
    /// Whether the body was content.
    ///
    /// ```
    /// use retrospect::runner::Verdict;
    /// assert!(().outcome().is_passed());
    /// ```
    #[inline]
    pub fn is_passed(&self) -> bool {
        self.complaint.is_none()
    }

    pub(crate) fn into_complaint(self) -> Option<Complaint> {
        self.complaint.map(|complaint| *complaint)
    }

    fn failed(complaint: Complaint) -> Outcome {
        Outcome { complaint: Some(Box::new(complaint)) }
    }
}

impl Verdict for () {
    #[inline(always)]
    fn outcome(self) -> Outcome {
        Outcome { complaint: None }
    }
}

impl Verdict for bool {
    #[inline]
    fn outcome(self) -> Outcome {
        if self { ().outcome() } else { Outcome::failed(Complaint::ReturnedFalse) }
    }
}

impl<V: Verdict, E: Debug> Verdict for Result<V, E> {
    #[inline]
    fn outcome(self) -> Outcome {
        match self {
            Ok(verdict) => verdict.outcome(),
            Err(error) => Outcome::failed(Complaint::ReturnedError(super::case::debug_text(&error))),
        }
    }
}

impl Verdict for Outcome {
    #[inline]
    fn outcome(self) -> Outcome {
        self
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Complaint::ReturnedFalse => formatter.write_str("returned `false`"),
            Complaint::ReturnedError(error) => write!(formatter, "returned `Err({error})`"),
        }
    }
}

impl Debug for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.complaint {
            None => formatter.write_str("Outcome(passed)"),
            Some(complaint) => write!(formatter, "Outcome({complaint})"),
        }
    }
}
