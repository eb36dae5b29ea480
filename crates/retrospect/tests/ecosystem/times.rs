//! `chrono` and `jiff`.

use super::{check, refuses, shrunk};
use retrospect::prelude::*;

#[cfg(feature = "chrono")]
mod of_chrono {
    use super::*;
    use chrono::{
        DateTime, Datelike, FixedOffset, Month, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike, Utc, Weekday,
    };

    fn date(year: i32, month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(year, month, day).unwrap()
    }

    #[test]
    fn dates() {
        let dates =
            [NaiveDate::MIN, NaiveDate::MAX, date(0, 1, 1), date(-1, 12, 31), date(10_000, 2, 29), date(1900, 2, 28)];
        check(any::<NaiveDate>(), "1970-01-01", dates);
        refuses(any::<NaiveDate>(), &[("7", "expected a date such as 1970-01-31, not the number `7`")]);
        refuses(any::<NaiveDate>(), &[("today", "expected a date such as 1970-01-31, not the word `today`")]);
        for text in ["2023-02-29", "2024-13-01", "999999-01-01"] {
            refuses(any::<NaiveDate>(), &[(text, "there is no such date")]);
        }
        refuses(any::<NaiveTime>(), &[("24:00:00", "there is no such time")]);
        refuses(any::<NaiveDateTime>(), &[("2023-02-29T00:00:00.5", "there is no such date and time")]);
        refuses(any::<DateTime<Utc>>(), &[("2023-02-29T00:00:00Z", "there is no such point in time")]);
        assert_eq!(shrunk(any::<NaiveDate>(), "2023-11-17", |date| date.year() >= 2000), "2000-01-01");
        assert_eq!(
            shrunk(any::<NaiveDate>(), "2024-02-29", |date| (date.month(), date.day()) == (2, 29)),
            "1972-02-29"
        );
        assert_eq!(shrunk(any::<NaiveDate>(), "2023-11-17", |date| date.weekday() == Weekday::Fri), "1970-01-02");
        let drawn: Vec<NaiveDate> = any::<NaiveDate>().samples(1).take(2000).collect();
        assert!(drawn.iter().any(|date| (date.month(), date.day()) == (2, 29)));
        assert!(drawn.iter().any(|date| date.year() == NaiveDate::MAX.year()));
        assert!(drawn.iter().filter(|date| (1970..=2100).contains(&date.year())).count() > 900);
    }

    #[test]
    fn ranges_of_dates_and_times() {
        let (low, high) = (date(2023, 12, 30), date(2024, 3, 1));
        check(low..=high, "2023-12-30", [low, high, date(2024, 2, 29)]);
        check(NaiveDate::MIN..NaiveDate::MAX, "1970-01-01", [NaiveDate::MIN, NaiveDate::MAX.pred_opt().unwrap()]);
        check(date(1900, 1, 1)..=date(1960, 5, 5), "1960-05-05", []);
        refuses(low..high, &[("2024-03-01", "2024-03-01 is not in 2023-12-30..2024-03-01")]);
        refuses(low..high, &[("today", "expected a date such as 1970-01-31, not the word `today`")]);
        assert!(
            (low..low).choices_of(&low).unwrap_err().reason().starts_with("the range 2023-12-30..2023-12-30 is empty")
        );
        assert_eq!((low..high).samples(1).take(1_000).collect::<std::collections::BTreeSet<_>>().len(), 62);
        assert_eq!((low..=high).origin(date(2024, 1, 10)).replay(&Choices::default()), date(2024, 1, 10));
        check(NaiveDateTime::MIN..=NaiveDateTime::MAX, "1970-01-01T00:00:00", [NaiveDateTime::MIN, NaiveDateTime::MAX]);
        check(DateTime::<Utc>::MIN_UTC.., "1970-01-01T00:00:00Z", [DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC]);
        // It has the number of the second after it.
        let leap_second = date(2016, 12, 31).and_hms_nano_opt(23, 59, 59, 1_500_000_000).unwrap();
        assert!(!(NaiveDateTime::MIN..).accepts(&leap_second));
    }

    #[test]
    fn times_of_day() {
        let leap_second = NaiveTime::from_hms_nano_opt(23, 59, 59, 1_999_999_999).unwrap();
        let time = |nanos| NaiveTime::from_hms_nano_opt(1, 2, 3, nanos).unwrap();
        check(
            any::<NaiveTime>(),
            "00:00:00",
            [leap_second, time(0), time(1), time(1_000), time(1_000_000), time(999_999_999)],
        );
        // Its text is that of another time.
        assert!(!any::<NaiveTime>().accepts(&time(0).with_nanosecond(1_500_000_000).unwrap()));
        assert_eq!(shrunk(any::<NaiveTime>(), "17:42:09.125", |time| time.hour() >= 12), "12:00:00");
        assert!(any::<NaiveTime>().samples(1).take(2000).any(|time| time.nanosecond() >= 1_000_000_000));
    }

    /// By an offset with seconds a leap second stands in the middle of a minute, and its text is
    /// that of the second after.
    #[test]
    fn points_in_time_are_read_back() {
        let points = any::<DateTime<FixedOffset>>();
        let mut leap_seconds = 0;
        for point in points.samples(1).take(20_000) {
            let read = points.read(&format!("{point:?}")).unwrap();
            assert_eq!((read, read.offset()), (point, point.offset()));
            leap_seconds += u32::from(point.nanosecond() >= 1_000_000_000);
        }
        assert!(leap_seconds > 100, "{leap_seconds}");
        let leap_second = date(2016, 12, 31).and_hms_nano_opt(23, 59, 59, 1_500_000_000).unwrap();
        let by_offset = |seconds| {
            let offset = FixedOffset::east_opt(seconds).unwrap();
            DateTime::<FixedOffset>::from_naive_utc_and_offset(leap_second, offset)
        };
        assert!(points.accepts(&by_offset(3600)));
        assert_eq!(
            points.choices_of(&by_offset(3601)).unwrap_err().reason(),
            "a leap second that is not at the end of a minute by its offset is shown as the second after it"
        );
    }

    #[test]
    fn points_in_time() {
        let naive = date(2038, 1, 19).and_hms_opt(3, 14, 7).unwrap();
        check(any::<NaiveDateTime>(), "1970-01-01T00:00:00", [naive, NaiveDateTime::MIN, NaiveDateTime::MAX]);
        let values = [naive.and_utc(), DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC];
        check(any::<DateTime<Utc>>(), "1970-01-01T00:00:00Z", values);
        let at = |datetime: NaiveDateTime, seconds| {
            DateTime::<FixedOffset>::from_naive_utc_and_offset(datetime, FixedOffset::east_opt(seconds).unwrap())
        };
        // The date that is shown lies outside of those that there are.
        let shown_outside = [at(NaiveDateTime::MAX, 3600), at(NaiveDateTime::MIN, -3600)];
        check(any::<DateTime<FixedOffset>>(), "1970-01-01T00:00:00+00:00", [at(naive, 19_800), at(naive, -1)]);
        check(any::<DateTime<FixedOffset>>(), "1970-01-01T00:00:00+00:00", shown_outside);
        assert_eq!(
            shrunk(any::<DateTime<Utc>>(), "2023-11-17T09:30:15.5Z", |time| time.timestamp() > 1_000_000_000),
            "2002-01-01T00:00:00Z"
        );
        refuses(
            any::<DateTime<Utc>>(),
            &[("1970-01-01", "expected a point in time such as 1970-01-31T23:59:59Z, not the word `1970-01-01`")],
        );
    }

    /// Each time prints as no other does, also at the ends of its choices, where `#[property]`
    /// looks first.
    #[property]
    fn times_are_read_back(time: NaiveTime, point: DateTime<Utc>) {
        assert_eq!(format!("{time:?}").parse::<NaiveTime>().unwrap(), time);
        assert_eq!(format!("{point:?}").parse::<DateTime<Utc>>().unwrap(), point);
    }

    #[test]
    fn offsets_and_durations() {
        let offsets =
            [-86_399, -1, 1, 59, 60, 3_600, 19_800, 86_399].map(|seconds| FixedOffset::east_opt(seconds).unwrap());
        check(any::<FixedOffset>(), "+00:00", offsets);
        for text in ["+01", "01:00:00:00", "+"] {
            let reason = format!("expected an offset such as +01:00, not the word `{text}`");
            refuses(any::<FixedOffset>(), &[(text, &reason)]);
        }
        for text in ["+1:00", "+01:60", "+24:00"] {
            refuses(any::<FixedOffset>(), &[(text, "there is no such offset")]);
        }
        let nearly = |seconds, nanos| TimeDelta::new(seconds, nanos).unwrap();
        let durations = [TimeDelta::MIN, TimeDelta::MAX, nearly(-1, 1), nearly(-1, 999_999_999), nearly(1, 5)];
        check(any::<TimeDelta>(), "TimeDelta { secs: 0, nanos: 0 }", durations);
        assert_eq!(
            shrunk(any::<TimeDelta>(), "TimeDelta { secs: 90061, nanos: 5 }", |delta| delta.num_minutes() > 59),
            "TimeDelta { secs: 3600, nanos: 0 }"
        );
        check(any::<Weekday>(), "Mon", [Weekday::Sun]);
        check(any::<Month>(), "January", [Month::December]);
    }

    /// A derived type may have fields of another crate.
    #[derive(Debug, Generate)]
    struct Appointment {
        at: DateTime<Utc>,
        lasts: Option<TimeDelta>,
    }

    #[test]
    fn fields() {
        laws::check(&any::<Appointment>());
        let text = "Appointment { at: 2024-02-29T10:00:00Z, lasts: Some(TimeDelta { secs: 1800, nanos: 0 }) }";
        assert_eq!(
            shrunk(any::<Appointment>(), text, |appointment| appointment.lasts.is_some()),
            "Appointment { at: 1970-01-01T00:00:00Z, lasts: Some(TimeDelta { secs: 0, nanos: 0 }) }"
        );
        assert!(any::<Appointment>().fill("Appointment { at: _, lasts: None }", 1).is_ok());
    }
}

#[cfg(feature = "jiff")]
mod of_jiff {
    use super::*;
    use jiff::civil::{Date, DateTime, Time, Weekday};
    use jiff::tz::{Offset, TimeZone};
    use jiff::{SignedDuration, Span, Timestamp, ToSpan, Zoned};

    #[test]
    fn ranges_of_dates_and_times() {
        use jiff::civil::date;
        let (low, high) = (date(2023, 12, 30), date(2024, 3, 1));
        check(low..=high, "2023-12-30", [low, high, date(2024, 2, 29)]);
        check(Date::MIN..=Date::MAX, "1970-01-01", [Date::MIN, Date::MAX, date(1969, 12, 31)]);
        refuses(low..high, &[("2024-03-01", "2024-03-01 is not in 2023-12-30..2024-03-01")]);
        assert_eq!((low..high).samples(1).take(1_000).collect::<std::collections::BTreeSet<_>>().len(), 62);
        check(DateTime::MIN..=DateTime::MAX, "1970-01-01T00:00:00", [DateTime::MIN, DateTime::MAX]);
        check(Timestamp::MIN.., "1970-01-01T00:00:00Z", [Timestamp::MIN, Timestamp::MAX]);
    }

    #[test]
    fn dates_and_times() {
        check(any::<Date>(), "1970-01-01", [Date::MIN, Date::MAX, Date::ZERO, Date::constant(2024, 2, 29)]);
        check(any::<Time>(), "00:00:00", [Time::MAX, Time::constant(1, 2, 3, 4)]);
        check(any::<DateTime>(), "1970-01-01T00:00:00", [DateTime::MIN, DateTime::MAX]);
        check(
            any::<Timestamp>(),
            "1970-01-01T00:00:00Z",
            [Timestamp::MIN, Timestamp::MAX, Timestamp::constant(-1, -1)],
        );
        check(any::<Weekday>(), "Monday", [Weekday::Sunday]);
        assert_eq!(shrunk(any::<Date>(), "2023-11-17", |date| date.year() >= 2000), "2000-01-01");
        assert_eq!(shrunk(any::<Time>(), "17:42:09.125", |time| time.minute() > 5), "00:06:00");
        refuses(any::<Date>(), &[("2023-02-29", "there is no such date")]);
    }

    #[test]
    fn zones() {
        let at = |offset| Timestamp::UNIX_EPOCH.to_zoned(TimeZone::fixed(offset));
        check(any::<Offset>(), "00:00:00", [Offset::MIN, Offset::MAX, Offset::constant(-5)]);
        check(any::<Zoned>(), "1970-01-01T00:00:00+00:00[UTC]", [at(Offset::constant(-5)), at(Offset::UTC)]);
        let to_the_second = at(Offset::from_seconds(1).unwrap());
        assert_eq!(
            any::<Zoned>().choices_of(&to_the_second).unwrap_err().reason(),
            "its offset has seconds, which its text does not show"
        );
        let ruled = Timestamp::UNIX_EPOCH.to_zoned(TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap());
        assert_eq!(any::<Zoned>().choices_of(&ruled).unwrap_err().reason(), "its time zone is no fixed offset");
        assert_eq!(
            any::<Vec<Zoned>>().read("[1970-01-01T00:00:00-05:00[America/New_York]]").unwrap_err().to_string(),
            "this generator cannot make the part `[0]`, which is 1970-01-01T00:00:00-05:00[America/New_York]: expected a point in time \
             with UTC or an offset such as 1970-01-31T23:59:59+01:00[+01:00], not the word `1970-01-01T00:00:00-05:00[America/New_York]`"
        );
        assert_eq!(
            shrunk(any::<Zoned>(), "2023-11-17T09:30:00+05:30[+05:30]", |time| time.offset() > Offset::constant(1)),
            "1970-01-01T01:01:00+01:01[+01:01]"
        );
    }

    #[test]
    fn durations() {
        let duration = SignedDuration::new;
        let values =
            [SignedDuration::MIN, SignedDuration::MAX, duration(0, -1), duration(-1, -1), duration(5400, 1_002_003)];
        check(any::<SignedDuration>(), "0s", values);
        assert_eq!(shrunk(any::<SignedDuration>(), "2h 30m ago", |duration| duration.as_mins() < -59), "1h ago");
        let span = Span::new().years(19_998).months(239_976).weeks(1_043_497).days(7_304_484).hours(175_307_616);
        let nanos = Span::new().milliseconds(5).nanoseconds(i64::MAX);
        check(any::<Span>(), "0s", [span, span.negate(), nanos, nanos.negate(), 1.year().minutes(3)]);
        assert_eq!(shrunk(any::<Span>(), "1y 2mo 3d 4h 5m", |span| span.get_hours() > 2), "3h");
        assert!(any::<Span>().accepts(&631_107_417_600_000_000i64.microseconds()));
        let error = any::<(Span, u8)>().read("(1h 5m 7, 3)").unwrap_err().to_string();
        assert!(error.starts_with("1:8: expected `,` or `)` after this part"), "{error}");
    }
}
