//! Filters that refuse most values, and conditions that are searched for.

use crate::project::everyday;
use insta::assert_snapshot;

const TALKATIVE: [(&str, &str); 2] = [("RETROSPECT_VERBOSE", "1"), ("RUST_TEST_NOCAPTURE", "1")];

#[test]
fn a_filter_that_keeps_less_than_a_tenth_is_warned_of() {
    assert_snapshot!(everyday("searching::filter_wastes_most").run(&TALKATIVE).passed());
}

#[test]
fn a_filter_that_wastes_less_says_nothing() {
    let output = everyday("searching::filter_wastes_a_third").run(&TALKATIVE).passed();
    assert!(!output.both().contains("the filter at"), "{output}");
}

#[test]
fn a_filter_that_keeps_nothing_fails_the_property() {
    let output = everyday("searching::filter_keeps_nothing").run(&[]).failed();
    assert!(output.stdout.contains("nothing was tested: all "), "{output}");
    assert!(output.stdout.contains("a filter at src/searching.rs:14:45 discarded "), "{output}");
    assert!(output.stdout.contains("or search for it with `satisfying`"), "{output}");
}

#[test]
fn a_condition_says_what_share_was_valid() {
    assert_snapshot!(everyday("searching::is_searched_for").run(&TALKATIVE).passed());
}

#[test]
fn what_a_search_found_shrinks_is_saved_and_runs_again() {
    let property = everyday("searching::what_was_searched_for_fails");
    let output = property.run(&[]).failed();
    assert!(output.stdout.contains("let xs = [0, 0, 0, 100, 100, 100, 100];"), "{output}");
    assert!(property.saved().contains("\n  xs = [0, 0, 0, 100, 100, 100, 100]\n"), "{}", property.saved());
    let again = property.run(&[("RETROSPECT_SEED", "1")]).failed();
    assert!(again.stdout.contains("fails again"), "{again}");
    let isolated = property.run(&[("RETROSPECT_ISOLATE", "true")]).failed();
    assert!(isolated.stdout.contains("let xs = [0, 0, 0, 100, 100, 100, 100];"), "{isolated}");
}

#[test]
fn a_condition_that_never_holds_is_said_to_with_counts() {
    assert_snapshot!(everyday("searching::is_never_found").run(&[]).failed().of_test());
}

#[test]
fn each_isolated_case_searches_from_nothing() {
    let output = everyday("searching::is_searched_for_in_isolation").run(&TALKATIVE).passed();
    assert!(output.stderr.contains("PASS  searching::is_searched_for_in_isolation"), "{output}");
}
