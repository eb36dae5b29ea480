//! Lines, by the regions on them, as the library reads it.

use super::mapping::{Counter, Function};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

/// The text of the file: counters, then the sums that are needed, then each line with what counts
/// it.
pub fn text((n_counters, functions): &(usize, Vec<Function>), root: &Path) -> String {
    let mut sums = Sums::default();
    let mut files: BTreeMap<String, BTreeMap<u32, Vec<String>>> = BTreeMap::new();
    for function in functions {
        let mut known = vec![[None, None]; function.expressions.len()];
        for file in 1..function.files.len() {
            let Some(name) = name_in(root, &function.files[0], &function.files[file]) else { continue };
            let lines = files.entry(name).or_default();
            for (line, counter) in counted_lines(function, file) {
                let Some(count) = sums.count(function, counter, &mut known, 0) else { continue };
                let counts = lines.entry(line).or_default();
                if !counts.contains(&count) {
                    counts.push(count);
                }
            }
        }
    }
    let mut out = format!("counters {n_counters}\n{}", sums.text);
    for (name, lines) in files.iter().filter(|(_, lines)| !lines.is_empty()) {
        let _ = writeln!(out, "file {name}");
        for (line, counts) in lines {
            let _ = writeln!(out, "line {line} {}", counts.join(" "));
        }
    }
    out
}

/// The lines of a file in a function, with what counts them: what begins on a line, or else the
/// smallest region around it.
fn counted_lines(function: &Function, file: usize) -> Vec<(u32, Counter)> {
    let regions: Vec<_> = function.regions.iter().filter(|region| region.file == file).collect();
    let mut lines = Vec::new();
    let first = regions.iter().map(|region| region.first_line).min().unwrap_or(1);
    let last = regions.iter().map(|region| region.last_line).max().unwrap_or(0);
    for line in first.max(1)..=last {
        let beginning: Vec<_> = regions.iter().filter(|region| region.first_line == line).collect();
        if beginning.is_empty() {
            let around = regions.iter().filter(|region| (region.first_line..=region.last_line).contains(&line));
            lines.extend(
                around.min_by_key(|region| region.last_line - region.first_line).map(|region| (line, region.counter)),
            );
        }
        lines.extend(beginning.iter().map(|region| (line, region.counter)));
    }
    lines
}

/// Sums and differences, each written once and after those that it is made of.
#[derive(Default)]
struct Sums {
    text: String,
    count: usize,
}

/// Expressions that are deeper than that are no expressions of a compiler.
const DEEPEST: usize = 10_000;

impl Sums {
    /// What it is called: `c3` or `s3`; nothing for what is never run, or makes no sense.
    fn count(
        &mut self,
        function: &Function,
        counter: Counter,
        known: &mut [[Option<String>; 2]],
        depth: usize,
    ) -> Option<String> {
        let (expression, is_difference) = match counter {
            Counter::Zero => return None,
            Counter::Physical(number) if number < function.n_counters => {
                return Some(format!("c{}", function.first_counter + number));
            }
            Counter::Physical(_) => return None,
            Counter::Difference(number) => (number as usize, true),
            Counter::Sum(number) => (number as usize, false),
        };
        if let Some(known) = known.get(expression)?[usize::from(is_difference)].clone() {
            return Some(known);
        }
        if depth > DEEPEST {
            return None;
        }
        let (left, right) = function.expressions[expression];
        let left = self.count(function, left, known, depth + 1);
        let right = self.count(function, right, known, depth + 1);
        let name = match (left, right) {
            (left, None) => left?,
            (None, Some(_)) if is_difference => return None,
            (None, right) => right?,
            (Some(left), Some(right)) => {
                let _ = writeln!(self.text, "{} {left} {right}", if is_difference { '-' } else { '+' });
                self.count += 1;
                format!("s{}", self.count - 1)
            }
        };
        known[expression][usize::from(is_difference)] = Some(name.clone());
        Some(name)
    }
}

/// The file as seen from the root of the workspace; nothing if it is outside.
fn name_in(root: &Path, folder: &str, file: &str) -> Option<String> {
    let mut path = PathBuf::new();
    for part in Path::new(folder).join(file).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(path.pop()),
            part => path.push(part),
        }
    }
    let name = path.strip_prefix(root).ok()?.to_str()?;
    (!name.contains('\n')).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::mapping::Region;
    use super::*;

    #[test]
    fn lines_are_counted_by_what_begins_there() {
        let region = |first_line, last_line, counter| Region { file: 1, first_line, last_line, counter };
        let function = Function {
            first_counter: 10,
            n_counters: 3,
            files: vec!["ws".to_owned(), "src/lib.rs".to_owned()],
            expressions: vec![
                (Counter::Physical(0), Counter::Physical(1)),
                (Counter::Difference(0), Counter::Physical(2)),
                (Counter::Zero, Counter::Physical(2)),
            ],
            regions: vec![
                region(3, 8, Counter::Physical(0)),
                region(5, 6, Counter::Physical(1)),
                region(8, 8, Counter::Difference(1)),
                region(9, 9, Counter::Sum(2)),
                region(10, 10, Counter::Zero),
                region(11, 11, Counter::Physical(99)),
            ],
        };
        assert_eq!(
            text(&(20, vec![function]), Path::new("ws")),
            "counters 20\n- c10 c11\n- s0 c12\nfile src/lib.rs\n\
             line 3 c10\nline 4 c10\nline 5 c11\nline 6 c11\nline 7 c10\nline 8 s1\nline 9 c12\n"
        );
    }

    #[test]
    fn files_are_named_from_the_root() {
        let name = |folder: &str, file: &str| name_in(Path::new("ws"), folder, file);
        assert_eq!(name("ws", "src/lib.rs").as_deref(), Some("src/lib.rs"));
        assert_eq!(name("ws/a", "../b/./lib.rs").as_deref(), Some("b/lib.rs"));
        assert_eq!(name("ws", "/registry/lib.rs"), None);
        assert_eq!(name("ws", "./c.rs").as_deref(), Some("c.rs"));
    }
}
