//! Properties that take functions: what is reported and saved is the function.

use crate::project::everyday;
use insta::assert_snapshot;

#[test]
fn a_function_is_reported_saved_and_runs_again() {
    let property = everyday("functions::mapping_and_filtering_commute");
    assert_snapshot!("functions_are_reported", property.run(&[("RETROSPECT_SEED", "7")]).failed());
    let saved = property.saved();
    assert_snapshot!("functions_are_saved", saved);
    assert_snapshot!("saved_functions_run_first", property.run(&[("RETROSPECT_SEED", "1")]).failed());
    assert_eq!(property.saved(), saved);
}

#[test]
fn a_function_written_by_hand_runs_and_is_shrunk_from_there() {
    let property = everyday("functions::by_hand");
    let value = "f = {(7, 9) => 3, (1, 200) => 77, _ => 5}";
    let output = property.run(&[("RETROSPECT_VALUE", value)]).failed();
    assert!(output.stdout.contains("let f = {(1, 200) => 1, _ => 0};"), "{output}");
    let output = property.run(&[("RETROSPECT_VALUE", "f = {(7, 9) => 3}")]).failed();
    assert!(output.both().contains("nothing says what all other inputs give"), "{output}");
}

#[test]
fn functions_shrink_in_a_child_process_as_well() {
    let output = everyday("functions::in_a_child_process").run(&[]).failed();
    let expected = [r#"let f     = {"" => true, _ => false};"#, r#"let f     = {"a" => true, _ => false};"#];
    assert!(expected.iter().any(|expected| output.stdout.contains(expected)), "{output}");
    assert!(output.stdout.contains(r#"let words = ["", "a"];"#), "{output}");
}

/// Nobody can say any more what the function was asked. The seed it was drawn by is its text then,
/// and does the same.
#[test]
fn a_function_whose_process_ended_is_known_by_its_seed() {
    let property = everyday("functions::ends_the_process");
    let output = property.run(&[]).failed();
    assert!(output.stdout.contains("let f  = {_ => drawn("), "{output}");
    assert!(property.saved().contains("\n  f = {_ => drawn("), "{}", property.saved());
    let again = property.run(&[]).failed();
    assert!(again.stdout.contains("fails again"), "{again}");
}
