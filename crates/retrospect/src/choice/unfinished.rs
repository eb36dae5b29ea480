//! Records that were cut short: by a panic of a generator, or because generation was stopped.

use super::tree::{Choices, Entry, Kind, Nodes};

impl Choices {
    /// Whether the last node is still open.
    pub(crate) fn is_unfinished(&self) -> bool {
        let mut next = 0;
        while next < self.len() {
            next = self.end_of(next);
        }
        next > self.len()
    }

    /// Closes what is still open where generation was stopped.
    #[cold]
    pub(crate) fn finish_early(&mut self) {
        self.finish();
        self.close_from(0);
    }

    /// Ends a part that began at `start` and was not made: it is one node as any other.
    #[cold]
    pub(crate) fn abandon_part(&mut self, start: usize) {
        while let Some(pick) = self.open_picks.pop_if(|pick| *pick >= start as u32) {
            self.set_extent(pick as usize);
        }
        self.close_from(start);
        self.close_part(start);
    }

    /// Closes all brackets from `start` on that are still open. A list has the items that were begun.
    #[cold]
    pub(crate) fn close_from(&mut self, start: usize) {
        // If it was cut short between two items, the next one was to come: it is a part of which nothing is known.
        let innermost = (start..self.len()).rev().find(|at| self.entries[*at].is_open());
        let repeat = innermost.filter(|at| self.entries[*at].kind() == Kind::Repeat);
        let before = self.len();
        if repeat.is_some() {
            self.entries.push(Entry::bracket(Kind::Part, 0).holding(0));
        }
        let end = self.len();
        for at in start..end {
            // Brackets around the list may be closed already. They hold the item too.
            let is_around = repeat.is_some_and(|repeat| at < repeat);
            let most = if is_around { before - at - 1 } else { end - at - 1 };
            if self.entries[at].extent() < most || self.entries[at].kind() == Kind::Number {
                continue;
            }
            let most = end - at - 1;
            self.entries[at].set_extent(most as u32);
        }
        // It may be any list that ends where the record does.
        for at in (start..end).rev() {
            if self.entries[at].kind() == Kind::Repeat && at + 1 + self.entries[at].extent() == end {
                let items = Nodes::inside(self, at).len();
                self.entries[at].set_index(items as u64);
            }
        }
    }
}
