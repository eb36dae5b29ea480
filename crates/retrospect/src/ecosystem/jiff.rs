//! `jiff`: dates, times, time zones and durations.

use super::calendar::{self, Dates, Offsets, SECOND, Times, ranged_by_number};
use super::numbers::Numbers;
use super::{made_of_parts, unexpected};
use crate::choice::Site;
use crate::generator::bools::leaf_picks;
use crate::generator::times::{LAST_NANO, NANOS};
use crate::generator::{Any, Generate, Generator, free_part, part};
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Chance, CustomDistribution, Distribution, Drawn, Rng, Source};
use ::jiff::civil::{Date, DateTime, Time, Weekday};
use ::jiff::tz::{Offset, TimeZone};
use ::jiff::{SignedDuration, Span, Timestamp, Zoned};

const DATES: Dates = Dates { first_year: -9999, last_year: 9999 };
const TIMES: Times = Times { have_leap_seconds: false };

ranged_by_number! {
    /// Ranges of dates are generators. The date nearest to 1970-01-01 is the simplest.
    ///
    /// ```
    /// use jiff::civil::date;
    /// use retrospect::prelude::*;
    /// let january = date(2024, 1, 1)..date(2024, 2, 1);
    /// assert_eq!(january.replay(&Choices::default()), date(2024, 1, 1));
    /// assert!(january.accepts(&date(2024, 1, 31)) && !january.accepts(&date(2024, 2, 1)));
    /// assert_eq!(january.choices_of(&date(2025, 1, 1)).unwrap_err().reason(), "2025-01-01 is not in 2024-01-01..2024-02-01");
    /// ```
    Date as i64 {
        first: Date::MIN,
        last: Date::MAX,
        number: |date| date.duration_since(EPOCH_DATE).as_hours() / 24,
        value: |day| EPOCH_DATE.checked_add(SignedDuration::from_hours(24 * day)).unwrap_or_default(),
        read: |text| text.parse().ok(),
        expected: "a date such as 1970-01-31",
    }

    /// Ranges of dates with times are generators, to the nanosecond.
    /// What is nearest to 1970-01-01T00:00:00 is the simplest.
    ///
    /// ```
    /// use jiff::civil::date;
    /// use retrospect::prelude::*;
    /// let at = |hour| date(2024, 1, 1).at(hour, 0, 0, 0);
    /// let morning = at(6)..=at(12);
    /// assert_eq!(morning.replay(&Choices::default()), at(6));
    /// assert!(morning.accepts(&at(12)) && !morning.accepts(&at(13)));
    /// ```
    DateTime as i128 {
        first: DateTime::MIN,
        last: DateTime::MAX,
        number: |datetime| datetime.duration_since(EPOCH_DATE.at(0, 0, 0, 0)).as_nanos(),
        value: |nanos| {
            let (seconds, nanos) = (nanos / SECOND, nanos % SECOND);
            let since = SignedDuration::new(seconds as i64, nanos as i32);
            EPOCH_DATE.at(0, 0, 0, 0).checked_add(since).unwrap_or_default()
        },
        read: |text| text.parse().ok(),
        expected: "a date and time such as 1970-01-31T23:59:59",
    }

    /// Ranges of points in time are generators, to the nanosecond.
    /// What is nearest to 1970-01-01T00:00:00Z is the simplest.
    ///
    /// ```
    /// use jiff::Timestamp;
    /// use retrospect::prelude::*;
    /// let at = |second| Timestamp::from_second(second).unwrap();
    /// let times = within(at(-100)..=at(100));
    /// assert_eq!(times.replay(&Choices::default()), Timestamp::UNIX_EPOCH);
    /// assert_eq!(times.shrink(at(77), |time| *time > at(5)).unwrap().value.as_nanosecond(), 5_000_000_001);
    /// ```
    Timestamp as i128 {
        first: Timestamp::MIN,
        last: Timestamp::MAX,
        number: Timestamp::as_nanosecond,
        value: |nanos| Timestamp::from_nanosecond(nanos).unwrap_or_default(),
        read: |text| text.parse().ok(),
        expected: "a point in time such as 1970-01-31T23:59:59Z",
    }
}

const EPOCH_DATE: Date = Date::constant(1970, 1, 1);

made_of_parts! {
    /// Dates by their year, month and day: 1970-01-01 is the simplest.
    ///
    /// Half of the years lie between 1970 and 2100, of the others small distances and boundaries
    /// come often; so do the first and the last day of a month.
    ///
    /// ```
    /// use jiff::civil::Date;
    /// use retrospect::prelude::*;
    /// let dates = any::<Date>();
    /// let leap_day = dates.read("2024-02-29").unwrap();
    /// assert_eq!(dates.choices_of(&leap_day).unwrap().to_string(), "(107 1 28)");
    /// assert_eq!(dates.shrink(leap_day, |date| date.day() > 28).unwrap().value.to_string(), "1970-01-29");
    /// ```
    Date {
        parts: DATES,
        make: |(year, month, day)| Date::new(year as i16, month as i8, day as i8).unwrap_or_default(),
        parts_of: |date| (i64::from(date.year()), date.month() as u32, date.day() as u32),
        read: |sketch| sketch.text().parse().ok(),
        expected: "a date such as 1970-01-31",
    }

    /// Times of day: midnight is the simplest. Full hours, minutes and seconds, and the last ones,
    /// come often.
    ///
    /// ```
    /// use jiff::civil::Time;
    /// use retrospect::prelude::*;
    /// assert_eq!(any::<Time>().replay(&Choices::default()), Time::midnight());
    /// assert_eq!(any::<Time>().read("23:59:59.5").unwrap().millisecond(), 500);
    /// ```
    Time {
        parts: TIMES,
        make: |(hour, minute, second, nano)| {
            Time::new(hour as i8, minute as i8, second as i8, nano as i32).unwrap_or_default()
        },
        parts_of: |time| {
            (time.hour() as u32, time.minute() as u32, time.second() as u32, time.subsec_nanosecond() as u32)
        },
        read: |sketch| sketch.text().parse().ok(),
        expected: "a time such as 23:59:59.5",
    }

    /// Dates with times of day: 1970-01-01T00:00:00 is the simplest.
    ///
    /// ```
    /// use jiff::civil::DateTime;
    /// use retrospect::prelude::*;
    /// assert_eq!(any::<DateTime>().replay(&Choices::default()).to_string(), "1970-01-01T00:00:00");
    /// ```
    DateTime {
        parts: (Any::<Date>::new(), Any::<Time>::new()),
        make: |(date, time)| DateTime::from_parts(date, time),
        parts_of: |datetime| (datetime.date(), datetime.time()),
        read: |sketch| sketch.text().parse().ok(),
        expected: "a date and time such as 1970-01-31T23:59:59",
    }

    /// Points in time, by their date and time in UTC: 1970-01-01T00:00:00Z is the simplest.
    ///
    /// ```
    /// use jiff::Timestamp;
    /// use retrospect::prelude::*;
    /// let times = any::<Timestamp>();
    /// assert_eq!(times.replay(&Choices::default()), Timestamp::UNIX_EPOCH);
    /// assert_eq!(times.read("2038-01-19T03:14:07Z").unwrap().as_second(), i64::from(i32::MAX));
    /// ```
    Timestamp {
        parts: Any::<DateTime>::new(),
        make: timestamp,
        parts_of: |timestamp| Offset::UTC.to_datetime(*timestamp),
        is_doubtful: |timestamp| [Timestamp::MIN, Timestamp::MAX].contains(timestamp),
        read: |sketch| sketch.text().parse().ok(),
        expected: "a point in time such as 1970-01-31T23:59:59Z",
    }

    /// Offsets from UTC of less than 26 hours, to the second: no offset is the simplest. Whole and
    /// half hours come often.
    ///
    /// ```
    /// use jiff::tz::Offset;
    /// use retrospect::prelude::*;
    /// assert_eq!(any::<Offset>().choices_of(&Offset::constant(-1)).unwrap().to_string(), "(120 0)");
    /// assert_eq!(any::<Offset>().read("05:30:00").unwrap().seconds(), 19_800);
    /// ```
    Offset {
        parts: Offsets { most: MOST_OFFSET, have_seconds: true },
        make: |seconds| Offset::from_seconds(seconds as i32).unwrap_or(Offset::UTC),
        parts_of: |offset| i64::from(offset.seconds()),
        read: |sketch| read_offset(sketch.text()),
        expected: "an offset such as 01:00:00",
    }

    /// Durations by their sign, seconds and nanoseconds: 0 is the simplest, positive ones are
    /// simpler than negative ones. Half have no fraction of a second; small ones and boundaries
    /// come often.
    ///
    /// ```
    /// use jiff::SignedDuration;
    /// use retrospect::prelude::*;
    /// let durations = any::<SignedDuration>();
    /// assert_eq!(durations.choices_of(&SignedDuration::from_millis(-1_500)).unwrap().to_string(), "(1:true 1 500000000)");
    /// assert_eq!(durations.read("1h 30m").unwrap(), SignedDuration::from_mins(90));
    /// assert_eq!(durations.read("2h 5s ago").unwrap(), SignedDuration::from_secs(-7205));
    /// ```
    SignedDuration {
        parts: (Any::<bool>::new(), 0..=SECONDS, Numbers::up_from(0, LAST_NANO as i64, NANOS)),
        make: |(is_negative, seconds, nanos)| duration(is_negative, seconds, nanos as i32),
        parts_of: |duration| {
            let (seconds, nanos) = (duration.as_secs(), i64::from(duration.subsec_nanos()));
            (duration.is_negative(), seconds.unsigned_abs(), nanos.abs())
        },
        is_doubtful: |duration| duration.is_zero() || duration.as_secs() == i64::MAX,
        read: |sketch| sketch.text().parse().ok(),
        expected: "a duration such as 1h 30m",
    }

    /// Spans of time by their sign and the number of each unit, from years to nanoseconds: `0s` is
    /// the simplest.
    ///
    /// Most units are zero, small numbers and boundaries come often among the others. Spans that
    /// last equally long in different units are different.
    ///
    /// ```
    /// use jiff::{Span, ToSpan};
    /// use retrospect::prelude::*;
    /// let spans = any::<Span>();
    /// let choices = spans.choices_of(&1.year().days(3).negate()).unwrap();
    /// assert_eq!(choices.to_string(), "(1:true 1 0 0 3 0 0 0 0 0 0)");
    /// let pasted = spans.read("1y 2mo 3d 4h").unwrap();
    /// let smallest = spans.shrink(pasted, |span| span.get_days() > 0 || span.get_hours() > 0).unwrap();
    /// assert!(["1d", "1h"].contains(&format!("{:?}", smallest.value).as_str()));
    /// ```
    Span {
        parts: Units,
        make: span,
        parts_of: |span| (span.is_negative(), numbers_of(span).map(i64::abs)),
        is_doubtful: |span| span.is_zero(),
        read: |sketch| sketch.text().parse().ok(),
        expected: "a span such as 1y 2mo 3d",
    }
}

/// What lies beyond the ends, by a little more than a day, is the end.
fn timestamp(datetime: DateTime) -> Timestamp {
    Offset::UTC.to_timestamp(datetime).unwrap_or(match datetime.year() < 0 {
        true => Timestamp::MIN,
        false => Timestamp::MAX,
    })
}

const MOST_OFFSET: i64 = 93_599;

fn read_offset(text: &str) -> Option<Offset> {
    Offset::from_seconds(calendar::read_offset(text)?).ok()
}

/// There is one more negative second than there are positive ones.
const SECONDS: u64 = i64::MIN.unsigned_abs();

fn duration(is_negative: bool, seconds: u64, nanos: i32) -> SignedDuration {
    match is_negative {
        true => SignedDuration::new(0i64.wrapping_sub_unsigned(seconds), -nanos),
        false => SignedDuration::new(i64::try_from(seconds).unwrap_or(i64::MAX), nanos),
    }
}

/// The sign of a span and how many there are of each unit.
struct Units;

static SPAN: Site = Site::call("span", file!(), line!());

/// The units of a span with the most that there may be of each.
const UNITS: [(&str, i64); 10] = [
    ("years", 19_998),
    ("months", 239_976),
    ("weeks", 1_043_497),
    ("days", 7_304_484),
    ("hours", 175_307_616),
    ("minutes", 10_518_456_960),
    ("seconds", 631_107_417_600),
    ("milliseconds", 631_107_417_600_000),
    ("microseconds", 631_107_417_600_000_000),
    ("nanoseconds", i64::MAX),
];

const UNIT_LAW: Distribution =
    Distribution::Custom(CustomDistribution { draw: draw_unit, parameters: [0; 4], chance: Some(chance_of_unit) });

fn draw_unit(max: u64, _: [u64; 4], rng: &mut Rng) -> u64 {
    match rng.next() & 15 {
        0..=10 => 0,
        11..=13 => rng.at_most(100),
        14 => max,
        _ => Distribution::Mixed.draw(max, rng),
    }
}

fn chance_of_unit(index: u64, max: u64, _: [u64; 4]) -> Option<Chance> {
    let parts = [
        (11, Chance::sure_if(index == 0)),
        (3, Distribution::Uniform.chance(index, 100)?),
        (1, Chance::sure_if(index == max)),
        (1, Distribution::Mixed.chance(index, max)?),
    ];
    Chance::mixture(16, &parts)
}

fn span((is_negative, numbers): (bool, [i64; 10])) -> Span {
    let [years, months, weeks, days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds] = numbers;
    let span = || {
        Span::new()
            .try_years(years)?
            .try_months(months)?
            .try_weeks(weeks)?
            .try_days(days)?
            .try_hours(hours)?
            .try_minutes(minutes)?
            .try_seconds(seconds)?
            .try_milliseconds(milliseconds)?
            .try_microseconds(microseconds)?
            .try_nanoseconds(nanoseconds)
    };
    let span = span().unwrap_or_default();
    if is_negative { span.negate() } else { span }
}

fn numbers_of(span: &Span) -> [i64; 10] {
    [
        span.get_years().into(),
        span.get_months().into(),
        span.get_weeks().into(),
        span.get_days().into(),
        span.get_hours().into(),
        span.get_minutes(),
        span.get_seconds(),
        span.get_milliseconds(),
        span.get_microseconds(),
        span.get_nanoseconds(),
    ]
}

impl Generator for Units {
    type Value = (bool, [i64; 10]);

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<(bool, [i64; 10])> {
        source.call(&SPAN, |source| {
            let is_negative = free_part(&Any::<bool>::new(), source)?;
            let mut numbers = [0; 10];
            for (number, (_, most)) in numbers.iter_mut().zip(UNITS) {
                *number = free_part(&Numbers::up_from(0, most, UNIT_LAW), source)?;
            }
            Ok((is_negative, numbers))
        })
    }

    #[inline]
    fn reflect(&self, (is_negative, numbers): &(bool, [i64; 10]), reflector: &mut Reflector) -> Reflected {
        let body = |reflector: &mut Reflector| {
            reflector.part(Segment::Focus("sign"), |reflector| Any::<bool>::new().reflect(is_negative, reflector))?;
            for (number, (unit, most)) in numbers.iter().zip(UNITS) {
                let numbers = Numbers::up_from(0, most, UNIT_LAW);
                reflector.part(Segment::Field(unit), |reflector| numbers.reflect(number, reflector))?;
            }
            Ok(())
        };
        reflector.call(&SPAN, || None, std::ptr::null(), body)
    }

    #[inline]
    fn complete(&self, _sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<(bool, [i64; 10])> {
        self.generate(source)
    }
}

static ZONED: Site = Site::call("zoned", file!(), line!());

/// Points in time with UTC, the simplest, or another fixed offset as their time zone.
///
/// Offsets are whole minutes: those with seconds are neither made nor recalled, since the text that
/// `Debug` prints does not show them. The same goes for time zones with rules of their own:
/// `any::<Timestamp>()` and a list of zones make them.
///
/// ```
/// use jiff::Zoned;
/// use retrospect::prelude::*;
/// let times = any::<Zoned>();
/// assert_eq!(times.replay(&Choices::default()).to_string(), "1970-01-01T00:00:00+00:00[UTC]");
/// assert_eq!(times.read("1970-01-01T05:30:00+05:30[+05:30]").unwrap().timestamp().as_second(), 0);
/// ```
impl Generate for Zoned {
    type Generator = Any<Zoned>;
    #[inline]
    fn generator() -> Any<Zoned> {
        Any::new()
    }
}

/// The text of a time does not show the seconds of its offset.
const ZONE_OFFSETS: Offsets = Offsets { most: MOST_OFFSET / 60 * 60, have_seconds: false };

impl Generator for Any<Zoned> {
    type Value = Zoned;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<Zoned> {
        source.call(&ZONED, |source| {
            let timestamp = part(&Any::<Timestamp>::new(), source)?;
            let offset = part(&ZONE_OFFSETS, source)?;
            Ok(zoned(timestamp, Offset::from_seconds(offset as i32).unwrap_or(Offset::UTC)))
        })
    }

    #[inline]
    fn reflect(&self, value: &Zoned, reflector: &mut Reflector) -> Reflected {
        let zone = value.time_zone();
        let offset = match zone.to_fixed_offset() {
            Ok(offset) if !zone.is_unknown() => offset,
            _ => return reflector.mismatch(value, || "its time zone is no fixed offset".to_owned()),
        };
        if offset.seconds() % 60 != 0 {
            return reflector.mismatch(value, || "its offset has seconds, which its text does not show".to_owned());
        }
        let timestamp = value.timestamp();
        let body = |reflector: &mut Reflector| {
            reflector.part(Segment::Field("timestamp"), |reflector| {
                reflector.on_temporary(|reflector| Any::<Timestamp>::new().reflect(&timestamp, reflector))
            })?;
            let seconds = i64::from(offset.seconds());
            reflector.part(Segment::Field("offset"), |reflector| ZONE_OFFSETS.reflect(&seconds, reflector))
        };
        reflector.call(&ZONED, || None, std::ptr::from_ref(value).cast(), body)
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Zoned> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let expected = "a point in time with UTC or an offset such as 1970-01-31T23:59:59+01:00[+01:00]";
        read_zoned(sketch.text()).ok_or_else(|| unexpected(expected, sketch, source))
    }
}

fn zoned(timestamp: Timestamp, offset: Offset) -> Zoned {
    timestamp.to_zoned(TimeZone::fixed(offset))
}

fn read_zoned(text: &str) -> Option<Zoned> {
    let (time, zone) = text.strip_suffix(']')?.split_once('[')?;
    let offset = if zone == "UTC" { Offset::UTC } else { read_offset(zone)? };
    Some(zoned(time.parse().ok()?, offset))
}

leaf_picks! {
    /// `Monday` is the simplest; all as likely.
    ///
    /// ```
    /// use jiff::civil::Weekday;
    /// use retrospect::prelude::*;
    /// assert_eq!(any::<Weekday>().choices_of(&Weekday::Sunday).unwrap().to_string(), "6:Sunday");
    /// ```
    Weekday, WEEKDAY = "Weekday" {
        "Monday" => Weekday::Monday,
        "Tuesday" => Weekday::Tuesday,
        "Wednesday" => Weekday::Wednesday,
        "Thursday" => Weekday::Thursday,
        "Friday" => Weekday::Friday,
        "Saturday" => Weekday::Saturday,
        "Sunday" => Weekday::Sunday,
    }
}
