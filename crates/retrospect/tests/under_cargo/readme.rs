//! The README shows what was printed.

use crate::project::{PROFILE, Project, is_always_said, retrospect_in, without_what_varies};

const README: &str = include_str!("../../../../README.md");

#[test]
fn the_readme_shows_what_is_printed() {
    let (_, section) = README.split_once("## A property is a test").expect("the section is there");
    let [code, failed, passed] = [0, 1, 2].map(|place| block(section, place));
    let ledger = Project::new("ledger")
        .file(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"ledger\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n{}{PROFILE}",
                retrospect_in("dependencies")
            ),
        )
        .file("src/lib.rs", &code);
    ledger.remove("regressions");
    let run = |environment: &[(&str, &str)]| {
        let environment = [&[("RETROSPECT_SEED", "7")], environment].concat();
        ledger.test(&["--lib", "--", "--nocapture"], &environment).both()
    };
    let is_shown = |shown: &str, printed: &str| {
        for line in shown.lines().filter(|line| is_always_said(line)).map(without_what_varies) {
            assert!(printed.contains(&line), "{line}\n\nis not among\n\n{printed}");
        }
    };
    is_shown(&failed, &run(&[]));
    ledger.write("src/lib.rs", code.replace(" - amount / 100; // Our fee.", ";"));
    is_shown(&passed, &run(&[("RETROSPECT_VERBOSE", "1"), ("RETROSPECT_CASES", "1000")]));
}

/// What stands in a block of the text.
fn block(text: &str, place: usize) -> String {
    let inside = text.split("```").nth(2 * place + 1).expect("the block is there");
    inside.split_once('\n').expect("a block has lines").1.to_owned()
}
