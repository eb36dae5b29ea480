//! What a body says about its cases.

use crate::project::everyday;
use insta::assert_snapshot;

#[test]
fn events_are_summed_up() {
    let environment = [("RETROSPECT_VERBOSE", "1"), ("RUST_TEST_NOCAPTURE", "1")];
    assert_snapshot!(everyday("saying::says_what_is_tested").run(&environment).passed());
}

#[test]
fn a_share_that_is_missed_fails_the_property() {
    assert_snapshot!(everyday("saying::covers_too_little").run(&[]).failed());
}

#[test]
fn a_score_is_climbed() {
    assert_snapshot!(everyday("saying::is_climbed").run(&[]).failed().of_test());
}

#[test]
fn notes_are_of_the_last_case_only() {
    let output = everyday("saying::notes_once").run(&[]).failed();
    assert_snapshot!(output.of_test());
    assert_snapshot!("notes_of_several_lines", everyday("failing::says_notes").run(&[]).failed().of_test());
}
