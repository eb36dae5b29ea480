//! The simplest of all ways.
//!
//! How simple a way is: choices that are not the simplest and items of repeats, the sum of all
//! indices and arms, then the number of nodes. It is the order that shrinking descends, as far as
//! that can be added up.

use super::cheapest::Cost;
use super::forest::{Forest, Item};
use crate::choice::{Choices, Entry, Kind};

/// A way that is longer than this is not written down: parts are shared in a forest, and a way
/// through it may be far larger than the forest.
pub(super) const LONGEST: u64 = 1 << 20;

/// Values that are made by more choices than this are looked at in one way only.
pub(crate) const MOST_CHOICES: usize = 20_000;

/// How many calls the search for all ways may take. Where calls can be told apart, each generator
/// looks at each part once, so this is far more than enough.
pub(crate) fn most_calls(first: &Choices) -> u64 {
    1_000 + 50 * first.len() as u64
}

/// The first way, or another one that is simpler.
pub(crate) fn simpler_of(first: Choices, forest: Option<Forest>) -> Choices {
    let simplest = forest.and_then(|forest| if forest.node_count() == 0 { None } else { forest.simplest_way() });
    match simplest {
        Some(simplest) if cost_of_way(&simplest) < cost_of_way(&first) => simplest,
        _ => first,
    }
}

fn cost_of_way(choices: &Choices) -> Cost {
    let mut sum = Cost::default();
    choices.entries().iter().for_each(|entry| sum.add(cost_of_entry(*entry)));
    sum
}

impl Forest {
    /// The simplest way: of those with the fewest choices that are not the simplest the one with
    /// the smallest indices, of these the shortest, of these the first. Nothing if there is none,
    /// or it is too long.
    ///
    /// It is found in time with the size of the forest, not with the number of ways, which may be
    /// infinite.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::all_ways();
    /// one_of((vec_of(7..=9, 2).map_with_inverse(|list| list[0], |item| Some(vec![*item; 2])), 0..=9)).reflect(&8, &mut reflector).unwrap();
    /// let forest = reflector.into_forest();
    /// assert_eq!(forest.first_way().unwrap().to_string(), "0:([1 1])");
    /// assert_eq!(forest.simplest_way().unwrap().to_string(), "1:(8)");
    /// ```
    pub fn simplest_way(&self) -> Option<Choices> {
        let costs = self.costs();
        let whole = cost_of(&self.root, &costs)?;
        if whole.nodes > LONGEST {
            return None;
        }
        self.way(whole.nodes, |node| costs[node].map(|(_, place)| place))
    }

    /// The cost of each node's simplest alternative, and which it is.
    pub(super) fn costs(&self) -> Vec<Option<(Cost, usize)>> {
        self.least_costs(&cost_of_item)
    }
}

pub(super) fn cost_of(alternative: &[Item], costs: &[Option<(Cost, usize)>]) -> Option<Cost> {
    let mut sum = Cost::default();
    for item in alternative {
        sum.add(match item {
            Item::Node(node) => costs[*node]?.0,
            item => cost_of_item(item),
        });
    }
    Some(sum)
}

fn cost_of_item(item: &Item) -> Cost {
    match item {
        Item::Choice(entry) | Item::Open(entry) => cost_of_entry(*entry),
        Item::Pick { arm, .. } => Cost { weight: u64::from(*arm > 0), magnitude: *arm as u64, nodes: 1 },
        Item::More(more) => Cost { weight: u64::from(*more), ..Cost::default() },
        Item::Key(_) => Cost { nodes: 1, ..Cost::default() },
        _ => Cost::default(),
    }
}

fn cost_of_entry(entry: Entry) -> Cost {
    match entry.kind() {
        Kind::Number => Cost { weight: u64::from(entry.index() > 0), magnitude: entry.index(), nodes: 1 },
        Kind::Pick => Cost { weight: u64::from(entry.arm() > 0), magnitude: entry.arm() as u64, nodes: 1 },
        Kind::Repeat => Cost { weight: entry.index(), magnitude: 0, nodes: 1 },
        Kind::Call | Kind::Part => Cost { nodes: 1, ..Cost::default() },
    }
}

#[cfg(test)]
mod tests {
    use crate::choice::Choices;
    use crate::prelude::*;
    use crate::shrink::compare;

    /// All trees of a small generator, by brute force.
    fn all_trees<G: Generator>(generator: &G) -> Vec<Choices> {
        let mut odometer = crate::source::Odometer::new();
        let mut trees = Vec::new();
        loop {
            let mut source = crate::source::Source::asking(&mut odometer);
            if generator.generate(&mut source).is_ok() {
                trees.push(source.into_choices());
            }
            if !odometer.advance() {
                return trees;
            }
        }
    }

    #[test]
    fn no_other_way_is_simpler() {
        let doubled =
            (0..=4u32).map_with_inverse(|half| half * 2, |number: &u32| number.is_multiple_of(2).then_some(number / 2));
        let number = || one_of((doubled.clone(), 0..=8u32, 5..=8u32));
        let generator = vec_of(number(), ..=2);
        let trees = all_trees(&generator);
        for tree in &trees {
            let value = generator.replay(tree);
            let simplest = generator.ways_of(&value).simplest().unwrap();
            assert_eq!(generator.replay(&simplest), value);
            let least =
                trees.iter().filter(|tree| generator.replay(tree) == value).min_by(|a, b| compare(a, b)).unwrap();
            let measure = |choices: &Choices| super::cost_of_way(choices);
            assert_eq!(measure(&simplest), measure(least), "{value:?}: {simplest}, not {least}");
        }
    }
}
