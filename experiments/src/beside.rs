//! Data of others, which is not a part of the project. Where somebody has put it beside the
//! project, it is measured and tested as well; everywhere else the project's own has to do.

use std::path::{Path, PathBuf};

/// Where this file or folder of `../shared/data` is, if it is there.
pub(crate) fn data_beside(name: &str) -> Option<PathBuf> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data")).join(name);
    path.exists().then_some(path)
}
