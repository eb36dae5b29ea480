//! Shrinking and replaying from the command line: the real program on a throw-away crate, its
//! output, its exit code and the files it leaves.

#[allow(dead_code)]
#[path = "../../retrospect/tests/under_cargo/project.rs"]
mod project;

use insta::assert_snapshot;
use project::{Output, PROFILE, Project, is_always_said, retrospect_in, without_what_varies};
use std::io::Write as _;
use std::process::Stdio;
use std::sync::LazyLock;

static PROJECT: LazyLock<Project> = LazyLock::new(|| {
    let project = Project::new("by-hand")
        .file("src/lib.rs", include_str!("fixtures/lib.rs"))
        .file("tests/more.rs", include_str!("fixtures/more.rs"));
    project.remove("regressions");
    project.remove("tests/found");
    let built = project.test(&["--tests", "--no-run"], &[]);
    assert_eq!(built.code, 0, "{built}");
    project
});

fn tool_in(project: &Project, arguments: &[&str], input: &[u8]) -> Output {
    run_in(project, &[arguments, &["--offline"]].concat(), &[("COLUMNS", "110")], input)
}

fn run_in(project: &Project, arguments: &[&str], environment: &[(&str, &str)], input: &[u8]) -> Output {
    let mut command = project.prepared(env!("CARGO_BIN_EXE_cargo-retrospect"), environment);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    // Who needs nothing of it may be gone already.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input));
    project.output_of(child.wait_with_output().expect("it ends"))
}

fn tool(arguments: &[&str]) -> Output {
    tool_in(&PROJECT, arguments, b"")
}

#[track_caller]
fn refused(arguments: &[&str]) -> String {
    let output = tool(arguments);
    assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{output}");
    output.stderr.trim().to_owned()
}

fn saved(name: &str) -> String {
    PROJECT.read(&format!("regressions/by_hand.{name}.txt"))
}

fn save(name: &str, content: &str) {
    PROJECT.write(&format!("regressions/by_hand.{name}.txt"), content);
}

const VALUE: &str = "xs = [400, 900, 3]; key = 3";

#[test]
fn a_value_is_shrunk_and_saved() {
    assert_snapshot!(tool(&["shrink", "shrinks_a_value", "--value", VALUE]));
    assert_snapshot!("what_is_saved", saved("shrinks_a_value"));
}

#[test]
fn a_value_larger_than_the_environment_is_read_from_a_file() {
    let numbers = (0..60_000).map(|number| number % 7).chain([5_000]);
    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    let text = format!("let xs = [{}];\nlet key = 3;\n", numbers.join(", "));
    assert!(text.len() > 128 * 1024);
    PROJECT.write("large.txt", &text);
    let output = tool(&["shrink", "shrinks_a_file", "--value-file", "large.txt"]);
    assert_eq!(output.code, 0, "{output}");
    assert!(output.stdout.contains("let xs  = [1001];"), "{output}");
    assert!(output.stdout.contains("3 of 60003 choices left"), "{output}");
}

#[test]
fn a_value_comes_from_the_standard_input_and_cargo_may_name_the_subcommand() {
    let output = tool_in(
        &PROJECT,
        &["retrospect", "shrink", "shrinks_the_input", "--value-file", "-"],
        b"\xef\xbb\xbfxs = [9999]; key = 1",
    );
    assert!(output.code == 0 && output.stdout.contains("let xs  = [1001];"), "{output}");
}

#[test]
fn a_document_is_the_only_argument() {
    PROJECT.write("document.json", "{\"a\": {\"b\": {\"c\": [1, 2, 3]}}}\n");
    let output = tool(&["shrink", "document_is_flat", "--text-file", "document.json"]);
    assert!(output.code == 0 && output.stdout.contains("let text = \"{{{\";"), "{output}");
    PROJECT.write("bytes", b"\x00abc\xff\xfe and more\n");
    let output = tool(&["shrink", "bytes_are_plain", "--text-file", "bytes"]);
    assert!(output.code == 0 && output.stdout.contains("let bytes = [128, 128];"), "{output}");
}

#[test]
fn a_document_that_is_no_argument_says_why() {
    PROJECT.write("latin", b"caf\xe9");
    assert_snapshot!(refused(&["shrink", "document_is_flat", "--text-file", "latin"]));
    let two = refused(&["shrink", "takes_two_texts", "--text-file", "tests/more.rs"]);
    assert_snapshot!("a_document_for_two_arguments", two);
}

#[test]
fn a_case_that_was_stopped_goes_on() {
    let stopped = tool(&["shrink", "goes_on", "--value", VALUE, "--runs", "5"]);
    assert_snapshot!("a_case_that_was_stopped", stopped);
    let id = stopped.stdout.split_once("cargo retrospect shrink by_hand::goes_on --case ").expect("the command").1;
    let id = id.split_whitespace().next().expect("an id").to_owned();
    assert!(saved("goes_on").contains(&format!("case {id} unfinished")), "{}", saved("goes_on"));
    let output = tool(&["shrink", &id]);
    assert!(output.code == 0 && output.stdout.contains(" choices left, "), "{output}");
    let file = saved("goes_on");
    assert!(!file.contains("unfinished") && file.matches("\ncase ").count() == 1, "{file}");
    let output = tool(&["shrink", "goes_on", "--time", "0s"]);
    assert!(output.code == 0 && output.stdout.contains("smallest case so far (stopped: "), "{output}");
    // What took all its time and found nothing is given more.
    assert!(output.stdout.contains(" --time 1s "), "{output}");
    let with_features = tool(&["shrink", "goes_on", "--value", VALUE, "--runs", "5", "--all-features"]).stdout;
    for command in ["cargo retrospect shrink --all-features by_hand::goes_on ", "cargo test --all-features "] {
        assert!(with_features.contains(command), "{with_features}");
    }
}

/// The commands that a report prints, without their titles.
fn printed_commands(report: &str) -> Vec<&str> {
    let titles = ["  go on shrinking:  ", "  replay:  "];
    let lines = report.lines().filter_map(|line| titles.iter().find_map(|title| line.strip_prefix(title)));
    lines.flat_map(|line| line.split("    or  ")).collect()
}

#[test]
fn every_printed_command_runs_as_it_is_printed() {
    // Another value than elsewhere, which makes another id.
    let value = "xs = [500, 900, 3]; key = 4";
    let mut reports = vec![tool(&["shrink", "prints_commands", "--value", value, "--runs", "5"]).stdout];
    let saved = saved("prints_commands");
    let id = saved.lines().find_map(|line| line.strip_prefix("case ")?.split(' ').next()).expect("a saved case");
    // Another property has a case with the same id.
    save("has_the_same_case", &saved.replace("by_hand::prints_commands", "by_hand::has_the_same_case"));
    let restore = || save("prints_commands", &saved);
    for arguments in [
        &["shrink", "prints_commands", "--case", id, "--runs", "1"][..],
        &["shrink", "prints_commands", "--runs", "1"],
        &["replay", "prints_commands"],
    ] {
        restore();
        reports.push(tool(arguments).stdout);
    }
    let report = reports.join("\n");
    let commands = printed_commands(&report);
    assert_eq!(commands.len(), 3 + 3 + 3 + 1, "{report}");
    for command in commands {
        restore();
        let output = match command.strip_prefix("cargo ") {
            Some(arguments) if arguments.starts_with("retrospect ") => {
                tool(&arguments.split_whitespace().collect::<Vec<_>>())
            }
            _ => PROJECT.paste("sh", command, ""),
        };
        assert!(output.stdout.contains("the sum is 1"), "{command}\n{output}");
    }
}

#[test]
fn the_steps_are_logged() {
    assert_snapshot!(tool(&["shrink", "logs_its_steps", "--value", VALUE, "-v"]));
    assert_snapshot!(
        "the_steps_of_a_case_that_was_stopped",
        tool(&["shrink", "logs_its_steps", "--value", VALUE, "--log", "--runs", "11", "--no-save"])
    );
}

#[test]
fn a_program_is_told_in_json() {
    let json = |output: Output| {
        // Which nanosecond it was is nobody's business.
        let Some((before, rest)) = output.stdout.split_once("\"seconds\":") else {
            return format!("exit code {}\n{}", output.code, output.stdout);
        };
        let rest = rest.trim_start_matches(|char: char| char.is_ascii_digit() || ".e-".contains(char));
        format!("exit code {}\n{before}\"seconds\":<time>{rest}", output.code)
    };
    assert_snapshot!(json(tool(&["shrink", "tells_a_program", "--value", VALUE, "--json"])));
    let passes = tool(&["shrink", "tells_a_program_that_it_passes", "--value", "xs = []; key = 0", "--json"]);
    assert_snapshot!("json_of_a_value_that_passes", json(passes));
    assert_snapshot!("json_of_what_cannot_be_run", json(tool(&["shrink", "refuses", "--value", "xs = 1", "--json"])));
}

#[test]
fn a_value_that_passes_is_said_to() {
    assert_snapshot!(tool(&["shrink", "refuses", "--value", "xs = [1]; key = 2"]));
    assert_eq!(saved("refuses").lines().count(), 1, "nothing is saved: {}", saved("refuses"));
}

#[test]
fn what_the_property_limits_is_not_limited_by_hand() {
    let output = tool(&["shrink", "has_limits_of_its_own", "--value", "[400, 900, 3]"]);
    assert!(output.code == 0 && output.stdout.contains(" choices left, "), "{output}");
}

#[test]
fn nothing_is_saved_if_that_is_not_wanted() {
    let output = tool(&["shrink", "is_not_saved", "--value", VALUE, "--no-save"]);
    assert!(output.code == 0 && !output.stdout.contains("saved:"), "{output}");
    assert!(saved("is_not_saved").contains("No such file"), "{}", saved("is_not_saved"));
}

#[test]
fn a_result_that_cannot_be_saved_is_no_success() {
    PROJECT.write("regressions/by_hand.cannot_be_saved.txt/in_the_way", "");
    let output = tool(&["shrink", "cannot_be_saved", "--value", VALUE]);
    assert!(
        output.code == 2 && output.stdout.contains("not saved: regressions/by_hand.cannot_be_saved.txt"),
        "{output}"
    );
}

#[test]
fn a_failure_that_does_not_come_again_is_no_success() {
    let output = tool(&["shrink", "fails_once", "--value", "70"]);
    assert!(output.code == 2 && output.stdout.contains("not deterministic"), "{output}");
}

#[test]
fn a_process_that_ends_is_a_failure_that_shrinks() {
    let output = tool(&["shrink", "aborts", "--value", "900"]);
    assert!(output.code == 0 && output.stdout.contains("let x = 101;"), "{output}");
}

#[test]
fn a_harness_that_ends_is_shown_with_what_it_said() {
    let output = tool(&["shrink", "aborts_the_harness", "--value", "900"]);
    assert!(output.code == 2 && output.stderr.contains("ended without a word from its property"), "{output}");
    assert!(output.stderr.contains("SIGABRT"), "{output}");
}

#[test]
fn bad_values_are_refused() {
    let with = |value: &str| refused(&["shrink", "refuses", "--value", value]);
    let all = [
        "xs = [1, 20000]; key = 3",
        "xs = [1, _]; key = 3",
        "xs = [1, 2; key = 3",
        "xs = [1]; kee = 3",
        "xs = [1]",
        "[1]; 3",
        "xs = Some(1); key = 3",
    ];
    assert_snapshot!(all.map(|value| format!("--value '{value}'\n{}\n", with(value))).join("\n"));
}

#[test]
fn bad_files_are_refused_before_anything_is_built() {
    let nowhere = Project::new("nowhere").without("Cargo.toml");
    let refused = |content: Option<&[u8]>| {
        nowhere.remove("crash.txt");
        if let Some(content) = content {
            nowhere.write("crash.txt", content);
        }
        let output = tool_in(&nowhere, &["shrink", "p", "--value-file", "crash.txt"], b"");
        assert_eq!(output.code, 2, "{output}");
        output.stderr.trim().to_owned()
    };
    assert_eq!(refused(None), "error: crash.txt cannot be read: there is no such file");
    assert_eq!(
        refused(Some(b" \n")),
        "error: crash.txt is empty: it should have a value for each argument, as `{:?}` prints it"
    );
    assert_eq!(
        refused(Some(b"xs = [1]\nkey = \xff")),
        "error: crash.txt is not UTF-8: byte 15 (line 2, byte 7 of it) is 0xff, where no character begins; \
         --text-file takes a file that is bytes"
    );
    let output = tool_in(&nowhere, &["shrink", "p", "--value-file", "."], b"");
    assert_eq!(output.stderr.trim(), "error: . cannot be read: it is a directory");
    let output = tool_in(&nowhere, &["shrink", "p", "--value", "1", "--manifest-path", "Cargo.toml"], b"");
    assert!(output.code == 2 && output.stderr.contains("manifest path `Cargo.toml` does not exist"), "{output}");
}

#[test]
fn a_file_of_a_hundred_megabytes_is_refused_with_its_size() {
    let mut text = "key = 1; xs = [".to_owned();
    text += &"12345678, ".repeat(10_000_000);
    PROJECT.write("huge.txt", text + "1]");
    let stderr = refused(&["shrink", "refuses", "--value-file", "huge.txt"]);
    PROJECT.remove("huge.txt");
    assert!(stderr.len() < 2_000, "{}", &stderr[..2_000]);
    assert_snapshot!(stderr);
}

#[test]
fn a_property_is_named_by_a_part_that_no_other_has() {
    let output = tool(&["shrink", "named_in_p", "--value", VALUE]);
    assert!(output.code == 0 && output.stdout.starts_with("FAIL  is_named_in_part "), "{output}");
}

#[test]
fn a_property_that_is_not_there_is_guessed() {
    assert_snapshot!(refused(&["shrink", "shrink_a_vaule", "--value", "1"]));
    assert_snapshot!("nothing_like_it", refused(&["shrink", "zzz", "--value", "1"]));
    assert_snapshot!("no_case_like_it", refused(&["shrink", "beef1"]));
    assert_snapshot!("several_match", refused(&["shrink", "shrinks_", "--value", "1"]));
    assert_snapshot!("no_test_in_the_target", refused(&["shrink", "refuses", "--value", "1", "--test", "more"]));
    assert_snapshot!("no_property", refused(&["shrink", "is_no_property", "--value", "1"]));
    assert_snapshot!("nothing_to_shrink", refused(&["shrink", "refuses"]));
}

#[test]
fn a_name_in_two_targets_is_told_apart() {
    let named = ["is_in_two_targets", "--value", "900", "--no-save"];
    assert_snapshot!(refused(&[&["shrink"], &named[..]].concat()));
    let output = tool(&[&["shrink"], &named[..], &["--test", "more"]].concat());
    assert!(output.stdout.contains("let x = 70;"), "{output}");
    let output = tool(&["shrink", "by_hand::is_in_two_targets", "--value", "900", "--no-save"]);
    assert!(output.stdout.contains("let x = 50;"), "{output}");
}

#[test]
fn a_check_without_a_macro_is_a_property() {
    let output = tool(&["shrink", "checks_a_value", "--value", "900", "--no-save"]);
    assert!(output.code == 0 && output.stdout.contains("let value = 50;"), "{output}");
}

#[test]
fn the_second_check_of_a_test_is_named_by_its_number() {
    let output = tool(&["shrink", "checks_two_values-2", "--value", "900"]);
    assert!(output.code == 0 && output.stdout.contains("let value = 777;"), "{output}");
    let id =
        saved("checks_two_values-2").lines().find_map(|line| Some(line.strip_prefix("case ")?.to_owned())).unwrap();
    for arguments in [
        &[id.as_str()][..],
        &["checks_two_values"],
        &["by_hand::checks_two_values-2"],
        &["checks_two_values", "--case", &id],
        &["by_hand::checks_two_values-2", "--case", &id],
    ] {
        let output = tool(&[&["replay"][..], arguments].concat());
        assert!(output.code == 1 && output.stdout.contains("let value = 777;"), "{arguments:?}: {output}");
    }
}

#[test]
fn a_saved_case_is_replayed() {
    save(
        "replays",
        "case aaaa1\n  xs = [7000]\n  key = 0\n  choices: [7000] 0\n\ncase aaaa2\n  xs = []\n  key = 0\n  choices: [] 0\n",
    );
    assert_snapshot!(tool(&["replay", "aaaa1"]));
    assert_snapshot!("a_saved_case_that_passes", tool(&["replay", "replays", "--case", "aaaa2"]));
    let json = tool(&["replay", "aaaa2", "--json"]);
    assert_eq!(json.stdout, "{\"property\":\"by_hand::replays\",\"test\":\"replays\",\"verdict\":\"passes\"}");
}

#[test]
fn all_saved_cases_of_a_property_are_replayed() {
    save(
        "replays_all",
        "case bbbb1\n  xs = [7000]\n  key = 0\n  choices: [7000] 0\n\ncase bbbb2\n  xs = []\n  key = 0\n  choices: [] 0\n\n\
         case bbbb3\n  xs = [70000]\n  key = 0\n  choices: [70000] 0\n",
    );
    let output = tool(&["replay", "by_hand::replays_all"]);
    assert_eq!(output.code, 2, "{output}");
    assert!(
        output.stdout.contains("saved case bbbb1 fails") && output.stdout.contains("case bbbb2 passes"),
        "{output}"
    );
    assert_eq!(
        output.stderr.trim(),
        "error: case bbbb3: the saved case cannot be made any more: `xs = [70000]` cannot be read: \
         this generator cannot make the part `[0]`, which is 70000: 70000 is not in 0..=10000\n\
         it is kept in regressions/by_hand.replays_all.txt: edit it there, or delete it"
    );
}

#[test]
fn a_case_is_found_where_a_setting_has_it_saved() {
    PROJECT.write("tests/found/by_hand.is_saved_elsewhere.txt", "case cccc1\n  x = 80\n  choices: 80\n");
    let output = tool(&["shrink", "cccc1"]);
    assert!(output.code == 0 && output.stdout.contains("let x = 50;"), "{output}");
    assert!(PROJECT.read("tests/found/by_hand.is_saved_elsewhere.txt").contains("  x = 50\n"));
}

#[test]
fn a_case_of_two_properties_is_told_apart() {
    for name in ["has_a_twin", "is_the_other_twin"] {
        save(name, "case dddd1\n  xs = [7000]\n  key = 0\n  choices: [7000] 0\n");
    }
    assert_snapshot!(refused(&["replay", "dddd1"]));
    let output = tool(&["replay", "by_hand::has_a_twin", "--case", "dddd1"]);
    assert!(output.code == 1 && output.stdout.contains("let xs  = [7000];"), "{output}");
}

#[test]
fn a_crate_that_does_not_compile_is_shown_by_cargo() {
    let broken = Project::new("broken_by_hand").file("src/lib.rs", "#[test]\nfn it() { let x: u8 = \"\"; }\n");
    let output = tool_in(&broken, &["shrink", "it", "--value", "1"], b"");
    assert_eq!(output.code, 2, "{output}");
    assert!(output.stderr.contains("error[E0308]: mismatched types"), "{output}");
    assert!(output.stderr.trim().ends_with("error: the tests cannot be built: what cargo says is above"), "{output}");
}

#[test]
fn the_help_is_pinned() {
    for (name, arguments) in [
        ("help", &["--help"][..]),
        ("help_of_shrink", &["shrink", "--help"]),
        ("short_help_of_shrink", &["shrink", "-h"]),
        ("help_of_replay", &["replay", "--help"]),
    ] {
        let output = run_in(&PROJECT, arguments, &[], b"");
        assert_eq!(output.code, 0, "{output}");
        assert_snapshot!(name, output.stdout);
    }
    let output = tool(&["shrink", "p", "--time", "5"]);
    assert!(output.stderr.contains("a duration is a number with a unit: 500ms, 30s, 5m or 1h"), "{output}");
}

#[test]
fn the_readme_shows_what_is_printed() {
    const README: &str = include_str!("../../../README.md");
    let block = |title: &str| {
        let (_, section) = README.split_once(title).expect("the section is there");
        let inside = section.split("```").nth(1).expect("a block");
        inside.split_once('\n').expect("a block has lines").1.to_owned()
    };
    // Another version than the `ledger` of the library's tests, or cargo takes the two for one:
    // they are built in one place.
    let manifest = format!(
        "[package]\nname = \"ledger\"\nversion = \"0.2.0\"\nedition = \"2024\"\n[workspace]\n{}{PROFILE}",
        retrospect_in("dependencies")
    );
    let ledger = Project::new("ledger-by-hand")
        .file("Cargo.toml", &manifest)
        .file("src/lib.rs", &block("## A property is a test"));
    ledger.remove("regressions");
    let value =
        "from = Account { cents: 91500, overdraft: true }; to = Account { cents: 17, overdraft: true }; amount = 4711";
    ledger.write("crash.txt", value);
    let shown = block("## Any value can be shrunk");
    let (command, shown) = shown.split_once('\n').expect("a command and what it prints");
    let arguments: Vec<&str> = command.strip_prefix("$ cargo ").expect("a command").split(' ').collect();
    let printed = tool_in(&ledger, &arguments, b"");
    let printed = printed.stdout.as_str();
    let is_shown = |line: &&str| *line != "…" && is_always_said(line);
    for line in shown.lines().filter(is_shown).map(without_what_varies) {
        assert!(printed.lines().any(|printed| printed == line), "{line}\n\nis not among\n\n{printed}");
    }
}

#[test]
fn a_raw_name_is_found_with_and_without_its_prefix() {
    let output = tool(&["shrink", "type", "--value", "x = 200"]);
    assert!(output.code == 0 && saved("type").contains("\n  x = 5\n"), "{output}");
    let id = output.stdout.split_once("txt, case ").expect("an id").1.split_whitespace().next().expect("an id");
    for wanted in ["by_hand::r#type", "by_hand::type", id] {
        let output = tool(&["replay", wanted]);
        assert!(output.code == 1 && output.stdout.contains("let x = 5;"), "{output}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_without_an_end_is_refused() {
    let refusal = refused(&["shrink", "shrinks_a_file", "--value-file", "/dev/full"]);
    assert_eq!(refusal, "error: /dev/full cannot be read: it is neither a file nor a pipe");
}
