//! The names of rules: each once, with a number.

/// The names that occurred so far. A name is known by the number of its first occurrence.
pub(crate) struct Names<'t> {
    pub(crate) names: Vec<&'t str>,
    /// Numbers of names by the hash of their text, the next free slot if it is taken; 0 is free,
    /// others are one more. Always a power of two.
    slots: Vec<u32>,
}

impl<'t> Names<'t> {
    pub(crate) fn new() -> Names<'t> {
        Names { names: Vec::new(), slots: vec![0; 64] }
    }

    /// The number of a name, which may be new.
    pub(crate) fn number(&mut self, name: &'t str) -> usize {
        let slot = self.slot(name);
        if self.slots[slot] > 0 {
            return self.slots[slot] as usize - 1;
        }
        self.names.push(name);
        self.slots[slot] = self.names.len() as u32;
        if self.names.len() * 2 > self.slots.len() {
            self.grow();
        }
        self.names.len() - 1
    }

    /// The number of a name, if it occurred.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        (self.slots[self.slot(name)] as usize).checked_sub(1)
    }

    fn slot(&self, name: &str) -> usize {
        // FNV-1a.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in name.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let mask = self.slots.len() - 1;
        let mut slot = (hash ^ (hash >> 32)) as usize & mask;
        while self.slots[slot] > 0 && self.names[self.slots[slot] as usize - 1] != name {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![0; self.slots.len() * 2];
        for index in 0..self.names.len() {
            let slot = self.slot(self.names[index]);
            self.slots[slot] = index as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_number_however_many_there_are() {
        let texts: Vec<String> = (0..5_000).map(|number| format!("name{number}")).collect();
        let mut names = Names::new();
        for round in 0..2 {
            for (number, text) in texts.iter().enumerate() {
                assert_eq!(names.number(text), number, "round {round}");
            }
        }
        assert_eq!(names.find("name4711"), Some(4711));
        assert_eq!(names.find("name5000"), None);
    }
}
