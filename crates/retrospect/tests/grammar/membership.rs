//! Any grammar against a recogniser that is too simple to be wrong: for every rule and place, where
//! it may end, found by trying until nothing is new.

use retrospect::prelude::*;
use retrospect_grammar::{Expression, Grammar, Kind};

use crate::writing::{Part, write};

/// Repetitions in each other multiply, and this is about what is written, not about how much.
const SIZE: u32 = 4;

/// Grammars of a few characters, so that a changed text is often still one of theirs.
fn grammars() -> impl Generator<Value = Vec<Part>> {
    vec_of(any::<Part>(), 1..4).map_with_inverse(
        |parts: Vec<Part>| parts.iter().map(Part::with_few_characters).collect(),
        |parts: &Vec<Part>| Some(parts.clone()),
    )
}

#[property(cases = 400)]
fn what_is_written_can_be_read(#[from(grammars())] parts: Vec<Part>, seed: u64) {
    let written = write(&parts, &[]);
    note!("{written}");
    let text = text::grammar(&written).unwrap();
    let grammar = Grammar::read(&written).unwrap();
    let sample = text.clone().resize(SIZE).sample(seed);
    assume!(sample.chars().count() < 30);
    assert!(accepts(&grammar, &sample), "{sample:?} is no text of the grammar");
    assert!(text.accepts(&sample), "{sample:?}");
    // Such grammars can read a long text in so many ways that choosing one of them takes seconds.
    if sample.chars().count() < 12 {
        let choices = text.choices_of(&sample).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(text.replay(&choices), sample);
    }
    assert!(accepts(&grammar, &text.replay(&Choices::default())));
}

#[property(cases = 400)]
fn what_can_be_read_is_what_the_grammar_says(
    #[from(grammars())] parts: Vec<Part>,
    seed: u64,
    change: (usize, Option<char>),
) {
    let written = write(&parts, &[]);
    note!("{written}");
    let text = text::grammar(&written).unwrap();
    let grammar = Grammar::read(&written).unwrap();
    let mut near: Vec<char> = text.clone().resize(SIZE).sample(seed).chars().take(30).collect();
    let place = change.0 % (near.len() + 1);
    match change.1 {
        Some(character) => near.insert(place, few(character)),
        None if place < near.len() => drop(near.remove(place)),
        None => {}
    }
    let near: String = near.into_iter().collect();
    let is_text = accepts(&grammar, &near);
    cover!(0.1, is_text);
    cover!(0.1, !is_text);
    assert_eq!(text.accepts(&near), is_text, "{near:?}");
}

fn few(character: char) -> char {
    ['a', 'b', 'c'][character as usize % 3]
}

impl Part {
    fn with_few_characters(&self) -> Part {
        let mut part = self.clone();
        part.each_character(&mut |character| *character = few(*character));
        part
    }
}

fn accepts(grammar: &Grammar, text: &str) -> bool {
    let characters: Vec<char> = text.chars().collect();
    let places = characters.len() + 1;
    let mut table = Table { ends: vec![vec![vec![false; places]; places]; grammar.rules.len()], characters };
    loop {
        let mut is_new = false;
        for rule in 0..grammar.rules.len() {
            for start in 0..places {
                let found = table.ends_of(&grammar.rules[rule].body, &table.only(start));
                is_new |= found != table.ends[rule][start];
                table.ends[rule][start] = found;
            }
        }
        if !is_new {
            return table.ends[0][0][places - 1];
        }
    }
}

struct Table {
    characters: Vec<char>,
    /// By rule and start: whether it may end at each place, as far as is known.
    ends: Vec<Vec<Vec<bool>>>,
}

impl Table {
    fn only(&self, place: usize) -> Vec<bool> {
        (0..=self.characters.len()).map(|other| other == place).collect()
    }

    /// Where a part may end that begins at any of these places.
    fn ends_of(&self, expression: &Expression, starts: &[bool]) -> Vec<bool> {
        let mut ends = vec![false; starts.len()];
        match &expression.kind {
            Kind::Literal(text) => {
                let text: Vec<char> = text.chars().collect();
                for start in (0..starts.len()).filter(|start| starts[*start]) {
                    if self.characters[start..].starts_with(&text) {
                        ends[start + text.len()] = true;
                    }
                }
            }
            Kind::Class(_) | Kind::AnyCharacter => {
                for start in 0..self.characters.len() {
                    let fits = match &expression.kind {
                        Kind::Class(class) => {
                            let character = self.characters[start];
                            class.is_negated
                                != class.ranges.iter().any(|(low, high)| (*low..=*high).contains(&character))
                        }
                        _ => true,
                    };
                    ends[start + 1] |= starts[start] && fits;
                }
            }
            Kind::Rule(index) => {
                for start in (0..starts.len()).filter(|start| starts[*start]) {
                    add(&mut ends, &mut self.ends[*index][start].clone());
                }
            }
            Kind::Sequence(parts) => {
                ends = starts.to_vec();
                for part in parts {
                    ends = self.ends_of(part, &ends);
                }
            }
            Kind::Choice(alternatives) => {
                for alternative in alternatives.iter().filter(|alternative| alternative.weight > 0) {
                    add(&mut ends, &mut self.ends_of(&alternative.body, starts));
                }
            }
            Kind::Optional(item) => {
                ends = self.ends_of(item, starts);
                add(&mut ends, &mut starts.to_vec());
            }
            Kind::Repeat { item, least, most } => {
                let mut reached = starts.to_vec();
                for _ in 0..*least {
                    reached = self.ends_of(item, &reached);
                }
                for _ in *least..=most.unwrap_or(usize::MAX) {
                    // A place that was reached before leads nowhere else.
                    if !add(&mut ends, &mut reached) {
                        break;
                    }
                    reached = self.ends_of(item, &reached);
                }
            }
            Kind::Separated { item, separator } => {
                let mut reached = self.ends_of(item, starts);
                while add(&mut ends, &mut reached) {
                    reached = self.ends_of(item, &self.ends_of(separator, &reached));
                }
            }
        }
        ends
    }
}

/// Adds places, and takes those away from `more` that were there. Says whether any are left.
fn add(places: &mut [bool], more: &mut [bool]) -> bool {
    let mut is_new = false;
    for (place, more) in places.iter_mut().zip(more) {
        *more &= !*place;
        *place |= *more;
        is_new |= *more;
    }
    is_new
}
