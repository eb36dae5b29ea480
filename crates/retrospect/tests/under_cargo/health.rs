//! Whether a run that found nothing means anything.

use crate::project::everyday;
use insta::assert_snapshot;

#[test]
fn slow_generation_is_named() {
    let output = everyday("health::generates_slowly").run(&[]).passed();
    assert!(output.stderr.contains("warning: health::generates_slowly: "), "{output}");
    assert!(output.stderr.contains("allow(slow)"), "{output}");
}

#[test]
fn a_flaky_property_is_told_how_to_say_so() {
    let output = everyday("health::is_flaky").run(&[]).failed();
    assert!(output.stdout.contains("allow(nondeterminism)"), "{output}");
}

#[test]
fn a_generator_that_is_sometimes_empty_says_when() {
    let output = everyday("health::has_a_range_that_may_be_empty").run(&[]).failed();
    assert!(output.stdout.contains("`y`") && output.stdout.contains("n = 0"), "{output}");
}

#[test]
fn a_single_case_is_not_always_the_simplest() {
    let run = |seed| everyday("health::runs_one_case").run(&[("RETROSPECT_SEED", seed), ("RUST_TEST_NOCAPTURE", "1")]);
    assert_ne!(run("1").stdout, run("2").stdout);
}

#[test]
fn a_failure_that_does_not_come_again_may_be_allowed() {
    let output = everyday("health::is_flaky_and_may_be").run(&[]).passed();
    assert_eq!(output.stderr, "");
}

#[test]
fn many_discards_are_named_though_the_test_passes() {
    assert_snapshot!(everyday("health::discards_half").run(&[]).passed());
}

#[test]
fn discards_before_a_failure_agree_with_its_number() {
    let property = everyday("health::fails_among_discards");
    // A saved case that is discarded is told of by itself.
    property.save("case\n  x = 2\n  y = 1\n");
    let output = property.run(&[]).failed();
    let number = |before: &str, after: &str| -> u64 {
        let text = output.both();
        let number = text.split_once(before).and_then(|(_, rest)| rest.split_once(after)).expect(before).0;
        number.parse().expect(before)
    };
    let (case, discarded) = (number("found by case ", " ("), number(" (", " discarded)"));
    let all = output.stderr.lines().find(|line| line.contains(" cases")).expect("a warning");
    assert!(all.contains(&format!(" {discarded} of {} cases", case + discarded)), "{output}");
}

#[test]
fn discards_may_be_allowed() {
    let output = everyday("health::discards_half_and_may").run(&[]).passed();
    assert_eq!(output.stderr, "");
}

#[test]
fn few_discards_are_announced_in_one_line() {
    let output = everyday("health::discards_little").run(&[]).passed();
    assert_eq!(
        output.stderr.trim_end(),
        "health::discards_little: 23 of 223 cases were discarded, by assume!(x % 10 != 3) at src/health.rs:17:5"
    );
}

#[test]
fn a_property_that_tested_nothing_fails() {
    let output = everyday("health::discards_everything").run(&[]).failed();
    // How many were tried depends on how quick they were.
    assert_snapshot!(output.of_test().replace(|character: char| character.is_ascii_digit(), ""));
}

#[test]
fn a_filter_that_lets_nothing_through_fails() {
    let output = everyday("health::filters_everything").run(&[]).failed();
    assert_snapshot!(output.of_test().replace(|character: char| character.is_ascii_digit(), ""));
}

#[test]
fn a_generator_that_cannot_generate_says_why() {
    assert_snapshot!(everyday("health::has_an_empty_range").run(&[]).failed());
}

#[test]
fn a_property_that_fails_only_sometimes_is_told_from_one_that_fails() {
    assert_snapshot!(everyday("health::is_flaky").run(&[]).failed());
}
