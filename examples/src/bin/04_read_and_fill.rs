//! Text that `Debug` printed is read back; `_` is a hole that is filled with something that fits.

use examples::red_black::red_black;
use examples::sorted::sorted;
use retrospect::prelude::*;

fn main() {
    println!("A value copied from a failed test is read back:");
    show(sorted(0, 99).read("[3, 14, 15, 92]"));

    println!("What the generator cannot make is refused, and so is what is no value at all:");
    show(sorted(0, 99).read("[3, 14, 15, 9]"));
    show(sorted(0, 99).read("[3, 14"));

    println!("Holes are filled at random, in order with what is given:");
    for seed in 0..3 {
        show(sorted(0, 99).fill("[10, _, _, 20]", seed));
    }

    println!("The rest of a tree grows around what is given: it stays balanced.");
    for seed in 0..2 {
        let tree = red_black(0, 60).fill("Node(Black, Node(Red, _, 10, _), 40, _)", seed);
        let height = tree.as_ref().ok().and_then(|tree| tree.black_height());
        println!("  seed {seed}: black height {height:?}, valid: {}", tree.is_ok_and(|tree| tree.is_valid(0, 60)));
    }
}

fn show<T: std::fmt::Debug>(result: Result<T, impl std::fmt::Display>) {
    match result {
        Ok(value) => println!("  {value:?}"),
        Err(error) => println!("  {}", error.to_string().replace('\n', "\n  ")),
    }
}
