//! Values that would overflow the stack of anything that simply recurses.

use crate::measure::{Effort, Table};
use retrospect::prelude::*;
use retrospect::with_deep_stack;
use std::time::Instant;

use super::workloads::{Tree, tree};

pub(crate) fn run(effort: Effort) -> String {
    let (items, depth) = (effort.of(1_000_000), effort.of(100_000) as u32);
    let mut table = Table::new(&["ms", "reflect", "replay", "read", "drop"]);
    let lists = vec_of(any::<i64>(), ..);
    let list: Vec<i64> = (0..items as i64).collect();
    table.row(steps(&format!("a list of {items} items"), &lists, list));
    let mut leaning = Tree::Leaf;
    for key in (0..depth).rev() {
        leaning = Tree::Node(Box::new(Tree::Leaf), key, Box::new(leaning));
    }
    table.row(steps(&format!("a tree leaning right, {depth} deep"), &tree(0, u32::MAX, u32::MAX), leaning));
    format!(
        "## Deep values\n\nOn the main thread's stack, and on that of a test thread in the tests.\n\n{}",
        table.to_markdown()
    )
}

fn steps<G: Generator>(name: &str, generator: &G, value: G::Value) -> Vec<String>
where
    G::Value: PartialEq,
{
    let mut cells = vec![name.to_owned()];
    let mut begin = Instant::now();
    let mut lap = || {
        let elapsed = begin.elapsed().as_secs_f64() * 1000.0;
        begin = Instant::now();
        format!("{elapsed:.1}")
    };
    let choices = generator.choices_of(&value).unwrap_or_else(|error| panic!("{name}: {error}"));
    cells.push(lap());
    let replayed = generator.replay(&choices);
    cells.push(lap());
    let text = with_deep_stack(|| format!("{value:?}"));
    lap();
    let read = generator.read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    cells.push(lap());
    with_deep_stack(|| assert!(replayed == value && read == value, "{name} must come back the same"));
    lap();
    with_deep_stack(move || drop((value, replayed, read)));
    cells.push(lap());
    cells
}
