//! What the two processes say to each other.
//!
//! Requests go to the worker's standard input, each after its length. Answers come from its
//! standard output, where the harness and the property print too: each begins with a mark that the
//! parent has made up, and its length. All that stands between answers was printed.

use crate::choice::{Choices, Packing, Unpacking};
use crate::runner::case::Times;
use crate::runner::failure::{Failure, Trace};
use crate::runner::statistics::{CaseLog, Coverage, Event, Place, Score, Value};
use crate::runner::trial::{Ended, Input, Trial, Wants};
use crate::source::Odometer;
use std::sync::Mutex;
use std::time::Duration;

/// What a worker is asked for.
pub(super) enum Request {
    /// Cases of the hot loop, until one is neither passed nor discarded.
    Quick(Vec<(u64, u32)>),
    Run(KeptInput, Wants),
}

/// What a worker says.
pub(super) enum Answer {
    Hello,
    /// A draw begins.
    Drawing {
        name: String,
        is_in_body: bool,
    },
    /// A draw is made; what it added.
    Drew(Drew),
    /// How the next cases of the hot loop ended.
    Quick {
        results: Vec<Quick>,
        is_last: bool,
        was_cut_short: bool,
    },
    /// How a run ended, and how far the odometer was turned, if there is one.
    Run(Box<Trial>, Option<Odometer>),
}

/// What is told of a draw before the case has ended.
pub(super) struct Drew {
    pub(super) value: Option<(String, String)>,
    pub(super) choices: Choices,
    pub(super) without_choices: Option<String>,
}

/// How cases of the hot loop ended.
pub(super) enum Quick {
    /// So many in a row passed, and logged nothing.
    Passed(u64),
    Ended(Ended, Option<CaseLog>),
}

/// An input that owns what it is made of.
pub(crate) enum KeptInput {
    Seed { seed: u64, size: u32 },
    Choices(Choices),
    Exactly(Choices),
    Values(Vec<(String, String)>),
    Example(usize),
    Next(Odometer),
    Nth(u64),
    Reroll { choices: Choices, position: usize, seed: u64 },
    Remade { choices: Choices, edit: Option<(usize, String)> },
}

impl KeptInput {
    pub(crate) fn of(input: &Input<'_>) -> KeptInput {
        match input {
            Input::Seed { seed, size } => KeptInput::Seed { seed: *seed, size: *size },
            Input::Choices(choices) => KeptInput::Choices((*choices).clone()),
            Input::Exactly(choices) => KeptInput::Exactly((*choices).clone()),
            Input::Values(values) => KeptInput::Values(values.to_vec()),
            Input::Example(example) => KeptInput::Example(*example),
            Input::Next(odometer) => KeptInput::Next((*odometer).clone()),
            Input::Nth(place) => KeptInput::Nth(*place),
            Input::Reroll { choices, position, seed } => {
                KeptInput::Reroll { choices: (*choices).clone(), position: *position, seed: *seed }
            }
            Input::Remade { choices, edit } => {
                let edit = edit.map(|(position, text)| (position, text.to_owned()));
                KeptInput::Remade { choices: (*choices).clone(), edit }
            }
        }
    }

    pub(crate) fn lend(&mut self) -> Input<'_> {
        match self {
            KeptInput::Seed { seed, size } => Input::Seed { seed: *seed, size: *size },
            KeptInput::Choices(choices) => Input::Choices(choices),
            KeptInput::Exactly(choices) => Input::Exactly(choices),
            KeptInput::Values(values) => Input::Values(values),
            KeptInput::Example(example) => Input::Example(*example),
            KeptInput::Next(odometer) => Input::Next(odometer),
            KeptInput::Nth(place) => Input::Nth(*place),
            KeptInput::Reroll { choices, position, seed } => {
                Input::Reroll { choices, position: *position, seed: *seed }
            }
            KeptInput::Remade { choices, edit } => {
                let edit = edit.as_ref().map(|(position, text)| (*position, text.as_str()));
                Input::Remade { choices, edit }
            }
        }
    }
}

pub(super) fn quick_request(cases: &[(u64, u32)]) -> Vec<u8> {
    let mut out = Packing::default();
    out.number(0);
    out.number(cases.len() as u64);
    for (seed, size) in cases {
        out.number(*seed);
        out.number(u64::from(*size));
    }
    out.into_bytes()
}

pub(super) fn run_request(input: &Input<'_>, wants: Wants) -> Vec<u8> {
    let mut out = Packing::default();
    out.number(1);
    out.number(wants as u64);
    match input {
        Input::Seed { seed, size } => {
            out.number(0);
            out.number(*seed);
            out.number(u64::from(*size));
        }
        Input::Choices(choices) => {
            out.number(1);
            out.choices(choices, 0);
        }
        Input::Exactly(choices) => {
            out.number(2);
            out.choices(choices, 0);
        }
        Input::Values(values) => {
            out.number(3);
            write_values(&mut out, values);
        }
        Input::Example(example) => {
            out.number(4);
            out.number(*example as u64);
        }
        Input::Next(odometer) => {
            out.number(5);
            write_odometer(&mut out, odometer);
        }
        Input::Reroll { choices, position, seed } => {
            out.number(6);
            out.choices(choices, 0);
            out.number(*position as u64);
            out.number(*seed);
        }
        Input::Remade { choices, edit } => {
            out.number(7);
            out.choices(choices, 0);
            out.number(edit.map_or(0, |(position, _)| position as u64));
            out.optional_text(edit.map(|(_, text)| text));
        }
        Input::Nth(place) => {
            out.number(8);
            out.number(*place);
        }
    }
    out.into_bytes()
}

impl Request {
    pub(super) fn read(bytes: &[u8]) -> Option<Request> {
        let mut from = Unpacking::new(bytes);
        if from.number()? == 0 {
            let mut cases = Vec::new();
            for _ in 0..from.count()? {
                cases.push((from.number()?, from.number()? as u32));
            }
            return Some(Request::Quick(cases));
        }
        let wants = match from.number()? {
            0 => Wants::Choices,
            1 => Wants::Values,
            2 => Wants::Observed,
            3 => Wants::Arguments,
            _ => Wants::Drawing,
        };
        let input = match from.number()? {
            0 => KeptInput::Seed { seed: from.number()?, size: from.number()? as u32 },
            1 => KeptInput::Choices(read_choices(&mut from)?),
            2 => KeptInput::Exactly(read_choices(&mut from)?),
            3 => KeptInput::Values(read_values(&mut from)?),
            4 => KeptInput::Example(from.number()? as usize),
            5 => KeptInput::Next(read_odometer(&mut from)?),
            6 => KeptInput::Reroll {
                choices: read_choices(&mut from)?,
                position: from.number()? as usize,
                seed: from.number()?,
            },
            7 => {
                let (choices, position) = (read_choices(&mut from)?, from.number()? as usize);
                KeptInput::Remade { choices, edit: from.optional_text()?.map(|text| (position, text.to_owned())) }
            }
            8 => KeptInput::Nth(from.number()?),
            _ => return None,
        };
        Some(Request::Run(input, wants))
    }
}

pub(super) fn hello() -> Vec<u8> {
    vec![0]
}

pub(super) fn drawing(name: &str, is_in_body: bool) -> Vec<u8> {
    let mut out = Packing::default();
    out.number(1);
    out.text(name);
    out.number(is_in_body.into());
    out.into_bytes()
}

pub(super) fn drew(
    value: Option<&(String, String)>,
    choices: &Choices,
    from: usize,
    without_choices: Option<&str>,
) -> Vec<u8> {
    let mut out = Packing::default();
    out.number(2);
    out.choices(choices, from);
    out.optional_text(without_choices);
    out.optional_text(value.map(|(name, _)| name.as_str()));
    out.optional_text(value.map(|(_, text)| text.as_str()));
    out.into_bytes()
}

pub(super) fn quick_answer(results: &[Quick], is_last: bool, was_cut_short: bool) -> Vec<u8> {
    let mut out = Packing::default();
    out.number(3);
    out.number(u64::from(is_last) | u64::from(was_cut_short) << 1);
    out.number(results.len() as u64);
    for result in results {
        match result {
            Quick::Passed(count) => {
                out.number(0);
                out.number(*count);
            }
            Quick::Ended(ended, log) => {
                out.number(1);
                write_ended(&mut out, ended);
                write_log(&mut out, log.as_ref());
            }
        }
    }
    out.into_bytes()
}

pub(super) fn run_answer(trial: &Trial, odometer: Option<&Odometer>) -> Vec<u8> {
    let mut out = Packing::default();
    out.number(4);
    write_ended(&mut out, &trial.ended);
    out.choices(&trial.choices, 0);
    write_values(&mut out, &trial.values);
    write_log(&mut out, trial.log.as_ref());
    out.optional_text(trial.without_choices.as_deref());
    out.number(trial.was_ready.into());
    out.number(trial.was_cut_short.into());
    write_times(&mut out, &trial.times);
    out.number(trial.draws_in_body.into());
    out.number(trial.covered.is_some().into());
    if let Some(covered) = &trial.covered {
        out.number(covered.len() as u64);
        for line in covered {
            out.number((*line).into());
        }
    }
    out.number(odometer.is_some().into());
    if let Some(odometer) = odometer {
        write_odometer(&mut out, odometer);
    }
    out.into_bytes()
}

impl Answer {
    pub(super) fn read(bytes: &[u8]) -> Option<Answer> {
        let mut from = Unpacking::new(bytes);
        Some(match from.number()? {
            0 => Answer::Hello,
            1 => Answer::Drawing { name: from.text()?.to_owned(), is_in_body: from.flag()? },
            2 => Answer::Drew(Drew {
                choices: read_choices(&mut from)?,
                without_choices: from.optional_text()?.map(str::to_owned),
                value: match (from.optional_text()?, from.optional_text()?) {
                    (Some(name), Some(text)) => Some((name.to_owned(), text.to_owned())),
                    _ => None,
                },
            }),
            3 => {
                let flags = from.number()?;
                let mut results = Vec::new();
                for _ in 0..from.count()? {
                    results.push(match from.number()? {
                        0 => Quick::Passed(from.number()?),
                        _ => Quick::Ended(read_ended(&mut from)?, read_log(&mut from)?),
                    });
                }
                Answer::Quick { results, is_last: flags & 1 != 0, was_cut_short: flags & 2 != 0 }
            }
            4 => {
                let trial = Trial {
                    ended: read_ended(&mut from)?,
                    choices: read_choices(&mut from)?,
                    values: read_values(&mut from)?,
                    log: read_log(&mut from)?,
                    without_choices: from.optional_text()?.map(str::to_owned),
                    was_ready: from.flag()?,
                    was_cut_short: from.flag()?,
                    times: read_times(&mut from)?,
                    draws_in_body: from.flag()?,
                    covered: if from.flag()? { Some(read_covered(&mut from)?) } else { None },
                };
                let odometer = if from.flag()? { Some(read_odometer(&mut from)?) } else { None };
                Answer::Run(Box::new(trial), odometer)
            }
            _ => return None,
        })
    }
}

fn read_choices(from: &mut Unpacking<'_>) -> Option<Choices> {
    let mut choices = Choices::default();
    from.choices(&mut choices)?;
    Some(choices)
}

fn write_values(out: &mut Packing, values: &[(String, String)]) {
    out.number(values.len() as u64);
    for (name, text) in values {
        out.text(name);
        out.text(text);
    }
}

fn read_values(from: &mut Unpacking<'_>) -> Option<Vec<(String, String)>> {
    let mut values = Vec::new();
    for _ in 0..from.count()? {
        values.push((from.text()?.to_owned(), from.text()?.to_owned()));
    }
    Some(values)
}

fn write_times(out: &mut Packing, times: &Times) {
    out.number(times.arguments.len() as u64);
    for time in &times.arguments {
        out.number(time.as_nanos() as u64);
    }
    out.number(times.draws.as_nanos() as u64);
    out.number(times.body.as_nanos() as u64);
}

fn read_times(from: &mut Unpacking<'_>) -> Option<Times> {
    let mut times = Times::default();
    for _ in 0..from.count()? {
        times.arguments.push(Duration::from_nanos(from.number()?));
    }
    times.draws = Duration::from_nanos(from.number()?);
    times.body = Duration::from_nanos(from.number()?);
    Some(times)
}

fn read_covered(from: &mut Unpacking<'_>) -> Option<Vec<u32>> {
    let mut covered = Vec::new();
    for _ in 0..from.count()? {
        covered.push(from.number()? as u32);
    }
    Some(covered)
}

fn write_odometer(out: &mut Packing, odometer: &Odometer) {
    let (wheels, next) = odometer.state();
    out.number(wheels.len() as u64);
    for number in wheels.flatten() {
        out.number(number);
    }
    out.number(next as u64);
}

fn read_odometer(from: &mut Unpacking<'_>) -> Option<Odometer> {
    let mut odometer = Odometer::new();
    for _ in 0..from.count()? {
        odometer.push_wheel([from.number()?, from.number()?, from.number()?, from.number()?]);
    }
    odometer.set_used(from.number()? as usize);
    Some(odometer)
}

fn write_ended(out: &mut Packing, ended: &Ended) {
    match ended {
        Ended::Passed => out.number(0),
        Ended::Discarded { place, text, why } => {
            out.number(1);
            out.text(place);
            out.text(text);
            out.optional_text(why.as_deref());
        }
        Ended::Failed(failure) => {
            out.number(2);
            out.optional_text(failure.place.as_deref());
            out.text(&failure.message);
            out.text(&failure.kind);
            out.optional_text(failure.backtrace.as_ref().map(Trace::text).as_deref());
        }
        Ended::NotMade(reason) => {
            out.number(3);
            out.text(reason);
        }
        Ended::Broken(problem) => {
            out.number(4);
            out.text(problem);
        }
        Ended::NoCase { is_over } => out.number(5 + u64::from(*is_over)),
    }
}

fn read_ended(from: &mut Unpacking<'_>) -> Option<Ended> {
    Some(match from.number()? {
        0 => Ended::Passed,
        1 => Ended::Discarded {
            place: from.text()?.to_owned(),
            text: from.text()?.to_owned(),
            why: from.optional_text()?.map(str::to_owned),
        },
        2 => Ended::Failed(Box::new(Failure {
            place: from.optional_text()?.map(str::to_owned),
            message: from.text()?.to_owned(),
            kind: from.text()?.to_owned(),
            backtrace: from.optional_text()?.map(|text| Trace::Text(text.to_owned())),
        })),
        3 => Ended::NotMade(from.text()?.to_owned()),
        4 => Ended::Broken(from.text()?.to_owned()),
        5 => Ended::NoCase { is_over: false },
        6 => Ended::NoCase { is_over: true },
        _ => return None,
    })
}

fn write_log(out: &mut Packing, log: Option<&CaseLog>) {
    out.number(log.is_some().into());
    let Some(log) = log else { return };
    out.number(log.events.len() as u64);
    for Event { name, value } in &log.events {
        out.text(name);
        match value {
            Value::Flag(flag) => out.number(u64::from(*flag)),
            Value::Number(number) => {
                out.number(2);
                out.number(number.to_bits());
            }
            Value::Category(text) => {
                out.number(3);
                out.text(text);
            }
        }
    }
    out.number(log.covers.len() as u64);
    for cover in &log.covers {
        let place = cover.place();
        out.text(place.file);
        out.number(place.line.into());
        out.number(place.column.into());
        out.text(cover.label());
        out.number(cover.required().to_bits());
        out.number(cover.held_in());
    }
    out.number(log.notes.len() as u64);
    for note in &log.notes {
        out.text(note);
    }
    out.number(log.scores.len() as u64);
    for Score { label, best, not_numbers } in &log.scores {
        out.text(label);
        out.number(best.is_some().into());
        if let Some(best) = best {
            out.number(best.to_bits());
        }
        out.number(*not_numbers);
    }
    out.number(log.lost_events);
}

fn read_log(from: &mut Unpacking<'_>) -> Option<Option<CaseLog>> {
    if !from.flag()? {
        return Some(None);
    }
    let mut log = CaseLog::EMPTY;
    for _ in 0..from.count()? {
        let name = kept(from.text()?);
        let value = match from.number()? {
            2 => Value::Number(f64::from_bits(from.number()?)),
            3 => Value::Category(from.text()?.to_owned().into()),
            flag => Value::Flag(flag != 0),
        };
        log.events.push(Event { name, value });
    }
    for _ in 0..from.count()? {
        let file = kept(from.text()?);
        let place = Place { file, line: from.number()? as u32, column: from.number()? as u32 };
        let (label, required) = (kept(from.text()?), f64::from_bits(from.number()?));
        log.covers.push(Coverage::of_case_elsewhere(place, label, required, from.flag()?));
    }
    for _ in 0..from.count()? {
        log.notes.push(from.text()?.to_owned());
    }
    for _ in 0..from.count()? {
        let label = kept(from.text()?);
        let best = if from.flag()? { Some(f64::from_bits(from.number()?)) } else { None };
        log.scores.push(Score { label, best, not_numbers: from.number()? });
    }
    log.lost_events = from.number()?;
    Some(Some(log))
}

/// A text that is a part of the program in the other process, where it lives as long as the program
/// does; so it does here. There are a handful.
fn kept(text: &str) -> &'static str {
    static KEPT: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut all = KEPT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(known) = all.iter().find(|known| **known == text) {
        return known;
    }
    let text: &'static str = Box::leak(Box::from(text));
    all.push(text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::runner::statistics;

    fn logged(body: impl FnOnce()) -> CaseLog {
        let _guard = statistics::begin(true);
        body();
        statistics::take()
    }

    fn shown(log: &CaseLog) -> String {
        let events: Vec<_> = log.events.iter().map(|event| (event.name, &event.value)).collect();
        let scores: Vec<_> = log.scores.iter().map(|score| (score.label, score.best, score.not_numbers)).collect();
        format!("{events:?} {:?} {:?} {scores:?} {}", log.covers, log.notes, log.lost_events)
    }

    fn trial() -> Trial {
        let log = logged(|| {
            event!("length", 3);
            event!("kind", "a\tb\n\0");
            classify!(true, "odd");
            let answer = 42;
            cover!(0.25, answer > 2);
            cover!(0.5, 1 + 1 == 3, "never");
            note!("line one\nline two: {}", '\u{1F980}');
            target!(-2.5);
            target!(f64::NAN, "nothing");
        });
        let failure = Failure {
            place: Some("src/a.rs:1:2".to_owned()),
            message: "left:\n\t1".to_owned(),
            kind: "assertion".to_owned(),
            backtrace: None,
        };
        Trial {
            ended: Ended::Failed(Box::new(failure)),
            choices: vec_of(any::<u8>(), ..).sample_choices(3),
            values: vec![("x".to_owned(), "\"\\n\"".to_owned())],
            log: Some(log),
            without_choices: Some("no".to_owned()),
            was_ready: true,
            was_cut_short: true,
            times: Times {
                arguments: vec![Duration::from_nanos(1), Duration::from_secs(3)],
                draws: Duration::from_micros(7),
                body: Duration::from_millis(9),
            },
            draws_in_body: true,
            covered: Some(vec![0, 7, 70_000]),
        }
    }

    #[test]
    fn a_trial_comes_back_whole() {
        let trial = trial();
        let mut odometer = Odometer::new();
        let _ = any::<(bool, u8)>().generate(&mut crate::source::Source::asking(&mut odometer));
        let bytes = run_answer(&trial, Some(&odometer));
        let Some(Answer::Run(back, Some(turned))) = Answer::read(&bytes) else { panic!("it is the answer to a run") };
        assert_eq!(format!("{:?}", back.ended), format!("{:?}", trial.ended));
        assert_eq!(back.choices, trial.choices);
        assert_eq!(back.values, trial.values);
        assert_eq!(back.without_choices, trial.without_choices);
        assert_eq!((back.was_cut_short, back.times, back.covered), (trial.was_cut_short, trial.times, trial.covered));
        assert_eq!(shown(&back.log.unwrap()), shown(&trial.log.unwrap()));
        assert_eq!(format!("{turned:?}"), format!("{odometer:?}"));
        for end in 0..bytes.len() {
            assert!(Answer::read(&bytes[..end]).is_none());
        }
    }

    #[test]
    fn the_same_name_is_kept_once() {
        let bytes = run_answer(&trial(), None);
        let name = || match Answer::read(&bytes) {
            Some(Answer::Run(trial, None)) => trial.log.unwrap().events[0].name,
            _ => panic!("it is the answer to a run"),
        };
        assert!(std::ptr::eq(name(), name()));
    }

    #[test]
    fn every_input_comes_back() {
        let choices = any::<(u8, bool)>().sample_choices(1);
        let values = [("a".to_owned(), "1".to_owned()), (String::new(), "[\"\t\"]".to_owned())];
        let mut odometer = Odometer::new();
        let _ = any::<bool>().generate(&mut crate::source::Source::asking(&mut odometer));
        let inputs = [
            Input::Seed { seed: u64::MAX, size: 100 },
            Input::Choices(&choices),
            Input::Exactly(&choices),
            Input::Values(&values),
            Input::Example(3),
            Input::Next(&mut odometer),
            Input::Nth(u64::MAX),
            Input::Reroll { choices: &choices, position: 1, seed: 7 },
            Input::Remade { choices: &choices, edit: None },
            Input::Remade { choices: &choices, edit: Some((1, "[\"\t\"]")) },
        ];
        for input in inputs {
            for wants in [Wants::Choices, Wants::Values, Wants::Observed, Wants::Arguments, Wants::Drawing] {
                let bytes = run_request(&input, wants);
                let Some(Request::Run(mut back, back_wants)) = Request::read(&bytes) else { panic!("it is a run") };
                assert_eq!(back_wants, wants);
                assert_eq!(run_request(&back.lend(), wants), bytes);
                assert_eq!(run_request(&KeptInput::of(&input).lend(), wants), bytes);
            }
        }
    }

    #[test]
    fn results_of_the_hot_loop_come_back() {
        let discarded =
            Ended::Discarded { place: "a:1".to_owned(), text: "x > 0".to_owned(), why: Some("too small".to_owned()) };
        let log = logged(|| event!("seen"));
        let results =
            [Quick::Passed(7), Quick::Ended(discarded, None), Quick::Ended(Ended::Passed, Some(log)), Quick::Passed(1)];
        let bytes = quick_answer(&results, true, true);
        let Some(Answer::Quick { results: back, is_last: true, was_cut_short: true }) = Answer::read(&bytes) else {
            panic!("it is an answer to the hot loop")
        };
        assert_eq!(quick_answer(&back, true, true), bytes);
    }

    #[test]
    fn garbage_is_refused_and_never_a_panic() {
        let mut rng = crate::source::Rng::new(7);
        let bytes = run_answer(&trial(), None);
        for _ in 0..5_000 {
            let mut bytes = bytes.clone();
            let at = rng.at_most(bytes.len() as u64 - 1) as usize;
            bytes[at] = rng.at_most(255) as u8;
            let _ = Answer::read(&bytes);
            let _ = Request::read(&bytes);
        }
    }
}
