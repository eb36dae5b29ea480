//! All values of a generator, from small to large; how many there are; and what is left after a
//! choice.

use examples::bst::bst;
use retrospect::prelude::*;

fn main() {
    println!("The first search trees with keys from 1 to 3:");
    for tree in bst(1, 3).enumerate().take(6) {
        println!("  {tree:?}");
    }
    println!("There are {} of them. With keys from 1 to 20:", bst(1, 3).cardinality());
    println!("  {}", bst(1, 20).cardinality());

    println!("Numbers begin with the simplest, and nobody waits for the last of them:");
    println!("  {:?}", any::<i64>().enumerate().take(7).collect::<Vec<_>>());
    println!("  {:?}", any::<(i64, bool)>().enumerate().skip(14).take(4).collect::<Vec<_>>());
    println!("The list at place 10^15 is counted out, not waited for:");
    println!("  {:?}", vec_of(0..10, ..).enumerate().nth(1_000_000_000_000_000).expect("there is no end"));

    println!("Each tree with 4 keys from 1 to 9 as likely as the others:");
    let trees = bst(1, 9).uniform_by_size(4);
    println!("  one of {}, for example {:?}", trees.count(), trees.sample(1));

    println!("What a tree can begin with, and how many trees do:");
    for (choice, rest) in bst(1, 3).gradient() {
        println!("  {choice}: {}", rest.cardinality());
    }
    let rest = bst(1, 3).after(&"1:node".parse().expect("it is a choice")).after(&"1".parse().expect("it is a choice"));
    println!("What is left to choose when it is a node whose key is the second:");
    for choices in rest.language().take(3) {
        println!("  {choices} makes {:?}", rest.replay(&choices));
    }
}
