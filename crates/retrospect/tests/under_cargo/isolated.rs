//! Cases in a child process: what ends the process is a failure like any other.

use crate::project::everyday;

#[test]
fn an_abort_is_a_failure_that_shrinks() {
    let property = everyday("isolated::aborts");
    let output = property.run(&[]).failed();
    assert!(output.stdout.contains("let xs = [101];"), "{output}");
    assert!(output.stdout.contains("the process was ended by signal 6 (SIGABRT: abort)"), "{output}");
    assert!(property.saved().contains("\n  xs = [101]\n"), "{}", property.saved());
    let again = property.run(&[]).failed();
    assert!(again.stdout.contains("fails again"), "{again}");
}

#[test]
fn a_stack_overflow_is_a_failure_that_shrinks() {
    let output = everyday("isolated::overflows_its_stack").run(&[]).failed();
    assert!(output.stdout.contains("a stack overflow, by what it printed"), "{output}");
    assert!(output.stdout.contains("  smallest case found ("), "{output}");
}

#[test]
fn an_endless_loop_is_a_failure_that_shrinks() {
    let output = everyday("isolated::never_ends").run(&[]).failed();
    assert!(output.stdout.contains("let x = 1001;"), "{output}");
    assert!(output.stdout.contains("no end after <time> (timeout)"), "{output}");
}

#[test]
fn an_exit_is_a_failure_that_shrinks() {
    let output = everyday("isolated::exits").run(&[]).failed();
    assert!(output.stdout.contains("let x = 7;"), "{output}");
    assert!(output.stdout.contains("the process exited with code 3"), "{output}");
}

#[test]
fn a_property_that_holds_is_as_silent_as_in_one_process() {
    let output = everyday("isolated::holds").run(&[]).passed();
    assert!(!output.both().contains("isolated::holds:"), "{output}");
}
