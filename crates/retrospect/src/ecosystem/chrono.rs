//! `chrono`: dates, times, offsets and durations.

use super::calendar::{self, Dates, Offsets, SECOND, Times, ranged_by_number};
use super::made_of_parts;
use super::numbers::Numbers;
use crate::choice::Site;
use crate::generator::bools::leaf_picks;
use crate::generator::times::{LAST_NANO, NANOS};
use crate::generator::{Any, Generate, Generator};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Source};
use ::chrono::{
    DateTime, Datelike, FixedOffset, Month, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike, Utc, Weekday,
};

ranged_by_number! {
    /// Ranges of dates are generators. The date nearest to 1970-01-01 is the simplest.
    ///
    /// ```
    /// use chrono::NaiveDate;
    /// use retrospect::prelude::*;
    /// let day = |month, day| NaiveDate::from_ymd_opt(2024, month, day).unwrap();
    /// let january = day(1, 1)..day(2, 1);
    /// assert_eq!(january.replay(&Choices::default()), day(1, 1));
    /// assert!(january.accepts(&day(1, 31)) && !january.accepts(&day(2, 1)));
    /// assert_eq!(within(january).shrink(day(1, 30), |date| *date > day(1, 9)).unwrap().value, day(1, 10));
    /// ```
    NaiveDate as i32 {
        first: NaiveDate::MIN,
        last: NaiveDate::MAX,
        number: |date| date.num_days_from_ce() - EPOCH_DAY,
        value: |day| NaiveDate::from_num_days_from_ce_opt(day + EPOCH_DAY).unwrap_or_default(),
        read: |text| text.parse().ok(),
        expected: "a date such as 1970-01-31",
    }

    /// Ranges of dates with times are generators, to the nanosecond.
    /// What is nearest to 1970-01-01T00:00:00 is the simplest. Leap seconds are in no range.
    ///
    /// ```
    /// use chrono::NaiveDateTime;
    /// use retrospect::prelude::*;
    /// let at = |text: &str| text.parse::<NaiveDateTime>().unwrap();
    /// let morning = at("2024-01-01T06:00:00")..=at("2024-01-01T12:00:00");
    /// assert_eq!(morning.replay(&Choices::default()), at("2024-01-01T06:00:00"));
    /// assert!(morning.accepts(&at("2024-01-01T11:59:59.999")) && !morning.accepts(&at("2024-01-01T12:00:01")));
    /// ```
    NaiveDateTime as i128 {
        first: NaiveDateTime::MIN,
        last: NaiveDateTime::MAX,
        number: |datetime| nanos_of(datetime.and_utc()),
        value: |nanos| at_nanos(nanos).naive_utc(),
        read: |text| text.parse().ok(),
        expected: "a date and time such as 1970-01-31T23:59:59",
    }

    /// Ranges of points in time are generators, to the nanosecond.
    /// What is nearest to 1970-01-01T00:00:00Z is the simplest. Leap seconds are in no range.
    ///
    /// ```
    /// use chrono::{DateTime, Utc};
    /// use retrospect::prelude::*;
    /// let at = |seconds| DateTime::<Utc>::from_timestamp(seconds, 0).unwrap();
    /// let times = at(-100)..=at(100);
    /// assert_eq!(times.replay(&Choices::default()), DateTime::UNIX_EPOCH);
    /// assert!(times.accepts(&at(100)) && !times.accepts(&at(101)));
    /// assert_eq!(times.read("1970-01-01T00:01:00Z").unwrap(), at(60));
    /// ```
    DateTime<Utc> as i128 {
        first: DateTime::<Utc>::MIN_UTC,
        last: DateTime::<Utc>::MAX_UTC,
        number: nanos_of,
        value: at_nanos,
        read: |text| text.strip_suffix('Z')?.parse::<NaiveDateTime>().ok().map(|datetime| datetime.and_utc()),
        expected: "a point in time such as 1970-01-31T23:59:59Z",
    }
}

/// The number that chrono gives to 1970-01-01.
const EPOCH_DAY: i32 = 719_163;

fn nanos_of(time: DateTime<Utc>) -> i128 {
    i128::from(time.timestamp()) * SECOND + i128::from(time.timestamp_subsec_nanos())
}

fn at_nanos(nanos: i128) -> DateTime<Utc> {
    let (seconds, nanos) = (nanos.div_euclid(SECOND), nanos.rem_euclid(SECOND));
    DateTime::from_timestamp(seconds as i64, nanos as u32).unwrap_or_default()
}

fn dates() -> Dates {
    Dates { first_year: NaiveDate::MIN.year().into(), last_year: NaiveDate::MAX.year().into() }
}

const TIMES: Times = Times { have_leap_seconds: true };

made_of_parts! {
    /// Dates by their year, month and day: 1970-01-01 is the simplest.
    ///
    /// Half of the years lie between 1970 and 2100, of the others small distances and boundaries
    /// come often; so do the first and the last day of a month.
    ///
    /// ```
    /// use chrono::NaiveDate;
    /// use retrospect::prelude::*;
    /// let dates = any::<NaiveDate>();
    /// let leap_day = dates.read("2024-02-29").unwrap();
    /// assert_eq!(dates.choices_of(&leap_day).unwrap().to_string(), "(107 1 28)");
    /// let smallest = dates.shrink(leap_day, |date| date.succ_opt().is_some_and(|next| next > *date)).unwrap();
    /// assert_eq!(smallest.value.to_string(), "1970-01-01");
    /// ```
    NaiveDate {
        parts: dates(),
        make: |(year, month, day)| NaiveDate::from_ymd_opt(year as i32, month, day).unwrap_or_default(),
        parts_of: |date| (i64::from(date.year()), date.month(), date.day()),
        read: |sketch| sketch.text().parse().ok(),
        expected: "a date such as 1970-01-31",
    }

    /// Times of day: midnight is the simplest. Full hours, minutes and seconds, and the last ones,
    /// come often.
    ///
    /// Leap seconds come at the end of a minute. Those that stand elsewhere, which chrono can hold,
    /// are neither drawn nor recalled: their text is that of the second after.
    /// `any::<NaiveTime>().filter(|time| time.nanosecond() < 1_000_000_000)` has none.
    ///
    /// ```
    /// use chrono::NaiveTime;
    /// use retrospect::prelude::*;
    /// let times = any::<NaiveTime>();
    /// assert_eq!(times.replay(&Choices::default()), NaiveTime::MIN);
    /// let leap_second = times.read("23:59:60.5").unwrap();
    /// assert_eq!(times.choices_of(&leap_second).unwrap().to_string(), "(23 59 59 1500000000)");
    /// ```
    NaiveTime {
        parts: TIMES,
        make: |(hour, minute, second, nano)| {
            NaiveTime::from_hms_opt(hour, minute, second).and_then(|time| time.with_nanosecond(nano)).unwrap_or_default()
        },
        parts_of: |time| (time.hour(), time.minute(), time.second(), time.nanosecond()),
        read: |sketch| sketch.text().parse().ok(),
        expected: "a time such as 23:59:59.5",
    }

    /// Dates with times of day, as those of `NaiveDate` and `NaiveTime`: 1970-01-01T00:00:00 is the
    /// simplest.
    ///
    /// ```
    /// use chrono::NaiveDateTime;
    /// use retrospect::prelude::*;
    /// assert_eq!(any::<NaiveDateTime>().replay(&Choices::default()), NaiveDateTime::UNIX_EPOCH);
    /// assert!(any::<NaiveDateTime>().read("2038-01-19T03:14:07").is_ok());
    /// ```
    NaiveDateTime {
        parts: (any_date(), any_time()),
        make: |(date, time)| date.and_time(time),
        parts_of: |datetime| (datetime.date(), datetime.time()),
        read: |sketch| sketch.text().parse().ok(),
        expected: "a date and time such as 1970-01-31T23:59:59",
    }

    /// Points in time, by their date and time: 1970-01-01T00:00:00Z is the simplest.
    ///
    /// ```
    /// use chrono::{DateTime, Utc};
    /// use retrospect::prelude::*;
    /// let times = any::<DateTime<Utc>>();
    /// assert_eq!(times.read("2038-01-19T03:14:07Z").unwrap().timestamp(), i64::from(i32::MAX));
    /// ```
    DateTime<Utc> {
        parts: Any::<NaiveDateTime>::new(),
        make: |datetime| datetime.and_utc(),
        parts_of: |datetime| datetime.naive_utc(),
        read: |sketch| sketch.text().strip_suffix('Z')?.parse::<NaiveDateTime>().ok().map(|datetime| datetime.and_utc()),
        expected: "a point in time such as 1970-01-31T23:59:59Z",
    }

    /// Points in time with an offset, by their date and time in UTC and the offset.
    ///
    /// A leap second that does not stand at the end of a minute by its offset, which has seconds,
    /// is neither drawn nor recalled: its text is that of the second after.
    ///
    /// ```
    /// use chrono::{DateTime, FixedOffset};
    /// use retrospect::prelude::*;
    /// let times = any::<DateTime<FixedOffset>>();
    /// assert_eq!(times.read("1970-01-01T02:00:00+02:00").unwrap().timestamp(), 0);
    /// ```
    DateTime<FixedOffset> {
        parts: (Any::<NaiveDateTime>::new(), Any::<FixedOffset>::new()),
        // A leap second that could not be read back is the second that it follows.
        make: |(datetime, offset)| match is_hidden_leap_second(&datetime, &offset) {
            true => DateTime::from_naive_utc_and_offset(with_leap(&datetime, false), offset),
            false => DateTime::from_naive_utc_and_offset(datetime, offset),
        },
        parts_of: |datetime| (datetime.naive_utc(), *datetime.offset()),
        refused: |datetime| is_hidden_leap_second(&datetime.naive_utc(), datetime.offset()).then_some(
            "a leap second that is not at the end of a minute by its offset is shown as the second after it",
        ),
        also_made_of: |datetime| {
            let leap_second = with_leap(&datetime.naive_utc(), true);
            is_hidden_leap_second(&leap_second, datetime.offset()).then_some((leap_second, *datetime.offset()))
        },
        read: |sketch| read_with_offset(sketch.text()),
        expected: "a point in time such as 1970-01-31T23:59:59+01:00",
    }

    /// Offsets from UTC of less than a day, to the second: `+00:00` is the simplest, whole minutes
    /// are simpler than others. Whole and half hours come often.
    ///
    /// ```
    /// use chrono::FixedOffset;
    /// use retrospect::prelude::*;
    /// let offsets = any::<FixedOffset>();
    /// assert_eq!(offsets.read("+05:30").unwrap().local_minus_utc(), 19_800);
    /// assert_eq!(offsets.choices_of(&FixedOffset::west_opt(120).unwrap()).unwrap().to_string(), "(4 0)");
    /// ```
    FixedOffset {
        parts: Offsets { most: 86_399, have_seconds: true },
        make: |seconds| offset_of(seconds as i32),
        parts_of: |offset| i64::from(offset.local_minus_utc()),
        read: |sketch| read_offset(sketch.text()),
        expected: "an offset such as +01:00",
    }

    /// Durations by their seconds, rounded down, and nanoseconds: 0 is the simplest. Half have no
    /// fraction of a second; small ones and boundaries come often.
    ///
    /// ```
    /// use chrono::TimeDelta;
    /// use retrospect::prelude::*;
    /// let durations = any::<TimeDelta>();
    /// assert_eq!(durations.choices_of(&TimeDelta::milliseconds(-500)).unwrap().to_string(), "(2 500000000)");
    /// assert_eq!(durations.read("TimeDelta { secs: 90, nanos: 0 }").unwrap(), TimeDelta::seconds(90));
    /// ```
    TimeDelta {
        parts: (
            Numbers::mostly(MOST_SECONDS.0, MOST_SECONDS.1, 0, 100_000_000),
            Numbers::up_from(0, LAST_NANO as i64, NANOS),
        ),
        // What lies beyond the ends, by less than a second, is the end.
        make: |(seconds, nanos)| TimeDelta::new(seconds, nanos as u32).unwrap_or(match seconds < 0 {
            true => TimeDelta::MIN,
            false => TimeDelta::MAX,
        }),
        parts_of: |delta| match i64::from(delta.subsec_nanos()) {
            nanos @ 0.. => (delta.num_seconds(), nanos),
            nanos => (delta.num_seconds() - 1, nanos + LAST_NANO as i64 + 1),
        },
        is_doubtful: |delta| [TimeDelta::MIN, TimeDelta::MAX].contains(delta),
        read: |sketch| {
            let [seconds, nanos] = sketch.record("TimeDelta", &["secs", "nanos"])?;
            TimeDelta::new(seconds.parsed()?, nanos.parsed()?)
        },
        expected: "TimeDelta { secs: …, nanos: … }",
    }
}

fn any_date() -> Any<NaiveDate> {
    Any::new()
}

fn any_time() -> Any<NaiveTime> {
    Any::new()
}

/// The seconds, rounded down, of the smallest and the largest duration.
const MOST_SECONDS: (i64, i64) = (TimeDelta::MIN.num_seconds() - 1, TimeDelta::MAX.num_seconds());

fn read_offset(text: &str) -> Option<FixedOffset> {
    FixedOffset::east_opt(calendar::read_offset(text)?)
}

fn offset_of(seconds: i32) -> FixedOffset {
    FixedOffset::east_opt(seconds).expect("it is less than a day")
}

/// Whether it is a leap second at the end of a minute that stands elsewhere by its offset, where it
/// does not look like one: only 59 is shown as 60.
fn is_hidden_leap_second(datetime: &NaiveDateTime, offset: &FixedOffset) -> bool {
    let is_leap_second = datetime.nanosecond() > LAST_NANO as u32;
    is_leap_second && datetime.second() == 59 && offset.local_minus_utc() % 60 != 0
}

/// The same time in a leap second, or in the second before it.
fn with_leap(datetime: &NaiveDateTime, is_leap: bool) -> NaiveDateTime {
    let second = LAST_NANO as u32 + 1;
    let nanos = datetime.nanosecond() % second + if is_leap { second } else { 0 };
    datetime.with_nanosecond(nanos).unwrap_or(*datetime)
}

/// A date, a time and an offset. By its offset, the date that is shown may lie one day outside of
/// those that there are.
fn read_with_offset(text: &str) -> Option<DateTime<FixedOffset>> {
    let (date, time) = text.split_once('T')?;
    let (time, offset) = time.split_at(time.find(['+', '-'])?);
    let (time, offset): (NaiveTime, FixedOffset) = (time.parse().ok()?, read_offset(offset)?);
    let day = TimeDelta::days(1);
    let (date, beyond) = match date {
        AFTER_LAST => (NaiveDate::MAX, day),
        BEFORE_FIRST => (NaiveDate::MIN, -day),
        _ => (date.parse().ok()?, TimeDelta::zero()),
    };
    // As chrono does, without a second look at leap seconds.
    let nanos = time.nanosecond();
    let datetime = date.and_time(time.with_nanosecond(0)?);
    let utc = datetime.checked_add_signed(beyond - TimeDelta::seconds(offset.local_minus_utc().into()))?;
    Some(DateTime::from_naive_utc_and_offset(utc.with_nanosecond(nanos)?, offset))
}

const AFTER_LAST: &str = "+262143-01-01";
const BEFORE_FIRST: &str = "-262144-12-31";

leaf_picks! {
    /// `Mon` is the simplest; all as likely.
    ///
    /// ```
    /// use chrono::Weekday;
    /// use retrospect::prelude::*;
    /// assert_eq!(any::<Weekday>().choices_of(&Weekday::Sun).unwrap().to_string(), "6:Sun");
    /// ```
    Weekday, WEEKDAY = "Weekday" {
        "Mon" => Weekday::Mon,
        "Tue" => Weekday::Tue,
        "Wed" => Weekday::Wed,
        "Thu" => Weekday::Thu,
        "Fri" => Weekday::Fri,
        "Sat" => Weekday::Sat,
        "Sun" => Weekday::Sun,
    }
    /// `January` is the simplest; all as likely.
    ///
    /// ```
    /// use chrono::Month;
    /// use retrospect::prelude::*;
    /// assert_eq!(any::<Month>().read("December").unwrap(), Month::December);
    /// ```
    Month, MONTH = "Month" {
        "January" => Month::January,
        "February" => Month::February,
        "March" => Month::March,
        "April" => Month::April,
        "May" => Month::May,
        "June" => Month::June,
        "July" => Month::July,
        "August" => Month::August,
        "September" => Month::September,
        "October" => Month::October,
        "November" => Month::November,
        "December" => Month::December,
    }
}
