//! The tour: what `bst` of the first page makes, recalls, refuses, reads and completes.

use retrospect::prelude::*;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

#[derive(Debug, Clone, PartialEq)]
enum Tree {
    Leaf,
    Node(Box<Tree>, i64, Box<Tree>),
}
use Tree::{Leaf, Node};

#[generator]
fn bst(lo: i64, hi: i64) -> Tree {
    if lo > hi {
        return Tree::Leaf;
    }
    match pick() {
        "leaf" => Tree::Leaf,
        #[weight(2)]
        "node" => {
            let x = draw(lo..=hi);
            let l = draw(bst(lo, x - 1));
            let r = draw(bst(x + 1, hi));
            Tree::Node(Box::new(l), x, Box::new(r))
        }
    }
}

/// Writes the tour. A reader that goes away early, as `head` does, is no failure.
pub(crate) fn run(seed: u64, out: &mut impl Write) -> ExitCode {
    match tour(seed, out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write: {error}");
            ExitCode::FAILURE
        }
    }
}

fn tour(seed: u64, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "One generator, written once:\n\n{}", source_of_bst())?;

    writeln!(out, "1. Forward: choices make a value.   bst(0, 9).sample(seed)\n")?;
    let small = bst(0, 9);
    for seed in seed..seed + 3 {
        let tree = small.sample(seed);
        writeln!(out, "   seed {seed}, choices {}", small.sample_choices(seed))?;
        drawn(&tree, out)?;
    }

    writeln!(out, "2. Backward: a value, from anywhere, recalls its choices.   bst(0, 100).choices_of(&tree)\n")?;
    let wide = bst(0, 100);
    let written_by_hand = node(node(Leaf, 20, Leaf), 50, node(Leaf, 70, node(Leaf, 90, Leaf)));
    drawn(&written_by_hand, out)?;
    match wide.choices_of(&written_by_hand) {
        Ok(choices) => {
            writeln!(out, "   choices: {choices}")?;
            let again = wide.replay(&choices) == written_by_hand;
            writeln!(out, "   replayed, they give the tree back: {again}\n")?;
        }
        Err(error) => writeln!(out, "   {error}\n")?,
    }

    writeln!(out, "3. A tree that is no search tree cannot be made, and it says why.\n")?;
    let wrong = node(node(Leaf, 20, node(Leaf, 60, Leaf)), 50, Leaf);
    drawn(&wrong, out)?;
    match wide.choices_of(&wrong) {
        Ok(choices) => writeln!(out, "   choices: {choices}\n")?,
        Err(error) => writeln!(out, "   {error}\n")?,
    }

    let text = "Node(Leaf, 4, Node(Leaf, 8, Leaf))";
    writeln!(out, "4. What `{{:?}}` printed is read back, from a log or a bug report.   bst(0, 9).read(text)\n")?;
    writeln!(out, "   {text}")?;
    match small.read(text) {
        Ok(tree) => {
            let choices = small.choices_of(&tree).map_or_else(|error| error.to_string(), |choices| choices.to_string());
            writeln!(out, "   is a tree of {} keys, choices {choices}", size(&tree))?;
        }
        Err(error) => writeln!(out, "   {error}")?,
    }
    for wrong in ["Node(Leaf, 4, Node(Leaf, 2, Leaf))", "Node(Leaf, 4"] {
        writeln!(out, "   {wrong}")?;
        match small.read(wrong) {
            Ok(tree) => writeln!(out, "   {tree:?}")?,
            Err(error) => writeln!(out, "   {}", error.to_string().replace('\n', "\n   "))?,
        }
    }

    let sketch = "Node(Node(_, 20, _), 50, _)";
    writeln!(out, "\n5. Holes are filled.   bst(0, 100).fill(\"{sketch}\", seed)\n")?;
    for seed in seed..seed + 2 {
        match wide.fill(sketch, seed) {
            Ok(tree) => drawn(&tree, out)?,
            Err(error) => writeln!(out, "   {error}\n")?,
        }
    }
    writeln!(out, "Next: `cargo retrospect demo --tour --seed 8`, or the README's first example in a test of your own.")
}

/// The generator above, as it stands in this file.
fn source_of_bst() -> String {
    let file = include_str!("tour.rs");
    let lines = file.lines().skip_while(|line| *line != "#[generator]");
    let mut source = String::new();
    for line in lines {
        source += &format!("    {line}\n");
        if line == "}" {
            break;
        }
    }
    source
}

fn node(left: Tree, key: i64, right: Tree) -> Tree {
    Node(Box::new(left), key, Box::new(right))
}

fn size(tree: &Tree) -> usize {
    match tree {
        Leaf => 0,
        Node(left, _, right) => size(left) + 1 + size(right),
    }
}

/// Draws a tree on its side: the root at the left, larger keys above.
fn drawn(tree: &Tree, out: &mut impl Write) -> std::io::Result<()> {
    fn lines(tree: &Tree, above: &str, here: &str, below: &str, out: &mut impl Write) -> std::io::Result<()> {
        let Node(left, key, right) = tree else { return Ok(()) };
        lines(right, &format!("{above}   "), &format!("{above}┌─ "), &format!("{above}│  "), out)?;
        writeln!(out, "   {here}{key}")?;
        lines(left, &format!("{below}│  "), &format!("{below}└─ "), &format!("{below}   "), out)
    }
    match tree {
        Leaf => writeln!(out, "   (empty)")?,
        tree => lines(tree, "", "", "", out)?,
    }
    writeln!(out)
}
