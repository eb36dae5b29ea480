use crate::choice::Entry;

/// Takes values that are made one after another. A closure takes them one by one; a list need not ask for each of many whether there is room for it.
#[doc(hidden)]
pub trait Keep<T> {
    fn one(&mut self, value: T);

    /// Takes what is made of numbers that are known, as long as they fit, and says how many did.
    #[inline(always)]
    fn known(&mut self, numbers: KnownNumbers<'_>, mut make: impl FnMut(u64) -> T) -> usize {
        numbers.each(|_, index| self.one(make(index)))
    }
}

impl<T, F: FnMut(T)> Keep<T> for F {
    #[inline(always)]
    fn one(&mut self, value: T) {
        self(value);
    }
}

/// Takes what values are made of, and hands on the values.
pub(crate) struct Making<K, F> {
    pub(crate) keep: K,
    pub(crate) make: F,
}

impl<P, T, K: Keep<T>, F: FnMut(P) -> T> Keep<P> for Making<K, F> {
    #[inline(always)]
    fn one(&mut self, part: P) {
        self.keep.one((self.make)(part));
    }

    #[inline(always)]
    fn known(&mut self, numbers: KnownNumbers<'_>, mut make: impl FnMut(u64) -> P) -> usize {
        self.keep.known(numbers, |index| (self.make)(make(index)))
    }
}

/// What comes next in a tree of choices where numbers in a row are asked for.
#[doc(hidden)]
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "nobody outside sees one")]
pub struct KnownNumbers<'c> {
    pub(super) entries: &'c [Entry],
    /// The largest number there may be.
    pub(super) max: u64,
}

impl KnownNumbers<'_> {
    /// At least as many as there are.
    #[inline(always)]
    pub(crate) fn most(self) -> usize {
        self.entries.len()
    }

    /// Hands each with its place to `take`, up to the first that is no number within the bound, and says how many there were.
    #[inline(always)]
    pub(crate) fn each(self, mut take: impl FnMut(usize, u64)) -> usize {
        let usual = Entry::number(0, self.max);
        for (place, entry) in self.entries.iter().enumerate() {
            if !entry.is_number_like(usual) || entry.index() > self.max {
                return place;
            }
            take(place, entry.index());
        }
        self.entries.len()
    }
}
