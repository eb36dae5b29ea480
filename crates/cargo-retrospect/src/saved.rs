//! Where saved cases are.
//!
//! The library knows the folder of a property when the property runs. From outside it is looked
//! for: a setting may have moved it anywhere in the package.

use crate::cargo::Package;
use retrospect::runner::tool::{Loaded, load};
use std::fs;
use std::path::{Path, PathBuf};

/// A file of saved cases.
#[derive(Debug)]
pub struct SavedFile {
    pub file: PathBuf,
    /// The package in whose folder it is.
    pub package: String,
    /// The path of the property, with the crate, as its header or else the name of the file says.
    pub property: String,
    pub ids: Vec<String>,
    /// What is wrong with entries that cannot be read.
    pub broken: Vec<String>,
}

/// All files of saved cases in these packages.
pub fn files(packages: &[Package]) -> Vec<SavedFile> {
    let mut found: Vec<SavedFile> = Vec::new();
    for package in packages {
        let mut folders = vec![package.directory.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let (path, name) = (entry.path(), entry.file_name());
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() {
                    // Another package is looked at for itself.
                    let is_other = packages.iter().any(|other| other.directory == path);
                    let is_hidden = name.to_string_lossy().starts_with('.');
                    if !is_other && !is_hidden && !path.join("CACHEDIR.TAG").exists() {
                        folders.push(path);
                    }
                } else if path.extension().is_some_and(|extension| extension == "txt") {
                    found.extend(read(&path, &package.id));
                }
            }
        }
    }
    found.sort_by(|one, other| one.file.cmp(&other.file));
    found
}

const HEADER: &str = "# Counterexamples of ";

/// Nothing if it is some other file.
fn read(file: &Path, package: &str) -> Option<SavedFile> {
    use std::io::Read as _;
    let mut start = Vec::new();
    fs::File::open(file).ok()?.take(1_000).read_to_end(&mut start).ok()?;
    let start = String::from_utf8_lossy(&start);
    let header = start.lines().next().and_then(|line| line.strip_prefix(HEADER));
    let property = match header.and_then(|rest| rest.split_once(", ")) {
        Some((property, _)) => property.to_owned(),
        None if start.lines().any(|line| line == "case" || line.starts_with("case ")) => {
            file.file_stem()?.to_str()?.replace('.', "::")
        }
        None => return None,
    };
    let Loaded { cases, broken } = load(file).ok()?;
    let ids = cases.into_iter().map(|case| case.id).collect();
    let broken = broken.iter().map(ToString::to_string).collect();
    Some(SavedFile { file: file.to_owned(), package: package.to_owned(), property, ids, broken })
}
