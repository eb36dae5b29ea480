/// Shares of which one is drawn with one random number and without a search: the alias method.
///
/// The random numbers are divided into slots of the same size, and each slot between two items at most. Sizes are whole numbers that add up exactly, so
/// an item is drawn just as often as its part of the slots says.
#[derive(Debug)]
pub(super) struct Alias {
    slots: [Slot; SLOTS],
}

/// Which item a random number is for that lies in the slot and below the limit, and which if it does not lie below.
#[derive(Clone, Copy, Debug)]
struct Slot {
    limit: u64,
    items: [u8; 2],
}

/// There are at most as many shares.
pub(super) const SLOTS: usize = 128;
/// How many random numbers are in a slot.
const SIZE: u64 = 1 << SHIFT;
const SHIFT: u32 = u64::BITS - SLOTS.trailing_zeros();

impl Alias {
    /// Draws each item as often as its share says. `None` if there is nothing to draw: no share is positive. So many lower bits of the random number have no say, and
    /// may be used for something else.
    pub(super) fn new(shares: &[f64], free_bits: u32) -> Option<Box<Alias>> {
        let total: f64 = shares.iter().sum();
        // The random numbers of each item that are not in a slot yet.
        let mut left = [0u128; SLOTS];
        let (whole, mut sum, mut largest) = (1u128 << u64::BITS, 0, 0);
        for (item, share) in shares.iter().enumerate() {
            if *share > 0.0 {
                left[item] = ((share / total * whole as f64) as u128 >> free_bits).max(1) << free_bits;
                sum += left[item];
            }
            if left[item] > left[largest] {
                largest = item;
            }
        }
        if sum == 0 {
            return None;
        }
        // Rounding left some over, or took a few too many. The largest notices it least.
        left[largest] = left[largest] + whole - sum;
        Some(Box::new(Alias { slots: divided(left) }))
    }

    /// The item that a random number stands for.
    #[inline(always)]
    pub(super) fn item(&self, random: u64) -> usize {
        let slot = &self.slots[(random >> SHIFT) as usize];
        usize::from(slot.items[usize::from(random >= slot.limit)])
    }
}

/// Gives each item a slot. One that does not fill its slot shares it with one that does not fit into its own.
fn divided(mut left: [u128; SLOTS]) -> [Slot; SLOTS] {
    let whole = u128::from(SIZE);
    let mut slots = [Slot { limit: 0, items: [0; 2] }; SLOTS];
    let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..SLOTS).partition(|item| left[*item] < whole);
    for (place, slot) in slots.iter_mut().enumerate() {
        // Nothing is lost on the way, so where one is too small another is too large; at the end they all fit.
        let Some(other) = large.last().copied() else { break };
        let Some(one) = small.pop() else {
            large.pop();
            slot.items = [other as u8; 2];
            continue;
        };
        slot.limit = place as u64 * SIZE + left[one] as u64;
        slot.items = [one as u8, other as u8];
        left[other] -= whole - left[one];
        if left[other] < whole {
            large.pop();
            small.push(other);
        }
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Rng;

    impl Alias {
        /// How likely an item is.
        pub(in super::super) fn chance_of(&self, item: usize) -> f64 {
            units(self, item) as f64 / 2f64.powi(64)
        }
    }

    /// How many of all random numbers draw an item.
    fn units(alias: &Alias, item: usize) -> u128 {
        let mut units = 0;
        for (place, slot) in alias.slots.iter().enumerate() {
            let below = slot.limit.saturating_sub(place as u64 * SIZE);
            let [one, other] = slot.items.map(usize::from);
            units += if one == item { u128::from(below) } else { 0 };
            units += if other == item { u128::from(SIZE - below) } else { 0 };
        }
        units
    }

    #[test]
    fn every_item_has_its_share_of_the_random_numbers() {
        let mut rng = Rng::new(7);
        for (count, free_bits) in (1..=SLOTS).zip([0, 32].into_iter().cycle()) {
            let share = |rng: &mut Rng| if rng.at_most(3) == 0 { 0.0 } else { rng.at_most(1000) as f64 };
            let shares: Vec<f64> = (0..count).map(|_| share(&mut rng)).collect();
            let total: f64 = shares.iter().sum();
            let Some(alias) = Alias::new(&shares, free_bits) else {
                assert_eq!(total, 0.0);
                continue;
            };
            let mut sum = 0;
            for (item, share) in shares.iter().enumerate() {
                let (units, wanted) = (units(&alias, item), share / total * 2f64.powi(64));
                sum += units;
                // What a float can tell apart, or the bits that have a say, for each of the items.
                let most = 2f64.powi(8 + free_bits.max(12) as i32);
                assert!((units as f64 - wanted).abs() <= most, "{item} of {shares:?}: {units}, not {wanted}");
                assert_eq!(units % (1 << free_bits), 0);
                assert_eq!(units == 0, *share == 0.0);
            }
            assert_eq!(sum, 1 << 64);
        }
    }

    #[test]
    fn what_is_drawn_is_what_the_slots_say() {
        let alias = Alias::new(&[1.0, 0.0, 5.0, 2.0, 0.5], 32).unwrap();
        let (mut rng, mut counts) = (Rng::new(3), [0u32; 5]);
        for _ in 0..85_000 {
            counts[alias.item(rng.next())] += 1;
        }
        for (count, wanted) in counts.iter().zip([10_000u32, 0, 50_000, 20_000, 5_000]) {
            assert!(count.abs_diff(wanted) <= wanted / 20, "{counts:?}");
        }
    }

    #[test]
    fn the_only_item_and_a_very_rare_one_are_drawn() {
        assert_eq!(Alias::new(&[0.0, 3.0], 0).unwrap().item(12345), 1);
        assert_eq!(units(&Alias::new(&[1.0, 1e-300], 0).unwrap(), 1), 1);
        assert!(Alias::new(&[0.0], 0).is_none());
    }
}
