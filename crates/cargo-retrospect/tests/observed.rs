//! `cargo retrospect test`: the real program on a throw-away crate, what it prints, its exit code
//! and the files it leaves.

#[allow(dead_code)]
#[path = "../../retrospect/tests/under_cargo/project.rs"]
mod project;

use insta::assert_snapshot;
use project::{Output, Project};
use serde_json::Value;
use std::sync::LazyLock;

static PROJECT: LazyLock<Project> = LazyLock::new(|| {
    let project = Project::new("observed-tests")
        .file("src/lib.rs", "")
        .file("tests/seen.rs", include_str!("fixtures/observed.rs"));
    project.remove("regressions");
    let built = project.test(&["--tests", "--no-run"], &[]);
    assert_eq!(built.code, 0, "{built}");
    project
});

fn tool(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let variables = [&[("COLUMNS", "110"), ("RETROSPECT_SAVE", "false")], environment].concat();
    let mut command = PROJECT.prepared(env!("CARGO_BIN_EXE_cargo-retrospect"), &variables);
    command.arg("test").args(arguments);
    // Options behind `--` are for the harness.
    if !arguments.contains(&"--") {
        command.arg("--offline");
    }
    PROJECT.output_of(command.output().expect("it starts"))
}

/// Without the line that has nothing but times.
fn lasting(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("  time per case")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_property_that_means_something() {
    let output = tool(&["varied"], &[]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{output}");
    assert!(output.stdout.contains("time per case"));
    assert_snapshot!(lasting(&output.stdout));
}

#[test]
fn properties_that_mean_little_are_warned_of() {
    let output = tool(&["discards_most", "stuck"], &[]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{output}");
    assert_snapshot!(lasting(&output.stdout));
    assert_eq!(tool(&["stuck", "--deny-warnings"], &[]).code, 1);
    assert_eq!(tool(&["varied", "--deny-warnings"], &[]).code, 0);
}

#[test]
fn a_saved_case_that_cannot_be_made_is_told_once_with_its_file() {
    PROJECT.write("regressions/seen.gained_a_filter.txt", "case\n  n = 50\n  choices: 50\n");
    let output = tool(&["gained_a_filter"], &[]);
    let told: Vec<&str> = output.stdout.lines().skip_while(|line| !line.starts_with("warning: ")).take(6).collect();
    assert_snapshot!(told.join("\n"));
}

#[test]
fn a_failure_comes_last_with_its_report() {
    let output = tool(&["totals_are_small", "varied", "plain"], &[]);
    assert_eq!(output.code, 1, "{output}");
    let place = |text: &str| output.stdout.find(text).unwrap_or_else(|| panic!("no {text:?} in\n{}", output.stdout));
    assert!(place("PASS  seen::varied") < place("FAIL  totals_are_small"));
    assert!(place("let prices = [5000];") < place("FAIL  plain_failure    (not a property)"));
    assert!(place("this one is no property") < place("2 properties: 1 passed, 1 failed"));
    assert!(!output.stdout.contains("plain_test"));
    assert!(output.stdout.ends_with("page:  cargo retrospect ui"), "{output}");
}

#[test]
fn where_no_case_fails_it_is_said_what_was_tested() {
    let output = tool(&["covers_too_little"], &[]);
    assert_eq!(output.code, 1, "{output}");
    let place = |text: &str| output.stdout.find(text).unwrap_or_else(|| panic!("no {text:?} in\n{}", output.stdout));
    assert!(place("FAIL  covers_too_little") < place("and at least 90 % are expected by cover! at "));
    assert!(place("are expected by cover! at ") < place("value \"length\""));
    assert!(place("value \"length\"") < place("very long 0 % (at least 90 %)   NOT MET"));
    // It is told once.
    assert!(!output.stdout.contains("warning: `very long`"), "{output}");
}

#[test]
fn a_program_is_told_in_json() {
    let output = tool(&["totals_are_small", "varied", "--json"], &[]);
    assert_eq!(output.code, 1, "{output}");
    let lines: Vec<Value> = output.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    let varied = lines.iter().find(|line| line["property"] == "seen::varied").unwrap();
    assert_eq!((&varied["verdict"], &varied["counts"]["failed"]), (&"passed".into(), &0.into()));
    assert_eq!(varied["features"][0]["name"], "length");
    let failed = lines.iter().find(|line| line["property"] == "seen::totals_are_small").unwrap();
    assert_eq!(failed["verdict"], "failed");
    assert!(failed["history"]["report"].as_str().unwrap().contains("let prices = [5000];"));
    let all = &lines[2];
    assert_eq!((&all["properties"], &all["failed"], &all["tests_passed"]), (&2.into(), &1.into(), &false.into()));
    let folder = all["observed"].as_str().unwrap();
    assert!(folder.contains("/retrospect/observed/20"), "{folder}");
    // For a person there is nothing else.
    assert_eq!(output.stderr, "");
}

#[test]
fn options_are_passed_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("here");
    let arguments = [
        "slow_one",
        "--cases",
        "7",
        "--observe",
        path.to_str().unwrap(),
        "--test",
        "seen",
        "--offline",
        "--",
        "--test-threads=1",
    ];
    let output = tool(&arguments, &[]);
    // The property says itself how many.
    assert_eq!(output.code, 0, "{output}");
    assert!(output.stdout.contains("stopped because 40 cases were run"), "{output}");
    assert!(output.stdout.ends_with(&format!("page:  cargo retrospect ui {}", path.display())), "{output}");
    assert_eq!(std::fs::read_dir(&path).unwrap().count(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn each_case_has_the_lines_that_it_ran() {
    let project = Project::new("covered-tests")
        .file("src/lib.rs", include_str!("fixtures/covered.rs"))
        .file("tests/seen.rs", include_str!("fixtures/covering.rs"));
    let folder = tempfile::tempdir().unwrap();
    let seen = folder.path().join("seen");
    let mut command = project.prepared(env!("CARGO_BIN_EXE_cargo-retrospect"), &[("RETROSPECT_SAVE", "false")]);
    command.args(["test", "--coverage", "--offline", "--observe", seen.to_str().unwrap()]);
    let output = project.output_of(command.output().expect("it starts"));
    assert_eq!(output.code, 1, "{output}");
    // What the counters' own runtime writes at the end of a process.
    assert!(
        std::fs::read_dir(&project.directory).unwrap().all(|entry| !entry.unwrap().path().ends_with("default.profraw"))
    );
    let mut n_lines = 0;
    for file in std::fs::read_dir(&seen).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
        for line in std::fs::read_to_string(&file).unwrap().lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let number: i64 = line["representation"].as_str().unwrap().parse().unwrap();
            // The branch that this number takes.
            let branch: &[u64] = match number {
                i64::MIN..0 => &[3],
                0 => &[4, 5],
                1..=1_000_000 => &[4, 6, 10],
                _ => &[4, 6, 7, 8],
            };
            let expected: Vec<u64> = [&[1, 2], branch, &[12]].concat();
            assert_eq!(line["coverage"]["src/lib.rs"], Value::from(expected), "{line}");
            let of_test = line["coverage"]["tests/seen.rs"].as_array().unwrap();
            assert!(of_test.iter().all(|line| line.as_u64().is_some()) && !of_test.is_empty());
            n_lines += 1;
        }
    }
    assert!(n_lines > 300, "{n_lines}");
}

#[test]
fn nothing_to_run_is_an_error() {
    let refused = |arguments: &[&str]| {
        let output = tool(arguments, &[]);
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{output}");
        output.stderr.lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(
        refused(&["no_such_test"]),
        "error: no property was run: there is no test of one whose name contains no_such_test; -p names another package, --workspace means all of them"
    );
    assert_eq!(
        refused(&["plain_test"]),
        "error: no property was run: there is no test of one whose name contains plain_test; -p names another package, --workspace means all of them"
    );
    assert_eq!(refused(&["plain_failure"]), "error: no property was run, and a test fails: what was printed is above");
    assert!(refused(&["--test", "nothing"]).starts_with("error: the tests cannot be built"));
}

#[test]
fn what_ran_nothing_leaves_nothing_behind() {
    // A target directory of its own: other tests leave theirs.
    let project = Project::new("observed-nothing").file("src/lib.rs", "this is not Rust");
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().to_str().unwrap();
    let mut command = project.prepared(env!("CARGO_BIN_EXE_cargo-retrospect"), &[]);
    command.args(["test", "--offline", "--target-dir", target]);
    let output = project.output_of(command.output().expect("it starts"));
    assert_eq!(output.code, 2, "{output}");
    let sessions = std::fs::read_dir(folder.path().join("retrospect/observed")).unwrap();
    assert_eq!(sessions.count(), 0);
}

#[test]
fn help() {
    let output = tool(&["--help"], &[]);
    assert_eq!(output.code, 0);
    assert_snapshot!(output.stdout);
}
