//! The macros that a property's body uses.
//!
//! Each asks first whether this thread logs, and evaluates its arguments only then.

/// Discards this case unless a condition holds: the property goes on with another one.
///
/// Discarded cases are counted, and named in the report when there are many. A generator that makes
/// only what is wanted is better: it finds more in the same time, and shrinks better.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::runner::statistics::Statistics;
/// let halves = Statistics::of(100, |case| {
///     assume!(case % 2 == 0);
///     assume!(case < 50, "{case} is too large");
/// });
/// assert_eq!(halves.cases(), 25);
/// ```
///
/// The text after the condition is formatted only if the case is discarded, and is shown with the
/// count.
///
/// # Panics
///
/// Where there is no case to discard, which is outside of a property, and on a thread that a
/// property started:
///
/// ```should_panic
/// use retrospect::prelude::*;
/// assume!(1 > 2);
/// ```
#[macro_export]
macro_rules! assume {
    ($condition:expr $(,)?) => {
        if $condition {
        } else {
            $crate::runner::statistics::macro_support::discard(::core::concat!("assume!(", ::core::stringify!($condition), ")"), ::core::option::Option::None)
        }
    };
    ($condition:expr, $($why:tt)+) => {
        if $condition {
        } else {
            $crate::runner::statistics::macro_support::discard(
                ::core::concat!("assume!(", ::core::stringify!($condition), ")"),
                ::core::option::Option::Some(::core::format_args!($($why)+)),
            )
        }
    };
}

/// Logs something about this case, to be summed up over all cases: a number, a category, or just
/// that it happened.
///
/// | written | reported |
/// | --- | --- |
/// | `event!("len", xs.len())` | smallest, middle, largest and the like |
/// | `event!("frame", "ping")`, of a `bool`, a `char`, a `String` | the share of each category |
/// | `event!("frame", ?frame)`, of any `Debug` value | the same, with its text, cut off after 200 bytes |
/// | `event!("rebalanced")` | the share of cases in which this happened |
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::runner::statistics::Statistics;
/// let statistics = Statistics::of(10, |case| {
///     event!("square", case * case);
///     event!("half", ?case.checked_sub(5).map(|_| "upper"));
///     if case == 9 {
///         event!("last");
///     }
/// });
/// assert_eq!(
///     statistics.lines(),
///     [
///         "value \"square\"   min 0   median 16   mean 28.5   p90 64   max 81      █▂▂▂▂ ▂▂",
///         "label \"half\"     None 50 %   Some(\"upper\") 50 %",
///         "seen             last 10 %",
///     ]
/// );
/// ```
///
/// Names are `&'static str`. A case may log the same name many times; the first 10,000 events of a
/// case are kept. What else can be logged, and how to log a type of one's own:
/// [`EventValue`](crate::runner::statistics::EventValue).
///
/// Outside of a property it does nothing, and does not evaluate its arguments:
///
/// ```
/// use retrospect::prelude::*;
/// event!("answer", { panic!("not evaluated"); #[allow(unreachable_code)] 42 });
/// ```
#[macro_export]
macro_rules! event {
    ($name:expr $(,)?) => {
        $crate::event!($name, $crate::runner::statistics::Value::Flag(true))
    };
    ($name:expr, ?$value:expr $(,)?) => {
        $crate::event!($name, $crate::runner::statistics::macro_support::debug_category(&$value))
    };
    ($name:expr, $value:expr $(,)?) => {
        if $crate::runner::statistics::macro_support::is_logging() {
            $crate::runner::statistics::macro_support::event($name, &$value)
        }
    };
}

/// Reports in which share of the cases a condition held, under a label; or, with two labels, how
/// the cases divide.
///
/// Nothing depends on it; [`cover!`](crate::cover) is for shares that must be reached.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::runner::statistics::Statistics;
/// let statistics = Statistics::of(100, |case| {
///     classify!(case == 0, "first");
///     classify!("large", case > 1000);
///     classify!(case % 4 == 0, "fourth", "between");
/// });
/// assert_eq!(
///     statistics.lines(),
///     [
///         "label \"case % 4 == 0\"   between 75 %   fourth 25 %",
///         "seen                    first 1 %   large 0 %",
///     ]
/// );
/// // No effect outside of a property.
/// classify!(true, "lost");
/// ```
///
/// With one label, a case in which the condition held at least once counts once. With two, every
/// call counts. A single label may also come first, as in [`event!`](crate::event):
/// `classify!("first", case == 0)`.
#[macro_export]
macro_rules! classify {
    ($condition:expr, $label:expr $(,)?) => {
        if $crate::runner::statistics::macro_support::is_logging() {
            $crate::runner::statistics::macro_support::classify(($condition, $label))
        }
    };
    ($condition:expr, $yes:expr, $no:expr $(,)?) => {
        $crate::event!(::core::stringify!($condition), if $condition { $yes } else { $no })
    };
}

/// Demands that a condition holds in at least this share of the cases, and fails the property
/// otherwise.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::runner::statistics::Statistics;
/// let statistics = Statistics::of(2000, |case| {
///     cover!(0.10, case % 4 == 0);
///     cover!(0.01, case > 1_000_000, "large");
/// });
/// assert_eq!(
///     statistics.lines(),
///     ["expected        `case % 4 == 0` 25 % (at least 10 %)  met      large 0 % (at least 1 %)  NOT MET"]
/// );
/// // No effect outside of a property.
/// cover!(0.5, false);
/// ```
///
/// Whether the share is reached is decided by a test that is wrong less than once in a million
/// runs, however often it is looked at; see [`Verdict`](crate::runner::statistics::Verdict). The
/// property runs more cases than it was asked for while that is open.
///
/// The share is that of the random cases that reach this line, since the others (boundary cases,
/// small domains, saved cases) say nothing about how often the generator makes what is wanted;
/// labels count them all. A case in which the condition held at least once counts as one in which
/// it held. Without a label, the condition is its own.
///
/// # Panics
///
/// In a property, if the share is not between 0 and 1:
///
/// ```should_panic
/// use retrospect::prelude::*;
/// use retrospect::runner::statistics::Statistics;
/// // `cover! needs a share between 0 and 1, not 5: 5 % is written 0.05`
/// Statistics::of(1, |case| cover!(5.0, case == 0));
/// ```
#[macro_export]
macro_rules! cover {
    ($share:expr, $condition:expr $(,)?) => {
        $crate::cover!($share, $condition, ::core::concat!("`", ::core::stringify!($condition), "`"))
    };
    ($share:expr, $condition:expr, $label:expr $(,)?) => {
        if $crate::runner::statistics::macro_support::is_logging() {
            $crate::runner::statistics::macro_support::cover(($share, $condition, $label))
        }
    };
}

/// Says something about this case, to be shown if it is the one that is reported.
///
/// Everywhere else its arguments are not even evaluated, so a note may be expensive.
///
/// ```
/// use retrospect::prelude::*;
/// // No effect outside of a property.
/// note!("before: {:?}   after: {:?}", [0], [1]);
/// ```
#[macro_export]
macro_rules! note {
    ($($text:tt)+) => {
        if $crate::runner::statistics::macro_support::wants_notes() {
            $crate::runner::statistics::macro_support::note(::core::format_args!($($text)+))
        }
    };
}

/// Gives this case a score: the larger, the more interesting.
///
/// A score is any number, and its label is its own text unless one is given, before or after it.
/// The best of a case is its score; NaN is none, and is counted.
///
/// After chance the best case of each score is changed again and again, toward a better one. This
/// takes the budget of the property once more for each score; of a time that was given it has half.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::runner::statistics::Statistics;
/// let statistics = Statistics::of(100, |case| {
///     target!(case * 2);
///     target!("inverse", if case == 0 { f64::NAN } else { 1.0 / case as f64 });
/// });
/// assert_eq!(
///     statistics.lines(),
///     ["target \"case * 2\"   best 198", "target \"inverse\"    best 1   1 not a number"]
/// );
/// // No effect outside of a property.
/// target!(5);
/// ```
#[macro_export]
macro_rules! target {
    ($score:expr $(,)?) => {
        $crate::target!($score, ::core::stringify!($score))
    };
    ($score:expr, $label:expr $(,)?) => {
        if $crate::runner::statistics::macro_support::is_logging() {
            $crate::runner::statistics::macro_support::score(($score, $label))
        }
    };
}
