//! `serde_json`.

use super::{check, refuses, shrunk};
use retrospect::prelude::*;
use serde_json::{Map, Number, Value, json};

#[test]
fn values() {
    let values = [
        json!({}),
        json!([]),
        json!({"a": {"b": [1, -1, 1.5, -0.0, 1e300, u64::MAX, i64::MIN]}, "": "\"\\\n\u{301}👍", "c": [[], {}, null, true]}),
        json!(f64::MIN_POSITIVE),
    ];
    check(any::<Value>(), "Null", values);
    check(
        any::<Number>(),
        "Number(0)",
        [Number::from(u64::MAX), Number::from(i64::MIN), Number::from_f64(1e300).unwrap()],
    );
    check(any::<Map<String, Value>>(), "{}", [json!({"b": 1, "a": [2]}).as_object().unwrap().clone()]);
}

/// Also in the mind of the generator a value of another shape is another value; but an integer that
/// is not negative may be one without a sign.
#[test]
fn two_ways_for_each_integer_that_is_not_negative_and_one_for_all_else() {
    fn doubtful(value: &Value) -> u32 {
        match value {
            Value::Number(number) => u32::from(number.as_i64().is_some_and(|number| number >= 0)),
            Value::Array(items) => items.iter().map(doubtful).sum(),
            Value::Object(entries) => entries.values().map(doubtful).sum(),
            _ => 0,
        }
    }
    for value in any::<Value>().samples(1).take(200) {
        let overlap = any::<Value>().ways_of(&value).count().to_string();
        assert_eq!(overlap, 2u128.pow(doubtful(&value)).to_string(), "{value}");
    }
}

#[test]
fn json_is_read_too() {
    for value in any::<Value>().samples(3).take(300) {
        let text = value.to_string();
        assert_eq!(any::<Value>().read(&text).unwrap(), value, "{text}");
    }
    let escaped = r#"["\u00fc\u00FC", "\/\b\f\n\r\t\"\\", {"\ud83d\ude00": "\u0000"}]"#;
    assert_eq!(any::<Value>().read(escaped).unwrap(), serde_json::from_str::<Value>(escaped).unwrap());
    for halved in [r#""\ud83d""#, r#""\ud83d\u0041""#, r#""\ude00\ud83d""#, r#""\u00f""#, r#""\u+0fc""#] {
        let error = any::<Value>().read(halved).unwrap_err().to_string();
        assert!(error.contains("expected a character's number"), "{error}");
    }
    let value = any::<Value>().fill(r#"{"a": _, "b": [1, _]}"#, 1).unwrap();
    assert_eq!(value["b"][0], json!(1));
    let number = any::<Value>().fill("Array [Number(_), String(_), Bool(_)]", 1).unwrap();
    assert!(number[0].is_number() && number[1].is_string() && number[2].is_boolean());
}

#[test]
fn what_is_no_json_is_refused() {
    refuses(
        any::<Value>(),
        &[
            ("Some(3)", "expected a JSON value, not `Some` with 1 part"),
            (
                "[1, nul]",
                "this generator cannot make the part `[1]`, which is nul: expected a JSON value, not the word `nul`",
            ),
            ("Number(NaN)", "expected a JSON number such as 1.5, not the word `NaN`"),
            ("Bool(2)", "expected false or true, not the number `2`"),
            (r#"Object {"a": 1, "a": 2}"#, "it is a key of the map already"),
        ],
    );
}

#[test]
fn shrinking() {
    let text = r#"{"name": "ada", "tags": ["x", {"deep": [1, 2, 300]}], "age": 36}"#;
    assert_eq!(shrunk(any::<Value>(), text, |value| value.to_string().contains("300")), "Number(300)");
    assert_eq!(shrunk(any::<Value>(), text, |value| value.get("name").is_some()), r#"Object {"name": Null}"#);
    assert_eq!(
        shrunk(any::<Value>(), text, |value| value.pointer("/tags/1/deep").is_some()),
        r#"Object {"tags": Array [Null, Object {"deep": Null}]}"#
    );
    laws::minimum(&any::<Value>(), |value| value.as_f64().is_some_and(|number| number > 9.5), [json!(10)]);
}

#[test]
fn sizes_end() {
    let lengths: Vec<usize> = any::<Value>().samples(5).take(2000).map(|value| value.to_string().len()).collect();
    let longest = lengths.iter().max().unwrap();
    assert!((1_000..200_000).contains(longest), "{longest}");
}

/// An object is as large as one inside a value: its keys are short, and what it holds is smaller
/// than it.
#[test]
fn objects_are_no_larger_than_those_in_values() {
    let mut lengths: Vec<usize> = Vec::new();
    for object in any::<Map<String, Value>>().samples(5).take(200) {
        lengths.push(format!("{object:?}").len());
    }
    lengths.sort_unstable();
    assert!((200..10_000).contains(&lengths[100]), "{}", lengths[100]);
}

#[test]
fn deep_values() {
    let mut value = Value::Null;
    let mut text = "Null".to_owned();
    for _ in 0..5_000 {
        value = Value::Array(vec![value]);
        text = format!("Array [{text}]");
    }
    let choices = any::<Value>().choices_of(&value).unwrap();
    let replayed = retrospect::with_deep_stack(|| any::<Value>().replay(&choices) == value);
    assert!(replayed);
    assert!(any::<Value>().read(&text).is_ok());
}

#[derive(Debug, Generate)]
struct Request {
    body: Value,
    headers: Map<String, Value>,
}

#[test]
fn fields() {
    laws::check(&any::<Request>());
    let text = r#"Request { body: Object {"a": Array [Null]}, headers: {"b": Bool(true)} }"#;
    assert_eq!(
        shrunk(any::<Request>(), text, |request| request.body != Value::Null),
        "Request { body: Bool(false), headers: {} }"
    );
}
