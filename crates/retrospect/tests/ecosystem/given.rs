//! Values that are given to properties: as JSON, and as documents.

use retrospect::prelude::*;
use serde_json::Value;
use std::process::Command;

#[property(save = false)]
fn takes_a_pair(pair: (u8, Option<String>)) {
    println!("ran {pair:?}");
}

#[property(save = false)]
#[example(names = [], few = 1)]
fn takes_a_slice(names: &[Option<u8>], #[from(0..10)] few: u8) {
    println!("ran {names:?} {few}");
}

/// Not `Deserialize`.
#[derive(Debug, Generate)]
struct Own {
    flag: bool,
}

#[property(save = false)]
fn takes_no_json(own: Own) {
    println!("ran {}", own.flag);
}

#[property(save = false)]
fn takes_a_word(#[from(text::repeat(text::chars('a'..='z'), 1..))] word: String) {
    println!("ran {word:?}");
}

#[property(save = false)]
fn takes_a_document(value: Value) {
    println!("ran {value:?}");
}

/// Runs one of the properties above; what it printed.
fn given(property: &str, variable: &str, value: &str) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([&format!("given::{property}"), "--exact", "--nocapture"]).env(variable, value);
    let output = command.output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

#[test]
fn values_may_be_json() {
    let value = |property, text| given(property, "RETROSPECT_VALUE", text);
    assert!(value("takes_a_pair", r#"pair = [7, "\u00fc"]"#).contains("ran (7, Some(\"ü\"))"));
    assert!(value("takes_a_pair", "[7, null]").contains("ran (7, None)"));
    assert!(value("takes_a_slice", "names = [null, 5]; few = 3").contains("ran [None, Some(5)] 3"));
    // As `Debug` prints it, it is still read.
    assert!(value("takes_a_pair", "(7, None)").contains("ran (7, None)"));
    let refused = value("takes_a_pair", "[300, null]");
    assert!(refused.contains("as JSON: invalid value: integer `300`, expected u8"), "{refused}");
    // The type could be it, and the generator does not make it.
    let refused = value("takes_a_word", r#"word = "\u0041""#);
    assert!(refused.contains("as JSON: this generator cannot make \"A\""), "{refused}");
    // What is no JSON is not read as such.
    for text in ["(7, Nonee)", "Pair(7)", "[7, Some(3)]", "7"] {
        let refused = value("takes_a_pair", text);
        assert!(refused.contains("RETROSPECT_VALUE cannot be used") && !refused.contains("as JSON"), "{refused}");
    }
    // The same reason is given once.
    let refused = value("takes_a_word", r#"word = "A""#);
    assert!(refused.contains("cannot make") && !refused.contains("as JSON"), "{refused}");
    let refused = value("takes_no_json", r#"{"flag": true}"#);
    assert!(refused.contains("expected `Own { flag }`") && !refused.contains("as JSON"), "{refused}");
}

#[test]
fn documents_are_read_as_the_type() {
    let directory = std::env::temp_dir().join(format!("retrospect-given-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join("document");
    let document = |property, content: &str| {
        std::fs::write(&path, content).unwrap();
        given(property, "RETROSPECT_TEXT_FILE", path.to_str().unwrap())
    };
    let value = document("takes_a_document", "{\"a\": [1, \"x\"]}\n");
    assert!(value.contains("ran Object {\"a\": Array [Number(1), String(\"x\")]}"), "{value}");
    let refused = document("takes_a_document", "{\"a\": [1, \"x\"}\n");
    assert!(refused.contains("as JSON: expected `,` or `]`") && !refused.contains("ran "), "{refused}");
    assert!(document("takes_a_pair", "[7,\n null]\n").contains("ran (7, None)"));
    // What is no word with a line break at its end is one without.
    assert!(document("takes_a_word", "word\n").contains("ran \"word\""));
    std::fs::remove_dir_all(&directory).unwrap();
}
