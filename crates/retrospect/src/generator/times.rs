use super::any::Generate;
use super::integers::Span;
use super::options::unexpected;
use super::{Any, Generator};
use crate::choice::Site;
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Chance, CustomDistribution, Distribution, Drawn, Rng, Source};
use std::time::{Duration, SystemTime};

static DURATION: Site = Site::call("duration", file!(), line!());
static SYSTEM_TIME: Site = Site::call("system_time", file!(), line!());

/// Durations, by their seconds and nanoseconds: 0 is the simplest.
///
/// Small numbers of seconds and boundaries come far more often than chance would have them, up to
/// [`Duration::MAX`]; half have no fraction of a second, a quarter are whole milliseconds.
///
/// ```
/// use retrospect::prelude::*;
/// use std::time::Duration;
/// let durations = any::<Duration>();
/// assert_eq!(durations.replay(&Choices::default()), Duration::ZERO);
/// assert_eq!(durations.choices_of(&Duration::from_millis(1_500)).unwrap().to_string(), "(1 500000000)");
/// ```
impl Generate for Duration {
    type Generator = Any<Duration>;
    #[inline]
    fn generator() -> Any<Duration> {
        Any::new()
    }
}

pub(crate) const LAST_NANO: u64 = 999_999_999;
pub(crate) const NANOS: Distribution =
    Distribution::Custom(CustomDistribution { draw: draw_nanos, parameters: [0; 4], chance: Some(chance_of_nanos) });

fn draw_nanos(max: u64, _: [u64; 4], rng: &mut Rng) -> u64 {
    let dice = rng.next();
    match dice & 15 {
        0..=7 => 0,
        8..=11 => rng.at_most(max / 1_000_000) * 1_000_000,
        12 => [1, max, 500_000_000, 999][(dice >> 4) as usize & 3],
        _ => rng.at_most(max),
    }
}

fn chance_of_nanos(nanos: u64, max: u64, _: [u64; 4]) -> Option<Chance> {
    let mut chance = Chance::new(3, 16).times(Chance::new(1, u128::from(max) + 1))?;
    if nanos == 0 {
        chance = chance.plus(Chance::new(1, 2))?;
    }
    if nanos.is_multiple_of(1_000_000) {
        chance = chance.plus(Chance::new(1, 4 * (u128::from(max / 1_000_000) + 1)))?;
    }
    match [1, max, 500_000_000, 999].contains(&nanos) {
        true => chance.plus(Chance::new(1, 64)),
        false => Some(chance),
    }
}

impl Generator for Any<Duration> {
    type Value = Duration;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<Duration> {
        source.call(&DURATION, |source| {
            let seconds = source.number_part(u64::MAX, Distribution::Mixed)?;
            let nanos = source.number_part(LAST_NANO, NANOS)?;
            Ok(Duration::new(seconds, nanos as u32))
        })
    }

    #[inline]
    fn reflect(&self, value: &Duration, reflector: &mut Reflector) -> Reflected {
        reflector.call(
            &DURATION,
            || None,
            std::ptr::from_ref(value).cast(),
            |reflector| {
                reflector.part(Segment::Position(0), |reflector| {
                    reflector.number(value.as_secs(), u64::MAX, Distribution::Mixed)
                })?;
                reflector.part(Segment::Position(1), |reflector| {
                    reflector.number(value.subsec_nanos().into(), LAST_NANO, NANOS)
                })
            },
        )
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Duration> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        read_duration(sketch.text()).ok_or_else(|| unexpected("a duration such as 1.5s", sketch, source))
    }
}

/// What `Debug` prints: `1.5s`, `20ms`, `3µs`, `7ns`, with as many decimals as are needed.
#[inline]
fn read_duration(text: &str) -> Option<Duration> {
    // The longest units first, since all end in `s`.
    let units = [("ns", 1), ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000u128)];
    let (number, unit) = units.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)))?;
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(decimals) || (decimals.is_empty() && number.contains('.')) {
        return None;
    }
    let mut nanos = whole.parse::<u128>().ok()?.checked_mul(unit)?;
    let mut place = unit;
    for digit in decimals.bytes() {
        place /= 10;
        nanos += u128::from(digit - b'0') * place;
    }
    let seconds = u64::try_from(nanos / 1_000_000_000).ok()?;
    Some(Duration::new(seconds, (nanos % 1_000_000_000) as u32))
}

/// Points in time, by their seconds and nanoseconds after 1970, which is the simplest; before it
/// the seconds are negative.
///
/// Half lie between 1970 and 2106; of the others small distances and boundaries come far more often
/// than chance would have them, as far as the platform's clock can tell. The text that `Debug`
/// prints is read on the platforms that show seconds and nanoseconds.
///
/// ```
/// use retrospect::prelude::*;
/// use std::time::{Duration, SystemTime};
/// let times = any::<SystemTime>();
/// assert_eq!(times.replay(&Choices::default()), SystemTime::UNIX_EPOCH);
/// let before = SystemTime::UNIX_EPOCH - Duration::from_millis(500);
/// assert_eq!(times.choices_of(&before).unwrap().to_string(), "(2 500000000)");
/// ```
impl Generate for SystemTime {
    type Generator = Any<SystemTime>;
    #[inline]
    fn generator() -> Any<SystemTime> {
        Any::new()
    }
}

const SECONDS: Distribution = Distribution::Custom(CustomDistribution {
    draw: draw_seconds,
    parameters: [0; 4],
    chance: Some(chance_of_seconds),
});

fn draw_seconds(max: u64, _: [u64; 4], rng: &mut Rng) -> u64 {
    if rng.next() >> 63 == 0 {
        seconds_index(rng.at_most(u32::MAX.into()) as i64)
    } else {
        Distribution::Mixed.draw(max, rng)
    }
}

fn chance_of_seconds(index: u64, max: u64, _: [u64; 4]) -> Option<Chance> {
    let other = Distribution::Mixed.chance(index, max)?.times(Chance::new(1, 2))?;
    // The indices of the seconds from 0 to 2^32 - 1, which are odd but for the first.
    let is_recent = index == 0 || (index % 2 == 1 && index / 2 < u64::from(u32::MAX));
    if is_recent { other.plus(Chance::new(1, 1 << 33)) } else { Some(other) }
}

/// In the order of integers: 0, 1, -1, 2, -2, …
#[inline]
fn seconds_index(seconds: i64) -> u64 {
    Span::new(i64::MIN, i64::MAX).index_of(seconds)
}

#[inline]
fn seconds_at(index: u64) -> i64 {
    Span::new(i64::MIN, i64::MAX).value_at(index)
}

#[inline]
fn time_at(seconds: i64, nanos: u32) -> Option<SystemTime> {
    let whole = Duration::from_secs(seconds.unsigned_abs());
    let time = match seconds >= 0 {
        true => SystemTime::UNIX_EPOCH.checked_add(whole),
        false => SystemTime::UNIX_EPOCH.checked_sub(whole),
    };
    time?.checked_add(Duration::from_nanos(nanos.into()))
}

/// The seconds, rounded down, and the nanoseconds after that.
#[inline]
fn parts_of(time: &SystemTime) -> Option<(i64, u32)> {
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => Some((i64::try_from(after.as_secs()).ok()?, after.subsec_nanos())),
        Err(error) => {
            let before = error.duration();
            let seconds = 0i64.checked_sub_unsigned(before.as_secs())?;
            match before.subsec_nanos() {
                0 => Some((seconds, 0)),
                nanos => Some((seconds.checked_sub(1)?, 1_000_000_000 - nanos)),
            }
        }
    }
}

impl Generator for Any<SystemTime> {
    type Value = SystemTime;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<SystemTime> {
        source.call(&SYSTEM_TIME, |source| {
            let seconds = seconds_at(source.part(|source| source.number(u64::MAX, SECONDS))?);
            let nanos = source.part(|source| source.number(LAST_NANO, NANOS))? as u32;
            // What the platform's clock cannot tell is brought nearer until it can.
            let nearer = std::iter::successors(Some(seconds), |seconds| Some(seconds / 2));
            Ok(nearer.take(64).find_map(|seconds| time_at(seconds, nanos)).unwrap_or(SystemTime::UNIX_EPOCH))
        })
    }

    #[inline]
    fn reflect(&self, value: &SystemTime, reflector: &mut Reflector) -> Reflected {
        let Some((seconds, nanos)) = parts_of(value) else {
            return reflector.mismatch(value, || "it is more than 2^63 seconds from 1970".to_owned());
        };
        reflector.call(
            &SYSTEM_TIME,
            || None,
            std::ptr::from_ref(value).cast(),
            |reflector| {
                reflector.part(Segment::Position(0), |reflector| {
                    reflector.number(seconds_index(seconds), u64::MAX, SECONDS)
                })?;
                reflector.part(Segment::Position(1), |reflector| reflector.number(nanos.into(), LAST_NANO, NANOS))
            },
        )
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<SystemTime> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let expected = "SystemTime { tv_sec: …, tv_nsec: … }";
        let Some([seconds, nanos]) = sketch.record("SystemTime", &["tv_sec", "tv_nsec"]) else {
            return Err(unexpected(expected, sketch, source));
        };
        let seconds = match seconds.is_hole() {
            true => seconds_at(source.number(u64::MAX, SECONDS)?),
            false => seconds.parsed().ok_or_else(|| unexpected("a number of seconds", &seconds, source))?,
        };
        let nanos = match nanos.is_hole() {
            true => source.number(LAST_NANO, NANOS)? as u32,
            false => nanos
                .parsed::<u32>()
                .filter(|nanos| u64::from(*nanos) <= LAST_NANO)
                .ok_or_else(|| unexpected("a number of nanoseconds", &nanos, source))?,
        };
        time_at(seconds, nanos)
            .ok_or_else(|| source.not_made(sketch.text(), || "the clock of this platform cannot tell it".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_seconds_has_an_index() {
        let order: Vec<i64> = (0..5).map(seconds_at).collect();
        assert_eq!(order, [0, 1, -1, 2, -2]);
        for seconds in [0, 1, -1, i64::MAX, -i64::MAX, i64::MIN, i64::MIN + 1, 1 << 40] {
            assert_eq!(seconds_at(seconds_index(seconds)), seconds);
        }
    }

    #[test]
    fn durations_are_read_as_they_are_printed() {
        let nanos =
            [0, 1, 999, 1_000, 1_001, 999_999, 1_000_000, 1_500_000, 999_999_999, 1_000_000_000, 61_000_000_001];
        for duration in nanos.map(Duration::from_nanos).into_iter().chain([Duration::MAX]) {
            assert_eq!(read_duration(&format!("{duration:?}")), Some(duration));
        }
        for wrong in ["", "s", "1", "1.s", ".5s", "-1s", "1.5", "99999999999999999999s", "1 s"] {
            assert_eq!(read_duration(wrong), None, "{wrong}");
        }
    }
}
