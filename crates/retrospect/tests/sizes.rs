//! How large values are that nobody gave a length: lists in lists share the size.
#![deny(warnings, missing_docs, clippy::all)]
#![forbid(unsafe_code)]

use retrospect::prelude::*;
use retrospect::reflect::Probability;
use retrospect::runner::Settings;
use retrospect::source::Source;
use std::cell::RefCell;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Generate, PartialEq)]
struct Header {
    name: String,
    values: Vec<String>,
}

#[derive(Clone, Debug, Generate, PartialEq)]
struct Part {
    id: u32,
    labels: Vec<String>,
}

#[derive(Clone, Debug, Generate, PartialEq)]
struct Message {
    headers: Vec<Header>,
    parts: Vec<Part>,
}

/// The lengths of the texts of the cases of a property, in order.
fn lengths_of_texts<T: Generate + 'static>() -> Vec<usize> {
    let lengths = RefCell::new(Vec::new());
    Check::new().with(Settings::new().cases(1_000).seed(1)).run(any::<T>(), |value: T| {
        lengths.borrow_mut().push(format!("{value:?}").len());
    });
    let mut lengths = lengths.into_inner();
    lengths.sort_unstable();
    lengths
}

#[test]
fn nested_values_can_be_read_by_people() {
    fn ninth_decile<T: Generate + 'static>() -> usize {
        let lengths = lengths_of_texts::<T>();
        lengths[lengths.len() * 9 / 10]
    }
    assert!((500..4_096).contains(&ninth_decile::<Message>()), "{}", ninth_decile::<Message>());
    assert!((500..4_096).contains(&ninth_decile::<Vec<Vec<String>>>()));
    assert!((500..4_096).contains(&ninth_decile::<Vec<Vec<Vec<u8>>>>()));
    assert!((500..4_096).contains(&ninth_decile::<Vec<Vec<Vec<Vec<bool>>>>>()));
}

#[property]
fn a_value_grows_with_the_square_of_the_size_however_deep_it_is(seed: u64, #[from(0..=200)] size: u32) {
    let mut source = Source::random(seed).with_size(size);
    let lists = any::<Vec<Vec<Vec<Vec<u8>>>>>().generate(&mut source).unwrap();
    let n_items = lists.iter().flatten().flatten().flatten().count();
    assert!(n_items <= (size * size) as usize, "{n_items} items at size {size}");
}

#[property]
fn a_length_that_the_user_gives_does_not_depend_on_the_size(seed: u64, #[from(0..=100)] size: u32) {
    let length = |size| {
        let mut source = Source::random(seed).with_size(size);
        vec_of(any::<Header>(), 3..=99).generate(&mut source).unwrap().len()
    };
    assert_eq!(length(size), length(100));
}

#[test]
fn each_list_of_lists_is_sometimes_long_and_sometimes_empty() {
    let lists: Vec<Vec<Vec<u8>>> = (0..2_000).map(|seed| any::<Vec<Vec<u8>>>().sample(seed)).collect();
    let any_list = |is_met: &dyn Fn(&Vec<Vec<u8>>) -> bool| lists.iter().any(is_met);
    assert!(any_list(&|list| list.is_empty()));
    assert!(any_list(&|list| list.len() >= 70));
    assert!(any_list(&|list| list.iter().any(|inner| inner.len() >= 60)));
    // Many with few, few with many, and empty ones among others.
    assert!(any_list(&|list| list.len() >= 60 && list.iter().all(|inner| inner.len() <= 15)));
    assert!(any_list(&|list| list.len() == 3 && list.iter().all(|inner| inner.len() >= 10)));
    assert!(any_list(&|list| list.len() >= 50 && list.iter().any(|inner| inner.is_empty())));
    let strings: Vec<Vec<String>> = (0..2_000).map(|seed| any::<Vec<String>>().sample(seed)).collect();
    assert!(strings.iter().any(|list| list.iter().any(|string| string.chars().count() >= 50)));
    assert!(strings.iter().any(|list| list.len() >= 70));
}

#[test]
fn flat_lists_are_as_long_as_the_size() {
    let longest = |length: &dyn Fn(u64) -> usize| (0..2_000).map(length).max().unwrap();
    assert_eq!(longest(&|seed| any::<Vec<i64>>().sample(seed).len()), 100);
    assert_eq!(longest(&|seed| any::<Vec<(i64, bool)>>().sample(seed).len()), 100);
    assert_eq!(longest(&|seed| any::<String>().sample(seed).chars().count()), 100);
    assert!(longest(&|seed| any::<BTreeMap<u64, u64>>().sample(seed).len()) >= 95);
}

#[test]
fn the_size_of_items_is_known_backward() {
    let lists = vec_of(vec_of(any::<bool>(), ..), ..);
    // At size 8 there are 0 to 6 lists, 8 / √2 rounded up. One has that size too, and of two the
    // first has half of it.
    assert_eq!(lists.ways_of(&vec![vec![]]).at_size(8).probability(), Ok(Probability::new(1, 7 * 7)));
    assert_eq!(lists.ways_of(&vec![vec![], vec![]]).at_size(8).probability(), Ok(Probability::new(1, 7 * 4 * 7)));
    assert_eq!(lists.ways_of(&vec![vec![true; 7]]).at_size(8).probability(), Ok(Probability::new(0, 1)));
    // How many keys were wanted cannot be seen, so all maps of a size have values of the same.
    let maps = map_of(0..=1, vec_of(any::<bool>(), ..), ..=4);
    assert_eq!(
        maps.ways_of(&BTreeMap::from([(0, vec![true; 5])])).at_size(8).probability(),
        Ok(Probability::new(0, 1))
    );
    laws::check(&maps);
}

/// The values of the first cases of a run.
fn cases_of<G: Generator>(generator: G, cases: u64, seed: u64) -> Vec<G::Value> {
    let mut values = Vec::new();
    Check::new().seed(seed).save(false).cases(cases).run(generator, |value| values.push(value));
    values
}

#[test]
fn some_cases_repeat_values() {
    let is_repeated = |(one, other): &(String, String)| one == other && one.chars().count() > 2;
    let n_repeated =
        |seed| cases_of(any::<(String, String)>(), 400, seed).iter().filter(|pair| is_repeated(pair)).count();
    assert!((0..10).all(|seed| n_repeated(seed) > 2));
    // Who samples has what chance alone draws.
    assert!(!any::<(String, String)>().samples(0).take(10_000).any(|pair| is_repeated(&pair)));
}

#[test]
fn the_same_seed_gives_the_same_cases_also_where_values_repeat() {
    let names = || vec_of(tuple((any::<String>(), any::<u64>())), ..);
    assert_eq!(cases_of(names(), 200, 3), cases_of(names(), 200, 3));
    assert_eq!(cases_of(any::<i64>(), 200, 3), cases_of(any::<i64>(), 200, 3));
}

#[test]
fn a_failure_of_values_that_repeat_comes_again_and_shrinks() {
    for seed in 0..10 {
        let check = Check::new().seed(seed).save(false).cases(1_000);
        let failure = check.failure(any::<(Vec<u32>, Vec<u32>)>(), |(one, other): (Vec<u32>, Vec<u32>)| {
            assert!(one.len() < 3 || one != other);
        });
        assert!(failure.unwrap().contains("let value = ([0, 0, 0], [0, 0, 0]);"));
    }
}

#[test]
fn values_that_repeat_are_valid() {
    let ordered = any::<(u8, u8)>().filter(|(low, high)| low <= high);
    let chosen = vec_of(0..1_000_u32, 1..20)
        .bind_with_focus(|list| tuple((exact(list.clone()), element_of(list.clone()))), |(list, _)| Some(list.clone()));
    let keyed = map_of(any::<u64>(), set_of(any::<char>(), 1..5), ..);
    let all = tuple((vec_of(ordered, ..), chosen, keyed));
    for value in cases_of(&all, 300, 1) {
        assert!(all.accepts(&value), "{value:?}");
    }
}

#[test]
fn what_a_search_finds_where_values_repeat_comes_again() {
    let evens = || any::<u16>().satisfying(|number| number % 64 == 0);
    let lists = || any::<(Vec<u32>, Vec<u32>)>();
    for seed in 0..10 {
        let check = Check::new().seed(seed).save(false).cases(1_000);
        let failure = check.failure(tuple((evens(), lists(), evens())), |(_, (one, other), _)| {
            assert!(one.len() < 3 || one != other);
        });
        assert!(!failure.unwrap().contains("not deterministic"));
    }
}
