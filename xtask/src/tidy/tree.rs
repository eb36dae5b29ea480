//! The files that the rules look at: those of the repository, or a few written down in a test.

use std::path::Path;
use std::process::Command;

/// All files of the repository that git tracks or would track.
#[derive(Debug)]
pub struct Tree {
    files: Vec<File>,
}

/// One file. `text` is empty for one that is not text.
#[derive(Debug)]
pub struct File {
    /// From the root of the repository, with `/` on every platform.
    pub path: String,
    pub text: String,
    pub executable: bool,
}

impl Tree {
    /// Reads the files that git tracks, and the new ones that it does not ignore: a fault shows
    /// before it is committed.
    pub fn load(root: &Path) -> Result<Tree, String> {
        let output = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(root)
            .output()
            .map_err(|error| format!("tidy asks git for the list of files, and git did not start: {error}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("tidy asks git for the list of files, and `git ls-files` failed: {}", said.trim()));
        }
        let listed = String::from_utf8_lossy(&output.stdout);
        let mut files = Vec::new();
        for path in listed.split_terminator('\0') {
            let full = root.join(path);
            // Deleted and not yet committed, or a submodule.
            let Ok(metadata) = full.metadata() else {
                continue;
            };
            if !metadata.is_file() {
                continue;
            }
            let bytes = std::fs::read(&full).map_err(|error| format!("tidy could not read {path}: {error}"))?;
            let text = if bytes.contains(&0) { String::new() } else { String::from_utf8(bytes).unwrap_or_default() };
            files.push(File { path: path.to_owned(), text, executable: is_executable(&metadata) });
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|a, b| a.path == b.path);
        Ok(Tree { files })
    }

    /// A tree written down in a test. Every file in it is executable.
    pub fn of(files: &[(&str, &str)]) -> Tree {
        let file = |&(path, text): &(&str, &str)| File { path: path.into(), text: text.into(), executable: true };
        Tree { files: files.iter().map(file).collect() }
    }

    pub fn files(&self) -> impl Iterator<Item = &File> {
        self.files.iter()
    }

    pub fn with_extension(&self, extension: &str) -> impl Iterator<Item = &File> {
        self.files().filter(move |file| file.extension() == extension)
    }

    pub fn get(&self, path: &str) -> Option<&File> {
        self.files().find(|file| file.path == path)
    }

    /// Whether there is a file or a folder at this path.
    pub fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        path.is_empty()
            || self
                .files()
                .any(|file| file.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
    }
}

impl File {
    /// What follows the last full stop of the name, or nothing.
    pub fn extension(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// Lines with their numbers, counted from 1.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.split_terminator('\n'))
    }

    /// A file from elsewhere, kept byte for byte in a folder called `data`. Not our writing, so not
    /// held to our rules.
    pub fn is_foreign(&self) -> bool {
        let mut folders = self.path.split('/').rev().skip(1);
        self.extension() != "rs" && folders.any(|folder| folder == "data")
    }

    /// Output that a test compares byte for byte.
    pub fn is_pinned_output(&self) -> bool {
        matches!(self.extension(), "snap" | "stderr" | "stdout")
    }

    /// What a package manager wrote.
    pub fn is_lock(&self) -> bool {
        self.extension() == "lock" || self.path.ends_with("package-lock.json") || self.path.ends_with("pnpm-lock.yaml")
    }
}

#[cfg(unix)]
fn is_executable(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o100 != 0
}

/// There is no such bit here, so nothing can be wrong with it.
#[cfg(not(unix))]
fn is_executable(_: &std::fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::Tree;

    #[test]
    fn a_path_is_there_if_a_file_or_a_folder_is() {
        let tree = Tree::of(&[("docs/book/a.md", "")]);
        for path in ["docs/book/a.md", "docs/book", "docs/book/", "docs", ""] {
            assert!(tree.has(path), "{path:?}");
        }
        for path in ["docs/boo", "docs/book/a.m", "a.md"] {
            assert!(!tree.has(path), "{path:?}");
        }
    }

    #[test]
    fn files_from_elsewhere_live_in_a_folder_called_data() {
        let tree = Tree::of(&[("a/data/x.json", ""), ("a/data/mod.rs", ""), ("a/data.json", "")]);
        let foreign: Vec<bool> = tree.files().map(super::File::is_foreign).collect();
        assert_eq!(foreign, [true, false, false]);
    }

    #[test]
    fn the_repository_itself_loads() {
        let tree = Tree::load(&crate::root()).unwrap();
        assert!(tree.get("xtask/src/tidy/tree.rs").unwrap().text.contains("the_repository_itself_loads"));
        assert!(!tree.has("target"));
    }
}
