//! Control over shrinking: what a value shrinks to is said by hand.
//!
//! | what | shrinks to |
//! | --- | --- |
//! | [`shrink_to`] | one of the values that were given |
//! | [`shrink_with`](super::Generator::shrink_with) | what a function makes of the value, again and again |
//! | [`from_shrink_tree`] | the values below it in a tree |
//!
//! The other way round, [`shrink_tree`](super::Generator::shrink_tree) shows what shrinking tries
//! as such a tree.

mod shrink_to;
mod shrink_with;
mod tree;

pub use shrink_to::{ShrinkTo, shrink_to};
pub use shrink_with::ShrinkWith;
pub(super) use tree::tree_of_choices;
pub use tree::{FromShrinkTree, ShrinkTree, from_shrink_tree};

use crate::choice::{MOST_STEPS, STEPS};
use crate::source::{Distribution, Drawn, Source};

/// How many values one step may offer; those after them are not seen.
const MOST_OFFERED: usize = 10_000;

/// Hands out the values below one, until no more are wanted.
type Offer<'o, N> = dyn Fn(&N, &mut dyn FnMut(N) -> bool) + 'o;

/// Takes the steps that the source answers, beginning at `node`: each to one of those that `offer`
/// hands out, as long as more are wanted, until the answer is 0. Drawn at random there are none.
/// `None` if `is_allowed` refuses one of the steps.
fn take_steps<N>(
    source: &mut Source<'_>,
    node: N,
    offer: &Offer<'_, N>,
    is_allowed: &mut dyn FnMut(&N, &N) -> bool,
) -> Drawn<Option<N>> {
    // Nobody wants to know what could follow.
    if source.is_random() {
        return Ok(Some(node));
    }
    source.call(&STEPS, |source| {
        let mut node = node;
        for _ in 0..MOST_STEPS {
            // Where another step was taken nobody asks how many there were to choose from; and
            // making them all may take long.
            let next = source.number_found(MOST_OFFERED as u64, Distribution::Always(0), |step| {
                let (mut count, mut next) = (0, None);
                offer(&node, &mut |offered| {
                    count += 1;
                    next = (step > 0).then_some(offered);
                    count != if step > 0 { step } else { MOST_OFFERED as u64 }
                });
                if step > 0 { (count, count, next) } else { (0, count, None) }
            })?;
            let Some(next) = next else { break };
            if !is_allowed(&node, &next) {
                return Ok(None);
            }
            node = next;
        }
        Ok(Some(node))
    })
}
