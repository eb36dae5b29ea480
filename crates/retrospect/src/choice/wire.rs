//! The form in which choices go from one process of a program to another.
//!
//! Unlike the text form it loses nothing: bounds and sites go along, since shrinking uses both.
//! Numbers take as many bytes as they need. A site is described where it is first used; the
//! receiver has one of its own for it, or makes one.
//!
//! ```text
//! choices = count { entry }
//! entry   = 0 index bound                  a number
//!         | 1 extent arm arms site         a pick
//!         | 2 extent arm label             a pick whose label was read from text
//!         | 3 extent count                 a repeat
//!         | 4 extent site                  a generator's bracket
//!         | 5 extent                       a part
//! site    = 0 | place in the table + 1 [path file line column count { label }]
//! ```

use super::site::Site;
use super::tree::{Choices, Entry, Frame, Kind};

/// A message being written.
#[derive(Default)]
pub(crate) struct Packing {
    bytes: Vec<u8>,
}

impl Packing {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Seven bits in each byte, the lowest first; the eighth says that more follow.
    pub(crate) fn number(&mut self, mut number: u64) {
        while number > 0x7f {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn optional_text(&mut self, text: Option<&str>) {
        self.number(text.is_some().into());
        text.into_iter().for_each(|text| self.text(text));
    }

    /// The choices from the entry `from` on, where a node must begin.
    pub(crate) fn choices(&mut self, choices: &Choices, from: usize) {
        let entries = &choices.entries()[from..];
        let mut sites = Vec::new();
        self.number(entries.len() as u64);
        for (at, &entry) in entries.iter().enumerate() {
            // A recording that was broken off has brackets that were never closed.
            let extent = entry.extent().min(entries.len() - at - 1) as u64;
            match entry.kind() {
                Kind::Number => {
                    self.number(0);
                    self.number(entry.index());
                    self.number(entry.bound());
                }
                Kind::Pick => match (entry.site(), choices.label_of(entry)) {
                    (None, Some(label)) => {
                        self.numbers([2, extent, entry.arm() as u64]);
                        self.text(label);
                    }
                    (site, _) => {
                        self.numbers([1, extent, entry.arm() as u64]);
                        self.number(entry.arms() as u64);
                        self.site(site, &mut sites);
                    }
                },
                Kind::Repeat => self.numbers([3, extent, entry.index()]),
                Kind::Call => {
                    self.number(4);
                    self.number(extent);
                    self.site(entry.site(), &mut sites);
                }
                Kind::Part => {
                    self.number(5);
                    self.number(extent);
                }
            }
        }
    }

    fn numbers(&mut self, numbers: [u64; 3]) {
        numbers.into_iter().for_each(|number| self.number(number));
    }

    fn site(&mut self, site: Option<&'static Site>, sites: &mut Vec<u32>) {
        let Some(site) = site else { return self.number(0) };
        if let Some(place) = sites.iter().position(|known| *known == site.id()) {
            return self.number(place as u64 + 1);
        }
        sites.push(site.id());
        self.number(sites.len() as u64);
        self.text(site.path());
        self.text(site.file());
        self.numbers([site.line().into(), site.column().into(), site.labels().len() as u64]);
        site.labels().iter().for_each(|label| self.text(label));
    }
}

/// A message being read. Nothing comes out of one that is damaged.
pub(crate) struct Unpacking<'b> {
    bytes: &'b [u8],
}

impl<'b> Unpacking<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Unpacking<'b> {
        Unpacking { bytes }
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    pub(crate) fn flag(&mut self) -> Option<bool> {
        self.number().map(|number| number != 0)
    }

    /// How many of something follow; each takes a byte at least, so that a damaged count costs no
    /// memory.
    pub(crate) fn count(&mut self) -> Option<usize> {
        self.number().filter(|count| *count <= self.bytes.len() as u64).map(|count| count as usize)
    }

    pub(crate) fn text(&mut self) -> Option<&'b str> {
        let length = self.count()?;
        let (text, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        std::str::from_utf8(text).ok()
    }

    pub(crate) fn optional_text(&mut self) -> Option<Option<&'b str>> {
        if self.flag()? { self.text().map(Some) } else { Some(None) }
    }

    /// Adds the choices that follow to `choices`.
    pub(crate) fn choices(&mut self, choices: &mut Choices) -> Option<()> {
        let mut sites = Vec::new();
        let mut open: Vec<(usize, Frame)> = Vec::new();
        let end = choices.len() + self.count()?;
        while choices.len() < end {
            let at = choices.len();
            while let Some((_, frame)) = open.pop_if(|(end, _)| *end == at) {
                choices.close(frame);
            }
            let kind = self.number()?;
            if kind == 0 {
                choices.push_number(self.number()?, self.number()?);
                continue;
            }
            let inside = at + 1 + usize::try_from(self.number()?).ok().filter(|extent| *extent < end)?;
            if inside > open.last().map_or(end, |(end, _)| *end) {
                return None;
            }
            let entry = match kind {
                1 => {
                    let (arm, arms) = (self.number()? as u32, self.number()? as u32);
                    let site = self.site(&mut sites)?.map_or(0, Site::id);
                    Entry::pick(site, arm as usize, arms as usize)
                }
                2 => {
                    let arm = self.number()? as u32;
                    Entry::pick_with_local_label(choices.add_label(self.text()?), arm as usize)
                }
                3 => Entry::repeat(self.number()? as usize),
                4 => Entry::bracket(Kind::Call, self.site(&mut sites)?.map_or(0, Site::id)),
                5 => Entry::bracket(Kind::Part, 0),
                _ => return None,
            };
            let frame = choices.open(entry);
            open.push((inside, frame));
        }
        while let Some((_, frame)) = open.pop() {
            choices.close(frame);
        }
        Some(())
    }

    fn site(&mut self, sites: &mut Vec<&'static Site>) -> Option<Option<&'static Site>> {
        let Some(place) = (self.number()? as usize).checked_sub(1) else { return Some(None) };
        if place == sites.len() {
            let (path, file) = (self.text()?, self.text()?);
            let (line, column) = (self.number()? as u32, self.number()? as u32);
            let mut labels = Vec::new();
            for _ in 0..self.count()? {
                labels.push(self.text()?);
            }
            sites.push(Site::described(path, &labels, file, line, column));
        }
        sites.get(place).copied().map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    /// All that a tree holds, names and bounds as well.
    fn all_of(choices: &Choices) -> Vec<String> {
        let all = |&entry: &Entry| {
            let site = entry.site().map(|site| (site.path(), site.place(), site.column(), site.labels()));
            let label = choices.label_of(entry);
            let numbers = match entry.kind() {
                Kind::Number => (entry.index(), entry.bound()),
                Kind::Pick => (entry.arm() as u64, entry.arms() as u64),
                _ => (entry.index(), 0),
            };
            format!("{:?} {} {numbers:?} {label:?} {site:?}", entry.kind(), entry.extent())
        };
        choices.entries().iter().map(all).collect()
    }

    fn sent(choices: &Choices, from: usize) -> Vec<u8> {
        let mut packing = Packing::default();
        packing.choices(choices, from);
        packing.into_bytes()
    }

    fn received(bytes: &[u8]) -> Option<Choices> {
        let mut choices = Choices::default();
        let mut unpacking = Unpacking::new(bytes);
        unpacking.choices(&mut choices)?;
        unpacking.bytes.is_empty().then_some(choices)
    }

    fn samples() -> impl Iterator<Item = Choices> {
        let tree =
            recursive(|tree| one_of((just(0_u64), tuple((any::<u64>(), vec_of(tree, ..4))).map(|(number, _)| number))));
        let numbers = tuple((any::<u64>(), any::<i8>(), any::<f64>(), 0..=0_u8));
        let texts = tuple((any::<String>(), any::<Option<char>>(), vec_of(any::<(bool, Vec<bool>)>(), ..)));
        let read = ["3:λ(0:+ 1:\"two words\")", "[(1) {} 0:]", "", "4294967295:x"].map(|text| text.parse().unwrap());
        let of_seed = move |seed| [tree.sample_choices(seed), numbers.sample_choices(seed), texts.sample_choices(seed)];
        (0..40).flat_map(of_seed).chain(read)
    }

    #[test]
    fn a_tree_comes_back_with_its_bounds_and_sites() {
        for choices in samples() {
            let back = received(&sent(&choices, 0)).unwrap();
            assert_eq!(all_of(&back), all_of(&choices));
        }
    }

    #[test]
    fn a_tree_sent_in_parts_is_the_same_tree() {
        for choices in samples().filter(|choices| choices.len() < 1000) {
            let (mut whole, from) = (choices.clone(), choices.len());
            whole.append(choices);
            // The second half alone, behind the first one.
            let mut back = received(&sent(&whole, from)).unwrap();
            Unpacking::new(&sent(&whole, from)).choices(&mut back).unwrap();
            assert_eq!(all_of(&back), all_of(&whole));
            assert_eq!(sent(&back, back.len()), [0]);
        }
    }

    #[test]
    fn what_is_damaged_is_refused_and_never_a_panic() {
        let mut rng = crate::source::Rng::new(1);
        for choices in samples().filter(|choices| choices.len() < 40) {
            let bytes = sent(&choices, 0);
            for end in 0..bytes.len() {
                assert!(received(&bytes[..end]).is_none());
            }
            for _ in 0..20 {
                let mut bytes = bytes.clone();
                let at = rng.at_most(bytes.len() as u64 - 1) as usize;
                bytes[at] = rng.at_most(255) as u8;
                let _ = received(&bytes);
            }
        }
        assert!(received(&[0xff; 100]).is_none());
    }

    #[test]
    fn a_million_levels_need_no_stack() {
        let text = "(".repeat(1_000_000) + &")".repeat(1_000_000);
        let choices: Choices = text.parse().unwrap();
        assert_eq!(received(&sent(&choices, 0)), Some(choices));
    }
}
