//! Choices among generators, adapters, recursion, sequences: each in every direction, over hundreds
//! of seeds.

use retrospect::Generator;
use retrospect::choice::Site;
use retrospect::prelude::*;
use retrospect::reflect::Overlap;
use retrospect::source::{Chooser, NumberRequest, PickRequest, RepeatRequest, Rng, Source, Stop, Why};
use std::fmt::Debug;

const SEEDS: u64 = 300;

/// What every generator must do, on values of all sizes.
#[track_caller]
fn obeys<G: Generator>(generator: &G)
where
    G::Value: PartialEq,
{
    obeys_on(generator, SEEDS);
}

#[track_caller]
fn obeys_on<G: Generator>(generator: &G, seeds: u64)
where
    G::Value: PartialEq,
{
    for seed in 0..seeds {
        let size = (seed % 100) as u32;
        let mut source = Source::recording(seed).with_size(size);
        let value = generator.generate(&mut source).expect("a value");
        let choices = source.into_choices();
        let again = generator.generate(&mut Source::random(seed).with_size(size)).expect("the same value");
        assert_eq!(again, value, "recording changes nothing");
        assert_eq!(generator.replay(&choices), value, "{choices}");
        assert_eq!(generator.replay_exact(&choices).map_err(|why| why.to_string()), Ok((value, 0)), "{choices}");
        assert_eq!(choices.to_string().parse::<Choices>().unwrap(), choices);
        let value = again;
        assert!(generator.accepts(&value), "{value:?}");
        let found = generator.choices_of(&value).unwrap_or_else(|error| panic!("{value:?}: {error}"));
        let made = generator.try_replay(&found).map(|(_, made)| made);
        assert_eq!(made.map_err(|why| why.to_string()), Ok(found.clone()), "replaying makes the same choices");
        assert_eq!(generator.replay(&found), value, "{found}");
        assert_eq!(
            generator.replay_exact(&found).map_err(|why| why.to_string()),
            Ok((generator.replay(&found), 0)),
            "{found}"
        );
        assert_ne!(generator.ways_of(&value).count(), Overlap::Finite(0.into()), "{value:?}");
    }
    let simplest = generator.replay(&Choices::default());
    let choices = generator.choices_of(&simplest).expect("the simplest value is one of its values");
    assert_eq!(generator.replay(&choices), simplest);
}

/// Where there is only one way to each value, reflection finds the very choices that were made.
#[track_caller]
fn recalls<G: Generator>(generator: &G)
where
    G::Value: PartialEq,
{
    obeys(generator);
    for seed in 0..SEEDS {
        let value = generator.sample(seed);
        assert_eq!(generator.choices_of(&value).unwrap(), generator.sample_choices(seed), "{value:?}");
        assert_eq!(generator.ways_of(&value).count(), Overlap::Finite(1.into()), "{value:?}");
    }
}

fn reason<G: Generator>(generator: &G, value: &G::Value) -> (String, String) {
    let error = generator.choices_of(value).expect_err("it cannot be made");
    assert!(!generator.accepts(value));
    assert_eq!(generator.ways_of(value).count(), Overlap::Finite(0.into()));
    (error.path().to_owned(), error.reason().to_owned())
}

fn stopped<G: Generator>(generator: &G) -> String {
    let mut source = Source::random(1);
    assert!(generator.generate(&mut source).is_err());
    source.why().expect("a reason").to_string()
}

#[track_caller]
fn here(line: u32) -> String {
    format!("{}:{line}", std::panic::Location::caller().file())
}

mod adapters;
mod arms;
mod control;
mod items;
mod recursion;
mod sequences;
mod single_values;

#[test]
fn debug_names_the_place() {
    let text = |generator: &dyn Debug| format!("{generator:?}");
    let line = line!();
    let generators: [Box<dyn Debug>; 6] = [
        Box::new(within(0..9).filter(|_| true)),
        Box::new(within(0..9).map(|x| x)),
        Box::new(one_of((0..9, 1..2))),
        Box::new(sized(|_| 0..9)),
        Box::new(lazy(|| 0..9)),
        Box::new((0..9).boxed()),
    ];
    for (below, generator) in (2..).zip(&generators[..5]) {
        assert!(text(generator).contains(&here(line + below)), "{}", text(generator));
    }
    assert_eq!(text(&generators[5]), "a boxed generator of i32");
}
