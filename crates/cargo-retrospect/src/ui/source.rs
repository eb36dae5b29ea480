//! Files of source, for the view of covered lines.

use std::fs;
use std::path::{Path, PathBuf};

/// A longer file is not shown.
const LONGEST: u64 = 4 << 20;

/// The text of a file that lines of observations name. Whatever they name: nothing outside of
/// `root` is shown, by links neither.
pub fn read(root: &Path, crate_directory: Option<&str>, name: &str) -> Result<String, String> {
    let mut candidates: Vec<PathBuf> = vec![root.join(name)];
    if let Some(directory) = crate_directory {
        candidates.push(root.join(directory).join(name));
    }
    let mut problem = format!("{name} is not in {}: name the directory of the sources with --root", root.display());
    for path in candidates {
        let Ok(path) = path.canonicalize() else { continue };
        if !path.starts_with(root) {
            problem =
                format!("{name} is outside of {}, so it is not shown: --root names another directory", root.display());
            continue;
        }
        let metadata = fs::metadata(&path).map_err(|error| format!("{name}: {error}"))?;
        if !metadata.is_file() || metadata.len() > LONGEST {
            return Err(format!("{name} is not a file of source"));
        }
        let bytes = fs::read(&path).map_err(|error| format!("{name}: {error}"))?;
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    Err(problem)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn nothing_outside_of_the_root_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("root");
        std::fs::create_dir_all(root.join("krate/src")).unwrap();
        std::fs::write(root.join("krate/src/lib.rs"), "inside").unwrap();
        std::fs::write(folder.path().join("secret"), "outside").unwrap();
        assert_eq!(read(&root, None, "krate/src/lib.rs").as_deref(), Ok("inside"));
        assert_eq!(read(&root, Some("krate"), "src/lib.rs").as_deref(), Ok("inside"));
        for name in ["../secret", "krate/../../secret", &folder.path().join("secret").display().to_string()] {
            assert!(read(&root, None, name).unwrap_err().contains("outside"), "{name}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.path().join("secret"), root.join("link.rs")).unwrap();
            assert!(read(&root, None, "link.rs").unwrap_err().contains("outside"));
        }
        assert!(read(&root, None, "krate").unwrap_err().contains("not a file"));
        assert!(read(&root, None, "none.rs").unwrap_err().contains("--root"));
    }
}
