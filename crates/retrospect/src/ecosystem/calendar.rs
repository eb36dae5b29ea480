//! Dates and times of day, as the crates for them have them in common.

use super::numbers::Numbers;
use crate::choice::Site;
use crate::generator::times::{LAST_NANO, NANOS};
use crate::generator::{Generator, free_part, part};
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Chance, CustomDistribution, Distribution, Drawn, Rng, Source};

static DATE: Site = Site::call("date", file!(), line!());
static OFFSET: Site = Site::call("offset", file!(), line!());
static TIME: Site = Site::call("time", file!(), line!());

/// Years, months and days: 1970-01-01 is the simplest, as it is for `SystemTime`.
///
/// Half of the years lie between 1970 and 2100. First and last days of months, and the 29th of
/// February, come often.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dates {
    pub(super) first_year: i64,
    pub(super) last_year: i64,
}

/// A year, a month from 1 and a day from 1.
pub(super) type Date = (i64, u32, u32);

/// A second in nanoseconds.
pub(super) const SECOND: i128 = LAST_NANO as i128 + 1;

const EPOCH: i64 = 1970;
const USUAL_YEAR: i64 = 2100;
const MONTHS: Numbers = Numbers::up_from(
    1,
    12,
    Distribution::Custom(CustomDistribution { draw: draw_month, parameters: [0; 4], chance: Some(chance_of_month) }),
);
const DAYS: Distribution =
    Distribution::Custom(CustomDistribution { draw: draw_day, parameters: [0; 4], chance: Some(chance_of_day) });

fn draw_month(max: u64, _: [u64; 4], rng: &mut Rng) -> u64 {
    match rng.next() & 7 {
        0 => 1,
        1 => max,
        _ => rng.at_most(max),
    }
}

fn draw_day(max: u64, _: [u64; 4], rng: &mut Rng) -> u64 {
    match rng.next() & 7 {
        0 => 0,
        1 => max,
        _ => rng.at_most(max),
    }
}

fn chance_of_month(month: u64, max: u64, _: [u64; 4]) -> Option<Chance> {
    let parts = [
        (1, Chance::sure_if(month == 1)),
        (1, Chance::sure_if(month == max)),
        (6, Distribution::Uniform.chance(month, max)?),
    ];
    Chance::mixture(8, &parts)
}

fn chance_of_day(day: u64, max: u64, _: [u64; 4]) -> Option<Chance> {
    let parts = [
        (1, Chance::sure_if(day == 0)),
        (1, Chance::sure_if(day == max)),
        (6, Distribution::Uniform.chance(day, max)?),
    ];
    Chance::mixture(8, &parts)
}

impl Dates {
    fn years(&self) -> Numbers {
        Numbers::mostly(self.first_year, self.last_year, EPOCH, USUAL_YEAR)
    }
}

fn days(year: i64, month: u32) -> Numbers {
    Numbers::up_from(1, days_in_month(year, month), DAYS)
}

fn days_in_month(year: i64, month: u32) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl Generator for Dates {
    type Value = Date;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<Date> {
        source.call(&DATE, |source| {
            let year = part(&self.years(), source)?;
            let month = part(&MONTHS, source)? as u32;
            let day = free_part(&days(year, month), source)? as u32;
            Ok((year, month, day))
        })
    }

    #[inline]
    fn reflect(&self, &(year, month, day): &Date, reflector: &mut Reflector) -> Reflected {
        let body = |reflector: &mut Reflector| {
            reflector.part(Segment::Field("year"), |reflector| self.years().reflect(&year, reflector))?;
            reflector.part(Segment::Field("month"), |reflector| MONTHS.reflect(&month.into(), reflector))?;
            reflector.part(Segment::Field("day"), |reflector| days(year, month).reflect(&day.into(), reflector))
        };
        reflector.call(&DATE, || None, std::ptr::null(), body)
    }

    #[inline]
    fn complete(&self, _sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Date> {
        self.generate(source)
    }
}

/// Times of day: midnight is the simplest. Full hours, minutes and seconds, and the last ones, come
/// often.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    /// Whether nanoseconds may go up to two seconds at the end of a minute, which means a leap
    /// second. Elsewhere one cannot be, and its text would be that of the second after.
    pub(super) have_leap_seconds: bool,
}

/// Hours, minutes, seconds and nanoseconds.
pub(super) type Time = (u32, u32, u32, u32);

const HOURS: Numbers = Numbers::up_from(0, 23, CLOCK);
const SIXTY: Numbers = Numbers::up_from(0, 59, CLOCK);
const CLOCK: Distribution =
    Distribution::Custom(CustomDistribution { draw: draw_clock, parameters: [0; 4], chance: Some(chance_of_clock) });
const LEAP_NANOS: Distribution = Distribution::Custom(CustomDistribution {
    draw: draw_leap_nanos,
    parameters: [0; 4],
    chance: Some(chance_of_leap_nanos),
});

fn draw_clock(max: u64, _: [u64; 4], rng: &mut Rng) -> u64 {
    match rng.next() & 7 {
        0 | 1 => 0,
        2 => max,
        _ => rng.at_most(max),
    }
}

fn draw_leap_nanos(_: u64, _: [u64; 4], rng: &mut Rng) -> u64 {
    let is_leap = rng.next() & 3 == 0;
    NANOS.draw(LAST_NANO, rng) + if is_leap { LAST_NANO + 1 } else { 0 }
}

fn chance_of_clock(index: u64, max: u64, _: [u64; 4]) -> Option<Chance> {
    let parts = [
        (2, Chance::sure_if(index == 0)),
        (1, Chance::sure_if(index == max)),
        (5, Distribution::Uniform.chance(index, max)?),
    ];
    Chance::mixture(8, &parts)
}

fn chance_of_leap_nanos(nanos: u64, _: u64, _: [u64; 4]) -> Option<Chance> {
    match nanos.checked_sub(LAST_NANO + 1) {
        Some(nanos) => Chance::mixture(4, &[(1, NANOS.chance(nanos, LAST_NANO)?)]),
        None => Chance::mixture(4, &[(3, NANOS.chance(nanos, LAST_NANO)?)]),
    }
}

impl Times {
    fn nanos(&self, second: u32) -> Numbers {
        match second {
            59 if self.have_leap_seconds => Numbers::up_from(0, 2 * LAST_NANO as i64 + 1, LEAP_NANOS),
            _ => Numbers::up_from(0, LAST_NANO as i64, NANOS),
        }
    }
}

impl Generator for Times {
    type Value = Time;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<Time> {
        source.call(&TIME, |source| {
            let hour = free_part(&HOURS, source)? as u32;
            let minute = free_part(&SIXTY, source)? as u32;
            let second = part(&SIXTY, source)? as u32;
            let nano = free_part(&self.nanos(second), source)? as u32;
            Ok((hour, minute, second, nano))
        })
    }

    #[inline]
    fn reflect(&self, &(hour, minute, second, nano): &Time, reflector: &mut Reflector) -> Reflected {
        let body = |reflector: &mut Reflector| {
            reflector.part(Segment::Field("hour"), |reflector| HOURS.reflect(&hour.into(), reflector))?;
            reflector.part(Segment::Field("minute"), |reflector| SIXTY.reflect(&minute.into(), reflector))?;
            reflector.part(Segment::Field("second"), |reflector| SIXTY.reflect(&second.into(), reflector))?;
            reflector.part(Segment::Field("nano"), |reflector| self.nanos(second).reflect(&nano.into(), reflector))
        };
        reflector.call(&TIME, || None, std::ptr::null(), body)
    }

    #[inline]
    fn complete(&self, _sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Time> {
        self.generate(source)
    }
}

/// Offsets from UTC by their minutes, rounded down, and seconds: 0 is the simplest, whole minutes
/// are simpler than others. Whole and half hours come often.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offsets {
    /// The most seconds to the east, and to the west.
    pub(super) most: i64,
    /// Whether they have seconds besides.
    pub(super) have_seconds: bool,
}

const OFFSET_SECONDS: Numbers = Numbers::up_from(0, 59, FEW);
const FEW: Distribution = Distribution::Custom(CustomDistribution {
    draw: |max, _, rng| if rng.next() & 7 == 0 { rng.at_most(max) } else { 0 },
    parameters: [0; 4],
    chance: Some(|index, max, _| {
        Chance::mixture(8, &[(1, Distribution::Uniform.chance(index, max)?), (7, Chance::sure_if(index == 0))])
    }),
});
const NO_SECONDS: Numbers = Numbers::up_from(0, 0, Distribution::Uniform);

impl Offsets {
    fn minutes(&self) -> Numbers {
        let most = self.most / 60;
        let distribution = Distribution::Custom(CustomDistribution {
            draw: draw_minutes,
            parameters: [most as u64, 0, 0, 0],
            chance: Some(chance_of_minutes),
        });
        // Rounded down, what is left of the last minute to the west is another one.
        Numbers::around(-most - i64::from(self.have_seconds), most, 0, distribution)
    }

    fn seconds(&self) -> Numbers {
        if self.have_seconds { OFFSET_SECONDS } else { NO_SECONDS }
    }
}

/// To the east the index is odd.
fn index_of_minutes(minutes: u64, is_east: bool) -> u64 {
    2 * minutes - u64::from(is_east && minutes > 0)
}

fn chance_of_minutes(index: u64, max: u64, [most, ..]: [u64; 4]) -> Option<Chance> {
    // How many of both directions and so many steps come to this index, or to more than there are,
    // which become the last.
    let hits = |unit: u64, first: u64, last: u64| {
        let mut hits = 0;
        for step in first..=last {
            for is_east in [true, false] {
                hits += u128::from(index_of_minutes(unit * step, is_east).min(max) == index);
            }
        }
        Chance::new(hits, 2 * (u128::from(last - first) + 1))
    };
    let even = Distribution::Uniform.chance(index, max)?;
    let parts = [
        (1, Chance::sure_if(index == 0)),
        (2, hits(60, 0, 12)),
        (2, hits(30, 0, 24)),
        (1, hits(1, most, most)),
        (2, even),
    ];
    Chance::mixture(8, &parts)
}

fn draw_minutes(max: u64, [most, ..]: [u64; 4], rng: &mut Rng) -> u64 {
    let index = index_of_minutes;
    let dice = rng.next();
    let is_east = dice & 8 == 0;
    match dice & 7 {
        0 => 0,
        1 | 2 => index(60 * rng.at_most(12), is_east),
        3 | 4 => index(30 * rng.at_most(24), is_east),
        5 => index(most, is_east),
        _ => rng.at_most(max),
    }
}

impl Generator for Offsets {
    type Value = i64;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<i64> {
        source.call(&OFFSET, |source| {
            let minutes = free_part(&self.minutes(), source)?;
            let seconds = free_part(&self.seconds(), source)?;
            Ok((60 * minutes + seconds).clamp(-self.most, self.most))
        })
    }

    #[inline]
    fn reflect(&self, offset: &i64, reflector: &mut Reflector) -> Reflected {
        let (minutes, seconds) = (offset.div_euclid(60), offset.rem_euclid(60));
        let body = |reflector: &mut Reflector| {
            reflector.part(Segment::Field("minutes"), |reflector| self.minutes().reflect(&minutes, reflector))?;
            reflector.part(Segment::Field("seconds"), |reflector| self.seconds().reflect(&seconds, reflector))
        };
        reflector.call(&OFFSET, || None, std::ptr::null(), body)
    }

    #[inline]
    fn complete(&self, _sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<i64> {
        self.generate(source)
    }
}

/// `01:00` or `01:00:30` with a sign before it, or none, in seconds.
pub(super) fn read_offset(text: &str) -> Option<i32> {
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => (1, text),
    };
    let mut seconds = 0;
    let mut unit = 3600;
    for two in digits.split(':') {
        if two.len() != 2 || unit == 0 {
            return None;
        }
        let number = two.parse::<u8>().ok().filter(|number| unit == 3600 || *number < 60)?;
        seconds += i32::from(number) * unit;
        unit /= 60;
    }
    // Hours alone are no offset.
    if unit == 60 { None } else { Some(sign * seconds) }
}

/// A type whose ranges are those of numbers: `number` numbers its values in order, and `value`
/// finds the one of a number between those of the first and the last. A value that has the number
/// of another is in no range.
macro_rules! ranged_by_number {
    ($(
        $(#[$doc:meta])*
        $type:ty as $number:ty {
            first: $first:expr,
            last: $last:expr,
            number: $to_number:expr,
            value: $to_value:expr,
            read: $read:expr,
            expected: $expected:literal,
        }
    )*) => {$(
        $(#[$doc])*
        impl crate::generator::Ranged for $type {
            const LEAST: $type = $first;
            const GREATEST: $type = $last;
            const EXPECTED: &'static str = $expected;

            fn before(self) -> Option<$type> {
                let (to_number, to_value): (fn($type) -> $number, fn($number) -> $type) = ($to_number, $to_value);
                (self > Self::LEAST).then(|| to_value(to_number(self) - 1))
            }

            fn is_between(self, low: $type, high: $type) -> bool {
                let (to_number, to_value): (fn($type) -> $number, fn($number) -> $type) = ($to_number, $to_value);
                low <= self && self <= high && to_value(to_number(self)) == self
            }

            fn generate_between(
                low: $type,
                high: $type,
                spread: crate::generator::ranged::Spread,
                source: &mut crate::source::Source<'_>,
            ) -> crate::source::Drawn<$type> {
                let to_number: fn($type) -> $number = $to_number;
                <$number>::generate_between(to_number(low), to_number(high), spread, source).map($to_value)
            }

            fn reflect_between(
                self,
                low: $type,
                high: $type,
                spread: crate::generator::ranged::Spread,
                reflector: &mut crate::reflect::Reflector,
            ) -> crate::reflect::Reflected {
                let to_number: fn($type) -> $number = $to_number;
                to_number(self).reflect_between(to_number(low), to_number(high), spread, reflector)
            }

            fn last_index(low: $type, high: $type) -> Option<u64> {
                let to_number: fn($type) -> $number = $to_number;
                <$number>::last_index(to_number(low), to_number(high))
            }

            fn generate_from(
                origin: $type,
                low: $type,
                high: $type,
                spread: crate::generator::ranged::Spread,
                source: &mut crate::source::Source<'_>,
            ) -> crate::source::Drawn<$type> {
                let to_number: fn($type) -> $number = $to_number;
                <$number>::generate_from(to_number(origin), to_number(low), to_number(high), spread, source).map($to_value)
            }

            fn reflect_from(
                self,
                origin: $type,
                low: $type,
                high: $type,
                spread: crate::generator::ranged::Spread,
                reflector: &mut crate::reflect::Reflector,
            ) -> crate::reflect::Reflected {
                let to_number: fn($type) -> $number = $to_number;
                to_number(self).reflect_from(to_number(origin), to_number(low), to_number(high), spread, reflector)
            }

            fn read(sketch: &crate::sketch::Sketch<'_>) -> Option<$type> {
                let read: fn(&str) -> Option<$type> = $read;
                read(sketch.text())
            }
        }
    )*};
}
pub(super) use ranged_by_number;
