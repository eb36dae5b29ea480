//! Counterexamples in files.

use crate::project::{Project, everyday};
use insta::assert_snapshot;

#[test]
fn a_saved_case_runs_first_and_is_not_shrunk_again() {
    let property = everyday("saved::sum_stays_small");
    property.run(&[]).failed();
    let saved = property.saved();
    assert_snapshot!("a_failure_is_saved", saved);
    assert_snapshot!(property.run(&[("RETROSPECT_SEED", "1")]).failed());
    assert_eq!(property.saved(), saved);
}

#[test]
fn a_saved_case_that_passes_is_silent_and_stays() {
    let property = everyday("saved::fails_for_one_value");
    let file = "case\n  x = 5\n";
    property.save(file);
    assert_snapshot!(property.run(&[]).passed());
    assert_eq!(property.saved(), file);
}

#[test]
fn an_edited_value_runs_as_edited() {
    let property = everyday("saved::may_be_edited");
    property.run(&[]).failed();
    property.save(property.saved().replace("xs = [1001]", "xs = [2000, 5]"));
    let edited = property.saved();
    assert_snapshot!(property.run(&[]).failed());
    assert_eq!(property.saved(), edited);
}

#[test]
fn a_value_written_by_hand_needs_no_id() {
    let property = everyday("saved::fails_for_one_value_by_hand");
    property.save("# From a bug report.\ncase\n    x = 1234567890123\n");
    assert_snapshot!(property.run(&[]).failed());
}

#[test]
fn what_can_no_longer_be_made_is_named_and_kept() {
    let property = everyday("saved::makes_only_small_numbers");
    let file = "case\n  x = 4000\n  y = 3\n";
    property.save(file);
    assert_snapshot!(property.run(&[]).passed());
    assert_eq!(property.saved(), file);
}

#[test]
fn a_changed_generator_says_which_cases_it_cannot_make() {
    let source = |most: u32| {
        format!(
            "use retrospect::prelude::*;\n#[cfg(test)]\n#[property]\n\
             fn stays_small(#[from(0..={most}_u32)] x: u32) {{\n    assert!(x < 500);\n}}\n"
        )
    };
    let file = "regressions/changing.stays_small.txt";
    let project = Project::new("changing").without("regressions").file("src/lib.rs", &source(9_999));
    project.test(&["--lib"], &[]).failed();
    let saved = project.read(file);
    assert!(saved.contains("x = 500\n"), "{saved}");
    let wider = project.file("src/lib.rs", &source(8_888));
    assert!(wider.test(&["--lib"], &[]).failed().stdout.contains("fails again"), "still generable, it runs");
    let project = wider.file("src/lib.rs", &source(499));
    assert_snapshot!(project.test(&["--lib"], &[]).passed());
    assert_eq!(project.read(file), saved);
}

#[test]
fn a_value_that_cannot_be_read_is_made_by_its_choices() {
    let property = everyday("saved::cannot_be_read");
    property.run(&[]).failed();
    let saved = property.saved();
    assert_snapshot!("an_unreadable_value_is_saved", saved);
    assert_snapshot!(property.run(&[("RETROSPECT_SEED", "1")]).failed());
    assert_eq!(property.saved(), saved);
}

#[test]
fn choices_that_make_another_value_are_refused() {
    let property = everyday("saved::cannot_be_read_and_changed");
    let file = "case\n  thing = opaque thing number 777\n  choices: 54321\n";
    property.save(file);
    assert_snapshot!(property.run(&[]).passed());
    assert_eq!(property.saved(), file);
}

#[test]
fn choices_that_make_another_value_say_which() {
    let property = everyday("saved::cannot_be_read_and_changed");
    property.save("case\n  thing = opaque thing number 777\n  choices: 54321\n");
    let output = property.run(&[]).passed();
    assert!(output.stderr.contains("opaque thing number 54321"), "{output}");
}

#[test]
fn choices_that_make_no_value_say_what_refuses_them() {
    let said = |name: &'static str, file: &str| {
        let property = everyday(name);
        property.save(file);
        property.run(&[]).passed().stderr
    };
    assert_snapshot!(
        [
            said("saved::has_gained_a_filter", "case\n  n = 50\n  choices: 50\n"),
            said("saved::has_gained_a_second_filter", "case\n  x = 1\n  n = 50\n  choices: 1 50\n"),
        ]
        .join("\n")
    );
}

#[test]
fn a_replay_of_what_cannot_be_made_says_where_it_is_kept() {
    let property = everyday("saved::has_gained_a_filter_too");
    property.save("case aaaa1\n  n = 50\n  choices: 50\n");
    let output = property.run(&[("RETROSPECT_REPLAY", "aaaa1")]).failed();
    let file = "regressions/everyday.saved.has_gained_a_filter_too.txt";
    assert!(output.stdout.contains(&format!("it is kept in {file}: edit it there, or delete it")), "{output}");
}

#[test]
fn an_argument_that_is_gone_is_named() {
    let property = everyday("saved::takes_two");
    property.save("case\n  x = 1\n  y = 2\n  z = 3\n");
    assert_snapshot!(property.run(&[]).passed());
}

#[test]
fn an_argument_that_is_missing_is_named() {
    let property = everyday("saved::takes_two_and_more");
    property.save("case\n  x = 1\n");
    let output = property.run(&[]).passed();
    assert!(output.stderr.contains("was not run") && output.stderr.contains("`y`"), "{output}");
}

#[test]
fn a_saved_case_that_is_discarded_is_named() {
    let property = everyday("saved::assumes_more_than_before");
    property.save("case\n  x = 5000\n");
    let output = property.run(&[]).passed();
    assert!(output.stderr.contains("assume!(x < 1_000) at src/saved.rs"), "{output}");
}

#[test]
fn a_case_whose_shrinking_was_cut_off_is_shrunk() {
    let property = everyday("saved::was_not_finished");
    property.save("case unfinished\n  x = 123456\n");
    assert_snapshot!(property.run(&[]).failed().of_test());
    assert_snapshot!("a_case_that_was_finished", property.saved());
}

#[test]
fn nothing_is_saved_if_that_is_not_wanted() {
    let property = everyday("saved::is_not_saved");
    assert_snapshot!(property.run(&[]).failed().of_test());
    assert!(!property.is_saved());
}

#[test]
fn a_case_without_values_runs_by_its_choices() {
    let property = everyday("saved::has_choices_only");
    property.save("case\n  choices: 54321\n");
    let output = property.run(&[]).failed();
    assert!(output.stdout.contains("let x = 54321;"), "{output}");
}

#[test]
fn a_case_is_saved_before_it_is_shrunk() {
    let property = everyday("saved::is_killed_after_chance");
    let killed = property.run(&[("KILLED_AT", "4")]).failed();
    assert!(killed.stderr.contains("SIGABRT"), "{killed}");
    assert_snapshot!("what_is_saved_before_it_is_shrunk", property.saved());
    assert_snapshot!(property.run(&[]).failed().of_test());
}

#[test]
fn the_values_of_a_boundary_case_are_saved_before_it_is_shrunk() {
    let property = everyday("saved::is_killed_at_a_boundary");
    property.run(&[("KILLED_AT", "3")]).failed();
    assert!(property.saved().contains("\n  x = 18446744073709551613\n"), "{}", property.saved());
}

#[test]
fn an_unreadable_value_with_a_map_runs_again() {
    let property = everyday("saved::cannot_be_read_and_has_a_map");
    property.run(&[]).failed();
    let output = property.run(&[("RETROSPECT_SEED", "1")]).failed();
    assert!(output.stdout.contains("fails again"), "{output}");
}

#[test]
fn two_processes_at_once_save_both() {
    let property = everyday("saved::is_run_twice_at_once");
    let runs = ["1", "2", "3"].map(|seed| {
        let arguments = ["--lib", "--", "--exact", "saved::is_run_twice_at_once"];
        let quiet = std::process::Stdio::null;
        let mut command = property.project.command(&arguments, &[("RETROSPECT_SEED", seed)]);
        command.stdout(quiet()).stderr(quiet()).spawn().expect("cargo starts")
    });
    for mut run in runs {
        assert_eq!(run.wait().expect("it ends").code(), Some(101));
    }
    let saved = property.saved();
    assert_eq!(saved.matches("\ncase ").count(), 1, "{saved}");
    assert!(saved.contains("  xs = [1001]\n  choices: [1001]\n"), "{saved}");
    let files = std::fs::read_dir(property.project.path("regressions")).expect("a directory").flatten();
    let left: Vec<_> = files
        .map(|file| file.file_name())
        .filter(|name| name.to_string_lossy().contains("twice_at_once.txt."))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_shrinking_has_reached_is_saved_from_time_to_time() {
    let property = everyday("saved::is_killed_while_it_shrinks");
    let start = "xs = [7777777, 7777777, 7777777, 7777777, 7777777, 7777777, 7777777, 7777777, 7777777, 7777777]";
    let killed = property.run(&[("RETROSPECT_VALUE", start)]).failed();
    assert!(killed.stderr.contains("SIGABRT"), "{killed}");
    let saved = property.saved();
    assert!(saved.matches("\ncase ").count() == 1 && saved.contains(" unfinished\n"), "{saved}");
    assert!(!saved.contains(start) && saved.contains("  xs = ["), "{saved}");
}
