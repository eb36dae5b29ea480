//! How likely items are that must differ: sets, and the keys of maps.
//!
//! They may be drawn in any order, and what is there already is drawn again, up to a number of
//! times. So the chance is a sum over all orders, in which each item is the likelier the more of
//! the others are there before it. Sums over orders are sums over what is there; items that are as
//! likely as each other need not be told apart.

use super::weighing::ListInWeights;
use super::{Mode, NotKnown, Probability, Reflected, Reflector};
use crate::choice::{Entry, Kind};
use crate::source::{Chance, ENOUGH_DUPLICATES, Extent, MAX_TRIES, RepeatRequest};
use std::fmt::Debug;
use std::ops::Range;

/// More than so many combinations of items that may be there are not gone through.
const MOST_STATES: usize = 1 << 16;
/// So many are gone through with exact numbers.
const MOST_EXACT_STATES: usize = 64;

/// Items of a forest that were drawn until they differed.
#[derive(Debug)]
pub(super) struct Distinct {
    /// The nodes of the items.
    pub(super) nodes: Vec<usize>,
    /// How likely so many items are wanted, and how likely more.
    just: Probability,
    more: Probability,
    /// How many items there must be.
    least: usize,
}

impl Reflector {
    /// Looks at items that must differ, as [`repeat_of`](Reflector::repeat_of) does at others.
    /// `body` looks at each in an [`item`](Items::look).
    pub(crate) fn distinct(
        &mut self,
        item: Extent,
        (count, min, max): (usize, usize, usize),
        value: &dyn Debug,
        body: impl FnOnce(&mut Reflector, &mut Items) -> Reflected,
    ) -> Reflected {
        let mut items = Items { nodes: Vec::new() };
        if !self.is_weighing() || count < min || count > max {
            return self.repeat_of(item, (count, min, max), value, |reflector| body(reflector, &mut items));
        }
        self.builder().open(Entry::repeat(count));
        let list = self.open_list_of_weights();
        let request = RepeatRequest { min, max, likely_max: self.likely_max(item, min, max) };
        let lengths = self.chances_of_lengths(list, count, &request);
        let size = item.kept_item_size(self.size, min, max);
        self.resized(size, |reflector| body(reflector, &mut items))?;
        match lengths {
            Ok((just, more)) => {
                if just.is_zero() && more.is_zero() {
                    self.note_dormant();
                    return self.mismatch(value, || "it is never drawn as long".to_owned());
                }
                let Items { nodes } = items;
                self.builder().push_distinct(Distinct { nodes, just, more, least: min });
            }
            Err(reason) => self.builder().push_unknown(reason),
        }
        self.close_repeat_of_all_ways();
        Ok(())
    }

    /// How likely so many items are wanted, and how likely more.
    fn chances_of_lengths(
        &mut self,
        list: ListInWeights,
        count: usize,
        request: &RepeatRequest,
    ) -> Result<(Probability, Probability), String> {
        if self.weights.is_none() {
            let RepeatRequest { min, likely_max, .. } = *request;
            let more = likely_max.saturating_sub(count) as u128;
            let more = Chance::new(more, (likely_max - min) as u128 + 1);
            return Ok((request.chance(count).into(), more.into()));
        }
        let (mut just, mut sum) = (Probability::never(), Probability::never());
        for fewer in request.min..=count {
            just = self.chance_of_length(list, fewer, request)?;
            sum = &sum + &just;
        }
        Ok((just, sum.rest()))
    }
}

/// The items that were looked at so far.
pub(crate) struct Items {
    nodes: Vec<usize>,
}

impl Reflector {
    /// Whether the order of items does not matter: they are [sorted](Reflector::sort_recorded) when
    /// all are recorded.
    #[inline]
    pub(crate) fn takes_any_order(&self) -> bool {
        matches!(self.mode, Mode::Record | Mode::Accept)
    }

    /// Where the next node is recorded.
    #[inline]
    pub(crate) fn next_node(&self) -> usize {
        self.record.len()
    }

    /// Sorts the items that were recorded at these places, up to the end, by the choices that `key`
    /// finds in each.
    ///
    /// To find the order beforehand, each item would have to be looked at twice, and what is in it
    /// four times: a set in a set in a set takes exponential time.
    pub(crate) fn sort_recorded(&mut self, starts: &[usize], key: fn(&[Entry]) -> &[Entry]) {
        let (Mode::Record, Some(&first)) = (self.mode, starts.first()) else { return };
        let entries = self.record.entries();
        let ends = starts.iter().skip(1).copied().chain([entries.len()]);
        let mut items: Vec<(Range<usize>, Range<usize>)> = Vec::with_capacity(starts.len());
        let mut keys = Vec::new();
        for (start, end) in starts.iter().zip(ends) {
            let key_start = keys.len();
            add_key(key(&entries[*start..end]), &mut keys);
            items.push((key_start..keys.len(), *start..end));
        }
        if items.is_sorted_by_key(|(key, _)| &keys[key.clone()]) {
            return;
        }
        items.sort_by(|(one, _), (other, _)| keys[one.clone()].cmp(&keys[other.clone()]));
        let sorted: Vec<Entry> = items.into_iter().flat_map(|(_, item)| entries[item].iter().copied()).collect();
        self.record.overwrite(first, &sorted);
    }
}

/// Adds bytes that compare as the choices do: shorter ones first, then smaller ones. All of them
/// come before a byte 255.
#[inline]
pub(crate) fn add_key(entries: &[Entry], key: &mut Vec<u8>) {
    key.extend_from_slice(&(entries.len() as u64).to_be_bytes());
    for entry in entries {
        let kind = entry.kind();
        let index = if kind == Kind::Pick { entry.arm() as u64 } else { entry.index() };
        key.push(kind as u8);
        key.extend_from_slice(&index.to_be_bytes());
    }
}

/// What stands in a part, whether or not it has a bracket of its own.
pub(crate) fn inside_part(node: &[Entry]) -> &[Entry] {
    match node {
        [bracket, inside @ ..] if bracket.kind() == Kind::Part => inside,
        node => node,
    }
}

impl Items {
    /// Looks at what makes an item differ from the others.
    pub(crate) fn look(
        &mut self,
        reflector: &mut Reflector,
        body: impl FnOnce(&mut Reflector) -> Reflected,
    ) -> Reflected {
        if reflector.mode != Mode::AllWays || !reflector.is_weighing() {
            return body(reflector);
        }
        let outer = reflector.builder().begin_node();
        self.nodes.push(outer.node());
        let result = body(reflector);
        reflector.builder().end_alternative(result.is_ok());
        reflector.builder().end_node(outer)
    }
}

impl Distinct {
    /// By how much they are more likely together than drawn one by one in this order, given how
    /// likely each is.
    pub(super) fn factor<'w>(&self, weight: impl Fn(usize) -> &'w Probability) -> Result<Probability, NotKnown> {
        // Those that are as likely as each other, and how many they are.
        let mut kinds: Vec<(Probability, usize)> = Vec::new();
        for node in &self.nodes {
            let weight = weight(*node);
            match kinds.iter_mut().find(|(other, _)| other == weight) {
                Some((_, count)) => *count += 1,
                None => kinds.push((weight.clone(), 1)),
            }
        }
        let mut states = 1usize;
        for (_, count) in &kinds {
            states = states.saturating_mul(count + 1);
        }
        if states > MOST_STATES {
            let (count, kinds) = (self.nodes.len(), kinds.len());
            let reason = format!(
                "{count} items that must differ may come in any order, and {kinds} of them differ in how likely they are: there is more than can be summed up"
            );
            return Err(NotKnown::new(reason));
        }
        if states > MOST_EXACT_STATES {
            kinds.iter_mut().for_each(|(chance, _)| *chance = chance.rounded());
        }
        self.summed_up(&kinds, states)
    }

    /// Of each combination of items, from none to all, how likely it is that they come first, but
    /// for their own chances.
    fn summed_up(&self, kinds: &[(Probability, usize)], states: usize) -> Result<Probability, NotKnown> {
        let mut likely = vec![Probability::never(); states];
        likely[0] = Probability::certain();
        for state in 0..states {
            let here = likely[state].clone();
            // How many of each kind are there, and how likely one of them is drawn again.
            let (mut rest, mut there, mut again) = (state, 0, Probability::never());
            let mut counts = Vec::with_capacity(kinds.len());
            for (_, count) in kinds {
                counts.push(rest % (count + 1));
                rest /= count + 1;
            }
            for (count, (chance, _)) in counts.iter().zip(kinds) {
                there += count;
                again = &again + &(chance * &times(*count));
            }
            if state + 1 == states {
                let enough = power(&again, ENOUGH_DUPLICATES);
                return Ok(&here * &(&self.just + &(&self.more * &enough)));
            }
            let goes_on = &here * &self.tries(there, &again)?;
            let mut step = 1;
            for (count, (_, of)) in counts.iter().zip(kinds) {
                if count < of {
                    let next = state + step;
                    likely[next] = &likely[next] + &(&goes_on * &times(of - count));
                }
                step *= of + 1;
            }
        }
        Ok(Probability::never())
    }

    /// How many tries there are to find one that is not there, on average over those that are left:
    /// after so many it is given up.
    fn tries(&self, there: usize, again: &Probability) -> Result<Probability, NotKnown> {
        if there >= self.least {
            return Ok(powers(again, ENOUGH_DUPLICATES));
        }
        // That it takes so long that the rest is made up is left out of account where it hardly
        // ever happens.
        if again.is_zero() || again.log2() * f64::from(MAX_TRIES) < -60.0 {
            let without_end = Probability::certain().over_rest_of(again);
            return without_end.ok_or_else(|| NotKnown::new("there are not enough different items"));
        }
        let reason = format!(
            "at least {} items must differ, and where {MAX_TRIES} in a row are there already the missing ones are made up",
            self.least
        );
        Err(NotKnown::new(reason))
    }
}

fn times(count: usize) -> Probability {
    Chance::new(count as u128, 1).into()
}

fn power(base: &Probability, exponent: u32) -> Probability {
    let (mut power, mut square) = (Probability::certain(), base.clone());
    let mut left = exponent;
    while left > 0 {
        if left & 1 == 1 {
            power = &power * &square;
        }
        left >>= 1;
        if left > 0 {
            square = &square * &square;
        }
    }
    power
}

/// The sum of the first so many powers, which are a power of two.
fn powers(base: &Probability, count: u32) -> Probability {
    let (mut sum, mut last) = (Probability::certain(), base.clone());
    for _ in 0..count.ilog2() {
        sum = &sum + &(&sum * &last);
        last = &last * &last;
    }
    sum
}
