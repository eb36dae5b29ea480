//! One value of each workload: by hand, by retrospect, recorded, and by the peers.

use super::hand;
use super::workloads::{self, JSON_DEPTH, Json, TREE_DEPTH, Tree};
use crate::measure::{Contender, Effort, Table, race};
use retrospect::prelude::*;
use retrospect::source::{Rng, Source};
use std::collections::BTreeMap;
use std::hint::black_box;

/// Iterations in one round of each workload.
const ITERATIONS: usize = 2_000;
const HAND: &str = "by hand, fastrand";

pub(crate) fn run(effort: Effort) -> String {
    let (lo, hi, depth) = (0, 1000, TREE_DEPTH);
    let mut columns = [
        contenders(&workloads::vectors(), Vec::len, hand::vector, hand::vector),
        contenders(&workloads::strings(), String::len, |n| hand::string(n, 99), |n| hand::string(n, 99)),
        contenders(
            &workloads::tree(lo, hi, depth),
            Tree::nodes,
            move |n| hand::tree(n, lo, hi, depth),
            move |n| hand::tree(n, lo, hi, depth),
        ),
        contenders(
            &workloads::json(JSON_DEPTH),
            Json::nodes,
            |n| hand::json(n, JSON_DEPTH),
            |n| hand::json(n, JSON_DEPTH),
        ),
    ];
    #[cfg(feature = "peers")]
    super::peers::add(&mut columns);
    let table = race_all(&mut columns, ["vec of i64", "string", "bst", "json"], effort);
    let goals = "Goals: retrospect at most 1.25 × hand, recording at most 2.5 ×.";
    format!("## Generation\n\n{goals}\n\n{table}\n{}\n{}", further(effort), memory(effort))
}

/// Kinds that are as common, and for which no fast path was written first.
fn further(effort: Effort) -> String {
    let mut columns = [
        contenders(&workloads::pairs(), Vec::len, hand::pairs, hand::pairs),
        contenders(&workloads::options(), Vec::len, hand::options, hand::options),
        contenders(&workloads::bools(), Vec::len, hand::bools, hand::bools),
        contenders(&workloads::maps(), BTreeMap::len, hand::map, hand::map),
    ];
    let table = race_all(&mut columns, ["vec of pairs", "vec of options", "vec of bools", "map"], effort);
    format!("Goal: retrospect at most 1.5 × hand.\n\n{table}")
}

/// The time of each contender, and what it is of the time by hand.
fn race_all(columns: &mut [Vec<Contender<'_>>; 4], names: [&str; 4], effort: Effort) -> String {
    for column in columns.iter_mut() {
        race(column, effort.of(ITERATIONS), effort);
    }
    let mut headings = vec!["generation, ns and ratio to hand"];
    headings.extend(names);
    let mut table = Table::new(&headings);
    for place in 0..columns[0].len() {
        let mut cells = vec![columns[0][place].name.clone()];
        for column in columns.iter() {
            let hand = column.iter().find(|contender| contender.name == HAND).map_or(1.0, |contender| contender.best);
            let contender = &column[place];
            cells.push(format!(
                "{:.0}, {:.2} ×, size {:.1}",
                contender.best,
                contender.best / hand,
                contender.mean_size
            ));
        }
        table.row(cells);
    }
    table.to_markdown()
}

fn contenders<'a, G: Generator + Clone + 'a>(
    generator: &G,
    size: impl Fn(&G::Value) -> usize + Copy + 'a,
    by_hand: impl Fn(&mut fastrand::Rng) -> G::Value + 'a,
    by_hand_with_ours: impl Fn(&mut Rng) -> G::Value + 'a,
) -> Vec<Contender<'a>> {
    let (mut fast, mut ours) = (fastrand::Rng::with_seed(7), Rng::new(7));
    let (plain, recorded) = (generator.clone(), generator.clone());
    let (mut seeds, mut other_seeds) = (Rng::new(7), Rng::new(7));
    // One source for all values, as a runner has; by hand there is one random number generator for
    // all of them.
    let (mut random, mut recording) = (Source::random(0), Source::recording(0));
    let always = "these generators always make a value";
    vec![
        Contender::new(HAND, size, move || by_hand(&mut fast)),
        Contender::new("by hand, our random numbers", size, move || by_hand_with_ours(&mut ours)),
        Contender::new("retrospect", size, move || {
            random.restart(seeds.next());
            plain.generate(&mut random).expect(always)
        }),
        Contender::new("retrospect, recording", size, move || {
            recording.restart(other_seeds.next());
            let value = recorded.generate(&mut recording).expect(always);
            black_box(recording.choices());
            value
        }),
    ]
}

/// Bytes for each recorded choice, in a buffer that fits.
fn memory(effort: Effort) -> String {
    fn per_choice(generator: &impl Generator, samples: usize) -> String {
        let (mut bytes, mut choices) = (0, 0);
        for seed in 0..samples as u64 {
            let recorded = generator.sample_choices(seed);
            bytes += recorded.bytes();
            choices += recorded.choice_count();
        }
        format!("{:.1}", bytes as f64 / choices as f64)
    }
    let samples = effort.of(2_000);
    let mut table = Table::new(&["memory, bytes per recorded choice", "vec of i64", "string", "bst", "json"]);
    table.row(vec![
        "retrospect".to_owned(),
        per_choice(&workloads::vectors(), samples),
        per_choice(&workloads::strings(), samples),
        per_choice(&workloads::tree(0, 1000, TREE_DEPTH), samples),
        per_choice(&workloads::json(JSON_DEPTH), samples),
    ]);
    format!("Goal: at most 24.\n\n{}", table.to_markdown())
}
