//! A grammar that is drawn, what it should be read as, and its text in any of the ways in which it
//! can be written.
#![allow(dead_code, reason = "the tests of the library use a part of it")]

use retrospect::prelude::*;
use retrospect_grammar::{Alternative, Class, Expression, Kind, Place, Rule};

/// What a rule may be made of, in a form that the library can draw.
#[derive(Clone, Debug, PartialEq, Generate)]
pub enum Part {
    Text(String),
    Class { first: char, more: Vec<char>, is_negated: bool },
    AnyCharacter,
    Rule(u8),
    Sequence(Box<Part>, Box<Part>, Vec<Part>),
    Choice(Box<Way>, Box<Way>, Vec<Way>),
    Optional(Box<Part>),
    Repeat { item: Box<Part>, least: u8, more: Option<u8> },
    Separated(Box<Part>, Box<Part>),
}

#[derive(Clone, Debug, PartialEq, Generate)]
pub struct Way {
    weight: u8,
    is_labelled: bool,
    part: Part,
}

impl Part {
    /// Calls `change` for every character in texts and classes.
    pub fn each_character(&mut self, change: &mut dyn FnMut(&mut char)) {
        let way = |way: &mut Way, change: &mut dyn FnMut(&mut char)| way.part.each_character(change);
        match self {
            Part::Text(text) => {
                let mut changed = String::new();
                for mut character in text.chars() {
                    change(&mut character);
                    changed.push(character);
                }
                *text = changed;
            }
            Part::Class { first, more, .. } => {
                change(first);
                more.iter_mut().for_each(change);
            }
            Part::AnyCharacter | Part::Rule(_) => {}
            Part::Sequence(one, two, more) => {
                one.each_character(change);
                two.each_character(change);
                more.iter_mut().for_each(|part| part.each_character(change));
            }
            Part::Choice(one, two, more) => {
                way(one, change);
                way(two, change);
                more.iter_mut().for_each(|one| way(one, change));
            }
            Part::Optional(item) | Part::Repeat { item, .. } => item.each_character(change),
            Part::Separated(item, separator) => {
                item.each_character(change);
                separator.each_character(change);
            }
        }
    }
}

/// What the rules should be read as. Each has another, empty alternative, so that it ends.
pub fn expected(parts: &[Part]) -> Vec<Rule> {
    let mut rules = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let ways = [(1, None, kind(part, parts.len())), (1, None, Kind::Literal(String::new()))];
        rules.push(Rule { name: format!("rule-{index}"), place: NOWHERE, body: expression(choice(ways)) });
    }
    rules
}

/// Writes the rules. The coins decide how: which quotes, which brackets, where white space and
/// comments stand.
pub fn write(parts: &[Part], coins: &[u8]) -> String {
    let mut writer = Writer { text: String::new(), coins: coins.to_vec(), rules: parts.len(), tossed: 0 };
    for (index, part) in parts.iter().enumerate() {
        writer.rule_name(index);
        writer.one_of(&["=", " = ", " ::= ", ":=", " ->\n  "]);
        writer.way(part);
        writer.one_of(&["|", " | ", "\n  | "]);
        writer.one_of(&["\"\"", "''"]);
        writer.one_of(&[";", " ;\n", "\n", "\r\n", " # the end\n", " (* next *) "]);
    }
    writer.text
}

const NOWHERE: Place = Place { line: 0, column: 0 };

fn expression(kind: Kind) -> Expression {
    Expression { place: NOWHERE, kind }
}

fn choice(ways: impl IntoIterator<Item = (u32, Option<String>, Kind)>) -> Kind {
    let alternative = |(weight, label, kind)| Alternative { place: NOWHERE, weight, label, body: expression(kind) };
    Kind::Choice(ways.into_iter().map(alternative).collect())
}

fn kind(part: &Part, rules: usize) -> Kind {
    let boxed = |part: &Part| Box::new(expression(kind(part, rules)));
    match part {
        Part::Text(text) => Kind::Literal(text.clone()),
        Part::Class { first, more, is_negated } => {
            let ranges = characters(*first, more).into_iter().map(|one| (one, one)).collect();
            Kind::Class(Class { ranges, is_negated: *is_negated })
        }
        Part::AnyCharacter => Kind::AnyCharacter,
        Part::Rule(number) => Kind::Rule(*number as usize % rules),
        Part::Sequence(one, two, more) => {
            let parts = [one.as_ref(), two].into_iter().chain(more);
            Kind::Sequence(parts.map(|part| expression(kind(part, rules))).collect())
        }
        Part::Choice(one, two, more) => {
            let ways = [one.as_ref(), two].into_iter().chain(more).enumerate();
            choice(ways.map(|(index, way)| (weight(index, way), label(index, way), kind(&way.part, rules))))
        }
        Part::Optional(item) => Kind::Optional(boxed(item)),
        Part::Repeat { item, least, more } => {
            let least = *least as usize % 3;
            Kind::Repeat { item: boxed(item), least, most: more.map(|more| least + more as usize % 3) }
        }
        Part::Separated(item, separator) => Kind::Separated { item: boxed(item), separator: boxed(separator) },
    }
}

/// Each character once.
fn characters(first: char, more: &[char]) -> Vec<char> {
    let mut characters = vec![first];
    for character in more {
        if !characters.contains(character) {
            characters.push(*character);
        }
    }
    characters
}

/// The first has a weight above 0, so that there is one.
fn weight(index: usize, way: &Way) -> u32 {
    if index == 0 { u32::from(way.weight).max(1) } else { way.weight.into() }
}

fn label(index: usize, way: &Way) -> Option<String> {
    way.is_labelled.then(|| format!("label{index}"))
}

struct Writer {
    text: String,
    coins: Vec<u8>,
    rules: usize,
    tossed: usize,
}

impl Writer {
    /// A number below `bound`.
    fn toss(&mut self, bound: usize) -> usize {
        let coin = self.coins.get(self.tossed % self.coins.len().max(1)).copied().unwrap_or(0);
        self.tossed += 1;
        // The round counts as well, or few coins would always fall the same way.
        (coin as usize * (1 + self.tossed / self.coins.len().max(1))) % bound
    }

    fn one_of(&mut self, texts: &[&str]) {
        let tossed = self.toss(texts.len());
        self.text += texts[tossed];
    }

    fn rule_name(&mut self, index: usize) {
        let is_bare = self.toss(2) == 0;
        self.text += &if is_bare { format!("rule-{index}") } else { format!("<rule-{index}>") };
    }

    fn blank(&mut self) {
        self.one_of(&[" ", "\n\t", " (**) ", " # comment; \"\n", "  // ]\r\n"]);
    }

    /// What may stand where a whole alternative does.
    fn way(&mut self, part: &Part) {
        match part {
            Part::Sequence(one, two, more) => {
                for (index, part) in [one.as_ref(), two].into_iter().chain(more).enumerate() {
                    if index > 0 {
                        self.blank();
                    }
                    self.atom(part);
                }
            }
            _ => self.atom(part),
        }
    }

    fn bracketed(&mut self, opening: &str, closing: &str, part: &Part) {
        self.text += opening;
        self.blank();
        self.way_or_choice(part);
        self.text += closing;
    }

    fn way_or_choice(&mut self, part: &Part) {
        let Part::Choice(one, two, more) = part else {
            return self.way(part);
        };
        for (index, way) in [one.as_ref(), two].into_iter().chain(more).enumerate() {
            if index > 0 {
                self.text += "|";
            }
            let (weight, label) = (weight(index, way), label(index, way));
            let shows_weight = weight != 1 || self.toss(2) == 0;
            self.text += &match (shows_weight, label) {
                (true, Some(label)) => format!("{weight} {label}:"),
                (true, None) => format!("{weight} :"),
                (false, Some(label)) => format!("{label}: "),
                (false, None) => String::new(),
            };
            self.way(&way.part);
        }
    }

    /// What needs no brackets, whatever stands beside it.
    fn atom(&mut self, part: &Part) {
        match part {
            Part::Text(text) => self.quoted(text),
            Part::Class { first, more, is_negated } => self.class(&characters(*first, more), *is_negated),
            Part::AnyCharacter => self.text += ".",
            Part::Rule(number) => self.rule_name(*number as usize % self.rules),
            Part::Optional(item) => match self.toss(2) {
                0 => self.bracketed("[", "]", item),
                _ => self.followed(item, "?"),
            },
            Part::Repeat { item, least, more } => {
                let least = *least as usize % 3;
                match (least, more) {
                    (0, None) => match self.toss(3) {
                        0 => self.bracketed("{", "}", item),
                        1 => self.followed(item, "*"),
                        _ => self.followed(item, "{0,}"),
                    },
                    (1, None) => {
                        self.bracketed("(", ")", item);
                        self.one_of(&["+", "{1,}"]);
                    }
                    (_, None) => self.followed(item, &format!(" {{ {least} , }}")),
                    (_, Some(more)) if more % 3 == 0 => self.followed(item, &format!("{{{least}}}")),
                    (_, Some(more)) => self.followed(item, &format!("{{{least},{}}}", least + *more as usize % 3)),
                }
            }
            Part::Separated(item, separator) => {
                self.text += "(";
                self.bracketed("(", ")", item);
                self.one_of(&["%", " % "]);
                self.bracketed("(", ")", separator);
                self.text += ")";
            }
            Part::Sequence(..) | Part::Choice(..) => self.bracketed("(", ")", part),
        }
    }

    fn followed(&mut self, item: &Part, suffix: &str) {
        self.bracketed("(", ")", item);
        self.text += suffix;
    }

    fn quoted(&mut self, text: &str) {
        let quote = ['"', '\''][self.toss(2)];
        self.text.push(quote);
        for character in text.chars() {
            let is_special = character == quote || matches!(character, '\\' | '\n' | '\r');
            self.character(character, is_special);
        }
        self.text.push(quote);
    }

    fn class(&mut self, characters: &[char], is_negated: bool) {
        self.text += if is_negated { "[^" } else { "[" };
        for &character in characters {
            // White space after the bracket would make it an optional part, and words could be
            // names of rules.
            let is_special = character.is_whitespace() || matches!(character, ']' | '^' | '-' | '\\');
            self.character(character, is_special);
        }
        self.text += "]";
    }

    fn character(&mut self, character: char, is_special: bool) {
        let number = character as u32;
        match self.toss(8) {
            0 => self.text += &format!("\\u{{{number:x}}}"),
            1 if number < 0x80 => self.text += &format!("\\x{number:02x}"),
            _ if !is_special => self.text.push(character),
            _ => match character {
                '\n' => self.text += "\\n",
                '\r' => self.text += "\\r",
                _ if matches!(character, '\\' | '"' | '\'' | ']' | '^' | '-' | ' ') => {
                    self.text.push('\\');
                    self.text.push(character);
                }
                _ => self.text += &format!("\\u{{{number:x}}}"),
            },
        }
    }
}
