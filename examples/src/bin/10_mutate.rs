//! Values near a value: the choices behind it are changed a little, and the generator makes a value
//! of them again.

use examples::bst::bst;
use examples::stlc::terms;
use retrospect::mutate::Edit;
use retrospect::prelude::*;

fn main() {
    let trees = bst(0, 99);
    let tree = trees.read("Node(Node(Leaf, 3, Leaf), 40, Node(Leaf, 70, Leaf))").expect("it is a search tree");
    println!("A search tree, and some near it. All of them are search trees:");
    println!("  {tree:?}");
    for mutant in trees.mutants(&tree, 7).expect("it can be made").take(6) {
        println!("  {mutant:?}");
    }

    println!("Each kind of change alone, on a list:");
    let lists = vec_of(0..100, ..);
    for edit in [Edit::Number, Edit::Insert, Edit::Delete, Edit::Duplicate, Edit::Move, Edit::Swap, Edit::Reroll] {
        let mutant = lists.mutants(&vec![10, 20, 30], 1).expect("it can be made").only(&[edit]).next();
        println!("  {:<10} {:?}", format!("{edit:?}"), mutant.expect("there is always one more"));
    }

    println!("A part of another value comes in:");
    println!("  {:?}", lists.splice(&vec![10, 20, 30], &vec![77], 3).expect("both can be made"));

    println!("Terms stay well typed, whatever is changed in them:");
    let term = terms(3).read("App(Lam(Int, Add(Var(0), Int(1))), Int(4))").expect("it has a type");
    for mutant in terms(3).mutants(&term, 3).expect("it can be made").take(5) {
        println!("  {mutant:?}");
    }

    println!("A generator that goes only forward has choices too:");
    let squares = within(0..100u32).map(|number| number * number);
    let mutant = squares.mutate_choices(&"12".parse().expect("a number"), 4).expect("there are other squares");
    println!("  144 became {}, by {:?} of its choices: {}", mutant.value, mutant.edit, mutant.choices);

    println!("What the generator cannot make, it cannot mutate, and says why:");
    println!("  {}", lists.mutate(&vec![10, 200], 1).expect_err("200 is too large"));
}
