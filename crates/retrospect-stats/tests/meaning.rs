//! What is said of a run: warnings, each past its threshold and not before, combinations, how a
//! counterexample became simpler.
#![cfg(feature = "read")]

use retrospect_stats::summary::{Filter, Run, Store, Warning, WarningKind};
use serde_json::{Value, json};

/// A run of these cases; each is what differs from a case that passed.
fn run(cases: impl IntoIterator<Item = Value>, events: impl IntoIterator<Item = Value>) -> Store {
    let mut lines = String::new();
    for (at, case) in cases.into_iter().enumerate() {
        let mut line = json!({
            "type": "test_case", "property": "p", "run_start": 1, "status": "passed", "status_reason": "",
            "representation": format!("value {at}"), "how_generated": "random", "features": {},
        });
        merge(&mut line, case);
        lines += &format!("{line}\n");
    }
    for event in events {
        let mut line = json!({"type": "retrospect", "property": "p", "run_start": 1});
        merge(&mut line, event);
        lines += &format!("{line}\n");
    }
    let mut store = Store::default();
    store.read_text(&lines);
    assert_eq!(store.n_bad_lines(), 0, "{:?}", store.bad_lines());
    store
}

fn merge(into: &mut Value, more: Value) {
    for (name, value) in more.as_object().unwrap() {
        into[name] = value.clone();
    }
}

fn latest(store: &Store) -> &Run {
    store.latest("p").unwrap()
}

fn warnings(store: &Store, kind: WarningKind) -> Vec<Warning> {
    latest(store).warnings().into_iter().filter(|warning| warning.kind == kind).collect()
}

#[test]
fn discards_are_warned_of_past_a_third_with_their_place() {
    let discarded = |n: usize| {
        let reason = "assume!(a < 20) at src/lib.rs:31:9";
        move |at: usize| if at < n { json!({"status": "gave_up", "status_reason": reason}) } else { json!({}) }
    };
    let few = run((0..3000).map(discarded(1000)), []);
    assert_eq!(warnings(&few, WarningKind::Discards), []);
    let many = run((0..3000).map(discarded(1001)), []);
    let [warning] = warnings(&many, WarningKind::Discards).try_into().unwrap();
    assert_eq!(
        warning.text,
        "1,001 of 3,000 cases were discarded, 1,001 of them by assume!(a < 20) at src/lib.rs:31:9"
    );
    assert_eq!(
        warning.advice,
        "Move the condition into the generator with `satisfying`, which searches for what fulfils it."
    );
    assert_eq!(warning.place.as_deref(), Some("src/lib.rs:31"));
    let searched = |_| json!({"status": "gave_up", "status_reason": "a condition at src/lib.rs:3:9: too few"});
    let unfound = run((0..3000).map(|at| if at < 2000 { searched(at) } else { json!({}) }), []);
    let [warning] = warnings(&unfound, WarningKind::Discards).try_into().unwrap();
    assert_eq!(warning.advice, "Loosen the condition, or write a generator that makes only what is wanted.");
}

#[test]
fn repeated_values_are_warned_of_past_a_third() {
    let of = |distinct: usize| run((0..90).map(|at| json!({"representation": format!("{}", at % distinct)})), []);
    assert_eq!(warnings(&of(60), WarningKind::Duplicates), []);
    let [warning] = warnings(&of(59), WarningKind::Duplicates).try_into().unwrap();
    assert_eq!(warning.text, "31 of 90 tested values had been tested before: 59 are distinct");
}

#[test]
fn a_feature_that_never_changes_is_named() {
    let store = run((0..90).map(|at| json!({"features": {"version": 2, "kind": at % 2}})), []);
    let [warning] = warnings(&store, WarningKind::Stuck).try_into().unwrap();
    assert_eq!(
        (warning.text.as_str(), warning.feature.as_deref()),
        ("`version` is `2` in all 90 cases", Some("version"))
    );
}

#[test]
fn a_cover_that_never_held_is_told_once() {
    let cover = json!({"event": "cover", "label": "long", "place": "src/lib.rs:9:5", "required": 0.3, "held_in": 0, "cases": 90, "verdict": "missed"});
    let store = run((0..90).map(|at| json!({"features": {"long": "false", "kind": at % 2}})), [cover]);
    let kinds: Vec<WarningKind> = latest(&store).warnings().iter().map(|warning| warning.kind).collect();
    assert_eq!(kinds, [WarningKind::Cover]);
}

/// Sizes by the number of a case, of 300.
fn sized(size: impl Fn(usize) -> usize) -> Store {
    run((0..300).map(|at| json!({"features": {"auto:choices": size(at)}})), [])
}

#[test]
fn values_that_stay_small_although_there_are_larger_ones_are_warned_of() {
    let store = sized(|at| if at % 12 == 5 { 9 } else { 1 + at % 2 });
    let [warning] = warnings(&store, WarningKind::Sizes).try_into().unwrap();
    assert_eq!(
        warning.text,
        "sizes never grow: nine tenths of 300 random values are made of at most 2 choices, from the first to the last, \
         although there are larger ones (9)"
    );
    // Those that grow, that are all alike, that are large anyway, that have a bound, and those of
    // too few cases.
    assert_eq!(warnings(&sized(|at| 1 + at / 20 + at % 3), WarningKind::Sizes), []);
    assert_eq!(warnings(&sized(|_| 2), WarningKind::Sizes), []);
    assert_eq!(warnings(&sized(|at| if at % 12 == 5 { 200 } else { 20 + at % 2 }), WarningKind::Sizes), []);
    assert_eq!(warnings(&sized(|at| 1 + at % 5), WarningKind::Sizes), []);
    let few = (0..50).map(|at| json!({"features": {"auto:choices": if at % 12 == 5 { 9 } else { 1 + at % 2 }}}));
    assert_eq!(warnings(&run(few, []), WarningKind::Sizes), []);
    // Cases at the ends of the choices come first and are large; they say nothing about growing.
    let ends = (0..30).map(|_| json!({"how_generated": "boundary", "features": {"auto:choices": 50}}));
    let growing = (0..300).map(|at| json!({"features": {"auto:choices": 1 + at / 60 + 9 * usize::from(at % 40 == 7)}}));
    assert_eq!(warnings(&run(ends.chain(growing), []), WarningKind::Sizes), []);
}

#[test]
fn covers_and_examples_are_told_by_events() {
    let cover = json!({"event": "cover", "label": "long", "place": "src/lib.rs:9:5", "required": 0.3, "held_in": 2, "cases": 1500, "verdict": "missed"});
    let example =
        json!({"event": "example", "number": 2, "status": "not run", "reason": "the run ended before it came to it"});
    let store = run((0..3).map(|_| json!({})), [cover, example]);
    let texts: Vec<String> = latest(&store).warnings().into_iter().map(|warning| warning.text).collect();
    assert_eq!(
        texts,
        [
            "`long` held in 2 of 1,500 cases, which is too few: at least 30 % are demanded",
            "example 2 was never reached: the run ended before it came to it"
        ]
    );
}

#[test]
fn charts_fit_what_was_tested_and_show_the_rest_when_it_is_asked_for() {
    let case = |n: i32| {
        let status = if (10..30).contains(&n) { "passed" } else { "gave_up" };
        json!({"status": status, "representation": n.to_string(), "features": {"n": n}})
    };
    let store = run((0..256).map(case), []);
    let view = latest(&store).view(&store, &[], "", 10);
    let bars: Vec<(&str, u64)> = view.features[0].bins.iter().map(|bin| (bin.label.as_str(), bin.all)).collect();
    assert_eq!((bars.len(), bars[0], bars[19]), (20, ("10", 1), ("29", 1)));
    let discarded = Filter::Status { values: vec!["gave_up".to_owned()] };
    let view = latest(&store).view(&store, &[discarded], "", 10);
    let bins = &view.features[0].bins;
    let (first, last) = (&bins[0], &bins[21]);
    assert_eq!((first.label.as_str(), first.all, last.label.as_str(), last.all), ("below 10", 10, "from 30 on", 226));
    // They can be chosen like the others.
    let chosen = Filter::Range { name: "n".to_owned(), ranges: vec![first.range.unwrap()], special: Vec::new() };
    assert_eq!(latest(&store).select(&store, &[chosen]).count(), 10);
    // Where nothing was tested, all is shown.
    let store = run((0..20).map(|n| json!({"status": "gave_up", "features": {"n": n}})), []);
    assert_eq!(latest(&store).view(&store, &[], "", 10).features[0].bins.len(), 20);
}

#[test]
fn of_two_features_that_never_meet_a_few_values_are_named() {
    // One follows from the other: 12 of 16 combinations cannot be. The third goes with both.
    let case = |at: usize| json!({"features": {"a": at % 4, "b": at % 4, "c": (at / 4) % 2, "auto:choices": at % 4, "auto:a": at % 4 + 1}});
    let store = run((0..400).map(case), []);
    let combinations = latest(&store).view(&store, &[], "", 10).combinations;
    // The runner's own is the same as `a` and as `b`, and says nothing new with them.
    assert_eq!((combinations.possible, combinations.seen), (16 + 8 + 8 + 8, 4 + 8 + 8 + 8));
    assert_eq!(combinations.never.len(), 4);
    assert!(combinations.never.iter().all(|never| (never.x.0.as_str(), never.y.0.as_str()) == ("a", "b")));
}

#[test]
fn shrinking_goes_from_what_was_found_in_the_order_of_its_steps() {
    let found = |representation: &str| json!({"event": "failure_found", "how": "random", "reason": "r", "representation": representation, "choices": 9});
    let step = |step: u64, run: u64, choices: u64| json!({"event": "shrink_step", "step": step, "run": run, "pass": "delete", "choices": choices, "representation": format!("step {step}")});
    // Of an earlier failure; one told late; no end yet.
    let events = [found("other"), step(1, 2, 8), found("first"), step(1, 3, 7), step(3, 8, 2), step(2, 5, 4)];
    let store = run([json!({"status": "failed"})], events);
    let history = latest(&store).history();
    let told: Vec<(u64, u64, &str)> =
        history.shrinking.iter().map(|step| (step.run, step.size, step.text.as_deref().unwrap())).collect();
    assert_eq!(told, [(0, 9, "first"), (3, 7, "step 1"), (5, 4, "step 2"), (8, 2, "step 3")]);
    assert!(history.shrink_ended.is_none());
}
