//! How likely values are said to be, compared with samples. The tests of other crates' types use
//! it, too.

use retrospect::prelude::*;
use retrospect::source::Source;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// What is wrong with how likely the values of a generator are said to be, compared with samples.
pub(crate) fn fault<G: Generator<Value: Debug>>(generator: &G, size: u32) -> Option<String> {
    const SAMPLES: u32 = 3000;
    let mut counts: BTreeMap<String, (G::Value, u32)> = BTreeMap::new();
    for seed in 0..SAMPLES {
        let value = generator.generate(&mut Source::random(seed.into()).with_size(size)).unwrap();
        counts.entry(format!("{value:?}")).or_insert((value, 0)).1 += 1;
    }
    let (mut seen, mut once) = (0.0, 0.0);
    for (text, (value, count)) in &counts {
        let share = match generator.ways_of(value).at_size(size).probability() {
            Ok(probability) if probability.is_zero() => return Some(format!("{text} was drawn")),
            Ok(probability) => probability.to_f64().unwrap_or(0.0),
            Err(error) => return Some(format!("{text}: {error}")),
        };
        seen += share;
        once += if *count == 1 { 1.0 } else { 0.0 };
        let expected = share * f64::from(SAMPLES);
        if (f64::from(*count) - expected).abs() > 5.5 * expected.sqrt() + 4.0 {
            return Some(format!("{text}: {count} times, not {expected}"));
        }
    }
    // What was not seen is about as likely as what was seen once.
    let unseen = once / f64::from(SAMPLES);
    ((1.0 - seen - unseen).abs() > 0.05).then(|| format!("{seen} was seen, {unseen} estimated to be left"))
}

macro_rules! check {
    ($sizes:expr; $($generator:expr;)*) => {
        let mut faults: Vec<String> = Vec::new();
        $(
            for size in $sizes {
                if let Some(fault) = $crate::sampled::fault(&$generator, size) {
                    faults.push(format!("{} at {size}: {fault}", stringify!($generator)));
                }
            }
        )*
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    };
}
pub(crate) use check;
