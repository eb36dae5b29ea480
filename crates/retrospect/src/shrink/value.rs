//! Passes that know nothing of the value themselves, but ask for it: the trial may look at it
//! backward.

use super::door::{Door, Over};
use super::order::{compare, is_simpler};

/// The same value is made in another way, if that is simpler.
///
/// `0:spelled([7 0 0])` → `1:whole(700)`
pub(super) fn way(door: &mut Door<'_>) -> Result<(), Over> {
    if let Some(simplest) = door.simplest_way() {
        // The value is the same if the generator keeps to its laws; a run is cheap, and a result
        // that does not fail would be wrong.
        door.consider(simplest)?;
    }
    Ok(())
}

/// The value is changed a little, and made by the choices of what it has become: the simplest
/// first. A change of the value is often a change of many choices.
///
/// A search tree with the keys 30 and 37: `1:node(30 0 1:node(6 0 0))` → `1:node(37 0 0)`
pub(super) fn value(door: &mut Door<'_>) -> Result<(), Over> {
    loop {
        let before = door.version();
        let best = door.best();
        let mut near = door.near();
        near.retain(|choices| is_simpler(choices, &best.choices) && !door.was_tried(choices));
        near.sort_by(compare);
        for (count, choices) in near.into_iter().enumerate() {
            if count == MOST_RUNS {
                door.cut_short();
                break;
            }
            if door.consider(choices)? {
                break;
            }
        }
        if door.version() == before {
            return Ok(());
        }
    }
}

/// How many values are tried before it is said that none helps.
const MOST_RUNS: usize = 100;

#[cfg(test)]
mod tests {
    use super::super::{End, Replayed, Shrinker, Trial, Tried};
    use crate::choice::Choices;
    use crate::prelude::*;

    /// A number of 1,000 fails if it is one of these; near each are all below.
    struct OneOf<'n>(&'n [u32], usize);

    impl Trial for OneOf<'_> {
        fn replay(&mut self, candidate: &Choices) -> Replayed {
            (0..1000u32).try_replay(candidate).map_or(Replayed::Nothing, |(_, made)| Replayed::Made(made))
        }

        fn run(&mut self, candidate: &Choices) -> Tried {
            match (0..1000u32).try_replay(candidate) {
                Ok((number, made)) if self.0.contains(&number) => Tried::Fails(made),
                _ => Tried::Passes,
            }
        }

        fn spare(&mut self, _: &Choices, _: u64) -> u64 {
            0
        }

        fn near(&mut self, choices: &Choices) -> Vec<Choices> {
            let number = (0..1000u32).replay(choices);
            (0..1000)
                .filter(|other| *other != number)
                .map(|other| (0..1000u32).choices_of(&other).unwrap())
                .take(self.1)
                .collect()
        }
    }

    #[test]
    fn what_is_near_is_tried_and_nothing_that_is_not_simpler() {
        let shrunk = Shrinker::new().shrink_by(&"901".parse().unwrap(), &mut OneOf(&[901, 43], 999), &mut || true);
        assert_eq!(shrunk.choices.to_string(), "43");
        assert_eq!(shrunk.steps.last().unwrap().pass, "value");
        let shrunk = Shrinker::new().shrink_by(&"0".parse().unwrap(), &mut OneOf(&[0, 43], 999), &mut || true);
        assert_eq!((shrunk.choices.to_string(), shrunk.runs), ("0".to_owned(), 0));
    }

    #[test]
    fn too_much_is_cut_short_and_said() {
        let shrunk = Shrinker::new().shrink_by(&"901".parse().unwrap(), &mut OneOf(&[901], 999), &mut || true);
        let End::Stalled { passes, .. } = &shrunk.end else { panic!("{:?}", shrunk.end) };
        assert!(passes.contains(&"value"));
        let spent = shrunk.spent.iter().find(|(pass, _)| *pass == "value").unwrap().1;
        assert_eq!(spent, super::MOST_RUNS as u64);
    }
}
