//! A test that is killed at random moments, while it saves what it found, loses nothing.

#![cfg(unix)]

use crate::project::everyday;
use retrospect::runner::tool::{self, SavedCase};
use retrospect::source::Rng;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

/// `KILLS=1000 cargo test -p retrospect --test under_cargo killed` has more of them.
#[test]
fn kills_at_random_moments_lose_nothing() {
    let n_kills: u64 = std::env::var("KILLS").map_or(20, |kills| kills.parse().expect("a number"));
    let property = everyday("dying::is_killed_at_random");
    let project = property.project;
    let file = project.path(&property.file());
    let built = project.command(&["--lib", "--no-run"], &[]).output().expect("cargo starts");
    let built = String::from_utf8(built.stderr).expect("UTF-8");
    let (_, program) = built.rsplit_once('(').expect("the path of the program");
    let program = project.path(program.trim_end().trim_end_matches(')'));
    let runs = program.parent().expect("a directory").join("retrospect-runs");
    // The program itself, without cargo around it, so that it is the program that is killed.
    let run = |limit: u64| -> Command {
        let mut command = project.prepared(&program, &[("LIMIT", &limit.to_string())]);
        command.args(["--exact", "dying::is_killed_at_random"]).env("CARGO_MANIFEST_DIR", &project.directory);
        command.env("RETROSPECT_SEED", limit.to_string()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let started = Instant::now();
    assert!(!run(1_000).status().expect("it starts").success());
    let usual = started.elapsed();
    let mut rng = Rng::new(7);
    let mut before = cases_of(&file);
    let (mut n_stopped, mut n_unfinished) = (0, 0);
    for kill in 1..=n_kills {
        let mut process = run(1_000 + kill).spawn().expect("it starts");
        thread::sleep(usual.mul_f64(rng.at_most(1_100) as f64 / 1_000.0));
        n_stopped += u64::from(process.try_wait().expect("its state").is_none());
        process.kill().expect("it is killed, or has ended");
        process.wait().expect("it ends");
        n_unfinished += unfinished(&file).len();
        let after = cases_of(&file);
        // A case that was not shrunk to its end may have been replaced by what it shrank to.
        let n_lost = before.iter().filter(|case| case.is_minimal && !after.contains(case)).count();
        assert_eq!(n_lost, 0, "{before:?}\n{after:?}");
        assert!(after.len() >= before.len(), "{before:?}\n{after:?}");
        before = after;
    }
    println!("{n_stopped} of {n_kills} were killed while they ran, {n_unfinished} unfinished files were seen");
    assert!(n_stopped > n_kills / 4, "{n_stopped} were killed before they ended");
    assert!(!run(2_000_000).status().expect("it starts").success());
    assert_eq!(unfinished(&file), [""; 0]);
    // Every file of a run is gone that says nothing more; other tests may be running.
    let of_this = |path: &Path| fs::read(path).is_ok_and(|bytes| contains(&bytes, b"is_killed_at_random"));
    let left: Vec<_> =
        fs::read_dir(runs).into_iter().flatten().flatten().filter(|entry| of_this(&entry.path())).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// All cases, and none that is broken.
#[track_caller]
fn cases_of(file: &Path) -> Vec<SavedCase> {
    let text = fs::read(file);
    let loaded = tool::load(file).expect("a file that loads");
    assert!(loaded.broken.is_empty(), "{:?} {:?}", loaded.broken, text);
    loaded.cases
}

fn unfinished(file: &Path) -> Vec<String> {
    let name = format!(".{}.", file.file_name().expect("a name").to_string_lossy());
    let entries = fs::read_dir(file.parent().expect("a directory")).expect("the directory").flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|other| other.starts_with(&name))
        .collect()
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
