//! Forward and backward: choices make a value, and a value recalls its choices, whoever made it.

use examples::bst::{Tree, bst};
use retrospect::prelude::*;

fn main() {
    let trees = bst(0, 9);

    println!("Forward. The same seed makes the same tree, here with its choices:");
    for seed in [8, 21, 46] {
        println!("  {seed}: {:?}", trees.sample(seed));
        println!("     {}", trees.sample_choices(seed));
    }

    println!("Backward. This tree was written by hand, not generated:");
    let tree = node(node(Tree::Leaf, 1, Tree::Leaf), 5, Tree::Leaf);
    let choices = trees.choices_of(&tree).expect("it is a search tree");
    println!("  {tree:?}");
    println!("  {choices}");
    println!("  replayed, it is the same tree: {}", trees.replay(&choices) == tree);

    println!("Choices are data: change a number, and another tree comes out.");
    let changed: Choices = choices.to_string().replacen('5', "7", 1).parse().expect("it is still a tree of choices");
    println!("  {changed}");
    println!("  {:?}", trees.replay(&changed));

    println!("A tree that is out of order has no choices. The error names the part:");
    let wrong = node(node(Tree::Leaf, 8, Tree::Leaf), 5, Tree::Leaf);
    match trees.choices_of(&wrong) {
        Ok(choices) => println!("  {choices}"),
        Err(error) => println!("  {error}"),
    }
}

fn node(left: Tree, key: i64, right: Tree) -> Tree {
    Tree::Node(Box::new(left), key, Box::new(right))
}
