//! Reading files as they are: of other tools, half written, broken, huge, gone.
#![cfg(feature = "read")]

use retrospect_stats::read::Follower;
use retrospect_stats::summary::{Filter, Order, Store, Verdict};
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

fn case(n: usize, status: &str, rest: &str) -> String {
    format!(
        "{{\"type\": \"test_case\", \"run_start\": 1.5, \"property\": \"p\", \"status\": \"{status}\", \
         \"status_reason\": \"\", \"representation\": \"value {n}\", \"arguments\": {{}}, \"how_generated\": \"random\", \
         \"features\": {{\"n\": {n}, \"parity\": \"{}\"}}, \"coverage\": null, \"timing\": {{}}, \"metadata\": {{}}{rest}}}\n",
        if n.is_multiple_of(2) { "even" } else { "odd" }
    )
}

fn read(paths: &[&Path]) -> Store {
    let mut store = Store::default();
    Follower::new(paths.iter().map(PathBuf::from)).read_into(&mut store);
    store
}

fn append(path: &Path, text: &str) {
    OpenOptions::new().append(true).create(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
}

#[test]
fn bad_lines_are_counted_and_shown_and_the_rest_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let mut bytes = case(1, "passed", "").into_bytes();
    bytes.extend_from_slice(b"this is not JSON\n");
    bytes.extend_from_slice(b"\xff\xfe\n");
    bytes.extend_from_slice(b"[1, 2]\n\n   \n");
    bytes.extend_from_slice(b"{\"type\": \"test_case\"}\n");
    bytes.extend_from_slice(b"{\"type\": \"fish\", \"property\": \"p\"}\n");
    bytes.extend_from_slice(case(2, "undecided", "").as_bytes());
    bytes.extend_from_slice(case(3, "passed", ", \"more\": [").as_bytes());
    bytes.extend_from_slice(case(4, "passed", "").as_bytes());
    fs::write(&file, bytes).unwrap();
    let store = read(&[&file]);
    assert_eq!(store.latest("p").unwrap().n_cases(), 2);
    assert_eq!((store.n_lines(), store.n_bad_lines()), (9, 7));
    let problems: Vec<&str> = store.bad_lines().iter().map(|bad| bad.problem.as_str()).collect();
    assert_eq!(
        problems,
        [
            "an object was expected (at byte 1 of the line)",
            "it is not UTF-8 (at byte 1 of the line)",
            "an object was expected (at byte 1 of the line)",
            "the field `property` is missing, or not what it should be",
            "the type `fish` is not known",
            "the status `undecided` is not known",
            "a value was expected (at byte 268 of the line)",
        ]
    );
    assert_eq!(store.bad_lines()[0].text, "this is not JSON");
}

#[test]
fn a_running_writer_is_followed_through_half_lines() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let mut follower = Follower::new([file.clone()]);
    let mut store = Store::default();
    let progress = follower.read_into(&mut store);
    assert_eq!(progress.problems, [format!("{} is not there (yet)", file.display())]);
    let all: String = (0..50).map(|n| case(n, "passed", "")).collect();
    // Written in pieces that end anywhere, even inside of characters of escapes.
    for piece in all.as_bytes().chunks(97) {
        append(&file, std::str::from_utf8(piece).unwrap());
        follower.read_into(&mut store);
        assert_eq!(store.n_bad_lines(), 0);
    }
    assert_eq!(store.latest("p").unwrap().n_cases(), 50);
    // The last line needs no line break.
    append(&file, case(50, "failed", "").trim_end());
    assert_eq!(follower.read_into(&mut store).unfinished, 0);
    assert_eq!(store.latest("p").unwrap().n_cases(), 51);
    append(&file, &format!("\n{}", case(51, "passed", "")));
    follower.read_into(&mut store);
    assert_eq!((store.latest("p").unwrap().n_cases(), store.n_lines()), (52, 52));
}

#[test]
fn a_file_that_is_cut_off_replaced_or_deleted_keeps_what_was_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let mut follower = Follower::new([folder.path().to_owned()]);
    let mut store = Store::default();
    fs::write(&file, [case(1, "passed", ""), case(2, "passed", "")].concat()).unwrap();
    follower.read_into(&mut store);
    // Cut off and written anew: the lines count, and the text of the old ones is not mistaken for
    // that of new ones.
    fs::write(&file, case(77, "passed", "").replace("1.5", "2.5")).unwrap();
    follower.read_into(&mut store);
    let runs = store.property("p").unwrap().runs();
    assert_eq!(runs.iter().map(|run| run.n_cases()).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(runs[1].text(&store, 0), Ok("value 77".to_owned()));
    assert!(runs[0].text(&store, 1).is_err());
    // Another file in its place.
    fs::write(folder.path().join("b"), case(8, "passed", "").replace("1.5", "3.5")).unwrap();
    fs::rename(folder.path().join("b"), &file).unwrap();
    follower.read_into(&mut store);
    assert_eq!(store.property("p").unwrap().runs().len(), 3);
    assert_eq!(store.lost_files().len(), 2);
    // Gone.
    fs::remove_file(&file).unwrap();
    follower.read_into(&mut store);
    assert_eq!((store.property("p").unwrap().runs().len(), store.progress().files), (3, 0));
    // And back.
    fs::write(&file, case(9, "passed", "").replace("1.5", "4.5")).unwrap();
    follower.read_into(&mut store);
    assert_eq!(store.property("p").unwrap().runs().len(), 4);
}

#[test]
fn ten_megabytes_in_a_field_thousands_of_features_and_numbers_that_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let long = "x".repeat(10 << 20);
    let mut features = String::new();
    for n in 0..5000 {
        let _ = write!(features, "{}\"feature {n}\": {n}", if n == 0 { "" } else { ", " });
    }
    let line = |representation: &str, features: &str| {
        format!(
            "{{\"type\": \"test_case\", \"property\": \"p\", \"run_start\": 1, \"status\": \"passed\", \
             \"representation\": \"{representation}\", \"features\": {{{features}}}}}\n"
        )
    };
    let mut text = line(&long, "\"a\": NaN, \"b\": Infinity");
    text += &line("1", "\"a\": -Infinity, \"b\": \"inf\"");
    text += &line("2", &features);
    text += &line("3", "\"a\": 1e999, \"b\": {\"x\": [1]}, \"c\": [[\"w\", 1], [\"h\", 2.5]], \"d\": null, \"a\": 4");
    fs::write(&file, text).unwrap();
    let store = read(&[&file]);
    assert_eq!(store.n_bad_lines(), 0);
    let run = store.latest("p").unwrap();
    assert_eq!(run.text(&store, 0).unwrap().len(), 10 << 20);
    let view = run.view(&store, &[], "", 10);
    assert_eq!((view.n_features, view.features.len()), (5004, 10));
    let labels = |name: &str| -> Vec<(String, u64)> {
        let view = run.view(&store, &[], name, 5);
        let chart = view.features.iter().find(|chart| chart.name == name).unwrap();
        chart.bins.iter().map(|bin| (bin.label.clone(), bin.all)).collect()
    };
    assert_eq!(labels("a"), [("−∞".into(), 1), ("∞".into(), 1), ("NaN".into(), 1), ("absent".into(), 1)]);
    // A number and an object under one name: both are words.
    assert_eq!(labels("b"), [("inf".into(), 2), ("{\"x\": [1]}".into(), 1), ("absent".into(), 1)]);
    assert_eq!(labels("c: h"), [("2.5".into(), 1), ("absent".into(), 3)]);
    assert_eq!(view.pairs, [("c: w".to_owned(), "c: h".to_owned())]);
    // The long text is found by what is inside of it, and shown cut off.
    let long = run.examples(&store, &[Filter::Text { contains: "XXXX".into() }], Order::Run, 0, 5);
    assert_eq!((long.total, long.examples[0].length), (1, 10 << 20));
    assert!(long.examples[0].text.as_ref().unwrap().len() < 2000);
}

/// However a file is cut into blocks: a long line over several of them, many short ones behind it.
#[test]
fn lines_over_several_blocks_are_read_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let mut text = String::new();
    for n in 0..30_000 {
        text += &case(n, if n.is_multiple_of(3) { "gave_up" } else { "passed" }, "");
        if n.is_multiple_of(7000) {
            let _ = writeln!(text, "{}", case(n, "failed", "").trim_end().replace("value", &"y".repeat(5 << 20)));
        }
    }
    fs::write(&file, &text).unwrap();
    let store = read(&[&file]);
    let run = store.latest("p").unwrap();
    assert_eq!((run.n_cases(), store.n_bad_lines(), store.n_lines()), (30_005, 0, 30_005));
    assert_eq!(run.mosaic(), [[20_000, 0], [5, 0], [10_000, 0]]);
    let parity = run.view(&store, &[], "parity", 1).features.remove(0);
    let bars: Vec<_> = parity.bins.iter().map(|bin| (bin.label.as_str(), bin.all)).collect();
    assert_eq!(bars, [("even", 10_005), ("odd", 10_000)]);
    for (n, case) in [(0, 0), (6999, 7000), (29_999, 30_004)] {
        assert_eq!(run.text(&store, case), Ok(format!("value {n}")));
    }
    let found = run.examples(&store, &[Filter::Text { contains: "VALUE 2999".into() }], Order::Run, 0, 100);
    assert_eq!(found.total, 11);
}

#[test]
fn clock_jumps_and_missing_fields_do_no_harm() {
    let mut store = Store::default();
    let line = |run_start: &str, timing: &str| {
        format!(
            "{{\"type\": \"test_case\", \"property\": \"p\", {run_start} \"status\": \"passed\", \"timing\": {timing}}}"
        )
    };
    store.read_text(&line("\"run_start\": 5,", "{\"execute:test\": -3.5, \"x\": NaN, \"y\": \"soon\"}"));
    store.read_text(&line("\"run_start\": 2,", "null"));
    store.read_text(&line("\"run_start\": NaN,", "[]"));
    store.read_text(&line("", "{}"));
    store.read_text(&line("\"run_start\": 5,", "{\"execute:test\": 1e300}"));
    assert_eq!(store.n_bad_lines(), 0);
    let starts: Vec<f64> = store.property("p").unwrap().runs().iter().map(|run| run.start()).collect();
    assert_eq!(starts, [0.0, 2.0, 5.0]);
    let view = store.latest("p").unwrap().view(&store, &[], "", 10);
    assert_eq!(view.timing.unwrap().bins.iter().map(|bin| bin.all).sum::<u64>(), 2);
}

/// The reader neither panics nor hangs, whatever becomes of a line.
#[test]
fn lines_with_a_character_changed() {
    let line = "{\"type\": \"test_case\", \"run_start\": 1.5, \"property\": \"p\", \"status\": \"failed\", \"status_reason\": \"at a.rs:1\", \
                \"representation\": \"v\\u00e9\", \"features\": {\"n\": [[\"a\", 1], [\"b\", NaN]], \"m\": {\"x\": []}}, \
                \"coverage\": {\"a.rs\": [1, 2]}, \"timing\": {\"t\": 0.5}}";
    let characters: Vec<char> = line.chars().collect();
    let other = ['"', '\\', '{', '}', '[', ']', ',', ':', '9', '-', 'N', ' ', 'é', '\0'];
    let mut store = Store::default();
    let mut n_lines = 0;
    for at in 0..characters.len() {
        for with in other {
            let mut changed = characters.clone();
            changed[at] = with;
            store.read_text(&changed.iter().collect::<String>());
            n_lines += 1;
        }
        let mut removed = characters.clone();
        removed.remove(at);
        store.read_text(&removed.iter().collect::<String>());
        store.read_text(&characters[..at].iter().collect::<String>());
        n_lines += if at == 0 { 1 } else { 2 };
    }
    assert_eq!(store.n_lines(), n_lines);
    assert!(store.n_bad_lines() > 1000 && store.n_bad_lines() < n_lines);
    for property in store.properties() {
        for run in property.runs() {
            assert_eq!(run.verdict(), Verdict::Failed);
            run.view(&store, &[], "", 10);
        }
    }
}
