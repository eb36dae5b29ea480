//! Durations as they are written in settings: `2s`, `50ms`, `1.5 s`, `5m`, `1h`.

use std::time::Duration;

/// Each unit and its length in nanoseconds.
const UNITS: [(&str, u128); 6] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// Reads a duration, exactly: fractions are not rounded on the way as a float would be.
pub(crate) fn read(text: &str) -> Result<Duration, String> {
    let form = "write a number and a unit, such as \"2s\", \"50ms\", \"1.5s\", \"5m\" or \"1h\"";
    let text = text.trim();
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, unit) = (&text[..end], text[end..].trim());
    if unit.is_empty() && !number.is_empty() {
        return Err(format!("\"{text}\" has no unit: {form}"));
    }
    let Some((_, nanoseconds)) = UNITS.iter().find(|(name, _)| *name == unit) else {
        return Err(format!("\"{text}\" is not a duration: {form}"));
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let too_long = || format!("\"{text}\" is longer than can be measured: {form}");
    if whole.is_empty() || fraction.is_empty() || fraction.contains('.') {
        return Err(format!("\"{text}\" is not a duration: {form}"));
    }
    let whole: u64 = whole.parse().map_err(|_| too_long())?;
    // Digits beyond the 18th are less than a nanosecond of any unit.
    let fraction = &fraction[..fraction.len().min(18)];
    let part = fraction.parse::<u128>().map_err(|_| too_long())? * nanoseconds / 10_u128.pow(fraction.len() as u32);
    let total = u128::from(whole) * nanoseconds + part;
    let seconds = u64::try_from(total / 1_000_000_000).map_err(|_| too_long())?;
    Ok(Duration::new(seconds, (total % 1_000_000_000) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_exact() {
        assert_eq!(read("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(read(" 50ms "), Ok(Duration::from_millis(50)));
        assert_eq!(read("1.5 s"), Ok(Duration::from_millis(1500)));
        assert_eq!(read("0.1s"), Ok(Duration::from_millis(100)));
        assert_eq!(read("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(read("1.25h"), Ok(Duration::from_secs(4500)));
        assert_eq!(read("0.000001ms"), Ok(Duration::from_nanos(1)));
        assert_eq!(read("0.00000000000000000000000001h"), Ok(Duration::ZERO));
        assert_eq!(read("18446744073709551615s"), Ok(Duration::from_secs(u64::MAX)));
    }

    #[test]
    fn what_is_no_duration_is_said() {
        let problem = |text| read(text).unwrap_err();
        assert!(problem("2").starts_with("\"2\" has no unit: write a number and a unit"));
        assert!(
            problem("18446744073709551615h").starts_with("\"18446744073709551615h\" is longer than can be measured")
        );
        assert!(problem("99999999999999999999s").contains("is longer than can be measured"));
        for text in ["", "s", "-1s", "1,5s", "1.s", ".5s", "1.2.3s", "2 days", "2s 3s", "١s", "1e3s", "."] {
            let said = problem(text);
            assert!(said.contains("is not a duration") || said.contains("has no unit"), "{text}: {said}");
        }
    }
}
