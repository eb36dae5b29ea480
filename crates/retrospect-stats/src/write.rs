use crate::event::{Event, Happened};
use crate::line::{Line, Observation, Status, end_of_lines};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The folder of the second files, in that of the first ones. Apart from them, since Tyche refuses
/// a file for one line that it does not know.
pub const EVENTS: &str = "events";

/// So much is gathered before it is written.
const BUFFER: usize = 64 * 1024;

/// Writes the two files of one run of one property.
///
/// Every run has files of its own, so that tests on other threads and in other processes never
/// write between its lines. Whole lines are written at a time; a reader that looks in between
/// misses at most the end of the last one.
///
/// ```
/// use retrospect_stats::{Happened, Observation, Writer};
/// let directory = std::env::temp_dir().join("retrospect-doc-stats-writer");
/// let mut writer = Writer::create(&directory, "a::b", 1_763_282_281.5, 7).unwrap();
/// let line = Observation::new("a::b", 1_763_282_281.5);
/// writer.observe(&line);
/// writer.happened(Happened::Saved { id: "3f9c".into(), file: "a.txt".into() });
/// writer.flush().unwrap();
/// assert_eq!(std::fs::read_to_string(writer.path().unwrap()).unwrap(), line.to_line());
/// assert_eq!(writer.path().unwrap(), directory.join("a.b.1763282281500-7.jsonl"));
/// assert!(directory.join("events/a.b.1763282281500-7.jsonl").is_file());
/// # std::fs::remove_dir_all(directory).unwrap();
/// ```
#[derive(Debug)]
pub struct Writer {
    property: String,
    run_start: f64,
    /// What every line ends with.
    end: Vec<u8>,
    /// Lines that are not written yet, and how many.
    observations: Vec<u8>,
    waiting: u64,
    events: String,
    /// The files of the cases; the first is the one in the directory, if there is one.
    files: Vec<Sink>,
    events_file: Option<Sink>,
    lost: u64,
    /// What went wrong first.
    problem: Option<io::Error>,
    is_told: bool,
}

impl Writer {
    /// Makes the directory, if need be, and the two files of a run in it. Where there are such
    /// files already, because runs follow each other within a millisecond, the start of this one is
    /// a little later.
    ///
    /// ```
    /// use retrospect_stats::Writer;
    /// let error = Writer::create("/dev/null/observed".as_ref(), "a::b", 0.0, 1).unwrap_err();
    /// assert!(error.to_string().starts_with("/dev/null/observed"));
    /// ```
    pub fn create(directory: &Path, property: &str, run_start: f64, process: u32) -> io::Result<Writer> {
        let events = directory.join(EVENTS);
        std::fs::create_dir_all(&events).map_err(|error| at(directory, &error))?;
        let mut writer = Writer::nowhere(property, run_start);
        loop {
            let name = file_name(property, writer.run_start, process);
            match Sink::new(directory.join(&name), OpenOptions::new().append(true).create_new(true)) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    writer.run_start = ((writer.run_start * 1e3).round() + 1.0) / 1e3;
                    writer.end = end_of_lines(property, writer.run_start);
                }
                Err(error) => return Err(error),
                Ok(sink) => {
                    writer.files.push(sink);
                    let options = OpenOptions::new().append(true).create(true).clone();
                    writer.events_file = Some(Sink::new(events.join(&name), &options)?);
                    return Ok(writer);
                }
            }
        }
    }

    /// Writes nothing, until it is told [where to](Writer::copy_to).
    ///
    /// ```
    /// use retrospect_stats::{Observation, Writer};
    /// let mut writer = Writer::nowhere("a::b", 1.0);
    /// writer.observe(&Observation::new("a::b", 1.0));
    /// assert!(writer.flush().is_ok() && writer.path().is_none());
    /// ```
    pub fn nowhere(property: &str, run_start: f64) -> Writer {
        Writer {
            property: property.to_owned(),
            run_start,
            end: end_of_lines(property, run_start),
            observations: Vec::new(),
            waiting: 0,
            events: String::new(),
            files: Vec::new(),
            events_file: None,
            lost: 0,
            problem: None,
            is_told: false,
        }
    }

    /// Writes the cases to a second place as well, under the name of the property alone: what was
    /// there of an earlier run is gone. Tyche looks for files that change, in
    /// `.quickcheck/observations`.
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
            let busy = io::Error::new(io::ErrorKind::ResourceBusy, "another run of this property writes to it");
            return Err(at(&path, &busy));
        }
        sink.file.set_len(0).map_err(|error| at(&path, &error))?;
        self.files.push(sink);
        Ok(())
    }

    /// Where the cases are written.
    ///
    /// ```
    /// use retrospect_stats::Writer;
    /// let directory = std::env::temp_dir().join("retrospect-doc-stats-path");
    /// let writer = Writer::create(&directory, "a::b", 3.0, 1).unwrap();
    /// assert_eq!(writer.path().unwrap(), directory.join("a.b.3000-1.jsonl"));
    /// # std::fs::remove_dir_all(directory).unwrap();
    /// ```
    pub fn path(&self) -> Option<&Path> {
        self.files.first().map(|sink| &*sink.path)
    }

    /// When the run began, as its lines have it.
    ///
    /// ```
    /// use retrospect_stats::Writer;
    /// let directory = std::env::temp_dir().join("retrospect-doc-stats-start");
    /// let first = Writer::create(&directory, "a::b", 3.0, 1).unwrap();
    /// let second = Writer::create(&directory, "a::b", 3.0, 1).unwrap();
    /// assert_eq!((first.run_start(), second.run_start()), (3.0, 3.001));
    /// # std::fs::remove_dir_all(directory).unwrap();
    /// ```
    pub fn run_start(&self) -> f64 {
        self.run_start
    }

    /// Notes a case. It is written when enough has gathered, or by [`flush`](Writer::flush).
    pub fn observe(&mut self, observation: &Observation<'_>) {
        observation.write(&mut self.observations);
        self.waiting += 1;
        if self.observations.len() >= BUFFER {
            self.write_observations();
        }
    }

    /// Begins the line of a case, without gathering it first; the text beside it is what it must be
    /// ended with.
    ///
    /// ```
    /// use retrospect_stats::{Status, Writer};
    /// let mut writer = Writer::nowhere("a::b", 1.0);
    /// let (mut line, end) = writer.line(Status::Passed, "", "[]");
    /// line.features("random");
    /// line.timing(None);
    /// line.metadata();
    /// line.end(end);
    /// ```
    pub fn line(&mut self, status: Status, reason: &str, representation: &str) -> (Line<'_>, &[u8]) {
        if self.observations.len() >= BUFFER {
            self.write_observations();
        }
        self.waiting += 1;
        (Line::begin(&mut self.observations, status, reason, representation), &self.end)
    }

    /// Notes what happened.
    pub fn happened(&mut self, happened: Happened<'_>) {
        let event = Event { property: self.property.as_str().into(), run_start: self.run_start, happened };
        self.events.push_str(&event.to_line());
    }

    /// How many lines of cases could not be written so far.
    ///
    /// ```
    /// use retrospect_stats::Writer;
    /// assert_eq!(Writer::nowhere("a::b", 4.0).lines_lost(), 0);
    /// ```
    pub fn lines_lost(&self) -> u64 {
        self.lost
    }

    /// Writes what has gathered. An error is the first there was, and told once; lines that could
    /// not be written are counted and gone.
    pub fn flush(&mut self) -> io::Result<()> {
        self.write_observations();
        if let Some(file) = &mut self.events_file
            && let Err(error) = file.write(self.events.as_bytes())
        {
            self.problem.get_or_insert(error);
        }
        self.events.clear();
        match self.problem.take() {
            // A disk that is full stays so for the next thousand lines: once is enough.
            Some(problem) if !self.is_told => {
                self.is_told = true;
                Err(problem)
            }
            _ => Ok(()),
        }
    }

    fn write_observations(&mut self) {
        for (place, file) in self.files.iter_mut().enumerate() {
            if let Err(error) = file.write(&self.observations) {
                self.lost += if place == 0 { self.waiting } else { 0 };
                self.problem.get_or_insert(error);
            }
        }
        self.observations.clear();
        self.waiting = 0;
    }
}

/// What a test leaves behind that ends in the middle.
impl Drop for Writer {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

#[derive(Debug)]
struct Sink {
    path: PathBuf,
    file: File,
}

impl Sink {
    fn new(path: PathBuf, options: &OpenOptions) -> io::Result<Sink> {
        let file = options.open(&path).map_err(|error| at(&path, &error))?;
        Ok(Sink { path, file })
    }

    fn write(&mut self, text: &[u8]) -> io::Result<()> {
        self.file.write_all(text).map_err(|error| at(&self.path, &error))
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
    format!("{}.{}-{process}.jsonl", plain(property), (run_start * 1000.0).round().max(0.0) as u64)
}

/// A path as a name that every file system takes. Others may be the same in it, but not at the same
/// time in the same process.
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
