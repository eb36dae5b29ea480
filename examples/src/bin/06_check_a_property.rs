//! Properties without a macro: what a failure says, and how it is run again.

use examples::bst::{Tree, bst};
use retrospect::prelude::*;

fn main() {
    println!("A property that holds says nothing.");
    check((bst(0, 100), 0..=100), |(tree, key)| assert!(tree.insert(key).is_within(0, 100)));

    println!("One that does not is reported with the smallest case that fails:");
    let report = Check::new().named("trees::delete_keeps_the_others").save(false).failure_of_case(|case| {
        let tree = case.draw_named("tree", bst(0, 9));
        let key = case.draw_named("key", 0..=9);
        let others: Vec<i64> = tree.keys().into_iter().filter(|other| *other != key).collect();
        note!("should keep {others:?}");
        assert_eq!(delete(tree, key).keys(), others);
    });
    for line in report.unwrap_or_default().lines().filter(|line| is_always_the_same(line)) {
        println!("{line}");
    }
}

/// Forgets what hangs to the right of the key it deletes.
fn delete(tree: Tree, gone: i64) -> Tree {
    match tree {
        Tree::Leaf => Tree::Leaf,
        Tree::Node(left, key, right) if gone < key => Tree::Node(Box::new(delete(*left, gone)), key, right),
        Tree::Node(left, key, right) if gone > key => Tree::Node(left, key, Box::new(delete(*right, gone))),
        Tree::Node(left, ..) => *left,
    }
}

/// How it was found and how long it took are different each time; the case is not.
fn is_always_the_same(line: &str) -> bool {
    !line.starts_with("FAIL") && !line.contains("choices left")
}
