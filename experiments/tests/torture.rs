//! Some compositions of the torture test, in the unoptimised build and on stacks of test threads.

use std::process::Command;

#[test]
fn what_is_called_minimal_is() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_experiments"));
    let output = command.args(["torture", "--small-domains", "150"]).output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("150 small domains") && !text.contains(" 0 results"), "{text}");
}

/// A map whose keys are two numbers each: an item that became the same as another one was dropped,
/// and maps with both were not met.
#[test]
fn items_are_told_apart_by_their_end() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_experiments"));
    let output = command.args(["torture", "--small-domains", "1", "--seed", "0x931bc0f"]).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn compositions_break_no_promise() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_experiments"));
    let output = command.args(["torture", "--count", "150", "--seed", "1"]).output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    // Something was tried.
    assert!(text.contains("; 0 broken promises") && !text.contains(" 0 replayed"), "{text}");
}
