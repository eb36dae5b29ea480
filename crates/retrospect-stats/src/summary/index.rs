//! Texts and other things by number.

/// Numbers for hashes, in the order in which they came. Two things with one hash of 64 bits count
/// as the same; among a million the chance of that is 3 in 10^8.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    hashes: Vec<u64>,
    /// Open addressing, numbers plus one; twice as many as there are numbers, at least.
    slots: Vec<u32>,
}

impl Index {
    /// The number of the hash, and whether it is new.
    pub fn number(&mut self, hash: u64) -> (u32, bool) {
        if (self.hashes.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let slot = self.slot(hash);
        if self.slots[slot] != 0 {
            return (self.slots[slot] - 1, false);
        }
        self.hashes.push(hash);
        self.slots[slot] = self.hashes.len() as u32;
        (self.hashes.len() as u32 - 1, true)
    }

    pub fn find(&self, hash: u64) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot(hash)].checked_sub(1)
    }

    pub fn hash(&self, number: u32) -> u64 {
        self.hashes[number as usize]
    }

    pub fn bytes(&self) -> usize {
        self.hashes.len() * 8 + self.slots.len() * 4
    }

    pub fn shrink_to_fit(&mut self) {
        self.hashes.shrink_to_fit();
    }

    /// Where the hash is, or would be.
    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> 7) as usize & mask;
        while self.slots[slot] != 0 && self.hashes[self.slots[slot] as usize - 1] != hash {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![0; (self.slots.len() * 2).max(16)];
        let mask = self.slots.len() - 1;
        for (number, hash) in self.hashes.iter().enumerate() {
            let mut slot = (hash >> 7) as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = number as u32 + 1;
        }
    }
}

/// Longer texts are told apart as a whole, but only this much of them is kept.
const KEPT: usize = 400;

/// Texts by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary {
    index: Index,
    texts: Vec<Box<str>>,
}

impl Dictionary {
    pub fn number(&mut self, text: &str) -> u32 {
        let (number, is_new) = self.index.number(hash(text.as_bytes()));
        if is_new {
            self.texts.push(cut(text, KEPT).into());
        }
        number
    }

    pub fn find(&self, text: &str) -> Option<u32> {
        self.index.find(hash(text.as_bytes())).or_else(|| {
            // A text that was cut off is asked for as it is shown.
            if text.len() + 4 < KEPT {
                return None;
            }
            self.texts.iter().position(|kept| **kept == *text).map(|at| at as u32)
        })
    }

    pub fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// For each number of the other, the number here.
    pub fn take_over(&mut self, other: &Dictionary) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(other.len());
        for (at, text) in other.texts.iter().enumerate() {
            let (number, is_new) = self.index.number(other.index.hash(at as u32));
            if is_new {
                self.texts.push(text.clone());
            }
            numbers.push(number);
        }
        numbers
    }

    pub fn bytes(&self) -> usize {
        self.index.bytes() + self.texts.iter().map(|text| text.len() + 16).sum::<usize>()
    }
}

/// The first `n_bytes`, at a border between characters, and dots if there were more.
pub(crate) fn cut(text: &str, n_bytes: usize) -> std::borrow::Cow<'_, str> {
    if text.len() <= n_bytes {
        return text.into();
    }
    let mut end = n_bytes;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", &text[..end]).into()
}

/// The same on every machine.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        (product as u64) ^ (product >> 64) as u64
    };
    let mut state = 0x2545_f491_4f6c_dd1d ^ bytes.len() as u64;
    let mut words = bytes.chunks_exact(8);
    for word in &mut words {
        let word = u64::from_le_bytes([word[0], word[1], word[2], word[3], word[4], word[5], word[6], word[7]]);
        state = fold(state ^ word, FACTOR).wrapping_add(word);
    }
    let mut last = 0;
    for (at, byte) in words.remainder().iter().enumerate() {
        last |= u64::from(*byte) << (8 * at);
    }
    state = fold(state ^ last, FACTOR).wrapping_add(last);
    fold(state ^ (state >> 32), 0xd6e8_feb8_6659_fd93)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_in_order_and_found_again() {
        let mut index = Index::default();
        for round in 0..2 {
            for n in 0..10_000_u64 {
                assert_eq!(index.number(hash(&n.to_le_bytes())), (n as u32, round == 0));
            }
        }
        assert_eq!(index.find(hash(&77_u64.to_le_bytes())), Some(77));
        assert_eq!(index.find(hash(b"else")), None);
        assert_eq!(Index::default().find(1), None);
    }

    #[test]
    fn a_long_text_is_cut_but_told_apart() {
        let mut dictionary = Dictionary::default();
        let (one, other) = ("é".repeat(1000) + "1", "é".repeat(1000) + "2");
        assert_eq!(dictionary.number(&one), 0);
        assert_eq!(dictionary.number(&other), 1);
        assert_eq!(dictionary.text(0).len(), KEPT + "…".len());
        assert_eq!(dictionary.find(&other), Some(1));
        assert_eq!(dictionary.find("x"), None);
        let mut second = Dictionary::default();
        second.number("x");
        assert_eq!(second.take_over(&dictionary), [1, 2]);
        assert_eq!(second.find(&one), Some(1));
    }
}
