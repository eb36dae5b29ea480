//! Numbers in a row.

use super::{Answers, Distribution, Drawn, Keep, Rng, Source};

impl Source<'_> {
    /// [`drawn`](Source::drawn) many times, each a part of its own, handed to `keep`. The random
    /// numbers and the record stay in registers meanwhile, which is what makes a list as fast as
    /// one made by hand.
    #[inline(always)]
    pub(crate) fn drawn_many<T>(
        &mut self,
        count: usize,
        mut draw: impl FnMut(&mut Rng) -> T,
        request: impl Fn() -> (u64, Distribution),
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
                let (max, distribution) = request();
                let mut numbers = [0; MAX_TOGETHER];
                let mut left = count;
                while left > 0 {
                    let numbers = &mut numbers[..left.min(MAX_TOGETHER)];
                    self.ask_numbers(max, distribution, numbers)?;
                    for index in &*numbers {
                        keep.keep(made_of(*index));
                    }
                    left -= numbers.len();
                }
            }
        }
        Ok(())
    }
}

/// Numbers that a chooser is asked for together, at most.
const MAX_TOGETHER: usize = 64;
