//! What it costs to ask a generator whether it makes a value, beside a check written by hand.

use super::subjects::{AvlTrees, Documents, RedBlackTrees, SearchTrees, Subject, Terms};
use crate::measure::{Contender, Effort, Table, race};
use retrospect::prelude::*;

/// Iterations in one round.
const ITERATIONS: usize = 2_000;
/// How many values take turns.
const VALUES: usize = 64;
/// Smaller values are accepted at once.
const FEWEST_NODES: usize = 10;

pub(super) fn run(effort: Effort) -> String {
    let mut table = Table::new(&["values", "nodes", "by hand, ns", "accepts, ns", "×"]);
    table.row(row::<SearchTrees>(effort));
    table.row(row::<AvlTrees>(effort));
    table.row(row::<RedBlackTrees>(effort));
    table.row(row::<Terms>(effort));
    table.row(row::<Documents>(effort));
    format!(
        "## Accepting\n\nGoal: `accepts` costs at most 3 × a check written by hand, on search trees, red–black trees and typed terms. Both are asked about values that \
         are valid. A term is checked for its type, and for its depth and numbers, as the generator does.\n\n{}",
        table.to_markdown()
    )
}

fn row<S: Subject>(effort: Effort) -> Vec<String> {
    let generator = S::generator();
    let seeds = (0..).filter(|seed| S::tree(&generator.sample(*seed)).size() >= FEWEST_NODES);
    let values: Vec<S::Value> = seeds.take(VALUES).map(|seed| generator.sample(seed)).collect();
    let nodes: usize = values.iter().map(|value| S::tree(value).size()).sum();
    let mut contenders = [
        Contender::new("by hand", |_: &bool| 0, each(&values, S::is_valid)),
        Contender::new("accepts", |_: &bool| 0, each(&values, |value| generator.accepts(value))),
    ];
    race(&mut contenders, effort.of(ITERATIONS), effort);
    let [by_hand, accepts] = [contenders[0].best, contenders[1].best];
    vec![
        S::NAME.to_owned(),
        format!("{:.0}", nodes as f64 / VALUES as f64),
        format!("{by_hand:.0}"),
        format!("{accepts:.0}"),
        format!("{:.2}", accepts / by_hand),
    ]
}

/// Asks about one value after the other, and again from the first.
fn each<'v, T>(values: &'v [T], is_valid: impl Fn(&T) -> bool + 'v) -> impl FnMut() -> bool + 'v {
    let mut turn = 0;
    move || {
        turn = (turn + 1) % values.len();
        let valid = is_valid(&values[turn]);
        assert!(valid, "the generator made it");
        valid
    }
}
