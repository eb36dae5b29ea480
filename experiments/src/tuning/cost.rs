//! What it costs to draw by weights that were learned.

use crate::core::workloads::{self, JSON_DEPTH, TREE_DEPTH};
use crate::measure::{Contender, Effort, Table, race};
use retrospect::prelude::*;
use retrospect::source::{Rng, Source};
use retrospect::text;

const ITERATIONS: usize = 1_000;

/// Tuned to its own samples, so that both make values of about the same size.
pub(super) fn run(documents: &[String], effort: Effort) -> String {
    let mut table =
        Table::new(&["workload", "untuned, ns", "size", "tuned, ns", "size", "tuned / untuned, per unit of size"]);
    row(&mut table, "vec of i64", workloads::vectors(), None, Vec::len, effort);
    row(&mut table, "string", workloads::strings(), None, String::len, effort);
    row(&mut table, "search tree", workloads::tree(0, 1000, TREE_DEPTH), None, workloads::Tree::nodes, effort);
    row(&mut table, "json, a data type", workloads::json(JSON_DEPTH), None, workloads::Json::nodes, effort);
    row(&mut table, "json, a text", text::json(), Some(documents.to_vec()), |text| text.chars().count(), effort);
    format!(
        "## Drawing by learned weights\n\nGoal: at most 2 × untuned. The first four are tuned to 200 samples of their own, the text to the documents;\n\
         since sizes differ all the same, what is compared is the time for one unit of size (an item, a character, a node).\n\n{}",
        table.to_markdown()
    )
}

fn row<G: Generator + Clone>(
    table: &mut Table,
    name: &str,
    generator: G,
    examples: Option<Vec<G::Value>>,
    size: impl Fn(&G::Value) -> usize + Copy,
    effort: Effort,
) {
    let examples = examples.unwrap_or_else(|| (0..200).map(|seed| generator.sample(seed)).collect());
    let tuned = generator.clone().tuned_like(&examples).expect("these are values of the generator");
    let (mut seeds, mut other_seeds) = (Rng::new(7), Rng::new(7));
    let (mut source, mut other_source) = (Source::random(0), Source::random(0));
    let always = "these generators always make a value";
    let mut contenders = vec![
        Contender::new("untuned", size, || {
            source.restart(seeds.next());
            generator.generate(&mut source).expect(always)
        }),
        Contender::new("tuned", size, || {
            other_source.restart(other_seeds.next());
            tuned.generate(&mut other_source).expect(always)
        }),
    ];
    race(&mut contenders, effort.of(ITERATIONS), effort);
    let [untuned, tuned] = [&contenders[0], &contenders[1]];
    let per_unit = |contender: &Contender<'_>| contender.best / contender.mean_size.max(1.0);
    table.row(vec![
        name.to_owned(),
        format!("{:.0}", untuned.best),
        format!("{:.1}", untuned.mean_size),
        format!("{:.0}", tuned.best),
        format!("{:.1}", tuned.mean_size),
        format!("{:.2}", per_unit(tuned) / per_unit(untuned)),
    ]);
}
