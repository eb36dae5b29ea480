//! The part of JSON Schema that the schemas here use. A word that it does not know is refused, so
//! that nothing is passed over.

use serde_json::Value;

/// What is wrong with a value, and where.
pub fn problem(value: &Value, schema: &Value) -> Option<String> {
    let schema = schema.as_object().expect("a schema is an object");
    for (word, wanted) in schema {
        let problem = match word.as_str() {
            "title" | "description" => None,
            "const" => (value != wanted).then(|| format!("{value} is not {wanted}")),
            "enum" => {
                let is_one = wanted.as_array().expect("a list").contains(value);
                (!is_one).then(|| format!("{value} is none of {wanted}"))
            }
            "type" => {
                let types = wanted.as_array().map_or_else(|| vec![wanted], |types| types.iter().collect());
                let is_one = types.iter().any(|kind| is_of(value, kind.as_str().expect("a word")));
                (!is_one).then(|| format!("{value} is no {wanted}"))
            }
            "minimum" => {
                let is_below = value.as_f64().is_some_and(|number| number < wanted.as_f64().expect("a number"));
                is_below.then(|| format!("{value} is below {wanted}"))
            }
            "required" => {
                let missing = |name: &&Value| value.get(name.as_str().expect("a name")).is_none();
                wanted.as_array().expect("a list").iter().find(missing).map(|name| format!("{name} is missing"))
            }
            "properties" => members(value).find_map(|(name, member)| {
                problem(member, wanted.get(name)?).map(|problem| format!("{name}: {problem}"))
            }),
            "additionalProperties" => members(value).find_map(|(name, member)| {
                if schema.get("properties").is_some_and(|known| known.get(name).is_some()) {
                    return None;
                }
                match wanted {
                    Value::Bool(true) => None,
                    Value::Bool(false) => Some(format!("{name} is not known")),
                    wanted => problem(member, wanted).map(|problem| format!("{name}: {problem}")),
                }
            }),
            "items" => items(value).find_map(|item| problem(item, wanted)),
            "uniqueItems" => {
                let all: Vec<&Value> = items(value).collect();
                all.iter()
                    .enumerate()
                    .find(|(at, item)| all[..*at].contains(item))
                    .map(|(_, item)| format!("{item} twice"))
            }
            "oneOf" => {
                let problems: Vec<Option<String>> =
                    wanted.as_array().expect("a list").iter().map(|schema| problem(value, schema)).collect();
                let fitting = problems.iter().filter(|problem| problem.is_none()).count();
                (fitting != 1).then(|| format!("{fitting} of the alternatives fit: {problems:?}"))
            }
            unknown => panic!("the validator does not know `{unknown}`"),
        };
        if problem.is_some() {
            return problem;
        }
    }
    None
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        unknown => panic!("there is no type `{unknown}`"),
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Our own schema, which says what we write, and the published one, which says what everyone may
/// write.
pub fn schemas() -> [Value; 2] {
    [include_str!("observation.json"), include_str!("published.json")]
        .map(|text| serde_json::from_str(text).expect("a schema is JSON"))
}
