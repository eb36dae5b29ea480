//! Which lines a case runs: the counters that `-C instrument-coverage` puts into a program, read
//! while it runs.
//!
//! `cargo retrospect test --coverage` builds with the counters and writes down which of them stand
//! for which lines: `RETROSPECT_COVERAGE_MAP` is the folder, with a file for each program. Counters
//! belong to the whole process, so one test runs at a time. The count of a line may be a sum or
//! difference of counters; after a panic such a difference may count lines that were not reached.

use std::borrow::Cow;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The lines of this program that can be counted.
pub(crate) struct Lines {
    counters: &'static [AtomicU64],
    sums: Vec<Sum>,
    lines: Vec<Line>,
    files: Vec<String>,
}

/// The sum or difference of two counts.
struct Sum {
    left: Count,
    is_difference: bool,
    right: Count,
}

#[derive(Clone, Copy)]
enum Count {
    Counter(u32),
    Sum(u32),
}

struct Line {
    file: u32,
    number: u32,
    /// It was run if one of these is not zero.
    counts: Vec<Count>,
}

impl Lines {
    /// Those of this program, if it has counters and there is a file for it; or why it cannot be
    /// read.
    pub(crate) fn here(folder: &Path) -> Result<Option<&'static Lines>, String> {
        static LINES: OnceLock<Result<Option<Lines>, String>> = OnceLock::new();
        match LINES.get_or_init(|| Lines::load(folder)) {
            Ok(lines) => Ok(lines.as_ref()),
            Err(problem) => Err(problem.clone()),
        }
    }

    fn load(folder: &Path) -> Result<Option<Lines>, String> {
        let Some(counters) = counters() else { return Ok(None) };
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let file = folder.join(program.file_name().unwrap_or_default()).with_extension("map");
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{}: {error}", file.display())),
        };
        let lines = Lines { counters, sums: Vec::new(), lines: Vec::new(), files: Vec::new() };
        lines.read(&text).map(Some).ok_or_else(|| format!("{} is not of this program", file.display()))
    }

    /// A line of the file is `counters 12`, `+ c3 s0`, `- s1 c4`, `file src/lib.rs` or `line 7 c3
    /// s2`.
    fn read(mut self, text: &str) -> Option<Lines> {
        for line in text.lines() {
            let mut words = line.split(' ');
            match words.next()? {
                "counters" if words.next()?.parse() == Ok(self.counters.len()) => {}
                word @ ("+" | "-") => {
                    let (left, right) = (self.count(words.next()?)?, self.count(words.next()?)?);
                    self.sums.push(Sum { left, is_difference: word == "-", right });
                }
                "file" => self.files.push(line.get(5..)?.to_owned()),
                "line" => {
                    let number = words.next()?.parse().ok()?;
                    let file = (self.files.len() as u32).checked_sub(1)?;
                    let mut counts = Vec::new();
                    for word in words {
                        counts.push(self.count(word)?);
                    }
                    self.lines.push(Line { file, number, counts });
                }
                _ => return None,
            }
        }
        Some(self)
    }

    /// A sum is made of what stands before it.
    fn count(&self, word: &str) -> Option<Count> {
        let number: u32 = word.get(1..)?.parse().ok()?;
        match word.as_bytes()[0] {
            b'c' if (number as usize) < self.counters.len() => Some(Count::Counter(number)),
            b's' if (number as usize) < self.sums.len() => Some(Count::Sum(number)),
            _ => None,
        }
    }

    /// A case begins.
    pub(crate) fn reset(&self) {
        for counter in self.counters {
            counter.store(0, Ordering::Relaxed);
        }
    }

    /// The lines that were run since then, by their places here.
    pub(crate) fn covered(&self) -> Vec<u32> {
        let mut sums: Vec<u64> = Vec::with_capacity(self.sums.len());
        let count = |count: &Count, sums: &[u64]| match count {
            Count::Counter(number) => self.counters[*number as usize].load(Ordering::Relaxed),
            Count::Sum(number) => sums[*number as usize],
        };
        for Sum { left, is_difference, right } in &self.sums {
            let (left, right) = (count(left, &sums), count(right, &sums));
            // A panic leaves a way before its end is counted.
            sums.push(if *is_difference { left.saturating_sub(right) } else { left.saturating_add(right) });
        }
        let mut covered = Vec::new();
        for (place, line) in self.lines.iter().enumerate() {
            if line.counts.iter().any(|one| count(one, &sums) > 0) {
                covered.push(place as u32);
            }
        }
        covered
    }

    /// By file, with numbers that rise.
    pub(crate) fn by_file(&self, covered: &[u32]) -> Vec<(Cow<'_, str>, Vec<u32>)> {
        let mut files: Vec<(Cow<'_, str>, Vec<u32>)> = Vec::new();
        let mut last = None;
        for place in covered {
            let Some(line) = self.lines.get(*place as usize) else { continue };
            if last != Some(line.file) {
                last = Some(line.file);
                files.push((Cow::Borrowed(&self.files[line.file as usize]), Vec::new()));
            }
            if let Some((_, lines)) = files.last_mut() {
                lines.push(line.number);
            }
        }
        files
    }
}

/// The counters of this program; none if it was built without.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn counters() -> Option<&'static [AtomicU64]> {
    let (start, end): (*const AtomicU64, *const AtomicU64);
    // SAFETY: this loads two addresses from the global offset table. The linker defines both
    // symbols where there is a section of that name; being weak, they are null where there is none.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        std::arch::asm!(
            ".weak __start___llvm_prf_cnts",
            ".weak __stop___llvm_prf_cnts",
            "mov {start}, qword ptr [rip + __start___llvm_prf_cnts@GOTPCREL]",
            "mov {end}, qword ptr [rip + __stop___llvm_prf_cnts@GOTPCREL]",
            start = out(reg) start,
            end = out(reg) end,
            options(nostack, preserves_flags, readonly),
        );
        #[cfg(target_arch = "aarch64")]
        std::arch::asm!(
            ".weak __start___llvm_prf_cnts",
            ".weak __stop___llvm_prf_cnts",
            "adrp {start}, :got:__start___llvm_prf_cnts",
            "ldr {start}, [{start}, :got_lo12:__start___llvm_prf_cnts]",
            "adrp {end}, :got:__stop___llvm_prf_cnts",
            "ldr {end}, [{end}, :got_lo12:__stop___llvm_prf_cnts]",
            start = out(reg) start,
            end = out(reg) end,
            options(nostack, preserves_flags, readonly),
        );
    }
    if start.is_null() || end <= start {
        return None;
    }
    // SAFETY: between the two symbols lie the counters, which are aligned words of 64 bits that the
    // program adds to and that live as long as it does. Atomic loads and stores of them do not race
    // with its additions, which are atomic too.
    Some(unsafe { std::slice::from_raw_parts(start, (end as usize - start as usize) / size_of::<AtomicU64>()) })
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn counters() -> Option<&'static [AtomicU64]> {
    None
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn lines(text: &str) -> Option<Lines> {
        let counters: Vec<AtomicU64> = (0..3).map(|_| AtomicU64::new(0)).collect();
        Lines { counters: counters.leak(), sums: Vec::new(), lines: Vec::new(), files: Vec::new() }.read(text)
    }

    #[test]
    fn lines_are_counted_by_sums_and_differences() {
        let text = "counters 3\n- c0 c1\n+ s0 c2\nfile src/a b.rs\nline 3 c0\nline 4 s0\nline 9 c1 c2\nfile src/c.rs\nline 1 s1";
        let lines = lines(text).unwrap();
        let covered = |counts: [u64; 3]| {
            lines.reset();
            for (counter, count) in lines.counters.iter().zip(counts) {
                counter.fetch_add(count, Ordering::Relaxed);
            }
            format!("{:?}", lines.by_file(&lines.covered()))
        };
        assert_eq!(covered([0, 0, 0]), "[]");
        assert_eq!(covered([2, 1, 0]), r#"[("src/a b.rs", [3, 4, 9]), ("src/c.rs", [1])]"#);
        assert_eq!(covered([2, 2, 0]), r#"[("src/a b.rs", [3, 9])]"#);
        // Cut short by a panic.
        assert_eq!(covered([1, 2, 0]), r#"[("src/a b.rs", [3, 9])]"#);
        assert_eq!(covered([0, 0, 1]), r#"[("src/a b.rs", [9]), ("src/c.rs", [1])]"#);
    }

    #[test]
    fn a_file_that_is_not_of_this_program_is_refused() {
        for text in ["counters 4", "- c0 c3", "- s0 c1", "line 3 c0", "file a\nline x c0", "file a\nline 3 d0", "what"]
        {
            assert!(lines(text).is_none(), "{text}");
        }
        assert!(lines("").is_some());
    }
}
