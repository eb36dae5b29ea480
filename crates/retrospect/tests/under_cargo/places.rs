//! Where properties run: threads, runners, kinds of tests, workspaces, beside others.

use crate::project::{PROFILE, Project, everyday, retrospect_in};
use insta::assert_snapshot;
use std::process::Command;

#[test]
fn a_hook_set_later_does_not_make_properties_loud() {
    let property = everyday("neighbours::a_hook_set_later");
    let tests = ["neighbours::a_hook_set_later_is_heard", "neighbours::fails_after_a_hook"];
    let arguments = ["--lib", "--", "--exact", "--test-threads=1", tests[0], tests[1]];
    let output = property.project.test(&arguments, &[]).failed();
    assert!(output.stdout.contains("  panicked at src/neighbours.rs:"), "{output}");
    assert!(output.stdout.matches("the later hook heard").count() <= 1, "{output}");
}

#[test]
fn many_threads_do_not_mix_their_reports() {
    for threads in ["--test-threads=1", "--test-threads=4"] {
        for property in ["crowd::one", "crowd::two", "crowd::three", "crowd::four"] {
            everyday(property);
        }
        let output = everyday("crowd::five").project.test(&["--lib", "--", threads, "crowd::"], &[]).failed();
        assert_eq!(output.both().matches("panicked at").count(), 4, "{output}");
        let mut reports: Vec<&str> = output.stdout.split("---- ").skip(1).collect();
        reports.sort_unstable();
        for (name, limit) in [("four", 400), ("one", 100), ("three", 300), ("two", 200)] {
            let report =
                reports.iter().find(|report| report.starts_with(&format!("crowd::{name} stdout"))).expect("a report");
            assert!(
                report.contains(&format!("let x = {limit};")) && report.contains(&format!("      {name}\n")),
                "{report}"
            );
        }
    }
}

#[test]
fn a_report_is_shown_at_once_if_nothing_is_captured() {
    let property = everyday("neighbours::shown_at_once");
    let output =
        property.project.test(&["--lib", "--", "--nocapture", "--exact", "neighbours::shown_at_once"], &[]).failed();
    assert_snapshot!(output);
}

#[test]
fn the_panic_of_a_plain_test_is_left_alone() {
    assert_snapshot!(everyday("neighbours::a_plain_test_panics").run(&[]).failed());
}

#[test]
fn a_hook_of_the_users_own_hears_all_but_the_cases() {
    assert_snapshot!(everyday("neighbours::a_hook_is_heard").run(&[]).failed());
}

#[test]
fn nextest_runs_properties() {
    let has_nextest =
        Command::new("cargo").args(["nextest", "--version"]).output().is_ok_and(|run| run.status.success());
    if !has_nextest {
        println!("skipped: cargo nextest is not installed");
        return;
    }
    let property = everyday("neighbours::under_nextest");
    let nextest = property.project.with_nextest();
    let output = nextest.test(&["--lib", "-E", "test(=neighbours::under_nextest)"], &[]).failed();
    assert_eq!(output.code, 100, "{output}");
    assert!(output.stderr.contains("FAIL  neighbours::under_nextest    found by case 4"), "{output}");
    assert!(property.saved().contains("  x = 70\n"), "{}", property.saved());
}

#[test]
fn doctests_and_integration_tests_in_a_workspace_save_in_their_crate() {
    let member = |name: &str| {
        format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n\n{}", retrospect_in("dev-dependencies"))
    };
    let property = |name: &str| {
        format!("use retrospect::prelude::*;\n#[property]\nfn {name}(x: u32) {{\n    assert!(x < 70);\n}}\n")
    };
    let documented =
        "//! ```\n//! use retrospect::prelude::*;\n//! check(any::<u32>(), |x| assert!(x < 70));\n//! ```\n";
    let project = Project::new("workspace")
        .file("Cargo.toml", &format!("[workspace]\nresolver = \"3\"\nmembers = [\"one\", \"two\"]\n{PROFILE}"))
        .file("one/Cargo.toml", &member("one"))
        .file("one/src/lib.rs", &format!("{documented}#[cfg(test)]\nmod tests {{\n{}}}\n", property("inside")))
        .file("two/Cargo.toml", &member("two"))
        .file("two/src/lib.rs", "")
        .file("two/tests/outside.rs", &property("outside"));
    for directory in ["regressions", "one/regressions", "two/regressions"] {
        project.remove(directory);
    }
    assert_snapshot!("unit_test", project.test(&["-p", "one", "--lib"], &[]).failed());
    let outside = project.test(&["-p", "two", "--test", "outside"], &[]).failed();
    assert_snapshot!("integration_test", outside);
    let output = project.test(&["-p", "one", "--doc"], &[]).failed();
    assert!(output.stdout.contains("      let value = 70;\n"), "{output}");
    for directory in ["", "two"] {
        let pasted = project.paste("sh", outside.command(), directory).failed();
        assert!(pasted.n_tests() == 1 && pasted.stdout.contains("on the value of RETROSPECT_VALUE"), "{pasted}");
    }
    let pasted = project.paste("sh", output.command(), "one").failed();
    assert!(pasted.stdout.contains("on the value of RETROSPECT_VALUE"), "{pasted}");
    let files = |directory: &str| {
        let files = std::fs::read_dir(project.path(directory)).into_iter().flatten().flatten();
        let mut names: Vec<String> = files.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(files("regressions"), [""; 0]);
    assert_eq!(files("two/regressions"), ["outside.outside.txt"]);
    let one = files("one/regressions");
    assert!(one.contains(&"one.tests.inside.txt".to_owned()), "{one:?}");
    assert_eq!(one.len(), 2, "{one:?}");
}

#[test]
fn async_properties_run_under_tokio() {
    let source = "use retrospect::prelude::*;\n\n#[property]\n#[tokio::test]\nasync fn holds(x: u32) {\n    tokio::task::yield_now().await;\n    assert_eq!(tokio::spawn(async move { x }).await.unwrap(), x);\n}\n\n\
        #[property]\n#[tokio::test]\nasync fn fails(#[from(0..=10_000)] x: u32) -> Result<(), String> {\n    tokio::task::yield_now().await;\n    if x > 700 { Err(format!(\"{x} is too much\")) } else { Ok(()) }\n}\n\n\
        #[property]\n#[tokio::test]\nasync fn panics(#[from(0..=10_000)] x: u32) {\n    tokio::task::yield_now().await;\n    assert!(x <= 700);\n}\n";
    let manifest = format!(
        "[package]\nname = \"waiting\"\nedition = \"2024\"\n\n[workspace]\n\n{}tokio = {{ version = \"1\", features = [\"macros\", \"rt\", \"time\"] }}\n\n{PROFILE}",
        retrospect_in("dev-dependencies")
    );
    let project = Project::new("waiting").without("regressions").file("Cargo.toml", &manifest);
    let project = project.file("src/lib.rs", "").file("tests/waiting.rs", source);
    assert_snapshot!(project.test(&["--test", "waiting", "--", "--test-threads=1"], &[]).failed());
}
