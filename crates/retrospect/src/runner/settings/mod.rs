//! What a property is told: by its attribute, the environment, `retrospect.toml`.
//!
//! | name | value | default |
//! | --- | --- | --- |
//! | `cases` | how many cases to run | see [`Budget`] |
//! | `max_cases` | no more cases than this, also where a property asks for more | none |
//! | `time` | how long to run, instead of a count | see [`Budget`] |
//! | `seed` | where the random numbers start, decimal or `0x` | another one in each run |
//! | `size` | the largest size of what is drawn, at most 1,000,000 | `100` |
//! | `max_depth` | how many generators may stand inside one another in what is drawn; small sizes have their share of it | `128` |
//! | `exhaustive` | run every case there is instead of drawing | if there are no more than 1000, or than `cases` |
//! | `isolate` | run the cases in a child process | `false` |
//! | `timeout` | how long one case may take | `10s` |
//! | `expect_failure` | the property is to fail; in the attribute only | `false` |
//! | `shrink_time` | how long a failure is made smaller | `5s` |
//! | `shrink_runs` | how many runs that may take | `10000` |
//! | `verbose` | `0`, `1` or `2`; `true` is `1` | `0` |
//! | `save` | keep counterexamples in a file | `true` |
//! | `regressions` | the folder of that file, seen from the crate's folder | `regressions` |
//! | `weights` | a file of [weights](crate::source::Weights) to draw by, seen from the crate's folder | none |
//! | `all_failures` | report every distinct failure | `false` |
//! | `allow` | the [health checks](Health) that keep silent | none |
//! | `color` | `auto`, `always` or `never` | `auto`, or `never` if `NO_COLOR` is set |
//!
//! In the environment a name is written `RETROSPECT_CASES`. A few more are read there only, since
//! they are about one run:
//!
//! | variable | what it says |
//! | --- | --- |
//! | `RETROSPECT_VALUE` | run only these values: `tree = Node(Leaf, 4, Leaf); key = 4`, as `{:?}` prints them |
//! | `RETROSPECT_VALUE_FILE` | the same in a file, for values of any size: the environment of Linux takes 128 KiB |
//! | `RETROSPECT_TEXT_FILE` | run only the content of this file: it is the only argument, a `String` or `Vec<u8>`, or is read as its type |
//! | `RETROSPECT_REPLAY` | run only this saved case, or these choices; after ` ...` at their end those that are missing are the simplest |
//! | `RETROSPECT_REPLAY_FILE` | the choices in this file, if they are too long for a command |
//! | `RETROSPECT_PROPERTY` | run only this property, where a test calls `check` several times: `tests::total-2` is the second in `tests::total`, `tests::total@3` the third time that a loop comes to it. Without it, a given value is for the first |
//! | `RETROSPECT_SHRINK` | `1`: shrink what fails to the end, also a saved case that was shrunk before. Only `RETROSPECT_SHRINK_TIME` and `RETROSPECT_SHRINK_RUNS` limit it, and an expected failure is one |
//! | `RETROSPECT_PROFILE` | the table of `retrospect.toml` to use |
//! | `RETROSPECT_OBSERVE` | a folder to write a line for each case to, in the format that Tyche reads, and what else happens in a run |
//! | `RETROSPECT_TYCHE` | `1`: write the lines where Tyche's extension for editors looks: `.quickcheck/observations` at the root of the workspace |
//! | `RETROSPECT_STEER` | a file with examples of one property that there should be more of, or fewer |
//!
//! Files are seen from the crate's folder. The settings may stand in `retrospect.toml`:
//!
//! ```toml
//! size = 50
//! allow = ["slow", "large"]
//!
//! [profile.nightly]
//! time = "5m"
//! verbose = 1
//! ```
//!
//! The attribute is asked first, then the environment, then the selected profile, then the top of
//! the file. The file is looked for in the crate's folder and upwards to the root of the workspace.
//! What cannot be read, and any name that is not in the table, is an error.

// The callers are in the other rooms of the runner; what only they use is not unused.

mod budget;
mod environment;
mod file;
mod key;
mod kinds;
mod problems;
mod read;
mod resolve;
#[cfg(test)]
mod tests;

pub use budget::Budget;
pub(crate) use environment::Given;
pub(crate) use file::SettingsFile;
pub(crate) use key::Key;
pub use kinds::{Color, Health};
pub(crate) use problems::Problems;
pub(crate) use read::duration_text;
pub(crate) use resolve::{Resolved, resolve};

use crate::source::LEAST_MAX_DEPTH;
use problems::Place;
use std::path::PathBuf;
use std::time::Duration;

/// What one place (attribute, environment, file) says. What it leaves open is decided by the next
/// one.
///
/// ```
/// use retrospect::runner::settings::Settings;
/// use std::time::Duration;
/// let thorough = Settings::new().cases(10_000).timeout(Duration::from_secs(60)).isolate(true);
/// assert_ne!(thorough, Settings::default());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    cases: Option<u64>,
    max_cases: Option<u64>,
    time: Option<Duration>,
    seed: Option<u64>,
    size: Option<u32>,
    max_depth: Option<u32>,
    exhaustive: Option<bool>,
    isolate: Option<bool>,
    timeout: Option<Duration>,
    expect_failure: Option<bool>,
    shrink_time: Option<Duration>,
    shrink_runs: Option<u64>,
    verbose: Option<u8>,
    save: Option<bool>,
    regressions: Option<PathBuf>,
    weights: Option<PathBuf>,
    all_failures: Option<bool>,
    allow: Option<Vec<Health>>,
    color: Option<Color>,
    /// What [`Settings::set`] could not read. It is said when the property runs, together with all
    /// other problems.
    refused: Vec<String>,
}

impl Settings {
    /// Leaves everything open.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// assert_eq!(Settings::new(), Settings::default());
    /// ```
    #[must_use]
    pub fn new() -> Settings {
        Settings::default()
    }

    /// Runs this many cases, examples among them. Saved and discarded cases do not count. By
    /// default [`Budget::Default`] decides; 0 is an error when the property runs, since 0 cases
    /// test nothing.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// assert_eq!(Settings::new().cases(500), Settings::new().set("cases", "500"));
    /// ```
    #[must_use]
    pub fn cases(mut self, cases: u64) -> Settings {
        self.cases = Some(cases);
        self
    }

    /// Runs no more cases than this, also where the property asks for more: `RETROSPECT_MAX_CASES=5
    /// cargo miri test`, or `max_cases = 5` in a profile of `retrospect.toml`. By default there is
    /// no such limit.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::runner::Settings;
    /// let mut count = 0;
    /// Check::new().with(Settings::new().cases(500).max_cases(5)).run(any::<u64>(), |_| count += 1);
    /// assert_eq!(count, 5);
    /// ```
    #[must_use]
    pub fn max_cases(mut self, max_cases: u64) -> Settings {
        self.max_cases = Some(max_cases);
        self
    }

    /// Runs for this long; together with `cases`, until the first of the two is reached. By default
    /// [`Budget::Default`] decides.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// use std::time::Duration;
    /// assert_eq!(Settings::new().time(Duration::from_millis(1500)), Settings::new().set("time", "1.5 s"));
    /// ```
    #[must_use]
    pub fn time(mut self, time: Duration) -> Settings {
        self.time = Some(time);
        self
    }

    /// Starts the random numbers here, so that every run draws the same cases. By default each run
    /// draws others.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// assert_eq!(Settings::new().seed(0x7f3a), Settings::new().set("seed", "0x7f3a"));
    /// ```
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Settings {
        self.seed = Some(seed);
        self
    }

    /// Lets the size of what is drawn grow up to this, which is at most 1,000,000. Defaults to 100.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// assert_eq!(Settings::new().size(20), Settings::new().set("size", "20"));
    /// ```
    #[must_use]
    pub fn size(mut self, size: u32) -> Settings {
        self.size = Some(size);
        self
    }

    /// Lets at most this many generators stand inside one another in what is drawn, at least 8;
    /// deeper down every pick takes an arm that ends. Small sizes have their share of it: see
    /// [`Source::with_max_depth`](crate::source::Source::with_max_depth). Defaults to 128. Values
    /// that are given or replayed may be deeper. Above 128, cases run on a stack of 512 MB.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// assert_eq!(Settings::new().max_depth(1000), Settings::new().set("max_depth", "1000"));
    /// ```
    #[must_use]
    pub fn max_depth(mut self, max_depth: u32) -> Settings {
        self.max_depth = Some(max_depth);
        self
    }

    /// Runs every value instead of drawing some. Defaults to `false`.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// assert_eq!(Settings::new().exhaustive(true), Settings::new().set("exhaustive", "true"));
    /// ```
    #[must_use]
    pub fn exhaustive(mut self, exhaustive: bool) -> Settings {
        self.exhaustive = Some(exhaustive);
        self
    }

    /// Runs the cases in a child process, so that a case that kills its process is a failure like
    /// any other. Defaults to `false`.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// assert_eq!(Settings::new().isolate(true), Settings::new().set("isolate", "true"));
    /// ```
    #[must_use]
    pub fn isolate(mut self, isolate: bool) -> Settings {
        self.isolate = Some(isolate);
        self
    }

    /// Lets one case take this long. Defaults to 10 seconds.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// use std::time::Duration;
    /// assert_eq!(Settings::new().timeout(Duration::from_secs(3600)), Settings::new().set("timeout", "1h"));
    /// ```
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Settings {
        self.timeout = Some(timeout);
        self
    }

    /// Turns the verdict round: the property is to fail. Defaults to `false`, and cannot be set
    /// outside of the code.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// assert_eq!(Settings::new().expect_failure(true), Settings::new().set("expect_failure", "true"));
    /// ```
    #[must_use]
    pub fn expect_failure(mut self, expect_failure: bool) -> Settings {
        self.expect_failure = Some(expect_failure);
        self
    }

    /// Makes a failure smaller for at most this long; not at all if it is zero. Defaults to 5
    /// seconds.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// use std::time::Duration;
    /// assert_eq!(Settings::new().shrink_time(Duration::from_secs(120)), Settings::new().set("shrink_time", "2m"));
    /// ```
    #[must_use]
    pub fn shrink_time(mut self, shrink_time: Duration) -> Settings {
        self.shrink_time = Some(shrink_time);
        self
    }

    /// Makes a failure smaller with at most this many runs of the property; not at all if it is 0.
    /// Defaults to 10 000, which a property that takes 100 nanoseconds spends in a millisecond, and
    /// one that takes longer than 0.5 milliseconds never reaches within `shrink_time`.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// assert_eq!(Settings::new().shrink_runs(200), Settings::new().set("shrink_runs", "200"));
    /// ```
    #[must_use]
    pub fn shrink_runs(mut self, shrink_runs: u64) -> Settings {
        self.shrink_runs = Some(shrink_runs);
        self
    }

    /// Says more about the run: 0 nothing that is not needed, 1 what was run, 2 each step of
    /// shrinking too. Defaults to 0.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// assert_eq!(Settings::new().verbose(1), Settings::new().set("verbose", "true"));
    /// ```
    #[must_use]
    pub fn verbose(mut self, verbose: u8) -> Settings {
        self.verbose = Some(verbose);
        self
    }

    /// Keeps counterexamples in the file that is run first the next time. Defaults to `true`.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// assert_eq!(Settings::new().save(false), Settings::new().set("save", "false"));
    /// ```
    #[must_use]
    pub fn save(mut self, save: bool) -> Settings {
        self.save = Some(save);
        self
    }

    /// Names the folder of the kept counterexamples, seen from the crate's folder. Defaults to
    /// `regressions`.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// assert_eq!(Settings::new().regressions("tests/found"), Settings::new().set("regressions", "tests/found"));
    /// ```
    #[must_use]
    pub fn regressions(mut self, regressions: impl Into<PathBuf>) -> Settings {
        self.regressions = Some(regressions.into());
        self
    }

    /// Draws by the weights in this file, seen from the crate's folder; see
    /// [`Weights`](crate::source::Weights). By default generators draw as they are written.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// assert_eq!(Settings::new().weights("tests/trees.toml"), Settings::new().set("weights", "tests/trees.toml"));
    /// ```
    #[must_use]
    pub fn weights(mut self, file: impl Into<PathBuf>) -> Settings {
        self.weights = Some(file.into());
        self
    }

    /// Reports every distinct failure that was found, instead of the first and a count. Defaults to
    /// `false`.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// assert_eq!(Settings::new().all_failures(true), Settings::new().set("all_failures", "true"));
    /// ```
    #[must_use]
    pub fn all_failures(mut self, all_failures: bool) -> Settings {
        self.all_failures = Some(all_failures);
        self
    }

    /// Silences a health check, in addition to those that were silenced before. By default none is.
    ///
    /// ```
    /// use retrospect::runner::settings::{Health, Settings};
    /// let settings = Settings::new().allow(Health::Slow).allow(Health::Large);
    /// assert_eq!(settings, Settings::new().set("allow", "slow, large"));
    /// ```
    #[must_use]
    pub fn allow(mut self, check: Health) -> Settings {
        let allowed = self.allow.get_or_insert_default();
        if !allowed.contains(&check) {
            allowed.push(check);
        }
        self
    }

    /// Decides about colour. Defaults to [`Color::Auto`], or to [`Color::Never`] if the variable
    /// `NO_COLOR` is set.
    ///
    /// ```
    /// use retrospect::runner::settings::{Color, Settings};
    /// assert_eq!(Settings::new().color(Color::Never), Settings::new().set("color", "never"));
    /// ```
    #[must_use]
    pub fn color(mut self, color: Color) -> Settings {
        self.color = Some(color);
        self
    }

    /// Sets what is called `name` to what `text` says, as in the environment. What cannot be read
    /// is an error when the property runs.
    ///
    /// ```
    /// use retrospect::runner::settings::Settings;
    /// use std::time::Duration;
    /// assert_eq!(Settings::new().set("time", "50ms"), Settings::new().time(Duration::from_millis(50)));
    /// ```
    #[must_use]
    pub fn set(mut self, name: &str, text: &str) -> Settings {
        let Some(key) = Key::named(name) else {
            self.refused.push(Place::Code.unknown(name));
            return self;
        };
        let before = self.clone();
        if let Err(reason) = self.read(key, text) {
            self = before;
            self.refused.push(Place::Code.refusal(key, text, &reason));
        }
        self
    }

    /// Reads `text` as the value of `key`. The reason goes on where the value ends: "is not a whole
    /// number".
    fn read(&mut self, key: Key, text: &str) -> Result<(), String> {
        if text.trim().is_empty() {
            return Err(EMPTY.to_owned());
        }
        match key {
            Key::Cases => self.cases = Some(read::whole_number(text, u64::MAX)?),
            Key::MaxCases => self.max_cases = Some(read::whole_number(text, u64::MAX)?),
            Key::Time => self.time = Some(read::duration(text)?),
            Key::Seed => self.seed = Some(read::whole_number(text, u64::MAX)?),
            Key::Size => self.size = Some(read::whole_number(text, MAX_SIZE.into())? as u32),
            Key::MaxDepth => self.max_depth = Some(read::whole_number(text, u32::MAX.into())? as u32),
            Key::Exhaustive => self.exhaustive = Some(read::flag(text)?),
            Key::Isolate => self.isolate = Some(read::flag(text)?),
            Key::Timeout => self.timeout = Some(read::duration(text)?),
            Key::ExpectFailure => self.expect_failure = Some(read::flag(text)?),
            Key::ShrinkTime => self.shrink_time = Some(read::duration(text)?),
            Key::ShrinkRuns => self.shrink_runs = Some(read::whole_number(text, u64::MAX)?),
            Key::Verbose => self.verbose = Some(read::level(text)?),
            Key::Save => self.save = Some(read::flag(text)?),
            Key::Regressions => self.regressions = Some(text.into()),
            Key::Weights => self.weights = Some(text.into()),
            Key::AllFailures => self.all_failures = Some(read::flag(text)?),
            Key::Allow => self.allow = Some(read::checks(text)?),
            Key::Color => self.color = Some(read::color(text)?),
        }
        self.within_limits(key).map_err(str::to_owned)
    }

    /// The value of `key` as text that [`Settings::read`] reads; nothing if it is left open.
    fn text(&self, key: Key) -> Option<String> {
        match key {
            Key::Cases => self.cases.map(|number| number.to_string()),
            Key::MaxCases => self.max_cases.map(|number| number.to_string()),
            Key::Time => self.time.map(read::duration_text),
            Key::Seed => self.seed.map(|seed| format!("{seed:#x}")),
            Key::Size => self.size.map(|number| number.to_string()),
            Key::MaxDepth => self.max_depth.map(|number| number.to_string()),
            Key::Exhaustive => self.exhaustive.map(read::flag_text),
            Key::Isolate => self.isolate.map(read::flag_text),
            Key::Timeout => self.timeout.map(read::duration_text),
            Key::ExpectFailure => self.expect_failure.map(read::flag_text),
            Key::ShrinkTime => self.shrink_time.map(read::duration_text),
            Key::ShrinkRuns => self.shrink_runs.map(|number| number.to_string()),
            Key::Verbose => self.verbose.map(|number| number.to_string()),
            Key::Save => self.save.map(read::flag_text),
            Key::Regressions => self.regressions.as_ref().map(|path| path.display().to_string()),
            Key::Weights => self.weights.as_ref().map(|path| path.display().to_string()),
            Key::AllFailures => self.all_failures.map(read::flag_text),
            Key::Allow => self.allow.as_ref().map(|checks| read::checks_text(checks)),
            Key::Color => self.color.map(|color| color.name().to_owned()),
        }
    }

    /// What no type says: values that can be written in code as well, and make no sense.
    fn within_limits(&self, key: Key) -> Result<(), &'static str> {
        let zero = Some(Duration::ZERO);
        match key {
            Key::Cases if self.cases == Some(0) => Err("is too few: 0 cases test nothing"),
            Key::MaxCases if self.max_cases == Some(0) => Err("is too few: 0 cases test nothing"),
            Key::Time if self.time == zero => Err("is too short: it leaves no time to test anything"),
            Key::Timeout if self.timeout == zero => Err("is too short: every case would take longer"),
            Key::Size if self.size > Some(MAX_SIZE) => Err("is too large: at most 1000000 is possible"),
            Key::MaxDepth if self.max_depth.is_some_and(|depth| depth < LEAST_MAX_DEPTH) => {
                Err("is too small: at least 8 is possible")
            }
            Key::Verbose if self.verbose > Some(2) => Err("is not 0, 1 or 2"),
            Key::Regressions if self.regressions.as_ref().is_some_and(|path| path.as_os_str().is_empty()) => Err(EMPTY),
            Key::Weights if self.weights.as_ref().is_some_and(|path| path.as_os_str().is_empty()) => Err(EMPTY),
            _ => Ok(()),
        }
    }
}

/// A case is cut short long before it has so many parts.
const MAX_SIZE: u32 = 1_000_000;

const EMPTY: &str = "is empty: give it a value or leave it out";
