use super::{Generator, why};
use crate::source::{DEFAULT_SIZE, Rng, Searches, Source, Stop};

/// The values of [`Generator::samples`].
///
/// ```
/// use retrospect::generator::{Any, Samples};
/// use retrospect::prelude::*;
/// struct Feed<'g> {
///     numbers: Samples<'g, Any<u8>>,
/// }
/// let generator = any::<u8>();
/// let feed = Feed { numbers: generator.samples(7) };
/// assert_eq!(feed.numbers.take(5).count(), 5);
/// ```
#[derive(Debug)]
pub struct Samples<'g, G> {
    generator: &'g G,
    rng: Rng,
    count: u32,
    /// Searches build on what they have found for the values before.
    searches: Option<Box<Searches>>,
}

impl<'g, G> Samples<'g, G> {
    pub(super) fn new(generator: &'g G, seed: u64) -> Samples<'g, G> {
        Samples { generator, rng: Rng::new(seed), count: 0, searches: None }
    }
}

impl<G: Generator> Iterator for Samples<'_, G> {
    type Item = G::Value;

    #[track_caller]
    fn next(&mut self) -> Option<G::Value> {
        let size = self.count.min(DEFAULT_SIZE);
        self.count = self.count.saturating_add(1);
        let mut source = Source::random(self.rng.next()).with_size(size).going_on(self.searches.take());
        let drawn = self.generator.generate(&mut source);
        self.searches = source.take_searches();
        match drawn {
            Ok(value) => Some(value),
            Err(Stop) => panic!("cannot generate a value: {}", why(&source)),
        }
    }
}
