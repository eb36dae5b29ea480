//! One run of one property, from its settings to its verdict.

use super::finding;
use super::isolate::{self, Role};
use super::observe::{self, Lines, Observer};
use super::panics;
use super::property::Definition;
use super::regressions::{self, FileProblem};
use super::report;
use super::result_file;
use super::search::{Found, Search};
use super::settings::{self, Resolved, Settings};
use super::trial::{Body, Door, InProcess};
use super::watchdog::Watch;
use crate::generator::Tuning;
use crate::source::Weights;
use std::path::{Path, PathBuf};

/// Runs the property; prints the report and panics if it does not hold.
pub(crate) fn run(definition: &Definition<'_>, attribute: Settings, body: &mut Body<'_>) {
    if let Verdict::Failed { report, message, .. } = conduct(definition, &attribute, body) {
        // The test harness keeps this with the test, and shows it with the failure.
        eprint!("{report}");
        // Past the panic hook: what there was to say has been said.
        std::panic::resume_unwind(Box::new(message));
    }
}

/// Runs the property and returns the report, if it does not hold.
pub(crate) fn find_failure(definition: &Definition<'_>, attribute: Settings, body: &mut Body<'_>) -> Option<String> {
    match conduct(definition, &attribute, body) {
        Verdict::Failed { report, .. } => Some(report),
        Verdict::Passed => None,
    }
}

pub(crate) enum Verdict {
    Passed,
    Failed {
        report: String,
        /// The message of the failure itself.
        message: String,
        /// What a program may want to know of it, if one asks; nothing if the property could not be run.
        facts: Option<String>,
        /// Something is wrong with the property, rather than with what it tests.
        is_broken: bool,
    },
}

/// What everything about one run can know.
pub(crate) struct Context<'c> {
    pub(crate) definition: &'c Definition<'c>,
    pub(crate) settings: &'c Resolved,
    /// Of the user's crate.
    pub(crate) directory: &'c Path,
    /// Where the counterexamples of this property are.
    pub(crate) file: &'c Path,
    pub(crate) seed: u64,
    /// Who writes down what happens, if somebody asks for it.
    pub(crate) observer: Option<Observer>,
}

impl Context<'_> {
    /// The file as seen from the root of the workspace, from where the compiler names files too.
    pub(crate) fn file_shown(&self) -> String {
        let root = self.directory.ancestors().find(|directory| directory.join("Cargo.lock").is_file());
        let shown = root.and_then(|root| self.file.strip_prefix(root).ok()).unwrap_or(self.file);
        shown.display().to_string()
    }

    /// What is wrong with the file, which is named as everywhere else.
    pub(crate) fn problem_shown(&self, problem: &FileProblem) -> String {
        problem.to_string().replace(&self.file.display().to_string(), &self.file_shown())
    }
}

fn conduct(definition: &Definition<'_>, attribute: &Settings, body: &mut Body<'_>) -> Verdict {
    let verdict = reach_verdict(definition, attribute, body);
    if let Some(verdict) = &verdict {
        result_file::tell(definition, verdict);
    }
    verdict.unwrap_or(Verdict::Passed)
}

/// Nothing if another property is meant.
fn reach_verdict(definition: &Definition<'_>, attribute: &Settings, body: &mut Body<'_>) -> Option<Verdict> {
    let directory = crate_directory(definition);
    let settings = match settings::resolve_here(attribute, &directory) {
        Ok(settings) => settings,
        Err(problems) => return Some(broken(definition, &problems.to_string())),
    };
    let weights = settings.weights.as_ref().map(|file| Weights::load_some(file).map(Tuning::new)).transpose();
    let tuning = match weights {
        Ok(tuning) => tuning,
        Err(problem) => return Some(broken(definition, &problem.to_string())),
    };
    panics::name_property(definition.test_name());
    let role = isolate::role(definition);
    if let Role::PassedOver = role {
        return None;
    }
    let steered = match observe::steer(definition, &settings, &directory, body) {
        Ok(steered) => steered,
        Err(problem) => return Some(broken(definition, &problem)),
    };
    let tuning = steered.as_ref().and_then(|steered| steered.tuning.clone()).or(tuning);
    let lines = settings.observing.coverage_map.as_ref().map_or(Ok(None), |folder| Lines::here(folder));
    if let Role::Worker = role {
        isolate::serve(body, tuning, definition.has_free_arguments, settings.max_depth, lines.unwrap_or_default());
    }
    let file = regressions::file_of(&settings.regressions, &definition.saved_as());
    let seed = settings.seed.unwrap_or_else(fresh_seed);
    let mut context =
        Context { definition, settings: &settings, directory: &directory, file: &file, seed, observer: None };
    let lines = lines.unwrap_or_else(|problem| {
        let text = format!("RETROSPECT_COVERAGE_MAP: lines are not counted: {problem}");
        report::warn(definition.test_name(), &text);
        None
    });
    context.observer = Observer::begin(&context, lines);
    if let Some(observer) = &context.observer {
        observer.run_started(&context, steered);
    }
    Some(if settings.isolate && !isolate::is_worker() {
        match isolate::Isolated::start(&context) {
            Ok(mut door) => verdict(&context, &mut door),
            Err(problem) => broken(definition, &problem),
        }
    } else {
        let door = InProcess::watched(body, Watch::begin_run(&context)).tuned(tuning).counting(lines);
        let mut door = door.with_free_arguments(definition.has_free_arguments).with_max_depth(settings.max_depth);
        match door.check_weights() {
            Ok(()) => verdict(&context, &mut door),
            Err(problem) => broken(definition, &problem.to_string()),
        }
    })
}

fn verdict(context: &Context<'_>, door: &mut dyn Door) -> Verdict {
    let mut search = Search::new(context);
    let mut found = search.run(door);
    if let (Ok(None), None, Some(problem)) = (&found, search.given(), door.problem_of_weights()) {
        found = Err(problem);
    }
    let warnings = search.warnings();
    for warning in &warnings {
        report::warn(context.definition.test_name(), warning);
    }
    let verdict = judged(context, door, &search, found);
    if let Some(observer) = &context.observer {
        observer.run_ended(&search, &warnings, &verdict);
    }
    verdict
}

fn judged(
    context: &Context<'_>,
    door: &mut dyn Door,
    search: &Search<'_>,
    found: Result<Option<Found>, String>,
) -> Verdict {
    let definition = context.definition;
    match found {
        Err(problem) => broken(definition, &problem),
        Ok(Some(_)) if context.settings.expect_failure => Verdict::Passed,
        Ok(Some(found)) => failed(context, door, search, found),
        Ok(None) if context.settings.expect_failure && search.passed > 0 => {
            broken(definition, &format!("it was expected to fail, and passed {}", search.cases_text()))
        }
        Ok(None) => match search.complaint() {
            Some(complaint) => broken(definition, &complaint),
            None => {
                // Who asks for the result says it in words of its own.
                if let Some(what) = search.given().filter(|_| !result_file::is_wanted()) {
                    report::tell(definition.test_name(), &format!("passes on {what}"));
                }
                if context.settings.verbose > 0 {
                    eprint!("{}", report::passed(context, search));
                }
                Verdict::Passed
            }
        },
    }
}

fn failed(context: &Context<'_>, door: &mut dyn Door, search: &Search<'_>, found: Found) -> Verdict {
    let finding = finding::pursue(context, door, found);
    let mut report = report::failed(context, search, &finding);
    if context.settings.all_failures {
        for (failure, choices) in &finding.others {
            let other = finding::pursue(context, door, Found::other(failure.clone(), choices.clone()));
            report.push('\n');
            report += &report::failed(context, search, &other);
        }
    }
    let facts = result_file::is_wanted().then(|| result_file::facts(context, &finding));
    Verdict::Failed { report, message: finding.found.failure.message, facts, is_broken: false }
}

/// Something is wrong with the property, rather than with what it tests.
fn broken(definition: &Definition<'_>, problem: &str) -> Verdict {
    let report = format!("FAIL  {}\n  {}\n", definition.test_name(), problem.replace('\n', "\n  "));
    Verdict::Failed { report, message: problem.to_owned(), facts: None, is_broken: true }
}

/// Where the user's crate is: as cargo says now, or as it was when the crate was compiled, or here.
fn crate_directory(definition: &Definition<'_>) -> PathBuf {
    let now = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let then = PathBuf::from(definition.crate_directory);
    for directory in [now, then] {
        if !directory.as_os_str().is_empty() && directory.is_dir() {
            return directory;
        }
    }
    PathBuf::from(".")
}

/// Another seed in every run, short enough to be typed.
fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id()) & 0xffff_ffff
}
