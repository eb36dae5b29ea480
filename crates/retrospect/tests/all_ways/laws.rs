//! Numbers that are drawn by laws which are functions.

use retrospect::prelude::*;
use retrospect::reflect::Probability;
use retrospect::source::{Chance, CustomDistribution, Distribution, NumberRequest};
use std::collections::BTreeMap;

/// Compares how often values are sampled with how likely they are said to be: those that were drawn
/// several times, and some others.
fn agrees_with_samples<G: Generator<Value: Ord>>(generator: G) {
    const SAMPLES: u32 = 10_000;
    let mut counts: BTreeMap<G::Value, u32> = BTreeMap::new();
    for value in generator.samples(1).take(SAMPLES as usize) {
        *counts.entry(value).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (value, count) in counts.iter().take(40).chain(counts.iter().rev().take(10)) {
        let probability = generator.ways_of(value).probability().unwrap();
        let expected = probability.to_f64().unwrap_or(0.0) * f64::from(SAMPLES);
        let difference = (f64::from(*count) - expected).abs();
        assert!(!probability.is_zero(), "{value:?} was drawn");
        assert!(difference <= 5.0 * expected.sqrt() + 4.0, "{value:?}: {count} times, not {expected}");
    }
}

fn bits(floats: impl Generator<Value = f64> + Clone) -> impl Generator<Value = u64> + Clone {
    floats.map_with_inverse(f64::to_bits, |bits| Some(f64::from_bits(*bits)))
}

fn small_bits(floats: impl Generator<Value = f32> + Clone) -> impl Generator<Value = u32> + Clone {
    floats.map_with_inverse(f32::to_bits, |bits| Some(f32::from_bits(*bits)))
}

/// How likely all these floats are together.
fn sum(floats: &impl Generator<Value = f64>, first: f64, last: f64) -> f64 {
    let (mut sum, mut next) = (0.0, first);
    while next <= last {
        sum += floats.ways_of(&next).probability().unwrap().to_f64().unwrap();
        next = next.next_up();
    }
    sum
}

#[test]
fn floats_are_drawn_as_often_as_said() {
    agrees_with_samples(bits(any::<f64>()));
    agrees_with_samples(small_bits(any::<f32>()));
    agrees_with_samples(bits(floats().finite()));
    agrees_with_samples(bits(floats().between(0.0..).with_infinities(false)));
    agrees_with_samples(bits(floats().between(-3.5..=1e300).with_subnormals(false)));
    agrees_with_samples(bits(within(0.0..=1.0)));
    agrees_with_samples(bits(within(-0.0..=0.0)));
    agrees_with_samples(bits(within(-1.0..8.0)));
    agrees_with_samples(small_bits(within(1e-40..=1e-39f32)));
    agrees_with_samples(small_bits(within(-7.0..=100.0f32)));
    agrees_with_samples(small_bits(floats().between(-1e-38..=1e-38f32).with_subnormals(false)));
    // So narrow among large numbers that it takes more tries than there are.
    agrees_with_samples(bits(floats().between(1e300..=1.000000000000001e300)));
    agrees_with_samples(bits((0.0..=1e17).skewed(0.0)));
    let few = 1.0..=1.0 + 4.0 * f64::EPSILON;
    for skew in [0.0, 2.0, -1.5] {
        agrees_with_samples(bits(few.clone().skewed(skew)));
        agrees_with_samples(bits(few.clone().skewed(skew).origin(1.0 + 3.0 * f64::EPSILON)));
        agrees_with_samples(small_bits((-1e-44f32..=3e-44).skewed(skew)));
    }
}

#[test]
fn the_floats_of_a_narrow_range_are_certain_together() {
    let few = 1.0..=1.0 + 20.0 * f64::EPSILON;
    let chances: Vec<_> =
        (0..=20).map(|more| few.ways_of(&(1.0 + f64::from(more) * f64::EPSILON)).probability().unwrap()).collect();
    let all = chances.iter().skip(1).fold(chances[0].clone(), |sum, chance| &sum + chance);
    assert_eq!(all, Probability::new(1, 1));
    assert!(all.fraction().is_some());
    for skew in [1.0, -2.0, 30.0] {
        let all = sum(&few.clone().skewed(skew).origin(1.0 + 6.0 * f64::EPSILON), *few.start(), *few.end());
        assert!((all - 1.0).abs() < 1e-12, "{skew}: {all}");
    }
    let narrow = floats().between(1e300..=1.000000000000001e300);
    assert!((sum(&narrow, 1e300, 1.000000000000001e300) - 1.0).abs() < 1e-9);
    // Zero, the smallest numbers there are, and nothing else.
    let tiny = f64::from_bits(40);
    assert!((sum(&within(0.0..=tiny), 0.0, tiny) - 1.0).abs() < 1e-12);
}

#[test]
fn chances_of_all_floats_are_exact_and_those_that_are_drawn_again_are_rounded() {
    let one = any::<f64>().ways_of(&1.0).probability().unwrap();
    assert!(one.fraction().is_some());
    assert!(floats().finite().ways_of(&1.0).probability().unwrap().fraction().is_none());
    assert!(any::<f64>().ways_of(&f64::NAN).probability().unwrap().to_string() == "1/256");
    assert!(any::<f64>().ways_of(&f64::INFINITY).probability().unwrap().to_string() == "3/256");
    // There are many that are not numbers, and only two are drawn.
    assert!(any::<f64>().ways_of(&f64::from_bits(f64::NAN.to_bits() + 1)).probability().unwrap().is_zero());
}

#[test]
fn skewed_ranges_are_drawn_as_often_as_said() {
    for skew in [0.0, 0.5, 3.0, -0.5, -4.0] {
        agrees_with_samples((0..=30u8).skewed(skew));
        agrees_with_samples((-20..=30i32).skewed(skew).origin(10));
    }
    for (max, skew) in
        [(u64::MAX, 40.0), (u64::MAX - 7, 40.0), ((1 << 53) + 5, 60.0), (u64::MAX, -60.0), (1 << 62, -500.0)]
    {
        agrees_with_samples((0..=max).skewed(skew));
    }
    agrees_with_samples((0..=u128::MAX).skewed(60.0));
}

#[test]
fn skewed_indices_are_certain_together() {
    for skew in [0.0, 1.0, -1.0, 7.3, -7.3, 1e3] {
        let all: f64 = (0..=1000u32)
            .map(|number| (0..=1000u32).skewed(skew).ways_of(&number).probability().unwrap().to_f64().unwrap())
            .sum();
        assert!((all - 1.0).abs() < 1e-12, "{skew}: {all}");
    }
}

#[test]
fn a_law_of_ones_own_may_say_how_likely_its_numbers_are() {
    let even = CustomDistribution {
        draw: |max, _, rng| rng.at_most(max / 2) * 2,
        parameters: [0; 4],
        chance: Some(|index, _, _| Some(if index % 2 == 0 { Chance::rounded(1.0 / 6.0) } else { Chance::NEVER })),
    };
    let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
    let mut rng = retrospect::source::Rng::new(1);
    for _ in 0..6000 {
        *counts
            .entry(NumberRequest { max: 10, distribution: Distribution::Custom(even) }.random(&mut rng))
            .or_default() += 1;
    }
    for index in 0..=10 {
        let chance = Distribution::Custom(even).chance(index, 10).unwrap();
        assert_eq!(chance.numerator() == 0, !counts.contains_key(&index));
        assert_eq!(chance.is_exact(), chance == Chance::NEVER);
    }
}
