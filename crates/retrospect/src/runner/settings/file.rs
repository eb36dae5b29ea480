//! Finding `retrospect.toml`, and what it says.

use super::problems::{Place, did_you_mean, shortened};
use super::resolve::{Layer, Origin};
use super::{Key, Problems};
use crate::toml::{self, Scope, Value};
use std::io;
use std::path::Path;

/// The file's name, and in messages what it is called if it lies in the crate's folder.
const NAME: &str = "retrospect.toml";

/// The file that was found.
pub(crate) struct SettingsFile {
    /// Its path, seen from the crate's folder.
    pub(super) path: String,
    pub(super) content: io::Result<Vec<u8>>,
}

impl SettingsFile {
    /// Looks in the crate's folder, then in those above it up to the root of the workspace or
    /// repository. Without such a root nothing above the crate's folder belongs to it.
    pub(crate) fn find(crate_directory: &Path) -> Option<SettingsFile> {
        let mut found: Option<SettingsFile> = None;
        let mut way_up = String::new();
        for directory in crate_directory.ancestors() {
            if found.is_none() {
                let content = content_of(&directory.join(NAME));
                if !content.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
                    found = Some(SettingsFile { path: format!("{way_up}{NAME}"), content });
                }
            }
            if is_root(directory) {
                return found;
            }
            way_up.push_str("../");
        }
        found.filter(|found| found.path == NAME)
    }
}

/// Reads a file. What is none, such as a device, may have no end.
fn content_of(path: &Path) -> io::Result<Vec<u8>> {
    let found = std::fs::metadata(path)?;
    match found.is_file() || found.is_dir() {
        true => std::fs::read(path),
        false => Err(io::Error::other("it is not a file")),
    }
}

fn is_root(directory: &Path) -> bool {
    let opens_workspace = |line: &str| line.starts_with("[workspace]") || line.starts_with("[workspace.");
    let manifest = std::fs::read_to_string(directory.join("Cargo.toml"));
    manifest.is_ok_and(|manifest| manifest.lines().any(|line| opens_workspace(line.trim_start())))
        || directory.join(".git").exists()
}

/// What a file says: to all, and in its profiles.
#[derive(Default)]
pub(super) struct File {
    pub(super) top: Layer,
    /// In the order of their names.
    profiles: Vec<(String, Layer)>,
    path: Option<String>,
    /// A profile that is missing may be one that could not be read.
    is_broken: bool,
}

/// Reads all of the file, also profiles that nobody selected: a mistake in them should not wait for
/// the night they are needed.
pub(super) fn read(found: &SettingsFile, problems: &mut Problems) -> File {
    let mut file = File { path: Some(found.path.clone()), is_broken: true, ..File::default() };
    let path = found.path.as_str();
    let bytes = match &found.content {
        Ok(bytes) => bytes,
        Err(error) => {
            problems.add(|| format!("{path} cannot be read: {error}; mend that, or remove it to use the defaults"));
            return file;
        }
    };
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            // The text before the fault is enough to say where it is.
            let before = std::str::from_utf8(&bytes[..at]).unwrap_or_default();
            let message = format!("the byte 0x{:02x} is not UTF-8: save the file in that encoding", bytes[at]);
            problems.add(|| Place::File(path, before, at).locate(message));
            return file;
        }
    };
    let document = toml::parse(text);
    file.is_broken = !document.faults.is_empty();
    for fault in &document.faults {
        problems.add(|| Place::File(path, text, fault.at).locate(fault.reason.clone()));
    }
    let (mut line, mut counted) = (1, 0);
    for table in document.tables {
        let layer = match table.scope {
            Scope::Top => &mut file.top,
            Scope::Unknown => continue,
            Scope::Profile(name, at) => {
                let place = match file.place_of(&name) {
                    Ok(known) => {
                        let message =
                            || format!("the profile {} is there twice: make one table of the two", shortened(&name));
                        problems.add(|| Place::File(path, text, at).locate(message()));
                        known
                    }
                    Err(place) => {
                        file.profiles.insert(place, (name, Layer::default()));
                        place
                    }
                };
                &mut file.profiles[place].1
            }
        };
        for entry in table.entries {
            line += text[counted..entry.name_at].matches('\n').count();
            counted = entry.name_at;
            let origin = Origin::File { path: path.to_owned(), line };
            read_entry(layer, entry, origin, Place::File(path, text, counted), problems);
        }
    }
    file
}

fn read_entry(layer: &mut Layer, entry: toml::Entry, origin: Origin, at_name: Place<'_>, problems: &mut Problems) {
    let Some(key) = Key::named(&entry.name).filter(|&key| key != Key::ExpectFailure) else {
        return problems.add(|| at_name.unknown(&entry.name));
    };
    if layer.origin(key).is_some() {
        return problems.add(|| at_name.locate(format!("{} is there twice: keep one of them", key.name())));
    }
    // Also if the value is refused below, it is there.
    layer.origins.push((key, origin));
    let (value, read) = match entry.value {
        Value::One(value) => {
            let read = layer.settings.read(key, &value);
            (value, read)
        }
        Value::List(items) if key != Key::Allow => {
            (format!("[{}]", items.join(", ")), Err("is a list, and should be one value".to_owned()))
        }
        // A list can be empty, and then overrules another one.
        Value::List(items) if items.is_empty() => {
            layer.settings.allow = Some(Vec::new());
            (String::new(), Ok(()))
        }
        Value::List(items) => {
            let value = items.join(",");
            let read = layer.settings.read(key, &value);
            (value, read)
        }
    };
    if let Err(reason) = read {
        problems.add(|| at_name.moved_to(entry.value_at).refusal(key, &value, &reason));
    }
}

impl File {
    /// What the profile of this name says; a problem if there is none.
    pub(super) fn profile(&mut self, name: &str, problems: &mut Problems) -> Layer {
        if let Ok(place) = self.place_of(name) {
            return std::mem::take(&mut self.profiles[place].1);
        }
        if !self.is_broken || self.path.is_none() {
            problems.add(|| format!("RETROSPECT_PROFILE={} {}", shortened(name), self.why_no_profile(name)));
        }
        Layer::default()
    }

    /// Where the profile of this name is, or else where it belongs.
    fn place_of(&self, name: &str) -> Result<usize, usize> {
        self.profiles.binary_search_by(|(known, _)| known.as_str().cmp(name))
    }

    fn why_no_profile(&self, name: &str) -> String {
        let Some(path) = &self.path else {
            return format!("selects a table of {NAME}, and there is no such file from the crate's folder upwards");
        };
        if self.profiles.is_empty() {
            return format!("is not in {path}: add [profile.{}] to it; it has no profiles", shortened(name));
        }
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in &self.profiles {
            names.push(name);
        }
        let guess = did_you_mean(name, &names);
        format!("is not in {path}: its profiles are {}{guess}", shortened(&names.join(", ")))
    }
}
