//! Putting together what attribute, environment and file say.

use super::environment::{self, Environment, Given, Observing};
use super::file::{self, File, SettingsFile};
use super::key::{IN_ENVIRONMENT_ONLY, PREFIX};
use super::problems::{Place, variable};
use super::{Budget, Color, Health, Key, Problems, Settings};
use crate::source::DEFAULT_MAX_DEPTH;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

/// The settings of a property, decided.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    /// Together with `time`, see [`Resolved::budget`].
    pub(crate) cases: Option<u64>,
    /// No more cases than this, whatever the property says of itself.
    pub(crate) max_cases: u64,
    pub(crate) time: Option<Duration>,
    /// If there is none, the run chooses one and says which.
    pub(crate) seed: Option<u64>,
    pub(crate) size: u32,
    pub(crate) max_depth: u32,
    pub(crate) exhaustive: Option<bool>,
    pub(crate) isolate: bool,
    pub(crate) timeout: Duration,
    pub(crate) expect_failure: bool,
    pub(crate) shrink_time: Duration,
    pub(crate) shrink_runs: u64,
    /// 0, 1 or 2.
    pub(crate) verbose: u8,
    pub(crate) save: bool,
    /// The path of the folder; what was set is seen from the crate's folder, this is not.
    pub(crate) regressions: PathBuf,
    /// The path of the file of weights, likewise.
    pub(crate) weights: Option<PathBuf>,
    pub(crate) all_failures: bool,
    pub(crate) allow: Vec<Health>,
    pub(crate) color: Color,
    /// What to run instead of looking for a case.
    pub(crate) given: Option<Given>,
    /// The only property to run, of several in one test: `RETROSPECT_PROPERTY`.
    pub(crate) property: Option<String>,
    /// Whether a failure is to be shrunk to the end, whatever the property says about limits:
    /// `RETROSPECT_SHRINK`.
    pub(crate) shrink: bool,
    /// What is to be written down.
    pub(crate) observing: Observing,
    /// What was set, in the order of the keys: the value as text, and where it was set.
    chosen: Vec<(Key, String, Origin)>,
}

/// Where a value was set.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Origin {
    /// In the attribute, or in the call of a plain function.
    Code,
    /// In the environment, under this name.
    Variable(String),
    /// In a file: its path as seen from the crate's folder.
    File { path: String, line: usize },
}

/// Decides with the environment of this process.
pub(crate) fn resolve(
    attribute: &Settings,
    file: Option<&SettingsFile>,
    crate_directory: &Path,
) -> Result<Resolved, Problems> {
    combine(attribute, variables_here(), file, crate_directory)
}

/// The variables of this process that are settings, or look like one.
///
/// The known ones are asked for one by one, which takes a third of the time of a copy of the
/// environment. Those with unknown names are looked for once.
fn variables_here() -> Vec<(OsString, OsString)> {
    static KNOWN: LazyLock<Vec<OsString>> = LazyLock::new(|| {
        let names = Key::all().map(Key::name).chain(IN_ENVIRONMENT_ONLY);
        names.map(|name| variable(name).into()).chain(["NO_COLOR".into()]).collect()
    });
    static UNKNOWN: LazyLock<Vec<(OsString, OsString)>> = LazyLock::new(|| {
        let is_ours = |name: &OsString| name.as_encoded_bytes().starts_with(PREFIX.as_bytes());
        std::env::vars_os().filter(|(name, _)| is_ours(name) && !KNOWN.contains(name)).collect()
    });
    let mut variables = UNKNOWN.clone();
    for name in &*KNOWN {
        if let Some(text) = std::env::var_os(name) {
            variables.push((name.clone(), text));
        }
    }
    variables
}

/// The settings of one place, and where exactly each was set. A key without an origin was set in
/// the code.
#[derive(Default)]
pub(super) struct Layer {
    pub(super) settings: Settings,
    pub(super) origins: Vec<(Key, Origin)>,
}

impl Layer {
    pub(super) fn origin(&self, key: Key) -> Option<&Origin> {
        self.origins.iter().find(|(other, _)| *other == key).map(|(_, origin)| origin)
    }
}

pub(super) fn combine(
    attribute: &Settings,
    variables: Vec<(OsString, OsString)>,
    found: Option<&SettingsFile>,
    crate_directory: &Path,
) -> Result<Resolved, Problems> {
    let mut problems = Problems::default();
    check_code(attribute, &mut problems);
    let Environment { layer: environment, given, property, shrink, profile, observing } =
        environment::read_all(variables, &mut problems);
    let mut file = found.map_or_else(File::default, |found| file::read(found, &mut problems));
    let profile = profile.map_or_else(Layer::default, |profile| file.profile(&profile, &mut problems));
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut code = Layer { settings: attribute.clone(), origins: Vec::new() };
    let mut profile = profile;
    let (mut shrink_time, mut shrink_runs) = (Duration::from_secs(5), 10_000);
    if shrink {
        // What other places say is for every run; this one is asked for by hand.
        for layer in [&mut code, &mut profile, &mut file.top] {
            layer.settings.shrink_time = None;
            layer.settings.shrink_runs = None;
            layer.settings.verbose = None;
            layer.settings.expect_failure = None;
        }
        (shrink_time, shrink_runs) = (Duration::MAX, u64::MAX);
    }
    let mut layers = Layers { strongest_first: [code, environment, profile, file.top], chosen: Vec::new() };
    Ok(Resolved {
        cases: layers.first(Key::Cases, |settings| settings.cases),
        max_cases: layers.first(Key::MaxCases, |settings| settings.max_cases).unwrap_or(u64::MAX),
        time: layers.first(Key::Time, |settings| settings.time),
        seed: layers.first(Key::Seed, |settings| settings.seed),
        size: layers.first(Key::Size, |settings| settings.size).unwrap_or(100),
        max_depth: layers.first(Key::MaxDepth, |settings| settings.max_depth).unwrap_or(DEFAULT_MAX_DEPTH),
        exhaustive: layers.first(Key::Exhaustive, |settings| settings.exhaustive),
        isolate: layers.is_on(Key::Isolate, |settings| settings.isolate),
        timeout: layers.first(Key::Timeout, |settings| settings.timeout).unwrap_or(Duration::from_secs(10)),
        expect_failure: layers.is_on(Key::ExpectFailure, |settings| settings.expect_failure),
        shrink_time: layers.first(Key::ShrinkTime, |settings| settings.shrink_time).unwrap_or(shrink_time),
        shrink_runs: layers.first(Key::ShrinkRuns, |settings| settings.shrink_runs).unwrap_or(shrink_runs),
        verbose: layers.first(Key::Verbose, |settings| settings.verbose).unwrap_or(0),
        save: layers.first(Key::Save, |settings| settings.save).unwrap_or(true),
        regressions: {
            let folder = layers.first(Key::Regressions, |settings| settings.regressions.clone());
            crate_directory.join(folder.unwrap_or_else(|| PathBuf::from("regressions")))
        },
        weights: layers.first(Key::Weights, |settings| settings.weights.clone()).map(|file| crate_directory.join(file)),
        all_failures: layers.is_on(Key::AllFailures, |settings| settings.all_failures),
        allow: layers.first(Key::Allow, |settings| settings.allow.clone()).unwrap_or_default(),
        color: layers.first(Key::Color, |settings| settings.color).unwrap_or(Color::Auto),
        given,
        property,
        shrink,
        observing,
        chosen: layers.chosen,
    })
}

fn check_code(attribute: &Settings, problems: &mut Problems) {
    for text in &attribute.refused {
        problems.add(|| text.clone());
    }
    for key in Key::all() {
        if let Err(reason) = attribute.within_limits(key) {
            let text = attribute.text(key).unwrap_or_default();
            problems.add(|| Place::Code.refusal(key, &text, reason));
        }
    }
}

struct Layers {
    strongest_first: [Layer; 4],
    chosen: Vec<(Key, String, Origin)>,
}

impl Layers {
    /// The value of the strongest layer that has one.
    fn first<T>(&mut self, key: Key, field: fn(&Settings) -> Option<T>) -> Option<T> {
        for layer in &self.strongest_first {
            if let Some(value) = field(&layer.settings) {
                let origin = layer.origin(key).cloned().unwrap_or(Origin::Code);
                self.chosen.push((key, layer.settings.text(key).unwrap_or_default(), origin));
                return Some(value);
            }
        }
        None
    }

    fn is_on(&mut self, key: Key, field: fn(&Settings) -> Option<bool>) -> bool {
        self.first(key, field).unwrap_or(false)
    }
}

impl Resolved {
    /// How much to run.
    pub(crate) fn budget(&self) -> Budget {
        match (self.cases, self.time) {
            (None, None) => Budget::Default,
            (Some(cases), None) => Budget::Cases(cases.min(self.max_cases)),
            (None, Some(time)) => Budget::Time(time),
            (Some(cases), Some(time)) => Budget::CasesOrTime(cases.min(self.max_cases), time),
        }
    }

    /// Whether this health check keeps silent.
    pub(crate) fn allows(&self, check: Health) -> bool {
        self.allow.contains(&check)
    }

    /// Where a setting comes from; nothing if it is the default.
    #[cfg(test)]
    pub(super) fn origin(&self, key: Key) -> Option<String> {
        self.chosen.iter().find(|(other, ..)| *other == key).map(|(.., origin)| origin.to_string())
    }

    /// A line for each value that is not the default: `cases = 500 (RETROSPECT_CASES)`.
    pub(crate) fn describe(&self) -> String {
        let mut lines = String::new();
        for (key, text, origin) in &self.chosen {
            lines += &format!("{} = {text} ({origin})\n", key.name());
        }
        lines
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Code => formatter.write_str("the property's own setting"),
            Origin::Variable(name) => formatter.write_str(name),
            Origin::File { path, line } => write!(formatter, "{path}:{line}"),
        }
    }
}
