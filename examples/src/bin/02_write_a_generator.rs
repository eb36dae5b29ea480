//! Two ways to write a generator: as a function that draws, and with combinators.

use retrospect::prelude::*;

/// A stretch of a day, in hours.
#[derive(Debug, Clone, PartialEq)]
enum Shift {
    Off,
    Work { from: u8, to: u8 },
}

/// Shifts that end after they begin. The constructor at the end builds going forward and takes
/// apart going backward.
#[generator]
fn shifts(earliest: u8) -> Shift {
    match pick() {
        "off" => Shift::Off,
        #[weight(3)]
        "work" => {
            let from = draw(earliest..=22);
            let to = draw(from + 1..=23);
            Shift::Work { from, to }
        }
    }
}

fn main() {
    println!("A few shifts, none before 6:");
    for shift in shifts(6).samples(1).take(4) {
        println!("  {shift:?}");
    }

    // Combinators make larger generators of it: a week is a list of exactly seven.
    let weeks = vec_of(shifts(6), 7);
    println!("A week has {} shifts.", weeks.sample(3).len());

    println!("A generator is also a check, with reasons:");
    for (from, to) in [(8, 16), (16, 8), (3, 9)] {
        let shift = Shift::Work { from, to };
        match shifts(6).choices_of(&shift) {
            Ok(choices) => println!("  {shift:?} is made by {choices}"),
            Err(error) => println!("  {error}"),
        }
    }

    println!("The simplest shift, to which shrinking goes: {:?}", shifts(6).replay(&Choices::default()));
}
