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
        let innermost = (start..self.len()).rev().find(|at| self.entries[*at].is_open());
        let cut = self.len();
        // If it was cut short between two items, the next one was to come: it is a part of which nothing is known.
        if innermost.is_some_and(|at| self.entries[at].kind() == Kind::Repeat) {
            self.entries.push(Entry::bracket(Kind::Part, 0).holding(0));
        }
        let end = self.len();
        for at in start..innermost.map_or(start, |at| at + 1) {
            // Brackets around the innermost may be closed already, where the record was cut.
            if self.entries[at].kind() != Kind::Number && at + 1 + self.entries[at].extent() >= cut {
                self.entries[at].set_extent((end - at - 1) as u32);
            }
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
