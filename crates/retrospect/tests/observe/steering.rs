//! More cases like some, fewer like others.

use crate::{Folder, observed, of_kind, run, text};
use serde_json::{Value, json};

fn steered(property: &str, more: &[&str], fewer: &[&str]) -> (Vec<Value>, Vec<Value>) {
    let folder = Folder::new("steer");
    let file = folder.path("wish.toml");
    let list = |texts: &[&str]| texts.iter().map(|text| format!("{text:?},")).collect::<String>();
    let wish = format!("property = \"observe::{property}\"\nmore = [{}]\nfewer = [{}]\n", list(more), list(fewer));
    std::fs::write(&file, wish).unwrap();
    let (output, lines, events) = observed(property, &[("RETROSPECT_STEER", file.to_str().unwrap())]);
    assert!(output.status.success(), "{output:?}");
    (lines, events)
}

/// The share of the random cases of which this holds.
fn share(lines: &[Value], holds: impl Fn(&Value) -> bool) -> f64 {
    let random: Vec<&Value> = lines.iter().filter(|line| line["how_generated"] == "random").collect();
    random.iter().filter(|line| holds(line)).count() as f64 / random.len() as f64
}

fn length(line: &Value) -> u64 {
    line["features"]["auto:list.len"].as_u64().unwrap()
}

fn number(line: &Value) -> u64 {
    line["features"]["auto:number"].as_u64().unwrap()
}

const SHORT: [&str; 4] = [
    "list = [1, 2]; number = 40",
    "list = [3]; number = 41",
    "list = [7, 7]; number = 63",
    "list = [0, 9]; number = 50",
];

#[test]
fn there_are_more_cases_like_the_examples() {
    let (_, plain, _) = observed("steered", &[]);
    let (lines, events) = steered("steered", &SHORT, &[]);
    assert!(share(&plain, |line| length(line) <= 3) < 0.3);
    assert!(share(&lines, |line| length(line) <= 3) > 0.7);
    // Each argument has its own: the numbers are as large as those of the examples, the items as
    // small.
    assert!(share(&plain, |line| (32..64).contains(&number(line))) < 0.5);
    assert!(share(&lines, |line| (32..64).contains(&number(line))) > 0.7);
    let event = of_kind(&events, "steered")[0];
    assert_eq!((&event["more"], &event["fewer"], &event["refused"]), (&json!(4), &json!(0), &json!([])));
    assert_eq!((&event["problem"], &event["weights"]), (&Value::Null, &Value::Null));
    assert_eq!(events[0]["steered"], true);
}

#[test]
fn there_are_fewer_cases_like_the_examples() {
    let (_, plain, _) = observed("steered", &[]);
    let (lines, _) = steered("steered", &[], &SHORT);
    let in_range = |line: &Value| (32..64).contains(&number(line));
    assert!(share(&lines, in_range) < share(&plain, in_range) / 2.0);
    // Of both kinds: short lists, but not with these numbers.
    let (lines, events) = steered("steered", &SHORT[..2], &["list = [200, 100, 9, 9, 9, 9]; number = 40"]);
    assert!(share(&lines, |line| length(line) <= 3) > 0.6);
    assert!(share(&lines, in_range) < 0.45);
    assert_eq!(
        (&of_kind(&events, "steered")[0]["more"], &of_kind(&events, "steered")[0]["fewer"]),
        (&json!(2), &json!(1))
    );
}

#[test]
fn examples_that_cannot_be_read_are_named() {
    let (lines, events) = steered("steered", &["list = [1]; number = 500", "list = [1", "[1]", SHORT[0]], &[]);
    let event = of_kind(&events, "steered")[0];
    assert_eq!(event["more"], 1);
    let refused = event["refused"].as_array().unwrap();
    let examples: Vec<&str> = refused.iter().map(|one| text(one, "example")).collect();
    assert_eq!(examples, ["list = [1]; number = 500", "list = [1", "[1]"]);
    assert!(text(&refused[0], "reason").contains("500"), "{refused:?}");
    assert!(!lines.is_empty());
    let (_, events) = steered("steered", &["nonsense"], &[]);
    let event = of_kind(&events, "steered")[0];
    assert_eq!(text(event, "problem"), "none of the examples can be used, so cases are drawn as ever");
    assert_eq!(events[0]["steered"], false);
}

#[test]
fn the_weights_are_written_and_can_be_kept() {
    let folder = Folder::new("weights");
    let (wish, weights) = (folder.path("wish.toml"), folder.path("kept.toml"));
    let text_of_wish = format!(
        "property = \"observe::steered\"\nmore = [{:?}]\nweights = {:?}\n",
        SHORT[0],
        weights.to_str().unwrap()
    );
    std::fs::write(&wish, text_of_wish).unwrap();
    let (_, lines, events) = observed("steered", &[("RETROSPECT_STEER", wish.to_str().unwrap())]);
    assert_eq!(text(of_kind(&events, "steered")[0], "weights"), weights.to_str().unwrap());
    // The same cases without the examples, by the file alone.
    let (_, kept, _) = observed("steered", &[("RETROSPECT_WEIGHTS", weights.to_str().unwrap())]);
    let values =
        |lines: &[Value]| -> Vec<String> { lines.iter().map(|line| text(line, "representation").to_owned()).collect() };
    assert_eq!(values(&lines), values(&kept));
}

#[test]
fn what_a_body_draws_is_steered_too() {
    let (_, plain, _) = observed("steered_in_its_body", &[]);
    let (lines, _) = steered("steered_in_its_body", &["600", "700", "number = 800"], &[]);
    let large = |line: &Value| text(&line["arguments"], "number").parse::<u32>().unwrap() >= 512;
    assert!(share(&plain, large) < 0.6);
    assert!(share(&lines, large) > 0.7);
}

#[test]
fn an_isolated_property_is_steered_in_its_child() {
    let (lines, events) = steered("steered_elsewhere", &["600", "700", "800"], &[]);
    assert!(share(&lines, |line| number(line) >= 512) > 0.7);
    assert_eq!(of_kind(&events, "steered")[0]["more"], 3);
}

#[test]
fn other_properties_run_as_ever_and_a_wrong_file_is_named() {
    let folder = Folder::new("wrong-wish");
    let file = folder.path("wish.toml");
    let said = |wish: &str, property: &str| {
        std::fs::write(&file, wish).unwrap();
        let output = run(&[property], &[("RETROSPECT_STEER", file.to_str().unwrap())]);
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert!(said("property = \"another\"\nmore = []\n", "small_domain").0);
    for (wish, reason) in [
        ("", "it does not say which `property` is meant"),
        ("property = \"a\"\nmore = \"b\"", "`more` must be a list of texts"),
        ("property = [\"a\"]", "`property` must be one text"),
        ("property = \"a\"\nless = []", "`less` is none of property, more, fewer, weights"),
        ("property = \"a\"\nmore = [1]", "line 2: a list holds texts in quotes"),
    ] {
        let (passes, report) = said(wish, "small_domain");
        assert!(!passes && report.contains(reason) && report.contains("RETROSPECT_STEER="), "{wish}: {report}");
    }
    std::fs::remove_file(&file).unwrap();
    let output = run(&["small_domain"], &[("RETROSPECT_STEER", file.to_str().unwrap())]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("there is no such file"));
}
