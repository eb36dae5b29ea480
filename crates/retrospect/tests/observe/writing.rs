//! Where the files are, who writes to them, and what happens if they cannot be written.

use crate::{Folder, PROGRAM, files, observed, run, text};
use std::time::{Duration, Instant};

#[test]
fn every_run_has_files_of_its_own() {
    let folder = Folder::new("own-files");
    let seen = folder.path("seen");
    let variables = [("RETROSPECT_OBSERVE", seen.to_str().unwrap())];
    let properties = ["passes", "discards", "strange_texts", "draws_in_its_body", "runs_again_at_once"];
    // In threads of one process, and in two processes.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| assert!(run(&properties, &variables).status.success()));
        }
    });
    let all = files(&seen);
    assert_eq!(all.len(), 2 * (4 + 3), "{all:?}");
    for file in all {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let lines = std::fs::read_to_string(&file).unwrap();
        let mut starts = Vec::new();
        for line in lines.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(name.starts_with(&format!("{}.", text(&line, "property").replace("::", "."))), "{name}");
            starts.push(line["run_start"].as_f64().unwrap());
        }
        assert!(starts.iter().all(|start| *start == starts[0]));
        assert!(name.contains(&format!(".{}-", (starts[0] * 1000.0).round())), "{name}: {}", starts[0]);
        assert!(seen.join("events").join(&name).is_file());
    }
}

/// Cases that repeat values as well: whether there is something to repeat is learned from the first
/// cases.
#[test]
fn a_run_that_is_observed_has_the_same_cases() {
    let arguments = ["repeats_numbers", "--show-output"];
    let folder = Folder::new("same-cases");
    let seen = folder.path("seen");
    let statistics = |variables: &[(&str, &str)]| -> Vec<String> {
        let output = run(&arguments, &[&[("RETROSPECT_VERBOSE", "1")], variables].concat());
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        said.lines().filter(|line| line.contains("value \"")).map(str::to_owned).collect()
    };
    let plain = statistics(&[]);
    assert_eq!(plain.len(), 2, "{plain:?}");
    assert_eq!(statistics(&[("RETROSPECT_OBSERVE", seen.to_str().unwrap())]), plain);
}

#[test]
fn a_property_inside_a_case_is_not_a_run_of_its_own() {
    let folder = Folder::new("inside");
    let seen = folder.path("seen");
    assert!(run(&["has_another_inside"], &[("RETROSPECT_OBSERVE", seen.to_str().unwrap())]).status.success());
    assert_eq!(files(&seen).len(), 1);
}

#[test]
fn what_cannot_be_written_is_said_and_changes_nothing() {
    let folder = Folder::new("not-written");
    let file = folder.path("a file");
    std::fs::write(&file, "").unwrap();
    let output = run(&["passes"], &[("RETROSPECT_OBSERVE", file.to_str().unwrap())]);
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let beginning = "warning: passes: RETROSPECT_OBSERVE: nothing is written down, because this cannot be written: ";
    assert!(said.starts_with(beginning), "{said}");
    assert!(said.contains("a file"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_once_and_changes_nothing() {
    let folder = Folder::new("full");
    let seen = folder.path("seen");
    std::fs::create_dir_all(seen.join("events")).unwrap();
    // The name of the file is not known beforehand; the limit on its size is that of a full disk.
    let mut command = std::process::Command::new("sh");
    command.arg("-c").arg("trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"").arg(&*PROGRAM);
    command.args(["--exact", "passes"]).env("RETROSPECT_OBSERVE", &seen);
    let output = command.env("RETROSPECT_SAVE", "false").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said.matches("not all cases are written down").count(), 1, "{said}");
    let events = folder.lines("seen/events");
    assert!(events[events.len() - 1]["lines_lost"].as_u64().unwrap() > 0);
}

#[test]
fn tyche_finds_the_lines_of_the_last_run() {
    let folder = Folder::new("tyche");
    // The root of the workspace is where the lock file is.
    std::fs::write(folder.path("Cargo.lock"), "").unwrap();
    let member = folder.path("member");
    std::fs::create_dir_all(&member).unwrap();
    let variables = [("RETROSPECT_TYCHE", "1"), ("CARGO_MANIFEST_DIR", member.to_str().unwrap())];
    for _ in 0..2 {
        assert!(run(&["passes", "small_domain"], &variables).status.success());
    }
    let there = folder.path(".quickcheck/observations");
    let names: Vec<String> =
        files(&there).iter().map(|file| file.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(names, ["observe.passes.jsonl", "observe.small_domain.jsonl"]);
    let lines = folder.lines(".quickcheck/observations");
    assert_eq!(lines.iter().filter(|line| text(line, "property").ends_with("small_domain")).count(), 6);
    // Nothing that it would refuse.
    assert!(lines.iter().all(|line| line["type"] == "test_case"));
}

#[test]
fn lines_are_there_while_a_case_hangs() {
    let folder = Folder::new("hangs");
    let seen = folder.path("seen");
    let mut command = crate::command();
    command.args(["--exact", "hangs"]).env("RETROSPECT_OBSERVE", &seen);
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let mut child = command.spawn().unwrap();
    let started = Instant::now();
    while folder.lines("seen").is_empty() && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!folder.lines("seen").is_empty());
}

#[test]
fn without_the_variable_nothing_is_written() {
    let (output, lines, events) = observed("passes", &[]);
    assert!(output.status.success() && !lines.is_empty() && !events.is_empty());
    let folder = Folder::new("nothing");
    let variables = [("CARGO_MANIFEST_DIR", folder.0.to_str().unwrap())];
    assert!(run(&["passes"], &variables).status.success());
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0);
}

#[test]
fn steps_of_shrinking_are_there_before_it_ends() {
    let folder = Folder::new("live");
    let seen = folder.path("seen");
    let output = run(&["watches_itself_shrink"], &[("RETROSPECT_OBSERVE", seen.to_str().unwrap())]);
    assert!(!output.status.success());
    assert!(seen.join("steps-were-there").is_file(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn of_very_many_steps_the_first_and_the_last_are_told() {
    let (output, _, events) = observed("shrinks_for_long", &[]);
    assert!(!output.status.success());
    let ended = events.iter().find(|event| text(event, "event") == "shrink_ended").unwrap();
    let n_steps = ended["steps"].as_u64().unwrap();
    assert!(n_steps > 110, "{n_steps}");
    let steps = events.iter().filter(|event| text(event, "event") == "shrink_step");
    let mut numbers: Vec<u64> = steps.map(|step| step["step"].as_u64().unwrap()).collect();
    numbers.sort_unstable();
    let count = numbers.len();
    numbers.dedup();
    assert_eq!(numbers.len(), count);
    assert!((100..n_steps as usize).contains(&count), "{count} of {n_steps}");
    assert!((1..=50).chain(n_steps - 49..=n_steps).all(|number| numbers.contains(&number)), "{numbers:?}");
}
