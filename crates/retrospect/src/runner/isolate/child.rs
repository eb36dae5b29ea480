//! A worker, as its parent sees it.

use super::connection::{Connection, Next, WorkerSocket};
use super::launch::{self, Launch};
use super::wire::{self, Answer, Request};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::process::{self, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// How often the parent checks that the process is alive: a process of its own may hold its
/// connection open.
const HEARTBEAT: Duration = Duration::from_millis(100);

/// How long the last messages of a process may take to arrive, on a machine that has much else to
/// do.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How often the parent looks for a process that is starting.
const LOOKS_FOR_START: Duration = Duration::from_micros(200);

/// How much of what was printed is kept: the end.
const MOST_PRINTED: u64 = 1 << 16;

/// A case that prints more loses it: it may print without end.
const MOST_STORED: u64 = 64 << 20;

/// A running worker. It is gone when this is dropped.
pub(crate) struct Child {
    process: process::Child,
    connection: Connection,
    output: Output,
}

/// What the parent hears of the worker.
pub(super) enum Heard {
    Answer(Answer),
    /// It has ended.
    Ended(ExitStatus),
    /// The time is over.
    Nothing,
    /// An answer that cannot be read.
    Garbled,
}

impl Child {
    /// Starts a worker, in the first of the ways that leads to the property. That way is then the
    /// only one.
    pub(crate) fn start(launch: &mut Launch, longest: Duration) -> Result<Child, String> {
        let mut reasons = String::new();
        for way in 0..launch.n_ways() {
            match Child::start_by(launch, way, longest) {
                Ok(child) => {
                    launch.keep_only(way);
                    return Ok(child);
                }
                Err(reason) => reasons += &format!("\n  {}\n      {reason}", launch.text(way)),
            }
        }
        if let Some(program) = launch::deleted_program() {
            return Err(format!(
                "`isolate` runs the cases in a process of the same program, and that is gone: {program}\n\
                 it was deleted, or built anew, while it ran: run the test again"
            ));
        }
        Err(format!(
            "`isolate` runs the cases in a process of the same program, which is to come to this property by itself, but it did not:{reasons}\n\
             call the property in a #[test] of the usual harness, or in `main`, with no condition before it; or do without `isolate`"
        ))
    }

    fn start_by(launch: &Launch, way: usize, longest: Duration) -> Result<Child, String> {
        let not_started = |error: io::Error| format!("could not be started: {error}");
        let (socket, mut output) = (WorkerSocket::open().map_err(not_started)?, Output::new().map_err(not_started)?);
        let mut process = spawn(launch, way, &socket, &output).map_err(not_started)?;
        let started = Instant::now();
        let problem = loop {
            match (socket.accept(), process.try_wait()) {
                (Ok(Some(connection)), _) => {
                    let mut child = Child { process, connection, output };
                    return match child.hear(longest) {
                        Heard::Answer(Answer::Hello) => Ok(child),
                        _ => Err("came to it, and did not answer".to_owned()),
                    };
                }
                (Ok(None), Ok(Some(status))) => {
                    let last = output.last_lines(5, 6);
                    break format!("ended ({status}) without coming to it; the last that it printed:\n      {last}");
                }
                (Ok(None), _) if started.elapsed() < longest => thread::sleep(LOOKS_FOR_START),
                (Ok(None), _) => break format!("had not come to it after {:?}", started.elapsed()),
                (Err(error), _) => break not_started(error),
            }
        };
        let _ = process.kill();
        let _ = process.wait();
        Err(problem)
    }

    /// Sends a request. An error means that the process is gone, or does not listen.
    pub(super) fn send(&mut self, request: &Request) -> io::Result<()> {
        self.output.forget();
        self.connection.send(&wire::line_of(request))
    }

    /// Waits for an answer.
    pub(super) fn hear(&mut self, longest: Duration) -> Heard {
        let started = Instant::now();
        loop {
            let left = longest.saturating_sub(started.elapsed());
            // Also if there is more to hear: a case may draw without end.
            if left.is_zero() {
                return Heard::Nothing;
            }
            match self.connection.next(Some(left.min(HEARTBEAT))) {
                Next::Message(line) => return wire::read(&line).map_or(Heard::Garbled, Heard::Answer),
                Next::Nothing => {
                    self.output.limit();
                    if let Ok(Some(status)) = self.process.try_wait() {
                        return self.ended(status);
                    }
                }
                // If it closed its connection itself, nothing more will be heard of it.
                Next::Closed => match self.process.try_wait() {
                    Ok(Some(status)) => return Heard::Ended(status),
                    _ => thread::sleep(LOOKS_FOR_START),
                },
            }
        }
    }

    /// The last lines that were printed since the request.
    pub(super) fn last_lines(&mut self, count: usize, indent: usize) -> String {
        self.output.last_lines(count, indent)
    }

    /// What was printed since the request.
    pub(super) fn printed(&mut self) -> String {
        self.output.text()
    }

    /// The process is gone, but what it said before may still be on its way.
    fn ended(&mut self, status: ExitStatus) -> Heard {
        match self.connection.next(Some(LAST_WORDS)) {
            Next::Message(line) => wire::read(&line).map_or(Heard::Garbled, Heard::Answer),
            Next::Nothing | Next::Closed => Heard::Ended(status),
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn spawn(launch: &Launch, way: usize, socket: &WorkerSocket, output: &Output) -> io::Result<process::Child> {
    let mut command = launch.command(way, socket.address())?;
    command.stdin(Stdio::null()).stdout(output.file.try_clone()?).stderr(output.file.try_clone()?).spawn()
}

/// What a worker prints, both its outputs in order.
///
/// It is a file: when an answer comes, all that was printed before is in it.
struct Output {
    file: File,
    #[cfg(not(unix))]
    path: std::path::PathBuf,
}

impl Output {
    fn new() -> io::Result<Output> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("retrospect-{}-{count}.out", process::id()));
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path)?;
        file.set_len(0)?;
        // Nobody else needs its name.
        #[cfg(unix)]
        fs::remove_file(&path)?;
        Ok(Output {
            file,
            #[cfg(not(unix))]
            path,
        })
    }

    /// What is printed from now on is of another case.
    fn forget(&mut self) {
        let _ = self.file.set_len(0);
    }

    fn limit(&mut self) {
        if self.file.metadata().is_ok_and(|found| found.len() > MOST_STORED) {
            self.forget();
        }
    }

    fn text(&mut self) -> String {
        let mut bytes = Vec::new();
        let length = self.file.metadata().map_or(0, |found| found.len());
        let read = self.file.seek(SeekFrom::Start(length.saturating_sub(MOST_PRINTED)));
        let _ = read.and_then(|_| (&self.file).take(MOST_PRINTED).read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn last_lines(&mut self, count: usize, indent: usize) -> String {
        let text = self.text();
        let mut lines: Vec<&str> = Vec::new();
        for line in text.lines() {
            if !line.trim_end().is_empty() {
                lines.push(line.trim_end());
            }
        }
        let mut last = String::new();
        for line in &lines[lines.len().saturating_sub(count)..] {
            if !last.is_empty() {
                last += &format!("\n{:indent$}", "");
            }
            last += line.char_indices().nth(200).map_or(*line, |(end, _)| &line[..end]);
        }
        last
    }
}

#[cfg(not(unix))]
impl Drop for Output {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
