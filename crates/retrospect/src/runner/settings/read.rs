//! Reading the text of a value. A reason goes on where the value ends: "is not a whole number".

use super::problems::{did_you_mean, shortened};
use super::{Color, Health};
use std::time::Duration;

/// `1000`, `1_000` or `0x3e8`.
pub(super) fn whole_number(text: &str, most: u64) -> Result<u64, String> {
    let text = text.trim();
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    let (digits, radix) = match unsigned.strip_prefix("0x").or(unsigned.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (unsigned, 10),
    };
    if is_negative(text) {
        return Err("is below 0".to_owned());
    }
    let mut number = Some(0u64);
    for digit in digits.chars() {
        if digit == '_' {
            continue;
        }
        let Some(digit) = digit.to_digit(radix) else {
            return Err("is not a whole number".to_owned());
        };
        number = number.and_then(|number| number.checked_mul(radix.into())?.checked_add(digit.into()));
    }
    if !digits.starts_with(|first: char| first.is_digit(radix)) {
        return Err("is not a whole number".to_owned());
    }
    number.filter(|&number| number <= most).ok_or_else(|| format!("is too large: at most {most} is possible"))
}

fn is_negative(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}

pub(super) fn flag(text: &str) -> Result<bool, String> {
    match text.trim() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err("is neither true nor false".to_owned()),
    }
}

pub(super) fn flag_text(flag: bool) -> String {
    (if flag { "true" } else { "false" }).to_owned()
}

pub(super) fn level(text: &str) -> Result<u8, String> {
    match text.trim() {
        "false" | "0" => Ok(0),
        "true" | "1" => Ok(1),
        "2" => Ok(2),
        _ => Err("is not 0, 1 or 2".to_owned()),
    }
}

/// The units of time and their nanoseconds, the largest first. `µs` is read as well.
const UNITS: [(&str, u128); 6] = [
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// `50ms`, `2s`, `1.5 s`, `5m`, `1h`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    if is_negative(text) {
        return Err("is below 0".to_owned());
    }
    let end = text.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(text.len());
    let (number, unit) = (&text[..end], text[end..].trim_start());
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    if whole.is_empty() || fraction.is_empty() || fraction.contains('.') {
        return Err("is not a time such as 50ms, 2s, 1.5 s, 5m or 1h".to_owned());
    }
    if unit.is_empty() {
        let number = shortened(number);
        return Err(format!("has no unit: write {number}ms, {number}s, {number}m or {number}h"));
    }
    let Some(&(_, unit_nanos)) = UNITS.iter().find(|(name, _)| *name == unit || (unit == "µs" && *name == "us"))
    else {
        return Err(format!("has no known unit, but {}: the units are ns, us, ms, s, m and h", shortened(unit)));
    };
    // Exact, since 0.1 has no exact binary fraction and a time that is written down should be the
    // time that is kept.
    let mut nanos = in_nanos(whole, unit_nanos);
    let fraction = fraction.trim_end_matches('0');
    if !fraction.is_empty() {
        let scale = 10u128.checked_pow(u32::try_from(fraction.len()).unwrap_or(u32::MAX));
        match (in_nanos(fraction, unit_nanos), scale) {
            (Some(scaled), Some(scale)) if scaled.is_multiple_of(scale) => {
                nanos = nanos.and_then(|nanos| nanos.checked_add(scaled / scale));
            }
            _ => return Err("is finer than a nanosecond".to_owned()),
        }
    }
    let seconds = nanos.and_then(|nanos| Some((u64::try_from(nanos / 1_000_000_000).ok()?, nanos % 1_000_000_000)));
    match seconds {
        Some((seconds, nanos)) => Ok(Duration::new(seconds, nanos as u32)),
        None => Err("is too long: no clock counts so far".to_owned()),
    }
}

/// As many nanoseconds as so many units.
fn in_nanos(digits: &str, unit_nanos: u128) -> Option<u128> {
    digits.parse::<u128>().ok()?.checked_mul(unit_nanos)
}

/// The time in the largest unit that holds it without a fraction.
pub(crate) fn duration_text(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    match UNITS.iter().find(|(_, unit)| nanos.is_multiple_of(*unit)) {
        Some((unit, unit_nanos)) if nanos > 0 => format!("{}{unit}", nanos / unit_nanos),
        _ => "0s".to_owned(),
    }
}

/// Names of health checks, with commas between them.
pub(super) fn checks(text: &str) -> Result<Vec<Health>, String> {
    let mut checks = Vec::new();
    for name in text.split(',').map(str::trim) {
        let names = Health::ALL.map(Health::name);
        let Some(at) = names.iter().position(|known| *known == name) else {
            let (name, guess) = (shortened(name), did_you_mean(name, &names));
            let names = names.join(", ");
            return Err(format!("names \"{name}\", which is no health check; there are {names}{guess}"));
        };
        if !checks.contains(&Health::ALL[at]) {
            checks.push(Health::ALL[at]);
        }
    }
    Ok(checks)
}

pub(super) fn checks_text(checks: &[Health]) -> String {
    let mut text = String::new();
    for check in checks {
        if !text.is_empty() {
            text.push(',');
        }
        text += check.name();
    }
    text
}

pub(super) fn color(text: &str) -> Result<Color, String> {
    let names = Color::ALL.map(Color::name);
    match names.iter().position(|name| *name == text.trim()) {
        Some(at) => Ok(Color::ALL[at]),
        None => Err(format!("is none of {}{}", names.join(", "), did_you_mean(text.trim(), &names))),
    }
}
