//! The pass for shrinkers that users wrote by hand.

use super::door::{Door, Over};

/// A step that the value offers is taken: the first that still fails; then one of those that are
/// offered from there, until none fails. It is what QuickCheck does with a list of smaller values.
///
/// `{2 0}` → `{2 1 0}`
pub(super) fn steps(door: &mut Door<'_>) -> Result<(), Over> {
    let mut place = 0;
    while place < door.best().steps.len() {
        while step(door, place)? {}
        place += 1;
    }
    Ok(())
}

/// Whether one more step was taken in the bracket that is the `place`-th of its sort.
fn step(door: &mut Door<'_>, place: usize) -> Result<bool, Over> {
    let tree = door.best();
    let Some(last) = tree.steps.get(place).and_then(|at| tree.children(*at).last().copied()) else {
        return Ok(false);
    };
    // Without a 0 at the end no more steps are allowed.
    if tree.index(last) > 0 {
        door.cut_short();
        return Ok(false);
    }
    for offered in 1..=tree.entry(last).bound() {
        if door.consider(tree.with([(last, offered)]))? {
            return Ok(true);
        }
    }
    Ok(false)
}
