//! Which files there are, and what is new in them.

use super::lines::Batch;
use crate::summary::Store;
use crate::summary::cases::Place;
use memchr::{memchr, memchr_iter};
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// So much of a file is read at a time.
const BLOCK: u64 = 2 << 20;
/// A longer line is not read.
const LONGEST_LINE: usize = 64 << 20;
/// So many files are kept open; what is shown of the others is gone with them.
const KEPT_OPEN: usize = 200;
/// Files are numbered with 16 bits.
const MOST_FILES: usize = 60_000;
/// Directories below a directory that was given.
const DEEPEST: usize = 12;
/// What is smaller is read without further ado.
const WORTH_A_THREAD: u64 = 1 << 20;

/// Follows files and directories: each call of [`Follower::read`] reads what is new.
///
/// ```
/// use retrospect_stats::read::Follower;
/// use retrospect_stats::summary::Store;
/// let file = std::env::temp_dir().join("retrospect-doc-follower.jsonl");
/// let case = r#"{"type": "test_case", "property": "p", "run_start": 1.0, "status": "passed", "representation": "7"}"#;
/// // The last line is still being written.
/// std::fs::write(&file, format!("{case}\n{}", &case[..40])).unwrap();
/// let mut follower = Follower::new([file.clone()]);
/// let mut store = Store::default();
/// let progress = follower.read_into(&mut store);
/// assert_eq!((store.n_lines(), store.n_bad_lines(), progress.unfinished), (1, 0, 1));
///
/// std::fs::write(&file, format!("{case}\n{case}\n{{ not JSON\n")).unwrap();
/// follower.read_into(&mut store);
/// assert_eq!((store.n_lines(), store.n_bad_lines()), (3, 1));
/// # std::fs::remove_file(file).unwrap();
/// ```
#[derive(Debug)]
pub struct Follower {
    given: Vec<PathBuf>,
    sources: Vec<Source>,
    problems: Vec<String>,
}

/// Lends a store to what is to be done with it.
type Lend<'l> = dyn FnMut(&mut dyn FnMut(&mut Store)) + 'l;

/// How far reading has come.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Progress {
    /// What was read so far, of all files.
    pub bytes_read: u64,
    /// What there is.
    pub bytes: u64,
    /// How many files there are.
    pub files: usize,
    /// How many of them end in half a line.
    pub unfinished: usize,
    /// What is wrong with files and directories.
    pub problems: Vec<String>,
}

/// A file as it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceState {
    /// It is there, and may grow.
    Followed,
    /// There is another file in its place, or it was cut off and written anew.
    Replaced,
    /// There is nothing in its place.
    Deleted,
}

#[derive(Debug)]
struct Source {
    path: PathBuf,
    number: u16,
    read_to: u64,
    /// When it was last looked at.
    length: u64,
    identity: (u64, u64),
    state: SourceState,
    ends_in_half_a_line: bool,
}

/// The files that lines can be read from again.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    files: Vec<(PathBuf, Option<File>)>,
}

/// A piece of a file.
struct Block<'f> {
    file: &'f File,
    number: u16,
    from: u64,
    to: u64,
    /// Where the file ended when it was looked at.
    end: u64,
    /// Whether a line begins at `from` for certain.
    is_start_of_line: bool,
}

/// What a block gave.
struct Read {
    batch: Batch,
    bytes: u64,
    /// Where a line began that has no end yet.
    tail: Option<u64>,
    problem: Option<String>,
}

impl Follower {
    /// Follows these files, and all files called `*.jsonl` in these directories and below. None of
    /// them needs to exist yet.
    pub fn new(paths: impl IntoIterator<Item = PathBuf>) -> Follower {
        Follower { given: paths.into_iter().collect(), sources: Vec::new(), problems: Vec::new() }
    }

    /// Reads all that is new.
    pub fn read_into(&mut self, store: &mut Store) -> Progress {
        self.read(&mut |change| change(store))
    }

    /// Reads all that is new. `with` is called for each piece and should let the change happen to a
    /// store; in between, others may look at it.
    pub fn read(&mut self, with: &mut Lend<'_>) -> Progress {
        self.problems.clear();
        self.look(with);
        let mut progress = self.progress();
        let mut opened = Vec::new();
        for at in 0..self.sources.len() {
            let source = &self.sources[at];
            if source.state != SourceState::Followed || source.length <= source.read_to {
                continue;
            }
            match open(&source.path) {
                Ok((file, metadata)) if metadata.len() > source.read_to => opened.push((at, file, metadata.len())),
                Ok(_) => {}
                Err(error) => self.problems.push(format!("{}: {error}", source.path.display())),
            }
        }
        let mut blocks = Vec::new();
        for (at, file, end) in &opened {
            let source = &self.sources[*at];
            let mut from = source.read_to;
            while from < *end {
                let to = (from + BLOCK).min(*end);
                let is_start_of_line = from == source.read_to;
                blocks.push(Block { file, number: source.number, from, to, end: *end, is_start_of_line });
                from = to;
            }
        }
        let total: u64 = opened.iter().map(|(at, _, end)| end - self.sources[*at].read_to).sum();
        progress.bytes = progress.bytes_read + total;
        let mut tails = Vec::new();
        let mut problems = Vec::new();
        in_order(&blocks, total, |block, mut read| {
            progress.bytes_read += read.bytes;
            if let Some(tail) = read.tail {
                tails.push((block.number, tail));
            }
            problems.extend(read.problem.take());
            let mut batch = Some(read.batch);
            with(&mut |store| {
                store.take(batch.take().unwrap_or_default());
                store.progress = progress.clone();
            });
        });
        drop(blocks);
        for (at, _, end) in &opened {
            let source = &mut self.sources[*at];
            let tail = tails.iter().find(|(number, _)| *number == source.number);
            source.read_to = tail.map_or(*end, |(_, tail)| *tail);
            source.ends_in_half_a_line = tail.is_some();
        }
        self.problems.extend(problems);
        let progress = self.progress();
        let states: Vec<(u16, SourceState)> = self.sources.iter().map(|source| (source.number, source.state)).collect();
        with(&mut |store| {
            store.progress = progress.clone();
            store.states.clone_from(&states);
        });
        progress
    }

    fn progress(&self) -> Progress {
        Progress {
            bytes_read: self.sources.iter().map(|source| source.read_to).sum(),
            bytes: self.sources.iter().map(|source| source.read_to).sum(),
            files: self.sources.iter().filter(|source| source.state == SourceState::Followed).count(),
            unfinished: self.sources.iter().filter(|source| source.ends_in_half_a_line).count(),
            problems: self.problems.clone(),
        }
    }

    /// Finds files that are new, gone or replaced.
    fn look(&mut self, with: &mut Lend<'_>) {
        let mut found = Vec::new();
        for path in &self.given {
            match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => {
                    if let Err(error) = files_below(path, 0, &mut found) {
                        self.problems.push(format!("{}: {error}", path.display()));
                    }
                }
                Ok(metadata) if metadata.is_file() => found.push(path.clone()),
                Ok(_) => self.problems.push(format!("{} is neither a file nor a directory", path.display())),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    self.problems.push(format!("{} is not there (yet)", path.display()));
                }
                Err(error) => self.problems.push(format!("{}: {error}", path.display())),
            }
        }
        found.sort();
        found.dedup();
        for source in &mut self.sources {
            if source.state != SourceState::Followed {
                continue;
            }
            match fs::metadata(&source.path) {
                Err(_) => source.state = SourceState::Deleted,
                Ok(metadata) if identity(&metadata) != source.identity || metadata.len() < source.read_to => {
                    source.state = SourceState::Replaced;
                }
                Ok(metadata) => source.length = metadata.len(),
            }
            source.ends_in_half_a_line &= source.state == SourceState::Followed;
        }
        let followed = self.sources.iter().filter(|source| source.state == SourceState::Followed);
        let followed: HashSet<PathBuf> = followed.map(|source| source.path.clone()).collect();
        for path in found {
            if followed.contains(&path) {
                continue;
            }
            if self.sources.len() == MOST_FILES {
                self.problems.push(format!("there are more than {MOST_FILES} files: the rest is not read"));
                return;
            }
            let Ok((file, metadata)) = open(&path) else { continue };
            let number = self.sources.len() as u16;
            let kept = (self.sources.len() < KEPT_OPEN).then_some(file);
            let mut new = Some((path.clone(), kept));
            with(&mut |store| store.sources.files.extend(new.take()));
            self.sources.push(Source {
                path,
                number,
                read_to: 0,
                length: metadata.len(),
                identity: identity(&metadata),
                state: SourceState::Followed,
                ends_in_half_a_line: false,
            });
        }
    }
}

/// Links are not followed: they lead out of what was given, or round in circles.
fn files_below(directory: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if depth > DEEPEST {
        return Ok(());
    }
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let path = entry.path();
        if kind.is_dir() {
            // What cannot be looked into below is not worth giving up the rest for.
            let _ = files_below(&path, depth + 1, found);
        } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "jsonl") {
            found.push(path);
        }
    }
    Ok(())
}

/// Only if it is a file: opening a pipe would wait for somebody to write to it.
fn open(path: &Path) -> io::Result<(File, Metadata)> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    Ok((file, metadata))
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity(metadata: &Metadata) -> (u64, u64) {
    // There is no number of the file; the time at which it was made does for it.
    let made = metadata.created().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    (0, made.map_or(0, |time| time.as_nanos() as u64))
}

/// Reads the blocks side by side, and hands them over in order.
fn in_order<'f>(blocks: &[Block<'f>], total: u64, mut take: impl FnMut(&Block<'f>, Read)) {
    let n_threads = thread::available_parallelism().map_or(1, usize::from).min(8);
    if total < WORTH_A_THREAD || n_threads == 1 {
        let mut buffer = Vec::new();
        for block in blocks {
            take(block, block.read(&mut buffer));
        }
        return;
    }
    let next = AtomicUsize::new(0);
    // A reader that is ahead waits here, so that only few blocks are in memory.
    let (sender, receiver) = mpsc::sync_channel(n_threads);
    thread::scope(|scope| {
        for _ in 0..n_threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut buffer = Vec::new();
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(block) = blocks.get(at) else { return };
                    if sender.send((at, block.read(&mut buffer))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut at = 0;
        for (number, read) in receiver {
            waiting.insert(number, read);
            while let Some(read) = waiting.remove(&at) {
                take(&blocks[at], read);
                at += 1;
            }
        }
    });
}

impl Block<'_> {
    /// Reads the lines that begin in the block. The buffer is used again for the next one.
    fn read(&self, buffer: &mut Vec<u8>) -> Read {
        let mut read = Read { batch: Batch::default(), bytes: self.to - self.from, tail: None, problem: None };
        if let Err(error) = self.read_lines(buffer, &mut read) {
            read.problem = Some(format!("a piece of file {} could not be read: {error}", self.number));
        }
        read
    }

    fn read_lines(&self, bytes: &mut Vec<u8>, read: &mut Read) -> io::Result<()> {
        // The byte before tells whether a line begins with the first.
        let base = if self.is_start_of_line { self.from } else { self.from - 1 };
        bytes.resize((self.to - base) as usize, 0);
        let n_read = read_fully(self.file, bytes, base)?;
        bytes.truncate(n_read);
        let mut start = 0;
        if !self.is_start_of_line {
            match memchr(b'\n', bytes) {
                Some(at) => start = at + 1,
                None => return Ok(()),
            }
        }
        // A line break on the last byte ends the last line of the block; the next one begins in the
        // next block.
        let first = start;
        for end in memchr_iter(b'\n', &bytes[first..]).map(|at| at + first) {
            read.batch.line(&bytes[start..end], self.number, base + start as u64);
            start = end + 1;
        }
        if start >= bytes.len() {
            return Ok(());
        }
        let offset = base + start as u64;
        bytes.drain(..start);
        while offset + (bytes.len() as u64) < self.end {
            let (known, at) = (bytes.len(), offset + bytes.len() as u64);
            let more = (known as u64).clamp(1 << 16, 8 << 20).min(self.end - at);
            bytes.resize(known + more as usize, 0);
            let n_read = read_fully(self.file, &mut bytes[known..], at)?;
            bytes.truncate(known + n_read);
            if let Some(end) = memchr(b'\n', &bytes[known..]) {
                read.batch.line(&bytes[..known + end], self.number, offset);
                return Ok(());
            }
            if bytes.len() > LONGEST_LINE {
                read.batch.too_long(&bytes[..300], self.number, offset, LONGEST_LINE);
                return Ok(());
            }
            if n_read == 0 {
                break;
            }
        }
        // The end of the file. If this is an object then it is all of it: nothing but a line break
        // can follow.
        let mut last = Batch::default();
        last.line(bytes, self.number, offset);
        if last.n_bad == 0 {
            last.runs.into_iter().for_each(|run| read.batch.runs.push(run));
            read.batch.n_lines += last.n_lines;
        } else {
            read.tail = Some(offset);
        }
        Ok(())
    }
}

fn read_fully(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut n_read = 0;
    while n_read < bytes.len() {
        match read_at(file, &mut bytes[n_read..], offset + n_read as u64) {
            Ok(0) => break,
            Ok(more) => n_read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(n_read)
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, offset)
}

impl Sources {
    pub fn path(&self, number: u16) -> &Path {
        self.files.get(usize::from(number)).map_or(Path::new(""), |(path, _)| path)
    }

    /// Fills the buffer with the bytes from `from` to `to`, as far as they are still there.
    pub fn read(&self, number: u16, from: u64, to: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
        let (path, file) =
            self.files.get(usize::from(number)).ok_or_else(|| io::Error::other("there is no such file"))?;
        bytes.resize((to - from) as usize, 0);
        let n_read = match file {
            Some(file) => read_fully(file, bytes, from),
            None => open(path).and_then(|(file, _)| read_fully(&file, bytes, from)),
        };
        bytes.truncate(*n_read.as_ref().unwrap_or(&0));
        n_read.map(drop)
    }
}

/// The line of a case, if it is still there.
pub(crate) fn read_line(sources: &Sources, place: Place) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    sources.read(place.file, place.offset, place.offset + u64::from(place.length), &mut bytes)?;
    if bytes.len() as u64 != u64::from(place.length) {
        return Err(io::Error::other("the file was cut off"));
    }
    Ok(bytes)
}
