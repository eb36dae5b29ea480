//! Sorted lists: each item is drawn from what the item before leaves possible.

use retrospect::prelude::*;

/// Lists in ascending order, with items from `least` to `most`.
#[generator]
pub fn sorted(least: i64, most: i64) -> Vec<i64> {
    draw(sequence_of(least, .., |at_least| Some(*at_least..=most), |_, item| *item))
}
