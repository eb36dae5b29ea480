//! From the ends of all parts to the choices of all ways.
//!
//! A sequence that can be split in several places is an OR of them, each an AND of its parts. What
//! stands at the same place and ends at the same place is one node of the forest, however many ways
//! lead to it; a rule that derives itself is a cycle there.

use super::chart::{Input, Map, Parser};
use super::direct::{call, part, weights_now};
use super::grammar::{Kind, children};
use super::splits::Fitting;
use crate::reflect::{Mismatch, Outer, Reflected, Reflector};
use crate::source::{Extent, Rng, Source};
use std::sync::Arc;

/// A place between the items of a repeat: whether it is the very beginning, and where.
type Place = (bool, u32);

/// One more item: where it begins, after a separator perhaps, and where it ends.
#[derive(Clone, Copy)]
struct Item {
    start: u32,
    end: u32,
}

/// How many items a repeat may have, and how many may be empty ones.
#[derive(Clone, Copy)]
struct Limits {
    min: u32,
    max: u32,
    likely: u32,
}

/// Between two items of a repeat: how one can go on from there, and how many items then follow up
/// to its end.
#[derive(Default)]
struct Between {
    items: Vec<Item>,
    counts: Vec<u32>,
}

/// How many counts of items cost about as much as a way.
const COUNTS_LIKE_ONE_WAY: usize = 16;
/// How many items a hole holds beyond those that are needed.
const ITEMS_IN_A_HOLE: u32 = 6;
/// Where empty items can be repeated for ever, ways of so many items more than needed are told
/// apart by their number.
const ITEMS_APART: u32 = 2;
/// In longer stretches it is not summed up how likely all numbers of empty items are.
const LONGEST_WEIGHED: u32 = 64;
/// How many characters are tried for one in a hole.
const CHARS_IN_A_HOLE: usize = 6;

/// What makes a difference to how likely a part is, besides what it is.
fn circumstances(reflector: &Reflector) -> u64 {
    reflector.context_here()
}

impl Parser<'_, '_> {
    /// Notes the choices of all ways in which a node is the text between two positions, after its
    /// ends were found.
    pub(super) fn reflect_node(&mut self, node: u32, at: u32, end: u32, reflector: &mut Reflector) -> Reflected {
        if self.is_too_much_with(1) {
            return Err(Mismatch);
        }
        // The reflector may be on a new stack by now; without knowing it, every look at a part
        // would take another one.
        let before = std::mem::replace(&mut self.stack, reflector.stack());
        let result = self.reflect_here(node, at, end, reflector);
        self.stack = before;
        result
    }

    #[inline]
    fn reflect_here(&mut self, node: u32, at: u32, end: u32, reflector: &mut Reflector) -> Reflected {
        let grammar = Arc::clone(&self.grammar);
        let inner = grammar.node(node);
        if inner.is_plain && self.input.holes.is_empty() {
            return match self.direct(&grammar, node, at, reflector) {
                Ok(found) if found == end => Ok(()),
                _ => Err(Mismatch),
            };
        }
        match &inner.kind {
            Kind::Literal(_) => Ok(()),
            Kind::Class(class) => {
                if end == at {
                    return self.reflect_hole(node, at, reflector);
                }
                let next = char::from_u32(self.input.code_at(at)).and_then(|next| class.index_of(next));
                reflector.number(next.ok_or(Mismatch)?, class.last(), class.distribution)
            }
            Kind::Sequence { .. } => self.reflect_rest(node, 0, at, &mut Fitting::new(at, end), reflector),
            Kind::Choice { site, weights, at_rest, arms } => {
                self.shared(u64::from(node), at, end, reflector, |parser, reflector| {
                    call(inner, site, reflector, |reflector| {
                        let weights = weights_now(weights, at_rest, reflector);
                        reflector.ways(arms.len(), |reflector, arm| {
                            if weights[arm] == 0 || !parser.has_end(arms[arm], at, end) {
                                return Err(Mismatch);
                            }
                            reflector.pick(site, weights, arm)?;
                            parser.reflect_node(arms[arm], at, end, reflector)
                        })
                    })
                })
            }
            Kind::Rule { site, body } => self.shared(u64::from(node), at, end, reflector, |parser, reflector| {
                let body = |reflector: &mut Reflector| parser.reflect_node(*body, at, end, reflector);
                call(inner, site, reflector, body)
            }),
            Kind::Repeat { .. } => self.shared(u64::from(node), at, end, reflector, |parser, reflector| {
                parser.reflect_repeat(node, at, end, reflector)
            }),
            Kind::Bind { first, .. } => self.reflect_bound(node, *first, at, end, reflector),
            Kind::Computed(shown) => {
                if !self.input.has_hole(at, end) {
                    return shown.reflect(&self.input.text[at as usize..end as usize], reflector);
                }
                let mut texts = self.computed_in_holes(node, at);
                texts.retain(|(_, other)| *other == end);
                texts.push((self.input.text[at as usize..end as usize].to_owned(), end));
                reflector.ways(texts.len(), |reflector, place| shown.reflect(&texts[place].0, reflector))
            }
        }
    }

    /// A part that others may come to as well.
    fn shared(
        &mut self,
        what: u64,
        at: u32,
        end: u32,
        reflector: &mut Reflector,
        body: impl FnOnce(&mut Self, &mut Reflector) -> Reflected,
    ) -> Reflected {
        let key = (what, at, end, circumstances(reflector));
        if let Some(node) = self.shared.get(&key) {
            reflector.pass_in_weights();
            return reflector.refer_to(*node);
        }
        let outer = reflector.begin_node();
        self.shared.insert(key, outer.node());
        let result = body(self, reflector);
        reflector.end_node(outer, result.is_ok())
    }

    /// The parts of a sequence from one of them on.
    fn reflect_rest(
        &mut self,
        node: u32,
        place: usize,
        at: u32,
        fitting: &mut Fitting,
        reflector: &mut Reflector,
    ) -> Reflected {
        let grammar = Arc::clone(&self.grammar);
        let end = fitting.end;
        let Kind::Sequence { parts, has_parts } = &grammar.node(node).kind else { return Err(Mismatch) };
        let Some(next) = parts.get(place) else {
            return if at == end { Ok(()) } else { Err(Mismatch) };
        };
        let splits = self.splits(node, place, at, fitting, reflector.is_first_enough());
        let inner = grammar.node(*next);
        let mut go_on = |parser: &mut Self, split: u32, reflector: &mut Reflector| {
            part(inner, *has_parts, reflector, |reflector| parser.reflect_node(*next, at, split, reflector))?;
            parser.reflect_rest(node, place + 1, split, fitting, reflector)
        };
        match splits[..] {
            [] => Err(Mismatch),
            [split] => go_on(self, split, reflector),
            _ => {
                let what = u64::from(node) | (place as u64 + 1) << 32;
                self.shared(what, at, end, reflector, |parser, reflector| {
                    reflector.ways(splits.len(), |reflector, place| go_on(parser, splits[place], reflector))
                })
            }
        }
    }

    fn reflect_bound(&mut self, node: u32, first: u32, at: u32, end: u32, reflector: &mut Reflector) -> Reflected {
        let grammar = Arc::clone(&self.grammar);
        let mut ways = Vec::new();
        for split in self.ends(first, at) {
            for (place, bound) in self.bound_texts(node, at, split).iter_mut().enumerate() {
                let root = bound.parser.grammar.root;
                if bound.parser.has_end(root, split, end) {
                    ways.push((split, place));
                }
            }
        }
        reflector.ways(ways.len(), |reflector, way| {
            let (split, place) = ways[way];
            let written = self.bound_texts(node, at, split)[place].written.clone();
            reflector.part_at(&[], |reflector| match written {
                None => self.reflect_node(first, at, split, reflector),
                Some(written) => {
                    let input = Input::new(&written);
                    let mut parser = Parser::new(&grammar, &input);
                    let whole = written.len() as u32;
                    if !parser.ends_at(first, 0, whole) {
                        return Err(Mismatch);
                    }
                    parser.reflect_node(first, 0, whole, reflector)
                }
            })?;
            let bound = &mut self.bound_texts(node, at, split)[place].parser;
            let root = bound.grammar.root;
            reflector.part_at(&[], |reflector| bound.reflect_node(root, split, end, reflector))
        })
    }

    /// A character in a hole: some that are drawn at random.
    fn reflect_hole(&mut self, node: u32, at: u32, reflector: &mut Reflector) -> Reflected {
        let grammar = Arc::clone(&self.grammar);
        let Kind::Class(class) = &grammar.node(node).kind else { return Err(Mismatch) };
        let mut rng = Rng::new(self.input.seed ^ u64::from(node) << 32 ^ u64::from(at));
        reflector.ways(CHARS_IN_A_HOLE, |reflector, _| {
            let index = class.distribution.draw(class.last(), &mut rng);
            reflector.number(index, class.last(), class.distribution)
        })
    }

    /// Texts of a node between two positions that have a hole between them.
    pub(super) fn written_in_holes(&mut self, node: u32, at: u32, end: u32) -> Vec<String> {
        let mut texts = Vec::new();
        let mut reflector = Reflector::all_ways();
        let shared = std::mem::take(&mut self.shared);
        let result = self.reflect_node(node, at, end, &mut reflector);
        self.shared = shared;
        if result.is_err() {
            return texts;
        }
        let forest = reflector.into_forest();
        for seed in 0..super::chart::TRIES {
            let mut rng = Rng::new(self.input.seed ^ seed);
            let Some(choices) = forest.random_way(&mut rng) else { break };
            let mut replay = crate::source::Replay::lenient(&choices);
            let mut text = String::new();
            let mut source = Source::asking(&mut replay);
            if self.grammar.write(node, &mut source, &mut text).is_ok() && !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    }

    fn reflect_repeat(&mut self, node: u32, at: u32, end: u32, reflector: &mut Reflector) -> Reflected {
        let (how_many, size) = self.grammar.node(node).share.of(reflector.size());
        reflector.resized(how_many, |reflector| self.reflect_items(node, at, end, size, reflector))
    }

    /// The same at the size that says how many items there are; each has the other one.
    fn reflect_items(&mut self, node: u32, at: u32, end: u32, size: u32, reflector: &mut Reflector) -> Reflected {
        let grammar = Arc::clone(&self.grammar);
        let Kind::Repeat { item, separator, min, max } = &grammar.node(node).kind else { return Err(Mismatch) };
        let is_first_enough = reflector.is_first_enough();
        // What is never drawn has no chance to add.
        let is_weighed = reflector.is_weighing() && reflector.place_in_weights().is_none();
        let likely = if is_weighed && end - at <= LONGEST_WEIGHED {
            reflector.likely_max(Extent::NUMBER, *min, *max)
        } else {
            *max
        };
        let most = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let limits = Limits { min: *min as u32, max: most(*max), likely: most(likely) };
        let (between, is_endless) = self.places_between(*item, *separator, limits, at, end, is_first_enough);
        let start = (true, at);
        let fits = |count: &u32| *count as usize >= *min && *count as usize <= *max;
        let mut counts: Vec<u32> = between[&start].counts.iter().copied().filter(fits).collect();
        if counts.is_empty() {
            return Err(Mismatch);
        }
        if is_first_enough {
            counts.truncate(1);
        }
        let fewest = between[&start].counts.first().copied().unwrap_or(0);
        let is_listed = is_endless && !is_first_enough && !reflector.is_weighing() && self.input.holes.is_empty();
        if is_listed {
            counts.retain(|count| *count <= fewest.max(*min as u32).saturating_add(ITEMS_APART));
        }
        let chain = reflector.resized(size, |reflector| {
            reflector.in_next_list(|reflector| self.chain(node, &between, start, &counts, reflector))
        });
        // More items than in all of these.
        let least = fewest.max(*min as u32).saturating_add(ITEMS_APART + 1);
        let more = if is_listed {
            reflector.resized(size, |reflector| {
                self.chain_without_end(node, &between, start, end, least - fewest, reflector)
            })
        } else {
            None
        };
        if is_endless && reflector.is_weighing() {
            let name = self.name_around(node);
            reflector.unknown(|| format!("empty items can be repeated for ever in `{name}`"));
        }
        let ways = counts.len() + usize::from(more.is_some());
        reflector.ways(ways, |reflector, way| match (counts.get(way), more) {
            (Some(count), _) => reflector.repeat(*count as usize, *min, *max, &"", |reflector| match *count {
                0 => Ok(()),
                _ => reflector.refer_to(*chain.get(&(*count, start)).ok_or(Mismatch)?),
            }),
            (None, Some(more)) => {
                reflector.repeat(least as usize, *min, *max, &"", |reflector| reflector.refer_to(more))
            }
            (None, None) => Err(Mismatch),
        })
    }

    /// All places between the items of a repeat, and whether empty items can be added for ever.
    /// Where the first way is enough, so are the fewest items of which there are not too few.
    fn places_between(
        &mut self,
        item: u32,
        separator: Option<u32>,
        Limits { min, max, likely }: Limits,
        at: u32,
        end: u32,
        is_first_enough: bool,
    ) -> (Map<Place, Between>, bool) {
        let mut between: Map<Place, Between> = Map::default();
        between.insert((true, at), Between::default());
        let mut order: Vec<Place> = vec![(true, at)];
        let mut next = 0;
        while let Some(place) = order.get(next).copied() {
            next += 1;
            let mut found = Between::default();
            let starts = match separator {
                Some(separator) if !place.0 => self.ends(separator, place.1),
                _ => vec![place.1],
            };
            for start in starts {
                for item_end in self.ends(item, start) {
                    if item_end <= end {
                        found.items.push(Item { start, end: item_end });
                    }
                }
            }
            for item in &found.items {
                let after = (false, item.end);
                between.entry(after).or_insert_with(|| {
                    order.push(after);
                    Between::default()
                });
            }
            between.insert(place, found);
        }
        // From the last to the first, so that what follows is known.
        order.sort_unstable_by_key(|(is_first, at)| (std::cmp::Reverse(*at), *is_first));
        let mut is_endless = false;
        for place in order {
            let found = between.remove(&place).unwrap_or_default();
            let mut counts: Vec<u32> = if place.1 == end { vec![0] } else { Vec::new() };
            let mut has_empty = false;
            for item in &found.items {
                if (false, item.end) == place {
                    has_empty = true;
                    continue;
                }
                if let Some(after) = between.get(&(false, item.end)) {
                    counts.extend(after.counts.iter().filter(|count| **count < max).map(|count| count + 1));
                }
            }
            if self.is_too_much_with((found.items.len() + counts.len()) / COUNTS_LIKE_ONE_WAY) {
                // Nothing can follow.
                return (Map::from_iter([((true, at), Between::default())]), false);
            }
            counts.sort_unstable();
            counts.dedup();
            if let (true, Some(fewest)) = (has_empty, counts.first().copied()) {
                let most = match self.input.is_hole(place.1) {
                    true => max.min(fewest.saturating_add(ITEMS_IN_A_HOLE)),
                    false => likely,
                };
                match most {
                    u32::MAX => {
                        is_endless = true;
                        // Up to as many as there must be, empty ones help; more of them are further
                        // ways.
                        let last =
                            if is_first_enough { min } else { fewest.saturating_add(min).saturating_add(ITEMS_APART) };
                        for count in fewest..=last {
                            if let Err(place) = counts.binary_search(&count) {
                                counts.insert(place, count);
                            }
                        }
                    }
                    most => counts = (fewest..=most.max(counts.last().copied().unwrap_or(0))).collect(),
                }
            }
            if is_first_enough {
                let enough = counts.partition_point(|count| *count < min);
                counts.truncate(enough + 1);
            }
            between.insert(place, Between { counts, ..found });
        }
        (between, is_endless)
    }

    /// The ways in which a number of items follow from each place: nodes that refer to each other,
    /// those of fewer items first.
    fn chain(
        &mut self,
        node: u32,
        between: &Map<Place, Between>,
        start: Place,
        counts: &[u32],
        reflector: &mut Reflector,
    ) -> Map<(u32, Place), usize> {
        // Which are needed, by their number of items.
        let most = counts.last().copied().unwrap_or(0) as usize;
        let mut needed: Vec<Vec<Place>> = vec![Vec::new(); most + 1];
        counts.iter().for_each(|count| needed[*count as usize].push(start));
        for count in (1..=most).rev() {
            let mut after = Vec::new();
            for place in &needed[count] {
                if self.is_too_much_with(between[place].items.len() / COUNTS_LIKE_ONE_WAY) {
                    return Map::default();
                }
                for item in &between[place].items {
                    let next = (false, item.end);
                    let goes_on =
                        between.get(&next).is_some_and(|next| next.counts.binary_search(&(count as u32 - 1)).is_ok());
                    if goes_on {
                        after.push(next);
                    }
                }
            }
            needed[count - 1].append(&mut after);
            needed[count - 1].sort_unstable();
            needed[count - 1].dedup();
        }
        let mut chain = Map::default();
        for (count, places) in needed.iter().enumerate().skip(1) {
            for place in places {
                if self.is_too_much {
                    return Map::default();
                }
                let outer = reflector.begin_node();
                let (id, beginning) = (outer.node(), reflector.place_in_weights());
                for item in &between[place].items {
                    let next = (count as u32 - 1, (false, item.end));
                    let rest = chain.get(&next).copied();
                    let is_there = rest.is_some()
                        || (count == 1 && between.get(&next.1).is_some_and(|next| next.counts.first() == Some(&0)));
                    if !is_there {
                        continue;
                    }
                    let fits = self.reflect_item(node, *place, *item, reflector).is_ok()
                        && rest.is_none_or(|rest| reflector.refer_to(rest).is_ok());
                    reflector.end_alternative(fits);
                    reflector.go_back_in_weights(beginning);
                    if fits && reflector.is_first_enough() {
                        break;
                    }
                }
                if reflector.end_detached(outer) {
                    chain.insert((count as u32, *place), id);
                }
            }
        }
        chain
    }

    /// The ways in which many items follow from the start, empty ones among them: at least
    /// `most_excess` more than the fewest there can be.
    ///
    /// Empty items can be added for ever, so these nodes refer to each other in circles. At each
    /// place it is known by how many the items so far exceed what the fewest would have been, up to
    /// `most_excess`; beyond that they are only counted.
    fn chain_without_end(
        &mut self,
        node: u32,
        between: &Map<Place, Between>,
        start: Place,
        end: u32,
        most_excess: u32,
        reflector: &mut Reflector,
    ) -> Option<usize> {
        let fewest = |place: &Place| between.get(place).and_then(|between| between.counts.first().copied());
        let after = |place: Place, excess: u32, item: &Item| {
            let next = (false, item.end);
            let all = excess + 1 + fewest(&next)? - fewest(&place)?;
            Some(((next, all.min(most_excess)), all.saturating_sub(most_excess)))
        };
        let mut known: Map<(Place, u32), usize> = Map::default();
        let mut order = vec![(start, 0)];
        known.insert((start, 0), 0);
        let mut at = 0;
        while let Some((place, excess)) = order.get(at).copied() {
            at += 1;
            for item in &between[&place].items {
                if let Some((next, _)) = after(place, excess, item) {
                    known.entry(next).or_insert_with(|| {
                        order.push(next);
                        order.len() - 1
                    });
                }
            }
        }
        // All are begun before the first is looked at, since they refer to each other; the last is
        // the innermost.
        let mut nodes: Vec<Outer> = order.iter().map(|_| reflector.begin_node()).collect();
        let ids: Vec<usize> = nodes.iter().map(Outer::node).collect();
        let mut is_made = false;
        while let (Some(outer), Some((place, excess))) = (nodes.pop(), order.pop()) {
            if place.1 == end && excess == most_excess {
                reflector.end_alternative(true);
            }
            for item in &between[&place].items {
                let Some((next, more)) = after(place, excess, item) else { continue };
                let fits = self.reflect_item(node, place, *item, reflector).is_ok();
                reflector.add_items(more);
                let fits = fits && reflector.refer_to(ids[known[&next]]).is_ok();
                reflector.end_alternative(fits);
            }
            is_made = reflector.end_detached(outer);
        }
        ids.first().copied().filter(|_| is_made)
    }

    /// The name of the rule that a node is part of, as far as there is one.
    fn name_around(&self, node: u32) -> String {
        let grammar = &self.grammar;
        let mut nodes = vec![node];
        let mut at = 0;
        while let Some(inner) = nodes.get(at).copied() {
            at += 1;
            if let Some(name) = &grammar.node(inner).name {
                return name.to_string();
            }
            for (outer, candidate) in grammar.nodes.iter().enumerate() {
                children(candidate, |child| {
                    if child == inner && !nodes.contains(&(outer as u32)) {
                        nodes.push(outer as u32);
                    }
                });
            }
        }
        "a repetition".to_owned()
    }

    /// One item and the separator before it, as one part.
    fn reflect_item(&mut self, node: u32, place: Place, item: Item, reflector: &mut Reflector) -> Reflected {
        let grammar = Arc::clone(&self.grammar);
        let Kind::Repeat { item: inner, separator, .. } = &grammar.node(node).kind else { return Err(Mismatch) };
        let body = |parser: &mut Self, reflector: &mut Reflector, is_part: bool| {
            let node = grammar.node(*inner);
            let body = |reflector: &mut Reflector| parser.reflect_node(*inner, item.start, item.end, reflector);
            if node.is_silent && !is_part {
                reflector.part_at(&[], |_| Ok(()))
            } else {
                part(node, true, reflector, body)
            }
        };
        match separator {
            Some(separator) if !place.0 && !grammar.node(*separator).is_silent => reflector.part_at(&[], |reflector| {
                body(self, reflector, true)?;
                let is_part = !grammar.node(*inner).is_silent;
                part(grammar.node(*separator), is_part, reflector, |reflector| {
                    self.reflect_node(*separator, place.1, item.start, reflector)
                })
            }),
            _ => body(self, reflector, false),
        }
    }
}
