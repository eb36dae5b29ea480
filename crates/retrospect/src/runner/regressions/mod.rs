//! Saved counterexamples: values in plain text, one file for each property.
//!
//! ```text
//! # Counterexamples of ledger::tests::round_trip, saved by retrospect. They run first …
//!
//! case 3f9c
//!   # assertion `left == right` failed, at src/ledger.rs:88:9
//!   tree = Node(Leaf, 4, Leaf)
//!   key = 4
//!   choices: 1:node(0:leaf 4 0:leaf) 7
//!
//! case 77b0 unfinished
//!   text = first line
//!       second line
//! ```
//!
//! An entry is a line `case`, which may name an id and say `unfinished`, and below it, indented, a
//! line `name = value` for each argument. `choices:` is the fallback for values whose text cannot
//! be read. A line that is indented deeper than the name continues the value. Blank lines mean
//! nothing. Comments directly under `case` say what failed, and are renewed with the entry; all
//! others belong to the user and stay.
//!
//! Values stand as they are: no quotes, no doubled backslashes. Only what an editor or the layout
//! would swallow is written as `⟨hex⟩`, the number of the character: control characters, the first
//! and the last character of a line if it is a blank, a `#` that begins a further line, and `⟨`
//! itself. `⟨⟩` is nothing; it stands for a further line that is empty.
//!
//! **Nothing is ever lost.** A save changes the bytes of its own entry and no others, so comments,
//! hand-written entries and broken ones stay word for word. The id is a hash of the values; it
//! tells an entry that was cut off from a whole one, and choices that belong to the values from
//! those that are older than an edit.

// Whoever runs properties calls these, but not all of them by name.

use std::fmt;
use std::path::PathBuf;

mod format;
mod store;
#[cfg(test)]
mod tests;
mod values;

pub use store::{file_of, load, remove, save};
pub use values::parse_values;

/// The texts of values that could not be drawn, because of a panic or because the process ended, or
/// that could not be printed.
pub const UNDRAWN: [&str; 3] = [
    "<the panic came while this was drawn>",
    "<the process ended while this was drawn>",
    "<its Debug ends the process>",
];

/// One counterexample as text.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedCase {
    /// Names the case in reports and commands: five hex digits or more.
    pub id: String,
    /// The name of each argument and its `Debug` text, in order.
    pub values: Vec<(String, String)>,
    /// The text form of the choices, for values whose text cannot be read. Never those of other
    /// values: where the values were edited, there are none.
    pub choices: Option<String>,
    /// What failed and where, as lines.
    pub notes: Vec<String>,
    /// False while shrinking has not finished.
    pub is_minimal: bool,
}

impl SavedCase {
    /// Whether it was saved for being slow, by an earlier version. Slow is not failing.
    pub fn was_slow(&self) -> bool {
        self.notes.first().is_some_and(|note| note.starts_with("did not end within "))
    }

    /// Whether all of its values were drawn. Where a generator panicked, only the choices tell
    /// cases apart.
    pub fn has_values(&self) -> bool {
        self.values.last().is_some_and(|(_, text)| !UNDRAWN.contains(&text.as_str()))
    }

    /// Whether the values are other ones than those the id was made from. Choices without values
    /// are not edited by hand.
    fn is_edited(&self) -> bool {
        let hash = self.hash();
        self.has_values() && !(hash.starts_with(&self.id) || self.id.starts_with(&hash))
    }

    /// The shortest beginning of its hash, of five digits or more, that no other case has.
    fn free_id(&self, is_taken: &dyn Fn(&str) -> bool) -> String {
        let mut id = self.hash();
        let mut length = 5;
        while length < id.len() && is_taken(&id[..length]) {
            length += 1;
        }
        id.truncate(length);
        // Other values with the same hash: more digits, whatever they are.
        while is_taken(&id) {
            id.push('0');
        }
        id
    }

    /// The hash of the values, or of the choices where there are no values.
    fn hash(&self) -> String {
        match &self.choices {
            Some(choices) if !self.has_values() => hash_of(&[(String::new(), choices.clone())]),
            _ => hash_of(&self.values),
        }
    }
}

/// What a file holds.
#[derive(Debug)]
pub struct Loaded {
    pub cases: Vec<SavedCase>,
    pub broken: Vec<Broken>,
}

/// An entry that cannot be read. It stays in the file as it is.
#[derive(Debug, PartialEq)]
pub struct Broken {
    /// Counted from 1.
    pub line: usize,
    /// The line, shortened.
    pub text: String,
    /// Why, and what to do.
    pub reason: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Broken { line, text, reason } = self;
        write!(
            formatter,
            "line {line}: {reason}\n    {text}\nthe entry stays in the file, but does not run until it is mended"
        )
    }
}

/// Why a file of counterexamples cannot be read or written.
#[derive(Debug)]
pub struct FileProblem {
    pub file: PathBuf,
    pub reason: String,
    pub way_out: &'static str,
}

impl fmt::Display for FileProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FileProblem { file, reason, way_out } = self;
        write!(formatter, "{}: {reason}\n{way_out}", file.display())
    }
}

impl std::error::Error for FileProblem {}

/// The hash of the values' text, in 16 hex digits, the first of which is a letter: a number would
/// be taken for choices where both may be written. Names are left out, so that renaming an argument
/// keeps the id.
pub(crate) fn hash_of(values: &[(String, String)]) -> String {
    // No byte of UTF-8 is 0xff, so it tells `ab, c` from `a, bc`.
    let mut bytes = Vec::new();
    for (_, text) in values {
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(0xff);
    }
    let hash = stable_hash(&bytes);
    let letter = b"abcdef"[(hash % 6) as usize] as char;
    format!("{letter}{:015x}", hash >> 4)
}

/// FNV-1a, then the finish of MurmurHash3: alone, FNV leaves the upper digits of short texts nearly
/// equal. The same on every platform, for ever.
fn stable_hash(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}
