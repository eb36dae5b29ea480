//! One run of one property, from its settings to its verdict.

use super::crash;
use super::finding::{self, Distinct};
use super::isolate::{self, Role};
use super::observe::{self, Lines, Observer};
use super::panics;
use super::property::Definition;
use super::regressions::{self, FileProblem};
use super::report;
use super::rerun::{self, Rerun, Turn};
use super::result_file;
use super::search::{Found, Search};
use super::search_time;
use super::settings::{self, Resolved, Settings};
use super::statistics;
use super::trial::{Body, Door, InProcess};
use super::user_crate::UserCrate;
use super::watchdog::Watch;
use crate::generator::Tuning;
use crate::source::{DEFAULT_MAX_DEPTH, Weights};
use crate::stack::with_deep_stack;
use std::path::Path;

/// Runs the property; prints the report and panics if it does not hold.
pub(crate) fn run(definition: &Definition<'_>, attribute: Settings, body: &mut Body<'_>) {
    if let Verdict::Failed { report, message, .. } = conduct(definition, &attribute, body) {
        match isolate::is_inside_a_case() {
            // Once, with the case around it.
            true => statistics::note_if_wanted(&report),
            // The test harness keeps this with the test, and shows it with the failure.
            false => eprint!("{report}"),
        }
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
        /// What a program may want to know of it, if one asks; nothing if the property could not be
        /// run.
        facts: Option<result_file::Facts>,
        /// Something is wrong with the property, rather than with what it tests.
        is_broken: bool,
    },
}

/// What everything about one run can know.
pub(crate) struct Context<'c> {
    pub(crate) definition: &'c Definition<'c>,
    pub(crate) settings: &'c Resolved,
    pub(crate) user_crate: &'c UserCrate,
    /// Of the user's crate.
    pub(crate) directory: &'c Path,
    /// Where the counterexamples of this property are.
    pub(crate) file: &'c Path,
    pub(crate) seed: u64,
    pub(crate) rerun: &'c Rerun,
    /// Who writes down what happens, if somebody asks for it.
    pub(crate) observer: Option<Observer>,
}

impl Context<'_> {
    /// The file as seen from the root of the workspace, from where the compiler names files too.
    pub(crate) fn file_shown(&self) -> String {
        self.file.strip_prefix(self.user_crate.root()).unwrap_or(self.file).display().to_string()
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
    let user_crate = UserCrate::of(definition);
    let directory = user_crate.directory.as_path();
    let mut settings = match settings::resolve(attribute, user_crate.settings_file.as_ref(), directory) {
        Ok(settings) => settings,
        Err(problems) => return Some(broken(definition, &problems.to_string())),
    };
    let weights = settings.weights.as_ref().map(|file| Weights::load_some(file).map(Tuning::new)).transpose();
    let tuning = match weights {
        Ok(tuning) => tuning,
        Err(problem) => return Some(broken(definition, &problem.to_string())),
    };
    panics::name_property(definition.test_name());
    search_time::set_limit(settings.budget());
    let role = isolate::role(definition);
    if let Role::PassedOver = role {
        return None;
    }
    let turn = Turn::of(definition);
    if isolate::is_inside_a_case() {
        // The variables mean the property around this one.
        (settings.given, settings.property) = (None, None);
    } else if let Some(problem) = rerun::misnamed(&turn, definition, &settings) {
        return Some(broken(definition, &problem));
    } else if let (Role::Runner, Some(reason)) = (role, rerun::passed_over(&turn, &settings)) {
        report::tell(definition.test_name(), &reason);
        return None;
    }
    let rerun = Rerun::of(definition, &turn, &user_crate);
    let steered = match observe::steer(definition, &settings, directory, body) {
        Ok(steered) => steered,
        Err(problem) => return Some(broken(definition, &problem)),
    };
    let tuning = steered.as_ref().and_then(|steered| steered.tuning.clone()).or(tuning);
    let lines = settings.observing.coverage_map.as_ref().map_or(Ok(None), |folder| Lines::here(folder));
    if let Role::Worker = role {
        let (is_free, lines) = (definition.has_free_arguments, lines.unwrap_or_default());
        with_room_for_depth(settings.max_depth, || isolate::serve(body, tuning, is_free, settings.max_depth, lines));
    }
    let file = regressions::file_of(&settings.regressions, &definition.saved_as());
    let seed = settings.seed.unwrap_or_else(fresh_seed);
    let mut context = Context {
        definition,
        settings: &settings,
        user_crate: &user_crate,
        directory,
        file: &file,
        seed,
        rerun: &rerun,
        observer: None,
    };
    let lines = lines.unwrap_or_else(|problem| {
        let text = format!("RETROSPECT_COVERAGE_MAP: lines are not counted: {problem}");
        report::warn(definition.test_name(), &text);
        None
    });
    context.observer = Observer::begin(&context, lines);
    if let Some(observer) = &context.observer {
        observer.run_started(&context, steered);
    }
    let last_death = crash::last_death(definition);
    Some(if settings.isolate && !isolate::is_worker() {
        match isolate::Isolated::start(&context) {
            Ok(mut door) => verdict(&context, &mut door),
            Err(problem) => broken(definition, &problem),
        }
    } else {
        if let Some(death) = last_death {
            report::warn(definition.test_name(), &death);
        }
        let door = InProcess::watched(body, Watch::begin_run(&context)).tuned(tuning).counting(lines);
        let mut door = door.with_free_arguments(definition.has_free_arguments).with_max_depth(settings.max_depth);
        match door.check_weights() {
            Ok(()) => with_room_for_depth(settings.max_depth, || verdict(&context, &mut door)),
            Err(problem) => broken(definition, &problem.to_string()),
        }
    })
}

/// Runs cases of this depth. What a test thread does not survive needs a larger stack.
fn with_room_for_depth<R>(max_depth: u32, run: impl FnOnce() -> R) -> R {
    if max_depth > DEFAULT_MAX_DEPTH { with_deep_stack(run) } else { run() }
}

fn verdict(context: &Context<'_>, door: &mut dyn Door) -> Verdict {
    let mut search = Search::new(context);
    let mut found = search.run(door);
    let distinct = std::mem::take(&mut search.distinct);
    if let (Ok(None), None, Some(problem)) = (&found, search.given(), door.problem_of_weights()) {
        found = Err(problem);
    }
    let warnings = search.warnings();
    for warning in &warnings {
        report::warn(context.definition.test_name(), warning);
    }
    if let (Ok(None), Some(note)) = (&found, search.note_of_discards()) {
        report::tell(context.definition.test_name(), &note);
    }
    let verdict = judged(context, door, &search, found, distinct);
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
    distinct: Distinct,
) -> Verdict {
    let definition = context.definition;
    match found {
        Err(problem) => broken(definition, &problem),
        Ok(Some(_)) if context.settings.expect_failure => Verdict::Passed,
        Ok(Some(found)) => failed(context, door, found, distinct),
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

fn failed(context: &Context<'_>, door: &mut dyn Door, found: Found, mut distinct: Distinct) -> Verdict {
    let finding = finding::pursue(context, door, found, &mut distinct, "");
    let mut report = report::failed(context, &finding);
    if context.settings.all_failures {
        let mut told = vec![finding.found.clone()];
        while let Some(found) = distinct.next() {
            let other = finding::pursue(context, door, found, &mut distinct, &format!("{report}\n"));
            // Several messages may have been those of one failure.
            let is_told =
                |found: &Found| found.failure.is_at_site_of(&other.found.failure) && found.values == other.found.values;
            if !told.iter().any(is_told) {
                report.push('\n');
                report += &report::failed(context, &other);
                told.push(other.found);
            }
        }
    }
    let facts = result_file::is_wanted().then(|| result_file::facts(context, &finding));
    Verdict::Failed { report, message: finding.found.failure.message, facts, is_broken: false }
}

/// Something is wrong with the property, rather than with what it tests.
fn broken(definition: &Definition<'_>, problem: &str) -> Verdict {
    let report = format!("FAIL  {}\n  {}\n", definition.test_name(), problem.replace('\n', "\n  "));
    let report = report::visible(&report).into_owned();
    Verdict::Failed { report, message: problem.to_owned(), facts: None, is_broken: true }
}

/// Another seed in every run, short enough to be typed.
fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0) & 0xffff_ffff
}
