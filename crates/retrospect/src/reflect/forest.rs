use super::distinct::Distinct;
use super::fold::{EndlessWays, FoldWays};
use super::{Mismatch, Natural, Probability, Reflected};
use crate::choice::{Choices, Entry, Site};
use crate::source::Chance;
use std::fmt;
use std::ops::Range;

/// All ways to make a value: an AND/OR graph whose parts are shared.
///
/// A node is an OR of alternatives; an alternative is a sequence of choices, brackets and further
/// nodes. The same generator looking at the same part of the value is one node however often it is
/// asked, so the graph stays as small as the value even where the ways are exponentially many, and
/// a generator that can call itself on the same part is a cycle in it.
///
/// ```
/// use retrospect::prelude::*;
/// let overlapping = one_of((0..=5, 3..=9));
/// assert_eq!(overlapping.ways_of(&4).count().to_string(), "2");
/// assert_eq!(overlapping.ways_of(&8).count().to_string(), "1");
/// assert_eq!(overlapping.ways_of(&12).count().to_string(), "0");
/// ```
#[derive(Debug, Default)]
pub struct Forest {
    /// Where the alternatives of each node are among all of them, and the items of each alternative
    /// among all of these: three lists instead of two for each node.
    nodes: Vec<Range<u32>>,
    alternatives: Vec<Range<u32>>,
    items: Vec<Item>,
    /// What the keys of entries say.
    pub(super) keys: Vec<Box<str>>,
    pub(super) root: Vec<Item>,
    /// How likely the choices are that have a [`Item::Chance`], if that was asked for.
    pub(super) chances: Vec<Probability>,
    /// Items that were drawn until they differed.
    pub(super) distincts: Vec<Distinct>,
    /// Why nobody knows how likely others are.
    pub(super) unknowns: Vec<String>,
    /// Why some ways were not followed to their end, if so.
    pub(super) cut_off: Option<String>,
    /// Whether a way ended at a choice that is never drawn at this size.
    has_dormant: bool,
    /// The size of the source that draws it, if it is asked how likely that is.
    pub(super) size: u32,
}

/// How many ways there are to make a value.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::reflect::Overlap;
/// assert_eq!((0..9u8).ways_of(&4).count(), Overlap::Finite(1.into()));
/// ```
///
/// Ways that differ only in the order of what is made, or in which of several equal items it is,
/// count as one, the one that [`choices_of`](crate::Generator::choices_of) gives: those of a set, a
/// map or a heap, of [`permutation_of`](crate::generator::permutation_of) and
/// [`subsequence_of`](crate::generator::subsequence_of). A sample may have been made by another of
/// them.
///
/// ```
/// use retrospect::prelude::*;
/// let pairs = set_of(0..9, 2);
/// assert_eq!(pairs.ways_of(&[3, 5].into()).count().to_string(), "1");
/// assert_eq!(pairs.replay(&"[3 5]".parse().unwrap()), pairs.replay(&"[5 3]".parse().unwrap()));
/// ```
///
/// Where a generator calls itself on the same part with other arguments each time, more than 10,000
/// times, the rest is cut off.
///
/// ```
/// use retrospect::prelude::*;
/// #[generator]
/// fn zero(calls: u32) -> u8 {
///     match pick() {
///         "now" => 0,
///         "later" => draw(zero(calls + 1)),
///     }
/// }
/// assert!(zero(0).ways_of(&0).count().to_string().starts_with("at least 10000: `zero` looks at the same part"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// That many; 0 if the generator cannot make the value.
    Finite(Natural),
    /// A generator can call itself on the same part, over and over.
    Infinite {
        /// The name of such a generator.
        cycle: String,
    },
    /// That many were found, and others were not followed to their end: they are too deep, or calls
    /// of a generator go on and on at the same part.
    AtLeast {
        /// How many were found.
        ways: Natural,
        /// Which generator it was, and what was too much.
        reason: String,
    },
}

impl fmt::Display for Overlap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Overlap::Finite(ways) => ways.fmt(formatter),
            Overlap::Infinite { cycle } => {
                write!(formatter, "infinitely many: `{cycle}` can call itself on the same part")
            }
            Overlap::AtLeast { ways, reason } => write!(formatter, "at least {ways}: {reason}"),
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum Item {
    Choice(Entry),
    Open(Entry),
    /// A pick whose body runs to the end of the bracket.
    Pick {
        site: &'static Site,
        arm: u32,
        arms: u32,
    },
    /// The key of the bracket that was opened just before, by its place among all keys.
    Key(usize),
    Close,
    BeginPart,
    EndPart,
    Node(usize),
    /// The innermost bracket is a list of so many items more than it was opened with.
    #[cfg_attr(not(feature = "text"), allow(dead_code))]
    More(u32),
    /// How likely what was chosen here is, by its place among the forest's chances.
    Chance(u32),
    /// Some of the nodes before it are items that must differ, by their place among those of the
    /// forest.
    Distinct(u32),
    /// Nobody knows how likely this is, by the place of the reason.
    Unknown(u32),
    /// A level of a recursive generator: the outermost says how many there may be inside it.
    Level {
        limit: Option<u32>,
    },
    /// A list that a random source counts as so many picks.
    Counted(u32),
}

impl fmt::Debug for Item {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Choice(entry) => write!(formatter, "{}", entry.index()),
            Item::Open(_) => write!(formatter, "("),
            Item::Pick { arm, .. } => write!(formatter, "{arm}:"),
            Item::Key(key) => write!(formatter, "key {key}"),
            Item::Close => write!(formatter, ")"),
            Item::BeginPart => write!(formatter, "{{"),
            Item::EndPart => write!(formatter, "}}"),
            Item::Node(node) => write!(formatter, "#{node}"),
            Item::More(more) => write!(formatter, "+{more}"),
            Item::Chance(_) | Item::Distinct(_) | Item::Unknown(_) | Item::Level { .. } | Item::Counted(_) => Ok(()),
        }
    }
}

impl Forest {
    /// How many OR nodes there are. Parts are shared, so there are far fewer than ways.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::all_ways();
    /// vec_of(one_of((0..=5, 3..=9)), ..).reflect(&vec![4; 100], &mut reflector).unwrap();
    /// let forest = reflector.into_forest();
    /// assert!(forest.node_count() <= 400);
    /// assert_eq!(forest.overlap().to_string(), "1267650600228229401496703205376"); // 2 to the power of 100
    /// ```
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The forest of a value that cannot be made.
    fn none() -> Forest {
        Forest { nodes: vec![Range::default()], root: vec![Item::Node(0)], ..Forest::default() }
    }

    /// The alternatives of a node.
    pub(super) fn alternatives(&self, node: usize) -> impl ExactSizeIterator<Item = &[Item]> + DoubleEndedIterator {
        self.alternatives[range(&self.nodes[node])].iter().map(|items| &self.items[range(items)])
    }

    /// One alternative of a node.
    pub(super) fn alternative(&self, node: usize, place: usize) -> Option<&[Item]> {
        self.alternatives[range(&self.nodes[node])].get(place).map(|items| &self.items[range(items)])
    }

    /// The nodes that a node needs, the last one first.
    pub(super) fn children(&self, node: usize) -> Children<'_> {
        Children { forest: self, alternatives: self.nodes[node].clone(), items: [].iter() }
    }

    /// The nodes that the whole needs, the last one first.
    pub(super) fn children_of_root(&self) -> Children<'_> {
        Children { forest: self, alternatives: 0..0, items: self.root.iter() }
    }

    /// How many ways there are.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::{Overlap, Reflector};
    /// fn overlap<G: Generator>(generator: G, value: G::Value) -> Overlap {
    ///     let mut reflector = Reflector::all_ways();
    ///     generator.reflect(&value, &mut reflector).unwrap();
    ///     reflector.into_forest().overlap()
    /// }
    /// assert_eq!(overlap(vec_of(one_of((0..=5, 3..=9)), ..), vec![1, 4, 4]), Overlap::Finite(4.into()));
    ///
    /// #[generator]
    /// fn zero() -> u8 {
    ///     match pick() {
    ///         "now" => 0,
    ///         "later" => {
    ///             let same = draw(zero());
    ///             same
    ///         }
    ///     }
    /// }
    /// assert_eq!(overlap(zero(), 0), Overlap::Infinite { cycle: "zero".to_owned() });
    /// ```
    pub fn overlap(&self) -> Overlap {
        let ways = match self.fold(&mut CountWays) {
            Ok(Some(ways)) => ways.unwrap_or_else(|| Natural::from(1)),
            Ok(None) => Natural::default(),
            Err(EndlessWays { cycle }) => return Overlap::Infinite { cycle },
        };
        match &self.cut_off {
            None => Overlap::Finite(ways),
            Some(reason) => Overlap::AtLeast { ways, reason: reason.clone() },
        }
    }

    /// The first way: what the first fitting alternative of each node chose.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::all_ways();
    /// one_of((0..=5, 3..=9)).reflect(&4, &mut reflector).unwrap();
    /// assert_eq!(reflector.into_forest().first_way().unwrap().to_string(), "0:(4)");
    /// ```
    pub fn first_way(&self) -> Option<Choices> {
        if self.children_first().is_ok() {
            return self.way(u64::MAX, |_| Some(0));
        }
        // Where a generator can call itself on the same part, the first alternative may never end.
        let first = self.first_that_end();
        self.way(u64::MAX, |node| first[node])
    }

    /// Of each node the first alternative that needs only nodes which were found to end before it.
    fn first_that_end(&self) -> Vec<Option<usize>> {
        let mut first = vec![None; self.nodes.len()];
        loop {
            let mut found = Vec::new();
            for node in 0..self.nodes.len() {
                let ends = |alternative: &[Item]| {
                    alternative.iter().all(|item| !matches!(item, Item::Node(child) if first[*child].is_none()))
                };
                if first[node].is_none()
                    && let Some(place) = self.alternatives(node).position(ends)
                {
                    found.push((node, place));
                }
            }
            if found.is_empty() {
                return first;
            }
            for (node, place) in found {
                first[node] = Some(place);
            }
        }
    }

    /// Whether a way ended at a choice that is never drawn at the size it was asked for.
    pub(crate) fn has_dormant(&self) -> bool {
        self.has_dormant
    }

    /// The way that takes the chosen alternative of each node, if it has no more than so many
    /// nodes.
    pub(super) fn way(&self, most_nodes: u64, chosen: impl Fn(usize) -> Option<usize>) -> Option<Choices> {
        self.numbered_way(most_nodes, Vec::new(), &mut |node, _| Some((chosen(node)?, Vec::new())))
    }

    /// The choices of one way, if they have no more than so many nodes. `expand` is told a node and
    /// the number that its parent gave it, and answers with one of its alternatives and numbers for
    /// the nodes in it; missing numbers are 0.
    pub(super) fn numbered_way(
        &self,
        most_nodes: u64,
        numbers: Vec<u32>,
        expand: &mut dyn FnMut(usize, u32) -> Option<(usize, Vec<u32>)>,
    ) -> Option<Choices> {
        let mut left = most_nodes;
        let mut choices = Choices::default();
        let mut frames = Vec::new();
        let mut parts = Vec::new();
        let mut pending = vec![(self.root.iter(), numbers.into_iter())];
        while let Some((items, numbers)) = pending.last_mut() {
            let item = items.next();
            if matches!(item, Some(Item::Choice(_) | Item::Open(_) | Item::Pick { .. })) {
                left = left.checked_sub(1)?;
            }
            match item {
                None => {
                    pending.pop();
                }
                Some(Item::Choice(entry)) => {
                    // It has nothing inside, and is not closed: a number has its bound where
                    // brackets have their extent.
                    choices.open(*entry);
                }
                Some(Item::Open(entry)) => frames.push(choices.open(*entry)),
                Some(Item::Pick { site, arm, arms }) => choices.push_pick(site, *arm as usize, *arms as usize),
                Some(Item::Key(key)) => choices.push_key(&self.keys[*key]),
                Some(Item::Close) => choices.close(frames.pop()?),
                Some(Item::More(more)) => choices.add_to_repeat_count(*frames.last()?, u64::from(*more)),
                Some(Item::BeginPart) => parts.push(choices.len()),
                Some(Item::EndPart) => choices.close_part(parts.pop()?),
                Some(Item::Node(node)) => {
                    let (alternative, inner) = expand(*node, numbers.next().unwrap_or(0))?;
                    pending.push((self.alternative(*node, alternative)?.iter(), inner.into_iter()));
                }
                Some(
                    Item::Chance(_) | Item::Distinct(_) | Item::Unknown(_) | Item::Level { .. } | Item::Counted(_),
                ) => {}
            }
        }
        choices.finish();
        Some(choices)
    }

    /// The nodes that the root needs, each after all those it needs itself; or a node that needs
    /// itself.
    pub(super) fn children_first(&self) -> Result<Vec<usize>, usize> {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            UnderWay,
            Done,
        }
        let mut marks = vec![Mark::New; self.nodes.len()];
        let mut order = Vec::new();
        let mut pending = vec![(None, self.children_of_root())];
        while let Some((node, rest)) = pending.last_mut() {
            match rest.next() {
                Some(child) if marks[child] == Mark::UnderWay => return Err(child),
                Some(child) if marks[child] == Mark::Done => {}
                Some(child) => {
                    marks[child] = Mark::UnderWay;
                    pending.push((Some(child), self.children(child)));
                }
                None => {
                    if let Some(node) = *node {
                        marks[node] = Mark::Done;
                        order.push(node);
                    }
                    pending.pop();
                }
            }
        }
        Ok(order)
    }

    pub(super) fn name_of(&self, node: usize) -> String {
        for alternative in self.alternatives(node) {
            for item in alternative {
                let site = match item {
                    Item::Open(entry) => entry.site(),
                    Item::Pick { site, .. } => Some(*site),
                    _ => None,
                };
                if let Some(site) = site {
                    return site.name().to_owned();
                }
            }
        }
        "a generator".to_owned()
    }

    /// Drops the alternatives that lead nowhere: those that need a node which needs itself in every
    /// alternative.
    fn pruned(mut self) -> Forest {
        // How many nodes each alternative waits for, and which alternatives wait for which node:
        // those of one node form a chain.
        let mut missing = vec![0u32; self.alternatives.len()];
        let mut owners = vec![0; self.alternatives.len()];
        let mut waiting = vec![None; self.nodes.len()];
        let mut links: Vec<(usize, Option<usize>)> = Vec::new();
        let mut ready = Vec::new();
        for (node, alternatives) in self.nodes.iter().enumerate() {
            for alternative in range(alternatives) {
                owners[alternative] = node;
                for item in &self.items[range(&self.alternatives[alternative])] {
                    if let Item::Node(child) = item {
                        links.push((alternative, waiting[*child]));
                        waiting[*child] = Some(links.len() - 1);
                        missing[alternative] += 1;
                    }
                }
                if missing[alternative] == 0 {
                    ready.push(node);
                }
            }
        }
        let mut productive = vec![false; self.nodes.len()];
        while let Some(node) = ready.pop() {
            if std::mem::replace(&mut productive[node], true) {
                continue;
            }
            let mut link = waiting[node];
            while let Some(place) = link {
                let (alternative, next) = links[place];
                missing[alternative] -= 1;
                if missing[alternative] == 0 {
                    ready.push(owners[alternative]);
                }
                link = next;
            }
        }
        for alternatives in &mut self.nodes {
            let mut end = alternatives.start;
            for alternative in range(alternatives) {
                // It waits for nothing any more if all that it needs can be made.
                if missing[alternative] == 0 {
                    self.alternatives.swap(end as usize, alternative);
                    end += 1;
                }
            }
            alternatives.end = end;
        }
        self
    }
}

/// Counts ways. `None` is one way, which is what most parts have.
struct CountWays;

impl FoldWays for CountWays {
    type Output = Option<Natural>;

    fn nothing(&mut self) -> Option<Natural> {
        None
    }

    fn number(&mut self, _index: u64, _bound: u64) -> Option<Natural> {
        None
    }

    fn both(&mut self, first: Option<Natural>, second: Option<Natural>) -> Option<Natural> {
        match (first, second) {
            (Some(first), Some(second)) => Some(&first * &second),
            (first, second) => first.or(second),
        }
    }

    fn either(&mut self, one: Option<Natural>, other: Option<Natural>) -> Option<Natural> {
        let count = |ways: Option<Natural>| ways.unwrap_or_else(|| Natural::from(1));
        Some(count(one) + count(other))
    }
}

fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// The nodes that a node needs, the last one first.
pub(super) struct Children<'f> {
    forest: &'f Forest,
    alternatives: Range<u32>,
    items: std::slice::Iter<'f, Item>,
}

impl Iterator for Children<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        loop {
            while let Some(item) = self.items.next_back() {
                if let Item::Node(node) = item {
                    return Some(*node);
                }
            }
            let alternative = self.alternatives.next_back()?;
            let forest = self.forest;
            self.items = forest.items[range(&forest.alternatives[alternative as usize])].iter();
        }
    }
}

/// Grows a forest while a value is looked at.
///
/// Nodes are built inside one another, so what is not complete lies in two piles: what belongs to
/// the innermost node is on top.
#[derive(Debug, Default)]
pub(super) struct Builder {
    forest: Forest,
    /// The alternatives being written, and where the innermost one begins.
    sequence: Vec<Item>,
    sequence_start: usize,
    /// The alternatives found so far of the nodes being built, and where those of the innermost one
    /// begin.
    found: Vec<Range<u32>>,
    found_start: usize,
    is_done: Vec<bool>,
    /// Whether a node was referred to while it was being built: then it may lead nowhere.
    pub(super) has_cycle: bool,
    /// Whether one alternative of each node is enough, the first that fits.
    pub(super) takes_first: bool,
    /// Whether it is noted how likely each choice is.
    is_weighing: bool,
    last_chance: Option<Chance>,
}

/// Where the node around it is in both piles when a node begins.
#[derive(Debug)]
pub(crate) struct Outer {
    node: usize,
    sequence_start: usize,
    found_start: usize,
}

impl Outer {
    pub(crate) fn node(&self) -> usize {
        self.node
    }
}

// How likely choices are.
impl Builder {
    pub(super) fn weighing(size: u32) -> Builder {
        let forest = Forest { size, ..Forest::default() };
        Builder { is_weighing: true, forest, ..Builder::default() }
    }

    pub(super) fn begun_anew(&self) -> Builder {
        Builder { is_weighing: self.is_weighing, ..Builder::weighing(self.forest.size) }
    }

    pub(super) fn is_weighing(&self) -> bool {
        self.is_weighing
    }

    /// Begins or ends weighing; returns whether it was weighing before.
    pub(super) fn set_weighing(&mut self, is_weighing: bool) -> bool {
        std::mem::replace(&mut self.is_weighing, is_weighing)
    }

    /// Notes that there may be ways that are never drawn at this size.
    pub(super) fn note_dormant(&mut self) {
        self.forest.has_dormant = true;
    }

    /// Notes how likely the last choice is. What is never drawn is no way at all.
    pub(super) fn weigh(&mut self, chance: Chance) -> Reflected {
        if chance.numerator() == 0 {
            self.note_dormant();
            return Err(Mismatch);
        }
        if self.last_chance != Some(chance) || self.forest.chances.is_empty() {
            self.forest.chances.push(chance.into());
            self.last_chance = Some(chance);
        }
        self.sequence.push(Item::Chance(self.forest.chances.len() as u32 - 1));
        Ok(())
    }

    /// The same for a chance with longer numbers.
    pub(super) fn weigh_exactly(&mut self, chance: Probability) -> Reflected {
        if chance.is_zero() {
            self.note_dormant();
            return Err(Mismatch);
        }
        self.weigh_by(chance);
        Ok(())
    }

    pub(super) fn weigh_by(&mut self, probability: Probability) {
        self.last_chance = None;
        self.forest.chances.push(probability);
        self.sequence.push(Item::Chance(self.forest.chances.len() as u32 - 1));
    }

    pub(super) fn push_distinct(&mut self, distinct: Distinct) {
        self.forest.distincts.push(distinct);
        self.sequence.push(Item::Distinct(self.forest.distincts.len() as u32 - 1));
    }

    pub(super) fn push_unknown(&mut self, reason: String) {
        // Thousands of parts may have the same reason.
        if self.forest.unknowns.last() != Some(&reason) {
            self.forest.unknowns.push(reason);
        }
        self.sequence.push(Item::Unknown(self.forest.unknowns.len() as u32 - 1));
    }

    pub(super) fn push_counted(&mut self, picks: u32) {
        self.sequence.push(Item::Counted(picks));
    }

    pub(super) fn push_level(&mut self, limit: Option<u32>) {
        self.sequence.push(Item::Level { limit });
    }
}

impl Builder {
    pub(super) fn push(&mut self, entry: Entry) {
        self.sequence.push(Item::Choice(entry));
    }

    pub(super) fn push_pick(&mut self, site: &'static Site, arm: usize, arms: usize) {
        self.sequence.push(Item::Pick { site, arm: arm as u32, arms: arms as u32 });
    }

    pub(super) fn push_key(&mut self, key: &str) {
        self.sequence.push(Item::Key(self.forest.keys.len()));
        self.forest.keys.push(key.into());
    }

    /// Opens a bracket; returns its place in the alternative being written.
    pub(super) fn open(&mut self, entry: Entry) -> usize {
        self.sequence.push(Item::Open(entry));
        self.sequence.len() - 1
    }

    /// Says how many items a repeat has, whose bracket was opened at `place`.
    #[cfg(feature = "text")]
    pub(super) fn set_count(&mut self, place: usize, count: usize) {
        self.sequence[place] = Item::Open(Entry::repeat(count));
    }

    #[cfg(feature = "text")]
    pub(super) fn push_more(&mut self, more: u32) {
        self.sequence.push(Item::More(more));
    }

    pub(super) fn close(&mut self) {
        self.sequence.push(Item::Close);
    }

    pub(super) fn begin_part(&mut self) {
        self.sequence.push(Item::BeginPart);
    }

    pub(super) fn end_part(&mut self) {
        self.sequence.push(Item::EndPart);
    }

    pub(super) fn refer_to(&mut self, node: usize) {
        self.has_cycle |= !self.is_done[node];
        self.sequence.push(Item::Node(node));
    }

    /// Whether a node has a way or is still being looked at.
    pub(super) fn may_be_made(&self, node: usize) -> bool {
        !self.is_done[node] || !self.forest.nodes[node].is_empty()
    }

    pub(super) fn begin_node(&mut self) -> Outer {
        self.forest.nodes.push(0..0);
        self.is_done.push(false);
        Outer {
            node: self.forest.nodes.len() - 1,
            sequence_start: std::mem::replace(&mut self.sequence_start, self.sequence.len()),
            found_start: std::mem::replace(&mut self.found_start, self.found.len()),
        }
    }

    pub(super) fn end_alternative(&mut self, fits: bool) {
        if fits {
            let start = self.forest.items.len() as u32;
            self.forest.items.extend_from_slice(&self.sequence[self.sequence_start..]);
            self.found.push(start..self.forest.items.len() as u32);
        }
        self.sequence.truncate(self.sequence_start);
    }

    pub(super) fn end_node(&mut self, outer: Outer) -> Reflected {
        let node = outer.node;
        if !self.end_detached(outer) {
            return Err(Mismatch);
        }
        self.sequence.push(Item::Node(node));
        Ok(())
    }

    /// Ends a node without referring to it; says whether it has a way.
    pub(super) fn end_detached(&mut self, outer: Outer) -> bool {
        let start = self.forest.alternatives.len() as u32;
        self.forest.alternatives.extend(self.found.drain(self.found_start..));
        let alternatives = start..self.forest.alternatives.len() as u32;
        (self.sequence_start, self.found_start) = (outer.sequence_start, outer.found_start);
        let is_made = !alternatives.is_empty();
        self.forest.nodes[outer.node] = alternatives;
        self.is_done[outer.node] = true;
        is_made
    }

    /// Notes that a way was not followed to its end. The first reason is as good as any other.
    pub(super) fn cut_off(&mut self, reason: impl FnOnce() -> String) {
        self.forest.cut_off.get_or_insert_with(reason);
    }

    /// The forest of a value for which no way was found.
    pub(super) fn finish_without(self) -> Forest {
        Forest { cut_off: self.forest.cut_off, has_dormant: self.forest.has_dormant, ..Forest::none() }
    }

    pub(super) fn finish(self) -> Forest {
        let forest = Forest { root: self.sequence, ..self.forest };
        // What was complete when it was referred to can be made.
        if self.has_cycle { forest.pruned() } else { forest }
    }
}
