//! Compositions in child processes, so that one that aborts or hangs is known by its seed.

use super::checks::{Findings, SAVED, Test, Violation, keep_panics_quiet};
use super::property::Composition;
use retrospect::prelude::*;
use retrospect::source::Source;
use std::ffi::OsStr;
use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// What the name of a test begins with.
pub const TEST_PREFIX: &str = "composition_";
/// Where a worker keeps its files.
const FOLDER: &str = "TORTURE_FOLDER";
/// What [`Plan::skip`] says, separated by commas.
const SKIP: &str = "TORTURE_SKIP";
/// A file with the text of the composition, instead of a seed.
const TEXT: &str = "TORTURE_TEXT";
/// How much processor time one composition may take in a worker, or a command that replays it, and
/// how much time altogether.
pub const LONGEST_WORK: f64 = 60.0;
pub const LONGEST_WAIT: Duration = Duration::from_secs(600);
/// The sizes that compositions are drawn at, in turn. Small ones are most: they run in a moment,
/// and break in most of the ways that large ones do.
pub const SIZES: [u32; 6] = [2, 4, 6, 8, 12, 20];
/// How many compositions a worker gets at a time.
const BATCH: u64 = 25;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    pub seed: u64,
    /// How many compositions, unless the time is over before.
    pub count: u64,
    pub time: Option<Duration>,
    pub jobs: usize,
    /// Compositions whose text contains one of these words are passed over.
    pub skip: Vec<String>,
    /// Whether what is found is made smaller.
    pub shrinks: bool,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub compositions: u64,
    pub bodies: u64,
    pub failed: u64,
    pub minimal: u64,
    /// Called minimal, although a simpler case fails that is more than one change away.
    pub beaten: u64,
    pub replayed: u64,
    pub found: Vec<Found>,
}

impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { compositions, bodies, failed, minimal, beaten, replayed, found } = self;
        write!(formatter, "{compositions} compositions, {bodies} cases; {failed} failed, {minimal} of them minimal ")?;
        write!(formatter, "(a simpler case was far away for {beaten}), ")?;
        write!(formatter, "{replayed} replayed; {} broken promises", found.len())
    }
}

/// A composition that breaks a promise.
#[derive(Clone, Debug)]
pub struct Found {
    pub seed: u64,
    pub violation: Violation,
}

/// The composition of a seed.
pub fn composition_of(seed: u64) -> Composition {
    let size = SIZES[(seed % SIZES.len() as u64) as usize];
    let mut source = Source::random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)).with_size(size);
    any::<Composition>().generate(&mut source).expect("compositions are always made")
}

/// Runs compositions in workers until all were run or the time is over.
pub fn run(plan: &Plan, tell: &(dyn Fn(&str) + Sync)) -> Summary {
    let started = Instant::now();
    let next = std::sync::Mutex::new(plan.seed);
    let end = plan.seed.saturating_add(plan.count);
    let summary = std::sync::Mutex::new(Summary::default());
    std::thread::scope(|scope| {
        for job in 0..plan.jobs {
            let (next, summary) = (&next, &summary);
            scope.spawn(move || {
                let folder = folder(&format!("{}-{job}", std::process::id()));
                loop {
                    let batch = {
                        let mut next = next.lock().expect("nobody panicked");
                        let is_over = *next >= end || plan.time.is_some_and(|time| started.elapsed() >= time);
                        if is_over {
                            break;
                        }
                        let first = *next;
                        *next = (first + BATCH).min(end);
                        first..*next
                    };
                    let found = run_batch(batch, &folder, &plan.skip.join(","), summary);
                    for one in found {
                        tell(&format!("seed {:#x}: {}\n", one.seed, one.violation));
                        if plan.shrinks && one.violation.kind != "hang" {
                            let (smaller, violation) = shrunk(&one, &folder);
                            tell(&format!("seed {:#x}, made smaller: {smaller:?}\n{violation}\n", one.seed));
                        } else {
                            tell(&format!("seed {:#x}: {:?}\n", one.seed, composition_of(one.seed)));
                        }
                        summary.lock().expect("nobody panicked").found.push(one);
                    }
                    let summary = summary.lock().expect("nobody panicked");
                    tell(&format!("{:.0} s: {summary}", started.elapsed().as_secs_f64()));
                }
                let _ = std::fs::remove_dir_all(&folder);
            });
        }
    });
    summary.into_inner().expect("nobody panicked")
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join("retrospect-torture").join(name);
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    folder
}

/// Runs some compositions, in a new worker after each that ends it.
fn run_batch(
    seeds: std::ops::Range<u64>,
    folder: &Path,
    skip: &str,
    summary: &std::sync::Mutex<Summary>,
) -> Vec<Found> {
    let mut found = Vec::new();
    let mut next = seeds.start;
    while next < seeds.end {
        let arguments = [next.to_string(), seeds.end.to_string()];
        let mut worker = Worker::start(&arguments, &[(SKIP, skip.as_ref())], folder);
        while next < seeds.end {
            let Ended { findings, ended } = worker.next();
            let mut summary = summary.lock().expect("nobody panicked");
            summary.compositions += u64::from(!findings.skipped);
            summary.bodies += findings.bodies;
            summary.failed += u64::from(findings.failed);
            summary.minimal += u64::from(findings.minimal);
            summary.beaten += u64::from(findings.beaten);
            summary.replayed += u64::from(findings.replayed);
            found.extend(findings.violations.into_iter().map(|violation| Found { seed: next, violation }));
            next += 1;
            if ended {
                break;
            }
        }
    }
    found
}

/// A process that checks compositions and tells what it finds, line by line.
struct Worker {
    child: Child,
    lines: mpsc::Receiver<String>,
    errors: PathBuf,
}

/// What a worker said of one composition, and whether that was the end of it.
struct Ended {
    findings: Findings,
    ended: bool,
}

impl Worker {
    fn start(arguments: &[String], variables: &[(&str, &OsStr)], folder: &Path) -> Worker {
        let program = std::env::current_exe().expect("the program is known");
        let errors = folder.join("errors");
        let mut command = Command::new("sh");
        // What asks for more memory than a test ever needs is ended.
        command.arg("-c").arg("ulimit -v 12000000; exec \"$0\" \"$@\"").arg(program);
        command.arg("torture").arg("--worker").args(arguments).env(FOLDER, folder).stdin(Stdio::null());
        command.env("RUST_BACKTRACE", "0").env("CARGO_MANIFEST_DIR", folder);
        for (name, value) in variables {
            command.env(name, value);
        }
        let file = std::fs::File::create(&errors).expect("a temporary file");
        let mut child = command.stdout(Stdio::piped()).stderr(file).spawn().expect("a worker starts");
        let output = child.stdout.take().expect("it has an output");
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Worker { child, lines, errors }
    }

    /// Waits for what it says of the next composition.
    fn next(&mut self) -> Ended {
        let (started, worked) = (Instant::now(), processor_seconds(self.child.id()));
        let mut findings = Findings::default();
        loop {
            match self.lines.recv_timeout(Duration::from_millis(500)) {
                Ok(line) => match line.split_once(' ') {
                    Some((VIOLATION, text)) => {
                        let text = unescaped(text);
                        let (kind, detail) = text.split_once('\n').unwrap_or((&text, ""));
                        findings.violations.push(Violation { kind: kind.to_owned(), detail: detail.to_owned() });
                    }
                    Some((END, numbers)) => {
                        let numbers: Vec<u64> = numbers.split(' ').filter_map(|word| word.parse().ok()).collect();
                        if let [failed, minimal, beaten, replayed, skipped, bodies] = numbers[..] {
                            let is = |number| number > 0;
                            findings = Findings {
                                failed: is(failed),
                                minimal: is(minimal),
                                beaten: is(beaten),
                                replayed: is(replayed),
                                skipped: is(skipped),
                                bodies,
                                ..findings
                            };
                        }
                        return Ended { findings, ended: false };
                    }
                    // What bodies print.
                    _ => {}
                },
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    let work = processor_seconds(self.child.id()) - worked;
                    if work < LONGEST_WORK && started.elapsed() < LONGEST_WAIT {
                        continue;
                    }
                    let _ = self.child.kill();
                    let wait = started.elapsed().as_secs();
                    let detail = format!("not over after {work:.0} s of processor time, {wait} s in all");
                    findings.violations.push(Violation { kind: "hang".to_owned(), detail });
                    return Ended { findings, ended: true };
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    let status = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
                    let errors = std::fs::read(&self.errors).unwrap_or_default();
                    let errors = String::from_utf8_lossy(&errors).into_owned();
                    let end: String = errors.chars().skip(errors.chars().count().saturating_sub(2000)).collect();
                    findings
                        .violations
                        .push(Violation { kind: "abort".to_owned(), detail: format!("{status}\n{end}") });
                    return Ended { findings, ended: true };
                }
            }
        }
    }
}

/// The processor time that a process has taken, in seconds.
pub fn processor_seconds(process: u32) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name of the program, in brackets, may hold spaces. Ticks are hundredths of a second.
    let numbers = text.rsplit(')').next().unwrap_or_default().split(' ');
    numbers.skip(12).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How many smaller compositions are tried, and for how long.
const MAX_SMALLER: u32 = 150;
const LONGEST_SHRINKING: Duration = Duration::from_secs(60);

/// A smaller composition that breaks the same promise.
fn shrunk(found: &Found, folder: &Path) -> (Composition, Violation) {
    let composition = composition_of(found.seed);
    let file = folder.join("composition.txt");
    let started = Instant::now();
    let mut best = found.violation.clone();
    let mut count = 0;
    let smallest = any::<Composition>().shrink(composition.clone(), |candidate| {
        count += 1;
        if *candidate == composition {
            return true;
        }
        if count > MAX_SMALLER || started.elapsed() > LONGEST_SHRINKING {
            return false;
        }
        std::fs::write(&file, format!("{candidate:?}")).expect("a temporary file");
        let mut worker =
            Worker::start(&[found.seed.to_string(), (found.seed + 1).to_string()], &[(TEXT, file.as_os_str())], folder);
        let violations = worker.next().findings.violations;
        match violations.into_iter().find(|violation| violation.kind == found.violation.kind) {
            Some(violation) => {
                best = violation;
                true
            }
            None => false,
        }
    });
    (smallest.map_or(composition, |smallest| smallest.value), best)
}

const VIOLATION: &str = "##violation";
const END: &str = "##end";

/// Checks compositions in this process and says what it finds: what a worker does.
pub fn work(seeds: std::ops::Range<u64>) -> ExitCode {
    keep_panics_quiet();
    let skip = std::env::var(SKIP).unwrap_or_default();
    for seed in seeds {
        let test = test_of(seed);
        let text = format!("{:?}", test.composition);
        let is_skipped = skip.split(',').any(|word| !word.is_empty() && text.contains(word));
        let _ = std::fs::remove_dir_all(test.folder.join(SAVED));
        let findings = if is_skipped { Findings { skipped: true, ..Findings::default() } } else { test.examine() };
        let mut out = std::io::stdout().lock();
        for violation in &findings.violations {
            let _ = writeln!(out, "\n{VIOLATION} {}", escaped(&violation.to_string()));
        }
        let Findings { failed, minimal, beaten, replayed, skipped, bodies, .. } = findings;
        let flags = [failed, minimal, beaten, replayed, skipped].map(|flag| u8::from(flag).to_string());
        let _ = writeln!(out, "\n{END} {} {bodies}", flags.join(" "));
        let _ = out.flush();
    }
    ExitCode::SUCCESS
}

/// Runs one composition as a test harness would: the report is printed if it fails.
pub fn run_test(name: &str) -> ExitCode {
    let seed = name.strip_prefix(TEST_PREFIX).and_then(|hex| u64::from_str_radix(hex, 16).ok());
    let Some(seed) = seed else { return ExitCode::FAILURE };
    let test = test_of(seed);
    let run = move || match test.report(true) {
        Some(report) => {
            println!("{report}");
            ExitCode::from(101)
        }
        None => ExitCode::SUCCESS,
    };
    let thread = std::thread::Builder::new().name(name.to_owned()).stack_size(2 << 20).spawn(run);
    thread.expect("a thread starts").join().unwrap_or(ExitCode::from(102))
}

fn test_of(seed: u64) -> Test {
    let folder = PathBuf::from(std::env::var_os(FOLDER).unwrap_or_else(|| folder("alone").into_os_string()));
    let composition = match std::env::var_os(TEXT) {
        Some(file) => {
            let text = std::fs::read_to_string(file).expect("the file of the composition");
            any::<Composition>().read(&text).unwrap_or_else(|error| panic!("{error}"))
        }
        None => composition_of(seed),
    };
    Test { hardness: composition.hardness(), composition, name: format!("{TEST_PREFIX}{seed:x}"), seed, folder }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

fn unescaped(text: &str) -> String {
    text.replace("\\\\", "\0").replace("\\n", "\n").replace('\0', "\\")
}
