//! Our lines are valid, and the check of it finds what is not.

#[path = "schema/validator.rs"]
mod validator;

use retrospect_stats::{Json, Observation, Status};
use serde_json::Value;
use std::time::Duration;
use validator::{problem, schemas};

fn line() -> Observation<'static> {
    let mut line = Observation::new("a::b", 10.5);
    line.status = Status::Failed;
    line.status_reason = "src/lib.rs:3:5, too much".into();
    line.representation = "\"\\u{0}\"".into();
    line.arguments.push(("text".into(), Json::from("\"\\u{0}\"")));
    line.how_generated = "random".into();
    line.features.push(("len".into(), Json::from(1_u64)));
    line.features.push(("not finite".into(), Json::Number(f64::NAN)));
    line.coverage = Some(vec![("src/lib.rs".into(), vec![1, 2, 9])]);
    line.timing.push(("execute:test".into(), Duration::from_nanos(1)));
    line.metadata.push(("choices".into(), Json::from(3_u64)));
    line
}

#[test]
fn lines_are_valid() {
    for schema in schemas() {
        let value: Value = serde_json::from_str(&line().to_line()).unwrap();
        assert_eq!(problem(&value, &schema), None);
    }
}

#[test]
fn what_is_wrong_is_found() {
    for schema in schemas() {
        refuses_what_is_wrong(&schema);
    }
}

fn refuses_what_is_wrong(schema: &Value) {
    let valid: Value = serde_json::from_str(&line().to_line()).unwrap();
    let wrong = |change: &dyn Fn(&mut Value)| {
        let mut value = valid.clone();
        change(&mut value);
        problem(&value, schema).unwrap_or_else(|| panic!("{value} should not be valid"))
    };
    assert!(wrong(&|line| line["type"] = "example".into()).contains("type: \\\"example\\\" is not"));
    assert!(wrong(&|line| line["status"] = "discarded".into()).contains("is none of"));
    assert!(wrong(&|line| line["status_reason"] = Value::Null).contains("null is no"));
    assert!(wrong(&|line| line["how_generated"] = 3.into()).contains("how_generated: 3 is no"));
    assert!(wrong(&|line| line["run_start"] = "now".into()).contains("\\\"now\\\" is no"));
    assert!(wrong(&|line| line["more"] = 1.into()).contains("more is not known"));
    assert!(wrong(&|line| line["coverage"]["src/lib.rs"] = serde_json::json!([0])).contains("0 is below 1"));
    assert!(wrong(&|line| line["coverage"]["src/lib.rs"] = serde_json::json!([4, 4])).contains("4 twice"));
    assert!(wrong(&|line| line["timing"]["execute:test"] = (-1).into()).contains("-1 is below 0"));
    assert!(wrong(&|line| line["arguments"] = serde_json::json!([])).contains("[] is no \\\"object\\\""));
    for name in valid.as_object().unwrap().keys() {
        assert!(wrong(&|line| drop(line.as_object_mut().unwrap().remove(name))).contains("is missing"), "{name}");
    }
}

/// Where the two differ: we always say how a case was generated, and by which of our words; others
/// may write messages, too.
#[test]
fn what_we_write_is_less_than_what_may_be_written() {
    let [ours, published] = schemas();
    let check = |value: &Value| [&ours, &published].map(|schema| problem(value, schema).is_none());
    let mut value: Value = serde_json::from_str(&line().to_line()).unwrap();
    assert_eq!(check(&value), [true, true]);
    value["how_generated"] = Value::Null;
    assert_eq!(check(&value), [false, true]);
    assert!(problem(&value, &ours).is_some_and(|problem| problem.contains("is none of")));
    let mut message = serde_json::json!({
        "type": "info", "title": "Statistics", "content": "100 cases", "property": "a::b", "run_start": 10.5,
    });
    assert_eq!(check(&message), [false, true]);
    message["type"] = "remark".into();
    assert_eq!(check(&message), [false, false]);
}
