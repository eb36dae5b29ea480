//! Each program prints the same today as when it was written: what it teaches is still true.

use std::process::Command;

/// What a program prints, if it ends well.
fn printed(program: &str) -> String {
    // A backtrace would be part of what is printed.
    let output =
        Command::new(program).env_remove("RUST_BACKTRACE").output().expect("the program was built with this test");
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    // A command that runs it again names it by its path.
    String::from_utf8(output.stdout).expect("programs print text").replace(program, "<this program>")
}

#[test]
fn sample_and_reflect() {
    insta::assert_snapshot!(printed(env!("CARGO_BIN_EXE_01_sample_and_reflect")));
}

#[test]
fn write_a_generator() {
    insta::assert_snapshot!(printed(env!("CARGO_BIN_EXE_02_write_a_generator")));
}

#[test]
fn derive() {
    insta::assert_snapshot!(printed(env!("CARGO_BIN_EXE_03_derive")));
}

#[test]
fn read_and_fill() {
    insta::assert_snapshot!(printed(env!("CARGO_BIN_EXE_04_read_and_fill")));
}

#[test]
fn laws() {
    insta::assert_snapshot!(printed(env!("CARGO_BIN_EXE_05_laws")));
}

#[test]
fn check_a_property() {
    insta::assert_snapshot!(printed(env!("CARGO_BIN_EXE_06_check_a_property")));
}

#[test]
fn functions() {
    insta::assert_snapshot!(printed(env!("CARGO_BIN_EXE_08_functions")));
}

#[test]
fn enumerate() {
    insta::assert_snapshot!(printed(env!("CARGO_BIN_EXE_11_enumerate")));
}

#[test]
fn satisfying() {
    insta::assert_snapshot!(printed(env!("CARGO_BIN_EXE_12_satisfying")));
}

#[test]
fn control_shrinking() {
    insta::assert_snapshot!(printed(env!("CARGO_BIN_EXE_07_control_shrinking")));
}

#[test]
fn text() {
    insta::assert_snapshot!(printed(env!("CARGO_BIN_EXE_09_text")));
}

#[test]
fn mutate() {
    insta::assert_snapshot!(printed(env!("CARGO_BIN_EXE_10_mutate")));
}
