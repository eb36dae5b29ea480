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
