//! The crate whose properties run: its directory and its `retrospect.toml`.
//!
//! Both are looked up once in a process, because a run of one case takes less time than a few file
//! system calls.

use super::property::Definition;
use super::settings::SettingsFile;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub(crate) struct UserCrate {
    pub(crate) directory: PathBuf,
    pub(crate) settings_file: Option<SettingsFile>,
    root: OnceLock<PathBuf>,
    /// See [`Rerun`](super::rerun::Rerun).
    pub(super) cargo_test: OnceLock<String>,
}

/// A crate, and the two directories from which it was found: one from cargo now, one from the
/// compiler.
struct Known {
    now: Option<OsString>,
    compiled: String,
    user_crate: Arc<UserCrate>,
}

impl UserCrate {
    pub(crate) fn of(definition: &Definition<'_>) -> Arc<UserCrate> {
        static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());
        let now = std::env::var_os("CARGO_MANIFEST_DIR");
        let mut all = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        for known in &*all {
            if known.now == now && known.compiled == definition.crate_directory {
                return Arc::clone(&known.user_crate);
            }
        }
        let directory = directory_of(now.as_ref().map(Path::new), Path::new(definition.crate_directory));
        let settings_file = SettingsFile::find(&directory);
        let user_crate =
            Arc::new(UserCrate { directory, settings_file, root: OnceLock::new(), cargo_test: OnceLock::new() });
        let compiled = definition.crate_directory.to_owned();
        all.push(Known { now, compiled, user_crate: Arc::clone(&user_crate) });
        user_crate
    }

    /// The root of the workspace: the nearest directory with a `Cargo.lock`. Without one, the
    /// crate's own directory.
    pub(crate) fn root(&self) -> &Path {
        self.root.get_or_init(|| {
            let root = self.directory.ancestors().find(|directory| directory.join("Cargo.lock").is_file());
            root.unwrap_or(&self.directory).to_owned()
        })
    }
}

/// The directory that cargo names now, or the one at compile time, or the current one.
fn directory_of(now: Option<&Path>, compiled: &Path) -> PathBuf {
    for directory in [now.unwrap_or(Path::new("")), compiled] {
        if !directory.as_os_str().is_empty() && directory.is_dir() {
            return directory.to_owned();
        }
    }
    PathBuf::from(".")
}
