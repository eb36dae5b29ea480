//! `quickcheck`.

use retrospect::laws::Laws;
use retrospect::prelude::*;
use std::collections::BTreeMap;

#[test]
fn what_it_makes_obeys_the_laws_of_going_forward() {
    Laws::default().forward_only().check(&from_quickcheck::<(u8, String, Vec<Option<i16>>)>());
    Laws::default().forward_only().check(&from_quickcheck::<BTreeMap<u8, char>>());
}

#[test]
fn it_shrinks_as_it_does_there() {
    laws::minimum(&from_quickcheck::<u32>(), |number| *number >= 1234, [1234]);
    laws::minimum(
        &from_quickcheck::<Vec<u32>>().resize(10),
        |list| list.iter().any(|number| *number > 99),
        [vec![100]],
    );
    laws::minimum(&vec_of(from_quickcheck::<u32>(), ..), |list| list.len() > 1, [vec![0, 0]]);
}

#[test]
fn the_size_is_kept() {
    let lists = from_quickcheck::<Vec<u8>>().resize(3);
    assert!(lists.samples(1).take(200).all(|list| list.len() <= 3));
    // Also by a replay, whatever its size.
    let choices = from_quickcheck::<Vec<u8>>().sample_choices(5);
    assert_eq!(from_quickcheck::<Vec<u8>>().resize(1).replay(&choices), from_quickcheck::<Vec<u8>>().sample(5));
}

/// The largest of all sizes was one of the ends that the runner tries: a list of 2^32 items.
#[test]
fn the_ends_of_its_choices_are_no_larger_than_other_values() {
    check(from_quickcheck::<Vec<u64>>(), |list| assert!(list.len() <= 256));
}

#[test]
fn it_goes_forward_only() {
    let reason = "`from_quickcheck` goes forward only: `quickcheck::Arbitrary` has no inverse";
    assert_eq!(from_quickcheck::<u8>().choices_of(&3).unwrap_err().reason(), reason);
    assert!(from_quickcheck::<u8>().read("3").unwrap_err().to_string().ends_with(reason));
}
