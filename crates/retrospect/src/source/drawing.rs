//! Numbers in a row.

use super::{Answers, Drawn, Keep, Law, Rng, Source};
use crate::choice::Entry;

impl Source<'_> {
    /// [`drawn`](Source::drawn) many times, each a part of its own, handed to `keep`. The random numbers and the record stay in registers
    /// meanwhile, which is what makes a list as fast as one made by hand.
    #[inline(always)]
    pub(crate) fn drawn_many<T>(
        &mut self,
        count: usize,
        mut draw: impl FnMut(&mut Rng) -> T,
        request: impl Fn() -> (u64, Law),
        mut index_of: impl FnMut(&T) -> u64,
        made_of: impl Fn(u64) -> T,
        keep: &mut impl Keep<T>,
    ) -> Drawn<()> {
        match self.answers {
            Answers::Random => {
                let mut rng = self.rng.clone();
                keep.keep_while(count, || Some(draw(&mut rng)));
                self.rng = rng;
            }
            Answers::RandomRecorded => {
                let mut rng = self.rng.clone();
                let mut numbers = self.record.numbers_to_come(count, request().0);
                for _ in 0..count {
                    let value = draw(&mut rng);
                    numbers.note(index_of(&value));
                    keep.keep(value);
                }
                drop(numbers);
                self.rng = rng;
            }
            Answers::Asked => {
                let (max, law) = request();
                if self.tuned.is_some()
                    && let Some((items, drawn)) = self.unrecorded_items(max, &law)
                {
                    let (mut rng, mut left) = (drawn.clone(), count);
                    loop {
                        left -= keep.keep_while(left, || items.draw_quickly(&mut rng).map(&made_of));
                        if left == 0 {
                            break;
                        }
                        // What is rare is drawn out here: registers would have to be kept free for a call in there.
                        let index;
                        (index, rng) = items.draw_other(rng);
                        keep.keep(made_of(index));
                        left -= 1;
                    }
                    *drawn = rng;
                    return Ok(());
                }
                let usual = Entry::number(0, max);
                let mut left = count;
                while left > 0 {
                    // Where choices answer, nearly all numbers are as they were before.
                    let known = self.known_nodes(left);
                    let mut next = known.iter();
                    let same = keep.keep_while(known.len(), || match next.next() {
                        Some(entry) if entry.is_number_like(usual) && entry.index() <= max => {
                            Some(made_of(entry.index()))
                        }
                        _ => None,
                    });
                    self.take_known(&known[..same]);
                    left -= same;
                    if left > 0 {
                        // A few at a time: what keeps them must not be seen by others, or it could not stay in registers above.
                        for index in self.ask_numbers((max, law), left)? {
                            keep.keep(made_of(*index));
                            left -= 1;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
