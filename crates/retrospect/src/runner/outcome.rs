use super::panics;
use super::statistics::macro_support::discard;
use std::fmt::{self, Debug};

/// What the body of a property may return: nothing, a `bool`, an [`Outcome`], or a `Result` of
/// these.
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
pub trait PropertyResult {
    /// The verdict as the runner keeps it.
    ///
    /// ```
    /// use retrospect::runner::PropertyResult;
    /// assert!(true.outcome().is_passed());
    /// assert!(!Err::<(), _>("too late").outcome().is_passed());
    /// ```
    fn outcome(self) -> Outcome;
}

/// Whether the body of a property was content when it returned. A panic is not an outcome: it never
/// returns.
///
/// A body that decides case by case may return one, as quickcheck's `TestResult`.
///
/// ```
/// use retrospect::prelude::*;
/// fn reciprocal(number: i32) -> i32 {
///     1000 / number
/// }
/// Check::new().run(-10..10, |number| match number {
///     -10..0 => Outcome::discarded(),
///     0 => Outcome::must_panic(|| reciprocal(number)),
///     _ => Outcome::from(reciprocal(number) > 0),
/// });
/// ```
pub struct Outcome {
    /// Boxed, since it is nearly never there and the hot loop moves it.
    complaint: Option<Box<Complaint>>,
}

/// What a body that returned was not content with.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Complaint {
    False,
    /// With the error's `Debug` text.
    Error(String),
    /// With the `Debug` text of the value, where a panic was wanted.
    NoPanic(String),
}

impl Outcome {
    /// The case is passed over, as by [`assume!`](crate::assume).
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// Check::new().run(0..100, |number| if number % 2 == 1 { Outcome::discarded() } else { (number < 99).into() });
    /// ```
    #[track_caller]
    pub fn discarded() -> Outcome {
        discard("Outcome::discarded()", None)
    }

    /// The case passes if `body` panics, and fails if it returns. A case that `body` discards is
    /// discarded.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// Check::new().run(any::<Vec<u8>>(), |list| Outcome::must_panic(|| list[list.len()]));
    /// let report = Check::new().save(false).failure(0..9, |number| Outcome::must_panic(|| 1 / number)).unwrap();
    /// assert!(report.contains("let value = 1;") && report.contains("returned `1`, and was to panic"));
    /// ```
    pub fn must_panic<T: Debug>(body: impl FnOnce() -> T) -> Outcome {
        match panics::returned(body) {
            None => ().outcome(),
            Some(value) => Outcome::failed(Complaint::NoPanic(super::case::debug_text(&value))),
        }
    }

    /// Whether the body was content.
    ///
    /// ```
    /// use retrospect::runner::PropertyResult;
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

impl PropertyResult for () {
    #[inline(always)]
    fn outcome(self) -> Outcome {
        Outcome { complaint: None }
    }
}

impl PropertyResult for bool {
    #[inline]
    fn outcome(self) -> Outcome {
        if self { ().outcome() } else { Outcome::failed(Complaint::False) }
    }
}

impl<V: PropertyResult, E: Debug> PropertyResult for Result<V, E> {
    #[inline]
    fn outcome(self) -> Outcome {
        match self {
            Ok(verdict) => verdict.outcome(),
            Err(error) => Outcome::failed(Complaint::Error(super::case::debug_text(&error))),
        }
    }
}

impl From<bool> for Outcome {
    fn from(is_passed: bool) -> Outcome {
        is_passed.outcome()
    }
}

impl PropertyResult for Outcome {
    #[inline]
    fn outcome(self) -> Outcome {
        self
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Complaint::False => formatter.write_str("returned `false`"),
            Complaint::Error(error) => write!(formatter, "returned `Err({error})`"),
            Complaint::NoPanic(value) => write!(formatter, "returned `{value}`, and was to panic"),
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
