//! The file with the slots of one process, and those of processes that died.

use super::cause;
use super::slot::{SLOT_SIZE, Slot};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// As many properties can run at once and be recorded.
const N_SLOTS: usize = 128;

/// In the place of the first slot. It changes with the layout.
const MAGIC: &[u8; 24] = b"retrospect running, v1\n\n";

/// A file is complete when it has this ending.
const ENDING: &str = ".run";
const UNFINISHED: &str = ".run-new";

/// A file that was being made this long ago is made by nobody any more.
const LONGEST_MAKING: Duration = Duration::from_secs(60);

pub(super) struct RunFile {
    slots: &'static [Slot],
    /// Nothing if no file can be written: then the slots are for the signal handlers alone.
    file: Option<Mutex<File>>,
    path: PathBuf,
    /// Whether a store reaches the file by itself.
    is_mapped: bool,
    /// Where a search for a free slot begins.
    next: AtomicUsize,
    has_deaths: AtomicBool,
    deaths: Mutex<Vec<Death>>,
}

/// A property in which a process died.
struct Death {
    path: PathBuf,
    index: usize,
    property: String,
    text: Option<String>,
}

impl RunFile {
    /// Makes the file of this process, and reads those of dead ones.
    pub(super) fn create() -> RunFile {
        let program = std::env::current_exe().unwrap_or_default();
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match super::directory() {
            Some(directory) => RunFile::create_in(&directory, &name, true),
            None => RunFile::new(None, None, Vec::new()),
        }
    }

    fn create_in(directory: &Path, program: &str, may_map: bool) -> RunFile {
        let deaths = deaths_in(directory, program);
        let file = new_file(directory, program).ok();
        let mapped = file.as_ref().filter(|_| may_map).and_then(|(file, _)| map(file));
        RunFile::new(file, mapped, deaths)
    }

    fn new(file: Option<(File, PathBuf)>, mapped: Option<&'static [Slot]>, deaths: Vec<Death>) -> RunFile {
        let (file, path) = file.unzip();
        RunFile {
            is_mapped: mapped.is_some(),
            slots: mapped.unwrap_or_else(in_memory),
            file: file.map(Mutex::new),
            path: path.unwrap_or_default(),
            next: AtomicUsize::new(0),
            has_deaths: AtomicBool::new(!deaths.is_empty()),
            deaths: Mutex::new(deaths),
        }
    }

    pub(super) fn slots(&self) -> &'static [Slot] {
        self.slots
    }

    /// A free slot.
    pub(super) fn claim(&self) -> Option<&'static Slot> {
        let first = self.next.load(Ordering::Relaxed);
        let index =
            (first..first + self.slots.len()).map(|at| at % self.slots.len()).find(|at| self.slots[*at].claim())?;
        self.next.store(index, Ordering::Relaxed);
        Some(&self.slots[index])
    }

    /// Brings a slot into the file, if it does not get there by itself. The numbers of cases are
    /// then not in it.
    pub(super) fn publish(&self, slot: &Slot) {
        if self.is_mapped {
            return;
        }
        let Some(file) = &self.file else { return };
        let Some(index) = self.slots.iter().position(|other| std::ptr::eq(other, slot)) else { return };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        // Without a record properties run as well.
        let _ = file.seek(SeekFrom::Start(offset_of(index))).and_then(|_| file.write_all(&slot.to_bytes()));
    }

    /// Frees the slots of running properties. A signal handler calls this: no memory is taken, and
    /// no lock.
    pub(super) fn forget_running(&self) {
        for slot in self.slots {
            if slot.is_running() {
                slot.free();
            }
        }
    }

    /// What is to be said of the death of a process in this property.
    pub(super) fn take_death(&self, property: &str) -> Option<String> {
        if !self.has_deaths.load(Ordering::Relaxed) {
            return None;
        }
        let mut deaths = self.deaths.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = None;
        while let Some(at) = deaths.iter().position(|death| death.property == property) {
            let death = deaths.swap_remove(at);
            // Two processes may tell of the same death: that does no harm.
            let _ = forget(&death.path, death.index);
            text = text.or(death.text);
        }
        text
    }

    /// The process ends as it should.
    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn in_memory() -> &'static [Slot] {
    let slots: Vec<Slot> = (0..N_SLOTS).map(|_| Slot::from_bytes(&[0; SLOT_SIZE])).collect();
    Vec::leak(slots)
}

fn offset_of(index: usize) -> u64 {
    ((1 + index) * SLOT_SIZE) as u64
}

/// An empty file of this process, which it has locked. It has its name only when it is locked.
fn new_file(directory: &Path, program: &str) -> io::Result<(File, PathBuf)> {
    let process = std::process::id();
    let unfinished = directory.join(format!("{program}.{process}{UNFINISHED}"));
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&unfinished)?;
    // Where there are no locks, nobody can tell whether the file's process is alive.
    file.try_lock().map_err(|_| io::ErrorKind::WouldBlock)?;
    file.write_all(MAGIC)?;
    file.set_len(offset_of(N_SLOTS))?;
    // A process of the same number may have left one.
    let names = (0..100).map(|count| directory.join(format!("{program}.{process}.{count}{ENDING}")));
    let path = names.into_iter().find(|path| !path.exists()).ok_or(io::ErrorKind::AlreadyExists)?;
    fs::rename(&unfinished, &path)?;
    Ok((file, path))
}

/// The deaths that processes of the same program left behind. Files without any are removed.
fn deaths_in(directory: &Path, program: &str) -> Vec<Death> {
    let mut deaths = Vec::new();
    let Ok(entries) = fs::read_dir(directory) else { return deaths };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(program)) else { continue };
        let path = entry.path();
        if rest.ends_with(UNFINISHED) {
            let made = entry.metadata().and_then(|found| found.modified());
            let age = made.ok().and_then(|made| made.elapsed().ok());
            if age.is_some_and(|age| age > LONGEST_MAKING) {
                let _ = fs::remove_file(path);
            }
        } else if rest.ends_with(ENDING) && rest.starts_with('.') {
            let _ = read_deaths(&path, &mut deaths);
        }
    }
    deaths
}

/// Reads the file of a dead process; that of a living one is locked.
fn read_deaths(path: &Path, deaths: &mut Vec<Death>) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    file.try_lock().map_err(|_| io::ErrorKind::WouldBlock)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let before = deaths.len();
    if bytes.starts_with(MAGIC) {
        let (chunks, _) = bytes.as_chunks::<SLOT_SIZE>();
        for (index, chunk) in chunks.iter().skip(1).enumerate() {
            let slot = Slot::from_bytes(chunk);
            if slot.is_running() {
                let property = text_of(|out| slot.property(out));
                deaths.push(Death { path: path.to_owned(), index, property, text: told(&slot) });
            }
        }
    }
    if deaths.len() == before {
        fs::remove_file(path)?;
    }
    Ok(())
}

/// Frees the slot of a dead process, and removes the file if it was the last.
fn forget(path: &Path, index: usize) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    file.try_lock().map_err(|_| io::ErrorKind::WouldBlock)?;
    file.seek(SeekFrom::Start(offset_of(index)))?;
    file.write_all(&0u32.to_ne_bytes())?;
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let (chunks, _) = bytes.as_chunks::<SLOT_SIZE>();
    if !chunks.iter().skip(1).any(|chunk| Slot::from_bytes(chunk).is_running()) {
        fs::remove_file(path)?;
    }
    Ok(())
}

/// What the next run says; nothing if another property ended the process.
fn told(slot: &Slot) -> Option<String> {
    let place = text_of(|out| slot.place(out));
    let command = text_of(|out| slot.command(out));
    match slot.cause() {
        cause::ANOTHER => None,
        cause::UNKNOWN => Some(format!(
            "the process of the last run was killed {place}; if memory ran out there, this finds the case:\n{command}"
        )),
        cause => Some(format!(
            "the last run ended its process {place} ({}); this finds the case and, if it was drawn, shrinks and saves it:\n{command}",
            cause::text(cause)
        )),
    }
}

fn text_of(write: impl FnOnce(&mut dyn FnMut(u8))) -> String {
    let mut bytes = Vec::new();
    write(&mut |byte| bytes.push(byte));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The slots of the file as memory that all processes share.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn map(file: &File) -> Option<&'static [Slot]> {
    use std::ffi::{c_int, c_void};
    use std::os::fd::AsRawFd;
    unsafe extern "C" {
        // With the types of 64-bit Linux.
        fn mmap(
            address: *mut c_void,
            size: usize,
            protection: c_int,
            flags: c_int,
            file: c_int,
            offset: i64,
        ) -> *mut c_void;
    }
    const READ_AND_WRITE: c_int = 1 | 2;
    const SHARED: c_int = 1;
    let size = offset_of(N_SLOTS) as usize;
    // SAFETY: a mapping at an address that the system chooses touches no memory that is in use.
    let start = unsafe { mmap(std::ptr::null_mut(), size, READ_AND_WRITE, SHARED, file.as_raw_fd(), 0) };
    // Failure is the address -1.
    if start.addr() == usize::MAX {
        return None;
    }
    let first = start.wrapping_byte_add(SLOT_SIZE).cast::<Slot>();
    // SAFETY: the mapping is as long as the file, is never taken away, and begins at a page, so
    // that slots are aligned. All bytes are valid slots, and all access is atomic.
    Some(unsafe { std::slice::from_raw_parts(first, N_SLOTS) })
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
fn map(_file: &File) -> Option<&'static [Slot]> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Directory(PathBuf);

    impl Directory {
        fn new(name: &str) -> Directory {
            let directory = std::env::temp_dir().join(format!("retrospect-crash-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&directory);
            fs::create_dir_all(&directory).unwrap();
            Directory(directory)
        }

        fn files(&self) -> usize {
            fs::read_dir(&self.0).unwrap().count()
        }
    }

    impl Drop for Directory {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// What a process leaves that is killed in the second of two properties.
    fn die_in(directory: &Directory, may_map: bool, cause: u32) {
        let run_file = RunFile::create_in(&directory.0, "program", may_map);
        let slots = [run_file.claim().unwrap(), run_file.claim().unwrap()];
        for (slot, property) in slots.into_iter().zip(["a::one", "a::two"]) {
            slot.write(property, "RETROSPECT_SEED=0x7", "cargo test", true);
            slot.set_case(130);
            slot.set_cause(cause);
            run_file.publish(slot);
        }
        slots[0].free();
        run_file.publish(slots[0]);
        // A mapped file is locked until its process ends: a copy is not.
        fs::copy(&run_file.path, directory.0.join("program.1.7.run")).unwrap();
        run_file.remove();
    }

    #[test]
    fn a_death_is_told_once_to_its_property() {
        for may_map in [true, false] {
            let directory = Directory::new(if may_map { "mapped" } else { "written" });
            die_in(&directory, may_map, cause::EXIT);
            let next = RunFile::create_in(&directory.0, "program", may_map);
            assert_eq!(directory.files(), 2);
            assert_eq!(next.take_death("a::one"), None);
            let text = next.take_death("a::two").expect("a death");
            assert_eq!(
                text,
                "the last run ended its process in case 130 (it called `exit`); this finds the case and, if it was drawn, shrinks and saves it:\n\
                 RETROSPECT_SEED=0x7 RETROSPECT_CASES=230 cargo test"
            );
            assert_eq!(next.take_death("a::two"), None);
            assert_eq!(directory.files(), 1);
            next.remove();
            assert_eq!(directory.files(), 0);
        }
    }

    #[test]
    fn a_living_process_is_not_called_dead() {
        let directory = Directory::new("living");
        let living = RunFile::create_in(&directory.0, "program", true);
        living.claim().unwrap().write("a::one", "", "", false);
        let other = RunFile::create_in(&directory.0, "program", true);
        assert_eq!(other.take_death("a::one"), None);
        assert_eq!(directory.files(), 2);
    }

    #[test]
    fn a_death_for_which_another_property_is_to_blame_is_not_told() {
        let directory = Directory::new("another");
        die_in(&directory, true, cause::ANOTHER);
        let next = RunFile::create_in(&directory.0, "program", true);
        assert_eq!(next.take_death("a::two"), None);
        assert_eq!(directory.files(), 1);
    }

    #[test]
    fn files_of_other_programs_and_files_that_are_no_records_do_no_harm() {
        let directory = Directory::new("strange");
        fs::write(directory.0.join("program2.1.0.run"), "another program's").unwrap();
        fs::write(directory.0.join("program.1.0.run"), MAGIC).unwrap();
        fs::write(directory.0.join("program.2.0.run"), [7; 5000]).unwrap();
        let next = RunFile::create_in(&directory.0, "program", true);
        assert_eq!(next.take_death("a::one"), None);
        assert_eq!(directory.files(), 2);
    }

    #[test]
    fn more_properties_than_slots_run_without_a_record() {
        let directory = Directory::new("crowd");
        let run_file = RunFile::create_in(&directory.0, "program", false);
        let slots: Vec<_> = std::iter::from_fn(|| run_file.claim()).collect();
        assert_eq!(slots.len(), N_SLOTS);
        slots[5].free();
        assert!(std::ptr::eq(run_file.claim().unwrap(), slots[5]));
    }
}
