//! Which choices were met, by their hashes, in a table of bounded size.

use crate::choice::{Entry, Kind};
use crate::source::Rng;

/// Hashes in rows that are searched whole. While there is room for more rows nothing is forgotten;
/// after that, what is forgotten may be taken for new once more.
pub(super) struct Seen {
    rows: Vec<[u64; WAYS]>,
    count: usize,
    most_rows: usize,
}

/// A row is a line of the processor's cache.
const WAYS: usize = 8;
const FIRST_ROWS: usize = 8;

impl Seen {
    pub(super) fn new(most: usize) -> Seen {
        Seen { rows: Vec::new(), count: 0, most_rows: most / WAYS }
    }

    pub(super) fn contains(&self, hash: u64) -> bool {
        !self.rows.is_empty() && self.rows[self.row(hash)].contains(&hash)
    }

    /// Adds one that is not there.
    pub(super) fn add(&mut self, hash: u64, rng: &mut Rng) {
        // With three of eight places taken hardly any row is full.
        if self.rows.is_empty() || self.count * 8 >= self.rows.len() * WAYS * 3 {
            self.grow();
        }
        loop {
            let row = self.row(hash);
            if let Some(place) = self.rows[row].iter().position(|other| *other == 0) {
                self.rows[row][place] = hash;
                self.count += 1;
                return;
            }
            if !self.grow() {
                self.rows[row][rng.at_most(WAYS as u64 - 1) as usize] = hash;
                return;
            }
        }
    }

    fn row(&self, hash: u64) -> usize {
        // The rows are a power of two.
        (hash >> 32) as usize & (self.rows.len() - 1)
    }

    /// Twice the rows, if there may be more. What lay in one row lies in two now, so that all of it
    /// finds a place.
    fn grow(&mut self) -> bool {
        let rows = (self.rows.len() * 2).max(FIRST_ROWS);
        if rows > self.most_rows {
            return false;
        }
        let before = std::mem::replace(&mut self.rows, vec![[0; WAYS]; rows]);
        for hash in before.into_iter().flatten().filter(|hash| *hash != 0) {
            let row = self.row(hash);
            if let Some(place) = self.rows[row].iter().position(|other| *other == 0) {
                self.rows[row][place] = hash;
            }
        }
        true
    }
}

/// A hash of the choices, whatever their sites are called: never 0.
pub(crate) fn hash_of(entries: &[Entry]) -> u64 {
    let mut hash = 0x9E37_79B9_7F4A_7C15_u64;
    for entry in entries {
        let (answer, kind) = match entry.kind() {
            Kind::Number => (entry.index(), 1),
            Kind::Pick => (entry.arm() as u64, 2 | (entry.extent() as u64) << 3),
            Kind::Repeat => (entry.index(), 3),
            // What is inside of them tells where they end.
            Kind::Call | Kind::Part => (entry.extent() as u64, 4),
        };
        let product = u128::from(hash ^ answer) * u128::from(0xE703_7ED1_A0B4_28DB ^ kind << 8);
        hash = (product as u64 ^ (product >> 64) as u64).wrapping_add(0xA076_1D64_78BD_642F);
    }
    hash | 1
}
