/// Where the items of a list go, one after the other or several at once.
///
/// ```
/// use retrospect::source::Keep;
/// let mut kept = Vec::new();
/// let mut keep = |number: i32| kept.push(number);
/// keep.keep(5);
/// let mut numbers = (1..).map(|number| (number < 3).then_some(10 * number));
/// assert_eq!(keep.keep_while(7, || numbers.next().flatten()), 2);
/// assert_eq!(kept, [5, 10, 20]);
/// ```
#[doc(hidden)]
pub trait Keep<T> {
    /// Takes the next item.
    fn keep(&mut self, item: T);

    /// Takes items as long as there is a next one, but not more than `count`. Returns how many.
    #[inline(always)]
    fn keep_while(&mut self, count: usize, mut next: impl FnMut() -> Option<T>) -> usize {
        let mut kept = 0;
        while kept < count
            && let Some(item) = next()
        {
            self.keep(item);
            kept += 1;
        }
        kept
    }

    /// The same place for what `make` makes such items of.
    #[inline(always)]
    fn of<F>(&mut self, make: F) -> KeepMade<'_, Self, F> {
        KeepMade { keep: self, make }
    }
}

impl<T, F: FnMut(T)> Keep<T> for F {
    #[inline(always)]
    fn keep(&mut self, item: T) {
        self(item);
    }
}

/// Made by [`Keep::of`].
#[doc(hidden)]
#[derive(Debug)]
pub struct KeepMade<'k, K: ?Sized, F> {
    keep: &'k mut K,
    make: F,
}

impl<A, T, K: Keep<T>, F: Fn(A) -> T> Keep<A> for KeepMade<'_, K, F> {
    #[inline(always)]
    fn keep(&mut self, item: A) {
        self.keep.keep((self.make)(item));
    }

    #[inline(always)]
    fn keep_while(&mut self, count: usize, mut next: impl FnMut() -> Option<A>) -> usize {
        let make = &self.make;
        self.keep.keep_while(count, || next().map(make))
    }
}
