use crate::choice::Site;
use std::fmt;
use std::panic::Location;
use std::time::Duration;

/// What a generator returns: the value, or [`Stop`].
///
/// ```
/// use retrospect::source::{Drawn, Distribution, Source, Stop, Why};
/// fn quotient(source: &mut Source<'_>) -> Drawn<u64> {
///     match source.number(9, Distribution::Uniform)? {
///         0 => Err(source.stop(Why::Other("nothing divides by 0".to_owned()))),
///         divisor => Ok(100 / divisor),
///     }
/// }
/// let drawn: Vec<Drawn<u64>> = (0..100).map(|seed| quotient(&mut Source::random(seed))).collect();
/// assert!(drawn.contains(&Ok(11)) && drawn.contains(&Err(Stop)));
/// ```
pub type Drawn<T> = Result<T, Stop>;

/// No value: generation was stopped. Pass it on with `?`; the reason lies in the source
/// ([`Source::why`](crate::source::Source::why)).
///
/// It carries nothing, so that a [`Drawn`] value is as small as the value allows.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::source::{Source, Stop};
/// let mut source = Source::random(1);
/// assert_eq!((1..=0).generate(&mut source), Err::<i32, _>(Stop));
/// assert_eq!(source.why().unwrap().to_string(), "the range 1..=0 is empty: its lower end is above its upper end");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "pass a stop on with `?`"]
pub struct Stop;

/// Why generation was stopped.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::source::{Source, Why};
/// let mut source = Source::random(1);
/// assert!(within(0..10u8).filter(|_| false).generate(&mut source).is_err());
/// assert!(matches!(source.why(), Some(Why::FilteredOut { .. })));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Why {
    /// The generator is wrong in itself: an empty range, arms that all weigh nothing. The text says
    /// what and where.
    Invalid(String),
    /// A filter refused every value it was offered.
    FilteredOut {
        /// Where the filter was made.
        place: &'static Location<'static>,
        /// How many values in a row it refused.
        refused: u32,
    },
    /// A search for values that satisfy a condition found none.
    NoneFound {
        /// Where the condition stands.
        place: &'static Location<'static>,
        /// How many values were made.
        runs: u64,
        /// About how many different ones the condition was asked.
        asked: u64,
        /// How many of them were valid: not 0 if the condition depends on other values, and has
        /// accepted some with those.
        valid: u64,
        /// The smallest and the largest size that was tried.
        sizes: (u32, u32),
        /// How long it took, if the search had a limit of time.
        took: Option<Duration>,
        /// The simplest value that was refused, or why there is none; empty if choices were only
        /// replayed.
        example: String,
    },
    /// The choices do not fit the generator (strict replay).
    Misfit(String),
    /// The value was nested deeper than the limit.
    TooDeep {
        /// How much stack it had taken.
        megabytes: usize,
        /// The pick made last: if its first arm leads back to itself, the simplest value never
        /// ends.
        last_pick: Option<(&'static Site, usize)>,
    },
    /// Picks that had to end led back to themselves, whatever arms they took.
    NeverEnds {
        /// The pick.
        site: &'static Site,
        /// The arm that it took last.
        arm: usize,
    },
    /// A generator calls itself again and again, and no pick decides whether it does.
    NoPick {
        /// The generator.
        site: &'static Site,
    },
    /// The sketch asks for something that this generator cannot make.
    NotMade,
    /// Something else, said by a chooser or by the user's own generator.
    Other(String),
}

impl fmt::Display for Why {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Invalid(message) | Why::Misfit(message) | Why::Other(message) => formatter.write_str(message),
            Why::FilteredOut { place, refused } => write!(
                formatter,
                "the filter at {place} refused {refused} of {refused} values: loosen it, generate only values that it accepts, or \
                 search for them with `satisfying`"
            ),
            Why::NoneFound { place, runs: 1, .. } => {
                write!(formatter, "the value that these choices make does not satisfy the condition at {place}")
            }
            Why::NoneFound { place, runs, asked, valid, sizes, took, example } => {
                write!(formatter, "none of {runs} values satisfies the condition at {place}")?;
                if *valid > 0 {
                    write!(formatter, " now, though {valid} did before")?;
                }
                let (smallest, largest) = sizes;
                write!(formatter, " (sizes {smallest} to {largest}, the condition was asked about {asked}")?;
                if let Some(took) = took {
                    write!(formatter, ", in {:.1} s", took.as_secs_f64())?;
                }
                formatter.write_str(")")?;
                if !example.is_empty() {
                    write!(formatter, "; {example}")?;
                }
                formatter.write_str("\nloosen the condition, or write a generator that comes nearer to it")
            }
            Why::NeverEnds { site, arm } => write!(
                formatter,
                "the value never ends: every arm of `{}` ({}) leads back to it, {} as well; give it an arm that ends",
                site.name(),
                site.place(),
                arm_of(site, *arm)
            ),
            Why::NoPick { site } => write!(
                formatter,
                "the value never ends: `{}` ({}) calls itself, thousands of times with the same arguments, and no pick \
                 decides whether it does; let one decide, with the arm that ends first",
                site.name(),
                site.place()
            ),
            Why::TooDeep { megabytes, last_pick } => {
                write!(formatter, "the value is nested too deep: it takes more than {megabytes} MB of stack")?;
                if let Some((site, arm)) = last_pick {
                    let label = arm_of(site, *arm);
                    write!(
                        formatter,
                        "; the last pick took {label} of `{}` ({}): if its first arm leads back to itself, the simplest value \
                         never ends, so put an arm that ends first",
                        site.name(),
                        site.place()
                    )?;
                }
                Ok(())
            }
            Why::NotMade => formatter.write_str("the sketch asks for something this generator cannot make"),
        }
    }
}

fn arm_of(site: &Site, arm: usize) -> String {
    site.label(arm).map_or_else(|| format!("arm {arm}"), |label| format!("arm `{label}`"))
}
