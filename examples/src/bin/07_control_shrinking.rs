//! Control over shrinking: what is simple is for the author of a generator to say, and to test.

use retrospect::generator::shrink_to;
use retrospect::laws::Laws;
use retrospect::prelude::*;

fn main() {
    println!("Room temperatures, in degrees: 20 is the simplest, and most are near it.");
    let degrees = (-40..=60).origin(20).skewed(1.5);
    println!("  drawn: {:?}", degrees.samples(1).skip(90).take(8).collect::<Vec<_>>());
    println!("  too hot for the machine, least: {}", smallest(&degrees, 55, |degrees| *degrees > 35));
    println!("  too cold for it: {}", smallest(&degrees, -31, |degrees| *degrees < 5));

    println!("A timeout of 30 seconds, unless something shorter shows the same:");
    let timeout = shrink_to(30, [1, 5, 10]);
    println!("  {} with a limit of 4", smallest(&timeout, 30, |seconds| *seconds > 4));

    println!("Times of day, shrunk by hand: to the full hour, then to the half, never to another hour.");
    let times = tuple((0..24, 0..60)).shrink_with(|(hour, minute)| {
        [0, 30].into_iter().filter(|simpler| simpler < minute).map(|simpler| (*hour, simpler)).collect::<Vec<_>>()
    });
    println!("  {:?} of (17, 49)", smallest(&times, (17, 49), |time| *time > (17, 10)));

    println!("What shrinking tries from [3, 1], before anything fails:");
    let lists = vec_of(0..10, ..=3);
    let start = lists.choices_of(&vec![3, 1]).expect("it can be made");
    for below in lists.shrink_tree_from(&start).children().take(6) {
        println!("  {:?}", below.value());
    }

    println!("And a test of it all. A remainder is no way to stay below 100:");
    let below = any::<u64>().map(|number| number % 100);
    match Laws::default().verify_shrinking(&below, |before, after| before >= after) {
        Ok(()) => println!("  smaller with each step"),
        Err(broken) => println!("  {}", broken.to_string().replace('\n', "\n  ")),
    }
}

fn smallest<G: Generator>(generator: &G, value: G::Value, fails: impl FnMut(&G::Value) -> bool) -> G::Value {
    generator.shrink(value, fails).expect("a value that fails, and that the generator makes").value
}
