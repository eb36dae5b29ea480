//! `arbitrary`, both ways.

use arbitrary::{Arbitrary, Error, Unstructured};
use retrospect::ecosystem::{Generated, arbitrary_from};
use retrospect::laws::Laws;
use retrospect::prelude::*;
use std::collections::BTreeMap;

#[test]
fn what_it_makes_obeys_the_laws_of_going_forward() {
    Laws::default().forward_only().check(&from_arbitrary::<(u64, String, Vec<Option<i16>>)>());
    Laws::default().forward_only().check(&from_arbitrary::<BTreeMap<u8, Vec<char>>>());
}

#[test]
fn it_draws_different_sizes() {
    let lengths: Vec<usize> = from_arbitrary::<Vec<u16>>().samples(1).take(500).map(|list| list.len()).collect();
    assert!(lengths.contains(&0) && lengths.iter().any(|length| *length > 5));
}

#[test]
fn it_shrinks() {
    let lists = from_arbitrary::<Vec<u32>>();
    // By its bytes 1024 is simpler than 1000.
    laws::minimum_where(&lists, |list| list.iter().any(|number| *number > 999), |list| *list == [1024]);
    laws::minimum_where(&from_arbitrary::<String>(), |text| text.chars().count() > 2, |text| text.chars().count() == 3);
}

#[test]
fn bytes_that_are_refused_are_drawn_again() {
    #[derive(Debug)]
    struct Odd(u8);
    impl<'a> Arbitrary<'a> for Odd {
        fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Odd> {
            let number = bytes.arbitrary()?;
            if number % 2 == 1 { Ok(Odd(number)) } else { Err(Error::IncorrectFormat) }
        }
    }
    let numbers = from_arbitrary::<Odd>();
    assert!(numbers.samples(1).take(1000).all(|number| number.0 % 2 == 1));
    assert!(numbers.try_replay(&Choices::default()).is_err());
}

#[test]
fn it_goes_forward_only() {
    let reason = "`from_arbitrary` goes forward only: `arbitrary::Arbitrary` has no inverse";
    assert_eq!(from_arbitrary::<u8>().choices_of(&3).unwrap_err().reason(), reason);
    assert!(from_arbitrary::<u8>().read("3").unwrap_err().to_string().ends_with(reason));
    assert!(vec_of(from_arbitrary::<u8>(), 2).fill("[_, _]", 1).is_ok());
}

#[derive(Clone, Debug, PartialEq, Generate)]
enum Tree {
    Leaf,
    Node(Box<Tree>, u16, Box<Tree>),
}

/// Bytes of all lengths, from nothing to more than a value needs.
fn inputs() -> impl Iterator<Item = Vec<u8>> {
    (0..2000u64).map(|seed| vec_of(any::<u8>(), ..300).sample(seed))
}

#[test]
fn whatever_the_bytes_are_there_is_a_value() {
    for bytes in inputs() {
        let mut bytes = Unstructured::new(&bytes);
        let Generated(tree) = Generated::<Tree>::arbitrary(&mut bytes).unwrap();
        assert!(any::<Tree>().accepts(&tree));
        let Generated(parts) = Generated::<(String, Vec<f64>, Option<i128>)>::arbitrary(&mut bytes).unwrap();
        assert!(any::<(String, Vec<f64>, Option<i128>)>().accepts(&parts));
    }
    for endless in [vec![0; 10_000], vec![255; 10_000], vec![1; 10_000]] {
        let Generated(tree) = Generated::<Tree>::arbitrary(&mut Unstructured::new(&endless)).unwrap();
        assert!(any::<Tree>().accepts(&tree));
    }
}

#[test]
fn without_bytes_it_is_the_simplest() {
    let mut nothing = Unstructured::new(&[]);
    assert_eq!(Generated::<(Tree, u8, Vec<u8>)>::arbitrary(&mut nothing).unwrap().0, (Tree::Leaf, 0, vec![]));
    assert_eq!(arbitrary_from(&vec_of(3..9, 2..), &mut nothing).unwrap(), [3, 3]);
}

#[test]
fn bytes_reach_every_value() {
    let mut found: Vec<(u8, bool)> = Vec::new();
    for first in 0..=255 {
        for second in 0..=255 {
            let value =
                arbitrary_from(&tuple((0..5u8, any::<bool>())), &mut Unstructured::new(&[first, second])).unwrap();
            if !found.contains(&value) {
                found.push(value);
            }
        }
    }
    assert_eq!(found.len(), 10);
}

#[test]
fn what_a_filter_refuses_is_passed_over() {
    let evens = within(0..100).filter(|number| number % 2 == 0);
    assert_eq!(arbitrary_from(&evens, &mut Unstructured::new(&[7, 9, 12])).unwrap(), 12);
    assert!(matches!(arbitrary_from(&evens, &mut Unstructured::new(&[7])), Err(Error::IncorrectFormat)));
    assert!(matches!(arbitrary_from(&(5..5), &mut Unstructured::new(&[7])), Err(Error::IncorrectFormat)));
}

#[test]
fn parameters_take_no_bytes() {
    let sized = sized(|size| 0..=u64::from(size));
    assert_eq!(arbitrary_from(&sized, &mut Unstructured::new(&[100])).unwrap(), 100);
    let shrunk_by_hand = (0..100).shrink_with(|number| (*number > 0).then_some(number / 2));
    assert_eq!(arbitrary_from(&shrunk_by_hand, &mut Unstructured::new(&[88, 1, 1])).unwrap(), 88);
}
