//! Whether "minimal" is true: small domains and conditions drawn at random, of which all cases are
//! tried.
//!
//! The property is run as users run it, from a case found at random. If the report calls the result
//! minimal, no case of the whole domain that is simpler by `shrink::compare` may fail.

use super::property::Draws;
use retrospect::choice::Choices;
use retrospect::prelude::*;
use retrospect::runner::Settings;
use retrospect::shrink::compare;
use retrospect::source::{Drawn, Odometer, Source};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Domains with more cases are not looked at.
const MAX_CASES: usize = 2_000;

/// A property over a small domain.
#[derive(Clone, Debug, PartialEq, Generate)]
struct Small {
    statements: Vec<Statement>,
    /// Whether the first domain is the only argument, or the body draws.
    is_argument: bool,
    first: Domain,
    condition: Condition,
}

/// What a body does.
#[derive(Clone, Debug, PartialEq, Generate)]
enum Statement {
    Draw(Domain),
    /// As often as a number that is drawn first.
    Counted(#[generate(with = 1..=3usize)] usize, Domain),
    /// As long as a coin says so.
    Coins(Domain),
    /// Only if all that was drawn so far satisfies a condition.
    If(Condition, Domain),
    Assume(Condition),
}

/// A small domain.
#[derive(Clone, Debug, PartialEq, Generate)]
enum Domain {
    #[generate(weight = 4)]
    Number(#[generate(with = 0..=6u8)] u8),
    /// Around 0.
    Signed(#[generate(with = 1..=3u8)] u8),
    /// A number, and one that is no larger.
    Falling(#[generate(with = 1..=4u8)] u8),
    Pair(Box<Domain>, Box<Domain>),
    Either(Box<Domain>, Box<Domain>),
    List(Box<Domain>, #[generate(with = 1..=3usize)] usize),
    /// At least so many.
    Array(Box<Domain>, #[generate(with = 1..=2usize)] usize),
    /// Its length is drawn before it.
    Counted(Box<Domain>, #[generate(with = 1..=3usize)] usize),
    /// Two of three values, whichever.
    Filtered(Box<Domain>, u8),
    NoShrink(Box<Domain>),
    Set(Box<Domain>, #[generate(with = 0..=2usize)] usize),
    Map(Box<Domain>, Box<Domain>, #[generate(with = 0..=1usize)] usize),
    /// Some of the first numbers.
    Subsequence(#[generate(with = 1..=5u8)] u8),
    /// Between two arms, one that is never drawn.
    Absent(Box<Domain>, Box<Domain>),
}

/// What values have to satisfy.
#[derive(Clone, Debug, PartialEq, Generate)]
enum Condition {
    /// Any values, one in so many.
    Hash(#[generate(with = 2..=9u64)] u64, u8),
    /// All numbers in them together are so many at least.
    Sum(#[generate(with = 1..=9i64)] i64),
    /// There are so many numbers at least, and they do not rise.
    Falls(#[generate(with = 2..=4usize)] usize),
    Both(Box<Condition>, Box<Condition>),
}

/// A value of a small domain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Value {
    Number(i64),
    List(Vec<Value>),
    Either(bool, Box<Value>),
}

impl Value {
    fn numbers(&self, all: &mut Vec<i64>) {
        match self {
            Value::Number(number) => all.push(*number),
            Value::List(items) => items.iter().for_each(|item| item.numbers(all)),
            Value::Either(_, one) => one.numbers(all),
        }
    }
}

impl Condition {
    fn holds(&self, values: &[Value]) -> bool {
        let mut numbers = Vec::new();
        values.iter().for_each(|value| value.numbers(&mut numbers));
        match self {
            Condition::Hash(modulus, salt) => {
                let mut hasher = DefaultHasher::new();
                (values, salt).hash(&mut hasher);
                hasher.finish().is_multiple_of(*modulus)
            }
            Condition::Sum(least) => numbers.iter().sum::<i64>() >= *least,
            Condition::Falls(count) => numbers.len() >= *count && numbers.windows(2).any(|pair| pair[0] > pair[1]),
            Condition::Both(one, other) => one.holds(values) && other.holds(values),
        }
    }
}

type Built = Boxed<'static, Value>;

impl Domain {
    fn build(&self) -> Built {
        let list = |value: &Value| if let Value::List(items) = value { Some(items.clone()) } else { None };
        let number = |value: &Value| if let Value::Number(number) = value { Some(*number) } else { None };
        match self {
            Domain::Number(most) => (0..=i64::from(*most)).map_with_inverse(Value::Number, number).boxed(),
            Domain::Signed(most) => {
                (-i64::from(*most)..=i64::from(*most)).map_with_inverse(Value::Number, number).boxed()
            }
            Domain::Falling(most) => (0..=i64::from(*most))
                .bind_with_focus(
                    move |first| {
                        let first = *first;
                        (0..=first).map_with_inverse(
                            move |second| Value::List(vec![Value::Number(first), Value::Number(second)]),
                            move |value| match value {
                                Value::List(items) => match items[..] {
                                    [Value::Number(one), Value::Number(other)] if one == first => Some(other),
                                    _ => None,
                                },
                                _ => None,
                            },
                        )
                    },
                    |value: &Value| match value {
                        Value::List(items) => match items[..] {
                            [Value::Number(one), _] => Some(one),
                            _ => None,
                        },
                        _ => None,
                    },
                )
                .boxed(),
            Domain::Pair(one, other) => {
                let inverse = |value: &Value| match value {
                    Value::List(items) if items.len() == 2 => Some((items[0].clone(), items[1].clone())),
                    _ => None,
                };
                tuple((one.build(), other.build()))
                    .map_with_inverse(|(one, other)| Value::List(vec![one, other]), inverse)
                    .boxed()
            }
            Domain::Either(one, other) => {
                let side = |domain: &Domain, is_second: bool| {
                    let inverse = move |value: &Value| match value {
                        Value::Either(which, one) if *which == is_second => Some((**one).clone()),
                        _ => None,
                    };
                    domain.build().map_with_inverse(move |one| Value::Either(is_second, Box::new(one)), inverse).boxed()
                };
                one_of(vec![side(one, false), side(other, true)]).boxed()
            }
            Domain::List(item, most) => vec_of(item.build(), ..=*most).map_with_inverse(Value::List, list).boxed(),
            Domain::Array(item, least) => {
                vec_of(item.build(), *least..=*least + 1).map_with_inverse(Value::List, list).boxed()
            }
            Domain::Counted(item, most) => {
                let item = item.build();
                let lists = move |count: &usize| vec_of(item.clone(), *count).map_with_inverse(Value::List, list);
                (0..=*most).bind_with_focus(lists, move |value: &Value| list(value).map(|items| items.len())).boxed()
            }
            Domain::Filtered(inner, salt) => {
                let refused = Condition::Hash(3, *salt);
                inner.build().filter(move |value| !refused.holds(std::slice::from_ref(value))).boxed()
            }
            Domain::NoShrink(inner) => inner.build().no_shrink().boxed(),
            Domain::Set(item, least) => set_of(item.build(), *least..=3)
                .map_with_inverse(
                    |set| Value::List(set.into_iter().collect()),
                    move |value| list(value).filter(|items| items.is_sorted()).map(|items| items.into_iter().collect()),
                )
                .boxed(),
            Domain::Map(key, value, least) => map_of(key.build(), value.build(), *least..=2)
                .map_with_inverse(
                    |map| Value::List(map.into_iter().map(|(key, value)| Value::List(vec![key, value])).collect()),
                    move |value| {
                        let entry = |entry: &Value| match entry {
                            Value::List(entry) if entry.len() == 2 => Some((entry[0].clone(), entry[1].clone())),
                            _ => None,
                        };
                        list(value)?.iter().map(entry).collect()
                    },
                )
                .boxed(),
            Domain::Subsequence(most) => {
                subsequence_of((0..=i64::from(*most)).map(Value::Number).collect::<Vec<_>>(), ..)
                    .map_with_inverse(Value::List, list)
                    .boxed()
            }
            Domain::Absent(one, other) => {
                frequency(vec![(1, one.build()), (0, exact(Value::Number(-100)).boxed()), (2, other.build())]).boxed()
            }
        }
    }
}

impl Small {
    /// Whether the body holds, and what it drew.
    fn run(&self, draws: &mut impl Draws) -> Drawn<(bool, Vec<Value>)> {
        let mut drawn = vec![draws.draw(&self.first.build())?];
        for statement in &self.statements {
            match statement {
                Statement::Draw(domain) => drawn.push(draws.draw(&domain.build())?),
                Statement::Counted(most, domain) => {
                    for _ in 0..draws.draw(&(0..=*most))? {
                        drawn.push(draws.draw(&domain.build())?);
                    }
                }
                Statement::Coins(domain) => {
                    while drawn.len() < 5 && draws.draw(&any::<bool>())? {
                        drawn.push(draws.draw(&domain.build())?);
                    }
                }
                Statement::If(condition, domain) => {
                    if condition.holds(&drawn) {
                        drawn.push(draws.draw(&domain.build())?);
                    }
                }
                Statement::Assume(condition) => {
                    if !draws.assume(condition.holds(&drawn)) {
                        return Ok((true, drawn));
                    }
                }
            }
        }
        Ok((!self.condition.holds(&drawn), drawn))
    }

    /// The simplest case that fails, as the report would show it, if all cases could be tried.
    fn simplest(&self) -> Option<Option<(Choices, Vec<Value>)>> {
        let mut odometer = Odometer::new();
        let mut simplest: Option<(Choices, Vec<Value>)> = None;
        for _ in 0..MAX_CASES {
            let mut source = Source::asking(&mut odometer);
            let ran = self.run(&mut source);
            let choices = source.into_choices();
            if let Ok((false, drawn)) = ran
                && simplest.as_ref().is_none_or(|(least, _)| compare(&choices, least).is_lt())
            {
                simplest = Some((choices, drawn));
            }
            if !odometer.advance() {
                return Some(simplest);
            }
        }
        None
    }

    /// The report of the property.
    fn report(&self, seed: u64) -> Option<String> {
        let check = Check::new()
            .with(Settings::new().exhaustive(false).set("allow", "discards"))
            .save(false)
            .seed(seed)
            .cases(300);
        if self.is_argument {
            let condition = self.condition.clone();
            return check.failure(self.first.build(), move |value| !condition.holds(&[value]));
        }
        check.failure_of_case(|case| self.run(case).is_ok_and(|(holds, _)| holds))
    }
}

/// What was found.
#[derive(Debug, Default)]
pub struct Summary {
    /// Domains in which something fails and all cases could be tried.
    pub tried: u64,
    /// Of these, results that are called minimal.
    pub minimal: u64,
    /// Of the others, results that are the simplest nevertheless.
    pub simplest: u64,
    /// Each as its seed, its property and what is wrong.
    pub found: Vec<String>,
}

/// Draws properties from this seed on until so many were tried.
pub fn run(seed: u64, count: u64) -> Summary {
    let mut summary = Summary::default();
    let mut seed = seed;
    while summary.tried < count {
        let mut source = Source::recording(seed).with_size(4);
        let small = any::<Small>().generate(&mut source);
        seed += 1;
        let Ok(mut small) = small else { continue };
        small.statements.truncate(if small.is_argument { 0 } else { 3 });
        if let Some(Some((_, simplest))) = small.simplest() {
            check(&small, seed - 1, &simplest, &mut summary);
        }
    }
    summary
}

fn check(small: &Small, seed: u64, simplest: &[Value], summary: &mut Summary) {
    let Some(report) = small.report(seed) else { return };
    summary.tried += 1;
    let shown = |line: &str| {
        let (_, value) = line.strip_prefix("      let ")?.split_once(" = ")?;
        Some(value.split_once(';')?.0.to_owned())
    };
    // Counts and coins are drawn as well.
    let is_value = |text: &String| ["Number", "List", "Either"].iter().any(|start| text.starts_with(start));
    let reported: Vec<String> = report.lines().filter_map(shown).filter(is_value).collect();
    let simplest: Vec<String> = simplest.iter().map(|value| format!("{value:?}")).collect();
    let is_simplest = reported == simplest;
    if report.contains("minimal case (") {
        summary.minimal += 1;
        if !is_simplest {
            let (reported, simplest) = (reported.join("; "), simplest.join("; "));
            summary.found.push(format!(
                "seed {seed:#x}: {reported} is called minimal, but {simplest} is simpler and fails\n  {small:?}"
            ));
        }
    } else {
        summary.simplest += u64::from(is_simplest);
    }
}
