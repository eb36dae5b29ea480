//! The text layer: what it costs to parse a JSON text backward, beside a parser that is made for
//! nothing else.

use crate::measure::{Effort, Table, least, machine};
use retrospect::prelude::*;
use retrospect::source::Rng;
use retrospect::text;
use std::fmt::Write;
use std::io;
use std::process::Command;

/// Lengths of the texts, in bytes.
const SIZES: [usize; 4] = [10_000, 100_000, 1_000_000, 10_000_000];

/// Parses texts of growing length, prints the table and, if asked to, writes it into the
/// repository.
pub fn run(effort: Effort, write: bool) -> io::Result<()> {
    let sizes = if effort == Effort::Quick { &SIZES[..1] } else { &SIZES[..] };
    let mut table = Table::new(&[
        "text, bytes",
        "serde_json, µs",
        "accepts, µs",
        "×",
        "choices_of, µs",
        "×",
        "choices_of, ns a byte",
        "memory, bytes a byte",
    ]);
    let json = text::json();
    for size in sizes {
        let document = document(*size);
        let rounds = if effort == Effort::Quick { 1 } else { (30_000_000 / size).clamp(3, 40) };
        let parsed = least(rounds, || serde_json::from_str::<serde_json::Value>(&document).expect("it is JSON"));
        let accepted = least(rounds, || assert!(json.accepts(&document)));
        let reflected = least(rounds, || json.choices_of(&document).expect("it is JSON"));
        table.row(vec![
            document.len().to_string(),
            format!("{:.0}", parsed / 1e3),
            format!("{:.0}", accepted / 1e3),
            format!("{:.1}", accepted / parsed),
            format!("{:.0}", reflected / 1e3),
            format!("{:.1}", reflected / parsed),
            format!("{:.1}", reflected / document.len() as f64),
            memory_in_a_process_of_its_own(*size)?
                .map_or_else(|| "not known here".to_owned(), |bytes| format!("{bytes:.1}")),
        ]);
    }
    let report = format!(
        "# Text, measured\n\nPrinted by `cargo run --release -p experiments -- text --write`. Machine: {}.\n\n\
         ## A JSON text, read backward\n\nThe text is a list of records: nested objects, lists, numbers, strings with and without escapes. `serde_json` makes\n\
         a `Value` of it; `accepts` says whether the grammar makes the text; `choices_of` records all choices that make it, about one for a character.\n\
         Memory is the growth of the largest resident size of a process that does only that, without the text itself. Goals for 1 MB: at most\n\
         40 × `serde_json`, memory at most 100 × the text, and linear from 10 KB to 10 MB.\n\n{}",
        machine(),
        table.to_markdown()
    );
    println!("{report}");
    if write {
        std::fs::create_dir_all("docs/results")?;
        std::fs::write("docs/results/text.md", report.trim_end().to_owned() + "\n")?;
        println!("written to docs/results/text.md");
    }
    Ok(())
}

/// Reflects on a text of that length and prints by how many bytes the process grew for each of its
/// bytes.
pub fn print_memory(size: usize) {
    let document = document(size);
    // What is made once, however long the text is.
    let json = text::json();
    assert!(json.accepts(&"[]".to_owned()));
    let before = largest_resident();
    let choices = json.choices_of(&document).expect("it is JSON");
    std::hint::black_box(&choices);
    if let (Some(before), Some(after)) = (before, largest_resident()) {
        println!("{}", after.saturating_sub(before) as f64 / document.len() as f64);
    }
}

fn memory_in_a_process_of_its_own(size: usize) -> io::Result<Option<f64>> {
    let output = Command::new(std::env::current_exe()?).args(["text-memory", &size.to_string()]).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().parse().ok())
}

/// The largest resident size so far, in bytes, where the system says.
fn largest_resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
}

/// A JSON text of about that many bytes, the same each time.
fn document(size: usize) -> String {
    const WORDS: [&str; 12] = [
        "name",
        "id",
        "value",
        "tags",
        "größe",
        "line\\nbreak",
        "a\\\"quote",
        "path/to/it",
        "\\u00e9t\\u00e9",
        "",
        "x",
        "created_at",
    ];
    let mut rng = Rng::new(size as u64);
    let mut text = "[".to_owned();
    while text.len() + 150 < size.max(200) {
        if text.len() > 1 {
            text.push(',');
        }
        let [one, two, three] = [(); 3].map(|()| WORDS[rng.at_most(11) as usize]);
        let (integer, fraction, exponent) = (rng.at_most(99_999), rng.at_most(999), rng.at_most(30));
        let is = rng.at_most(1) == 0;
        let _ = write!(
            text,
            "{{\"id\":{integer},\"{one}\":\"{two} {three}\",\"ok\":{is},\"at\":[-{fraction}.5,{fraction}e{exponent},null],\"more\":{{\"{two}\":[],\"{three}\":{{}}}}}}"
        );
    }
    text.push(']');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_json_of_the_length_asked_for() {
        for size in [1000, 50_000] {
            let text = document(size);
            assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
            assert!(text.len() <= size && text.len() + 400 > size, "{} of {size}", text.len());
        }
    }
}
