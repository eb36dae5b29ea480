//! Boundary values, and domains that are small enough to be run whole.

use crate::project::everyday;
use insta::assert_snapshot;

#[test]
fn a_domain_without_an_end_is_not_run() {
    let output = everyday("edges::all_of_far_too_many").run(&[]).failed();
    assert!(output.stdout.contains("FAIL  edges::all_of_far_too_many"), "{output}");
}

#[test]
fn every_list_is_a_case() {
    let output = everyday("edges::all_lists").run(&[("RETROSPECT_VERBOSE", "1"), NOT_CAPTURED]).passed();
    assert!(output.stderr.contains("all 15 cases there are were run"), "{output}");
}

#[test]
fn the_smallest_number_is_tried() {
    assert_snapshot!(everyday("edges::smallest_and_largest").run(&[]).failed().of_test());
}

#[test]
fn two_arguments_are_at_their_ends_together() {
    assert_snapshot!(everyday("edges::two_at_their_ends").run(&[]).failed().of_test());
}

#[test]
fn the_ends_of_a_range_are_tried() {
    assert_snapshot!(everyday("edges::the_end_of_a_range").run(&[]).failed().of_test());
}

#[test]
fn a_small_domain_is_run_whole_and_says_so() {
    assert_snapshot!(everyday("edges::few_values").run(&[("RETROSPECT_VERBOSE", "1"), NOT_CAPTURED]).passed());
}

#[test]
fn the_one_case_that_fails_is_found() {
    assert_snapshot!(everyday("edges::few_values_one_fails").run(&[]).failed().of_test());
}

#[test]
fn a_larger_domain_is_run_whole_if_that_is_wanted() {
    assert_snapshot!(everyday("edges::all_of_many").run(&[]).failed().of_test());
    let all = everyday("edges::all_of_many_hold").run(&[("RETROSPECT_VERBOSE", "1"), NOT_CAPTURED]).passed();
    assert_snapshot!("a_larger_domain_is_run_whole_and_says_so", all);
}

#[test]
fn a_domain_that_is_too_large_to_be_run_whole_fails() {
    let output = everyday("edges::all_of_too_many").run(&[]).failed();
    assert!(output.stdout.contains("FAIL  edges::all_of_too_many\n  not all cases were run: "), "{output}");
    assert!(output.stdout.contains("give it more time, or a smaller domain"), "{output}");
}

const NOT_CAPTURED: (&str, &str) = ("RUST_TEST_NOCAPTURE", "1");
