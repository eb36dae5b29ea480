//! Small grammars at random, and every string up to a length: whether it is accepted, and in how
//! many ways, is found by trying everything.

use retrospect::prelude::*;
use retrospect::reflect::Reflector;
use retrospect::source::Rng;
use retrospect::text::{Rules, Text};
use std::collections::{BTreeSet, HashMap, HashSet};

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
        // What can only be so long is not looked at elsewhere: a rule stands beside a literal, so
        // this ends.
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

/// Where there are more derivations than this, they are not all followed.
const MOST_SEEN: usize = 5_000;

/// How far one comes in a string, and what may stand there, found by following every derivation.
#[derive(Default)]
struct Furthest {
    at: usize,
    expected: BTreeSet<String>,
    seen: HashSet<(Vec<(*const Simple, usize)>, usize)>,
}

impl Furthest {
    /// What is left to derive, the next last: a part, and how many items of it there were if it
    /// repeats.
    fn follow<'g>(&mut self, rules: &'g [Simple], string: &str, mut left: Vec<(&'g Simple, usize)>, at: usize) {
        let key = left.iter().map(|(part, count)| (std::ptr::from_ref(*part), *count)).collect();
        // More literals that must follow than there are letters come of left recursion, which goes
        // on for ever.
        let must_follow: usize = left.iter().map(|(part, _)| fewest(part)).sum();
        if must_follow > string.len() + 8 || self.seen.len() == MOST_SEEN || !self.seen.insert((key, at)) {
            return;
        }
        let Some((next, count)) = left.pop() else { return self.expect("the end".to_owned(), at) };
        match next {
            Simple::Literal("") => self.follow(rules, string, left, at),
            Simple::Literal(literal) => {
                self.expect(format!("`{literal}`"), at);
                if string[at..].starts_with(literal) {
                    self.follow(rules, string, left, at + literal.len());
                }
            }
            Simple::Letter => {
                self.expect("[ab]".to_owned(), at);
                if string[at..].starts_with(['a', 'b']) {
                    self.follow(rules, string, left, at + 1);
                }
            }
            Simple::Sequence(parts) => {
                left.extend(parts.iter().rev().map(|part| (part, 0)));
                self.follow(rules, string, left, at);
            }
            Simple::OneOf(arms) => {
                for arm in arms {
                    let mut left = left.clone();
                    left.push((arm, 0));
                    self.follow(rules, string, left, at);
                }
            }
            Simple::Repeat(item, min, max) => {
                if count >= *min {
                    self.follow(rules, string, left.clone(), at);
                }
                if max.is_none_or(|max| count < max) {
                    let count = if max.is_none() { (count + 1).min(*min) } else { count + 1 };
                    left.extend([(next, count), (&**item, 0)]);
                    self.follow(rules, string, left, at);
                }
            }
            Simple::Separated(item, separator, max) => {
                self.follow(rules, string, left.clone(), at);
                if count < *max {
                    left.extend([(next, count + 1), (&**item, 0)]);
                    left.extend((count > 0).then_some((&**separator, 0)));
                    self.follow(rules, string, left, at);
                }
            }
            Simple::Rule(rule) => {
                left.push((&rules[*rule], 0));
                self.follow(rules, string, left, at);
            }
        }
    }

    fn expect(&mut self, what: String, at: usize) {
        if at > self.at {
            self.at = at;
            self.expected.clear();
        }
        if at == self.at {
            self.expected.insert(what);
        }
    }
}

#[test]
fn what_is_expected_is_what_may_stand_there() {
    let (mut tried, mut listed) = (0, 0);
    for seed in 0..80 {
        let (rules, Some(start)) = grammar(seed) else { continue };
        for string in strings(3).iter().filter(|string| !start.accepts(string)) {
            let mut furthest = Furthest::default();
            furthest.follow(&rules, string, vec![(&rules[0], 0)], 0);
            if furthest.seen.len() == MOST_SEEN {
                continue;
            }
            let reason = start.choices_of(string).unwrap_err().reason().to_owned();
            let context = || format!("{reason}, in {string:?} by grammar {seed}: {rules:?}");
            let (place, expected) = reason.split_once(": expected ").unwrap_or_else(|| panic!("{}", context()));
            let column = format!("line 1, column {}, ", furthest.at + 1);
            assert!(place.starts_with(&column), "{column}{:?} is right: {}", furthest.expected, context());
            tried += 1;
            // Of many, rules stand for some.
            if furthest.expected.len() <= 6 {
                let expected: BTreeSet<String> =
                    expected.split(", ").flat_map(|what| what.split(" or ")).map(str::to_owned).collect();
                assert_eq!(expected, furthest.expected, "{}", context());
                listed += 1;
            }
        }
    }
    assert!(tried > 1000 && listed > 800, "{tried} {listed}");
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
            assert_eq!(start.ways_of(string).count().to_string(), ways.to_string(), "{}", context());
            assert_eq!(start.accepts(string), ways > 0, "{}", context());
            accepted += u64::from(ways > 0);
            ambiguous += u64::from(ways > 1);
            let Ok(choices) = start.choices_of(string) else {
                assert_eq!(ways, 0, "{}", context());
                continue;
            };
            assert_eq!(start.replay_exact(&choices).unwrap(), (string.clone(), 0), "{}", context());
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
