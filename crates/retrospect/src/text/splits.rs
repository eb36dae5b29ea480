//! Where the parts of a sequence may end so that the whole of it ends where it should.
//!
//! A left-recursive rule may end in as many places as the text is long, and of each there is but
//! one way to go on to the end that is asked for. So nobody goes through the ends: one begins at
//! the end that is asked for, and looks for where the parts before it begin.

use super::chart::{Map, Parser};
use super::grammar::Kind;
use std::rc::Rc;

/// What comes after the first part of a sequence that begins at a position: one row for each
/// further part.
pub(super) struct Rows {
    rows: Vec<Row>,
}

enum Row {
    /// Where a part may begin whose ends have entries in the chart, in rising order.
    Starts(Vec<u32>),
    /// Where any other part may end, and where it then begins; in rising order.
    Spans(Vec<(u32, u32)>),
}

/// All nodes in the chart by where they end.
#[derive(Default)]
pub(super) struct ByEnd {
    /// By node and end: how many there are, and the last of them.
    ending: Map<(u32, u32), (u32, u32)>,
    /// Where a node begins, and the one before it.
    starts: Vec<(u32, u32)>,
    /// How many entries of the chart were looked at.
    seen: usize,
}

const NONE: u32 = u32::MAX;

impl ByEnd {
    fn add(&mut self, node: u32, start: u32, end: u32) {
        let (count, last) = self.ending.entry((node, end)).or_insert((0, NONE));
        let link = (start, *last);
        (*count, *last) = (*count + 1, self.starts.len() as u32);
        self.starts.push(link);
    }

    fn count(&self, node: u32, end: u32) -> usize {
        self.ending.get(&(node, end)).map_or(0, |(count, _)| *count as usize)
    }

    fn starts(&self, node: u32, end: u32) -> impl Iterator<Item = u32> {
        let mut next = self.ending.get(&(node, end)).map_or(NONE, |(_, last)| *last);
        std::iter::from_fn(move || {
            let (start, before) = *self.starts.get(next as usize)?;
            next = before;
            Some(start)
        })
    }
}

/// Where the parts of a sequence may begin that is known to begin and end somewhere.
pub(super) struct Fitting {
    start: u32,
    pub(super) end: u32,
    /// By the place of the part before: where a part may begin so that it and all others take the
    /// rest, in rising order. Found when it is first asked for, for all parts together.
    beginnings: Option<Vec<Vec<u32>>>,
}

impl Fitting {
    pub(super) fn new(start: u32, end: u32) -> Fitting {
        Fitting { start, end, beginnings: None }
    }
}

impl Parser<'_, '_> {
    /// Where a part of a sequence that begins at a position may end so that the others take the
    /// rest, in the order in which the ends were found.
    pub(super) fn splits(
        &mut self,
        node: u32,
        place: usize,
        at: u32,
        fitting: &mut Fitting,
        is_first_enough: bool,
    ) -> Vec<u32> {
        let grammar = self.grammar.clone();
        let Kind::Sequence { parts, .. } = &grammar.node(node).kind else { return Vec::new() };
        let (part, is_last) = (parts[place], place + 1 == parts.len());
        if is_last {
            return if self.has_end(part, at, fitting.end) { vec![fitting.end] } else { Vec::new() };
        }
        if let [only] = self.ends_there(part, at)[..] {
            return vec![only];
        }
        let (start, end) = (fitting.start, fitting.end);
        let beginnings = fitting.beginnings.get_or_insert_with(|| self.beginnings(node, start, end));
        let mut splits = self.in_order_found(part, at, &beginnings[place]);
        if is_first_enough {
            splits.truncate(1);
        }
        splits
    }

    /// Where each part but the first may begin so that it and all others take the rest.
    fn beginnings(&mut self, node: u32, start: u32, end: u32) -> Vec<Vec<u32>> {
        let grammar = self.grammar.clone();
        let Kind::Sequence { parts, .. } = &grammar.node(node).kind else { return Vec::new() };
        self.find_all_by_end();
        let rows = self.rows_after(node, start);
        let mut beginnings = Vec::with_capacity(parts.len());
        let mut ends = vec![end];
        for (part, row) in parts[1..].iter().zip(&rows.rows).rev() {
            let mut starts = Vec::new();
            for end in ends {
                match row {
                    Row::Spans(spans) => {
                        let first = spans.partition_point(|span| span.0 < end);
                        starts.extend(spans[first..].iter().take_while(|span| span.0 == end).map(|span| span.1));
                    }
                    Row::Starts(possible) if possible.len() < self.chart.by_end.count(*part, end) => {
                        starts.extend(possible.iter().filter(|start| self.rank_of_end(*part, **start, end).is_some()));
                    }
                    Row::Starts(possible) => {
                        let found = self.chart.by_end.starts(*part, end);
                        starts.extend(found.filter(|start| possible.binary_search(start).is_ok()));
                    }
                }
            }
            starts.sort_unstable();
            starts.dedup();
            beginnings.push(starts.clone());
            ends = starts;
        }
        beginnings.reverse();
        beginnings
    }

    /// Those of the fitting positions at which a part ends that begins at a position.
    fn in_order_found(&mut self, part: u32, at: u32, fitting: &[u32]) -> Vec<u32> {
        if self.is_leaf(part) || self.ends_there(part, at).len() <= fitting.len() {
            let mut ends = self.ends_there(part, at).into_owned();
            ends.retain(|end| fitting.binary_search(end).is_ok());
            return ends;
        }
        let mut ranked = Vec::new();
        for end in fitting {
            if let Some(rank) = self.rank_of_end(part, at, *end) {
                ranked.push((rank, *end));
            }
        }
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, end)| end).collect()
    }

    fn rows_after(&mut self, node: u32, at: u32) -> Rc<Rows> {
        if let Some(rows) = self.chart.rows.get(&(node, at)) {
            return rows.clone();
        }
        let rows = Rc::new(self.make_rows(node, at));
        self.chart.rows.insert((node, at), rows.clone());
        rows
    }

    fn make_rows(&mut self, node: u32, at: u32) -> Rows {
        let grammar = self.grammar.clone();
        let mut rows = Vec::new();
        let Kind::Sequence { parts, .. } = &grammar.node(node).kind else { return Rows { rows } };
        let mut positions = self.ends_there(parts[0], at).into_owned();
        for (place, part) in parts.iter().enumerate().skip(1) {
            let is_last = place + 1 == parts.len();
            positions.sort_unstable();
            positions.dedup();
            positions.retain(|start| self.may_begin(*part, *start));
            let (mut spans, mut next) = (Vec::new(), Vec::new());
            let is_leaf = self.is_leaf(*part);
            for start in &positions {
                if is_leaf {
                    let ends = self.ends_there(*part, *start);
                    spans.extend(ends.iter().map(|end| (*end, *start)));
                } else if !is_last {
                    next.extend_from_slice(&self.ends_there(*part, *start));
                }
            }
            if is_leaf {
                spans.sort_unstable();
                next.extend(spans.iter().map(|span| span.0));
                rows.push(Row::Spans(spans));
            } else {
                rows.push(Row::Starts(std::mem::take(&mut positions)));
            }
            positions = next;
        }
        Rows { rows }
    }

    /// Looks at what was found since the last time.
    fn find_all_by_end(&mut self) {
        let mut by_end = std::mem::take(&mut self.chart.by_end);
        for entry in by_end.seen..self.chart.count() {
            let (node, start, ends) = self.chart.found(entry);
            ends.iter().for_each(|end| by_end.add(node, start, *end));
        }
        by_end.seen = self.chart.count();
        self.chart.by_end = by_end;
    }
}
