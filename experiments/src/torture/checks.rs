//! What is checked of one composition.

use super::driver::{LONGEST_WAIT, LONGEST_WORK, SIZES, processor_seconds};
use super::hardness::Hardness;
use super::minimal::{self, Simpler};
use super::property::{Composition, Diary, Extra, Form, Property, thread_seconds};
use super::spec::{Spec, USER};
use retrospect::laws::{Law, Laws};
use retrospect::prelude::*;
use retrospect::runner::{Settings, tool};
use retrospect::source::Source;
use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The stack of a test thread.
const TEST_STACK: usize = 2 << 20;
/// How long everything between two bodies may take, in seconds of processor time.
const LONGEST_CASE: f64 = 2.0;
/// A generator with more values than this is not listed.
const MAX_ENUMERATED: usize = 300;
/// The folder of saved cases.
pub const SAVED: &str = "regressions";

/// A promise that is not kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// Which promise.
    pub kind: String,
    /// What was seen.
    pub detail: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}\n{}", self.kind, self.detail)
    }
}

fn violation(kind: &str, detail: impl Into<String>) -> Violation {
    Violation { kind: kind.to_owned(), detail: detail.into() }
}

/// A composition in a test of its own: its name, and where its files are.
#[derive(Clone, Debug)]
pub struct Test {
    pub composition: Composition,
    /// Measured once: it decides how many cases are run.
    pub hardness: Hardness,
    pub name: String,
    pub seed: u64,
    pub folder: PathBuf,
}

// Functions of their own: several checks in one function are known by the order in which they first
// ran.

fn of_argument(check: Check, property: &Property<'_>) -> Option<String> {
    check.failure(property.argument(), |value| property.body_of(value))
}

fn of_case(check: Check, property: &Property<'_>) -> Option<String> {
    check.failure_of_case(|case| property.body(case))
}

fn of_two_checks(check: Check, property: &Property<'_>) -> Option<String> {
    let first = check.clone().failure_of_case(|case| {
        let _ = case.draw(0..=9);
    });
    assert_eq!(first, None, "{USER} the first of two checks passes");
    check.failure_of_case(|case| property.body(case))
}

fn of_loop(check: &Check, property: &Property<'_>) -> Option<String> {
    let mut report = None;
    for round in 0..3 {
        report = check.clone().failure_of_case(|case| match round {
            2 => property.body(case),
            _ => {
                let _ = case.draw(0..=9);
                Ok(())
            }
        });
    }
    report
}

/// What one composition came to.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    pub violations: Vec<Violation>,
    pub failed: bool,
    pub minimal: bool,
    pub replayed: bool,
    /// It was called minimal, and a simpler case fails that is more than one change away.
    pub beaten: bool,
    /// It was not examined.
    pub skipped: bool,
    pub bodies: u64,
}

impl Test {
    /// Checks everything there is to check of this composition.
    ///
    /// Compositions with hard conditions take most of the time and say little, so only one in 32 of
    /// them is run. The seed decides, apart from what it says about the size.
    pub fn examine(&self) -> Findings {
        let mut findings = Findings::default();
        match self.hardness {
            Hardness::Easy => {
                self.check_laws(&mut findings);
                self.check_interpretations(&mut findings);
                self.check_enumeration(&mut findings);
            }
            Hardness::Hard | Hardness::Nested if (self.seed / SIZES.len() as u64).is_multiple_of(32) => {}
            Hardness::Hard | Hardness::Nested => return Findings { skipped: true, ..findings },
        }
        if findings.violations.is_empty() {
            self.check_run(&mut findings);
        }
        findings
    }

    /// The property as a test runs it: the report, if it fails.
    pub fn report(&self, saves: bool) -> Option<String> {
        // Where nothing is saved, nothing that was saved before is run.
        let regressions = self.folder.join(if saves { SAVED } else { "none" });
        let cases = if self.hardness == Hardness::Easy { 60 } else { 3 };
        let settings = Settings::new().cases(cases).seed(self.seed).save(saves).regressions(regressions);
        let settings = settings.shrink_runs(400).shrink_time(Duration::from_secs(600));
        let settings = if self.composition.extra == Extra::Isolated { settings.isolate(true) } else { settings };
        let check = Check::new().with(settings);
        let property = self.composition.build();
        match self.composition.form {
            Form::Argument => of_argument(check, &property),
            Form::Case => of_case(check, &property),
            Form::Second => of_two_checks(check, &property),
            Form::Loop => of_loop(&check, &property),
        }
    }

    fn check_laws(&self, findings: &mut Findings) {
        for spec in self.composition.specs() {
            if spec.has(|spec| spec.panics() || spec.is_function()) {
                continue;
            }
            let has_condition = spec.has(|spec| spec.condition().is_some());
            let is_forward = spec.has(Spec::is_forward);
            let cannot_read = |spec: &Spec| {
                matches!(
                    spec,
                    Spec::MapWithInverse(_)
                        | Spec::HashSet(..)
                        | Spec::HashMap(..)
                        | Spec::Ends(_)
                        | Spec::Bound(_)
                        | Spec::MapWithFocus(_)
                        | Spec::BindPair(..)
                        | Spec::BindLength(..)
                        | Spec::Sequence(..)
                        | Spec::FromShrinkTree(_)
                        | Spec::ShrinkWith(_)
                )
            };
            let laws = Laws::default().cases(15).seed(self.seed);
            let laws = if spec.has(cannot_read) { laws.without_reading() } else { laws };
            let laws = if is_forward { laws.forward_only() } else { laws };
            let verified = in_test_thread(&self.name, || {
                let built = spec.build();
                laws.verify(&built).map_err(|broken| (broken.law(), broken.to_string()))
            });
            match verified {
                Ok(Ok(())) => {}
                // A condition may refuse the simplest value, or every value.
                Ok(Err((Law::Ends, _))) if has_condition => {}
                Ok(Err((_, text))) if has_condition && text.contains("it cannot be generated") => {}
                Ok(Err((law, text))) => {
                    findings.violations.push(violation(&format!("law {law:?}"), format!("{spec:?}\n{text}")));
                }
                Err(panicked) => {
                    findings.violations.push(violation("panic in the laws", format!("{spec:?}\n{panicked}")))
                }
            }
        }
    }

    /// Everything that can be called on a generator: none of it panics, and none of it takes long
    /// on a small value.
    fn check_interpretations(&self, findings: &mut Findings) {
        for spec in self.composition.specs() {
            if spec.has(Spec::panics) {
                continue;
            }
            match in_test_thread(&self.name, || self.slow_interpretations(spec)) {
                Ok(slow) if slow.is_empty() => {}
                Ok(slow) => findings.violations.push(violation("slow", format!("{}: {spec:?}", slow.join(", ")))),
                Err(panicked) => {
                    findings.violations.push(violation("panic in an interpretation", format!("{spec:?}\n{panicked}")));
                }
            }
        }
    }

    /// Where all values can be listed, whatever is drawn is among them.
    fn check_enumeration(&self, findings: &mut Findings) {
        for spec in self.composition.specs() {
            if spec.has(|spec| spec.panics() || spec.is_function()) {
                continue;
            }
            let left_out = in_test_thread(&self.name, || {
                let built = spec.build();
                let mut enumerated = built.enumerate().ask_at_most(20_000);
                // Counted with those that come again: a value may have any number of ways.
                let mut all = Vec::new();
                loop {
                    match enumerated.try_next() {
                        Ok(Some(value)) if all.len() < MAX_ENUMERATED => all.push(format!("{value:?}")),
                        Ok(None) => break,
                        Ok(Some(_)) | Err(_) => return None,
                    }
                }
                let all: BTreeSet<String> = all.into_iter().collect();
                let drawn = (0..50).filter_map(|seed| built.generate(&mut Source::random(seed).with_size(8)).ok());
                drawn.map(|value| format!("{value:?}")).find(|drawn| !all.contains(drawn))
            });
            if let Ok(Some(value)) = left_out {
                findings.violations.push(violation("left out by enumerate", format!("{value}: {spec:?}")));
            }
        }
    }

    fn slow_interpretations(&self, spec: &Spec) -> Vec<&'static str> {
        let built = spec.build();
        let mut source = Source::random(self.seed).with_size(8);
        let Ok(value) = built.generate(&mut source) else { return Vec::new() };
        let mut slow = Vec::new();
        let mut timed = |name, call: &mut dyn FnMut()| {
            let started = thread_seconds();
            call();
            if thread_seconds() - started > LONGEST_CASE && value.size() < 40 {
                slow.push(name);
            }
        };
        timed("overlap", &mut || drop(built.ways_of(&value).count()));
        timed("simplest_choices_of", &mut || drop(built.ways_of(&value).simplest()));
        timed("probability_of", &mut || drop(built.ways_of(&value).probability()));
        timed("mutants", &mut || {
            if let Ok(mutants) = built.mutants(&value, self.seed) {
                let _ = mutants.take(5).count();
            }
        });
        timed("splice", &mut || drop(built.splice(&value, &value, self.seed)));
        timed("reflections", &mut || {
            let _ = built.ways_of(&value).iter().take(5).count();
        });
        timed("likeliest_way", &mut || drop(built.ways_of(&value).likeliest()));
        timed("gradient", &mut || {
            let first: Vec<_> = built.gradient().take(3).collect();
            for (_, after) in first {
                let _ = (after.accepts(&value), after.is_void());
            }
        });
        timed("enumerate", &mut || {
            let mut enumerated = built.enumerate().ask_at_most(20_000);
            let _ = (0..20).take_while(|_| matches!(enumerated.try_next(), Ok(Some(_)))).count();
        });
        timed("fill", &mut || drop(built.fill("_", self.seed)));
        timed("read", &mut || drop(built.read(&format!("{value:?}"))));
        timed("shrink", &mut || {
            let condition = &self.composition.faults[0].when;
            let holds = condition.holds(&value);
            let mut count = 0;
            drop(built.shrink(value.clone(), |smaller| {
                count += 1;
                count < 300 && condition.holds(smaller) == holds
            }));
        });
        slow
    }

    fn check_run(&self, findings: &mut Findings) {
        if matches!(self.composition.extra, Extra::Hangs(_)) {
            return self.check_hanging(findings);
        }
        let run = |saves| {
            in_test_thread(&self.name, || {
                Diary::begin();
                let report = self.report(saves);
                (report, Diary::end())
            })
        };
        let (report, diary) = match run(true) {
            Ok(ran) => ran,
            Err(panicked) => return findings.violations.push(violation("panic in the library", panicked)),
        };
        findings.bodies += diary.count;
        if diary.longest > LONGEST_CASE && self.hardness == Hardness::Easy {
            let detail = format!("{:.1} s of processor time between two bodies", diary.longest);
            findings.violations.push(violation("slow", detail));
        }
        let Some(report) = report else { return };
        findings.failed = true;
        if self.hardness != Hardness::Easy && !report.contains("panicked at crates/retrospect/src") {
            return;
        }
        let mut complain = |kind: &str, detail: String| findings.violations.push(violation(kind, detail));
        if let Some(place) = report.lines().find(|line| line.contains("panicked at crates/retrospect/src")) {
            complain("panic in the library", format!("{place}\n{report}"));
            return;
        }
        let is_flaky = self.composition.is_flaky();
        let has_replay_line = report.lines().any(|line| line.starts_with("  replay:  "));
        if !has_replay_line {
            let is_due = ["discarded", "filter", "condition"].iter().any(|word| report.contains(word));
            match is_due {
                true if !report.contains("assume!") => complain("conditions that many values satisfy", report),
                true => {}
                false => complain("a report without a case", report),
            }
            return;
        }
        if !is_flaky
            && self.composition.extra != Extra::Isolated
            && let Some(problem) = self.wrong_values(&report, &diary)
        {
            complain("values of the report", format!("{problem}\n{report}"));
        }
        // The same seed, without the files.
        if !is_flaky {
            match run(false) {
                Ok((Some(again), _)) => {
                    let (one, other) = (masked(&report), masked(&again));
                    if one != other {
                        complain("another report from the same seed", format!("{one}\n--\n{other}"));
                    }
                }
                Ok((None, _)) => complain("another report from the same seed", format!("{report}\n-- it passes")),
                Err(panicked) => complain("panic in the library", panicked),
            }
        }
        let saved = match self.saved() {
            Ok(saved) => saved,
            Err(problem) => {
                complain("the file of saved cases", problem);
                return;
            }
        };
        if is_flaky {
            return;
        }
        if saved.is_empty() {
            complain("nothing is saved", report.clone());
        }
        match self.replay_line_fails(&report) {
            Ok(()) => findings.replayed = true,
            Err(problem) => findings.violations.push(violation("replay line", format!("{problem}\n{report}"))),
        }
        // Saved cases come first and fail again.
        match run(true) {
            Ok((Some(again), _)) if again.contains("fails again") => {}
            Ok((again, _)) => {
                let detail = format!("{report}\n--\n{}", again.unwrap_or_default());
                findings.violations.push(violation("the saved case does not fail again", detail));
            }
            Err(panicked) => findings.violations.push(violation("panic in the library", panicked)),
        }
        if report.contains("  minimal case (") {
            findings.minimal = true;
            if let Some(saved) = saved.iter().find(|case| case.is_minimal).and_then(|case| case.choices.as_ref()) {
                self.check_minimal(saved, &report, findings);
            }
        }
    }

    /// What a hanging candidate of shrinking must not hide: the failure that is known.
    fn check_hanging(&self, findings: &mut Findings) {
        let program = std::env::current_exe().expect("the program is known");
        let mut command = Command::new(program);
        command.arg(&self.name).arg("--exact");
        match output_of(command) {
            Ok((_, output)) if output.contains("overflowed its stack") => {
                findings.violations.push(violation("abort", output));
            }
            Ok((true, _)) => {}
            Ok((false, output)) if output.contains("FAIL  ") => findings.failed = true,
            Ok((false, output)) => findings.violations.push(violation("a report without a case", output)),
            Err(problem) => findings.violations.push(violation("hang", problem)),
        }
    }

    /// Whether what is shown are the values and the message of a run that failed.
    fn wrong_values(&self, report: &str, diary: &Diary) -> Option<String> {
        if self.composition.has(|spec| spec.panics() || spec.is_function()) {
            return None;
        }
        let shown: Vec<&str> = report.lines().filter_map(|line| line.strip_prefix("      let ")).collect();
        let is_shown = |drawn: &[String]| {
            let fits = |(line, text): (&&str, &String)| {
                let beginning: String = text.chars().take(1_900).collect();
                line.split_once(" = ").is_some_and(|(_, value)| value.starts_with(&beginning))
            };
            drawn.len() == shown.len() && shown.iter().zip(drawn).all(fits)
        };
        let fits = diary.failed.iter().any(|ran| report.contains(ran.message) && is_shown(&ran.drawn));
        (!fits).then(|| format!("no run failed with these values and this message, of {}", diary.failed.len()))
    }

    fn saved(&self) -> Result<Vec<tool::SavedCase>, String> {
        let mut cases = Vec::new();
        for file in files_in(&self.folder.join(SAVED)) {
            let loaded = tool::load(&file).map_err(|problem| problem.to_string())?;
            if let Some(broken) = loaded.broken.first() {
                return Err(format!("{}: {broken}", file.display()));
            }
            cases.extend(loaded.cases);
        }
        Ok(cases)
    }

    /// Runs the command of the report in a shell, in which `cargo` is this program.
    fn replay_line_fails(&self, report: &str) -> Result<(), String> {
        let line = report.lines().find_map(|line| line.strip_prefix("  replay:  ")).unwrap_or_default();
        let mut command = Command::new("sh");
        command.arg("-c").arg(line).env("PATH", path_with(&self.folder.join("bin"))?);
        let (passed, output) = output_of(command)?;
        let Some(message) = message_of(report) else { return Err("no message".to_owned()) };
        match (passed, output.contains("FAIL  ") && output.contains(message)) {
            (false, true) => Ok(()),
            (true, _) => Err(format!("it passes: {output}")),
            (false, false) => Err(format!("it fails otherwise: {output}")),
        }
    }

    fn check_minimal(&self, saved: &str, report: &str, findings: &mut Findings) {
        // What is told not to shrink, or how, is not measured by the order of all others. Functions
        // are tables of what they were asked.
        let is_told = |spec: &Spec| {
            matches!(spec, Spec::NoShrink(_) | Spec::ShrinkWith(_) | Spec::FromShrinkTree(_)) || spec.is_function()
        };
        if self.composition.has(is_told) || matches!(self.composition.extra, Extra::Slow(_)) {
            return;
        }
        let Ok(choices) = saved.parse::<Choices>() else {
            return findings.violations.push(violation("the file of saved cases", saved));
        };
        let simpler = in_test_thread(&self.name, || minimal::simpler(&self.composition.build(), &choices));
        match simpler {
            Ok(Ok(None)) => {}
            Ok(Ok(Some(Simpler::Near(simpler)))) => {
                findings.violations.push(violation("not minimal", format!("{simpler}\n{report}")));
            }
            // Known limit: "minimal" says that no pass finds anything simpler. A value that is
            // several changes away, or a number among many that fail by chance, may still be
            // simpler. These are counted.
            Ok(Ok(Some(Simpler::Far))) => findings.beaten = true,
            Ok(Err(problem)) => findings.violations.push(violation("saved choices", format!("{problem}\n{report}"))),
            Err(panicked) => findings.violations.push(violation("panic in the library", panicked)),
        }
    }
}

/// The first line of what the failure says.
fn message_of(report: &str) -> Option<&str> {
    let mut lines = report.lines().skip_while(|line| !line.starts_with("  panicked at ") && *line != "  failed:");
    lines.nth(1).map(str::trim)
}

/// The report without what may differ: times, what is said of files and commands, and how many runs
/// shrinking took, since some of its searches have a limit in time.
fn masked(report: &str) -> String {
    let mut text = String::new();
    for line in report.lines() {
        let line = line.replace("smallest case found (not everything simpler was tried; ", "minimal case (");
        let line = match (line.find(", then "), line.find(" found nothing simpler")) {
            (Some(start), Some(end)) if start < end => {
                line[..start].to_owned() + &line[end + " found nothing simpler".len()..]
            }
            _ => line,
        };
        if ["  saved: ", "  replay:  ", "  go on shrinking:  ", "  not saved: "]
            .iter()
            .any(|start| line.starts_with(start))
        {
            continue;
        }
        let words: Vec<&str> = line.split(' ').collect();
        for (place, word) in words.iter().enumerate() {
            let is_unit = |next: &&str| ["ms", "s"].contains(&next.trim_end_matches(['.', ',', ':', ';', ')']));
            let is_time =
                word.trim_start_matches('(').parse::<f64>().is_ok() && words.get(place + 1).is_some_and(is_unit);
            text += if words.get(place + 1).is_some_and(|next| next.starts_with("runs")) {
                "RUNS"
            } else if is_time {
                "TIME"
            } else if is_unit(word) {
                "UNIT"
            } else {
                word
            };
            text.push(' ');
        }
        text.push('\n');
    }
    text
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(files_in(&path));
        } else {
            files.push(path);
        }
    }
    files
}

/// A search path on which `cargo` is a script that runs the named test in this program. The script
/// is written anew each time: one that was left behind may belong to another version of the
/// program.
fn path_with(folder: &Path) -> Result<String, String> {
    use std::os::unix::fs::PermissionsExt;
    let shim = folder.join("cargo");
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let write = || {
        std::fs::create_dir_all(folder)?;
        std::fs::write(&shim, format!("#!/bin/sh\nshift\nexec '{}' \"$@\"\n", program.display()))?;
        std::fs::set_permissions(&shim, std::fs::Permissions::from_mode(0o755))
    };
    write().map_err(|error| error.to_string())?;
    Ok(format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default()))
}

/// Whether a command succeeded, and what it said.
pub fn output_of(mut command: Command) -> Result<(bool, String), String> {
    let output = tempfile()?;
    let file = |path: &Path| std::fs::File::create(path).map_err(|error| error.to_string());
    let both = file(&output)?;
    let errors = both.try_clone().map_err(|error| error.to_string())?;
    let child = command.stdin(Stdio::null()).stdout(both).stderr(errors).spawn();
    let mut child = child.map_err(|error| error.to_string())?;
    let started = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            // The machine may have much else to do.
            Ok(None) if started.elapsed() > LONGEST_WAIT || processor_seconds(child.id()) > LONGEST_WORK => break None,
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            Err(error) => return Err(error.to_string()),
        }
    };
    if status.is_none() {
        let _ = child.kill();
        let _ = child.wait();
    }
    let text = String::from_utf8_lossy(&std::fs::read(&output).unwrap_or_default()).into_owned();
    let _ = std::fs::remove_file(&output);
    match status {
        Some(status) => Ok((status.success(), text)),
        None => Err(format!("not over after {} s: {text}", started.elapsed().as_secs())),
    }
}

fn tempfile() -> Result<PathBuf, String> {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let folder = std::env::temp_dir().join("retrospect-torture");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    Ok(folder.join(format!("output-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))))
}

thread_local! {
    /// Where the last panic was that nobody else took notice of.
    static PANICKED: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Panics that reach the hook are remembered instead of printed.
pub fn keep_panics_quiet() {
    panic::set_hook(Box::new(|info| {
        let text = format!(
            "panicked at {}: {}",
            info.location().map_or(String::new(), ToString::to_string),
            text_of(info.payload())
        );
        let _ = PANICKED.try_with(|slot| *slot.borrow_mut() = text);
    }));
}

fn text_of(payload: &(dyn Any + Send)) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "no text".to_owned(),
    }
}

/// Runs something in a thread like that of a test, and says where it panicked if it did.
fn in_test_thread<T: Send>(name: &str, run: impl FnOnce() -> T + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let caught = || {
            catch_unwind(AssertUnwindSafe(run))
                .map_err(|payload| format!("{}\n{}", PANICKED.with_borrow(Clone::clone), text_of(&*payload)))
        };
        let thread = std::thread::Builder::new().name(name.to_owned()).stack_size(TEST_STACK);
        thread
            .spawn_scoped(scope, caught)
            .expect("a thread starts")
            .join()
            .unwrap_or_else(|_| Err("it ended".to_owned()))
    })
}
