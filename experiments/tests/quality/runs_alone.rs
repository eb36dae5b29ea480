//! A trial that cannot replay without a run needs more runs, and misses only what needs replays:
//! lengths drawn before lists, parts built anew.

use super::challenges::{Term, term, wraps};
use super::measure::seeds;
use retrospect::prelude::*;
use retrospect::shrink::{Shrinker, Tried};
use std::collections::BTreeSet;

#[track_caller]
fn assert_reached<G: Generator>(generator: &G, fails: impl Fn(&G::Value) -> bool, expected: &str, mean: u64) {
    let (mut runs, mut starts) = (0, 0);
    for value in generator.samples(11).filter(&fails).take(seeds() as usize) {
        let mut trial = |candidate: &Choices| match generator.try_replay(candidate) {
            Ok((value, made)) if fails(&value) => Tried::Fails(made),
            _ => Tried::Passes,
        };
        let shrunk = Shrinker::new().shrink(&generator.choices_of(&value).unwrap(), &mut trial, &mut || true);
        assert_eq!(format!("{:?}", generator.replay(&shrunk.choices)), expected);
        (runs, starts) = (runs + shrunk.runs - shrunk.searched, starts + 1);
    }
    println!("{expected}: {} runs on average", runs / starts);
    assert!(runs / starts <= mean, "{} runs on average", runs / starts);
}

#[test]
fn runs_alone_are_enough() {
    let lists = || vec_of(any::<i64>(), ..);
    assert_reached(&lists(), |list| list.iter().ne(list.iter().rev()), "[0, 1]", 25);
    assert_reached(&lists(), |list| list.iter().collect::<BTreeSet<_>>().len() >= 3, "[0, 1, -1]", 70);
    assert_reached(&term(6), Term::fails, "Divide(Number(0), Add(Number(0), Number(0)))", 120);
    let short = vec_of(any::<i16>(), ..=1);
    assert_reached(&tuple((short, short, short, short, short)), wraps, "([], [], [], [-1], [-32768])", 200);
}
