use super::SyntaxError;
use crate::mismatch::NotGenerated;
use crate::source::Why;
use std::fmt;

/// Why a text gives no value: it is no `Debug` text, or it shows something the generator cannot
/// make.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::sketch::ReadError;
/// assert!(matches!((0..10).read("[1, 2"), Err(ReadError::Syntax(_))));
/// assert!(matches!((0..10).read("12"), Err(ReadError::NotGenerated(_))));
/// assert!(matches!((0..10).read("_"), Err(ReadError::Holes)));
/// let error = any::<std::time::SystemTime>().read("SystemTime { tv_sec: 1, .. }").unwrap_err();
/// assert!(matches!(error, ReadError::LeftOut));
/// assert_eq!(error.to_string(), "the text leaves parts out with `..`: `fill` it, or write all parts");
/// ```
#[derive(Clone, Debug)]
pub enum ReadError {
    /// The text cannot be read at all.
    Syntax(SyntaxError),
    /// The text has holes, and was to be read as it is.
    Holes,
    /// The text leaves parts out with `..`, and was to be read as it is.
    LeftOut,
    /// The text shows a value that the generator cannot make.
    NotGenerated(NotGenerated),
    /// The generator stopped for another reason: it is wrong in itself, or the value is too deep.
    Stopped(Why),
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Syntax(error) => error.fmt(formatter),
            ReadError::Holes => formatter.write_str("the text has holes: `fill` it, or write values in place of `_`"),
            ReadError::LeftOut => {
                formatter.write_str("the text leaves parts out with `..`: `fill` it, or write all parts")
            }
            ReadError::NotGenerated(error) => error.fmt(formatter),
            ReadError::Stopped(why) => write!(formatter, "the text cannot be read as a value: {why}"),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<SyntaxError> for ReadError {
    fn from(error: SyntaxError) -> ReadError {
        ReadError::Syntax(error)
    }
}
