//! `serde_json`: JSON values.

use super::unexpected;
use crate::choice::Site;
use crate::generator::reading::read_once;
use crate::generator::{
    Any, Floats, Generate, Generator, MapLike, MapOf, StringOf, VecOf, any, floats, free_part, string_of, vec_of,
};
use crate::generator::{Facts, Wanted};
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{DORMANT, Drawn, Form, Source};
use ::serde_json::{Map, Number, Value};

static VALUE: Site = Site::pick("json", &["Null", "Bool", "Number", "String", "Array", "Object"], file!(), line!());
static NUMBER: Site = Site::pick("number", &["integer", "unsigned", "float"], file!(), line!());

const WEIGHTS: [u32; 6] = [1, 2, 3, 3, 3, 3];
/// At size 0 nothing holds anything.
const FLAT_WEIGHTS: [u32; 6] = [1, 2, 3, 3, DORMANT, DORMANT];
/// How much smaller what an array or an object holds is than itself.
const SHRINKAGE: u32 = 8;
/// The longest key that is drawn at random.
const USUAL_KEY: u32 = 8;

/// JSON values: `null` is the simplest, then come booleans, numbers, strings, arrays and objects.
///
/// What an array or an object holds has an eighth of its size, so that values end. Every value is
/// recalled, however deep. Both the text that `Debug` prints and JSON itself are read.
///
/// ```
/// use retrospect::prelude::*;
/// use serde_json::{Value, json};
/// let values = any::<Value>();
/// assert_eq!(values.replay(&Choices::default()), Value::Null);
/// assert_eq!(values.choices_of(&json!([true, 7])).unwrap().to_string(), "4:Array([1:Bool(1:true) 2:Number(0:integer(13))])");
/// assert_eq!(values.read(r#"Array [Bool(true), Number(7)]"#).unwrap(), json!([true, 7]));
/// assert_eq!(values.read(r#"{"a": [1, null, "\u00fc\/"]}"#).unwrap(), json!({"a": [1, null, "ü/"]}));
/// let smallest = values.shrink(json!({"name": "ada", "tags": [1, 2, 3]}), |value| value.to_string().contains("[")).unwrap();
/// assert_eq!(smallest.value, json!([]));
/// ```
impl Generate for Value {
    type Generator = Any<Value>;
    #[inline]
    fn generator() -> Any<Value> {
        Any::new()
    }
}

/// JSON numbers: integers from `i64::MIN` to `u64::MAX`, of which 0 is the simplest, and finite
/// floats.
///
/// ```
/// use retrospect::prelude::*;
/// use serde_json::Number;
/// let numbers = any::<Number>();
/// assert_eq!(numbers.choices_of(&Number::from(-1)).unwrap().to_string(), "0:integer(2)");
/// assert!(numbers.accepts(&Number::from_f64(0.5).unwrap()));
/// // An integer that is not negative is also one without a sign.
/// let ways: Vec<String> = numbers.ways_of(&Number::from(1)).iter().map(|way| way.to_string()).collect();
/// assert_eq!(ways, ["0:integer(1)", "1:unsigned(1)"]);
/// ```
///
/// With the feature `arbitrary_precision` of `serde_json` there are more; those are not made.
impl Generate for Number {
    type Generator = Any<Number>;
    #[inline]
    fn generator() -> Any<Number> {
        Any::new()
    }
}

/// JSON objects, in the order of their entries: that of the keys, or that in which they were added,
/// if `serde_json` has the feature `preserve_order`.
///
/// ```
/// use retrospect::prelude::*;
/// use serde_json::{Map, Value, json};
/// let objects = any::<Map<String, Value>>();
/// let object = json!({"b": null, "a": true}).as_object().unwrap().clone();
/// assert_eq!(objects.read(&format!("{object:?}")).unwrap(), object);
/// ```
///
/// Keys and values are drawn as those of an object inside a value: short, and an eighth of the
/// size.
impl Generate for Map<String, Value> {
    type Generator = MapOf<Map<String, Value>, Keys, Held>;
    #[inline]
    fn generator() -> Self::Generator {
        objects()
    }
}

impl MapLike for Map<String, Value> {
    type Key = String;
    type Value = Value;
    #[inline]
    fn has(&self, key: &String) -> bool {
        self.contains_key(key)
    }
    #[inline]
    fn add(&mut self, key: String, value: Value) {
        self.insert(key, value);
    }
    #[inline]
    fn count(&self) -> usize {
        self.len()
    }
    #[inline]
    fn ordered<G: Generator<Value = String>>(&self, _generator: Option<&G>) -> Vec<(&String, &Value)> {
        self.iter().collect()
    }
}

#[inline]
fn strings() -> StringOf<Any<char>> {
    string_of(any::<char>(), ..)
}

#[inline]
fn arrays() -> VecOf<Held> {
    vec_of(Held, ..)
}

#[inline]
fn objects() -> MapOf<Map<String, Value>, Keys, Held> {
    MapOf::new(Keys, Held, (..).into())
}

impl Generator for Any<Value> {
    type Value = Value;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<Value> {
        let size = source.size();
        let weights = if size == 0 { &FLAT_WEIGHTS } else { &WEIGHTS };
        source.call(&VALUE, |source| match source.pick(&VALUE, weights)? {
            0 => Ok(Value::Null),
            1 => free_part(&any::<bool>(), source).map(Value::Bool),
            2 => free_part(&any::<Number>(), source).map(Value::Number),
            3 => free_part(&strings(), source).map(Value::String),
            4 => free_part(&arrays(), source).map(Value::Array),
            _ => free_part(&objects(), source).map(Value::Object),
        })
    }

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts::ONE_NODE.known(self, wanted, || (Form::of(&std::any::type_name::<Value>()), None))
    }

    fn reflect(&self, value: &Value, reflector: &mut Reflector) -> Reflected {
        let body = |reflector: &mut Reflector| match value {
            Value::Null => reflector.pick(&VALUE, weights_now(reflector), 0),
            Value::Bool(inner) => reflect_arm(1, any::<bool>(), inner, reflector),
            Value::Number(inner) => reflect_arm(2, any::<Number>(), inner, reflector),
            Value::String(inner) => reflect_arm(3, strings(), inner, reflector),
            Value::Array(inner) => reflect_arm(4, arrays(), inner, reflector),
            Value::Object(inner) => reflect_arm(5, objects(), inner, reflector),
        };
        reflector.call(&VALUE, || Some(0), std::ptr::from_ref(value).cast(), body)
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Value> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        read_once(&VALUE, Some(0), sketch, source, |source| complete_value(sketch, source))
    }
}

/// The weights that chance goes by.
fn weights_now(reflector: &Reflector) -> &'static [u32] {
    if reflector.size() == 0 && reflector.is_weighing() { &FLAT_WEIGHTS } else { &WEIGHTS }
}

#[inline]
fn reflect_arm<G: Generator>(arm: usize, generator: G, value: &G::Value, reflector: &mut Reflector) -> Reflected {
    reflector.pick(&VALUE, weights_now(reflector), arm)?;
    let segment = match arm {
        // An item or an entry says where it is itself.
        4 | 5 => Segment::Whole,
        _ => Segment::VariantPosition(VALUE.labels()[arm], 0),
    };
    reflector.part(segment, |reflector| generator.reflect(value, reflector))
}

fn complete_value(sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Value> {
    let inside = |name| Segment::VariantPosition(name, 0);
    if let Some([inner]) = sketch.tuple("Bool") {
        return source.at(inside("Bool"), |source| any::<bool>().complete(&inner, source)).map(Value::Bool);
    }
    if let Some([inner]) = sketch.tuple("String") {
        return source.at(inside("String"), |source| strings().complete(&inner, source)).map(Value::String);
    }
    if sketch.tuple::<1>("Number").is_some() {
        return any::<Number>().complete(sketch, source).map(Value::Number);
    }
    if sketch.items().is_some() {
        return arrays().complete(sketch, source).map(Value::Array);
    }
    if sketch.map_entries().is_some() {
        return objects().complete(sketch, source).map(Value::Object);
    }
    if sketch.record::<0>("Object", &[]).is_some() {
        return Ok(Value::Object(Map::new()));
    }
    if let Some(text) = sketch.string() {
        return Ok(Value::String(text));
    }
    match sketch.word() {
        Some("Null" | "null") => Ok(Value::Null),
        Some("true") => Ok(Value::Bool(true)),
        Some("false") => Ok(Value::Bool(false)),
        Some(word) if read_number(word).is_some() => Ok(read_number(word).into()),
        _ => Err(unexpected("a JSON value", sketch, source)),
    }
}

/// The items of an array and the values of an object, which are smaller than what holds them.
#[derive(Clone, Copy, Debug)]
pub struct Held;

impl Generator for Held {
    type Value = Value;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<Value> {
        let size = source.size() / SHRINKAGE;
        source.resized(size, |source| any::<Value>().generate(source))
    }

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts::ONE_NODE.known(self, wanted, || (any::<Value>().facts(wanted).form, None))
    }

    #[inline]
    fn reflect(&self, value: &Value, reflector: &mut Reflector) -> Reflected {
        let size = reflector.size() / SHRINKAGE;
        reflector.resized(size, |reflector| any::<Value>().reflect(value, reflector))
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Value> {
        any::<Value>().complete(sketch, source)
    }
}

/// The keys of an object.
#[derive(Clone, Copy, Debug)]
pub struct Keys;

impl Generator for Keys {
    type Value = String;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<String> {
        let size = source.size().min(USUAL_KEY);
        source.resized(size, |source| strings().generate(source))
    }

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts::ONE_NODE.known(self, wanted, || (strings().facts(wanted).form, None))
    }

    #[inline]
    fn reflect(&self, value: &String, reflector: &mut Reflector) -> Reflected {
        let size = reflector.size().min(USUAL_KEY);
        reflector.resized(size, |reflector| strings().reflect(value, reflector))
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<String> {
        strings().complete(sketch, source)
    }
}

const NUMBER_WEIGHTS: [u32; 3] = [6, 1, 2];

#[inline]
fn fractions() -> Floats<f64> {
    floats().finite()
}

impl Generator for Any<Number> {
    type Value = Number;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<Number> {
        source.call(&NUMBER, |source| match source.pick(&NUMBER, &NUMBER_WEIGHTS)? {
            0 => free_part(&any::<i64>(), source).map(Number::from),
            1 => free_part(&any::<u64>(), source).map(Number::from),
            _ => {
                let float = free_part(&fractions(), source)?;
                Ok(Number::from_f64(float).unwrap_or(0.into()))
            }
        })
    }

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts::ONE_NODE.known(self, wanted, || (Form::of(&std::any::type_name::<Number>()), None))
    }

    #[inline]
    fn reflect(&self, value: &Number, reflector: &mut Reflector) -> Reflected {
        // An integer that is not negative is made in two ways.
        let body = |reflector: &mut Reflector| {
            reflector.ways(NUMBER_WEIGHTS.len(), |reflector, arm| {
                match (arm, value.as_i64(), value.as_u64(), value.as_f64()) {
                    (0, Some(number), ..) if Number::from(number) == *value => {
                        reflect_number(0, any::<i64>(), &number, reflector)
                    }
                    (1, _, Some(number), _) if Number::from(number) == *value => {
                        reflect_number(1, any::<u64>(), &number, reflector)
                    }
                    (2, None, None, Some(number)) if Number::from_f64(number).as_ref() == Some(value) => {
                        reflect_number(2, fractions(), &number, reflector)
                    }
                    _ => reflector.mismatch(value, || "it is neither an integer of 64 bits nor a float".to_owned()),
                }
            })
        };
        reflector.call(&NUMBER, || None, std::ptr::from_ref(value).cast(), body)
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Number> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let inner = sketch.tuple("Number").map_or(*sketch, |[inner]| inner);
        if inner.is_hole() {
            return self.generate(source);
        }
        let number = inner.word().and_then(read_number);
        number.ok_or_else(|| unexpected("a JSON number such as 1.5", &inner, source))
    }
}

#[inline]
fn reflect_number<G: Generator>(arm: usize, generator: G, value: &G::Value, reflector: &mut Reflector) -> Reflected {
    reflector.pick(&NUMBER, &NUMBER_WEIGHTS, arm)?;
    reflector.part(Segment::Whole, |reflector| generator.reflect(value, reflector))
}

fn read_number(text: &str) -> Option<Number> {
    if !text.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
        return None;
    }
    match (text.parse::<i64>(), text.parse::<u64>()) {
        (Ok(number), _) if text != "-0" => Some(number.into()),
        (Err(_), Ok(number)) => Some(number.into()),
        _ => Number::from_f64(text.parse().ok()?),
    }
}
