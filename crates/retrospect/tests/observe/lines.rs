//! What stands in the lines and events.

use crate::{observed, of_kind, text};
use serde_json::{Value, json};

#[test]
fn every_case_has_a_line_with_all_fields() {
    let (output, lines, events) = observed("passes", &[]);
    assert!(output.status.success(), "{output:?}");
    let fields = [
        "arguments",
        "coverage",
        "features",
        "how_generated",
        "metadata",
        "property",
        "representation",
        "run_start",
        "status",
        "status_reason",
        "timing",
        "type",
    ];
    for line in &lines {
        let mut names: Vec<&String> = line.as_object().unwrap().keys().collect();
        names.sort();
        assert_eq!(names, fields, "{line}");
        assert_eq!(
            (text(line, "type"), text(line, "status"), text(line, "status_reason")),
            ("test_case", "passed", "")
        );
        assert_eq!(text(line, "property"), "observe::passes");
        assert_eq!(line["run_start"], lines[0]["run_start"]);
        assert_eq!(line["coverage"], Value::Null);
        let arguments = &line["arguments"];
        let (list, number) = (text(arguments, "list"), text(arguments, "number"));
        let all = format!(
            "list = {list}; number = {number}; shape = {}; name = {}",
            text(arguments, "shape"),
            text(arguments, "name")
        );
        assert_eq!(text(line, "representation"), all);
        let items: Vec<u8> = serde_json::from_str(list).unwrap();
        let features = &line["features"];
        assert_eq!(features["half"], json!(items.len() / 2));
        assert_eq!(features["kind"], if number.starts_with('-') { "negative" } else { "other" });
        assert_eq!(features["empty"], items.is_empty().to_string());
        assert_eq!(features["auto:list.len"], items.len());
        assert_eq!(features["auto:number"].to_string(), *number);
        assert_eq!(features["auto:choices"], line["metadata"]["choices"]);
        assert_eq!(features["auto:shape"], text(arguments, "shape").split(' ').next().unwrap());
        assert_eq!(features["target:long"], features["auto:name.len"]);
        assert!(features["a circle"] == "true" || features["a circle"] == "false");
        for part in ["generate:list", "generate:number", "generate:shape", "generate:name", "execute:test"] {
            assert!(line["timing"][part].as_f64().is_some_and(|seconds| seconds >= 0.0), "{line}");
        }
        assert_eq!(line["timing"].as_object().unwrap().len(), 5);
    }
    let how = |word: &str| lines.iter().filter(|line| line["how_generated"] == word).count();
    assert!(how("random") >= 100 && how("boundary") > 5 && how("exhaustive") >= 1 && how("climbing") > 0);
    assert_eq!(how("random") + how("boundary") + how("exhaustive") + how("climbing"), lines.len());
    // The sizes grow, and every case has its number.
    let random: Vec<&Value> = lines.iter().filter(|line| line["how_generated"] == "random").collect();
    assert!(random[0]["metadata"]["size"].as_u64() < random[90]["metadata"]["size"].as_u64());
    for (at, line) in lines.iter().enumerate() {
        assert_eq!(line["metadata"]["case"], at + 1);
    }
    // First and last.
    assert_eq!(text(&events[0], "event"), "run_started");
    assert_eq!(text(&events[0], "test"), "passes");
    assert_eq!(
        (&events[0]["seed"], &events[0]["cases"], &events[0]["steered"]),
        (&json!(7), &json!(200), &json!(false))
    );
    let last = &events[events.len() - 1];
    assert_eq!((text(last, "event"), text(last, "verdict"), text(last, "report")), ("run_ended", "passed", ""));
    assert_eq!(last["passed"], lines.len());
    assert_eq!(text(last, "stopped_because"), "200 cases were run");
    let cover = of_kind(&events, "cover")[0];
    assert_eq!((text(cover, "label"), &cover["required"], text(cover, "verdict")), ("a circle", &json!(0.01), "met"));
    assert!(text(cover, "place").contains("observe.rs:"));
}

#[test]
fn discarded_cases_say_where() {
    let (output, lines, events) = observed("discards", &[]);
    assert!(output.status.success(), "{output:?}");
    let gave_up: Vec<&Value> = lines.iter().filter(|line| line["status"] == "gave_up").collect();
    assert!(gave_up.len() > 100 && gave_up.len() < lines.len());
    let mut by_first = 0;
    for line in &gave_up {
        let (reason, place) = (text(line, "status_reason"), text(&line["metadata"], "place"));
        assert!(place.contains("observe.rs:"), "{place}");
        let one = text(&line["arguments"], "one");
        if reason.starts_with("assume!(one < other) at ") {
            assert_eq!(reason, format!("assume!(one < other) at {place}: {one} is not below"));
            by_first += 1;
        } else {
            assert_eq!(reason, format!("assume!(one % 2 == 0) at {place}"));
        }
    }
    let discards = of_kind(&events, "discards");
    let first = discards.iter().find(|event| event["text"] == "assume!(one < other)").unwrap();
    assert_eq!(first["count"], by_first);
    assert!(of_kind(&events, "health").iter().any(|event| text(event, "text").contains("discarded")), "{events:?}");
    assert_eq!(events[events.len() - 1]["discarded"], gave_up.len());
}

#[test]
fn a_failure_is_told_from_its_case_to_the_smallest() {
    // Time enough for everything simpler, also on a busy machine.
    let (output, lines, events) = observed("fails", &[("RETROSPECT_SHRINK_TIME", "5m")]);
    assert!(!output.status.success());
    let failed: Vec<&Value> = lines.iter().filter(|line| line["status"] == "failed").collect();
    // As it was found, and as it is reported.
    assert_eq!(failed.len(), 2, "{failed:?}");
    let (first, last) = (failed[0], failed[1]);
    assert_eq!((text(last, "representation"), text(last, "how_generated")), ("[500]", "minimal"));
    assert_eq!(lines[lines.len() - 1], *last);
    for line in [first, last] {
        let place = text(&line["metadata"], "place");
        assert_eq!(text(line, "status_reason"), format!("{place}, a large item"));
        assert_eq!(text(&line["metadata"], "message"), "a large item");
    }
    assert_eq!(last["metadata"]["notes"], json!(["1 items"]));
    assert_eq!(text(of_kind(&events, "example")[0], "status"), "passed");
    let found = of_kind(&events, "failure_found")[0];
    assert_eq!(found["representation"], first["representation"]);
    assert_eq!(found["case"], first["metadata"]["case"]);
    let steps = of_kind(&events, "shrink_step");
    assert_eq!(steps[steps.len() - 1]["representation"], "[500]");
    let numbers: Vec<u64> = steps.iter().map(|step| step["step"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=steps.len() as u64).collect::<Vec<_>>());
    let ended = of_kind(&events, "shrink_ended")[0];
    assert_eq!((text(ended, "end"), text(ended, "representation")), ("minimal", "[500]"));
    assert_eq!((&ended["steps"], &ended["notes"]), (&json!(steps.len()), &json!(["1 items"])));
    let last = &events[events.len() - 1];
    assert_eq!(text(last, "verdict"), "failed");
    assert!(text(last, "report").contains("let list = [500];"));
}

#[test]
fn examples_that_are_not_reached_are_named() {
    let (_, lines, events) = observed("fails_at_its_example", &[]);
    let examples = of_kind(&events, "example");
    let told: Vec<(&Value, &str)> = examples.iter().map(|event| (&event["number"], text(event, "status"))).collect();
    assert_eq!(told, [(&json!(1), "failed"), (&json!(2), "not run")]);
    assert_eq!(text(&lines[0], "how_generated"), "example");
    assert_eq!(text(&lines[lines.len() - 1], "representation"), "100");
}

#[test]
fn a_small_domain_is_written_down_whole() {
    let (_, lines, events) = observed("small_domain", &[]);
    assert_eq!(lines.len(), 6);
    assert!(lines.iter().all(|line| line["how_generated"] == "exhaustive"));
    assert_eq!(text(&events[events.len() - 1], "stopped_because"), "all 6 cases there are were run");
}

#[test]
fn what_is_drawn_in_a_body_is_among_the_arguments() {
    let (output, lines, _) = observed("draws_in_its_body", &[]);
    assert!(output.status.success());
    let line = lines.iter().find(|line| line["arguments"]["count"] == "3").unwrap();
    let names: Vec<&String> = line["arguments"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["count", "item", "item_2", "item_3"]);
    assert!(text(line, "representation").starts_with("count = 3; item = "));
    let timing: Vec<&String> = line["timing"].as_object().unwrap().keys().collect();
    assert_eq!(timing, ["execute:test", "generate:draws"]);
    // A feature for each of them would be thousands.
    let features: Vec<&String> = line["features"].as_object().unwrap().keys().collect();
    assert_eq!(features, ["auto:choices"]);
}

#[test]
fn cases_of_a_process_that_aborts_are_written_down() {
    let (output, lines, events) = observed("aborts", &[]);
    assert!(!output.status.success());
    let passed = lines.iter().filter(|line| line["status"] == "passed").count();
    assert!(passed > 0 && lines.iter().all(|line| line["features"]["small"].is_string() || line["status"] == "failed"));
    let last = &lines[lines.len() - 1];
    assert_eq!((text(last, "status"), text(last, "representation")), ("failed", "1001"));
    assert!(text(last, "status_reason").contains("SIGABRT"), "{last}");
    assert!(lines[1]["timing"]["execute:test"].as_f64().is_some());
    assert_eq!(text(&events[events.len() - 1], "verdict"), "failed");
}

#[test]
fn strange_texts_and_numbers_are_json() {
    // That they are read at all is half of the test.
    let (output, lines, _) = observed("strange_texts", &[]);
    assert!(output.status.success(), "{output:?}");
    let mut kinds = [0; 3];
    for line in &lines {
        match &line["features"]["float"] {
            Value::Number(_) => kinds[0] += 1,
            Value::String(text) if ["NaN", "inf", "-inf"].contains(&text.as_str()) => kinds[1] += 1,
            other => panic!("{other}"),
        }
        assert!(text(&line["features"], "text").starts_with("</script>\u{0}\u{202e}"));
        kinds[2] += usize::from(line["metadata"].get("notes").is_some());
    }
    assert!(kinds[0] > 10 && kinds[1] > 0, "{kinds:?}");
    // A note is for the case that is reported.
    assert_eq!(kinds[2], 0);
}

#[test]
fn a_huge_value_is_cut_off() {
    let (_, lines, _) = observed("huge", &[]);
    let random = lines.iter().find(|line| line["how_generated"] == "random").unwrap();
    let shown = text(random, "representation");
    assert_eq!(shown.chars().count(), 65_537);
    assert!(shown.starts_with("[255, 255, ") && shown.ends_with('…'));
    assert_eq!((&random["metadata"]["cut"], &random["features"]["auto:bytes.len"]), (&json!(true), &json!(40_000)));
}
