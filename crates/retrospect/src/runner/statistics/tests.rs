use super::*;
use crate::source::Rng;
use crate::{assume, classify, cover, event, note, target};
use std::panic::Location;

fn log_of(wants_notes: bool, body: impl FnOnce()) -> CaseLog {
    let _logging = begin(wants_notes);
    body();
    take()
}

fn never<T>() -> T {
    panic!("this is not to be evaluated")
}

fn message_of(body: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(body)).unwrap_err();
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast_ref::<&str>().unwrap().to_string(),
    }
}

#[test]
fn a_case_keeps_all_that_was_logged_in_order() {
    let name = String::from("data");
    let log = log_of(true, || {
        event!("len", 3usize);
        event!("frame", &name);
        event!("frame", name.as_str());
        event!("flag", true);
        event!("letter", 'x');
        event!("debug", ?Some(1));
        event!("happened");
        classify!(1 > 2, "never");
        classify!(1 > 2, "yes", "no");
        event!("len", -1.5f32);
        note!("{} and {}", 1, 2);
    });
    let events: Vec<(&str, Value)> = log.events.into_iter().map(|event| (event.name, event.value)).collect();
    let category = |text: &'static str| Value::Category(text.into());
    assert_eq!(
        events,
        [
            ("len", Value::Number(3.0)),
            ("frame", category("data")),
            ("frame", category("data")),
            ("flag", category("true")),
            ("letter", category("x")),
            ("debug", category("Some(1)")),
            ("happened", Value::Flag(true)),
            ("never", Value::Flag(false)),
            ("1 > 2", category("no")),
            ("len", Value::Number(-1.5)),
        ]
    );
    assert_eq!(log.notes, ["1 and 2"]);
}

#[test]
fn many_notes_keep_the_first_and_the_last() {
    let log = log_of(true, || {
        for number in 0..1_000_000 {
            note!("{number}");
        }
    });
    assert_eq!(log.notes.len(), 101);
    assert_eq!((&*log.notes[49], &*log.notes[50], &*log.notes[51]), ("49", "… 999,900 more notes", "999950"));
    let log = log_of(true, || note!("{}", "ä".repeat(1_000_000)));
    assert_eq!(log.notes, [format!("{}…", "ä".repeat(1_000))]);
}

#[test]
fn touching_is_seen_and_taken_back() {
    let _logging = begin(false);
    assert!(!is_touched());
    note!("not wanted: {}", never::<u8>());
    assert!(!is_touched());
    event!("here");
    assert!(is_touched());
    assert_eq!(take().events.len(), 1);
    assert!(!is_touched());
    assert!(take().events.is_empty());
}

#[test]
fn a_property_within_a_property_has_its_own_log() {
    let outer = log_of(false, || {
        event!("outer");
        let inner = log_of(true, || {
            event!("inner");
            note!("inner");
        });
        assert_eq!((inner.events.len(), inner.notes.len()), (1, 1));
        assert!(is_touched());
        note!("outer");
        event!("outer");
    });
    assert_eq!((outer.events.len(), outer.notes.len()), (2, 0));
}

#[test]
fn a_panic_ends_the_logging() {
    assert!(
        catch_unwind(|| {
            let _logging = begin(true);
            event!("lost");
            resume_unwind(Box::new(()))
        })
        .is_err()
    );
    assert!(!log::is_logging() && !log::wants_notes() && !is_touched());
}

#[test]
fn nothing_is_evaluated_outside_of_a_property_or_on_another_thread() {
    fn inactive() {
        event!("name", never::<u8>());
        event!("name", ?never::<u8>());
        classify!(never(), "label");
        classify!(never(), "yes", "no");
        cover!(7.0, never());
        target!(never::<u8>());
        note!("{}", never::<u8>());
        assert!(!is_touched());
    }
    inactive();
    let _logging = begin(true);
    std::thread::spawn(inactive).join().unwrap();
}

#[test]
fn assume_throws_what_it_assumed() {
    let discarded = |body: fn()| {
        let _logging = begin(false);
        catch_unwind(body).unwrap_err().downcast::<Discarded>().ok().unwrap()
    };
    let line = line!() + 1;
    let plain = discarded(|| assume!(1 + 1 == 3));
    assert_eq!((plain.place.line(), plain.text, plain.why), (line, "assume!(1 + 1 == 3)", None));
    assert!(plain.place.file().ends_with("tests.rs"));
    let told = discarded(|| assume!(1 + 1 == 3, "{} is odd", 3));
    assert_eq!((told.text, told.why.as_deref()), ("assume!(1 + 1 == 3)", Some("3 is odd")));
    let returned = discarded(|| drop(crate::runner::Outcome::discarded()));
    assert_eq!(returned.text, "Outcome::discarded()");
    // What holds does nothing, anywhere.
    assume!(1 + 1 == 2);
    assume!(1 + 1 == 2, "{}", never::<u8>());
}

#[test]
fn assume_outside_of_a_property_says_so() {
    assert_eq!(
        message_of(|| assume!(1 > 2)),
        "`assume!(1 > 2)` does not hold, and there is no case to discard here: it works only in a property, on the thread that runs it"
    );
    assert_eq!(
        message_of(|| assume!(1 > 2, "{} is small", 1)),
        "`assume!(1 > 2)` does not hold (1 is small), and there is no case to discard here: it works only in a property, on the thread that runs it"
    );
}

#[test]
fn a_share_that_is_none_is_named() {
    let message = |share| message_of(|| drop(log_of(false, || cover!(share, true))));
    assert_eq!(message(5.0), "cover! needs a share between 0 and 1, not 5: 5 % is written 0.05");
    assert_eq!(message(12.5), "cover! needs a share between 0 and 1, not 12.5: 12.5 % is written 0.125");
    assert_eq!(message(-0.5), "cover! needs a share between 0 and 1, not -0.5: 5 % is written 0.05");
    assert_eq!(message(f64::NAN), "cover! needs a share between 0 and 1, not NaN: 5 % is written 0.05");
}

#[test]
fn a_case_counts_once_for_each_cover_and_each_flag() {
    let statistics = Statistics::of(10, |case| {
        for turn in 0..5 {
            cover!(0.5, turn == case);
            classify!(turn == case, "met");
            event!("always");
        }
    });
    let cover = &statistics.covers()[0];
    assert_eq!((cover.held_in(), cover.cases()), (5, 10));
    assert_eq!(
        statistics.lines(),
        [
            "seen            met 50 %   always 100 %",
            "expected        `turn == case` 50 % (at least 50 %)  undecided after 10 cases"
        ]
    );
}

#[test]
fn the_best_score_of_a_case_is_its_score() {
    let log = log_of(false, || {
        for score in [3.0, f64::NAN, 7.0, 5.0] {
            target!(score, "gap");
        }
        target!(f64::NAN, "none");
    });
    let scores: Vec<_> = log.scores.iter().map(|score| (score.label, score.best, score.not_numbers)).collect();
    assert_eq!(scores, [("gap", Some(7.0), 1), ("none", None, 1)]);
    let mut statistics = Statistics::default();
    statistics.add(log);
    statistics.add_untouched(3);
    assert_eq!(statistics.cases(), 4);
    assert_eq!(statistics.lines(), ["target \"gap\"    best 7   1 not a number", "target \"none\"   1 not a number"]);
}

#[test]
fn a_case_that_logs_without_end_is_bounded() {
    let statistics = Statistics::of(2, |_| (0..10_500).for_each(|turn| event!("turn", turn % 3)));
    assert_eq!(
        statistics.lines(),
        [
            "value \"turn\"    min 0   median 1   mean 1   p90 2   max 2      ███",
            "left out        1,000 events of cases that logged more than 10,000"
        ]
    );
}

#[test]
fn discarded_cases_are_not_counted_and_panics_are_passed_on() {
    let statistics = Statistics::of(10, |case| {
        event!("case", case);
        assume!(case < 2);
    });
    assert_eq!(statistics.cases(), 2);
    assert_eq!(statistics.lines(), ["value \"case\"    min 0   median 0   mean 0.5   p90 1   max 1      ██"]);
    assert_eq!(message_of(|| drop(Statistics::of(10, |_| panic!("oh")))), "oh");
}

/// The counts of a `cover!` that held so often.
fn coverage(required: f64, held_in: u64, cases: u64) -> Coverage {
    let mut sum = Coverage::of_case(Location::caller(), "`len == 0`", required, false);
    sum.set(held_in, cases);
    sum
}

/// In how many of 2,000 random streams a wealth reaches 20 at any time, if one looks after each of
/// 200 cases.
fn alarms(rng: &mut Rng, share: f64, wealth: fn(&Coverage, f64) -> f64) -> usize {
    // It depends on the counts only, so it is looked up.
    let is_alarm: Vec<Vec<bool>> = (0..=200)
        .map(|cases| (0..=cases).map(|held| wealth(&coverage(share, held, cases), share) >= 20f64.ln()).collect())
        .collect();
    let mut stream = || {
        let mut held = 0;
        (1..=200).any(|cases| {
            held += usize::from(((rng.next() >> 11) as f64) < share * (1u64 << 53) as f64);
            is_alarm[cases][held]
        })
    };
    (0..2000).filter(|_| stream()).count()
}

#[test]
fn looking_all_the_time_raises_no_false_alarm() {
    let mut rng = Rng::new(1);
    for share in [0.5, 0.1, 0.9] {
        for wealth in [Coverage::wealth_against_more, Coverage::wealth_against_less] {
            let alarms = alarms(&mut rng, share, wealth);
            // One in twenty is allowed; three standard deviations of that are 29. A test that says
            // nothing would raise none.
            assert!((10..=129).contains(&alarms), "{alarms} of 2000 streams with a share of {share}");
        }
    }
}

#[test]
fn a_wealth_is_never_expected_to_grow() {
    // Exactly, over all that can happen next, from many states, if the share is as it is claimed to
    // be.
    for share in [0.01, 0.3, 0.5, 0.97] {
        for wealth in [Coverage::wealth_against_more, Coverage::wealth_against_less] {
            for (held, cases) in [(0, 0), (0, 1), (1, 1), (3, 10), (10, 10), (40, 90), (0, 90)] {
                let at = |held, cases| wealth(&coverage(share, held, cases), share).exp();
                let expected = share * at(held + 1, cases + 1) + (1.0 - share) * at(held, cases + 1);
                let now = at(held, cases);
                assert!((expected / now - 1.0).abs() < 1e-9, "{share} {held} {cases}: {now} {expected}");
            }
        }
    }
}

#[test]
fn what_is_clear_is_decided_soon() {
    let first = |required: f64, held: fn(u64) -> bool, verdict: Verdict| {
        let mut held_in = 0;
        (1..100_000)
            .find(|cases| {
                held_in += u64::from(held(*cases));
                coverage(required, held_in, *cases).verdict() == verdict
            })
            .unwrap()
    };
    let look = |required, held, verdict, at_most| {
        let cases = first(required, held, verdict);
        assert!(cases <= at_most && cases > at_most * 4 / 5, "{required} {verdict:?} {cases}");
    };
    look(0.05, |_| false, Verdict::Missed, 330);
    look(0.5, |_| false, Verdict::Missed, 24);
    look(0.5, |_| true, Verdict::Met, 21);
    look(0.05, |_| true, Verdict::Met, 6);
    look(1.0, |_| true, Verdict::Met, 158);
    look(1.0, |case| case != 7, Verdict::Missed, 7);
    look(0.05, |case| case % 10 == 0, Verdict::Met, 710);
    look(0.01, |case| case % 50 == 0, Verdict::Met, 3700);
    // Exactly as demanded is the hardest question there is.
    look(0.05, |case| case % 20 == 0, Verdict::Met, 60_000);
}

#[test]
fn in_the_zone_of_tolerance_it_ends_too() {
    for required in [0.001, 0.05, 0.5, 0.99] {
        for part in [0.9, 0.95, 1.0] {
            let cases = (400_000.0 / required) as u64;
            let sum = coverage(required, (part * required * cases as f64) as u64, cases);
            assert_ne!(sum.verdict(), Verdict::Undecided, "{required} {part}");
        }
    }
}

#[test]
fn extreme_shares_and_counts_have_a_verdict() {
    assert_eq!(coverage(0.0, 0, 1).verdict(), Verdict::Met);
    assert_eq!(coverage(1.0, 1, 1).verdict(), Verdict::Undecided);
    assert_eq!(coverage(1.0, 0, 1).verdict(), Verdict::Missed);
    for required in [f64::MIN_POSITIVE, 1e-12, 0.5, 1.0 - f64::EPSILON, 1.0] {
        for (held_in, cases) in [(0, 1), (1, 1), (0, u64::MAX), (u64::MAX, u64::MAX), (1 << 40, 1 << 41)] {
            let sum = coverage(required, held_in, cases);
            assert!(!sum.wealth_against_more(required).is_nan(), "{required} {held_in} {cases}");
            assert!(!sum.wealth_against_less(0.9 * required).is_nan(), "{required} {held_in} {cases}");
            if held_in == cases && cases > 1 {
                assert_eq!(sum.verdict(), Verdict::Met);
            }
        }
    }
}

#[test]
fn a_missed_share_says_what_to_do() {
    let missed = coverage(0.05, 0, 400);
    let place = missed.place().to_string();
    assert_eq!(
        missed.failure(),
        format!(
            "`len == 0` held in 0 of 400 cases, and at least 5 % are expected by cover! at {place}\n\
             make the generator draw such cases more often, or lower the share: cover!(0.05, …)"
        )
    );
    let missed = coverage(0.05, 12, 1400);
    let place = missed.place();
    assert!(
        missed.failure().starts_with("`len == 0` held in 12 of 1,400 cases (0.9 %), and at least 5 % are expected")
    );
    assert_eq!(format!("{missed:?}"), format!("`len == 0` 0.9 % (at least 5 %)  NOT MET, at {place}"));
}

#[test]
fn numbers_of_all_kinds_are_summed_up() {
    let line = |numbers: &[f64]| {
        let mut statistics = Statistics::default();
        for number in numbers {
            statistics.add(log_of(false, || event!("x", *number)));
        }
        let [line] = &statistics.lines()[..] else { panic!("{statistics:?}") };
        line.strip_prefix("value \"x\"       ").unwrap().to_string()
    };
    assert_eq!(line(&[7.0]), "always 7");
    assert_eq!(line(&[-0.0, 0.0]), "always 0");
    assert_eq!(line(&[f64::NAN]), "1 not a number");
    assert_eq!(line(&[f64::NAN, 2.0]), "always 2   1 not a number");
    assert_eq!(line(&[-3.0, -2.0, 5.0]), "min -3   median -2   mean 0   p90 5   max 5      ██      █");
    assert_eq!(
        line(&[0.1, 0.25, 1.0 / 3.0]),
        "min 0.1   median 0.25   mean 0.228   p90 0.333   max 0.333      █    █ █"
    );
    assert_eq!(line(&[1.0, 1e300]), "min 1   median 1   mean 5.00e299   p90 1.00e300   max 1.00e300      █      █");
    assert_eq!(
        line(&[f64::MIN, f64::MAX]),
        "min -1.80e308   median -1.79e308   mean 0   p90 1.80e308   max 1.80e308      █      █"
    );
    assert_eq!(line(&[0.0, f64::INFINITY]), "min 0   median 0   mean inf   p90 inf   max inf");
    assert_eq!(
        line(&[1234567.0, 5e-5]),
        "min 5.00e-5   median 5.00e-5   mean 617,284   p90 1,234,567   max 1,234,567      █      █"
    );
}

#[test]
fn small_whole_numbers_are_exact_and_others_nearly() {
    let mut numbers = Numbers::default();
    (-256..=256).for_each(|number| numbers.add(f64::from(number)));
    for rank in 1..=513 {
        assert_eq!(numbers.quantile(f64::from(rank) / 513.0), f64::from(rank - 257));
    }
    let mut large = Numbers::default();
    (1..=10_000).for_each(|number| large.add(f64::from(number) * 1e9));
    for share in [0.01, 0.1, 0.5, 0.9, 0.99] {
        let error = large.quantile(share) / (share * 1e13) - 1.0;
        assert!(error.abs() < 0.01, "{error}");
    }
}

#[test]
fn categories_are_counted_and_the_rare_ones_together() {
    let statistics = Statistics::of(100, |case| {
        event!("common", ["Data", "Data", "Ping", "", "two\nlines"][case as usize % 5]);
        event!("many", case / 2 * u64::from(case % 4 > 0));
        event!("debug", ?(case / 2 * u64::from(case % 4 > 0)));
        event!("long", "x".repeat(500));
    });
    assert_eq!(
        statistics.lines()[..],
        [
            "label \"common\"   Data 40 %   \"\" 20 %   Ping 20 %   \"two\\nlines\" 20 %",
            "value \"many\"     min 0   median 16   mean 18.5   p90 43   max 49      █▃▃▃▃▃▃▃",
            "label \"debug\"    0 26 %   1 2 %   11 2 %   13 2 %   15 2 %   17 2 %   … 44 others 64 %",
            "label \"long\"     xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… 100 %",
        ]
    );
}

#[test]
fn categories_without_end_are_bounded() {
    let mut statistics = Statistics::of(3000, |case| event!("id", format!("#{case:04}")));
    statistics.merge(Statistics::of(3000, |case| event!("id", format!("#{case:04}"))));
    assert_eq!(
        statistics.lines(),
        [
            "label \"id\"      #0000 <0.1 %   #0001 <0.1 %   #0002 <0.1 %   #0003 <0.1 %   #0004 <0.1 %   #0005 <0.1 %",
            "                … 994+ others >99 %"
        ]
    );
}

#[test]
fn merging_is_the_same_as_going_on() {
    let body = |case: u64| {
        event!("square", case * case);
        event!("last", case % 10);
        event!("tens", format!("{}", case / 10));
        classify!(case % 3 == 1, "third");
        cover!(0.2, case % 4 == 1, "fourth");
        target!(case);
    };
    let mut parts = Statistics::default();
    for part in 0..10 {
        parts.merge(Statistics::of(20, |case| body(part * 20 + case)));
    }
    let whole = Statistics::of(200, body);
    assert_eq!(parts.cases(), whole.cases());
    assert_eq!(parts.lines(), whole.lines());
    assert_eq!(format!("{parts:?}"), format!("{:?}", whole.lines()));
}

#[test]
fn shares_are_never_rounded_to_all_or_nothing() {
    let all: Vec<String> = [(0, 9), (1, 9999), (1, 1000), (59, 1000), (995, 10000), (9996, 10000), (9, 9)]
        .iter()
        .map(|(count, total)| summary::percent(*count, *total))
        .collect();
    assert_eq!(all, ["0 %", "<0.1 %", "0.1 %", "5.9 %", "10 %", ">99 %", "100 %"]);
}
