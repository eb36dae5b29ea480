//! Where the cases of a session are written.

use crate::cargo::{self, Selection};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// So many sessions are kept; older ones are removed.
const KEPT: usize = 30;

pub struct Session {
    pub directory: PathBuf,
    /// Whether it is where `cargo retrospect ui` looks by itself.
    pub is_usual: bool,
}

impl Session {
    /// Where it is written which counters stand for which lines.
    pub fn maps(&self) -> PathBuf {
        self.directory.join("coverage")
    }

    pub fn begin(selection: &Selection, wanted: Option<&Path>) -> Result<Session, String> {
        if let Some(directory) = wanted {
            let directory =
                std::path::absolute(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
            return Ok(Session { directory, is_usual: false });
        }
        let all = cargo::target_directory(selection)?.join("retrospect/observed");
        remove_old(&all);
        let cannot = |directory: &Path, error: std::io::Error| {
            format!("{} cannot be made: {error}; --observe names another folder", directory.display())
        };
        std::fs::create_dir_all(&all).map_err(|error| cannot(&all, error))?;
        let name = stamp(SystemTime::now());
        let mut directory = all.join(&name);
        let mut count = 1;
        // Another one may have begun in the same second.
        while let Err(error) = std::fs::create_dir(&directory) {
            if error.kind() != ErrorKind::AlreadyExists {
                return Err(cannot(&directory, error));
            }
            count += 1;
            directory = all.join(format!("{name}-{count}"));
        }
        Ok(Session { directory, is_usual: true })
    }

    /// Nothing was run: no folder without cases stays behind, in the place of an older one with
    /// some.
    pub fn forget(&self) {
        if self.is_usual {
            let _ = std::fs::remove_dir_all(&self.directory);
        }
    }
}

/// Names are times, so their order is that of the sessions.
fn remove_old(all: &Path) {
    let Ok(entries) = std::fs::read_dir(all) else { return };
    let mut sessions: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()).collect();
    sessions.sort();
    for old in sessions.iter().rev().skip(KEPT - 1) {
        // Somebody may look at it just now; it goes the next time.
        let _ = std::fs::remove_dir_all(old);
    }
}

/// `2026-11-16T08-40-20Z`.
fn stamp(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}-{minute:02}-{second:02}Z")
}

/// Year, month and day of a day since 1970, in a calendar whose year begins in March: then the leap
/// day is the last.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::{KEPT, date, remove_old, stamp};
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn days_are_dates() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_773), (2026, 11, 16));
        // One day after the other, over four centuries.
        let mut expected = (1970, 1, 1);
        for day in 0..146_097 {
            assert_eq!(date(day), expected);
            let (year, month, of_month) = expected;
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = [31, 28 + u64::from(is_leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month as usize - 1];
            expected = match (of_month == length, month == 12) {
                (true, true) => (year + 1, 1, 1),
                (true, false) => (year, month + 1, 1),
                _ => (year, month, of_month + 1),
            };
        }
        assert_eq!(stamp(UNIX_EPOCH + Duration::from_secs(1_763_282_281)), "2025-11-16T08-38-01Z");
    }

    #[test]
    fn old_sessions_go() {
        let folder = tempfile::tempdir().unwrap();
        for day in 10..50 {
            std::fs::create_dir(folder.path().join(format!("2026-01-{day}T00-00-00Z"))).unwrap();
        }
        remove_old(folder.path());
        let mut left: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!((left.len(), left[0].to_str().unwrap()), (KEPT - 1, "2026-01-21T00-00-00Z"));
    }
}
