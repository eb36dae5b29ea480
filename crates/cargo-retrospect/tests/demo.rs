//! The tour, as a user sees it, and the README, which shows a part of it.

use std::process::Command;

fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-retrospect")).args(arguments).output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

#[test]
fn the_tour_is_pinned() {
    let (code, stdout, stderr) = run(&["demo", "--tour"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    insta::assert_snapshot!("demo", stdout);
    assert_eq!(run(&["retrospect", "demo", "--tour"]).1, stdout, "cargo passes the subcommand's own name first");
    assert_ne!(run(&["demo", "--tour", "--seed", "8"]).1, stdout);
}

#[test]
fn the_readme_shows_what_the_tour_prints() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).expect("a README");
    let (_, section) = readme.split_once("## Looking back").expect("the section is there");
    let shown = section.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("captured output");
    let tour = run(&["demo", "--tour"]).1;
    assert!(tour.contains(shown.trim_end()), "not what the tour prints now:\n{shown}");
}

#[test]
fn bad_arguments_are_errors() {
    let (code, _, stderr) = run(&["demo", "--seed", "seven"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("invalid value 'seven' for '--seed <SEED>'"), "{stderr}");
    let (code, _, stderr) = run(&["dmeo"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("a similar subcommand exists: 'demo'"), "{stderr}");
}

/// The lines that do not say how long something took, nor whether there was time to try everything
/// simpler.
fn lasting(text: &str) -> String {
    let is_lasting = |line: &&str| {
        !line.starts_with("  time per case") && !line.contains("shrinks in") && !line.starts_with("  go on shrinking: ")
    };
    let mut out = String::new();
    for line in text.lines().filter(is_lasting) {
        let mut words: Vec<&str> = line.split(' ').collect();
        if let Some(at) = words.iter().position(|word| ["s", "ms", "µs"].contains(word)) {
            words.drain(at - 1..=at);
        }
        out += words.join(" ").trim_end();
        out.push('\n');
    }
    out
}

#[test]
fn three_generators_for_one_property() {
    let (code, stdout, stderr) = run(&["demo"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    insta::assert_snapshot!("three_generators", lasting(&stdout));
    let place = |text: &str| stdout.find(text).unwrap_or_else(|| panic!("no {text:?} in\n{stdout}"));
    assert!(place("PASS  demo::poor_generator") < place("tested values had been tested before"));
    assert!(place("PASS  demo::flawed_generator") < place("cases were discarded"));
    assert!(place("FAIL  good_generator") < place("let tree = Node("));
}

#[test]
fn the_readme_shows_what_the_demo_prints() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).expect("a README");
    let (_, section) = readme.split_once("## Does a test that passes mean anything?").expect("the section is there");
    let shown = section.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("captured output");
    let demo = run(&["demo"]).1;
    assert!(demo.contains(shown.trim_end()), "not what the demo prints now:\n{shown}");
}

#[test]
fn the_cases_of_the_demo_can_be_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("seen");
    let (code, stdout, _) = run(&["demo", "--observe", path.to_str().expect("UTF-8")]);
    assert_eq!(code, 0);
    assert!(stdout.ends_with(&format!("page:  cargo retrospect ui {}\n", path.display())), "{stdout}");
    assert_eq!(std::fs::read_dir(path.join("events")).expect("events").count(), 3);
    let (code, _, stderr) = run(&["demo", "--observe", "/dev/null/seen"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("/dev/null/seen"), "{stderr}");
}
