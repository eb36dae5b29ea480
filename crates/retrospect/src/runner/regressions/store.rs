//! Files of counterexamples: where they are, reading them, and changing them while others do the
//! same.

use super::format;
use super::{FileProblem, Loaded, SavedCase, stable_hash};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The file of a property: `ledger::tests::round_trip` has `ledger.tests.round_trip.txt`, and
/// `ledger::r#type` has `ledger.type.txt`.
///
/// A name that a file system may refuse is changed, and told from others that are changed to the
/// same by a hash.
pub fn file_of(directory: &Path, property_path: &str) -> PathBuf {
    // File systems allow 255 bytes; the temporary file beside it and the path above need some.
    const LONGEST: usize = 120;
    let is_harmless = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-');
    let mut name = String::with_capacity(property_path.len() + 16);
    let mut is_changed = property_path.is_empty();
    for (place, segment) in property_path.split("::").enumerate() {
        if place > 0 {
            name.push('.');
        }
        for character in segment.strip_prefix("r#").unwrap_or(segment).chars() {
            is_changed |= !is_harmless(character);
            name.push(if is_harmless(character) { character } else { '_' });
        }
    }
    let first = name.split('.').next().unwrap_or_default();
    // A name that begins with a dot is hidden.
    if name.starts_with('.') || DEVICES.contains(&first.to_ascii_lowercase().as_str()) {
        name.insert(0, '_');
        is_changed = true;
    }
    if is_changed || name.len() > LONGEST {
        while name.len() > LONGEST {
            name.pop();
        }
        name.push_str(&format!("-{:08x}", stable_hash(property_path.as_bytes()) >> 32));
    }
    directory.join(name + ".txt")
}

/// Windows takes these for devices, whatever comes after a dot.
const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// The cases of a file, in order, and the entries that cannot be read. Where there is no file,
/// there are none.
pub fn load(file: &Path) -> Result<Loaded, FileProblem> {
    remove_unfinished(parent_of(file));
    let mut loaded = Loaded { cases: Vec::new(), broken: Vec::new() };
    for entry in format::entries_of(&read(file)?) {
        match entry.content {
            Ok(case) => loaded.cases.push(case),
            Err(broken) => loaded.broken.push(broken),
        }
    }
    Ok(loaded)
}

/// Adds a case to the file, in the place of the one with the id `replaces`, or of one with the same
/// values.
///
/// All else in the file stays as it is. Whoever reads meanwhile sees the file of before or of
/// after; whoever saves meanwhile waits. The id under which the file has the case now is what it
/// returns, for whoever replaces the case later: where another has the same, it is a longer one.
/// The file is not forced onto the disk: that would take longer than finding the counterexample,
/// and only a failing machine can lose what was handed to the operating system.
pub fn save(file: &Path, property_path: &str, case: &SavedCase, replaces: Option<&str>) -> Result<String, FileProblem> {
    change(file, |old| format::with_case(old, property_path, case, replaces))
}

/// Removes the case with this id.
pub fn remove(file: &Path, id: &str) -> Result<(), FileProblem> {
    change(file, |old| (format::without_case(old, id), ()))
}

/// Replaces the text of the file.
fn change<T>(file: &Path, edit: impl FnOnce(&str) -> (String, T)) -> Result<T, FileProblem> {
    let not_written = |error: io::Error| unwritable(file, reason_of(&error));
    // A link stays a link.
    let target = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let directory = parent_of(&target);
    if fs::metadata(directory).is_ok_and(|found| !found.is_dir()) {
        return Err(unwritable(file, format!("{} is not a directory", directory.display())));
    }
    fs::create_dir_all(directory).map_err(not_written)?;
    // Threads wait in line for each other, and only the first of them asks again and again whether
    // another process is done.
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let _lock = lock(directory).map_err(|()| {
        unwritable(file, format!("another process has been writing for more than {} seconds", LONGEST_WAIT.as_secs()))
    })?;
    let old = read(file)?;
    let (new, result) = edit(&old);
    if new == old {
        return Ok(result);
    }
    let permissions = fs::metadata(&target).ok().map(|found| found.permissions());
    // Renaming would not mind.
    if permissions.as_ref().is_some_and(|permissions| permissions.readonly()) {
        return Err(unwritable(file, "the file is marked read-only".to_owned()));
    }
    let temporary = temporary_beside(directory, &target);
    let written = fs::write(&temporary, new)
        .and_then(|()| permissions.map_or(Ok(()), |permissions| fs::set_permissions(&temporary, permissions)))
        .and_then(|()| fs::rename(&temporary, &target));
    written.map(|()| result).map_err(|error| {
        // Nothing can be done if this fails too.
        let _ = fs::remove_file(&temporary);
        not_written(error)
    })
}

/// The text of a file; nothing if there is no file.
fn read(file: &Path) -> Result<String, FileProblem> {
    let problem = |reason: String, way_out| FileProblem { file: file.to_owned(), reason, way_out };
    let cannot_read = |error: io::Error| {
        problem(
            format!("cannot be read: {}", reason_of(&error)),
            "the saved counterexamples of the property did not run; make the file readable, or remove it",
        )
    };
    match fs::metadata(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(String::new()),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return Err(problem(
                "cannot be there: what should be its folder is a file".to_owned(),
                "counterexamples of the property are saved in that folder; move the file away, or set `regressions` to another",
            ));
        }
        Err(error) => return Err(cannot_read(error)),
        // Opening something else than a file, say a pipe, may take for ever.
        Ok(found) if !found.is_file() => {
            let what = if found.is_dir() { "a directory" } else { "neither a file nor a directory" };
            return Err(problem(
                format!("cannot be read: it is {what}"),
                "counterexamples of the property are saved under this name; move what is there away",
            ));
        }
        Ok(_) => {}
    }
    let bytes = match fs::read(file) {
        // Removed since.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(String::new()),
        read => read.map_err(cannot_read)?,
    };
    let way_out = "nothing in it ran and nothing was changed; save it as UTF-8, or restore it from version control";
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) || bytes.contains(&0) {
        // Of two bytes of a letter, one is zero.
        let is_letter = bytes.len() > 1 && (bytes[0] == 0) != (bytes[1] == 0);
        let reason = if is_letter || bytes[0] >= 0xfe {
            "is UTF-16 text, not UTF-8".to_owned()
        } else {
            "is not text: it has zero bytes".to_owned()
        };
        return Err(problem(reason, way_out));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
        problem(
            format!("is not UTF-8: line {line} has the byte 0x{:02x} where no character begins", bytes[at]),
            way_out,
        )
    })
}

fn unwritable(file: &Path, reason: String) -> FileProblem {
    FileProblem {
        file: file.to_owned(),
        reason: format!("cannot be written: {reason}"),
        way_out: "the counterexample was not saved, so it is in this report only; make the place writable to keep the next one",
    }
}

fn reason_of(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::NotADirectory => "a part of its path is not a directory".to_owned(),
        ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        ErrorKind::StorageFull => "the disk is full".to_owned(),
        _ => error.to_string(),
    }
}

fn parent_of(file: &Path) -> &Path {
    file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Removes what saves left in the directory that were killed before they were done. Once for each
/// directory and process.
fn remove_unfinished(directory: &Path) {
    static DONE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    if done.iter().any(|other| other == directory) {
        return;
    }
    // Who saves holds the lock until its file has its name. So whatever is unfinished under this
    // lock was left behind.
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let lock = file_to_lock(directory);
    match lock.as_ref().map(File::try_lock) {
        Ok(Err(TryLockError::WouldBlock)) => return,
        Ok(Ok(())) => {}
        // There is no directory, or there are no locks.
        Err(_) | Ok(Err(TryLockError::Error(_))) => return done.push(directory.to_owned()),
    }
    done.push(directory.to_owned());
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_temporary) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a name is one of [`temporary_beside`]: `.ledger.total.txt.4711.0.tmp`.
fn is_temporary(name: &str) -> bool {
    let inside = name.strip_prefix('.').and_then(|name| name.strip_suffix(".tmp"));
    let Some((rest, count)) = inside.and_then(|name| name.rsplit_once('.')) else { return false };
    let Some((rest, process)) = rest.rsplit_once('.') else { return false };
    rest.ends_with(".txt") && count.parse::<u32>().is_ok() && process.parse::<u32>().is_ok()
}

/// A name in the same directory, hence the same file system, that nobody else uses.
fn temporary_beside(directory: &Path, target: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    directory.join(format!(".{name}.{}.{count}.tmp", std::process::id()))
}

/// Held by the thread of this process that saves.
static TURN: Mutex<()> = Mutex::new(());

/// How long a save waits for other processes. Each takes a few milliseconds; who takes longer was
/// stopped in the middle.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Keeps other threads and processes from saving in the directory until the file is dropped. The
/// operating system takes the lock from who dies.
///
/// Where there are no locks, as on some network file systems, nobody is kept away: two saves at the
/// same instant may then lose one, none tears the file.
fn lock(directory: &Path) -> Result<Option<File>, ()> {
    let Ok(file) = file_to_lock(directory) else {
        return Ok(None);
    };
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::Error(_)) => return Ok(None),
            Err(TryLockError::WouldBlock) if start.elapsed() > LONGEST_WAIT => return Err(()),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
        }
    }
}

/// The directory itself, so that no lock file lies around among the user's. Windows cannot lock
/// one; there, it is a file among the temporary ones.
fn file_to_lock(directory: &Path) -> io::Result<File> {
    if !cfg!(windows) {
        return File::open(directory);
    }
    let path = fs::canonicalize(directory)?;
    let hash = stable_hash(path.as_os_str().as_encoded_bytes());
    File::create(std::env::temp_dir().join(format!("retrospect-{hash:016x}.lock")))
}
