//! Sets and maps, whose items are drawn again until they differ.

use crate::agrees_with_samples;
use retrospect::prelude::*;
use retrospect::reflect::Probability;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// All sets of the first so many numbers.
fn subsets(count: u8) -> Vec<BTreeSet<u8>> {
    (0..1u32 << count).map(|set| (0..count).filter(|item| set >> item & 1 == 1).collect()).collect()
}

fn add_up<G: Generator>(generator: &G, values: &[G::Value]) {
    for size in [0, 1, 3, 7] {
        let mut sum = Probability::new(0, 1);
        for value in values {
            sum = &sum + &generator.ways_of(value).at_size(size).probability().unwrap();
        }
        // Fractions of more than 2,000 binary digits are rounded.
        match sum.fraction() {
            Some(_) => assert_eq!(sum, Probability::new(1, 1), "at size {size}"),
            None => assert!((sum.to_f64().unwrap() - 1.0).abs() < 1e-12, "{sum} at size {size}"),
        }
    }
}

#[test]
fn the_probabilities_of_all_sets_add_up_to_exactly_one() {
    add_up(&set_of(0..4, ..), &subsets(4));
    add_up(&set_of(0..4, ..=2), &subsets(4));
    assert!(set_of(0..4, ..).ways_of(&subsets(4)[7]).probability().unwrap().fraction().is_some());
    add_up(&set_of(0..3, 1..=5), &subsets(3));
    add_up(&set_of(frequency(((2, 0..2), (1, 1..4))), ..), &subsets(4));
    let maps: Vec<BTreeMap<u8, bool>> = (0..27)
        .map(|map| {
            (0..3)
                .filter_map(|key| Some((key, [true, false].get(map / 3usize.pow(key.into()) % 3).copied()?)))
                .collect()
        })
        .collect();
    add_up(&map_of(0..3, any::<bool>(), ..), &maps);
    let nested: Vec<BTreeSet<BTreeSet<u8>>> = (0..16u32)
        .map(|set| (0..4).filter(|item| set >> item & 1 == 1).map(|item| subsets(2)[item].clone()).collect())
        .collect();
    add_up(&set_of(set_of(0..2, ..), ..=2), &nested);
}

#[test]
fn sets_and_maps_are_drawn_as_often_as_said() {
    for size in [1, 3, 100] {
        agrees_with_samples(set_of(0..4, ..), size);
        agrees_with_samples(set_of(frequency(((8, 0..2), (1, 1..5))), ..=4), size);
        agrees_with_samples(set_of(one_of((0..4, 2..6)), 2..=3), size);
        agrees_with_samples(map_of(0..3, any::<bool>(), ..), size);
        agrees_with_samples(any::<Option<BTreeSet<bool>>>(), size);
        agrees_with_samples(map_of(any::<bool>(), set_of(0..3, ..=1), ..=2), size);
    }
    // Of a hundred items some are not found before it is given up.
    agrees_with_samples(set_of(0..8, 6..), 100);
    agrees_with_samples(set_of(frequency(((300, exact(0)), (1, 1..3))), ..=3), 100);
    let tuned = set_of(0..5, ..).tuned_like(&[[1, 2].into(), [1].into(), [2, 4, 1].into()]).unwrap();
    agrees_with_samples(tuned, 100);
    let keys =
        map_of(0..3, any::<bool>(), ..).tuned_like(&[[(1, true), (2, true)].into(), [(1, false)].into()]).unwrap();
    agrees_with_samples(keys, 100);
}

#[test]
fn a_set_is_the_sum_of_its_orders() {
    let pairs = set_of(frequency(((1, exact(0)), (2, exact(1)), (3, exact(2)))), 2);
    // 1/6 and then 2/6 of the other 5/6, or 2/6 and then 1/6 of the other 4/6.
    let expected = &Probability::new(1, 15) + &Probability::new(1, 12);
    assert_eq!(pairs.ways_of(&BTreeSet::from([0, 1])).probability().unwrap(), expected);
    let (way, likely) = pairs.ways_of(&BTreeSet::from([0, 1])).likeliest().unwrap();
    // All orders count as one way.
    assert_eq!((way.to_string(), likely), ("[0: 1:]".to_owned(), expected));
    let hashed = hash_set_of(0..10, 2);
    assert_eq!(hashed.ways_of(&HashSet::from([3, 7])).probability().unwrap(), Probability::new(1, 45));
    assert!(pairs.ways_of(&BTreeSet::from([0, 5])).probability().unwrap().is_zero());
    assert!(pairs.ways_of(&BTreeSet::from([0])).probability().unwrap().is_zero());
    assert!(set_of(0..99, ..).ways_of(&BTreeSet::from([0, 1])).at_size(1).probability().unwrap().is_zero());
}

#[test]
fn large_sets_are_known_if_their_items_are_alike() {
    let half: BTreeSet<u16> = (0..500).collect();
    let chance = set_of(0..1000u16, 500).ways_of(&half).probability().unwrap();
    // One of 1000 over 500.
    assert!((chance.log10() + 299.4318).abs() < 0.001, "{chance}");
    let mixed: BTreeSet<u32> = (0..12).map(|number| number * number * 1000).collect();
    assert!(set_of(any::<u32>(), ..).ways_of(&mixed).probability().is_ok());
    let many: BTreeSet<u32> = (0..40).map(|number| number * number * 1000).collect();
    let error = set_of(any::<u32>(), ..).ways_of(&many).probability().unwrap_err();
    assert!(error.reason().contains("40 items that must differ may come in any order"), "{error}");
    let rare = set_of(frequency(((1_000_000, exact(0)), (1, exact(1)))), 2);
    let error = rare.ways_of(&BTreeSet::from([0, 1])).probability().unwrap_err();
    assert!(error.reason().contains("the missing ones are made up"), "{error}");
    let deep = any::<BTreeMap<u8, BTreeMap<u8, BTreeMap<u8, bool>>>>();
    assert!(deep.ways_of(&[(1, [(2, [(3, true)].into())].into())].into()).probability().is_ok());
}
