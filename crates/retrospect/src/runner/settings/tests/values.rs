//! The text of a value.

use super::super::read::{duration, duration_text, whole_number};
use super::super::{Color, Health, Key, Settings};
use crate::prelude::*;
use std::time::Duration;

#[test]
fn whole_numbers_are_read_or_refused() {
    for (text, number) in [
        ("0", Ok(0)),
        (" 1_000 ", Ok(1000)),
        ("+7", Ok(7)),
        ("0xff_FF", Ok(0xffff)),
        ("18446744073709551615", Ok(u64::MAX)),
        ("18446744073709551616", Err("is too large: at most 18446744073709551615 is possible")),
        ("-3", Err("is below 0")),
        ("--3", Err("is not a whole number")),
        ("1.5", Err("is not a whole number")),
        ("0x", Err("is not a whole number")),
        ("_1", Err("is not a whole number")),
        ("1e3", Err("is not a whole number")),
        ("99999999999999999999z", Err("is not a whole number")),
    ] {
        assert_eq!(
            whole_number(text, u64::MAX).as_ref().map_err(String::as_str),
            number.as_ref().map_err(|text| *text),
            "{text}"
        );
    }
}

#[test]
fn times_are_read_exactly_or_refused() {
    let no_time = "is not a time such as 50ms, 2s, 1.5 s, 5m or 1h";
    for (text, nanos) in [
        ("50ms", Ok(50_000_000)),
        ("2s", Ok(2_000_000_000)),
        ("1.5 s", Ok(1_500_000_000)),
        ("0.1s", Ok(100_000_000)),
        ("5m", Ok(300_000_000_000)),
        ("1h", Ok(3_600_000_000_000)),
        ("7us", Ok(7_000)),
        ("7 µs", Ok(7_000)),
        ("9ns", Ok(9)),
        ("1.500000000000000000000000000000000000000000000s", Ok(1_500_000_000)),
        ("0s", Ok(0)),
        ("5", Err("has no unit: write 5ms, 5s, 5m or 5h")),
        ("1.5", Err("has no unit: write 1.5ms, 1.5s, 1.5m or 1.5h")),
        ("2 days", Err("has no known unit, but days: the units are ns, us, ms, s, m and h")),
        ("2 S", Err("has no known unit, but S: the units are ns, us, ms, s, m and h")),
        ("soon", Err(no_time)),
        ("s", Err(no_time)),
        (".5s", Err(no_time)),
        ("5.s", Err(no_time)),
        ("1.2.3s", Err(no_time)),
        ("-2s", Err("is below 0")),
        ("--2s", Err(no_time)),
        ("0.5ns", Err("is finer than a nanosecond")),
        ("1.00000000000000000000000000000000000000000000001s", Err("is finer than a nanosecond")),
        ("18446744073709551616s", Err("is too long: no clock counts so far")),
        ("999999999999999999999999999999999999999999999h", Err("is too long: no clock counts so far")),
    ] {
        let nanos = nanos.map(Duration::from_nanos);
        assert_eq!(duration(text).as_ref().map_err(String::as_str), nanos.as_ref().map_err(|text| *text), "{text}");
    }
}

#[test]
fn every_time_that_is_written_is_read() {
    let special = [Duration::ZERO, Duration::MAX, Duration::from_secs(u64::MAX)];
    for time in any::<Duration>().samples(1).take(5_000).chain(special) {
        assert_eq!(duration(&duration_text(time)), Ok(time));
    }
    assert_eq!(duration_text(Duration::from_millis(90_000)), "90s");
    assert_eq!(duration_text(Duration::from_micros(1_500)), "1500us");
}

#[test]
fn every_setting_that_is_written_is_read() {
    let (numbers, times, flags) = (any::<u64>(), any::<Duration>(), any::<bool>());
    for seed in 0..500 {
        let settings = Settings::new()
            .cases(numbers.sample(seed).max(1))
            .max_cases(numbers.sample(seed + 3).max(1))
            .time(times.sample(seed).max(Duration::from_nanos(1)))
            .seed(numbers.sample(seed + 1))
            .size((0..=1_000_000).sample(seed))
            .max_depth(any::<u32>().sample(seed + 1).max(8))
            .exhaustive(flags.sample(seed))
            .isolate(flags.sample(seed + 1))
            .timeout(times.sample(seed + 1).max(Duration::from_nanos(1)))
            .expect_failure(flags.sample(seed + 2))
            .shrink_time(times.sample(seed + 2))
            .shrink_runs(numbers.sample(seed + 2))
            .verbose((0..=2).sample(seed))
            .save(flags.sample(seed + 3))
            .regressions(string_of('a'..='z', 1..9).sample(seed))
            .weights(string_of('a'..='z', 1..9).sample(seed + 1))
            .all_failures(flags.sample(seed + 4));
        let settings = settings.allow(Health::ALL[seed as usize % 4]).color(Color::ALL[seed as usize % 3]);
        let written = Key::all().fold(Settings::new(), |read, key| read.set(key.name(), &settings.text(key).unwrap()));
        assert_eq!(written, settings);
    }
}

#[test]
fn no_text_is_too_strange_to_be_read_or_refused() {
    let alphabet = string_of(element_of("0129_.-+ xmsnhµ,truefalsow\n\u{0}é".chars().collect::<Vec<_>>()), 0..12);
    let strings = any::<String>();
    let texts = alphabet.samples(2).take(3_000).chain(strings.samples(3).take(500));
    let long = ["-", "0", "9", "_", ".", "s", "slow,"].map(|part| part.repeat(100_000));
    for text in texts.chain(long) {
        for key in Key::all() {
            let mut settings = Settings::new();
            if let Err(reason) = settings.read(key, &text) {
                assert!(reason.len() < 300, "{reason}");
            }
        }
    }
}
