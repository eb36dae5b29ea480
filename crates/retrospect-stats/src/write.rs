use crate::event::{Event, Happened};
use crate::line::Observation;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The folder of the second files, in that of the first ones. Apart from them, since Tyche refuses a file for one line that it does not know.
pub const EVENTS: &str = "events";

/// So much is gathered before it is written.
const BUFFER: usize = 64 * 1024;

/// Writes the two files of one run of one property.
///
/// Every run has files of its own, so that tests on other threads and in other processes never write between its lines. Whole lines are
/// written at a time; a reader that looks in between misses at most the end of the last one.
///
/// ```
/// use retrospect_stats::{Happened, Observation, Writer};
/// let directory = std::env::temp_dir().join("retrospect-doc-stats-writer");
/// let mut writer = Writer::create(&directory, "a::b", 1_763_282_281.5, 7).unwrap();
/// let line = Observation::new("a::b", 1_763_282_281.5);
/// writer.observe(&line);
/// writer.happened(Happened::Saved { id: "3f9c".into(), file: "a.txt".into() });
/// writer.flush().unwrap();
/// assert_eq!(std::fs::read_to_string(writer.path()).unwrap(), line.to_line());
/// assert_eq!(writer.path(), directory.join("a.b.1763282281500-7.jsonl"));
/// assert!(directory.join("events/a.b.1763282281500-7.jsonl").is_file());
/// # std::fs::remove_dir_all(directory).unwrap();
/// ```
#[derive(Debug)]
pub struct Writer {
    property: String,
    run_start: f64,
    path: PathBuf,
    observations: Sink,
    events: Sink,
    copy: Option<Sink>,
}

impl Writer {
    /// Makes the directory, if need be, and the two files of a run in it.
    ///
    /// ```
    /// use retrospect_stats::Writer;
    /// let error = Writer::create("/dev/null/observed".as_ref(), "a::b", 0.0, 1).unwrap_err();
    /// assert!(error.to_string().starts_with("/dev/null/observed"));
    /// ```
    pub fn create(directory: &Path, property: &str, run_start: f64, process: u32) -> io::Result<Writer> {
        let events = directory.join(EVENTS);
        std::fs::create_dir_all(&events).map_err(|error| at(directory, &error))?;
        let name = file_name(property, run_start, process);
        let path = directory.join(&name);
        Ok(Writer {
            property: property.to_owned(),
            run_start,
            observations: Sink::new(path.clone(), OpenOptions::new().append(true).create_new(true))?,
            events: Sink::new(events.join(&name), OpenOptions::new().append(true).create_new(true))?,
            copy: None,
            path,
        })
    }

    /// Writes the cases to a second place as well, under the name of the property alone: what was there of an earlier run is gone. Tyche looks for
    /// files that change, in `.quickcheck/observations`.
    ///
    /// ```
    /// use retrospect_stats::{Observation, Writer};
    /// let directory = std::env::temp_dir().join("retrospect-doc-stats-copy");
    /// let mut writer = Writer::create(&directory, "a::b", 2.0, 1).unwrap();
    /// writer.copy_to(&directory.join(".quickcheck/observations")).unwrap();
    /// writer.observe(&Observation::new("a::b", 2.0));
    /// writer.flush().unwrap();
    /// assert!(directory.join(".quickcheck/observations/a.b.jsonl").metadata().unwrap().len() > 0);
    /// # std::fs::remove_dir_all(directory).unwrap();
    /// ```
    pub fn copy_to(&mut self, directory: &Path) -> io::Result<()> {
        std::fs::create_dir_all(directory).map_err(|error| at(directory, &error))?;
        let path = directory.join(format!("{}.jsonl", plain(&self.property)));
        // Not truncated before it is locked: another process may be writing to it just now.
        let sink = Sink::new(path.clone(), OpenOptions::new().append(true).create(true))?;
        if sink.file.try_lock().is_err() {
            let busy = io::Error::new(io::ErrorKind::ResourceBusy, "another process writes to it");
            return Err(at(&path, &busy));
        }
        sink.file.set_len(0).map_err(|error| at(&path, &error))?;
        self.copy = Some(sink);
        Ok(())
    }

    /// Where the cases are written.
    ///
    /// ```
    /// use retrospect_stats::Writer;
    /// let directory = std::env::temp_dir().join("retrospect-doc-stats-path");
    /// let writer = Writer::create(&directory, "a::b", 3.0, 1).unwrap();
    /// assert_eq!(writer.path(), directory.join("a.b.3000-1.jsonl"));
    /// # std::fs::remove_dir_all(directory).unwrap();
    /// ```
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Notes a case. It is written when enough has gathered, or by [`flush`](Writer::flush).
    pub fn observe(&mut self, observation: &Observation<'_>) {
        observation.write(&mut self.observations.gathered);
        self.observations.lines += 1;
        if self.observations.gathered.len() >= BUFFER {
            // What goes wrong is kept, and told by `flush`.
            let _ = self.write_observations();
        }
    }

    /// Notes what happened.
    pub fn happened(&mut self, happened: Happened<'_>) {
        let event = Event { property: self.property.as_str().into(), run_start: self.run_start, happened };
        let line = event.to_line();
        self.events.gathered.push_str(&line);
        self.events.lines += 1;
    }

    /// How many lines could not be written so far.
    ///
    /// ```
    /// use retrospect_stats::Writer;
    /// let directory = std::env::temp_dir().join("retrospect-doc-stats-lost");
    /// assert_eq!(Writer::create(&directory, "a::b", 4.0, 1).unwrap().lines_lost(), 0);
    /// # std::fs::remove_dir_all(directory).unwrap();
    /// ```
    pub fn lines_lost(&self) -> u64 {
        self.observations.lost + self.events.lost
    }

    /// Writes what has gathered. An error is the first there was, and told once; lines that could not be written are counted and gone.
    pub fn flush(&mut self) -> io::Result<()> {
        let observations = self.write_observations();
        let events = self.events.write();
        observations.and(events)
    }

    fn write_observations(&mut self) -> io::Result<()> {
        let mut copied = Ok(());
        if let Some(copy) = &mut self.copy {
            copy.gathered.push_str(&self.observations.gathered);
            copied = copy.write();
        }
        self.observations.write().and(copied)
    }
}

/// What a test leaves behind that ends in the middle.
impl Drop for Writer {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

/// A file, and what is to be written to it.
#[derive(Debug)]
struct Sink {
    path: PathBuf,
    file: File,
    gathered: String,
    lines: u64,
    lost: u64,
    /// Not told yet.
    problem: Option<io::Error>,
}

impl Sink {
    fn new(path: PathBuf, options: &OpenOptions) -> io::Result<Sink> {
        let file = options.open(&path).map_err(|error| at(&path, &error))?;
        Ok(Sink { path, file, gathered: String::new(), lines: 0, lost: 0, problem: None })
    }

    fn write(&mut self) -> io::Result<()> {
        if !self.gathered.is_empty() {
            if let Err(error) = self.file.write_all(self.gathered.as_bytes()) {
                self.lost += self.lines;
                // Once is enough: a disk that is full stays so for the next thousand lines.
                if self.lost == self.lines {
                    self.problem = Some(at(&self.path, &error));
                }
            }
            self.gathered.clear();
            self.lines = 0;
        }
        self.problem.take().map_or(Ok(()), Err)
    }
}

/// The name of the files of a run: the property, when it began in milliseconds, and the process.
///
/// ```
/// use retrospect_stats::file_name;
/// assert_eq!(file_name("ledger::tests::round_trip", 1_763_282_281.1234, 42), "ledger.tests.round_trip.1763282281123-42.jsonl");
/// // Names that are too long for a file, or not made for one.
/// assert!(file_name(&"long::".repeat(1000), 0.0, 1).len() < 200);
/// assert_eq!(file_name("../etc/passwd", 0.0, 1), "_._etc_passwd.0-1.jsonl");
/// ```
pub fn file_name(property: &str, run_start: f64, process: u32) -> String {
    format!("{}.{}-{process}.jsonl", plain(property), (run_start * 1000.0).max(0.0) as u64)
}

/// A path as a name that every file system takes. Others may be the same in it, but not at the same time in the same process.
fn plain(property: &str) -> String {
    let mut name = String::new();
    for character in property.replace("::", ".").chars() {
        let is_plain = character.is_alphanumeric() || matches!(character, '_' | '-' | '.');
        // None begins with a point: it would be hidden, or lead out of the folder.
        name.push(if is_plain && !(name.is_empty() && character == '.') { character } else { '_' });
    }
    const LONGEST: usize = 150;
    while name.len() > LONGEST {
        name.pop();
    }
    name
}

fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
