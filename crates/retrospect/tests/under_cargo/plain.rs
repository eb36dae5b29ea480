//! Properties without a macro, in plain tests.

use crate::project::everyday;
use insta::assert_snapshot;

#[test]
fn two_checks_in_one_test_have_their_own_files() {
    let output = everyday("plain::two_in_one_test").run(&[]).passed();
    assert_eq!(output.stderr, "");
}

#[test]
fn the_panic_is_that_of_the_minimal_case() {
    everyday("neighbours::a_property_that_should_panic").run(&[]).passed();
}

#[test]
fn check_reports_like_a_property() {
    let property = everyday("plain::with_check");
    assert_snapshot!(property.run(&[]).failed());
    assert_snapshot!("check_saves_like_a_property", property.saved());
}

#[test]
fn what_a_case_draws_has_names() {
    assert_snapshot!(everyday("plain::with_check_case").run(&[]).failed().of_test());
}

#[test]
fn settings_are_taken() {
    assert_snapshot!(everyday("plain::with_settings").run(&[("RUST_TEST_NOCAPTURE", "1")]).passed());
}

#[test]
fn a_name_of_its_own_is_where_it_is_saved() {
    let property = everyday("plain::named");
    let output = property.project.test(&["--lib", "--", "--exact", "plain::by_a_name_of_its_own"], &[]).failed();
    assert!(output.stdout.contains("saved: regressions/everyday.plain.named.txt"), "{output}");
    assert!(property.is_saved());
}

#[test]
fn the_command_names_the_test_and_not_the_helper() {
    let output = everyday("plain::in_a_helper").run(&[]).failed();
    assert!(output.stdout.contains(" cargo test plain::in_a_helper -- --exact\n"), "{output}");
}

#[test]
fn the_command_names_the_test_and_not_the_check() {
    let output = everyday("plain::by_a_name_of_its_own").run(&[]).failed();
    assert!(output.stdout.contains(" cargo test plain::by_a_name_of_its_own -- --exact\n"), "{output}");
}
