//! Small grammars at random, and every string up to a length: whether it is accepted, and in how many ways, is found by trying everything.

use retrospect::prelude::*;
use retrospect::reflect::Reflector;
use retrospect::source::Rng;
use retrospect::text::{Rules, Text};
use std::collections::HashMap;

/// A grammar that is read by trying everything.
#[derive(Debug)]
enum Simple {
    Literal(&'static str),
    Letter,
    Sequence(Vec<Simple>),
    OneOf(Vec<Simple>),
    Repeat(Box<Simple>, usize, Option<usize>),
    Separated(Box<Simple>, Box<Simple>, usize),
    Rule(usize),
}

impl Simple {
    fn text(&self) -> Text {
        let texts = |parts: &[Simple]| parts.iter().map(Simple::text).collect::<Vec<_>>();
        match self {
            Simple::Literal(literal) => (*literal).into(),
            Simple::Letter => text::class(["ab"]),
            Simple::Sequence(parts) => text::sequence(texts(parts)),
            Simple::OneOf(arms) => text::one_of(texts(arms)),
            Simple::Repeat(item, min, None) => text::repeat(item.text(), *min..),
            Simple::Repeat(item, min, Some(max)) => text::repeat(item.text(), *min..=*max),
            Simple::Separated(item, separator, max) => text::separated_by(item.text(), separator.text(), ..=*max),
            Simple::Rule(rule) => Rules::reference(format!("rule{rule}")),
        }
    }
}

struct Oracle<'g> {
    rules: &'g [Simple],
    string: &'g [u8],
    known: HashMap<(*const Simple, usize, usize), u64>,
}

impl Oracle<'_> {
    fn ways(&mut self, simple: &Simple, start: usize, end: usize) -> u64 {
        let key = (std::ptr::from_ref(simple), start, end);
        if let Some(ways) = self.known.get(&key) {
            return *ways;
        }
        let ways = match simple {
            Simple::Literal(literal) => u64::from(&self.string[start..end] == literal.as_bytes()),
            Simple::Letter => u64::from(end == start + 1 && self.string[start] != b'c'),
            Simple::Sequence(parts) => self.ways_of_parts(&parts.iter().collect::<Vec<_>>(), start, end),
            Simple::OneOf(arms) => arms.iter().map(|arm| self.ways(arm, start, end)).sum(),
            Simple::Repeat(item, min, max) => {
                let most = max.unwrap_or(end - start + min);
                (*min..=most).map(|count| self.ways_of_parts(&vec![&**item; count], start, end)).sum()
            }
            Simple::Separated(item, separator, max) => {
                let parts = |count: usize| {
                    let mut parts = Vec::new();
                    for place in 0..count {
                        parts.extend((place > 0).then_some(&**separator));
                        parts.push(&**item);
                    }
                    parts
                };
                (0..=*max).map(|count| self.ways_of_parts(&parts(count), start, end)).sum()
            }
            Simple::Rule(rule) => {
                let rules = self.rules;
                self.ways(&rules[*rule], start, end)
            }
        };
        self.known.insert(key, ways);
        ways
    }

    fn ways_of_parts(&mut self, parts: &[&Simple], start: usize, end: usize) -> u64 {
        let Some((first, rest)) = parts.split_first() else { return u64::from(start == end) };
        // What can only be so long is not looked at elsewhere: a rule stands beside a literal, so this ends.
        let fewest: usize = rest.iter().map(|part| fewest(part)).sum();
        let mut ways = 0;
        for split in start + fewest_of(first)..=end.saturating_sub(fewest) {
            let after = self.ways_of_parts(rest, split, end);
            if after > 0 {
                ways += self.ways(first, start, split) * after;
            }
        }
        ways
    }
}

fn fewest(simple: &Simple) -> usize {
    match simple {
        Simple::Literal(literal) => literal.len(),
        Simple::Letter => 1,
        _ => 0,
    }
}

fn fewest_of(simple: &Simple) -> usize {
    fewest(simple)
}

struct Dice(Rng);

impl Dice {
    fn below(&mut self, count: u64) -> u64 {
        self.0.at_most(count - 1)
    }

    fn literal(&mut self) -> Simple {
        Simple::Literal(["a", "b", "c", "ab", "ba", "abc"][self.below(6) as usize])
    }

    fn simple(&mut self, depth: u64) -> Simple {
        if depth == 0 {
            return match self.below(4) {
                0 => Simple::Letter,
                1 => Simple::Literal(""),
                _ => self.literal(),
            };
        }
        match self.below(9) {
            0 => self.simple(0),
            1 | 2 => Simple::Sequence((0..=self.below(3)).map(|_| self.simple(depth - 1)).collect()),
            3 | 4 => Simple::OneOf((0..=self.below(3)).map(|_| self.simple(depth - 1)).collect()),
            // What repeats without a limit is never empty.
            5 => Simple::Repeat(Box::new(self.solid(depth - 1)), self.below(2) as usize, None),
            6 => {
                let min = self.below(3) as usize;
                let max = min + self.below(3) as usize;
                Simple::Repeat(Box::new(self.simple(depth - 1)), min, Some(max))
            }
            7 => {
                let separator = if self.below(2) == 0 { self.literal() } else { self.simple(depth - 1) };
                Simple::Separated(Box::new(self.simple(depth - 1)), Box::new(separator), self.below(4) as usize)
            }
            _ => self.solid(depth),
        }
    }

    /// A rule beside a literal, on either side.
    fn solid(&mut self, depth: u64) -> Simple {
        let rule = Simple::Rule(self.below(2) as usize);
        let mut parts = match self.below(3) {
            0 => vec![self.literal(), rule],
            1 => vec![rule, self.literal()],
            _ => vec![Simple::Letter],
        };
        if depth > 1 && self.below(2) == 0 {
            let more = self.simple(depth - 1);
            parts.push(more);
        }
        Simple::Sequence(parts)
    }
}

/// All strings of three letters up to a length.
fn strings(longest: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut start = 0;
    for _ in 0..longest {
        let end = all.len();
        for place in start..end {
            for letter in ['a', 'b', 'c'] {
                all.push(format!("{}{letter}", all[place]));
            }
        }
        start = end;
    }
    all
}

fn grammar(seed: u64) -> (Vec<Simple>, Option<Text>) {
    let mut dice = Dice(Rng::new(seed));
    let arms = |dice: &mut Dice| (0..1 + dice.below(3)).map(|_| dice.simple(3)).collect();
    let rules: Vec<Simple> = (0..2).map(|_| Simple::OneOf(arms(&mut dice))).collect();
    let mut made = Rules::new();
    for (place, rule) in rules.iter().enumerate() {
        made.define(format!("rule{place}"), rule.text());
    }
    // Some never end.
    let start = made.start("rule0").ok();
    (rules, start)
}

#[test]
fn all_ways_are_found() {
    let strings = strings(4);
    let (mut tried, mut accepted, mut ambiguous) = (0, 0, 0);
    for seed in 0..60 {
        let (rules, Some(start)) = grammar(seed) else { continue };
        tried += 1;
        for string in &strings {
            let mut oracle = Oracle { rules: &rules, string: string.as_bytes(), known: HashMap::new() };
            let ways = oracle.ways(&rules[0], 0, string.len());
            let context = || format!("{string:?} in grammar {seed}: {rules:?}");
            assert_eq!(start.overlap(string).to_string(), ways.to_string(), "{}", context());
            assert_eq!(start.accepts(string), ways > 0, "{}", context());
            accepted += u64::from(ways > 0);
            ambiguous += u64::from(ways > 1);
            let Ok(choices) = start.choices_of(string) else {
                assert_eq!(ways, 0, "{}", context());
                continue;
            };
            assert_eq!(start.parse(&choices).unwrap(), (string.clone(), 0), "{}", context());
            let mut reflector = Reflector::all_ways();
            start.reflect(string, &mut reflector).unwrap();
            assert_eq!(reflector.into_forest().first_way().unwrap(), choices, "{}", context());
        }
    }
    assert!(tried > 40 && accepted > 400 && ambiguous > 100, "{tried} {accepted} {ambiguous}");
}

#[test]
fn what_is_written_is_read() {
    for seed in 0..80 {
        let (rules, Some(start)) = grammar(seed) else { continue };
        let small = start.clone().resize(3);
        for seed in 0..10 {
            let string = small.sample(seed);
            if string.len() < 60 {
                assert!(start.accepts(&string), "{string:?} in grammar {seed}: {rules:?}");
            }
        }
    }
}

#[test]
fn holes_are_filled() {
    let mut filled = 0;
    for seed in 0..40 {
        let (rules, Some(start)) = grammar(seed) else { continue };
        let mut dice = Dice(Rng::new(seed));
        for string in strings(3).iter().filter(|string| start.accepts(string)).take(6) {
            // Any stretch of it may be left out.
            let from = dice.below(string.len() as u64 + 1) as usize;
            let to = from + dice.below((string.len() - from) as u64 + 1) as usize;
            let (before, after) = (&string[..from], &string[to..]);
            let found = start.fill_text(&[before, after], seed);
            let context = || format!("{before:?} and {after:?} in grammar {seed}: {rules:?}");
            let found = found.unwrap_or_else(|error| panic!("{error} for {}", context()));
            assert!(start.accepts(&found), "{found:?} for {}", context());
            assert!(found.starts_with(before) && found[before.len()..].ends_with(after), "{found:?} for {}", context());
            filled += 1;
        }
    }
    assert!(filled > 60, "{filled}");
}
