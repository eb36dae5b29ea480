//! What can go wrong while a case is shrunk, and how it is told that it went well.

use crate::project::everyday;
use insta::assert_snapshot;

#[test]
fn a_property_that_gets_slower_ends_with_the_best_so_far() {
    let property = everyday("shrinking::gets_slower");
    let output = property.run(&[]).failed();
    assert!(
        output.stdout.contains("  smallest case so far (stopped: <time> are over; 1 of 1 choices left, "),
        "{output}"
    );
    assert!(output.stdout.contains("\n  go on shrinking:  cargo retrospect shrink "), "{output}");
    assert!(property.saved().contains(" unfinished\n"), "{}", property.saved());
}

#[test]
fn a_property_that_becomes_flaky_is_not_called_minimal() {
    let property = everyday("shrinking::becomes_flaky");
    assert_snapshot!(property.run(&[]).failed().of_test());
    assert_snapshot!("what_is_saved_of_a_property_that_becomes_flaky", property.saved());
}

#[test]
fn a_candidate_that_never_returns_is_another_failure() {
    let output = everyday("shrinking::never_returns_from_some").run(&[]).failed();
    assert!(output.stdout.contains("let x = 90000;"), "{output}");
    assert!(output.stdout.contains("also failing: 1 other failure (no end after <time> (timeout))"), "{output}");
}

#[test]
fn a_filter_that_refuses_the_simplest_is_obeyed() {
    let output = everyday("shrinking::the_simplest_is_filtered_out").run(&[]).failed();
    assert!(output.stdout.contains("  smallest case found (") && output.stdout.contains("let x = 507;"), "{output}");
}

#[test]
fn shrinking_does_not_slip_to_another_panic() {
    assert_snapshot!(
        everyday("shrinking::panics_in_another_way_below")
            .run(&[("RETROSPECT_VALUE", "[100, 100, 90, 100, 100, 100, 100, 100, 100, 100, 100]")])
            .failed()
            .of_test()
    );
}

#[test]
fn the_log_names_what_is_drawn_inside() {
    let environment = [
        ("RETROSPECT_VERBOSE", "2"),
        ("RETROSPECT_VALUE", "count = 4; item = 70; item_2 = 3; item_3 = 0; item_4 = 90"),
    ];
    assert_snapshot!(everyday("shrinking::draws_inside").run(&environment).failed().of_test());
}

#[test]
fn a_share_that_is_none_is_no_counterexample() {
    let property = everyday("shrinking::misuses_cover");
    assert_snapshot!(property.run(&[]).failed().of_test());
    assert!(!property.is_saved());
}

#[test]
fn a_candidate_that_hangs_does_not_hide_the_failure() {
    let property = everyday("shrinking::hangs_when_shrunk");
    let output = property.run(&[]);
    assert_eq!(output.code, 101, "{output}");
    // Past the harness, which never comes to show what it has captured.
    assert_snapshot!(output.stderr.replace(|character: char| character.is_ascii_digit(), "#"));
    let saved = property.saved();
    assert!(saved.contains(" unfinished\n") && saved.contains("# a smaller case hung"), "{saved}");
    // The next run reports it at once.
    let again = property.run(&[]).failed();
    assert!(
        again.stdout.contains("\n  not shrunk: a smaller case hung; to go on:  RETROSPECT_ISOLATE=true "),
        "{again}"
    );
    assert!(again.stdout.contains("test result: FAILED. 0 passed; 1 failed;"), "{again}");
    // The command goes on.
    let command = output.stderr.lines().find_map(|line| line.trim().strip_prefix("go on shrinking:  ")).unwrap();
    let mut variables = Vec::new();
    for word in command.split(' ').take_while(|word| word.starts_with("RETROSPECT_")) {
        variables.push(word.split_once('=').unwrap());
    }
    let shrunk = property.run(&variables).failed();
    assert!(shrunk.stdout.contains("  smallest case found (") && shrunk.stdout.contains("let x = 1000;"), "{shrunk}");
}

#[test]
fn a_hang_after_shrinking_does_not_hide_the_failure() {
    let property = everyday("shrinking::hangs_when_explained");
    let output = property.run(&[("RETROSPECT_VALUE", "x = 70000; y = 7")]);
    assert_eq!(output.code, 101, "{output}");
    assert!(output.stderr.contains("      let x = 1000;\n      let y = 0;\n  panicked at "), "{output}");
    assert!(output.stderr.contains("\n  the case that did not end:\n      let x = 1000;\n      let y = "), "{output}");
}

#[test]
fn shrinking_that_takes_long_says_so() {
    let output =
        everyday("shrinking::shrinks_for_long").run(&[("RETROSPECT_VALUE", &format!("{:?}", [90; 80]))]).failed();
    let line =
        output.stderr.lines().find(|line| line.starts_with("shrinking::shrinks_for_long: still shrinking a failure: "));
    assert!(line.is_some_and(|line| line.ends_with(" left; stops after <time> at most")), "{output}");
}
