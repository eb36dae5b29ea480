//! What LLVM writes into a program that is built with `-C instrument-coverage`, as its
//! documentation describes it ("LLVM Code Coverage Mapping Format").

use super::elf::{self, Section, number};
use super::md5;

/// A function that has counters.
#[derive(Debug, PartialEq)]
pub struct Function {
    /// Its first counter, among all of the program.
    pub first_counter: u64,
    pub n_counters: u64,
    /// The first is the folder that the names of the others are seen from.
    pub files: Vec<String>,
    pub expressions: Vec<(Counter, Counter)>,
    pub regions: Vec<Region>,
}

/// How often something was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    Zero,
    /// Of this function.
    Physical(u64),
    /// The first less the second of an expression of this function.
    Difference(u64),
    /// Both together.
    Sum(u64),
}

/// A part of the source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// Among the files of its function.
    pub file: usize,
    pub first_line: u32,
    pub last_line: u32,
    pub counter: Counter,
}

/// How many counters a program has.
pub fn n_counters(program: &[u8]) -> Option<usize> {
    Some(elf::section(program, "__llvm_prf_cnts")?.bytes.len() / 8)
}

pub fn functions(program: &[u8]) -> Result<(usize, Vec<Function>), String> {
    let of = |name: &str| elf::section(program, name).ok_or_else(|| format!("it has no section {name}"));
    // Tests of a crate without a line of its own have none of it.
    let Some(count) = n_counters(program) else { return Ok((0, Vec::new())) };
    let (counters, data) = (of("__llvm_prf_cnts")?, of("__llvm_prf_data")?);
    let lists = file_lists(of("__llvm_covmap")?.bytes).ok_or("its file names are written in another way")?;
    let records = of("__llvm_covfun")?.bytes;
    let all =
        read_functions(records, &lists, &entries(data, counters)).ok_or("its functions are written in another way")?;
    Ok((count, all))
}

/// Name and hash of a function, its first counter and how many it has.
type Entry = (u64, u64, u64, u64);

fn entries(data: Section<'_>, counters: Section<'_>) -> Vec<Entry> {
    const SIZE: usize = 64;
    let mut entries = Vec::new();
    for (at, entry) in data.bytes.chunks_exact(SIZE).enumerate() {
        let field = |at| number(entry, at, 8).unwrap_or_default();
        let address = data.address + (at * SIZE) as u64;
        // Seen from the entry itself.
        let offset = address.wrapping_add(field(16)).wrapping_sub(counters.address);
        let n_counters = number(entry, 48, 4).unwrap_or_default();
        if offset % 8 == 0 && offset / 8 + n_counters <= counters.bytes.len() as u64 / 8 {
            entries.push((field(0), field(8), offset / 8, n_counters));
        }
    }
    entries.sort_unstable();
    entries
}

/// Lists of file names, each with what it is referred to by.
fn file_lists(bytes: &[u8]) -> Option<Vec<(u64, Vec<String>)>> {
    /// One less than the number in the documentation.
    const FIRST_VERSION: u64 = 5;
    let mut lists = Vec::new();
    let mut at = 0;
    while at + 16 <= bytes.len() {
        let (length, version) = (number(bytes, at + 4, 4)? as usize, number(bytes, at + 12, 4)?);
        if version < FIRST_VERSION {
            return None;
        }
        let blob = bytes.get(at + 16..at + 16 + length)?;
        lists.push((md5::half(blob), file_names(blob)?));
        at = (at + 16 + length).next_multiple_of(8);
    }
    Some(lists)
}

fn file_names(blob: &[u8]) -> Option<Vec<String>> {
    let mut reader = Reader(blob);
    let (count, length, packed) = (reader.number()?, reader.number()?, reader.number()?);
    let unpacked;
    let mut reader = match packed {
        0 => reader,
        packed => {
            const LONGEST: usize = 1 << 26;
            let packed = reader.0.get(..packed as usize)?;
            unpacked =
                miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(packed, (length as usize).min(LONGEST)).ok()?;
            Reader(&unpacked)
        }
    };
    let mut names = Vec::new();
    for _ in 0..count {
        let length = reader.number()? as usize;
        names.push(String::from_utf8_lossy(reader.0.get(..length)?).into_owned());
        reader.0 = &reader.0[length..];
    }
    Some(names)
}

fn read_functions(records: &[u8], lists: &[(u64, Vec<String>)], entries: &[Entry]) -> Option<Vec<Function>> {
    const HEAD: usize = 28;
    let mut functions = Vec::new();
    let mut at = 0;
    while at + HEAD <= records.len() {
        let (name, length) = (number(records, at, 8)?, number(records, at + 8, 4)? as usize);
        let (hash, list) = (number(records, at + 12, 8)?, number(records, at + 20, 8)?);
        let mapping = records.get(at + HEAD..at + HEAD + length)?;
        at = (at + HEAD + length).next_multiple_of(8);
        // What is never called has no counters.
        let Ok(found) = entries.binary_search_by(|entry| (entry.0, entry.1).cmp(&(name, hash))) else { continue };
        let (_, _, first_counter, n_counters) = entries[found];
        let (_, files) = lists.iter().find(|(reference, _)| *reference == list)?;
        functions.push(read_function(mapping, files, first_counter, n_counters)?);
    }
    Some(functions)
}

fn read_function(mapping: &[u8], names: &[String], first_counter: u64, n_counters: u64) -> Option<Function> {
    let mut reader = Reader(mapping);
    let root = names.first().cloned().unwrap_or_default();
    let mut files = vec![root];
    for _ in 0..reader.number()? {
        files.push(names.get(reader.number()? as usize)?.clone());
    }
    let mut expressions = Vec::new();
    for _ in 0..reader.number()? {
        expressions.push((reader.counter()?, reader.counter()?));
    }
    let mut regions = Vec::new();
    for file in 1..files.len() {
        let mut line = 0;
        for _ in 0..reader.number()? {
            let encoded = reader.number()?;
            // Without a counter the rest says of which kind it is.
            let kind = if encoded & 3 == 0 { encoded >> 2 } else { 0 };
            let counter = counter_of(encoded);
            let is_code = match kind {
                0 => true,
                // Expanded from elsewhere.
                kind if kind & 1 == 1 => false,
                // Left out by the compiler.
                4 => false,
                // A branch, with two counters.
                8 => {
                    reader.counter()?;
                    reader.counter()?;
                    false
                }
                _ => return None,
            };
            line += reader.number()? as u32;
            let _column = reader.number()?;
            let last_line = line + reader.number()? as u32;
            let end = reader.number()?;
            // A gap between statements is counted with what follows, but is no code.
            let is_gap = end >> 31 & 1 == 1;
            if is_code && !is_gap {
                regions.push(Region { file, first_line: line, last_line, counter });
            }
        }
    }
    Some(Function { first_counter, n_counters, files, expressions, regions })
}

fn counter_of(encoded: u64) -> Counter {
    match encoded & 3 {
        0 => Counter::Zero,
        1 => Counter::Physical(encoded >> 2),
        2 => Counter::Difference(encoded >> 2),
        _ => Counter::Sum(encoded >> 2),
    }
}

struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    /// Seven bits in each byte, the lowest first.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn counter(&mut self) -> Option<Counter> {
        self.number().map(counter_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_read() {
        let names = ["root".to_owned(), "src/lib.rs".to_owned()];
        // One file, one expression (counter 0 less counter 1), three regions: lines 3 to 5, a gap,
        // line 6.
        let mapping = [1, 1, 1, 1, 5, 3, 1, 3, 1, 2, 9, 2, 2, 1, 0, 0x8a, 0x80, 0x80, 0x80, 0x08, 2, 1, 4, 0, 9];
        let function = read_function(&mapping, &names, 7, 2).unwrap();
        assert_eq!((function.first_counter, function.n_counters), (7, 2));
        assert_eq!(function.expressions, [(Counter::Physical(0), Counter::Physical(1))]);
        assert_eq!(
            function.regions,
            [
                Region { file: 1, first_line: 3, last_line: 5, counter: Counter::Physical(0) },
                Region { file: 1, first_line: 6, last_line: 6, counter: Counter::Difference(0) },
            ]
        );
        for end in 0..mapping.len() {
            assert!(read_function(&mapping[..end], &names, 0, 2).is_none());
        }
    }

    #[test]
    fn file_names_are_read_packed_or_not() {
        assert_eq!(file_names(&[2, 5, 0, 1, b'/', 2, b'a', b'b']).unwrap(), ["/", "ab"]);
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(&[1, b'/', 2, b'a', b'b'], 6);
        let blob = [&[2, 5, packed.len() as u8][..], &packed].concat();
        assert_eq!(file_names(&blob).unwrap(), ["/", "ab"]);
        for end in 0..blob.len() {
            assert!(file_names(&blob[..end]).is_none());
        }
    }

    #[test]
    fn what_is_no_program_has_no_sections() {
        assert!(functions(b"").unwrap().1.is_empty());
        assert!(functions(b"\x7fELF\x02\x01 and nothing else").unwrap().1.is_empty());
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert!(elf::section(&own, ".text").is_some_and(|section| !section.bytes.is_empty()));
        assert!(elf::section(&own, ".tex").is_none());
        for end in (0..own.len().min(4096)).step_by(97) {
            elf::section(&own[..end], ".text");
        }
    }
}
