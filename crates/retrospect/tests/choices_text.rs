//! The text form of choice trees under attack: whatever it is fed, it answers with a tree or an
//! error, and a tree it accepts is written and read back unchanged.

use retrospect::prelude::*;
use retrospect::source::Rng;
use std::time::{Duration, Instant};

const SEEDS: &[&str] = &[
    "",
    "0",
    "18446744073709551615",
    "[1 2 3]",
    "(7 1:true)",
    "1:node(50 0:leaf 0:leaf)",
    "3:λ(0:+ 1:\"two words\" 2:\"a\\\"b\\\\c\\n\\u{1f600}\")",
    "{1 {} []}",
    "[(1 [2 (3)]) (4 []) (5 [6 7])]",
    "0:(((((()))))) 5",
];

const FRAGMENTS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    "\"",
    "\\",
    " ",
    "\n",
    "\t",
    "0",
    "9",
    "18446744073709551616",
    "4294967296",
    "-1",
    "a",
    "λ",
    "\u{0}",
    "\u{301}",
    "\\u{",
    "}",
    "1:",
    "\\q",
    "😀",
    "\u{a0}",
    "1:a(",
    "0:\"",
];

/// One edit of a text: a piece taken out, put in, doubled, or moved from another text.
fn edited(text: &str, rng: &mut Rng) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=rng.at_most(3) {
        let at = rng.at_most(characters.len() as u64) as usize;
        match rng.at_most(4) {
            0 => {
                let end = (at + rng.at_most(4) as usize).min(characters.len());
                characters.drain(at..end);
            }
            1 | 2 => {
                let fragment = FRAGMENTS[rng.at_most(FRAGMENTS.len() as u64 - 1) as usize];
                characters.splice(at..at, fragment.chars());
            }
            3 => {
                let other: Vec<char> = SEEDS[rng.at_most(SEEDS.len() as u64 - 1) as usize].chars().collect();
                let cut = rng.at_most(other.len() as u64) as usize;
                characters.splice(at..at, other[cut..].iter().copied());
            }
            _ => characters.truncate(at),
        }
    }
    characters.into_iter().take(4000).collect()
}

#[test]
fn whatever_is_read_is_a_tree_or_an_error() {
    let seconds = std::env::var("RETROSPECT_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(2));
    let lists = vec_of(tuple((0..=9u8, vec_of(any::<i64>(), ..=5))), 1..);
    let mut rng = Rng::new(1);
    let mut accepted: Vec<String> = SEEDS.iter().map(|text| (*text).to_owned()).collect();
    let mut runs = 0u64;
    while Instant::now() < end {
        let parent = &accepted[rng.at_most(accepted.len() as u64 - 1) as usize];
        let text = edited(parent, &mut rng);
        runs += 1;
        match text.parse::<Choices>() {
            Err(error) => {
                assert!(error.position() <= text.len());
                assert!(error.to_string().starts_with("not a choice tree: "));
            }
            Ok(choices) => {
                let written = choices.to_string();
                assert_eq!(written.parse::<Choices>().unwrap(), choices, "{text:?} was written as {written:?}");
                assert_eq!(written.parse::<Choices>().unwrap().to_string(), written);
                let (value, made) = lists.try_replay(&choices).unwrap();
                assert_eq!(lists.choices_of(&value).unwrap(), made, "{text:?}");
                if let Ok((value, left)) = lists.replay_exact(&choices) {
                    assert_eq!(lists.replay(&choices), value, "{text:?} with {left} left over");
                }
                if accepted.len() < 2000 {
                    accepted.push(text);
                }
            }
        }
    }
    assert!(runs > 1000 && accepted.len() > SEEDS.len(), "{runs} runs, {} accepted", accepted.len());
}

#[test]
fn a_tree_of_another_generator_replays_leniently_and_does_not_parse() {
    let foreign = vec_of(tuple((0..=9u8, any::<u64>())), ..).sample_choices(3);
    let pairs = tuple((0..=3u8, vec_of(0..=1u8, 2..=2)));
    let (value, made) = pairs.try_replay(&foreign).unwrap();
    assert_eq!(pairs.choices_of(&value).unwrap(), made);
    let error = pairs.replay_exact(&foreign).unwrap_err().to_string();
    assert!(error.contains("where the bracket of `tuple` was asked for"), "{error}");
}

#[test]
fn a_truncated_text_names_the_bracket_that_is_open() {
    let text = vec_of(tuple((0..=9u8, any::<u64>())), 5).sample_choices(3).to_string();
    for end in 1..text.len() {
        match text[..end].parse::<Choices>() {
            Ok(choices) => assert_eq!(choices.to_string(), text[..end].trim_end(), "only whole trees are accepted"),
            Err(error) => assert!(error.to_string().contains("never closed"), "{error}"),
        }
    }
}
