//! `retrospect.toml`.

use super::super::file::SettingsFile;
use super::super::resolve::combine;
use super::super::{Health, Key, Settings};
use super::{problems, resolved};
use crate::prelude::*;
use crate::toml::{Document, Scope, Value, parse};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// All that is read.
const WHOLE: &str = "\u{feff}# Settings\r
cases = 1_000 # many\r
  seed\t=\t0xff_ff\r
time = \"1.5 s\"\r
save = false\r
regressions = 'C:\\found'\r
color = \"\\u0061lw\\U00000061ys\"\r
allow = [ # two\r
    \"slow\",\r
\r
    'large', # and no more\r
]\r
[ profile . ci-2 ] # here\r
verbose = 1\r
allow = []\r
[profile.empty]";

#[test]
fn all_that_a_file_can_say_is_read() {
    let of_all = resolved(Settings::new(), &[], Some(WHOLE)).unwrap();
    assert_eq!((of_all.cases, of_all.seed, of_all.save), (Some(1000), Some(0xffff), false));
    assert_eq!(of_all.time, Some(Duration::from_millis(1500)));
    assert_eq!(of_all.regressions, Path::new("crate").join("C:\\found"));
    assert_eq!(of_all.allow, [Health::Slow, Health::Large]);
    assert_eq!(of_all.origin(Key::Allow).unwrap(), "retrospect.toml:8");
    assert_eq!(of_all.verbose, 0);
    let of_profile = resolved(Settings::new(), &[("RETROSPECT_PROFILE", "ci-2")], Some(WHOLE)).unwrap();
    assert_eq!((of_profile.verbose, of_profile.cases, &of_profile.allow[..]), (1, Some(1000), &[][..]));
    assert_eq!(of_profile.origin(Key::Verbose).unwrap(), "retrospect.toml:14");
}

#[test]
fn a_bad_value_is_shown_in_its_line() {
    assert_eq!(
        problems(&[], Some("# settings\nsize = 50\n  cases = \"abc\" # many\n")),
        "retrospect.toml:3:11: cases = abc is not a whole number (default: at least 100 cases, then more until 50ms are \
         over or 10000 cases were run)\n\
         \x20     cases = \"abc\" # many\n\
         \x20             ^"
    );
    assert_eq!(
        problems(&[], Some("size = [\"1\", \"2\"]")),
        "retrospect.toml:1:8: size = [1, 2] is a list, and should be one value (default: 100)\n\
         \x20   size = [\"1\", \"2\"]\n\
         \x20          ^"
    );
    let long = problems(&[], Some(&format!("regressions = \"{}\", {}", "é".repeat(83), "x".repeat(9_000))));
    assert_eq!(
        long,
        format!(
            "retrospect.toml:1:100: the line should end here\n    {}\", {}\n    {}^",
            "é".repeat(59),
            "x".repeat(38),
            " ".repeat(60)
        )
    );
}

#[test]
fn an_unknown_name_is_shown_with_the_nearest_one() {
    for (line, told) in [
        ("case = 5", "case is not a setting: did you mean cases?"),
        ("shrink-time = \"2s\"", "shrink-time is not a setting: did you mean shrink_time?"),
        ("replay = \"3f9c\"", "replay is for one run only: set the variable RETROSPECT_REPLAY"),
        ("expect_failure = true", "expect_failure cannot be set here: it belongs to the property's own settings"),
        (
            "threads = 4",
            "threads is not a setting; there are cases, max_cases, time, seed, size, max_depth, exhaustive, isolate, timeout, shrink_time, \
             shrink_runs, verbose, save, regressions, weights, all_failures, allow, color",
        ),
        ("cases = 5\ncases = 6", "cases is there twice: keep one of them"),
        ("[profile.a]\n[profile.a]", "the profile a is there twice: make one table of the two"),
        ("[profile.a]\ncase = 5", "case is not a setting: did you mean cases?"),
    ] {
        let last = line.lines().last().unwrap();
        let number = line.lines().count();
        assert_eq!(problems(&[], Some(line)), format!("retrospect.toml:{number}:1: {told}\n    {last}\n    ^"));
    }
}

#[test]
fn what_is_not_read_here_is_told_with_what_is() {
    let lines = "a line is `[profile.<name>]`, `name = value` or a comment";
    let values = "a value is a whole number, true, false, a \"text\" in quotes or a list of texts";
    let value = format!("this is no value that is read here: {values}");
    let escape = "this escape is none of \\b \\t \\n \\f \\r \\\" \\\\ \\u00e9 \\U000000e9; write '…' for a text without escapes";
    let table = format!("this is no table of settings: {lines}");
    for (line, column, told) in [
        ("[[profile]]", 1, table.as_str()),
        ("[profile]", 1, &table),
        ("[profile.\"a b\"]", 1, &table),
        ("[tool.retrospect]\ncases = 5", 1, &table),
        ("profile.ci.cases = 5", 8, &format!("expected `=` after the name of a setting: {lines}")),
        ("\"cases\" = 5", 1, &format!("this is no name of a setting: {lines}")),
        ("cases", 6, &format!("expected `=` after the name of a setting: {lines}")),
        ("cases =", 8, &value),
        ("cases = 1.5", 9, &value),
        ("cases = 007", 9, &value),
        ("cases = 1__0", 9, &value),
        ("cases = -0x1", 9, &value),
        ("cases = 2020-01-01", 9, &value),
        ("cases = { n = 1 }", 9, &value),
        ("color = never", 9, &value),
        ("cases = 5 6", 11, "the line should end here"),
        ("[profile.a] cases = 5", 13, "the line should end here"),
        ("color = \"never", 9, "this text is never closed: end it with \""),
        ("color = 'never", 9, "this text is never closed: end it with '"),
        ("color = \"\"\"never\"\"\"", 9, "a text of several lines is not read here: use one quote on each side"),
        ("color = \"n\\x\"", 11, escape),
        ("color = \"\\ud800\"", 10, escape),
        ("color = \"\\u00\"", 10, escape),
        ("color = \"a\u{1}\"", 11, "a text cannot hold '\\u{1}' as it is: write it as an escape in \"…\""),
        (
            "# one\rcases = 5",
            6,
            "a comment cannot hold this character: end lines with a newline, and remove what is not shown",
        ),
        ("allow = ['slow'", 9, "this list is never closed: end it with `]`"),
        ("allow = [", 9, "this list is never closed: end it with `]`"),
        ("allow = [1]", 10, "a list holds texts in quotes, with commas between them"),
        ("allow = [[]]", 10, "a list holds texts in quotes, with commas between them"),
        ("allow = [,]", 10, "a list holds texts in quotes, with commas between them"),
        ("allow = ['slow' 'large']", 17, "expected `,` or `]` after this item of the list"),
    ] {
        let told = format!("retrospect.toml:1:{column}: {told}\n    ");
        let problems = problems(&[], Some(line));
        assert!(problems.starts_with(&told), "{line}: {problems}");
        assert_eq!(problems.matches("retrospect.toml:").count(), 1, "{problems}");
    }
}

#[test]
fn a_profile_that_is_missing_is_told_with_those_that_are_there() {
    let told = |profile, file| problems(&[("RETROSPECT_PROFILE", profile)], file);
    let file = "[profile.ci]\n[profile.nightly]\n";
    assert_eq!(
        told("nigthly", Some(file)),
        "RETROSPECT_PROFILE=nigthly is not in retrospect.toml: its profiles are ci, nightly; did you mean nightly?"
    );
    assert_eq!(
        told("ci", Some("size = 5")),
        "RETROSPECT_PROFILE=ci is not in retrospect.toml: add [profile.ci] to it; it has no profiles"
    );
    assert_eq!(
        told("ci", None),
        "RETROSPECT_PROFILE=ci selects a table of retrospect.toml, and there is no such file from the crate's folder upwards"
    );
    // It may be the table that could not be read.
    assert_eq!(told("ci", Some("[profile.ci")).matches('\n').count(), 2);
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let told = |content| {
        let found = SettingsFile { path: "../retrospect.toml".to_owned(), content };
        combine(&Settings::new(), Vec::new(), Some(&found), Path::new("crate")).expect_err("a bad file").to_string()
    };
    assert_eq!(
        told(Ok(b"size = 5\ncolor = '\xe9'".to_vec())),
        "../retrospect.toml:2:10: the byte 0xe9 is not UTF-8: save the file in that encoding\n    color = '\n             ^"
    );
    assert_eq!(
        told(Err(std::io::Error::other("the disk is on fire"))),
        "../retrospect.toml cannot be read: the disk is on fire; mend that, or remove it to use the defaults"
    );
}

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("retrospect-settings-{name}-{}", std::process::id()));
        std::fs::create_dir_all(path.join("workspace/crates/one")).unwrap();
        Folder(path)
    }

    fn write(&self, path: &str, text: &str) {
        std::fs::write(self.0.join(path), text).unwrap();
    }

    /// The file that is found from the innermost folder.
    fn found(&self) -> Option<String> {
        SettingsFile::find(&self.0.join("workspace/crates/one")).map(|found| found.path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_file_is_looked_for_up_to_the_root_of_the_workspace() {
    let folder = Folder::new("root");
    folder.write("workspace/Cargo.toml", "# no [workspace] here\n[workspace.package]\n");
    folder.write("workspace/crates/one/Cargo.toml", "[package]\nworkspace = \"../..\"");
    folder.write("retrospect.toml", "");
    assert_eq!(folder.found(), None);
    folder.write("workspace/retrospect.toml", "");
    assert_eq!(folder.found().as_deref(), Some("../../retrospect.toml"));
    folder.write("workspace/crates/one/retrospect.toml", "");
    assert_eq!(folder.found().as_deref(), Some("retrospect.toml"));
}

#[test]
fn a_repository_is_a_root_as_well() {
    let folder = Folder::new("repository");
    folder.write("workspace/.git", "gitdir: elsewhere");
    folder.write("workspace/retrospect.toml", "");
    folder.write("retrospect.toml", "");
    assert_eq!(folder.found().as_deref(), Some("../../retrospect.toml"));
}

#[test]
fn a_folder_in_place_of_the_file_is_no_file() {
    let folder = Folder::new("folder");
    std::fs::create_dir_all(folder.0.join("workspace/crates/one/retrospect.toml")).unwrap();
    let found = SettingsFile::find(&folder.0.join("workspace/crates/one")).expect("something of that name");
    assert!(found.content.is_err());
}

/// Every place that a reading names lies in the text, and what is said about it can be shown.
fn check(text: &str) -> Document {
    let document = parse(text);
    for fault in &document.faults {
        assert!(text.is_char_boundary(fault.at), "{text:?}: {fault:?}");
    }
    let _ = resolved(Settings::new(), &[], Some(text));
    document
}

#[test]
fn damaged_files_are_read_or_refused() {
    for (cut, _) in WHOLE.char_indices() {
        check(&WHOLE[..cut]);
    }
    let characters: Vec<char> = WHOLE.chars().collect();
    let damage = ((0..characters.len()), element_of("[]\"'=.#,\\\n\r \t0_aué".chars().collect::<Vec<_>>()), 0..3);
    for (at, character, kind) in damage.samples(1).take(5_000) {
        let mut damaged = characters.clone();
        match kind {
            0 => drop(damaged.remove(at)),
            1 => damaged.insert(at, character),
            _ => damaged[at] = character,
        }
        check(&damaged.into_iter().collect::<String>());
    }
    let alphabet = string_of(element_of("[]\"'=.#,\\\n\r 0_profilecases".chars().collect::<Vec<_>>()), 0..40);
    for text in alphabet.samples(2).take(5_000) {
        check(&text);
    }
}

#[test]
fn a_file_of_any_length_is_read_or_refused_in_time() {
    const MANY: usize = 100_000;
    let read = parse(&format!("allow = [{}]", "'slow', ".repeat(10 * MANY)));
    assert!(matches!(&read.tables[0].entries[0].value, Value::List(items) if items.len() == 10 * MANY));
    assert_eq!(check(&"[".repeat(MANY)).faults.len(), 1);
    assert_eq!(check(&format!("allow = {}", "[".repeat(MANY))).faults.len(), 1);
    assert_eq!(check(&"x\n".repeat(MANY)).faults.len(), MANY);
    const PROFILES: usize = MANY / 10;
    let profiles: String = (0..PROFILES).map(|number| format!("[profile.p{number}]\nsize = {number}\n")).collect();
    let read = check(&profiles);
    assert!(matches!(&read.tables[PROFILES].scope, Scope::Profile(name, _) if *name == format!("p{}", PROFILES - 1)));
    assert_eq!(read.faults, []);
}
