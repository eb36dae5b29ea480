//! Mutation of every kind of generator: what comes out is always a value of the generator, and
//! mostly another one.

use retrospect::generator::Wanted;
use retrospect::mutate::Edit;
use retrospect::prelude::*;
use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

/// Mutates some samples and checks every mutant. Says how many of 1000 show another text than what
/// they come from.
fn check<G: Generator>(generator: &G) -> usize {
    let mut different = 0;
    for seed in 0..100 {
        let value = generator.sample(seed);
        let mut mutants = generator.mutants(&value, seed).unwrap();
        let mut again = generator.mutants(&value, seed).unwrap();
        for _ in 0..10 {
            let mutant = mutants.next_mutant().unwrap();
            assert!(generator.accepts(&mutant.value), "{value:?} became {:?}", mutant.value);
            assert_eq!(shown(&generator.replay(&mutant.choices)), shown(&mutant.value));
            assert_eq!(shown(&again.next().unwrap()), shown(&mutant.value));
            assert_eq!(mutant.edit.is_none(), mutant.choices == *mutants.choices());
            different += usize::from(shown(&mutant.value) != shown(&value));
        }
        assert_eq!(shown(&generator.mutate(&value, seed).unwrap()), shown(&generator.mutate(&value, seed).unwrap()));
        let other = generator.sample(seed + 1000);
        assert!(generator.accepts(&generator.splice(&value, &other, seed).unwrap()));
    }
    different
}

fn shown(value: &dyn Debug) -> String {
    format!("{value:?}")
}

#[derive(Clone, Debug, Generate)]
enum Shape {
    Point,
    Circle { radius: u8 },
    Group(Vec<Shape>),
    Named(String, Box<Shape>),
}

#[generator]
fn counted() -> (usize, Vec<u8>) {
    let count = draw(0..8usize);
    let items = draw(vec_of(0..=9, count));
    (count, items)
}

#[test]
fn every_kind_of_generator() {
    assert!(check(&(0..1000u32)) >= 990);
    assert!(check(&(-50..=50i8)) >= 990);
    assert!(check(&any::<f64>()) >= 950);
    assert!(check(&any::<(bool, char, Option<u8>)>()) >= 950);
    assert!(check(&vec_of(0..100, 2..=5)) >= 950);
    assert!(check(&string_of('a'..='z', ..)) >= 950);
    assert!(check(&any::<Shape>()) >= 950);
    assert!(check(&array_of::<4, _>(0..9)) >= 950);
    assert!(check(&permutation_of([1, 2, 3, 4, 5])) >= 800);
    assert!(check(&subsequence_of([1, 2, 3, 4, 5], ..)) >= 800);
}

/// A count drawn first and the list after it stay in step.
#[test]
fn binds_stay_consistent() {
    assert!(check(&counted()) >= 950);
    let lists = (1..=5usize).bind_with_focus(|length| vec_of(0..9, *length), |list: &Vec<i32>| Some(list.len()));
    assert!(check(&lists) >= 900);
    for mutant in counted().mutants(&(3, vec![1, 2, 3]), 1).unwrap().take(500) {
        assert_eq!(mutant.0, mutant.1.len());
    }
}

#[test]
fn hash_tables_keep_their_keys_apart() {
    let maps = hash_map_of(0..20u8, any::<bool>(), 1..=6);
    for seed in 0..200 {
        let map: HashMap<u8, bool> = maps.sample(seed);
        let mutant = maps.mutate(&map, seed).unwrap();
        assert!(maps.accepts(&mutant));
        assert_ne!(mutant, map);
    }
    assert!(check(&set_of(0..20u8, 2..=6)) >= 900);
}

#[test]
fn what_says_that_it_has_one_way_has_one() {
    fn holds<G: Generator>(generator: &G) -> bool {
        generator.facts(Wanted::Shape).has_one_way
            && (0..50).all(|seed| generator.ways_of(&generator.sample(seed)).count().to_string() == "1")
    }
    assert!(holds(&vec_of(tuple((0..100, any::<bool>(), any::<i64>())), ..9)) && holds(&uniform(-5i8..)));
    assert!(holds(&string_of('a'..='f', ..)) && holds(&&vec_of(any::<char>(), 3)));
    // The order of a heap's items is not in the value, and a mapping may lose anything.
    assert!(!vec_of(0..9, ..).as_type::<std::collections::BinaryHeap<_>>().facts(Wanted::Shape).has_one_way);
    assert!(
        !set_of(0..9, ..).facts(Wanted::Shape).has_one_way
            && !vec_of(within(0..9).map(|number| number / 2), ..).facts(Wanted::Shape).has_one_way
    );
}

/// Where a kind of edit is possible at some places of a value, such a place is found.
#[test]
fn one_kind_of_edit_leads_to_another_value_where_it_can() {
    let words = string_of('a'..='z', ..);
    for edit in [Edit::Move, Edit::Swap] {
        let others = words.mutants(&"hello".to_owned(), 1).unwrap().only(&[edit]).take(200);
        let same = others.filter(|word| word == "hello").count();
        assert!(same <= 2, "{edit:?}: {same}");
    }
    let pairs = tuple((0..9, any::<bool>(), 0..9));
    let swapped = pairs.mutants(&(1, true, 2), 1).unwrap().only(&[Edit::Swap]).take(200);
    assert!(swapped.filter(|pair| *pair == (1, true, 2)).count() <= 2);
}

#[test]
fn function_tables_stay_tables() {
    let functions = any::<Function<u8, u8>>();
    let table = functions.read("{1 => 10, 2 => 20, _ => 0}").unwrap();
    let mut seen = HashSet::new();
    for mutant in functions.mutants(&table, 1).unwrap().take(200) {
        assert!(functions.accepts(&mutant));
        assert_eq!(functions.read(&shown(&mutant)).unwrap(), mutant);
        seen.insert(shown(&mutant));
    }
    assert!(seen.len() > 50, "{seen:?}");
    assert!(seen.iter().any(|text| text.starts_with("{1 => 10, _ =>")), "{seen:?}");
}

#[test]
fn filters_recursion_and_protected_parts() {
    assert!(check(&within(0..1000).filter(|number| number % 7 == 0)) >= 950);
    assert!(check(&tuple((0..10, 0..10)).filter(|(one, other)| one < other)) >= 900);
    assert!(check(&tuple(((0..10).no_shrink(), 0..10))) >= 950);
    assert!(check(&sized(|size| vec_of(0..=size, ..=4))) >= 500);
    let nested = recursive(|nested| one_of((exact(Vec::<u8>::new()), vec_of(0..9u8, ..3).boxed(), nested)));
    check(&nested);
    let shrunk = (0..100).shrink_with(|number| [number / 2]);
    assert!(check(&shrunk) >= 950);
}

/// What has only one value is given back; what cannot be made is an error.
#[test]
fn the_ends_of_it() {
    assert_eq!(exact(5).mutate(&5, 1).unwrap(), 5);
    assert_eq!(any::<()>().mutants(&(), 1).unwrap().next_mutant().unwrap().edit, None);
    assert_eq!(vec_of(exact('x'), 3).mutate(&vec!['x'; 3], 1).unwrap(), ['x'; 3]);
    assert!((0..10).mutate(&10, 1).is_err() && (0..10).mutants(&10, 1).is_err() && (0..10).splice(&1, &10, 1).is_err());
    let impossible = within(0..10).filter(|_| false);
    let why = impossible.mutate_choices(&"3".parse().unwrap(), 1).unwrap_err().to_string();
    assert!(why.contains("refused 10000 of 10000 values"), "{why}");
    // Choices that do not fit at all make a value all the same.
    assert!(vec_of(0..10, 2).mutate_choices(&"(1:x 7)".parse().unwrap(), 1).unwrap().value.len() == 2);
    assert!(vec_of(0..10, 2).mutate_choices(&Choices::default(), 1).unwrap().value.len() == 2);
    assert_eq!((0..10).mutants(&5, 1).unwrap().only(&[]).next(), Some(5));
    assert_eq!((0..10).mutants(&5, 1).unwrap().only(&[Edit::Insert]).next(), Some(5));
}

#[derive(Clone, Debug, PartialEq)]
enum Chain {
    End,
    Link(u8, Box<Chain>),
}

#[generator]
fn chains() -> Chain {
    match pick() {
        "end" => Chain::End,
        #[weight(9)]
        "link" => {
            let number = draw(0..=9);
            let rest = draw(chains());
            Chain::Link(number, Box::new(rest))
        }
    }
}

#[test]
fn long_and_deep_values() {
    let list: Vec<u32> = (0..300_000).collect();
    let lists = vec_of(any::<u32>(), ..);
    let mutant = lists.mutate(&list, 3).unwrap();
    assert!(mutant != list && mutant.len().abs_diff(list.len()) <= 75_001);
    retrospect::with_deep_stack(|| {
        let mut chain = Chain::End;
        (0..20_000).for_each(|link| {
            chain = Chain::Link((link % 10) as u8, Box::new(std::mem::replace(&mut chain, Chain::End)))
        });
        for seed in 0..5 {
            let mutant = chains().mutate(&chain, seed).unwrap();
            assert!(chains().accepts(&mutant) && mutant != chain);
        }
    });
}
