//! The value that a property is to run on.

use clap::Args;
use retrospect::runner::tool::{MAX_VALUE_BYTES, read_file, read_to_limit};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args, Clone, Debug)]
#[group(multiple = false)]
#[command(next_help_heading = "The value to shrink")]
pub struct Given {
    /// The values of the arguments as `{:?}` prints them: `tree = Node(Leaf, 4, Leaf); key = 4`.
    /// The name of a single argument may be left out.
    #[arg(long, value_name = "VALUES")]
    value: Option<String>,
    /// A file with the same; `-` is the standard input.
    #[arg(long, value_name = "FILE")]
    value_file: Option<PathBuf>,
    /// A file whose content is the only argument itself, a `String` or a `Vec<u8>`, or is read as
    /// its type; `-` is the standard input.
    #[arg(long, value_name = "FILE")]
    text_file: Option<PathBuf>,
    /// A saved case of the property.
    #[arg(long, value_name = "ID")]
    pub case: Option<String>,
}

/// What a test is told to run.
#[derive(Debug)]
pub struct Told {
    pub variable: &'static str,
    pub value: OsString,
    /// How the variable and its value are shown by the test, and what they are called here.
    pub called: Option<(String, String)>,
    /// The property of the test that is meant, if it runs several.
    pub property: Option<String>,
}

impl Told {
    pub fn case(id: &str) -> Told {
        Told { variable: "RETROSPECT_REPLAY", value: id.into(), called: None, property: None }
    }
}

impl Given {
    /// Puts the value where the test can read it, whatever its size: into a file of this folder.
    /// Nothing if no value is given.
    pub fn tell(&self, folder: &Path) -> Result<Option<Told>, String> {
        let Given { value, value_file, text_file, case } = self;
        if let Some(id) = case {
            return Ok(Some(Told::case(id)));
        }
        let (content, variable, called) = match (value, value_file, text_file) {
            (Some(text), _, _) => (text.clone().into_bytes(), "RETROSPECT_VALUE_FILE", "--value".to_owned()),
            (_, Some(file), _) => (read(file)?, "RETROSPECT_VALUE_FILE", shown(file)),
            (_, _, Some(file)) => (read(file)?, "RETROSPECT_TEXT_FILE", shown(file)),
            (None, None, None) => return Ok(None),
        };
        if variable == "RETROSPECT_VALUE_FILE" {
            check(&content, &called)?;
        }
        let path = folder.join("value");
        fs::write(&path, content).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        let by_the_test = format!("{variable}={}", path.display());
        Ok(Some(Told { variable, value: path.into(), called: Some((by_the_test, called)), property: None }))
    }
}

fn shown(file: &Path) -> String {
    if is_standard_input(file) { "the standard input".to_owned() } else { file.display().to_string() }
}

fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == "-"
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    let content = match is_standard_input(file) {
        true => read_to_limit(std::io::stdin().lock(), MAX_VALUE_BYTES),
        false => read_file(file, MAX_VALUE_BYTES),
    };
    content.map_err(|reason| format!("{} cannot be read: {reason}", shown(file)))
}

/// What is wrong with a text whatever the property, before anything is built.
fn check(content: &[u8], called: &str) -> Result<(), String> {
    match std::str::from_utf8(content) {
        Ok(text) if text.trim().is_empty() => {
            Err(format!("{called} is empty: it should have a value for each argument, as `{{:?}}` prints it"))
        }
        Ok(_) => Ok(()),
        Err(error) => {
            let at = error.valid_up_to();
            let line = 1 + content[..at].iter().filter(|byte| **byte == b'\n').count();
            let begin = content[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
            Err(format!(
                "{called} is not UTF-8: byte {at} (line {line}, byte {} of it) is 0x{:02x}, where no character begins; \
                 --text-file takes a file that is bytes",
                1 + at - begin,
                content[at]
            ))
        }
    }
}
