use std::borrow::Cow;

/// What an [`event!`](crate::event) logs: a number, a category, or that something was there.
///
/// ```
/// use retrospect::runner::statistics::{EventValue, Value};
/// assert_eq!(7u8.event_value(), Value::Number(7.0));
/// assert_eq!("leaf".event_value(), Value::Category("leaf".into()));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Whether something was the case. Its share of all cases is reported.
    Flag(bool),
    /// Smallest, middle, largest and the like are reported. Whole numbers beyond 2^53 are rounded.
    Number(f64),
    /// The share of each category is reported.
    Category(Cow<'static, str>),
}

/// What [`event!`](crate::event) accepts as a value: numbers, and `bool`, `char` and text as
/// categories.
///
/// Any other `Debug` type is logged as `event!("name", ?value)`, or implements this trait:
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::runner::statistics::{EventValue, Statistics, Value};
/// enum Frame {
///     Data(Vec<u8>),
///     Ping,
/// }
/// impl EventValue for Frame {
///     fn event_value(&self) -> Value {
///         match self {
///             Frame::Data(_) => Value::Category("data".into()),
///             Frame::Ping => Value::Category("ping".into()),
///         }
///     }
/// }
/// let statistics = Statistics::of(4, |case| {
///     event!("frame", if case == 0 { Frame::Ping } else { Frame::Data(vec![1]) });
/// });
/// assert_eq!(statistics.lines(), ["label \"frame\"   data 75 %   ping 25 %"]);
/// ```
///
/// ```compile_fail
/// use retrospect::prelude::*;
/// // A list is neither a number nor a category.
/// event!("list", vec![1, 2]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`event!` cannot log `{Self}`: it is neither a number nor a category",
    label = "not a number, `bool`, `char`, `str` or `String`",
    note = "write `event!(\"name\", ?value)` to log its `Debug` text as a category, or log a number such as its length"
)]
pub trait EventValue {
    /// The number or category that stands for this value.
    ///
    /// ```
    /// use retrospect::runner::statistics::{EventValue, Value};
    /// assert_eq!(true.event_value(), Value::Category("true".into()));
    /// ```
    fn event_value(&self) -> Value;
}

macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl EventValue for $number {
            #[inline]
            fn event_value(&self) -> Value {
                Value::Number(*self as f64)
            }
        }
    )* };
}

numbers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 }

impl EventValue for bool {
    fn event_value(&self) -> Value {
        Value::Category(Cow::Borrowed(if *self { "true" } else { "false" }))
    }
}

impl EventValue for char {
    fn event_value(&self) -> Value {
        Value::Category(Cow::Owned(self.to_string()))
    }
}

impl EventValue for str {
    fn event_value(&self) -> Value {
        Value::Category(Cow::Owned(self.to_string()))
    }
}

impl EventValue for String {
    fn event_value(&self) -> Value {
        self.as_str().event_value()
    }
}

impl<T: EventValue + ?Sized> EventValue for &T {
    #[inline]
    fn event_value(&self) -> Value {
        (**self).event_value()
    }
}

/// So that what has been made already can be logged.
impl EventValue for Value {
    fn event_value(&self) -> Value {
        self.clone()
    }
}
