//! Defects that the torture test found (`cargo run --release -p experiments -- torture`), each as a small test.

use retrospect::prelude::*;
use retrospect::runner::Settings;
use std::path::PathBuf;

/// A new folder for the saved cases of a test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("found").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn a_saved_case_runs_first_if_the_body_draws_what_cannot_be_read() {
    let folder = folder("unreadable");
    let report = || {
        Check::new().with(Settings::new().regressions(&folder)).failure_of_case(|case| {
            let twice = case.draw(within(1..=9u8).map(|number| number * 2));
            assert!(twice < 10);
        })
    };
    assert!(report().unwrap().contains("minimal case"));
    let again = report().unwrap();
    assert!(again.contains("fails again") && again.contains("let draw_1 = 10;"), "{again}");
}
