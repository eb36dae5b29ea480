//! How likely a value is, and its likeliest way: folds over a forest whose choices have chances.
//!
//! A node is a sum of products. Nodes that need each other, where a generator can call itself on
//! the same part, are equations; the probability is the least solution, which is the limit of the
//! series of all their ways.

use super::calls::not_followed;
use super::forest::Item;
use super::{Forest, NotKnown, Probability};
use crate::choice::Choices;
use crate::choice::Kind;
use crate::source::{DEFAULT_MAX_DEPTH, STRIDE, limits, pick_budget};

/// More nodes that need each other are not solved: it would take the third power of their number.
const MOST_EQUATIONS: usize = 300;
/// Steps after which an iteration that has not ended is given up.
const MOST_STEPS: usize = 500;

impl Forest {
    /// How likely a random source takes one of these ways: the sum over all of them, after a
    /// generator's `reflect` on a reflector made by
    /// [`Reflector::weighing`](super::Reflector::weighing).
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::{Probability, Reflector};
    /// let mut reflector = Reflector::weighing(100);
    /// vec_of(one_of((0..=1, exact(1))), 3).reflect(&vec![1; 3], &mut reflector).unwrap();
    /// assert_eq!(reflector.into_forest().probability(), Ok(Probability::new(27, 64)));
    /// ```
    pub fn probability(&self) -> Result<Probability, NotKnown> {
        let groups = self.groups();
        self.check(&groups)?;
        let weights = self.weights(&groups)?;
        Ok(self.product(&self.root, &weights)?.reduced())
    }

    /// How likely each node is.
    fn weights(&self, groups: &[Vec<usize>]) -> Result<Vec<Probability>, NotKnown> {
        let mut weights = vec![Probability::never(); self.node_count()];
        for group in groups {
            match group[..] {
                [node] if !self.needs_itself(node) => {
                    let mut sum = Probability::never();
                    for alternative in self.alternatives(node) {
                        sum = &sum + &self.product(alternative, &weights)?;
                    }
                    weights[node] = sum;
                }
                _ => self.solve(group, &mut weights)?,
            }
        }
        Ok(weights)
    }

    /// The way that a random source takes most often, and how likely it is; the first of several
    /// that are as likely. `None` if there is no way.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::{Probability, Reflector};
    /// let mut reflector = Reflector::weighing(100);
    /// one_of((0..=9, 5..=7)).reflect(&5, &mut reflector).unwrap();
    /// let (way, probability) = reflector.into_forest().likeliest_way().unwrap().unwrap();
    /// assert_eq!((way.to_string(), probability), ("1:(0)".to_owned(), Probability::new(1, 6)));
    /// ```
    pub fn likeliest_way(&self) -> Result<Option<(Choices, Probability)>, NotKnown> {
        let groups = self.groups();
        self.check(&groups)?;
        // How often items that must differ are drawn again hangs on all their ways.
        let weights = if self.distincts.is_empty() { Vec::new() } else { self.weights(&groups)? };
        let mut best: Vec<(Probability, usize)> = vec![(Probability::never(), 0); self.node_count()];
        for group in &groups {
            // The best way needs no node twice on one path, so that many rounds are enough.
            for _ in 0..=group.len() {
                let mut has_changed = false;
                for node in group {
                    for (place, alternative) in self.alternatives(*node).enumerate() {
                        let product = self.product_of(alternative, &weights, |child| &best[child].0)?;
                        if product > best[*node].0 {
                            best[*node] = (product, place);
                            has_changed = true;
                        }
                    }
                }
                if !has_changed {
                    break;
                }
            }
        }
        let probability = self.product_of(&self.root, &weights, |child| &best[child].0)?;
        if probability.is_zero() {
            return Ok(None);
        }
        let way = self.way(u64::MAX, |node| Some(best[node].1));
        Ok(way.map(|way| (way, probability.reduced())))
    }

    fn product(&self, alternative: &[Item], weights: &[Probability]) -> Result<Probability, NotKnown> {
        self.product_of(alternative, weights, |child| &weights[child])
    }

    /// The product of what stands for each node; `weights` are how likely they are.
    fn product_of<'w>(
        &'w self,
        alternative: &[Item],
        weights: &[Probability],
        stands_for: impl Fn(usize) -> &'w Probability,
    ) -> Result<Probability, NotKnown> {
        let mut product = Probability::certain();
        for item in alternative {
            match item {
                Item::Chance(chance) => product = &product * &self.chances[*chance as usize],
                Item::Node(child) => product = &product * stands_for(*child),
                Item::Distinct(distinct) => {
                    let factor = self.distincts[*distinct as usize].factor(|node| &weights[node])?;
                    product = &product * &factor;
                }
                _ => {}
            }
        }
        Ok(product)
    }

    /// Whether anything is not known, or beyond what a random source makes freely.
    fn check(&self, groups: &[Vec<usize>]) -> Result<(), NotKnown> {
        if let Some(reason) = &self.cut_off {
            return Err(NotKnown::new(not_followed(reason)));
        }
        // Of each node the most that a way of it has.
        let mut counts = vec![Counts::default(); self.node_count()];
        for group in groups {
            let is_cycle = group.len() > 1 || self.needs_itself(group[0]);
            for node in group {
                for alternative in self.alternatives(*node) {
                    let counted = self.counted(alternative, &counts, is_cycle)?;
                    counts[*node] = counts[*node].max(&counted);
                }
            }
        }
        let Counts { picks, deep_picks, depth, .. } = self.counted(&self.root, &counts, false)?;
        let (most_picks, (most_depth, most_deep_picks)) =
            (pick_budget(self.size), limits(DEFAULT_MAX_DEPTH, self.size));
        let deep_picks = deep_picks[STRIDE as usize];
        if picks > u64::from(most_picks) {
            return Err(NotKnown::new(format!(
                "it takes {picks} picks, and after {most_picks} a source takes {ENDING}"
            )));
        }
        if depth > u64::from(most_depth) {
            let reason =
                format!("it is {depth} generators deep, and from {most_depth} on at this size a source takes {ENDING}");
            return Err(NotKnown::new(reason));
        }
        if deep_picks > u64::from(most_deep_picks) {
            let reason = format!(
                "it takes {deep_picks} picks more than {STRIDE} generators deep, and after {most_deep_picks} at this size a source takes {ENDING}"
            );
            return Err(NotKnown::new(reason));
        }
        Ok(())
    }

    fn counted(&self, alternative: &[Item], counts: &[Counts], is_cycle: bool) -> Result<Counts, NotKnown> {
        let (mut sum, mut most) = (Counts::default(), None);
        // For each bracket that is open whether it is a level of depth.
        let mut open = Vec::new();
        let mut depth = 0;
        for item in alternative {
            match item {
                Item::Unknown(reason) => return Err(NotKnown::new(&*self.unknowns[*reason as usize])),
                Item::Pick { .. } => sum.add(&Counts::of_picks(1), depth),
                Item::Counted(picks) => sum.add(&Counts::of_picks(u64::from(*picks)), depth),
                Item::Open(entry) => {
                    open.push(entry.kind() == Kind::Call);
                    depth += usize::from(entry.kind() == Kind::Call);
                }
                Item::Close => depth -= usize::from(open.pop().unwrap_or(false)),
                Item::Node(child) => sum.add(&counts[*child], depth),
                Item::Level { limit: Some(limit) } => most = Some(u64::from(*limit)),
                Item::Level { limit: None } => sum.levels += 1,
                _ => {}
            }
        }
        let Some(most) = most else {
            if is_cycle && sum.levels > 0 {
                let reason =
                    "a recursive generator can call itself on the same part, and only so many levels are drawn";
                return Err(NotKnown::new(reason));
            }
            return Ok(sum);
        };
        if sum.levels > most {
            let reason = format!(
                "it takes {} levels of a recursive generator, and after {most} at this size a source takes the simplest arms",
                sum.levels
            );
            return Err(NotKnown::new(reason));
        }
        Ok(Counts { levels: 0, ..sum })
    }

    /// The least solution of the equations of nodes that need each other.
    fn solve(&self, group: &[usize], weights: &mut [Probability]) -> Result<(), NotKnown> {
        let name = || self.name_of(group[0]);
        if group.len() > MOST_EQUATIONS {
            let reason = format!("{} nodes of the forest around `{}` need each other", group.len(), name());
            return Err(NotKnown::new(reason));
        }
        let endless = || NotKnown::new(format!("the series of the ways of `{}` was not summed up", name()));
        let mut places = vec![None; self.node_count()];
        for (place, node) in group.iter().enumerate() {
            places[*node] = Some(place);
        }
        // Beginning with 0, each step follows the slope (Newton's method): from below, and at once
        // if the equations are linear.
        for node in group {
            weights[*node] = Probability::never();
        }
        for step in 0..MOST_STEPS {
            let (mut slopes, mut gains, mut is_linear) = (Vec::new(), Vec::new(), true);
            for node in group {
                let mut row = vec![Probability::never(); group.len()];
                let mut sum = Probability::never();
                for alternative in self.alternatives(*node) {
                    self.check_items(alternative, &places)?;
                    sum = &sum + &self.product(alternative, weights)?;
                    is_linear &= self.add_slopes(alternative, weights, &places, &mut row)?;
                }
                gains.push(if step == 0 { sum } else { sum.gain_over(&weights[*node]) });
                slopes.push(row);
            }
            eliminate(&mut slopes, &mut gains).ok_or_else(endless)?;
            let mut is_done = true;
            for (node, gain) in group.iter().zip(&gains) {
                let sum = &weights[*node] + gain;
                is_done &= sum.rounded() == weights[*node].rounded() || gain.log2() < sum.log2() - 52.0;
                weights[*node] = if is_linear { sum } else { sum.rounded() };
            }
            if is_done || is_linear {
                return self.check_depth_of_cycle(group, weights);
            }
        }
        Err(endless())
    }

    /// Whether ways of nodes that need each other are all drawn freely but for a share that no
    /// rounded number shows: those that go round too often are too deep.
    fn check_depth_of_cycle(&self, group: &[usize], weights: &mut [Probability]) -> Result<(), NotKnown> {
        let (most_depth, _) = limits(DEFAULT_MAX_DEPTH, self.size);
        let mut all = Vec::new();
        for node in group {
            all.push(std::mem::replace(&mut weights[*node], Probability::never()));
        }
        let opens = |item: &Item| matches!(item, Item::Open(entry) if entry.kind() == Kind::Call);
        let is_level = |node: &usize| self.alternatives(*node).any(|alternative| alternative.iter().any(opens));
        let (levels, others): (Vec<usize>, Vec<usize>) = group.iter().partition(|node| is_level(node));
        // With each round those that are one level deeper are added. What is around the cycle has a
        // quarter of the depth.
        for _ in 0..most_depth / 4 * 3 {
            self.add_round(&levels, weights)?;
            for _ in 0..others.len().min(8) {
                self.add_round(&others, weights)?;
            }
        }
        let is_shown = |(node, all): (&usize, &Probability)| {
            let left_out = all.rounded().gain_over(&weights[*node]);
            !left_out.is_zero() && left_out.log2() > all.log2() - 40.0
        };
        let is_cut = group.iter().zip(&all).any(is_shown);
        for (node, all) in group.iter().zip(all) {
            weights[*node] = all;
        }
        match is_cut {
            true => Err(NotKnown::new(format!(
                "`{}` can call itself on the same part, and from {most_depth} generators deep on at this size a source takes {ENDING}",
                self.name_of(group[0])
            ))),
            false => Ok(()),
        }
    }

    /// Lets each of these nodes be as likely as its alternatives together, as likely as they are
    /// now.
    fn add_round(&self, nodes: &[usize], weights: &mut [Probability]) -> Result<(), NotKnown> {
        let mut sums = Vec::new();
        for node in nodes {
            let mut sum = Probability::never();
            for alternative in self.alternatives(*node) {
                sum = (&sum + &self.product(alternative, weights)?).rounded();
            }
            sums.push(sum);
        }
        for (node, sum) in nodes.iter().zip(sums) {
            weights[*node] = sum;
        }
        Ok(())
    }

    /// Adds how fast an alternative grows with each node of the group. Says whether it needs at
    /// most one of them.
    fn add_slopes(
        &self,
        alternative: &[Item],
        weights: &[Probability],
        places: &[Option<usize>],
        row: &mut [Probability],
    ) -> Result<bool, NotKnown> {
        let mut members = 0;
        for (at, item) in alternative.iter().enumerate() {
            let Item::Node(child) = item else { continue };
            let Some(place) = places[*child] else { continue };
            members += 1;
            let mut others = alternative.to_vec();
            others.remove(at);
            row[place] = &row[place] + &self.product(&others, weights)?;
        }
        Ok(members <= 1)
    }

    /// Items that must differ are no part of the value they are in.
    fn check_items(&self, alternative: &[Item], places: &[Option<usize>]) -> Result<(), NotKnown> {
        for item in alternative {
            let Item::Distinct(distinct) = item else { continue };
            if self.distincts[*distinct as usize].nodes.iter().any(|node| places[*node].is_some()) {
                return Err(NotKnown::new("an item of a set is made by the generator of the set on the same part"));
            }
        }
        Ok(())
    }

    fn needs_itself(&self, node: usize) -> bool {
        self.children(node).any(|child| child == node)
    }

    /// The nodes that the root needs, those that need each other together, each group after all
    /// that it needs (Tarjan's components).
    fn groups(&self) -> Vec<Vec<usize>> {
        const NEW: usize = usize::MAX;
        let count = self.node_count();
        let (mut numbers, mut lowest) = (vec![NEW; count], vec![NEW; count]);
        let (mut is_open, mut open) = (vec![false; count], Vec::new());
        let (mut groups, mut next) = (Vec::new(), 0);
        // Where each node under way has come in its list of children.
        let mut pending = vec![(None, self.children_of_root())];
        while let Some((node, rest)) = pending.last_mut() {
            let node = *node;
            match rest.next() {
                Some(child) if numbers[child] == NEW => {
                    (numbers[child], lowest[child]) = (next, next);
                    next += 1;
                    is_open[child] = true;
                    open.push(child);
                    pending.push((Some(child), self.children(child)));
                }
                Some(child) => {
                    if let (Some(node), true) = (node, is_open[child]) {
                        lowest[node] = lowest[node].min(numbers[child]);
                    }
                }
                None => {
                    pending.pop();
                    let Some(node) = node else { continue };
                    if let Some((Some(parent), _)) = pending.last() {
                        lowest[*parent] = lowest[*parent].min(lowest[node]);
                    }
                    if lowest[node] == numbers[node] {
                        let start = open.iter().rposition(|other| *other == node).unwrap_or(0);
                        let group = open.split_off(start);
                        group.iter().for_each(|member| is_open[*member] = false);
                        groups.push(group);
                    }
                }
            }
        }
        groups
    }
}

/// What a source does beyond its limits.
const ENDING: &str = "arms that end";

/// What a part takes of that which a source draws freely.
#[derive(Clone, Default)]
struct Counts {
    picks: u64,
    /// How many of them stand inside more than so many generators of the part.
    deep_picks: [u64; STRIDE as usize + 1],
    /// Inside how many generators a pick stands.
    depth: u64,
    levels: u64,
}

impl Counts {
    fn of_picks(picks: u64) -> Counts {
        Counts { picks, ..Counts::default() }
    }

    /// Adds those of a part that stands inside so many generators.
    fn add(&mut self, part: &Counts, inside: usize) {
        self.picks = self.picks.saturating_add(part.picks);
        self.levels = self.levels.saturating_add(part.levels);
        if part.picks > 0 {
            self.depth = self.depth.max(part.depth + inside as u64);
        }
        for (deep, sum) in self.deep_picks.iter_mut().enumerate() {
            let picks = deep.checked_sub(inside).map_or(part.picks, |deep| part.deep_picks[deep]);
            *sum = sum.saturating_add(picks);
        }
    }

    fn max(&self, other: &Counts) -> Counts {
        let deep_picks = std::array::from_fn(|deep| self.deep_picks[deep].max(other.deep_picks[deep]));
        let (picks, depth) = (self.picks.max(other.picks), self.depth.max(other.depth));
        Counts { picks, deep_picks, depth, levels: self.levels.max(other.levels) }
    }
}

/// Solves `x = constants + slopes * x` by taking out one unknown after the other; all numbers stay
/// positive. The solution is left in `constants`.
fn eliminate(slopes: &mut [Vec<Probability>], constants: &mut [Probability]) -> Option<()> {
    let count = constants.len();
    for taken in (0..count).rev() {
        let own = std::mem::replace(&mut slopes[taken][taken], Probability::never());
        constants[taken] = constants[taken].over_rest_of(&own)?;
        for slope in &mut slopes[taken][..taken] {
            *slope = slope.over_rest_of(&own)?;
        }
        let (before, rest) = slopes.split_at_mut(taken);
        for (row, slopes) in before.iter_mut().enumerate() {
            let factor = std::mem::replace(&mut slopes[taken], Probability::never());
            if factor.is_zero() {
                continue;
            }
            constants[row] = &constants[row] + &(&factor * &constants[taken]);
            for (slope, other) in slopes[..taken].iter_mut().zip(&rest[0]) {
                *slope = &*slope + &(&factor * other);
            }
        }
    }
    for row in 1..count {
        for (other, slope) in slopes[row][..row].iter().enumerate() {
            constants[row] = &constants[row] + &(slope * &constants[other]);
        }
    }
    Some(())
}
