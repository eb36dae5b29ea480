//! Going through all values of a generator, beside an enumerator that is written for them by hand.

mod by_hand;

use crate::measure::{Effort, Table, least, machine};
use examples::bst::{Tree, bst};
use retrospect::prelude::*;
use std::hint::black_box;
use std::io;

/// The largest key, and how many trees are gone through: all there are with ten keys, and a million
/// of those with twelve.
const ROWS: [(i64, usize); 2] = [(10, 223_191), (12, 1_000_000)];

/// The goal: at most so many times what the enumerator by hand takes.
const GOAL: f64 = 3.0;

/// Measures, prints the tables and, if asked to, writes them into the repository.
pub fn run(effort: Effort, write: bool) -> io::Result<()> {
    let report = format!(
        "# Enumeration, measured\n\nPrinted by `cargo run --release -p experiments -- enumeration --write`. Machine: {}.\n\n{}\n{}",
        machine(),
        all_search_trees(effort),
        without_going_there(effort)
    );
    println!("{report}");
    if write {
        std::fs::create_dir_all("docs/results")?;
        std::fs::write("docs/results/enumeration.md", report.trim_end().to_owned() + "\n")?;
        println!("written to docs/results/enumeration.md");
    }
    Ok(())
}

fn all_search_trees(effort: Effort) -> String {
    let mut table = Table::new(&[
        "search trees",
        "how many",
        "by hand, ns each",
        "enumerate, ns each",
        "×",
        "language, ns each",
        "sample, ns each",
    ]);
    let rounds = if effort == Effort::Quick { 1 } else { 15 };
    for (largest, count) in ROWS {
        let count = if effort == Effort::Quick { count / 100 } else { count };
        assert!(is_same_order(largest, count.min(10_000)), "both go through the same trees in the same order");
        // They take turns, so that a slow moment is nobody's.
        let mut best = [f64::MAX; 4];
        for _ in 0..rounds {
            best[0] = best[0].min(least(1, || go_by_hand(largest, count)));
            best[1] = best[1].min(least(1, || go_by_enumeration(largest, count)));
            best[2] = best[2].min(least(1, || go_by_language(largest, count)));
            best[3] = best[3].min(least(1, || draw(largest, count)));
        }
        let each = |place: usize| format!("{:.0}", best[place] / count as f64);
        table.row(vec![
            format!("keys from 1 to {largest}"),
            count.to_string(),
            each(0),
            each(1),
            format!("{:.2}", best[1] / best[0]),
            each(2),
            each(3),
        ]);
    }
    format!(
        "## All search trees, by size\n\nThe enumerator by hand recurses over keys and sizes and hands each tree to a closure; it knows search trees and nothing else. `enumerate` goes by the\n\
         generator of the examples, in the same order, which is that of LeanCheck's tiers where a node is one larger than a leaf. Both make and drop every tree. Goal: at most {GOAL} × the time by\n\
         hand. There are 223,191 search trees with keys from 1 to 10, so the first million is taken from those with keys from 1 to 12. Beside it, what the choices cost instead of the trees, and what\n\
         a tree drawn at random costs. The least of {rounds} rounds in turns; read the ratio, not the nanoseconds.\n\n{}",
        table.to_markdown()
    )
}

#[inline(never)]
fn go_by_hand(largest: i64, count: usize) {
    let mut left = count;
    by_hand::search_trees(largest, &mut |tree| {
        black_box(tree);
        left -= 1;
        left > 0
    });
}

#[inline(never)]
fn go_by_enumeration(largest: i64, count: usize) {
    for tree in bst(1, largest).enumerate().take(count) {
        black_box(tree);
    }
}

#[inline(never)]
fn go_by_language(largest: i64, count: usize) {
    for choices in bst(1, largest).language().take(count) {
        black_box(choices);
    }
}

#[inline(never)]
fn draw(largest: i64, count: usize) {
    for tree in bst(1, largest).samples(1).take(count) {
        black_box(tree);
    }
}

fn is_same_order(largest: i64, count: usize) -> bool {
    let mut enumerated = bst(1, largest).enumerate();
    let mut left = count;
    let mut is_same = true;
    by_hand::search_trees(largest, &mut |tree: Tree| {
        is_same &= enumerated.next() == Some(tree);
        left -= 1;
        left > 0 && is_same
    });
    is_same
}

fn without_going_there(effort: Effort) -> String {
    let rounds = if effort == Effort::Quick { 1 } else { 40 };
    let mut table = Table::new(&["what", "answer", "µs"]);
    let mut row = |what: &str, answer: String, nanoseconds: f64| {
        table.row(vec![what.to_owned(), answer, format!("{:.1}", nanoseconds / 1e3)]);
    };
    let keys = if effort == Effort::Quick { 20 } else { 30 };
    let large = bst(1, keys);
    row(
        &format!("`bst(1, {keys}).cardinality()`"),
        shown(&large.cardinality().to_string()),
        least(rounds, || large.cardinality()),
    );
    let zeros = if effort == Effort::Quick { 10 } else { 15 };
    let place = 10usize.pow(zeros);
    row(
        &format!("`bst(1, {keys}).enumerate().nth(10^{zeros})`"),
        format!("{} nodes", large.enumerate().nth(place).map_or(0, |tree| tree.size())),
        least(rounds, || large.enumerate().nth(place)),
    );
    let uniform = large.uniform_by_size(keys as u32 / 2);
    row(
        &format!("`bst(1, {keys}).uniform_by_size({}).sample(seed)`, once it is counted", keys / 2),
        format!("one of {}", shown(&uniform.count().to_string())),
        {
            let mut seed = 0;
            least(rounds, || {
                seed += 1;
                uniform.sample(seed)
            })
        },
    );
    row(
        "`any::<(u64, u64, u64)>().cardinality()`",
        shown(&any::<(u64, u64, u64)>().cardinality().to_string()),
        least(rounds, || any::<(u64, u64, u64)>().cardinality()),
    );
    format!(
        "## Without going there\n\nWhat nothing hangs on is counted instead of made. The least of {rounds} runs, each from the beginning unless it says otherwise.\n\n{}",
        table.to_markdown()
    )
}

/// A long number by its first digits.
fn shown(digits: &str) -> String {
    match digits.len() {
        _ if !digits.bytes().all(|digit| digit.is_ascii_digit()) => digits.to_owned(),
        0..=12 => digits.to_owned(),
        length => format!("{}.{} × 10^{}", &digits[..1], &digits[1..3], length - 1),
    }
}
