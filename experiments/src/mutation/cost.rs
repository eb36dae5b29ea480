//! What a mutation costs beside a generation of the same size.

use crate::core::workloads::{self, JSON_DEPTH, Json, TREE_DEPTH, Tree};
use crate::measure::{Contender, Effort, Table, race};
use retrospect::generator::Mutants;
use retrospect::prelude::*;

/// Iterations in one round.
const ITERATIONS: usize = 2_000;
/// How many values take turns.
const VALUES: u64 = 64;

pub(super) fn run(effort: Effort) -> String {
    let (vectors, strings) = (workloads::vectors(), workloads::strings());
    let (trees, documents) = (workloads::tree(0, 1000, TREE_DEPTH), workloads::json(JSON_DEPTH));
    let mut columns = [
        contenders(&vectors, Vec::len),
        contenders(&strings, String::len),
        contenders(&trees, Tree::nodes),
        contenders(&documents, Json::nodes),
    ];
    for column in &mut columns {
        race(column, effort.of(ITERATIONS), effort);
    }
    let mut table = Table::new(&["ns and ratio to sample", "vec of i64", "string", "bst", "json"]);
    for place in 0..columns[0].len() {
        let mut cells = vec![columns[0][place].name.clone()];
        for column in &columns {
            let contender = &column[place];
            let ratio = contender.best / column[0].best;
            cells.push(format!("{:.0}, {ratio:.2} ×, size {:.1}", contender.best, contender.mean_size));
        }
        table.row(cells);
    }
    format!(
        "## Cost\n\nGoal: a mutation costs at most 3 × a generation of the same size. Figures are the least of {} rounds in which the contenders take \
         turns; read the ratios, not the nanoseconds. `mutate` begins with a value and looks for its choices each time, `mutants` once, `mutate_choices` \
         begins with choices and gives those of the mutant.\n\n{}",
        effort.rounds(),
        table.to_markdown()
    )
}

fn contenders<'a, G: Generator>(generator: &'a G, size: impl Fn(&G::Value) -> usize + Copy + 'a) -> Vec<Contender<'a>> {
    let values: Vec<G::Value> = (0..VALUES).map(|seed| generator.sample(seed)).collect();
    let choices: Vec<Choices> = (0..VALUES).map(|seed| generator.sample_choices(seed)).collect();
    // Each with a seed of its own: values that take turns with the same edits would be foreseen by
    // the processor.
    let mut mutants: Vec<Mutants<'a, G>> =
        choices.iter().zip(1..).map(|(choices, seed)| generator.mutants_of_choices(choices, seed)).collect();
    let always = "these generators always make a value";
    // Which value it is the turn of, and a seed that is always another one.
    let turns = || {
        let mut turn = 0;
        move || {
            turn += 1;
            (turn % VALUES, turn)
        }
    };
    let (mut sampled, mut mutated, mut chosen, mut endless) = (turns(), turns(), turns(), turns());
    vec![
        Contender::new("sample", size, move || generator.sample(sampled().0)),
        Contender::new("mutate", size, move || {
            let (place, seed) = mutated();
            generator.mutate(&values[place as usize], seed).expect("what a generator made it reflects")
        }),
        Contender::new("mutate_choices", size, move || {
            let (place, seed) = chosen();
            generator.mutate_choices(&choices[place as usize], seed).expect(always).value
        }),
        Contender::new("mutants", size, move || mutants[endless().0 as usize].next().expect(always)),
    ]
}
