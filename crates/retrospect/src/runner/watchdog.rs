//! Telling of a case that does not come back, where it cannot be ended.
//!
//! One thread for all properties of the process looks every tenth of a second at what each of them
//! is doing, and says so once if it has been the same case for longer than `timeout`. What the case
//! was drawn from is at hand; its values are not, since the thread that has them is busy. A worker,
//! as for isolation, draws them again.

use super::crash;
use super::hang::{Deadline, Hung, Standby};
use super::isolate::{Child, Journal, KeptInput, Launch};
use super::observe::{Observer, SharedNotebook};
use super::report;
use super::rerun::{self, Rerun};
use super::run::Context;
use super::threads;
use super::trial::{Input, Trial, Wants};
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A property that is being watched, until this is dropped.
pub(crate) struct Watch {
    watched: Arc<Watched>,
    beat: u64,
    entry: crash::Entry,
    runs_saved_cases: bool,
    /// When the last run began.
    started: Instant,
    deadline: Deadline,
}

impl Watch {
    pub(crate) fn begin_run(context: &Context<'_>) -> Watch {
        let watched = Arc::new(Watched {
            beat: AtomicU64::new(0),
            seed: AtomicU64::new(0),
            leans_on_others: AtomicBool::new(false),
            input: Mutex::new(None),
            name: context.definition.test_name().to_owned(),
            rerun: context.rerun.clone(),
            timeout: context.settings.timeout,
            run_seed: context.seed,
            n_slow: AtomicU64::new(0),
            standby: Mutex::new(None),
            is_known: AtomicBool::new(false),
            pursued_from: AtomicU64::new(0),
            thread: thread::current().name().unwrap_or_default().to_owned(),
            launch: Launch::of(context.definition),
            lines: context.observer.as_ref().map(Observer::notebook),
        });
        locked(&ALL).push(Arc::clone(&watched));
        static STARTED: Once = Once::new();
        STARTED.call_once(|| {
            // Without it properties run as well.
            let _ = threads::spawn("retrospect watchdog", Box::new(keep_watch));
        });
        Watch {
            watched,
            beat: 0,
            entry: crash::Entry::begin(context),
            runs_saved_cases: false,
            started: Instant::now(),
            deadline: Deadline::default(),
        }
    }

    /// A case of the hot loop begins.
    #[inline]
    pub(crate) fn note(&mut self, seed: u64, size: u32, leans_on_others: bool) {
        self.watched.seed.store(seed, Ordering::Relaxed);
        self.watched.leans_on_others.store(leans_on_others, Ordering::Relaxed);
        self.beat(size);
    }

    /// Any other case begins.
    pub(crate) fn begin(&mut self, input: &Input<'_>, wants: Wants) {
        self.watched.is_known.store(wants == Wants::Values, Ordering::Relaxed);
        *locked(&self.watched.input) = Some(KeptInput::of(input));
        self.started = Instant::now();
        self.beat(0);
        if self.runs_saved_cases {
            self.entry.begin_saved_case();
        }
    }

    /// Saved cases are run from now on, or no more.
    pub(crate) fn run_saved_cases(&mut self, runs_saved_cases: bool) {
        self.runs_saved_cases = runs_saved_cases;
    }

    /// It has come back.
    pub(crate) fn end(&mut self, has_failed: bool) {
        *locked(&self.watched.input) = None;
        self.watched.beat.store(0, Ordering::Relaxed);
        if has_failed {
            self.deadline.note(self.started.elapsed());
            self.update_standby(&mut |standby| standby.deadline = self.deadline);
        }
    }

    /// A failure is pursued from now on, or no more.
    pub(crate) fn stand_by(&self, standby: Option<Standby>) {
        *locked(&self.watched.standby) = standby;
        self.update_standby(&mut |standby| standby.deadline = self.deadline);
        self.watched.pursued_from.store(self.beat, Ordering::Relaxed);
    }

    pub(crate) fn update_standby(&self, update: &mut dyn FnMut(&mut Standby)) {
        if let Some(standby) = &mut *locked(&self.watched.standby) {
            update(standby);
        }
    }

    #[inline]
    fn beat(&mut self, size: u32) {
        self.beat += 1;
        self.entry.begin_case(self.beat);
        self.watched.beat.store(self.beat << u32::BITS | u64::from(size), Ordering::Relaxed);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        locked(&ALL).retain(|watched| !Arc::ptr_eq(watched, &self.watched));
        let n_slow = self.watched.n_slow.load(Ordering::Relaxed);
        if n_slow > 1 {
            let timeout = report::duration(self.watched.timeout);
            let text = format!(
                "{n_slow} cases took longer than {timeout}, and only the first of them was shown\n\
                 if they only take long: RETROSPECT_TIMEOUT=60s, or timeout = \"60s\" in the attribute"
            );
            report::warn(&self.watched.name, &text);
        }
    }
}

/// What the watchdog knows of a property.
struct Watched {
    /// Another number for each case, the lower half of which is the size; 0 while none runs.
    beat: AtomicU64,
    seed: AtomicU64,
    /// Whether the case depends on those before it, and not on its seed alone.
    leans_on_others: AtomicBool,
    /// What the case is made from, if it is not the seed.
    input: Mutex<Option<KeptInput>>,
    name: String,
    rerun: Rerun,
    timeout: Duration,
    run_seed: u64,
    /// Cases that took longer than `timeout`. Only the first is told of at once.
    n_slow: AtomicU64,
    /// The failure that is pursued.
    standby: Mutex<Option<Standby>>,
    /// Whether the case was run before, and is run for its values now. Values and notes may take
    /// much longer than the run.
    is_known: AtomicBool,
    /// The beat when it began to be.
    pursued_from: AtomicU64,
    /// The name of the thread that runs the property. A harness calls it by the test.
    thread: String,
    launch: Launch,
    /// Lines that wait to be written.
    lines: Option<SharedNotebook>,
}

static ALL: Mutex<Vec<Arc<Watched>>> = Mutex::new(Vec::new());

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How often the watchdog looks.
const LOOKS: Duration = Duration::from_millis(100);

/// How long a worker may take to start, on a machine that is busy.
const LONGEST_START: Duration = Duration::from_secs(5);

/// How long the values of a case are waited for.
const LONGEST_DRAW: Duration = Duration::from_secs(1);

/// How long other properties are waited for before the process ends, in looks.
const MAX_LOOKS_AT_OTHERS: u32 = 30;

/// The exit code of a test binary with a test that failed.
const FAILED: i32 = 101;

/// What was seen of a property, and since when.
struct Seen {
    watched: Arc<Watched>,
    beat: u64,
    since: Instant,
    /// How often it was the same. A process that is stopped does not look, so it does not count as
    /// time.
    looks: u32,
    is_told: bool,
}

fn keep_watch() {
    let mut all: Vec<Seen> = Vec::new();
    loop {
        thread::sleep(LOOKS);
        let now: Vec<Arc<Watched>> = locked(&ALL).clone();
        all.retain(|seen| now.iter().any(|watched| Arc::ptr_eq(watched, &seen.watched)));
        for watched in now {
            let beat = watched.beat.load(Ordering::Relaxed);
            match all.iter_mut().find(|seen| Arc::ptr_eq(&seen.watched, &watched)) {
                Some(seen) if seen.beat == beat && beat != 0 => {
                    // Who follows the run wants to see what there is; and it may be killed at any
                    // time.
                    if let Some(lines) = &watched.lines {
                        lines.write();
                    }
                    seen.looks += 1;
                    let is_known = watched.is_known.load(Ordering::Relaxed);
                    let max_run = locked(&watched.standby).as_ref().map(|standby| standby.max_run(is_known));
                    if let Some(max_run) = max_run {
                        if !seen.is_told && LOOKS * seen.looks >= max_run {
                            seen.is_told = true;
                            watched.end_process(beat, seen.since.elapsed());
                        }
                        continue;
                    }
                    if !seen.is_told && seen.since.elapsed() >= watched.timeout {
                        seen.is_told = true;
                        if watched.n_slow.fetch_add(1, Ordering::Relaxed) == 0 {
                            watched.tell(seen.since.elapsed());
                        }
                    }
                }
                Some(seen) => *seen = Seen { watched, beat, since: Instant::now(), looks: 0, is_told: false },
                None => all.push(Seen { watched, beat, since: Instant::now(), looks: 0, is_told: false }),
            }
        }
    }
}

impl Watched {
    /// A run hides a failure: reports the failure, and ends the process.
    fn end_process(self: Arc<Self>, beat: u64, since: Duration) {
        // Commands in the report name the test by the name of the thread.
        let name = self.thread.clone();
        let _ = threads::spawn(&name, Box::new(move || self.report_and_exit(beat, since)));
    }

    fn report_and_exit(&self, beat: u64, since: Duration) {
        let is_back = || self.beat.load(Ordering::Relaxed) != beat;
        let input = locked(&self.input).take();
        let no_input = Err("it is not known which case it is".to_owned());
        let values = input.map_or(no_input, |mut input| self.case(&input.lend(), LONGEST_DRAW).map(|(case, _)| case));
        let smallest = locked(&self.standby)
            .as_ref()
            .and_then(|standby| Some((standby.smallest()?.clone(), standby.max_run(true))));
        let smallest = smallest
            .and_then(|(choices, max_run)| self.case(&Input::Choices(&choices), max_run).ok())
            .map(|(case, _)| case);
        let Some(standby) = locked(&self.standby).take_if(|_| !is_back()) else { return };
        let hung = Hung { since, values: values.map(|case| case.values) };
        let runs = (beat >> u32::BITS).saturating_sub(self.pursued_from.load(Ordering::Relaxed));
        let report = standby.report(smallest, hung, runs);
        if let Some(lines) = &self.lines {
            lines.write();
        }
        let text = format!(
            "\n{report}  the process ends here, since that case cannot be stopped; other tests in it may not have run to their ends\n"
        );
        let _ = std::io::stderr().write_all(text.as_bytes());
        // Other properties may end, and save, in the meantime.
        for _ in 0..MAX_LOOKS_AT_OTHERS {
            let are_others_running = locked(&ALL).iter().any(|watched| !std::ptr::eq(&**watched, self));
            if !are_others_running {
                break;
            }
            thread::sleep(LOOKS);
        }
        crash::forget_running();
        std::process::exit(FAILED);
    }

    fn tell(&self, since: Duration) {
        let case = match locked(&self.input).take() {
            Some(mut input) => self.case(&input.lend(), LONGEST_DRAW),
            None if self.leans_on_others.load(Ordering::Relaxed) => {
                Err("they were found by a search that builds on the cases before".to_owned())
            }
            None => {
                let seed = self.seed.load(Ordering::Relaxed);
                let size = self.beat.load(Ordering::Relaxed) as u32;
                self.case(&Input::Seed { seed, size }, LONGEST_DRAW)
            }
        };
        let text = self.text(since, case);
        // This test may never end.
        report::print_past_harness(&text);
    }

    /// The case as far as it can be drawn again, and whether that is all of it.
    fn case(&self, input: &Input<'_>, longest: Duration) -> Result<(Trial, bool), String> {
        let mut child = Child::start(&mut self.launch.clone(), LONGEST_START)?;
        Ok(Journal::of_case(&mut child, input, longest))
    }

    fn text(&self, since: Duration, case: Result<(Trial, bool), String>) -> String {
        let Watched { name, rerun, .. } = self;
        let mut out = format!("\nSLOW  {name}    one case has been running for {}:\n", report::duration(since));
        let by_seed = rerun.by_seed(self.run_seed);
        let replay = match case {
            Err(problem) => {
                out += &format!("      its values are not known: {}\n", problem.replace('\n', "\n      "));
                by_seed
            }
            Ok((case, is_whole)) => {
                report::hung_values(&mut out, &case.values);
                match case.without_choices {
                    None if !case.choices.is_empty() => {
                        let cut_short = if is_whole { "" } else { rerun::AND_SO_ON };
                        let given = rerun::given_choices(&self.name, &format!("{}{cut_short}", case.choices));
                        given.map_or(by_seed, |given| rerun.with(&given))
                    }
                    _ => by_seed,
                }
            }
        };
        out += "  if it never ends: #[property(isolate, timeout = \"1s\")] makes it a failure that is shrunk like any other\n";
        out += "  if it only takes long: RETROSPECT_TIMEOUT=60s, or timeout = \"60s\" in the attribute, has this said later\n";
        out += &format!("  replay:  {replay}\n");
        out
    }
}
