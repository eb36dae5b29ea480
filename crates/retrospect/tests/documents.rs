//! Documents as text, beside what `serde_json` makes of them.

use retrospect::laws::Laws;
use retrospect::prelude::*;
use retrospect::text::{Text, arm, choice, class, empty, literal, none_of, repeat, separated_by, sequence};
use serde_json::Value;

/// Whether `serde_json` reads it. `None` if it stops at a number that no float holds, which says
/// nothing of what follows.
fn is_json(text: &str) -> Option<bool> {
    match serde_json::from_str::<Value>(text) {
        Ok(_) => Some(true),
        Err(error) if error.to_string().starts_with("number out of range") => None,
        Err(_) => Some(false),
    }
}

#[test]
fn what_is_written_is_json() {
    let json = text::json();
    let mut kinds = [0; 6];
    for text in json.samples(1).take(1000) {
        assert_ne!(is_json(&text), Some(false), "{text:?}");
        if let Ok(value) = serde_json::from_str(&text) {
            let kind = match value {
                Value::Null => 0,
                Value::Bool(_) => 1,
                Value::Number(_) => 2,
                Value::String(_) => 3,
                Value::Array(_) => 4,
                Value::Object(_) => 5,
            };
            kinds[kind] += 1;
        }
    }
    assert!(kinds.iter().all(|count| *count > 30), "{kinds:?}");
    let all: String = json.samples(2).take(1000).collect();
    for part in ["\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u", "E", "e+", "e-", "-0", " ", "\t", "ü"]
    {
        assert!(all.contains(part), "{part} is never written");
    }
    let spaces = all.bytes().filter(|byte| b" \t\n\r".contains(byte)).count();
    assert!(spaces * 10 < all.len(), "{spaces} of {}", all.len());
}

/// Values with everything in them.
fn values() -> Vec<Value> {
    text::json().samples(3).take(200).filter_map(|text| serde_json::from_str(&text).ok()).collect()
}

#[test]
fn what_serde_json_writes_is_read() {
    let json = text::json();
    for value in values() {
        for text in [serde_json::to_string(&value).unwrap(), serde_json::to_string_pretty(&value).unwrap()] {
            assert!(json.accepts(&text), "{text}");
            assert_eq!(json.replay(&json.choices_of(&text).unwrap()), text);
        }
    }
}

/// One character is left out, doubled, or replaced: what comes out is read exactly if `serde_json`
/// reads it.
#[test]
fn near_misses() {
    let json = text::json();
    let mut rng = retrospect::source::Rng::new(5);
    let (mut valid, mut invalid) = (0, 0);
    let more = [
        "[1,]",
        "{\"a\":1,}",
        "01",
        "-",
        "1.",
        ".5",
        "1e",
        "1e+",
        "+1",
        "--1",
        "nul",
        "nulll",
        "tru",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud83d\\ude00\"",
        "\"\\uD83D\\uDE00\"",
        "\"\\ud83d\\u0041\"",
        "\"\u{0}\"",
        "\"\n\"",
        "\"\u{7f}\"",
        "",
        " ",
        "[]]",
        "{}{}",
        "[1 2]",
        "{1:2}",
        "{\"a\" 1}",
        "{\"a\":}",
        "'a'",
        "NaN",
        "\u{feff}1",
        "1\u{a0}",
        "-0",
        "-0.0e-0",
        "1E400",
        "[[[]]]",
        "\"\\/\"",
    ];
    let drawn: Vec<String> = json.clone().resize(20).samples(7).take(250).collect();
    for text in more.iter().map(|text| (*text).to_owned()).chain(drawn) {
        assert_eq!(json.accepts(&text), is_json(&text).unwrap_or(true), "{text:?}");
        for _ in 0..20 {
            let mut characters: Vec<char> = text.chars().collect();
            if characters.is_empty() {
                continue;
            }
            let place = rng.at_most(characters.len() as u64 - 1) as usize;
            const OTHERS: &[char] = &[
                '"', '\\', '{', '}', '[', ']', ',', ':', '0', '1', '-', '+', '.', 'e', 'u', 'd', ' ', '\n', '\u{1}',
                'ü', 'n',
            ];
            let other = OTHERS[rng.at_most(OTHERS.len() as u64 - 1) as usize];
            match rng.at_most(2) {
                0 => drop(characters.remove(place)),
                1 => characters.insert(place, other),
                _ => characters[place] = other,
            }
            let text: String = characters.into_iter().collect();
            let Some(is_json) = is_json(&text) else { continue };
            assert_eq!(json.accepts(&text), is_json, "{text:?}");
            *if is_json { &mut valid } else { &mut invalid } += 1;
        }
    }
    assert!(valid > 200 && invalid > 2000, "{valid} {invalid}");
}

#[test]
fn the_laws() {
    Laws::default().check(&text::json());
    Laws::default().cases(50).check(&package());
}

#[test]
fn each_text_is_made_in_one_way() {
    for text in text::json().samples(4).take(200) {
        assert_eq!(text::json().ways_of(&text).count().to_string(), "1", "{text}");
    }
    assert_eq!(package().ways_of(&package().sample(1)).count().to_string(), "1");
}

#[test]
fn deep_and_long_documents() {
    let json = text::json();
    let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    assert!(json.accepts(&deep));
    assert!(!json.accepts(&deep[1..].to_owned()));
    let long = format!("[{}]", vec!["-1.5e3,\"a\\n\",{\"b\":null}"; 20_000].join(","));
    assert!(json.accepts(&long));
    assert_eq!(json.choices_of(&format!("{long}]")).unwrap_err().path(), "");
}

#[test]
fn a_document_shrinks_by_its_text() {
    let json = text::json();
    let document = r#"{ "name": "Ada", "born": 1815, "known for": ["notes", {"on": "the engine", "pages": [1, 22, 333]}], "alive": false }"#;
    let shrink = |fails: &dyn Fn(&str) -> bool| json.shrink(document.to_owned(), |text| fails(text)).unwrap().value;
    assert_eq!(shrink(&|text| text.contains("333")), "333");
    assert_eq!(shrink(&|text| text.contains('{')), "{}");
    assert_eq!(shrink(&|text| text.contains("pages")), r#"{"pages":null}"#);
    let keyed = |text: &str| serde_json::from_str::<Value>(text).is_ok_and(|value| value.get("born").is_some());
    assert_eq!(shrink(&keyed), r#"{"born":null}"#);
    let nested = |text: &str| {
        serde_json::from_str::<Value>(text).is_ok_and(|value| value.pointer("/known for/1/pages").is_some())
    };
    assert_eq!(shrink(&nested), r#"{"known for":[null,{"pages":null}]}"#);
}

/// A `package.json` with the fields that nearly every one has, in the usual order, and no escapes.
fn package() -> Text {
    let rare = |text: Text| choice([arm("none", 60, empty()), arm("some", 1, text)]);
    let space = || rare(repeat(class([" \t\n\r"]), 1..));
    let text = || sequence(["\"".into(), repeat(none_of(["\"\\", "\0-\u{1f}"]), 1..), "\"".into()]);
    let entry = |key: Text, value: Text| sequence([key, space(), ":".into(), space(), value, space()]);
    let items = |item: Text| separated_by(item, sequence([",".into(), space()]), ..);
    let braces = |inside: Text| sequence(["{".into(), space(), inside, "}".into()]);
    let fields = |fields: &[(&str, Text)]| {
        let mut parts = Vec::new();
        for (place, (name, value)) in fields.iter().enumerate() {
            if place > 0 {
                parts.push(sequence([",".into(), space()]));
            }
            parts.push(entry(literal(format!("\"{name}\"")), value.clone()));
        }
        braces(sequence(parts))
    };
    let packages = || braces(items(entry(text(), text())));
    let document = fields(&[
        ("name", text()),
        ("description", text()),
        ("scripts", fields(&[("start", text()), ("build", text()), ("test", text())])),
        ("repository", fields(&[("type", text()), ("url", text())])),
        ("keywords", sequence(["[".into(), space(), items(sequence([text(), space()])), "]".into()])),
        ("author", text()),
        ("license", text()),
        ("devDependencies", packages()),
        ("dependencies", packages()),
    ]);
    sequence([space(), document, space()])
}

const PACKAGE: &str = r#"{
  "name": "harbour-tides",
  "description": "Shows when the harbour can be entered, and how deep the water is until then",
  "scripts": {
    "start": "node ./server/index.js --port 8080",
    "build": "esbuild ./client/main.ts --bundle --minify --outdir=./public",
    "test": "vitest run --reporter=dot ./server ./client"
  },
  "repository": {"type": "git", "url": "https://example.org/harbour/tides.git"},
  "keywords": ["tides", "harbour", "water level", "calendar", "ships"],
  "author": "The harbour office",
  "license": "MIT OR Apache-2.0",
  "devDependencies": {"esbuild": "^0.21.5", "eslint": "~9.4.0", "typescript": "^5.4.5", "vitest": "^1.6.0"},
  "dependencies": {"compression": "^1.7.4", "express": "^4.15.3", "helmet": "^7.1.0", "undici": ">=6.19.2 <7"}
}
"#;

#[test]
fn a_package_shrinks_and_keeps_its_form() {
    let fails = |text: &str| {
        let value: Value = serde_json::from_str(text).unwrap();
        value.pointer("/dependencies/express").and_then(Value::as_str) == Some("^4.15.3")
    };
    let smallest = package().shrink(PACKAGE.to_owned(), |text| fails(text)).unwrap();
    assert_eq!(
        smallest.value,
        r#"{"name":"a","description":"a","scripts":{"start":"a","build":"a","test":"a"},"repository":{"type":"a","url":"a"},"keywords":[],"author":"a","license":"a","devDependencies":{},"dependencies":{"express":"^4.15.3"}}"#
    );
    for text in package().samples(1).take(100) {
        assert!(text::json().accepts(&text), "{text}");
    }
    assert!(!package().accepts(&PACKAGE.replace("\"name\"", "\"title\"")));
    assert!(!package().accepts(&PACKAGE.replace("\"MIT OR Apache-2.0\"", "\"\"")));
}
