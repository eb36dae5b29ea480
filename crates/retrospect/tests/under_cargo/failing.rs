//! What a failure looks like.

use crate::project::everyday;
use insta::assert_snapshot;

#[test]
fn a_property_that_holds_is_silent() {
    let property = everyday("failing::holds");
    assert_snapshot!(property.run(&[]).passed());
    assert!(!property.is_saved());
}

#[test]
fn a_failure_is_short_and_panics_once() {
    let property = everyday("failing::sum_stays_small");
    let output = property.run(&[]).failed();
    assert!(output.of_test().lines().count() <= 25, "{output}");
    assert_eq!(output.both().matches("panicked at").count(), 1, "{output}");
    assert_snapshot!(output);
}

#[test]
fn a_body_may_return_false() {
    assert_snapshot!(everyday("failing::returns_false").run(&[]).failed().of_test());
}

#[test]
fn a_body_may_return_an_error() {
    assert_snapshot!(everyday("failing::returns_an_error").run(&[]).failed().of_test());
}

#[test]
fn an_error_is_one_failure_whatever_its_values() {
    assert_snapshot!(everyday("failing::returns_an_error_with_values").run(&[]).failed().of_test());
}

#[test]
fn two_texts_are_two_errors() {
    let output = everyday("failing::returns_two_texts").run(&[]).failed();
    assert!(
        output.stdout.contains("      the property returned `Err(\"too large: 10001\")`\n  also failing"),
        "{output}"
    );
}

#[test]
fn shrinking_keeps_to_one_bug() {
    assert_snapshot!(everyday("failing::has_two_bugs").run(&[]).failed().of_test());
}

#[test]
fn all_bugs_are_shown_if_wanted() {
    let property = everyday("failing::has_two_bugs_to_show");
    assert_snapshot!(property.run(&[("RETROSPECT_ALL_FAILURES", "1")]).failed().of_test());
    assert_snapshot!("all_bugs_are_shown_if_wanted_saved", property.saved());
}

#[test]
fn two_ways_to_fail_in_one_line_are_two_bugs() {
    let output = everyday("failing::an_overflow_is_no_assertion_either").run(&[]).failed();
    assert!(output.stdout.contains("      attempt to add with overflow\n  also failing: 1 other failure"), "{output}");
}

#[test]
fn what_does_not_matter_is_said() {
    assert_snapshot!(everyday("failing::one_argument_does_not_matter").run(&[]).failed().of_test());
}

#[test]
fn a_comparison_shows_both_sides() {
    assert_snapshot!(everyday("failing::compares").run(&[]).failed().of_test());
}

#[test]
fn a_failure_may_be_expected() {
    let property = everyday("failing::is_expected_to_fail");
    assert_snapshot!(property.run(&[]).passed());
    assert!(!property.is_saved());
}

#[test]
fn an_expected_failure_must_come() {
    assert_snapshot!(
        everyday("failing::is_expected_to_fail_and_does_not").run(&[("RETROSPECT_CASES", "100")]).failed()
    );
}

#[test]
fn an_example_that_fails_is_named() {
    assert_snapshot!(everyday("failing::has_a_failing_example").run(&[]).failed().of_test());
}

#[test]
fn an_example_need_not_be_generable() {
    let output = everyday("failing::has_an_example_no_generator_makes").run(&[]).failed();
    assert!(output.stdout.contains("found by example 1 of 1\n  the case:\n      let x = 4000;\n"), "{output}");
    assert!(output.stdout.contains("not shrunk: this generator cannot make 4000: 4000 is not in 0..10"), "{output}");
}

#[test]
fn an_example_that_is_not_generable_is_not_saved() {
    let property = everyday("failing::has_an_example_that_is_not_saved");
    let output = property.run(&[]).failed();
    assert!(!property.is_saved(), "{output}");
    assert!(
        output.stdout.contains("replay:  cargo test failing::has_an_example_that_is_not_saved -- --exact\n"),
        "{output}"
    );
}

#[test]
fn what_fails_differently_matters() {
    let output = everyday("failing::an_overflow_is_no_assertion").run(&[]).failed();
    assert!(!output.stdout.contains("any other value"), "{output}");
}

#[test]
fn colour_is_added_to_the_same_words() {
    let property = everyday("failing::is_coloured");
    let plain = property.run(&[]).failed();
    let painted = property.run(&[("RETROSPECT_COLOR", "always")]).failed();
    assert_eq!(plain.stdout.matches('\x1b').count(), 0);
    assert!(painted.of_test().starts_with("\x1b[1;31mFAIL\x1b[0m  failing::is_coloured"), "{painted}");
}

#[test]
fn a_backtrace_is_there_if_wanted() {
    let output = everyday("failing::has_a_backtrace").run(&[("RUST_BACKTRACE", "1")]).failed();
    assert_eq!(output.stdout.matches("  backtrace:\n").count(), 1, "{output}");
    assert!(output.stdout.contains("has_a_backtrace"), "{output}");
}

#[test]
fn the_steps_of_shrinking_are_shown_if_wanted() {
    assert_snapshot!(everyday("failing::shrinks_in_steps").run(&[("RETROSPECT_VERBOSE", "2")]).failed().of_test());
}

#[test]
fn shrinking_that_is_cut_short_is_not_called_minimal() {
    let property = everyday("failing::shrinks_for_long");
    assert_snapshot!(property.run(&[("RETROSPECT_SHRINK_RUNS", "3")]).failed().of_test());
    assert!(property.saved().contains(" unfinished\n"), "{}", property.saved());
}
