//! What tells nodes of choices apart that different places of a generator have made.

use crate::choice::{Entry, Kind, Site};
use std::cell::RefCell;

/// Labels of sites, by their number. They depend on the names of generators alone, and not on the
/// order in which a program came across them.
#[derive(Default)]
pub(super) struct Labels {
    known: RefCell<Vec<u32>>,
}

impl Labels {
    /// The label of whatever the generator of this site makes: never 0.
    pub(super) fn of(&self, site: &'static Site) -> u32 {
        let id = site.id() as usize;
        if let Some(label) = self.known.borrow().get(id)
            && *label != 0
        {
            return *label;
        }
        let mut known = self.known.borrow_mut();
        if known.len() <= id {
            known.resize(id + 1, 0);
        }
        let mut hash = hashed(0x811c_9dc5, site.path());
        // Combinators share their names; what tells them apart is where they stand.
        if site.column() != 0 {
            hash = hashed(hash, site.file()) ^ site.line().wrapping_mul(0x9E37_79B1) ^ site.column() << 16;
        }
        known[id] = hash | 1;
        known[id]
    }

    fn of_entry(&self, entry: Entry) -> u32 {
        let known = self.known.borrow().get(entry.name_id() as usize).copied();
        match known {
            Some(label) if label != 0 => label,
            _ => entry.site().map_or(0, |site| self.of(site)),
        }
    }

    /// A label for each entry: that of its generator for a call or a pick; for numbers and lists
    /// that of the node around them and their place in it.
    pub(super) fn write(&self, entries: &[Entry], labels: &mut Vec<u32>, open: &mut Vec<Around>) {
        labels.clear();
        open.clear();
        for (at, entry) in entries.iter().enumerate() {
            while open.pop_if(|around| around.end <= at).is_some() {}
            let place = match open.last_mut() {
                Some(around) => {
                    // Items of a list are alike, wherever they stand.
                    around.count += u32::from(!around.is_list);
                    around.label.wrapping_add(around.count.wrapping_mul(0x9E37_79B1))
                }
                None => 0x2545_F491,
            };
            let label = match entry.kind() {
                Kind::Number | Kind::Repeat => place & !1,
                Kind::Part => 0,
                Kind::Call | Kind::Pick => self.of_entry(*entry),
            };
            labels.push(label);
            if entry.extent() > 0 {
                let is_list = entry.kind() == Kind::Repeat;
                let label = if label & 1 == 1 { label } else { place.wrapping_mul(0x0100_0193) };
                open.push(Around { end: at + 1 + entry.extent(), label, count: 0, is_list });
            }
        }
    }
}

/// A node that is open while labels are written.
pub(super) struct Around {
    end: usize,
    label: u32,
    count: u32,
    is_list: bool,
}

fn hashed(mut hash: u32, text: &str) -> u32 {
    for byte in text.bytes() {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    hash
}
