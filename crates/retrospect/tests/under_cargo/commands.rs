//! Every printed command works as it is printed, and runs one test.

use crate::project::everyday;

/// Runs the property, then the command that it printed, in two shells.
#[track_caller]
fn fails_again(name: &'static str) -> String {
    let property = everyday(name);
    let output = property.run(&[]).failed();
    for shell in ["sh", "bash"] {
        let pasted = property.project.paste(shell, output.command(), "").failed();
        assert_eq!(pasted.n_tests(), 1, "{} {pasted}", output.command());
        let again = ["on the value of RETROSPECT_VALUE", "on the choices of RETROSPECT_REPLAY", "fails again"];
        assert!(again.iter().any(|again| pasted.stdout.contains(again)), "{} {pasted}", output.command());
    }
    output.command().to_owned()
}

#[test]
fn a_command_runs_the_test_and_not_those_whose_names_begin_like_it() {
    assert_eq!(fails_again("commands::fair"), "RETROSPECT_VALUE='x = 50' cargo test commands::fair -- --exact");
}

#[test]
fn the_second_check_of_a_test_is_named() {
    let expected = "RETROSPECT_PROPERTY=commands::two_checks-2 RETROSPECT_VALUE='value = 10' \
                    cargo test commands::two_checks -- --exact";
    assert_eq!(fails_again("commands::two_checks"), expected);
    fails_again("commands::two_checks_of_different_types");
}

#[test]
fn a_value_without_a_name_is_for_the_first_check() {
    let property = everyday("commands::two_checks");
    let output = property.run(&[("RETROSPECT_VALUE", "value = 30")]).passed();
    assert!(output.stderr.contains("commands::two_checks: passes on the value of RETROSPECT_VALUE"), "{output}");
    assert!(output.stderr.contains("set RETROSPECT_PROPERTY=commands::two_checks-2 too"), "{output}");
}

#[test]
fn a_saved_case_of_the_second_check_is_found() {
    let property = everyday("commands::two_checks");
    let variables = [("RETROSPECT_PROPERTY", "commands::two_checks-2")];
    let output = property.run(&variables).failed();
    let (_, rest) = output.stdout.split_once(", case ").expect("it is saved");
    let id = rest.split_whitespace().next().expect("an id");
    let output = property.run(&[variables[0], ("RETROSPECT_REPLAY", id)]).failed();
    assert!(output.stdout.contains("fails again"), "{output}");
}

#[test]
fn names_of_draws_are_read_back() {
    let command = fails_again("commands::has_odd_names");
    let values = "'x_1_y = 0; [a, b] = 0; x = 0; x_2 = 0; x_3 = 0; draw_6 = 50'";
    assert!(command.contains(values), "{command}");
}

#[test]
fn many_choices_are_in_a_file() {
    let command = fails_again("commands::has_many_choices");
    assert!(command.starts_with("RETROSPECT_REPLAY_FILE=") && command.len() < 1000, "{command}");
}

#[test]
fn text_for_shells_comes_out_as_it_is() {
    for index in ["0", "1", "2", "3", "4"] {
        let property = everyday("commands::has_text_for_shells");
        let output = property.run(&[("RETROSPECT_REPLAY", index)]).failed();
        let pasted = property.project.paste("sh", output.command(), "").failed();
        let value = |report: &str| report.lines().find(|line| line.contains("let text")).map(str::to_owned);
        assert!(output.command().starts_with("RETROSPECT_VALUE="), "{output}");
        assert_eq!(value(&output.stdout), value(&pasted.stdout), "{pasted}");
    }
}

#[test]
fn nothing_of_a_value_or_message_commands_the_terminal() {
    let output = everyday("commands::rings").run(&[]).failed();
    let is_harmless = |character: char| character == '\n' || !(character.is_control() || character == '\u{202e}');
    assert!(output.both().chars().all(is_harmless), "{output}");
    assert!(output.stdout.contains("      let bell = \\u{7}\\u{1b}[2J;\n"), "{output}");
    fails_again("commands::rings");
}

#[test]
fn notes_are_limited_in_number_and_length() {
    let output = everyday("commands::notes_much").run(&[]).failed();
    assert!(output.stdout.contains("\n      note 49\n      … 19,901 more notes\n      note 19951\n"), "{output}");
    assert!(output.stdout.contains(&format!("\n      note 19999\n      {}…\n", "x".repeat(2_000))), "{output}");
}
