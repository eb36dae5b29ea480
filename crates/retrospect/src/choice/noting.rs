use super::{Choices, Entry};

impl Choices {
    /// Takes down that many numbers with the same bound. No closure, because what makes them should
    /// stay in registers in every profile, and a closure is not always inlined.
    #[inline(always)]
    pub(crate) fn numbers_to_come(&mut self, count: usize, bound: u64) -> NumbersToCome<'_> {
        self.entries.reserve(count);
        let next = self.entries.spare_capacity_mut()[..count].as_mut_ptr().cast();
        NumbersToCome { entries: &mut self.entries, next, room: count, noted: 0, entry: Entry::number(0, bound) }
    }
}

/// Numbers that are noted one after the other, as many as were announced. The tree learns how many
/// there are at the end.
pub(crate) struct NumbersToCome<'r> {
    entries: &'r mut Vec<Entry>,
    next: *mut Entry,
    room: usize,
    noted: usize,
    entry: Entry,
}

impl NumbersToCome<'_> {
    #[inline(always)]
    pub(crate) fn note(&mut self, index: u64) {
        assert!(self.noted < self.room);
        // SAFETY: there is room for one more, and nothing else uses the entries meanwhile.
        unsafe { self.next.add(self.noted).write(Entry { payload: index, ..self.entry }) };
        self.noted += 1;
    }
}

impl Drop for NumbersToCome<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: that many entries were written after those that were there, within the capacity.
        unsafe { self.entries.set_len(self.entries.len() + self.noted) };
    }
}
