//! What a worker and its parent say to each other: a message is a line of text.
//!
//! Each field of a message ends with a tab. An enum begins with the name of the variant, a list
//! with its length. A choice tree is its text form, and what that leaves out.

use crate::choice::{Choices, LeftOut, Site, kept};
use crate::runner::case::Times;
use crate::runner::failure::{Failure, Trace};
use crate::runner::statistics::{CaseLog, Coverage, Event, Place, Score, Value};
use crate::runner::trial::{Ended, Input, Trial, Wants};
use crate::source::{KnownArm, Odometer, Wheel};
use std::borrow::Cow;
use std::fmt::Write as _;
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

/// The line of a message, with its line break.
pub(super) fn line_of(message: &impl Fields) -> String {
    let mut line = String::new();
    message.write(&mut line);
    line.push('\n');
    line
}

/// The message of a line; none if it is damaged.
pub(super) fn read<M: Fields>(line: &[u8]) -> Option<M> {
    let mut rest = std::str::from_utf8(line).ok()?;
    let message = M::read(&mut rest)?;
    (rest == "\n").then_some(message)
}

/// What goes into a line and comes out of it again.
pub(super) trait Fields: Sized {
    fn write(&self, line: &mut String);

    /// Takes the fields from the beginning of the rest of a line.
    fn read(rest: &mut &str) -> Option<Self>;
}

fn field<'l>(rest: &mut &'l str) -> Option<&'l str> {
    let (field, after) = rest.split_once('\t')?;
    *rest = after;
    Some(field)
}

macro_rules! one_field {
    ($($type:ty)*) => {$(
        impl Fields for $type {
            fn write(&self, line: &mut String) {
                let _ = write!(line, "{self}\t");
            }

            fn read(rest: &mut &str) -> Option<Self> {
                field(rest)?.parse().ok()
            }
        }
    )*};
}

/// The fields of a struct one after the other, or those of each variant of an enum.
macro_rules! fields {
    (struct $type:ident { $($field:tt)* }) => {
        impl Fields for $type {
            fn write(&self, line: &mut String) {
                $(self.$field.write(line);)*
            }

            fn read(rest: &mut &str) -> Option<Self> {
                Some($type { $($field: Fields::read(rest)?),* })
            }
        }
    };
    (enum $type:ident { $($variant:ident $(($($item:ident)*))? $({ $($field:ident)* })?)* }) => {
        impl Fields for $type {
            fn write(&self, line: &mut String) {
                match self {
                    $($type::$variant $(($($item),*))? $({ $($field),* })? => {
                        line.push_str(concat!(stringify!($variant), "\t"));
                        $($($item.write(line);)*)?
                        $($($field.write(line);)*)?
                    })*
                }
            }

            fn read(rest: &mut &str) -> Option<Self> {
                Some(match field(rest)? {
                    $(stringify!($variant) => {
                        $($(let $item = Fields::read(rest)?;)*)?
                        $($(let $field = Fields::read(rest)?;)*)?
                        $type::$variant $(($($item),*))? $({ $($field),* })?
                    })*
                    _ => return None,
                })
            }
        }
    };
}

/// Types that go as another one: what makes it of them, and them of it.
macro_rules! goes_as {
    ($($type:ty, $other:ty, $to:expr, $from:expr;)*) => {$(
        impl Fields for $type {
            fn write(&self, line: &mut String) {
                let to: fn(&$type) -> $other = $to;
                to(self).write(line);
            }

            fn read(rest: &mut &str) -> Option<Self> {
                let from: fn($other) -> Option<$type> = $from;
                from(Fields::read(rest)?)
            }
        }
    )*};
}

one_field!(bool u32 u64 usize f64);

fields!(enum Request { Quick(cases) Run(input wants) });
fields!(enum KeptInput {
    Seed { seed size }
    Choices(choices)
    Exactly(choices)
    Values(values)
    Example(example)
    Next(odometer)
    Nth(place)
    Reroll { choices position seed }
    Remade { choices edit }
});
fields!(enum Wants { Choices Values Observed Arguments Drawing });

fields!(enum Answer {
    Hello
    Drawing { name is_in_body }
    Drew(drew)
    Quick { results is_last was_cut_short }
    Run(trial odometer)
});
fields!(struct Drew { value choices without_choices });
fields!(enum Quick { Passed(count) Ended(ended log) });
fields!(struct Trial {
    ended choices values log without_choices was_ready draws_in_body was_cut_short times covered
});
fields!(enum Ended {
    Passed
    Discarded { place text why }
    Failed(failure)
    NotMade(reason)
    NoCase { is_over }
    Broken(problem)
});
fields!(struct Failure { place message kind backtrace });
fields!(struct Times { arguments draws body });
fields!(struct CaseLog { events covers notes lost_notes scores lost_events });
fields!(struct Event { name value });
fields!(enum Value { Flag(flag) Number(number) Category(text) });
fields!(struct Coverage { place label required held_in cases });
fields!(struct Place { file line column });
fields!(struct Score { label best not_numbers });
fields!(struct Odometer { wheels next });
fields!(struct Wheel { answer last arm });
fields!(struct KnownArm { before from });

goes_as! {
    Choices, (String, (Vec<&'static Site>, LeftOut)),
        |choices| choices.for_another_process(),
        |(text, (sites, left_out))| text.parse::<Choices>().ok()?.with_left_out(&sites, left_out);
    &'static Site, ((&'static str, &'static str), ((u32, u32), Vec<&'static str>)),
        |site| ((site.path(), site.file()), ((site.line(), site.column()), site.labels().to_vec())),
        |((path, file), ((line, column), labels))| Some(Site::described(path, labels, file, line, column));
    Trace, String, |trace| trace.text().into_owned(), |text| Some(Trace::Text(text));
    Duration, u64, |time| time.as_nanos() as u64, |nanos| Some(Duration::from_nanos(nanos));
    Cow<'static, str>, String, |text| text.clone().into_owned(), |text| Some(Cow::Owned(text));
    // A text that is a part of the program in the other process.
    &'static str, String, |text| (*text).to_owned(), |text| Some(kept(&text));
}

/// A line break, a tab and a backslash are a backslash and a letter.
impl Fields for String {
    fn write(&self, line: &mut String) {
        // Searched one by one, which is quick in long texts.
        *line += &self.replace('\\', "\\b").replace('\n', "\\n").replace('\t', "\\t");
        line.push('\t');
    }

    fn read(rest: &mut &str) -> Option<Self> {
        let mut parts = field(rest)?.split('\\');
        let mut text = parts.next()?.to_owned();
        for part in parts {
            text.push(match part.bytes().next()? {
                b'b' => '\\',
                b'n' => '\n',
                b't' => '\t',
                _ => return None,
            });
            text += &part[1..];
        }
        Some(text)
    }
}

impl<T: Fields> Fields for Vec<T> {
    fn write(&self, line: &mut String) {
        self.len().write(line);
        self.iter().for_each(|item| item.write(line));
    }

    fn read(rest: &mut &str) -> Option<Self> {
        // A damaged length costs no memory: each item is read before there is room for the next.
        (0..usize::read(rest)?).map(|_| T::read(rest)).collect()
    }
}

impl<T: Fields> Fields for Option<T> {
    fn write(&self, line: &mut String) {
        self.is_some().write(line);
        self.iter().for_each(|item| item.write(line));
    }

    fn read(rest: &mut &str) -> Option<Self> {
        if bool::read(rest)? { T::read(rest).map(Some) } else { Some(None) }
    }
}

impl<A: Fields, B: Fields> Fields for (A, B) {
    fn write(&self, line: &mut String) {
        self.0.write(line);
        self.1.write(line);
    }

    fn read(rest: &mut &str) -> Option<Self> {
        Some((A::read(rest)?, B::read(rest)?))
    }
}

impl<T: Fields> Fields for Box<T> {
    fn write(&self, line: &mut String) {
        T::write(self, line);
    }

    fn read(rest: &mut &str) -> Option<Self> {
        T::read(rest).map(Box::new)
    }
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
        let (trial, mut odometer) = (trial(), Odometer::new());
        let _ = any::<(bool, u8)>().generate(&mut crate::source::Source::asking(&mut odometer));
        let line = line_of(&Answer::Run(Box::new(trial), Some(odometer)));
        let Some(Answer::Run(back, odometer)) = read(line.as_bytes()) else { panic!("it is the answer to a run") };
        let trial = self::trial();
        assert_eq!(format!("{:?}", back.ended), format!("{:?}", trial.ended));
        assert_eq!(back.choices, trial.choices);
        assert_eq!(back.values, trial.values);
        assert_eq!(back.without_choices, trial.without_choices);
        assert_eq!((back.was_cut_short, &back.times, &back.covered), (true, &trial.times, &trial.covered));
        assert_eq!(shown(back.log.as_ref().unwrap()), shown(&trial.log.unwrap()));
        assert_eq!(odometer.as_ref().unwrap().estimate(), 512);
        assert_eq!(line_of(&Answer::Run(back, odometer)), line);
        for end in 0..line.len() {
            assert!(read::<Answer>(&line.as_bytes()[..end]).is_none());
        }
    }

    #[test]
    fn a_message_is_one_line() {
        let line = line_of(&Answer::Drawing { name: "a\\b\n\t\\n\u{1F980}".to_owned(), is_in_body: true });
        assert_eq!(line, "Drawing\ta\\bb\\n\\t\\bn\u{1F980}\ttrue\t\n");
        assert!(read::<Answer>(line.as_bytes()).is_some());
        assert_eq!(line_of(&Answer::Run(Box::new(trial()), None)).matches('\n').count(), 1);
    }

    #[test]
    fn the_same_name_is_kept_once() {
        let line = line_of(&Answer::Run(Box::new(trial()), None));
        let name = || match read(line.as_bytes()) {
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
                let line = line_of(&Request::Run(KeptInput::of(&input), wants));
                let Some(Request::Run(mut back, back_wants)) = read(line.as_bytes()) else { panic!("it is a run") };
                assert_eq!(back_wants, wants);
                assert_eq!(line_of(&Request::Run(KeptInput::of(&back.lend()), wants)), line);
            }
        }
    }

    #[test]
    fn results_of_the_hot_loop_come_back() {
        let discarded =
            Ended::Discarded { place: "a:1".to_owned(), text: "x > 0".to_owned(), why: Some("too small".to_owned()) };
        let log = logged(|| event!("seen"));
        let results = vec![
            Quick::Passed(7),
            Quick::Ended(discarded, None),
            Quick::Ended(Ended::Passed, Some(log)),
            Quick::Passed(1),
        ];
        let line = line_of(&Answer::Quick { results, is_last: true, was_cut_short: true });
        let back: Option<Answer> = read(line.as_bytes());
        assert_eq!(line_of(&back.unwrap()), line);
    }

    #[test]
    fn garbage_is_refused_and_never_a_panic() {
        let mut rng = crate::source::Rng::new(7);
        let line = line_of(&Answer::Run(Box::new(trial()), None));
        for _ in 0..5_000 {
            let mut line = line.clone().into_bytes();
            let at = rng.at_most(line.len() as u64 - 1) as usize;
            line[at] = rng.at_most(255) as u8;
            let _ = read::<Answer>(&line);
            let _ = read::<Request>(&line);
        }
    }
}
