//! What is noticed about a case: by the body, and by looking at the text of its arguments.

use crate::runner::statistics::{CaseLog, Value};
use retrospect_stats::{Json, Line, ready_name};
use std::borrow::Cow;

type Features<'f> = Vec<(Cow<'f, str>, Json<'f>)>;

/// More categories of one name in one case are not told apart.
const MOST_CATEGORIES: usize = 5;

/// What the body logged. Of several numbers of one name in a case the largest is kept, of several
/// categories all.
pub(super) fn add_logged(line: &mut Line<'_>, log: &CaseLog) {
    for (name, value) in &logged(log) {
        line.member(name, value);
    }
}

fn logged(log: &CaseLog) -> Features<'_> {
    let mut all = Vec::new();
    let features = &mut all;
    for event in &log.events {
        match &event.value {
            Value::Flag(held) => add_flag(features, event.name, *held),
            Value::Number(number) => match find(features, event.name) {
                None => features.push((Cow::Borrowed(event.name), Json::Number(*number))),
                Some(Json::Number(largest)) => *largest = largest.max(*number),
                Some(_) => {}
            },
            Value::Category(text) => add_category(features, event.name, text),
        }
    }
    for cover in &log.covers {
        add_flag(features, cover.label(), cover.held_in() > 0);
    }
    for score in &log.scores {
        if let Some(best) = score.best {
            features.push((Cow::Owned(format!("target:{}", score.label)), Json::Number(best)));
        }
    }
    all
}

fn find<'a, 'f>(features: &'a mut Features<'f>, name: &str) -> Option<&'a mut Json<'f>> {
    for (known, value) in features {
        if known == name {
            return Some(value);
        }
    }
    None
}

fn add_flag(features: &mut Features<'_>, name: &'static str, held: bool) {
    let text = |held| Json::Text(Cow::Borrowed(if held { "true" } else { "false" }));
    match find(features, name) {
        None => features.push((Cow::Borrowed(name), text(held))),
        Some(value) if held => *value = text(true),
        Some(_) => {}
    }
}

fn add_category<'f>(features: &mut Features<'f>, name: &'static str, text: &'f str) {
    match find(features, name) {
        None => features.push((Cow::Borrowed(name), Json::Text(Cow::Borrowed(text)))),
        Some(Json::Text(all)) => {
            let count = all.split(" + ").count();
            if !all.split(" + ").any(|known| known == text || known == "…") {
                let more = if count < MOST_CATEGORIES { text } else { "…" };
                *all = Cow::Owned(format!("{all} + {more}"));
            }
        }
        Some(_) => {}
    }
}

/// What is made of the name of an argument, as it stands in a line.
pub(super) struct Names {
    name: String,
    argument: Vec<u8>,
    timing: Vec<u8>,
    itself: Vec<u8>,
    length: Vec<u8>,
}

impl Names {
    pub(super) fn of(name: &str) -> Names {
        Names {
            name: name.to_owned(),
            argument: ready_name(name),
            timing: ready_name(&format!("generate:{name}")),
            itself: ready_name(&format!("auto:{name}")),
            length: ready_name(&format!("auto:{name}.len")),
        }
    }

    pub(super) fn is_of(&self, name: &str) -> bool {
        self.name == name
    }

    pub(super) fn argument(&self) -> &[u8] {
        &self.argument
    }

    pub(super) fn timing(&self) -> &[u8] {
        &self.timing
    }
}

/// What can be told without a word in the body: how many choices there are, and of each argument
/// what it is or how long.
pub(super) fn add_automatic(line: &mut Line<'_>, names: &[Names], arguments: &[(String, String)], choices: u64) {
    line.ready_whole(b"\"auto:choices\":", choices);
    for (name, text) in arguments {
        let Some(names) = names.iter().find(|known| known.is_of(name)) else { continue };
        match seen_in(text) {
            Seen::Number => line.ready_member(&names.itself, &Json::Digits(Cow::Borrowed(text))),
            Seen::Word(word) => line.ready_member(&names.itself, &Json::from(word)),
            Seen::Length(length) => line.ready_whole(&names.length, length),
            Seen::Nothing => {}
        }
    }
}

#[derive(Debug, PartialEq)]
enum Seen<'t> {
    /// As JSON writes it too.
    Number,
    /// The variant of an enum, the name of a struct.
    Word(&'t str),
    /// Of a string, a list, a set or a map.
    Length(u64),
    Nothing,
}

fn seen_in(text: &str) -> Seen<'_> {
    match text.as_bytes() {
        [b'0'..=b'9' | b'-', ..] if is_number(text) => Seen::Number,
        // A function: how many of its answers were asked for is no matter of the generator.
        [b'{', ..] if text.ends_with('}') && text.contains("_ => ") => Seen::Nothing,
        [b'[' | b'{', ..] => Seen::Length(items(text)),
        [b'"', ..] => Seen::Length(characters(text)),
        [b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => {
            let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            let end = text.bytes().position(|byte| !is_name(&byte)).unwrap_or(text.len());
            Seen::Word(&text[..end])
        }
        _ => Seen::Nothing,
    }
}

/// Whether it is a number of JSON: digits, and perhaps a point and an exponent, each with digits
/// behind it. What no float can hold is refused by many readers, and with it the line.
fn is_number(text: &str) -> bool {
    const SURELY_FINITE: usize = 300;
    let bytes = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let mut digits = 0;
    let (mut has_point, mut has_exponent) = (false, false);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'0'..=b'9' => digits += 1,
            b'.' if digits > 0 && !has_point && !has_exponent => (has_point, digits) = (true, 0),
            b'e' if digits > 0 && !has_exponent => (has_exponent, digits) = (true, 0),
            b'-' if at > 0 && bytes[at - 1] == b'e' => {}
            _ => return false,
        }
    }
    let is_finite = match has_exponent {
        true => text.parse::<f64>().is_ok_and(f64::is_finite),
        false => bytes.len() <= SURELY_FINITE,
    };
    // No number begins with a zero that means nothing.
    is_finite && digits > 0 && (bytes[0] != b'0' || bytes.len() == 1 || !bytes[1].is_ascii_digit())
}

/// How many items stand between the outermost brackets: one more than commas, unless there is
/// nothing.
fn items(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let (mut depth, mut commas, mut at) = (0_u32, 0, 0);
    let mut is_empty = true;
    while at < bytes.len() {
        match bytes[at] {
            b'[' | b'{' | b'(' => {
                is_empty &= depth == 0;
                depth += 1;
            }
            b']' | b'}' | b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            b',' if depth == 1 => {
                // One at the end, as `{:#?}` writes it, separates nothing.
                let rest = text[at + 1..].trim_start();
                commas += u64::from(!rest.starts_with([']', '}']));
            }
            quote @ (b'"' | b'\'') => {
                is_empty = false;
                at = end_of_quoted(bytes, at, quote);
            }
            byte if !byte.is_ascii_whitespace() => is_empty = false,
            _ => {}
        }
        at += 1;
    }
    if is_empty { 0 } else { commas + 1 }
}

/// Where a string or character ends; where it begins, if it is none: a quote may stand for a
/// lifetime.
fn end_of_quoted(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            byte if byte == quote => return at,
            _ => {}
        }
        at += 1;
    }
    start
}

/// How many characters a string has, each escape being one.
fn characters(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let (mut count, mut at) = (0, 1);
    while at < bytes.len() && bytes[at] != b'"' {
        let is_escape = bytes[at] == b'\\';
        at += if is_escape { 2 } else { 1 };
        if is_escape && bytes.get(at - 1) == Some(&b'u') {
            while at < bytes.len() && bytes[at - 1] != b'}' {
                at += 1;
            }
        }
        // The rest of a character of several bytes.
        while bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80) {
            at += 1;
        }
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::{Seen, is_number, logged, seen_in};
    use crate::prelude::*;
    use crate::runner::statistics;
    use retrospect_stats::Json;
    use std::collections::{BTreeMap, BTreeSet, HashSet};
    use std::fmt::Debug;

    fn seen(value: impl Debug) -> String {
        format!("{:?}", seen_in(&format!("{value:?}")))
    }

    #[test]
    fn values_are_known_by_their_text() {
        assert_eq!(seen(-7), "Number");
        assert_eq!(seen(0.5), "Number");
        assert_eq!(seen(f64::NAN), "Word(\"NaN\")");
        assert_eq!(seen(true), "Word(\"true\")");
        assert_eq!(seen(Some(3)), "Word(\"Some\")");
        assert_eq!(seen(()), "Nothing");
        assert_eq!(seen((1, 2)), "Nothing");
        assert_eq!(seen('x'), "Nothing");
        assert_eq!(seen_in(""), Seen::Nothing);
        assert_eq!(seen_in("-"), Seen::Nothing);
        assert_eq!(seen_in("{3 => true, _ => false}"), Seen::Nothing);
    }

    #[test]
    fn numbers_are_those_of_json() {
        check(any::<f64>(), |number| assert_eq!(is_number(&format!("{number:?}")), number.is_finite()));
        check(any::<i128>(), |number| assert!(is_number(&number.to_string())));
        assert!(!is_number(&"9".repeat(400)) && !is_number("1e999"));
        check(vec_of(0..14_usize, ..7), |letters| {
            let text: String = letters.into_iter().map(|letter| char::from(b"-.e00123456789"[letter])).collect();
            assert_eq!(is_number(&text), serde_json::from_str::<serde_json::Number>(&text).is_ok(), "{text}");
        });
    }

    #[test]
    fn lengths_are_those_of_the_values() {
        check(vec_of(vec_of(any::<(Option<u8>, char, String)>(), ..4), ..6), |list| {
            assert_eq!(seen(&list), format!("Length({})", list.len()));
            assert_eq!(format!("{:?}", seen_in(&format!("{list:#?}"))), format!("Length({})", list.len()));
        });
        check(any::<String>(), |text| assert_eq!(seen(&text), format!("Length({})", text.chars().count())));
        check(vec_of(any::<(u8, char)>(), ..6), |list| {
            let (map, set): (BTreeMap<_, _>, HashSet<_>) = (list.iter().copied().collect(), list.iter().collect());
            assert_eq!(seen(&map), format!("Length({})", map.len()));
            assert_eq!(seen(&set), format!("Length({})", set.len()));
        });
        assert_eq!(seen(BTreeSet::<u8>::new()), "Length(0)");
        assert_eq!(seen(vec![(); 3]), "Length(3)");
        assert_eq!(seen(vec!["a,b", "]"]), "Length(2)");
    }

    #[test]
    fn no_text_is_too_strange_to_be_looked_at() {
        check(any::<String>(), |text| {
            for start in ["", "[", "{", "\"", "-", "a", "[\"", "['"] {
                seen_in(&format!("{start}{text}"));
            }
        });
    }

    #[test]
    fn what_is_logged_more_than_once_is_put_together() {
        let _log = statistics::begin(false);
        for (number, kind) in [(1, "a"), (3, "b"), (2, "a"), (2, "c"), (2, "d"), (2, "e"), (2, "f"), (2, "g")] {
            event!("number", number);
            event!("kind", kind);
        }
        classify!(false, "seen");
        classify!(true, "seen");
        classify!(false, "not seen");
        cover!(0.5, number_is_odd(3), "odd");
        target!(2.5, "height");
        target!(f64::NAN, "no number");
        event!("endless", f64::INFINITY);
        let log = statistics::take();
        let features = logged(&log);
        assert_eq!(
            Json::Object(features).to_string(),
            "{\"number\":3,\"kind\":\"a + b + c + d + e + …\",\"seen\":\"true\",\"not seen\":\"false\",\"endless\":\"inf\",\
             \"odd\":\"true\",\"target:height\":2.5}"
        );
    }

    fn number_is_odd(number: u32) -> bool {
        number % 2 == 1
    }
}
