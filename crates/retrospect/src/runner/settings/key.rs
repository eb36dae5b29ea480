//! The names of the settings.

/// A setting that every place can name: attribute, environment, file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Cases,
    MaxCases,
    Time,
    Seed,
    Size,
    MaxDepth,
    Exhaustive,
    Isolate,
    Timeout,
    ExpectFailure,
    ShrinkTime,
    ShrinkRuns,
    Verbose,
    Save,
    Regressions,
    Weights,
    AllFailures,
    Allow,
    Color,
}

/// What only the environment can say, since it is about one run.
pub(super) const IN_ENVIRONMENT_ONLY: [&str; 16] = [
    "property",
    "replay",
    "replay_file",
    "value",
    "value_file",
    "text_file",
    "shrink",
    "profile",
    "observe",
    "tyche",
    "steer",
    "coverage_map",
    "worker",
    "worker_address",
    "result_file",
    "cargo_options",
];

/// Those of them that programs tell each other: `worker` is how a run tells its child process what
/// it is, `worker_address` where it waits, `result_file` is where `cargo retrospect` reads what
/// became of a property, `coverage_map` is where it says which counter stands for which lines,
/// `cargo_options` is with which features and profile it built the tests.
pub(super) const INTERNAL: [&str; 5] = ["worker", "worker_address", "result_file", "coverage_map", "cargo_options"];

/// What the variables' names begin with.
pub(super) const PREFIX: &str = "RETROSPECT_";

/// In the order of the variants: the name, and the default as it is told to a person.
const TABLE: [(Key, &str, &str); 19] = [
    (Key::Cases, "cases", DEFAULT_BUDGET),
    (Key::MaxCases, "max_cases", "none"),
    (Key::Time, "time", DEFAULT_BUDGET),
    (Key::Seed, "seed", "another one in each run"),
    (Key::Size, "size", "100"),
    (Key::MaxDepth, "max_depth", "128"),
    (Key::Exhaustive, "exhaustive", "if there are no more than 1000, or than `cases`"),
    (Key::Isolate, "isolate", "false"),
    (Key::Timeout, "timeout", "10s"),
    (Key::ExpectFailure, "expect_failure", "false"),
    (Key::ShrinkTime, "shrink_time", "5s"),
    (Key::ShrinkRuns, "shrink_runs", "10000"),
    (Key::Verbose, "verbose", "0"),
    (Key::Save, "save", "true"),
    (Key::Regressions, "regressions", "regressions"),
    (Key::Weights, "weights", "none"),
    (Key::AllFailures, "all_failures", "false"),
    (Key::Allow, "allow", "none"),
    (Key::Color, "color", "auto"),
];

pub(super) const DEFAULT_BUDGET: &str = "at least 100 cases, then more until 50ms are over or 10000 cases were run";

impl Key {
    pub(crate) fn all() -> impl Iterator<Item = Key> {
        TABLE.iter().map(|row| row.0)
    }

    pub(crate) fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// The variable of the environment: `RETROSPECT_MAX_DEPTH`.
    pub(crate) fn variable(self) -> String {
        super::problems::variable(self.name())
    }

    /// The default as it is told to a person.
    pub(crate) fn default(self) -> &'static str {
        TABLE[self as usize].2
    }

    pub(super) fn named(name: &str) -> Option<Key> {
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }
}
