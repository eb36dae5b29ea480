//! What may go wrong around a property. Each: a clear message, the result still right, no
//! counterexample lost.

use crate::project::everyday;
use insta::assert_snapshot;
use std::fs;

#[test]
fn a_panic_while_panicking_is_not_hidden() {
    let output = everyday("broken::panics_while_it_panics").run(&[]).failed();
    assert!(output.both().contains("the body fails first") && output.both().contains("dropped at"), "{output}");
    assert!(output.both().contains("panics_while_it_panics"), "{output}");
}

#[test]
fn a_value_of_several_lines_is_indented() {
    let output = everyday("broken::has_a_value_of_several_lines").run(&[]).failed();
    let is_indented = |line: &str| line.is_empty() || line.starts_with("  ") || line.starts_with("FAIL");
    assert!(output.of_test().lines().all(is_indented), "{output}");
}

#[test]
fn floats_shrink_together() {
    let output = everyday("broken::has_two_floats").run(&[]).failed();
    assert!(output.stdout.contains("let x = 1.5;") || output.stdout.contains("let x = 2.0;"), "{output}");
}

#[test]
fn a_broken_entry_is_named_and_the_others_run() {
    let property = everyday("saved::has_a_broken_file");
    let file = "case\n  x == 5 ==\n  y\n\nsomething else\n\ncase\n  x = 1234567890123\n";
    property.save(file);
    assert_snapshot!(property.run(&[]).failed());
    assert_eq!(property.saved(), file);
}

#[test]
fn marks_of_a_merge_are_named() {
    let property = everyday("saved::has_conflicts");
    let file = "<<<<<<< ours\ncase\n  x = 1\n=======\ncase\n  x = 2\n>>>>>>> theirs\n";
    property.save(file);
    assert_snapshot!(property.run(&[]).passed());
    assert_eq!(property.saved(), file);
}

#[test]
fn half_an_entry_is_not_run() {
    let property = everyday("saved::has_half_a_file");
    let file = "case 1f0c\n  x = 1234567890123\n  y = 12345678";
    property.save(file);
    assert_snapshot!(property.run(&[]).passed());
    assert_eq!(property.saved(), file);
}

#[test]
fn another_encoding_is_named_and_nothing_is_overwritten() {
    let property = everyday("saved::has_an_old_encoding");
    let file: Vec<u8> = "\u{feff}case\n  x = 1000\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    property.save(&file);
    assert_snapshot!(property.run(&[]).failed());
    assert_eq!(fs::read(property.project.path(&property.file())).expect("it is there"), file);
}

#[test]
fn a_directory_in_the_place_of_the_file_is_named() {
    let property = everyday("saved::has_a_directory_in_its_place");
    fs::create_dir_all(property.project.path(&property.file())).expect("a directory");
    assert_snapshot!(property.run(&[]).failed());
    assert!(property.project.path(&property.file()).is_dir());
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let property = everyday("saved::has_nowhere_to_save");
    property.project.write("blocked", "a file, where a folder is wanted");
    assert_snapshot!(property.run(&[("RETROSPECT_REGRESSIONS", "blocked")]).failed());
}

#[test]
fn a_payload_need_not_be_text() {
    assert_snapshot!(everyday("broken::panics_with_a_number").run(&[]).failed().of_test());
}

#[test]
fn a_panic_in_debug_does_not_hide_the_failure() {
    let property = everyday("broken::panics_in_debug");
    assert_snapshot!(property.run(&[]).failed().of_test());
    assert_snapshot!("a_panic_in_debug_is_saved", property.saved());
    assert_snapshot!("a_panic_in_debug_is_run_again", property.run(&[]).failed().of_test());
}

#[test]
fn a_panic_in_drop_is_a_failure() {
    assert_snapshot!(everyday("broken::panics_in_drop").run(&[]).failed().of_test());
}

#[test]
fn a_panic_in_a_generator_is_a_failure_that_runs_again() {
    let property = everyday("broken::panics_in_a_generator");
    assert_snapshot!(property.run(&[]).failed().of_test());
    assert_snapshot!("a_panic_in_a_generator_again", property.run(&[]).failed());
}

#[test]
fn a_panic_where_a_generator_is_made_is_a_failure() {
    assert_snapshot!(everyday("broken::panics_where_a_generator_is_made").run(&[]).failed().of_test());
}

#[test]
fn a_panic_on_another_thread_is_a_failure() {
    let output = everyday("broken::panics_on_another_thread").run(&[]).failed();
    let report = &output.of_test()[output.of_test().find("FAIL").expect("a report")..];
    assert_snapshot!(report);
}

#[test]
fn a_panic_that_the_body_catches_is_its_own_affair() {
    assert_snapshot!(everyday("broken::catches_a_panic_of_its_own").run(&[]).failed().of_test());
}

#[test]
fn a_long_value_is_cut_in_the_report_and_whole_in_the_file() {
    let property = everyday("broken::has_a_very_long_value");
    assert_snapshot!(property.run(&[]).failed().of_test());
    assert!(property.saved().contains(&format!("  xs = [{}0]\n", "0, ".repeat(699))));
}

#[test]
fn patterns_are_named_by_their_text() {
    let property = everyday("broken::has_patterns");
    assert_snapshot!(property.run(&[]).failed().of_test());
    let value = "(a, b) = (30, 30); _1 = true; c = 100";
    let output = property.run(&[("RETROSPECT_VALUE", value)]).failed();
    assert!(output.stdout.contains("let (a, b) = (10, 20);"), "{output}");
}

#[test]
fn the_command_to_replay_is_quoted_for_a_shell() {
    let property = everyday("broken::has_text_for_shells");
    let report = property.run(&[("RETROSPECT_VALUE", r#"text = "it's""#)]).failed();
    assert!(report.stdout.contains(r#"RETROSPECT_VALUE='text = "'\''"' cargo test"#), "{report}");
}
