//! The properties that are looked at.

use retrospect::prelude::*;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Generate)]
enum Shape {
    Dot,
    Circle { radius: u8 },
}

#[property(cases = 200)]
#[ignore = "it is run by the tests"]
fn passes(list: Vec<u8>, number: i64, shape: Shape, #[from(string_of('a'..='z', ..9))] name: String) {
    event!("half", list.len() / 2);
    event!("kind", if number < 0 { "negative" } else { "other" });
    classify!(list.is_empty(), "empty");
    cover!(0.01, matches!(shape, Shape::Circle { radius: 1.. }), "a circle");
    target!(name.len() as f64, "long");
}

#[property(cases = 100)]
#[ignore = "it is run by the tests"]
fn discards(one: u8, other: u8) {
    assume!(one < other, "{one} is not below");
    assume!(one % 2 == 0);
}

#[property(cases = 200)]
#[example(list = vec![1, 2])]
#[ignore = "it is run by the tests"]
fn fails(list: Vec<u32>) {
    note!("{} items", list.len());
    assert!(list.iter().all(|item| *item < 500), "a large item");
}

#[property(cases = 50)]
#[example(number = 200)]
#[example(number = 3)]
#[ignore = "it is run by the tests"]
fn fails_at_its_example(number: u8) {
    assert!(number < 100);
}

#[property]
#[ignore = "it is run by the tests"]
fn small_domain(one: bool, other: Option<bool>) {
    let _ = (one, other);
}

#[test]
#[ignore = "it is run by the tests"]
fn draws_in_its_body() {
    Check::new().cases(50).run_case(|case| {
        let count = case.draw_named("count", 0..4_usize);
        for _ in 0..count {
            case.draw_named("item", any::<u8>());
        }
    });
}

#[property(cases = 50, isolate)]
#[ignore = "it is run by the tests"]
fn aborts(number: u16) {
    event!("small", number < 10);
    if number > 1000 {
        std::process::abort();
    }
}

#[property(cases = 30)]
#[ignore = "it is run by the tests"]
fn strange_texts(map: BTreeMap<String, char>, float: f64) {
    event!("float", float);
    event!("text", format!("</script>\u{0}\u{202e}{:?}", map.keys().next()));
    note!("not shown");
}

#[property(cases = 4, exhaustive = false)]
#[ignore = "it is run by the tests"]
fn huge(#[from(vec_of(exact(255_u8), 40_000))] bytes: Vec<u8>) {
    assert!(!bytes.is_empty());
}

/// A million cases would be enough to make a test wait; this one never ends.
#[property(cases = 100, exhaustive = false)]
#[ignore = "it is run by the tests"]
fn hangs(#[from(0..1000_u32)] number: u32) {
    if number > 500 {
        loop {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }
}

/// Several runs of one property within a millisecond.
#[test]
#[ignore = "it is run by the tests"]
fn runs_again_at_once() {
    for _ in 0..3 {
        Check::new().cases(3).named("observe::again").run(any::<bool>(), |_| {});
    }
}

/// A property inside a case of another is a part of it.
#[property(cases = 3, exhaustive = false)]
#[ignore = "it is run by the tests"]
fn has_another_inside(number: u8) {
    Check::new().cases(3).named("observe::inner").run(any::<u8>(), |other| u16::from(other) + u16::from(number) < 512);
}

#[property(cases = 2000, exhaustive = false)]
#[ignore = "it is run by the tests"]
fn steered(list: Vec<u8>, #[from(0..100_u32)] number: u32) {
    event!("long", list.len() > 10);
    let _ = number;
}

#[test]
#[ignore = "it is run by the tests"]
fn steered_in_its_body() {
    Check::new().cases(500).run_case(|case| {
        case.draw_named("number", 0..1000_u32);
    });
}

#[property(cases = 300, exhaustive = false, isolate)]
#[ignore = "it is run by the tests"]
fn steered_elsewhere(#[from(0..1000_u32)] number: u32) {
    let _ = number;
}
