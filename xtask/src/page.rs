//! `cargo xtask page`: the page of `cargo retrospect ui`. Its bundle is what its sources build to,
//! and it does what it should in a real browser.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The files that the subcommand embeds.
const BUNDLE: &str = "crates/cargo-retrospect/page";
/// Where Debian puts the browser; the tests know further places.
const BROWSERS: [&str; 3] = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/// Builds the subcommand and checks its page.
pub fn run(root: &Path) -> Result<(), String> {
    call(root, "cargo", &["build", "-p", "cargo-retrospect"], &[])?;
    check(root, &[])
}

/// Installs what is missing, checks the bundle, and runs the tests in the browser, with these
/// variables. The subcommand has been built.
pub fn check(root: &Path, variables: &[(&str, &str)]) -> Result<(), String> {
    install(root)?;
    npm(root, &["run", "check"], &[])?;
    is_what_the_sources_build_to(root)?;
    npm(root, &["test"], variables)
}

/// What the lock file names, and a browser.
fn install(root: &Path) -> Result<(), String> {
    if !answers("npm") {
        return Err("npm is missing: install Node.js 20.19 or newer".to_owned());
    }
    let marker = root.join("page/node_modules/.package-lock.json");
    let modified = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    if modified(&marker).is_none_or(|made| modified(&root.join("page/package-lock.json")) > Some(made)) {
        // `npm ci` would refuse a lock file without the packages of other platforms, which not
        // every registry has.
        npm(root, &["install", "--no-save", "--no-audit", "--no-fund"], &[])?;
    }
    if std::env::var_os("CHROMIUM").is_none() && !BROWSERS.iter().any(|path| Path::new(path).exists()) {
        println!("there is no browser: apt-get install chromium");
        let chromium = ["install", "--yes", "--no-install-recommends", "chromium"];
        call(root, "apt-get", &chromium, &[])
            .or_else(|_| call(root, "apt-get", &["update"], &[]))
            .and_then(|()| call(root, "apt-get", &chromium, &[]))
            .map_err(|problem| format!("{problem}; name a browser in the variable CHROMIUM"))?;
    }
    Ok(())
}

fn is_what_the_sources_build_to(root: &Path) -> Result<(), String> {
    let built = root.join("target/page-bundle");
    let path = built.display().to_string();
    npm(root, &["run", "build", "--", "--outDir", &path, "--emptyOutDir"], &[])?;
    let differing = differing(&built, &root.join(BUNDLE));
    if differing.is_empty() {
        return Ok(());
    }
    Err(format!("{BUNDLE} is not what page/ builds to ({}): npm --prefix page run build", differing.join(", ")))
}

/// The names of files that are not the same in both directories.
fn differing(one: &Path, other: &Path) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for directory in [one, other] {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    names.dedup();
    names.retain(|name| {
        let read = |directory: &Path| fs::read(directory.join(name)).ok();
        read(one).is_none() || read(one) != read(other)
    });
    names
}

fn npm(root: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Result<(), String> {
    call(root, "npm", &[&["--prefix", "page"], arguments].concat(), variables)
}

fn call(root: &Path, program: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Result<(), String> {
    let line = format!("{program} {}", arguments.join(" "));
    println!("  {line}");
    match Command::new(program).args(arguments).envs(variables.iter().copied()).current_dir(root).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{line}`: {status}")),
        Err(error) => Err(format!("`{line}` did not start: {error}")),
    }
}

fn answers(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_differs_or_is_missing_is_named() {
        let folder = std::env::temp_dir().join(format!("retrospect-xtask-page-{}", std::process::id()));
        let (one, other) = (folder.join("one"), folder.join("other"));
        for directory in [&one, &other] {
            fs::create_dir_all(directory).unwrap();
            fs::write(directory.join("same"), "1").unwrap();
            fs::write(directory.join("differs"), directory.display().to_string()).unwrap();
        }
        fs::write(one.join("new"), "").unwrap();
        fs::write(other.join("old"), "").unwrap();
        assert_eq!(differing(&one, &other), ["differs", "new", "old"]);
        assert_eq!(differing(&one, &one), [""; 0]);
        fs::remove_dir_all(folder).unwrap();
    }
}
