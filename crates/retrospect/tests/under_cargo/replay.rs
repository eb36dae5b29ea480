//! Running one case again, or one from elsewhere.

use crate::project::{Output, everyday};
use insta::assert_snapshot;

fn with_value(name: &'static str, value: &str) -> Output {
    everyday(name).run(&[("RETROSPECT_VALUE", value)])
}

#[test]
fn a_value_that_passes_is_silent() {
    assert_snapshot!(with_value("replay::values_pass", "xs = [1, 2]; key = 3").passed());
}

#[test]
fn a_value_that_fails_shrinks() {
    assert_snapshot!(with_value("replay::value_fails", "xs = [400, 900, 3]").failed().of_test());
}

#[test]
fn what_matters_is_not_said_not_to_matter() {
    let output = with_value("replay::values_fail", "xs = [400, 900, 3]; key = 3").failed();
    assert!(!output.stdout.contains("any other value"), "{output}");
}

#[test]
fn a_file_that_cannot_be_read_is_named_to_who_wants_a_case_of_it() {
    let property = everyday("replay::has_an_old_encoding");
    property.save([0xff, 0xfe, b'c', 0]);
    let output = property.run(&[("RETROSPECT_REPLAY", "a0a0")]).failed();
    assert!(output.stdout.contains("is UTF-16 text"), "{output}");
}

#[test]
fn an_id_of_digits_that_is_unknown_is_not_passed_over() {
    let output = everyday("replay::takes_a_number").run(&[("RETROSPECT_REPLAY", "6679")]);
    assert!(output.both().contains("6679"), "{output}");
}

#[test]
fn the_command_has_the_values_that_are_drawn_inside() {
    let output = everyday("replay::draws_inside_and_says_so").run(&[]).failed();
    assert!(output.stdout.contains("RETROSPECT_VALUE='length = 1; item = 50'"), "{output}");
}

#[test]
fn small_numbers_are_tried_though_larger_ones_pass() {
    let output =
        everyday("replay::takes_a_seed").run(&[("RETROSPECT_SEED", "0xabc"), ("RETROSPECT_SAVE", "0")]).failed();
    assert!(output.stdout.contains("let a = 3;"), "{output}");
}

#[test]
fn lines_of_a_report_can_be_pasted() {
    let output = with_value("replay::values_are_pasted", "let xs  = [1, 2000];\n  let key = 3;").failed();
    assert!(output.stdout.contains("on the value of RETROSPECT_VALUE"), "{output}");
}

#[test]
fn structured_values_are_read() {
    let value = r#"shape = Named("a;b", Named("=", Circle { radius: 3 })); label = """#;
    assert_snapshot!(with_value("replay::takes_structured_values", value).failed().of_test());
}

#[test]
fn what_is_drawn_inside_can_be_given() {
    assert_snapshot!(with_value("replay::draws_inside", "length = 2; item = 3; item_2 = 70").failed().of_test());
}

#[test]
fn bad_syntax_is_pointed_at() {
    assert_snapshot!(with_value("replay::values_are_wrong", "xs = [1, 2; key = 3").failed().of_test());
}

#[test]
fn a_value_that_cannot_be_made_says_why() {
    let output = with_value("replay::values_cannot_be_made", "xs = [1, 20000]; key = 3").failed();
    assert_snapshot!(output.of_test());
    let output = with_value("replay::values_cannot_be_made", "xs = Some(1); key = 3").failed();
    assert_snapshot!("a_value_of_another_shape_says_why", output.of_test());
}

#[test]
fn an_unknown_argument_is_named() {
    assert_snapshot!(with_value("replay::values_are_unknown", "xs = [1]; kee = 3").failed().of_test());
}

#[test]
fn a_missing_argument_is_named() {
    let output = with_value("replay::values_are_missing", "xs = [2000]").failed();
    assert!(output.stdout.contains("RETROSPECT_VALUE cannot be used") && output.stdout.contains("`key`"), "{output}");
}

#[test]
fn a_value_that_is_discarded_is_not_passed_over() {
    assert_snapshot!(with_value("replay::assumes", "x = 7").failed().of_test());
}

#[test]
fn a_saved_case_is_run_by_its_id() {
    let property = everyday("replay::takes_a_saved_case");
    property.save("case\n  xs = [7, 2000]\n\ncase\n  xs = [3, 3, 3]\n\ncase a0a0\n  xs = [6000]\n  choices: [6000]\n");
    assert_snapshot!(property.run(&[("RETROSPECT_REPLAY", "a0a0")]).failed().of_test());
    assert_snapshot!("an_unknown_id", property.run(&[("RETROSPECT_REPLAY", "beef")]).failed().of_test());
}

#[test]
fn a_saved_case_that_is_discarded_is_not_passed_over() {
    let property = everyday("replay::assumes_of_a_saved_case");
    property.save("case\n  x = 7\n\ncase abcd\n  x = 9\n  choices: 9\n");
    let output = property.run(&[("RETROSPECT_REPLAY", "abcd")]).failed();
    assert!(output.stdout.contains("RETROSPECT_REPLAY was not tested: assume!(x % 2 == 0)"), "{output}");
}

#[test]
fn choices_are_run_as_they_are() {
    let with = |choices: &str| everyday("replay::takes_choices").run(&[("RETROSPECT_REPLAY", choices)]);
    assert_snapshot!(with("[700 800] 3").failed().of_test());
    assert_snapshot!("choices_that_do_not_fit", with("[700 800]").failed().of_test());
    assert_snapshot!("choices_out_of_range", with("[700 800000] 3").failed().of_test());
    assert_snapshot!("choices_that_are_none", with("[700 (").failed().of_test());
}

#[test]
fn a_seed_makes_the_same_case() {
    let run = |seed| {
        let output =
            everyday("replay::takes_a_seed").run(&[("RETROSPECT_SEED", seed), ("RETROSPECT_SAVE", "false")]).failed();
        output.of_test().to_owned()
    };
    let first = run("0xabc");
    assert!(first.contains("found by case ") && first.contains(", seed 0xabc"), "{first}");
    assert_eq!(run("0xabc"), first);
    assert_ne!(run("5"), first);
}

#[test]
fn the_command_of_a_report_runs_exactly_that_case() {
    let property = everyday("replay::is_replayed");
    let report = property.run(&[]).failed();
    let (_, command) = report.stdout.split_once("replay:  RETROSPECT_VALUE='").expect("a command");
    let (value, _) = command.split_once('\'').expect("its end");
    property.project.remove(&property.file());
    let again = property.run(&[("RETROSPECT_VALUE", value)]).failed();
    let case = |output: &Output| {
        output.of_test().lines().skip(2).take_while(|line| !line.contains("saved:")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(case(&again), case(&report));
}

#[test]
fn a_value_may_stand_in_a_file_of_any_size() {
    let property = everyday("replay::value_is_in_a_file");
    let numbers: Vec<String> = (0..60_000).map(|number| (number % 7).to_string()).collect();
    let text = format!("xs = [{}]\n", numbers.join(", "));
    assert!(text.len() > 128 * 1024);
    property.project.write("value.txt", text);
    let output = property.run(&[("RETROSPECT_VALUE_FILE", "value.txt"), ("RETROSPECT_SHRINK_RUNS", "3")]).failed();
    assert!(output.stdout.contains("on the value of RETROSPECT_VALUE_FILE\n"), "{output}");
    assert!(output.stdout.contains("  smallest case so far (stopped after 3 runs; "), "{output}");
    assert!(property.saved().contains(" unfinished\n"));
}

#[test]
fn a_file_that_is_no_value_is_named() {
    let property = everyday("replay::value_is_in_no_file");
    let with = |content: Option<&[u8]>| {
        property.project.remove("no_value.txt");
        if let Some(content) = content {
            property.project.write("no_value.txt", content);
        }
        let output = property.run(&[("RETROSPECT_VALUE_FILE", "no_value.txt")]).failed();
        output.of_test().lines().skip(1).map(str::trim_start).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(with(None), "RETROSPECT_VALUE_FILE=no_value.txt cannot be read: there is no such file");
    assert_eq!(
        with(Some(b"xs = [1,\n2, \xe4]")),
        "RETROSPECT_VALUE_FILE=no_value.txt is not UTF-8: byte 12 (line 2, byte 4 of it) is 0xe4, where no character begins"
    );
    assert!(with(Some(b"")).starts_with("RETROSPECT_VALUE_FILE=no_value.txt cannot be read:\nthere is no value"));
    assert!(with(Some(b"xs = [1, _]")).contains("the text has holes"));
    let both = [("RETROSPECT_VALUE_FILE", "no_value.txt"), ("RETROSPECT_REPLAY", "a0a0")];
    let output = property.run(&both).failed();
    assert!(output.stdout.contains("RETROSPECT_REPLAY and RETROSPECT_VALUE_FILE both say what to run"), "{output}");
}

#[test]
fn a_document_may_be_the_only_argument() {
    let property = everyday("replay::value_is_a_document");
    property.project.write("document.txt", "a \"quoted\" line\nand another\n");
    let output = property.run(&[("RETROSPECT_TEXT_FILE", "document.txt")]).failed();
    assert!(output.stdout.contains(r#"let text = "\n\n";"#), "{output}");
}

/// The choices of a text may be several nodes.
#[test]
fn texts_of_a_grammar_are_given() {
    let value = |value| with_value("replay::takes_a_text", value);
    let output = value(r#"text = "[[]]""#).failed();
    assert!(output.stdout.contains("on the value of RETROSPECT_VALUE") && output.stdout.contains("[["), "{output}");
    value(r#"text = "[1]""#).passed();
    let property = everyday("replay::takes_a_text");
    property.project.write("nested.json", "[[]]\n");
    let output = property.run(&[("RETROSPECT_TEXT_FILE", "nested.json")]).failed();
    assert!(output.stdout.contains("on the value of RETROSPECT_TEXT_FILE"), "{output}");
}

#[test]
fn choices_that_are_cut_short_go_on_with_the_simplest() {
    let run = |choices| everyday("replay::draws_inside_and_is_cut_short").run(&[("RETROSPECT_REPLAY", choices)]);
    assert!(run("2 3").failed().stdout.contains("the choices end where a number of at most 99 was asked for"));
    run("2 3 ...").passed();
    let output = run("2 70 ...").failed();
    assert!(output.stdout.contains("let length = 2;") && output.stdout.contains("let item   = 70;"), "{output}");
}
