//! Settings of the attribute, the environment and `retrospect.toml`.

use crate::project::{Project, everyday};
use insta::assert_snapshot;

#[test]
fn a_malformed_variable_is_a_failure() {
    let environment = [("RETROSPECT_CASES", "abc"), ("RETROSPECT_TIME", "20"), ("RETROSPECT_COLOR", "autmo")];
    assert_snapshot!(everyday("health::is_told_how_much").run(&environment).failed());
}

#[test]
fn an_unknown_variable_is_a_failure_that_names_the_nearest() {
    let environment = [("RETROSPECT_CASE", "10"), ("RETROSPECT_EXPECT_FAILURE", "1")];
    assert_snapshot!(everyday("health::is_told_how_much").run(&environment).failed());
}

#[test]
fn no_cases_are_a_failure() {
    let output = everyday("health::is_told_how_much").run(&[("RETROSPECT_CASES", "0")]).failed();
    assert_snapshot!(output.of_test());
    assert_snapshot!("no_cases_in_the_attribute", everyday("health::runs_no_cases").run(&[]).failed().of_test());
}

#[test]
fn the_attribute_comes_before_the_environment() {
    let environment = [("RETROSPECT_CASES", "300"), ("RETROSPECT_VERBOSE", "2"), ("RUST_TEST_NOCAPTURE", "1")];
    assert_snapshot!(everyday("health::says_itself_how_much").run(&environment).passed());
}

#[test]
fn a_file_sets_what_nobody_else_does() {
    let source = "use retrospect::prelude::*;\n#[cfg(test)]\n#[property]\nfn holds(x: u64) {\n    assert!(x.count_ones() <= 64);\n}\n";
    let project = Project::new("settled").file("src/lib.rs", source);
    let run = |file: &str, environment: &[(&str, &str)]| {
        project.write("retrospect.toml", file);
        project.test(&["--lib", "--", "--nocapture"], environment)
    };
    let file = "cases = 30\nverbose = 2\n\n[profile.nightly]\ncases = 70\n";
    assert_snapshot!("file", run(file, &[]).passed());
    assert_snapshot!("profile", run(file, &[("RETROSPECT_PROFILE", "nightly")]).passed());
    assert_snapshot!("variable_over_file", run(file, &[("RETROSPECT_CASES", "5")]).passed());
    assert_snapshot!("unknown_profile", run(file, &[("RETROSPECT_PROFILE", "nigtly")]).failed());
    assert_snapshot!("bad_file", run("csaes = 30\ntime = 20\n[profil.x]\nallow = [\"slwo\"]\n", &[]).failed());
    assert_snapshot!("no_file", run("cases = \n[[", &[]).failed());
}
