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

#[test]
fn a_check_in_a_trait_is_known_by_the_test_that_runs_it() {
    for name in ["plain::law_of_small", "plain::law_of_short"] {
        let property = everyday(name);
        let output = property.run(&[]).failed();
        assert!(property.is_saved() && output.stdout.contains(&format!(" cargo test {name} -- --exact\n")), "{output}");
        assert!(output.stdout.contains(&format!("FAIL  {name} ")), "{output}");
    }
}

#[test]
fn a_generic_check_is_another_for_each_type() {
    let property = everyday("plain::two_types_in_one_test");
    let output = property.run(&[]).failed();
    assert!(output.stdout.contains("regressions/everyday.plain.two_types_in_one_test-2.txt"), "{output}");
    let output = property.run(&[]).failed();
    assert!(!output.stdout.contains("cannot be made"), "{output}");
    property.project.remove("regressions/everyday.plain.two_types_in_one_test-2.txt");
}

#[test]
fn a_raw_name_is_what_the_test_harness_calls_it() {
    for (name, file) in [("plain::r#type", "type"), ("plain::r#match", "match")] {
        let property = everyday(name);
        let file = format!("regressions/everyday.plain.{file}.txt");
        property.project.remove(&file);
        let output = property.run(&[]).failed();
        assert!(output.stdout.contains(&format!("saved: {file}, ")), "{output}");
        let again = property.project.paste("sh", output.command(), "").failed();
        assert!(again.n_tests() == 1 && again.stdout.contains("on the value of RETROSPECT_VALUE"), "{again}");
    }
}

#[test]
fn a_property_that_is_not_there_is_not_passed_over() {
    let output = everyday("plain::r#type").run(&[("RETROSPECT_PROPERTY", "plain::tpye")]).failed();
    assert!(output.stdout.contains("RETROSPECT_PROPERTY=plain::tpye names no property of this test"), "{output}");
}
