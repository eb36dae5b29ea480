//! A process that dies inside a case: what is printed at once, and what the next run says.

#![cfg(target_os = "linux")]

use crate::project::{Output, everyday};

/// Runs the property, and checks that its end is told with a command.
#[track_caller]
fn dies(name: &'static str, cause: &str) -> (Output, String) {
    let output = everyday(name).run(&[]).failed();
    let told = format!("FAIL  {name}    the process ended in case 4 ({cause})\n");
    assert!(output.stderr.contains(&told), "{output}");
    let (_, command) = output.stderr.split_once("if it was drawn, shrinks and saves it:  ").expect("a command");
    let command = command.lines().next().unwrap_or_default().to_owned();
    assert_eq!(command, format!("RETROSPECT_ISOLATE=true RETROSPECT_SEED=0x7f3a cargo test {name} -- --exact"));
    (output, command)
}

#[test]
fn an_abort_names_the_property_and_the_command_that_finds_the_case() {
    let (_, command) = dies("dying::aborts", "SIGABRT: abort");
    let property = everyday("dying::aborts");
    let output = property.project.paste("sh", &command, "").failed();
    assert!(output.stdout.contains("let x = 1001;"), "{output}");
    assert!(property.saved().contains("\n  x = 1001\n"), "{}", property.saved());
}

#[test]
fn an_abort_on_another_thread_is_told_too() {
    dies("dying::aborts_on_another_thread", "SIGABRT: abort");
}

#[test]
fn an_exit_with_0_is_a_failure() {
    let (output, _) = dies("dying::exits_with_0", "it called `exit`");
    assert_eq!(output.code, 101, "{output}");
}

#[test]
fn a_stack_overflow_is_told_before_the_message_of_the_standard_library() {
    let (output, _) = dies(
        "dying::overflows_its_stack",
        "SIGSEGV: stack overflow; if a value is deep, a `max_depth` above 128 gives the property more stack",
    );
    let (_, after) = output.stderr.split_once("FAIL  ").expect("a report");
    assert!(after.contains("has overflowed its stack"), "{output}");
}

#[test]
fn bad_memory_access_is_told() {
    dies("dying::writes_where_it_must_not", "SIGSEGV: invalid memory access");
}

#[test]
fn the_end_of_memory_is_told() {
    dies("dying::takes_all_memory", "SIGABRT: abort");
}

#[test]
fn the_next_run_says_once_that_the_last_one_died() {
    let property = everyday("dying::aborts_until_mended");
    property.run(&[]).failed();
    let output = property.run(&[("MENDED", "1"), ("RETROSPECT_SEED", "5")]).passed();
    assert!(
        output.stderr.contains(
            "warning: dying::aborts_until_mended: the last run ended its process in case 4 (SIGABRT: abort); \
             this finds the case and, if it was drawn, shrinks and saves it:\n  \
             RETROSPECT_ISOLATE=true RETROSPECT_SEED=0x7f3a cargo test dying::aborts_until_mended -- --exact"
        ),
        "{output}"
    );
    let output = property.run(&[("MENDED", "1")]).passed();
    assert!(!output.stderr.contains("the last run"), "{output}");
}

#[test]
fn the_next_run_says_that_the_last_one_was_killed() {
    let property = everyday("dying::is_killed");
    let output = property.run(&[]).failed();
    assert!(!output.stderr.contains("FAIL"), "{output}");
    let output = property.run(&[("MENDED", "1")]).passed();
    assert!(output.stderr.contains("the process of the last run was killed in case 4;"), "{output}");
}

#[test]
fn the_next_run_says_that_a_saved_case_killed_the_last_one() {
    let property = everyday("dying::is_killed_by_a_saved_case");
    property.save("case\n  x = 3\n\ncase\n  x = 4711\n");
    property.run(&[]).failed();
    let output = property.run(&[("MENDED", "1")]).passed();
    assert!(output.stderr.contains("the process of the last run was killed in a saved case;"), "{output}");
}

#[test]
fn a_run_that_the_user_interrupts_leaves_nothing() {
    let property = everyday("dying::is_interrupted");
    let output = property.run(&[]).failed();
    assert!(!output.stderr.contains("FAIL"), "{output}");
    let output = property.run(&[("MENDED", "1")]).passed();
    assert!(!output.stderr.contains("the last run"), "{output}");
}

#[test]
fn a_case_that_comes_late_is_found_by_the_command() {
    let property = everyday("dying::dies_late");
    let output = property.run(&[]).failed();
    let (_, command) = output.stderr.split_once("shrinks and saves it:  ").expect("a command");
    let command = command.lines().next().unwrap_or_default();
    assert!(command.contains(" RETROSPECT_CASES=2"), "{command}");
    let output = property.project.paste("bash", command, "").failed();
    assert!(output.stdout.contains("let x = 7;"), "{output}");
}

#[test]
fn a_forked_child_that_exits_is_not_the_process() {
    let output = everyday("dying::has_a_child_that_exits").run(&[]).passed();
    assert!(!output.both().contains("the process ended"), "{output}");
}

#[test]
fn a_fault_that_a_handler_mends_is_not_told() {
    let output = everyday("dying::a_fault_that_is_mended_is_none").run(&[]).passed();
    assert!(!output.both().contains("the process ended"), "{output}");
}
